"""The window of all hands played, by real clicks and keys, on a store of made-up rows."""

from collections.abc import Iterator
from datetime import date

import pytest
from PySide6.QtCore import QDate, QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from engine.cards import format_card
from engine.game.events import CALL, raise_to
from tests.engine.game.hands import act, deal
from tests.trainer.gestures import PATIENCE, opened, strike
from tests.trainer.session_driver import table
from tests.trainer.storage.test_browse import fill
from tests.trainer.storage.test_store import CARDS, STARTED, dealer, game
from trainer.app import App
from trainer.history.played_hands import PlayedHandsWindow
from trainer.history.played_hands_model import COLUMNS
from trainer.jobs import Jobs
from trainer.session.types import Stage
from trainer.storage.browse import HandFilter
from trainer.storage.notes import HandNote
from trainer.storage.store import Store
from trainer.theme import ThemeSource

HANDS = 3000


@pytest.fixture(scope="module")
def store() -> Store:
    store = Store(None)
    fill(store, HANDS)
    store.notes.set(7, HandNote("think again", ("river",)))
    store.notes.set(8, HandNote("", ("bluff",)))
    return store


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, store: Store) -> Iterator[PlayedHandsWindow]:
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    window.set_store(store)
    qtbot.waitUntil(lambda: window.model.rowCount() == HANDS, timeout=PATIENCE)
    qtbot.waitUntil(lambda: window.tag.findText("bluff") >= 0, timeout=PATIENCE)  # found in a lane of its own
    return window


def row(qtbot: QtBot, window: PlayedHandsWindow, number: int) -> list[str]:
    """Give the texts of a row, once they are read."""
    model = window.model
    qtbot.waitUntil(lambda: model.index(number, 0).data() is not None, timeout=PATIENCE)
    return [model.index(number, column).data() for column in range(len(COLUMNS))]


def choose(window: PlayedHandsWindow, box: QComboBox, text: str) -> None:
    """Choose by keys, as one does with a list that is closed."""
    assert box.findText(text) >= 0, [box.itemText(at) for at in range(box.count())]
    box.setFocus()
    while box.currentText() != text:
        QTest.keyClick(box, Qt.Key.Key_Down if box.findText(text) > box.currentIndex() else Qt.Key.Key_Up)


def wait_for(qtbot: QtBot, window: PlayedHandsWindow, count: int) -> None:
    qtbot.waitUntil(lambda: window.model.rowCount() == count, timeout=PATIENCE)


def test_rows_are_read_when_they_are_seen(qtbot: QtBot, window: PlayedHandsWindow) -> None:
    first = row(qtbot, window, 0)
    assert first[1] == "3,000", "the newest hand comes first"
    assert row(qtbot, window, HANDS - 1)[1] == "1"
    assert row(qtbot, window, HANDS - 7)[10] == "river · think again"
    assert len(window.model._pages) <= 3, "what nobody has seen is not read"
    assert window.total.text().startswith("3,000 hands (333 watched): ")
    assert window.total.text().endswith(" bb per 100")


