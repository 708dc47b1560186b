"""Figure 9 of Li et al. 2017 again: 2 to 8 players, the opponents drawn at random for each match."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.agents.styles import style_label
from engine.lab.experiments.contestants import PROGRAMS
from engine.lab.experiments.experiment import Outcome, Row, Setting, in_words, mean_of
from engine.lab.experiments.files import blank_figure
from engine.lab.experiments.records import START, MatchRecord, Task
from engine.lab.matches.counted.tally import Mean
from engine.lab.matches.report import aligned

TITLE = "Figure 9: chips and mean rank with 2 to 8 players, the opponents drawn for each match"
PAPER_RANKS = (1.11, 1.74)
PAPER = "The paper's FOLD has a mean rank between 1.11 and 1.74 whatever the number of players."
MATCHES = 100
SIZES = range(2, 9)


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
        for size in SIZES
    ]


def _task(setting: Setting, agent: str, size: int, number: int) -> Task:
    """Return a match; its opponents depend on the seed, the number of players and that of the match alone."""
    drawn = np.random.default_rng([setting.seed, size, number]).permutation(len(PROGRAMS))
    others = [PROGRAMS[at] for at in sorted(drawn[: size - 1].tolist())]
    return setting.task((agent, *others), number)


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Return chips and rank of each agent by the number of players."""
    count = setting.count(MATCHES)
    found: dict[str, list[_Size]] = {}
    for agent in setting.agents:
        found[agent] = []
        for size in SIZES:
            played = [records[_task(setting, agent, size, number)].of(agent) for number in range(count)]
            chips, rank = mean_of([START + one.chips for one in played]), mean_of([one.rank for one in played])
            found[agent].append(_Size(size, chips, rank))
    rows = [
        Row(agent, agent, "", measure, one.players, mean.value, mean.stderr, mean.observations)
        for agent, sizes in found.items()
        for one in sizes
        for measure, mean in (("chips left", one.chips), ("rank", one.rank))
    ]
    words = " ".join([PAPER, *(_sentence(agent, sizes) for agent, sizes in found.items())])
    return Outcome(tuple(rows), _table(found), words, lambda: _drawn(found))


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


def _drawn(found: Mapping[str, list[_Size]]) -> Any:
    figure = blank_figure(10, 4.2)
    left, right = figure.subplots(1, 2)
    for number, (agent, sizes) in enumerate(found.items()):
        at = np.array([one.players for one in sizes]) + 0.06 * (number - (len(found) - 1) / 2)
        for axes, means in ((left, [one.chips for one in sizes]), (right, [one.rank for one in sizes])):
            axes.errorbar(
                at,
                [mean.value for mean in means],
                [mean.stderr or 0.0 for mean in means],
                color=f"C{number}",
                marker="o",
                markersize=4,
                capsize=2,
                label=style_label(agent),
            )
    left.axhline(START, color="grey", linewidth=0.8, linestyle=":", label="as in the beginning")
    left.plot(SIZES, [START * size for size in SIZES], color="grey", linewidth=0.8, label="all there are")
    right.axhspan(*PAPER_RANKS, color="black", alpha=0.12, label="the paper: 1.11 to 1.74")
    right.plot(
        SIZES, [(size + 1) / 2 for size in SIZES], color="grey", linewidth=0.8, linestyle=":", label="by chance"
    )
    left.set_ylabel("chips left")
    right.set_ylabel("mean rank")
    for axes, title in ((left, "(a)"), (right, "(b)")):
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("players")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure
