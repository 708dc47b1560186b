"""The features of combos after the flop, column by column in plain numpy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.agents.learned.combo_features import POSTFLOP_COMBO_FEATURES
from engine.cards import COMBO_CARDS, COMBO_COUNT, Card, unblocked
from engine.equity.combos import combo_equities
from engine.kernels.evaluator import strengths_of, tables
from engine.preflop import equity_against_random, percentiles
from engine.strength import Category, category_of, strength

_HIGH = (COMBO_CARDS.max(axis=1) >> 2).astype(np.int64)
_LOW = (COMBO_CARDS.min(axis=1) >> 2).astype(np.int64)
_CARDS = np.stack([COMBO_CARDS.max(axis=1), COMBO_CARDS.min(axis=1)], axis=1).astype(np.int64)
_SUITS = _CARDS & 3
_IS_PAIR = _HIGH == _LOW
_IS_SUITED = _SUITS[:, 0] == _SUITS[:, 1]
_PAIRINGS = sum(name.startswith("pairing: ") for name in POSTFLOP_COMBO_FEATURES)
_ALL_CATEGORIES = [category_of(strength) for strength in range(1, 7463)]
_FIRST_OF_CATEGORIES = np.array([1 + _ALL_CATEGORIES.index(category) for category in Category], dtype=np.int64)


def combo_features(board: tuple[Card, ...]) -> NDArray[np.float64]:
    """Give the features of every combo on a flop, turn or river.

    Parameters
    ----------
    board : tuple of Card
        3 to 5 cards; the turn and the river are the last ones.

    Returns
    -------
    ndarray of float64, shape (1326, len(POSTFLOP_COMBO_FEATURES))
        Rows of combos that the board blocks mean nothing.
    """
    live = unblocked(board)
    strengths = _strengths(board)
    share, equity = _shares(strengths, live), _equity(board)
    if len(board) == 3:
        before_share = np.asarray(1 - np.asarray(percentiles(1)), dtype=np.float64)
        before_equity = np.asarray(equity_against_random(1), dtype=np.float64)
    else:
        before = board[:-1]
        before_share = _shares(_strengths(before), unblocked(before))
        before_equity = _equity(before)
    made = np.searchsorted(_FIRST_OF_CATEGORIES, strengths, side="right") - 1
    ranks = np.array([card >> 2 for card in board])
    flush = _flush_columns(board)
    straight = _straight_columns(board, made)
    missed = _missed(board, made) if len(board) == 5 else [np.zeros(COMBO_COUNT)] * 2
    one = np.eye(13)
    pairing = _pairing(ranks)
    top = ranks.max()
    columns = [
        np.eye(len(Category))[made],
        np.eye(_PAIRINGS)[pairing],
        one[_HIGH],
        one[_LOW],
        *(
            np.asarray(column, dtype=np.float64)[:, None]
            for column in (
                _kicker(ranks) / 12,
                ((top < _HIGH) + 0.0 + (top < _LOW)) / 2,
                _IS_PAIR,
                _IS_SUITED,
                np.minimum(_HIGH - _LOW, 5) / 5,
                2 * equity - 1,
                (2 * equity - 1) ** 2,
                2 * share - 1,
                share**2,
                share**8,
                share**40,
                equity - before_equity,
                2 * before_share - 1,
                4 * np.asarray(equity_against_random(1)) - 2,
                *flush[:7],
                *straight[:4],
                *flush[7:10],
                straight[4],
                (top == _HIGH) | (top == _LOW),
                strengths == strength(board) if len(board) == 5 else np.zeros(COMBO_COUNT),
                *missed,
            )
        ),
    ]
    return np.concatenate(columns, axis=1)


def _equity(board: tuple[Card, ...]) -> NDArray[np.float64]:
    return np.asarray(combo_equities(board), dtype=np.float64)


def _strengths(board: tuple[Card, ...]) -> NDArray[np.int64]:
    """Give the strength of every combo with 3 to 5 board cards, higher is better; blocked ones mean nothing."""
    hands = np.empty((COMBO_COUNT, 2 + len(board)), dtype=np.uint8)
    hands[:, :2] = COMBO_CARDS
    hands[:, 2:] = board
    live = unblocked(board)
    spare = hands[np.flatnonzero(live)[0]]
    hands[~live] = spare  # a card twice has no strength
    strengths = np.empty(COMBO_COUNT, dtype=np.int16)
    strengths_of(tables(), hands, strengths)
    return strengths.astype(np.int64)


def _shares(strengths: NDArray[np.int64], live: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give the share of the live combos that are weaker, ties counted half."""
    counts = np.bincount(strengths[live], minlength=7463)
    below = np.cumsum(counts) - counts / 2
    return np.asarray(below[strengths] / live.sum(), dtype=np.float64)


