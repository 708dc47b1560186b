"""Learning from hands played before: every hand counts once, whatever files it is in and however often."""

import string
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.agents import lessons
from engine.agents.agent import KnownPlayer, Taught, best_known
from engine.agents.fold.opponent_model import counts_of
from engine.agents.lessons import FileStep, Lesson, learn_file
from engine.agents.readers import make_reader
from engine.game.events import ActionTaken, start_of
from engine.game.phh import PhhFileError
from engine.game.phh_text import phh_text
from engine.game.table import Table
from tests.engine.agents.hands import deal, play

WORDS = ("f", "c x | x x | x x | x x", "300 c | x 300 f", "c x | x 100 c | x x | 200 c", "300 900 f", "300 f")
NAMES = ("Ann", "Ben", "Cleo")


def table(number: int) -> Table:
    """Play one of endlessly many hands of two of three players."""
    pair = NAMES[number % 3], NAMES[(number + 1) % 3]
    deck = np.random.default_rng(number).permutation(52)
    text = [f"{'23456789TJQKA'[card >> 2]}{'cdhs'[card & 3]}" for card in deck[:9]]
    cards = {0: "".join(text[:2]), 1: "".join(text[2:4])}
    made = deal(names=pair, hole_cards=cards, board="".join(text[4:]))
    return play(made, WORDS[number % len(WORDS)])


def write(path: Path, numbers: Sequence[int], *, seat: int = 0) -> Path:
    """Write hands as a player saw them, with the others' hole cards unknown if they were not shown."""
    texts = [f"[{at}]\n{phh_text(table(number).observe(seat))}" for at, number in enumerate(numbers, 1)]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def learned(path: Path, before: dict[str, Taught] | None = None) -> FileStep:
    *_, last = learn_file(path, before)
    assert last.players is not None
    return last


def choices_of(numbers: Sequence[int]) -> Counter[str]:
    """Count the choices of each player in some hands, from the events alone."""
    counts: Counter[str] = Counter()
    for number in numbers:
        events = table(number).events
        started = start_of(events)
        counts.update(started.seats[event.seat].name for event in events if isinstance(event, ActionTaken))
    return counts


def test_a_file_teaches_what_its_hands_teach_the_readers(tmp_path: Path) -> None:
    numbers = range(12)
    step = learned(write(tmp_path / "hands.phhs", numbers))
    assert (step.learned, step.again, step.skipped) == (12, 0, 0)
    readers = [make_reader(name) for name in ("learned", "paper")]
    for number in numbers:
        for reader in readers:
            reader.learn(table(number).events)
    expected = best_known(reader.known_players() for reader in readers)  # type: ignore[attr-defined]
    assert step.players is not None
    assert {name: taught.known for name, taught in step.players.items()} == expected
    assert all(len(taught.hands) == 8 * 8 for taught in step.players.values())


def test_the_same_hands_count_once_however_often_they_are_learned(tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", range(6))
    first = learned(path)
    again = learned(path, first.players)
    assert (again.learned, again.again, again.players) == (0, 6, {})


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=6, unique=True), min_size=2, max_size=3))
def test_hands_in_several_files_count_once(tmp_path: Path, files: list[list[int]]) -> None:
    before: dict[str, Taught] = {}
    for numbers in files:
        step = learned(write(tmp_path / "some.phhs", numbers), before)
        assert step.learned + step.again == len(numbers)
        before |= step.players or {}
    every = sorted({number for numbers in files for number in numbers})
    expected = choices_of(every)
    assert {name: taught.known.counted for name, taught in before.items()} == dict(expected)
    assert {name: taught.known.choices for name, taught in before.items()} == dict(expected)


def test_who_was_forgotten_is_learned_of_again_and_nobody_else(tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", range(9))
    first = learned(path).players
    assert first is not None
    rest = {name: taught for name, taught in first.items() if name != "Ben"}
    again = learned(path, rest)
    assert again.players is not None
    assert set(again.players) == {"Ben"}
    assert again.players["Ben"].hands == first["Ben"].hands
    assert counts_of(again.players["Ben"].known).postflop == counts_of(first["Ben"].known).postflop
    assert again.again == sum("Ben" not in (NAMES[number % 3], NAMES[(number + 1) % 3]) for number in range(9))


def test_a_hand_of_another_number_or_name_is_the_same_hand(tmp_path: Path) -> None:
    first = learned(write(tmp_path / "one.phhs", [3, 4]))
    text = (tmp_path / "one.phhs").read_text(encoding="utf-8").replace("[1]", "[71]").replace("[2]", "[5]")
    (tmp_path / "two.phhs").write_text(text, encoding="utf-8")
    assert learned(tmp_path / "two.phhs", first.players).players == {}


def test_hands_that_went_the_same_way_with_other_cards_are_two(tmp_path: Path) -> None:
    step = learned(write(tmp_path / "folds.phhs", [0, 18, 36]))  # the same two players, and a fold each time
    assert step.learned == 3
    assert step.players is not None
    assert sum(taught.known.counted for taught in step.players.values()) == 3


def test_sections_that_are_no_hands_cost_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", [1, 2])
    nameless = phh_text(play(deal(names=("p1", "p2")), "f").observe(0))
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n[3]\nvariant = 'PO'\n\n[4]\n{nameless}\n[5]\nnothing at all\n")
    step = learned(path)
    assert (step.learned, step.skipped) == (2, 3)
    assert "not hold'em" in step.reason


def test_of_hands_with_fixed_limits_nothing_is_learned(tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", [1, 2])
    path.write_text(path.read_text(encoding="utf-8").replace('"NT"', '"FT"', 1), encoding="utf-8")
    step = learned(path)
    assert (step.learned, step.skipped) == (1, 1)
    assert step.reason == "It has fixed limits, and players are read as in no-limit."


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PhhFileError, match="nowhere"):
        list(learn_file(tmp_path / "nowhere.phhs"))


def test_what_is_learned_at_a_time_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "hands.phhs", range(7))
    monkeypatch.setattr(lessons, "MOST_HANDS", 3)
    first = learned(path)
    assert (first.learned, first.is_cut) == (3, True)
    assert first.players is not None
    # A player's own hands are as many at most.
    monkeypatch.setattr(lessons, "MOST_NAMES", 2)
    alone = learned(path)
    assert alone.players is not None
    assert set(alone.players) == {"Ann", "Ben"}


def test_names_of_stand_ins_are_nobodys(tmp_path: Path) -> None:
    lesson = Lesson({"Ann": KnownPlayer(3, b"of another version")})
    lesson.learn(table(1).events, {0})
    known = lesson.known_players()
    assert set(known) <= {*NAMES}
    assert all(name[0] in string.ascii_letters for name in known)
    assert len(known) == 1
