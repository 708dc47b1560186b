"""Finding hands: by filters against a slow count of the same rows, and at once where there are many."""

import random
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Thread
from time import process_time

import numpy as np
import pytest
from msgspec import structs

from engine.cards import CARD_COUNT, Street, format_card
from engine.codec import encode
from engine.game.summary import POSITIONS, WALK
from engine.ranges import parse_range
from tests.engine.game.hands import act, deal
from tests.trainer.storage.test_imports import hand as hand_of_import
from tests.trainer.storage.test_store import CARDS, STARTED, dealer, game
from trainer.storage.browse import Browse, Found, HandFilter, Order, PlayedHand
from trainer.storage.notes import HandNote
from trainer.storage.store import Store

FIRST = datetime(2025, 1, 1, 8)


def fill(store: Store, hands: int, seed: int = 3) -> None:
    """Make so many rows of hands of three sessions, which no hand was played for."""
    draw = random.Random(seed)
    for style in ("calling station", "tight-passive", "random"):
        config = game(1)
        seats = (config.seats[0], structs.replace(config.seats[1], style=style))
        store.add_session(FIRST, structs.replace(config, seats=seats), dealer(0))

    def rows() -> list[tuple[object, ...]]:
        return [row(number, draw) for number in range(1, hands + 1)]

    def write(database: sqlite3.Connection) -> None:
        made = rows()
        database.executemany(
            "INSERT INTO hands (id, session, number, state) VALUES (?, ?, ?, '')", [one[:3] for one in made]
        )
        database.executemany(f"INSERT INTO played VALUES ({', '.join('?' * 14)})", made)

    store.file.write(write)


def row(number: int, draw: random.Random) -> tuple[object, ...]:
    cards = [format_card(card) for card in draw.sample(range(CARD_COUNT), 7)]
    street = draw.randrange(4)
    is_watched = number % 9 == 4
    whole = (
        number,
        1 + number % 3,
        number,
        (FIRST + timedelta(minutes=number)).isoformat(),
        "".join(cards[:2]),
        "".join(cards[2 : (2, 5, 6, 7)[street]]),
        draw.choice(POSITIONS),
        draw.randrange(2, 11),
        draw.randrange(5),
        street,
        draw.randrange(2),
        float(draw.randrange(2, 200)),
        draw.choice((-1.0, 0.0, 0.5, 12.0, -100.0)),
        draw.choice((None, 0.0, 0.2, 3.5)),
    )
    if not is_watched:
        return whole
    # Cards, position, showdown, net and loss are of the player's.
    return (*whole[:4], "", whole[5], "", *whole[7:10], 0, whole[11], 0.0, None)


def is_in_range(hand: PlayedHand) -> bool:
    """Tell whether the hole cards are a suited ace, ten-nine offsuit, two kings, or seven-two of hearts."""
    ranks, suits = zip(*sorted(map(format_card, hand.cards)), strict=True) if hand.cards else ("", "")
    is_suited = len(set(suits)) == 1
    return (
        ("A" in ranks and is_suited)
        or (ranks == ("9", "T") and not is_suited)
        or ranks == ("K", "K")
        or (ranks, suits) == (("2", "7"), ("h", "h"))
    )


CASES: list[tuple[HandFilter, Callable[[PlayedHand], bool]]] = [
    (HandFilter(), lambda hand: True),
    (HandFilter(session=2), lambda hand: hand.session_id == 2),
    (HandFilter(style="tight-passive"), lambda hand: hand.session_id == 2),
    (HandFilter(since=date(2025, 1, 2)), lambda hand: hand.ended >= datetime(2025, 1, 2)),
    (HandFilter(until=date(2025, 1, 1)), lambda hand: hand.ended < datetime(2025, 1, 2)),
    (HandFilter(position="CO"), lambda hand: hand.position == "CO"),
    (HandFilter(raises=WALK), lambda hand: hand.raises == WALK),
    (HandFilter(raises=1), lambda hand: hand.raises == 1),
    (HandFilter(raises=3), lambda hand: hand.raises >= 3),
    (HandFilter(hole_cards=parse_range("A2s+, T9o, KK:0.5, 7h2h")), is_in_range),
    (HandFilter(least_pot=100), lambda hand: hand.pot >= 100),
    (HandFilter(least_loss=0.2), lambda hand: hand.loss is not None and hand.loss >= 0.2),
    (HandFilter(has_won=True), lambda hand: hand.net > 0),
    (HandFilter(has_won=False), lambda hand: hand.net < 0),
    (HandFilter(was_at_showdown=False), lambda hand: not hand.was_at_showdown and len(hand.cards) == 2),
    (HandFilter(is_watched=True), lambda hand: not hand.cards),
    (HandFilter(is_watched=False), lambda hand: len(hand.cards) == 2),
    (HandFilter(tag="river"), lambda hand: "river" in hand.note.tags),
    (HandFilter(has_note=True), lambda hand: hand.note != HandNote()),
]


@pytest.fixture(scope="module")
def store() -> Store:
    store = Store(None)
    fill(store, 2000)
    for number in range(1, 2000, 7):
        store.notes.set(number, HandNote("", ("river", "bluff")) if number % 2 else HandNote("a note", ("bluff",)))
    return store


