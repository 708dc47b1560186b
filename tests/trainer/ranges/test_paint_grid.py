"""The suits of a class, fast strokes, wheel and digits on the editor's grids."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import combo_of, parse_cards
from engine.ranges import parse_range
from tests.trainer.gestures import tool_tip
from tests.trainer.ranges.test_editor import CLASSES, LEFT, RIGHT, Desk
from trainer.ranges.editing_model import EMPTY
from trainer.ranges.paint_grid import RangePreview, SuitGrid, preview_pixmap
from trainer.theme import DARK, LIGHT, ThemeSource

MIDDLE = Qt.MouseButton.MiddleButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.editor.close()


def suit_place(grid: SuitGrid, combo: str) -> QPoint:
    number = combo_of(*parse_cards(combo))
    (cell,) = (cell for cell in range(16) if number in grid.combos_at(cell))
    return grid.cell_rect(cell).center().toPoint()


def turn(widget: QWidget, place: QPoint, notches: float) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


# ---- strokes


def test_a_fast_drag_paints_what_it_skips(desk: Desk) -> None:
    desk.drag("AKs", "A2s")
    assert desk.is_("A2s+")
    desk.drag("22", "KK")
    assert desk.is_("A2s+,22-KK"), "along the diagonal no neighbour is touched"


def test_a_cell_of_which_only_a_part_has_the_brush_s_weight_is_painted(desk: Desk) -> None:
    desk.editor.model.type("AKs,AsKs:0.5")
    desk.editor.model.set_brush(0.5)
    desk.drag("AKs", "AKs")
    assert desk.is_("AKs:0.5")
    desk.drag("AKs", "AKs")
    assert desk.is_("")


def test_a_drag_may_leave_the_grid_and_come_back(desk: Desk, qtbot: QtBot) -> None:
    grid = desk.editor.grid
    qtbot.mousePress(grid, LEFT, pos=desk.place("A2s"))
    qtbot.mouseMove(grid, QPoint(grid.width() + 40, desk.place("A2s").y()))
    qtbot.mouseMove(grid, QPoint(grid.width() + 40, desk.place("K2s").y()))
    qtbot.mouseMove(grid, desk.place("K2s"))
    qtbot.mouseRelease(grid, LEFT, pos=desk.place("K2s"))
    assert desk.is_("A2s,K2s")


def test_a_second_button_neither_begins_nor_ends_a_stroke(desk: Desk, qtbot: QtBot) -> None:
    grid = desk.editor.grid
    qtbot.mousePress(grid, LEFT, pos=desk.place("AKs"))
    qtbot.mousePress(grid, RIGHT, pos=desk.place("AKs"))
    qtbot.mouseMove(grid, desk.place("AQs"))
    qtbot.mouseRelease(grid, RIGHT, pos=desk.place("AQs"))
    qtbot.mouseMove(grid, desk.place("AJs"))
    qtbot.mouseRelease(grid, LEFT, pos=desk.place("AJs"))
    assert desk.is_("AKs,AQs,AJs")
    assert desk.editor.model.undo_stack.count() == 1


def test_closing_in_the_middle_of_a_stroke_ends_it(desk: Desk, qtbot: QtBot) -> None:
    grid = desk.editor.grid
    qtbot.mousePress(grid, LEFT, pos=desk.place("AKs"))
    desk.editor.reject()
    assert desk.editor.model.undo_stack.count() == 1
    desk.open("")
    qtbot.mouseMove(grid, desk.place("AQs"))
    qtbot.mouseRelease(grid, LEFT, pos=desk.place("AQs"))
    assert desk.editor.model.hands == EMPTY


def test_ctrl_click_and_middle_click_only_choose(desk: Desk, qtbot: QtBot) -> None:
    qtbot.mouseClick(desk.editor.grid, MIDDLE, pos=desk.place("QJo"))
    assert desk.editor.suits_title.text() == "QJo by suit"
    qtbot.mouseClick(desk.editor.grid, LEFT, CONTROL, pos=desk.place("T9s"))
    assert desk.editor.suits_title.text() == "T9s by suit"
    assert desk.editor.model.hands == EMPTY


# ---- by suit


def test_the_pressed_class_is_shown_by_suit(desk: Desk) -> None:
    suits = desk.editor.suits
    for name, count in (("77", 6), ("87s", 4), ("A2o", 12)):
        desk.drag(name)
        assert sum(bool(suits.combos_at(cell)) for cell in range(16)) == count
        assert name in suits.accessibleName()


def test_combos_are_painted_and_erased_by_dragging(desk: Desk, qtbot: QtBot) -> None:
    desk.open("AKs")
    suits = desk.editor.suits
    qtbot.mouseClick(desk.editor.grid, MIDDLE, pos=desk.place("AKs"))
    qtbot.mousePress(suits, LEFT, pos=suit_place(suits, "AsKs"))
    qtbot.mouseMove(suits, suit_place(suits, "AdKd"))  # over hearts
    qtbot.mouseRelease(suits, LEFT, pos=suit_place(suits, "AdKd"))
    assert desk.is_("AcKc")
    assert desk.editor.model.undo_stack.count() == 1
    desk.editor.weight.setValue(50)
    qtbot.mouseClick(suits, LEFT, pos=suit_place(suits, "AcKc"))
    assert desk.is_("AcKc:0.5")
    qtbot.mouseClick(suits, LEFT, pos=suit_place(suits, "AcKc"))
    assert desk.editor.model.hands == EMPTY
    desk.editor.model.undo_stack.undo()
    desk.editor.model.undo_stack.undo()
    desk.editor.model.undo_stack.undo()
    assert desk.is_("AKs")
    assert suits.hands == desk.editor.model.hands


def test_places_without_a_combo_paint_nothing(desk: Desk, qtbot: QtBot) -> None:
    suits = desk.editor.suits  # of aces: the lower half is empty
    qtbot.mouseClick(suits, LEFT, pos=suits.cell_rect(4).center().toPoint())
    qtbot.mouseClick(suits, LEFT, pos=QPoint(1, 1))
    assert desk.editor.model.hands == EMPTY
    assert desk.told == []


def test_enter_goes_to_the_suits_and_back_by_keyboard_alone(desk: Desk, qtbot: QtBot) -> None:
    editor = desk.editor
    desk.press(Qt.Key.Key_Right, Qt.Key.Key_Return)  # AKs
    qtbot.waitUntil(editor.suits.hasFocus)
    assert editor.suits.accessibleDescription() == "A♠K♠: weight 0%"
    QTest.keyClick(editor.suits, Qt.Key.Key_Down)
    QTest.keyClick(editor.suits, Qt.Key.Key_Space)
    assert desk.is_("AhKh")
    assert editor.cell.text() == "A♥K♥: weight 100%"
    QTest.keyClick(editor.suits, Qt.Key.Key_Escape)
    assert editor.isVisible()
    qtbot.waitUntil(editor.grid.hasFocus)
    assert editor.cell.text() == "AKs: 4 combos, weight 25%; A♥K♥ 100%"


def test_every_combo_of_every_kind_is_reached_by_arrow_keys(desk: Desk) -> None:
    suits = desk.editor.suits
    keys = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
    for name in ("AA", "AKo", "AKs"):
        suits.show_class(CLASSES[name])
        wanted = {cell for cell in range(16) if suits.combos_at(cell)}
        reached, border = {suits.cursor_cell}, [suits.cursor_cell]
        while border:
            start = border.pop()
            for key in keys:
                suits.set_cursor(start)
                QTest.keyClick(suits, key)
                if suits.cursor_cell not in reached:
                    reached.add(suits.cursor_cell)
                    border.append(suits.cursor_cell)
        assert reached == wanted, name


def test_blocked_combos_are_crossed_out_and_told(desk: Desk) -> None:
    def picture() -> object:
        return desk.editor.suits.grab().toImage()

    desk.open("AKs")
    desk.press(Qt.Key.Key_Right)
    free = picture()
    desk.open("AKs", dead="Kd")
    assert picture() != free
    suits = desk.editor.suits
    (cell,) = (cell for cell in range(16) if combo_of(*parse_cards("AdKd")) in suits.combos_at(cell))
    assert suits.describe(cell) == "A♦K♦: weight 100%, blocked"


def test_the_brush_can_be_kept_to_some_suits(desk: Desk, qtbot: QtBot) -> None:
    clubs, diamonds, hearts, spades = desk.editor.suit_buttons
    for button in (clubs, diamonds, spades):
        qtbot.mouseClick(button, LEFT)
    desk.drag("AKs", "ATs")
    assert desk.is_("AhKh,AhQh,AhJh,AhTh")
    desk.drag("AKo")
    assert desk.is_("AhKh,AhQh,AhJh,AhTh"), "no offsuit hand is of hearts alone"
    qtbot.mouseClick(spades, LEFT)
    desk.drag("AKo")
    assert desk.is_("AhKh,AhQh,AhJh,AhTh,AhKs,AsKh")
    desk.drag("AKo")
    assert desk.is_("AhKh,AhQh,AhJh,AhTh")
    for button in (hearts, spades):
        qtbot.mouseClick(button, LEFT)
    assert all(button.isChecked() for button in desk.editor.suit_buttons), "a brush of no suit is one of all"
    desk.drag("22")
    assert desk.is_("AhKh,AhQh,AhJh,AhTh,22")


# ---- wheel and digits


def test_the_wheel_moves_a_weight_and_is_one_step_per_cell(desk: Desk) -> None:
    grid = desk.editor.grid
    turn(grid, desk.place("KQo"), 3)
    assert desk.is_("KQo:0.15")
    turn(grid, desk.place("KQo"), -1)
    assert desk.is_("KQo:0.1")
    turn(grid, desk.place("AA"), 1)
    assert desk.is_("KQo:0.1,AA:0.05")
    assert desk.editor.model.undo_stack.count() == 2
    desk.editor.model.undo_stack.undo()
    assert desk.is_("KQo:0.1")
    turn(grid, desk.place("KQo"), -5)
    assert desk.editor.model.hands == EMPTY
    assert desk.told[-1] == EMPTY


def test_a_fine_wheel_adds_up(desk: Desk) -> None:
    for _ in range(4):
        turn(desk.editor.grid, desk.place("AA"), 0.25)
    assert desk.is_("AA:0.05")


def test_the_wheel_moves_a_single_combo(desk: Desk, qtbot: QtBot) -> None:
    suits = desk.editor.suits
    qtbot.mouseClick(desk.editor.grid, MIDDLE, pos=desk.place("AKs"))
    turn(suits, suit_place(suits, "AhKh"), 2)
    assert desk.is_("AhKh:0.1")
    desk.editor.model.undo_stack.undo()
    assert desk.editor.model.hands == EMPTY


def test_digits_choose_the_brush(desk: Desk) -> None:
    desk.press(Qt.Key.Key_3, Qt.Key.Key_Space)
    assert desk.editor.weight.value() == 30
    assert desk.is_("AA:0.3")
    QTest.keyClick(desk.editor.suits, Qt.Key.Key_0)
    assert desk.editor.weight_slider.value() == 100
    assert desk.editor.suits.brush == 1


def test_a_screen_reader_is_told_what_keys_do(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(QAccessibleAnnouncementEvent.message(event))
    )
    desk.press(Qt.Key.Key_Right, Qt.Key.Key_4, Qt.Key.Key_Space)
    assert said == ["AKs: 4 combos, weight 0%", "Brush weight 40%", "AKs: 4 combos, weight 40%"]


# ---- pictures


def test_tool_tips_say_what_a_cell_holds(desk: Desk, qtbot: QtBot) -> None:
    desk.open("AKs:0.5")
    assert tool_tip(desk.editor.grid, desk.place("AKs")) == "AKs: 4 combos, weight 50%"


def test_a_weight_between_none_and_all_is_written_into_its_cell(desk: Desk) -> None:
    def lower_half(text: str) -> int:
        """How many colours there are in the lower half of AKs, whose fill is one colour without a number."""
        desk.open(text)
        desk.editor.resize(1200, 1000)
        QApplication.processEvents()
        desk.editor.field.setFocus()
        picture = desk.editor.grid.grab().toImage()
        rect = desk.editor.grid.cell_rect(CLASSES["AKs"])
        rows = range(round(rect.top() + 0.66 * rect.height()), round(rect.bottom() - 3))
        columns = range(round(rect.left() + 3), round(rect.right() - 4))
        return len({picture.pixel(x, y) for x in columns for y in rows})

    assert lower_half("AKs") == 1
    assert lower_half("AKs:0.6") > 1


def test_previews_are_described_and_follow_the_theme(qtbot: QtBot) -> None:
    preview = RangePreview(ThemeSource())
    qtbot.addWidget(preview)
    preview.show_range(parse_range("AA,KK"))
    assert preview.accessibleDescription() == "12 combos · 0.9%"
    preview.show_range(None)
    assert preview.accessibleDescription() == "no range"
    hands = parse_range("A2s+")
    light, dark = (preview_pixmap(hands, theme, 26, 1.0).toImage() for theme in (LIGHT, DARK))
    assert light != dark
    assert light.width() == light.height() == 26
    assert preview_pixmap(hands, LIGHT, 26, 2.0).width() == 52
