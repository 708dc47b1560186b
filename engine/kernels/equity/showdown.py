"""Who wins: the winners among strengths, and all showdowns of several ranges on a flop, turn or river.

Combos are numbered as in `engine.cards`. What happened at showdowns is kept as *outcomes*: `outcomes[m]` is the
weight of all showdowns that exactly the players in the set `m` won, player 0 being bit 0. Kernels add to the sums
they are given, so a caller can work in small steps; sums of whole numbers are exact up to 2^53.
"""

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, COMBO_PAIR, PAIR_COUNT
from engine.kernels.evaluator import EvaluatorTables, strength_without_flush, tables
from engine.kernels.jit import kernel, register_warm_up

_ONE = np.uint64(1)
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)
_NO_RANK = 13
_NOT_LEFT = 14  # stands where a card of the suit is held: no rank to come

_PAIR_RANKS = np.array([(high, low) for high in range(13) for low in range(high + 1)])


def _items() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List what can still come, and where the lists for 0, 1 and 2 cards begin.

    Rows of: how many cards are of a certain suit, their ranks, the ranks of the others; 13 is no rank.
    """
    rows = []
    starts = [0]
    for missing in range(3):
        for more in range(missing + 1):
            for suited in combinations(range(13), more):
                for others in combinations_with_replacement(range(13), missing - more):
                    ranks = [(*chosen, *[_NO_RANK] * (2 - len(chosen))) for chosen in (suited, others)]
                    rows.append((more, *ranks[0], *ranks[1]))
        starts.append(len(rows))
    return np.array(rows), np.array(starts)


ITEMS, ITEM_STARTS = _items()

# The columns that describe a class of combos.
_PAIR, _SUITED, _OTHER_HIGH, _OTHER_LOW = 0, 1, 2, 3
# The rows that say how a class meets the cards to come.
_HELD, _HELD_TOO, _IS_OPEN = 0, 1, 2
# The columns that say what the players so far come to; best and winners without and with flushes.
_STEP, _BASE, _IS_JUDGED, _BEST, _WINNERS = 0, 1, 2, 3, 5


class _Classes(NamedTuple):
    """The players' combos by class: ranks and which of these are in a suit.

    Attributes
    ----------
    order : ndarray of int64, shape (players,)
        The players, by whose bit outcomes are kept.
    starts : ndarray of int64, shape (players + 1,)
        Where each player's classes begin.
    classes : ndarray of int64, shape (combos, 4)
    capable : ndarray of int64, shape (players, 3)
        By player and n, the number of classes with n or more cards of the suit; they come first.
    deals : ndarray of float64
        Weights of all deals of classes, the last player's class running fastest.
    pairs : ndarray of int64
        The pairs of ranks that anybody holds.
    """

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    classes: NDArray[np.int64]
    capable: NDArray[np.int64]
    deals: NDArray[np.float64]
    pairs: NDArray[np.int64]


class _Meeting(NamedTuple):
    """How the classes meet some cards to come, and work space to go through their deals.

    Attributes
    ----------
    strengths : ndarray of int64, shape (2, classes)
        Without and with flushes.
    meets : ndarray of float64, shape (3, classes)
        How many of each of two ranks to come the class holds, and whether those of the suit are open.
    nest : ndarray of int64, shape (players + 1, 7)
    ways : ndarray of float64, shape (players + 1, 2)
    values : ndarray of float64, shape (classes,)
    """

    strengths: NDArray[np.int64]
    meets: NDArray[np.float64]
    nest: NDArray[np.int64]
    ways: NDArray[np.float64]
    values: NDArray[np.float64]


@kernel
def _class_deals(
    starts: NDArray[np.int64],
    combos: NDArray[np.int16],
    weights: NDArray[np.float64],
    class_of: NDArray[np.int64],
    class_starts: NDArray[np.int64],
    deals: NDArray[np.float64],
) -> int:
    """Add up the weights of all deals without a clash by the players' classes; give the number of deals."""
    players = starts.shape[0] - 1
    last = players - 1
    at = np.zeros(players, dtype=np.int64)
    used = np.zeros(players + 1, dtype=np.uint64)
    weight = np.ones(players + 1, dtype=np.float64)
    base = np.zeros(players + 1, dtype=np.int64)
    count = 0
    depth = 0
    at[0] = starts[0]
    while depth >= 0:
        i = at[depth]
        if i == starts[depth + 1]:
            depth -= 1
            continue
        at[depth] = i + 1
        mask = COMBO_MASK[combos[i]]
        if mask & used[depth] != 0:
            continue
        held = used[depth] | mask
        product = weight[depth] * weights[i]
        row = (base[depth] + class_of[i]) * (class_starts[depth + 2] - class_starts[depth + 1])
        if depth + 1 < last:
            depth += 1
            at[depth] = starts[depth]
            used[depth] = held
            weight[depth] = product
            base[depth] = row
            continue
        for j in range(starts[last], starts[players]):
            if COMBO_MASK[combos[j]] & held == 0:
                deals[row + class_of[j]] += product * weights[j]
                count += 1
    return count


