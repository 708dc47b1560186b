"""Trains the learned reader's networks from recorded hands: `make model`.

Maximum likelihood of the choices that real players made with the hole cards they had. Several networks are trained
from different random starts; the mean of their probabilities is better than any of them, and one network is then
taught to answer like that mean, on many combos per situation, not only on those that were dealt (Hinton, Vinyals
and Dean 2015, "Distilling the Knowledge in a Neural Network"). So the stored model is small and fast.

Trying to fit the posterior itself (the probability of the true combo after all actions) in place of the choices
gained nothing before the flop: 6.113 against 6.112 nats on hands kept apart.

jax and optax, needed for training alone, are the optional dependencies "training".
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.agents.calibration import CALIBRATION_FILE, write_calibration
from engine.agents.learned.combo_features import combo_features, preflop_combo_features
from engine.agents.learned.network import RESOURCE, Model, Network, Networks, as_arrays, at_work, stored
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import CHOICES, Situation, situations
from engine.cards import COMBO_CLASS, Street, combo_of, unblocked
from engine.game.phh import PhhFileError, RecordedHand
from engine.lab.held_out import hands_to_compare, hands_to_train, heads_up_path, training_paths
from engine.lab.reading import Scorer
from engine.lab.reading_report import as_table, calibration_of
from engine.lab.stack_depths import pushed_hands, shallower
from engine.resources import ResourceError

_RAREST = 0.001
"""Share of the choices at either end of a feature, beyond which it counts as the nearest that is not so rare."""

OTHER_COMBOS = 16
"""Combos per board on which the stored network learns the teachers' answers, besides those that were dealt."""


class TrainingError(ValueError):
    """Hands or libraries that are not there; the message says which."""


@dataclass(frozen=True)
class Schedule:
    """How a network is trained.

    Attributes
    ----------
    sizes : tuple of int
        Of the first and second layer.
    networks : int
        How many are trained side by side, from different random starts.
    epochs : int
        Passes through all choices.
    rate : float
        Highest learning rate; it rises over 200 batches and then falls like a cosine.
    decay : float
        Weight decay of AdamW (Loshchilov and Hutter 2019).
    dropout : float
        Share of the first layer's units left out at random; half as many of the second.
    """

    sizes: tuple[int, int]
    networks: int
    epochs: int
    batch: int
    rate: float
    decay: float
    dropout: float


TEACHERS = {
    "preflop": Schedule((96, 48), 8, 24, 1024, 3e-3, 0.05, 0.0),
    "postflop": Schedule((96, 48), 10, 14, 512, 3e-3, 0.05, 0.2),
}
PUPIL = {
    "preflop": Schedule((128, 64), 1, 14, 512, 3e-3, 1e-4, 0.0),
    "postflop": Schedule((128, 64), 1, 20, 512, 3e-3, 1e-4, 0.0),
}

HEADS_UP_TEACHERS = {
    "preflop": Schedule((96, 48), 4, 12, 1024, 3e-3, 0.05, 0.0),
    "postflop": Schedule((96, 48), 4, 8, 512, 3e-3, 0.05, 0.2),
}
HEADS_UP_PUPIL = {
    "preflop": Schedule((128, 64), 1, 8, 512, 3e-3, 1e-4, 0.0),
    "postflop": Schedule((128, 64), 1, 8, 512, 3e-3, 1e-4, 0.0),
}
"""Fewer networks and passes, of more choices."""

PUSHED_HANDS = 15_000
"""Of push or fold, among those that the networks for heads-up are trained on."""

_COMBOS_TAUGHT = 6
"""Combos drawn per situation and pass, of which the pupil is taught the teachers' answers."""


