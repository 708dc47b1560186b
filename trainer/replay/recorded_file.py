"""The hands of a file, as one of its players or who watched saw them, to be looked at like those of a session."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import structs
from PySide6.QtCore import QObject, Signal

from engine.agents.agent import Trace
from engine.agents.played_hand import seen_hand, traces_in
from engine.cards import HoleCards
from engine.codec import StoredDataError, pack, unpack
from engine.foreign_text import shortened
from engine.game.events import ActionTaken, BoardDealt, PublicEvent, Seat, start_of, with_start
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import HandView, Observation
from engine.game.phh import (
    PublicRecord,
    SkippedHand,
    hand_digest,
    sections,
    seen_by,
    seen_by_all,
)
from engine.hand_histories.phh_file import read_records
from trainer.jobs import Job, Jobs
from trainer.session.past_hands import PastHand, PastSession

LANE = "recorded hands"
MOST_HANDS = 50_000
"""Kept of a file; what is beyond that is not listed."""
_STEP_HANDS = 500

_View = TypeVar("_View", Observation, HandView)


@dataclass(frozen=True, slots=True)
class FileHand:
    """A hand of a file, packed: its place there, from 1, whose hole cards it has, and its digest.

    Of a hand that our player has recorded, `own` is what they saw, and they are `recorder`.
    """

    place: int
    players: tuple[str, ...]
    data: bytes
    is_no_limit: bool
    digest: str
    recorder: str = ""
    own: bytes = b""


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """The hands of a file; `players` are those whose hole cards are known, who has most of them first."""

    path: Path
    hands: tuple[FileHand, ...]
    players: tuple[str, ...]
    unread: int  # hands that cannot be read
    is_cut: bool  # whether it has more hands than are kept


def read_file(path: Path) -> Iterator[int | RecordedFile]:
    """Read the hands of a file: yield how many are read, and last all; raise PhhFileError if that is impossible."""
    hands: list[FileHand] = []
    known = Counter[str]()
    unread, is_cut = 0, False
    for place, (hand, (_, section)) in enumerate(zip(read_records(path), sections(path), strict=False), 1):
        if isinstance(hand, SkippedHand):
            unread += 1
            continue
        if len(hands) == MOST_HANDS:
            is_cut = True
            break
        if place % _STEP_HANDS == 0:
            yield place
        players = tuple(hand.players[seat] for seat in sorted(hand.hole_cards))
        known.update(players)
        own = _seen_by_recorder(section, hand)
        packed = (pack(hand), hand.is_no_limit, hand_digest(hand).hex())
        hands.append(FileHand(place, players, *packed, *((own.me.name, pack(own)) if own is not None else ())))
    yield RecordedFile(path, tuple(hands), tuple(name for name, _ in known.most_common()), unread, is_cut)


def _seen_by_recorder(section: bytes, hand: PublicRecord) -> Observation | None:
    """Return what our player has recorded to have seen of a hand; None where that is nothing, or another hand."""
    try:
        seen = seen_hand(section)
        if seen is not None:
            verify_finished(seen)
    except (StoredDataError, HistoryError):
        return None
    return seen if seen is not None and _told(seen.events) == _told(hand.events) else None


def _told(events: Sequence[PublicEvent]) -> list[object]:
    """Return who did what, and the boards, whatever numbers the seats have."""
    started = start_of(events)
    names = {start.seat: start.name for start in started.seats}
    return [
        (names[event.seat], event.action) if isinstance(event, ActionTaken) else event.cards
        for event in events
        if isinstance(event, ActionTaken | BoardDealt)
    ]


class FileReplay(QObject):
    """Reads files in a lane, and offers their hands as one of the players saw them."""

    # PastSession, its PastHands, and which of them the panels are to show
    opened = Signal(object, object, int)
    player_wanted = Signal(object)  # RecordedFile: several players can be chosen; `show` answers
    notice = Signal(str)  # one sentence for the player
    progressed = Signal(str)  # what is being done, "" once it is

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None

    def read(self, path: Path, player: str | None = None, place: int | None = None, *, asks: bool = False) -> None:
        """Read a file and show one of its hands as a player saw it, or ask for the player where it has several."""
        self.cancel()

        def on_result(file: int | RecordedFile) -> None:
            if isinstance(file, int):
                self.progressed.emit(f"Reading {path.name}: {file:,} hands")
                return
            self._job = None
            self.progressed.emit("")
            if asks and len(file.players) > 1:
                self.player_wanted.emit(file)
            else:
                self.show(file, player, place)

        self.progressed.emit(f"Reading {path.name}")
        self._job = self._jobs.submit(LANE, lambda: read_file(path), on_result, on_error=self._on_error)

    def cancel(self) -> None:
        """Show nothing of a file that is being read."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.progressed.emit("")

    def show(self, file: RecordedFile, player: str | None = None, place: int | None = None) -> None:
        """Offer the hands that a player saw and show that of a place; by default who saw that, and most others.

        Where nobody did, all are offered as they were watched.
        """
        if not file.hands:
            self.notice.emit(f"There is no hand in {file.path} that can be read.")
            return
        saw = next((hand.players for hand in file.hands if hand.place == place), file.players)
        name = player if player is not None else next((one for one in file.players if one in saw), None)
        seen = [hand for hand in file.hands if name is None or name in hand.players]
        if not seen:
            self.notice.emit(f"The file {file.path} has no hand with the hole cards of {shortened(name or '')}.")
            return
        hands = tuple(_past_hand(file.path, hand, number, name) for number, hand in enumerate(seen, 1))
        title = f"{file.path.name}, {'watched' if name is None else f'seen by {name}'}"
        session = PastSession(None, datetime.now(), None, len(hands), title, is_file=True)
        index = next((at for at, hand in enumerate(seen) if hand.place == place), 0)
        self.opened.emit(session, hands, index)
        if left_out := _left_out(file, len(seen), name):
            self.notice.emit(left_out)

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.progressed.emit("")
        self.notice.emit(str(error))


