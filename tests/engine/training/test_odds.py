"""Exercises with one right number, counted again the slow way with another evaluator."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, COMBO_COUNT, RANKS, combo_of, rank_of
from engine.equity.combos import combo_equities
from engine.game.events import ActionTaken
from engine.game.observation import Observation
from engine.preflop import equity_against_random
from engine.strength import describe, draws
from engine.training.drills import ExerciseError, make_exercise
from engine.training.exercise import LEVELS, TOPICS, Drill, Exercise
from tests.reference.equity import counted, strength

COUNTED = (Drill.POT_ODDS, Drill.OUTS, Drill.EQUITY, Drill.AHEAD)
levels, seeds = st.integers(1, LEVELS), st.integers(0, 2**32 - 1)


def made(drill: Drill, topic: str, level: int, seed: int) -> Exercise:
    return make_exercise(drill, topic, level, seed, amount="{:,}".format)


def value_of(exercise: Exercise) -> float:
    assert exercise.number is not None
    return exercise.number.value


def hands(spot: Observation) -> list[tuple[int, int]]:
    """Give all open hands, the player's first."""
    return [spot.hole_cards, *(view.shown for view in spot.opponents if view.shown)]


def unseen(spot: Observation) -> list[int]:
    known = {*spot.board, *(card for hand in hands(spot) for card in hand)}
    return [card for card in range(CARD_COUNT) if card not in known]


@pytest.mark.parametrize(("drill", "topic"), [(drill, topic) for drill in COUNTED for topic in TOPICS[drill]])
@given(level=levels, seed=seeds)
def test_every_topic_has_questions_of_every_level(drill: Drill, topic: str, level: int, seed: int) -> None:
    exercise = made(drill, topic, level, seed)
    assert (exercise.drill, exercise.topic, exercise.level) == (drill, topic, level)
    assert exercise.question.endswith("?")
    assert exercise.explanation
    assert exercise.scale
    assert bool(exercise.choices) != (exercise.number is not None)
    if exercise.number is not None:
        assert 0 <= value_of(exercise) <= 100
    else:
        assert max(choice.points for choice in exercise.choices) == 100
    assert made(drill, topic, level, seed) == exercise


def test_what_there_is_not_is_refused() -> None:
    for topic, level in (("a call", 0), ("a call", LEVELS + 1), ("no such topic", 1)):
        with pytest.raises(ExerciseError, match="There is no exercise"):
            made(Drill.POT_ODDS, topic, level, 0)


@given(topic=st.sampled_from(["a call", "a call of a raise"]), level=levels, seed=seeds)
def test_at_the_required_equity_a_call_wins_nothing(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.POT_ODDS, topic, level, seed)
    put_in = [event.amount for event in exercise.observation.events if isinstance(event, ActionTaken)]
    pot = sum(view.committed for view in exercise.observation.seats)
    to_call = max(view.committed for view in exercise.observation.seats) - exercise.observation.me.committed
    equity = value_of(exercise) / 100
    assert put_in
    assert equity * pot - (1 - equity) * to_call == pytest.approx(0, abs=1e-6)


@given(level=levels, seed=seeds)
def test_at_the_break_even_share_of_folds_a_bluff_wins_nothing(level: int, seed: int) -> None:
    exercise = made(Drill.POT_ODDS, "a bluff", level, seed)
    pot = exercise.observation.pot
    bet = int(exercise.question.split("bluff ")[1].split(" into")[0].replace(",", ""))
    folds = value_of(exercise) / 100
    assert folds * pot - (1 - folds) * bet == pytest.approx(0, abs=1e-6)


@given(level=levels, seed=seeds)
def test_a_bluff_that_never_wins_when_called_has_nothing(level: int, seed: int) -> None:
    spot = made(Drill.POT_ODDS, "a bluff", level, seed).observation
    ranks = [rank_of(card) for card in (*spot.hole_cards, *spot.board)]
    assert len(set(ranks)) == len(ranks)
    assert all(RANKS[rank] not in "QKA" for rank in ranks[:2])
    assert describe(spot.hole_cards, spot.board).removesuffix(", on the board").endswith(" high")
    assert draws(spot.hole_cards, spot.board) == ()


