"""What Soulread knows of the value of actions after so many milliseconds, with FOLD's time in the same situations.

The situations are those of 200 hands that rule-based players play at tables of 2, 6 and 10, one of each hand, on
every street alike. The truth is what 2,048 deals of another seed say.
"""

from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

import numpy as np

from engine.agents.agent import Prediction, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread.agent import choose
from engine.agents.soulread.values import values_of
from engine.agents.styles import make_agent
from engine.cards import Street
from engine.equity.matchups import heads_up_table
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.observation import Observation
from engine.kernels.jit import warm_up
from engine.play import Dealer
from tests.bench.yardstick import Peer, Row, eval7_rate

SITUATIONS, FEW = 200, 20
TABLES = 2, 6, 10
STYLES = "calling station", "tight-passive", "loose-aggressive"
TIMES = 20, 50, 100
"""Milliseconds of CPU."""

TRUE_DEALS = 2048


class Found(NamedTuple):
    """Of one situation: milliseconds of the first step and of FOLD; by `TIMES` deals, errors and losses."""

    first: float
    fold: float
    deals: tuple[int, ...]
    errors: tuple[float, ...]
    lost: tuple[float, ...]


def situations(count: int, seed: int = 14) -> Iterator[Observation]:
    """Yield situations of played hands, streets and tables in turn."""
    rng = np.random.default_rng(seed)
    dealers = []
    for players in TABLES:
        styles = [STYLES[seat % len(STYLES)] for seat in range(players)]
        config = cash_game(tuple(SeatConfig(f"P{seat}", style) for seat, style in enumerate(styles)), seed=seed)
        dealers.append(Dealer(config, {seat: make_agent(style) for seat, style in enumerate(styles)}))
    for at in range(count):
        street, seen = Street(at // len(TABLES) % 4), list[Observation]()
        while not seen:
            dealer = dealers[at % len(TABLES)]
            dealer.start_hand()
            while dealer.to_act is not None:
                observation = dealer.observe(dealer.to_act)
                if observation.street is street:
                    seen.append(observation)
                decision = dealer.decide()
                dealer.apply(decision.action, decision)
        yield seen[int(rng.integers(len(seen)))]


def measure(observation: Observation) -> Found:
    """Compare what is known after `TIMES` with the truth."""
    reader, fold = LearnedReader(), make_agent("fold")
    predictions = reader.read(observation)
    start = process_time()
    fold.decide(observation, 1)
    of_fold = process_time() - start
    first, *others = _timed(observation, predictions, reader)
    truth = next(
        found for found in values_of(observation, predictions, reader, seed=2) if found.samples >= TRUE_DEALS
    )
    true = {one.action: one.value - one.guard for one in truth.actions}  # what is chosen by
    deals, errors, lost = [], [], []
    for milliseconds in TIMES:
        # As the agent does: after the last step that ends in time, or the first one.
        _, values = [first, *(each for each in others if 1000 * each[0] <= milliseconds)][-1]
        deals.append(values.samples)
        errors.append(values.best.stderr / observation.big_blind)
        action = choose(values, observation.pot, 1)
        lost.append((max(true.values()) - true[action]) / observation.big_blind)
    return Found(1000 * first[0], 1000 * of_fold, tuple(deals), tuple(errors), tuple(lost))


def _timed(
    observation: Observation, predictions: tuple[Prediction, ...], reader: LearnedReader
) -> Iterator[tuple[float, Values]]:
    """Yield values and after what CPU seconds they were there, a little beyond the longest of `TIMES`."""
    start = process_time()
    for values in values_of(observation, predictions, reader, seed=1):
        ended = process_time() - start
        yield ended, values
        if 1000 * ended > max(TIMES):
            return


def run(short: bool) -> list[Row]:
    """Give one row per time and figure, and the first step beside FOLD's decision."""
    warm_up()
    heads_up_table()
    rate = eval7_rate(20_000)
    chosen = list(situations(FEW if short else SITUATIONS))
    measure(chosen[0])  # boards before the flop are made once
    found = [measure(observation) for observation in chosen]
    count = len(found)
    first, fold = (np.array([getattr(one, name) for one in found]) for name in ("first", "fold"))
    way = "its whole decision, in the same situations"
    peer = Peer(library="FOLD", value=float(np.median(fold)), way=way, count=count)
    rows = [
        Row(
            work="Soulread values actions, the first step",
            ours=float(np.median(first)),
            p95=float(np.percentile(first, 95)),
            max=float(first.max()),
            count=count,
            peers=(peer,),
            eval7_per_second=rate,
        )
    ]
    for at, milliseconds in enumerate(TIMES):
        deals = np.array([one.deals[at] for one in found])
        errors, lost = (np.array([getattr(one, name)[at] for one in found]) for name in ("errors", "lost"))
        rows.append(
            Row(
                work=f"Soulread's best action after {milliseconds} ms, its error",
                ours=float(np.median(errors)),
                unit="bb",
                p95=float(np.percentile(errors, 95)),
                max=float(errors.max()),
                count=count,
                answer=f"{np.median(deals):.0f} deals, {lost.mean():.3f} bb lost by choosing so early",
            )
        )
    rows.append(
        Row(
            work="Soulread, deals that all actions are tried on",
            ours=float(np.median([one.deals[-1] / max(TIMES) for one in found])),
            unit="k/s",
            count=count,
            eval7_per_second=rate,
        )
    )
    return rows
