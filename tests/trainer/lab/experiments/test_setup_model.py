"""What experiment is chosen: refused, counted and remembered."""

import pytest
from msgspec import structs

from engine.lab.experiments.experiment import Setting
from engine.lab.experiments.running import EXPERIMENTS, tasks_of
from trainer.lab.experiments.setup_model import (
    ExperimentSetup,
    agents_note,
    experiment_text,
    read_experiment,
    usual_matches,
)


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
    assert agents_note(ExperimentSetup()) == "Measured: FOLD 2017, Soulread."
    assert agents_note(ExperimentSetup(agents=())) == "Measured: nobody."


def test_a_setup_is_remembered() -> None:
    setup = ExperimentSetup("table3", ("nit",), 7, True, 3, "somewhere else", 2)
    assert read_experiment(experiment_text(setup)) == setup
    assert read_experiment("") == ExperimentSetup()
    assert read_experiment(experiment_text(structs.replace(setup, name="fig6"))) == ExperimentSetup()
