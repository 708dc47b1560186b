"""Two players before the flop: the exact result of every matchup, from a table of 47,008.

A *matchup* is two combos without a card in common. Up to the names of the suits, the order of two cards and the
players' order there are 47,008; of each the table holds on how many of the 1,712,304 boards the first player wins
and ties. It is counted once (`engine.kernels.heads_up`, half a second) and kept in the cache folder (376 KB).
Importing this module, and answering from a stored table, does not import numba.

How a matchup is found. The *number* of two combos is made of the ranks of both (91 pairs of ranks each) and of how
their four cards share suits (15 partitions of four), so the numbers of whole ranges come from two small look-ups.
Two combos with a card in common have a number, too, and count as nothing.

Examples
--------
>>> from engine.cards import combo_of, parse_cards
>>> matchup(combo_of(*parse_cards("AhKh")), combo_of(*parse_cards("QsQd")))
(787966, 917606, 6732)
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, format_card, format_combo
from engine.checks import EquityError, check_weights
from engine.kernels.cache import store_arrays, stored_arrays

BOARDS = comb(48, 5)
"""The boards of five cards for four hole cards: 1,712,304."""

MATCHUP_COUNT = 47_008

_NAME = "heads_up"
_STEP_MATCHUPS = 1024  # counted in about 15 ms
_CHUNK = 1 << 16  # pairs of combos looked up at once

_PAIRS = 91
_PARTITIONS = 15
_NUMBERS = _PAIRS * _PAIRS * _PARTITIONS


class OddsWeights(NamedTuple):
    """What the boards of all deals of two ranges add up to, each counted by the product of its two weights."""

    win: float
    tie: float
    lose: float


class HeadsUpTable:
    """The result of every matchup before the flop.

    Parameters
    ----------
    counts : ndarray of uint32, shape (47008, 2)
        On how many boards the first player of each of `deals_of_matchups()` wins and ties.

    Attributes
    ----------
    counts : ndarray of uint32, shape (47008, 2), read-only
    """

    def __init__(self, counts: NDArray[np.uint32]) -> None:
        self.counts = counts
        number = numbering()
        wins, ties = counts[number.place].T.astype(np.float64)
        losses = BOARDS - wins - ties
        first, second = np.where(number.is_flipped, (losses, wins), (wins, losses))
        # Win, tie and lose by number; a fourth column makes rows of 32 bytes, which numpy takes fastest.
        self._odds = np.column_stack([first, ties, second, np.zeros(_NUMBERS)])
        self._odds[~number.is_possible] = 0
        self._equity: NDArray[np.float32] | None = None

    def matchup(self, first: int, second: int) -> tuple[int, int, int]:
        """Give on how many boards the first combo wins, loses and ties; see the function `matchup`."""
        for combo in (first, second):
            if not 0 <= combo < COMBO_COUNT:
                raise EquityError(f"{combo} is no combo: combos are numbered 0 to {COMBO_COUNT - 1}.")
        shared = int(COMBO_MASK[first] & COMBO_MASK[second])
        if shared:
            raise EquityError(
                f"The card {format_card(shared.bit_length() - 1)} cannot be held by both {format_combo(first)} "
                f"and {format_combo(second)}."
            )
        number = int(_PAIR_BASE[_PAIR[first], _PAIR[second]]) + int(_PARTITION[_SUITS[first], _SUITS[second]])
        win, tie, lose, _ = self._odds[number].tolist()
        return int(win), int(lose), int(tie)

    def range_odds(self, mine: NDArray[Any], theirs: NDArray[Any]) -> OddsWeights:
        """Give the weight of the boards won, tied and lost; see the function `range_odds`."""
        own_combos, own = _live(mine, "The first range")
        other_combos, other = _live(theirs, "The second range")
        sums = np.zeros(4)
        for rows in _chunks(len(own), len(other)):
            odds = self._odds.take(numbers_of(own_combos[rows], other_combos), axis=0)
            # einsum: a product by BLAS would wait for other cores, for milliseconds where these are busy.
            summed = np.einsum("i,ij->j", own[rows], odds.reshape(len(odds), -1))
            sums += np.einsum("j,jk->k", other, summed.reshape(-1, 4))
        win, tie, lose, _ = sums.tolist()
        if win + tie + lose == 0:
            raise EquityError("No cards can be dealt to the two ranges together: all their hands share a card.")
        return OddsWeights(win, tie, lose)

    def equities(self) -> NDArray[np.float32]:
        """Give the equity of every combo against every other: float32, shape (1326, 1326), read-only.

        0 where they share a card. Made on first use, 7 MB.
        """
        if self._equity is None:
            by_number = ((self._odds[:, 0] + self._odds[:, 1] / 2) / BOARDS).astype(np.float32)
            equity = np.empty((COMBO_COUNT, COMBO_COUNT), dtype=np.float32)
            combos = np.arange(COMBO_COUNT)
            for rows in _chunks(COMBO_COUNT, COMBO_COUNT):
                np.take(by_number, numbers_of(combos[rows], combos), out=equity[rows])
            equity.setflags(write=False)
            self._equity = equity
        return self._equity


# ---- the table ------------------------------------------------------------------------------------------

_table: HeadsUpTable | None = None


def is_ready() -> bool:
    """Tell whether the table is loaded or stored, so that `heads_up_table` answers without counting."""
    global _table
    if _table is None:
        arrays = stored_arrays(_NAME) or {}
        counts = arrays.get("counts")
        if counts is not None and counts.shape == (MATCHUP_COUNT, 2) and counts.dtype == np.uint32:
            _table = HeadsUpTable(counts)  # type: ignore[arg-type]
    return _table is not None


def heads_up_table(progress: Callable[[float], None] | None = None) -> HeadsUpTable:
    """Give the table: loaded from the cache folder (10 ms), or counted (half a second) and kept there.

    Parameters
    ----------
    progress : callable, optional
        Called with the part done, 0 to 1, about every 15 ms while it is counted.

    Examples
    --------
    >>> len(heads_up_table().counts)
    47008
    """
    for done in build_steps():
        if progress is not None:
            progress(done)
    assert _table is not None
    return _table


def build_steps() -> Iterator[float]:
    """Count the table in steps of about 15 ms, unless it is ready; afterwards it is, and kept for later runs.

    To cancel, stop iterating.

    Yields
    ------
    float
        The part done, 0 to 1.
    """
    global _table
    if is_ready():
        return
    from engine.kernels.heads_up import count_matchups

    deals = deals_of_matchups()
    counts = np.empty((MATCHUP_COUNT, 2), dtype=np.uint32)
    for start in range(0, MATCHUP_COUNT, _STEP_MATCHUPS):
        rows = slice(start, start + _STEP_MATCHUPS)
        counts[rows] = count_matchups(deals[rows])
        yield min(1.0, (start + _STEP_MATCHUPS) / MATCHUP_COUNT)
    store_arrays(_NAME, {"counts": counts})
    _table = HeadsUpTable(counts)


def matchup(first: int, second: int) -> tuple[int, int, int]:
    """Give the exact result of one hand against another before the flop.

    Parameters
    ----------
    first, second : int
        Combos, 0-1325, without a card in common.

    Returns
    -------
    wins, losses, ties : int
        On how many of the 1,712,304 boards the first hand wins, loses and ties.

    Raises
    ------
    EquityError
        If one is no combo, or a card is in both.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> wins, losses, ties = matchup(combo_of(*parse_cards("AsAh")), combo_of(*parse_cards("AdAc")))
    >>> wins == losses, round(ties / BOARDS, 4)
    (True, 0.9565)
    """
    return heads_up_table().matchup(first, second)


def range_odds(mine: NDArray[Any], theirs: NDArray[Any]) -> OddsWeights:
    """Give the exact result of one range against another before the flop.

    Parameters
    ----------
    mine, theirs : ndarray of numbers, shape (1326,)
        Weights by combo, finite and not negative.

    Returns
    -------
    OddsWeights
        What the boards won, tied and lost by `mine` add up to, over all deals without a clash, each counted by the
        product of its two weights. Exact for whole weights as long as the sums stay below 2^53.

    Raises
    ------
    EquityError
        If something is no range's weights, or nothing can be dealt from both.

    Notes
    -----
    Ten microseconds for a hand against a range, 30 for 50 combos against 190, 50 ms for any two against any two.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> range_odds(parse_range("AhKh").weights, parse_range("QsQd").weights)
    OddsWeights(win=787966.0, tie=6732.0, lose=917606.0)
    """
    return heads_up_table().range_odds(mine, theirs)


def preflop_equities(weights: NDArray[Any]) -> NDArray[np.float32]:
    """Give the exact equity before the flop of every combo against a range.

    Parameters
    ----------
    weights : ndarray of numbers, shape (1326,)
        The range's weights by combo, finite and not negative.

    Returns
    -------
    ndarray of float32, shape (1326,)
        The expected share of the pot, 0-1, ties shared, against those of the range's hands that share no card with
        the combo; 0 where there are none.

    Raises
    ------
    EquityError
        If it is no range's weights.

    Notes
    -----
    Summed in single precision: the error is a few parts in a million. Two products with a matrix of 7 MB, a
    millisecond; the matrix is made on first use.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> equity = preflop_equities(parse_range("random").weights)
    >>> round(float(equity[1325]), 4), round(float(equity.mean()), 4)  # two aces; the mean hand
    (0.852, 0.5)
    """
    values = check_weights(weights)
    most = values.max()
    if most == 0:
        return np.zeros(COMBO_COUNT, dtype=np.float32)
    values /= most
    equities = heads_up_table().equities()
    if values[values > 0].min() < _LEAST_SINGLE:
        equities = equities.astype(np.float64)
    else:
        values = values.astype(np.float32)
    # What a combo wins and what it loses, each without subtracting anything: a small weight is not lost beside
    # a large one that the combo blocks.
    # vecdot and einsum use one core; see HeadsUpTable.range_odds.
    won, lost = np.vecdot(equities, values), np.einsum("i,ij->j", values, equities)
    share = np.zeros(COMBO_COUNT, dtype=np.float32)
    np.divide(won, won + lost, out=share, where=won + lost > 0, casting="same_kind")
    return share


_LEAST_SINGLE = 1e-30  # what times the smallest equity is still a normal number in single precision


# ---- numbering ------------------------------------------------------------------------------------------


class Numbering(NamedTuple):
    """Where the result of two combos stands, by their number.

    Attributes
    ----------
    is_possible : ndarray of bool, shape (124215,)
        False where the two combos share a card.
    place : ndarray of int64, shape (124215,)
        The matchup's place among the 47,008.
    is_flipped : ndarray of bool, shape (124215,)
        Whether the players of that matchup stand the other way round.
    numbers : ndarray of int64, shape (47008,)
        The number that stands for each matchup.
    """

    is_possible: NDArray[np.bool_]
    place: NDArray[np.int64]
    is_flipped: NDArray[np.bool_]
    numbers: NDArray[np.int64]


def deals_of_matchups(places: NDArray[np.int64] | None = None) -> NDArray[np.int16]:
    """Give two combos for each of the 47,008 matchups, or those at some places of the table: int16, shape (n, 2).

    In the table's order those of the same ranks follow one another.
    """
    numbers = numbering().numbers
    pairs, partition = np.divmod(numbers if places is None else numbers[places], _PARTITIONS)
    ranks = np.array(_RANK_PAIRS)[np.array(np.divmod(pairs, _PAIRS))]
    cards = np.sort(4 * ranks + _STRINGS[partition].reshape(-1, 2, 2).swapaxes(0, 1))
    low, high = cards[..., 0], cards[..., 1]
    deals: NDArray[np.int16] = (high * (high - 1) // 2 + low).T.astype(np.int16, order="C")
    return deals


def numbers_of(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the number of each pair of combos of two lists: shape (len(first), len(second))."""
    numbers: NDArray[np.int64] = _PAIR_BASE.take(_PAIR[first], axis=0).take(_PAIR[second], axis=1)
    numbers += _PARTITION.take(_SUITS[first], axis=0).take(_SUITS[second], axis=1)
    return numbers


