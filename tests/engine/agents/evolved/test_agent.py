"""Who plays a policy: what its traces hold, and what it remembers."""

import numpy as np
import pytest

from engine.agents.agent import Remembers, Trace
from engine.agents.evolved.agent import DRAWN, FEATURE_NAMES, OUTPUT_NAMES, EvolvedAgent, policy_ruling
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy
from engine.agents.evolved.seen import PolicySeatsError
from engine.agents.evolved.stored_tree import StoredTree, pruned, stored_tree, style_vectors, tree_of
from engine.agents.explain import explain
from engine.agents.fold.decide import NotToActError
from engine.agents.styles import make_agent
from engine.codec import StoredDataError, decode, encode, pack, unpack
from engine.game.events import GameKind
from engine.game.formats import GameConfig, SeatConfig
from engine.kernels.evolved.network import FEATURES, OUTPUTS
from engine.kernels.evolved.tree import VISITS, Tree, learn_path, new_tree
from engine.play import Dealer
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.stored import evidence_of
from tests.engine.played import play_hand


def agent_by_lot(seed: int = 1) -> EvolvedAgent:
    network = NetworkSettings(opponent_width=3, game_width=4, head=(5,), logit_scale=1.0)
    weights = np.random.default_rng(seed).normal(0, 0.5, network.weights).astype(np.float32)
    weights[-10] = -2.0
    return EvolvedAgent("by lot", StoredPolicy(network, weights))


def session(agent: EvolvedAgent, hands: int, seed: int = 1) -> list[Trace]:
    """Play heads-up with stacks that change; give the traces of the policy."""
    seats = (SeatConfig("policy", "by lot"), SeatConfig("rival", "maniac"))
    config = GameConfig(
        kind=GameKind.CASH, seats=seats, starting_stack=3000, small_blind=50, big_blind=100, seed=seed
    )
    dealer, traces = Dealer(config, {0: agent, 1: make_agent("maniac")}), []
    for _ in range(hands):
        play_hand(dealer)
        traces += [trace for trace in dealer.open_traces() if trace.style == "by lot"]
        for seat, stack in dealer.stacks.items():
            if stack < 3000:
                dealer.top_up(seat, 3000 - stack)
    return traces


def test_a_trace_holds_the_ten_outputs_and_decides_again() -> None:
    traces = session(agent_by_lot(), 40)
    assert len({trace.action.kind for trace in traces}) > 2
    for trace in traces:
        stored = decode(encode(trace), Trace)
        values = {figure.name: figure.value for figure in stored.figures}
        odds = np.array([values[name] for name in OUTPUT_NAMES])
        assert (len(odds), len(FEATURE_NAMES)) == (OUTPUTS, FEATURES)
        assert odds.sum() == pytest.approx(1)
        assert all(0 <= values[name] <= 1 for name in FEATURE_NAMES)
        assert values[DRAWN] == np.random.default_rng([trace.seed, 2]).random()
        assert policy_ruling(stored.observation, stored.figures)[1] == trace.action
        legal = trace.observation.legal
        assert legal is not None
        if legal.can_check:
            assert odds[0] == 0
        if not legal.can_raise:
            assert odds[2:].sum() == 0
        for claim in explain(stored):
            evidence_of(stored, claim.evidence)


def test_a_session_is_reproducible() -> None:
    assert [encode(trace) for trace in session(agent_by_lot(), 10)] == [
        encode(trace) for trace in session(agent_by_lot(), 10)
    ]


def test_who_recalls_a_memory_goes_on_as_the_other_one() -> None:
    one, other = agent_by_lot(), agent_by_lot()
    assert isinstance(one, Remembers)
    session(one, 30)
    other.recall(one.memory())
    assert other.memory() == one.memory()
    assert [encode(trace) for trace in session(one, 10, 2)] == [encode(trace) for trace in session(other, 10, 2)]


def test_another_opponent_is_a_stranger() -> None:
    agent = agent_by_lot()
    session(agent, 30)
    observation = turn_of(deal([10_000] * 2))
    assert agent.decide(observation, 3).trace == agent_by_lot().decide(observation, 3).trace


def test_a_damaged_memory_is_refused_and_changes_nothing() -> None:
    agent = agent_by_lot()
    session(agent, 10)
    before = agent.memory()
    for bad in (b"", b"no", before[:-5], pack(["policy", [2, b"", b"", b"", b"", b""]])):
        with pytest.raises(StoredDataError):
            agent.recall(bad)
        assert agent.memory() == before


