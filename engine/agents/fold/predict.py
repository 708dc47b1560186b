"""Stage 3, prediction of the unknown information: a probability of every combo, per opponent.

One street: P(hand | action) is proportional to P(action | hand) P(hand) (Li et al. 2017, eqs. 12-14); several
streets: the element-wise product of their vectors, normalised (eqs. 15-17). The prior is uniform over the combos
that neither the board nor the observer's hole cards block; the entry rate enters with the first preflop action.

The paper's reader collapses a street into its most aggressive action (sec. 4.1). So an action more aggressive than
the player's earlier ones of that street *replaces* them (`RangeUpdate.replaces`), and one that is not adds
nothing: its update is there, with likelihood 1 for every hand.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from engine.agents.agent import (
    ActionClass,
    Figure,
    KnownPlayer,
    KnownPlayers,
    Prediction,
    RangeUpdate,
    Reader,
    UnderstoodAction,
)
from engine.agents.fold.opponent_model import OpponentModel
from engine.agents.fold.parameters import Parameters, tuned_numbers, with_numbers
from engine.agents.fold.understand import is_more_aggressive, understand
from engine.agents.posterior import boards_at, posterior_of, uniform_prior, uninformative
from engine.cards import Card, Street, unblocked
from engine.codec import Vector, frozen_vector
from engine.game.events import PublicEvent, Seat
from engine.game.observation import HandView, SeatView

_MOST_KEPT = 256
"""Likelihoods that a reader keeps, those of a hand or two: 1.4 MB."""


class PaperReader(Reader):
    """The paper's reader: DFModel with live adaptation, one factor per street."""

    name = "paper"

    def __init__(self, parameters: Parameters) -> None:
        self.model = OpponentModel(parameters)
        self._likelihoods: dict[Hashable, tuple[Vector, tuple[Figure, ...]]] = {}

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Count a finished hand for everybody in it."""
        self._likelihoods.clear()
        self.model.learn(events)

    def memory(self) -> bytes:
        """Return what was counted of every player."""
        return self.model.memory()

    def recall(self, memory: bytes) -> None:
        """Take what another reader counted in the place of its own counts."""
        self._likelihoods.clear()
        self.model.recall(memory)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what was counted of each player."""
        return self.model.known_players()

    def meet(self, players: KnownPlayers) -> None:
        """Begin with what was counted of players in earlier sessions."""
        self._likelihoods.clear()
        self.model.meet(players)

    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        actions = understand(observation.events, after_call=self.model.parameters.options.size_after_call)
        boards = boards_at(observation.events)
        prior = uniform_prior(observation)
        return tuple(
            self._predict(observation, view, prior, [done for done in actions if done.seat == view.seat], boards)
            for view in views
        )

    def _predict(
        self,
        observation: HandView,
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
                updates.append(uninformative(action, board, observation, "already counted in this street"))
                continue
            if action.action_class is ActionClass.FOLD and not action.is_facing_bet:
                updates.append(uninformative(action, board, observation, "folded a free check"))
                continue
            preflop = tuple(done for done in actions[:index] if not done.street)
            likelihood, figures = self._likelihood(observation, view.name, action, board, preflop)
            mean = float(np.dot(before.astype(np.float64), likelihood))
            updates.append(RangeUpdate(action, board, likelihood, mean, figures, earlier))
            standing[action.street] = index
            before = posterior_of(prior, updates)
        return Prediction(view.seat, self.name, prior, tuple(updates), before)

    def _likelihood(
        self,
        observation: HandView,
        name: str,
        action: UnderstoodAction,
        board: tuple[Card, ...],
        earlier: tuple[UnderstoodAction, ...],
    ) -> tuple[Vector, tuple[Figure, ...]]:
        """Return P(action | hand) of the hands that are not blocked; kept until more is learned."""
        key = name, action, board, earlier, len(observation.seats), observation.own_cards
        found = self._likelihoods.get(key)
        if found is None:
            values, figures = self.model.likelihood(name, action, observation.events, board, earlier)
            found = frozen_vector(values * unblocked((*board, *observation.own_cards))), figures
            if len(self._likelihoods) >= _MOST_KEPT:
                self._likelihoods.clear()
            self._likelihoods[key] = found
        return found


class TunedPaperReader(PaperReader):
    """The same model with its open numbers tuned on real hands, `resources/paper_tuned.toml`."""

    name = "paper-tuned"

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(with_numbers(parameters, tuned_numbers()))
