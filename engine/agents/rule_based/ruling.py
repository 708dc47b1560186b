"""What a rule chose, and the decision that is made of it."""

from engine.agents.agent import Decision, Figure, Trace
from engine.game.events import Action
from engine.game.observation import Observation

Ruling = tuple[str, Action, tuple[Figure, ...]]
"""Code of the rule that chose, what it chose, and the numbers it used."""


def decision_of(style: str, observation: Observation, seed: int, ruling: Ruling) -> Decision:
    """Return what a rule chose, with its trace."""
    rule, action, figures = ruling
    trace = Trace(style=style, seed=seed, observation=observation, figures=figures, rule=rule, action=action)
    return Decision(action, trace)


def figure_of(name: str, value: float) -> Figure:
    """Return a number that no history moves."""
    return Figure(name, float(value), float(value))
