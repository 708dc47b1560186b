import os
import subprocess
import sys
from itertools import pairwise, permutations
from math import comb

import eval7
import numpy as np
import phevaluator
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import format_card, relabel_suits
from engine.kernels.evaluator import (
    START_KEY,
    EvaluatorTables,
    flush_shift,
    rank_multisets,
    strength_of_key,
    strengths_of,
    strengths_of_ranks,
    tables,
)
from engine.kernels.jit import kernel
from engine.strength import strength
from tests.conftest import ROOT

# Sizes of the classes from high card to straight flush: how many of the strengths 1-7462 each has.
CLASS_SIZES = [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]


@kernel
def count_seven(tables: EvaluatorTables, counts: NDArray[np.int64]) -> None:
    """Count the strengths of all hands of seven cards."""
    key, mask, row_offset, rank_strength, flush_strength = tables
    for a in range(52):
        for b in range(a):
            key_b, mask_b = START_KEY + key[a] + key[b], mask[a] + mask[b]
            for c in range(b):
                key_c, mask_c = key_b + key[c], mask_b + mask[c]
                for d in range(c):
                    key_d, mask_d = key_c + key[d], mask_c + mask[d]
                    for e in range(d):
                        key_e, mask_e = key_d + key[e], mask_d + mask[e]
                        for f in range(e):
                            key_f, mask_f = key_e + key[f], mask_e + mask[f]
                            for g in range(f):
                                key_g, mask_g = key_f + key[g], mask_f + mask[g]
                                found = strength_of_key(row_offset, rank_strength, flush_strength, key_g, mask_g)
                                counts[found] += 1


@kernel
def count_hands(tables: EvaluatorTables, size: int, counts: NDArray[np.int64]) -> None:
    """Count the strengths of all hands of five or six cards, in lexical order."""
    hands, found = np.zeros((1, size), dtype=np.uint8), np.zeros(1, dtype=np.int16)
    cards = hands[0]
    for i in range(size):
        cards[i] = i
    while True:
        strengths_of(tables, hands, found)
        counts[found[0]] += 1
        at = size - 1
        while at >= 0 and cards[at] == 52 - size + at:
            at -= 1
        if at < 0:
            return
        cards[at] += 1
        for i in range(at + 1, size):
            cards[i] = cards[i - 1] + 1


def by_category(counts: NDArray[np.int64]) -> list[int]:
    ends = np.cumsum([0, *CLASS_SIZES]) + 1
    return [int(counts[a:b].sum()) for a, b in pairwise(ends)]


def deal(count: int, hands: int, seed: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(seed).random((hands, 52)).argsort(axis=1)
    return order[:, :count].astype(np.uint8).copy()


def evaluate(hands: NDArray[np.uint8]) -> NDArray[np.int16]:
    out = np.empty(len(hands), dtype=np.int16)
    strengths_of(tables(), hands, out)
    return out


def assert_same_order(ours: NDArray[np.int16], theirs: NDArray[np.int64]) -> None:
    """Each of our values stands with exactly one of theirs, and both rise together."""
    pairs = np.unique(np.stack([theirs, ours.astype(np.int64)], axis=1), axis=0)
    assert len(pairs) == len(np.unique(ours))
    assert (np.diff(pairs, axis=0) > 0).all()


def test_every_hand_of_five_cards() -> None:
    counts = np.zeros(7463, dtype=np.int64)
    count_hands(tables(), 5, counts)
    assert counts.sum() == comb(52, 5)
    assert counts[0] == 0
    assert (counts[1:] > 0).all()  # all 7462
    assert by_category(counts) == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]


@pytest.mark.slow
def test_every_hand_of_six_cards() -> None:
    counts = np.zeros(7463, dtype=np.int64)
    count_hands(tables(), 6, counts)
    assert counts.sum() == comb(52, 6)
    assert by_category(counts) == [
        *(6_612_900, 9_730_740, 2_532_816, 732_160, 361_620),
        *(205_792, 165_984, 14_664, 1_844),
    ]


@pytest.mark.slow
def test_every_hand_of_seven_cards() -> None:
    counts = np.zeros(7463, dtype=np.int64)
    count_seven(tables(), counts)
    assert counts.sum() == comb(52, 7) == 133_784_560
    assert by_category(counts) == [
        *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020),
        *(4_047_644, 3_473_184, 224_848, 41_584),
    ]
    assert (counts > 0).sum() == 4824  # the weakest seven cards hold a nine-high hand


@pytest.mark.every(3)
@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_is_that_of_eval7(count: int) -> None:
    cards = [eval7.Card(format_card(card)) for card in range(52)]
    hands = deal(count, 60_000, seed=count)
    theirs = [eval7.evaluate([cards[card] for card in hand]) for hand in hands.tolist()]
    assert_same_order(evaluate(hands), np.array(theirs))


