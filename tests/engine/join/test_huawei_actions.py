"""Stories that explain rows: turn order, what several stories fit, and what none does."""

from itertools import product

import pytest

from engine.game.events import ActionKind
from engine.join.huawei_actions import Dealt, Known, Moment, Question, Step, Took, explain
from engine.join.huawei_messages import RowAction

BLIND, CHECKED, CALLED, RAISED, ALL_IN, FOLDED = RowAction


def preflop(*stacks: int) -> Moment:
    """Three or more at the table, place 0 on the button, blinds of 20 and 40 posted."""
    count = len(stacks)
    totals = (0, 20, 40, *[0] * (count - 3))
    return Moment(
        stacks=tuple(stack - total for stack, total in zip(stacks, totals, strict=True)),
        totals=totals,
        latest=tuple(BLIND if total else None for total in totals),
        answered=(False,) * count,
        last=2,
        price=40,
        big_blind=40,
        least_raise=40,
    )


def reports(text: str) -> tuple[Known, ...]:
    """Read `call 40` per place; `-` has not acted, `? in` and `? out` are unknown chips at the end of a hand."""
    found = []
    for word in text.split(", "):
        if word == "-":
            found.append(Known(0, False, None, has_acted=False))
        elif word.startswith("?"):
            found.append(Known(None, word.endswith("out")))
        else:
            action, total = word.split()
            found.append(Known(int(total), action == "fold", RowAction(action)))
    return tuple(found)


def story(steps: tuple[Step, ...]) -> str:
    """Write steps as place, f x c or r, and total; a bar where a street is dealt."""
    letters = {ActionKind.FOLD: "f", ActionKind.CHECK: "x", ActionKind.CALL: "c", ActionKind.RAISE: "r"}
    return " ".join(
        "|" if isinstance(step, Dealt) else f"{step.place}{letters[step.kind]}{step.total}" for step in steps
    )


def explained(moment: Moment, rows: str, **question: object) -> str:
    arguments: dict[str, object] = {"deals": 0, "button": 0, "own_place": 0, **question}
    found = explain(moment, Question(reports=reports(rows), **arguments))  # type: ignore[arg-type]
    return "nothing" if found is None else story(found[0])


def test_a_first_question() -> None:
    rows = "-, blind 20, blind 40, call 40, raise 120, fold 0"
    assert explained(preflop(*[2000] * 6), rows, is_own_turn=True) == "3c40 4r120 5f0"


def test_our_answer_comes_first_and_the_row_says_what_the_server_made_of_it() -> None:
    for answer in ((ActionKind.CALL, 40), (ActionKind.FOLD, 0), (ActionKind.RAISE, 80)):
        moment = preflop(2000, 2000, 2000)
        assert explained(moment, "call 40, call 40, check 40", answer=answer) == "0c40 1c40 2x40"
        assert explained(moment, "fold 0, call 40, check 40", answer=answer) == "0f0 1c40 2x40"


def test_two_actions_of_one_player_on_two_streets() -> None:
    """We raise; the small blind calls, and bets the flop before we are asked."""
    raised = preflop(2000, 2000, 2000).after(0, 120, RAISED)
    rows = "raise 120, raise 200, fold 40"
    assert explained(raised, rows, deals=1, is_own_turn=True) == "1c120 2f40 | 1r200"
    assert explained(raised, "raise 120, check 120, raise 200", deals=1, is_own_turn=True) == (
        "1c120 2c120 | 1x120 2r200"
    )


def test_a_fold_is_as_late_as_it_fits_where_nothing_is_owed() -> None:
    """The big blind has folded before our turn on the flop, for nothing: on the flop, not with its option."""
    called = preflop(2000, 2000, 2000).after(0, 40, CALLED)
    rows = "call 40, check 40, fold 40"
    assert explained(called, rows, deals=1, is_own_turn=True) == "1c40 2x40 | 1x40 2f40"


def test_a_notification_in_our_place_and_one_at_the_end_of_a_street() -> None:
    folded = preflop(2000, 2000, 2000, 2000).after(3, 40, CALLED).after(0, 0, FOLDED)
    ended = explain(
        folded, Question(reports=reports("fold 0, call 40, check 40, call 40"), deals=0, button=0, own_place=0)
    )
    assert ended is not None
    steps, moment = ended
    assert story(steps) == "1c40 2x40"
    on_flop = explain(
        moment, Question(reports=reports("fold 0, check 40, check 40, check 40"), deals=1, button=0, own_place=0)
    )
    assert on_flop is not None
    assert story(on_flop[0]) == "| 1x40 2x40 3x40"
    # 3 bets, our place is passed, and the others still have to answer: nothing of that is known yet.
    raised = explain(
        moment, Question(reports=reports("fold 0, check 40, check 40, raise 80"), deals=1, button=0, own_place=0)
    )
    assert raised is not None
    assert story(raised[0]) == "| 1x40 2x40 3r80"
    assert raised[1].last == 0


