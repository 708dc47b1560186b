"""Nothing of foreign text can do more to a terminal or a message than be read."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.foreign_text import LONGEST_SHOWN, printable, shortened

HARMFUL = {
    "line feed": "\n",
    "carriage return": "\r",
    "escape": "\x1b[2J",
    "C1 control sequence": "\x9b31m",
    "bell": "\a",
    "delete": "\x7f",
    "next line": "\x85",
    "line separator": "\u2028",
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "zero width space": "\u200b",
    "byte order mark": "\ufeff",
    "lone surrogate": "\ud800",
}


@pytest.mark.parametrize("harm", HARMFUL.values(), ids=HARMFUL.keys())
def test_no_control_character_is_shown(harm: str) -> None:
    for shown in (printable(f"a{harm}b"), shortened(f"a{harm}b")):
        assert shown.isprintable()
        assert (shown[0], shown[-1], len(shown)) == ("a", "b", len(harm) + 2)


def test_every_character_of_unicode_is_shown_as_one_that_prints() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    shown = printable(every)
    assert len(shown) == len(every)
    assert shown.isprintable()
    assert all(unicodedata.category(sign)[0] not in "CZ" for sign in set(shown) - {" "})


def test_letters_signs_and_suits_stay() -> None:
    assert shortened("Jörg ♥ 李 AhKh, 5%") == "Jörg ♥ 李 AhKh, 5%"


@given(st.text(), st.integers(2, 20))
def test_a_short_text_keeps_its_length_and_a_long_one_is_cut(text: str, most: int) -> None:
    shown = shortened(text, most)
    assert shown.isprintable()
    assert len(shown) == min(len(text), most)
    assert (shown != printable(text)) == (len(text) > most)


class CountedText(str):
    """Text that fails if it is read as a whole."""

    def isprintable(self) -> bool:
        raise AssertionError("the whole text was looked at")


def test_only_what_is_shown_of_a_long_text_is_looked_at() -> None:
    assert shortened(CountedText("\x1b" * 100_000)) == "\ufffd" * (LONGEST_SHOWN - 1) + "…"
