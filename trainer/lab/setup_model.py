"""What the setups of all pages of the lab share: processes, seeds, and how a setup is remembered as text."""

import os
from typing import TypeVar

from msgspec import Struct

from engine.codec import StoredDataError, decode, encode
from engine.lab.matches.workers import MOST_WORKERS

MOST_SEED = 2**31 - 1
"""That can be typed."""

S = TypeVar("S", bound=Struct)


def spare_cores() -> int:
    """Return how many processes leave one core to the window and the bots at the table, at least one."""
    return min(max((os.cpu_count() or 1) - 1, 1), MOST_WORKERS)


def processes_of(workers: int) -> int:
    """Return how many processes play if so many are chosen; 0 for one fewer than there are cores."""
    return min(workers or spare_cores(), MOST_WORKERS)


def setup_text(setup: Struct) -> str:
    """Write what is chosen on a page for the settings."""
    return encode(setup).decode()


def read_or_usual(text: str, usual: S) -> S:
    """Return what `setup_text` wrote, else what is usual."""
    try:
        return decode(text.encode(), type(usual))
    except StoredDataError:
        return usual
