"""Mistakes of reviewed hands from a store: which there are, and what becomes of those whose hand is gone."""

from datetime import datetime

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.agents.learned.reader import LearnedReader
from engine.agents.styles import make_agent
from engine.codec import pack
from engine.game.events import FOLD, ActionKind, Seat
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.play import Dealer
from engine.review import decision as judging
from engine.review.decision import ReviewedDecision, reviewed
from engine.review.hands import HandReview, decisions_of
from engine.training import mistakes as asking
from engine.training import play
from engine.training.exercise import Drill
from tests.engine.played import play_hand
from tests.trainer.drills.test_drills_model import asked
from tests.trainer.gestures import PATIENCE
from tests.trainer.test_layout import cut
from trainer.app import App
from trainer.drills.drills_model import Stage
from trainer.drills.mistakes import LOST, LostMistakeError, StoredMistakes
from trainer.review.session_reviewer import STAMP, SessionReviewer
from trainer.session.past_hands import PastHand
from trainer.storage.store import Store

STYLES = ("loose-aggressive", "calling station", "maniac", "nit")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer hands out: how good answers are is tested with the exercises."""
    monkeypatch.setattr(judging, "_STEPS", dict.fromkeys(judging._STEPS, 4))
    monkeypatch.setattr(play, "CANDIDATES", 2)
    monkeypatch.setattr(asking, "FEW_STEPS", 1)


def fill(store: Store, hands: int) -> list[tuple[int, ReviewedDecision]]:
    """Store a session of bots as seat 0 saw it, each hand reviewed: the first decision cost the more, the later."""
    config = cash_game(tuple(SeatConfig(f"P{at}", style) for at, style in enumerate(STYLES)), seed=8)
    dealer = Dealer(config, {Seat(at): make_agent(style) for at, style in enumerate(STYLES)})
    session_id = store.add_session(datetime(2026, 5, 4, 20, 0), config, dealer.state)
    reader, found = LearnedReader(), []
    for number in range(1, hands + 1):
        hand_id = store.begin_hand(session_id, number, dealer.state)
        play_hand(dealer)
        final = dealer.observe(Seat(0))
        store.finish_hand(hand_id, final, dealer.state, {})
        for seen, action in decisions_of(final):
            made = reviewed(seen, action, reader.read(seen), reader, seed=0)
            bad = structs.replace(made, loss_bb=10.0 + number, stderr=0.1)
            good = structs.replace(made, event_count=made.event_count + 1, loss_bb=0.0)
            review = HandReview(
                name=str(number),
                learned=0,
                hole_cards=final.hole_cards,
                board=final.board,
                net_bb=0,
                all_in_bb=0,
                settled_bb=0,
                decisions=(bad, good),
            )
            store.reviews.put(STAMP, {hand_id: pack(review)})
            store.browse.set_loss(hand_id, bad.loss_bb)
            found.append((hand_id, bad))
            break
    return found


def test_mistakes_are_those_of_reviews_the_costliest_first(store: Store) -> None:
    found = fill(store, 4)
    assert len(found) > 2
    names = StoredMistakes(store).names()
    assert [tuple(map(int, name.split()[:2])) for name in names] == [
        (hand_id, made.event_count) for hand_id, made in reversed(found)
    ]


def test_the_spot_is_that_of_the_hand_with_the_same_cards_or_others(store: Store) -> None:
    hand_id, made = fill(store, 3)[-1]
    stored = StoredMistakes(store)
    name = stored.name_of(hand_id, made.event_count)
    hand = store.hand(hand_id)
    assert hand is not None
    seen, _ = next(decisions_of(hand.final_observation()))
    same = stored.exercise(name, 1, in_big_blinds=True, is_fresh=False)
    assert same.observation == seen
    assert (same.drill, same.topic) == (Drill.MISTAKES, name)
    assert same.title == f"hand {hand.number} of 04 May 2026, {seen.street.name.lower()}"
    other = stored.exercise(name, 1, in_big_blinds=True, is_fresh=True)
    assert structs.replace(other.observation, hole_cards=seen.hole_cards) == seen
    assert other.observation.hole_cards != seen.hole_cards
    assert StoredMistakes(store).exercise(name, 1, in_big_blinds=True, is_fresh=True) == other


def test_opponents_are_taken_as_they_were_known_before_the_hand(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the hands before it, as the review knew them: with those left out the values differ."""
    hand_id, made = fill(store, 12)[-1]
    name = StoredMistakes(store).name_of(hand_id, made.event_count)
    known = StoredMistakes(store).exercise(name, 1, in_big_blinds=False, is_fresh=False)
    monkeypatch.setattr("trainer.drills.mistakes._KNOWN_HANDS", 1)
    strangers = StoredMistakes(store).exercise(name, 1, in_big_blinds=False, is_fresh=False)
    assert known.values != strangers.values


