"""Trains the Markov reader: counts hand categories and actions in recorded hands whose hole cards are all known.

python -m engine.lab.markov_training FOLDER [FILE]
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from engine.agents.fold.understand import understand
from engine.agents.markov import (
    ACTION_CLASSES,
    CATEGORIES,
    CLASS_NUMBERS,
    RESOURCE,
    STREETS,
    MarkovCounts,
    MarkovModel,
    encode_counts,
    hand_categories,
)
from engine.cards import Card, Street, combo_of
from engine.game.events import BoardDealt
from engine.game.phh import PhhFileError, RecordedHand
from engine.lab.held_out import hands_to_train, training_paths


def train(folder: str | Path, *, is_apart: bool = True) -> MarkovCounts:
    """Return the counts of the hands of `TRAINING_FILES` in a folder; about a millisecond a hand.

    Raises
    ------
    PhhFileError
        If one of the files cannot be read.
    """
    return _counted(training_paths(folder), is_apart=is_apart)


def model_of(path: str | Path) -> MarkovModel:
    """Return the model counted from the hands of a file that are not kept apart; `PhhFileError` if unreadable."""
    return MarkovModel(_counted([Path(path)], is_apart=True))


def _counted(paths: Sequence[Path], *, is_apart: bool) -> MarkovCounts:
    counts = empty_counts()
    for path in paths:
        counts.hands[path.stem] = 0
        for hand in hands_to_train(path, is_apart=is_apart):
            count_hand(counts, hand)
            counts.hands[path.stem] += 1
    return counts


def empty_counts() -> MarkovCounts:
    """Return counts of no hand, to be filled by `count_hand`."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Count the hands of a folder and write the model; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.lab.markov_training",
        description="Count hand categories and actions for the Markov reader, without every fifth hand.",
    )
    parser.add_argument("folder", type=Path, help="folder with " + " and ".join(map(str, training_paths(""))))
    parser.add_argument("file", type=Path, nargs="?", help="to write; by default where the app reads it")
    options = parser.parse_args(arguments)
    path = options.file or Path(str(files("resources").joinpath(RESOURCE)))
    try:
        path.write_text(encode_counts(train(options.folder)), encoding="utf-8")
    except (PhhFileError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
