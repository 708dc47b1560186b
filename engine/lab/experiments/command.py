"""The command `soulread figure7`: readers compared on recorded hands as in the paper's figure 7."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import STOPPED, InputError, Parser, Progress, tell, write
from engine.equity.checks import EquityError

if TYPE_CHECKING:
    from engine.lab.experiments.figure7 import TopZ


def add_figure7(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread figure7`."""
    command = commands.add_parser(
        "figure7",
        help="figure 7 of the paper again: hand categories predicted, by reader",
        description="Tell how often the 1, 2, 3 hand categories that readers find likeliest hold the true one, per "
        "street, on recorded hands whose hole cards are all known, and what readers gain over the Markov model.",
        epilog='The reader "markov-own" is the Markov model counted from the other hands of a file of --apart.',
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="recorded hands in PHH")
    command.add_argument(
        "--readers", default="paper,markov", metavar="NAMES", help="with commas between (default: paper,markov)"
    )
    command.add_argument("--limit", type=int, metavar="N", help="score no more than this many hands of a file")
    command.add_argument(
        "--apart",
        default="",
        metavar="NAMES",
        help="files, by name without ending and with commas between, of which only every fifth hand is scored, "
        "those that training left out; the others are learned",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of ties (default: 0)")
    command.add_argument("--csv", metavar="FILE", help="write the figures there")
    command.add_argument("--plot", metavar="FILE", help="draw them there, as .png, .svg or .pdf; needs matplotlib")
    command.set_defaults(run=_figure7)


def _figure7(options: argparse.Namespace) -> int:
    from engine.agents.readers import UnknownReaderError
    from engine.game.phh import PhhFileError
    from engine.lab.experiments.figure7 import as_table, draw
    from engine.lab.experiments.figures import FigureError, check_drawing, write_csv
    from engine.lab.reading import ReadingError

    if options.limit is not None and options.limit < 1:
        raise InputError(f"At least 1 hand has to be scored, not {options.limit}.")
    names = {Path(file).stem for file in options.files}
    if unknown := sorted({*options.apart.split(",")} - {"", *names}):
        raise InputError(f"Hands of {unknown[0]} are to be kept apart, but there is no such file.")
    progress = Progress()
    try:
        if options.plot:
            check_drawing(options.plot)  # before the work, not after it
        rows = [row for file in options.files for row in _compared(Path(file), options, progress)]
        progress.clear()
        write(as_table(rows))
        if options.csv:
            write_csv(rows, options.csv)
        if options.plot:
            draw(rows, options.plot)
    except KeyboardInterrupt:
        progress.clear()
        tell("Stopped.")
        return STOPPED
    except (UnknownReaderError, PhhFileError, ReadingError, FigureError, EquityError) as error:
        progress.clear()
        raise InputError(str(error)) from error
    return 0


def _compared(file: Path, options: argparse.Namespace, progress: "Progress") -> "tuple[TopZ, ...]":
    """Compare readers on a file, and tell on stderr how many hands were skipped."""
    from engine.game.phh import SkippedHand
    from engine.lab.experiments.figure7 import Comparison, readers_of
    from engine.lab.held_out import hands_to_compare

    is_apart = file.stem in options.apart.split(",")
    readers = readers_of(options.readers.split(","), file, is_apart=is_apart)
    comparison = Comparison(file.stem, readers, options.seed)
    scored = skipped = 0
    for hand, is_scored in hands_to_compare(file, limit=options.limit, is_apart=is_apart):
        if isinstance(hand, SkippedHand):
            skipped += 1
        elif is_scored:
            comparison.score(hand)
            scored += 1
        else:
            comparison.learn(hand)
        progress.show(f"{file.name}: {scored:,} hands, {comparison.points:,} points, {progress.seconds:,.0f} s")
    if skipped:
        progress.clear()
        tell(f"{skipped:,} hands of {file} were skipped; soulread reading tells why.")
    if not scored:
        raise InputError(f"There is no hand to score in {file}.")
    return comparison.rows()
