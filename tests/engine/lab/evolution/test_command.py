"""The command `soulread evolve`: what it writes where, that it goes on, and that bad input is a sentence."""

import zlib
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.agents.evolved.library import LibraryFileError, library_bytes, parse_library, read_library
from engine.agents.evolved.policy import NetworkSettings, read_policy
from engine.cli import main
from engine.commands import FAILED, STOPPED
from engine.lab.evolution import run, settings
from engine.lab.evolution.algorithm import Breeding
from engine.lab.evolution.checkpoint import Progressed
from engine.lab.evolution.settings import EvolutionSettings, parse_settings
from engine.lab.evolution.targets import STYLES
from engine.lab.matches import workers
from tests.engine.lab.matches.threads import threads

TINY = """\
population = 4
generations = 2
exploiter_generations = 1
pairs = 4
retest_pairs = 6
library_hands = 200
opponent_width = 2
game_width = 2
head = []
"""


@pytest.fixture(autouse=True)
def _threads_for_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share work out over threads, which are there at once."""
    monkeypatch.setattr(workers, "worker_processes", threads)


@pytest.fixture
def folder(tmp_path: Path) -> list[str]:
    """Return the options of a run that takes a moment."""
    settings = tmp_path / "tiny.toml"
    settings.write_text(TINY)
    return ["--settings", str(settings), "--out", str(tmp_path / "out"), "--seed", "3"]


def test_an_exploiter_is_a_policy_with_its_curve_and_test(
    tmp_path: Path, folder: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evolve", "exploiter", "O3", *folder]) == 0
    out, _ = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split() == ["policy", "against", "bb/hand", "±"]
    policies = ["base"] * 8 + ["exploiter-o3"]
    assert [line.split()[:2] for line in lines[1:-1]] == [*map(list, zip(policies, [*STYLES, "o3"], strict=True))]
    assert lines[-1].startswith("On 6 fresh deals each, played twice with the hands swapped")
    assert len((tmp_path / "out" / "exploiter-o3-curve.csv").read_text().splitlines()) == 2
    path = tmp_path / "out" / "exploiter-o3.policy"
    assert read_policy(path).origin == (
        "exploiter-o3, seed 3: 1 generation of 4 from the base's last, 8 hands for each evaluation"
    )
    assert main(["match", str(path), "o3", "--format", "heads-up", "--hands", "20"]) == 0
    before = path.read_bytes()
    assert main(["evolve", "exploiter", "o3", *folder, "--workers", "1"]) == 0
    assert path.read_bytes() == before
    assert capsys.readouterr().out.endswith(out)


def test_all_is_eight_exploiters_a_base_and_a_library(
    tmp_path: Path, folder: list[str], capsys: pytest.CaptureFixture[str], refused: Callable[..., str]
) -> None:
    assert refused("evolve", "library", *folder).endswith(
        "exploiter-o1.policy cannot be read: No such file or directory.\n"
    )
    assert main(["evolve", "all", *folder]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1 + 8 + 8 + 1
    library = read_library(tmp_path / "out" / "styles.library")
    assert list(library.trees) == list(STYLES)
    assert (library.hands, library.least) == (200, 15)
    first = (tmp_path / "out" / "styles.library").read_bytes()
    assert main(["evolve", "library", *folder]) == 0
    assert "has what 200 hands of each exploiter tell of its style; nodes: o1 " in capsys.readouterr().out
    assert (tmp_path / "out" / "styles.library").read_bytes() == first == library_bytes(library)
    assert parse_library(first, "it") == library
    for bad in (b"", first[:-9], first[:50] + b"\xff" * 20 + first[70:]):
        with pytest.raises(LibraryFileError, match=r"^it is no library of styles: "):
            parse_library(bad, "it")
    with pytest.raises(LibraryFileError, match=r"^it is no library of styles: .*more than 100,000,000 bytes"):
        parse_library(zlib.compress(bytes(100_000_001), 1), "it")


def test_another_schedule_has_files_of_its_own(tmp_path: Path, folder: list[str]) -> None:
    assert main(["evolve", "base", "--schedule", "2", *folder]) == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"base-schedule-2{end}" for end in ("-curve.csv", "-test.csv", ".checkpoint", ".policy")]


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), STOPPED, "Stopped."),
        (BrokenExecutor("A process has died."), FAILED, "A process has died."),
    ],
)
def test_a_run_that_is_stopped_goes_on_to_the_same_result(
    tmp_path: Path,
    folder: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    words: str,
) -> None:
    def stopped(*arguments: object) -> Progressed:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(run, "_tested", stopped)
        assert main(["evolve", "exploiter", "o1", *folder]) == code
    err = capsys.readouterr().err.splitlines()
    assert err[-2:] == [
        words,
        f"All finished generations are kept in {tmp_path / 'out'}; the same command goes on.",
    ]
    assert main(["evolve", "exploiter", "o1", *folder]) == 0
    other = [*folder[:3], str(tmp_path / "whole"), *folder[4:]]
    assert main(["evolve", "exploiter", "o1", *other]) == 0
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["exploiter"], "An exploiter plays against one of o1, o2, o3, o4, o5, o6, o7, o8, and none is given."),
        (
            ["exploiter", "guru"],
            "An exploiter plays against one of o1, o2, o3, o4, o5, o6, o7, o8, not 'guru'.",
        ),
        (["base", "o3"], "'base' takes no style, and 'o3' is given."),
        (["all", "--schedule", "2"], "--schedule is for the base, not for 'all'."),
        (["base", "--workers", "0"], "There can be 1 to 61 workers, not 0."),
        (["base", "--seed", "-1"], "The seed must be from 0 to 9223372036854775807, not -1."),
        (["base", "--executor", "nowhere"], "--executor takes dask://HOST:PORT, not 'nowhere'."),
        (
            ["base", "--executor", "dask://here:1", "--workers", "2"],
            "A cluster has workers of its own: --workers is for processes here.",
        ),
        (["base", "--settings", "none.toml"], "The run none.toml cannot be read: No such file or directory."),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("evolve", *arguments) == words + "\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("popullation = 3", "'popullation' is no setting of a run; did you mean 'population'?"),
        ("population = 3", "The setting 'population' is a whole number from 4 to 10,000, not 3."),
        ("population = true", "The setting 'population' is a whole number from 4 to 10,000, not true."),
        ("library_hands = 7", "The setting 'library_hands' is an even number from 2 to 10,000,000, not 7."),
        ("survival = nan", "The setting 'survival' is a number from 0.01 to 0.99, not nan."),
        ('head = "wide"', """The setting 'head' is a list of up to four widths of 1 to 1000, not "wide"."""),
        ("head = [0]", "head of a network is up to 4 widths of 1 to 1000."),
        ("layers = 8\ngame_width = 1000", "A network has at most 10,000,000 weights, not 60,106,058."),
        ('normalisers = "none"', """The setting 'normalisers' is "moving" or "fixed", not "none"."""),
        ("population = ", "Its TOML is damaged: "),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    text: str, words: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text(text)
    assert refused("evolve", "base", "--settings", str(settings), "--out", str(tmp_path / "out")).startswith(
        f"The run mine.toml cannot be played: {words}"
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, folder: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("a file")
    assert main(["evolve", "exploiter", "o1", *folder]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(str(tmp_path / "out"))


def test_the_page_shows_the_settings_that_there_are_with_their_defaults() -> None:
    page = (Path(__file__).parents[4] / "docs" / "evolution.md").read_text(encoding="utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    other = replace(
        EvolutionSettings(), network=replace(NetworkSettings(), steps=9, head=(1,)), breeding=Breeding(population=4)
    )
    assert parse_settings(text, other) == EvolutionSettings()
    assert {line.partition(" =")[0] for line in text.splitlines()} == set(settings._SETTINGS)
