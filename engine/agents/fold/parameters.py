"""Every number of the agent FOLD, read from `resources/fold_parameters.toml`, which gives their sources."""

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from engine.agents.agent import PositionGroup
from engine.cards import CLASS_COUNT, Street, class_name
from engine.codec import build_schema
from engine.resources import ResourceError, read_text

_Kind = TypeVar("_Kind", bound=Struct)

Share = Annotated[float, Meta(ge=0, le=1)]
Factor = Annotated[float, Meta(gt=0, le=1e6)]
Power = Annotated[float, Meta(ge=0, le=10)]
Deals = Annotated[int, Meta(ge=2, le=10**9)]


class _Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the resource."""

    def at(self, key: Street | PositionGroup) -> float:
        """Return the number of a street or of a position group."""
        return float(getattr(self, key.name.lower()))


class _Rising(_Numbers, frozen=True):
    """Numbers that rise in the order in which they are declared."""

    def __post_init__(self) -> None:
        for lower, higher in pairwise(self.__struct_fields__):
            if getattr(self, lower) > getattr(self, higher):
                raise ValueError(f"{lower} must not be above {higher}")


class CutPoints(_Rising, frozen=True):
    """Where the domain of each action begins on the axis of P_win; folding begins at 0."""

    check: Share
    call: Share
    half_pot: Share
    three_quarter_pot: Share
    overbet: Share


class Baselines(_Rising, frozen=True):
    """The P_win that each action fits best."""

    fold: Share
    check: Share
    call: Share
    half_pot: Share
    three_quarter_pot: Share
    overbet: Share


class Quantiles(_Numbers, frozen=True):
    """Evenly spaced quantiles of P_win among hands that see a flop, per street."""

    flop: tuple[Share, ...]
    turn: tuple[Share, ...]
    river: tuple[Share, ...]

    def __post_init__(self) -> None:
        for street in (self.flop, self.turn, self.river):
            if len(street) < 2 or (street[0], street[-1]) != (0, 1) or any(a > b for a, b in pairwise(street)):
                raise ValueError("quantiles must rise from 0 to 1")


class Temper(_Numbers, frozen=True):
    """The power that each street's likelihood is raised to; 1 leaves it as the model gives it."""

    preflop: Power
    flop: Power
    turn: Power
    river: Power


class Options(_Numbers, frozen=True):
    """What may be switched: where FOLD departs from its paper as printed, and parts of the paper to do without."""

    pot_odds: bool
    nuts: bool
    premium: bool
    middle_pair_folds: bool
    cap: bool
    draws: bool
    speculative: bool
    adaptation: bool
    size_after_call: bool
    ranges_by_raises: bool
    fill_domains: bool
    multiway: bool
    adapt_raises: bool
    adapt_positions: bool
    exact: bool
    joint: bool
    ties: bool
    unseen_outs: bool
    outs_behind: bool
    commit: bool


class Behaviour(_Numbers, frozen=True):
    """DFModel (Li et al. 2017, fig. 2 and eq. 6), and the ranking and domains it has before the flop."""

    theta: Factor
    theta_preflop: Factor
    ranking: str
    call_reaches_top: bool
    multiway: Share
    temper: Temper
    cut_points: CutPoints
    baselines: Baselines
    quantiles: Quantiles

    def __post_init__(self) -> None:
        names = sorted(self.ranking.split())
        if names and names != sorted(class_name(hand_class) for hand_class in range(CLASS_COUNT)):
            raise ValueError("ranking must name each of the 169 hand classes once, or none")


class Positions(_Numbers, frozen=True):
    """One number per position group."""

    early: Share
    middle: Share
    late: Share
    blinds: Share


