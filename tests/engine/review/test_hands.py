"""Hands reviewed in their order: what their player saw, and the same reviews however the work is shared out."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.learned.reader import LearnedReader
from engine.agents.styles import make_agent
from engine.cards import Street
from engine.game.events import Action, ActionTaken, HandEnded, HandStarted, Seat
from engine.game.format_file import built_in
from engine.game.formats import SeatConfig
from engine.game.observation import Observation
from engine.play import Dealer
from engine.review.hands import HandReview, decisions_of, review_hands

STYLES = ("loose-aggressive", "calling station", "maniac", "nit")


def played(hands: int, seed: int = 5) -> tuple[list[Observation], list[list[tuple[Observation, Action]]]]:
    """Play hands of styles by rules; return them as seat 0 saw them, and its decisions as they were made."""
    seats = tuple(SeatConfig(f"P{at}", style) for at, style in enumerate(STYLES))
    config = replace(built_in("cash").game(seats, seed=seed), does_reset_stacks=True)
    dealer = Dealer(config, {Seat(at): make_agent(style) for at, style in enumerate(STYLES)})
    finals, decisions = [], []
    for _ in range(hands):
        dealer.start_hand()
        made = []
        while (seat := dealer.to_act) is not None:
            decision = dealer.decide()
            if seat == 0:
                made.append((dealer.observe(seat), decision.action))
            dealer.apply(decision.action, decision)
        finals.append(dealer.observe(Seat(0)))
        decisions.append(made)
    return finals, decisions


def named(finals: Sequence[Observation]) -> list[tuple[str, Observation]]:
    return [(str(at), final) for at, final in enumerate(finals)]


def test_decisions_are_what_the_player_saw_at_the_table() -> None:
    finals, decisions = played(60)
    assert [list(decisions_of(final)) for final in finals] == decisions
    assert sum(map(len, decisions)) > 60


@pytest.fixture(scope="module")
def reviews() -> list[HandReview]:
    return list(review_hands(named(played(6)[0]), seed=3))


@pytest.mark.slow
def test_every_decision_is_reviewed(reviews: list[HandReview]) -> None:
    finals, decisions = played(6)
    assert [len(review.decisions) for review in reviews] == [len(made) for made in decisions]
    for review, final, made in zip(reviews, finals, decisions, strict=True):
        for decision, (seen, action) in zip(review.decisions, made, strict=True):
            assert decision.event_count == len(seen.events)
            assert decision.action == action
            assert decision.pot_bb == seen.pot / seen.big_blind
            assert decision.spot.street is seen.street
        start, ended = final.events[0], final.events[-1]
        assert isinstance(start, HandStarted)
        assert isinstance(ended, HandEnded)
        assert review.net_bb * final.big_blind == pytest.approx(ended.stacks[0] - start.seats[0].stack)
    assert [review.learned for review in reviews] == list(range(6))


@pytest.mark.slow
def test_how_the_work_is_shared_out_changes_nothing(reviews: list[HandReview]) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert list(review_hands(named(played(6)[0]), seed=3, executor=executor)) == reviews


@pytest.mark.slow
def test_what_was_learned_before_decides(reviews: list[HandReview]) -> None:
    finals, _ = played(30)
    before = LearnedReader()
    for final in finals:
        before.learn(final.events, final.seat)
    (known, *_) = review_hands(named(finals[:1]), seed=3, known=before.known_players())
    assert known.decisions[0].values.responses
    assert known != reviews[0]


@pytest.mark.slow
def test_hands_are_settled_at_the_last_decision(reviews: list[HandReview]) -> None:
    finals, decisions = played(6)
    for review, final, made in zip(reviews, finals, decisions, strict=True):
        if not made:
            assert review.settled_bb == review.net_bb
        elif final.me.is_folded:
            assert review.settled_bb == pytest.approx(review.net_bb)


@pytest.mark.slow
def test_the_luck_of_a_run_out_is_taken_out_and_of_nothing_else() -> None:
    finals, _ = played(120, seed=8)
    found = []
    for final in finals:
        last = next(event.street for event in reversed(final.events) if isinstance(event, ActionTaken))
        if last is Street.RIVER or len(final.board) < 5:
            continue
        found.append(final)
    assert found
    (review,) = review_hands([("run out", found[0])], seed=1)
    (still, *_) = review_hands([("no run-out", next(f for f in finals if len(f.board) < 3))], seed=1)
    assert still.all_in_bb == still.net_bb
    if found[0].me.is_folded:
        assert review.all_in_bb == review.net_bb
    else:
        assert review.all_in_bb != review.net_bb
    assert np.isfinite(review.all_in_bb)
