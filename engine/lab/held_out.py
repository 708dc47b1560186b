"""Which recorded hands a model is trained on, and which are kept apart to measure it."""

from collections.abc import Iterator
from pathlib import Path

from engine.game.phh import RecordedHand, SkippedHand, read_hands

TRAINING_FILES = ("pluribus", "bovada_6max")
"""Names of the files trained on, whose licences allow it; `.phhs` follows."""

HEADS_UP_FILE = "deepstack_hunl"
"""Name of the file that the networks for heads-up are trained on; its source states no licence; `.phhs` follows."""

KEPT_APART = 5
"""One hand of so many is kept apart, so that the model can be measured on hands that were never counted."""


def is_kept_apart(place: int) -> bool:
    """Whether the hand at a place in its file, from 0 and skipped ones counted too, is kept apart."""
    return place % KEPT_APART == 0


def training_paths(folder: str | Path) -> list[Path]:
    """Return where the files trained on are in a folder."""
    return [Path(folder, f"{name}.phhs") for name in TRAINING_FILES]


def heads_up_path(folder: str | Path) -> Path:
    """Return where the file of heads-up hands trained on is in a folder."""
    return Path(folder, f"{HEADS_UP_FILE}.phhs")


def hands_to_train(path: str | Path, *, is_apart: bool) -> Iterator[RecordedHand]:
    """Return the hands of a PHH file that can be played again, without those kept apart if `is_apart`.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    """
    for place, hand in enumerate(read_hands(path)):
        if isinstance(hand, RecordedHand) and not (is_apart and is_kept_apart(place)):
            yield hand


def hands_to_compare(
    path: str | Path, *, limit: int | None = None, is_apart: bool = False
) -> Iterator[tuple[RecordedHand | SkippedHand, bool]]:
    """Return the hands of a PHH file in order, each with whether it is to be scored or only learned.

    Ends after `limit` hands to be scored; with `is_apart` only those kept apart are.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    """
    left = limit
    for place, hand in enumerate(read_hands(path)):
        if left == 0:
            return
        is_scored = isinstance(hand, RecordedHand) and (not is_apart or is_kept_apart(place))
        if left is not None:
            left -= is_scored
        yield hand, is_scored
