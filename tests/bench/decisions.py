"""How long FOLD takes to decide, 2 to 10 players, against the paper's bare sampling loop written with eval7."""

from functools import partial
from time import process_time

import numpy as np

from engine.agents.styles import make_agent
from engine.equity.matchups import heads_up_table
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.kernels.jit import warm_up
from engine.play import Dealer
from tests.bench.yardstick import Peer, Row, cpu_seconds, eval7_rate, eval7_win_rate

PAPER_DEALS = 500


def times_of(players: int, hands: int, seed: int = 1) -> list[float]:
    """CPU seconds of every FOLD decision, in a table where loose callers keep many opponents live."""
    styles = ["fold" if seat % 2 == 0 else "calling station" for seat in range(players)]
    config = cash_game(tuple(SeatConfig(f"P{seat}", style) for seat, style in enumerate(styles)), seed=seed)
    dealer = Dealer(config, {seat: make_agent(style) for seat, style in enumerate(styles)})
    times = []
    for _ in range(hands):
        dealer.start_hand()
        while dealer.to_act is not None:
            is_fold = styles[dealer.to_act] == "fold"
            start = process_time()
            decision = dealer.decide()
            if is_fold:
                times.append(process_time() - start)
            dealer.apply(decision.action, decision)
    return times


def run(short: bool) -> list[Row]:
    """Give one row per table size."""
    warm_up()
    heads_up_table()  # the app has it from its first minute on
    rows = []
    for players in range(2, 11):
        times = 1000 * np.array(times_of(players, 6 if short else 30))
        opponents = players - 1
        peer = cpu_seconds(partial(eval7_win_rate, ["Ah", "Kh"], opponents, ["Ks", "7d", "2h"], PAPER_DEALS))
        rows.append(
            Row(
                work=f"FOLD decides, {players} players",
                ours=float(np.median(times)),
                p95=float(np.percentile(times, 95)),
                max=float(times.max()),
                count=len(times),
                peers=(
                    Peer(
                        library="eval7", value=1000 * peer, way=f"algorithm 1 alone, {PAPER_DEALS} deals", count=5
                    ),
                ),
                eval7_per_second=eval7_rate(20_000),
            )
        )
    return rows
