"""How a session went, in figures that carry their counts: tables that sort, and text to copy."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.game.events import Chips, Seat
from engine.game.statistics import PlayerStatistics, Ratio
from engine.words import counted
from trainer.session.amounts import Units
from trainer.session.types import SessionResult, ordinal
from trainer.widgets.tables_model import NO_FIGURE, Cell, Column


@dataclass(frozen=True, slots=True)
class _Shown:
    """A statistic of the HUD: its name, what it counts, its field, what sound players at six seats have.

    `is_factor` tells a ratio from a share.
    """

    name: str
    what: str
    field: str
    usual: str
    is_factor: bool = False

    @property
    def column(self) -> Column:
        """The column of a table, whose tool tip says what it is and what is usual."""
        return Column(self.name, f"{self.what}; {self.usual} is usual for sound players at six seats")


_HUD = (
    _Shown("VPIP", "Voluntarily put money in the pot: called or raised before the flop", "vpip", "20-28%"),
    _Shown("PFR", "Raised before the flop", "pfr", "16-22%"),
    _Shown("3B", "Raised again after one raise before the flop", "three_bet", "5-9%"),
    _Shown("F3B", "Folded the first raise to a 3-bet", "fold_to_three_bet", "45-60%"),
    _Shown("CB", "Bet the flop after the last raise before it", "c_bet", "50-70%"),
    _Shown("FCB", "Folded the flop to such a continuation bet", "fold_to_c_bet", "40-55%"),
    _Shown("AF", "Aggression factor: bets and raises to calls, after the flop", "aggression", "2-4", True),
    _Shown("WTSD", "Went to showdown, of the flops seen", "went_to_showdown", "25-32%"),
    _Shown("W$SD", "Won at showdown, of the showdowns gone to", "won_at_showdown", "48-55%"),
)
_ON_THE_PLATE = ("vpip", "pfr", "three_bet", "aggression", "went_to_showdown")

RESULT_COLUMNS = (
    Column("Player", "Name"),
    Column("Net", "Won or lost since the start: stack less what was bought in"),
    Column("bb/100", "Big blinds won per 100 hands"),
    Column("Hands", "Hands dealt in"),
    Column("Stack", "Chips now"),
    Column("Bought in", "Chips brought to the table"),
)
_PLACE = Column("Place", "Place in the tournament, as it stands; equal results share one")
_PRIZE = Column("Prize, buy-ins", "Share of the prizes; all that was bought in is paid out")
_WORTH = Column("Worth, buy-ins", "What the chips are worth of the prizes, by the independent chip model (ICM)")
HUD_COLUMNS = (Column("Player", "Name"), Column("Hands", "Hands dealt in"), *(shown.column for shown in _HUD))


def share_text(ratio: Ratio) -> str:
    """Write a share in percent without its counts; a dash without a chance.

    >>> share_text(Ratio(12, 50)), share_text(Ratio())
    ('24', '–')
    """
    return NO_FIGURE.text if ratio.value is None else f"{100 * ratio.value:.0f}"


def factor_text(ratio: Ratio) -> str:
    """Write an aggression factor; with bets and no call it is without bound.

    >>> factor_text(Ratio(9, 4)), factor_text(Ratio(3, 0)), factor_text(Ratio())
    ('2.2', '∞', '–')
    """
    if ratio.value is None:
        return "∞" if ratio.done else NO_FIGURE.text
    return f"{ratio.value:.1f}"


def hud_line(statistics: PlayerStatistics) -> str:
    """Write VPIP/PFR/3B, AF and WTSD in one short line, nothing before the first hand."""
    if not statistics.hands:
        return ""
    vpip, pfr, three_bet = (share_text(getattr(statistics, name)) for name in _ON_THE_PLATE[:3])
    factor, showdown = factor_text(statistics.aggression), share_text(statistics.went_to_showdown)
    return f"{vpip}/{pfr}/{three_bet} · {factor} · {showdown}"


def hud_details(statistics: PlayerStatistics) -> str:
    """Write every statistic of the HUD in a line of its own, with its counts and what is usual."""
    if not statistics.hands:
        return ""
    lines = [f"{_counted(shown, getattr(statistics, shown.field))}, usual {shown.usual}" for shown in _HUD]
    return "\n".join([f"{statistics.hands} hand{'s' if statistics.hands != 1 else ''}", *lines])


def result_columns(result: SessionResult) -> tuple[Column, ...]:
    """Return the columns of `result_rows`: in a tournament with each player's place, stacks where they go on."""
    columns = RESULT_COLUMNS if result.has_stacks else RESULT_COLUMNS[:-2]
    prize = (_PRIZE if result.is_over else _WORTH,) if result.prizes else ()
    return (columns[0], _PLACE, *prize, *columns[1:]) if result.places else columns


