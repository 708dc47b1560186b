"""Random deals of several ranges with random run-outs, judged.

Outcomes are those of `engine.kernels.showdown`, with the squares of the weights beside them.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK
from engine.kernels.bits import nth_set_bit
from engine.kernels.drawing import (
    DECK,
    FRACTION,
    FRACTION_BITS,
    POT,
    UNUSED_BITS,
    Batch,
    DrawLists,
    Slots,
    any_two,
    blocked_of,
    draw_in_turn,
    draw_rejecting,
    draw_together,
    fill_alias_table,
    look_up_drawn,
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

_BATCH = 1024  # tries that go through each step together, so that all stays in the nearest cache
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
def _board(
    number: np.uint64, free: np.uint64, left: np.uint64, missing: int, key: np.uint64, card_key: NDArray[np.uint64]
) -> tuple[np.uint64, np.uint64]:
    """Draw so many of the `left` free cards by a random number; gives the sum of their keys and `key`, and them."""
    product = number >> UNUSED_BITS
    rest = free
    for _ in range(missing):
        product = (product & FRACTION) * left
        card = nth_set_bit(rest, product >> FRACTION_BITS)
        rest ^= _ONE << card
        key += card_key[card]
        left -= _ONE
    return key, free ^ rest


@kernel
def _deal_any_two(state: RandomState, question: _Question, count: int, batch: Batch) -> None:
    """Deal the players without lists any two of the cards that are left."""
    numbers, used, holes = question.numbers, batch.used, batch.holes
    listed, players, left = numbers[1], numbers[2], numbers[3]
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for player in range(listed, players):
        for i in range(count):
            number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
            combo = any_two(number, DECK ^ used[i], np.uint64(left - 2 * (player - listed)))
            holes[player, i] = combo
            used[i] |= COMBO_MASK[combo]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@kernel
def _deal_boards(state: RandomState, question: _Question, count: int, batch: Batch) -> None:
    """Deal the missing cards of the board."""
    card_key, known_key, numbers = question.evaluator.card_key, question.board[0], question.numbers
    missing, left = numbers[0], np.uint64(numbers[3] - 2 * (numbers[2] - numbers[1]))
    used, keys, boards = batch.used, batch.keys, batch.boards
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(count):
        number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        free = DECK ^ used[i]
        # A known number of cards is unrolled.
        if missing == 5:
            keys[i], boards[i] = _board(number, free, left, 5, known_key, card_key)
        else:
            keys[i], boards[i] = _board(number, free, left, missing, known_key, card_key)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@kernel
def _judge(question: _Question, count: int, batch: Batch) -> None:
    """Find the winners of each deal."""
    evaluator, combo_key, combo_mask = question.evaluator, question.combo_key, question.combo_mask
    known_mask, players = question.board[1], question.numbers[2]
    card_mask, flush_strength = evaluator.card_mask, evaluator.flush_strength
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
        mask, left = known_mask, boards[at]
        while left != _NOTHING:
            mask += card_mask[nth_set_bit(left, _NOTHING)]
            left &= left - _ONE
        # All flushes of a deal are of the board's suit; who has fewer than five cards of it finds 0 there.
        suit = flush_shift(flags[at] & _FLUSH_BITS)
        for player in range(players):
            ranks = ((mask + combo_mask[holes[player, at]]) >> suit) & _SUIT_RANKS
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
def _add_shares(count: int, batch: Batch) -> None:
    """Add to each deal of hole cards what its players won on this run-out."""
    strengths, winners, units, won = batch.strengths, batch.winners, batch.units, batch.won
    players = won.shape[0]
    best, unit = strengths[players], batch.unit
    for i in range(count):
        unit[i] = units[winners[i]]
    for player in range(players):
        for i in range(count):
            won[player, i] += unit[i] if strengths[player, i] == best[i] else np.int16(0)


@kernel
def _sample_rejecting(
    state: RandomState,
    question: _Question,
    slots: Slots,
    drawn: NDArray[np.int64],
    held: np.uint64,
    max_deals: int,
    max_tries: int,
    runouts: int,
    batch: Batch,
    counts: NDArray[np.int64],
    squares: NDArray[np.int64],
) -> tuple[int, int]:
    """Sample by drawing all anew at a clash; gives the deals of hole cards, and the tries.

    To `counts` the run-outs are added by winners; to `squares`, shape (players,), what each player won on all
    run-outs of the same hole cards, in `POT` parts and squared.
    """
    winners, won = batch.winners, batch.won
    deals = 0
    tries = 0
    while deals < max_deals and tries < max_tries:
        size = min(_BATCH, max_tries - tries)
        count = min(draw_rejecting(state, slots, drawn, held, size, batch), max_deals - deals)
        look_up_drawn(slots, drawn, count, batch)
        _deal_any_two(state, question, count, batch)
        for _ in range(runouts):
            _deal_boards(state, question, count, batch)
            _judge(question, count, batch)
            for i in range(count):
                counts[winners[i]] += 1
            if runouts > 1:
                _add_shares(count, batch)
        if runouts > 1:
            for player in range(won.shape[0]):
                total = np.int64(0)
                for i in range(count):
                    total += np.int64(np.int32(won[player, i]) * np.int32(won[player, i]))
                    won[player, i] = 0
                squares[player] += total
        tries += size
        deals += count
    return deals, tries


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
    if squares is None:
        squares = np.zeros(players)
    if method != REJECTING:
        return _sample_without_rejecting(
            question, state, dead, lists, together, method, max_deals, max_tries, outcomes, runouts, squares
        )
    batch = new_batch(players, _BATCH)
    drawn, held = _place_known_hands(lists, dead, batch)
    counts, won = np.zeros(len(outcomes), dtype=np.int64), np.zeros(players, dtype=np.int64)
    most = max_deals // runouts
    deals, tries = _sample_rejecting(
        state, question, slots_of(lists), drawn, held, most, max_tries, runouts, batch, counts, won
    )
    outcomes += counts[:, None]
    squares += won / POT**2
    return deals * runouts, tries


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


def _sample_without_rejecting(
    question: _Question,
    state: RandomState,
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    max_deals: int,
    max_tries: int,
    outcomes: NDArray[np.float64],
    runouts: int,
    squares: NDArray[np.float64],
) -> tuple[int, int]:
    most = min(max_deals // runouts, max_tries)
    batch = new_batch(int(question.numbers[2]), min(most, _BATCH_IN_TURN))
    draw = _drawer(question, state, dead, lists, together, method, batch)
    for dealt in range(0, most, _BATCH_IN_TURN):
        count = draw(min(_BATCH_IN_TURN, most - dealt))
        winners, weights = batch.winners[:count], batch.weights[:count]
        for _ in range(runouts):
            _deal_boards(state, question, count, batch)
            _judge(question, count, batch)
            outcomes[:, 0] += np.bincount(winners, weights, len(outcomes))
            outcomes[:, 1] += np.bincount(winners, weights * weights, len(outcomes))
            if runouts > 1:
                _add_shares(count, batch)
        if runouts > 1:
            squares += (batch.won[:, :count] / POT * weights) ** 2 @ np.ones(count)
            batch.won[:] = 0
    return most * runouts, most


def _drawer(
    question: _Question,
    state: RandomState,
    dead: np.uint64,
    lists: DrawLists,
    together: NDArray[np.int16],
    method: int,
    batch: Batch,
) -> Callable[[int], int]:
    """Give a function that deals hole cards: told how many tries to make, it says how many deals came of them."""
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

    def draw(tries: int) -> int:
        count = tries
        if slots is None:
            draw_together(state, bits, threshold, entries, together, dead, count, batch)
        elif method == REJECTING:
            count = draw_rejecting(state, slots, drawn, held, tries, batch)
            look_up_drawn(slots, drawn, count, batch)
        else:
            is_weighted = method == IN_TURN
            count = draw_in_turn(
                state, lists, slots, blocked, dead, left + 2 * listed, is_weighted, tries, batch, turns
            )
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
        count = min(draw(tries), deals - done)
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


def _warm_up(*methods: int) -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board = np.array([8, 13, 18], dtype=np.uint8)
    for method in methods:
        lists = DrawLists(np.array([0, 1, 2][: 2 if method == TOGETHER else 3]), deal[0], np.ones(2))
        state, outcomes = new_stream(0), np.zeros((4, 2))
        sample_deals(tables(), state, board, np.uint64(0), lists, deal, method, 2, 2, 1, outcomes, 2)


def _warm_up_one_by_one() -> None:
    deal, board = np.array([[1325, 0]], dtype=np.int16), np.array([8, 13, 18], dtype=np.uint8)
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2))
    next(draw_deals(tables(), new_stream(0), board, np.uint64(0), lists, deal, REJECTING, 2, 2))


register_warm_up("random deals", partial(_warm_up, REJECTING))
register_warm_up("random deals of ranges that clash", partial(_warm_up, TOGETHER, IN_TURN), at_start=False)
register_warm_up("random deals one by one", _warm_up_one_by_one, at_start=False)
