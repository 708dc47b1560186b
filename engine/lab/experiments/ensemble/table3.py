"""Table 3 of the ensemble paper again: its agents against the eight styles and O random."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Final

from engine.agents.rule_based.pool import POOL
from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, mean_of
from engine.lab.evolution.run import Job
from engine.lab.experiments.ensemble.ensemble_experiment import (
    MBB,
    Measured,
    OverSeeds,
    over_seeds,
    sets_made_by,
)
from engine.lab.experiments.ensemble.matches import AGENTS, O_RANDOM, Match, Played, match_of
from engine.lab.experiments.ensemble.sets import A_AVE, A_BASE, A_BY_STAGE, A_INT, A_STAR, A_TAR, PolicySet
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of
from engine.lab.experiments.picture import Axis, Curve, Marker, Named, Panel, Picture, Stroke, named
from engine.lab.matches.plan import seed_of_match
from engine.words import listed

TITLE = "Table 3: the ensemble paper's agents against eight styles and O random, thousandths of a big blind a hand"
NEAR_EQUILIBRIUM: Final = "near-equilibrium"
PAPER_ROWS: Final[dict[str, tuple[float, ...]]] = {
    NEAR_EQUILIBRIUM: (703, 12761, 4943, 14983, 653, 2623, 484, 2449, 3387),
    A_TAR: (1000, 29232, 1495, 27474, 1391, 12746, 1371, 34546),
    A_BASE: (1000, 22611, 1205, 20380, 1110, 9892, 793, 14568, 5105),
    A_AVE: (1000, 78, 34, -5537, 928, 92, -632, -4461, -1068),
    A_INT: (1000, 29964, 1305, 27314, 1316, 12874, 1381, 18330, 2739),
    A_STAR: (1000, 24888, 1310, 27526, 1286, 11253, 1020, 16514, 6359),
}
"""Against o1 to o8, and O random, whom no exploiter is of; the near-equilibrium player stands in for Slumbot."""
PAPER = (
    "In the paper a style's own exploiter is at or near the top of each column, and against O random A* wins most, "
    "then the base, A-int and A-ave; the near-equilibrium player stands in for its Slumbot."
)
TAKES_SETS = True

STYLE_BLOCKS, STYLE_HANDS = 2, 20_000
RANDOM_BLOCKS, RANDOM_HANDS = 16, 25_000
"""Matches of an agent with a style and with O random, and the hands of each, by each set."""

_TABLE_HANDS = 20_000
"""Of the near-equilibrium player with each rival, which the ordinary table plays."""

_SHORT_BLOCKS, _SHORT_STYLE_HANDS, _SHORT_RANDOM_HANDS, _SHORT_TABLE_HANDS = 2, 1_000, 7_000, 20

_ROWS: Final = (NEAR_EQUILIBRIUM, *AGENTS)
_RIVALS: Final = (*POOL, O_RANDOM)

_ORDER = (A_STAR, A_BASE, A_INT, A_AVE)
"""Of the paper's agents against O random, the best first."""


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return nothing beside the sets."""
    return []


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return the matches of each set's agents and of the near-equilibrium player with everybody."""
    of_sets = [
        (match, one)
        for one in sets
        for rival in _RIVALS
        for agent in (*AGENTS, A_BY_STAGE)
        for match in matches_with(setting, one, agent, rival)
    ]
    return [*((_at_table(setting, rival), None) for rival in _RIVALS), *of_sets]


def _at_table(setting: Setting, rival: str) -> Match:
    """Return the match of the near-equilibrium player with a rival."""
    hands = _SHORT_TABLE_HANDS if setting.is_short else _TABLE_HANDS
    return match_of(NEAR_EQUILIBRIUM, rival, None, seed_of_match(setting.seed, 3), hands)


