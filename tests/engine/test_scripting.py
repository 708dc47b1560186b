"""What a script may import from the engine, and the page that shows it."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).parent.parent.parent
OFFERED = sorted(engine._MODULE_OF)


def test_the_examples_of_the_page_run() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "scripting.md"), module_relative=False)
    assert results.attempted > 30
    assert results.failed == 0


@pytest.mark.parametrize("name", OFFERED)
def test_what_is_offered_is_there(name: str) -> None:
    assert getattr(engine, name).__module__ == engine._MODULE_OF[name]


def test_a_type_checker_is_offered_the_same() -> None:
    tree = ast.parse(Path(engine.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("engine.")
        for alias in node.names
    }
    assert typed == engine._MODULE_OF


def test_completion_in_a_shell_finds_what_is_offered() -> None:
    assert set(OFFERED) <= set(dir(engine))


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = engine.nonsense
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from engine import nonsense")


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import engine, sys; print([m for m in ('numpy', 'msgspec') if m in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("wanted", "told"), [("", "lost\n"), ("logging.basicConfig(format='%(message)s')", "made again\nlost\n")]
)
def test_what_kernels_mend_by_themselves_is_for_a_log_alone(wanted: str, told: str) -> None:
    program = f"""
import logging, engine
{wanted}
logging.getLogger("engine.kernels.cache").warning("made again")
logging.getLogger("engine.join.client").warning("lost")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == told
