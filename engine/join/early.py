"""What the Huawei server says and asks before hands can be followed: answered at once, and handed over.

It may ask right after we have registered, and folds for us half a second later. Until what follows hands is
loaded, a thread answers with a check where the rows show that it is free, otherwise a fold; a check that owes
would be a call.
"""

import socket
from select import select
from threading import Thread
from time import monotonic
from typing import Final, NamedTuple

CODE: Final = "latin-1"
"""For the protocols' ASCII: any byte is a character, and goes out as it came in where an answer repeats it."""
CHECK, FOLD = "check \n", "fold \n"
_MOST_BYTES: Final = 1 << 16
"""What is read before anybody follows; more than that waits."""
_MOST_DIGITS: Final = 12


class Line(NamedTuple):
    """A line without its end, when it was there by `time.monotonic`, and what was answered to it, if anything."""

    text: str
    received: float
    answer: str | None = None


class Heard(NamedTuple):
    """What was read early: whole lines, and the beginning of the next one."""

    lines: tuple[Line, ...] = ()
    rest: bytes = b""


class EarlyTable:
    """A registered connection, read and answered for our id until it is taken over; closed with this."""

    def __init__(self, connection: socket.socket, own_id: str) -> None:
        self._connection = connection
        self._questions = _Questions(own_id)
        self._lines: list[Line] = []
        self._rest = b""
        self._wakes, self._woken = socket.socketpair()
        self._reader = Thread(target=self._read, name="early answers", daemon=True)
        self._reader.start()

    def take_over(self) -> tuple[socket.socket, Heard]:
        """Read and answer no more; returns the connection and all that was read."""
        self._end()
        return self._connection, Heard(tuple(self._lines), self._rest)

    def close(self) -> None:
        """End it, and the connection."""
        self._end()
        self._connection.close()

    def _end(self) -> None:
        self._wakes.close()
        self._reader.join()
        self._woken.close()

    def _read(self) -> None:
        left = _MOST_BYTES
        while left > 0:
            ready, *_ = select([self._connection, self._woken], [], [])
            if self._woken in ready:
                return
            try:
                piece = self._connection.recv(left)
                if not piece:
                    return
                self._take(piece)
            except OSError:  # who reads on notices it
                return
            left -= len(piece)

    def _take(self, piece: bytes) -> None:
        received = monotonic()
        *whole, self._rest = (self._rest + piece).split(b"\n")
        for line in whole:
            text = line.rstrip(b"\r").decode(CODE)
            answer = self._questions.answer(text)
            self._lines.append(Line(text, received, answer))
            if answer is not None:
                self._connection.sendall(answer.encode(CODE))


class _Questions:
    """Finds the questions among the lines, and the safest answer to each."""

    def __init__(self, own_id: str) -> None:
        self._own_id = own_id
        self._rows: list[list[str]] | None = None

    def answer(self, line: str) -> str | None:
        """Take a line; returns the answer if a question ends with it."""
        text = line.strip()
        if text == "/inquire" and self._rows is not None:
            rows, self._rows = self._rows, None
            return CHECK if self._is_free(rows) else FOLD
        if text.endswith("/"):  # a block begins
            self._rows = [] if text.endswith("inquire/") else None
        elif self._rows is not None and text:
            self._rows.append(text.split())
        return None

    def _is_free(self, rows: list[list[str]]) -> bool:
        """Whether the rows are whole, as their sum tells, and nobody has put in more than we have."""
        bets: dict[str, int] = {}
        pot = None
        for row in rows:
            match row:
                case [player, _, _, bet, _] if _is_number(bet):
                    bets[player] = int(bet)
                case ["total", "pot:", chips] if _is_number(chips):
                    pot = int(chips)
                case _:
                    return False
        return sum(bets.values()) == pot and bets.get(self._own_id, -1) == max(bets.values())


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MOST_DIGITS
