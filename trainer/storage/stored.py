"""What the store returns: sessions and hands as they were stored, and why something cannot be."""

import logging
from datetime import datetime

from msgspec import Struct

from engine.cards import HoleCards
from engine.codec import decode, unpack
from engine.game.events import Action, Seat
from engine.game.observation import Observation

_log = logging.getLogger(__name__)

LOST_TIME = datetime(1970, 1, 1)
"""When a session began whose time is lost."""


class StoreError(ValueError):
    """Something that cannot be stored or read back; the message is one sentence for the user."""


class StoredSession(Struct, frozen=True):
    """A session in the store; `config` and `state` are JSON, the seed 0 while the session can be resumed."""

    session_id: int
    started: datetime
    config: bytes
    state: bytes
    hands: int
    is_finished: bool


class StoredHand(Struct, frozen=True):
    """A hand in the store."""

    hand_id: int
    number: int
    state: bytes  # JSON of the dealer before it; empty when it has ended
    # all actions of a running hand, in order, up to a damaged one; those of one that has ended are among its events
    taken: tuple[Action, ...]
    observation: bytes  # the player's observation at its end, packed; empty while it runs
    # of every seat dealt in; empty while it runs, if damaged, and of hands that an earlier version has stored
    hole_cards: dict[Seat, HoleCards]

    @property
    def is_finished(self) -> bool:
        """Whether the hand was played to its end."""
        return bool(self.observation)

    def final_observation(self) -> Observation:
        """Read the player's observation at the end of a finished hand; raise StoredDataError if damaged."""
        if self.observation[:1] == b"{":  # of an earlier version
            return decode(self.observation, Observation)
        return unpack(self.observation, Observation)
