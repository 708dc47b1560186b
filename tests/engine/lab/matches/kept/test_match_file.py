"""The file that keeps finished matches: nothing lost, nothing made up, one process at a time."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.cli import main
from engine.game.events import GameKind
from engine.game.formats import GameFormat
from engine.lab.matches.kept import run_file
from engine.lab.matches.kept.match_file import MatchFileError
from engine.lab.matches.kept.run_file import open_run_file
from engine.lab.matches.plan import MatchPlan, Seating
from engine.lab.matches.report import as_json
from engine.lab.matches.several import several_matches, several_tournaments

PLAN = MatchPlan(("random", "tight-passive"), 2, 8, 5)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Keep three matches of `PLAN`."""
    path = tmp_path / "run"
    with open_run_file(path, PLAN) as file:
        list(several_matches(PLAN, 3, file=file))
    return path


def matches_in(path: Path, plan: MatchPlan = PLAN) -> list[int]:
    with open_run_file(path, plan) as file:
        return [number for number in range(1000) if number in file]


def test_whatever_is_torn_off_the_end_only_whole_matches_are_left(kept: Path) -> None:
    whole = kept.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    assert len(ends) == 4
    with open_run_file(kept, PLAN) as file:
        matches = [file[number] for number in range(3)]
    for length in {*range(0, len(whole), 97), *ends, *(end - 1 for end in ends)}:
        kept.write_bytes(whole[:length])
        with open_run_file(kept, PLAN) as file:
            count = max(sum(end <= length for end in ends) - 1, 0)
            assert [number for number in range(5) if number in file] == list(range(count))
            for number in range(count, 3):
                file.add(matches[number])
        assert kept.read_bytes() == whole


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of a process")
def test_a_disk_that_is_really_full_is_one_sentence_and_keeps_what_was_written(kept: Path) -> None:
    """What could not be written is still in Python's buffer, and fails once more when the file is closed."""
    import resource

    whole = kept.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_run_file(kept, PLAN) as file:
        match = replace(file[0], number=3)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, hard))
        with pytest.raises(MatchFileError, match="cannot be written: File too large"):
            file.add(match)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert matches_in(kept) == [0, 1, 2]
    assert kept.read_bytes() == whole


def test_a_last_line_of_nonsense_is_cut_off_and_any_other_is_refused(kept: Path) -> None:
    head, first, second, third = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(head + first + second + b"\0" * 4096)
    assert matches_in(kept) == [0, 1]
    kept.write_bytes(head + first + second.replace(b"3", b"4", 1) + third)
    before = kept.read_bytes()
    with pytest.raises(
        MatchFileError, match=r"Line 3 of .*run is damaged; without it that match is played again\."
    ):
        matches_in(kept)
    assert kept.read_bytes() == before
    kept.write_bytes(head + first + third)
    assert matches_in(kept) == [0, 2]


def test_no_file_of_another_kind_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    for text in (b"Dear Leo,\n", b"x", b"\n" * 100):  # a hexadecimal digit may be the torn beginning of a header
        path.write_bytes(text)
        with pytest.raises(
            MatchFileError, match="letter is no file of matches that this version of Soulread has begun"
        ):
            matches_in(path)
        assert path.read_bytes() == text
    with pytest.raises(MatchFileError, match="cannot be opened: Is a directory"):
        matches_in(tmp_path)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (replace(PLAN, seed=6), "have the seed 5, and 6 is asked for; give another file."),
        (replace(PLAN, hands=10), "have the hands 8, and 10 is asked for"),
        (replace(PLAN, seats=4), "have the seats 2, and 4 is asked for"),
        (
            replace(PLAN, styles=("random", "nit")),
            "have the styles random, tight-passive, and random, nit is asked for",
        ),
        (replace(PLAN, seating=Seating.FIXED), "have the seating drawn, and fixed is asked for"),
        (replace(PLAN, stack=50), "have the format's starting_stack 10000, and 5000 is asked for"),
        (
            replace(PLAN, game=replace(PLAN.game, kind=GameKind.TOURNAMENT), hands=None),
            "have the hands 8, and None is asked for",
        ),
    ],
)
def test_another_plan_is_refused_with_what_differs(kept: Path, plan: MatchPlan, sentence: str) -> None:
    before = kept.read_bytes()
    with pytest.raises(MatchFileError) as caught:
        matches_in(kept, plan)
    assert sentence in str(caught.value)
    assert kept.read_bytes() == before


def test_other_readers_and_other_versions_are_refused(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(MatchFileError, match="have the readers none, and uniform is asked for"),
        ExitStack() as stack,
    ):
        stack.enter_context(open_run_file(kept, PLAN, ["uniform"]))
    monkeypatch.setattr(run_file, "sources_of_play", lambda *_, **__: "0123456789ab")
    with pytest.raises(MatchFileError, match=r"another version of Soulread \(.*, this is 0123456789ab\)"):
        matches_in(kept)


