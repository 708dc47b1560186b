"""Imported hands are stored once, as sessions like those played here, and known from these where it matters."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.agents import readers
from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.cards import Street, parse_cards
from engine.codec import StoredDataError, decode
from engine.figures.player_figures import Line
from engine.game.events import net_of, start_of, with_start
from engine.game.formats import HUMAN, PERSON, GameConfig, SeatConfig
from engine.game.phh import PublicRecord, read_public_hands
from engine.hand_histories.imported import ImportedHand
from engine.review import hands as review_hands
from tests.conftest import ROOT, SHARED, on_posix
from tests.engine.game.hands import act, deal
from tests.trainer.gestures import PATIENCE
from tests.trainer.storage.test_store import STARTED, dealer, game
from trainer.app import App
from trainer.drills.stored_hands import strangers_at
from trainer.figures.hands import FiguresFilter, HandBook, counting_steps
from trainer.review.reviews import Reviews
from trainer.review.session_reviewer import SessionReviewer
from trainer.session.past_hands import PastHand
from trainer.storage.browse import HandFilter
from trainer.storage.imports import ImportCounts, ImportedDetails
from trainer.storage.notes import HandNote
from trainer.storage.store import Store
from trainer.storage.stored import StoreError, Venue

EVENING = datetime(2023, 4, 1, 20, 15)
NAMES = ("Zoë", "ann", "Bob")


def hand(
    number: int,
    *,
    minutes: float | None = None,
    names: tuple[str, ...] = NAMES,
    hero: str = "Zoë",
    text: str = "",
    blinds: tuple[int, int] = (10, 20),
    table: str = "Halley",
    tournament: str = "",
    site: str = "PokerStars",
    remarks: tuple[str, ...] = (),
    is_told: bool = True,
) -> ImportedHand:
    """Return a hand of a table at whose seats those of the names sit, the first with the button and aces."""
    dealt = deal((1000,) * len(names), blinds=blinds, hole_cards={0: "AhAc", 1: "KhKc"}, board="2s 5d 7c 9h Js")
    act(dealt, text or " ".join(["r150", *("f" * (len(names) - 1))]))
    starts = zip(start_of(dealt.events).seats, names, strict=True)
    seats = tuple(structs.replace(start, name=name) for start, name in starts)
    events = with_start(dealt.events, seats=seats, hand_number=8)
    seat = names.index(hero) if hero else None
    cards = {seat: dealt.observe(seat).hole_cards} if seat is not None and is_told else {}
    return ImportedHand(
        site=site,
        number=str(number),
        played=None if minutes is None else EVENING + timedelta(minutes=minutes),
        table=table,
        tournament=tournament,
        currency="" if tournament else "USD",
        scale=1 if tournament else 100,
        record=PublicRecord(f"{site} {number}", names, cards, events, True),
        hero=seat,
        rake=7,
        remarks=remarks,
    )


def reopened(store: Store, path: Path) -> Store:
    store.close()
    again = Store(path)
    assert again.file.notice == ""
    return again


def test_an_imported_hand_is_a_hand_of_a_finished_session(path: Path) -> None:
    store = Store(path)
    told = hand(4711, minutes=0, remarks=("It was run twice.",))
    assert store.imports.add([told]) == ImportCounts(1, 0)
    store = reopened(store, path)
    (session,) = store.sessions()
    assert (session.started, session.hands, session.is_finished) == (EVENING, 1, True)
    venue = Venue("PokerStars", "Zoë", "Halley", "", "USD", 100, 10, 20)
    assert session.venue == venue
    assert session.venue.title == "PokerStars, Halley"
    seats = tuple(SeatConfig(name, HUMAN if name == "Zoë" else PERSON) for name in NAMES)
    assert decode(session.config, GameConfig).seats == seats
    (stored,) = store.hands(session.session_id)
    final = stored.final_observation()
    assert told.final is not None
    assert (final.hand_number, final.events[1:]) == (1, told.final.events[1:]), "numbered as in its session"
    assert structs.replace(final, hand_number=8, events=told.final.events) == told.final
    assert stored.hole_cards == told.record.hole_cards
    (row,) = store.browse.rows([stored.hand_id])
    assert (row.ended, row.position, row.number) == (EVENING, "BTN", 1)
    assert store.browse.find(HandFilter(style=PERSON)).hand_ids.tolist() == [stored.hand_id]
    details = ImportedDetails(venue, "4711", "Halley", 7, ("It was run twice.",))
    assert store.imports.details([stored.hand_id, 99]) == {stored.hand_id: details}
    store.close()


def test_no_hand_is_stored_twice(path: Path) -> None:
    """Within a file, over imports, and where an import goes on that broke off."""
    store = Store(path)
    hands = [hand(number, minutes=number) for number in range(1, 8)]
    assert store.imports.add([*hands[:3], hands[1], hands[0]]) == ImportCounts(3, 2)
    assert store.imports.add(hands[2:5]) == ImportCounts(2, 1)
    store = reopened(store, path)
    assert store.imports.add(hands) == ImportCounts(2, 5)
    assert set(store.imports.known("PokerStars", ["1", "7", "8"])) == {"1", "7"}
    assert store.imports.known("GGPoker", ["1", "7", "8"]) == {}
    (session,) = store.sessions()
    assert [one.number for one in store.hands(session.session_id)] == [1, 2, 3, 4, 5, 6, 7]
    assert store.imports.add([hand(1, site="GGPoker")]) == ImportCounts(1, 0), "a number is a site's own"
    store.close()


def test_hands_without_a_number_are_known_by_what_happened(store: Store) -> None:
    one, same, other = (structs.replace(hand(3, text=text), number="") for text in ("f f", "f f", "r60 f f"))
    assert store.imports.add([one, same, other]) == ImportCounts(2, 1)
    store.close()


def test_hands_of_a_call_are_numbered_as_they_were_played(store: Store) -> None:
    store.imports.add([hand(number, minutes=100 - number) for number in range(5)])
    rows = store.browse.rows(sorted(store.browse.find(HandFilter()).hand_ids.tolist()))
    assert [row.ended for row in rows] == sorted(row.ended for row in rows)
    assert [row.number for row in rows] == [1, 2, 3, 4, 5]
    store.close()


@pytest.mark.parametrize("when", [datetime.min, datetime.max.replace(microsecond=0)])
def test_hands_of_the_first_and_the_last_day_that_there_are_make_a_session(when: datetime, store: Store) -> None:
    """Programs write a time that they do not know as such."""
    hands = [structs.replace(hand(number), played=when) for number in range(1, 4)]
    assert store.imports.add(hands[:2]) == ImportCounts(2, 0)
    assert store.imports.add(hands[2:]) == ImportCounts(1, 0)
    (session,) = store.sessions()
    assert (session.started, session.hands) == (when, 3)
    found = store.browse.find(HandFilter(since=when.date(), until=when.date()))
    assert sorted(found.hand_ids.tolist()) == [1, 2, 3]
    store.close()


@pytest.mark.parametrize("is_told", [True, False])
def test_a_hand_that_is_nobodys_own_is_stored_as_watched(path: Path, is_told: bool) -> None:
    """Without a hero, or with one whose hole cards are not told; what is told of cards is kept."""
    store = Store(path)
    cards = {1: parse_cards("KhKc")} if is_told else {}
    watched = hand(1, minutes=0, hero="" if is_told else "Zoë", is_told=False, text="r150 c f x r300 c x x x x")
    watched = structs.replace(watched, record=structs.replace(watched.record, hole_cards=cards))
    assert store.imports.add([watched]) == ImportCounts(1, 0, watched=1)
    store = reopened(store, path)
    (session,) = store.sessions()
    assert session.venue is not None
    assert (session.venue.hero, session.is_finished) == ("", True)
    assert {seat.style for seat in decode(session.config, GameConfig).seats} == {PERSON}
    (stored,) = store.hands(session.session_id)
    final = stored.final_view()
    assert (final.viewer, final.own_cards, final.me) == (None, (), None)
    assert final.events[1:] == watched.record.events[1:]
    assert stored.hole_cards == cards
    with pytest.raises(StoredDataError, match="was watched"):
        stored.final_observation()
    (row,) = store.browse.rows([stored.hand_id])
    assert (row.cards, row.position, row.net, row.was_at_showdown) == ((), "", 0, False)
    assert (row.pot, row.raises, row.street) == ((2 * 150 + 20 + 2 * 300) / 20, 1, Street.RIVER)
    store.close()


def test_a_watched_hand_becomes_a_players_in_its_place(path: Path) -> None:
    """With its number in the store, its note and its time; figures are counted again, and the other way nothing."""
    store = Store(path)
    theirs = [hand(number, minutes=number) for number in range(1, 4)]
    watched = [structs.replace(one, hero=None) for one in theirs]
    assert store.imports.add(watched) == ImportCounts(3, 0, watched=3)
    for _ in counting_steps(store):
        pass
    (before,) = store.sessions()
    store.notes.set(2, HandNote("Nice.", ("bluff",)))
    assert store.imports.add([watched[0], theirs[0], watched[0]]) == ImportCounts(0, 2, turned=1)
    assert {one.venue.hero: one.hands for one in store.sessions() if one.venue is not None} == {"": 2, "Zoë": 1}
    assert store.imports.add([*theirs, hand(4, minutes=4, hero="")]) == ImportCounts(1, 1, watched=1, turned=2)
    assert store.imports.add(watched) == ImportCounts(0, 3), "what is theirs stays so"
    found = {one.venue.hero: one for one in store.sessions() if one.venue is not None}
    assert (found[""].hands, found["Zoë"].hands, found["Zoë"].started) == (1, 3, EVENING + timedelta(minutes=1))
    store = reopened(store, path)
    hands = store.hands(found["Zoë"].session_id)
    assert [(one.hand_id, one.number) for one in hands] == [(1, 1), (2, 2), (3, 3)]
    for one, told in zip(hands, theirs, strict=True):
        assert structs.replace(one.final_observation(), hand_number=8, events=told.record.events) == told.final
        assert one.hole_cards == told.record.hole_cards
    assert store.notes.note(2) == HandNote("Nice.", ("bluff",))
    assert store.browse.find(HandFilter(tag="bluff", position="BTN", has_won=True)).hand_ids.tolist() == [2]
    assert store.seat_hands.missing() == [1, 2, 3, 4]
    assert set(store.imports.details([1, 2, 3])) == {1, 2, 3}
    assert store.imports.add([hand(4, minutes=4)]) == ImportCounts(0, 0, turned=1)
    assert len(store.sessions()) == 1, "what is left without a hand is no session"
    assert before.session_id not in {one.session_id for one in store.sessions()}
    store.close()


def test_a_watched_hand_without_a_clock_keeps_the_time_of_its_import(path: Path) -> None:
    store = Store(path)
    store.imports.add([hand(1, hero="")])
    store.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE played SET ended = '2020-05-05T12:00:00'")
    store = Store(path)
    store.imports.add([hand(1)])
    (row,) = store.browse.rows([1])
    assert (row.ended, row.position) == (datetime(2020, 5, 5, 12), "BTN")
    store.close()


def test_figures_of_watched_hands_are_of_the_people_in_them(path: Path) -> None:
    """Nobody is the player, also where the player's own name sits at the table."""
    store = Store(path)
    store.imports.add([hand(number, minutes=number, hero="") for number in range(4)])
    for _ in counting_steps(store):
        pass
    summary = HandBook.read(store).summary(FiguresFilter())
    assert {player: figures.counts.hands for player, figures in summary.players.items()} == {
        SeatConfig(name, PERSON): 4 for name in NAMES
    }
    store.imports.add([hand(number, minutes=number) for number in range(10, 12)])
    for _ in counting_steps(store):
        pass
    summary = HandBook.read(store).summary(FiguresFilter())
    assert summary.player == SeatConfig("Zoë", HUMAN)
    assert summary.players[SeatConfig("Zoë", HUMAN)].counts.hands == 2
    assert summary.players[SeatConfig("Zoë", PERSON)].counts.hands == 4
    store.close()


