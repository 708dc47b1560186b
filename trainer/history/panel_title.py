"""The title of each panel: which hand it shows, the way to another hand and back; whether one is in use."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from trainer.history.past_hands_model import HandTitle
from trainer.theme import Theme, ThemeSource


class PanelTitle(QFrame):
    """The title bar of a dock, which stands out with an earlier hand; its buttons leave the focus where it is."""

    earlier_requested = Signal()  # another hand is wanted in all panels, or the one on the table
    later_requested = Signal()
    back_requested = Signal()
    help_requested = Signal()  # the terms of the panel are to be explained

    def __init__(self, theme: ThemeSource, dock: QDockWidget, keys: Sequence[str]) -> None:
        super().__init__(dock)
        self._theme_source = theme
        self._name = dock.windowTitle()
        self._keys = tuple(keys)
        self._title = HandTitle()
        self._label = QLabel(self._name)
        self._label.setAccessibleName(f"What {self._name} shows")
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.earlier = self._button()
        self.earlier.clicked.connect(self.earlier_requested)
        self.later = self._button()
        self.later.clicked.connect(self.later_requested)
        self.back = self._button()
        self.back.setObjectName("back")
        self.back.clicked.connect(self.back_requested)
        self.terms = self._button("?", f"Terms of {self._name}")
        self.terms.clicked.connect(self.help_requested)
        self._floating = self._button("❐", f"Float {self._name}")
        self._floating.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        closing = self._button("✕", f"Close {self._name}")
        closing.clicked.connect(dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 1, 2, 1)
        layout.setSpacing(2)
        layout.addWidget(self._label, 1)
        for button in (self.earlier, self.later, self.back, self.terms, self._floating, closing):
            layout.addWidget(button)
        theme.changed.connect(self._on_theme_changed)
        self.show_title(self._title)

    def _button(self, sign: str = "", name: str = "") -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setText(sign)
        button.setAccessibleName(name)
        button.setToolTip(name)
        return button

    def show_title(self, title: HandTitle) -> None:
        """Say which hand is shown, and where one can go from it."""
        self._title = title
        text = title.shown or (f"{self._name}: {title.note}" if title.note else self._name)
        self._label.setText(text)
        self._label.setToolTip(text)
        self._floating.setVisible(not title.shown)  # the way back needs the room
        earlier = "◀" if title.shown else f"◀ {title.earlier}"
        for button, words, sign, key in (
            (self.earlier, title.earlier, earlier, self._keys[0]),
            (self.later, title.later, "▶", self._keys[1]),
            (self.back, title.back, title.back, self._keys[2]),
        ):
            button.setText(sign)
            name = f"{words} in all panels ({key})" if button is not self.back else f"{words} ({key})"
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.setVisible(bool(words) and (button is self.earlier or bool(title.shown)))
        self._on_theme_changed(self._theme_source.theme)

    def _on_theme_changed(self, theme: Theme) -> None:
        if not self._title.shown:
            self.setStyleSheet("")
            return
        ink, ground = theme.accent_text, theme.accent
        self.setStyleSheet(
            f"PanelTitle {{ background: {ground}; }}"
            f"PanelTitle QLabel, PanelTitle QToolButton {{ color: {ink}; }}"
            f"PanelTitle QToolButton:hover {{ color: {theme.text}; }}"
            f"#back {{ color: {ground}; background: {ink}; border: none; border-radius: 4px; padding: 1px 6px; }}"
            f"#back:hover {{ color: {ground}; background: {theme.panel_raised}; }}"
        )


class PanelUse:
    """Knows whether the player is at work in a panel, or in a menu or dialog, and not at the table.

    They are in a panel while the mouse lies over one or while one has the keyboard, or a window that it has opened;
    but not where mouse and keyboard were already when they last turned to the table. A dialog is one that has to be
    answered first: other windows may stay open beside the table.
    """

    def __init__(self, panels: Sequence[QWidget]) -> None:
        self._panels = tuple(panels)
        self._left_at: QPoint | None = None
        self._left_in: QWidget | None = None

    def turn_to_table(self) -> None:
        """Note that the player has acted at the table."""
        self._left_at, self._left_in = QCursor.pos(), QApplication.focusWidget()

    def is_used(self) -> bool:
        """Return whether the player is at work in a panel, menu or dialog now."""
        place, focused = QCursor.pos(), QApplication.focusWidget()
        is_pointed_at = place != self._left_at and any(
            panel.rect().contains(panel.mapFromGlobal(place)) and not panel.visibleRegion().isEmpty()
            for panel in self._panels
        )
        is_typed_in = focused is not self._left_in and self._holds(focused)
        is_asked = QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None
        return is_pointed_at or is_typed_in or is_asked

    def _holds(self, widget: QWidget | None) -> bool:
        while widget is not None and widget not in self._panels:
            widget = widget.parentWidget()
        return widget is not None
