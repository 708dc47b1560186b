from itertools import product

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from engine.agents.calibration import TableTally
from engine.agents.readers import DEFAULT_READER
from engine.cards import class_name, parse_cards
from tests.trainer import samples
from tests.trainer.gestures import active, opened, shown_labels
from trainer.reading.read_panel import RangeTile, ReadPanel
from trainer.theme import ThemeSource


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeSource) -> ReadPanel:
    return active(qtbot, ReadPanel(theme), 500, 430)


def tiles(panel: ReadPanel) -> list[RangeTile]:
    return [tile for tile in panel.findChildren(RangeTile) if tile.isVisible()]


@pytest.mark.every(4)
@pytest.mark.parametrize("opponents", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("size", [(500, 430), (700, 900), (1000, 1200)])
def test_all_opponents_find_room(panel: ReadPanel, opponents: int, size: tuple[int, int]) -> None:
    panel.resize(*size)
    panel.show_point(samples.readings(opponents)[-1])
    shown = tiles(panel)
    assert len(shown) == opponents
    whole = panel._area.rect()
    for tile in shown:
        assert whole.contains(tile.geometry())
        assert tile.rect().contains(tile.grid.geometry())
        # A grid is a readable picture from 7 pixels a cell.
        assert tile.grid.width() >= 91
    for tile in shown:
        assert not any(tile.geometry().intersects(other.geometry()) for other in shown if other is not tile)
    assert not panel.grab().isNull()


def test_tile_says_who_and_what(panel: ReadPanel) -> None:
    panel.show_point(samples.readings(2)[-1])
    first = tiles(panel)[0]
    assert first.accessibleName().startswith("Ada, small blind, checks, ")
    assert first.accessibleName().endswith("effective combos")
    assert "strong" in first.toolTip()
    assert "Calibrated" in shown_labels(panel)


def test_how_far_to_trust_the_reader_is_read_whole_in_a_narrow_panel(panel: ReadPanel) -> None:
    """It ended in the middle of the sentence."""
    panel.resize(320, 480)
    panel.show_point(samples.readings(2)[-1])
    QApplication.processEvents()
    line = next(label for label in panel.findChildren(QLabel) if label.text().startswith("Calibrated"))
    assert line.wordWrap()
    assert line.heightForWidth(line.width()) <= line.height()


def test_clicking_a_grid_enlarges_it_and_escape_returns(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(3)[-1])
    grid = tiles(panel)[1].grid
    qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.cell_rect(28).center().toPoint())
    assert panel.detail.isVisible()
    assert panel.detail.seat == 2
    assert panel.detail.grid.focused_cell == 28
    assert panel.detail.chain_table.model().rowCount() == 1 + len(samples.readings(3)[-1].predictions[1].updates)
    qtbot.keyClick(panel.detail.grid, Qt.Key.Key_Escape)
    assert not panel.detail.isVisible()
    assert len(tiles(panel)) == 3


def test_the_enlarged_view_tells_of_the_cell_that_was_clicked(qtbot: QtBot, panel: ReadPanel) -> None:
    """And not of the one that was pointed at when the last range was enlarged."""
    panel.show_point(samples.readings(3)[-1])
    for hand_class in (28, 14):
        grid = tiles(panel)[1].grid
        place = grid.cell_rect(hand_class).center().toPoint()
        qtbot.mouseMove(grid, place)
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=place)
        assert class_name(hand_class) in panel.detail.combo_table.accessibleName()
        qtbot.keyClick(panel.detail.grid, Qt.Key.Key_Escape)


@pytest.mark.parametrize("size", [(500, 430), (530, 460), (700, 900)])
def test_what_is_said_of_a_cell_is_never_cut(qtbot: QtBot, panel: ReadPanel, size: tuple[int, int]) -> None:
    panel.resize(*size)
    panel.show_point(samples.readings(1)[-1])
    grid = tiles(panel)[0].grid
    for hand_class in (14, 28, 100):
        qtbot.mouseMove(grid, grid.cell_rect(hand_class).center().toPoint())
        label = panel._cell_text
        assert label.text().startswith(f"Ada, {class_name(hand_class)}: ")
        assert label.text().endswith(".")
        assert label.heightForWidth(label.width()) <= label.height()


def test_escape_returns_from_anywhere_in_the_panel(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(3)[-1])
    qtbot.keyClick(tiles(panel)[2].grid, Qt.Key.Key_Return)
    panel.slider.setFocus()
    qtbot.keyClick(panel.slider, Qt.Key.Key_Escape)
    assert not panel.detail.isVisible()


def test_the_point_the_player_went_to_is_told(qtbot: QtBot, panel: ReadPanel) -> None:
    points = samples.readings(1)
    for point in points:
        panel.show_point(point)
    heard: list[object] = []
    panel.point_chosen.connect(heard.append)
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(panel.live_button, Qt.MouseButton.LeftButton)
    assert heard == [points[-2].event_count, None]


