import re
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec import structs

from engine.agents.agent import CALLING_DOWN, ActionValue, Answer, GoingOn, Responses, Trace, Values
from engine.agents.explain import chips_text, explain
from engine.agents.learned.situations import situations
from engine.agents.learned.tilts import CONTEXTS, context_of
from engine.agents.soulread import agent as soulread
from engine.agents.soulread.play import actions_of
from engine.agents.value_reasons import (
    advice,
    advised,
    answer_texts,
    conclusion,
    counted_words,
    doing,
    percents,
    reasons,
    size_text,
)
from engine.codec import decode, encode
from engine.game.events import CALL, CHECK, FOLD, Action, ActionKind, raise_to
from engine.game.observation import Observation
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.stored import evidence_of


def flop(words: str = "250 f c | x", name: str = "Cid") -> Observation:
    """Give a flop: the pot is 550, the big blind has checked and the button decides."""
    table = deal((10_000,) * 3, hole_cards={0: "QcJc"}, board="Ks7s2d4c9h", names=("Hero", "Ann", name))
    return turn_of(play(table, words))


def value(action: Action, chips: float, behind: float, error: float = 10.0, **numbers: float) -> ActionValue:
    given = {"all_fold": 0.0, "later": 0.5, "usual": 0.4, "guard": 0.0} | numbers
    equity = given.pop("called_equity", 0.44)
    return ActionValue(
        action=action,
        value=chips,
        stderr=15.0,
        behind=behind,
        behind_stderr=0.0 if behind == 0 else error,
        called_equity=None if action == FOLD else equity,
        samples=512,
        **given,
    )


def told(values: Values, action: Action, observation: Observation) -> list[str]:
    return [reason.text for reason in reasons(values, action, observation, chips_text)]


def test_a_bet_is_compared_with_checking_and_says_what_it_lives_on() -> None:
    values = Values((value(CHECK, 110, 190), value(raise_to(367), 300, 0, all_fold=0.48)), 512)
    assert told(values, raise_to(367), flop()) == [
        "Betting 2/3 pot (367) wins 190 more than checking: Cid folds 48% of the time, "
        "and when called 44% of the pot is ours at a showdown."
    ]
    assert conclusion(values, raise_to(367), flop()).text == "Of all actions it is worth the most"
    assert told(values, raise_to(367), flop(name="You"))[0].count("you fold 48% of the time") == 1


def test_risk_in_a_tournament_is_said_where_it_decides() -> None:
    bet = value(raise_to(550), 400, 0, risk=250.0, guard=20.0)
    values = Values((value(CHECK, 280, 120, 15, risk=10.0, guard=20.0), bet), 512)
    assert told(values, CHECK, flop())[-1] == (
        "Betting pot (550) is worth 120 more, but in a tournament its risk counts 250 against it, "
        "and 10 against checking."
    )
    assert conclusion(values, CHECK, flop()).text == "With its risk counted it is worth the most"
    assert advised(values).action == CHECK
    assert advice(values, flop(), chips_text).count("its risk counts 250 against it") == 1


def test_advice_does_not_say_twice_what_is_worth_more() -> None:
    bet = value(raise_to(550), 400, 0, risk=250.0, guard=80.0, usual=1 / 200)
    assert advice(Values((value(CHECK, 280, 120), bet), 512), flop(), chips_text) == (
        "Checking is worth 280 ± 20. Betting pot (550) is worth 120 more, but few would do it with such a hand "
        "(1 in 200): that counts 80 against it. Besides, in a tournament its risk counts 250 against it."
    )


def test_a_difference_within_its_error_is_none() -> None:
    values = Values((value(CHECK, 280, 20, 15), value(raise_to(550), 300, 0)), 512)
    (text,) = told(values, raise_to(550), flop())
    assert text.startswith("Betting pot (550) is worth about as much as checking: ")
    assert conclusion(values, raise_to(550), flop()).text == "No other is clearly worth more"
    assert "within its error" in advice(values, flop(), chips_text)


