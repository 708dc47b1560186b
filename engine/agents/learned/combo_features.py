"""What each of the 1326 combos is on a board, as numbers: the hidden half of the learned reader's input.

Before the flop a combo is its hand class; after it, what it has made, with which kicker, what it can still become,
what it takes from others, and what it was before the newest card. All features are the same for combos that differ
by a relabelling of suits that leaves the board as it is, so a reader learns nothing about suits as such.

The equity is the exact one against one uniform hand (`engine.equity.combos`).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_COUNT,
    RANKS,
    Card,
    Combo,
    frozen,
    unblocked,
)
from engine.preflop import equity_against_random, percentiles
from engine.strength import STRAIGHT_MASKS, STRENGTH_COUNT, Category, categories

Features = NDArray[np.float32]

_HIGH = (COMBO_CARDS.max(axis=1) >> 2).astype(np.int64)
_LOW = (COMBO_CARDS.min(axis=1) >> 2).astype(np.int64)
_CARDS = np.stack([COMBO_CARDS.max(axis=1), COMBO_CARDS.min(axis=1)], axis=1).astype(np.int64)
_SUITS = _CARDS & 3
_IS_SUITED = _SUITS[:, 0] == _SUITS[:, 1]

PREFLOP_COMBO_FEATURES = (
    *(f"high card: {rank}" for rank in RANKS),
    *(f"low card: {rank}" for rank in RANKS),
    *(f"pair of: {rank}" for rank in RANKS),
    "pair",
    "suited",
    "gap 0",
    "gap 1",
    "gap 2",
    "gap 3",
    "suited, gap 0",
    "suited, gap 1",
    "suited ace",
    "suited king",
    "both ten or higher",
    "suited, both ten or higher",
    "high rank",
    "low rank",
    "equity against one hand",
    "equity against three hands",
    "equity against six hands",
    "share of weaker hands",
    "share of weaker hands against six",
)

_CATEGORIES = tuple(category.name.lower().replace("_", " ") for category in Category)
_PAIRINGS = (
    "no pair of its own",
    "overpair",
    "pair below the top card",
    "pair below the second card",
    "pair below the third card",
    "top pair",
    "second pair",
    "third pair or lower",
    "two pair with both cards",
    "set",
    "trips with one card",
)

POSTFLOP_COMBO_FEATURES = (
    *(f"made: {name}" for name in _CATEGORIES),
    *(f"pairing: {name}" for name in _PAIRINGS),
    *(f"high card: {rank}" for rank in RANKS),
    *(f"low card: {rank}" for rank in RANKS),
    "kicker",
    "cards over the board",
    "pair in hand",
    "suited",
    "gap",
    "equity",
    "equity squared",
    "share of weaker hands",
    "share of weaker hands, squared",
    "share of weaker hands, to the eighth",
    "near the nuts",
    "gain since the last street",
    "share of weaker hands on the last street",
    "equity before the flop",
    "flush draw with both cards",
    "flush draw with one card",
    "flush draw to the nuts",
    "flush draw, rank of the best card",
    "backdoor flush draw",
    "made flush, rank of the best card",
    "flush or draw, cards of higher rank missing",
    "straight draw, ranks that complete it",
    "gutshot",
    "open-ended straight draw",
    "backdoor straight draw",
    "best card of the board's suit",
    "cards of the board's suit",
    "best missing card of the board's suit",
    "blocks straights",
    "pairs the top card",
    "board plays",
    "flush draw missed",
    "straight draw missed",
)

_AT = {name: at for at, name in enumerate(POSTFLOP_COMBO_FEATURES)}
_EVERY = np.arange(COMBO_COUNT)

# The 91 pairs of ranks, and which of them a combo is.
_HIGHS, _LOWS = np.tril_indices(13)
_RANK_PAIR = _HIGH * (_HIGH + 1) // 2 + _LOW
_RANK_BITS = (1 << _HIGHS) | (1 << _LOWS)

_CARD_SUITS = np.arange(CARD_COUNT) & 3
_REACH = ((np.arange(CARD_COUNT) >> 2) + 1) / 13
_PARTS = np.where(_IS_SUITED, np.stack([CARD_COUNT + _CARDS[:, 0], np.full(COMBO_COUNT, 2 * CARD_COUNT)]), _CARDS.T)
"""The rows of `_of_cards` that a combo is made of."""

_Before = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]


@lru_cache(maxsize=1)
def preflop_combo_features() -> Features:
    """Return the features of every hand class before the flop.

    Shape (169, len(PREFLOP_COMBO_FEATURES)), float32, read-only.
    """
    first = np.array([np.flatnonzero(np.equal(COMBO_CLASS, hand_class))[0] for hand_class in range(CLASS_COUNT)])
    high, low, suited = _HIGH[first], _LOW[first], _IS_SUITED[first]
    pair, gap = high == low, high - low - 1
    one = np.eye(13)
    equities = [np.asarray(equity_against_random(count), dtype=np.float64)[first] for count in (1, 3, 6)]
    broadway = low >= 8
    columns = [
        one[high] * ~pair[:, None],
        one[low] * ~pair[:, None],
        one[high] * pair[:, None],
        *(
            np.asarray(column, dtype=np.float64)[:, None]
            for column in (
                pair,
                suited,
                gap == 0,
                gap == 1,
                gap == 2,
                gap == 3,
                suited & (gap == 0),
                suited & (gap == 1),
                suited & (high == 12),
                suited & (high == 11),
                broadway,
                suited & broadway,
                high / 12,
                low / 12,
                4 * equities[0] - 2,
                6 * (equities[1] - 0.25),
                8 * (equities[2] - 1 / 7),
                2 * (1 - np.asarray(percentiles(1), dtype=np.float64)[first]) - 1,
                2 * (1 - np.asarray(percentiles(6), dtype=np.float64)[first]) - 1,
            )
        ),
    ]
    return _frozen(np.concatenate(columns, axis=1))


def _frozen(values: NDArray[np.float64]) -> Features:
    return frozen(np.ascontiguousarray(values, dtype=np.float32))


class _Street(NamedTuple):
    """What a board makes of all combos; the next street asks for most of it."""

    features: Features
    equities: NDArray[np.float64]
    shares: NDArray[np.float64]
    has_flush_draw: NDArray[np.bool_]
    has_straight_draw: NDArray[np.bool_]


def combo_features(board: tuple[Card, ...]) -> Features:
    """Return the features of every combo on a flop, turn or river, in the order dealt.

    Returns
    -------
    ndarray of float32, shape (1326, len(POSTFLOP_COMBO_FEATURES)), read-only
        Rows of combos that the board blocks mean nothing. The last 256 boards are kept.
    """
    return _street(board).features


@lru_cache(maxsize=256)
def _street(board: tuple[Card, ...]) -> _Street:
    before_equities, before_shares, had_flush_draw, had_straight_draw = _before(board)
    to_come = 5 - len(board)
    live = unblocked(board)
    strengths = _strengths(board, live)
    equities, shares = _equity(board), _shares(strengths, live)
    made = categories()[strengths]
    features = _of_ranks(board)[_RANK_PAIR]
    features[_EVERY, made] = 1
    features[:, _AT["suited"]] = _IS_SUITED
    first, second = np.take(_of_cards(board), _PARTS, axis=0)
    at = _AT["flush draw with both cards"]
    features[:, at : at + 7] = first[:, :7] + second[:, :7]
    at = _AT["best card of the board's suit"]
    features[:, at : at + 3] = np.maximum(first[:, 7:], second[:, 7:])
    at = _AT["straight draw, ranks that complete it"]
    features[made >= Category.STRAIGHT, at : at + 4] = 0
    better, eighth = 2 * equities - 1, (shares * shares) ** 2 * (shares * shares) ** 2
    for at, column in enumerate(
        (
            better,
            better * better,
            2 * shares - 1,
            shares * shares,
            eighth,
            (eighth * eighth) * (eighth * eighth) * eighth,
            equities - before_equities,
            2 * before_shares - 1,
            _preflop_column(),
        ),
        start=_AT["equity"],
    ):
        features[:, at] = column
    if to_come == 0:
        features[:, _AT["board plays"]] = strengths == _board_strength(board)
        nothing = made <= Category.PAIR
        features[:, _AT["flush draw missed"]] = nothing & had_flush_draw
        features[:, _AT["straight draw missed"]] = nothing & had_straight_draw
    flush_draw = features[:, _AT["flush draw with both cards"]] + features[:, _AT["flush draw with one card"]]
    features.setflags(write=False)
    return _Street(features, equities, shares, flush_draw > 0, features[:, _AT["open-ended straight draw"]] > 0)


def shares_weaker(board: tuple[Card, ...]) -> NDArray[np.float64]:
    """Return the share of the other live hands that every combo beats now, 0-1, ties half: shape (1326,)."""
    return _street(board).shares if board else 1 - np.asarray(percentiles(1), dtype=np.float64)


def beaten_by(combo: Combo, board: tuple[Card, ...]) -> NDArray[np.float64]:
    """Return which combos one beats now on a flop, turn or river: 1, 0, ties half, shape (1326,)."""
    weaker = shares_weaker(board)
    return np.asarray((np.sign(weaker[combo] - weaker) + 1) / 2)


def combo_kinds(board: tuple[Card, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort combos by their features: a suit that can make no flush, and blocks none, is like any other such suit.

    Returns
    -------
    combos : ndarray of intp, shape (n,)
        One combo of each kind: some 400 to 850 kinds on most rivers, up to all 1176 on a flop.
    kinds : ndarray of intp, shape (1326,)
        Which kind each combo is; means nothing for combos that the board blocks.
    """
    held = np.bincount(np.array(board) & 3, minlength=4)
    to_come = 5 - len(board)
    matters = (held + to_come >= 3) | ((held >= 2) & (held == held.max()))
    if len(board) > 3:  # some features are about the last street
        matters |= np.bincount(np.array(board[:-1]) & 3, minlength=4) + to_come >= 2
    suits = np.where(matters, np.arange(4), 4)[_SUITS]
    keys = ((_RANK_PAIR * 5 + suits[:, 0]) * 5 + suits[:, 1]) * 2 + _IS_SUITED
    combo_of_key = np.full(91 * 50, -1)
    live = np.flatnonzero(unblocked(board))
    combo_of_key[keys[live]] = live
    found = combo_of_key >= 0
    return combo_of_key[found], np.maximum(np.cumsum(found) - 1, 0)[keys]


