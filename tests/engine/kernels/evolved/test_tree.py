"""The tree of the feature extractor against dictionaries keyed by whole sequences of actions."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels.evolved import tree as kernels
from engine.kernels.evolved.tree import (
    ACTIONS,
    BIG_BLIND_ROOT,
    FOLDS_BELOW,
    MOST_PATH,
    NOT_THERE,
    SHOWDOWNS,
    SHOWN,
    SMALL_BLIND_ROOT,
    VISITS,
    Tree,
    action_of_size,
    clear_tree,
    find_node,
    learn_path,
    new_tree,
    opponent_features,
)

HANDS = st.lists(
    st.tuples(
        st.booleans(),
        st.lists(st.integers(0, 3), min_size=1, max_size=8),
        st.sampled_from([VISITS, FOLDS_BELOW, SHOWDOWNS, SHOWN]),
        st.floats(0, 1),
    ),
    max_size=30,
)


def path_of(is_big_blind: bool, actions: list[int]) -> np.ndarray:
    path = np.zeros((MOST_PATH, 2), np.int64)
    for at, action in enumerate(actions):
        path[at] = action, 2 * (min(at // 2, 3) + 4 * is_big_blind) + at % 2
    return path


def learned(hands: list[tuple[bool, list[int], int, float]], capacity: int = 1000) -> Tree:
    tree = new_tree(capacity)
    for is_big_blind, actions, ending, strength in hands:
        learn_path(tree, path_of(is_big_blind, actions), len(actions), ending, strength)
    return tree


def root_of(is_big_blind: bool) -> int:
    return BIG_BLIND_ROOT if is_big_blind else SMALL_BLIND_ROOT


@settings(max_examples=40)
@given(HANDS)
def test_counts_are_those_of_all_hands_with_that_beginning(
    hands: list[tuple[bool, list[int], int, float]],
) -> None:
    tree = learned(hands)
    visits: Counter[tuple[bool, ...]] = Counter()
    endings: dict[tuple, Counter] = defaultdict(Counter)
    taken: dict[tuple, Counter] = defaultdict(Counter)
    strengths: dict[tuple, float] = defaultdict(float)
    for is_big_blind, actions, ending, strength in hands:
        for length, action in enumerate(actions):
            key = (is_big_blind, *actions[:length])
            visits[key] += 1
            endings[key][ending] += 1
            taken[key][action] += 1
            strengths[key] += strength if ending == SHOWN else 0
    assert tree.size[0] == len({key for key in visits if len(key) > 1}) + 2
    for key, count in visits.items():
        node = find_node(tree, root_of(key[0]), path_of(key[0], list(key[1:])), len(key) - 1)
        assert node != NOT_THERE
        seen = endings[key]
        shown, showdowns = seen[SHOWN], seen[SHOWN] + seen[SHOWDOWNS]
        assert tree.counts[node].tolist() == [count, seen[FOLDS_BELOW], showdowns, shown]
        assert tree.actions[node].tolist() == [taken[key][action] for action in range(ACTIONS)]
        assert tree.strengths[node] == pytest.approx(strengths[key])
        stage, is_opponent = divmod(int(tree.stages[node]), 2)
        assert (stage, is_opponent) == (
            min((len(key) - 1) // 2, 3) + 4 * key[0],
            (len(key) - 1 + (len(key) == 1 and key[0])) % 2,
        )
        features = np.zeros(10, np.float32)
        opponent_features(tree, node, root_of(key[0]), features)
        usual = kernels._WEIGHT * np.array([kernels._USUAL_RATE, kernels._USUAL_RATE, kernels._USUAL_STRENGTH])
        assert features[:4] == pytest.approx(
            [
                count / visits[(key[0],)],
                (seen[FOLDS_BELOW] + usual[0]) / (count + 2),
                (showdowns + usual[1]) / (count + 2),
                (strengths[key] + usual[2]) / (shown + 2),
            ],
            rel=1e-6,
        )
        assert not features[4:].any()


@given(HANDS)
@settings(max_examples=20)
def test_what_was_never_seen_is_not_there_and_tells_what_is_usual(
    hands: list[tuple[bool, list[int], int, float]],
) -> None:
    tree = learned(hands)
    assert find_node(tree, SMALL_BLIND_ROOT, path_of(False, [8]), 1) == NOT_THERE
    assert find_node(tree, SMALL_BLIND_ROOT, path_of(False, [8, 1, 1]), 3) == NOT_THERE
    features, stranger = np.zeros(10, np.float32), np.zeros(10, np.float32)
    opponent_features(tree, NOT_THERE, SMALL_BLIND_ROOT, features)
    opponent_features(new_tree(2), SMALL_BLIND_ROOT, SMALL_BLIND_ROOT, stranger)
    assert features.tolist() == stranger.tolist()


@given(HANDS)
@settings(max_examples=20)
def test_a_full_tree_takes_no_new_nodes_and_counts_on(hands: list[tuple[bool, list[int], int, float]]) -> None:
    whole, small = learned(hands), learned(hands, 5)
    assert small.size[0] == min(whole.size[0], 5)
    for root in (SMALL_BLIND_ROOT, BIG_BLIND_ROOT):
        assert small.counts[root].tolist() == whole.counts[root].tolist()
        assert small.actions[root].tolist() == whole.actions[root].tolist()


def test_a_cleared_tree_is_a_new_one() -> None:
    tree = learned([(True, [1, 2, 3], SHOWN, 0.5), (False, [2, 2], FOLDS_BELOW, 0.0)])
    clear_tree(tree)
    again = new_tree(1000)
    learn_path(tree, path_of(False, [2, 2, 1]), 3, VISITS, 0.0)
    learn_path(again, path_of(False, [2, 2, 1]), 3, VISITS, 0.0)
    nodes = int(again.size[0])
    for one, other in zip(tree, again, strict=True):
        assert one[:nodes].tolist() == other[:nodes].tolist()


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_raises_are_told_apart_by_the_bounds_of_the_paper(extra: int, pot: int) -> None:
    bounds = (0.125, 0.375, 0.75, 1.25, 2.0, 4.0)
    assert action_of_size(extra, pot) == 2 + sum(extra / pot > bound for bound in bounds)
