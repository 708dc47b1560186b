"""A finished hand in the place of the running one: the table as it stood, and the bar that moves it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.cards import Street
from trainer.play.table import TableWidget
from trainer.replay.bar import ReplayBar
from trainer.replay.replay_model import ReplayModel
from trainer.theme import ThemeSource
from trainer.widgets.layouts import tight


class ReplayView(QWidget):
    """Table and bar of a `ReplayModel`; arrows, Home, End, 1-4, P and C go through the hand, Esc leaves it."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.model = ReplayModel()
        self.table = TableWidget(theme)
        self.table.setAccessibleName("Poker table of the replayed hand")
        self.table.set_animated(False)
        self.bar = ReplayBar(theme, self.model)
        layout = tight(QVBoxLayout(self), spacing=0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.bar)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Replay")
        self.model.moved.connect(self._on_moved)
        self.table.wheel_turned.connect(lambda steps: self.bar.step_by(-steps))
        model, bar = self.model, self.bar
        for key, slot in (
            ("Left", lambda: bar.step_by(-1)),
            ("Right", lambda: bar.step_by(1)),
            ("Home", lambda: model.go_to(0)),
            ("End", lambda: model.go_to(len(model.steps))),
            ("P", bar.toggle_playing),
            ("C", bar.cards.toggle),
            ("Esc", bar.back_requested.emit),
        ):
            self._add_shortcut(key, slot)
        for number, street in enumerate(Street, start=1):
            self._add_shortcut(str(number), partial(model.go_to_street, street))

    def _add_shortcut(self, key: str, slot: Callable[[], object]) -> None:
        shortcut = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(lambda: slot())

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self.table.set_units(in_big_blinds)
        self.model.set_units(in_big_blinds)

    def _on_moved(self) -> None:
        if self.model.final is not None:
            self.table.set_revealed(self.model.opened)
            self.table.show_view(self.model.view)
