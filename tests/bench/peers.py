"""The same questions answered with eval7, phevaluator, treys and pokerkit, as their users would write it.

Where a library has a function for the question, that function; otherwise a loop around its evaluator. Ranges are
unweighted, as these libraries have them.
"""

import random
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK, cards_of, format_card, unblocked
from engine.ranges import Range

Cards = Sequence[int]


class Library(NamedTuple):
    """An evaluator: its own cards in our order, and the strength of hole cards on a board, higher is better."""

    name: str
    cards: list[Any]
    strength: Callable[[list[Any], list[Any]], Any]


_treys = treys.Evaluator()
_texts = [format_card(card) for card in range(CARD_COUNT)]

EVAL7 = Library("eval7", [eval7.Card(text) for text in _texts], lambda hole, board: eval7.evaluate(hole + board))
PHEVALUATOR = Library(
    "phevaluator", list(range(CARD_COUNT)), lambda hole, board: -phevaluator.evaluate_cards(*hole, *board)
)
TREYS = Library(
    "treys", [treys.Card.new(text) for text in _texts], lambda hole, board: -_treys.evaluate(board, hole)
)
POKERKIT = Library(
    "pokerkit",
    [next(pokerkit.Card.parse(text)) for text in _texts],
    pokerkit.StandardHighHand.from_game,
)
EVALUATORS = (EVAL7, PHEVALUATOR, TREYS, POKERKIT)


def held(library: Library, combos: Sequence[int]) -> list[list[Any]]:
    """Give each combo as a list of the library's two cards."""
    return [[library.cards[card] for card in cards_of(combo)] for combo in combos]


# ---- sampling --------------------------------------------------------------------------------------------


def sampled(library: Library, ranges: Sequence[Range], board: Cards, deals: int, seed: int = 1) -> float:
    """Give the first player's equity by a loop: draw from every range, all anew on a clash, run out, compare."""
    rng = random.Random(seed)
    combos = [np.flatnonzero(hands.weights * unblocked(board)).tolist() for hands in ranges]
    hands = [list(zip(held(library, each), COMBO_MASK[each].tolist(), strict=True)) for each in combos]
    is_fixed = all(len(each) == 1 for each in combos)
    shown = [library.cards[card] for card in board]
    missing, strength = 5 - len(board), library.strength
    left = [card for card in range(CARD_COUNT) if card not in board]
    rest: list[Any] = []
    won = 0.0
    for deal in range(deals):
        while True:
            drawn = [each[0] if len(each) == 1 else rng.choice(each) for each in hands]
            used = 0
            for _, mask in drawn:
                if used & mask:
                    break
                used |= mask
            else:
                break
        if deal == 0 or not is_fixed:
            rest = [library.cards[card] for card in left if not used >> card & 1]
        full = shown + rng.sample(rest, missing)
        strengths = [strength(hole, full) for hole, _ in drawn]
        best = max(strengths)
        if strengths[0] == best:
            won += 1.0 / strengths.count(best)
    return won / deals


def eval7_sampled(hand: Cards, theirs: str, board: Cards, deals: int) -> float:
    """Give a hand's equity against a range by eval7's own sampling."""
    hole, shown = [EVAL7.cards[card] for card in hand], [EVAL7.cards[card] for card in board]
    return float(eval7.py_hand_vs_range_monte_carlo(hole, _eval7_range(theirs), shown, deals))


