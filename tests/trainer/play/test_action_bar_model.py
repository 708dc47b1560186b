"""What may be done, in words and amounts."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.game.observation import LegalActions
from tests.trainer.scripted_hands import Scribe
from trainer.play.action_bar_model import ActionBarModel, Answer, Offer, Waiting, offer_of
from trainer.session.amounts import AmountTextError
from trainer.session.types import Stage
from trainer.settings import DEFAULT_KEYS


def facing_a_raise() -> Offer:
    """Blinds 10/20, the seat before you raises to 60: 60 to call into 90."""
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    legal = LegalActions(False, 60, min_raise_to=100, max_raise_to=2000)
    return offer_of(hand.your_turn(legal), in_big_blinds=False)


def checked_to() -> Offer:
    """A flop with 120 in the middle and nothing to call."""
    hand = Scribe(2, button=0).blinds().raise_to(0, 60).call(1).deal("Kh 7d 2c").check(1)
    return offer_of(hand.your_turn(), in_big_blinds=False)


def test_facing_a_raise() -> None:
    model = facing_a_raise()
    assert model.prompt == "Your turn: 60 to call, pot 90"
    assert (model.passive, model.passive_text, model.is_check_free) == (CALL, "Call 60", False)
    assert model.raise_text(240) == "Raise to 240"
    assert model.raise_text(2000) == "Raise to 2,000 (all-in)"
    assert not model.waiting


def test_nothing_to_call() -> None:
    model = checked_to()
    assert model.prompt == "Your turn: nothing to call, pot 120"
    assert (model.passive, model.passive_text, model.is_check_free) == (CHECK, "Check", True)
    assert model.raise_text(60) == "Bet 60"


def test_the_big_blinds_option_is_a_raise() -> None:
    hand = Scribe(2, button=1).blinds().call(1)
    model = offer_of(hand.your_turn(), in_big_blinds=True)
    assert model.is_check_free
    assert model.raise_text(60) == "Raise to 3 bb"


def test_presets_are_exact_shares_of_the_pot() -> None:
    """After calling 60 the pot is 150: a third on top is 110, half 135, two thirds 160, all of it 210."""
    amounts = [preset.amount for preset in facing_a_raise().presets]
    assert amounts == [110, 135, 160, 210, 2000]


def test_presets_that_are_not_legal_have_no_amount() -> None:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    view = hand.your_turn(LegalActions(False, 60, min_raise_to=120, max_raise_to=150))
    assert [preset.amount for preset in offer_of(view, False).presets] == [None, 135, None, None, 150]
    nothing = offer_of(hand.your_turn(LegalActions(False, 60, 0, 0)), False)
    assert [preset.amount for preset in nothing.presets] == [None] * 5
    assert not nothing.can_raise
    assert nothing.raise_text(0) == "Raise"


def test_a_call_of_all_chips_says_so() -> None:
    hand = Scribe(2, button=1, stacks=[500, 2000]).blinds().raise_to(1, 2000)
    model = offer_of(hand.your_turn(), in_big_blinds=True)
    assert model.passive_text == "Call 24 bb (all-in)"
    assert not model.can_raise


def test_an_amount_as_the_button_has_it_is_the_buttons() -> None:
    """In big blinds bounds are rounded: 108.85 is written 108.9, which typed would be a chip too much."""
    hand = Scribe(4, button=0, stacks=[20_000] * 4).blinds().raise_to(3, 60)
    offer = offer_of(hand.your_turn(LegalActions(False, 60, min_raise_to=1345, max_raise_to=2177)), True)
    assert (offer.units.text(offer.least), offer.units.text(offer.most)) == ("67.3 bb", "108.9 bb")
    assert (offer.read_amount("67.3"), offer.read_amount("108.9 bb")) == (1345, 2177)
    with pytest.raises(AmountTextError, match=r"^67.2 bb is too little: the least is 67.3 bb"):
        offer.read_amount("67.2")
    chips = offer_of(hand.your_turn(LegalActions(False, 60, min_raise_to=1345, max_raise_to=2177)), False)
    assert chips.read_amount("1346") == 1346


def test_an_amount_finer_than_it_is_shown_is_bet_as_it_was_typed() -> None:
    """Of 20 big blinds, 19.96 leave some chips behind, though they are shown as 20."""
    hand = Scribe(2, button=0, stacks=[20_000] * 2, small_blind=500, big_blind=1000).blinds()
    offer = offer_of(hand.your_turn(LegalActions(False, 500, min_raise_to=18_482, max_raise_to=20_000)), True)
    typed = {text: offer.read_amount(text) for text in ("19.96", "18.542", "18.5", "18.48", "20.04", "20")}
    assert list(typed.values()) == [19_960, 18_542, 18_482, 18_482, 20_000, 20_000]


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
    assert checked_to().question(FOLD, asks_when_big=False) == "Checking is free."
    assert facing_a_raise().question(FOLD, asks_when_big=True) == ""


@pytest.mark.parametrize(
    ("total", "question"),
    [(500, ""), (999, ""), (1000, "1,000 of your 2,000."), (2000, "All your chips.")],
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
    model = offer_of(hand.your_turn(), in_big_blinds=False)
    assert model.question(raise_to(500), asks_when_big=True) == ""
    assert model.question(raise_to(520), asks_when_big=True) == "500 of your 980."


def test_waiting_for_others() -> None:
    hand = Scribe(3, button=0).blinds().raise_to(0, 60)
    model = offer_of(hand.thinking(1), in_big_blinds=False)
    assert (model.prompt, model.waiting) == ("Ada is thinking…", (Waiting.SKIP_TO_TURN,))
    assert model.decision is None
    folded = Scribe(3, button=0).blinds().fold(0)
    assert offer_of(folded.thinking(1), False).waiting == (Waiting.SKIP_TO_END,)
    won = Scribe(3).blinds().raise_to(0, 60).fold(1, 2)
    assert offer_of(won.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_END,), "no turn will come"
    called = Scribe(2, button=0, stacks=[2000, 500]).blinds().raise_to(0, 2000).call(1).give_back(0, 1500)
    assert offer_of(called.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_END,), "nobody can bet"
    shown = Scribe(2, button=0).blinds().call(0).check(1).deal("KsTs2d").deal("3d").deal("4d").check(1, 0)
    assert offer_of(shown.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_TURN,)
    shown.show(1, "AhAd")
    assert offer_of(shown.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_END,), "the betting is over"
    shoved = Scribe(3, button=1, stacks=[2000, 500, 2000]).blinds().raise_to(1, 500)
    assert offer_of(shoved.thinking(2), False).waiting == (Waiting.SKIP_TO_TURN,), "a call is to decide"


def test_who_covers_an_all_in_has_a_turn_until_they_have_called_it() -> None:
    hand = Scribe(2, button=0, stacks=[2000, 300]).blinds().raise_to(0, 60).raise_to(1, 300)
    assert offer_of(hand.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_TURN,)
    hand.call(0)
    assert offer_of(hand.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_END,)
    hand.show(1, "As Ah").deal("Kh 7d 2c")
    assert offer_of(hand.view(Stage.SHOWING), False).waiting == (Waiting.SKIP_TO_END,)


def test_the_news_between_turns() -> None:
    hand = Scribe(3, button=0).blinds().fold(0)
    assert offer_of(hand.view(Stage.SHOWING), False).prompt == "You fold"
    hand.fold(1).award(2, 0, 30).end()
    over = offer_of(hand.view(Stage.HAND_OVER), in_big_blinds=False)
    assert (over.prompt, over.waiting) == ("Result: Ada −10, Boris +10", (Waiting.DEAL,))


def test_nothing_can_be_pressed_before_the_first_hand() -> None:
    model = offer_of(Scribe(2).blinds().view(Stage.WARMING_UP), in_big_blinds=False)
    assert model.prompt
    assert (model.decision, model.waiting) == (None, ())


def test_after_the_session_its_end_is_told_and_a_new_game_offered() -> None:
    view = replace(Scribe(2).blinds().view(Stage.SESSION_OVER), ending="You lost your last chips.")
    model = offer_of(view, in_big_blinds=False)
    assert (model.prompt, model.decision) == ("You lost your last chips.", None)
    assert model.waiting == (Waiting.NEW_GAME, Waiting.RESULTS)


def test_who_is_out_of_chips_can_buy_in_again_or_end() -> None:
    hand = Scribe(3, button=0).blinds().fold(0).fold(1).award(2, 0, 30).end()
    model = offer_of(replace(hand.view(Stage.HAND_OVER), can_rebuy=True), in_big_blinds=False)
    assert "out of chips" in model.prompt
    assert model.waiting == (Waiting.BUY_IN, Waiting.FINISH)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (CALL, "C again or Enter calls, Esc takes it back."),
        (raise_to(1500), "C again or Enter raises, Esc takes it back."),
        (raise_to(2000), "C again or Enter goes all-in, Esc takes it back."),
        (FOLD, "C again or Enter folds anyway, Esc takes it back."),
    ],
)
def test_how_to_insist_is_told(action: Action, sentence: str) -> None:
    assert facing_a_raise().confirmation(action, "C") == sentence


@given(st.text(alphabet="0123456789.,bB- x", max_size=12), st.booleans())
def test_typed_text_is_a_legal_amount_or_refused(text: str, in_big_blinds: bool) -> None:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    model = offer_of(hand.your_turn(LegalActions(False, 60, 100, 2000)), in_big_blinds)
    try:
        amount = model.read_amount(text)
    except AmountTextError:
        return
    assert 100 <= amount <= 2000


def bar_facing_a_raise(clock: Callable[[], float] = lambda: 0.0) -> ActionBarModel:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    bar = ActionBarModel(clock)
    assert bar.show_view(hand.your_turn(LegalActions(False, 60, min_raise_to=100, max_raise_to=2000)))
    return bar


def test_a_big_bet_is_taken_at_the_second_thought_only() -> None:
    now = [0.0]
    bar = bar_facing_a_raise(lambda: now[0])
    bar.asks_when_big = True
    assert bar.choose(raise_to(2000)) is Answer.ASKED
    assert bar.warning(DEFAULT_KEYS).startswith("All your chips. R again")
    now[0] = 0.1
    assert bar.choose(raise_to(2000)) is Answer.IGNORED, "a double press"
    now[0] = 1.0
    assert bar.choose(raise_to(2000)) is Answer.TAKEN
    assert bar.choose(CALL) is Answer.IGNORED, "the table has not answered yet"


def test_another_amount_or_action_is_no_second_thought() -> None:
    bar = bar_facing_a_raise()
    bar.asks_when_big = True
    assert bar.choose(raise_to(2000)) is Answer.ASKED
    assert bar.set_amount(300)
    assert bar.armed is None
    assert bar.choose(CALL) is Answer.TAKEN


def test_what_is_typed_is_bet_refused_or_taken_back() -> None:
    bar = bar_facing_a_raise()
    bar.begin_typing()
    bar.type_amount("240")
    assert (bar.amount, bar.refusal) == (240, "")
    bar.type_amount("24")
    assert bar.amount == 240
    assert bar.warning(DEFAULT_KEYS) == "24 is too little: the least is 100."
    bar.take_typing_back()
    assert (bar.amount, bar.refusal) == (100, "")


def test_while_the_buttons_change_nothing_is_chosen() -> None:
    bar = bar_facing_a_raise()
    bar.is_guarded = True
    assert bar.choose(CALL) is Answer.IGNORED
    bar.is_guarded = False
    assert bar.choose(CALL) is Answer.TAKEN


def test_a_raise_to_twice_the_bet_is_the_only_one_and_no_all_in() -> None:
    view = Scribe(3, button=0).blinds().your_turn(LegalActions(False, 20, 40, 40))
    offer = offer_of(view, in_big_blinds=False)
    assert offer.raise_text(40) == "Raise to 40"
    assert {preset.amount for preset in offer.presets} == {None}
    assert offer.question(raise_to(40), asks_when_big=True) == ""
    for text, sentence in (
        ("41", "41 is too much: a raise is to 40."),
        ("39", "39 is too little: the least is 40."),
    ):
        with pytest.raises(AmountTextError) as refused:
            offer.read_amount(text)
        assert str(refused.value) == sentence
