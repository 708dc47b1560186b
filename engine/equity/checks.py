"""What is refused before anything is computed: cards used twice, ranges that are none, ranges that clash.

One sentence each, with the value and the rule.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    MOST_OPPONENTS,
    HoleCards,
    check_sequence,
    combo_of,
    format_card,
    format_combo,
    is_whole,
)

MOST_SAMPLES: Final = 10**12
"""More deals would take days, and in time overflow the kernels' counters."""


class EquityError(ValueError):
    """A question that has no answer, such as a card used twice, and the `players` concerned, from 0."""

    def __init__(self, message: str, players: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.players = players


def check_seed(seed: int) -> None:
    """Raise an `EquityError` unless a seed is a whole number from 0 to 2^128 - 1."""
    if not is_whole(seed):
        raise EquityError(f"The seed {seed!r} is no whole number.")
    if not 0 <= seed < 1 << 128:
        raise EquityError(f"The seed {seed} is not between 0 and 2^128 - 1.")


def check_cards(board: Sequence[int], dead: Sequence[int]) -> None:
    """Raise an `EquityError` unless the board has 0, 3, 4 or 5 cards and no card stands twice."""
    check_sequence(board, "Cards on the board", EquityError)
    check_sequence(dead, "Dead cards", EquityError)
    if len(board) not in (0, 3, 4, 5):
        raise EquityError(f"A board has 0, 3, 4 or 5 cards, not {len(board)}.")
    seen: dict[int, str] = {}
    for place, cards in (("on the board", board), ("among the dead cards", dead)):
        for card in cards:
            if not is_whole(card) or not 0 <= card < CARD_COUNT:
                raise EquityError(f"{card} is no card: cards are numbered 0 to {CARD_COUNT - 1}.")
            if card in seen:
                also = "twice" if seen[card] == place else f"{seen[card]} and"
                raise EquityError(f"The card {format_card(card)} is {also} {place}.")
            seen[card] = place


def check_weights(weights: NDArray[Any], whose: str = "A range") -> NDArray[np.float64]:
    """Check a range's weights and give them as float64, shape (1326,).

    Raises
    ------
    EquityError
        If it is no array of 1326 real numbers, or one is negative, infinite or not a number.
    """
    array = np.asarray(weights)
    if array.shape != (COMBO_COUNT,):
        raise EquityError(f"{whose} has {COMBO_COUNT} weights, one for each combo, not the shape {array.shape}.")
    if array.dtype.kind not in "fiub":
        raise EquityError(f"{whose} has numbers as weights, not {array.dtype}.")
    values = array.astype(np.float64)
    # Also false where a weight is not a number, and five times as fast as looking for the combo.
    if not (values.min() >= 0 and values.max() < np.inf):
        combo = int(np.flatnonzero(~(np.isfinite(values) & (values >= 0)))[0])
        raise EquityError(
            f"The weight of {format_combo(combo)} is {values[combo]}: weights are finite and not negative."
        )
    return values


def check_hand(hole_cards: HoleCards, opponents: int, board: Sequence[int], deals: int, seed: int) -> None:
    """Raise an `EquityError` unless hole cards, board, number of opponents and of deals and seed make sense."""
    check_cards(board, ())
    check_sequence(hole_cards, "Hole cards", EquityError)
    if len(hole_cards) != 2:
        raise EquityError(f"There are two hole cards, not {len(hole_cards)}.")
    check_cards((), hole_cards)
    for card in hole_cards:
        if card in board:
            raise EquityError(
                f"The card {format_card(card)} is in {format_combo(combo_of(*hole_cards))} and on the board."
            )
    if not is_whole(opponents) or not 1 <= opponents <= MOST_OPPONENTS:
        raise EquityError(f"There can be 1 to {MOST_OPPONENTS} opponents, not {opponents}.")
    check_deals(deals)
    check_seed(seed)


def check_deals(deals: int) -> None:
    """Raise an `EquityError` unless a number of deals to sample is a whole number from 2 to `MOST_SAMPLES`."""
    if not is_whole(deals):
        raise EquityError(f"The number of deals is a whole number, not {deals!r}.")
    if deals < 2:
        raise EquityError(f"At least 2 deals must be sampled, not {deals}.")
    if deals > MOST_SAMPLES:
        raise EquityError(f"At most {MOST_SAMPLES:,} deals can be sampled, not {deals:,}.")
