"""Random deals of several ranges with random run-outs, judged.

Outcomes are those of `engine.kernels.showdown`, with the squares of the weights beside them.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK
from engine.kernels.bits import nth_set_bit, ranks_of_suit
from engine.kernels.drawing import (
    DECK,
    FRACTION,
    FRACTION_BITS,
    POT,
    UNUSED_BITS,
    Batch,
    DrawLists,
    any_two,
    blocked_of,
    draw_in_turn,
    draw_rejecting,
    draw_together,
    fill_alias_table,
    new_batch,
    new_turns,
    slots_of,
)
from engine.kernels.evaluator import START_KEY, EvaluatorTables, flush_shift, strength_of_key, tables
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.rng import RandomState, new_stream, next_bits

REJECTING = 0
TOGETHER = 1
IN_TURN = 2
IN_TURN_OR_ANY = 3

_BATCH = 1024  # tries that go through each step together: what is drawn depends on it
_BATCH_IN_TURN = 2048  # deals that go through each step together; between steps the work is Python's
_BATCH_JUDGED = 8192  # the same where Python adds up what came of each deal, which has a price for each batch

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_FLUSH_BITS = np.uint64(0x8888)
_SUIT_RANKS = np.uint64(0x1FFF)
_NO_FLUSH_BITS = np.uint64(~0x8888 & (2**64 - 1))


class _Question(NamedTuple):
    """What all deals have in common.

    Attributes
    ----------
    evaluator : EvaluatorTables
    combo_key : ndarray of uint64, shape (1326,)
        What a combo adds to a hand's key.
    combo_mask : ndarray of uint64, shape (1326,)
        And to its mask.
    board : ndarray of uint64, shape (2,)
        Key and mask of the known board.
    numbers : ndarray of int64, shape (4,)
        Board cards missing, players with lists, players, and cards left for the others and the board.
    """

    evaluator: EvaluatorTables
    combo_key: NDArray[np.uint64]
    combo_mask: NDArray[np.uint64]
    board: NDArray[np.uint64]
    numbers: NDArray[np.int64]


@kernel
def _deal_any_two(state: RandomState, question: _Question, count: int, batch: Batch) -> None:
    """Deal the players without lists any two of the cards that are left."""
    numbers, used, holes = question.numbers, batch.used, batch.holes
    fractions, combos = batch.fractions, batch.keys
    listed, players, left = numbers[1], numbers[2], np.uint64(numbers[3])
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for player in range(listed, players):
        for i in range(count):
            fractions[i], s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        for i in range(count):
            combos[i] = any_two(fractions[i], DECK ^ used[i], left)
        for i in range(count):
            holes[player, i] = combos[i]
            used[i] |= COMBO_MASK[combos[i]]
        left -= np.uint64(2)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@kernel
def _deal_boards(state: RandomState, question: _Question, count: int, batch: Batch) -> None:
    """Deal the missing cards of the board, one after another to all deals."""
    card_key, known_key, numbers = question.evaluator.card_key, question.board[0], question.numbers
    missing, left = numbers[0], np.uint64(numbers[3] - 2 * (numbers[2] - numbers[1]))
    used, keys, boards = batch.used, batch.keys, batch.boards
    fractions, cards = batch.fractions, batch.flags
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(count):
        number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        fractions[i], keys[i], boards[i] = number >> UNUSED_BITS, known_key, DECK ^ used[i]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    for _ in range(missing):
        for i in range(count):
            product = (fractions[i] & FRACTION) * left
            card = nth_set_bit(boards[i], product >> FRACTION_BITS)
            boards[i] ^= _ONE << card
            cards[i], fractions[i] = card, product
        for i in range(count):
            keys[i] += card_key[cards[i]]
        left -= _ONE
    for i in range(count):
        boards[i] ^= DECK ^ used[i]


@kernel
def _judge(question: _Question, count: int, batch: Batch) -> None:
    """Find the winners of each deal."""
    evaluator, combo_key, combo_mask = question.evaluator, question.combo_key, question.combo_mask
    known_mask, players = question.board[1], question.numbers[2]
    flush_strength = evaluator.flush_strength
    holes, keys, boards, flags = batch.holes, batch.keys, batch.boards, batch.flags
    strengths, winners = batch.strengths, batch.winners
    for i in range(count):
        flags[i] = _NOTHING
    for player in range(players):
        combos, mine = holes[player], strengths[player]
        for i in range(count):
            key = keys[i] + combo_key[combos[i]]
            flags[i] |= key
            mine[i] = strength_of_key(evaluator, key & _NO_FLUSH_BITS, _NOTHING)
    with_flush = _NOTHING
    for i in range(count):
        winners[with_flush] = i
        with_flush += np.uint64(flags[i] & _FLUSH_BITS != _NOTHING)
    for j in range(with_flush):
        at = np.uint64(winners[j])
        # All flushes of a deal are of the board's suit; who has fewer than five cards of it finds 0 there.
        suit = flush_shift(flags[at] & _FLUSH_BITS)
        suited = (known_mask >> suit) | ranks_of_suit(boards[at] >> (suit >> np.uint64(4)))
        for player in range(players):
            ranks = (suited | combo_mask[holes[player, at]] >> suit) & _SUIT_RANKS
            strengths[player, at] = max(strengths[player, at], flush_strength[ranks])
    best = strengths[players]
    for i in range(count):
        best[i] = winners[i] = 0
    for player in range(players):
        for i in range(count):
            best[i] = max(best[i], strengths[player, i])
    for player in range(players):
        bit = np.uint16(1 << player)
        for i in range(count):
            winners[i] |= bit if strengths[player, i] == best[i] else np.uint16(0)


@kernel
def _add_squares(count: int, runouts: int, batch: Batch, squares: NDArray[np.float64]) -> None:
    """Add the square of what each player won on all run-outs of the same hole cards, times the deal's weight."""
    strengths, winners, units, won = batch.strengths, batch.winners, batch.units, batch.won
    best, unit, weights = strengths[squares.shape[0]], batch.unit, batch.weights
    for i in range(count * runouts):
        unit[i] = units[winners[i]]
    for player in range(squares.shape[0]):
        mine = strengths[player]
        for i in range(count):
            won[i] = 0
        for runout in range(runouts):
            first = np.uint64(count * runout)
            for i in range(np.uint64(count)):
                won[i] += unit[first + i] if mine[first + i] == best[first + i] else np.int16(0)
        for i in range(count):
            share = weights[i] * won[i] / POT
            squares[player] += share * share