def matches_with(setting: Setting, policies: PolicySet, agent: str, rival: str) -> list[Match]:
    """Return the matches of a set's agent with a rival, of each number with the same decks for all agents."""
    if (agent == A_TAR and rival == O_RANDOM) or (agent == A_BY_STAGE and rival != O_RANDOM):
        return []
    blocks, hands = _blocks_and_hands(setting, rival)
    seeds = [seed_of_match(setting.seed, 1000 * policies.seed + block) for block in range(blocks)]
    return [match_of(agent, rival, policies, seed, hands) for seed in seeds]


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return what each agent wins from everybody, over sets."""
    cells = {
        (agent, rival): over_seeds([_means(setting, measured, one, agent, rival) for one in measured.sets])
        for agent in AGENTS
        for rival in _RIVALS
        if (agent, rival) != (A_TAR, O_RANDOM)
    }
    for rival in _RIVALS:
        played = measured.played[_at_table(setting, rival)]
        cells[NEAR_EQUILIBRIUM, rival] = over_seeds([[Mean(played.mean, played.stderr, played.match.hands // 2)]])
    gaps = {
        pair: over_seeds([gap_means(setting, measured, one, *pair, O_RANDOM) for one in measured.sets])
        for pair in (*pairwise(_ORDER), (A_STAR, A_INT), (A_BASE, A_BY_STAGE))
    }
    printed = over_seeds([_means(setting, measured, one, A_BY_STAGE, O_RANDOM) for one in measured.sets])
    words = " ".join(
        [
            PAPER,
            _of_styles(setting, measured, cells),
            _of_random(cells, gaps),
            f"A-int by distances of the running hand alone, eq. 2 and 3 as the paper prints them, wins "
            f"{mbb_in_words(printed)}, {mbb_in_words(gaps[A_BASE, A_BY_STAGE])} less than the base.",
            sets_made_by(measured),
        ]
    )
    rows = [*_rows(setting, cells), *_gap_rows(gaps)]
    return Outcome(tuple(rows), _table(setting, cells), words, _picture(cells))


def _means(setting: Setting, measured: Measured, one: PolicySet, agent: str, rival: str) -> list[Mean]:
    played = [measured.played[match] for match in matches_with(setting, one, agent, rival)]
    if rival != O_RANDOM:
        return [Mean(match.mean, match.stderr, match.match.hands // 2) for match in played]
    return _of_blocks([match.mean for match in played])


def gap_means(
    setting: Setting, measured: Measured, one: PolicySet, agent: str, other: str, rival: str
) -> list[Mean]:
    """Return how much more an agent of a set wins from a rival than another, match by match on the same decks."""
    played: list[list[Played]] = [
        [measured.played[match] for match in matches_with(setting, one, name, rival)] for name in (agent, other)
    ]
    return _of_blocks([ours.mean - theirs.mean for ours, theirs in zip(*played, strict=True)])


def _of_blocks(values: Sequence[float]) -> list[Mean]:
    """Return each match as one observation, its error that of all of them: hands of one hang together."""
    spread = error_of(mean_of(values)) * len(values) ** 0.5
    return [Mean(value, spread, 1) for value in values]


def _rows(setting: Setting, cells: Mapping[tuple[str, str], OverSeeds]) -> list[Row]:
    rows = []
    for (agent, rival), cell in cells.items():
        paper = PAPER_ROWS[agent][_RIVALS.index(rival)]
        value, error = MBB * cell.mean.value, MBB * cell.of_deals
        measure, hands = "mbb a hand, luck of the board taken out; count: hands", _at_table(setting, rival).hands
        if agent != NEAR_EQUILIBRIUM:
            measure, sets = "mbb a hand; count: sets", cell.mean.observations
            rows.append(Row(agent, agent, rival, measure, None, value, _mbb(cell.mean.stderr), sets, paper))
            measure = "mbb a hand, error of the deals alone; count: hands of each set"
            hands = _hands(setting, rival)
        rows.append(Row(agent, agent, rival, measure, None, value, error, hands, paper))
    return rows


def _gap_rows(gaps: Mapping[tuple[str, str], OverSeeds]) -> list[Row]:
    measure = "mbb a hand more against O random; count: sets"
    return [
        Row(
            agent, agent, other, measure, None, MBB * gap.mean.value, _mbb(gap.mean.stderr), gap.mean.observations,
            PAPER_ROWS[agent][-1] - PAPER_ROWS[other][-1] if other in PAPER_ROWS else None,
        )
        for (agent, other), gap in gaps.items()
    ]  # fmt: skip


def _mbb(error: float | None) -> float | None:
    return None if error is None else MBB * error


def _blocks_and_hands(setting: Setting, rival: str) -> tuple[int, int]:
    """Return how many matches of an agent with a rival there are by each set, and the hands of each."""
    if setting.is_short:
        return _SHORT_BLOCKS, _SHORT_RANDOM_HANDS if rival == O_RANDOM else _SHORT_STYLE_HANDS
    return (RANDOM_BLOCKS, RANDOM_HANDS) if rival == O_RANDOM else (STYLE_BLOCKS, STYLE_HANDS)


def _hands(setting: Setting, rival: str) -> int:
    return prod(_blocks_and_hands(setting, rival))


def label(agent: str) -> str:
    """Write one of the agents' names for people.

    >>> label("a-tar"), label("a*"), label("o3"), label("o-random")
    ('A-tar', 'A*', 'o3', 'O random')
    """
    return "A-tar" if agent == A_TAR else agent if agent in POOL else style_label(agent)


def mbb_in_words(cell: OverSeeds) -> str:
    """Return a cell as text: its mean, and the standard error over sets; without sets that of the deals."""
    return f"{MBB * cell.mean.value:,.0f} ± {MBB * cell.stderr:,.0f}"


def _table(setting: Setting, cells: Mapping[tuple[str, str], OverSeeds]) -> str:
    ours = [["ours, ± over sets", *map(label, _ROWS), "hands a set"]]
    theirs = [["the paper", *map(label, _ROWS)]]
    for at, rival in enumerate(_RIVALS):
        found = [cells.get((agent, rival)) for agent in _ROWS]
        words = ["-" if cell is None else mbb_in_words(cell) for cell in found]
        ours.append([label(rival), *words, f"{_hands(setting, rival):,}"])
        printed = [f"{row[at]:,.0f}" if at < len(row) else "-" for row in PAPER_ROWS.values()]
        theirs.append([label(rival), *printed])
    hands = _at_table(setting, O_RANDOM).hands
    note = f"{label(NEAR_EQUILIBRIUM)}: {hands:,} hands each, ± over them, luck of the board taken out."
    return f"{aligned(ours)}\n{note}\n\n{aligned(theirs)}"


def _of_styles(setting: Setting, measured: Measured, cells: Mapping[tuple[str, str], OverSeeds]) -> str:
    """Say how the exploiters stand in their columns."""
    first: list[str] = []
    near: list[str] = []
    behind: list[str] = []
    for rival in POOL:
        best = max(AGENTS, key=lambda agent: cells[agent, rival].mean.value)
        if best == A_TAR:
            first.append(rival)
            continue
        gap = over_seeds([gap_means(setting, measured, one, best, A_TAR, rival) for one in measured.sets])
        words = f"{rival} ({mbb_in_words(gap)} behind {label(best)})"
        (behind if gap.is_sure else near).append(words)
    parts = [f"first against {listed(first)}"] if first else []
    parts += [f"no surely worse than the first against {listed(near)}"] if near else []
    parts += [f"surely behind against {listed(behind)}"] if behind else []
    return f"The exploiters are {', '.join(parts)}."


def _of_random(cells: Mapping[tuple[str, str], OverSeeds], gaps: Mapping[tuple[str, str], OverSeeds]) -> str:
    order = sorted(_ORDER, key=lambda agent: -cells[agent, O_RANDOM].mean.value)
    ranked = listed([f"{label(agent)} {mbb_in_words(cells[agent, O_RANDOM])}" for agent in order])
    parts = []
    for agent, other in pairwise(_ORDER):
        gap = gaps[agent, other]
        how = "clear of zero" if gap.is_sure else "not clear of zero"
        parts.append(f"{label(agent)} less {label(other)} {mbb_in_words(gap)} ({how})")
    agrees = tuple(order) == _ORDER and all(gaps[pair].is_sure for pair in pairwise(_ORDER))
    verdict = "the paper's order, every gap clear of zero" if agrees else "not the paper's order with clear gaps"
    sure = "with 95% over sets by Student's t"
    return f"Against O random, on the same decks: {ranked}; {listed(parts)}, {sure}: {verdict}."


def _picture(cells: Mapping[tuple[str, str], OverSeeds]) -> Picture:
    across = Axis("", named([label(rival) for rival in _RIVALS]), low=-0.5, high=len(_RIVALS) - 0.5)
    ours, theirs = [], []
    for number, agent in enumerate((*AGENTS, NEAR_EQUILIBRIUM)):
        found = [(at, cells[agent, rival]) for at, rival in enumerate(_RIVALS) if (agent, rival) in cells]
        aside = 0.12 * (number - 2.5)
        ours.append(
            Curve(
                tuple(at + aside for at, _ in found),
                tuple(cell.mean.value for _, cell in found),
                label(agent),
                number,
                Stroke.NONE,
                y_errors=tuple(cell.stderr for _, cell in found),
            )
        )
        printed = PAPER_ROWS[agent]
        at_paper = tuple(at + aside for at in range(len(printed)))
        values = tuple(value / MBB for value in printed)
        theirs.append(Curve(at_paper, values, label(agent), number, Stroke.NONE, Marker.DIAMOND))
    zero = (Curve((-0.5, len(_RIVALS) - 0.5), (0.0, 0.0), "", Named.GREY, Stroke.DOTTED, Marker.NONE),)
    up = Axis("big blinds a hand")
    lines = (
        (Panel((*ours, *zero), across, up, "ours"),),
        (Panel((*theirs, *zero), across, up, "the paper", has_legend=False),),
    )
    return Picture(lines, 10, 7.5)
