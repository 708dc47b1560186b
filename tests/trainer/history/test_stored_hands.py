"""The dialog of the stored hands, by mouse and keys, over a real store."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import PATIENCE, choose_path, opened, rows_of
from tests.trainer.storage.test_store import make_full
from trainer.app import App
from trainer.history.stored_hands import StoredHandsDialog
from trainer.history.stored_hands_model import HEADINGS, StoredRow, megabytes, question, stored_rows, summary
from trainer.jobs import Jobs
from trainer.settings import SettingsFile
from trainer.storage.store import MEGABYTE, Store
from trainer.storage.stored import StoredSession, Venue


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    make_full(tmp_path / "soulread.db", hands=40)
    made = Store(tmp_path / "soulread.db")
    yield made
    made.close()


@pytest.fixture
def dialog(qtbot: QtBot, jobs: Jobs, store: Store, tmp_path: Path) -> StoredHandsDialog:
    """Session 2 is on the table."""
    made = StoredHandsDialog(store, SettingsFile(tmp_path / "soulread.ini"), jobs, lambda: 2)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: made.table.model().rowCount() == 2, timeout=PATIENCE)
    return made


def click_row(qtbot: QtBot, dialog: StoredHandsDialog, row: int) -> None:
    place = dialog.table.visualRect(dialog.table.model().index(row, 0)).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def answer(button: QMessageBox.StandardButton, asked: list[str]) -> None:
    """Click a button of the question that is about to be asked."""

    def click() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.text())
        box.button(button).click()

    QTimer.singleShot(0, click)


def choose_file(qtbot: QtBot, dialog: StoredHandsDialog, button: QPushButton, path: Path) -> None:
    """Click a button and choose a file in the dialog that it opens."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    choose_path(dialog, path)


def test_hands_are_backed_up_and_restored_at_the_next_start(
    qtbot: QtBot, dialog: StoredHandsDialog, store: Store, tmp_path: Path
) -> None:
    backup = tmp_path / "my hands.db"
    choose_file(qtbot, dialog, dialog.back_up, backup)
    qtbot.waitUntil(lambda: dialog.said.text().startswith("Copied into my hands.db, "), timeout=PATIENCE)
    choose_file(qtbot, dialog, dialog.restore, tmp_path / "soulread.ini")
    qtbot.waitUntil(lambda: "There is no file" in dialog.said.text(), timeout=PATIENCE)
    store.delete_sessions([1])
    choose_file(qtbot, dialog, dialog.restore, backup)
    qtbot.waitUntil(
        lambda: dialog.said.text().startswith(
            "80 hands of 2 sessions will be there when Soulread is started next."
        ),
        timeout=PATIENCE,
    )
    assert [one.session_id for one in store.sessions()] == [2]
    store.close()
    again = Store(tmp_path / "soulread.db")
    assert len(again.sessions()) == 2
    again.close()


def test_sessions_are_listed_with_what_they_take(dialog: StoredHandsDialog, store: Store) -> None:
    assert rows_of(dialog.table)[0][:5] == ["17 May 2024, 20:15", "here", "2", "40", "on the table"]
    assert rows_of(dialog.table)[1][:5] == ["17 May 2024, 20:15", "here", "2", "40", "can be resumed"]
    assert rows_of(dialog.table)[1][5] == megabytes(store.sizes()[1])
    assert dialog.summary.text().startswith(f"The stored hands take {megabytes(store.file.size)} of 500 MB.")


def test_every_column_is_in_sight_whatever_a_table_is_called(
    qtbot: QtBot, jobs: Jobs, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = store.sessions()
    long = replace(first, venue=Venue("PokerStars", "", table="A table with a name of no end " * 2))
    monkeypatch.setattr(store, "sessions", lambda: (long, *others))
    dialog = StoredHandsDialog(store, SettingsFile(tmp_path / "soulread.ini"), jobs, lambda: None)
    opened(qtbot, dialog)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 2, timeout=PATIENCE)
    header, last = dialog.table.horizontalHeader(), len(HEADINGS) - 1
    end = header.sectionViewportPosition(last) + header.sectionSize(last)
    assert end <= dialog.table.viewport().width()
    played = dialog.table.model().index(0, HEADINGS.index("Played"))
    assert played.data(Qt.ItemDataRole.ToolTipRole) == played.data() == long.venue.title