def test_what_begins_another_session(path: Path) -> None:
    """Another table, stakes, hero, or hours without a hand; but not people who come, go and change their seats."""
    store = Store(path)
    hands = [
        hand(1, minutes=0),
        hand(2, minutes=2, names=("Bob", "Zoë", "Eve")),
        hand(3, minutes=3, names=("Zoë", "Eve", "ann", "Max")),
        hand(4, minutes=300, names=("Zoë", "Max")),
        hand(5, minutes=5, table="Ceres"),
        hand(6, minutes=6, blinds=(25, 50)),
        hand(7, minutes=7, hero="Bob"),
        hand(8, minutes=2000),
    ]
    assert store.imports.add(hands).new == 8
    found = {one.started: one for one in store.sessions()}
    assert sorted(one.hands for one in found.values()) == [1, 1, 1, 1, 4]
    mixed = found[EVENING]
    seats = decode(mixed.config, GameConfig).seats
    assert [seat.name for seat in seats] == ["Zoë", "ann", "Bob", "Max"], "who was first seen at each seat"
    store = reopened(store, path)
    store.imports.add([hand(9, minutes=600)])
    assert next(one.hands for one in store.sessions() if one.started == EVENING) == 5, "it goes on"
    store.close()


def test_a_tournament_is_one_session_at_all_its_tables_and_stakes(store: Store) -> None:
    store.imports.add(
        [
            hand(
                number,
                minutes=400 * number,
                tournament="77",
                table=f"77 {number}",
                blinds=(10 * number, 20 * number),
            )
            for number in (1, 2, 3)
        ]
    )
    (session,) = store.sessions()
    assert session.hands == 3
    assert session.venue is not None
    assert (session.venue.table, session.venue.title) == ("", "PokerStars, tournament 77")
    numbers = [one.hand_id for one in store.hands(session.session_id)]
    assert [one.table for one in store.imports.details(numbers).values()] == ["77 1", "77 2", "77 3"]
    store.close()


