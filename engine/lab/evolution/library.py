"""The library of styles made: each exploiter plays its style, and what its tree learned is kept."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from engine.agents.evolved.library import StyleLibrary, library_bytes
from engine.agents.evolved.own_policies import LIBRARY_FILE
from engine.agents.evolved.policy import StoredPolicy
from engine.agents.evolved.stored_tree import StoredTree, pruned, stored_tree
from engine.lab.evolution.checkpoint import write_file
from engine.lab.evolution.evaluation import GAME
from engine.lab.evolution.run import Job, Purpose, seed_of
from engine.lab.evolution.settings import LIBRARY_VISITS
from engine.lab.evolution.targets import Target
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end


def write_library(
    job: Job,
    policies: Mapping[Target, StoredPolicy],
    sharing: Sharing = ALONE,
) -> StyleLibrary:
    """Write the library of the exploiters among these, with the seed, the hands and to the folder of a job.

    Raises
    ------
    EvolutionError
        If it cannot be written.
    """
    exploiters = [(target, policy) for target, policy in policies.items() if target.style]
    library = make_library(exploiters, job.settings.library_hands, job.seed, sharing)
    write_file(library_path(job), library_bytes(library))
    return library


def library_path(job: Job) -> Path:
    """Return where the library of a job's folder is."""
    return job.folder / LIBRARY_FILE


def make_library(
    exploiters: Sequence[tuple[Target, StoredPolicy]],
    hands: int,
    seed: int,
    sharing: Sharing = ALONE,
) -> StyleLibrary:
    """Return the library of the styles that these exploit; the same for any number of workers."""
    tasks = [
        partial(_learned, target.style, policy, hands, seed_of(seed, Purpose.LIBRARY, target))
        for target, policy in exploiters
    ]
    trees = dict(as_they_end(tasks, sharing))
    in_order = {target.style: trees[target.style] for target, _ in exploiters}
    return StyleLibrary(hands, LIBRARY_VISITS, in_order, f"soulread evolve library, seed {seed}")


def _learned(style: str, policy: StoredPolicy, hands: int, seed: int) -> tuple[str, StoredTree]:
    """Return a style and the tree that a policy learned of it."""
    from engine.kernels.evolved.tree import new_tree
    from engine.lab.evolution.deals import deals_of, play

    tree = new_tree()
    play(deals_of(GAME, seed, 0, hands // 2), style, policy.compiled(), tree)
    return style, stored_tree(pruned(tree, LIBRARY_VISITS))
