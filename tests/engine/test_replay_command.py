"""`soulread replay --json`, and what it answers to files and players that are not there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli import main
from engine.game.phh import PublicRecord, read_public_hands, seen_by

HAND = """[{number}]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
starting_stacks = [20000, 20000, 20000]
players = ['Ann', 'Bob', 'Cid']
actions = ['d dh p1 {first}', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 273', 'p1 cc', 'p2 f', 'd db 2c3d4h', 'p1 f']
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two hands, of the second of which no card is known, and a third that cannot be read."""
    path = tmp_path / "hands.phhs"
    hands = [HAND.format(number=1, first="8h4c"), HAND.format(number=2, first="????"), "[3]\nvariant = 'PO'\n"]
    path.write_text("".join(hands), encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["replay", *arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["hands"]
    hands: list[dict[str, object]] = found["hands"]
    return hands


def test_steps_are_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = printed(capsys, str(path))
    assert (first["hand"], second["hand"]) == (1, 2)
    assert first["players"] == ["Ann", "Bob", "Cid"]
    assert first["hole_cards"] == ["8h4c", None, None]
    assert second["hole_cards"] == [None, None, None]
    steps = first["steps"]
    assert isinstance(steps, list)
    assert steps[2] == {
        "street": "Preflop",
        "seat": 2,
        "name": "Cid",
        "action": "raise",
        "amount": 273,
        "pot": 423,
        "stacks": [19950, 19900, 19727],
        "board": "",
        "cards": "",
    }
    assert steps[-1]["stacks"] == [19727, 19900, 20373]


def test_one_hand_of_a_player(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (second,) = printed(capsys, str(path), "--hand", "2")
    assert second["hand"] == 2
    (first,) = printed(capsys, str(path), "--player", "Ann")
    assert first["hand"] == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--hand", "0", "--json"], "Hands are numbered from 1, so there is no hand 0."),
        (["--hand", "4", "--json"], "ends with hand 3."),
        (["--hand", "3", "--json"], "cannot be read: Its game is 'PO', not hold'em"),
        (["--player", "Zoë", "--json"], "There is no player 'Zoë' in"),
        (["--player", "Bob", "--json"], "has not the hole cards of Bob"),
        (["--hand", "2", "--player", "Ann", "--json"], "has not the hole cards of Ann"),
        ([], "Without a window only --json"),
    ],
)
def test_bad_input_is_one_sentence(
    path: Path, refused: Callable[..., str], arguments: list[str], sentence: str
) -> None:
    assert sentence in refused("replay", str(path), *arguments)


@pytest.mark.parametrize("content", ["", "no TOML", "[1]\nvariant = 'NT'\n"])
def test_a_file_without_hands_is_refused(tmp_path: Path, refused: Callable[..., str], content: str) -> None:
    path = tmp_path / "empty.phhs"
    path.write_text(content, encoding="utf-8")
    assert "There is no hand in" in refused("replay", str(path), "--json")
    assert "cannot be read" in refused("replay", str(tmp_path), "--json")


def test_the_players_that_are_named_are_those_of_the_hand_asked_for(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = HAND.format(number=9, first="8h4c").replace("Ann", "Zoë")
    path.write_text(path.read_text(encoding="utf-8") + later, encoding="utf-8")
    for hand, player, names in ((1, "Zoë", "Ann, Bob, Cid"), (4, "Ann", "Zoë, Bob, Cid")):
        assert main(["replay", str(path), "--hand", str(hand), "--player", player, "--json"]) == 2
        expected = f"There is no player '{player}' in hand {hand} of {path}; there are {names}.\n"
        assert capsys.readouterr().err == expected


def test_a_hand_is_seen_by_who_has_its_cards(path: Path) -> None:
    hand = next(iter(read_public_hands(path)))
    assert isinstance(hand, PublicRecord)
    seen = seen_by(hand, "Ann", number=7)
    assert seen is not None
    assert (seen.seat, seen.hand_number, seen.events[1:]) == (0, 7, hand.events[1:])
    assert seen_by(hand, "Bob") is None
    assert seen_by(hand, "Zoë") is None
