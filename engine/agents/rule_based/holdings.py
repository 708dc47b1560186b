"""What hole cards make of a board, to players who look at nothing else."""

from enum import IntEnum

from engine.cards import Card, HoleCards, rank_of
from engine.strength import Category, Draw, category_of, draws, strength

_ACE = 12

_STRONG_DRAWS = frozenset({Draw.FLUSH, Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT})


class Holding(IntEnum):
    """What hole cards make of a board, as coarsely as players who look at nothing else see it.

    Something is a pair of one's own, an ace or any draw. Strong is top pair, an overpair, anything better that the
    board does not make by itself, or a draw to a flush or to both ends of a straight.
    """

    NOTHING = 0
    SOMETHING = 1
    STRONG = 2


def holding_of(hole_cards: HoleCards, board: tuple[Card, ...]) -> Holding:
    """Return what hole cards make of a flop, turn or river; what the board makes by itself is nobody's.

    >>> from engine.cards import parse_cards
    >>> flop = parse_cards("Kd9c9h")
    >>> [holding_of(parse_cards(hand), flop).name for hand in ("KsQs", "As5s", "QsQh", "7s6s", "9s2s")]
    ['STRONG', 'SOMETHING', 'SOMETHING', 'NOTHING', 'STRONG']
    """
    own, on_board = [rank_of(card) for card in hole_cards], [rank_of(card) for card in board]
    made = strength([*hole_cards, *board])
    is_own = len(board) < 5 or strength(board) < made
    category = category_of(made) if is_own else Category.HIGH_CARD
    pairs = {rank for rank in own if rank in on_board or own[0] == own[1]}
    if not pairs:
        if category in (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH):
            return Holding.STRONG
        return _drawing(hole_cards, board, Holding.SOMETHING if _ACE in own else Holding.NOTHING)
    if len(pairs) == 2 or max(pairs) >= max(on_board) or category >= Category.THREE_OF_A_KIND:
        return Holding.STRONG
    return _drawing(hole_cards, board, Holding.SOMETHING)


def _drawing(hole_cards: HoleCards, board: tuple[Card, ...], made: Holding) -> Holding:
    if is_draw(hole_cards, board):
        return Holding.STRONG
    return max(made, Holding.SOMETHING) if Draw.GUTSHOT in draws(hole_cards, board) else made


def is_draw(hole_cards: HoleCards, board: tuple[Card, ...]) -> bool:
    """Return whether hole cards draw to a flush or to two ranks of a straight."""
    return not _STRONG_DRAWS.isdisjoint(draws(hole_cards, board))