@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_is_that_of_phevaluator(count: int) -> None:
    hands = deal(count, 10_000, seed=10 + count)
    theirs = [-phevaluator.evaluate_cards(*hand) for hand in hands.tolist()]  # there, lower is better
    assert_same_order(evaluate(hands), np.array(theirs))
    assert (evaluate(hands) == 7463 + np.array(theirs)).all()


@pytest.mark.parametrize("count", [5, 6, 7])
def test_numbers_are_those_of_the_public_front(count: int) -> None:
    hands = deal(count, 3000, seed=20 + count)
    # Five ranks, and a single suit, reach the rare hands.
    hands[:500] = deal(count, 500, seed=1) % 20 + 32
    hands[500:1000] = deal(count, 500, seed=2) % 13 * 4 + 1
    hands = np.array([hand for hand in hands if len(set(hand.tolist())) == count])
    assert evaluate(hands).tolist() == [strength(hand) for hand in hands.tolist()]


@given(
    st.integers(5, 7).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True)),
    st.permutations(range(4)),
    st.randoms(),
)
def test_neither_order_nor_suit_names_matter(cards, suits, rng) -> None:
    relabelled = list(relabel_suits(cards, suits))
    rng.shuffle(relabelled)
    values = evaluate(np.array([cards, relabelled], dtype=np.uint8))
    assert values[0] == values[1]


@pytest.mark.parametrize("count", [5, 6, 7])
def test_all_relabellings_of_the_suits_are_worth_the_same(count: int) -> None:
    hands = deal(count, 20_000, seed=30 + count)
    hands[:10_000] = np.sort(deal(count, 10_000, seed=40 + count) % 15, axis=1) * 4 % 51  # mostly one suit
    hands = np.array([hand for hand in hands if len(set(hand.tolist())) == count])
    values = evaluate(hands)
    assert (values > 5863).sum() > 1000  # flushes and better
    for suits in permutations(range(4)):
        relabelled = hands // 4 * 4 + np.array(suits, dtype=np.uint8)[hands % 4]
        assert (evaluate(relabelled) == values).all()


@pytest.mark.parametrize("count", [5, 6, 7])
def test_none_one_and_any_part_of_the_hands(count: int) -> None:
    """Rows of seven bytes begin at odd addresses too; nothing beside the given rows is read or written."""
    hands = deal(count, 10, seed=50 + count)
    values = evaluate(hands)
    for start in range(11):
        for stop in range(start, 11):
            out = np.full(12, -1, dtype=np.int16)
            strengths_of(tables(), hands[start:stop], out[1 : 1 + stop - start])
            assert out.tolist() == [-1, *values[start:stop].tolist(), *[-1] * (11 - stop + start)]


@pytest.mark.parametrize("count", [5, 6, 7])
def test_strengths_by_ranks_alone_are_those_of_hands_without_flush(count: int) -> None:
    ranks = rank_multisets(count)
    assert len(ranks) == {5: 6175, 6: 18395, 7: 49205}[count]
    hands = 4 * ranks + np.arange(count) % 4  # two cards of a suit at most, and no card twice
    by_ranks = strengths_of_ranks(ranks)
    assert (by_ranks == evaluate(hands.astype(np.uint8))).all()
    shuffled = np.random.default_rng(1).permuted(ranks, axis=1)
    assert (strengths_of_ranks(shuffled) == by_ranks).all()
    assert not strengths_of_ranks(np.full((13, count), np.arange(13)[:, None])).any()


def test_a_flush_bit_gives_the_shift_of_its_suit() -> None:
    for suit in range(4):
        assert flush_shift(np.uint64(8 << 4 * suit)) == 16 * suit


def test_sums_of_keys_are_the_hand() -> None:
    board, hole_cards = np.array([50, 45, 40, 3, 16], dtype=np.uint8), np.array([51, 47], dtype=np.uint8)
    t = tables()
    together = np.concatenate([board, hole_cards])
    key = START_KEY + t.card_key[together].sum()
    mask = t.card_mask[together].sum()
    value = strength_of_key(t.row_offset, t.rank_strength, t.flush_strength, key, mask)
    assert value == evaluate(together[None])[0] == strength(together.tolist())


def test_tables_cannot_be_changed() -> None:
    for table in tables():
        assert not table.flags.writeable


def test_the_same_without_a_compiler() -> None:
    """The kernels as plain Python, as coverage and debuggers see them."""
    program = """
import numpy as np
from engine.kernels.evaluator import strengths_of, tables
from engine.strength import strength
hands = np.random.default_rng(1).random((300, 52)).argsort(axis=1).astype(np.uint8)
for count in (5, 6, 7):
    out = np.zeros(300, dtype=np.int16)
    some = hands[:, :count].copy()
    some[:20] = np.sort(some[:20] % 13, axis=1) * 4 + 2
    some = np.array([hand for hand in some if len(set(hand.tolist())) == count])
    strengths_of(tables(), some, out)
    for hand, value in zip(some, out):
        assert strength(hand.tolist()) == value
print(type(strengths_of).__name__)
"""
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == "function\n"
