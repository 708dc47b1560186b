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

import math
import time
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.game.events import FOLD, Action, ActionKind
from trainer.play.action_bar_model import ActionBarModel, Waiting, action_bar_model
from trainer.session.amounts import AmountTextError, Units
from trainer.session.types import TableView
from trainer.theme import Theme, ThemeSource
from trainer.widgets.announcement import announce
from trainer.widgets.text_field import MarkedLineEdit

DEFAULT_KEYS = {"fold": "F", "call": "C", "raise": "R", "next": "Space"}
GUARD_MILLISECONDS = 250
"""How long nothing can be pressed after the buttons have changed their meaning."""

SECOND_THOUGHT_SECONDS = 0.4
"""How long after a question the second press begins to count: a double press is no second thought."""

_TALL_BUTTON = 40
"""Least height in pixels of the buttons that act; the others hold a sign such as 2/3."""

PRESET_KEYS = tuple(f"Alt+{number}" for number in range(1, 6))
_SECOND_KEYS = {"raise": "B"}
_WHEEL_STEP = 120


class ActionBar(QWidget):
    """Lets the user act when it is their turn, and go on when it is not.

    Parameters
    ----------
    theme : ThemeSource
    clock : callable
        Gives seconds that never go back.

    Signals
    -------
    action_chosen : Action
        A legal action.
    amount_chosen : int or None
        The bet or raise that the user has set but not made; None if there is none.
    waiting_chosen : Waiting
        What to do while there is nothing to decide.
    """

    action_chosen = Signal(object)
    amount_chosen = Signal(object)
    waiting_chosen = Signal(object)

    def __init__(
        self, theme: ThemeSource, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._clock = clock
        self._view: TableView | None = None
        self._in_big_blinds = False
        self._asks_when_big = False
        self._model = ActionBarModel(Units(1))
        self._amount = self._untyped = 0
        self._refusal = ""
        self._meaning: object = None
        self._is_guarded = False
        self._armed: Action | None = None
        self._armed_at = 0.0
        self._wheel_rest = 0
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        self._guard = self._single_shot(GUARD_MILLISECONDS)
        self._guard.timeout.connect(self._on_guard_over)
        self._filtered: QWidget | None = None
        self._shortcuts: list[QShortcut] = []
        self._keys = dict(DEFAULT_KEYS)
        self._build()
        self.set_keys(DEFAULT_KEYS)
        self._show_model()

    @property
    def amount(self) -> int:
        """The street total that the raise button would bet, in chips."""
        return self._amount

    @property
    def model(self) -> ActionBarModel:
        """What is offered."""
        return self._model

    def show_view(self, view: TableView) -> None:
        """Offer what can be done now."""
        self._view = view
        self._model = action_bar_model(view, self._in_big_blinds)
        model = self._model
        meaning = model.decision or model.waiting
        if meaning != self._meaning:
            self._meaning = meaning
            self._amount, self._refusal = model.least, ""
            self._disarm()
            self._begin_guard()
            self.amount_chosen.emit(None)
            if model.decision is not None:
                self._take_keys()
                announce(self, model.prompt)
        self._show_model()

    def clear(self) -> None:
        """Offer nothing, until another session is shown."""
        self._view, self._meaning = None, None
        self._model, self._refusal = ActionBarModel(self._model.units), ""
        self._disarm()
        self._show_model()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.amount_chosen.emit(None)

    def set_units(self, big_blinds: bool) -> None:
        """Write and read amounts in big blinds, or in chips."""
        self._in_big_blinds = big_blinds
        self._refusal = ""  # the amount shown is the last one that was legal
        if self._view is not None:
            self.show_view(self._view)

    def set_confirm_big(self, asks: bool) -> None:
        """Ask once before a call, bet or raise of all chips or at least half of them."""
        self._asks_when_big = asks

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Take other keys for the intents of `DEFAULT_KEYS`, as Qt writes keys."""
        self._keys = DEFAULT_KEYS | dict(keys)
        for shortcut in self._shortcuts:
            shortcut.setParent(None)
            shortcut.deleteLater()
        self._shortcuts = []
        for intent, pressed in (
            ("fold", self._press_fold),
            ("call", self._press_call),
            ("raise", self._press_raise),
        ):
            self._add_shortcut(self._keys[intent], pressed)
            if intent in _SECOND_KEYS and self._keys[intent] == DEFAULT_KEYS[intent]:
                self._add_shortcut(_SECOND_KEYS[intent], pressed)
        for index, key in enumerate(PRESET_KEYS):
            self._add_shortcut(key, partial(self._press_preset, index))
        if "A" not in self._keys.values():
            self._add_shortcut("A", partial(self._press_preset, 4))
        self._show_hints()
        self._show_model()

    def turn_wheel(self, steps: int) -> None:
        """Change the bet by so many big blinds, or small blinds while Shift or Ctrl is held."""
        fine = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        self.change_amount(steps, is_fine=bool(QGuiApplication.keyboardModifiers() & fine))

    def change_amount(self, steps: int, *, is_fine: bool = False) -> None:
        """Change the bet by so many big blinds, or small blinds if fine, within what is legal."""
        if self._model.can_raise:
            self._set_amount(self._model.stepped(self._amount, steps, is_fine=is_fine))

    def _build(self) -> None:
        theme = self._theme_source
        self.setAccessibleName("Actions")
        self._prompt = QLabel()
        self._prompt.setAccessibleName("What is happening")
        self._prompt.setTextFormat(Qt.TextFormat.PlainText)
        self._prompt.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        font = self._prompt.font()
        font.setBold(True)
        self._prompt.setFont(font)
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
        self._presets = [ActionButton(theme, "") for _ in range(5)]
        for index, button in enumerate(self._presets):
            button.clicked.connect(partial(self._press_preset, index))
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName("Bet size")
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.setMinimumWidth(90)
        self._slider.installEventFilter(self)
        self._slider.valueChanged.connect(self._on_slider)
        self._field = AmountField(theme, self)
        self._field.setAccessibleName("Bet or raise to")
        self._field.setToolTip("Type an amount; Enter or the button bets it, Esc takes it back")
        self._field.textEdited.connect(self._on_typed)
        self._field.installEventFilter(self)
        self._lay_out()

    def _lay_out(self) -> None:
        sizes = QHBoxLayout()
        sizes.setSpacing(5)
        self._modifier = QLabel("Alt+")
        self._modifier.setToolTip("With Alt a digit sets a share of the pot; digits alone are an amount")
        sizes.addWidget(self._modifier)
        for button in self._presets:
            sizes.addWidget(button, 2)
        sizes.addSpacing(6)
        sizes.addWidget(self._slider, 7)
        sizes.addWidget(self._field, 3)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._fold, self._call, self._raise):
            button.setMinimumHeight(_TALL_BUTTON)
            buttons.addWidget(button, 1)
        deciding, waiting = QWidget(), QWidget()
        for page, rows in ((deciding, (sizes, buttons)), (waiting, ())):
            box = QVBoxLayout(page)
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(8)
            for row in rows:
                box.addLayout(row)
        waits = QHBoxLayout()
        waits.setSpacing(8)
        waits.addStretch(1)
        for button, width in zip(self._waits, (260, 180), strict=True):
            button.setMinimumSize(width, _TALL_BUTTON)
            waits.addWidget(button)
        waits.addStretch(1)
        layout = waiting.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addStretch(1)
        layout.addLayout(waits)
        self._pages = QStackedWidget()
        self._pages.addWidget(deciding)
        self._pages.addWidget(waiting)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 6, 12, 10)
        outer.setSpacing(6)
        outer.addWidget(self._prompt)
        outer.addWidget(self._pages)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _show_hints(self) -> None:
        self._fold.set_hint(self._keys["fold"])
        self._call.set_hint(self._keys["call"])
        self._raise.set_hint(self._keys["raise"])
        self._waits[0].set_hint(self._keys["next"])
        for index, button in enumerate(self._presets):
            button.set_hint(PRESET_KEYS[index], str(index + 1))

    def _show_model(self) -> None:
        model = self._model
        is_deciding = model.decision is not None
        self._keep_focus()
        self._pages.setCurrentIndex(0 if is_deciding else 1)
        is_open = is_deciding and not self._is_guarded
        self._fold.setText("Fold anyway?" if self._armed == FOLD else "Fold")
        self._fold.setEnabled(is_open)
        self._call.setText(model.passive_text + ("?" if self._armed == model.passive else ""))
        self._call.set_role("check" if model.is_check_free else "call")
        self._call.setEnabled(is_open)
        for index, button in enumerate(self._waits):
            is_offered = index < len(model.waiting)
            button.setVisible(is_offered)
            button.setText(model.waiting[index] if is_offered else "")
            button.setEnabled(is_offered and not self._is_guarded)
        is_skip = Waiting.SKIP_TO_TURN in model.waiting or Waiting.SKIP_TO_END in model.waiting
        self._waits[0].set_role("" if is_skip else "accent")
        for button, preset in zip(self._presets, model.presets, strict=True):
            button.setText(preset.sign)
            button.setEnabled(is_deciding and preset.amount is not None)
            amount = "not legal now" if preset.amount is None else model.units.text(preset.amount)
            button.setToolTip(f"{preset.name}: {amount} ({button.key})")
            button.setAccessibleName(f"{preset.name}: {amount}")
        self._show_amount()

    def _show_amount(self) -> None:
        model = self._model
        can_raise = model.decision is not None and model.can_raise
        with QSignalBlocker(self._slider):
            self._slider.setRange(model.least, max(model.least, model.most))
            self._slider.setSingleStep(model.big_step)
            self._slider.setPageStep(4 * model.big_step)
            self._slider.setValue(self._amount)
        self._slider.setEnabled(can_raise and model.most > model.least)
        self._slider.setAccessibleDescription(model.units.text(self._amount))
        self._field.setEnabled(can_raise)
        if self._refusal:
            self._field.mark(0, 0)
            self._raise.setText(f"{model.raise_word} –")
        else:
            self._field.unmark()
            self._field.show_amount(self._amount if can_raise else None, model.units)
            is_armed = self._armed is not None and self._armed.kind is ActionKind.RAISE
            self._raise.setText(model.raise_text(self._amount) + ("?" if is_armed else ""))
        self._raise.setEnabled(can_raise and not self._is_guarded and not self._refusal)
        for button, preset in zip(self._presets, model.presets, strict=True):
            button.set_chosen(preset.amount == self._amount and not self._refusal)
        self._show_prompt()

    def _show_prompt(self) -> None:
        """Say what there is to decide, or what stands against it."""
        model, warning = self._model, self._refusal
        if self._armed is not None:
            reason = model.question(self._armed, asks_when_big=self._asks_when_big)
            warning = f"{reason} {model.confirmation(self._armed, self._keys[_intent(self._armed)])}"
        self._prompt.setText(warning or model.prompt)
        palette = self._prompt.palette()
        theme = self._theme_source.theme
        palette.setColor(self._prompt.foregroundRole(), QColor(theme.warning if warning else theme.text))
        self._prompt.setPalette(palette)

    def _keep_focus(self) -> None:
        """Take the focus from a button about to be disabled, or Qt would hand it to a stranger."""
        focused = self.window().focusWidget()
        if focused is not None and focused is not self and self.isAncestorOf(focused):
            is_field = focused is self._field and self._model.decision is not None
            if not is_field:
                self._take_keys()

    def _take_keys(self) -> None:
        """Take the focus of the window, except from text that is being typed outside the bar."""
        focused = self.window().focusWidget()
        if focused is None or self.isAncestorOf(focused) or not _takes_text(focused):
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_amount(self, amount: int) -> None:
        """Take an amount that was stepped or chosen, and write it where amounts are typed."""
        amount = self._model.clamp(amount)
        if amount != self._amount or self._refusal:
            self._take_amount(amount, "")

    def _on_typed(self, text: str) -> None:
        """Take a typed amount at every keystroke; one that cannot be bet stays there, and says why."""
        try:
            self._take_amount(self._model.read_amount(text), "")
        except AmountTextError as error:
            self._take_amount(self._amount, str(error))

    def _take_amount(self, amount: int, refusal: str) -> None:
        self._amount, self._refusal = amount, refusal
        if self._armed is None:
            self._show_amount()
        else:
            self._disarm()
            self._show_model()
        self.amount_chosen.emit(None if refusal else amount)

    def _press_fold(self) -> None:
        self._choose(FOLD)

    def _press_call(self) -> None:
        self._choose(self._model.passive)

    def _press_raise(self) -> None:
        if self._refusal:
            announce(self, self._refusal)
        elif self._model.can_raise:
            self._choose(self._model.raise_action(self._amount))

    def _press_preset(self, index: int, _checked: bool = False) -> None:
        amount = self._model.presets[index].amount
        if self._model.decision is not None and amount is not None:
            self._set_amount(amount)

    def _press_wait(self, index: int, _checked: bool = False, *, is_repeat: bool = False) -> None:
        if not is_repeat and not self._is_guarded and index < len(self._model.waiting):
            self._begin_guard()  # one press, one hand, however long the dealer takes
            self._show_model()
            self.waiting_chosen.emit(self._model.waiting[index])

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Take back the focus that a click, a list that closes or Qt itself has put elsewhere in the window."""
        window = self.window()
        if now is self._field:
            self._untyped = self._amount
        if now is None or now is self or self.isAncestorOf(now) or _takes_text(now):
            return
        # A dock that floats is a window of its own.
        home = now.window().parentWidget() if isinstance(now.window(), QDockWidget) else now.window()
        if home is not window:
            return
        is_clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        is_lost = before is not None and not (before.isVisible() and before.isEnabled())
        is_list_closed = before is not None and before.window() is not now.window() and isinstance(now, QComboBox)
        if self._view is not None and (is_clicked or is_lost or is_list_closed):
            window.activateWindow()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, action: Action) -> None:
        """Act, or ask first where an action should be asked for twice."""
        if self._model.decision is None or self._is_guarded:
            return
        question = self._model.question(action, asks_when_big=self._asks_when_big)
        if question and self._armed != action:
            self._armed, self._armed_at = action, self._clock()
            self._take_keys()  # Enter and Esc answer it
            self._show_model()
            announce(self, self._prompt.text())
            return
        if question and self._clock() - self._armed_at < SECOND_THOUGHT_SECONDS:
            return
        self._disarm()
        self._take_keys()
        self._model = ActionBarModel(self._model.units)  # no second action before the table has answered
        self._meaning, self._refusal = None, ""
        self._show_model()
        self.amount_chosen.emit(None)
        self.action_chosen.emit(action)

    def _disarm(self) -> None:
        self._armed = None

    def _begin_guard(self) -> None:
        self._is_guarded = True
        self._guard.start()

    def _on_guard_over(self) -> None:
        self._is_guarded = False
        self._show_model()

    def _on_slider(self, value: int) -> None:
        self._set_amount(self._model.snapped(value) if self._slider.isSliderDown() else value)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._show_model()

    def _single_shot(self, milliseconds: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        return timer

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
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for that the widget with the focus had no use for; tell whether it is one."""
        if self._model.waiting and QKeySequence(event.keyCombination()) == QKeySequence(self._keys["next"]):
            self._press_wait(0, is_repeat=event.isAutoRepeat())
            return True
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_fine = modifiers == Qt.KeyboardModifier.ShiftModifier
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and (is_fine or not modifiers) and self._model.can_raise:
            self.change_amount(1 if key is Qt.Key.Key_Up else -1, is_fine=is_fine)
        elif modifiers:
            return False
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self._press_enter(is_repeat=event.isAutoRepeat())
        elif key is Qt.Key.Key_Escape:
            return self._press_escape()
        elif event.text() and event.text() in "0123456789." and self._model.can_raise:
            self._field.begin(event.text())
        else:
            return False
        return True

    def _press_enter(self, *, is_repeat: bool) -> bool:
        """Insist on what was asked, bet what was typed, or go on; a key held down is pressed once."""
        if is_repeat:
            return True
        if self._armed is not None:
            self._choose(self._armed)
        elif self._field.hasFocus():
            self._press_raise()
        elif self._model.waiting:
            self._press_wait(0)
        else:
            return False
        return True

    def _press_escape(self) -> bool:
        """Take back what was asked, or what was typed, or the keys."""
        if self._armed is not None:
            self._disarm()
            self._show_model()
        elif self._field.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self._take_amount(self._untyped, "")
            self.amount_chosen.emit(None)
        elif self._view is not None and not self.hasFocus():
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


class ActionButton(QAbstractButton):
    """A flat button in the colour of its action, with its key as a small hint.

    Parameters
    ----------
    theme : ThemeSource
    role : str
        Field of `Theme` for its colour; empty for a plain button.
    """

    def __init__(self, theme: ThemeSource, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.setAccessibleDescription(f"Key {key}")
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
        if self.minimumHeight() < _TALL_BUTTON:
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
        is_small = self.minimumHeight() < _TALL_BUTTON
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
        """Give fill, ink and border of the button as it stands."""
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


class AmountField(MarkedLineEdit):
    """Where an amount is typed, in the chosen units; letters are left to the window's shortcuts."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._shown: tuple[int | None, Units] | None = None
        self._is_entered = False
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(96)
        self.setMaxLength(24)

    def show_amount(self, amount: int | None, units: Units) -> None:
        """Write an amount, unless the text typed says the same already; a dash without one."""
        try:
            is_typed = self.hasFocus() and amount is not None and units.parse(self.text()) == amount
        except AmountTextError:
            is_typed = False
        if not is_typed or (self._shown is not None and self._shown[1] != units):
            self.replace_text("–" if amount is None else units.text(amount))
        self._shown = (amount, units)

    def begin(self, text: str) -> None:
        """Take the focus and the first characters of an amount in the place of the old one."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()
        self.insert(text)
        self.textEdited.emit(self.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_entered = event.reason() is Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the old amount at the click that leads here, as Tab does, so that typing replaces it."""
        super().mouseReleaseEvent(event)
        if self._is_entered and not self.hasSelectedText():
            self.selectAll()
        self._is_entered = False

    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.text().isalpha()
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
        ):
            event.ignore()
            return False
        return super().event(event)


def _takes_text(widget: QWidget) -> bool:
    """Whether keys are text in a widget."""
    return isinstance(widget, QLineEdit | QAbstractSpinBox | QTextEdit | QPlainTextEdit) and not widget.isReadOnly()


def _intent(action: Action) -> str:
    """Name the key of an action."""
    return {ActionKind.FOLD: "fold", ActionKind.RAISE: "raise"}.get(action.kind, "call")
