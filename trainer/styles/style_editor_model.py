"""A style of the player's own while it is edited: its numbers, steps back, and its file."""

from pathlib import Path
from typing import Any, Final

from msgspec import structs
from PySide6.QtCore import QObject, Signal

from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.style_file import (
    OwnStyle,
    StyleFileError,
    description,
    nearest_style,
    parse_style,
    read_style,
    style_text,
)
from engine.agents.styles import STYLES, StyleGroup
from engine.atomic_file import write_whole
from trainer.new_game.own_files import Offered, OwnFilesError
from trainer.styles.own_styles import OwnStyles

BEGINNINGS: Final = {
    style: agent.temper
    for style, made in STYLES.items()
    if made.group is not StyleGroup.READERS and isinstance(agent := made.make(), RuleAgent)
}
"""The rule-based styles of the app with whose numbers another one can begin."""

_FIRST_STYLE = "loose-aggressive"
_MOST_STEPS = 500


class StyleEditorModel(QObject):
    """What is edited, with everything that can be done with it; nothing is lost by opening or pasting another."""

    changed = Signal()  # the style, or which ones are saved
    said = Signal(str, bool)  # one sentence, and whether it went well; "" once something new is done

    def __init__(self, styles: OwnStyles, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = styles
        self.offered: Offered[OwnStyle] = styles.offered()
        self._begun: set[OwnStyle] = set()
        self._steps: list[OwnStyle] = [self._other()]
        self._at = 0
        self._last_field = ""

    # ---- what is edited

    @property
    def style(self) -> OwnStyle:
        """What is edited."""
        return self._steps[self._at]

    @property
    def saved(self) -> OwnStyle | None:
        """The file's style of that name."""
        return next((one for one in self.offered.all if one.name == self.style.name), None)

    @property
    def is_changed(self) -> bool:
        """Whether it is not saved as it is."""
        return self.saved != self.style

    @property
    def is_unsaved_work(self) -> bool:
        """Whether something would be lost that the player has made."""
        return self.is_changed and self.style not in self._begun

    @property
    def summary(self) -> str:
        """How it plays, in a line."""
        return description(self.style)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to take again."""
        return self._at + 1 < len(self._steps)

    def set_number(self, field: str, value: float) -> None:
        """Change a number; steps of one slider in a row are taken back together."""
        self._take(structs.replace(self.style, **{field: value}), field)

    def choose(self, **fields: Any) -> None:
        """Change what is chosen among a few, such as `sizing`."""
        self._take(structs.replace(self.style, **fields))

    def undo(self) -> None:
        """Take a step back."""
        self._step_to(self._at - 1)

    def redo(self) -> None:
        """Take a step again."""
        self._step_to(self._at + 1)

    def begin_with(self, style: str) -> None:
        """Begin another one with the numbers that lie near a rule-based style of the app."""
        self._take(self._begin(style))

    def open(self, name: str) -> None:
        """Go on with one that is saved."""
        for one in self.offered.all:
            if one.name == name:
                self._take(one)

    # ---- files and text

    def read_again(self) -> None:
        """Read the folder again, which anybody may have changed."""
        self.offered = self._files.offered()
        self._say(" ".join(self.offered.problems), is_good=False)
        self.changed.emit()

    def save_as(self, name: str) -> bool:
        """Save it by a name that none has yet, or its own; return whether that went well."""
        return self._save(structs.replace(self.style, name=name), f"Saved as '{name}'.")

    def rename(self, name: str) -> bool:
        """Give it another name, in its file too; return whether that went well."""
        former, is_saved = self.style.name, self.saved is not None
        if name == former:
            return True
        renamed = structs.replace(self.style, name=name)
        if not self._save(renamed, f"'{former}' is called '{name}' now."):
            return False
        if is_saved:
            self._delete(former)
        return True

    def delete(self) -> None:
        """Delete its file, and go on with another one."""
        name = self.style.name
        if self._delete(name):
            self._take(self._other())
            self._say(f"'{name}' is deleted; Undo brings its numbers back.", is_good=True)

    def discard(self) -> None:
        """Go back to what is saved, or on with another one."""
        self._take(self.saved or self._other())

    def text(self) -> str:
        """Return what others can paste."""
        return style_text(self.style)

    def take_text(self, text: str) -> bool:
        """Go on with the style of a text, by another name if its own is taken; return whether it is one."""
        try:
            found = parse_style(text.strip())
        except StyleFileError as error:
            self._say(f"The text is no style: {error}", is_good=False)
            return False
        self._take_foreign(found)
        return True

    def take_file(self, path: Path) -> bool:
        """Go on with the style of a file; return whether it is one."""
        try:
            found = read_style(path)
        except StyleFileError as error:
            self._say(str(error), is_good=False)
            return False
        self._take_foreign(found)
        return True

    def write_file(self, path: Path) -> bool:
        """Write it to a file anywhere; return whether that went well."""
        try:
            write_whole(path, self.text().encode())
        except OSError as error:
            self._say(f"{path.name} could not be written: {error.strerror or error}.", is_good=False)
            return False
        self._say(f"Written to {path.name}.", is_good=True)
        return True

    # ---- steps

    def _take(self, style: OwnStyle, field: str = "") -> None:
        if style == self.style:
            return
        self._say("", is_good=True)
        is_same = bool(field) and field == self._last_field
        del self._steps[self._at + (0 if is_same else 1) :]
        self._steps.append(style)
        del self._steps[:-_MOST_STEPS]
        self._at = len(self._steps) - 1
        self._last_field = field
        self.changed.emit()

    def _step_to(self, at: int) -> None:
        if 0 <= at < len(self._steps):
            self._at, self._last_field = at, ""
            self.changed.emit()

    # ---- names and files

    def _begin(self, style: str) -> OwnStyle:
        begun = nearest_style(self._free_name(f"My {STYLES[style].title}"), BEGINNINGS[style])
        self._begun.add(begun)
        return begun

    def _other(self) -> OwnStyle:
        """Return what is edited when there is nothing else to go on with."""
        return self.offered.all[0] if self.offered.all else self._begin(_FIRST_STYLE)

    def _free_name(self, name: str) -> str:
        """Return a name that neither the app nor the player has given yet, this one if it is free."""
        taken = {*self._files.taken_names(), *(one.name for one in self.offered.all)}
        free, number = name, 1
        while free in taken:
            number += 1
            free = f"{name[:50]} {number}"
        return free

    def _take_foreign(self, found: OwnStyle) -> None:
        if found not in self.offered.all:
            found = structs.replace(found, name=self._free_name(found.name))
        self._take(found)
        self._say(f"This is '{found.name}'.", is_good=True)

    def _save(self, style: OwnStyle, said: str) -> bool:
        self.offered = self._files.offered()
        is_other = style.name != self.style.name and style.name in self.offered.own
        try:
            if is_other:
                raise OwnFilesError(f"You have a style '{style.name}' already: choose another name.")
            self._files.save(style)
        except OwnFilesError as error:
            self._say(str(error), is_good=False)
            return False
        self.offered = self._files.offered()
        self._take(style)
        self._say(said, is_good=True)
        self.changed.emit()
        return True

    def _delete(self, name: str) -> bool:
        try:
            self._files.delete(name)
        except OwnFilesError as error:
            self._say(str(error), is_good=False)
            return False
        self.offered = self._files.offered()
        self.changed.emit()
        return True

    def _say(self, sentence: str, *, is_good: bool) -> None:
        self.said.emit(sentence, is_good)
