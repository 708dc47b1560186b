"""The arguments of `soulread join`: one sub-command per protocol, the same options for all."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from engine.commands import BAD_INPUT, STOPPED, InputError, Parser
from engine.foreign_text import fit_for_terminal
from engine.join import registration
from engine.join.registration import JoinError, JoinOptions

if TYPE_CHECKING:
    import socket

    from websockets.sync.client import ClientConnection

    from engine.agents.agent import KnownPlayer
    from engine.join.early import EarlyTable


class _Closing(Protocol):
    def close(self) -> None: ...


_C = TypeVar("_C", bound=_Closing)
Seat = AbstractContextManager[Callable[[_C, float], None]]
"""What plays through a connection, when it is loaded; it takes the connection and when we registered."""

_MOST_PORT = 65_535
_TOLD_EVERY = 500
"""Hands of a history between two lines of progress."""
_HUAWEI_HANDS = 600
"""Of a match of the contest (Li et al. 2017, table 2); the server does not say how many."""


def add_protocols(command: argparse.ArgumentParser) -> None:
    """Add the protocols, each with its own arguments and the common ones."""
    protocols = command.add_subparsers(
        dest="protocol", parser_class=Parser, required=True, metavar="acpc|huawei|aigame"
    )
    acpc = protocols.add_parser(
        "acpc",
        help="a dealer of the Annual Computer Poker Competition",
        description="Play at a table of the Annual Computer Poker Competition (protocol 2.0.0, no-limit).",
    )
    acpc.add_argument("host", metavar="HOST", help="where the dealer runs")
    acpc.add_argument("port", metavar="PORT", type=_port, help="its port for our seat")
    acpc.add_argument("--game", metavar="FILE", type=Path, required=True, help="the game's definition")
    huawei = protocols.add_parser(
        "huawei",
        help="the server of the Huawei contest of 2015",
        description="Play at a table of the Huawei Software Elite Challenge 2015 (server v1.26).",
    )
    for name, kind, what in (
        ("server_ip", str, "where the server runs"),
        ("server_port", _port, "its port"),
        ("my_ip", str, "our own address, from which the server expects us"),
        ("my_port", _port, "our own port"),
        ("my_id", str, "our id at the table"),
    ):
        huawei.add_argument(name, metavar=name.upper(), type=kind, help=what)
    huawei.add_argument("--name", default="soulread", help="our name at the table (default: soulread)")
    huawei.add_argument(
        "--hands",
        type=_whole,
        default=_HUAWEI_HANDS,
        metavar="N",
        help=f"hands after which the match ends, 0 if not known (default: {_HUAWEI_HANDS})",
    )
    aigame = protocols.add_parser(
        "aigame",
        help="the server of the Texas Hold'em AI Game of 2017",
        description="Play at a table of the Texas Hold'em AI Game (TrendMicro 2017).",
    )
    aigame.add_argument("url", metavar="URL", help="such as ws://HOST:PORT")
    aigame.add_argument("--name", required=True, help="our name at the table")
    acpc.set_defaults(remember=False)  # the dealer tells no names
    acpc.set_defaults(history=None)
    for protocol in (huawei, aigame):
        protocol.add_argument(
            "--remember", action="store_true", help="begin with what earlier matches have learned of the players"
        )
        protocol.add_argument(
            "--history",
            type=Path,
            metavar="FILE",
            help="begin with what the hands of a PHH file (.phhs) teach of the players, by their names there",
        )
    for protocol in (acpc, huawei, aigame):
        _add_common(protocol)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--agent",
        default="soulread",
        metavar="STYLE",
        help="the style that plays, or the file of one of your own (default: soulread)",
    )
    command.add_argument("--seed", type=_whole, default=0, metavar="N", help="of all decisions (default: 0)")
    command.add_argument(
        "--budget", type=_positive, metavar="MS", help="for a decision (default: what the server allows)"
    )
    command.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write every hand in PHH (.phhs), with the reasons of our actions",
    )
    command.add_argument("--explain", action="store_true", help="tell the reasons of each decision")
    command.add_argument(
        "--wait",
        type=_whole,
        default=60,
        metavar="SECONDS",
        help="how long to wait for a server that is not up yet (default: 60)",
    )


def main(arguments: Sequence[str]) -> int:
    """Join a table by the arguments after `soulread join` and play to the end; return the exit code."""
    parser = Parser(prog="soulread join")
    add_protocols(parser)
    try:
        return run(parser.parse_args(arguments))
    except ValueError as error:
        if not isinstance(error, InputError):
            raise
        sys.stderr.write(f"{fit_for_terminal(str(error))}\n")
        return BAD_INPUT


def run(arguments: argparse.Namespace) -> int:
    """Join a table, play until the game is over, and return the exit code.

    `InputError` says in one sentence why it could not be joined or played to the end.
    """
    options = JoinOptions(
        agent=arguments.agent,
        seed=arguments.seed,
        budget_seconds=None if arguments.budget is None else arguments.budget / 1000,
        does_explain=arguments.explain,
        wait_seconds=arguments.wait,
        record=arguments.record,
        remembered=_remembered(arguments.protocol) if arguments.remember else None,
        known=None if arguments.history is None else _taught(arguments.history),
    )
    try:
        match arguments.protocol:
            case "acpc":
                return acpc(arguments.host, arguments.port, arguments.game, options)
            case "huawei":
                server, own = (arguments.server_ip, arguments.server_port), (arguments.my_ip, arguments.my_port)
                return huawei(server, own, arguments.my_id, arguments.name, options, arguments.hands or None)
            case _:
                return aigame(arguments.url, arguments.name, options)
    except JoinError as error:
        raise InputError(str(error)) from error
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return STOPPED


def _remembered(protocol: str) -> Path:
    """Return the user's file of the players met at one kind of server."""
    import platformdirs

    return Path(platformdirs.user_data_dir("soulread", appauthor=False), f"players-{protocol}.bin")


