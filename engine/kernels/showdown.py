"""Who wins how often: run-outs counted, or dealt at random, for hands and ranges.

- `count_preflop`: every board of five cards for given hole cards, by ranks instead of one by one.
- `sweep_boards`: on given boards, every combo against one weighted range at once.
- `judge_deals`: on given boards, each of a list of deals (the hole cards of all players).
- `sample_deals`: random deals of several ranges with random run-outs.

Combos are numbered as in `engine.cards`. But for the sweep, what happened at the showdowns is kept as *outcomes*:
`outcomes[m]` is the weight of all showdowns that exactly the players in the set `m` won, player 0 being bit 0.
Kernels add to the sums they are given, so a caller can work in small steps; sums of whole numbers are exact up to
2^53.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up
from engine.kernels.rng import RandomState, new_stream, random_bits, random_float

MAX_PLAYERS = 10

_ONE = np.uint64(1)
_NO_FLUSH = np.uint64(0)
_RANK_PART = np.uint64(0xFFFF_FFFF_FFFF_0000)


@inlined
def _winners(strengths: NDArray[np.int32], players: int) -> int:
    """Give the set of players who hold the best strength."""
    best = strengths[0]
    winners = 1
    for player in range(1, players):
        strength = strengths[player]
        winners = 1 << player if strength > best else winners | (1 << player if strength == best else 0)
        best = max(best, strength)
    return winners


# ---- before the flop ------------------------------------------------------------------------------------


class RankLists(NamedTuple):
    """Everything that boards before the flop can be made of, as lists that `count_preflop` goes through.

    A *slot* `13 * (n - 1) + rank` stands for n cards of a rank, slot 52 for nothing.

    Attributes
    ----------
    board_key : ndarray of uint64, shape (6175,)
        Rank key of every multiset of five ranks.
    board_slots : ndarray of uint8, shape (6175, 5)
        The slots it is made of.
    rest_key, rest_slots : ndarray of uint64 and uint8, shapes (105,) and (105, 2)
        The same for none, one (from index 1) and two (from index 14) ranks.
    suited_ranks : ndarray of int64, shape (2288,)
        Every set of three, four or five ranks, one bit each.
    suited_size : ndarray of int64, shape (2288,)
    suited_key : ndarray of uint64, shape (2288,)
    """

    board_key: NDArray[np.uint64]
    board_slots: NDArray[np.uint8]
    rest_key: NDArray[np.uint64]
    rest_slots: NDArray[np.uint8]
    suited_ranks: NDArray[np.int64]
    suited_size: NDArray[np.int64]
    suited_key: NDArray[np.uint64]


_REST_STARTS = np.array([0, 1, 14, 105])
_NOTHING = 52


@cache
def rank_lists() -> RankLists:
    """Give the lists for `count_preflop`, computed once (20 ms)."""
    rank_key = tables().card_key[::4] & _RANK_PART
    boards = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    rests = [ranks for count in range(3) for ranks in combinations_with_replacement(range(13), count)]
    suited = [ranks for count in (3, 4, 5) for ranks in combinations(range(13), count)]

    def keys(lists: Sequence[tuple[int, ...]]) -> NDArray[np.uint64]:
        return np.array([rank_key[list(ranks)].sum(dtype=np.uint64) for ranks in lists], dtype=np.uint64)

    def slots(lists: Sequence[tuple[int, ...]], width: int) -> NDArray[np.uint8]:
        rows = np.full((len(lists), width), _NOTHING, dtype=np.uint8)
        for row, ranks in zip(rows, lists, strict=True):
            row[: len(set(ranks))] = [13 * (ranks.count(rank) - 1) + rank for rank in sorted(set(ranks))]
        return rows

    return RankLists(
        board_key=keys(boards),
        board_slots=slots(boards, 5),
        rest_key=keys(rests),
        rest_slots=slots(rests, 2),
        suited_ranks=np.array([sum(1 << rank for rank in ranks) for ranks in suited], dtype=np.int64),
        suited_size=np.array([len(ranks) for ranks in suited], dtype=np.int64),
        suited_key=keys(suited),
    )


@inlined
def _fill_ways(left: NDArray[np.int64], ways: NDArray[np.int64]) -> None:
    """Count by slot the ways to take cards of which `left` are there by rank: C(left, 1) to C(left, 4)."""
    for rank in range(13):
        count = left[rank]
        ways[rank] = count
        ways[13 + rank] = count * (count - 1) // 2
        ways[26 + rank] = count * (count - 1) * (count - 2) // 6
        ways[39 + rank] = count // 4
    ways[_NOTHING] = 1


@kernel
def count_preflop(
    evaluator: EvaluatorTables,
    lists: RankLists,
    deals: NDArray[np.int16],
    weights: NDArray[np.float64],
    dead: np.uint64,
    outcomes: NDArray[np.float64],
) -> None:
    """Count all boards of five cards for each deal.

    Parameters
    ----------
    evaluator : EvaluatorTables
    lists : RankLists
    deals : ndarray of int16, shape (n, players)
        The players' combos; no two of a row share a card with each other or with `dead`.
    weights : ndarray of float64, shape (n,)
        What a board of this deal counts.
    dead : uint64
        Mask of dead cards.
    outcomes : ndarray of float64, shape (2 ** players,)
        Added to.

    Notes
    -----
    Without flushes the ranks decide alone, so it is enough to judge each of the 6175 multisets of five ranks and
    to count the boards that have it. The boards on which somebody has a flush are then judged again, by their
    ranks in the suit and those of the other cards; of seven cards a flush is never beaten by quads or a full
    house among the same cards.
    """
    # Taken out once: an array of a named tuple costs an atomic count of references at each use.
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    board_key, board_slots, rest_key, rest_slots, suited_ranks, suited_size, suited_key = lists
    players = deals.shape[1]
    hole_keys = np.zeros(players, dtype=np.uint64)
    flushes = np.zeros(players, dtype=np.int32)
    strengths = np.zeros(players, dtype=np.int32)
    suited = np.zeros((4, players), dtype=np.int64)
    left = np.zeros(13, dtype=np.int64)
    ways = np.zeros(53, dtype=np.int64)
    rest_ways = np.zeros(105, dtype=np.int64)
    counts = np.zeros(1 << players, dtype=np.int64)
    for row in range(deals.shape[0]):
        counts[:] = 0
        suited[:] = 0
        used = dead
        for player in range(players):
            used |= COMBO_MASK[deals[row, player]]
            hole_keys[player] = 0
            for i in range(2):
                card = np.int64(COMBO_CARDS[deals[row, player], i])
                hole_keys[player] += card_key[card] & _RANK_PART
                suited[card & 3, player] |= 1 << (card >> 2)
        for rank in range(13):
            left[rank] = 0
            for suit in range(4):
                left[rank] += 1 - np.int64((used >> np.uint64(4 * rank + suit)) & _ONE)

        _fill_ways(left, ways)
        for i in range(board_key.shape[0]):
            way = ways[board_slots[i, 0]] * ways[board_slots[i, 1]]
            way *= ways[board_slots[i, 2]] * ways[board_slots[i, 3]]
            way *= ways[board_slots[i, 4]]
            for player in range(players):
                key = board_key[i] + hole_keys[player]
                strengths[player] = strength_of_key(evaluator, key, _NO_FLUSH)
            counts[_winners(strengths, players)] += way

        for suit in range(4):
            free = np.int64(0)
            most = 0
            for rank in range(13):
                is_free = 1 - np.int64((used >> np.uint64(4 * rank + suit)) & _ONE)
                free |= is_free << rank
                left[rank] -= is_free
            for player in range(players):
                held = suited[suit, player]
                most = max(most, 0 if held == 0 else 1 if held & (held - 1) == 0 else 2)
            _fill_ways(left, ways)
            for j in range(105):
                rest_ways[j] = ways[rest_slots[j, 0]] * ways[rest_slots[j, 1]]
            for i in range(suited_ranks.shape[0]):
                ranks = suited_ranks[i]
                missing = 5 - suited_size[i]
                if ranks & ~free != 0 or missing > most:
                    continue
                for player in range(players):
                    # 0 where the player has no five cards of the suit
                    flushes[player] = flush_strength[ranks | suited[suit, player]]
                for j in range(_REST_STARTS[missing], _REST_STARTS[missing + 1]):
                    if rest_ways[j] == 0:
                        continue
                    for player in range(players):
                        key = suited_key[i] + rest_key[j] + hole_keys[player]
                        strengths[player] = strength_of_key(evaluator, key, _NO_FLUSH)
                    counts[_winners(strengths, players)] -= rest_ways[j]
                    for player in range(players):
                        strengths[player] = max(strengths[player], flushes[player])
                    counts[_winners(strengths, players)] += rest_ways[j]
            for rank in range(13):
                left[rank] += (free >> rank) & 1
        for winners in range(counts.shape[0]):
            outcomes[winners] += weights[row] * counts[winners]


# ---- on given boards ------------------------------------------------------------------------------------


def _combos_by_rank_pair() -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Give the combos by their pair of ranks, and where each pair `high * (high + 1) / 2 + low` begins."""
    high, low = COMBO_CARDS[:, 0].astype(np.int64) >> 2, COMBO_CARDS[:, 1].astype(np.int64) >> 2
    pair = high * (high + 1) // 2 + low
    starts = np.searchsorted(np.sort(pair), np.arange(_PAIR_COUNT + 1))
    return np.argsort(pair, kind="stable").astype(np.int16), starts.astype(np.int64)


