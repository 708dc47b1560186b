"""Which styles are compiled, and their numbers as the kernels of bulk play take them."""

from collections.abc import Sequence

import numpy as np

from engine.agents.agent import Agent
from engine.agents.fold.opponent_model import preflop_strengths
from engine.agents.fold.understand import position_groups
from engine.agents.rule_based.always import ALWAYS, AlwaysAgent, RandomAgent
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.temper import MOST_PLAYED, Sizing, Temper, table_factor
from engine.game.events import ActionKind
from engine.game.rules import Betting
from engine.kernels.bulk import styles as bulk_styles
from engine.kernels.bulk import tempers as bulk_tempers
from engine.kernels.evaluator import tables

_KINDS = {
    ActionKind.FOLD: bulk_styles.FOLDER,
    ActionKind.CALL: bulk_styles.CALLER,
    ActionKind.RAISE: bulk_styles.POT_RAISER,
}
_SIZINGS = {
    Sizing.USUAL: bulk_tempers.USUAL_SIZE,
    Sizing.LEAST: bulk_tempers.LEAST_SIZE,
    Sizing.ALL_IN: bulk_tempers.ALL_IN_SIZE,
}
_LEAST_SIZE = 2.0**-11
"""A smaller bet over the pot is no whole number of parts of 2^-63 (`bulk_tempers.SIZE_BITS`)."""


def compiled(agents: Sequence[Agent], start: Betting) -> bulk_styles.Styles | None:
    """Return players' styles as the kernels have them, or None if one is not compiled.

    Parameters
    ----------
    start : Betting
        How hands begin, with the same stack at every place and the button at the last one.
    """
    rows = [row for agent in agents if (row := _row(agent, start)) is not None]
    if len(rows) < len(agents):
        return None
    numbers = np.zeros((len(rows), bulk_styles.STYLE_NUMBERS))
    for at, (_, values) in enumerate(rows):
        numbers[at, : len(values)] = values
    kinds = np.array([kind for kind, _ in rows])
    return bulk_styles.Styles(kinds, numbers, 1 - preflop_strengths(start.players - 1), tables())


def _row(agent: Agent, start: Betting) -> tuple[int, tuple[float, ...]] | None:
    """Return kind and numbers of a style, or None if it is not compiled."""
    if type(agent) is RandomAgent:
        return bulk_styles.RANDOM, (agent.fold, agent.fold + agent.call)
    if type(agent) is AlwaysAgent:
        return _KINDS[ALWAYS[agent.style]], ()
    # Where stacks are the same nobody has a lead to keep.
    if type(agent) is RuleAgent and (agent.temper.bet_size == 0 or agent.temper.bet_size >= _LEAST_SIZE):
        return bulk_styles.TEMPER, _temper(agent.temper, start)
    return None


def _temper(temper: Temper, start: Betting) -> tuple[float, ...]:
    """Return the numbers of a temper, in the order of their columns."""
    seats = start.players
    groups = position_groups(range(seats), seats - 1, blinds=2 if start.straddle_place is None else 3)
    factor = table_factor(temper, seats)
    played = [min(MOST_PLAYED, float(getattr(temper, groups[place].value)) * factor) for place in range(seats)]
    played += [0.0] * (bulk_tempers.RAISED - seats)
    return (
        *played,
        temper.raised,
        min(MOST_PLAYED, temper.three_bet * factor),
        temper.call_raise * factor,
        min(MOST_PLAYED, temper.four_bet * factor),
        temper.call_three_bet * factor,
        temper.stack_off,
        2 * temper.three_bet * factor + temper.stack_off,
        temper.open_bb,
        temper.bet,
        temper.raise_,
        temper.call_floor,
        temper.call_slope,
        temper.bluff,
        temper.semi_bluff,
        temper.bet_size,
        _SIZINGS[temper.sizing],
        bulk_tempers.NO_HOLDING if temper.goes_on_with is None else temper.goes_on_with,
    )
