"""Texts with hands of several kinds, one after another."""

from itertools import permutations
from pathlib import Path

import pytest

from engine.hand_histories.files import NotImported, read_file, read_text
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.open_hand_history import written
from tests.engine.hand_histories import (
    test_acpc_log,
    test_bovada,
    test_full_tilt,
    test_pacific,
    test_partypoker,
    test_winamax,
    told_hands,
)


def read(text: str) -> list[ImportedHand]:
    hands = [*read_text(text)]
    assert not any(isinstance(hand, NotImported) for hand in hands), hands
    return [hand for hand in hands if isinstance(hand, ImportedHand)]


TEXTS = {
    "PokerStars": told_hands.SIDE_POTS,
    "PartyPoker": test_partypoker.ALL_IN,
    "888poker": test_pacific.SIDE_POT,
    "Winamax": test_winamax.SIDE_POT,
    "Bovada": test_bovada.DEAD_CHIP,
    "Full Tilt": test_full_tilt.RUN_TWICE,
    "ACPC": test_acpc_log.TIMED,
    "Open Hand History": written(*read(told_hands.RUN_TWICE)),
}


@pytest.mark.parametrize(("first", "second"), list(permutations(TEXTS, 2)))
def test_each_hand_is_read_as_its_kind(first: str, second: str) -> None:
    text = "\n\n".join(TEXTS[kind].strip("\n") for kind in (first, second, second, first))
    of_first, of_second = read(TEXTS[first]), read(TEXTS[second])
    assert read(text) == of_first + of_second * 2 + of_first


def test_hands_of_another_kind_may_come_in_a_later_piece_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    path.write_text(TEXTS["ACPC"] + f"\n{'-' * 999_000}\n" + TEXTS["Winamax"] + TEXTS["Full Tilt"], "utf-8")
    sites = [hand.site for hand in read_file(path) if isinstance(hand, ImportedHand)]
    assert sites == ["ACPC", "Winamax", "Full Tilt"]
