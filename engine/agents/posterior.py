"""Bayes' rule over an opponent's combos, and how to take its answer apart: what all readers share.

A prediction is Bayes' rule applied once per action (Li et al. 2017, eqs. 12-17), so for any combo or class

    posterior = prior x product over the updates that count of P(action | hand) / P(action)

where P(action) is the mean of P(action | hand) over the range as it was before that action. `posterior_of` puts a
prediction together, `chain_of` takes it apart into these factors, and `engine.agents.explain` words them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Figure, Prediction, RangeUpdate, UnderstoodAction
from engine.cards import COMBO_COUNT, Card, Combo, check_sequence, is_whole, unblocked
from engine.codec import Vector, frozen_vector
from engine.equity.checks import EquityError
from engine.game.events import BoardDealt, PublicEvent
from engine.game.observation import HandView


def posterior_of(prior: Vector, updates: Sequence[RangeUpdate]) -> Vector:
    """Return the normalised product of a prior and the likelihoods that count (Li et al. 2017, eqs. 15-17).

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        Sums to 1, as the prior is not all 0. An update that would leave no hand at all is skipped: what the model
        thought impossible happened, so it says nothing of the hand.
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


def uniform_prior(view: HandView) -> Vector:
    """Return equal weight for every combo that neither the board nor the viewer's hole cards block."""
    live = unblocked((*view.board, *view.own_cards)).astype(np.float64)
    return frozen_vector(live / live.sum())


def effective_combos(weights: NDArray[np.floating]) -> float:
    """Return the effective number of combos: e to the entropy, so n equally likely combos count as n.

    Parameters
    ----------
    weights : ndarray, shape (1326,)
        Not necessarily normalised, none negative.

    Examples
    --------
    >>> round(effective_combos(np.array([0.5, 0.5, 0.0])), 6)
    2.0
    """
    shares = weights[weights > 0].astype(np.float64)
    if not len(shares):
        return 0.0
    shares /= shares.sum()
    return float(np.exp(-(shares @ np.log(shares))))


def boards_at(events: Sequence[PublicEvent]) -> list[tuple[Card, ...]]:
    """Return the board as it was at each event."""
    board: tuple[Card, ...] = ()
    boards = []
    for event in events:
        if isinstance(event, BoardDealt):
            board = board + event.cards
        boards.append(board)
    return boards


def uninformative(action: UnderstoodAction, board: tuple[Card, ...], view: HandView, why: str) -> RangeUpdate:
    """Return the update of an action that says nothing of the hole cards, with a figure that says why."""
    likelihood = frozen_vector(unblocked((*board, *view.own_cards)))
    return RangeUpdate(action, board, likelihood, 1.0, (Figure(why, 1.0, 1.0),))


class FeatureEffect(Struct, frozen=True):
    """What a group of features adds to ln P(action | hand), in nats, against the average hand of the range."""

    name: str
    effect: float


class ChainFactor(Struct, frozen=True):
    """One action's part in a chain.

    Attributes
    ----------
    likelihood : float
        P(action | these combos), 0-1, weighted by the range before; by equal weights where that has none of them.
    mean : float
        The same over the whole range before. 0 if the reader thought that no hand of the range would do this.
    average : float
        The same over all possible hands, each counting alike.
    effects : tuple of FeatureEffect
        The strongest first; empty for readers that have no features.
    counts : bool
        Whether the posterior has this factor: not if a later update stands for it (`RangeUpdate.replaces`), nor if
        no hand of the range would have been left.
    """

    action: UnderstoodAction
    likelihood: float
    mean: float
    average: float
    effects: tuple[FeatureEffect, ...]
    counts: bool

    @property
    def ratio(self) -> float:
        """By how much the action multiplies the probability of the combos; 1 where it does not count."""
        return self.likelihood / self.mean if self.counts else 1.0