def test_a_point_that_finds_no_room_ends_in_an_ellipsis(panel: ReadPanel) -> None:
    """Cut off, `calls 1,686,105` would read `calls 1,686`."""
    panel.show_point(samples.readings(1)[-1])
    panel.resize(panel.minimumSizeHint())
    QApplication.processEvents()
    title, words = panel._point, panel._point.text()
    assert title.fontMetrics().horizontalAdvance(words) > title.width()
    assert title.toolTip() == words
    written = title.grab().toImage()
    title.setText(title.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, title.width()))
    assert title.grab().toImage() == written


def test_enter_enlarges_and_the_button_returns(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(3)[-1])
    qtbot.keyClick(tiles(panel)[2].grid, Qt.Key.Key_Return)
    assert panel.detail.seat == 3
    qtbot.mouseClick(panel.all_button, Qt.MouseButton.LeftButton)
    assert not panel.detail.isVisible()


def test_the_chain_shows_the_range_after_each_step(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(1)[-1])
    qtbot.keyClick(tiles(panel)[0].grid, Qt.Key.Key_Return)
    after = panel.detail.grid.grab().toImage()
    panel.detail.chain_table.setFocus()
    qtbot.keyClick(panel.detail.chain_table, Qt.Key.Key_Up)
    before = panel.detail.grid.grab().toImage()
    assert before != after
    assert panel.detail.chain_table.currentIndex().row() == panel.detail.chain_table.model().rowCount() - 2
    qtbot.keyClick(panel.detail.chain_table, Qt.Key.Key_Down)
    assert panel.detail.chain_table.model().rowCount() == 5


def test_hovering_shows_the_cell_and_its_combos(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(1)[-1])
    grid = tiles(panel)[0].grid
    qtbot.mouseMove(grid, grid.cell_rect(14).center().toPoint())
    assert "Ada, KK: 6 combos live" in shown_labels(panel)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    qtbot.keyClick(panel.detail.grid, Qt.Key.Key_Right)
    assert panel.detail.combo_table.accessibleName() == "Combos of AKs"
    assert panel.detail.combo_table.model().rowCount() == 4
    assert panel.detail.why._product.text().startswith("AKs: prior ")


def test_the_chain_of_the_cell_is_told_in_its_place(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(1)[-1])
    qtbot.keyClick(tiles(panel)[0].grid, Qt.Key.Key_Return)
    QApplication.processEvents()
    why, place = panel.detail.why, panel.detail.why.geometry()
    for hand_class in (14, 1, 0, 100):
        qtbot.mouseMove(panel.detail.grid, panel.detail.grid.cell_rect(hand_class).center().toPoint())
        name = class_name(hand_class)
        assert why._product.text().startswith(f"{name}: prior ")
        assert why.factors.count() == 4
        assert why.factors.item(0).text().startswith("River, ")
        assert all(f"{name} " in why.factors.item(row).text() for row in range(4))
        assert why.factors.accessibleName() == f"How {name} came to its probability"
        assert why.geometry() == place
    panel.detail.chain_table.setFocus()
    qtbot.keyClick(panel.detail.chain_table, Qt.Key.Key_Up)
    assert why.factors.count() == 3
    assert why.geometry() == place


def test_a_combo_is_told_of_by_key_and_by_mouse(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(1)[-1])
    qtbot.keyClick(tiles(panel)[0].grid, Qt.Key.Key_Return)
    panel.detail.show_cell(2 * 13 + 2)
    table, why = panel.detail.combo_table, panel.detail.why
    texts = [table.model().index(row, 0).data() for row in range(6)]
    assert why._product.text().startswith("QQ: ")
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    chosen = table.currentIndex().row()
    assert why._product.text().startswith(f"{texts[chosen]}: prior ")
    table.entered.emit(table.model().index(2, 0))
    assert why._product.text().startswith(f"{texts[2]}: prior ")
    table.entered.emit(table.model().index(5, 0))
    assert why._product.text().startswith("QQ: "), "a blocked combo has no chain"
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert why._product.text().startswith(f"{texts[chosen]}: prior "), "the one chosen by key is back"


def test_a_low_panel_has_the_product_and_the_rest_in_its_tool_tip(panel: ReadPanel) -> None:
    panel.resize(560, 520)
    panel.show_point(samples.readings(1)[-1])
    panel.open_seat(1)
    panel.detail.show_cell(14)
    why = panel.detail.why
    assert why.factors.isVisible()
    QApplication.processEvents()
    side = panel.detail.grid.width()
    panel.detail.setFixedHeight(200)
    panel.detail.setFixedWidth(488)
    QApplication.processEvents()
    assert not why.factors.isVisible()
    assert why._product.isVisible()
    tip = why._product.toolTip()
    assert tip.startswith("KK: prior ")
    assert " ".join(tip.split()).count("an average hand") == 4
    assert side > panel.detail.grid.width() > 90


