"""Equities of hands on many boards against those of every combo, board by board."""

import numpy as np
import pytest

from engine.cards import combo_of
from engine.equity.combos import combo_equities
from engine.lab.matches.counted import hand_equities as module
from engine.lab.matches.counted.hand_equities import hand_equities


@pytest.mark.parametrize("size", [3, 4, 5])
def test_they_are_those_of_every_combo(size: int) -> None:
    rng = np.random.default_rng(size)
    decks = np.array([rng.permutation(52)[:15] for _ in range(40)], np.uint8)
    boards, hands = decks[:, 10 : 10 + size], decks[:, :10].reshape(-1, 5, 2)
    found = hand_equities(hands, np.ascontiguousarray(boards))
    for board, held, equities in zip(boards.tolist(), hands.tolist(), found.tolist(), strict=True):
        expected = combo_equities(board)
        assert equities == [float(expected[combo_of(*hand)]) for hand in held]


def test_boards_that_differ_in_suits_alone_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = np.array([[51, 46, 1], [50, 47, 0], [0, 47, 50], [51, 47, 1]], np.uint8)
    hands = np.array([[[44, 40]], [[45, 41]], [[45, 41]], [[44, 40]]], np.uint8)
    counted = []

    def count(board: tuple[int, ...]) -> np.ndarray:
        counted.append(board)
        return combo_equities(board)

    monkeypatch.setattr(module, "combo_equities", count)
    module._on_board.cache_clear()  # other tests may have had these boards
    hand_equities(hands, boards)
    assert len(counted) == 2
