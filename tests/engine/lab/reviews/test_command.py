"""The review command: what it prints, and that bad input is a sentence and exit code 2, never a traceback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from engine.commands import BAD_INPUT, STOPPED
from engine.review import hands as review_hands
from engine.review.decision import GRADE_BOUNDS, Grade
from tests.conftest import SHARED
from tests.engine.game.test_phh import PLURIBUS


def reviewed(path: Path, capsys: pytest.CaptureFixture[str], *more: str, player: str = "Eddie") -> dict[str, Any]:
    assert main(["review", str(path), "--player", player, "--workers", "1", "--json", *more]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_has_the_documented_fields(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    review = reviewed(hands, capsys)
    assert {"decisions", "hands", "loss_bb_per_100", "stderr"} <= set(review)
    assert review["hands"] == 1
    assert review["stderr"] is None  # of one hand
    assert [(one["hand"], one["street"], one["action"]) for one in review["decisions"]] == [
        ("pluribus/30/2", "preflop", "call"),
        ("pluribus/30/2", "flop", "check"),
        ("pluribus/30/2", "turn", "bet 6.75 bb"),
    ]
    assert review["loss_bb_per_100"] == pytest.approx(100 * sum(one["loss_bb"] for one in review["decisions"]))
    for one in review["decisions"]:
        assert {"values", "best", "loss_bb", "stderr"} <= set(one)
        actions = [value["action"] for value in one["values"]]
        assert one["action"] in actions
        assert one["best"] in actions
        assert all(set(value) == {"action", "bb", "stderr"} for value in one["values"])
        assert one["grade"] in list(Grade)
        assert one["hole_cards"] == "Jc4c"
        assert one["board"] == {"preflop": "", "flop": "5c9s7c", "turn": "5c9s7c3h"}[one["street"]]
        reached = [grade for grade, bound in GRADE_BOUNDS.items() if one["share"] >= bound]
        assert Grade(one["grade"]).is_good or one["grade"] == reached[-1]
    assert {"net", "all_in_adjusted", "at_last_decisions", "skipped"} <= set(review)


def test_hidden_cards_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is by what the player could see: the others' cards, which were not shown, may be any."""
    path, other = tmp_path / "one.phhs", tmp_path / "other.phhs"
    path.write_text(PLURIBUS, encoding="utf-8")
    hidden = PLURIBUS.replace("p1 2h3c", "p1 ????").replace("p6 KsAd", "p6 ????").replace("p3 6c9c", "p3 AcAh")
    assert hidden != PLURIBUS
    other.write_text(hidden, encoding="utf-8")
    assert reviewed(path, capsys) == reviewed(other, capsys)


def test_the_text_says_what_it_came_to(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(hands), "--player", "Eddie", "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "Eddie: 1 hand, 3 decisions"
    assert "Accuracy" in out
    assert "Won                  2.5 bb, in too few hands for a rate" in out
    assert "  at last decisions  " in out
    assert "pots of less counting as 4 bb: inaccuracy from 5%, mistake from 15%, blunder from 40%" in out
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--player", "Nobody"], "There is no player 'Nobody' in {path}; there are Budd, Eddie, Bill"),
        (["--player", "Eddie", "--limit", "0"], "At least 1 hand has to be reviewed, not 0."),
        (["--player", "Eddie", "--workers", "0"], "There can be 1 to 61 workers, not 0."),
        (["--player", "Eddie", "--seed", "-1"], "The seed -1 is not between"),
        ([], "The following arguments are required: --player."),
    ],
)
def test_bad_input_is_one_sentence(
    hands: Path, arguments: list[str], sentence: str, refused: Callable[..., str]
) -> None:
    assert refused("review", str(hands), *arguments).startswith(sentence.format(path=hands))


def test_a_file_without_hole_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.phhs"
    path.write_text(PLURIBUS.replace("p2 Jc4c", "p2 ????"), encoding="utf-8")
    assert main(["review", str(path), "--player", "Eddie"]) == BAD_INPUT
    expected = f"There is no hand of Eddie in {path} that can be reviewed, most for this reason: "
    assert capsys.readouterr().err == f"{expected}The hole cards of Eddie are not known.\n"


def test_fixed_limit_hands_are_skipped_and_that_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, reason = tmp_path / "some.phhs", "It has fixed limits, and decisions are judged as no-limit ones."
    limit = PLURIBUS.replace("variant = 'NT'", "variant = 'FT'").replace("pluribus/30/2", "limit")
    assert limit.count("'FT'") == 1
    unknown = PLURIBUS.replace("p2 Jc4c", "p2 ????")
    path.write_text(f"[1]\n{PLURIBUS}[2]\n{limit}[3]\n{unknown}[4]\nvariant = 'PO'\n", encoding="utf-8")
    assert main(["review", str(path), "--player", "Eddie", "--workers", "1", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["hands"] == 1
    reasons = [one["reason"] for one in found["skipped"]]
    assert reasons[0] == reason
    assert err.startswith(f"3 of 4 hands of {path} were skipped:\n  1: {reason} (the first: limit)\n")
    assert "The hole cards of Eddie are not known." in err
    path.write_text(limit, encoding="utf-8")
    assert main(["review", str(path), "--player", "Eddie"]) == BAD_INPUT
    expected = f"There is no hand of Eddie in {path} that can be reviewed, most for this reason: {reason}\n"
    assert capsys.readouterr().err == expected


def test_files_that_are_none(tmp_path: Path, refused: Callable[..., str]) -> None:
    empty, missing, other = tmp_path / "empty.phhs", tmp_path / "missing.phhs", tmp_path / "other.phhs"
    empty.write_text("", encoding="utf-8")
    other.write_text("[1]\nvariant = 'PO'\n", encoding="utf-8")
    for path, sentence in ((empty, "There is no hand in"), (missing, "The file"), (other, "There is no hand in")):
        assert refused("review", str(path), "--player", "Eddie").startswith(sentence)


def test_what_is_interrupted_tells_what_it_has(
    hands: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hands.write_text("".join(f"[{at}]\n{PLURIBUS}" for at in range(3)), encoding="utf-8")
    whole = review_hands.review_hands

    def interrupted(*arguments: Any, **more: Any) -> Any:
        yield next(whole(*arguments, **more))
        raise KeyboardInterrupt

    monkeypatch.setattr(review_hands, "review_hands", interrupted)
    assert main(["review", str(hands), "--player", "Eddie", "--workers", "1", "--json"]) == STOPPED
    out, err = capsys.readouterr()
    assert json.loads(out)["hands"] == 1
    assert err == "Stopped.\n"


@pytest.mark.slow
@pytest.mark.shared
def test_workers_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    path = SHARED / "data" / "hands" / "pluribus.phhs"
    few = ["--limit", "2"]
    alone = reviewed(path, capsys, *few, player="Pluribus")
    assert alone["hands"] == 2
    assert main(["review", str(path), "--player", "Pluribus", "--workers", "2", "--json", *few]) == 0
    assert json.loads(capsys.readouterr().out) == alone
