"""What a person does to the window in tests, by real clicks and keys, and what is seen of it."""

from itertools import product
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QAbstractListModel, QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from trainer.app import App
from trainer.play.message_line import MessageLine
from trainer.play.results import ResultsDialog
from trainer.session.types import Stage

Shown = TypeVar("Shown", bound=QWidget)

PATIENCE = 300_000
"""Milliseconds to wait for: the first of anything may compile all kernels, on a busy machine."""


def opened(qtbot: QtBot, widget: Shown) -> Shown:
    """Show a widget of its own, which is closed with the test."""
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def active(qtbot: QtBot, widget: Shown, width: int, height: int) -> Shown:
    """Show a widget of its own in a size, as the window that has the keys; it is closed with the test."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


def type_into(field: QLineEdit, text: str) -> None:
    """Type a text in the place of what a field holds."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def choose_path(window: QWidget, path: Path) -> QFileDialog:
    """Choose a file or folder in the dialog that a window has just opened."""
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(path))
    dialog.close()
    return dialog


def give_name(qtbot: QtBot, window: QWidget, name: str) -> None:
    """Type a name into the dialog that a window has opened to ask for one."""
    (box,) = window.findChildren(QInputDialog)
    field = box.findChild(QLineEdit)
    type_into(field, name)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(QInputDialog))


def tool_tip(widget: QWidget, place: QPoint) -> str:
    """Give the tool tip at a place of a widget."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
    return QToolTip.text()


def texts(window: QWidget) -> list[str]:
    """Give every text of a window that a person may read or hear: on widgets, in lists and tables, in tool tips."""
    found: list[str] = []
    for widget in (window, *window.findChildren(QWidget)):
        found += [widget.windowTitle(), widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        for name in ("text", "title", "placeholderText", "toPlainText", "prefix", "suffix"):
            given = getattr(widget, name, None)
            text = given() if callable(given) else given
            found += [text] if isinstance(text, str) else []
        if isinstance(widget, QTabWidget):
            found += [widget.tabText(index) for index in range(widget.count())]
        if isinstance(widget, QAbstractItemView | QComboBox) and (model := widget.model()) is not None:
            columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
            for row, column in product(range(model.rowCount()), range(columns)):
                place = model.index(row, column)
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    found.append(str(model.data(place, role) or ""))
    found += [action.text() for action in window.findChildren(QAction)]
    return [text for text in found if text]


def shown_labels(window: QWidget) -> str:
    """Return what the labels say that can be seen, a line for each."""
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def rows_of(view: QAbstractItemView | None) -> list[list[str]]:
    """Return the texts of all cells of a table, row by row."""
    assert view is not None
    model = view.model()
    cells = [[model.index(row, column) for column in range(model.columnCount())] for row in range(model.rowCount())]
    return [[str(cell.data()) for cell in row] for row in cells]


def menu_entry(window: QWidget, text: str) -> QAction:
    """Return the one entry of the menus that begins with a text."""
    found = [entry for entry in window.findChildren(QAction) if entry.text().replace("&", "").startswith(text)]
    assert len(found) == 1, text
    return found[0]


def shown_results(app: App) -> list[ResultsDialog]:
    return [dialog for dialog in app.window.findChildren(ResultsDialog) if dialog.isVisible()]


def wait_for_stage(qtbot: QtBot, app: App, *stages: Stage) -> None:
    """Wait until the session is at one of some stages."""
    qtbot.waitUntil(lambda: app.session is not None and app.session.stage in stages, timeout=PATIENCE)


def wait_until_read(qtbot: QtBot, app: App) -> None:
    """Wait until no panel is about to change."""
    qtbot.waitUntil(lambda: app.session is not None and app.session.readings.is_idle, timeout=PATIENCE)


def shown_text(line: MessageLine) -> str:
    """Return what the line above the table shows, a line for each sentence."""
    return "\n".join(sentence.text for sentence in line._shown()) or line._usual.text()


def shown_button(line: MessageLine) -> QPushButton:
    """Return the button of the newest sentence shown that has one."""
    return next(sentence.button for sentence in reversed(line._shown()) if sentence.asks)


def wait_for_message(qtbot: QtBot, app: App, text: str) -> None:
    """Wait until the line above the table holds a text; what the engine prepares meanwhile stands there too."""
    qtbot.waitUntil(lambda: text in shown_text(app.window.message), timeout=PATIENCE)


def press(qtbot: QtBot, app: App, key: Qt.Key) -> None:
    """Press a key as soon as the guard against slips allows it, so until something happens."""
    assert app.session is not None
    app.window.activateWindow()  # no window manager does it when a dialog closes
    before = (app.session.stage, app.session.progress)

    def changed() -> bool:
        assert app.session is not None
        if (app.session.stage, app.session.progress) != before:
            return True
        qtbot.keyClick(app.window, key)
        return False

    qtbot.waitUntil(changed, timeout=PATIENCE)


def play_out(qtbot: QtBot, app: App, key: Qt.Key = Qt.Key.Key_F) -> None:
    """Play the hand on the table to its end by pressing one key."""
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    while app.session is not None and app.session.stage != Stage.HAND_OVER:
        press(qtbot, app, key)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)


def strike(app: App, keys: str | Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press keys at the window that has them, so that they go wherever the focus was left there."""
    for key in [keys] if isinstance(keys, Qt.Key) else [Qt.Key(ord(sign.upper())) for sign in keys]:
        dialog = QGuiApplication.modalWindow()
        if dialog is None and QApplication.activeWindow() is not app.window:
            app.window.activateWindow()  # no window manager does it when a dialog closes
        QTest.keyClick(dialog or app.window.windowHandle(), key, modifier)


def click(widget: QWidget, place: QPoint | None = None) -> None:
    """Click where a widget is in its window, whatever lies there."""
    window = widget.window().windowHandle()
    middle = widget.rect().center() if place is None else place
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=widget.mapTo(widget.window(), middle))


def choose_by_keys(box: QComboBox, text: str) -> None:
    """Choose an entry by the keys, from the first one on."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text