@kernel
def _fill_classes(
    suit: int,
    starts: NDArray[np.int64],
    combos: NDArray[np.int16],
    class_of: NDArray[np.int64],
    class_starts: NDArray[np.int64],
    classes: NDArray[np.int64],
    capable: NDArray[np.int64],
) -> int:
    """Class combos by ranks and which of these are in a suit (-1: in none), those with most cards of it first.

    Fills `class_of` (within the player), `class_starts`, `classes` and `capable[player, n]`, the number of classes
    with n or more cards of the suit. Gives the most cards of the suit that anybody holds.
    """
    players = starts.shape[0] - 1
    class_at = np.zeros(4 * PAIR_COUNT, dtype=np.int64)
    at = 0
    most = 0
    for place in range(players):
        start = at
        class_starts[place] = start
        class_at[:] = -1
        for number in range(2, -1, -1):
            for i in range(starts[place], starts[place + 1]):
                high, low = np.int64(COMBO_CARDS[combos[i], 0]), np.int64(COMBO_CARDS[combos[i], 1])
                is_high, is_low = np.int64(high & 3 == suit), np.int64(low & 3 == suit)
                if is_high + is_low != number:
                    continue
                most = max(most, number)
                high, low = high >> 2, low >> 2
                pair = np.int64(COMBO_PAIR[combos[i]])
                # Of a pair it does not matter which card is in the suit.
                code = 4 * pair + (2 * is_high + is_low if high != low else number)
                if class_at[code] < 0:
                    class_at[code] = at
                    classes[at, _PAIR] = pair
                    classes[at, _SUITED] = (is_high << high) | (is_low << low)
                    classes[at, _OTHER_HIGH] = _NOT_LEFT if is_high else high
                    classes[at, _OTHER_LOW] = _NOT_LEFT if is_low else low
                    at += 1
                class_of[i] = class_at[code] - start
            capable[place, number] = at - start
    class_starts[players] = at
    return most


@kernel
def _split(
    values: NDArray[np.float64], strengths: NDArray[np.int64], start: int, count: int, best: int
) -> tuple[float, float, float]:
    """Add up the values whose strengths are below, equal to and above `best`."""
    below, equal, above = 0.0, 0.0, 0.0
    for i in range(count):
        value, strength = values[i], strengths[start + i]
        below += value if strength < best else 0.0
        equal += value if strength == best else 0.0
        above += value if strength > best else 0.0
    return below, equal, above


