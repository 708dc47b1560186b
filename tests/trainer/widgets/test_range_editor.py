"""Painting a range: strokes, keys, text, the best x percent, and the way back."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.cards import CLASS_COUNT, HandClass, class_name, parse_cards
from engine.ranges import Range, parse_range, top_range
from trainer.theme import DARK, ThemeSource
from trainer.viewmodels.range_editing import EMPTY
from trainer.widgets.paint_grid import RangePreview
from trainer.widgets.range_editor import RangeEditor

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CLASSES = {class_name(HandClass(number)): number for number in range(CLASS_COUNT)}


class Desk:
    """An open editor and the ranges it told."""

    def __init__(self, qtbot: QtBot, text: str = "", dead: str = "") -> None:
        self.qtbot = qtbot
        self.editor = RangeEditor(ThemeSource())
        qtbot.addWidget(self.editor)
        self.told: list[Range] = []
        self.editor.range_changed.connect(self.told.append)
        self.open(text, dead)

    def open(self, text: str, dead: str = "") -> None:
        self.editor.open_for("Range of Anna", parse_range(text) if text else None, parse_cards(dead))
        self.qtbot.waitExposed(self.editor)

    def place(self, name: str) -> QPoint:
        return self.editor.grid.cell_rect(CLASSES[name]).center().toPoint()

    def drag(self, *names: str, button: Qt.MouseButton = LEFT) -> None:
        grid = self.editor.grid
        self.qtbot.mousePress(grid, button, pos=self.place(names[0]))
        for name in names[1:]:
            self.qtbot.mouseMove(grid, self.place(name))
        self.qtbot.mouseRelease(grid, button, pos=self.place(names[-1]))

    def retype(self, text: str) -> None:
        self.editor.field.setFocus()
        self.editor.field.selectAll()
        QTest.keyClicks(self.editor.field, text)

    def press(self, *keys: Qt.Key) -> None:
        for key in keys:
            QTest.keyClick(self.editor.grid, key)

    def is_(self, text: str) -> bool:
        """Whether grid, text and result are all this range."""
        hands = parse_range(text)
        return hands == self.editor.hands == self.editor.grid.hands == parse_range(self.editor.field.text())


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.editor.close()


def test_every_cell_can_be_hit_and_has_the_usual_place(desk: Desk) -> None:
    grid = desk.editor.grid
    for name, number in CLASSES.items():
        assert grid.class_at(grid.cell_rect(number).center()) == number, name
    aces, suited, offsuit = (grid.cell_rect(CLASSES[name]) for name in ("AA", "AKs", "AKo"))
    assert suited.y() == aces.y()
    assert suited.x() > aces.x()
    assert offsuit.x() == aces.x()
    assert offsuit.y() > aces.y()


def test_a_drag_paints_and_is_one_step(desk: Desk) -> None:
    desk.drag("AA", "AKs", "AQs")
    assert desk.is_("AA,AKs,AQs")
    assert desk.told[-1] == parse_range("AA,AKs,AQs")
    assert desk.editor.count.text() == "14 combos · 1.1%"
    desk.editor.undo_stack.undo()
    assert desk.editor.hands == EMPTY
    assert desk.editor.field.text() == ""
    desk.editor.undo_stack.redo()
    assert desk.is_("AA,AKs,AQs")


def test_a_drag_that_begins_on_a_painted_cell_erases(desk: Desk) -> None:
    desk.open("AA,AKs,AQs,AJs")
    desk.drag("AKs", "AQs")
    assert desk.is_("AA,AJs")


def test_the_right_button_always_erases(desk: Desk) -> None:
    desk.open("AKs")
    desk.drag("AA", "AKs", button=RIGHT)
    assert desk.editor.hands == EMPTY


def test_the_brush_paints_its_weight_and_the_fill_is_as_high(desk: Desk) -> None:
    desk.editor.weight.setValue(50)
    assert desk.editor.weight_slider.value() == 50
    desk.drag("AKo")
    assert desk.is_("AKo:0.5")
    assert desk.editor.count.text() == "6 combos · 0.5%"
    desk.editor.field.setFocus()  # away from the grid, whose cursor frames the cell
    picture = desk.editor.grid.grab().toImage()
    ratio = picture.devicePixelRatio()
    cell = desk.editor.grid.cell_rect(CLASSES["AKo"])
    x = round((cell.left() + 0.1 * cell.width()) * ratio)
    column = [picture.pixelColor(x, y) for y in range(round(cell.top() * ratio), round(cell.bottom() * ratio) - 3)]
    filled = sum(colour == column[-1] for colour in column) / len(column)
    assert filled == pytest.approx(0.5, abs=0.06)


def test_another_weight_paints_over_and_its_own_erases(desk: Desk) -> None:
    desk.open("AKo")
    desk.editor.weight_slider.setValue(30)
    assert desk.editor.weight.value() == 30
    desk.drag("AKo")
    assert desk.is_("AKo:0.3")
    desk.drag("AKo")
    assert desk.editor.hands == EMPTY


def test_a_class_that_is_painted_in_part_is_filled_up(desk: Desk) -> None:
    desk.open("AhKh")
    desk.drag("AKs")
    assert desk.is_("AKs")


def test_keys_paint_and_tell_the_cell(desk: Desk) -> None:
    grid = desk.editor.grid
    grid.setFocus()
    desk.press(Qt.Key.Key_Up, Qt.Key.Key_Left)  # against the edge
    desk.press(Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Space)
    assert desk.is_("KQo")
    assert grid.accessibleDescription() == "KQo: 12 combos, weight 100%"
    assert desk.editor.cell.text() == "KQo: 12 combos, weight 100%"
    desk.press(Qt.Key.Key_Up, Qt.Key.Key_Space)
    assert desk.is_("KK,KQo")
    desk.press(Qt.Key.Key_Space)
    assert desk.is_("KQo")


def test_the_mouse_reads_cells_out_too_and_counts_blocked_combos(desk: Desk, qtbot: QtBot) -> None:
    desk.open("AKs", dead="Ks 7d 2h")
    qtbot.mouseMove(desk.editor.grid, desk.place("AKs"))
    assert desk.editor.cell.text() == "AKs: 3 combos, 1 blocked, weight 100%"


def test_typing_paints_the_grid_in_one_step(desk: Desk) -> None:
    desk.open("QQ")
    desk.retype("22+, A2s+")
    hands = parse_range("22+,A2s+")
    assert desk.editor.hands == desk.editor.grid.hands == hands
    assert desk.editor.field.text() == "22+, A2s+", "the text stays as typed"
    assert desk.editor.count.text() == "126 combos · 9.5%"
    desk.editor.undo_stack.undo()
    assert desk.is_("QQ")


def test_text_that_cannot_be_read_keeps_the_range_and_says_why(desk: Desk, qtbot: QtBot) -> None:
    desk.open("QQ")
    desk.retype("QQ,Axx")
    assert desk.editor.hands == parse_range("QQ")
    qtbot.waitUntil(lambda: desk.editor.field.is_marked)
    assert "'Axx'" in desk.editor.message.text()
    desk.retype("QQ,A2s")
    assert desk.editor.message.text() == ""
    assert desk.editor.hands == parse_range("QQ,A2s")


def test_the_best_hands_by_slider_and_box(desk: Desk) -> None:
    desk.editor.top_slider.setValue(150)
    assert desk.editor.top.value() == 15
    assert desk.editor.hands == top_range(0.15)
    assert desk.editor.field.text() != ""
    desk.editor.top.setValue(5)
    assert desk.editor.top_slider.value() == 50
    assert desk.editor.hands == top_range(0.05)
    desk.editor.undo_stack.undo()
    assert desk.editor.hands == EMPTY, "sliding is one step"
    assert desk.editor.top.value() == 0


def test_the_slider_follows_what_is_painted(desk: Desk) -> None:
    desk.retype("random")
    assert desk.editor.top.value() == 100
    assert desk.editor.top_slider.value() == 1000
    desk.drag("AKo")
    assert desk.editor.top.value() == round(100 * 1314 / 1326, 1)


def test_clear_and_all_and_the_way_back_by_keys(desk: Desk, qtbot: QtBot) -> None:
    desk.open("QQ")
    editor = desk.editor
    assert not editor.undo_button.isEnabled()
    qtbot.mouseClick(editor.all_button, LEFT)
    assert desk.is_("random")
    qtbot.mouseClick(editor.clear_button, LEFT)
    assert editor.hands == EMPTY
    editor.grid.setFocus()
    QTest.keyClick(editor.grid, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.is_("random")
    qtbot.mouseClick(editor.undo_button, LEFT)
    assert desk.is_("QQ")
    assert not editor.undo_button.isEnabled()
    qtbot.mouseClick(editor.redo_button, LEFT)
    assert desk.is_("random")


def test_another_range_forgets_the_steps_of_the_first(desk: Desk) -> None:
    desk.drag("AA")
    desk.open("KK")
    assert not desk.editor.undo_stack.canUndo()
    assert desk.is_("KK")
    assert desk.told == [parse_range("AA")], "opening tells nothing"


def test_it_follows_the_theme(desk: Desk, qapp: QApplication) -> None:
    before = desk.editor.grid.grab().toImage()
    theme = desk.editor._theme
    theme.theme = DARK
    theme.changed.emit(DARK)
    assert desk.editor.grid.grab().toImage() != before


def test_controls_have_names(desk: Desk) -> None:
    editor = desk.editor
    for widget in (editor.grid, editor.field, editor.weight, editor.weight_slider, editor.top, editor.top_slider):
        assert widget.accessibleName()


def test_the_preview_shows_the_range_without_blocked_combos(qtbot: QtBot) -> None:
    preview = RangePreview(ThemeSource())
    qtbot.addWidget(preview)
    preview.show_range(None)
    empty = preview.grab().toImage()
    preview.show_range(parse_range("AsKs"))
    one = preview.grab().toImage()
    preview.show_range(parse_range("AsKs"), parse_cards("Ks"))
    blocked = preview.grab().toImage()
    preview.show_range(parse_range("random"))
    full = preview.grab().toImage()
    assert one != empty
    assert full not in (one, empty)
    corner = round(preview.width() * preview.devicePixelRatio() * 0.5)
    assert blocked.pixelColor(corner, corner) != full.pixelColor(corner, corner)
    assert np.count_nonzero(preview._levels) == CLASS_COUNT
