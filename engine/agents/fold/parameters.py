"""Every number of the Soulread agent, read from `resources/fold_parameters.toml`, which gives their sources."""

from functools import cache
from itertools import pairwise
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from engine.agents.agent import ActionClass, PositionGroup
from engine.cards import CLASS_COUNT, Street, class_name
from engine.resources import ResourceError, read_text

RESOURCE = "fold_parameters.toml"
TUNED_RESOURCE = "paper_tuned.toml"

_Numbers = TypeVar("_Numbers")

Share = Annotated[float, Meta(ge=0, le=1)]
Factor = Annotated[float, Meta(gt=0, le=1e6)]
Power = Annotated[float, Meta(ge=0, le=10)]
Deals = Annotated[int, Meta(ge=2, le=10**9)]


def _verify_rising(numbers: Any) -> None:
    """Raise `ValueError` unless the fields of a struct rise in the order in which they are declared."""
    names = numbers.__struct_fields__
    for lower, higher in pairwise(names):
        if getattr(numbers, lower) > getattr(numbers, higher):
            raise ValueError(f"{lower} must not be above {higher}")


class CutPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the domain of each action begins on the axis of P_win; folding begins at 0."""

    check: Share
    call: Share
    half_pot: Share
    three_quarter_pot: Share
    overbet: Share

    def __post_init__(self) -> None:
        _verify_rising(self)


class Baselines(Struct, frozen=True, forbid_unknown_fields=True):
    """The P_win that each action fits best."""

    fold: Share
    check: Share
    call: Share
    half_pot: Share
    three_quarter_pot: Share
    overbet: Share

    def __post_init__(self) -> None:
        _verify_rising(self)


class Quantiles(Struct, frozen=True, forbid_unknown_fields=True):
    """Evenly spaced quantiles of P_win among hands that see a flop, per street."""

    flop: tuple[Share, ...]
    turn: tuple[Share, ...]
    river: tuple[Share, ...]

    def __post_init__(self) -> None:
        for street in (self.flop, self.turn, self.river):
            if len(street) < 2 or (street[0], street[-1]) != (0, 1) or any(a > b for a, b in pairwise(street)):
                raise ValueError("quantiles must rise from 0 to 1")


class Temper(Struct, frozen=True, forbid_unknown_fields=True):
    """The power that each street's likelihood is raised to; 1 leaves it as the model gives it."""

    preflop: Power
    flop: Power
    turn: Power
    river: Power

    def at(self, street: Street) -> float:
        """Give the power of a street."""
        return (self.preflop, self.flop, self.turn, self.river)[street]


class Behaviour(Struct, frozen=True, forbid_unknown_fields=True):
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


class Positions(Struct, frozen=True, forbid_unknown_fields=True):
    """One number per position group."""

    early: Share
    middle: Share
    late: Share
    blinds: Share

    def at(self, position: PositionGroup) -> float:
        """Give the number of a position group."""
        return float(getattr(self, position.value))


class PositionsByRaises(Struct, frozen=True, forbid_unknown_fields=True):
    """Three numbers per position group: with 0, 1, and 2 or more raises before the action."""

    early: tuple[Factor, Factor, Factor]
    middle: tuple[Factor, Factor, Factor]
    late: tuple[Factor, Factor, Factor]
    blinds: tuple[Factor, Factor, Factor]

    def at(self, position: PositionGroup, raises: int) -> float:
        """Give the number of a position group and a count of raises."""
        row: tuple[float, float, float] = getattr(self, position.value)
        return row[min(raises, 2)]


class RangeModel(Struct, frozen=True, forbid_unknown_fields=True):
    """A stranger's entry rates (Li et al. 2017, eq. 5), and how they divide by the raises before."""

    entry: Positions
    continue_ratio: PositionsByRaises
    raise_share: PositionsByRaises


class RangeModels(Struct, frozen=True, forbid_unknown_fields=True):
    """A stranger's range model by the number of seats dealt in."""

    ring: RangeModel
    short_handed: RangeModel
    heads_up: RangeModel

    def at(self, seats: int) -> RangeModel:
        """Give the model for a number of seats: 2, 3-4, or 5 and more."""
        return self.heads_up if seats == 2 else self.short_handed if seats <= 4 else self.ring


class Again(Struct, frozen=True, forbid_unknown_fields=True):
    """A second preflop action: shares of the range shown so far that go on, and that raise again."""

    continuing: Share
    raising: Share


class Memory(Struct, frozen=True, forbid_unknown_fields=True):
    """How many observations the default model is worth."""

    entry: Factor
    first_action: Factor
    raise_share: Factor
    street: Factor
    position: Factor


class PredictionNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of strong, medium and drawing hands."""

    strong: Share
    medium: Share
    preflop_strong: Share
    preflop_medium: Share
    draw_outs: int


class Base(Struct, frozen=True, forbid_unknown_fields=True):
    """Thresholds of a two-player pot before any adjustment (Li et al. 2017, algorithm 2)."""

    call: Share
    raise_half: Share
    raise_pot: Share

    def __post_init__(self) -> None:
        _verify_rising(self)


class PositionFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold by position."""

    behind: Factor
    in_position: Factor
    out_of_position: Factor


class GapFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold: opening, calling a raise, raising one, raising again."""

    open_preflop: Factor
    open_postflop: Factor
    call: Factor
    raise_over_preflop: Factor
    raise_again: Factor


class PotOdds(Struct, frozen=True, forbid_unknown_fields=True):
    """Share of the way from the pot odds to the full call threshold that remains, per street."""

    unopened: Share
    preflop: Share
    flop: Share
    turn: Share
    river: Share

    def at(self, street: Street) -> float:
        """Give the share on a street."""
        return (self.preflop, self.flop, self.turn, self.river)[street]


class StackDepth(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of short and deep stacks, and what a deep stack's speculative hands gain."""

    short_bb: Factor
    deep_bb: Factor
    speculative_call: Factor


class FormatFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold by the kind of game."""

    tournament_call: Factor
    tournament_raise_pot: Factor
    cash_call: Factor
    cash_raise_pot: Factor


class Special(Struct, frozen=True, forbid_unknown_fields=True):
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


class DrawRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a draw leads and what it expects to win later."""

    lead: Factor
    implied_pots: Factor


class MiddlePairRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds bound of the middle pair's one bet, against a fair share."""

    bet: Factor


class Sizes(Struct, frozen=True, forbid_unknown_fields=True):
    """Raise increments over the pot after calling."""

    half: Factor
    pot: Factor


class DecisionNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Stage 4's numbers."""

    deals: Deals
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
        """Give how many deals a win rate against so many opponents takes."""
        return self.crowd_deals if opponents >= self.crowd else self.deals


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """All of the agent's numbers; every field is documented in the resource, beside its number."""

    behaviour: Behaviour
    ranges: RangeModels
    again: Again
    memory: Memory
    prediction: PredictionNumbers
    decision: DecisionNumbers


class TunedNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """What the tuned reader has otherwise: the behaviour model, and what it is worth against counts."""

    behaviour: Behaviour
    memory: Memory


def parse_parameters(text: str) -> Parameters:
    """Read the agent's numbers from TOML.

    Raises
    ------
    ResourceError
        If the text is no TOML, lacks a number, has one too many or one outside its bounds.
    """
    return _parse(text, Parameters, RESOURCE)


def parse_tuned_numbers(text: str) -> TunedNumbers:
    """Read the tuned reader's numbers from TOML.

    Raises
    ------
    ResourceError
        If the text is no TOML, lacks a number, has one too many or one outside its bounds.
    """
    return _parse(text, TunedNumbers, TUNED_RESOURCE)


def _parse(text: str, kind: type[_Numbers], resource: str) -> _Numbers:
    try:
        return msgspec.toml.decode(text, type=kind)
    except (msgspec.DecodeError, ValueError) as error:
        raise ResourceError(
            f"The app's file resources/{resource} is broken: {error}; install the app anew."
        ) from error


@cache
def default_parameters() -> Parameters:
    """Give the numbers that ship with the app.

    Raises
    ------
    ResourceError
        If the resource is missing or broken.
    """
    return parse_parameters(read_text(RESOURCE))


@cache
def tuned_numbers() -> TunedNumbers:
    """Give the tuned reader's numbers that ship with the app.

    Raises
    ------
    ResourceError
        If the resource is missing or broken.
    """
    return parse_tuned_numbers(read_text(TUNED_RESOURCE))


def with_numbers(parameters: Parameters, numbers: TunedNumbers) -> Parameters:
    """Give parameters with another behaviour model and memory."""
    return msgspec.structs.replace(parameters, behaviour=numbers.behaviour, memory=numbers.memory)


def cut_points(behaviour: Behaviour) -> dict[ActionClass, float]:
    """Give where each action's domain begins, in the order of the axis."""
    cuts = behaviour.cut_points
    return {
        ActionClass.FOLD: 0.0,
        ActionClass.CHECK: cuts.check,
        ActionClass.CALL: cuts.call,
        ActionClass.HALF_POT: cuts.half_pot,
        ActionClass.THREE_QUARTER_POT: cuts.three_quarter_pot,
        ActionClass.OVERBET: cuts.overbet,
    }


def baselines(behaviour: Behaviour) -> dict[ActionClass, float]:
    """Give each action's baseline, in the order of the axis."""
    lines = behaviour.baselines
    return {
        ActionClass.FOLD: lines.fold,
        ActionClass.CHECK: lines.check,
        ActionClass.CALL: lines.call,
        ActionClass.HALF_POT: lines.half_pot,
        ActionClass.THREE_QUARTER_POT: lines.three_quarter_pot,
        ActionClass.OVERBET: lines.overbet,
    }
