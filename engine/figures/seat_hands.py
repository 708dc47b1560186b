"""What a seat did and won in one hand, in 47 bytes, so that those of a million hands are counted in a moment.

The counts are those of `engine.game.statistics`, the luck that is taken out is that of `engine.figures.board_luck`.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import HoleCards
from engine.figures.board_luck import board_luck, run_out_luck
from engine.game.events import BoardDealt, Posted, PublicEvent, start_of
from engine.game.statistics import count_hand
from engine.game.summary import POSITIONS, positions

SHARES = (
    "vpip",
    "pfr",
    "three_bet",
    "fold_to_three_bet",
    "c_bet",
    "fold_to_c_bet",
    "went_to_showdown",
    "won_at_showdown",
)
"""The fields of `PlayerStatistics` with at most one chance in a hand, each a bit of `chances` and of `done`."""

SEAT_HAND = np.dtype(
    [
        ("seat", "u1"),
        ("players", "u1"),
        ("position", "u1"),
        ("chances", "<u2"),
        ("done", "<u2"),
        ("aggressive", "<u2"),
        ("calls", "<u2"),
        ("net", "<i8"),
        ("net_bb", "<f8"),
        ("all_in_bb", "<f8"),
        ("value_bb", "<f8"),
        ("posted_bb", "<f4"),
    ]
)
"""A seat in a hand: seats dealt in, an index of `POSITIONS`, the bits of `SHARES`, bets and raises and calls after
the flop, net in chips and big blinds.

`all_in_bb` is the net without the luck of the boards that were dealt when the betting was over, `value_bb` without
that of all boards; NaN where that takes hole cards that are not known. `posted_bb` is what was posted, blinds and
antes, which is what folding at once costs, to seven digits.
"""

SeatHands = NDArray[np.void]
"""Of dtype `SEAT_HAND`."""


def seat_hands(events: Sequence[PublicEvent], hole_cards: Sequence[HoleCards | None]) -> SeatHands:
    """Return what each seat did and won in a hand.

    Parameters
    ----------
    events : sequence of PublicEvent
        Of a whole hand.
    hole_cards : sequence of two Card or None
        Of each seat dealt in, in rising order; None where they are not known.

    Returns
    -------
    ndarray of SEAT_HAND, shape (seats,)
        In rising order. About a millisecond at six seats.

    Raises
    ------
    ValueError
        If the events are no whole hand.
    """
    counted, placed = count_hand(events), positions(events)
    started = start_of(events)
    luck = board_luck(events, hole_cards) / started.big_blind
    if None in hole_cards and any(isinstance(event, BoardDealt) for event in events):
        # Whose cards are known hangs on how the hand ended, so what luck is known is no longer nothing in the mean.
        without = np.full(len(counted), np.nan)
    else:
        without = luck.sum(axis=0)
    run_out = run_out_luck(events, luck)
    posted = dict.fromkeys(counted, 0)
    for event in events:
        if isinstance(event, Posted):
            posted[event.seat] += event.amount
    rows = np.zeros(len(counted), SEAT_HAND)
    for place, (seat, counts) in enumerate(counted.items()):
        shares = [getattr(counts, name) for name in SHARES]
        rows[place] = (
            seat,
            len(counted),
            POSITIONS.index(placed[seat]),
            sum(share.chances << bit for bit, share in enumerate(shares)),
            sum(share.done << bit for bit, share in enumerate(shares)),
            counts.aggression.done,
            counts.aggression.chances,
            counts.net,
            counts.net_bb,
            counts.net_bb - run_out[place],
            counts.net_bb - without[place],
            posted[seat] / started.big_blind,
        )
    return rows


def is_showdown(rows: SeatHands) -> NDArray[np.bool_]:
    """Tell for each hand whether the player was in at the showdown."""
    return (rows["chances"] & (1 << SHARES.index("won_at_showdown"))) > 0
