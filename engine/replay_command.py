"""The command `soulread replay`: recorded hands step by step, as JSON or, in the app, in its window."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from engine.cards import format_card
from engine.codec import encode
from engine.commands import InputError, Parser, write
from engine.foreign_text import shortened
from engine.game.phh import PhhFileError, PublicRecord, SkippedHand, no_such_player, seen_by
from engine.game.steps import Step, steps_of


class ReplayedHand(Struct, frozen=True):
    """A hand of a file; `hand` is its place there, from 1, and hole cards that nobody knows are None."""

    hand: int
    name: str
    players: tuple[str, ...]
    hole_cards: tuple[str | None, ...]
    steps: tuple[Step, ...]


def add_replay(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread replay`."""
    command = commands.add_parser(
        "replay",
        help="recorded hands, step by step",
        description="Play recorded hold'em hands again, step by step: opens the window on them, or prints them.",
        epilog="The file is in PHH, one hand (.phh) or many (.phhs), as 'soulread join' records them.",
    )
    add_replay_arguments(command)
    command.set_defaults(run=_replay)


def add_replay_arguments(command: argparse.ArgumentParser) -> None:
    """Add which hands of which file are wanted, and through whose eyes."""
    command.add_argument("file", type=Path, metavar="FILE", help="recorded hands")
    command.add_argument("--hand", type=int, metavar="N", help="hand N of the file alone, or first in the window")
    command.add_argument(
        "--player",
        metavar="NAME",
        help="as this player saw the hands (default: of those whose cards are known most often, the first named)",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")


def check_replay(options: argparse.Namespace) -> None:
    """Raise `InputError` if a file has no such hand, or none that such a player saw."""
    next(_wanted(options))


def _replay(options: argparse.Namespace) -> int:
    if not options.json:
        raise InputError("Without a window only --json can be given. See soulread replay --help.")
    # Hand by hand: a file may have a million.
    opening = '{"hands":['
    for number, hand in _wanted(options):
        write(f"{opening}{encode(_replayed(number, hand, options.player)).decode()}")
        opening = ","
    write("]}")
    return 0


def _replayed(number: int, hand: PublicRecord, player: str | None) -> ReplayedHand:
    known = hand.hole_cards
    if player is not None:  # what nobody has shown to them they did not see
        known = {seat: cards for seat, cards in known.items() if hand.players[seat] == player}
    cards = tuple(
        "".join(map(format_card, known[seat])) if seat in known else None for seat in range(len(hand.players))
    )
    return ReplayedHand(number, hand.name, hand.players, cards, steps_of(hand.events))


def _wanted(options: argparse.Namespace) -> Iterator[tuple[int, PublicRecord]]:
    """Yield the hands asked for with their places in the file; raise `InputError` if there are none."""
    from engine.hand_histories.phh_file import read_records

    file, wanted, player = options.file, options.hand, options.player
    if wanted is not None and wanted < 1:
        raise InputError(f"Hands are numbered from 1, so there is no hand {wanted}.")
    try:
        yield from _chosen(read_records(file), file, wanted, player)
    except PhhFileError as error:
        raise InputError(str(error)) from error


def _chosen(
    hands: Iterable[PublicRecord | SkippedHand], file: Path, wanted: int | None, player: str | None
) -> Iterator[tuple[int, PublicRecord]]:
    count, found, reason, names = 0, 0, "", Counter[str]()
    for count, hand in enumerate(hands, 1):
        is_wanted = wanted in (None, count)
        if isinstance(hand, SkippedHand):
            if wanted == count:
                raise InputError(f"Hand {count} of {file} cannot be read: {hand.reason}")
            reason = reason or hand.reason
            continue
        if not is_wanted:
            continue
        names.update(hand.players)
        if player is None or seen_by(hand, player) is not None:
            found += 1
            yield count, hand
        if wanted == count:
            break
    if not found:
        raise InputError(_why_none(file, wanted, player, count, names, reason))


def _why_none(
    file: Path, wanted: int | None, player: str | None, count: int, names: Counter[str], reason: str
) -> str:
    """Say why a file has no hand that was asked for."""
    if wanted is not None and count < wanted:
        return f"There is no hand {wanted}: {file} ends with hand {count}."
    if player is not None and player in names:
        where = f"Hand {wanted} of {file}" if wanted is not None else f"The file {file}"
        return f"{where} has not the hole cards of {shortened(player)}, so it cannot be seen as they saw it."
    if player is not None and names:
        where = f"hand {wanted} of {file}" if wanted is not None else f"{file}"
        return no_such_player(player, where, (name for name, _ in names.most_common()))
    return f"There is no hand in {file} that can be read{f'; the first is not: {reason}' if reason else '.'}"
