"""How a player's own history shifts the model: population, style, player.

A player who raises more than the model expects raises more hands, and those added are the ones that were nearest
to raising; and with which hands somebody does something differs, too. So what is learned are *tilts* and *leanings*
(`engine.agents.learned.tilts`). A tilt is a sum of what the `KINDS` of a situation share, at three levels that
shrink one another:

- *population*: what all players of these hands have in common against the players the model was trained on;
- *style*: a player's looseness and aggression before and after the flop, whatever the situation, and how much less
  or more their looseness before it goes by the spot than most players' does;
- *player*: a tilt of their own in each context (unopened, facing a raise or a 3-bet before and after having come
  in; after the flop, per street betting or facing a bet, and facing a raise, facing a bet after a checked street,
  betting as the last raiser and into them), a leaning to bigger sizes, and for each of `LEANINGS` how often they do
  it and how strong the hands are that they do it with.

Every level has a normal prior around 0, a player two: one around 0, and at the app's tables one around what
programs do. What is seen of them finds the likelier one (`engine.agents.learned.beliefs`). After each hand every
choice moves them: of the very combo where hole cards are shown, else of the mean over the range read so far, which
says less. Shown cards besides move leanings to where these would have been likeliest of all combos, every action of
the hand counted: how often somebody acts is more than tilts follow, and what P(action | combo) alone makes of that
are ranges that do not fit what is shown. What the choices do not explain *sharpness* does, the exponent of the
likelihoods without leanings, before the flop and after it, nearly all of it common to all players: it starts at 1
and moves as leanings do by shown cards. Of the player who reads nothing is learned: they are not among those they
read.

From one session to the next goes what was learned of players, and nothing else. What all have in common is of the
table it was learned at: strangers at another one may be of any style, so they are read as strangers are, and who is
forgotten leaves no trace in it. A player's numbers as they are kept have the population's share in them, since that
shifted how the player was read; at the next table all that is common begins as for strangers again, the sharpness
too, most of which is common. Players change: what is kept counts for a little less each time, so that later choices
still move it.
"""

import logging
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import KnownPlayer
from engine.agents.learned.beliefs import (
    MOST_ODDS,
    OF_PEOPLE,
    PACKED,
    PACKED_FOLDING,
    PACKED_PLAYER,
    PACKED_SHARPNESS,
    Belief,
    Normal,
    PlayerBelief,
    Spreads,
    evidence_of,
)
from engine.agents.learned.folding import learn_answer
from engine.agents.learned.situations import Situation
from engine.agents.learned.tilts import (
    CONTEXTS,
    KINDS,
    LEANINGS,
    MOST_LEANING,
    STAGES,
    STRONG,
    Choice,
    Numbers,
    context_of,
    leaned,
    leaning_design,
    leaning_factors,
    stage_of,
    tilted,
)
from engine.cards import Street, frozen
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import Action
from engine.game.observation import Observation

_log = logging.getLogger(__name__)


_DEEDS = np.array([0, 1, 1, 2, 2, 2, 2, 2])
"""Of each choice: whether it is a fold, a check or call, or a bet or raise."""

_NO_COUNTS = frozen(np.zeros((len(CONTEXTS), 2, 3)))

_SHARPNESS_BOUNDS = 0.2, 1.0
"""A few odd showdowns may not turn likelihoods round, nor sharpen them beyond reason."""


class _PlayerModel(Struct, frozen=True):
    """A player as they are kept between sessions; `numbers` are float32, as `PlayerBelief.packed`.

    What `fold_odds` has is of so many bets that they alone `answered`.
    """

    kinds: int
    numbers: bytes
    counts: bytes = b""
    fold_odds: bytes = b""
    answered: int = 0


_KINDS_MARK = zlib.crc32("\n".join(KINDS).encode())
"""Marks what was learned by the same `KINDS`."""


def _player_of(player: KnownPlayer) -> PlayerBelief:
    model = unpack(player.model, _PlayerModel)
    if model.kinds != _KINDS_MARK:
        raise StoredDataError("It was learned by another version.")
    found = PlayerBelief.unpacked(_numbers_of(model.numbers, (PACKED_PLAYER,), "<f4"))
    covariances = [one for belief in found.beliefs for one in belief.covariances]
    if any(np.linalg.eigvalsh(one).min() < _LEAST_EIGENVALUE for one in covariances):
        raise StoredDataError("Its covariance is none.")
    if not found.sharpness.is_possible():
        raise StoredDataError("Its sharpness is none.")
    if abs(found.odds) > MOST_ODDS:
        raise StoredDataError("Its odds are beyond what they can be.")
    return found


