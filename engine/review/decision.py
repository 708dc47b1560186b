"""One decision judged: what every action was worth to who had to act, and what the one taken cost.

Everything is by what its player could see (`engine.game.observation`), against what a learned reader makes of the
opponents at that moment, with players going on as its networks say (`engine.agents.soulread.values`). So a loss is
what the decision cost against *that* reading and *that* model of play. In a tournament the price of risk counts.

*The best of many noisy values is too good*, and that in two ways. On the deals it was chosen on, the best action
was most often lucky: so the deals are cut into two halves, the best action is chosen on each, and what it is worth
more than the one taken is measured on the other half; the loss is the mean of the two. With the same best action
on both that is the difference on all deals. And of many actions the best is most often one that the model of play
is too sure of, one that hardly anybody takes: so an action that is rarer with such a hand than the one taken has
to be worth `_ALLOWANCE` pots more for each factor of e, and only what is beyond that is a loss. A loss is thus
what could be told to be better: in the mean less than the true one rather than more. Single losses may come out
below 0 by noise, which counts in sums and is shown as none.

*Standard errors* hold two things: the luck of the deals, and what the model of play typically errs by. That was
measured where the truth can be had, among styles by rules (`engine.lab.reviews.truth`, docs/review.md): some share
of the standard deviation of what is won after an action, since what the model errs in is how likely each outcome
is. How likely it is that the model of play is right about a table is not known; of real players it may be better.

*Grades* go by the loss over the pot before the decision, less `CLEAR` standard errors of the deals, where the loss
is more than the standard error as a whole; none is a blunder that is not `CLEAR` of these.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import islice
from math import hypot, log, sqrt

from msgspec import Struct

from engine.agents.agent import ActionValue, Prediction, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.value_reasons import CLEAR
from engine.cards import Street
from engine.game.events import FOLD, Action, ActionKind
from engine.game.observation import Observation
from engine.review.spots import Spot, spot_of

_STEPS = {Street.PREFLOP: 12, Street.FLOP: 10, Street.TURN: 12, Street.RIVER: 16}
"""Steps of `values_of`, an even number: 1,300 to 2,000 deals, 0.1 to 0.3 s."""

_ALLOWANCE = 0.1
"""Pots for each factor of e by which an action is rarer than the one taken: the guard of Soulread heads-up.

Measured on Pluribus hands kept apart from training: what was predicted of the actions that players took came true
within its error on every street, but the best of all was predicted to be worth 0.1 pots more after the flop, and
was 9 times as rare.
"""

_RISKED_POTS = 4.0
"""Before the flop a raise of more than so many pots is allowed for as if the pot were that part of the raise."""

_SIZES_BEFORE_THE_FLOP = 0.25
"""Of what another size of a raise is worth, that it has to be worth more: who calls which size is known least."""

LEAST_POT_BB = 4.0
"""What a loss is graded against in a smaller pot, as all are at first: it is larger pots that are played for."""


_MODEL_ERROR = {Street.PREFLOP: 0.075, Street.FLOP: 0.2, Street.TURN: 0.3, Street.RIVER: 0.4}
"""Of the standard deviation of what is won after an action, that the model of play typically errs by."""

_SIZES_ERROR = 0.12
"""The same of two sizes of a raise, which have much in common."""

_ROUNDING_BB = 1e-9
"""What is left of a loss of nothing by adding and subtracting may be as much: the best action has no error."""


class Grade(StrEnum):
    """How good a decision was, the best first."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_good(self) -> bool:
        """Whether nothing can be said against the decision."""
        return self in (Grade.BEST, Grade.FINE)


GRADE_BOUNDS = {Grade.INACCURACY: 0.05, Grade.MISTAKE: 0.15, Grade.BLUNDER: 0.4}
"""From which loss on, in pots (of 4 big blinds or more), a decision is graded so; what is less is fine."""


