"""One generation after another: fitness, selection, crossover and mutation of vectors of weights.

Source: "An opponent modelling and strategy integration framework for Texas Hold'em AI", algorithm 1 and eq. 1. What
it leaves open is chosen here: survivors pass on unchanged; of those above the survivors' mean, the best pairs breed
first, until all places are filled, each child a crossover that is then mutated; segments are so many weights in a
row; the odds of a parent's segment go by how far its fitness is above that of the worst survivor, since fitness can
be negative.
"""

from itertools import combinations, cycle, islice

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Population = NDArray[np.float32]
Numbers = NDArray[np.float64]

_LEAST_BREEDERS = 2


class Breeding(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of selection, crossover and mutation; the paper's by default, where it has them.

    Attributes
    ----------
    population : int
    survival : float
        Share of the population that survives a generation.
    first_rate, last_rate : float
        Share of segments that are mutated in the first and the last generation; in between it falls evenly.
    first_strength, last_strength : float
        Standard deviation of what a mutation adds, in parts of `spread`.
    segment : int
        Weights in a segment.
    spread : float
        Standard deviation of the weights of the first generation.
    """

    population: int = 100
    survival: float = 0.25
    first_rate: float = 0.25
    last_rate: float = 0.05
    first_strength: float = 0.5
    last_strength: float = 0.1
    segment: int = 32
    spread: float = 0.5

    @property
    def survivors(self) -> int:
        """How many of a generation pass on."""
        return max(round(self.survival * self.population), _LEAST_BREEDERS)


def first_population(breeding: Breeding, weights: int, random: np.random.Generator) -> Population:
    """Return weights by lot: float32, shape (population, weights)."""
    return random.normal(0.0, breeding.spread, (breeding.population, weights)).astype(np.float32)


def population_from(survivors: Population, breeding: Breeding, random: np.random.Generator) -> Population:
    """Return a first generation of survivors of another run and of mutations of them in turn."""
    children = [survivors]
    for at in range(breeding.population - len(survivors)):
        child = survivors[at % len(survivors)].copy()
        _mutate(child, breeding, 0.0, random)
        children.append(child[None])
    return np.concatenate(children)


def fitness_of(payoffs: Numbers, normalisers: Numbers) -> Numbers:
    """Return the mean of payoffs over their normalisers (eq. 1).

    Parameters
    ----------
    payoffs : ndarray of float64, shape (population, opponents)
        Big blinds won per hand.
    normalisers : ndarray of float64, shape (opponents,)
    """
    mean: Numbers = (payoffs / normalisers).mean(axis=1)
    return mean


def moving_normalisers(payoffs: Numbers) -> Numbers:
    """Return the best payoff of a generation against each opponent, at least one big blind (eq. 1)."""
    most: Numbers = np.maximum(payoffs.max(axis=0), 1.0)
    return most


def next_population(
    population: Population, fitness: Numbers, breeding: Breeding, progress: float, random: np.random.Generator
) -> Population:
    """Return the next generation: the survivors, the best first, and their children.

    Parameters
    ----------
    progress : float
        0 in the first generation that is bred, 1 in the last one.
    """
    order = np.argsort(-fitness, kind="stable")[: breeding.survivors]
    parents, odds = population[order], fitness[order] - fitness[order[-1]]
    breeders = max(int((fitness[order] > fitness[order].mean()).sum()), _LEAST_BREEDERS)
    pairs = islice(cycle(combinations(range(breeders), 2)), breeding.population - len(order))
    sizes = _segment_sizes(population.shape[1], breeding)
    children = [parents]
    for better, worse in pairs:
        total = odds[better] + odds[worse]
        share = odds[better] / total if total > 0 else 0.5
        is_better = np.repeat(random.random(len(sizes)) < share, sizes)
        child = np.where(is_better, parents[better], parents[worse])
        _mutate(child, breeding, progress, random)
        children.append(child[None])
    return np.concatenate(children)


def _segment_sizes(weights: int, breeding: Breeding) -> NDArray[np.int64]:
    """Return how many weights each segment has."""
    return np.diff(np.append(np.arange(0, weights, breeding.segment), weights))


def _mutate(child: NDArray[np.float32], breeding: Breeding, progress: float, random: np.random.Generator) -> None:
    """Add noise to some segments, at the rate and of the strength that a generation has."""
    rate = breeding.first_rate + (breeding.last_rate - breeding.first_rate) * progress
    strength = breeding.first_strength + (breeding.last_strength - breeding.first_strength) * progress
    sizes = _segment_sizes(len(child), breeding)
    is_mutated = np.repeat(random.random(len(sizes)) < rate, sizes)
    noise = random.normal(0.0, strength * breeding.spread, int(is_mutated.sum()))
    child[is_mutated] += noise.astype(np.float32)
