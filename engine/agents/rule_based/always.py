"""Players who always do the same, whatever their cards."""

from collections.abc import Sequence

from engine.agents.agent import Decision, Trace
from engine.agents.fold.decide import calling_action, passive_action, scenario_of
from engine.agents.rule_based.ruling import Ruling, decision_of
from engine.game.events import CHECK, ActionKind, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

ALWAYS = {"always-fold": ActionKind.FOLD, "always-call": ActionKind.CALL, "always-raise": ActionKind.RAISE}
"""What each style always does: it folds where a check is not free, calls, or raises by the pot, else calls."""


class AlwaysAgent:
    """A player of a style of `ALWAYS`."""

    def __init__(self, style: str) -> None:
        self.style = style

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals."""
        return decision_of(self.style, observation, seed, _ruling(ALWAYS[self.style], observation))

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Learn nothing."""


def _ruling(kind: ActionKind, observation: Observation) -> Ruling:
    legal = scenario_of(observation).legal
    if kind is ActionKind.RAISE and legal.can_raise:
        return "always_raise", raise_to(raise_to_for_pot_fraction(observation, 1.0)), ()
    action = passive_action(legal) if kind is ActionKind.FOLD else calling_action(legal)
    if action == CHECK:
        return "always_check", action, ()
    return ("always_fold" if kind is ActionKind.FOLD else "always_call"), action, ()
