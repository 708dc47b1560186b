"""What can be evolved, and how it is remembered and refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.evolved.policy import NetworkSettings
from engine.lab.evolution.algorithm import Breeding
from engine.lab.evolution.checkpoint import Course, Header
from engine.lab.evolution.settings import SHORT, EvolutionSettings, Normalisers, parse_settings, settings_text
from engine.lab.evolution.targets import BASE, EXPLOITERS, SCHEDULES, Target
from trainer.lab.evolution.setup_model import (
    ALL,
    CHOICES,
    EvolutionSetup,
    plan_words,
    read_evolution,
    words_of,
)
from trainer.lab.setup_model import setup_text

USUAL = EvolutionSettings()


def course(target: Target, seed: int = 3, settings: EvolutionSettings = USUAL) -> Course:
    return Course(Header(target, seed, "", settings), np.zeros((0, 4)), np.zeros(0))


def test_everything_that_the_command_evolves_can_be_chosen() -> None:
    single = {targets[0] for targets in CHOICES.values() if len(targets) == 1}
    assert single == {*EXPLOITERS, *(Target(schedule=number) for number in SCHEDULES)}
    assert CHOICES[ALL] == (*EXPLOITERS, BASE)
    assert len({words_of(what) for what in CHOICES}) == len(CHOICES)


def test_a_setup_is_remembered_and_what_is_none_is_the_usual_one() -> None:
    setup = EvolutionSetup("base-schedule-2", "pairs = 7", 9, "/somewhere", 3)
    assert read_evolution(setup_text(setup)) == setup
    for bad in ("", "{}", '{"what":"guru"}', '{"seed":"x"}', "["):
        assert read_evolution(bad) == EvolutionSetup()


@given(
    st.builds(
        EvolutionSettings,
        network=st.builds(
            NetworkSettings,
            steps=st.integers(1, 20),
            layers=st.integers(1, 2),
            head=st.lists(st.integers(1, 50), max_size=4).map(tuple),
            logit_scale=st.floats(0.01, 100),
        ),
        breeding=st.builds(Breeding, population=st.integers(4, 10_000), survival=st.floats(0.01, 0.99)),
        generations=st.integers(1, 10_000),
        exploiter_generations=st.integers(0, 10_000),
        normalisers=st.sampled_from(Normalisers),
    )
)
def test_settings_come_back_from_their_text(settings: EvolutionSettings) -> None:
    assert parse_settings(settings_text(settings), SHORT) == settings


def test_short_is_one_click_and_back() -> None:
    setup = EvolutionSetup()
    assert not setup.is_short
    short = setup.shortened(True)
    assert short.is_short
    assert short.settings == SHORT
    assert short.shortened(False) == setup
    assert setup.with_text(setup.shown_text) == setup, "the usual ones are not kept as text"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("popullation = 3", "'popullation' is no setting of a run; did you mean 'population'?"),
        ("pairs = 1", "The setting 'pairs' is a whole number from 2 to 100,000, not 1."),
        ("pairs = ", "Its TOML is damaged: Invalid value (at end of document)."),
        ("layers = 8\ngame_width = 1000", "A network has at most 10,000,000 weights, not 60,106,058."),
    ],
)
def test_settings_that_cannot_be_are_one_sentence(text: str, words: str) -> None:
    setup = EvolutionSetup(text=text)
    assert setup.refusal == words
    assert plan_words(setup) == ""
    assert not setup.is_short


def test_the_plan_is_what_the_page_of_evolution_tells() -> None:
    """docs/evolution.md: 192 million hands in the generations of all; the rest are final tests."""
    of_tests = (25 + 1) * (8 + 8) * 2 * 5000
    assert (
        plan_words(EvolutionSetup(ALL))
        == f"9 policies, in all 620 generations of 100: {192_000_000 + of_tests:,} hands."
    )
    page = (Path(__file__).parents[4] / "docs" / "evolution.md").read_text(encoding="utf-8")
    assert "`soulread evolve all` plays 192 million in its generations" in page.replace("\n", " ")
    alone = EvolutionSetup(text="exploiter_generations = 0")
    assert plan_words(alone) == "1 policy, 300 generations of 100: 30,260,000 hands."
    base = 160_000_000 + (25 + 1) * 8 * 2 * 5000
    both = base + 4_260_000
    assert plan_words(EvolutionSetup()) == (
        f"2 policies, for it begins with the last ones of the base, in all 340 generations of 100: {both:,} hands."
    )


def test_the_run_of_a_folder_is_chosen_to_go_on() -> None:
    setup = EvolutionSetup(EXPLOITERS[4].name, folder="/there", workers=2)
    one = setup.of((course(BASE, 7, SHORT),))
    assert one == EvolutionSetup("base", settings_text(SHORT), 7, "/there", 2)
    both = setup.of((course(BASE, 7), course(EXPLOITERS[2], 7)))
    assert both == EvolutionSetup(EXPLOITERS[2].name, "", 7, "/there", 2), "with the base that it begins with"
    two = (course(EXPLOITERS[0]), course(EXPLOITERS[4], 8))
    assert setup.of(two) == structs.replace(setup, seed=8), "as chosen, for it is there"
    assert structs.replace(setup, what="base").of(two) == structs.replace(setup, what=ALL, seed=3)
