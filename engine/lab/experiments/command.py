"""The commands `soulread experiment` and `soulread figure7`: what the paper measured, measured again."""

import argparse
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import FAILED, STOPPED, InputError, Parser, Progress, tell, write
from engine.equity.checks import EquityError

if TYPE_CHECKING:
    from engine.lab.experiments.experiment import Step
    from engine.lab.experiments.figures.figure7 import TopZ
    from engine.lab.experiments.running import Running

_FOLD_NAMES = ("fig4", "fig5", "fig8", "table3", "fig9", "fig10", "fig11", "fig12")
_ENSEMBLE_NAMES = ("evo-table3", "evo-table4", "evo-table5", "fig8-evo", "fig9-evo", "fig10-evo", "fig11-evo")
_WITHOUT_MATCHES = "fig4"
EXPERIMENT_NAMES = (*_FOLD_NAMES, *_ENSEMBLE_NAMES)


def add_experiment(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread experiment`."""
    command = commands.add_parser(
        "experiment",
        help="a figure or table of the FOLD or the ensemble paper, measured again on our opponents",
        description="Measure a figure or table of the FOLD or the ensemble paper again on our opponents, and tell "
        "what agrees with the paper. The numbers go to DIR/NAME.csv, the figure with the paper's numbers to "
        "DIR/NAME.svg. Every finished match is kept in DIR: a run that was stopped or killed goes on where it was, "
        "and experiments share their matches. What other code has played is refused: then begin in a new DIR.",
        epilog="fig4: win rates sampled and counted; fig5: how often who folds, checks, calls, raises; fig8: how "
        "many matches settle a ranking; table3: heads-up, everybody against everybody; fig9: 2 to 8 players; "
        "fig10: chips over the hands; fig11: rank, survival, chips, fluctuation; fig12: what an agent loses "
        "without one of its parts. Figure 7 is soulread figure7. Of the ensemble paper: evo-table3: its agents "
        "against eight styles and one that changes; evo-table4: A* and others; evo-table5: storage and time; "
        "fig8-evo, fig9-evo: fitness by the width of the network, and by survival; fig10-evo: four schedules; "
        "fig11-evo: winnings while they play. What soulread evolve all has put into DIR/evolved-SEED "
        "is taken, of the seeds 2026 to 2028; what is missing is evolved.",
    )
    command.add_argument("name", choices=EXPERIMENT_NAMES, metavar="NAME", help=", ".join(EXPERIMENT_NAMES))
    command.add_argument("--short", action="store_true", help="few and short matches: shows only that it works")
    command.add_argument("--out", default="experiments", metavar="DIR", help="a folder (default: experiments)")
    command.add_argument(
        "--agents",
        nargs="+",
        metavar="STYLE",
        help="who is measured of the FOLD paper's (default: fold-2017 soulread)",
    )
    command.add_argument(
        "--matches",
        type=int,
        metavar="N",
        help="of each line-up of the FOLD paper's (default: as the paper, 100, for fig8 500)",
    )
    command.add_argument("--workers", type=int, metavar="N", help="processes that share them (default: all cores)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of all matches (default: 0)")
    command.add_argument("--no-drawing", action="store_true", help="write the CSV alone; drawing needs matplotlib")
    command.set_defaults(run=_experiment)


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


def _experiment(options: argparse.Namespace) -> int:
    from engine.agents.readers import UnknownReaderError
    from engine.agents.style_file import StyleFileError
    from engine.agents.styles import FOLD_2017, UnknownStyleError, registered_name
    from engine.lab.evolution.settings import EvolutionError
    from engine.lab.experiments.contestants import AGENTS
    from engine.lab.experiments.drawing import check_drawing, save
    from engine.lab.experiments.experiment import Setting
    from engine.lab.experiments.files import FigureError, write_csv
    from engine.lab.experiments.running import ALL_EXPERIMENTS, opened
    from engine.lab.matches.kept.match_file import MatchFileError

    if options.name in _ENSEMBLE_NAMES and (options.agents or options.matches is not None):
        raise InputError(
            f"{options.name} has agents and hands of its own; --agents and --matches are for the FOLD paper's."
        )
    agents = tuple(map(registered_name, options.agents)) if options.agents else AGENTS
    if options.name == _WITHOUT_MATCHES and (
        (options.agents and agents != (FOLD_2017,)) or options.matches is not None
    ):
        raise InputError(
            f"{options.name} is of {FOLD_2017} alone and compares no matches; other --agents, and --matches, are "
            "for the other experiments."
        )
    setting = Setting(agents, options.matches, options.seed, options.short)
    folder = Path(options.out)
    drawing = folder / f"{options.name}.svg"
    try:
        if not options.no_drawing:
            check_drawing(drawing, "; --no-drawing leaves it out")  # before the work, not after it
        with opened(options.name, setting, folder) as running:
            code, last = _run(running, options)
            if last is None or last.outcome is None or last.done < last.total:
                return code
            outcome = last.outcome()
        write(f"{ALL_EXPERIMENTS[options.name].TITLE}\n\n{outcome.table}\n\n{outcome.paragraph}")
        write_csv(outcome.rows, folder / f"{options.name}.csv")
        if not options.no_drawing:
            save(outcome.picture, drawing)
    except (
        FigureError,
        MatchFileError,
        UnknownStyleError,
        UnknownReaderError,
        StyleFileError,
        EvolutionError,
    ) as error:
        raise InputError(str(error)) from error
    return 0


def _run(running: "Running", options: argparse.Namespace) -> "tuple[int, Step | None]":
    """Run an experiment as far as it goes; return the exit code and how far it is."""
    from engine.kernels.jit import warm_up
    from engine.lab.matches.sharing import Sharing
    from engine.lab.matches.workers import count_hands, worker_count, worker_processes

    progress = Progress()
    last: Step | None = None
    count = running.processes(worker_count(options.workers))
    before, started = 0, 0.0

    def show() -> None:
        hands = workers.hands()
        far = [f"{hands:,} hands"] if hands or last is None else []  # those of generations are not counted
        if last is not None:
            far.insert(0, f"{last.done:,} of {last.total:,} {last.parts}")
            share = (last.done - before) / max(last.total - before, 1)
            far += [f"{(progress.seconds - started) * (1 / share - 1):,.0f} s left"] if share else []
        progress.show(", ".join(far))

    try:
        if count:
            warm_up()  # so that the workers find everything compiled
        with worker_processes(count) as workers:
            for step in running.steps(Sharing(workers.executor, count_hands, show)):
                if last is None or last.parts != step.parts:
                    before, started = step.done, progress.seconds
                last = step
                show()
    except (KeyboardInterrupt, BrokenExecutor) as error:
        progress.clear()
        is_stopped = isinstance(error, KeyboardInterrupt)
        tell("Stopped." if is_stopped else "A process that played matches has died.")
        if kept := running.finished():
            tell(f"{kept} are kept in {options.out}; the same command goes on.")
        return STOPPED if is_stopped else FAILED, None
    progress.clear()
    return 0, last


def _figure7(options: argparse.Namespace) -> int:
    from engine.agents.readers import UnknownReaderError
    from engine.game.phh import PhhFileError
    from engine.lab.experiments.drawing import check_drawing, save
    from engine.lab.experiments.figures.figure7 import as_table, picture_of
    from engine.lab.experiments.files import FigureError, write_csv
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
            save(picture_of(rows), options.plot)
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
    from engine.lab.experiments.figures.figure7 import Comparison, readers_of
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
