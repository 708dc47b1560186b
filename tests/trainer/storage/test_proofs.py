"""Commitments and what opens them: kept with the hands, over damage and from earlier versions."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from engine.fair_deals import SessionProof, check_proof
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.play import Dealer
from tests.engine.played import play_hand
from tests.engine.test_play import passive
from trainer.storage.store import Store
from trainer.storage.stored import StoreError


def stored(path: Path, salts: tuple[str, ...]) -> Store:
    """A session with a finished hand for each salt, and one that runs."""
    config = cash_game((SeatConfig("You", "human"), SeatConfig("Bob", "random")), seed=987_654_321)
    dealer, store = Dealer(config, {}), Store(path)
    session = store.add_session(datetime(2024, 5, 17, 20, 15), config, dealer.state)
    for number, salt in enumerate(salts, start=1):
        dealer.set_salt(salt)
        hand = store.begin_hand(session, number, dealer.state, dealer.commitment)
        play_hand(dealer, passive)
        cards = {seat: dealer.private_event(seat).hole_cards for seat in dealer.dealt_in}
        store.finish_hand(hand, dealer.observe(0), dealer.state, cards, opening=dealer.open_hand())
    store.begin_hand(session, len(salts) + 1, dealer.state, dealer.commitment)
    return store


def assert_right(proof: SessionProof, hands: int) -> None:
    found = check_proof(proof)
    assert (found.checked, found.uncommitted, found.problems) == (hands, 0, ())


def test_a_running_hand_is_no_part_of_the_proof_and_nothing_of_it_is_open(path: Path) -> None:
    store = stored(path, ("", "mine"))
    assert_right(store.proof(1), 2)
    store.close()
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT commitment, opening FROM hands ORDER BY number").fetchall()
    assert [(len(commitment), opening is None) for commitment, opening in found] == [
        (64, False),
        (64, False),
        (64, True),
    ]


def test_a_proof_outlives_damage(path: Path) -> None:
    """Rows are read page by page, told apart by the kinds of their columns alone."""
    store = stored(path, ("", "mine", ""))
    proof = store.proof(1)
    store.close()
    data = bytearray(path.read_bytes())
    data[data.index(b"CREATE TABLE hands") + 13] = 0xFF
    path.write_bytes(data)
    store = Store(path)
    assert "damaged" in store.file.notice
    assert store.proof(1) == proof
    assert_right(store.proof(1), 3)
    store.close()


def test_a_damaged_opening_is_left_out_and_missed(path: Path) -> None:
    store = stored(path, ("", "", ""))
    store.file.write(lambda database: database.execute("UPDATE hands SET opening = x'00' WHERE number = 2"))
    assert check_proof(store.proof(1)).problems == ("Hand 2 should come next, and hand 3 does.",)
    store.close()


def test_a_changed_card_is_found(path: Path) -> None:
    """Who changes the stored hand after the fact has the deck against them."""
    store = stored(path, ("", ""))
    cards = '{"0":[51,50],"1":[49,48]}'
    store.file.write(
        lambda database: database.execute("UPDATE hands SET hole_cards = ? WHERE number = 1", (cards,))
    )
    assert check_proof(store.proof(1)).problems == (
        "Hand 1: seat 1 held other cards than the deck gives.",
        "Hand 1: seat 2 held other cards than the deck gives.",
    )
    store.close()


def test_there_is_no_proof_of_what_is_not_stored(path: Path) -> None:
    store = stored(path, ())
    with pytest.raises(StoreError, match=r"^That session is not stored\.$"):
        store.proof(7)
    store.close()