def test_imported_hands_go_with_their_session(path: Path) -> None:
    store = Store(path)
    played = store.add_session(STARTED, game(1), dealer(0))
    store.imports.add([hand(number, minutes=number) for number in range(20)])
    imported = next(one.session_id for one in store.sessions() if one.venue is not None)
    for _ in counting_steps(store):
        pass
    store.delete_sessions([imported])
    store = reopened(store, path)
    assert [one.session_id for one in store.sessions()] == [played]
    assert store.imports.add([hand(3, minutes=3)]) == ImportCounts(1, 0)
    store.close()


def test_figures_are_of_people_whatever_their_seats(path: Path) -> None:
    """The hero is the person; others are known by name, also where the session's game has another at that seat."""
    store = Store(path)
    hands = [
        hand(1, minutes=0),
        hand(2, minutes=2, names=("Bob", "Zoë", "Eve")),
        hand(3, minutes=3, names=("Zoë", "Eve", "ann")),
    ]
    store.imports.add(hands)
    *_, last = counting_steps(store)
    summary = HandBook.read(store).summary(FiguresFilter())
    assert last.done == 3
    nets: dict[str, list[float]] = {}
    for one in hands:
        won_by = net_of(one.record.events)
        for start in start_of(one.record.events).seats:
            nets.setdefault(start.name, []).append(won_by[start.seat] / 20)
    found = {player.name: figures for player, figures in summary.players.items()}
    assert {name: figures.counts.hands for name, figures in found.items()} == {
        name: len(won) for name, won in nets.items()
    }
    for name, won in nets.items():
        assert found[name].rates[Line.NET].value == pytest.approx(100 * sum(won) / len(won))
    assert summary.player == SeatConfig("Zoë", HUMAN)
    assert {player.style for player in summary.players if player.name != "Zoë"} == {PERSON}
    assert HandBook.read(store).sessions[0].stakes == "Cash 0.10/0.20 USD"
    store.close()


