"""What experiment is chosen: refused, counted and remembered."""

from pathlib import Path

import pytest
from msgspec import structs

from engine.lab.experiments.command import EXPERIMENT_NAMES
from engine.lab.experiments.ensemble.sets import jobs_of_sets
from engine.lab.experiments.experiment import Setting
from engine.lab.experiments.running import ALL_EXPERIMENTS, EXPERIMENTS, tasks_of
from trainer.lab.experiments.setup_model import (
    ExperimentSetup,
    agents_note,
    read_experiment,
    title_of,
    usual_matches,
)
from trainer.lab.setup_model import setup_text


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_is_not_refused_can_be_run(name: str) -> None:
    setup = ExperimentSetup(name)
    assert setup.refusal == ""
    assert setup.setting == Setting()
    tasks = tasks_of(EXPERIMENTS[name], setup.setting)
    usual = usual_matches(name)
    assert (usual is None) is (not tasks)
    assert len({task.number for task in tasks}) == (usual or 0)


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (ExperimentSetup(agents=()), "An experiment measures one style or more, and none is chosen."),
        (
            ExperimentSetup("fig12", ("soulread", "nit")),
            "Figure 12 leaves out parts of FOLD 2017 and Soulread; it knows of none to leave out of Nit.",
        ),
        (ExperimentSetup(matches=1), "An experiment has two matches of each line-up or more, not 1."),
    ],
)
def test_what_cannot_be_run_is_refused_as_the_engine_would(setup: ExperimentSetup, sentence: str) -> None:
    assert setup.refusal == sentence
    assert ExperimentSetup("fig4", ()).refusal == "", "it is of FOLD alone"


def test_who_is_measured_is_said() -> None:
    assert agents_note(ExperimentSetup(), Path()) == "Measured: FOLD 2017, Soulread."
    assert agents_note(ExperimentSetup(agents=()), Path()) == "Measured: nobody."


def test_what_the_ensemble_papers_evolve_first_is_said(tmp_path: Path) -> None:
    setup = ExperimentSetup("evo-table3")
    assert (setup.refusal, setup.takes_agents, usual_matches(setup.name)) == ("", False, None)
    missing = jobs_of_sets(setup.setting, tmp_path)
    assert len(missing) == 18
    hands = sum(job.header.hands for job in missing)
    assert agents_note(setup, tmp_path) == f"Evolves first what the folder lacks: 18 policies, {hands:,} hands."
    for job in missing[1:]:
        job.folder.mkdir(exist_ok=True)
        job.policy.touch()
    hands = missing[0].header.hands
    assert agents_note(setup, tmp_path) == f"Evolves first what the folder lacks: 1 policy, {hands:,} hands."
    missing[0].policy.touch()
    assert agents_note(setup, tmp_path) == "All policies that it takes are there."
    bases = agents_note(ExperimentSetup("fig9-evo", is_short=True), tmp_path)
    assert bases.startswith("Evolves first what the folder lacks: 4 policies, "), "two values, two seeds"


def test_whose_experiment_it_is_can_be_told() -> None:
    titles = [title_of(name) for name in ALL_EXPERIMENTS]
    assert len(set(titles)) == len(titles)
    assert list(ALL_EXPERIMENTS) == list(EXPERIMENT_NAMES)


def test_a_setup_is_remembered() -> None:
    setup = ExperimentSetup("table3", ("nit",), 7, True, 3, "somewhere else", 2)
    assert read_experiment(setup_text(setup)) == setup
    assert read_experiment("") == ExperimentSetup()
    assert read_experiment(setup_text(ExperimentSetup("fig11-evo"))).name == "fig11-evo"
    assert read_experiment(setup_text(structs.replace(setup, name="fig6"))) == ExperimentSetup()
