"""The ensemble paper's pool: shares of hands and aggression as stated, and the player who draws points of it."""

from functools import cache

import numpy as np
import pytest

from engine.agents.explain import explain
from engine.agents.rule_based.pool import (
    AGGRESSION_NOW,
    HANDS_LEFT,
    HANDS_OF_A_POINT,
    PLAYED_NOW,
    POOL,
    Point,
    PoolWanderer,
    temper_at,
)
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.styles import STYLES, make_agent
from engine.cards import CLASS_COUNT, COMBO_CLASS, cards_of, format_cards
from engine.codec import StoredDataError, encode
from engine.game.events import ActionKind
from engine.game.observation import Observation
from tests.engine.agents.hands import BOARDS, deal, play, turn_of

DEEP = [10_000] * 2

# What is done first, heads-up in the small blind, facing a raise in the big blind, and at six seats under the gun
# and on the button after a raise; whose turn it is then.
SPOTS = {"small blind": (2, "", 0), "big blind": (2, "250", 1), "early": (6, "", 3), "late": (6, "300 f f", 0)}


@cache
def before_the_flop(style: str, spot: str) -> dict[ActionKind, float]:
    """Return the share of all hands that a style folds, calls and raises, by one combo of each class."""
    seats, words, seat = SPOTS[spot]
    agent, done = make_agent(style), dict.fromkeys(ActionKind, 0.0)
    for number in range(CLASS_COUNT):
        combos = np.flatnonzero(number == COMBO_CLASS)
        hole_cards = {seat: format_cards(cards_of(int(combos[0])))}
        observation = turn_of(play(deal([10_000] * seats, hole_cards=hole_cards), words))
        assert observation.seat == seat
        done[agent.decide(observation, 1).action.kind] += len(combos) / len(COMBO_CLASS)
    return done


@pytest.mark.parametrize("spot", SPOTS)
@pytest.mark.parametrize(
    ("style", "share"),
    [
        *(("o1", 0.7), ("o2", 0.7), ("o3", 0.1), ("o4", 0.1)),
        *(("o5", 0.5), ("o6", 0.5), ("o7", 0.3), ("o8", 0.3)),
    ],
)
def test_each_plays_its_share_of_hands_for_a_blind_and_for_a_raise(style: str, share: float, spot: str) -> None:
    assert 1 - before_the_flop(style, spot)[ActionKind.FOLD] == pytest.approx(share, abs=0.02)


def after_the_flop(style: str, words: str, kind: ActionKind) -> float:
    """Return how often a style does something on some flops, heads-up in the small blind."""
    agent, done, random = make_agent(style), [], np.random.default_rng(3)
    for board in BOARDS:
        for combo in random.permutation(len(COMBO_CLASS))[:60].tolist():
            hole_cards = cards_of(combo)
            if not set(hole_cards) & set(board):
                table = deal(DEEP, hole_cards={0: format_cards(hole_cards)}, board=format_cards(board))
                decision = agent.decide(turn_of(play(table, words)), combo)
                done.append(decision.action.kind is kind)
    return sum(done) / len(done)


@pytest.mark.parametrize(
    ("passive", "more", "aggressive", "most"), [("o1", "o5", "o6", "o2"), ("o3", "o7", "o8", "o4")]
)
def test_aggression_rises_as_its_words_do(passive: str, more: str, aggressive: str, most: str) -> None:
    styles = (passive, more, aggressive, most)
    for spot in SPOTS:
        done = [before_the_flop(style, spot) for style in styles]
        raised = [one[ActionKind.RAISE] / (one[ActionKind.RAISE] + one[ActionKind.CALL]) for one in done]
        assert raised == sorted(set(raised)), spot
    bets = [after_the_flop(style, "300 c | x", ActionKind.RAISE) for style in styles]
    assert bets == sorted(set(bets))
    assert bets[0] < 0.1
    assert bets[-1] > 0.6
    raises = [after_the_flop(style, "300 c | 300", ActionKind.RAISE) for style in styles]
    assert raises == sorted(raises)
    assert raises[0] < 0.03 < 0.1 < raises[-1]