_LEAST_EIGENVALUE = -1e-6  # what float32 may make of 0
_MOST_FOLDING = 100.0
_LEAST = 1e-12  # of a probability whose logarithm is taken


def belief_of(player: KnownPlayer) -> tuple[Numbers, Numbers]:
    """Return the mean and the covariance of what is kept of a player, by `KINDS`.

    It is the likelier one of both beliefs.

    Raises
    ------
    StoredDataError
        If it is damaged or was learned by other `KINDS`.
    """
    found = _player_of(player)
    belief = found.beliefs[int(found.odds > 0)]
    return belief.mean, belief.covariance()


def readable(player: KnownPlayer) -> KnownPlayer | None:
    """Return what is kept of a player without a model that is another version's; None if nothing is left."""
    try:
        belief_of(player)
    except StoredDataError:
        return KnownPlayer(0, b"", player.counted, player.counts) if player.counts else None
    return player


class _Memory(Struct, frozen=True):
    """What an `Adaptation` has learned, its numbers as little-endian float64."""

    population: bytes
    sharpness: bytes
    players: dict[str, bytes]
    choices: dict[str, int]
    counts: dict[str, bytes]
    fold_odds: dict[str, bytes] = {}
    answered: dict[str, int] = {}


def _bytes_of(numbers: Numbers) -> bytes:
    return numbers.astype("<f8").tobytes()


def _numbers_of(data: bytes, shape: tuple[int, ...], kind: str = "<f8") -> Numbers:
    size = int(np.dtype(kind).itemsize * np.prod(shape))
    if len(data) != size:
        raise StoredDataError(f"What was stored has {len(data)} bytes where {size} are needed.")
    numbers = np.frombuffer(data, dtype=kind).reshape(shape).astype(np.float64)
    if not np.isfinite(numbers).all():
        raise StoredDataError("What was stored has numbers that are none.")
    return numbers


def _leanings_at(stage: int, numbers: Numbers) -> Numbers:
    """Return how much each choice leans to strong hands at a stage: shape (8,)."""
    return np.asarray(leaning_design(stage) @ np.clip(numbers[STRONG], -MOST_LEANING, MOST_LEANING))


def _logs_of(numbers: Numbers, choices: Sequence[Choice]) -> tuple[Numbers, Numbers, Numbers]:
    """Return by combo the sums over choices of ln P(choice | combo) and of its slopes.

    Before and after the flop without leanings, shape (2, n), what leanings add to both, (n,), and the slope by each
    leaning, (len(LEANINGS), n).
    """
    count = len(choices[0].strengths)
    plain, leaned, slopes = np.zeros((2, count)), np.zeros(count), np.zeros((len(LEANINGS), count))
    for situation, design, probabilities, strengths in choices:
        stage, choice = stage_of(situation), situation.choice
        without = tilted(probabilities, design @ numbers)
        factors = leaning_factors(without, _leanings_at(stage, numbers), strengths)
        plain[int(situation.street > Street.PREFLOP)] += np.log(np.maximum(without[:, choice], _LEAST))
        leaned += np.log(factors[:, choice])
        leaning = leaning_design(stage)
        by_choice = without * factors * strengths
        slopes += (strengths[:, [choice]] * leaning[choice] - by_choice @ leaning).T
    return plain, leaned, slopes


def _evidence(features: Numbers, logs: Numbers, live: NDArray[np.bool_], combo: int) -> tuple[Numbers, Numbers]:
    """Return the gradient of ln P(combo) by what its features are multiplied with, and the information.

    P(combo) ~ exp(logs) is an exponential family in them, whose information is their covariance.
    """
    shares = np.where(live, np.exp(logs - logs[live].max()), 0)
    shares /= shares.sum()
    deviations = features - (features @ shares)[:, None]
    return deviations[:, combo], (deviations * shares) @ deviations.T


