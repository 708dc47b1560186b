"""A flat button in the colour of its action, with its key as a small hint."""

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from trainer.theme import Theme, ThemeSource

TALL_BUTTON = 40
"""Least height in pixels of the buttons that act; the others hold a sign such as 2/3."""


class ActionButton(QAbstractButton):
    """A flat button in the colour of its action (`role`, a field of `Theme`), with its key as a small hint."""

    def __init__(self, theme: ThemeSource, role: str) -> None:
        super().__init__()
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._role = role
        self.key = self._hint = ""
        self._is_chosen = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def setText(self, text: str) -> None:
        super().setText(text)
        if self._role:
            self.setAccessibleName(text)

    def set_role(self, role: str) -> None:
        """Take the colour of another action."""
        self._role = role
        self.update()

    def set_hint(self, key: str, shown: str = "") -> None:
        """Show a key on the button, or what is shown for it."""
        self.key, self._hint = key, shown or key
        self.setAccessibleDescription(f"Key {key}" if key else "")
        self.update()

    def set_chosen(self, is_chosen: bool) -> None:
        """Mark the button as the size in force."""
        if is_chosen != self._is_chosen:
            self._is_chosen = is_chosen
            self.update()

    def _on_theme_changed(self, _theme: Theme) -> None:
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = metrics.horizontalAdvance(self.text()) + metrics.horizontalAdvance(self._hint) + 34
        return QSize(int(width), int(metrics.height() + 10))

    def minimumSizeHint(self) -> QSize:
        """Leave a low button room for all of its sign; its key gives way."""
        width = 44
        if self.minimumHeight() < TALL_BUTTON:
            font = self.font()
            font.setBold(True)
            width = max(width, math.ceil(QFontMetricsF(font).horizontalAdvance(self.text())) + 14)
        return QSize(width, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, ink, border = self._colours()
        rect = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(border, 2 if self._is_chosen and self.isEnabled() else 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(rect, 7, 7)
        if self.hasFocus():
            painter.setPen(QPen(ink, 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(3, 3, -3, -3), 5, 5)
        self._paint_text(painter, rect, ink)
        painter.end()

    def _paint_text(self, painter: QPainter, rect: QRectF, ink: QColor) -> None:
        """Write the text in the middle and the key at the right, fainter and in a frame."""
        font = self.font()
        font.setBold(True)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        hint_width = max(18.0, metrics.horizontalAdvance(self._hint) + 8) if self._hint else 0.0
        is_small = self.minimumHeight() < TALL_BUTTON
        # A key that has no room beside a sign gives way; it stands in the tool tip, too.
        is_hinted = not is_small or metrics.horizontalAdvance(self.text()) + 20 <= rect.width()
        hint_room = hint_width + 4 if not is_small else 12.0 if is_hinted else 0.0
        room = rect.adjusted(4, 0, -4 - hint_room, 0)
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(ink)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
        faint = QColor(ink)
        faint.setAlphaF(0.75 * ink.alphaF())
        painter.setPen(faint)
        font.setBold(False)
        painter.setFont(font)
        if not is_hinted:
            return
        if is_small:
            corner = QRectF(rect.right() - 16, rect.top(), 13, rect.height())
            painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._hint)
        elif self._hint:
            height = metrics.height() + 2
            key = QRectF(rect.right() - hint_width - 8, rect.center().y() - height / 2, hint_width, height)
            painter.drawRoundedRect(key, 4, 4)
            painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self._hint)

    def _colours(self) -> tuple[QColor, QColor, QColor]:
        """Return fill, ink and border of the button as it stands."""
        theme = self._theme_source.theme
        if not self.isEnabled():
            ink = QColor(theme.text_muted)
            ink.setAlpha(150)
            return QColor(theme.panel_raised), ink, QColor(theme.border)
        if not self._role:
            fill, ink = QColor(theme.panel_raised), QColor(theme.text)
            border = QColor(theme.accent if self._is_chosen else theme.border)
        else:
            fill, ink = QColor(getattr(theme, self._role)), QColor(theme.accent_text)
            border = fill.darker(115)
        if self.isDown():
            fill = fill.darker(118)
        elif self.underMouse():
            fill = fill.lighter(108)
        return fill, ink, border
