"""Which matchup two combos are, suits' names and the players' order apart.

A *matchup* is two combos without a card in common, one of each player. Up to the names of the suits, the order of
two cards and the players' order there are 47,008.

The *number* of two combos is made of the ranks of both (91 pairs of ranks each) and of how their four cards share
suits (15 partitions of four), so the numbers of whole ranges come from two small look-ups. Combos with a card in
common have a number, too. The *place* of a number says which of the 47,008 matchups it is.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_PAIR, PAIR_COUNT

MATCHUP_COUNT = 47_008
IMPOSSIBLE = 2 * MATCHUP_COUNT
"""The place of two combos with a card in common."""

_CHUNK = 1 << 16  # pairs of combos looked up at once

_PARTITIONS = 15
_NUMBERS = PAIR_COUNT * PAIR_COUNT * _PARTITIONS


def numbers_of(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the numbers of all pairs of two lists of combos: int64, shape (len(first), len(second))."""
    numbers: NDArray[np.int64] = _PAIR_BASE.take(_PAIR[first], axis=0).take(_PAIR[second], axis=1)
    numbers += _PARTITION.take(_SUITS[first], axis=0).take(_SUITS[second], axis=1)
    return numbers


def places() -> NDArray[np.int64]:
    """Give the place of each number: int64, shape (124215,), read-only.

    Twice the matchup's index among the 47,008, plus 1 where the players stand the other way round, or `IMPOSSIBLE`.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> aces, kings = (np.array([combo_of(*parse_cards(text))]) for text in ("AsAh", "KsKh"))
    >>> (places()[numbers_of(aces, kings)] ^ places()[numbers_of(kings, aces)]).tolist()
    [[1]]
    """
    return _numbering().places


def deals_of_matchups(matchups: NDArray[np.int64] | None = None) -> NDArray[np.int16]:
    """Give two combos for each of the 47,008 matchups, or for some of them: int16, shape (n, 2).

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
    place.setflags(write=False)
    return _Numbering(place, np.flatnonzero(stands))


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
_PAIR = COMBO_PAIR.astype(np.int64)
_SUITS = 4 * (_HIGH & 3) + (_LOW & 3)
_PAIR_BASE = (PAIR_COUNT * np.arange(PAIR_COUNT)[:, None] + np.arange(PAIR_COUNT)) * _PARTITIONS
_PARTITION = np.array([_PARTITION_OF[_renamed(suits)] for suits in product(range(4), repeat=4)]).reshape(16, 16)
