import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.trainer import samples
from trainer.reading.range_grid import SIDE, HeatLegend, RangeGrid
from trainer.reading.range_model import GridView, opponent_ranges
from trainer.theme import ThemeSource


def view(values: dict[int, float], blocked: tuple[int, ...] = ()) -> GridView:
    shown = np.zeros(169, dtype=np.float32)
    for hand_class, value in values.items():
        shown[hand_class] = value
    live = np.full(169, 4, dtype=np.uint8)
    live[list(blocked)] = 0
    return GridView(shown, shown, live, np.zeros(169, dtype=np.bool_))


def shown_grid(qtbot: QtBot, theme: ThemeSource, grid: GridView, size: int = 260) -> RangeGrid:
    widget = RangeGrid(theme)
    qtbot.addWidget(widget)
    widget.resize(size, size)
    widget.show_grid(grid)
    widget.show()
    return widget


def pixel(widget: RangeGrid, hand_class: int) -> QColor:
    """The colour beside a cell's upper left corner, where no label and no mark is."""
    image: QImage = widget.grab().toImage()
    spot = widget.cell_rect(hand_class).topLeft().toPoint() + QPoint(3, 3)
    return image.pixelColor(spot)


def test_cells_take_their_colours_from_the_ramp(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0, 1: 0.5}))
    assert pixel(widget, 0) == theme.theme.heat_colour(1.0)
    half, expected = pixel(widget, 1), theme.theme.heat_colour(0.5)
    assert abs(half.blue() - expected.blue()) <= 1
    assert pixel(widget, 168) == theme.theme.heat_colour(0.0)


def test_the_rest_of_a_range_is_faint_behind_a_part(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    widget.show_grid(view({0: 1.0}), view({0: 1.0, 1: 1.0}))
    assert pixel(widget, 0) == theme.theme.heat_colour(1.0)
    assert pixel(widget, 1) not in (theme.theme.heat_colour(0.0), theme.theme.heat_colour(1.0))
    assert pixel(widget, 2) == theme.theme.heat_colour(0.0)
    widget.show_grid(view({0: 1.0}))
    assert pixel(widget, 1) == theme.theme.heat_colour(0.0)


def test_a_theme_change_repaints(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    theme.choose("dark")
    assert pixel(widget, 0) == theme.theme.heat_colour(1.0)
    theme.choose("light")


def test_blocked_cells_are_hatched_not_heated(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}, blocked=(5,)))
    cell = widget.cell_rect(5).toRect().adjusted(2, 2, -2, -2)
    image = widget.grab().toImage().copy(cell)
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert theme.theme.heat_blocked in found
    assert theme.theme.text_muted in found
    assert theme.theme.heat_colour(0.0).name() not in found


def test_the_true_hand_is_ringed(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    before = widget.grab().toImage()
    widget.set_truth(84)
    after = widget.grab().toImage()
    truth = QColor(theme.theme.truth)
    cell = widget.cell_rect(84).toRect()
    middle_top = QPoint(cell.center().x(), cell.top())
    assert after.pixelColor(middle_top).name() == truth.name()
    assert before.pixelColor(middle_top).name() != truth.name()


def test_hovering_tells_the_class(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    heard: list[object] = []
    widget.cell_hovered.connect(heard.append)
    for hand_class in (1, 13, 168):
        qtbot.mouseMove(widget, widget.cell_rect(hand_class).center().toPoint())
    # Before them may come the focus cell, when the window becomes active.
    assert heard[-3:] == [1, 13, 168]


def test_keys_walk_through_the_cells(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    widget.set_describe(lambda hand_class: f"class {hand_class}")
    with qtbot.waitActive(widget):
        widget.activateWindow()
    widget.setFocus()
    assert widget.accessibleDescription() == "class 0"
    heard: list[object] = []
    widget.cell_hovered.connect(heard.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_End):
        qtbot.keyClick(widget, key)
    assert heard == [1, SIDE + 1, SIDE, 0, 0, 168]
    assert widget.accessibleDescription() == "class 168"
    with qtbot.waitSignal(widget.cell_activated) as chosen:
        qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert chosen.args == [168]


def test_a_click_activates_and_takes_the_focus_cell(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}))
    with qtbot.waitSignal(widget.cell_activated) as chosen:
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.cell_rect(20).center().toPoint())
    assert chosen.args == [20]
    assert widget.focused_cell == 20


@pytest.mark.every(3)
@pytest.mark.parametrize("size", [91, 160, 330, 500])
@pytest.mark.parametrize("numbers", [False, True])
def test_cells_are_whole_pixels_at_any_size(qtbot: QtBot, theme: ThemeSource, size: int, numbers: bool) -> None:
    widget = shown_grid(qtbot, theme, opponent_ranges(samples.readings(1)[-1])[0].grid(), size)
    widget.set_numbers(numbers)
    assert not widget.grab().isNull()
    first, last = widget.cell_rect(0), widget.cell_rect(168)
    assert first.width() == int(first.width()) == size // 13
    assert widget.cell_at(first.center()) == 0
    assert widget.cell_at(last.center()) == 168
    assert widget.cell_at(QPoint(-1, 5)) is None


def test_numbers_appear_where_there_is_room(qtbot: QtBot, theme: ThemeSource) -> None:
    widget = shown_grid(qtbot, theme, view({0: 1.0}), 500)
    without = widget.grab().toImage()
    widget.set_numbers(True)
    assert widget.grab().toImage() != without
    small = shown_grid(qtbot, theme, view({0: 1.0}), 91)
    without = small.grab().toImage()
    small.set_numbers(True)
    assert small.grab().toImage() == without


def test_legend_shows_in_one_line_or_two(qtbot: QtBot, theme: ThemeSource) -> None:
    legend = HeatLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(900, 20)
    legend.show()
    one = legend.height()
    legend.resize(200, 20)
    assert legend.height() > one
    assert not legend.grab().isNull()