@dataclass(frozen=True)
class Choices:
    """What real players chose, as arrays with one row per choice, on one side of the flop.

    Attributes
    ----------
    situation : ndarray of float32, shape (n, situation features)
    choice : ndarray of int64, shape (n,)
    possible : ndarray of bool, shape (n, 8)
    combo : ndarray of float32, shape (n, combo features)
        Of the hole cards dealt.
    board : ndarray of int64, shape (n,)
        Row of `others`.
    others : ndarray of float32, shape (boards, combos, combo features)
        Other combos of each board; before the flop the 169 hand classes.
    """

    situation: NDArray[np.float32]
    choice: NDArray[np.int64]
    possible: NDArray[np.bool_]
    combo: NDArray[np.float32]
    board: NDArray[np.int64]
    others: NDArray[np.float32]


def hands_of(paths: Iterable[Path], *, is_apart: bool) -> Iterator[RecordedHand]:
    """Return the hands of some files; without those kept apart if a model is to be measured on them."""
    for path in paths:
        if not path.is_file():
            raise TrainingError(f"There is no file {path.name} in the folder of hands.")
        yield from hands_to_train(path, is_apart=is_apart)


def choices_of(hands: Iterable[RecordedHand], seed: int) -> tuple[Choices, Choices]:
    """Return all choices of some hands, before the flop and after it."""
    generator = np.random.default_rng(seed)
    preflop: list[tuple[Situation, NDArray[np.float32], int]] = []
    postflop: list[tuple[Situation, NDArray[np.float32], int]] = []
    others: list[NDArray[np.float32]] = []
    classes = preflop_combo_features()
    for hand in hands:
        combos = [combo_of(*cards) for cards in hand.hole_cards]
        board: tuple[int, ...] = ()
        for situation in situations(hand.events):
            combo = combos[situation.seat]
            if situation.street is Street.PREFLOP:
                preflop.append((situation, classes[COMBO_CLASS[combo]], 0))
                continue
            rows = combo_features(situation.board)
            if situation.board != board:
                board = situation.board
                others.append(rows[generator.choice(np.flatnonzero(unblocked(board)), OTHER_COMBOS, replace=False)])
            postflop.append((situation, rows[combo].copy(), len(others) - 1))
    if not postflop:
        raise TrainingError("There are no hands to learn from.")
    return _stacked(preflop, classes[None]), _stacked(postflop, np.array(others))


def _stacked(rows: Sequence[tuple[Situation, NDArray[np.float32], int]], others: NDArray[np.float32]) -> Choices:
    return Choices(
        np.array([situation.features for situation, _, _ in rows]),
        np.array([situation.choice for situation, _, _ in rows], dtype=np.int64),
        np.array([situation.possible for situation, _, _ in rows]),
        np.array([combo for _, combo, _ in rows]),
        np.array([board for _, _, board in rows], dtype=np.int64),
        others,
    )


def heads_up_hands(hands: Iterable[RecordedHand], seed: int) -> Iterator[RecordedHand]:
    """Return heads-up hands, the same with shorter stacks, and push or fold (`engine.lab.stack_depths`)."""
    generator = np.random.default_rng(seed)
    for hand in hands:
        yield hand
        if (with_less := shallower(hand, generator)) is not None:
            yield with_less
    yield from pushed_hands(PUSHED_HANDS, generator)


def train(
    choices: tuple[Choices, Choices], seed: int, say: Callable[[str], None], *, is_heads_up: bool = False
) -> Networks:
    """Train both networks for a kind of table on the choices before the flop and after it.

    Parameters
    ----------
    seed : int
        Of everything random; the same seed, hands and machine give the same networks.
    say : callable
        Gets a line of progress now and then.

    Raises
    ------
    TrainingError
        If jax or optax are not installed.
    """
    trained = []
    teachers_by, pupil_by = (HEADS_UP_TEACHERS, HEADS_UP_PUPIL) if is_heads_up else (TEACHERS, PUPIL)
    for name, found in zip(Networks._fields, choices, strict=True):
        say(f"{name}: {len(found.choice):,} choices")
        ends = np.quantile(found.situation, (_RAREST, 1 - _RAREST), axis=0).astype(np.float32)
        within = replace(found, situation=np.clip(found.situation, *ends))
        teachers = _fit(within, teachers_by[name], seed, ends, None, say)
        pupil = _fit(within, pupil_by[name], seed + 1, ends, teachers, say)
        layers = Network(*(np.asarray(layer[0], dtype=np.float32) for layer in pupil))
        trained.append(layers._replace(lowest=ends[0], highest=ends[1]))  # weight decay has touched them
    return Networks(*trained)