def test_what_a_plan_leaves_to_defaults_is_the_same_as_said(tmp_path: Path) -> None:
    path, plan = tmp_path / "run", MatchPlan(("random", "nit"), 2)
    with open_run_file(path, plan):
        pass
    assert matches_in(path, replace(plan, hands=999, stack=100)) == []  # 500 decks, as by default


def test_a_second_process_is_refused(kept: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from tests.engine.lab.matches.kept.test_match_file import matches_in\n"
        "print(matches_in(Path(sys.argv[1])))"
    )
    with open_run_file(kept, PLAN):
        refused = subprocess.run([sys.executable, "-c", code, kept], capture_output=True, text=True, check=False)
        with pytest.raises(MatchFileError, match="run is in use by another process that plays matches"):
            matches_in(kept)
    assert refused.stderr.strip().endswith("run is in use by another process that plays matches.")
    assert matches_in(kept) == [0, 1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX's file")
def test_what_cannot_keep_anything_is_refused() -> None:
    with pytest.raises(MatchFileError, match="/dev/null is no file that can keep matches"):
        matches_in(Path("/dev/null"))


def test_matches_that_do_not_fit_their_run_are_refused(kept: Path) -> None:
    with open_run_file(kept, PLAN) as file:
        one = file[0]
        assert one.tally is not None
        file.add(replace(one, number=3, tally=replace(one.tally, sums=(1.0, 2.0))))
        file.add(replace(one, number=4, tally=None))
        for matches, number in ((4, 4), (5, 5)):
            with pytest.raises(MatchFileError, match=f"Match {number} is kept in a form that does not fit its run"):
                for _ in several_matches(PLAN, matches, file=file):
                    pass
            file.add(replace(one, number=3))  # is not taken: the first is
            break


def test_numbers_come_back_bit_for_bit(tmp_path: Path) -> None:
    game = GameFormat(name="Short", kind=GameKind.TOURNAMENT, starting_stack=300, small_blind=50, big_blind=100)
    tournament = MatchPlan(("shover", "random", "nit"), 4, seed=3, game=game)
    alone = list(several_tournaments(tournament, 5))
    for plays in (3, 5, 5):
        with open_run_file(tmp_path / "run", tournament) as file:
            assert list(several_tournaments(tournament, plays, file=file)) == alone[:plays]


# ---- killed -----------------------------------------------------------------------------------------------


PATIENCE = 300
"""Seconds for a run to end that was told to."""

SAYING_WHAT_IS_KEPT = """
import signal
import sys
from engine.cli import main
from engine.lab.matches.kept.match_file import MatchFile

add = MatchFile.add
def add_and_say(self, match):
    add(self, match)
    print("kept", flush=True)
MatchFile.add = add_and_say

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background commands begin without it
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("signal_sent", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_goes_on_and_ends_as_if_it_had_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], signal_sent: signal.Signals
) -> None:
    path, script = tmp_path / "run", tmp_path / "saying.py"
    script.write_text(SAYING_WHAT_IS_KEPT)
    words = ["match", "tight-passive", "random", "--hands", "40", "--workers", "2", "--resume", str(path), "--json"]
    words.append("--matches")
    plan = MatchPlan(("tight-passive", "random"), 2, 40)
    with subprocess.Popen(
        [sys.executable, script, *words, "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    ) as run:
        assert run.stdout is not None
        assert [run.stdout.readline() for _ in range(5)] == [b"kept\n"] * 5
        run.send_signal(signal_sent)
        out, err = run.communicate(timeout=PATIENCE)
    if signal_sent == signal.SIGINT:
        assert (err.decode(), run.returncode) == (f"Stopped. Finished matches are kept in {path}.\n", 130)
        # It tells of the first matches up to one that had not ended, none if that is the first of all.
        for line in [line for line in out.splitlines() if line != b"kept"]:
            told = json.loads(line)
            assert without_times(told) == result_of(plan, told["matches"])
    else:
        assert run.returncode == -signal.SIGKILL
    kept = len(matches_in(path, plan))
    assert kept >= 5
    assert main([*words, str(kept + 3)]) == 0
    assert without_times(json.loads(capsys.readouterr().out)) == result_of(plan, kept + 3)


def result_of(plan: MatchPlan, matches: int) -> object:
    *_, whole = several_matches(plan, matches)
    return without_times(json.loads(as_json(whole.result)))


def without_times(found: dict[str, Any]) -> dict[str, Any]:
    for style in found["styles"]:
        assert style.pop("decision_seconds") > 0
    return found
