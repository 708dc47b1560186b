"""The bar to act with: fold, check or call, bet or raise, by mouse, wheel or keys, and guarded against slips.

Letters and digits are shortcuts of the whole window. Arrows reach the bar only when the widget with the focus has
no use for them, so that lists, grids and text keep theirs.
"""

import math
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QShortcut,
    QShowEvent,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.game.events import FOLD, Action
from trainer.session_types import TableView
from trainer.theme import Theme, ThemeSource
from trainer.viewmodels.action_bar import ActionBarModel, action_bar_model
from trainer.viewmodels.amounts import AmountTextError, Units
from trainer.widgets.announcement import announce

DEFAULT_KEYS = {"fold": "F", "call": "C", "raise": "R", "next": "Space"}
GUARD_MILLISECONDS = 250
"""How long nothing can be pressed after the buttons have changed their meaning."""

QUESTION_MILLISECONDS = 4000
"""How long a question such as "Fold anyway?" waits for the second press."""

_TALL_BUTTON = 40
"""Least height in pixels of the buttons that act; the others hold a sign such as 2/3."""

_SECOND_KEYS = {"raise": "B"}
_WHEEL_STEP = 120


class ActionBar(QWidget):
    """Lets the user act when it is their turn, and go on when it is not.

    Signals
    -------
    action_chosen : Action
        A legal action.
    deal_requested, skip_requested
        The next hand, or the end of the waiting.
    """

    action_chosen = Signal(object)
    deal_requested = Signal()
    skip_requested = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme_source = theme
        theme.changed.connect(self._on_theme_changed)
        self._view: TableView | None = None
        self._in_big_blinds = False
        self._asks_when_big = False
        self._model = ActionBarModel(Units(1))
        self._amount = 0
        self._meaning: object = None
        self._is_guarded = False
        self._armed: Action | None = None
        self._wheel_rest = 0
        self._is_focus_chosen = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        self._guard = self._single_shot(GUARD_MILLISECONDS)
        self._guard.timeout.connect(self._on_guard_over)
        self._question = self._single_shot(QUESTION_MILLISECONDS)
        self._question.timeout.connect(self._on_question_over)
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
        meaning = model.decision or (model.can_deal, model.can_skip, model.wait_text)
        if meaning != self._meaning:
            self._meaning = meaning
            self._amount = model.least
            self._disarm()
            self._begin_guard()
            if model.decision is not None:
                announce(self, model.prompt)
        self._show_model()

    def set_units(self, big_blinds: bool) -> None:
        """Write and read amounts in big blinds, or in chips."""
        self._in_big_blinds = big_blinds
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
        self._next_shortcut = self._add_shortcut(self._keys["next"], self._press_next)
        for index in range(5):
            self._add_shortcut(str(index + 1), partial(self._press_preset, index))
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
        self._wait = ActionButton(theme, "accent")
        for button, pressed in (
            (self._fold, self._press_fold),
            (self._call, self._press_call),
            (self._raise, self._press_raise),
            (self._wait, self._press_next),
        ):
            button.clicked.connect(pressed)
        self._presets = [ActionButton(theme, "") for _ in range(5)]
        for index, button in enumerate(self._presets):
            button.clicked.connect(partial(self._press_preset, index))
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName("Bet size")
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.setMinimumWidth(90)
        self._slider.installEventFilter(self)
        self._slider.valueChanged.connect(self._on_slider)
        self._spin = AmountSpinBox(self)
        self._spin.setAccessibleName("Bet or raise to")
        self._spin.valueChanged.connect(self._set_amount)
        self._spin.entered.connect(self._on_amount_entered)
        self._spin.installEventFilter(self)
        self._lay_out()

    def _lay_out(self) -> None:
        sizes = QHBoxLayout()
        sizes.setSpacing(5)
        for button in self._presets:
            sizes.addWidget(button, 2)
        sizes.addSpacing(6)
        sizes.addWidget(self._slider, 7)
        sizes.addWidget(self._spin, 3)
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
        self._wait.setMinimumSize(260, _TALL_BUTTON)
        layout = waiting.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addStretch(1)
        layout.addWidget(self._wait, 0, Qt.AlignmentFlag.AlignHCenter)
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
        self._wait.set_hint(self._keys["next"])
        for index, button in enumerate(self._presets):
            button.set_hint(str(index + 1))

    def _show_model(self) -> None:
        model = self._model
        is_deciding = model.decision is not None
        self._keep_focus()
        self._pages.setCurrentIndex(0 if is_deciding else 1)
        question = model.question(self._armed, asks_when_big=self._asks_when_big) if self._armed else ""
        self._prompt.setText(question or model.prompt)
        palette = self._prompt.palette()
        theme = self._theme_source.theme
        palette.setColor(self._prompt.foregroundRole(), QColor(theme.warning if question else theme.text))
        self._prompt.setPalette(palette)
        is_open = is_deciding and not self._is_guarded
        self._fold.setText("Fold anyway?" if self._armed == FOLD else "Fold")
        self._fold.setEnabled(is_open)
        self._call.setText(model.passive_text)
        self._call.set_role("check" if model.is_check_free else "call")
        self._call.setEnabled(is_open)
        self._wait.setText(model.wait_text)
        self._wait.set_role("accent" if model.can_deal else "")
        self._wait.setVisible(bool(model.wait_text))
        self._wait.setEnabled((model.can_deal or model.can_skip) and not self._is_guarded)
        self._next_shortcut.setEnabled(model.can_deal or model.can_skip)
        for button, preset in zip(self._presets, model.presets, strict=True):
            button.setText(preset.sign)
            button.setEnabled(is_deciding and preset.amount is not None)
            amount = "not legal now" if preset.amount is None else model.units.text(preset.amount)
            button.setToolTip(f"{preset.name}: {amount}")
            button.setAccessibleName(f"{preset.name}: {amount}")
        self._show_amount()

    def _show_amount(self) -> None:
        model = self._model
        can_raise = model.decision is not None and model.can_raise
        with QSignalBlocker(self._slider), QSignalBlocker(self._spin):
            self._slider.setRange(model.least, max(model.least, model.most))
            self._slider.setSingleStep(model.big_step)
            self._slider.setPageStep(4 * model.big_step)
            self._slider.setValue(self._amount)
            self._spin.set_units(model.units)
            self._spin.setRange(model.least, max(model.least, model.most))
            self._spin.setSingleStep(model.big_step)
            self._spin.setSpecialValueText("" if can_raise else "–")
            self._spin.setValue(self._amount)
        self._slider.setEnabled(can_raise and model.most > model.least)
        self._slider.setAccessibleDescription(model.units.text(self._amount))
        self._spin.setEnabled(can_raise and model.most > model.least)
        self._raise.setText(model.raise_text(self._amount))
        self._raise.setEnabled(can_raise and not self._is_guarded)
        for button, preset in zip(self._presets, model.presets, strict=True):
            button.set_chosen(preset.amount == self._amount)

    def _keep_focus(self) -> None:
        """Take the focus from a button about to be disabled, or Qt would hand it to a stranger."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QWidget) and focused is not self and self.isAncestorOf(focused):
            is_field = focused is self._spin and self._model.decision is not None
            if not is_field:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_amount(self, amount: int) -> None:
        amount = self._model.clamp(amount)
        if amount != self._amount:
            self._amount = amount
            if self._armed is None:
                self._show_amount()
            else:
                self._disarm()
                self._show_model()

    def _press_fold(self) -> None:
        self._choose(FOLD)

    def _press_call(self) -> None:
        self._choose(self._model.passive)

    def _press_raise(self) -> None:
        if self._model.can_raise:
            self._choose(self._model.raise_action(self._amount))

    def _press_preset(self, index: int, _checked: bool = False) -> None:
        amount = self._model.presets[index].amount
        if self._model.decision is not None and amount is not None:
            self._set_amount(amount)

    def _press_next(self) -> None:
        focused = QApplication.focusWidget()
        is_chosen = self._is_focus_chosen and focused is not None and not self.isAncestorOf(focused)
        if is_chosen and isinstance(focused, QAbstractButton):
            focused.click()  # a key such as Space belongs to the button that one has gone to
        elif is_chosen and isinstance(focused, QComboBox):
            focused.showPopup()
        elif self._is_guarded:
            return
        elif self._model.can_deal:
            self._begin_guard()  # one press, one hand, however long the dealer takes
            self._show_model()
            self.deal_requested.emit()
        elif self._model.can_skip:
            self.skip_requested.emit()

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Note whether the user went to the focused widget by key, and Qt or a click did not put it there."""
        is_forced = before is None or not before.isVisible() or not before.isEnabled()
        is_clicked = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._is_focus_chosen = now is not None and not is_forced and not is_clicked

    def _choose(self, action: Action) -> None:
        """Act, or ask first where an action should be asked for twice."""
        if self._model.decision is None or self._is_guarded:
            return
        question = self._model.question(action, asks_when_big=self._asks_when_big)
        if question and self._armed != action:
            self._armed = action
            self._question.start()
            self._begin_guard()  # a double click is no second thought
            announce(self, question)
            self._show_model()
            return
        self._disarm()
        self._model = ActionBarModel(self._model.units)  # no second action before the table has answered
        self._meaning = None
        self._show_model()
        self.action_chosen.emit(action)

    def _disarm(self) -> None:
        self._armed = None
        self._question.stop()

    def _begin_guard(self) -> None:
        self._is_guarded = True
        self._guard.start()

    def _on_guard_over(self) -> None:
        self._is_guarded = False
        self._show_model()

    def _on_question_over(self) -> None:
        self._disarm()
        self._show_model()

    def _on_slider(self, value: int) -> None:
        self._set_amount(self._model.snapped(value) if self._slider.isSliderDown() else value)

    def _on_amount_entered(self) -> None:
        self._raise.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_theme_changed(self, _theme: Theme) -> None:
        self._show_model()

    def _single_shot(self, milliseconds: int) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        return timer

    def _add_shortcut(self, key: str, pressed: object) -> QShortcut:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setAutoRepeat(False)  # a key held down is pressed once
        shortcut.activated.connect(pressed)
        self._shortcuts.append(shortcut)
        return shortcut

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the wheel from slider and field, and the arrows that no widget of the window has used."""
        if isinstance(event, QWheelEvent):
            if watched is not self._filtered:
                self.wheelEvent(event)
                return True
        elif watched is not self._filtered:
            return False
        elif event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._model.can_raise:
            step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if step is not None and modifiers in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.ShiftModifier,
            ):
                self.change_amount(step, is_fine=modifiers == Qt.KeyboardModifier.ShiftModifier)
                return True
        return super().eventFilter(watched, event)

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
        self._hint = ""
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

    def set_hint(self, key: str) -> None:
        """Show a key on the button."""
        self._hint = key
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


class AmountSpinBox(QSpinBox):
    """Chips to type in or step through, written and read in the chosen units.

    Signals
    -------
    entered
        Return was pressed in it.
    """

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._units = Units(1)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setMinimumWidth(96)

    def set_units(self, units: Units) -> None:
        """Write the same chips in other units."""
        if units != self._units:
            self._units = units
            self.setSuffix(units.suffix)

    def textFromValue(self, value: int) -> str:
        return self._units.number(value)

    def valueFromText(self, text: str) -> int:
        try:
            return self._units.parse(text)
        except AmountTextError:
            return self.value()

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        state = QValidator.State.Acceptable
        try:
            amount = self._units.parse(text)
        except AmountTextError:
            is_typing = all(sign in "0123456789., b" for sign in text.lower())
            state = QValidator.State.Intermediate if is_typing else QValidator.State.Invalid
        else:
            if not self.minimum() <= amount <= self.maximum():
                state = QValidator.State.Intermediate  # still being typed; fixup brings it into bounds
        return state, text, position

    def fixup(self, text: str) -> str:
        try:
            amount = self._units.parse(text)
        except AmountTextError:
            amount = self.value()
        return self._units.number(min(max(amount, self.minimum()), self.maximum())) + self.suffix()

    def event(self, event: QEvent) -> bool:
        """Leave letters to the window's shortcuts: an amount has none."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.text().isalpha()
            and event.modifiers() == Qt.KeyboardModifier.NoModifier
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