def _libraries() -> tuple[Any, Any, Any]:
    try:
        jax, jnp, optax = (import_module(name) for name in ("jax", "jax.numpy", "optax"))
    except ImportError:
        raise TrainingError("Training needs jax and optax: pip install soulread[training].") from None
    return jax, jnp, optax


def _start(generator: np.random.Generator, sizes: Sequence[int], ends: NDArray[np.float32]) -> Network:
    """Return a random network with activations of about unit variance (He et al. 2015)."""
    combos, situation, first, second = sizes

    def layer(inputs: int, outputs: int, gain: float) -> NDArray[np.float32]:
        return np.asarray(generator.standard_normal((inputs, outputs)) * gain / np.sqrt(inputs), dtype=np.float32)

    return Network(
        combo=layer(combos, first, 0.7),
        situation=layer(situation, first, 0.7),
        first_bias=np.zeros(first, np.float32),
        hidden=layer(first, second, 1.4),
        second_bias=np.zeros(second, np.float32),
        output=layer(second, CHOICES, 0.5),
        output_bias=np.zeros(CHOICES, np.float32),
        lowest=ends[0],
        highest=ends[1],
    )


def _fit(
    choices: Choices,
    schedule: Schedule,
    seed: int,
    ends: NDArray[np.float32],
    teachers: Network | None,
    say: Callable[[str], None],
) -> Network:
    """Train networks side by side on choices, or one on the teachers' mean; each layer has one axis more."""
    jax, jnp, optax = _libraries()
    generator = np.random.default_rng(seed)
    sizes = choices.combo.shape[1], choices.situation.shape[1], *schedule.sizes
    starts = [_start(generator, sizes, ends) for _ in range(schedule.networks)]
    networks = Network(*(jnp.asarray(np.stack(layers)) for layers in zip(*starts, strict=True)))

    def log_probabilities(network: Network, combo: Any, situation: Any, possible: Any, key: Any) -> Any:
        first = jax.nn.relu(combo @ network.combo + situation @ network.situation + network.first_bias)
        if key is not None:
            first = dropped(first, jax.random.fold_in(key, 0), schedule.dropout)
        second = jax.nn.relu(first @ network.hidden + network.second_bias)
        if key is not None:
            second = dropped(second, jax.random.fold_in(key, 1), schedule.dropout / 2)
        numbers = jnp.where(possible, second @ network.output + network.output_bias, -1e9)
        return jax.nn.log_softmax(numbers)

    def dropped(values: Any, key: Any, share: float) -> Any:
        return values * jax.random.bernoulli(key, 1 - share, values.shape) / (1 - share)

    def loss(network: Network, batch: tuple[Any, ...], key: Any) -> Any:
        combo, situation, possible, wanted = batch
        logs = log_probabilities(network, combo, situation, possible, key if schedule.dropout else None)
        return -jnp.mean(jnp.sum(jnp.where(possible, wanted * logs, 0.0), axis=-1))

    def answers(combo: Any, situation: Any, possible: Any) -> Any:
        logs = jax.vmap(lambda one: log_probabilities(one, combo, situation, possible, None))(teachers)
        return jnp.exp(logs).mean(axis=0)

    answers_of = jax.jit(answers)

    batches = len(choices.choice) // schedule.batch
    steps = max(schedule.epochs * batches, 201)
    optimiser = optax.adamw(
        optax.warmup_cosine_decay_schedule(0.0, schedule.rate, 200, steps), weight_decay=schedule.decay
    )

    def step(networks: Network, state: Any, batch: tuple[Any, ...], keys: Any) -> Any:
        def one(network: Network, state: Any, batch: tuple[Any, ...], key: Any) -> Any:
            value, gradient = jax.value_and_grad(loss)(network, batch, key)
            updates, state = optimiser.update(gradient, state, network)
            return optax.apply_updates(network, updates), state, value

        return jax.vmap(one)(networks, state, batch, keys)

    step_of = jax.jit(step)

    state = jax.vmap(optimiser.init)(networks)
    key = jax.random.PRNGKey(seed)
    one_hot = np.eye(CHOICES, dtype=np.float32)
    for epoch in range(schedule.epochs):
        orders = np.stack([generator.permutation(len(choices.choice)) for _ in range(schedule.networks)])
        total = 0.0
        for at in range(batches):
            rows = orders[:, at * schedule.batch : (at + 1) * schedule.batch]
            if teachers is None:
                combo, wanted = choices.combo[rows], one_hot[choices.choice[rows]]
            else:
                rows = np.repeat(rows, _COMBOS_TAUGHT, axis=1)
                which = generator.integers(choices.others.shape[1], size=rows.shape[1])
                combo = choices.others[choices.board[rows[0]], which][None]
                wanted = answers_of(combo[0], choices.situation[rows[0]], choices.possible[rows[0]])[None]
            key, part = jax.random.split(key)
            batch = combo, choices.situation[rows], choices.possible[rows], wanted
            networks, state, values = step_of(networks, state, batch, jax.random.split(part, schedule.networks))
            total += float(values.mean())
        say(
            f"  {'taught' if teachers else 'trained'}, pass {epoch + 1} of {schedule.epochs}: {total / batches:.4f}"
        )
    return networks