_PAIR_COUNT = 91
_PAIR_COMBOS, _PAIR_STARTS = _combos_by_rank_pair()


@inlined
def _sort_pairs(
    evaluator: EvaluatorTables,
    board_key: np.uint64,
    order: NDArray[np.int64],
    pair_strength: NDArray[np.int32],
) -> None:
    """Order the 91 pairs of ranks by their strength on a board, flushes apart; both outputs have shape (91,)."""
    pair = 0
    for high in range(13):
        for low in range(high + 1):
            key = board_key + evaluator.card_key[4 * high] + evaluator.card_key[4 * low]
            strength = np.int32(strength_of_key(evaluator, key & _RANK_PART, _NO_FLUSH))
            at = pair
            while at > 0 and pair_strength[at - 1] > strength:
                pair_strength[at] = pair_strength[at - 1]
                order[at] = order[at - 1]
                at -= 1
            pair_strength[at] = strength
            order[at] = pair
            pair += 1


@inlined
def _sort_flushes(
    combos: NDArray[np.int16],
    strengths: NDArray[np.int32],
    count: int,
    spare_combos: NDArray[np.int16],
    spare_strengths: NDArray[np.int32],
    bins: NDArray[np.int64],
) -> None:
    """Sort the first `count` combos by strength: a radix sort by the lower 7 and then the upper 6 bits."""
    for turn in range(2):
        shift = 7 * turn
        bins[:] = 0
        for i in range(count):
            bins[((strengths[i] >> shift) & 127) + 1] += 1
        for i in range(1, 128):
            bins[i] += bins[i - 1]
        for i in range(count):
            digit = (strengths[i] >> shift) & 127
            spare_combos[bins[digit]] = combos[i]
            spare_strengths[bins[digit]] = strengths[i]
            bins[digit] += 1
        for i in range(count):
            combos[i] = spare_combos[i]
            strengths[i] = spare_strengths[i]


