"""What the player has saved by a name: a text file each, in one folder, which anybody may edit or add to."""

import re
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from engine.atomic_file import make_private_folder, write_whole
from engine.foreign_text import shortened
from engine.settings_text import LONGEST_NAME, SettingsTextError, is_name

MOST_FILES: Final = 200
"""Files that are read, in the order of their names."""

_ENDING: Final = ".toml"


class Named(Protocol):
    """What is saved by its name."""

    @property
    def name(self) -> str:
        """The name for people."""
        ...


T = TypeVar("T", bound=Named)


class OwnFilesError(ValueError):
    """What cannot be done with the files, in one sentence."""


class Offered(NamedTuple, Generic[T]):
    """What can be chosen, that of the app first; which of it is the player's own; what cannot be, in sentences."""

    all: tuple[T, ...]
    own: dict[str, Path]
    problems: tuple[str, ...]


class OwnFiles(ABC, Generic[T]):
    """A folder of the player's own; it is read again for each question."""

    what: ClassVar[str]
    """What a file holds, in one word."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def of_the_app(self) -> tuple[T, ...]:
        """Return what the app has of this kind itself and offers with the player's own."""

    @abstractmethod
    def taken_names(self) -> tuple[str, ...]:
        """Return the names that nothing of the player's own can have."""

    @abstractmethod
    def read(self, path: Path) -> T:
        """Read a file; `SettingsTextError` if it holds nothing of this kind."""

    @abstractmethod
    def text(self, one: T) -> str:
        """Return what is written to a file."""

    def offered(self) -> Offered[T]:
        """Return all there is; a file that is none or takes a name again is reported, and stays as it is."""
        found = list(self.of_the_app())
        names = set(self.taken_names())
        own: dict[str, Path] = {}
        problems = []
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.suffix == _ENDING)
        except FileNotFoundError:
            paths = []
        except OSError as error:
            paths = []
            problems.append(f"The folder {self.folder} cannot be read: {error.strerror or error}.")
        if len(paths) > MOST_FILES:
            problems.append(f"Only {MOST_FILES} of the {len(paths)} {self.what}s in {self.folder} are read.")
        for path in paths[:MOST_FILES]:
            try:
                one = self.read(path)
            except SettingsTextError as error:
                problems.append(str(error))
                continue
            if not one.name:
                problems.append(f"The {self.what} {shortened(path.name)} needs a name.")
            elif one.name in names:
                problems.append(f"The name '{one.name}' of {shortened(path.name)} is taken by another {self.what}.")
            else:
                found.append(one)
                own[one.name] = path
                names.add(one.name)
        return Offered(tuple(found), own, tuple(problems))

    def save(self, one: T) -> None:
        """Save by its name, in the place of what is the player's own of that name.

        Raises
        ------
        OwnFilesError
            If the name makes no sense or belongs to the app, or the file cannot be written.
        """
        name = one.name
        if not is_name(name):
            raise OwnFilesError(f"A {self.what} needs a name of 1 to {LONGEST_NAME} characters.")
        if name in self.taken_names():
            raise OwnFilesError(f"'{name}' is a {self.what} of the app: save yours by another name.")
        path = self.offered().own.get(name) or self._free_path(name)
        try:
            make_private_folder(self.folder)
            write_whole(path, self.text(one).encode())
        except OSError as error:
            raise OwnFilesError(f"'{name}' could not be saved: {error.strerror or error}.") from error

    def delete(self, name: str) -> None:
        """Delete what is the player's own; `OwnFilesError` if that fails."""
        path = self.offered().own.get(name)
        if path is None:
            raise OwnFilesError(f"There is no {self.what} '{name}' of your own.")
        try:
            path.unlink()
        except OSError as error:
            raise OwnFilesError(f"'{name}' could not be deleted: {error.strerror or error}.") from error

    def _free_path(self, name: str) -> Path:
        """Return where one of this name goes, no file's place."""
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or self.what
        path, number = self.folder / f"{stem}{_ENDING}", 1
        while path.exists():
            number += 1
            path = self.folder / f"{stem}-{number}{_ENDING}"
        return path
