"""The review of a session on a lane, the line after a hand, and the window; with hands of bots, by clicks."""

from collections.abc import Iterator
from dataclasses import replace as dataclass_replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.agents.agent import ActionValue, Values
from engine.cards import Street, parse_cards
from engine.codec import pack, unpack
from engine.game.events import CALL, FOLD, Action, ActionKind, raise_to
from engine.game.observation import Observation
from engine.review.decision import ReviewedDecision
from engine.review.hands import HandReview, Reviewer, decisions_of, review_hands
from engine.review.session import Leak
from engine.review.spots import Spot, spot_of
from tests.engine.game.test_phh import PLURIBUS
from tests.engine.review.decisions import decided
from tests.engine.review.test_hands import played
from tests.trainer.gestures import PATIENCE, opened, strike
from tests.trainer.session_driver import Player, table
from trainer import jobs as lanes
from trainer.app import App
from trainer.jobs import Jobs
from trainer.review import reviews as reviews_module
from trainer.review import window as window_module
from trainer.review.opening import ReviewOpener
from trainer.review.review_model import (
    HEADINGS,
    ReviewView,
    decision_cells,
    decision_sentence,
    decision_values,
    lesson_text,
    review_view,
)
from trainer.review.reviews import LANE, Reviews
from trainer.review.session_reviewer import STAMP, ReviewedHands, SessionReviewer
from trainer.review.window import ReviewWindow
from trainer.session.looked_at import LookedAt
from trainer.session.past_hands import PastHand, PastSession
from trainer.session.playing_on import TakenUpHand
from trainer.session.session import Session
from trainer.session.types import FinishedHand, Stage, TableView
from trainer.storage.store import Store
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton
SPOT = Spot(Street.TURN, "BB", "a bet", "raised", "50-120 bb deep")
STARTED = datetime(2026, 3, 1, 20, 15)


def decision(
    loss_bb: float, stderr: float = 0.4, event_count: int = 9, action: Action = CALL, pot_bb: float = 10.0
) -> ReviewedDecision:
    return decided(loss_bb, stderr, spot=SPOT, event_count=event_count, action=action, pot_bb=pot_bb)


def review(number: int, *losses: float) -> HandReview:
    return review_with(number, *(decision(loss, event_count=9 + at) for at, loss in enumerate(losses)))


def review_with(number: int, *made: ReviewedDecision) -> HandReview:
    ace, king, *board = parse_cards("As Ks Jc Td 4h 2c 7d")
    return HandReview(
        name=str(number),
        learned=3,
        hole_cards=(ace, king),
        board=tuple(board),
        net_bb=1.0,
        all_in_bb=1.0,
        settled_bb=0.0,
        decisions=made,
    )


def view_of(*made: HandReview) -> ReviewView:
    """Return what is shown of reviews of hands that are not looked at."""
    hands = tuple(PastHand(int(one.name), None, lambda: pytest.fail("a hand is read")) for one in made)
    return review_view(ReviewedHands(hands, {int(one.name): one for one in made}, {}))


def test_the_line_is_about_the_decision_that_mattered_most() -> None:
    expected = "Hand 12. Turn call: −1.8 ± 0.4 bb (inaccuracy); better: fold"
    assert lesson_text(review(12, 0.2, 1.8), in_big_blinds=True) == expected
    assert lesson_text(review(12, 0.2, 0.7), in_big_blinds=True) == ""  # within noise


def test_what_is_within_noise_costs_none() -> None:
    view = view_of(review(1, 0.7), review(2, 1.8, 6.0))
    cells = [decision_cells(row, in_big_blinds=True) for row in view.rows]
    assert [row[-2] for row in cells] == ["none", "1.8 ± 0.4", "6.0 ± 0.4"]
    assert [(row.hand, row.decision.loss_bb) for row in view.bad] == [(2, 6.0), (2, 1.8)]
    assert [row.decision.loss_bb for row in view.key] == [6.0, 1.8]
    assert dict(view.summary)["Accuracy"] == "33% (1 of 3 best or fine)"
    # The sum has the 0.7 in it, and says what the list comes to.
    assert dict(view.summary)["Lost by decisions"].startswith("8.5 bb, ")
    assert dict(view.summary)["Lost by decisions"].endswith("; 7.8 bb of it where it is clear of noise")
    assert dict(view_of(review(1, -0.3)).summary)["Lost by decisions"] == "nothing that can be told"