def _before(board: tuple[Card, ...]) -> _Before:
    """Return equities, shares of weaker hands and draws as they were before the newest card."""
    if len(board) > 3:
        return _street(board[:-1])[1:]
    return _before_the_flop()


@lru_cache(maxsize=1)
def _before_the_flop() -> _Before:
    none = np.zeros(COMBO_COUNT, dtype=np.bool_)
    equities = np.asarray(equity_against_random(1), dtype=np.float64)
    return equities, 1 - np.asarray(percentiles(1), dtype=np.float64), none, none


@lru_cache(maxsize=1)
def _preflop_column() -> NDArray[np.float64]:
    return 4 * np.asarray(equity_against_random(1), dtype=np.float64) - 2


@lru_cache(maxsize=512)
def _equity(board: tuple[Card, ...]) -> NDArray[np.float64]:
    from engine.equity.combos import combo_equities

    return np.asarray(combo_equities(board), dtype=np.float64)


def _strengths(board: tuple[Card, ...], live: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the strength of every combo with 3 to 5 board cards, higher is better; blocked ones mean nothing."""
    from engine.kernels.evaluator import strengths_of, tables

    hands = np.empty((COMBO_COUNT, 2 + len(board)), dtype=np.uint8)
    hands[:, :2] = COMBO_CARDS
    hands[:, 2:] = board
    spare = hands[np.flatnonzero(live)[0]]
    hands[~live] = spare  # a card twice has no strength
    strengths = np.empty(COMBO_COUNT, dtype=np.int16)
    strengths_of(tables(), hands, strengths)
    return strengths.astype(np.int64)


def _board_strength(board: tuple[Card, ...]) -> int:
    from engine.kernels.evaluator import strengths_of, tables

    found = np.empty(1, dtype=np.int16)
    strengths_of(tables(), np.array([board], dtype=np.uint8), found)
    return int(found[0])


def _shares(strengths: NDArray[np.int64], live: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of the live combos that are weaker, ties counted half."""
    counts = np.bincount(strengths[live], minlength=STRENGTH_COUNT + 1)
    below = np.cumsum(counts) - counts / 2
    return np.asarray(below[strengths] / live.sum(), dtype=np.float64)


def _of_ranks(board: tuple[Card, ...]) -> Features:
    """Return the features that the two ranks decide, straights made left aside: a row per pair of ranks."""
    table = _fixed_by_ranks().copy()
    rows = np.arange(len(table))
    ranks = np.array([card >> 2 for card in board])
    counts = np.bincount(ranks, minlength=13)
    top = ranks.max()
    on_board = int(np.bitwise_or.reduce(1 << ranks))
    high_on, low_on = counts[_HIGHS], counts[_LOWS]
    table[rows, _AT["pairing: no pair of its own"] + _pairing(counts, high_on, low_on)] = 1
    table[:, _AT["kicker"]] = np.where((high_on > 0) & (low_on == 0), _LOWS, _HIGHS) / 12
    table[:, _AT["cards over the board"]] = ((top < _HIGHS) + (top < _LOWS) * 1) / 2
    table[:, _AT["pairs the top card"]] = (top == _HIGHS) | (top == _LOWS)

    board_held = np.bitwise_count(on_board & STRAIGHT_MASKS)
    # Ranks with which two more cards make a straight on this board: what others then lack.
    wanted = int(np.bitwise_or.reduce(STRAIGHT_MASKS[board_held >= 3] & ~on_board))
    table[:, _AT["blocks straights"]] = np.bitwise_count(_RANK_BITS & wanted) / 2
    if len(board) == 5:
        return table
    held_ranks = _RANK_BITS | on_board
    held = np.bitwise_count(held_ranks[:, None] & STRAIGHT_MASKS)
    missing = np.where((held == 4) & (board_held < 4), STRAIGHT_MASKS & ~held_ranks[:, None], 0)
    outs = np.bitwise_count(np.bitwise_or.reduce(missing, axis=1))
    table[:, _AT["straight draw, ranks that complete it"]] = outs / 4
    table[:, _AT["gutshot"]] = outs == 1
    table[:, _AT["open-ended straight draw"]] = outs >= 2
    if len(board) == 3:
        three = ((held == 3) & (board_held < 3)).sum(axis=1)
        table[:, _AT["backdoor straight draw"]] = np.minimum(three, 4) / 4 * (outs == 0)
    return table


@lru_cache(maxsize=1)
def _fixed_by_ranks() -> Features:
    """Give, for each pair of ranks, the features that are the same on every board."""
    table = np.zeros((len(_HIGHS), len(POSTFLOP_COMBO_FEATURES)), dtype=np.float32)
    rows = np.arange(len(table))
    table[rows, _AT[f"high card: {RANKS[0]}"] + _HIGHS] = 1
    table[rows, _AT[f"low card: {RANKS[0]}"] + _LOWS] = 1
    table[:, _AT["pair in hand"]] = _HIGHS == _LOWS
    table[:, _AT["gap"]] = np.minimum(_HIGHS - _LOWS, 5) / 5
    return table


def _pairing(counts: NDArray[np.int64], high_on: NDArray[np.int64], low_on: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index into `_PAIRINGS` of every pair of ranks."""
    # How many distinct ranks of the board are higher.
    is_on = counts > 0
    above = is_on[::-1].cumsum()[::-1] - is_on
    is_pair = _HIGHS == _LOWS
    pairing = np.where(is_on[_HIGHS], 5 + np.minimum(above, 2)[_HIGHS], 0)
    pairing = np.where(is_on[_LOWS], 5 + np.minimum(above, 2)[_LOWS], pairing)
    pairing = np.where((high_on > 0) & (low_on > 0), 8, pairing)
    pairing = np.where((high_on > 1) | (low_on > 1), 10, pairing)
    return np.where(is_pair, np.where(high_on > 0, 9, 1 + np.minimum(above, 3)[_HIGHS]), pairing)


def _of_cards(board: tuple[Card, ...]) -> Features:
    """Return the flush columns, seven to add and three to take the larger of: float32, shape (105, 10).

    First for each card alone of its suit, then for each as the higher of two, and zeros.
    """
    cards = np.array(board)
    suits = cards & 3
    on_board = np.bincount(suits, minlength=4)
    to_come = 5 - len(board)
    is_free = np.ones((13, 4), dtype=np.int64)
    is_free[cards >> 2, suits] = 0
    # How many ranks of the suit above it are not on the board.
    above = (is_free[::-1].cumsum(axis=0)[::-1] - is_free).ravel()
    nuts, near = above == 0, np.minimum(above, 4) / 4
    held = on_board[_CARD_SUITS]
    of_most = (held >= 2) & (held == on_board.max())
    table = np.zeros((2 * CARD_COUNT + 1, 10), dtype=np.float32)
    for own in (1, 2):
        part = table[(own - 1) * CARD_COUNT : own * CARD_COUNT]
        flush = held + own >= 5
        if to_come:
            draw = held + own == 4
            part[:, 2 - own] = draw
            part[:, 2] = draw & nuts
            part[:, 3] = draw * _REACH
            flush_or_draw = flush | draw
        else:
            flush_or_draw = flush
        if to_come == 2:
            part[:, 4] = (held + own == 3) * (own / 2)
        part[:, 5] = flush * _REACH
        part[:, 6] = flush_or_draw * near
        part[:, 7] = of_most * _REACH
        part[:, 8] = of_most * (own / 2)
        part[:, 9] = of_most & nuts
    return table
