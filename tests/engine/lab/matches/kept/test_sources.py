"""The stamp of what plays: it changes with every rule that a hand may pass through, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from engine.agents.evolved.policy import policy_bytes
from engine.agents.style_file import StyleFileError
from engine.agents.styles import STYLES, UnknownStyleError
from engine.lab.matches.kept.sources import sources_of_play
from tests.engine.agents.evolved.test_policy import policy_of

ROOT = Path(__file__).parents[5]
RULED, READING, SOULREAD = ("nit", "random"), ("fold-2017", "nit"), ("soulread", "random")

CODE = "\nfrom ", "\nX = 1\nfrom "


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy what is hashed to where it may be changed."""
    for path in (ROOT / "engine").rglob("*.py"):
        to = tmp_path / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    shutil.copytree(ROOT / "resources", tmp_path / "resources")
    return tmp_path


def stamps(root: Path) -> list[str]:
    return [sources_of_play(styles, root=root) for styles in (RULED, READING, SOULREAD)]


def test_it_is_the_same_wherever_the_sources_are(copy: Path) -> None:
    assert stamps(copy) == stamps(ROOT)
    assert len({*stamps(ROOT), sources_of_play()}) == 4
    assert sources_of_play() == sources_of_play(STYLES)


@pytest.mark.every(6)
@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("engine/game/rules.py", "\nfrom ", "\n# A comment.\nfrom ", [False] * 3),
        ("engine/agents/fold/decide.py", '"""', '"""New words. ', [False] * 3),
        ("engine/agents/explain.py", *CODE, [False] * 3),
        ("engine/cli.py", *CODE, [False] * 3),
        ("engine/lab/matches/report.py", *CODE, [False] * 3),
        ("engine/agents/styles.py", "Raises almost any hand", "Raises nearly any hand", [False] * 3),
        ("engine/agents/styles.py", "Plays one hand in twelve", "Plays one hand in ten", [True, True, False]),
        ("engine/agents/soulread/values.py", *CODE, [False, False, True]),
        ("engine/agents/fold/predict.py", *CODE, [False, True, False]),
        ("engine/agents/learned/beliefs.py", *CODE, [False, True, True]),
        ("engine/agents/rule_based/tempers.py", *CODE, [True] * 3),
        ("engine/game/rules.py", *CODE, [True] * 3),
        ("engine/play.py", *CODE, [True] * 3),
        ("engine/kernels/jit.py", *CODE, [True] * 3),
        ("engine/lab/matches/playing.py", *CODE, [True] * 3),
        ("engine/lab/matches/counted/tally.py", *CODE, [True] * 3),
        ("resources/fold_parameters.toml", "#", "# A new comment.\n#", [False] * 3),
        ("resources/preflop_equity.csv", "\nAA", "\nAA ", [True] * 3),
        ("resources/learned_reader.md", "a", "b", [False] * 3),
        ("resources/formats/paper.toml", "starting_stack", "another = 1\nstarting_stack", [False] * 3),
    ],
)
def test_only_what_may_change_a_decision_changes_it(
    copy: Path, name: str, old: str, new: str, expected: list[bool]
) -> None:
    path = copy / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert [one != two for one, two in zip(stamps(ROOT), stamps(copy), strict=True)] == expected


def test_a_policy_is_what_stands_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.policy"
    found = set()
    for seed in (1, 2, 1):
        path.write_bytes(policy_bytes(policy_of(seed=seed)))
        found.add(sources_of_play([str(path), "nit"]))
    assert len(found) == 2


def test_who_is_nobody_has_none(tmp_path: Path) -> None:
    with pytest.raises(UnknownStyleError):
        sources_of_play(["psychic"])
    with pytest.raises(StyleFileError):
        sources_of_play([str(tmp_path / "none.policy")])
