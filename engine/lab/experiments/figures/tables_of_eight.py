"""The tables of eight that figures 5, 8, 10 and 11 share: an agent and the seven programs."""

from collections.abc import Mapping, Sequence

from engine.lab.experiments.contestants import PROGRAMS
from engine.lab.experiments.experiment import Setting
from engine.lab.experiments.records import MatchRecord, Task


def lineup(agent: str) -> tuple[str, ...]:
    """Return who sits there: the agent first, and the programs without it."""
    return (agent, *(program for program in PROGRAMS if program != agent))


def tasks_of_eight(setting: Setting, agents: Sequence[str], count: int) -> list[Task]:
    """Return so many matches of each agent with the programs, all of a number before those of the next."""
    return [setting.task(lineup(agent), number) for number in range(count) for agent in agents]


def records_of_eight(
    setting: Setting, agent: str, count: int, records: Mapping[Task, MatchRecord]
) -> list[MatchRecord]:
    """Return the matches of an agent when they are finished."""
    return [records[task] for task in tasks_of_eight(setting, (agent,), count)]
