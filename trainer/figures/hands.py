"""The stored hands as figures are made of them: counted once, filtered, and summed up by player."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.codec import StoredDataError, decode
from engine.figures.mean import Mean, mean_of
from engine.figures.player_figures import Line, PlayerFigures, by_position, figures_from, sums_of, values_of
from engine.figures.seat_hands import SeatHands
from engine.game.formats import HUMAN, PERSON, GameConfig, SeatConfig
from engine.game.rules import MAX_SEATS
from engine.game.summary import POSITIONS
from engine.hand_histories import bovada
from trainer.storage.seat_hands import CountedHands
from trainer.storage.store import Store
from trainer.storage.stored import Venue

_AT_A_TIME = 50
_LEAST_NEW = 500
"""Hands counted between two steps; and at least so many, or a quarter more, before figures are made again."""

_MOST_POINTS = 1500
"""Of a line on the screen."""

_MOST_PLAYERS = 500
"""Whose figures are made, beside the person's."""

_MANY = 50_000
"""Hands of a player whose own are summed up once, too: 30 ms at every filter otherwise."""


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
    """A session with counted hands: what was played for, who sat where, and on which site, "" of those played here.

    Where others are `nameless`, the same name is another person's in every hand, and only the player is counted.
    """

    session_id: int
    started: datetime
    stakes: str
    seats: tuple[SeatConfig, ...]
    is_nameless: bool = False
    site: str = ""


class HandLines(NamedTuple):
    """What a player had won after some of the hands, the first and the last among them, in big blinds."""

    hands: NDArray[np.int64]
    won: dict[Line, NDArray[np.float64]]


class Summary(NamedTuple):
    """Figures over the hands chosen of the players with most of them, `others` being left out.

    Of one player also by position and hand by hand.
    """

    hands: int
    players: dict[SeatConfig, PlayerFigures]
    player: SeatConfig | None
    positions: dict[str, PlayerFigures]
    lines: HandLines | None
    own: "PlayerHands | None"
    others: int = 0


class PlayerHands:
    """The hands of a player in the order in which they were played; each array is made when it is asked for."""

    def __init__(self, book: "HandBook", seats: NDArray[np.int64], player: SeatConfig) -> None:
        self._book, self._seats, self._player = book, seats, player

    @property
    def are_the_persons(self) -> bool:
        """Whether the player is the person."""
        return self._player.style == HUMAN

    def rows(self) -> SeatHands:
        """Return what they did and won in each."""
        return self._book._seats[self._seats]

    def hand_ids(self) -> NDArray[np.int64]:
        """Return the number of each in the store."""
        return self._book._hand_ids[self._book._hand[self._seats]]

    def sessions(self) -> NDArray[np.int64]:
        """Return the number in the store of the session of each."""
        return self._book._sessions[self._book._hand[self._seats]]

    def session(self, session_id: int) -> SessionOfHands:
        """Return one of these sessions by its number in the store."""
        return self._book._by_id[session_id]

    def days(self) -> NDArray[np.int64]:
        """Return the day of each, as `date.toordinal` numbers it."""
        return self._book._days[self._book._hand[self._seats]]

    def combos(self) -> NDArray[np.int64] | None:
        """Return the person's hole cards in each, -1 where they are not known; None of anybody else."""
        return self._book._combos[self._book._hand[self._seats]] if self.are_the_persons else None

    def lost(self, store: Store) -> NDArray[np.float64]:
        """Return what mistakes cost in each hand in big blinds, NaN where that is not known; StoreError."""
        if not self.are_the_persons:
            return np.full(len(self._seats), np.nan)
        return store.browse.losses(self.hand_ids())


def mistakes_by(lost: NDArray[np.float64], keys: NDArray[np.int64]) -> dict[int, Mean]:
    """Return what mistakes cost in big blinds per 100 reviewed hands of each key that has any; -1 is none."""
    is_known = ~np.isnan(lost) & (keys >= 0)
    lost, keys = lost[is_known], keys[is_known]
    order = np.argsort(keys, kind="stable")
    there, starts = np.unique(keys[order], return_index=True)
    return {
        key: mean_of(100 * each)
        for key, each in zip(there.tolist(), np.split(lost[order], starts[1:]), strict=False)
    }


