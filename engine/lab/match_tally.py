"""What is counted of a match, and what follows for each style.

What was won is a ratio of two sums, chips to hands, over observations that are independent of each other: the decks
of a match, or whole matches (Cochran, *Sampling Techniques*, 3rd ed. 1977, sec. 6.3 and 9A).
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from operator import add

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Trace
from engine.game.events import Chips, Seat
from engine.game.phh import RecordedHand
from engine.game.statistics import PlayerStatistics, count_hand
from engine.lab.board_luck import board_luck
from engine.lab.realised_values import RealisedValues


class WinRate(Struct, frozen=True):
    """Big blinds won per 100 hands dealt in, and the standard error of that over so many observations."""

    bb_per_100: float
    stderr: float
    observations: int


class StyleResult(Struct, frozen=True):
    """What one style did, all its players together.

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
        Mean time of a decision, those of each match's first deck left out, for they may load or compile.
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


_WON, _ADJUSTED, _HANDS = range(3)


class MatchTally:
    """What is counted of matches: sums over observations, and of the products that standard errors are made of.

    Of each style chips won, chips won with the luck of the board taken out, and hands dealt in, one row each. Every
    deck is an observation, unless whole matches are made one each.
    """

    def __init__(self, styles: int, big_blind: Chips) -> None:
        self.big_blind = big_blind
        self.decks = 0
        self.observations = 0
        self.statistics = [PlayerStatistics()] * styles
        self.decisions = np.zeros(styles, dtype=np.int64)
        self.timed = np.zeros(styles, dtype=np.int64)
        self.seconds = np.zeros(styles)
        self.sums = np.zeros((3, styles))
        self.products = np.zeros((3 * styles, 3 * styles))
        self._deck = np.zeros((3, styles))
        self.values = RealisedValues()

    def add_hand(self, hand: RecordedHand, traces: Sequence[Trace], style_of: Mapping[Seat, int]) -> None:
        """Count a finished hand of the current deck, with the number of each seat's style."""
        luck = board_luck(hand)
        self.values.add_hand(hand, luck, traces, style_of)
        for seat, counts in count_hand(hand.events).items():
            style = style_of[seat]
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
        self.observations += 1
        self.sums += self._deck
        self.products += np.outer(self._deck, self._deck)
        self._deck = np.zeros_like(self._deck)
        self.values.end_deck()

    def as_one(self) -> "MatchTally":
        """Return the same with all decks as a single observation."""
        one = MatchTally(len(self.statistics), self.big_blind)
        one.add(self)
        one.observations, one.products, one.values = 1, np.outer(self.sums, self.sums), self.values.as_one()
        return one

    def add(self, other: "MatchTally") -> None:
        """Add the observations of another match of the same styles."""
        self.decks += other.decks
        self.observations += other.observations
        self.statistics = list(map(add, self.statistics, other.statistics))
        self.decisions += other.decisions
        self.timed += other.timed
        self.seconds += other.seconds
        self.sums += other.sums
        self.products += other.products
        self.values.add(other.values)

    def win_rate(self, row: int, weights: dict[int, float]) -> WinRate:
        """Return the weighted sum of styles' win rates by one row of chips, with its standard error.

        An observation's residual is `d = sum of w (y - R x) / X` over the styles: y chips won and x hands dealt
        in there, X hands in all and R chips per hand. The variance of the rate over n observations is `n / (n - 1)`
        times the sum of d squared (Cochran 1977, eq. 6.13), here from the sums of products, `c' P c`.
        """
        rate = 0.0
        coefficients: NDArray[np.float64] = np.zeros_like(self.sums)
        for style, weight in weights.items():
            won, hands = self.sums[row, style], self.sums[_HANDS, style]
            rate += weight * won / hands
            coefficients[row, style] = weight / hands
            coefficients[_HANDS, style] = -weight * won / hands**2
        squares = max(0.0, float(coefficients.ravel() @ self.products @ coefficients.ravel()))
        to_bb_per_100 = 100 / self.big_blind
        stderr = sqrt(squares * self.observations / (self.observations - 1))
        return WinRate(float(rate) * to_bb_per_100, stderr * to_bb_per_100, self.observations)

    def style_results(self, styles: Sequence[str]) -> tuple[StyleResult, ...]:
        """Sum up each style, from two observations on."""
        return tuple(self._style_result(at, style) for at, style in enumerate(styles))

    def differences(self, styles: Sequence[str]) -> tuple[Difference, ...]:
        """Compare each two styles, from two observations on."""
        return tuple(
            Difference(one, other, *(self.win_rate(row, {at: 1.0, after: -1.0}) for row in (_WON, _ADJUSTED)))
            for at, one in enumerate(styles)
            for after, other in enumerate(styles)
            if at < after
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