@kernel
def sweep_boards(
    evaluator: EvaluatorTables,
    boards: NDArray[np.uint8],
    dead: np.uint64,
    weights: NDArray[np.float64],
    won: NDArray[np.float64],
    tied: NDArray[np.float64],
) -> None:
    """Find what every combo wins against one weighted range on each board.

    Parameters
    ----------
    evaluator : EvaluatorTables
    boards : ndarray of uint8, shape (n, 5)
        Complete boards; fastest when boards of the same ranks follow one another.
    dead : uint64
        Mask of cards that neither side can hold.
    weights : ndarray of float64, shape (1326,)
        Of the range that every combo meets.
    won, tied : ndarray of float64, shape (1326,)
        The weight of the opponent's combos that a combo beats or ties, summed over boards, is added to them.

    Notes
    -----
    Per board all combos are put in order of strength and gone through once with running totals of the weight
    below, overall and for each card; what shares a card with a combo is taken out by inclusion and exclusion.
    Sorting costs little, for hands without flush are ordered by their 91 pairs of ranks, once per board ranks.
    """
    card_key, flush_strength = evaluator.card_key, evaluator.flush_strength
    pair_order = np.zeros(_PAIR_COUNT, dtype=np.int64)
    pair_strength = np.zeros(_PAIR_COUNT, dtype=np.int32)
    combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    flush_combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    flush_strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    spare_combos = np.zeros(COMBO_COUNT, dtype=np.int16)
    spare_strengths = np.zeros(COMBO_COUNT, dtype=np.int32)
    bins = np.zeros(129, dtype=np.int64)
    below_by_card = np.zeros(52, dtype=np.float64)
    beaten = np.zeros(COMBO_COUNT, dtype=np.float64)
    last_key = _NO_FLUSH
    for row in range(boards.shape[0]):
        used = dead
        board_key = np.uint64(0)
        in_suit = np.int64(0)  # cards of each suit, a byte each
        for i in range(5):
            card = np.int64(boards[row, i])
            used |= _ONE << np.uint64(card)
            board_key += card_key[card] & _RANK_PART
            in_suit += 1 << (8 * (card & 3))
        if row == 0 or board_key != last_key:
            last_key = board_key
            _sort_pairs(evaluator, board_key, pair_order, pair_strength)
        flush_suit = -1
        flush_ranks = np.int64(0)
        flush_missing = 5
        for suit in range(4):
            held = (in_suit >> (8 * suit)) & 255
            if held >= 3:
                flush_suit = suit
                flush_missing = int(5 - held)
        if flush_suit >= 0:
            for i in range(5):
                card = np.int64(boards[row, i])
                if card & 3 == flush_suit:
                    flush_ranks |= 1 << (card >> 2)

        plain = 0
        flush = 0
        for i in range(_PAIR_COUNT):
            pair = pair_order[i]
            for at in range(_PAIR_STARTS[pair], _PAIR_STARTS[pair + 1]):
                combo = _PAIR_COMBOS[at]
                if COMBO_MASK[combo] & used != 0:
                    continue
                if flush_suit >= 0:
                    high, low = np.int64(COMBO_CARDS[combo, 0]), np.int64(COMBO_CARDS[combo, 1])
                    first, second = high & 3 == flush_suit, low & 3 == flush_suit
                    if first + second >= flush_missing:
                        ranks = flush_ranks
                        if first:
                            ranks |= 1 << (high >> 2)
                        if second:
                            ranks |= 1 << (low >> 2)
                        flush_combos[flush] = combo
                        flush_strengths[flush] = flush_strength[ranks]
                        flush += 1
                        continue
                combos[plain] = combo
                strengths[plain] = pair_strength[i]
                plain += 1
        count = plain + flush
        if flush > 0:
            _sort_flushes(flush_combos, flush_strengths, flush, spare_combos, spare_strengths, bins)
            # Merged from the strongest down, so that the plain ones can stay where they are until they move.
            at = count - 1
            plain -= 1
            flush -= 1
            while flush >= 0:
                if plain >= 0 and strengths[plain] > flush_strengths[flush]:
                    combos[at] = combos[plain]
                    strengths[at] = strengths[plain]
                    plain -= 1
                else:
                    combos[at] = flush_combos[flush]
                    strengths[at] = flush_strengths[flush]
                    flush -= 1
                at -= 1

        below = 0.0
        below_by_card[:] = 0
        start = 0
        while start < count:
            end = start
            while end < count and strengths[end] == strengths[start]:
                combo = combos[end]
                high, low = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
                beaten[end] = below - below_by_card[high] - below_by_card[low]
                end += 1
            for i in range(start, end):
                weight = weights[combos[i]]
                below += weight
                below_by_card[COMBO_CARDS[combos[i], 0]] += weight
                below_by_card[COMBO_CARDS[combos[i], 1]] += weight
            for i in range(start, end):
                combo = combos[i]
                high, low = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
                # The combo itself is in both cards' sums, so it has been taken out twice.
                not_beating = below - below_by_card[high] - below_by_card[low] + weights[combo]
                won[combo] += beaten[i]
                tied[combo] += not_beating - beaten[i]
            start = end


