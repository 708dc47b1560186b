"""The command `soulread match`: its arguments, and matches played with progress on stderr."""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engine.commands import FAILED, STOPPED, InputError, Parser, Progress, tell, write

if TYPE_CHECKING:
    from engine.lab.matches.plan import MatchPlan
    from engine.lab.matches.playing import PlayedHand
    from engine.lab.matches.results import MatchResult
    from engine.lab.reading import ScoredPoint

_T = TypeVar("_T")

_MOST_SCORED_HANDS = 100_000  # of a match: every decision is kept


def add_match(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread match`."""
    command = commands.add_parser(
        "match",
        help="styles of play against each other",
        description="Play styles against each other, heads-up or round a table, with the same stack in front of "
        "everybody at the start of each hand, and tell how many big blinds each wins per 100 hands. Every deck is "
        "played once in each rotation of the styles over the seats; standard errors are those over decks. bb/100 "
        "has the luck of the board taken out, that of all-ins included, which changes no mean; as won: as the "
        "chips went. With the format of a tournament each match is a whole one, in each rotation with the same "
        "decks and all strangers to each other; told are mean places with standard errors over matches, first "
        "places, hands survived, chips and prizes won, and how chips fluctuated.",
        epilog='All styles are listed by "soulread styles"; "fold:READER", such as "fold:uniform", is FOLD with a '
        "reader given by name.",
    )
    command.add_argument(
        "styles", nargs="+", metavar="STYLE", help="two or more different styles, in quotes; or files of your own"
    )
    command.add_argument("--seats", type=int, metavar="N", help="styles repeat round the table (default: one each)")
    command.add_argument(
        "--hands",
        type=int,
        metavar="N",
        help="rounded up to whole decks (default: 1000); a tournament is played to its end",
    )
    command.add_argument(
        "--matches",
        type=int,
        default=1,
        metavar="N",
        help="play so many such matches, which share no memories: in each all begin as strangers (default: 1)",
    )
    command.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes that share the matches; the result is the same for any number (default: all cores)",
    )
    command.add_argument(
        "--stack",
        type=int,
        metavar="BB",
        help="big blinds of each player, 1 to 10,000 (default: as the format has it, usually 100)",
    )
    command.add_argument(
        "--format",
        default="cash",
        metavar="NAME",
        help="what is played: cash, cash-ante, cash-straddle, heads-up, or the tournaments paper, tournament and "
        "contest; or the file of a format of your own (default: cash)",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the whole match (default: 0)")
    command.add_argument(
        "--readers",
        metavar="NAMES",
        help="also tell what readers, such as learned,paper, lose on the true hole cards of these hands, and how "
        "true their probabilities are",
    )
    command.add_argument(
        "--values",
        action="store_true",
        help="also tell what the actions of styles that compare their values, such as soulread, were predicted to "
        "be worth and what came of them, by street and kind of action",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_match)


def _match(options: argparse.Namespace) -> int:
    from engine.agents.style_file import StyleFileError
    from engine.agents.styles import named_style
    from engine.game.events import GameKind
    from engine.game.format_file import FORMATS, FormatFileError, built_in, read_format
    from engine.lab.matches.plan import DEFAULT_HANDS, MatchPlan

    styles: list[str] = options.styles
    seats = len(styles) if options.seats is None else options.seats
    try:
        is_file = options.format not in FORMATS and Path(options.format).exists()
        game = read_format(options.format) if is_file else built_in(options.format)
        names = tuple(map(named_style, styles))
    except (FormatFileError, StyleFileError) as error:
        raise InputError(str(error)) from error
    plan = MatchPlan(names, seats, options.hands, options.seed, options.stack, game)
    readers = [] if options.readers is None else [name.strip() for name in options.readers.split(",")]
    if len(set(readers)) < len(readers):
        raise InputError("A reader is named twice.")
    is_tournament = game.kind == GameKind.TOURNAMENT
    if is_tournament and (readers or options.values):
        what = "Readers are scored" if readers else "Values are compared"
        raise InputError(f"{what} in cash games, and '{game.name}' is a tournament.")
    hands = (DEFAULT_HANDS if plan.hands is None else plan.hands) * options.matches
    if readers and hands > _MOST_SCORED_HANDS:
        raise InputError(f"Readers are scored on {_MOST_SCORED_HANDS:,} hands at most, not {hands:,}.")
    if options.workers is not None and options.matches == 1:
        raise InputError(
            "One match is played by one process, for each hand depends on those before; see --matches."
        )
    try:
        if is_tournament:
            return _tournaments(plan, options)
        return (_one_match if options.matches == 1 else _several_matches)(plan, readers, options)
    except ValueError as error:
        raise InputError(str(error)) from error


def _one_match(plan: "MatchPlan", readers: Sequence[str], options: argparse.Namespace) -> int:
    from engine.agents.readers import make_reader
    from engine.kernels.jit import warm_up
    from engine.lab.matches.playing import match
    from engine.lab.reading import Scorer

    scorers = [Scorer(make_reader(name), options.seed) for name in readers]

    def score(played: "PlayedHand") -> None:
        for scorer in scorers:
            scorer.add(played.hand)

    results = match(plan, watch=score)
    progress, result = Progress(), None
    hands = plan.decks * plan.rotations
    try:
        warm_up()  # so that no decision is timed while it compiles
        for result in results:
            left = progress.seconds * (hands / result.hands - 1)
            progress.show(f"{result.hands:,} of {hands:,} hands, {left:,.0f} s left")
    except KeyboardInterrupt:
        progress.clear()
        tell("Stopped.")
    progress.clear()
    if result is not None:
        _write_match(result, {scorer.reader_name: scorer.points for scorer in scorers}, options)
    return 0 if result is not None and result.decks == plan.decks else STOPPED


def _several_matches(plan: "MatchPlan", readers: Sequence[str], options: argparse.Namespace) -> int:
    from engine.lab.matches.several import check_matches, several_matches
    from engine.lab.matches.workers import count_hands

    matches: int = options.matches
    check_matches(plan, matches, readers)
    progress = Progress()
    total = matches * plan.decks * plan.rotations

    def state(finished: int, hands: int) -> str:
        left = f", {progress.seconds * (total / hands - 1):,.0f} s left" if hands else ""
        return f"{finished:,} of {matches:,} matches, {hands:,} of {total:,} hands{left}"

    code, last = _share_out(
        lambda executor, idle: several_matches(
            plan, matches, readers=readers, executor=executor, note=count_hands, idle=idle
        ),
        options,
        progress,
        state,
    )
    if last is not None:
        _write_match(last.result, dict(zip(readers, last.points, strict=True)), options)
    return code


def _tournaments(plan: "MatchPlan", options: argparse.Namespace) -> int:
    from engine.lab.matches.report import tournaments_as_json, tournaments_as_table
    from engine.lab.matches.several import check_matches, several_tournaments
    from engine.lab.matches.workers import count_hands

    matches: int = options.matches
    check_matches(plan, matches)
    progress = Progress()

    def state(finished: int, hands: int) -> str:
        left = f", {progress.seconds * (matches / finished - 1):,.0f} s left" if finished else ""
        return f"{finished:,} of {matches:,} matches, {hands:,} hands{left}"

    code, last = _share_out(
        lambda executor, idle: several_tournaments(plan, matches, executor=executor, note=count_hands, idle=idle),
        options,
        progress,
        state,
    )
    if last is not None:
        write(tournaments_as_json(last) if options.json else tournaments_as_table(last))
    return code


def _share_out(
    play: Callable[[Executor, Callable[[], object]], Iterable[_T]],
    options: argparse.Namespace,
    progress: "Progress",
    state: Callable[[int, int], str],
) -> tuple[int, _T | None]:
    """Play matches in processes; return the exit code and the last result. `state` is of matches and hands."""
    from engine.kernels.jit import warm_up
    from engine.lab.matches.workers import MOST_WORKERS, worker_processes

    cores = min(os.cpu_count() or 1, MOST_WORKERS) if options.workers is None else options.workers
    if not 1 <= cores <= MOST_WORKERS:
        raise InputError(f"There can be 1 to {MOST_WORKERS} workers, not {cores:,}.")
    last, finished = None, 0

    def show() -> None:
        progress.show(state(finished, workers.hands()))

    try:
        warm_up()  # so that the workers find everything compiled
        with worker_processes(min(cores, options.matches)) as workers:
            for last in play(workers.executor, show):  # noqa: B007 - the last is returned
                finished += 1
                show()
    except (KeyboardInterrupt, BrokenExecutor) as error:
        is_stopped = isinstance(error, KeyboardInterrupt)
        progress.clear()
        tell("Stopped." if is_stopped else "A process that played matches has died.")
        return STOPPED if is_stopped else FAILED, last
    progress.clear()
    return 0, last


def _write_match(
    result: "MatchResult", points: "Mapping[str, Sequence[ScoredPoint]]", options: argparse.Namespace
) -> None:
    from engine.lab.matches.report import as_json, as_table, values_as_table
    from engine.lab.reading import table_reading
    from engine.lab.reading_report import readings_as_table

    readings = [table_reading(reader, of_reader) for reader, of_reader in points.items()]
    tables = [as_table(result)]
    tables += [readings_as_table(readings)] if readings else []
    tables += [values_as_table(result.values)] if options.values else []
    write(as_json(result, readings, has_values=options.values) if options.json else "\n\n".join(tables))