def test_all_in_for_less_than_the_bet_and_chips_for_less_than_a_blind() -> None:
    rows = "-, blind 20, blind 40, all_in 30, call 40"
    assert explained(preflop(2000, 2000, 2000, 30, 2000), rows, is_own_turn=True) == "3c30 4c40"
    rows = "-, blind 20, blind 40, all_in 55, call 55"
    assert explained(preflop(2000, 2000, 2000, 55, 2000), rows, is_own_turn=True) == "3r55 4c55"


def test_the_end_of_a_hand_by_what_everybody_paid() -> None:
    """The next hand tells the chips, the showdown who stayed, and nobody when: as late as it fits."""
    paid = (Known(0, True), Known(80, False), Known(80, False))
    question = Question(reports=paid, deals=3, button=0, own_place=0, answer=(ActionKind.FOLD, 0), is_end=True)
    found = explain(preflop(2000, 2000, 2000), question)
    assert found is not None
    assert story(found[0]) == "0f0 1c40 2x40 | 1x40 2x40 | 1x40 2x40 | 1r80 2c80"


def test_the_end_of_a_hand_without_the_next_one() -> None:
    """We fold the river; of the others one stays, so the other has paid or not by the pot alone."""
    moment = Moment(
        stacks=(1000, 1000, 1000),
        totals=(100, 100, 100),
        latest=(CALLED, CHECKED, CHECKED),
        answered=(False, True, True),
        last=2,
        price=40,
        big_blind=40,
        least_raise=40,
    )
    fold = (ActionKind.FOLD, 100)
    end = {"is_end": True, "answer": fold}
    assert explained(moment, "fold 100, ? in, ? in", pot=300, **end) == "0f100"
    # Somebody bets 150 and is called, although we have seen nothing of it.
    assert explained(moment._replace(answered=(False, False, False)), "fold 100, ? in, ? in", pot=600, **end) == (
        "0f100 1r250 2c250"
    )


def test_a_discarded_pot() -> None:
    moment = preflop(2000, 2000, 2000)
    question = {"is_end": True, "is_discarded": True, "answer": (ActionKind.FOLD, 0)}
    assert explained(moment, "? out, ? out, ? out", **question) == "0f0 1f20"


def test_a_story_that_skips_a_notification_is_found_too() -> None:
    """By its habit the server would have told us of the flop when it passed our place."""
    folded = preflop(2000, 2000, 2000).after(0, 0, FOLDED)
    rows = "fold 0, check 40, check 40"
    assert explained(folded, rows, deals=3) == "1c40 2x40 | 1x40 2x40 | 1x40 2x40 | 1x40 2x40"


@pytest.mark.parametrize(
    "rows",
    [
        "-, blind 20, blind 40, call 30",  # less than the price, with chips left
        "-, blind 20, blind 40, call 3000",  # more than there is
        "-, call 40, blind 40, -",  # out of turn
        "-, blind 20, fold 60, call 40",  # folded and paid
    ],
)
def test_rows_that_no_story_explains(rows: str) -> None:
    assert explained(preflop(2000, 2000, 2000, 2000), rows, is_own_turn=True) == "nothing"


def test_no_story_is_looked_for_beyond_all_measure() -> None:
    """With 25,000 big blinds each, raise after raise could come ever nearer to a pot that nobody can have made."""
    moment = preflop(*[1_000_000] * 4)
    assert explained(moment, "? in, ? in, ? in, ? out", pot=3_000_001, is_end=True) == "nothing"


def test_every_short_story_is_found_again() -> None:
    """All ways in which three others may fold, call or raise before our first turn, each from its own rows."""
    for choices in product("fcr", repeat=3):
        moment = preflop(2000, 2000, 2000, 2000, 2000, 2000)
        expected = []
        for place, choice in zip((3, 4, 5), choices, strict=True):
            total, action = {
                "f": (0, FOLDED),
                "c": (moment.level, CALLED),
                "r": (moment.level + moment.least_raise, RAISED),
            }[choice]
            moment = moment.after(place, total, action)
            expected.append(f"{place}{choice}{total}")
        rows = ["-", "blind 20", "blind 40"] + [
            f"{action.value} {total}"
            for action, total in zip(moment.latest[3:], moment.totals[3:], strict=True)
            if action
        ]
        found = explained(preflop(*[2000] * 6), ", ".join(rows), is_own_turn=True)
        assert found == " ".join(expected)


def test_took_is_told_by_its_total() -> None:
    rows = reports("-, blind 20, blind 40, all_in 2000")
    question = Question(reports=rows, deals=0, button=0, own_place=0, is_own_turn=True)
    found = explain(preflop(2000, 2000, 2000, 2000), question)
    assert found is not None
    assert found[0] == (Took(3, ActionKind.RAISE, 2000),)
    assert found[1].latest[3] is ALL_IN
