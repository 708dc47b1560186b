"""Players who always do the same, whatever their cards."""

from engine.agents.fold.decide import calling_action, passive_action, scenario_of
from engine.agents.rule_based.ruling import RulePlayer, Ruling
from engine.game.events import CHECK, ActionKind, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

ALWAYS = {"always-fold": ActionKind.FOLD, "always-call": ActionKind.CALL, "always-raise": ActionKind.RAISE}
"""What each style always does: it folds where a check is not free, calls, or raises by the pot, else calls."""


class AlwaysAgent(RulePlayer):
    """A player of a style of `ALWAYS`."""

    def __init__(self, style: str) -> None:
        self.style = style

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        kind, legal = ALWAYS[self.style], scenario_of(observation).legal
        if kind is ActionKind.RAISE and legal.can_raise:
            return "always_raise", raise_to(raise_to_for_pot_fraction(observation, 1.0)), ()
        action = passive_action(legal) if kind is ActionKind.FOLD else calling_action(legal)
        if action == CHECK:
            return "always_check", action, ()
        return ("always_fold" if kind is ActionKind.FOLD else "always_call"), action, ()
