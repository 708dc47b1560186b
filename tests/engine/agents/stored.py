"""What a stored trace has to give: the same action again, and the number behind each claim."""

import re
import zlib
from typing import Any

import msgspec

from engine.agents.agent import FAILED, NOT_READY, OUT_OF_TIME, Reading, Trace
from engine.agents.fold.decide import choose, passive_action
from engine.agents.fold.parameters import default_parameters
from engine.agents.posterior import posterior_of
from engine.agents.reading import win_rate_of
from engine.agents.rule_based.adapter import BETS, FOLDS, OPENS, RERAISES, Adapter, adapted_ruling
from engine.agents.rule_based.people import PEOPLE, mood_ruling
from engine.agents.rule_based.pool import AGGRESSION_NOW, PLAYED_NOW, PoolWanderer, wandering_ruling
from engine.agents.soulread.agent import choose as best_of
from engine.agents.styles import make_agent
from engine.equity.snapshot import Method
from engine.game.events import Action


def replay(trace: Trace) -> Action:
    """Decide again from the stored predictions, or, for a rule-based style, from observation, seed and counts."""
    observation, reading = trace.observation, trace.reading
    if trace.rule in (OUT_OF_TIME, NOT_READY, FAILED) and observation.legal is not None:
        return passive_action(observation.legal)
    if trace.style == Adapter.style:
        known = next((figure for figure in trace.figures if figure.name in (FOLDS, BETS, OPENS, RERAISES)), None)
        return adapted_ruling(observation, trace.seed, known)[1]
    if trace.style == PoolWanderer.style:
        drawn = tuple(figure for figure in trace.figures if figure.name in (PLAYED_NOW, AGGRESSION_NOW))
        return wandering_ruling(observation, trace.seed, drawn)[1]
    if trace.style in PEOPLE:
        moods = PEOPLE[trace.style].moods
        named = next(figure for figure in trace.figures if figure.name in moods)
        return mood_ruling(moods, observation, trace.seed, named)[1]
    if trace.values is not None:
        return best_of(trace.values, observation.pot, trace.seed)
    if trace.rule == "usual":
        return make_agent(trace.style).decide(observation, trace.seed, deals=0).action
    if reading is None:
        return make_agent(trace.style).decide(observation, trace.seed).action
    numbers = default_parameters()
    ranges = [posterior_of(one.prior, one.updates) for one in reading.predictions]
    usual, made = numbers.decision.deals_against(len(ranges)), reading.win_rate
    deals = made.count if made.method is Method.SAMPLED else usual
    against, random = win_rate_of(observation, ranges, reading.seed, deals, random_deals=usual)
    again = Reading(reading.predictions, against, random, reading.outs, reading.pot_odds, reading.spr, reading.seed)
    return choose(again, observation, trace.seed, numbers).action


def of_schema_1(packed: bytes) -> bytes:
    """Return packed traces of FOLD as they were stored when it was called Soulread."""
    hand = msgspec.msgpack.decode(zlib.decompress(packed), strict=False)
    for trace in hand[1]:
        if trace is not None:
            trace[4], trace[13] = re.sub(r"^fold(?=:|$)", "soulread", trace[4]), 1
            del trace[14:]
    for at, whole in hand[3].items():
        hand[3][at] = re.sub(rb'"style":"fold(?=[:"])', b'"style":"soulread', whole).replace(
            b'"schema":2', b'"schema":1'
        )
    return zlib.compress(msgspec.msgpack.encode(hand))


def evidence_of(trace: Trace, path: str) -> Any:
    """Return the value that a claim's path names, such as `adjustments[2].after.call`."""
    assert re.fullmatch(r"[a-z_]+(\.[a-z_]+|\[\d+\])*", path), path
    value: Any = trace
    for name, index in re.findall(r"([a-z_]+)|\[(\d+)\]", path):
        value = getattr(value, name) if name else value[int(index)]
    return value
