"""How a player's own history shifts the model: population, style, player.

A player who raises more than the model expects raises more hands, and those added are the ones that were nearest
to raising. So what is learned is a *tilt*: a number per kind of choice, added to the log-odds of that choice
for every combo alike. A tilt of 1 on raising turns a raise of 10% into 23%, one of 90% into 96%.

A tilt is a sum of what the `KINDS` of a situation share, at three levels that shrink one another:

- *population*: what all players of these hands have in common against the players the model was trained on;
- *style*: a player's looseness and aggression before and after the flop, whatever the situation;
- *player*: a tilt of their own in each context (unopened, facing a raise, facing a 3-bet, and per street betting or
  facing a bet), and a leaning to bigger sizes.

With which hands somebody does something differs, too: each of `LEANINGS`, for all players and for each one, is
added to the log-odds of a choice with the best hand, taken from them with the worst, and in between with the others
by how many hands are weaker. So it is a part of P(choice | combo) like a tilt, and the same in reading and in hands
played out (`engine.kernels.playing`). What the choices do not explain *sharpness* does, the exponent of the
likelihoods, before the flop and after it, nearly all of it common to all players: it moves to where shown cards
would have been likeliest, every action of the hand counted.

Every level starts at 0, the sharpness at 1, with a normal prior; `_SPREADS` are the standard deviations. After
each hand the tilts move by one Newton step of the log-probability of each choice, under the normal approximation of
the posterior (as in an extended Kalman filter): of the very combo where hole cards are shown, else of the mean over
the range read so far, which moves the tilt less.

From one session to the next goes what was learned of players, and nothing else. What all have in common is of the
table it was learned at: strangers at another one may be of any style, so they are read as strangers are, and who is
forgotten leaves no trace in it. A player's tilt as it is kept has the population's share in it, since that shifted
how the player was read, and so have the leanings; at the next table all that is common
begins as for strangers again, the sharpness too, most of which is common. Players change: what is kept counts for
a little less each time, so that later choices still move it.
"""

import logging
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import KnownPlayer
from engine.agents.learned.situations import (
    CHOICES,
    POSTFLOP_FEATURES,
    PREFLOP_FEATURES,
    ActionChoice,
    Situation,
)
from engine.cards import Street
from engine.codec import StoredDataError, pack, unpack

_log = logging.getLogger(__name__)

Numbers = NDArray[np.float64]

CONTEXTS = (
    "unopened",
    "facing a raise",
    "facing a 3-bet",
    "may check before the flop",
    "betting the flop",
    "betting the turn",
    "betting the river",
    "facing a bet on the flop",
    "facing a bet on the turn",
    "facing a bet on the river",
)

KINDS = (
    "looseness before the flop",
    "aggression before the flop",
    "looseness after the flop",
    "aggression after the flop",
    "size before the flop",
    "size after the flop",
    *(f"looseness, {context}" for context in CONTEXTS),
    *(f"aggression, {context}" for context in CONTEXTS),
    "looseness, facing an overbet before the flop",
    "looseness, facing an overbet after the flop",
)
"""What a tilt is a sum of. Looseness: going on in place of folding; aggression: betting or raising."""


@dataclass(frozen=True)
class Spreads:
    """Standard deviations of the tilts' priors, in log-odds, and of the sharpness, whose prior mean is 1.

    Chosen among a few by the log-loss on two tables of the app's styles and on part of the hands of pluribus that
    were kept apart: the wider they are, the better programs are read, and the worse people (`docs/reading.md`).
    """

    population: float = 0.5
    style: float = 0.6
    size: float = 0.5
    player: float = 0.5
    sharpness: float = 0.4
    leaning: float = 0.4
    player_leaning: float = 0.4
    player_sharpness: float = 0.1


_SPREADS = Spreads()

_DEEDS = np.array([0, 1, 1, 2, 2, 2, 2, 2])
"""Of each choice: whether it is a fold, a check or call, or a bet or raise."""

