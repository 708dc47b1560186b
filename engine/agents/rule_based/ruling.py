"""What a rule chose, the decision that is made of it, and who plays so."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from engine.agents.agent import Decision, Figure, Trace
from engine.codec import pack, unpack
from engine.game.events import Action
from engine.game.observation import Observation

Ruling = tuple[str, Action, tuple[Figure, ...]]
"""Code of the rule that chose, what it chose, and the numbers it used."""


S = TypeVar("S")


class RulePlayer:
    """A player who decides by a ruling, which follows from the observation, the seed and what is remembered."""

    style: str

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals.

        Raises
        ------
        NotToActError
            If the seat is not to act.
        """
        rule, action, figures = self._ruling(observation, seed)
        trace = Trace(
            style=self.style, seed=seed, observation=observation, figures=figures, rule=rule, action=action
        )
        return Decision(action, trace)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Learn nothing."""

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        """Return what is chosen for the observing seat, whose turn it is."""
        raise NotImplementedError


class Remembering(Generic[S]):
    """What a player remembers, in one value that is always of the type of the first one."""

    def __init__(self, first: S) -> None:
        self._state = first

    def memory(self) -> bytes:
        """Return it, packed."""
        return pack(self._state)

    def recall(self, memory: bytes) -> None:
        """Take one in the place of its own; a damaged one is a `StoredDataError` and changes nothing."""
        self._state = unpack(memory, type(self._state))


def figure_of(name: str, value: float) -> Figure:
    """Return a number that no history moves."""
    return Figure(name, float(value), float(value))
