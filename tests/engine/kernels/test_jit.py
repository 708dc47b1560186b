"""The cache of compiled kernels, tried on a copy of jit.py and cache.py in a package of two tiny kernels."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.kernels import jit
from tests.conftest import ROOT

CALLEE = "from tiny.kernels.jit import kernel\n\n@kernel\ndef callee(number):\n    return number + {added}\n"
CALLER = """
import numpy as np
from tiny.kernels.cache import cached_arrays
from tiny.kernels.jit import kernel, register_warm_up
from tiny.kernels.callee import callee

@kernel
def caller(number):
    return 10 * callee(number)

def tables():
    return cached_arrays("tables", lambda: (print("computed"), {"squares": np.arange(5) ** 2})[1])

register_warm_up("tiny kernels", lambda: caller(1))
"""
RUN = """
import json, logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)
from tiny.kernels import cache
from tiny.kernels.caller import caller, tables
value = caller(1)
stats = caller.stats
print(json.dumps({
    "value": value,
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
    "folder": str(cache.cache_folder()),
    "squares": tables()["squares"].tolist(),
}))
"""


class Tiny:
    """A package of two kernels, run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.kernels = folder / "tiny" / "kernels"
        self.kernels.mkdir(parents=True)
        for name in ("cache.py", "jit.py"):
            source = (ROOT / "engine" / "kernels" / name).read_text(encoding="utf-8")
            (self.kernels / name).write_text(source.replace("engine.kernels", "tiny.kernels"), encoding="utf-8")
        (folder / "tiny" / "cards.py").touch()
        (self.kernels / "caller.py").write_text(CALLER, encoding="utf-8")
        self.write_callee(1)

    def write_callee(self, added: int) -> None:
        (self.kernels / "callee.py").write_text(CALLEE.format(added=added), encoding="utf-8")

    def run(self, program: str = RUN, **environment: str) -> tuple[dict[str, Any], list[str]]:
        """Give what the program printed: JSON in its last line, and the lines before."""
        answer = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "SOULREAD_CACHE_DIR": str(self.cache), "PYTHONPATH": ".", **environment},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (answer.returncode, answer.stderr) == (0, "")
        *lines, last = answer.stdout.splitlines()
        return json.loads(last), lines

    def files(self, pattern: str) -> list[Path]:
        found = sorted(self.cache.glob(f"kernels-*/{pattern}"))
        assert found
        return found


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tiny, dict[str, Any], list[str]]:
    tiny = Tiny(tmp_path_factory.mktemp("tiny"))
    return tiny, *tiny.run()


@pytest.fixture
def compiled(tmp_path: Path, first_run) -> Tiny:
    """A package that has run once, with its cache."""
    tiny = Tiny(tmp_path)
    shutil.copytree(first_run[0].cache, tiny.cache)
    return tiny


def test_the_first_run_compiles(first_run) -> None:
    tiny, answer, said = first_run
    assert (answer["value"], answer["hits"], answer["misses"], said) == (20, 0, 1, ["computed"])
    assert Path(answer["folder"]).parent == tiny.cache


def test_the_second_run_compiles_nothing(compiled: Tiny) -> None:
    answer, said = compiled.run()
    assert (answer["value"], answer["hits"], answer["misses"], said) == (20, 1, 0, [])
    assert answer["squares"] == [0, 1, 4, 9, 16]


def test_an_edit_in_a_callee_reaches_the_caller(compiled: Tiny) -> None:
    compiled.write_callee(100)
    after, _ = compiled.run()
    assert (after["value"], after["hits"]) == (1010, 0)
    compiled.write_callee(1)
    back, _ = compiled.run()
    assert (back["value"], back["hits"]) == (20, 1)
    assert back["folder"] != after["folder"]


def test_an_edit_while_a_process_runs_is_not_kept(tiny: Tiny) -> None:
    """Code compiled from sources that are not those of the folder's name must not get into it."""
    edit = f"""
from pathlib import Path
from tiny.kernels import jit
Path("tiny/kernels/callee.py").write_text({CALLEE.format(added=100)!r}, encoding="utf-8")
{RUN}"""
    during, _ = tiny.run(edit)
    assert during["value"] == 1010
    tiny.write_callee(1)
    after, said = tiny.run()
    assert (after["value"], after["hits"], after["folder"]) == (20, 0, during["folder"])
    assert said == ["computed"]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def turn_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


