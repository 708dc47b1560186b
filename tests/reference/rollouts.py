"""Hands played out after the flop by the networks, one choice after another: the rules' table, numpy, no kernel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.network import TableLikelihoods
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.agents.learned.tilts import CONTEXTS, context_of
from engine.cards import CARD_COUNT, Card, Combo, Street, cards_of, combo_of, unblocked
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionTaken,
    HandStarted,
    Posted,
    PostKind,
    Seat,
    raise_to,
    start_of,
)
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table

Numbers = NDArray[np.float64]

SIZES = {ActionChoice.RAISE_SMALL: 0.33, ActionChoice.RAISE_MEDIUM: 0.5, ActionChoice.RAISE_LARGE: 0.75}
SIZES[ActionChoice.RAISE_HUGE] = 1.1


class Dealt(NamedTuple):
    """A hand with all its cards, so many actions on."""

    started: HandStarted
    rules: TableRules
    deck: tuple[Card, ...]
    actions: tuple[Action, ...]

    def after(self, action: Action) -> "Dealt":
        """Return the hand one action on."""
        return self._replace(actions=(*self.actions, action))

    def table(self) -> Table:
        """Return it at a table of its own."""
        started = self.started
        table = Table(
            hand_number=started.hand_number,
            kind=started.kind,
            seats=started.seats,
            button=started.button,
            rules=self.rules,
            deck=self.deck,
        )
        for action in self.actions:
            table.apply(action)
        return table


@dataclass
class PlainPlay:
    """How everybody goes on; factors, shape (16, 2, 8), and leanings, shape (3, 8), of some seats.

    Some are drawn so far to what their range, shape (1326,), does in the mean. Branches less likely than
    `drawn_below` in all are not all followed, but one of them drawn.
    """

    likelihoods: TableLikelihoods
    factors: Mapping[Seat, Numbers] = field(default_factory=dict)
    leanings: Mapping[Seat, Numbers] = field(default_factory=dict)
    sharpness: Mapping[Seat, tuple[float, Numbers]] = field(default_factory=dict)
    drawn_below: float = 0.04

    def choices(self, table: Table, observation: Observation) -> Numbers:
        """Return P(choice) of the observer, who is to act, shape (8,); the table goes on by a check or call."""
        seat, legal = observation.seat, observation.legal
        assert legal is not None
        table.apply(CHECK if legal.can_check else CALL)
        (*_, situation) = situations(table.events)
        combo = combo_of(*observation.hole_cards)
        possible = situation.possible.copy()
        possible[ActionChoice.RAISE_SMALL :] &= legal.can_raise
        strength = float(shares_weaker(situation.board)[combo])
        odds = np.exp(self._numbers(situation, combo, seat)) * possible
        price = legal.call_amount / (observation.pot - legal.call_amount)
        odds *= self.factors.get(seat, np.ones((len(CONTEXTS), 2, 8)))[context_of(situation), int(price > 1.2)]
        shares = np.where(np.arange(8) < ActionChoice.RAISE_HUGE, strength, strength**2)
        odds *= np.exp(self.leanings.get(seat, np.zeros((3, 8)))[2] * (shares + shares**4 - 1))
        odds[0] *= soundness(price, strength)
        return np.asarray(odds / odds.sum())

    def _numbers(self, situation: Situation, combo: int, seat: Seat) -> Numbers:
        likelihoods = self.likelihoods.at(situation.seats)
        network = likelihoods.networks.postflop
        rows, kinds = likelihoods.first_layer(situation.board)
        known = np.clip(situation.features, network.lowest, network.highest)
        row = rows[kinds[combo]]
        if seat in self.sharpness:
            sharpness, weights = self.sharpness[seat]
            mean = np.average(rows[kinds], axis=0, weights=weights * unblocked(situation.board))
            row = (1 - sharpness) * mean + sharpness * row
        first = np.maximum(row + known @ network.situation + network.first_bias, 0)
        second = np.maximum(first @ network.hidden + network.second_bias, 0)
        return np.asarray(second @ network.output + network.output_bias, np.float64)

    def results(self, hand: Dealt, hero: Seat, rng: np.random.Generator) -> Numbers:
        """Return hero's mean chips at the end, and the probability that all fold before hero acts again."""
        street = hand.table().observe(hero).street
        return self._results(hand, hero, rng, 1.0, street)

    def _results(
        self, hand: Dealt, hero: Seat, rng: np.random.Generator, weight: float, unanswered_on: Street | None
    ) -> Numbers:
        table = hand.table()
        seat, seen = table.to_act, table.observe(hero)
        if seat is None:
            is_won = seen.street == unanswered_on and all(
                view.is_folded for view in seen.seats if view.seat != hero
            )
            return np.array([seen.me.stack, float(is_won)])
        observation = table.observe(seat)
        choices = self.choices(table, observation)
        if weight < self.drawn_below:
            followed = [(int(rng.choice(8, p=choices)), 1.0)]
        else:
            followed = [(choice, share) for choice, share in enumerate(choices.tolist()) if share]
        unanswered_on = None if seat == hero else unanswered_on
        found = np.zeros(2)
        for choice, share in followed:
            after = hand.after(self._action(observation, ActionChoice(choice)))
            found += share * self._results(after, hero, rng, weight * share, unanswered_on)
        return found

    def _action(self, observation: Observation, choice: ActionChoice) -> Action:
        legal = observation.legal
        assert legal is not None
        if choice <= ActionChoice.CALL:
            return (FOLD, CHECK, CALL)[choice]
        if choice is ActionChoice.ALL_IN:
            return raise_to(legal.max_raise_to)
        after_call = observation.pot + legal.call_amount
        total = int(observation.me.bet + legal.call_amount + SIZES[choice] * after_call)
        return raise_to(min(max(total, legal.min_raise_to), legal.max_raise_to))


