import argparse
import logging
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from engine import cli
from tests.conftest import ROOT
from trainer import __main__ as program
from trainer import system_libraries
from trainer.storage.store import Store


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the app as its user would: no display, and no hint of our own to Qt."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-m", "trainer", *arguments],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture
def quiet_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def stacks(output: str) -> list[int]:
    return [int(line.split()[-1]) for line in output.splitlines() if line.startswith("seat ")]


@pytest.mark.slow
def test_autoplay_is_the_same_for_the_same_seed_and_loses_no_chip(tmp_path: Path) -> None:
    picture = tmp_path / "play.png"
    first = run("--offscreen", "--autoplay", "3", "--seed", "7", "--screenshot", str(picture), "--time-startup")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("window shown after ")
    assert "went wrong" not in first.stderr
    assert len(stacks(first.stdout)) == 6
    total = re.search(r"3 hands; sum of stacks (\d+), chips bought in (\d+)", first.stdout)
    assert total is not None
    assert int(total[1]) == int(total[2]) == sum(stacks(first.stdout))
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 720)
    assert len({image.pixel(x, y) for x in range(0, 1280, 40) for y in range(0, 720, 40)}) > 10
    second = run("--offscreen", "--autoplay", "3", "--seed", "7")
    assert stacks(second.stdout) == stacks(first.stdout)


@pytest.mark.slow
def test_autoplay_says_on_stderr_what_is_not_stored(tmp_path: Path) -> None:
    store = Store(tmp_path / "soulread.db")
    (tmp_path / "soulread.ini").write_bytes(b"\0\1\2")
    played = run("--offscreen", "--autoplay", "1", "--players", "2", "--data", str(tmp_path))
    store.close()
    assert "soulread: The settings were damaged" in played.stderr
    assert "soulread: Soulread is already running" in played.stderr
    assert played.returncode == 0, "the hand was played, and every chip is there"
    assert "1 hand; sum of stacks 20000" in played.stdout


def test_autoplay_stores_only_where_told_and_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    played = run("--offscreen", "--autoplay", "1", "--players", "2", "--data", str(folder))
    assert played.returncode == 0, played.stderr
    assert len(stacks(played.stdout)) == 2
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert {"soulread.db", "soulread.key", "soulread.log"} <= set(modes)
    if os.name == "posix":
        assert set(modes.values()) == {"0o600"}
        assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow  # test_app damages the same files
def test_damaged_files_do_not_keep_it_from_playing(tmp_path: Path) -> None:
    for name in ("soulread.db", "soulread.ini"):
        (tmp_path / name).write_bytes(b"\xff\x00rubbish" * 100)
    played = run("--offscreen", "--autoplay", "1", "--players", "3", "--data", str(tmp_path))
    assert played.returncode == 0, played.stderr
    assert (tmp_path / "soulread.db.damaged-1").exists()
    assert (tmp_path / "soulread.ini.damaged-1").exists()


