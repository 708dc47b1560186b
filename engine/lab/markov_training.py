"""Trains the Markov reader: counts hand categories and actions in recorded hands whose hole cards are all known.

    python -m engine.lab.markov_training FOLDER [FILE]

counts the hands of `SETS` in a folder and writes the model, by default to where the app reads it. Nothing in it is
random: the same hands give the same file.
"""

import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from engine.agents.fold.understand import understand
from engine.agents.hand_categories import hand_categories
from engine.agents.markov import (
    ACTION_CLASSES,
    CATEGORIES,
    CLASS_NUMBERS,
    RESOURCE,
    STREETS,
    MarkovCounts,
    MarkovModel,
    encode_counts,
)
from engine.cards import Card, Street, combo_of
from engine.game.events import BoardDealt
from engine.game.phh import RecordedHand, read_hands

SETS = ("pluribus", "bovada_6max")
"""The files trained on, whose licences allow it."""

KEPT_APART = 5
"""One hand of so many is kept apart, so that the model can be measured on hands that were never counted."""


def is_kept_apart(place: int) -> bool:
    """Tell whether the hand at a place in its file, from 0 and skipped ones counted too, is kept apart."""
    return place % KEPT_APART == 0


def train(folder: str | Path, *, is_apart: bool = True) -> MarkovCounts:
    """Count the hands of `SETS` in a folder.

    Parameters
    ----------
    folder : str or Path
        Holds `pluribus.phhs` and `bovada_6max.phhs`.
    is_apart : bool
        Whether every fifth hand of each file is left out.

    Raises
    ------
    PhhFileError
        If one of the files cannot be read.

    Notes
    -----
    About a millisecond a hand.

    Examples
    --------
    >>> counts = train("hands")  # doctest: +SKIP
    """
    return _counted([Path(folder, f"{name}.phhs") for name in SETS], is_apart=is_apart)


def model_of(path: str | Path) -> MarkovModel:
    """Give the model counted from the hands of one file, without those that are kept apart.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    """
    return MarkovModel(_counted([Path(path)], is_apart=True))


def _counted(paths: Sequence[Path], *, is_apart: bool) -> MarkovCounts:
    counts = empty_counts()
    for path in paths:
        counts.hands[path.stem] = 0
        for place, hand in enumerate(read_hands(path)):
            if isinstance(hand, RecordedHand) and not (is_apart and is_kept_apart(place)):
                count_hand(counts, hand)
                counts.hands[path.stem] += 1
    return counts


def empty_counts() -> MarkovCounts:
    """Give counts of no hand, to be filled by `count_hand`."""
    return MarkovCounts(
        {},
        starts=np.zeros(CATEGORIES, np.int64),
        moves=np.zeros((STREETS - 1, CATEGORIES, CATEGORIES), np.int64),
        actions=np.zeros((STREETS, 2, CATEGORIES, ACTION_CLASSES), np.int64),
    )


def count_hand(counts: MarkovCounts, hand: RecordedHand) -> None:
    """Add a hand to counts: the hole cards of all seats on all boards dealt, and every action."""
    combos = [combo_of(*cards) for cards in hand.hole_cards]
    board: tuple[Card, ...] = ()
    categories = {Street.PREFLOP: hand_categories(board)[combos]}
    for event in hand.events:
        if isinstance(event, BoardDealt):
            board += event.cards
            categories[event.street] = hand_categories(board)[combos]
    np.add.at(counts.starts, categories[Street.PREFLOP], 1)
    for street, found in categories.items():
        if street > Street.PREFLOP:
            earlier = Street(street - 1)
            np.add.at(counts.moves[earlier], (categories[earlier], found), 1)
    for action in understand(hand.events):
        category, number = categories[action.street][action.seat], CLASS_NUMBERS[action.action_class]
        counts.actions[action.street, int(action.is_facing_bet), category, number] += 1


def main(arguments: Sequence[str]) -> None:
    """Train on the folder named first, and write the file named second or that of the app."""
    folder, *target = arguments
    path = Path(target[0]) if target else Path(str(files("resources").joinpath(RESOURCE)))
    path.write_text(encode_counts(train(folder)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