@pytest.mark.parametrize(
    ("drill", "topic"),
    [(Drill.POT_ODDS, "a call"), (Drill.POT_ODDS, "defence"), (Drill.KINDS, "strong")],
)
def test_who_has_called_holds_what_one_calls_with(drill: Drill, topic: str) -> None:
    own = [made(drill, topic, 1, seed).observation.hole_cards for seed in range(12)]
    # Half of all hands have less than 49.7% against any two cards.
    assert min(equity_against_random(1)[combo_of(*cards)] for cards in own) > 0.49


@given(level=levels, seed=seeds)
def test_who_defends_as_often_leaves_a_bluff_nothing(level: int, seed: int) -> None:
    exercise = made(Drill.POT_ODDS, "defence", level, seed)
    spot = exercise.observation
    bet = spot.legal.call_amount if spot.legal is not None else 0
    folds = 1 - value_of(exercise) / 100
    assert folds * (spot.pot - bet) - (1 - folds) * bet == pytest.approx(0, abs=1e-6)


@given(topic=st.sampled_from(TOPICS[Drill.OUTS][:4]), level=levels, seed=seeds)
def test_outs_are_the_cards_that_put_the_player_ahead(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.OUTS, topic, level, seed)
    spot = exercise.observation

    def is_ahead(*more: int) -> bool:
        own, *others = (strength((*hand, *spot.board, *more)) for hand in hands(spot))
        return own > max(others)

    assert not is_ahead()
    assert value_of(exercise) == sum(is_ahead(card) for card in unseen(spot))


BOOK = {"flush draw": 9, "open-ended straight draw": 8, "double gutshot": 8, "gutshot": 4}
"""Outs as every beginner's book counts them."""


@given(topic=st.sampled_from(TOPICS[Drill.OUTS][:3]), level=levels, seed=seeds)
@example(topic="straight draws", level=3, seed=15)
@example(topic="flush draws", level=2, seed=20)
@example(topic="straight draws", level=5, seed=155032037)  # two of them put a flush on the board
def test_outs_by_the_book_are_those_of_the_draws(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.OUTS, topic, level, seed)
    said = exercise.explanation[1]
    found = [BOOK[name] for name in said.removeprefix("Drawing: ").split(".")[0].split(" and ")]
    both = 0 if len(found) == 1 else 1 if 4 in found else 2  # each rank of the straight has a card of the flush
    assert f"By the book that is {sum(found) - both} outs;" in said
    if level == 1:
        assert said.endswith("all are good here.")
    if level > 2:
        assert not said.endswith("all are good here.")


@pytest.mark.parametrize(
    ("topic", "level", "seed", "said"),
    [
        # A draw that the other hand has as well.
        ("straight draws", 2, 16, ("4 outs; 4 of them only split the pot, and 3 more help as well.",)),
        (
            "straight draws",
            2,
            22,
            (
                "8 outs; 2 of them are held by others or make them better, and 6 of them only split the pot, and "
                "2 more help as well.",
            ),
        ),
        # The board makes a straight of its own with four cards, which are no outs by any book.
        (
            "flush draws",
            2,
            20,
            (
                "9 outs; 2 of them are held by others or make them better.",
                "3 more only split the pot, and are not counted.",
            ),
        ),
    ],
)
def test_what_only_splits_the_pot_is_not_said_to_make_others_better(
    topic: str, level: int, seed: int, said: tuple[str, ...]
) -> None:
    exercise = made(Drill.OUTS, topic, level, seed)
    _, by_the_book, *others = exercise.explanation
    assert (by_the_book.partition("By the book that is ")[2], *others) == said
    own_and_others, board = hands(exercise.observation), exercise.observation.board
    ties = 0
    for card in unseen(exercise.observation):
        own, *best = (strength((*hand, *board, card)) for hand in own_and_others)
        ties += own == max(best)
    assert ties == sum(int(count) for count in re.findall(r"(\d+) (?:of them|more) only split", " ".join(said)))


