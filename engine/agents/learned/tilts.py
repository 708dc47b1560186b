"""What tilts and leanings are made of: which choices of which situations they shift, and how.

A *tilt* is added to the log-odds of a choice for every combo alike. A tilt of 1 on raising turns a raise of 10%
into 23%, one of 90% into 96%. Before the flop a part of it goes by how tight most players are in the very spot: who
plays the same hands from every seat and at every price is looser where most fold, and tighter where most do not,
and programs are like that. A *leaning* is added to them with the best hand, taken from them with the worst, and
in between with the others by their `strengths_on` the board. Both are parts of P(choice | combo), the same in
reading and in hands played out (`engine.kernels.playing`).
"""

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.situations import (
    CHOICES,
    POSTFLOP_FEATURES,
    PREFLOP_FEATURES,
    ActionChoice,
    Situation,
)
from engine.cards import Card, Street, frozen

Numbers = NDArray[np.float64]

CONTEXTS = (
    "unopened",
    "facing a raise",
    "facing a 3-bet cold",
    "facing a raise after limping",
    "facing a 3-bet",
    "may check before the flop",
    "betting the flop",
    "betting the turn",
    "betting the river",
    "facing a bet on the flop",
    "facing a bet on the turn",
    "facing a bet on the river",
    "facing a raise after the flop",
    "betting as the last raiser",
    "betting into the last raiser",
    "facing a bet after a checked street",
)
"""The last raiser is whoever bet or raised last on the street before.

Who bets after the flop bets "as" them if it is themselves, "into" them if they act later, and else "the flop".
Who faces a bet does so "after a checked street" if a check was the last that they did on the street before: what
they hold has hardly been asked for anything.
"""

LEANINGS = (
    "opening before the flop",
    "limping before the flop",
    "raising again before the flop",
    "calling a raise before the flop",
    "betting less than 0.6 pots after the flop",
    "betting 0.6 to 0.9 pots after the flop",
    "betting more after the flop",
    "calling after the flop",
    "checking after the flop",
)
"""What somebody may do with better or worse hands than most who do it as often."""

KINDS = (
    "looseness before the flop",
    "aggression before the flop",
    "looseness after the flop",
    "aggression after the flop",
    "size before the flop",
    "size after the flop",
    *(f"looseness, {context}" for context in CONTEXTS),
    *(f"aggression, {context}" for context in CONTEXTS),
    "looseness where most fold, opening before the flop",
    "looseness where most fold, facing a raise before the flop",
    "looseness, facing an overbet before the flop",
    "looseness, facing an overbet after the flop",
    *(f"more often, {deed}" for deed in LEANINGS),
    *(f"with strong hands, {deed}" for deed in LEANINGS),
)
"""What a tilt is a sum of, and last what leanings are.

Looseness: going on in place of folding; aggression: betting or raising.
"""

OFTEN = slice(KINDS.index(f"more often, {LEANINGS[0]}"), len(KINDS) - len(LEANINGS))
STRONG = slice(len(KINDS) - len(LEANINGS), len(KINDS))
_FIRST_WHERE_MOST_FOLD = KINDS.index("looseness where most fold, opening before the flop")
WHERE_MOST_FOLD = slice(_FIRST_WHERE_MOST_FOLD, _FIRST_WHERE_MOST_FOLD + 2)


_PREFLOP = 6
"""How many of the contexts are before the flop.

Then come three of betting and three of facing a bet, by street.
"""
_FACING_A_RAISE = CONTEXTS.index("facing a raise after the flop")
_AS_RAISER, _INTO_RAISER = _FACING_A_RAISE + 1, _FACING_A_RAISE + 2
_AFTER_A_CHECKED_STREET = _FACING_A_RAISE + 3


def _is_preflop(kind: str) -> bool:
    return kind.endswith(("before the flop", *CONTEXTS[:_PREFLOP]))


PARTS = tuple(
    np.array([at for at, kind in enumerate(KINDS) if _is_preflop(kind) is before]) for before in (True, False)
)
"""The kinds before the flop and those after it: no choice says anything of both."""


MOST_LEANING = 5.0
"""e^10 between the best hand and the worst."""


STAGES = 3
"""Where leanings differ: before the flop while nobody has raised, then, and after the flop."""


def stage_of(situation: Situation) -> int:
    """Return at which of the `STAGES` a choice is made."""
    return min(situation.raises, 1) if situation.street is Street.PREFLOP else 2


