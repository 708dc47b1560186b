"""The bar to act with: fold, check or call, bet or raise, by mouse, wheel or keys, and guarded against slips.

Who has the keys
----------------
- Letters (fold, call, raise) act wherever the focus is, except where text is typed; so do Alt and a digit (sizes).
- The other keys (Space, Enter, Esc, arrows, digits) belong to the widget with the focus, and to the bar where that
  has no use for them.
- The bar has the focus unless a key took it away: Tab, Ctrl+1 to Ctrl+4, a mnemonic. Then lists, grids and buttons
  have their own keys until the next decision, or Esc. A click never takes the focus from the bar, except into text.
- Each new decision gives the focus back to the bar, except while text is typed.
- A digit begins an amount; letters act from the amount, too, for an amount has none.
"""

import time
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.game.events import FOLD, Action, ActionKind
from trainer.play.action_bar_model import ActionBarModel, Answer, Waiting
from trainer.play.action_button import TALL_BUTTON, ActionButton
from trainer.play.size_row import PRESET_KEYS, SizeRow
from trainer.session.types import TableView
from trainer.settings import DEFAULT_KEYS, further_keys
from trainer.theme import ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.text_field import ShortenedLabel, make_bold

GUARD_MILLISECONDS = 250
"""How long nothing can be pressed after the buttons have changed their meaning."""

_WHEEL_STEP = 120


