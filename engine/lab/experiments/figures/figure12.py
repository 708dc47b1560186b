"""Figure 12 of Li et al. 2017 again: what an agent loses without one of its parts, at tables of eight.

Without the rule for draws and implied odds the paper ran; without adaptation, without reading, with another reader
and by the letter of the paper it did not. All play the same matches: the same decks in the same seats against the
same programs.
"""

from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, is_clear, mean_interval, mean_of
from engine.lab.experiments.contestants import PROGRAMS, VARIANTS
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words, mean_rank
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.picture import Axis, Curve, Level, Mark, Marker, Named, Panel, Picture, Stroke, named
from engine.lab.experiments.records import MatchRecord, Task

TITLE = "Figure 12: what an agent loses without one of its parts"
WITHOUT_DRAWS = "without draws"
PAPER_LOSS = 0.008
PAPER = "Without its rule for draws and implied odds the paper's FOLD has a mean rank 0.8% worse."
MATCHES = 100


class _Loss(NamedTuple):
    """What a variant came to: rank and chips, and how much its rank and chips are above the whole agent's."""

    change: str
    rank: Mean
    chips: Mean
    rank_more: Mean
    chips_more: Mean


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent and of its variants with the seven programs."""
    for agent in setting.agents:
        if agent not in VARIANTS:
            known = " and ".join(VARIANTS)
            raise FigureError(f"Figure 12 leaves out parts of {known}; it knows of none to leave out of {agent}.")
    return [
        setting.task((player, *PROGRAMS), number)
        for number in range(setting.count(MATCHES))
        for agent in setting.agents
        for player in _players(agent)
    ]


def _players(agent: str) -> dict[str, str]:
    """Return the agent and its variants by style, each with what is changed."""
    return {agent: "", **{variant.style: variant.change for variant in VARIANTS[agent]}}


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Compare each variant with the whole agent, match by match."""
    found = {agent: _losses(setting, agent, records) for agent in setting.agents}
    rows = [row for agent, losses in found.items() for loss in losses for row in _rows(agent, loss)]
    words = " ".join([PAPER, *(_sentences(agent, losses) for agent, losses in found.items())])
    return Outcome(tuple(rows), _table(found), words, _picture(found))


def _losses(setting: Setting, agent: str, records: Mapping[Task, MatchRecord]) -> list[_Loss]:
    """Return the whole agent first, and its variants in their order."""
    losses = []
    numbers = range(setting.count(MATCHES))
    whole = [records[setting.task((agent, *PROGRAMS), number)].of(agent) for number in numbers]
    for player, change in _players(agent).items():
        played = [records[setting.task((player, *PROGRAMS), number)].of(player) for number in numbers]
        pairs = list(zip(played, whole, strict=True))
        losses.append(
            _Loss(
                change,
                mean_rank([one.rank for one in played]),
                mean_of([one.chips for one in played]),
                mean_of([one.rank - other.rank for one, other in pairs]),
                mean_of([one.chips - other.chips for one, other in pairs]),
            )
        )
    return losses


def _rows(agent: str, loss: _Loss) -> list[Row]:
    player = f"{agent} {loss.change}".strip()
    found = [("rank", "", loss.rank), ("chips won less lost", "", loss.chips)]
    if loss.change:
        found += [("rank less the whole agent's", agent, loss.rank_more)]
        found += [("chips less the whole agent's", agent, loss.chips_more)]
    return [Row.of(agent, player, against, measure, None, mean) for measure, against, mean in found]


def _table(found: Mapping[str, list[_Loss]]) -> str:
    parts = []
    for agent, losses in found.items():
        rows = [[style_label(agent), "rank", "worse by", "chips", "less the whole agent's"]]
        for loss in losses:
            worse = in_words(loss.rank_more, 2, "+") if loss.change else ""
            chips = in_words(loss.chips_more, 0, "+") if loss.change else ""
            rows.append([loss.change or "whole", in_words(loss.rank), worse, in_words(loss.chips, 0, "+"), chips])
        parts.append(aligned(rows))
    return "\n\n".join(parts)


def _sentences(agent: str, losses: list[_Loss]) -> str:
    whole, *variants = losses
    texts = []
    for loss in variants:
        share, error = loss.rank_more.value / whole.rank.value, (loss.rank_more.stderr or 0.0) / whole.rank.value
        what = f"{loss.change} its mean rank is {abs(share):.1%} ± {error:.1%} {'worse' if share > 0 else 'better'}"
        if loss.change == WITHOUT_DRAWS:
            low, high = (limit / whole.rank.value for limit in mean_interval(loss.rank_more) or (-inf, inf))
            holds = "holds" if low <= PAPER_LOSS <= high else "does not hold"
            what += f", whose interval of 95% {holds} the paper's {PAPER_LOSS:.1%}"
        elif not is_clear(loss.rank_more):
            what += ", no sure difference"
        texts.append(what)
    return f"{style_label(agent)} has a mean rank of {in_words(whole.rank)}; " + "; ".join(texts) + "."


def _picture(found: Mapping[str, list[_Loss]]) -> Picture:
    lines = tuple(_line(agent, losses) for agent, losses in found.items())
    weights = tuple(float(len(losses)) for losses in found.values())
    return Picture(lines, 11, 0.9 + 0.42 * sum(weights), weights)


def _line(agent: str, losses: list[_Loss]) -> tuple[Panel, Panel]:
    to_percent = 100 / losses[0].rank.value
    at = tuple(map(float, range(len(losses))))
    zero = Level(0.0, stroke=Stroke.SOLID, is_upright=True)
    ranks: list[Mark] = [zero, _points(at, [loss.rank_more for loss in losses], to_percent)]
    if losses[1].change == WITHOUT_DRAWS:
        ranks.append(
            Curve((100 * PAPER_LOSS,), (1.0,), "the paper", Named.PAPER, Stroke.NONE, marker=Marker.DIAMOND)
        )
    names = named([f"{style_label(agent)} {loss.change or '(whole)'}" for loss in losses])
    left = Panel(
        tuple(ranks), Axis("mean rank worse than the whole agent's by, %"), Axis(ticks=names, is_reversed=True)
    )
    right = Panel(
        (zero, _points(at, [loss.chips_more for loss in losses])),
        Axis("chips won more than the whole agent"),
        Axis(ticks=named([""] * len(losses)), is_reversed=True),
        has_legend=False,
    )
    return left, right


def _points(at: tuple[float, ...], means: list[Mean], factor: float = 1.0) -> Curve:
    return Curve(
        tuple(factor * mean.value for mean in means),
        at,
        "ours",
        stroke=Stroke.NONE,
        x_errors=tuple(factor * error_of(mean) for mean in means),
    )
