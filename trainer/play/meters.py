"""The meters: win rate with its error, the price of a call on the same scale, and their way through the hand."""

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from engine.game.observation import HandView
from trainer.play.meters_model import History, HistoryPoint, Meter, MeterRecord, MeterView
from trainer.session.types import PointRanges, RunOutPoint
from trainer.theme import ThemeSource
from trainer.widgets.painted import Painted

_LEAST_HISTORY = 2.6
"""Height in lines from which the way through the hand is drawn."""


class MeterScale(Painted):
    """Bars from 0 to 100% with their errors, and what a call needs as a line across them."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Win rate")
        self._view: MeterView | None = None

    def show_view(self, view: MeterView) -> None:
        """Show figures."""
        self._view = view
        needed = f", a call needs {view.needed:.1%}" if view.needed > 0 else ""
        rates = ", ".join(
            f"{row.meter.text} against {row.label}" if view.has_history else f"{row.label} {row.meter.text}"
            for row in view.rows
        )
        self.setAccessibleDescription(rates + needed)
        self.setToolTip(
            "Bars: win rate, with one standard error. Line: what a call needs to break even.\n"
            "A bar that ends well beyond the line calls with profit; within its error it is close."
            if view.has_history
            else "The share of the pot that each hand wins on average over all boards to come."
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        rows = len(self._view.rows) if self._view else 2
        return QSize(400, round((rows + 1) * (QFontMetricsF(self.font()).height() + 2)))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        view = self._view
        if view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self.font())
        height = metrics.height() + 2
        left = max(metrics.horizontalAdvance(row.label) for row in view.rows) + 8
        right = metrics.horizontalAdvance("100.0% ± 10.0") + 8
        track = QRectF(left, height, self.width() - left - right, height)
        theme = self._theme.theme
        for index, shown in enumerate(view.rows):
            row = track.translated(0, index * height)
            painter.setPen(QColor(theme.text if shown.is_main else theme.text_muted))
            painter.drawText(QRectF(0, row.y(), left, height), Qt.AlignmentFlag.AlignVCenter, shown.label)
            colour = QColor(theme.accent if shown.is_main else theme.check)
            self._paint_bar(painter, row, shown.meter, colour, shown.is_main)
            box = QRectF(row.right() + 4, row.y(), right - 4, height)
            painter.setPen(QColor(theme.text if shown.is_main else theme.text_muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown.meter.text)
        if view.needed > 0:
            self._paint_needed(painter, track, view.needed)
        painter.end()

    def _paint_bar(self, painter: QPainter, row: QRectF, meter: Meter, colour: QColor, is_main: bool) -> None:
        theme = self._theme.theme
        thickness = 0.62 * row.height() if is_main else 0.36 * row.height()
        groove = QRectF(row.x(), row.center().y() - thickness / 2, row.width(), thickness)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.panel_raised))
        painter.drawRoundedRect(groove, 2, 2)
        painter.setPen(QPen(QColor(theme.border), 1))
        for quarter in (0.25, 0.5, 0.75):
            at = groove.x() + quarter * groove.width()
            painter.drawLine(QLineF(at, groove.top(), at, groove.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(groove.x(), groove.y(), meter.value * groove.width(), thickness), 2, 2)
        if meter.stderr > 0:
            self._paint_error(painter, groove, meter)

    def _paint_error(self, painter: QPainter, groove: QRectF, meter: Meter) -> None:
        middle = groove.center().y()
        low, high = (
            groove.x() + min(max(meter.value + sign * meter.stderr, 0), 1) * groove.width() for sign in (-1, 1)
        )
        cap = 0.34 * groove.height() + 1
        for colour, width in ((self._theme.theme.panel, 3.4), (self._theme.theme.text, 1.4)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawLine(QLineF(low, middle, high, middle))
            for at in (low, high):
                painter.drawLine(QLineF(at, middle - cap, at, middle + cap))

    def _paint_needed(self, painter: QPainter, track: QRectF, needed: float) -> None:
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        at = track.x() + needed * track.width()
        painter.setPen(QPen(QColor(theme.window), 4))
        painter.drawLine(QLineF(at, track.y(), at, track.bottom() + track.height()))
        painter.setPen(QPen(QColor(theme.truth), 2))
        painter.drawLine(QLineF(at, track.y() - 2, at, track.bottom() + track.height()))
        text = f"a call needs {needed:.1%}"
        width = metrics.horizontalAdvance(text)
        left = min(max(at - width / 2, 0), self.width() - width)
        painter.drawText(QRectF(left, 0, width + 2, track.y() - 1), Qt.AlignmentFlag.AlignVCenter, text)


class MeterHistory(Painted):
    """The win rates and the price of a call through the hand, with the streets marked.

    Plain polygons: a hand has some forty points, where pyqtgraph takes seven times as long.
    """

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Win rate through the hand", fills=True)
        self._history = History((), ())
        self._shown: int | None = None
        self.setToolTip(
            "Win rate through the hand: against the predicted ranges with one standard error (thick), "
            "against random hands (thin), and what a call needed (dots)."
        )

    def show_history(self, history: History, shown: int | None) -> None:
        """Show a history; `shown` is the event count of the point that the other figures are of."""
        self._history, self._shown = history, shown
        spoken = ", ".join(f"{point.win:.0%}" for point in history.points)
        self.setAccessibleDescription(f"against the predicted ranges: {spoken}" if spoken else "no reading")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, 56)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.height() < _LEAST_HISTORY * QFontMetricsF(self.font()).height():
            return  # the figures above and below need the room
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        left = metrics.horizontalAdvance("100%") + 6
        top = metrics.height() / 2
        plot = QRectF(left, top, self.width() - left - 6, self.height() - metrics.height() - top - 2)
        painter.fillRect(plot, QColor(theme.panel))
        self._paint_frame(painter, plot, metrics)
        if self._history.points:
            self._paint_lines(painter, plot)
        painter.end()

    def _paint_frame(self, painter: QPainter, plot: QRectF, metrics: QFontMetricsF) -> None:
        theme = self._theme.theme
        for value, text in ((0.0, "0%"), (0.5, ""), (1.0, "100%")):
            y = plot.bottom() - value * plot.height()
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(QColor(theme.text_muted))
            box = QRectF(0, y - metrics.height() / 2, plot.left() - 4, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        free = 0.0
        for name, place in self._history.streets:
            x = plot.left() + place * plot.width()
            painter.setPen(QPen(QColor(theme.border), 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom() + 3))
            width = metrics.horizontalAdvance(name)
            start = min(x, self.width() - width)
            if start >= free:
                painter.setPen(QColor(theme.text_muted))
                painter.drawText(QPointF(start, self.height() - metrics.descent()), name)
                free = start + width + 6

    def _paint_lines(self, painter: QPainter, plot: QRectF) -> None:
        theme = self._theme.theme

        def at(point: HistoryPoint, value: float) -> QPointF:
            return QPointF(
                plot.left() + point.place * plot.width(), plot.bottom() - min(max(value, 0), 1) * plot.height()
            )

        points = self._history.points
        win, random, needed = (QColor(colour) for colour in (theme.accent, theme.check, theme.truth))
        band = [at(point, point.win + point.stderr) for point in points]
        band += [at(point, point.win - point.stderr) for point in reversed(points)]
        shade = QColor(win)
        shade.setAlphaF(0.25)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF(band))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(random, 1.2))
        painter.drawPolyline(QPolygonF([at(point, point.win_random) for point in points]))
        painter.setPen(QPen(win, 2))
        painter.drawPolyline(QPolygonF([at(point, point.win) for point in points]))
        painter.setPen(Qt.PenStyle.NoPen)
        for point in points:
            if point.needed > 0:
                painter.setBrush(needed)
                painter.drawEllipse(at(point, point.needed), 2.2, 2.2)
        shown = [point for point in points if self._shown is None or point.event_count <= self._shown]
        if shown:
            painter.setPen(QPen(QColor(theme.panel), 1.5))
            painter.setBrush(win)
            painter.drawEllipse(at(shown[-1], shown[-1].win), 4, 4)


class MetersPanel(QWidget):
    """Win rates, pot odds, SPR and outs at the newest point of the hand, or at the one looked at."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self._record = MeterRecord()
        self._looked_at: int | None = None
        self._hides_later = False
        self._verdict = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._verdict.setAccessibleName("Win rate and price of a call")
        self.scale = MeterScale(theme)
        self.history = MeterHistory(theme)
        self._facts = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._facts.setAccessibleName("Pot odds, stack to pot ratio, methods")
        self._facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._outs = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._outs.setAccessibleName("Outs")
        self._outs.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(6, 4, 6, 4)
        whole.setSpacing(2)
        for widget in (self._verdict, self.scale, self.history, self._facts, self._outs):
            whole.addWidget(widget, 1 if widget is self.history else 0)
        whole.addStretch()
        self.clear()

    def follow(self, observation: HandView) -> None:
        """Take in what the table shows: when there is nothing to decide, that is said at once."""
        if self._record.follow(observation):
            self._looked_at = None
        self._show()

    def show_point(self, point: PointRanges) -> None:
        """Take in a reading of any point of the hand; the newest is shown unless another is looked at."""
        if self._record.add(point):
            self._looked_at = None
        self._show()

    def show_run_out(self, point: RunOutPoint) -> None:
        """Take in a street of an all-in with open cards."""
        self._record.add_run_out(point)
        self._show()

    def look_at(self, event_count: int | None) -> None:
        """Show the figures as they were after so many events; None follows the hand."""
        self._looked_at = event_count
        self._show()

    def hide_later(self, is_hidden: bool) -> None:
        """Draw no point after the one looked at, or all of them."""
        self._hides_later = is_hidden
        self._show()

    def clear(self) -> None:
        """Show that there is no hand."""
        self._record.clear()
        self._looked_at = None
        self._show()

    def _show(self) -> None:
        view = self._record.view(self._looked_at)
        figures = view if isinstance(view, MeterView) else None
        self._verdict.setText(view if isinstance(view, str) else view.verdict)
        self.scale.setVisible(figures is not None)
        self.history.setVisible(figures is not None and figures.has_history)
        self._facts.setVisible(figures is not None)
        self._outs.setVisible(figures is not None and bool(figures.outs))
        if figures is None:
            return
        self.scale.show_view(figures)
        until = self._looked_at if self._hides_later else None
        self.history.show_history(self._record.history(until), self._looked_at)
        self._facts.setText(figures.facts)
        self._facts.setToolTip(figures.facts_in_full)
        self._outs.setText(figures.outs)
        self._outs.setToolTip(figures.outs_in_full)

    def sizeHint(self) -> QSize:
        return QSize(500, 170)