def refused(stored: StoredMistakes, name: str) -> None:
    with pytest.raises(LostMistakeError, match="left out"):
        stored.exercise(name, 1, in_big_blinds=True, is_fresh=False)


def test_a_hand_that_is_gone_damaged_or_another_one_is_refused_in_a_sentence(store: Store) -> None:
    (hand_id, made), *others = fill(store, 4)
    stored = StoredMistakes(store)
    name = stored.name_of(hand_id, made.event_count)
    refused(stored, f"{name.rsplit(' ', 1)[0]} 2c2d")
    refused(stored, name.replace(f" {made.event_count} ", f" {made.event_count + 1} "))
    store.reviews.put(STAMP, {hand_id: b"damaged"})
    refused(stored, name)
    assert len(stored.names()) == len(others)
    damage = "UPDATE hands SET observation = x'00' WHERE id = ?"
    broken, its = others[0]
    store.file.write(lambda database: database.execute(damage, (broken,)))
    refused(stored, stored.name_of(broken, its.event_count))
    store.delete_sessions([1])
    refused(stored, name)
    assert stored.names() == ()
    with pytest.raises(LostMistakeError, match="not stored any more"):
        stored.name_of(hand_id, made.event_count)


def test_without_mistakes_the_key_leads_to_the_review(app: App) -> None:
    QTest.keyClick(app.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    drills = app.window.drills.window
    assert drills is not None
    assert "review a session first" in drills.choosing.standing[-1].text()
    drills.activateWindow()
    QTest.keyClick(drills, Qt.Key.Key_9)
    assert app.window.review.window is not None
    assert app.window.review.window.isVisible()
    assert drills.model.stage is Stage.CHOOSING


def test_a_mistake_is_asked_answered_and_explained_by_the_values_of_all_actions(qtbot: QtBot, app: App) -> None:
    QTest.keyClick(app.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    drills = app.window.drills.window
    assert drills is not None
    drills.resize(1000, 640)
    app.window.activateWindow()
    fill(app.store, 3)
    drills.activateWindow()
    row = drills.choosing.standing[-1]
    qtbot.waitUntil(lambda: "mistake" in row.text() and "not tried yet" in row.text(), timeout=PATIENCE)
    QTest.keyClick(drills, Qt.Key.Key_9)
    exercise = asked(qtbot, drills.model)
    assert exercise.question.startswith("The very hand again.")
    assert cut(drills) == []
    values = drills.page.spot.values
    assert not values.isVisible()
    QTest.keyClick(drills, Qt.Key.Key_1)
    assert drills.model.stage is Stage.ANSWERED
    assert values.isVisible()
    assert exercise.values is not None
    rows = values.table.model().rowCount()
    assert rows == len(exercise.values.actions)
    marked = [at for at in range(rows) if values.table.model().index(at, 0).data().startswith("▶")]
    assert [exercise.values.actions[at].action for at in marked] == [exercise.choices[0].action]
    assert cut(drills) == []
    QTest.keyClick(drills, Qt.Key.Key_Escape)
    assert "Your mistakes: hand" in drills.model.topic_rows[0][0]
    assert cut(drills) == []


def test_drilling_one_mistake_asks_about_it_alone(qtbot: QtBot, app: App) -> None:
    hand_id, made = fill(app.store, 3)[0]
    app.window.drills.open_at(hand_id, made.event_count)
    drills = app.window.drills.window
    assert drills is not None
    exercises = []
    for _ in range(3):
        exercises.append(asked(qtbot, drills.model))
        drills.activateWindow()
        QTest.keyClick(drills, Qt.Key.Key_1)
        QTest.keyClick(drills, Qt.Key.Key_Return)
    assert {int(one.topic.split()[0]) for one in exercises} == {hand_id}
    starts = [one.question.split(".")[0] for one in exercises]
    assert starts == ["The very hand again", *["The same spot with other cards"] * 2]
    app.store.delete_sessions([1])
    drills.model.stop()
    app.window.drills.open_at(hand_id, made.event_count)
    qtbot.waitUntil(lambda: drills.model.summary == LOST, timeout=PATIENCE)


def test_a_fold_where_checking_was_free_can_be_asked(store: Store) -> None:
    """It is none of the actions compared, and has to be there all the same."""
    hand_id, _ = fill(store, 8)[0]
    for hand in store.hands(1):
        for seen, _ in decisions_of(hand.final_observation()):
            if seen.legal is not None and seen.legal.can_check:
                reader = LearnedReader()
                made = reviewed(seen, FOLD, reader.read(seen), reader, seed=0)
                mistake = asking.Mistake("1 2 AhKd", "hand 1", seen, made)
                exercise = asking.again(mistake, reader, 1, str, is_fresh=False)
                kinds = [choice.action.kind for choice in exercise.choices if choice.action is not None]
                assert ActionKind.FOLD in kinds
                assert ActionKind.CHECK in kinds
                return
    pytest.fail(f"nobody could check in the hands after {hand_id}")


def test_the_review_leads_to_the_drill_of_the_mistake_that_is_chosen_there(qtbot: QtBot, app: App) -> None:
    found = fill(app.store, 3)
    past = app.window.looked_at.past
    past.set_store(app.store)
    qtbot.waitUntil(lambda: any(one.session_id == 1 for one in past.sessions), timeout=PATIENCE)
    with qtbot.waitSignal(past.session_chosen, timeout=PATIENCE):
        past.open(1)
    review = app.window.review.open()
    qtbot.waitUntil(lambda: not review.stop_button.isVisible(), timeout=PATIENCE)
    review.which.setCurrentText("All decisions")
    review.table.selectRow(1)
    assert not review.drill_button.isEnabled(), "nothing can be said against the second decision of a hand"
    review.table.selectRow(0)
    qtbot.mouseClick(review.drill_button, Qt.MouseButton.LeftButton)
    drills = app.window.drills.window
    assert drills is not None
    assert drills.isVisible()
    hand_id, made = found[0]
    assert asked(qtbot, drills.model).topic.startswith(f"{hand_id} {made.event_count} ")


@pytest.mark.slow
def test_the_very_hand_costs_what_its_review_says(store: Store) -> None:
    """By the review as the window makes it, which has learned the hands before; not by one of a stranger."""
    fill(store, 10)
    hands = tuple(PastHand(hand.number, hand.hand_id, hand.final_observation) for hand in store.hands(1))
    for hand in hands:
        assert hand.hand_id is not None
        store.reviews.put(STAMP, {hand.hand_id: b"made again"})
    *_, found = SessionReviewer(store, dict).review(hands)
    stored, compared = StoredMistakes(store), 0
    for hand in hands:
        for made in found.reviews[hand.number].decisions:
            assert hand.hand_id is not None
            name = stored.name_of(hand.hand_id, made.event_count)
            exercise = stored.exercise(name, 1, in_big_blinds=True, is_fresh=False)
            done = next(choice for choice in exercise.choices if choice.action == made.action)
            assert exercise.values == made.values
            assert done.lost_bb == pytest.approx(max(made.loss_bb, 0))
            compared += 1
    assert compared >= 10
