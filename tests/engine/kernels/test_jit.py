"""The decorator of kernels and the folder of their code, tried on a copy of both in a package of tiny kernels."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

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

@kernel
def total(numbers, extra):
    result = 0.0
    for i in range(len(numbers)):
        result += numbers[i] + extra
    return result

def tables():
    return cached_arrays("tables", lambda: (print("computed"), {"squares": np.arange(5) ** 2})[1])

register_warm_up("tiny kernels", lambda: caller(1))
register_warm_up("later kernels", lambda: total(np.ones(3), 1.0), at_start=False)
register_warm_up("kernels for soon", lambda: total(np.ones(3), 1.0), at_start=False, is_soon=True)
"""
RUN = """
import json, logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)
from tiny.kernels import cache
from tiny.kernels.caller import caller, tables
value = caller(1)
print(json.dumps({
    "value": value,
    "is_compiled": bool(caller.stats.cache_misses),
    "folder": str(cache.cache_folder()),
    "squares": tables()["squares"].tolist(),
}))
"""
PREPARE = """
import json
from tiny.kernels import caller
from tiny.kernels.jit import is_prepared, warm_up, warm_up_steps
before = is_prepared()
warm_up(at_start=True)
at_start = is_prepared()
for _ in warm_up_steps(at_start=False, is_soon=True):
    pass
print(json.dumps([before, at_start, is_prepared()]))
"""
ONLY_FOLDER = """
import json
from tiny.kernels import cache
print(json.dumps(str(cache.cache_folder())))
"""


class Tiny:
    """A package of two modules of kernels, run in a process of its own."""

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

    def start(self, program: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "SOULREAD_CACHE_DIR": str(self.cache), "PYTHONPATH": ".", **environment},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program: str = RUN, **environment: str) -> tuple[Any, list[str]]:
        """Return what the program printed: JSON in its last line, and the lines before."""
        process = self.start(program, **environment)
        printed, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
        *lines, last = printed.splitlines()
        return json.loads(last), lines

    def files(self, pattern: str) -> list[Path]:
        found = sorted(self.cache.rglob(pattern))
        assert found
        return found


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tiny, Path, Any]:
    """A package that has run once, a copy of its folder with its cache, and what it answered."""
    tiny = Tiny(tmp_path_factory.mktemp("tiny") / "used")
    answer, said = tiny.run()
    assert (answer["value"], answer["is_compiled"], said) == (20, True, ["computed"])
    assert Path(answer["folder"]).parent == tiny.cache
    kept = tiny.folder.with_name("kept")
    shutil.copytree(tiny.folder, kept)
    return tiny, kept, answer


@pytest.fixture
def compiled(first: tuple[Tiny, Path, Any]) -> Tiny:
    """That package as it was after its first run, in the same place: numba looks for code by the path."""
    tiny, kept, _ = first
    shutil.rmtree(tiny.folder)
    shutil.copytree(kept, tiny.folder)
    return tiny


@pytest.fixture
def folder_before(first: tuple[Tiny, Path, Any]) -> str:
    """The folder of its code."""
    return str(first[2]["folder"])


@pytest.mark.slow
def test_the_second_run_compiles_nothing(compiled: Tiny) -> None:
    answer, said = compiled.run()
    assert (answer["value"], answer["is_compiled"], said) == (20, False, [])
    assert answer["squares"] == [0, 1, 4, 9, 16]


def test_it_is_known_whether_the_first_flop_waits_for_the_compiler(tiny: Tiny) -> None:
    assert tiny.run(PREPARE)[0] == [False, False, True]
    assert tiny.run(PREPARE)[0] == [True, True, True]
    tiny.write_callee(100)
    assert tiny.run(PREPARE)[0] == [False, False, True]


def test_an_edit_in_a_callee_reaches_the_caller(compiled: Tiny, folder_before: str) -> None:
    compiled.write_callee(100)
    after, _ = compiled.run()
    assert (after["value"], after["is_compiled"]) == (1010, True)
    assert after["folder"] != folder_before
    compiled.write_callee(1)
    assert compiled.run(ONLY_FOLDER)[0] == folder_before


@pytest.mark.slow
def test_an_edit_of_the_cards_reaches_every_kernel(compiled: Tiny, folder_before: str) -> None:
    (compiled.folder / "tiny" / "cards.py").write_text("CARD_COUNT = 36\n", encoding="utf-8")
    assert compiled.run(ONLY_FOLDER)[0] != folder_before


def test_other_settings_of_numba_have_their_own_code(compiled: Tiny, folder_before: str) -> None:
    assert compiled.run(ONLY_FOLDER, NUMBA_BOUNDSCHECK="1")[0] != folder_before
    assert compiled.run(ONLY_FOLDER)[0] == folder_before


@pytest.mark.slow
def test_two_processes_may_start_at_once(tiny: Tiny) -> None:
    both = [tiny.start(RUN) for _ in range(2)]
    for process in both:
        printed, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
        assert json.loads(printed.splitlines()[-1])["value"] == 20
    answer, said = tiny.run()
    assert (answer["value"], answer["is_compiled"], said) == (20, False, [])
    assert not list(tiny.cache.rglob("*.tmp*"))


@pytest.mark.slow
def test_an_edit_while_a_process_runs_is_not_kept(tiny: Tiny) -> None:
    """Code compiled from sources that are not those of the folder's name must not stay in it."""
    edit = f"""
from pathlib import Path
from tiny.kernels import jit
Path("tiny/kernels/callee.py").write_text({CALLEE.format(added=100)!r}, encoding="utf-8")
{RUN}"""
    during, said = tiny.run(edit)
    assert (during["value"], said) == (1010, ["computed"])
    assert not Path(during["folder"]).exists()
    tiny.write_callee(1)
    assert tiny.run(ONLY_FOLDER)[0] == during["folder"]


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


