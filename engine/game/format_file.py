"""Formats as text: TOML, a line for each field of `GameFormat`, those that are as usual left out.

The formats that ship with the app are such files, too, in `resources/formats`.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from engine.foreign_text import shortened
from engine.game.events import GameKind
from engine.game.formats import GameConfig, GameConfigError, GameFormat, Level, SeatConfig, parse_level
from engine.resources import read_text

FORMATS: Final = ("cash", "cash-ante", "cash-straddle", "heads-up", "paper", "tournament", "contest")
"""Names of the formats that ship with the app, in the order in which they are offered."""

LARGEST_FILE: Final = 20_000
"""Bytes; a larger file is no format."""

LONGEST_NAME: Final = 60
_MOST = 10**15
_LONGEST_LIST = 100


class FormatFileError(ValueError):
    """A file that is no format; the message names the value and the rule in one sentence."""


@cache
def built_in(name: str) -> GameFormat:
    """Return one of `FORMATS` by its name.

    Raises
    ------
    FormatFileError
        If there is no such format.
    ResourceError
        If its file is missing.

    Examples
    --------
    >>> built_in("paper").max_hands
    600
    """
    if name not in FORMATS:
        raise FormatFileError(
            f"There is neither a format nor a file '{shortened(name)}'; formats are {', '.join(FORMATS)}."
        )
    return parse_format(read_text(f"formats/{name}.toml"))


def cash_game(seats: tuple[SeatConfig, ...], *, seed: int = 0) -> GameConfig:
    """Return the usual cash game: blinds 50/100, 100 big blinds deep, no end."""
    return built_in("cash").game(seats, seed=seed)


def read_format(path: str | Path) -> GameFormat:
    """Read a format from a file.

    Raises
    ------
    FormatFileError
        If the file cannot be read or is no format that can be played.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        what = (isinstance(error, OSError) and error.strerror) or str(error)
        raise FormatFileError(f"The format {shortened(str(path))} cannot be read: {what}.") from error
    where = f"The format {shortened(Path(path).name)}"
    if len(data) > LARGEST_FILE:
        raise FormatFileError(f"{where} has more than the {LARGEST_FILE:,} bytes that a format may have.")
    try:
        return parse_format(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FormatFileError(f"{where} is not written in UTF-8.") from error
    except FormatFileError as error:
        raise FormatFileError(f"{where} cannot be played: {error}") from error


def parse_format(text: str) -> GameFormat:
    r"""Read a format from its text.

    Raises
    ------
    FormatFileError
        If the text is no TOML, a field is unknown, missing or of the wrong kind, or nobody can play like that.

    Examples
    --------
    >>> parse_format('kind = "cash"\nstarting_stack = 400\nsmall_blind = 1\nbig_blind = 2').big_blind
    2
    """
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatFileError(f"Its TOML is damaged: {shortened(' '.join(str(error).split()), 200)}.") from error
    values = {name: _value(name, value) for name, value in fields.items()}
    for field in _FIELDS.values():
        if field.required and field.name not in values:
            raise FormatFileError(f"The setting '{field.name}' is missing; it is {_READERS[field.type][0]}.")
    game_format = GameFormat(**values)
    try:
        game_format.verify_format()
    except GameConfigError as error:
        raise FormatFileError(str(error)) from error
    return game_format


def format_text(game_format: GameFormat) -> str:
    r"""Write a format, so that `parse_format` reads the same one.

    Examples
    --------
    >>> print(format_text(built_in("heads-up")), end="")
    name = "Heads-up, stacks reset"
    kind = "cash"
    starting_stack = 20000
    small_blind = 50
    big_blind = 100
    most_seats = 2
    does_reset_stacks = true
    """
    lines = []
    for field in structs.fields(GameFormat):
        value = getattr(game_format, field.name)
        if field.required or value != field.default:
            lines.append(f"{field.name} = {toml_value(value)}\n")
    return "".join(lines)


def toml_value(value: Any) -> str:
    """Write a text, a number, a truth value or a list of them in TOML, a level as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Level):
        value = str(value)
    # A basic string of TOML is one of JSON, but for the delete character, which stands as it is in JSON.
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else str(value)
    )


class _WrongKindError(ValueError):
    """A value that is not what its field takes."""


def _value(name: str, value: object) -> Any:
    if name not in _FIELDS:
        near = get_close_matches(name, _FIELDS, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(_FIELDS)}."
        raise FormatFileError(f"'{shortened(name)}' is no setting of a format; {hint}")
    what, read = _READERS[_FIELDS[name].type]
    try:
        return read(value)
    except _WrongKindError:
        raise FormatFileError(f"The setting '{name}' is {what}, not {_shown(value)}.") from None


def _shown(value: object) -> str:
    try:
        return shortened(toml_value(value) if isinstance(value, str | bool | int | list) else str(value))
    except ValueError:  # a whole number of more digits than Python writes
        return "a number of thousands of digits"


def _name(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= LONGEST_NAME or not value.isprintable():
        raise _WrongKindError
    return value.strip()


def _kind(value: object) -> GameKind:
    if not isinstance(value, str) or value not in list(GameKind):
        raise _WrongKindError
    return GameKind(value)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST:
        raise _WrongKindError
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongKindError
    return value


def _numbers(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > _LONGEST_LIST:
        raise _WrongKindError
    return tuple(map(_number, value))


def _levels(value: object) -> tuple[Level, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _WrongKindError
    try:
        return tuple(map(parse_level, value))
    except GameConfigError as error:
        raise FormatFileError(str(error)) from error


_NUMBER = (f"a whole number of at most {_MOST:,}", _number)
_READERS: Final[Mapping[object, tuple[str, Callable[[object], Any]]]] = {
    str: (f"a text of 1 to {LONGEST_NAME} characters", _name),
    GameKind: ('"cash" or "tournament"', _kind),
    int: _NUMBER,
    int | None: _NUMBER,
    bool: ("true or false", _truth),
    tuple[int, ...]: ("a list of whole numbers", _numbers),
    tuple[Level, ...]: ('a list of texts such as "50/100" or, with an ante, "50/100/10"', _levels),
}
"""By the type of a field: what its value must be, and what reads it."""

_FIELDS: Final = {field.name: field for field in structs.fields(GameFormat)}
