"""Exercises that a reader judges: the figures follow from its ranges and values, and answers from the figures."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agents.agent import ActionValue, Values
from engine.agents.learned.reader import LearnedReader
from engine.cards import cards_of, combo_of
from engine.game.events import ActionKind, ActionTaken
from engine.game.summary import positions
from engine.preflop import equity_against_random
from engine.training import play
from engine.training.drills import make_exercise
from engine.training.exercise import LEVELS, RIGHT_POINTS, TOPICS, Drill, Exercise
from tests.reference.equity import strength

levels, seeds = st.integers(1, LEVELS), st.integers(0, 2**32 - 1)


def made(drill: Drill, topic: str, level: int, seed: int) -> Exercise:
    return make_exercise(drill, topic, level, seed, amount="{:,}".format)


# Before the flop


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer hands out: what is asked is which answer follows from the values, not how good they are."""
    monkeypatch.setattr(play, "CANDIDATES", 2)
    monkeypatch.setattr(play, "FEW_STEPS", 1)
    monkeypatch.setattr(play, "_STEPS", 2)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("topic", TOPICS[Drill.PREFLOP])
def test_before_the_flop_the_player_faces_what_the_topic_says(topic: str) -> None:
    for seed in range(3):
        spot = (exercise := made(Drill.PREFLOP, topic, 1 + seed, seed)).observation
        raises = sum(
            isinstance(event, ActionTaken) and event.action.kind is ActionKind.RAISE for event in spot.events
        )
        assert raises == (2 if "3-bet" in topic else 1 if "facing" in topic else 0)
        assert spot.to_act == spot.seat
        assert (spot.me.stack + spot.me.committed <= 2500) == topic.startswith("short")
        assert "strangers to you" in " ".join(exercise.explanation)
        assert made(Drill.PREFLOP, topic, 1 + seed, seed) == exercise


@pytest.mark.usefixtures("quick")
def test_before_the_flop_points_fall_with_what_an_answer_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[tuple[Values, list[ActionValue]]] = []
    answers = play._answers

    def noted(*args: object) -> tuple[Values, list[ActionValue]]:
        judged.append(answers(*args))  # type: ignore[arg-type]
        return judged[-1]

    monkeypatch.setattr(play, "_answers", noted)
    for seed in range(4):
        exercise = made(Drill.PREFLOP, "facing a raise", 2, seed)
        values, found = judged[-1]
        assert len(exercise.choices) == len(found)
        best = max(found, key=lambda one: one.counted)
        for choice, one in zip(exercise.choices, found, strict=True):
            lost = (best.counted - one.counted) / 100
            assert choice.lost_bb == pytest.approx(lost)
            beyond = max(lost - max(values.error_between(one, best) / 100, 0.05), 0)
            assert choice.points == pytest.approx(max(100 * (1 - beyond), 0))


@pytest.mark.parametrize(("topic", "level"), [("first in", 3), ("first in", 5), ("short, first in", 5)])
def test_before_the_flop_not_all_answers_are_right(topic: str, level: int) -> None:
    reader = LearnedReader(adapts=False)
    for seed in (1, 2):
        exercise = play.preflop(topic, level, np.random.default_rng(seed), str, reader)
        assert min(choice.points for choice in exercise.choices) < RIGHT_POINTS


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("topic", ["first in", "facing a 3-bet"])
def test_before_the_flop_what_an_answer_loses_follows_from_the_numbers_told(topic: str) -> None:
    for seed in range(3):
        exercise = made(Drill.PREFLOP, topic, 2, seed)
        told = exercise.explanation[0].partition("Worth in big blinds: ")[2].removesuffix(".").split("; ")
        found = [re.fullmatch(r".+? (?:0|([+−][\d.]+) ± [\d.]+)(?: less ([\d.]+))?", one) for one in told]
        assert all(found)
        worth = [float((one[1] or "0").replace("−", "-")) - float(one[2] or 0) for one in found if one]
        assert ("stands behind “less”" in exercise.explanation[1]) == any(one[2] for one in found if one)
        for choice, one in zip(exercise.choices, worth, strict=True):
            assert choice.lost_bb == pytest.approx(max(worth) - one, abs=0.021)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("topic", TOPICS[Drill.PREFLOP])
def test_answers_before_the_flop_are_those_that_players_choose_from(topic: str) -> None:
    for seed in range(4):
        exercise = made(Drill.PREFLOP, topic, 3, seed)
        spot, texts = exercise.observation, [choice.text for choice in exercise.choices]
        stack = (spot.me.stack + spot.me.bet) / 100
        calls = any(text.startswith(("Call", "Check")) for text in texts)
        all_in = any(text.startswith("All-in") for text in texts)
        raises = [choice.action.raise_to for choice in exercise.choices if choice.action and choice.action.raise_to]
        assert texts[0] == "Fold"
        assert all_in == (stack <= 40) or raises == [spot.me.stack + spot.me.bet]
        if stack <= 12:
            assert len(texts) == 2, "all-in or fold"
        elif "first in" in topic:
            assert calls == (positions(spot.events)[spot.seat] == "SB")
        elif topic.startswith("short"):
            assert calls == (positions(spot.events)[spot.seat] == "BB")
        else:
            assert calls
        # Nobody raises by half of their chips and has the rest left to think about.
        assert all(total == (spot.me.stack + spot.me.bet) or total <= 40 * stack for total in raises)


