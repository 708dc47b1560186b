"""One hand's share of the pot against predicted ranges, or against random hands."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    Card,
    Combo,
    HoleCards,
    card_mask,
    cards_of,
    check_sequence,
    combo_of,
    unblocked,
)
from engine.codec import Vector, frozen_vector
from engine.equity.checks import EquityError, check_hand, check_weights
from engine.equity.exact import plan_count
from engine.equity.joint import Sums
from engine.equity.sampling import NO_DEALS, draw_lists, players_of
from engine.equity.snapshot import Estimate, Method

_EXACT_SECONDS: Final = 0.02  # what is estimated to take no longer is counted, not sampled
_MOST_SUMMED: Final = 3  # opponents that `engine.kernels.equity.hero` takes
# Sums of deals leave rounding errors of 1e-15 of all weight, clashes included: so 9 digits are right.
_LEAST_TOGETHER: Final = 1e-6
_AT_ONCE: Final = 4_000  # deals between two looks at the clock; also what the same count is always made of
MOST_BY_DEADLINE: Final = 256_000
"""Deals after which sampling against time ends, too: the standard error is 0.1% then at most."""


class Counting(Struct, frozen=True):
    """How algorithm 1 is carried out; all false, it is the one printed.

    Attributes
    ----------
    is_exact : bool
        Whether it is counted where that is as fast; never where either of the others is false.
    is_joint : bool
        Whether opponents are dealt from their joint distribution, or one after another from what is left.
    shares_ties : bool
        Whether a tie counts for its share of the pot, or nothing.
    """

    is_exact: bool = True
    is_joint: bool = True
    shares_ties: bool = True


EXACT_COUNTING: Final = Counting()


def win_rate(
    hole_cards: HoleCards,
    opponents: Sequence[NDArray[np.floating[Any]]],
    board: Sequence[Card],
    *,
    deals: int,
    seed: int,
    deadline: float | None = None,
    counting: Counting = EXACT_COUNTING,
) -> Estimate:
    """Return a hand's share of the pot at showdown against predicted ranges, jointly (Li et al. 2017, alg. 1).

    Parameters
    ----------
    opponents : sequence of ndarray, shape (1326,)
        1 to 9 ranges: weights or probabilities, 0 or more, on any scale. Combos blocked by the board or the
        hole cards do not count.
    board : sequence of Card
        0, 3, 4 or 5 cards.
    deals : int
        How many to sample, at least 2, where the answer is not exact.
    seed : int
        The same arguments and seed give the same answer.
    deadline : float, optional
        On the clock of `time.monotonic`: sampling goes on until shortly before it, or `MOST_BY_DEADLINE` deals, in
        whole steps of 4,000; with no time for one it takes `deals` as ever. Asked again for as many deals as
        `Estimate.count` says, without a deadline, it gives the same answer.
    counting : Counting
        To sample where the answer could be exact, and to depart from it as the algorithm printed does.

    Returns
    -------
    Estimate
        Exact where that takes no longer than about 20 ms: against one opponent, against two or three on a flop,
        turn or river, and against more, or before the flop, if their ranges are narrow.

    Raises
    ------
    EquityError
        If a card stands twice, there are too few or too many opponents or too few deals, or something is no range.

    Notes
    -----
    Departs from the algorithm as printed in four points: it counts where it can, redraws all opponents when two of
    them clash (drawing in turn is not the joint distribution), shares ties, and comes with a standard error.

    On a flop, turn and river one opponent takes 1, 0.15 and 0.1 ms, two 1.4, 0.3 and 0.2 ms, and three 15, 1.7
    and 0.5 ms, whatever their ranges (`engine.kernels.equity.hero`).

    Predictions may contradict each other. An opponent whose range is empty gets any two cards. If hardly any try
    is free of clashes, opponents are drawn in turn and weighted accordingly; and if no deal is possible at all,
    they are drawn in turn unweighted, with any two cards for an opponent who has nothing left.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> ranges = [parse_range("QQ+").weights, parse_range("22+").weights]
    >>> hand, flop = parse_cards("AsKs"), parse_cards("Js7s2h")
    >>> answer = win_rate((hand[0], hand[1]), ranges, flop, deals=500, seed=0)
    >>> round(answer.value, 8), answer.count, answer.method.value
    (0.42462977, 639324, 'exact')
    """
    check_sequence(opponents, "Opponents' ranges", EquityError)
    check_hand(hole_cards, len(opponents), board, deals, seed)
    live = unblocked((*hole_cards, *board))
    ranges = np.array(
        [check_weights(range_, f"Opponent {number}'s range") for number, range_ in enumerate(opponents, 1)]
    )
    ranges[:, ~live] = 0
    # Whose range is empty gets any two cards.
    ranges[~ranges.any(axis=1)] = live
    # By powers of two nothing is rounded, and no sum or product becomes infinite.
    ranges = np.ldexp(ranges, -np.frexp(ranges.max(axis=1, keepdims=True))[1])
    if counting == EXACT_COUNTING:
        exact = _exact_win_rate(hole_cards, ranges, board)
        if exact is not None:
            return exact
    return _sampled_win_rate(hole_cards, ranges, board, deals, seed, deadline, counting)


def win_rate_random(
    hole_cards: HoleCards, opponents: int, board: Sequence[Card], *, deals: int, seed: int
) -> Estimate:
    """Return a hand's share of the pot at showdown against 1 to 9 random hands; otherwise as `win_rate`.

    From the table of `engine.preflop` before the flop, exact against one; after it exact against up to three
    opponents, the last 512 answers being kept, and sampled against more.
    """
    check_hand(hole_cards, opponents, board, deals, seed)
    combo = combo_of(*hole_cards)
    if not board:
        from engine.preflop import DEALS, equity_against_random, stderr_against_random

        value, error = (float(of(opponents)[combo]) for of in (equity_against_random, stderr_against_random))
        if error == 0:
            return Estimate(value, Method.EXACT, 0.0, comb(50, 2) * comb(48, 5))
        return Estimate(value, Method.TABLE, error, DEALS)
    exact = _summed_against_random(combo, opponents, tuple(sorted(board)))
    if exact is not None:
        return exact.estimate
    any_two = unblocked((*hole_cards, *board)).astype(np.float64)
    return _sampled_win_rate(hole_cards, np.tile(any_two, (opponents, 1)), board, deals, seed)


def equities_by_next_card(hole_cards: HoleCards, board: Sequence[Card]) -> Vector:
    """Return a hand's exact equity against one random hand after each card that may come on a flop or turn.

    It is counted together with `win_rate_random` against one opponent, in half a millisecond on a flop.

    Returns
    -------
    ndarray of float32, shape (52,), read-only
        As `combo_equities` on the board with that card has it; NaN for cards that cannot come.

    Raises
    ------
    EquityError
        If the cards are no hand on a flop or turn.
    """
    check_hand(hole_cards, 1, board, 2, 0)
    if len(board) not in (3, 4):
        raise EquityError(f"Another card comes on a flop or turn, not on a board of {len(board)} cards.")
    summed = _summed_against_random(combo_of(*hole_cards), 1, tuple(sorted(board)))
    assert summed is not None
    left = CARD_COUNT - 2 - len(board)
    deals = comb(left - 1, 2) * comb(left - 3, 4 - len(board))
    # In whole halves of a deal, which is what they are but for rounding.
    halves = np.rint(2 * comb(left, 2) * summed.by_card)
    halves[[*board, *hole_cards]] = np.nan
    return frozen_vector(halves / (2 * deals))


class _Summed(NamedTuple):
    """A win rate by summing up all deals, and the part of the sum with each card to come, float64, shape (52,)."""

    estimate: Estimate
    by_card: Sums


@lru_cache(maxsize=512)
def _summed_against_random(combo: Combo, opponents: int, board: tuple[Card, ...]) -> _Summed | None:
    if opponents > _MOST_SUMMED:
        return None
    hole_cards = cards_of(combo)
    any_two = unblocked((*hole_cards, *board)).astype(np.float64)
    return _summed_win_rate(hole_cards, np.tile(any_two, (opponents, 1)), board)


def _exact_win_rate(hole_cards: HoleCards, ranges: Sums, board: Sequence[int]) -> Estimate | None:
    """Count, if it takes no longer than `_EXACT_SECONDS` and something can be dealt."""
    if board and len(ranges) <= _MOST_SUMMED:
        summed = _summed_win_rate(hole_cards, ranges, board)
        if summed is not None:
            return summed.estimate
    own = np.zeros(COMBO_COUNT)
    own[combo_of(*hole_cards)] = 1
    counting = plan_count(np.vstack([own, ranges / ranges.max(axis=1, keepdims=True)]), board, (), _EXACT_SECONDS)
    if counting is None:
        return None
    for _ in counting.steps():
        pass
    sets = np.arange(1, len(counting.outcomes), 2)  # those with player 0
    total = counting.outcomes.sum()
    if total == 0:
        return None
    share = (counting.outcomes[sets] / np.bitwise_count(sets)).sum() / total
    return Estimate(float(share), Method.EXACT, 0.0, counting.showdowns)


def _summed_win_rate(hole_cards: HoleCards, ranges: Sums, board: Sequence[int]) -> _Summed | None:
    """Sum up all deals of up to three ranges; None if too few of them are possible for that to be precise."""
    from engine.kernels.equity.hero import share_of_hero
    from engine.kernels.evaluator import tables

    hand, known = np.array(hole_cards, dtype=np.uint8), np.array(board, dtype=np.uint8)
    ranges = ranges / ranges.sum(axis=1, keepdims=True)
    weight, _ = share_of_hero(tables(), hand, known, ranges, is_sure=True)
    if weight < _LEAST_TOGETHER:
        return None
    runouts = comb(CARD_COUNT - len(board) - 2 - 2 * len(ranges), 5 - len(board))
    share, by_card = share_of_hero(tables(), hand, known, ranges)
    if len(ranges) == 1:
        deals = float(np.count_nonzero(ranges))
    else:
        deals, _ = share_of_hero(tables(), hand, known, (ranges > 0).astype(np.float64), is_sure=True)
    value = min(max(share / (weight * runouts), 0.0), 1.0)
    return _Summed(Estimate(value, Method.EXACT, 0.0, round(deals) * runouts), by_card)


class _Amount:
    """How many deals come next: the rest of a number, or one step after another until there is no time for it."""

    def __init__(self, deals: int, deadline: float | None) -> None:
        self._deals = deals
        self._deadline = deadline
        self._longest = 0.0
        self._last = 0.0
        if deadline is not None:
            self._last = monotonic()
            if self._last < deadline:
                self._deals = MOST_BY_DEADLINE

    def next(self, done: int) -> int:
        """Return the size of the next step, 0 at the end."""
        left = self._deals - done
        if self._deadline is not None and done:
            now = monotonic()
            self._longest, self._last = max(self._longest, now - self._last), now
            if now + self._longest > self._deadline:
                return 0
        return max(min(left, _AT_ONCE), 0)


def _sampled_win_rate(
    hole_cards: HoleCards,
    opponents: Sums,
    board: Sequence[int],
    deals: int,
    seed: int,
    deadline: float | None = None,
    counting: Counting = EXACT_COUNTING,
) -> Estimate:
    from engine.kernels.equity.sampling import IN_TURN, IN_TURN_OR_ANY, REJECTING, Dealing, sample_deals
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream

    own = np.zeros(COMBO_COUNT)
    own[combo_of(*hole_cards)] = 1
    live = unblocked((*hole_cards, *board))
    # Whoever may hold anything, or whose range is empty, gets any two cards.
    ranges = [np.where(live, opponent, 0) for opponent in opponents if np.ptp(opponent[live]) > 0]
    lists = draw_lists([own, *ranges])
    known = np.array(board, dtype=np.uint8)
    amount = _Amount(deals, deadline)

    def deal(method: int, tries_per_deal: int) -> tuple[int, Sums]:
        outcomes, stream, done = np.zeros((2 << len(opponents), 2)), new_stream(seed, method), 0
        dealing = Dealing(known, np.uint64(card_mask(board)), lists, NO_DEALS, method, len(opponents) + 1)
        while step := amount.next(done):
            step_outcomes = np.zeros_like(outcomes)
            dealt, _ = sample_deals(tables(), stream, dealing, step, tries_per_deal * step, step_outcomes)
            if dealt < step or not step_outcomes[:, 0].any():
                break
            outcomes += step_outcomes
            done += step
        return done, outcomes

    joint = ((REJECTING, 64), (IN_TURN, 1)) if counting.is_joint else ()
    for method, tries_per_deal in (*joint, (IN_TURN_OR_ANY, 1)):
        done, outcomes = deal(method, tries_per_deal)
        if done:
            break
    assert done
    me = players_of(outcomes)[0]
    if not counting.shares_ties:
        return Estimate(me.win, Method.SAMPLED, me.win_stderr, done)
    return Estimate(me.equity, Method.SAMPLED, me.stderr, done)