def everything(store: Store) -> list[PlayedHand]:
    return [hand for begin in range(1, 2001, 500) for hand in store.browse.rows(range(begin, begin + 500))]


@pytest.mark.parametrize(("wanted", "is_wanted"), CASES)
def test_filters_find_what_they_say(
    store: Store, wanted: HandFilter, is_wanted: Callable[[PlayedHand], bool]
) -> None:
    hands = everything(store)
    assert len(hands) == 2000
    found = store.browse.find(wanted)
    expected = [hand for hand in hands if is_wanted(hand)]
    assert found.hand_ids.tolist() == [hand.hand_id for hand in reversed(expected)]
    assert found.net == pytest.approx(sum(hand.net for hand in expected))
    assert found.watched == sum(not hand.cards for hand in expected)
    assert 0 < len(expected) < 2000 or wanted == HandFilter()


def test_several_filters_leave_what_all_leave(store: Store) -> None:
    wanted = HandFilter(session=1, position="BB", has_won=True, raises=2, tag="bluff")
    expected = [
        hand.hand_id
        for hand in everything(store)
        if hand.session_id == 1 and hand.position == "BB" and hand.net > 0 and hand.raises == 2 and hand.note.tags
    ]
    assert sorted(store.browse.find(wanted).hand_ids) == expected


@pytest.mark.parametrize("is_rising", [False, True])
@pytest.mark.parametrize("order", Order)
def test_hands_are_sorted(store: Store, order: Order, is_rising: bool) -> None:
    """Equal ones stand in the order in which they were played, and what is not known stands last."""
    found = store.browse.find(HandFilter(), order, is_rising=is_rising).hand_ids

    def key(hand: PlayedHand) -> tuple[object, ...]:
        value = {
            Order.PLAYED: hand.hand_id,
            Order.POSITION: hand.position,
            Order.RAISES: hand.raises,
            Order.POT: hand.pot,
            Order.NET: hand.net,
            Order.LOSS: hand.loss,
        }[order]
        unknown = value is None
        return unknown is is_rising, 0 if unknown else value, hand.hand_id

    assert found.tolist() == [hand.hand_id for hand in sorted(everything(store), key=key, reverse=not is_rising)]


def test_rows_come_in_the_order_asked_and_without_those_deleted(store: Store) -> None:
    assert [hand.hand_id for hand in store.browse.rows([7, 3, 99_999, 5])] == [7, 3, 5]
    assert store.browse.rows([]) == ()


def differing(found: Found, expected: Found) -> bool:
    return found.hand_ids.tolist() != expected.hand_ids.tolist() or found.net != pytest.approx(expected.net)


@pytest.mark.parametrize("seed", range(4))
def test_what_changes_is_found_as_if_all_were_read_again(tmp_path: Path, seed: int) -> None:
    """Hands played, imported, reviewed and deleted, in any order, between questions."""
    store = Store(tmp_path / "soulread.db")
    draw = random.Random(seed)
    running = list[int]()
    number = 0
    for _ in range(60):
        match draw.randrange(6):
            case 0:
                session = store.add_session(STARTED, game(1), dealer(0))
                running += [store.begin_hand(session, at, dealer(0)) for at in (1, 2)]
            case 1 if running:
                table = deal((1000, 1000))
                act(table, draw.choice(("f", "r60 f", "c x x r40 f", "r1000 c")))
                hand = running.pop(draw.randrange(len(running)))
                store.finish_hand(hand, table.observe(0), dealer(1), {}, ended=FIRST + timedelta(hours=number))
            case 2:
                numbers = range(number, number + draw.randrange(1, 6))
                number = numbers.stop
                store.imports.add([hand_of_import(one, minutes=draw.randrange(3000)) for one in numbers])
            case 3 if len(found := store.browse.find(HandFilter()).hand_ids):
                store.browse.set_loss(int(draw.choice(found)), draw.choice((None, 0.0, 2.5)))
            case 4 if draw.random() < 0.5 and (sessions := store.sessions()):
                gone = draw.choice(sessions).session_id
                running = [one for one in running if one not in {hand.hand_id for hand in store.hands(gone)}]
                store.delete_sessions([gone])
            case _:
                for wanted, order in (
                    (HandFilter(), draw.choice(list(Order))),
                    (HandFilter(has_won=True), Order.NET),
                ):
                    is_rising = draw.random() < 0.5
                    found_now = store.browse.find(wanted, order, is_rising=is_rising)
                    assert not differing(found_now, Browse(store.file).find(wanted, order, is_rising=is_rising))
    store.close()


def test_what_changes_before_anything_is_read_takes_no_memory(tmp_path: Path) -> None:
    store = Store(tmp_path / "soulread.db")
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for hand in range(70_001, 80_001):
            store.browse.played.change([hand])
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()
        store.close()


