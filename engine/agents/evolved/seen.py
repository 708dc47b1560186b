"""A hand as an evolved policy sees it: the path through its tree, and the game at each of its own decisions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.fold.opponent_model import preflop_strengths, win_probabilities
from engine.cards import Card, HoleCards, Street, combo_of
from engine.game.events import ActionKind, ActionTaken, Chips
from engine.game.history import HandState, moments
from engine.game.observation import Observation, SeatView

SEATS = 2


class PolicySeatsError(ValueError):
    """A table that no evolved policy plays at; the message says why."""


class Spot(NamedTuple):
    """One of the owner's decisions.

    Attributes
    ----------
    length : int
        How many decisions, of both players, came before it in the hand.
    street : int
    cards : ndarray of float64, shape (3,)
    chips : ndarray of int64, shape (4,)
        As of `engine.kernels.evolved.hands.game_features`.
    """

    length: int
    street: int
    cards: NDArray[np.float64]
    chips: NDArray[np.int64]


class SeenHand(NamedTuple):
    """A hand so far: the path of `learn_path`, its length, the root, and the owner's decisions, one due now too."""

    path: NDArray[np.int64]
    length: int
    root: int
    spots: tuple[Spot, ...]


def see(observation: Observation) -> SeenHand:
    """Return what a policy sees of a hand.

    Raises
    ------
    PolicySeatsError
        If more than two players are dealt in.
    """
    from engine.kernels.evolved.tree import BIG_BLIND_ROOT, MOST_PATH, SMALL_BLIND_ROOT

    if len(observation.seats) != SEATS:
        raise PolicySeatsError(
            f"Evolved policies play heads-up, and {len(observation.seats)} players are dealt in."
        )
    own, is_big_blind = observation.seat, observation.button != observation.seat
    path, length, spots = np.zeros((MOST_PATH, 2), np.int64), 0, []
    for event, hand in moments(observation.events):
        if not isinstance(event, ActionTaken):
            continue
        if event.seat == own:
            spots.append(_spot(length, observation, hand))
        if length < MOST_PATH:
            stage = event.street + 4 * is_big_blind
            path[length] = _action(event), 2 * stage + (event.seat != own)
            length += 1
    if observation.to_act == own:
        hand = HandState.after(observation.events)
        spots.append(_spot(length, observation, hand))
    return SeenHand(path, length, BIG_BLIND_ROOT if is_big_blind else SMALL_BLIND_ROOT, tuple(spots))


def _action(event: ActionTaken) -> int:
    """Return the action of the tree that an event is."""
    from engine.kernels.evolved.tree import FOLD_ACTION, PASSIVE_ACTION, action_of_size

    if event.action.kind is not ActionKind.RAISE:
        return FOLD_ACTION if event.action.kind is ActionKind.FOLD else PASSIVE_ACTION
    return action_of_size(event.action.raise_to - event.bet - event.to_call, event.pot + event.to_call)


def _spot(length: int, observation: Observation, hand: HandState) -> Spot:
    """Return the owner's decision at a moment of the hand."""
    own = hand.seats[observation.seat]
    other = next(state for seat, state in hand.seats.items() if seat != observation.seat)
    whole = min(state.stack + state.committed for state in (own, other))
    chips: tuple[Chips, ...] = (other.committed, own.committed, whole, observation.big_blind)
    cards = _cards(observation.hole_cards, hand.board)
    return Spot(length, int(hand.street), cards, np.array(chips, np.int64))


def _cards(hole_cards: HoleCards, board: tuple[Card, ...]) -> NDArray[np.float64]:
    """Return the chance of a straight or flush, pairs on the board, and the strength of the hand."""
    if not board:
        share = 1 - preflop_strengths(SEATS - 1)[combo_of(*hole_cards)]
        return np.array([0.0, 0.0, 1.0 - share])
    from engine.kernels.evaluator import tables
    from engine.kernels.evolved.boards import pairs_on, straight_or_flush

    dealt = np.array(board, np.uint8)
    # The kernels of many hands have it in single precision.
    chance = np.float32(straight_or_flush(tables(), np.array(hole_cards, np.uint8), dealt))
    return np.array([chance, pairs_on(dealt), strength_on(hole_cards, board)])


def strength_on(hole_cards: HoleCards, board: Sequence[Card]) -> float:
    """Return the equity of a hand against a random one on a board of three to five cards."""
    return float(win_probabilities(tuple(sorted(board)))[combo_of(*hole_cards)])


def ending(observation: Observation) -> tuple[int, float]:
    """Return how a finished hand ended, and the strength of the hand that the opponent showed: see `learn_path`."""
    from engine.kernels.evolved.tree import FOLDS_BELOW, SHOWDOWNS, SHOWN, VISITS

    other = opponent_of(observation)
    if observation.me.is_folded:
        return VISITS, 0.0
    if other.is_folded:
        return FOLDS_BELOW, 0.0
    if other.shown is None or observation.street is not Street.RIVER:
        return SHOWDOWNS, 0.0
    return SHOWN, strength_on(other.shown, observation.board)


def opponent_of(observation: Observation) -> SeatView:
    """Return the other player of a heads-up hand."""
    return next(view for view in observation.seats if view.seat != observation.seat)
