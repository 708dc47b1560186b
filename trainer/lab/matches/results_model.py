"""What matches came to, as tables of figures that carry their intervals, and as CSV."""

import csv
from collections.abc import Sequence
from io import StringIO

from engine.agents.styles import style_label
from engine.figures.mean import Mean, mean_interval
from engine.lab.matches.counted.tally import StyleResult, WinRate
from engine.lab.matches.counted.tournament_tally import TournamentStyle
from engine.lab.matches.report import interval
from engine.lab.matches.results import LEAST_MATCHES, MatchResult
from engine.words import counted
from trainer.lab.matches.match_run import LabResult
from trainer.widgets.tables_model import NO_FIGURE, Cell, Column

Rows = tuple[tuple[Cell, ...], ...]

_INTERVAL = "Where the true value lies, 19 times in 20, by the spread of what was played"
_PLAY = (
    Column("VPIP", "Voluntarily put money in the pot: share of hands called or raised before the flop"),
    Column("PFR", "Share of hands raised before the flop"),
    Column("AF", "Aggression factor: bets and raises to calls, after the flop"),
)
_CASH = (
    Column("Style", "Who played; all its players together"),
    Column("bb/100", "Big blinds won per 100 hands dealt in, the luck of the board and of all-ins taken out"),
    Column("95% interval", _INTERVAL),
    Column("As won", "Big blinds won per 100 hands, as the chips went"),
    Column("95% interval", _INTERVAL),
    Column("Hands", "Hands dealt in, one for each of its seats"),
    *_PLAY,
    Column("ms", "Mean thinking time of a decision, in milliseconds of one core"),
)
_TOURNAMENT = (
    Column("Style", "Who played; all its players together"),
    Column("Place", "Mean place, 1 the best; who share places have the mean of them"),
    Column("95% interval", _INTERVAL),
    Column("First", "Share of first places"),
    Column("Survived", "Hands after which it still had chips, in the mean"),
    Column("Chips", "Chips won or lost in a tournament, in the mean"),
    Column("95% interval", _INTERVAL),
    *_PLAY,
)
_PRIZES = (
    Column("Buy-ins", "Prizes won in a tournament in the mean, in buy-ins; the entry and each rebuy cost one"),
    Column("95% interval", _INTERVAL),
)
_CASH_DIFFERENCE = (
    Column("Against each other", "Each two styles at the same table"),
    Column("bb/100 apart", "How much more the first won, the luck of the board taken out"),
    Column("95% interval", "Of the difference, which knows that one wins what the other loses"),
    Column("So far", "Settled where the interval is on one side of zero"),
)
_RANK_DIFFERENCE = (
    Column("Against each other", "Each two styles at the same table"),
    Column("Places apart", "Mean place of the first less that of the second; below 0 the first places better"),
    Column("95% interval", "Of the difference, which knows that one gains the place that the other loses"),
    Column("So far", "Settled where the interval is on one side of zero"),
)


def columns(result: LabResult) -> tuple[Column, ...]:
    """Return the columns of `rows`."""
    if isinstance(result, MatchResult):
        return _CASH
    return (*_TOURNAMENT[:7], *(_PRIZES if _has_prizes(result) else ()), *_TOURNAMENT[7:])


def rows(result: LabResult) -> Rows:
    """Return a row for each style, in the order in which they were chosen."""
    if isinstance(result, MatchResult):
        return tuple(map(_cash_row, result.styles))
    has_prizes = _has_prizes(result)
    return tuple(_tournament_row(style, has_prizes=has_prizes) for style in result.styles)


def difference_columns(result: LabResult) -> tuple[Column, ...]:
    """Return the columns of `difference_rows`."""
    return _CASH_DIFFERENCE if isinstance(result, MatchResult) else _RANK_DIFFERENCE


def difference_rows(result: LabResult) -> Rows:
    """Return a row for each two styles."""
    if isinstance(result, MatchResult):
        return tuple(
            _difference_row(one.style, one.other, *_rate_cells(one.adjusted), _sign(interval(one.adjusted)))
            for one in result.differences
        )
    return tuple(
        _difference_row(one.style, one.other, *_mean_cells(one.rank, "+.2f"), -_sign(mean_interval(one.rank)))
        for one in result.differences
    )


def notes(result: LabResult) -> str:
    """Say what the intervals are made of."""
    if not isinstance(result, MatchResult):
        cut = f" {result.cut:,} had no end and are ranked as they stood when they were cut." if result.cut else ""
        return (
            f"{result.tournaments:,} tournaments: {_matches(result.matches)}, each played once in each of "
            f"{result.plan.rotations} seatings with the same cards. Intervals are over matches.{cut}"
        )
    over = "matches" if result.matches >= LEAST_MATCHES else "decks, as if nothing were learned"
    return (
        f"{_matches(result.matches)}, each deck played once in each of {result.plan.rotations} seatings. "
        f"Intervals are over {over}."
    )


