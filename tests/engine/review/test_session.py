"""What reviews come to: sums without picking, key moments, and leaks that are clear of noise and of many looks."""

import numpy as np
import pytest

from engine.cards import Card, Street
from engine.figures.mean import LEAST_HANDS
from engine.review.decision import Grade, ReviewedDecision
from engine.review.hands import HandReview
from engine.review.session import session_review
from engine.review.spots import Spot
from tests.engine.review.decisions import FLOP, decided

TURN = Spot(Street.TURN, "BTN", "no bet", "3-bet", "over 120 bb deep")
DEAL = Spot(Street.PREFLOP, "UTG", "nobody in", "", "50-120 bb deep")


def decision(loss_bb: float, spot: Spot = FLOP, stderr: float = 0.1) -> ReviewedDecision:
    return decided(loss_bb, stderr, spot=spot)


def hand(*decisions: ReviewedDecision, net_bb: float = 0.0) -> HandReview:
    return HandReview(
        name=f"{net_bb:g}",
        learned=0,
        hole_cards=(Card(51), Card(50)),
        board=(),
        net_bb=net_bb,
        all_in_bb=net_bb / 2,
        settled_bb=0.0,
        decisions=decisions,
    )


def test_sums_are_of_all_decisions_also_of_those_within_noise() -> None:
    losses = [3.0, -0.2, 0.1, 0.8]
    hands = [
        hand(decision(losses[0]), decision(losses[1]), net_bb=4),
        hand(decision(losses[2]), decision(losses[3])),
    ]
    session = session_review(hands)
    assert (session.hands, session.decisions) == (2, 4)
    assert session.loss.value == pytest.approx(100 * sum(losses) / 2)
    assert session.loss.stderr == pytest.approx(100 * np.std([2.8, 0.9], ddof=1) / 2**0.5)
    assert (session.net.value, session.all_in_adjusted.value, session.at_last_decisions.value) == (200, 100, 0)
    assert session.grades == {Grade.BEST: 0, Grade.FINE: 2, Grade.INACCURACY: 1, Grade.MISTAKE: 1, Grade.BLUNDER: 0}
    assert session.accuracy == 0.5
    assert [moment.decision.loss_bb for moment in session.moments] == [3.0, 0.8]
    assert session.moments[0].hand == "4"


def test_no_more_than_five_moments_are_key() -> None:
    session = session_review([hand(decision(1.0 + at)) for at in range(9)])
    assert [moment.decision.loss_bb for moment in session.moments] == [9, 8, 7, 6, 5]


def test_no_hands_come_to_nothing() -> None:
    session = session_review([])
    assert (session.hands, session.accuracy, session.loss.stderr, session.leaks) == (0, None, None, ())


def test_what_costs_every_time_is_a_leak() -> None:
    random = np.random.default_rng(1)
    noise = random.normal(0, 0.2, 200).tolist()
    hands = [hand(decision(0.0 + more, DEAL), decision(1.0 + more, TURN)) for more in noise]
    leaks = session_review(hands).leaks
    assert leaks
    assert {part for leak in leaks for part in leak.spot} <= set(sum(TURN.kinds, ()))
    for leak in leaks:
        assert leak.decisions == 200
        assert 170 < leak.bad <= 200
        assert leak.loss_bb - leak.clear * leak.stderr > 0.5
        assert leak.bb_per_100 == pytest.approx(100 * leak.loss_bb)
    # All of those decisions are one leak, by whatever name.
    assert len(leaks) == 1


def test_noise_is_hardly_ever_a_leak() -> None:
    random, found = np.random.default_rng(2), 0
    for _ in range(200):
        spots = random.choice(3, 60).tolist()
        hands = [hand(decision(random.normal(), (FLOP, TURN, DEAL)[spot])) for spot in spots]
        found += bool(session_review(hands).leaks)
    # Of both sides together 5% are outside, so 2.5% on this one; each look alone would be 2.5%, twenty of them 30%.
    assert found <= 12


def test_noise_in_many_rare_kinds_is_hardly_ever_a_leak() -> None:
    kinds = [
        Spot(street, position, facing, "raised", "50-120 bb deep")
        for street in (Street.FLOP, Street.TURN, Street.RIVER)
        for position in ("BTN", "CO", "HJ", "LJ", "UTG", "SB", "BB")
        for facing in ("no bet", "a bet", "a raise")
    ]
    random, found = np.random.default_rng(3), 0
    for _ in range(20):
        hands = [hand(decision(random.normal(), spot)) for spot in kinds for _ in range(LEAST_HANDS)]
        found += bool(session_review(hands).leaks)
    # A half is expected at most: 3 or more of them would be one in eighty.
    assert found <= 2


def test_a_kind_of_few_hands_is_no_leak() -> None:
    def rare(count: int) -> list[HandReview]:
        return [hand(decision(2.0 + 0.01 * at, TURN)) for at in range(count)]

    others = [hand(decision(0.0, DEAL)) for _ in range(50)]
    assert not session_review([*others, *rare(LEAST_HANDS - 1)]).leaks
    assert session_review([*others, *rare(LEAST_HANDS)]).leaks
