"""Stage 3, prediction of the unknown information: a probability of every combo, per opponent.

One street: P(hand | action) is proportional to P(action | hand) P(hand) (Li et al. 2017, eqs. 12-14); several
streets: the element-wise product of their vectors, normalised (eqs. 15-17). The prior is uniform over the combos
that neither the board nor the observer's hole cards block; the entry rate enters with the first preflop action.

A reader is anything that keeps the `Reader` protocol, registered by name in `READERS`: the paper's, and a uniform
one as a yardstick. `reading` puts any of them to use, for an agent's decision and for a player's panels alike.

The paper's reader collapses a street into its most aggressive action (sec. 4.1). So an action more aggressive than
the player's earlier ones of that street *replaces* them (`RangeUpdate.replaces`), and one that is not adds
nothing: its update is there, with likelihood 1 for every hand.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import (
    ActionClass,
    Estimate,
    Figure,
    Method,
    Outs,
    Prediction,
    RangeUpdate,
    Reader,
    Reading,
    UnderstoodAction,
    opponent_of,
)
from engine.agents.fold.opponent_model import (
    OpponentModel,
    preflop_strengths,
    win_probabilities,
)
from engine.agents.fold.parameters import (
    Parameters,
    PredictionNumbers,
    default_parameters,
    tuned_numbers,
    with_numbers,
)
from engine.agents.fold.understand import is_more_aggressive, understand
from engine.cards import CARD_COUNT, COMBO_CARDS, Card, Street, unblocked
from engine.codec import Vector, frozen_vector
from engine.equity.outs import outs_of_combos, outs_of_hand
from engine.game.events import BoardDealt, PublicEvent, Seat
from engine.game.observation import Observation, SeatView
from engine.strength import STRAIGHT_MASKS


class UnknownReaderError(ValueError):
    """A reader's name that is not registered."""


def posterior_of(prior: Vector, updates: Sequence[RangeUpdate]) -> Vector:
    """Give the normalised product of a prior and the likelihoods that count (Li et al. 2017, eqs. 15-17).

    Parameters
    ----------
    prior : ndarray of float32, shape (1326,)
        Not negative, not all 0.
    updates : sequence of RangeUpdate
        In order; one that a later update replaces does not count.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        Sums to 1. An update that would leave no hand at all is skipped: what the model thought impossible
        happened, so it says nothing of the hand.
    """
    replaced = {update.replaces for update in updates}
    product = np.asarray(prior, dtype=np.float64)
    product = product / product.sum()
    for index, update in enumerate(updates):
        if index in replaced:
            continue
        narrowed = product * update.likelihood
        total = narrowed.sum()
        if total > 0:
            product = narrowed / total
    return frozen_vector(product)


def uniform_prior(observation: Observation) -> Vector:
    """Give equal weight to every combo that neither the board nor the observer's hole cards block."""
    live = unblocked((*observation.board, *observation.hole_cards)).astype(np.float64)
    return frozen_vector(live / live.sum())


def boards_at(events: Sequence[PublicEvent]) -> list[tuple[Card, ...]]:
    """Give the board as it was at each event."""
    board: tuple[Card, ...] = ()
    boards = []
    for event in events:
        if isinstance(event, BoardDealt):
            board = board + event.cards
        boards.append(board)
    return boards