@kernel
def _judge_classes(
    held: _Classes,
    meeting: _Meeting,
    ways_left: tuple[float, float, float],
    need: int,
    outcomes: NDArray[np.float64],
) -> None:
    """Judge every class of deals once for some cards to come, times the boards that have them.

    With `need` < 0 there are no flushes; otherwise only deals count in which somebody holds `need` cards of the
    suit, and they are moved from where they would be without flushes to where they are with them.
    """
    order, class_starts, capable, deals = held.order, held.starts, held.capable, held.deals
    strengths, meets, nest, ways = meeting.strengths, meeting.meets, meeting.nest, meeting.ways
    values = meeting.values
    players = order.shape[0]
    last = players - 1
    start, stop = class_starts[last], class_starts[players]
    last_bit = 1 << order[last]
    kinds = 1 if need < 0 else 2
    ways[0, 0], ways[0, 1], scale = ways_left
    nest[0, _IS_JUDGED] = need < 0
    nest[0, _STEP] = 0
    depth = 0
    while depth >= 0:
        step = nest[depth, _STEP]
        i = class_starts[depth] + step
        if i == class_starts[depth + 1]:
            depth -= 1
            continue
        nest[depth, _STEP] = step + 1
        one_way, other_way = ways[depth, 0] - meets[_HELD, i], ways[depth, 1] - meets[_HELD_TOO, i]
        if meets[_IS_OPEN, i] == 0.0 or one_way <= 0 or other_way <= 0:
            continue
        here = depth + 1
        bit = 1 << order[depth]
        is_judged = nest[depth, _IS_JUDGED]
        if step < capable[depth, max(need, 0)]:
            is_judged = 1
        row = (nest[depth, _BASE] + step) * (class_starts[here + 1] - class_starts[here])
        for kind in range(kinds):
            strength, before, its = strengths[kind, i], nest[depth, _BEST + kind], nest[depth, _WINNERS + kind]
            if strength == before:
                its |= bit
            elif strength > before:
                its = bit
            nest[here, _WINNERS + kind] = its
            nest[here, _BEST + kind] = max(strength, before)
        if here < last:
            nest[here, _BASE] = row
            nest[here, _IS_JUDGED] = is_judged
            nest[here, _STEP] = 0
            ways[here, 0] = one_way
            ways[here, 1] = other_way
            depth = here
            continue
        count = stop - start if is_judged else capable[last, max(need, 0)]
        for j in range(count):
            number = (one_way - meets[_HELD, start + j]) * (other_way - meets[_HELD_TOO, start + j])
            values[j] = deals[row + j] * number * (scale * meets[_IS_OPEN, start + j])
        sign = 1.0
        for turn in range(kinds):
            kind = kinds - 1 - turn
            its = nest[here, _WINNERS + kind]
            below, equal, above = _split(values, strengths[kind], start, count, nest[here, _BEST + kind])
            outcomes[its] += sign * below
            outcomes[its | last_bit] += sign * equal
            outcomes[last_bit] += sign * above
            sign = -1.0


