"""The match command: what it prints where, that it can be stopped, and that bad input is a sentence."""

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from engine import commands
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.cli import main
from engine.game.format_file import read_format
from engine.lab.matches import playing, several, workers
from engine.lab.matches.kept import match_file
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.report import as_json, tournaments_as_json
from engine.lab.matches.results import MatchResult
from engine.lab.matches.workers import Workers
from engine.lab.reading import table_reading
from tests.conftest import Terminal
from tests.engine.lab.matches.threads import threads


def test_table_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "tight-passive", "random", "--hands", "20", "--seats", "4"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["Style", "Hands", "bb/100"]
    assert [line.split()[:2] for line in lines[1:3]] == [["Tight-passive", "40"], ["Random", "40"]]
    assert lines[3] == "10 decks, each in 2 rotations: 20 hands of 4 seats, 100 big blinds deep"
    assert err == ""  # progress is for terminals


def test_seed_and_readers_by_name(printed: Callable[..., str]) -> None:
    def answer(seed: str) -> dict[str, object]:
        found = json.loads(printed("match", "fold:uniform", "random", "--hands", "8", "--json", "--seed", seed))
        assert [style["style"] for style in found["styles"]] == ["fold:uniform", "random"]
        for style in found["styles"]:
            assert style.pop("decision_seconds") >= 0
        return dict(found)

    first = answer("5")
    assert (first["hands"], first["decks"], first["seats"], first["seed"]) == (8, 4, 2, 5)
    assert first == answer("5")
    assert first["styles"] != answer("6")["styles"]


