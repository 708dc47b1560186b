"""What players of recorded hands do with every hand at a decision: how often they fold, go on and raise.

It is the learned reader's model of play turned round (`engine.agents.learned`): what makes an action a reason to
believe in a hand is how often players take it with that hand. So it is no solution of the game, but play that
occurs: at tables of three to six that of Pluribus and professionals or of online players of small stakes, heads-up
that of DeepStack and professionals. docs/reading.md says how well it fits hands that it was not learned from.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import chances_of_kinds, situations
from engine.game.events import CALL, FOLD, Action, ActionTaken, Chips, PublicEvent
from engine.game.history import HandState, decided_next
from engine.game.observation import Observation
from engine.ranges import Range
from engine.training.spots import (
    BIG_BLIND,
    OPENING_BB,
    USUAL_STACK_BB,
    Setting,
    deal,
    play_to,
    positions,
    raises_on_street,
    usual_raise,
)

FEWEST_SEATS, MOST_SEATS = 2, 6
LEAST_OPENING_BB, MOST_OPENING_BB = 2, 10


class SpotError(ValueError):
    """A decision before the flop that there is not; the message names the value and the rule."""


class Population(StrEnum):
    """Whose play it is. At a real table the small blind tells: the networks know these players by it."""

    PROFESSIONALS = "professionals"
    SMALL_STAKES = "small stakes"

    @property
    def small_blind(self) -> Chips:
        """The small blind at their tables, for big blinds of `BIG_BLIND`."""
        return BIG_BLIND // 2 if self is Population.PROFESSIONALS else BIG_BLIND * 2 // 5


class Facing(StrEnum):
    """What a player has before them when it is their turn before the flop."""

    NOBODY = "nobody in"
    LIMP = "limp"
    RAISE = "raise"
    THREE_BET = "3-bet"
    FOUR_BET = "4-bet"

    @property
    def raises(self) -> int:
        """How many raises there were."""
        return {Facing.RAISE: 1, Facing.THREE_BET: 2, Facing.FOUR_BET: 3}.get(self, 0)


class PreflopSpot(Struct, frozen=True, kw_only=True):
    """A decision before the flop with few players in, everybody as deep; all others have folded.

    Attributes
    ----------
    seats : int
        2 to 6 players are dealt in.
    position : str
        Of the player, as `engine.training.spots.positions` has it.
    facing : Facing
        A 3-bet is one of the player's own raise, a 4-bet one of their own 3-bet.
    other : str
        The position of who limps or raised last; "" where nobody is in.
    caller : str
        The position of who has called that raise, where it is the first one; "" where nobody has.
    stack_bb, opening_bb : float
        Big blinds: stacks before the blinds, and what the first raise is to. Later ones are of the usual sizes.
    population : Population
        Whose play it is; heads-up there is one.
    """

    seats: int = MOST_SEATS
    position: str = "BTN"
    facing: Facing = Facing.NOBODY
    other: str = ""
    caller: str = ""
    stack_bb: float = USUAL_STACK_BB
    opening_bb: float = OPENING_BB
    population: Population = Population.PROFESSIONALS


class UsualPlay(Struct, frozen=True):
    """What players do with each combo.

    Attributes
    ----------
    reach : ndarray of float64, shape (1326,)
        How likely they are to have each combo at the decision, as everybody would read it; the sum is 1.
    shares : ndarray of float64, shape (1326, 3)
        How often they fold, check or call, and bet or raise with it; the sum of each row is 1. Combos that the
        board blocks have a reach of 0.
    can_check : bool
        Whether checking is free, so that nobody folds.
    """

    reach: NDArray[np.float64]
    shares: NDArray[np.float64]
    can_check: bool

    @property
    def totals(self) -> NDArray[np.float64]:
        """How often they fold, check or call, and bet or raise with all of their hands together, shape (3,)."""
        return np.asarray(self.reach @ self.shares)

    def range_of(self, kind: int) -> Range:
        """Return the range that does one of the three, against the likeliest combo, in steps of a twentieth."""
        weights = self.reach / self.reach.max() * self.shares[:, kind]
        return Range(np.rint(20 * weights) / 20)


def depths(seats: int) -> tuple[int, int]:
    """Return the least and the largest stack in big blinds that players' play is known at, roughly.

    The recorded hands of six have 45 to 290 of them nine times in ten, those heads-up 200; shorter stacks heads-up
    are derived (resources/learned_reader.md).
    """
    return (8 if seats == FEWEST_SEATS else 40), 300


def acting_order(seats: int) -> tuple[str, ...]:
    """Return the positions at a table of 2 to 6 in the order in which they act before the flop.

    >>> acting_order(4), acting_order(2)
    (('CO', 'BTN', 'SB', 'BB'), ('BTN', 'BB'))
    """
    names = positions(seats)
    return (names[1], names[0]) if seats == 2 else (*names[2:], *names[:2])


def faced_at(seats: int, position: str) -> tuple[tuple[Facing, str, str], ...]:
    """Return what a position can have before it, from which other one, and who may have called that.

    >>> [" ".join(filter(None, faced)) for faced in faced_at(3, "BB")]
    ['limp BTN', 'limp SB', 'raise BTN', 'raise SB', 'raise BTN SB', '4-bet BTN', '4-bet SB']
    """
    order = acting_order(seats)
    before, after = order[: order.index(position)], order[order.index(position) + 1 :]
    faced = [(Facing.NOBODY, "", "")] if after else []
    faced += [(Facing.LIMP, other, "") for other in before]
    faced += [(Facing.RAISE, other, "") for other in before]
    faced += [(Facing.RAISE, other, caller) for other, caller in combinations(before, 2)]
    faced += [(Facing.THREE_BET, other, "") for other in after]
    faced += [(Facing.FOUR_BET, other, "") for other in before]
    return tuple(faced)


def spot_text(spot: PreflopSpot) -> str:
    """Say what a decision is, such as `BB: BTN raises to 2.5 bb`.

    >>> spot_text(PreflopSpot(position="CO", facing=Facing.THREE_BET, other="SB", opening_bb=3))
    'CO: you raise to 3 bb, SB 3-bets'
    """
    to = f"to {spot.opening_bb:g} bb"
    before = {
        Facing.NOBODY: "nobody is in",
        Facing.LIMP: f"{spot.other} calls the big blind",
        Facing.RAISE: f"{spot.other} raises {to}" + (f", {spot.caller} calls" if spot.caller else ""),
        Facing.THREE_BET: f"you raise {to}, {spot.other} 3-bets",
        Facing.FOUR_BET: f"{spot.other} raises {to}, you 3-bet, {spot.other} 4-bets",
    }
    return f"{spot.position}: {before[spot.facing]}"


def preflop_events(spot: PreflopSpot) -> tuple[PublicEvent, ...]:
    """Return a hand up to a decision, which is taken by folding or, where that is free, checking.

    Raises
    ------
    SpotError
        If there is no such decision.
    """
    _check(spot)
    names = positions(spot.seats)
    you = names.index(spot.position)
    others = tuple(names.index(other) for other in (spot.other, spot.caller) if other)
    setting = Setting((round(spot.stack_bb * BIG_BLIND),) * spot.seats, you, others)
    # Everybody's cards are drawn, and nothing depends on them.
    table = deal(setting, np.random.default_rng(0), {}, small_blind=spot.population.small_blind)

    def line(seen: Observation) -> Action:
        if seen.seat not in setting.in_hand:
            return FOLD
        is_called = spot.facing is Facing.LIMP or names[seen.seat] == spot.caller
        return CALL if is_called else usual_raise(seen, spot.opening_bb)

    seen = play_to(table, you, line, lambda seen: raises_on_street(seen) == spot.facing.raises)
    if seen.to_act != you:
        raise SpotError(f"With {spot.stack_bb:g} big blinds all are in before a {spot.facing}.")
    return decided_next(seen)


def _check(spot: PreflopSpot) -> None:
    if not FEWEST_SEATS <= spot.seats <= MOST_SEATS:
        raise SpotError(f"Recorded hands are of {FEWEST_SEATS} to {MOST_SEATS} players, not of {spot.seats}.")
    names = acting_order(spot.seats)
    for position in filter(None, (spot.position, spot.other, spot.caller)):
        if position not in names:
            raise SpotError(f"At a table of {spot.seats} the positions are {', '.join(names)}, not {position}.")
    if (spot.facing, spot.other, spot.caller) not in faced_at(spot.seats, spot.position):
        if spot.facing is Facing.NOBODY:
            raise SpotError(f"{spot.position} wins the pot where nobody is in.")
        called = f", called by {spot.caller}," if spot.caller else ""
        raise SpotError(
            f"{spot.position} can have no {spot.facing} of {spot.other or 'nobody'}{called} before them."
        )
    for what, value, least, most in (
        (f"Stacks at a table of {spot.seats}", spot.stack_bb, *depths(spot.seats)),
        ("The first raise", spot.opening_bb, LEAST_OPENING_BB, MOST_OPENING_BB),
    ):
        if not least <= value <= most:
            raise SpotError(f"{what} must be {least} to {most} big blinds here, not {value:g}.")


def usual_play(events: Sequence[PublicEvent]) -> UsualPlay:
    """Return what players do at the decision that the last event took, whatever was done there.

    Raises
    ------
    ValueError
        If the last event is no action.
    """
    taken = events[-1]
    if not isinstance(taken, ActionTaken):
        raise ValueError("The last event is no action.")
    view = HandState.after(events[:-1]).view()
    (own,) = _reader().predict_views(view, [view.view(taken.seat)])
    reach = own.posterior.astype(np.float64)
    likelihoods = _reader().likelihoods.at(len(view.seats))
    shares = chances_of_kinds(likelihoods.probabilities(situations(events)[-1]))
    shares /= shares.sum(axis=1, keepdims=True)
    return UsualPlay(reach / reach.sum(), shares, can_check=taken.to_call == 0)


@cache
def _reader() -> LearnedReader:
    return LearnedReader(adapts=False)
