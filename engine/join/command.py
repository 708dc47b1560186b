"""The arguments of `soulread join`: one sub-command per protocol, the same options for all."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.join.client import JoinOptions

Commands = Any
"""What `ArgumentParser.add_subparsers` gives."""

_MOST_PORT = 65_535


def add_protocols(protocols: Commands) -> None:
    """Add the protocols, each with its own arguments and the common ones."""
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
    aigame = protocols.add_parser(
        "aigame",
        help="the server of the Texas Hold'em AI Game of 2017",
        description="Play at a table of the Texas Hold'em AI Game (TrendMicro 2017).",
    )
    aigame.add_argument("url", metavar="URL", help="such as ws://HOST:PORT")
    aigame.add_argument("--name", required=True, help="our name at the table")
    for protocol in (acpc, huawei, aigame):
        _add_common(protocol)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--agent", default="soulread", metavar="STYLE", help="the style that plays (default: soulread)"
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


def run(arguments: argparse.Namespace) -> int:
    """Join a table and play until the game is over.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    JoinError
        Why it could not be joined or played to the end, in one sentence.
    """
    from engine.join.client import JoinOptions

    options = JoinOptions(
        agent=arguments.agent,
        seed=arguments.seed,
        budget_seconds=None if arguments.budget is None else arguments.budget / 1000,
        does_explain=arguments.explain,
        wait_seconds=arguments.wait,
        record=arguments.record,
    )
    return _PLAY[arguments.protocol](arguments, options)


def _acpc(arguments: argparse.Namespace, options: "JoinOptions") -> int:
    from engine.join.acpc import run

    return run(arguments.host, arguments.port, arguments.game, options)


def _huawei(arguments: argparse.Namespace, options: "JoinOptions") -> int:
    from engine.join.huawei import run

    server, own = (arguments.server_ip, arguments.server_port), (arguments.my_ip, arguments.my_port)
    return run(server, own, arguments.my_id, arguments.name, options)


def _aigame(arguments: argparse.Namespace, options: "JoinOptions") -> int:
    from engine.join.aigame import run

    return run(arguments.url, arguments.name, options)


_PLAY = {"acpc": _acpc, "huawei": _huawei, "aigame": _aigame}


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
