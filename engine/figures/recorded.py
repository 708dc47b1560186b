"""The hands of players in a file of recorded hands."""

import numpy as np

from engine.figures.seat_hands import SEAT_HAND, SeatHands, seat_hands
from engine.figures.tendencies import DECISION, Decisions, decisions_of
from engine.game.phh import PublicRecord, SkippedHand, SkippedHands


class RecordedPlayers:
    """What each player of recorded hands did and won, hand by hand; and what one of them decided."""

    def __init__(self, decider: str = "") -> None:
        self.hands = 0
        self.skipped = SkippedHands()
        self._decider, self._decisions = decider, [np.empty(0, DECISION)]
        self.undecided = 0  # hands in which the decider's cards are not known
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
        if self._decider in hand.players:
            seat = hand.players.index(self._decider)
            cards = hand.hole_cards.get(seat)
            self._decisions += decisions_of(hand.events, {seat: cards} if cards else {}).values()
            self.undecided += cards is None

    def players(self) -> dict[str, SeatHands]:
        """Return each player's hands by name, who played most first."""
        found = {name: np.frombuffer(bytes(rows), SEAT_HAND) for name, rows in self._players.items()}
        return dict(sorted(found.items(), key=lambda player: -len(player[1])))

    def decisions(self) -> Decisions:
        """Return what the decider decided with hole cards that are known."""
        return np.concatenate(self._decisions)
