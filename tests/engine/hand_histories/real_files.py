"""Files of hands that others wrote, which a clone does not have."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from engine.game.events import GameKind, end_of, start_of
from engine.hand_histories.files import NotImported, hand_files, read_file
from engine.hand_histories.imported import ImportedHand
from tests.conftest import SHARED

_OTHER_GAME = re.compile(r"It is .+, not (?:hold'em|no-limit)\.")
_FIRST = 100
"""Of a file so many hands are enough: the few files with more have a thousand alike."""


def hands_of_all_sites() -> Iterator[tuple[Path, list[ImportedHand]]]:
    """Yield every file with those of its first hundred hands that are imported."""
    for path in hand_files([SHARED / "data" / "fixtures"]):
        yield path, [hand for hand in islice(read_file(path), _FIRST) if isinstance(hand, ImportedHand)]


def refusals(site: str) -> set[tuple[str, str]]:
    """Return file and reason of each hand of no-limit hold'em that is not imported; chips of all others add up."""
    found = set()
    for path in sorted((SHARED / "data" / "fixtures" / site).iterdir()):
        for hand in read_file(path):
            if isinstance(hand, NotImported):
                if _OTHER_GAME.fullmatch(hand.reason) is None:
                    found.add((path.name, hand.reason))
                continue
            first, last = start_of(hand.record.events), end_of(hand.record.events)
            assert sum(seat.stack for seat in first.seats) == sum(last.stacks) + hand.rake, path.name
    return found


def verify_next_stacks(site: str) -> int:
    """Compare the stacks that a tournament hand leaves with those that the next one tells; return how many.

    The next text is another witness of what the one before came to.
    """
    compared = 0
    for path in sorted((SHARED / "data" / "fixtures" / site).iterdir()):
        table, left = ("", ""), dict[str, int]()
        for hand in read_file(path):
            if isinstance(hand, NotImported):
                left = {}
                continue
            first, last = start_of(hand.record.events), end_of(hand.record.events)
            if first.kind is GameKind.TOURNAMENT and table == (hand.tournament, hand.table):
                both = {start.name: start.stack for start in first.seats if start.name in left}
                assert both == {name: left[name] for name in both}, (path.name, hand.number)
                compared += len(both)
            table, left = (hand.tournament, hand.table), dict(zip(hand.record.players, last.stacks, strict=True))
    return compared
