"""Many hands of a policy at a time against the ordinary table: the same chips hand by hand, and the same tree."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.evolved.agent import EvolvedAgent
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy, policy_bytes
from engine.agents.styles import make_agent
from engine.game.events import net_of, start_of
from engine.game.format_file import built_in
from engine.kernels.evolved.tree import MOST_NODES, Tree, new_tree
from engine.lab.evolution.deals import RivalError, deals_of, play
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import PlayedHand, play_decks, players_of

GAME = built_in("heads-up")
STYLES = ("o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "maniac", "random", "always-raise")


def policy_by_lot(seed: int) -> StoredPolicy:
    """Return a policy that does a bit of everything, so that hands are long."""
    random = np.random.default_rng(seed)
    network = NetworkSettings(
        steps=int(random.integers(1, 4)), opponent_width=3, game_width=5, head=(6,), logit_scale=1.0
    )
    weights = random.normal(0, 0.5, network.weights).astype(np.float32)
    weights[-10:-8] = -1, 1
    return StoredPolicy(network, weights)


def at_the_table(plan: MatchPlan) -> tuple[list[int], Tree]:
    """Play a match at the ordinary table; give what the first style won in each hand, and its tree."""
    hands: list[PlayedHand] = []
    players = players_of(plan)
    list(play_decks(plan, players, lambda: 0.0, hands.append))
    agent, won = players[0][0].agent, []
    assert isinstance(agent, EvolvedAgent)
    for played in hands:
        seat_of = {start.name: start.seat for start in start_of(played.hand.events).seats}
        won.append(net_of(played.hand.events)[seat_of[players[0][0].name]])
    assert agent.extractor.learned is not None
    return won, agent.extractor.learned


def trees_agree(one: Tree, other: Tree) -> None:
    nodes = int(one.size[0])
    assert nodes == other.size[0] < MOST_NODES
    for ours, theirs in zip(one, other, strict=True):
        assert ours[:nodes].tolist() == theirs[:nodes].tolist()


@pytest.mark.parametrize("style", STYLES)
def test_every_hand_is_that_of_the_ordinary_table(tmp_path: Path, style: str) -> None:
    seed = STYLES.index(style)
    policy = policy_by_lot(seed)
    path = tmp_path / "by lot.policy"
    path.write_bytes(policy_bytes(policy))
    plan = MatchPlan((str(path), style), seats=2, hands=40, seed=seed, game=GAME)
    won, learned = at_the_table(plan)
    tree = new_tree()
    assert play(deals_of(GAME, seed, 0, 20), style, policy.compiled(), tree).ravel().tolist() == won
    trees_agree(tree, learned)


@pytest.mark.slow
def test_a_style_that_wanders_draws_its_points_as_at_the_ordinary_table(tmp_path: Path) -> None:
    policy = policy_by_lot(5)
    path = tmp_path / "by lot.policy"
    path.write_bytes(policy_bytes(policy))
    won, _ = at_the_table(MatchPlan((str(path), "o-random"), seats=2, hands=1040, seed=3, game=GAME))
    assert play(deals_of(GAME, 3, 0, 520), "o-random", policy.compiled(), new_tree()).ravel().tolist() == won


@settings(max_examples=5)
@given(st.integers(0, 2**63 - 1), st.integers(1, 9))
def test_decks_do_not_depend_on_how_many_are_dealt_at_a_time(seed: int, cut: int) -> None:
    """Nor do hands, by one tree."""
    policy, whole = policy_by_lot(seed % 100), deals_of(GAME, seed, 0, 10)
    parts = [deals_of(GAME, seed, 0, cut), deals_of(GAME, seed, cut, 10 - cut)]
    for name in ("cards", "equities", "chances", "own", "seats"):
        pieces = np.concatenate([getattr(part, name) for part in parts])
        assert pieces.tolist() == getattr(whole, name).tolist()
    one, other = new_tree(), new_tree()
    won = np.concatenate([play(part, "o2", policy.compiled(), one) for part in parts])
    assert play(whole, "o2", policy.compiled(), other).tolist() == won.tolist()
    trees_agree(one, other)


def test_each_deck_is_played_from_both_places() -> None:
    deals = deals_of(GAME, 7, 0, 200)
    assert deals.own.sum(axis=1).tolist() == [1] * 200
    assert 60 < deals.own[:, 0].sum() < 140  # which comes first is drawn: 5.7 standard errors


def test_a_policy_that_plays_as_its_rival_wins_nothing_of_swapped_hands() -> None:
    """One that always calls, against one that does."""
    network = NetworkSettings(opponent_width=1, game_width=1, head=())
    weights = np.zeros(network.weights, np.float32)
    weights[-9] = 100.0
    won = play(deals_of(GAME, 1, 0, 50), "always-call", StoredPolicy(network, weights).compiled(), new_tree())
    assert won.any()
    assert (won.sum(axis=1) == 0).all()


def test_a_rival_must_be_compiled() -> None:
    deals, policy = deals_of(GAME, 1, 0, 2), policy_by_lot(1).compiled()
    with pytest.raises(RivalError, match=r"^'adapter' is not compiled; "):
        play(deals, "adapter", policy, new_tree())
    with pytest.raises(
        RivalError, match=r"^'o-random' draws how it plays from its first hand on, not from deck 2\.$"
    ):
        play(deals_of(GAME, 1, 2, 2), "o-random", policy, new_tree())


def test_a_policy_plays_at_tables_of_two_alone(tmp_path: Path) -> None:
    path = tmp_path / "by lot.policy"
    path.write_bytes(policy_bytes(policy_by_lot(1)))
    with pytest.raises(ValueError, match=r"^'by lot \(.*\)' plays at 2 seats, and this table has 3\.$"):
        MatchPlan((str(path), "o3"), seats=3).verify()
    assert make_agent(str(path)).style == str(path)
    assert replace(MatchPlan((str(path), "o3"), seats=2), hands=10).verify() is None