def _leaning_of(choice: ActionChoice, stage: int) -> int | None:
    if choice is ActionChoice.FOLD or (stage < 2 and choice is ActionChoice.CHECK):
        return None
    if stage < 2:
        return 2 * stage + int(choice is ActionChoice.CALL)
    if choice <= ActionChoice.CALL:
        return {ActionChoice.CALL: 7, ActionChoice.CHECK: 8}[choice]
    return 4 + max(0, min(choice, ActionChoice.RAISE_HUGE) - ActionChoice.RAISE_MEDIUM)


@cache
def leaning_design(stage: int) -> Numbers:
    """Return which of `LEANINGS` each choice has at a stage: shape (8, len(LEANINGS)), read-only."""
    found = np.zeros((CHOICES, len(LEANINGS)))
    for choice in ActionChoice:
        at = _leaning_of(choice, stage)
        if at is not None:
            found[choice, at] = 1
    return frozen(found)


def context_of(situation: Situation) -> int:
    """Return the index into `CONTEXTS` of a situation."""
    faces_bet = bool(situation.possible[ActionChoice.FOLD]) or bool(situation.possible[ActionChoice.CALL])
    if situation.street is Street.PREFLOP:
        if not faces_bet:
            return _PREFLOP - 1
        came_in = situation.raises > 0 and situation.features[_CAME_IN].any()
        return min(situation.raises, 2) + (2 if came_in else 0)
    if faces_bet:
        if situation.raises > 1:
            return _FACING_A_RAISE
        has_checked = situation.features[_CHECKED_BEFORE[situation.street - 1]]
        return _AFTER_A_CHECKED_STREET if has_checked else _PREFLOP + 2 + situation.street
    if situation.features[_IS_LAST_RAISER]:
        return _AS_RAISER
    return _INTO_RAISER if situation.features[_LAST_RAISER_IS_AFTER] else _PREFLOP - 1 + situation.street


def contexts_on(street: Street) -> tuple[int, ...]:
    """Return the contexts of a street in which players are once somebody has acted on it."""
    if street is Street.PREFLOP:
        return tuple(range(_PREFLOP - 1))
    return (_PREFLOP - 1 + street, _PREFLOP + 2 + street, *range(_FACING_A_RAISE, len(CONTEXTS)))


PREFLOP_OVERBET, OVERBET = 2.0, 1.2
"""From which size over the pot on a raise before the flop is an overbet, and from which price a bet after it is.

Who goes on against less may not against an overbet.
"""

_CARRIED_OVER = 0.5


def is_overbet(situation: Situation) -> bool:
    """Whether an overbet is faced."""
    if situation.street is Street.PREFLOP:
        return float(situation.features[_LAST_RAISE]) > PREFLOP_OVERBET
    # The feature is what share of the pot, with the call, that call costs.
    return float(situation.features[_POT_ODDS]) > OVERBET / (1 + 2 * OVERBET)


USUAL_TIGHTNESS = 0.0, 2.0
"""About what `Likelihoods.tightness` is at six seats before the flop if nobody has raised, and if somebody has."""

DEAR_CALL = 30.0
"""Big blinds; where a call costs more, tightness counts by the root of how many times less these are.

Who calls usual raises where most fold folds to all-ins of 100 big blinds all the same. Measured on answers to
these by players of 24 styles: docs/reading.md.
"""


@cache
def design(context: int, *, overbet: bool = False) -> Numbers:
    """Return how much of each kind is in the tilt of each choice: shape (8, len(KINDS)), read-only.

    It is that of a spot in which most are as tight as usual. Nothing is of those kinds that are leanings. Half of
    what is known of answers to usual bets goes for overbets.
    """
    rows = np.zeros((CHOICES, len(KINDS)))
    after = int(context >= _PREFLOP)
    raises = slice(ActionChoice.RAISE_SMALL, ActionChoice.ALL_IN + 1)
    faces_bet = CONTEXTS[context].startswith(("unopened", "facing"))
    if faces_bet:
        rows[_GOING_ON, 2 * after] = rows[_GOING_ON, 6 + context] = _CARRIED_OVER if overbet else 1
        rows[_GOING_ON, OFTEN.start - 2 + after] = float(overbet)
    rows[raises, 2 * after + 1] = rows[raises, 6 + len(CONTEXTS) + context] = 1
    rows[raises, 4 + after] = np.array([-1.0, -0.4, 0.2, 0.8, 1.0])
    rows[:, OFTEN] = leaning_design(2 if after else int(0 < context < _PREFLOP - 1))
    return frozen(rows)


_GOING_ON = [ActionChoice.CALL, *range(ActionChoice.RAISE_SMALL, CHOICES)]


