"""The equity of every combo at once against several ranges, nearly exact.

Against one range the weights below a combo add up to what it beats. Against several, all of them have to be below
it, and no two may hold the same card. Here the first is counted exactly, as a product over ranges for every combo
and runout (ties: the mean over t of the product of `below + t * tied`, a polynomial, by Gauss-Legendre quadrature),
and the second is approximated in two steps:

1. Each range's weights are multiplied by factors of its two cards so that it has the marginals it has in the joint
   deal, by belief propagation between ranges and cards: each card is held by at most one range (Bethe
   approximation; Yedidia, Freeman and Weiss, 2005, "Constructing free-energy approximations and generalized belief
   propagation algorithms").
2. At each level of strength every card has a factor: the chance that no two of the ranges, now restricted to what
   is below and leaves a combo's cards alone, hold it, where it is 1 for the whole ranges (the propagation's
   reparametrisation of the joint deal; Wainwright, Jaakkola and Willsky, 2003, "Tree-based reparameterization
   framework for analysis of sum-product and related algorithms"). Their product corrects the level.

The factors are found for each pair of ranks of a combo, not for each combo, and for one of the runouts of the same
ranks and flush; where both cards to come are needed for a flush, those who hold it get the factors of the whole
ranges, for nearly everything is below. Of runouts of two ranks that make no flush possible, or the same one, a
third to a half are gone through, so chosen that every card comes as often as among all.

Errors in shares of the pot, of all combos that can be dealt: the worst, the worst among those beside which the
ranges weigh at least a fifth of the most, and the root mean square. Against two ranges the truth is counted, else
sampled so long that its own standard error, at most 0.002 for a single combo (0.0035 where marked), is below that.

    ================  ======================================  ======  ======  ======
    board             ranges                                  worst   likely  rms
    ================  ======================================  ======  ======  ======
    Ks 7d 2h 3c 9s    2 of any two cards                      0.0001  0.0001  0.0001
    Ks Qs 7s 2s 9d    5 of any two cards                      0.003   0.003   0.0005
    Ks Kd 7h 2c 9d    9 of any two cards                      0.004   0.004   0.0002
    Js Ts 8d 7s 2c    5 of a quarter of all combos            0.006   0.006   0.0008
    Ks 7d 2h 3c 9s    9 of a quarter                          0.020   0.014   0.0026
    Ks 7d 2h 3c 9s    a tenth, a fifth and a quarter          0.003   0.003   0.0008
    Qs 7d 2h 3c 9s    AA,KK and AA,KK,AK                      0.017   0.017   0.0016
    As 7d 2h 3c 9s    AK,QQ,KK; AK,AQ; QQ,JJ,AQ; AA,KK,AK     0.037   0.014   0.0064
    Qs Jh 8d 7s 2c    4 predictions, a weight for each combo  0.001   0.001   0.0001
    Qs Jh 8d 8s 2c    9 predictions                           0.004   0.004   0.0007
    As Kh 8d 7s 2c    3 without the best hands                0.005   0.005   0.0017
    Qs Jh 8s 6d       5 predictions                           0.003   0.003   0.0004
    Qs Qh 8s 6d       9 predictions (marked)                  0.008   0.008   0.0010
    Ks 7d 2h          3 of any two cards                      0.002   0.002   0.0001
    Ks 7d 2h          5 of a quarter                          0.004   0.004   0.0007
    Js Ts 4d          3 of a quarter                          0.003   0.003   0.0005
    Qs Js 4s          a tenth, a fifth and a quarter          0.004   0.004   0.0006
    As 7d 2h          AK,QQ,KK; AK,AQ; QQ,JJ,AQ; AA,KK,AK     0.036   0.017   0.0044
    ================  ======================================  ======  ======  ======

The bare product is off by 0.008 to 0.34 in these, with the marginals of step 1 alone by 0.008 to 0.09.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, Card, card_mask, unblocked
from engine.checks import MOST_OPPONENTS, EquityError, check_cards, check_sequence, check_weights
from engine.codec import Vector, frozen_vector
from engine.combo_equities import combo_equities


class MultiwayMethod(StrEnum):
    """How clashes between the opponents' ranges were counted."""

    EXACT = "exact"
    BETHE = "bethe"


