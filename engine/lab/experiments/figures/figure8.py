"""Figure 8 of Li et al. 2017 again: how many matches of eight it takes until the mean ranking is settled.

The ranking is that of mean ranks. Its agreement with the reference, the ranking after all matches that were played,
is the share of the pairs of players that stand in the same order in both. After n matches it is taken over many
random choices of n of them, so that no order of the matches counts.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.lab.experiments.experiment import Outcome, Row, Setting
from engine.lab.experiments.figures.tables_of_eight import lineup, records_of_eight, tasks_of_eight
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture, Stroke
from engine.lab.experiments.records import MatchRecord, Task

TITLE = "Figure 8: how many matches it takes until the mean ranking is settled"
PAPER_MATCHES, PAPER_AGREEMENT, PAPER_STDERR = 70, 0.95, 0.025
PAPER = (
    "The paper's mean ranking agrees to 95% with that after 500 matches from about 70 matches on, with a standard "
    "error under 2.5%; it played 100."
)
MATCHES, SHORT_MATCHES = 500, 12

_CHOICES = 400
_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 250, 300, 400, 500)


class _Point(NamedTuple):
    """After so many matches: agreement, its spread over choices of matches, and the error of the agent's rank."""

    matches: int
    agreement: float
    spread: float
    rank_error: float


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent with the seven programs."""
    return tasks_of_eight(setting, setting.agents, setting.count(MATCHES, SHORT_MATCHES))


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Compare rankings after few matches with the one after all."""
    count = setting.count(MATCHES, SHORT_MATCHES)
    points: dict[str, list[_Point]] = {}
    for agent in setting.agents:
        played = records_of_eight(setting, agent, count, records)
        ranks = np.array([[one.of(player).rank for player in lineup(agent)] for one in played])
        points[agent] = _points(ranks, setting.seed)
    rows = [row for agent, of_agent in points.items() for point in of_agent for row in _rows(agent, point, count)]
    texts = [_sentence(agent, of_agent, count) for agent, of_agent in points.items()]
    return Outcome(tuple(rows), _table(points), " ".join([PAPER, *texts]), _picture(points, count))


def _points(ranks: NDArray[np.float64], seed: int) -> list[_Point]:
    """Return the points of `_SIZES`; ranks have shape (matches, players), those of the agent first."""
    count = len(ranks)
    random = np.random.default_rng(seed)
    order = np.array([random.permutation(count) for _ in range(_CHOICES)])
    sums = np.cumsum(ranks[order], axis=1)  # choices, matches, players
    reference = _signs(ranks.sum(axis=0))
    error = float(ranks[:, 0].std(ddof=1) / ranks[:, 0].mean()) if count > 1 else 0.0
    points = []
    for size in sorted({*(size for size in _SIZES if size < count), count}):
        same = (_signs(sums[:, size - 1]) == reference).mean(axis=1)
        points.append(_Point(size, float(same.mean()), float(same.std(ddof=1)), error / size**0.5))
    return points


def _signs(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return who stands before whom, of each pair of players."""
    first, second = np.triu_indices(ranks.shape[-1], 1)
    signs: NDArray[np.float64] = np.sign(np.round(ranks[..., first] - ranks[..., second], 9))
    return signs


def _rows(agent: str, point: _Point, count: int) -> tuple[Row, Row]:
    is_paper = point.matches == PAPER_MATCHES
    against = f"ranking after {count} matches"
    return (
        Row(
            agent,
            agent,
            against,
            "agreement; its standard deviation over choices of matches",
            point.matches,
            point.agreement,
            point.spread,
            _CHOICES,
            PAPER_AGREEMENT if is_paper else None,
        ),
        Row(
            agent,
            agent,
            "",
            "standard error of the agent's mean rank over that rank",
            point.matches,
            point.rank_error,
            None,
            point.matches,
            PAPER_STDERR if is_paper else None,
        ),
    )


def _table(points: Mapping[str, list[_Point]]) -> str:
    parts = []
    for agent, of_agent in points.items():
        rows = [[style_label(agent), "agreement", "st. deviation", "error of its mean rank"]]
        rows += [
            [
                f"{point.matches:,} matches",
                f"{point.agreement:.1%}",
                f"{point.spread:.1%}",
                f"{point.rank_error:.1%}",
            ]
            for point in of_agent
        ]
        parts.append(aligned(rows))
    return "\n\n".join(parts)


def _sentence(agent: str, points: list[_Point], count: int) -> str:
    at = next((point for point in points if point.agreement >= PAPER_AGREEMENT), points[-1])
    sentence = (
        f"With {style_label(agent)} among ours the agreement with the ranking after {count:,} matches "
        f"first reaches {PAPER_AGREEMENT:.0%} of the pairs at {at.matches:,}, where one choice of matches "
        f"differs from another by {at.spread:.1%} (standard deviation) and the agent's mean rank has an error of "
        f"{at.rank_error:.1%}."
    )
    if count < MATCHES:
        sentence += f" With {count:,} matches in all, not {MATCHES}, the reference itself is unsure."
    elif at.matches <= PAPER_MATCHES:
        sentence += " That is no later than in the paper, which so holds."
    else:
        sentence += " That is later than in the paper: programs that are nearly equal change places for longer."
    return sentence


def _picture(points: Mapping[str, list[_Point]], count: int) -> Picture:
    curves = tuple(
        Curve(
            tuple(float(point.matches) for point in of_agent),
            tuple(100 * point.agreement for point in of_agent),
            style_label(agent),
            number,
            band=tuple(100 * point.spread for point in of_agent),
        )
        for number, (agent, of_agent) in enumerate(points.items())
    )
    paper = Curve(
        (PAPER_MATCHES,),
        (100 * PAPER_AGREEMENT,),
        "the paper: 95% after about 70, error under 2.5%",
        Named.PAPER,
        Stroke.NONE,
        Marker.DIAMOND,
        y_errors=(100 * PAPER_STDERR,),
    )
    most = max(count, PAPER_MATCHES) * 1.1
    ticks = tuple((float(size), str(size)) for size in (1, 2, 5, 10, 20, 50, 100, 200, 500) if size <= most)
    panel = Panel(
        (*curves, paper, Level(100 * PAPER_AGREEMENT, colour=Named.PAPER, stroke=Stroke.DASHED)),
        Axis("matches", ticks, is_log=True, low=0.9, high=most),
        Axis(f"pairs of players in the order after {count:,} matches, %", high=101),
    )
    return Picture(((panel,),), 8, 4.4)
