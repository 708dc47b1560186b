"""The formats that the player has saved: a text file each, in one folder, which anybody may edit or add to."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from engine.foreign_text import shortened
from engine.game.format_file import FORMATS, LONGEST_NAME, FormatFileError, built_in, format_text, read_format
from engine.game.formats import GameFormat
from trainer.atomic_file import make_private_folder, write_whole

MOST_FILES: Final = 200
"""Files that are read, in the order of their names."""

_ENDING: Final = ".toml"


class OwnFormatsError(ValueError):
    """What cannot be done with the formats, in one sentence."""


class Offered(NamedTuple):
    """What can be chosen: formats by name, those that ship with the app first; and what cannot, in sentences."""

    formats: tuple[GameFormat, ...]
    own: dict[str, Path]
    problems: tuple[str, ...]


class OwnFormats:
    """The folder of the player's own formats; it is read again for each question."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def offered(self) -> Offered:
        """Return all formats; a file that is none or takes a name again is reported, and stays as it is."""
        formats = [built_in(name) for name in FORMATS]
        names = {one.name for one in formats}
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
            problems.append(f"Only {MOST_FILES} of the {len(paths)} formats in {self.folder} are read.")
        for path in paths[:MOST_FILES]:
            try:
                one = read_format(path)
            except FormatFileError as error:
                problems.append(str(error))
                continue
            if not one.name:
                problems.append(f"The format {shortened(path.name)} needs a name.")
            elif one.name in names:
                problems.append(f"The name '{one.name}' of {shortened(path.name)} is taken by another format.")
            else:
                formats.append(one)
                own[one.name] = path
                names.add(one.name)
        return Offered(tuple(formats), own, tuple(problems))

    def save(self, game_format: GameFormat) -> None:
        """Save a format by its name, in the place of an own one of that name.

        Raises
        ------
        OwnFormatsError
            If the name makes no sense or belongs to a format of the app, or the file cannot be written.
        """
        name = game_format.name
        if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
            raise OwnFormatsError(f"A format needs a name of 1 to {LONGEST_NAME} characters.")
        if name in (built_in(one).name for one in FORMATS):
            raise OwnFormatsError(f"'{name}' is a format of the app: save yours by another name.")
        path = self.offered().own.get(name) or self._free_path(name)
        try:
            make_private_folder(self.folder)
            write_whole(path, format_text(game_format).encode())
        except OSError as error:
            raise OwnFormatsError(f"'{name}' could not be saved: {error.strerror or error}.") from error

    def delete(self, name: str) -> None:
        """Delete an own format; `OwnFormatsError` if that fails."""
        path = self.offered().own.get(name)
        if path is None:
            raise OwnFormatsError(f"There is no format '{name}' of your own.")
        try:
            path.unlink()
        except OSError as error:
            raise OwnFormatsError(f"'{name}' could not be deleted: {error.strerror or error}.") from error

    def _free_path(self, name: str) -> Path:
        """Return where a format of this name goes, no file's place."""
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "format"
        path, number = self.folder / f"{stem}{_ENDING}", 1
        while path.exists():
            number += 1
            path = self.folder / f"{stem}-{number}{_ENDING}"
        return path