def test_a_match_is_of_the_format_asked_for(tmp_path: Path, printed: Callable[..., str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nkind = "cash"\nstarting_stack = 65\nsmall_blind = 1\nbig_blind = 2\nante = 1\n')
    words = ["match", "tight-passive", "shover", "--hands", "20", "--json", "--format"]
    for name, depth in (("cash", 100), ("heads-up", 200), (str(path), 32.5)):
        assert json.loads(printed(*words, name))["stack"] == depth
    assert json.loads(printed(*words, str(path), "--stack", "5"))["stack"] == 5


def test_a_style_of_ones_own_is_named_by_its_file(
    tmp_path: Path, printed: Callable[..., str], refused: Callable[..., str]
) -> None:
    path, again = tmp_path / "mine.toml", tmp_path / "again.toml"
    text = style_text(nearest_style("Uncle Leo", TEMPERS["maniac"][0]))
    path.write_text(text)
    words = ["match", "nit", str(path), "--hands", "20", "--seats", "4"]
    assert [line.split()[:2] for line in printed(*words).splitlines()[1:3]] == [
        ["Nit", "40"],
        ["Uncle", "Leo"],
    ]
    assert [one["style"] for one in json.loads(printed(*words, "--json"))["styles"]] == ["nit", text]
    again.write_text(text.replace("early = 85", "early = 80"))
    assert (
        refused("match", str(path), str(again))
        == "'Uncle Leo' is named twice; the styles of a match must differ.\n"
    )
    again.write_text(text.replace("early = 85", "early = 850"))
    assert refused("match", str(path), str(again)).startswith(
        "The style again.toml cannot be played: The setting 'early' is a "
    )


def test_stacks_are_asked_for(printed: Callable[..., str]) -> None:
    words = ["match", "tight-passive", "shover", "--hands", "20", "--stack", "1500"]
    assert printed(*words).splitlines()[3].endswith("20 hands of 2 seats, 1,500 big blinds deep")
    assert json.loads(printed(*words, "--json"))["stack"] == 1500


def test_several_matches_over_processes(printed: Callable[..., str]) -> None:
    words = ["tight-passive", "random", "--hands", "6", "--matches", "4", "--readers", "uniform", "--json"]
    found = json.loads(printed("match", *words, "--workers", "2"))
    plan = MatchPlan(("tight-passive", "random"), 2, 6)
    *_, (result, (points,)) = several.several_matches(plan, 4, readers=["uniform"])  # in this process
    expected = json.loads(as_json(result, [table_reading("uniform", points)]))
    for style in *found["styles"], *expected["styles"]:
        assert style.pop("decision_seconds") >= 0
    assert found == expected
    assert (found["matches"], found["decks"], found["hands"], found["stderr_over"]) == (4, 12, 24, "decks")


class FewWorkers:
    """Stands for processes, of which the second dies."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __call__(self, count: int) -> AbstractContextManager[Workers]:
        assert count == 2
        return nullcontext(Workers(self.executor(), lambda: 8, lambda: None))

    def executor(self) -> Executor:
        outer = self

        class Dying(Executor):
            tasks = 0

            def submit(self, task: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:
                future = Future[object]()
                self.tasks += 1
                if self.tasks == 2:
                    future.set_exception(outer.error())
                else:
                    future.set_result(task(*args, **kwargs))
                return future

        return Dying()


@pytest.mark.parametrize(
    ("error", "code", "sentence", "matches"),
    [
        (BrokenExecutor, 1, "A process that played matches has died.\n", 2),
        (KeyboardInterrupt, 130, "Stopped.\n", 1),
    ],
)
def test_finished_matches_are_kept(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
    code: int,
    sentence: str,
    matches: int,
) -> None:
    monkeypatch.setattr(workers, "worker_processes", FewWorkers(error))
    words = ["tight-passive", "random", "--hands", "8", "--matches", "3", "--workers", "2", "--json"]
    assert main(["match", *words]) == code
    out, err = capsys.readouterr()
    assert (json.loads(out)["matches"], err) == (matches, sentence)


SHORT = 'name = "Short"\nkind = "tournament"\nstarting_stack = 300\nsmall_blind = 50\nbig_blind = 100\n'


def test_tournaments_in_a_process(tmp_path: Path, printed: Callable[..., str]) -> None:
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    words = ["match", "shover", "random", "--format", str(path), "--matches", "3"]
    found = json.loads(printed(*words, "--json", "--workers", "1"))
    plan = MatchPlan(("shover", "random"), 2, game=read_format(str(path)))
    *_, result = several.several_tournaments(plan, 3)  # in this process
    assert found == json.loads(tournaments_as_json(result))
    assert (found["format"], found["matches"], found["tournaments"], found["stack"]) == ("Short", 3, 6, 3)
    assert sum(style["rank"]["mean"] for style in found["styles"]) == pytest.approx(3)


@pytest.mark.parametrize(
    ("error", "code", "sentence", "finished"),
    [
        (BrokenExecutor, 1, "A process that played matches has died.\n", "2 matches, each in 2 rotations"),
        (KeyboardInterrupt, 130, "Stopped.\n", "1 match, each in 2 rotations"),
    ],
)
def test_finished_tournaments_are_kept(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    error: type[BaseException],
    code: int,
    sentence: str,
    finished: str,
) -> None:
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    monkeypatch.setattr(workers, "worker_processes", FewWorkers(error))
    words = ["shover", "random", "--format", str(path), "--matches", "3", "--workers", "2"]
    assert main(["match", *words]) == code
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split()[:2] == ["Style", "Rank"]
    assert (out.splitlines()[3].split(":")[0], err) == (finished, sentence)


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "worker_processes", threads)


def kept_lines(path: Path) -> int:
    """Count what is kept: the head of the file and its matches."""
    return path.read_bytes().count(b"\n")


def without_times(out: str) -> dict[str, list[object]]:
    found: dict[str, list[object]] = json.loads(out)
    for style in found["styles"]:
        assert isinstance(style, dict)
        style.pop("decision_seconds", None)
    return found


@pytest.mark.usefixtures("in_threads")
@pytest.mark.parametrize("kind", ["cash", "tournament"])
def test_a_run_that_died_goes_on_and_ends_as_if_it_had_not(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    printed: Callable[..., str],
    tmp_path: Path,
    kind: str,
) -> None:
    format_file, path = tmp_path / "short.toml", tmp_path / "run"
    format_file.write_text(SHORT)
    words = ["match", "shover", "random", "--json", "--matches"]
    end = ["--hands", "8", "--readers", "uniform"] if kind == "cash" else ["--format", str(format_file)]
    whole = without_times(printed(*words, "12", *end))
    end += ["--resume", str(path)]
    with monkeypatch.context() as patched:
        patched.setattr(workers, "worker_processes", FewWorkers(BrokenExecutor))
        assert main([*words, "3", *end]) == 1
    out, err = capsys.readouterr()
    assert err == f"A process that played matches has died. Finished matches are kept in {path}.\n"
    assert (json.loads(out)["matches"], kept_lines(path)) == (2, 3)
    assert main([*words, "3", *end]) == 0  # the second, which is missing, is played after the third
    assert (json.loads(capsys.readouterr().out)["matches"], kept_lines(path)) == (3, 4)
    assert without_times(printed(*words, "12", *end)) == whole
    assert kept_lines(path) == 13
    monkeypatch.undo()
    monkeypatch.setattr(workers, "ProcessPoolExecutor", None)  # all is there: nobody is needed
    assert without_times(printed(*words, "12", *end)) == whole
    assert json.loads(printed(*words, "5", *end))["matches"] == 5


@pytest.mark.usefixtures("in_threads")
def test_one_match_is_kept_like_several(tmp_path: Path, printed: Callable[..., str]) -> None:
    words = ["match", "shover", "random", "--hands", "8", "--json"]
    alone = without_times(printed(*words))
    for _ in range(2):
        kept = without_times(printed(*words, "--resume", str(tmp_path / "run")))
        assert {**kept, "curve": alone["curve"]} == alone
    assert kept["curve"] == alone["curve"][-1:]


@pytest.mark.usefixtures("in_threads")
def test_a_full_disk_is_one_sentence_and_what_there_is_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["match", "shover", "random", "--hands", "8", "--matches", "4", "--resume", str(tmp_path / "run")]
    monkeypatch.setattr(match_file.os, "fsync", FullDisk(3))
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[3].startswith("2 matches of 4 decks")
    assert err == f"{tmp_path / 'run'} cannot be written: No space left on device.\n"


class FullDisk:
    """Takes so much, and no more."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, _file: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_test_stops_a_match_of_a_known_result(printed: Callable[..., str]) -> None:
    words = ["match", "always-raise", "always-fold", "--hands", "4000"]
    *_, played, _, test, _ = printed(*words, "--sprt", "0,20").splitlines()
    assert 100 <= int(played.split()[0]) < 200  # of 2000 decks
    assert test.startswith(f"Sequential test: after {played.split()[0]} decks Always")
    assert " wins +20 bb/100 rather than +0 (log likelihood ratio " in test
    found = json.loads(printed(*words, "--sprt", "0,200", "--unit", "mbb", "--json"))
    assert (found["sprt"]["holds"], found["sprt"]["over"], found["sprt"]["high"]) == ("high", "decks", 20)
    # It takes the blinds: one big one from the button, half a one from the big blind, so 75 a hundred hands.
    assert found["styles"][0]["mbb_per_hand"] == 750
    assert (found["sprt"]["log_ratio"], found["styles"][0]["stderr"]) == (None, 0)


@pytest.mark.usefixtures("in_threads")
def test_a_test_over_matches_stops_them_and_no_later_one_counts(
    tmp_path: Path, printed: Callable[..., str]
) -> None:
    words = ["match", "shover", "random", "--hands", "20", "--matches", "200", "--sprt=-5000,5000", "--json"]
    found = set()
    for workers_asked in ("1", "2"):
        result = json.loads(printed(*words, "--workers", workers_asked, "--resume", str(tmp_path / workers_asked)))
        found.add((result["matches"], result["sprt"]["observations"], result["sprt"]["log_ratio"]))
        assert (result["sprt"]["over"], result["sprt"]["holds"] is not None) == ("matches", True)
        assert 30 <= result["matches"] < 200
        assert kept_lines(tmp_path / workers_asked) > result["matches"]
    assert len(found) == 1


def test_seats_are_drawn_or_fixed(printed: Callable[..., str]) -> None:
    words = ["match", "shover", "random", "nit", "--hands", "60", "--json"]
    results = []
    for seating in ("drawn", "fixed"):
        results.append(json.loads(printed(*words, "--seating", seating)))
    assert [result["seating"] for result in results] == ["drawn", "fixed"]
    assert results[0]["styles"] != results[1]["styles"]
    assert "60 hands of 3 seats in the order named, 100 big blinds deep" in printed(
        *words[:-1], "--seating", "fixed"
    )


def test_values_are_asked_for(printed: Callable[..., str]) -> None:
    words = ["match", "tight-passive", "random", "--hands", "8", "--values"]
    assert printed(*words).endswith("\n\nNo style of this match says what its actions are worth.\n")
    assert json.loads(printed(*words, "--json"))["values"] == []


def test_readers_are_scored_on_the_same_hands(printed: Callable[..., str]) -> None:
    words = ["match", "tight-passive", "random", "--hands", "8", "--readers", "paper, uniform"]
    table, losses, tenths = printed(*words).split("\n\n")
    assert table.startswith("Style")
    assert [line.split()[0] for line in losses.splitlines()[1:]] == ["paper", "paper,", "uniform", "uniform,"]
    assert [line.split()[0] for line in tenths.splitlines()[1:]] == ["paper,", "paper,", "uniform,", "uniform,"]
    found = json.loads(printed(*words, "--json"))["readers"]
    assert [reader["reader"] for reader in found] == ["paper", "uniform"]
    assert found[0]["score"]["all"]["points"] == found[1]["score"]["all"]["points"] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--readers", "paper,none"], "There is no reader 'none'; there are "),
        (["--readers", ""], "There is no reader ''; there are "),
        (["--readers", "paper, paper"], "A reader is named twice.\n"),
        (
            ["--readers", "paper", "--hands", "100001"],
            "Readers are scored on 100,000 hands at most, not 100,001.\n",
        ),
        (["--readers", "paper", "--seed", "-1"], ""),
    ],
)
def test_readers_that_cannot_be_scored(words: list[str], sentence: str, refused: Callable[..., str]) -> None:
    assert refused("match", "tight-passive", "random", *words).startswith(sentence)