class MultiwayEquities(Struct, frozen=True):
    """The equity of every combo against several ranges.

    Attributes
    ----------
    values : ndarray of float32, shape (1326,), read-only
        Shares of the pot, 0 to 1. 0 for combos that are blocked, or beside which the ranges cannot be dealt.
    method : MultiwayMethod
        `EXACT` against one range, `BETHE` against several.
    """

    values: Vector
    method: MultiwayMethod

    @property
    def is_exact(self) -> bool:
        """Whether nothing is approximated."""
        return self.method is MultiwayMethod.EXACT


def multiway_equities(
    board: Sequence[Card], ranges: Sequence[NDArray[Any]], dead: Sequence[Card] = ()
) -> MultiwayEquities:
    """Give the equity of every combo against several weighted ranges on a flop, turn or river.

    What is meant: over all runouts and all deals of the ranges that share no card with each other, the combo or the
    board, each weighing the product of its weights, the mean share of the pot, ties shared.

    Parameters
    ----------
    board : sequence of Card
        3, 4 or 5 cards.
    ranges : sequence of ndarray of numbers, shape (1326,)
        1 to 9 ranges, one for each opponent: weights of 0 or more, each on a scale of its own.
    dead : sequence of Card
        Cards that nobody can hold.

    Returns
    -------
    MultiwayEquities

    Raises
    ------
    EquityError
        If the board has other than 3, 4 or 5 cards, a card stands twice, there are no or too many ranges, one is no
        range or blocked, they cannot be dealt together, or too few cards are left.

    Notes
    -----
    The module tells what is approximated and how large the errors are: mostly below 0.005, a few hundredths where
    narrow ranges are made of the same few cards. About 3.7, 0.35 and 0.06 ms on a flop, turn and river against two
    ranges, 5.9, 0.53 and 0.08 ms against five different ones, 8.7, 0.77 and 0.12 ms against nine; up to 2.3 times
    as much with three cards of a suit on the board, and less where ranges are equal. It takes longer, once for each
    such card, where a card is in nearly all of a range.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> from engine.ranges import parse_range
    >>> flop, hand = parse_cards("Ks 7d 2h"), combo_of(*parse_cards("7c7s"))
    >>> opponents = [parse_range(text).weights for text in ("22+,AT+,KT+", "22+,A2s+,KT+", "KQ,KJ,77,22")]
    >>> answer = multiway_equities(flop, opponents)
    >>> round(float(answer.values[hand]), 2), answer.method.value
    (0.89, 'bethe')
    """
    check_cards(board, dead)
    if not board:
        raise EquityError("The equity of every combo against several ranges needs a flop, turn or river.")
    check_sequence(ranges, "Ranges")
    if not 1 <= len(ranges) <= MOST_OPPONENTS:
        raise EquityError(f"There can be 1 to {MOST_OPPONENTS} ranges, not {len(ranges)}.")
    left, needed = CARD_COUNT - len(board) - len(dead), 2 * len(ranges) + 7 - len(board)
    if left < needed:
        raise EquityError(
            f"Too many cards are dead: {len(ranges)} ranges, a combo and the rest of the board need {needed}, "
            f"and {left} are left."
        )
    weights, totals = _checked(ranges, np.uint64(card_mask((*board, *dead))))
    if len(ranges) == 1:
        return MultiwayEquities(combo_equities(board, weights[0], dead), MultiwayMethod.EXACT)
    weights, totals, times = _different(weights, totals)
    values = _equities(board, dead, weights, totals, times)
    if values is None:
        raise EquityError(
            f"No cards can be dealt to the {len(ranges)} ranges together: whatever some hold, nothing is left for "
            "another.",
            tuple(range(len(ranges))),
        )
    return MultiwayEquities(frozen_vector(values), MultiwayMethod.BETHE)


