"""One range enlarged: its chain of updates, the combos of the class pointed at, and how that became so likely."""

from textwrap import fill

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.agents.posterior import effective_combos
from engine.agents.value_reasons import capital
from engine.cards import HoleCards
from engine.game.events import Seat
from trainer.reading.range_grid import SIDE, RangeGrid
from trainer.reading.range_menu import RangeMenu
from trainer.reading.range_model import (
    EFFECTIVE_TIP,
    CellDetails,
    ChainView,
    OpponentRange,
    figure_line,
    percent,
)
from trainer.reading.range_tiles import side_text
from trainer.theme import Theme, ThemeSource
from trainer.widgets.layouts import tight
from trainer.widgets.painted import FittedToFont
from trainer.widgets.rows import RowsModel, fit_rows, make_table
from trainer.widgets.text_field import ColouredLabel, make_bold

_FEWEST_LINES, _MOST_LINES = 3, 9
"""Lines of text in which a chain is shown, by the height of the panel; a longer chain scrolls."""

_LOW = 8  # in lines: with less room below the grid, a chain's product alone is shown; its tool tip has the rest
_HIGH_COLUMN, _LEAST_COLUMN = 20, 11
"""Height and width in lines of a column next to the grid that holds the reasons, too."""

_LEAST_TABLES = 5.0  # height in lines of tables that are worth showing
_NARROW = 17
"""In lines: in narrower tables the figures that the sentence and the tool tips have, too, have no column."""

_GAP = 3
_TIP_WIDTH = 84


class _ChainList(QWidget):
    """How a class or a combo came to its probability: the product in one line, its factors below, newest first.

    Its size depends on the panel's alone, so that nothing jumps under the mouse.
    """

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._shown: ChainView | None = None
        self._product = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._product.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._product.setAccessibleName("Prior times likelihoods")
        self.factors = QListWidget()
        self.factors.setWordWrap(True)
        self.factors.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.factors.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.factors.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.factors.setToolTip("What each action says of this hand, the newest first")
        whole = tight(QVBoxLayout(self), self._product, self.factors, spacing=1)
        self._rows = whole
        self.set_brief(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self._on_theme_changed)

    def set_brief(self, is_brief: bool) -> None:
        """Show the product alone; the reasons may stand elsewhere."""
        line = QFontMetricsF(self.factors.font()).lineSpacing()
        self.factors.setMinimumHeight(round(_FEWEST_LINES * line) + 6)
        tallest = round((_MOST_LINES + 1) * line) + 10
        self.setMaximumHeight(self.minimum_height if is_brief else tallest)

    def place_factors(self, elsewhere: QVBoxLayout | None) -> None:
        """Show the reasons below the product, or at the end of another layout."""
        target, stretch = (self._rows, 0) if elsewhere is None else (elsewhere, 4)
        if target.indexOf(self.factors) < 0:
            target.addWidget(self.factors, stretch)

    @property
    def minimum_height(self) -> int:
        """Height in pixels of the product alone."""
        return round(QFontMetricsF(self._product.font()).lineSpacing()) + 1

    def show_chain(self, chain: ChainView | None, heading: str) -> None:
        """Show a chain under a heading that ends with its product, or the heading alone where there is none."""
        if chain is self._shown and heading == self._product.text():
            return
        self._shown, product = chain, heading
        self._product.setText(product)
        lines = chain.lines if chain else ()
        while self.factors.count() > len(lines):
            self.factors.takeItem(self.factors.count() - 1)
        while self.factors.count() < len(lines):
            self.factors.addItem(QListWidgetItem())
        for row, line in enumerate(lines):
            self.factors.item(row).setText(line.text)
        self.factors.setCurrentRow(-1)
        self.factors.scrollToTop()
        self.factors.setAccessibleName(f"How {chain.title} came to its probability" if chain else "Nothing to tell")
        self.factors.setAccessibleDescription(product)
        tip = "\n".join([product, *(fill(line.text, _TIP_WIDTH, subsequent_indent="    ") for line in lines)])
        self._product.setToolTip(tip)
        self._product.setAccessibleDescription(tip)
        self._colour()

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._colour()

    def _colour(self) -> None:
        theme = self._theme.theme
        for row, line in enumerate(self._shown.lines if self._shown else ()):
            self.factors.item(row).setForeground(QColor(theme.text if line.is_counted else theme.text_muted))


