"""Notes on players: asked for at their seats, kept, and shown there."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import PATIENCE
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.play.table import SeatButton
from trainer.storage.store import Store

WAIT = 20_000


def begin(qtbot: QtBot, app: App) -> SeatButton:
    """Begin a game, and give the first opponent's seat."""
    app.begin(table("calling station", "fold", seed=4))
    qtbot.waitUntil(lambda: app.window.model.view is not None, timeout=PATIENCE)
    return seats(app)[1]


def seats(app: App) -> list[SeatButton]:
    """Give the seats, the own one first."""
    assert app.session is not None
    hero = app.session.hero
    return sorted(app.window.table.findChildren(SeatButton), key=lambda one: one.seat != hero)


def menu_at(seat: SeatButton, reason: QContextMenuEvent.Reason) -> QMenu:
    place = seat.rect().center()
    QApplication.sendEvent(seat, QContextMenuEvent(reason, place, seat.mapToGlobal(place)))
    return seat.findChildren(QMenu)[-1]


def write(qtbot: QtBot, app: App, seat: SeatButton, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    """Choose the note in the seat's menu by its letter, replace it, and go on to the button by Tab."""
    menu = menu_at(seat, QContextMenuEvent.Reason.Keyboard)
    qtbot.keyClick(menu, Qt.Key.Key_N)
    dialog = app.window.findChild(QInputDialog)
    field = dialog.findChild(QPlainTextEdit)
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
    if key == Qt.Key.Key_Return:
        QTest.keyClick(field, Qt.Key.Key_Tab)
    QTest.keyClick(dialog.focusWidget(), key)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=WAIT)


def marked_pixels(app: App, seat: SeatButton) -> int:
    """Count the pixels of a seat in the colour of a note's corner, which the ring of who is to act has, too."""
    image = app.window.table.grab().toImage()
    chip, area = QColor(app.theme.theme.chip), seat.geometry()
    places = ((x, y) for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom()))
    return sum(image.pixelColor(x, y) == chip for x, y in places)


def test_a_note_is_written_by_keys_and_stands_at_the_seat(qtbot: QtBot, app: App) -> None:
    seat = begin(qtbot, app)
    assert app.session is not None
    assert app.session.config is not None
    name = app.session.config.seats[seat.seat].name
    assert "Note:" not in seat.toolTip()
    before = marked_pixels(app, seat)
    write(qtbot, app, seat, "calls with any pair")
    assert app.window.notes.by_name == {name: "calls with any pair"}
    assert "Note: calls with any pair" in seat.toolTip()
    assert "Note: calls with any pair" in seat.accessibleDescription()
    assert marked_pixels(app, seat) > before + 40
    qtbot.waitUntil(lambda: app.jobs.is_idle("notes on players"), timeout=WAIT)
    write(qtbot, app, seat, "folds", Qt.Key.Key_Escape)
    assert app.window.notes.by_name == {name: "calls with any pair"}
    write(qtbot, app, seat, "")
    assert app.window.notes.by_name == {}
    assert marked_pixels(app, seat) == before


def test_notes_come_back_at_the_next_start(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    seat = begin(qtbot, app)
    app.window.notes.write("Ann", "3-bets light")
    app.window.notes.write("Bob", "x")
    app.window.notes.write("Bob", "  ")
    long = "folds\n" * 2_000
    app.window.notes.write("Cid", long)
    write(qtbot, app, seat, "<b>bold</b>")
    assert "&lt;b&gt;bold" in seat.toolTip()
    qtbot.waitUntil(lambda: app.jobs.is_idle("notes on players"), timeout=WAIT)
    app.close()
    again = App(tmp_path / "soulread.ini", tmp_path / "soulread.db", tmp_path / "again.log", "0")
    with qtbot.waitSignal(again.window.notes.changed, timeout=PATIENCE):
        again.start_services()
    assert again.window.notes.by_name["Ann"] == "3-bets light"
    assert again.window.notes.by_name["Cid"] == long.strip(), "whatever is written is kept"
    assert "Bob" not in again.window.notes.by_name
    again.close()


def test_of_a_long_note_the_beginning_is_shown(qtbot: QtBot, app: App) -> None:
    seat = begin(qtbot, app)
    assert app.session is not None
    assert app.session.config is not None
    app.window.notes.write(app.session.config.seats[seat.seat].name, "word " * 10_000)
    assert "word word" in seat.toolTip()
    assert "…" in seat.toolTip()
    assert len(seat.toolTip()) < 3_000


def test_the_own_seat_has_no_note(qtbot: QtBot, app: App) -> None:
    begin(qtbot, app)
    own = seats(app)[0]
    place = own.rect().center()
    QApplication.sendEvent(own, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, own.mapToGlobal(place)))
    assert own.findChildren(QMenu) == []


def test_a_note_that_cannot_be_kept_is_said(qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(qtbot, app)
    store: Store = app.store
    store.close()
    with qtbot.waitSignal(app.window.notes.notice, timeout=WAIT) as said:
        app.window.notes.write("Ann", "3-bets light")
    assert said.args[0].startswith("Notes on players are not kept: ")
