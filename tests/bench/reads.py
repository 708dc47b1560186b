"""How long the learned reader takes to follow a hand: one action of one player, nine grids, and learning.

Ten players, bets of many sizes, and boards that nothing was computed for before. Everything is read as in live
play, after every action and after every deal, so that an update finds what those before it kept.
"""

from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from time import process_time

import numpy as np

from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.reader import LearnedReader
from engine.cards import CARD_COUNT, Card, Street
from engine.game.events import CALL, CHECK, ActionTaken, BoardDealt, GameKind, SeatStart, raise_to
from engine.game.history import observation_at
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.kernels.jit import warm_up
from tests.bench.yardstick import Row, eval7_rate

PLAYERS = 10
GOALS = {Street.PREFLOP: 1.0, Street.FLOP: 5.0, Street.TURN: 1.0, Street.RIVER: 1.0}
"""Milliseconds for one action of one player."""

Times = dict[tuple[str, Street, bool], list[float]]


def _new_table(generator: np.random.Generator) -> Table:
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, f"P{seat}", 40_000) for seat in range(PLAYERS)],
        button=0,
        rules=TableRules(50, 100, 0),
        deck=[Card(int(card)) for card in generator.permutation(CARD_COUNT)],
    )


def _play(table: Table, generator: np.random.Generator) -> Iterator[tuple[int, ActionTaken | BoardDealt]]:
    """Play a hand to the river, one bet a street and everybody in; gives actions and deals with their places."""
    bets: set[Street] = set()
    while table.to_act is not None:
        count = len(table.events)
        view = table.observe(table.to_act)
        legal = view.legal
        assert legal is not None
        if view.street not in bets and legal.can_raise and generator.random() < 0.3:
            bets.add(view.street)
            size = legal.min_raise_to + int(generator.random() * view.pot)
            table.apply(raise_to(min(size, legal.max_raise_to)))
        else:
            table.apply(CHECK if legal.can_check else CALL)
        for place in range(count, len(table.events)):
            event = table.events[place]
            if isinstance(event, ActionTaken | BoardDealt):
                yield place, event


def times_of(hands: int, seed: int = 1) -> tuple[Times, list[float], float]:
    """CPU seconds of every update, of every set of nine grids, and of learning each hand; and eval7's rate."""
    generator = np.random.default_rng(seed)
    times: Times = defaultdict(list)
    learning = []
    rates = []
    for hand in range(hands):
        table, reader = _new_table(generator), LearnedReader(stored_likelihoods())
        what = ("update", "nine grids")[hand % 2]  # on different boards, for one would leave the other its features
        target = 0
        for place, event in _play(table, generator):
            is_deal = isinstance(event, BoardDealt)
            target = target if isinstance(event, BoardDealt) else event.seat
            observation = observation_at(table.observe((target + 1) % PLAYERS), place + 1)
            start = process_time()
            if what == "update":
                reader.predict(observation, target)
            else:
                reader.read(observation)
            times[what, event.street, is_deal].append(process_time() - start)
        events = table.events
        start = process_time()
        reader.learn(events)
        learning.append((process_time() - start) / sum(isinstance(event, ActionTaken) for event in events))
        rates.append(eval7_rate(2_000))
    return times, learning, median(rates)


def _row(work: str, seconds: list[float], rate: float, goal: float | None = None) -> Row:
    values = 1000 * np.array(seconds)
    return Row(
        work=work,
        ours=float(np.median(values)),
        p95=float(np.percentile(values, 95)),
        max=float(values.max()),
        count=len(values),
        goal=goal,
        eval7_per_second=rate,
    )


def run(short: bool) -> list[Row]:
    """Give one row per street for an update and for nine grids, deals apart, and one for learning."""
    warm_up()
    times_of(4, seed=2)
    times, learning, rate = times_of(20 if short else 120)
    rows = []
    for (what, street, is_deal), seconds in sorted(times.items(), key=lambda item: (item[0][0] != "update", item)):
        moment = "the deal" if is_deal else "an action"
        goal = GOALS[street] if what == "update" and not is_deal else None
        rows.append(_row(f"learned reader, {what}: {street.name.lower()}, {moment}", seconds, rate, goal))
    return [*rows, _row("learned reader learns, per action of a hand", learning, rate)]
