"""Final hands: what each player's best five end up as, and how often they win with it."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from trainer.charts.chart_values import CATEGORY_NAMES, CategoriesView, HandBar
from trainer.charts.charts_model import ChartsModel
from trainer.charts.panel import ChartPanel, ChartTable, PlayerLegend
from trainer.theme import Theme, ThemeSource
from trainer.widgets.check_box import CheckBox
from trainer.widgets.painted import Painted

_FAINT = 0.4
_LOST = 0.35  # opacity of the part of a bar that does not win


class _CategoryBars(Painted):
    """For each final hand a bar per player: its length is the chance, its solid part what wins the pot."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Final hands as bars; the table below has the numbers", fills=True)
        self._view: CategoriesView | None = None
        self._is_faint = False

    def show_view(self, view: CategoriesView, *, is_faint: bool) -> None:
        """Show bars; faint while they are out of date."""
        self._view, self._is_faint = view, is_faint
        self.update()

    def bar_rect(self, row: int, place: int) -> QRectF:
        """Return the space of a bar: by final hand, and by its place among the players shown."""
        assert self._view is not None
        metrics = QFontMetricsF(self.font())
        left = max(metrics.horizontalAdvance(name) for name in CATEGORY_NAMES) + 8
        right = metrics.horizontalAdvance("100.0%") + 6 if len(self._view.shown) <= 2 else 2.0
        top = metrics.height() + 4
        height = (self.height() - top) / len(CATEGORY_NAMES)
        gap = min(0.2 * height, 6.0)
        thick = (height - gap) / len(self._view.shown)
        return QRectF(left, top + row * height + gap / 2 + place * thick, self.width() - left - right, thick)

    def _scale(self) -> float:
        """Return the chance at the right end of the axis: the next tenth above the largest."""
        assert self._view is not None
        largest = max((bar.chance for bars in self._view.bars for bar in bars), default=1.0)
        return min(max(0.1 * -int(-10 * largest // 1), 0.1), 1.0)

    def sizeHint(self) -> QSize:
        return self._in_lines(24, 16)

    def minimumSizeHint(self) -> QSize:
        return self._in_lines(14, 10)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        theme, scale = self._theme.theme, self._scale()
        self._paint_axis(painter, theme, scale)
        for row, (name, bars) in enumerate(zip(CATEGORY_NAMES, self._view.bars, strict=True)):
            first, last = self.bar_rect(row, 0), self.bar_rect(row, len(bars) - 1)
            painter.setPen(QColor(theme.text if any(bar.chance > 0 for bar in bars) else theme.text_muted))
            label = QRectF(0, first.y(), first.x() - 6, last.bottom() - first.y())
            painter.drawText(label, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, name)
            for place, bar in enumerate(bars):
                self._paint_bar(painter, theme, self.bar_rect(row, place), bar, scale)
        painter.end()

    def _paint_axis(self, painter: QPainter, theme: Theme, scale: float) -> None:
        space = self.bar_rect(0, 0)
        line = QFontMetricsF(self.font()).height()
        painter.setPen(QColor(theme.text_muted))
        for part in (0.0, 0.5, 1.0):
            at = space.x() + part * space.width()
            text = f"{100 * part * scale:.3g}%"
            width = QFontMetricsF(self.font()).horizontalAdvance(text) + 2
            painter.drawText(QRectF(min(at - width / 2, self.width() - width), 0, width, line), text)
        painter.setPen(QPen(QColor(theme.border), 1))
        for part in (0.0, 0.25, 0.5, 0.75, 1.0):
            at = round(space.x() + part * space.width())
            painter.drawLine(at, round(line) + 2, at, self.height())

    def _paint_bar(self, painter: QPainter, theme: Theme, rect: QRectF, bar: HandBar, scale: float) -> None:
        strength = _FAINT if self._is_faint else 1.0
        colour = theme.player_colour(bar.player)
        gap = 1.0 if rect.height() > 4 else 0.0
        whole = QRectF(rect.x(), rect.y(), rect.width() * bar.chance / scale, rect.height() - gap)
        won = QRectF(rect.x(), rect.y(), rect.width() * bar.win / scale, rect.height() - gap)
        painter.setOpacity(_LOST * strength)
        painter.fillRect(whole, colour)
        painter.setOpacity(strength)
        painter.fillRect(won, colour)
        if theme.player_dash(bar.player) is not Qt.PenStyle.SolidLine:
            painter.fillRect(whole, QBrush(QColor(theme.panel), Qt.BrushStyle.BDiagPattern))
        painter.setOpacity(1.0)
        metrics = QFontMetricsF(self.font())
        assert self._view is not None
        if len(self._view.shown) <= 2 and bar.chance > 0 and rect.height() >= 0.7 * metrics.ascent():
            space = QRectF(whole.right() + 4, rect.center().y() - metrics.height() / 2, 200, metrics.height())
            painter.setPen(QColor(theme.text_muted if self._is_faint else theme.text))
            painter.drawText(space, Qt.AlignmentFlag.AlignVCenter, bar.label)

    def bar_at(self, position: QPoint) -> HandBar | None:
        """Return the bar whose space holds a position."""
        if self._view is None:
            return None
        for row, bars in enumerate(self._view.bars):
            for place, bar in enumerate(bars):
                rect = self.bar_rect(row, place)
                if rect.top() <= position.y() < rect.bottom():
                    return bar
        return None

    def tip_at(self, position: QPoint) -> str:
        bar = self.bar_at(position)
        return "" if bar is None else bar.text


class CategoriesPanel(ChartPanel[CategoriesView]):
    """The bars of all players or of one, and their table."""

    def __init__(self, theme: ThemeSource, model: ChartsModel) -> None:
        super().__init__(theme, model, CategoriesView, has_players=True)
        self.of_all = CheckBox("All players")
        self.of_all.setChecked(True)
        self.of_all.toggled.connect(self._on_of_all)
        self.bars = _CategoryBars(theme)
        self.legend = PlayerLegend(theme)
        self.table = ChartTable(theme, ("Final hand",), "Final hands: chance, and what is won with them")
        self.top.addWidget(self.of_all)
        self.top.addStretch(1)
        self.content.addWidget(self.legend)
        self.content.addWidget(self.bars, 1)
        self.content.addWidget(self.table)
        self.table.setMinimumHeight(self.table.height_of_rows(4))

    def _on_of_all(self, _checked: bool) -> None:
        self._enable()
        self._refresh()

    def _enable(self) -> None:
        assert self.players is not None
        self.players.setEnabled(not self.of_all.isChecked() and bool(self.model.names))

    def _on_players_changed(self) -> None:
        super()._on_players_changed()
        self._enable()

    def refresh(self, view: CategoriesView, *, is_faint: bool) -> None:
        view = replace(view, is_of_all=self.of_all.isChecked())
        self.bars.show_view(view, is_faint=is_faint)
        self.legend.show_names(view.names, view.shown, "solid: wins the pot, pale: loses it")
        self.table.show_rows(view.rows, is_faint=is_faint, tips=view.tips, headings=view.headings)
