"""The window of the drills: what to practise, the exercises, and how a set went."""

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from trainer.drills.drills_model import DrillsModel, Stage
from trainer.drills.exercise_model import opening_of_exercise
from trainer.drills.exercise_page import ExercisePage
from trainer.first_steps.glossary import TermsButton
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource, open_at, set_text_factor
from trainer.widgets.layouts import tight
from trainer.widgets.text_field import ColouredLabel

_USUAL_SIZE = QSize(1100, 800)
_TITLE_FACTOR = 1.3
_ABOUT = (
    "Sets of two minutes, with the keys alone. The clock stands while you read why. What went wrong comes back "
    "soon, what went well ever later (FSRS); three right answers in a row make a topic harder, a wrong one easier. "
    "Of a mistake you get the very hand first, then the same spot with other cards, until you know it for weeks."
)


class DrillsWindow(QWidget):
    """A set of exercises at a time; non-modal."""

    odds_requested = Signal(object)  # OddsOpening
    chart_requested = Signal(object)  # Observation of who is to act
    review_requested = Signal()  # there are no mistakes to practise yet

    def __init__(self, theme: ThemeSource, model: DrillsModel, settings: SettingsFile) -> None:
        super().__init__()
        self.setWindowTitle("Drills")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.model = model
        self._settings = settings
        self.terms = TermsButton(self)
        self.choosing = _ChoosingPage(theme, model, self.terms)
        self.page = ExercisePage(theme, model)
        self.results = _ResultsPage(theme, model)
        self.pages = QStackedWidget()
        for page in (self.choosing, self.page, self.results):
            self.pages.addWidget(page)
        tight(QVBoxLayout(self), self.pages)
        self.page.odds_requested.connect(self._on_odds)
        self.page.chart_requested.connect(self._on_chart)
        model.review_requested.connect(self.review_requested)
        model.changed.connect(self._show)
        open_at(self, _USUAL_SIZE)
        self.page.spot.table.set_four_colours(settings.settings.four_colours)
        self.restoreGeometry(settings.settings.drills_geometry)
        self._show()

    def _show(self) -> None:
        pages = {Stage.CHOOSING: self.choosing, Stage.OVER: self.results}
        self.pages.setCurrentWidget(pages.get(self.model.stage, self.page))
        if self.model.stage in pages:
            self.setFocus()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts of later exercises in big blinds, or in chips."""
        self.model.in_big_blinds = in_big_blinds
        self.page.spot.table.set_units(in_big_blinds)

    def _on_odds(self) -> None:
        if self.model.exercise is not None:
            self.odds_requested.emit(opening_of_exercise(self.model.exercise))

    def _on_chart(self) -> None:
        if self.model.exercise is not None:
            self.chart_requested.emit(self.model.exercise.observation)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        page = self.pages.currentWidget()
        assert isinstance(page, _ChoosingPage | ExercisePage | _ResultsPage)
        if page.take_key(event.key()):
            event.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.model.look_for_mistakes()  # a session may have been reviewed meanwhile
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.model.stop()
        if self.model.stage is Stage.OVER:
            self.model.leave_results()
        self._settings.change(drills_geometry=self.saveGeometry().data())
        super().closeEvent(event)


def _page_layout(inside: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(inside)
    line = inside.fontMetrics().height()
    layout.setContentsMargins(2 * line, 2 * line, 2 * line, line)
    layout.setSpacing(line)
    return layout


class _ChoosingPage(QScrollArea):
    """What can be practised, at the keys 1 to 9, and how each stands."""

    def __init__(self, theme: ThemeSource, model: DrillsModel, terms: TermsButton) -> None:
        super().__init__(widgetResizable=True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._model = model
        inside = QWidget()
        layout = _page_layout(inside)
        title = QLabel("What do you want to practise?")
        set_text_factor(title, _TITLE_FACTOR)
        about = ColouredLabel(theme, "text_muted", _ABOUT, wraps=True)
        self.trend = QLabel(textFormat=Qt.TextFormat.PlainText)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(16)
        self.buttons: list[QPushButton] = []
        self.standing: list[QLabel] = []
        for place, row in enumerate(model.rows):
            button = QPushButton(f"{row.key}  {row.title}")
            button.setStyleSheet("text-align: left; padding: 6px 12px;")
            button.clicked.connect(partial(model.start, row.drill))
            text = ColouredLabel(theme, "text_muted")
            grid.addWidget(button, place, 0)
            grid.addWidget(text, place, 1)
            self.buttons.append(button)
            self.standing.append(text)
        above = QHBoxLayout()
        above.addWidget(title, 1)
        above.addWidget(terms)
        layout.addLayout(above)
        layout.addWidget(about)
        layout.addLayout(grid)
        layout.addWidget(self.trend)
        layout.addStretch(1)
        self.setWidget(inside)
        model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        for text, row in zip(self.standing, self._model.rows, strict=True):
            text.setText(row.text)
        self.trend.setText(self._model.trend)

    def take_key(self, key: int) -> bool:
        """Take a key that nothing else had a use for; return whether it is one of the page's."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = next((button for button in self.buttons if button.hasFocus()), self.buttons[0])
            focused.click()
        elif Qt.Key.Key_1 <= key < Qt.Key.Key_1 + len(self.buttons):
            self.buttons[key - Qt.Key.Key_1].click()
        else:
            return False
        return True


class _ResultsPage(QScrollArea):
    """How a set went, topic by topic, and when each comes back."""

    def __init__(self, theme: ThemeSource, model: DrillsModel) -> None:
        super().__init__(widgetResizable=True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._theme, self._model = theme, model
        inside = QWidget()
        layout = _page_layout(inside)
        self.title = QLabel("The set is over")
        set_text_factor(self.title, _TITLE_FACTOR)
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.trend = ColouredLabel(theme, "text_muted")
        self.rows = QGridLayout()
        self.rows.setHorizontalSpacing(24)
        self.rows.setColumnStretch(4, 1)
        self.again = QPushButton("&Another set (Enter)")
        self.back = QPushButton("&Choose again (Esc)")
        self.again.clicked.connect(model.again)
        self.back.clicked.connect(model.leave_results)
        for widget in (self.title, self.summary):
            layout.addWidget(widget)
        layout.addLayout(self.rows)
        layout.addWidget(self.trend)
        for button in (self.again, self.back):
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        self.setWidget(inside)
        model.changed.connect(self._show)

    def _show(self) -> None:
        if self._model.stage is not Stage.OVER:
            return
        self.summary.setText(self._model.summary)
        self.trend.setText(self._model.trend)
        while (item := self.rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for place, row in enumerate(self._model.topic_rows):
            for column, text in enumerate(row):
                self.rows.addWidget(ColouredLabel(self._theme, "text", text), place, column)

    def take_key(self, key: int) -> bool:
        """Take a key that nothing else had a use for; return whether it is one of the page's."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._model.again()
        elif key == Qt.Key.Key_Escape:
            self._model.leave_results()
        else:
            return False
        return True
