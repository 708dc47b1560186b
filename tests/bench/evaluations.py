"""Raw evaluations of seven cards: random hands, all hands in order, and what the walk in order is there for.

The peers evaluate the very same hands, as many of the first of them as take a fraction of a second, in their own
cards made beforehand, with nothing around the call but a loop.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, islice
from math import comb
from typing import Any

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, parse_cards
from engine.final_strengths import final_categories
from engine.kernels.enumeration import count_completions
from engine.kernels.evaluator import STRENGTH_COUNT, strengths_of, tables
from engine.strength import Category, category_of
from tests.bench.peers import EVALUATORS, Library
from tests.bench.yardstick import Peer, Row, interleaved

PUBLISHED = {
    Category.HIGH_CARD: 23_294_460,
    Category.PAIR: 58_627_800,
    Category.TWO_PAIR: 31_433_400,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.STRAIGHT: 6_180_020,
    Category.FLUSH: 4_047_644,
    Category.FULL_HOUSE: 3_473_184,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.STRAIGHT_FLUSH: 41_584,
}
"""The frequencies of the hands of seven cards (Brian Alspach, "7-card poker hands", 2001)."""

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
    """Give the rows of random hands, of all hands in order, and of one hand's run-outs."""
    return [random_hands(short), all_hands(short), runouts(short)]


def random_hands(short: bool) -> Row:
    """Evaluate random hands of seven cards; the first ones are checked against phevaluator."""
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
    return _rate_row(
        "random hands of seven cards",
        ours,
        RANDOM_HANDS,
        checked,
        short,
        goal=290,
        at_least=240,
        answer=f"{len(checked):,} strengths as by phevaluator",
        is_reference=is_reference,
    )


def all_hands(short: bool) -> Row:
    """Evaluate all C(52, 7) hands of seven cards in order, each counted by its strength."""
    deck = np.arange(CARD_COUNT, dtype=np.uint8)
    none = deck[:0]
    found = categories_of(count_completions(none, deck))
    return _rate_row(
        "all hands of seven cards, in order",
        partial(count_completions, none, deck),
        comb(CARD_COUNT, 7),
        list(islice(combinations(range(CARD_COUNT), 7), 20_000)),
        short,
        goal=1100,
        at_least=900,
        answer=f"{sum(found.values()):,} hands, {found[Category.STRAIGHT_FLUSH]:,} straight flushes",
        is_reference=found == PUBLISHED,
    )


def runouts(short: bool) -> Row:
    """Count how AhKh ends over all run-outs; flushes, straight ones among them, are known by combinatorics."""
    hole_cards = parse_cards("AhKh")
    ends = final_categories(hole_cards)
    flushes = ends[Category.FLUSH] + ends[Category.STRAIGHT_FLUSH]
    in_hearts = comb(11, 3) * comb(39, 2) + comb(11, 4) * 39 + comb(11, 5)
    measured = interleaved(
        {"ours": partial(final_categories, hole_cards)}, rounds=5 if short else 15, side_seconds=0.2 if short else 1
    )
    return Row(
        work="how AhKh ends, all run-outs",
        ours=1000 * measured.sides["ours"].seconds,
        eval7_per_second=measured.eval7_per_second,
        answer=f"{flushes:,} flushes in {sum(ends.values()):,}",
        is_reference=flushes == in_hearts + 3 * comb(13, 5) and sum(ends.values()) == comb(50, 5),
        count=measured.sides["ours"].count,
    )


def categories_of(counts: NDArray[np.int64]) -> dict[Category, int]:
    """Give how many hands each category has."""
    found = dict.fromkeys(Category, 0)
    for strength in np.flatnonzero(counts).tolist():
        found[category_of(strength)] += int(counts[strength])
    return found


def _rate_row(
    work: str,
    ours: Callable[[], object],
    count: int,
    hands: Sequence[Sequence[int]],
    short: bool,
    *,
    goal: float,
    at_least: float,
    answer: str,
    is_reference: bool,
) -> Row:
    """Measure ours over `count` hands, and every peer over the first of them, in turn."""
    sides: dict[str, Callable[[], object]] = {"ours": ours}
    parts = {}
    for library in EVALUATORS:
        some = hands[: _PARTS[library.name]]
        parts[library.name] = len(some)
        sides[library.name] = _loop(library, some)
    measured = interleaved(
        sides,
        rounds=5 if short else 15,
        side_seconds=0.3 if short else 2,
    )

    def peer(name: str) -> Peer:
        timing = measured.sides[name]
        return Peer(
            library=name,
            value=parts[name] / timing.seconds / 1e6,
            way=_WAYS.get(name, ""),
            count=timing.count,
            scaled_from=f"the first {parts[name]:,} hands",
        )

    return Row(
        work=work,
        ours=count / measured.sides["ours"].seconds / 1e6,
        unit="M/s",
        peers=tuple(peer(library.name) for library in EVALUATORS),
        eval7_per_second=measured.eval7_per_second,
        goal=goal,
        at_least=at_least,
        answer=answer,
        is_reference=is_reference,
        count=measured.sides["ours"].count,
    )


def _loop(library: Library, hands: Sequence[Sequence[int]]) -> Callable[[], None]:
    """Give a loop over hands in the library's own cards."""
    evaluate = _EVALUATE[library.name]
    theirs = [[library.cards[card] for card in hand] for hand in hands]

    def loop() -> None:
        for cards in theirs:
            evaluate(cards)

    return loop