def _left_out(file: RecordedFile, seen: int, name: str | None) -> str:
    """Say how many hands are not listed, and why."""
    parts = []
    if unknown := len(file.hands) - seen:
        parts.append(f"{unknown:,} without the hole cards of {shortened(name or '')}")
    if file.unread:
        parts.append(f"{file.unread:,} that cannot be read")
    if file.is_cut:
        parts.append(f"those after the first {MOST_HANDS:,}")
    return f"Hands of {file.path.name} that are left out: {', '.join(parts)}." if parts else ""


def _past_hand(path: Path, hand: FileHand, number: int, name: str | None) -> PastHand:
    if name and name == hand.recorder:
        load, traces = partial(_recorded, hand.own, number), partial(traces_in, path, hand.place)
        return PastHand(number, None, load, traces, is_no_limit=hand.is_no_limit, digest=hand.digest)
    return PastHand(
        number,
        None,
        partial(_view, hand.data, name, number),
        _no_traces,
        partial(_hole_cards, hand.data),
        hand.is_no_limit,
        hand.digest,
    )


def _recorded(data: bytes, number: int) -> Observation:
    """Return what our player saw of a hand, under a number of its own."""
    return _numbered(unpack(data, Observation), number)


def _numbered(seen: _View, number: int) -> _View:
    return structs.replace(seen, hand_number=number, events=with_start(seen.events, hand_number=number))


def _view(data: bytes, name: str | None, number: int) -> HandView:
    """Return what a player saw of a hand, or everybody."""
    hand = unpack(data, PublicRecord)
    seen = seen_by(hand, name, number) if name is not None else None
    return _numbered(seen_by_all(hand), number) if seen is None else seen


def _hole_cards(data: bytes) -> Mapping[Seat, HoleCards]:
    return unpack(data, PublicRecord).hole_cards


def _no_traces() -> tuple[Trace, ...]:
    return ()
