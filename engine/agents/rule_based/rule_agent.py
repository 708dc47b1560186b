"""A player who goes by a temper, and by another one with a lead to keep."""

from engine.agents.agent import STACK_OVER_AVERAGE
from engine.agents.rule_based.ruling import RulePlayer, Ruling, figure_of
from engine.agents.rule_based.temper import Temper, play_by
from engine.game.events import FOLD, start_of
from engine.game.observation import Observation

_LEAD = 1.3
"""From this many average stacks of the table on, a player with a lead to keep is ahead."""


class RuleAgent(RulePlayer):
    """A player who goes by a temper, and by another one, if there is one, in hands that begin with a lead."""

    def __init__(self, style: str, temper: Temper, with_lead: Temper | None = None) -> None:
        self.style = style
        self.temper = temper
        self.with_lead = with_lead

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        lead = stack_over_average(observation) if self.with_lead is not None else 0.0
        if self.with_lead is None or lead < _LEAD:
            return play_by(self.temper, observation, seed)
        rule, action, figures = play_by(self.with_lead, observation, seed)
        figures = (*figures, figure_of(STACK_OVER_AVERAGE, lead))
        return "lead_fold" if action == FOLD else rule, action, figures


def stack_over_average(observation: Observation) -> float:
    """Return the observer's stack over the table's average, both as the hand began."""
    started = start_of(observation.events)
    stacks = {start.seat: start.stack for start in started.seats}
    return stacks[observation.seat] * len(stacks) / max(sum(stacks.values()), 1)