def _taught(path: Path) -> "dict[str, KnownPlayer]":
    """Return what a file of hands teaches of its players; `InputError` if there is nothing in it."""
    from engine.agents.lessons import FileStep, learn_file
    from engine.game.phh import PhhFileError
    from engine.join.client import tell

    step = FileStep()
    try:
        for step in learn_file(path):
            if step.players is None and step.learned and step.learned % _TOLD_EVERY == 0:
                tell(f"Learning from {path}: {step.learned:,} hands so far.")
    except PhhFileError as error:
        raise InputError(str(error)) from error
    if not step.players:
        why = f": {step.reason}" if step.reason else "."
        raise InputError(f"There is no hand to learn from in {path}{why}")
    left_out = f"; {step.skipped:,} left out: {step.reason}" if step.skipped else "."
    tell(f"Learned from {path}: {step.learned:,} hands of {len(step.players):,} players{left_out}")
    return {name: taught.known for name, taught in step.players.items()}


def acpc(host: str, port: int, game_file: Path, options: JoinOptions) -> int:
    """Play a match at a dealer's port for our seat, and return 0; `JoinError` if it breaks off."""

    def seat() -> "Seat[socket.socket]":
        from engine.join import acpc as protocol

        return protocol.seat(game_file, options)

    return _play(lambda meanwhile: registration.register_acpc(host, port, options.wait_seconds, meanwhile), seat)


def huawei(
    server: tuple[str, int],
    own: tuple[str, int],
    own_id: str,
    name: str,
    options: JoinOptions,
    most_hands: int | None = None,
) -> int:
    """Play a match at the server of the Huawei contest, and return 0; `JoinError` if it breaks off."""

    def seat() -> "Seat[EarlyTable]":
        from engine.join import huawei as protocol

        return protocol.seat(own, own_id, options, most_hands)

    return _play(
        lambda meanwhile: registration.register_huawei(server, own, own_id, name, options.wait_seconds, meanwhile),
        seat,
    )


def aigame(url: str, name: str, options: JoinOptions) -> int:
    """Play a match at the server of the Texas Hold'em AI Game, and return 0; `JoinError` if it breaks off."""

    def seat() -> "Seat[ClientConnection]":
        from engine.join import aigame as protocol

        return protocol.seat(url, name, options)

    return _play(lambda meanwhile: registration.register_aigame(url, name, options.wait_seconds, meanwhile), seat)


def _play(register: Callable[[registration.Meanwhile], "_C"], seat: "Callable[[], Seat[_C]]") -> int:
    """Register, load what plays, and play; what plays is loaded earlier where there is time."""
    with ExitStack() as stack:
        play = cache(lambda: stack.enter_context(seat()))
        connection = register(play)
        registered = monotonic()
        with closing(connection):
            play()(connection, registered)
    return 0


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 0 on")
    return int(text)


def _positive(text: str) -> int:
    if not _whole(text):
        raise argparse.ArgumentTypeError("0 milliseconds are no time for a decision")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= _whole(text) <= _MOST_PORT:
        raise argparse.ArgumentTypeError(f"'{text}' is no port (1 to {_MOST_PORT})")
    return int(text)
