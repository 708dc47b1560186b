"""Counting against hands counted by eye, and against the file that ships."""

from pathlib import Path

import numpy as np
import pytest

from engine.agents.markov import RESOURCE, MarkovCounts, encode_counts
from engine.agents.markov import HandCategory as Is
from engine.game.phh import RecordedHand, read_hands
from engine.lab.held_out import is_kept_apart
from engine.lab.markov_training import count_hand, empty_counts, main, train
from engine.resources import read_text
from tests.conftest import SHARED

HAND = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ['d dh p1 2h3c', 'd dh p2 KcKd', 'd dh p3 Ah6c', 'p3 cbr 250', 'p1 f', 'p2 cbr 900', 'p3 cc',
  'd db 5cKs7c', 'p2 cc', 'p3 cbr 900', 'p2 cc', 'd db 7h', 'p2 cbr 3000', 'p3 f']
"""
OTHER = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ['d dh p1 8h4c', 'd dh p2 6c5h', 'p2 cbr 273', 'p1 f']
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def sections(*hands: str) -> str:
        return "".join(f"[{number}]{text}" for number, text in enumerate(hands, 1))

    (tmp_path / "pluribus.phhs").write_text(sections(OTHER, HAND, OTHER, OTHER, OTHER, HAND, HAND), "utf-8")
    (tmp_path / "bovada_6max.phhs").write_text(sections(HAND, "\nvariant = 'PO'\n", OTHER), "utf-8")
    return tmp_path


def counted(text: str, folder: Path) -> MarkovCounts:
    path = folder / "one.phh"
    path.write_text(text, "utf-8")
    (hand,) = read_hands(path)
    assert isinstance(hand, RecordedHand)
    counts = empty_counts()
    count_hand(counts, hand)
    return counts


def nonzero(values: np.ndarray) -> dict[tuple[int, ...], int]:
    return {tuple(map(int, at)): int(values[tuple(at)]) for at in np.argwhere(values)}


def test_a_hand_is_counted_as_one_would_by_eye(tmp_path: Path) -> None:
    counts = counted(HAND, tmp_path)
    assert nonzero(counts.starts) == {(Is.SMALL_HIGH_CARD,): 1, (Is.BIG_PAIR,): 1, (Is.BIG_HIGH_CARD,): 1}
    # All three go on to flop and turn, the one who folded too: the board 5 K 7, then another 7.
    assert nonzero(counts.moves) == {
        (0, Is.SMALL_HIGH_CARD, Is.SMALL_HIGH_CARD): 1,
        (0, Is.BIG_PAIR, Is.THREE_OF_A_KIND): 1,
        (0, Is.BIG_HIGH_CARD, Is.BIG_HIGH_CARD): 1,
        (1, Is.SMALL_HIGH_CARD, Is.SMALL_PAIR): 1,
        (1, Is.THREE_OF_A_KIND, Is.FULL_HOUSE): 1,
        (1, Is.BIG_HIGH_CARD, Is.SMALL_PAIR): 1,
    }
    fold, check, call, first, second, third = range(6)
    assert nonzero(counts.actions) == {
        (0, 1, Is.BIG_HIGH_CARD, first): 1,  # opens
        (0, 1, Is.SMALL_HIGH_CARD, fold): 1,
        (0, 1, Is.BIG_PAIR, second): 1,  # 3-bets
        (0, 1, Is.BIG_HIGH_CARD, call): 1,
        (1, 0, Is.THREE_OF_A_KIND, check): 1,
        (1, 0, Is.BIG_HIGH_CARD, first): 1,  # 900 into 1,850
        (1, 1, Is.THREE_OF_A_KIND, call): 1,
        (2, 0, Is.FULL_HOUSE, second): 1,  # 3,000 into 3,650
        (2, 1, Is.SMALL_PAIR, fold): 1,
    }
    assert third not in {at[3] for at in nonzero(counts.actions)}


def test_without_a_board_nothing_moves(tmp_path: Path) -> None:
    counts = counted(OTHER, tmp_path)
    assert counts.starts.sum() == 2
    assert not counts.moves.any()
    assert counts.actions.sum() == 2


def test_every_fifth_hand_of_a_file_is_kept_apart(folder: Path, tmp_path: Path) -> None:
    assert [place for place in range(11) if is_kept_apart(place)] == [0, 5, 10]
    one, other = counted(HAND, tmp_path), counted(OTHER, tmp_path)
    apart, everything = train(folder), train(folder, is_apart=False)
    # Of the first file sections 1 and 6 are apart, of the second the first; its second is no hold'em.
    assert apart.hands == {"pluribus": 5, "bovada_6max": 1}
    assert everything.hands == {"pluribus": 7, "bovada_6max": 2}
    for name in ("starts", "moves", "actions"):
        hand, short = getattr(one, name), getattr(other, name)
        assert (getattr(apart, name) == 2 * hand + 4 * short).all()
        assert (getattr(everything, name) == 4 * hand + 5 * short).all()


def test_the_command_writes_the_model(folder: Path, tmp_path: Path) -> None:
    main([str(folder), str(tmp_path / "model.json")])
    assert (tmp_path / "model.json").read_text("utf-8") == encode_counts(train(folder))


def test_the_command_says_where_hands_are_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), str(tmp_path / "model.json")]) == 2
    assert "pluribus.phhs" in capsys.readouterr().err
    assert not (tmp_path / "model.json").exists()


@pytest.mark.slow
@pytest.mark.shared
def test_the_shipped_model_is_what_training_gives() -> None:
    assert encode_counts(train(SHARED / "data" / "hands")) == read_text(RESOURCE)
