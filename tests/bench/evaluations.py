"""Raw evaluations of seven random cards.

The peers evaluate the very same hands, as many of the first of them as take a fraction of a second, in their own
cards made beforehand, with nothing around the call but a loop.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys

from engine.cards import CARD_COUNT
from engine.kernels.evaluator import STRENGTH_COUNT, strengths_of, tables
from tests.bench.peers import EVALUATORS, Library
from tests.bench.yardstick import Peer, Row, Timing, interleaved

RANDOM_HANDS = 50_000
"""350 KB: with our tables still in the second cache, for it is not the memory that is measured."""

_PARTS = {"eval7": 20_000, "phevaluator": 20_000, "treys": 2_000, "pokerkit": 20}
_treys = treys.Evaluator()
_EVALUATE: Mapping[str, Callable[[Any], object]] = {
    "eval7": eval7.evaluate,
    "phevaluator": lambda cards: phevaluator.evaluate_cards(*cards),
    "treys": lambda cards: _treys.evaluate(cards, []),
    "pokerkit": pokerkit.StandardHighHand.from_game,
}
_WAYS = {"treys": "Evaluator.evaluate", "pokerkit": "StandardHighHand.from_game"}


def run(short: bool) -> list[Row]:
    """Give the row of random hands of seven cards, the first of which are checked against phevaluator."""
    order = np.random.default_rng(1).random((RANDOM_HANDS, CARD_COUNT)).argsort(axis=1)
    hands = order[:, :7].astype(np.uint8)
    out = np.empty(RANDOM_HANDS, dtype=np.int16)

    def ours() -> None:
        strengths_of(tables(), hands, out)

    ours()
    checked = hands[:20_000].tolist()
    is_reference = out[: len(checked)].tolist() == [
        STRENGTH_COUNT + 1 - phevaluator.evaluate_cards(*hand) for hand in checked
    ]
    sides: dict[str, Callable[[], object]] = {"ours": ours}
    sides |= {each.name: _loop(each, checked[: _PARTS[each.name]]) for each in EVALUATORS}
    measured = interleaved(sides, rounds=5 if short else 15, side_seconds=0.3 if short else 2)
    row = Row(
        work="random hands of seven cards",
        ours=RANDOM_HANDS / measured.sides["ours"].seconds / 1e6,
        unit="M/s",
        peers=tuple(_peer(each.name, measured.sides[each.name]) for each in EVALUATORS),
        eval7_per_second=measured.eval7_per_second,
        goal=290,
        at_least=240,
        answer=f"{len(checked):,} strengths as by phevaluator",
        is_reference=is_reference,
        count=measured.sides["ours"].calls,
    )
    return [row]


def _peer(name: str, timing: Timing) -> Peer:
    return Peer(
        library=name,
        value=_PARTS[name] / timing.seconds / 1e6,
        way=_WAYS.get(name, ""),
        count=timing.calls,
        scaled_from=f"the first {_PARTS[name]:,} hands",
    )


def _loop(library: Library, hands: Sequence[Sequence[int]]) -> Callable[[], None]:
    """Give a loop over hands in the library's own cards."""
    evaluate = _EVALUATE[library.name]
    theirs = [[library.cards[card] for card in hand] for hand in hands]

    def loop() -> None:
        for cards in theirs:
            evaluate(cards)

    return loop