class HandBook:
    """All counted hands of the store, as arrays; a million hands of six seats take half a gigabyte.

    Hands are in groups, of one session with as many dealt in, of which most filters leave all or none. Seats are in
    the order of their players and these groups, and what figures follow from is summed up once over each such run.
    """

    def __init__(self, counted: CountedHands, sessions: tuple[SessionOfHands, ...], version: object = None) -> None:
        self.sessions, self.version = sessions, version
        self._days, self._sessions, self._counts = counted.days, counted.sessions, counted.counts
        self._hand_ids, self._combos = counted.hands, counted.combos
        self._by_id = {session.session_id: session for session in sessions}
        known = np.array(list(self._by_id), np.int64)
        self._session = np.searchsorted(known, counted.sessions)
        _, self._group = np.unique(self._session * (MAX_SEATS + 1) + counted.counts, return_inverse=True)
        self._group_sizes = np.bincount(self._group)
        self._played = np.empty(self.hands, np.int64)
        self._played[np.argsort(self._days, kind="stable")] = np.arange(self.hands)
        hands = np.repeat(np.arange(len(counted.counts), dtype=np.int32), counted.counts)
        self.players, players = self._players(counted, hands)
        groups = len(self._group_sizes)
        run = players * groups + self._group[hands]
        order = np.argsort(run, kind="stable")
        run = run[order]
        order, run = order[(nobody := np.searchsorted(run, 0)) :], run[nobody:]
        self._seats, self._hand = counted.seats[order], hands[order]
        self._first = np.searchsorted(run, np.arange(len(self.players) + 1) * groups)
        starts = np.flatnonzero(np.diff(run, prepend=-1))
        self._runs = sums_of(self._seats, starts)
        self._run_player, self._run_group = np.divmod(run[starts], groups)
        self._all: NDArray[np.float64] | None = None
        everything = np.ones(self.hands, np.bool_)
        self._all = self._totals(everything, np.ones(len(self._group_sizes), np.bool_))
        self._styles: dict[str, NDArray[np.bool_]] = {}
        self._regulars = {
            number: _Regular(self._seats, self._group, self._hand, self._in_order(first, end))
            for number, (first, end) in enumerate(pairwise(self._first.tolist()))
            if end - first > _MANY
        }

    def _in_order(self, first: int, end: int) -> NDArray[np.int64]:
        """Return which seats these are of one player in the order in which they were played, by day."""
        return first + np.argsort(self._played[self._hand[first:end]])

    def _players(
        self, counted: CountedHands, hands: NDArray[np.int32]
    ) -> tuple[tuple[SeatConfig, ...], NDArray[np.int64]]:
        """Return the players, and who of them sat at each seat of each hand, -1 for nobody.

        People are not always at the same seat.
        """
        if not self.sessions:
            return (), np.zeros(0, np.int64)
        own = [next((seat for seat in one.seats if seat.style == HUMAN), None) for one in self.sessions]
        places = {name: place for place, name in enumerate(counted.names)}
        own_names = np.array([-1 if seat is None else places.get(seat.name, -1) for seat in own])
        session = self._session[hands]
        others = np.flatnonzero((counted.people >= 0) & (own_names[session] != counted.people))
        people, who = self._people(counted.names, counted.people[others], session[others])
        players = tuple(dict.fromkeys([*(seat for one in self.sessions for seat in one.seats), *people]))
        numbers = {player: number for number, player in enumerate(players)}
        seated = np.full((len(self.sessions), MAX_SEATS), -1, np.int64)
        for at, one in enumerate(self.sessions):
            seated[at, : len(one.seats)] = [numbers[seat] for seat in one.seats]
        own_numbers = np.array([-1 if seat is None else numbers[seat] for seat in own])
        found: NDArray[np.int64] = np.where(
            counted.people >= 0, own_numbers[session], seated[session, counted.seats["seat"]]
        )
        found[others] = np.array([numbers[player] for player in people], np.int64)[who]
        is_person = np.array([player.style == PERSON for player in players])
        is_nameless = np.array([one.is_nameless for one in self.sessions])
        found[is_person[found] & is_nameless[session]] = -1
        return players, found

    def _people(
        self, names: tuple[str, ...], named: NDArray[np.int64], session: NDArray[np.int64]
    ) -> tuple[list[SeatConfig], NDArray[np.int64]]:
        """Return the people at seats of these names in these sessions, and who of them sat at each.

        The same name on two sites is that of two people.
        """
        sites = tuple(dict.fromkeys(one.site for one in self.sessions))
        site_of = np.array([sites.index(one.site) for one in self.sessions])
        each = named * len(sites) + site_of[session]
        there = np.flatnonzero(np.bincount(each, minlength=1))
        name, site = np.divmod(there, len(sites))
        is_apart = np.bincount(name, minlength=1)[name] > 1
        people = [
            SeatConfig(f"{names[one]} ({sites[where]})" if apart else names[one], PERSON)
            for one, where, apart in zip(name.tolist(), site.tolist(), is_apart.tolist(), strict=True)
        ]
        return people, np.searchsorted(there, each)

    @classmethod
    def read(cls, store: Store) -> "HandBook":
        """Read what is counted; StoreError if the file cannot be read."""
        version = store.browse.played.version
        counted = store.seat_hands.all()
        with_hands = set(np.unique(counted.sessions).tolist())
        sessions = []
        for stored in sorted(store.sessions(), key=lambda session: session.session_id):
            with suppress(StoredDataError):
                if stored.session_id in with_hands:
                    game = decode(stored.config, GameConfig)
                    stakes = f"{game.kind.value.capitalize()} {_stakes(game, stored.venue)}"
                    is_nameless = stored.venue is not None and stored.venue.site in bovada.SITES
                    site = stored.venue.site if stored.venue is not None else ""
                    session_id, started = stored.session_id, stored.started
                    sessions.append(SessionOfHands(session_id, started, stakes, game.seats, is_nameless, site))
        readable = np.isin(counted.sessions, [session.session_id for session in sessions])
        if not readable.all():
            seats = np.repeat(readable, counted.counts)
            counted = CountedHands(
                counted.hands[readable],
                counted.sessions[readable],
                counted.days[readable],
                counted.counts[readable],
                counted.combos[readable],
                counted.seats[seats],
                counted.people[seats],
                counted.names,
            )
        return cls(counted, tuple(sessions), version)

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return len(self._counts)

    def days(self) -> tuple[date, date] | None:
        """Return the first and the last day; None without hands."""
        if not self.hands:
            return None
        return date.fromordinal(int(self._days.min())), date.fromordinal(int(self._days.max()))

    def dealt_in(self) -> list[int]:
        """Return how many were dealt in, each number once."""
        found: list[int] = np.unique(self._counts).tolist()
        return found

    def summary(self, wanted: FiguresFilter, player: SeatConfig | None = None) -> Summary:
        """Sum hands up; without a player, or with one who is not there, of the person or who played most."""
        chosen = self._chosen(wanted)
        whole = np.bincount(self._group[chosen], minlength=len(self._group_sizes)) == self._group_sizes
        totals = self._totals(chosen, whole)
        hands = totals[:, 0].astype(np.int64)
        there = np.flatnonzero(hands)
        if not len(there):
            return Summary(0, {}, None, {}, None, None)
        number = self.players.index(player) if player in self.players else -1
        if number < 0 or not hands[number]:
            number = max(there.tolist(), key=lambda one: (self.players[one].style == HUMAN, hands[one]))
        most = there[np.argsort(-hands[there], kind="stable")][:_MOST_PLAYERS].tolist()
        persons = [one for one in there.tolist() if self.players[one].style == HUMAN]
        listed = sorted({number, *most, *persons})
        if (regular := self._regulars.get(number)) is not None:
            is_chosen = chosen[regular.hands]
            positions, lines = regular.positions(whole, is_chosen), regular.lines(is_chosen)
            own = regular.seats
        else:
            first, end = self._first[number : number + 2]
            own = self._in_order(first, end)
            is_chosen = chosen[self._hand[own]]
            rows = self._seats[own[is_chosen]]
            positions, lines = by_position(rows), _lines({line: values_of(rows, line) for line in Line})
        return Summary(
            int(np.count_nonzero(chosen)),
            {self.players[one]: figures_from(totals[one]) for one in listed},
            self.players[number],
            positions,
            lines,
            PlayerHands(self, own[is_chosen], self.players[number]),
            len(there) - len(listed),
        )

    def _totals(self, chosen: NDArray[np.bool_], whole: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what figures of each player follow from; of `whole` groups all hands are chosen."""
        if self._all is not None and whole.all():
            return self._all
        totals = np.zeros((len(self.players), self._runs.shape[1]))
        runs = np.flatnonzero(whole[self._run_group])
        _add_runs(totals, self._run_player[runs], self._runs[runs])
        single = chosen & ~whole[self._group]
        if single.any():
            rows = np.flatnonzero(single[self._hand])
            players = np.searchsorted(self._first, rows, side="right") - 1
            starts = np.flatnonzero(np.diff(players, prepend=-1))
            totals[players[starts]] += sums_of(self._seats[rows], starts)
        return totals

    def _chosen(self, wanted: FiguresFilter) -> NDArray[np.bool_]:
        """Tell of each hand whether it is wanted."""
        chosen = np.ones(self.hands, np.bool_)
        if wanted.since is not None:
            chosen &= self._days >= wanted.since.toordinal()
        if wanted.until is not None:
            chosen &= self._days <= wanted.until.toordinal()
        if wanted.session is not None:
            chosen &= self._sessions == wanted.session
        if wanted.stakes:
            fits = np.array([session.stakes == wanted.stakes for session in self.sessions], np.bool_)
            chosen &= fits[self._session]
        if wanted.players is not None:
            chosen &= self._counts == wanted.players
        if wanted.style:
            chosen &= self._with_style(wanted.style)
        return chosen

    def _with_style(self, style: str) -> NDArray[np.bool_]:
        """Tell of each hand whether somebody of a style was dealt in."""
        if style not in self._styles:
            found = np.zeros(self.hands, np.bool_)
            for number, player in enumerate(self.players):
                if player.style == style:
                    found[self._hand[self._first[number] : self._first[number + 1]]] = True
            self._styles[style] = found
        return self._styles[style]


class _Regular:
    """A player of so many hands that even theirs are summed up once: by group and position, and each line apart."""

    def __init__(
        self, seats: SeatHands, groups: NDArray[np.int64], hands: NDArray[np.int32], own: NDArray[np.int64]
    ) -> None:
        self.seats, self.hands = own, hands[own]
        self._rows, self._groups = seats[own], groups[self.hands]
        rows, groups = self._rows, self._groups
        self._values = {line: values_of(rows, line) for line in Line}
        most = int(groups.max()) + 1
        runs = rows["position"].astype(np.int64) * most + groups
        order = np.argsort(runs, kind="stable")
        starts = np.flatnonzero(np.diff(runs[order], prepend=-1))
        self._sums = sums_of(rows[order], starts)
        self._sum_positions, self._sum_groups = np.divmod(runs[order][starts], most)

    def positions(self, whole: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> dict[str, PlayerFigures]:
        """Return the figures by position of those hands chosen; of `whole` groups all are."""
        totals = np.zeros((len(POSITIONS), self._sums.shape[1]))
        runs = np.flatnonzero(whole[self._sum_groups])
        _add_runs(totals, self._sum_positions[runs], self._sums[runs])
        rows = self._rows[chosen & ~whole[self._groups]]
        for position in np.unique(rows["position"]).tolist():
            totals[position] += sums_of(rows[rows["position"] == position], np.zeros(1, np.int64))[0]
        return {name: figures_from(totals[at]) for at, name in enumerate(POSITIONS) if totals[at, 0]}

    def lines(self, chosen: NDArray[np.bool_]) -> HandLines:
        """Return the lines of the hands chosen."""
        return _lines(self._values if chosen.all() else {line: all[chosen] for line, all in self._values.items()})


def _add_runs(totals: NDArray[np.float64], at: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add sums to the totals at places that rise."""
    if len(at):
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        totals[at[starts]] += np.add.reduceat(sums, starts, axis=0)


class CountProgress(NamedTuple):
    """How far counting is; `book` has what was counted when it was last made."""

    book: HandBook
    done: int
    most: int


def counting_steps(store: Store, book: HandBook | None = None) -> Iterator[CountProgress]:
    """Count the hands that are not yet, and yield how far that is; StoreError if the file fails.

    With a `book` that nothing has changed since it is not read again.
    """
    if book is None or book.version != store.browse.played.version:
        book = HandBook.read(store)
    missing = store.seat_hands.missing()
    yield CountProgress(book, 0, len(missing))
    made = 0
    for begin in range(0, len(missing), _AT_A_TIME):
        store.seat_hands.count(missing[begin : begin + _AT_A_TIME])
        done = min(begin + _AT_A_TIME, len(missing))
        if done == len(missing) or done - made >= max(_LEAST_NEW, book.hands // 4):
            book, made = HandBook.read(store), done
        yield CountProgress(book, done, len(missing))


def _stakes(game: GameConfig, venue: Venue | None) -> str:
    if venue is None:
        return f"{game.small_blind:,}/{game.big_blind:,}"
    return f"{venue.amount(game.small_blind)}/{venue.amount(game.big_blind)} {venue.currency}".rstrip()


def _lines(values: Mapping[Line, NDArray[np.float64]]) -> HandLines:
    """Return the lines of a player, those without a gap that take no cards that are not known."""
    count = len(values[Line.NET])
    hands = np.unique(np.linspace(0, count, min(count + 1, _MOST_POINTS)).round().astype(np.int64))
    won = {}
    for line, each in values.items():
        sums = np.add.reduceat(each, hands[:-1])
        if not np.isnan(sums).any():
            won[line] = np.concatenate([[0.0], np.cumsum(sums)])
    return HandLines(hands, won)
