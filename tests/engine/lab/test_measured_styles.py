"""What styles are counted to do, and the command that lists and measures them."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from engine.agents.agent import Agent
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.agents.styles import POLICIES, STYLES, UnknownStyleError, make_agent
from engine.cli import main
from engine.figures.mean import Mean
from engine.lab import measured_styles
from engine.lab.measured_styles import FigurePlan, MeasureError, StyleFigures, measured


def figures_of(style: str, plan: FigurePlan) -> StyleFigures:
    *_, last = measured(partial(make_agent, style), plan)
    return last


def value(mean: Mean | None) -> float:
    assert mean is not None
    return mean.value


def test_a_free_check_is_no_chance_to_play() -> None:
    # Heads-up the style has the small blind in every other hand; in the others nobody raises and it checks.
    figures = figures_of("always-call", FigurePlan(hands=40, field=("always-call",)))
    assert value(figures.played) == 1.0
    assert value(figures.vpip) == 0.5
    assert value(figures.pfr) == 0.0
    assert value(figures.went_to_showdown) == 1.0
    assert figures.aggression is None  # it had nothing to call after the flop


def test_a_walk_is_no_chance_at_all() -> None:
    figures = figures_of("always-raise", FigurePlan(hands=40, field=("always-fold",)))
    assert value(figures.vpip) == value(figures.played) == 1.0
    assert figures.three_bet is None
    assert figures.went_to_showdown is None
    assert figures.aggression is None


def test_the_style_meets_all_of_the_field_equally_often() -> None:
    # Heads-up in the big blind it is asked by the caller and not by who folds; in the small blind by both.
    figures = figures_of("always-call", FigurePlan(hands=200, field=("always-call", "always-fold")))
    assert value(figures.vpip) == pytest.approx(2 / 3, abs=0.02)
    # Three-handed both sit there: its big blind is never a walk.
    figures = figures_of("always-call", FigurePlan(seats=3, hands=120, field=("always-call", "always-fold")))
    assert value(figures.vpip) == pytest.approx(2 / 3, abs=0.02)


def test_standard_errors_are_over_tens_of_hands() -> None:
    one = figures_of("random", FigurePlan(hands=10, field=("always-fold",)))
    assert one.vpip == Mean(value(one.vpip), None, 1)
    shares = [
        value(figures_of("random", FigurePlan(hands=100, field=("always-fold",), seed=seed)).vpip)
        for seed in range(12)
    ]
    middle = sum(shares) / len(shares)
    spread = (sum((share - middle) ** 2 for share in shares) / (len(shares) - 1)) ** 0.5
    error = figures_of("random", FigurePlan(hands=100, field=("always-fold",))).vpip
    assert error is not None
    assert error.stderr is not None
    assert 0.5 * spread < error.stderr < 2 * spread


def test_figures_come_round_by_round_and_are_the_same_again() -> None:
    plan = FigurePlan(seats=3, hands=55, field=("random", "always-call"), seed=4)
    rounds = list(measured(partial(make_agent, "shover"), plan))
    assert [one.hands for one in rounds] == [20, 40, 60]
    assert rounds == list(measured(partial(make_agent, "shover"), plan))
    assert rounds[-1] != figures_of(
        "shover", FigurePlan(seats=3, hands=55, field=("random", "always-call"), seed=5)
    )


def test_a_temper_without_a_name_is_measured_like_one_with_it() -> None:
    plan = FigurePlan(hands=50, field=("nit",))
    *_, own = measured(lambda: RuleAgent("mine", TEMPERS["shover"][0]), plan)
    assert own == figures_of("shover", plan)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (FigurePlan(seats=1), "A table has 2 to 10 seats, not 1."),
        (FigurePlan(seats=11), "A table has 2 to 10 seats, not 11."),
        (FigurePlan(hands=0), "1 to 10,000,000 hands can be measured, not 0."),
        (FigurePlan(field=()), "A style is measured against one other style or more."),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(plan: FigurePlan, sentence: str) -> None:
    with pytest.raises(MeasureError, match=sentence):
        measured(partial(make_agent, "nit"), plan)


def test_a_field_of_strangers_is_refused_at_once() -> None:
    with pytest.raises(UnknownStyleError, match="There is no style 'guru'"):
        measured(partial(make_agent, "nit"), FigurePlan(field=("guru",)))


# The command


def test_styles_are_listed_under_their_groups(printed: Callable[..., str]) -> None:
    lines = printed("styles").splitlines()
    groups = list(dict.fromkeys(style.group for style in STYLES.values()))
    groups += ["Evolved against the pool, heads-up alone", "Solved by regret minimisation, heads-up alone"]
    assert [line for line in lines if line and not line.startswith(" ")] == groups
    for name, style in (STYLES | POLICIES).items():
        (line,) = (line for line in lines if line.startswith(f"  {name}  "))
        assert line.endswith(f"  {style.title}: {style.description}")


def test_the_command_takes_files_of_ones_own(
    tmp_path: Path, printed: Callable[..., str], refused: Callable[..., str]
) -> None:
    path = tmp_path / "leo.toml"
    path.write_text(style_text(nearest_style("Uncle Leo", TEMPERS["maniac"][0])))
    out = printed("styles", "nit", str(path))
    assert "\n\nYour own\n  Uncle Leo  Uncle Leo: Loose-aggressive: plays 85 to 90% of hands" in out
    words = ["--measure", "--hands", "20", "--seats", "2", "--field", f"always-call,{path}"]
    lines = printed("styles", str(path), *words).splitlines()
    assert lines[1].split()[:4] == ["Uncle", "Leo", "2", "20"]
    assert lines[-1].endswith("Against: always-call, Uncle Leo.")
    path.write_text("early = 1")
    assert refused("styles", str(path)).startswith(
        "The style leo.toml cannot be played: The setting 'name' is missing"
    )


def test_styles_as_json(printed: Callable[..., str]) -> None:
    maniac, uniform = json.loads(printed("styles", "maniac", "fold:uniform", "--json"))["styles"]
    assert (maniac["name"], maniac["title"], maniac["intended"]["raised"]) == ("maniac", "Maniac", [0.7, 0.9])
    assert (uniform["title"], uniform["intended"]) == ("FOLD (uniform)", None)


def test_figures_stand_beside_what_is_meant(printed: Callable[..., str]) -> None:
    words = ["--measure", "--hands", "20", "--field", "always-call, always-fold"]
    head, *rows, _, note = printed("styles", "always-raise", "maniac", *words).splitlines()
    assert head.split()[:4] == ["Style", "Seats", "Hands", "Played"]
    assert [row.split()[:3] for row in rows] == [
        ["always-raise", "2", "20"],
        ["always-raise", "6", "20"],
        ["maniac", "2", "20"],
        ["maniac", "6", "20"],
    ]
    assert rows[0].split()[3] == "100.0"
    assert rows[3].endswith("75-95% played, 70-90% raised, extremely aggressive")
    assert "raised" not in rows[2]  # it is meant six-handed
    assert note.endswith("Against: always-call, always-fold.")


def test_who_plays_heads_up_alone_is_measured_there(printed: Callable[..., str]) -> None:
    _, *rows, _, _ = printed(
        "styles", "near-equilibrium", "--measure", "--hands", "10", "--field", "random"
    ).splitlines()
    assert [row.split()[:3] for row in rows] == [["near-equilibrium", "2", "10"]]


def test_figures_as_json(printed: Callable[..., str]) -> None:
    words = ["--measure", "--hands", "20", "--seats", "3", "--field", "random", "--seed", "3", "--json"]
    (found,) = json.loads(printed("styles", "always-call", *words))["styles"]
    assert found["plan"] == {"seats": 3, "hands": 20, "field": ["random"], "seed": 3}
    assert found["figures"]["hands"] == 20
    assert found["figures"]["pfr"] == {"value": 0.0, "stderr": 0.0, "observations": 2}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["guru"], "There is no style 'guru'; there are soulread"),
        (["nit", "--measure", "--hands", "0"], "1 to 10,000,000 hands can be measured, not 0."),
        (["nit", "--measure", "--seats", "12"], "A table has 2 to 10 seats, not 12."),
        (["nit", "--measure", "--field", "guru"], "There is no style 'guru'"),
        (["nit", "--measure", "--field", ","], "A style is measured against one other style or more."),
        (["nit", "a-base", "--measure", "--seats", "6"], "'A-base' plays at 2 seats, and this table has 6."),
        (["nit", "--measure", "--field", "a*"], "'A*' plays at 2 seats, and this table has 6."),
        (["nit", "--hands", "50"], "--hands is for --measure."),
        (["nit", "--field", "fold"], "--field is for --measure."),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str, refused: Callable[..., str]) -> None:
    assert refused("styles", *arguments).startswith(sentence)


def test_stopped_from_the_keyboard_it_tells_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def until_the_nit(make: Callable[[], Agent], plan: FigurePlan) -> Iterator[StyleFigures]:
        if make().style == "nit":
            raise KeyboardInterrupt
        return measured(make, plan)

    monkeypatch.setattr(measured_styles, "measured", until_the_nit)
    words = ["--measure", "--hands", "10", "--seats", "2", "--field", "random"]
    assert main(["styles", "always-call", "nit", *words]) == 130
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[:2]] == ["Style", "always-call"]
    assert err == "Stopped.\n"
