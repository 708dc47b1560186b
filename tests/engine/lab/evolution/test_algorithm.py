"""Algorithm 1 and eq. 1, on numbers that need no hands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.lab.evolution.algorithm import (
    Breeding,
    first_population,
    fitness_of,
    moving_normalisers,
    next_population,
)

PAYOFFS = arrays(np.float64, st.tuples(st.integers(4, 12), st.integers(1, 4)), elements=st.floats(-50, 50))


@given(PAYOFFS)
def test_fitness_is_that_of_equation_1(payoffs: np.ndarray) -> None:
    fitness = fitness_of(payoffs, moving_normalisers(payoffs))
    for i in range(len(payoffs)):
        expected = [
            payoffs[i, j] / max(1.0, max(payoffs[k, j] for k in range(len(payoffs))))
            for j in range(payoffs.shape[1])
        ]
        assert fitness[i] == pytest.approx(sum(expected) / len(expected))
    assert fitness.max() <= 1


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(5, 40), st.integers(1, 20), st.floats(0, 1), st.floats(0.05, 0.9))
def test_survivors_pass_on_and_children_are_of_survivors(
    seed: int, weights: int, segment: int, progress: float, survival: float
) -> None:
    """Without mutation, each segment of a child is that of one of two survivors."""
    breeding = Breeding(population=20, survival=survival, first_rate=0, last_rate=0, segment=segment)
    random = np.random.default_rng(seed)
    population = first_population(breeding, weights, random)
    fitness = random.normal(-1, 1, 20)
    bred = next_population(population, fitness, breeding, progress, random)
    assert bred.shape == population.shape
    assert bred.dtype == np.float32
    order = np.argsort(-fitness)[: breeding.survivors]
    assert bred[: breeding.survivors].tolist() == population[order].tolist()
    above = max(2, int((fitness[order] > fitness[order].mean()).sum()))
    parents = population[order[:above]]
    for child in bred[breeding.survivors :]:
        sources = set()
        for start in range(0, weights, segment):
            piece = slice(start, start + segment)
            found = [at for at in range(above) if (parents[at, piece] == child[piece]).all()]
            assert found
            sources |= {found[0]}
        assert len(sources) <= 2


def test_the_better_parent_gives_more_also_where_fitness_is_negative() -> None:
    breeding = Breeding(population=2000, survival=0.0015, first_rate=0, last_rate=0, segment=1)
    population = np.repeat(np.arange(2000, dtype=np.float32)[:, None], 50, axis=1)
    fitness = np.full(2000, -9.0)
    fitness[:3] = -1.0, -2.0, -4.0
    children = next_population(population, fitness, breeding, 0.5, np.random.default_rng(1))[3:]
    # Of the survivors' two best, the odds are 3 to 2 by how far they are above the third.
    share = (children == 0).mean()
    assert share == pytest.approx(0.6, abs=5 * np.sqrt(0.24 / children.size))


@pytest.mark.parametrize(("progress", "rate", "strength"), [(0.0, 0.25, 0.5), (0.5, 0.15, 0.3), (1.0, 0.05, 0.1)])
def test_mutation_falls_evenly_from_the_papers_first_numbers_to_its_last(
    progress: float, rate: float, strength: float
) -> None:
    breeding = Breeding(population=400, segment=10, spread=0.4)
    population = np.zeros((400, 500), np.float32)
    bred = next_population(population, np.zeros(400), breeding, progress, np.random.default_rng(2))
    children = bred[breeding.survivors :].reshape(-1, 50, 10)
    is_mutated = (children != 0).all(axis=2)
    assert (is_mutated == (children != 0).any(axis=2)).all()
    assert is_mutated.mean() == pytest.approx(rate, abs=5 * np.sqrt(rate * (1 - rate) / is_mutated.size))
    noise = children[is_mutated]
    assert noise.std() == pytest.approx(strength * breeding.spread, rel=5 / np.sqrt(2 * noise.size))


def test_the_same_generator_gives_the_same_generation() -> None:
    breeding = Breeding(population=10)
    first = first_population(breeding, 300, np.random.default_rng(3))
    fitness = np.linspace(-1, 1, 10)
    one, other = (next_population(first, fitness, breeding, 0.3, np.random.default_rng(4)) for _ in range(2))
    assert one.tobytes() == other.tobytes()
