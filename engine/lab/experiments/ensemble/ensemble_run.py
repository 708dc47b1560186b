"""The ensemble paper's experiments by name, and how they are run: policies evolved and matches played, all kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from engine.game.formats import MAX_SEED
from engine.lab.evolution.evaluation import warm_up
from engine.lab.evolution.run import Job, result
from engine.lab.experiments.ensemble import figure10, figure11, table3, table4, table5
from engine.lab.experiments.ensemble.ensemble_experiment import EnsembleExperiment, Measured
from engine.lab.experiments.ensemble.grids import FIGURE_8, FIGURE_9
from engine.lab.experiments.ensemble.matches import Match, MatchesFile, Played, open_matches, play_match
from engine.lab.experiments.ensemble.sets import PolicySet, evolved, jobs_of_sets, read_sets
from engine.lab.experiments.experiment import Setting, Step
from engine.lab.experiments.files import FigureError
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end

ENSEMBLE_EXPERIMENTS: Final[dict[str, EnsembleExperiment]] = {
    "evo-table3": table3, "evo-table4": table4, "evo-table5": table5,
    "fig8-evo": FIGURE_8, "fig9-evo": FIGURE_9, "fig10-evo": figure10, "fig11-evo": figure11,
}  # fmt: skip
"""By the name that the command line takes."""


class EnsembleRun:
    """An experiment in its folder, whose matches nobody else writes meanwhile; by `opened_ensemble`."""

    def __init__(self, experiment: EnsembleExperiment, setting: Setting, folder: Path, kept: MatchesFile) -> None:
        self._experiment, self._setting, self._folder, self._kept = experiment, setting, folder, kept

    def processes(self, most: int) -> int:
        """Return how many processes it can use, no more than `most`."""
        return 1 if self._experiment is table5 else most  # which measures times

    def finished(self) -> str:
        """Say what of it is kept."""
        return "All finished generations and matches"

    def steps(self, sharing: Sharing = ALONE) -> Iterator[Step]:
        """Evolve what is not there yet, and play matches that are not kept, each kept as soon as it is finished.

        Parameters
        ----------
        sharing : Sharing
            Who plays; it notes hands after each match.

        Returns
        -------
        iterator of Step
            One for each generation, then one to begin with and one after each match; the last has the outcome.

        Raises
        ------
        EvolutionError, PolicyFileError, LibraryFileError, ResourceError
            If what is there is damaged, of others, or cannot be written.
        concurrent.futures.BrokenExecutor
            If a worker dies, after all matches that were finished.
        MatchFileError
            If a match cannot be kept.
        """
        warm_up()  # so that processes find it compiled
        yield from self._evolved(sharing)
        sets = read_sets(self._setting, self._folder, sharing) if self._experiment.TAKES_SETS else []
        measured = Measured(self._folder, sets, self._kept)
        matches = dict(self._experiment.matches(self._setting, sets))
        missing = [
            partial(_played, match, of, sharing.note) for match, of in matches.items() if match not in self._kept
        ]
        done = len(matches) - len(missing)
        for played in chain([None], as_they_end(missing, sharing)):
            if played is not None:
                self._kept.add(played)
                done += 1
            is_last = done == len(matches)
            outcome = partial(self._experiment.outcome, self._setting, measured) if is_last else None
            yield Step(done, len(matches), outcome)

    def _evolved(self, sharing: Sharing) -> Iterator[Step]:
        of_sets = jobs_of_sets(self._setting, self._folder) if self._experiment.TAKES_SETS else []
        others = self._experiment.jobs(self._setting, self._folder)
        jobs = [*of_sets, *(job for job in others if result(job) is None)]
        total, before = sum(job.header.generations for job in jobs), 0
        for job in jobs:
            for generation in evolved(job, sharing):
                yield Step(before + generation, total, None, "generations")
            before += job.header.generations


def _played(match: Match, policies: PolicySet | None, note: Callable[[int], object] | None) -> Played:
    played = play_match(match, policies)
    if note is not None:
        note(match.hands)
    return played


def lacking(experiment: EnsembleExperiment, setting: Setting, folder: Path) -> list[Job]:
    """Return what is evolved first, since a folder has no such policy."""
    of_sets = jobs_of_sets(setting, folder) if experiment.TAKES_SETS else []
    return [*of_sets, *(job for job in experiment.jobs(setting, folder) if not job.policy.exists())]


@contextmanager
def opened_ensemble(experiment: EnsembleExperiment, setting: Setting, folder: Path) -> Iterator[EnsembleRun]:
    """Open a folder for an experiment.

    Raises
    ------
    FigureError
        If it cannot be run like that.
    MatchFileError
        If the folder's matches cannot be opened or written, or another process has them open.
    """
    if not 0 <= setting.seed <= MAX_SEED:
        raise FigureError(f"The seed must be from 0 to {MAX_SEED}, not {setting.seed}.")
    with open_matches(folder) as kept:
        yield EnsembleRun(experiment, setting, folder, kept)