class Chain(Struct, frozen=True):
    """The probability of some combos together, from before any action to now.

    Attributes
    ----------
    prior : float
        Their probability, 0-1, before any action; 0 if all are blocked.
    factors : tuple of ChainFactor
        One per update of the prediction, in order.
    posterior : float
        `prior` times `likelihood / mean` of every factor that counts.
    """

    combos: tuple[Combo, ...]
    prior: float
    factors: tuple[ChainFactor, ...]
    posterior: float


Explainer = Callable[[RangeUpdate, Sequence[PublicEvent], Sequence[Combo], Vector], tuple[FeatureEffect, ...]]
"""Says what made P(action | these combos) high or low, from an update, the hand's events, the combos, and the range
before the update (float32, shape (1326,), sums to 1)."""


def _learned_effects(
    update: RangeUpdate, events: Sequence[PublicEvent], combos: Sequence[Combo], before: Vector
) -> tuple[FeatureEffect, ...]:
    from engine.agents.learned.effects import effects_of  # off the start path

    return tuple(FeatureEffect(name, effect) for name, effect in effects_of(update, events, combos, before).items())


EXPLAINERS: dict[str, Explainer] = {"learned": _learned_effects, "learned-fixed": _learned_effects}
"""What explains the likelihoods of a reader, by its registered name; readers without features have nothing here."""


def chain_of(prediction: Prediction, combos: Sequence[Combo], events: Sequence[PublicEvent]) -> Chain:
    """Take the probability of some combos, one or those of a class, apart into prior and likelihoods.

    `events` are those of the hand as the prediction's observer saw it. The posterior is the prediction's, up to
    float32 rounding.

    Raises
    ------
    EquityError
        If there are no combos, one is none, or one stands twice.
    """
    chosen = _checked(combos)
    indices = np.array(chosen, dtype=np.intp)
    explainer = EXPLAINERS.get(prediction.reader)
    replaced = {update.replaces for update in prediction.updates}
    weights = prediction.prior.astype(np.float64)
    possible = weights > 0
    weights /= weights.sum()
    prior = float(weights[indices].sum())
    factors = []
    for index, update in enumerate(prediction.updates):
        likelihood = update.likelihood.astype(np.float64)
        product = weights * likelihood
        mean = min(float(product.sum()), 1.0)  # rounding apart
        counts = index not in replaced and mean > 0
        effects: tuple[FeatureEffect, ...] = ()
        if explainer is not None and counts and prior > 0:
            found = explainer(update, events, chosen, frozen_vector(weights))
            effects = tuple(sorted(found, key=lambda one: -abs(one.effect)))
        here = _mean_of(likelihood, weights, possible, indices)
        factors.append(ChainFactor(update.action, here, mean, float(likelihood[possible].mean()), effects, counts))
        if counts:
            weights = product / mean
    return Chain(chosen, prior, tuple(factors), float(weights[indices].sum()))


def _mean_of(
    likelihood: NDArray[np.float64],
    weights: NDArray[np.float64],
    possible: NDArray[np.bool_],
    indices: NDArray[np.intp],
) -> float:
    """Return the mean likelihood of combos under a range; under equal weights if the range has none of them."""
    here = weights[indices]
    total = float(here.sum())
    if total > 0:
        return min(float(here @ likelihood[indices]) / total, 1.0)
    alike = indices[possible[indices]]
    return float(likelihood[alike if len(alike) else indices].mean())


def _checked(combos: Sequence[Combo]) -> tuple[Combo, ...]:
    check_sequence(combos, "Combos", EquityError)
    if not len(combos):
        raise EquityError("A chain is of at least one combo, and none is given.")
    for combo in combos:
        if not is_whole(combo) or not 0 <= combo < COMBO_COUNT:
            raise EquityError(f"{combo!r} is no combo: combos are numbered 0 to {COMBO_COUNT - 1}.")
    if len(set(combos)) < len(combos):
        raise EquityError("A combo stands twice among those of a chain.")
    return tuple(Combo(int(combo)) for combo in combos)
