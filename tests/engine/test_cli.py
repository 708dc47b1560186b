"""The odds command: what it prints, and that bad input is a sentence and exit code 2, never a traceback."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import cli, commands
from engine.cli import main
from engine.commands import BAD_INPUT, STOPPED
from engine.equity.question import EquityQuestion
from engine.equity.solve import EquitySnapshot, solve
from engine.ranges import Range
from engine.resources import ResourceError
from tests.conftest import Terminal
from tests.hostile import runs


def odds(arguments: list[str]) -> int:
    """Run `soulread odds` and return its exit code."""
    return main(["odds", *arguments])


@pytest.fixture(autouse=True)
def _nothing_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine even what takes a moment may take the second after which progress is told."""
    monkeypatch.setattr(commands, "_SECONDS_OF_LINES", 3600.0)


def test_table_of_an_exact_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AhKh", "QsQd"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["Hand", "Win", "Tie", "Equity", "Std.", "error"],
        ["AhKh", "46.018%", "0.393%", "46.214%", "exact"],
        ["QsQd", "53.589%", "0.393%", "53.786%", "exact"],
    ]
    assert len({len(line) for line in lines[:3]}) == 1
    assert lines[3].startswith("1,712,304 showdowns counted, exact, ")
    assert lines[3].endswith(" s")
    assert err == ""


