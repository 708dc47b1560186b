"""Formats as text: TOML, a line for each field of `GameFormat`, those that are as usual left out.

The formats that ship with the app are such files, too, in `resources/formats`.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import structs

from engine.foreign_text import shortened
from engine.game.events import GameKind
from engine.game.formats import GameConfig, GameConfigError, GameFormat, Level, SeatConfig, parse_level
from engine.resources import read_text
from engine.settings_text import NAME, TRUTH, Setting, SettingsText, SettingsTextError, WrongKindError, toml_value

FORMATS: Final = ("cash", "cash-ante", "cash-straddle", "heads-up", "paper", "tournament", "contest")
"""Names of the formats that ship with the app, in the order in which they are offered."""

_MOST = 10**15
_LONGEST_LIST = 100


class FormatFileError(SettingsTextError):
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
    return _TEXT.read(path, parse_format)


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
    game_format = GameFormat(**_TEXT.values(text))
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
            written = [str(level) for level in value] if field.type == tuple[Level, ...] else value
            lines.append(f"{field.name} = {toml_value(written)}\n")
    return "".join(lines)


def _kind(value: object) -> GameKind:
    if not isinstance(value, str) or value not in list(GameKind):
        raise WrongKindError
    return GameKind(value)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MOST:
        raise WrongKindError
    return value


def _numbers(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > _LONGEST_LIST:
        raise WrongKindError
    return tuple(map(_number, value))


def _levels(value: object) -> tuple[Level, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise WrongKindError
    try:
        return tuple(map(parse_level, value))
    except GameConfigError as error:
        raise FormatFileError(str(error)) from error


_NUMBER: Final = Setting(f"a whole number of at most {_MOST:,}", _number)
_BY_TYPE: Final[Mapping[object, Setting]] = {
    str: NAME,
    GameKind: Setting('"cash" or "tournament"', _kind),
    int: _NUMBER,
    int | None: _NUMBER,
    bool: TRUTH,
    tuple[int, ...]: Setting("a list of whole numbers", _numbers),
    tuple[Level, ...]: Setting('a list of texts such as "50/100" or, with an ante, "50/100/10"', _levels),
}
_TEXT: Final = SettingsText(
    "format",
    {
        field.name: structs.replace(_BY_TYPE[field.type], is_required=field.required)
        for field in structs.fields(GameFormat)
    },
    FormatFileError,
)
