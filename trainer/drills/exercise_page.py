"""The page that asks: the spot, the question, where it is answered, and after that why."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from trainer.drills.drills_model import DrillsModel, Stage
from trainer.drills.exercise_model import ExerciseView, read_number
from trainer.drills.spot_panel import SpotPanel
from trainer.theme import ThemeSource, set_text_factor
from trainer.widgets.announcement import announce
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel, make_bold

_QUESTION_FACTOR, _CLOCK_FACTOR = 1.15, 1.3
_MOST_CHOICES = 9


_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class _ChoiceButton(QPushButton):
    """Leaves the arrows to the page, which goes from choice to choice by them."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ARROWS:
            event.ignore()
        else:
            super().keyPressEvent(event)


class ExercisePage(QWidget):
    """Asks what its model asks; choices have the keys 1 to 9, numbers are typed, Enter goes on."""

    odds_requested = Signal()  # the spot is to be opened in the odds calculator
    chart_requested = Signal()  # what players do there with every hand is wanted

    def __init__(self, theme: ThemeSource, model: DrillsModel) -> None:
        super().__init__()
        self._model = model
        self._shown: object = None
        self.clock = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.clock.setAccessibleName("Clock and score")
        set_text_factor(self.clock, _CLOCK_FACTOR)
        self.title = ColouredLabel(theme, "text_muted")
        self.spot = SpotPanel(theme)
        self.line = ColouredLabel(theme, "text_muted", wraps=True)
        self.question = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.question.setAccessibleName("Question")
        set_text_factor(self.question, _QUESTION_FACTOR, is_bold=True)
        self.scale = ColouredLabel(theme, "text_muted", wraps=True)
        self.choices = [_ChoiceButton() for _ in range(_MOST_CHOICES)]
        for number, choice in enumerate(self.choices):
            choice.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            choice.clicked.connect(partial(self._on_choice, number))
        self.number = QLineEdit(maxLength=8)
        self.number.setFixedWidth(8 * self.number.fontMetrics().horizontalAdvance("0"))
        self.number.setAccessibleName("Your answer")
        self.unit = QLabel()
        self.hint = ColouredLabel(theme, "text_muted", "type a number, then Enter")
        self.verdict = ColouredLabel(theme, wraps=True)
        make_bold(self.verdict)
        self.why = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.next = QPushButton("&Next (Enter)")
        self.odds = QPushButton("&Odds calculator (O)")
        self.odds.setToolTip("Open this spot in the odds calculator, with hands, range, pot and bet")
        self.chart = QPushButton("&Chart (C)")
        self.chart.setToolTip("What players of recorded hands do here with every hand")
        self.end = QPushButton("&End the set (Esc)")
        self.next.clicked.connect(model.go_on)
        self.odds.clicked.connect(self.odds_requested)
        self.chart.clicked.connect(self.chart_requested)
        self.end.clicked.connect(model.stop)
        for button in (self.next, self.odds, self.chart, self.end):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._build()
        model.changed.connect(self._show)
        model.ticked.connect(self._show_clock)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.clock)
        head.addStretch(1)
        head.addWidget(self.title)
        answers = QHBoxLayout()
        for button in self.choices:
            answers.addWidget(button)
        for widget in (self.number, self.unit, self.hint):
            answers.addWidget(widget)
        answers.addStretch(1)
        foot = tight(QHBoxLayout(), self.next, self.odds, self.chart)
        foot.addStretch(1)
        foot.addWidget(self.end)
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addWidget(self.spot, 1)
        whole.addWidget(self.line)
        whole.addWidget(self.question)
        whole.addLayout(answers)
        whole.addWidget(self.scale)
        whole.addWidget(self.verdict)
        whole.addWidget(self.why)
        whole.addLayout(foot)

    # ---- what is shown

    def _show_clock(self) -> None:
        self.clock.setText(self._model.status)

    def _show(self) -> None:
        model = self._model
        if model.stage not in (Stage.LOADING, Stage.ASKING, Stage.ANSWERED):
            return
        self._show_clock()
        view, is_asking = model.exercise_view, model.stage is Stage.ASKING
        if view is None or model.stage is Stage.LOADING:
            self._show_loading()
            return
        if model.exercise is not self._shown:
            self._shown = model.exercise
            self._show_question(view)
        self._show_range()
        self.number.setEnabled(is_asking)
        for button in self.choices:
            button.setEnabled(is_asking)
        self.hint.setVisible(is_asking and not view.choices)
        self.spot.values.show_view(model.values_view)
        answer = model.answer_view
        for shown in (self.verdict, self.why, self.next, self.odds):
            shown.setVisible(answer is not None)
        self.chart.setVisible(answer is not None and view.is_turn)
        if answer is not None:
            self.verdict.set_meaning(answer.meaning)
            self.verdict.setText(answer.sentence)
            self.why.setText("\n".join(answer.why))
            self.window().setFocus()
            announce(self, " ".join((answer.sentence, *answer.why)))
        elif view.choices:
            self.window().setFocus()
        else:
            self.number.setFocus()

    def _show_loading(self) -> None:
        self.question.setText("The next spot is being dealt…")
        self.title.setText("")
        self.scale.setText("")
        for widget in (
            self.line,
            *self.choices,
            self.number,
            self.unit,
            self.hint,
            self.verdict,
            self.why,
            self.next,
            self.odds,
            self.chart,
        ):
            widget.hide()

    def _show_question(self, view: ExerciseView) -> None:
        self.title.setText(view.title)
        self.spot.show_spot(view.table, is_alone=view.is_alone)
        self.line.setText(view.line)
        self.line.setVisible(bool(view.line))
        self.question.setText(view.question)
        self.scale.setText(view.scale)
        for number, button in enumerate(self.choices):
            button.setVisible(number < len(view.choices))
            if number < len(view.choices):
                button.setText(f"{number + 1}  {view.choices[number]}")
        self.number.clear()
        self.number.setVisible(not view.choices)
        self.unit.setVisible(not view.choices)
        self.unit.setText(view.unit)
        announce(self, f"{view.line} {view.question}".lstrip())

    def _show_range(self) -> None:
        if (view := self._model.range_view) is not None:
            self.spot.show_range(view)

    # ---- what is answered

    def _on_choice(self, number: int) -> None:
        self._model.take_answer(number)

    def _take_number(self) -> None:
        number = read_number(self.number.text())
        if number is None:
            self.hint.setText(f"“{self.number.text()}” is no number; type one such as 33, then Enter")
            self.number.selectAll()
            return
        self.hint.setText("type a number, then Enter")
        self._model.take_answer(number)

    def take_key(self, key: int) -> bool:
        """Take a key that nothing else had a use for; return whether it is one of the page's."""
        model, view = self._model, self._model.exercise_view
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if model.stage is Stage.ANSWERED and is_enter:
            model.go_on()
        elif model.stage is Stage.ANSWERED and key == Qt.Key.Key_O:
            self.odds_requested.emit()
        elif model.stage is Stage.ANSWERED and key == Qt.Key.Key_C and self.chart.isVisible():
            self.chart_requested.emit()
        elif key == Qt.Key.Key_Escape:
            model.stop()
        elif model.stage is Stage.ASKING and view is not None and view.choices:
            return self._take_choice_key(key, len(view.choices), is_enter=is_enter)
        elif model.stage is Stage.ASKING and is_enter:
            self._take_number()
        else:
            return False
        return True

    def _take_choice_key(self, key: int, count: int, *, is_enter: bool) -> bool:
        focused = next((at for at, button in enumerate(self.choices[:count]) if button.hasFocus()), None)
        if Qt.Key.Key_1 <= key < Qt.Key.Key_1 + count:
            self._model.take_answer(key - Qt.Key.Key_1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
            self.choices[0 if focused is None else min(focused + 1, count - 1)].setFocus()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Up):
            self.choices[count - 1 if focused is None else max(focused - 1, 0)].setFocus()
        elif is_enter and focused is not None:
            self._model.take_answer(focused)
        else:
            return False
        return True
