"""One hand's share of the pot against predicted ranges, or against random hands."""

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, Card, HoleCards, card_mask, combo_of, unblocked
from engine.checks import check_hand
from engine.codec import Vector
from engine.combo_equities import combo_equities, sweep
from engine.equity import Method
from engine.joint import Sums
from engine.sampling import NO_DEALS, draw_lists, players_of


class Equity(Struct, frozen=True):
    """One hand's share of the pot.

    Attributes
    ----------
    value : float
        0 to 1.
    stderr : float
        0 where exact.
    count : int
        Deals sampled, or showdowns counted.
    method : Method
        `EXACT`, `SAMPLED` or `TABLE`.
    """

    value: float
    stderr: float
    count: int
    method: Method


def win_rate(
    hole_cards: HoleCards, opponents: Sequence[Vector], board: Sequence[Card], *, deals: int, seed: int
) -> Equity:
    """Give a hand's share of the pot at showdown against predicted ranges, jointly (Li et al. 2017, alg. 1).

    Parameters
    ----------
    hole_cards : tuple of two Card
    opponents : sequence of ndarray, shape (1326,)
        1 to 9 ranges: weights or probabilities, 0 or more, on any scale. Combos blocked by the board or the
        hole cards do not count.
    board : sequence of Card
        0, 3, 4 or 5 cards.
    deals : int
        How many to sample, at least 2, where the answer is not exact.
    seed : int
        The same arguments and seed give the same answer.

    Returns
    -------
    Equity
        Exact against one opponent on a flop, turn or river.

    Raises
    ------
    EquityError
        If a card stands twice, or there are too few or too many opponents or too few deals.

    Notes
    -----
    Departs from the algorithm as printed in three points: it redraws all opponents when two of them clash (drawing
    in turn is not the joint distribution), shares ties, and comes with a standard error.

    Predictions may contradict each other. An opponent whose range is empty gets any two cards. If hardly any try
    is free of clashes, opponents are drawn in turn and weighted accordingly; and if no deal is possible at all,
    they are drawn in turn unweighted, with any two cards for an opponent who has nothing left.
    """
    check_hand(hole_cards, len(opponents), board, deals)
    if board and len(opponents) == 1:
        theirs = np.where(unblocked(hole_cards), opponents[0], 0)
        equities, is_live = sweep(board, theirs, ())
        if is_live.any():
            runouts = comb(CARD_COUNT - len(board) - 4, 5 - len(board))
            count = runouts * int(is_live.sum())
            return Equity(float(equities[combo_of(*hole_cards)]), 0.0, count, Method.EXACT)
        return win_rate_random(hole_cards, 1, board, deals=deals, seed=seed)
    return _sampled_win_rate(hole_cards, opponents, board, deals, seed)


def win_rate_random(
    hole_cards: HoleCards, opponents: int, board: Sequence[Card], *, deals: int, seed: int
) -> Equity:
    """Give a hand's share of the pot at showdown against random hands.

    Parameters
    ----------
    hole_cards : tuple of two Card
    opponents : int
        1 to 9.
    board : sequence of Card
        0, 3, 4 or 5 cards.
    deals : int
        How many to sample, at least 2, where nothing better is known.
    seed : int

    Returns
    -------
    Equity
        From the table of `engine.preflop` before the flop, whose standard error it states; exact against one
        opponent after it; otherwise sampled.

    Raises
    ------
    EquityError
        As `win_rate`.
    """
    check_hand(hole_cards, opponents, board, deals)
    combo = combo_of(*hole_cards)
    if not board:
        from engine.preflop import DEALS, equity_against_random, stderr_against_random

        error = float(stderr_against_random(opponents)[combo])
        return Equity(float(equity_against_random(opponents)[combo]), error, DEALS, Method.TABLE)
    if opponents == 1:
        free = CARD_COUNT - len(board) - 2
        count = comb(free, 2) * comb(free - 2, 5 - len(board))
        return Equity(float(combo_equities(board)[combo]), 0.0, count, Method.EXACT)
    return _sampled_win_rate(hole_cards, [np.ones(COMBO_COUNT)] * opponents, board, deals, seed)


def _sampled_win_rate(
    hole_cards: HoleCards,
    opponents: Sequence[NDArray[np.floating[Any]]],
    board: Sequence[int],
    deals: int,
    seed: int,
) -> Equity:
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream
    from engine.kernels.sampling import IN_TURN, IN_TURN_OR_ANY, REJECTING, sample_deals

    own = np.zeros(COMBO_COUNT)
    own[combo_of(*hole_cards)] = 1
    live = unblocked((*hole_cards, *board))
    # Whoever may hold anything, or whose range is empty, gets any two cards.
    ranges = [np.where(live, opponent, 0) for opponent in opponents if np.ptp(opponent[live]) > 0]
    lists = draw_lists([own, *ranges])
    known = np.array(board, dtype=np.uint8)

    def deal(method: int, tries: int) -> Sums | None:
        outcomes = np.zeros((2 << len(opponents), 2))
        dealt, _ = sample_deals(
            tables(),
            new_stream(seed, method),
            known,
            np.uint64(card_mask(board)),
            lists,
            NO_DEALS,
            method,
            len(opponents) + 1,
            deals,
            tries,
            outcomes,
        )
        return outcomes if dealt == deals and outcomes[:, 0].any() else None

    outcomes = deal(REJECTING, 64 * deals)
    if outcomes is None:
        outcomes = deal(IN_TURN, deals)
    if outcomes is None:
        outcomes = deal(IN_TURN_OR_ANY, deals)
    assert outcomes is not None
    me = players_of(outcomes, deals)[0]
    return Equity(me.equity, me.stderr, deals, Method.SAMPLED)