@kernel
def judge_deals(
    evaluator: EvaluatorTables,
    boards: NDArray[np.uint8],
    deals: NDArray[np.int16],
    weights: NDArray[np.float64],
    combos: NDArray[np.int16],
    outcomes: NDArray[np.float64],
) -> int:
    """Judge each deal on each board that shares no card with it.

    Parameters
    ----------
    evaluator : EvaluatorTables
    boards : ndarray of uint8, shape (n, 5)
    deals : ndarray of int16, shape (m, players)
        The players' combos; no two of a row share a card.
    weights : ndarray of float64, shape (m,)
        What a showdown of each deal counts.
    combos : ndarray of int16, shape (c,)
        The different combos that occur in `deals`.
    outcomes : ndarray of float64, shape (2 ** players,)
        Added to.

    Returns
    -------
    int
        The number of showdowns.
    """
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    players = deals.shape[1]
    strength_by_combo = np.zeros(COMBO_COUNT, dtype=np.int32)
    strengths = np.zeros(players, dtype=np.int32)
    showdowns = 0
    for row in range(boards.shape[0]):
        used = np.uint64(0)
        board_key = START_KEY
        board_mask = np.uint64(0)
        for i in range(5):
            card = boards[row, i]
            used |= _ONE << np.uint64(card)
            board_key += card_key[card]
            board_mask += card_mask[card]
        for i in range(combos.shape[0]):
            combo = combos[i]
            high, low = COMBO_CARDS[combo, 0], COMBO_CARDS[combo, 1]
            key = board_key + card_key[high] + card_key[low]
            mask = board_mask + card_mask[high] + card_mask[low]
            is_blocked = COMBO_MASK[combo] & used != 0
            strength_by_combo[combo] = 0 if is_blocked else strength_of_key(evaluator, key, mask)
        for deal in range(deals.shape[0]):
            weakest = 1
            for player in range(players):
                strengths[player] = strength_by_combo[deals[deal, player]]
                weakest = min(weakest, strengths[player])
            if weakest == 1:
                outcomes[_winners(strengths, players)] += weights[deal]
                showdowns += 1
    return showdowns