class PositionsByRaises(_Numbers, frozen=True):
    """Three numbers per position group: with 0, 1, and 2 or more raises before the action."""

    early: tuple[Factor, Factor, Factor]
    middle: tuple[Factor, Factor, Factor]
    late: tuple[Factor, Factor, Factor]
    blinds: tuple[Factor, Factor, Factor]

    def after(self, raises: int, position: PositionGroup) -> float:
        """Return the number of a position group with a count of raises before."""
        row: tuple[float, float, float] = getattr(self, position.value)
        return row[min(raises, 2)]


class RangeModel(_Numbers, frozen=True):
    """A stranger's entry rates (Li et al. 2017, eq. 5), and how they divide by the raises before."""

    entry: Positions
    continue_ratio: PositionsByRaises
    raise_share: PositionsByRaises


class RangeModels(_Numbers, frozen=True):
    """A stranger's range model by the number of seats dealt in."""

    ring: RangeModel
    short_handed: RangeModel
    heads_up: RangeModel

    def of(self, seats: int) -> RangeModel:
        """Return the model for a number of seats: 2, 3-4, or 5 and more."""
        return self.heads_up if seats == 2 else self.short_handed if seats <= 4 else self.ring


class Again(_Numbers, frozen=True):
    """A second preflop action: shares of the range shown so far that go on, and that raise again."""

    continuing: Share
    raising: Share


class Memory(_Numbers, frozen=True):
    """How many observations the default model is worth."""

    entry: Factor
    first_action: Factor
    raise_share: Factor
    street: Factor
    position: Factor


class PredictionNumbers(_Numbers, frozen=True):
    """Bounds of super-strong, strong, medium and drawing hands."""

    super_strong: Share
    strong: Share
    medium: Share
    preflop_super_strong: Share
    preflop_strong: Share
    preflop_medium: Share
    draw_outs: int


class Base(_Rising, frozen=True):
    """Thresholds of a two-player pot before any adjustment (Li et al. 2017, algorithm 2)."""

    call: Share
    raise_half: Share
    raise_pot: Share


class PositionFactors(_Numbers, frozen=True):
    """Factors on the odds of a threshold by position."""

    behind: Factor
    in_position: Factor
    out_of_position: Factor


class GapFactors(_Numbers, frozen=True):
    """Factors on the odds of a threshold: opening, calling a raise, raising one, raising again."""

    open_preflop: Factor
    open_postflop: Factor
    call: Factor
    raise_over_preflop: Factor
    raise_again: Factor


class PotOdds(_Numbers, frozen=True):
    """Share of the way from the pot odds to the full call threshold that remains, per street."""

    unopened: Share
    preflop: Share
    flop: Share
    turn: Share
    river: Share


class StackDepth(_Numbers, frozen=True):
    """Bounds of short and deep stacks, and what part of the chips to be won a speculative hand pays."""

    short_bb: Factor
    deep_bb: Factor
    speculative_price: Share


class FormatFactors(_Numbers, frozen=True):
    """Factors on the odds of a threshold by the kind of game."""

    tournament_call: Factor
    tournament_raise_pot: Factor
    cash_call: Factor
    cash_raise_pot: Factor


class Special(_Numbers, frozen=True):
    """Bounds of the cases that algorithm 2 leaves out."""

    short_shove: Factor
    oversized: Factor
    oversized_margin: Factor
    oversized_preflop: Factor
    oversized_margin_preflop: Factor
    nuts: Factor
    commit: Factor
    premium: Factor
    premium_bb: Factor


class DrawRule(_Numbers, frozen=True):
    """How a draw leads, what it expects to win later, and how often a turn that misses costs little."""

    lead: Factor
    implied_pots: Factor
    free: Share
    cheap: Share


class MiddlePairRule(_Numbers, frozen=True):
    """Odds bound of the middle pair's one bet, against a fair share."""

    bet: Factor


class Sizes(_Numbers, frozen=True):
    """Raise increments over the pot after calling."""

    half: Factor
    pot: Factor


