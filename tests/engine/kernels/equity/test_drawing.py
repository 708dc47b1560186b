"""Alias tables; that each way of drawing hole cards is the joint distribution stands in `test_sampling`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import COMBO_MASK
from engine.kernels.equity.drawing import DECK, DrawLists, blocked_of, fill_alias_table, slots_of


@given(st.lists(st.floats(1e-30, 1), min_size=1, max_size=70), st.integers(0, 2))
def test_an_alias_table_has_the_chances_of_its_weights(weights: list[float], more_bits: int) -> None:
    bits = max(1, (len(weights) - 1).bit_length()) + more_bits
    threshold = np.zeros(1 << bits, dtype=np.uint64)
    entries = np.zeros(2 << bits, dtype=np.int32)
    fill_alias_table(np.array(weights), bits, threshold, entries)
    chance = [0] * len(weights)  # of all 2^64 numbers, how many draw each entry
    width = 1 << (64 - bits)
    for slot, (other, own) in enumerate(entries.reshape(-1, 2).tolist()):
        kept = int(threshold[slot]) - slot * width
        assert 0 <= kept < width
        chance[own] += kept
        chance[other] += width - kept
    expected = np.array(weights) / np.sum(weights)
    assert np.array(chance) / 2.0**64 == pytest.approx(expected, rel=1e-9, abs=1e-14)


def chances(lists: DrawLists, number: int) -> dict[int, float]:
    """Of 2^32 random numbers, which part draws each combo of a list."""
    slots = slots_of(lists)
    bits, start = int(slots.bits[number]), int(slots.starts[number])
    found: dict[int, float] = {}
    for slot in range(1 << bits):
        kept = int(slots.threshold[start + slot] >> np.uint64(32)) - (slot << (32 - bits))
        for is_own, part in ((1, kept), (0, (1 << (32 - bits)) - kept)):
            place = 2 * (start + slot) + is_own
            assert part >= 0
            if part:
                assert slots.masks[place] == COMBO_MASK[slots.combos[place]]
                found[int(slots.combos[place])] = found.get(int(slots.combos[place]), 0) + part / 2**32
    return found


def test_lists_share_slots_only_if_they_are_the_same() -> None:
    combos = np.array([3, 700, 9, 3, 700, 9, 3, 700, 9, 5, 1325], dtype=np.int16)
    weights = np.array([1, 0.5, 0.25, 1, 0.5, 0.25, 1, 0.5, 0.125, 1, 1])
    lists = DrawLists(np.array([0, 3, 6, 9, 9, 11]), combos, weights)
    slots = slots_of(lists)
    assert slots.starts[0] == slots.starts[1]
    assert len(set(slots.starts.tolist())) == 4
    for number, expected in enumerate([(4 / 7, 2 / 7, 1 / 7), (4 / 7, 2 / 7, 1 / 7), (8 / 13, 4 / 13, 1 / 13)]):
        found = chances(lists, number)
        assert [found[combo] for combo in (3, 700, 9)] == pytest.approx(expected, abs=4 * 2**-33)
    assert chances(lists, 4) == {5: 0.5, 1325: 0.5}
    # Nothing can be drawn from the empty list.
    empty = 2 * int(slots.starts[3])
    assert (slots.masks[empty : empty + 4] == DECK).all()


def test_what_used_cards_block() -> None:
    rng = np.random.default_rng(3)
    combos = np.arange(1326, dtype=np.int16)
    weights = rng.random(1326)
    totals, by_card, by_pair = blocked_of(DrawLists(np.array([0, 1326]), combos, weights))
    assert totals[0] == pytest.approx(weights.sum())
    for high, low in ((51, 0), (17, 16), (30, 2)):
        used = (1 << high) | (1 << low)
        free = weights[COMBO_MASK & np.uint64(used) == 0].sum()
        left = totals[0] - by_card[0, high] - by_card[0, low] + by_pair[0, 64 * high + low]
        assert left == pytest.approx(free)
        assert by_pair[0, 64 * low + high] == by_pair[0, 64 * high + low]
