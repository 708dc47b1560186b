"""Who wins: the winners among strengths, and lists of deals judged on given boards.

Combos are numbered as in `engine.cards`. What happened at showdowns is kept as *outcomes*: `outcomes[m]` is the
weight of all showdowns that exactly the players in the set `m` won, player 0 being bit 0. Kernels add to the sums
they are given, so a caller can work in small steps; sums of whole numbers are exact up to 2^53.
"""

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import inlined, kernel, register_warm_up

_ONE = np.uint64(1)


@inlined
def winners_of(strengths: NDArray[np.int32], players: int) -> int:
    """Give the set of players who hold the best strength."""
    best = strengths[0]
    winners = 1
    for player in range(1, players):
        strength = strengths[player]
        winners = 1 << player if strength > best else winners | (1 << player if strength == best else 0)
        best = max(best, strength)
    return winners


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
                outcomes[winners_of(strengths, players)] += weights[deal]
                showdowns += 1
    return showdowns


def _warm_up() -> None:
    deal = np.array([[1325, 0]], dtype=np.int16)
    board = np.array([[8, 13, 18, 23, 28]], dtype=np.uint8)
    judge_deals(tables(), board, deal, np.ones(1), deal[0], np.zeros(4))


register_warm_up("showdowns", _warm_up)
