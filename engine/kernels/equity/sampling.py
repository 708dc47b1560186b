"""Random deals of several ranges with random run-outs, judged.

Outcomes are those of `engine.kernels.equity.showdown`, with the squares of the weights.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK
from engine.kernels.bits import nth_set_bit, ranks_of_suit
from engine.kernels.equity.drawing import (
    DECK,
    FRACTION,
    FRACTION_BITS,
    POT,
    UNUSED_BITS,
    Batch,
    DrawLists,
    Rejected,
    draw_in_turn,
    draw_rejecting,
    draw_together,
    fill_alias_table,
    new_batch,
    new_turns,
    slots_of,
)
from engine.kernels.evaluator import START_KEY, EvaluatorTables, flush_shift, strength_without_flush, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.rng import RandomState, new_stream, next_bits

REJECTING = 0
TOGETHER = 1
IN_TURN = 2
IN_TURN_OR_ANY = 3

_TRIES = 1024  # that go through each step together: what is drawn depends on it
_BATCH = 4096  # deals that are judged together, and room for those of so many tries at once
_BATCH_IN_TURN = 2048  # deals that go through each step together; between steps the work is Python's
_BATCH_JUDGED = 8192  # the same where Python adds up what came of each deal, which has a price for each batch

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_FLUSH_BITS = np.uint64(0x8888)
_SUIT_RANKS = np.uint64(0x1FFF)


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


@inlined
def _deal_any_two(state: RandomState, question: _Question, first: int, count: int, batch: Batch) -> None:
    """Deal the players without lists any two of the cards that are left."""
    numbers, used, holes = question.numbers, batch.used, batch.holes
    fractions, combos = batch.fractions, batch.flags
    listed, players, left = numbers[1], numbers[2], np.uint64(numbers[3])
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for player in range(listed, players):
        hole = holes[player, first:]
        for i in range(count):
            fractions[i], s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        # As `any_two`, in two loops: one that finds two cards is not vectorised and takes seven times as long.
        for i in range(count):
            fractions[i] = (fractions[i] >> UNUSED_BITS) * left
            combos[i] = nth_set_bit(DECK ^ used[i], fractions[i] >> FRACTION_BITS)
        for i in range(count):
            product = (fractions[i] & FRACTION) * (left - _ONE)
            second = nth_set_bit(DECK ^ used[i] ^ (_ONE << combos[i]), product >> FRACTION_BITS)
            high, low = max(combos[i], second), min(combos[i], second)
            combos[i] = ((high * (high - _ONE)) >> _ONE) + low
        for i in range(count):
            hole[i] = combos[i]
            used[i] |= COMBO_MASK[combos[i]]
        left -= np.uint64(2)
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@inlined
def _deal_boards(state: RandomState, question: _Question, first: int, count: int, batch: Batch) -> None:
    """Deal the missing cards of the board, one after another to all deals, for each run-out."""
    card_key, known_key, numbers = question.evaluator.card_key, question.board[0], question.numbers
    missing, used = numbers[0], batch.used
    fractions, cards = batch.fractions, batch.flags
    for runout in range(batch.keys.shape[0]):
        keys, boards = batch.keys[runout, first:], batch.boards[runout, first:]
        left = np.uint64(numbers[3] - 2 * (numbers[2] - numbers[1]))
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
def _deal_rejecting(
    state: RandomState, question: _Question, lists: Rejected, max_deals: int, max_tries: int, batch: Batch
) -> tuple[int, int]:
    """Deal hole cards, drawn again when any two clash, and boards until the batch may be full.

    Return how many deals, and how many tries.
    """
    deals = tries = 0
    step = batch.places.shape[1] - 2
    while deals < max_deals and tries < max_tries and deals + step <= batch.holes.shape[1]:
        together = min(step, max_tries - tries)
        count = min(draw_rejecting(state, lists, together, deals, batch), max_deals - deals)
        _deal_any_two(state, question, deals, count, batch)
        _deal_boards(state, question, deals, count, batch)
        deals += count
        tries += together
    return deals, tries


@kernel
def _judge(question: _Question, count: int, batch: Batch) -> None:
    """Find the winners of each deal on each run-out."""
    evaluator, combo_key, combo_mask = question.evaluator, question.combo_key, question.combo_mask
    known_mask, players = question.board[1], question.numbers[2]
    row_offset, rank_strength = evaluator.row_offset, evaluator.rank_strength
    flush_strength = evaluator.flush_strength
    holes, flags, strengths = batch.holes, batch.flags, batch.strengths
    best = strengths[players]
    for runout in range(batch.keys.shape[0]):
        keys, boards, winners = batch.keys[runout], batch.boards[runout], batch.winners[runout]
        for i in range(count):
            flags[i] = _NOTHING
        for player in range(players):
            combos, mine = holes[player], strengths[player]
            for i in range(count):
                key = keys[i] + combo_key[combos[i]]
                flags[i] |= key
                mine[i] = strength_without_flush(row_offset, rank_strength, key)
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
        for i in range(count):
            best[i] = winners[i] = 0
        for player in range(players):
            mine = strengths[player]
            for i in range(count):
                best[i] = max(best[i], mine[i])
        for player in range(players):
            mine, bit = strengths[player], np.uint16(1 << player)
            for i in range(count):
                winners[i] |= bit if mine[i] == best[i] else np.uint16(0)


@kernel
def _share_pots(count: int, batch: Batch) -> None:
    """Find what each player won on all run-outs of each deal, from the winners of each."""
    units, unit = batch.units, batch.flags
    for runout in range(batch.keys.shape[0]):
        winners = batch.winners[runout]
        for i in range(count):
            unit[i] = np.uint64(units[winners[i]])
        for player in range(batch.won.shape[0]):
            won, bit = batch.won[player], np.uint16(1 << player)
            for i in range(count):
                won[i] = (won[i] if runout > 0 else np.int16(0)) + (
                    np.int16(unit[i]) if winners[i] & bit else np.int16(0)
                )


# ---- all of it ------------------------------------------------------------------------------------------


class Dealing(NamedTuple):
    """What is dealt to whom, and how.

    Attributes
    ----------
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

        - `REJECTING`: each player from the own list, all again when any two clash.
        - `TOGETHER`: whole deals.
        - `IN_TURN`: one player after another from what the others left. A deal then weighs the product of the
          parts of the ranges that were left, which makes up for the bias of drawing in turn; a deal that cannot
          be finished weighs nothing.
        - `IN_TURN_OR_ANY`: the same, all deals weighing 1, and a player with nothing left gets any two cards.
    players : int
        Those beyond the lists, or beyond the width of `together`, get any two of the cards that are left. As
        there are always equally many ways to deal them, that is the joint distribution too.
    """

    board: NDArray[np.uint8]
    dead: np.uint64
    lists: DrawLists
    together: NDArray[np.int16]
    method: int
    players: int


def sample_deals(
    evaluator: EvaluatorTables,
    state: RandomState,
    dealing: Dealing,
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
    dealing : Dealing
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
    is_rejecting = dealing.method == REJECTING
    most = max_deals // runouts
    most_tries = max_tries if is_rejecting else min(most, max_tries)
    size, tries_together = (_BATCH, _TRIES) if is_rejecting else (min(most_tries, _BATCH_IN_TURN), 0)
    batch = new_batch(dealing.players, size, runouts, tries_together)
    question = _question_of(evaluator, dealing)
    deal = _dealer(question, state, dealing, batch)
    sums = np.zeros_like(outcomes)
    dealt = tries = 0
    while dealt < most and tries < most_tries:
        count, tried = deal(most - dealt, most_tries - tries)
        _judge(question, count, batch)
        winners = batch.winners[:, :count].ravel()
        weights = None if is_rejecting else np.tile(batch.weights[:count], runouts)
        sums[:, 0] += np.bincount(winners, weights, len(sums))
        if weights is not None:
            sums[:, 1] += np.bincount(winners, weights * weights, len(sums))
        if squares is not None and runouts > 1:
            _share_pots(count, batch)
            won = batch.won[:, :count] / POT * batch.weights[:count]
            squares += (won * won).sum(axis=1)
        dealt += count if is_rejecting else tried
        tries += tried
    outcomes += sums[:, :1] if is_rejecting else sums  # each deal weighs 1, or as it was drawn
    return dealt * runouts, tries


def _question_of(evaluator: EvaluatorTables, dealing: Dealing) -> _Question:
    listed = dealing.together.shape[1] if dealing.method == TOGETHER else len(dealing.lists.starts) - 1
    left = CARD_COUNT - int(dealing.dead).bit_count() - 2 * listed
    card_key, card_mask, board = evaluator.card_key, evaluator.card_mask, dealing.board
    return _Question(
        evaluator,
        card_key[COMBO_CARDS].sum(axis=1, dtype=np.uint64),
        card_mask[COMBO_CARDS].sum(axis=1, dtype=np.uint64),
        np.array([np.append(card_key[board], START_KEY).sum(), card_mask[board].sum()], dtype=np.uint64),
        np.array([5 - len(board), listed, dealing.players, left]),
    )


def _place_known_hands(lists: DrawLists, dead: np.uint64, batch: Batch) -> tuple[NDArray[np.int64], np.uint64]:
    """Deal the lists of one combo, which need no drawing; return the others, and all cards taken so far."""
    drawn = []
    for player, start in enumerate(lists.starts[:-1]):
        combo = lists.combos[start] if start < len(lists.combos) else 0
        if lists.starts[player + 1] - start == 1 and not COMBO_MASK[combo] & dead:
            dead = dead | COMBO_MASK[combo]
            batch.holes[player] = combo
        else:
            drawn.append(player)
    return np.array(drawn, dtype=np.int64), dead


def _dealer(
    question: _Question, state: RandomState, dealing: Dealing, batch: Batch
) -> Callable[[int, int], tuple[int, int]]:
    """Return a function that deals hole cards and boards: at most so many deals of at most so many tries.

    It returns how many deals, and how many tries.
    """
    _, listed, players, left = question.numbers.tolist()
    _, dead, lists, together, method, _ = dealing
    if method == TOGETHER:
        bits = max(1, (len(together) - 1).bit_length())
        threshold, entries = np.zeros(1 << bits, dtype=np.uint64), np.zeros(2 << bits, dtype=np.int32)
        fill_alias_table(lists.weights, bits, threshold, entries)
    elif method == REJECTING:
        rejected = Rejected(slots_of(lists), *_place_known_hands(lists, dead, batch))
        return lambda most, tries: _deal_rejecting(state, question, rejected, most, tries, batch)
    else:
        turns = new_turns(lists, len(batch.weights))

    def deal(most: int, tries: int) -> tuple[int, int]:
        count = tries = min(most, tries, len(batch.weights))
        if method == TOGETHER:
            draw_together(state, bits, threshold, entries, together, dead, count, batch)
        else:
            count = draw_in_turn(state, turns, dead, left + 2 * listed, method == IN_TURN, tries, batch)
        if listed < players:
            _deal_any_two(state, question, 0, count, batch)
        _deal_boards(state, question, 0, count, batch)
        return count, tries

    return deal


# ---- deal by deal ---------------------------------------------------------------------------------------


class JudgedDeals(NamedTuple):
    """Deals one by one, and what came of each; `[..., i]` is the i-th.

    Attributes
    ----------
    combos : ndarray of uint16, shape (players, n)
        The players' hole cards.
    strengths : ndarray of int16, shape (players, n)
        Of their showdown.
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
    evaluator: EvaluatorTables, state: RandomState, dealing: Dealing, deals: int
) -> Iterator[JudgedDeals]:
    """Deal as `sample_deals` does, every deal with hole cards of its own, and give what came of each.

    Parameters
    ----------
    evaluator, state, dealing
        As of `sample_deals`.
    deals : int
        How many. Drawn in turn, those that cannot be finished count among them.

    Yields
    ------
    JudgedDeals
        Up to 8192 at a time, in arrays that the next ones overwrite.
    """
    question = _question_of(evaluator, dealing)
    is_rejecting = dealing.method == REJECTING
    batch = new_batch(dealing.players, _BATCH_JUDGED, tries=_BATCH_JUDGED if is_rejecting else 0)
    deal = _dealer(question, state, dealing, batch)
    done = 0
    while done < deals:
        count, tries = deal(_BATCH_JUDGED, _BATCH_JUDGED if is_rejecting else deals - done)
        count = min(count, deals - done)
        done += count if is_rejecting else tries
        _judge(question, count, batch)
        weights = batch.weights[:count] if dealing.method == IN_TURN else None
        strengths = batch.strengths[:, :count]
        runouts = batch.keys[0, :count], batch.boards[0, :count]
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
    dealing = Dealing(board, np.uint64(0), lists, np.zeros((0, 0), dtype=np.int16), -1, players)
    question = _question_of(evaluator, dealing)
    batch = new_batch(players, count)
    batch.holes[:] = combos
    batch.keys[0] = runout_keys + question.board[0]
    batch.boards[0] = runouts
    _judge(question, count, batch)
    return JudgedDeals(batch.holes, batch.strengths[:-1], batch.strengths[-1], None, batch.keys[0], batch.boards[0])


def _warm_up(*methods: int, runouts: int) -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board, none = np.array([8, 13, 18], dtype=np.uint8), np.uint64(0)
    for method in methods:
        lists = DrawLists(np.array([0, 1, 2][: 2 if method == TOGETHER else 3]), deal[0], np.ones(2))
        state, outcomes, squares = new_stream(0), np.zeros((8, 2)), np.zeros(3)
        dealing = Dealing(board, none, lists, deal, method, 3)
        sample_deals(tables(), state, dealing, 2, 1, outcomes, runouts, squares)


def _warm_up_one_by_one() -> None:
    deal, board = np.array([[1325, 0]], dtype=np.int16), np.array([8, 13, 18], dtype=np.uint8)
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2))
    dealing = Dealing(board, np.uint64(0), lists, deal, REJECTING, 2)
    next(draw_deals(tables(), new_stream(0), dealing, 2))


register_warm_up("random deals", partial(_warm_up, REJECTING, runouts=1))
register_warm_up(
    "random deals of ranges that clash", partial(_warm_up, TOGETHER, IN_TURN, runouts=2), at_start=False
)
register_warm_up("random deals one by one", _warm_up_one_by_one, at_start=False)
