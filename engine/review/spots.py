"""Kinds of decisions: where a player sat, what they faced, in which pot, and how deep, as everybody saw it."""

from msgspec import Struct

from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken
from engine.game.observation import Observation
from engine.game.summary import positions, pot_type

_DEPTHS = ((20, "under 20 bb deep"), (50, "20-50 bb deep"), (120, "50-120 bb deep"))
"""Upper bounds of effective stacks at the start of a hand, in big blinds."""

_DEEPEST = "over 120 bb deep"
_UNRAISED = "nobody in", "limps"
_FACING_BEFORE_THE_FLOP = "a raise", "a 3-bet", "a 4-bet or more"
_FACING = "no bet", "a bet", "a raise"


class Spot(Struct, frozen=True):
    """What kind of decision one is.

    Attributes
    ----------
    position : str
        One of `engine.game.summary.POSITIONS`.
    facing : str
        Before the flop "nobody in", "limps", "a raise", "a 3-bet", "a 4-bet or more"; after it "no bet", "a bet",
        "a raise".
    pot_type : str
        By the raises before the flop, as `engine.game.summary.pot_type`; "" before it, where `facing` says as much.
    depth : str
        The effective stack at the start of the hand, in a few classes of big blinds.
    """

    street: Street
    position: str
    facing: str
    pot_type: str
    depth: str

    @property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """The kinds of decisions that it is one of, each by what they have in common, in words."""
        on = "before the flop" if self.street is Street.PREFLOP else f"on the {self.street.name.lower()}"
        faced = f"{self.facing} {on}"
        kinds = ((on,), (self.position,), (faced,), (faced, self.position), (self.depth,))
        in_pot = f"{self.pot_type} pot"
        return (*kinds, (in_pot,), (in_pot, faced)) if self.pot_type else kinds


def spot_of(observation: Observation) -> Spot:
    """Return what kind of decision the observer, who is to act, has."""
    raises, calls = [0, 0, 0, 0], 0
    for event in observation.events:
        if isinstance(event, ActionTaken):
            raises[event.street] += event.action.kind is ActionKind.RAISE
            calls += event.action.kind is ActionKind.CALL
    street = observation.street
    if street is not Street.PREFLOP:
        facing = _FACING[min(raises[street], 2)]
    elif raises[street]:
        facing = _FACING_BEFORE_THE_FLOP[min(raises[street], 3) - 1]
    else:
        facing = _UNRAISED[calls > 0]
    return Spot(
        street=street,
        position=positions(observation.events)[observation.seat],
        facing=facing,
        pot_type="" if street is Street.PREFLOP else pot_type(raises[Street.PREFLOP]),
        depth=_depth_of(observation),
    )


def _depth_of(observation: Observation) -> str:
    """Return the class of the most that the observer could have lost to one of those still in the hand."""
    started = {view.seat: view.stack + view.committed for view in observation.seats}
    against = max((started[view.seat] for view in observation.opponents), default=0)
    effective = min(started[observation.seat], against) / observation.big_blind
    return next((name for bound, name in _DEPTHS if effective < bound), _DEEPEST)
