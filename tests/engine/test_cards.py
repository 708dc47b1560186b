"""Cards, combos and classes: every value there is, and text in both directions."""

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    BOARD_SIZE,
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_COUNT,
    COMBO_MASK,
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    CardError,
    CardTextError,
    Street,
    card_mask,
    card_symbols,
    cards_of,
    check_sequence,
    class_name,
    class_of,
    combo_of,
    combos_of_class,
    format_card,
    format_cards,
    format_combo,
    make_card,
    parse_cards,
    rank_of,
    relabel_suits,
    suit_of,
    unblocked,
)
from tests.hostile import refusal, runs

CARDS = st.integers(0, CARD_COUNT - 1)


def test_the_52_cards_in_text_and_number() -> None:
    texts = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [format_card(card) for card in range(CARD_COUNT)] == texts
    for card, text in enumerate(texts):
        for written in (text, text.lower(), text.upper(), text[0] + SUIT_SYMBOLS[SUITS.index(text[1])]):
            assert parse_cards(written) == (card,)
        assert make_card(rank_of(card), suit_of(card)) == card
        assert (RANKS[rank_of(card)], SUITS[suit_of(card)]) == (text[0], text[1])


@given(st.lists(CARDS, unique=True), st.sampled_from(["", " ", ", ", "|", "/", "\n"]))
def test_cards_read_back(cards: list[int], separator: str) -> None:
    assert parse_cards(format_cards(cards, separator)) == tuple(cards)


def test_ten_in_two_characters() -> None:
    assert parse_cards("10h 10♠Tc") == parse_cards("ThTsTc")


@pytest.mark.parametrize(
    ("text", "position", "length", "message"),
    [
        ("Ah Xs", 3, 1, "'Xs' is no card: 'X' is no rank"),
        ("Ax", 1, 1, "'Ax' is no card: 'x' is no suit"),
        ("Ah K", 3, 1, "'K' is no card: its suit (c d h s) is missing"),
        ("K 7d", 0, 1, "'K' is no card: its suit (c d h s) is missing"),
        ("Ahx, 7d", 2, 1, "'x' is no card: 'x' is no rank"),
        ("10", 0, 2, "'10' is no card: its suit"),
        ("10x", 2, 1, "'x' is no suit"),
        ("1h", 0, 1, "'1' is no rank"),
        ("Ah ah", 3, 2, "The card Ah stands there twice"),
        ("Th10h", 2, 3, "The card Th stands there twice"),
    ],
)
def test_errors_say_what_and_where(text: str, position: int, length: int, message: str) -> None:
    with pytest.raises(CardTextError) as caught:
        parse_cards(text)
    assert message in str(caught.value)
    assert (caught.value.position, caught.value.length) == (position, length)


