"""Two players before the flop: the exact result of every matchup, from a table of 47,008.

Of each of the 47,008 matchups (`engine.equity.matchups`) the table holds on how many of the 1,712,304 boards the
first player wins and ties: 376 KB, counted once (`engine.kernels.heads_up`, half a second) and kept in the cache
folder. Importing this module, and answering from a stored table, does not import numba.

Examples
--------
>>> from engine.cards import combo_of, parse_cards
>>> matchup(combo_of(*parse_cards("AhKh")), combo_of(*parse_cards("QsQd")))
(787966, 917606, 6732)
"""

from collections.abc import Callable, Iterator
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, format_card, format_combo
from engine.checks import EquityError, check_weights, is_whole
from engine.equity.matchups import IMPOSSIBLE, MATCHUP_COUNT, chunks, deals_of_matchups, numbers_of, places
from engine.kernels.cache import store_arrays, stored_arrays

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
        wins, ties = counts.T.astype(np.float64)
        losses = BOARDS - wins - ties
        # Win, tie and lose by place; a fourth column makes rows of 32 bytes, which numpy takes fastest.
        by_place = np.zeros((IMPOSSIBLE + 1, 4))
        by_place[:-1:2, :3] = np.column_stack([wins, ties, losses])
        by_place[1::2, :3] = np.column_stack([losses, ties, wins])
        self._odds = by_place[places()]
        self._equity: NDArray[np.float64] | None = None

    def matchup(self, first: int, second: int) -> tuple[int, int, int]:
        """Give on how many boards the first combo wins, loses and ties; see the function `matchup`."""
        for combo in (first, second):
            if not is_whole(combo) or not 0 <= combo < COMBO_COUNT:
                raise EquityError(f"{combo} is no combo: combos are numbered 0 to {COMBO_COUNT - 1}.")
        shared = int(COMBO_MASK[first] & COMBO_MASK[second])
        if shared:
            raise EquityError(
                f"The card {format_card(shared.bit_length() - 1)} cannot be held by both {format_combo(first)} "
                f"and {format_combo(second)}."
            )
        number = numbers_of(np.array([first]), np.array([second]))[0, 0]
        win, tie, lose, _ = self._odds[number].tolist()
        return int(win), int(lose), int(tie)

    def range_odds(self, mine: NDArray[Any], theirs: NDArray[Any]) -> OddsWeights:
        """Give the weight of the boards won, tied and lost; see the function `range_odds`."""
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
        """Give the equity of every combo against every other: float64, shape (1326, 1326), read-only.

        0 where they share a card. Made on first use in 15 ms, 14 MB.
        """
        if self._equity is None:
            by_number = (self._odds[:, 0] + self._odds[:, 1] / 2) / BOARDS
            equity = np.empty((COMBO_COUNT, COMBO_COUNT))
            combos = np.arange(COMBO_COUNT)
            for rows in chunks(COMBO_COUNT, COMBO_COUNT):
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
    Two products with a matrix of 14 MB, half a millisecond; the matrix is made on first use.

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
    # What a combo wins and what it loses, each without subtracting anything: a small weight is not lost beside a
    # large one that the combo blocks. vecdot and einsum use one core; see HeadsUpTable.range_odds.
    won, lost = np.vecdot(equities, values), np.einsum("i,ij->j", values, equities)
    share = np.zeros(COMBO_COUNT, dtype=np.float32)
    np.divide(won, won + lost, out=share, where=won + lost > 0, casting="same_kind")
    return share


def _live(weights: NDArray[Any], whose: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give the combos of positive weight and their weights, checked."""
    array = np.asarray(weights)
    if array.shape == (COMBO_COUNT,) and array.dtype.kind in "fiub":
        combos = (array != 0).nonzero()[0]  # three times as fast as that of numbers
        live = array[combos].astype(np.float64)
        # Neither holds if one is not a number.
        if len(live) and np.minimum.reduce(live) > 0 and np.maximum.reduce(live) < np.inf:
            return combos, live
    check_weights(weights, whose)
    raise EquityError(f"{whose} is empty.")
