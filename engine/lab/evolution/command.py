"""The command `soulread evolve`: its arguments, and runs with progress on stderr."""

import argparse
from collections.abc import Iterable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import FAILED, STOPPED, InputError, Parser, Progress, tell, write
from engine.foreign_text import shortened

if TYPE_CHECKING:
    from engine.agents.evolved.policy import StoredPolicy
    from engine.lab.evolution.checkpoint import Course
    from engine.lab.evolution.run import Job
    from engine.lab.evolution.targets import Target
    from engine.lab.matches.sharing import Sharing

_EXPLOITER, _BASE, _LIBRARY, _ALL = "exploiter", "base", "library", "all"
_SCHEDULES, _BEST_SCHEDULE = (1, 2, 3, 4), 4


def add_evolve(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread evolve`."""
    command = commands.add_parser(
        "evolve",
        help="policies evolved against styles of play",
        description="Evolve policies of the ensemble paper, heads-up with 200 big blinds and stacks reset: an "
        "exploiter of one of the styles o1 to o8, which begins with the base's last policies, the base against all "
        "of them in stages, or all of these; library records what the exploiters in DIR see of their styles. "
        "Policies go to DIR/NAME.policy, which "
        "soulread match plays, their curves and tests on fresh deals to CSV files beside them. What evolves is "
        "kept after each generation in DIR/NAME.checkpoint: a run that was stopped or killed goes on where it was, "
        "to the same result, for any number of workers.",
        epilog="Examples: soulread evolve exploiter o3; soulread evolve base --schedule 4; soulread evolve all "
        "--short",
    )
    command.add_argument("what", choices=(_EXPLOITER, _BASE, _LIBRARY, _ALL), metavar="exploiter|base|library|all")
    command.add_argument("style", nargs="?", metavar="STYLE", help="that an exploiter plays against, o1 to o8")
    command.add_argument(
        "--schedule",
        type=int,
        choices=_SCHEDULES,
        metavar="N",
        help="of the base, 1 to 4 as in the paper's fig. 10: all eight styles; o1 to o4, then o5 to o8; o1 to o4, "
        "then all; o1 to o4, then o5 to o8, then all (default: 4)",
    )
    command.add_argument("--short", action="store_true", help="a small network and few hands: shows that it works")
    command.add_argument("--out", default="evolved", metavar="DIR", help="a folder (default: evolved)")
    command.add_argument(
        "--settings", metavar="FILE", help="numbers of the run as text; docs/evolution.md has them"
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the whole run (default: 0)")
    command.add_argument("--workers", type=int, metavar="N", help="processes that share it (default: all cores)")
    command.add_argument(
        "--executor",
        metavar="dask://HOST:PORT",
        help="the running Dask cluster that plays, in place of processes; needs soulread[dask]",
    )
    command.set_defaults(run=_evolve)


def _evolve(options: argparse.Namespace) -> int:
    from engine.agents.evolved.policy import PolicyFileError
    from engine.game.formats import MAX_SEED
    from engine.lab.evolution.run import Job
    from engine.lab.evolution.settings import SHORT, EvolutionError, EvolutionSettings, read_settings
    from engine.lab.matches.cluster import ClusterError, check_address
    from engine.lab.matches.workers import worker_count

    targets = _targets(options)
    cores = worker_count(options.workers)
    if not 0 <= options.seed <= MAX_SEED:
        raise InputError(f"The seed must be from 0 to {MAX_SEED}, not {options.seed}.")
    try:
        if options.executor is not None:
            check_address(options.executor)
            if options.workers is not None:
                raise InputError("A cluster has workers of its own: --workers is for processes here.")
        settings = SHORT if options.short else EvolutionSettings()
        if options.settings is not None:
            settings = read_settings(options.settings, settings)
        if options.what != _LIBRARY:
            targets = settings.order_of(targets)
        jobs = [Job(target, settings, options.seed, Path(options.out)) for target in targets]
        return _run(jobs, cores, options)
    except (EvolutionError, PolicyFileError, ClusterError) as error:
        raise InputError(str(error)) from error


def _targets(options: argparse.Namespace) -> "tuple[Target, ...]":
    """Return what is to be evolved; of a library, what has to be there."""
    from engine.lab.evolution.targets import EXPLOITERS, STYLES, Target

    if options.schedule is not None and options.what != _BASE:
        raise InputError(f"--schedule is for the base, not for '{options.what}'.")
    if options.what != _EXPLOITER:
        if options.style is not None:
            raise InputError(f"'{options.what}' takes no style, and '{shortened(options.style)}' is given.")
        base = Target(schedule=options.schedule or _BEST_SCHEDULE)
        return {_BASE: (base,), _LIBRARY: EXPLOITERS, _ALL: (*EXPLOITERS, base)}[options.what]
    style = "" if options.style is None else options.style.lower()
    if style not in STYLES:
        given = f"not '{shortened(options.style)}'" if options.style is not None else "and none is given"
        raise InputError(f"An exploiter plays against one of {', '.join(STYLES)}, {given}.")
    return (Target(style),)


def _run(jobs: "list[Job]", cores: int, options: argparse.Namespace) -> int:
    """Evolve what is not there yet, and make the library where one is asked for; return the exit code."""
    from engine.agents.evolved.policy import read_policy
    from engine.lab.evolution.evaluation import warm_up
    from engine.lab.evolution.report import results_table
    from engine.lab.evolution.several import Evolution
    from engine.lab.matches.cluster import workers_of
    from engine.lab.matches.sharing import Sharing

    is_library = options.what == _LIBRARY
    evolution = Evolution(() if is_library else jobs)
    policies = {job.target: read_policy(job.policy) for job in jobs} if is_library else evolution.policies
    progress, words = Progress(has_lines=True), ""
    try:
        warm_up()  # so that the workers find everything compiled
        with workers_of(options.executor, cores) as workers:
            sharing = Sharing(workers.executor)
            _follow(evolution.steps(sharing), progress)
            if options.what in (_LIBRARY, _ALL):
                words = _write_library(jobs[0], policies | evolution.policies, sharing)
    except (KeyboardInterrupt, BrokenExecutor) as error:
        progress.clear()
        is_stopped = isinstance(error, KeyboardInterrupt)
        tell("Stopped." if is_stopped else str(error) or "A process that played has died.")
        tell(f"All finished generations are kept in {options.out}; the same command goes on.")
        return STOPPED if is_stopped else FAILED
    progress.clear()
    write(words if is_library else results_table([evolution.tested[job.target].course for job in jobs]))
    return 0


def _follow(steps: "Iterable[Course]", progress: Progress) -> None:
    """Evolve, telling how far it is."""
    target, begun, started = None, 0, 0.0
    for course in steps:
        done, whole = len(course.curve), course.header.generations
        if course.header.target != target:
            target, begun, started = course.header.target, done, progress.seconds
        left = (progress.seconds - started) * (whole - done) / (done - begun) if done > begun else None
        mean, best, mean_bb, best_bb = course.curve[-1]
        words = f"{target.name}: generation {done:,} of {whole:,}, fitness {mean:.3f} and at best {best:.3f}"
        words += f", {mean_bb:+.2f} and {best_bb:+.2f} bb/hand"
        progress.show(words if left is None else f"{words}, {left:,.0f} s left")


def _write_library(job: "Job", policies: "dict[Target, StoredPolicy]", sharing: "Sharing") -> str:
    """Write the library of the exploiters among these, with the seed and the hands of a job; return what it has."""
    from engine.lab.evolution.library import library_path, write_library

    library = write_library(job, policies, sharing)
    nodes = ", ".join(f"{style} {tree.nodes:,}" for style, tree in library.trees.items())
    return (
        f"{library_path(job)} has what {library.hands:,} hands of each exploiter tell of its style; nodes: {nodes}."
    )
