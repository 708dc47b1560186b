"""The cache of compiled kernels, tried on a copy of the modules behind @kernel in a package of tiny kernels."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.kernels import jit
from tests.conftest import ROOT

CALLEE = "from tiny.kernels.jit import kernel\n\n@kernel\ndef callee(number):\n    return number + {added}\n"
CALLER = """
import numpy as np
from tiny.kernels.cache import cached_arrays
from tiny.kernels.jit import compiling_deferred, deferred, kernel, register_warm_up
from tiny.kernels.callee import callee

@kernel
def caller(number):
    return 10 * callee(number)

@kernel
def doubled(numbers):
    return 2 * numbers

@kernel
def total(numbers, extra):
    copy = np.zeros(len(numbers))
    for i in range(len(numbers)):
        copy[i] = numbers[i] + extra
    return copy.sum()

@kernel
def _part(number):
    return number + 1

@kernel
def whole(number):
    return 2 * _part(number)

@deferred
def _patient_part(number):
    return number + 1

@deferred
def patient(number):
    return 2 * _patient_part(number)

def prepare_patient():
    with compiling_deferred():
        patient(1)

def tables():
    return cached_arrays("tables", lambda: (print("computed"), {"squares": np.arange(5) ** 2})[1])

register_warm_up("tiny kernels", lambda: caller(1))
register_warm_up("later kernels", lambda: total(np.ones(3), 1.0), at_start=False)
register_warm_up("patient kernels", prepare_patient, at_start=False, is_soon=True)
"""
RUN = """
import json, logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)
from tiny.kernels import cache
from tiny.kernels.caller import caller, tables
value = caller(1)
numba = caller._dispatcher
print(json.dumps({
    "value": value,
    "made_by": "object" if numba is None else "compiler" if numba.stats.cache_misses else "numba",
    "folder": str(cache.cache_folder()),
    "squares": tables()["squares"].tolist(),
}))
"""
"""Says who made the machine code: an object file without numba, numba's compiler, or numba from its own files."""


class Tiny:
    """A package of two kernels, run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.kernels = folder / "tiny" / "kernels"
        self.kernels.mkdir(parents=True)
        for name in ("cache.py", "compiler.py", "jit.py", "machine_code.py"):
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
        """Give what the program printed: JSON in its last line, and the lines before."""
        process = self.start(program, **environment)
        printed, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
        *lines, last = printed.splitlines()
        return json.loads(last), lines

    def delete(self, pattern: str) -> None:
        for path in self.files(pattern):
            path.unlink()

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
    assert (answer["value"], answer["made_by"], said) == (20, "compiler", ["computed"])
    assert Path(answer["folder"]).parent == tiny.cache


def test_the_second_run_compiles_nothing_and_needs_no_numba(compiled: Tiny) -> None:
    answer, said = compiled.run(RUN + "assert 'numba' not in sys.modules\n")
    assert (answer["value"], answer["made_by"], said) == (20, "object", [])
    assert answer["squares"] == [0, 1, 4, 9, 16]


def test_without_object_files_numba_loads_its_own(compiled: Tiny) -> None:
    compiled.delete("*.o")
    answer, said = compiled.run()
    assert (answer["value"], answer["made_by"], said) == (20, "numba", [])


def test_an_edit_in_a_callee_reaches_the_caller(compiled: Tiny) -> None:
    compiled.write_callee(100)
    after, _ = compiled.run()
    assert (after["value"], after["made_by"]) == (1010, "compiler")
    compiled.write_callee(1)
    back, _ = compiled.run()
    assert (back["value"], back["made_by"]) == (20, "object")
    assert back["folder"] != after["folder"]


def test_an_edit_of_the_cards_reaches_every_kernel(compiled: Tiny) -> None:
    (compiled.folder / "tiny" / "cards.py").write_text("CARD_COUNT = 36\n", encoding="utf-8")
    after, _ = compiled.run()
    assert after["made_by"] == "compiler"


@pytest.mark.parametrize("library", ["numba", "llvmlite", "numpy", "python"])
def test_another_version_of_a_library_reaches_every_kernel(compiled: Tiny, library: str) -> None:
    """Stood for by another file that states the version, since only one is installed."""
    change = f"""
