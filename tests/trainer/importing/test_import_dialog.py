"""Importing hands in the window: files, a folder, pasted text and what is dropped, by mouse and keys."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QMimeData, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.game.phh import SkippedCount
from tests.engine.hand_histories.test_acpc_log import PLURIBUS
from tests.engine.hand_histories.told_hands import MISSED_BLINDS, RUN_TWICE, SIDE_POTS, SITTING_OUT
from tests.trainer.gestures import PATIENCE, opened
from trainer.app import App
from trainer.importing import import_dialog
from trainer.importing.import_dialog import ImportDialog
from trainer.importing.run import ImportReport, OriginReport, import_files, reason_lines, summary
from trainer.jobs import Jobs
from trainer.storage.imports import ImportStore
from trainer.storage.notes import HandNote
from trainer.storage.store import Store


@pytest.fixture
def dialog(qtbot: QtBot, jobs: Jobs, store: Store) -> ImportDialog:
    made = ImportDialog(store, jobs)
    opened(qtbot, made)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "one.txt").write_text("\ufeff" + RUN_TWICE + "\n\n" + SITTING_OUT, encoding="utf-8")
    (tmp_path / "deep" / "two.txt").write_text(MISSED_BLINDS.replace("\n", "\r\n"), encoding="utf-16")
    (tmp_path / "deep" / "letter.txt").write_text("Dear Ann, no hand is in this.", encoding="utf-8")
    return tmp_path


def drop(widget: QWidget, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at, action = QPointF(10, 10), Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at.toPoint(), action, data, buttons, keys)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(at, action, data, buttons, keys))


def is_idle(dialog: ImportDialog) -> bool:
    return dialog.files.isEnabled() and not dialog.stop.isVisible()


def rows(dialog: ImportDialog) -> list[list[str]]:
    model = dialog.origins.model()
    return [[model.index(at, of).data() for of in range(model.columnCount())] for at in range(model.rowCount())]


def test_it_opens_no_higher_than_a_low_screen(
    qtbot: QtBot, jobs: Jobs, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trainer.theme.room_on_screen", lambda _window: QSize(1083, 574))
    dialog = opened(qtbot, ImportDialog(store, jobs))
    assert dialog.height() <= 574


def test_a_folder_that_is_dropped_is_imported_once(
    qtbot: QtBot, dialog: ImportDialog, store: Store, folder: Path
) -> None:
    drop(dialog, [folder])
    qtbot.waitUntil(lambda: is_idle(dialog), timeout=PATIENCE)
    assert dialog.said.text() == "3 new hands, 1 left out; 3 of 3 files."
    assert rows(dialog) == [
        ["Unknown", "1", "0", "0", "0", "0", "1"],
        ["Full Tilt", "1", "1", "0", "0", "0", "0"],
        ["GGPoker", "1", "1", "0", "0", "0", "0"],
        ["PokerStars", "1", "1", "0", "0", "0", "0"],
    ]
    assert dialog.reasons.model().index(0, 1).data() == "It is no hand history of a kind that is known here."
    drop(dialog, [folder])
    qtbot.waitUntil(lambda: is_idle(dialog), timeout=PATIENCE)
    assert dialog.said.text() == "0 new hands, 3 stored before, 1 left out; 3 of 3 files."
    assert sum(session.hands for session in store.sessions()) == 3


def test_text_is_pasted_by_its_key(qtbot: QtBot, dialog: ImportDialog, store: Store) -> None:
    QGuiApplication.clipboard().setText(RUN_TWICE)
    qtbot.keyClick(dialog, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.said.text().startswith("1 new hand;"), timeout=PATIENCE)
    QGuiApplication.clipboard().setText(" ")
    qtbot.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    assert dialog.said.text() == "There is no text on the clipboard."
    (session,) = store.sessions()
    assert session.hands == 1


def test_whose_hands_they_are_is_asked_once(qtbot: QtBot, dialog: ImportDialog, store: Store) -> None:
    QGuiApplication.clipboard().setText(SIDE_POTS)
    qtbot.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.question.isVisible, timeout=PATIENCE)
    assert dialog.said.text() == "1 new hand (1 watched); 1 of 1 file."
    assert rows(dialog) == [["PokerStars", "1", "1", "1", "0", "0", "0"]]
    (watched,) = store.sessions()
    store.notes.set(1, HandNote("Look at the river."))
    assert dialog.question.text().startswith("Are hands of PokerStars yours? The text gives them to nobody.")
    assert {dialog.owner.itemText(at) for at in range(dialog.owner.count())} == {
        "CrSilva.11",
        "Lenorina",
        "mofdis",
        "templargio",
    }
    dialog.owner.setFocus()
    dialog.owner.lineEdit().selectAll()
    qtbot.keyClicks(dialog.owner, "Lenorina")
    qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "yours now" in dialog.said.text(), timeout=PATIENCE)
    assert dialog.said.text() == "0 new hands, 1 watched before and yours now; 1 of 1 file."
    assert rows(dialog) == [["PokerStars", "1", "0", "0", "1", "0", "0"]]
    assert not dialog.question.isVisible()
    (session,) = store.sessions()
    assert session.session_id != watched.session_id
    (hand,) = store.hands(session.session_id)
    assert hand.final_observation().me.name == "Lenorina"
    assert store.notes.note(hand.hand_id) == HandNote("Look at the river.")
    store.delete_sessions([session.session_id])
    qtbot.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_idle(dialog) and bool(store.sessions()), timeout=PATIENCE)


def test_each_site_is_asked_about_once_and_need_be_nobodys(
    qtbot: QtBot, dialog: ImportDialog, store: Store, tmp_path: Path
) -> None:
    """An answer leads to the next site, also where other hands of that one stay watched."""
    others = SIDE_POTS.replace("85998509763", "85998509764").replace("Lenorina", "Ann")
    (tmp_path / "stars.txt").write_text(SIDE_POTS + "\n\n" + others, encoding="utf-8")
    (tmp_path / "match.log").write_text(PLURIBUS, encoding="utf-8")
    drop(dialog, [tmp_path])
    qtbot.waitUntil(dialog.question.isVisible, timeout=PATIENCE)
    assert dialog.question.text().startswith("Are hands of ACPC yours?")
    qtbot.mouseClick(dialog.none, Qt.MouseButton.LeftButton)
    assert dialog.question.text().startswith("Are hands of PokerStars yours?")
    dialog.owner.setFocus()
    dialog.owner.lineEdit().selectAll()
    qtbot.keyClicks(dialog.owner, "Ann")
    qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: "1 watched before and yours now, 2 stored before" in dialog.said.text(), timeout=PATIENCE
    )
    assert is_idle(dialog)
    assert not dialog.question.isVisible()
    assert sorted(one.venue.hero for one in store.sessions() if one.venue is not None) == ["", "", "Ann"]
    drop(dialog, [tmp_path])
    qtbot.waitUntil(dialog.question.isVisible, timeout=PATIENCE)


def test_an_import_that_is_stopped_keeps_what_it_has(
    qtbot: QtBot, dialog: ImportDialog, store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(
        paths: Sequence[Path], imports: ImportStore, owners: Mapping[str, Collection[str]]
    ) -> Iterator[ImportReport]:
        (*_, last) = import_files(paths, imports, owners)
        while True:
            yield structs.replace(last, is_done=False)

    monkeypatch.setattr(import_dialog, "import_files", endless)
    drop(dialog, [folder])
    qtbot.waitUntil(lambda: dialog.said.text().startswith("3 new hands"), timeout=PATIENCE)
    assert dialog.stop.isVisible()
    assert not dialog.files.isEnabled()
    with qtbot.waitSignal(dialog.hands_imported):
        qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    assert dialog.said.text().startswith(
        "Stopped; what is imported stays, and importing again goes on. 3 new hands"
    )
    assert is_idle(dialog)
    assert sum(session.hands for session in store.sessions()) == 3


def test_what_cannot_be_read_is_said(qtbot: QtBot, dialog: ImportDialog, tmp_path: Path) -> None:
    dialog.take_paths([tmp_path / "gone.txt"])
    qtbot.waitUntil(lambda: "There is no file" in dialog.said.text(), timeout=PATIENCE)
    assert is_idle(dialog)


def test_imported_hands_are_listed_and_replayed_in_the_app(qtbot: QtBot, app: App, folder: Path) -> None:
    drop(app.window, [folder])
    dialog = app._importing
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.said.text().startswith("3 new hands"), timeout=PATIENCE)
    qtbot.mouseClick(dialog.show_hands, Qt.MouseButton.LeftButton)
    listed = app.window.played_hands
    assert listed is not None
    qtbot.waitUntil(lambda: listed.view.model().rowCount() == 3, timeout=PATIENCE)
    qtbot.waitUntil(lambda: listed.site.count() == 5, timeout=PATIENCE)
    for key, count in ((Qt.Key.Key_G, 1), (Qt.Key.Key_Home, 3), (Qt.Key.Key_Down, 0), (Qt.Key.Key_Home, 3)):
        qtbot.keyClick(listed.site, key)  # GGPoker, any site, played here
        qtbot.waitUntil(lambda: listed.view.model().rowCount() == count, timeout=PATIENCE)  # noqa: B023
    listed.view.setCurrentIndex(listed.view.model().index(0, 0))
    listed.open_current()
    qtbot.waitUntil(lambda: app.window.replaying.is_on, timeout=PATIENCE)
    shown = app.window.looked_at.past.chosen
    assert shown is not None
    assert shown.venue is not None, "it is an imported one"
    about = app.window.replaying.view.bar.about
    assert about.isVisible()
    assert about.text().startswith(shown.venue.title)
    assert ("the second board was: Js 9h Jh Qs 5h" in about.text()) == (shown.venue.currency == "EUR")
    dialog.close()
    app.window.menus.import_hands.trigger()
    assert dialog.isVisible()


def test_sentences_count() -> None:
    report = ImportReport(
        2, 1, (OriginReport("A", 1, 1, 1, 2, 0, 2, 1),), (SkippedCount("Why.", 3, "x"),), {}, 2.0, True
    )
    assert (report.new, report.watched, report.turned, report.known) == (1, 1, 2, 0)
    assert (report.left_out, report.read) == (3, 6)
    said = "1 new hand (1 watched), 2 watched before and yours now, 3 left out; 1 of 2 files, 3 a second."
    assert summary(report) == said
    assert reason_lines(report.reasons) == ("3: Why. (x)",)
