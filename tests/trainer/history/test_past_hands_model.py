"""What is said of sessions and hands to choose from, and of the hand that the panels show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from engine.codec import StoredDataError
from engine.game.events import GameKind
from engine.game.observation import Observation
from tests.trainer.scripted_hands import Scribe
from tests.trainer.session_driver import STARTED, table
from trainer.history.past_hands_model import (
    HandsModel,
    HandTitle,
    SessionsModel,
    hand_line,
    hand_title,
    session_line,
)
from trainer.session.looked_at import LookedAt
from trainer.session.past_hands import PastHand, PastSession
from trainer.session.types import Stage
from trainer.storage.stored import Venue

GAME = replace(table("fold", "random"), small_blind=50, big_blind=100, starting_stack=10_000)


def finished(number: int) -> Observation:
    """The player, in the big blind with 20, loses it and 60 more."""
    hand = Scribe(3, button=1, hand_number=number, hole_cards="Qc9h").blinds().raise_to(1, 80).fold(2).call(0)
    return hand.deal("Kh 7d 2c").check(0, 1).award(1, 0, 170).end().observation()


def past(number: int) -> PastHand:
    return PastHand(number, None, lambda: finished(number))


def broken(number: int) -> PastHand:
    def load() -> Observation:
        raise StoredDataError("no JSON")

    return PastHand(number, 1, load)


def running(number: int) -> Observation:
    return Scribe(3, hand_number=number).blinds().observation()


@pytest.mark.parametrize(
    ("session", "in_big_blinds", "line"),
    [
        (PastSession(3, STARTED, GAME, 12), False, "17 May 2024, 20:15   cash 50/100, 3 seats, 12 hands"),
        (PastSession(3, STARTED, GAME, 12), True, "17 May 2024, 20:15   cash 100 bb, 3 seats, 12 hands"),
        (
            PastSession(None, STARTED, replace(GAME, kind=GameKind.TOURNAMENT), 1),
            False,
            "On the table: tournament 50/100, 3 seats, 1 hand",
        ),
        (PastSession(3, STARTED, None, 12), False, "17 May 2024, 20:15   damaged"),
        (
            PastSession(
                3, STARTED, GAME, 12, venue=Venue("PokerStars", "Ann", "Halley", currency="USD", scale=100)
            ),
            False,
            "17 May 2024, 20:15   PokerStars, Halley, 0.50/1 USD, 12 hands",
        ),
        (PastSession(None, STARTED, None, 12, "match 3"), False, "In the lab: match 3, 12 hands"),
    ],
)
def test_a_session_in_a_line(session: PastSession, in_big_blinds: bool, line: str) -> None:
    assert session_line(session, in_big_blinds=in_big_blinds) == line


def test_a_hand_in_a_line() -> None:
    assert hand_line(past(11), in_big_blinds=False) == "Hand 11   Q♣ 9♥   −80"
    assert hand_line(past(11), in_big_blinds=True) == "Hand 11   Q♣ 9♥   −4 bb"
    assert hand_line(broken(12), in_big_blinds=False) == "Hand 12   damaged"


def lines(model: SessionsModel | HandsModel) -> list[str]:
    return [model.index(row, 0).data(Qt.ItemDataRole.DisplayRole) for row in range(model.rowCount())]


def test_the_models_give_a_line_each() -> None:
    sessions, hands = SessionsModel(), HandsModel()
    testers = [QAbstractItemModelTester(model) for model in (sessions, hands)]
    sessions.show_sessions([PastSession(3, STARTED, GAME, 12)])
    hands.show_hands([past(1), broken(2)], running(3))
    assert len(lines(sessions)) == 1
    assert lines(hands) == ["Hand 1   Q♣ 9♥   −80", "Hand 2   damaged", "Hand 3   K♠ K♦   on the table"]
    hands.set_units(True)
    assert lines(hands)[0] == "Hand 1   Q♣ 9♥   −4 bb"
    hands.show_hands([past(4)], None)
    assert lines(hands) == ["Hand 4   Q♣ 9♥   −4 bb"]
    assert testers


@dataclass
class Looking:
    """What a title needs of `LookedAt`."""

    hands: Sequence[PastHand]
    on_table: Observation | None
    observation: Observation | None = None
    chosen: PastSession | None = None

    @property
    def past(self) -> "Looking":
        return self


def title(looking: Looking, stage: Stage = Stage.THINKING, *, is_deal_held: bool = False) -> HandTitle:
    return hand_title(cast("LookedAt", looking), stage, is_deal_held=is_deal_held, deal_key="Space")


def test_the_title_at_the_table() -> None:
    assert title(Looking([], None)) == HandTitle()
    assert title(Looking([past(10), past(11)], running(12))) == HandTitle(earlier="Hand 11")
    held = title(Looking([past(11)], finished(12)), Stage.HAND_OVER, is_deal_held=True)
    assert held.note == "the next hand waits"
    assert held.hint == "The next hand waits while you look; Space deals."


def test_the_title_of_an_earlier_hand_leads_back() -> None:
    hands = [past(9), past(11)]
    looking = Looking(hands, running(12), finished(11))
    assert title(looking) == HandTitle(
        "Hand 11", "Hand 9", "Hand 12", "Back to hand 12", hint="The panels show hand 11."
    )
    turn = title(looking, Stage.YOUR_TURN)
    assert turn.back == "Your turn: hand 12"
    assert turn.hint == "It is your turn; the panels show hand 11."
    first = title(Looking(hands, running(12), finished(9)))
    assert (first.earlier, first.later) == ("", "Hand 11")
    waiting = title(looking, Stage.HAND_OVER, is_deal_held=True)
    assert waiting.hint == "The next hand waits while you look; Space deals."


def test_the_title_of_a_hand_of_another_session_tells_which() -> None:
    this_year = STARTED.replace(year=datetime.now().year)
    looking = Looking([past(11)], running(2), finished(11), PastSession(5, this_year, GAME, 12))
    found = title(looking)
    assert found.shown == "Hand 11 of 17 May"
    looking.chosen = PastSession(5, STARTED.replace(year=2019), GAME, 12)
    assert title(looking).shown == "Hand 11 of May ’19"
    assert found.later == "", "the hand on the table does not follow it"
    assert found.back == "Back to hand 2"
    looking.on_table = None
    assert title(looking).back == "", "nothing is on the table yet"


def test_the_title_of_a_hand_that_bots_played_tells_where() -> None:
    looking = Looking([past(11)], running(2), finished(11), PastSession(None, STARTED, None, 12, "match 3"))
    assert title(looking).shown == f"Hand 11 in the lab, seen by {finished(11).me.name}"
