"""Every number of the FOLD agent, read from `resources/fold_parameters.toml`, which says where each comes from."""

from functools import cache

import msgspec
from msgspec import Struct

from engine.agents.agent import ActionClass, PositionGroup
from engine.cards import Street
from engine.resources import ResourceError, read_text

RESOURCE = "fold_parameters.toml"


class CutPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the domain of each action begins on the axis of P_win; folding begins at 0."""

    check: float
    call: float
    half_pot: float
    three_quarter_pot: float
    overbet: float


class Baselines(Struct, frozen=True, forbid_unknown_fields=True):
    """The P_win that each action fits best."""

    fold: float
    check: float
    call: float
    half_pot: float
    three_quarter_pot: float
    overbet: float


class Quantiles(Struct, frozen=True, forbid_unknown_fields=True):
    """Evenly spaced quantiles of P_win among hands that see a flop, per street."""

    flop: tuple[float, ...]
    turn: tuple[float, ...]
    river: tuple[float, ...]


class Behaviour(Struct, frozen=True, forbid_unknown_fields=True):
    """DFModel (Li et al. 2017, fig. 2 and eq. 6)."""

    theta: float
    cut_points: CutPoints
    baselines: Baselines
    quantiles: Quantiles


class Positions(Struct, frozen=True, forbid_unknown_fields=True):
    """One number per position group."""

    early: float
    middle: float
    late: float
    blinds: float

    def at(self, position: PositionGroup) -> float:
        """Give the number of a position group."""
        return float(getattr(self, position.value))


class PositionsByRaises(Struct, frozen=True, forbid_unknown_fields=True):
    """Three numbers per position group: with 0, 1, and 2 or more raises before the action."""

    early: tuple[float, float, float]
    middle: tuple[float, float, float]
    late: tuple[float, float, float]
    blinds: tuple[float, float, float]

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

    continuing: float
    raising: float


class Memory(Struct, frozen=True, forbid_unknown_fields=True):
    """How many observations the default model is worth."""

    entry: float
    first_action: float
    raise_share: float
    street: float
    position: float


class PredictionNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of strong, medium and drawing hands, and of outs (Li et al. 2017, eq. 29)."""

    strong: float
    medium: float
    preflop_strong: float
    preflop_medium: float
    draw_outs: int
    out_gain: float
    behind: float


class Base(Struct, frozen=True, forbid_unknown_fields=True):
    """Thresholds of a two-player pot before any adjustment (Li et al. 2017, algorithm 2)."""

    call: float
    raise_half: float
    raise_pot: float


class PositionFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold by position."""

    behind: float
    in_position: float
    out_of_position: float


class GapFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold: opening, calling a raise, raising one, raising again."""

    open_preflop: float
    open_postflop: float
    call: float
    raise_over_preflop: float
    raise_again: float


class PotOdds(Struct, frozen=True, forbid_unknown_fields=True):
    """Share of the way from the pot odds to the full call threshold that remains, per street."""

    unopened: float
    preflop: float
    flop: float
    turn: float
    river: float

    def at(self, street: Street) -> float:
        """Give the share on a street."""
        return (self.preflop, self.flop, self.turn, self.river)[street]


class StackDepth(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of short and deep stacks, and what a deep stack's speculative hands gain."""

    short_bb: float
    deep_bb: float
    speculative_call: float


class FormatFactors(Struct, frozen=True, forbid_unknown_fields=True):
    """Factors on the odds of a threshold by the kind of game."""

    tournament_call: float
    tournament_raise_pot: float
    cash_call: float
    cash_raise_pot: float


class Special(Struct, frozen=True, forbid_unknown_fields=True):
    """Bounds of the cases that algorithm 2 leaves out."""

    short_shove: float
    oversized: float
    oversized_margin: float
    oversized_preflop: float
    oversized_margin_preflop: float
    nuts: float
    commit: float
    premium: float
    premium_bb: float


class DrawRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a draw leads and what it expects to win later."""

    lead: float
    implied_pots: float


class MiddlePairRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds bounds of the middle pair's one bet and of its fold to resistance, against a fair share."""

    bet: float
    resist: float


class Sizes(Struct, frozen=True, forbid_unknown_fields=True):
    """Raise increments over the pot after calling."""

    half: float
    pot: float


class DecisionNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Stage 4's numbers."""

    deals: int
    crowd: int
    crowd_deals: int
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


def parse_parameters(text: str) -> Parameters:
    """Read the agent's numbers from TOML.

    Raises
    ------
    ResourceError
        If the text is no TOML, lacks a number or has one too many.
    """
    try:
        return msgspec.toml.decode(text, type=Parameters, strict=False)
    except (msgspec.DecodeError, ValueError) as error:
        raise ResourceError(f"The app's file resources/{RESOURCE} is broken: {error}") from error


@cache
def default_parameters() -> Parameters:
    """Give the numbers that ship with the app.

    Raises
    ------
    ResourceError
        If the resource is missing or broken.
    """
    return parse_parameters(read_text(RESOURCE))


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