# ---- dealt at random ------------------------------------------------------------------------------------


class DrawLists(NamedTuple):
    """Lists to draw from by weight, one after another in flat arrays: an entry is kept or replaced by another.

    Attributes
    ----------
    starts : ndarray of int64, shape (lists + 1,)
        Where each list begins, and the end.
    combos : ndarray of int16
        The combo of each entry, if an entry is a combo.
    weights : ndarray of float64
        Of each entry, more than 0.
    threshold : ndarray of float64
        The part of its draws that an entry keeps.
    other : ndarray of int64
        The entry, from its list's start, that has the rest.
    """

    starts: NDArray[np.int64]
    combos: NDArray[np.int16]
    weights: NDArray[np.float64]
    threshold: NDArray[np.float64]
    other: NDArray[np.int64]


@kernel
def fill_draw_lists(lists: DrawLists) -> None:
    """Compute `threshold` and `other` from `weights`, so that a draw takes constant time.

    The alias method (Vose, 1991, "A linear algorithm for generating random numbers with a given distribution",
    IEEE Transactions on Software Engineering 17).
    """
    starts, _, weights, threshold, other = lists
    stack = np.zeros(weights.shape[0], dtype=np.int64)
    for number in range(starts.shape[0] - 1):
        start, end = starts[number], starts[number + 1]
        count = end - start
        total = 0.0
        for i in range(start, end):
            total += weights[i]
        small = 0  # entries below the mean stand at the front of the stack, the others at its back
        large = count
        for i in range(count):
            threshold[start + i] = weights[start + i] / total * count
            other[start + i] = i
            if threshold[start + i] < 1.0:
                stack[small] = i
                small += 1
            else:
                large -= 1
                stack[large] = i
        while small > 0 and large < count:
            small -= 1
            poor, rich = stack[small], stack[large]
            other[start + poor] = rich
            threshold[start + rich] -= 1.0 - threshold[start + poor]
            if threshold[start + rich] < 1.0:
                large += 1
                stack[small] = rich
                small += 1
        # What is left over differs from 1 by rounding alone.
        for i in range(small):
            threshold[start + stack[i]] = 1.0
        for i in range(large, count):
            threshold[start + stack[i]] = 1.0


@inlined
def _draw(state: RandomState, lists: DrawLists, number: int) -> int:
    """Draw an entry of a list by weight; gives its index in the flat arrays."""
    start = lists.starts[number]
    place = random_float(state) * (lists.starts[number + 1] - start)
    entry = np.int64(place)
    if place - entry >= lists.threshold[start + entry]:
        entry = lists.other[start + entry]
    return start + entry  # type: ignore[no-any-return]


@inlined
def _draw_unblocked(state: RandomState, lists: DrawLists, number: int, used: np.uint64, free: float) -> int:
    """Draw by weight among the entries of a list that hold no used card, whose weights sum to `free` > 0."""
    place = random_float(state) * free
    chosen = -1
    for i in range(lists.starts[number], lists.starts[number + 1]):
        if COMBO_MASK[lists.combos[i]] & used == 0:
            chosen = i
            place -= lists.weights[i]
            if place < 0:
                break
    return chosen


@inlined
def _any_unblocked(state: RandomState, used: np.uint64) -> int:
    """Draw a combo at random among those that hold no used card."""
    combo = int(random_float(state) * COMBO_COUNT)
    while COMBO_MASK[combo] & used != 0:
        combo = int(random_float(state) * COMBO_COUNT)
    return combo


