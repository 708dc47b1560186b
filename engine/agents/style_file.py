"""Styles of one's own: a few numbers that people speak of, as text; the temper to play by follows from them.

Before the flop the numbers are the temper's own. After it they are scales of 0-100, which these formulas turn into
strengths, as equities against random hands; chosen so that the tempers of the app lie close to them:

- a bet is made from 0.90 - 0.55 a on, a raise from 0.99 - 0.37 a^1.5, for an aggression a of 0-1;
- a bet is called from 0.75 (1 - c) + 0.6 times the pot odds, for a share c of 0-1 of calling down.

A fourth bet before the flop takes a third of the hands of a third one, at least the best 0.9%: aces and kings.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from engine.agents.rule_based.holdings import Holding
from engine.agents.rule_based.temper import Sizing, Temper
from engine.settings_text import NAME, TRUTH, Setting, SettingsText, SettingsTextError, WrongKindError, toml_value

_BET_FROM, _BET_FALL = 0.90, 0.55
_RAISE_FROM, _RAISE_FALL, _RAISE_POWER = 0.99, 0.37, 1.5
_CALL_FLOOR, _CALL_SLOPE = 0.75, 0.6
_USUAL_ODDS = 0.25  # of a bet of half the pot
_LEAST_FOUR_BET = 0.009

_LOOSE, _AGGRESSIVE, _CALLING_BOUNDS = 25.0, 50.0, (30.0, 62.0, 85.0)
"""From which mean share of hands, mean of raises and aggression, and shares of calling down on words change."""


class StyleFileError(SettingsTextError):
    """A text that is no style; the message names the value and the rule in one sentence."""


class Answers(StrEnum):
    """What a bet after the flop is called with: what the price allows, or certain holdings whatever the price."""

    BY_PRICE = "by price"
    SOMETHING = "with something"
    STRONG = "with strong hands"

    @property
    def holding(self) -> Holding | None:
        """The least that it takes, as a temper has it."""
        return {Answers.BY_PRICE: None, Answers.SOMETHING: Holding.SOMETHING, Answers.STRONG: Holding.STRONG}[self]


class Bounds(Struct, frozen=True):
    """The least and the most that a number may be, with at most one decimal, and its unit in words."""

    least: float
    most: float
    unit: str

    def nearest(self, value: float) -> float:
        """Return the number that is nearest to a value."""
        return round(float(min(max(value, self.least), self.most)), 1)


class OwnStyle(Struct, frozen=True, kw_only=True):
    """A style in the numbers that people speak of; `NUMBERS` has bounds and units.

    Attributes
    ----------
    name : str
        As a player chooses it.
    early, middle, late, blinds : float
        Hands played when nobody has raised, six-handed; with fewer seats it may play more.
    raises : float
        Hands that come in with a raise, of those played; the rest limp.
    open_size : float
        Size of such a raise, one big blind more per limper.
    calls_raises, three_bets : float
        Hands that call a raise, and that raise it again.
    calls_three_bets : float
        Hands that call two raises or more.
    stacks_off : float
        Hands that raise a big part of a deep stack before the flop; others that would raise call.
    aggression : float
        After the flop, from hardly ever a bet or raise (0) to one with anything fair (100).
    calls_down : float
        After the flop, from giving up all but the best (0) to calling with nearly anything (100).
    bluffs, bets_draws : float
        How often it bets nothing, and a draw, when it may check, against one opponent; against two half as often.
    bet_size : float
        Usual bet; strong hands bet half as much again, at most the pot.
    sizing : Sizing
        Whether it bets and raises other amounts than its usual ones.
    answers : Answers
        What it calls bets with after the flop.
    is_same_at_all_tables : bool
        Whether it plays as many hands with fewer seats as six-handed.
    """

    name: str
    early: float
    middle: float
    late: float
    blinds: float
    raises: float
    open_size: float
    calls_raises: float
    three_bets: float
    calls_three_bets: float
    stacks_off: float
    aggression: float
    calls_down: float
    bluffs: float
    bets_draws: float
    bet_size: float
    sizing: Sizing = Sizing.USUAL
    answers: Answers = Answers.BY_PRICE
    is_same_at_all_tables: bool = False


_HANDS = Bounds(0, 100, "percent of hands")

NUMBERS: Final[Mapping[str, Bounds]] = {
    "early": _HANDS,
    "middle": _HANDS,
    "late": _HANDS,
    "blinds": _HANDS,
    "raises": Bounds(0, 100, "percent of the hands played"),
    "open_size": Bounds(2, 20, "big blinds"),
    "calls_raises": _HANDS,
    "three_bets": _HANDS,
    "calls_three_bets": _HANDS,
    "stacks_off": _HANDS,
    "aggression": Bounds(0, 100, "on a scale"),
    "calls_down": Bounds(0, 100, "on a scale"),
    "bluffs": Bounds(0, 200, "percent of chances"),
    "bets_draws": Bounds(0, 200, "percent of chances"),
    "bet_size": Bounds(10, 100, "percent of the pot"),
}
"""The numbers of a style, in the order in which they are written."""


def temper_of(style: OwnStyle) -> Temper:
    """Return the temper by which a style plays, by the formulas of this module.

    Examples
    --------
    >>> from engine.agents.rule_based.tempers import TEMPERS
    >>> temper = temper_of(nearest_style("Mine", TEMPERS["nit"][0]))
    >>> temper.early, temper.bet_size, round(temper.bet, 2)
    (0.08, 0.6, 0.75)
    """
    aggression, calls_down = style.aggression / 100, style.calls_down / 100
    return Temper(
        early=style.early / 100,
        middle=style.middle / 100,
        late=style.late / 100,
        blinds=style.blinds / 100,
        raised=style.raises / 100,
        call_raise=style.calls_raises / 100,
        three_bet=style.three_bets / 100,
        call_three_bet=style.calls_three_bets / 100,
        four_bet=max(_LEAST_FOUR_BET, style.three_bets / 300),
        stack_off=style.stacks_off / 100,
        open_bb=style.open_size,
        bet=_BET_FROM - _BET_FALL * aggression,
        raise_=_RAISE_FROM - _RAISE_FALL * aggression**_RAISE_POWER,
        call_floor=_CALL_FLOOR * (1 - calls_down),
        call_slope=_CALL_SLOPE,
        bluff=style.bluffs / 100,
        semi_bluff=style.bets_draws / 100,
        bet_size=style.bet_size / 100,
        sizing=style.sizing,
        goes_on_with=style.answers.holding,
        is_same_at_all_tables=style.is_same_at_all_tables,
    )


def nearest_style(name: str, temper: Temper) -> OwnStyle:
    """Return the style whose temper is nearest to another one, to begin with when a style is made."""
    called_from = temper.call_floor + _USUAL_ODDS * temper.call_slope
    exact = {
        "early": 100 * temper.early,
        "middle": 100 * temper.middle,
        "late": 100 * temper.late,
        "blinds": 100 * temper.blinds,
        "raises": 100 * temper.raised,
        "open_size": temper.open_bb,
        "calls_raises": 100 * temper.call_raise,
        "three_bets": 100 * temper.three_bet,
        "calls_three_bets": 100 * temper.call_three_bet,
        "stacks_off": 100 * temper.stack_off,
        "aggression": 100 * (_BET_FROM - temper.bet) / _BET_FALL,
        "calls_down": 100 * (1 - (called_from - _USUAL_ODDS * _CALL_SLOPE) / _CALL_FLOOR),
        "bluffs": 100 * temper.bluff,
        "bets_draws": 100 * temper.semi_bluff,
        "bet_size": 100 * temper.bet_size,
    }
    numbers = {field: NUMBERS[field].nearest(value) for field, value in exact.items()}
    answers = next(one for one in Answers if one.holding is temper.goes_on_with)
    return OwnStyle(
        name=name,
        **numbers,
        sizing=temper.sizing,
        answers=answers,
        is_same_at_all_tables=temper.is_same_at_all_tables,
    )


def is_style_text(style: str) -> bool:
    """Return whether a seat's style is the text of one of somebody's own, rather than a name, which is one line."""
    return "\n" in style


def read_style(path: str | Path) -> OwnStyle:
    """Read a style from a file.

    Raises
    ------
    StyleFileError
        If the file cannot be read or is no style that can be played.
    """
    return _TEXT.read(path, parse_style)


def parse_style(text: str) -> OwnStyle:
    """Read a style from its text.

    Raises
    ------
    StyleFileError
        If the text is no TOML, or a setting is unknown, missing or not what it takes.
    """
    return OwnStyle(**_TEXT.values(text))


def style_text(style: OwnStyle) -> str:
    """Write a style with all its numbers, so that `parse_style` reads the same one in every version.

    Examples
    --------
    >>> from engine.agents.rule_based.tempers import TEMPERS
    >>> print(style_text(nearest_style("Uncle Leo", TEMPERS["calling station"][0])), end="")
    name = "Uncle Leo"
    early = 45
    middle = 50
    late = 60
    blinds = 60
    raises = 6
    open_size = 2.5
    calls_raises = 42
    three_bets = 1.2
    calls_three_bets = 12
    stacks_off = 5
    aggression = 18.2
    calls_down = 72.3
    bluffs = 0
    bets_draws = 0
    bet_size = 50
    sizing = "usual"
    answers = "by price"
    is_same_at_all_tables = false
    """
    return "".join(
        f"{field} = {f'{value:g}' if field in NUMBERS else toml_value(value)}\n"
        for field, value in structs.asdict(style).items()
    )


def description(style: OwnStyle) -> str:
    """Say in one line how a style plays.

    >>> from engine.agents.rule_based.tempers import TEMPERS
    >>> description(nearest_style("Mine", TEMPERS["nit"][0]))[:62]
    'Tight-aggressive: plays 8 to 13% of hands, raises 80% of them,'
    """
    shares = (style.early, style.middle, style.late, style.blinds)
    is_loose = sum(shares) / len(shares) > _LOOSE
    is_aggressive = (style.raises + style.aggression) / 2 > _AGGRESSIVE
    kind = f"{'Loose' if is_loose else 'Tight'}-{'aggressive' if is_aggressive else 'passive'}"
    least, most = f"{min(shares):g}", f"{max(shares):g}"
    played = least if least == most else f"{least} to {most}"
    parts = [f"plays {played}% of hands", f"raises {style.raises:g}% of them", f"3-bets {style.three_bets:g}%"]
    parts.append(f"bluffs {min(style.bluffs, 100):g}% of the time" if style.bluffs else "never bluffs")
    if style.sizing is not Sizing.USUAL:
        parts.append("bets as little as it may" if style.sizing is Sizing.LEAST else "bets everything it has")
    return f"{kind}: {', '.join(parts)}, {_calling(style)}."


def _calling(style: OwnStyle) -> str:
    if style.answers is Answers.STRONG:
        return "folds to any bet without a strong hand or draw"
    if style.answers is Answers.SOMETHING:
        return "calls any bet with a pair, an ace or a draw"
    words = ("gives up to bets", "calls at a fair price", "calls down light", "calls with nearly anything")
    return words[sum(style.calls_down >= bound for bound in _CALLING_BOUNDS)]


def _number_setting(bounds: Bounds) -> Setting:
    def read(value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not bounds.least <= value <= bounds.most or round(value, 1) != value:
            raise WrongKindError
        return float(value) + 0.0  # of -0.0, too

    what = f"a number from {bounds.least:g} to {bounds.most:g} with at most one decimal ({bounds.unit})"
    return Setting(what, read, is_required=True)


def _choice_setting(kind: type[StrEnum]) -> Setting:
    def read(value: Any) -> StrEnum:
        if value not in list(kind):
            raise WrongKindError
        return kind(value)

    return Setting(" or ".join(toml_value(str(one)) for one in kind), read)


_TEXT: Final = SettingsText(
    "style",
    {
        "name": structs.replace(NAME, is_required=True),
        **{name: _number_setting(bounds) for name, bounds in NUMBERS.items()},
        "sizing": _choice_setting(Sizing),
        "answers": _choice_setting(Answers),
        "is_same_at_all_tables": TRUTH,
    },
    StyleFileError,
)
