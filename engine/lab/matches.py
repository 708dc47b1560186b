"""Styles against each other over many hands: how much each wins, and how sure that is.

A match is a cash game in which everybody starts every hand with the same stack, so that all hands weigh alike. Luck
is taken out by duplicate deals: each deck is played once in each rotation of the styles over the seats, so every
style gets the same hole cards in the same position with the same board to come, and the same random numbers for
its decisions. For each deck the order of the styles round the table is drawn afresh, so that none always acts
behind the same other, and the button moves on. The luck of the board's cards is taken out too, that of all-ins
included (`engine.lab.board_luck`); what was won is counted both with and without it.

The hands of a deck are not independent, and its standard errors do not treat them so: a deck is one observation,
and a win rate the ratio of two sums over decks (Cochran, *Sampling Techniques*, 3rd ed. 1977, sec. 6.3 and 9A).
Learning makes later hands differ from earlier ones, which no standard error of one match knows; a match is how
strangers do against each other over just so many hands.
"""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, sqrt
from time import process_time

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.agents.agent import Agent, Trace
from engine.agents.styles import make_agent
from engine.game.events import Chips, Seat
from engine.game.formats import MAX_SEED, SeatConfig, cash_game
from engine.game.phh import RecordedHand
from engine.game.rules import MAX_SEATS, MIN_SEATS
from engine.game.statistics import PlayerStatistics, count_hand
from engine.lab.board_luck import board_luck
from engine.lab.realised_values import RealisedValue, RealisedValues
from engine.play import Dealer, DealerState, SeatRecord

DEFAULT_HANDS = 1000
MAX_HANDS = 100_000_000
DEFAULT_STACK = 100
MAX_STACK = 10_000
"""In big blinds, as `MatchPlan.stack`."""

_LEAST_DECKS = 2
"""With fewer there is no standard error."""

_BIG_BLIND = cash_game(()).big_blind


class MatchError(ValueError):
    """A match that cannot be played; the message names the value and the rule."""


