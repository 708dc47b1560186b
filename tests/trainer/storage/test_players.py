"""What is kept of players between sessions."""

import logging
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from engine.agents.agent import KnownPlayer
from engine.agents.learned.adaptation import Adaptation
from engine.agents.learned.situations import situations
from engine.codec import encode
from engine.game.formats import SeatConfig
from tests.engine.agents.hands import deal, play
from tests.engine.agents.learned.test_adaptation import see
from tests.trainer.storage.test_store import SCHEMA_2, STARTED, dealer, game
from trainer.storage.players import MOST_PLAYERS
from trainer.storage.store import Store

YOU, ADA = SeatConfig("You", "human"), SeatConfig("Ada", "fold")
LATER = STARTED + timedelta(hours=1)


def known(choices: int) -> KnownPlayer:
    """What is learned of a player who opens so many times."""
    adaptation = Adaptation()
    (situation,) = situations(play(deal((10_000,) * 6), "250").events)
    for _ in range(choices):
        see(adaptation, "You", situation, np.full((10, 8), 1 / 8))
    return adaptation.known_players()["You"]


def kept(store: Store) -> dict[SeatConfig, int]:
    return {player.seat: player.known.choices for player in store.players.all()}


def test_what_is_kept_is_known_at_the_next_start(tmp_path: Path) -> None:
    store = Store(tmp_path / "soulread.db")
    store.players.keep((YOU, ADA), {"You": known(3), "Ada": known(2), "Bob": known(9)}, STARTED)
    store.close()
    store = Store(tmp_path / "soulread.db")
    assert store.players.known((YOU, SeatConfig("Zoë", "random"))) == {"You": known(3)}
    assert [(player.seat, player.met) for player in store.players.all()] == [(ADA, STARTED), (YOU, STARTED)]
    store.close()


def test_a_name_with_another_style_is_another_player(store: Store) -> None:
    store.players.keep((ADA,), {"Ada": known(3)}, STARTED)
    assert store.players.known((SeatConfig("Ada", "calling station"), SeatConfig("You", "human"))) == {}
    store.players.keep((SeatConfig("Ada", "human"),), {"Ada": known(1)}, STARTED)
    assert kept(store) == {ADA: 3, SeatConfig("Ada", "human"): 1}


def test_of_two_models_that_of_more_choices_is_kept(store: Store) -> None:
    """As when an older session is resumed after a later one was played."""
    store.players.keep((YOU,), {"You": known(3)}, LATER)
    store.players.keep((YOU,), {"You": known(2)}, STARTED)
    assert kept(store) == {YOU: 3}
    store.players.keep((YOU,), {"You": known(4)}, STARTED)
    (you,) = store.players.all()
    assert (you.known.choices, you.met) == (4, LATER)


def test_the_counts_of_the_papers_reader_are_kept_beside_the_learned_model(store: Store) -> None:
    counted = KnownPlayer(0, b"", 7, b"counts")
    store.players.keep((YOU,), {"You": known(3)}, STARTED)
    store.players.keep((YOU,), {"You": counted}, STARTED)
    store.players.keep((YOU,), {"You": KnownPlayer(0, b"", 6, b"fewer")}, STARTED)
    assert store.players.known((YOU,)) == {"You": known(3).with_more(counted)}
    # A model that only another version can read goes, the counts stay, and a new model is kept.
    store.players.keep((YOU,), {"You": KnownPlayer(5000, b"of another version")}, STARTED)
    assert store.players.known((YOU,)) == {"You": counted}
    store.players.keep((YOU,), {"You": known(1)}, STARTED)
    assert store.players.known((YOU,)) == {"You": known(1).with_more(counted)}
    store.players.forget([YOU], LATER)
    assert store.players.known((YOU,)) == {}