class DecisionNumbers(_Numbers, frozen=True):
    """Stage 4's numbers."""

    deals: Deals
    printed_deals: Deals
    crowd: int
    crowd_deals: Deals
    base: Base
    position: PositionFactors
    gap: GapFactors
    pot_odds: PotOdds
    stack: StackDepth
    format: FormatFactors
    special: Special
    draw: DrawRule
    middle_pair: MiddlePairRule
    sizes: Sizes

    def deals_against(self, opponents: int) -> int:
        """Return how many deals a win rate against so many opponents takes."""
        return self.crowd_deals if opponents >= self.crowd else self.deals


class Parameters(_Numbers, frozen=True):
    """All of the agent's numbers; every field is documented in the resource, next to its number."""

    options: Options
    behaviour: Behaviour
    ranges: RangeModels
    again: Again
    memory: Memory
    prediction: PredictionNumbers
    decision: DecisionNumbers


class TunedNumbers(_Numbers, frozen=True):
    """What the tuned reader has otherwise: the behaviour model, and what it is worth against counts."""

    behaviour: Behaviour
    memory: Memory


def parse_numbers(text: str, kind: type[_Kind]) -> _Kind:
    """Read the agent's numbers, or those of the tuned reader, from TOML.

    Raises
    ------
    ResourceError
        If the text is no TOML, lacks a number, has one too many or one outside its bounds.
    """
    try:
        build_schema(kind)
        return msgspec.toml.decode(text, type=kind)
    except (msgspec.DecodeError, ValueError) as error:
        raise ResourceError(
            f"The app's file resources/{_RESOURCES[kind]} is broken: {error}; install the app anew."
        ) from error


@cache
def default_parameters() -> Parameters:
    """Return the numbers that ship with the app; a `ResourceError` if they are missing or broken."""
    return parse_numbers(read_text(_RESOURCES[Parameters]), Parameters)


@cache
def tuned_numbers() -> TunedNumbers:
    """Return the tuned reader's numbers that ship with the app; a `ResourceError` as `default_parameters`."""
    return parse_numbers(read_text(_RESOURCES[TunedNumbers]), TunedNumbers)


PRINTED = "printed"
"""Names all the options by which FOLD plays its paper as printed, where that can be played at all."""

_AS_PRINTED = {"middle_pair_folds": True} | dict.fromkeys(
    (
        *("pot_odds", "nuts", "premium", "commit", "outs_behind", "unseen_outs"),
        *("exact", "joint", "ties"),
        *("cap", "size_after_call", "ranges_by_raises", "fill_domains", "multiway"),
        *("adapt_raises", "adapt_positions"),
    ),
    False,
)


class OptionError(ValueError):
    """An option that FOLD does not have, or a value that is none; the message says which there are."""


def with_options(parameters: Parameters, words: Iterable[str]) -> Parameters:
    """Return parameters with options switched by words such as "draws=off", or "printed" for the paper as printed.

    Raises
    ------
    OptionError
        If a word names no option, or switches it neither on nor off.
    """
    options = parameters.options
    for word in words:
        name, _, value = word.partition("=")
        if word == PRINTED:
            options = msgspec.structs.replace(options, **_AS_PRINTED)
        elif name not in options.__struct_fields__ or value not in _SWITCHED:
            names = ", ".join(options.__struct_fields__)
            raise OptionError(f"FOLD has no option '{word}'; it has {PRINTED}, and with =on or =off {names}.")
        else:
            options = msgspec.structs.replace(options, **{name: _SWITCHED[value]})
    return msgspec.structs.replace(parameters, options=options)


_SWITCHED = {"on": True, "off": False}


def with_numbers(parameters: Parameters, numbers: TunedNumbers) -> Parameters:
    """Return parameters with another behaviour model and memory."""
    return msgspec.structs.replace(parameters, behaviour=numbers.behaviour, memory=numbers.memory)


_RESOURCES: dict[type[Struct], str] = {Parameters: "fold_parameters.toml", TunedNumbers: "paper_tuned.toml"}
