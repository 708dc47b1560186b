"""The commands that need no window: `soulread odds`, `match`, `reading`, `figure7` and `join`."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import closing
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import msgspec

from engine.cards import Card, CardTextError, cards_of, parse_cards
from engine.commands import BAD_INPUT, FAILED, STOPPED, InputError, Parser
from engine.equity.checks import EquityError
from engine.equity.question import DEFAULT_SAMPLES, EquityQuestion
from engine.equity.solve import EquitySnapshot, solve
from engine.foreign_text import fit_for_terminal, printable, shortened
from engine.ranges import Range, RangeTextError, parse_range
from engine.resources import ResourceError

if TYPE_CHECKING:
    from engine.equity.decisions import BetFigures, CallFigures
    from engine.equity.notation import QuestionLineError, SharedQuestion
    from engine.equity.outs import OutFigures
    from engine.game.phh import RecordedHand
    from engine.lab.figure7 import TopZ
    from engine.lab.matches import MatchPlan, MatchResult
    from engine.lab.reading import ReadingScore, ScoredPoint, Scorer

_T = TypeVar("_T")

_MOST_THREADS = 1024
_SECONDS_OF_PROGRESS = 0.2
_SECONDS_OF_LINES = 1.0  # of progress where stderr is no terminal
_SHOWN_REASONS = 10
_MOST_SCORED_HANDS = 100_000  # of a match: every decision is kept
_POINTED_BEFORE, _POINTED = 40, 100  # characters of a text shown before what is at fault, and in all


def main(arguments: Sequence[str]) -> int:
    """Run a command, its name before its arguments, and return the exit code.

    0; 2 for bad input, a broken data file and an answer that cannot be written, which a sentence on stderr
    explains; 1, with one too, if a process died that played matches; 130 if it was stopped from the keyboard.
    """
    try:
        options = _parser().parse_args(arguments)
        if options.command is None:
            raise InputError("No command was given. See soulread --help.")
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except (InputError, ResourceError) as error:
        _tell(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:  # before there was anything to tell
        _tell("Stopped.")
        return STOPPED


def _tell(text: str) -> None:
    """Print on stderr, each line fit for a terminal whatever it quotes."""
    print(fit_for_terminal(text), file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="soulread", description="A Texas Hold'em trainer whose opponents read hands.")
    commands = parser.add_subparsers(dest="command", parser_class=Parser)
    _add_odds(commands)
    _add_match(commands)
    _add_reading(commands)
    _add_figure7(commands)
    _add_join(commands)
    return parser


def _add_odds(commands: "argparse._SubParsersAction[Parser]") -> None:
    command = commands.add_parser(
        "odds",
        help="win, tie and equity of hands or ranges",
        description="Win, tie and equity of 2 to 10 hands or ranges, counted exactly where that takes about a "
        f"second, otherwise sampled ({DEFAULT_SAMPLES:,} deals). What takes longer tells on stderr how far it is: "
        "on a terminal in one line, elsewhere in a line each second.",
        epilog='Hands and ranges: "AhKh"  "QQ+"  "A2s+,KTs-K8s"  "AK"  "15%"  "AA:0.5"  "random"',
    )
    command.add_argument(
        "hands", nargs="+", metavar="HAND", help="a hand or a range, in quotes; or one line of --share"
    )
    command.add_argument("--board", default="", help='0, 3, 4 or 5 cards, such as "Ks 7d 2h"')
    command.add_argument("--dead", default="", help="cards known to be out of play")
    amount = command.add_mutually_exclusive_group()
    amount.add_argument("--samples", type=int, metavar="N", help="sample this many deals")
    amount.add_argument("--exact", action="store_true", help="count exactly even if it takes two minutes")
    command.add_argument("--seed", type=int, metavar="N", help="of the samples (default: 0)")
    command.add_argument(
        "--ranking",
        type=int,
        choices=range(1, 10),
        metavar="N",
        help='the best hands, such as "15%%", are those of highest equity before the flop against so many random '
        "ones, 1 to 9 (default: 1)",
    )
    command.add_argument(
        "--threads",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="that share the work (default: all cores)",
    )
    _add_chips(command)
    command.add_argument(
        "--share",
        action="store_true",
        help="print the question as one line, which this command takes, and no answer",
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--format", choices=("text", "markdown", "csv", "json"), default="text", help="default: text")
    form.add_argument(
        "--json", action="store_const", const="json", dest="format", help="print one JSON object; --format json"
    )
    command.set_defaults(run=_odds)


def _add_chips(command: argparse.ArgumentParser) -> None:
    """Add what is asked about the first player's decision."""
    command.add_argument("--pot", type=float, metavar="CHIPS", help="in the middle before the first player acts")
    command.add_argument(
        "--call",
        type=float,
        metavar="CHIPS",
        help="what a call costs him, the bet being in the pot: pot odds, required equity, EV, defence, outs",
    )
    command.add_argument(
        "--bet",
        type=float,
        metavar="CHIPS",
        help="what he would bet, or with --call raise in all: fold equity that breaks even, outs",
    )
    command.add_argument(
        "--outs",
        action="store_true",
        help="the first player's outs without pot and call or bet, with which they are told anyway; he needs a "
        "known hand and a flop or turn",
    )


