"""What a user installs: the wheel carries the resources, the lock holds hashes and no addresses."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "packaging").glob("requirements*.lock"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_wheel_carries_every_source_and_resource(wheel: zipfile.ZipFile) -> None:
    inside = set(wheel.namelist())
    for top in ("engine", "trainer", "resources"):
        files = {path for path in (ROOT / top).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        missing = {str(path.relative_to(ROOT)) for path in files} - inside
        assert not missing, f"the wheel lacks {sorted(missing)}"


def test_wheel_has_a_console_and_a_window_entry(wheel: zipfile.ZipFile) -> None:
    entries = next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "[console_scripts]\nsoulread = trainer.__main__:main" in entries
    assert "[gui_scripts]\nsoulread-app = trainer.__main__:main" in entries


TOOL = ROOT / "packaging" / "lock-tool.txt"


def script(path: Path, text: str) -> None:
    """Write a program of the shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_locking_installs_nothing_that_is_not_pinned_by_hash(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for name in ("pip", "uv"):
        script(tmp_path / "bin" / name, f'echo {name} "$@" >> {log}')
    script(tmp_path / ".venv" / "bin" / "python", f'[ "$2" = venv ] && cp -r {tmp_path}/bin "$3"')
    subprocess.run(["bash", ROOT / "packaging" / "lock.sh"], cwd=tmp_path, check=True)
    asked = [line.split() for line in log.read_text().splitlines()]
    installs = [words for words in asked if "install" in words]
    assert [words[-2:] for words in installs] == [["-r", "packaging/lock-tool.txt"]]
    assert "--require-hashes" in installs[0]
    written = [words[words.index("-o") + 1] for words in asked if words[0] == "uv"]
    assert written == ["packaging/requirements.lock", "packaging/requirements-dev.lock"]


@pytest.mark.parametrize("lock", [*LOCKS, TOOL], ids=lambda path: path.name)
def test_lock_pins_by_hash_and_holds_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    pins = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert len(pins) > 5 or lock == TOOL
    for pin in pins:
        assert re.match(r"[a-z0-9._-]+==\S+", pin), pin.splitlines()[0]
        assert "--hash=sha256:" in pin, pin.splitlines()[0]


def test_locks_hold_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime, build, dev = project["dependencies"], *(project["optional-dependencies"][k] for k in ("build", "dev"))
    for lock, wanted in (("requirements.lock", runtime + build), ("requirements-dev.lock", runtime + build + dev)):
        text = "\n" + (ROOT / "packaging" / lock).read_text(encoding="utf-8")
        for requirement in wanted:
            name = re.match(r"[A-Za-z0-9._-]+", requirement)
            assert name is not None
            assert f"\n{name.group().lower()}==" in text, f"{lock} lacks {requirement}: run make lock"


def test_pyside_is_a_version_that_counts_references_right() -> None:
    # PySide6 6.12.0 on Python 3.11 drops a reference to None on every void call.
    lock = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    assert re.search(r"^pyside6-essentials==6\.11\.3\b", lock, re.MULTILINE)
