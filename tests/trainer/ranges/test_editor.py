"""Painting a range: strokes, keys, text, the best x percent, and the way back."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDoubleSpinBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import CLASS_COUNT, COMBO_COUNT, HandClass, class_name, parse_cards
from engine.ranges import Range, parse_range, top_range
from trainer.ranges.editing_model import EMPTY
from trainer.ranges.editor import RangeEditor
from trainer.ranges.library import RangeLibrary
from trainer.ranges.paint_grid import RangePreview
from trainer.theme import DARK, ThemeSource

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CLASSES = {class_name(HandClass(number)): number for number in range(CLASS_COUNT)}


class Desk:
    """An open editor and the ranges it told."""

    def __init__(self, qtbot: QtBot, text: str = "", dead: str = "") -> None:
        self.qtbot = qtbot
        self.editor = RangeEditor(ThemeSource(), RangeLibrary())
        qtbot.addWidget(self.editor)
        self.told: list[Range] = []
        self.editor.model.range_changed.connect(self.told.append)
        self.open(text, dead)

    def open(self, text: str, dead: str = "") -> None:
        with self.qtbot.waitExposed(self.editor):
            self.editor.open_for("Range of Anna", parse_range(text) if text else None, parse_cards(dead))

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
        return hands == self.editor.model.hands == self.editor.grid.hands == parse_range(self.editor.field.text())


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.editor.close()


def test_every_cell_can_be_hit_and_has_the_usual_place(desk: Desk) -> None:
    grid = desk.editor.grid
    for name, number in CLASSES.items():
        assert grid.cell_at(grid.cell_rect(number).center()) == number, name
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
    desk.editor.model.undo_stack.undo()
    assert desk.editor.model.hands == EMPTY
    assert desk.editor.field.text() == ""
    desk.editor.model.undo_stack.redo()
    assert desk.is_("AA,AKs,AQs")


def test_a_drag_that_begins_on_a_painted_cell_erases(desk: Desk) -> None:
    desk.open("AA,AKs,AQs,AJs")
    desk.drag("AKs", "AQs")
    assert desk.is_("AA,AJs")


def test_the_right_button_always_erases(desk: Desk) -> None:
    desk.open("AKs")
    desk.drag("AA", "AKs", button=RIGHT)
    assert desk.editor.model.hands == EMPTY


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
    assert desk.editor.model.hands == EMPTY


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
    assert desk.editor.model.hands == desk.editor.grid.hands == hands
    assert desk.editor.field.text() == "22+, A2s+", "the text stays as typed"
    assert desk.editor.count.text() == "126 combos · 9.5%"
    desk.editor.model.undo_stack.undo()
    assert desk.is_("QQ")


def test_text_that_cannot_be_read_keeps_the_range_and_says_why(desk: Desk, qtbot: QtBot) -> None:
    desk.open("QQ")
    desk.retype("QQ,Axx")
    assert desk.editor.model.hands == parse_range("QQ")
    qtbot.waitUntil(lambda: desk.editor.field.is_marked)
    assert "'Axx'" in desk.editor.message.text()
    desk.retype("QQ,A2s")
    assert desk.editor.message.text() == ""
    assert desk.editor.model.hands == parse_range("QQ,A2s")


def test_the_best_hands_by_slider_and_box(desk: Desk) -> None:
    desk.editor.top_slider.setValue(150)
    assert desk.editor.top.value() == 15
    assert desk.editor.model.hands == top_range(0.15)
    assert desk.editor.field.text() != ""
    desk.editor.top.setValue(5)
    assert desk.editor.top_slider.value() == 50
    assert desk.editor.model.hands == top_range(0.05)
    desk.editor.model.undo_stack.undo()
    assert desk.editor.model.hands == EMPTY, "sliding is one step"
    assert desk.editor.top.value() == 0


def test_the_slider_follows_what_is_painted(desk: Desk) -> None:
    desk.retype("random")
    assert desk.editor.top.value() == 100
    assert desk.editor.top_slider.value() == 1000
    desk.drag("AKo")
    assert desk.editor.top.value() == round(100 * 1314 / 1326, 1)


def test_the_best_hands_from_one_bound_to_another(desk: Desk) -> None:
    editor = desk.editor
    editor.top.setValue(10)
    editor.bottom.setValue(5)
    assert desk.is_("5%-10%")
    assert editor.bottom_slider.value() == 50
    editor.bottom_slider.setValue(120)
    assert editor.top.value() == 12, "the lower bound takes the upper one along"
    assert editor.model.hands == EMPTY
    editor.top_slider.setValue(30)
    assert editor.bottom.value() == 3
    editor.bottom.setValue(0)
    assert desk.is_("3%")
    editor.model.undo_stack.undo()
    assert editor.model.hands == EMPTY, "sliding is one step"


def test_the_best_hands_are_read_from_what_is_written(desk: Desk) -> None:
    editor = desk.editor
    desk.retype("5%-10%")
    assert (editor.bottom.value(), editor.top.value()) == (5, 10)
    assert (editor.bottom_slider.value(), editor.top_slider.value()) == (50, 100)
    desk.retype("20%-40%:0.5")
    assert (editor.bottom.value(), editor.top.value()) == (20, 40)
    desk.open("12%-30%")
    assert (editor.bottom.value(), editor.top.value()) == (12, 30)
    QTest.keyClick(editor.top, Qt.Key.Key_Up)
    assert desk.is_("12%-31%")
    desk.retype("72o")
    assert (editor.bottom.value(), editor.top.value()) == (0, 0.9), "one class is no part of an order"


def type_number(box: QDoubleSpinBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def test_a_bound_of_the_best_hands_is_typed_with_a_decimal(desk: Desk) -> None:
    type_number(desk.editor.top, "12.5")
    assert desk.editor.top.value() == 12.5
    assert desk.is_("12.5%")
    assert desk.editor.isVisible()


def test_a_bound_is_left_alone_while_the_other_is_typed(desk: Desk) -> None:
    type_number(desk.editor.top, "20")
    type_number(desk.editor.bottom, "10")
    assert desk.is_("10%-20%")
    type_number(desk.editor.top, "30")
    assert desk.is_("10%-30%"), "not 3%-30%, by the way of the 3"


def test_what_is_typed_counts_when_the_box_is_left_or_the_editor_closed(desk: Desk) -> None:
    desk.editor.top.setFocus()
    desk.editor.top.selectAll()
    QTest.keyClicks(desk.editor.top, "7.5")
    desk.editor.grid.setFocus()
    assert desk.is_("7.5%")
    desk.editor.top.setFocus()
    desk.editor.top.selectAll()
    QTest.keyClicks(desk.editor.top, "8.5")
    desk.editor.close()
    assert desk.told[-1] == parse_range("8.5%")


def choose_ranking(desk: Desk, opponents: int) -> None:
    box = desk.editor.ranking_box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(opponents - 1):
        QTest.keyClick(box, Qt.Key.Key_Down)


def test_the_ranking_is_chosen_and_told(desk: Desk) -> None:
    told: list[int] = []
    desk.editor.model.ranking_changed.connect(told.append)
    desk.editor.top.setValue(15)
    choose_ranking(desk, 3)
    assert told == [2, 3]
    assert desk.editor.model.hands == top_range(0.15, opponents=3) != top_range(0.15)
    desk.editor.model.undo_stack.undo()
    assert desk.editor.model.hands == top_range(0.15, opponents=2)
    assert "20 million deals" in desk.editor.ranking_box.toolTip()


def test_typed_percentages_are_of_the_chosen_ranking(desk: Desk) -> None:
    desk.retype("5%-15%, 32o")
    choose_ranking(desk, 2)
    expected = parse_range("5%-15%, 32o", opponents=2)
    assert desk.editor.model.hands == desk.editor.grid.hands == expected != parse_range("5%-15%, 32o")
    assert desk.editor.field.text() == "5%-15%, 32o"
    desk.retype("20%")
    assert desk.editor.model.hands == top_range(0.2, opponents=2)


def test_another_ranking_leaves_painted_hands_alone(desk: Desk) -> None:
    desk.drag("72o")
    choose_ranking(desk, 9)
    assert desk.is_("72o")
    assert desk.editor.model.undo_stack.count() == 1
    desk.retype("72o,")
    desk.retype("72o,8")  # cannot be read
    choose_ranking(desk, 1)
    assert desk.editor.model.hands == parse_range("72o")


def test_whole_ranges_are_changed_from_the_menu(desk: Desk, qtbot: QtBot) -> None:
    editor = desk.editor
    changes = {action.text().replace("&", ""): action for action in editor.change_button.menu().actions()}
    desk.open("AKs:0.5,AA:0.25,KhKs:0.25", dead="As")
    changes["Scale the largest weight to 100%"].trigger()
    assert desk.is_("AKs,AA:0.5,KhKs:0.5")
    changes["Remove blocked combos"].trigger()
    assert editor.count.text() == "5 combos · 0.4%"
    assert editor.model.hands == parse_range("AKs,AA:0.5,KhKs:0.5").without(parse_cards("As"))
    desk.open("AhKh,AsKs,QQ")
    changes["Same weight for all suits"].trigger()
    assert desk.is_("AKs:0.5,QQ")
    for suit in (0, 1, 3):
        qtbot.mouseClick(editor.suit_buttons[suit], LEFT)
    changes["Keep only the brush's suits"].trigger()
    assert desk.is_("AhKh:0.5")
    qtbot.mouseClick(editor.invert_button, LEFT)
    assert editor.model.hands.combo_count == 1325.5
    for _ in range(3):
        editor.model.undo_stack.undo()
    assert desk.is_("AhKh,AsKs,QQ")


def test_groups_of_hands_are_added_with_the_brush(desk: Desk, qtbot: QtBot) -> None:
    groups = {action.text().partition("  ")[0]: action for action in desk.editor.add_button.menu().actions()}
    groups["Pairs"].trigger()
    desk.editor.weight.setValue(40)
    groups["Suited aces"].trigger()
    assert desk.is_("22+,A2s+:0.4")
    for suit in (0, 1, 3):
        qtbot.mouseClick(desk.editor.suit_buttons[suit], LEFT)
    desk.editor.weight.setValue(100)
    groups["Suited kings"].trigger()
    expected = parse_range("22+,A2s+:0.4," + ",".join(f"Kh{rank}h" for rank in "QJT98765432"))
    assert desk.editor.model.hands == expected


def test_blocked_combos_are_counted(desk: Desk) -> None:
    desk.open("AKs", dead="Ks 7d 2h")
    assert desk.editor.count.text() == "4 combos · 0.3% · 1 blocked"


def test_any_weights_survive_the_text(desk: Desk) -> None:
    rng = np.random.default_rng(7)
    for exponent in (0, 3, 30):
        weights = (rng.random(COMBO_COUNT) * 10.0 ** -rng.integers(0, exponent + 1, COMBO_COUNT)).astype(np.float32)
        hands = Range(weights)
        desk.editor.model.apply(hands)
        text = desk.editor.field.text()
        assert parse_range(text) == hands
        desk.editor.model.apply(EMPTY)
        desk.editor.field.setFocus()
        desk.editor.field.selectAll()
        QApplication.clipboard().setText(text)
        desk.editor.field.paste()
        assert desk.editor.model.hands == hands, "pasted whole"


def test_the_library_saves_and_loads_as_one_step(desk: Desk, qtbot: QtBot) -> None:
    editor = desk.editor
    desk.open("AKs:0.5,QQ")
    QTest.keyClick(editor.grid, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    dialog = editor.library_dialog
    qtbot.waitUntil(dialog.isVisible)
    QTest.keyClicks(dialog.name, "Mine")
    QTest.keyClick(dialog.name, Qt.Key.Key_Return)
    assert dialog.library.own[0].hands == parse_range("AKs:0.5,QQ")
    desk.drag("72o")
    QTest.keyClicks(dialog.name, " too")
    QTest.keyClick(dialog.name, Qt.Key.Key_Return)
    assert dialog.library.own[1].hands == parse_range("AKs:0.5,QQ,72o"), "what is edited now is saved"
    QTest.keyClicks(dialog.search, "mine")
    assert dialog.choose("", "Mine")
    qtbot.mouseClick(dialog.load_button, LEFT)
    assert not dialog.isVisible()
    assert desk.is_("AKs:0.5,QQ")
    editor.model.undo_stack.undo()
    assert desk.is_("AKs:0.5,QQ,72o")


def test_no_two_controls_share_a_mnemonic(desk: Desk) -> None:
    texts = [
        widget.text() for widget in (*desk.editor.findChildren(QAbstractButton), *desk.editor.findChildren(QLabel))
    ]
    keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
    assert len(keys) > 10
    assert len(keys) == len(set(keys)), sorted(keys)


def test_every_control_is_reached_by_tab_and_has_a_name(desk: Desk) -> None:
    editor = desk.editor
    editor.field.setFocus()
    reached: list[QWidget] = [editor.field]
    while True:
        QTest.keyClick(reached[-1], Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        assert isinstance(widget, QWidget)
        if widget is editor.field:
            break
        assert widget not in reached, "Tab goes in a circle that leaves the text out"
        assert widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text())
        reached.append(widget)
    controls = (
        *(editor.grid, editor.suits, editor.weight, editor.weight_slider, *editor.suit_buttons),
        *(editor.top, editor.top_slider, editor.bottom, editor.bottom_slider, editor.ranking_box),
        *(editor.clear_button, editor.all_button, editor.invert_button, editor.add_button, editor.change_button),
        editor.library_button,
    )
    assert set(controls) <= set(reached)
    assert reached.index(editor.grid) < reached.index(editor.suits) < reached.index(editor.weight)


def test_clear_and_all_and_the_way_back_by_keys(desk: Desk, qtbot: QtBot) -> None:
    desk.open("QQ")
    editor = desk.editor
    assert not editor.undo_button.isEnabled()
    qtbot.mouseClick(editor.all_button, LEFT)
    assert desk.is_("random")
    qtbot.mouseClick(editor.clear_button, LEFT)
    assert editor.model.hands == EMPTY
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
    assert not desk.editor.model.undo_stack.canUndo()
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