def _add_match(commands: "argparse._SubParsersAction[Parser]") -> None:
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
        epilog='Styles: "soulread"  "fold"  "fold:READER", such as "fold:uniform"  "fold-2017"  "adapter"  '
        '"tight-passive"  "nit"  "fit-or-fold"  "lead keeper"  "calling station"  "sticky"  "loose-aggressive"  '
        '"min-raiser"  "maniac"  "shover"  "random"',
    )
    command.add_argument("styles", nargs="+", metavar="STYLE", help="two or more different styles, in quotes")
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


def _add_join(commands: "argparse._SubParsersAction[Parser]") -> None:
    from engine.join.command import add_protocols, run

    command = commands.add_parser(
        "join",
        help="play at a table that other people run",
        description="Let one of our agents play at a table that other people run, and watch it there.",
    )
    add_protocols(command)
    command.set_defaults(run=run)


def _add_reading(commands: "argparse._SubParsersAction[Parser]") -> None:
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


def _add_figure7(commands: "argparse._SubParsersAction[Parser]") -> None:
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


def _odds(options: argparse.Namespace) -> int:
    from engine.equity.notation import format_question
    from engine.equity.report import SHOWN_HAND, WRITERS, OddsReport

    asked = _asked(options)
    question = msgspec.structs.replace(
        asked.question, labels=tuple(shortened(name, SHOWN_HAND) for name in _names(asked))
    )
    if not 1 <= options.threads <= _MOST_THREADS:
        raise InputError(f"The work is shared by 1 to {_MOST_THREADS} threads, not {options.threads}.")
    try:
        _figures(asked, None)  # what is wrong with the chips is said before the work
        if options.share:
            solve(question, seed=asked.seed).close()  # it refuses at once what has no answer
            _write(format_question(asked))
            return 0
        answer = _final(question, asked.seed, options.threads)
        if answer is not None:
            call, bet = _figures(asked, answer.value[0].equity)
            outs = _outs(asked) if options.outs or asked.pot is not None else None
            report = OddsReport(_names(asked), answer, call, bet, outs, folded=tuple(map(str, asked.folded)))
            _write(WRITERS[options.format](report))
    except ValueError as error:
        raise error if isinstance(error, InputError | ResourceError) else InputError(str(error)) from error
    return 0 if answer is not None and answer.is_final else STOPPED


