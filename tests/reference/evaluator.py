"""The rules of poker's hand ranking, written down as a rulebook says them: slow and obvious."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations


def order_of_five(cards: Iterable[int]) -> tuple[int, list[int]]:
    """Give a pair that is larger for the better of two five-card hands and equal for a split pot."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    is_flush = len({card % 4 for card in cards}) == 1
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    is_straight = ranks == list(range(ranks[0], ranks[0] - 5, -1))
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in groups]
    in_order = [rank for _, rank in groups]
    if is_straight and is_flush:
        return 8, in_order
    if shape == [4, 1]:
        return 7, in_order
    if shape == [3, 2]:
        return 6, in_order
    if is_flush:
        return 5, in_order
    if is_straight:
        return 4, in_order
    if shape == [3, 1, 1]:
        return 3, in_order
    if shape == [2, 2, 1]:
        return 2, in_order
    if shape == [2, 1, 1, 1]:
        return 1, in_order
    return 0, in_order


def order_of(cards: Sequence[int]) -> tuple[int, list[int]]:
    """Give the order of the best five of any number of cards."""
    return max(order_of_five(five) for five in combinations(cards, 5))
