"""The commands that need no window: odds, and those that measure agents and take them to other tables."""

import argparse
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np

from engine.cards import BOARD_SIZE, Card, CardTextError, Street, cards_of, parse_cards
from engine.commands import BAD_INPUT, STOPPED, InputError, Parser, Progress, tell, write
from engine.equity.question import DEFAULT_SAMPLES, EquityQuestion
from engine.equity.solve import EquitySnapshot, solve
from engine.figures.command import add_figures
from engine.foreign_text import printable, shortened
from engine.lab.command import add_reading
from engine.lab.evolution.command import add_evolve
from engine.lab.experiments.command import add_experiment, add_figure7
from engine.lab.matches.command import add_match
from engine.lab.reviews.command import add_review
from engine.lab.styles_command import add_styles
from engine.ranges import Range, RangeTextError, parse_range
from engine.replay_command import add_replay
from engine.resources import ResourceError
from engine.tournaments.icm_command import add_icm
from engine.tournaments.push_command import add_push
from engine.training.preflop_command import add_preflop

if TYPE_CHECKING:
    from engine.equity.decisions import BetFigures, CallFigures
    from engine.equity.notation import QuestionLineError, SharedQuestion
    from engine.equity.outs import OutFigures

_T = TypeVar("_T")

_MOST_THREADS = 1024
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
        tell(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:  # before there was anything to tell
        tell("Stopped.")
        return STOPPED


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="soulread", description="A Texas Hold'em trainer whose opponents read hands.")
    commands = parser.add_subparsers(dest="command", parser_class=Parser)
    _add_odds(commands)
    add_icm(commands)
    add_push(commands)
    add_preflop(commands)
    add_match(commands)
    add_styles(commands)
    add_reading(commands)
    add_figures(commands)
    add_review(commands)
    add_experiment(commands)
    add_figure7(commands)
    add_evolve(commands)
    add_replay(commands)
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
        help="what a call costs them, the bet being in the pot: pot odds, required equity, EV, defence, outs",
    )
    command.add_argument(
        "--bet",
        type=float,
        metavar="CHIPS",
        help="what they would bet, or with --call raise in all: fold equity that breaks even, outs",
    )
    command.add_argument(
        "--outs",
        action="store_true",
        help="the first player's outs without pot and call or bet, with which they are told anyway; needs a "
        "known hand and a flop or turn",
    )


def _add_join(commands: "argparse._SubParsersAction[Parser]") -> None:
    from engine.join.command import add_protocols, run

    command = commands.add_parser(
        "join",
        help="play at a table that other people run",
        description="Let one of our agents play at a table that other people run, and watch it there.",
    )
    add_protocols(command)
    command.set_defaults(run=run)


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
        if options.outs:
            _check_has_outs(asked.question)
        if options.share:
            solve(question, seed=asked.seed).close()  # it refuses at once what has no answer
            write(format_question(asked))
            return 0
        answer = _final(question, asked.seed, options.threads)
        if answer is not None:
            call, bet = _figures(asked, answer.value[0].equity)
            outs = _outs(asked) if options.outs or asked.pot is not None else None
            report = OddsReport(_names(asked), answer, call, bet, outs, folded=tuple(map(str, asked.folded)))
            write(WRITERS[options.format](report))
            if options.outs and outs is None:
                tell("No outs: the first hand is not behind a random one.")
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


def _check_has_outs(question: EquityQuestion) -> None:
    """Raise an `InputError` where there are no outs to count, whatever the cards are."""
    if np.count_nonzero(question.players[0].weights) != 1:
        raise InputError("Outs are counted for a known hand, and the first one is a range.")
    if len(question.board) not in (BOARD_SIZE[Street.FLOP], BOARD_SIZE[Street.TURN]):
        raise InputError("Outs are counted on the flop and the turn.")


def _outs(asked: "SharedQuestion") -> "OutFigures | None":
    """Find the outs of the first player, if that is a known hand that may have any."""
    from engine.equity.outs import figures_of_outs

    question = asked.question
    combos = question.players[0].weights.nonzero()[0]
    return figures_of_outs(cards_of(int(combos[0])), question.board, question.dead) if len(combos) == 1 else None


def _final(question: EquityQuestion, seed: int, threads: int) -> EquitySnapshot | None:
    """Return the answer, saying how far it is; stopped from the keyboard, what there was of it."""
    progress, snapshot = Progress(has_lines=True), None
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
        tell("Stopped.")
    progress.clear()
    return snapshot


def _state(snapshot: EquitySnapshot) -> str:
    """Say in a line what is known while the work goes on."""
    equities = "  ".join(f"{player.equity:.2%}" for player in snapshot.value)
    error = max(player.stderr for player in snapshot.value)
    return f"{snapshot.progress:.0%} done, {snapshot.seconds:.1f} s: {equities} ±{error:.2%}"


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
