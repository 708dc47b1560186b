"""Settings that people write as text, such as formats and styles of their own: TOML, a line for each setting.

What is no such text is refused in one sentence with the value and the rule. Nothing of it is ever run.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from engine.foreign_text import shortened

LARGEST_FILE: Final = 20_000
"""Bytes; a larger file holds no settings."""

LONGEST_NAME: Final = 60
"""Characters of the name that a player gives."""

T = TypeVar("T")


class SettingsTextError(ValueError):
    """Text that is not what it should be; the message names the value and the rule in one sentence."""


class WrongKindError(ValueError):
    """A value that is not what its setting takes."""


class Setting(Struct, frozen=True):
    """One setting: what its value must be, in words, and what reads it or raises `WrongKindError`."""

    what: str
    read: Callable[[Any], Any]
    is_required: bool = False


class SettingsText(Struct, frozen=True):
    """A kind of text: what it describes in one word, its settings by name, and the error that refuses it."""

    what: str
    settings: Mapping[str, Setting]
    error: type[SettingsTextError]

    def values(self, text: str) -> dict[str, Any]:
        """Read the settings of a text; `error` if it is no TOML or one is unknown, missing or of the wrong kind."""
        try:
            found = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.error(f"Its TOML is damaged: {shortened(' '.join(str(error).split()), 200)}.") from error
        values = {name: self._value(name, value) for name, value in found.items()}
        for name, setting in self.settings.items():
            if setting.is_required and name not in values:
                raise self.error(f"The setting '{name}' is missing; it is {setting.what}.")
        return values

    def _value(self, name: str, value: object) -> Any:
        if name not in self.settings:
            near = get_close_matches(name, self.settings, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(self.settings)}."
            raise self.error(f"'{shortened(name)}' is no setting of a {self.what}; {hint}")
        try:
            return self.settings[name].read(value)
        except WrongKindError:
            raise self.error(f"The setting '{name}' is {self.settings[name].what}, not {_shown(value)}.") from None

    def read(self, path: str | Path, parse: Callable[[str], T]) -> T:
        """Read a file; `error` if it cannot be read, is too large or no UTF-8, or `parse` refuses what it holds."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            raise self.error(f"The {self.what} {shortened(str(path))} cannot be read: {why}.") from error
        where = f"The {self.what} {shortened(Path(path).name)}"
        if len(data) > LARGEST_FILE:
            raise self.error(f"{where} has more than the {LARGEST_FILE:,} bytes that a {self.what} may have.")
        try:
            return parse(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise self.error(f"{where} is not written in UTF-8.") from error
        except SettingsTextError as error:
            raise self.error(f"{where} cannot be played: {error}") from error


def toml_value(value: Any) -> str:
    """Write a text, a number, a truth value or a list of them in TOML.

    >>> toml_value(["50/100", True, 2.5])
    '["50/100", true, 2.5]'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    # A basic string of TOML is one of JSON, but for the delete character, which stands as it is in JSON.
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)
    )


def read_name(value: object) -> str:
    """Return a name as a player may give it; `WrongKindError` if it is none."""
    if not isinstance(value, str) or not is_name(value):
        raise WrongKindError
    return value.strip()


def _read_truth(value: object) -> bool:
    """Return a truth value; `WrongKindError` if it is none."""
    if not isinstance(value, bool):
        raise WrongKindError
    return value


def is_name(text: str) -> bool:
    """Return whether a text can be a name: 1 to 60 printable characters."""
    return 1 <= len(text.strip()) <= LONGEST_NAME and text.isprintable()


NAME: Final = Setting(f"a text of 1 to {LONGEST_NAME} characters", read_name)
TRUTH: Final = Setting("true or false", _read_truth)


def _shown(value: object) -> str:
    try:
        return shortened(toml_value(value) if isinstance(value, str | bool | int | list) else str(value))
    except ValueError:  # a whole number of more digits than Python writes
        return "a number of thousands of digits"