def replace_by_text(path: Path) -> None:
    path.write_bytes(b"no machine code, but text\n" * 100)


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        ("caller.caller-*.nbc", cut),
        ("caller.caller-*.nbc", turn_a_byte),
        ("caller.caller-*.nbi", empty),
        ("caller.caller-*.nbi", replace_by_text),
    ],
)
def test_damaged_files_are_made_anew(compiled: Tiny, pattern: str, damage) -> None:
    damage(compiled.files(pattern)[0])
    damage(compiled.files("tables.npz")[0])
    damaged, said = compiled.run()
    assert (damaged["value"], damaged["hits"], damaged["squares"]) == (20, 0, [0, 1, 4, 9, 16])
    assert sum("caller" in line and "damaged" in line for line in said) == 1
    assert [line for line in said if "caller" not in line][1:] == ["computed"]
    mended, said = compiled.run()
    assert (mended["value"], mended["hits"], mended["squares"], said) == (20, 1, [0, 1, 4, 9, 16], [])


def test_without_a_writable_folder_everything_works(tiny: Tiny) -> None:
    tiny.cache.write_text("a file where the folder should be", encoding="utf-8")
    answer, said = tiny.run()
    assert (answer["value"], answer["folder"], said) == (20, "None", ["computed"])
    assert tiny.cache.read_text(encoding="utf-8").startswith("a file")


def test_a_folder_that_vanishes_is_made_again(compiled: Tiny) -> None:
    vanish = RUN.replace("value =", "import shutil; shutil.rmtree(cache.cache_root()); value =")
    answer, said = compiled.run(vanish)
    assert (answer["value"], answer["hits"], said) == (20, 0, ["computed"])
    assert compiled.files("*.nbc")
    assert compiled.files("tables.npz")


def test_folders_of_old_versions_go(tiny: Tiny) -> None:
    tiny.cache.mkdir()
    (tiny.cache / "kept.txt").touch()
    for age in range(5):
        folder = tiny.cache / f"kernels-version{age}"
        folder.mkdir()
        (folder / "caller.nbc").touch()
        os.utime(folder, (1e9 - age, 1e9 - age))
    answer, _ = tiny.run()
    left = {path.name for path in tiny.cache.iterdir()}
    newest = {"kernels-version0", "kernels-version1"}
    assert left == {"kept.txt", Path(answer["folder"]).name} | newest


def test_without_a_compiler_kernels_are_plain_functions(tiny: Tiny) -> None:
    program = """
import json
from tiny.kernels.caller import caller
print(json.dumps({"kind": type(caller).__name__, "value": caller(1)}))
"""
    answer, _ = tiny.run(program, NUMBA_DISABLE_JIT="1")
    assert answer == {"kind": "function", "value": 20}
    assert not list(tiny.cache.glob("kernels-*/*.nbc"))


def test_warming_up_prepares_what_the_modules_registered(tiny: Tiny) -> None:
    program = """
import json, sys
from tiny.kernels import jit
steps = []
jit.warm_up(lambda done, total, name: steps.append([done, total, name]))
from tiny.kernels.caller import caller
misses = sum(caller.stats.cache_misses.values())
print(json.dumps({"steps": steps, "misses": misses, "compiled": len(caller.signatures)}))
"""
    answer, _ = tiny.run(program)
    assert answer == {"steps": [[0, 1, "tiny kernels"], [1, 1, ""]], "misses": 1, "compiled": 1}


def test_the_apps_kernels_warm_up() -> None:
    steps: list[tuple[int, int, str]] = []
    jit.warm_up(lambda done, total, name: steps.append((done, total, name)))
    names = [name for _, _, name in steps]
    assert "hand evaluator" in names
    assert [done for done, _, _ in steps] == list(range(len(steps)))
    assert steps[-1] == (len(steps) - 1, len(steps) - 1, "")
    jit.warm_up()


def test_kernels_from_elsewhere_are_never_kept() -> None:
    @jit.kernel
    def stranger(number: int) -> int:
        return number + 1

    assert stranger(1) == 2
    assert stranger.stats.cache_path is None  # type: ignore[attr-defined]
