"""Nothing is cut, whatever the size of the window: every visible widget of it is looked at."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDockWidget,
    QLabel,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.agents.calibration import JudgedPoint, TableTally
from engine.game.format_file import cash_game
from tests.trainer import samples
from tests.trainer.gestures import PATIENCE, strike, wait_for_stage, wait_until_read
from trainer import help as help_module
from trainer import theme as theme_module
from trainer.app import App
from trainer.new_game import dialog as new_game_module
from trainer.new_game.seats_box import default_seats
from trainer.play.table import SeatButton
from trainer.reading.range_tiles import RangeTile
from trainer.reading.read_panel import ReadPanel
from trainer.session.types import Stage
from trainer.theme import ThemeSource
from trainer.window.main_window import MainWindow

FRAME = QSize(16, 40)  # what a window manager takes of a screen, title bar included
SMALL, USUAL, LARGE = QSize(1024, 640) - FRAME, QSize(1280, 720) - FRAME, QSize(2560, 1440) - FRAME


def cut(window: QWidget) -> list[str]:
    """Give what cannot be seen in full: too small for its text, out of its parent, or under another widget."""
    QApplication.processEvents()
    found = [line for widget in window.findChildren(QWidget) if is_shown(widget) for line in problems(widget)]
    return [*found, *(f"{named(one)} lies on {named(other)}" for one, other in overlaps(window))]


def is_shown(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def named(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""
    return f"{type(widget).__name__} '{widget.accessibleName() or text or widget.objectName()}'"


def problems(widget: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    if widget.isWindow() or parent is None:
        return
    if not scrolls(parent) and not parent.rect().contains(widget.geometry()):
        yield f"{named(widget)} at {widget.geometry()} is out of {named(parent)} {parent.size()}"
    elif isinstance(parent.parentWidget(), QScrollArea) and widget.geometry().right() > parent.width():
        yield f"{named(widget)} is wider than what scrolls {parent.size()}"
    if isinstance(widget, QLabel):
        yield from label_problems(widget)
    elif isinstance(widget, QLineEdit | QAbstractButton | QComboBox):
        yield from control_problems(widget)
    elif not isinstance(widget, QProgressBar):
        explicit, hint = widget.minimumSize(), widget.minimumSizeHint()
        least = QSize(explicit.width() or hint.width(), explicit.height() or hint.height())
        if widget.width() < least.width() or widget.height() < least.height():
            yield f"{named(widget)} has {widget.size()} where it needs {least}"


def control_problems(widget: QLineEdit | QAbstractButton | QComboBox) -> Iterator[str]:
    """Look at the text of a control; that of a long line of input scrolls."""
    metrics = widget.fontMetrics()
    text = (
        widget.currentText()
        if isinstance(widget, QComboBox)
        else ""
        if isinstance(widget, QLineEdit)
        else widget.text()
    )
    room = widget.width() - 4
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, widget).width()
    elif isinstance(widget, QCheckBox):
        room -= widget.sizeHint().width() - metrics.horizontalAdvance(text.replace("&", "")) - 4
    if metrics.horizontalAdvance(text.replace("&", "")) > room and text != widget.toolTip():
        yield f"{named(widget)} cuts '{text}'"
    if text and metrics.height() > widget.height():
        yield f"{named(widget)} is {widget.height()} high"


def label_problems(label: QLabel) -> Iterator[str]:
    room = label.contentsRect().size()
    if not label.text():
        return
    if label.wordWrap():
        if label.heightForWidth(label.width()) > label.height():
            yield f"{named(label)}: {label.text()!r} needs {label.heightForWidth(label.width())} of {label.size()}"
    elif label.sizeHint().width() > label.width() or label.fontMetrics().height() > room.height():
        yield f"{named(label)}: {label.text()!r} needs {label.sizeHint()} of {label.size()}"


def scrolls(widget: QWidget) -> bool:
    area = widget.parentWidget()
    return isinstance(area, QAbstractScrollArea) and area.viewport() is widget


def overlaps(window: QWidget) -> Iterator[tuple[QWidget, QWidget]]:
    for parent in [window, *window.findChildren(QWidget)]:
        if not is_shown(parent):
            continue
        children = [
            child
            for child in parent.children()
            if isinstance(child, QWidget) and is_shown(child) and not child.isWindow() and not is_lid(child)
        ]
        for one, other in combinations(children, 2):
            if common(one, other):
                yield one, other


def is_lid(widget: QWidget) -> bool:
    """Tell whether it lies on something by intention: seats on the table, the corners and bars of what scrolls."""
    parent = widget.parentWidget()
    return isinstance(widget, SeatButton) or isinstance(parent, QAbstractScrollArea | QTabBar | QComboBox)


def common(one: QWidget, other: QWidget) -> bool:
    shared: QRect = one.geometry().intersected(other.geometry())
    return shared.width() > 1 and shared.height() > 1


@pytest.fixture
def window(qtbot: QtBot, app: App) -> MainWindow:
    return app.window


def sized(qtbot: QtBot, window: QWidget, size: QSize) -> None:
    window.resize(size)
    qtbot.waitUntil(lambda: window.size() == size)
    if isinstance(window, MainWindow):
        window.docks.arrange()


def begin(qtbot: QtBot, app: App, seats: int) -> None:
    app.begin(cash_game(default_seats(seats), seed=5))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    wait_until_read(qtbot, app)


@pytest.mark.every(3)
@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE], ids=["small", "usual", "large"])
@pytest.mark.parametrize("seats", [2, 6, 10])
def test_nothing_of_the_main_window_is_cut(
    qtbot: QtBot, app: App, window: MainWindow, size: QSize, seats: int
) -> None:
    sized(qtbot, window, size)
    begin(qtbot, app, seats)
    assert window.size() == size, "nothing asks for more room"
    assert not (left := cut(window)), "\n".join(left)
    for name in ("reasoning", "log", "ranges"):
        dock = window.findChild(QDockWidget, name)
        dock.raise_()
        qtbot.waitUntil(lambda dock=dock: is_shown(dock.widget()))
        assert not (left := cut(window)), "\n".join([name, *left])
    for seat in [*window.panels.read_panel.model.ranges][:1]:
        window.panels.read_panel.open_seat(seat)
    assert not (left := cut(window)), "\n".join(left)
    window.message.say("A sentence about something that went wrong in /a/long/path/of/folders/to/a/file.db. " * 3)
    window.message.say("Another one?", "&Yes")
    assert not (left := cut(window)), "\n".join(left)


@pytest.mark.parametrize("units", ["chips", "big blinds"])
def test_what_asks_before_a_big_bet_is_read_whole_in_a_small_window(
    qtbot: QtBot, app: App, window: MainWindow, units: str
) -> None:
    sized(qtbot, window, SMALL)
    app.begin(cash_game(default_seats(2), seed=5))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    window.menus.confirm.setChecked(True)
    window.menus.units.setChecked(units == "big blinds")
    bar = window.action_bar
    qtbot.waitUntil(bar._fold.isEnabled)
    asked = bar._prompt
    for amount in ("7123", "9900", "10000") if units == "chips" else ("71.23", "99.5", "100"):
        strike(app, f"{amount}R")
        assert "Esc takes it back" in asked.text()
        assert asked.fontMetrics().horizontalAdvance(asked.text()) <= asked.width(), asked.text()
        strike(app, Qt.Key.Key_Escape)
        strike(app, Qt.Key.Key_Escape)


@pytest.mark.every(3)
@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE], ids=["small", "usual", "large"])
def test_nothing_of_the_calculator_is_cut(qtbot: QtBot, app: App, window: MainWindow, size: QSize) -> None:
    sized(qtbot, window, size)
    odds = window.odds.open()
    odds.model.entry.set_question(["AhKh", "22+,A2s+,KTs+", "QQ"], "Kc 7h 2h", pot=600, to_call=200)
    sized(qtbot, odds, size)
    for tab in range(odds.panels.count()):
        odds.panels.setCurrentIndex(tab)
        qtbot.waitUntil(lambda: not odds.model.run.is_busy, timeout=PATIENCE)
        assert not (left := cut(odds)), "\n".join([odds.panels.tabText(tab), *left])


def test_what_is_typed_into_a_small_calculator_and_what_is_wrong_with_it_are_read_whole(
    qtbot: QtBot, app: App, window: MainWindow
) -> None:
    odds = window.odds.open()
    sized(qtbot, odds, SMALL)
    row, board = odds.players.rows[0], odds.board
    five = "Ks 7d 2h 9c 3s"
    needed = board.field.fontMetrics().horizontalAdvance(five) + 10
    qtbot.waitUntil(lambda: board.field.width() > needed)
    QTest.keyClicks(row.field, "QQ+, AKs, A5s-A2s, KQs, JTs-T9")
    QTest.keyClicks(board.field, f"{five} 4h")
    qtbot.waitUntil(lambda: board.message.isVisible() and row.message.isVisible())
    for message, word in ((row.message, "JTs-T9"), (board.message, "room for 5 cards")):
        assert word in message.text()
        assert "…" not in message.text()
    assert not (left := cut(odds)), "\n".join(left)


@pytest.mark.every(2)
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_nothing_of_the_dialogs_is_cut(
    qtbot: QtBot, app: App, window: MainWindow, size: QSize, monkeypatch: pytest.MonkeyPatch
) -> None:
    sized(qtbot, window, size)
    begin(qtbot, app, 10)
    monkeypatch.setattr(theme_module, "_is_in_memory", lambda: False)
    monkeypatch.setattr(theme_module, "room_on_screen", lambda _window: size)
    for module in (help_module, new_game_module):
        monkeypatch.setattr(module, "room_on_screen", lambda _window: size)
    figures = TableTally("learned")
    for number in range(1, 61):
        figures = figures.add(
            number, [(street, JudgedPoint(0.0001, 0.95)) for street in ("preflop", "flop", "turn", "river")]
        )
    window.panels.read_panel.show_tallies([figures])
    openers = (
        window.open_new_game,
        window.dialogs.open_styles,
        window._on_results,
        window.help.open_keys,
        window.help.open_about,
        window.help.open_fair_deals_page,
        app.open_fair_deals,
    )
    for opener in (*openers, window.panels.read_panel._on_sure_clicked):
        opener()
        dialog = next(top for top in QApplication.topLevelWidgets() if isinstance(top, QDialog) and top.isVisible())
        QApplication.processEvents()
        assert dialog.height() <= size.height()
        assert not (left := cut(dialog)), "\n".join(left)
        dialog.close()
        QApplication.processEvents()


def test_no_tabs_of_an_earlier_layout_stay_in_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.docks.arrange()
    QApplication.processEvents()
    bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window and is_shown(bar)]
    assert [[bar.tabText(at) for at in range(bar.count())] for bar in bars] == [["Ranges", "Reasoning", "Log"]]


def test_text_grows_with_the_window_and_shrinks_back(qtbot: QtBot, window: MainWindow) -> None:
    def heights() -> list[int]:
        widgets = (
            window.message,
            window.panels.read_panel._point,
            window.action_bar,
            window.welcome,
            window.panels.log,
        )
        return [widget.fontMetrics().height() for widget in widgets]

    sized(qtbot, window, USUAL)
    before = heights()
    sized(qtbot, window, LARGE)
    qtbot.waitUntil(lambda: all(now > 1.3 * then for now, then in zip(heights(), before, strict=True)))
    sized(qtbot, window, USUAL)
    qtbot.waitUntil(lambda: heights() == before)


@pytest.mark.every(4)
@pytest.mark.parametrize("size", [(418, 330), (400, 300), (525, 400), (500, 620), (700, 700), (1060, 1000)])
@pytest.mark.parametrize("opponents", [1, 2, 5])
def test_enlarging_a_grid_never_makes_it_smaller(
    qtbot: QtBot, theme: ThemeSource, size: tuple[int, int], opponents: int
) -> None:
    panel = ReadPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(*size)
    panel.show()
    panel.show_point(samples.readings(opponents)[-1])
    QApplication.processEvents()
    tiles = [tile for tile in panel.findChildren(RangeTile) if tile.isVisible()]
    before = max(tile.grid.cell_rect(0).width() for tile in tiles)
    panel.open_seat(next(iter(panel.model.ranges)))
    QApplication.processEvents()
    assert panel.detail.grid.cell_rect(0).width() >= before
    assert panel.detail.rect().contains(panel.detail.grid.geometry())


def test_a_main_window_on_a_small_screen_opens_no_larger_than_it(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(theme_module, "_is_in_memory", lambda: False)
    room = window.screen().availableSize()
    assert window.sizeHint().width() <= room.width()
    assert window.sizeHint().height() <= room.height() - FRAME.height()