def _asked(options: argparse.Namespace) -> "SharedQuestion":
    """Return the question that the command line asks, by its arguments or in one line."""
    from engine.equity.notation import BAR, QuestionLineError, SharedQuestion, parse_question

    texts: list[str] = options.hands
    if len(texts) == 1 and BAR in texts[0]:
        if options.board or options.dead:
            raise InputError("The board and the dead cards stand in the line itself, after 'board' and 'dead'.")
        try:
            asked = parse_question(texts[0], opponents=options.ranking)
        except QuestionLineError as error:
            raise InputError(_pointed("The question", texts[0], error)) from error
    else:
        ranking = options.ranking or 1
        ranges = tuple(_read_range(f"Hand {i}", text, ranking) for i, text in enumerate(texts, 1))
        board, dead = _read_cards("The board", options.board), _read_cards("The dead cards", options.dead)
        asked = SharedQuestion(EquityQuestion(ranges, board, dead), texts=tuple(texts), ranking=ranking)
    if options.samples is not None or options.exact:
        question = msgspec.structs.replace(asked.question, samples=options.samples, is_exact=options.exact)
        asked = msgspec.structs.replace(asked, question=question)
    if options.call is not None or options.bet is not None:
        asked = msgspec.structs.replace(asked, to_call=options.call, bet=options.bet)
    if options.pot is not None and asked.to_call is None and asked.bet is None:
        raise InputError("Beside the pot a call or a bet has to be given.")
    given = {"seed": options.seed, "pot": options.pot}
    return msgspec.structs.replace(asked, **{name: value for name, value in given.items() if value is not None})


def _names(asked: "SharedQuestion") -> tuple[str, ...]:
    """Return what to call the players: their names, or their hands as typed."""
    labels = asked.question.labels or ("",) * len(asked.texts)
    return tuple(printable(label or text) for label, text in zip(labels, asked.texts, strict=True))


def _figures(asked: "SharedQuestion", equity: float | None) -> "tuple[CallFigures | None, BetFigures | None]":
    """Return what a call or bet of the first player needs, if that is asked."""
    if asked.pot is None and asked.to_call is None and asked.bet is None:
        return None, None
    from engine.equity.decisions import figures_of_bet, figures_of_call

    if asked.pot is None:
        raise InputError("A call or a bet is measured by the pot, which is not given.")
    call = figures_of_call(asked.pot, asked.to_call, equity) if asked.to_call is not None else None
    bet = figures_of_bet(asked.pot, asked.bet, equity, asked.to_call or 0) if asked.bet is not None else None
    return call, bet


def _outs(asked: "SharedQuestion") -> "OutFigures | None":
    """Find the outs of the first player, if that is a known hand that may have any."""
    from engine.equity.outs import figures_of_outs

    question = asked.question
    combos = question.players[0].weights.nonzero()[0]
    return figures_of_outs(cards_of(int(combos[0])), question.board, question.dead) if len(combos) == 1 else None


def _final(question: EquityQuestion, seed: int, threads: int) -> EquitySnapshot | None:
    """Return the answer, saying how far it is; stopped from the keyboard, what there was of it."""
    progress, snapshot = _Progress(has_lines=True), None
    try:
        # The executor starts a thread only for work that is long enough to be shared out.
        with (
            ThreadPoolExecutor(threads) as executor,
            closing(solve(question, seed=seed, executor=executor)) as snapshots,
        ):
            for snapshot in snapshots:
                progress.show(_state(snapshot))
    except KeyboardInterrupt:
        progress.clear()
        _tell("Stopped.")
    progress.clear()
    return snapshot


def _state(snapshot: EquitySnapshot) -> str:
    """Say in a line what is known while the work goes on."""
    equities = "  ".join(f"{player.equity:.2%}" for player in snapshot.value)
    error = max(player.stderr for player in snapshot.value)
    return f"{snapshot.progress:.0%} done, {snapshot.seconds:.1f} s: {equities} ±{error:.2%}"


def _write(text: str) -> None:
    """Print on stdout; signs that its encoding lacks become question marks, control characters are replaced."""
    encoding = sys.stdout.encoding or "utf-8"
    text = "".join(part if part in ("\n", "\r\n") else printable(part) for part in re.split(r"(\r?\n)", text))
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except BrokenPipeError:
        _leave_stdout()  # the reader, such as `head -1`, has what it wants
    except OSError as error:
        _leave_stdout()
        raise InputError(f"The answer cannot be written: {error.strerror}.") from error


