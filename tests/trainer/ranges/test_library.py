"""Named ranges in their file: written and read back, changed line by line, and nothing of the user's ever lost."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import COMBO_COUNT
from engine.ranges import Range, format_range, parse_range
from tests.hostile import is_fit_to_be_shown, refusal, runs
from trainer.ranges import library as range_library
from trainer.ranges.library import (
    BUILT_IN,
    LARGEST_FILE,
    LONGEST_NAME,
    NamedRange,
    RangeLibrary,
    RangeLibraryError,
    built_in_ranges,
    read_ranges,
    write_ranges,
)

HAND_WRITTEN = """# my ranges
Any pair = 22+

[Cash games]
UTG open = 77+,AQ+\t
# loose
Button = 22+,A2+,K2s+,50%
broken = 1x
Bluff [x=y] = [50]A5s,A4s[/50]

[Cash games/6-max]
QQ+,AK
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ranges.txt"


@pytest.fixture
def library(path: Path) -> RangeLibrary:
    path.parent.mkdir()
    path.write_text(HAND_WRITTEN, encoding="utf-8")
    return RangeLibrary(path)


def names(library: RangeLibrary) -> list[tuple[str, str]]:
    return [(entry.group, entry.name) for entry in library.own]


def found(library: RangeLibrary, group: str, name: str) -> NamedRange:
    entry = library.find(group, name)
    assert entry is not None
    return entry


# ---- reading and writing


def test_a_file_written_by_hand_is_read(library: RangeLibrary) -> None:
    assert names(library) == [
        ("", "Any pair"),
        ("Cash games", "UTG open"),
        ("Cash games", "Button"),
        ("Cash games", "Bluff [x=y]"),
        ("Cash games/6-max", "QQ+,AK"),
    ]
    assert library.groups == ("Cash games", "Cash games/6-max")
    assert found(library, "Cash games", "Bluff [x=y]").hands == parse_range("A5s:0.5,A4s:0.5")
    assert found(library, "Cash games/6-max", "QQ+,AK").hands == parse_range("QQ+,AK")
    assert library.problems == ("Line 8: '1x' is no hand, such as AKs, QQ-88, A2s+, AhKh or 15%.",)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("= AA", "needs a name"),
        ("x = AA\0", "'AA"),
        ("a\0b = AA", "cannot be shown"),
        ("x = AA:2", "more than 1"),
        ("Any = KK", "already"),
        ("[a\0b]", "cannot be shown"),
        ("hello world", "'hello'"),
        ("[half a group", "'[half'"),
    ],
)
def test_a_damaged_line_is_told_with_its_number_and_kept(path: Path, line: str, reason: str) -> None:
    path.parent.mkdir()
    text = f"Any = AA\n{line}\nOther = KK\n"
    path.write_bytes(text.encode())
    library = RangeLibrary(path)
    assert [entry.name for entry in library.own] == ["Any", "Other"]
    (problem,) = library.problems
    assert problem.startswith("Line 2: ")
    assert reason in problem
    assert problem.endswith(".")
    library.save("", "New", parse_range("QQ"))
    assert path.read_bytes() == text.encode() + b"New = QQ\n"


def test_bytes_that_are_no_utf_8_are_told_and_kept(path: Path) -> None:
    path.parent.mkdir()
    data = b"Any = AA\r\nCaf\xe9 = KK\r\n# \xff\r\nOther = QQ\r\n"
    path.write_bytes(data)
    library = RangeLibrary(path)
    assert [entry.name for entry in library.own] == ["Any", "Other"]
    assert library.problems == ("Line 2: This line is not in UTF-8.",)
    library.delete(found(library, "", "Any"))
    assert path.read_bytes() == data.removeprefix(b"Any = AA\r\n")


def test_a_byte_order_mark_is_no_part_of_a_name() -> None:
    (entry,) = read_ranges("\ufeffAny = AA").entries
    assert entry.name == "Any"


printable = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=20)
group_names = printable.map(lambda text: " ".join(text.replace("[", "(").replace("]", ")").split()))
range_names = printable.map(lambda text: " ".join(text.split())).filter(lambda text: text and text[0] != "#")
weights = st.dictionaries(
    st.integers(0, COMBO_COUNT - 1), st.floats(0, 1, width=32, allow_subnormal=False), max_size=12
)


def range_of(chosen: dict[int, float]) -> Range:
    values = np.zeros(COMBO_COUNT, dtype=np.float32)
    values[list(chosen)] = list(chosen.values())
    return Range(values)


