"""What the window can do and say of its session, without a widget."""

from dataclasses import dataclass
from typing import cast

import pytest
from msgspec.structs import replace

from engine.game.events import GameKind, PostKind
from engine.game.formats import GameConfig
from engine.game.rules import TableRules
from engine.session_state import NextLevel
from tests.trainer.scripted_hands import Scribe
from tests.trainer.session_driver import table
from trainer.session.session import Session
from trainer.session.types import Stage
from trainer.window.window_model import WindowModel


@dataclass
class Sitting:
    stage: Stage
    config: GameConfig | None
    can_rebuy: bool = False


def model(stage: Stage, config: GameConfig | None) -> WindowModel:
    made = WindowModel()
    made.begin(cast("Session", Sitting(stage, config)))
    return made


CASH = table("fold")


def test_without_a_session_nothing_runs() -> None:
    made = WindowModel()
    assert (made.is_running, made.can_buy, made.config, made.caption()) == (False, False, None, "")


@pytest.mark.parametrize(
    ("stage", "config", "can_buy", "is_running"),
    [
        (Stage.HAND_OVER, CASH, True, True),
        (Stage.YOUR_TURN, CASH, False, True),
        (Stage.SESSION_OVER, CASH, False, False),
        (Stage.HAND_OVER, replace(CASH, kind=GameKind.TOURNAMENT), False, True),
        (Stage.HAND_OVER, replace(CASH, does_reset_stacks=True), False, True),
        (Stage.WARMING_UP, None, False, False),
    ],
)
def test_chips_are_bought_between_hands_of_a_cash_game(
    stage: Stage, config: GameConfig | None, can_buy: bool, is_running: bool
) -> None:
    made = model(stage, config)
    assert (made.can_buy, made.is_running) == (can_buy, is_running)


def test_the_caption_names_game_blinds_and_hand() -> None:
    made = model(Stage.YOUR_TURN, CASH)
    made.view = Scribe(2, button=0).blinds().your_turn()
    assert made.caption().startswith("Cash game 10/20   ·   hand ")
    made.in_big_blinds = True
    assert made.caption().startswith("Cash game 0.5/1 bb   ·   hand ")


@pytest.mark.parametrize(
    ("hands", "says"),
    [(0, "25/50, ante 5 the next hand"), (1, "25/50, ante 5 after this hand"), (4, "25/50, ante 5 in 4 hands")],
)
def test_the_caption_says_when_blinds_rise(hands: int, says: str) -> None:
    made = model(Stage.YOUR_TURN, CASH)
    view = Scribe(2, button=0).blinds().your_turn()
    made.view = replace(view, next_level=NextLevel(hands, TableRules(25, 50, 5)))
    assert f" 10/20   ·   {says}   ·   hand " in made.caption()


def test_after_a_hand_the_caption_counts_from_the_next_one() -> None:
    made = model(Stage.HAND_OVER, CASH)
    view = Scribe(2, button=0).blinds().view(Stage.HAND_OVER)
    for hands, says in ((0, "25/50 the next hand"), (1, "25/50 after the next hand"), (2, "25/50 in 2 hands")):
        made.view = replace(view, next_level=NextLevel(hands, TableRules(25, 50)))
        assert f"   ·   {says}   ·   hand " in made.caption()


def test_the_caption_says_that_a_lap_is_about_as_long_and_names_an_ante_for_all() -> None:
    made = model(Stage.YOUR_TURN, CASH)
    view = Scribe(2, button=0).blinds().your_turn()
    rules = TableRules(25, 50, big_blind_ante=50)
    says = {1: "25/50, big blind ante 50 in about 1 hand   ·", 3: "25/50, big blind ante 50 in about 3 hands   ·"}
    for hands, words in says.items():
        made.view = replace(view, next_level=NextLevel(hands, rules, is_about=True))
        assert words in made.caption()


def test_the_caption_names_a_straddle_and_an_ante_for_all() -> None:
    made = model(Stage.YOUR_TURN, CASH)
    hand = Scribe(4, button=0).post(2, PostKind.BIG_BLIND_ANTE, 20).blinds().post(3, PostKind.STRADDLE, 40)
    made.view = hand.your_turn()
    assert made.caption().startswith("Cash game 10/20, big blind ante 20, straddle 40   ·   hand ")


def test_the_caption_names_the_whole_ante_where_the_big_blind_is_short() -> None:
    made = model(Stage.YOUR_TURN, CASH)
    hand = Scribe(3, button=0, stacks=(2000, 2000, 27))
    hand.events[0] = replace(hand.start, big_blind_ante=20)
    for posts in (hand.blinds(), hand.post(2, PostKind.BIG_BLIND_ANTE, 7)):
        made.view = posts.your_turn()
        assert made.caption().startswith("Cash game 10/20, big blind ante 20   ·   hand ")
