"""What styles had won after so many hands, in few points."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.figures.mean import Mean
from engine.game.events import Chips
from engine.lab.matches.counted.tally import StyleResult

MOST_POINTS = 128
"""Of a cash game's curve; of a longer one every second, fourth, ... is kept."""


class CurvePoint(Struct, frozen=True):
    """Chips won by each style after so many hands.

    Attributes
    ----------
    chips, adjusted : tuple of Mean
        As they were won, and with the luck of the board taken out; of tournaments the latter is empty.
    """

    hands: int
    chips: tuple[Mean, ...]
    adjusted: tuple[Mean, ...] = ()


def point_of(hands: int, styles: Sequence[StyleResult], big_blind: Chips) -> CurvePoint:
    """Return what all players of each style together have won in a cash game."""
    chips, adjusted = [], []
    for style in styles:
        to_chips = style.hands * big_blind / 100
        won, without_luck = style.win_rate, style.adjusted
        chips.append(Mean(float(style.net), won.stderr * to_chips, won.observations))
        adjusted.append(Mean(style.adjusted_net, without_luck.stderr * to_chips, without_luck.observations))
    return CurvePoint(hands, tuple(chips), tuple(adjusted))


class Curve:
    """The curve of a cash game as it grows, of `MOST_POINTS` points at most, the newest always its last."""

    def __init__(self) -> None:
        self._kept: list[CurvePoint] = []
        self._steps = 0
        self._every = 1

    def add(self, point: CurvePoint) -> tuple[CurvePoint, ...]:
        """Return the curve with a further point."""
        self._steps += 1
        if self._steps % self._every:
            return (*self._kept, point)
        self._kept.append(point)
        curve = tuple(self._kept)
        if len(curve) == MOST_POINTS:
            self._kept, self._every = self._kept[1::2], 2 * self._every
        return curve


class Marks:
    """What players of each style had won after some hands of their tournaments, in the mean over matches.

    Parameters
    ----------
    hands : sequence of int
        After which hands, ascending.
    """

    def __init__(self, styles: int, hands: Sequence[int]) -> None:
        self.hands = tuple(hands)
        self.matches = self.longest = 0
        self.won = np.zeros((len(hands), styles))  # by all players of a style
        self.players = np.zeros(styles)
        # Sums over matches of products: of what was won with itself and with the number of players, and of that.
        self._won_won, self._won_players = np.zeros_like(self.won), np.zeros_like(self.won)
        self._players_players = np.zeros(styles)
        self._match, self._tournament = np.zeros_like(self.won), np.zeros_like(self.won)
        self._so_far = np.zeros(styles)

    def add_hand(self, number: int, won: Iterable[tuple[int, Chips]]) -> None:
        """Count a hand, by its number in its tournament: chips won, each with the number of the style."""
        for style, chips in won:
            self._so_far[style] += chips
        self._tournament[bisect_left(self.hands, number) :] = self._so_far
        self.longest = max(self.longest, number)

    def end_tournament(self) -> None:
        """Begin another of the same match."""
        self._match += self._tournament
        self._tournament[:] = self._so_far[:] = 0

    def restore(self, won: NDArray[np.float64], longest: int) -> None:
        """Count what was won after each of the marks in a match that is yet to end."""
        self._match += won
        self.longest = max(self.longest, longest)

    def end_match(self, players: NDArray[np.float64]) -> None:
        """Count a match, with how many players each style had in its tournaments."""
        self.matches += 1
        self.won += self._match
        self.players += players
        self._won_won += self._match**2
        self._won_players += self._match * players
        self._players_players += players**2
        self._match[:] = 0

    def add(self, other: "Marks") -> None:
        """Add other matches of the same styles."""
        self.matches += other.matches
        self.longest = max(self.longest, other.longest)
        self.won += other.won
        self.players += other.players
        self._won_won += other._won_won
        self._won_players += other._won_players
        self._players_players += other._players_players

    def curve(self) -> tuple[CurvePoint, ...]:
        """Return it as far as the longest tournament went, with errors as of `Observations.mean`."""
        last, matches = bisect_left(self.hands, self.longest) + 1, self.matches
        means = self.won / self.players
        residuals = self._won_won - 2 * means * self._won_players + means**2 * self._players_players
        errors = np.sqrt(np.maximum(residuals, 0) * (matches / max(matches - 1, 1))) / self.players
        return tuple(
            CurvePoint(
                hands,
                tuple(
                    Mean(value, None if matches == 1 else error, matches)
                    for value, error in zip(values, of_values, strict=True)
                ),
            )
            for hands, values, of_values in zip(self.hands[:last], means.tolist(), errors.tolist(), strict=False)
        )