def test_two_actions_below_the_best_are_compared_by_the_error_of_their_difference() -> None:
    """The guard took a third of a pot; it wins 60 more than checking, with an error of 8 and not of 10 and 25."""
    taken = value(raise_to(183), 260, 40, 10)
    actions = (value(CHECK, 200, 100, 25), taken, value(raise_to(825), 300, 0, guard=200, usual=1 / 200))
    (first, *_) = told(Values(actions, 512, pair_errors=(8.0, 25.0, 10.0)), taken.action, flop())
    assert first.startswith("Betting 1/3 pot (183) wins 60 more than checking")
    stored = encode(Values(actions, 512)).replace(b',"pair_errors":[]', b"")
    assert b"pair_errors" not in stored
    (first, *_) = told(decode(stored, Values), taken.action, flop())
    assert first.startswith("Betting 1/3 pot (183) is worth about as much as checking"), "an earlier trace"


def test_a_fold_says_what_it_saves() -> None:
    facing = flop("250 f c | x 300 900")
    values = Values((value(FOLD, 0, 0), value(CALL, -240, 240, called_equity=0.12)), 512)
    assert told(values, FOLD, facing) == ["Folding saves 240, which calling 600 would lose."]
    assert advice(values, facing, chips_text) == "Folding loses nothing more, where calling 600 loses 240."
    close = Values((value(FOLD, 0, 0), value(CALL, -10, 10, called_equity=0.12)), 512)
    assert advice(close, facing, chips_text) == (
        "Folding is worth about as much as calling 600: the difference is within its error."
    )


def test_a_call_is_held_against_its_price() -> None:
    facing = flop("250 f c | x 300 900")
    values = Values((value(FOLD, 0, 80), value(CALL, 80, 0, called_equity=0.31)), 512)
    assert told(values, CALL, facing) == [
        "Calling 600 wins 80 more than folding: 31% of the pot is ours at a showdown, and the call costs 26% of it."
    ]


@pytest.mark.parametrize(
    ("stack", "after", "part", "price"),
    [(300, "900", "20% of the main pot", ""), (900, "c", "20% of the pot", ", and the call costs 24% of it")],
)
def test_where_there_is_a_side_pot_a_showdown_is_about_the_main_pot(
    stack: int, after: str, part: str, price: str
) -> None:
    """Who is all-in for 300 plays for 900; the two others have 1,200 more between them."""
    table = deal((10_000, stack, 10_000), board="Ks7s2d4c9h")
    facing = turn_of(play(table, f"250 {stack} {after}"))
    values = Values((value(FOLD, 0, 80), value(CALL, 80, 0, called_equity=0.2)), 512)
    assert told(values, CALL, facing)[0].endswith(f": {part} is ours at a showdown{price}.")
    flop = turn_of(play(table, "c | x"))
    values = Values((value(CHECK, 80, 0, called_equity=0.2), value(raise_to(900), 20, 60)), 512)
    assert told(values, CHECK, flop)[0].endswith(f": {part} is ours at a showdown.")
    assert told(values, raise_to(900), flop)[0].endswith(": when called 44% of the main pot is ours at a showdown.")


def test_chips_that_go_back_are_no_part_of_the_price() -> None:
    """A stack of 3,000 calls 2,700 for 6,000 in all; the other 7,000 of the raise are returned."""
    facing = turn_of(play(deal((3_000, 10_000)), "300 10000"))
    values = Values((value(FOLD, 0, 300), value(CALL, 300, 0, called_equity=0.5)), 512)
    assert told(values, CALL, facing)[0].endswith("at a showdown, and the call costs 45% of it.")


