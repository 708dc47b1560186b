"""Guesses offered after hands at the table: after which, about what, and never about what the player has seen."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.agents.styles import make_agent
from engine.game.events import ActionKind, ActionTaken, HoleCardsShown, Seat
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.observation import Observation
from engine.play import Dealer
from tests.engine.played import play_hand
from tests.trainer.gestures import PATIENCE, press, wait_for_stage
from tests.trainer.session_driver import table
from tests.trainer.test_layout import cut
from trainer.app import App
from trainer.drills import guess_offers
from trainer.drills.guess_model import GONE, Stage
from trainer.drills.guess_offers import LATER, GuessOffer, GuessOffers
from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.session.types import FinishedHand, TableView
from trainer.session.types import Stage as TableStage
from trainer.storage.store import Store

STYLES = ("calling station", "loose-aggressive", "maniac")
HANDS = 90


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Store, tuple[FinishedHand, ...]]]:
    """Give hands of bots as seat 0 saw them, stored as the table stores them."""
    store = Store(None)
    config = cash_game(tuple(SeatConfig(f"P{at}", style) for at, style in enumerate(STYLES)), seed=4)
    dealer = Dealer(config, {Seat(at): make_agent(style) for at, style in enumerate(STYLES)})
    session_id, hands = store.add_session(datetime(2026, 5, 4, 20, 0), config, dealer.state), []
    for number in range(1, HANDS + 1):
        hand_id = store.begin_hand(session_id, number, dealer.state)
        play_hand(dealer)
        cards = {seat: dealer.private_event(seat).hole_cards for seat in dealer.dealt_in}
        store.finish_hand(hand_id, dealer.observe(Seat(0)), dealer.state, cards)
        hands.append(FinishedHand(dealer.observe(Seat(0)), (), hand_id))
    yield store, tuple(hands)
    store.close()


def view(hand: FinishedHand, *, is_study: bool = False) -> TableView:
    return TableView(TableStage.HAND_OVER, hand.observation, None, {}, (), is_study=is_study)


class Table:
    """A session that ends hands when it is told to, and what is offered after each."""

    def __init__(self, qtbot: QtBot, jobs: Jobs, store: Store, seed: int = 3) -> None:
        self._qtbot, self._jobs = qtbot, jobs
        self.session = Session(jobs, store)
        self.offers = GuessOffers(jobs, seed)
        self.offers.store, self.offers.is_on = store, True
        self.offers.follow(self.session)
        self.offered: list[tuple[int, GuessOffer | None]] = []
        self._number = 0
        self.offers.changed.connect(lambda offer: self.offered.append((self._number, offer)))

    def end(self, hand: FinishedHand, *, is_study: bool = False) -> None:
        self._number = hand.observation.hand_number
        self.session.view_changed.emit(view(hand, is_study=is_study))
        self.session.hand_finished.emit(hand)
        self._qtbot.waitUntil(lambda: self._jobs.is_idle(guess_offers.LANE), timeout=PATIENCE)

    @property
    def taken(self) -> list[tuple[int, GuessOffer]]:
        return [(number, offer) for number, offer in self.offered if offer is not None]


def shown(final: Observation) -> set[Seat]:
    return {event.seat for event in final.events if isinstance(event, HoleCardsShown)}


def test_what_was_not_shown_is_asked_at_once_and_what_was_some_hands_later(
    qtbot: QtBot, jobs: Jobs, played: tuple[Store, tuple[FinishedHand, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guess_offers, "SHARE", 0.5)
    at_table, by_number = Table(qtbot, jobs, played[0]), {}
    for hand in played[1]:
        by_number[hand.observation.hand_number] = hand
        at_table.end(hand)
    kinds = set()
    for number, offer in at_table.taken:
        final = by_number[offer.number].observation
        assert offer.hand_id == by_number[offer.number].hand_id
        assert final.events[offer.event_count - 1] == offer.event
        assert offer.event.action.kind is not ActionKind.FOLD
        assert offer.seat != final.seat
        assert offer.was_shown == (offer.seat in shown(final))
        assert number >= offer.number + LATER if offer.was_shown else number == offer.number
        kinds.add(offer.was_shown)
    assert kinds == {True, False}
    assert len({offer.number for _, offer in at_table.taken}) == len(at_table.taken)


@pytest.mark.slow
def test_whether_it_is_offered_does_not_depend_on_what_was_shown(
    qtbot: QtBot, jobs: Jobs, played: tuple[Store, tuple[FinishedHand, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all that is drawn the same part was shown as of all moments there are."""
    monkeypatch.setattr(guess_offers, "SHARE", 1.0)
    drawn: list[GuessOffer] = []
    of_hand = guess_offers._drawn

    def noted(store: Store, hand_id: int, moment: float) -> GuessOffer | None:
        found = of_hand(store, hand_id, moment)
        drawn.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(guess_offers, "_drawn", noted)
    for seed in range(4):
        at_table = Table(qtbot, jobs, played[0], seed)
        for hand in played[1]:
            at_table.end(hand)
    expected, spread = 0.0, 0.0
    for hand in played[1]:
        final = hand.observation
        seats = [
            event.seat
            for event in final.events
            if isinstance(event, ActionTaken) and event.seat != 0 and event.action.kind is not ActionKind.FOLD
        ]
        if seats:
            share = sum(seat in shown(final) for seat in seats) / len(seats)
            expected, spread = expected + 4 * share, spread + 4 * share * (1 - share)
    assert abs(sum(offer.was_shown for offer in drawn) - expected) < 4 * spread**0.5


