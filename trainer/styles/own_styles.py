"""The styles that the player has saved."""

from pathlib import Path
from typing import Final

from engine.agents.style_file import OwnStyle, read_style, style_text
from engine.agents.styles import STYLES
from trainer.new_game.own_files import OwnFiles

STYLES_FOLDER: Final = "styles"
"""Beside the settings."""


class OwnStyles(OwnFiles[OwnStyle]):
    """The folder of the player's own styles; those of the app are not among them, having no such numbers."""

    what = "style"

    def of_the_app(self) -> tuple[OwnStyle, ...]:
        return ()

    def taken_names(self) -> tuple[str, ...]:
        return (*STYLES, *(one.title for one in STYLES.values()))

    def read(self, path: Path) -> OwnStyle:
        return read_style(path)

    def text(self, one: OwnStyle) -> str:
        return style_text(one)
