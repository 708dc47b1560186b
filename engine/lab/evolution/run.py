"""A policy evolved from the first generation to the last, kept after each, and measured on fresh deals.

All randomness follows from the seed, the target and the generation: a run that was killed goes on to the same
bytes, and any number of workers finds them. Deals for training, for the choice among the last survivors and for the
final test have seeds of their own.
"""

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.evolved.policy import POLICY_ENDING, StoredPolicy, policy_bytes
from engine.lab.evolution.algorithm import (
    first_population,
    fitness_of,
    moving_normalisers,
    next_population,
    population_from,
)
from engine.lab.evolution.checkpoint import (
    CHECKPOINT_ENDING,
    CURVE_NUMBERS,
    Course,
    Header,
    Progressed,
    read_checkpoint,
    write_checkpoint,
    write_file,
)
from engine.lab.evolution.evaluation import DealSource, Payoffs, payoffs
from engine.lab.evolution.report import curve_csv, final_test_csv
from engine.lab.evolution.settings import EvolutionError, EvolutionSettings, Normalisers, evolved_by
from engine.lab.evolution.targets import BASE, Target
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.sharing import ALONE, Sharing


class Purpose(IntEnum):
    """What deals and draws are for; none shares its seed with another."""

    TRAIN = 0
    SELECT = 1
    TEST = 2
    LIBRARY = 3
    BREED = 4


class Tested(NamedTuple):
    """A policy that is evolved, and how."""

    policy: StoredPolicy
    course: Course


class Job(NamedTuple):
    """A target, how it is evolved, and where its files are kept."""

    target: Target
    settings: EvolutionSettings
    seed: int
    folder: Path

    @property
    def header(self) -> Header:
        """What the checkpoint has to be of."""
        sources = sources_of_play(self.target.rivals, modules=(__name__,))
        return Header(self.target, self.seed, sources, self.settings)

    @property
    def checkpoint(self) -> Path:
        """Where the population is kept."""
        return self.folder / f"{self.target.name}{CHECKPOINT_ENDING}"

    @property
    def policy(self) -> Path:
        """Where the policy is written that comes of it."""
        return self.folder / f"{self.target.name}{POLICY_ENDING}"


def seed_of(seed: int, purpose: Purpose, target: Target) -> int:
    """Return a seed of 63 bits for one purpose of one target."""
    words = np.random.SeedSequence([seed, purpose, target.number]).generate_state(1, np.uint64)
    return int(words[0]) >> 1


def evolve(job: Job, sharing: Sharing = ALONE) -> Iterator[NDArray[np.float64]]:
    """Evolve a target, or go on with it; each step is a generation or the final test.

    Yields
    ------
    ndarray of float64, shape (generations so far, 4)
        The curve so far, as `Progressed` has it. When the last has been yielded, `result` has the policy.

    Raises
    ------
    EvolutionError
        If the checkpoint is of another run, damaged, or cannot be written, or one to begin with is not finished.
    """
    settings, header = job.settings, job.header
    run = read_checkpoint(job.checkpoint, header)
    if run is None:
        run = Progressed(_first_generation(job), np.zeros((0, CURVE_NUMBERS)), np.zeros(0))
    source = DealSource(seed_of(job.seed, Purpose.TRAIN, job.target), settings.pairs, sharing)
    for generation in range(len(run.curve), header.generations):
        run = _bred(job, run, generation, source, sharing)
        write_checkpoint(job.checkpoint, header, run)
        yield run.curve
    if not run.champion.size:
        run = _tested(job, run, sharing)
        write_checkpoint(job.checkpoint, header, run)
    yield run.curve


def _first_generation(job: Job) -> NDArray[np.float32]:
    """Return weights by lot, or the last survivors of the base of the same run and mutations of them."""
    settings = job.settings
    random = np.random.default_rng([job.seed, Purpose.BREED, job.target.number])
    if not settings.begins_with_base(job.target):
        return first_population(settings.breeding, settings.network.weights, random)
    base = job._replace(target=BASE)
    run = read_checkpoint(base.checkpoint, base.header)
    if run is None or not run.champion.size:
        raise EvolutionError(f"{job.target.name} begins with the base, and {base.checkpoint} is not finished.")
    return population_from(run.population, settings.breeding, random)


def _bred(
    job: Job,
    run: Progressed,
    generation: int,
    source: DealSource,
    sharing: Sharing,
) -> Progressed:
    """Return where a run stands after one more generation."""
    settings, generations = job.settings, job.header.generations
    rivals = job.target.rivals_at(generation, generations)
    is_last = generation + 1 == generations
    deals = source.block(generation, is_last=is_last)
    won = payoffs(run.population, settings.network, rivals, deals, sharing).mean
    is_moving = settings.normalisers is Normalisers.MOVING
    fitness = fitness_of(won, moving_normalisers(won) if is_moving else np.ones(len(rivals)))
    of_policies, best = won.mean(axis=1), int(fitness.argmax())
    row = fitness.mean(), fitness[best], of_policies.mean(), of_policies[best]
    if is_last:
        order = np.argsort(-fitness, kind="stable")[: settings.breeding.survivors]
        population = run.population[order]
    else:
        random = np.random.default_rng([job.seed, Purpose.BREED, job.target.number, generation + 1])
        progress = generation / max(generations - 2, 1)
        population = next_population(run.population, fitness, settings.breeding, progress, random)
    return Progressed(population, np.vstack((run.curve, row)), run.champion)


def _tested(job: Job, run: Progressed, sharing: Sharing) -> Progressed:
    """Choose the best of the last survivors on fresh deals, and measure it on others."""
    settings, target = job.settings, job.target

    def on_fresh(purpose: Purpose, policies: NDArray[np.float32]) -> Payoffs:
        source = DealSource(seed_of(job.seed, purpose, target), settings.retest_pairs, sharing)
        deals = source.block(0, is_last=True)
        return payoffs(policies, settings.network, target.rivals, deals, sharing)

    won = on_fresh(Purpose.SELECT, run.population).mean
    order = np.argsort(-fitness_of(won, moving_normalisers(won)), kind="stable")
    tested = on_fresh(Purpose.TEST, run.population[order[:1]])
    return Progressed(run.population[order], run.curve, np.concatenate((tested.mean[0], tested.stderr[0])))


def result(job: Job) -> Tested | None:
    """Return what an evolved target came to, None if it is not finished; errors as of `evolve`."""
    run = read_checkpoint(job.checkpoint, job.header)
    if run is None or not run.champion.size:
        return None
    policy = StoredPolicy(job.settings.network, run.population[0].copy(), origin_of(job))
    return Tested(policy, Course(job.header, run.curve, run.champion))


def origin_of(job: Job) -> str:
    """Return what a policy's file says of where it is from."""
    return f"{job.target.name}, seed {job.seed}: {evolved_by(job.settings, job.target)}"


def write_result(job: Job, tested: Tested) -> None:
    """Write the policy, its curve and its test beside the checkpoint; `EvolutionError` if that cannot be done."""
    write_file(job.policy, policy_bytes(tested.policy))
    write_curve(job, tested.course)
    write_file(job.folder / f"{job.target.name}-test.csv", final_test_csv([tested.course]).encode())


def write_curve(job: Job, course: Course) -> None:
    """Write the curve as CSV."""
    write_file(job.folder / f"{job.target.name}-curve.csv", curve_csv([course]).encode())