def test_a_blocked_class_says_so_instead_of_a_chain(panel: ReadPanel) -> None:
    panel.show_point(samples.readings(1)[-1])
    panel.open_seat(1)
    opponent = panel.model.ranges[1]
    opponent.dead = parse_cards("Ah Ad As Jh")
    panel.detail.show_cell(0)
    assert panel.detail.why._product.text().startswith("AA: all 6 combos are blocked by your A♥")
    assert panel.detail.why.factors.count() == 0


def test_choosing_a_reader_is_told_and_asks_for_every_point_anew(qtbot: QtBot, panel: ReadPanel) -> None:
    points = samples.readings(1)
    for point in points:
        panel.show_point(point)
    chosen: list[str] = []
    asked: list[object] = []
    panel.reader_chosen.connect(chosen.append)
    panel.point_requested.connect(asked.append)
    panel.set_reader("paper")
    assert chosen == [], "only the person chooses"
    panel.reader_box.setFocus()
    qtbot.keyClicks(panel.reader_box, "Unif")
    assert chosen[-1] == "uniform"
    assert "Nobody is read" in shown_labels(panel)
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    assert asked == [points[-2].event_count], "what the reader before made of it is gone"
    panel.set_reader("no such reader")
    assert panel.reader == DEFAULT_READER


