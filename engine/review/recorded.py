"""The hands of one player in a file of recorded hands, as that player saw them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from engine.foreign_text import shortened
from engine.game.observation import Observation
from engine.game.phh import SkippedHand, SkippedHands, no_such_player, seen_by
from engine.hand_histories.phh_file import read_records

FIXED_LIMIT = "It has fixed limits, and decisions are judged as no-limit ones."
"""Why a hand is not reviewed."""


class NothingToReviewError(ValueError):
    """A file that has no hand to review; the message says why in one sentence."""


def recorded_hands(path: str | Path, player: str, skipped: SkippedHands) -> Iterator[tuple[str, Observation]]:
    """Yield each hand of a PHH file in which a player was dealt in and that can be reviewed, with its name.

    What cannot be read, and hands of the player with fixed limits or without their hole cards, are counted in
    `skipped`.

    Raises
    ------
    PhhFileError
        If the file cannot be read.
    NothingToReviewError
        At the end, if there was no such hand.
    """
    found, names = 0, Counter[str]()
    for hand in read_records(path):
        if isinstance(hand, SkippedHand):
            skipped.add(hand)
            continue
        names.update(hand.players)
        if player not in hand.players:
            continue
        seen = seen_by(hand, player)
        if not hand.is_no_limit:
            skipped.add(SkippedHand(hand.name, FIXED_LIMIT))
        elif seen is None:
            skipped.add(SkippedHand(hand.name, f"The hole cards of {shortened(player)} are not known."))
        else:
            found += 1
            yield hand.name, seen
    if not found:
        raise NothingToReviewError(_why_nothing(path, player, skipped, names))


def _why_nothing(path: str | Path, player: str, skipped: SkippedHands, names: Counter[str]) -> str:
    if names and player not in names:
        return no_such_player(player, path, (name for name, _ in names.most_common()))
    what = f"hand of {shortened(player)}" if names else "hand"
    reasons = skipped.counts()
    why = f", most for this reason: {reasons[0].reason}" if reasons else "."
    return f"There is no {what} in {path} that can be reviewed{why}"
