"""The script that the contest starts its players with."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import on_posix

SCRIPT = Path(__file__).parents[3] / "packaging" / "huawei2015.sh"
VALUES = ["10.0.0.1", "6000", "10.0.0.2", "6001", "1111"]

pytestmark = on_posix


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder as a clone has it, with a program that only tells its arguments."""
    for folder in ("packaging", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SCRIPT, tmp_path / "packaging")
    program = tmp_path / ".venv" / "bin" / "soulread"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n')
    program.chmod(0o755)
    return tmp_path


def start(home: Path, *values: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    paths = {"PATH": os.environ["PATH"], **environment}
    script = home / "packaging" / SCRIPT.name
    return subprocess.run([script, *values], env=paths, cwd="/", capture_output=True, text=True, check=False)


def test_the_five_values_and_further_options(home: Path) -> None:
    ended = start(home, *VALUES)
    assert ended.stdout.split("\n") == ["join", "huawei", *VALUES, ""]
    assert (ended.returncode, ended.stderr) == (3, "")
    ended = start(home, *VALUES, SOULREAD_JOIN="--agent fold:uniform  --record h.phhs")
    assert ended.stdout.split() == ["join", "huawei", *VALUES, "--agent", "fold:uniform", "--record", "h.phhs"]


def test_a_link_to_it(home: Path, tmp_path: Path) -> None:
    (tmp_path / "game").symlink_to(home / "packaging" / SCRIPT.name)
    ended = subprocess.run([tmp_path / "game", *VALUES], capture_output=True, text=True, check=False)
    assert ended.stdout.split()[2:] == VALUES


def test_an_installed_program_will_do(home: Path) -> None:
    elsewhere = home / "bin"
    (home / ".venv" / "bin").rename(elsewhere)
    assert start(home, *VALUES, PATH=f"{elsewhere}:{os.environ['PATH']}").stdout.split()[2:] == VALUES


def test_wrong_use(home: Path) -> None:
    ended = start(home, *VALUES[:4])
    assert ended.returncode == 2
    assert ended.stderr == "usage: huawei2015.sh SERVER_IP SERVER_PORT MY_IP MY_PORT MY_ID\n"
    shutil.rmtree(home / ".venv")
    ended = start(home, *VALUES, PATH="/usr/bin:/bin")
    assert ended.returncode == 1
    assert ended.stderr.startswith("soulread: it is not installed; run make run in ")
