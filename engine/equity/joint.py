"""All deals of several ranges, listed; `live` is each player's weights without what can never be dealt."""

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_MASK

Sums = NDArray[np.float64]

MOST_JOINT_DEALS = 2_000_000  # deals listed one by one: 100 MB at most
_MOST_PAIRINGS = 4_000_000  # combinations tested for a clash at once


def joint_deals(live: Sums, most: int) -> tuple[NDArray[np.int16], Sums] | None:
    """List all deals without a clash, shape (n, players), and their weights; None if there are too many."""
    deals = np.zeros((1, 0), dtype=np.int16)
    weights = np.ones(1)
    used = np.zeros(1, dtype=np.uint64)
    for player in live:
        combos = np.flatnonzero(player)
        # A card dealt before is in at most 51 of the combos, so at least so many deals have no clash.
        at_least = len(deals) * (len(combos) - 51 * 2 * deals.shape[1])
        if at_least > most or len(deals) * len(combos) > _MOST_PAIRINGS:
            return None
        rows, columns = np.nonzero((used[:, None] & COMBO_MASK[combos]) == 0)
        if len(rows) > most:
            return None
        combos = combos[columns]
        deals = np.column_stack([deals[rows], combos.astype(np.int16)])
        weights = weights[rows] * player[combos]
        used = used[rows] | COMBO_MASK[combos]
    return deals, weights