# ---- all of it ------------------------------------------------------------------------------------------


def sample_deals(
    evaluator: EvaluatorTables,
    state: RandomState,
    board: NDArray[np.uint8],
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    players: int,
    max_deals: int,
    max_tries: int,
    outcomes: NDArray[np.float64],
    runouts: int = 1,
    squares: NDArray[np.float64] | None = None,
) -> tuple[int, int]:
    """Deal hole cards from ranges and the rest of the board at random, and judge the showdown.

    Parameters
    ----------
    evaluator : EvaluatorTables
    state : RandomState
        Changed.
    board : ndarray of uint8, shape (n,)
        Known board cards.
    dead : uint64
        Mask of the known board cards and the dead cards.
    lists : DrawLists
        A list of combos per player, without dead cards. For `TOGETHER` one list of the rows of `together`.
    together : ndarray of int16, shape (m, n)
        For `TOGETHER`: deals without a clash.
    method : int
        How to draw several ranges that must not share a card.

        - `REJECTING`: each player from the own list, all anew when any two clash.
        - `TOGETHER`: whole deals.
        - `IN_TURN`: one player after another from what the others left. A deal then weighs the product of the
          parts of the ranges that were left, which makes up for the bias of drawing in turn; a deal that cannot
          be finished weighs nothing.
        - `IN_TURN_OR_ANY`: the same, all deals weighing 1, and a player with nothing left gets any two cards.
    players : int
        Those beyond the lists, or beyond the width of `together`, get any two of the cards that are left. As
        there are always equally many ways to deal them, that is the joint distribution too.
    max_deals, max_tries : int
        When to stop: after this many deals, rounded down to a multiple of `runouts`, or after about this many
        attempts to draw hole cards.
    outcomes : ndarray of float64, shape (2 ** players, 2)
        The weights of the deals and their squares are added to it.
    runouts : int
        How many boards are dealt to the same hole cards, 1 to `MOST_RUNOUTS`, each independent of the others. Every
        one is a deal; they are equally distributed but not independent.
    squares : ndarray of float64, shape (players,), optional
        If there are several run-outs, the squares of what each player won on all those of the same hole cards, in
        units of their weight, are added to it; so the standard error can count them as one observation.

    Returns
    -------
    deals, tries : int
        Deals judged, and attempts to draw hole cards.

    Notes
    -----
    All methods draw from the joint distribution, up to the rounding of random numbers: the chance of an entry of a
    list of up to 2^b entries is a multiple of 2^-32, off by at most 2^-33 for each of 2^b slots (for 334 combos the
    distribution is off by less than 6e-8 in total), and that of a card dealt from those left is off by less than
    2^-29 of itself.
    """
    question = _question_of(evaluator, board, dead, lists, together, method, players)
    is_rejecting = method == REJECTING
    most, size = max_deals // runouts, _BATCH if is_rejecting else _BATCH_IN_TURN
    most_tries = max_tries if is_rejecting else min(most, max_tries)
    batch = new_batch(players, min(most_tries, size) * runouts)
    draw = _drawer(question, state, dead, lists, together, method, batch)
    sums = np.zeros_like(outcomes)
    dealt = tries = 0
    while dealt < most and tries < most_tries:
        step = min(size, most_tries - tries)
        count = draw(step, most - dealt)
        total = count * runouts
        if runouts > 1 and count:  # the same hole cards once more for each run-out
            batch.used[count:total].reshape(-1, count)[:] = batch.used[:count]
            batch.holes[:, count:total].reshape(players, -1, count)[:] = batch.holes[:, None, :count]
        _deal_boards(state, question, total, batch)
        _judge(question, total, batch)
        winners, weights = batch.winners[:total], None if is_rejecting else np.tile(batch.weights[:count], runouts)
        sums[:, 0] += np.bincount(winners, weights, len(sums))
        if weights is not None:
            sums[:, 1] += np.bincount(winners, weights * weights, len(sums))
        if squares is not None and runouts > 1:
            _add_squares(count, runouts, batch, squares)
        dealt += count if is_rejecting else step
        tries += step
    outcomes += sums[:, :1] if is_rejecting else sums  # each deal weighs 1, or as it was drawn
    return dealt * runouts, tries


