"""Figure 9 of Li et al. 2017 again: 2 to 8 players, the opponents drawn at random for each match."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, mean_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words, mean_rank
from engine.lab.experiments.figures.tables_of_eight import lineup
from engine.lab.experiments.picture import Axis, Curve, Level, Mark, Marker, Named, Panel, Picture, Stroke, Zone
from engine.lab.experiments.records import START, MatchRecord, Task

TITLE = "Figure 9: chips and mean rank with 2 to 8 players, the opponents drawn for each match"
PAPER_RANKS = (1.11, 1.74)
PAPER = "The paper's FOLD has a mean rank between 1.11 and 1.74 whatever the number of players."
MATCHES = 100
SIZES = range(2, 9)
"""Players; with one of the programs as the agent there are no eight."""


class _Size(NamedTuple):
    """What came of the matches of so many players: chips left of those of the beginning, and rank."""

    players: int
    chips: Mean
    rank: Mean


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent and number of players."""
    return [
        _task(setting, agent, size, number)
        for number in range(setting.count(MATCHES))
        for agent in setting.agents
        for size in _sizes(agent)
    ]


def _sizes(agent: str) -> range:
    return SIZES[: len(lineup(agent)) - 1]


def _task(setting: Setting, agent: str, size: int, number: int) -> Task:
    """Return a match; its opponents depend on the seed, the number of players and that of the match alone."""
    programs = lineup(agent)[1:]
    drawn = np.random.default_rng([setting.seed, size, number]).permutation(len(programs))
    others = [programs[at] for at in sorted(drawn[: size - 1].tolist())]
    return setting.task((agent, *others), number)


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Return chips and rank of each agent by the number of players."""
    count = setting.count(MATCHES)
    found: dict[str, list[_Size]] = {}
    for agent in setting.agents:
        found[agent] = []
        for size in _sizes(agent):
            played = [records[_task(setting, agent, size, number)].of(agent) for number in range(count)]
            chips, rank = mean_of([START + one.chips for one in played]), mean_rank([one.rank for one in played])
            found[agent].append(_Size(size, chips, rank))
    rows = [
        Row.of(agent, agent, "", measure, one.players, mean)
        for agent, sizes in found.items()
        for one in sizes
        for measure, mean in (("chips left", one.chips), ("rank", one.rank))
    ]
    words = " ".join([PAPER, *(_sentence(agent, sizes) for agent, sizes in found.items())])
    return Outcome(tuple(rows), _table(found), words, _picture(found))


def _table(found: Mapping[str, list[_Size]]) -> str:
    parts = []
    for agent, sizes in found.items():
        rows = [[style_label(agent), "chips left", "rank"]]
        rows += [[f"{one.players} players", in_words(one.chips, 0), in_words(one.rank)] for one in sizes]
        parts.append(aligned(rows))
    return "\n\n".join(parts)


def _sentence(agent: str, sizes: list[_Size]) -> str:
    best, worst = (choose(sizes, key=lambda one: one.rank.value) for choose in (min, max))
    within = [one for one in sizes if PAPER_RANKS[0] <= one.rank.value <= PAPER_RANKS[1]]
    winning = sum(one.chips.value > START for one in sizes)
    sentence = (
        f"{style_label(agent)} has a mean rank from {in_words(best.rank)} with {best.players} players to "
        f"{in_words(worst.rank)} with {worst.players}, and more chips than it began with at {winning} of the "
        f"{len(sizes)} sizes of table. "
    )
    if len(within) == len(sizes):
        return sentence + "All of that lies within the paper's bounds."
    if worst.rank.value > PAPER_RANKS[1]:
        above = [str(one.players) for one in sizes if one.rank.value > PAPER_RANKS[1]]
        return sentence + f"It ranks worse than the paper's FOLD ever did with {', '.join(above)} players."
    return sentence + "It never ranks worse than the paper's FOLD at its worst."


def _picture(found: Mapping[str, list[_Size]]) -> Picture:
    sizes = tuple(float(size) for size in SIZES)
    everything = tuple(START * size for size in sizes)
    by_chance = tuple((size + 1) / 2 for size in sizes)
    chips: tuple[Mark, ...] = (
        *_curves(found, lambda one: one.chips),
        Level(START, "as in the beginning"),
        Curve(sizes, everything, "all there are", Named.GREY, Stroke.SOLID, Marker.NONE, width=0.9),
    )
    ranks: tuple[Mark, ...] = (
        *_curves(found, lambda one: one.rank),
        Zone(*PAPER_RANKS, "the paper: 1.11 to 1.74"),
        Curve(sizes, by_chance, "by chance", Named.GREY, Stroke.DOTTED, Marker.NONE, width=0.9),
    )
    players = Axis("players", tuple((size, f"{size:.0f}") for size in sizes))
    left = Panel(chips, players, Axis("chips left"), "(a)")
    return Picture(((left, Panel(ranks, players, Axis("mean rank"), "(b)")),), 10, 4.2)


def _curves(found: Mapping[str, list[_Size]], value: Callable[[_Size], Mean]) -> list[Curve]:
    """Return the curve of each agent, a little aside of the others'."""
    return [
        Curve(
            tuple(one.players + 0.06 * (number - (len(found) - 1) / 2) for one in sizes),
            tuple(value(one).value for one in sizes),
            style_label(agent),
            number,
            y_errors=tuple(error_of(value(one)) for one in sizes),
        )
        for number, (agent, sizes) in enumerate(found.items())
    ]
