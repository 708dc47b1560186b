"""What the readers that learn make of hands played before: in earlier sessions, or anywhere else.

Hands may be learned from again and again, and each counts once. Of a file every player has the digests of the hands
in their model; in a hand that some players have already and others have not, those who have get another name, which
is forgotten. The digest is of everything recorded but the name and number of the hand, so that the same hand in
another file is the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from engine.agents.agent import KnownPlayer, KnownPlayers, KnowsPlayers, Taught, best_known
from engine.agents.fold.predict import PaperReader
from engine.agents.learned.beliefs import OF_PEOPLE, Spreads
from engine.agents.readers import DEFAULT_READER, make_reader
from engine.game.events import PublicEvent, Seat, start_of, with_start
from engine.game.phh import DIGEST_BYTES, PublicRecord, SkippedHand, hand_digest, read_public_hands

MOST_HANDS: Final = 20_000
"""Hands that are learned at a time, and that one player's model from files is made of: some minutes."""

MOST_NAMES: Final = 500
"""Different players of whom is learned at a time, those met first."""

_LEARNING: Final = (DEFAULT_READER, PaperReader.name)
"""The readers whose models of players are kept, by name; Soulread and FOLD have them, and the panels."""

_NOBODY: Final = "\0"
"""Begins the name of who stands for a player of whom nothing is to be learned; no record has such a name."""


class Lesson:
    """Learns hands one after another, of players by name, from what is known of them."""

    def __init__(self, known: KnownPlayers | None = None, strangers: Spreads = OF_PEOPLE) -> None:
        self._readers = [make_reader(name, strangers=strangers) for name in _LEARNING]
        for reader in self._readers:
            if isinstance(reader, KnowsPlayers):
                reader.meet(known or {})

    def learn(self, events: tuple[PublicEvent, ...], not_of: Set[Seat] = frozenset()) -> None:
        """Learn a finished hand of everybody in it but some seats."""
        if not_of:
            events = _without_names(events, not_of)
        for reader in self._readers:
            reader.learn(events)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what is known of everybody learned of now."""
        known = best_known(reader.known_players() for reader in self._readers if isinstance(reader, KnowsPlayers))
        return {name: player for name, player in known.items() if not name.startswith(_NOBODY)}


def _without_names(events: tuple[PublicEvent, ...], seats: Set[Seat]) -> tuple[PublicEvent, ...]:
    starts = tuple(
        structs.replace(start, name=f"{_NOBODY}{start.seat}") if start.seat in seats else start
        for start in start_of(events).seats
    )
    return with_start(events, seats=starts)


class FileStep(Struct, frozen=True):
    """How far a file has been learned.

    Attributes
    ----------
    learned, again, skipped : int
        Hands of which something was new, that everybody in them had been learned from, and that could not be read.
    reason : str
        Why the first of these could not be, in one sentence.
    players : dict of str to Taught or None
        At the end, everybody of whom something was new.
    is_cut : bool
        Whether the file goes on beyond what is learned at a time.
    """

    learned: int = 0
    again: int = 0
    skipped: int = 0
    reason: str = ""
    players: dict[str, Taught] | None = None
    is_cut: bool = False


def learn_file(path: str | Path, before: Mapping[str, Taught] | None = None) -> Iterator[FileStep]:
    """Learn the hands of a PHH file, of `.phh` or `.phhs`, of players by the names that it has for them.

    Parameters
    ----------
    before : mapping of str to Taught, optional
        What earlier files have taught of players.

    Yields
    ------
    FileStep
        One after each section; the last has the players. To stop, cease to iterate: nothing has changed then.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    """
    before = before or {}
    return _Files(before).steps(read_public_hands(path))


class _Files:
    """What is learned from files, and the hands of each player in it."""

    def __init__(self, before: Mapping[str, Taught]) -> None:
        self._lesson = Lesson({name: taught.known for name, taught in before.items()})
        self._hands = {name: _digests(taught.hands) for name, taught in before.items()}
        self._met: set[str] = set()
        self._new: set[str] = set()

    def steps(self, hands: Iterable[PublicRecord | SkippedHand]) -> Iterator[FileStep]:
        step = FileStep()
        for hand in hands:
            if step.learned >= MOST_HANDS:
                step = structs.replace(step, is_cut=True)
                break
            if isinstance(hand, SkippedHand) or (reason := _why_not(hand)):
                reason = hand.reason if isinstance(hand, SkippedHand) else reason
                step = structs.replace(step, skipped=step.skipped + 1, reason=step.reason or reason)
            elif self._learn(hand):
                step = structs.replace(step, learned=step.learned + 1)
            else:
                step = structs.replace(step, again=step.again + 1)
            yield step
        known = self._lesson.known_players()
        taught = {
            name: Taught(known[name], b"".join(sorted(self._hands[name])))
            for name in sorted(self._new)
            if name in known
        }
        yield structs.replace(step, players=taught)

    def _learn(self, hand: PublicRecord) -> bool:
        """Learn a hand of those for whom it is new; return whether there are any."""
        digest = hand_digest(hand)
        started = start_of(hand.events)
        done = {start.seat for start in started.seats if not self._is_new(start.name, digest)}
        if len(done) == len(started.seats):
            return False
        self._lesson.learn(hand.events, done)
        for start in started.seats:
            if start.seat not in done:
                self._new.add(start.name)
                self._hands.setdefault(start.name, set()).add(digest)
        return True

    def _is_new(self, name: str, digest: bytes) -> bool:
        if name not in self._met and len(self._met) >= MOST_NAMES:
            return False
        self._met.add(name)
        hands = self._hands.get(name, set())
        return digest not in hands and len(hands) < MOST_HANDS


def _digests(hands: bytes) -> set[bytes]:
    return {hands[at : at + DIGEST_BYTES] for at in range(0, len(hands), DIGEST_BYTES)}


def _why_not(hand: PublicRecord) -> str:
    """Say why a hand teaches nothing; nothing if it does."""
    if not hand.is_no_limit:
        return "It has fixed limits, and players are read as in no-limit."
    # Players of a record without names are called after their places.
    nameless = set(hand.players) == {f"p{number}" for number in range(1, len(hand.players) + 1)}
    return "It names no players." if nameless else ""
