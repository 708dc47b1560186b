"""Amounts in chips and in big blinds, written and read back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.session.amounts import AmountTextError, Units

CHIPS = Units(20)
BLINDS = Units(20, in_big_blinds=True)


@pytest.mark.parametrize(
    ("chips", "text"), [(0, "0"), (5, "5"), (1250, "1,250"), (12_345_678, "12,345,678"), (-40, "−40")]
)
def test_chips(chips: int, text: str) -> None:
    assert CHIPS.text(chips) == text


@pytest.mark.parametrize(
    ("chips", "text"),
    [
        (0, "0 bb"),
        (10, "0.5 bb"),
        (30, "1.5 bb"),
        (25, "1.25 bb"),
        (40, "2 bb"),
        (199, "9.95 bb"),
        (201, "10.1 bb"),  # 10.05, half away from zero
        (24_000, "1,200 bb"),
        (-30, "−1.5 bb"),
    ],
)
def test_big_blinds(chips: int, text: str) -> None:
    assert BLINDS.text(chips) == text


def test_signed() -> None:
    assert [CHIPS.signed(chips) for chips in (-20, 0, 130)] == ["−20", "0", "+130"]
    assert BLINDS.signed(130) == "+6.5 bb"


@pytest.mark.parametrize(
    ("units", "text", "chips"),
    [
        (CHIPS, "1,250", 1250),
        (CHIPS, " 40 ", 40),
        (BLINDS, "6.5 bb", 130),
        (BLINDS, "6.5", 130),
        (BLINDS, "6.5BB", 130),
        (CHIPS, "1 250", 1250),
        (CHIPS, "6.5bb", 130),
        (BLINDS, ".5", 10),
        (BLINDS, "1.07", 21),  # 21.4 chips
        (BLINDS, "0.125", 3),  # 2.5 chips, halves up
    ],
)
def test_reads(units: Units, text: str, chips: int) -> None:
    assert units.parse(text) == chips


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bb",
        "-5",
        "1/2",
        "6,5x",
        "ten",
        "1.2.3",
        "6,5",
        "1,2500",
        "12,50",
        "1e3",
        "1e999999999",
        ".",
        "٣",
        "9" * 30,
    ],
)
def test_refuses_what_is_no_amount(text: str) -> None:
    with pytest.raises(AmountTextError, match="is no amount"):
        BLINDS.parse(text)


@given(st.integers(0, 10**9), st.integers(1, 10_000))
def test_chips_survive_the_round_trip(chips: int, big_blind: int) -> None:
    units = Units(big_blind)
    assert units.parse(units.text(chips)) == chips


@given(st.integers(0, 10**7), st.integers(1, 10_000))
def test_big_blinds_are_off_by_no_more_than_they_are_rounded(chips: int, big_blind: int) -> None:
    units = Units(big_blind, in_big_blinds=True)
    exact = Fraction(chips, big_blind)
    tolerance = Fraction(1, 200) if exact < 10 else Fraction(1, 20)
    shown = Fraction(units.number(chips).replace(",", ""))
    assert abs(shown - exact) <= tolerance