def test_nothing_is_offered_of_a_hand_whose_cards_lay_open_or_while_it_is_off(
    qtbot: QtBot, jobs: Jobs, played: tuple[Store, tuple[FinishedHand, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guess_offers, "SHARE", 1.0)
    at_table = Table(qtbot, jobs, played[0])
    for hand in played[1][:15]:
        at_table.end(hand, is_study=True)
    at_table.offers.is_on = False
    for hand in played[1][15:30]:
        at_table.end(hand)
    at_table.offers.is_on = True
    unstored = [FinishedHand(hand.observation, ()) for hand in played[1][30:45]]
    for hand in unstored:
        at_table.end(hand)
    assert at_table.taken == []


def test_an_offer_goes_by_with_the_next_hand(
    qtbot: QtBot, jobs: Jobs, played: tuple[Store, tuple[FinishedHand, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guess_offers, "SHARE", 1.0)
    at_table = Table(qtbot, jobs, played[0])
    hands = iter(played[1])
    while not at_table.taken:
        at_table.end(next(hands))
    at_table.session.view_changed.emit(view(next(hands)))
    assert at_table.offered[-1][1] is None


def play_until_offered(qtbot: QtBot, app: App) -> None:
    """Fold hand after hand until one is offered about."""
    line = app.window.drills.line
    for _ in range(30):
        wait_for_stage(qtbot, app, TableStage.YOUR_TURN, TableStage.HAND_OVER)
        while app.session is not None and app.session.stage is TableStage.YOUR_TURN:
            press(qtbot, app, Qt.Key.Key_F)
            wait_for_stage(qtbot, app, TableStage.YOUR_TURN, TableStage.HAND_OVER)
        qtbot.waitUntil(lambda: app.jobs.is_idle(guess_offers.LANE), timeout=PATIENCE)
        if line.isVisible():
            return
        press(qtbot, app, Qt.Key.Key_Space)
    pytest.fail("nothing was offered")


@pytest.fixture
def offered(qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch) -> App:
    """Give the app with a guess offered after a hand."""
    monkeypatch.setattr(guess_offers, "SHARE", 1.0)
    app.begin(table("calling station", "maniac", "tight-passive", seed=3))
    app.window.menus.offer_guesses.trigger()
    assert app.settings.settings.offer_guesses
    play_until_offered(qtbot, app)
    return app


def test_the_key_takes_what_is_offered(qtbot: QtBot, offered: App) -> None:
    line = offered.window.drills.line
    said = line.button.text()
    assert said.endswith("Guess (Ctrl+G)")
    assert cut(offered.window) == []
    QTest.keyClick(offered.window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    window = offered.window.drills.guesses
    assert window is not None
    qtbot.waitUntil(lambda: window.model.stage is Stage.ASKING, timeout=PATIENCE)
    spot = window.model.spot
    assert spot is not None
    assert said.startswith(f"Hand {spot.observation.hand_number}, {spot.observation.street.name.lower()}: ")
    assert f"What may {spot.observation.view(spot.seat).name} hold?" in said
    assert spot.observation.view(spot.seat).shown is None
    assert not line.isVisible()


def test_a_click_takes_it_the_cross_and_the_switch_close_it(qtbot: QtBot, offered: App) -> None:
    line = offered.window.drills.line
    number = offered.session.progress[0] if offered.session is not None else 0
    qtbot.mouseClick(line.close_button, Qt.MouseButton.LeftButton)
    assert not line.isVisible()
    press(qtbot, offered, Qt.Key.Key_Space)
    play_until_offered(qtbot, offered)
    assert f"Hand {number}," not in line.button.text()
    before = line.button.text()
    offered.window.menus.units.trigger()
    assert (line.button.text() == before) == ("checks" in before)
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    window = offered.window.drills.guesses
    assert window is not None
    qtbot.waitUntil(lambda: window.model.stage is Stage.ASKING, timeout=PATIENCE)
    press(qtbot, offered, Qt.Key.Key_Space)
    play_until_offered(qtbot, offered)
    offered.window.menus.offer_guesses.trigger()
    assert not line.isVisible()


def test_a_hand_that_was_deleted_meanwhile_is_one_sentence(qtbot: QtBot, offered: App) -> None:
    offered.store.delete_sessions([one.session_id for one in offered.store.sessions()])
    QTest.keyClick(offered.window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    window = offered.window.drills.guesses
    assert window is not None
    qtbot.waitUntil(lambda: window.model.stage is Stage.EMPTY, timeout=PATIENCE)
    assert window.question.text() == GONE
