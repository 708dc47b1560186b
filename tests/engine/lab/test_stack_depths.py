"""Heads-up hands with shorter stacks, and push or fold, against what is known of that game."""

import numpy as np
import pytest

from engine.agents.learned.situations import PREFLOP_FEATURES, ActionChoice, situations
from engine.cards import COMBO_CLASS, class_name, parse_cards
from engine.game.events import ActionTaken, start_of
from engine.game.phh import RecordedHand
from engine.lab.stack_depths import at_depth, push_or_fold, pushed_hands, shallower, share_pushed
from tests.engine.agents.hands import deal, play

DEEP = (20_000, 20_000)
CARDS = (parse_cards("AhKh"), parse_cards("QsQd"))


def recorded(words: str) -> RecordedHand:
    table = play(deal(DEEP, hole_cards={0: "AhKh", 1: "QsQd"}, board="Ks7d2h4c9s"), words)
    return RecordedHand("one", ("Ann", "Bob"), CARDS, table.events)


def choices(hand: RecordedHand) -> list[ActionChoice]:
    return [situation.choice for situation in situations(hand.events)]


def test_with_enough_chips_a_hand_goes_on_as_it_did() -> None:
    hand = recorded("250 c | x 300 c | x x | x x")
    shorter = at_depth(hand, 10_000)
    assert choices(shorter) == choices(hand)
    for before, after in zip(situations(hand.events), situations(shorter.events), strict=True):
        assert after.board == before.board
        assert (after.features != before.features).any()
    as_played = play(deal((10_000,) * 2, hole_cards={0: "AhKh", 1: "QsQd"}, board="Ks7d2h4c9s"), "250 c | x 300 c")
    for ours, played in zip(situations(shorter.events), situations(as_played.events), strict=False):
        assert (ours.features == played.features).all()
        assert (ours.possible == played.possible).all()


def test_a_raise_of_half_the_chips_is_all_in_and_the_last_that_is_known() -> None:
    shorter = at_depth(recorded("250 900 c | 1000 c | x x | x x"), 1_500)
    *_, last = shorter.events
    assert isinstance(last, ActionTaken)
    assert last.is_all_in
    assert last.action.raise_to == 1_500
    assert last.amount == 1_400
    assert choices(shorter)[-1] is ActionChoice.ALL_IN


@pytest.mark.parametrize(("stack", "known"), [(20_000, 7), (4_000, 4), (2_400, 3), (2_000, 2)])
def test_a_hand_is_followed_while_the_chips_behind_hardly_matter(stack: int, known: int) -> None:
    """With 40 bb a bet leaves 31 against 28, with 24 a flop 15 against 18; with 20 the call is of 6.5 in 17.5."""
    hand = recorded("250 900 c | 1000 c | x x")
    assert choices(at_depth(hand, stack)) == choices(hand)[:known]


def test_shorter_stacks_lie_between_eight_and_those_recorded() -> None:
    generator = np.random.default_rng(1)
    found = [shallower(recorded("250 f"), generator) for _ in range(300)]
    stacks = []
    for hand in filter(None, found):
        started = start_of(hand.events)
        assert started.seats[0].stack == started.seats[1].stack
        stacks.append(started.seats[0].stack)
    assert 800 < min(stacks) < 3_000
    assert 15_000 < max(stacks) <= 20_000
    assert None in found
    assert [share_pushed(depth) for depth in (5, 8, 16.5, 25, 100)] == [1, 1, 0.5, 0, 0]


def test_who_pushes_is_as_published() -> None:
    """In equilibrium 58% are pushed and 37% called at 10 bb (Chen and Ankenman 2006, ch. 13); logit is near it."""
    found, sizes = push_or_fold(10), np.bincount(COMBO_CLASS) / 1326
    assert found.push @ sizes == pytest.approx(0.58, abs=0.05)
    assert found.call @ sizes == pytest.approx(0.37, abs=0.05)
    class_of = {class_name(hand_class): hand_class for hand_class in range(169)}
    assert min(found.push[class_of[name]] for name in ("AA", "77", "A2s", "KTo")) > 0.95
    assert found.push[class_of["72o"]] < 0.1
    assert found.call[class_of["AKo"]] > 0.99
    assert found.call[class_of["72o"]] < 0.01
    assert push_or_fold(4).push @ sizes > push_or_fold(15).push @ sizes


def test_hands_of_push_or_fold_are_hands() -> None:
    hands = list(pushed_hands(60, np.random.default_rng(2)))
    assert len(hands) == 60
    for hand in hands:
        button, *answer = situations(hand.events)
        assert button.choice in (ActionChoice.ALL_IN, ActionChoice.FOLD)
        assert [one.choice for one in answer] in ([], [ActionChoice.CALL], [ActionChoice.FOLD])
        assert bool(answer) == (button.choice is ActionChoice.ALL_IN)
    effective = PREFLOP_FEATURES.index("effective stack below 15 bb")
    assert np.mean([situations(hand.events)[0].features[effective] for hand in hands]) > 0.5
