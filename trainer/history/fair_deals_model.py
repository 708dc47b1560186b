"""What binds the dealer, and what a check of a session's hands has found, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import structs

from engine.fair_deals import CheckedProof, SessionProof, check_steps
from engine.words import counted
from trainer.session.types import DeckCommitment

HEADINGS: Final = (">Hand", "Commitment", "Salt", "Check")

FAIR_DEALS_PAGE: Final = "pages/fair-deals.md"
"""The resource that explains it in plain words."""

_SHOWN_DIGITS = 16
_MOST_PROBLEMS = 8


@dataclass(frozen=True, slots=True)
class FairDealsView:
    """The finished hands of a session under `HEADINGS`, with the text that opens each, and what was found."""

    rows: tuple[tuple[str, ...], ...]
    openings: tuple[str, ...]
    summary: str
    is_right: bool
    proof: SessionProof


def fair_deals_views(proof: SessionProof, unseen: int | None = None) -> Iterator[str | FairDealsView]:
    """Check a session but for a hand whose end has not been shown: say how far it is, and last what was found."""
    proof = structs.replace(proof, hands=tuple(hand for hand in proof.hands if hand.hand_number != unseen))
    for checked in check_steps(proof):
        yield f"{checked.checked + checked.uncommitted:,} of {len(proof.hands):,} hands are checked."
    yield _view(proof, checked)


def _view(proof: SessionProof, checked: CheckedProof) -> FairDealsView:
    wrong = {problem.partition(":")[0] for problem in checked.problems}
    rows, openings = [], []
    for hand in reversed(proof.hands):
        opening = hand.opening
        salt = opening.salt if opening is not None else ""
        mark = "✗ see below" if f"Hand {hand.hand_number}" in wrong else "✓" if opening is not None else "none made"
        short = f"{hand.commitment[:_SHOWN_DIGITS]}…" if hand.commitment else "of an earlier version"
        rows.append((f"{hand.hand_number:,}", short, salt, mark))
        openings.append(opening.text if opening is not None else "")
    several = structs.replace(checked, problems=checked.problems[:_MOST_PROBLEMS])
    summary = "\n".join(found_words(several))
    if left_out := len(checked.problems) - len(several.problems):
        summary += f"\n{left_out:,} more are wrong; soulread verify lists them all."
    return FairDealsView(tuple(rows), tuple(openings), summary, not checked.problems, proof)


def found_words(checked: CheckedProof) -> tuple[str, ...]:
    """Say what a check has found, a sentence each; what is wrong comes first."""
    if checked.problems:
        return (*checked.problems, *_counted(checked))
    if not checked.checked:
        return ("No finished hand has a commitment to be checked yet.",)
    right = (
        "Every deck is the one that was committed to, follows from its seed and salt, and dealt the cards played."
    )
    seed = (
        "The seed of the table is open, and every hand follows from it."
        if checked.is_seed_open
        else "The seed of the table stays sealed while the session can go on; finish it to check that, too."
    )
    return (*_counted(checked), right, seed)


def _counted(checked: CheckedProof) -> Sequence[str]:
    hands = f"{counted(checked.checked, 'hand')} checked, {checked.salted:,} with a salt of yours."
    if not checked.uncommitted:
        return (hands,)
    return (hands, f"{checked.uncommitted:,} of an earlier version had no commitment.")


def commitment_heading(bound: DeckCommitment, *, is_running: bool) -> str:
    """Say of which hand a commitment is."""
    return f"Hand {bound.hand_number}, {'on the table' if is_running else 'to be dealt next'}"


def commitment_tip(bound: DeckCommitment | None) -> str:
    """Say what binds the dealer in a tool tip; "" where nothing does."""
    if bound is None or not bound.hand:
        return ""
    return (
        f"The deck of hand {bound.hand_number} was fixed before it was dealt:\n"
        f"SHA-256 {bound.hand[:32]}\n{bound.hand[32:]}\n"
        "Game > Fair deals opens it when the hand is over."
    )