def _pairing(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the index into `_PAIRINGS` of every combo."""
    counts = np.bincount(ranks, minlength=13)
    distinct = np.flatnonzero(counts)[::-1]
    # How many distinct ranks of the board are higher.
    above = np.array([int((distinct > rank).sum()) for rank in range(13)])
    high_on, low_on = counts[_HIGH], counts[_LOW]
    pairing = np.zeros(COMBO_COUNT, dtype=np.int64)
    one = (high_on > 0) ^ (low_on > 0)
    matched = np.where(high_on > 0, _HIGH, _LOW)
    pairing = np.where(one, 5 + np.minimum(above[matched], 2), pairing)
    pairing = np.where((high_on > 0) & (low_on > 0), 8, pairing)
    pairing = np.where(((high_on > 1) | (low_on > 1)) & ~_IS_PAIR, 10, pairing)
    pairing = np.where(_IS_PAIR, np.where(high_on > 0, 9, 1 + np.minimum(above[_HIGH], 3)), pairing)
    return pairing


def _kicker(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the rank of the card beside the one that pairs; the high card where none does."""
    counts = np.bincount(ranks, minlength=13)
    return np.asarray(np.where((counts[_HIGH] > 0) & (counts[_LOW] == 0), _LOW, _HIGH), dtype=np.int64)


def _flush_columns(board: Sequence[Card]) -> list[NDArray[np.float64]]:
    """Give the seven columns of draws and flushes and the three of blockers."""
    suits = np.array([card & 3 for card in board])
    on_board = np.bincount(suits, minlength=4)
    to_come = 5 - len(board)
    own = np.stack([np.equal(_SUITS, suit).sum(axis=1) for suit in range(4)], axis=1)
    total = own + on_board
    zero = np.zeros(COMBO_COUNT)
    both = one = nuts = best = backdoor = flush_rank = missing_above = zero
    best_of_suit = held = blocker = zero
    for suit in range(4):
        rank = np.where(np.equal(_SUITS, suit), _CARDS >> 2, -1).max(axis=1)
        taken = {card >> 2 for card in board if card & 3 == suit}
        # How many ranks of the suit above the best own one are neither on the board.
        above = np.array([sum(1 for r in range(max(k, -1) + 1, 13) if r not in taken) for k in range(-1, 13)])[
            rank + 1
        ]
        holds = own[:, suit] > 0
        if to_come:
            draw = (total[:, suit] == 4) & holds
            both = both + (draw & (own[:, suit] == 2))
            one = one + (draw & (own[:, suit] == 1))
            nuts = nuts + (draw & (above == 0))
            best = best + draw * (rank + 1) / 13
            missing_above = missing_above + draw * np.minimum(above, 4) / 4
        if to_come == 2:
            backdoor = backdoor + ((total[:, suit] == 3) & holds) * (0.5 + 0.5 * (own[:, suit] == 2))
        flush = (total[:, suit] >= 5) & holds
        flush_rank = flush_rank + flush * (rank + 1) / 13
        missing_above = missing_above + flush * np.minimum(above, 4) / 4
        if on_board[suit] >= 2 and on_board[suit] == on_board.max():
            best_of_suit = np.maximum(best_of_suit, holds * (rank + 1) / 13)
            held = np.maximum(held, own[:, suit] / 2)
            blocker = np.maximum(blocker, holds & (above == 0))
    return [both, one, nuts, best, backdoor, flush_rank, missing_above, best_of_suit, held, blocker]


_WINDOW_BITS = np.array([0x100F, *(0x1F << low for low in range(9))], dtype=np.int64)
_BIT_COUNT = np.array([bin(value).count("1") for value in range(1 << 13)], dtype=np.int64)
_OWN_BITS = (1 << _HIGH) | (1 << _LOW)


def _straight_columns(board: Sequence[Card], made: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Give the columns of straight draws (4) and of what blocks straights (1)."""
    on_board = 0
    for card in board:
        on_board |= 1 << (card >> 2)
    ranks = _OWN_BITS | on_board
    is_made = np.asarray(made) >= Category.STRAIGHT
    held = _BIT_COUNT[ranks[:, None] & _WINDOW_BITS]
    board_held = _BIT_COUNT[on_board & _WINDOW_BITS]
    four = (held == 4) & (board_held[None, :] < 4) & ~is_made[:, None]
    missing = np.where(four, _WINDOW_BITS & ~ranks[:, None], 0)
    outs = _BIT_COUNT[np.bitwise_or.reduce(missing, axis=1)].astype(np.float64)
    to_come = 5 - len(board)
    if to_come == 0:
        outs = np.zeros(COMBO_COUNT)
    three = ((held == 3) & (board_held[None, :] < 3) & ~is_made[:, None]).sum(axis=1) * float(to_come == 2)
    # Ranks with which two more cards make a straight on this board: what others then lack.
    possible = board_held >= 3
    wanted = np.bitwise_or.reduce(np.where(possible, _WINDOW_BITS & ~on_board, 0)) if possible.any() else 0
    blocks = _BIT_COUNT[_OWN_BITS & wanted] / 2
    return [outs / 4, (outs == 1) + 0.0, (outs >= 2) + 0.0, np.minimum(three, 4) / 4 * (outs == 0), blocks + 0.0]


def _missed(board: tuple[Card, ...], made: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Tell which combos had a draw on the turn and have at most a pair now."""
    turn = board[:4]
    made_before = np.searchsorted(_FIRST_OF_CATEGORIES, _strengths(turn), side="right") - 1
    flush = _flush_columns(turn)
    straight = _straight_columns(turn, made_before)
    nothing = np.asarray(made <= Category.PAIR, dtype=np.float64)
    return [nothing * np.minimum(flush[0] + flush[1], 1.0), nothing * straight[2]]
