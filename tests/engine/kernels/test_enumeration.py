import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import phevaluator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.kernels.enumeration import PAIR_WIDTH, STATE_WIDTH, automaton, count_completions
from engine.kernels.evaluator import strengths_of_ranks, tables
from engine.strength import Category, category_of
from tests.conftest import ROOT
from tests.engine.kernels.test_evaluator import count_seven


def completions(known, live) -> NDArray[np.int64]:
    return count_completions(np.array(known, dtype=np.uint8), np.array(live, dtype=np.uint8))


def by_phevaluator(known, live) -> dict[int, int]:
    ends = combinations(live, 7 - len(known))
    return Counter(7463 - phevaluator.evaluate_cards(*known, *more) for more in ends)


def counted(counts) -> dict[int, int]:
    return {int(strength): int(counts[strength]) for strength in np.flatnonzero(counts)}


def test_every_hand_of_seven_cards() -> None:
    """The published frequencies (Brian Alspach, "7-card poker hands", 2001), and each strength as by keys."""
    counts = completions([], range(52))
    by_category: Counter[Category] = Counter()
    for strength in np.flatnonzero(counts):
        by_category[category_of(int(strength))] += int(counts[strength])
    assert by_category == {
        Category.STRAIGHT_FLUSH: 41_584,
        Category.FOUR_OF_A_KIND: 224_848,
        Category.FULL_HOUSE: 3_473_184,
        Category.FLUSH: 4_047_644,
        Category.STRAIGHT: 6_180_020,
        Category.THREE_OF_A_KIND: 6_461_620,
        Category.TWO_PAIR: 31_433_400,
        Category.PAIR: 58_627_800,
        Category.HIGH_CARD: 23_294_460,
    }
    assert counts.sum() == comb(52, 7)
    by_keys = np.zeros_like(counts)
    count_seven(tables(), by_keys)
    assert (counts == by_keys).all()


@given(st.permutations(range(52)), st.integers(0, 7), st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_few_live_cards_are_counted_as_by_phevaluator(cards, known, more) -> None:
    """Any number of cards known, in any order; the deck in any order."""
    live = cards[known : 7 + more]
    assert counted(completions(cards[:known], live)) == by_phevaluator(cards[:known], live)


@pytest.mark.parametrize("known", range(8))
@pytest.mark.parametrize("suit", range(4))
def test_decks_full_of_flushes_are_counted_as_by_phevaluator(known, suit) -> None:
    suited = list(range(suit, 52, 4))[2:12]
    others = [card for card in range(30, 48) if card % 4 != suit][:4]
    cards = [*suited[:3], others[0], *suited[3:6], others[1], *suited[6:], *others[2:]]
    assert counted(completions(cards[:known], cards[known:])) == by_phevaluator(cards[:known], cards[known:])


@pytest.mark.parametrize("known", range(8))
def test_decks_full_of_quads_are_counted_as_by_phevaluator(known) -> None:
    cards = [0, 1, 4, 5, 2, 6, 3, 7, 48, 49, 50, 51, 8]
    assert counted(completions(cards[:known], cards[known:])) == by_phevaluator(cards[:known], cards[known:])


def test_too_few_live_cards_complete_nothing() -> None:
    """The kernel reads no further than there are cards."""
    for known in range(7):
        for live in range(7 - known):
            assert not completions(range(known), range(20, 20 + live)).any()
    assert completions(range(7), []).sum() == 1


def test_every_path_of_the_automaton_leads_to_its_multiset() -> None:
    """Whatever order five ranks come in, the row is that of the five; impossible pairs have the strength 0."""
    next_state, pair_strength = automaton()
    rng = np.random.default_rng(1)
    for _ in range(500):
        ranks = rng.permutation(52)[:5] // 4
        state = 0
        for rank in ranks:
            state = int(next_state[state + rank])
        row = pair_strength[state : state + PAIR_WIDTH]
        for high in range(13):
            for low in range(high + 1):
                held = np.array([*ranks, high, low])
                assert row[high * (high + 1) // 2 + low] == strengths_of_ranks(held)
        assert not row[91:].any()
    assert len(next_state) == STATE_WIDTH * sum(comb(12 + count, count) for count in range(5))


def test_tables_cannot_be_changed() -> None:
    for table in automaton():
        assert not table.flags.writeable


def test_the_same_without_a_compiler() -> None:
    program = """
import numpy as np
from engine.kernels.enumeration import count_completions
cards = np.array([0, 1, 48, 44, 40, 36, 5, 32, 28, 2], dtype=np.uint8)
for known in range(8):
    counts = count_completions(cards[:known], cards[known:])
    print(known, *(f"{at}:{counts[at]}" for at in np.flatnonzero(counts)))
"""

    def run(disable_jit: str) -> str:
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("1") == run("0")