@pytest.mark.parametrize(
    ("loss", "pot", "words"),
    [
        (6.0, 10.0, "cost 6.0 ± 0.4 bb, 52% of the pot clear of noise: blunder."),
        (
            2.0,
            10.0,
            "cost 2.0 ± 0.4 bb, 12% of the pot clear of noise: inaccuracy.",
        ),  # and not 20%, which were a mistake
        (2.0, 1.5, "cost 2.0 ± 0.4 bb, 30% of the pot clear of noise: mistake."),  # of 4 bb, and not 133%
        (2.392, 4.0, "39% of the pot clear of noise: mistake."),  # rounded down: 40% were a blunder
    ],
)
def test_the_share_that_is_told_fits_the_grade(loss: float, pot: float, words: str) -> None:
    (row,) = view_of(review_with(1, decision(loss, pot_bb=pot))).rows
    sentence = decision_sentence(row, in_big_blinds=True)
    assert words in sentence
    assert sentence.endswith("The reader knew 3 hands of this table by then, and what earlier sessions have kept.")


def test_what_a_tournament_asks_for_risk_is_told_apart_from_chips_lost() -> None:
    """A raise all-in that lost 7 bb in the mean was said to cost 45.5."""
    made = decision(45.5, action=raise_to(7_500))
    costs = {FOLD: (0.0, 0.0), raise_to(7_500): (-7.0, 38.5)}
    actions = tuple(
        ActionValue(
            action=action, value=value * made.big_blind, stderr=20.0, behind=0.0, behind_stderr=0.0,
            all_fold=0.7, called_equity=0.3, later=0.0, usual=0.5, guard=0.0, samples=128,
            risk=risk * made.big_blind,
        )
        for action, (value, risk) in costs.items()
    )  # fmt: skip
    for values, loss, said in (
        (actions, 45.5, "cost 45.5 ± 0.4 bb (38.5 bb of it the price of its risk), "),
        (actions, 30.5, "cost 30.5 ± 0.4 bb (all of it the price of its risk), "),  # in chips it wins 8 more
        ((), 45.5, "bb, "),
    ):
        judged = replace(made, values=Values(values, 512), best=FOLD, loss_bb=loss)
        (row,) = view_of(review_with(1, judged)).rows
        assert said in decision_sentence(row, in_big_blinds=True)
        assert decision_sentence(row, in_big_blinds=True).count("risk") == bool(values)


@pytest.mark.parametrize(("loss", "cost"), [(0.3, "−0.3 ± 0.4"), (0.04, "0.0 ± 0.4"), (-0.2, "0.0 ± 0.4")])
def test_what_may_be_nothing_has_no_sign(loss: float, cost: str) -> None:
    (row,) = view_of(review(1, loss)).rows
    said = f"Call: fine. Fold may be worth a little more ({cost} bb)."
    assert decision_sentence(row, in_big_blinds=True).startswith(said)


@pytest.mark.parametrize(
    ("in_big_blinds", "words"),
    [(True, ["raise to 1,000 bb", "raise to 12.5 bb"]), (False, ["raise to 100,000", "raise to 1,250"])],
)
def test_sizes_are_written_in_the_units_of_the_window(in_big_blinds: bool, words: list[str]) -> None:
    for size, expected in zip((100_000, 1_250), words, strict=True):
        one = decision(6.0, action=raise_to(size))
        made = review_with(3, one)
        (row,) = view_of(made).rows
        assert decision_cells(row, in_big_blinds=in_big_blinds)[HEADINGS.index("You did")] == expected
        assert expected in lesson_text(made, in_big_blinds=in_big_blinds)
        assert decision_sentence(row, in_big_blinds=in_big_blinds).startswith(expected.capitalize())


def test_a_row_has_the_cards_as_they_lay() -> None:
    (row,) = view_of(review(1, 1.8)).rows
    assert decision_cells(row, in_big_blinds=True)[3:6] == ("A♠ K♠", "J♣ T♦ 4♥ 2♣", "10.0")


