"""The chart of a rule's decision: the thresholds after each adjustment, and the win rate among them."""

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from trainer.reasoning.reasoning_model import ThresholdView
from trainer.theme import ThemeSource
from trainer.widgets.painted import Painted


class ThresholdChart(Painted):
    """Thresholds on a bar from 0 to 100%, one row per adjustment, the win rate with its error across all."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__(theme, name="Thresholds and win rate")
        self._view: ThresholdView | None = None
        self._marked: int | None = None

    def show_view(self, view: ThresholdView | None) -> None:
        self._view, self._marked = view, None
        self.setVisible(view is not None)
        if view:
            steps = "; ".join(f"{step.label}: {self._numbers(index)}" for index, step in enumerate(view.steps))
            self.setAccessibleDescription(f"win rate {view.win:.1%}; call, half pot and pot from: {steps}")
        self.updateGeometry()
        self.update()

    def mark(self, row: int | None) -> None:
        """Highlight a row."""
        self._marked = row
        self.update()

    def _numbers(self, row: int) -> str:
        assert self._view is not None
        made = self._view.steps[row].thresholds
        return f"{100 * made.call:.0f} / {100 * made.raise_half:.0f} / {100 * made.raise_pot:.0f}%"

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() + 4

    def sizeHint(self) -> QSize:
        rows = len(self._view.steps) if self._view else 0
        return QSize(420, round((rows + 2) * self._line()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, self.sizeHint().height())

    def _track(self) -> QRectF:
        assert self._view is not None
        metrics = QFontMetricsF(self.font())
        left = max(metrics.horizontalAdvance(step.label) for step in self._view.steps) + 8
        right = metrics.horizontalAdvance("100 / 100 / 100%") + 8
        return QRectF(left, self._line(), max(self.width() - left - right, 40), self._line())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = self._track()
        for index in range(len(self._view.steps)):
            self._paint_row(painter, index, track.translated(0, index * track.height()))
        self._paint_win(painter, track)
        self._paint_key(painter, track)
        painter.end()

    def _paint_row(self, painter: QPainter, index: int, row: QRectF) -> None:
        assert self._view is not None
        theme, step = self._theme.theme, self._view.steps[index]
        is_last = index == len(self._view.steps) - 1
        if index == self._marked:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(QColor(theme.panel_raised))
            painter.drawRoundedRect(QRectF(1, row.y() + 1, self.width() - 2, row.height() - 2), 3, 3)
        painter.setPen(QColor(theme.text if step.is_moved else theme.text_muted))
        painter.drawText(QRectF(4, row.y(), row.x(), row.height()), Qt.AlignmentFlag.AlignVCenter, step.label)
        right = QRectF(row.right(), row.y(), self.width() - row.right() - 4, row.height())
        painter.drawText(right, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._numbers(index))
        made = step.thresholds
        # Algorithm 2 asks in this order, so a threshold below the one before it never decides.
        half = max(made.call, made.raise_half)
        edges = (0.0, made.call, half, max(half, made.raise_pot), 1.0)
        thickness = (0.72 if is_last else 0.4) * row.height()
        painter.setPen(Qt.PenStyle.NoPen)
        for zone, colour in enumerate(self._zones()):
            left, end = (row.x() + min(max(edge, 0), 1) * row.width() for edge in edges[zone : zone + 2])
            painter.setBrush(colour)
            painter.drawRect(QRectF(left, row.center().y() - thickness / 2, max(end - left - 1, 0), thickness))

    def _zones(self) -> tuple[QColor, ...]:
        theme = self._theme.theme
        half = QColor(theme.raise_)
        half.setAlphaF(0.55)
        below = QColor(theme.fold)
        below.setAlphaF(0.45)
        return below, QColor(theme.call), half, QColor(theme.raise_)

    def _paint_win(self, painter: QPainter, track: QRectF) -> None:
        assert self._view is not None
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        bottom = track.y() + len(self._view.steps) * track.height()

        def at(share: float) -> float:
            return track.x() + min(max(share, 0), 1) * track.width()

        low, high = at(self._view.win - self._view.stderr), at(self._view.win + self._view.stderr)
        band = QColor(theme.accent)
        band.setAlphaF(0.28)
        painter.fillRect(QRectF(low, track.y() - 2, high - low, bottom - track.y() + 2), band)
        middle = at(self._view.win)
        painter.setPen(QPen(QColor(theme.window), 4))
        painter.drawLine(QLineF(middle, track.y() - 2, middle, bottom))
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawLine(QLineF(middle, track.y() - 2, middle, bottom))
        error = f" ± {100 * self._view.stderr:.1f}" if self._view.stderr else ""
        text = f"win rate {self._view.win:.1%}{error}"
        width = metrics.horizontalAdvance(text)
        left = min(max(middle - width / 2, 0), self.width() - width)
        painter.drawText(QRectF(left, 0, width + 2, track.y() - 2), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_key(self, painter: QPainter, track: QRectF) -> None:
        assert self._view is not None
        theme, metrics = self._theme.theme, QFontMetricsF(self.font())
        left, top = 4.0, track.y() + len(self._view.steps) * track.height() + 2
        names = ("check or fold", "call", "raise half a pot", "raise a pot")
        for name, colour in zip(names, self._zones(), strict=True):
            painter.fillRect(QRectF(left, top + (track.height() - 9) / 2, 9, 9), colour)
            painter.setPen(QColor(theme.text_muted))
            painter.drawText(QPointF(left + 13, top + track.height() / 2 + metrics.ascent() / 2 - 1), name)
            left += 13 + metrics.horizontalAdvance(name) + 12

    def tip_at(self, position: QPoint) -> str:
        row = int((position.y() - self._line()) // self._line())
        if self._view is None or not 0 <= row < len(self._view.steps):
            return ""
        step = self._view.steps[row]
        return f"{step.label}: call, half pot and pot from {self._numbers(row)}\n{step.numbers}".strip()
