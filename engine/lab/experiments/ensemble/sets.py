"""Sets of evolved policies in a folder, one for each seed: those that are there are taken, missing ones evolved.

`evolved-SEED` is what `soulread evolve all --seed SEED --out` makes. All sets of an experiment are evolved alike;
in the place of that of `SHIPPED_SEED` stands the one that ships with the app, if the folder has none.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.agents.evolved.agent import Networks
from engine.agents.evolved.ensemble import BY_THE_LETTER, NUMBERS, Ensemble, MixingNumbers, MixingRule
from engine.agents.evolved.library import StyleLibrary, library_bytes, read_library
from engine.agents.evolved.own_policies import BASE as BASE_FILE
from engine.agents.evolved.own_policies import RULES
from engine.agents.evolved.policy import NetworkSettings, StoredPolicy, policy_bytes, read_policy
from engine.agents.evolved.shipped import shipped_library, shipped_policy
from engine.lab.evolution.algorithm import Breeding
from engine.lab.evolution.library import library_path, write_library
from engine.lab.evolution.run import Job, evolve, result, write_result
from engine.lab.evolution.settings import EvolutionError, EvolutionSettings
from engine.lab.evolution.targets import BASE, EXPLOITERS, STYLES
from engine.lab.experiments.experiment import Setting
from engine.lab.matches.sharing import ALONE, Sharing

SHIPPED_SEED: Final = 2031
SEEDS: Final = (SHIPPED_SEED, 2032, 2033)
"""Of the sets, three as in the paper's tables."""

SHIPPED: Final = EvolutionSettings()
"""What the policies that ship were evolved by, and so those beside them."""

SHORT: Final = EvolutionSettings(
    network=NetworkSettings(opponent_width=4, game_width=4, head=(6,)),
    breeding=Breeding(population=12, segment=8),
    generations=4,
    exploiter_generations=2,
    pairs=20,
    retest_pairs=100,
    library_hands=2000,
)
"""Of a short run, which shows that an experiment works and nothing else."""

A_TAR, A_BASE, A_AVE, A_INT, A_STAR = "a-tar", "a-base", "a-ave", "a-int", "a*"
"""The paper's agents: the style's own exploiter, the base, and all policies in three ways."""

A_BY_STAGE = "a-int by the letter"
"""A-int by distances of the running hand, as the paper prints eq. 2 and 3."""


class PolicySet(Struct, frozen=True):
    """What is evolved with one seed: policies by the style that they exploit, the base, and the library of styles.

    `digest` has twelve hexadecimal digits, others for a set with anything else in it; `stored_bytes` is how much
    its files take.
    """

    seed: int
    exploiters: dict[str, StoredPolicy]
    base: StoredPolicy
    library: StyleLibrary
    digest: str
    stored_bytes: int

    def player(self, agent: str, rival: str) -> Networks:
        """Return what decides as one of the agents against a rival; a `PolicyFileError` if the parts do not fit."""
        if agent == A_BASE:
            return self.base
        if agent == A_BY_STAGE:
            return self.ensemble(MixingRule.BY_STAGE, BY_THE_LETTER)
        return self.exploiters[rival] if agent == A_TAR else self.ensemble(RULES[agent])

    def ensemble(self, rule: MixingRule, numbers: MixingNumbers = NUMBERS) -> Ensemble:
        """Return all policies, deciding together."""
        return Ensemble(self.exploiters, self.base, self.library, rule, numbers)


def seeds_of(setting: Setting) -> tuple[int, ...]:
    """Return the seeds of an experiment's sets."""
    return SEEDS[:2] if setting.is_short else SEEDS


def settings_of(setting: Setting) -> EvolutionSettings:
    """Return what missing sets are evolved by."""
    return SHORT if setting.is_short else SHIPPED


def jobs_of_sets(setting: Setting, folder: Path) -> list[Job]:
    """Return what of an experiment's sets is still to be evolved."""
    return [
        job
        for seed in seeds_of(setting)
        if not _is_shipped(setting, seed, folder)
        for job in _jobs(setting, seed, folder)
        if not job.policy.exists()
    ]