def test_who_is_forgotten_comes_back_with_a_later_session_alone(store: Store) -> None:
    store.players.keep((YOU, ADA), {"You": known(3), "Ada": known(3)}, STARTED)
    store.players.forget([YOU], STARTED + timedelta(minutes=5))
    assert kept(store) == {ADA: 3}
    assert store.players.known((YOU,)) == {}
    store.players.keep((YOU, ADA), {"You": known(4), "Ada": known(4)}, STARTED)
    assert kept(store) == {ADA: 4}
    store.players.keep((YOU,), {"You": known(1)}, LATER)
    assert kept(store) == {YOU: 1, ADA: 4}


def test_switched_off_nothing_is_read_or_written(store: Store) -> None:
    store.players.keep((YOU,), {"You": known(3)}, STARTED)
    store.players.is_on = False
    assert store.players.known((YOU,)) == {}
    store.players.keep((YOU, ADA), {"You": known(4), "Ada": known(4)}, LATER)
    assert kept(store) == {YOU: 3}
    store.players.is_on = True
    assert store.players.known((YOU,)) == {"You": known(3)}


def test_who_was_met_longest_ago_goes_first() -> None:
    store, model = Store(None), known(1)
    for number in range(MOST_PLAYERS + 5):
        seat = SeatConfig(f"player {number}", "human")
        store.players.keep((seat,), {seat.name: model}, STARTED + timedelta(days=number % MOST_PLAYERS))
    names = {player.seat.name for player in store.players.all()}
    assert len(names) == MOST_PLAYERS
    assert names == {f"player {number}" for number in range(MOST_PLAYERS + 5)} - {
        # Each of the last five came on the day of one of the first five, and the oldest day went each time.
        *(f"player {number}" for number in (0, 200, 1, 201, 2)),
    }


def test_what_another_version_has_learned_is_dropped(caplog: pytest.LogCaptureFixture, store: Store) -> None:
    store.players.keep((YOU, ADA), {"You": KnownPlayer(5000, b"of another version"), "Ada": known(1)}, STARTED)
    with caplog.at_level(logging.INFO):
        assert store.players.known((YOU, ADA)) == {"Ada": known(1)}
    assert [record.message for record in caplog.records] == [
        "What another version has learned of 1 players is dropped."
    ]
    store.players.keep((YOU,), {"You": known(2)}, LATER)  # its many choices stand in nobody's way
    assert kept(store) == {YOU: 2, ADA: 1}


def test_a_damaged_file_keeps_the_players_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "soulread.db"
    store = Store(path)
    store.players.keep((YOU, ADA), {"You": known(3), "Ada": known(2)}, STARTED)
    store.players.forget([ADA], LATER)
    store.close()
    data = bytearray(path.read_bytes())
    data[data.index(b"CREATE TABLE hands") + 13] = 0xFF
    path.write_bytes(data)
    store = Store(path)
    assert "were damaged" in store.file.notice
    assert store.players.known((YOU, ADA)) == {"You": known(3)}
    store.players.keep((ADA,), {"Ada": known(2)}, STARTED)
    assert kept(store) == {YOU: 3}
    store.close()


def test_a_file_of_the_second_version_is_taken_over(tmp_path: Path) -> None:
    """Its sessions go on from their own memories."""
    path = tmp_path / "soulread.db"
    database = sqlite3.connect(path)
    database.executescript(SCHEMA_2)
    with database:
        database.execute(
            "INSERT INTO sessions VALUES (3, '2024-05-17T20:15:00', ?, NULL, ?, '{}')",
            (encode(game(7)).decode(), encode(dealer(1)).decode()),
        )
        database.execute("INSERT INTO memories VALUES (3, 'table', 20, ?)", (b"all of it",))
    database.close()
    store = Store(path)
    assert (store.file.notice, store.file.is_kept) == ("", True)
    assert [(session.session_id, session.is_finished) for session in store.sessions()] == [(3, True)]
    assert store.memory(3, "table") == (20, b"all of it")
    store.players.keep((YOU,), {"You": known(3)}, datetime(2024, 6, 1))
    store.close()
    with closing(sqlite3.connect(path)) as again:
        assert again.execute("SELECT name, style, choices FROM players").fetchall() == [("You", "human", 3)]
