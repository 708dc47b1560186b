"""Hole cards drawn at random from several ranges, so many deals at a time.

Deals are made a batch at a time, step by step for the whole batch. No step branches on what was drawn: a try that
fails is overwritten by the next one (its place is not moved on), since a branch that a processor cannot foresee
costs as much as ten draws.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_MASK
from engine.kernels.bits import nth_set_bit
from engine.kernels.jit import inlined, kernel
from engine.kernels.rng import RandomState, next_bits

DECK = np.uint64((1 << 52) - 1)
"""All cards."""

FRACTION_BITS = np.uint64(58)
FRACTION = np.uint64((1 << 58) - 1)
UNUSED_BITS = np.uint64(6)
"""A random number without these bits is a fraction of 58 bits; times the number of cards left it says which."""

_MOST_REDRAWS = 32
_SURELY_FREE = 1 / 1024  # of a range's weight; where less is left, it is added up again and drawn by a search

_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
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


class Slots(NamedTuple):
    """Lists as alias tables: each of 2^bits slots is for two entries.

    Attributes
    ----------
    bits : ndarray of int64, shape (lists,)
    starts : ndarray of int64, shape (lists,)
        Where a list's slots begin. Lists of the same combos and weights, one after another, share theirs.
    threshold : ndarray of uint64, shape (slots,)
        See `fill_alias_table`; rounded to the high 32 bits, since one random number draws twice.
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


class Batch(NamedTuple):
    """Deals on the way; `[i]`, or `[..., i]`, is the i-th.

    Attributes
    ----------
    used : ndarray of uint64, shape (size + 2,)
        Cards that are taken; of the deals that were drawn together last.
    holes : ndarray of uint16, shape (players, size)
        The players' combos.
    weights : ndarray of float64, shape (size,)
    places, parents : ndarray of uint16, shape (players, tries + 2)
        For each list that was drawn from, where a try's combo was found, and which of the tries it was that the
        list before left.
    keys, boards : ndarray of uint64, shape (runouts, size)
        The board's key, and its cards that were drawn.
    fractions : ndarray of uint64, shape (size,)
        Random numbers, or what is left of them.
    flags : ndarray of uint64, shape (size,)
        In its flush bits, whether anyone has a flush.
    strengths : ndarray of int16, shape (players + 1, size)
        The players' on the last run-out, and last the best.
    winners : ndarray of uint16, shape (runouts, size)
        Bit `p` stands for player `p`. Before that, numbers of deals.
    units : ndarray of int16, shape (2 ** players,)
        What each winner gets of the `POT`, by the set of winners.
    won : ndarray of int16, shape (players, size)
        What the players won on all run-outs.
    """

    used: NDArray[np.uint64]
    holes: NDArray[np.uint16]
    weights: NDArray[np.float64]
    places: NDArray[np.uint16]
    parents: NDArray[np.uint16]
    keys: NDArray[np.uint64]
    boards: NDArray[np.uint64]
    fractions: NDArray[np.uint64]
    flags: NDArray[np.uint64]
    strengths: NDArray[np.int16]
    winners: NDArray[np.uint16]
    units: NDArray[np.int16]
    won: NDArray[np.int16]


POT = 2520
"""What is won: every number of up to ten winners gets a whole number of parts."""

MOST_RUNOUTS = 8
"""Of the same hole cards; what is won on all of them must fit 16 bits."""


