"""The log grows with the hand, keeps earlier hands, and can be copied."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QComboBox, QPushButton, QTextBrowser, QToolButton
from pytestqt.qtbot import QtBot

from tests.trainer.scripted_hands import Scribe
from trainer.theme import ThemeSource
from trainer.widgets.log import HandLog


@pytest.fixture
def log(qtbot: QtBot, theme: ThemeSource) -> HandLog:
    widget = HandLog(theme)
    widget.resize(420, 300)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def hand(number: int) -> Scribe:
    return Scribe(3, button=0, hand_number=number).blinds().raise_to(0, 60)


def written(log: HandLog) -> list[str]:
    text = log.findChild(QTextBrowser).toPlainText()
    return text.replace("\u2009", "").splitlines()


def arrow(log: HandLog, name: str) -> QToolButton:
    return next(found for found in log.findChildren(QToolButton) if found.accessibleName() == name)


def test_grows_line_by_line(log: HandLog) -> None:
    playing = hand(4)
    log.show_hand(playing.observation())
    assert written(log)[0] == "Hand 4"
    assert written(log)[-1] == "You raise to 60"
    playing.call(1)
    log.show_hand(playing.observation())
    assert written(log)[-2:] == ["You raise to 60", "Ada calls 50"]
    assert written(log).count("You raise to 60") == 1


def test_events_alone_tell_the_same(log: HandLog) -> None:
    for event in hand(4).events:
        log.add_event(event)
    assert written(log)[0] == "Hand 4"
    assert written(log)[-1] == "You raise to 60"


def test_an_event_that_came_with_its_observation_is_told_once(log: HandLog) -> None:
    playing = hand(4)
    log.show_hand(playing.observation())
    log.add_event(playing.events[-1])
    assert written(log).count("You raise to 60") == 1
    playing.call(1)
    log.add_event(playing.events[-1])
    log.show_hand(playing.observation())
    assert written(log).count("Ada calls 50") == 1
    assert "You hold K♠ K♦" in written(log)


def test_looks_back_without_being_pulled_away(qtbot: QtBot, log: HandLog) -> None:
    for number in (4, 5, 6):
        log.show_hand(hand(number).observation())
    assert log.findChild(QComboBox).currentText() == "Hand 6"
    qtbot.mouseClick(arrow(log, "Earlier hand"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(arrow(log, "Earlier hand"), Qt.MouseButton.LeftButton)
    assert written(log)[0] == "Hand 4"
    assert not arrow(log, "Earlier hand").isEnabled()
    playing = hand(6).call(1)
    log.show_hand(playing.observation())
    log.show_hand(hand(7).observation())
    assert written(log)[0] == "Hand 4"
    for _ in range(3):
        qtbot.mouseClick(arrow(log, "Later hand"), Qt.MouseButton.LeftButton)
    assert written(log)[0] == "Hand 7"
    log.show_hand(hand(8).observation())  # back at the newest, so it follows again
    assert written(log)[0] == "Hand 8"
    qtbot.keyClick(log.findChild(QComboBox), Qt.Key.Key_Up)
    qtbot.keyClick(log.findChild(QComboBox), Qt.Key.Key_Up)
    assert written(log)[-1] == "Ada calls 50"  # hand 6 was kept up to date meanwhile


def test_a_new_session_begins_with_an_empty_log(log: HandLog) -> None:
    for number in (4, 5):
        log.show_hand(hand(number).observation())
    log.show_hand(hand(1).observation())
    assert log.findChild(QComboBox).count() == 1
    assert written(log)[0] == "Hand 1"
    log.clear()
    assert written(log) == []
    assert not log.findChild(QPushButton).isEnabled()


def test_copies_plain_text(qtbot: QtBot, log: HandLog) -> None:
    log.show_hand(hand(4).call(1).fold(2).deal("Kh 7d 2c").observation())
    qtbot.mouseClick(log.findChild(QPushButton), Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Hand 4\ncash game")
    assert text.endswith("Boris folds\n\nFlop  K♥ 7♦ 2♣   pot 140\n")


def test_units_are_changed_everywhere_at_once(log: HandLog) -> None:
    log.show_hand(hand(4).observation())
    log.set_units(True)
    assert written(log)[-1] == "You raise to 3 bb"


def ink_of(log: HandLog, text: str) -> tuple[QColor, QColor]:
    document = log.findChild(QTextBrowser).document()
    cursor = document.find(text, QTextCursor(document))
    assert not cursor.isNull(), text
    return cursor.charFormat().foreground().color(), cursor.charFormat().background().color()


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_cards_look_like_cards_in_both_themes(log: HandLog, theme: ThemeSource, choice: str) -> None:
    log.show_hand(hand(4).call(1).fold(2).deal("Kh 7d 2c").observation())
    theme.choose(choice)
    colours = theme.theme
    assert ink_of(log, "2♣") == (QColor(colours.suit_colour(0, False)), QColor(colours.card_face))
    assert ink_of(log, "raise to 60")[0] == QColor(colours.raise_)
    log.set_four_colours(True)
    assert ink_of(log, "2♣")[0] == QColor(colours.suit_colour(0, True))


def test_the_end_stays_in_sight_unless_one_reads_above(log: HandLog) -> None:
    playing = hand(4).call(1).fold(2).deal("Kh 7d 2c").check(1, 0).deal("7c").check(1, 0).deal("Ad")
    log.show_hand(playing.observation())
    bar = log.findChild(QTextBrowser).verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    log.show_hand(playing.check(1).observation())
    assert bar.value() == 0


def test_controls_have_names(log: HandLog) -> None:
    assert log.findChild(QTextBrowser).accessibleName() == "Hand in words"
    assert log.findChild(QComboBox).accessibleName() == "Hand"
    assert log.findChild(QPushButton).accessibleName() == "Copy this hand as text"


def test_new_lines_are_announced_and_old_ones_are_not(log: HandLog, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(QAccessibleAnnouncementEvent.message(event))
    )
    playing = hand(4)
    log.show_hand(playing.observation())
    QAccessible.setActive(True)
    try:
        log.show_hand(playing.call(1).fold(2).observation())
        log.set_units(True)
    finally:
        QAccessible.setActive(False)
    assert said == ["Ada calls 50. Boris folds"]
