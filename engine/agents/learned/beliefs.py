"""What is believed of the numbers of tilts and leanings, and how a choice moves it.

Beliefs are normal. Each choice moves them by one Newton step of its log-probability, under the normal
approximation of the posterior (as in an extended Kalman filter). Tilts and leanings are believed together, so that
who does something more often is not taken to do it with better hands for it, nor the other way round.

Of a player there are two beliefs, for nobody knows at first whether they play much like those that the networks
learned from, or in a way of their own as programs do. How probable either is goes by how probable it made all that
was seen of the player, choices and shown cards (Bayes' rule between models), and at first by where they are met.
Players of recorded hands are taken for people (`OF_PEOPLE`), strangers at the app's tables and at those it joins
for programs (`OF_PROGRAMS`), which have much in common against people: they call turns and rivers, bet on as the
last raiser and bet into others. What there is of that stands in `RESOURCE`, learned by `engine.lab.program_tilts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt
from typing import Final, NamedTuple

import msgspec
import numpy as np

from engine.agents.learned.tilts import (
    KINDS,
    OFTEN,
    PARTS,
    STRONG,
    WHERE_MOST_FOLD,
    Choice,
    Numbers,
    leaning_design,
    stage_of,
)
from engine.cards import Street, frozen
from engine.resources import ResourceError, read_text

RESOURCE: Final = "program_tilts.json"


@cache
def tilts_of_programs() -> Numbers:
    """Return what programs have in common against people, by `KINDS`, in log-odds; read-only.

    Raises
    ------
    ResourceError
        If the app's file of them is missing or broken.
    """
    try:
        stored = msgspec.json.decode(read_text(RESOURCE), type=dict[str, float])
        numbers = np.array([stored[kind] for kind in KINDS])
    except (msgspec.MsgspecError, KeyError) as error:
        raise ResourceError(f"The app's file resources/{RESOURCE} is broken: {error}") from error
    return frozen(numbers)


@dataclass(frozen=True)
class Spreads:
    """Standard deviations of the priors, in log-odds, and of the sharpness, whose prior mean is 1.

    Those of players are two each, of usual players and of unusual ones. Chosen among a few by the log-loss on two
    tables of the app's styles, on two matches, and on part of the hands of pluribus and bovada_6max that were kept
    apart (`docs/reading.md`).

    Attributes
    ----------
    unusual : float
        Log-odds of being an unusual one, before anything is seen of a player.
    as_programs : bool
        Whether an unusual one is expected to differ from people by what programs have in common.
    folding, folding_spreads : tuples of 6 float
        What is expected of a stranger's folds to bets, and the deviations: the factor's logarithm, the power, what
        depth, a raise, the bettor's hand and the bet's size add to the first (`engine.agents.learned.folding`).
    """

    population: float = 0.5
    population_often: float = 0.05
    population_leaning: float = 0.3
    population_where_most_fold: float = 0.1
    style: tuple[float, float] = (0.6, 2.0)
    size: tuple[float, float] = (0.5, 0.5)
    player: tuple[float, float] = (0.5, 1.5)
    often: tuple[float, float] = (0.2, 1.0)
    leaning: tuple[float, float] = (0.4, 1.5)
    where_most_fold: tuple[float, float] = (0.05, 0.4)
    unusual: float = -3.0
    as_programs: bool = False
    sharpness: float = 0.4
    player_sharpness: float = 0.1
    folding: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    folding_spreads: tuple[float, ...] = (0.4, 0.35, 0.3, 0.5, 0.25, 0.4)

    def of_population(self) -> Numbers:
        """Return the deviations of what all have in common, by `KINDS`."""
        spreads = np.full(len(KINDS), self.population)
        spreads[OFTEN], spreads[STRONG] = self.population_often, self.population_leaning
        spreads[WHERE_MOST_FOLD] = self.population_where_most_fold
        return spreads

    def expected_of_player(self, kind: int) -> Numbers:
        """Return the means of a usual player (0), who are all 0, or an unusual one (1), by `KINDS`."""
        return tilts_of_programs().copy() if kind and self.as_programs else np.zeros(len(KINDS))

    def of_player(self, kind: int) -> Numbers:
        """Return the deviations of a usual player (0) or an unusual one (1), by `KINDS`."""
        spreads = np.full(len(KINDS), self.player[kind])
        spreads[:4], spreads[4:6] = self.style[kind], self.size[kind]
        spreads[OFTEN], spreads[STRONG] = self.often[kind], self.leaning[kind]
        spreads[WHERE_MOST_FOLD] = self.where_most_fold[kind]
        return spreads


OF_PEOPLE: Final = Spreads()
"""Of players in recorded hands."""

OF_PROGRAMS: Final = Spreads(unusual=1.0, as_programs=True, folding=(0.0, 0.8, 0.3, -0.6, 0.6, 0.3))
"""Of players at the app's tables and at those it joins."""

MOST_ODDS = 8.0
"""Log-odds beyond which a player is of one kind for sure, so that one who changes is found out."""

_FORGOTTEN = 0.1
"""How far the covariance of what is kept goes back to a stranger's with every session."""


