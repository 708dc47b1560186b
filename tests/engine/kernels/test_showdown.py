"""Listed deals against counting one by one, with another program's evaluator."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import combo_of
from engine.kernels.evaluator import tables
from engine.kernels.showdown import judge_deals
from tests.reference.equity import outcomes_by_loop


@settings(max_examples=20)
@given(st.permutations(range(52)), st.integers(2, 6))
def test_judge_deals_against_a_loop(cards: list[int], players: int) -> None:
    hands = [(cards[2 * i], cards[2 * i + 1]) for i in range(players)]
    swapped = [*hands[1:], hands[0]]
    rest = cards[2 * players :]
    boards = [tuple(rest[i : i + 5]) for i in range(0, 30, 5)]
    blocked = [(hands[0][0], *rest[:4])]
    deals = np.array([[combo_of(*hand) for hand in row] for row in (hands, swapped)], dtype=np.int16)
    outcomes = np.zeros(1 << players)
    count = judge_deals(
        tables(),
        np.array(boards + blocked, dtype=np.uint8),
        deals,
        np.array([1.0, 0.5]),
        np.unique(deals),
        outcomes,
    )
    assert count == 2 * len(boards)
    expected = outcomes_by_loop(hands, boards) + outcomes_by_loop(swapped, boards) / 2
    assert np.array_equal(outcomes, expected)
