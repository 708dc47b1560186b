"""The tables against the reader itself."""

import msgspec
import numpy as np
import pytest

from engine.agents.fold.parameters import Parameters, default_parameters, tuned_numbers, with_numbers
from engine.agents.fold.predict import PaperReader
from engine.agents.fold.understand import understand
from engine.cards import Street, combo_of, unblocked
from engine.game.phh import RecordedHand
from engine.lab.paper_points import TuningPoints, collapsed, collect, losses, part_of
from engine.lab.reading import decision_points
from tests.engine.lab.recorded import random_hand

HANDS = [random_hand(seed, seats) for seed, seats in enumerate((6, 6, 6, 3, 2, 6, 2, 4, 6, 6))]


def variants() -> list[Parameters]:
    default = default_parameters()
    tuned = with_numbers(default, tuned_numbers())
    half = msgspec.structs.replace(default.behaviour, call_reaches_top=True, multiway=0.5, theta_preflop=7.0)
    return [default, tuned, msgspec.structs.replace(default, behaviour=half)]


def losses_of_reader(parameters: Parameters, hands: list[RecordedHand]) -> np.ndarray:
    reader = PaperReader(parameters)
    return np.array(
        [
            -np.log(
                reader.predict(point.observation, point.target).posterior[combo_of(*hand.hole_cards[point.target])]
            )
            for hand in hands
            for point in decision_points(hand)
            if point.is_live
        ]
    )


@pytest.mark.parametrize("number", range(3))
def test_losses_are_those_of_the_reader(number: int) -> None:
    parameters = variants()[number]
    points = collect(HANDS, parameters)
    found, expected = losses(points, parameters.behaviour), losses_of_reader(parameters, HANDS)
    assert set(points.streets) == {0, 1, 2, 3}
    # Before the flop nothing is rounded but to float32; later P_win is, to a thousandth.
    opening = points.streets == 0
    assert np.allclose(found[opening], expected[opening], atol=1e-4)
    # A truth within a thousandth of a cut point may fall on its other side: rare, and then the loss differs more.
    assert np.median(np.abs(found - expected)) < 0.01
    assert np.mean(np.abs(found - expected) < 0.05) > 0.9
    assert found.mean() == pytest.approx(expected.mean(), abs=0.03)


def test_points_are_the_live_ones_in_order_with_what_their_observers_see() -> None:
    points = collect(HANDS, default_parameters())
    seen = [
        (number, point) for number, hand in enumerate(HANDS) for point in decision_points(hand) if point.is_live
    ]
    assert points.hands.tolist() == [number for number, _ in seen]
    assert points.streets.tolist() == [int(point.street) for _, point in seen]
    for live, (_, point) in zip(points.live, seen, strict=True):
        assert (live == unblocked((*point.observation.board, *point.observation.hole_cards))).all()
    assert points.live[np.arange(len(points.truths)), points.truths].all()


def test_the_most_aggressive_action_stands_for_its_street_as_in_the_reader() -> None:
    reader = PaperReader(default_parameters())
    for hand in HANDS:
        *_, last = decision_points(hand)
        actions = [done for done in understand(hand.events) if done.seat == last.target]
        updates = reader.predict(last.observation, last.target).updates
        replaced = {update.replaces for update in updates}
        counted = [
            index
            for index, update in enumerate(updates)
            if index not in replaced
            and update.figures[0].name not in ("already counted in this street", "folded a free check")
        ]
        assert sorted(collapsed(actions).values()) == counted


def test_some_of_the_points_have_some_of_the_losses() -> None:
    parameters = default_parameters()
    points = collect(HANDS, parameters)
    river = points.streets == Street.RIVER
    assert np.allclose(
        losses(part_of(points, river), parameters.behaviour), losses(points, parameters.behaviour)[river]
    )


def test_no_hands_have_no_points() -> None:
    points: TuningPoints = collect([], default_parameters())
    assert losses(points, default_parameters().behaviour).shape == (0,)
