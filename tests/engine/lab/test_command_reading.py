"""The reading command: what it prints, and that bad input is a sentence and exit code 2, never a traceback."""

import json
from collections.abc import Callable
from math import log
from pathlib import Path

import pytest

from engine import commands
from engine.cli import main
from engine.commands import BAD_INPUT
from tests.conftest import SHARED, Terminal
from tests.engine.game.test_phh import UNCALLED, record

STREETS = ["preflop", "flop", "turn", "river", "all"]


def test_json_has_exactly_the_documented_fields(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reading", str(hands), "--reader", "uniform", "--json"]) == 0
    out, err = capsys.readouterr()
    score = json.loads(out)
    assert list(score) == [
        *("source", "reader", "hands", "points", "skipped", "live", "everyone"),
        *("calibration", "update_seconds", "learn_seconds", "floor", "seed"),
    ]
    assert (score["source"], score["reader"], score["hands"], score["points"]) == ("some.phhs", "uniform", 2, 12)
    for who in ("live", "everyone"):
        assert list(score[who]) == STREETS
        assert list(score["calibration"][who]) == STREETS
        assert list(score[who]["flop"]) == [
            *("points", "hands", "log_loss", "stderr", "floored", "entropy", "top_z", "top_10", "top_20"),
        ]
    assert score["live"]["preflop"]["points"] == 3
    assert score["everyone"]["preflop"]["points"] == 8
    assert score["live"]["preflop"]["log_loss"] == pytest.approx(log(1225), abs=1e-5)
    assert list(score["update_seconds"]) == STREETS
    assert err == ""


def test_the_table_and_what_was_skipped(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with hands.open("a", encoding="utf-8") as file:
        file.write("[3]\nvariant = 'PO'\n[4]\n" + record(["p1 f"]) + "[5]\nvariant = 'PO'\n")
    assert main(["reading", str(hands), "--reader", "uniform"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split() == ["Live", "targets", "of", "some.phhs", *STREETS]
    assert out.splitlines()[-1] == "Reader uniform: 2 hands, 12 decision points."
    assert err.splitlines() == [
        f"3 of 5 hands of {hands} were skipped:",
        "  2: Its game is 'PO', not hold'em (NT or FT). (the first: 3)",
        "  1: Action 3 (p1 f): It is the turn of p2. (the first: 4)",
    ]


def test_a_limit_and_the_default_reader(hands: Path, printed: Callable[..., str]) -> None:
    score = json.loads(printed("reading", str(hands), "--limit", "1", "--json"))
    assert (score["hands"], score["points"]) == (1, 10)


def test_the_calibration_goes_into_a_file_beside_others(hands: Path, tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    for reader in ("uniform", "paper", "uniform"):
        assert main(["reading", str(hands), "--reader", reader, "--calibration-file", str(path)]) == 0
    tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
    assert [(table["reader"], table["source"], table["hands"]) for table in tables] == [
        ("paper", "some", 2),
        ("uniform", "some", 2),
    ]
    assert tables[0]["streets"]["flop"]["points"] == 2
    assert sum(tables[0]["streets"]["flop"]["deciles"]) == pytest.approx(1)


def test_a_gain_on_another_reader(hands: Path, printed: Callable[..., str]) -> None:
    score = json.loads(printed("reading", str(hands), "--reader", "paper", "--against", "uniform", "--json"))
    groups = {group["group"]: group for group in score["gains"]["groups"]}
    assert score["gains"]["over"] == "uniform"
    assert groups["all"]["points"] == score["live"]["all"]["points"]
    # Before the flop the uniform reader loses the same everywhere.
    assert groups["preflop"]["gain"] == pytest.approx(log(1225) - score["live"]["preflop"]["log_loss"], abs=1e-5)
    assert "Gain on uniform, nats" in printed("reading", str(hands), "--reader", "paper", "--against", "uniform")


def test_hands_kept_apart_are_scored_alone(hands: Path, printed: Callable[..., str]) -> None:
    with hands.open("a", encoding="utf-8") as file:
        for number in range(3, 8):
            file.write(f"[{number}]\n{record(UNCALLED)}")
    assert (
        json.loads(printed("reading", str(hands), "--reader", "uniform", "--apart", "--json"))["hands"] == 2
    )  # the first and the sixth of seven


def test_one_hand_is_explained(hands: Path, printed: Callable[..., str]) -> None:
    out = printed("reading", str(hands), "--reader", "paper", "--explain", "1")
    assert out.startswith("Hand pluribus/30/")
    assert " = " in out
    whole = json.loads(printed("reading", str(hands), "--reader", "paper", "--explain", "1", "--json"))
    assert len(whole["points"]) == 10
    assert {"prior", "factors", "posterior", "combos"} <= set(whole["points"][0]["chain"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{hands}", "--reader", "psychic"], "There is no reader 'psychic'; there are "),
        (["{folder}"], "The file {folder} cannot be read: Is a directory.\n"),
        (["{folder}/none"], "The file {folder}/none cannot be read: No such file or directory.\n"),
        (["{folder}/empty"], "There is no hand in {folder}/empty.\n"),
        (["{hands}", "--limit", "0"], "At least 1 hand has to be read, not 0.\n"),
        (["{hands}", "--limit", "x"], "Argument --limit: 'x' is no whole number. See soulread reading --help.\n"),
        (["{hands}", "--seed", "-1"], ""),
        (["{hands}", "--calibration-file", "{folder}"], "The file {folder} cannot be read: Is a directory.\n"),
        (["{hands}", "--against", "psychic"], "There is no reader 'psychic'; there are "),
        (["{hands}", "--explain", "0"], "Hands are numbered from 1, so there is no hand 0.\n"),
        (["{hands}", "--explain", "9"], "There is no hand 9: {hands} ends with hand 2.\n"),
        (
            ["{folder}/none", "--explain", "1"],
            "The file {folder}/none cannot be read: No such file or directory.\n",
        ),
        ([], "The following arguments are required: FILE. See soulread reading --help.\n"),
    ],
)
def test_bad_input_is_a_sentence(
    arguments: list[str], message: str, hands: Path, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / "empty").touch()
    places = {"hands": str(hands), "folder": str(tmp_path)}
    assert refused("reading", *(argument.format(**places) for argument in arguments)).startswith(
        message.format(**places)
    )


def test_nothing_but_skipped_hands_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_text("PokerStars Hand #1\n", encoding="utf-8")
    assert main(["reading", str(path)]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0] == f"1 of 1 hands of {path} were skipped:"
    assert err.splitlines()[-1] == f"So there is no hand to score in {path}."


def test_stopping_from_the_keyboard_tells_what_is_known(
    hands: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.lab.reading import Scorer

    add = Scorer.add

    def add_and_stop(scorer: Scorer, hand: object) -> None:
        add(scorer, hand)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(Scorer, "add", add_and_stop)
    assert main(["reading", str(hands), "--reader", "uniform"]) == 130
    out, err = capsys.readouterr()
    assert err == "Stopped.\n"
    assert out.splitlines()[-1] == "Reader uniform: 1 hands, 10 decision points."


def test_stopping_before_the_first_hand_tells_nothing(
    hands: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.kernels.jit.warm_up", stop)
    assert main(["reading", str(hands), "--reader", "uniform"]) == 130
    out, err = capsys.readouterr()
    assert err == "Stopped.\n"
    assert out.splitlines()[-1] == "Reader uniform: 0 hands, 0 decision points."


def test_a_terminal_is_told_how_far_it_is(
    hands: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(commands, "_SECONDS_OF_PROGRESS", 0.0)
    assert main(["reading", str(hands), "--reader", "uniform"]) == 0
    shown = terminal.getvalue()
    assert "\r1 hands, 10 points, " in shown
    assert "\r2 hands, 12 points, " in shown
    assert shown.endswith("\r\x1b[K")


@pytest.mark.shared
def test_the_uniform_reader_on_real_six_handed_hands(printed: Callable[..., str]) -> None:
    file = SHARED / "data" / "hands" / "pluribus.phhs"
    live = json.loads(printed("reading", str(file), "--reader", "uniform", "--limit", "200", "--json"))["live"]
    assert [round(live[street]["log_loss"], 4) for street in STREETS[:4]] == [7.1107, 6.9856, 6.9422, 6.8977]


@pytest.mark.slow
@pytest.mark.shared
def test_the_learned_reader_is_calibrated_on_real_hands_and_the_papers_too_sure(
    printed: Callable[..., str],
) -> None:
    nothing = {"preflop": 7.1107, "flop": 6.9856, "turn": 6.9422, "river": 6.8977}
    file = SHARED / "data" / "hands" / "pluribus.phhs"

    def score(reader: str) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
        answer: dict[str, dict[str, dict[str, dict[str, float]]]] = json.loads(
            printed("reading", str(file), "--reader", reader, "--limit", "120", "--json")
        )
        return answer

    learned, paper = score("learned"), score("paper")
    tenths = learned["calibration"]["live"]["all"]["deciles"]
    assert all(0.05 < tenth < 0.15 for tenth in tenths)
    for street, loss in nothing.items():
        assert learned["live"][street]["log_loss"] < loss - 1
    for street in ("flop", "turn", "river"):
        assert paper["live"][street]["log_loss"] > nothing[street]
        assert paper["calibration"]["live"][street]["deciles"][-1] > 0.3  # the least likely tenth of the range


@pytest.mark.parametrize("arguments", [[], ["--explain", "1"], ["--explain", "2"], ["--json"]])
def test_no_control_character_of_a_file_reaches_the_terminal(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    evil = r"\u001b[2J\u202e\u009b\r\n"
    path = tmp_path / "\x1b[2J\u202e.phhs"
    good = record(UNCALLED, more=f'players = ["{evil}a", "{evil}b"]\n_id = "{evil}"')
    path.write_text(f'[1]\n{good}[2]\nvariant = "{evil}"\n_id = "{evil}"\n', encoding="utf-8")
    main(["reading", str(path), "--reader", "uniform", *arguments])
    out, err = capsys.readouterr()
    assert all(line.isprintable() for line in f"{out}\n{err}".split("\n"))
    assert out or "2J" in err
