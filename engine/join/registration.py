"""Connecting to a server and registering there, before anything is loaded that is needed later only.

A server waits for its players for a few seconds only; the rest is loaded when it knows us, or is not up yet.
"""

import errno
import json
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from engine.foreign_text import shortened
from engine.join.early import EarlyTable

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from engine.agents.agent import KnownPlayers

SHOWN_TEXT: Final = 200
"""Characters of a server's text that a log or a sentence quotes."""
LONGEST_MESSAGE: Final = 1 << 18
"""Bytes of a WebSocket's message that is received; the longest seen have some thousand."""
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 0.5
_CONNECT_SECONDS: Final = 5.0
_OPEN_SECONDS: Final = 5.0
_CLOSE_SECONDS: Final = 1.0

_C = TypeVar("_C")
Meanwhile = Callable[[], object]
"""Called once if the server is not up at the first attempt."""


class JoinError(ValueError):
    """Why a table could not be joined or played to the end, in one sentence."""


class JoinOptions(NamedTuple):
    """How to play at a table, whatever its protocol; `agent` names a style.

    `budget_seconds` is None for the protocol's limit, `wait_seconds` how long a server may take to come up,
    `record` the file for finished hands (`engine.join.record`), `remembered` that of players
    (`engine.join.remembered`), and `known` what is known of players besides.
    """

    agent: str = "soulread"
    seed: int = 0
    budget_seconds: float | None = None
    does_explain: bool = False
    wait_seconds: float = 60.0
    record: Path | None = None
    remembered: Path | None = None
    known: "KnownPlayers | None" = None


def register_acpc(host: str, port: int, wait_seconds: float, meanwhile: Meanwhile) -> socket.socket:
    """Connect to a dealer's port for our seat, which is how it knows us, and send the protocol's version."""
    connection = connect(host, port, wait_seconds=wait_seconds, meanwhile=meanwhile)
    return _registered(connection, "VERSION:2.0.0\r\n")


def register_huawei(
    server: tuple[str, int],
    own: tuple[str, int],
    own_id: str,
    name: str,
    wait_seconds: float,
    meanwhile: Meanwhile,
) -> EarlyTable:
    """Connect to the Huawei server from the address it expects, register, and answer safely from then on.

    `JoinError` if the id or the name is no word that the server takes.
    """
    for what, word in (("id", own_id), ("name", name)):
        if re.fullmatch(r"[!-~]+", word) is None:
            raise JoinError(
                f"'{shortened(word)}' is no {what}: the server takes one word of plain letters, digits and signs."
            )
    connection = connect(*server, wait_seconds=wait_seconds, own_address=own, meanwhile=meanwhile)
    return EarlyTable(_registered(connection, f"reg: {own_id} {name} need_notify \n"), own_id)


def register_aigame(url: str, name: str, wait_seconds: float, meanwhile: Meanwhile) -> "ClientConnection":
    """Connect to the server of the Texas Hold'em AI Game, and join; `JoinError` if the name cannot be sent."""
    from websockets.exceptions import ConnectionClosed

    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise JoinError(f"{name!r} is no name: it cannot be written in UTF-8.") from error
    connection = _connect_websocket(url, wait_seconds, meanwhile)
    message = {"eventName": "__join", "data": {"playerName": name}}
    with suppress(ConnectionClosed):  # who reads notices it
        connection.send(json.dumps(message, separators=(",", ":"), ensure_ascii=False))
    return connection


def _registered(connection: socket.socket, text: str) -> socket.socket:
    with suppress(OSError):  # who reads notices it
        connection.sendall(text.encode("ascii"))
    return connection


def connect(
    host: str,
    port: int,
    *,
    wait_seconds: float,
    own_address: tuple[str, int] | None = None,
    meanwhile: Meanwhile = lambda: None,
) -> socket.socket:
    """Connect to a server, from our own address where it asks for one; `JoinError` if that cannot be.

    Tries again for `wait_seconds` while the server is not up yet, once if that is 0.
    """

    def attempt() -> socket.socket:
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            _reach(connection, (host, port), own_address)
        except BaseException:
            connection.close()
            raise
        return connection

    return _until_up(attempt, (OSError,), (host, f"{host}:{port}"), wait_seconds, meanwhile)


def _until_up(
    attempt: Callable[[], _C],
    failures: tuple[type[Exception], ...],
    names: tuple[str, str],
    wait_seconds: float,
    meanwhile: Meanwhile,
) -> _C:
    """Try to connect until the server is up; `names` are the server's host and address in a sentence."""
    end, pause = monotonic() + wait_seconds, _FIRST_PAUSE_SECONDS
    while True:
        try:
            return attempt()
        except socket.gaierror as error:
            raise JoinError(f"There is no server of the name {names[0]}: {error.strerror}.") from error
        except failures as error:
            if pause == _FIRST_PAUSE_SECONDS:
                meanwhile()
            if monotonic() + pause > end:
                what = getattr(error, "strerror", None) or str(error) or "it speaks out of turn"
                what = shortened(what, SHOWN_TEXT)
                raise JoinError(f"The server {names[1]} cannot be reached: {what}.") from error
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def _reach(connection: socket.socket, server: tuple[str, int], own_address: tuple[str, int] | None) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if own_address is not None:
        try:
            connection.bind(own_address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise  # the connection before may still be closing
            text = f"{own_address[0]}:{own_address[1]}"
            raise JoinError(f"The own address {text} cannot be used: {error.strerror or error}.") from error
    connection.settimeout(_CONNECT_SECONDS)
    connection.connect(server)
    connection.settimeout(None)


def _connect_websocket(url: str, wait_seconds: float, meanwhile: Meanwhile) -> "ClientConnection":
    """Connect to a server of WebSockets, as `connect` does to others."""
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidURI
    from websockets.sync.client import connect

    def attempt() -> "ClientConnection":
        try:
            return connect(
                url,
                open_timeout=_OPEN_SECONDS,
                close_timeout=_CLOSE_SECONDS,
                proxy=None,
                max_size=LONGEST_MESSAGE,
                legacy=True,  # the connection itself, and no context that makes it
            )
        except InvalidMessage:
            raise
        except InvalidHandshake as error:
            raise JoinError(f"The server {url} refuses the connection: {shortened(str(error))}.") from error
        except (InvalidURI, ValueError) as error:  # a port or name that none can be
            raise JoinError(f"'{url}' is no address of a WebSocket, such as ws://127.0.0.1:9000.") from error

    # A TimeoutError is an OSError. WORKAROUND websockets 17.4: it asserts that no server speaks before it is asked;
    # remove when it does so no more.
    failures = (OSError, InvalidMessage, ConnectionClosed, AssertionError)
    return _until_up(attempt, failures, (f"in {url}", url), wait_seconds, meanwhile)
