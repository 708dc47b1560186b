"""The formats that the player has saved, and those that ship with the app."""

from pathlib import Path
from typing import Final

from engine.game.format_file import FORMATS, built_in, format_text, read_format
from engine.game.formats import GameFormat
from trainer.new_game.own_files import OwnFiles

FORMATS_FOLDER: Final = "formats"
"""Beside the settings."""


class OwnFormats(OwnFiles[GameFormat]):
    """The folder of the player's own formats."""

    what = "format"

    def of_the_app(self) -> tuple[GameFormat, ...]:
        return tuple(map(built_in, FORMATS))

    def taken_names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.of_the_app())

    def read(self, path: Path) -> GameFormat:
        return read_format(path)

    def text(self, one: GameFormat) -> str:
        return format_text(one)
