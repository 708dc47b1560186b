"""Makes `resources/preflop_equity.csv`: the equity of each hand class against 1 to 9 random hands.

python -m engine.lab.preflop_table --seed 1
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, CLASS_COUNT, COMBO_COUNT, MOST_OPPONENTS, cards_of, class_name, combos_of_class
from engine.equity.checks import check_deals, check_seed
from engine.equity.matchups import range_odds
from engine.kernels.equity.preflop import deal_against_random
from engine.kernels.evaluator import tables
from engine.kernels.rng import new_stream
from engine.preflop import COLUMNS, DEALS, RESOURCE


def sample_class(hand_class: int, seed: int, deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the equities of a hand class against 1 to 9 random hands, and their standard errors: shape (9,) each.

    The class is the number of the random stream. All equities come from the same deals, so they depend on
    one another. 20 million deals take about a second.
    """
    check_deals(deals)
    check_seed(seed)
    hole_cards = cards_of(combos_of_class(hand_class)[0])
    deck = np.array([*(set(range(CARD_COUNT)) - set(hole_cards)), *hole_cards], dtype=np.uint8)
    sums, squares = np.zeros(MOST_OPPONENTS), np.zeros(MOST_OPPONENTS)
    deal_against_random(tables(), deck, deals, new_stream(seed, hand_class), sums, squares)
    equities = sums / deals
    return equities, np.sqrt((squares / deals - equities**2) / (deals - 1))


def _exact_equity(hand_class: int) -> float:
    """Count a hand class's equity against one random hand."""
    own = np.zeros(COMBO_COUNT)
    own[combos_of_class(hand_class)[0]] = 1
    win, tie, lose = range_odds(own, np.ones(COMBO_COUNT))
    return (win + tie / 2) / (win + tie + lose)


def _build(seed: int, deals: int) -> None:
    lines = [
        "# Equity before the flop of each hand class against 1 to 9 random hands, ties shared, and its standard",
        "# error. Against one: exact, all 1,712,304 boards against each of 1225 hands. Against more: sampled,",
        f"# {deals} deals per class, each dealt to all ten hands.",
        f"# Made by: python -m engine.lab.preflop_table --seed {seed} --deals {deals}",
        ",".join(COLUMNS),
    ]
    for hand_class in range(CLASS_COUNT):
        equities, stderrs = sample_class(hand_class, seed, deals)
        equities[0], stderrs[0] = _exact_equity(hand_class), 0
        numbers = [f"{equities[0]:.8f}", *(f"{value:.6f}" for value in (*equities[1:], *stderrs))]
        lines.append(",".join([class_name(hand_class), *numbers]))
        sys.stderr.write(f"\r{class_name(hand_class)}  {hand_class + 1} of {CLASS_COUNT}  ")
    sys.stderr.write("\n")
    Path(str(files("resources")), RESOURCE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the stored table."""
    parser = argparse.ArgumentParser(prog="python -m engine.lab.preflop_table", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=DEALS, help="per hand class")
    options = parser.parse_args(arguments)
    _build(options.seed, options.deals)


if __name__ == "__main__":
    main()
