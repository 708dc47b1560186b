"""What a hand holds, seen coarsely."""

import pytest

from engine.agents.rule_based.holdings import Holding, holding_of
from engine.cards import parse_cards


@pytest.mark.parametrize(
    ("hole_cards", "board", "expected"),
    [
        ("KsQs", "Kd9c2h", Holding.STRONG),  # top pair
        ("AsAh", "Kd9c2h", Holding.STRONG),  # overpair
        ("QsQh", "Kd9c2h", Holding.SOMETHING),  # below the top card
        ("9s8s", "Kd9c2h", Holding.SOMETHING),
        ("9s2s", "Kd9c2h", Holding.STRONG),  # two pair
        ("2s2d", "Kd9c2h", Holding.STRONG),  # three of a kind
        ("As5c", "Kd9c2h", Holding.SOMETHING),  # an ace
        ("QsJs", "Kd9c2h", Holding.SOMETHING),  # a gutshot
        ("QsJs", "Td9c2h", Holding.STRONG),  # both ends
        ("8s7s", "Ks9s2h", Holding.STRONG),  # four of a suit
        ("8s7s", "Ks9s2h3d4c", Holding.NOTHING),  # it came to nothing
        ("7s5d", "Kd9c2h", Holding.NOTHING),
        ("7s5d", "KdKc2h", Holding.NOTHING),  # the board's pair
        ("7s5d", "KdKc2h2s3d", Holding.NOTHING),
        ("As5d", "9d9c9h", Holding.SOMETHING),  # the board's three
        ("7s2d", "6d5c4h3s9h", Holding.STRONG),  # a straight
        ("2s2d", "9d8c7h6s5h", Holding.SOMETHING),  # a pair; the straight is everybody's
        ("Qs3d", "9d8c7h6s5h", Holding.NOTHING),
    ],
)
def test_what_a_hand_holds(hole_cards: str, board: str, expected: Holding) -> None:
    first, second = parse_cards(hole_cards)
    assert holding_of((first, second), parse_cards(board)) is expected
