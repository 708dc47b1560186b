"""Random deals: every method samples the joint distribution."""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import COMBO_CARDS, card_mask, combo_of, format_cards, parse_cards
from engine.kernels.equity.drawing import DrawLists
from engine.kernels.equity.sampling import IN_TURN, IN_TURN_OR_ANY, REJECTING, TOGETHER, Dealing, sample_deals
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from tests.reference.equity import strength

NO_DEALS = np.zeros((0, 2), dtype=np.int16)


def draw_lists(*ranges: dict[int, float]) -> DrawLists:
    return DrawLists(
        starts=np.cumsum([0, *map(len, ranges)]),
        combos=np.array([combo for hands in ranges for combo in hands], dtype=np.int16),
        weights=np.array([weight for hands in ranges for weight in hands.values()]),
    )


# Three ranges that clash often.
RANGES: list[dict[int, float]] = [
    {combo_of(*parse_cards(hand)): weight for hand, weight in hands}
    for hands in (
        [("AhQd", 1.0), ("KhTh", 0.5), ("8h8d", 0.25)],
        [("AhQc", 1.0), ("KdTc", 0.5), ("KhQh", 0.75)],
        [("AcQh", 0.5), ("AdKc", 1.0), ("KcTs", 0.5), ("AdQd", 0.125)],
    )
]


# The outcomes on these rivers are so different that together they tell how often each deal is drawn.
RIVERS = [
    parse_cards(board)
    for board in [
        *("Qs9d6d6c2d", "KsJcTd5s4h", "AsJc9d2h2c", "Ks9c6d4h3c", "Td6h4d3s2c"),
        *("KsQs9d6c3c", "Jc9c5c4d3d", "QsJh7h5h2h", "JhTd3s3d2d", "9s7d6s5d3d"),
    ]
]


def joint_deals(ranges: Sequence[dict[int, float]] = RANGES) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    deals, weights = [], []
    for deal in product(*ranges):
        if len({card for combo in deal for card in COMBO_CARDS[combo].tolist()}) == 2 * len(ranges):
            deals.append(deal)
            weights.append(prod(hands[combo] for hands, combo in zip(ranges, deal, strict=True)))
    return np.array(deals, dtype=np.int16), np.array(weights)


def winners(deals: NDArray[np.int16], board: Sequence[int]) -> list[int]:
    found = []
    for deal in deals:
        strengths = [strength((*COMBO_CARDS[combo].tolist(), *board)) for combo in deal]
        found.append(sum(1 << i for i, one in enumerate(strengths) if one == max(strengths)))
    return found


def sampled(
    method: int,
    deals: int,
    board: Sequence[int] = RIVERS[0],
    ranges: Sequence[dict[int, float]] = RANGES,
    runouts: int = 1,
    squares: NDArray[np.float64] | None = None,
    seed: int = 11,
) -> tuple[NDArray[np.float64], int, int]:
    joint, weights = joint_deals(ranges)
    lists = draw_lists(dict(enumerate(weights))) if method == TOGETHER else draw_lists(*ranges)
    outcomes = np.zeros((1 << len(ranges), 2))
    done, tries = sample_deals(
        tables(),
        new_stream(seed, sum(board)),
        Dealing(np.array(board, dtype=np.uint8), np.uint64(card_mask(board)), lists, joint, method, len(ranges)),
        deals,
        10**9,
        outcomes,
        runouts,
        squares,
    )
    return outcomes, done, tries


def assert_agrees(outcomes: NDArray[np.float64], exact: NDArray[np.float64]) -> None:
    """Each outcome is a ratio of sums of weights; its variance by the delta method."""
    total = outcomes[:, 0].sum()
    share, squares = outcomes[:, 0] / total, outcomes[:, 1].sum()
    variance = (outcomes[:, 1] * (1 - share) ** 2 + (squares - outcomes[:, 1]) * share**2) / total**2
    assert (np.abs(share - exact / exact.sum()) <= 4.5 * np.sqrt(variance) + 1e-12).all()