def read_sets(setting: Setting, folder: Path, sharing: Sharing = ALONE) -> list[PolicySet]:
    """Return an experiment's sets, which have been evolved; a missing library is made.

    Raises
    ------
    EvolutionError
        If they are not of their seeds, or not evolved alike; or a library cannot be written.
    PolicyFileError, LibraryFileError
        If a file is none, or its parts do not fit.
    """
    sets = [
        _shipped_set() if _is_shipped(setting, seed, folder) else _read_set(setting, seed, folder, sharing)
        for seed in seeds_of(setting)
    ]
    for one in sets:
        for name, policy in {**one.exploiters, BASE_FILE: one.base}.items():
            what, first = (
                ("base", sets[0].base) if name == BASE_FILE else ("exploiter of o1", sets[0].exploiters["o1"])
            )
            made, usual = (origin.partition(": ")[2] for origin in (policy.origin, first.origin))
            if made != usual or policy.settings != first.settings:
                raise EvolutionError(
                    f"The policies of an experiment are evolved alike: {name} of seed {one.seed} was by "
                    f"{_words(policy)}, and the {what} of seed {sets[0].seed} by {_words(first)}."
                )
        one.ensemble(MixingRule.SAFE)
    return sets


def evolved(job: Job, sharing: Sharing) -> Iterator[int]:
    """Evolve a target, or go on with it, and write what it came to; yields how many generations are done."""
    for curve in evolve(job, sharing):
        yield len(curve)
    tested = result(job)
    assert tested is not None
    write_result(job, tested)


def folder_of(folder: Path, name: str, setting: Setting) -> Path:
    """Return where what is evolved is kept: that of short runs for itself."""
    return folder / (f"short-{name}" if setting.is_short else name)


def set_folder(setting: Setting, seed: int, folder: Path) -> Path:
    """Return where a set is kept."""
    return folder_of(folder, f"evolved-{seed}", setting)


def _is_shipped(setting: Setting, seed: int, folder: Path) -> bool:
    return seed == SHIPPED_SEED and not setting.is_short and not set_folder(setting, seed, folder).exists()


def _jobs(setting: Setting, seed: int, folder: Path) -> list[Job]:
    """Return what makes a set, in the order in which it is evolved."""
    where, settings = set_folder(setting, seed, folder), settings_of(setting)
    return [Job(target, settings, seed, where) for target in settings.order_of((*EXPLOITERS, BASE))]


def _shipped_set() -> PolicySet:
    policies = [*map(shipped_policy, STYLES), shipped_policy(BASE_FILE)]
    return _set_of(SHIPPED_SEED, policies, shipped_library())


def _set_of(seed: int, policies: list[StoredPolicy], library: StyleLibrary) -> PolicySet:
    """Return a set of the eight exploiters and the base."""
    files = [library_bytes(library), *map(policy_bytes, policies)]
    digest = sha256(b"".join(sha256(file).digest() for file in files)).hexdigest()[:12]
    exploiters = dict(zip(STYLES, policies[:-1], strict=True))
    return PolicySet(seed, exploiters, policies[-1], library, digest, sum(map(len, files)))


def _read_set(setting: Setting, seed: int, folder: Path, sharing: Sharing) -> PolicySet:
    jobs = _jobs(setting, seed, folder)
    policies = {job.target: read_policy(job.policy) for job in jobs}
    for job, policy in zip(jobs, policies.values(), strict=True):
        if not policy.origin.startswith(f"{job.target.name}, seed {seed}: "):
            raise EvolutionError(
                f"{job.policy} is not {job.target.name} of seed {seed}: it says '{policy.origin}'."
            )
    path = library_path(jobs[0])
    if not path.exists():
        write_library(jobs[0], {target: policies[target] for target in EXPLOITERS}, sharing)
    return _set_of(seed, [policies[target] for target in (*EXPLOITERS, BASE)], read_library(path))


def _words(policy: StoredPolicy) -> str:
    return f"{policy.origin.partition(': ')[2]} with {policy.settings.weights:,} weights"