def test_the_guard_is_named_where_it_changed_the_choice() -> None:
    taken = value(raise_to(275), 300, 90, guard=17)
    better = value(raise_to(825), 390, 0, guard=142, usual=1 / 200)
    values = Values((value(CHECK, 190, 200), taken, better), 512)
    texts = told(values, taken.action, flop())
    assert texts[1] == (
        "Betting 1.5 pot (825) is worth 90 more, but few would do it with such a hand (1 in 200): that counts 140 "
        "against it, and 20 against betting 1/2 pot (275)."
    )
    assert conclusion(values, taken.action, flop()).text == (
        "Of what players do with such a hand it is worth the most"
    )
    assert advised(values) is taken
    assert "few would do it" in advice(values, flop(), chips_text)


def test_a_fold_says_what_keeps_the_call_it_is_compared_with_from_being_made() -> None:
    """Though something else wins a little more: guard and risk take what the call wins."""
    facing = flop("250 f c | x 300 900")
    called = structs.replace(value(CALL, 96, 7, guard=34, usual=0.2), risk=124.0)
    raised = structs.replace(value(raise_to(2_500), 103, 0, guard=65, usual=1 / 290), risk=178.0)
    values = Values((value(FOLD, 0, 103), called, raised), 512)
    assert told(values, FOLD, facing) == [
        "Calling 600 is worth 100 more, but fewer would do it with such a hand (20% of the time): that counts 30 "
        "against it.",
        "Calling 600 is worth 100 more, but in a tournament its risk counts 120 against it.",
    ]


def test_advice_does_not_say_twice_what_the_guard_is_held_against() -> None:
    facing = flop("250 f c | x 300 900")
    rare = value(raise_to(2_500), 40, 0, guard=400, usual=1 / 4_882)
    values = Values((value(FOLD, 0, 40), value(CALL, -100, 140), rare), 512)
    assert advice(values, facing, chips_text) == (
        "Fold: raising to 2,500 (68% pot) is worth 40 more, but few would do it with such a hand (1 in 4,900): "
        "that counts 400 against it."
    )
    first, second = told(values, FOLD, facing)
    assert first == "Folding saves 100, which calling 600 would lose."
    assert second.startswith("Raising to 2,500 (68% pot) is worth 40 more, but few would do it")
    taken = value(CHECK, 100, 90)
    values = Values((taken, value(raise_to(825), 190, 0, guard=300, usual=1 / 200)), 512)
    assert advice(values, flop(), chips_text) == (
        "Checking is worth 100 ± 20. Betting 1.5 pot (825) is worth 90 more, but few would do it with such a hand "
        "(1 in 200): that counts 300 against it."
    )


def test_a_choice_is_not_compared_with_what_hardly_anybody_would_do() -> None:
    facing = flop("250 f c | x 300 900")
    rare = value(raise_to(2_500), -10, 10, guard=400, usual=1 / 4_882)
    values = Values((value(FOLD, 0, 0), value(CALL, -100, 100), rare), 512)
    assert advice(values, facing, chips_text) == "Folding loses nothing more, where calling 600 loses 100."
    assert told(values, FOLD, facing) == ["Folding saves 100, which calling 600 would lose."]
    level = structs.replace(rare, value=10.0, behind=0.0)
    values = Values((value(FOLD, 0, 10, 40), value(CALL, -100, 110), level), 512)
    assert advice(values, facing, chips_text) == "Folding loses nothing more, where calling 600 loses 100."


def test_the_way_to_go_on_is_told_where_it_is_not_plain_sound_play() -> None:
    facing = flop("250 f c | x 300 900")
    called = structs.replace(value(CALL, 80, 0), later=0.9)
    values = Values((value(FOLD, 0, 80), called), 512, way=CALLING_DOWN)
    assert told(values, CALL, facing)[1:] == [
        "Valued with calling down later: of the ways to go on that wins most here."
    ]
    assert len(told(values, FOLD, facing)) == 1
    assert len(told(structs.replace(values, way=""), CALL, facing)) == 1
    at_the_end = structs.replace(values, actions=(values.actions[0], structs.replace(called, later=0.0)))
    assert len(told(at_the_end, CALL, facing)) == 1