def test_progress_is_one_line_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(commands, "_SECONDS_OF_PROGRESS", 0)
    assert main(["match", "random", "tight-passive", "--hands", "10"]) == 0
    shown = terminal.getvalue()
    assert "\r4 of 10 hands, " in shown
    assert "\r10 of 10 hands, 0 s left" in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown
    assert capsys.readouterr().out.startswith("Style")


@pytest.mark.parametrize(("decks", "lines"), [(6, ["Style", "12 hands"]), (0, [])])
def test_a_match_that_is_stopped_tells_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], decks: int, lines: list[str]
) -> None:
    real = playing.match

    def stopped(plan: MatchPlan, **_: object) -> Iterator[MatchResult]:
        for result in real(plan):
            if not decks:
                break
            yield result
            if result.decks == decks:
                break
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "match", stopped)
    assert main(["match", "random", "tight-passive", "--hands", "1000"]) == 130
    out, err = capsys.readouterr()
    assert err == "Stopped.\n"
    assert bool(out) == bool(lines)
    assert all(word in out for word in lines)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fold", "guru"], "There is no style 'guru'; there are soulread, fold, fold-2017, adapter, "),
        (["fold", "fold:psychic"], "There is no reader 'psychic'; there are "),
        (
            ["random", "soulread:paper"],
            "The style 'soulread' takes no reader, and 'soulread:paper' names one; 'fold' does.",
        ),
        (["fold"], "A match takes 2 to 10 styles, not 1."),
        (["fold-paper", "fold-2017"], "'fold-2017' is named twice; the styles of a match must differ."),
        (["fold", "random", "--seats", "12"], "A table has 2 to 10 seats, not 12."),
        (["fold", "random", "--matches", "0"], "1 to 100,000 matches can be played, not 0."),
        (["fold", "random", "--matches", "2", "--workers", "0"], "There can be 1 to 61 workers, not 0."),
        (["fold", "guru", "--matches", "2"], "There is no style 'guru'; there are soulread, "),
        (["fold", "random", "--matches", "2", "--readers", "none"], "There is no reader 'none'; there are "),
        (
            ["fold", "random", "--workers", "2"],
            "One match is played by one process, for each hand depends on those before; see --matches.",
        ),
        (
            ["fold", "random", "--format", "chess"],
            "There is neither a format nor a file 'chess'; formats are cash, ",
        ),
        (
            ["fold", "random", "--format", "paper", "--hands", "500"],
            "'Match of the FOLD paper' is a tournament and played to its end: a number of hands, such as 500, is "
            "for cash games, and a number of matches for both.",
        ),
        (
            ["fold", "random", "--format", "tournament"],
            "'Tournament, rising blinds' needs 4 to 10 seats, not 2.",
        ),
        (
            ["fold", "random", "--format", "paper", "--readers", "paper"],
            "Readers are scored in cash games, and 'Match of the FOLD paper' is a tournament.",
        ),
        (
            ["fold", "random", "--format", "paper", "--values"],
            "Values are compared in cash games, and 'Match of the FOLD paper' is a tournament.",
        ),
        (["fold", "random", "--format", "paper", "--matches", "0"], "1 to 100,000 matches can be played, not 0."),
        (
            ["fold", "random", "--seats", "3", "--format", "heads-up"],
            "'Heads-up, stacks reset' needs 2 seats, not 3.",
        ),
        (["fold", "random", "--stack", "0"], "A stack has 1 to 10,000 big blinds, not 0."),
        (["fold", "random", "--stack", "10001"], "A stack has 1 to 10,000 big blinds, not 10,001."),
        (
            ["fold", "random", "nit", "--sprt", "0,5"],
            "A sequential test is of two styles, not 3.",
        ),
        (
            ["fold", "random", "--sprt", "5,0"],
            "A sequential test takes two win rates, the lower one first, not 5 and",
        ),
        (
            ["fold", "random", "--sprt", "nan,0"],
            "A sequential test takes two win rates, the lower one first, not nan",
        ),
        (["fold", "random", "--sprt", "5"], "--sprt takes two win rates such as 0,5, not '5'."),
        (
            ["fold", "random", "--sprt", "0,5", "--beta", "0.5"],
            "The error rate beta of a sequential test is over 0 and under 0.5, not 0.5.",
        ),
        (["fold", "random", "--alpha", "0.1"], "The error rates --alpha and --beta are those of --sprt."),
        (
            ["fold", "random", "--sprt", "0,5", "--resume", "nowhere/run"],
            "A test that resumes takes several matches, not the decks of one; see --matches.",
        ),
        (
            ["fold", "random", "--format", "paper", "--sprt", "0,5"],
            "Win rates are tested in cash games, and 'Match of the FOLD paper' is a tournament.",
        ),
        (
            ["fold", "random", "--format", "paper", "--unit", "mbb"],
            "Win rates are counted in cash games, and 'Match of the FOLD paper' is a tournament.",
        ),
        (["fold", "random", "--unit", "cents"], "Argument --unit: invalid choice: 'cents' ("),
        (["fold", "random", "--seating", "free"], "Argument --seating: invalid choice: 'free' ("),
        (
            ["fold", "random", "--resume", "nowhere/run"],
            "nowhere/run cannot be opened: No such file or directory.",
        ),
        (["fold", "random", "--hands", "1"], "This match takes 4 to 100,000,000 hands ("),
        (["fold", "random", "--hands", "many"], "Argument --hands: 'many' is no whole number. See soulread match"),
        (["fold", "random", "--seed", "-3"], "The seed must be from 0 to 9223372036854775807, not -3."),
        ([], "The following arguments are required: STYLE. See soulread match --help."),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str, refused: Callable[..., str]) -> None:
    assert refused("match", *arguments).startswith(sentence)


def test_help_says_where_styles_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["match", "--help"])
    assert caught.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    assert '"fold:uniform"' in out
    assert '"soulread styles"' in out
