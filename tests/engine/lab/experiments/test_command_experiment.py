"""The experiment command: what it writes where, that it goes on, and that bad input is a sentence."""

import csv
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from pathlib import Path

import pytest

from engine.cli import main
from engine.commands import BAD_INPUT, FAILED, STOPPED
from engine.lab.experiments import running
from engine.lab.experiments.experiment import Row
from engine.lab.experiments.records import RECORDS, Task
from engine.lab.matches import workers
from engine.lab.matches.workers import Workers
from tests.engine.lab.matches.test_command import FewWorkers


class Here(Executor):
    """Plays in this process."""

    def submit(self, task: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:
        future = Future[object]()
        future.set_result(task(*args, **kwargs))
        return future


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        workers, "worker_processes", lambda count: nullcontext(Workers(Here(), lambda: 0, lambda: None))
    )


SMALL = ["--short", "--agents", "tight-passive", "--workers", "2"]


@pytest.mark.usefixtures("here")
def test_numbers_words_and_a_drawing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "new"
    assert main(["experiment", "fig11", *SMALL, "--out", str(out)]) == 0
    first = capsys.readouterr()
    assert first.err == ""
    title, table, paragraph = first.out.rstrip().split("\n\n")
    assert title.startswith("Figure 11: ")
    assert len(table.splitlines()) == 9
    assert "Tight-passive is" in paragraph
    with (out / "fig11.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == Row.__struct_fields__
    assert len(rows) == 4 * 8
    assert (out / "fig11.svg").read_bytes().startswith(b"<?xml")
    assert len((out / RECORDS).read_bytes().splitlines()) == 1 + 2
    # The same matches are those of another figure, and nothing is played again.
    before = (out / RECORDS).read_bytes()
    assert main(["experiment", "fig11", *SMALL, "--out", str(out)]) == 0
    assert capsys.readouterr() == first
    assert main(["experiment", "fig10", *SMALL, "--out", str(out), "--no-drawing"]) == 0
    assert (out / RECORDS).read_bytes() == before
    assert not (out / "fig10.svg").exists()


@pytest.mark.parametrize(
    ("error", "code", "sentence", "count"),
    [
        (BrokenExecutor, FAILED, "A process that played matches has died.", 2),
        (KeyboardInterrupt, STOPPED, "Stopped.", 1),
    ],
)
def test_finished_matches_are_kept(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    error: type[BaseException],
    code: int,
    sentence: str,
    count: int,
) -> None:
    tasks = [Task(("shover", "maniac"), number, hands=10) for number in range(3)]
    monkeypatch.setattr(running, "tasks_of", lambda *_: tasks)
    monkeypatch.setattr(workers, "worker_processes", FewWorkers(error))
    assert main(["experiment", "fig11", *SMALL, "--out", str(tmp_path), "--no-drawing"]) == code
    out, err = capsys.readouterr()
    said, kept = err.splitlines()
    assert (out, said) == ("", sentence)
    there = len((tmp_path / RECORDS).read_bytes().splitlines()) - 1
    assert there >= count
    assert kept == f"{there} of 3 matches are kept in {tmp_path}; the same command goes on."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "The following arguments are required: NAME. See soulread experiment --help."),
        (["fig6"], "Argument NAME: invalid choice: 'fig6' (choose from "),
        (["fig11", "--agents", "psychic"], "There is no style 'psychic'; "),
        (["fig11", "--agents", "nit", "nit"], "The agent 'nit' is named twice."),
        (["fig11", "--agents", "A*"], "'A*' plays at 2 seats, and this table has 8."),
        (["fig11", "--matches", "1"], "An experiment has 2 to 10,000 matches of each line-up, not 1."),
        (["fig11", "--seed", "-1"], "The seed must be from 0 to "),
        (["fig11", "--workers", "0"], "There can be 1 to 61 workers, not 0."),
        (["fig4", "--agents", "nit"], "fig4 is of fold-2017 alone and compares no matches; "),
        (["fig4", "--matches", "5"], "fig4 is of fold-2017 alone and compares no matches; "),
        (["fig12", "--agents", "nit"], "Figure 12 leaves out parts of fold-2017 and soulread; "),
        (["fig11", "--out", "{file}"], "{file}/finished.matches cannot be opened: "),
    ],
)
def test_bad_input_is_a_sentence(
    tmp_path: Path, refused: Callable[..., str], arguments: list[str], message: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    filled = [argument.format(file=file) for argument in arguments]
    out = [] if "--out" in filled else ["--out", str(tmp_path / "new")]
    assert refused("experiment", *filled, *out, "--no-drawing").startswith(message.format(file=file))


@pytest.mark.usefixtures("here")
def test_without_matplotlib_nothing_is_played_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    words = ["experiment", "fig11", *SMALL, "--out", str(tmp_path)]
    assert main(words) == BAD_INPUT
    sentence = "Drawing needs matplotlib: pip install 'soulread[lab]'; --no-drawing leaves it out.\n"
    assert capsys.readouterr() == ("", sentence)
    assert not list(tmp_path.iterdir())
    assert main([*words, "--no-drawing"]) == 0
    assert (tmp_path / "fig11.csv").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", running.EXPERIMENTS)
def test_a_short_run_of_each(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert main(["experiment", name, "--short", "--out", str(tmp_path), "--agents", "fold-2017"]) == 0
    out, err = capsys.readouterr()
    assert (len(out.split("\n\n")) >= 3, err) == (True, "")
    assert (tmp_path / f"{name}.svg").exists()


@pytest.mark.long
@pytest.mark.parametrize("name", running.EXPERIMENTS)
def test_a_short_run_of_each_with_our_best_agent(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert main(["experiment", name, "--short", "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}.csv").exists()
