"""Policies of somebody's own: a folder of them plays as those that ship, and what is wrong with one is said."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.agents.evolved.own_policies import RULES, files_of, styles_in
from engine.agents.evolved.policy import StoredPolicy, policy_bytes, read_policy
from engine.agents.rule_based.pool import POOL
from engine.agents.style_file import StyleFileError
from engine.agents.styles import make_agent, most_seats, named_style, registered_name, seats_problem, style_label
from engine.game.format_file import built_in
from engine.lab.evolution.library import library_path
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import EvolutionSettings
from engine.lab.evolution.targets import BASE, EXPLOITERS
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import match
from tests.engine.agents.evolved.ensembles import SHIPPED, shipped_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shipped_folder(tmp_path / "mine")


def won(style: str, rival: str) -> tuple[float, float]:
    plan = MatchPlan((style, rival), 2, 60, 7, None, built_in("heads-up"))
    *_, result = match(plan, clock=lambda: 0.0)
    rate = result.styles[0].win_rate
    return rate.bb_per_100, rate.stderr


@pytest.mark.every(3)
@pytest.mark.parametrize("name", RULES)
def test_a_folder_plays_as_those_that_ship_if_it_is_of_them(name: str, folder: Path) -> None:
    assert won(f"{name}:{folder}", "o2") == won(name, "o2")
    assert won(name.upper() + f":{folder}", "o2") == won(name, "o2")


def test_one_policy_of_a_folder_plays_as_that_which_ships(folder: Path) -> None:
    assert won(str(folder / "exploiter-o5.policy"), "o5") == won("a-tar:o5", "o5")
    assert won(str(folder / "base.policy"), "o5") == won("a-base", "o5")


def test_names_of_files_are_those_that_evolution_writes(folder: Path) -> None:
    jobs = [Job(target, EvolutionSettings(), 0, folder) for target in (*EXPLOITERS, BASE)]
    assert files_of(f"a*:{folder}") == (*(job.policy for job in jobs), library_path(jobs[0]))


def test_what_a_folder_has_all_files_of_can_be_seated(folder: Path) -> None:
    alone = [str(folder / "base.policy"), *(str(folder / f"exploiter-{style}.policy") for style in POOL)]
    assert list(styles_in(folder)) == [*(f"{name}:{folder}" for name in RULES), *alone]
    (folder / "styles.library").unlink()
    assert list(styles_in(folder)) == alone
    assert styles_in(folder / "nowhere") == ()


def test_they_play_heads_up_alone_and_are_called_by_their_folder(folder: Path) -> None:
    style = f"A*:{folder}"
    assert registered_name(style) == f"a*:{folder}"
    assert most_seats(style) == most_seats(str(folder / "base.policy")) == 2
    assert seats_problem([style], 3) == "'A* (mine)' plays at 2 seats, and this table has 3."
    assert style_label(str(folder / "exploiter-o5.policy")) == "A-tar O5 (mine)"
    assert make_agent(style).style == f"a*:{folder}"


def test_matches_know_what_is_in_the_files(folder: Path) -> None:
    style = f"a*:{folder}"
    before = sources_of_play([style])
    assert sources_of_play([style]) == before
    path = folder / "exploiter-o3.policy"
    policy = read_policy(path)
    path.write_bytes(policy_bytes(StoredPolicy(policy.settings, 2 * policy.weights, policy.origin)))
    assert sources_of_play([style]) != before


def spoil(folder: Path, name: str, data: bytes | None) -> None:
    (folder / name).unlink()
    if data is not None:
        (folder / name).write_bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("exploiter-o4.policy", None, "exploiter-o4.policy cannot be read: No such file or directory."),
        (
            "exploiter-o4.policy",
            (SHIPPED / "base.policy").read_bytes()[:9000],
            "exploiter-o4.policy is no policy: ",
        ),
        ("base.policy", b"", "base.policy is no policy: "),
        ("styles.library", b"foreign", "styles.library is no library of styles: "),
        (
            "styles.library",
            (SHIPPED / "styles.library").read_bytes()[:-9],
            "styles.library is no library of styles: ",
        ),
    ],
)
def test_a_folder_that_is_no_set_is_one_sentence(
    folder: Path, name: str, data: bytes | None, sentence: str, refused: Callable[..., str]
) -> None:
    spoil(folder, name, data)
    with pytest.raises(StyleFileError):
        named_style(f"a*:{folder}")
    err = refused("match", f"a*:{folder}", "o3", "--format", "heads-up", "--hands", "20")
    assert err.startswith(str(folder / sentence) if data is None else f"{folder / sentence.split()[0]} ")
    assert sentence in err


def test_networks_of_two_kinds_do_not_play_together(folder: Path) -> None:
    path = folder / "exploiter-o3.policy"
    policy = read_policy(path)
    other = StoredPolicy(type(policy.settings)(logit_scale=2.0), policy.weights, policy.origin)
    path.write_bytes(policy_bytes(other))
    with pytest.raises(StyleFileError, match=rf"^The policies of {folder} cannot play together: Policies that "):
        make_agent(f"a*:{folder}")
