"""What widgets that paint themselves share: the theme's colours, sizes in lines of text, a tool tip by place."""

from PySide6.QtCore import QEvent, QPoint, QSize
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trainer.theme import Theme, ThemeSource
from trainer.widgets.text_field import plain_tip


class FittedToFont(QWidget):
    """A widget with parts whose sizes follow its font."""

    def _fit_to_font(self) -> None:
        """Fit the parts to a new font."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_to_font()


class Painted(FittedToFont):
    """A widget painted in the theme's colours, and again when these change.

    One with a `name`, for screen readers, takes all the width there is, and all the height if it `fills` it.
    """

    def __init__(
        self, theme: ThemeSource, parent: QWidget | None = None, *, name: str = "", fills: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        if name:
            height = QSizePolicy.Policy.Expanding if fills else QSizePolicy.Policy.Fixed
            self.setSizePolicy(QSizePolicy.Policy.Expanding, height)
            self.setAccessibleName(name)
        theme.changed.connect(self._on_theme_changed)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self.update()

    def _in_lines(self, width: float, height: float) -> QSize:
        """Return a size given in lines of text."""
        line = self.fontMetrics().height()
        return QSize(round(width * line), round(height * line))

    def tip_at(self, _position: QPoint) -> str:
        """Return the tool tip of a place; "" leaves it to the widget's own."""
        return ""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(event.pos())
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
                return True
        return super().event(event)