@given(level=levels, seed=seeds)
def test_the_chance_of_outs_is_that_of_all_boards(level: int, seed: int) -> None:
    exercise = made(Drill.OUTS, "chances", level, seed)
    spot = exercise.observation
    own_and_others = hands(spot)
    good = set()
    for card in unseen(spot):
        own, *others = (strength((*hand, *spot.board, card)) for hand in own_and_others)
        if own > max(others):
            good.add(card)
    runouts = list(combinations(unseen(spot), 5 - len(spot.board)))
    hits = sum(bool(good & set(runout)) for runout in runouts)
    assert value_of(exercise) == pytest.approx(100 * hits / len(runouts), abs=1e-9)
    assert exercise.question.startswith(f"{len(good)} of the cards")


@given(topic=st.sampled_from(["two hands after the flop", "three hands"]), level=levels, seed=seeds)
def test_an_equity_is_that_of_all_boards(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.EQUITY, topic, level, seed)
    spot = exercise.observation
    players = [{int(combo_of(*hand)): 1.0} for hand in hands(spot)]
    assert value_of(exercise) == pytest.approx(100 * counted(players, spot.board).equity[0], abs=1e-9)


@pytest.mark.slow
def test_an_equity_before_the_flop_is_that_of_all_boards() -> None:
    exercise = made(Drill.EQUITY, "two hands before the flop", 1, 11)
    players = [{int(combo_of(*hand)): 1.0} for hand in hands(exercise.observation)]
    assert value_of(exercise) == pytest.approx(100 * counted(players).equity[0], abs=1e-9)


@given(topic=st.sampled_from(["a range before the flop", "a range after the flop"]), level=levels, seed=seeds)
def test_an_equity_against_a_range_is_that_of_its_combos(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.EQUITY, topic, level, seed)
    spot = exercise.observation
    ((seat, theirs),) = exercise.ranges.items()
    assert seat == spot.opponents[0].seat
    every = combo_equities(spot.board, theirs.weights.astype(np.float64))
    assert every.shape == (COMBO_COUNT,)
    assert value_of(exercise) == pytest.approx(100 * every[combo_of(*spot.hole_cards)], abs=0.01)


@given(level=levels, seed=seeds)
@settings(max_examples=5)
def test_an_equity_against_a_range_on_the_turn_is_that_of_another_evaluator(level: int, seed: int) -> None:
    exercise = made(Drill.EQUITY, "a range after the flop", level, seed)
    spot = exercise.observation
    assume(len(spot.board) == 4)
    ((_, theirs),) = exercise.ranges.items()
    combos = {int(combo): 1.0 for combo in theirs.weights.nonzero()[0]}
    assert np.unique(theirs.weights).tolist() == [0, 1]
    found = counted([{int(combo_of(*spot.hole_cards)): 1.0}, combos], spot.board).equity[0]
    assert value_of(exercise) == pytest.approx(100 * found, abs=1e-6)


@given(topic=st.sampled_from(["on the flop", "on the turn"]), level=levels, seed=seeds)
def test_the_favourite_is_who_wins_most(topic: str, level: int, seed: int) -> None:
    exercise = made(Drill.AHEAD, topic, level, seed)
    spot = exercise.observation
    by_name = dict(zip([spot.me.name, *(view.name for view in spot.opponents)], hands(spot), strict=True))
    shares = counted([{int(combo_of(*hand)): 1.0} for hand in by_name.values()], spot.board).equity
    most = max(shares)
    right = {name for name, share in zip(by_name, shares, strict=True) if share >= most - 0.005}
    assert {choice.text for choice in exercise.choices} == set(by_name)
    assert {choice.text for choice in exercise.choices if choice.points == 100} == right


def test_calls_get_closer_with_the_level() -> None:
    def lead(level: int, seed: int) -> float:
        spot = made(Drill.AHEAD, "on the turn", level, seed).observation
        shares = sorted(counted([{int(combo_of(*hand)): 1.0} for hand in hands(spot)], spot.board).equity)
        return float(shares[-1] - shares[-2])

    means = [np.mean([lead(level, seed) for seed in range(8)]) for level in (1, 3, 5)]
    assert means == sorted(means, reverse=True)
    assert means[0] > 2 * means[2]
