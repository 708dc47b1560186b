"""Hands reviewed in their order: what their player saw, and the same reviews however the work is shared out."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.learned.reader import LearnedReader
from engine.agents.styles import make_agent
from engine.cards import Street
from engine.figures.seat_hands import seat_hands
from engine.game.events import (
    Action,
    ActionKind,
    ActionTaken,
    HoleCardsMucked,
    HoleCardsShown,
    Seat,
    end_of,
    start_of,
)
from engine.game.format_file import built_in
from engine.game.formats import SeatConfig
from engine.game.observation import Observation
from engine.play import Dealer
from engine.review.hands import HandReview, Reviewer, decisions_of, learn_hand, review_hands
from engine.review.session import session_review
from engine.review.words import rate_words

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
        assert review.net_bb * final.big_blind == pytest.approx(
            end_of(final.events).stacks[0] - start_of(final.events).seats[0].stack
        )
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
    known = Reviewer(3, before.known_players()).next("0", finals[0])()
    assert known.decisions[0].values.responses
    assert known != reviews[0]
    assert Reviewer(3).next("0", finals[0])() == reviews[0]


@pytest.mark.slow
def test_hands_are_settled_at_the_last_decision(reviews: list[HandReview]) -> None:
    finals, decisions = played(6)
    for review, final, made in zip(reviews, finals, decisions, strict=True):
        if not made:
            assert review.settled_bb == review.net_bb
        elif final.me.is_folded:
            assert review.settled_bb == pytest.approx(review.net_bb)


def run_out(hand: Observation) -> bool:
    """Tell whether the player was in when the board was dealt without further actions."""
    last = next(event.street for event in reversed(hand.events) if isinstance(event, ActionTaken))
    return last is not Street.RIVER and len(hand.board) == 5 and not hand.me.is_folded


@pytest.mark.slow
def test_all_in_adjusted_is_what_figures_call_so() -> None:
    """Of the cards that were shown, as the player knows them in the end."""
    finals, _ = played(120, seed=8)
    hands = [*filter(run_out, finals)][:2] + [final for final in finals if len(final.board) < 3][:2]
    adjusted = []
    for hand, review in zip(hands, review_hands(named(hands), seed=1), strict=True):
        shown = {event.seat: event.hole_cards for event in hand.events if isinstance(event, HoleCardsShown)}
        cards = [(shown | {hand.seat: hand.hole_cards}).get(view.seat) for view in hand.seats]
        rows = seat_hands(hand.events, cards)
        (row,) = rows[rows["seat"] == hand.seat]
        assert review.all_in_bb == pytest.approx(row["all_in_bb"])
        adjusted.append(review.all_in_bb != review.net_bb)
    assert adjusted == [True, True, False, False]


@pytest.mark.slow
def test_luck_that_the_cards_shown_do_not_tell_is_not_known() -> None:
    finals, _ = played(120, seed=8)
    hand = next(filter(run_out, finals))
    mucked = tuple(
        HoleCardsMucked(event.seat) if isinstance(event, HoleCardsShown) and event.seat != hand.seat else event
        for event in hand.events
    )
    (review,) = review_hands([("1", replace(hand, events=mucked))], seed=1)
    assert np.isnan(review.all_in_bb)
    assert review.net_bb == next(review_hands([("1", hand)], seed=1)).net_bb
    assert rate_words(session_review([review] * 40).all_in_adjusted).startswith("not known")


def test_every_bet_that_one_could_answer_is_learned_from_with_its_hand() -> None:
    """By each opponent, as many as the player made against them alone after the flop; and of the hand all else."""
    finals, decisions = played(200, seed=6)
    reader, plain = LearnedReader(), LearnedReader()
    bets, last = dict[str, int](), dict[str, Observation]()
    for final, made in zip(finals, decisions, strict=True):
        learn_hand(reader, final)
        plain.learn(final.events, final.seat)
        for seen, action in made:
            alone = seen.opponents[0] if len(seen.opponents) == 1 else None
            if alone is not None and seen.board and not alone.is_all_in:
                last[alone.name] = seen
                bets[alone.name] = bets.get(alone.name, 0) + (action.kind is ActionKind.RAISE)
    found = {name: reader.folds_to_bets(seen, reader.read(seen))[0].count for name, seen in last.items()}
    assert sum(bets.values()) > 5
    for name in bets:
        assert bets[name] - 1 <= found[name] <= bets[name], "one that a calling station never folds to is left out"
        assert np.array_equal(reader.counts(name), plain.counts(name))
        assert np.array_equal(reader.factors(name), plain.factors(name))
