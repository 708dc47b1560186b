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
from engine.game.observation import HandView, Observation
from engine.resources import read_text

_log = logging.getLogger(__name__)

_BY_WORDS = b"\x03"
"""Begins an observation whose compression starts from known words: neither JSON nor zlib nor a seal does."""

_WATCHED = b"\x04"
"""Begins what was seen of a hand that somebody watched, compressed in the same way."""

LOST_TIME = datetime(1970, 1, 1)
"""When a session began whose time is lost."""


def stored_time(text: bytes) -> datetime:
    """Read when something was, as it is stored; the time of what has lost its own if that is damaged."""
    try:
        return datetime.fromisoformat(text.decode())
    except ValueError:
        return LOST_TIME


class StoreError(ValueError):
    """Something that cannot be stored or read back; the message is one sentence for the user."""


class Venue(Struct, frozen=True, omit_defaults=True):
    """Where hands that were imported were played: a table for some stakes, or a tournament, of a site.

    `hero` is the player's name there, "" of hands that were watched. Of amounts in chips `scale` make a unit of the
    currency, "" without any. In a tournament neither table nor stakes stay the same, so they are empty.
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
        """Where it is, in words, and whether hands were watched there.

        >>> Venue("PokerStars", "Ann", table="Halley").title, Venue("GGPoker", "Ann", tournament="17").title
        ('PokerStars, Halley', 'GGPoker, tournament 17')
        >>> Venue("PokerStars", "", table="Halley").title
        'PokerStars, Halley, watched'
        """
        where = f"tournament {self.tournament}" if self.tournament else self.table
        whose = "" if self.hero else "watched"
        return ", ".join(shortened(part) for part in (self.site, where, whose) if part)

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
    observation: bytes  # what was seen at its end, packed; empty while it runs
    # of every seat dealt in; empty while it runs, if damaged, and of hands that an earlier version has stored
    hole_cards: dict[Seat, HoleCards]

    @property
    def is_finished(self) -> bool:
        """Whether the hand was played to its end."""
        return bool(self.observation)

    def final_observation(self) -> Observation:
        """Read the player's observation at the end of a finished hand.

        Raise StoredDataError if it is damaged, or if the hand was watched.
        """
        final = self.final_view()
        if not isinstance(final, Observation):
            raise StoredDataError("The hand was watched, so it is nobody's own.")
        return final

    def final_view(self) -> HandView:
        """Read what was seen at the end of a finished hand: an Observation, but for one that was watched.

        Raise StoredDataError if it is damaged.
        """
        begin = self.observation[:1]
        if begin in (_BY_WORDS, _WATCHED):
            try:
                text = zlib.decompressobj(-zlib.MAX_WBITS, _words()).decompress(self.observation[1:])
            except zlib.error as error:
                raise StoredDataError(f"The stored hand cannot be unpacked: {error}") from error
            return decode(text, HandView if begin == _WATCHED else Observation)
        if begin == b"{":  # of an earlier version, as what is packed by `pack`
            return decode(self.observation, Observation)
        return unpack(self.observation, Observation)


def packed(final: HandView) -> bytes:
    """Return what was seen of a finished hand as it is stored, in few bytes."""
    packing = zlib.compressobj(method=zlib.DEFLATED, wbits=-zlib.MAX_WBITS, zdict=_words())
    begin = _BY_WORDS if isinstance(final, Observation) else _WATCHED
    return begin + packing.compress(encode(final)) + packing.flush()


@cache
def _words() -> bytes:
    """Return what the compression starts from; `resources/observation_words.md` says what it is."""
    return read_text("observation_words.txt").encode()