@pytest.fixture(scope="module")
def finals() -> list[Observation]:
    raised = [
        final for final in played(20)[0] if any(one.kind is ActionKind.RAISE for _, one in decisions_of(final))
    ]
    return raised[:3]


@pytest.fixture(scope="module")
def others() -> list[Observation]:
    return [final for final in played(8, seed=9)[0] if any(decisions_of(final))][:2]


def past(finals: list[Observation], *, is_no_limit: bool = True) -> tuple[PastHand, ...]:
    """Return hands as they are listed, numbered from 1."""
    return tuple(
        PastHand(number, None, partial(lambda one: one, final), is_no_limit=is_no_limit)
        for number, final in enumerate(finals, 1)
    )


def judged(name: str, hand: Observation) -> HandReview:
    """Say of every decision that it cost 1.8 bb."""
    made = []
    for seen, action in decisions_of(hand):
        values = [
            ActionValue(
                action=one,
                value=value,
                stderr=1.0,
                behind=100.0 - value,
                behind_stderr=1.0,
                all_fold=0.0,
                called_equity=0.5,
                later=0.0,
                usual=0.5,
                guard=0.0,
                samples=10,
            )
            for one, value in {FOLD: 0.0, action: 100.0}.items()
        ]
        made.append(
            ReviewedDecision(
                event_count=len(seen.events),
                spot=spot_of(seen),
                action=action,
                values=Values(tuple(values), 10),
                best=FOLD,
                big_blind=seen.big_blind,
                pot_bb=10.0,
                loss_bb=1.8,
                stderr=0.4,
                deals_stderr=0.4,
            )
        )
    return replace(review_with(int(name), *made), hole_cards=hand.hole_cards, board=hand.board)


def quick(reviewer: Reviewer, name: str, hand: Observation) -> "partial[HandReview]":
    """Stand for a review that takes a second."""
    return partial(judged, name, hand)


def test_the_table_of_values_is_that_of_the_decision(finals: list[Observation]) -> None:
    kinds = set()
    for final in finals:
        for one, (seen, action) in zip(judged("1", final).decisions, decisions_of(final), strict=True):
            view = decision_values(final, one, in_big_blinds=False)
            assert view is not None
            assert view.chosen == [value.action for value in one.values.actions].index(action)
            assert seen.legal is not None
            sizes = {
                ActionKind.CALL: f"call {seen.legal.call_amount:,}",
                ActionKind.RAISE: f" {action.raise_to:,}",
            }
            assert view.rows[view.chosen][0].endswith(sizes.get(action.kind, action.kind.value))
            assert (
                decision_values(final, replace(one, event_count=one.event_count + 1), in_big_blinds=False) is None
            )
            kinds.add(action.kind)
    assert ActionKind.RAISE in kinds
    assert len(kinds) > 1


