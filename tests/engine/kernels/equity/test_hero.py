"""A hand against up to three ranges, summed by inclusion and exclusion, against deals counted one by one."""

from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    COMBO_MASK,
    PAIR_COUNT,
    combo_of,
    parse_cards,
    relabel_suits,
    unblocked,
)
from engine.kernels.equity.hero import share_of_hero
from engine.kernels.equity.showdown import count_showdowns
from engine.kernels.evaluator import tables
from tests.reference.equity import joint_outcomes, strength

Ranges = list[dict[int, float]]


def arrays(ranges: Ranges) -> NDArray[np.float64]:
    rows = np.zeros((len(ranges), COMBO_COUNT))
    for row, weights in zip(rows, ranges, strict=True):
        row[list(weights)] = list(weights.values())
    return rows


def share(hand: tuple[int, ...], board: tuple[int, ...], ranges: NDArray[np.float64]) -> float:
    return share_of_hero(tables(), np.array(hand, dtype=np.uint8), np.array(board, dtype=np.uint8), ranges)[0]


def weight(hand: tuple[int, ...], board: tuple[int, ...], ranges: NDArray[np.float64]) -> float:
    cards = np.array(hand, dtype=np.uint8), np.array(board, dtype=np.uint8)
    return share_of_hero(tables(), *cards, ranges, is_sure=True)[0]


def part_of_first(outcomes: NDArray[np.float64]) -> float:
    return sum(float(outcomes[winners]) / winners.bit_count() for winners in range(1, len(outcomes), 2))


@st.composite
def questions(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], Ranges]:
    """Hands from few cards, so that all kinds of clashes are common: the same combo, a common card, a triangle."""
    deck = draw(st.permutations(range(CARD_COUNT)))
    if draw(st.booleans()):
        deck = sorted(deck, key=lambda card: card % 4 > 1)
    hand, board, few = tuple(deck[:2]), tuple(deck[2 : draw(st.sampled_from([5, 6, 7, 7]))]), deck[5:11]
    opponents = draw(st.integers(1, 3))
    most = 5 if len(board) > 3 else 1
    combos = st.sampled_from([int(combo_of(*two)) for two in combinations(few, 2)])
    ranges = draw(
        st.lists(
            st.dictionaries(combos, st.integers(0, 4).map(float), min_size=1, max_size=most),
            min_size=opponents,
            max_size=opponents,
        )
    )
    return hand, board, ranges


@given(questions())
def test_against_a_loop(question: tuple[tuple[int, ...], tuple[int, ...], Ranges]) -> None:
    hand, board, ranges = question
    outcomes, _ = joint_outcomes([{int(combo_of(*hand)): 1.0}, *ranges], board)
    rows = arrays(ranges)
    everything = float(rows.sum(axis=1).prod()) * comb(45, 5 - len(board))
    assert abs(share(hand, board, rows) - part_of_first(outcomes)) <= 1e-13 * everything
    runouts = comb(50 - len(board) - 2 * len(ranges), 5 - len(board))
    assert weight(hand, board, rows) * runouts == outcomes.sum()


@given(questions())
def test_the_part_with_each_card_is_the_share_on_the_boards_that_have_it(
    question: tuple[tuple[int, ...], tuple[int, ...], Ranges],
) -> None:
    hand, board, ranges = question
    rows, missing = arrays(ranges), 5 - len(board)
    cards = np.array(hand, dtype=np.uint8), np.array(board, dtype=np.uint8)
    whole, by_card = share_of_hero(tables(), *cards, rows)
    everything = float(rows.sum(axis=1).prod()) * comb(45, missing)
    assert whole == share(hand, board, rows)
    assert abs(by_card.sum() - missing * whole) <= 1e-13 * everything
    assert not by_card[[*hand, *board]].any()
    if missing:
        come = next(card for card in range(CARD_COUNT) if card not in (*hand, *board))
        without = np.where(unblocked([come]), rows, 0.0)
        assert abs(by_card[come] - share(hand, (*board, come), without)) <= 1e-13 * everything


