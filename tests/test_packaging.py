"""What a user installs: the wheel carries the resources, the lock holds hashes and no addresses."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.conftest import on_posix
from trainer import system_libraries

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "packaging").glob("*.lock"))


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
        missing = {path.relative_to(ROOT).as_posix() for path in files} - inside
        assert not missing, f"the wheel lacks {sorted(missing)}"


def test_wheel_says_that_the_engine_is_typed(wheel: zipfile.ZipFile) -> None:
    assert "engine/py.typed" in wheel.namelist()


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


@on_posix
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
    assert written == [
        f"packaging/{name}.lock" for name in ("requirements", "requirements-dev", "foreign-parser", "pyinstaller")
    ]


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


# Setting up


class System:
    """A folder with a soulread in it and a system of fake programs, which write down what is asked of them.

    Parameters
    ----------
    folder : Path
    missing : str
        The packages that Qt lacks until apt-get installs them.
    """

    def __init__(self, folder: Path, missing: str = "libxcb-icccm4 libxcb-keysyms1") -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.lacking = folder / "lacking"
        self.lacking.write_text(missing)
        shutil.copytree(ROOT / "packaging", folder / "packaging")
        script(folder / ".venv" / "bin" / "python", f'echo asked "${{@:3}}" >> {self.log}; cat {self.lacking}')
        script(folder / ".venv" / "bin" / "soulread", f'echo soulread "$@" >> {self.log}')
        for name in ("bash", "env", "cat"):
            self.bin.mkdir(exist_ok=True)
            (self.bin / name).symlink_to(shutil.which(name) or name)
        self.fake("id", "echo 1000")
        self.fake("apt-get", f'echo "apt-get $*" >> {self.log}; [[ " $* " == *" update "* ]] || : > {self.lacking}')

    def fake(self, name: str, text: str) -> None:
        """Put a program on the path."""
        script(self.bin / name, text)

    def has_sudo(self, *, asks_for_password: bool = False) -> None:
        """Put sudo there, which without a terminal does nothing if it asks for a password."""
        refusal = 'if [ "$1" = -n ]; then exit 1; fi' if asks_for_password else 'if [ "$1" = -n ]; then shift; fi'
        self.fake("sudo", f'{refusal}\n[ "$1" = true ] && exit 0\necho "sudo $*" >> {self.log}\nexec "$@"')

    def command(self, *arguments: str) -> list[str]:
        return [str(self.bin / "bash"), "packaging/libraries.sh", *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        return {"PATH": str(self.bin), **more}

    def start(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script where nothing can be asked."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def start_on_terminal(self, answer: str, **environment: str) -> tuple[int, str]:
        """Run the script on a terminal, type an answer; return the exit code and what it showed."""
        import pty  # not there on Windows

        try:
            master, slave = pty.openpty()
        except OSError:
            pytest.skip("this system has no terminals")
        try:
            with subprocess.Popen(
                self.command(),
                cwd=self.folder,
                env=self.environment(**environment),
                stdin=slave,
                stdout=slave,
                stderr=slave,
            ) as process:
                os.close(slave)
                os.write(master, answer.encode())
                code = process.wait(timeout=60)
            shown = b""
            try:
                while piece := os.read(master, 65536):
                    shown += piece
            except OSError:  # the other end is closed
                pass
        finally:
            os.close(master)
        return code, shown.decode()

    def asked(self, of: str) -> list[str]:
        """Return what was asked of a program, by call."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if line.split()[0] == of]


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere Qt brings all it needs")
INSTALL = "apt-get install -y --no-install-recommends libxcb-icccm4 libxcb-keysyms1"


def installed(system: System) -> bool:
    words = [line.split() for line in system.asked("apt-get")]
    return ["update" in line for line in words] == [True, False] and words[1][-2:] == INSTALL.split()[-2:]


@on_linux
def test_root_installs_what_qt_lacks_and_says_so(system: System) -> None:
    system.fake("id", "echo 0")
    ended = system.start()
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == (
        "soulread: Qt lacks system libraries; installing libxcb-icccm4 libxcb-keysyms1 with apt-get.\n"
    )
    assert installed(system)
    assert system.start().stderr == ""  # nothing is left to do
    assert len(system.asked("apt-get")) == 2