@pytest.mark.parametrize("damage", ["schema", "sessions", "venues", "imported"])
@pytest.mark.parametrize("is_own", [True, False])
def test_what_is_saved_of_a_damaged_file_is_as_it_was(path: Path, damage: str, is_own: bool) -> None:
    """Rows of the new tables are known from all others; a hand whose own row is lost can be imported again."""
    store = Store(path)
    hands = [
        hand(number, minutes=number, remarks=("A remark.",) * (number % 2), hero="Zoë" if is_own else "")
        for number in range(1, 41)
    ]
    store.imports.add(hands)
    for _ in counting_steps(store):
        pass
    before = store.sessions(), store.imports.details(range(1, 41))
    store.close()
    if damage == "schema":
        data = bytearray(path.read_bytes())
        data[data.index(b"CREATE TABLE imported") + 13] = 0xFF
        path.write_bytes(data)
    else:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"DELETE FROM {damage} {'WHERE hand = 7' if damage == 'imported' else ''}")
            database.execute("DROP TABLE memories")
    store = Store(path)
    assert "40 hands of 1 session could be read" in store.file.notice
    (session,) = store.sessions()
    assert len(store.hands(session.session_id)) == 40
    if damage == "schema":
        assert (store.sessions(), store.imports.details(range(1, 41))) == before
    if damage == "sessions":
        assert session.venue == before[0][0].venue
        assert {seat.style for seat in decode(session.config, GameConfig).seats} == {HUMAN, PERSON} - {
            "" if is_own else HUMAN
        }
    assert len(store.browse.find(HandFilter(is_watched=not is_own)).hand_ids) == 40
    assert session.is_finished
    assert store.imports.add(hands).new == (damage == "imported")
    assert len(store.seat_hands.missing()) == 40 + (damage == "imported")
    store.close()