def test_after_a_repair_all_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    store.imports.add([hand_of_import(number, minutes=number) for number in range(200)])
    assert len(store.browse.find(HandFilter()).hand_ids) == 200
    store.close()
    store = Store(path)
    assert len(store.browse.find(HandFilter()).hand_ids) == 200
    data = bytearray(path.read_bytes())
    middle = store.hand(100)
    assert middle is not None
    page = data.index(middle.observation[:200]) // 4096 * 4096
    data[page : page + 4096] = b"\xa5" * 4096
    with path.open("r+b") as file:
        file.write(data)
    store.file.read(lambda database: database.execute("PRAGMA shrink_memory").fetchall())
    stored = {hand.hand_id for session in store.sessions() for hand in store.hands(session.session_id)}
    assert store.file.repairs == 1
    assert 100 < len(stored) < 200
    assert set(store.browse.find(HandFilter()).hand_ids.tolist()) == stored
    store.close()


MANY = 1_000_000


@pytest.fixture(scope="module")
def million() -> Iterator[Store]:
    """A store with rows of a million hands of 3,000 sessions, which no hand was played for."""
    store = Store(None)
    rng = np.random.default_rng(7)
    config = encode(game(1)).decode()
    sessions = [(at, FIRST.isoformat(), config) for at in range(1, 3001)]
    seconds = np.sort(rng.integers(0, 10 * 365 * 86_400, MANY)).tolist()
    columns = (
        range(1, MANY + 1),
        np.sort(rng.integers(1, 3001, MANY)).tolist(),
        range(1, MANY + 1),
        [(FIRST + timedelta(seconds=one)).isoformat() for one in seconds],
        ["AhKh"] * MANY,
        ["2s5d7c9hJs"] * MANY,
        rng.choice((*POSITIONS, ""), MANY).tolist(),
        [6] * MANY,
        rng.integers(0, 5, MANY).tolist(),
        [3] * MANY,
        rng.integers(0, 2, MANY).tolist(),
        (rng.exponential(8, MANY) + 1.5).round(1).tolist(),
        rng.normal(0, 9, MANY).round(1).tolist(),
        [None if one < 0 else round(one, 2) for one in rng.normal(-1, 1, MANY).tolist()],
    )

    def write(database: sqlite3.Connection) -> None:
        database.execute("PRAGMA foreign_keys = OFF")
        database.executemany(
            "INSERT INTO sessions (id, started, config, state, result, form) VALUES (?, ?, ?, '', '{}', 6)",
            sessions,
        )
        database.executemany(f"INSERT INTO played VALUES ({', '.join('?' * 14)})", zip(*columns, strict=True))

    store.file.write(write)
    store.notes.set(7, HandNote("", ("river",)))
    yield store
    store.close()


@pytest.mark.slow
def test_a_million_hands_are_filtered_and_sorted_within_a_tenth_of_a_second(million: Store) -> None:
    *_, read = million.browse.played.steps()
    assert read == MANY
    for wanted, order in [
        *((wanted, Order.NET) for wanted, _ in CASES),
        *((HandFilter(), order) for order in Order),
    ]:
        for is_rising in (False, True):
            times = []
            for _ in range(3):
                begin = process_time()
                found = million.browse.find(wanted, order, is_rising=is_rising)
                times.append(process_time() - begin)
            assert min(times) < 0.1, (wanted, order, times)
    assert len(found.hand_ids) == MANY


@pytest.mark.slow
def test_a_single_hand_does_not_wait_until_all_are_read(million: Store) -> None:
    """Many are found, one after another, while another thread reads them all."""
    reading = Thread(target=lambda: [*Browse(million.file).played.steps()])
    reading.start()
    found = 0
    while reading.is_alive():
        assert million.browse.rows([5])
        found += 1
    assert found > 20


def test_a_played_hand_is_found_with_all_that_it_came_to(tmp_path: Path) -> None:
    store = Store(tmp_path / "soulread.db")
    session = store.add_session(STARTED, game(1), dealer(0))
    hand = store.begin_hand(session, 1, dealer(0))
    assert store.browse.find(HandFilter()).hand_ids.tolist() == [], "it is not over"
    table = deal((1000, 1000, 1000), hole_cards={0: "AhAc", 1: "KhKc"}, board="2s 5d 7c 9h Js")
    act(table, "r60 c f x x x r100 c x r200 f")
    store.finish_hand(hand, table.observe(0), dealer(1), CARDS, ended=datetime(2026, 2, 3, 4, 5))
    store.notes.set(hand, HandNote("well", ("value",)))
    store.browse.set_loss(hand, 1.5)
    (found,) = store.browse.rows(store.browse.find(HandFilter()).hand_ids.tolist())
    assert found == PlayedHand(
        hand_id=hand,
        session_id=session,
        number=1,
        ended=datetime(2026, 2, 3, 4, 5),
        cards=table.observe(0).hole_cards,
        board=table.observe(0).board,
        position="BTN",
        raises=1,
        street=Street.RIVER,
        was_at_showdown=False,
        pot=(60 + 60 + 20 + 200) / 20,
        net=table.observe(0).events[-1].stacks[0] / 20 - 50,  # type: ignore[union-attr]
        loss=1.5,
        note=HandNote("well", ("value",)),
    )
    store.close()