def test_the_rivers_tell_every_deal_apart() -> None:
    joint, _ = joint_deals()
    rows = [np.array(winners(joint, board)) == outcome for board in RIVERS for outcome in range(1, 8)]
    assert np.linalg.matrix_rank(np.array(rows)) == len(joint) == 24


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
@pytest.mark.parametrize("board", RIVERS, ids=format_cards)
def test_every_method_samples_the_joint_distribution(method: int, board: tuple[int, ...]) -> None:
    joint, weights = joint_deals()
    exact = np.bincount(winners(joint, board), weights, minlength=8)
    outcomes, deals, tries = sampled(method, 100_000, board)
    assert deals == 100_000
    assert tries > deals if method == REJECTING else tries == deals
    assert_agrees(outcomes, exact)
    if method != IN_TURN:
        expected = exact[exact > 0] / exact.sum() * deals
        chi_squared = ((outcomes[exact > 0, 0] - expected) ** 2 / expected).sum()
        freedom = len(expected) - 1
        assert chi_squared <= freedom + 5 * np.sqrt(2 * freedom) + 1e-9


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
@pytest.mark.parametrize(
    "ranges",
    [
        # Next to nothing is left of the second range after the first's usual hand.
        [{"AhAd": 1.0, "6h6s": 0.01}, {"AhAs": 1.0, "QhQd": 1e-4}],
        # The same range three times, and a known hand.
        [{"JhTh": 1.0}, *[{"AhKh": 1.0, "AhKd": 0.5, "QdKd": 0.25, "QdJd": 0.7, "9s9h": 0.6, "Tc9h": 0.2}] * 3],
        # Different ranges of the same length, and four known hands.
        [{"JhTh": 1.0}, {"8h8d": 1.0}, {"QdKd": 0.25, "QcJd": 0.7}, {"QdKd": 0.7, "AsKs": 0.25}, {"7h7d": 1.0},
         {"Js5h": 1.0}],
    ],
)  # fmt: skip
def test_weights_of_all_sizes_shared_ranges_and_known_hands(method: int, ranges: list[dict[str, float]]) -> None:
    by_combo = [{combo_of(*parse_cards(hand)): weight for hand, weight in hands.items()} for hands in ranges]
    board = parse_cards("Qs9d6d6c2d")
    joint, weights = joint_deals(by_combo)
    exact = np.bincount(winners(joint, board), weights, minlength=1 << len(ranges))
    assert np.count_nonzero(exact) >= 2
    assert_agrees(sampled(method, 300_000, board, by_combo)[0], exact)


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
@pytest.mark.parametrize("board", [river[:4] for river in RIVERS[:3]], ids=format_cards)
def test_several_runouts_are_the_joint_distribution(method: int, board: tuple[int, ...]) -> None:
    joint, weights = joint_deals()
    exact = np.zeros(8)
    for river in set(range(52)) - set(board):
        is_free = (COMBO_CARDS[joint] != river).all(axis=(1, 2))
        exact += np.bincount(winners(joint[is_free], (*board, river)), weights[is_free], minlength=8)
    outcomes, deals, _ = sampled(method, 400_003, board, runouts=4)
    assert deals == 400_000
    # At worst the four tell no more than one.
    assert_agrees(outcomes * (1, 4), exact)


@pytest.mark.parametrize("method", [REJECTING, TOGETHER, IN_TURN])
@pytest.mark.parametrize("runouts", [2, 3, 8])
def test_what_is_won_on_several_runouts_is_squared_together(method: int, runouts: int) -> None:
    shares = np.array(
        [[(wins >> player & 1) / max(wins.bit_count(), 1) for wins in range(8)] for player in range(3)]
    )
    for seed in range(40):  # one deal of hole cards each
        squares = np.zeros(3)
        outcomes, deals, _ = sampled(method, runouts, RIVERS[0][:3], runouts=runouts, squares=squares, seed=seed)
        assert deals == runouts
        assert squares == pytest.approx((shares @ outcomes[:, 0]) ** 2, rel=1e-12)
    # On a complete board all run-outs are the same.
    squares = np.zeros(3)
    outcomes, *_ = sampled(method, 5000 * runouts, runouts=runouts, squares=squares)
    assert squares == pytest.approx(runouts * shares**2 @ outcomes[:, 1], rel=1e-12)


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
    stream, dealing = new_stream(0), Dealing(no_board, np.uint64(0), lists, NO_DEALS, REJECTING, 2)
    assert sample_deals(tables(), stream, dealing, 10, 1000, outcomes) == (0, 1000)
    assert sample_deals(tables(), stream, dealing._replace(method=IN_TURN), 10, 1000, outcomes) == (10, 10)
    assert not outcomes.any()
    assert sample_deals(tables(), stream, dealing._replace(method=IN_TURN_OR_ANY), 10, 1000, outcomes) == (10, 10)
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
        Dealing(np.array(board, dtype=np.uint8), np.uint64(card_mask(board)), lists, NO_DEALS, REJECTING, 2),
        deals,
        deals,
        outcomes,
    )
    hearts = [card for card in range(52) if card & 3 == 2 and card not in (*board, *mine)]
    # A heart that pairs the board gives three aces a full house.
    chance = sum(card >> 2 not in {other >> 2 for other in board} for card in hearts) / 44
    error = np.sqrt(chance * (1 - chance) / deals)
    assert abs(outcomes[1, 0] / deals - chance) < 4 * error


def test_players_who_hold_any_two_and_boards_from_nothing() -> None:
    # A known hand against two random ones: 73.48% is the published equity of AA against two.
    lists = draw_lists({combo_of(*parse_cards("AhAd")): 1.0})
    outcomes = np.zeros((8, 2))
    no_board = np.zeros(0, dtype=np.uint8)
    deals = 1_000_000
    dealing = Dealing(no_board, np.uint64(0), lists, NO_DEALS, REJECTING, 3)
    sample_deals(tables(), new_stream(4), dealing, deals, 10**9, outcomes)
    assert outcomes[:, 0].sum() == deals
    share = outcomes[:, 0] @ [0, 1, 0, 1 / 2, 0, 1 / 2, 0, 1 / 3] / deals
    assert abs(share - 0.7348) < 4.5 * 0.43 / np.sqrt(deals) + 0.00005
    # The two are in no way different.
    first, second = outcomes[[2, 3], 0].sum(), outcomes[[4, 5], 0].sum()
    assert abs(first - second) < 4.5 * np.sqrt(first + second)


def test_lists_that_always_clash_deal_nothing() -> None:
    lists = draw_lists({}, {combo_of(*parse_cards("AsAh")): 1.0})
    outcomes = np.zeros((4, 2))
    no_board = np.zeros(0, dtype=np.uint8)
    stream, dealing = new_stream(0), Dealing(no_board, np.uint64(0), lists, NO_DEALS, REJECTING, 2)
    assert sample_deals(tables(), stream, dealing, 10, 3000, outcomes) == (0, 3000)
    assert sample_deals(tables(), stream, dealing._replace(method=IN_TURN), 10, 3000, outcomes) == (10, 10)
    assert not outcomes.any()
