"""Policies that decide together: at the table as in many hands at a time, by what was seen, and nothing hidden."""

import numpy as np
import pytest

from engine.agents.agent import Trace
from engine.agents.evolved.agent import (
    ALIKE_RULE,
    DECISIONS,
    DISTANCE,
    MIXED_RULE,
    OUTPUT_NAMES,
    SAFE_POLICY,
    SAFE_RULE,
    SHARE,
    EvolvedAgent,
    considered,
    feature_rows,
    policy_ruling,
)
from engine.agents.evolved.ensemble import Ensemble, MixingNumbers, MixingRule
from engine.agents.evolved.library import StyleLibrary
from engine.agents.evolved.policy import NetworkSettings, PolicyFileError, StoredPolicy
from engine.agents.evolved.seen import see
from engine.agents.explain import explain
from engine.codec import decode, encode
from engine.game.events import net_of, start_of
from engine.kernels.evolved.tree import new_tree
from engine.lab.evolution.deals import deals_of
from engine.lab.evolution.deals import play as play_many
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import PlayedHand, play_decks, players_of
from tests.engine.agents.evolved.ensembles import GAME, STYLES, ensemble_by_lot, policy_by_lot, tree_by_lot
from tests.engine.agents.evolved.test_agent import session
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.stored import evidence_of

RULES = list(MixingRule)


def agent_of(rule: MixingRule, numbers: MixingNumbers | None = None) -> EvolvedAgent:
    return EvolvedAgent("by lot", ensemble_by_lot(rule, numbers))


@pytest.mark.parametrize("rule", RULES)
def test_every_hand_is_that_of_the_ordinary_table(rule: MixingRule) -> None:
    numbers = MixingNumbers(least_decisions=40.0, remembered=60.0)
    plan = MatchPlan(("o6", "o2"), seats=2, hands=80, seed=5, game=GAME)
    players, hands = players_of(plan), list[PlayedHand]()
    agent = players[0][0].agent = agent_of(rule, numbers)
    list(play_decks(plan, players, lambda: 0.0, hands.append))
    won = []
    for played in hands:
        seat_of = {start.name: start.seat for start in start_of(played.hand.events).seats}
        won.append(net_of(played.hand.events)[seat_of[players[0][0].name]])
    policy = ensemble_by_lot(rule, numbers).compiled()
    assert play_many(deals_of(GAME, 5, 0, 40), "o2", policy, new_tree()).ravel().tolist() == won
    assert agent.extractor.policy is not None
    for ours, theirs in zip(agent.extractor.policy.mixing.likeness, policy.mixing.likeness, strict=True):
        assert np.allclose(ours, theirs, rtol=1e-12)
    assert policy.mixing.likeness.totals[-1] > 0


def test_a_trace_holds_distances_and_shares_and_decides_again() -> None:
    traces = session(agent_of(MixingRule.SAFE, MixingNumbers(least_decisions=25.0, remembered=200.0)), 60)
    assert {trace.rule for trace in traces} == {MIXED_RULE, SAFE_RULE}
    for trace in traces:
        stored = decode(encode(trace), Trace)
        values = {figure.name: figure.value for figure in stored.figures}
        shares = [values[f"{SHARE}{name}"] for name in (*STYLES, SAFE_POLICY)]
        assert sum(shares) == pytest.approx(1)
        assert sum(values[name] for name in OUTPUT_NAMES) == pytest.approx(1)
        assert policy_ruling(stored.observation, stored.figures)[:2] == (trace.rule, trace.action)
        if trace.rule == MIXED_RULE:
            distances = np.array([values[f"{DISTANCE}{name}"] for name in STYLES])
            weights = np.exp(-MixingNumbers().temperature * distances)
            assert shares[:-1] == pytest.approx(weights / weights.sum())
            assert values[DECISIONS] >= 25
        else:
            assert shares == [0, 0, 0, 1]
        for claim in explain(stored):
            evidence_of(stored, claim.evidence)


def test_a_decision_of_all_policies_alike_does_not_speak_of_styles_that_are_near() -> None:
    traces = session(agent_of(MixingRule.AVERAGE), 60)
    assert {trace.rule for trace in traces} == {ALIKE_RULE}
    assert any(figure.name == DECISIONS and figure.value for figure in traces[-1].figures)
    stranger, *_ = session(agent_of(MixingRule.MIXED), 1)
    assert stranger.rule == ALIKE_RULE
    for trace in (stranger, traces[-1]):
        (said,) = explain(trace)
        assert said.text.startswith("The policies against each style, all taken alike, do this ")


def test_the_mixture_is_the_policies_weighted_by_their_shares() -> None:
    agent = agent_of(MixingRule.MIXED)
    session(agent, 60)
    observation = turn_of(deal([10_000] * 2))
    policy, tree = agent.extractor.of(observation)
    hand = see(observation)
    rows, _ = feature_rows(hand, tree)
    mind = considered(policy, tree, hand, rows, observation)
    singles = [
        considered(one.compiled(), tree, hand, rows, observation).mixed for one in map(policy_by_lot, (1, 2, 3))
    ]
    assert mind.mixed == pytest.approx(np.array(singles).T @ mind.shares[:3])
    assert mind.shares[3] == 0


@pytest.mark.parametrize("rule", RULES)
def test_who_recalls_a_memory_goes_on_as_the_other_one(rule: MixingRule) -> None:
    one, other = agent_of(rule), agent_of(rule)
    session(one, 40)
    other.recall(one.memory())
    assert other.memory() == one.memory()
    assert [encode(trace) for trace in session(one, 15, 2)] == [encode(trace) for trace in session(other, 15, 2)]


@pytest.mark.parametrize("rule", RULES)
def test_hidden_cards_change_no_decision(rule: MixingRule) -> None:
    """The same public actions and own cards; other cards of the opponent and other cards to come."""
    agent = agent_of(rule)
    session(agent, 40)
    for words in ("", "300 c | 100"):
        seat = turn_of(play(deal([10_000] * 2, board="AcTd4h7s2h"), words)).seat
        one, other = (
            turn_of(play(deal([10_000] * 2, hole_cards={seat: "KdQd", 1 - seat: theirs}, board=board), words))
            for theirs, board in (("2c2d", "AcTd4h7s2h"), ("AsAh", "AcTd4h9s9h"))
        )
        assert one.hole_cards == other.hole_cards
        assert encode(agent.decide(one, 7).trace) == encode(agent.decide(other, 7).trace)


def test_policies_must_fit_each_other_and_the_styles() -> None:
    library = StyleLibrary(1200, 1, {style: tree_by_lot(style) for style in STYLES})
    policies = {style: policy_by_lot(1) for style in STYLES}
    other = NetworkSettings(opponent_width=2, game_width=2, head=())
    alien = StoredPolicy(other, np.zeros(other.weights, np.float32))
    for bad, base in (({"o1": policy_by_lot(1)}, policy_by_lot(2)), (policies, alien)):
        with pytest.raises(PolicyFileError, match=r"^Policies that decide together are one for each style, "):
            Ensemble(bad, base, library, MixingRule.SAFE)


def test_another_opponent_is_a_stranger() -> None:
    agent = agent_of(MixingRule.SAFE)
    session(agent, 40)
    observation = turn_of(deal([10_000] * 2))
    assert agent.decide(observation, 3).trace == agent_of(MixingRule.SAFE).decide(observation, 3).trace
