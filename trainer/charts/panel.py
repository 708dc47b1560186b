"""What all charts of the odds window share: a chooser, the chart or a sentence in its place, a note below."""

from collections.abc import Sequence
from typing import Generic

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from trainer.charts.chart_values import Chart
from trainer.charts.charts_model import ChartsModel, V
from trainer.theme import Theme, ThemeSource
from trainer.widgets.layouts import label_of, tight
from trainer.widgets.painted import Painted
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.text_field import ColouredLabel, ShortenedLabel


class ChartPanel(QWidget, Generic[V]):
    """One chart's tab; it is computed while it is visible.

    A chart puts its widgets into `content`, what is chosen into `top`, and overrides `refresh`.
    """

    def __init__(self, theme: ThemeSource, model: ChartsModel, kind: type[V], *, has_players: bool) -> None:
        super().__init__()
        self._theme = theme
        self._kind = kind
        self.model = model
        self.chart = kind.chart
        self.view: V | None = None
        self.players: QComboBox | None = None
        self.message = ColouredLabel(theme, "text_muted", wraps=True)
        self.note = ShortenedLabel(theme, "text_muted")
        self.top = QHBoxLayout()
        self.content = QVBoxLayout()
        self.stack = QStackedWidget()
        self._build(has_players)
        self.setAccessibleName(str(self.chart))
        model.changed.connect(self._on_changed)
        model.players_changed.connect(self._on_players_changed)
        theme.changed.connect(self._on_theme_changed)

    def _build(self, has_players: bool) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(8, 8, 2, 2)
        whole.setSpacing(6)
        self.top.setSpacing(6)
        if has_players:
            self.players = QComboBox()
            self.players.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            self.players.setMinimumContentsLength(12)
            self.players.setAccessibleName(f"{self.chart}: player")
            self.players.activated.connect(self.model.choose_player)
            self.top.addWidget(label_of(self.players, "Sho&w"))
            self.top.addWidget(self.players)
        whole.addLayout(self.top)
        page = QWidget()
        page.setLayout(self.content)
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(6)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack.addWidget(page)
        self.stack.addWidget(self.message)
        whole.addWidget(self.stack, 1)
        whole.addWidget(self.note)
        self.note.setAccessibleName("How this was computed")

    def refresh(self, view: V, *, is_faint: bool) -> None:
        raise NotImplementedError

    @property
    def is_faint(self) -> bool:
        """Whether what is shown is out of date."""
        return self.model.status(self.chart).is_faint

    def _refresh(self) -> None:
        status = self.model.status(self.chart)
        self.message.setText(status.message)
        self.stack.setCurrentIndex(1 if status.message else 0)
        view = None if status.message else self.model.view(self._kind)
        if view is not None:
            self.view = view
            self.refresh(view, is_faint=status.is_faint)
        self.note.setText(" · ".join(part for part in (view.note if view is not None else "", status.note) if part))
        self.note.setAccessibleDescription(self.note.text())

    def _on_changed(self, chart: Chart) -> None:
        if chart is self.chart and self.isVisible():
            self._refresh()

    def _on_players_changed(self) -> None:
        if self.players is None:
            return
        with QSignalBlocker(self.players):
            if [self.players.itemText(row) for row in range(self.players.count())] != list(self.model.names):
                self.players.clear()
                self.players.addItems(list(self.model.names))
            self.players.setCurrentIndex(self.model.player_of(self.chart) if self.model.names else -1)
        self.players.setEnabled(bool(self.model.names))

    def _on_theme_changed(self, _theme: Theme) -> None:
        if self.isVisible():
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.set_shown(self.chart)
        self._on_players_changed()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.model.shown is self.chart:
            self.model.set_shown(None)