@given(st.text(alphabet="AaKk10tThHsx♥, ", max_size=8))
def test_any_text_is_cards_or_an_error_inside_it(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardTextError as error:
        spot = text[error.position : error.position + error.length]
        is_good = len(spot) == error.length > 0
    else:
        is_good = len(set(cards)) == len(cards)
    assert is_good


def test_the_1326_combos_are_numbered_once_each() -> None:
    numbers = {combo_of(a, b) for a, b in combinations(range(CARD_COUNT), 2)}
    assert numbers == set(range(COMBO_COUNT))
    for combo in range(COMBO_COUNT):
        high, low = cards_of(combo)
        assert high > low
        assert combo_of(high, low) == combo_of(low, high) == combo == high * (high - 1) // 2 + low
        assert tuple(COMBO_CARDS[combo].tolist()) == (high, low)
        assert int(COMBO_MASK[combo]) == card_mask((high, low)) == 1 << high | 1 << low
        assert format_combo(combo) == format_card(high) + format_card(low)


def test_a_combo_needs_two_cards() -> None:
    with pytest.raises(ValueError, match="not As twice"):
        combo_of(51, 51)


def test_the_169_classes_lie_on_the_usual_grid() -> None:
    order = RANKS[::-1]
    for hand_class in range(CLASS_COUNT):
        row, column = divmod(hand_class, 13)
        high, low = order[min(row, column)], order[max(row, column)]
        kind = "" if row == column else "s" if row < column else "o"
        assert class_name(hand_class) == high + low + kind  # type: ignore[arg-type]
        combos = combos_of_class(hand_class)  # type: ignore[arg-type]
        assert len(combos) == {"": 6, "s": 4, "o": 12}[kind]
        for combo in combos:
            a, b = cards_of(combo)
            assert {RANKS[rank_of(a)], RANKS[rank_of(b)]} == {high, low}
            assert (suit_of(a) == suit_of(b)) == (kind == "s")
            assert class_of(combo) == hand_class


def test_tables_cannot_be_written_to() -> None:
    for table in (COMBO_CARDS, COMBO_CLASS, COMBO_MASK):
        assert not table.flags.writeable


@given(st.lists(CARDS, max_size=7, unique=True))
def test_unblocked(cards: list[int]) -> None:
    live = unblocked(cards)
    assert live.sum() == (CARD_COUNT - len(cards)) * (CARD_COUNT - len(cards) - 1) // 2
    assert all(not set(cards_of(combo)) & set(cards) for combo in np.flatnonzero(live).tolist())


def test_relabelling_clubs_and_spades() -> None:
    assert format_cards(relabel_suits(parse_cards("AcKdQs"), (3, 1, 2, 0))) == "AsKdQc"


@given(st.lists(CARDS, unique=True), st.sampled_from(list(permutations(range(4)))))
def test_relabelling_suits(cards: list[int], permutation: tuple[int, ...]) -> None:
    relabelled = relabel_suits(cards, permutation)
    assert [rank_of(card) for card in relabelled] == [rank_of(card) for card in cards]
    assert [suit_of(card) for card in relabelled] == [permutation[suit_of(card)] for card in cards]
    inverse = [permutation.index(suit) for suit in range(4)]
    assert relabel_suits(relabelled, inverse) == tuple(cards)


@pytest.mark.parametrize("permutation", [(0, 1, 2), (0, 1, 2, 2), (1, 2, 3, 4)])
def test_refuses_to_relabel_suits_by_what_is_no_permutation(permutation: tuple[int, ...]) -> None:
    with pytest.raises(CardError, match="no permutation of the suits"):
        relabel_suits((0, 1), permutation)


@pytest.mark.parametrize("values", ["AhKh", 7, {1, 2}, None])
def test_a_sequence_has_an_order_and_is_no_text(values: object) -> None:
    check_sequence((1, 2), "Cards", CardError)
    check_sequence(np.arange(2), "Cards", CardError)
    with pytest.raises(CardError, match="Cards come in a sequence such as a tuple"):
        check_sequence(values, "Cards", CardError)


@pytest.mark.parametrize("function", [card_mask, unblocked, format_cards], ids=lambda function: function.__name__)
@pytest.mark.parametrize("card", [-1, 52, 1.0, "Ks", None])
def test_refuses_sets_with_what_is_no_card(function: Callable[[Any], object], card: object) -> None:
    with pytest.raises(CardError, match=f"{card} is no card"):
        function((1, card))


def test_streets() -> None:
    assert [BOARD_SIZE[street] for street in Street] == [0, 3, 4, 5]


@given(runs())
def test_runs_of_any_sign_are_cards_or_refused_with_a_sentence(text: str) -> None:
    refusal(CardTextError, lambda: parse_cards(text))


def test_symbols_of_suits_stand_in_the_place_of_their_letters() -> None:
    letters = format_cards(range(CARD_COUNT), " ")
    symbols = letters.translate(str.maketrans({"c": "♣", "d": "♦", "h": "♥", "s": "♠"}))
    assert card_symbols(range(CARD_COUNT), " ") == symbols
