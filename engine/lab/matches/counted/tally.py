"""What is counted of a match, and what follows for each style.

What was won is a ratio of two sums, chips to hands, over observations that are independent of each other: the decks
of a match, or whole matches (Cochran, *Sampling Techniques*, 3rd ed. 1977, sec. 6.3 and 9A). So is what tournaments
came to: places, chips and the like to players of a style, over matches.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from operator import add

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Trace
from engine.figures.board_luck import board_luck
from engine.figures.mean import Mean
from engine.game.events import Chips, Seat
from engine.game.phh import RecordedHand
from engine.game.statistics import PlayerStatistics, count_hand
from engine.lab.matches.counted.realised_values import RealisedValues, StoredValue


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


class Observations:
    """Sums over independent observations, and of the products that standard errors are made of.

    A row for each quantity and a column for each style. The last row counts what the others are means over.

    Attributes
    ----------
    current : ndarray of float64, shape (rows, styles)
        What belongs to the observation that has not ended.
    """

    def __init__(self, rows: int, styles: int) -> None:
        self.count = 0
        self.sums = np.zeros((rows, styles))
        self.products = np.zeros((rows * styles, rows * styles))
        self.current = np.zeros((rows, styles))

    def end(self) -> None:
        """Make one observation of what was added to `current`."""
        self._add(1, self.current, np.outer(self.current, self.current))
        self.current = np.zeros_like(self.current)

    def as_one(self) -> "Observations":
        """Return the same as a single observation."""
        one = Observations(*self.sums.shape)
        one.current = self.sums
        one.end()
        return one

    @classmethod
    def of(cls, count: int, sums: NDArray[np.float64], products: NDArray[np.float64]) -> "Observations":
        """Return so many observations with these sums and sums of products."""
        observations = cls(*sums.shape)
        observations._add(count, sums, products)
        return observations

    def add(self, other: "Observations") -> None:
        """Add others of the same quantities and styles."""
        self._add(other.count, other.sums, other.products)

    def _add(self, count: int, sums: NDArray[np.float64], products: NDArray[np.float64]) -> None:
        self.count += count
        self.sums += sums
        self.products += products

    def mean(self, row: int, weights: Mapping[int, float]) -> Mean:
        """Return the weighted sum of styles' means of one row, with its standard error.

        An observation's residual is `d = sum of w (y - R x) / X` over the styles: y of the row and x of the last
        row in there, X in all and R the mean. The variance over n observations is `n / (n - 1)` times the sum of d
        squared (Cochran 1977, eq. 6.13), here from the sums of products, `c' P c`.
        """
        value = 0.0
        coefficients: NDArray[np.float64] = np.zeros_like(self.sums)
        for style, weight in weights.items():
            total, count = self.sums[row, style], self.sums[-1, style]
            value += weight * total / count
            coefficients[row, style] = weight / count
            coefficients[-1, style] = -weight * total / count**2
        if self.count == 1:
            return Mean(float(value), None, 1)
        squares = max(0.0, float(coefficients.ravel() @ self.products @ coefficients.ravel()))
        return Mean(float(value), sqrt(squares * self.count / (self.count - 1)), self.count)


_WON, _ADJUSTED, _HANDS = range(3)


class StoredTally(Struct, frozen=True):
    """What was counted of a match of a cash game, as a file keeps it: arrays row by row, without their shapes."""

    decks: int
    sums: tuple[float, ...]
    products: tuple[float, ...]
    statistics: tuple[PlayerStatistics, ...]
    decisions: tuple[int, ...]
    timed: tuple[int, ...]
    seconds: tuple[float, ...]
    values: tuple[StoredValue, ...]


class MatchTally:
    """What is counted of matches of a cash game; a deck is an observation, unless whole matches are made one each.

    Of each style chips won, chips won with the luck of the board taken out, and hands dealt in, one row each.
    """

    def __init__(self, styles: int, big_blind: Chips) -> None:
        self.big_blind = big_blind
        self.decks = 0
        self.observations = Observations(3, styles)
        self.statistics = [PlayerStatistics()] * styles
        self.decisions = np.zeros(styles, dtype=np.int64)
        self.timed = np.zeros(styles, dtype=np.int64)
        self.seconds = np.zeros(styles)
        self.values = RealisedValues()

    def add_hand(self, hand: RecordedHand, traces: Sequence[Trace], style_of: Mapping[Seat, int]) -> None:
        """Count a finished hand of the current deck, with the number of each seat's style."""
        luck = board_luck(hand.events, hand.hole_cards)
        self.values.add_hand(hand, luck, traces, style_of)
        for seat, counts in count_hand(hand.events).items():
            style = style_of[seat]
            self.statistics[style] += counts
            self.observations.current[:, style] += counts.net, counts.net - luck[:, seat].sum(), 1

    def add_decision(self, style: int, seconds: float) -> None:
        """Count a decision; what the first deck's took is not kept."""
        self.decisions[style] += 1
        if self.decks:
            self.timed[style] += 1
            self.seconds[style] += seconds

    def end_deck(self) -> None:
        """Make one observation of all hands since the last deck."""
        self.decks += 1
        self.observations.end()
        self.values.end_deck()

    def as_one(self) -> "MatchTally":
        """Return the same with all decks as a single observation."""
        one = MatchTally(len(self.statistics), self.big_blind)
        one.add(self)
        one.observations, one.values = self.observations.as_one(), self.values.as_one()
        return one

    def stored(self) -> StoredTally:
        """Return all that was counted of whole decks."""
        return StoredTally(
            decks=self.decks,
            sums=tuple(self.observations.sums.flat),
            products=tuple(self.observations.products.flat),
            statistics=tuple(self.statistics),
            decisions=tuple(self.decisions.tolist()),
            timed=tuple(self.timed.tolist()),
            seconds=tuple(self.seconds.tolist()),
            values=self.values.stored(),
        )

    @classmethod
    def restored(cls, stored: StoredTally, styles: int, big_blind: Chips) -> "MatchTally":
        """Return what was stored of so many styles; ValueError if it cannot have been."""
        tally = cls(styles, big_blind)
        tally.decks = stored.decks
        sums, products = np.reshape(stored.sums, (3, styles)), np.reshape(stored.products, (3 * styles,) * 2)
        tally.observations = Observations.of(stored.decks, sums, products)
        tally.statistics = [counts for _, counts in zip(range(styles), stored.statistics, strict=True)]
        tally.decisions = np.reshape(stored.decisions, styles)
        tally.timed = np.reshape(stored.timed, styles)
        tally.seconds = np.reshape(stored.seconds, styles)
        tally.values = RealisedValues.restored(stored.values)
        return tally

    def add(self, other: "MatchTally") -> None:
        """Add the observations of another match of the same styles."""
        self.decks += other.decks
        self.observations.add(other.observations)
        self.statistics = list(map(add, self.statistics, other.statistics))
        self.decisions += other.decisions
        self.timed += other.timed
        self.seconds += other.seconds
        self.values.add(other.values)

    def win_rate(self, row: int, weights: Mapping[int, float]) -> WinRate:
        """Return the weighted sum of styles' win rates by one row of chips, from two observations on."""
        mean = self.observations.mean(row, weights)
        assert mean.stderr is not None
        to_bb_per_100 = 100 / self.big_blind
        return WinRate(mean.value * to_bb_per_100, mean.stderr * to_bb_per_100, mean.observations)

    def style_results(self, styles: Sequence[str]) -> tuple[StyleResult, ...]:
        """Sum up each style, from two observations on."""
        return tuple(self._style_result(at, style) for at, style in enumerate(styles))

    def differences(self, styles: Sequence[str]) -> tuple[Difference, ...]:
        """Compare each two styles, from two observations on."""
        return tuple(
            Difference(one, other, *(self.win_rate(row, {at: 1.0, after: -1.0}) for row in (_WON, _ADJUSTED)))
            for (at, one), (after, other) in combinations(enumerate(styles), 2)
        )

    def _style_result(self, at: int, style: str) -> StyleResult:
        counts = self.statistics[at]
        return StyleResult(
            style=style,
            hands=counts.hands,
            net=counts.net,
            adjusted_net=float(self.observations.sums[_ADJUSTED, at]),
            win_rate=self.win_rate(_WON, {at: 1.0}),
            adjusted=self.win_rate(_ADJUSTED, {at: 1.0}),
            vpip=counts.vpip.value,
            pfr=counts.pfr.value,
            aggression=counts.aggression.value,
            decisions=int(self.decisions[at]),
            decision_seconds=float(self.seconds[at] / self.timed[at]),
        )