@pytest.mark.slow
@pytest.mark.parametrize("damage", [cut, empty, turn_a_byte, replace_by_text])
@pytest.mark.parametrize("pattern", ["caller.caller-*.nbc", "caller.caller-*.nbi"])
def test_damaged_files_are_made_again(compiled: Tiny, pattern: str, damage) -> None:
    damage(compiled.files(pattern)[0])
    damage(compiled.files("tables.npz")[0])
    damaged, said = compiled.run()
    assert (damaged["value"], damaged["is_compiled"], damaged["squares"]) == (20, True, [0, 1, 4, 9, 16])
    assert sum("caller" in line and "not as it was kept" in line for line in said) == 1
    assert [line for line in said if "caller" not in line][1:] == ["computed"]
    mended, said = compiled.run()
    assert (mended["value"], mended["is_compiled"], mended["squares"]) == (20, False, [0, 1, 4, 9, 16])
    assert said == []


@pytest.mark.slow
@pytest.mark.parametrize("damage", [cut, empty, turn_a_byte, replace_by_text])
def test_damaged_digests_are_no_error(compiled: Tiny, damage) -> None:
    damage(compiled.files("digests.txt")[0])
    assert compiled.run()[0]["value"] == 20
    mended, said = compiled.run()
    assert (mended["is_compiled"], said) == (False, [])


@pytest.mark.slow
def test_without_a_writable_folder_everything_works(tiny: Tiny) -> None:
    tiny.cache.write_text("a file where the folder should be", encoding="utf-8")
    answer, said = tiny.run()
    assert (answer["value"], answer["folder"], said) == (20, "None", ["computed"])
    assert tiny.cache.read_text(encoding="utf-8").startswith("a file")


@pytest.mark.slow
def test_a_folder_that_vanishes_is_made_again(compiled: Tiny) -> None:
    vanish = RUN.replace("value =", "import shutil; shutil.rmtree(cache.cache_root()); value =")
    answer, said = compiled.run(vanish)
    assert (answer["value"], answer["is_compiled"], said) == (20, True, ["computed"])
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
    current, _ = tiny.run(ONLY_FOLDER)
    left = {path.name for path in tiny.cache.iterdir()}
    newest = {"kernels-version0", "kernels-version1"}
    assert left == {"kept.txt", Path(current).name} | newest


def test_without_a_compiler_kernels_are_plain_functions(tiny: Tiny) -> None:
    program = """
import json
from tiny.kernels.caller import caller
print(json.dumps({"kind": type(caller).__name__, "value": caller(1)}))
"""
    answer, _ = tiny.run(program, NUMBA_DISABLE_JIT="1")
    assert answer == {"kind": "function", "value": 20}
    assert not list(tiny.cache.rglob("*.nbc"))


def test_warming_up_prepares_what_the_modules_registered(tiny: Tiny) -> None:
    program = """
import json
from tiny.kernels import jit
found = []
for at_start in (False, True, None):
    steps = []
    jit.warm_up(lambda done, total, name: steps.append([done, total, name]), at_start=at_start)
    from tiny.kernels.caller import caller, total
    found.append([steps, [len(one.signatures) for one in (caller, total)]])
print(json.dumps(found))
"""
    start, later = ["tiny kernels"], ["kernels for soon", "later kernels"]
    answer, _ = tiny.run(program)
    assert [prepared for _, prepared in answer] == [[0, 1], [1, 1], [1, 1]]
    for (steps, _), names in zip(answer, (later, start, start + later), strict=True):
        assert steps == [[done, len(names), name] for done, name in enumerate([*names, ""])]


def test_the_apps_kernels_warm_up() -> None:
    steps: list[tuple[int, int, str]] = []
    jit.warm_up(lambda done, total, name: steps.append((done, total, name)))
    names = [name for _, _, name in steps]
    assert "hand evaluator" in names
    assert [done for done, _, _ in steps] == list(range(len(steps)))
    assert steps[-1] == (len(steps) - 1, len(steps) - 1, "")
    jit.warm_up()


def test_borrowed_arrays_are_those_given_and_still_counted_right() -> None:
    class Pair(NamedTuple):
        numbers: NDArray[np.int64]
        sums: NDArray[np.float64]

    @jit.kernel
    def add_rows(pair: Pair, factor: int) -> int:
        numbers, sums = jit.borrowed(pair.numbers), jit.borrowed(pair.sums)
        for row in numbers:
            sums += factor * row
        return numbers.size

    pair = Pair(np.arange(6).reshape(2, 3), np.zeros(3))
    assert jit.borrowed(pair.sums) is pair.sums
    before = [sys.getrefcount(array) for array in pair]
    assert add_rows(pair, 2) == 6
    assert pair.sums.tolist() == [6, 10, 14]
    assert [sys.getrefcount(array) for array in pair] == before


def test_kernels_from_elsewhere_are_never_kept() -> None:
    @jit.kernel
    def stranger(number: int) -> int:
        return number + 1

    assert stranger(1) == 2
    assert stranger.stats.cache_path is None  # type: ignore[attr-defined]


def test_numba_is_imported_by_kernels_alone() -> None:
    """Neither for a stored table nor for the rules of betting."""
    program = """
import sys
import engine.kernels.cache, engine.equity.matchups, engine.game.rules
assert not {"numba", "llvmlite"} & set(sys.modules)
import engine.kernels.evaluator
assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)


def test_a_stored_table_answers_without_numba() -> None:
    from engine.equity.matchups import heads_up_table

    heads_up_table()
    program = """
import sys
from engine.cli import main
assert main(["odds", "AhKh", "QsQd", "--json"]) == 0
assert "numba" not in sys.modules
"""
    subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