def test_the_eight_are_points_of_one_space() -> None:
    for name, point in POOL.items():
        agent = make_agent(name)
        assert isinstance(agent, RuleAgent)
        assert agent.temper == temper_at(point)
    middle = temper_at(Point(0.4, 0.5))
    for number in ("early", "raised", "three_bet", "bet", "raise_", "bluff", "call_floor"):
        corners = [
            getattr(temper_at(Point(played, aggression)), number) for played in (0.1, 0.7) for aggression in (0, 1)
        ]
        assert min(corners) < getattr(middle, number) < max(corners)


def test_what_is_meant_is_what_the_paper_states() -> None:
    intended = STYLES["o4"].intended
    assert intended is not None
    assert (intended.played, intended.aggression) == ((0.1, 0.1), "extremely aggressive")
    assert "10%" in STYLES["o4"].title


# The one who draws


def point_of(agent: PoolWanderer, observation: Observation) -> tuple[float, float, float]:
    figures = {figure.name: figure.value for figure in agent.decide(observation, 1).trace.figures}
    return figures[PLAYED_NOW], figures[AGGRESSION_NOW], figures[HANDS_LEFT]


def finished(hole_cards: str = "AcKd") -> Observation:
    return play(deal(DEEP, hole_cards={0: hole_cards}), "f").observe(0)


def test_a_point_is_kept_for_five_hundred_hands() -> None:
    agent = PoolWanderer()
    first = point_of(agent, turn_of(deal(DEEP, hole_cards={0: "AcKd"})))
    assert first[2] == HANDS_OF_A_POINT == 500
    agent.hand_finished(finished())
    for played in range(1, 500):
        if played % 100 == 1:
            assert point_of(agent, turn_of(deal(DEEP, hole_cards={0: "7c2d"}))) == (*first[:2], 500 - played)
        agent.hand_finished(finished("9c8d"))
    second = point_of(agent, turn_of(deal(DEEP, hole_cards={0: "7c2d"})))
    assert second[2] == 500
    assert abs(second[0] - first[0]) > 1e-3
    assert abs(second[1] - first[1]) > 1e-3


def test_points_fill_the_space_and_come_again_with_the_same_cards() -> None:
    cards = [format_cards(cards_of(combo)) for combo in range(0, 1326, 3)]
    points = [point_of(PoolWanderer(), turn_of(deal(DEEP, hole_cards={0: one}))) for one in cards]
    again = [point_of(PoolWanderer(), turn_of(deal(DEEP, hole_cards={0: one}))) for one in cards]
    assert points == again
    played, aggression, _ = (np.array(column) for column in zip(*points, strict=True))
    assert 0.1 <= played.min() < 0.12 < 0.68 < played.max() <= 0.7
    assert 0.0 <= aggression.min() < 0.03 < 0.97 < aggression.max() <= 1.0
    assert abs(np.corrcoef(played, aggression)[0, 1]) < 0.15


def test_it_plays_as_the_point_does() -> None:
    agent = PoolWanderer()
    observation = turn_of(play(deal(DEEP, hole_cards={0: "Jc9d"}, board="7h7d2s3s4c"), "300 c | 300"))
    decision = agent.decide(observation, 5)
    played, aggression, _ = point_of(agent, observation)
    twin = RuleAgent("twin", temper_at(Point(played, aggression))).decide(observation, 5)
    assert decision.action == twin.action
    said = [claim.text for claim in explain(decision.trace)]
    assert said[-2].startswith(f"We play {played:.1%} of hands now, with an aggression of {aggression:.1%}")
    assert said[-2].endswith("another point is drawn after 500 hands, this one included.")


def test_another_with_the_same_memory_goes_on_alike() -> None:
    agent, other = PoolWanderer(), PoolWanderer()
    for _ in range(3):
        agent.hand_finished(finished("Jc9d"))
    other.recall(agent.memory())
    observation = turn_of(deal(DEEP, hole_cards={0: "7c2d"}))
    assert encode(other.decide(observation, 2).trace) == encode(agent.decide(observation, 2).trace)
    for damaged in (b"", b"rubbish", agent.memory()[:-3]):
        with pytest.raises(StoredDataError):
            other.recall(damaged)
    assert other.memory() == agent.memory()
