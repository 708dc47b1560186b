"""Distances to styles and shares of policies, against dictionaries keyed by whole sequences of actions."""

import numpy as np
import pytest

from engine.agents.evolved.stored_tree import library_of, restore_likeness, stored_likeness
from engine.codec import StoredDataError
from engine.kernels.evolved.likeness import (
    ALONE,
    AVERAGE,
    LEAST_VISITS,
    MIXED,
    SAFE,
    Mixing,
    alone,
    learn_hand,
    new_likeness,
    policy_shares,
)
from engine.kernels.evolved.tree import ACTIONS, FOLDS_BELOW, SHOWDOWNS, SHOWN, VISITS, Tree, learn_path, new_tree
from tests.engine.kernels.evolved.test_tree import path_of

Hand = tuple[bool, list[int], int, float]
STYLES = 3
NODES = 2_000


def hands_of(seed: int, count: int) -> list[Hand]:
    """Return hands of a player with tastes of their own."""
    random = np.random.default_rng(seed)
    tastes = random.dirichlet(np.ones(3))
    hands = []
    for _ in range(count):
        actions = random.choice([0, 1, 4], size=int(random.integers(1, 6)), p=tastes).tolist()
        ending = int(random.choice([VISITS, FOLDS_BELOW, SHOWDOWNS, SHOWN]))
        hands.append((bool(random.integers(2)), actions, ending, float(random.random())))
    return hands


def tree_after(hands: list[Hand]) -> Tree:
    tree = new_tree(NODES)
    for is_big_blind, actions, ending, strength in hands:
        learn_path(tree, path_of(is_big_blind, actions), len(actions), ending, strength)
    return tree


def vector_of(hands: list[tuple[Hand, float]], key: tuple) -> tuple[float, np.ndarray, float] | None:
    """Return the visits of a node, its style vector and the hands shown there, by weighted hands."""
    through = [(hand, weight) for hand, weight in hands if (hand[0], *hand[1][: len(key) - 1]) == key]
    through = [(hand, weight) for hand, weight in through if len(hand[1]) >= len(key)]
    visits = sum(weight for _, weight in through)
    if not visits:
        return None
    shown = sum(weight for hand, weight in through if hand[2] == SHOWN)
    strength = sum(weight * hand[3] for hand, weight in through if hand[2] == SHOWN)
    vector = np.zeros(2 + ACTIONS)
    vector[0] = sum(weight for hand, weight in through if hand[2] >= SHOWDOWNS) / visits
    vector[1] = strength / shown if shown else 0.0
    for hand, weight in through:
        vector[2 + hand[1][len(key) - 1]] += weight / visits
    return visits, vector, shown


def expected(live: list[Hand], known: list[list[Hand]], growth: float) -> np.ndarray:
    """Return the totals: weighted distances to each style, and weights, in units of the next hand."""
    found: dict[tuple, tuple[float, np.ndarray]] = {}
    weighted: list[tuple[Hand, float]] = []
    for number, hand in enumerate(live):
        weighted.append((hand, growth**number))
        for at in range(1, len(hand[1]), 2):
            key = (hand[0], *hand[1][:at])
            seen = vector_of(weighted, key)
            assert seen is not None
            visits, vector, shown = seen
            found.pop(key, None)
            if visits < LEAST_VISITS * growth**number * (1 - 1e-12):
                continue
            distances = []
            for style in known:
                there = vector_of([(one, 1.0) for one in style], key)
                if there is None or there[0] < LEAST_VISITS:
                    distances.append(np.nan)
                    continue
                difference = vector - there[1]
                if not (shown and there[2]):
                    difference[1] = 0.0
                distances.append(float(np.sqrt((difference**2).sum())))
            if not np.isnan(distances).all():
                filled = np.where(np.isnan(distances), np.nanmean(distances), distances)
                found[key] = (visits, filled)
    totals = np.zeros(STYLES + 1)
    for visits, distances_there in found.values():
        totals[:STYLES] += visits * distances_there
        totals[STYLES] += visits
    return totals / growth ** len(live)


def mixing_after(
    live: list[Hand], known: list[list[Hand]], growth: float, rule: int = MIXED
) -> tuple[Mixing, Tree]:
    library = library_of([tree_after(hands) for hands in known])
    mixing = Mixing(rule, 20.0, 50.0, library, new_likeness(NODES, STYLES, growth))
    tree = new_tree(NODES)
    for is_big_blind, actions, ending, strength in live:
        learn_hand(tree, mixing, path_of(is_big_blind, actions), len(actions), ending, strength)
    return mixing, tree


