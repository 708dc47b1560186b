"""The log grows with the hand, offers earlier hands and sessions, and can be copied."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QColor, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QComboBox, QListView, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from engine.game.observation import Observation
from tests.trainer.scripted_hands import Scribe
from tests.trainer.session_driver import STARTED
from trainer.history.log import HandLog
from trainer.session.past_hands import PastHand, PastSession
from trainer.theme import ThemeSource


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


def test_grows_line_by_line(log: HandLog) -> None:
    playing = hand(4)
    log.show_hand(playing.observation())
    assert written(log)[0] == "Hand 4"
    assert written(log)[-1] == "You raise to 60"
    playing.call(1)
    log.show_hand(playing.observation())
    assert written(log)[-2:] == ["You raise to 60", "Ada calls 50"]
    assert written(log).count("You raise to 60") == 1


def test_another_hand_takes_the_place_of_the_one_before(log: HandLog) -> None:
    log.show_hand(hand(4).observation())
    log.show_hand(Scribe(5, button=1, hand_number=4).blinds().fold(4).observation())
    assert written(log).count("Hand 4") == 1
    assert written(log)[-1] == "Dmitri folds"
    assert "You raise to 60" not in written(log)
    log.clear()
    assert written(log) == []
    assert not log.findChild(QPushButton).isEnabled()


def past(number: int) -> PastHand:
    """Give a hand in which the player won what the others had put in."""
    playing = hand(number).fold(1, 2).give_back(0, 40).award(0, 0, 50).end()
    return PastHand(number, None, playing.observation)


def test_hands_and_sessions_are_chosen_by_click_and_key(qtbot: QtBot, log: HandLog) -> None:
    sessions = tuple(PastSession(at, STARTED, None, 3) for at in (7, 5))
    log.show_sessions(sessions, 0)
    log.show_hands([past(1), past(2), past(3)], hand(4).observation(), 3)
    offered = log.findChild(QListView)
    assert told_in(offered) == "Hand 4   K♠ K♦   on the table"
    with qtbot.waitSignal(log.hand_chosen) as chosen:
        qtbot.keyClick(offered, Qt.Key.Key_Up)
    assert chosen.args == [2]
    assert told_in(offered) == "Hand 3   K♠ K♦   +30"
    offered.scrollToTop()
    place = offered.visualRect(offered.model().index(0, 0)).center()
    with qtbot.waitSignal(log.hand_chosen) as chosen:
        qtbot.mouseClick(offered.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [0]
    with qtbot.assertNotEmitted(log.hand_chosen):
        log.mark_hand(1)
        log.show_hands([past(1)], None, 0)
    with qtbot.waitSignal(log.session_chosen) as chosen:
        qtbot.keyClick(log.findChild(QComboBox), Qt.Key.Key_Down)
    assert chosen.args == [1]


def told_in(offered: QListView) -> str:
    return str(offered.currentIndex().data())


def test_thousands_of_hands_are_read_only_where_they_are_seen(qtbot: QtBot, log: HandLog) -> None:
    read: list[int] = []

    def stored(number: int) -> PastHand:
        whole = past(number)

        def load() -> Observation:
            read.append(number)
            return whole.load()

        return PastHand(number, number, load)

    few = [stored(number) for number in range(1, 11)]
    hands = [*(PastHand(number, number, few[0].load) for number in range(11, 20_001)), *few]
    log.show_hands(hands, None, len(hands) - 1)
    offered = log.findChild(QListView)
    assert told_in(offered).startswith("Hand 10 ")
    qtbot.keyClick(offered, Qt.Key.Key_PageUp)
    log.set_units(True)
    offered.grab()
    assert 3 <= len(read) < 100


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
    assert log.findChild(QComboBox).accessibleName() == "Session"
    assert log.findChild(QListView).accessibleName() == "Hands"
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
