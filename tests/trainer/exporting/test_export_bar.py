"""Hands written from the list of all hands: those listed, those chosen, stopped, and into a file that cannot be."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from engine.game.rules import TableRules
from engine.hand_histories.files import read_file
from engine.hand_histories.imported import ImportedHand
from tests.engine.hand_histories.test_export import own
from tests.trainer.gestures import PATIENCE, choose_path, opened
from trainer.exporting import export_bar
from trainer.exporting.run import ExportReport, export_hands
from trainer.history.played_hands import PlayedHandsWindow
from trainer.jobs import Jobs
from trainer.storage.store import Store
from trainer.theme import ThemeSource

HANDS = 300


@pytest.fixture(scope="module")
def store() -> Store:
    store = Store(None)
    hands = [own(seed, [200] * 3, TableRules(5, 10)) for seed in range(HANDS)]
    assert store.imports.add(hands).new == HANDS
    return store


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, store: Store, tmp_path: Path) -> PlayedHandsWindow:
    window = opened(qtbot, PlayedHandsWindow(theme, jobs))
    window.set_store(store)
    window.export.folder = tmp_path
    qtbot.waitUntil(lambda: window.model.rowCount() == HANDS, timeout=PATIENCE)
    return window


def choose(qtbot: QtBot, window: PlayedHandsWindow, action: QAction) -> None:
    """Click on an entry of the button's menu."""
    menu = window.export.button.menu()
    menu.popup(window.mapToGlobal(window.rect().center()))
    qtbot.waitUntil(menu.isVisible, timeout=PATIENCE)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def save_as(qtbot: QtBot, window: PlayedHandsWindow, path: Path, form: str = "") -> None:
    """Answer the dialog that asks for a file of some form."""
    qtbot.waitUntil(lambda: bool(window.export.findChildren(QFileDialog)), timeout=PATIENCE)
    dialog = window.export.findChildren(QFileDialog)[-1]
    (wanted,) = [each for each in dialog.nameFilters() if form in each] if form else dialog.nameFilters()[:1]
    dialog.selectNameFilter(wanted)
    dialog.filterSelected.emit(wanted)
    assert f"*.{dialog.defaultSuffix()})" in wanted
    choose_path(window.export, path)


def test_all_listed_hands_are_written(qtbot: QtBot, window: PlayedHandsWindow, tmp_path: Path) -> None:
    export = window.export
    choose(qtbot, window, export.all_listed)
    assert export.all_listed.text() == f"&All hands listed ({HANDS})…"
    save_as(qtbot, window, tmp_path / "all.phhs")
    qtbot.waitUntil(lambda: "written into" in export.message.text(), timeout=PATIENCE)
    assert export.message.isVisible()
    assert export.message.text() == f"{HANDS} hands written into all.phhs."
    assert len(list(read_file(tmp_path / "all.phhs"))) == HANDS
    assert export.button.isVisible()
    assert not export.stop.isVisible()


def test_chosen_hands_are_written_in_the_form_that_is_chosen(
    qtbot: QtBot, window: PlayedHandsWindow, tmp_path: Path
) -> None:
    view, model = window.view, window.model
    at = [view.visualRect(model.index(row, 0)).center() for row in range(3)]
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at[0])
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, pos=at[2])
    choose(qtbot, window, window.export.only_chosen)
    assert window.export.only_chosen.text() == "&Chosen hands (3)…"
    save_as(qtbot, window, tmp_path / "some.txt", "PokerStars")
    qtbot.waitUntil(lambda: "written into" in window.export.message.text(), timeout=PATIENCE)
    hands = list(read_file(tmp_path / "some.txt"))
    assert [hand.site for hand in hands if isinstance(hand, ImportedHand)] == ["PokerStars"] * 3


def test_the_ending_that_is_typed_goes_before_the_form_that_stood_there(
    qtbot: QtBot, window: PlayedHandsWindow, tmp_path: Path
) -> None:
    """What was to be a text of PokerStars by its name was a Poker Hand History."""
    choose(qtbot, window, window.export.only_chosen)
    save_as(qtbot, window, tmp_path / "one.TXT")
    qtbot.waitUntil(lambda: "written into" in window.export.message.text(), timeout=PATIENCE)
    assert (tmp_path / "one.TXT").read_text().startswith("PokerStars ")


def test_stopped_it_leaves_no_file(
    qtbot: QtBot, window: PlayedHandsWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(store: Store, hand_ids: Sequence[int], path: Path, form: str) -> Iterator[ExportReport]:
        steps = export_hands(store, hand_ids, path, form)
        first = next(steps)
        while True:
            yield first

    monkeypatch.setattr(export_bar, "export_hands", endless)
    choose(qtbot, window, window.export.all_listed)
    save_as(qtbot, window, tmp_path / "all.csv", "Table")
    qtbot.waitUntil(lambda: window.export.message.text().startswith("Writing: "), timeout=PATIENCE)
    assert not window.export.button.isVisible()
    qtbot.mouseClick(window.export.stop, Qt.MouseButton.LeftButton)
    assert window.export.message.text() == "Stopped; nothing is written."
    assert window.export.button.isVisible()
    qtbot.waitUntil(lambda: not list(tmp_path.iterdir()), timeout=PATIENCE)


def test_a_file_that_cannot_be_written_is_said(qtbot: QtBot, window: PlayedHandsWindow, tmp_path: Path) -> None:
    window.export.write([1], tmp_path / "nowhere" / "a.csv", "csv")
    qtbot.waitUntil(lambda: "cannot be written" in window.export.message.text(), timeout=PATIENCE)
    assert window.export.message.text() == "a.csv cannot be written: No such file or directory."
    assert window.export.button.isVisible()