def test_a_chosen_session_is_deleted_after_one_question(
    qtbot: QtBot, dialog: StoredHandsDialog, store: Store
) -> None:
    before = store.file.size
    assert not dialog.delete.isEnabled()
    click_row(qtbot, dialog, 0)
    assert not dialog.delete.isEnabled(), "the one on the table cannot be"
    click_row(qtbot, dialog, 1)
    assert dialog.delete.isEnabled()
    asked: list[str] = []
    answer(QMessageBox.StandardButton.No, asked)
    qtbot.mouseClick(dialog.delete, Qt.MouseButton.LeftButton)
    assert len(store.sessions()) == 2
    answer(QMessageBox.StandardButton.Yes, asked)
    qtbot.mouseClick(dialog.delete, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 1, timeout=PATIENCE)
    assert len(set(asked)) == 1
    assert asked[0].startswith("Delete this session for good, 40 hands in ")
    assert [session.session_id for session in store.sessions()] == [2]
    assert store.file.size < 0.7 * before
    assert megabytes(store.file.size) in dialog.summary.text()


def test_the_limit_is_in_force_at_once_and_is_kept(
    qtbot: QtBot, dialog: StoredHandsDialog, store: Store, tmp_path: Path
) -> None:
    dialog.limit.setFocus()
    dialog.limit.selectAll()
    qtbot.keyClicks(dialog.limit, "12")
    qtbot.keyClick(dialog.limit, Qt.Key.Key_Tab)
    assert store.limit == 12 * MEGABYTE
    assert SettingsFile(tmp_path / "soulread.ini").settings.stored_megabytes == 12
    assert "of 12 MB" in dialog.summary.text()


def test_the_menu_opens_it(qtbot: QtBot, app: App) -> None:
    (action,) = (
        one for one in app.window.findChildren(type(app.window.menus.resume)) if one.text() == "Stored &hands…"
    )
    action.trigger()
    (dialog,) = app.window.findChildren(StoredHandsDialog)
    qtbot.waitUntil(lambda: "of 500 MB" in dialog.summary.text(), timeout=PATIENCE)
    assert app.store.limit == 500 * MEGABYTE
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_what_is_deleted_there_can_be_looked_at_no_longer(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    app.close()
    make_full(tmp_path / "soulread.db", hands=3)
    again = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "soulread.log", "0")
    qtbot.addWidget(again.window)
    with qtbot.waitSignal(again.ready, timeout=PATIENCE):
        again.start_services()
    choices = again.window.looked_at
    qtbot.waitUntil(lambda: len(choices.past.sessions) == 2, timeout=PATIENCE)
    again.open_stored_hands()
    (dialog,) = again.window.findChildren(StoredHandsDialog)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 2, timeout=PATIENCE)
    click_row(qtbot, dialog, 0)
    answer(QMessageBox.StandardButton.Yes, [])
    qtbot.mouseClick(dialog.delete, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.table.model().rowCount() == 1, timeout=PATIENCE)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(choices.past.sessions) == 1, timeout=PATIENCE)
    again.close()


def test_words() -> None:
    assert megabytes(0) == "0.0 MB"
    assert megabytes(4_567) == "<0.1 MB"
    assert megabytes(1_234_567) == "1.2 MB"
    assert megabytes(1_234_567_890) == "1,235 MB"
    assert "but not why the bots act" in summary(500 * MEGABYTE, 500 * MEGABYTE, is_kept=True)
    assert "nothing is ever deleted by itself" in summary(5, 500 * MEGABYTE, is_kept=True)
    assert summary(5, 500, is_kept=False) == "Nothing is stored just now."
    rows = [StoredRow(number, (), 1, MEGABYTE, is_on_table=False) for number in (1, 2)]
    assert question(rows) == "Delete these 2 sessions for good, 2 hands in 2.0 MB? It cannot be undone."
    assert question(rows[:1]).startswith("Delete this session for good, 1 hand in")
    damaged = StoredSession(3, datetime(2024, 5, 17), b"{", b"", 7, is_finished=True)
    (row,) = stored_rows([damaged], {}, None)
    assert row.texts[1:] == ("here", "damaged", "7", "yes", "0.0 MB")
