"""What actions were predicted to be worth, against what came of them.

An agent whose traces carry values says of every action it takes how many chips more than by folding now it will
have in the mean. What came of it are its chips at the end of the hand less its stack at the decision, the luck of
later boards taken out (`engine.figures.board_luck`). Both are of the same decisions; those of a deck
are one observation, as in `engine.lab.matches.playing`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Trace
from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken, Seat, end_of
from engine.game.phh import RecordedHand


class Move(StrEnum):
    """Kinds of action, folding apart; all-in is a bet or raise of all chips, a call with the last ones a call."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all-in"


class RealisedValue(Struct, frozen=True):
    """The actions of one kind that a style took on one street.

    Attributes
    ----------
    predicted, realised : float
        Mean of big blinds more than by folding, as predicted and as it came, the luck of later boards taken out.
    stderr : float or None
        Standard error of realised less predicted, over decks or matches as those of win rates; None with one.
    """

    style: str
    street: Street
    move: Move
    decisions: int
    predicted: float
    realised: float
    stderr: float | None


_Cell = tuple[int, Street, Move]


class StoredValue(Struct, frozen=True):
    """What was counted of one style's actions of one kind on one street, as a file keeps it."""

    style: int
    street: Street
    move: Move
    observations: int
    sums: tuple[float, float, float]
    products: tuple[float, ...]


class RealisedValues:
    """Counts decisions with values, and sums over observations, each deck one; in chips."""

    def __init__(self) -> None:
        self._deck: dict[_Cell, NDArray[np.float64]] = {}
        self._sums: dict[_Cell, NDArray[np.float64]] = {}
        self._products: dict[_Cell, NDArray[np.float64]] = {}
        self._observations: dict[_Cell, int] = {}

    def add_hand(
        self,
        hand: RecordedHand,
        luck: NDArray[np.float64],
        traces: Sequence[Trace],
        style_of: Mapping[Seat, int],
    ) -> None:
        """Count a finished hand of the current deck.

        Parameters
        ----------
        luck : ndarray of float64, shape (3, seats)
            Of its board, by `board_luck`.
        traces : sequence of Trace
            Of all its decisions, in order.
        style_of : mapping of int to int
            The number of each seat's style.
        """
        ended = end_of(hand.events)
        taken = [event for event in hand.events if isinstance(event, ActionTaken)]
        for event, trace in zip(taken, traces, strict=True):
            value = trace.values.of(event.action) if trace.values is not None else None
            if value is None or event.action.kind is ActionKind.FOLD:
                continue
            realised = ended.stacks[event.seat] - event.stack - luck[event.street :, event.seat].sum()
            cell = style_of[event.seat], event.street, _move_of(event)
            self._deck.setdefault(cell, np.zeros(3))[:] += 1, value.value, realised

    def end_deck(self) -> None:
        """Make one observation of all hands since the last deck."""
        for cell, sums in self._deck.items():
            self._observe(cell, sums, np.outer(sums, sums), 1)
        self._deck = {}

    def as_one(self) -> "RealisedValues":
        """Return the same with all decks as a single observation."""
        one = RealisedValues()
        one._sums = dict(self._sums)
        one._products = {cell: np.outer(sums, sums) for cell, sums in self._sums.items()}
        one._observations = dict.fromkeys(self._sums, 1)
        return one

    def add(self, other: "RealisedValues") -> None:
        """Add the observations of another match of the same styles."""
        for cell, sums in other._sums.items():
            self._observe(cell, sums, other._products[cell], other._observations[cell])

    def stored(self) -> tuple[StoredValue, ...]:
        """Return all that was observed."""
        return tuple(
            StoredValue(*cell, self._observations[cell], tuple(sums.tolist()), tuple(self._products[cell].flat))
            for cell, sums in self._sums.items()
        )

    @classmethod
    def restored(cls, stored: Sequence[StoredValue]) -> "RealisedValues":
        """Return what was stored; ValueError if it cannot have been."""
        values = cls()
        for one in stored:
            products = np.reshape(one.products, (3, 3))
            values._observe((one.style, one.street, one.move), np.array(one.sums), products, one.observations)
        return values

    def _observe(
        self, cell: _Cell, sums: NDArray[np.float64], products: NDArray[np.float64], observations: int
    ) -> None:
        self._sums[cell] = self._sums.get(cell, 0) + sums
        self._products[cell] = self._products.get(cell, 0) + products
        self._observations[cell] = self._observations.get(cell, 0) + observations

    def result(self, styles: Sequence[str], big_blind: int) -> tuple[RealisedValue, ...]:
        """Sum up what was observed: by style, street and kind of action, those that there were."""
        order = list(Move)
        cells = sorted(self._sums, key=lambda cell: (cell[0], cell[1], order.index(cell[2])))
        return tuple(self._value(cell, styles[cell[0]], big_blind) for cell in cells)

    def _value(self, cell: _Cell, style: str, big_blind: int) -> RealisedValue:
        count, predicted, realised = self._sums[cell].tolist()
        observed, stderr = self._observations[cell], None
        if observed > 1:
            # As for win rates, of the ratio of realised less predicted to decisions.
            weights = np.array([(predicted - realised) / count, -1.0, 1.0]) / count
            squares = max(0.0, float(weights @ self._products[cell] @ weights))
            stderr = sqrt(squares * observed / (observed - 1)) / big_blind
        return RealisedValue(
            style=style,
            street=cell[1],
            move=cell[2],
            decisions=int(count),
            predicted=predicted / count / big_blind,
            realised=realised / count / big_blind,
            stderr=stderr,
        )


def _move_of(event: ActionTaken) -> Move:
    if event.action.kind is not ActionKind.RAISE:
        return Move.CHECK if event.action.kind is ActionKind.CHECK else Move.CALL
    if event.is_all_in:
        return Move.ALL_IN
    return Move.RAISE if event.to_call or event.street is Street.PREFLOP else Move.BET
