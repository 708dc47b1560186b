"""What every action is worth: hands played out by the networks as players, against what each may hold.

Every action is tried on the same deals (`engine.agents.soulread.dealing`), and everybody goes on as the networks
say that players do with such a hand (`engine.kernels.playing`), opponents shifted by what is known of them. The
player whose decision it is goes on in the one of a few ways that wins most (`ways_on`): a call is worth what comes
of it later, and against who bets with anything an average player gives up too often.

A model of play is never right everywhere, and the best of many actions is most often the one of which it is too
sure. So an action that hardly anybody would take has to be worth more than one that many would: its *guard* is
`_GUARD[street]` pots for each factor of e by which it is rarer than the commonest one, heads-up
`_HEADS_UP_GUARD[street]`.
"""

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import ActionValue, Prediction, Responses, Values
from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.folding import folding_in, is_open, pots_of
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import ActionChoice
from engine.agents.learned.tilts import CONTEXTS, contexts_on
from engine.agents.soulread.dealing import Batch, Dealing
from engine.agents.soulread.later_play import OF_STRANGERS, depth_of_play, part_of_play, rounds_to_come
from engine.agents.soulread.play import (
    actions_of,
    choice_of,
    factor_of_folds,
    moment_of,
    move_of,
    never_falling,
    play_of,
    rows_on,
    ways_on,
)
from engine.agents.soulread.survival import price_of_risk
from engine.cards import Street, combo_of
from engine.game.events import CALL, FOLD, Action, ActionKind
from engine.game.observation import Observation
from engine.kernels import playing, rollouts

Numbers = NDArray[np.float64]

_STEPS = {Street.PREFLOP: (32, 4), Street.FLOP: (8, 16), Street.TURN: (10, 12), Street.RIVER: (8, 16)}
"""Boards, and samples on each, that a step takes: some 10 to 20 ms."""

_HEADS_UP_GUARD = {Street.PREFLOP: 0.1, Street.FLOP: 0.07, Street.TURN: 0.07, Street.RIVER: 0.07}
_GUARD = {Street.PREFLOP: 0.05, Street.FLOP: 0.02, Street.TURN: 0.02, Street.RIVER: 0.02}
"""Heads-up the same player is deceived hand after hand by what the model believes of the other."""

_GUARDED_POTS = {Street.PREFLOP: 4.0, Street.FLOP: 2.0, Street.TURN: 2.0, Street.RIVER: 2.0}
"""A bet or raise of more than so many pots is guarded as if the pot were that part of it.

What is wrong about how often all fold costs the more the larger it is, and hardly anybody ever made such a bet.
After the flop that part shrinks by `_unknown_folds`: who is known to call overbets is bet many pots for value.
"""

_DEAR_BB = 40.0
"""Big blinds from which on a raise before the flop is guarded the more still, in proportion to it.

At tables of more than two 4-bets have `_FOUR_BET_GUARD` in its place. Measured: in 30,000 hands heads-up against
fit-or-fold Soulread put itself all-in for 100 big blinds 251 times, first in with aces among others; that was
predicted to win 14.5 big blinds and brought 10.4 +- 0.6 less. In 5,000 hands (seeds 33001 and 33101) it does so 3
times where it did 37, and wins as much, 130 and 134 bb/100.
"""

_CHECKED_RIVER = 0.08
"""Pots that a check on the river is worth more heads-up than rollouts say, where the other one acts after it.

Measured: 0.12 of 545 checks against eight styles; of 518 that ended the hand 0.02 +- 0.02, and these are exact.
"""

_SEEN_FLOP = 0.3
"""Pots that seeing the flop is worth more with several opponents than rollouts say, as `later_play` has it of one.

Measured: in 3,000 hands at six seats of programs calls and raises before the flop brought 1.7 +- 0.9 and
1.7 +- 0.7 big blinds more than predicted. The same after the flop there (0.3 and 0.2 pots on flop and turn) made
calls of bets lose 6.4 +- 2.3 and 3.2 +- 4.1 against what was predicted.
"""

_LIMP, _LIMP_GUARD = 0.5, 1.0
"""The part of what it wins by rollouts that a call first in has, by who has nothing in yet, and pots of guard more.

Measured: strangers of twelve styles at six seats were limped into with 1,600 hands, and raised to 2.5 big blinds
with the same on the same decks. Limps were predicted to win 2.7 big blinds and brought 1.3 +- 0.8 less, those with
queens and better 6.0 +- 3.0 of 10.8; and a predicted lead of limping on raising said nothing (0.03 of it came).
"""