def new_batch(players: int, size: int, runouts: int = 1, tries: int = 0) -> Batch:
    """Make room for so many deals of hole cards, and so many tries together to draw them."""
    return Batch(
        used=np.zeros(size + 2, dtype=np.uint64),
        holes=np.zeros((players, size), dtype=np.uint16),
        weights=np.ones(size),
        places=np.zeros((players, tries + 2), dtype=np.uint16),
        parents=np.zeros((players, tries + 2), dtype=np.uint16),
        keys=np.zeros((runouts, size), dtype=np.uint64),
        boards=np.zeros((runouts, size), dtype=np.uint64),
        fractions=np.zeros(size, dtype=np.uint64),
        flags=np.zeros(size, dtype=np.uint64),
        strengths=np.zeros((players + 1, size), dtype=np.int16),
        winners=np.zeros((runouts, size), dtype=np.uint16),
        units=(np.int64(POT) // np.maximum(np.bitwise_count(np.arange(1 << players)), 1)).astype(np.int16),
        won=np.zeros((players, size), dtype=np.int16),
    )


# ---- by weight, all again at a clash --------------------------------------------------------------------


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
    # Arrays are made here, since their making takes the compiler a quarter of a second.
    _fill_alias_table(weights, bits, threshold, entries, np.zeros(slots), np.zeros(slots, dtype=np.int32))


@kernel
def _fill_alias_table(
    weights: NDArray[np.float64],
    bits: int,
    threshold: NDArray[np.uint64],
    entries: NDArray[np.int32],
    share: NDArray[np.float64],
    stack: NDArray[np.int32],
) -> None:
    slots = 1 << bits
    count = weights.shape[0]
    total = 0.0
    for i in range(count):
        total += weights[i]
    scale = slots / total
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


def slots_of(lists: DrawLists) -> Slots:
    """Make the alias tables of lists of combos."""
    bits: list[int] = []
    starts: list[int] = []
    tables = [(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint16), np.zeros(0, dtype=np.uint64))]
    end = 0
    before = b""
    for start, stop in pairwise(lists.starts.tolist()):
        combos, weights = lists.combos[start:stop], lists.weights[start:stop]
        same = combos.tobytes() + weights.tobytes()
        if bits and same == before:
            bits.append(bits[-1])
            starts.append(starts[-1])
            continue
        before = same
        bits.append(max(1, (stop - start - 1).bit_length()))
        starts.append(end)
        end += 1 << bits[-1]
        tables.append(_slots_of_list(combos, weights, bits[-1]))
    threshold, slot_combos, masks = (np.concatenate(parts) for parts in zip(*tables, strict=True))
    return Slots(np.array(bits, dtype=np.int64), np.array(starts, dtype=np.int64), threshold, slot_combos, masks)


def _slots_of_list(
    combos: NDArray[np.int16], weights: NDArray[np.float64], bits: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint64]]:
    threshold = np.zeros(1 << bits, dtype=np.uint64)
    entries = np.zeros(2 << bits, dtype=np.int32)
    if len(combos) == 0:
        return threshold, entries.astype(np.uint16), np.full(2 << bits, DECK)  # whatever is drawn clashes
    fill_alias_table(weights, bits, threshold, entries)
    nearest = (threshold >> _HALF) + (threshold >> np.uint64(31) & _ONE)
    chosen = combos[entries]
    return np.minimum(nearest, _LOW_HALF) << _HALF, chosen.astype(np.uint16), COMBO_MASK[chosen]


class Rejected(NamedTuple):
    """Lists for `draw_rejecting`.

    Attributes
    ----------
    slots : Slots
        Of all lists.
    drawn : ndarray of int64, shape (n,)
        Those to draw from.
    dead : uint64
        Cards that are taken before.
    """

    slots: Slots
    drawn: NDArray[np.int64]
    dead: np.uint64