class PaperReader:
    """The paper's reader: DFModel with live adaptation, one factor per street.

    Parameters
    ----------
    parameters : Parameters
    """

    name = "paper"

    def __init__(self, parameters: Parameters) -> None:
        self.model = OpponentModel(parameters)

    def predict(self, observation: Observation, seat: Seat) -> Prediction:
        """Predict one other seat that was dealt in, whether it has folded or not."""
        return self._predict_all(observation, (opponent_of(observation, seat),))[0]

    def read(self, observation: Observation) -> tuple[Prediction, ...]:
        """Predict every opponent still in the hand, in seat order."""
        return self._predict_all(observation, observation.opponents)

    def learn(self, events: tuple[PublicEvent, ...]) -> None:
        """Count a finished hand for everybody in it."""
        self.model.learn(events)

    def memory(self) -> bytes:
        """Give what was counted of every player."""
        return self.model.memory()

    def recall(self, memory: bytes) -> None:
        """Take what another reader counted in the place of its own counts."""
        self.model.recall(memory)

    def _predict_all(self, observation: Observation, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        actions = understand(observation.events)
        boards = boards_at(observation.events)
        prior = uniform_prior(observation)
        return tuple(
            self._predict(observation, view, prior, [done for done in actions if done.seat == view.seat], boards)
            for view in views
        )

    def _predict(
        self,
        observation: Observation,
        view: SeatView,
        prior: Vector,
        actions: Sequence[UnderstoodAction],
        boards: Sequence[tuple[Card, ...]],
    ) -> Prediction:
        updates: list[RangeUpdate] = []
        before = prior
        standing: dict[Street, int] = {}
        for index, action in enumerate(actions):
            board = boards[action.event_index]
            earlier = standing.get(action.street)
            if earlier is not None and not is_more_aggressive(action, actions[earlier]):
                updates.append(_uninformative(action, board, observation, "already counted in this street"))
                continue
            if action.action_class is ActionClass.FOLD and not action.is_facing_bet:
                updates.append(_uninformative(action, board, observation, "folded a free check"))
                continue
            values, figures = self.model.likelihood(
                view.name, action, observation.events, board, [a for a in actions[:index] if not a.street]
            )
            likelihood = frozen_vector(values * unblocked((*board, *observation.hole_cards)))
            mean = float(np.dot(before.astype(np.float64), likelihood))
            updates.append(RangeUpdate(action, board, likelihood, mean, figures, earlier))
            standing[action.street] = index
            before = posterior_of(prior, updates)
        return Prediction(view.seat, self.name, prior, tuple(updates), before)


class TunedPaperReader(PaperReader):
    """The same model with its open numbers tuned on real hands, `resources/paper_tuned.toml`.

    Parameters
    ----------
    parameters : Parameters
        Without their behaviour model and memory.
    """

    name = "paper-tuned"

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(with_numbers(parameters, tuned_numbers()))


class UniformReader:
    """The yardstick: every unblocked combo is equally likely, whatever anybody does.

    Parameters
    ----------
    parameters : Parameters
        Not used; every reader is made alike.
    """

    name = "uniform"

    def __init__(self, parameters: Parameters) -> None:
        del parameters

    def predict(self, observation: Observation, seat: Seat) -> Prediction:
        """Predict one other seat that was dealt in, whether it has folded or not."""
        return self._predict_all(observation, (opponent_of(observation, seat),))[0]

    def read(self, observation: Observation) -> tuple[Prediction, ...]:
        """Predict every opponent still in the hand, in seat order."""
        return self._predict_all(observation, observation.opponents)

    def learn(self, events: tuple[PublicEvent, ...]) -> None:
        """Learn nothing."""

    def _predict_all(self, observation: Observation, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        actions = understand(observation.events)
        boards = boards_at(observation.events)
        prior = uniform_prior(observation)
        return tuple(
            Prediction(
                view.seat,
                self.name,
                prior,
                tuple(
                    _uninformative(action, boards[action.event_index], observation, "not read")
                    for action in actions
                    if action.seat == view.seat
                ),
                prior,
            )
            for view in views
        )


def _uninformative(
    action: UnderstoodAction, board: tuple[Card, ...], observation: Observation, why: str
) -> RangeUpdate:
    likelihood = frozen_vector(unblocked((*board, *observation.hole_cards)))
    return RangeUpdate(action, board, likelihood, 1.0, (Figure(why, 1.0, 1.0),))


def _markov_reader(parameters: Parameters) -> Reader:
    from engine.agents.markov import MarkovReader  # it imports this module

    del parameters
    return MarkovReader()


def _learned_reader(parameters: Parameters) -> Reader:
    from engine.agents.learned.reader import LearnedReader  # it imports this module

    del parameters  # the paper's
    return LearnedReader()


def _fixed_reader(parameters: Parameters) -> Reader:
    from engine.agents.learned.reader import LearnedReader

    del parameters
    return LearnedReader(adapts=False, name="learned-fixed")


READERS: dict[str, Callable[[Parameters], Reader]] = {
    "learned": _learned_reader,
    "learned-fixed": _fixed_reader,
    PaperReader.name: PaperReader,
    TunedPaperReader.name: TunedPaperReader,
    UniformReader.name: UniformReader,
    "markov": _markov_reader,
}
"""Every reader by name."""

DEFAULT_READER = "learned"


def make_reader(name: str = DEFAULT_READER, parameters: Parameters | None = None) -> Reader:
    """Make a reader with an empty memory.

    Raises
    ------
    UnknownReaderError
        If no reader has that name.
    """
    if name not in READERS:
        raise UnknownReaderError(f"There is no reader '{name}'; there are {', '.join(sorted(READERS))}.")
    return READERS[name](parameters or default_parameters())


def outs_of(observation: Observation) -> Outs | None:
    """Return the observer's outs; None before the flop, on the river or if not behind."""
    found = outs_of_hand(observation.hole_cards, observation.board)
    if found is None:
        return None
    unseen, to_come = CARD_COUNT - 2 - len(observation.board), 5 - len(observation.board)
    return Outs(found, 1 - comb(unseen - len(found), to_come) / comb(unseen, to_come))


def _has_straight(ranks: NDArray[np.uint16]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = ((ranks[..., None] & STRAIGHT_MASKS) == STRAIGHT_MASKS).any(axis=-1)
    return found


def _flush_draws(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    """Tell which combos have four to a flush with at least one card of their own."""
    draws = np.zeros(len(COMBO_CARDS), dtype=np.bool_)
    for suit in range(4):
        own = np.equal(COMBO_CARDS & 3, suit).sum(axis=1)
        draws |= (own > 0) & (own + sum(card & 3 == suit for card in board) == 4)
    return draws


def _straight_draws(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    """Tell which combos become a straight of their own with two or more ranks, and are none yet."""
    on_board = np.uint16(sum(1 << rank for rank in {card >> 2 for card in board}))
    ranks = np.bitwise_or.reduce(np.uint16(1) << (COMBO_CARDS >> 2).astype(np.uint16), axis=1) | on_board
    completing = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    for rank in range(13):
        bit = np.uint16(1 << rank)
        if not _has_straight(np.array(on_board | bit)):
            completing += _has_straight(ranks | bit) & ((ranks & bit) == 0)
    draws: NDArray[np.bool_] = (completing >= 2) & ~_has_straight(ranks)
    return draws


@lru_cache(maxsize=64)
def hand_kinds(board: tuple[Card, ...], numbers: PredictionNumbers) -> NDArray[np.int64]:
    """Sort every combo: 0 strong, 1 medium, 2 weak, 3 drawing.

    After the flop strong and medium go by P_win against one uniform hand. Drawing, on flop and turn, are hands
    below strong with at least 8 outs (eq. 29), four to a flush with a card of their own, or an open-ended or
    double gutshot straight draw of their own. Before the flop strong and medium are the best shares of all
    hands, and nothing is drawing.

    Returns
    -------
    ndarray of int64, shape (1326,), read-only
    """
    if not board:
        strengths, strong, medium = preflop_strengths(1), numbers.preflop_strong, numbers.preflop_medium
    else:
        strengths, strong, medium = win_probabilities(board), numbers.strong, numbers.medium
    kinds = np.where(strengths >= strong, 0, np.where(strengths >= medium, 1, 2))
    if len(board) in (3, 4):
        outs = outs_of_combos(board)
        drawing = (outs >= numbers.draw_outs) | _flush_draws(board) | _straight_draws(board)
        kinds = np.where(drawing & (kinds != 0), 3, kinds)
    kinds.setflags(write=False)
    return kinds


class RangeShares(NamedTuple):
    """How much of a range is strong, medium, weak and drawing; sums to 1."""

    strong: float
    medium: float
    weak: float
    drawing: float


def range_shares(posterior: Vector, board: Sequence[Card], parameters: Parameters | None = None) -> RangeShares:
    """Give the shares of strong, medium, weak and drawing hands of a range; `hand_kinds` defines them.

    Parameters
    ----------
    posterior : ndarray of float32, shape (1326,)
        0 for blocked combos, of any positive sum.
    board : sequence of Card
        0, 3, 4 or 5 cards.

    Returns
    -------
    RangeShares
        The first call for a flop takes some milliseconds, later ones some microseconds.
    """
    kinds = hand_kinds(tuple(sorted(board)), (parameters or default_parameters()).prediction)
    shares = np.bincount(kinds, weights=posterior, minlength=4)
    return RangeShares(*(float(share) for share in shares / shares.sum()))


def amount_to_call(observation: Observation) -> int:
    """Give the chips the observer would add to call, also when it is not his turn."""
    me = observation.me
    return min(me.stack, max(view.bet for view in observation.seats) - me.bet)


def winnable_pot(observation: Observation) -> int:
    """Give the chips in the middle that the observer wins if he calls what there is to call and wins.

    What others put in beyond his stack goes back or to a side pot.
    """
    reach = observation.me.committed + amount_to_call(observation)
    return sum(min(view.committed, reach) for view in observation.seats)


def opponents_in(observation: Observation) -> tuple[Seat, ...]:
    """Give the opponents whom a call would meet if nobody else came along, to set its price beside the equity.

    Before the flop they are the live opponents who have matched the highest bet or are all-in: who raised, who
    called the raise, and the big blind as long as nobody has raised. Everybody else has still to put chips in. Most
    of them will fold, and what they have put in is part of the pot already: so the pot odds count their chips, and
    the equity does not count their cards. All of them are taken to fold; how likely each is to come along is not
    weighed. Where nobody has matched the observer's own bet, and after the flop, they are all live opponents.

    Returns
    -------
    tuple of int
        Seats, in rising order.
    """
    live = observation.opponents
    if observation.street is not Street.PREFLOP:
        return tuple(view.seat for view in live)
    highest = max(view.bet for view in observation.seats)
    matched = tuple(view.seat for view in live if view.bet == highest or view.is_all_in)
    return matched or tuple(view.seat for view in live)


def pot_odds_of(observation: Observation) -> float:
    """Give the share of the final pot that a call would cost, 0-1; 0 if there is nothing to call.

    Only chips that the observer can win count.
    """
    to_call = amount_to_call(observation)
    return to_call / (winnable_pot(observation) + to_call) if to_call > 0 else 0.0


def stack_to_pot_ratio(observation: Observation) -> float:
    """Give the effective stack behind over the pot."""
    largest = max((view.stack for view in observation.opponents), default=0)
    return min(observation.me.stack, largest) / max(observation.pot, 1)


def win_rate_of(
    observation: Observation,
    ranges: Sequence[Vector],
    seed: int,
    deals: int,
    *,
    random_deals: int | None = None,
    deadline: float | None = None,
) -> tuple[Estimate, Estimate]:
    """Give the observer's win rate against ranges jointly, and against as many random hands.

    Ties count for their share (Li et al. 2017, algorithm 1). Exact where enumeration is as fast, otherwise
    sampled from the joint distribution of the ranges given that nobody holds a card twice, which drawing one
    opponent after another would not give. `random_deals` are those against random hands where they differ; with a
    deadline (`win_rate`) the win rate against the ranges takes the time that is left.
    """
    from engine.equity.win_rate import win_rate, win_rate_random

    if observation.me.is_folded or not ranges:
        sure = Estimate(0.0 if observation.me.is_folded else 1.0, Method.EXACT)
        return sure, sure
    random = win_rate_random(
        observation.hole_cards, len(ranges), observation.board, deals=random_deals or deals, seed=seed
    )
    against = win_rate(observation.hole_cards, ranges, observation.board, deals=deals, seed=seed, deadline=deadline)
    return (
        Estimate(against.value, against.method, against.stderr, against.count),
        Estimate(random.value, random.method, random.stderr, random.count),
    )


def reading(
    observation: Observation,
    predictions: tuple[Prediction, ...],
    seed: int,
    parameters: Parameters | None = None,
    *,
    deadline: float | None = None,
    deals: int | None = None,
) -> Reading:
    """Return what predictions are worth to the observer: win rates, outs and the price of a call.

    The same function feeds an agent's decision and a player's panels. After the observer has folded the win rates
    are 0; with nobody left against the observer they are 1.

    Parameters
    ----------
    observation : Observation
        At any moment of a hand, the seat's turn or not.
    predictions : tuple of Prediction
        One per opponent still in the hand, as a reader's `read` returns them.
    seed : int
        Of whatever is sampled.
    parameters : Parameters, optional
        Those that ship with the app by default.
    deadline : float, optional
        On the clock of `time.monotonic`: until then a sampled win rate becomes more precise.
    deals : int, optional
        Deals that a sampled win rate takes; those of the parameters by default.

    Returns
    -------
    Reading
    """
    numbers = parameters or default_parameters()
    ranges = [prediction.posterior for prediction in predictions]
    usual = numbers.decision.deals_against(len(ranges))
    against, random = win_rate_of(observation, ranges, seed, deals or usual, random_deals=usual, deadline=deadline)
    return Reading(
        predictions=predictions,
        win_rate=against,
        win_rate_random=random,
        outs=outs_of(observation),
        pot_odds=pot_odds_of(observation),
        spr=stack_to_pot_ratio(observation),
        seed=seed,
    )