_NO_COUNTS = np.zeros((len(CONTEXTS), 2, 3))
_NO_COUNTS.setflags(write=False)

_FORGOTTEN = 0.1
"""How far the covariance of what is kept goes back to a stranger's with every session."""

_SHARPNESS_BOUNDS = 0.2, 1.0
"""A few odd showdowns may not turn likelihoods round, nor sharpen them beyond reason."""


LEANINGS = (
    "raising before the flop",
    "calling before the flop",
    "betting less than three quarters of a pot after the flop",
    "betting more after the flop",
    "calling after the flop",
    "checking after the flop",
)
"""What somebody may do with better or worse hands than most who do it as often."""

_AS_READ = np.array([1.0, 1.0] + [0.0] * len(LEANINGS))

_MOST_LEANING = 5.0
"""e^10 between the best hand and the worst."""


def _leaning_of(choice: ActionChoice, *, is_preflop: bool) -> int | None:
    if is_preflop:
        return {ActionChoice.CHECK: None, ActionChoice.FOLD: None, ActionChoice.CALL: 1}.get(choice, 0)
    if choice >= ActionChoice.RAISE_LARGE:
        return 3
    return {ActionChoice.FOLD: None, ActionChoice.CALL: 4, ActionChoice.CHECK: 5}.get(choice, 2)


@cache
def _leaning_design(*, is_preflop: bool) -> Numbers:
    """Return which of `LEANINGS` each choice has: shape (8, len(LEANINGS)), read-only."""
    found = np.zeros((CHOICES, len(LEANINGS)))
    for choice in ActionChoice:
        at = _leaning_of(choice, is_preflop=is_preflop)
        if at is not None:
            found[choice, at] = 1
    found.setflags(write=False)
    return found


def context_of(situation: Situation) -> int:
    """Return the index into `CONTEXTS` of a situation."""
    faces_bet = bool(situation.possible[ActionChoice.FOLD]) or bool(situation.possible[ActionChoice.CALL])
    if situation.street is Street.PREFLOP:
        return min(situation.raises, 2) if faces_bet else 3
    return situation.street + (6 if faces_bet else 3)


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


@cache
def design(context: int, *, overbet: bool = False) -> Numbers:
    """Return how much of each kind is in the tilt of each choice: shape (8, len(KINDS)), read-only.

    Half of what is known of answers to usual bets goes for overbets.
    """
    rows = np.zeros((CHOICES, len(KINDS)))
    after = int(context > 3)
    raises = slice(ActionChoice.RAISE_SMALL, ActionChoice.ALL_IN + 1)
    faces_bet = context in (0, 1, 2, 7, 8, 9)
    if faces_bet:
        going_on = [ActionChoice.CALL, *range(ActionChoice.RAISE_SMALL, CHOICES)]
        rows[going_on, 2 * after] = rows[going_on, 6 + context] = _CARRIED_OVER if overbet else 1
        rows[going_on, len(KINDS) - 2 + after] = float(overbet)
    rows[raises, 2 * after + 1] = rows[raises, 6 + len(CONTEXTS) + context] = 1
    rows[raises, 4 + after] = np.array([-1.0, -0.4, 0.2, 0.8, 1.0])
    rows.setflags(write=False)
    return rows


def _design_of(situation: Situation) -> Numbers:
    return design(context_of(situation), overbet=is_overbet(situation))


_LAST_RAISE, _POT_ODDS = PREFLOP_FEATURES.index("last raise over the pot"), POSTFLOP_FEATURES.index("pot odds")