def eval7_range_against_range(mine: str, theirs: str, deals: int) -> float:
    """Give a range's equity before the flop by eval7's own sampling, each hand counted by what it can meet."""
    hands = _eval7_range(mine)
    equities = eval7.py_all_hands_vs_range(hands, _eval7_range(theirs), [], max(1, deals // len(hands)))
    others = [set(hand) for hand, _ in _eval7_range(theirs).hands]
    met = {hand: sum(1 for other in others if not other & set(hand)) for hand in equities}
    return float(sum(equities[hand] * met[hand] for hand in met) / sum(met.values()))


@cache
def _eval7_range(text: str) -> eval7.HandRange:
    with warnings.catch_warnings():  # WORKAROUND for eval7 0.1.11, which calls pyparsing by names of old
        warnings.simplefilter("ignore", DeprecationWarning)
        return eval7.HandRange(text)


def pokerkit_sampled(ranges: Sequence[Range], board: Cards, deals: int) -> float:
    """Give the first player's equity by pokerkit's own sampling, which lists all deals before it begins."""
    hands = [held(POKERKIT, np.flatnonzero(each.weights).tolist()) for each in ranges]
    return pokerkit.calculate_equities(
        hands,
        [POKERKIT.cards[card] for card in board],
        2,
        5,
        pokerkit.Deck.STANDARD,
        (pokerkit.StandardHighHand,),
        sample_count=deals,
    )[0]


# ---- exact -----------------------------------------------------------------------------------------------


def first_boards(dead: Cards, boards: int) -> list[tuple[int, ...]]:
    """Give random complete boards without some cards, always the same: a part that stands for all."""
    rng = random.Random(1)
    deck = [card for card in range(CARD_COUNT) if card not in dead]
    return [tuple(rng.sample(deck, 5)) for _ in range(boards)]


def eval7_on_boards(hand: Cards, theirs: str, boards: Sequence[Cards]) -> float:
    """Give a hand's equity against a range on complete boards, by eval7's own exact function for each."""
    hole, hands = [EVAL7.cards[card] for card in hand], _eval7_range(theirs)
    cards = EVAL7.cards
    total = 0.0
    for board in boards:
        total += eval7.py_hand_vs_range_exact(hole, hands, [cards[card] for card in board])
    return total / len(boards)


def hands_on_boards(library: Library, hands: Sequence[Cards], boards: Sequence[Cards]) -> float:
    """Give the first hand's share over complete boards by a loop around an evaluator."""
    cards = library.cards
    holes = [[cards[card] for card in hand] for hand in hands]
    won = 0.0
    for board in boards:
        full = [cards[card] for card in board]
        strengths = [library.strength(hole, full) for hole in holes]
        best = max(strengths)
        if strengths[0] == best:
            won += 1.0 / strengths.count(best)
    return won / len(boards)


def every_combo(library: Library, board: Cards) -> NDArray[np.float64]:
    """Give the equity of every combo on a river against any two, shape (1326,).

    The library evaluates each combo once; numpy compares all pairs that share no card.
    """
    live = np.flatnonzero(unblocked(board))
    shown = [library.cards[card] for card in board]
    strengths = [library.strength(hole, shown) for hole in held(library, live.tolist())]
    places = {strength: place for place, strength in enumerate(sorted(set(strengths)))}
    order = np.array([places[strength] for strength in strengths], dtype=np.int16)
    apart = (COMBO_MASK[live][:, None] & COMBO_MASK[live]) == 0
    beaten = ((order[:, None] > order) & apart).sum(axis=1)
    tied = ((order[:, None] == order) & apart).sum(axis=1)
    equities = np.zeros(len(COMBO_CARDS))
    equities[live] = (beaten + tied / 2) / apart.sum(axis=1)
    return equities


@cache
def _eval7_all_but(board: tuple[int, ...]) -> eval7.HandRange:
    left = [card for card in range(CARD_COUNT) if card not in board]
    pairs = [f"{_texts[high]}{_texts[low]}" for low, high in combinations(left, 2)]
    return _eval7_range(",".join(pairs))


def eval7_every_combo(board: Cards) -> dict[Any, float]:
    """Give the same by eval7's own function for ranges, which is exact on a river."""
    hands = _eval7_all_but(tuple(board))
    equities: dict[Any, float] = eval7.py_all_hands_vs_range(
        hands, hands, [EVAL7.cards[card] for card in board], 10_000
    )
    return equities


def eval7_every_hand(board: Cards) -> list[float]:
    """Give the same by eval7's own exact function for one hand, hand by hand."""
    theirs = _eval7_all_but(tuple(board))
    shown = [EVAL7.cards[card] for card in board]
    live = np.flatnonzero(unblocked(board)).tolist()
    return [eval7.py_hand_vs_range_exact(hole, theirs, shown) for hole in held(EVAL7, live)]
