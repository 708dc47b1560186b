"""Imports point one way: the rules of ARCHITECTURE.md, read from the source itself."""

import ast
import re
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for top in ("engine", "trainer") for path in (ROOT / top).rglob("*.py"))

# What takes longer than a frame, so runs in lanes, asked for by view models.
COMPUTING = (
    "board_hits.board_hits",
    "category_odds.category_odds",
    "combos",
    "matchups",
    "joint",
    "next_cards.next_cards",
    "range_equities.range_equities",
    "sampling",
    "solve.equity_by_street",
    "solve.solve",
    "win_rate",
)

# Who may not import what: (prefix of the importing module, prefix of the imported one, why).
FORBIDDEN = [
    ("engine", "trainer", "the engine knows no window"),
    ("engine", "PySide6", "the engine knows no Qt"),
    ("engine", "pyqtgraph", "the engine knows no Qt"),
    ("engine.agents", "engine.game.table", "agents see observations, never the table"),
    ("engine.agents", "engine.play", "agents do not know who runs the hand"),
    ("engine.agents", "engine.fair_deals", "agents do not know how a deck is made"),
    ("engine.agents", "engine.lab", "what plays does not know who measures it"),
    ("engine.agents", "engine.join", "agents do not know where they play"),
    ("engine.agents", "engine.review", "what plays does not know who judges it"),
    ("engine.review", "engine.game.table", "a decision is judged by what its player saw"),
    ("engine.review", "engine.lab", "the window judges decisions, too"),
    ("engine.game", "engine.join", "the rules know no server"),
    ("engine.play", "engine.join", "our own table knows no other"),
    ("engine.join", "engine.game.table", "another's table is known by its messages alone"),
    ("engine.join", "engine.lab", "what plays does not know who measures it"),
    ("trainer", "engine.join", "other people's tables are joined from the command line"),
    ("engine.play", "engine.lab", "what plays does not know who measures it"),
    ("engine.game", "engine.agents", "the rules know no player"),
    ("engine.kernels", "engine.game", "kernels take arrays, not domain classes"),
    ("engine.kernels", "engine.agents", "kernels take arrays, not domain classes"),
    ("trainer.jobs", "PySide6.QtWidgets", "services know no widget"),
    ("trainer.session", "PySide6.QtWidgets", "services know no widget"),
    ("trainer.storage", "PySide6.QtWidgets", "services know no widget"),
]
# Of modules that paint or take input, and of view models, wherever they are.
WIDGETS_IMPORT_NOT = [
    ("engine.game.table", "widgets are fed by the player's observation"),
    ("engine.kernels", "widgets compute nothing"),
    *((f"engine.equity.{module}", "widgets compute nothing") for module in COMPUTING),
]
VIEW_MODELS_IMPORT_NOT = [
    ("PySide6.QtWidgets", "view models know no widget"),
    ("engine.game.table", "view models are fed by the player's observation"),
]
ONLY_IN = {
    # Of the window the lab's screen, and what measures a style that is edited; all else plays.
    "engine.lab": ("engine", "trainer.lab", "trainer.styles.style_figures_model"),
    "numba": "engine.kernels",
    # A lock for what msgspec builds once.
    # An answer to another's server must leave in time, even while the agent is still thinking.
    # A process that works for a command ends when the command does.
    "threading": (
        "trainer.jobs",
        "engine.codec",
        "engine.join.answering",
        "engine.join.early",
        "engine.lab.matches.workers",
    ),
    "sqlite3": "trainer.storage",
    # A command may share its work over threads or processes; everything else takes the executor that it is given.
    "concurrent.futures.ThreadPoolExecutor": "engine.cli",
    "concurrent.futures.ProcessPoolExecutor": "engine.lab.matches.workers",
    "concurrent.futures.thread": "nothing",
    "concurrent.futures.process": "nothing",
    # A frozen program that is started as such a process knows it by this alone.
    "multiprocessing": ("engine.lab.matches.workers", "trainer.__main__"),
}


