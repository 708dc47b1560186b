"""The command that counts what the players of recorded hands did and won."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import STOPPED, InputError, Parser, Progress, tell, tell_skipped, write

if TYPE_CHECKING:
    from engine.figures.recorded import RecordedPlayers
    from engine.figures.seat_hands import SeatHands


def add_figures(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread figures`."""
    command = commands.add_parser(
        "figures",
        help="what players did and won, on recorded hands",
        description="Count what the players of recorded hold'em hands did and won: win rates with 95% intervals, "
        "as won and without the luck of the boards, at showdowns and without, and how often they did what they "
        "could, by position too. What takes hole cards that are not known is left out.",
        epilog="The file is in PHH, one hand (.phh) or many (.phhs).",
    )
    command.add_argument("file", metavar="FILE", help="recorded hands")
    command.add_argument("--player", metavar="NAME", help="one player by position, with the counts of every share")
    command.add_argument("--limit", type=int, metavar="N", help="read no more than this many hands")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--csv", action="store_true", help="print CSV, a row for each position of each player")
    form.add_argument(
        "--lines", action="store_true", help="print what --player had won after each hand, in big blinds, as CSV"
    )
    form.add_argument(
        "--tendencies",
        action="store_true",
        help="print how often --player folds, goes on and raises, beside what is usual with the same hands",
    )
    command.set_defaults(run=_figures)


def _figures(options: argparse.Namespace) -> int:
    from engine.figures.recorded import RecordedPlayers
    from engine.figures.report import as_csv, as_json, as_player_table, as_table, as_tendencies, lines_as_csv
    from engine.game.phh import PhhFileError

    if options.limit is not None and options.limit < 1:
        raise InputError(f"At least 1 hand has to be read, not {options.limit}.")
    if options.lines and options.player is None:
        raise InputError("Lines are those of one --player, who is not named.")
    if options.tendencies and options.player is None:
        raise InputError("Tendencies are those of one --player, who is not named.")
    file, recorded = Path(options.file), RecordedPlayers(options.player if options.tendencies else "")
    try:
        is_complete = _count(recorded, file, options.limit)
    except PhhFileError as error:
        raise InputError(str(error)) from error
    skipped, players = recorded.skipped.counts(), recorded.players()
    tell_skipped(skipped, recorded.hands, file)
    if not players:
        raise InputError(f"There is no hand to count in {file}.")
    if options.player is not None:
        players = {options.player: _of(options.player, players, file)}
    if options.json:
        write(as_json(file.name, recorded.hands, skipped, players))
    elif options.csv:
        write(as_csv(players).rstrip("\n"))
    elif options.lines:
        write(lines_as_csv(players[options.player]).rstrip("\n"))
    elif options.tendencies:
        write(as_tendencies(options.player, recorded.decisions(), recorded.undecided))
    elif options.player is not None:
        write(as_player_table(options.player, players[options.player]))
    else:
        write(as_table(players))
    return 0 if is_complete else STOPPED


def _count(recorded: "RecordedPlayers", file: Path, limit: int | None) -> bool:
    """Count the hands of a file; False if that was stopped from the keyboard."""
    from engine.hand_histories.phh_file import read_records
    from engine.kernels.jit import warm_up

    progress = Progress()
    try:
        warm_up()
        for hand in read_records(file):
            recorded.add(hand)
            progress.show(f"{recorded.hands:,} hands, {progress.seconds:,.0f} s")
            if recorded.hands == limit:
                break
    except KeyboardInterrupt:
        progress.clear()
        tell("Stopped.")
        return False
    finally:
        progress.clear()
    return True


def _of(name: str, players: "dict[str, SeatHands]", file: Path) -> "SeatHands":
    """Return the hands of one player; who is not there is bad input."""
    from engine.game.phh import no_such_player

    if name not in players:
        raise InputError(no_such_player(name, file, players))
    return players[name]
