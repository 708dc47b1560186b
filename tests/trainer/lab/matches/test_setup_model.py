"""What can be chosen for a match, and what is refused in which words."""

import os
import re

import pytest
from msgspec import structs

from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.game.events import GameKind
from engine.game.format_file import built_in
from trainer.lab.matches.setup_model import MatchesSetup, read_setup
from trainer.lab.setup_model import setup_text, spare_cores


def test_a_setup_is_a_plan_of_each_match() -> None:
    plan = MatchesSetup(("random", "nit", "fold"), hands=90, stack=40, seed=8).plan
    assert (plan.styles, plan.seats, plan.hands, plan.stack, plan.seed) == (("random", "nit", "fold"), 3, 90, 40, 8)
    tournament = MatchesSetup(("random", "nit"), built_in("paper"), seats=6).plan
    assert (tournament.game.kind, tournament.hands, tournament.stack) == (GameKind.TOURNAMENT, None, None)
    assert tournament.seats == 6


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        (MatchesSetup(()), "A match takes two styles or more, and none is chosen."),
        (MatchesSetup(("nit",)), "A match takes two styles or more, and only 1 is chosen."),
        (MatchesSetup(hands=3), r"This match takes 4 to 100,000,000 hands .* not 3\."),
        (MatchesSetup(("nit", "random", "fold"), seats=2), "3 styles need as many seats, and there are 2."),
        (MatchesSetup(matches=0), "1 to 100,000 matches can be played, not 0."),
        (MatchesSetup(workers=62), "There can be 1 to 61 processes, not 62."),
        (MatchesSetup(game=built_in("contest")), "3"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(setup: MatchesSetup, sentence: str) -> None:
    assert re.search(sentence, setup.refusal)


def test_one_core_is_left_to_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, spare in ((1, 1), (2, 1), (8, 7), (200, 61)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert spare_cores() == spare
    assert MatchesSetup(matches=3).processes == 3, "no more processes than matches"
    assert MatchesSetup(matches=90, workers=5).processes == 5


def test_a_setup_is_remembered_without_styles_that_are_gone() -> None:
    own = style_text(nearest_style("Fish", TEMPERS["nit"][0]))
    setup = MatchesSetup(("nit", own), built_in("tournament"), seats=4, matches=7, seed=3)
    assert read_setup(setup_text(setup)) == setup
    gone = structs.replace(setup, styles=("nit", "a style of tomorrow", own))
    assert read_setup(setup_text(gone)) == setup
    assert read_setup("") == read_setup("{}") == read_setup('{"seats": "many"}') == MatchesSetup()
