"""The chart of a policy's decision: outputs, styles beside the opponent, and distances over hands."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from engine.agents.evolved.agent import SAFE_POLICY
from engine.agents.styles import style_label
from trainer.reasoning.policy_model import PolicyView, TrackView
from trainer.theme import ThemeSource
from trainer.widgets.painted import Painted

_GRAPH_LINES = 6
"""Height of the graph of distances, in lines of text."""

_MOST_DISTANCE = 1.0
"""What fills a bar of a distance: that of opposite styles; those that are much alike are 0.1 to 0.2 apart."""


class PolicyChart(Painted):
    """Bars of the outputs, bars of distances to styles with what each policy decides, and a graph below."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="What the policy does")
        self._view: PolicyView | None = None
        self._track: TrackView | None = None
        self._marked = ""

    def show_view(self, view: PolicyView | None, track: TrackView | None) -> None:
        """Show a decision, or nothing."""
        self._view, self._track, self._marked = view, track, ""
        self.setVisible(view is not None)
        if view is not None:
            outputs = ", ".join(f"{bar.label} {bar.text}" for bar in view.outputs if bar.share >= 0.005)
            styles = ", ".join(
                f"{bar.label} {bar.text}" + ("" if bar.distance is None else f" at {bar.distance:.2f}")
                for bar in view.styles
            )
            self.setAccessibleDescription(". ".join(part for part in (outputs, styles, view.words) if part))
        self.updateGeometry()
        self.update()

    def mark(self, evidence: str) -> None:
        """Highlight the bar whose number a sentence rests on."""
        self._marked = evidence
        self.update()

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() + 3

    def sizeHint(self) -> QSize:
        if self._view is None:
            return QSize(420, 0)
        rows = 1 + max(len(self._view.outputs), len(self._view.styles))
        height = rows * self._line()
        if self._view.styles:
            height += self._words_height() + 4
        if self._track is not None:
            height += (_GRAPH_LINES + 2) * self._line()
        return QSize(420, round(height) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, self.sizeHint().height())

    def _words_height(self) -> float:
        """Return the height of the two lines that hold every sentence at the least width."""
        return 2 * self._line()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(4, 0, self.width() - 8, self.height())
        half = whole.width() / 2 - 8 if self._view.styles else whole.width()
        self._paint_outputs(painter, QRectF(whole.x(), 0, half, whole.height()))
        if self._view.styles:
            self._paint_styles(painter, QRectF(whole.right() - half, 0, half, whole.height()))
            top = (1 + max(len(self._view.outputs), len(self._view.styles))) * self._line()
            words = QRectF(whole.x(), top, whole.width(), self._words_height())
            painter.setPen(QColor(self._theme.theme.text))
            painter.drawText(words, Qt.TextFlag.TextWordWrap, self._view.words)
            if self._track is not None:
                graph = QRectF(whole.x(), words.bottom() + 4, whole.width(), (_GRAPH_LINES + 2) * self._line())
                self._paint_track(painter, graph, self._track)
        painter.end()

    def _paint_heading(self, painter: QPainter, area: QRectF, text: str, right: str = "") -> None:
        painter.setPen(QColor(self._theme.theme.text_muted))
        row = QRectF(area.x(), area.y(), area.width(), self._line())
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, text)
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, right)

    def _paint_outputs(self, painter: QPainter, area: QRectF) -> None:
        assert self._view is not None
        theme = self._theme.theme
        self._paint_heading(painter, area, "Outputs", "how likely")
        labels = max(QFontMetricsF(self.font()).horizontalAdvance(bar.label) for bar in self._view.outputs) + 22
        colours = [theme.fold, theme.call, *[theme.raise_] * len(self._view.outputs[2:])]
        for row, (bar, colour) in enumerate(zip(self._view.outputs, colours, strict=True), 1):
            at = QRectF(area.x(), row * self._line(), area.width(), self._line())
            self._paint_mark(painter, at, bar.path)
            painter.setPen(QColor(theme.text))
            if bar.is_drawn:
                painter.drawText(at, Qt.AlignmentFlag.AlignVCenter, "▶")
            painter.drawText(at.adjusted(16, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, bar.label)
            self._paint_bar(painter, at.adjusted(labels, 0, 0, 0), bar.share, colour, bar.text)

    def _paint_styles(self, painter: QPainter, area: QRectF) -> None:
        assert self._view is not None
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        self._paint_heading(painter, area, "Distance to styles", "decides")
        labels = max(metrics.horizontalAdvance(bar.label) for bar in self._view.styles) + 22
        for row, bar in enumerate(self._view.styles, 1):
            at = QRectF(area.x(), row * self._line(), area.width(), self._line())
            self._paint_mark(painter, at, bar.path)
            if bar.label != SAFE_POLICY:
                painter.setPen(self._pen(row - 1))
                painter.drawLine(QPointF(at.x(), at.center().y()), QPointF(at.x() + 14, at.center().y()))
            painter.setPen(QColor(theme.text))
            painter.drawText(at.adjusted(18, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, bar.label)
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(at, right, bar.text)
            room = at.adjusted(labels, 0, -metrics.horizontalAdvance("  100%"), 0)
            if bar.distance is not None:
                share = min(bar.distance / _MOST_DISTANCE, 1.0)
                self._paint_bar(painter, room, share, theme.text_muted, f"{bar.distance:.2f}")
            elif bar.label != SAFE_POLICY:
                painter.drawText(room, right, "–")

    def _paint_bar(self, painter: QPainter, room: QRectF, share: float, colour: str, text: str) -> None:
        """Paint a bar over a part of the room, and its number to the right of the room for the longest."""
        numbers = QFontMetricsF(self.font()).horizontalAdvance("100%  ")
        length = max(room.width() - numbers, 10)
        thickness = 0.55 * room.height()
        painter.fillRect(
            QRectF(room.x(), room.center().y() - thickness / 2, share * length, thickness), QColor(colour)
        )
        painter.setPen(QColor(self._theme.theme.text))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)

    def _paint_mark(self, painter: QPainter, row: QRectF, path: str) -> None:
        if self._marked and self._marked.startswith(path):
            painter.fillRect(row, QColor(self._theme.theme.panel_raised))

    def _pen(self, style: int) -> QPen:
        pen = QPen(self._theme.theme.player_colour(style), 2)
        pen.setStyle(self._theme.theme.player_dash(style))
        return pen

    def _paint_track(self, painter: QPainter, area: QRectF, track: TrackView) -> None:
        """Paint the graph: distance upwards from 0, hands to the right."""
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        self._paint_heading(painter, area, "Distances through the session, by hand")
        left = metrics.horizontalAdvance("0.00 ")
        plot = area.adjusted(left, 1.5 * self._line(), -4, -self._line())
        most = max(0.1, max(max(line) for line in track.distances))
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawRect(plot)
        painter.setPen(QColor(theme.text_muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, middle in ((most, plot.top()), (0.0, plot.bottom())):
            label = QRectF(area.x(), middle - self._line() / 2, left - 4, self._line())
            painter.drawText(label, right, f"{value:.2f}")
        below = QRectF(plot.x(), plot.bottom(), plot.width(), self._line())
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, f"{track.hands[0]:,}")
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, f"{track.hands[-1]:,}")
        across = max(track.hands[-1] - track.hands[0], 1)
        for style, line in enumerate(track.distances):
            painter.setPen(self._pen(style))
            painter.drawPolyline(
                [
                    QPointF(
                        plot.x() + (hand - track.hands[0]) / across * plot.width(),
                        plot.bottom() - far / most * plot.height(),
                    )
                    for hand, far in zip(track.hands, line, strict=True)
                ]
            )

    def tip_at(self, position: QPoint) -> str:
        """Say what a bar is of."""
        row = int(position.y() // self._line()) - 1
        if self._view is None or row < 0:
            return ""
        if self._view.styles and position.x() > self.width() / 2:
            if row >= len(self._view.styles):
                return ""
            bar = self._view.styles[row]
            away = "" if bar.distance is None else f"{bar.distance:.3f} away; "
            is_safe = bar.label == SAFE_POLICY
            style, against = (bar.label, bar.label) if is_safe else (style_label(bar.label), "it")
            return f"{style}: {away}the policy against {against} decides {bar.share:.1%}."
        if row >= len(self._view.outputs):
            return ""
        output = self._view.outputs[row]
        return f"{output.label}: {output.share:.1%}{', drawn' if output.is_drawn else ''}"