@pytest.mark.usefixtures("quick")
def test_a_3_bet_is_larger_out_of_position() -> None:
    sizes = set()
    for seed in range(10):
        spot = made(Drill.PREFLOP, "facing a 3-bet", 2, seed).observation
        places = positions(spot.events)
        (theirs,) = (view for view in spot.seats if view.bet > spot.me.bet)
        # Who 3-bets acts later before the flop, so it is the blinds that act first on it.
        is_first = places[theirs.seat] == "SB" or (places[theirs.seat] == "BB" and places[spot.seat] != "SB")
        if not theirs.is_all_in:
            assert theirs.bet == (1000 if is_first else 750)
            sizes.add(theirs.bet)
    assert sizes == {750, 1000}


@pytest.mark.usefixtures("quick")
def test_who_has_raised_holds_what_players_raise_with() -> None:
    worse = []
    for seed in range(8):
        spot = made(Drill.PREFLOP, "facing a 3-bet", 2, seed).observation
        worse.append(float(equity_against_random(1)[combo_of(*spot.hole_cards)]) < 0.5)
    assert sum(worse) <= 2, "of all hands that is half of them"


# Kinds of a range


@given(topic=st.sampled_from(["strong", "medium", "weak"]), level=levels, seed=seeds)
@settings(max_examples=6)
def test_a_kind_is_the_part_of_the_range_with_such_an_equity(topic: str, level: int, seed: int) -> None:
    """On the river, where an equity against any two cards is counted with another evaluator."""
    exercise = made(Drill.KINDS, topic, level, seed)
    spot = exercise.observation
    assert exercise.is_range_shown == (level < 4)
    if len(spot.board) < 5:
        return
    ((_, hands),) = exercise.ranges.items()
    combos = np.flatnonzero(hands.weights > 0.02 * hands.weights.max())
    every = [(cards_of(combo), strength((*cards_of(combo), *spot.board))) for combo in _free(spot.board)]
    bounds = {"strong": (0.75, 2.0), "medium": (0.57, 0.75), "weak": (-1.0, 0.57)}[topic]
    share = 0.0
    for combo in combos.tolist():
        own = strength((*cards_of(combo), *spot.board))
        others = [value for cards, value in every if not set(cards) & set(cards_of(combo))]
        equity = sum((own > value) + (own == value) / 2 for value in others) / len(others)
        share += float(hands.weights[combo]) * (bounds[0] <= equity < bounds[1])
    left_out = 1 - float(hands.weights[combos].sum() / hands.weights.sum())
    assert exercise.number is not None
    assert exercise.number.value / 100 == pytest.approx(share / hands.weights.sum(), abs=left_out + 0.01)


def _free(board: tuple[int, ...]) -> list[int]:
    return [combo for combo in range(1326) if not set(cards_of(combo)) & set(board)]


@given(level=levels, seed=seeds)
def test_the_kinds_of_a_range_are_all_of_it(level: int, seed: int) -> None:
    exercise = made(Drill.KINDS, "drawing", level, seed)
    parts = exercise.explanation[0].split("line: ")[1].rstrip(".").split(", ")
    of_drawing = exercise.explanation[0].split(", of the range")[0]
    assert f"{of_drawing} drawing" in parts
    whole = sum(int(part.split("%")[0]) for part in parts if part[0].isdigit())
    assert whole == pytest.approx(100, abs=sum(not part[0].isdigit() for part in parts))


# Bluff-catching


@given(topic=st.sampled_from(TOPICS[Drill.BLUFF_CATCHING]), level=levels, seed=seeds)
def test_a_call_on_the_river_is_worth_its_share_of_the_pot(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.BLUFF_CATCHING, topic, level, seed)
    spot = exercise.observation
    assert len(spot.board) == 5
    (prediction,) = LearnedReader(adapts=False).read(spot)
    own, won = strength((*spot.hole_cards, *spot.board)), 0.0
    for combo in np.flatnonzero(prediction.posterior).tolist():
        theirs = strength((*cards_of(combo), *spot.board))
        won += float(prediction.posterior[combo]) * ((own > theirs) + (own == theirs) / 2)
    won /= float(prediction.posterior.sum())
    assert spot.legal is not None
    to_call = spot.legal.call_amount
    ev = won * spot.pot - (1 - won) * to_call
    fold, call = exercise.choices
    better, worse = (call, fold) if ev > 0 else (fold, call)
    assert better.points == 100
    assert worse.lost_bb == pytest.approx(abs(ev) / 100, abs=0.02)
    assert worse.points == 100 or worse.points == pytest.approx(max(100 * (1 - abs(ev) / (spot.pot / 4)), 0), abs=1)