class ReviewedDecision(Struct, frozen=True, kw_only=True):
    """A decision, what every action was worth, and what the one taken cost.

    Attributes
    ----------
    event_count : int
        Events of the hand before it: its moment is `engine.game.history.observation_at` of so many.
    values : Values
        Of every action, in chips against folding at once; the one taken is among them.
    best : Action
        What could be told to be best on all deals: of those that cannot be told apart what most players do; the one
        taken if nothing else could.
    big_blind : int
        In chips.
    pot_bb : float
        In the middle before the decision, in big blinds.
    loss_bb, stderr : float
        Big blinds that the action taken was worth less than what could be told to be best, and the standard error;
        may be below 0 by noise.
    deals_stderr : float
        The part of the standard error that comes from the luck of the deals.
    """

    event_count: int
    spot: Spot
    action: Action
    values: Values
    best: Action
    big_blind: int
    pot_bb: float
    loss_bb: float
    stderr: float
    deals_stderr: float

    @property
    def is_clear(self) -> bool:
        """Whether the loss is more than noise."""
        return self.loss_bb > max(self.stderr, CLEAR * self.deals_stderr, _ROUNDING_BB)

    @property
    def risk_bb(self) -> float:
        """Big blinds of the loss that are the price of risk, in a tournament, and no chips that are lost."""
        taken, best = self.values.of(self.action), self.values.of(self.best)
        return (taken.risk - best.risk) / self.big_blind if taken is not None and best is not None else 0.0

    def error_of(self, one: ActionValue) -> float:
        """Return the standard error of what an action is worth, in big blinds: of the deals and of the model."""
        model = _MODEL_ERROR[self.spot.street] * one.deviation
        return hypot(one.stderr, model) / self.big_blind

    @property
    def share(self) -> float:
        """The share of the pot that it cost, as far as it is clear of noise; of `LEAST_POT_BB` in a smaller pot."""
        return max(self.loss_bb - CLEAR * self.deals_stderr, 0.0) / max(self.pot_bb, LEAST_POT_BB)

    @property
    def grade(self) -> Grade:
        """How good the decision was."""
        if not self.is_clear:
            return Grade.BEST if self.action == self.best else Grade.FINE
        reached = [grade for grade, bound in GRADE_BOUNDS.items() if self.share >= bound] or [Grade.FINE]
        if reached[-1] is Grade.BLUNDER and self.loss_bb <= CLEAR * self.stderr:
            return Grade.MISTAKE
        return reached[-1]


def reviewed(
    observation: Observation,
    action: Action,
    predictions: Sequence[Prediction],
    reader: LearnedReader,
    seed: int,
) -> ReviewedDecision:
    """Return what a decision cost.

    Parameters
    ----------
    observation : Observation
        Of the player, who is to act.
    action : Action
        What they did; legal, or a fold where checking was free.
    predictions : sequence of Prediction
        What the reader makes of every opponent still in the hand.
    reader : LearnedReader
        What it knows of the opponents decides how they go on.
    seed : int
        The same arguments and seed give the same review.
    """
    half, whole = _values(observation, action, predictions, reader, seed)
    return _judged(half, whole, action, observation)


def every_action_reviewed(
    observation: Observation,
    action: Action,
    predictions: Sequence[Prediction],
    reader: LearnedReader,
    seed: int,
) -> tuple[ReviewedDecision, ...]:
    """Return what each action would have cost, of the same deals; parameters and the time taken as of `reviewed`.

    The actions are those of `ReviewedDecision.values`, and `action` where that is none of them.
    """
    half, whole = _values(observation, action, predictions, reader, seed)
    compared = [one.action for one in whole.actions]
    more = [] if action in compared else [action]
    return tuple(_judged(half, whole, one, observation) for one in (*more, *compared))


