"""The opponents of the ensemble paper: points of two axes, how many hands are played and how aggressively.

A point is a `Temper`, so the eight styles O1 to O8 and whatever lies between them go by the same rules. The same
share of hands is played with any number of seats, from all positions, and for a raise as for the blinds: the share
is that of hands gone on with where going on costs something. From the passive end to the aggressive one hands are
raised and not called, bets and raises after the flop begin with weaker hands and are bluffs more often, and fewer
hands call.

The paper states both axes and nothing more; these rules are ours.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from msgspec import Struct

from engine.agents.agent import Figure, Trace
from engine.agents.rule_based.ruling import Remembering, RulePlayer, Ruling, figure_of
from engine.agents.rule_based.temper import Temper, play_by
from engine.cards import Card
from engine.game.events import Seat
from engine.game.observation import Observation

HANDS_OF_A_POINT = 500
"""So many hands are played by one point before another is drawn."""

PLAYED_NOW, AGGRESSION_NOW, HANDS_LEFT = "share of hands played now", "aggression now", "hands by this until a draw"
"""Names of the figures by which a player who draws points knows the one in force."""


class Point(Struct, frozen=True):
    """A point of the pool's space: the share of hands played, 0-1, and aggression from 0, passive, to 1."""

    played: float
    aggression: float


EXTREMELY_PASSIVE, FAIRLY_PASSIVE, FAIRLY_AGGRESSIVE, EXTREMELY_AGGRESSIVE = 0.0, 0.25, 0.6, 1.0

POOL: dict[str, Point] = {
    "o1": Point(0.7, EXTREMELY_PASSIVE),
    "o2": Point(0.7, EXTREMELY_AGGRESSIVE),
    "o3": Point(0.1, EXTREMELY_PASSIVE),
    "o4": Point(0.1, EXTREMELY_AGGRESSIVE),
    "o5": Point(0.5, FAIRLY_PASSIVE),
    "o6": Point(0.5, FAIRLY_AGGRESSIVE),
    "o7": Point(0.3, FAIRLY_PASSIVE),
    "o8": Point(0.3, FAIRLY_AGGRESSIVE),
}
"""The eight styles; shares and words are the paper's, the place of each word between 0 and 1 is ours."""

_LEAST, _MOST = 0.1, 0.7
"""Shares of hands between which points are drawn: those of the pool's corners."""


def temper_at(point: Point) -> Temper:
    """Return the numbers of the player at a point."""
    played, aggression = point.played, point.aggression
    reraised = played * (0.02 + 0.58 * aggression**2)
    return Temper(
        early=played,
        middle=played,
        late=played,
        blinds=played,
        raised=0.04 + 0.92 * aggression,
        call_raise=played,
        three_bet=reraised,
        call_three_bet=played * (0.6 - 0.2 * aggression),
        four_bet=0.4 * reraised,
        stack_off=0.3 * played,
        open_bb=2.5 + 0.5 * aggression,
        bet=0.88 - 0.4 * aggression,
        raise_=0.975 - 0.3 * aggression**1.5,
        call_floor=0.42 - 0.25 * played + 0.05 * aggression,
        call_slope=0.6,
        bluff=0.9 * aggression**3,
        semi_bluff=1.5 * aggression**2,
        bet_size=0.5 + 0.35 * aggression,
        is_same_at_all_tables=True,
    )


class _Wandering(Struct, frozen=True):
    """How many hands were played by the point in force; none is before the first hand."""

    hands: int = 0
    point: Point | None = None


class PoolWanderer(RulePlayer, Remembering[_Wandering]):
    """A player who draws a point of the pool's space every `HANDS_OF_A_POINT` hands and plays by it.

    The draw is made of number and button of the first of these hands, of the seat and of its own hole cards: the
    same cards, and so the same seed of a session, give the same points again, whoever else plays.
    """

    style = "o-random"

    def __init__(self) -> None:
        super().__init__(_Wandering())

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        point, left = self._point(observation), HANDS_OF_A_POINT - self._state.hands
        figures = (
            figure_of(PLAYED_NOW, point.played),
            figure_of(AGGRESSION_NOW, point.aggression),
            figure_of(HANDS_LEFT, left),
        )
        return wandering_ruling(observation, seed, figures)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count the hand; with the last one by a point, forget the point."""
        hands = self._state.hands + 1
        is_last = hands == HANDS_OF_A_POINT
        self._state = _Wandering() if is_last else _Wandering(hands, self._point(observation))

    def _point(self, observation: Observation) -> Point:
        return self._state.point or _drawn(observation)


def _drawn(observation: Observation) -> Point:
    return drawn_point(observation.hand_number, observation.button, observation.seat, observation.hole_cards)


def drawn_point(hand_number: int, button: Seat, seat: Seat, hole_cards: Iterable[Card]) -> Point:
    """Return the point that a player in a seat draws in a hand, the first of those that are played by it."""
    numbers = (hand_number, button, seat, *sorted(hole_cards))
    seed = blake2b(b"".join(int(number).to_bytes(8, "little") for number in numbers), digest_size=16).digest()
    played, aggression = np.random.default_rng(int.from_bytes(seed, "little")).random(2)
    return Point(_LEAST + (_MOST - _LEAST) * float(played), float(aggression))


def wandering_ruling(observation: Observation, seed: int, figures: tuple[Figure, ...]) -> Ruling:
    """Return what a player does by the point that these figures name."""
    values = {figure.name: figure.value for figure in figures}
    temper = temper_at(Point(values[PLAYED_NOW], values[AGGRESSION_NOW]))
    rule, action, used = play_by(temper, observation, seed)
    return rule, action, (*used, *figures)