def _leave_stdout() -> None:
    """Send what is still buffered nowhere, or Python would try to write it again on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _read_range(what: str, text: str, opponents: int) -> Range:
    try:
        hands = parse_range(text, opponents=opponents)
    except RangeTextError as error:
        raise InputError(_pointed(what, text, error)) from error
    return hands


def _read_cards(what: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except CardTextError as error:
        raise InputError(_pointed(what, text, error)) from error


def _pointed(what: str, text: str, error: "RangeTextError | CardTextError | QuestionLineError") -> str:
    """Put the sentence of an error above the text, or a part of it, with carets below what is at fault."""
    start = max(error.position - _POINTED_BEFORE, 0) if len(text) > _POINTED else 0
    line = ("…" if start else "") + printable(text[start : start + _POINTED])
    line += "…" if start + _POINTED < len(text) else ""
    before = error.position - start + bool(start)
    return f"{what}: {error}\n  {line}\n  {' ' * before}{'^' * min(error.length, len(line) - before)}"


def _match(options: argparse.Namespace) -> int:
    from engine.agents.styles import registered_name
    from engine.game.events import GameKind
    from engine.game.format_file import FORMATS, FormatFileError, built_in, read_format
    from engine.lab.matches import DEFAULT_HANDS, MatchPlan

    styles: list[str] = options.styles
    seats = len(styles) if options.seats is None else options.seats
    try:
        is_file = options.format not in FORMATS and Path(options.format).exists()
        game = read_format(options.format) if is_file else built_in(options.format)
    except FormatFileError as error:
        raise InputError(str(error)) from error
    names = tuple(map(registered_name, styles))
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
    from engine.lab.matches import match
    from engine.lab.reading import Scorer

    scorers = [Scorer(make_reader(name), options.seed) for name in readers]

    def score(hand: "RecordedHand") -> None:
        for scorer in scorers:
            scorer.add(hand)

    results = match(plan, watch=score)
    progress, result = _Progress(), None
    hands = plan.decks * plan.rotations
    try:
        warm_up()  # so that no decision is timed while it compiles
        for result in results:
            left = progress.seconds * (hands / result.hands - 1)
            progress.show(f"{result.hands:,} of {hands:,} hands, {left:,.0f} s left")
    except KeyboardInterrupt:
        progress.clear()
        _tell("Stopped.")
    progress.clear()
    if result is not None:
        _write_match(result, {scorer.reader_name: scorer.points for scorer in scorers}, options)
    return 0 if result is not None and result.decks == plan.decks else STOPPED


def _several_matches(plan: "MatchPlan", readers: Sequence[str], options: argparse.Namespace) -> int:
    from engine.lab.matches import check_matches, several_matches
    from engine.lab.workers import count_hands

    matches: int = options.matches
    check_matches(plan, matches, readers)
    progress = _Progress()
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
    from engine.lab.match_report import tournaments_as_json, tournaments_as_table
    from engine.lab.matches import check_matches, several_tournaments
    from engine.lab.workers import count_hands

    matches: int = options.matches
    check_matches(plan, matches)
    progress = _Progress()

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
        _write(tournaments_as_json(last) if options.json else tournaments_as_table(last))
    return code


def _share_out(
    play: Callable[[Executor, Callable[[], object]], Iterable[_T]],
    options: argparse.Namespace,
    progress: "_Progress",
    state: Callable[[int, int], str],
) -> tuple[int, _T | None]:
    """Play matches in processes; return the exit code and the last result. `state` is of matches and hands."""
    from engine.kernels.jit import warm_up
    from engine.lab.workers import MOST_WORKERS, worker_processes

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
        _tell("Stopped." if is_stopped else "A process that played matches has died.")
        return STOPPED if is_stopped else FAILED, last
    progress.clear()
    return 0, last


def _write_match(
    result: "MatchResult", points: "Mapping[str, Sequence[ScoredPoint]]", options: argparse.Namespace
) -> None:
    from engine.lab.match_report import as_json, as_table, values_as_table
    from engine.lab.reading import table_reading
    from engine.lab.reading_report import readings_as_table

    readings = [table_reading(reader, of_reader) for reader, of_reader in points.items()]
    tables = [as_table(result)]
    tables += [readings_as_table(readings)] if readings else []
    tables += [values_as_table(result.values)] if options.values else []
    _write(as_json(result, readings, has_values=options.values) if options.json else "\n\n".join(tables))


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
    _tell_skipped(score, file)
    gains = gains_of(*(scorer.points for scorer in scorers)) if options.against else ()
    if options.json:
        _write(as_json(score, file.name, options.against, gains))
    else:
        table = as_table(score, file.name)
        _write(f"{table}\n\n{gains_as_table(gains, options.against)}" if gains else table)
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
                _write(as_json(hand, reader, points) if options.json else as_text(hand, reader, points))
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

    progress = _Progress()
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
        _tell("Stopped.")
        return False
    finally:
        progress.clear()
    return True


def _figure7(options: argparse.Namespace) -> int:
    from engine.agents.readers import UnknownReaderError
    from engine.game.phh import PhhFileError
    from engine.lab.figure7 import FigureError, as_table, check_drawing, draw, write_csv
    from engine.lab.reading import ReadingError

    if options.limit is not None and options.limit < 1:
        raise InputError(f"At least 1 hand has to be scored, not {options.limit}.")
    names = {Path(file).stem for file in options.files}
    if unknown := sorted({*options.apart.split(",")} - {"", *names}):
        raise InputError(f"Hands of {unknown[0]} are to be kept apart, but there is no such file.")
    progress = _Progress()
    try:
        if options.plot:
            check_drawing(options.plot)  # before the work, not after it
        rows = [row for file in options.files for row in _compared(Path(file), options, progress)]
        progress.clear()
        _write(as_table(rows))
        if options.csv:
            write_csv(rows, options.csv)
        if options.plot:
            draw(rows, options.plot)
    except KeyboardInterrupt:
        progress.clear()
        _tell("Stopped.")
        return STOPPED
    except (UnknownReaderError, PhhFileError, ReadingError, FigureError, EquityError) as error:
        progress.clear()
        raise InputError(str(error)) from error
    return 0


def _compared(file: Path, options: argparse.Namespace, progress: "_Progress") -> "tuple[TopZ, ...]":
    """Compare readers on a file, and tell on stderr how many hands were skipped."""
    from engine.game.phh import SkippedHand
    from engine.lab.figure7 import Comparison, readers_of
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
        _tell(f"{skipped:,} hands of {file} were skipped; soulread reading tells why.")
    if not scored:
        raise InputError(f"There is no hand to score in {file}.")
    return comparison.rows()


def _tell_skipped(score: "ReadingScore", file: Path) -> None:
    """Say on stderr what was skipped and why; nothing but skipped hands is bad input."""
    skipped = sum(one.count for one in score.skipped)
    if skipped:
        _tell(f"{skipped:,} of {score.hands + skipped:,} hands of {file} were skipped:")
        for one in score.skipped[:_SHOWN_REASONS]:
            _tell(f"  {one.count:,}: {one.reason} (the first: {one.first})")
        if len(score.skipped) > _SHOWN_REASONS:
            _tell(f"  and for {len(score.skipped) - _SHOWN_REASONS:,} other reasons")
        if not score.hands:
            raise InputError(f"So there is no hand to score in {file}.")


class _Progress:
    """Says on stderr how far long work is: in one line that is written over and over, if a player is looking.

    With `has_lines` there is a line of its own each second otherwise, for programs; work that is shorter is silent.
    """

    def __init__(self, *, has_lines: bool = False) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._is_shown = self._is_terminal or has_lines
        self._pause = _SECONDS_OF_PROGRESS if self._is_terminal else _SECONDS_OF_LINES
        self._started = self._last = monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return monotonic() - self._started

    def show(self, message: str) -> None:
        """Show it, unless something was shown just before."""
        now = monotonic()
        if self._is_shown and now - self._last >= self._pause:
            self._last = now
            message = printable(message)
            line = f"\r{message}\x1b[K" if self._is_terminal else f"{message}\n"
            print(line, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
