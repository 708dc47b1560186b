"""What mypy must refuse: an agent that would be given the table. Never run, only read by `test_typing.py`.

Every `type: ignore` here has to stay needed, for mypy is strict about unused ones.
"""

from collections.abc import Sequence

from engine.agents.agent import Agent, Decision, Trace
from engine.game.observation import Observation
from engine.game.table import Table
from engine.play import Dealer


class SeesTheTable:
    style = "sees the table"

    def decide(
        self, observation: Table, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        raise NotImplementedError

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        raise NotImplementedError


class LearnsFromTheTable:
    style = "learns from the table"

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        raise NotImplementedError

    def hand_finished(self, observation: Table, traces: Sequence[Trace] = ()) -> None:
        raise NotImplementedError


class IsBlind:
    style = "is blind"

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        raise NotImplementedError

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        raise NotImplementedError


def peek(observation: Observation) -> tuple[object, object]:
    deck = observation.deck  # type: ignore[attr-defined]
    theirs = observation.seats[0].hole_cards  # type: ignore[attr-defined]
    return deck, theirs


def seat_them(dealer: Dealer) -> None:
    blind: Agent = IsBlind()
    cheat: Agent = SeesTheTable()  # type: ignore[assignment]
    student: Agent = LearnsFromTheTable()  # type: ignore[assignment]
    Dealer(dealer.config, {0: blind, 1: cheat, 2: student})
    Dealer(dealer.config, {0: SeesTheTable()})  # type: ignore[dict-item]