Asked = list[tuple[int, str]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Which hands are learned and reviewed, and by which of the reviewers, counted from 0."""
    found: Asked = []
    reviewers: list[Reviewer] = []

    def noted(reviewer: Reviewer, name: str, hand: Observation) -> "partial[HandReview]":
        if reviewer not in reviewers:
            reviewers.append(reviewer)
        found.append((reviewers.index(reviewer), name))
        return quick(reviewer, name, hand)

    monkeypatch.setattr(Reviewer, "next", noted)
    return found


def test_hands_are_reviewed_once(finals: list[Observation], asked: Asked) -> None:
    reviewer, hands = SessionReviewer(None, dict), past(finals)
    *_, last = reviewer.review(hands, only=3)
    assert list(last.reviews) == [3]
    assert asked == [(0, "1"), (0, "2"), (0, "3")]  # all are learned
    *_, whole = reviewer.review(hands)
    assert list(whole.reviews) == [1, 2, 3]
    assert whole.is_done
    assert list(reviewer.review(hands)) == [whole]
    assert asked[3:] == [(1, "1"), (1, "2")]


def test_others_played_elsewhere_than_at_a_table_here(finals: list[Observation]) -> None:
    """Strangers there are people, here programs, who call more: that is worth something else."""
    found = []
    for was_played_elsewhere in (True, False):
        reviewer = SessionReviewer(None, dict, was_played_elsewhere=was_played_elsewhere)
        *_, last = reviewer.review(past(finals)[:1])
        found.append(last.reviews[1])
    assert found[0] == next(review_hands([("1", finals[0])], 0))
    assert found[0] != found[1]


def test_what_came_later_is_not_known(finals: list[Observation], asked: Asked) -> None:
    """Earlier hands of a session that was resumed may be listed after its next one was reviewed."""
    reviewer, hands = SessionReviewer(None, dict), past(finals)
    *_, _ = reviewer.review(hands[2:], only=3)
    *_, whole = reviewer.review(hands)
    assert list(whole.reviews) == [1, 2, 3]
    assert asked == [(0, "3"), (1, "1"), (1, "2")]


def test_a_damaged_hand_is_left_out(finals: list[Observation], asked: Asked) -> None:
    first, _, third = past(finals)
    broken = PastHand(2, None, lambda: finals[1].__class__(**{**_fields(finals[1]), "events": ()}))
    *_, whole = SessionReviewer(None, dict).review([first, broken, third])
    assert list(whole.reviews) == [1, 3]
    assert whole.is_done
    assert dict(review_view(whole).summary)["Not reviewed"] == "1 damaged"


def test_fixed_limit_hands_are_left_out(finals: list[Observation], asked: Asked) -> None:
    hands = past(finals[:1]) + past(finals, is_no_limit=False)[1:]
    *_, whole = SessionReviewer(None, dict).review(hands)
    assert list(whole.reviews) == [1]
    assert whole.is_done
    assert asked == [(0, "1")]  # nor are they learned
    said = dict(review_view(whole).summary)["Not reviewed"]
    assert said == "2 with fixed limits: decisions are judged as no-limit ones"


def _fields(observation: Observation) -> dict[str, object]:
    return {name: getattr(observation, name) for name in observation.__struct_fields__}


def test_reviews_can_be_packed() -> None:
    assert unpack(pack(review(7, 1.0, 2.0)), HandReview) == review(7, 1.0, 2.0)


def test_what_is_shown_is_made_rarely_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making it takes a second here, and reviewing a hand half a second: the most of the time is left for hands."""
    clock, made = [0.0], [0]

    def slow(found: ReviewedHands) -> ReviewView:
        clock[0] += 1
        made[0] += 1
        return ReviewView(found)

    def hands_reviewed() -> Iterator[ReviewedHands]:
        hands = tuple(PastHand(number, None, lambda: pytest.fail("a hand is read")) for number in range(1, 101))
        for count in range(101):
            clock[0] += 0.5
            yield ReviewedHands(hands, {number: review(number) for number in range(1, count + 1)}, {})

    monkeypatch.setattr(reviews_module, "review_view", slow)
    monkeypatch.setattr(reviews_module, "monotonic", lambda: clock[0])
    shown = [len(view.found.reviews) for view in reviews_module._views(hands_reviewed())]
    assert shown[0] == 0
    assert shown[-1] == 100
    assert 4 <= made[0] <= 7


# The window


@pytest.fixture
def looked_at(jobs: Jobs, asked: Asked) -> Iterator[LookedAt]:
    made = LookedAt(jobs)
    made.past.store = Store(None)
    yield made
    made.stop()


@pytest.fixture
def reviews(jobs: Jobs, looked_at: LookedAt) -> Reviews:
    return Reviews(jobs, looked_at.past)


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, reviews: Reviews) -> ReviewWindow:
    return opened(qtbot, ReviewWindow(theme, reviews))


def listed(looked_at: LookedAt, name: str, hands: tuple[PastHand, ...]) -> None:
    """List hands as a session of that name."""
    looked_at.past.choose_match(PastSession(None, STARTED, None, len(hands), name), hands)


def done(qtbot: QtBot, window: ReviewWindow, count: int) -> None:
    """Wait until so many hands are reviewed, and no more are."""
    qtbot.waitUntil(
        lambda: window.again_button.isVisible() and len(window._view.found.reviews) == count, timeout=PATIENCE
    )


def shown_values(window: ReviewWindow) -> list[str]:
    model = window.values.table.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())] if window.values.isVisible() else []


