"""Strangers are taken for people in recorded hands and for programs at tables, until they are found out."""

import numpy as np
import pytest

from engine.agents.fold.agent import FoldAgent
from engine.agents.learned import beliefs
from engine.agents.learned.adaptation import Adaptation
from engine.agents.learned.beliefs import OF_PROGRAMS, RESOURCE, tilts_of_programs
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import ActionChoice
from engine.agents.learned.tilts import CONTEXTS
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.styles import make_agent
from engine.resources import ResourceError
from tests.engine.agents.learned.test_adaptation import opening, see

RIVER = CONTEXTS.index("facing a bet on the river")


def test_people_are_expected_to_play_as_most_do() -> None:
    assert (LearnedReader().factors("Ada") == 1).all()
    assert LearnedReader(strangers=OF_PROGRAMS).factors("Ada")[RIVER, 0, ActionChoice.CALL] > 2


@pytest.mark.parametrize("style", ["soulread", "fold"])
def test_agents_take_strangers_for_programs(style: str) -> None:
    agent = make_agent(style)
    assert isinstance(agent, SoulreadAgent | FoldAgent)
    assert isinstance(agent.reader, LearnedReader)
    expected = LearnedReader(strangers=OF_PROGRAMS).factors("Ada")
    np.testing.assert_array_equal(agent.reader.factors("Ada"), expected)


def test_who_plays_as_people_do_is_found_out() -> None:
    """They fold and open as often as an average player, which programs do not."""
    adaptation, rng = Adaptation(OF_PROGRAMS), np.random.default_rng(5)
    at_first = adaptation.share_of_unusual("Ada")
    for _ in range(120):
        probabilities = np.full((10, 8), 0.02)
        probabilities[:, 0] = 0.86
        see(adaptation, "Ada", opening("f" if rng.random() < 0.86 else "250"), probabilities)
    assert at_first == pytest.approx(1 / (1 + np.exp(-OF_PROGRAMS.unusual)))
    assert adaptation.share_of_unusual("Ada") < 0.5 < at_first


@pytest.mark.parametrize(
    "text", ["", "[]", '{"looseness before the flop": 1}', '{"looseness before the flop": "x"}']
)
def test_a_broken_file_is_said(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beliefs, "read_text", lambda _: text)
    with pytest.raises(ResourceError, match=f"resources/{RESOURCE} is broken"):
        tilts_of_programs.__wrapped__()
