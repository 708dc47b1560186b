"""The command `soulread review`: what each decision of a player cost."""

import argparse
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import FAILED, STOPPED, InputError, Parser, Progress, tell, tell_skipped, write
from engine.equity.checks import EquityError, check_seed

if TYPE_CHECKING:
    from engine.game.observation import Observation
    from engine.review.hands import HandReview


def add_review(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread review`."""
    command = commands.add_parser(
        "review",
        help="what each decision of a player cost, on recorded hands",
        description="Judge every decision of one player in recorded hands by what they could see: what each action "
        "was worth against the table as the learned reader knew it before the hand, what they did, what was best, "
        "and the loss with its standard error; then what all decisions come to.",
        epilog="The file is in PHH, one hand (.phh) or many (.phhs); the player's hole cards have to be known.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="recorded hands")
    command.add_argument("--player", required=True, metavar="NAME", help="whose decisions, as the file names them")
    command.add_argument("--limit", type=int, metavar="N", help="review no more than this many hands")
    command.add_argument("--workers", type=int, metavar="N", help="processes that share them (default: all cores)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the deals (default: 0)")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_review)


def _review(options: argparse.Namespace) -> int:
    from engine.game.phh import PhhFileError, SkippedHands
    from engine.lab.matches.workers import worker_count
    from engine.lab.reviews.report import as_json, as_text
    from engine.review.recorded import NothingToReviewError, recorded_hands
    from engine.review.session import session_review

    workers = worker_count(options.workers)
    if options.limit is not None and options.limit < 1:
        raise InputError(f"At least 1 hand has to be reviewed, not {options.limit}.")
    reviews: list[HandReview] = []
    skipped = SkippedHands()
    try:
        check_seed(options.seed)
        hands = list(islice(recorded_hands(options.file, options.player, skipped), options.limit))
        code = _review_hands(hands, options.seed, workers, reviews)
    except (PhhFileError, NothingToReviewError, EquityError) as error:
        raise InputError(str(error)) from error
    if reviews:
        tell_skipped(skipped.counts(), len(hands), options.file)
        session = session_review(reviews)
        if options.json:
            write(as_json(reviews, session, skipped.counts()))
        else:
            write(as_text(reviews, session, options.player))
    return code


def _review_hands(
    hands: "Sequence[tuple[str, Observation]]", seed: int, workers: int, reviews: "list[HandReview]"
) -> int:
    """Review hands into the list, shared out over processes; return the exit code."""
    from engine.kernels.jit import warm_up
    from engine.lab.matches.workers import worker_processes
    from engine.review.hands import review_hands

    progress = Progress()
    count = min(workers, len(hands))
    try:
        warm_up()  # so that the workers find everything compiled
        with worker_processes(count if count > 1 else 0) as at_work:
            for review in review_hands(hands, seed, executor=at_work.executor):
                reviews.append(review)
                left = progress.seconds * (len(hands) / len(reviews) - 1)
                progress.show(f"{len(reviews):,} of {len(hands):,} hands, {left:,.0f} s left")
    except (KeyboardInterrupt, BrokenExecutor) as error:
        progress.clear()
        is_stopped = isinstance(error, KeyboardInterrupt)
        tell("Stopped." if is_stopped else "A process that reviewed hands has died.")
        return STOPPED if is_stopped else FAILED
    progress.clear()
    return 0