@pytest.mark.parametrize(("seed", "growth"), [(1, 1.0), (2, 1.005), (3, 1.0), (4, 1.01)])
def test_totals_are_those_of_all_nodes_that_both_saw_often(seed: int, growth: float) -> None:
    live, known = hands_of(seed, 150), [hands_of(10 * seed + style, 200) for style in range(STYLES)]
    mixing, tree = mixing_after(live, known, growth)
    found = mixing.likeness.totals / mixing.likeness.weight[0]
    assert found == pytest.approx(expected(live, known, growth), rel=1e-5, abs=1e-7)
    assert found[STYLES] > 30
    assert tree.size[0] < NODES


def test_numbers_stay_bounded_when_much_is_forgotten() -> None:
    random, growth = np.random.default_rng(8), 1.05
    live: list[Hand] = [(True, [1, 4 * int(random.integers(2))], SHOWN, float(random.random())) for _ in range(450)]
    known = [[(True, [1, style], SHOWN, 0.5)] * 20 for style in range(STYLES)]
    mixing, _ = mixing_after(live, known, growth)
    assert mixing.likeness.weight[0] < growth**450 / 1e6
    found = mixing.likeness.totals / mixing.likeness.weight[0]
    assert found == pytest.approx(expected(live, known, growth), rel=1e-5, abs=1e-7)
    assert found[STYLES] == pytest.approx(1 / (growth - 1), rel=1e-3)


def test_who_recalls_what_was_seen_goes_on_as_if_there_had_been_no_break() -> None:
    live, known = hands_of(7, 300), [hands_of(70 + style, 200) for style in range(STYLES)]
    whole, _ = mixing_after(live, known, 1.01)
    half, tree = mixing_after(live[:150], known, 1.01)
    stored = stored_likeness(half.likeness, int(tree.size[0]))
    resumed = half._replace(likeness=new_likeness(NODES, STYLES, 1.01))
    restore_likeness(stored, tree, resumed)
    for is_big_blind, actions, ending, strength in live[150:]:
        learn_hand(tree, resumed, path_of(is_big_blind, actions), len(actions), ending, strength)
    for ours, theirs in zip(resumed.likeness, whole.likeness, strict=True):
        assert np.array_equal(ours, theirs)


def test_a_likeness_of_other_styles_is_refused() -> None:
    live, known = hands_of(7, 50), [hands_of(70 + style, 200) for style in range(STYLES)]
    mixing, tree = mixing_after(live, known, 1.0)
    stored = stored_likeness(mixing.likeness, int(tree.size[0]))
    fewer = mixing._replace(likeness=new_likeness(NODES, 2, 1.0))
    with pytest.raises(StoredDataError, match="of other styles or another tree"):
        restore_likeness(stored, tree, fewer)


def test_the_nearest_style_decides_most() -> None:
    known = [hands_of(70 + style, 3_000) for style in range(STYLES)]
    for style in range(STYLES):
        mixing, _ = mixing_after(hands_of(70 + style, 400), known, 1.0)
        distances, shares = np.zeros(STYLES), np.zeros(STYLES + 1)
        decisions = policy_shares(mixing, distances, shares)
        assert distances.argmin() == shares.argmax() == style
        assert shares[:STYLES] == pytest.approx(np.exp(-20 * distances) / np.exp(-20 * distances).sum())
        assert (shares.sum(), shares[STYLES]) == (pytest.approx(1), 0)
        totals = mixing.likeness.totals
        assert decisions == totals[STYLES] > 50
        assert distances == pytest.approx(totals[:STYLES] / totals[STYLES])


def test_the_safe_policy_decides_while_too_little_is_known() -> None:
    known = [hands_of(70 + style, 3_000) for style in range(STYLES)]
    distances, shares = np.zeros(STYLES), np.zeros(STYLES + 1)
    is_safe = []
    for count in (0, 10, 100, 900):
        mixing, _ = mixing_after(hands_of(71, count), known, 1.0, SAFE)
        decisions = policy_shares(mixing, distances, shares)
        is_safe.append(shares.tolist() == [0, 0, 0, 1])
        assert is_safe[-1] == (decisions < 50)
    assert (is_safe[0], is_safe[-1]) == (True, False)


def test_all_policies_alike_or_one_alone() -> None:
    known = [hands_of(70 + style, 300) for style in range(STYLES)]
    for rule, hands in ((AVERAGE, 100), (MIXED, 0)):  # who knows nothing takes all alike
        mixing, _ = mixing_after(hands_of(71, hands), known, 1.0, rule)
        distances, shares = np.zeros(STYLES), np.zeros(STYLES + 1)
        policy_shares(mixing, distances, shares)
        assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    one, share = alone(), np.zeros(1)
    assert one.rule == ALONE
    policy_shares(one, np.zeros(0), share)
    assert share.tolist() == [1]
