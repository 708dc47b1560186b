"""Random deals of several ranges with random run-outs, judged.

Deals are made a batch at a time, step by step for the whole batch: hole cards, the rest of the board, strengths,
winners. No step branches on what was drawn: a try that fails is overwritten by the next one (its place is not moved
on), since a branch that a processor cannot foresee costs as much as ten draws.

Outcomes are those of `engine.kernels.showdown`, with the squares of the weights beside them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.bits import nth_set_bit
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.rng import RandomState, new_stream, next_bits

REJECTING = 0
TOGETHER = 1
IN_TURN = 2
IN_TURN_OR_ANY = 3

BATCH = 1024
"""Tries that go through each step together."""

_BATCH_IN_TURN = 256
_MOST_REDRAWS = 32
_SURELY_FREE = 1 / 1024  # of a range's weight; where less is left, it is added up anew and drawn by a search

_DECK = np.uint64((1 << 52) - 1)
_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_UNUSED_BITS = np.uint64(6)
_FRACTION_BITS = np.uint64(58)
_FRACTION = np.uint64((1 << 58) - 1)
_FLUSH_BITS = np.uint64(0x8888)
_NO_FLUSH_BITS = np.uint64(~0x8888 & (2**64 - 1))
_PAIR_ROW = 64


class DrawLists(NamedTuple):
    """Lists to draw from by weight, one after another in flat arrays.

    Attributes
    ----------
    starts : ndarray of int64, shape (lists + 1,)
        Where each list begins, and the end.
    combos : ndarray of int16
        The combo of each entry, if an entry is a combo.
    weights : ndarray of float64
        Of each entry, more than 0.
    """

    starts: NDArray[np.int64]
    combos: NDArray[np.int16]
    weights: NDArray[np.float64]


class _Slots(NamedTuple):
    """The lists as alias tables: 2^bits slots, each with the entry it is for and the one that has its rest.

    Attributes
    ----------
    bits : ndarray of int64, shape (lists,)
    starts : ndarray of int64, shape (lists,)
        Where a list's slots begin. Lists of the same combos and weights, one after another, share theirs.
    threshold : ndarray of uint64, shape (slots,)
        See `fill_alias_table`; rounded to the high 32 bits, for numbers of which no others are random.
    combos : ndarray of uint16, shape (2 * slots,)
        Each slot's other combo and its own.
    masks : ndarray of uint64, shape (2 * slots,)
        Their cards.
    """

    bits: NDArray[np.int64]
    starts: NDArray[np.int64]
    threshold: NDArray[np.uint64]
    combos: NDArray[np.uint16]
    masks: NDArray[np.uint64]


class _Batch(NamedTuple):
    """Deals on the way; `[i]` is the i-th.

    Attributes
    ----------
    used : ndarray of uint64
        Cards that are taken.
    holes : ndarray of uint16, shape (players + 1, BATCH)
        The players' combos; the last row is for nobody.
    weights : ndarray of float64
    pairs : ndarray of uint16, shape (3 * stages, BATCH)
        Of each stage: where two combos of a try were found, and which try of the stage before it went on from.
    places : ndarray of uint16
    keys, boards : ndarray of uint64
        Key of the board, and its cards that were drawn.
    """

    used: NDArray[np.uint64]
    holes: NDArray[np.uint16]
    weights: NDArray[np.float64]
    pairs: NDArray[np.uint16]
    places: NDArray[np.uint16]
    keys: NDArray[np.uint64]
    boards: NDArray[np.uint64]


# ---- drawing by weight ----------------------------------------------------------------------------------


@kernel
def fill_alias_table(
    weights: NDArray[np.float64],
    bits: int,
    threshold: NDArray[np.uint64],
    entries: NDArray[np.int32],
) -> None:
    """Make a table by which one random number draws an entry by weight.

    The alias method (Vose, 1991, "A linear algorithm for generating random numbers with a given distribution",
    IEEE Transactions on Software Engineering 17), with slots added up to a power of two. The high bits of the
    number say which slot; the slot's own entry is drawn if the number is below its threshold, else another.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
        0 or more, not all 0.
    bits : int
        There are 2^bits slots, at least `n`.
    threshold : ndarray of uint64, shape (2 ** bits,)
        Filled.
    entries : ndarray of int32, shape (2 ** (bits + 1),)
        Filled with each slot's other entry and its own, so that `2 * slot + (number < threshold)` is the place.
    """
    slots = 1 << bits
    count = weights.shape[0]
    total = 0.0
    for i in range(count):
        total += weights[i]
    scale = slots / total
    share = np.zeros(slots)
    stack = np.zeros(slots, dtype=np.int32)
    small = 0  # slots with less than they hold stand at the front of the stack, the others at its back
    large = slots
    for i in range(slots):
        share[i] = weights[i] * scale if i < count else 0.0
        entries[2 * i] = entries[2 * i + 1] = i
        if share[i] < 1.0:
            stack[small] = i
            small += 1
        else:
            large -= 1
            stack[large] = i
    while small > 0 and large < slots:
        small -= 1
        poor, rich = stack[small], stack[large]
        entries[2 * poor] = rich
        share[rich] -= 1.0 - share[poor]
        if share[rich] < 1.0:
            large += 1
            stack[small] = rich
            small += 1
    shift = np.uint64(64 - bits)
    unit = np.float64(_ONE << shift)
    for i in range(slots):
        # A slot that is full, or left over by rounding, is for one entry alone.
        is_full = entries[2 * i] == i or share[i] >= 1.0
        if is_full:
            entries[2 * i] = min(i, count - 1)
        if i >= count:
            entries[2 * i + 1] = entries[2 * i]  # what was added has no entry of its own
        threshold[i] = (np.uint64(i) << shift) + (_NOTHING if is_full else np.uint64(share[i] * unit))


@inlined
def _bits_of(count: int) -> int:
    """Give the least number of bits, at least 1, that count so many slots."""
    bits = 1
    while 1 << bits < count:
        bits += 1
    return bits


@kernel
def _place_slots(lists: DrawLists, count: int, bits: NDArray[np.int64], slot_starts: NDArray[np.int64]) -> int:
    """Find out where the slots of the first lists begin, and of one more of two slots; gives their number."""
    starts, combos, weights = lists
    end = 0
    for number in range(count):
        start, size = starts[number], starts[number + 1] - starts[number]
        bits[number] = _bits_of(size)
        before = starts[number - 1] if number > 0 else start
        is_same = number > 0 and start - before == size
        i = 0
        while is_same and i < size:
            is_same = combos[start + i] == combos[before + i] and weights[start + i] == weights[before + i]
            i += 1
        slot_starts[number] = slot_starts[number - 1] if is_same else end
        end += 0 if is_same else 1 << bits[number]
    bits[count], slot_starts[count] = 1, end
    return end + 2


@kernel
def _fill_slots(lists: DrawLists, count: int, slots: _Slots) -> None:
    """Make the alias tables of the first lists; that of one more, whose only entry holds no card, is all zeros."""
    starts, combos, weights = lists
    threshold, masks = slots.threshold, slots.masks
    entries = np.zeros(masks.shape[0], dtype=np.int32)
    for number in range(count):
        start, stop = starts[number], starts[number + 1]
        first, last = slots.starts[number], slots.starts[number] + (1 << slots.bits[number])
        if start == stop:
            masks[2 * first : 2 * last] = _DECK  # whatever is drawn clashes
        elif number == 0 or first != slots.starts[number - 1]:
            fill_alias_table(weights[start:stop], slots.bits[number], threshold[first:last], entries[2 * first :])
            for i in range(first, last):
                nearest = (threshold[i] >> _HALF) + ((threshold[i] >> np.uint64(31)) & _ONE)
                threshold[i] = min(nearest, _LOW_HALF) << _HALF
            for i in range(2 * first, 2 * last):
                slots.combos[i] = combos[start + entries[i]]
                masks[i] = COMBO_MASK[slots.combos[i]]


@kernel
def _draw_rejecting(
    state: RandomState, slots: _Slots, drawn: NDArray[np.int64], dead: np.uint64, tries: int, batch: _Batch
) -> int:
    """Draw from each list of `drawn`, an even number of them; gives how many tries had no clash, now in front."""
    used, pairs = batch.used, batch.pairs
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(tries):
        used[i] = dead
    count = tries
    for stage in range(drawn.shape[0] // 2):
        first, second = drawn[2 * stage], drawn[2 * stage + 1]
        shift0, shift1 = np.uint64(64 - slots.bits[first]), np.uint64(64 - slots.bits[second])
        threshold0, masks0 = slots.threshold[slots.starts[first] :], slots.masks[2 * slots.starts[first] :]
        threshold1, masks1 = slots.threshold[slots.starts[second] :], slots.masks[2 * slots.starts[second] :]
        row0, row1, parents = pairs[3 * stage], pairs[3 * stage + 1], pairs[3 * stage + 2]
        kept = _NOTHING
        for i in range(count):
            number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
            low = number << _HALF
            taken = used[i]
            slot0, slot1 = number >> shift0, low >> shift1
            place0 = slot0 + slot0 + np.uint64(number < threshold0[slot0])
            place1 = slot1 + slot1 + np.uint64(low < threshold1[slot1])
            mask0, mask1 = masks0[place0], masks1[place1]
            both = taken | mask0
            clash = (taken & mask0) | (both & mask1)
            used[kept] = both | mask1
            row0[kept], row1[kept], parents[kept] = place0, place1, i
            kept += np.uint64(clash == _NOTHING)
        count = np.int64(kept)  # type: ignore[assignment]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return count


@kernel
def _look_up_drawn(slots: _Slots, drawn: NDArray[np.int64], count: int, batch: _Batch) -> None:
    """Fill in the combos of the first deals that `_draw_rejecting` kept."""
    pairs, places, holes = batch.pairs, batch.places, batch.holes
    for i in range(count):
        places[i] = i
    for stage in range(drawn.shape[0] // 2 - 1, -1, -1):
        first, second = drawn[2 * stage], drawn[2 * stage + 1]
        combos0, combos1 = slots.combos[2 * slots.starts[first] :], slots.combos[2 * slots.starts[second] :]
        row0, row1, parents = pairs[3 * stage], pairs[3 * stage + 1], pairs[3 * stage + 2]
        holes0, holes1 = holes[first], holes[second]
        for i in range(count):
            place = np.uint64(places[i])
            holes0[i], holes1[i] = combos0[np.uint64(row0[place])], combos1[np.uint64(row1[place])]
            places[i] = parents[place]


@kernel
def _draw_together(
    state: RandomState,
    bits: int,
    threshold: NDArray[np.uint64],
    entries: NDArray[np.int32],
    together: NDArray[np.int16],
    dead: np.uint64,
    count: int,
    batch: _Batch,
) -> None:
    """Draw whole deals by weight."""
    used, holes = batch.used, batch.holes
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    shift = np.uint64(64 - bits)
    for i in range(count):
        number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        slot = number >> shift
        row = entries[slot + slot + np.uint64(number < threshold[slot])]
        taken = dead
        for player in range(together.shape[1]):
            combo = together[row, player]
            holes[player, i] = combo
            taken |= COMBO_MASK[combo]
        used[i] = taken
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


# ---- drawing in turn ------------------------------------------------------------------------------------


class _Blocked(NamedTuple):
    """What each list loses by cards that are used.

    Attributes
    ----------
    totals : ndarray of float64, shape (lists,)
        The sum of all weights.
    by_card : ndarray of float64, shape (lists, 52)
        The weight of the combos with a card.
    by_pair : ndarray of float64, shape (lists, 52 * 64)
        The weight of the combo of the cards `a` and `b`, at `64 * a + b` and at `64 * b + a`.
    """

    totals: NDArray[np.float64]
    by_card: NDArray[np.float64]
    by_pair: NDArray[np.float64]


@kernel
def _fill_blocked(lists: DrawLists, count: int, blocked: _Blocked) -> None:
    """Add up the weights of the first lists by card and pair of cards."""
    starts, combos, weights = lists
    totals, by_card, by_pair = blocked
    for number in range(count):
        for i in range(starts[number], starts[number + 1]):
            high, low = np.int64(COMBO_CARDS[combos[i], 0]), np.int64(COMBO_CARDS[combos[i], 1])
            totals[number] += weights[i]
            by_card[number, high] += weights[i]
            by_card[number, low] += weights[i]
            by_pair[number, high * _PAIR_ROW + low] += weights[i]
            by_pair[number, low * _PAIR_ROW + high] += weights[i]


@kernel
def _subtract_blocked(
    blocked: _Blocked,
    number: int,
    first: int,
    player: int,
    cards: NDArray[np.uint8],
    count: int,
    free: NDArray[np.float64],
) -> None:
    """Take from `free` what a list loses by the combos of the players from `first` to before `player`.

    By inclusion and exclusion: the combos with a used card, less those with two, which were taken twice.
    """
    by_card, by_pair = blocked.by_card[number], blocked.by_pair[number]
    row = np.uint64(_PAIR_ROW)
    for other in range(first, player):
        highs, lows = cards[2 * other], cards[2 * other + 1]
        for i in range(count):
            high, low = np.uint64(highs[i]), np.uint64(lows[i])
            free[i] -= by_card[high] + by_card[low] - by_pair[high * row + low]
        for before in range(2 * other):
            used = cards[before]
            for i in range(count):
                at = np.uint64(used[i])
                free[i] += by_pair[np.uint64(highs[i]) * row + at] + by_pair[np.uint64(lows[i]) * row + at]


@kernel
def _draw_by_search(
    fraction: float, combos: NDArray[np.int16], weights: NDArray[np.float64], used: np.uint64
) -> tuple[int, float]:
    """Draw by weight among the combos with no used card; gives it, or -1 if there is none, and all their weight."""
    free = 0.0
    for i in range(combos.shape[0]):
        if COMBO_MASK[combos[i]] & used == _NOTHING:
            free += weights[i]
    place = fraction * free
    chosen = -1
    for i in range(combos.shape[0]):
        if COMBO_MASK[combos[i]] & used == _NOTHING:
            chosen = combos[i]
            place -= weights[i]
            if place < 0.0:
                break
    return chosen, free


@inlined
def _any_two(number: np.uint64, free: np.uint64, left: np.uint64) -> int:
    """Draw a combo of two of the `left` free cards."""
    product = (number >> _UNUSED_BITS) * left
    first = nth_set_bit(free, product >> _FRACTION_BITS)
    product = (product & _FRACTION) * (left - _ONE)
    second = nth_set_bit(free ^ (_ONE << first), product >> _FRACTION_BITS)
    high, low = max(first, second), min(first, second)
    return np.int64(((high * (high - _ONE)) >> _ONE) + low)  # type: ignore[return-value]


@kernel
def _draw_in_turn(
    state: RandomState,
    lists: DrawLists,
    slots: _Slots,
    blocked: _Blocked,
    dead: np.uint64,
    left: int,
    is_weighted: bool,
    count: int,
    batch: _Batch,
) -> int:
    """Draw from one list after another what is left of it; gives how many deals weigh anything, now in front."""
    starts, combos, entry_weights = lists
    bits, slot_starts = slots.bits, slots.starts
    used, holes, weights = batch.used, batch.holes, batch.weights
    players = starts.shape[0] - 1
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    free = np.zeros(count)
    cards = np.zeros((2 * players, count), dtype=np.uint8)
    waiting = np.zeros(count, dtype=np.uint16)
    used[:count] = dead
    weights[:count] = 1.0
    for player in range(players):
        total = blocked.totals[player]
        scale = 1.0 / total if total > 0.0 else 0.0
        is_same = player > 0 and slot_starts[player] == slot_starts[player - 1]
        if not is_same:
            free[:] = total
        _subtract_blocked(blocked, player, player - 1 if is_same else 0, player, cards, count, free)
        # The sums with little left are wrong by rounding, and drawing again until it fits would take long.
        redrawn, searched = 0, count
        for i in range(count):
            if free[i] * scale >= _SURELY_FREE:
                waiting[redrawn] = i
                redrawn += 1
                weights[i] *= free[i] * scale
            else:
                searched -= 1
                waiting[searched] = i
        unsure = searched
        shift, start = np.uint64(64 - bits[player]), slot_starts[player]
        threshold, masks = slots.threshold[start:], slots.masks[2 * start :]
        slot_combos = slots.combos[2 * start :]
        for _ in range(_MOST_REDRAWS):
            kept = _NOTHING
            for j in range(redrawn):
                number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
                at = np.uint64(waiting[j])
                slot = number >> shift
                place = slot + slot + np.uint64(number < threshold[slot])
                clashes = np.uint64(masks[place] & used[at] != _NOTHING)
                holes[player, at] = slot_combos[place]
                used[at] |= masks[place] & (clashes - _ONE)
                waiting[kept] = at
                kept += clashes
            redrawn = np.int64(kept)  # type: ignore[assignment]
            if redrawn == 0:
                break
        for j in range(redrawn + count - unsure):
            at = np.uint64(waiting[j if j < redrawn else unsure + j - redrawn])
            number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
            entries = slice(starts[player], starts[player + 1])
            unit = np.float64(number >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            combo, left_over = _draw_by_search(unit, combos[entries], entry_weights[entries], used[at])
            if combo < 0 and not is_weighted:
                combo = _any_two(number, _DECK ^ used[at], np.uint64(left - 2 * player))
            if j >= redrawn:
                weights[at] *= left_over * scale
            if combo >= 0:
                holes[player, at] = combo
                used[at] |= COMBO_MASK[combo]
            else:
                holes[player, at] = 0
        for i in range(count):
            cards[2 * player, i] = COMBO_CARDS[holes[player, i], 0]
            cards[2 * player + 1, i] = COMBO_CARDS[holes[player, i], 1]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    if not is_weighted:
        weights[:count] = 1.0
    kept = _NOTHING
    for i in range(count):
        for player in range(players):
            holes[player, kept] = holes[player, i]
        used[kept], weights[kept] = used[i], weights[i]
        kept += np.uint64(weights[i] > 0.0)
    return np.int64(kept)  # type: ignore[return-value]


# ---- the rest of a deal ---------------------------------------------------------------------------------


@kernel
def _deal_the_rest(
    state: RandomState,
    card_key: NDArray[np.uint64],
    known_key: np.uint64,
    missing: int,
    listed: int,
    players: int,
    left: int,
    count: int,
    batch: _Batch,
) -> None:
    """Deal the players from `listed` on any two of the `left` cards, then the missing cards of the board."""
    used, holes, keys, boards = batch.used, batch.holes, batch.keys, batch.boards
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for player in range(listed, players):
        for i in range(count):
            number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
            combo = _any_two(number, _DECK ^ used[i], np.uint64(left))
            holes[player, i] = combo
            used[i] |= COMBO_MASK[combo]
        left -= 2
    for i in range(count):
        number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
        product = number >> _UNUSED_BITS
        free = before = _DECK ^ used[i]
        key = known_key
        cards = np.uint64(left)
        for _ in range(missing):
            product = (product & _FRACTION) * cards
            card = nth_set_bit(free, product >> _FRACTION_BITS)
            free ^= _ONE << card
            key += card_key[card]
            cards -= _ONE
        keys[i] = key
        boards[i] = before ^ free
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@kernel
def _judge(
    evaluator: EvaluatorTables,
    combo_key: NDArray[np.uint64],
    known_mask: np.uint64,
    players: int,
    count: int,
    batch: _Batch,
    winners: NDArray[np.uint16],
) -> None:
    """Find the winners of each deal: bit `p` stands for player `p`."""
    card_mask = evaluator.card_mask
    holes, keys, boards, places = batch.holes, batch.keys, batch.boards, batch.places
    strengths = np.zeros((players, count), dtype=np.int16)
    with_flush = _NOTHING
    for i in range(count):
        board_key = keys[i]
        all_keys = _NOTHING
        for player in range(players):
            key = board_key + combo_key[holes[player, i]]
            all_keys |= key
            strengths[player, i] = strength_of_key(evaluator, key & _NO_FLUSH_BITS, _NOTHING)
        places[with_flush] = i
        with_flush += np.uint64(all_keys & _FLUSH_BITS != _NOTHING)
    for j in range(np.int64(with_flush)):
        at = np.uint64(places[j])
        mask, left = known_mask, boards[at]
        while left != _NOTHING:
            mask += card_mask[nth_set_bit(left, _NOTHING)]
            left &= left - _ONE
        for player in range(players):
            key = keys[at] + combo_key[holes[player, at]]
            if key & _FLUSH_BITS != _NOTHING:
                combo = holes[player, at]
                hole_mask = card_mask[COMBO_CARDS[combo, 0]] + card_mask[COMBO_CARDS[combo, 1]]
                strengths[player, at] = strength_of_key(evaluator, key, mask + hole_mask)
    best = np.zeros(count, dtype=np.int16)
    for player in range(players):
        for i in range(count):
            best[i] = max(best[i], strengths[player, i])
    for i in range(count):
        winners[i] = 0
    for player in range(players):
        bit = np.uint16(1 << player)
        for i in range(count):
            winners[i] |= bit if strengths[player, i] == best[i] else np.uint16(0)


# ---- all of it ------------------------------------------------------------------------------------------


@kernel
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
        When to stop: after this many deals, or after about this many attempts to draw one.
    outcomes : ndarray of float64, shape (2 ** players, 2)
        The weights of the deals and their squares are added to it.

    Returns
    -------
    deals, tries : int

    Notes
    -----
    All methods draw from the joint distribution, up to the rounding of random numbers: the chance of an entry of a
    list of up to 2^b entries is a multiple of 2^-32, off by at most 2^-33 for each of 2^b slots (for 334 combos the
    distribution is off by less than 6e-8 in total), and that of a card dealt from those left is off by less than
    2^-29 of itself.
    """
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    listed = together.shape[1] if method == TOGETHER else lists.starts.shape[0] - 1
    known_key, known_mask = START_KEY, _NOTHING
    for i in range(board.shape[0]):
        known_key += card_key[board[i]]
        known_mask += card_mask[board[i]]
    combo_key = np.zeros(COMBO_COUNT, dtype=np.uint64)
    for combo in range(COMBO_COUNT):
        combo_key[combo] = card_key[COMBO_CARDS[combo, 0]] + card_key[COMBO_CARDS[combo, 1]]
    batch = _Batch(
        np.zeros(BATCH, dtype=np.uint64),
        np.zeros((players + 1, BATCH), dtype=np.uint16),
        np.ones(BATCH),
        np.zeros((3 * (players // 2 + 1), BATCH), dtype=np.uint16),
        np.zeros(BATCH, dtype=np.uint16),
        np.zeros(BATCH, dtype=np.uint64),
        np.zeros(BATCH, dtype=np.uint64),
    )
    winners = np.zeros(BATCH, dtype=np.uint16)
    counts = np.zeros(outcomes.shape[0], dtype=np.int64)
    drawn_lists = 0 if method == TOGETHER else listed
    bits, slot_starts = np.zeros(drawn_lists + 1, dtype=np.int64), np.zeros(drawn_lists + 1, dtype=np.int64)
    size = _place_slots(lists, drawn_lists, bits, slot_starts)
    slots = _Slots(
        bits,
        slot_starts,
        np.zeros(size, dtype=np.uint64),
        np.zeros(2 * size, dtype=np.uint16),
        np.zeros(2 * size, dtype=np.uint64),
    )
    _fill_slots(lists, drawn_lists, slots)
    weighed = listed if method >= IN_TURN else 0
    blocked = _Blocked(np.zeros(weighed), np.zeros((weighed, 52)), np.zeros((weighed, 52 * _PAIR_ROW)))
    _fill_blocked(lists, weighed, blocked)
    rows = _bits_of(together.shape[0])
    threshold = np.zeros(1 << rows, dtype=np.uint64)
    entries = np.zeros(2 << rows, dtype=np.int32)
    if method == TOGETHER:
        fill_alias_table(lists.weights, rows, threshold, entries)
    left = 52 - 2 * listed
    for card in range(52):
        left -= np.int64((dead >> np.uint64(card)) & _ONE)
    drawn = np.full(listed + (listed & 1), listed)
    varied = 0
    held = dead
    if method == REJECTING:
        # A list of one combo is a known hand, which needs no drawing.
        for player in range(listed):
            combo = lists.combos[lists.starts[player]]
            if lists.starts[player + 1] - lists.starts[player] == 1 and COMBO_MASK[combo] & held == _NOTHING:
                held |= COMBO_MASK[combo]
                batch.holes[player] = combo
            else:
                drawn[varied] = player
                varied += 1
    drawn = drawn[: varied + (varied & 1)]
    deals = 0
    tries = 0
    while deals < max_deals and tries < max_tries:
        size = min(BATCH if method == REJECTING else _BATCH_IN_TURN, max_tries - tries)
        if method == REJECTING:
            count = min(_draw_rejecting(state, slots, drawn, held, size, batch), max_deals - deals)
            _look_up_drawn(slots, drawn, count, batch)
            deals += count
        else:
            size = count = min(size, max_deals - deals)
            deals += size
            if method == TOGETHER:
                _draw_together(state, rows, threshold, entries, together, dead, size, batch)
            else:
                is_weighted = method == IN_TURN
                count = _draw_in_turn(
                    state, lists, slots, blocked, dead, left + 2 * listed, is_weighted, size, batch
                )
        tries += size
        _deal_the_rest(state, card_key, known_key, 5 - board.shape[0], listed, players, left, count, batch)
        _judge(evaluator, combo_key, known_mask, players, count, batch, winners)
        if method == IN_TURN:
            for i in range(count):
                outcomes[winners[i], 0] += batch.weights[i]
                outcomes[winners[i], 1] += batch.weights[i] * batch.weights[i]
        else:
            for i in range(count):
                counts[winners[i]] += 1
    for i in range(outcomes.shape[0]):
        outcomes[i, 0] += counts[i]
        outcomes[i, 1] += counts[i]
    return deals, tries


def _warm_up() -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board = np.array([8, 13, 18], dtype=np.uint8)
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2))
    sample_deals(tables(), new_stream(0), board, np.uint64(0), lists, deal, REJECTING, 2, 1, 1, np.zeros((4, 2)))


register_warm_up("random deals", _warm_up)