def table_csv(result: LabResult) -> str:
    """Write the results as CSV: a row for each style, and one for each two, the first `less` the other.

    Every number has the limits of its 95% interval behind it.
    """
    out = StringIO()
    write = csv.writer(out).writerow
    if isinstance(result, MatchResult):
        rates = ("bb_per_100", "as_won_bb_per_100")
        write(("style", "less", *_with_limits(rates), "hands", "vpip", "pfr", "aggression", "decision_seconds"))
        for style in result.styles:
            rate = (*_limits(style.adjusted), *_limits(style.win_rate))
            play = (style.hands, style.vpip, style.pfr, style.aggression, style.decision_seconds)
            write((style_label(style.style), "", *rate, *play))
        for apart in result.differences:
            rate = (*_limits(apart.adjusted), *_limits(apart.rate))
            write((style_label(apart.style), style_label(apart.other), *rate, "", "", "", "", ""))
        return out.getvalue()
    means = ("rank", "first", "survived", "chips", "prizes", "fluctuation")
    write(("style", "less", *_with_limits(means), "players", "vpip", "pfr", "aggression"))
    for one in result.styles:
        rank = one.rank.value, *(one.rank_interval or (None, None))
        of_style = [figure for name in means[1:] for figure in _mean_limits(getattr(one, name))]
        write((style_label(one.style), "", *rank, *of_style, one.players, one.vpip, one.pfr, one.aggression))
    for less in result.differences:
        rest = ("",) * (3 * (len(means) - 1) + 4)
        write((style_label(less.style), style_label(less.other), *_mean_limits(less.rank), *rest))
    return out.getvalue()


def _with_limits(names: Sequence[str]) -> Sequence[str]:
    return [f"{name}{part}" for name in names for part in ("", "_low_95", "_high_95")]


def _cash_row(style: StyleResult) -> tuple[Cell, ...]:
    return (
        _name(style.style),
        *_rate_cells(style.adjusted),
        *_rate_cells(style.win_rate),
        Cell(f"{style.hands:,}", style.hands),
        *_play_cells(style),
        Cell(f"{1000 * style.decision_seconds:.2f}", style.decision_seconds),
    )


def _tournament_row(style: TournamentStyle, *, has_prizes: bool) -> tuple[Cell, ...]:
    prizes = _mean_cells(style.prizes, ".2f") if style.prizes is not None else (NO_FIGURE, NO_FIGURE)
    return (
        _name(style.style),
        *_figure_cells(style.rank.value, style.rank_interval, ".2f", is_signed=False),
        Cell(f"{style.first.value:.1%}", style.first.value),
        Cell(f"{style.survived.value:,.1f}", style.survived.value),
        *_mean_cells(style.chips, "+,.0f"),
        *(prizes if has_prizes else ()),
        *_play_cells(style),
    )


def _difference_row(one: str, other: str, apart: Cell, limits: Cell, ahead: int) -> tuple[Cell, ...]:
    """Return a row; `ahead` is above 0 if the first does surely better, below 0 if the other does."""
    names = f"{style_label(one)} – {style_label(other)}"
    better = style_label(one if ahead > 0 else other)
    so_far = Cell(f"{better} is ahead", abs(ahead)) if ahead else Cell("not settled", 0, "text_muted")
    return Cell(names, names.casefold()), apart, limits, so_far


def _rate_cells(rate: WinRate) -> tuple[Cell, Cell]:
    low, high = interval(rate)
    return _figure_cells(rate.bb_per_100, (low, high), "+,.1f", is_signed=True)


def _mean_cells(mean: Mean, form: str) -> tuple[Cell, Cell]:
    return _figure_cells(mean.value, mean_interval(mean), form, is_signed=form.startswith("+,"))


def _figure_cells(
    value: float, limits: tuple[float, float] | None, form: str, *, is_signed: bool
) -> tuple[Cell, Cell]:
    """Return a figure and its interval; a gain or loss is coloured once no doubt is left of its sign."""
    sign = _sign(limits) if is_signed else 0
    role = "good" if sign > 0 else "bad" if sign < 0 else "text"
    if limits is None:
        return Cell(_written(value, form), value), NO_FIGURE
    low, high = limits
    return Cell(_written(value, form), value, role), Cell(
        f"{_written(low, form)} to {_written(high, form)}", high - low
    )


def _written(value: float, form: str) -> str:
    return f"{value:{form}}".replace("-", "−")


def _sign(limits: tuple[float, float] | None) -> int:
    """Return on which side of zero an interval is; 0 if on both."""
    if limits is None:
        return 0
    return 1 if limits[0] > 0 else -1 if limits[1] < 0 else 0


def _play_cells(style: StyleResult | TournamentStyle) -> tuple[Cell, Cell, Cell]:
    vpip, pfr = (NO_FIGURE if share is None else Cell(f"{share:.1%}", share) for share in (style.vpip, style.pfr))
    factor = style.aggression
    return vpip, pfr, NO_FIGURE if factor is None else Cell(f"{factor:.2f}", factor)


def _name(style: str) -> Cell:
    return Cell(style_label(style), style_label(style).casefold())


def _has_prizes(result: LabResult) -> bool:
    return not isinstance(result, MatchResult) and any(style.prizes is not None for style in result.styles)


def _matches(count: int) -> str:
    return counted(count, "match", "matches")


def _limits(rate: WinRate) -> tuple[float, float, float]:
    return (rate.bb_per_100, *interval(rate))


def _mean_limits(mean: Mean | None) -> Sequence[float | None]:
    if mean is None:
        return None, None, None
    low, high = mean_interval(mean) or (None, None)
    return mean.value, low, high