@given(st.dictionaries(st.tuples(group_names, range_names), weights, max_size=5))
def test_whatever_is_written_reads_back_the_same(chosen: dict[tuple[str, str], dict[int, float]]) -> None:
    entries = []
    for (group, name), numbers in chosen.items():
        hands = range_of(numbers)
        entries.append(NamedRange(group, name, hands, format_range(hands)))
    contents = read_ranges(write_ranges(entries))
    assert contents.problems == ()
    assert set(contents.entries) == set(entries)


@given(st.text(max_size=200))
def test_no_text_is_an_error_and_saving_loses_no_line_of_it(text: str) -> None:
    library = RangeLibrary()
    library._text = text
    before = library.own
    library.save("A new group", "A new range", parse_range("AA"))
    assert library.own == (*before, found(library, "A new group", "A new range"))
    kept = iter(library._text.split("\n"))
    assert all(line in kept for line in text.split("\n") if line.strip()), "lines stay, in their order"


# ---- changing


def test_a_first_save_makes_the_file(path: Path) -> None:
    library = RangeLibrary(path)
    assert library.own == ()
    assert not path.exists()
    library.save("Cash", "Open", parse_range("22+,AKs:0.5"))
    assert path.read_text(encoding="utf-8") == "[Cash]\nOpen = 22+,AKs:0.5\n"
    library.save("", "No group", parse_range("AA"))
    assert path.read_text(encoding="utf-8") == "No group = AA\n[Cash]\nOpen = 22+,AKs:0.5\n"
    assert RangeLibrary(path).own == library.own


def test_a_change_alters_its_own_line_alone(library: RangeLibrary, path: Path) -> None:
    library.save("Cash games", "Button", parse_range("AA"))
    assert path.read_text() == HAND_WRITTEN.replace("22+,A2+,K2s+,50%", "AA")
    library.undo()
    library.save("Cash games", "Small blind", parse_range("AA"))
    added = HAND_WRITTEN.replace("[/50]\n", "[/50]\nSmall blind = AA\n")
    assert path.read_text() == added
    library.rename(found(library, "Cash games", "Small blind"), "Cash games", "  SB   open ")
    assert path.read_text() == added.replace("Small blind", "SB open")
    library.delete(found(library, "Cash games", "SB open"))
    assert path.read_text() == HAND_WRITTEN


def test_renaming_keeps_the_text_and_moves_between_groups(library: RangeLibrary, path: Path) -> None:
    button = found(library, "Cash games", "Button")
    library.rename(button, "Cash games", "BTN")
    assert "BTN = 22+,A2+,K2s+,50%\n" in path.read_text()
    library.rename(found(library, "Cash games", "BTN"), "Cash games/6-max", "BTN")
    assert library.find("Cash games", "BTN") is None
    moved = found(library, "Cash games/6-max", "BTN")
    assert moved.hands == button.hands
    assert path.read_text().endswith("QQ+,AK\nBTN = 22+,A2+,K2s+,50%\n")


def test_every_change_can_be_taken_back_and_made_again(library: RangeLibrary, path: Path) -> None:
    texts = [path.read_text()]
    for change in (
        lambda: library.save("New", "x", parse_range("AA")),
        lambda: library.rename(found(library, "New", "x"), "Newer", "y"),
        lambda: library.delete(found(library, "", "Any pair")),
    ):
        change()
        texts.append(path.read_text())
    assert len(set(texts)) == 4
    for text in texts[-2::-1]:
        library.undo()
        assert path.read_text() == text
    assert not library.can_undo
    for text in texts[1:]:
        library.redo()
        assert path.read_text() == text
    assert not library.can_redo
    assert RangeLibrary(path).own == library.own
    library.undo()
    library.save("", "z", parse_range("AA"))
    assert not library.can_redo


def test_two_windows_do_not_overwrite_each_other(library: RangeLibrary, path: Path) -> None:
    other = RangeLibrary(path)
    assert other.own == library.own
    library.save("", "one", parse_range("AA"))
    other.save("", "two", parse_range("KK"))
    library.reload()
    assert {"one", "two"} <= {entry.name for entry in library.own}
    with pytest.raises(RangeLibraryError, match="changed elsewhere"):
        library.undo()
    assert "two = KK" in path.read_text()


@pytest.mark.parametrize(
    ("group", "name", "reason"),
    [
        ("", "", "needs a name"),
        ("", " \t", "needs a name"),
        ("", "# x", "begins with #"),
        ("", "a\x07b", "cannot be shown"),
        ("[a]", "x", "bracket"),
        (BUILT_IN, "x", "belongs to the app"),
    ],
)
def test_what_cannot_be_a_name_is_refused(library: RangeLibrary, group: str, name: str, reason: str) -> None:
    with pytest.raises(RangeLibraryError, match=reason):
        library.save(group, name, parse_range("AA"))
    with pytest.raises(RangeLibraryError, match=reason):
        library.rename(found(library, "", "Any pair"), group, name)
    assert not library.can_undo


