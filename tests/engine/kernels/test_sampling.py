"""Random deals: every method samples the joint distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, COMBO_COUNT, PAIR_COUNT, card_mask, combo_of, parse_cards
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.kernels.sampling import (
    IN_TURN,
    IN_TURN_OR_ANY,
    REJECTING,
    TOGETHER,
    DrawLists,
    fill_draw_lists,
    sample_deals,
)
from engine.kernels.showdown import count_showdowns

NO_DEALS = np.zeros((0, 2), dtype=np.int16)


def draw_lists(*ranges: dict[int, float]) -> DrawLists:
    weights = np.array([weight for hands in ranges for weight in hands.values()])
    lists = DrawLists(
        starts=np.cumsum([0, *map(len, ranges)]),
        combos=np.array([combo for hands in ranges for combo in hands], dtype=np.int16),
        weights=weights,
        threshold=np.zeros(len(weights)),
        other=np.zeros(len(weights), dtype=np.int64),
    )
    fill_draw_lists(lists)
    return lists


@given(st.lists(st.lists(st.floats(1e-6, 1), min_size=1, max_size=40), min_size=1, max_size=3))
def test_draw_lists_have_the_chances_of_their_weights(ranges: list[list[float]]) -> None:
    lists = draw_lists(*(dict(enumerate(weights)) for weights in ranges))
    for number, weights in enumerate(ranges):
        part = slice(lists.starts[number], lists.starts[number + 1])
        threshold, other = lists.threshold[part], lists.other[part]
        assert ((threshold >= 0) & (threshold <= 1 + 1e-12)).all()
        chance = threshold.copy()
        np.add.at(chance, other, 1 - threshold)
        expected = np.array(weights) / np.sum(weights) * len(weights)
        assert chance == pytest.approx(expected, rel=1e-6, abs=1e-9)


# Three ranges that clash often, on a river: every deal's outcome and weight can be listed.
BOARD = parse_cards("Ks7d2h3c9s")
RANGES: list[dict[int, float]] = [
    {combo_of(*parse_cards(hand)): weight for hand, weight in hands}
    for hands in (
        [("AhQd", 1.0), ("KhTh", 0.5), ("8h8d", 0.25)],
        [("AhQc", 1.0), ("KdTc", 0.5), ("KhQh", 0.75)],
        [("AcQh", 0.5), ("AdKc", 1.0), ("KcTs", 0.5), ("AdQd", 0.125)],
    )
]


def joint_deals() -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    deals, weights = [], []
    for a, b, c in ((a, b, c) for a in RANGES[0] for b in RANGES[1] for c in RANGES[2]):
        if len({card for combo in (a, b, c) for card in COMBO_CARDS[combo].tolist()}) == 6:
            deals.append((a, b, c))
            weights.append(RANGES[0][a] * RANGES[1][b] * RANGES[2][c])
    return np.array(deals, dtype=np.int16), np.array(weights)


def sampled(method: int, deals: int, seed: int = 0) -> tuple[NDArray[np.float64], int, int]:
    joint, weights = joint_deals()
    lists = draw_lists(dict(enumerate(weights))) if method == TOGETHER else draw_lists(*RANGES)
    outcomes = np.zeros((8, 2))
    board = np.array(BOARD, dtype=np.uint8)
    done, tries = sample_deals(
        tables(),
        new_stream(seed),
        board,
        np.uint64(card_mask(BOARD)),
        lists,
        joint,
        method,
        3,
        deals,
        10**9,
        outcomes,
    )
    return outcomes, done, tries


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
def test_every_method_samples_the_joint_distribution(method: int) -> None:
    live, exact = np.zeros((3, COMBO_COUNT)), np.zeros(8)
    for row, weights in zip(live, RANGES, strict=True):
        row[list(weights)] = list(weights.values())
    board = np.array(BOARD, dtype=np.uint8)
    count_showdowns(tables(), live, np.arange(3), board, np.uint64(0), 0, PAIR_COUNT, exact)
    exact /= exact.sum()
    outcomes, deals, tries = sampled(method, 200_000)
    assert deals == 200_000
    assert tries > deals if method == REJECTING else tries == deals
    total = outcomes[:, 0].sum()
    share = outcomes[:, 0] / total
    # Each outcome is a ratio of sums of weights; its variance by the delta method.
    squares = outcomes[:, 1].sum()
    variance = (outcomes[:, 1] * (1 - share) ** 2 + (squares - outcomes[:, 1]) * share**2) / total**2
    assert (np.abs(share - exact) <= 4 * np.sqrt(variance) + 1e-12).all()
    assert np.count_nonzero(exact) >= 5


def test_drawing_in_turn_unweighted_is_another_distribution() -> None:
    # The bias that the other methods avoid: far outside ten standard errors of a difference, 0.016.
    exact = sampled(TOGETHER, 200_000)[0][:, 0] / 200_000
    biased = sampled(IN_TURN_OR_ANY, 200_000)[0][:, 0] / 200_000
    assert np.abs(exact - biased).max() > 0.016


def test_sampling_stops_after_so_many_tries() -> None:
    both = {combo_of(*parse_cards("AsAh")): 1.0}
    outcomes = np.zeros((4, 2))
    no_board = np.zeros(0, dtype=np.uint8)
    lists = draw_lists(both, both)
    args = (tables(), new_stream(0), no_board, np.uint64(0), lists, NO_DEALS)
    assert sample_deals(*args, REJECTING, 2, 10, 1000, outcomes) == (0, 1000)
    assert sample_deals(*args, IN_TURN, 2, 10, 1000, outcomes) == (10, 10)
    assert not outcomes.any()
    assert sample_deals(*args, IN_TURN_OR_ANY, 2, 10, 1000, outcomes) == (10, 10)
    assert outcomes[:, 0].sum() == 10


def test_sampled_boards_are_uniform_over_the_cards_left() -> None:
    board = parse_cards("Ah9h7c2d")
    mine, theirs = parse_cards("KhQh"), parse_cards("AsAd")
    lists = draw_lists({combo_of(*mine): 1.0}, {combo_of(*theirs): 1.0})
    outcomes = np.zeros((4, 2))
    deals = 400_000
    sample_deals(
        tables(),
        new_stream(3),
        np.array(board, dtype=np.uint8),
        np.uint64(card_mask(board)),
        lists,
        NO_DEALS,
        REJECTING,
        2,
        deals,
        deals,
        outcomes,
    )
    hearts = [card for card in range(52) if card & 3 == 2 and card not in (*board, *mine)]
    # A heart that pairs the board gives three aces a full house.
    chance = sum(card >> 2 not in {other >> 2 for other in board} for card in hearts) / 44
    error = np.sqrt(chance * (1 - chance) / deals)
    assert abs(outcomes[1, 0] / deals - chance) < 4 * error