@pytest.mark.parametrize(
    "environment",
    [{}, {"QT_QPA_PLATFORM": "offscreen"}, {"DISPLAY": ":987"}],
    ids=["no display", "offscreen by environment", "dead display"],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_without_a_display_it_says_so_and_leaves(environment: dict[str, str]) -> None:
    ended = run(**environment)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith("soulread: ")
    assert ended.stderr.count("\n") == 1
    assert "display" in ended.stderr or "apt-get" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--autoplay", "0"], "'0' is no whole number of at least 1."),
        (["--players", "11"], "'11' is no whole number from 2 to 10."),
        (["--seed", "x"], "'x' is no whole number of at least 0."),
        (["--offscreen"], "--offscreen shows nothing"),
        (["--seed", "7"], "--players and --seed are of --autoplay. See soulread --help."),
        (["--players", "3", "--offscreen", "--screenshot", "x.png"], "--players and --seed are of --autoplay."),
        (["--nonsense"], "Unrecognized arguments: --nonsense. See soulread --help."),
        (["nonsense"], "There is no command 'nonsense'. See soulread --help."),
        (["match", "nit", "random", "--hands", "many"], "Argument --hands: 'many' is no whole number."),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main(arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        program.main(["--help"])
    listed = {line.split()[0] for line in capsys.readouterr().out.partition("Commands")[2].splitlines()[1:]}
    (commands,) = (one for one in cli._parser()._actions if isinstance(one, argparse._SubParsersAction))
    assert listed == {*commands.choices, *program._STORED}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("match random {name} --hands 100", "There is no style 'xxx"),
        ("match random nit --hands 100 --format {name}", "There is neither a format nor a file 'xxx"),
        ("styles {name} --measure", "There is no style 'xxx"),
        ("export -o {name}.csv --data {empty}", "There are no stored hands in "),
        ("export -o short.csv --data {empty}/{name}", "There are no stored hands in "),
        ("backup {name} --data {empty}", "There are no stored hands in "),
        ("restore {name} --data {empty}", "xxx… cannot be restored: "),
    ],
)
def test_what_is_too_long_for_a_file_is_told(
    words: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = words.format(name="x" * 300, empty=tmp_path).split()
    assert program.main(arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("soulread ")


@pytest.mark.parametrize(("before", "after"), [({}, ""), ({"LD_LIBRARY_PATH_ORIG": "/theirs"}, "/theirs")])
def test_a_frozen_program_alone_loads_its_libraries(
    before: dict[str, str], after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    for name, value in {"LD_LIBRARY_PATH": "/ours", "PYINSTALLER_RESET_ENVIRONMENT": "", **before}.items():
        monkeypatch.setenv(name, value)
    assert program.main(["no-such-command"]) == 2
    assert os.environ["LD_LIBRARY_PATH"] == after  # of a file manager that it opens
    assert os.environ["PYINSTALLER_RESET_ENVIRONMENT"] == "1"  # of a process that it has play matches


def test_odds_need_no_qt() -> None:
    code = (
        "import sys; from trainer.__main__ import main; code = main(['odds', 'AhKh', 'QsQd']);"
        "assert not [name for name in sys.modules if name.startswith('PySide6')]; sys.exit(code)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert "AhKh" in ended.stdout


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="its heaps are counted")
@pytest.mark.parametrize(("is_shared", "heaps"), [(True, {1}), (False, {2, 3, 4})])
def test_all_threads_take_memory_from_one_heap(is_shared: bool, heaps: set[int]) -> None:
    code = f"""
import ctypes, threading
from trainer import __main__ as program
if {is_shared}:
    program._share_one_heap()
c_library, together = ctypes.CDLL(None), threading.Barrier(3)
def take():
    together.wait()
    c_library.malloc(100)
    together.wait()
threads = [threading.Thread(target=take) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
c_library.malloc_stats()
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert len(re.findall(r"^Arena \d+:$", ended.stderr, re.MULTILINE)) in heaps


def test_nothing_heavy_is_imported_before_the_first_paint() -> None:
    code = (
        "import sys, trainer.app; sys.exit(bool({'numba', 'llvmlite', 'pyqtgraph', 'pokerkit'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere Qt brings all it needs")
def test_missing_system_libraries_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system_libraries, "DRAWING", {"libc.so.6": "libc6", "libnone.so.9": "libnone9"})
    assert program.main(["--offscreen", "--autoplay", "1"]) == 2
    error = capsys.readouterr().err
    assert error == "soulread: system libraries are missing; on Debian: sudo apt-get install libnone9\n"


@pytest.mark.usefixtures("quiet_logging")
def test_tracebacks_go_to_the_log_and_a_sentence_to_the_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "log" / "soulread.log"
    program._write_log(path)
    try:
        raise RuntimeError("the deck is wet")
    except RuntimeError as error:
        sys.excepthook(RuntimeError, error, error.__traceback__)
    told = capsys.readouterr().err
    assert "the deck is wet" in told
    assert str(path) in told
    assert "Traceback" not in told
    assert "Traceback" in path.read_text()


@pytest.mark.usefixtures("quiet_logging")
def test_a_log_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program._write_log(tmp_path / "file" / "soulread.log")
    logging.getLogger("trainer").warning("lost")
