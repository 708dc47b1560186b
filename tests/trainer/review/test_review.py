"""The review of a session on a lane, the line after a hand, and the window; with hands of bots, by clicks."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.agents.agent import Values
from engine.cards import Street
from engine.codec import pack, unpack
from engine.game.events import CALL, FOLD, Seat
from engine.game.observation import Observation
from engine.review.decision import ReviewedDecision, reviewed
from engine.review.hands import HandReview, Reviewer, decisions_of
from engine.review.spots import Spot
from tests.engine.review.test_hands import played
from trainer.jobs import Jobs
from trainer.review.lesson_line import LessonLine
from trainer.review.review_model import bad_rows, decision_sentence, decision_values, lesson_text, review_view
from trainer.review.reviews import ReviewedHands, Reviews, SessionReviewer
from trainer.review.window import ReviewWindow
from trainer.session.past_hands import PastHand, PastHands
from trainer.storage.store import Store
from trainer.theme import ThemeSource

SPOT = Spot(Street.TURN, "BB", "a bet", "raised", "50-120 bb deep")


def decision(loss_bb: float, stderr: float = 0.4, event_count: int = 9) -> ReviewedDecision:
    return ReviewedDecision(
        event_count=event_count,
        spot=SPOT,
        action=CALL,
        values=Values((), 0),
        best=FOLD,
        big_blind=100,
        pot_bb=10.0,
        loss_bb=loss_bb,
        stderr=stderr,
    )


def review(number: int, *losses: float) -> HandReview:
    made = tuple(decision(loss, event_count=9 + at) for at, loss in enumerate(losses))
    return HandReview(name=str(number), learned=0, net_bb=1.0, all_in_bb=1.0, settled_bb=0.0, decisions=made)


def test_the_line_is_about_the_decision_that_mattered_most() -> None:
    assert lesson_text(review(12, 0.2, 1.8)) == "Hand 12. Turn call: −1.8 ± 0.4 bb (inaccuracy); better: fold"
    assert lesson_text(review(12, 0.2, 0.7)) == ""  # within noise


def test_what_is_within_noise_costs_none() -> None:
    view = review_view({1: review(1, 0.7), 2: review(2, 1.8, 6.0)})
    assert [row.texts[-2] for row in view.rows] == ["none", "1.8 ± 0.4", "6.0 ± 0.4"]
    assert [row.hand for row in bad_rows(view.rows)] == [2, 2]
    assert [row.decision.loss_bb for row in view.key] == [6.0, 1.8]
    assert dict(view.summary)["Accuracy"] == "33% (1 of 3 best or fine)"
    assert dict(review_view({1: review(1, -0.3)}).summary)["Lost by decisions"] == "nothing that can be told"
    assert "6.0 ± 0.4 bb, 60% of the pot: blunder" in decision_sentence(view.key[0].decision, 3)


@pytest.fixture(scope="module")
def finals() -> list[Observation]:
    return played(3)[0]


def past(finals: list[Observation]) -> tuple[PastHand, ...]:
    return tuple(PastHand(final.hand_number, None, partial(lambda one: one, final)) for final in finals)


def quick(reviewer: Reviewer, name: str, hand: Observation) -> "partial[HandReview]":
    """Stand for a review that takes a second."""
    return partial(review, int(name), 1.8)


def test_hands_are_reviewed_once(finals: list[Observation], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(reviewer: Reviewer, name: str, hand: Observation) -> "partial[HandReview]":
        asked.append(name)
        return quick(reviewer, name, hand)

    monkeypatch.setattr(Reviewer, "next", noted)
    reviewer, hands = SessionReviewer(None, dict), past(finals)
    *_, last = reviewer.review(hands, only=3)
    assert list(last.reviews) == [3]
    assert asked == ["1", "2", "3"]  # all are learned
    *_, whole = reviewer.review(hands)
    assert list(whole.reviews) == [1, 2, 3]
    assert whole.is_done
    assert list(reviewer.review(hands)) == [whole]
    assert asked == ["1", "2", "3", "1", "2"]


def test_a_damaged_hand_is_left_out(finals: list[Observation], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewer, "next", quick)
    first, _, third = past(finals)
    broken = PastHand(2, None, lambda: finals[1].__class__(**{**_fields(finals[1]), "events": ()}))
    *_, whole = SessionReviewer(None, dict).review([first, broken, third])
    assert list(whole.reviews) == [1, 3]
    assert whole.is_done


def _fields(observation: Observation) -> dict[str, object]:
    return {name: getattr(observation, name) for name in observation.__struct_fields__}


def test_reviews_can_be_packed() -> None:
    assert unpack(pack(review(7, 1.0, 2.0)), HandReview) == review(7, 1.0, 2.0)


@pytest.fixture
def reviews(
    qtbot: QtBot, finals: list[Observation], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Reviews, PastHands]]:
    monkeypatch.setattr(Reviewer, "next", quick)
    jobs = Jobs()
    hands = PastHands(jobs)
    hands.store = Store(None)
    monkeypatch.setattr(PastHands, "hands", property(lambda _: past(finals)))
    yield Reviews(jobs, hands), hands
    jobs.shutdown()
    hands.store.close()


def test_the_window_shows_what_is_reviewed(qtbot: QtBot, reviews: tuple[Reviews, PastHands]) -> None:
    window = ReviewWindow(ThemeSource(), reviews[0])
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(reviews[0].changed, check_params_cb=lambda found: found.is_done, timeout=20_000):
        window.begin()
    qtbot.waitUntil(lambda: not window.stop_button.isVisible())
    assert window.table.model().rowCount() == 3
    assert "cost 1.8 ± 0.4 bb" in window.sentence.text()
    chosen: list[int] = []
    window.hand_requested.connect(chosen.append)
    qtbot.mouseClick(window.hand_button, Qt.MouseButton.LeftButton)
    assert chosen == [window._rows[0].hand]
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_a_review_that_is_stopped_keeps_what_it_has(qtbot: QtBot, reviews: tuple[Reviews, PastHands]) -> None:
    window = ReviewWindow(ThemeSource(), reviews[0])
    qtbot.addWidget(window)
    window.show()
    window._set_working(is_working=True)
    reviews[0].changed.emit(ReviewedHands({1: review(1, 1.8)}, 3))
    qtbot.mouseClick(window.stop_button, Qt.MouseButton.LeftButton)
    assert window.table.model().rowCount() == 1
    assert window.note.text() == "Stopped; what is reviewed is kept."
    assert window.again_button.isVisible()


def test_a_click_on_the_line_opens_the_review(qtbot: QtBot) -> None:
    line = LessonLine()
    qtbot.addWidget(line)
    line.show_lesson(review(4, 1.8))
    assert line.isVisible()
    with qtbot.waitSignal(line.review_requested) as asked:
        qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert asked.args == [review(4, 1.8)]
    qtbot.mouseClick(line.close_button, Qt.MouseButton.LeftButton)
    assert not line.isVisible()


@pytest.mark.slow
def test_the_table_of_values_is_that_of_the_decision(finals: list[Observation]) -> None:
    final = next(one for one in finals if any(decisions_of(one)))
    seen, action = next(decisions_of(final))
    from engine.agents.learned.reader import LearnedReader

    reader = LearnedReader()
    judged = reviewed(seen, action, reader.read(seen), reader, seed=1)
    view = decision_values(final, judged, in_big_blinds=True)
    assert view is not None
    assert view.chosen is not None
    assert seen.seat == Seat(0)