class _Belief:
    """A normal belief about the numbers of all kinds."""

    def __init__(self, spreads: Numbers) -> None:
        self.mean: Numbers = np.zeros(len(KINDS))
        self.covariance: Numbers = np.diag(spreads**2)

    def memory(self) -> bytes:
        return _bytes_of(np.vstack((self.mean, self.covariance)))

    @classmethod
    def recalled(cls, memory: bytes) -> "_Belief":
        numbers = _numbers_of(memory, (len(KINDS) + 1, len(KINDS)))
        belief = cls(np.zeros(len(KINDS)))
        belief.mean, belief.covariance = numbers[0].copy(), numbers[1:].copy()
        return belief

    def move(self, rows: Numbers, gradient: Numbers, information: Numbers) -> None:
        """Take in one observation: its `design`, and the gradient and information by the choices' tilts."""
        # (C^-1 + R'IR)^-1 = C - C R' (1 + I R C R')^-1 I R C (Woodbury): eight unknowns in place of all kinds.
        spread = rows @ self.covariance
        shrunk = np.linalg.solve(np.eye(CHOICES) + information @ (spread @ rows.T), information @ spread)
        self.covariance = self.covariance - spread.T @ shrunk
        self.mean = self.mean + self.covariance @ (gradient @ rows)


class _Corrections:
    """Two exponents of readings, then `LEANINGS`, normally distributed."""

    def __init__(self, mean: Numbers, spreads: Numbers) -> None:
        self.mean = mean
        self.certainty: Numbers = np.diag(1 / spreads**2)

    @property
    def covariance(self) -> Numbers:
        return np.asarray(np.linalg.inv(self.certainty))

    def memory(self) -> bytes:
        return _bytes_of(np.vstack((self.mean, self.certainty)))

    def recall(self, memory: bytes) -> None:
        size = len(self.mean)
        numbers = _numbers_of(memory, (size + 1, size))
        self.mean, self.certainty = numbers[0].copy(), numbers[1:].copy()

    def begin_with(self, covariance: Numbers) -> None:
        """Begin with what is kept, which counts for a little less than it did."""
        self.certainty = np.asarray(np.linalg.inv((1 - _FORGOTTEN) * covariance + _FORGOTTEN * self.covariance))

    def move(self, gradient: Numbers, information: Numbers) -> None:
        self.certainty = self.certainty + information
        self.mean = self.mean + np.linalg.solve(self.certainty, gradient)


class _PlayerModel(Struct, frozen=True):
    """A player's belief as it is kept between sessions: float32, the mean, then the covariance's upper triangle."""

    kinds: int
    numbers: bytes
    counts: bytes = b""
    leanings: int = 0
    shown: bytes = b""


_KINDS_MARK = zlib.crc32("\n".join(KINDS).encode())
"""Marks what was learned by the same `KINDS`."""
_LEANINGS_MARK = zlib.crc32("\n".join(LEANINGS).encode())


def _packed(mean: Numbers, covariance: Numbers) -> bytes:
    return np.concatenate((mean, covariance[np.triu_indices(len(mean))])).astype("<f4").tobytes()


