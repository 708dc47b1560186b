"""The window of named ranges: searching, loading, saving, renaming, deleting, files, and the way back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from engine.ranges import Range, parse_range
from tests.hostile import is_fit_to_be_shown
from tests.trainer.gestures import choose_path
from trainer.ranges.library import BUILT_IN, RangeLibrary, built_in_ranges
from trainer.ranges.library_window import RangeLibraryDialog
from trainer.theme import DARK, ThemeSource

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
TEXT = "Any pair = 22+\n[Cash games]\nButton = 22+,A2+\nUTG = TT+,AK\n[Six-max]\nButton = 50%\n"


class Shelf:
    """An open library window and the ranges chosen in it."""

    def __init__(self, qtbot: QtBot, path: Path) -> None:
        self.path = path
        self.theme = ThemeSource()
        self.dialog = RangeLibraryDialog(self.theme, RangeLibrary(path))
        qtbot.addWidget(self.dialog)
        self.chosen: list[Range] = []
        self.dialog.range_chosen.connect(self.chosen.append)

    def open(self, hands: str | None = "72o") -> None:
        self.dialog.open_for(None if hands is None else parse_range(hands))

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def shown(self) -> list[str]:
        """Every range in view, as `group: name`, those that come with the app by one word."""
        lines = []
        for item in self.dialog._items():
            head = item.parent()
            assert isinstance(head, QTreeWidgetItem)
            if not (item.isHidden() or head.isHidden()):
                lines.append(f"{head.text(0)}: {item.text(0)}")
        return lines

    def own(self) -> list[str]:
        return [line for line in self.shown() if not line.startswith(BUILT_IN)]

    def write(self, name: str, group: str) -> None:
        for field, text in ((self.dialog.name, name), (self.dialog.group.lineEdit(), group)):
            field.setFocus()
            field.selectAll()
            QTest.keyClick(field, Qt.Key.Key_Delete)
            QTest.keyClicks(field, text)


@pytest.fixture
def shelf(qtbot: QtBot, tmp_path: Path) -> Iterator[Shelf]:
    path = tmp_path / "ranges.txt"
    path.write_text(TEXT, encoding="utf-8")
    made = Shelf(qtbot, path)
    with qtbot.waitExposed(made.dialog):
        made.open()
    yield made
    made.dialog.close()


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, LEFT)


def test_it_lists_groups_and_what_comes_with_the_app(shelf: Shelf) -> None:
    assert shelf.own() == [
        "Without a group: Any pair",
        "Cash games: Button",
        "Cash games: UTG",
        "Six-max: Button",
    ]
    assert len(shelf.shown()) == 4 + len(built_in_ranges())
    item = shelf.dialog._items()[0]
    assert item.text(1) == "78 combos · 5.9%"
    assert item.toolTip(0) == "22+"
    assert not item.icon(0).isNull()
    assert item.data(0, Qt.ItemDataRole.AccessibleTextRole) == "Any pair, 78 combos · 5.9%"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("butt", ["Cash games: Button", "Six-max: Button"]),
        ("BUTTON six", ["Six-max: Button"]),
        ("tt+", ["Cash games: UTG"]),
        ("nothing like it", []),
    ],
)
def test_search_looks_at_names_groups_and_text(shelf: Shelf, words: str, found: list[str]) -> None:
    QTest.keyClicks(shelf.dialog.search, words)
    assert shelf.own() == found
    shelf.dialog.search.clear()
    assert len(shelf.own()) == 4


def test_what_is_found_in_a_folded_group_is_seen(shelf: Shelf) -> None:
    for head in shelf.dialog._heads():
        head.setExpanded(False)
    QTest.keyClicks(shelf.dialog.search, "butt")
    assert {head.text(0): head.isExpanded() for head in shelf.dialog._heads() if not head.isHidden()} == {
        "Cash games": True,
        "Six-max": True,
    }
    assert not shelf.dialog._heads()[0].isExpanded(), "nothing is found there"


def test_search_and_enter_load_without_a_mouse(shelf: Shelf) -> None:
    QTest.keyClicks(shelf.dialog.search, "utg")
    QTest.keyClick(shelf.dialog.search, Qt.Key.Key_Return)
    assert shelf.chosen == [parse_range("TT+,AK")]
    assert not shelf.dialog.isVisible()


def test_arrow_keys_and_enter_load_too(shelf: Shelf, qtbot: QtBot) -> None:
    QTest.keyClick(shelf.dialog.search, Qt.Key.Key_Down)
    qtbot.waitUntil(shelf.dialog.tree.hasFocus)
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Down)
    while shelf.dialog.name.text() != "UTG":
        QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Down)
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Return)
    assert shelf.chosen == [parse_range("TT+,AK")]


def test_a_double_click_loads_and_one_on_a_group_does_not(shelf: Shelf, qtbot: QtBot) -> None:
    tree = shelf.dialog.tree
    shelf.dialog.choose("Cash games", "UTG")
    place = tree.visualItemRect(tree.currentItem()).center()
    group = tree.visualItemRect(tree.currentItem().parent()).center()
    qtbot.mouseClick(tree.viewport(), LEFT, pos=group)
    qtbot.mouseDClick(tree.viewport(), LEFT, pos=group)
    assert shelf.chosen == []
    assert not shelf.dialog.load_button.isEnabled()
    if not tree.currentItem().isExpanded():
        tree.currentItem().setExpanded(True)
    qtbot.mouseClick(tree.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(tree.viewport(), LEFT, pos=place)
    assert shelf.chosen == [parse_range("TT+,AK")]


def test_the_range_at_hand_is_saved_under_a_name(shelf: Shelf, qtbot: QtBot) -> None:
    assert not shelf.dialog.save_button.isEnabled(), "it has no name yet"
    shelf.write("Trash", "Cash games")
    click(qtbot, shelf.dialog.save_button)
    assert "UTG = TT+,AK\nTrash = 72o\n" in shelf.text
    assert "Cash games: Trash" in shelf.own()
    current = shelf.dialog.current()
    assert current is not None
    assert current.name == "Trash"
    shelf.dialog.set_range(parse_range("32o"))
    assert shelf.dialog.save_button.text().replace("&", "") == "Replace"
    click(qtbot, shelf.dialog.save_button)
    assert "Trash = 32o\n" in shelf.text
    for expected in ("Trash = 72o\n", "UTG = TT+,AK\n[Six-max]"):
        click(qtbot, shelf.dialog.undo_button)
        assert expected in shelf.text
    assert shelf.text == TEXT
    click(qtbot, shelf.dialog.redo_button)
    assert "Trash = 72o\n" in shelf.text


def test_without_a_range_there_is_nothing_to_save(shelf: Shelf) -> None:
    shelf.open(None)
    shelf.write("x", "")
    assert not shelf.dialog.save_button.isEnabled()
    QTest.keyClick(shelf.dialog.name, Qt.Key.Key_Return)
    assert shelf.text == TEXT


def test_renaming_and_moving(shelf: Shelf, qtbot: QtBot) -> None:
    shelf.dialog.choose("Cash games", "Button")
    assert not shelf.dialog.rename_button.isEnabled(), "nothing is changed yet"
    shelf.write("On the button", "Live")
    click(qtbot, shelf.dialog.rename_button)
    assert shelf.text.endswith("[Live]\nOn the button = 22+,A2+\n")
    assert "Live: On the button" in shelf.own()
    assert "Cash games: Button" not in shelf.own()


def test_a_taken_or_impossible_name_is_told(shelf: Shelf, qtbot: QtBot) -> None:
    shelf.dialog.choose("Cash games", "Button")
    shelf.write("UTG", "Cash games")
    click(qtbot, shelf.dialog.rename_button)
    assert "already" in shelf.dialog.message.text()
    shelf.write("x", BUILT_IN)
    click(qtbot, shelf.dialog.save_button)
    assert "belongs to the app" in shelf.dialog.message.text()
    assert shelf.text == TEXT


def test_deleting_by_key_and_the_way_back(shelf: Shelf) -> None:
    shelf.dialog.choose("Cash games", "UTG")
    shelf.dialog.tree.setFocus()
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Delete)
    assert "Cash games: UTG" not in shelf.own()
    assert "Undo" in shelf.dialog.message.text()
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Z, CONTROL)
    assert shelf.text == TEXT
    assert "Cash games: UTG" in shelf.own()
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Z, CONTROL)  # nothing is left to take back
    assert shelf.text == TEXT


def test_what_comes_with_the_app_can_be_loaded_but_not_changed(shelf: Shelf, qtbot: QtBot) -> None:
    assert shelf.dialog.choose(BUILT_IN, "Suited aces")
    assert shelf.dialog.group.currentText() == ""
    assert not shelf.dialog.delete_button.isEnabled()
    assert not shelf.dialog.rename_button.isEnabled()
    shelf.dialog.tree.setFocus()
    QTest.keyClick(shelf.dialog.tree, Qt.Key.Key_Delete)
    assert "comes with the app" in shelf.dialog.message.text()
    click(qtbot, shelf.dialog.load_button)
    assert shelf.chosen == [parse_range("A2s+")]


def test_damaged_lines_are_told_on_opening(shelf: Shelf) -> None:
    shelf.path.write_text(TEXT + "x = 1x\ny = 2y\n")
    shelf.open()
    assert shelf.dialog.message.text().startswith("Line 7: '1x' is no hand")
    assert "1 more" in shelf.dialog.message.text()
    assert "Line 8" in shelf.dialog.message.toolTip()
    assert len(shelf.own()) == 4


def test_no_control_character_of_a_file_is_shown(shelf: Shelf, tmp_path: Path) -> None:
    shelf.path.write_text(TEXT + "x = \x1b[2J\u202e\n\x07 = AA\n" + "y" * 200 + " = AA\n")
    shelf.open()
    assert is_fit_to_be_shown(shelf.dialog.message.text())
    assert all(map(is_fit_to_be_shown, shelf.dialog.message.toolTip().split("\n")))
    shelf.dialog.import_from(tmp_path / "\x1b[2J\u202e.txt")
    assert shelf.dialog.message.text() == "'\ufffd[2J\ufffd.txt' cannot be read: No such file or directory."


def test_changes_of_the_file_show_on_opening(shelf: Shelf) -> None:
    shelf.path.write_text("Other = AA\n")
    shelf.open()
    assert shelf.own() == ["Without a group: Other"]


def test_import_and_export_through_the_file_windows(shelf: Shelf, qtbot: QtBot, tmp_path: Path) -> None:
    actions = {action.text(): action for action in shelf.dialog.files.menu().actions()}
    actions["&Export…"].trigger()
    target = tmp_path / "out.txt"
    choose_path(shelf.dialog, target)
    assert shelf.dialog.message.text() == "4 ranges written to out.txt."
    target.write_text(target.read_text() + "Trash = 72o\nnonsense\n")
    actions["&Import…"].trigger()
    choose_path(shelf.dialog, target)
    assert shelf.dialog.message.text().startswith(
        "1 range added from out.txt, 4 there already, 1 line is no range: Line 10: 'nonsense'"
    )
    assert "Six-max: Trash" in shelf.own()
    click(qtbot, shelf.dialog.undo_button)
    assert shelf.text == TEXT
    shelf.dialog.import_from(tmp_path / "missing.txt")
    assert "cannot be read" in shelf.dialog.message.text()
    shelf.dialog.export_to(tmp_path)
    assert "cannot be written" in shelf.dialog.message.text()


def test_folded_groups_stay_folded_and_pictures_follow_the_theme(shelf: Shelf) -> None:
    head = shelf.dialog._heads()[1]
    head.setExpanded(False)
    before = shelf.dialog._items()[0].icon(0).pixmap(26).toImage()
    shelf.theme.theme = DARK
    shelf.theme.changed.emit(DARK)
    assert not shelf.dialog._heads()[1].isExpanded()
    assert shelf.dialog._heads()[0].isExpanded()
    assert shelf.dialog._items()[0].icon(0).pixmap(26).toImage() != before


def test_no_two_controls_share_a_mnemonic_and_all_have_names(shelf: Shelf) -> None:
    dialog = shelf.dialog
    texts = [widget.text() for widget in (*dialog.findChildren(QAbstractButton), *dialog.findChildren(QLabel))]
    keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
    assert len(keys) >= 10
    assert len(keys) == len(set(keys)), sorted(keys)
    for widget in (dialog.search, dialog.tree, dialog.name, dialog.group, dialog.files):
        assert widget.accessibleName()