@on_linux
@pytest.mark.parametrize("ci", ["", "true"])
def test_sudo_without_a_password_installs_and_says_so(system: System, ci: str) -> None:
    system.has_sudo()
    ended = system.start(CI=ci)
    assert ended.returncode == 0
    assert "installing libxcb-icccm4 libxcb-keysyms1 with sudo apt-get." in ended.stderr
    assert len(system.asked("sudo")) == 2
    assert installed(system)


@on_linux
def test_where_nobody_can_be_asked_the_one_command_is_printed(system: System) -> None:
    for with_sudo, command in ((False, f"su -c '{INSTALL}'"), (True, f"sudo {INSTALL}")):
        if with_sudo:
            system.has_sudo(asks_for_password=True)
        ended = system.start()
        assert ended.returncode == 1
        assert ended.stderr.splitlines() == [
            "soulread: Qt lacks system libraries. Install them with this command, then try again:",
            f"  {command}",
        ]
    assert not system.asked("apt-get")


@on_linux
@pytest.mark.parametrize("answer", ["y", "YES"])
def test_on_a_terminal_it_asks_and_a_yes_installs_by_sudo(system: System, answer: str) -> None:
    system.has_sudo(asks_for_password=True)
    code, shown = system.start_on_terminal(f"{answer}\n")
    assert "Install them now with sudo apt-get? [y/N]" in shown
    assert code == 0
    assert installed(system)


@on_linux
@pytest.mark.parametrize("answer", ["", "n", "what", "\x04"])
def test_anything_but_yes_installs_nothing_and_prints_the_command(system: System, answer: str) -> None:
    system.has_sudo(asks_for_password=True)
    code, shown = system.start_on_terminal(f"{answer}\n")
    assert code == 1
    assert f"  sudo {INSTALL}" in shown
    assert not system.asked("apt-get")


@on_linux
def test_ci_is_never_asked(system: System) -> None:
    system.has_sudo(asks_for_password=True)
    code, shown = system.start_on_terminal("y\n", CI="true")
    assert code == 1
    assert "[y/N]" not in shown
    assert f"  sudo {INSTALL}" in shown


@on_linux
def test_what_cannot_be_installed_is_told_with_the_command(system: System) -> None:
    system.fake("id", "echo 0")
    system.fake("apt-get", 'echo "E: no network" >&2; exit 100')
    ended = system.start()
    assert ended.returncode == 1
    assert "E: no network" in ended.stderr
    assert ended.stderr.endswith(
        f"That did not work. Install them with this command, then try again:\n  {INSTALL}\n"
    )
    system.fake("apt-get", "exit 0")
    ended = system.start()
    assert ended.returncode == 1
    assert "They are installed, and Qt still does not find them." in ended.stderr


@on_linux
def test_without_apt_the_packages_of_debian_are_named(system: System) -> None:
    (system.bin / "apt-get").unlink()
    ended = system.start()
    assert ended.returncode == 1
    assert "Debian has in these packages: libxcb-icccm4 libxcb-keysyms1." in ended.stderr


NONE = {"libnone-draw.so.9": "draw9"}, {"libnone-window.so.9": "window9"}
X_SERVER = {"DISPLAY": ":0"}


@on_linux
@pytest.mark.parametrize(
    ("arguments", "environment", "lacking"),
    [
        ([], X_SERVER, ["draw9", "window9"]),
        (["--seed", "7"], X_SERVER, ["draw9", "window9"]),
        ([], {"QT_QPA_PLATFORM": "xcb"}, ["draw9", "window9"]),
        ([], {}, ["draw9"]),  # there is no display to open a window on
        ([], {**X_SERVER, "WAYLAND_DISPLAY": "wayland-0"}, ["draw9"]),
        ([], {**X_SERVER, "QT_QPA_PLATFORM": "offscreen"}, ["draw9"]),
        (["--offscreen", "--autoplay", "2"], X_SERVER, ["draw9"]),
        (["--autoplay", "2", "--off"], X_SERVER, ["draw9"]),
        (["odds", "AA", "KK"], X_SERVER, []),
        (["join", "acpc"], X_SERVER, []),
        (["--version"], X_SERVER, []),
        (["--help"], X_SERVER, []),
    ],
)
def test_only_what_a_start_loads_can_be_missing(
    arguments: list[str], environment: dict[str, str], lacking: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_libraries, "DRAWING", NONE[0])
    monkeypatch.setattr(system_libraries, "WINDOW", NONE[1])
    assert system_libraries.missing_for(arguments, environment) == lacking


