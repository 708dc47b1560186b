"""The result of a match as a table and as JSON."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import msgspec

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, mean_interval
from engine.lab.matches.counted.realised_values import RealisedValue
from engine.lab.matches.counted.tally import StyleResult, WinRate
from engine.lab.matches.counted.tournament_tally import TournamentStyle
from engine.lab.matches.plan import MOST_TOURNAMENT_HANDS, MatchPlan, Seating
from engine.lab.matches.results import LEAST_MATCHES, MatchResult, TournamentResult
from engine.lab.matches.sprt import Holds, Outcome
from engine.lab.reading import TableReading
from engine.words import counted


class Unit(StrEnum):
    """What win rates are printed in: big blinds per 100 hands, or thousandths of a big blind per hand."""

    BB = "bb/100"
    MBB = "mbb/h"

    @property
    def per_bb_per_100(self) -> int:
        """How many are one big blind per 100 hands."""
        return 10 if self == Unit.MBB else 1


_RATE_FIELDS = {Unit.BB: "bb_per_100", Unit.MBB: "mbb_per_hand"}
_TOURNAMENT_HEADINGS = (
    *("Style", "Rank", "Std. error", "95% interval"),
    *("First", "Survived", "Chips", "Std. error"),
)
_VALUE_HEADINGS = (
    "Predicted against realised",
    "Decisions",
    "Predicted",
    "Realised",
    "Difference",
    "Std. error",
    "Apart by",
)

_OVER_MATCHES = "In every match all begin as strangers. Standard errors are over matches."
_OVER_DECKS = (
    "In every match all begin as strangers. Standard errors are over decks, as if nothing were learned; from "
    f"{LEAST_MATCHES} matches on they are over matches."
)

_TOURNAMENT_NOTES = (
    "Means over tournaments. Rank: the place, 1 the best, the mean of places that are shared. Survived: hands. "
    "Chips: won or lost.",
    "Fluctuation: sum of squares of what each hand won or lost. In every tournament all begin as strangers; "
    "standard errors are over matches.",
)

_BIASED = "A test that ends a match overstates by how much, and intervals do not allow for that."

_ENOUGH_DECISIONS = 30
"""With fewer, a standard error is itself no more than a guess."""


def interval(rate: WinRate) -> tuple[float, float]:
    """Return the 95% confidence interval of a win rate in big blinds per 100 hands, by Student's t.

    >>> interval(WinRate(bb_per_100=10.0, stderr=20.0, observations=2))
    (-244.12, 264.12)
    """
    limits = mean_interval(Mean(rate.bb_per_100, rate.stderr, rate.observations))
    assert limits is not None
    return limits


def as_json(
    result: MatchResult,
    readings: Sequence[TableReading] = (),
    *,
    has_values: bool = False,
    unit: Unit = Unit.BB,
    outcome: Outcome | None = None,
) -> str:
    """Return a result as one JSON object: `styles`, `differences`, and what was played, of `MatchPlan` and how far.

    Units are those of `StyleResult`: big blinds per 100 hands, chips, shares 0-1, seconds. What is in `adjusted`
    has the luck of the board taken out, the rest is as the chips were won. With the fields of `TableReading` for
    each reader that was scored on the match, as `readers`; `has_values` adds `MatchResult.values`. Of a sequential
    test the fields of `Sprt` and of its `Outcome`, as `sprt`, its rates always in big blinds per 100 hands.
    """
    whole = {
        "styles": [
            {
                "style": style.style,
                "hands": style.hands,
                "net": style.net,
                **_rate_fields(style.win_rate, unit),
                "adjusted": {"net": style.adjusted_net, **_rate_fields(style.adjusted, unit)},
                "vpip": style.vpip,
                "pfr": style.pfr,
                "aggression": style.aggression,
                "decisions": style.decisions,
                "decision_seconds": style.decision_seconds,
            }
            for style in result.styles
        ],
        "differences": [
            {
                "style": one.style,
                "other": one.other,
                **_rate_fields(one.rate, unit),
                "adjusted": _rate_fields(one.adjusted, unit),
            }
            for one in result.differences
        ],
        "seats": result.plan.seats,
        "rotations": result.plan.rotations,
        "matches": result.matches,
        "stderr_over": "matches" if result.matches >= LEAST_MATCHES else "decks",
        "decks": result.decks,
        "hands": result.hands,
        "format": result.plan.game.name,
        "stack": _depth(result.plan),
        "seed": result.plan.seed,
        "seating": result.plan.seating,
        "curve": msgspec.to_builtins(result.curve),
    }
    if outcome is not None:
        whole["sprt"] = {
            **msgspec.to_builtins(outcome.test),
            "bounds": outcome.test.bounds,
            "observations": outcome.observations,
            "over": "matches" if outcome.is_over_matches else "decks",
            "log_ratio": outcome.log_ratio,
            "holds": outcome.holds,
        }
    if readings:
        whole["readers"] = msgspec.to_builtins(tuple(readings))
    if has_values:
        whole["values"] = [
            {**msgspec.to_builtins(value), "street": value.street.name.lower()} for value in result.values
        ]
    return msgspec.json.encode(whole).decode()


def as_table(result: MatchResult, *, unit: Unit = Unit.BB, outcome: Outcome | None = None) -> str:
    """Return a row per style, more than two styles compared with each other, and how many hands there were.

    The first win rate has the luck of the board taken out.
    """
    headings = (
        *("Style", "Hands", str(unit), "Std. error", "95% interval", "As won", "Std. error"),
        *("VPIP", "PFR", "AF", "ms/decision"),
    )
    rows: list[tuple[str, ...]] = [headings, *(_style_row(style, unit) for style in result.styles)]
    if len(result.styles) > 2:
        rows += [
            (
                f"{style_label(one.style)} less {style_label(one.other)}",
                "",
                *_rate_cells(one.adjusted, one.rate, unit),
                "",
                "",
                "",
                "",
            )
            for one in result.differences
        ]
    deals = f"{result.decks:,} decks, each in {result.plan.rotations} rotations"
    notes = [f"{unit} without the luck of the board, all-ins included; as won: as the chips went."]
    if result.matches > 1:
        deals = (
            f"{result.matches:,} matches of {result.plan.decks:,} decks, each in {result.plan.rotations} rotations"
        )
        notes.append(_OVER_MATCHES if result.matches >= LEAST_MATCHES else _OVER_DECKS)
    depth = f"{_depth(result.plan):,} big blinds deep"
    played = f"{deals}: {result.hands:,} hands of {_table(result.plan)}, {depth}"
    if outcome is not None:
        notes += [_outcome_line(outcome, result, unit), *([_BIASED] if outcome.holds else [])]
    return "\n".join([aligned(rows), played, *notes])


def tournaments_as_json(result: TournamentResult) -> str:
    """Return the result of tournaments as one JSON object: `styles`, `differences`, and what was played.

    Units are those of `TournamentStyle`. Each mean is an object of `mean`, `stderr` and `interval`, the last two
    null with one match.
    """
    plan = result.plan
    return msgspec.json.encode(
        {
            "styles": [
                {
                    field: _mean_fields(value) if isinstance(value, Mean) else value
                    for field, value in msgspec.structs.asdict(style).items()
                }
                | {"rank": {**_mean_fields(style.rank), "interval": style.rank_interval}}
                for style in result.styles
            ],
            "differences": [
                {"style": one.style, "other": one.other, "rank": _mean_fields(one.rank)}
                for one in result.differences
            ],
            "seats": plan.seats,
            "rotations": plan.rotations,
            "matches": result.matches,
            "stderr_over": "matches",
            "tournaments": result.tournaments,
            "cut": result.cut,
            "most_hands": plan.most_hands,
            "hands": result.hands,
            "format": plan.game.name,
            "stack": _depth(plan),
            "seed": plan.seed,
            "seating": plan.seating,
            "curve": msgspec.to_builtins(result.curve),
        }
    ).decode()


def tournaments_as_table(result: TournamentResult) -> str:
    """Return a row per style, the ranks of more than two styles compared, and how many tournaments there were."""
    has_prizes = any(style.prizes is not None for style in result.styles)
    prizes = ("Buy-ins won", "Std. error") if has_prizes else ()
    headings = (*_TOURNAMENT_HEADINGS, *prizes, "Fluctuation", "VPIP", "PFR", "AF")
    rows: list[tuple[str, ...]] = [headings, *map(_tournament_row, result.styles)]
    if len(result.styles) > 2:
        empty = ("",) * (len(headings) - 4)
        rows += [
            (
                f"{style_label(one.style)} less {style_label(one.other)}",
                *_rank_cells(one.rank, mean_interval(one.rank), "+"),
                *empty,
            )
            for one in result.differences
        ]
    plan, matches = result.plan, result.matches
    played = (
        f"{counted(matches, 'match', 'matches')}, each in {plan.rotations} rotations: "
        f"{result.tournaments:,} tournaments of {_table(plan)}, {_depth(plan):,} big blinds deep at first, "
        f"{result.hands:,} hands"
    )
    notes = list(_TOURNAMENT_NOTES)
    if has_prizes:
        notes.append("Buy-ins won: prizes in each tournament, in which the entry and each rebuy cost one.")
    if result.cut:
        notes.append(
            f"{result.cut:,} of the tournaments had no end after {MOST_TOURNAMENT_HANDS:,} hands and are ranked "
            "as they stood then."
        )
    return "\n".join([aligned(rows), played, *notes])


def values_as_table(values: Sequence[RealisedValue]) -> str:
    """Return predicted against realised values, a row for each street and kind of action of a style."""
    if not values:
        return "No style of this match says what its actions are worth."
    rows: list[tuple[str, ...]] = [_VALUE_HEADINGS]
    for value in values:
        apart, stderr = value.realised - value.predicted, value.stderr
        rows.append(
            (
                f"{style_label(value.style)}, {value.street.name.lower()} {value.move}",
                f"{value.decisions:,}",
                f"{value.predicted:+.2f}",
                f"{value.realised:+.2f}",
                f"{apart:+.2f}",
                "-" if stderr is None else f"±{stderr:.2f}",
                f"{apart / stderr:+.1f}" if stderr and value.decisions >= _ENOUGH_DECISIONS else "-",
            )
        )
    end = "Big blinds more than by folding, the luck of later boards taken out; apart by so many standard errors."
    return f"{aligned(rows)}\n{end}"


def _outcome_line(outcome: Outcome, result: MatchResult, unit: Unit) -> str:
    test, first = outcome.test, style_label(result.plan.styles[0])
    low, high = (f"{rate * unit.per_bb_per_100:+g}" for rate in (test.low, test.high))
    observed = f"{outcome.observations:,} {'matches' if outcome.is_over_matches else 'decks'}"
    if outcome.log_ratio is None:
        return f"Sequential test: nothing can be concluded from {observed}."
    lower, upper = test.bounds
    ratio = f"log likelihood ratio {outcome.log_ratio:+.2f}, bounds {lower:+.2f} and {upper:+.2f}"
    if outcome.holds is None:
        return f"Sequential test: after {observed} {first} wins neither {low} nor {high} {unit} for sure ({ratio})."
    held, other = (high, low) if outcome.holds == Holds.HIGH else (low, high)
    return f"Sequential test: after {observed} {first} wins {held} {unit} rather than {other} ({ratio})."


def _table(plan: MatchPlan) -> str:
    """Return how many seats there are, and in which order they are taken if it is fixed."""
    return f"{plan.seats} seats" + (" in the order named" if plan.seating == Seating.FIXED else "")


def _depth(plan: MatchPlan) -> float:
    """Return the stacks in big blinds, whole ones without a fraction."""
    depth = plan.starting_stack / plan.game.big_blind
    return int(depth) if depth.is_integer() else round(depth, 1)


def _rate_fields(rate: WinRate, unit: Unit) -> dict[str, Any]:
    factor = unit.per_bb_per_100
    return {
        _RATE_FIELDS[unit]: factor * rate.bb_per_100,
        "stderr": factor * rate.stderr,
        "interval": [factor * limit for limit in interval(rate)],
    }


def _mean_fields(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "stderr": mean.stderr, "interval": mean_interval(mean)}


def _rank_cells(rank: Mean, limits: tuple[float, float] | None, sign: str) -> tuple[str, str, str]:
    if limits is None:
        return f"{rank.value:{sign}.2f}", "-", "-"
    low, high = limits
    return f"{rank.value:{sign}.2f}", f"±{rank.stderr:.2f}", f"{low:{sign}.2f} to {high:{sign}.2f}"


def _error_cell(mean: Mean, digits: int) -> str:
    return "-" if mean.stderr is None else f"±{mean.stderr:,.{digits}f}"


def _tournament_row(style: TournamentStyle) -> tuple[str, ...]:
    prizes = () if style.prizes is None else (f"{style.prizes.value:.2f}", _error_cell(style.prizes, 2))
    return (
        style_label(style.style),
        *_rank_cells(style.rank, style.rank_interval, "-"),
        f"{style.first.value:.1%}",
        f"{style.survived.value:,.1f}",
        f"{style.chips.value:+,.0f}",
        _error_cell(style.chips, 0),
        *prizes,
        f"{style.fluctuation.value:,.0f}",
        *_play_cells(style),
    )


def _play_cells(style: StyleResult | TournamentStyle) -> tuple[str, str, str]:
    vpip, pfr = ("-" if share is None else f"{share:.1%}" for share in (style.vpip, style.pfr))
    return vpip, pfr, "-" if style.aggression is None else f"{style.aggression:.2f}"


def _rate_cells(adjusted: WinRate, won: WinRate, unit: Unit) -> tuple[str, ...]:
    factor = unit.per_bb_per_100
    low, high = (factor * limit for limit in interval(adjusted))
    (rate, error), raw = (
        (f"{factor * rate.bb_per_100:+,.1f}", f"±{factor * rate.stderr:,.1f}") for rate in (adjusted, won)
    )
    return rate, error, f"{low:+,.1f} to {high:+,.1f}", *raw


def _style_row(style: StyleResult, unit: Unit) -> tuple[str, ...]:
    return (
        style_label(style.style),
        f"{style.hands:,}",
        *_rate_cells(style.adjusted, style.win_rate, unit),
        *_play_cells(style),
        f"{1000 * style.decision_seconds:.2f}",
    )
