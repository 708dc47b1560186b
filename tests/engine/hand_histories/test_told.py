"""What words and numbers of hand histories mean."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Card, format_card
from engine.hand_histories.told import CENTS, NotImportedError, cards_of, chips_of, hole_cards_of


@given(st.integers(0, 10**9), st.sampled_from(["{}", "${}", "{} €", "[${} USD]", "({} in chips"]))
def test_an_amount_is_read_with_every_sign_of_money(cents: int, written: str) -> None:
    amount = Decimal(cents) / 100
    assert chips_of(written.format(f"{amount:.2f}"), CENTS) == cents
    assert chips_of(written.format(f"{amount:,.2f}"), CENTS) == cents
    european = f"{amount:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")
    assert chips_of(written.format(european), CENTS) == cents
    french = f"{amount:,.2f}".replace(",", "\u202f").replace(".", ",")
    assert chips_of(written.format(french), CENTS) == cents


@given(st.integers(0, 10**9))
def test_chips_of_tournaments_are_whole(chips: int) -> None:
    assert (
        chips_of(f"{chips}", 1) == chips_of(f"{chips:,}", 1) == chips_of(f"{chips:,}".replace(",", " "), 1) == chips
    )


@pytest.mark.parametrize("text", ["", "abc", "$", "0.125", "1" * 30, "9" * 20, "x" * 1000 + "5"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(NotImportedError):
        chips_of(text, CENTS)


@given(st.permutations(range(CARD_COUNT)), st.sampled_from([" ", ", ", ""]))
def test_cards_are_read_as_they_are_written(cards: list[int], between: str) -> None:
    some = tuple(map(Card, cards[:5]))
    text = between.join(map(format_card, some))
    assert cards_of(f"[{text}]") == cards_of(text.replace("T", "10")) == cards_of(text.lower()) == some


@pytest.mark.parametrize("text", ["[Ah Zz]", "Ah Kd?", "joker"])
def test_what_are_no_cards_is_refused(text: str) -> None:
    with pytest.raises(NotImportedError):
        cards_of(text)


def test_hole_cards_have_the_higher_first_and_are_two() -> None:
    assert hole_cards_of("[2c As]") == cards_of("As 2c")
    assert hole_cards_of("[As]") is None
    with pytest.raises(NotImportedError, match="4 hole cards"):
        hole_cards_of("[As Ks Qs Js]")
