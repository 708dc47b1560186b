"""Five players who play as people do: each knows some plays by name, and changes how it plays by what happens.

A mood is a temper and the plays that come before it. Which one a player is in follows from what everybody has seen
of finished hands, and from nothing that was drawn; the figure that names the mood is in each trace, so that a
decision can be made again from there.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct, structs

from engine.agents.agent import Figure, Trace
from engine.agents.fold.opponent_model import shrink
from engine.agents.rule_based.plays import Repertoire, play_from, titles
from engine.agents.rule_based.rule_agent import stack_over_average
from engine.agents.rule_based.ruling import Remembering, RulePlayer, Ruling, figure_of
from engine.agents.rule_based.temper import Temper, play_by
from engine.agents.rule_based.tempers import TEMPERS, TIGHT_AGGRESSIVE
from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken, net_of, start_of
from engine.game.observation import Observation


class Mood(Struct, frozen=True):
    """How a player plays for a while: a temper, and plays that come before it."""

    temper: Temper
    plays: Repertoire


def mood_ruling(moods: Mapping[str, Mood], observation: Observation, seed: int, named: Figure) -> Ruling:
    """Return what a player does in the mood that a figure names."""
    mood = moods[named.name]
    ruling = play_from(mood.plays, observation, seed) or play_by(mood.temper, observation, seed)
    rule, action, figures = ruling
    return rule, action, (*figures, named)


class Person(RulePlayer, ABC):
    """A player with moods."""

    moods: ClassVar[Mapping[str, Mood]]
    """By the figure that names each."""

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        return mood_ruling(self.moods, observation, seed, self._mood(observation))

    @abstractmethod
    def _mood(self, observation: Observation) -> Figure:
        """Return the figure of the mood in force."""

    @classmethod
    def plays(cls) -> tuple[str, ...]:
        """Return what the plays are called that the player knows."""
        return titles([mood.plays for mood in cls.moods.values()])


# By time

LOW_GEAR, HIGH_GEAR = "hands left in low gear", "hands left in high gear"
_LOW_HANDS, _HIGH_HANDS = 24, 16


class GearChanger(Person, Remembering[int]):
    """Plays 24 hands soundly, then 16 hands fast, and so on."""

    style = "gear changer"
    moods: ClassVar[Mapping[str, Mood]] = {
        LOW_GEAR: Mood(TIGHT_AGGRESSIVE, (("c-bet", 0.6), ("steal", 0.4))),
        HIGH_GEAR: Mood(
            TEMPERS["loose-aggressive"][0],
            (("steal", 1.0), ("light three-bet", 0.5), ("c-bet", 0.9), ("second barrel", 0.7)),
        ),
    }

    def __init__(self) -> None:
        super().__init__(0)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count the hand."""
        self._state += 1

    def _mood(self, observation: Observation) -> Figure:
        at = self._state % (_LOW_HANDS + _HIGH_HANDS)
        if at < _LOW_HANDS:
            return figure_of(LOW_GEAR, _LOW_HANDS - at)
        return figure_of(HIGH_GEAR, _LOW_HANDS + _HIGH_HANDS - at)


# By losses

CALM, ON_TILT = "hands since a big loss", "hands left on tilt"
_BIG_LOSS_BB, _TILTED_HANDS = 20.0, 12


class _Temperature(Struct, frozen=True):
    """Hands since a big loss, and hands left on tilt."""

    calm: int = 0
    tilted: int = 0