@pytest.mark.parametrize("stack", [150, 10_000])
def test_decisions_with_unequal_stacks_and_antes_are_legal(stack: int) -> None:
    table = deal([stack, 3000])
    agent = agent_by_lot(4)
    for _ in range(20):
        if table.is_over:
            break
        table.apply(agent.decide(turn_of(table), 5).action)  # raises if it is not legal


def test_hidden_cards_change_no_decision() -> None:
    """The same public actions and own cards; other cards of the opponent and other cards to come."""
    for words in ("", "300 c | 100"):
        seat = turn_of(play(deal([10_000] * 2, board="AcTd4h7s2h"), words)).seat
        one, other = (
            turn_of(play(deal([10_000] * 2, hole_cards={seat: "KdQd", 1 - seat: theirs}, board=board), words))
            for theirs, board in (("2c2d", "AcTd4h7s2h"), ("AsAh", "AcTd4h9s9h"))
        )
        assert one.hole_cards == other.hole_cards
        assert encode(agent_by_lot().decide(one, 7).trace) == encode(agent_by_lot().decide(other, 7).trace)


def test_a_policy_needs_a_turn_and_one_opponent() -> None:
    with pytest.raises(PolicySeatsError, match=r"^Evolved policies play heads-up, and 3 players are dealt in\.$"):
        agent_by_lot().decide(turn_of(deal([10_000] * 3)), 1)
    table = deal([10_000] * 2)
    waiting = next(seat for seat in table.seats if seat != table.to_act)
    with pytest.raises(NotToActError):
        agent_by_lot().decide(table.observe(waiting), 1)


# Trees


def tree_by_lot(hands: int = 200) -> Tree:
    random, tree = np.random.default_rng(3), new_tree()
    for _ in range(hands):
        path = np.zeros((64, 2), np.int64)
        length = int(random.integers(1, 7))
        path[:length, 0] = random.integers(0, 3, length)
        path[:length, 1] = np.minimum(np.arange(length), 3) * 2 + 8 * (random.random() < 0.5)
        learn_path(tree, path, length, int(random.integers(0, 4)), float(random.random()))
    return tree


def test_a_tree_comes_back() -> None:
    tree = tree_by_lot()
    again = tree_of(unpack(pack(stored_tree(tree)), StoredTree))
    nodes = int(tree.size[0])
    for one, other in zip(tree, again, strict=True):
        assert one[:nodes].tolist() == other[:nodes].tolist()


def test_a_tree_that_does_not_hang_together_is_refused() -> None:
    whole = stored_tree(tree_by_lot())
    random = np.random.default_rng(1)
    for name in ("children", "counts", "actions", "stages", "strengths"):
        data = bytearray(getattr(whole, name))
        data[int(random.integers(len(data) // 4)) * 4 + 3] = 0xFF
        data[-1] = 0xFF
        data[-2] = 0xFF
        with pytest.raises(StoredDataError):
            tree_of(
                StoredTree(
                    **{**{field: getattr(whole, field) for field in whole.__struct_fields__}, name: bytes(data)}
                )
            )
    with pytest.raises(StoredDataError, match="nodes, not 1"):
        tree_of(StoredTree(1, b"", b"", b"", b"", b""))
    with pytest.raises(StoredDataError, match="A tree has 2 to 10 nodes, not"):
        tree_of(whole, 10)


def test_a_pruned_tree_has_the_nodes_that_many_hands_went_through() -> None:
    tree = tree_by_lot()
    smaller = pruned(tree, 15)
    pairs, compared = [(0, 0), (1, 1)], 0
    vectors, smaller_vectors = style_vectors(tree), style_vectors(smaller)
    while pairs:
        one, other = pairs.pop()
        compared += 1
        assert tree.counts[one].tolist() == smaller.counts[other].tolist()
        assert vectors[one].tolist() == smaller_vectors[other].tolist()
        for ours, theirs in zip(tree.children[one].tolist(), smaller.children[other].tolist(), strict=True):
            assert bool(theirs) == bool(ours and tree.counts[ours, VISITS] >= 15)
            if theirs:
                pairs.append((ours, theirs))
    assert compared == smaller.size[0] == len(smaller_vectors) < tree.size[0]


def test_a_style_vector_is_two_rates_and_nine_frequencies() -> None:
    tree = tree_by_lot()
    vectors = style_vectors(tree)
    assert vectors.shape == (tree.size[0], 11)
    assert vectors[:, 2:].sum(axis=1) == pytest.approx(1)
    assert ((vectors >= 0) & (vectors <= 1)).all()
