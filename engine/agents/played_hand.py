"""A hand at a table that other people run, as a record keeps it: what our player saw of it, and why they acted.

It is a field of a section of PHH: JSON, compressed by zlib, in base64. docs/join.md describes the file.
"""

import binascii
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from engine.agents.agent import Trace
from engine.codec import StoredDataError, decode, encode
from engine.game.observation import Observation
from engine.game.phh import sections

FIELD: Final = "_soulread"
"""The name of the field."""

_VALUE = re.compile(rf"^{FIELD} = '([^'\n]*)'".encode(), re.MULTILINE)
_MOST_BYTES = 64_000_000
"""Of the JSON of a hand; a decision takes some hundred kilobytes."""

_T = TypeVar("_T", bound="_SeenHand")


class _SeenHand(Struct, frozen=True):
    observation: Observation


class PlayedHand(_SeenHand, frozen=True):
    """A finished hand: our last observation, with all events, and the traces of our decisions in order."""

    traces: tuple[Trace, ...]


def packed(hand: PlayedHand) -> str:
    """Return the value of the field."""
    return b64encode(zlib.compress(encode(hand))).decode()


def played_hand(section: bytes) -> PlayedHand | None:
    """Read the hand that a section of a PHH file keeps; None if it keeps none, StoredDataError if it is damaged."""
    return _read(section, PlayedHand)


def seen_hand(section: bytes) -> Observation | None:
    """Read what our player saw, which takes less than the whole; as `played_hand` does."""
    found = _read(section, _SeenHand)
    return found.observation if found is not None else None


def traces_in(path: Path, place: int) -> tuple[Trace, ...]:
    """Return why our player acted in the hand at a place of a file, from 1; nothing where that is not recorded.

    Raise StoredDataError if it is damaged, PhhFileError if the file cannot be read.
    """
    found: Iterator[tuple[str, bytes]] = islice(sections(path), place - 1, place)
    hands = [hand for _, text in found if (hand := played_hand(text)) is not None]
    return hands[0].traces if hands else ()


def _read(section: bytes, kind: type[_T]) -> _T | None:
    value = _VALUE.search(section)
    if value is None:
        return None
    try:
        whole = zlib.decompressobj()
        data = whole.decompress(b64decode(value[1], validate=True), _MOST_BYTES)
    except (zlib.error, binascii.Error) as error:
        raise StoredDataError(f"What is recorded of our player is damaged: {error}.") from error
    if not whole.eof:
        raise StoredDataError(f"What is recorded of our player is cut off, or more than {_MOST_BYTES:,} bytes.")
    return decode(data, kind)
