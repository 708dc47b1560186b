"""Players who look at no cards: those who always do the same, and one who takes any legal action."""

import numpy as np

from engine.agents.fold.decide import calling_action, passive_action, scenario_of
from engine.agents.rule_based.ruling import RulePlayer, Ruling, figure_of
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


class RandomAgent(RulePlayer):
    """A player who takes any legal action, raises rarely and never more than about a pot, unless it must."""

    style = "random"
    fold, call = 0.25, 0.55

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        scenario = scenario_of(observation)
        random = np.random.default_rng([seed, 2])
        drawn, size = (float(value) for value in random.random(2))
        figures = (figure_of("drawn number", drawn),)
        if drawn < self.fold:
            action = passive_action(scenario.legal)
            return ("random_check" if action == CHECK else "random_fold"), action, figures
        if drawn < self.fold + self.call or not scenario.legal.can_raise:
            action = calling_action(scenario.legal)
            return ("random_check" if action == CHECK else "random_call"), action, figures
        chosen = raise_to(raise_to_for_pot_fraction(observation, size))
        return "random_raise", chosen, (*figures, figure_of("size over the pot", size))