class Tilter(Person, Remembering[_Temperature]):
    """Waits and traps; for 12 hands after losing 20 big blinds or more in a hand, raises with nearly anything."""

    style = "tilter"
    moods: ClassVar[Mapping[str, Mood]] = {
        CALM: Mood(TEMPERS["tight-passive"][0], (("slow play", 0.7), ("blocking bet", 0.7))),
        ON_TILT: Mood(TEMPERS["maniac"][0], (("lead", 0.7), ("overbet", 0.8))),
    }

    def __init__(self) -> None:
        super().__init__(_Temperature())

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Go on tilt after a big loss, cool down after other hands."""
        now = self._state
        if net_of(observation.events)[observation.seat] <= -_BIG_LOSS_BB * observation.big_blind:
            self._state = _Temperature(0, _TILTED_HANDS)
        else:
            self._state = _Temperature(now.calm + 1, max(now.tilted - 1, 0))

    def _mood(self, observation: Observation) -> Figure:
        now = self._state
        return figure_of(ON_TILT, now.tilted) if now.tilted else figure_of(CALM, now.calm)


# By what opponents do

TRAPPING, VALUE_BETTING = "share of chances they bet, trapping", "share of chances they bet, betting"
_USUAL_BETS, _USUAL_WEIGHT = 0.4, 10.0
_TRAPS_FROM = 0.42
_FORGETS = 0.97  # what is left of a count after each hand

_QUIET = structs.replace(TIGHT_AGGRESSIVE, raised=0.55, call_raise=0.18, three_bet=0.02, bluff=0.05)
"""Tight-aggressive, but calls before the flop where others raise."""


class _Seen(Struct, frozen=True):
    """How often opponents bet after the flop when nobody had, of how many chances; older hands count less."""

    bets: float = 0.0
    chances: float = 0.0


class Trapper(Person, Remembering[_Seen]):
    """Traps opponents who bet often and bets into those who do not, as they have done in the hands before."""

    style = "trapper"
    moods: ClassVar[Mapping[str, Mood]] = {
        TRAPPING: Mood(
            structs.replace(_QUIET, bluff=0.0, semi_bluff=0.1),
            (("limp trap", 0.9), ("check-raise", 0.9), ("slow play", 0.9)),
        ),
        VALUE_BETTING: Mood(_QUIET, (("c-bet", 0.8), ("blocking bet", 0.7), ("overbet", 0.5))),
    }

    def __init__(self) -> None:
        super().__init__(_Seen())

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count what opponents did when they could have bet."""
        chances = [
            event.action.kind is ActionKind.RAISE
            for event in observation.events
            if isinstance(event, ActionTaken)
            and event.seat != observation.seat
            and event.street is not Street.PREFLOP
            and not event.to_call
        ]
        before = self._state
        self._state = _Seen(_FORGETS * before.bets + sum(chances), _FORGETS * before.chances + len(chances))

    def _mood(self, observation: Observation) -> Figure:
        seen = self._state
        share = shrink(_USUAL_BETS, _USUAL_WEIGHT, seen.bets, seen.chances)
        return Figure(
            TRAPPING if share >= _TRAPS_FROM else VALUE_BETTING, share, _USUAL_BETS, round(seen.chances, 1)
        )


# By stack

SHORT_STACK, BIG_STACK, EVEN_STACK = (
    "big blinds, a short stack",
    "average stacks, a big one",
    "average stacks, no big one",
)
_SHORT_BB, _BIG = 15.0, 1.5


class StackPlayer(Person):
    """Pushes when short, leans on everybody with one and a half average stacks, and waits in between."""

    style = "stack player"
    moods: ClassVar[Mapping[str, Mood]] = {
        SHORT_STACK: Mood(TIGHT_AGGRESSIVE, (("push", 1.0),)),
        BIG_STACK: Mood(
            TEMPERS["loose-aggressive"][0],
            (("steal", 1.0), ("squeeze", 0.8), ("light three-bet", 0.4), ("c-bet", 0.9), ("second barrel", 0.8)),
        ),
        EVEN_STACK: Mood(TEMPERS["nit"][0], (("squeeze", 0.4), ("c-bet", 0.6), ("check-raise", 0.4))),
    }

    def _mood(self, observation: Observation) -> Figure:
        started = start_of(observation.events)
        (stack,) = (start.stack for start in started.seats if start.seat == observation.seat)
        depth, over = stack / observation.big_blind, stack_over_average(observation)
        if depth <= _SHORT_BB:
            return figure_of(SHORT_STACK, depth)
        return figure_of(BIG_STACK if over >= _BIG else EVEN_STACK, over)


# By what became of its bluffs

BLUFFING, STRAIGHT = "bets that went wrong in a row", "hands left without bluffs"
_MOST_WRONG, _STRAIGHT_HANDS = 2, 20


class _Nerve(Struct, frozen=True):
    """Late bets in a row that lost the hand, and hands left without bluffs."""

    wrong: int = 0
    straight: int = 0


class Floater(Person, Remembering[_Nerve]):
    """Floats, probes and steals until two late bets in a row have lost; then plays 20 hands without bluffs."""

    style = "floater"
    moods: ClassVar[Mapping[str, Mood]] = {
        BLUFFING: Mood(
            TEMPERS["loose-aggressive"][0], (("steal", 0.8), ("float", 0.7), ("probe", 0.8), ("c-bet", 0.7))
        ),
        STRAIGHT: Mood(TEMPERS["tight-passive"][0], (("blocking bet", 0.7),)),
    }

    def __init__(self) -> None:
        super().__init__(_Nerve())

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Note what became of a bet on turn or river."""
        now = _Nerve(self._state.wrong, max(self._state.straight - 1, 0))
        has_bet = any(
            isinstance(event, ActionTaken)
            and event.seat == observation.seat
            and event.street in (Street.TURN, Street.RIVER)
            and event.action.kind is ActionKind.RAISE
            for event in observation.events
        )
        if has_bet and not now.straight:
            wrong = now.wrong + 1 if net_of(observation.events)[observation.seat] < 0 else 0
            now = _Nerve(0, _STRAIGHT_HANDS) if wrong == _MOST_WRONG else _Nerve(wrong, 0)
        self._state = now

    def _mood(self, observation: Observation) -> Figure:
        now = self._state
        return figure_of(STRAIGHT, now.straight) if now.straight else figure_of(BLUFFING, now.wrong)


PEOPLE: dict[str, type[Person]] = {
    person.style: person for person in (GearChanger, Tilter, Trapper, StackPlayer, Floater)
}
"""The five by the names of their styles."""
