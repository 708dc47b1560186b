"""The policies and the library that ship with the app."""

from pathlib import Path

import numpy as np
import pytest

from engine import resources
from engine.agents.evolved.agent import EvolvedAgent
from engine.agents.evolved.shipped import shipped_library, shipped_policy
from engine.agents.rule_based.pool import POOL
from engine.agents.styles import (
    POLICIES,
    make_agent,
    most_seats,
    named_style,
    registered_name,
    style_label,
    style_of,
)
from engine.cli import main
from engine.game.format_file import built_in
from engine.kernels.evolved.tree import VISITS, new_tree
from engine.lab.evolution.deals import deals_of, play
from engine.resources import ResourceError

RESOURCES = Path(__file__).parents[4] / "resources"


def test_every_policy_can_be_played_by_name() -> None:
    alone = [*(f"a-tar:{style}" for style in POOL), "a-base"]
    together = ["a*", "a-int", "a-ave"]
    assert list(POLICIES) == [*together, *alone, "near-equilibrium"]
    for name in (*together, *alone):
        style = POLICIES[name]
        agent = make_agent(name.upper())
        assert isinstance(agent, EvolvedAgent)
        assert agent.style == name == registered_name(name.upper()) == named_style(name)
        assert style_of(name) == style
        assert style_label(name) == style.title
        assert most_seats(name) == 2
        if name in alone:
            assert "seed" in shipped_policy(name.rpartition(":")[2].removeprefix("a-")).origin
        else:
            assert agent.networks.styles == tuple(POOL)


def test_a_match_names_them_as_their_paper_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "A-tar:O3", "O3", "--format", "heads-up", "--hands", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:3]] == ["A-tar O3", "O3 tight-passive, 10%"]
    assert main(["match", "a-base", "o3", "nit", "--hands", "30"]) == 2
    assert capsys.readouterr().err == "'A-base' plays at 2 seats, and this table has 3.\n"


def test_policies_that_play_together_have_one_kind_of_network() -> None:
    assert len({shipped_policy(style).settings for style in (*POOL, "base")}) == 1


def test_they_and_the_library_take_less_than_a_megabyte() -> None:
    sizes = [path.stat().st_size for path in (RESOURCES / "evolved").iterdir()]
    assert len(sizes) == 9 + 1
    assert sum(sizes) < 1_000_000


def test_the_library_has_every_style_with_what_many_hands_went_through() -> None:
    library = shipped_library()
    assert list(library.trees) == list(POOL)
    for style in POOL:
        tree = library.tree(style)
        assert tree.counts[:2, VISITS].sum() == library.hands
        assert (tree.counts[2:, VISITS] >= library.least).all()


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["exploiter", "base"])
def test_policies_win_of_the_styles_that_they_were_evolved_against(policy: str) -> None:
    """On the mean of all eight, clear of zero, with deals of a seed of their own."""
    deals = deals_of(built_in("heads-up"), 4_242, 0, 2000)
    means, variances = [], []
    for style in POOL:
        network = shipped_policy(style if policy == "exploiter" else "base").compiled()
        of_pairs = play(deals, style, network, new_tree()).mean(axis=1)
        means.append(of_pairs.mean())
        variances.append(of_pairs.var() / len(of_pairs))
    # On shared deals errors can all point one way.
    assert np.mean(means) > 4 * np.sqrt(np.mean(variances))


def test_a_file_that_is_missing_or_damaged_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "evolved" / "o2.policy").mkdir(parents=True)
    (tmp_path / "evolved" / "o1.policy").write_bytes(b"PK")
    (tmp_path / "evolved" / "styles.library").write_bytes(b"no")
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    for make in (shipped_policy, shipped_library):
        make.cache_clear()
    try:
        with pytest.raises(ResourceError, match=r"^The app's file resources/evolved/o1\.policy is no policy: "):
            shipped_policy("o1")
        with pytest.raises(ResourceError, match=r"^The app's file resources/evolved/o2\.policy cannot be read: "):
            shipped_policy("o2")
        with pytest.raises(
            ResourceError, match=r"^The app's file resources/evolved/o3\.policy is missing; install"
        ):
            shipped_policy("o3")
        with pytest.raises(ResourceError, match=r"^The app's file resources/evolved/styles\.library is no library"):
            shipped_library()
    finally:
        for make in (shipped_policy, shipped_library):
            make.cache_clear()