def test_the_worst_hands_are_folded_in_few_words() -> None:
    """That a call which hardly anybody makes might be worth as much is true, and no advice."""
    facing = flop("250 f c | x 300 900")
    called = value(CALL, 50, 0, guard=260, usual=0.01)
    values = Values((value(FOLD, 0, 50, 120, usual=0.99), called), 512)
    assert advice(values, facing, chips_text) == "Fold: hardly anybody goes on with such a hand here."


def test_rare_raises_are_named_where_there_is_nothing_else_and_they_are_clearly_worse() -> None:
    facing = flop("250 f c | x 300 900")
    rare = value(raise_to(2_500), -10, 10, 20, guard=40, usual=0.01)
    folded = Values((value(FOLD, 0, 0), value(CALL, -100, 100), rare), 512)
    assert advice(folded, facing, chips_text) == "Folding loses nothing more, where calling 600 loses 100."
    checked = value(CHECK, 120, 0)
    level = value(raise_to(825), 90, 30, 40, usual=0.01)
    assert advice(Values((checked, level), 512), flop(), chips_text) == "Checking is worth 120 ± 20."
    assert told(Values((checked, level), 512), CHECK, flop()) == []
    worse = structs.replace(level, value=20.0, behind=100.0)
    assert advice(Values((checked, worse), 512), flop(), chips_text) == (
        "Checking is worth 120 ± 20, 100 more than betting 1.5 pot (825)."
    )


def test_a_check_is_never_said_to_be_worth_less_than_nothing() -> None:
    """It is by how the player goes on that it loses more than folding at once: a check can be folded later."""
    checked, bet = value(CHECK, -30, 0), value(raise_to(367), -100, 70)
    assert advice(Values((checked, bet), 512), flop(), chips_text) == (
        "Checking is free, and worth 70 more than betting 2/3 pot (367)."
    )
    level = structs.replace(bet, value=-40.0, behind=10.0)
    assert advice(Values((checked, level), 512), flop(), chips_text) == (
        "Checking is free, and worth about as much as betting 2/3 pot (367): the difference is within its error."
    )
    rare = structs.replace(level, usual=0.01)
    assert advice(Values((checked, rare), 512), flop(), chips_text) == "Checking is free, and no bet is worth more."
    guarded = value(raise_to(367), 40, 0, guard=100, usual=0.01)
    held = advice(Values((structs.replace(checked, behind=70.0), guarded), 512), flop(), chips_text)
    assert held.startswith("Checking is free. Betting 2/3 pot (367) is worth 70 more, but few would do it")


def test_advice_to_do_what_hardly_anybody_does_says_so() -> None:
    """Of betting at all, not of one size, and of calling."""
    checked, bet = value(CHECK, 10, 100), value(raise_to(367), 110, 0, guard=80, usual=0.01)
    said = "Betting 2/3 pot (367) is worth 110 ± 20, 100 more than checking."
    few = advice(Values((checked, bet), 512), flop(), chips_text)
    assert few == f"{said} Few would do it with such a hand (1 in 100)."
    other = value(raise_to(825), 0, 110, guard=20, usual=0.2)
    assert advice(Values((checked, bet, other), 512), flop(), chips_text) == said
    called = value(CALL, 500, 0, guard=100, usual=0.03)
    both = Values((value(FOLD, 0, 500, 100), called), 512)
    assert advice(both, flop("250 f c | x 300 900"), chips_text) == (
        "Calling 600 is worth 500 ± 20, 500 more than folding. Few would do it with such a hand (1 in 33)."
    )