def _unpacked(data: bytes, size: int) -> tuple[Numbers, Numbers]:
    if len(data) != 4 * (size + size * (size + 1) // 2):
        raise StoredDataError("It has not the numbers that it should have.")
    numbers = np.frombuffer(data, dtype="<f4").astype(np.float64)
    if not np.isfinite(numbers).all():
        raise StoredDataError("It has numbers that are none.")
    covariance = np.zeros((size, size))
    covariance[np.triu_indices(size)] = numbers[size:]
    return numbers[:size], covariance + np.triu(covariance, 1).T


def belief_of(player: KnownPlayer) -> tuple[Numbers, Numbers]:
    """Return the mean and the covariance of what is kept of a player, by `KINDS`.

    Raises
    ------
    StoredDataError
        If it is damaged or was learned by other `KINDS`.
    """
    model = unpack(player.model, _PlayerModel)
    if model.kinds != _KINDS_MARK:
        raise StoredDataError("It was learned by another version.")
    return _unpacked(model.numbers, len(KINDS))


def corrections_of(player: KnownPlayer) -> tuple[Numbers, Numbers] | None:
    """Return the mean and the covariance of a player's sharpness, less what all have in common, and `LEANINGS`.

    None where an earlier version kept nothing of them, or other `LEANINGS`.

    Raises
    ------
    StoredDataError
        If it is damaged.
    """
    model = unpack(player.model, _PlayerModel)
    if not model.shown or model.leanings != _LEANINGS_MARK:
        return None
    mean, covariance = _unpacked(model.shown, len(_AS_READ))
    if np.linalg.eigvalsh(covariance).min() <= 0:
        raise StoredDataError("Its covariance is none.")
    return mean, covariance


def is_readable(player: KnownPlayer) -> bool:
    """Return whether what is kept of a player can be read, which it cannot if it is another version's."""
    try:
        belief_of(player)
    except StoredDataError:
        return False
    return True


class _Memory(Struct, frozen=True):
    """What an `Adaptation` has learned, its numbers as little-endian float64.

    Memories of earlier versions count nothing and say nothing of leanings.
    """

    population: bytes
    players: dict[str, bytes]
    choices: dict[str, int]
    shown: bytes = b""
    counts: dict[str, bytes] = {}
    shown_players: dict[str, bytes] = {}


def _bytes_of(numbers: Numbers) -> bytes:
    return numbers.astype("<f8").tobytes()


def _numbers_of(data: bytes, shape: tuple[int, ...]) -> Numbers:
    if len(data) != 8 * np.prod(shape):
        raise StoredDataError(f"A stored memory has {len(data)} bytes where {8 * np.prod(shape)} are needed.")
    numbers = np.frombuffer(data, dtype="<f8").reshape(shape).astype(np.float64)
    if not np.isfinite(numbers).all():
        raise StoredDataError("A stored memory has numbers that are none.")
    return numbers


class Adaptation:
    """What has been learned of the players met so far, by name."""

    def __init__(self, spreads: Spreads = _SPREADS) -> None:
        self._player_spreads = np.full(len(KINDS), spreads.player)
        self._player_spreads[:4] = spreads.style
        self._player_spreads[4:6] = spreads.size
        self._population = _Belief(np.full(len(KINDS), spreads.population))
        count = len(LEANINGS)
        self._correction_spreads = np.array([spreads.sharpness] * 2 + [spreads.leaning] * count)
        self._common_corrections = _Corrections(_AS_READ.copy(), self._correction_spreads)
        self._player_correction_spreads = np.array(
            [spreads.player_sharpness] * 2 + [spreads.player_leaning] * count
        )
        self._player_corrections: dict[str, _Corrections] = {}
        self._players: dict[str, _Belief] = {}
        self._choices: dict[str, int] = {}
        self._counts: dict[str, Numbers] = {}

    def tilt(self, name: str, situation: Situation) -> Numbers:
        """Return what is added to the log-odds of each choice of a player: shape (8,), at first 0."""
        return np.asarray(_design_of(situation) @ self.numbers(name))

    def corrections(self, name: str) -> Numbers:
        """Return a player's sharpness before and after the flop and their leanings, all players' share included.

        Shape (2 + len(LEANINGS),); at first 1, 1 and zeros.
        """
        player = self._player_corrections.get(name)
        numbers = self._common_corrections.mean + (0.0 if player is None else player.mean)
        numbers[:2] = np.clip(numbers[:2], *_SHARPNESS_BOUNDS)
        numbers[2:] = np.clip(numbers[2:], -_MOST_LEANING, _MOST_LEANING)
        return np.asarray(numbers)

    def leanings(self, name: str) -> Numbers:
        """Return how much each choice of a player leans to strong hands, before the flop and after it: (2, 8)."""
        rows = [_leaning_design(is_preflop=is_preflop) for is_preflop in (True, False)]
        return np.asarray(rows @ self.corrections(name)[2:])

    def learn_shown(self, name: str, features: Numbers, combo: int) -> None:
        """Take in shown hole cards.

        Parameters
        ----------
        features : ndarray of float64, shape (2, n)
            By combo: the sums of ln P(action | combo) before and after the flop.
        combo : int
            Which of the combos was shown.
        """
        odds = self.corrections(name)[:2] @ features
        shares = np.exp(odds - odds.max())
        shares /= shares.sum()
        deviations = features - (features @ shares)[:, None]
        # Newton's step of ln P(combo) by the exponents: an exponential family, whose information is its covariance.
        information = (deviations * shares) @ deviations.T
        self._correct(name, slice(0, 2), deviations[:, combo], information)
        self._common_corrections.mean[:2] = np.clip(self._common_corrections.mean[:2], *_SHARPNESS_BOUNDS)

    def _correct(self, name: str, part: slice, gradient: Numbers, information: Numbers) -> None:
        size = len(_AS_READ)
        every_gradient, every_information = np.zeros(size), np.zeros((size, size))
        every_gradient[part], every_information[part, part] = gradient, information
        player = self._player_corrections.get(name)
        if player is None:
            player = self._player_corrections[name] = _Corrections(np.zeros(size), self._player_correction_spreads)
        self._common_corrections.move(every_gradient, every_information)
        player.move(every_gradient, every_information)

    def choices(self, name: str) -> int:
        """Return how many choices of a player have been learned from."""
        return self._choices.get(name, 0)

    def counts(self, name: str) -> Numbers:
        """Return how often a player folded, checked or called, and bet or raised in each context, and the usual.

        Shape (10, 2, 3), by context: first what they did, then the sum of what an average player's probabilities
        were in the same situations.
        """
        return self._counts.get(name, _NO_COUNTS)

    def count(self, name: str, situation: Situation, usual: Numbers) -> None:
        """Count a choice of a player in its context; `usual` are an average player's probabilities, shape (8,)."""
        counts = self._counts[name] = self.counts(name).copy()
        counts[context_of(situation), 0, _DEEDS[situation.choice]] += 1
        np.add.at(counts[context_of(situation), 1], _DEEDS, usual)

    def learn(
        self, name: str, situation: Situation, probabilities: Numbers, combos: Numbers, strengths: Numbers
    ) -> None:
        """Take in one choice of a player.

        Parameters
        ----------
        probabilities : ndarray of float64, shape (n, 8)
            P(choice | combo) as the tilt and the leanings so far make it.
        combos : ndarray of float64, shape (n,)
            How probable each combo was before the choice; 1 for the one that was shown. Sums to 1.
        strengths : ndarray of float64, shape (n,)
            How strong each combo is, -1 to 1.
        """
        rows = _design_of(situation)
        of_choices = combos @ probabilities
        chosen = combos * probabilities[:, situation.choice]
        chosen /= max(float(chosen.sum()), 1e-12)
        gradient = -(chosen @ probabilities)
        gradient[situation.choice] += 1.0
        # The derivative of the choices' probabilities by their tilts; symmetric.
        slopes = np.diag(of_choices) - (probabilities * combos[:, None]).T @ probabilities
        information = (slopes / np.maximum(of_choices, 1e-6)) @ slopes
        # The same by leanings, which a combo's strength multiplies.
        leaning_rows = _leaning_design(is_preflop=situation.street is Street.PREFLOP)
        by_leanings = -(chosen * strengths) @ probabilities
        by_leanings[situation.choice] += chosen @ strengths
        by_strength = combos * strengths
        slopes = np.diag(by_strength @ probabilities) - (probabilities * by_strength[:, None]).T @ probabilities
        slopes = slopes @ leaning_rows
        certainty = (slopes.T / np.maximum(of_choices, 1e-6)) @ slopes
        self._correct(name, slice(2, None), by_leanings @ leaning_rows, certainty)
        self._population.move(rows, gradient, information)
        player = self._players.get(name)
        if player is None:
            player = self._players[name] = _Belief(self._player_spreads)
        player.move(rows, gradient, information)
        self._choices[name] = self.choices(name) + 1

    def memory(self) -> bytes:
        """Return all that was learned, packed: about 6 kB per player."""
        return pack(
            _Memory(
                population=self._population.memory(),
                shown=self._common_corrections.memory(),
                players={name: belief.memory() for name, belief in self._players.items()},
                choices=self._choices,
                counts={name: _bytes_of(counts) for name, counts in self._counts.items()},
                shown_players={name: shown.memory() for name, shown in self._player_corrections.items()},
            )
        )

    def recall(self, memory: bytes) -> None:
        """Take such a memory in the place of its own; one damaged or of other `KINDS` is a `StoredDataError`."""
        stored = unpack(memory, _Memory)
        population = _Belief.recalled(stored.population)
        size = 2 + len(LEANINGS)
        shown = _Corrections(_AS_READ.copy(), self._correction_spreads)
        if stored.shown:
            shown.recall(stored.shown)
        players = {}
        for name, memory in stored.shown_players.items():
            players[name] = _Corrections(np.zeros(size), self._player_correction_spreads)
            players[name].recall(memory)
        counts = {name: _numbers_of(numbers, _NO_COUNTS.shape) for name, numbers in stored.counts.items()}
        self._players = {name: _Belief.recalled(belief) for name, belief in stored.players.items()}
        self._counts = counts
        self._population, self._common_corrections, self._player_corrections = population, shown, players
        self._choices = dict(stored.choices)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what goes to the next session of each player, about 1.7 kB."""
        return {name: KnownPlayer(self.choices(name), pack(self._model(name))) for name in self._players}

    def _model(self, name: str) -> _PlayerModel:
        shown = self._player_corrections.get(name)
        common = np.concatenate((np.zeros(2), self._common_corrections.mean[2:]))
        return _PlayerModel(
            kinds=_KINDS_MARK,
            numbers=_packed(self.numbers(name), self._players[name].covariance),
            counts=_bytes_of(self.counts(name)),
            leanings=_LEANINGS_MARK if shown else 0,
            shown=_packed(common + shown.mean, shown.covariance) if shown else b"",
        )

    def meet(self, players: Mapping[str, KnownPlayer]) -> None:
        """Begin with what is kept of players; what cannot be read is left out, with a line in the log."""
        for name, player in players.items():
            try:
                mean, covariance = belief_of(player)
                stored = unpack(player.model, _PlayerModel).counts
                counts = _numbers_of(stored, _NO_COUNTS.shape) if stored else _NO_COUNTS
                shown = corrections_of(player)
            except StoredDataError as error:
                _log.warning("What is kept of a player is left out: %s", error)
                continue
            belief = self._players[name] = _Belief(self._player_spreads)
            belief.covariance = (1 - _FORGOTTEN) * covariance + _FORGOTTEN * belief.covariance
            belief.mean = mean
            self._counts[name] = counts
            self._choices[name] = player.choices
            if shown is not None:
                kept = self._player_corrections[name] = _Corrections(shown[0], self._player_correction_spreads)
                kept.begin_with(shown[1])

    def numbers(self, name: str) -> Numbers:
        """Return what a tilt of a player is made of, the population's share included: shape (len(KINDS),)."""
        player = self._players.get(name)
        return self._population.mean if player is None else self._population.mean + player.mean


def tilted(probabilities: NDArray[np.float32], tilt: Numbers, leanings: Numbers, strengths: Numbers) -> Numbers:
    """Return P(choice | combo) of a player, shape (n, 8), rows sum to 1.

    To the log-odds of each choice comes its tilt, and its leaning times how strong the combo is, -1 to 1.
    """
    factors = np.exp(tilt + np.outer(strengths, leanings)) if leanings.any() else np.exp(tilt)
    values = probabilities * factors
    return np.asarray(values / values.sum(axis=1, keepdims=True), dtype=np.float64)