def expected_values(window: ReviewWindow, finals: list[Observation]) -> list[str]:
    """Return the actions of the decision chosen, taken from the hand itself."""
    row = window._chosen()
    assert row is not None
    values = decision_values(finals[row.hand - 1], row.decision, in_big_blinds=False)
    assert values is not None
    return [cells[0] for cells in values.rows]


def hold(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Let no review end before the event that is returned is set."""
    gate = Event()

    def held(name: str, hand: Observation) -> HandReview:
        assert gate.wait(PATIENCE / 1000)
        return judged(name, hand)

    monkeypatch.setattr(Reviewer, "next", lambda _reviewer, name, hand: partial(held, name, hand))
    return gate


def test_the_window_shows_what_is_reviewed(
    qtbot: QtBot, window: ReviewWindow, looked_at: LookedAt, finals: list[Observation]
) -> None:
    listed(looked_at, "A", past(finals))
    done(qtbot, window, 3)
    count = sum(len(list(decisions_of(final))) for final in finals)
    assert window.table.model().rowCount() == min(count, 5)
    QApplication.processEvents()
    lowest = window.table.visualRect(window.table.model().index(min(count, 5) - 1, 0))
    assert window.table.viewport().height() - lowest.bottom() < lowest.height(), "no room is left empty"
    assert window.values.table.verticalScrollBar().maximum() == 0, "every action is in sight"
    qtbot.keyClick(window.which, Qt.Key.Key_End)
    assert window.which.currentText() == "All decisions"
    assert window.table.model().rowCount() == count
    assert "cost 1.8 ± 0.4 bb, 10% of the pot clear of noise: inaccuracy" in window.sentence.text()
    assert shown_values(window) == expected_values(window, finals)
    last = window.table.model().index(count - 1, 0)
    window.table.scrollTo(last)
    qtbot.mouseClick(window.table.viewport(), LEFT, pos=window.table.visualRect(last).center())
    assert shown_values(window) == expected_values(window, finals)
    assert window.windowTitle() == "Review: In the lab: A, 3 hands"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_another_session_that_is_listed_is_shown_instead(
    qtbot: QtBot,
    window: ReviewWindow,
    looked_at: LookedAt,
    finals: list[Observation],
    others: list[Observation],
) -> None:
    listed(looked_at, "A", past(finals))
    done(qtbot, window, 3)
    listed(looked_at, "B", past(others))
    done(qtbot, window, 2)
    assert window._view.found.hands == looked_at.past.hands
    assert shown_values(window) == expected_values(window, others)
    # The same hands as another player saw them are other hands.
    listed(looked_at, "B", past(finals[:2]))
    done(qtbot, window, 2)
    assert shown_values(window) == expected_values(window, finals)


def test_another_session_at_the_table_ends_what_was_asked_for(
    qtbot: QtBot,
    jobs: Jobs,
    window: ReviewWindow,
    looked_at: LookedAt,
    finals: list[Observation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = hold(monkeypatch)
    listed(looked_at, "A", past(finals))
    assert window.stop_button.isVisible()
    assert window.progress.isVisible()
    looked_at.follow(Session(jobs, Store(None)))
    assert not window.stop_button.isVisible()
    assert not window.progress.isVisible()
    assert window.note.text() == "There is no finished hand to review yet."
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert window.table.model().rowCount() == 0


def test_a_window_that_is_closed_reviews_nothing(
    qtbot: QtBot, jobs: Jobs, window: ReviewWindow, looked_at: LookedAt, finals: list[Observation], asked: Asked
) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    listed(looked_at, "A", past(finals))
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert asked == []


def test_a_review_that_is_stopped_keeps_what_it_has(
    qtbot: QtBot,
    jobs: Jobs,
    window: ReviewWindow,
    looked_at: LookedAt,
    finals: list[Observation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, begun = Event(), list[str]()

    def held(name: str, hand: Observation) -> HandReview:
        begun.append(name)
        assert name == "1" or gate.wait(PATIENCE / 1000)
        return judged(name, hand)

    monkeypatch.setattr(Reviewer, "next", lambda _reviewer, name, hand: partial(held, name, hand))
    monkeypatch.setattr(lanes, "_SNAPSHOT_SECONDS", 0.0)  # or what is reviewed might be shown with the next hand
    monkeypatch.setattr(reviews_module, "_PAUSES", -1.0)
    listed(looked_at, "A", past(finals))
    qtbot.waitUntil(lambda: len(window._view.found.reviews) == 1, timeout=PATIENCE)
    assert window.progress.text().startswith("1 of 3 hands")
    qtbot.mouseClick(window.stop_button, LEFT)
    gate.set()
    assert window.note.text() == "Stopped; what is reviewed is kept."
    assert window.again_button.isVisible()
    assert {row.hand for row in window._rows} == {1}
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    qtbot.mouseClick(window.again_button, LEFT)
    done(qtbot, window, 3)
    assert begun.count("1") == 1
    assert window.note.text() == ""


def test_what_is_shown_is_made_off_the_thread_of_the_window(
    qtbot: QtBot,
    window: ReviewWindow,
    looked_at: LookedAt,
    finals: list[Observation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = []

    def noted(found: ReviewedHands) -> ReviewView:
        threads.append(current_thread())
        return review_view(found)

    monkeypatch.setattr(reviews_module, "review_view", noted)
    listed(looked_at, "A", past(finals))
    done(qtbot, window, 3)
    assert threads
    assert main_thread() not in threads


def test_rows_stay_until_they_change(
    qtbot: QtBot, window: ReviewWindow, looked_at: LookedAt, reviews: Reviews, finals: list[Observation]
) -> None:
    listed(looked_at, "A", past(finals))
    done(qtbot, window, 3)
    qtbot.keyClick(window.which, Qt.Key.Key_End)
    resets: list[None] = []
    window.table.model().modelReset.connect(lambda: resets.append(None))
    qtbot.keyClick(window.table, Qt.Key.Key_Down)
    chosen = window._chosen()
    with qtbot.waitSignal(reviews.changed, timeout=PATIENCE):
        reviews.request()
    assert window._chosen() == chosen
    assert resets == []
    window.set_units(True)
    assert len(resets) == 1
    assert window._chosen() == chosen


def test_the_decisions_of_a_leak_are_listed(
    qtbot: QtBot, window: ReviewWindow, looked_at: LookedAt, reviews: Reviews, finals: list[Observation]
) -> None:
    listed(looked_at, "A", past(finals))
    done(qtbot, window, 3)
    view = window._view
    kinds = [row.decision.spot.kinds[0] for row in view.rows]
    kind = min(set(kinds), key=kinds.count)
    assert 0 < kinds.count(kind) < len(kinds)
    leak = Leak(kind, decisions=4, bad=2, loss_bb=1.25, stderr=0.1, bb_per_100=12.5, clear=3.0)
    reviews.changed.emit(dataclass_replace(view, leaks=(leak,)))
    window.tabs.setCurrentIndex(1)
    place = window.leaks.visualRect(window.leaks.model().index(0, 0)).center()
    for click in (qtbot.mouseClick, qtbot.mouseDClick):
        click(window.leaks.viewport(), LEFT, pos=place)
    assert window.tabs.currentIndex() == 0
    assert window.which.currentText() == f"Leak: {', '.join(kind)}"
    assert len(window._rows) == window.table.model().rowCount() == kinds.count(kind)
    assert {row.decision.spot.kinds[0] for row in window._rows} == {kind}
    qtbot.keyClick(window.which, Qt.Key.Key_Home)
    assert window._rows == view.key


def test_a_review_says_how_long_it_still_takes(
    window: ReviewWindow, reviews: Reviews, looked_at: LookedAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 12 hands 2 were known, and a further one takes 3 s."""
    clock = [100.0]
    monkeypatch.setattr(window_module, "monotonic", lambda: clock[0])
    monkeypatch.setattr(Reviews, "is_working", True)
    hands = tuple(PastHand(number, None, lambda: pytest.fail("a hand is read")) for number in range(1, 13))
    monkeypatch.setattr(Reviews, "hands", hands)
    monkeypatch.setattr(Reviews, "request", lambda _: None)
    window.begin()
    shown = []
    for count in (2, 3, 6, 12):
        clock[0] = 100.0 + 3 * (count - 2)
        reviews.changed.emit(review_view(ReviewedHands(hands, {at: review(at) for at in range(1, count + 1)}, {})))
        shown.append(window.progress.text())
    expected = ["2 of 12 hands", "3 of 12 hands, 27 s left", "6 of 12 hands, 18 s left", "12 of 12 hands"]
    assert shown == expected


def test_hands_that_are_played_on_are_reviewed_too(
    qtbot: QtBot, jobs: Jobs, window: ReviewWindow, reviews: Reviews, looked_at: LookedAt, finals: list[Observation]
) -> None:
    session = Session(jobs, Store(None))
    looked_at.follow(session)
    reviews.follow(session)
    finish(session, finals[0])
    done(qtbot, window, 1)
    chosen = window._chosen()
    assert chosen is not None
    assert chosen.hand == finals[0].hand_number
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    finish(session, finals[1])
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert not reviews.is_working


def test_a_decision_is_replayed_on_the_table(
    qtbot: QtBot, app: App, finals: list[Observation], asked: Asked
) -> None:
    looked_at, replaying = app.window.looked_at, app.window.replaying
    listed(looked_at, "A", past(finals))
    app.window.menus.review.trigger()
    window = app.window.review.window
    assert window is not None
    done(qtbot, window, 3)
    assert window.isVisible()
    qtbot.mouseClick(window.hand_button, LEFT)
    row = window._chosen()
    assert row is not None
    assert looked_at.observation == finals[row.hand - 1]
    assert not replaying.is_on
    for way in (
        partial(qtbot.keyClick, window.table, Qt.Key.Key_Return),
        partial(qtbot.mouseClick, window.replay_button, LEFT),
    ):
        qtbot.keyClick(window.table, Qt.Key.Key_Down)
        row = window._chosen()
        assert row is not None
        way()
        assert replaying.is_on
        assert looked_at.observation == finals[row.hand - 1]
        assert replaying.view.model.step.event_count == row.decision.event_count
        assert replaying.view.model.decider == finals[0].seat
    window.close()


def test_fixed_limit_hands_of_a_file_are_not_reviewed(qtbot: QtBot, app: App, asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "some.phhs"
    limit = PLURIBUS.replace("variant = 'NT'", "variant = 'FT'")
    path.write_text(f"[1]\n{limit}[2]\n{PLURIBUS}[3]\n{limit}", encoding="utf-8")
    app.window.files.read(path, "Eddie")
    qtbot.waitUntil(lambda: len(app.window.looked_at.past.hands) == 3, timeout=PATIENCE)
    window = app.window.review.open()
    done(qtbot, window, 1)
    assert asked == [(0, "2")]
    said = [label.text() for label in window._summary]
    assert said[2:4] == ["Not reviewed", "2 with fixed limits: decisions are judged as no-limit ones"]
    window.close()


@pytest.mark.slow
def test_a_session_is_reviewed_while_it_is_played(qtbot: QtBot, app: App) -> None:
    strike(app, "R", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    window = app.window.review.window
    assert window is not None
    qtbot.waitUntil(lambda: window.note.text() == "There is no finished hand to review yet.", timeout=PATIENCE)
    app.begin(table("calling station", "loose-aggressive", seed=4))
    assert app.session is not None
    player = Player(app.session, 3)
    qtbot.waitUntil(lambda: len(player.hands) == 3, timeout=PATIENCE)
    done(qtbot, window, 3)
    assert window.note.text() == ""
    assert window.windowTitle().startswith("Review: On the table: cash 50/100, 3 seats")
    for hand in player.hands:
        kept = window._view.found.reviews[hand.observation.hand_number]
        assert len(kept.decisions) == len(list(decisions_of(hand.observation)))
        assert hand.hand_id is not None
        assert unpack(app.store.reviews.get([hand.hand_id], STAMP)[hand.hand_id], HandReview) == kept
    # The last one is still on the table.
    qtbot.keyClick(window.which, Qt.Key.Key_End)
    qtbot.keyClick(window.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    row, replaying = window._chosen(), app.window.replaying
    assert row is not None
    assert row.hand == 3
    qtbot.mouseClick(window.replay_button, LEFT)
    assert replaying.is_on
    assert replaying.view.model.final == player.hands[-1].observation
    assert replaying.view.model.step.event_count == row.decision.event_count
    window.close()


# The line after a hand


def finish(session: Session, final: Observation) -> None:
    """End a hand at the table."""
    session.view_changed.emit(TableView(Stage.HAND_OVER, final, None, {}, ()))
    session.hand_finished.emit(FinishedHand(final, ()))


@pytest.fixture
def opener(
    qtbot: QtBot, jobs: Jobs, theme: ThemeSource, looked_at: LookedAt, qapp: object
) -> Iterator[ReviewOpener]:
    made = ReviewOpener(theme, jobs, looked_at, looked_at)
    opened(qtbot, made.line)
    made.line.hide()
    yield made
    made.close()


@pytest.fixture
def session(jobs: Jobs, looked_at: LookedAt, opener: ReviewOpener) -> Session:
    made = Session(jobs, Store(None))
    looked_at.follow(made)
    opener.follow(made)
    return made


def test_a_click_on_the_line_opens_the_review_of_the_table(
    qtbot: QtBot,
    opener: ReviewOpener,
    looked_at: LookedAt,
    session: Session,
    finals: list[Observation],
    others: list[Observation],
) -> None:
    finish(session, finals[0])
    qtbot.waitUntil(opener.line.isVisible, timeout=PATIENCE)
    listed(looked_at, "earlier", past(others))
    qtbot.mouseClick(opener.line.button, LEFT)
    assert looked_at.past.chosen is None
    window = opener.window
    assert window is not None
    qtbot.addWidget(window)
    done(qtbot, window, 1)
    row = window._chosen()
    assert row is not None
    assert row.hand == finals[0].hand_number
    assert window.which.currentText() == "All that cost something"
    qtbot.mouseClick(opener.line.close_button, LEFT)
    assert not opener.line.isVisible()


def test_the_line_is_in_the_units_of_the_window(qtbot: QtBot, opener: ReviewOpener) -> None:
    opener.line.show_lesson(review_with(3, decision(6.0, action=raise_to(1250))))
    assert "raise to 1,250:" in opener.line.button.text()
    opener.set_units(True)
    assert "raise to 12.5 bb:" in opener.line.button.text()


def test_no_lesson_of_a_session_that_was_left_is_told(
    qtbot: QtBot,
    jobs: Jobs,
    opener: ReviewOpener,
    looked_at: LookedAt,
    session: Session,
    finals: list[Observation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, told = hold(monkeypatch), list[HandReview]()
    opener.reviews.lesson_found.connect(told.append)
    finish(session, finals[0])
    following = Session(jobs, Store(None))
    looked_at.follow(following)
    opener.follow(following)
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert told == []
    finish(following, finals[1])
    qtbot.waitUntil(lambda: len(told) == 1, timeout=PATIENCE)
    assert told[0].name == str(finals[1].hand_number)


def test_hands_that_are_played_faster_than_reviewed_do_not_wait_in_ever_greater_numbers(
    qtbot: QtBot,
    jobs: Jobs,
    opener: ReviewOpener,
    session: Session,
    finals: list[Observation],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reviews_module, "MOST_WAITING", 1)
    gate, told = hold(monkeypatch), list[HandReview]()
    opener.reviews.lesson_found.connect(told.append)
    for final in finals:
        finish(session, final)
    gate.set()
    qtbot.waitUntil(lambda: jobs.is_idle(LANE), timeout=PATIENCE)
    assert [review.name for review in told] == [str(finals[-1].hand_number)]


def test_a_lesson_of_a_hand_that_is_played_on_is_about_what_was_done_this_time(
    qtbot: QtBot,
    jobs: Jobs,
    opener: ReviewOpener,
    session: Session,
    finals: list[Observation],
) -> None:
    """Of three mistakes the costliest was made before the hand was taken up again."""
    made = review_with(
        1, decision(9.0, event_count=9), decision(2.0, event_count=12), decision(6.0, event_count=15)
    )
    told = list[HandReview]()
    opener.reviews.lesson_found.connect(told.append)
    reviewed = ReviewedHands((), {1: made}, {})
    opener.reviews._on_reviewed(1, reviewed)
    session.play_on(TakenUpHand(finals[0], 10, {}, {}, None, 1), STARTED)
    opener.reviews._on_reviewed(1, reviewed)
    assert [one.lesson.loss_bb for one in told if one.lesson is not None] == [9.0, 6.0]