def design_of(situation: Situation, tightness: float) -> Numbers:
    """Return the `design` of a situation of some `Likelihoods.tightness`."""
    context = context_of(situation)
    found = design(context, overbet=is_overbet(situation))
    if context < _PREFLOP - 1:
        is_raised = int(context > 0)
        cost = np.expm1(situation.features[_TO_CALL])
        counts = max(cost / DEAR_CALL, 1.0) ** -0.5
        found = found.copy()
        found[_GOING_ON, WHERE_MOST_FOLD.start + is_raised] = counts * (tightness - USUAL_TIGHTNESS[is_raised])
    return found


class Choice(NamedTuple):
    """A choice of a player, and what it may be explained by.

    Attributes
    ----------
    situation : Situation
    design : ndarray of float64, shape (8, len(KINDS))
        How much of each kind is in the tilt of each choice there.
    probabilities : ndarray of float32, shape (n, 8)
        P(choice | combo) of an average player.
    strengths : ndarray of float64, shape (n, 8)
        How strong each combo is for each choice, -1 to 1.
    """

    situation: Situation
    design: Numbers
    probabilities: NDArray[np.float32]
    strengths: Numbers

    def with_only(self, combo: int) -> "Choice":
        """Return the choice with one of the n combos."""
        of_it = slice(combo, combo + 1)
        return self._replace(probabilities=self.probabilities[of_it], strengths=self.strengths[of_it])


_CAME_IN = [
    PREFLOP_FEATURES.index(f"role so far: {role}")
    for role in ("limped", "raised", "raised again", "called a raise")
]
_CHECKED_BEFORE = tuple(
    map(POSTFLOP_FEATURES.index, ("role before the flop: checked", "flop line: check", "turn line: check"))
)
_IS_LAST_RAISER = POSTFLOP_FEATURES.index("last aggressor before: self")
_LAST_RAISER_IS_AFTER = POSTFLOP_FEATURES.index("last aggressor before: in position")
_TO_CALL = PREFLOP_FEATURES.index("to call, bb")  # as log1p
_LAST_RAISE, _POT_ODDS = PREFLOP_FEATURES.index("last raise over the pot"), POSTFLOP_FEATURES.index("pot odds")


@lru_cache(maxsize=32)
def strengths_on(board: tuple[Card, ...]) -> Numbers:
    """Return how strong each combo is among all on a board, -1 to 1: what a leaning leans on, shape (1326, 8).

    Before the flop it rises evenly with the share x of weaker hands; after it as x + x^4 - 1, since players tell
    the best hands from good ones more than poor ones from the worst. Measured at tables of programs, the fourth
    power half and half with x reads better than x alone, the eighth, or more of either. For bets and raises of 0.9
    pots and more it is the same of x^2: who makes them with good hands does so with the very best alone.
    """
    weaker = shares_weaker(board).astype(np.float64)[:, None]
    if board:
        weaker = np.where(np.arange(CHOICES) < ActionChoice.RAISE_HUGE, weaker, weaker**2)
        strengths = weaker + weaker**4 - 1
    else:
        strengths = np.repeat(2 * weaker - 1, CHOICES, axis=1)
    return frozen(strengths)


def tilted(probabilities: NDArray[np.float32], tilt: Numbers) -> Numbers:
    """Return P(choice | combo) of a player without leanings, shape (n, 8), rows sum to 1.

    To the log-odds of each choice comes its tilt, shape (8,), or one for each combo.
    """
    odds = probabilities * np.exp(tilt)
    return np.asarray(odds / _sums(odds), dtype=np.float64)


def leaned(probabilities: NDArray[np.float32], tilt: Numbers, leanings: Numbers, strengths: Numbers) -> Numbers:
    """Return P(choice | combo) of a player, shape (n, 8), rows sum to 1.

    To the log-odds of each choice comes its tilt, and its leaning times how strong the combo is for it, -1 to 1.
    """
    return tilted(probabilities, tilt + strengths * leanings)


def leaning_factors(probabilities: Numbers, leanings: Numbers, strengths: Numbers) -> Numbers:
    """Return what leanings multiply P(choice | combo) as `tilted` has it with, shape (n, 8)."""
    if not leanings.any():
        return np.ones_like(probabilities)
    factors = np.exp(strengths * leanings)
    return np.asarray(factors / _sums(probabilities * factors))


def _sums(odds: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the sums of rows, shape (n, 1); numpy's own are seven times slower with rows of eight."""
    return np.asarray(np.einsum("nc->n", odds)[:, None])
