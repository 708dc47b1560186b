"""The command `soulread reading`: readers measured on recorded hands."""

import argparse
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import STOPPED, InputError, Parser, Progress, tell, tell_skipped, write
from engine.equity.checks import EquityError

if TYPE_CHECKING:
    from engine.lab.reading import Scorer


def add_reading(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread reading`."""
    command = commands.add_parser(
        "reading",
        help="how well a reader reads, on recorded hands",
        description="Score a reader on recorded hold'em hands whose hole cards are all known: what it loses per "
        "street, in nats, how true its probabilities are, and what a prediction costs. It sees what the next "
        "player to act sees, and learns each hand after it.",
        epilog="The file is in PHH, one hand (.phh) or many (.phhs).",
    )
    command.add_argument("file", metavar="FILE", help="recorded hands")
    command.add_argument("--reader", metavar="NAME", help="by name (default: the one that the app shows)")
    command.add_argument("--limit", type=int, metavar="N", help="read no more than this many hands")
    command.add_argument(
        "--explain",
        type=int,
        metavar="N",
        help="explain each action of hand N of the file in place of a score, after learning those before it",
    )
    command.add_argument(
        "--against", metavar="NAME", help="also tell what it gains on this reader, by street and by hands seen"
    )
    command.add_argument(
        "--apart", action="store_true", help="score every fifth hand alone, those that training left out"
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of ties (default: 0)")
    command.add_argument(
        "--calibration-file", metavar="JSON", help="write the calibration there, beside those of other readers"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_reading)


def _reading(options: argparse.Namespace) -> int:
    from engine.agents.calibration import read_calibrations, write_calibration
    from engine.agents.readers import DEFAULT_READER, UnknownReaderError, make_reader
    from engine.game.phh import PhhFileError
    from engine.lab.reading import ReadingError, Scorer, gains_of
    from engine.lab.reading_report import as_json, as_table, calibration_of, gains_as_table

    if options.limit is not None and options.limit < 1:
        raise InputError(f"At least 1 hand has to be read, not {options.limit}.")
    file = Path(options.file)
    calibration_file = Path(options.calibration_file) if options.calibration_file is not None else None
    if calibration_file is not None:
        read_calibrations(calibration_file)  # what is wrong with it is said before the work
    if options.explain is not None:
        return _explain_hand(options, file)
    try:
        names = [options.reader or DEFAULT_READER, *([options.against] if options.against else [])]
        scorers = [Scorer(make_reader(name), options.seed) for name in names]
        is_complete = _score_file(scorers, file, options.limit, is_apart=options.apart)
    except (UnknownReaderError, PhhFileError, ReadingError, EquityError) as error:
        raise InputError(str(error)) from error
    score = scorers[0].result()
    tell_skipped(score.skipped, score.hands, file)
    if score.skipped and not score.hands:
        raise InputError(f"So there is no hand to score in {file}.")
    gains = gains_of(*(scorer.points for scorer in scorers)) if options.against else ()
    if options.json:
        write(as_json(score, file.name, options.against, gains))
    else:
        table = as_table(score, file.name)
        write(f"{table}\n\n{gains_as_table(gains, options.against)}" if gains else table)
    if is_complete and calibration_file is not None:
        write_calibration(calibration_file, calibration_of(score, file.stem))
    return 0 if is_complete else STOPPED


def _explain_hand(options: argparse.Namespace, file: Path) -> int:
    from engine.agents.readers import DEFAULT_READER, UnknownReaderError, make_reader
    from engine.game.phh import PhhFileError, SkippedHand, read_hands
    from engine.lab.explained_hand import as_json, as_text, explained

    number: int = options.explain
    if number < 1:
        raise InputError(f"Hands are numbered from 1, so there is no hand {number}.")
    try:
        reader = make_reader(options.reader or DEFAULT_READER)
        count = 0
        for count, hand in enumerate(read_hands(file, limit=number), 1):
            if count < number:
                if not isinstance(hand, SkippedHand):
                    reader.learn(hand.events)
            elif isinstance(hand, SkippedHand):
                raise InputError(f"Hand {number} of {file} cannot be read: {hand.reason}")
            else:
                points = explained(reader, hand)
                write(as_json(hand, reader, points) if options.json else as_text(hand, reader, points))
    except (UnknownReaderError, PhhFileError) as error:
        raise InputError(str(error)) from error
    if count < number:
        raise InputError(f"There is no hand {number}: {file} ends with hand {count}.")
    return 0


def _score_file(scorers: Sequence["Scorer"], file: Path, limit: int | None, *, is_apart: bool) -> bool:
    """Score the hands of a file; False if that was stopped from the keyboard."""
    from engine.game.phh import RecordedHand
    from engine.kernels.jit import warm_up
    from engine.lab.held_out import hands_to_compare

    progress = Progress()
    try:
        hands = hands_to_compare(file, limit=limit, is_apart=is_apart)
        first = next(hands, None)
        if first is None:
            raise InputError(f"There is no hand in {file}.")
        warm_up()  # so that no prediction is timed while it compiles
        for count, (hand, is_scored) in enumerate(chain([first], hands), 1):
            for scorer in scorers:
                if is_scored or not isinstance(hand, RecordedHand):
                    scorer.add(hand)
                else:
                    scorer.learn(hand)
            progress.show(f"{count:,} hands, {len(scorers[-1].points):,} points, {progress.seconds:,.0f} s")
    except KeyboardInterrupt:
        for scorer in scorers:  # the first may have scored a hand more than the others
            del scorer.points[len(scorers[-1].points) :]
        progress.clear()
        tell("Stopped.")
        return False
    finally:
        progress.clear()
    return True