def test_it_opens_no_wider_than_a_small_screen(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = QSize(1014, 728)
    monkeypatch.setattr("trainer.history.played_hands.room_on_screen", lambda _window: room)
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    assert window.width() <= room.width(), "or the button that opens a hand is out of it"


def test_reading_all_hands_says_how_far_it_is(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    """Once: later changes are taken in by the way."""
    store = Store(None)
    fill(store, 12_000)
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    said = list[str]()
    window.model.found.connect(lambda: said.append(window.model.total))
    window.set_store(store)
    wait_for(qtbot, window, 12_000)
    assert said[0] == "Reading the hands: 2,000 …"
    assert said[-1].startswith("12,000 hands (1,333 watched): ")
    store.browse.set_loss(7, 2.0)
    said.clear()
    window.model.find(HandFilter(least_loss=1.5))
    qtbot.waitUntil(lambda: bool(said), timeout=PATIENCE)
    assert not said[0].startswith("Reading")


def test_filters_leave_what_they_say(qtbot: QtBot, window: PlayedHandsWindow, store: Store) -> None:
    choose(window, window.position, "CO")
    count = len([one for one in store.browse.rows(range(1, HANDS + 1)) if one.position == "CO"])
    wait_for(qtbot, window, count)
    assert {row(qtbot, window, at)[2] for at in range(20)} == {"CO"}
    choose(window, window.result, "Won")
    choose(window, window.opponent, "Calling station")
    choose(window, window.raises, "3-bet pots")
    wanted = window.wanted()
    assert (wanted.position, wanted.has_won, wanted.style, wanted.raises) == ("CO", True, "calling station", 2)
    wait_for(qtbot, window, len(store.browse.find(wanted).hand_ids))
    QTest.mouseClick(window.clear, Qt.MouseButton.LeftButton)
    wait_for(qtbot, window, HANDS)


def test_hole_cards_are_typed_as_a_range(qtbot: QtBot, window: PlayedHandsWindow, store: Store) -> None:
    window.hole_cards.setFocus()
    qtbot.keyClicks(window.hole_cards, "QQ+, AK")
    expected = {
        one.number
        for one in store.browse.rows(range(1, HANDS + 1))
        if sorted(format_card(card)[0] for card in one.cards) in (["Q", "Q"], ["K", "K"], ["A", "A"], ["A", "K"])
    }
    wait_for(qtbot, window, len(expected))
    assert {int(row(qtbot, window, at)[1].replace(",", "")) for at in range(len(expected))} == expected
    qtbot.keyClicks(window.hole_cards, "x")
    qtbot.waitUntil(lambda: window.hole_cards.is_marked, timeout=PATIENCE)
    assert "AKx" in window.total.text()
    assert window.model.rowCount() == len(expected), "what cannot be read loses nothing"
    QTest.keyClick(window.hole_cards, Qt.Key.Key_Backspace)
    assert window.total.text().startswith(f"{len(expected)} hands")
    QTest.mouseClick(window.clear, Qt.MouseButton.LeftButton)
    wait_for(qtbot, window, HANDS)
    assert window.hole_cards.text() == ""


def test_a_hand_that_all_folded_to_the_big_blind_is_a_walk_and_no_limped_pot(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs
) -> None:
    store = Store(None)
    session = store.add_session(STARTED, game(1), dealer(0))
    for number, actions in enumerate(("f f", "c f x x x x x x x", "r60 f f", "c c x x x x f f"), 1):
        played = deal((1000, 1000, 1000))
        act(played, actions)
        hand = store.begin_hand(session, number, dealer(number - 1))
        store.finish_hand(hand, played.observe(0), dealer(number), CARDS, ended=STARTED)
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    window.set_store(store)
    wait_for(qtbot, window, 4)
    assert [row(qtbot, window, at)[5] for at in range(4)] == ["Limped", "Raised", "Limped", "Walk"]
    choose(window, window.raises, "Walks")
    wait_for(qtbot, window, 1)
    choose(window, window.raises, "Limped pots")
    wait_for(qtbot, window, 2)
    assert {row(qtbot, window, at)[1] for at in range(2)} == {"2", "4"}


def test_tags_days_and_pots(qtbot: QtBot, window: PlayedHandsWindow, store: Store) -> None:
    choose(window, window.tag, "bluff")
    wait_for(qtbot, window, 1)
    choose(window, window.tag, "With a note or tag")
    wait_for(qtbot, window, 2)
    window.set_store(store)
    assert window.tag.currentText() == "With a note or tag", "what was chosen stays"
    choose(window, window.tag, "Any tag")
    wait_for(qtbot, window, HANDS)
    window.since.setDate(QDate(2025, 1, 2))
    wait_for(qtbot, window, HANDS - 16 * 60 + 1)
    window.until.setDate(QDate(2025, 1, 1))
    wait_for(qtbot, window, 0)
    assert window.total.text() == "No hand."
    assert not window.open.isEnabled()
    QTest.mouseClick(window.clear, Qt.MouseButton.LeftButton)
    wait_for(qtbot, window, HANDS)
    window.pot.setFocus()
    window.pot.selectAll()
    QTest.keyClicks(window.pot, "150")
    QTest.keyClick(window.pot, Qt.Key.Key_Return)
    assert window.wanted().least_pot == 150
    qtbot.waitUntil(lambda: 0 < window.model.rowCount() < HANDS, timeout=PATIENCE)


def test_a_day_is_typed_or_chosen_from_todays_month(window: PlayedHandsWindow) -> None:
    """Where any day was chosen, typing left out nothing, and the calendar began in 2000."""
    today = QDate.currentDate()
    window.since.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(window.since, "5")
    QTest.keyClick(window.since, Qt.Key.Key_Return)
    assert window.wanted().since == date(today.year(), today.month(), 5)
    until = window.until
    QTest.mouseClick(until, Qt.MouseButton.LeftButton, pos=QPoint(until.width() - 8, until.height() // 2))
    calendar = until.calendarWidget()
    assert calendar.isVisible()
    assert (calendar.yearShown(), calendar.monthShown()) == (today.year(), today.month())
    QTest.keyClick(calendar, Qt.Key.Key_Escape)
    assert window.wanted().until is None
    QTest.mouseClick(window.clear, Qt.MouseButton.LeftButton)
    assert window.wanted() == HandFilter()


def test_a_click_on_a_heading_sorts(qtbot: QtBot, window: PlayedHandsWindow) -> None:
    header = window.view.horizontalHeader()
    place = header.viewport().rect().topLeft()
    place.setX(header.sectionViewportPosition(6) + 10)
    place.setY(header.height() // 2)

    def pots() -> list[float]:
        return [float(row(qtbot, window, at)[6]) for at in (0, 100, 1500, HANDS - 1)]

    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: pots() == sorted(pots()) and pots()[0] < pots()[-1], timeout=PATIENCE)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: pots() == sorted(pots(), reverse=True) and pots()[0] > pots()[-1], timeout=PATIENCE)
    assert window.view.currentIndex().row() == 0, (
        "the greatest is in sight, where the list stayed at the hand chosen"
    )
    assert window.view.rowAt(0) == 0


def test_enter_opens_the_hand_chosen(qtbot: QtBot, window: PlayedHandsWindow, store: Store) -> None:
    window.view.setFocus()
    QTest.keyClick(window.view, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.hand_opened) as asked:
        QTest.keyClick(window.view, Qt.Key.Key_Return)
    (hand,) = store.browse.rows([HANDS - 1])
    assert asked.args == [hand.session_id, hand.number]
    with qtbot.waitSignal(window.hand_opened):
        QTest.mouseClick(window.open, Qt.MouseButton.LeftButton)


def test_a_store_that_cannot_be_read_says_so(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    store = Store(None)
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    window.set_store(store)
    qtbot.waitUntil(lambda: window.total.text() == "No hand.")
    store.close()
    QTest.mouseClick(window.clear, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "closed already" in window.total.text())


def test_arrows_go_through_the_hands_at_once_and_escape_closes(qtbot: QtBot, window: PlayedHandsWindow) -> None:
    focus = window.focusWidget()
    assert focus is window.view
    QTest.keyClick(focus, Qt.Key.Key_Down)
    QTest.keyClick(focus, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.hand_opened) as opening:
        QTest.keyClick(focus, Qt.Key.Key_Return)
    assert opening.args is not None
    assert opening.args[1] == HANDS - 2
    QTest.keyClick(focus, Qt.Key.Key_Escape)
    assert window.isHidden()


def test_what_has_changed_is_shown_when_one_comes_back(qtbot: QtBot, theme: ThemeSource, jobs: Jobs) -> None:
    """Notes, mistakes and hands; the hand that was chosen stays so."""
    store = Store(None)
    fill(store, 200)
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    window.set_store(store)
    wait_for(qtbot, window, 200)
    window.view.setFocus()
    QTest.keyClick(window.view, Qt.Key.Key_Down)
    assert row(qtbot, window, 1)[1] == "199"
    store.notes.set(199, HandNote("", ("new",)))
    store.browse.set_loss(199, 7.25)
    come_back(window)
    qtbot.waitUntil(lambda: model_text(window, 1, 10) == "new", timeout=PATIENCE)
    assert model_text(window, 1, 9) == "7.2"
    qtbot.waitUntil(lambda: window.tag.findText("new") > 0, timeout=PATIENCE)
    choose(window, window.tag, "new")
    wait_for(qtbot, window, 1)
    store.notes.set(199, HandNote())
    come_back(window)
    qtbot.waitUntil(lambda: window.tag.currentText() == "Any tag", timeout=PATIENCE)
    wait_for(qtbot, window, 200)
    assert window.view.currentIndex().row() == 1
    store.delete_sessions([session.session_id for session in store.sessions()])
    come_back(window)
    wait_for(qtbot, window, 0)
    qtbot.waitUntil(lambda: window.session.count() == 1, timeout=PATIENCE)


def come_back(window: PlayedHandsWindow) -> None:
    """Leave a window for another one, and return."""
    other = QLineEdit()
    other.show()
    other.activateWindow()
    QTest.qWaitForWindowActive(other)
    other.close()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)


def model_text(window: PlayedHandsWindow, at: int, column: int) -> str | None:
    text: str | None = window.model.index(at, column).data()
    return text


@pytest.mark.slow
def test_the_biggest_mistakes_are_found_after_a_review(qtbot: QtBot, app: App) -> None:
    """Whoever goes all-in with anything makes some."""
    app.begin(table("calling station", "tight-passive", seed=5))
    session = app.session
    assert session is not None
    for number in range(1, 9):
        while session.stage != Stage.HAND_OVER:
            if session.stage == Stage.YOUR_TURN:
                legal = app.window.model.view.observation.legal  # type: ignore[union-attr]
                assert legal is not None
                session.act(raise_to(legal.max_raise_to) if legal.can_raise else CALL)
            qtbot.wait(5)
        if number < 8:
            (session.rebuy if session.can_rebuy else session.deal)()
            session.deal()
            qtbot.waitUntil(lambda: session.stage != Stage.HAND_OVER, timeout=PATIENCE)
    strike(app, "H", Qt.KeyboardModifier.ControlModifier)
    window = app.window.played_hands
    assert window is not None
    wait_for(qtbot, window, 8)
    window.loss.setValue(0.1)
    qtbot.waitUntil(lambda: "were reviewed" in window.total.text(), timeout=PATIENCE)
    review = app.window.review.open()
    qtbot.waitUntil(lambda: len(losses(app)) == 8, timeout=PATIENCE)
    review.close()
    come_back(window)
    costly = sorted((loss for loss in losses(app) if loss >= 0.1), reverse=True)
    assert costly, "all-in with anything is a mistake now and then"
    wait_for(qtbot, window, len(costly))
    window.view.sortByColumn(9, Qt.SortOrder.DescendingOrder)
    expected = [f"{loss:,.1f}" for loss in costly]
    qtbot.waitUntil(lambda: [model_text(window, at, 9) for at in range(len(costly))] == expected, timeout=PATIENCE)
    window.close()


def losses(app: App) -> list[float]:
    """Give what mistakes cost in each hand that is reviewed."""
    hands = app.store.browse.rows(app.store.browse.find(HandFilter()).hand_ids.tolist())
    return [hand.loss for hand in hands if hand.loss is not None]
