"""The machine's own yardstick, so that figures of two machines compare: eval7 on random seven-card hands."""

import random
from collections.abc import Callable
from statistics import median
from time import process_time

import eval7


def cpu_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Median process CPU time of some calls."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times)


def eval7_rate(hands: int = 100_000) -> float:
    """Evaluations per second of eval7, the cards being made beforehand."""
    deck = eval7.Deck().cards
    rng = random.Random(1)
    drawn = [rng.sample(deck, 7) for _ in range(hands)]

    def evaluate_all() -> None:
        for cards in drawn:
            eval7.evaluate(cards)

    return hands / cpu_seconds(evaluate_all)


def eval7_win_rate(hole: list[str], opponents: int, board: list[str], deals: int, seed: int = 1) -> float:
    """Win rate against random hands by the paper's algorithm 1, written with eval7 as most people would."""
    rng = random.Random(seed)
    mine, shown = [eval7.Card(card) for card in hole], [eval7.Card(card) for card in board]
    rest = [card for card in eval7.Deck().cards if card not in mine and card not in shown]
    won = 0.0
    for _ in range(deals):
        dealt = rng.sample(rest, 2 * opponents + 5 - len(shown))
        full = shown + dealt[2 * opponents :]
        own = eval7.evaluate(mine + full)
        others = [eval7.evaluate(dealt[2 * i : 2 * i + 2] + full) for i in range(opponents)]
        best = max(others)
        won += 1.0 if own > best else 1.0 / (1 + others.count(own)) if own == best else 0.0
    return won / deals
