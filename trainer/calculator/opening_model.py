"""What the odds calculator is opened with, from what the asker may see and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Prediction, Trace
from engine.agents.reading import amount_to_call, winnable_pot
from engine.cards import Card, HoleCards, format_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    HoleCardsShown,
    PublicEvent,
    Seat,
    start_of,
)
from engine.game.history import HandState
from engine.game.observation import HandView, Observation
from engine.ranges import Range, parse_range
from trainer.history.log_model import LogMoment
from trainer.reading.range_model import RangeAsked, readable
from trainer.session.readings import is_reading_event
from trainer.session.types import PointRanges

ANY_CARDS = "random"
NOBODY_LEFT = "Nobody is left to count odds against."
_FEWEST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class OddsOpening:
    """A question for the calculator; of a range only the ratios of its weights matter.

    `folded` players come last. Amounts are chips before the first player acts, None if they cannot act.
    """

    players: tuple[str | Range, ...]
    names: tuple[str, ...]
    board: tuple[Card, ...] = ()
    folded: tuple[int, ...] = ()
    pot: float | None = None
    to_call: float | None = None
    big_blind: Chips = 1


# ---- points of a hand and decisions -----------------------------------------------------------------------


def opening_of_point(
    point: PointRanges,
    shown: Mapping[Seat, HoleCards] | None = None,
    revealed: Mapping[Seat, HoleCards] | None = None,
) -> OddsOpening | None:
    """Return the player's hand against what they read of all others still in it; None if fewer than two are left.

    Of a watched hand it is what is read of everybody.
    Cards of `shown` replace ranges; `revealed` adds only the cards of players who have folded.
    """
    return _opening(point.observation, point.predictions, shown or {}, revealed or {})


def opening_of_decision(trace: Trace, open_traces: Sequence[Trace]) -> OddsOpening | None:
    """Return a bot's decision as the bot saw it; opponents it does not read hold any two cards.

    Raises SealedError unless the decision is one of `open_traces`.
    """
    if _decision_key(trace) not in map(_decision_key, open_traces):
        raise SealedError("This decision is sealed until the hand is over: it shows the player's cards.")
    return _opening(trace.observation, trace.reading.predictions if trace.reading else (), {}, {})


def _decision_key(trace: Trace) -> tuple[int, Seat, int]:
    observation = trace.observation
    return observation.hand_number, observation.seat, len(observation.events)


class SealedError(ValueError):
    """A bot's decision that the player may not look into; the message is one sentence."""


def _opening(
    observation: HandView,
    predictions: Sequence[Prediction],
    shown: Mapping[Seat, HoleCards],
    revealed: Mapping[Seat, HoleCards],
) -> OddsOpening | None:
    known = {view.seat: view.shown for view in observation.seats if view.shown} | dict(shown)
    dead = (*observation.own_cards, *observation.board)
    read = {one.seat: _range_or_any(one.posterior, dead) for one in predictions}
    me = observation.me
    players: list[str | Range] = []
    names = []
    if me is not None and me.is_live:
        players.append(format_cards(observation.own_cards))
        names.append(me.name)
    for view in observation.opponents:
        cards = known.get(view.seat)
        players.append(format_cards(cards) if cards else read.get(view.seat, ANY_CARDS))
        names.append(view.name)
    if len(players) < _FEWEST_PLAYERS:
        return None
    playing = len(players)
    for view in observation.seats:
        is_own = view.seat == observation.viewer
        seen = observation.own_cards if is_own else known.get(view.seat) or revealed.get(view.seat)
        if view.is_folded and seen:
            players.append(format_cards(seen))
            names.append(view.name)
    folded = tuple(range(playing, len(players)))
    return OddsOpening(
        tuple(players), tuple(names), observation.board, folded, *amounts_of(observation), observation.big_blind
    )


def _range_or_any(weights: NDArray[np.float32], dead: Sequence[Card]) -> str | Range:
    """Return a range; one of every combo that no dead card blocks as any two cards."""
    hands = readable(Range(weights))
    return ANY_CARDS if np.array_equal(hands.weights, parse_range(ANY_CARDS).without(dead).weights) else hands


def amounts_of(observation: HandView) -> tuple[float | None, float | None]:
    """Return pot and call of the viewer, None for what there is not."""
    if not isinstance(observation, Observation) or observation.me.is_folded or not observation.pots:
        return None, None
    to_call = amount_to_call(observation)
    return float(winnable_pot(observation)), float(to_call) if to_call > 0 else None


# ---- one range ----------------------------------------------------------------------------------------------


def opening_of_range(asked: RangeAsked) -> OddsOpening | None:
    """Return the reader's hand against one opponent's range or class; None if folded or no combo is possible."""
    observation = asked.opponent.observation
    if not isinstance(observation, Observation) or not asked.has_odds:
        return None
    return OddsOpening(
        (format_cards(observation.hole_cards), readable(Range(asked.weights))),
        (observation.me.name, asked.opponent.name),
        observation.board,
        (),
        *amounts_of(observation),
    )


# ---- lines of the log ---------------------------------------------------------------------------------------


def observation_of(moment: LogMoment) -> HandView | None:
    """Return what was known at a line of the log, at the last point that can be asked about, or None.

    The reader's own action leads to the moment before it, any other line to the moment after it. Where fewer
    than two are left, it is the moment before the last fold; for lines above the deal, the deal.
    """
    event = moment.events[moment.event_count - 1]
    is_own = moment.own is not None and isinstance(event, ActionTaken) and event.seat == moment.own[0]
    count = _point_at(moment.events, moment.event_count - 1 if is_own else moment.event_count)
    if count is None:
        return None
    hand = HandState.after(moment.events[:count])
    return hand.view() if moment.own is None else hand.observe(*moment.own)


def _point_at(events: Sequence[PublicEvent], wanted: int) -> int | None:
    """Return the last count of events, no more than wanted, that can be read and leaves two; else the first."""
    started = start_of(events)
    left = len(started.seats)
    found: int | None = None
    for count, event in enumerate(events, start=1):
        left -= isinstance(event, ActionTaken) and event.action.kind is ActionKind.FOLD
        if left < _FEWEST_PLAYERS or (found is not None and count > wanted):
            break
        if is_reading_event(started, event):
            found = count
    return found


def shown_at(moment: LogMoment) -> dict[Seat, HoleCards]:
    """Return the cards turned up in the hand, for a line of its showdown or result; none for the lines before."""
    last = max(
        (at for at, event in enumerate(moment.events, 1) if isinstance(event, ActionTaken)),
        default=len(moment.events),
    )
    event = moment.events[moment.event_count - 1]
    if moment.event_count <= last or isinstance(event, BoardDealt):
        return {}  # on a board of a run-out the observation itself says who has shown by then
    return {event.seat: event.hole_cards for event in moment.events if isinstance(event, HoleCardsShown)}