class ActionBar(QWidget):
    """Lets the player act when it is their turn, and go on when it is not.

    A share of the pot that is chosen sets the amount, or is bet at once if that is wanted.
    """

    action_chosen = Signal(object)  # Action: a legal action
    amount_chosen = Signal(object)  # int or None: the bet or raise that is set but not made; None if there is none
    hint_requested = Signal()
    waiting_chosen = Signal(object)  # Waiting: what to do while there is nothing to decide

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme_source = theme
        self.model = ActionBarModel(time.monotonic)
        self._bets_presets = False
        self._wheel_rest = 0
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        self._guard = QTimer(self)
        self._guard.setSingleShot(True)
        self._guard.setInterval(GUARD_MILLISECONDS)
        self._guard.timeout.connect(self._on_guard_over)
        self._filtered: QWidget | None = None
        self._shortcuts: list[QShortcut] = []
        self._keys = dict(DEFAULT_KEYS)
        self._build()
        self.set_keys(DEFAULT_KEYS)

    def show_view(self, view: TableView) -> None:
        """Offer what can be done now."""
        if self.model.show_view(view):
            self._begin_guard()
            self.amount_chosen.emit(None)
            if self.model.offer.decision is not None:
                self._take_keys()
                announce(self, self.model.offer.prompt)
        self._show_model()

    def show_no_hand(self, *, is_over: bool) -> None:
        """Offer what can be done where no hand is on the table, as `ActionBarModel.show_no_hand`."""
        self.model.show_no_hand(is_over=is_over)
        self._take_keys()
        self._show_model()

    def clear(self) -> None:
        """Offer nothing, until another session is shown."""
        self.model.clear()
        self._show_model()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.amount_chosen.emit(None)

    def set_units(self, big_blinds: bool) -> None:
        """Write and read amounts in big blinds, or in chips."""
        self.model.set_units(big_blinds)
        if self.model.view is not None:
            self.show_view(self.model.view)

    def set_bets_presets(self, bets: bool) -> None:
        """Bet a share of the pot at once that is chosen, or only set the amount."""
        self._bets_presets = bets

    def set_confirm_big(self, asks: bool) -> None:
        """Ask once before a call, bet or raise of all chips or at least half of them."""
        self.model.asks_when_big = asks

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Take other keys for the intents of `DEFAULT_KEYS`, as Qt writes keys."""
        self._keys = DEFAULT_KEYS | dict(keys)
        for shortcut in self._shortcuts:
            shortcut.setParent(None)
            shortcut.deleteLater()
        self._shortcuts = []
        further = further_keys(self._keys)
        for key, pressed in (
            (self._keys["fold"], self._press_fold),
            (self._keys["call"], self._press_call),
            (self._keys["raise"], self._press_raise),
            (further["bet"], self._press_raise),
            *((key, partial(self._press_preset, index)) for index, key in enumerate(PRESET_KEYS)),
            (further["all_in"], partial(self._press_preset, 4)),
        ):
            if key:
                self._add_shortcut(key, pressed)
        self._show_hints()
        self._show_model()

    def turn_wheel(self, steps: int) -> None:
        """Change the bet by so many big blinds, or small blinds while Shift or Ctrl is held."""
        fine = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        self.change_amount(steps, is_fine=bool(QGuiApplication.keyboardModifiers() & fine))

    def change_amount(self, steps: int, *, is_fine: bool = False) -> None:
        """Change the bet by so many big blinds, or small blinds if fine, within what is legal."""
        if self.model.offer.can_raise:
            self._set_amount(self.model.offer.stepped(self.model.amount, steps, is_fine=is_fine))

    def _build(self) -> None:
        theme = self._theme_source
        self.setAccessibleName("Actions")
        self._prompt = ShortenedLabel(theme)
        self._prompt.setAccessibleName("What is happening")
        make_bold(self._prompt)
        self._fold = ActionButton(theme, "fold")
        self._call = ActionButton(theme, "call")
        self._raise = ActionButton(theme, "raise_")
        self._waits = [ActionButton(theme, "accent"), ActionButton(theme, "")]
        for button, pressed in (
            (self._fold, self._press_fold),
            (self._call, self._press_call),
            (self._raise, self._press_raise),
        ):
            button.clicked.connect(pressed)
        for index, button in enumerate(self._waits):
            button.clicked.connect(partial(self._press_wait, index))
        self._hint = ActionButton(theme, "")
        self._hint.setText("Hint")
        self._hint.setAccessibleName("Hint")
        self._hint.setToolTip("What every action is worth, from your seat")
        fixed = QSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        fixed.setRetainSizeWhenHidden(True)  # or the table above would move with every turn
        self._hint.setSizePolicy(fixed)
        self._hint.clicked.connect(self.hint_requested)
        self._sizes = SizeRow(theme)
        self._sizes.preset_chosen.connect(self._press_preset)
        self._sizes.slid.connect(self._on_slider)
        self._sizes.typed.connect(self._on_typed)
        self._sizes.slider.installEventFilter(self)
        self._sizes.field.installEventFilter(self)
        self._lay_out()

    def _lay_out(self) -> None:
        buttons, waits = QHBoxLayout(), QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._fold, self._call, self._raise):
            button.setMinimumHeight(TALL_BUTTON)
            buttons.addWidget(button, 1)
        waits.setSpacing(8)
        waits.addStretch(1)
        for button, width in zip(self._waits, (260, 180), strict=True):
            button.setMinimumSize(width, TALL_BUTTON)
            waits.addWidget(button)
        waits.addStretch(1)
        deciding, waiting = QWidget(), QWidget()
        boxes = [QVBoxLayout(page) for page in (deciding, waiting)]
        for box in boxes:
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(8)
        boxes[0].addLayout(self._sizes)
        boxes[0].addLayout(buttons)
        boxes[1].addStretch(1)
        boxes[1].addLayout(waits)
        self._pages = QStackedWidget()
        self._pages.addWidget(deciding)
        self._pages.addWidget(waiting)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 6, 12, 10)
        outer.setSpacing(6)
        news = QHBoxLayout()
        news.addWidget(self._prompt, 1)
        news.addWidget(self._hint)
        outer.addLayout(news)
        outer.addWidget(self._pages)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _show_hints(self) -> None:
        self._fold.set_hint(self._keys["fold"])
        self._call.set_hint(self._keys["call"])
        self._raise.set_hint(self._keys["raise"])
        self._waits[0].set_hint(self._keys["next"])
        self._hint.set_hint(further_keys(self._keys)["hint"])

    def _show_model(self) -> None:
        model, offer = self.model, self.model.offer
        is_deciding = offer.decision is not None
        self._keep_focus()
        self._pages.setCurrentIndex(0 if is_deciding else 1)
        is_open = is_deciding and not model.is_guarded
        self._hint.setVisible(is_deciding)
        self._fold.setText("Fold anyway?" if model.armed == FOLD else "Fold")
        self._fold.setEnabled(is_open)
        self._call.setText(offer.passive_text + ("?" if model.armed == offer.passive else ""))
        self._call.set_role("check" if offer.is_check_free else "call")
        self._call.setEnabled(is_open)
        for index, button in enumerate(self._waits):
            is_offered = index < len(offer.waiting)
            button.setVisible(is_offered)
            button.setText(offer.waiting[index] if is_offered else "")
            button.setEnabled(is_offered and not model.is_guarded)
        is_skip = Waiting.SKIP_TO_TURN in offer.waiting or Waiting.SKIP_TO_END in offer.waiting
        self._waits[0].set_role("" if is_skip else "accent")
        self._sizes.show_offer(model)
        self._show_amount()

    def _show_amount(self) -> None:
        model, offer = self.model, self.model.offer
        self._sizes.show_amount(model)
        if model.refusal:
            self._raise.setText(f"{offer.raise_word} –")
        else:
            is_armed = model.armed is not None and model.armed.kind is ActionKind.RAISE
            self._raise.setText(offer.raise_text(model.amount) + ("?" if is_armed else ""))
        self._raise.setEnabled(model.can_raise and not model.is_guarded and not model.refusal)
        warning = model.warning(self._keys)
        self._prompt.setText(warning or offer.prompt)
        self._prompt.set_meaning("warning" if warning else "text")

    def _keep_focus(self) -> None:
        """Take the focus from a button about to be disabled, or Qt would hand it to a stranger."""
        focused = self.window().focusWidget()
        if focused is not None and focused is not self and self.isAncestorOf(focused):
            is_field = focused is self._sizes.field and self.model.offer.decision is not None
            if not is_field:
                self._take_keys()

    def _take_keys(self) -> None:
        """Take the focus of the window, except from text that is being typed outside the bar."""
        focused = self.window().focusWidget()
        if not self.isVisible():  # a hand is replayed in its place
            return
        if focused is None or self.isAncestorOf(focused) or not _takes_text(focused):
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_amount(self, amount: int) -> None:
        """Take an amount that was stepped or chosen, and write it where amounts are typed."""
        was_armed = self.model.armed is not None
        if self.model.set_amount(amount):
            self._on_amount_changed(was_armed)

    def _on_typed(self, text: str) -> None:
        """Take a typed amount at every keystroke; one that cannot be bet stays there, and says why."""
        was_armed = self.model.armed is not None
        self.model.type_amount(text)
        self._on_amount_changed(was_armed)

    def _on_amount_changed(self, was_armed: bool) -> None:
        if was_armed:
            self._show_model()
        else:
            self._show_amount()
        self.amount_chosen.emit(None if self.model.refusal else self.model.amount)

    def _press_fold(self) -> None:
        self._choose(FOLD)

    def _press_call(self) -> None:
        self._choose(self.model.offer.passive)

    def _press_raise(self) -> None:
        if self.model.refusal:
            announce(self, self.model.refusal)
        elif self.model.offer.can_raise:
            self._choose(self.model.offer.raise_action(self.model.amount))

    def _press_preset(self, index: int) -> None:
        amount = self.model.offer.presets[index].amount
        if self.model.offer.decision is not None and amount is not None:
            self._set_amount(amount)
            if self._bets_presets:
                self._press_raise()

    def _press_wait(self, index: int, _checked: bool = False, *, is_repeat: bool = False) -> None:
        waiting = self.model.offer.waiting
        if not is_repeat and not self.model.is_guarded and index < len(waiting):
            self._begin_guard()  # one press, one hand, however long the dealer takes
            self._show_model()
            self.waiting_chosen.emit(waiting[index])

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Take back the focus that a click, a list that closes or Qt itself has put elsewhere in the window."""
        window = self.window()
        if now is self._sizes.field:
            self.model.begin_typing()
        if now is None or now is self or self.isAncestorOf(now) or _takes_text(now) or not self.isVisible():
            return
        # A dock that floats is a window of its own.
        home = now.window().parentWidget() if isinstance(now.window(), QDockWidget) else now.window()
        if home is not window:
            return
        is_clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        is_lost = before is not None and not (before.isVisible() and before.isEnabled())
        is_list_closed = before is not None and before.window() is not now.window() and isinstance(now, QComboBox)
        if self.model.view is not None and (is_clicked or is_lost or is_list_closed):
            window.activateWindow()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, action: Action) -> None:
        """Act, or ask first where an action should be asked for twice."""
        answer = self.model.choose(action)
        if answer is not Answer.IGNORED:
            self._take_keys()  # to answer what is asked by Enter and Esc
            self._show_model()
        if answer is Answer.ASKED:
            announce(self, self._prompt.text())
        elif answer is Answer.TAKEN:
            self.amount_chosen.emit(None)
            self.action_chosen.emit(action)

    def _begin_guard(self) -> None:
        self.model.is_guarded = True
        self._guard.start()

    def _on_guard_over(self) -> None:
        self.model.is_guarded = False
        self._show_model()

    def _on_slider(self, value: int) -> None:
        self._set_amount(self.model.offer.snapped(value) if self._sizes.slider.isSliderDown() else value)

    def _add_shortcut(self, key: str, pressed: object) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setAutoRepeat(False)  # a key held down is pressed once
        shortcut.activated.connect(pressed)
        self._shortcuts.append(shortcut)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the wheel from slider and field, and the keys that no widget of the window has used."""
        if isinstance(event, QWheelEvent):
            if watched is not self._filtered:
                self.wheelEvent(event)
                return True
        elif watched is self._filtered and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self.isVisible() and self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for that the widget with the focus had no use for; return whether it is one."""
        if self.model.offer.waiting and QKeySequence(event.keyCombination()) == QKeySequence(self._keys["next"]):
            self._press_wait(0, is_repeat=event.isAutoRepeat())
            return True
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_fine = modifiers == Qt.KeyboardModifier.ShiftModifier
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and (is_fine or not modifiers) and self.model.offer.can_raise:
            self.change_amount(1 if key is Qt.Key.Key_Up else -1, is_fine=is_fine)
        elif modifiers:
            return False
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self._press_enter(is_repeat=event.isAutoRepeat())
        elif key is Qt.Key.Key_Escape:
            return self._press_escape()
        elif event.text() and event.text() in "0123456789." and self.model.offer.can_raise:
            self._sizes.field.begin(event.text())
        else:
            return False
        return True

    def _press_enter(self, *, is_repeat: bool) -> bool:
        """Insist on what was asked, bet what was typed or set, or go on; a key held down is pressed once."""
        if is_repeat:
            return True
        if self.model.armed is not None:
            self._choose(self.model.armed)
        elif self._sizes.field.hasFocus() or (self.model.can_raise and self.model.is_amount_chosen):
            self._press_raise()
        elif self.model.offer.waiting:
            self._press_wait(0)
        else:
            return False
        return True

    def _press_escape(self) -> bool:
        """Take back what was asked, or what was typed, or the keys."""
        if self.model.armed is not None:
            self.model.armed = None
            self._show_model()
        elif self._sizes.field.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.model.take_typing_back()
            self._show_amount()
            self.amount_chosen.emit(None)
        elif self.model.view is not None and not self.hasFocus():
            self._take_keys()
        else:
            return False
        return True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._filtered is not self.window():
            if self._filtered is not None:
                self._filtered.removeEventFilter(self)
            self._filtered = self.window()
            self._filtered.installEventFilter(self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        self._wheel_rest += delta.y() or delta.x()  # some systems turn Shift and wheel sideways
        steps = int(self._wheel_rest / _WHEEL_STEP)
        self._wheel_rest -= steps * _WHEEL_STEP
        if steps:
            self.turn_wheel(steps)
        event.accept()


def _takes_text(widget: QWidget) -> bool:
    """Whether keys are text in a widget."""
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit) and not widget.isReadOnly()