class RangeDetail(FittedToFont):
    """One range enlarged: its chain of updates, the combos of the class pointed at, and how that became so likely.

    Pointing at a combo, or choosing it by key, shows that combo instead of its class.
    """

    closed = Signal()
    cell_hovered = Signal(object, object)  # seat, hand class or None
    odds_requested = Signal(object)  # RangeAsked
    all_odds_requested = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._range: OpponentRange | None = None
        self._step: int | None = None
        self._cell: int | None = None
        self._details: CellDetails | None = None
        self.menu: RangeMenu | None = None
        self.grid = RangeGrid(theme)
        self.grid.cell_hovered.connect(self._on_cell_hovered)
        self.grid.cell_activated.connect(self.closed)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        make_bold(self._title)
        self._chain = RowsModel(
            ("Street", "Action", ">Leaves", ">Effective"),
            self,
            ("", "", "How much of the range until then this leaves", EFFECTIVE_TIP),
        )
        self.chain_table = make_table(self._chain, "Chain of updates", 1)
        self.chain_table.selectionModel().currentRowChanged.connect(self._on_step_chosen)
        self._combos = RowsModel(
            ("Combo", ">Now", ">At first", ">How often"),
            self,
            (
                "",
                "Share of the range",
                "Share of the range before any action",
                "How often it does the newest action that counts",
            ),
        )
        self.combo_table = make_table(self._combos, "Combos of the class", 0)
        self.combo_table.setMouseTracking(True)
        self.combo_table.entered.connect(self._on_combo_entered)
        self.combo_table.selectionModel().currentRowChanged.connect(self._on_combo_chosen)
        self.combo_table.viewport().installEventFilter(self)
        self.why = _ChainList(theme)
        self._sentence = QLabel(
            textFormat=Qt.TextFormat.PlainText, wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop
        )
        self._sentence.setAccessibleName("What the action did to the range")
        self._held = ColouredLabel(theme, "truth", wraps=True)
        self._held.setAccessibleName("The hand really held")
        self._held.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        self._tables = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._tables.setSpacing(4)
        self._tables.addWidget(self.chain_table, 3)
        self._tables.addWidget(self.combo_table, 3)
        self._column = tight(QVBoxLayout(), self._title, self._held, spacing=_GAP)
        self._column.addLayout(self._tables, 5)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.addWidget(self.grid, 0, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._body.addLayout(self._column, 1)
        whole = self._whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(_GAP)
        whole.addLayout(self._body, 1)
        whole.addWidget(self._sentence)
        whole.addWidget(self.why)

    @property
    def seat(self) -> Seat | None:
        """Whose range is shown."""
        return self._range.seat if self._range else None

    def show_range(self, opponent: OpponentRange, hole_cards: HoleCards | None) -> None:
        """Show an opponent's range after its last step, and the hand really held if known."""
        self._range = opponent
        truth = opponent.truth(hole_cards) if hole_cards else None
        self.grid.set_truth(truth.hand_class if truth else None)
        self.grid.set_even_words(opponent.even_words)
        self.grid.set_describe(self._describe)
        self.grid.setAccessibleName(f"Range: {opponent.name}")
        parts = [opponent.name, opponent.position, f"{opponent.effective:,.0f} effective combos"]
        self._title.setText("  ·  ".join(part for part in parts if part))
        self._title.setToolTip(EFFECTIVE_TIP)
        self._held.setText(capital(truth.text) if truth else "")
        self._held.setVisible(truth is not None)
        steps = opponent.steps
        rows = [
            (
                step.street,
                step.words,
                percent(step.update.mean_likelihood) if step.update else "",
                f"{effective_combos(step.after):,.0f}",
            )
            for step in steps
        ]
        tips = [
            "\n".join(figure_line(figure) for figure in step.update.figures)
            if step.update
            else "What any hand is worth before the first action"
            for step in steps
        ]
        self._chain.show_rows(rows, tips=tips)
        self.chain_table.selectRow(len(steps) - 1)
        self._show_step(None)

    def _show_step(self, step: int | None) -> None:
        assert self._range is not None
        self._step = step
        self.grid.show_grid(self._range.grid(step))
        sentence = self._range.sentence(len(self._range.steps) - 1 if step is None else step)
        self._sentence.setText(sentence)
        self._sentence.setToolTip(sentence)
        self._show_combos()

    def _show_combos(self) -> None:
        assert self._range is not None
        if self._cell is None:
            self._cell = int(self._range.grid(self._step).sums.argmax())
        details = self._range.details(self._cell, self._step)
        self._details = details
        self._combos.show_rows(
            [
                (
                    row.text,
                    "blocked" if row.is_blocked else percent(row.share),
                    "" if row.is_blocked else percent(row.prior),
                    "" if row.likelihood is None else f"{row.likelihood:.2f}",
                )
                for row in details.combos
            ],
            muted=[index for index, row in enumerate(details.combos) if row.is_blocked],
        )
        self.combo_table.setAccessibleName(f"Combos of {details.title}")
        self._show_combo(-1)

    def _show_combo(self, row: int) -> None:
        """Describe one combo, or of the class if the row is none or blocked."""
        if self._range is None or self._details is None:
            return
        rows = self._details.combos
        if 0 <= row < len(rows) and not rows[row].is_blocked:
            chain: ChainView | None = self._range.chain((rows[row].combo,), self._step)
        else:
            chain = self._details.chain
        self.why.show_chain(chain, f"{chain.title}: {chain.product}" if chain else self._details.heading)

    def _on_combo_entered(self, index: QModelIndex) -> None:
        self._show_combo(index.row())

    def _on_combo_chosen(self, index: QModelIndex, _previous: QModelIndex) -> None:
        self._show_combo(index.row())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave and watched is self.combo_table.viewport():
            self._show_combo(self.combo_table.currentIndex().row())
        return super().eventFilter(watched, event)

    def _describe(self, hand_class: int) -> str:
        return self._range.details(hand_class, self._step).text if self._range else ""

    def show_cell(self, hand_class: int) -> None:
        """Go to a class: the focus cell and its combos."""
        self._cell = hand_class
        self.grid.set_focused_cell(hand_class)
        self._show_combos()

    def _on_step_chosen(self, index: QModelIndex, _previous: QModelIndex) -> None:
        if index.isValid() and self._range is not None:
            last = len(self._range.steps) - 1
            self._show_step(None if index.row() == last else index.row())

    def _on_cell_hovered(self, hand_class: int | None) -> None:
        if hand_class is not None and self._range is not None:
            self._cell = hand_class
            self._show_combos()
        self.cell_hovered.emit(self.seat, hand_class)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._range is None:
            return
        cell, place = self.grid.cell_of_menu(event)
        # A click outside the grid, as on the combos, is about the class described.
        self.menu = RangeMenu(self._range, self._step, self._cell if cell is None else cell, self)
        self.menu.odds_requested.connect(self.odds_requested)
        self.menu.all_odds_requested.connect(self.all_odds_requested)
        self.menu.popup(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def _fit_to_font(self) -> None:
        for table in (self.chain_table, self.combo_table):
            fit_rows(table)
        self._divide()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def _divide(self) -> None:
        """Leave the grid the size of a tile of its own, so that enlarging never shrinks it."""
        metrics = QFontMetricsF(self.font())
        line, gap = metrics.lineSpacing(), _GAP
        sentence = round(2 * line) + 1
        product = self.why.minimum_height
        tables = _LEAST_TABLES * line
        wide = min(self.height() - sentence - product - 2 * gap, self.width() - side_text(metrics))
        above = min(self.width(), self.height() - tables - line - product - 4 * gap)
        is_wide = wide >= above
        side = max(int(max(wide, above)), 4 * SIDE)
        self.grid.setFixedSize(side, side)
        left = self.height() - side - sentence - 2 * gap - (0 if is_wide else tables + line + 2 * gap)
        # Two lines whether they are needed or not, so that nothing moves when a step is chosen.
        self._sentence.setFixedHeight(sentence)
        self._sentence.setVisible(is_wide or left >= product)
        # The reasons stand below the grid where there is room, else in a column next to it that is high enough.
        column = self.width() - side - 2 * _GAP
        has_column = is_wide and side >= _HIGH_COLUMN * line and column >= _LEAST_COLUMN * line
        is_below = left >= _LOW * line or not has_column
        self.why.place_factors(None if is_below else self._column)
        self.why.set_brief(left < _LOW * line)
        self.why.factors.setVisible(not is_below or left >= _LOW * line)
        direction = QBoxLayout.Direction
        self._body.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._tables.setDirection(direction.TopToBottom if is_wide else direction.LeftToRight)
        is_narrow = (self.width() - side if is_wide else self.width() / 2) < _NARROW * line
        for table, columns in ((self.chain_table, (2, 3)), (self.combo_table, (2,))):
            for column in columns:
                table.setColumnHidden(column, is_narrow)
        self.chain_table.scrollTo(self.chain_table.currentIndex())