SHADOW = re.compile(r"QColor\(0, 0, 0, \d+\)")
"""Dark in both looks."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file names in an import, inside functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.names[0].name != "*", f"{path}: star import"
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_view_model(path: Path) -> bool:
    return path.stem.endswith("_model")


def is_widget(path: Path) -> bool:
    """Tell whether a module of the window paints or takes input."""
    if module_name(path) in ("trainer.app", "trainer.settings", "trainer.theme") or is_view_model(path):
        return False
    return bool({"PySide6.QtWidgets", "PySide6.QtGui"} & imports(path))


def forbidden(path: Path) -> list[tuple[str, str]]:
    """Every prefix of modules that a file may not import, and why."""
    found = [(target, why) for source, target, why in FORBIDDEN if within(module_name(path), source)]
    if is_view_model(path):
        widgets = [module_name(other) for other in MODULES if is_widget(other)]
        found += [*VIEW_MODELS_IMPORT_NOT, *((widget, "view models know no widget") for widget in widgets)]
    return found + (WIDGETS_IMPORT_NOT if is_widget(path) else [])


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_obey_the_table(path: Path) -> None:
    name = module_name(path)
    for target, why in forbidden(path):
        guilty = sorted(found for found in imports(path) if within(found, target))
        assert not guilty, f"{name} imports {guilty}: {why}"
    for target, home in ONLY_IN.items():
        homes = (home,) if isinstance(home, str) else home
        if not any(within(name, one) for one in homes):
            assert not any(within(found, target) for found in imports(path)), f"{target} belongs in {home} alone"


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_only_the_rules_write_the_state_of_betting(path: Path) -> None:
    name = module_name(path)
    if not name.startswith(("engine.game", "engine.join", "engine.play")) or name == "engine.game.rules":
        return
    written = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr != "dead"
        and ast.unparse(node.value).split(".")[-1] in ("betting", "_betting")
    ]
    assert not written, f"{name} writes {written}: name the operation in engine.game.rules"


def is_module_or_folder(word: str) -> bool:
    return "*" not in word and word.rstrip(",").endswith((".py", "/"))


def tree_of_the_page() -> set[str]:
    """Every folder and module that ARCHITECTURE.md lists, by its path."""
    tree = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")[1]
    folders: list[tuple[int, str]] = []
    listed = set()
    for line in tree.splitlines():
        indent = len(line) - len(line.lstrip())
        names = [name.rstrip(",") for name in takewhile(is_module_or_folder, line.split())]
        while folders and folders[-1][0] >= indent:
            folders.pop()
        listed |= {"".join(folder for _, folder in folders) + name for name in names}
        if names and names[0].endswith("/"):
            folders.append((indent, names[0]))
    return listed


def test_the_tree_lists_every_folder_and_nothing_that_is_not_there() -> None:
    listed = {name for name in tree_of_the_page() if name.startswith(("engine/", "trainer/"))}
    assert [name for name in sorted(listed) if not (ROOT / name).exists()] == []
    assert {f"{path.parent.relative_to(ROOT).as_posix()}/" for path in MODULES} <= listed


def advice() -> list[str]:
    """Every paragraph and list item of CONTRIBUTING.md, without its examples of commands."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return re.split(r"\n\n|\n(?=- |\d\. )", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


@pytest.mark.parametrize("part", advice(), ids=lambda part: part[:40])
def test_what_contributors_are_told_to_look_at_is_there(part: str) -> None:
    quoted = re.findall(r"`([^`\s]+)`", part)
    paths = [word for word in quoted if "/" in word or word.endswith((".md", ".toml"))]
    paths += re.findall(r"\]\((?!https:)([^)]+)\)", part)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    sources = [(ROOT / path).read_text(encoding="utf-8") for path in paths if path.endswith(".py")]
    names = [word for word in quoted if re.fullmatch(r"\w*[A-Z_]\w*", word)]
    assert [name for name in names if sources and not any(name in source for source in sources)] == []


def colours(path: Path) -> list[str]:
    """Every colour that a module names or mixes itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    named = [text for text in texts if isinstance(text, str) and re.search(r"#[0-9a-fA-F]{6}\b", text)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    mixed = [ast.unparse(call) for call in calls if ast.unparse(call.func).startswith("QColor")]
    mixed = [call for call in mixed if re.match(r"QColor(\.\w+)?\([\d'\"]", call) and not SHADOW.match(call)]
    return named + mixed


def test_widgets_take_their_colours_from_the_theme() -> None:
    assert {module_name(path): found for path in MODULES if is_widget(path) and (found := colours(path))} == {}


def test_check_boxes_have_the_frame_that_is_seen_in_the_dark() -> None:
    made = [module_name(path) for path in MODULES if re.search(r"\bQCheckBox\(", path.read_text(encoding="utf-8"))]
    assert made == [], "but CheckBox, which draws it"


def room_of(name: str) -> str:
    """Give the part of the engine that a module belongs to: a folder, or a module of its own."""
    return ".".join(name.split(".")[:2])


def assert_no_cycle(graph: dict[str, set[str]]) -> None:
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_no_cycles() -> None:
    names = {module_name(path) for path in MODULES}
    graph = {name: set[str]() for name in names}
    for path in MODULES:
        name = module_name(path)
        graph[name] = imports(path) & names - {name}
    assert_no_cycle(graph)


def test_the_rooms_of_the_engine_form_no_circle() -> None:
    rooms: dict[str, set[str]] = {}
    names = {module_name(path) for path in MODULES if module_name(path).startswith("engine.")}
    for path in MODULES:
        if (name := module_name(path)) in names:
            # Imports inside functions count.
            entered = {room_of(target) for target in imports(path) & names}
            rooms.setdefault(room_of(name), set[str]()).update(entered - {room_of(name)})
    assert_no_cycle(rooms)
