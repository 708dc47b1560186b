"""The hands of a match, which is played again for them, as a table and as the panels show them."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from msgspec import structs
from PySide6.QtCore import QObject, Qt, Signal

from engine.agents.packed_traces import pack_traces, unpack_traces
from engine.agents.styles import STYLES, registered_name, style_label
from engine.cards import HoleCards, Street
from engine.codec import pack, unpack
from engine.game.events import (
    BoardDealt,
    Chips,
    PotAwarded,
    Seat,
    net_of,
    start_of,
    with_start,
)
from engine.game.history import HandState
from engine.game.observation import Observation
from engine.game.phh import RecordedHand
from engine.lab.matches.playing import PlayedHand
from engine.lab.matches.several import hands_of_match
from trainer.history.log_model import card_sign
from trainer.jobs import Job, Jobs
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.session.amounts import Units
from trainer.session.past_hands import PastHand, PastSession
from trainer.widgets.tables_model import ROOT, SORT_ROLE, Column, HeadedModel, Index

LANE = "lab hands"
MOST_HANDS = 50_000
MOST_BYTES = 300_000_000
"""Of hands and traces that are kept; what is beyond that is not listed."""


COLUMNS = (
    Column("Hand", "In the order in which they were played"),
    Column("Pot", "Chips that were won"),
    Column("Won", "Who won most, and how much more than they had put in"),
    Column("To", "Street that the hand went to"),
    Column("Dealt", "Everybody's hole cards, by seat"),
)


class LabHand(NamedTuple):
    """A hand as it is kept: packed, with what the table says and sorts by.

    `tournament` counts the tournaments of the match from 0; a cash game is one.
    """

    data: bytes
    traces: bytes
    tournament: int
    pot: Chips
    winner: str
    won: Chips
    street: Street


class _Listing:
    """Plays a match again in a lane; `hands` grows, and the window is sent how many there are."""

    def __init__(self, setup: MatchesSetup, number: int) -> None:
        self.setup = setup
        self.number = number
        self.hands: list[LabHand] = []
        self.players: list[str] = []
        self.is_cut = False

    def counts(self) -> Iterator[tuple[int, bool]]:
        """Yield the number of hands so far, after each one, and whether there are no more."""
        kept = 0
        tournament = -1 if self.setup.is_tournament else 0
        for played in hands_of_match(self.setup.plan, self.number):
            if self.setup.is_tournament and start_of(played.hand.events).hand_number == 1:
                tournament += 1
            self.players += [name for name in played.hand.players if name not in self.players]
            hand = _kept(played, tournament)
            kept += len(hand.data) + len(hand.traces)
            if len(self.hands) == MOST_HANDS or kept > MOST_BYTES:
                self.is_cut = True
                break
            self.hands.append(hand)
            yield len(self.hands), False
        yield len(self.hands), True


class LabHands(QObject):
    """The hands of one match of a setup; asked for another, it forgets the one before."""

    changed = Signal()  # what is listed, or whether it is whole

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.table = HandsTable(self)
        self.setup: MatchesSetup | None = None
        self.number = 0
        self.problem = ""
        self._jobs = jobs
        self._job: Job | None = None
        self._listing: _Listing | None = None

    @property
    def is_listing(self) -> bool:
        """Whether the match is still being played again."""
        return self._job is not None

    @property
    def players(self) -> tuple[str, ...]:
        """The names of those who have been dealt in so far."""
        return tuple(self._listing.players) if self._listing is not None else ()

    def list_match(self, setup: MatchesSetup, number: int) -> None:
        """List the hands of one of the matches, from 0, as fast as they are played again."""
        self.clear()
        self.setup, self.number = setup, number
        listing = self._listing = _Listing(setup, number)
        self.table.follow(listing.hands, setup)
        self._job = self._jobs.submit(LANE, listing.counts, self._on_count, on_error=self._on_error)
        self.changed.emit()

    def clear(self) -> None:
        """List nothing."""
        self.stop()
        self.setup, self._listing, self.problem = None, None, ""
        self.table.follow([], None)
        self.changed.emit()

    def stop(self) -> None:
        """List no more than there is."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.changed.emit()

    def text(self) -> str:
        """Say what is listed."""
        if self.problem:
            return self.problem
        if self._listing is None:
            return ""
        count = self.table.rowCount()
        if self.is_listing:
            return f"{count:,} hands; the match is being played again …"
        if self._listing.is_cut:
            return f"The first {count:,} hands; more are not kept."
        return f"{count:,} hands."

    def to_open(self, row: int, name: str) -> tuple[PastSession, tuple[PastHand, ...], int]:
        """Return what the panels need to show a hand as one of the players saw it, with the others of its kind."""
        assert self.setup is not None
        hands = self.table.hands
        chosen = hands[row]
        same = [at for at in range(self.table.rowCount()) if hands[at].tournament == chosen.tournament]
        past = tuple(_past_hand(hands[at], number, name) for number, at in enumerate(same, start=1))
        which = f", tournament {chosen.tournament + 1}" if self.setup.is_tournament else ""
        title = f"match {self.number + 1}{which}, seen by {player_label(name)}"
        match = PastSession(None, datetime.now(), None, len(past), title)
        return match, past, same.index(row)

    def _on_count(self, snapshot: tuple[int, bool]) -> None:
        count, is_whole = snapshot
        self.table.grow(count)
        if is_whole:
            self._job = None
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.problem = f"The match cannot be played again: {error}"
        self.changed.emit()


