"""All keys, and four of them to be chosen: those that act at the table and deal the next hand."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QGridLayout,
    QKeySequenceEdit,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from trainer.help import TextDialog, keys_text
from trainer.settings import DEFAULT_KEYS, other_intent
from trainer.theme import ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.buttons import dialog_button
from trainer.widgets.text_field import ColouredLabel

_TITLES = {"fold": "&Fold", "call": "&Check or call", "raise": "&Bet or raise", "next": "&Next hand"}
_HOW_TO = "Click a field, then press the key. Enter does what is offered, whatever is chosen here."

_Key = Qt.Key
_LEFT_ALONE = (_Key.Key_Escape, _Key.Key_Return, _Key.Key_Enter, _Key.Key_Tab, _Key.Key_Backtab)
_MODIFIERS = (_Key.Key_Shift, _Key.Key_Control, _Key.Key_Alt, _Key.Key_AltGr, _Key.Key_Meta, _Key.Key_CapsLock)
_USED_AT_THE_TABLE = (_Key.Key_Up, _Key.Key_Down, _Key.Key_Left, _Key.Key_Right, _Key.Key_Period)


def why_no_key(key: QKeyCombination, intent: str, keys: Mapping[str, str], others: Mapping[str, str]) -> str:
    """Return in a sentence why a key cannot be chosen for an intent; "" if it can.

    `keys` are those of all intents, `others` what else has a key, by the key.
    """
    sequence = QKeySequence(key)
    written = sequence.toString()
    shown = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    holder = other_intent(intent, written, keys)
    if holder is not None:
        return f"{shown} is the key of “{_plain(_TITLES[holder])}”."
    if written in others:
        return f"{shown} is the key of “{_plain(others[written]).rstrip('…')}”."
    if key.keyboardModifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
        return f"{shown} does not do: keys with Ctrl or Alt open menus, panels and windows, and set amounts."
    if _Key.Key_0 <= key.key() <= _Key.Key_9 or key.key() in _USED_AT_THE_TABLE:
        return f"{shown} does not do: it types or changes the amount of a bet, or goes through a range."
    return ""


class _KeyField(QKeySequenceEdit):
    """Tells the key that is pressed, and leaves Esc, Enter and Tab to the dialog.

    Qt's own takes a key a second after it was pressed, in case that another one follows.
    """

    pressed = Signal(object)  # QKeyCombination

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _LEFT_ALONE:
            event.ignore()
        elif event.key() not in _MODIFIERS:
            self.pressed.emit(event.keyCombination())


class KeysDialog(TextDialog):
    """Shows all keys; the four that can be chosen are in force once they are pressed.

    Signals
    -------
    keys_chosen : dict
        The keys of `DEFAULT_KEYS`, as Qt writes them.
    """

    keys_chosen = Signal(object)

    def __init__(
        self, theme: ThemeSource, keys: Mapping[str, str], others: Mapping[str, str], parent: QWidget
    ) -> None:
        super().__init__("Keys", keys_text(keys), parent)
        self._keys = dict(keys)
        self._others = others
        self.fields = {intent: _KeyField() for intent in DEFAULT_KEYS}
        self.news = ColouredLabel(theme, "text_muted", _HOW_TO, wraps=True)
        self.defaults = dialog_button("&Defaults", self._on_defaults)
        chosen = QGridLayout()
        for index, (intent, field) in enumerate(self.fields.items()):
            label = QLabel(_TITLES[intent])
            label.setBuddy(field)
            field.setAccessibleName(f"Key of {_plain(_TITLES[intent])}")
            field.pressed.connect(partial(self._on_pressed, intent))
            chosen.addWidget(label, index // 2, index % 2 * 2)
            chosen.addWidget(field, index // 2, index % 2 * 2 + 1)
        chosen.addWidget(self.defaults, 0, 4, 2, 1)
        line = self.fontMetrics().height()
        top = QVBoxLayout()
        top.setContentsMargins(line, line, line, 0)
        top.addLayout(chosen)
        top.addWidget(self.news)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertLayout(0, top)
        self._show_keys()
        self.buttons.setFocus()  # Esc and Enter close it

    def _on_pressed(self, intent: str, key: QKeyCombination) -> None:
        """Take a key, or say why it cannot be and show the one in force."""
        refusal = why_no_key(key, intent, self._keys, self._others)
        if not refusal:
            self._take({**self._keys, intent: QKeySequence(key).toString()})
            return
        self._show_keys()
        self._say(refusal, is_refused=True)

    def _on_defaults(self) -> None:
        self._take(dict(DEFAULT_KEYS))

    def _take(self, keys: dict[str, str]) -> None:
        self._keys = keys
        self.label.setText(keys_text(keys))
        self._show_keys()
        self._say(_HOW_TO, is_refused=False)
        self.keys_chosen.emit(keys)

    def _show_keys(self) -> None:
        for intent, field in self.fields.items():
            field.setKeySequence(QKeySequence(self._keys[intent]))

    def _say(self, text: str, *, is_refused: bool) -> None:
        self.news.set_meaning("bad" if is_refused else "text_muted")
        self.news.setText(text)
        if is_refused:
            announce(self, text)


def _plain(title: str) -> str:
    return title.replace("&", "")
