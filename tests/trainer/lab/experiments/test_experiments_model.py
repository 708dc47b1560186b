"""An experiment from its start to its end: shown as it goes, stopped, gone on with, and what goes wrong."""

import csv
from pathlib import Path

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.lab.experiments.ensemble.ensemble_run import opened_ensemble
from engine.lab.experiments.ensemble.grids import FIGURE_9
from engine.lab.experiments.ensemble.sets import jobs_of_sets
from engine.lab.experiments.experiment import Step
from engine.lab.experiments.records import RECORDS, open_record_file
from engine.lab.experiments.running import EXPERIMENTS, finished, tasks_of
from tests.trainer.gestures import PATIENCE
from tests.trainer.lab.samples import QUICK, SETUP, ended, inline_experiment, inline_run
from trainer.jobs import Jobs
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.experiments_model import ExperimentsModel
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner


def model_of(
    jobs: Jobs, folder: Path, make_run: MakeExperimentRun, setup: ExperimentSetup = QUICK
) -> ExperimentsModel:
    return ExperimentsModel(RunOwner(jobs), setup, usual_folder=folder, make_run=make_run)


def test_an_experiment_is_run_to_its_end(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = model_of(jobs, tmp_path / "kept", inline_experiment())
    assert model.text() == "Nothing has been run yet."
    assert (model.phase, model.result, model.csv()) == (Phase.IDLE, None, "")
    model.start()
    assert model.is_running
    assert not model.can_start
    ended(qtbot, model)
    assert model.phase is Phase.FINISHED
    assert model.text() == "Finished: 6 of 6 matches."
    assert model.share == 1
    experiment, tasks = EXPERIMENTS[QUICK.name], tasks_of(EXPERIMENTS[QUICK.name], QUICK.setting)
    with open_record_file(tmp_path / "alone", tasks) as kept:
        list(finished(tasks, kept))
        expected = experiment.outcome(QUICK.setting, dict(kept))
    assert model.result == expected
    assert len(list(csv.DictReader(model.csv().splitlines()))) == len(expected.rows)


def test_a_stopped_one_shows_what_it_has_and_goes_on(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = model_of(jobs, tmp_path, inline_experiment(5))
    model.start()
    qtbot.waitUntil(lambda: model.text().startswith("5 of 6 matches, 7 hands, "), timeout=PATIENCE)
    model.stop()
    ended(qtbot, model)
    assert model.phase is Phase.STOPPED
    assert model.text() == "Stopped: 5 of 6 matches; starting again goes on."
    assert model.result is not None, "of two matches of each line-up"
    assert {row.count for row in model.result.rows} == {2}
    again = model_of(jobs, tmp_path, inline_experiment(1))
    again.start()
    ended(qtbot, again)
    assert again.phase is Phase.FINISHED
    assert again.result is not None
    assert {row.count for row in again.result.rows} == {3}
    before = (tmp_path / RECORDS).read_bytes()
    again.start()
    ended(qtbot, again)
    assert again.phase is Phase.FINISHED
    assert (tmp_path / RECORDS).read_bytes() == before, "nothing is played again"


def test_a_process_that_dies_is_said_and_loses_no_finished_match(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = model_of(jobs, tmp_path, inline_experiment(4, breaks=True))
    model.start()
    ended(qtbot, model)
    assert model.text() == "A process that played has died; all that was finished before is kept."
    assert model.result is not None
    tasks = tasks_of(EXPERIMENTS[QUICK.name], QUICK.setting)
    with open_record_file(tmp_path / RECORDS, tasks) as kept:
        assert len(kept) == 4


def test_what_cannot_be_kept_or_run_is_said(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    model = model_of(jobs, tmp_path / "usual", inline_experiment())
    model.choose(structs.replace(QUICK, folder=str(tmp_path / "file")))
    model.start()
    ended(qtbot, model)
    assert model.text().startswith(f"{tmp_path / 'file' / RECORDS} cannot be opened: ")
    assert model.phase is Phase.STOPPED
    model.choose(structs.replace(QUICK, matches=20_000))
    model.start()
    ended(qtbot, model)
    assert model.text() == "An experiment has 2 to 10,000 matches of each line-up, not 20,000."
    model.choose(structs.replace(QUICK, agents=()))
    assert not model.can_start
    model.start()
    assert not model.is_running


def test_figure_4_shows_situation_after_situation(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    setup = ExperimentSetup("fig4", is_short=True)
    model = model_of(jobs, tmp_path, inline_experiment(1 + 5), setup)
    model.start()
    qtbot.waitUntil(lambda: model.text().startswith("5 of 12 situations"), timeout=PATIENCE)
    model.stop()
    ended(qtbot, model)
    assert model.text() == "Stopped: 5 of 12 situations."
    assert model.result is not None
    assert "Over 5 situations of ours" in model.result.paragraph


EVOLVED = ExperimentSetup("fig9-evo", is_short=True)
"""Two values and two seeds, four generations each."""

TWO_GENERATIONS = (2 + 8) + (1 + 8)
"""Tasks: deals, the next ones too, and policies."""


@pytest.mark.slow
def test_policies_are_evolved_from_generation_to_generation_and_gone_on_with(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    model = model_of(jobs, tmp_path, inline_experiment(TWO_GENERATIONS), EVOLVED)
    shares = []
    model.progressed.connect(lambda: shares.append(model.share))
    model.start()
    qtbot.waitUntil(lambda: model.text().startswith("2 of 16 generations"), timeout=PATIENCE)
    model.stop()
    ended(qtbot, model)
    assert model.phase is Phase.STOPPED
    assert model.text() == "Stopped: 2 of 16 generations; starting again goes on."
    assert model.result is None
    again = model_of(jobs, tmp_path, inline_experiment(), EVOLVED)
    again.start()
    ended(qtbot, again)
    assert (again.phase, again.text(), again.share) == (Phase.FINISHED, "Finished.", 1)
    assert again.result is not None
    assert shares == sorted(shares)
    with opened_ensemble(FIGURE_9, EVOLVED.setting, tmp_path / "alone") as alone:
        *_, last = alone.steps()
        assert last.outcome is not None
        assert again.result == last.outcome()


def test_stopped_after_the_last_generation_it_is_not_finished(tmp_path: Path) -> None:
    run = ExperimentRun(ExperimentSetup("evo-table5", is_short=True), tmp_path)
    run._take(Step(72, 72, None, "generations"))
    assert (run.share, run.is_whole) == (1, False)


def test_a_damaged_policy_is_said_in_one_sentence(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    setup = ExperimentSetup("evo-table5", is_short=True)
    for job in jobs_of_sets(setup.setting, tmp_path):
        job.folder.mkdir(exist_ok=True)
        job.policy.write_bytes(b"foreign")
    model = model_of(jobs, tmp_path, inline_experiment(), setup)
    model.start()
    ended(qtbot, model)
    assert model.phase is Phase.STOPPED
    path = tmp_path / "short-evolved-2031" / "base.policy"
    assert model.text() == f"{path} is no policy: it lacks what a policy's file has, or is damaged."


def test_one_run_is_on_its_way_at_a_time(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    owner = RunOwner(jobs)
    experiments = ExperimentsModel(owner, QUICK, usual_folder=tmp_path, make_run=inline_experiment(0))
    matches = MatchesModel(owner, SETUP, file=tmp_path / "lab.matches", make_run=inline_run())
    experiments.start()
    assert not matches.can_start
    matches.start()
    assert not matches.is_running
    matches.stop()
    assert experiments.is_running, "each page stops its own"
    experiments.stop()
    ended(qtbot, experiments)
    assert matches.phase is Phase.IDLE
    matches.start()
    assert matches.is_running
    assert not experiments.can_start
    ended(qtbot, matches)
    assert experiments.phase is Phase.STOPPED
