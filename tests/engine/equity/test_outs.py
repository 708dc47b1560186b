"""Outs: eq. 29 card by card, and their chances by counting the cards to come."""

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Card, combo_of, format_cards, parse_cards
from engine.equity.checks import EquityError
from engine.equity.combos import combo_equities
from engine.equity.outs import BEHIND, OUT_GAIN, chances_of_outs, figures_of_outs


def outs_by_loop(hand: str, board: str) -> set[int]:
    """Eq. 29 card by card: those that bring most of what is missing."""
    hole_cards, cards = parse_cards(hand), tuple(sorted(parse_cards(board)))
    combo = combo_of(*hole_cards)
    now = combo_equities(cards)[combo]
    return {
        card
        for card in map(Card, range(CARD_COUNT))
        if card not in (*hole_cards, *cards) and combo_equities((*cards, card))[combo] - now >= OUT_GAIN * (1 - now)
    }


@given(st.permutations(range(CARD_COUNT)), st.sampled_from([3, 4]))
@settings(max_examples=20)
def test_outs_of_any_hand_against_all_hands_card_by_card(deck: list[int], size: int) -> None:
    hand, board = format_cards(deck[:2]), format_cards(deck[2 : 2 + size])
    found = figures_of_outs(parse_cards(hand), parse_cards(board))  # type: ignore[arg-type]
    if combo_equities(tuple(sorted(parse_cards(board))))[combo_of(*parse_cards(hand))] >= BEHIND:
        assert found is None
    else:
        assert found is not None
        assert set(found.cards) == outs_by_loop(hand, board)


@pytest.mark.parametrize(
    ("hand", "board", "outs"),
    [
        ("8h7h", "Kh 2h 5c", "3h 4h 5h 6h 9h Th Jh Qh Ah"),
        ("9c8d", "7h 6s 2c", "5c 5d 5h 5s Tc Td Th Ts"),
        ("8h7h", "Kh 2h 5c Qd", "3h 4h 5h 6h 9h Th Jh Qh Ah"),
    ],
)
def test_outs_of_plain_draws(hand: str, board: str, outs: str) -> None:
    found = figures_of_outs(parse_cards(hand), parse_cards(board))  # type: ignore[arg-type]
    assert found is not None
    assert set(found.cards) == outs_by_loop(hand, board)
    assert set(parse_cards(outs)) <= set(found.cards), format_cards(found.cards, " ")


def test_dead_cards_are_no_outs_and_do_not_come() -> None:
    hand, board = parse_cards("8h7h"), parse_cards("Kh 2h 5c")
    found, left = figures_of_outs(hand, board), figures_of_outs(hand, board, parse_cards("Ah 9c"))  # type: ignore[arg-type]
    assert found is not None
    assert left is not None
    assert set(found.cards) - set(left.cards) == set(parse_cards("Ah"))
    unseen, outs = CARD_COUNT - 2 - 3 - 2, len(left.cards)
    assert left.next_card == outs / unseen
    assert left.by_river == pytest.approx(1 - (unseen - outs) * (unseen - outs - 1) / (unseen * (unseen - 1)))


@pytest.mark.parametrize(
    ("hand", "board"), [("AhAd", "Ac 7d 2h"), ("AhAd", ""), ("AhKh", "Ks 7d 2h 3c 9s"), ("AsKs", "Qs Js Ts")]
)
def test_no_outs_without_cards_to_come_or_for_a_hand_in_front(hand: str, board: str) -> None:
    assert figures_of_outs(parse_cards(hand), parse_cards(board)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("board_size", [3, 4])
@pytest.mark.parametrize("count", [0, 1, 4, 9, 15, 30])
def test_chances_against_counting_the_cards_to_come(board_size: int, count: int) -> None:
    unseen = range(CARD_COUNT - 2 - board_size)
    runouts = list(combinations(unseen, 5 - board_size))
    hits = sum(any(card < count for card in runout) for runout in runouts)
    figures = chances_of_outs([*range(count)], board_size)  # type: ignore[list-item]
    assert figures.by_river == hits / len(runouts)
    assert figures.next_card == count / len(unseen)
    assert figures.rule_next_card == count * 0.02
    assert figures.rule_by_river == min(1, count * (0.04 if board_size == 3 else 0.02))


def test_the_rules_are_close_for_the_usual_draws() -> None:
    # What they are for: within 2.5 points up to 9 outs.
    for count in range(10):
        for board_size in (3, 4):
            figures = chances_of_outs([*range(count)], board_size)  # type: ignore[list-item]
            assert abs(figures.rule_by_river - figures.by_river) < 0.025
            assert abs(figures.rule_next_card - figures.next_card) < 0.025


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: figures_of_outs(parse_cards("AhKh"), parse_cards("Ah 2c 3d")), "The card Ah is among the hole"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1,), parse_cards("Ah 2c 3d")), "two hole cards, not 1"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1, 1), parse_cards("Ah 2c 3d")), "twice"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1, 52), parse_cards("Ah 2c 3d")), "52 is no card"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1, 2), parse_cards("Ah 2c")), "not 2"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1, 2), parse_cards("Ah 2c 3d"), (2,)), "among the hole cards and dead"),  # type: ignore[arg-type]
        (lambda: figures_of_outs((1, 2), parse_cards("Ah 4c 3d"), parse_cards("Ah")), "Ah"),  # type: ignore[arg-type]
        (lambda: chances_of_outs([], 3, 46), "2 cards are to come, and 1 are left"),
        (lambda: chances_of_outs([], 5), "3 or 4 cards, not 5"),
        (lambda: chances_of_outs([], True), "3 or 4 cards, not True"),
        (lambda: chances_of_outs([*range(48)], 3), "cannot be 48 outs"),  # type: ignore[list-item]
        (lambda: chances_of_outs([1, 1], 3), "twice"),  # type: ignore[list-item]
    ],
)
def test_refuses_impossible_cards(call: Callable[[], object], message: str) -> None:
    with pytest.raises(EquityError, match=message) as caught:
        call()
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert ". " not in text
