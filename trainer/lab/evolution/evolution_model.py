"""Evolution as its page shows it: what is chosen, how far it is, and what is in the folder."""

from itertools import islice, takewhile
from pathlib import Path

from engine.atomic_file import folders_from
from engine.lab.evolution.checkpoint import Course, courses_in
from engine.lab.evolution.report import curve_csv, final_test_csv, results_table
from engine.words import counted
from trainer.jobs import Jobs
from trainer.lab.evolution.evolution_run import EvolutionRun, MakeEvolutionRun
from trainer.lab.evolution.setup_model import EvolutionSetup, title_of
from trainer.lab.page_model import PageModel
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner, time_text

LANE = "lab folder"


class EvolutionModel(PageModel[EvolutionSetup, tuple[Course, ...], EvolutionRun]):
    """A run, or what a folder has of an earlier one, the command line's too."""

    def __init__(
        self,
        owner: RunOwner,
        jobs: Jobs,
        setup: EvolutionSetup,
        *,
        usual_folder: Path,
        make_run: MakeEvolutionRun,
    ) -> None:
        super().__init__(owner, setup)
        self.usual_folder = usual_folder
        self._jobs = jobs
        self._make_run = make_run
        self._opened: Path | None = None
        self._opening_problem = ""

    @property
    def folder(self) -> Path | None:
        """Where what is shown is kept."""
        return self._run.folder if self._run is not None else self._opened

    @property
    def problem(self) -> str:
        return self._opening_problem or super().problem

    def open(self) -> None:
        """Show what the chosen folder has, and choose what goes on with it, unless something is on its way."""
        if self._chosen_folder != self.folder and not self.is_running:
            self._show_folder(self._chosen_folder, chooses=True)

    def open_last(self) -> None:
        """Show what the folder has in which the chosen run is or, in the usual place, was kept last."""
        folders = [self._chosen_folder]
        if not self.setup.folder:
            folders += takewhile(Path.is_dir, islice(folders_from(self.usual_folder), 1, None))
        self._show_folder(folders[-1], chooses=False)

    def text(self) -> str:
        """Say how far the run is, or how it ended, or what was opened."""
        if self.problem and not self.is_running:
            return self.problem
        run = self._run
        if run is None:
            if self.result is None:
                return "Nothing has been evolved yet."
            if len(self.result) == 1:
                return f"Opened: {_where(self.result[0])}."
            done = sum(bool(course.won) for course in self.result)
            return f"Opened: {done:,} of {counted(len(self.result), 'policy', 'policies')} finished."
        if self.is_running:
            left = run.seconds_left
            doing = "Playing the exploiters for the library of styles …" if run.is_at_library else _doing(run)
            return f"{doing}, {time_text(left)} left" if left and not run.is_at_library else doing
        if self.phase is Phase.FINISHED:
            return f"Finished: {_finished(run)}."
        return f"Stopped: {_doing(run) if run.course is not None else _finished(run)}; starting again goes on."

    def title(self) -> str:
        """Return what is shown and where it is kept, "" without anything."""
        if self.result is None or self.folder is None:
            return ""
        what = title_of(self.result[0].header.target) if len(self.result) == 1 else f"{len(self.result)} policies"
        seeds = sorted({course.header.seed for course in self.result})
        seed = f"seed {seeds[0]}" if len(seeds) == 1 else "several seeds"
        return f"{what}, {seed}, in {self.folder}"

    def table(self) -> str:
        """Return what was won on the final tests, "" before any."""
        return results_table(self.result or ())

    def curves(self) -> str:
        """Return the curves as CSV."""
        return curve_csv(self.result or (), is_named=True)

    def final_tests(self) -> str:
        """Return the final tests as CSV."""
        return final_test_csv(self.result or (), is_named=True)

    @property
    def _chosen_folder(self) -> Path:
        return Path(self.setup.folder) if self.setup.folder else self.usual_folder

    def _made(self) -> EvolutionRun:
        return self._make_run(self.setup, self._chosen_folder)

    def _begin(self, run: EvolutionRun) -> None:
        self._opened, self._opening_problem = None, ""
        super()._begin(run)

    def _show_folder(self, folder: Path, *, chooses: bool) -> None:
        def show(courses: tuple[Course, ...], problem: str = "") -> None:
            if self.is_running:
                return
            self._run, self._opened, self._opening_problem = None, folder, problem
            self.result = courses or None
            if courses and chooses:
                self.choose(self.setup.of(courses))
            self.result_changed.emit()
            self.progressed.emit()

        def read() -> tuple[Course, ...]:
            return courses_in(folder) if folder.is_dir() else ()

        self._jobs.submit(LANE, read, show, on_error=lambda error: show((), str(error)), newest_wins=True)


def _finished(run: EvolutionRun) -> str:
    return f"{run.finished:,} of {counted(len(run.setup.targets), 'policy', 'policies')}"


def _doing(run: EvolutionRun) -> str:
    """Say where the policy is that evolves."""
    course = run.course
    if course is None:
        return "Getting ready; the first time, what is compiled takes a minute or more"
    targets = run.setup.targets
    number = targets.index(course.header.target) + 1
    return _where(course, f" ({number} of {len(targets)})" if len(targets) > 1 else "")


def _where(course: Course, which: str = "") -> str:
    name = f"{title_of(course.header.target)}{which}"
    if course.won:
        return f"{name}: finished"
    done, whole = len(course.curve), course.header.generations
    return f"{name}: generation {done:,} of {whole:,}" if done < whole else f"{name}: final test"
