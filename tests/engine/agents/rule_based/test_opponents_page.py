"""What docs/opponents.md states is what the players go by."""

import pytest

from engine.agents.rule_based.contest import CONTEST
from engine.agents.rule_based.people import PEOPLE
from engine.agents.rule_based.plays import PLAYS
from engine.agents.rule_based.pool import POOL, temper_at
from engine.agents.rule_based.temper import Temper
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.styles import STYLES, StyleGroup
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")
]

BEFORE = ("early", "middle", "late", "blinds", "raised", "call_raise", "three_bet", "call_three_bet", "four_bet")
COLUMNS = (*BEFORE, "stack_off", "open_bb")
AFTER = ("bet", "raise_", "call_floor", "call_slope", "bluff", "semi_bluff", "bet_size")


@pytest.mark.parametrize("name", [name for name, style in STYLES.items() if style.group != StyleGroup.READERS])
def test_every_style_that_reads_nobody_is_described(name: str) -> None:
    style = STYLES[name]
    assert f"- **{style.title}** (`{name}`): {style.description}\n" in PAGE


@pytest.mark.parametrize(
    ("name", "temper"),
    [*((name, tempers[0]) for name, tempers in TEMPERS.items()), *((o, temper_at(at)) for o, at in POOL.items())],
)
def test_the_numbers_of_tempers_are_those_of_the_tables(name: str, temper: Temper) -> None:
    before, after = ([number(cell) for cell in row[1:]] for row in ROWS if row[0] == name and len(row) in (8, 12))
    assert before == pytest.approx([getattr(temper, column) for column in COLUMNS], rel=6e-3, abs=1e-5)
    assert after == pytest.approx([getattr(temper, column) for column in AFTER], rel=6e-3, abs=1e-5)


def number(cell: str) -> float:
    return float(cell.removesuffix("%")) / (100 if cell.endswith("%") else 1)


@pytest.mark.parametrize("name", PLAYS)
def test_every_play_is_stated(name: str) -> None:
    assert [PLAYS[name].title, PLAYS[name].conditions] in ROWS


@pytest.mark.parametrize("name", PEOPLE)
def test_every_mood_is_stated_with_its_plays(name: str) -> None:
    for mood, played in PEOPLE[name].moods.items():
        plays = ", ".join(f"{PLAYS[play].title} {often:.0%}" for play, often in played.plays)
        assert [f"`{name}`", mood, plays] in ROWS


def test_the_contests_programs_are_styles_and_stated() -> None:
    for name, program in CONTEST.items():
        assert program.style in STYLES
        assert [name, f"`{program.style}`", program.kind, f"{program.bb_per_100:+.1f}"] in [
            [row[0], *row[2:]] for row in ROWS if len(row) == 5
        ]
    assert len({program.style for program in CONTEST.values()}) == 7
