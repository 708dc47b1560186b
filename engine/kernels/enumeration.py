"""Every way to complete known cards to seven, in order, each judged by one look-up.

Where cards come one after another, the ranks held can be followed by an automaton: a state for each multiset of up
to five ranks, and a transition for each rank. From a state of five ranks, `pair_strength` gives the strength with
any two more, so that the innermost loop, over the last two cards, reads one number for each hand. Over all hands of
seven cards it is 51 hands long on average, and over the last card alone it would be 7: a loop's end, which the
processor guesses wrong, costs as much as several hands.

A flush is possible only if three of the first five cards have the same suit, and that is tested outside the
innermost loop. With exactly three, all pairs are counted as if there were no flush, and the few of the suit moved
afterwards; with more, another loop looks the flush up too. Of seven cards no quads or full house leave room for a
flush, so the higher of both strengths is the hand's.
"""

from itertools import combinations_with_replacement
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cache import cached_arrays
from engine.kernels.evaluator import (
    STRENGTH_COUNT,
    EvaluatorTables,
    flush_shift,
    rank_multisets,
    strengths_of_ranks,
    tables,
)
from engine.kernels.jit import kernel, register_warm_up

STATE_WIDTH = 16
"""Transitions of a state, one for each rank, and padding."""

PAIR_WIDTH = 96
"""Strengths of a state of five ranks, one for each of the 91 pairs of ranks, and padding: zeros."""

_HIGHER, _LOWER = np.maximum.outer(np.arange(13), np.arange(13)), np.minimum.outer(np.arange(13), np.arange(13))
_PAIR_OF_RANKS = _HIGHER * (_HIGHER + 1) // 2 + _LOWER
_NO_PAIR = 91
_LANES = 4

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(_LANES)
_SIXTEEN = np.uint64(16)
_DIGIT = np.uint64(15)
_THREE_OF_SUIT = np.uint64(8)
_SUIT_RANKS = np.uint64(0x1FFF)

# A hexadecimal digit for each suit, whose top bit is set by three cards and not cleared by five.
_NO_SUITS = np.uint64(0x5555)
_THREE_SUITED = np.uint64(0x8888)


class RankAutomaton(NamedTuple):
    """The automaton's read-only tables, 1.3 MB together; made by `automaton()`.

    Attributes
    ----------
    next_state : ndarray of uint32
        At `state + rank` the next state; `STATE_WIDTH` numbers for each state of less than five ranks. The first
        state, no ranks at all, is 0.
    pair_strength : ndarray of int16
        At `state + pair` the strength of five ranks and two more, flushes apart; `PAIR_WIDTH` numbers for each
        state of five ranks. The pair of ranks `high >= low` is `high * (high + 1) / 2 + low`.
    """

    next_state: NDArray[np.uint32]
    pair_strength: NDArray[np.int16]


class LastPairs(NamedTuple):
    """The pairs of cards that can be the last two, in lexical order of their places.

    Attributes
    ----------
    start : ndarray of int64, shape (places + 1,)
        The first pair of cards at this place or behind it.
    ranks : ndarray of uint8, shape (pairs + padding,)
        Which pair of ranks, as in `RankAutomaton.pair_strength`; the padding, three or more, has no strength.
    held : ndarray of uint16, shape (4, pairs)
        The set of ranks held in each suit.
    suited : ndarray of int64
        The pairs of one suit, suit after suit.
    suited_start : ndarray of int64, shape (4, places + 1)
        As `start`, in `suited`; a suit ends where its last place begins.
    """

    start: NDArray[np.int64]
    ranks: NDArray[np.uint8]
    held: NDArray[np.uint16]
    suited: NDArray[np.int64]
    suited_start: NDArray[np.int64]


