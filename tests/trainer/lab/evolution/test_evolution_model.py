"""Evolution from its start to its end: shown as it goes, stopped, gone on with, opened, and what goes wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.agents.evolved.library import read_library
from engine.lab.evolution import run as runs
from engine.lab.evolution.run import Job, evolve
from engine.lab.evolution.settings import settings_text
from engine.lab.evolution.several import Evolution
from engine.lab.evolution.targets import BASE, EXPLOITERS, Target
from tests.trainer.gestures import PATIENCE
from tests.trainer.lab.samples import EVOLVING, FIRST_GENERATION, NEXT_GENERATION, ended, inline_evolution
from trainer.jobs import Jobs
from trainer.lab.evolution.courses_model import paragraph_of, picture_of
from trainer.lab.evolution.evolution_model import EvolutionModel
from trainer.lab.evolution.evolution_run import MakeEvolutionRun
from trainer.lab.evolution.setup_model import ALL, EvolutionSetup
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner

O3 = Target("o3")
MakeModel = Callable[..., EvolutionModel]


@pytest.fixture
def model_of(jobs: Jobs, tmp_path: Path) -> MakeModel:
    def make(make_run: MakeEvolutionRun, setup: EvolutionSetup = EVOLVING) -> EvolutionModel:
        return EvolutionModel(RunOwner(jobs), jobs, setup, usual_folder=tmp_path / "evolved", make_run=make_run)

    return make


def run_alone(folder: Path, *targets: Target) -> Evolution:
    """Evolve without a window."""
    alone = Evolution([Job(target, EVOLVING.settings, EVOLVING.seed, folder) for target in targets])
    for _ in alone.steps():
        pass
    return alone


def test_a_run_ends_with_what_the_command_ends_with(qtbot: QtBot, model_of: MakeModel, tmp_path: Path) -> None:
    model = model_of(inline_evolution())
    assert model.text() == "Nothing has been evolved yet."
    assert (model.phase, model.result, model.table(), model.title()) == (Phase.IDLE, None, "", "")
    model.start()
    assert model.is_running
    ended(qtbot, model)
    assert model.phase is Phase.FINISHED
    assert model.text() == "Finished: 1 of 1 policy."
    assert model.share == 1
    alone = run_alone(tmp_path / "alone", O3)
    for path in (tmp_path / "alone").iterdir():
        assert (tmp_path / "evolved" / path.name).read_bytes() == path.read_bytes()
    assert model.result is not None
    (course,) = model.result
    assert course.won == alone.tested[O3].course.won
    assert model.title() == f"Exploiter of O3, seed 5, in {tmp_path / 'evolved'}"
    assert "exploiter-o3  o3" in model.table()
    assert len(model.curves().splitlines()) == 1 + 3
    policy, style, pairs, won, _ = model.final_tests().splitlines()[1].split(",")
    assert (policy, style, pairs) == ("exploiter-o3", "o3", "6")
    assert float(won) == pytest.approx(course.won["o3"].mean, abs=1e-4)


def test_a_stopped_run_shows_what_it_has_and_goes_on_to_the_same_bytes(
    qtbot: QtBot, model_of: MakeModel, tmp_path: Path
) -> None:
    model = model_of(inline_evolution(FIRST_GENERATION + NEXT_GENERATION))
    model.start()
    qtbot.waitUntil(lambda: model.text().startswith("Exploiter of O3: generation 2 of 3, "), timeout=PATIENCE)
    assert model.text().endswith(" left")
    assert model.share == pytest.approx(2 * 4 * 8 / (3 * 4 * 8 + (2 + 1) * 12))
    model.stop()
    ended(qtbot, model)
    assert model.phase is Phase.STOPPED
    assert model.text() == "Stopped: Exploiter of O3: generation 2 of 3; starting again goes on."
    assert model.result is not None
    assert [len(course.curve) for course in model.result] == [2]
    again = model_of(inline_evolution())
    again.start()
    ended(qtbot, again)
    assert again.phase is Phase.FINISHED
    run_alone(tmp_path / "alone", O3)
    for path in (tmp_path / "alone").iterdir():
        assert (tmp_path / "evolved" / path.name).read_bytes() == path.read_bytes()


def test_all_is_nine_policies_and_their_library(qtbot: QtBot, model_of: MakeModel, tmp_path: Path) -> None:
    text = EVOLVING.text.replace("exploiter_generations = 0", "exploiter_generations = 2")
    model = model_of(inline_evolution(), structs.replace(EVOLVING, what=ALL, text=text))
    assert model.setup.targets == (BASE, *EXPLOITERS), "which begin with it"
    model.start()
    ended(qtbot, model)
    assert model.text() == "Finished: 9 of 9 policies."
    assert model.result is not None
    assert [course.header.target for course in model.result] == [*EXPLOITERS, BASE]
    assert len(read_library(tmp_path / "evolved" / "styles.library").trees) == 8
    picture = picture_of(model.result)
    for line in picture.lines:
        for panel in line:
            assert [mark.name for mark in panel.marks[1:]] == [*(f"O{at}" for at in range(1, 9)), "Base"]
    words = paragraph_of(model.result)
    assert words.startswith(
        "On 6 fresh deals, each played twice with the hands swapped, bb/hand ± one standard error: "
    )
    assert "; Base from " in words


def test_curves_are_those_of_the_files(qtbot: QtBot, model_of: MakeModel, tmp_path: Path) -> None:
    model = model_of(inline_evolution(FIRST_GENERATION))
    model.start()
    qtbot.waitUntil(lambda: model.result is not None, timeout=PATIENCE)
    model.stop()
    ended(qtbot, model)
    assert model.result is not None
    steps = evolve(Job(O3, EVOLVING.settings, EVOLVING.seed, tmp_path / "alone"))
    (row,) = next(steps).tolist()
    steps.close()
    (best_fitness, mean_fitness), (best, mean) = (
        [panel.marks[1].y for panel in line] for line in picture_of(model.result).lines
    )
    assert [mean_fitness, best_fitness, mean, best] == [(value,) for value in row]
    across = [panel.across for line in picture_of(model.result).lines for panel in line]
    assert {(axis.low, axis.high) for axis in across} == {(0, EVOLVING.settings.generations)}
    words = paragraph_of(model.result).replace("−", "-")
    assert words.startswith(
        f"Exploiter of O3: generation 1 wins {row[2]:+.2f} bb/hand on average, its best policy {row[3]:+.2f}."
    )


def test_another_run_in_the_usual_place_gets_a_folder_of_its_own(
    qtbot: QtBot, model_of: MakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of(inline_evolution())
    model.start()
    ended(qtbot, model)
    assert model.note == ""
    before = (tmp_path / "evolved" / "exploiter-o3.policy").read_bytes()
    model.choose(structs.replace(EVOLVING, seed=6))
    model.start()
    ended(qtbot, model)
    assert model.note == "evolved has another run, so this one is kept in evolved-2."
    assert model.folder == tmp_path / "evolved-2"
    assert (tmp_path / "evolved" / "exploiter-o3.policy").read_bytes() == before
    monkeypatch.setattr(runs, "sources_of_play", lambda *_, **__: "another version")
    model.start()
    ended(qtbot, model)
    assert model.phase is Phase.FINISHED
    assert model.folder == tmp_path / "evolved-2"  # a finished run of another version is taken
    model.choose(structs.replace(EVOLVING, seed=7, folder=str(tmp_path / "evolved")))
    model.start()
    ended(qtbot, model)
    assert model.text().endswith("was begun with the seed 5, and 7 is asked for; give another folder.")
    assert model.phase is Phase.STOPPED


def test_a_run_of_the_command_line_is_opened_and_gone_on_with(
    qtbot: QtBot, model_of: MakeModel, tmp_path: Path
) -> None:
    folder = tmp_path / "of the command"
    job = Job(BASE, EVOLVING.settings, 8, folder)
    steps = evolve(job)
    next(steps)
    steps.close()
    model = model_of(inline_evolution())
    model.choose(structs.replace(EvolutionSetup(), folder=str(folder)))
    model.open()
    qtbot.waitUntil(lambda: model.result is not None, timeout=PATIENCE)
    assert model.text() == "Opened: Base: generation 1 of 3."
    assert model.title() == f"Base, seed 8, in {folder}"
    chosen = EvolutionSetup("base", settings_text(EVOLVING.settings), 8, str(folder))
    assert model.setup == chosen
    model.start()
    ended(qtbot, model)
    assert model.text() == "Finished: 1 of 1 policy."
    run = model.result
    model.open()
    assert model.result is run, "it is what is shown"
    job.checkpoint.write_bytes(b"PK")
    model.choose(structs.replace(chosen, folder=str(tmp_path / "nowhere")))
    model.open()
    qtbot.waitUntil(lambda: model.result is None, timeout=PATIENCE)
    assert model.text() == "Nothing has been evolved yet.", "a folder that is yet to be made"
    model.choose(chosen)
    model.open()
    qtbot.waitUntil(lambda: bool(model.problem), timeout=PATIENCE)
    assert model.text().startswith(f"{job.checkpoint} is no checkpoint of this version of Soulread, or damaged;")
    assert model.setup == chosen


def test_the_last_run_of_the_usual_place_is_shown_again(qtbot: QtBot, model_of: MakeModel, tmp_path: Path) -> None:
    run_alone(tmp_path / "evolved", O3)
    run_alone(tmp_path / "evolved-2", Target("o1"), O3)
    model = model_of(inline_evolution())
    model.open_last()
    qtbot.waitUntil(lambda: model.result is not None, timeout=PATIENCE)
    assert model.text() == "Opened: 2 of 2 policies finished."
    assert model.folder == tmp_path / "evolved-2"
    assert model.setup == EVOLVING, "as it was left"


def test_what_goes_wrong_is_said_and_loses_no_generation(qtbot: QtBot, model_of: MakeModel, tmp_path: Path) -> None:
    model = model_of(inline_evolution(FIRST_GENERATION, breaks=True))
    model.start()
    ended(qtbot, model)
    assert model.text() == "A process that played has died; all finished generations are kept."
    assert model.result is not None
    assert [len(course.curve) for course in model.result] == [1]
    (tmp_path / "file").touch()
    model.choose(structs.replace(EVOLVING, folder=str(tmp_path / "file")))
    model.start()
    ended(qtbot, model)
    assert model.text().startswith(f"{tmp_path / 'file' / 'exploiter-o3.checkpoint'} cannot be written: ")
    model.choose(structs.replace(EVOLVING, text="pairs = 1"))
    assert not model.can_start
    model.start()
    assert not model.is_running
