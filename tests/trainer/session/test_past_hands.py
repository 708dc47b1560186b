"""The list of a session's hands, where there are many."""

import tracemalloc
from collections.abc import Iterator

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.game.observation import Observation
from tests.engine.game.hands import act, deal
from trainer.jobs import Jobs
from trainer.session.past_hands import PastHands, place_of
from trainer.session.session import Session
from trainer.session.types import FinishedHand
from trainer.storage.store import Store

MOST_BYTES = 64
"""In memory of a hand that is stored: a table that plays by itself has some thousands of them in an hour."""


def final(number: int) -> Observation:
    hand = deal((200, 200))
    act(hand, "f")
    return structs.replace(hand.observe(0), hand_number=number)


@pytest.fixture
def past(qtbot: QtBot, jobs: Jobs, store: Store) -> Iterator[PastHands]:
    session = Session(jobs, store)
    made = PastHands(jobs)
    made.set_store(store)
    made.follow(session)
    yield made
    session.close()


def test_a_stored_hand_takes_some_bytes(past: PastHands) -> None:
    hands = 4_000
    seen = final(1)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1, hands + 1):
            past.add(FinishedHand(structs.replace(seen, hand_number=number), (), 70_000 + number))
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    past.on_table = structs.replace(seen, hand_number=hands)
    assert len(past.finished) == hands
    assert past.finished[-1].hand_id == 74_000
    assert taken / hands < MOST_BYTES


def test_hands_that_are_stored_and_others_stand_in_their_order(past: PastHands) -> None:
    for number, kept in ((1, 11), (2, None), (3, 12)):
        past.add(FinishedHand(final(number), (), kept))
    past.on_table = final(3)
    assert [(hand.number, hand.hand_id) for hand in past.finished] == [(1, 11), (2, None), (3, 12)]
    assert [hand.number for hand in past.hands] == [1, 2], "the third one is on the table"
    assert past.ended_on_table == past.finished[2]
    assert past.finished[1:] == tuple(past.finished)[1:]
    assert [hand.read() for hand in past.finished] == [None, final(2), None], "the others are not in the store"


def test_a_list_stays_as_it_is_while_hands_are_played(past: PastHands) -> None:
    past.add(FinishedHand(final(1), (), 11))
    past.on_table = final(1)
    listed = past.finished
    past.add(FinishedHand(final(2), (), 12))
    past.on_table = final(2)
    assert [hand.number for hand in listed] == [1]
    assert [hand.number for hand in past.finished] == [1, 2]
    with pytest.raises(IndexError):
        listed[1]


def test_a_hand_that_ends_again_takes_the_place_of_the_first(past: PastHands) -> None:
    for kept in (None, 17):
        past.add(FinishedHand(final(5), (), kept))
    past.on_table = final(5)
    assert [(hand.number, hand.hand_id) for hand in past.finished] == [(5, 17)]


@pytest.mark.parametrize(("number", "place"), [(1, 0), (4, 0), (5, 1), (6, 1), (9, 2), (10, 3)])
def test_places_of_numbers(past: PastHands, number: int, place: int) -> None:
    for one in (4, 6, 9):
        past.add(FinishedHand(final(one), (), one))
    past.on_table = final(9)
    assert place_of(past.finished, number) == place