def test_the_button_says_how_sure_the_reader_is(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.set_reader("uniform")
    qtbot.mouseClick(panel.sure_button, Qt.MouseButton.LeftButton)
    first = panel._calibration
    assert first is not None
    assert "Uniform" in first.windowTitle()
    qtbot.mouseClick(panel.sure_button, Qt.MouseButton.LeftButton)
    second = panel._calibration
    assert second is not None
    assert second is not first, "for the reader chosen now"
    assert second.isVisible()


@pytest.mark.parametrize(("opponents", "title"), [(1, "DeepStack"), (5, "Pluribus")])
def test_how_sure_opens_with_hands_of_such_a_table(
    qtbot: QtBot, panel: ReadPanel, opponents: int, title: str
) -> None:
    panel.set_reader("uniform")
    panel.show_point(samples.readings(opponents)[-1])
    qtbot.mouseClick(panel.sure_button, Qt.MouseButton.LeftButton)
    dialog = panel._calibration
    assert dialog is not None
    assert dialog.tabs.tabText(dialog.tabs.currentIndex()) == title


def test_how_sure_follows_the_session_for_the_reader_it_was_opened_for(qtbot: QtBot, panel: ReadPanel) -> None:
    def tally(reader: str, hands: int) -> TableTally:
        return TableTally(reader, hands, hands)

    panel.set_reader("uniform")
    panel.show_tallies([tally("learned", 7), tally("uniform", 3)])
    qtbot.mouseClick(panel.sure_button, Qt.MouseButton.LeftButton)
    dialog = panel._calibration
    assert dialog is not None
    about = dialog.session_page.about
    assert "3 hands of this session" in about.text()
    panel.show_tallies([tally("learned", 7), tally("uniform", 4)])
    qtbot.waitUntil(lambda: "4 hands of this session" in about.text())
    panel.show_tallies(())
    qtbot.waitUntil(lambda: "0 hands of this session" in about.text())


def test_going_back_and_live(qtbot: QtBot, panel: ReadPanel) -> None:
    for point in samples.readings(2)[:4]:
        panel.show_point(point)
    assert panel.live_button.isChecked()
    newest = panel.slider.maximum()
    assert panel.slider.value() == newest
    qtbot.keyClick(panel, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert panel.slider.value() == newest - 1
    assert not panel.live_button.isChecked()
    assert "Preflop: Boris calls 40" in shown_labels(panel)
    # The hand goes on meanwhile: the panel stays where the player looks.
    panel.show_point(samples.readings(2)[4])
    assert panel.slider.value() == newest - 1
    assert panel.slider.maximum() == newest + 1
    assert "Preflop: Boris calls 40" in shown_labels(panel)
    qtbot.mouseClick(panel.live_button, Qt.MouseButton.LeftButton)
    assert panel.slider.value() == newest + 1
    assert panel.live_button.isChecked()
    panel.show_point(samples.readings(2)[5])
    assert panel.slider.value() == newest + 2


def test_a_point_not_at_hand_is_asked_for(qtbot: QtBot, panel: ReadPanel) -> None:
    points = samples.readings(2)
    panel.show_point(points[-1])
    heard: list[object] = []
    panel.point_requested.connect(heard.append)
    for _ in range(2):
        qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    assert heard == [points[-2].event_count, points[-3].event_count]
    # The answer to the first, overtaken request is kept but not shown; the second one is.
    river = [update.action.event_index for update in points[-1].predictions[0].updates]
    panel.show_point(points[-2])
    panel.show_point(points[-3])
    assert len(panel.model.ranges[1].prediction.updates) == len(river) - 1
    qtbot.mouseClick(panel.forward_button, Qt.MouseButton.LeftButton)
    assert len(heard) == 2
    assert len(panel.model.ranges[1].prediction.updates) == len(river)


def test_the_slider_moves_by_keys(qtbot: QtBot, panel: ReadPanel) -> None:
    for point in samples.readings(1):
        panel.show_point(point)
    qtbot.keyClick(panel.slider, Qt.Key.Key_Home)
    assert "Preflop: the deal" in shown_labels(panel)
    qtbot.keyClick(panel.slider, Qt.Key.Key_End)
    assert panel.live_button.isChecked()


def test_truth_is_marked_and_ranked(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(2)[-1])
    before = tiles(panel)[0].grab().toImage()
    kings = parse_cards("KsKd")
    panel.set_truth({1: (kings[0], kings[1])})
    assert tiles(panel)[0].grab().toImage() != before
    qtbot.keyClick(tiles(panel)[0].grid, Qt.Key.Key_Return)
    assert "True hand K♠K♦: " in shown_labels(panel)
    # Hidden again with the next hand.
    point = samples.readings(2)[0]
    panel.show_point(replace(point, hand_number=8))
    assert "True hand" not in shown_labels(panel)


def test_the_truth_of_a_hand_can_come_before_its_readings(qtbot: QtBot, panel: ReadPanel) -> None:
    point = samples.readings(2)[-1]
    kings = parse_cards("KsKd")
    panel.set_truth({1: (kings[0], kings[1])}, point.hand_number)
    panel.show_point(point)
    qtbot.keyClick(tiles(panel)[0].grid, Qt.Key.Key_Return)
    assert "True hand K♠K♦: " in shown_labels(panel)


def test_numbers_reach_every_grid(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.resize(900, 900)
    panel.show_point(samples.readings(1)[-1])
    before = tiles(panel)[0].grid.grab().toImage()
    qtbot.keyClick(panel, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert panel.numbers_button.isChecked()
    assert tiles(panel)[0].grid.grab().toImage() != before


def test_odds_are_asked_for_the_point_shown(qtbot: QtBot, panel: ReadPanel) -> None:
    assert not panel.odds_button.isEnabled()
    for point in samples.readings(1):
        panel.show_point(point)
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(panel.odds_requested) as asked:
        qtbot.mouseClick(panel.odds_button, Qt.MouseButton.LeftButton)
    assert asked.args == [samples.readings(1)[-2]]


def test_opponents_who_fold_leave_and_clear_empties(panel: ReadPanel) -> None:
    point = samples.readings(3)[-1]
    panel.show_point(point)
    panel.show_point(replace(point, predictions=point.predictions[1:]))
    assert [tile.accessibleName().split(",")[0] for tile in tiles(panel)] == ["Boris", "Chloé"]
    panel.show_point(replace(point, predictions=(), shares={}))
    assert "Nobody is left to read." in shown_labels(panel)
    panel.clear()
    assert "appear here" in shown_labels(panel)
    assert not panel.odds_button.isEnabled()


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot, panel: ReadPanel) -> None:
    panel.show_point(samples.readings(2)[-1])
    panel.slider.setFocus()
    seen = set()
    for _ in range(20):
        widget = QApplication.focusWidget()
        assert widget is not None
        assert widget.accessibleName(), widget
        seen.add(widget.accessibleName())
        panel.focusNextChild()
    assert {"Points of the hand"} <= seen
    assert sum(name.startswith("Range: ") for name in seen) == 2


@pytest.mark.parametrize("opponents", [1, 3, 5])
def test_effective_combos_are_told_in_words_that_have_room(
    qtbot: QtBot, theme: ThemeSource, monkeypatch: pytest.MonkeyPatch, opponents: int
) -> None:
    """Of a range of more than a thousand the unit ended in an ellipsis: 1,225 effec…"""
    told: list[tuple[str, float]] = []
    paint = RangeTile._line

    def line(tile: RangeTile, painter: QPainter, box: QRectF, text: str, colour: str) -> None:
        if "effective" in text or "combos" in text:
            told.append((text, box.width() - QFontMetricsF(painter.font()).horizontalAdvance(text)))
        paint(tile, painter, box, text, colour)

    monkeypatch.setattr(RangeTile, "_line", line)
    panel = opened(qtbot, ReadPanel(theme))
    panel.show_point(samples.readings(opponents)[0])
    for size in product(range(400, 700, 50), range(430, 800, 60)):
        panel.resize(*size)
        panel.grab()
    assert any("1,225 " in text for text, _ in told)
    assert [text for text, left in told if left < 0] == []