def test_advice_says_what_a_better_action_loses_by_where_one_of_both_is_drawn() -> None:
    """A bot says that one of both was drawn; a hint would leave it open why the lesser is advised."""
    taken, better = value(CHECK, 370, 30), value(raise_to(100), 400, 0, guard=32, usual=0.08)
    values = Values((taken, better), 512)
    assert advised(values) is taken
    assert advice(values, flop(), chips_text) == (
        "Checking is worth 370 ± 20. Betting 18% pot (100) is worth 30 more, but few would do it with such a hand "
        "(1 in 12): that counts 30 against it."
    )
    texts = told(values, CHECK, flop())
    assert texts[0].startswith("Checking wins 30 less than betting 18% pot (100)")
    assert texts[1:] == [
        "Counting how few would do it, betting 18% pot (100) comes to about the same: one of the two was drawn by "
        "how usual each is."
    ]


def test_an_error_has_the_unit_of_its_value() -> None:
    values = Values((value(CHECK, 110, 190), value(raise_to(367), 300, 0)), 512)
    text = advice(values, flop(), lambda chips: f"{chips / 100:g} bb")
    assert text == "Betting 2/3 pot (3.67 bb) is worth 3 ± 0.2 bb, 1.9 bb more than checking."


@pytest.mark.parametrize(("stderr", "error"), [(0.0, "0"), (0.3, "10"), (4.0, "10"), (16.0, "20")])
def test_no_error_is_told_smaller_than_what_values_are_rounded_to(stderr: float, error: str) -> None:
    checked = structs.replace(value(CHECK, 110, 0), stderr=stderr)
    assert advice(Values((checked,), 512), flop(), chips_text) == f"Checking is worth 110 ± {error}."


def test_one_of_several_near_ties_was_drawn() -> None:
    values = Values((value(CHECK, 100, 200), value(raise_to(275), 297, 3), value(raise_to(367), 300, 0)), 512)
    texts = told(values, raise_to(275), flop())
    tie = "Betting 2/3 pot (367) is worth about as much: one of the two was drawn by how usual each is."
    assert texts[1] == tie
    assert conclusion(values, raise_to(275), flop()).text == "It was drawn from those worth about as much"


def answers(**numbers: object) -> Responses:
    given: dict[str, object] = {
        "seat": 2,
        "spot": "facing a bet on the flop",
        "chances": 27,
        "folds": 9,
        "raises": 2,
        "usual_folds": 9.1,
        "usual_raises": 2.0,
        "odds_of_folding": 1.0,
        "odds_of_raising": 1.0,
    }
    return Responses(**(given | numbers))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (answers(folds=16), ["Cid folded to 16 of 27 flop bets, where most would have folded to 9.1."]),
        (answers(raises=8), ["Cid raised 8 of 27 flop bets, where most would have raised 2.0."]),
        (answers(), []),
        (answers(chances=1, folds=1, raises=0, usual_folds=0.4, usual_raises=0.1), []),
        (answers(spot="facing a bet on the turn", folds=27), []),
        (answers(spot="facing a bet on the turn", sharpness=0.2), []),
        (answers(sharpness=0.7), []),
        (answers(spot="betting the flop", raises=27), []),
    ],
)
def test_counts_are_named_where_they_are_out_of_the_usual_and_of_this_spot(
    counted: Responses, said: list[str]
) -> None:
    values = Values((value(CHECK, 110, 190), value(raise_to(367), 300, 0)), 512, (counted,))
    assert told(values, raise_to(367), flop())[1:] == said


@pytest.mark.parametrize(
    ("name", "said"),
    [("Cid", "what Cid does after the flop hangs on their"), ("You", "what you do after the flop")],
)
def test_whose_cards_matter_little_to_what_they_do_is_named(name: str, said: str) -> None:
    values = Values((value(CHECK, 110, 190), value(raise_to(367), 300, 0)), 512, (answers(sharpness=0.32),))
    (text,) = told(values, raise_to(367), flop(name=name))[1:]
    assert said in text
    assert text.endswith("cards 0.3 times as much as with most.")


