"""Outs, the cards that make a hand that is behind a likely winner, and how likely they are to come.

Sources: Li et al. (2017), eq. 29, for what an out is; Phil Gordon, Little Green Book (2005), for the rules of 2 and
4.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_CARDS,
    COMBO_COUNT,
    Card,
    HoleCards,
    check_sequence,
    combo_of,
    format_card,
    frozen,
)
from engine.equity.checks import EquityError, check_cards
from engine.equity.combos import combo_equities
from engine.equity.win_rate import equities_by_next_card

OUT_GAIN: Final = 0.6
"""An out adds this share of what the equity against a random hand lacks (Li et al. 2017, eq. 29)."""
BEHIND: Final = 0.72
"""Only a hand of less equity has outs. As printed eq. 29 has no such bound: top set, at 0.96, had 8 outs."""


class OutFigures(Struct, frozen=True):
    """Outs by eq. 29 of Li et al. (2017), and their chances, 0-1, exactly and by the rule of 2 and 4.

    Attributes
    ----------
    next_card, by_river : float
        Exact chance that the next card, and that at least one of the cards to come, is one of them.
    rule_next_card, rule_by_river : float
        2 % for each out; by the river on a flop 4 %, 100 % at most.
    """

    cards: tuple[Card, ...]
    next_card: float
    by_river: float
    rule_next_card: float
    rule_by_river: float


def outs_of_hand(
    hole_cards: HoleCards, board: Sequence[Card], *, only_behind: bool = True
) -> tuple[Card, ...] | None:
    """Return the outs of hole cards on a flop or turn; None on another board, or for a hand that is not behind.

    As eq. 29 is printed, a hand that is ahead has outs, too: those that bring most of what is missing, if anything.

    Card i is an out if `P(board + i) - P(board) >= OUT_GAIN (1 - P(board))`, P the equity against one random hand.
    """
    board = tuple(sorted(board))
    if len(board) not in (3, 4):
        return None
    combo = combo_of(*hole_cards)
    now = float(combo_equities(board)[combo])
    if only_behind and now >= BEHIND:
        return None
    after = equities_by_next_card(hole_cards, board)
    return tuple(Card(card) for card in np.flatnonzero(after - now >= OUT_GAIN * (1 - now)).tolist())


@lru_cache(maxsize=64)
def outs_of_combos(board: tuple[Card, ...]) -> NDArray[np.int64]:
    """Return how many outs every combo has on a flop or turn, in rising order: int64, shape (1326,), read-only."""
    now = combo_equities(board).astype(np.float64)
    counts = np.zeros(COMBO_COUNT, np.int64)
    for card in range(CARD_COUNT):
        if card not in board:
            gained = combo_equities((*board, Card(card))) - now
            can_come = (np.uint8(card) != COMBO_CARDS).all(axis=1)
            counts += (gained >= OUT_GAIN * (1 - now)) & (now < BEHIND) & can_come
    return frozen(counts)


def figures_of_outs(hole_cards: HoleCards, board: Sequence[Card], dead: Sequence[Card] = ()) -> OutFigures | None:
    """Return the outs of a hand on a flop or turn with their chances; None as for `outs_of_hand`.

    Dead cards will not come; what an out is does not depend on them. About 1.5 ms for a new flop.

    Raises
    ------
    EquityError
        If there are not two hole cards and 0, 3, 4 or 5 on the board, all different and none of them dead, or all
        others are.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> flush_draw = figures_of_outs(parse_cards("8h7h"), parse_cards("Kh 2h 5c"))
    >>> len(flush_draw.cards), round(flush_draw.by_river, 3), flush_draw.rule_by_river
    (9, 0.35, 0.36)
    """
    check_sequence(hole_cards, "Hole cards", EquityError)
    if len(hole_cards) != 2:
        raise EquityError(f"There are two hole cards, not {len(hole_cards)}.")
    check_cards(board, dead)
    check_cards((), hole_cards)
    for known, where in ((board, "on the board"), (dead, "dead")):
        if shared := [card for card in hole_cards if card in known]:
            raise EquityError(f"The card {format_card(shared[0])} is among the hole cards and {where}.")
    outs = outs_of_hand(hole_cards, board)
    if outs is None:
        return None
    return chances_of_outs([card for card in outs if card not in dead], len(board), len(dead))


def chances_of_outs(outs: Sequence[Card], board_size: int, dead_count: int = 0) -> OutFigures:
    """Return the chances of outs, by whatever rule they were found.

    Exactly, with n outs among u unseen cards: n / u for the next card, 1 - C(u - n, 2) / C(u, 2) for two cards.

    Raises
    ------
    EquityError
        If the board is no flop or turn, there are more outs than unseen cards or one twice, or no card is left to
        come.
    """
    if isinstance(board_size, bool) or board_size not in (3, 4):
        raise EquityError(f"Outs are for a board of 3 or 4 cards, not {board_size!r}.")
    check_cards((), outs)
    unseen, to_come = CARD_COUNT - 2 - board_size - dead_count, 5 - board_size
    count = len(outs)
    if unseen < to_come:
        raise EquityError(f"{to_come} cards are to come, and {max(unseen, 0)} are left.")
    if count > unseen:
        raise EquityError(f"There are {unseen} unseen cards, so there cannot be {count} outs.")
    runouts = comb(unseen, to_come)
    return OutFigures(
        cards=tuple(outs),
        next_card=count / unseen,
        by_river=(runouts - comb(unseen - count, to_come)) / runouts,
        rule_next_card=min(2 * count / 100, 1.0),
        rule_by_river=min(2 * to_come * count / 100, 1.0),
    )
