"""What styles do, counted: how many hands they play and raise, how aggressive they are, how often they show down.

A style is measured against a field of others: as many tables as that has styles, each with some of them in turn,
so that everybody meets the style equally often. All hands are of 100 big blinds with stacks reset. What is learned
at a table goes from hand to hand there; for standard errors ten hands of a table are one observation.
"""

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from engine.agents.agent import Agent
from engine.agents.styles import make_agent
from engine.cards import Street
from engine.fair_deals import Stream, stream_seed
from engine.figures.mean import Mean
from engine.game.events import ActionKind, ActionTaken, PublicEvent, Seat
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.rules import MAX_SEATS, MIN_SEATS
from engine.game.statistics import Ratio, count_hand
from engine.lab.matches.counted.tally import Observations
from engine.play import Dealer

DEFAULT_FIELD = ("tight-passive", "calling station", "fit-or-fold", "loose-aggressive", "lead keeper")
"""Whom a style is measured against, if nobody else is named: passive and aggressive, tight and loose."""

DEFAULT_HANDS = 2000
MOST_HANDS = 10_000_000

_BLOCK = 10
"""Hands of a table that are one observation; so many are played before the next table's turn."""


class MeasureError(ValueError):
    """A measurement that cannot be made; the message names the value and the rule."""


class FigurePlan(Struct, frozen=True):
    """How a style is measured.

    Attributes
    ----------
    seats : int
        2 to 10, that of the style among them.
    hands : int
        Of the style; as many more as complete the last round of the tables.
    field : tuple of str
        Names of the styles in the other seats, one or more.
    """

    seats: int = 2
    hands: int = DEFAULT_HANDS
    field: tuple[str, ...] = DEFAULT_FIELD
    seed: int = 0

    def verify(self) -> None:
        """Raise `MeasureError` if nothing can be measured like that; names are not looked up."""
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise MeasureError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}.")
        if not 1 <= self.hands <= MOST_HANDS:
            raise MeasureError(f"1 to {MOST_HANDS:,} hands can be measured, not {self.hands:,}.")
        if not self.field:
            raise MeasureError("A style is measured against one other style or more.")


class StyleFigures(Struct, frozen=True):
    """What a style did so far; None where it had no chance, and no standard error of a single observation.

    Attributes
    ----------
    played : Mean or None
        Share of hands gone on with, by a call or a raise, of those in which going on before the flop cost chips
        when the style was first asked. A big blind that nobody raised is none of them: a check is free.
    vpip, pfr, three_bet, aggression, went_to_showdown, won_at_showdown : Mean or None
        As of `engine.game.statistics.PlayerStatistics`; aggression is bets and raises after the flop over calls.
    """

    hands: int
    played: Mean | None
    vpip: Mean | None
    pfr: Mean | None
    three_bet: Mean | None
    aggression: Mean | None
    went_to_showdown: Mean | None
    won_at_showdown: Mean | None


_COUNTED = StyleFigures.__struct_fields__[1:]


def measured(make: Callable[[], Agent], plan: FigurePlan) -> Iterator[StyleFigures]:
    """Count what a style does.

    Parameters
    ----------
    make : callable
        Makes a player of the style with an empty memory, such as `lambda: make_agent("nit")`, or
        `lambda: RuleAgent("mine", temper)` of a temper that has no name yet.

    Returns
    -------
    iterator of StyleFigures
        One after each round of the tables; the last is final. To stop, cease to iterate. It depends on style and
        plan alone.

    Raises
    ------
    MeasureError
        If nothing can be measured like that.
    UnknownStyleError, UnknownReaderError
        If a style of the field, or its reader, has no such name.

    Examples
    --------
    >>> *_, figures = measured(lambda: make_agent("always-fold"), FigurePlan(hands=100))
    >>> figures.hands, figures.vpip.value
    (100, 0.0)
    """
    plan.verify()
    dealers = [_table(make, plan, number) for number in range(len(plan.field))]
    return _rounds(dealers, plan)


def _table(make: Callable[[], Agent], plan: FigurePlan, number: int) -> Dealer:
    """Return a table of the style, at seat 0, and the styles of the field from one of them on."""
    field = [plan.field[(number + seat) % len(plan.field)] for seat in range(plan.seats - 1)]
    agents = [make(), *map(make_agent, field)]
    names = ["Measured", *(f"{style} {seat}" for seat, style in enumerate(field, 1))]
    seats = tuple(SeatConfig(name, agent.style) for name, agent in zip(names, agents, strict=True))
    config = cash_game(seats, seed=stream_seed(plan.seed, Stream.MATCH, number) >> 65)
    return Dealer(replace(config, does_reset_stacks=True), dict(enumerate(agents)))


def _rounds(dealers: Sequence[Dealer], plan: FigurePlan) -> Iterator[StyleFigures]:
    counts = Observations(2, len(_COUNTED))
    rounds = ceil(plan.hands / (_BLOCK * len(dealers)))
    for number in range(1, rounds + 1):
        for dealer in dealers:
            for _ in range(_BLOCK):
                _count(_hand(dealer), counts)
            counts.end()
        yield _figures(number * _BLOCK * len(dealers), counts)


def _hand(dealer: Dealer) -> tuple[PublicEvent, ...]:
    dealer.start_hand()
    while dealer.is_hand_running:
        dealer.apply(dealer.decide().action)
    return dealer.events


def _count(events: Sequence[PublicEvent], counts: Observations) -> None:
    statistics = count_hand(events)[Seat(0)]
    for at, name in enumerate(_COUNTED):
        ratio: Ratio = _played(events) if name == "played" else getattr(statistics, name)
        counts.current[:, at] += ratio.done, ratio.chances


def _played(events: Sequence[PublicEvent]) -> Ratio:
    """Return whether the style went on before the flop, if that cost anything when it was first asked."""
    own = [
        event
        for event in events
        if isinstance(event, ActionTaken) and event.seat == 0 and event.street is Street.PREFLOP
    ]
    if not own or not own[0].to_call:
        return Ratio()
    return Ratio(int(own[0].action.kind is not ActionKind.FOLD), 1)


def _figures(hands: int, counts: Observations) -> StyleFigures:
    means = {name: counts.mean(0, {at: 1.0}) if counts.sums[1, at] else None for at, name in enumerate(_COUNTED)}
    return StyleFigures(hands, **means)