def measure(model: Model, path: Path) -> Scorer:
    """Score a model on the hands of a file that were kept apart; the others are learned as a player's history."""
    scorer = Scorer(LearnedReader(at_work(model)))
    for hand, is_scored in hands_to_compare(path, is_apart=True):
        if is_scored:
            scorer.add(hand)
        elif isinstance(hand, RecordedHand):
            scorer.learn(hand)
    return scorer


def main(arguments: Sequence[str] | None = None) -> int:
    """Train from a folder of hands, measure, and store the model; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="make model",
        description="Train the learned reader from recorded hands: first without every fifth hand, on which it is "
        "measured, and then on all, which is stored.",
    )
    names = ", ".join(str(path) for path in (*training_paths(""), heads_up_path("")))
    parser.add_argument("folder", type=Path, help=f"folder with {names}")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--resources", type=Path, default=Path("resources"), metavar="FOLDER", help="to write to")
    parser.add_argument("--heads-up", action="store_true", help="leave the networks for other tables as stored")
    options = parser.parse_args(arguments)
    paths, heads_up = training_paths(options.folder), heads_up_path(options.folder)

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    def model(*, is_apart: bool) -> Model:
        hands = heads_up_hands(hands_of([heads_up], is_apart=is_apart), options.seed)
        of_two = train(choices_of(hands, options.seed), options.seed, say, is_heads_up=True)
        if options.heads_up:
            return Model(stored().many, of_two)
        return Model(train(choices_of(hands_of(paths, is_apart=is_apart), options.seed), options.seed, say), of_two)

    try:
        apart = model(is_apart=True)
        for path in (heads_up,) if options.heads_up else (*paths, heads_up):
            score = measure(apart, path).result()
            print(as_table(score, path.name), flush=True)
            write_calibration(options.resources / CALIBRATION_FILE, calibration_of(score, path.stem))
        found = model(is_apart=False)
        with (options.resources / RESOURCE).open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **as_arrays(found))
    except (TrainingError, PhhFileError, ResourceError, OSError) as error:
        say(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