@pytest.mark.parametrize(
    ("words", "action", "seat", "spot"),
    [
        ("", CALL, 1, "unopened"),
        ("", CALL, 2, "may check before the flop"),
        ("", raise_to(250), 2, "facing a raise"),
        ("f f c x | x", CHECK, 1, None),
        ("f f c x | x x | x", CHECK, 1, None),
        ("250 c", CALL, 3, None),
        ("250 c", CALL, 0, None),
        ("250 c c f | x 200", CALL, 3, None),
        ("250 c c f | x 200", CALL, 1, "facing a bet on the flop"),
        ("250 c c f | 200 500", CALL, 1, "facing a raise after the flop"),
        ("250 c c f | x x x | 200", CALL, 0, "facing a bet after a checked street"),
        ("", raise_to(250), 1, "facing a raise"),
        ("250", raise_to(900), 1, "facing a 3-bet cold"),
        ("250", raise_to(900), 3, "facing a 3-bet"),
        ("250 900", CALL, 3, "facing a 3-bet"),
        ("250 900", CALL, 0, None),
        ("250", CALL, 3, None),
        ("c", CALL, 3, None),
        ("c", raise_to(400), 3, "facing a raise after limping"),
        ("c 400", CALL, 3, "facing a raise after limping"),
        ("f f c x |", raise_to(200), 2, "facing a bet after a checked street"),
        ("f f 250 c |", raise_to(200), 2, "facing a bet on the flop"),
        ("f f 250 c | x x |", raise_to(200), 2, "facing a bet after a checked street"),
        ("f f 250 c | 200 c |", raise_to(200), 2, "facing a bet on the turn"),
        ("f f 250 c | x 200 c |", raise_to(200), 2, "facing a bet on the turn"),
        ("f f c x |", CHECK, 2, "betting the flop"),
        ("f f c x | 200", raise_to(500), 1, "facing a raise after the flop"),
        ("250 f f c |", CHECK, 3, "betting as the last raiser"),
        ("250 f c c |", CHECK, 2, "betting into the last raiser"),
        ("f f 250 c |", CHECK, 2, "betting the flop"),
    ],
)
def test_counts_are_of_what_an_opponent_has_to_answer(
    words: str, action: Action, seat: int, spot: str | None
) -> None:
    """Four seats, of which 3, 0, 1 and 2 act in this order; who has raised last has nothing to answer.

    The spot is the one in which the reader learns from what the opponent does then.
    """
    table = play(deal((10_000,) * 4, board="Ks7d2h4c"), words)
    observation = turn_of(table)
    found = []
    for one in CONTEXTS:
        counted = answers(seat=seat, spot=one, folds=20, raises=7)
        texts = told(Values((value(action, 100, 0),), 512, (counted,)), action, observation)
        found += [one] if any(" of 27 " in text for text in texts) else []
    assert found == ([] if spot is None else [spot])
    table.apply(action)
    done = len(situations(table.events))
    while (actor := table.to_act) is not None:
        legal = table.legal_actions()
        assert legal is not None
        table.apply(CHECK if legal.can_check else CALL if actor == seat else FOLD)
    if spot is not None:
        theirs = [one for one in situations(table.events)[done:] if one.seat == seat]
        assert CONTEXTS[context_of(theirs[0])] == spot


def test_every_spot_has_its_words() -> None:
    for spot in CONTEXTS:
        words = [counted_words(answers(spot=spot), field) for field in ("folds", "raises")]
        assert words[1] is not None
        assert (words[0] is None) == spot.startswith(("betting", "may check")), spot
        assert "{" not in "".join(words[1])


def test_sizes_are_shares_of_the_pot() -> None:
    assert [size_text(raise_to(total), flop()) for total in (183, 275, 367, 550, 825, 100, 9_750)] == [
        *("1/3 pot", "1/2 pot", "2/3 pot", "pot", "1.5 pot", "18% pot", "all-in")
    ]
    rounded_chips = [size_text(raise_to(total), flop()) for total in (180, 277, 372, 552)]
    assert rounded_chips == ["1/3 pot", "1/2 pot", "68% pot", "pot"], "what is so to a hundredth"
    assert size_text(raise_to(250), turn_of(deal((10_000,) * 3))) == ""


