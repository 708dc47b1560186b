"""Players remembered from match to match, by the names or ids that a server calls them: a file of bounded size.

Nothing of hidden cards is in it: what is learned of a player follows from public events alone. Several of our
players may share a file; each adds what it has learned to what is there by then.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.agents.agent import KnownPlayer, KnownPlayers
from engine.agents.learned.adaptation import readable
from engine.codec import StoredDataError, pack, unpack

MOST_PLAYERS: Final = 200
"""So many are kept; those met longest ago go first."""


class _File(Struct, frozen=True):
    """What is on the disk: the players, those met last at the end."""

    players: dict[str, KnownPlayer]


class RememberedPlayers:
    """The players of one kind of server; what is wrong with the file is one line for `progress`, never an error.

    A damaged file is set aside, and remembering starts from nothing.
    """

    def __init__(self, path: Path, progress: Callable[[str], None]) -> None:
        self._path = path
        self._progress = progress
        self._is_usable = True

    def read(self) -> dict[str, KnownPlayer]:
        """Return who is remembered; what another version has learned is left out."""
        try:
            stored = unpack(self._path.read_bytes(), _File).players
        except FileNotFoundError:
            return {}
        except StoredDataError:
            return self._begin_again()
        except OSError as error:
            return self._give_up(error)
        found = {name: readable(player) for name, player in stored.items()}
        return {name: player for name, player in found.items() if player is not None}

    def keep(self, players: KnownPlayers) -> None:
        """Add what has been learned since; of each reader's models of a player that of more choices is kept."""
        known = self.read()
        for name, player in players.items():
            before = known.get(name)
            after = player if before is None else before.with_more(player)
            if after != before:
                known.pop(name, None)
                known[name] = after
        if self._is_usable:
            try:
                self._write(pack(_File(dict(list(known.items())[-MOST_PLAYERS:]))))
            except OSError as error:
                self._give_up(error)

    def _write(self, data: bytes) -> None:
        """Put a new file in the place of the old one, for our user alone."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self._path.with_name(f".{self._path.name}-{os.getpid()}")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
            new.replace(self._path)
        except OSError:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise

    def _begin_again(self) -> dict[str, KnownPlayer]:
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
            number += 1
        try:
            self._path.rename(aside)
        except OSError as error:
            return self._give_up(error)
        self._progress(
            f"The file {self._path} of players remembered is damaged: it is kept as {aside.name}, and remembering "
            "starts from nothing."
        )
        return {}

    def _give_up(self, error: OSError) -> dict[str, KnownPlayer]:
        if self._is_usable:
            self._is_usable = False
            self._progress(f"Players are not remembered: {self._path} cannot be used ({error.strerror or error}).")
        return {}
