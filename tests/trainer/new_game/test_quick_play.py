"""Quick play: one key and the cards fall, against those whom the level names."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.agents.styles import seats_problem
from engine.game.formats import GameConfig
from tests.conftest import ROOT
from trainer.new_game.dialog import NewGameDialog
from trainer.new_game.levels import LEVELS, level_words
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

PAGE = (ROOT / "docs" / "opponents.md").read_text(encoding="utf-8")


@pytest.fixture
def dialog(qtbot: QtBot, tmp_path: Path) -> NewGameDialog:
    dialog = NewGameDialog(ThemeSource(), SettingsFile(tmp_path / "soulread.ini"))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_one_key_deals_at_a_level(qtbot: QtBot, dialog: NewGameDialog, number: int) -> None:
    chosen: list[GameConfig] = []
    dialog.game_chosen.connect(chosen.append)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog.windowHandle(), Qt.Key(Qt.Key.Key_0.value + number), Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: bool(chosen))
    (config,) = chosen
    assert not dialog.isVisible()
    config.verify()
    assert [seat.style for seat in config.seats] == ["human", *LEVELS[number - 1].styles]
    assert config.seed > 0
    assert not seats_problem((seat.style for seat in config.seats), len(config.seats))


def test_the_name_that_the_player_has_given_themselves_stays(qtbot: QtBot, dialog: NewGameDialog) -> None:
    chosen: list[GameConfig] = []
    dialog.game_chosen.connect(chosen.append)
    dialog.seats._rows[0].name.setText("Zoë")
    qtbot.mouseClick(dialog.quick_play.buttons[0], Qt.MouseButton.LeftButton)
    assert chosen[0].seats[0].name == "Zoë"


def test_a_level_tells_who_sits_there_before_it_is_chosen(dialog: NewGameDialog) -> None:
    quick = dialog.quick_play
    assert "Alt+1 to Alt+5" in quick.words.text()
    quick.buttons[1].setFocus(Qt.FocusReason.TabFocusReason)
    assert "Maniac" in quick.words.text()
    assert level_words(LEVELS[1]) in quick.words.text()
    dialog._ok.setFocus()
    assert "Alt+1 to Alt+5" in quick.words.text()


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_the_page_says_the_same(number: int) -> None:
    level = LEVELS[number - 1]
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {number} | {level.title} |")]
    assert ", ".join(f"`{style}`" for style in level.styles) in line
    won = "-" if level.won is None else f"{level.won[0]:+.0f} ± {level.won[1]:.0f}"
    assert line.endswith(f"| {won} |")


def test_levels_go_from_easy_to_hard() -> None:
    won = [level.won[0] for level in LEVELS if level.won is not None]
    assert won == sorted(won, reverse=True)
