"""The live points of recorded hands in arrays, so that the paper's reader can be judged with many numbers.

The reader itself takes some seconds for the points of a thousand hands. Here P_win is rounded to a thousandth once
per board, and an action's likelihood is a row of a table over that axis: 0.05 s for a thousand hands. Actors are
strangers to the model.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import ActionClass, UnderstoodAction
from engine.agents.fold.opponent_model import (
    FACING_BET,
    FREE,
    RANKING_OPPONENTS,
    Domain,
    OpponentModel,
    action_likelihoods,
    default_domains,
    multiway_domains,
    preflop_strengths,
    ranked_strengths,
    reaching_top,
    situation_domains,
    win_probabilities,
)
from engine.agents.fold.parameters import Behaviour, Parameters
from engine.agents.fold.understand import is_more_aggressive, understand
from engine.agents.posterior import boards_at
from engine.cards import COMBO_COUNT, Card, Street, combo_of, unblocked
from engine.game.phh import RecordedHand
from engine.lab.reading import decision_points

_LEVELS = 1000  # steps of the axis of P_win in the tables
_CHUNK = 256  # points judged at once


class _PreflopSituation(NamedTuple):
    """A preflop action of a stranger: its domains, which one it is, and the ranking of the hands."""

    domains: tuple[Domain, ...]
    action_class: ActionClass
    opponents: int


class _PostflopSituation(NamedTuple):
    """An action after the flop, as far as DFModel sees it."""

    street: Street
    is_facing_bet: bool
    possible: tuple[ActionClass, ...]
    opponents: int
    action_class: ActionClass


class TuningPoints(NamedTuple):
    """Live decision points of some hands, for the losses of many parameters; a row of the first seven per point."""

    streets: NDArray[np.int64]
    truths: NDArray[np.int64]  # the combo held
    hands: NDArray[np.int64]
    live: NDArray[np.bool_]  # (n, 1326), combos that neither board nor observer block
    preflop: NDArray[np.int64]  # which of `preflop_situations` stands for the street; one more than the last: none
    postflop: NDArray[np.int64]  # (n, 3), the same by flop, turn, river
    boards: NDArray[np.int64]  # (n, 3), rows of `levels`
    levels: NDArray[np.uint16]  # (boards, 1326), P_win in steps of a thousandth, rounded down
    preflop_situations: tuple[_PreflopSituation, ...]
    postflop_situations: tuple[_PostflopSituation, ...]


def collapsed(actions: Sequence[UnderstoodAction]) -> dict[Street, int]:
    """Return the index of the action that stands for each street: the most aggressive, the first of those alike."""
    standing: dict[Street, int] = {}
    for index, action in enumerate(actions):
        if action.action_class is ActionClass.FOLD and not action.is_facing_bet:
            continue  # to fold when a check is free says nothing
        earlier = standing.get(action.street)
        if earlier is None or is_more_aggressive(action, actions[earlier]):
            standing[action.street] = index
    return standing


class _Collector:
    """Gathers points, numbering situations and boards as they come."""

    def __init__(self, parameters: Parameters) -> None:
        behaviour = msgspec.structs.replace(parameters.behaviour, call_reaches_top=False)
        self._model = OpponentModel(msgspec.structs.replace(parameters, behaviour=behaviour))
        self.preflop: dict[_PreflopSituation, int] = {}
        self.postflop: dict[_PostflopSituation, int] = {}
        self.boards: dict[tuple[Card, ...], int] = {}
        self.rows: list[tuple[int, int, int, int | None, tuple[int | None, ...], tuple[int, ...]]] = []
        self.live: list[NDArray[np.bool_]] = []

    def add(self, number: int, hand: RecordedHand) -> None:
        understood = understand(hand.events)
        boards = boards_at(hand.events)
        for point in decision_points(hand):
            if not point.is_live:
                continue
            count = len(point.observation.events)
            actions = [done for done in understood if done.seat == point.target and done.event_index < count]
            standing = {street: actions[index] for street, index in collapsed(actions).items()}
            opening = self._preflop_of(hand, actions, standing.pop(Street.PREFLOP, None))
            later: list[int | None] = [None] * 3
            judged = [0] * 3
            for street, action in standing.items():
                later[street - 1] = self._postflop_of(action)
                board = tuple(sorted(boards[action.event_index]))
                judged[street - 1] = self.boards.setdefault(board, len(self.boards))
            truth = combo_of(*hand.hole_cards[point.target])
            self.rows.append((int(point.street), truth, number, opening, tuple(later), tuple(judged)))
            self.live.append(unblocked((*point.observation.board, *point.observation.hole_cards)))

    def _preflop_of(
        self, hand: RecordedHand, actions: Sequence[UnderstoodAction], action: UnderstoodAction | None
    ) -> int | None:
        if action is None:
            return None
        earlier = [done for done in actions if not done.street and done.event_index < action.event_index]
        domains, _ = self._model.domains("", action, hand.events, earlier)
        opponents = min(len(hand.players) - 1, RANKING_OPPONENTS)
        situation = _PreflopSituation(domains, action.action_class, opponents)
        return self.preflop.setdefault(situation, len(self.preflop))

    def _postflop_of(self, action: UnderstoodAction) -> int:
        situation = _PostflopSituation(
            action.street, action.is_facing_bet, action.possible, action.players - 1, action.action_class
        )
        return self.postflop.setdefault(situation, len(self.postflop))


def collect(hands: Iterable[RecordedHand], parameters: Parameters) -> TuningPoints:
    """Return the live decision points of hands, about 5 ms and 8 kB a hand.

    The entry rates of the parameters cut the preflop domains. Calls are collected without the hands that raise,
    whatever `call_reaches_top` says.
    """
    collector = _Collector(parameters)
    for number, hand in enumerate(hands):
        collector.add(number, hand)
    columns = list(zip(*collector.rows, strict=True)) or [()] * 6
    none_before, none_after = len(collector.preflop), len(collector.postflop)
    levels = [(win_probabilities(board) * _LEVELS).astype(np.uint16) for board in collector.boards]
    after = [[none_after if one is None else one for one in row] for row in columns[4]]
    return TuningPoints(
        streets=np.array(columns[0], np.int64),
        truths=np.array(columns[1], np.int64),
        hands=np.array(columns[2], np.int64),
        live=np.array(collector.live, np.bool_).reshape(-1, COMBO_COUNT),
        preflop=np.array([none_before if one is None else one for one in columns[3]], np.int64),
        postflop=np.array(after, np.int64).reshape(-1, 3),
        boards=np.array(columns[5], np.int64).reshape(-1, 3),
        levels=np.array(levels, np.uint16).reshape(-1, COMBO_COUNT),
        preflop_situations=tuple(collector.preflop),
        postflop_situations=tuple(collector.postflop),
    )


def _preflop_logs(points: TuningPoints, behaviour: Behaviour) -> NDArray[np.float32]:
    """Return the log-likelihoods of the preflop situations by combo, and one more row of 0 for none."""
    rows = np.zeros((len(points.preflop_situations) + 1, COMBO_COUNT), np.float32)
    for row, situation in zip(rows, points.preflop_situations, strict=False):
        ranking = behaviour.ranking
        strengths = ranked_strengths(ranking) if ranking else preflop_strengths(situation.opponents)
        domains = situation.domains
        if behaviour.call_reaches_top:
            domains = tuple(map(reaching_top, domains))
        shares = action_likelihoods(strengths, domains, behaviour.theta_preflop)
        row[:] = behaviour.temper.preflop * np.log(shares[situation.action_class])
    return rows


def _postflop_logs(points: TuningPoints, behaviour: Behaviour) -> NDArray[np.float32]:
    """Return those of the situations after the flop at the middle of each step of P_win, one more row of 0."""
    axis = np.minimum((np.arange(_LEVELS + 1) + 0.5) / _LEVELS, 1.0)
    defaults = default_domains(behaviour)
    rows = np.zeros((len(points.postflop_situations) + 1, _LEVELS + 1), np.float32)
    for row, situation in zip(rows, points.postflop_situations, strict=False):
        adapted = situation_domains(defaults, FACING_BET if situation.is_facing_bet else FREE)
        moved = multiway_domains(adapted, situation.opponents, behaviour.multiway)
        shares = action_likelihoods(axis, situation_domains(moved, situation.possible), behaviour.theta)
        row[:] = behaviour.temper.at(situation.street) * np.log(shares[situation.action_class])
    return rows


def losses(points: TuningPoints, behaviour: Behaviour) -> NDArray[np.float64]:
    """Return `-ln p(true combo)` of every point in nats, as the reader with these numbers has it of strangers.

    Within 0.01 of the reader's own, for the rounding of P_win.
    """
    before, after = _preflop_logs(points, behaviour), _postflop_logs(points, behaviour)
    found = np.empty(len(points.streets))
    for start in range(0, len(found), _CHUNK):
        part = slice(start, start + _CHUNK)
        logs = before[points.preflop[part]]
        if points.streets[part].any():
            for street in range(3):
                which = np.flatnonzero(points.postflop[part, street] < len(after) - 1)
                rows = points.postflop[part, street][which]
                logs[which] += after[rows[:, None], points.levels[points.boards[part, street][which]]]
        weights = np.exp(logs) * points.live[part]
        own = logs[np.arange(len(logs)), points.truths[part]]
        found[part] = np.log(weights.sum(axis=1, dtype=np.float64)) - own
    return found


def part_of(points: TuningPoints, chosen: NDArray[np.bool_]) -> TuningPoints:
    """Return some of the points."""
    by_point = ("streets", "truths", "hands", "live", "preflop", "postflop", "boards")
    return points._replace(**{name: getattr(points, name)[chosen] for name in by_point})