def _question_of(
    evaluator: EvaluatorTables,
    board: NDArray[np.uint8],
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    players: int,
) -> _Question:
    listed = together.shape[1] if method == TOGETHER else len(lists.starts) - 1
    left = CARD_COUNT - int(dead).bit_count() - 2 * listed
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    return _Question(
        evaluator,
        card_key[COMBO_CARDS].sum(axis=1, dtype=np.uint64),
        card_mask[COMBO_CARDS].sum(axis=1, dtype=np.uint64),
        np.array([np.append(card_key[board], START_KEY).sum(), card_mask[board].sum()], dtype=np.uint64),
        np.array([5 - len(board), listed, players, left]),
    )


def _place_known_hands(lists: DrawLists, dead: np.uint64, batch: Batch) -> tuple[NDArray[np.int64], np.uint64]:
    """Deal the lists of one combo, which need no drawing; gives the others, and all cards taken so far."""
    drawn = []
    for player, start in enumerate(lists.starts[:-1]):
        combo = lists.combos[start] if start < len(lists.combos) else 0
        if lists.starts[player + 1] - start == 1 and not COMBO_MASK[combo] & dead:
            dead = dead | COMBO_MASK[combo]
            batch.holes[player] = combo
        else:
            drawn.append(player)
    return np.array(drawn, dtype=np.int64), dead


def _drawer(
    question: _Question,
    state: RandomState,
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    batch: Batch,
) -> Callable[[int, int], int]:
    """Return a function that deals hole cards: of so many tries so many deals at most; it returns how many."""
    _, listed, _, left = question.numbers.tolist()
    slots = slots_of(lists) if method != TOGETHER else None
    if slots is None:
        bits = max(1, (len(together) - 1).bit_length())
        threshold, entries = np.zeros(1 << bits, dtype=np.uint64), np.zeros(2 << bits, dtype=np.int32)
        fill_alias_table(lists.weights, bits, threshold, entries)
    elif method == REJECTING:
        drawn, held = _place_known_hands(lists, dead, batch)
    else:
        blocked, turns = blocked_of(lists), new_turns(listed, len(batch.weights))

    def draw(tries: int, most: int) -> int:
        count = tries
        if slots is None:
            draw_together(state, bits, threshold, entries, together, dead, count, batch)
        elif method == REJECTING:
            count = min(draw_rejecting(state, slots, drawn, held, tries, batch), most)
        else:
            is_weighted = method == IN_TURN
            count = draw_in_turn(
                state, lists, slots, blocked, dead, left + 2 * listed, is_weighted, tries, batch, turns
            )
        if listed < question.numbers[2]:
            _deal_any_two(state, question, count, batch)
        return count

    return draw


# ---- deal by deal ---------------------------------------------------------------------------------------


