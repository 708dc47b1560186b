"""Styles of one's own: what is written is read again, what is none is refused, and numbers mean what they say."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.agent import Trace
from engine.agents.explain import explain
from engine.agents.rule_based.pool import POOL, temper_at
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.temper import Sizing, Temper
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import (
    NUMBERS,
    Answers,
    OwnStyle,
    StyleFileError,
    description,
    nearest_style,
    parse_style,
    read_style,
    style_text,
    temper_of,
)
from engine.agents.styles import make_agent, named_style, style_label, style_of
from engine.codec import decode, encode
from engine.game.events import ActionKind
from engine.settings_text import LARGEST_FILE
from tests.engine.agents.hands import deal, play, random_table, turn_of
from tests.engine.agents.stored import replay

MINE = nearest_style("Uncle Leo", TEMPERS["loose-aggressive"][0])
TEXT = style_text(MINE)


def numbers() -> st.SearchStrategy[OwnStyle]:
    drawn = {
        name: st.integers(int(10 * one.least), int(10 * one.most)).map(lambda tenths: tenths / 10)
        for name, one in NUMBERS.items()
    }
    names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(
        lambda text: text.isprintable() and text.strip() == text
    )
    return st.builds(
        OwnStyle,
        name=names,
        **drawn,
        sizing=st.sampled_from(Sizing),
        answers=st.sampled_from(Answers),
        is_same_at_all_tables=st.booleans(),
    )


@given(numbers())
def test_what_is_written_is_read_again(style: OwnStyle) -> None:
    text = style_text(style)
    assert parse_style(text) == style
    agent = make_agent(text)
    assert (agent.style, style_label(text)) == (text, style.name)
    temper = temper_of(style)
    assert 0 <= temper.bet < temper.raise_ <= 1
    assert nearest_style(style.name, temper) == style


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TEXT.replace("early", "erly"), "'erly' is no setting of a style; did you mean 'early'?"),
        (TEXT.replace("early = 26\n", ""), "The setting 'early' is missing; it is a number from 0 to 100 with"),
        (
            TEXT.replace("early = 26", "early = 100.1"),
            "The setting 'early' is a number from 0 to 100 with at most one decimal (percent of hands), not 100.1.",
        ),
        (TEXT.replace("early = 26", "early = -1"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", "early = 26.25"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", "early = nan"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", "early = inf"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", "early = true"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", 'early = "26"'), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("early = 26", f"early = {'9' * 400}"), "The setting 'early' is a number from 0 to 100 with"),
        (TEXT.replace("open_size = 3", "open_size = 1"), "The setting 'open_size' is a number from 2 to 20 with"),
        (
            TEXT.replace('"usual"', '"huge"'),
            'The setting \'sizing\' is "usual" or "least" or "all-in", not "huge".',
        ),
        (
            TEXT.replace('"by price"', "[1]"),
            'The setting \'answers\' is "by price" or "with something" or "with strong hands", not [1].',
        ),
        (TEXT.replace("= false", "= 0"), "The setting 'is_same_at_all_tables' is true or false, not 0."),
        (TEXT.replace('"Uncle Leo"', '"a\\nb"'), "The setting 'name' is a text of 1 to 60 characters, not "),
        (TEXT.replace('name = "Uncle Leo"\n', ""), "The setting 'name' is missing; it is a text of 1 to 60"),
        (TEXT + TEXT, "Its TOML is damaged: Cannot overwrite a value"),
        ("import os\nos = 1\n", "Its TOML is damaged"),
    ],
)
def test_what_is_no_style_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(StyleFileError) as refused:
        parse_style(text)
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
    with pytest.raises(StyleFileError):
        make_agent(text)
    assert style_of(text) is None
    assert style_label(text) == "style of another version"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "The style {path} cannot be read: No such file or directory."),
        (b"\xff\xfe", "The style mine.toml is not written in UTF-8."),
        (b"#" * (LARGEST_FILE + 1), "The style mine.toml has more than the 20,000 bytes that a style may have."),
        (b"early = 1", "The style mine.toml cannot be played: The setting 'name' is missing; "),
    ],
)
def test_a_file_that_is_no_style_is_named(tmp_path: Path, data: bytes | None, why: str) -> None:
    path = tmp_path / "mine.toml"
    if data is not None:
        path.write_bytes(data)
    for refuse in (read_style, lambda path: named_style(str(path))):
        with pytest.raises(StyleFileError) as refused:
            refuse(path)
        assert str(refused.value).startswith(
            why.format(path=path if len(str(path)) <= 60 else f"{str(path)[:59]}…")
        )


def test_a_command_names_a_file_or_a_style(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text(f"# of my own\n{TEXT}")
    assert named_style(str(path)) == TEXT
    assert [named_style(name) for name in ("nit", "fold-paper", "fold:uniform", "guru")] == [
        "nit",
        "fold-2017",
        "fold:uniform",
        "guru",
    ]


def test_options_of_fold_are_no_text_of_a_style() -> None:
    assert style_label("fold-2017:draws=off") == "FOLD 2017 (draws=off)"
    assert make_agent("fold-2017:draws=off").style == "fold-2017:draws=off"
    assert named_style("fold-2017:draws=off") == "fold-2017:draws=off"


def test_a_player_of_the_pool_has_a_style_near_it() -> None:
    temper = temper_at(POOL["o5"])
    style = nearest_style("Five", temper)
    assert style.is_same_at_all_tables
    assert (style.early, style.blinds, style.calls_raises) == (50.0, 50.0, 50.0)
    assert temper_of(style).raised == pytest.approx(temper.raised)


def callable_from(temper: Temper, odds: float) -> float:
    return temper.call_floor + odds * temper.call_slope


@pytest.mark.parametrize(
    "name",
    [
        "tight-passive",
        "nit",
        "fit-or-fold",
        "calling station",
        "sticky",
        "loose-aggressive",
        "min-raiser",
        "maniac",
    ],
)
def test_a_temper_of_the_app_has_a_style_near_it(name: str) -> None:
    temper = TEMPERS[name][0]
    near = temper_of(nearest_style("near", temper))
    exact = ("early", "middle", "late", "blinds", "raised", "bluff", "semi_bluff")
    exact += ("call_raise", "three_bet", "call_three_bet", "stack_off")
    assert [getattr(near, field) for field in exact] == pytest.approx([getattr(temper, field) for field in exact])
    assert (near.sizing, near.goes_on_with) == (temper.sizing, temper.goes_on_with)
    assert (near.bet, near.raise_) == pytest.approx((temper.bet, temper.raise_), abs=0.05)
    assert near.four_bet == pytest.approx(temper.four_bet, abs=0.02)
    if temper.goes_on_with is None:
        assert callable_from(near, 0.25) == pytest.approx(callable_from(temper, 0.25), abs=0.01)
    if temper.sizing is Sizing.USUAL:
        assert (near.open_bb, near.bet_size) == pytest.approx((temper.open_bb, temper.bet_size))


@dataclass
class Played:
    """How often actions of each kind were chosen, before and after the flop."""

    before: dict[ActionKind, int]
    after: dict[ActionKind, int]
    traces: list[Trace]


def played(style: OwnStyle, hands: int = 60) -> Played:
    """Let a style play random hands against itself."""
    random, agent = np.random.default_rng(4), make_agent(style_text(style))
    found = Played(dict.fromkeys(ActionKind, 0), dict.fromkeys(ActionKind, 0), [])
    for _ in range(hands):
        table = random_table(random)
        while not table.is_over:
            decision = agent.decide(turn_of(table), int(random.integers(2**62)))
            found.traces.append(decision.trace)
            counted = found.after if turn_of(table).board else found.before
            counted[decision.action.kind] += 1
            table.apply(decision.action)  # raises if it is not legal
    return found


def test_the_numbers_mean_what_they_say() -> None:
    quiet = structs.replace(MINE, early=10.0, middle=10.0, late=10.0, blinds=10.0, aggression=5.0, bluffs=0.0)
    usual, tight = played(MINE), played(structs.replace(quiet, bets_draws=0.0, three_bets=1.0))
    assert tight.before[ActionKind.RAISE] < usual.before[ActionKind.RAISE]
    assert tight.before[ActionKind.FOLD] > usual.before[ActionKind.FOLD]
    assert tight.after[ActionKind.RAISE] < usual.after[ActionKind.RAISE]
    limper = played(structs.replace(MINE, raises=0.0, three_bets=0.0, aggression=0.0, bluffs=0.0, bets_draws=0.0))
    assert limper.before[ActionKind.RAISE] < usual.before[ActionKind.RAISE] / 3
    caller = played(structs.replace(MINE, calls_down=100.0))
    folder = played(structs.replace(MINE, calls_down=0.0))
    assert caller.after[ActionKind.FOLD] < folder.after[ActionKind.FOLD]


def test_its_decisions_are_explained_and_follow_from_their_traces() -> None:
    for trace in played(structs.replace(MINE, answers=Answers.SOMETHING), 8).traces:
        stored = decode(encode(trace), Trace)
        assert replay(stored) == trace.action
        assert explain(stored)


def test_a_style_says_how_it_plays() -> None:
    said = description(MINE)
    assert said == (
        "Loose-aggressive: plays 26 to 48% of hands, raises 85% of them, 3-bets 8.5%, bluffs 22% of the time, "
        "calls at a fair price."
    )
    own = style_of(TEXT)
    assert own is not None
    assert (own.title, own.description) == ("Uncle Leo", said)
    one = dict.fromkeys(("early", "middle", "late", "blinds"), 12.5)
    rock = structs.replace(MINE, **one, raises=10.0, bluffs=0.0, sizing=Sizing.LEAST, answers=Answers.STRONG)
    assert description(rock) == (
        "Tight-passive: plays 12.5% of hands, raises 10% of them, 3-bets 8.5%, never bluffs, bets as little as it "
        "may, folds to any bet without a strong hand or draw."
    )


def test_it_plays_by_its_temper_alone() -> None:
    agent = make_agent(TEXT)
    assert isinstance(agent, RuleAgent)
    assert (agent.temper, agent.with_lead) == (temper_of(MINE), None)
    observation = turn_of(play(deal([10_000] * 3, board="AcTd4hQc5c"), "300 c c | x x"))
    assert agent.decide(observation, 1).trace.style == TEXT


def test_the_page_about_styles_describes_every_setting() -> None:
    page = (Path(__file__).parents[3] / "docs" / "styles.md").read_text(encoding="utf-8")
    assert parse_style(page.split("```toml\n")[1].split("```")[0]) == MINE
    table = "".join(line for line in page.splitlines() if line.startswith("|"))
    assert [field for field in structs.asdict(MINE) if f"`{field}`" not in table] == []