import sys
from pathlib import Path
import numba, numpy, llvmlite
if {library!r} == "python":
    sys.version += " of another build"
else:
    file = Path("version.py")
    file.write_text("version = '99'")
    import importlib.util
    find = importlib.util.find_spec
    def find_spec(name, package=None):
        spec = find(name, package)
        if name == {library!r}:
            spec.origin = str(file.absolute())
        return spec
    importlib.util.find_spec = find_spec
"""
    after, _ = compiled.run(change + RUN)
    assert after["made_by"] == "compiler"


def test_other_settings_of_numba_have_their_own_code(compiled: Tiny) -> None:
    before, _ = compiled.run()
    checked, _ = compiled.run(NUMBA_BOUNDSCHECK="1")
    assert (checked["value"], checked["made_by"]) == (20, "compiler")
    (compiled.folder / ".numba_config.yaml").write_text("opt: 1\n", encoding="utf-8")
    where = "import json\nfrom tiny.kernels import cache\nprint(json.dumps(str(cache.cache_folder())))"
    unoptimised, _ = compiled.run(where)
    assert len({before["folder"], checked["folder"], unoptimised}) == 3


def test_code_for_another_processor_is_not_loaded(compiled: Tiny) -> None:
    """A home folder that two machines share."""
    other = """
import llvmlite.binding as llvm
from numba.core.codegen import JITCPUCodegen
llvm.get_host_cpu_name = lambda: "another"
JITCPUCodegen._get_host_cpu_name = lambda self: "generic"
"""
    elsewhere, _ = compiled.run(other + RUN)
    assert (elsewhere["value"], elsewhere["made_by"]) == (20, "compiler")
    here, _ = compiled.run()
    assert (here["value"], here["made_by"]) == (20, "object")


def test_code_that_refers_to_what_is_not_there_is_not_loaded(compiled: Tiny) -> None:
    """LLVM would end the process, so it must not be tried."""
    unknown = """
import llvmlite.binding as llvm
from tiny.kernels import machine_code
known = llvm.address_of_symbol
llvm.address_of_symbol = lambda name: None if name == "PyArg_UnpackTuple" else known(name)
"""
    answer, said = compiled.run(unknown + RUN)
    assert (answer["value"], answer["made_by"], said) == (20, "numba", [])


def test_types_decide_about_the_code(compiled: Tiny) -> None:
    program = """
import json, sys
import numpy as np
from tiny.kernels.caller import caller, total
numbers = np.arange(6.0)
print(json.dumps([
    [caller(1), caller(number=1), caller(True), caller(0.5), caller(np.uint64(1))],
    [total(numbers, 1.0), total(numbers, 1), total(numbers.astype(np.int16), 1.0), total(numbers[::2], 1.0)],
]))
"""
    expected = [[20, 20, 20, 15.0, 20], [21.0, 21.0, 21.0, 9.0]]
    for _ in range(2):
        answers, _ = compiled.run(program)
        assert answers == expected


def test_arrays_go_in_and_out_of_loaded_code_without_a_leak(compiled: Tiny) -> None:
    program = """
import json, sys
import numpy as np
from tiny.kernels.caller import doubled, total
numbers = np.arange(6.0)
before = sys.getrefcount(numbers)
for _ in range(100):
    assert total(numbers, 1.0) == 21.0
    assert doubled(numbers).tolist() == [0, 2, 4, 6, 8, 10]
print(json.dumps({"leaked": sys.getrefcount(numbers) - before, "by_object": total._dispatcher is None}))
"""
    assert compiled.run(program)[0] == {"leaked": 0, "by_object": False}
    assert compiled.run(program)[0] == {"leaked": 0, "by_object": True}


def test_the_compiler_can_follow_upon_loaded_code(compiled: Tiny) -> None:
    program = RUN.replace(
        "numba = ",
        """
