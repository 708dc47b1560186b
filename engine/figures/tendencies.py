"""How often a player folds, goes on and raises, beside what is usual with the same hands in the same spots.

What is usual comes from the learned reader's model of play (`engine.agents.learned`), asked for the very hole cards
that were held. So whoever was dealt good hands is compared with players who were, and a few hundred decisions say
what counts alone would need some thousands for.
"""

from collections.abc import Sequence
from math import hypot

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.situations import PREFLOP_FEATURES, ActionChoice, Situation, chances_of_kinds, situations
from engine.agents.learned.tilts import CONTEXTS, context_of
from engine.cards import CLASS_COUNT, COMBO_CLASS, HoleCards, Street, combo_of
from engine.game.events import PublicEvent, Seat
from engine.game.summary import POSITIONS, positions

_STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_ANY_LIMPER = "After a limp"
_FACING = "Facing a raise"
OPTION = "The big blind's option"
"""Where nobody has raised before the flop: of `SPOTS`."""

_OF_CONTEXT = {
    "facing a raise after limping": "Facing a raise after limping",
    "facing a 3-bet": "Facing a 3-bet, already in",
    "facing a 3-bet cold": "Facing a 3-bet, cold",
    "may check before the flop": OPTION,
    "betting into the last raiser": "Leading into the last raiser",
    "facing a raise after the flop": "Facing a raise after the flop",
}


def _by_street(what: str) -> tuple[str, ...]:
    return tuple(f"{what}, {street.name.lower()}" for street in _STREETS)


SPOTS = (
    *(f"First in, {position}" for position in POSITIONS),
    _ANY_LIMPER,
    *(f"{_FACING}, {position}" for position in POSITIONS),
    *tuple(_OF_CONTEXT.values())[:4],
    *_by_street("C-bet"),
    "Leading into the last raiser",
    *_by_street("Other bets"),
    *_by_street("Facing a bet"),
    "Facing a raise after the flop",
)
"""Kinds of decisions, in the order of a hand. A c-bet is one by who bet or raised last on the street before.

The big blind is first in where there is a straddle, and later raises before the flop count as 3-bets.
"""

KINDS = ("fold", "check or call", "bet or raise")

DECISION = np.dtype(
    [("event", "<u2"), ("spot", "u1"), ("combo", "<u2"), ("kind", "u1"), ("usual", "<f4", (len(KINDS),))]
)
"""Indices of the action in its hand, of `SPOTS` and of `KINDS`, the combo, and how often players do each there."""

Decisions = NDArray[np.void]
"""Of dtype `DECISION`."""

_MODEL_ERROR = 0.03
"""A share of the model of play may be off by so much; docs/reading.md says by how much it is on recorded hands."""

_CLEAR = 3.0
"""Standard errors that a tendency has to be off to be named: there are some sixty numbers to choose it from."""


class Tendency(Struct, frozen=True):
    """What a player did in one of `SPOTS`; each tuple has a number for each of `KINDS`.

    `done` are counts, `usual` the shares that are usual with these hands, `stderrs` how far chance alone would take
    the player's shares from these, as one standard error.
    """

    spot: str
    decisions: int
    done: tuple[int, ...]
    usual: tuple[float, ...]
    stderrs: tuple[float, ...]

    def errors_off(self, kind: int) -> float:
        """Return by how many errors, those of the model of play counted, what was done is off what is usual.

        One decision counts as an error, too: what is done once in a hundred times is done now and then, and a
        standard error does not know how skewed such counts are.
        """
        difference = abs(self.done[kind] / self.decisions - self.usual[kind])
        return difference / hypot(self.stderrs[kind], 1 / self.decisions, _MODEL_ERROR)

    def is_clear(self, kind: int) -> bool:
        """Tell whether these are too many to be chance."""
        return self.errors_off(kind) > _CLEAR


def decisions_of(events: Sequence[PublicEvent], hole_cards: dict[Seat, HoleCards]) -> dict[Seat, Decisions]:
    """Return what seats decided in a hand, of those whose hole cards are given; about a millisecond each.

    Raises
    ------
    ValueError
        If the events do not begin with the start of a hand.
    """
    placed = positions(events)
    combos = {seat: combo_of(*cards) for seat, cards in hole_cards.items()}
    found: dict[Seat, list[tuple[int, int, int, int, NDArray[np.float64]]]] = {seat: [] for seat in hole_cards}
    for situation in situations(events):
        if situation.seat not in found or situation.possible.sum() < 2:
            continue
        chances = stored_likelihoods().at(situation.seats).probabilities(situation)
        combo = combos[situation.seat]
        usual = chances_of_kinds(chances[combo])
        kind = (situation.choice > ActionChoice.FOLD) + (situation.choice > ActionChoice.CALL)
        spot = SPOTS.index(_spot(situation, placed[situation.seat]))
        found[situation.seat].append((situation.event_index, spot, combo, kind, usual))
    return {seat: np.array(rows, DECISION) for seat, rows in found.items()}


def tendencies(decisions: Decisions) -> tuple[Tendency, ...]:
    """Return what decisions come to in each of the spots that there were, in their order."""
    found = []
    for at in np.unique(decisions["spot"]).tolist():
        rows = decisions[decisions["spot"] == at]
        usual = rows["usual"].astype(np.float64)
        found.append(
            Tendency(
                SPOTS[at],
                len(rows),
                tuple(np.bincount(rows["kind"], minlength=len(KINDS)).tolist()),
                tuple(usual.mean(axis=0).tolist()),
                tuple((np.sqrt((usual * (1 - usual)).sum(axis=0)) / len(rows)).tolist()),
            )
        )
    return tuple(found)


def class_counts(decisions: Decisions) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return how often each kind was done with each hand class, and would usually be, shapes (169, 3)."""
    classes = COMBO_CLASS[decisions["combo"]]
    done = np.zeros((CLASS_COUNT, len(KINDS)), np.int64)
    usual = np.zeros((CLASS_COUNT, len(KINDS)))
    np.add.at(done, (classes, decisions["kind"]), 1)
    np.add.at(usual, classes, decisions["usual"])
    return done, usual


def clearest(found: Sequence[Tendency]) -> tuple[Tendency, int] | None:
    """Return the tendency that is the least likely chance, and of which kind; None if chance may explain all."""
    clear = [(one, kind) for one in found for kind in range(len(KINDS)) if one.is_clear(kind)]
    return max(clear, key=lambda each: each[0].errors_off(each[1]), default=None)


def _spot(situation: Situation, position: str) -> str:
    """Return which of `SPOTS` a decision is one of."""
    context = CONTEXTS[context_of(situation)]
    if context == "unopened":
        is_first_in = situation.features[PREFLOP_FEATURES.index("callers: 0")]
        return f"First in, {position}" if is_first_in else _ANY_LIMPER
    if context == "facing a raise":
        return f"{_FACING}, {position}"
    if context in _OF_CONTEXT:
        return _OF_CONTEXT[context]
    what = "C-bet" if context == "betting as the last raiser" else "Other bets"
    if context.startswith("facing a bet"):
        what = "Facing a bet"
    return f"{what}, {situation.street.name.lower()}"