@kernel
def _judge_items(
    evaluator: EvaluatorTables,
    held: _Classes,
    situation: tuple[np.uint64, np.uint64, int, int, int, int, int],
    outcomes: NDArray[np.float64],
) -> None:
    """Judge the classes of deals for all cards that can still come: without flushes (suit -1), or those of a suit.

    `situation` is the board's key of ranks, the mask of board and dead cards, the number of cards missing, the
    suit, how many of it the board shows and which ranks, and the most cards of it that anybody holds.
    """
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    row_offset, rank_strength = evaluator.row_offset, evaluator.rank_strength
    board_key, known, missing, suit, in_suit, suited, most = situation
    class_starts, classes, pairs = held.starts, held.classes, held.pairs
    players = held.order.shape[0]
    count = class_starts[players]
    strengths = np.zeros((2, count), dtype=np.int64)
    meets = np.zeros((3, count), dtype=np.float64)
    pair_strength = np.zeros(PAIR_COUNT, dtype=np.int64)
    nest = np.zeros((players + 1, 7), dtype=np.int64)
    reach = np.zeros((players + 1, 2), dtype=np.float64)
    values = np.zeros(count, dtype=np.float64)
    meeting = _Meeting(strengths, meets, nest, reach, values)
    rank_key = np.zeros(14, dtype=np.uint64)  # nothing for no rank
    left = np.zeros(14, dtype=np.float64)  # cards of other suits, and one way for no rank
    left[_NO_RANK] = 1
    free_ranks = np.int64(0)
    for rank in range(13):
        rank_key[rank] = card_key[4 * rank] & _RANK_PART
        for i in range(4):
            is_free = 1 - np.int64((known >> np.uint64(4 * rank + i)) & _ONE)
            if i == suit:
                free_ranks |= is_free << rank
            else:
                left[rank] += is_free
    # Nor can ranks of the suit come that some player holds in any case.
    for place in range(players):
        in_all = 0x1FFF
        for i in range(class_starts[place], class_starts[place + 1]):
            in_all &= classes[i, _SUITED]
        free_ranks &= ~in_all
    for item in range(ITEM_STARTS[missing], ITEM_STARTS[missing + 1]):
        more, x, y, r, s = ITEMS[item, 0], ITEMS[item, 1], ITEMS[item, 2], ITEMS[item, 3], ITEMS[item, 4]
        to_come = ((1 << x) | (1 << y)) & 0x1FFF
        need = max(0, 5 - in_suit - more)
        if suit < 0:
            need = -1
            if more > 0:
                break
        elif in_suit + more < 3 or need > most or to_come & ~free_ranks != 0:
            continue
        scale = 0.5 if r == s and r < _NO_RANK else 1.0
        ways = (left[r], left[s] - (2 - 2 * scale), scale)
        if ways[0] <= 0 or ways[1] <= 0:
            continue
        key = board_key + rank_key[x] + rank_key[y] + rank_key[r] + rank_key[s]
        for i in range(pairs.shape[0]):
            pair = pairs[i]
            hand = key + rank_key[_PAIR_RANKS[pair, 0]] + rank_key[_PAIR_RANKS[pair, 1]]
            pair_strength[pair] = strength_without_flush(row_offset, rank_strength, hand)
        for i in range(count):
            strength = pair_strength[classes[i, _PAIR]]
            high, low = classes[i, _OTHER_HIGH], classes[i, _OTHER_LOW]
            strengths[0, i] = strength
            flush = flush_strength[suited | to_come | classes[i, _SUITED]]
            strengths[1, i] = max(strength, np.int64(flush))
            meets[_HELD, i] = np.int64(high == r) + np.int64(low == r)
            meets[_HELD_TOO, i] = np.int64(high == s) + np.int64(low == s)
            meets[_IS_OPEN, i] = np.int64(classes[i, _SUITED] & to_come == 0)
        _judge_classes(held, meeting, ways, need, outcomes)


