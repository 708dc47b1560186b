"""Mistakes asked again: the same spot, the same cards or others, judged as a review judges decisions."""

from functools import cache

import numpy as np
import pytest
from msgspec import structs

from engine.agents.learned.reader import LearnedReader
from engine.cards import Street, cards_of, combo_of, parse_cards
from engine.game.events import CALL, CHECK, FOLD, GameKind, raise_to, with_start
from engine.game.history import decided_next
from engine.game.observation import Observation
from engine.review import decision as judging
from engine.review.decision import every_action_reviewed, reviewed
from engine.training import mistakes, play
from engine.training.exercise import RIGHT_POINTS, Drill, Exercise
from engine.training.mistakes import Mistake, again
from engine.training.spots import any_setting, before_the_flop, deal, play_to, to_bet, to_check
from engine.training.usual_play import usual_play


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer hands out: what is asked is which answer follows from the values, not how good they are."""
    monkeypatch.setattr(judging, "_STEPS", dict.fromkeys(judging._STEPS, 4))
    monkeypatch.setattr(play, "CANDIDATES", 3)
    monkeypatch.setattr(mistakes, "FEW_STEPS", 1)


@cache
def spot_on(street: Street, *, is_bet: bool = True) -> Observation:
    """Give a spot of a player who came so far by calling."""
    setting = any_setting(np.random.default_rng(5), is_in_big_blind=True)
    hand = {setting.you: cards_of(combo_of(*parse_cards("QsJs")))}
    table = deal(setting, np.random.default_rng(6), hand, parse_cards("Qh 8s 3s 2d Kc"))
    if street is Street.PREFLOP:
        return play_to(table, setting.you, lambda seen: before_the_flop(seen, setting.in_hand), lambda _: True)
    return to_bet(setting, table, street, (0.5,) * 3) if is_bet else to_check(setting, table, street)


streets = pytest.mark.parametrize("street", Street, ids=lambda street: street.name)


def mistake(spot: Observation) -> Mistake:
    """Give the decision of least worth in a spot as if it had been made."""
    reader = LearnedReader()
    passive = CHECK if spot.legal is not None and spot.legal.can_check else CALL
    judged = every_action_reviewed(spot, passive, reader.read(spot), reader, seed=0)
    return Mistake("7 12 AhKd", "hand 3", spot, max(judged, key=lambda one: one.loss_bb - 2 * one.deals_stderr))


def asked(spot: Observation, seed: int = 1, *, is_fresh: bool) -> tuple[Mistake, Exercise]:
    made = mistake(spot)
    return made, again(made, LearnedReader(), seed, "{:,}".format, is_fresh=is_fresh)


@pytest.mark.parametrize("kind", GameKind)
def test_a_price_of_risk_is_told_where_it_counts(kind: GameKind) -> None:
    """There a bet may be said to lose what the table of values beside it has it win."""
    events = with_start(spot_on(Street.RIVER).events, kind=kind)
    _, exercise = asked(structs.replace(spot_on(Street.RIVER), kind=kind, events=events), is_fresh=False)
    assert ("in a tournament risk has a price" in exercise.explanation[-1]) == (kind is GameKind.TOURNAMENT)


@streets
def test_every_action_is_judged_as_if_it_had_been_taken(street: Street) -> None:
    spot = spot_on(street)
    reader = LearnedReader()
    assert spot.legal is not None
    odd = raise_to(spot.legal.min_raise_to + 7) if spot.legal.can_raise else FOLD
    for taken in (FOLD, odd):
        judged = every_action_reviewed(spot, taken, reader.read(spot), reader, seed=4)
        actions = [one.action for one in judged]
        assert len(set(actions)) == len(actions)
        assert set(actions) == {one.action for one in judged[0].values.actions} | {taken}
        assert judged[actions.index(taken)] == reviewed(spot, taken, reader.read(spot), reader, seed=4)


@streets
def test_the_very_hand_is_judged_as_in_its_review(street: Street) -> None:
    spot = spot_on(street)
    made, exercise = asked(spot, is_fresh=False)
    assert (exercise.drill, exercise.topic, exercise.title) == (Drill.MISTAKES, made.name, made.title)
    assert exercise.observation == spot
    assert exercise.question.startswith("The very hand again.")
    done = next(choice for choice in exercise.choices if choice.action == made.decision.action)
    assert done.lost_bb == pytest.approx(max(made.decision.loss_bb, 0))
    if not made.decision.grade.is_good:
        assert done.points < RIGHT_POINTS, "what the review blames is not right here"
    assert f"{made.decision.loss_bb:.1f} ± {made.decision.stderr:.1f} bb" in exercise.explanation[1]


@streets
@pytest.mark.parametrize("seed", [1, 2])
def test_other_cards_leave_the_spot_as_it_was(street: Street, seed: int) -> None:
    spot = spot_on(street)
    made, exercise = asked(spot, seed, is_fresh=True)
    found = exercise.observation
    assert structs.replace(found, hole_cards=spot.hole_cards) == spot
    assert len({*found.hole_cards, *found.board}) == 2 + len(found.board)
    assert exercise.question.startswith("The same spot with other cards.")
    assert again(made, LearnedReader(), seed, "{:,}".format, is_fresh=True) == exercise
    # What was done then and something right are always there, and sizes are few enough for the keys 1 to 9.
    assert made.decision.action in [choice.action for choice in exercise.choices]
    assert max(choice.points for choice in exercise.choices) == 100
    assert 2 <= len(exercise.choices) <= 9
    assert len({choice.text for choice in exercise.choices}) == len(exercise.choices)


@streets
def test_points_fall_with_what_is_lost_over_the_pot(street: Street) -> None:
    spot = spot_on(street)
    _, exercise = asked(spot, is_fresh=False)
    reader = LearnedReader()
    pot_bb = max(spot.pot / spot.big_blind, 4)
    for choice in exercise.choices:
        assert choice.action is not None
        judged = reviewed(spot, choice.action, reader.read(spot), reader, seed=0)
        value = judged.values.of(choice.action)
        if judged.values != exercise.values:
            continue  # a size that was not among those compared
        is_usual = value is not None and value.usual >= 0.05
        lost = max(judged.loss_bb - (judged.stderr if is_usual else 0), 0)
        if not judged.grade.is_good:
            assert choice.points <= RIGHT_POINTS
            lost = max(lost, judged.share * pot_bb)
        assert choice.points == pytest.approx(max(100 * (1 - lost / (pot_bb / 4)), 0))


@pytest.mark.parametrize(
    ("spot", "said"),
    [
        (spot_on(Street.PREFLOP), "raises to 250. You are in the BB and have Q♠J♠."),
        (spot_on(Street.FLOP), "bets 300 into 550. You are in the BB and have a pair of queens"),
        (spot_on(Street.TURN, is_bet=False), "You are first to act. You are in the BB"),
    ],
    ids=["raise", "bet", "nothing"],
)
def test_what_is_faced_is_said_in_words(spot: Observation, said: str) -> None:
    _, exercise = asked(spot, is_fresh=False)
    assert said in exercise.question
    assert exercise.question.endswith("What do you do?")
    texts = [choice.text for choice in exercise.choices]
    assert ("Fold" in texts) == ("Check" not in texts)
    assert any(text.startswith("Bet ") for text in texts) == ("Check" in texts)


@pytest.mark.slow
def test_cards_are_those_with_which_players_differ() -> None:
    """Of what is held here most is folded or called by everybody: that is not asked about."""
    spot = spot_on(Street.PREFLOP)
    play = usual_play(decided_next(spot))
    agreed = play.shares.max(axis=1)
    drawn = [asked(spot, seed, is_fresh=True)[1].observation.hole_cards for seed in range(6)]
    everybody = float(play.reach @ agreed)
    assert np.mean([agreed[combo_of(*cards)] for cards in drawn]) < everybody
