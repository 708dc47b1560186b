"""The command `soulread match`: its arguments, and matches played with progress on stderr."""

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from engine.commands import FAILED, STOPPED, InputError, Parser, Progress, tell, write
from engine.foreign_text import shortened

if TYPE_CHECKING:
    from engine.lab.matches.kept.run_file import RunFile
    from engine.lab.matches.plan import MatchPlan
    from engine.lab.matches.playing import PlayedHand
    from engine.lab.matches.report import Unit
    from engine.lab.matches.results import MatchResult, TournamentResult
    from engine.lab.matches.sprt import Outcome, Sprt
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
        "styles",
        nargs="+",
        metavar="STYLE",
        help="two or more different styles, in quotes; or files of your own, or a*:DIR for policies in a folder",
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
        "--executor",
        metavar="dask://HOST:PORT",
        help="the running Dask cluster that plays the matches, in place of processes; needs soulread[dask]",
    )
    command.add_argument(
        "--resume",
        metavar="FILE",
        help="keep every finished match there, and go on with those that it has; more can be asked for later",
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
    command.add_argument(
        "--seating",
        choices=("drawn", "fixed"),
        default="drawn",
        help="order of the styles round the table before each rotation: drawn for every deck, and every match of "
        "tournaments, or fixed as they are named (default: drawn)",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the whole match (default: 0)")
    command.add_argument(
        "--sprt",
        metavar="LOW,HIGH",
        help="stop once it is decided which of two win rates the first of two styles has, in the unit of --unit; "
        "a negative one as --sprt=-5,5",
    )
    command.add_argument(
        "--alpha", type=float, metavar="P", help="how often --sprt may find HIGH where LOW is true (default: 0.05)"
    )
    command.add_argument(
        "--beta", type=float, metavar="P", help="how often --sprt may find LOW where HIGH is true (default: 0.05)"
    )
    command.add_argument(
        "--unit",
        choices=("bb", "mbb"),
        default="bb",
        help="of win rates: bb/100, or mbb/h, thousandths of a big blind per hand (default: bb)",
    )
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
    from engine.lab.matches.plan import DEFAULT_HANDS, MatchPlan, Seating

    styles: list[str] = options.styles
    seats = len(styles) if options.seats is None else options.seats
    try:
        is_file = options.format not in FORMATS and os.path.exists(options.format)
        game = read_format(options.format) if is_file else built_in(options.format)
        names = tuple(map(named_style, styles))
    except (FormatFileError, StyleFileError) as error:
        raise InputError(str(error)) from error
    plan = MatchPlan(names, seats, options.hands, options.seed, options.stack, game, Seating(options.seating))
    readers = [] if options.readers is None else [name.strip() for name in options.readers.split(",")]
    if len(set(readers)) < len(readers):
        raise InputError("A reader is named twice.")
    if game.kind == GameKind.TOURNAMENT:
        _check_tournament(plan, options)
    hands = (DEFAULT_HANDS if plan.hands is None else plan.hands) * options.matches
    if readers and hands > _MOST_SCORED_HANDS:
        raise InputError(f"Readers are scored on {_MOST_SCORED_HANDS:,} hands at most, not {hands:,}.")
    if options.executor is not None:
        _check_executor(options)
    if options.workers is not None and options.matches == 1:
        raise InputError(
            "One match is played by one process, for each hand depends on those before; see --matches."
        )
    try:
        test = _test(plan, options)
        if game.kind == GameKind.TOURNAMENT:
            return _tournaments(plan, options)
        if options.matches == 1 and options.resume is None:
            return _one_match(plan, readers, test, options)
        return _several_matches(plan, readers, test, options)
    except ValueError as error:
        raise InputError(str(error)) from error


def _check_executor(options: argparse.Namespace) -> None:
    from engine.lab.matches.cluster import ClusterError, check_address

    try:
        check_address(options.executor)
    except ClusterError as error:
        raise InputError(str(error)) from error
    if options.workers is not None:
        raise InputError("A cluster has workers of its own: --workers is for processes here.")
    if options.matches == 1:
        raise InputError("A cluster shares out several matches, not one; see --matches.")


def _check_tournament(plan: "MatchPlan", options: argparse.Namespace) -> None:
    """Raise an `InputError` if something is asked for that there is in cash games alone."""
    asked = (
        (options.readers is not None, "Readers are scored"),
        (options.values, "Values are compared"),
        (options.sprt is not None, "Win rates are tested"),
        (options.unit != "bb", "Win rates are counted"),
    )
    for is_asked, what in asked:
        if is_asked:
            raise InputError(f"{what} in cash games, and '{plan.game.name}' is a tournament.")


def _test(plan: "MatchPlan", options: argparse.Namespace) -> "Sprt | None":
    from engine.lab.matches.sprt import Sprt

    if options.sprt is None:
        if options.alpha is not None or options.beta is not None:
            raise InputError("The error rates --alpha and --beta are those of --sprt.")
        return None
    if options.resume is not None and options.matches == 1:
        raise InputError("A test that resumes takes several matches, not the decks of one; see --matches.")
    try:
        low, high = map(float, options.sprt.split(","))
    except ValueError:
        raise InputError(f"--sprt takes two win rates such as 0,5, not '{shortened(options.sprt)}'.") from None
    factor = _unit(options).per_bb_per_100
    errors = (0.05 if rate is None else rate for rate in (options.alpha, options.beta))
    test = Sprt(low / factor, high / factor, *errors)
    test.verify(plan)
    return test


def _unit(options: argparse.Namespace) -> "Unit":
    from engine.lab.matches.report import Unit

    return Unit[options.unit.upper()]


def _one_match(plan: "MatchPlan", readers: Sequence[str], test: "Sprt | None", options: argparse.Namespace) -> int:
    from engine.agents.learned.beliefs import OF_PROGRAMS
    from engine.agents.readers import make_reader
    from engine.kernels.jit import warm_up
    from engine.lab.matches.playing import match
    from engine.lab.reading import Scorer

    scorers = [Scorer(make_reader(name, strangers=OF_PROGRAMS), options.seed) for name in readers]

    def score(played: "PlayedHand") -> None:
        for scorer in scorers:
            scorer.add(played.hand)

    results = match(plan, watch=score if scorers else None)
    progress, result, outcome, is_whole = Progress(), None, None, False
    hands = plan.decks * plan.rotations
    try:
        warm_up()  # so that no decision is timed while it compiles
        for result in results:
            left = progress.seconds * (hands / result.hands - 1)
            progress.show(f"{result.hands:,} of {hands:,} hands, {left:,.0f} s left")
            outcome = test.outcome(result, is_over_matches=False) if test else None
            if outcome and outcome.holds:
                break
        is_whole = True
    except KeyboardInterrupt:
        progress.clear()
        tell("Stopped.")
    progress.clear()
    if result is not None:
        _write_match(result, outcome, {scorer.reader_name: scorer.points for scorer in scorers}, options)
    return 0 if is_whole else STOPPED


def _several_matches(
    plan: "MatchPlan", readers: Sequence[str], test: "Sprt | None", options: argparse.Namespace
) -> int:
    from engine.lab.matches.several import SeveralMatches, check_matches, several_matches

    check_matches(plan, options.matches, readers)

    def outcome(last: SeveralMatches) -> "Outcome | None":
        return test.outcome(last.result, is_over_matches=True) if test else None

    def is_enough(last: SeveralMatches) -> bool:
        found = outcome(last)
        return found is not None and found.holds is not None

    def play(**shared: Any) -> Iterator[SeveralMatches]:
        return several_matches(plan, options.matches, readers=readers, **shared)

    with _kept(plan, readers, options) as file:
        played = _share_out(play, plan, options, file, is_enough)
    code, last = played
    if last is not None:
        _write_match(last.result, outcome(last), dict(zip(readers, last.points, strict=True)), options)
    return code


def _tournaments(plan: "MatchPlan", options: argparse.Namespace) -> int:
    from engine.lab.matches.report import tournaments_as_json, tournaments_as_table
    from engine.lab.matches.several import check_matches, several_tournaments

    check_matches(plan, options.matches)

    def play(**shared: Any) -> "Iterator[TournamentResult]":
        return several_tournaments(plan, options.matches, **shared)

    with _kept(plan, (), options) as file:
        code, last = _share_out(play, plan, options, file, lambda last: False)
    if last is not None:
        write(tournaments_as_json(last) if options.json else tournaments_as_table(last))
    return code


@contextmanager
def _kept(plan: "MatchPlan", readers: Sequence[str], options: argparse.Namespace) -> "Iterator[RunFile | None]":
    from engine.lab.matches.kept.run_file import open_run_file

    if options.resume is None:
        yield None
        return
    with open_run_file(options.resume, plan, readers) as file:
        yield file


def _share_out(
    play: Callable[..., Iterable[_T]],
    plan: "MatchPlan",
    options: argparse.Namespace,
    file: "RunFile | None",
    is_enough: Callable[[_T], bool],
) -> tuple[int, _T | None]:
    """Play the matches that are not in the file, shared out; return the exit code and the last result.

    `play` takes what the two functions of `engine.lab.matches.several` that play matches have in common.
    """
    from engine.kernels.jit import warm_up
    from engine.lab.matches.cluster import ClusterLost, workers_of
    from engine.lab.matches.kept.match_file import MatchFileError
    from engine.lab.matches.sharing import Sharing
    from engine.lab.matches.workers import count_hands, worker_count

    matches: int = options.matches
    cores = worker_count(options.workers)
    kept = 0 if file is None else sum(number in file for number in range(matches))
    if kept < matches:
        warm_up()  # so that the workers find everything compiled
    progress, last, finished = Progress(), None, 0

    def show() -> None:
        progress.show(_state(plan, (finished, kept, matches), workers.hands(), progress.seconds))

    note = count_hands if options.executor is None else None
    try:
        with workers_of(options.executor, min(cores, matches - kept)) as workers:
            for last in play(sharing=Sharing(workers.executor, note, show), file=file):
                finished += 1
                show()
                if is_enough(last):
                    workers.stop()
                    break
    except (KeyboardInterrupt, BrokenExecutor, MatchFileError) as error:
        progress.clear()
        if isinstance(error, MatchFileError):
            tell(str(error))
        else:
            sentence = "A process that played matches has died."
            if isinstance(error, KeyboardInterrupt):
                sentence = "Stopped."
            elif isinstance(error, ClusterLost):
                sentence = str(error)
            tell(sentence if file is None else f"{sentence} Finished matches are kept in {options.resume}.")
        return STOPPED if isinstance(error, KeyboardInterrupt) else FAILED, last
    progress.clear()
    return 0, last


def _state(plan: "MatchPlan", matches: tuple[int, int, int], played: int, seconds: float) -> str:
    """Say how far matches are: finished, kept before and all of them, hands played since, in so many seconds."""
    from engine.game.events import GameKind

    finished, kept, total = matches
    missing, hands = max(total - kept, 1), f"{played:,} hands"
    share = max(finished - kept, 0) / missing
    if plan.game.kind == GameKind.CASH:
        each = plan.decks * plan.rotations
        share, hands = played / missing / each, f"{kept * each + played:,} of {total * each:,} hands"
    left = f", {seconds * (1 / share - 1):,.0f} s left" if share else ""
    return f"{finished:,} of {total:,} matches, {hands}{left}"


def _write_match(
    result: "MatchResult",
    outcome: "Outcome | None",
    points: "Mapping[str, Sequence[ScoredPoint]]",
    options: argparse.Namespace,
) -> None:
    from engine.lab.matches.report import as_json, as_table, values_as_table
    from engine.lab.reading import table_reading
    from engine.lab.reading_report import readings_as_table

    readings = [table_reading(reader, of_reader) for reader, of_reader in points.items()]
    unit = _unit(options)
    tables = [as_table(result, unit=unit, outcome=outcome)]
    tables += [readings_as_table(readings)] if readings else []
    tables += [values_as_table(result.values)] if options.values else []
    if options.json:
        write(as_json(result, readings, has_values=options.values, unit=unit, outcome=outcome))
    else:
        write("\n\n".join(tables))