def _values(
    observation: Observation,
    action: Action,
    predictions: Sequence[Prediction],
    reader: LearnedReader,
    seed: int,
) -> tuple[Values, Values]:
    """Return what every action is worth on the first half of the deals, and on all of them."""
    from engine.agents.soulread.values import values_of

    also = (action,) if action.kind is ActionKind.RAISE else ()
    steps = _STEPS[observation.street]
    made = list(islice(values_of(observation, predictions, reader, seed, also, gives_up=False), steps))
    return made[steps // 2 - 1], made[-1]


def _judged(half: Values, whole: Values, action: Action, observation: Observation) -> ReviewedDecision:
    best, loss, deals_error = _loss(half, whole, action, observation)
    model_error = _model_error(whole, best, action, observation.street)
    big_blind = observation.big_blind
    return ReviewedDecision(
        event_count=len(observation.events),
        spot=spot_of(observation),
        action=action,
        values=whole,
        best=best,
        big_blind=big_blind,
        pot_bb=observation.pot / big_blind,
        loss_bb=loss / big_blind,
        stderr=hypot(deals_error, model_error) / big_blind,
        deals_stderr=deals_error / big_blind,
    )


def _loss(half: Values, whole: Values, action: Action, observation: Observation) -> tuple[Action, float, float]:
    """Return the best action on all deals, and what the one taken cost, with the error, in chips."""
    # Folding where checking is free is no action that is compared: it is worth 0, like any fold.
    on_all, on_first = ({FOLD: 0.0} | {one.action: one.value for one in of.actions} for of in (whole, half))
    on_second = {one: 2 * value - on_first[one] for one, value in on_all.items()}
    against = {one.action: one.risk + _allowance(one, whole.of(action), observation) for one in whole.actions}
    taken = whole.of(action)
    paid = taken.risk if taken is not None else 0.0

    def lead(one: Action, values: Mapping[Action, float]) -> float:
        return values[one] - against[one] - values[action] + paid

    def best_on(values: Mapping[Action, float]) -> Action:
        return max(against, key=lambda one: lead(one, values))

    def is_near(one: Action, best: Action) -> bool:
        return lead(best, on_all) - lead(one, on_all) <= CLEAR * _error_between(whole, best, one)

    first, second = best_on(on_first), best_on(on_second)
    loss = (lead(first, on_second) + lead(second, on_first)) / 2
    errors = [_error_between(whole, chosen, action) for chosen in (first, second)]
    best = best_on(on_all)
    if action not in against or not is_near(action, best):
        # Of those that cannot be told apart what most players do, rather than what happened to come out best.
        best = max((one for one in whole.actions if is_near(one.action, best)), key=lambda one: one.usual).action
    return best, loss, hypot(*errors) / sqrt(2)


def _allowance(one: ActionValue, taken: ActionValue | None, observation: Observation) -> float:
    """Return the chips that an action has to be worth more than the one taken, as a rarer one or another size."""
    if taken is None or one is taken:
        return 0.0
    at_risk, allowed = float(observation.pot), 0.0
    if observation.street is Street.PREFLOP:
        at_risk = max(at_risk, one.value, (one.action.raise_to - observation.me.bet) / _RISKED_POTS)
        if one.action.kind is taken.action.kind is ActionKind.RAISE:
            allowed = _SIZES_BEFORE_THE_FLOP * at_risk
    return allowed + _ALLOWANCE * at_risk * max(log(taken.usual / one.usual), 0.0)


def _model_error(values: Values, one: Action, other: Action, street: Street) -> float:
    """Return what the model of play typically errs by in how much more one action is worth, in chips."""
    if one == other:
        return 0.0
    found = [value.deviation for value in map(values.of, (one, other)) if value is not None]
    share = _SIZES_ERROR if one.kind is other.kind else _MODEL_ERROR[street]
    return share * hypot(*found)


def _error_between(values: Values, one: Action, other: Action) -> float:
    found, against = values.of(one), values.of(other)
    assert found is not None
    return found.stderr if against is None else values.error_between(found, against)
