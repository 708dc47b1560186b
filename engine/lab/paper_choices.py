"""What the choices are worth that the paper's reader had to make: each alone, on the same hands.

Li et al. 2017 leave much of their model open. Here every choice has a name, what was taken and the alternatives; a
reader with one of them changed reads the same recorded hands as the reader as it is, and the difference between
their log-losses is reported with its standard error, hand against hand.

Run as::

    python -m engine.lab.paper_choices FILE.phhs ... [--hands N]
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import ActionClass, Figure, Reader, UnderstoodAction
from engine.agents.fold.opponent_model import (
    Domain,
    OpponentModel,
    Strengths,
    default_domains,
    fair_odds,
    preflop_strengths,
    relative_value,
    situation_domains,
)
from engine.agents.fold.parameters import (
    Parameters,
    Temper,
    default_parameters,
    tuned_numbers,
    with_numbers,
)
from engine.agents.fold.predict import PaperReader
from engine.agents.fold.understand import is_raise_class, possible_classes
from engine.cards import CLASS_COUNT, COMBO_COUNT, Card, class_name, combo_of, combos_of_class, unblocked
from engine.equity.combos import combo_equities
from engine.equity.sampled_combos import CombosTally, combos_judge
from engine.game.events import ActionTaken, HandStarted, PublicEvent
from engine.game.phh import RecordedHand, read_hands
from engine.lab.held_out import is_kept_apart
from engine.lab.reading import FLOOR, STREETS, clustered_stderr, decision_points

NEVER = 1e6
"""Observations that a default worth so many is never moved by."""

AXIS = np.linspace(0.0, 1.0, 1001)


class UncappedModel(OpponentModel):
    """Eq. 6 as printed: close outside a domain that ends near its baseline a value may exceed theta."""

    def shares(self, strengths: Strengths, domains: Sequence[Domain], theta: float) -> dict[ActionClass, Strengths]:
        """Give P(action | hand) for every action of a situation and every hand."""
        relative = []
        for domain in domains:
            distance = np.maximum(np.abs(domain.baseline - strengths), 1e-9)
            factor = np.where(strengths < domain.baseline, domain.baseline, 1 - domain.baseline)
            inside = relative_value(strengths, domain, np.inf) == np.inf
            relative.append(np.where(inside, theta, factor / distance))
        total = np.sum(relative, axis=0)
        return {domain.action_class: value / total for domain, value in zip(domains, relative, strict=True)}


class CrowdModel(OpponentModel):
    """P_win against as many uniform hands as there are opponents; cut points at the odds of a fair share."""

    def strengths(
        self, action: UnderstoodAction, events: Sequence[PublicEvent], board: tuple[Card, ...]
    ) -> Strengths:
        """Give every combo's place on the axis when an action was taken."""
        if not action.street or action.players <= 2:
            return super().strengths(action, events, board)
        return crowd_probabilities(tuple(sorted(board)), action.players - 1)

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if not action.street:
            return super().domains(name, action, events, earlier)
        adapted, figures = self.adapted_domains(name, action.street, action.is_facing_bet, action.position)
        odds = partial(fair_odds, opponents=action.players - 1)
        moved = [Domain(one.action_class, odds(one.low), odds(one.high), odds(one.baseline)) for one in adapted]
        return situation_domains(moved, _possible(events, action)), figures


class UnmovedCrowdModel(CrowdModel):
    """P_win against as many uniform hands as there are opponents; cut points of a two-player pot."""

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if not action.street:
            return super().domains(name, action, events, earlier)
        adapted, figures = self.adapted_domains(name, action.street, action.is_facing_bet, action.position)
        return situation_domains(adapted, _possible(events, action)), figures


class RootModel(OpponentModel):
    """P_win against one; cut points moved to where a hand beats all opponents as often: the k-th root."""

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if not action.street:
            return super().domains(name, action, events, earlier)
        adapted, figures = self.adapted_domains(name, action.street, action.is_facing_bet, action.position)
        root = 1 / max(action.players - 1, 1)
        moved = [Domain(one.action_class, one.low**root, one.high**root, one.baseline**root) for one in adapted]
        return situation_domains(moved, _possible(events, action)), figures


class AllClassesModel(OpponentModel):
    """Normalised over all six classes of DFModel, whether they were possible or not."""

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if not action.street:
            return super().domains(name, action, events, earlier)
        return default_domains(self.parameters.behaviour), ()


