"""Files and folders of hands, and texts with hands of several kinds."""

import errno
import os
from itertools import permutations
from pathlib import Path

import pytest

from engine.game.events import end_of
from engine.hand_histories.files import HandFileError, NotImported, hand_files, read_file, read_text
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


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_names_far_into_a_file_are_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "long.txt"
    text = told_hands.SITTING_OUT + "\n" * 1_000_000 + told_hands.RUN_THREE_TIMES.replace("thg124da", "José")
    path.write_text(text, encoding)
    hands = [hand for hand in read_file(path) if isinstance(hand, ImportedHand)]
    assert "José" in hands[-1].record.players


UNSEEN = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
starting_stacks = [10000, {}, 10000]
actions = ['p3 cbr 300', 'p1 cc', 'p2 cc', 'd db 2c3d4h', 'p1 cbr 400', {}, 'd db Jc', {}]
"""


@pytest.mark.parametrize(
    ("second", "flop", "rest", "stacks"),
    [
        (10_000, "'p2 cc', 'p3 f'", "'p1 cc', 'p2 cc', 'd db Kd', 'p1 cc', 'p2 cc', 'p1 sm', 'p2 sm'", None),
        (
            10_000,
            "'p2 cc', 'p3 f'",
            "'p1 cc', 'p2 cc', 'd db Kd', 'p1 cc', 'p2 cc', 'p1 sm', 'p2 sm AcAd'",
            (9300, 11_000, 9700),
        ),
        (10_000, "'p2 cc', 'p3 f'", "'p1 cbr 500', 'p2 f'", (11_000, 9300, 9700)),
        # Who has shown wins the main pot, and whose cards stay unknown the side pot that nobody else is left for.
        (300, "'p3 cc'", "'p1 cbr 500', 'p3 f', 'd db Kd', 'p2 sm AcAd', 'p1 sm'", (10_100, 900, 9300)),
        (300, "'p3 cc'", "'p1 cc', 'p3 cc', 'd db Kd', 'p1 cc', 'p3 cc', 'p2 sm AcAd', 'p1 sm', 'p3 sm'", None),
    ],
)
def test_a_recorded_pot_is_won_by_who_is_known_to_have_won_it(
    second: int, flop: str, rest: str, stacks: tuple[int, ...] | None
) -> None:
    (hand,) = read_text(UNSEEN.format(second, flop, rest))
    if stacks is None:
        assert isinstance(hand, NotImported)
        assert hand.reason == "It does not say who won."
        return
    assert isinstance(hand, ImportedHand), hand
    ended = end_of(hand.record.events)
    assert ended.stacks == stacks


def locked(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let nobody look into a folder."""
    look = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_files_are_found_in_folders_once_and_in_order(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/.hidden", "a/1.txt", ".hidden/3.txt", "4.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    found = [tmp_path / name for name in ("4.txt", "a/1.txt", "b/2.txt")]
    assert hand_files([tmp_path, tmp_path / "a"]) == found


def test_a_folder_that_cannot_be_read_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, folder = tmp_path / "hands.txt", tmp_path / "locked"
    file.write_text(told_hands.SIDE_POTS, "utf-8")
    folder.mkdir()
    locked(monkeypatch, folder)
    assert hand_files([tmp_path]) == [file, folder]
    with pytest.raises(HandFileError, match=r"locked cannot be read"):
        list(read_file(folder))
    with pytest.raises(HandFileError, match=r"locked cannot be read: Permission denied\.$"):
        hand_files([folder])


def test_a_name_that_no_file_can_have_ends_in_a_sentence() -> None:
    with pytest.raises(HandFileError, match=r"cannot be read|There is no file"):
        hand_files([Path("x" * 5000)])