def test_a_name_that_is_taken_is_not_given_to_another(library: RangeLibrary) -> None:
    with pytest.raises(RangeLibraryError, match="already"):
        library.rename(found(library, "Cash games", "Button"), "Cash games", "UTG open")
    gone = found(library, "Cash games", "Button")
    library.delete(gone)
    for act in (library.delete, lambda entry: library.rename(entry, "", "x")):
        with pytest.raises(RangeLibraryError, match="any more"):
            act(gone)


def test_built_in_ranges_are_plain_and_stay(library: RangeLibrary) -> None:
    sizes = {entry.name: entry.hands.combo_count for entry in built_in_ranges()}
    assert sizes["Any two"] == 1326
    assert sizes["Pairs"] == 13 * 6
    assert sizes["Broadway"] == 5 * 6 + 10 * 16  # all of T, J, Q, K, A
    assert sizes["Broadway suited"] == 10 * 4
    assert sizes["Suited connectors"] == 12 * 4
    assert sizes["Suited one-gappers"] == 11 * 4
    assert sizes["Suited aces"] == 12 * 4
    assert sizes["Offsuit aces"] == 12 * 12
    assert sizes["All suited"] == 78 * 4
    for percent in (5, 10, 15, 20, 30, 50):
        assert 0 <= sizes[f"Best {percent}% against one random hand"] - 13.26 * percent < 12
    assert len(sizes) == len(built_in_ranges())
    assert library.entries[-len(sizes) :] == built_in_ranges()
    for act in (library.delete, lambda entry: library.rename(entry, "", "x")):
        with pytest.raises(RangeLibraryError, match="comes with the app"):
            act(built_in_ranges()[0])


# ---- files


def test_import_takes_our_format_and_plain_ranges(library: RangeLibrary, tmp_path: Path) -> None:
    source = tmp_path / "theirs.txt"
    source.write_text(
        "22+, A2s+\nAA:0.5\nnonsense\nAny pair = 22+\n[Cash games]\nButton = KK\n[Built in]\nMine = QQ\n"
    )
    imported = library.import_file(source)
    assert [(entry.group, entry.name) for entry in imported.added] == [
        ("", "22+, A2s+"),
        ("", "AA:0.5"),
        ("Cash games", "Button (2)"),
        ("", "Mine"),
    ]
    assert imported.already_there == 1
    assert len(imported.problems) == 1
    assert imported.problems[0].startswith("Line 3: ")
    assert found(library, "", "22+, A2s+").hands == parse_range("22+,A2s+")
    assert found(library, "Cash games", "Button").hands != found(library, "Cash games", "Button (2)").hands
    assert library.import_file(source).added == (), "a second time adds nothing"
    library.undo()
    assert library.find("", "Mine") is None, "an import is one step"


def test_export_and_import_carry_everything_over(library: RangeLibrary, tmp_path: Path) -> None:
    target = tmp_path / "out" / "mine.txt"
    assert library.export_file(target) == 5
    other = RangeLibrary()
    assert other.import_file(target).problems == ()
    assert {(entry.group, entry.name, entry.hands) for entry in other.own} == {
        (entry.group, entry.name, entry.hands) for entry in library.own
    }


def test_long_plain_ranges_get_short_names_apart(tmp_path: Path) -> None:
    source = tmp_path / "long.txt"
    texts = [f"{'AsAh,' * 20}{last}" for last in ("KK", "QQ")]
    source.write_text(texts[0])
    library = RangeLibrary()
    library.import_file(source)
    source.write_text(texts[1])
    (second,) = library.import_file(source).added
    assert second.name.endswith("… (2)")
    assert len(library.own[0].name) == 60


def test_long_plain_ranges_of_one_file_that_begin_alike_all_come_in(tmp_path: Path) -> None:
    texts = [f"{'AsAh,' * 20}{last}" for last in ("KK", "QQ", "JJ")]
    source = tmp_path / "long.txt"
    source.write_text("\n".join([f"{'AsAh,' * 20}KX", *texts]))
    library = RangeLibrary(tmp_path / "own.txt")
    imported = library.import_file(source)
    assert [entry.hands for entry in imported.added] == list(map(parse_range, texts))
    assert [entry.name[59:] for entry in imported.added] == ["…", "… (2)", "… (3)"]
    assert len(imported.problems) == 1
    again = library.import_file(source)
    assert (again.added, again.already_there) == ((), 3)
    library.delete(library.own[0])
    assert [entry.hands for entry in RangeLibrary(tmp_path / "own.txt").own] == list(map(parse_range, texts[1:]))