def _checked(ranges: Sequence[NDArray[Any]], known: np.uint64) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Check ranges; give their weights, shape (q, 1326), and how much of each is not blocked."""
    from engine.kernels.multiway_shares import weigh_ranges

    arrays = [np.asarray(weights) for weights in ranges]
    if any(array.shape != (COMBO_COUNT,) or array.dtype.kind not in "fiub" for array in arrays):
        for i, array in enumerate(arrays):
            check_weights(array, f"Range {i + 1}")
    weights, totals = np.array(arrays, dtype=np.float64), np.empty(len(arrays))
    if not weigh_ranges(weights, known, totals):
        for i, array in enumerate(arrays):
            check_weights(array, f"Range {i + 1}")
        weights = np.ldexp(weights, -np.frexp(weights.max(axis=1, keepdims=True))[1])
        weigh_ranges(weights, known, totals)
    if not totals.min() > 0:
        i = int(totals.argmin())
        why = "has only combos with a card of the board or a dead card" if weights[i].any() else "is empty"
        raise EquityError(f"Range {i + 1} {why}.", (i,))
    return weights, totals


def _different(
    weights: NDArray[np.float64], totals: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Give every range and its total once, and how often it is there."""
    firsts: list[int] = []
    times: list[int] = []
    for i, total in enumerate(totals.tolist()):
        for place, first in enumerate(firsts):
            if totals[first] == total and np.array_equal(weights[first], weights[i]):
                times[place] += 1
                break
        else:
            firsts.append(i)
            times.append(1)
    if len(firsts) < len(weights):
        weights, totals = weights[firsts], totals[firsts]
    return weights, totals, np.array(times)


def _equities(
    board: Sequence[int],
    dead: Sequence[int],
    weights: NDArray[np.float64],
    totals: NDArray[np.float64],
    times: NDArray[np.int64],
    combos: NDArray[np.int64] | None = None,
) -> NDArray[np.float32] | None:
    """Give the equities, at least of some combos, or None if the ranges cannot be dealt together."""
    from engine.kernels.multiway import sweep_together

    values, is_narrow = sweep_together(board, dead, weights, 1 / totals, times)
    if values is None or not is_narrow:
        return values
    # A combo that blocks nearly all of a range meets what is left of it, on a scale of its own.
    live = unblocked((*board, *dead))
    left = _weights_beside(weights * live) / totals[:, None]
    doubtful = np.flatnonzero(live & (values > 0) & (left < _LEAST_LEFT).any(axis=0))
    if combos is not None:
        doubtful = np.intersect1d(doubtful, combos)
    # A card that no range holds any more changes nothing, so it is not taken away once more.
    is_held = np.zeros(CARD_COUNT, dtype=np.bool_)
    is_held[COMBO_CARDS[(live & (weights > 0)).any(axis=0)]] = True
    while len(doubtful):
        card = int((np.bincount(COMBO_CARDS[doubtful].ravel(), minlength=CARD_COUNT) * is_held).argmax())
        holds = (COMBO_CARDS[doubtful] == card).any(axis=1)
        others = weights * unblocked((card,))
        beside = _equities(board, dead, others, others @ live, times, doubtful[holds])
        values[doubtful[holds]] = 0 if beside is None else beside[doubtful[holds]]
        doubtful = doubtful[~holds]
    return values


_LEAST_LEFT = 0.02  # of a range beside a combo, for single precision


def _weights_beside(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give for each range and combo the weight that shares no card with the combo, shapes (q, 1326)."""
    by_card = np.stack([np.bincount(COMBO_CARDS.ravel(), np.repeat(row, 2), CARD_COUNT) for row in weights])
    total = weights.sum(axis=1, keepdims=True)
    beside: NDArray[np.float64] = total - by_card[:, COMBO_CARDS[:, 0]] - by_card[:, COMBO_CARDS[:, 1]] + weights
    return beside