@on_linux
def test_nothing_is_missing_where_the_tests_run() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "trainer.system_libraries", "--offscreen"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@on_linux
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_looks_for_what_its_goal_loads_and_sets_up_once(system: System) -> None:
    shutil.copy(ROOT / "Makefile", system.folder)
    system.lacking.write_text("")
    (system.folder / "pyproject.toml").write_text("")
    script(system.folder / ".venv" / "bin" / "pip", f'echo pip "$@" >> {system.log}')
    for name in ("make", "touch", "grep"):
        (system.bin / name).symlink_to(shutil.which(name) or name)
    system.fake("python3.11", "exit 0")

    def make(*words: str) -> None:
        subprocess.run(
            ["make", *words], cwd=system.folder, env=system.environment(DISPLAY=":0"), check=True, timeout=60,
            capture_output=True,
        )  # fmt: skip

    make("run", 'ARGS=odds "AhKh | QQ"')
    make("run")
    make("test")
    make("test")
    assert system.asked("asked")[:2] == ["asked odds AhKh | QQ", "asked"]
    assert "asked --offscreen" in system.asked("asked")
    assert system.asked("soulread") == ["soulread odds AhKh | QQ", "soulread"]
    locks = [line.split()[-1] for line in system.asked("pip") if "-r" in line.split()]
    assert locks == ["packaging/requirements.lock", "packaging/requirements-dev.lock"]


@on_posix
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_finds_the_programs_where_the_system_puts_them() -> None:
    for system, folder in (("Windows_NT", "Scripts"), ("", "bin")):
        command = ["make", "-n", f"OS={system}", "check"]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
        assert f".venv/{folder}/ruff format --check" in said


def write_wheel(folder: Path, name: str, version: str, *needs: str) -> str:
    """Write a wheel of nothing but its metadata, and return what a lock says of it."""
    path, info = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}", "Provides-Extra: more"]
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", "\n".join([*metadata, *(f"Requires-Dist: {one}" for one in needs)]))
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{sha256(path.read_bytes()).hexdigest()}\n"


@on_posix
def test_setting_up_takes_what_is_pinned_whatever_is_newer(tmp_path: Path) -> None:
    needing, needed = write_wheel(tmp_path, "one", "1", "two[more]>=1"), write_wheel(tmp_path, "two", "1")
    write_wheel(tmp_path, "two", "2")
    (tmp_path / "lock").write_text(needing + needed)
    pip = f'[[ "$*" == *"-e ."* ]] || exec {sys.executable} -m pip "$@" --target {tmp_path}/site'
    script(tmp_path / ".venv" / "bin" / "pip", pip)
    for name in (".venv/bin/python", "python"):
        script(tmp_path / name, "exit 0")
    local = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PYTHON": str(tmp_path / "python")}
    subprocess.run(
        ["bash", ROOT / "packaging" / "setup.sh", "lock"],
        cwd=tmp_path, env=os.environ | local, check=True, timeout=120,
    )  # fmt: skip
    assert {path.name for path in (tmp_path / "site").glob("*.dist-info")} == {"one-1.dist-info", "two-1.dist-info"}


def test_the_lock_leaves_nothing_out() -> None:
    subprocess.run([sys.executable, "-m", "pip", "check"], check=True, timeout=120)


@on_posix
def test_setting_up_shows_errors_of_pip_and_none_of_its_warnings(tmp_path: Path) -> None:
    # A folder of packages that is not there is a warning for each package of the lock.
    (tmp_path / "lock").write_text(f"soulread-none==1 --hash=sha256:{'0' * 64}\n")
    script(tmp_path / ".venv" / "bin" / "python", "exit 0")
    script(tmp_path / ".venv" / "bin" / "pip", f'exec {sys.executable} -m pip "$@"')
    script(tmp_path / "python", "exit 0")
    quiet = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "nowhere"), "PYTHON": str(tmp_path / "python")}
    ended = subprocess.run(
        ["bash", ROOT / "packaging" / "setup.sh", "lock"],
        cwd=tmp_path, env=os.environ | quiet, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode != 0
    assert "ERROR: No matching distribution found for soulread-none==1" in ended.stderr
    assert "WARNING" not in ended.stderr + ended.stdout
