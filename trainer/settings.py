"""What the user chose, in one small text file: one frozen dataclass over QSettings.

A file or value that cannot be read never stops the app: what is readable is kept, the rest falls back to its
default, and the file is set aside under another name for the user to look at.
"""

import base64
import binascii
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence

from engine.atomic_file import make_private_file, make_private_folder
from trainer.theme import FELTS

_log = logging.getLogger(__name__)

THEMES = ("system", "light", "dark")
MAX_PACE_SECONDS = 4.0
MAX_OPPONENTS = 9
LEAST_STORED_MEGABYTES, MOST_STORED_MEGABYTES = 10, 1_000_000
DEFAULT_KEYS = {"fold": "F", "call": "C", "raise": "R", "next": "Space"}
"""Keys that the player may choose, by what they do."""

_FURTHER_KEYS = {"bet": "B", "all_in": "A", "hint": "H"}

_VERSION = "1"


def further_keys(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the other letters of the table, by what they do; "" where one is chosen for something else."""
    return {intent: "" if key in chosen.values() else key for intent, key in _FURTHER_KEYS.items()}


def other_intent(intent: str, key: str, keys: Mapping[str, str]) -> str | None:
    """Return which other intent has a key, None if it is free: no two may have the same."""
    return next((other for other, held in keys.items() if held == key and other != intent), None)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is remembered between two starts."""

    theme: str = "system"  # `system`, `light` or `dark`
    felt: str = "green"  # the colour of the table, one of `FELTS`
    four_colours: bool = False  # green clubs and blue diamonds
    big_blinds: bool = False  # whether amounts are shown in big blinds rather than chips
    pace_seconds: float = 0.8  # how long each event is shown, 0 (instant) to 4
    automatic_deal: bool = False  # whether the next hand is dealt without being asked for
    confirm_big_bets: bool = True  # whether a big call or an all-in asks once
    bell: bool = False  # whether the system's bell rings at the player's turn
    bets_presets: bool = False  # whether a share of the pot that is chosen is bet at once
    offers_tour: bool = True  # whether the empty table offers the tour, until it is taken or declined
    lessons: bool = True  # whether a line after a hand tells the decision that cost most
    offer_guesses: bool = False  # whether a line after some hands offers to guess a range
    # key of each intent of `DEFAULT_KEYS`, as Qt writes keys
    keys: tuple[tuple[str, str], ...] = tuple(DEFAULT_KEYS.items())
    reader: str = ""  # registered name of who reads hands for the player; empty for the default one
    range_ranking: int = 1  # against how many random hands the best hands of the range editor are the best, 1 to 9
    remember_players: bool = True  # whether what is learned of players is kept between sessions
    stored_megabytes: int = 500  # from so many on no more traces are stored
    last_game: str = ""  # the last new-game choice as JSON, empty at first
    window_geometry: bytes = b""  # Qt's own record of the window and its docks, empty at first
    window_state: bytes = b""
    odds_geometry: bytes = b""  # the same of the odds calculator and its splitter
    odds_state: bytes = b""
    odds_question: str = ""  # what was entered there last, as one line
    drills_geometry: bytes = b""  # the same of the drills
    figures_geometry: bytes = b""  # the same of the figures
    lab_geometry: bytes = b""  # the same of the lab
    lab_setup: str = ""  # what was chosen there last, as JSON
    lab_kept: str = ""  # what the matches are of that are kept of its last run, as JSON; empty without any
    lab_experiment: str = ""  # which experiment was chosen there last and how, as JSON
    lab_evolution: str = ""  # the same of evolution

    def key(self, intent: str) -> str:
        """Return the key of an intent, such as `F` for `fold`."""
        return dict(self.keys)[intent]


class SettingsFile:
    """The one settings file: holds the `settings` in force and writes every change at once.

    `notice` is one sentence about what was wrong with the file when it was read, or "".
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings, self.notice = self._read()

    def change(self, **values: Any) -> Settings:
        """Put new values in force, write and return them; a file that cannot be written is logged, not fatal."""
        changed = replace(self.settings, **values)
        if changed != self.settings:
            self.settings = changed
            self._write()
        return self.settings

    def _read(self) -> tuple[Settings, str]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return Settings(), ""
        except OSError as error:
            _log.warning("Settings cannot be read: %s", error)
            return Settings(), f"The settings in {self.path} cannot be read, so the defaults are used."
        stored = QSettings(str(self.path), QSettings.Format.IniFormat)
        is_damaged = stored.status() != QSettings.Status.NoError or not _is_text(data)
        values: dict[str, Any] = {}
        is_changed = False
        if not is_damaged:
            is_damaged = bool(data.strip()) and stored.value("version") != _VERSION
            for field in fields(Settings):
                if stored.contains(field.name):
                    try:
                        values[field.name] = _from_text(field.name, stored.value(field.name))
                        is_changed |= field.name == "last_game" and values[field.name] != stored.value(field.name)
                    except ValueError as error:
                        _log.warning("Setting %s: %s", field.name, error)
                        is_damaged = True
        settings = Settings(**values)
        del stored
        if is_changed:
            self.settings = settings
            self._write()
        if not is_damaged:
            return settings, ""
        try:
            aside = set_aside(self.path)
        except OSError as error:
            _log.warning("Settings stay damaged: %s", error)
            return settings, f"The settings in {self.path} are damaged, so defaults stand in."
        self.settings = settings
        self._write()
        return settings, f"The settings were damaged, so defaults stand in; the old file is kept as {aside.name}."

    def _write(self) -> None:
        try:
            make_private_folder(self.path.parent)
            make_private_file(self.path)
        except OSError as error:
            _log.warning("Settings are not kept: %s", error)
            return
        stored = QSettings(str(self.path), QSettings.Format.IniFormat)
        stored.setValue("version", _VERSION)
        for field in fields(Settings):
            stored.setValue(field.name, _to_text(getattr(self.settings, field.name)))
        stored.sync()  # leaves the permissions as they are
        if stored.status() != QSettings.Status.NoError:
            _log.warning("Settings are not kept: %s cannot be written", self.path)


def set_aside(path: Path, why: str = "damaged") -> Path:
    """Rename a file to `<name>.<why>-<n>`, n the first free; return its new path or raise OSError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{why}-{number}")).exists():
        number += 1
    aside = path.rename(aside)
    make_private_file(aside)
    return aside


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, tuple):
        return " ".join(f"{intent}={key}" for intent, key in value)
    return str(value)


