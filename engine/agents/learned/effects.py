"""Why the learned reader finds an action more or less likely with a hand than is usual in that spot.

Usual is the mean over the range before the action. A hand is given the features of others in the range, one group
after another, and each group counts by what P(action) gains where the hand's own come in, averaged over all orders
of the groups (Shapley values: L. S. Shapley, A Value for n-Person Games, 1953). So what the groups do adds up to
ln(P(action | hand) / usual), before anything is known of the player. One group at a time would not: to a network
that sees a hand's equity and its cards, either alone says most of what both do.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import RangeUpdate
from engine.agents.learned.combo_features import (
    POSTFLOP_COMBO_FEATURES,
    PREFLOP_COMBO_FEATURES,
    combo_features,
    preflop_combo_features,
)
from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.cards import COMBO_CLASS, Combo, Street
from engine.codec import Vector
from engine.game.events import PublicEvent

_PREFLOP_GROUPS = {
    "pair": ("pair",),
    "suitedness": ("suited",),
    "connectedness": ("gap",),
    "high cards": ("high", "low", "both"),
    "all-round strength": ("equity", "share"),
}
_POSTFLOP_GROUPS = {
    "made hand": ("made:", "pairing:", "share of", "near the nuts", "pairs the top", "board plays", "made flush"),
    "equity": ("equity", "gain since"),
    "draws": ("flush draw", "straight draw", "gutshot", "open-ended", "backdoor"),
    "kicker and high cards": ("high card:", "low card:", "kicker", "cards over", "pair in hand", "suited", "gap"),
    "blockers": ("best card", "cards of the board", "best missing", "flush or draw", "blocks"),
    "missed draws": ("flush draw missed", "straight draw missed"),
}
"""Groups of features by how their names begin; the last group that fits counts."""

_WITHOUT = {
    "pair": "lack of a pair",
    "suitedness": "offsuit cards",
    "draws": "lack of draws",
    "missed draws": "lack of missed draws",
}
"""What a group is called where a hand has none of its features."""

_FEW = {"draws": "few draws", "missed draws": "few missed draws"}
"""What a group is called where less than half of the combos, as they count, have one of its features."""

_BACKDOORS = [at for at, name in enumerate(POSTFLOP_COMBO_FEATURES) if name.startswith("backdoor")]


@cache
def _columns(street_is_preflop: bool) -> dict[str, NDArray[np.intp]]:
    names = PREFLOP_COMBO_FEATURES if street_is_preflop else POSTFLOP_COMBO_FEATURES
    groups = _PREFLOP_GROUPS if street_is_preflop else _POSTFLOP_GROUPS
    group_of = {
        name: group for group, beginnings in groups.items() for name in names if name.startswith(beginnings)
    }
    return {
        group: np.array([at for at, name in enumerate(names) if group_of[name] == group], dtype=np.intp)
        for group in groups
    }


@lru_cache(maxsize=4)
def _situations_by_event(events: tuple[PublicEvent, ...]) -> dict[int, Situation]:
    """Go through a hand once for all of its actions and hands that are asked about."""
    return {found.event_index: found for found in situations(events)}


_SAMPLES = 48
"""Hands of the range that a hand is compared with, and as many of its own combos."""

_LEAST = 1e-9


def effects_of(
    update: RangeUpdate, events: Sequence[PublicEvent], combos: Sequence[Combo], before: Vector
) -> dict[str, float]:
    """Return what each group of features does to the likelihood of an action, strongest first.

    By group, as "its" can stand before it: nats added to ln P(action | hand) against what is usual in the range.
    The combos count by `before`, the range before the action, float32 of shape (1326,); evenly if it has none of
    them. Nothing is returned where a hand raises more than is usual, but not to this size, or the other way round:
    that is about sizes, which no feature of a hand explains.
    """
    situation = _situations_by_event(tuple(events))[update.action.event_index]
    network = stored_likelihoods().at(situation.seats)
    is_preflop = situation.street is Street.PREFLOP
    every = network.probabilities(situation).astype(np.float64)
    usual = np.asarray(before, dtype=np.float64)
    own = np.zeros(len(usual))
    own[list(combos)] = usual[list(combos)]
    if own.sum() <= 0:
        own[list(combos)] = 1
    if _is_about_sizes(situation, every, own / own.sum(), usual / usual.sum()):
        return {}
    rows = preflop_combo_features()[COMBO_CLASS] if is_preflop else combo_features(situation.board)
    # The samples stand in the order of the likelihood, so that a few have the mean of all.
    order = np.argsort(every[:, situation.choice], kind="stable")
    hand, others = (rows[_sampled(weights, order)] for weights in (own, usual))
    columns = _columns(is_preflop)
    masks = np.arange(2 ** len(columns))
    variants = np.repeat(others[None], len(masks), axis=0)
    for at, group in enumerate(columns.values()):
        with_own = np.flatnonzero(masks >> at & 1)
        variants[np.ix_(with_own, np.arange(_SAMPLES), group)] = hand[:, group]
    found = network.of_features(situation, variants.reshape(-1, rows.shape[1]))[:, situation.choice]
    logs = np.log(np.maximum(found.astype(np.float64).reshape(len(masks), _SAMPLES).mean(axis=1), _LEAST))
    names = [_name_of(name, group, hand) for name, group in columns.items()]
    effects = {name: _shapley(logs, at, len(columns)) for at, name in enumerate(names)}
    return dict(sorted(effects.items(), key=lambda effect: -abs(effect[1])))


def _name_of(group: str, columns: NDArray[np.intp], hand: NDArray[np.float32]) -> str:
    """Name a group by what most combos of a hand have of it: backdoor draws alone are no draws."""
    has_any = hand[:, columns].any(axis=1).mean()
    if has_any == 0:
        return _WITHOUT.get(group, group)
    if group not in _FEW or hand[:, np.setdiff1d(columns, _BACKDOORS)].any(axis=1).mean() >= 0.5:
        return group
    return "backdoor draws" if group == "draws" and has_any >= 0.5 else _FEW[group]


def _is_about_sizes(
    situation: Situation, every: NDArray[np.float64], own: NDArray[np.float64], usual: NDArray[np.float64]
) -> bool:
    """Return whether a raise to this size and a raise to any part a hand from the usual in opposite directions."""
    if situation.choice < ActionChoice.RAISE_SMALL:
        return False
    raising = every[:, ActionChoice.RAISE_SMALL :].sum(axis=1)
    size = every[:, situation.choice]
    return bool((own @ size > usual @ size) != (own @ raising > usual @ raising))


def _sampled(weights: NDArray[np.float64], order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return combos by their weights, at even steps along an order."""
    upto = np.cumsum(weights[order])
    places = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * upto[-1]
    sampled: NDArray[np.intp] = order[np.searchsorted(upto, places)]
    return sampled


def _shapley(values: NDArray[np.float64], player: int, players: int) -> float:
    """Return what a player adds, averaged over all orders; `values` are of each set of players, by its bits."""
    without = np.array([mask for mask in range(len(values)) if not mask >> player & 1])
    sizes = [int(mask).bit_count() for mask in without]
    weights = [factorial(size) * factorial(players - size - 1) / factorial(players) for size in sizes]
    return float(np.array(weights) @ (values[without | 1 << player] - values[without]))
