"""Why the learned reader finds an action more or less likely with a hand than with the range's average hand.

A group of features is set to its average over the range before the action; the change of ln P(action | hand) is
what the group does to this hand.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import RangeUpdate
from engine.agents.learned.combo_features import (
    POSTFLOP_COMBO_FEATURES,
    PREFLOP_COMBO_FEATURES,
    combo_features,
    preflop_combo_features,
)
from engine.agents.learned.network import Likelihoods, stored_likelihoods
from engine.agents.learned.situations import Situation, situations
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


def effects_of(
    update: RangeUpdate,
    events: Sequence[PublicEvent],
    combos: Sequence[Combo],
    before: Vector,
    likelihoods: Likelihoods | None = None,
) -> dict[str, float]:
    """Return what each group of features does to the likelihood of an action, strongest first.

    By group, as "its" can stand before it: nats added to ln P(action | hand) against the average hand of the range.
    The combos count by `before`, the range before the action, float32 of shape (1326,); evenly if it has none of
    them.
    """
    situation = _situations_by_event(tuple(events))[update.action.event_index]
    is_preflop = situation.street is Street.PREFLOP
    rows = preflop_combo_features()[COMBO_CLASS] if is_preflop else combo_features(situation.board)
    range_before = np.asarray(before, dtype=np.float64)
    average = range_before @ rows / range_before.sum()
    chosen = np.array(combos, dtype=np.intp)
    weights = range_before[chosen]
    if weights.sum() <= 0:
        weights = np.ones(len(chosen))
    hand = weights @ rows[chosen] / weights.sum()
    columns = _columns(is_preflop)
    variants = np.repeat(hand[None], 1 + len(columns), axis=0)
    for at, group in enumerate(columns.values(), start=1):
        variants[at, group] = average[group]
    likely = (likelihoods or stored_likelihoods()).of_features(situation, variants)[:, situation.choice]
    logs = np.log(np.maximum(likely, 1e-9))
    effects = {name: float(logs[0] - log) for name, log in zip(columns, logs[1:], strict=True)}
    return dict(sorted(effects.items(), key=lambda effect: -abs(effect[1])))