from tiny.kernels.jit import kernel
@kernel
def newcomer(number):
    return caller(number) + 1
assert newcomer(1) == 21
assert caller(1) == 20
numba = """,
    )
    answer, said = compiled.run(program)
    assert (answer["value"], answer["made_by"], said) == (20, "numba", [])


def test_two_processes_may_start_at_once(tiny: Tiny) -> None:
    both = [tiny.start(RUN) for _ in range(2)]
    for process in both:
        printed, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
        assert json.loads(printed.splitlines()[-1])["value"] == 20
    answer, said = tiny.run()
    assert (answer["value"], answer["made_by"], said) == (20, "object", [])
    assert not list(tiny.cache.glob("*/*.tmp"))


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_full_disk_is_no_error(tiny: Tiny) -> None:
    full = """
import resource, signal
import numba  # which writes files of its own
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""
    answer, said = tiny.run(full + RUN)
    assert (answer["value"], answer["made_by"]) == (20, "compiler")
    assert any("tables.npz is not kept" in line for line in said)
    assert not list(tiny.cache.glob("*/*.tmp"))
    again, _ = tiny.run()
    assert (again["value"], again["made_by"], again["squares"]) == (20, "compiler", [0, 1, 4, 9, 16])


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
    assert (after["value"], after["made_by"], after["folder"]) == (20, "compiler", during["folder"])
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


@pytest.mark.parametrize("damage", [cut, empty, turn_a_byte, replace_by_text])
def test_a_damaged_object_file_is_passed_over(compiled: Tiny, damage) -> None:
    damage(compiled.files("caller.caller-*.o")[0])
    damaged, said = compiled.run()
    assert (damaged["value"], damaged["made_by"]) == (20, "numba")
    assert len(said) == 1
    assert "damaged" in said[0]
    assert compiled.run()[1] == [], "it has been deleted"


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        ("caller.caller-*.nbc", cut),
        ("caller.caller-*.nbc", empty),
        ("caller.caller-*.nbc", turn_a_byte),
        ("caller.caller-*.nbi", empty),
        ("caller.caller-*.nbi", replace_by_text),
    ],
)
def test_damaged_files_are_made_anew(compiled: Tiny, pattern: str, damage) -> None:
    compiled.delete("*.o")
    damage(compiled.files(pattern)[0])
    damage(compiled.files("tables.npz")[0])
    damaged, said = compiled.run()
    assert (damaged["value"], damaged["made_by"], damaged["squares"]) == (20, "compiler", [0, 1, 4, 9, 16])
    assert sum("caller" in line and "damaged" in line for line in said) == 1
    assert [line for line in said if "caller" not in line][1:] == ["computed"]
    mended, said = compiled.run()
    assert (mended["value"], mended["made_by"], mended["squares"]) == (20, "object", [0, 1, 4, 9, 16])
    assert said == []


def test_without_a_writable_folder_everything_works(tiny: Tiny) -> None:
    tiny.cache.write_text("a file where the folder should be", encoding="utf-8")
    answer, said = tiny.run()
    assert (answer["value"], answer["folder"], said) == (20, "None", ["computed"])
    assert tiny.cache.read_text(encoding="utf-8").startswith("a file")


def test_a_folder_that_vanishes_is_made_again(compiled: Tiny) -> None:
    vanish = RUN.replace("value =", "import shutil; shutil.rmtree(cache.cache_root()); value =")
    answer, said = compiled.run(vanish)
    assert (answer["value"], answer["made_by"], said) == (20, "compiler", ["computed"])
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


