"""The stored hands as figures are made of them: counted once, filtered, and summed up by player."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.codec import StoredDataError, decode
from engine.figures.player_figures import Line, PlayerFigures, by_position, figures_of, values_of
from engine.figures.seat_hands import SeatHands
from engine.game.formats import HUMAN, PERSON, GameConfig, SeatConfig
from engine.game.rules import MAX_SEATS
from trainer.storage.seat_hands import CountedHands
from trainer.storage.store import Store
from trainer.storage.stored import Venue

_AT_A_TIME = 50
_LEAST_NEW = 500
"""Hands counted between two steps; and at least so many, or a quarter more, before figures are made again."""

_MOST_POINTS = 1500
"""Of a line on the screen."""


class FiguresFilter(Struct, frozen=True):
    """Which hands are counted; a field left as it is leaves nothing out.

    `style` is of a player at the table, `players` are dealt in, `stakes` as `SessionOfHands` has them.
    """

    since: date | None = None
    until: date | None = None
    session: int | None = None
    style: str = ""
    players: int | None = None
    stakes: str = ""


class SessionOfHands(NamedTuple):
    """A session with counted hands: what was played for, and who sat where."""

    session_id: int
    started: datetime
    stakes: str
    seats: tuple[SeatConfig, ...]


class HandLines(NamedTuple):
    """What a player had won after some of the hands, the first and the last among them, in big blinds."""

    hands: NDArray[np.int64]
    won: dict[Line, NDArray[np.float64]]


class Summary(NamedTuple):
    """Figures of every player over the hands chosen, and of one of them by position and hand by hand."""

    hands: int
    players: dict[SeatConfig, PlayerFigures]
    player: SeatConfig | None
    positions: dict[str, PlayerFigures]
    lines: HandLines | None
    rows: SeatHands | None


class HandBook:
    """All counted hands of the store, as arrays; a million hands of six seats take half a gigabyte."""

    def __init__(self, counted: CountedHands, sessions: tuple[SessionOfHands, ...]) -> None:
        self.sessions = sessions
        self._counted = counted
        people = [SeatConfig(name, PERSON) for name in counted.names]
        self.players = tuple(dict.fromkeys([*(seat for one in sessions for seat in one.seats), *people]))
        numbers = {player: number for number, player in enumerate(self.players)}
        known = np.array([session.session_id for session in sessions], np.int64)
        seated = np.full((len(sessions), MAX_SEATS), -1, np.int32)
        for at, session in enumerate(sessions):
            seated[at, : len(session.seats)] = [numbers[seat] for seat in session.seats]
        self._session = np.searchsorted(known, counted.sessions)
        self._hand = np.repeat(np.arange(len(counted.counts)), counted.counts)
        self._player = seated[self._session[self._hand], counted.seats["seat"]] if len(sessions) else np.zeros(0)
        if people:
            self._name_people(np.array([numbers[person] for person in people]), numbers)

    def _name_people(self, persons: NDArray[np.int64], numbers: dict[SeatConfig, int]) -> None:
        """Say who played the imported hands, in which the person is not always at the same seat."""
        named = np.flatnonzero(self._counted.people >= 0)
        names = self._counted.people[named]
        own = [next((seat for seat in one.seats if seat.style == HUMAN), None) for one in self.sessions]
        places = {name: place for place, name in enumerate(self._counted.names)}
        own_names = np.array([-1 if seat is None else places.get(seat.name, -1) for seat in own])
        own_numbers = np.array([-1 if seat is None else numbers[seat] for seat in own])
        at = self._session[self._hand[named]]
        self._player[named] = np.where(own_names[at] == names, own_numbers[at], persons[names])

    @classmethod
    def read(cls, store: Store) -> "HandBook":
        """Read what is counted; StoreError if the file cannot be read."""
        counted = store.seat_hands.all()
        with_hands = set(np.unique(counted.sessions).tolist())
        sessions = []
        for stored in sorted(store.sessions(), key=lambda session: session.session_id):
            with suppress(StoredDataError):
                if stored.session_id in with_hands:
                    game = decode(stored.config, GameConfig)
                    stakes = f"{game.kind.value.capitalize()} {_stakes(game, stored.venue)}"
                    sessions.append(SessionOfHands(stored.session_id, stored.started, stakes, game.seats))
        readable = np.isin(counted.sessions, [session.session_id for session in sessions])
        seats = np.repeat(readable, counted.counts)
        kept = CountedHands(
            counted.sessions[readable],
            counted.days[readable],
            counted.counts[readable],
            counted.seats[seats],
            counted.people[seats],
            counted.names,
        )
        return cls(kept, tuple(sessions))

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return len(self._counted.counts)

    def days(self) -> tuple[date, date] | None:
        """Return the first and the last day; None without hands."""
        if not self.hands:
            return None
        return date.fromordinal(int(self._counted.days.min())), date.fromordinal(int(self._counted.days.max()))

    def dealt_in(self) -> list[int]:
        """Return how many were dealt in, each number once."""
        found: list[int] = np.unique(self._counted.counts).tolist()
        return found

    def summary(self, wanted: FiguresFilter, player: SeatConfig | None = None) -> Summary:
        """Sum hands up; without a player, or with one who is not there, of the person or who played most."""
        chosen = self._chosen(wanted)
        seats = np.flatnonzero(chosen[self._hand])
        order = seats[np.argsort(self._player[seats], kind="stable")]
        numbers, first = np.unique(self._player[order], return_index=True)
        groups = dict(zip(numbers.tolist(), np.split(self._counted.seats[order], first[1:]), strict=False))
        figures = {self.players[number]: figures_of(rows) for number, rows in groups.items() if number >= 0}
        if not figures:
            return Summary(0, {}, None, {}, None, None)
        if player not in figures:
            player = max(figures, key=lambda one: (one.style == HUMAN, figures[one].counts.hands))
        rows = groups[self.players.index(player)]
        return Summary(int(chosen.sum()), figures, player, by_position(rows), _lines(rows), rows)

    def _chosen(self, wanted: FiguresFilter) -> NDArray[np.bool_]:
        """Tell of each hand whether it is wanted."""
        counted = self._counted
        chosen = np.ones(self.hands, np.bool_)
        if wanted.since is not None:
            chosen &= counted.days >= wanted.since.toordinal()
        if wanted.until is not None:
            chosen &= counted.days <= wanted.until.toordinal()
        if wanted.session is not None:
            chosen &= counted.sessions == wanted.session
        if wanted.stakes:
            fits = np.array([session.stakes == wanted.stakes for session in self.sessions], np.bool_)
            chosen &= fits[self._session]
        if wanted.players is not None:
            chosen &= counted.counts == wanted.players
        if wanted.style:
            fits = np.array([player.style == wanted.style for player in self.players], np.bool_)
            chosen &= np.bincount(self._hand, fits[self._player], self.hands) > 0
        return chosen


class Counting(NamedTuple):
    """How far counting is; `book` has what was counted when it was last made."""

    book: HandBook
    done: int
    most: int


def counting_steps(store: Store) -> Iterator[Counting]:
    """Count the hands that are not yet, and yield how far that is; StoreError if the file fails."""
    book, missing = HandBook.read(store), store.seat_hands.missing()
    yield Counting(book, 0, len(missing))
    made = 0
    for begin in range(0, len(missing), _AT_A_TIME):
        store.seat_hands.count(missing[begin : begin + _AT_A_TIME])
        done = min(begin + _AT_A_TIME, len(missing))
        if done == len(missing) or done - made >= max(_LEAST_NEW, book.hands // 4):
            book, made = HandBook.read(store), done
        yield Counting(book, done, len(missing))


def _stakes(game: GameConfig, venue: Venue | None) -> str:
    if venue is None:
        return f"{game.small_blind:,}/{game.big_blind:,}"
    return f"{venue.amount(game.small_blind)}/{venue.amount(game.big_blind)} {venue.currency}".rstrip()


def _lines(rows: SeatHands) -> HandLines:
    """Return the lines of a player, those without a gap that take no cards that are not known."""
    hands = np.unique(np.linspace(0, len(rows), min(len(rows) + 1, _MOST_POINTS)).round().astype(np.int64))
    won = {}
    for line in Line:
        values = values_of(rows, line)
        if not np.isnan(values).any():
            won[line] = np.concatenate([[0.0], np.cumsum(values)])[hands]
    return HandLines(hands, won)