def test_files_that_cannot_be_read_or_are_no_lists(library: RangeLibrary, tmp_path: Path) -> None:
    with pytest.raises(RangeLibraryError, match="cannot be read"):
        library.import_file(tmp_path / "none.txt")
    with pytest.raises(RangeLibraryError, match="cannot be read"):
        library.import_file(tmp_path)
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(RangeLibraryError, match="too large"):
        library.import_file(big)


def test_a_library_that_cannot_be_read_is_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "ranges.txt"
    folder.mkdir()  # unreadable for root too
    library = RangeLibrary(folder)
    assert library.own == ()
    assert library.entries == built_in_ranges()
    (problem,) = library.problems
    assert "cannot be read" in problem
    with pytest.raises(RangeLibraryError, match="cannot be read"):
        library.save("", "x", parse_range("AA"))
    assert folder.is_dir()


def test_a_file_that_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    library = RangeLibrary(blocked / "ranges.txt")
    with pytest.raises(RangeLibraryError, match="cannot be"):
        library.save("", "x", parse_range("AA"))
    assert library.own == ()
    assert not library.can_undo


def test_what_cannot_be_written_is_said_and_nothing_is_lost(
    library: RangeLibrary, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def fail(_path: Path, _data: bytes, *, is_private: bool) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(range_library, "write_whole", fail)
    with pytest.raises(RangeLibraryError, match="cannot be written: No space left"):
        library.save("", "y", parse_range("AA"))
    assert path.read_bytes() == before


# Foreign files


@given(runs())
def test_any_text_is_read_or_told(text: str) -> None:
    contents = read_ranges(text)
    assert all(map(is_fit_to_be_shown, contents.problems))
    assert all(entry.name.isprintable() and entry.group.isprintable() for entry in contents.entries)


def test_no_more_lines_are_read_than_a_library_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(range_library, "MOST_LINES", 5)
    contents = read_ranges("".join(f"a{number} = AA\nbad {number}\n" for number in range(50)))
    assert [entry.name for entry in contents.entries] == ["a0", "a1", "a2"]
    assert contents.problems[-1] == "Line 6: Only 5 lines are read."
    assert len(contents.problems) == 3


def test_a_name_has_a_length(library: RangeLibrary) -> None:
    with pytest.raises(RangeLibraryError, match=r"A name has 100 characters at most, and 'n+…' has more"):
        library.save("", "n" * 101, parse_range("AA"))
    with pytest.raises(RangeLibraryError, match="A name has 100 characters at most"):
        library.save("g" * 101, "n", parse_range("AA"))


def test_a_number_behind_the_longest_name_keeps_it_a_name(library: RangeLibrary, tmp_path: Path) -> None:
    library.save("", "n" * LONGEST_NAME, parse_range("AA"))
    other = tmp_path / "other.txt"
    other.write_text(f"{'n' * LONGEST_NAME} = KK\n")
    (added,) = library.import_file(other).added
    assert added.name.endswith(" (2)")
    assert library.find("", added.name) == added


def test_ranges_of_many_new_groups_come_in_with_one_look_at_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    original = range_library._checked_group

    def counted(group: str) -> str:
        nonlocal looked
        looked += 1
        return original(group)

    monkeypatch.setattr(range_library, "_checked_group", counted)
    counts = []
    for number in (20, 40, 80):
        own = RangeLibrary(tmp_path / f"own {number}.txt")
        other = tmp_path / f"{number}.txt"
        other.write_text("".join(f"[group {at}]\nx = AA\n" for at in range(number)))
        looked = 0
        assert len(own.import_file(other).added) == number
        counts.append(looked)
    # A look at all lines for each group would make it four times as many each time.
    assert counts[2] <= 2 * counts[1] <= 4 * counts[0]


def test_the_name_of_a_file_is_quoted_fit_to_be_shown(library: RangeLibrary, tmp_path: Path) -> None:
    for name in ("a\x1b[2J\u202eb\nc", "x" * 200, "a\0b"):
        assert refusal(RangeLibraryError, partial(library.import_file, tmp_path / name)) is not None
    own = RangeLibrary(tmp_path / "too large")
    (tmp_path / "too large").write_bytes(b"#" * (LARGEST_FILE + 1))
    assert own.problems == ("'too large' is too large for a list of ranges.",)
    with pytest.raises(RangeLibraryError, match="too large"):
        own.save("", "x", parse_range("AA"))