_OF_HIDDEN_CARDS = 0.3
"""How much choices with hidden cards say of an unusual player's leanings, for they do so by the model's word alone.

How often players do something differs in more ways than tilts can follow, and what is left goes to the leanings.
Measured: programs are read better with 0.3 than with 1 or 0, people of the usual kind are not.
"""


class Evidence(NamedTuple):
    """What a choice says of the kinds of its part of the hand.

    The gradient of its log-probability, the slopes of the choices' probabilities, shape (8, kinds), these
    probabilities, that of what was done, and whether the cards are known.
    """

    part: int
    gradient: Numbers
    slopes: Numbers
    of_choices: Numbers
    probability: float
    is_shown: bool


class Belief:
    """A normal belief about the numbers of all kinds, those before and after the flop apart."""

    def __init__(self, spreads: Numbers, mean: Numbers | None = None) -> None:
        self.mean: Numbers = np.zeros(len(KINDS)) if mean is None else mean
        self.covariances: list[Numbers] = [np.diag(spreads[part] ** 2) for part in PARTS]

    def packed(self) -> Numbers:
        """Return the mean, then the upper triangles of the covariances."""
        return np.concatenate((self.mean, *(one[np.triu_indices(len(one))] for one in self.covariances)))

    @classmethod
    def unpacked(cls, numbers: Numbers) -> "Belief":
        """Return the belief of such numbers."""
        belief = cls(np.zeros(len(KINDS)))
        belief.mean, start = numbers[: len(KINDS)].copy(), len(KINDS)
        for covariance in belief.covariances:
            above = np.triu_indices(len(covariance))
            covariance[above] = numbers[start : start + len(above[0])]
            covariance += np.triu(covariance, 1).T
            start += len(above[0])
        return belief

    def covariance(self) -> Numbers:
        """Return the covariance of all kinds."""
        found = np.zeros((len(KINDS), len(KINDS)))
        for part, covariance in zip(PARTS, self.covariances, strict=True):
            found[np.ix_(part, part)] = covariance
        return found

    def forget(self, stranger: "Belief") -> None:
        """Be a little less sure, nearer to what is believed of a stranger."""
        self.covariances = [
            (1 - _FORGOTTEN) * mine + _FORGOTTEN * other
            for mine, other in zip(self.covariances, stranger.covariances, strict=True)
        ]

    def move(self, evidence: Evidence) -> None:
        """Take in one choice."""
        # (C^-1 + S'P^-1 S)^-1 = C - C S' (P + S C S')^-1 S C (Woodbury): eight unknowns in place of all kinds.
        slopes, part = evidence.slopes, PARTS[evidence.part]
        before = self.covariances[evidence.part]
        spread = slopes @ before
        within = np.diag(np.maximum(evidence.of_choices, 1e-6)) + spread @ slopes.T
        after = before - spread.T @ np.linalg.solve(within, spread)
        self.covariances[evidence.part] = (after + after.T) / 2
        self.mean[part] += self.covariances[evidence.part] @ evidence.gradient

    def move_leanings(self, gradient: Numbers, information: Numbers) -> None:
        """Take in the gradient of a log-probability by the leanings, and its information."""
        for at, part in enumerate(PARTS):
            leanings = np.flatnonzero(part >= STRONG.start)
            of_part = part[leanings] - STRONG.start
            known, before = information[np.ix_(of_part, of_part)], self.covariances[at]
            spread = before[:, leanings]
            # (C^-1 + I)^-1, by the leanings alone, as in `move`.
            within = np.eye(len(leanings)) + known @ spread[leanings]
            after = before - spread @ np.linalg.solve(within, known @ spread.T)
            self.covariances[at] = (after + after.T) / 2
            self.mean[part] += self.covariances[at][:, leanings] @ gradient[of_part]


class Normal:
    """A normal belief about a few numbers: their mean, and the inverse of the covariance."""

    def __init__(self, mean: Sequence[float], spreads: Sequence[float]) -> None:
        self.mean: Numbers = np.array(mean, np.float64)
        self.certainty: Numbers = np.diag(1 / np.square(spreads))

    def packed(self) -> Numbers:
        """Return the mean, then the inverse of the covariance: shape (n + n * n,)."""
        return np.concatenate((self.mean, self.certainty.ravel()))

    def set_to(self, numbers: Numbers) -> None:
        """Be what such numbers say."""
        count = len(self.mean)
        self.mean, self.certainty = numbers[:count].copy(), numbers[count:].reshape(count, count).copy()

    def is_possible(self) -> bool:
        """Return whether the covariance can be one."""
        return bool(np.linalg.eigvalsh(self.certainty).min() > 0)

    def forget(self, stranger: "Normal") -> None:
        """Be a little less sure, nearer to what is believed of a stranger."""
        mine, other = np.linalg.inv(self.certainty), np.linalg.inv(stranger.certainty)
        self.certainty = np.asarray(np.linalg.inv((1 - _FORGOTTEN) * mine + _FORGOTTEN * other))

    def move(self, gradient: Numbers, information: Numbers) -> None:
        """Take in the gradient of a log-probability and its information."""
        self.certainty = self.certainty + information
        self.mean = self.mean + np.linalg.solve(self.certainty, gradient)