class Adaptation:
    """What has been learned of the players met so far, by name."""

    def __init__(self, spreads: Spreads = OF_PEOPLE) -> None:
        self._spreads, self._stranger = spreads, PlayerBelief(spreads)
        self._population = Belief(spreads.of_population())
        self._players: dict[str, PlayerBelief] = {}
        self._sharpness = Normal((1.0, 1.0), (spreads.sharpness,) * 2)
        self._folding: dict[str, Normal] = {}
        self._answers: dict[str, int] = {}
        self._choices: dict[str, int] = {}
        self._counts: dict[str, Numbers] = {}

    def tilt(self, name: str | None, design: Numbers) -> Numbers:
        """Return what is added to the log-odds of each choice of a player, or of a stranger: shape (8,)."""
        return np.asarray(design @ self.numbers(name))

    def spread(self, name: str, shares_of_kinds: Numbers) -> float:
        """Return the standard deviation of a sum of shares of all kinds, by what is believed of a player."""
        return self._players.get(name, self._stranger).spread(shares_of_kinds)

    def sharpness(self, name: str) -> Numbers:
        """Return the exponents of a player's likelihoods before and after the flop: shape (2,), at first 1."""
        numbers = self._sharpness.mean + self._players.get(name, self._stranger).sharpness.mean
        return np.asarray(np.clip(numbers, *_SHARPNESS_BOUNDS))

    def leanings(self, name: str) -> Numbers:
        """Return how much each choice of a player leans to strong hands, by stage: shape (STAGES, 8)."""
        numbers = self.numbers(name)
        return np.array([_leanings_at(stage, numbers) for stage in range(STAGES)])

    def learn_shown(self, name: str, choices: Sequence[Choice], live: NDArray[np.bool_], combo: int) -> None:
        """Take in shown hole cards, as one of the combos that the choices leave more or less probable.

        Parameters
        ----------
        choices : sequence of Choice
            All of the player's choices of the hand.
        live : ndarray of bool, shape (n,)
            The combos that the board leaves.
        combo : int
            Which one was shown, of the n.
        """
        player = self._players.setdefault(name, PlayerBelief(self._spreads))
        plain, leaned, _ = _logs_of(self.numbers(name), choices)
        evidence = _evidence(plain, self.sharpness(name) @ plain + leaned, live, combo)
        self._sharpness.move(*evidence)
        self._sharpness.mean = np.clip(self._sharpness.mean, *_SHARPNESS_BOUNDS)
        player.sharpness.move(*evidence)
        found = []
        for belief in player.beliefs:
            plain, leaned, slopes = _logs_of(self._population.mean + belief.mean, choices)
            found.append(_evidence(slopes, self.sharpness(name) @ plain + leaned, live, combo))
        for belief, of_belief in zip(player.beliefs, found, strict=True):
            belief.move_leanings(*of_belief)
        (first, second), (usual, unusual) = found, player.shares
        self._population.move_leanings(
            usual * first[0] + unusual * second[0], usual * first[1] + unusual * second[1]
        )

    def folding(self, name: str | None = None) -> Normal:
        """Return what is believed of the folds to bets of a player, or of a stranger."""
        known = self._folding.get(name) if name is not None else None
        return known or Normal(self._spreads.folding, self._spreads.folding_spreads)

    def answers(self, name: str) -> int:
        """Return how many answers to bets the folding of a player has been learned from."""
        return self._answers.get(name, 0)

    def learn_answer(
        self, observation: Observation, bet: Action, expected: float, *, ahead: float, did_fold: bool
    ) -> None:
        """Take in what the only opponent did about a bet that they were expected to fold to so often."""
        name = observation.opponents[0].name
        belief = self._folding.setdefault(name, self.folding(name))
        learn_answer(belief, observation, bet, expected, ahead=ahead, did_fold=did_fold)
        self._answers[name] = self.answers(name) + 1

    def choices(self, name: str) -> int:
        """Return how many choices of a player have been learned from."""
        return self._choices.get(name, 0)

    def counts(self, name: str) -> Numbers:
        """Return how often a player folded, checked or called, and bet or raised in each context, and the usual.

        Shape (16, 2, 3), by context: first what they did, then the sum of what an average player's probabilities
        were in the same situations.
        """
        return self._counts.get(name, _NO_COUNTS)

    def count(self, name: str, situation: Situation, usual: Numbers) -> None:
        """Count a choice of a player in its context; `usual` are an average player's probabilities, shape (8,)."""
        counts = self._counts[name] = self.counts(name).copy()
        counts[context_of(situation), 0, _DEEDS[situation.choice]] += 1
        np.add.at(counts[context_of(situation), 1], _DEEDS, usual)

    def as_usual_and_unusual(self, name: str, choice: Choice) -> tuple[Numbers, Numbers]:
        """Return P(choice | combo) of a player if they are a usual one and if not, each of shape (n, 8)."""
        player = self._players.get(name, self._stranger)
        found = []
        for belief in player.beliefs:
            numbers = self._population.mean + belief.mean
            tilt, leanings = choice.design @ numbers, _leanings_at(stage_of(choice.situation), numbers)
            found.append(leaned(choice.probabilities, tilt, leanings, choice.strengths))
        return found[0], found[1]

    def share_of_unusual(self, name: str) -> float:
        """Return how probable it is that a player is an unusual one."""
        return self._players.get(name, self._stranger).shares[1]

    def learn(self, name: str, choice: Choice, probabilities: tuple[Numbers, Numbers], combos: Numbers) -> None:
        """Take in one choice of a player.

        Parameters
        ----------
        probabilities : two ndarrays of float64, shape (n, 8)
            P(choice | combo) as `as_usual_and_unusual` has it.
        combos : ndarray of float64, shape (n,)
            How probable each combo was before the choice; 1 for the one that was shown. Sums to 1.
        """
        player = self._players.setdefault(name, PlayerBelief(self._spreads))
        first, second = (evidence_of(choice, one, combos) for one in probabilities)
        usual, unusual = player.shares
        of_all = first._replace(
            gradient=usual * first.gradient + unusual * second.gradient,
            slopes=usual * first.slopes + unusual * second.slopes,
            of_choices=usual * first.of_choices + unusual * second.of_choices,
        )
        self._population.move(of_all)
        player.move(first, second)
        self._choices[name] = self.choices(name) + 1

    def memory(self) -> bytes:
        """Return all that was learned, packed: about 16 kB per player.

        The same for the same hands, in whatever order players were met.
        """
        return pack(
            _Memory(
                population=_bytes_of(self._population.packed()),
                players={name: _bytes_of(player.packed()) for name, player in sorted(self._players.items())},
                choices=dict(sorted(self._choices.items())),
                sharpness=_bytes_of(self._sharpness.packed()),
                counts={name: _bytes_of(counts) for name, counts in sorted(self._counts.items())},
                fold_odds={name: _bytes_of(belief.packed()) for name, belief in sorted(self._folding.items())},
                answered=dict(sorted(self._answers.items())),
            )
        )

    def recall(self, memory: bytes) -> None:
        """Take such a memory in the place of its own; one damaged or of other `KINDS` is a `StoredDataError`."""
        stored = unpack(memory, _Memory)
        population = Belief.unpacked(_numbers_of(stored.population, (PACKED,)))
        sharpness = Normal((1.0, 1.0), (1.0, 1.0))
        sharpness.set_to(_numbers_of(stored.sharpness, (PACKED_SHARPNESS,)))
        players = {
            name: PlayerBelief.unpacked(_numbers_of(numbers, (PACKED_PLAYER,)))
            for name, numbers in stored.players.items()
        }
        counts = {name: _numbers_of(numbers, _NO_COUNTS.shape) for name, numbers in stored.counts.items()}
        folding = {name: self._folding_of(numbers) for name, numbers in stored.fold_odds.items()}
        self._population, self._sharpness, self._players = population, sharpness, players
        self._choices, self._counts = dict(stored.choices), counts
        self._folding, self._answers = folding, dict(stored.answered)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what goes to the next session of each player, about 8 kB."""
        return {name: KnownPlayer(self.choices(name), pack(self._model(name))) for name in self._players}

    def _model(self, name: str) -> _PlayerModel:
        kept = PlayerBelief.unpacked(self._players[name].packed())
        for belief in kept.beliefs:
            belief.mean += self._population.mean
        numbers = kept.packed().astype("<f4").tobytes()
        folding = _bytes_of(self._folding[name].packed()) if name in self._folding else b""
        return _PlayerModel(_KINDS_MARK, numbers, _bytes_of(self.counts(name)), folding, self.answers(name))

    def _folding_of(self, numbers: bytes) -> Normal:
        """Return a belief that was stored; a `StoredDataError` if it can be nobody's."""
        found = self.folding()
        found.set_to(_numbers_of(numbers, (PACKED_FOLDING,)))
        if not found.is_possible() or np.abs(found.mean).max() > _MOST_FOLDING:
            raise StoredDataError("What is stored of folds to bets can be nobody's.")
        return found

    def meet(self, players: Mapping[str, KnownPlayer]) -> None:
        """Begin with what is kept of players; what cannot be read is left out, with a line in the log."""
        for name, player in players.items():
            if not player.model:
                continue
            try:
                known = _player_of(player)
                kept = unpack(player.model, _PlayerModel)
                counts = _numbers_of(kept.counts, _NO_COUNTS.shape) if kept.counts else _NO_COUNTS
                folding = self._folding_of(kept.fold_odds) if kept.fold_odds else None
            except StoredDataError as error:
                _log.warning("What is kept of a player is left out: %s", error)
                continue
            known.forget(PlayerBelief(self._spreads))
            self._players[name] = known
            self._counts[name] = counts
            self._choices[name] = player.choices
            if folding is not None:
                folding.forget(self.folding())
                self._folding[name], self._answers[name] = folding, kept.answered

    def numbers(self, name: str | None) -> Numbers:
        """Return what the tilt of a player, or of a stranger, is made of, the population's share included.

        Shape (len(KINDS),).
        """
        player = self._stranger if name is None else self._players.get(name, self._stranger)
        return np.asarray(self._population.mean + player.mean())