class JudgedDeals(NamedTuple):
    """Deals one by one, and what came of each; `[..., i]` is the i-th.

    Attributes
    ----------
    combos : ndarray of uint16, shape (players, n)
        The players' hole cards.
    strengths : ndarray of int16, shape (players, n)
        What they are worth at showdown.
    best : ndarray of int16, shape (n,)
        The highest of them.
    weights : ndarray of float64, shape (n,), or None
        None where each weighs 1.
    keys, runouts : ndarray of uint64, shape (n,)
        Key of the board, and mask of those of its cards that were not known.
    """

    combos: NDArray[np.uint16]
    strengths: NDArray[np.int16]
    best: NDArray[np.int16]
    weights: NDArray[np.float64] | None
    keys: NDArray[np.uint64]
    runouts: NDArray[np.uint64]


def draw_deals(
    evaluator: EvaluatorTables,
    state: RandomState,
    board: NDArray[np.uint8],
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    players: int,
    deals: int,
) -> Iterator[JudgedDeals]:
    """Deal as `sample_deals` does, every deal with hole cards of its own, and give what came of each.

    Parameters
    ----------
    evaluator, state, board, dead, lists, together, method, players
        As of `sample_deals`.
    deals : int
        How many. Drawn in turn, those that cannot be finished count among them.

    Yields
    ------
    JudgedDeals
        Up to 8192 at a time, in arrays that the next ones overwrite.
    """
    question = _question_of(evaluator, board, dead, lists, together, method, players)
    batch = new_batch(players, _BATCH_JUDGED)
    draw = _drawer(question, state, dead, lists, together, method, batch)
    done = 0
    while done < deals:
        tries = min(_BATCH_JUDGED, deals - done) if method != REJECTING else _BATCH_JUDGED
        count = min(draw(tries, tries), deals - done)
        done += count if method == REJECTING else tries
        _deal_boards(state, question, count, batch)
        _judge(question, count, batch)
        weights = batch.weights[:count] if method == IN_TURN else None
        strengths = batch.strengths[:, :count]
        runouts = batch.keys[:count], batch.boards[:count]
        yield JudgedDeals(batch.holes[:, :count], strengths[:-1], strengths[-1], weights, *runouts)


def judge_deals(
    evaluator: EvaluatorTables,
    board: NDArray[np.uint8],
    combos: NDArray[np.int16],
    runout_keys: NDArray[np.uint64],
    runouts: NDArray[np.uint64],
) -> JudgedDeals:
    """Judge given deals on given boards.

    Parameters
    ----------
    evaluator : EvaluatorTables
    board : ndarray of uint8, shape (k,)
        Known board cards.
    combos : ndarray of int16, shape (players, n)
        Hole cards of each deal; `n` is at most 65,536.
    runout_keys, runouts : ndarray of uint64, shape (n,)
        Of each deal's other board cards the sum of the keys, and the mask (bit `card`).

    Returns
    -------
    JudgedDeals
        In arrays of their own, each deal of weight 1.
    """
    players, count = combos.shape
    lists = DrawLists(np.zeros(players + 1, dtype=np.int64), np.zeros(0, dtype=np.int16), np.zeros(0))
    question = _question_of(evaluator, board, np.uint64(0), lists, np.zeros((0, 0), dtype=np.int16), -1, players)
    batch = new_batch(players, count)
    batch.holes[:] = combos
    batch.keys[:] = runout_keys + question.board[0]
    batch.boards[:] = runouts
    _judge(question, count, batch)
    return JudgedDeals(batch.holes, batch.strengths[:-1], batch.strengths[-1], None, batch.keys, batch.boards)


def _warm_up(*methods: int, runouts: int) -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board, none = np.array([8, 13, 18], dtype=np.uint8), np.uint64(0)
    for method in methods:
        lists = DrawLists(np.array([0, 1, 2][: 2 if method == TOGETHER else 3]), deal[0], np.ones(2))
        state, outcomes, squares = new_stream(0), np.zeros((8, 2)), np.zeros(3)
        sample_deals(tables(), state, board, none, lists, deal, method, 3, 2, 1, outcomes, runouts, squares)


def _warm_up_one_by_one() -> None:
    deal, board = np.array([[1325, 0]], dtype=np.int16), np.array([8, 13, 18], dtype=np.uint8)
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2))
    next(draw_deals(tables(), new_stream(0), board, np.uint64(0), lists, deal, REJECTING, 2, 2))


register_warm_up("random deals", partial(_warm_up, REJECTING, runouts=1))
register_warm_up(
    "random deals of ranges that clash", partial(_warm_up, TOGETHER, IN_TURN, runouts=2), at_start=False
)
register_warm_up("random deals one by one", _warm_up_one_by_one, at_start=False)
