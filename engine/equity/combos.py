"""The exact equity of every combo at once."""

from collections.abc import Sequence
from functools import lru_cache
from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, Card
from engine.checks import EquityError, check_cards, check_sequence, check_weights
from engine.codec import Vector, frozen_vector


def combo_equities(board: Sequence[Card], weights: NDArray[Any] | None = None, dead: Sequence[Card] = ()) -> Vector:
    """Give the exact equity of every combo against one range.

    Parameters
    ----------
    board : sequence of Card
        0, 3, 4 or 5 cards.
    weights : ndarray of numbers, shape (1326,), optional
        Of the range, 0 or more, on any scale; any two cards by default.
    dead : sequence of Card
        Cards that neither side can hold; none before the flop.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        0 to 1, ties shared. 0 for combos that are blocked, or beside which no hand of the range can be dealt.

    Raises
    ------
    EquityError
        If the board has 1, 2 or more than 5 cards, a card stands twice, too few cards are left to deal, there are
        dead cards before the flop, or the weights are no range's.

    Notes
    -----
    About 0.8 to 1 ms on the flop, 0.05 to 0.1 ms on the turn, 0.015 ms on the river; before the flop 1 ms, once the
    table of `engine.equity.heads_up` is there. Against any two cards the last 512 boards are kept.

    The sums behind an equity are off by less than 1e-11 of the range's largest weight, so where a combo can only
    meet hands of weights that small beside the largest, its equity is not to be relied on.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> equities = combo_equities(parse_cards("Ks 7d 2h"))
    >>> round(float(equities[combo_of(*parse_cards("2c2s"))]), 6)
    0.966557
    """
    check_sequence(board, "Cards on the board")
    if weights is None:
        check_cards(board, dead)  # before they are looked for among the kept ones: 3.0 would be found as 3
        return _equities_against_any_two(tuple(sorted(board)), tuple(sorted(dead)))
    return _equities(board, weights, dead)


def next_card_equities(
    board: Sequence[Card], weights: NDArray[Any] | None = None, dead: Sequence[Card] = ()
) -> tuple[tuple[Card, ...], Vector]:
    """Give the exact equity of every combo against one range after each possible next card.

    Parameters
    ----------
    board : sequence of Card
        3 or 4 cards.
    weights : ndarray of numbers, shape (1326,), optional
        Of the range, 0 or more, on any scale; any two cards by default.
    dead : sequence of Card
        Cards that neither side can hold and that will not come.

    Returns
    -------
    cards : tuple of Card
        The n cards that can come, in rising order.
    equities : ndarray of float32, shape (n, 1326), read-only
        As `combo_equities` gives them on the board with that card.

    Raises
    ------
    EquityError
        If the board is no flop or turn; otherwise as `combo_equities`.

    Notes
    -----
    About 3 to 5 ms on the flop, 0.5 ms on the turn.

    Examples
    --------
    >>> from engine.cards import combo_of, format_card, parse_cards
    >>> cards, equities = next_card_equities(parse_cards("Ks 7d 2h"))
    >>> best = equities[:, combo_of(*parse_cards("QsJs"))].argmax()
    >>> format_card(cards[best])
    'Qc'
    """
    check_sequence(board, "Cards on the board")
    if len(board) not in (3, 4):
        raise EquityError(f"Another card comes on a flop or turn, not on a board of {len(board)} cards.")
    from engine.kernels.sweep import sweep_equities

    values = _checked(board, np.ones(COMBO_COUNT) if weights is None else weights, dead)
    cards = tuple(Card(card) for card in range(CARD_COUNT) if card not in board and card not in dead)
    return cards, frozen_vector([sweep_equities((*board, card), dead, values) for card in cards])


@lru_cache(maxsize=512)
def _equities_against_any_two(board: tuple[Card, ...], dead: tuple[Card, ...]) -> Vector:
    return _equities(board, np.ones(COMBO_COUNT), dead)


def _equities(board: Sequence[Card], weights: NDArray[Any], dead: Sequence[Card]) -> Vector:
    if board:
        from engine.kernels.river import river_equities
        from engine.kernels.sweep import sweep_equities

        if len(board) == 5 and type(weights) is np.ndarray and weights.shape == (COMBO_COUNT,):
            # The sweep itself looks at the weights, in a third of the time that checking them takes.
            _check_cards(board, dead)
            is_real = weights.dtype.kind in "fiub"
            quick = river_equities(board, dead, weights.astype(np.float64)) if is_real else None
            if quick is not None:
                quick.setflags(write=False)
                return quick
        equities = sweep_equities(board, dead, _checked(board, weights, dead))
        equities.setflags(write=False)
        return equities
    from engine.equity.heads_up import preflop_equities

    check_cards(board, dead)
    if dead:
        raise EquityError(f"Before the flop every card is in the deck: {len(dead)} dead cards are not counted.")
    return frozen_vector(preflop_equities(weights))


def _checked(board: Sequence[Card], weights: NDArray[Any], dead: Sequence[Card]) -> NDArray[np.float64]:
    """Check a question about a flop, turn or river; gives the weights, none too large or small for sums."""
    _check_cards(board, dead)
    values = check_weights(weights)
    most = float(values.max())
    if not 1e-100 < most < 1e100:
        # By a power of two nothing is rounded.
        values = np.ldexp(values, -frexp(most)[1])
    return values


def _check_cards(board: Sequence[Card], dead: Sequence[Card]) -> None:
    check_cards(board, dead)
    missing = 5 - len(board)
    left = CARD_COUNT - len(board) - len(dead)
    if left < missing + 4:
        raise EquityError(f"Two hands and {missing} cards of the board cannot be dealt from the {left} cards left.")