@pytest.mark.parametrize(
    ("stacks", "names", "words", "done"),
    [
        ((10_000, 10_000), ("A", "B"), "", "going all-in (10000)"),
        ((10_000, 3_000), ("A", "B"), "", "putting B all-in (3000)"),
        ((10_000, 3_000), ("A", "You"), "", "putting you all-in (3000)"),
        ((10_000, 3_000, 2_000), ("A", "B", "C"), "", "putting all others all-in (3000)"),
        ((10_000, 6_000, 2_000), ("A", "B", "C"), "300 c 2000", "putting B all-in (6000)"),
        ((10_000, 3_000), ("A", "B"), "300 c | x", "putting B all-in (2700)"),
    ],
)
def test_a_bet_that_covers_all_puts_them_all_in(
    stacks: tuple[int, ...], names: tuple[str, ...], words: str, done: str
) -> None:
    """Though chips are left to who makes it; a chip less is a part of the pot, before the flop an amount."""
    observation = turn_of(play(deal(stacks, board="Ac8d5s", names=names), words))
    assert observation.seat == 0
    most = actions_of(observation)[-1]
    assert doing(most, observation, str) == done
    assert size_text(most, observation) == ("all-in" if "going" in done else "their all-in")
    less = raise_to(most.raise_to - 1)
    assert doing(less, observation, str).startswith(("raising to", "betting"))


def random_values(random: np.random.Generator) -> Iterator[Values]:
    """Give values of every size, error and guard, with a fold or without."""
    for _ in range(200):
        actions = (CHECK, raise_to(275), raise_to(367), raise_to(825))
        chips = random.normal(100, 10.0 ** random.uniform(0, 2.5), len(actions))
        best = chips.max()
        yield Values(
            tuple(
                value(
                    action,
                    float(worth),
                    float(best - worth),
                    float(10 ** random.uniform(0, 2.5)),
                    guard=float(random.choice([0.0, 3.0, 80.0, 400.0])),
                    all_fold=float(random.uniform()),
                )
                for action, worth in zip(actions, chips, strict=True)
            ),
            512,
        )


def test_no_sentence_contradicts_the_numbers() -> None:
    observation = flop()
    for values in random_values(np.random.default_rng(5)):
        action = soulread.choose(values, observation.pot, 1)
        chosen = values.of(action)
        assert chosen is not None
        texts = told(values, action, observation)
        found = re.match(r".* wins (\d+) (more|less) than", texts[0])
        if found:
            others = [one for one in values.actions if one.action.kind is not action.kind]
            lead = chosen.value - max(others, key=lambda one: one.value - one.guard - one.risk).value
            assert abs(abs(lead) - int(found[1])) <= 5.001
            assert (lead > 0) == (found[2] == "more")
        else:
            assert "about as much" in texts[0]
        # One that is not the best is never left without the reason that kept the best from being taken.
        if chosen.behind > 5.5 and chosen is not values.best:
            assert any("would do it" in text or "was drawn" in text for text in texts[1:]), (values, texts)
        best = advised(values)
        assert advice(values, observation, chips_text).startswith(
            "Checking" if best.action == CHECK else f"Betting {size_text(best.action, observation)}"
        )


def test_a_trace_with_values_is_told_with_the_paths_of_its_numbers() -> None:
    trace = soulread.SoulreadAgent("soulread").decide(flop(), 3, deals=128).trace
    claims = explain(trace)
    assert explain(decode(encode(trace), Trace)) == claims
    about_values = [claim for claim in claims if claim.evidence.startswith("values.")]
    assert len(about_values) >= 2
    for claim in about_values:
        evidence_of(trace, claim.evidence)
        assert claim.text[0].isupper()
        assert claim.text.endswith(".")
    wanted = "check." if trace.action.kind is ActionKind.CHECK else f"bet {trace.action.raise_to:,}."
    assert claims[-1].text.endswith(wanted)


