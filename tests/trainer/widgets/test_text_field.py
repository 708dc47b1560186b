"""Labels in the theme's colours and the field that marks what is wrong."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from trainer.theme import DARK, LIGHT, ThemeSource
from trainer.widgets.text_field import ColouredLabel, MarkedLineEdit, ShortenedLabel


def ink(label: ColouredLabel) -> QColor:
    return label.palette().windowText().color()


def test_a_label_follows_its_meaning_and_the_theme(theme: ThemeSource, qtbot: QtBot) -> None:
    label = ColouredLabel(theme, "bad", "wrong")
    qtbot.addWidget(label)
    assert ink(label) == QColor(LIGHT.bad)
    label.set_meaning("good")
    assert ink(label) == QColor(LIGHT.good)
    theme.theme = DARK
    theme.changed.emit(DARK)
    assert ink(label) == QColor(DARK.good)


def test_a_long_text_asks_for_no_width_and_is_whole_in_the_tooltip(theme: ThemeSource, qtbot: QtBot) -> None:
    label = ShortenedLabel(theme)
    qtbot.addWidget(label)
    text = "one sentence that is much too long for this place"
    label.setText(text)
    assert label.minimumSizeHint().width() == 0
    label.resize(60, 20)
    label.show()
    assert label.toolTip() == text
    assert label.text() == text
    label.resize(2000, 20)
    assert label.toolTip() == ""


class Form:
    """The field, and another one to move on to."""

    def __init__(self, theme: ThemeSource, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.field, self.other = MarkedLineEdit(theme), QLineEdit()
        layout = QHBoxLayout(self.window)
        layout.addWidget(self.field)
        layout.addWidget(self.other)
        with qtbot.waitExposed(self.window):
            self.window.show()

    def picture(self) -> QImage:
        return self.field.grab().toImage()


@pytest.fixture
def form(theme: ThemeSource, qtbot: QtBot) -> Form:
    return Form(theme, qtbot)


def test_a_mark_waits_for_a_pause_while_typing_and_goes_at_once(form: Form, qtbot: QtBot) -> None:
    form.field.setFocus()
    QTest.keyClicks(form.field, "22+, A2x+")
    form.field.mark(5, 4)
    assert not form.field.is_marked
    with qtbot.waitSignal(form.field.mark_changed):
        pass
    assert form.field.is_marked
    form.field.mark(5, 3)
    assert form.field.is_marked, "once shown, it follows the text without hiding again"
    with qtbot.waitSignal(form.field.mark_changed):
        form.field.unmark()
    assert not form.field.is_marked


def test_a_mark_shows_when_the_field_is_left_or_was_never_entered(form: Form) -> None:
    form.field.setFocus()
    form.field.mark(0, 1)
    assert not form.field.is_marked
    form.other.setFocus()
    assert form.field.is_marked
    form.field.unmark()
    form.field.mark(0, 1)
    assert form.field.is_marked


def test_the_wave_is_under_the_characters_at_fault(form: Form) -> None:
    form.field.setText("22+, A2x+, KK")
    form.other.setFocus()
    plain = form.picture()
    form.field.mark(5, 4)
    marked = form.picture()
    changed = [
        x
        for x in range(8, plain.width() - 8)
        if any(plain.pixel(x, y) != marked.pixel(x, y) for y in range(5, plain.height() - 5))
    ]
    metrics, ratio = form.field.fontMetrics(), plain.devicePixelRatio()
    width = metrics.horizontalAdvance("22+, A2x+") - metrics.horizontalAdvance("22+, ")
    assert (changed[-1] - changed[0]) / ratio == pytest.approx(width, abs=4)
    start = metrics.horizontalAdvance("22+, ")
    assert start - 2 <= changed[0] / ratio <= start + 12, "behind the margin of the field"


def test_a_mark_follows_a_text_that_is_scrolled(form: Form) -> None:
    text = "AKs, " * 80 + "zz"
    form.field.setText(text)
    form.field.end(False)
    form.field.mark(len(text) - 2, 2)
    form.picture()  # a line edit scrolls when it is painted
    left, right = form.field._marked_span()
    assert 0 < left < right <= form.field.width()
    form.field.home(False)
    form.picture()
    assert form.field._marked_span()[0] > form.field.width()


def test_a_replaced_text_says_nothing_and_can_be_undone(form: Form, qtbot: QtBot) -> None:
    form.field.setFocus()
    QTest.keyClicks(form.field, "22+")
    with qtbot.assertNotEmitted(form.field.textEdited):
        form.field.replace_text("AhKh")
        form.field.replace_text("AhKh")
    assert form.field.text() == "AhKh"
    QTest.keyClick(form.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "AhKh" not in form.field.text()