@kernel
def count_showdowns(
    evaluator: EvaluatorTables,
    live: NDArray[np.float64],
    order: NDArray[np.int64],
    board: NDArray[np.uint8],
    dead: np.uint64,
    first: int,
    stop: int,
    outcomes: NDArray[np.float64],
) -> int:
    """Count the showdowns of all deals of several ranges on all completions of a flop, turn or river.

    Parameters
    ----------
    evaluator : EvaluatorTables
    live : ndarray of float64, shape (players, 1326)
        Weights of 2 to 10 players. Combos with a card of the board or a dead one do not count.
    order : ndarray of int64, shape (players,)
        In which order to go through the players; fastest with the widest range last.
    board : ndarray of uint8, shape (3,), (4,) or (5,)
    dead : uint64
        Mask of dead cards.
    first, stop : int
        Of the player who comes first, only the combos of these pairs of ranks (`COMBO_PAIR`) are dealt: calls
        with 0 to 40 and 40 to 91 add up to one with 0 to 91.
    outcomes : ndarray of float64, shape (2 ** players,)
        Added to.

    Returns
    -------
    int
        How many deals of hole cards of positive weight there are; each meets equally many completed boards.

    Notes
    -----
    Without flushes strength is decided by ranks alone. So the deals are added up by the pairs of ranks that the
    players hold, and each such class of deals is judged once for every multiset of ranks still to come, times the
    number of boards that have it: for two cards to come 91 instead of about 1000. Then, for each suit in which
    there can be a flush, deals are classed by the ranks held and which of them are in the suit, and where somebody
    has a flush they are judged again. A board can be flush in one suit only, and of seven cards no flush is
    beaten by quads or a full house among the same cards.

    The weight of boards is exact in whole numbers; what is counted without flush and then corrected may leave
    a rounding error of 1e-16 of all weight.
    """
    # Taken out once: an array of a named tuple costs an atomic count of references at each use.
    card_key = evaluator.card_key
    players = live.shape[0]
    missing = 5 - board.shape[0]
    known = dead
    board_key = np.uint64(0)
    suited = np.zeros(5, dtype=np.int64)
    shown = np.zeros(5, dtype=np.int64)
    for i in range(board.shape[0]):
        card = np.int64(board[i])
        known |= _ONE << np.uint64(card)
        board_key += card_key[card] & _RANK_PART
        suited[card & 3] |= 1 << (card >> 2)
        shown[card & 3] += 1
    starts = np.zeros(players + 1, dtype=np.int64)
    combos = np.zeros(live.size, dtype=np.int16)
    weights = np.zeros(live.size, dtype=np.float64)
    pair_is_held = np.zeros(PAIR_COUNT, dtype=np.int64)
    at = 0
    for place in range(players):
        for combo in range(COMBO_COUNT):
            weight = live[order[place], combo]
            if weight > 0 and COMBO_MASK[combo] & known == 0:
                pair = np.int64(COMBO_PAIR[combo])
                if place > 0 or first <= pair < stop:
                    combos[at] = combo
                    weights[at] = weight
                    pair_is_held[pair] = 1
                    at += 1
        starts[place + 1] = at
        if starts[place] == at:
            return 0
    pairs = np.zeros(PAIR_COUNT, dtype=np.int64)
    pair_count = 0
    for i in range(PAIR_COUNT):
        pairs[pair_count] = i
        pair_count += pair_is_held[i]

    class_of = np.zeros(at, dtype=np.int64)
    class_starts = np.zeros(players + 1, dtype=np.int64)
    classes = np.zeros((at, 4), dtype=np.int64)
    capable = np.zeros((players, 3), dtype=np.int64)
    count = 0
    for turn in range(5):
        # First without flushes, then by suit.
        suit = turn - 1
        in_suit = shown[suit]
        if suit >= 0 and in_suit + missing < 3:
            continue
        most = _fill_classes(suit, starts, combos, class_of, class_starts, classes, capable)
        if suit >= 0 and in_suit + missing + most < 5:
            continue
        total = 1
        for place in range(players):
            total *= class_starts[place + 1] - class_starts[place]
        deals = np.zeros(total, dtype=np.float64)
        dealt = _class_deals(starts, combos, weights, class_of, class_starts, deals)
        if suit < 0:
            count = dealt
        held = _Classes(order, class_starts, classes, capable, deals, pairs[:pair_count])
        situation = (board_key, known, missing, suit, in_suit, suited[suit], most)
        _judge_items(evaluator, held, situation, outcomes)
    return count


def _warm_up() -> None:
    live = np.zeros((2, COMBO_COUNT))
    live[0, 0] = live[1, COMBO_COUNT - 1] = 1
    board = np.array([8, 13, 18, 23, 28], dtype=np.uint8)
    count_showdowns(tables(), live, np.arange(2), board, np.uint64(0), 0, PAIR_COUNT, np.zeros(4))


register_warm_up("showdowns", _warm_up, at_start=False)
