"""The hands of one player in a file of recorded hands, as that player saw them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from engine.foreign_text import shortened
from engine.game.observation import Observation
from engine.game.phh import SkippedHand, read_public_hands, seen_by

_MOST_NAMED = 12


class NothingToReviewError(ValueError):
    """A file that has no hand to review; the message says why in one sentence."""


def recorded_hands(path: str | Path, player: str) -> Iterator[tuple[str, Observation]]:
    """Yield each hand of a PHH file in which a player was dealt in and their hole cards are known, with its name.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    NothingToReviewError
        At the end, if there was no such hand.
    """
    found, reasons, names = 0, Counter[str](), Counter[str]()
    unknown = f"the hole cards of {shortened(player)} are not known"
    for hand in read_public_hands(path):
        if isinstance(hand, SkippedHand):
            reasons[hand.reason] += 1
            continue
        names.update(hand.players)
        seen = seen_by(hand, player)
        if seen is not None:
            found += 1
            yield hand.name, seen
        elif player in hand.players:
            reasons[unknown] += 1
    if found:
        return
    if player in names:
        raise NothingToReviewError(f"A decision is judged by hole cards, and in {path} {unknown}.")
    if names:
        others = ", ".join(name for name, _ in names.most_common(_MOST_NAMED))
        more = " and others" if len(names) > _MOST_NAMED else ""
        raise NothingToReviewError(f"There is no player '{shortened(player)}' in {path}; there are {others}{more}.")
    why = f", the first for this reason: {next(iter(reasons))}" if reasons else "."
    raise NothingToReviewError(f"There is no hand in {path} that can be read{why}")