def answered(seat: int, folds: float, calls: float, raises: float = 0.0, *hands: tuple[str, float]) -> Answer:
    return Answer(seat, folds, GoingOn(calls, 0.14, hands), GoingOn(raises, 0.62, (("two pair or better", 0.9),)))


def test_answers_say_what_calls_and_how_often_one_is_ahead() -> None:
    hands = ("top pair or overpair", 0.25), ("weaker pairs", 0.73), ("draws", 0.012)
    (text,) = answer_texts((answered(2, 0.52, 0.42, 0.06, *hands),), flop(), "we")
    assert text == (
        "Cid folds 52%, calls 42% and raises 6%. "
        "Calls with 25% top pair or overpair, 73% weaker pairs: we are ahead of 14%. "
        "Raises with 90% two pair or better: we are ahead of 62%."
    )
    (text,) = answer_texts((answered(2, 0.52, 0.42, 0.06, *hands),), flop(), "we", is_brief=True)
    assert text == "Cid folds 52%, calls 42% and raises 6%."
    (text,) = answer_texts((answered(2, 0.88, 0.12, 0.0, ("draws", 1.0)),), flop(name="You"), "we")
    assert text == "You fold 88% and call 12%. Calls with 100% draws: we are ahead of 14%."


def test_answers_add_up() -> None:
    (text,) = answer_texts((answered(2, 0.405, 0.375, 0.22),), flop(), "we", is_brief=True)
    assert text == "Cid folds 41%, calls 37% and raises 22%."
    (text,) = answer_texts((answered(2, 0.334, 0.333, 0.333),), flop(), "we", is_brief=True)
    assert text == "Cid folds 34%, calls 33% and raises 33%."
    (text,) = answer_texts((answered(2, 0.398, 0.597, 0.005),), flop(), "we", is_brief=True)
    assert text == "Cid folds 40%, calls 60% and raises under 1%."


def test_parts_of_a_whole_add_up_and_none_is_off_by_a_percent() -> None:
    for parts in np.random.default_rng(3).dirichlet(np.ones(4), 2000):
        texts = percents(parts.tolist())
        told = [float(text.removesuffix("%").removeprefix("under ").removeprefix("over ")) for text in texts]
        assert np.abs(told - 100 * parts).max() < 1
        hidden = sum(not text[0].isdigit() for text in texts)
        assert abs(sum(told) - 100) <= hidden


def test_where_some_go_on_not_all_fold() -> None:
    (text,) = answer_texts((answered(2, 0.9962, 0.0038),), flop(), "we")
    assert text == "Cid folds over 99% and calls under 1%."
    (text,) = answer_texts((answered(2, 1.0 - 1e-7, 0.0),), flop(), "we")
    assert text == "Cid folds 100% and calls 0%."


def test_of_many_who_can_answer_three_are_named() -> None:
    table = deal((10_000,) * 6, names=("Ann", "Bob", "Cid", "Dan", "Eva", "Fay"))
    observation = turn_of(table)
    shares = {4: 0.95, 5: 0.7, 0: 0.9, 1: 0.8, 2: 0.6}
    found = tuple(answered(seat, folds, 1 - folds, 0.0, ("QQ+, AKs", 0.8)) for seat, folds in shares.items())
    texts = [*answer_texts(found, observation, "you")]
    assert [text.split(".")[0] for text in texts] == [
        "If all before fold, Fay folds 70% and calls 30%",
        "If all before fold, Bob folds 80% and calls 20%",
        "If all before fold, Cid folds 60% and calls 40%",
        "The other 2 fold more often",
    ]
    assert texts[0].endswith("Calls mostly with QQ+, AKs: you are the favourite against 14%.")
    assert [*answer_texts(found[:4], observation, "you")][-1] == "The other one folds more often."
    assert [*answer_texts((), observation, "you")] == []
