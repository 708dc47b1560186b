"""The odds calculator: up to ten hands or ranges, board and dead cards, and their odds as they come in."""

import logging
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.cards import BOARD_SIZE, Card, Street
from engine.equity.checks import EquityError
from engine.foreign_text import printable
from trainer.calculator.card_fields import CardsLine, CardsPanel
from trainer.calculator.card_picker import CardPicker
from trainer.calculator.charts_link_model import ChartsLink
from trainer.calculator.decisions import DecisionPanel
from trainer.calculator.decisions_model import DecisionsModel
from trainer.calculator.entry_model import Place
from trainer.calculator.exchange import OddsExchange
from trainer.calculator.field import UndoElsewhere
from trainer.calculator.input_model import BOARD_CARDS
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.player_rows import PlayerRows
from trainer.calculator.range_dialogs import RangeDialogs
from trainer.calculator.run_panel import RunPanel
from trainer.calculator.tools import OddsTools
from trainer.charts.charts_model import ChartsModel
from trainer.charts.tabs import ChartTabs
from trainer.first_steps.glossary import TermsButton
from trainer.jobs import Jobs
from trainer.ranges.library import RangeLibrary
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, open_at
from trainer.widgets.layouts import tight
from trainer.widgets.tabs import Tabs
from trainer.widgets.text_field import ColouredLabel

_log = logging.getLogger(__name__)

_STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_USUAL_SIZE = QSize(1240, 660)
_PANEL_WIDTH = 480
_LEAST_SIZE = QSize(480, 300)  # what does not fit scrolls


