"""Two players before the flop: which matchup two combos are, and the exact result of each from a table.

A *matchup* is two combos without a card in common, one of each player. Up to the names of the suits, the order of
two cards and the players' order there are 47,008. For each the table holds on how many of the 1,712,304 boards the
first player wins and ties: 376 KB, counted once (`engine.kernels.equity.heads_up`, half a second) and kept in the
cache folder. Importing this module, and answering from a stored table, does not import numba.

The *number* of two combos is made of the ranks of both (91 pairs of ranks each) and of how their four cards share
suits (15 partitions of four), so the numbers of whole ranges come from two small look-ups. Combos with a card in
common have a number, too. The *place* of a number says which of the 47,008 matchups it is.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, COMBO_PAIR, PAIR_COUNT, frozen
from engine.equity.checks import EquityError, check_weights
from engine.kernels.cache import store_arrays, stored_arrays

MATCHUP_COUNT = 47_008
IMPOSSIBLE = 2 * MATCHUP_COUNT
"""The place of two combos with a card in common."""

_CHUNK = 1 << 16  # pairs of combos looked up at once

_PARTITIONS = 15
_NUMBERS = PAIR_COUNT * PAIR_COUNT * _PARTITIONS


def numbers_of(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of all pairs of two lists of combos: int64, shape (len(first), len(second))."""
    numbers: NDArray[np.int64] = _PAIR_BASE.take(_PAIR[first], axis=0).take(_PAIR[second], axis=1)
    numbers += _PARTITION.take(_SUITS[first], axis=0).take(_SUITS[second], axis=1)
    return numbers


def places() -> NDArray[np.int64]:
    """Return the place of each number: int64, shape (124215,), read-only.

    Twice the matchup's index among the 47,008, plus 1 where the players stand the other way round, or `IMPOSSIBLE`.
    """
    return _numbering().places


