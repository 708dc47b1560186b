"""The hands of players in a file of recorded hands."""

import numpy as np

from engine.figures.seat_hands import SEAT_HAND, SeatHands, seat_hands
from engine.game.phh import PublicRecord, SkippedHand, SkippedHands


class RecordedPlayers:
    """What each player of recorded hands did and won, hand by hand, 43 bytes each."""

    def __init__(self) -> None:
        self.hands = 0
        self.skipped = SkippedHands()
        self._players: dict[str, bytearray] = {}

    def add(self, hand: PublicRecord | SkippedHand) -> None:
        """Count the next hand, or that it was skipped."""
        if isinstance(hand, SkippedHand):
            self.skipped.add(hand)
            return
        self.hands += 1
        rows = seat_hands(hand.events, [hand.hole_cards.get(seat) for seat in range(len(hand.players))])
        for place, name in enumerate(hand.players):
            self._players.setdefault(name, bytearray()).extend(rows[place].tobytes())

    def players(self) -> dict[str, SeatHands]:
        """Return each player's hands by name, who played most first."""
        found = {name: np.frombuffer(bytes(rows), SEAT_HAND) for name, rows in self._players.items()}
        return dict(sorted(found.items(), key=lambda player: -len(player[1])))