class ChartTable(QWidget):
    """A small table under a chart."""

    def __init__(self, theme: ThemeSource, headings: Sequence[str], name: str) -> None:
        super().__init__()
        self._theme = theme
        self.rows = RowsModel(headings, self)
        self.view = make_table(self.rows, name, 0)
        tight(QVBoxLayout(self), self.view)
        self.setFocusProxy(self.view)

    def show_rows(
        self,
        rows: Sequence[Sequence[str]],
        *,
        is_faint: bool,
        tips: Sequence[str] = (),
        headings: Sequence[str] | None = None,
    ) -> None:
        """Replace all rows, and the headings if others are given; faint while they are out of date."""
        scrolled, chosen = self.view.verticalScrollBar().value(), self.view.currentIndex().row()
        self.rows.show_rows(rows, tips=tips, headings=headings)
        self._fit()
        if 0 <= chosen < len(rows):
            self.view.setCurrentIndex(self.rows.index(chosen, 0))
        self.view.verticalScrollBar().setValue(scrolled)
        fade(self.view, self._theme.theme, is_faint=is_faint)
        self.updateGeometry()

    def _fit(self) -> None:
        """Let the first column take the spare width; else shorten headings; else let the columns scroll."""
        view, header = self.view, self.view.horizontalHeader()
        texts = [view.sizeHintForColumn(at) for at in range(self.rows.columnCount())]
        wanted = sum(max(text, header.sectionSizeHint(at)) for at, text in enumerate(texts))
        spare = self.width() - 2 * view.frameWidth() - sum(texts)
        is_shortened = wanted - sum(texts) > spare >= 0 and len(texts) > 1
        for at, text in enumerate(texts):
            if is_shortened:
                header.setSectionResizeMode(at, QHeaderView.ResizeMode.Fixed)
                header.resizeSection(at, text + (spare // (len(texts) - 1) if at else 0))
            else:
                is_wide = at == 0 and spare >= 0
                mode = QHeaderView.ResizeMode.Stretch if is_wide else QHeaderView.ResizeMode.ResizeToContents
                header.setSectionResizeMode(at, mode)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self.view.sizeHint().width(), self.height_of_rows(self.rows.rowCount()))

    def height_of_rows(self, count: int) -> int:
        """Return the height in pixels that a number of rows takes."""
        line = self.view.verticalHeader().defaultSectionSize()
        return self.view.horizontalHeader().sizeHint().height() + count * line + 2 * self.view.frameWidth() + 2


def fade(view: QWidget, theme: Theme, *, is_faint: bool) -> None:
    """Write a view's texts in the muted colour, or in the usual one."""
    colours = QPalette()
    colours.setColor(QPalette.ColorRole.Text, QColor(theme.text_muted if is_faint else theme.text))
    view.setPalette(colours)


class PlayerLegend(Painted):
    """The players' colours and names in as many lines as they need, and a remark after them."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Legend")
        self._signs: tuple[tuple[int, str], ...] = ()
        self._boxes: list[tuple[int, str, QRectF]] = []

    def show_names(self, names: tuple[str, ...], shown: tuple[int, ...], remark: str = "") -> None:
        """Show the colours of some players."""
        signs = (*((player, names[player]) for player in shown), *([(-1, remark)] if remark else []))
        if signs != self._signs:
            self._signs = signs
            self.setAccessibleDescription(", ".join(text for _, text in signs))
            self._place()
            self.update()

    def _place(self) -> None:
        metrics = QFontMetricsF(self.font())
        line, sign, left, top = metrics.height() + 1, 1.6 * metrics.height(), 0.0, 0.0
        self._boxes = []
        for player, text in self._signs:
            width = metrics.horizontalAdvance(text) + (sign + 4 if player >= 0 else 0)
            if left > 0 and left + width > self.width():
                left, top = 0.0, top + line
            self._boxes.append((player, text, QRectF(left, top, width, line)))
            left += width + 14
        self.setFixedHeight(round(top + line) + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme.theme
        sign = 1.6 * QFontMetricsF(self.font()).height()
        for player, text, box in self._boxes:
            if player >= 0:
                pen = QPen(theme.player_colour(player), 3)
                pen.setStyle(theme.player_dash(player))
                painter.setPen(pen)
                middle = round(box.center().y())
                painter.drawLine(round(box.x()), middle, round(box.x() + sign), middle)
            painter.setPen(QColor(theme.text if player >= 0 else theme.text_muted))
            space = box.adjusted(sign + 4 if player >= 0 else 0, 0, 2, 0)
            painter.drawText(space, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