def result_rows(
    result: SessionResult, statistics: Mapping[Seat, PlayerStatistics], units: Units
) -> tuple[tuple[Cell, ...], ...]:
    """Return each seat's row of `result_columns`, best first."""
    seats = sorted(
        result.names, key=lambda seat: (result.places.get(seat, 0), result.bought_in[seat] - result.stacks[seat])
    )
    rows = []
    for seat in seats:
        net = result.stacks[seat] - result.bought_in[seat]
        figures = statistics.get(seat)
        hands = figures.hands if figures is not None else result.hands
        rate = figures.bb_per_100 if figures is not None else _bb_per_100(net, result, hands)
        stacks = (
            Cell(units.text(result.stacks[seat]), result.stacks[seat]),
            Cell(units.text(result.bought_in[seat]), result.bought_in[seat]),
        )
        rows.append(
            (
                Cell(result.names[seat], result.names[seat].casefold()),
                *([Cell(ordinal(result.places[seat]), -result.places[seat])] if result.places else []),
                *([_prize_cell(result.prizes.get(seat, 0.0))] if result.prizes else []),
                Cell(units.signed(net), net, _role(net)),
                # Where blinds rise it may have another sign than the chips.
                NO_FIGURE if rate is None else Cell(rate_text(rate), rate, _role(rate)),
                Cell(f"{hands:,}", hands),
                *(stacks if result.has_stacks else ()),
            )
        )
    return tuple(rows)


def hud_rows(
    names: Mapping[Seat, str], statistics: Mapping[Seat, PlayerStatistics]
) -> tuple[tuple[Cell, ...], ...]:
    """Return each seat's row of `HUD_COLUMNS`, every figure with its counts."""
    return tuple(
        (
            Cell(name, name.casefold()),
            Cell(f"{statistics[seat].hands:,}", statistics[seat].hands),
            *hud_cells(statistics[seat]),
        )
        for seat, name in names.items()
        if seat in statistics
    )


def hud_cells(statistics: PlayerStatistics) -> tuple[Cell, ...]:
    """Return the figures of the HUD with their counts, one for each of `HUD_COLUMNS` after the hands."""
    return tuple(_hud_cell(shown, getattr(statistics, shown.field)) for shown in _HUD)


def rate_text(rate: float) -> str:
    """Write big blinds, or big blinds per 100 hands, with their sign, which nothing has not."""
    return "0.0" if abs(rate) < 0.05 else f"{rate:+,.1f}".replace("-", "−")


def own_rate(result: SessionResult) -> tuple[float, float] | None:
    """Return the player's big blinds per 100 hands and their standard error.

    The error is that of the mean of the hands' results, times 100; infinite after one hand. None before the first
    hand, and where blinds rise: chips do not say how many big blinds they were when they were won.
    """
    count = len(result.hero_net)
    if count == 0 or result.do_blinds_rise:
        return None
    hands = [after - before for before, after in zip((0, *result.hero_net), result.hero_net, strict=False)]
    mean = sum(hands) / count
    if count == 1:
        return 100 * mean / result.big_blind, math.inf
    variance = sum((hand - mean) ** 2 for hand in hands) / (count - 1)
    scale = 100 / result.big_blind
    return scale * mean, scale * math.sqrt(variance / count)


def summary_text(result: SessionResult, units: Units) -> str:
    """Say how the player did, with the standard error, and whether they saw what a player does not see."""
    count = len(result.hero_net)
    if count == 0:
        return "No hand has been finished yet." + _study_words(result)
    hands = counted(count, "hand")
    words = f"Your result: {units.signed(result.hero_net[-1])} in {hands}"
    rate = own_rate(result)
    if rate is not None:
        value, error = rate
        words += f", {rate_text(value)} bb/100"
        words += f" ± {error:,.1f} (standard error)" if math.isfinite(error) else ""
    return words + _study_words(result)


def _study_words(result: SessionResult) -> str:
    words = "\nStudy mode was on: you saw cards and decisions that a player does not see."
    return words if result.was_study else ""


def _prize_cell(prize: float) -> Cell:
    return Cell(f"{prize:.2f}", prize) if prize else Cell(NO_FIGURE.text, 0.0, NO_FIGURE.role)


def _hud_cell(shown: _Shown, ratio: Ratio) -> Cell:
    if shown.is_factor:
        key = ratio.value if ratio.value is not None else math.inf if ratio.done else -math.inf
        return Cell(f"{factor_text(ratio)}  {ratio.done}/{ratio.chances}", key)
    if ratio.value is None:
        return NO_FIGURE
    return Cell(f"{share_text(ratio)}%  {ratio.done}/{ratio.chances}", ratio.value)


def _counted(shown: _Shown, ratio: Ratio) -> str:
    if shown.is_factor:
        return f"{shown.name} {factor_text(ratio)} ({ratio.done} bets and raises, {ratio.chances} calls)"
    if ratio.value is None:
        return f"{shown.name} {NO_FIGURE.text}"
    return f"{shown.name} {share_text(ratio)}% ({ratio.done} of {ratio.chances})"


def _role(won: float) -> str:
    return "good" if won > 0 else "bad" if won < 0 else "text"


def _bb_per_100(net: Chips, result: SessionResult, hands: int) -> float | None:
    return 100 * net / result.big_blind / hands if hands and not result.do_blinds_rise else None