_FOUR_BET_GUARD = 0.25
"""The guard's share of the pot for a 4-bet or later raise before the flop at tables of more than two.

Measured: 48 such raises in 7,200 hands at six seats with fifteen styles were predicted to win 32 big blinds and
brought 27 +- 6 less; 12 bluffs were to be folded to 0.60 of the time and were 0.17. With twice that guard and half
of the value there were none left in 4,800 of these hands.
"""

_HOPELESS = 3.0
"""An action so many standard errors behind the best is tried on no more deals; a check or call always is."""

_NEAR = 0.01
"""Share of the pot by which values may differ and are taken as the same."""

_LEAST_USUAL = 1e-6


def values_of(
    observation: Observation,
    predictions: Sequence[Prediction],
    reader: LearnedReader,
    seed: int,
    also: Sequence[Action] = (),
    *,
    gives_up: bool = True,
    later_play: float = OF_STRANGERS,
) -> Iterator[Values]:
    """Yield what every action is worth, more precisely with each step, for ever; to stop, cease to iterate.

    Parameters
    ----------
    observation : Observation
        Its seat is to act, with any stacks, side pots and 2 to 10 seats.
    predictions : sequence of Prediction
        What every opponent still in the hand may hold.
    reader : LearnedReader
        Its networks are the players, shifted by what it knows of each.
    seed : int
        The same arguments and seed give the same values, step by step.
    also : sequence of Action
        Legal bets and raises to compare besides the usual ones.
    gives_up : bool
        Whether actions without hope are tried no further, which leaves more time for the others.
    later_play : float
        Big blinds that betting on later streets brings beyond what rollouts say, with even chances, where there is
        a `depth_of_play`.
    """
    work = _Rollouts(observation, predictions, reader, seed, also, later_play)
    while True:
        work.step(gives_up=gives_up)
        yield work.values()