def count_completions(known: NDArray[np.uint8], live: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count the strengths of all hands of seven cards that hold the known cards and otherwise live ones.

    Parameters
    ----------
    known : ndarray of uint8, shape (k,)
        0 to 7 different cards.
    live : ndarray of uint8, shape (n,)
        Different cards, none of them known.

    Returns
    -------
    ndarray of int64, shape (STRENGTH_COUNT + 1,)
        How many hands are worth each strength.

    Examples
    --------
    >>> board = np.array([48, 44, 40, 36, 32], dtype=np.uint8)  # Ac Kc Qc Jc Tc
    >>> live = np.setdiff1d(np.arange(52, dtype=np.uint8), board)
    >>> int(count_completions(board, live)[7462])  # C(47, 2) royal flushes
    1081
    """
    # The sixth and the seventh known card are the first of the last two.
    fixed = max(len(known) - 5, 0)
    last = np.concatenate([known[len(known) - fixed :], live])
    counters = np.zeros((STRENGTH_COUNT + 1, _LANES), dtype=np.uint32)
    count_by_pairs(tables(), automaton(), known[:5], live, _last_pairs(last, fixed), counters)
    counters[0] = 0  # the padding
    # All hands there are would not overflow one counter; and numpy's own sum over so short an axis is slow.
    return (counters[:, 0] + counters[:, 1] + counters[:, 2] + counters[:, 3]).astype(np.int64)


def _last_pairs(cards: NDArray[np.uint8], fixed: int) -> LastPairs:
    """Give all pairs, or with one or two cards fixed only those that hold the first card, or the first two."""
    first, second = np.triu_indices(len(cards), 1)
    is_wanted = (first == 0) & (second == 1) if fixed == 2 else (first == 0) | (fixed == 0)
    first, second = first[is_wanted], second[is_wanted]
    ranks = np.full(len(first) + _LANES - 1, _NO_PAIR, dtype=np.uint8)
    ranks[: len(first)] = _PAIR_OF_RANKS[cards[first] >> 2, cards[second] >> 2]
    suits = cards & 3
    held = np.where(suits == np.arange(4)[:, None], np.uint16(1) << (cards >> 2), 0).astype(np.uint16)
    places = np.arange(len(cards) + 1)
    by_suit = [np.flatnonzero((suits[first] == suit) & (suits[second] == suit)) for suit in range(4)]
    begins = np.cumsum([0, *map(len, by_suit[:3])])
    return LastPairs(
        start=np.searchsorted(first, places),
        ranks=ranks,
        held=held[:, first] | held[:, second],
        suited=np.concatenate(by_suit),
        suited_start=np.stack([begins[suit] + np.searchsorted(first[by_suit[suit]], places) for suit in range(4)]),
    )


@kernel
def count_by_pairs(
    evaluator: EvaluatorTables,
    automaton: RankAutomaton,
    known: NDArray[np.uint8],
    live: NDArray[np.uint8],
    pairs: LastPairs,
    counters: NDArray[np.uint32],
) -> None:
    """Count the strengths of hands of five cards and a pair each: the kernel of `count_completions`.

    Parameters
    ----------
    evaluator : EvaluatorTables
    automaton : RankAutomaton
    known : ndarray of uint8, shape (k,)
        The first 0 to 5 cards.
    live : ndarray of uint8, shape (n,)
        What the other cards up to the fifth are taken from, by places in rising order.
    pairs : LastPairs
        Of the live cards, for places behind those taken. With five known cards, all of them.
    counters : ndarray of uint32, shape (STRENGTH_COUNT + 1, 4)
        Added to: one for each of four hands in a row. Neighbouring hands are often worth the same, and so none
        has to wait until the last one is counted.
    """
    next_state, pair_strength = automaton
    card_mask, flush_strength = evaluator.card_mask, evaluator.flush_strength
    pair_start, pair_ranks, pair_held, suited_pairs, suited_start = pairs
    first = known.shape[0]
    end = np.uint64(pair_held.shape[1])
    state = np.zeros(6, dtype=np.uint64)
    suits = np.zeros(6, dtype=np.uint64)
    held = np.zeros(6, dtype=np.uint64)
    place = np.zeros(6, dtype=np.int64)
    suits[0] = _NO_SUITS
    depth = 0
    while depth >= 0:
        if depth < 5:
            at = place[depth]
            if depth >= first and at == live.shape[0]:
                depth = depth - 1 if depth > first else -1
                continue
            card = known[depth] if depth < first else live[at]
            state[depth + 1] = next_state[state[depth] + np.uint64(card >> 2)]
            suits[depth + 1] = suits[depth] + (_ONE << np.uint64(4 * (card & 3)))
            held[depth + 1] = held[depth] | card_mask[card]
            place[depth] = at + 1
            place[depth + 1] = at + 1 if depth >= first else 0
            depth += 1
            continue
        row = state[5]
        start = np.uint64(pair_start[place[5]])
        flush = suits[5] & _THREE_SUITED
        suit = flush_shift(flush) >> _FOUR
        ranks = (held[5] >> (_SIXTEEN * suit)) & _SUIT_RANKS
        if (suits[5] >> (_FOUR * suit)) & _DIGIT > _THREE_OF_SUIT:
            for i in range(start, end):
                strength = max(pair_strength[row + pair_ranks[i]], flush_strength[ranks | pair_held[suit, i]])
                counters[np.uint64(strength), i & _THREE] += _ONE
        else:
            for i in range(start, end, _FOUR):  # beyond the end is padding, of strength 0
                counters[np.uint64(pair_strength[row + pair_ranks[i]]), 0] += _ONE
                counters[np.uint64(pair_strength[row + pair_ranks[i + _ONE]]), 1] += _ONE
                counters[np.uint64(pair_strength[row + pair_ranks[i + _TWO]]), 2] += _ONE
                counters[np.uint64(pair_strength[row + pair_ranks[i + _THREE]]), 3] += _ONE
            if flush != np.uint64(0):
                for k in range(suited_start[suit, place[5]], suited_start[suit, suited_start.shape[1] - 1]):
                    pair = np.uint64(suited_pairs[k])
                    counters[np.uint64(pair_strength[row + pair_ranks[pair]]), (pair - start) & _THREE] -= _ONE
                    counters[np.uint64(flush_strength[ranks | pair_held[suit, pair]]), 0] += _ONE
        depth = 4 if first < 5 else -1


_automaton: RankAutomaton | None = None


def automaton() -> RankAutomaton:
    """Give the automaton: read from the cache folder, or computed (0.2 s) and kept there.

    Examples
    --------
    >>> int(automaton().next_state[2])  # the state of one four
    48
    """
    global _automaton
    if _automaton is None:
        _automaton = RankAutomaton(**cast(Any, cached_arrays("rank automaton", _compute_automaton)))
    return _automaton


def _compute_automaton() -> dict[str, NDArray[np.generic]]:
    """Compute the arrays of `RankAutomaton` by name."""
    multisets = [rank_multisets(count) for count in range(6)]
    digits = 5 ** np.arange(13)  # a multiset as a number, a digit for each rank
    numbers = [digits[each].sum(axis=1, dtype=np.int64) for each in multisets]
    begins = np.cumsum([0, *map(len, multisets[:5])])
    next_state = np.zeros((begins[-1], STATE_WIDTH), dtype=np.uint32)
    for count in range(5):
        order = np.argsort(numbers[count + 1])
        more = numbers[count][:, None] + digits
        at = order[np.searchsorted(numbers[count + 1][order], more).clip(max=len(order) - 1)]
        following = at * PAIR_WIDTH if count == 4 else (begins[count + 1] + at) * STATE_WIDTH
        # A fifth card of a rank does not come.
        is_possible = numbers[count + 1][at] == more
        next_state[begins[count] : begins[count + 1], :13] = np.where(is_possible, following, 0)

    low, high = np.array(list(combinations_with_replacement(range(13), 2))).T
    hands = np.empty((len(multisets[5]), len(low), 7), dtype=np.int64)
    hands[:, :, :5] = multisets[5][:, None]
    hands[:, :, 5], hands[:, :, 6] = low, high
    pair_strength = np.zeros((len(hands), PAIR_WIDTH), dtype=np.int16)
    pair_strength[:, _PAIR_OF_RANKS[high, low]] = strengths_of_ranks(hands)
    return {"next_state": next_state.ravel(), "pair_strength": pair_strength.ravel()}


def _warm_up() -> None:
    cards = np.arange(52, dtype=np.uint8)
    count_completions(cards[:5], cards[5:])


register_warm_up("every run-out", _warm_up, at_start=False)
