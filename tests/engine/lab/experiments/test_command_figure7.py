"""The figure7 command: what it prints and writes, and that bad input is a sentence."""

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli import main
from engine.commands import BAD_INPUT, STOPPED
from engine.lab.experiments.figures import figure7
from tests.engine.lab.experiments.figures.test_figure7 import STREETS, THIRD
from tests.engine.lab.test_markov_training import HAND, OTHER


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    path = tmp_path / "some.phhs"
    path.write_text(f"[1]{HAND}[2]{OTHER}[3]\nvariant = 'PO'\n[4]{THIRD}", encoding="utf-8")
    return path


def test_table_csv_and_plot(hands: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    other = tmp_path / "other.phhs"
    other.write_text(f"[1]{THIRD}", encoding="utf-8")
    target, drawn = tmp_path / "figure.csv", tmp_path / "figure.png"
    assert main(["figure7", str(hands), str(other), "--csv", str(target), "--plot", str(drawn)]) == 0
    out, err = capsys.readouterr()
    tables = out.split("\n\n")
    assert [table.splitlines()[0].split() for table in tables] == [["some", *STREETS], ["other", *STREETS]]
    assert err == f"1 hands of {hands} were skipped; soulread reading tells why.\n"
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 5 * 3
    assert {(row["source"], row["reader"]) for row in rows} == {
        (source, reader) for source in ("some", "other") for reader in ("paper", "markov")
    }
    assert {row["hands"] for row in rows if row["source"] == "some" and row["street"] == "all"} == {"3"}
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_a_limit_readers_and_hands_kept_apart(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure7", str(hands), "--readers", "uniform", "--limit", "1"]) == 0
    limited = capsys.readouterr().out
    assert "uniform" in limited
    assert "markov" not in limited
    # Of four hands only the first is kept apart, so it is the same.
    assert main(["figure7", str(hands), "--readers", "uniform", "--apart", "some"]) == 0
    assert capsys.readouterr().out == limited


def test_a_comparison_that_is_stopped_says_so(
    hands: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(figure7.Comparison, "score", stopped)
    assert main(["figure7", str(hands)]) == STOPPED
    assert capsys.readouterr() == ("", "Stopped.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "The following arguments are required: FILE. See soulread figure7 --help.\n"),
        (["{hands}", "--readers", "psychic"], "There is no reader 'psychic'; there are "),
        (["{hands}", "--readers", "paper,paper"], "A reader is named twice in paper, paper.\n"),
        (["{hands}", "--readers", ""], "There is no reader ''; there are "),
        (
            ["{hands}", "--readers", "markov-own"],
            "The reader markov-own can only be scored on hands that are kept apart.\n",
        ),
        (["{hands}", "--apart", "some,other"], "Hands of other are to be kept apart, but there is no such file.\n"),
        (["{hands}", "--limit", "0"], "At least 1 hand has to be scored, not 0.\n"),
        (["{hands}", "--seed", "-1"], "The seed -1 is not between 0 and 2^128 - 1.\n"),
        (["{folder}/none"], "The file {folder}/none cannot be read: No such file or directory.\n"),
        (["{folder}/empty"], "There is no hand to score in {folder}/empty.\n"),
        (
            ["{hands}", "--plot", "{folder}/figure.txt"],
            "The figure {folder}/figure.txt cannot be drawn: its name must end in .png, .svg or .pdf.\n",
        ),
    ],
)
def test_bad_input_is_a_sentence(
    hands: Path, refused: Callable[..., str], arguments: list[str], message: str
) -> None:
    pytest.importorskip("matplotlib")
    folder = hands.parent
    (folder / "empty").touch()
    hands.write_text(f"[1]{OTHER}", encoding="utf-8")
    filled = [argument.format(hands=hands, folder=folder) for argument in arguments]
    assert refused("figure7", *filled).startswith(message.format(folder=folder))


def test_without_matplotlib_nothing_is_computed_in_vain(
    hands: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    monkeypatch.setattr(figure7, "Comparison", None)
    assert (
        refused("figure7", str(hands), "--plot", "x.png")
        == "Drawing needs matplotlib: pip install 'soulread[lab]'.\n"
    )


def test_the_table_is_there_even_if_a_file_cannot_be_written(
    hands: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands.write_text(f"[1]{OTHER}", encoding="utf-8")
    assert main(["figure7", str(hands), "--csv", str(hands.parent)]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out.startswith("some ")
    assert err == f"The file {hands.parent} cannot be written: Is a directory.\n"
