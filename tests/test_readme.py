"""What README.md and docs/commands.md say can be typed works, and the pages point at nothing that is not there."""

import re
import shlex
from pathlib import Path

import pytest

from engine import cli
from engine.join import command as join
from engine.lab.matches import workers
from engine.ranges import parse_range
from tests.conftest import ROOT
from tests.engine.agents.evolved.ensembles import shipped_folder
from tests.engine.game.test_phh import PLURIBUS
from tests.engine.hand_histories.told_hands import MISSED_BLINDS, SIDE_POTS
from tests.engine.lab.matches.threads import threads
from trainer import __main__ as app

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))

COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

LINES = dict.fromkeys(
    tuple(shlex.split(line, comments=True)[1:])
    for block in re.findall(r"```sh\n(.*?)```", README + COMMANDS_PAGE, flags=re.DOTALL)
    for line in block.splitlines()
    if line.startswith("soulread ")
)
COMMANDS = [list(line) for line in LINES]


@pytest.fixture(autouse=True)
def _threads_for_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "worker_processes", threads)


def commands(name: str) -> list[list[str]]:
    return [command for command in COMMANDS if command[0] == name]


def test_all_commands_are_found() -> None:
    assert {command[0] for command in COMMANDS} == {
        *(
            "odds",
            "icm",
            "push",
            "preflop",
            "match",
            "styles",
            "reading",
            "figure7",
            "experiment",
            "evolve",
            "join",
        ),
        *("review", "figures", "replay", "verify", "import", "export", "backup"),
        "--offscreen",
    }


@pytest.mark.parametrize("command", commands("odds"), ids=" ".join)
def test_odds(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(command) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", commands("icm"), ids=" ".join)
def test_icm(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(command) == 0
    assert capsys.readouterr().out.startswith("Player")


@pytest.mark.parametrize("command", commands("push"), ids=" ".join)
def test_push(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*command, "--deals", "4000"]) == 0
    assert "first in" in capsys.readouterr().out


@pytest.mark.parametrize("command", commands("preflop"), ids=" ".join)
def test_preflop(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(command) == 0
    assert "raise" in capsys.readouterr().out


def test_two_hands_before_the_flop_are_counted_on_all_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert "# exact: all 1,712,304 boards" in README
    cli.main(["odds", "AhKh", "QsQd"])
    assert "1,712,304 showdowns counted, exact" in capsys.readouterr().out


@pytest.mark.parametrize("command", commands("import"), ids=" ".join)
def test_import(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "HandHistory").mkdir()
    text = SIDE_POTS.replace("templargio", "my name")
    (tmp_path / "HandHistory" / "hands.txt").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert app.main([*command, "--data", "data"]) == 0
    assert capsys.readouterr().out.startswith("1 new hand; 1 of 1 file.")


@pytest.mark.parametrize("command", [*commands("export"), *commands("backup")], ids=" ".join)
def test_what_is_stored_is_written(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gg.txt").write_text(MISSED_BLINDS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert app.main(["import", "gg.txt", "--data", "data"]) == 0
    assert app.main([*command, "--data", "data"]) == 0
    assert "1 hand" in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} >= {"hands.txt"} if "export" in command else {command[1]}


@pytest.mark.parametrize("command", commands("match"), ids=" ".join)
def test_match(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "styles.md").read_text(encoding="utf-8")
    (tmp_path / "my-style.toml").write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    shipped_folder(tmp_path / "evolved")
    monkeypatch.chdir(tmp_path)
    few = ["--matches", "2", "--workers", "1"] if "--matches" in command else []
    if "paper" in command:  # a tournament, played to its end
        few = ["--matches", "1", "--stack", "3"]
    else:
        few += ["--hands", "6"]
    assert cli.main([*command, *few]) == 0
    assert capsys.readouterr().out.startswith("Style")


@pytest.mark.parametrize("command", commands("styles"), ids=" ".join)
def test_styles(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--hands", "20", "--field", "random"] if "--measure" in command else []
    assert cli.main([*command, *few]) == 0
    out = capsys.readouterr().out
    assert "nit" in out
    assert "maniac" in out


@pytest.mark.parametrize("command", commands("experiment"), ids=" ".join)
def test_experiment(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--short", "--matches", "2", "--agents", "tight-passive", "--workers", "1", "--no-drawing"]
    assert cli.main([*command, *few]) == 0
    assert capsys.readouterr().out.startswith("Figure ")
    assert list(tmp_path.glob("*/*.csv"))


@pytest.mark.parametrize("command", commands("evolve"), ids=" ".join)
def test_evolve(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = "population = 4\ngenerations = 1\npairs = 2\nretest_pairs = 2\nopponent_width = 1\ngame_width = 1"
    (tmp_path / "few.toml").write_text(settings, encoding="utf-8")
    assert cli.main([*command, "--settings", "few.toml", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("policy")
    assert list(tmp_path.glob("*/*.policy"))


ON_RECORDED_HANDS = [
    command for name in ("reading", "figure7", "review", "figures", "replay") for command in commands(name)
]


@pytest.mark.parametrize("command", ON_RECORDED_HANDS, ids=" ".join)
def test_recorded_hands(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--plot" in command:
        pytest.importorskip("matplotlib")
    count = 1 if command[0] == "review" else 31  # a review takes a second or more for each
    hands = "".join(f"[{number + 1}]\n{PLURIBUS}" for number in range(count))
    (tmp_path / "hands.phhs").write_text(hands, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main(command) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", commands("join"), ids=" ".join)
def test_join_reaches_for_the_server(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    for protocol in ("acpc", "huawei", "aigame"):
        monkeypatch.setattr(join, protocol, lambda *_, name=protocol: called.append(name) or 0)
    real = {"HOST": "localhost", "PORT": "1", "SERVER_IP": "127.0.0.1", "SERVER_PORT": "1", "MY_PORT": "2"}
    assert cli.main([real.get(word, word) for word in command]) == 0
    assert called == [command[1]]


def test_ranges_are_written_as_the_readme_says() -> None:
    (examples,) = re.findall(r"Ranges are written the usual way: (.*?)\. A question", README, flags=re.DOTALL)
    texts = re.findall(r"`([^`]+)`", examples)
    assert len(texts) == 12
    for text in texts:
        assert parse_range(text).weights.any()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_every_goal_of_make_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\((?!https?:|#)([^)]+)\)", text)]
    assert [link for link in links if not (page.parent / link).exists()] == []
    typed = re.findall(r"`make ([a-z-]+)|^make ([a-z-]+)", text, flags=re.MULTILINE)
    goals = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {first or second for first, second in typed} <= goals


@pytest.mark.parametrize("name", ["engine.md", "values.md"])
def test_the_engines_pages_name_modules_that_are_there(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:kernels|equity)/[\w/]+)(?:\.(\w+))?`", page))
    assert named
    for module, member in sorted(named):
        path = ROOT / "engine" / f"{module}.py"
        assert path.exists(), module
        assert member in path.read_text(encoding="utf-8"), f"{module}.{member}"
