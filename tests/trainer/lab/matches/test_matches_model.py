"""Runs of the lab: how far they are, how they end, and that nothing finished is lost."""

from pathlib import Path

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from engine.game.format_file import built_in
from engine.lab.matches.kept.run_file import open_run_file
from engine.lab.matches.several import several_matches
from engine.lab.matches.workers import Workers
from tests.trainer.gestures import PATIENCE
from tests.trainer.lab.samples import SETUP, ended, inline_run
from trainer.jobs import Jobs
from trainer.lab import run as run_module
from trainer.lab.matches import match_run as match_run_module
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.lab.run import Phase
from trainer.lab.running_model import RunOwner


def test_a_run_ends_with_the_result_of_all_its_matches(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(RunOwner(jobs), SETUP, file=tmp_path / "lab.matches", make_run=inline_run())
    assert model.text() == "Nothing has been played yet."
    model.start()
    assert model.phase is Phase.RUNNING
    ended(qtbot, model)
    assert model.phase is Phase.FINISHED
    assert model.result is not None
    *_, expected = several_matches(SETUP.plan, 3)
    assert model.result.differences == expected.result.differences
    assert model.text() == "Finished: 3 of 3 matches, 24 hands."
    assert model.share == pytest.approx(7 / 24), "as the workers count"


def test_tournaments_are_counted_by_matches(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    setup = structs.replace(SETUP, game=built_in("paper"), matches=2)
    model = MatchesModel(RunOwner(jobs), setup, file=tmp_path / "lab.matches", make_run=inline_run())
    model.start()
    ended(qtbot, model)
    assert model.result is not None
    assert (model.result.matches, model.share) == (2, 1.0)


def test_the_time_left_is_by_the_pace_since_the_first_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Half a minute that starts the processes is no pace of 2 hands in it."""
    clock = [0.0]
    monkeypatch.setattr(run_module, "monotonic", lambda: clock[0])
    monkeypatch.setattr(match_run_module, "monotonic", lambda: clock[0])
    run = inline_run()(SETUP, tmp_path / "lab.matches", goes_on=False)

    def left(seconds: float, hands: int) -> float | None:
        clock[0] = seconds
        run.look(Workers(None, lambda: hands, lambda: None))
        return run.seconds_left

    with run.workers(1):
        assert left(0.2, 0) is None
        assert left(30, 2) is None
        # 20 of 24 hands at 2 a second.
        assert left(31, 4) == pytest.approx(10)


def test_stopped_matches_that_are_finished_stay(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(RunOwner(jobs), SETUP, file=tmp_path / "lab.matches", make_run=inline_run(2))
    model.start()
    qtbot.waitUntil(lambda: model.result is not None and model.result.matches == 2, timeout=PATIENCE)
    assert model.is_running
    assert model.text().startswith("2 of 3 matches, 7 hands, ")
    assert model.text().endswith(" left")
    model.start()  # nothing begins as long as one is on its way
    model.stop()
    ended(qtbot, model)
    assert model.phase is Phase.STOPPED
    assert model.text() == "Stopped: 2 of 3 matches, 16 hands."


def test_stopped_matches_are_gone_on_with(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    file = tmp_path / "lab.matches"
    model = MatchesModel(RunOwner(jobs), SETUP, file=file, make_run=inline_run(2))
    assert not model.can_go_on, "nothing is kept"
    model.start()
    qtbot.waitUntil(lambda: model.result is not None and model.result.matches == 2, timeout=PATIENCE)
    assert not model.can_go_on
    model.stop()
    ended(qtbot, model)
    assert model.can_go_on
    model.choose(structs.replace(SETUP, seed=9))
    assert not model.can_go_on, "these are other matches"

    again = MatchesModel(RunOwner(jobs), SETUP, file=file, kept=model.kept, make_run=inline_run(1))
    assert again.can_go_on
    again.go_on()
    ended(qtbot, again)
    assert again.phase is Phase.FINISHED
    assert again.result is not None
    *_, expected = several_matches(SETUP.plan, 3)
    assert again.result.differences == expected.result.differences
    assert not again.can_go_on, "all have been played"
    again.choose(structs.replace(SETUP, matches=5))
    assert again.can_go_on, "more of the same"
    again.start()
    qtbot.waitUntil(lambda: again.result is not None, timeout=PATIENCE)
    again.stop()
    ended(qtbot, again)
    assert again.text() == "Stopped: 1 of 5 matches, 8 hands.", "a new start begins with none"


def test_a_file_that_cannot_be_written_is_said(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(RunOwner(jobs), SETUP, file=tmp_path / "no folder" / "lab.matches", make_run=inline_run())
    model.start()
    ended(qtbot, model)
    assert "lab.matches cannot be " in model.text()
    assert model.result is None


def test_what_another_process_plays_is_not_dropped(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    file = tmp_path / "lab.matches"
    others = structs.replace(SETUP, seed=9)
    model = MatchesModel(RunOwner(jobs), SETUP, file=file, make_run=inline_run())
    with open_run_file(file, others.plan) as kept:
        assert len(list(several_matches(others.plan, 2, file=kept))) == 2
        model.start()
        ended(qtbot, model)
        assert model.text() == f"{file} is in use by another process that plays matches."
    with open_run_file(file, others.plan) as kept:
        assert list(kept) == [0, 1]
    model.start()
    ended(qtbot, model)
    assert model.phase is Phase.FINISHED
    with open_run_file(file, SETUP.plan) as kept:
        assert list(kept) == [0, 1, 2]


def test_a_process_that_dies_is_said_and_loses_no_finished_match(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(RunOwner(jobs), SETUP, file=tmp_path / "lab.matches", make_run=inline_run(1, breaks=True))
    model.start()
    ended(qtbot, model)
    assert model.text() == "A process that played matches has died; the matches finished before are counted."
    assert model.result is not None
    assert model.result.matches == 1


def test_what_fails_is_said(qtbot: QtBot, jobs: Jobs, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    model = MatchesModel(
        RunOwner(jobs),
        structs.replace(SETUP, styles=("nit", "no such style")),
        file=tmp_path / "lab.matches",
        make_run=inline_run(),
    )
    model.start()
    ended(qtbot, model)
    assert model.text().startswith("This cannot go on: There is no style 'no such style'")
    assert "A job failed" in caplog.text
    caplog.clear()


def test_what_cannot_be_played_is_not_begun(jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(
        RunOwner(jobs), MatchesSetup(("nit",)), file=tmp_path / "lab.matches", make_run=inline_run()
    )
    assert model.refusal == "A match takes two styles or more, and only 1 is chosen."
    model.start()
    assert model.phase is Phase.IDLE
    model.choose(SETUP, "Matches: a whole number from 1 to 100,000.")
    assert model.refusal == "Matches: a whole number from 1 to 100,000."
    model.choose(SETUP)
    assert model.refusal == ""


def test_a_second_run_begins_with_nothing(qtbot: QtBot, jobs: Jobs, tmp_path: Path) -> None:
    model = MatchesModel(RunOwner(jobs), SETUP, file=tmp_path / "lab.matches", make_run=inline_run())
    model.start()
    ended(qtbot, model)
    seen = []
    model.result_changed.connect(lambda: seen.append(model.result))
    model.choose(structs.replace(SETUP, seed=6))
    model.start()
    assert seen == [None]
    ended(qtbot, model)
    assert model.played == structs.replace(SETUP, seed=6)
