"""Policies on their way through the generations."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import ClassVar

from engine.agents.evolved.policy import PolicyFileError
from engine.atomic_file import folders_from
from engine.lab.evolution.checkpoint import Course, OtherRunError, read_course
from engine.lab.evolution.evaluation import warm_up
from engine.lab.evolution.library import write_library
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionError
from engine.lab.evolution.several import Evolution
from engine.lab.evolution.targets import Target
from engine.lab.matches.sharing import Sharing
from trainer.lab.evolution.setup_model import ALL, EvolutionSetup
from trainer.lab.run import MakeWorkers, Run, StoppedError

_LEAST_SECONDS = 1.0
"""Between two results: painting them holds up the window for tenths."""


class EvolutionRun(Run[EvolutionSetup, tuple[Course, ...]]):
    """Evolves what a setup says, from the last generation on that is kept.

    Its result is what has become of each policy that is begun.

    Attributes
    ----------
    folder : Path
        Where everything is kept.
    course : Course or None
        Of the policy that evolves.
    is_at_library : bool
        Whether all policies are finished, and the library of styles is being made.
    """

    died: ClassVar = "A process that played has died; all finished generations are kept."

    def __init__(self, setup: EvolutionSetup, folder: Path, *, workers: MakeWorkers | None = None) -> None:
        super().__init__(setup, workers)
        self.folder = folder
        self.course: Course | None = None
        self.is_at_library = False
        self._courses: dict[Target, Course] = {}
        self._hands_of_all = 0
        self._before = 0
        self._is_whole = False
        self._due = 0.0

    @property
    def finished(self) -> int:
        """How many policies are finished."""
        return sum(bool(course.won) for course in self._courses.copy().values())

    @property
    def share(self) -> float:
        return sum(course.hands for course in self._courses.copy().values()) / max(self._hands_of_all, 1)

    @property
    def share_before(self) -> float:
        return self._before / max(self._hands_of_all, 1)

    @property
    def is_whole(self) -> bool:
        return self._is_whole

    def go(self) -> None:
        try:
            evolution = self._begun()
            warm_up()
            with self.workers(self.setup.processes) as workers:

                def idle() -> None:
                    self.look(workers)

                idle()
                sharing = Sharing(workers.executor, idle=idle)
                try:
                    for course in evolution.steps(sharing):
                        self._take(course)
                        idle()
                finally:
                    self._show()
                if self.setup.what == ALL:
                    self.is_at_library = True
                    write_library(evolution.jobs[0], evolution.policies, sharing)
            self._is_whole = True
        except (EvolutionError, PolicyFileError) as error:
            raise StoppedError(str(error)) from error

    def _begun(self) -> Evolution:
        """Find what is kept of this run: in the folder chosen, else in the first one that has no other run."""
        usual = self.folder
        for folder in folders_from(usual):
            jobs = [Job(target, self.setup.settings, self.setup.seed, folder) for target in self.setup.targets]
            try:
                evolution = Evolution(jobs)
            except OtherRunError:
                if self.setup.folder:
                    raise
                continue
            break
        if folder != usual:
            self.folder = folder
            self.note = f"{usual.name} has another run, so this one is kept in {folder.name}."
        self._courses = {job.target: read_course(job.checkpoint) for job in jobs if job.checkpoint.exists()}
        self._hands_of_all = sum(job.header.hands for job in jobs)
        self._show()
        return evolution

    def _take(self, course: Course) -> None:
        if self.course is None:  # what came before, such as starting the processes, tells nothing of the pace
            self._started = monotonic()
            self._before = sum(one.hands for one in {**self._courses, course.header.target: course}.values())
        self.course = self._courses[course.header.target] = course
        if monotonic() >= self._due or course.won:
            self._show()

    def _show(self) -> None:
        if self._courses:
            self.result = tuple(sorted(self._courses.values(), key=lambda course: course.header.target.number))
            self._due = monotonic() + _LEAST_SECONDS


MakeEvolutionRun = Callable[[EvolutionSetup, Path], EvolutionRun]
"""Makes a run that has not begun."""
