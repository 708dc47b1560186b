"""The learned reader: Bayes' rule with likelihoods from networks, shifted by what is known of the player.

    P(combo | actions) ~ P(combo) times the product over the actions of P(action | combo, situation)

One factor per action, so every update can be taken apart (`engine.agents.learned.effects`). The prior is uniform
over the combos that neither the board nor the observer's hole cards block. Where the paper's reader (Li et al.
2017, sec. 4) has street vectors sharper than actions justify, these likelihoods are those of real players.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import is_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import (
    GOING_ON,
    RAISING,
    Figure,
    KnownPlayer,
    KnownPlayers,
    Prediction,
    RangeUpdate,
    Reader,
    UnderstoodAction,
)
from engine.agents.fold.understand import understand
from engine.agents.learned.adaptation import Adaptation
from engine.agents.learned.beliefs import OF_PEOPLE, Spreads
from engine.agents.learned.folding import BY_SIZE, FACTOR, POWER, ahead_of, can_answer_alone, folding_of, is_open
from engine.agents.learned.network import TableLikelihoods, stored_likelihoods
from engine.agents.learned.situations import CHOICES, ActionChoice, HandFollower, Situation
from engine.agents.learned.tilts import (
    CONTEXTS,
    STAGES,
    WHERE_MOST_FOLD,
    Choice,
    Numbers,
    design,
    design_of,
    leaning_factors,
    stage_of,
    strengths_on,
    tilted,
)
from engine.agents.posterior import boards_at, posterior_of, uniform_prior
from engine.cards import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, Card, Street, combo_of, frozen, unblocked
from engine.codec import Vector
from engine.game.events import Action, HoleCardsShown, PublicEvent, Seat, start_of
from engine.game.observation import HandView, Observation, SeatView


class LearnedReader(Reader):
    """Reads hands by networks trained on real hands, and adapts to the players it meets.

    The likelihoods are by default those that ship with the app; if they are missing or do not fit, it is a
    `ResourceError`. With `adapts`, earlier hands of a player shift how they are read, from what `strangers` are
    expected to be on.
    """

    def __init__(
        self,
        likelihoods: TableLikelihoods | None = None,
        *,
        adapts: bool = True,
        name: str = "learned",
        strangers: Spreads = OF_PEOPLE,
    ) -> None:
        self.name = name
        self._likelihoods = likelihoods or stored_likelihoods()
        self._adaptation = Adaptation(strangers) if adapts else None
        self._hand: _Hand | None = None
        self._chains: dict[tuple[Seat, str, tuple[Card, ...]], _Chain] = {}

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Learn from every choice of a finished hand; more where the hole cards were shown in the end."""
        if self._adaptation is None:
            return
        start = start_of(events)
        names = {view.seat: view.name for view in start.seats}
        shown = {
            event.seat: combo_of(*event.hole_cards)
            for event in events
            if isinstance(event, HoleCardsShown) and event.seat != observer
        }
        ranges: dict[Seat, Numbers] = {}
        described, live = self._described(events)[0], _live(boards_at(events)[-1])
        for seat, combo in shown.items():
            if own := [self._choice(situation) for situation in described if situation.seat == seat]:
                self._adaptation.learn_shown(names[seat], own, live, combo)
        for situation in described:
            seat = situation.seat
            if seat == observer:
                continue
            # Before the flop all combos of a class are alike, and a range is a weight per class.
            is_preflop = situation.street is Street.PREFLOP
            before = ranges.get(seat, _CLASS_SIZES)
            if not is_preflop:
                before = before if before.size == COMBO_COUNT else (before / _CLASS_SIZES)[COMBO_CLASS]
                before = before * _live(situation.board)
            before = before / before.sum()
            choice = self._choice(situation)
            if is_preflop:
                rows = choice.probabilities[_FIRST_COMBOS]
                choice = choice._replace(probabilities=rows, strengths=choice.strengths[_FIRST_COMBOS])
            both = self._adaptation.as_usual_and_unusual(names[seat], choice)
            unusual = self._adaptation.share_of_unusual(names[seat])
            choices = (1 - unusual) * both[0] + unusual * both[1]
            self._adaptation.count(names[seat], situation, before @ choice.probabilities)
            if seat in shown:
                row = COMBO_CLASS[shown[seat]] if is_preflop else shown[seat]
                usual, other = (one[row : row + 1] for one in both)
                self._adaptation.learn(names[seat], choice.with_only(row), (usual, other), np.ones(1))
            else:
                self._adaptation.learn(names[seat], choice, both, before)
            ranges[seat] = before * choices[:, situation.choice]
        self._chains.clear()

    def _choice(self, situation: Situation) -> Choice:
        likelihoods = self._likelihoods.at(situation.seats)
        return Choice(
            situation,
            design_of(situation, likelihoods.tightness(situation)),
            likelihoods.probabilities(situation),
            strengths_on(situation.board),
        )

    def memory(self) -> bytes:
        """Return what it has learned of the players met; b"" if it does not adapt."""
        return self._adaptation.memory() if self._adaptation is not None else b""

    def recall(self, memory: bytes) -> None:
        """Take what another reader has learned in the place of its own."""
        if self._adaptation is not None:
            self._adaptation.recall(memory)
        self._chains.clear()

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what it has learned of each player met; nothing if it does not adapt."""
        return self._adaptation.known_players() if self._adaptation is not None else {}

    def meet(self, players: KnownPlayers) -> None:
        """Begin with what was learned of players in earlier sessions."""
        if self._adaptation is not None:
            self._adaptation.meet(players)
        self._chains.clear()

    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        described, understood = self._described(observation.events)
        if observation.board:  # at the deal, if this is asked for then
            self._likelihoods.at(len(observation.seats)).prepare(observation.board)
        prior = uniform_prior(observation)
        predictions = []
        for view in views:
            actions = [
                (situation, action)
                for situation, action in zip(described, understood, strict=True)
                if situation.seat == view.seat
            ]
            chain = self._chain(observation, view, prior, actions)
            posterior = posterior_of(prior, chain.updates)
            predictions.append(Prediction(view.seat, self.name, prior, tuple(chain.updates), posterior))
        return tuple(predictions)

    def _chain(
        self,
        observation: HandView,
        view: SeatView,
        prior: Vector,
        actions: Sequence[tuple[Situation, UnderstoodAction]],
    ) -> "_Chain":
        """Go on from what is kept of the player, if the board and their earlier actions are those of then."""
        key = (view.seat, view.name, observation.own_cards)
        chain = self._chains.get(key)
        known = len(chain.situations) if chain is not None else 0
        if (
            chain is None
            or chain.board != observation.board
            or known > len(actions)
            or not all(kept is found for kept, (found, _) in zip(chain.situations, actions, strict=False))
        ):
            chain, known = _Chain(observation.board, prior.astype(np.float64), [], []), 0
            if len(self._chains) >= _KEPT_CHAINS:
                self._chains.clear()
            self._chains[key] = chain
        for situation, action in actions[known:]:
            chain.updates.append(self._update(observation, view, situation, action, chain.weights))
            chain.situations.append(situation)
        return chain

    def _update(
        self,
        observation: HandView,
        view: SeatView,
        situation: Situation,
        action: UnderstoodAction,
        weights: Numbers,
    ) -> RangeUpdate:
        """Take one action into a range's weights."""
        live = _live((*situation.board, *observation.own_cards))
        choice = self._choice(situation)
        tilt, leanings = self._tilt(view.name, choice), self.leanings(view.name)[stage_of(situation)]
        exponent = self.sharpness(view.name, situation.street)
        plain = tilted(choice.probabilities, tilt)
        factors = leaning_factors(plain, leanings, choice.strengths)
        # The exponent is for what the networks make of hole cards; leanings are learned beside it.
        likely = plain[:, situation.choice] ** exponent * factors[:, situation.choice]
        likely /= max(float(likely.max()), 1.0)
        likely[~live] = 0
        before = weights[live].sum()
        figures = self._figures(view.name, choice, weights * live / before)
        weights *= likely
        mean = float(weights.sum() / before)
        weights /= weights.sum()
        return RangeUpdate(action, situation.board, frozen(likely.astype(np.float32)), mean, figures)

    def counts(self, name: str) -> Numbers:
        """Return what is counted of a player, as `Adaptation.counts`."""
        return np.zeros((len(CONTEXTS), 2, 3)) if self._adaptation is None else self._adaptation.counts(name)

    def factors(self, name: str) -> Numbers:
        """Return what is known of a player on the odds of each choice.

        Shape (16, 2, 8), by context, whether an overbet is faced, and choice; where most are as tight as usual.
        """
        if self._adaptation is None:
            return np.ones((len(CONTEXTS), 2, CHOICES))
        numbers = self._adaptation.numbers(name)
        tilts: Numbers = np.array(
            [
                [design(context, overbet=overbet) @ numbers for overbet in (False, True)]
                for context in range(len(CONTEXTS))
            ]
        )
        return np.exp(tilts)

    def most_odds_of_folding_to_overbets(self, name: str, context: int) -> float:
        """Return what a player's odds of folding to overbets in a context are over most players', at most.

        That is one standard deviation of what is believed of them above what is expected; 1 without adaptation.
        """
        if self._adaptation is None:
            return 1.0
        going_on = design(context, overbet=True)[ActionChoice.CALL]
        expected = float(going_on @ self._adaptation.numbers(name))
        return float(np.exp(self._adaptation.spread(name, going_on) - expected))

    def looseness_where_most_fold(self, name: str) -> Numbers:
        """Return what `Likelihoods.tightness`, above the usual, adds to a player's log-odds of going on.

        Shape (2,): before the flop if nobody has raised, and if somebody has.
        """
        return np.zeros(2) if self._adaptation is None else self._adaptation.numbers(name)[WHERE_MOST_FOLD]

    def leanings(self, name: str) -> Numbers:
        """Return how much each choice of a player leans to strong hands, as `Adaptation.leanings`."""
        return np.zeros((STAGES, CHOICES)) if self._adaptation is None else self._adaptation.leanings(name)

    def sharpness(self, name: str, street: Street = Street.FLOP) -> float:
        """Return how much hole cards matter to what a player does, over what the networks say.

        It is the exponent of their likelihoods, one before the flop and one after it.
        """
        return (
            1.0
            if self._adaptation is None
            else float(self._adaptation.sharpness(name)[int(street > Street.PREFLOP)])
        )

    def folds_to_bets(self, observation: Observation, predictions: Sequence[Prediction]) -> tuple[Figure, ...]:
        """Return the numbers of `engine.agents.learned.folding` for the only one who can answer a bet.

        Nothing where nobody alone can, and without adaptation.
        """
        if self._adaptation is None or not can_answer_alone(observation):
            return ()
        name, ahead = observation.opponents[0].name, ahead_of(observation, predictions)
        found = folding_of(self._adaptation.folding(name), observation, ahead)
        usual = folding_of(self._adaptation.folding(), observation, ahead)
        count = float(self._adaptation.answers(name))
        names = (FACTOR, POWER, BY_SIZE)
        return tuple(Figure(*figure, count) for figure in zip(names, found, usual, strict=True))

    def learn_answer(
        self, observation: Observation, bet: Action, expected: float, *, ahead: float, did_fold: bool
    ) -> None:
        """Learn from what the only opponent did about a bet, who was expected to fold so often, 0-1.

        The own hand was as far `ahead` as `engine.agents.learned.folding.ahead_of` says.
        """
        if self._adaptation is not None and is_open(expected):
            self._adaptation.learn_answer(observation, bet, expected, ahead=ahead, did_fold=did_fold)

    @property
    def adapts(self) -> bool:
        """Whether earlier hands of a player shift how they are read."""
        return self._adaptation is not None

    @property
    def likelihoods(self) -> TableLikelihoods:
        """The networks at work."""
        return self._likelihoods

    def _tilt(self, name: str | None, choice: Choice) -> Numbers:
        return np.zeros(CHOICES) if self._adaptation is None else self._adaptation.tilt(name, choice.design)

    def _figures(self, player: str, choice: Choice, weights: Numbers) -> tuple[Figure, ...]:
        """Return how much of a range whose weights sum to 1 continues and raises, for the trace."""
        if self._adaptation is None:
            return ()
        odds = np.exp(np.array([self._tilt(name, choice) for name in (player, None)])).T
        every = choice.probabilities @ odds
        figures = []
        for name, first in _FIRST_OF_PART.items():
            own, strangers = weights @ (choice.probabilities[:, first:] @ odds[first:] / every)
            figures.append(Figure(name, float(own), float(strangers), float(self._adaptation.choices(player))))
        return tuple(figures if choice.situation.possible[ActionChoice.FOLD] else figures[1:])

    def _described(self, events: Sequence[PublicEvent]) -> tuple[Sequence[Situation], Sequence[UnderstoodAction]]:
        """Describe the actions of a hand, going on from what was described last if that is this hand."""
        hand = self._hand
        if hand is None or len(hand.events) > len(events) or not all(map(is_, hand.events, events)):
            started = start_of(events)
            hand = self._hand = _Hand(HandFollower(started), (started,), ())
        if len(hand.events) < len(events):
            self._hand = None  # an event that cannot be followed would leave it half described
            for event in events[len(hand.events) :]:
                hand.follower.take(event)
            hand = self._hand = _Hand(hand.follower, tuple(events), understand(events))
        return hand.follower.situations, hand.understood


class _Hand(NamedTuple):
    """A hand as far as it has been described."""

    follower: HandFollower
    events: tuple[PublicEvent, ...]
    understood: tuple[UnderstoodAction, ...]


class _Chain(NamedTuple):
    """What was made of a player's actions while the board was this one; the next action goes on from it."""

    board: tuple[Card, ...]
    weights: Numbers
    situations: list[Situation]
    updates: list[RangeUpdate]


_FIRST_OF_PART = {GOING_ON: ActionChoice.CALL, RAISING: ActionChoice.RAISE_SMALL}
_KEPT_CHAINS = 128
_FIRST_COMBOS = np.unique(COMBO_CLASS, return_index=True)[1]
_CLASS_SIZES = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT).astype(np.float64)


@lru_cache(maxsize=32)
def _live(cards: tuple[Card, ...]) -> NDArray[np.bool_]:
    return unblocked(cards)
