"""Text as somebody may write it who means harm: long runs of each special sign, controls, numbers of any size."""

from collections.abc import Callable
from io import BytesIO
from typing import TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from hypothesis import strategies as st

_Error = TypeVar("_Error", bound=ValueError)

SIGNS = (
    *" \t\n\r\0\x1b\x07\x7f\x85\x9b\u2028\u202e\u2066\u200b\ufeff\ufffd",
    *"[](){}<>|=:;,.+-–/%#'\"\\_*@!?~^$&",
    *"0159eEaAkKtThscdx♥",
    *("Ah", "AKs", "AA,", "10", "1e", "1e9", "0x", "inf", "nan", "any ", "[50", "[/", "[50]", "5%-", "AA:"),
    *("\u0661", "\U0001f0a1", "e\u0301", "İ", "ß", "\u212a", "\u017f", "\ud800"),
    *("board ", "dead ", "pot 1", "call ", "seed 9", "exact ", "folded ", "a=", "p1 ", "d dh ", "{a=", '"""', "[["),
)
"""Signs that some notation takes for special, or that do something to a terminal, and words of our notations."""

LONGEST_REASON = 300
"""Characters of a sentence about foreign text."""


def runs(longest: int = 5000, most: int = 5) -> st.SearchStrategy[str]:
    """Return texts of a few runs, each of one sign as often as `longest` times."""
    run = st.builds(lambda sign, count: sign * count, st.sampled_from(SIGNS), st.integers(1, longest))
    return st.lists(run, max_size=most).map("".join)


def is_fit_to_be_shown(reason: str) -> bool:
    """Tell whether a sentence holds nothing but what can be read, and is not too long."""
    return reason.isprintable() and 0 < len(reason) <= LONGEST_REASON


def refusal(kind: type[_Error], read: Callable[[], object]) -> _Error | None:
    """Read something; return the error of that kind that refused it, if one did, in a sentence fit to be shown."""
    try:
        read()
    except kind as error:
        if not is_fit_to_be_shown(str(error)):
            raise AssertionError(f"not fit to be shown: {error!r}") from error
        return error
    return None


def damaged_archives(whole: bytes) -> st.SearchStrategy[bytes]:
    """Return what is left of an archive, as it is or compressed, when some of its bytes are others."""
    source, compressed = BytesIO(whole), BytesIO()
    with ZipFile(source) as stored, ZipFile(compressed, "w", ZIP_DEFLATED) as smaller:
        for name in stored.namelist():
            smaller.writestr(name, stored.read(name))

    def changed(data: bytes, changes: list[tuple[int, int]]) -> bytes:
        bad = bytearray(data)
        for place, byte in changes:
            bad[place % len(bad)] = byte
        return bytes(bad)

    changes = st.lists(st.tuples(st.integers(0, len(whole)), st.integers(0, 255)), min_size=1, max_size=20)
    return st.builds(changed, st.sampled_from([whole, compressed.getvalue()]), changes)