def deals_of_matchups(matchups: NDArray[np.int64] | None = None) -> NDArray[np.int16]:
    """Return two combos for each of the 47,008 matchups, or for some of them: int16, shape (n, 2).

    In their own order those of the same ranks follow one another.
    """
    numbers = _numbering().numbers
    if matchups is not None:
        numbers = numbers[matchups]
    pairs, partition = np.divmod(numbers, _PARTITIONS)
    ranks = np.array(_RANK_PAIRS)[np.array(np.divmod(pairs, PAIR_COUNT))]
    cards = np.sort(4 * ranks + _STRINGS[partition].reshape(-1, 2, 2).swapaxes(0, 1))
    low, high = cards[..., 0], cards[..., 1]
    deals: NDArray[np.int16] = (high * (high - 1) // 2 + low).T.astype(np.int16, order="C")
    return deals


def weights_of_matchups(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up by matchup the products of two ranges' weights.

    Parameters
    ----------
    first, second : ndarray of float64, shape (1326,)
        Finite and not negative.

    Returns
    -------
    ndarray of float64, shape (47008, 2)
        Of the deals in which the first range has the matchup's first combo, and of the others.
    """
    sums = np.zeros(IMPOSSIBLE + 1)
    own_combos, other_combos = first.nonzero()[0], second.nonzero()[0]
    other = second[other_combos]
    for rows in chunks(len(own_combos), len(other)):
        combos = own_combos[rows]
        place = places()[numbers_of(combos, other_combos)]
        products = first[combos][:, None] * other
        sums += np.bincount(place.ravel(), products.ravel(), len(sums))
    return sums[:IMPOSSIBLE].reshape(-1, 2)


def chunks(rows: int, columns: int) -> Iterator[slice]:
    """Cut the rows of a matrix into slices of about `_CHUNK` entries."""
    step = max(1, _CHUNK // max(1, columns))
    return (slice(start, start + step) for start in range(0, rows, step))


class _Numbering(NamedTuple):
    """The place of each number, and for each matchup the number that stands for it."""

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]


@cache
def _numbering() -> _Numbering:
    """Work out which numbers are the same matchup (a few milliseconds).

    The cards of a pair can be swapped, and so can the players; of all numbers of a matchup the least stands for it.
    """
    high, low = np.array(_RANK_PAIRS).T
    cards = (high[:, None], low[:, None], high, low)
    is_possible = np.ones((PAIR_COUNT, PAIR_COUNT, _PARTITIONS), dtype=np.bool_)
    for i, j in combinations(range(4), 2):
        is_possible &= (cards[i] != cards[j])[..., None] | (_STRINGS[:, i] != _STRINGS[:, j])
    pairs = np.arange(PAIR_COUNT)
    order = np.sign(pairs[:, None] - pairs)
    kind = order, (high == low)[:, None].astype(np.int64), (high == low).astype(np.int64)
    partition, is_flipped = _least_partitions()
    base = _PAIR_BASE[np.minimum(pairs[:, None], pairs), np.maximum(pairs[:, None], pairs)]
    least = (base[..., None] + partition[kind]).ravel()
    stands = is_possible.ravel() & (least == np.arange(_NUMBERS))
    place = 2 * (np.cumsum(stands) - 1)[least] + is_flipped[kind].ravel()
    place[~is_possible.ravel()] = IMPOSSIBLE
    return _Numbering(frozen(place), np.flatnonzero(stands))


def _least_partitions() -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the least partition of a matchup, and whether it has the players the other way round.

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
    """Return suits new names, 0, 1, ... in the order in which they come."""
    seen = list(dict.fromkeys(suits))
    return tuple(seen.index(suit) for suit in suits)


def _moved(*places: int) -> NDArray[np.int64]:
    """Return what each partition becomes when the cards are taken in another order."""
    return np.array([_PARTITION_OF[_renamed(string)] for string in _STRINGS[:, places].tolist()])


_PARTITION_OF = {
    string: partition
    for partition, string in enumerate(sorted({_renamed(suits) for suits in product(range(4), repeat=4)}))
}
_STRINGS = np.array(list(_PARTITION_OF))

_RANK_PAIRS = [(high, low) for high in range(13) for low in range(high + 1)]
_HIGH, _LOW = COMBO_CARDS.T.astype(np.int64)
_PAIR = COMBO_PAIR.astype(np.int64)
_SUITS = 4 * (_HIGH & 3) + (_LOW & 3)
_PAIR_BASE = (PAIR_COUNT * np.arange(PAIR_COUNT)[:, None] + np.arange(PAIR_COUNT)) * _PARTITIONS
_PARTITION = np.array([_PARTITION_OF[_renamed(suits)] for suits in product(range(4), repeat=4)]).reshape(16, 16)


# ---- the result of each ----------------------------------------------------------------------------------

BOARDS = comb(48, 5)
"""The boards of five cards for four hole cards: 1,712,304."""

_NAME = "heads_up"
_LARGEST_PRODUCT = 1e290  # of two weights; times all boards and pairs of combos it is still finite
_STEP_MATCHUPS = 1024  # counted in about 15 ms


class OddsWeights(NamedTuple):
    """What the boards of all deals of two ranges add up to, each counted by the product of its two weights."""

    win: float
    tie: float
    lose: float


class HeadsUpTable:
    """The result of every matchup before the flop.

    Attributes
    ----------
    counts : ndarray of uint32, shape (47008, 2), read-only
        On how many boards the first player of each of `deals_of_matchups()` wins and ties.
    """

    def __init__(self, counts: NDArray[np.uint32]) -> None:
        self.counts = counts
        wins, ties = counts.T.astype(np.float64)
        losses = BOARDS - wins - ties
        # Win, tie and lose by place; a fourth column makes rows of 32 bytes, which numpy takes fastest.
        by_place = np.zeros((IMPOSSIBLE + 1, 4))
        by_place[:-1:2, :3] = np.column_stack([wins, ties, losses])
        by_place[1::2, :3] = np.column_stack([losses, ties, wins])
        self._odds = by_place[places()]
        self._equity: NDArray[np.float64] | None = None

    def range_odds(self, mine: NDArray[Any], theirs: NDArray[Any]) -> OddsWeights:
        """Return the weight of the boards won, tied and lost; see the function `range_odds`."""
        own_combos, own = _live(mine, "The first range")
        other_combos, other = _live(theirs, "The second range")
        largest = own.max() * other.max()
        if not largest < _LARGEST_PRODUCT:
            raise EquityError(
                f"The weights {own.max()} and {other.max()} are too large to be multiplied and added up."
            )
        sums = np.zeros(4)
        for rows in chunks(len(own), len(other)):
            odds = self._odds.take(numbers_of(own_combos[rows], other_combos), axis=0)
            # einsum: unless it is small a product by BLAS waits for other cores, milliseconds where these are busy.
            summed = np.einsum("i,ij->j", own[rows], odds.reshape(len(odds), -1))
            sums += other @ summed.reshape(-1, 4)
        win, tie, lose, _ = sums.tolist()
        if win + tie + lose == 0 and (COMBO_MASK[own_combos, None] & COMBO_MASK[other_combos]).all():
            raise EquityError("No cards can be dealt to the two ranges together: all their hands share a card.")
        return OddsWeights(win, tie, lose)

    def equities(self) -> NDArray[np.float64]:
        """Return the equity of every combo against every other: float64, shape (1326, 1326), read-only.

        0 where they share a card. Made on first use in 15 ms, 14 MB.
        """
        if self._equity is None:
            self._equity = _by_combos((self._odds[:, 0] + self._odds[:, 1] / 2) / BOARDS)
        return self._equity

    def ties(self) -> NDArray[np.float64]:
        """Return on which share of the boards every combo ties with every other, in the form of `equities`."""
        return _by_combos(self._odds[:, 1] / BOARDS)


def _by_combos(by_number: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a number of each matchup for every two combos, shape (1326, 1326), read-only."""
    numbers = np.empty((COMBO_COUNT, COMBO_COUNT))
    combos = np.arange(COMBO_COUNT)
    for rows in chunks(COMBO_COUNT, COMBO_COUNT):
        np.take(by_number, numbers_of(combos[rows], combos), out=numbers[rows])
    return frozen(numbers)


# ---- the table ------------------------------------------------------------------------------------------

_table: HeadsUpTable | None = None


def is_ready() -> bool:
    """Return whether the table is loaded or stored, so that `heads_up_table` answers without counting."""
    global _table
    if _table is None:
        arrays = stored_arrays(_NAME) or {}
        counts = arrays.get("counts")
        if counts is not None and counts.shape == (MATCHUP_COUNT, 2) and counts.dtype == np.uint32:
            _table = HeadsUpTable(counts)  # type: ignore[arg-type]
    return _table is not None


def heads_up_table() -> HeadsUpTable:
    """Return the table: loaded from the cache folder (10 ms), or counted (half a second) and kept there."""
    for _ in build_steps():
        pass
    assert _table is not None
    return _table


def build_steps() -> Iterator[float]:
    """Count the table in steps of about 15 ms, unless it is ready, and keep it; yields the part done, 0 to 1."""
    global _table
    if is_ready():
        return
    from engine.kernels.equity.heads_up import count_matchups

    deals = deals_of_matchups()
    counts = np.empty((MATCHUP_COUNT, 2), dtype=np.uint32)
    for start in range(0, MATCHUP_COUNT, _STEP_MATCHUPS):
        rows = slice(start, start + _STEP_MATCHUPS)
        counts[rows] = count_matchups(deals[rows])
        yield min(1.0, (start + _STEP_MATCHUPS) / MATCHUP_COUNT)
    store_arrays(_NAME, {"counts": counts})
    _table = HeadsUpTable(counts)


def range_odds(mine: NDArray[Any], theirs: NDArray[Any]) -> OddsWeights:
    """Return the exact result of one range against another before the flop.

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

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> range_odds(parse_range("AhKh").weights, parse_range("QsQd").weights)
    OddsWeights(win=787966.0, tie=6732.0, lose=917606.0)
    """
    return heads_up_table().range_odds(mine, theirs)


def preflop_equities(weights: NDArray[Any]) -> NDArray[np.float32]:
    """Return the exact equity before the flop of every combo against a range.

    Parameters
    ----------
    weights : ndarray of numbers, shape (1326,)
        The range's weights by combo, finite and not negative.

    Returns
    -------
    ndarray of float32, shape (1326,)
        The expected share of the pot, 0-1, ties shared, against those of the range's hands that share no card with
        the combo; 0 where there are none. Half a millisecond, after a matrix of 14 MB is made on first use.

    Raises
    ------
    EquityError
        If it is no range's weights.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> equity = preflop_equities(parse_range("random").weights)
    >>> round(float(equity[1325]), 4), round(float(equity.mean()), 4)  # two aces; the mean hand
    (0.852, 0.5)
    """
    values = check_weights(weights)
    values /= values.max() or 1.0
    equities = heads_up_table().equities()
    # What a combo wins and what it loses, each without subtracting anything: a small weight is not lost next to a
    # large one that the combo blocks. vecdot and einsum use one core; see HeadsUpTable.range_odds.
    won, lost = np.vecdot(equities, values), np.einsum("i,ij->j", values, equities)
    share = np.zeros(COMBO_COUNT, dtype=np.float32)
    np.divide(won, won + lost, out=share, where=won + lost > 0, casting="same_kind")
    return share


def _live(weights: NDArray[Any], whose: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the combos of positive weight and their weights, checked."""
    array = np.asarray(weights)
    if array.shape == (COMBO_COUNT,) and array.dtype.kind in "fiub":
        combos = (array != 0).nonzero()[0]  # three times as fast as that of numbers
        live = array[combos].astype(np.float64)
        # Neither holds if one is not a number.
        if len(live) and np.minimum.reduce(live) > 0 and np.maximum.reduce(live) < np.inf:
            return combos, live
    check_weights(weights, whose)
    raise EquityError(f"{whose} is empty.")