PACKED = len(KINDS) + sum(len(part) * (len(part) + 1) // 2 for part in PARTS)
PACKED_SHARPNESS, PACKED_FOLDING = 2 + 2 * 2, 6 + 6 * 6
PACKED_PLAYER = 2 * PACKED + 1 + PACKED_SHARPNESS
"""How many numbers there are in a belief, in one of the sharpness, of folding, and in one of a player."""


class PlayerBelief:
    """What is believed of a player.

    Attributes
    ----------
    beliefs : tuple of two Belief
        If they are a usual player, and if they are not.
    odds : float
        Log-odds of their being an unusual one.
    sharpness : Normal
        By how much their exponents differ from those of all.
    """

    def __init__(self, spreads: Spreads) -> None:
        self.beliefs = tuple(Belief(spreads.of_player(at), spreads.expected_of_player(at)) for at in range(2))
        self.odds = spreads.unusual
        self.sharpness = Normal((0.0, 0.0), (spreads.player_sharpness,) * 2)

    @property
    def shares(self) -> tuple[float, float]:
        """How probable it is that they are a usual player, and that they are not."""
        unusual = 1 / (1 + exp(-self.odds))
        return 1 - unusual, unusual

    def mean(self) -> Numbers:
        """Return the numbers of all kinds that are expected: shape (len(KINDS),)."""
        usual, unusual = self.shares
        return np.asarray(usual * self.beliefs[0].mean + unusual * self.beliefs[1].mean)

    def spread(self, shares_of_kinds: Numbers) -> float:
        """Return the standard deviation of a sum of shares of all kinds: of a tilt, by the design of its choice."""
        means = [float(shares_of_kinds @ one.mean) for one in self.beliefs]
        mean = sum(share * one for share, one in zip(self.shares, means, strict=True))
        variances = [float(shares_of_kinds @ one.covariance() @ shares_of_kinds) for one in self.beliefs]
        of_all = zip(self.shares, means, variances, strict=True)
        return sqrt(sum(share * (variance + (one - mean) ** 2) for share, one, variance in of_all))

    def packed(self) -> Numbers:
        """Return both beliefs, the log-odds and the sharpness: shape (PACKED_PLAYER,)."""
        return np.concatenate((*(one.packed() for one in self.beliefs), [self.odds], self.sharpness.packed()))

    @classmethod
    def unpacked(cls, numbers: Numbers) -> "PlayerBelief":
        """Return the player of such numbers."""
        player = cls(OF_PEOPLE)
        first, second, odds, sharpness = np.split(numbers, [PACKED, 2 * PACKED, 2 * PACKED + 1])
        player.beliefs = Belief.unpacked(first), Belief.unpacked(second)
        player.odds = float(odds[0])
        player.sharpness.set_to(sharpness)
        return player

    def forget(self, stranger: "PlayerBelief") -> None:
        """Be a little less sure, nearer to what is believed of a stranger."""
        for mine, other in zip(self.beliefs, stranger.beliefs, strict=True):
            mine.forget(other)
        self.sharpness.forget(stranger.sharpness)

    def move(self, usual: Evidence, unusual: Evidence) -> None:
        """Take in one choice, as it looks by either belief."""
        first, second = self.beliefs
        first.move(usual)
        second.move(unusual if usual.is_shown else _with_less_of_leanings(unusual))
        odds = self.odds + log(unusual.probability / usual.probability)
        self.odds = min(max(odds, -MOST_ODDS), MOST_ODDS)


def _with_less_of_leanings(evidence: Evidence) -> Evidence:
    """Return what a choice with hidden cards says of an unusual player."""
    scale = np.ones(len(KINDS))
    scale[STRONG] = _OF_HIDDEN_CARDS
    scale = scale[PARTS[evidence.part]]
    return evidence._replace(gradient=evidence.gradient * scale, slopes=evidence.slopes * scale)


def evidence_of(choice: Choice, probabilities: Numbers, combos: Numbers) -> Evidence:
    """Return what a choice says, as `Adaptation.learn` takes it."""
    situation, strengths = choice.situation, choice.strengths
    part = int(situation.street > Street.PREFLOP)
    of_choices = combos @ probabilities
    done = max(float(of_choices[situation.choice]), 1e-12)
    chosen = combos * probabilities[:, situation.choice] / done
    found = []
    for weights in (np.ones_like(strengths), strengths):
        weighted = probabilities * weights
        gradient = -(chosen @ weighted)
        gradient[situation.choice] += chosen @ weights[:, situation.choice]
        # The derivative of the choices' probabilities by what is added to their log-odds.
        slopes = np.diag(combos @ weighted) - (probabilities * combos[:, None]).T @ weighted
        found.append(np.vstack((gradient, slopes)))
    both = found[0] @ choice.design
    both[:, STRONG] = found[1] @ leaning_design(stage_of(situation))
    both = both[:, PARTS[part]]
    return Evidence(part, both[0], both[1:], of_choices, done, len(combos) == 1)
