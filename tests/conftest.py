"""What every test shares: no test sees or touches the user's own files, and all run without a screen."""

import gc
import os
import shutil
import tempfile
import warnings
from collections import Counter
from io import StringIO
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

with warnings.catch_warnings():
    # WORKAROUND eval7 0.1.11: it calls pyparsing by names that warn, and warnings are errors here.
    warnings.simplefilter("ignore", DeprecationWarning)
    import eval7  # noqa: F401

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
IN_CI = os.environ.get("CI") == "true"


class Terminal(StringIO):
    """Where progress goes at a terminal."""

    def isatty(self) -> bool:
        return True


on_posix = pytest.mark.skipif(os.name != "posix", reason="needs programs, permissions and signals of POSIX")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# SQLite waits for the disk at every action that a test stores; files in memory are on no disk.
_MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 1 << 30:
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

# The folder of compiled kernels stays the user's own: its name is a hash of the kernels' sources, so it cannot
# be wrong, and without it every run would compile for seconds.
_HOME = tempfile.mkdtemp(prefix="soulread-tests-")
for _variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
    os.environ[_variable] = str(Path(_HOME, _variable.lower()))
if os.name == "nt":
    os.environ.setdefault("SOULREAD_CACHE_DIR", platformdirs.user_cache_dir("soulread"))
    os.environ["WIN_PD_OVERRIDE_LOCAL_APPDATA"] = _HOME

# `make test-slow` runs all tests of properties again, by the thorough profile.
settings.register_profile("quick", deadline=None, derandomize=IN_CI, max_examples=12)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)
settings.load_profile("quick")


collect_ignore = ["bench"]  # no tests, and its peers take a second to import

gc.disable()  # until all tests are collected, which leaves little garbage


def pytest_xdist_auto_num_workers() -> int:
    """Use as many processes as there are cores: each collects all tests; more than five do not help."""
    return min(os.cpu_count() or 1, 5)


def pytest_collection_finish() -> None:
    """Keep what is there for good, a million objects, out of every later look for garbage."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what the default run leaves out of tests that are repeated for many values."""
    seen: Counter[str] = Counter()
    for item in items:
        if mark := item.get_closest_marker("every"):
            name = item.nodeid.partition("[")[0]
            if seen[name] % mark.args[0]:
                item.add_marker("slow")
            seen[name] += 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("shared") and not SHARED.is_dir():
        missing = f"the real hands are not there: no folder {SHARED}"
        if IN_CI:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
