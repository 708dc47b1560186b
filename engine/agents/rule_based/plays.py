"""Plays that people have names for: in which spots each is made, and what is done then.

Each is a rule with conditions on what its player may know: their cards, the betting, their position. Strength is
the share of hands at least as strong before the flop, and the equity against a random hand after it. A player has a
repertoire, plays with how often each is made where its conditions hold; the first that is made decides.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from engine.agents.agent import PositionGroup
from engine.agents.fold.decide import Scenario, calling_action, scenario_of
from engine.agents.fold.opponent_model import preflop_strengths, win_probabilities
from engine.agents.rule_based.holdings import Holding, holding_of, is_draw
from engine.agents.rule_based.ruling import Ruling, figure_of
from engine.agents.rule_based.temper import positions
from engine.cards import Street, combo_of, rank_of, suit_of
from engine.game.events import CALL, CHECK, Action, ActionKind, ActionTaken, Seat, raise_to
from engine.game.history import HandState
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

HOW_OFTEN = "how often we make this play"
"""Name of the figure that says how often a player makes a play where its conditions hold."""

Repertoire = tuple[tuple[str, float], ...]
"""Names in `PLAYS` and how often each is made where it can be, 0-1; the first that is made decides."""


class Spot(NamedTuple):
    """What the conditions of plays look at; `hand` is the whole hand so far."""

    observation: Observation
    scenario: Scenario
    hand: HandState
    strength: float

    @property
    def street(self) -> Street:
        """The street that is played."""
        return self.observation.street

    @property
    def is_free(self) -> bool:
        """Whether nobody has bet on this street after the flop."""
        return self.scenario.to_call == 0 and not self.hand.raises

    @property
    def raiser(self) -> Seat | None:
        """Who raised last before the flop."""
        raisers = self.hand.raisers[Street.PREFLOP]
        return raisers[-1] if raisers else None

    def has(self, kind: ActionKind, street: Street) -> bool:
        """Whether the observing seat has done something on a street."""
        return any(
            isinstance(event, ActionTaken)
            and event.seat == self.observation.seat
            and event.street is street
            and event.action.kind is kind
            for event in self.observation.events
        )

    def position(self, seat: Seat) -> PositionGroup:
        """Return where a seat sits."""
        return positions(self.observation)[seat]


class Play(Struct, frozen=True):
    """A play: what players call it, when it is made, and the rule and action where that is so, None elsewhere."""

    title: str
    conditions: str
    made: Callable[[Spot], tuple[str, Action] | None]


def spot_of(observation: Observation) -> Spot:
    """Return what plays look at, for the seat whose turn it is."""
    hand = HandState.after(observation.events)
    combo = combo_of(*observation.hole_cards)
    if observation.street is Street.PREFLOP:
        strength = 1 - float(preflop_strengths(len(observation.seats) - 1)[combo])
    else:
        strength = float(win_probabilities(tuple(sorted(observation.board)))[combo])
    return Spot(observation, scenario_of(observation), hand, strength)


def play_from(repertoire: Repertoire, observation: Observation, seed: int) -> Ruling | None:
    """Return the first play of a repertoire that is made here, if any is."""
    spot = spot_of(observation)
    drawn = np.random.default_rng([seed, 3]).random(len(repertoire))
    for (name, often), number in zip(repertoire, drawn.tolist(), strict=True):
        made = PLAYS[name].made(spot)
        if made is not None and number < often:
            before = observation.street is Street.PREFLOP
            what = "share of hands at least as strong" if before else "win rate against any hand"
            figures = figure_of(HOW_OFTEN, often), figure_of("drawn number", number), figure_of(what, spot.strength)
            return *made, figures
    return None


# Before the flop


def _steal(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.PREFLOP or spot.hand.raises or spot.hand.callers or not spot.scenario.to_call:
        return None
    is_late = spot.position(spot.observation.seat) in (PositionGroup.LATE, PositionGroup.BLINDS)
    widest = 0.75 if len(spot.observation.seats) == 2 else 0.45
    if not is_late or spot.strength > widest:
        return None
    return _raise_before(spot, "steal", 2.5 * spot.observation.big_blind)


def _squeeze(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.PREFLOP or len(spot.hand.raisers[Street.PREFLOP]) != 1 or not spot.hand.callers:
        return None
    if spot.raiser == spot.observation.seat or spot.strength > 0.14:
        return None
    return _raise_before(spot, "squeeze", (4 + 0.5 * spot.hand.callers) * _highest(spot))


def _light_three_bet(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.PREFLOP or len(spot.hand.raisers[Street.PREFLOP]) != 1 or spot.hand.callers:
        return None
    seat, raiser = spot.observation.seat, spot.raiser
    if raiser is None or raiser == seat or spot.position(raiser) is not PositionGroup.LATE:
        return None
    is_late = spot.position(seat) in (PositionGroup.LATE, PositionGroup.BLINDS)
    return (
        _raise_before(spot, "light_three_bet", 3 * _highest(spot))
        if is_late and 0.06 < spot.strength <= 0.3
        else None
    )


def _limp_trap(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.PREFLOP or spot.strength > 0.03:
        return None
    if not spot.hand.raises:
        return "limp_trap", calling_action(spot.scenario.legal)
    has_limped = spot.has(ActionKind.CALL, Street.PREFLOP) or spot.has(ActionKind.CHECK, Street.PREFLOP)
    if has_limped and not spot.has(ActionKind.RAISE, Street.PREFLOP):
        return _raise_before(spot, "limp_reraise", 3.5 * _highest(spot))
    return None


def _push(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.PREFLOP or spot.scenario.depth_bb > 15:
        return None
    if spot.strength > (0.15 if spot.hand.raises else 0.35) or not spot.scenario.legal.can_raise:
        return None
    return "push", raise_to(spot.scenario.legal.max_raise_to)


# After the flop


def _c_bet(spot: Spot) -> tuple[str, Action] | None:
    is_c_bet = spot.street is Street.FLOP and spot.is_free and spot.raiser == spot.observation.seat
    return _bet(spot, "c_bet", 0.55) if is_c_bet and spot.scenario.opponents <= 2 else None


def _second_barrel(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.TURN or not spot.is_free or spot.scenario.opponents != 1:
        return None
    seat, board = spot.observation.seat, spot.observation.board
    if spot.raiser != seat or spot.hand.raisers[Street.FLOP] != [seat]:
        return None
    is_scary = rank_of(board[3]) > max(map(rank_of, board[:3]))
    if is_scary or spot.strength >= 0.6 or is_draw(spot.observation.hole_cards, board):
        return _bet(spot, "second_barrel", 0.65)
    return None


def _check_raise(spot: Spot) -> tuple[str, Action] | None:
    if spot.street not in (Street.FLOP, Street.TURN) or spot.scenario.is_last:
        return None
    if spot.strength < 0.82 and not is_draw(spot.observation.hole_cards, spot.observation.board):
        return None
    before = [raiser for street in Street if street < spot.street for raiser in spot.hand.raisers[street]]
    if spot.is_free and before and before[-1] != spot.observation.seat:
        return "check_raise_check", CHECK
    if len(spot.hand.raisers[spot.street]) == 1 and spot.has(ActionKind.CHECK, spot.street):
        return _bet(spot, "check_raise", 1.0)
    return None


def _slow_play(spot: Spot) -> tuple[str, Action] | None:
    if spot.street not in (Street.FLOP, Street.TURN) or spot.strength < 0.93:
        return None
    suits = [suit_of(card) for card in spot.observation.board]
    if max(map(suits.count, suits)) >= 3 or len(spot.hand.raisers[spot.street]) > 1:
        return None
    return ("slow_play_check", CHECK) if spot.scenario.to_call == 0 else ("slow_play_call", CALL)


def _blocking_bet(spot: Spot) -> tuple[str, Action] | None:
    if spot.street not in (Street.TURN, Street.RIVER) or not spot.is_free or spot.scenario.is_last:
        return None
    return (
        _bet(spot, "blocking_bet", 0.25) if 0.55 <= spot.strength < 0.8 and spot.scenario.opponents <= 2 else None
    )


def _float(spot: Spot) -> tuple[str, Action] | None:
    """Call in position to bet the turn, which is called a float where there is nothing to call with."""
    if spot.street not in (Street.FLOP, Street.TURN) or spot.scenario.opponents != 1 or not spot.scenario.is_last:
        return None
    has_nothing = holding_of(spot.observation.hole_cards, spot.observation.board) is Holding.NOTHING
    if spot.street is Street.FLOP and len(spot.hand.raisers[Street.FLOP]) == 1 and spot.scenario.to_call:
        is_called = spot.scenario.facing_size <= 1 and spot.strength >= 0.3
        return ("float" if has_nothing else "position_call", CALL) if is_called else None
    has_called = spot.street is Street.TURN and spot.is_free and spot.has(ActionKind.CALL, Street.FLOP)
    return _bet(spot, "float_bet" if has_nothing else "position_bet", 0.65) if has_called else None


def _probe(spot: Spot) -> tuple[str, Action] | None:
    is_weak = spot.raiser not in (None, spot.observation.seat) and not spot.hand.raisers[Street.FLOP]
    if spot.street is not Street.TURN or not spot.is_free or not is_weak or spot.scenario.opponents > 2:
        return None
    return _bet(spot, "probe", 0.5)


def _lead(spot: Spot) -> tuple[str, Action] | None:
    if spot.street is not Street.FLOP or not spot.is_free or spot.raiser in (None, spot.observation.seat):
        return None
    return _bet(spot, "lead", 0.4) if spot.strength >= 0.55 and not spot.hand.checks else None


def _overbet(spot: Spot) -> tuple[str, Action] | None:
    if spot.street not in (Street.TURN, Street.RIVER) or not spot.is_free:
        return None
    if spot.strength >= 0.92:
        return _bet(spot, "overbet", 1.5)
    has_bet = spot.hand.raisers[Street.TURN][-1:] == [spot.observation.seat]
    is_bluff = spot.street is Street.RIVER and spot.strength < 0.3 and has_bet
    return _bet(spot, "overbet_bluff", 1.5) if is_bluff else None


_MOST_OF_STACK = 0.35


def _highest(spot: Spot) -> int:
    return max(view.bet for view in spot.observation.seats)


def _raise_before(spot: Spot, rule: str, target: float) -> tuple[str, Action] | None:
    """Raise to a total before the flop, unless that takes more than a third of the stack or cannot be."""
    legal, me = spot.scenario.legal, spot.observation.me
    if not legal.can_raise:
        return None
    total = min(max(round(target), legal.min_raise_to), legal.max_raise_to)
    return (rule, raise_to(total)) if total - me.bet <= _MOST_OF_STACK * me.stack else None


def _bet(spot: Spot, rule: str, size: float) -> tuple[str, Action] | None:
    if not spot.scenario.legal.can_raise:
        return None
    return rule, raise_to(raise_to_for_pot_fraction(spot.observation, size))


PLAYS: dict[str, Play] = {
    "steal": Play(
        "steals",
        "Nobody has come in, and the player is on or beside the button or in the small blind: the best "
        "45% of hands, heads-up 75%, raise to 2.5 big blinds.",
        _steal,
    ),
    "squeeze": Play(
        "squeezes",
        "One player has raised and others have called: the best 14% raise to four times as much, and half"
        " of it more for each who called.",
        _squeeze,
    ),
    "light three-bet": Play(
        "light 3-bets",
        "A player on or beside the button has raised and nobody called: in late position or a blind the "
        "best 30% but for the best 6% raise to three times as much.",
        _light_three_bet,
    ),
    "limp trap": Play(
        "limps to reraise",
        "The best 3% only call when nobody has raised, and raise to three and a half times as much when "
        "somebody does.",
        _limp_trap,
    ),
    "push": Play(
        "pushes",
        "With 15 big blinds or less the best 35% go all-in where nobody has raised, the best 15% elsewhere.",
        _push,
    ),
    "c-bet": Play(
        "c-bets",
        "Who raised last before the flop bets it against one or two with anything, 55% of the pot.",
        _c_bet,
    ),
    "second barrel": Play(
        "second barrels",
        "After a bet on the flop that one player called, the turn is bet too, 65% of the pot: with a "
        "strong draw, from a strength of 60% on, or with anything if the turn is above the flop.",
        _second_barrel,
    ),
    "check-raise": Play(
        "check-raises",
        "On flop or turn, not last to act, a strength of 82% or a strong draw checks to who raised last, "
        "and raises their bet by the pot.",
        _check_raise,
    ),
    "slow play": Play(
        "slow play",
        "On flop or turn a strength of 93% checks, or calls one bet, unless three cards of the board have"
        " one suit.",
        _slow_play,
    ),
    "blocking bet": Play(
        "blocking bets",
        "On turn or river, before the others act, a strength of 55-80% bets a quarter of the pot against "
        "one or two.",
        _blocking_bet,
    ),
    "float": Play(
        "floats",
        "Last to act against one, a strength of 30% calls a bet of the pot or less on the flop, and bets "
        "65% of the pot on the turn when that is checked.",
        _float,
    ),
    "probe": Play(
        "probes",
        "Another raised last before the flop and nobody bet it: half the pot on the turn, with anything, "
        "against one or two.",
        _probe,
    ),
    "lead": Play(
        "leads",
        "On the flop, before anybody acts, a strength of 55% bets 40% of the pot into who raised last.",
        _lead,
    ),
    "overbet": Play(
        "overbets",
        "On turn or river a strength of 92% bets one and a half pots; on the river also one below 30% "
        "that bet the turn.",
        _overbet,
    ),
}
"""Every play by its name."""


def titles(repertoires: Sequence[Repertoire]) -> tuple[str, ...]:
    """Return what the plays of some repertoires are called, each once, in the order of `PLAYS`."""
    known = {name for repertoire in repertoires for name, _ in repertoire}
    return tuple(play.title for name, play in PLAYS.items() if name in known)