def _from_text(name: str, text: object) -> object:
    """Read one value, or raise a ValueError that names it."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no single value.")
    default = getattr(Settings(), name)
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise ValueError(f"'{text}' is neither true nor false.")
        return text == "true"
    if name == "pace_seconds":
        seconds = float(text)
        if not 0 <= seconds <= MAX_PACE_SECONDS:
            raise ValueError(f"A pace of {text} seconds is not within 0 to {MAX_PACE_SECONDS:g}.")
        return seconds
    if name == "range_ranking":
        opponents = int(text)
        if not 1 <= opponents <= MAX_OPPONENTS:
            raise ValueError(f"Hands are ranked against 1 to {MAX_OPPONENTS} random hands, not {text}.")
        return opponents
    if name == "stored_megabytes":
        megabytes = int(text)
        if not LEAST_STORED_MEGABYTES <= megabytes <= MOST_STORED_MEGABYTES:
            raise ValueError(
                f"Stored hands take from {LEAST_STORED_MEGABYTES} to {MOST_STORED_MEGABYTES} MB, not {megabytes}."
            )
        return megabytes
    if name == "last_game":  # earlier versions wrote the seed, by which the cards of that game can be known
        return re.sub(r'("seed": ?)\d+', r"\g<1>0", text)
    if name == "theme" and text not in THEMES:
        raise ValueError(f"'{text}' is no theme ({', '.join(THEMES)}).")
    if name == "felt" and text not in FELTS:
        raise ValueError(f"'{text}' is no colour of a table ({', '.join(FELTS)}).")
    if name == "keys":
        return _keys(text)
    if isinstance(default, bytes):
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise ValueError(f"'{text}' is no stored window: {error}.") from error
    return text


def _keys(text: str) -> tuple[tuple[str, str], ...]:
    keys = dict(DEFAULT_KEYS)
    for pair in text.split():
        intent, is_pair, written = pair.partition("=")
        key = QKeySequence(written).toString()  # `F` of `f`
        if not is_pair or intent not in keys or not key:
            raise ValueError(f"'{pair}' is no key of an action.")
        keys[intent] = key
    if any(other_intent(intent, key, keys) for intent, key in keys.items()):
        raise ValueError(f"'{text}' gives two actions the same key.")
    return tuple(keys.items())