@pytest.mark.parametrize(
    ("at_start", "names"),
    [
        ("None", ["tiny kernels", "patient kernels", "later kernels"]),
        ("True", ["tiny kernels"]),
        ("False", ["patient kernels", "later kernels"]),
    ],
)
def test_warming_up_prepares_what_the_modules_registered(compiled: Tiny, at_start: str, names: list[str]) -> None:
    program = f"""
import json
from tiny.kernels import jit
steps = []
jit.warm_up(lambda done, total, name: steps.append([done, total, name]), at_start={at_start})
from tiny.kernels.caller import caller, patient, total
kernels = {{"tiny kernels": caller, "patient kernels": patient, "later kernels": total}}
prepared = [name for name, one in kernels.items() if one._functions]
print(json.dumps({{"steps": steps, "prepared": prepared}}))
"""
    answer, _ = compiled.run(program)
    count = len(names)
    assert answer["steps"] == [[done, count, name] for done, name in enumerate([*names, ""])]
    assert answer["prepared"] == names


def test_the_apps_kernels_warm_up() -> None:
    steps: list[tuple[int, int, str]] = []
    jit.warm_up(lambda done, total, name: steps.append((done, total, name)))
    names = [name for _, _, name in steps]
    assert "hand evaluator" in names
    assert [done for done, _, _ in steps] == list(range(len(steps)))
    assert steps[-1] == (len(steps) - 1, len(steps) - 1, "")
    jit.warm_up()


def test_once_kept_all_kernels_of_the_app_run_without_numba() -> None:
    """Neither do their modules import it, nor is there one whose code cannot be run alone."""
    jit.warm_up()
    program = """
import sys
from engine.cli import main
from engine.kernels import jit
jit.warm_up()
main(["odds", "AhKh", "22+", "--board", "Ks 7d 2h"])
assert "numba" not in sys.modules, "something was compiled"
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_kernels_from_elsewhere_are_never_kept() -> None:
    @jit.kernel
    def stranger(number: int) -> int:
        return number + 1

    assert stranger(1) == 2
    assert stranger.dispatcher.stats.cache_path is None  # type: ignore[attr-defined]


def test_parts_of_kernels_get_no_wrapper_and_run_from_python_too(tiny: Tiny) -> None:
    program = """
import json
from tiny.kernels.caller import _part, whole
values = [whole(3)]
files = lambda: sorted(path.name.split("-")[0] for path in __import__("pathlib").Path("cache").glob("*/*.o"))
before = files()
values.append(_part(3))
print(json.dumps({"values": values, "before": before, "after": files()}))
"""
    answer, said = tiny.run(program)
    assert answer == {"values": [8, 4], "before": ["caller.whole"], "after": ["caller._part", "caller.whole"]}
    assert said == []


def test_a_deferred_kernel_runs_as_python_until_it_is_prepared(tiny: Tiny) -> None:
    program = """
import json, sys
from tiny.kernels.caller import patient, prepare_patient
seen = [patient(3), "numba" in sys.modules]
prepare_patient()
seen += [patient(3), "numba" in sys.modules, len(patient._functions)]
print(json.dumps(seen))
"""
    assert tiny.run(program)[0] == [8, False, 8, True, 1]
    assert tiny.run(program)[0] == [8, False, 8, False, 1], "what is kept is used"


def test_a_deferred_kernel_that_is_called_often_is_compiled(tiny: Tiny) -> None:
    program = """
import json
from tiny.kernels import jit
from tiny.kernels.caller import patient, _patient_part
jit._OFTEN = 3
values, compiled = [], []
for number in range(5):
    values.append(patient(number))
    compiled.append(len(patient._functions))
print(json.dumps([values, compiled, len(_patient_part._functions)]))
"""
    assert tiny.run(program)[0] == [[2, 4, 6, 8, 10], [0, 0, 0, 1, 1], 0]


def test_inlined_kernels_run_from_python_too() -> None:
    @jit.inlined
    def first(numbers: tuple[np.ndarray, np.ndarray]) -> float:
        return float(numbers[0][0])

    @jit.kernel
    def doubled(numbers: tuple[np.ndarray, np.ndarray]) -> float:
        return 2 * first(numbers)

    numbers = np.array([3.0]), np.array([4])
    assert first(numbers) == 3.0
    assert doubled(numbers) == 6.0