@inlined
def draw_rejecting(state: RandomState, lists: Rejected, tries: int, begin: int, batch: Batch) -> int:
    """Draw so many times from all lists; return how many tries had no clash, whose combos stand from `begin` on."""
    slots, drawn, dead = lists
    used = batch.used
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(tries):
        used[i] = dead
    count = tries
    for stage in range(drawn.shape[0]):
        start, shift = slots.starts[drawn[stage]], np.uint64(64 - slots.bits[drawn[stage]])
        threshold, masks = slots.threshold[start:], slots.masks[2 * start :]
        places, parents = batch.places[stage], batch.parents[stage]
        used[count] = DECK  # a try too many, if there is an odd number, clashes
        kept = _NOTHING
        for pair in range((count + 1) // 2):
            number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
            first, second = used[2 * pair], used[2 * pair + 1]
            slot = number >> shift
            place = slot + slot + np.uint64(number < threshold[slot])
            mask = masks[place]
            used[kept], places[kept], parents[kept] = first | mask, place, 2 * pair
            kept += np.uint64(first & mask == _NOTHING)
            number <<= _HALF
            slot = number >> shift
            place = slot + slot + np.uint64(number < threshold[slot])
            mask = masks[place]
            used[kept], places[kept], parents[kept] = second | mask, place, 2 * pair + 1
            kept += np.uint64(second & mask == _NOTHING)
        count = np.int64(kept)  # type: ignore[assignment]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    kept_tries = batch.winners[0]
    for i in range(count):
        kept_tries[i] = i
    for stage in range(drawn.shape[0] - 1, -1, -1):
        combos = slots.combos[2 * slots.starts[drawn[stage]] :]
        holes, places, parents = batch.holes[drawn[stage], begin:], batch.places[stage], batch.parents[stage]
        for i in range(count):
            at = np.uint64(kept_tries[i])
            holes[i] = combos[np.uint64(places[at])]
            kept_tries[i] = parents[at]
    return count


# ---- whole deals ----------------------------------------------------------------------------------------


@kernel
def draw_together(
    state: RandomState,
    bits: int,
    threshold: NDArray[np.uint64],
    entries: NDArray[np.int32],
    together: NDArray[np.int16],
    dead: np.uint64,
    count: int,
    batch: Batch,
) -> None:
    """Draw whole deals by weight, by the alias table of 2^bits slots of their list."""
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


# ---- in turn --------------------------------------------------------------------------------------------


class Blocked(NamedTuple):
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


def blocked_of(lists: DrawLists) -> Blocked:
    """Add up the weights of lists of combos by card and pair of cards."""
    count = len(lists.starts) - 1
    by_pair = np.zeros((count, 52, _PAIR_ROW))
    for number, (start, stop) in enumerate(pairwise(lists.starts)):
        high, low = COMBO_CARDS[lists.combos[start:stop]].T
        by_pair[number, high, low] = by_pair[number, low, high] = lists.weights[start:stop]
    by_card = by_pair.sum(axis=2)
    return Blocked(by_card.sum(axis=1) / 2, by_card, by_pair.reshape(count, -1))


class Turns(NamedTuple):
    """Lists for `draw_in_turn`, and room for what it keeps of a batch.

    Attributes
    ----------
    lists : DrawLists
    slots : Slots
    blocked : Blocked
    free : ndarray of float64, shape (size,)
        The weight of what is left of a range.
    cards : ndarray of uint8, shape (2 * players, size)
        The players' cards.
    waiting : ndarray of uint16, shape (size,)
        The deals that wait for a combo.
    """

    lists: DrawLists
    slots: Slots
    blocked: Blocked
    free: NDArray[np.float64]
    cards: NDArray[np.uint8]
    waiting: NDArray[np.uint16]


def new_turns(lists: DrawLists, size: int) -> Turns:
    """Make room for so many deals of lists of combos."""
    cards = np.zeros((2 * len(lists.starts) - 2, size), dtype=np.uint8)
    return Turns(lists, slots_of(lists), blocked_of(lists), np.zeros(size), cards, np.zeros(size, dtype=np.uint16))


@kernel
def _subtract_blocked(turns: Turns, first: int, player: int, count: int) -> None:
    """Take from `free` what a player's list loses by the combos of the players from `first` to before them.

    By inclusion and exclusion: the combos with a used card, less those with two, which were taken twice.
    """
    by_card, by_pair = turns.blocked.by_card[player], turns.blocked.by_pair[player]
    free, cards = turns.free, turns.cards
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
def any_two(number: np.uint64, free: np.uint64, left: np.uint64) -> np.uint64:
    """Draw a combo of two of the `left` free cards by a random number."""
    product = (number >> UNUSED_BITS) * left
    first = nth_set_bit(free, product >> FRACTION_BITS)
    product = (product & FRACTION) * (left - _ONE)
    second = nth_set_bit(free ^ (_ONE << first), product >> FRACTION_BITS)
    high, low = max(first, second), min(first, second)
    return ((high * (high - _ONE)) >> _ONE) + low


@kernel
def _draw_by_search(fraction: float, start: int, stop: int, lists: DrawLists, used: np.uint64) -> tuple[int, float]:
    """Draw by weight among the entries with no used card; return a combo, or -1 for none, and all their weight."""
    _, combos, weights = lists
    free = 0.0
    for i in range(start, stop):
        if COMBO_MASK[combos[i]] & used == _NOTHING:
            free += weights[i]
    place = fraction * free
    chosen = -1
    for i in range(start, stop):
        if COMBO_MASK[combos[i]] & used == _NOTHING:
            chosen = combos[i]
            place -= weights[i]
            if place < 0.0:
                break
    return chosen, free


@kernel
def draw_in_turn(
    state: RandomState, turns: Turns, dead: np.uint64, left: int, is_weighted: bool, count: int, batch: Batch
) -> int:
    """Draw from one list after another what is left of it.

    Parameters
    ----------
    state : RandomState
    turns : Turns
    dead : uint64
        Cards that none of the lists holds.
    left : int
        The number of the other cards.
    is_weighted : bool
        Whether a deal weighs the product of the parts of the ranges that were left, which is 0 where nothing is;
        otherwise it weighs 1, and who has nothing left gets any two cards.
    count : int
    batch : Batch
        Its `used`, `holes` and `weights` are filled.

    Returns
    -------
    int
        How many deals weigh anything; they stand in front.
    """
    used, holes, weights = batch.used, batch.holes, batch.weights
    lists, slots, blocked, free, cards, waiting = turns
    threshold, slot_combos, masks = slots.threshold, slots.combos, slots.masks
    players = lists.starts.shape[0] - 1
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for i in range(count):
        used[i] = dead
        weights[i] = 1.0
    for player in range(players):
        total = blocked.totals[player]
        scale = 1.0 / total if total > 0.0 else 0.0
        start = np.uint64(slots.starts[player])
        is_same = player > 0 and slots.starts[player] == slots.starts[player - 1]
        if not is_same:
            for i in range(count):
                free[i] = total
        _subtract_blocked(turns, player - 1 if is_same else 0, player, count)
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
        shift = np.uint64(64 - slots.bits[player])
        for _ in range(_MOST_REDRAWS):
            kept = _NOTHING
            for j in range(redrawn):
                number, s0, s1, s2, s3 = next_bits(s0, s1, s2, s3)
                at = np.uint64(waiting[j])
                slot = start + (number >> shift)
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
            unit = np.float64(number >> np.uint64(11)) * (1.0 / 9007199254740992.0)
            found = _draw_by_search(unit, lists.starts[player], lists.starts[player + 1], lists, used[at])
            combo = found[0]
            if combo < 0 and not is_weighted:
                any_combo = any_two(number, DECK ^ used[at], np.uint64(left - 2 * player))
                combo = np.int64(any_combo)  # type: ignore[assignment]
            if j >= redrawn:
                weights[at] *= found[1] * scale
            if combo >= 0:
                used[at] |= COMBO_MASK[combo]
            holes[player, at] = max(combo, 0)
        for i in range(count):
            cards[2 * player, i] = COMBO_CARDS[holes[player, i], 0]
            cards[2 * player + 1, i] = COMBO_CARDS[holes[player, i], 1]
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    kept = _NOTHING
    for i in range(count):
        if not is_weighted:
            weights[i] = 1.0
        for player in range(players):
            holes[player, kept] = holes[player, i]
        used[kept], weights[kept] = used[i], weights[i]
        kept += np.uint64(weights[i] > 0.0)
    return np.int64(kept)  # type: ignore[return-value]