def soundness(price: float, strength: float) -> float:
    """Return by what the odds of folding to a bet of so many pots are multiplied."""
    by_price = price / 0.33 if price < 0.33 else min(price / 1.3, 3.0) if price > 1.3 else 1.0
    return by_price * float(np.clip((0.998 - strength) / (0.998 - 0.985), 0, 1))


def dealt(observation: Observation, combos: Mapping[Seat, int], runout: Sequence[Card] = ()) -> Dealt:
    """Return the hand that an observation is of, with these hole cards and cards to come."""
    started = start_of(observation.events)
    seats = [start.seat for start in started.seats]
    first = seats.index(started.button) + 1
    held = {seat: cards_of(Combo(combo)) for seat, combo in combos.items()}
    held[observation.seat] = observation.hole_cards
    board = [*observation.board, *runout]
    used = {*board, *(card for cards in held.values() for card in cards)}
    rest = [Card(card) for card in range(CARD_COUNT) if card not in used]
    order = [*seats[first:], *seats[:first]]
    cards = {seat: held[seat] if seat in held else (rest.pop(), rest.pop()) for seat in order}
    deck = [*(cards[seat][0] for seat in order), *(cards[seat][1] for seat in order), *board, *rest]
    actions = (event.action for event in observation.events if isinstance(event, ActionTaken))
    return Dealt(started, _rules_of(observation, started), tuple(deck), tuple(actions))


def _rules_of(observation: Observation, started: HandStarted) -> TableRules:
    posted = {event.kind: event.amount for event in observation.events if isinstance(event, Posted)}
    return TableRules(
        started.small_blind,
        started.big_blind,
        started.ante,
        started.max_raises,
        posted.get(PostKind.BIG_BLIND_ANTE, 0),
        posted.get(PostKind.STRADDLE, 0),
        counts_bets=False,
        raises_to_twice=started.raises_to_twice,
    )