@pytest.mark.parametrize("opponents", [1, 2, 3])
def test_all_combos_of_a_small_deck(opponents: int) -> None:
    # Seven cards give 21 combos, and every way in which one to three of them can clash; 9261 triples on a river.
    hand, board = parse_cards("AhTd"), parse_cards("AsKs7d2h9c")
    few = parse_cards("AdTcQc5c3c4dJh")
    combos = [int(combo_of(*two)) for two in combinations(few, 2)]
    rows = np.zeros((opponents, COMBO_COUNT))
    rows[:, combos] = np.random.default_rng(opponents).integers(1, 9, (opponents, len(combos)))
    strengths = {combo: strength((*two, *board)) for combo, two in zip(combos, combinations(few, 2), strict=True)}
    mine = strength((*hand, *board))
    expected, together = 0.0, 0
    for deal in product(combos, repeat=opponents):
        masks = [int(COMBO_MASK[combo]) for combo in deal]
        if sum(masks).bit_count() != 2 * opponents:
            continue
        product_of_weights = int(np.prod([rows[place, combo] for place, combo in enumerate(deal)]))
        together += product_of_weights
        if max(strengths[combo] for combo in deal) <= mine:
            expected += product_of_weights / (1 + sum(strengths[combo] == mine for combo in deal))
    assert weight(hand, board, rows) == together
    assert share(hand, board, rows) == pytest.approx(expected, rel=1e-12)
    assert 0 < expected < together


@pytest.mark.every(4)
@pytest.mark.parametrize("board", ["Js7s2h", "Js7d2h", "JsTs9s", "JsJd2h", "Js7s2h3s", "QsJsTs9s", "Js7s2h3s3d"])
@pytest.mark.parametrize("opponents", [1, 2, 3])
def test_against_counting_by_classes(board: str, opponents: int) -> None:
    known = parse_cards(board)
    hand = parse_cards("AsJc")
    live = unblocked((*hand, *known))
    random = np.random.default_rng(opponents)
    rows = random.random((opponents, COMBO_COUNT)) * (random.random((opponents, COMBO_COUNT)) < 0.04) * live
    own = np.zeros(COMBO_COUNT)
    own[combo_of(*hand)] = 1
    outcomes = np.zeros(2 << opponents)
    shown = np.array(known, dtype=np.uint8)
    players = np.vstack([own, rows])
    deals = count_showdowns(
        tables(), players, np.arange(opponents + 1), shown, np.uint64(0), 0, PAIR_COUNT, outcomes
    )
    assert share(hand, known, rows) == pytest.approx(part_of_first(outcomes), rel=1e-11)
    assert weight(hand, known, (rows > 0).astype(np.float64)) == deals


def test_every_relabelling_of_suits_gives_the_same() -> None:
    hand, board = parse_cards("AsJc"), parse_cards("Js7s2h")
    few = parse_cards("AdKsQs7h3s3dTs9s")
    ranges = np.random.default_rng(5).integers(1, 9, (2, 28)).astype(np.float64)
    found = []
    for permutation in permutations(range(4)):
        rows = np.zeros((2, COMBO_COUNT))
        rows[:, [combo_of(*two) for two in combinations(relabel_suits(few, permutation), 2)]] = ranges
        found.append(share(relabel_suits(hand, permutation), relabel_suits(board, permutation), rows))
    assert found == pytest.approx([found[0]] * 24, rel=1e-13)


def test_blocked_combos_do_not_count() -> None:
    hand, board = parse_cards("AsJc"), parse_cards("Js7s2h")
    rows = np.ones((2, COMBO_COUNT))
    blocked = ~unblocked((*hand, *board))
    clean = rows * ~blocked
    assert share(hand, board, rows) == share(hand, board, clean)
    assert weight(hand, board, rows) == 1081 * 990
    clean[1] = 0
    assert share(hand, board, clean) == weight(hand, board, clean) == 0


def test_two_ranges_that_can_never_be_dealt_together_weigh_nothing() -> None:
    aces, other = ({int(combo_of(*parse_cards(text))): 3.0} for text in ("AhAd", "AdKd"))
    hand, board = parse_cards("QsQc"), parse_cards("Js7s2h3d")
    assert weight(hand, board, arrays([aces, other])) == 0
    assert share(hand, board, arrays([aces, other])) == 0
    assert weight(hand, board, arrays([aces, aces, aces])) == 0