def test_many_sessions_of_one_venue_are_gone_on_with(path: Path) -> None:
    """Each hand joins the session of its own evening, whatever the order of the files."""
    store = Store(path)
    days = range(0, 20 * 1440, 1440)
    store.imports.add([hand(1000 + day, minutes=day) for day in days])
    store = reopened(store, path)
    for day in reversed(days):
        store.imports.add([hand(day, minutes=day - 30)])
    found = store.sessions()
    assert [one.hands for one in found] == [2] * 20
    assert sorted(one.started for one in found) == [EVENING + timedelta(minutes=day - 30) for day in days]
    store.close()


def test_imported_hands_are_read_and_reviewed_as_those_of_people(
    qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strangers at the tables here are programs."""

    def noting(module: ModuleType) -> list[Spreads | None]:
        found = list[Spreads | None]()

        class Noted(LearnedReader):
            def __init__(self, *, strangers: Spreads | None = None, **others: Any) -> None:
                found.append(strangers)
                super().__init__(strangers=strangers or OF_PROGRAMS, **others)

        monkeypatch.setattr(module, "LearnedReader", Noted)
        return found

    read, reviewed = noting(readers), noting(review_hands)
    app.store.imports.add([hand(number, minutes=number) for number in range(2)])
    looked_at = app.window.looked_at
    looked_at.past.set_store(app.store)
    qtbot.waitUntil(lambda: len(looked_at.past.sessions) == 1, timeout=PATIENCE)
    looked_at.choose_session(0)
    qtbot.waitUntil(lambda: bool(read), timeout=PATIENCE)
    reviews = Reviews(app.jobs, looked_at.past)
    reviews.request()
    qtbot.waitUntil(lambda: bool(reviewed), timeout=PATIENCE)
    reviews.stop()
    assert set(read) == {OF_PEOPLE}
    assert reviewed[0] is OF_PEOPLE


def test_an_imported_hand_is_looked_at_and_its_opponents_are_strangers(qtbot: QtBot, app: App) -> None:
    """Bots could not go on for them by the style of people."""
    app.store.imports.add([hand(number, minutes=number) for number in range(3)])
    looked_at = app.window.looked_at
    looked_at.past.set_store(app.store)
    qtbot.waitUntil(lambda: len(looked_at.past.sessions) == 1, timeout=PATIENCE)
    looked_at.choose_session(0)
    qtbot.waitUntil(lambda: looked_at.observation is not None, timeout=PATIENCE)
    assert looked_at.observation is not None
    assert looked_at.observation.hand_number == 3
    assert looked_at.styles == {0: HUMAN}
    looked_at.go_earlier()
    assert looked_at.observation.hand_number == 2


@pytest.mark.slow
def test_imported_hands_are_reviewed_and_what_mistakes_cost_is_stored(store: Store) -> None:
    text = "r60 c f x x x x r700 c"
    store.imports.add([hand(number, minutes=number, text=text) for number in range(2)])
    (session,) = store.sessions()
    hands = tuple(
        PastHand(one.number, one.hand_id, one.final_observation) for one in store.hands(session.session_id)
    )
    assert strangers_at(store, session.session_id) is OF_PEOPLE
    *_, last = SessionReviewer(store, dict).review(hands)
    assert last.is_done
    assert sorted(last.reviews) == [1, 2]
    assert [row.loss is None for row in store.browse.rows([1, 2])] == [False, False]
    store.close()


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bovada_6max", pytest.param("pluribus", marks=pytest.mark.long)])
def test_a_stored_hand_takes_less_than_a_kilobyte(path: Path, name: str) -> None:
    """Everything counted, figures too, of hands of six without traces."""
    store = Store(path)
    empty = store.file.size
    records = islice(read_public_hands(SHARED / "data" / "hands" / f"{name}.phhs"), 600)
    hands = [
        structs.replace(hand(number, minutes=number), record=record, hero=max(record.hole_cards))
        for number, record in enumerate(records)
        if isinstance(record, PublicRecord)
    ]
    for begin in range(0, len(hands), 300):
        assert store.imports.add(hands[begin : begin + 300]).refused == ()
    for _ in counting_steps(store):
        pass
    assert len(store.seat_hands.all().counts) == len(hands) > 550
    assert (store.file.size - empty) / len(hands) < 1000
    store.close()


@on_posix
@pytest.mark.slow
def test_no_kill_loses_a_hand(tmp_path: Path) -> None:
    """A few of what `tests.trainer.storage.kills` does hundreds of times."""
    command = [sys.executable, "-m", "tests.trainer.storage.kills", "24", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("nothing lost\n")


def test_a_full_disk_is_said_in_a_sentence_and_leaves_what_was_there(path: Path) -> None:
    """Of the batch that does not fit nothing is stored; with room again the import goes on."""
    store = Store(path)
    hands = [hand(number, minutes=number) for number in range(600)]
    store.imports.add(hands[:300])
    pages = store.file.size // 4096
    store.file.read(lambda database: database.execute(f"PRAGMA max_page_count = {pages + 4}").fetchall())
    with pytest.raises(StoreError, match=r"^This could not be stored: database or disk is full\.$"):
        store.imports.add(hands)
    assert len(store.browse.find(HandFilter()).hand_ids) == 300
    assert sum(one.hands for one in store.sessions()) == 300
    store.file.read(lambda database: database.execute("PRAGMA max_page_count = 100000").fetchall())
    assert store.imports.add(hands) == ImportCounts(300, 300)
    store = reopened(store, path)
    assert len(store.browse.find(HandFilter()).hand_ids) == 600
    store.close()