def test_json_has_exactly_the_documented_fields(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AsKs", "QQ+", "22+", "--board", "Js 7s 2h", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["players", "method", "count", "seconds"]
    assert [list(player) for player in answer["players"]] == [
        ["hand", "win", "tie", "equity", "stderr", "win_stderr", "tie_stderr"]
    ] * 3
    assert [player["hand"] for player in answer["players"]] == ["AsKs", "QQ+", "22+"]
    assert answer["players"][0]["equity"] == pytest.approx(0.42462977, abs=5e-9)
    assert answer["players"][0]["stderr"] == 0
    assert (answer["method"], answer["count"]) == ("exact", 639_324)
    assert answer["seconds"] > 0


def test_samples_and_seed(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(*options: str) -> dict[str, object]:
        assert odds(["AhKh", "QsQd", "--json", *options]) == 0
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        return found

    first, second = answer("--samples", "3000", "--seed", "1"), answer("--samples", "3000", "--seed", "2")
    assert (first["method"], first["count"]) == ("sampled", 3000)
    assert first["players"] == answer("--samples", "3000", "--seed", "1")["players"]
    assert first["players"] != second["players"]
    assert answer("--exact")["method"] == "exact"


def test_threads_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for threads in ("1", "3"):
        arguments = ["AhKh", "22+,A2s+", "random", "--samples", "1000000", "--threads", threads]
        assert odds([*arguments, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out)["players"])
    assert answers[0] == answers[1]


def test_dead_cards_and_the_table_of_a_sampled_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AhKh", "22+", "random", "--dead", "Ac Ad", "--samples", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("±" in line for line in lines[1:4])
    assert lines[4].startswith("2,000 deals sampled, ")
    assert odds(["As2s", "AhKh", "--board", "Ac Ad 3c 4c 9h", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][1]["equity"] == 1


def test_long_ranges_are_shortened_in_the_table_only(capsys: pytest.CaptureFixture[str]) -> None:
    text = "22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+"
    assert odds(["AhKh", text + ",98s", "--samples", "1000"]) == 0
    assert "22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo…" in capsys.readouterr().out
    assert odds(["AhKh", text, "--samples", "1000", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][1]["hand"] == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["AA", "KK, XY"], "Hand 2: 'XY' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%.\n"
         "  KK, XY\n"
         "      ^^\n"),
        (["AhKh", "QQ", "--board", "Ks\t7d 2x"], "The board: '2x' is no card: 'x' is no suit (c d h s).\n"
         "  Ks 7d 2x\n"
         "         ^\n"),
        (["AhKh", "QQ", "--dead", "2c 2c"], "The dead cards: The card 2c stands there twice.\n"
         "  2c 2c\n"
         "     ^^\n"),
        (["AhKh", "AhQd"], "The card Ah cannot be held by both player 1 (AhKh) and player 2 (AhQd).\n"),
        (["AhKh", "QQ", "--board", "Ah 2c 3d"], "The card Ah of player 1 (AhKh) is on the board.\n"),
        (["AhKh", "QQ", "--board", "2c 3d"], "A board has 0, 3, 4 or 5 cards, not 2.\n"),
        (["AhKh"], "Equity needs 2 to 10 players, not 1.\n"),
        (["AhKh", ""], "The range of player 2 is empty.\n"),
        (["AA", "KK", "--samples", "0"], "At least 2 deals must be sampled, not 0.\n"),
        (["AA", "KK", "--samples", str(10**20)], "At most 1,000,000,000,000 deals can be sampled,"
         " not 100,000,000,000,000,000,000.\n"),
        (["AA", "KK", "--samples", "many"], "Argument --samples: 'many' is no whole number."
         " See soulread odds --help.\n"),
        (["AA", "KK", "--samples", "9", "--exact"], "Argument --exact: not allowed with argument --samples."
         " See soulread odds --help.\n"),
        (["AA", "KK", "--seed", "-1"], "The seed -1 is not between 0 and 2^128 - 1.\n"),
        (["AA", "KK", "--seed", str(1 << 128)], f"The seed {1 << 128} is not between 0 and 2^128 - 1.\n"),
        (["AA", "KK", "--threads", "0"], "The work is shared by 1 to 1024 threads, not 0.\n"),
        (["AA", "KK", "--threads", "two"], "Argument --threads: 'two' is no whole number."
         " See soulread odds --help.\n"),
        ([], "The following arguments are required: HAND. See soulread odds --help.\n"),
        (["AA | KK, XY"], "The question: 'XY' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%.\n"
         "  AA | KK, XY\n"
         "           ^^\n"),
        (["AA | KK | pot"], "The question: A number of chips must follow the word 'pot'.\n"
         "  AA | KK | pot\n"
         "            ^^^\n"),
        (["AA | KK", "--board", "Ks 7d 2h"],
         "The board and the dead cards stand in the line itself, after 'board' and 'dead'.\n"),
        (["AhKh | AhQd", "--share"], "The card Ah cannot be held by both player 1 (AhKh) and player 2 (AhQd).\n"),
        (["AA | KK | samples 5 | exact"], "Deals are either sampled or counted exactly, not both.\n"),
        (["AA|exact"], "Equity needs 2 to 10 players, not 1.\n"),
        (["AA", "KK", "--call", "5"], "A call or a bet is measured by the pot, which is not given.\n"),
        (["AA", "KK", "--pot", "5"], "Beside the pot a call or a bet has to be given.\n"),
        (["AA | KK | pot 9 | call 3 | bet 3"], "A raise puts in more than the call of 3, so not 3.\n"),
        (["exact | pot 5 | bet 5"], "Equity needs 2 to 10 players, not 0.\n"),
        (["AA", "KK", "--pot", "5", "--call", "10"],
         "The pot of 5 holds the bet to be called, so it cannot be less than 10.\n"),
        (["AA", "KK", "--pot", "nan", "--call", "10"], "The pot is a finite number, not nan.\n"),
        (["AA", "KK", "--pot", "5", "--bet", "-1"], "The bet is a number of chips above 0, not -1.\n"),
        (["AA", "KK", "--pot", "five", "--bet", "1"], "Argument --pot: 'five' is no number."
         " See soulread odds --help.\n"),
        (["AA", "KK", "--pot", "3", "--call", "1", "--bet", "1"],
         "A raise puts in more than the call of 1, so not 1.\n"),
        (["AA", "KK", "--json", "--format", "csv"], "Argument --format: not allowed with argument --json."
         " See soulread odds --help.\n"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(arguments) == 2
    out, err = capsys.readouterr()
    assert err == message
    assert out == ""


def test_a_broken_data_file_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str, *, opponents: int) -> Range:
        raise ResourceError("The app's file resources/preflop_equity.csv is missing; install the app anew.")

    monkeypatch.setattr(cli, "parse_range", broken)
    assert odds(["15%", "KK"]) == 2
    out, err = capsys.readouterr()
    assert err == "The app's file resources/preflop_equity.csv is missing; install the app anew.\n"
    assert out == ""


_COMMAND = (
    sys.executable,
    "-c",
    "import sys; from engine.cli import main; sys.exit(main(['odds', 'A♥K♥', 'QsQd', '--json']))",
)


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(_COMMAND, stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(_COMMAND, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"The answer cannot be written: {os.strerror(errno.ENOSPC)}.\n"


def test_signs_that_the_output_cannot_show_are_replaced() -> None:
    variables = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(_COMMAND, capture_output=True, text=True, check=True, env=variables)
    assert json.loads(done.stdout)["players"][0]["hand"] == "A?K?"


def test_a_command_is_needed(refused: Callable[..., str]) -> None:
    assert refused() == "No command was given. See soulread --help.\n"
    assert "invalid choice: 'odd'" in refused("odd")


def test_help_says_how_to_write_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        odds(["--help"])
    assert caught.value.code == 0
    assert '"15%"' in capsys.readouterr().out


def test_runs_without_qt_and_without_numba_until_it_computes() -> None:
    code = (
        "import sys; from engine.cli import main; assert 'numba' not in sys.modules; "
        "code = main(['odds', 'AhKh', 'QsQd', '--json']); "
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'trainer'))]; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["count"] == 1_712_304
    assert "Warning" not in done.stderr


# ---- one line for the whole question, forms of the answer, figures


def test_a_shared_line_is_the_whole_question(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["AhKh", "15%", "--board", "Qs Jd 2h", "--dead", "2c", "--samples", "2000", "--seed", "3"]
    arguments += ["--ranking", "6", "--pot", "150", "--call", "50", "--json"]
    assert odds(arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    assert odds([*arguments, "--share"]) == 0
    line, err = capsys.readouterr()
    assert line.count("\n") == 1
    assert line.endswith(" | board QsJd2h | dead 2c | samples 2000 | seed 3 | ranking 6 | pot 150 | call 50\n")
    assert err == ""
    assert odds([line.strip(), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    for one in (answer, again):
        del one["seconds"]
        for player in one["players"]:
            del player["hand"]  # as typed
    assert answer == again
    assert odds([line.strip(), "--share"]) == 0
    assert capsys.readouterr().out == line


def test_options_go_before_what_a_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    line = "AhKh | QsQd | samples 500 | seed 1 | pot 10 | call 5"
    assert odds([line, "--exact", "--seed", "9", "--pot", "30", "--bet", "15", "--share"]) == 0
    assert capsys.readouterr().out == "AhKh | QsQd | exact | seed 9 | pot 30 | bet 15\n"


def test_a_folded_hand_of_a_line_is_dead_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AhKh | Bob = QsQd folded | QQ+ | board Ks7d2h"]) == 0
    told = capsys.readouterr().out
    assert odds(["AhKh | QQ+ | board Ks7d2h | dead QsQd"]) == 0
    assert "; folded, so dead: Bob QsQd" in told
    assert told.splitlines()[1].split() == capsys.readouterr().out.splitlines()[1].split()
    assert odds(["AhKh | Bob = AhQd folded | QQ+"]) == 2


def test_names_of_a_line_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["Hero = AhKh | QsQd", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in lines] == ["hand", "Hero", "QsQd"]
    assert float(lines[1].split(",")[3]) == pytest.approx(0.46214457, abs=5e-9)


@pytest.mark.parametrize(
    ("form", "start"), [("text", "Hand "), ("markdown", "| Hand |"), ("csv", "hand,"), ("json", "{")]
)
def test_formats(form: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AhKh", "QsQd", "--format", form]) == 0
    assert capsys.readouterr().out.startswith(start)


def test_figures_of_a_call_and_of_a_bet(capsys: pytest.CaptureFixture[str]) -> None:
    hands = ["8h7h", "AsKd", "--board", "Kh 2h 5c", "--json", "--pot", "150"]
    assert odds([*hands, "--call", "50"]) == 0
    answer = json.loads(capsys.readouterr().out)
    equity = answer["players"][0]["equity"]
    assert answer["call"]["equity"] == equity
    assert answer["call"]["ev"] == pytest.approx(equity * 200 - 50)
    assert answer["call"]["required_equity"] == 0.25
    assert len(answer["outs"]["cards"].split()) == 9
    assert answer["outs"]["rule_by_river"] == 0.36
    assert odds([*hands, "--bet", "75"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bet"]["bluff_fold_equity"] == pytest.approx(1 / 3)
    assert odds(["8h7h,8d7d", "AsKd", "--pot", "9", "--bet", "3", "--json"]) == 0
    assert "outs" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_long_work_tells_how_far_it_is(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_SECONDS_OF_PROGRESS", 0.0)
    monkeypatch.setattr(commands, "_SECONDS_OF_LINES", 0.0)
    stderr = Terminal() if is_terminal else StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    assert odds(["AhKh", "22+", "random", "--samples", "300000", "--threads", "1"]) == 0
    told = stderr.getvalue()
    lines = told.split("\r") if is_terminal else told.splitlines(keepends=True)
    said = [line for line in lines if "% done" in line]
    assert len(said) > 1
    assert all(line.endswith("\x1b[K" if is_terminal else "\n") for line in said)
    assert "100% done" in said[-1]


def test_outs_alone_and_without_dead_cards(capsys: pytest.CaptureFixture[str]) -> None:
    hands = ["8h7h", "AsKd", "--board", "Kh 2h 5c", "--dead", "Ah 9c", "--json"]
    assert odds(hands) == 0
    assert "outs" not in json.loads(capsys.readouterr().out)
    assert odds([*hands, "--outs"]) == 0
    outs = json.loads(capsys.readouterr().out)["outs"]
    # Of nine hearts one is dead; 45 cards are unseen without the two dead ones.
    assert set(outs["cards"].split()) == {"3h", "4h", "5h", "6h", "9h", "Th", "Jh", "Qh"}
    assert outs["next_card"] == pytest.approx(8 / 45)


@pytest.mark.parametrize(
    ("hands", "board", "said"),
    [
        (["QQ+", "8h7h"], "Kh 2h 5c", "Outs are counted for a known hand, and the first one is a range."),
        (["8h7h", "QQ+"], "", "Outs are counted on the flop and the turn."),
        (["8h7h", "QQ+"], "Kh 2h 5c 2c 2d", "Outs are counted on the flop and the turn."),
    ],
)
def test_outs_that_cannot_be_counted_are_refused(
    hands: list[str], board: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert odds([*hands, "--board", board, "--outs"]) == BAD_INPUT
    told = capsys.readouterr()
    assert (told.out, said in told.err) == ("", True)


def test_a_hand_that_is_ahead_is_told_to_have_no_outs(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AhKh", "QQ+", "--board", "Ks 7d 2h", "--outs"]) == 0
    assert "No outs: the first hand is not behind a random one." in capsys.readouterr().err
    assert odds(["AhKh", "QQ+", "--board", "Ks 7d 2h"]) == 0
    assert "outs" not in capsys.readouterr().err


def test_the_ranking_of_the_best_hands_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for ranking in ("1", "3", "6"):
        assert odds(["10%", "random", "--ranking", ranking, "--share"]) == 0
        lines.append(capsys.readouterr().out)
    assert len(set(lines)) == 3


def test_a_bet_beside_a_call_is_a_raise_and_a_pot_alone_asks_for_nothing_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert odds(["AhKh | AsKd | board Ks 7d 2h 3c 9s | pot 150 | call 50 | bet 200", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # Both make a pair of kings: half of 150 + 200 + 150 comes back when the raise of 200 is called.
    assert told["players"][0]["equity"] == 0.5
    assert told["call"]["ev"] == 50
    assert told["bet"]["fold_equity"] == 0
    assert told["bet"]["bluff_fold_equity"] == pytest.approx(200 / 350)
    assert odds(["AhKh | AsKd | board Ks 7d 2h 3c 9s | pot 150", "--json"]) == 0
    assert not {"call", "bet"} & set(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("option", [["--ranking", "0"], ["--format", "xml"]])
def test_other_choices_are_one_sentence(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(["AA", "KK", *option]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"Argument {option[0]}: invalid choice: ")
    assert err.endswith(" See soulread odds --help.\n")
    assert err.count("\n") == 1


def test_progress_is_told_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_SECONDS_OF_PROGRESS", 0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert odds(["AhKh", "22+", "random", "--samples", "500000", "--threads", "1"]) == 0
    told = terminal.getvalue()
    assert "100% done, " in told
    assert told.endswith("\r\x1b[K")
    assert "\n" not in told
    monkeypatch.setattr(sys, "stderr", StringIO())
    assert odds(["AhKh", "22+", "random", "--samples", "500000", "--threads", "1"]) == 0
    assert capsys.readouterr().out.count("500,000 deals sampled") == 2


def test_what_was_sampled_until_it_was_stopped_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(question: EquityQuestion, **how: Any) -> Generator[EquitySnapshot, None, None]:
        yield next(solve(question, **how))
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "solve", stopped)
    assert odds(["AhKh", "22+", "random", "--samples", "1000000"]) == STOPPED
    out, err = capsys.readouterr()
    assert err == "Stopped.\n"
    assert " deals sampled, " in out
    assert "1,000,000 deals" not in out


def test_stopped_before_the_first_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(question: EquityQuestion, **how: Any) -> Generator[EquitySnapshot, None, None]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(cli, "solve", stopped)
    assert odds(["AhKh", "22+"]) == STOPPED
    assert capsys.readouterr() == ("", "Stopped.\n")


# Foreign text

EVIL = "\x1b[2J\u202e\x9b\r\x07"


def is_fit_for_a_terminal(text: str) -> bool:
    return all(line.isprintable() and len(line) <= 600 for line in text.split("\n"))


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["odds", EVIL, "KK"],
        ["odds", "AA", "KK", "--board", EVIL],
        ["odds", "AA", f"KK --{EVIL}"],
        ["odds", "AA", "KK", f"--{EVIL}"],
        ["odds", "AA", "KK", "--samples", EVIL],
        ["odds", "AA", "KK", "--format", EVIL],
        ["odds", f"{EVIL} = AA | board {EVIL}"],
        ["odds", "AA | KK | " + "x" * 100_000],
        ["odds", "x" * 100_000, "KK"],
        ["odds", "AA", "[50" + " " * 100_000],
        ["odds", "AA", "KK", "--seed", "9" * 4000],
        ["odds", "AA", "KK", "--seed", "9" * 5000],
        ["odds", "AA", "KK", "--samples", "9" * 4000],
        ["odds", "AA", "KK", "--threads", "9" * 4000],
        ["odds", "AA", "KK", "--pot", "1e999", "--call", "1"],
        ["odds", "AA", "KK", "--pot", "nan", "--call", "nan"],
        ["odds", *["AA"] * 2000],
        ["match", EVIL, "random"],
        ["match", f"fold:{EVIL}", "random"],
        ["match", "fold", "random", "--hands", "9" * 4000],
        ["match", "fold", "random", "--seats", "9" * 4000],
        ["match", "fold", "random", "--seed", "9" * 4000],
        ["reading", EVIL],
        ["reading", "a\0b"],
        ["reading", "x" * 100_000],
        ["reading", "none", "--reader", EVIL],
        ["reading", "none", "--explain", "9" * 4000],
        ["figure7", EVIL, "--apart", EVIL * 2],
        ["figure7", "none", "--readers", EVIL],
        ["evolve", EVIL],
        ["evolve", "exploiter", EVIL],
        ["evolve", "base", EVIL],
        ["evolve", "base", "--settings", EVIL],
        ["evolve", "base", "--seed", "9" * 4000],
        ["experiment", EVIL],
        ["experiment", "fig5", "--agents", EVIL],
        ["experiment", "fig5", "--matches", "9" * 4000],
        ["join", EVIL],
        ["join", "acpc", EVIL, EVIL],
    ],
    ids=lambda arguments: " ".join(arguments)[:20].encode("unicode_escape").decode(),
)
def test_no_argument_writes_more_than_sentences_on_the_terminal(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert is_fit_for_a_terminal(err)
    assert err.count("\n") <= 3


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_no_answer_repeats_a_control_character(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", f"{EVIL}Ann = AA\x1c|K\u2028K | {EVIL} = 2c2d folded", "--format", form]) == 2  # K K
    capsys.readouterr()
    assert main(["odds", f"{EVIL}Ann = AA\x1c,JJ|\u2028KK | {EVIL} = 2c2d folded", "--format", form]) == 0
    out, err = capsys.readouterr()
    assert is_fit_for_a_terminal(out.replace("\r\n", "\n") + err)
    assert "Ann" in out
    assert main(["odds", f"{EVIL}Ann = AA|KK", "--share"]) == 0
    assert is_fit_for_a_terminal(capsys.readouterr().out)


def test_a_long_text_is_shown_around_what_is_wrong_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = ",".join(["AA"] * 1000 + ["Ax"] + ["KK"] * 1000)
    assert main(["odds", text, "QQ"]) == 2
    said, shown, carets = capsys.readouterr().err.splitlines()
    assert said == "Hand 1: 'Ax' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%."
    assert len(shown) < 110
    at = carets.index("^")
    assert shown[at : at + 2] == "Ax"
    assert carets.strip() == "^^"
    assert (shown[2], shown[-1]) == ("…", "…")


OPTIONS = st.sampled_from(
    [
        "odds",
        "match",
        "reading",
        "figure7",
        "AA",
        "KK",
        "AhKh|QQ",
        "7",
        "1e999",
        "--board",
        "--dead",
        "--share",
        "--exact",
        "--seed",
        "--ranking",
        "--pot",
        "--call",
        "--bet",
        "--outs",
        "--format",
        "--reader",
        "--limit",
        "--explain",
    ]
)


@given(st.lists(OPTIONS | runs(300, 3), max_size=6))
def test_any_arguments_end_in_an_answer_or_a_sentence(arguments: list[str]) -> None:
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            code = main(["odds", *arguments, "--share"] if "odds" in arguments else arguments)
        except SystemExit as ended:  # of a --help among them
            code = int(str(ended.code))
    assert code in (0, 2)
    assert is_fit_for_a_terminal(f"{out.getvalue()}\n{err.getvalue()}")