def weights_of_matchups(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up by matchup the products of two ranges' weights.

    Parameters
    ----------
    first, second : ndarray of float64, shape (1326,)
        Not negative.

    Returns
    -------
    ndarray of float64, shape (47008, 2)
        Of the deals in which the first range has the matchup's first combo, and of the others.
    """
    number = numbering()
    sums = np.zeros(_NUMBERS)
    own_combos, other_combos = first.nonzero()[0], second.nonzero()[0]
    other = second[other_combos]
    for rows in _chunks(len(own_combos), len(other)):
        combos = own_combos[rows]
        products = first[combos][:, None] * other
        sums += np.bincount(numbers_of(combos, other_combos).ravel(), products.ravel(), _NUMBERS)
    sums[~number.is_possible] = 0
    places = 2 * number.place + number.is_flipped
    by_matchup: NDArray[np.float64] = np.bincount(places, sums, 2 * MATCHUP_COUNT).astype(np.float64)
    return by_matchup.reshape(-1, 2)


@cache
def numbering() -> Numbering:
    """Work out which numbers are the same matchup (a few milliseconds).

    The cards of a pair can be swapped, and so can the players; of all numbers of a matchup the least stands for it.
    """
    high, low = np.array(_RANK_PAIRS).T
    cards = (high[:, None], low[:, None], high, low)
    is_possible = np.ones((_PAIRS, _PAIRS, _PARTITIONS), dtype=np.bool_)
    for i, j in combinations(range(4), 2):
        is_possible &= (cards[i] != cards[j])[..., None] | (_STRINGS[:, i] != _STRINGS[:, j])
    pairs = np.arange(_PAIRS)
    order = np.sign(pairs[:, None] - pairs)
    kind = order, (high == low)[:, None].astype(np.int64), (high == low).astype(np.int64)
    partition, is_flipped = _least_partitions()
    base = _PAIR_BASE[np.minimum(pairs[:, None], pairs), np.maximum(pairs[:, None], pairs)]
    least = (base[..., None] + partition[kind]).ravel()
    stands = is_possible.ravel() & (least == np.arange(_NUMBERS))
    place = np.maximum(np.cumsum(stands) - 1, 0)[least]
    return Numbering(is_possible.ravel(), place, is_flipped[kind].ravel(), np.flatnonzero(stands))


def _least_partitions() -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Give the least partition of a matchup, and whether it has the players the other way round.

    Both by the order of the two pairs of ranks (as an index, -1 stands for the first one being less), by whether
    each is two equal ranks, and by partition: shape (3, 2, 2, 15).
    """
    partition = np.zeros((3, 2, 2, _PARTITIONS), dtype=np.int64)
    is_flipped = np.zeros(partition.shape, dtype=np.bool_)
    for own, other in product((0, 1), repeat=2):
        owns, others = [[0, 1], [1, 0]][: own + 1], [[2, 3], [3, 2]][: other + 1]
        straight = np.min([_moved(*first, *second) for first in owns for second in others], axis=0)
        flipped = np.min([_moved(*second, *first) for first in owns for second in others], axis=0)
        partition[-1, own, other], partition[1, own, other] = straight, flipped
        partition[0, own, other] = np.minimum(straight, flipped)
        is_flipped[1, own, other], is_flipped[0, own, other] = True, flipped < straight
    return partition, is_flipped


def _renamed(suits: Sequence[int]) -> tuple[int, ...]:
    """Give suits new names, 0, 1, ... in the order in which they come."""
    seen = list(dict.fromkeys(suits))
    return tuple(seen.index(suit) for suit in suits)


def _moved(*places: int) -> NDArray[np.int64]:
    """Give what each partition becomes when the cards are taken in another order."""
    return np.array([_PARTITION_OF[_renamed(string)] for string in _STRINGS[:, places].tolist()])


_PARTITION_OF = {
    string: partition
    for partition, string in enumerate(sorted({_renamed(suits) for suits in product(range(4), repeat=4)}))
}
_STRINGS = np.array(list(_PARTITION_OF))

_RANK_PAIRS = [(high, low) for high in range(13) for low in range(high + 1)]
_HIGH, _LOW = COMBO_CARDS.T.astype(np.int64)
_PAIR = (_HIGH >> 2) * ((_HIGH >> 2) + 1) // 2 + (_LOW >> 2)
_SUITS = 4 * (_HIGH & 3) + (_LOW & 3)
_PAIR_BASE = (_PAIRS * np.arange(_PAIRS)[:, None] + np.arange(_PAIRS)) * _PARTITIONS
_PARTITION = np.array([_PARTITION_OF[_renamed(suits)] for suits in product(range(4), repeat=4)]).reshape(16, 16)


def _chunks(rows: int, columns: int) -> Iterator[slice]:
    """Cut the rows of a matrix into slices of about `_CHUNK` entries."""
    step = max(1, _CHUNK // max(1, columns))
    return (slice(start, start + step) for start in range(0, rows, step))


def _live(weights: NDArray[Any], whose: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give the combos of positive weight and their weights, checked."""
    array = np.asarray(weights)
    if array.shape == (COMBO_COUNT,) and array.dtype.kind in "fiub":
        combos = array.nonzero()[0]
        live = array[combos].astype(np.float64)
        if len(live) and live.min() > 0 and live.max() < np.inf:  # neither holds if one is not a number
            return combos, live
    check_weights(weights, whose)
    raise EquityError(f"{whose} is empty.")
