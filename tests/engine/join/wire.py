"""A scripted server on the loopback interface, which sends in pieces of any size."""

import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Self

import pytest

from engine.agents.agent import Trace
from engine.agents.played_hand import PlayedHand, played_hand
from engine.game.phh import sections
from engine.join.client import Player
from engine.join.followed_hand import FollowedHand

SECONDS = 60
"""After which a test that waits for the other side fails."""


class Peer:
    """The server's side of one connection."""

    def __init__(self, connection: socket.socket, seed: int) -> None:
        self._connection = connection
        self._random = random.Random(seed)
        self._file = connection.makefile("rb")

    def send(self, text: str) -> None:
        """Send text cut anywhere; a character is a byte."""
        data = text.encode("latin-1")
        while data:
            size = self._random.choice((1, 2, 7, 60, len(data)))
            self._connection.sendall(data[:size])
            data = data[size:]

    def line(self) -> str:
        """Wait for a line of the client; empty if it has gone."""
        return self._file.readline().decode("latin-1")


class Server:
    """Runs `play` in a thread for the first client that connects; what it raises, the test raises.

    Used as a context: when the block ends, the server has ended, too.
    """

    def __init__(self, play: Callable[[Peer], None], seed: int = 0, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self.came_from: tuple[str, int] | None = None
        self._listener.settimeout(SECONDS)
        self._play, self._seed = play, seed
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def _serve(self) -> None:
        try:
            connection, self.came_from = self._listener.accept()
            with connection:
                connection.settimeout(SECONDS)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    self._play(Peer(connection, self._seed))
                finally:
                    with suppress(OSError):  # a file of the peer would keep it open
                        connection.shutdown(socket.SHUT_RDWR)
        except BaseException as error:
            self._error = error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener_close_if_unused(error)
        self._thread.join(SECONDS)
        assert not self._thread.is_alive(), "the server still waits"
        self._listener.close()
        if self._error is not None and error is None:
            raise self._error

    def _listener_close_if_unused(self, error: BaseException | None) -> None:
        if error is not None:
            self._listener.close()


def free_port() -> int:
    """Give a port on which nothing listens at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def kept_hands(path: Path) -> list[PlayedHand]:
    """Return what a record keeps of its hands."""
    return [hand for _, text in sections(path) if (hand := played_hand(text)) is not None]


class Noted(Player):
    """A player whose finished hands, and the traces of its decisions in each, are kept for the test."""

    hands: list[FollowedHand]
    decided: list[tuple[Trace, ...]]

    @classmethod
    def sit(cls, monkeypatch: pytest.MonkeyPatch, protocol: ModuleType) -> None:
        """Play in the place of the player of a protocol, and begin to keep; nothing is prepared."""
        Noted.hands, Noted.decided = [], []
        monkeypatch.setattr(protocol, "Player", cls)
        monkeypatch.setattr("engine.join.client.prepare", lambda *_: None)

    def finish(self, hand: FollowedHand) -> None:
        Noted.hands.append(hand)
        Noted.decided.append(self.traces)
        super().finish(hand)
