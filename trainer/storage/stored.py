"""What the store returns: sessions and hands as they were stored, and why something cannot be."""

import logging
import zlib
from datetime import datetime
from functools import cache

from msgspec import Struct

from engine.cards import HoleCards
from engine.codec import StoredDataError, decode, encode, unpack
from engine.foreign_text import shortened
from engine.game.events import Action, Chips, Seat
from engine.game.observation import Observation
from engine.resources import read_text

_log = logging.getLogger(__name__)

_BY_WORDS = b"\x03"
"""Begins an observation whose compression starts from known words: neither JSON nor zlib nor a seal does."""

LOST_TIME = datetime(1970, 1, 1)
"""When a session began whose time is lost."""


class StoreError(ValueError):
    """Something that cannot be stored or read back; the message is one sentence for the user."""


class Venue(Struct, frozen=True, omit_defaults=True):
    """Where hands that were imported were played: a table for some stakes, or a tournament, of a site.

    `hero` is the player's name there. Of amounts in chips `scale` make a unit of the currency, "" without any. In a
    tournament neither table nor stakes stay the same, so they are empty.
    """

    site: str
    hero: str
    table: str = ""
    tournament: str = ""
    currency: str = ""
    scale: int = 1
    small_blind: Chips = 0
    big_blind: Chips = 0
    ante: Chips = 0

    @property
    def title(self) -> str:
        """Where it is, in words.

        >>> Venue("PokerStars", "Ann", table="Halley").title, Venue("GGPoker", "Ann", tournament="17").title
        ('PokerStars, Halley', 'GGPoker, tournament 17')
        """
        where = f"tournament {self.tournament}" if self.tournament else self.table
        return ", ".join(shortened(part) for part in (self.site, where) if part)

    def amount(self, chips: Chips) -> str:
        """Write chips as money, or as the tournament's chips.

        >>> Venue("PokerStars", "Ann", scale=100).amount(5), Venue("PokerStars", "Ann", scale=100).amount(120_000)
        ('0.05', '1,200')
        """
        whole, part = divmod(chips, self.scale)
        return f"{whole:,}" + (f".{part:0{len(str(self.scale)) - 1}d}" if part else "")


class StoredSession(Struct, frozen=True):
    """A session in the store; `config` and `state` are JSON, the seed 0 while the session can be resumed.

    `venue` is None where it was played here.
    """

    session_id: int
    started: datetime
    config: bytes
    state: bytes
    hands: int
    is_finished: bool
    venue: Venue | None = None


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
        if self.observation[:1] == _BY_WORDS:
            try:
                text = zlib.decompressobj(-zlib.MAX_WBITS, _words()).decompress(self.observation[1:])
            except zlib.error as error:
                raise StoredDataError(f"The stored hand cannot be unpacked: {error}") from error
            return decode(text, Observation)
        if self.observation[:1] == b"{":  # of an earlier version, as what is packed by `pack`
            return decode(self.observation, Observation)
        return unpack(self.observation, Observation)


def packed(final: Observation) -> bytes:
    """Return an observation as a finished hand is stored with it, in few bytes."""
    packing = zlib.compressobj(method=zlib.DEFLATED, wbits=-zlib.MAX_WBITS, zdict=_words())
    return _BY_WORDS + packing.compress(encode(final)) + packing.flush()


@cache
def _words() -> bytes:
    """Return what the compression starts from; `resources/observation_words.md` says what it is."""
    return read_text("observation_words.txt").encode()