class HandsTable(HeadedModel):
    """Hands in rows whose texts are made only when they are seen, so that thousands cost nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([one.title for one in COLUMNS], parent, [one.meaning for one in COLUMNS])
        self.hands: list[LabHand] = []
        self._count = 0
        self._units = Units(1)
        self._is_tournament = False

    def follow(self, hands: list[LabHand], setup: MatchesSetup | None) -> None:
        """Take a list that grows; rows come by `grow`."""
        self.beginResetModel()
        self.hands, self._count = hands, 0
        if setup is not None:
            self._is_tournament = setup.is_tournament
            self._units = Units(setup.game.big_blind, not setup.is_tournament)
        self.endResetModel()

    def grow(self, count: int) -> None:
        """Show so many hands."""
        if count > self._count:
            self.beginInsertRows(ROOT, self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        hand, column = self.hands[index.row()], index.column()
        if role == SORT_ROLE:
            return (index.row(), hand.pot, hand.won, int(hand.street), index.row())[column]
        if role == Qt.ItemDataRole.TextAlignmentRole and column == 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(index.row(), hand, column)
        return None

    def _text(self, row: int, hand: LabHand, column: int) -> str:
        match column:
            case 0:
                return f"{row + 1:,}" + (f" ({hand.tournament + 1})" if self._is_tournament else "")
            case 1:
                return self._units.text(hand.pot)
            case 2:
                return f"{player_label(hand.winner)} {self._units.signed(hand.won)}"
            case 3:
                return hand.street.name.capitalize()
        recorded = unpack(hand.data, RecordedHand)
        return "   ".join(
            f"{player_label(name)} {' '.join(map(card_sign, cards))}"
            for name, cards in zip(recorded.players, recorded.hole_cards, strict=True)
        )


def player_label(name: str) -> str:
    """Write a player of a match: the style, and which of its players it is.

    >>> player_label("tight-passive"), player_label("random 2")
    ('Tight-passive', 'Random 2')
    """
    style, _, number = name.rpartition(" ")
    if number.isdigit() and registered_name(name) not in STYLES:
        return f"{style_label(style)} {number}"
    return style_label(name)


def _kept(played: PlayedHand, tournament: int) -> LabHand:
    """Pack a hand, and say what it came to."""
    hand, nets = played.hand, net_of(played.hand.events)
    won = {start.name: nets[start.seat] for start in start_of(hand.events).seats}
    winner = max(won, key=lambda name: won[name])
    return LabHand(
        data=pack(hand),
        traces=pack_traces(played.traces),
        tournament=tournament,
        pot=sum(event.amount for event in hand.events if isinstance(event, PotAwarded)),
        winner=winner,
        won=won[winner],
        street=max(
            (event.street for event in hand.events if isinstance(event, BoardDealt)), default=Street.PREFLOP
        ),
    )


def _past_hand(kept: LabHand, number: int, name: str) -> PastHand:
    return PastHand(
        number,
        None,
        partial(_observation, kept.data, number, name),
        partial(unpack_traces, kept.traces),
        partial(_hole_cards, kept.data),
    )


def _hole_cards(data: bytes) -> dict[Seat, HoleCards]:
    hand = unpack(data, RecordedHand)
    return {start.seat: cards for start, cards in zip(start_of(hand.events).seats, hand.hole_cards, strict=True)}


def _observation(data: bytes, number: int, name: str) -> Observation:
    """Return a hand at its end as a player saw it; one in which they were not dealt in as the first who was did."""
    hand = unpack(data, RecordedHand)
    started = start_of(hand.events)
    at = hand.players.index(name) if name in hand.players else 0
    seats = tuple(structs.replace(start, name=player_label(start.name)) for start in started.seats)
    state = HandState.after(with_start(hand.events, hand_number=number, seats=seats))
    return state.observe(started.seats[at].seat, hand.hole_cards[at])
