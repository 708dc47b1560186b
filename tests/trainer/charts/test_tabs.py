"""The charts as a user meets them: tabs, choosers, maps by mouse and keys, filters, sentences."""

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from weakref import ref

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import format_card, parse_cards
from engine.codec import frozen_vector
from engine.equity.combos import ComboShares
from engine.equity.next_cards import NextCards
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import RangeEquities
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot
from engine.ranges import parse_range
from tests.trainer import chart_samples as samples
from tests.trainer.gestures import PATIENCE, opened, rows_of, tool_tip
from trainer.calculator.charts_link_model import ChartsLink
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import RunState
from trainer.calculator.window import OddsWindow
from trainer.charts.cell_map import CellMap
from trainer.charts.chart_values import CARD_ORDER, Chart, GraphView, NextCardView
from trainer.charts.charts_model import COMPUTING, LANE, ChartEngine, ChartsModel
from trainer.charts.tabs import ChartTabs
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton
LIMIT = 10.0
ONE_HAND = parse_range("AhKh").weights


def solve(question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
    player = PlayerEquity(0.5, 0.0, 0.5, 0.0)
    yield Snapshot((player,) * len(question.players), Method.EXACT, 990, 0.1, True, 1.0)


class Shown:
    """The tabs on screen with an engine of plain rules."""

    def __init__(self, qtbot: QtBot, jobs: Jobs, theme: ThemeSource, engine: ChartEngine = samples.PLAIN) -> None:
        self.qtbot, self.jobs = qtbot, jobs
        self.odds = OddsModel(jobs, solve)
        self.model = ChartsModel(jobs, engine)
        self.tabs = QTabWidget()
        self.charts = ChartTabs(theme, self.model, self.tabs)
        self.link = ChartsLink(self.odds, self.model)
        self.charts.board.range_chosen.connect(self.link.take_range)
        self.tabs.resize(480, 560)
        opened(qtbot, self.tabs)

    def ask(self, *players: str, board: str = "") -> None:
        self.odds.entry.set_question(players, board)
        self.settle()

    def settle(self) -> None:
        def is_done() -> bool:
            status = None if self.model.shown is None else self.model.status(self.model.shown)
            is_open = status is not None and (status.message == COMPUTING or bool(status.note))
            return not self.odds.run.is_busy and self.jobs.is_idle(LANE) and not is_open

        self.qtbot.waitUntil(is_done)

    def open(self, chart: Chart) -> None:
        self.tabs.setCurrentIndex([panel.chart for panel in self.charts.panels].index(chart))
        self.settle()


@pytest.fixture
def shown(qtbot: QtBot, jobs: Jobs, theme: ThemeSource) -> Shown:
    return Shown(qtbot, jobs, theme)


@pytest.fixture
def flop(shown: Shown) -> Shown:
    shown.ask("AhKh", "QQ,JsTs", board="Jh Th 2c")
    return shown


def place_of(cells: CellMap, index: int) -> QPoint:
    return cells.cell_rect(index).center().toPoint()


def index_of(card: str) -> int:
    return CARD_ORDER.index(parse_cards(card)[0])


def test_each_chart_has_a_tab_and_says_what_is_missing(shown: Shown) -> None:
    titles = [shown.tabs.tabText(at) for at in range(shown.tabs.count())]
    assert titles == ["Next card", "Final hands", "Board", "Graph", "Heatmap", "Streets"]
    for panel in shown.charts.panels:
        shown.open(panel.chart)
        assert panel.message.isVisible()
        assert panel.message.text() == "Enter the hands or ranges of at least two players."
        assert panel.note.text() == ""


def test_every_chart_shows_itself_and_where_it_comes_from(flop: Shown) -> None:
    for panel in flop.charts.panels:
        flop.open(panel.chart)
        assert not panel.message.isVisible()
        assert panel.note.text().startswith(("Exact", "Sampled")), panel.chart
        assert panel.accessibleName() == str(panel.chart)


def test_the_chart_goes_with_its_question(flop: Shown) -> None:
    panel = flop.charts.next_card
    flop.odds.entry.set_board_text("")
    flop.settle()
    assert panel.message.text() == "The map shows the next card on a flop or a turn."
    flop.odds.entry.set_player_text(1, "")
    flop.settle()
    assert panel.message.text() == "Enter the hands or ranges of at least two players."
    flop.odds.entry.set_player_text(1, "QQ")
    flop.odds.entry.set_board_text("Jh Th 2c")
    flop.settle()
    assert not panel.message.isVisible()


def test_a_hidden_window_computes_nothing(flop: Shown) -> None:
    assert flop.model.shown is Chart.NEXT_CARD
    flop.tabs.hide()
    assert flop.model.shown is None
    flop.odds.entry.set_board_text("Jh Th 3c")
    flop.qtbot.waitUntil(lambda: flop.odds.run.state is RunState.FINISHED)
    assert flop.jobs.is_idle(LANE)
    flop.tabs.show()
    flop.settle()
    view = flop.model.view(NextCardView)
    assert view is not None
    assert parse_cards("3c")[0] in view.question.board


def test_running_the_odds_again_goes_on_with_a_chart_that_was_stopped(
    qtbot: QtBot, jobs: Jobs, theme: ThemeSource
) -> None:
    gate = threading.Semaphore(1)

    def held(question: EquityQuestion) -> Iterator[Snapshot[NextCards]]:
        for snapshot in samples.next_cards(question):
            gate.acquire(timeout=LIMIT)
            yield snapshot

    shown = Shown(qtbot, jobs, theme, replace(samples.PLAIN, next_cards=held))
    shown.odds.entry.set_question(("AhKh", "QQ"), "Jh Th 2c")
    panel = shown.charts.next_card
    qtbot.waitUntil(lambda: panel.note.text().endswith("25% done"))
    shown.charts.stop()
    assert panel.note.text().endswith("stopped at 25%, F5 goes on")
    shown.odds.entry.set_amounts(pot=100)  # nothing that the charts are of
    assert panel.note.text().endswith("stopped at 25%, F5 goes on")
    gate.release(10)
    shown.odds.run.start()
    shown.settle()
    assert panel.note.text() == "Exact"


def test_the_charts_go_when_they_are_let_go_and_not_when_some_thread_collects_cycles(
    qtbot: QtBot, jobs: Jobs, theme: ThemeSource
) -> None:
    shown = Shown(qtbot, jobs, theme)
    shown.ask("AhKh", "QQ,JsTs", board="Jh Th 2c")
    for panel in shown.charts.panels:
        shown.open(panel.chart)
    shown.tabs.close()
    watched = [ref(panel) for panel in shown.charts.panels] + [ref(shown.model), ref(shown.odds)]
    gc.collect()
    gc.disable()
    try:
        del shown, panel
        assert [one() for one in watched if one() is not None] == []
    finally:
        gc.enable()


# ---- next card


def test_pointing_at_a_card_tells_everybodys_equity_with_it(flop: Shown) -> None:
    panel = flop.charts.next_card
    QTest.mouseMove(panel.map, place_of(panel.map, index_of("As")))
    flop.qtbot.waitUntil(lambda: panel.map.current == index_of("As"))
    assert panel.detail.text().startswith("A♠ comes ")
    assert [row[2] for row in rows_of(panel.table.view)] == ["80.0%", "20.0%"]
    assert "Player 1 80.0%" in tool_tip(panel.map, place_of(panel.map, index_of("As")))
    assert tool_tip(panel.map, place_of(panel.map, index_of("Jh"))) == "J♥ is on the board"
    assert tool_tip(panel.map, place_of(panel.map, index_of("Ah"))) == "A♥ is in Player 1's hand"


def test_arrow_keys_walk_through_the_cards_and_each_is_told(flop: Shown) -> None:
    cells = flop.charts.next_card.map
    cells.setFocus()
    assert cells.accessibleDescription().startswith("A♠ comes ")
    QTest.keyClick(cells, Qt.Key.Key_Right)
    assert cells.accessibleDescription().startswith("K♠ comes ")
    QTest.keyClick(cells, Qt.Key.Key_Down)
    assert cells.accessibleDescription() == "K♥ is in Player 1's hand"
    QTest.keyClick(cells, Qt.Key.Key_End)
    assert cells.accessibleDescription() == "2♣ is on the board"
    QTest.keyClick(cells, Qt.Key.Key_Right)
    assert cells.focused_cell == index_of("2c")
    QTest.keyClick(cells, Qt.Key.Key_Home)
    QTest.keyClick(cells, Qt.Key.Key_Up)
    QTest.keyClick(cells, Qt.Key.Key_Left)
    assert cells.focused_cell == index_of("As")
    assert flop.charts.next_card.detail.text().startswith("A♠ comes ")


def test_a_click_on_a_turn_card_leads_to_its_river_cards_and_back(flop: Shown) -> None:
    panel = flop.charts.next_card
    assert not panel.back.isVisible()
    flop.qtbot.mouseClick(panel.map, LEFT, pos=place_of(panel.map, index_of("9s")))
    flop.settle()
    assert panel.trail.text() == "Turn 9♠: river cards"
    assert tool_tip(panel.map, place_of(panel.map, index_of("9s"))) == "9♠ is on the board"
    flop.qtbot.mouseClick(
        panel.map, LEFT, pos=place_of(panel.map, index_of("4s"))
    )  # there is no card after the river
    assert panel.trail.text() == "Turn 9♠: river cards"
    flop.qtbot.mouseClick(panel.back, LEFT)
    flop.settle()
    assert panel.trail.text().startswith("Turn cards")
    panel.map.setFocus()
    panel.map.set_focused_cell(index_of("8s"))
    QTest.keyClick(panel.map, Qt.Key.Key_Return)
    flop.settle()
    assert panel.trail.text() == "Turn 8♠: river cards"
    QTest.keyClick(panel.map, Qt.Key.Key_Backspace)
    assert panel.trail.text().startswith("Turn cards")


def test_a_narrow_map_turns_its_ranks_down(flop: Shown) -> None:
    cells = flop.charts.next_card.map
    assert not cells.is_turned
    assert cells.cell_rect(index_of("Ks")).left() > cells.cell_rect(index_of("As")).left()
    # Beside the other tabs it would get no narrower.
    cells.setParent(None)
    flop.qtbot.addWidget(cells)
    cells.resize(150, 400)
    cells.show()
    assert cells.is_turned
    assert cells.cell_rect(index_of("Ks")).top() > cells.cell_rect(index_of("As")).top()
    for card in ("As", "7h", "2c"):
        assert cells.cell_at(place_of(cells, index_of(card))) == index_of(card)
    cells.set_focused_cell(index_of("As"))
    QTest.keyClick(cells, Qt.Key.Key_Down)
    assert format_card(CARD_ORDER[cells.focused_cell]) == "Ks"


def test_the_player_is_chosen_for_all_charts(flop: Shown) -> None:
    first, board = flop.charts.next_card.players, flop.charts.board.players
    assert first is not None
    assert board is not None
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert flop.model.chosen == 1
    view = flop.model.view(NextCardView)
    assert view is not None
    assert view.player == 1
    flop.open(Chart.BOARD)
    assert board.currentText() == "Player 2"
    flop.odds.entry.set_question(("AA", "KK", "QQ"), "Jh Th 2c", names=("Ada", "Boris", "Eve"))
    flop.settle()
    assert [board.itemText(at) for at in range(board.count())] == ["Ada", "Boris", "Eve"]


# ---- final hands


def test_final_hands_show_all_players_or_one(flop: Shown) -> None:
    panel = flop.charts.categories
    flop.open(Chart.CATEGORIES)
    assert rows_of(panel.table.view)[-1] == ["High card", "50.0% ±0.20%", "0% ±0.30%", "50.0% ±0.20%", "0% ±0.30%"]
    assert panel.players is not None
    assert not panel.players.isEnabled()
    flop.qtbot.mouseClick(panel.of_all, LEFT, pos=QPoint(8, panel.of_all.height() // 2))
    assert panel.players.isEnabled()
    assert rows_of(panel.table.view)[-2] == ["Pair", "50.0% ±0.20%", "100.0% ±0.30%"]
    place = panel.bars.bar_rect(7, 0).center().toPoint()
    assert tool_tip(panel.bars, place) == "Player 1: pair 50.0% ±0.20%, and then gets 100.0% ±0.30% of the pot"


# ---- hits


def test_a_row_filters_the_grid_and_becomes_the_range(flop: Shown) -> None:
    panel = flop.charts.board
    flop.model.choose_player(1)
    flop.open(Chart.BOARD)
    assert rows_of(panel.table)[0][:2] == ["Pair", "6"]
    assert panel.summary.text() == "7 live combos"
    assert not panel.use.isEnabled()
    row = panel.table.visualRect(panel.hits.index(1, 0)).center()
    flop.qtbot.mouseClick(panel.table.viewport(), LEFT, pos=row)
    assert panel.summary.text() == "Nothing: 1 of 7 live combos, 14.3%"
    # The same row is chosen while ranges of others change.
    flop.odds.entry.set_player_text(0, "AhKd")
    flop.settle()
    assert panel.summary.text() == "Nothing: 1 of 7 live combos, 14.3%"
    flop.qtbot.mouseClick(panel.use, LEFT)
    assert flop.odds.entered.rows[1].hands == parse_range("JsTs")
    flop.settle()
    assert [row[0] for row in rows_of(panel.table)] == ["Nothing", "Draws", "Flush draw"]


def test_several_rows_are_one_filter_and_can_be_left(flop: Shown) -> None:
    panel = flop.charts.board
    flop.model.choose_player(1)
    flop.open(Chart.BOARD)
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.hits.index(0, 0))
    QTest.keyClick(panel.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert panel.summary.text() == "Pair, nothing: 7 of 7 live combos, 100.0%"
    flop.qtbot.mouseClick(panel.show_all, LEFT)
    assert panel.summary.text() == "7 live combos"
    assert not panel.show_all.isEnabled()


def test_the_line_of_draws_cannot_be_chosen(flop: Shown) -> None:
    panel = flop.charts.board
    flop.model.choose_player(1)
    flop.open(Chart.BOARD)
    assert rows_of(panel.table)[2][0] == "Draws"
    line = panel.table.visualRect(panel.hits.index(2, 0)).center()
    flop.qtbot.mouseClick(panel.table.viewport(), LEFT, pos=line)
    assert panel.summary.text() == "7 live combos"


# ---- graph, heatmap, streets


def test_the_crosshair_moves_by_keys_and_names_the_hands(flop: Shown) -> None:
    panel = flop.charts.graph
    flop.open(Chart.GRAPH)
    assert panel.readout.text() == "At 50% of each range, from its best hand"
    panel.graph.setFocus()
    QTest.keyClick(panel.graph, Qt.Key.Key_End)
    QTest.keyClick(panel.graph, Qt.Key.Key_Left)
    assert panel.readout.text().startswith("At 99% ")
    assert rows_of(panel.table.view)[1][2].startswith("JTs")
    QTest.keyClick(panel.graph, Qt.Key.Key_Home)
    QTest.keyClick(panel.graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert panel.readout.text().startswith("At 10% ")
    assert rows_of(panel.table.view)[1][2].startswith("QQ")
    assert "Player 1" in panel.graph.accessibleDescription()
    QTest.mouseMove(panel.graph, panel.graph.point(25, 50).toPoint())
    flop.qtbot.waitUntil(lambda: panel.readout.text().startswith("At 25% "))


@pytest.mark.parametrize("look", ["light", "dark"])
def test_a_sampled_line_is_painted_with_its_band(
    qtbot: QtBot, jobs: Jobs, theme: ThemeSource, look: str, qapp: QApplication
) -> None:
    style, colours = qapp.style().objectName(), qapp.palette()
    try:
        theme.choose(look)
        pages = []
        for error in (0.0, 0.1):

            def answer(question: EquityQuestion, error: float = error) -> Iterator[Snapshot[RangeEquities]]:
                method = Method.SAMPLED if error else Method.EXACT
                shares = ComboShares(ONE_HAND, frozen_vector(ONE_HAND * 0.5), frozen_vector(ONE_HAND * error))
                yield Snapshot((shares, shares), method, 500, 0.1, True, 1.0)

            shown = Shown(qtbot, jobs, theme, replace(samples.PLAIN, range_equities=answer))
            shown.ask("AhKh", "QQ", board="Jh Th 2c")
            shown.open(Chart.GRAPH)
            panel = shown.charts.graph
            assert ("Bands" in panel.legend.accessibleDescription()) == bool(error)
            heading = panel.table.rows.headerData(2, Qt.Orientation.Horizontal)
            assert heading.strip() == ("Band" if error else "Hand")
            image = panel.graph.grab().toImage()
            # Between grid lines: within two errors of 50 %, and beyond them.
            pages.append([image.pixel(panel.graph.point(30, equity).toPoint()) for equity in (65, 35, 75, 25)])
        exact, sampled = pages
        assert len(set(exact)) == 1
        assert sampled[0] == sampled[1] != exact[0]
        assert sampled[2:] == exact[2:]
    finally:
        qapp.setStyle(style)
        qapp.setPalette(colours)


def test_the_heatmap_tells_of_each_class(flop: Shown) -> None:
    panel = flop.charts.heatmap
    flop.open(Chart.HEATMAP)
    flop.model.choose_player(0)
    panel.map.setFocus()
    QTest.keyClick(panel.map, Qt.Key.Key_Right)
    assert panel.detail.text().startswith("AKs: equity ")
    assert tool_tip(panel.map, place_of(panel.map, 0)) == "AA: not in the range"


def test_streets_tell_every_street(flop: Shown) -> None:
    panel = flop.charts.streets
    flop.open(Chart.STREETS)
    assert rows_of(panel.table.view) == [
        ["Player 1", "40.0% ±0.10%", "50.0%"],
        ["Player 2", "60.0% ±0.10%", "50.0%"],
    ]
    assert panel.lines.point(1, 0.5).y() < panel.lines.point(0, 0.4).y()
    assert tool_tip(panel.lines, panel.lines.point(1, 0.5).toPoint()) == "Flop\nPlayer 1: 50.0%\nPlayer 2: 50.0%"


# ---- in the window, with the engine


@pytest.fixture
def window(qtbot: QtBot, jobs: Jobs, theme: ThemeSource, settings: SettingsFile) -> OddsWindow:
    made = OddsWindow(theme, jobs, settings, RangeLibrary())
    made.resize(1240, 660)
    return opened(qtbot, made)


def wait_for(qtbot: QtBot, window: OddsWindow, chart: Chart) -> None:
    """Open a chart and wait for its last answer; the first may compile."""
    panel = next(panel for panel in window.charts.panels if panel.chart is chart)
    window.panels.setCurrentWidget(panel)
    model = window.charts.model

    def is_there() -> bool:
        status = model.status(chart)
        is_asked = not window.model.run.is_busy and model.question == window.model.answered is not None
        return is_asked and not (status.message or status.note)

    qtbot.waitUntil(is_there, timeout=PATIENCE)


def test_the_engine_fills_every_chart(qtbot: QtBot, window: OddsWindow) -> None:
    window.model.entry.set_question(("AhKh", "QsQd"), "Jh Th 2c")
    charts = window.charts
    for panel in charts.panels:
        wait_for(qtbot, window, panel.chart)
        assert panel.note.text().startswith("Exact"), panel.chart
    # The queen of hearts makes a royal flush; that of spades is held.
    map_of_cards, grid_of_classes = charts.next_card.view, charts.heatmap.view
    assert map_of_cards is not None
    assert grid_of_classes is not None
    told = [map_of_cards.map.cells[index_of(card)].number for card in ("Qh", "Qs")]
    assert told == ["100.0", ""]
    assert rows_of(charts.board.table)[0][0] == "Ace high"
    equities = [row[1] for row in rows_of(charts.graph.table.view)]
    snapshot = window.model.run.snapshot
    assert snapshot is not None
    assert equities == [f"{100 * player.equity:.1f}%" for player in snapshot.value]
    assert [row[-1] for row in rows_of(charts.streets.table.view)] == equities
    # E1 of the reference answers for the odds before the flop: AhKh has 46.21% against QsQd.
    assert rows_of(charts.streets.table.view)[0][1] == "46.2%"
    assert grid_of_classes.map.cells[1].number == equities[0].rstrip("%")


def test_a_range_from_the_board_can_be_undone(qtbot: QtBot, window: OddsWindow) -> None:
    window.model.entry.set_question(("AA,KK,72o", "QQ"), "Ah 7c 2d")
    wait_for(qtbot, window, Chart.BOARD)
    panel = window.charts.board
    # Of 72o nine combos are left, two of them suited and so no 72o.
    assert [row[:2] for row in rows_of(panel.table)][:2] == [["Set", "3"], ["Two pair", "7"]]
    panel.table.selectRow(0)
    qtbot.mouseClick(panel.use, LEFT)
    assert window.model.entered.rows[0].hands == parse_range("AcAd,AcAs,AdAs")
    wait_for(qtbot, window, Chart.BOARD)
    assert len(rows_of(panel.table)) == 1
    window.model.entry.undo_stack.undo()
    assert window.model.entered.rows[0].hands == parse_range("AA,KK,72o")


def test_what_a_range_hits_adds_up(qtbot: QtBot, window: OddsWindow) -> None:
    """A set, an underpair and jack high are a combo each: 33.3% three times makes 99.9%."""
    window.model.entry.set_question(("AcAd,KcKd,JhTh", "22"), "Ah Qc 7s 4s 9d")
    wait_for(qtbot, window, Chart.BOARD)
    panel = window.charts.board
    rows = rows_of(panel.table)
    assert [row[2] for row in rows] == ["33.4%", "33.3%", "33.3%"]
    assert [row[3] for row in rows] == ["33.4%", "66.7%", "100.0%"]
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=panel.table.visualRect(panel.hits.index(0, 0)).center())
    assert panel.summary.text().endswith("1 of 3 live combos, 33.4%")


def test_escape_stops_the_chart_too(qtbot: QtBot, window: OddsWindow) -> None:
    window.model.entry.set_question(("QQ+", "20%", "random"), "")
    wait_for(qtbot, window, Chart.STREETS)
    window.panels.setCurrentWidget(window.charts.graph)
    model = window.charts.model
    qtbot.waitUntil(lambda: model.view(GraphView) is not None, timeout=PATIENCE)
    is_running = bool(model.status(Chart.GRAPH).note)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.charts.model._jobs.is_idle(LANE))
    assert not is_running or model.status(Chart.GRAPH).note.startswith("stopped at ")


def test_all_titles_are_seen_in_a_small_window(qtbot: QtBot, window: OddsWindow) -> None:
    bar = window.panels.tabBar()
    last = bar.tabRect(bar.count() - 1)
    assert last.right() <= bar.width()
    assert window.panels.width() >= bar.width()


# ---- looks


@pytest.mark.parametrize("look", ["light", "dark"])
def test_every_chart_is_painted_in_both_looks(
    shown: Shown, theme: ThemeSource, look: str, qapp: QApplication
) -> None:
    style, colours = qapp.style().objectName(), qapp.palette()
    try:
        shown.ask("AhKh", "QQ,JsTs", "22+", "random", "A2s+", "KTo+", board="Jh Th 2c")
        theme.choose(look)
        pages = []
        for panel in shown.charts.panels:
            shown.open(panel.chart)
            pages.append(panel.grab().toImage())
        assert all(len(_colours(page)) > 10 for page in pages)
    finally:
        qapp.setStyle(style)
        qapp.setPalette(colours)


def _colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


def test_every_control_has_a_name(flop: Shown) -> None:
    for panel in flop.charts.panels:
        flop.open(panel.chart)
        for child in panel.findChildren(QWidget):
            is_control = child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible()
            if is_control and child.focusProxy() is None:
                has_text = getattr(child, "text", None)
                assert child.accessibleName() or (has_text is not None and has_text()), child