class _Rollouts:
    """Sums over the boards so far, for one decision."""

    def __init__(
        self,
        observation: Observation,
        predictions: Sequence[Prediction],
        reader: LearnedReader,
        seed: int,
        also: Sequence[Action],
        later_play: float,
    ) -> None:
        assert observation.legal is not None
        self._later_chips = later_play * depth_of_play(observation) * observation.big_blind
        self._observation, self._reader, self._seed = observation, reader, seed
        self._can_fold = not observation.legal.can_check
        self._is_heads_up = len(observation.seats) == 2
        self._is_last = observation.seat == observation.button
        self._actions = actions_of(observation, also)
        self._rounds = [rounds_to_come(observation, action) if self._later_chips else 0 for action in self._actions]
        self._folding = folding_in(reader.folds_to_bets(observation, predictions))
        self._fold_factors = np.ones(len(self._actions))
        self._start, self._ways, self._way = moment_of(observation), ways_on(observation, reader), ""
        self._raises = int(self._start.hand[playing.RAISES + observation.street])
        are_in = observation.board or observation.me.bet or self._raises or self._start.hand[playing.CALLERS]
        is_preflop = observation.street is Street.PREFLOP
        self._is_four_bet = is_preflop and self._raises > 1 and not self._is_heads_up
        self._is_first_in = observation.legal.can_raise and not are_in
        self._moves = np.array([move_of(action) for action in self._actions], np.int64)
        self._likelihoods = reader.likelihoods.at(len(observation.seats))
        sharpness = [reader.sharpness(observation.view(one.seat).name) for one in predictions]
        self._dealing = Dealing(observation, predictions, self._likelihoods, sharpness, seed)
        network = self._likelihoods.networks.postflop
        self._scratch = playing.new_scratch(
            len(network.situation), len(network.first_bias), len(network.second_bias)
        )
        self._work = (self._copy(), self._copy())
        count = len(self._actions)
        self._open = np.arange(count)
        self._sums = np.zeros((count, rollouts.RESULTS))
        # The values on each board; last folding, which is worth 0, and the boards' weights.
        self._on_boards = np.zeros((0, count + 2))
        self._weight = np.zeros(count)
        self._tried = np.zeros(count, np.int64)
        self._boards = 0
        self._closed: dict[int, tuple[float, int]] = {}  # how far behind, and which was the best then
        self._pair_errors = np.zeros((count + 1, count + 1))
        self._usual = self._usual_choices()
        self._unknown_folds = self._find_unknown_folds()

    def _copy(self) -> playing.Moment:
        seats, hand, sizes, stakes = self._start
        return playing.Moment(seats.copy(), hand.copy(), sizes.copy(), stakes.copy())

    def _usual_choices(self) -> Numbers:
        """Return how often an average player makes each choice with these hole cards."""
        observation = self._observation
        combo = combo_of(*observation.hole_cards)
        kinds = self._likelihoods.first_layer(observation.board)[1]
        row = rows_on(self._likelihoods, observation.board)[kinds[combo]]
        weaker = float(shares_weaker(observation.board)[combo])
        average = play_of(observation, self._reader)
        playing.choose(self._copy(), average, row, weaker, self._scratch)
        return np.maximum(self._scratch.numbers, _LEAST_USUAL)

    def _find_unknown_folds(self) -> float:
        """Return 1, or less by the square of the odds if all are known to fold to overbets less than most."""
        observation, street = self._observation, self._observation.street
        if street is Street.PREFLOP:
            return 1.0
        answer = "facing a raise after the flop" if self._can_fold else f"facing a bet on the {street.name.lower()}"
        odds = [
            self._reader.most_odds_of_folding_to_overbets(view.name, CONTEXTS.index(answer))
            for view in observation.opponents
            if not view.is_all_in
        ]
        return min(max(odds, default=1.0), 1.0) ** 2

    def _choice_of(self, action: Action) -> ActionChoice:
        return choice_of(self._observation, self._raises, action)

    def step(self, *, gives_up: bool = True) -> None:
        """Try every action that is still compared on some more deals, then drop those without hope."""
        boards, count = _STEPS[self._observation.street]
        batch = self._dealing.next(boards, count)
        boards, chosen = len(batch.weights), self._open
        out = np.empty((len(chosen), boards * count, rollouts.RESULTS))
        stream = np.random.SeedSequence([self._seed, self._boards]).generate_state(1, np.uint64)[0]
        moves = self._moves[chosen]
        if not self._boards:
            self._way = self._best_way(batch, stream)
        rollouts.roll_out(
            self._start, self._work, self._ways[self._way], batch.deals, moves, stream, self._scratch, out
        )
        if not self._boards:
            self._fold_factors = self._find_fold_factors(out, batch)
        if (self._fold_factors != 1).any():
            _fold_more(out, self._fold_factors[chosen], self._observation.pot)
        more = self._beyond_rollouts(out)
        out[..., rollouts.SQUARE] += 2 * more * out[..., rollouts.VALUE] + more**2
        out[..., rollouts.VALUE] += more
        means = out.reshape(len(chosen), boards, count, rollouts.RESULTS).mean(axis=2)
        self._sums[chosen] += np.einsum("abr,b->ar", means, batch.weights)
        values = np.vstack([means[:, :, rollouts.VALUE], np.ones(boards)]) * batch.weights
        at = np.append(chosen, len(self._actions) + 1)
        missing = int(batch.boards.max()) + 1 - len(self._on_boards)
        if missing > 0:
            self._on_boards = np.vstack([self._on_boards, np.zeros((missing, self._on_boards.shape[1]))])
        np.add.at(self._on_boards, (batch.boards[:, None], at), values.T)
        self._weight[chosen] += batch.weights.sum()
        self._tried[chosen] += boards * count
        self._boards += boards
        best = self._best()
        self._note_pair_errors()
        for action in chosen[1:].tolist() if gives_up else ():
            found = self._value(action, best)
            if found.behind > _HOPELESS * found.behind_stderr + _NEAR * self._observation.pot:
                self._closed[action] = found.behind, best
        self._open = np.array([action for action in chosen.tolist() if action not in self._closed])

    def _best_way(self, batch: Batch, stream: np.uint64) -> str:
        """Return the way to go on by which a check or call wins most on these deals."""
        values, moves = {}, self._moves[:1]
        out = np.empty((1, len(batch.deals.row_of), rollouts.RESULTS))
        for name, way in self._ways.items():
            rollouts.roll_out(self._start, self._work, way, batch.deals, moves, stream, self._scratch, out)
            by_board = out[0, :, rollouts.VALUE].reshape(len(batch.weights), -1).mean(axis=1)
            values[name] = float(by_board @ batch.weights)
        return max(values, key=values.__getitem__)

    def _find_fold_factors(self, out: Numbers, batch: Batch) -> Numbers:
        """Return for every action the factor on the odds by which all fold as often as they are to.

        That is as what is learned of folds has it, and to a larger bet or raise no less than to a smaller one.
        """
        weights = np.repeat(batch.weights, out.shape[1] // len(batch.weights)) / out.shape[1]
        folds = np.stack([out[..., rollouts.ALL_FOLD], 1 - out[..., rollouts.ALL_FOLD]], axis=2) * weights[:, None]
        expected = folds[..., 0].sum(axis=1)
        wanted = expected.tolist()
        if self._folding is not None:
            pots = [pots_of(self._observation, action) for action in self._actions]
            wanted = list(map(self._folding.of, wanted, pots))
        wanted[1:] = never_falling(wanted[1:])
        return np.array(
            [
                factor_of_folds([samples], share) if share != found and is_open(found) else 1.0
                for samples, share, found in zip(folds, wanted, expected, strict=True)
            ]
        )

    def _beyond_rollouts(self, out: Numbers) -> Numbers:
        """Return the chips that a flop or a checked river is worth beside, shape (actions, samples)."""
        street, pot = self._observation.street, self._observation.pot
        more = np.zeros(out.shape[:2])
        if street is Street.PREFLOP and not self._is_heads_up:
            more = _SEEN_FLOP * pot * out[..., rollouts.LATER]
        elif street is Street.RIVER and self._is_heads_up and not self._can_fold and not self._is_last:
            more[0] = _CHECKED_RIVER * pot
        return more

    def _best(self) -> int:
        """Return the action of most value among those still compared; one beyond all for a fold."""
        means = [self._mean(action) for action in self._open.tolist()]
        best = int(np.argmax(means))
        return len(self._actions) if self._can_fold and means[best] < 0 else int(self._open[best])

    def _mean(self, action: int) -> float:
        """Return the mean of an action's winnings, and what later play brings.

        One that is tried no more is as far behind the best of then as it was: deals since are others for that, too.
        """
        if action == len(self._actions):
            return 0.0
        if action in self._closed:
            behind, best = self._closed[action]
            return self._mean(best) - behind
        means = self._sums[action] / self._weight[action]
        part = part_of_play(self._rounds[action], means[rollouts.LATER], _called_equity(means))
        return float(self._part(action) * means[rollouts.VALUE] + self._later_chips * part)

    def _part(self, action: int) -> float:
        """Return what part of its value by rollouts an action has: a limp that wins less of it, all others all."""
        is_limp = self._is_first_in and action == 0
        return _LIMP if is_limp and self._sums[action, rollouts.VALUE] > 0 else 1.0

    def _residuals(self, action: int) -> NDArray[np.float64]:
        """Return by board what an action's winnings are above their mean; the same whatever else is compared."""
        is_fold = action == len(self._actions)
        mean = 0.0 if is_fold else self._sums[action, rollouts.VALUE] / self._weight[action]
        part = 1.0 if is_fold else self._part(action)
        return np.asarray(part * (self._on_boards[:, action] - mean * self._on_boards[:, -1]))

    def _note_pair_errors(self) -> None:
        """Note the standard errors of all differences of those still compared and folding, as of ratios."""
        at = np.append(self._open, len(self._actions))
        residuals = np.stack([self._residuals(action) for action in at.tolist()], axis=1)
        boards = int(np.count_nonzero(self._on_boards[:, -1]))
        products = np.einsum("bi,bj->ij", residuals, residuals) * boards / max(boards - 1, 1)
        variances = np.diag(products)[:, None] + np.diag(products) - 2 * products
        self._pair_errors[np.ix_(at, at)] = np.sqrt(np.maximum(variances, 0)) / self._weight[0]

    def _value(self, action: int, best: int) -> ActionValue:
        means = self._sums[action] / self._weight[action]
        value, errors = self._mean(action), self._pair_errors
        compared = self._closed[action][1] if action in self._closed else best
        return self._described(
            self._actions[action],
            value=value,
            stderr=float(errors[action, len(self._actions)]),
            deviation=self._part(action)
            * float(np.sqrt(max(means[rollouts.SQUARE] - means[rollouts.VALUE] ** 2, 0.0))),
            behind=self._mean(best) - value,
            behind_stderr=hypot(errors[action, compared], errors[compared, best]),
            all_fold=min(float(means[rollouts.ALL_FOLD]), 1.0),
            called_equity=_called_equity(means),
            later=min(float(means[rollouts.LATER]), 1.0),
            samples=int(self._tried[action]),
        )

    def _fold(self, best: int) -> ActionValue:
        return self._described(
            FOLD,
            value=0.0,
            stderr=0.0,
            deviation=0.0,
            behind=self._mean(best),
            behind_stderr=float(self._pair_errors[len(self._actions), best]),
            all_fold=0.0,
            called_equity=None,
            later=0.0,
            samples=int(self._tried[0]),
        )

    def _described(self, action: Action, **numbers: Any) -> ActionValue:
        """Return the value with how usual the action is, the guard and the price of its risk."""
        observation = self._observation
        usual = float(self._usual[self._choice_of(action)])
        share = (_HEADS_UP_GUARD if self._is_heads_up else _GUARD)[observation.street]
        if self._is_four_bet and action.kind is ActionKind.RAISE:
            share = _FOUR_BET_GUARD
        stake = min(action.raise_to, observation.reach_of_opponents) - observation.me.bet
        dear = 1.0
        if observation.street is Street.PREFLOP and not self._is_four_bet:
            dear = max(stake / (_DEAR_BB * observation.big_blind), 1.0)
        part = dear * self._unknown_folds / _GUARDED_POTS[observation.street]
        at_risk = max(float(observation.pot), part * stake)
        guard = share * at_risk * float(np.log(self._usual.max() / usual))
        if self._is_first_in and action == CALL:
            guard += _LIMP_GUARD * observation.pot
        chances = {name: numbers[name] for name in ("value", "deviation", "all_fold", "called_equity")}
        risk = price_of_risk(observation, action, **chances)
        return ActionValue(action=action, usual=usual, guard=guard, risk=risk, **numbers)

    def values(self) -> Values:
        """Return the answer so far."""
        best = self._best()
        order = list(range(len(self._actions)))
        found = [self._value(at, best) for at in order]
        if self._can_fold:
            found.insert(0, self._fold(best))
            order.insert(0, len(order))
        errors = self._pair_errors[np.ix_(order, order)][np.triu_indices(len(order), 1)]
        return Values(
            tuple(found),
            int(self._tried.max()),
            responses_of(self._observation, self._reader),
            tuple(float(f"{error:.3g}") for error in errors.tolist()),
            self._way,
        )


def _fold_more(out: Numbers, factors: Numbers, pot: int) -> None:
    """Put a factor on the odds with which all fold, in the results of each action and sample."""
    before = out[..., rollouts.ALL_FOLD]
    odds = before * factors[:, None]
    folds = odds / (1 - before + odds)
    rest = np.where(before < 1, (1 - folds) / np.where(before < 1, 1 - before, 1), 1)
    out[..., rollouts.VALUE] = folds * pot + rest * (out[..., rollouts.VALUE] - before * pot)
    out[..., rollouts.SQUARE] = folds * pot**2 + rest * (out[..., rollouts.SQUARE] - before * pot**2)
    for part in (rollouts.CALLED, rollouts.EQUITY, rollouts.LATER):
        out[..., part] *= rest
    out[..., rollouts.ALL_FOLD] = folds


def _called_equity(means: Numbers) -> float | None:
    """Return the share of the pot at showdowns against those who go on; None if nobody ever does."""
    called = float(means[rollouts.CALLED])
    return float(means[rollouts.EQUITY]) / called if called > 0 else None


def responses_of(observation: Observation, reader: LearnedReader) -> tuple[Responses, ...]:
    """Return what is counted of the opponents who can still act, in the spots that actions here put them in."""
    street = observation.street
    found = []
    for view in observation.opponents:
        if view.is_all_in:
            continue
        counts, factors = reader.counts(view.name), reader.factors(view.name)
        for spot in contexts_on(street):
            done, usual = counts[spot]
            if not done.sum():
                continue
            passive = ActionChoice.CALL if CONTEXTS[spot].startswith(("unopened", "facing")) else ActionChoice.CHECK
            of = factors[spot, 0] / factors[spot, 0, passive]
            found.append(
                Responses(
                    seat=view.seat,
                    spot=CONTEXTS[spot],
                    chances=int(done.sum()),
                    folds=int(done[0]),
                    raises=int(done[2]),
                    usual_folds=float(usual[0]),
                    usual_raises=float(usual[2]),
                    odds_of_folding=float(of[ActionChoice.FOLD]),
                    odds_of_raising=float(of[ActionChoice.RAISE_MEDIUM]),
                    sharpness=reader.sharpness(view.name),
                )
            )
    return tuple(found)