class OddsWindow(QWidget):
    """The calculator's window; non-modal, everything in it works by keyboard too."""

    def __init__(
        self,
        theme: ThemeSource,
        jobs: Jobs,
        settings: SettingsFile,
        library: RangeLibrary,
        model: OddsModel | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Odds calculator")
        self.setAcceptDrops(True)
        self._settings = settings
        self._is_divided = False
        self._tab_order: list[QWidget] = []
        self._picked_for: Place = "board"
        self.model = model or OddsModel(jobs, ranking=settings.settings.range_ranking)
        entry = self.model.entry
        self.picker = CardPicker(theme, self)
        self.ranges = RangeDialogs(theme, self.model, library, self)
        self.exchange = OddsExchange(self, self.model)
        others = (self.exchange.open, self.exchange.save, self.exchange.paste, self.exchange.copy)
        self.terms = TermsButton(self)
        self.tools = OddsTools(self, entry.undo_stack, others, self.terms)
        self.notice = ColouredLabel(theme, "bad")
        self.board = CardsPanel(theme, entry.undo_stack, "&Board", "Board", BOARD_CARDS)
        self.dead = CardsPanel(theme, entry.undo_stack, "&Dead", "Dead cards", 0)
        self.players = PlayerRows(theme, self.model)
        self.controls = RunPanel(theme, self.model)
        self.panels = Tabs(is_document=True)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._build()
        self.decision = DecisionPanel(theme, DecisionsModel(self.model, jobs))
        self.charts = ChartTabs(theme, ChartsModel(jobs), self.panels)
        self._link = ChartsLink(self.model, self.charts.model)
        self.charts.board.range_chosen.connect(self._link.take_range)
        self.panels.addTab(self.decision, "Decision")
        self._connect()
        self._on_input_changed()
        self._on_odds_changed()
        self._restore()
        self.players.focus_row(0)

    def set_four_colours(self, is_on: bool) -> None:
        self.picker.set_four_colours(is_on)
        if self.board.slots is not None:
            self.board.slots.set_four_colours(is_on)
        self.decision.set_four_colours(is_on)

    # ---- parts

    def _build(self) -> None:
        outer = tight(QVBoxLayout(self))
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer.addWidget(scroll)
        content = QWidget()
        scroll.setWidget(content)
        whole = QVBoxLayout(content)
        whole.setContentsMargins(8, 8, 8, 10)
        left = QWidget()
        layout = tight(QVBoxLayout(left), spacing=8)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panels)
        self.splitter.setCollapsible(0, False)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setHandleWidth(8)
        whole.addWidget(self.splitter)
        self.panels.setAccessibleName("Pictures and figures")
        layout.addWidget(self.tools)
        layout.addWidget(self.notice)
        layout.addWidget(self._build_cards())
        layout.addWidget(self.players, 1)
        layout.addWidget(self.controls)
        self.notice.setWordWrap(True)
        self.notice.setAccessibleName("Message")
        self.notice.hide()
        self.setMinimumSize(_LEAST_SIZE)

    def _build_cards(self) -> CardsLine:
        self.board.add_button(self._menu_button("Random", "Board: deal at random", self.model.entry.deal_board))
        self.board.add_button(self._menu_button("Clear", "Board: take back", self.model.entry.clear_board))
        self.board.buttons.addStretch(1)
        self.board.field.setPlaceholderText("such as Ks 7d 2h")
        self.dead.field.setPlaceholderText("out of play")
        return CardsLine(self.board, self.dead)

    def _menu_button(self, text: str, name: str, act: Callable[[Street], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(name)
        menu = QMenu(button)
        for street in _STREETS:
            menu.addAction(_street_text(text, street), partial(act, street))
        button.setMenu(menu)
        return button

    def _connect(self) -> None:
        model, entry = self.model, self.model.entry
        model.input_changed.connect(self._on_input_changed)
        model.odds_changed.connect(self._on_odds_changed)
        self.board.field.textEdited.connect(entry.set_board_text)
        self.dead.field.textEdited.connect(entry.set_dead_text)
        for panel in (self.board, self.dead):
            panel.field.editingFinished.connect(entry.end_step)
            panel.field.question_pasted.connect(self.exchange.take_line)
        self.board.pick.clicked.connect(lambda: self._open_picker("board", self.board.pick))
        self.dead.pick.clicked.connect(lambda: self._open_picker("dead", self.dead.pick))
        if self.board.slots is not None:
            self.board.slots.slot_clicked.connect(lambda slot: self._open_picker("board", self.board, slot))
        self.picker.cards_changed.connect(self._on_picked)
        self.picker.closed.connect(entry.end_step)
        self.players.cards_requested.connect(self._on_pick_hand)
        self.players.range_requested.connect(self.ranges.edit)
        self.players.library_requested.connect(self.ranges.open_library)
        self.players.question_pasted.connect(self.exchange.take_line)
        self.ranges.loaded.connect(self._on_range_loaded)
        self.exchange.said.connect(self._on_said)
        self.tools.clear_requested.connect(self._on_clear)
        for key, act in (
            ("F5", self.controls.start),
            ("F6", self.controls.pause_or_go_on),
            ("Esc", self._on_escape),
            ("Ctrl+N", self.players.add_player),
            ("Ctrl+L", self._on_library_key),
        ):
            QShortcut(QKeySequence(key), self, act)
        self._undo_filter = UndoElsewhere(self)
        for part in (self.panels, self.controls.samples):
            for field in (*part.findChildren(QLineEdit), *part.findChildren(QAbstractSpinBox)):
                field.installEventFilter(self._undo_filter)
        self.controls.samples.installEventFilter(self._undo_filter)

    def _restore(self) -> None:
        """Take up what was remembered: the size, and the last question as a step that can be undone."""
        open_at(self, _USUAL_SIZE)
        remembered = self._settings.settings
        self.restoreGeometry(remembered.odds_geometry)
        self._is_divided = self.splitter.restoreState(remembered.odds_state)
        if remembered.odds_question:
            try:
                self.model.entry.take_line(remembered.odds_question)
            except EquityError as error:
                _log.warning("The last question cannot be read: %s", error)

    # ---- what the model says

    def _on_input_changed(self) -> None:
        entered, clashes = self.model.entered, self.model.clashes
        self.players.refresh()
        self._order_tabs()
        self.board.refresh(entered.board, clashes.get("board", ""))
        self.dead.refresh(entered.dead, clashes.get("dead", ""))
        self.controls.refresh()
        self._on_said("", True)
        self.exchange.refresh()
        self.players.fit_previews(self.width())

    def _order_tabs(self) -> None:
        """Let Tab go through the window as it is read: cards, players, method, run, panels."""
        cards = (*self.board.tab_order, *self.dead.tab_order)
        order = [self.tools.clear, *cards, *self.players.tab_order, *self.controls.tab_order]
        if order == self._tab_order:
            return
        self._tab_order = order
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def _on_odds_changed(self) -> None:
        self.players.refresh_odds()
        self.controls.refresh_odds()
        self.exchange.refresh()

    def _on_said(self, text: str, is_good: bool) -> None:
        self.notice.set_meaning("text_muted" if is_good else "bad")
        self.notice.setText(printable(text))
        self.notice.setVisible(bool(text))

    # ---- what the user does

    def _on_escape(self) -> None:
        self.model.run.stop()
        self.charts.stop()

    def _on_clear(self) -> None:
        self.model.entry.clear()
        self.players.focus_row(0)

    def _on_pick_hand(self, index: int) -> None:
        self._open_picker(index, self.players.rows[index].pick)

    def _open_picker(self, place: Place, below: QWidget, slot: int | None = None) -> None:
        self._picked_for = place
        self.model.entry.end_step()
        at = self.model.entry.cards_at(place)
        self.picker.open_for(at.title, at.cards, at.capacity, at.used, below, slot)

    def _on_picked(self, cards: tuple[Card, ...]) -> None:
        self.model.entry.choose_cards(self._picked_for, cards)

    def _on_library_key(self) -> None:
        """Open the library for the row that has the focus, else for the first one."""
        self.ranges.open_library(self.players.row_of(self.focusWidget()))

    def _on_range_loaded(self, index: int) -> None:
        self.activateWindow()
        self.players.focus_row(index)

    # ---- Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.exchange.can_take(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.exchange.take_dropped(event.mimeData())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.players.fit_previews(self.width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_divided:  # only now are the parts as wide as they will be
            self._is_divided = True
            panels = max(2 * self.width() // 5, _PANEL_WIDTH)
            self.splitter.setSizes([self.width() - panels, panels])

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.run.stop()
        self.charts.stop()
        self.ranges.close()
        self._settings.change(
            odds_geometry=self.saveGeometry().data(),
            odds_state=self.splitter.saveState().data(),
            odds_question=self.model.entry.line(),
            range_ranking=self.model.entered.ranking,
        )
        super().closeEvent(event)


def _street_text(what: str, street: Street) -> str:
    name = street.name.lower()
    if what == "Random":
        return f"Up to the {name} ({BOARD_SIZE[street]} cards)"
    return {"flop": "All", "turn": "Turn and river", "river": "River"}[name]