REJECTING = 0
TOGETHER = 1
IN_TURN = 2
IN_TURN_OR_ANY = 3


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
        When to stop: after this many deals, or this many attempts to draw one.
    outcomes : ndarray of float64, shape (2 ** players, 2)
        The weights of the deals and their squares are added to it.

    Returns
    -------
    deals, tries : int
    """
    card_key, card_mask = evaluator.card_key, evaluator.card_mask
    starts, entries, weights, _, _ = lists
    listed = together.shape[1] if method == TOGETHER else starts.shape[0] - 1
    combos = np.zeros(players, dtype=np.int64)
    strengths = np.zeros(players, dtype=np.int32)
    known_key = START_KEY
    known_mask = np.uint64(0)
    for i in range(board.shape[0]):
        known_key += card_key[board[i]]
        known_mask += card_mask[board[i]]
    totals = np.zeros(players, dtype=np.float64)
    if method >= IN_TURN:
        for player in range(listed):
            for i in range(starts[player], starts[player + 1]):
                totals[player] += weights[i]
    bits = np.uint64(0)
    bits_left = 0
    deals = 0
    tries = 0
    while deals < max_deals and tries < max_tries:
        tries += 1
        used = dead
        weight = 1.0
        if method == REJECTING:
            for player in range(listed):
                combo = entries[_draw(state, lists, player)]
                if COMBO_MASK[combo] & used != 0:
                    weight = 0.0
                    break
                used |= COMBO_MASK[combo]
                combos[player] = combo
            if weight == 0.0:
                continue
        elif method == TOGETHER:
            row = _draw(state, lists, 0)
            for player in range(listed):
                combos[player] = together[row, player]
                used |= COMBO_MASK[combos[player]]
        else:
            for player in range(listed):
                free = 0.0
                for i in range(starts[player], starts[player + 1]):
                    if COMBO_MASK[entries[i]] & used == 0:
                        free += weights[i]
                if free > 0.0:
                    combos[player] = entries[_draw_unblocked(state, lists, player, used, free)]
                    if method == IN_TURN:
                        weight *= free / totals[player]
                elif method == IN_TURN:
                    weight = 0.0
                    break
                else:
                    combos[player] = _any_unblocked(state, used)
                used |= COMBO_MASK[combos[player]]
            if weight == 0.0:
                deals += 1
                continue
        deals += 1
        for player in range(listed, players):
            combos[player] = _any_unblocked(state, used)
            used |= COMBO_MASK[combos[player]]
        key = known_key
        mask = known_mask
        missing = 5 - board.shape[0]
        while missing > 0:
            if bits_left == 0:
                bits = random_bits(state)
                bits_left = 10
            card = bits & np.uint64(63)
            bits >>= np.uint64(6)
            bits_left -= 1
            if card >= np.uint64(52) or (used >> card) & _ONE != 0:
                continue
            used |= _ONE << card
            key += card_key[card]
            mask += card_mask[card]
            missing -= 1
        for player in range(players):
            high, low = COMBO_CARDS[combos[player], 0], COMBO_CARDS[combos[player], 1]
            strengths[player] = strength_of_key(
                evaluator,
                key + card_key[high] + card_key[low],
                mask + card_mask[high] + card_mask[low],
            )
        winners = _winners(strengths, players)
        outcomes[winners, 0] += weight
        outcomes[winners, 1] += weight * weight
    return deals, tries


def _warm_up() -> None:
    evaluator = tables()
    deal = np.array([[1325, 0]], dtype=np.int16)
    one, zero = np.ones(1), np.uint64(0)
    board = np.array([[8, 13, 18, 23, 28]], dtype=np.uint8)
    count_preflop(evaluator, rank_lists(), deal, one, zero, np.zeros(4))
    sweep_boards(evaluator, board, zero, np.ones(COMBO_COUNT), np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT))
    judge_deals(evaluator, board, deal, one, deal[0], np.zeros(4))
    lists = DrawLists(np.array([0, 1, 2]), deal[0], np.ones(2), np.ones(2), np.zeros(2, dtype=np.int64))
    fill_draw_lists(lists)
    sample_deals(evaluator, new_stream(0), board[0, :3], zero, lists, deal, REJECTING, 2, 1, 1, np.zeros((4, 2)))


register_warm_up("showdowns", _warm_up)
