"""The learned reader: Bayes' rule with likelihoods from networks, shifted by what is known of the player.

    P(combo | actions) ~ P(combo) times the product over his actions of P(action | combo, situation)

One factor per action, so every update can be taken apart (`engine.agents.learned.effects`). The prior is uniform
over the combos that neither the board nor the observer's hole cards block. Where the paper's reader (Li et al.
2017, sec. 4) has street vectors sharper than actions justify, these likelihoods are those of real players.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import GOING_ON, RAISING, Figure, Prediction, RangeUpdate, UnderstoodAction, opponent_of
from engine.agents.fold.predict import uniform_prior
from engine.agents.fold.understand import understand
from engine.agents.learned.adaptation import Adaptation, tilted
from engine.agents.learned.network import Likelihoods, stored_likelihoods
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.cards import COMBO_COUNT, combo_of, unblocked
from engine.codec import frozen_vector
from engine.game.events import HandStarted, HoleCardsShown, PublicEvent, Seat
from engine.game.observation import Observation, SeatView


class LearnedReader:
    """Reads hands by networks trained on real hands, and adapts to the players it meets.

    Parameters
    ----------
    likelihoods : Likelihoods, optional
        Those that ship with the app by default.
    adapts : bool
        Whether earlier hands of a player shift how he is read.

    Raises
    ------
    ResourceError
        If the model that ships with the app is missing or does not fit.
    """

    def __init__(
        self, likelihoods: Likelihoods | None = None, *, adapts: bool = True, name: str = "learned"
    ) -> None:
        self.name = name
        self._likelihoods = likelihoods or stored_likelihoods()
        self._adaptation = Adaptation() if adapts else None
        self._described = lru_cache(maxsize=4)(_described)

    def predict(self, observation: Observation, seat: Seat) -> Prediction:
        """Predict one other seat that was dealt in, whether it has folded or not."""
        return self._predict(observation, opponent_of(observation, seat))

    def read(self, observation: Observation) -> tuple[Prediction, ...]:
        """Predict every opponent still in the hand, in seat order."""
        return tuple(self._predict(observation, view) for view in observation.opponents)

    def learn(self, events: tuple[PublicEvent, ...]) -> None:
        """Learn from every choice of a finished hand; more where the hole cards were shown in the end."""
        if self._adaptation is None:
            return
        start = events[0]
        assert isinstance(start, HandStarted)
        names = {view.seat: view.name for view in start.seats}
        shown = {event.seat: combo_of(*event.hole_cards) for event in events if isinstance(event, HoleCardsShown)}
        ranges: dict[Seat, NDArray[np.float64]] = {}
        for situation in self._described(events)[0]:
            seat = situation.seat
            live = unblocked(situation.board)
            before = ranges.get(seat, np.ones(COMBO_COUNT)) * live
            before /= before.sum()
            choices = self._choices(names[seat], situation)
            if seat in shown:
                combo = slice(shown[seat], shown[seat] + 1)
                self._adaptation.learn(names[seat], situation, choices[combo], np.ones(1))
            else:
                self._adaptation.learn(names[seat], situation, choices, before)
            ranges[seat] = before * choices[:, situation.choice]

    def _predict(self, observation: Observation, view: SeatView) -> Prediction:
        described, understood = self._described(observation.events)
        prior = uniform_prior(observation)
        updates = []
        before = prior.astype(np.float64)
        for situation, action in zip(described, understood, strict=True):
            if situation.seat != view.seat:
                continue
            live = unblocked((*situation.board, *observation.hole_cards))
            likelihood = self._choices(view.name, situation)[:, situation.choice] * live
            # The range as it was, without what the board has blocked since the last action.
            before = before * live
            before /= before.sum()
            mean = float(before @ likelihood)
            updates.append(
                RangeUpdate(
                    action, situation.board, frozen_vector(likelihood), mean, self._figures(view.name, situation)
                )
            )
            before = before * likelihood / mean
        return Prediction(view.seat, self.name, prior, tuple(updates), _posterior(before, prior))

    def _choices(self, name: str, situation: Situation) -> NDArray[np.float64]:
        probabilities = self._likelihoods.probabilities(situation)
        tilt = (
            np.zeros(probabilities.shape[1]) if self._adaptation is None else self._adaptation.tilt(name, situation)
        )
        return tilted(probabilities, tilt)

    def _figures(self, name: str, situation: Situation) -> tuple[Figure, ...]:
        """Give the tilts as factors on the odds, for the trace and its sentences."""
        if self._adaptation is None:
            return ()
        tilt = np.exp(self._adaptation.tilt(name, situation))
        count = float(self._adaptation.choices(name))
        going_on = Figure(GOING_ON, float(tilt[ActionChoice.CALL]), 1.0, count)
        raising = Figure(RAISING, float(tilt[ActionChoice.RAISE_MEDIUM]), 1.0, count)
        return (going_on, raising) if situation.possible[ActionChoice.FOLD] else (raising,)


def _posterior(product: NDArray[np.float64], prior: NDArray[np.float32]) -> NDArray[np.float32]:
    """Narrow the last range to what the prior leaves: board cards that came after the last action block combos."""
    live = product * (prior > 0)
    return frozen_vector(live / live.sum())


def _described(events: tuple[PublicEvent, ...]) -> tuple[Sequence[Situation], Sequence[UnderstoodAction]]:
    return situations(events), understand(events)