class MatchPlan(Struct, frozen=True):
    """A match before it begins; it depends on the plan alone.

    Attributes
    ----------
    styles : tuple of str
        Two or more, as `make_agent` takes them, no name twice.
    seats : int
        2 to 10, as many as styles or more; the styles repeat round the table.
    hands : int
        To be played; as many more as complete the last deck's rotations.
    stack : int
        Big blinds that everybody starts each hand with, 1 to 10,000.
    """

    styles: tuple[str, ...]
    seats: int
    hands: int = DEFAULT_HANDS
    seed: int = 0
    stack: int = DEFAULT_STACK

    @property
    def rotations(self) -> int:
        """How often each deck is played: until the styles would sit as in the beginning."""
        return self.seats if self.seats % len(self.styles) else len(self.styles)

    @property
    def decks(self) -> int:
        """How many decks are played."""
        return ceil(self.hands / self.rotations)

    def verify(self) -> None:
        """Raise `MatchError` if no match can be played like that; the styles' names are not looked up."""
        for at, style in enumerate(self.styles):
            if style in self.styles[:at]:
                raise MatchError(f"'{style}' is named twice; the styles of a match must differ.")
        if not 2 <= len(self.styles) <= MAX_SEATS:
            raise MatchError(f"A match takes 2 to {MAX_SEATS} styles, not {len(self.styles)}.")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise MatchError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}.")
        if self.seats < len(self.styles):
            raise MatchError(f"{len(self.styles)} styles need as many seats, and there are {self.seats}.")
        least = _LEAST_DECKS * self.rotations
        if not least <= self.hands <= MAX_HANDS:
            raise MatchError(
                f"This match takes {least} to {MAX_HANDS:,} hands ({_LEAST_DECKS} decks of {self.rotations} "
                f"rotations or more), not {self.hands:,}."
            )
        if not 1 <= self.stack <= MAX_STACK:
            raise MatchError(f"A stack has 1 to {MAX_STACK:,} big blinds, not {self.stack:,}.")
        if not 0 <= self.seed <= MAX_SEED:
            raise MatchError(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")


class WinRate(Struct, frozen=True):
    """Big blinds won per 100 hands dealt in, and the standard error of that over decks."""

    bb_per_100: float
    stderr: float


class StyleResult(Struct, frozen=True):
    """What one style did in a match, all its players together.

    Attributes
    ----------
    hands : int
        Hands dealt in, one for each of its seats.
    net : int
        Chips won less chips lost; over all styles they sum to 0.
    adjusted_net : float
        The same with the luck of the board taken out.
    win_rate, adjusted : WinRate
        As the chips were won, and with the luck of the board taken out.
    vpip, pfr : float or None
        Shares 0-1 as `PlayerStatistics` defines them; None without a chance.
    aggression : float or None
        Bets and raises to calls after the flop; None without a call.
    decision_seconds : float
        Mean time of a decision, those of the first deck left out, for they may load or compile.
    """

    style: str
    hands: int
    net: Chips
    adjusted_net: float
    win_rate: WinRate
    adjusted: WinRate
    vpip: float | None
    pfr: float | None
    aggression: float | None
    decisions: int
    decision_seconds: float


class Difference(Struct, frozen=True):
    """How much more one style won than another at the same table; the rates know how the two hang together.

    `rate` is as the chips were won, `adjusted` with the luck of the board taken out.
    """

    style: str
    other: str
    rate: WinRate
    adjusted: WinRate


class MatchResult(Struct, frozen=True):
    """A match so far: a complete answer about the decks played, with the difference of each two styles.

    `values` are those of the styles that say what their actions are worth.
    """

    plan: MatchPlan
    decks: int
    hands: int
    styles: tuple[StyleResult, ...]
    differences: tuple[Difference, ...]
    values: tuple[RealisedValue, ...] = ()


class _Player(Struct):
    """One of a style's players, who keeps name and memory through the match."""

    style: int
    name: str
    agent: Agent


_WON, _ADJUSTED, _HANDS = range(3)


class _Tally:
    """What is counted of a match: sums over decks, and of the products that standard errors are made of.

    Of each style chips won, chips won with the luck of the board taken out, and hands dealt in, one row each.
    """

    def __init__(self, styles: int) -> None:
        self.decks = 0
        self.statistics = [PlayerStatistics()] * styles
        self.decisions = np.zeros(styles, dtype=np.int64)
        self.timed = np.zeros(styles, dtype=np.int64)
        self.seconds = np.zeros(styles)
        self.sums = np.zeros((3, styles))
        self.products = np.zeros((3 * styles, 3 * styles))
        self._deck = np.zeros((3, styles))
        self.values = RealisedValues()

    def add_hand(self, hand: RecordedHand, traces: Sequence[Trace], seated: dict[Seat, _Player]) -> None:
        """Count a finished hand of the current deck."""
        luck = board_luck(hand)
        self.values.add_hand(hand, luck, traces, {seat: player.style for seat, player in seated.items()})
        for seat, counts in count_hand(hand.events).items():
            style = seated[seat].style
            self.statistics[style] += counts
            self._deck[:, style] += counts.net, counts.net - luck[:, seat].sum(), 1

    def add_decision(self, style: int, seconds: float) -> None:
        """Count a decision; what the first deck's took is not kept."""
        self.decisions[style] += 1
        if self.decks:
            self.timed[style] += 1
            self.seconds[style] += seconds

    def end_deck(self) -> None:
        """Make one observation of all hands since the last deck."""
        self.decks += 1
        self.sums += self._deck
        self.products += np.outer(self._deck, self._deck)
        self._deck = np.zeros_like(self._deck)
        self.values.end_deck()

    def win_rate(self, row: int, weights: dict[int, float]) -> WinRate:
        """Return the weighted sum of styles' win rates by one row of chips, with the standard error over decks.

        A deck's residual is `d = sum of w (y - R x) / X` over the styles: y chips won and x hands dealt in with
        that deck, X hands in all and R chips per hand. Its variance over decks is `n / (n - 1)` times the sum of
        d squared (Cochran 1977, eq. 6.13), here from the sums of products, `c' P c`.
        """
        rate = 0.0
        coefficients: NDArray[np.float64] = np.zeros_like(self.sums)
        for style, weight in weights.items():
            won, hands = self.sums[row, style], self.sums[_HANDS, style]
            rate += weight * won / hands
            coefficients[row, style] = weight / hands
            coefficients[_HANDS, style] = -weight * won / hands**2
        squares = max(0.0, float(coefficients.ravel() @ self.products @ coefficients.ravel()))
        to_bb_per_100 = 100 / _BIG_BLIND
        stderr = sqrt(squares * self.decks / (self.decks - 1))
        return WinRate(float(rate) * to_bb_per_100, stderr * to_bb_per_100)

    def result(self, plan: MatchPlan) -> MatchResult:
        """Sum up the decks so far, at least two."""
        return MatchResult(
            plan=plan,
            decks=self.decks,
            hands=self.decks * plan.rotations,
            styles=tuple(self._style_result(at, style) for at, style in enumerate(plan.styles)),
            differences=tuple(
                Difference(one, other, *(self.win_rate(row, {at: 1.0, after: -1.0}) for row in (_WON, _ADJUSTED)))
                for at, one in enumerate(plan.styles)
                for after, other in enumerate(plan.styles)
                if at < after
            ),
            values=self.values.result(plan.styles, _BIG_BLIND),
        )

    def _style_result(self, at: int, style: str) -> StyleResult:
        counts = self.statistics[at]
        return StyleResult(
            style=style,
            hands=counts.hands,
            net=counts.net,
            adjusted_net=float(self.sums[_ADJUSTED, at]),
            win_rate=self.win_rate(_WON, {at: 1.0}),
            adjusted=self.win_rate(_ADJUSTED, {at: 1.0}),
            vpip=counts.vpip.value,
            pfr=counts.pfr.value,
            aggression=counts.aggression.value,
            decisions=int(self.decisions[at]),
            decision_seconds=float(self.seconds[at] / self.timed[at]),
        )


def match(
    plan: MatchPlan,
    *,
    clock: Callable[[], float] = process_time,
    watch: Callable[[RecordedHand], object] | None = None,
) -> Iterator[MatchResult]:
    """Play a match; each step plays one deck in all its rotations, timed by CPU seconds by default.

    Parameters
    ----------
    watch : callable, optional
        Takes each hand when it is over, with everybody's hole cards; changes nothing of the match.

    Returns
    -------
    iterator of MatchResult
        One after each deck from the second on; the last is final. To stop, cease to iterate.

    Raises
    ------
    MatchError
        If no match can be played like that.
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.

    Examples
    --------
    >>> *_, result = match(MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1))
    >>> result.decks, [style.hands for style in result.styles], sum(style.net for style in result.styles)
    (20, [40, 40], 0)
    """
    plan.verify()
    return _decks(plan, _players(plan), clock, watch or (lambda hand: None))


def _players(plan: MatchPlan) -> list[list[_Player]]:
    """Return for each style as many players as it may have at the table, all with names of their own."""
    most = ceil(plan.seats / len(plan.styles))
    return [
        [
            _Player(at, style if most == 1 else f"{style} {number}", make_agent(style))
            for number in range(1, most + 1)
        ]
        for at, style in enumerate(plan.styles)
    ]


def _decks(
    plan: MatchPlan,
    players: list[list[_Player]],
    clock: Callable[[], float],
    watch: Callable[[RecordedHand], object],
) -> Iterator[MatchResult]:
    tally = _Tally(len(plan.styles))
    for deck in range(plan.decks):
        order = np.random.default_rng([plan.seed, deck]).permutation(len(plan.styles)).tolist()
        ring = [players[order[place % len(order)]][place // len(order)] for place in range(plan.seats)]
        for rotation in range(plan.rotations):
            seated = {Seat((place + rotation) % plan.seats): player for place, player in enumerate(ring)}
            hand, traces = _play_hand(seated, plan, deck, tally, clock)
            tally.add_hand(hand, traces, seated)
            watch(hand)
        tally.end_deck()
        if tally.decks >= _LEAST_DECKS:
            yield tally.result(plan)


def _play_hand(
    seated: dict[Seat, _Player], plan: MatchPlan, deck: int, tally: _Tally, clock: Callable[[], float]
) -> tuple[RecordedHand, tuple[Trace, ...]]:
    """Play one hand: that of this number in a session of this seed, with full stacks, whoever sits where."""
    names = tuple(SeatConfig(seated[seat].name, seated[seat].agent.style) for seat in sorted(seated))
    config = replace(cash_game(names, seed=plan.seed), starting_stack=plan.stack * _BIG_BLIND)
    full = SeatRecord(config.starting_stack, config.starting_stack)
    last_big_blind = Seat(deck % len(seated))
    state = DealerState(deck, (full,) * len(seated), last_big_blind)
    dealer = Dealer.restore(config, state, {seat: player.agent for seat, player in seated.items()})
    dealer.start_hand()
    while (seat := dealer.to_act) is not None:
        started = clock()
        decision = dealer.decide()
        tally.add_decision(seated[seat].style, clock() - started)
        dealer.apply(decision.action, decision)
    seats = sorted(seated)
    hand = RecordedHand(
        name=f"deck {deck}",
        players=tuple(seated[seat].name for seat in seats),
        hole_cards=tuple(dealer.private_event(seat).hole_cards for seat in seats),
        events=dealer.events,
    )
    return hand, dealer.open_traces()
