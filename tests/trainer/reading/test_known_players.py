"""The dialog of the players remembered, by mouse and keys, over a real store."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from engine.agents.agent import KnownPlayer
from engine.agents.fold.opponent_model import OpponentModel
from engine.agents.fold.parameters import default_parameters
from engine.agents.learned.adaptation import Adaptation
from engine.agents.learned.habits import habits_of
from engine.agents.learned.situations import situations
from engine.game.formats import SeatConfig
from tests.engine.agents.hands import deal, play
from tests.engine.agents.learned.test_adaptation import see
from tests.engine.agents.test_lessons import write
from tests.trainer.gestures import PATIENCE, choose_path, opened, rows_of
from tests.trainer.reading.test_learning import play_session
from trainer.app import App
from trainer.jobs import Jobs
from trainer.reading import known_players
from trainer.reading.known_players import KnownPlayersDialog
from trainer.reading.known_players_model import known_rows, question, summary
from trainer.reading.learning import Progress
from trainer.settings import SettingsFile
from trainer.storage.players import StoredPlayer
from trainer.storage.store import Store

MET = datetime(2026, 6, 14, 20, 15)
YOU, ADA = SeatConfig("You", "human"), SeatConfig("<b>Ada</b>", "calling station")


def known(word: str, times: int) -> KnownPlayer:
    """What is learned of a player who does the same each time from the first seat; most do anything as often."""
    adaptation = Adaptation()
    (situation,) = situations(play(deal((10_000,) * 6), word).events)
    even = np.full((10, 8), 1 / 8, np.float32)
    for _ in range(times):
        see(adaptation, "a", situation, even)
    return adaptation.known_players()["a"]


@pytest.fixture
def store() -> Store:
    store = Store(None)
    store.players.keep((YOU, ADA), {"You": known("f", 120), ADA.name: known("c", 90)}, MET)
    store.players.keep((SeatConfig("Deng", "random"),), {"Deng": known("250", 5)}, MET - timedelta(days=2))
    return store


@pytest.fixture
def dialog(qtbot: QtBot, jobs: Jobs, store: Store, tmp_path: Path) -> KnownPlayersDialog:
    made = KnownPlayersDialog(
        store,
        SettingsFile(tmp_path / "soulread.ini"),
        jobs,
        lambda: True,
        now=lambda: MET + timedelta(days=1),
    )
    opened(qtbot, made)
    qtbot.waitUntil(lambda: made.table.model().rowCount() == 3, timeout=PATIENCE)
    return made


def answer(button: QMessageBox.StandardButton, asked: list[str]) -> None:
    """Click a button of the question that is about to be asked."""

    def click() -> None:
        box = QApplication.activeModalWidget()
        if box is None:  # a key may take a turn of the event loop
            QTimer.singleShot(1, click)
            return
        assert isinstance(box, QMessageBox)
        assert box.textFormat() == Qt.TextFormat.PlainText, "a name may look like HTML"
        asked.append(box.text())
        box.button(button).click()

    QTimer.singleShot(0, click)


def names(store: Store) -> set[str]:
    return {player.seat.name for player in store.players.all()}


def test_players_are_listed_with_what_is_known_of_them(dialog: KnownPlayersDialog) -> None:
    rows = {row[0]: row[1:] for row in rows_of(dialog.table)}
    assert rows["You"] == ["your seat", "120", "14 June 2026, 20:15", "tighter", "not known yet"]
    assert rows["<b>Ada</b>"][:4] == ["Calling station", "90", "14 June 2026, 20:15", "looser, more passive"]
    assert rows["Deng"] == ["Random", "5", "12 June 2026, 20:15", "not known yet", "not known yet"]
    assert [row[0] for row in rows_of(dialog.table)][-1] == "Deng", "met longest ago"
    assert dialog.summary.text().startswith("3 of at most 400 players are remembered")


def test_shares_are_those_of_the_odds() -> None:
    """Who is believed to fold with twice the odds of most folds 2 of 3 where most fold 1 of 2."""
    player = known("f", 200)
    (row,) = known_rows([StoredPlayer(YOU, MET, player)])
    odds = habits_of(player)[0].odds
    assert f"Before the flop: folds {1 / (1 + odds):.0%} (" in row.details
    assert 1 / (1 + odds) > 0.6


def test_what_the_papers_reader_has_counted_is_said() -> None:
    model = OpponentModel(default_parameters())
    for words in ("c x | x 100 f", "c x | x 100 c | x x | x x", "300 f", "c x | 100 f"):
        model.learn(play(deal(names=("Bob", "Ada")), words).events)
    counted = model.known_players()["Ada"]  # 4 hands, 3 of them entered, and 1 of 2 bets folded to
    (row,) = known_rows([StoredPlayer(YOU, MET, counted)])
    assert row.texts[2:] == ("11", "14 June 2026, 20:15", "enters 75% of hands", "folds to 50% of bets")
    said = "FOLD 2017 has counted 11 choices in 4 hands: enters 75% of hands; folds to 50% of bets."
    assert row.details == said
    # Beside what the learned reader knows, which is in the columns.
    (both,) = known_rows([StoredPlayer(YOU, MET, known("f", 120).with_more(counted))])
    assert both.texts[2] == "120"
    assert both.texts[4] == "tighter"
    assert both.details.splitlines()[-1] == said


def test_with_which_hands_a_player_does_what_is_said_plainly() -> None:
    adaptation, even = Adaptation(), np.full((10, 8), 1 / 8)
    big = situations(play(deal((10_000,) * 6, board="Ks7d2s"), "f f f 250 f c | x 900").events)
    (limp,) = situations(play(deal((10_000,) * 6), "c").events)
    for _ in range(60):
        see(adaptation, "a", big[3], even, 0)  # opens the worst
        see(adaptation, "a", limp, even, 9)  # and limps with the best
        see(adaptation, "a", big[6], even, 0)  # and checks it
        see(adaptation, "a", big[7], even, 9)  # but bets the best
    (row,) = known_rows([StoredPlayer(YOU, MET, adaptation.known_players()["a"])])
    assert row.details.splitlines()[2] == (
        "Better hands than expected when limping or betting the pot and more; "
        "worse hands than expected when opening before the flop or checking after the flop."
    )
    nobody = structs.replace(known("f", 1), choices=120)
    assert len(known_rows([StoredPlayer(YOU, MET, nobody)])[0].details.splitlines()) == 2


def test_arrows_choose_a_player_and_say_what_is_known(qtbot: QtBot, dialog: KnownPlayersDialog) -> None:
    dialog.table.setFocus()
    first = dialog.details.text()
    assert "where most fold half of the time" in first
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.details.text() not in ("", first)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.details.text() == "Deng is hardly known yet: about 30 choices say something."


def test_the_chosen_one_is_forgotten_after_one_question(
    qtbot: QtBot, dialog: KnownPlayersDialog, store: Store
) -> None:
    asked: list[str] = []
    row = [row[0] for row in rows_of(dialog.table)].index("You")
    place = dialog.table.visualRect(dialog.table.model().index(row, 0)).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    answer(QMessageBox.StandardButton.No, asked)
    qtbot.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    assert names(store) == {"You", "<b>Ada</b>", "Deng"}
    answer(QMessageBox.StandardButton.Yes, asked)
    qtbot.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 2, timeout=PATIENCE)
    assert names(store) == {"<b>Ada</b>", "Deng"}
    assert (
        asked
        == ["Forget You for good? It cannot be undone. The session on the table goes on with what it knows."] * 2
    )
    # What that session has learned does not bring them back; a later one begins with a stranger.
    store.players.keep((YOU,), {"You": known("f", 121)}, MET)
    assert names(store) == {"<b>Ada</b>", "Deng"}


def test_all_are_forgotten_by_key(qtbot: QtBot, dialog: KnownPlayersDialog, store: Store) -> None:
    asked: list[str] = []
    answer(QMessageBox.StandardButton.Yes, asked)
    qtbot.keyClick(dialog, Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 0, timeout=PATIENCE)
    assert store.players.all() == ()
    assert asked[0].startswith("Forget everybody for good?")
    assert dialog.summary.text().startswith("Nobody is remembered yet")
    assert not dialog.forget.isEnabled()
    assert not dialog.forget_all.isEnabled()


def test_switched_off_it_stays_off(qtbot: QtBot, dialog: KnownPlayersDialog, store: Store, tmp_path: Path) -> None:
    qtbot.keyClick(dialog.remember, Qt.Key.Key_Space)
    assert not store.players.is_on
    assert not SettingsFile(tmp_path / "soulread.ini").settings.remember_players
    assert dialog.summary.text().startswith("Switched off")
    assert store.players.known((YOU,)) == {}
    qtbot.keyClick(dialog.remember, Qt.Key.Key_Space)
    assert store.players.is_on
    assert set(store.players.known((YOU,))) == {"You"}


def test_what_another_version_learned_is_said_to_be_so() -> None:
    (row,) = known_rows([StoredPlayer(YOU, MET, KnownPlayer(500, b"of another version"))])
    assert row.texts[4:] == ("of another version", "of another version")


def test_sentences_name_one_several_or_all() -> None:
    rows = known_rows([StoredPlayer(seat, MET, known("f", 1)) for seat in (YOU, ADA)])
    assert question(rows[:1], is_all=False, is_playing=False) == "Forget You for good? It cannot be undone."
    assert question(rows, is_all=False, is_playing=False).startswith("Forget these 2 players for good?")
    assert summary(1, is_on=True).startswith("1 of at most 400 players is remembered")
    assert summary(0, is_on=False).endswith("nothing is kept of them.")


def test_the_menu_opens_it_and_the_setting_is_in_force(qtbot: QtBot, app: App) -> None:
    assert app.store.players.is_on
    app.window.menus.known_players.trigger()
    (dialog,) = app.window.findChildren(KnownPlayersDialog)
    qtbot.waitUntil(lambda: dialog.summary.text().startswith("Nobody is remembered yet"), timeout=PATIENCE)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    app.settings.change(remember_players=False)
    app.start_services()
    assert not app.store.players.is_on


# Learning from hands played before


@pytest.fixture
def with_hands(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> KnownPlayersDialog:
    """Show the dialog over a store of a session of five hands, of which nothing was learned."""
    store = Store(None)
    play_session(store, (YOU, ADA), 5, MET, 1)
    made = KnownPlayersDialog(
        store, SettingsFile(tmp_path / "soulread.ini"), jobs, lambda: False, now=lambda: MET + timedelta(days=1)
    )
    opened(qtbot, made)
    qtbot.waitUntil(lambda: made.summary.text().startswith("Nobody is remembered yet"), timeout=PATIENCE)
    return made


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def choose(qtbot: QtBot, dialog: KnownPlayersDialog, path: Path) -> None:
    """Click for a file, and choose one."""
    dialog.folder = path.parent
    click(qtbot, dialog.learn_file)
    assert choose_path(dialog, path).directory().path() == str(path.parent)


def test_stored_hands_are_learned_by_click_and_undone(qtbot: QtBot, with_hands: KnownPlayersDialog) -> None:
    dialog = with_hands
    assert not dialog.undo.isEnabled()
    assert not dialog.progress.isVisible()
    click(qtbot, dialog.learn_stored)
    qtbot.waitUntil(lambda: "more is known of 2 players" in dialog.said.text(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 2, timeout=PATIENCE)
    assert {row[0]: row[1] for row in rows_of(dialog.table)} == {"You": "your seat", ADA.name: "Calling station"}
    assert not dialog.stop.isVisible()
    click(qtbot, dialog.learn_stored)
    qtbot.waitUntil(lambda: "everything in them is known already" in dialog.said.text(), timeout=PATIENCE)
    click(qtbot, dialog.undo)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 0, timeout=PATIENCE)
    assert dialog.said.text() == "What was learned last is taken back."
    assert not dialog.undo.isEnabled()


def test_a_file_is_learned_by_click(qtbot: QtBot, with_hands: KnownPlayersDialog, tmp_path: Path) -> None:
    dialog, path = with_hands, write(tmp_path / "hands.phhs", range(6))
    choose(qtbot, dialog, path)
    qtbot.waitUntil(lambda: dialog.said.text().startswith("6 hands of hands.phhs taught"), timeout=PATIENCE)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 3, timeout=PATIENCE)
    assert {row[0]: row[1] for row in rows_of(dialog.table)} == dict.fromkeys(("Ann", "Ben", "Cleo"), "from a file")
    assert {row[3] for row in rows_of(dialog.table)} == {"15 June 2026, 20:15"}
    choose(qtbot, dialog, path)
    qtbot.waitUntil(lambda: dialog.said.text().startswith("Nothing new is in the 6 hands"), timeout=PATIENCE)


@pytest.mark.parametrize(
    ("content", "said"), [("", "There are no hands in bad.phhs."), ("[1]\nvariant = 'PO'\n", "not hold'em")]
)
def test_what_is_wrong_with_a_file_is_said(
    qtbot: QtBot, with_hands: KnownPlayersDialog, tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "bad.phhs"
    path.write_text(content, encoding="utf-8")
    choose(qtbot, with_hands, path)
    qtbot.waitUntil(lambda: said in with_hands.said.text(), timeout=PATIENCE)
    assert with_hands.learn_file.isEnabled()
    with_hands.take_file(str(tmp_path / "nowhere.phhs"))
    qtbot.waitUntil(lambda: "nowhere.phhs" in with_hands.said.text(), timeout=PATIENCE)
    assert not with_hands.undo.isEnabled()


def test_learning_is_stopped_by_click_and_nothing_has_changed(
    qtbot: QtBot, with_hands: KnownPlayersDialog, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, goes_on = with_hands, Event()

    def slow(_: Store) -> Iterator[Progress]:
        yield Progress(2, 5)
        goes_on.wait(60)
        yield Progress(5, 5, {}, lambda players: "All of it.")

    monkeypatch.setattr(known_players, "learn_stored_hands", slow)
    click(qtbot, dialog.learn_stored)
    qtbot.waitUntil(lambda: dialog.progress.text() == "2 of 5 hands", timeout=PATIENCE)
    assert dialog.said.text() == "2 hands looked at so far."
    assert not any(button.isEnabled() for button in (dialog.learn_stored, dialog.learn_file, dialog.undo))
    click(qtbot, dialog.stop)
    goes_on.set()
    qtbot.waitUntil(lambda: jobs.is_idle("learning of players"), timeout=PATIENCE)
    assert dialog.said.text() == "Stopped: nothing has changed."
    assert dialog.table.model().rowCount() == 0
    assert dialog.learn_stored.isEnabled()
    assert not dialog.stop.isVisible()


def test_closed_it_stops_learning(qtbot: QtBot, with_hands: KnownPlayersDialog, jobs: Jobs) -> None:
    click(qtbot, with_hands.learn_stored)
    qtbot.keyClick(with_hands, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: jobs.is_idle("learning of players"), timeout=PATIENCE)
    assert not with_hands.isVisible()


def test_switched_off_nothing_is_learned(qtbot: QtBot, with_hands: KnownPlayersDialog) -> None:
    qtbot.keyClick(with_hands.remember, Qt.Key.Key_Space)
    assert not with_hands.learn_stored.isEnabled()
    assert not with_hands.learn_file.isEnabled()
    qtbot.keyClick(with_hands.remember, Qt.Key.Key_Space)
    assert with_hands.learn_stored.isEnabled()
