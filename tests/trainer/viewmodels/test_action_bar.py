"""What may be done, in words and amounts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.events import CALL, CHECK, FOLD, raise_to
from engine.game.observation import LegalActions
from tests.trainer.scripted_hands import Scribe
from trainer.session_types import Stage
from trainer.viewmodels.action_bar import ActionBarModel, action_bar_model


def facing_a_raise() -> ActionBarModel:
    """Blinds 10/20, the seat before you raises to 60: 60 to call into 90."""
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    legal = LegalActions(False, 60, min_raise_to=100, max_raise_to=2000)
    return action_bar_model(hand.your_turn(legal), in_big_blinds=False)


def checked_to() -> ActionBarModel:
    """A flop with 120 in the middle and nothing to call."""
    hand = Scribe(2, button=0).blinds().raise_to(0, 60).call(1).deal("Kh 7d 2c").check(1)
    return action_bar_model(hand.your_turn(), in_big_blinds=False)


def test_facing_a_raise() -> None:
    model = facing_a_raise()
    assert model.prompt == "Your turn: 60 to call, pot 90"
    assert (model.passive, model.passive_text, model.is_check_free) == (CALL, "Call 60", False)
    assert model.raise_text(240) == "Raise to 240"
    assert model.raise_text(2000) == "Raise to 2,000 (all-in)"
    assert not model.can_deal
    assert not model.can_skip


def test_nothing_to_call() -> None:
    model = checked_to()
    assert model.prompt == "Your turn: nothing to call, pot 120"
    assert (model.passive, model.passive_text, model.is_check_free) == (CHECK, "Check", True)
    assert model.raise_text(60) == "Bet 60"


def test_the_big_blinds_option_is_a_raise() -> None:
    hand = Scribe(2, button=1).blinds().call(1)
    model = action_bar_model(hand.your_turn(), in_big_blinds=True)
    assert model.is_check_free
    assert model.raise_text(60) == "Raise to 3 bb"


def test_presets_are_exact_shares_of_the_pot() -> None:
    """After calling 60 the pot is 150: a third on top is 110, half 135, two thirds 160, all of it 210."""
    amounts = [preset.amount for preset in facing_a_raise().presets]
    assert amounts == [110, 135, 160, 210, 2000]


def test_presets_that_are_not_legal_have_no_amount() -> None:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    view = hand.your_turn(LegalActions(False, 60, min_raise_to=120, max_raise_to=150))
    assert [preset.amount for preset in action_bar_model(view, False).presets] == [None, 135, None, None, 150]
    nothing = action_bar_model(hand.your_turn(LegalActions(False, 60, 0, 0)), False)
    assert [preset.amount for preset in nothing.presets] == [None] * 5
    assert not nothing.can_raise
    assert nothing.raise_text(0) == "Raise"


def test_a_call_of_all_chips_says_so() -> None:
    hand = Scribe(2, button=1, stacks=[500, 2000]).blinds().raise_to(1, 2000)
    model = action_bar_model(hand.your_turn(), in_big_blinds=True)
    assert model.passive_text == "Call 24 bb (all-in)"
    assert not model.can_raise


def test_steps_are_blinds_and_stay_legal() -> None:
    model = facing_a_raise()
    least, most = model.least, model.most
    assert (least, most) == (100, 2000)
    assert model.stepped(200, 1, is_fine=False) == 220
    assert model.stepped(200, -3, is_fine=True) == 170
    assert model.stepped(200, -50, is_fine=False) == least
    assert model.stepped(1990, 1, is_fine=False) == most


@given(st.integers(0, 3000))
def test_snapping_gives_round_amounts_or_a_bound(amount: int) -> None:
    model = facing_a_raise()
    snapped = model.snapped(amount)
    assert model.least <= snapped <= model.most
    assert snapped % 10 == 0 or snapped in (model.least, model.most)
    assert abs(snapped - model.clamp(amount)) <= 5


def test_folding_a_free_check_is_questioned() -> None:
    assert checked_to().question(FOLD, asks_when_big=False) == "Checking is free. Fold anyway?"
    assert facing_a_raise().question(FOLD, asks_when_big=True) == ""


@pytest.mark.parametrize(
    ("total", "question"),
    [(500, ""), (999, ""), (1000, "That is 1,000 of 2,000. Sure?"), (2000, "That is all your chips. Sure?")],
)
def test_half_of_the_chips_or_more_is_big(total: int, question: str) -> None:
    model = facing_a_raise()
    assert model.question(raise_to(total), asks_when_big=True) == question
    assert model.question(raise_to(total), asks_when_big=False) == ""


def test_a_check_and_a_small_call_are_never_questioned() -> None:
    assert checked_to().question(CHECK, asks_when_big=True) == ""
    assert facing_a_raise().question(CALL, asks_when_big=True) == ""


def test_chips_already_in_front_do_not_count_twice() -> None:
    """In the big blind with 1,000 in all: a raise to 500 costs 480 of 980, less than half."""
    hand = Scribe(2, button=1, stacks=[1000, 1000]).blinds().call(1)
    model = action_bar_model(hand.your_turn(), in_big_blinds=False)
    assert model.question(raise_to(500), asks_when_big=True) == ""
    assert model.question(raise_to(520), asks_when_big=True) == "That is 500 of 980. Sure?"


def test_waiting_for_others() -> None:
    hand = Scribe(3, button=0).blinds().raise_to(0, 60)
    model = action_bar_model(hand.thinking(1), in_big_blinds=False)
    assert (model.prompt, model.wait_text, model.can_skip) == ("Ada is thinking…", "Skip to your turn", True)
    assert model.decision is None
    folded = Scribe(3, button=0).blinds().fold(0)
    assert action_bar_model(folded.thinking(1), False).wait_text == "Skip to the end"


def test_the_news_between_turns() -> None:
    hand = Scribe(3, button=0).blinds().fold(0)
    assert action_bar_model(hand.view(Stage.SHOWING), False).prompt == "You fold"
    hand.fold(1).award(2, 0, 30).end()
    over = action_bar_model(hand.view(Stage.HAND_OVER), in_big_blinds=False)
    assert (over.prompt, over.wait_text) == ("Result: Ada −10, Boris +10", "Next hand")
    assert (over.can_deal, over.can_skip) == (True, False)


@pytest.mark.parametrize("stage", [Stage.WARMING_UP, Stage.SESSION_OVER])
def test_nothing_can_be_pressed_before_and_after(stage: Stage) -> None:
    model = action_bar_model(Scribe(2).blinds().view(stage), in_big_blinds=False)
    assert model.prompt
    assert (model.can_deal, model.can_skip, model.decision, model.wait_text) == (False, False, None, "")