class PreflopAxisModel(OpponentModel):
    """DFModel before the flop too: P_win against one uniform hand, the cut points of fig. 2, no entry rates."""

    def strengths(
        self, action: UnderstoodAction, events: Sequence[PublicEvent], board: tuple[Card, ...]
    ) -> Strengths:
        """Give every combo's place on the axis when an action was taken."""
        if action.street:
            return super().strengths(action, events, board)
        return preflop_probabilities()

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if action.street:
            return super().domains(name, action, events, earlier)
        possible = _possible(events, action)
        defaults = default_domains(self.parameters.behaviour)
        raises = [one for one in possible if is_raise_class(one)]
        kept = [one for one in defaults if not is_raise_class(one.action_class)]
        if raises:
            first = next(one for one in defaults if one.action_class is ActionClass.HALF_POT)
            kept.append(Domain(raises[0], first.low, 1.0, first.baseline))
        return situation_domains(kept, possible), ()


class EntryOnlyModel(OpponentModel):
    """Eq. 5 and no more: who enters, by a call or a raise, holds one of his entry rate's best hands."""

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Give the domains of the actions that a player could choose from, and the shares that cut them."""
        if action.street:
            return super().domains(name, action, events, earlier)
        started = events[0]
        assert isinstance(started, HandStarted)
        entry = self.entry_rate(name, action.position, len(started.seats))
        low = 1 - entry.value
        is_fold = action.action_class is ActionClass.FOLD
        entering = ActionClass.CALL if is_fold else action.action_class
        return (
            Domain(ActionClass.FOLD, 0.0, low, low / 2),
            Domain(entering, low, 1.0, (low + 1) / 2),
        ), (entry,)


class FactorPerActionReader(PaperReader):
    """Multiplies one factor per action, so that nothing replaces anything."""

    replaces = False

    def counts(self, action: UnderstoodAction, standing: UnderstoodAction) -> bool:
        """Tell whether an action says anything beside the one that stands for its street so far."""
        return True


class LastActionReader(PaperReader):
    """The last action of a street stands for it."""

    def counts(self, action: UnderstoodAction, standing: UnderstoodAction) -> bool:
        """Tell whether an action says anything beside the one that stands for its street so far."""
        return True


@lru_cache(maxsize=64)
def crowd_probabilities(board: tuple[Card, ...], opponents: int) -> Strengths:
    """Give P_win of every combo against several uniform hands on a board: float64, shape (1326,), read-only.

    Exact against one; else sampled, with a standard error of at most 0.007 for a combo.
    """
    any_two = unblocked(board).astype(np.float64)
    if opponents == 1:
        values = np.array(combo_equities(board, any_two), dtype=np.float64)
    else:
        judge = combos_judge(np.tile(any_two, (opponents + 1, 1)), 0, np.arange(COMBO_COUNT), board, (), seed=0)
        tally = CombosTally(judge)
        tally.add(judge.judged(3, _CROWD_DEALS))
        values = tally.estimates().equities
    values.setflags(write=False)
    return values


_CROWD_DEALS = 10_000


def preflop_probabilities() -> Strengths:
    """Give P_win of every combo before the flop, against one uniform hand: float64, shape (1326,)."""
    from engine.preflop import equity_against_random

    return np.asarray(equity_against_random(1), np.float64)


def _possible(events: Sequence[PublicEvent], action: UnderstoodAction) -> tuple[ActionClass, ...]:
    event = events[action.event_index]
    assert isinstance(event, ActionTaken)
    return possible_classes(event, action.raises_faced)


class Choice(Struct, frozen=True):
    """One choice made otherwise.

    Attributes
    ----------
    question : str
        What the paper leaves open.
    instead : str
        What is done here.
    make : callable
        Makes the reader from the parameters of the reader as it is.
    """

    question: str
    instead: str
    make: Callable[[Parameters], Reader]


def _with_behaviour(parameters: Parameters, **changes: Any) -> Reader:
    behaviour = msgspec.structs.replace(parameters.behaviour, **changes)
    return PaperReader(msgspec.structs.replace(parameters, behaviour=behaviour))


def _behaviour(**changes: Any) -> Callable[[Parameters], Reader]:
    return partial(_with_behaviour, **changes)


def _temper(flop: float, turn: float, river: float, preflop: float = 1.0) -> Callable[[Parameters], Reader]:
    return _behaviour(temper=Temper(preflop, flop, turn, river))


def _with_model(parameters: Parameters, model: type[OpponentModel], theta: float | None = None) -> Reader:
    if theta is not None:
        behaviour = msgspec.structs.replace(parameters.behaviour, theta=theta, theta_preflop=theta)
        parameters = msgspec.structs.replace(parameters, behaviour=behaviour)
    reader = PaperReader(parameters)
    reader.model = model(parameters)
    return reader


def _model(model: type[OpponentModel], theta: float | None = None) -> Callable[[Parameters], Reader]:
    return partial(_with_model, model=model, theta=theta)


def _with_memory(parameters: Parameters, preflop: float | None, postflop: float | None) -> Reader:
    changes: dict[str, float] = {}
    if preflop is not None:
        changes |= dict.fromkeys(("entry", "first_action", "raise_share"), preflop)
    if postflop is not None:
        changes |= dict.fromkeys(("street", "position"), postflop)
    memory = msgspec.structs.replace(parameters.memory, **changes)
    return PaperReader(msgspec.structs.replace(parameters, memory=memory))


def _memory(preflop: float | None = None, postflop: float | None = None) -> Callable[[Parameters], Reader]:
    return partial(_with_memory, preflop=preflop, postflop=postflop)


def _tuned(parameters: Parameters) -> Reader:
    return PaperReader(with_numbers(parameters, tuned_numbers()))


def _tuned_cuts(parameters: Parameters) -> Reader:
    tuned = tuned_numbers().behaviour
    return _with_behaviour(parameters, cut_points=tuned.cut_points, baselines=tuned.baselines)


def _tuned_ranking(parameters: Parameters) -> Reader:
    return _with_behaviour(parameters, ranking=tuned_numbers().behaviour.ranking)


def _ranking_against(parameters: Parameters, opponents: int) -> Reader:
    order = np.argsort(-preflop_strengths(opponents)[_FIRST_COMBOS], kind="stable")
    return _with_behaviour(parameters, ranking=" ".join(class_name(int(one)) for one in order))


_FIRST_COMBOS = [combos_of_class(one)[0] for one in range(CLASS_COUNT)]

CHOICES = (
    Choice("theta (50 in eq. 6)", "20", _behaviour(theta=20.0, theta_preflop=20.0)),
    Choice("theta (50 in eq. 6)", "10", _behaviour(theta=10.0, theta_preflop=10.0)),
    Choice("theta (50 in eq. 6)", "5", _behaviour(theta=5.0, theta_preflop=5.0)),
    Choice("theta (50 in eq. 6)", "2", _behaviour(theta=2.0, theta_preflop=2.0)),
    Choice("eq. 6 close to a baseline: capped at theta", "as printed", _model(UncappedModel)),
    Choice("eq. 6 close to a baseline: capped at theta", "as printed, theta 10", _model(UncappedModel, 10.0)),
    Choice("cut points and baselines: by hand", "tuned, theta 50", _tuned_cuts),
    Choice("actions not possible: out of the sum", "in the sum, no adaptation", _model(AllClassesModel)),
    Choice("a street: its most aggressive action", "its last action", LastActionReader),
    Choice("a street: its most aggressive action", "one factor per action", FactorPerActionReader),
    Choice("P_win: against one", "against all, cut points at fair odds", _model(CrowdModel)),
    Choice("P_win: against one", "against all, cut points stay", _model(UnmovedCrowdModel)),
    Choice("cut points with more players: fair odds, root", "stay", _behaviour(multiway=0.0)),
    Choice("cut points with more players: fair odds, root", "half as far", _behaviour(multiway=0.5)),
    Choice("cut points with more players: fair odds, root", "k-th root alone", _model(RootModel)),
    Choice("ranking: equity against 3", "against 1", partial(_ranking_against, opponents=1)),
    Choice("ranking: equity against 3", "against 5", partial(_ranking_against, opponents=5)),
    Choice("ranking: equity against 3", "counted, how often played", _tuned_ranking),
    Choice("preflop: range model", "DFModel on P_win", _model(PreflopAxisModel)),
    Choice("a caller's range: without the raises", "up to the best hands", _behaviour(call_reaches_top=True)),
    Choice("entry rate: divided by raises faced", "eq. 5 alone", _model(EntryOnlyModel)),
    Choice("entry rate: shrunk to the default", "the default", _memory(preflop=NEVER)),
    Choice("entry rate: shrunk to the default", "counts alone (weight 1)", _memory(preflop=1.0)),
    Choice("adaptation of bounds: weight 10", "none", _memory(postflop=NEVER)),
    Choice("adaptation of bounds: weight 10", "weight 40", _memory(postflop=40.0)),
    Choice("adaptation of bounds: weight 10", "weight 2", _memory(postflop=2.0)),
    Choice("adaptation: all", "none at all", _memory(preflop=NEVER, postflop=NEVER)),
    Choice("temper: none", "0.7 after the flop", _temper(0.7, 0.7, 0.7)),
    Choice("temper: none", "0.4 after the flop", _temper(0.4, 0.4, 0.4)),
    Choice("temper: none", "0.2 after the flop", _temper(0.2, 0.2, 0.2)),
    Choice("temper: none", "0 after the flop: not read", _temper(0.0, 0.0, 0.0)),
    Choice("temper: none", "0.5 on every street", _temper(0.5, 0.5, 0.5, 0.5)),
    Choice("all of it", "paper-tuned", _tuned),
)
"""Every choice measured, alone."""


class Losses(Struct, frozen=True):
    """Mean log-losses of live points in nats, by `STREETS` and "all", with standard errors over hands.

    `difference` and `difference_stderr` are over all points, to the reader as it is.
    """

    means: dict[str, float]
    stderrs: dict[str, float]
    difference: float
    difference_stderr: float


def live_losses(reader: Reader, hands: Iterable[RecordedHand]) -> NDArray[np.float64]:
    """Read hands in their order, learning each, and give hand, street and loss of every live point.

    Returns
    -------
    ndarray of float64, shape (n, 3)
    """
    rows = []
    for number, hand in enumerate(hands):
        for point in decision_points(hand):
            if point.is_live:
                posterior = reader.predict(point.observation, point.target).posterior
                found = float(posterior[combo_of(*hand.hole_cards[point.target])])
                rows.append((number, int(point.street), -np.log(max(found, FLOOR))))
        reader.learn(hand.events)
    return np.array(rows, np.float64).reshape(-1, 3)


def summary(rows: NDArray[np.float64], beside: NDArray[np.float64]) -> Losses:
    """Give the means of `live_losses`, and how far they are from those of another reader on the same hands."""
    means, stderrs = {}, {}
    for name, chosen in _by_street(rows).items():
        if chosen.any():
            means[name] = float(rows[chosen, 2].mean())
            stderrs[name] = clustered_stderr(rows[chosen, 2], rows[chosen, 0].astype(np.int64)) or 0.0
    apart = rows[:, 2] - beside[:, 2]
    error = clustered_stderr(apart, rows[:, 0].astype(np.int64)) or 0.0
    return Losses(means, stderrs, float(apart.mean()), error)


def _by_street(rows: NDArray[np.float64]) -> dict[str, NDArray[np.bool_]]:
    streets: dict[str, NDArray[np.bool_]] = {name: rows[:, 1] == street for name, street in STREETS.items()}
    return streets | {"all": np.ones(len(rows), np.bool_)}


def table_row(question: str, choice: str, losses: Losses) -> str:
    """Write a row of the table in Markdown."""
    cells = [f"{losses.means[name]:.3f} ± {losses.stderrs[name]:.3f}" for name in losses.means]
    apart = f"{losses.difference:+.3f} ± {losses.difference_stderr:.3f}"
    return f"| {question} | {choice} | " + " | ".join([*cells, apart]) + " |"


def main(arguments: Sequence[str]) -> int:
    """Print the table of choices for each file named."""
    parser = argparse.ArgumentParser(description="Measure the choices of the paper's reader on PHH files.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument(
        "--hands", type=int, default=1000, help="of those kept apart, the first of each file (default 1000)"
    )
    options = parser.parse_args(arguments)
    parameters = default_parameters()
    for path in options.files:
        recorded = (hand for place, hand in enumerate(read_hands(path)) if is_kept_apart(place))
        hands = list(islice((hand for hand in recorded if isinstance(hand, RecordedHand)), options.hands))
        base = live_losses(PaperReader(parameters), hands)
        sys.stdout.write(f"{path.name}, {len(hands)} hands, {len(base)} points\n\n")
        sys.stdout.write(table_row("", "as it is", summary(base, base)) + "\n")
        for choice in CHOICES:
            losses = summary(live_losses(choice.make(parameters), hands), base)
            sys.stdout.write(table_row(choice.question, choice.instead, losses) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
