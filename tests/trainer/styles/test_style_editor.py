"""The editor of styles of one's own, by clicks and keys: sliders, figures that follow, files and text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QMessageBox,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.agents.rule_based.pool import POOL
from engine.agents.rule_based.temper import Sizing
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import NUMBERS, Answers, OwnStyle, description, nearest_style, read_style, style_text
from engine.agents.styles import STYLES
from tests.trainer.gestures import PATIENCE, give_name, opened
from trainer.jobs import Jobs
from trainer.styles import style_figures_model
from trainer.styles.own_styles import OwnStyles
from trainer.styles.style_editor import StyleEditor
from trainer.styles.style_editor_model import BEGINNINGS, StyleEditorModel
from trainer.styles.style_figures_model import StyleFiguresModel
from trainer.theme import ThemeSource

NIT = nearest_style("My nit", TEMPERS["nit"][0])
LEO = nearest_style("Uncle Leo", TEMPERS["maniac"][0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "styles"
    folder.mkdir()
    return folder


@pytest.fixture
def editor(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StyleEditor]:
    """Show the editor with two styles saved, which it measures on a few hands."""
    monkeypatch.setattr(style_figures_model, "HANDS", 100)
    for number, style in enumerate((NIT, LEO)):
        (folder / f"{number}.toml").write_text(style_text(style))
    model = StyleEditorModel(OwnStyles(folder))
    made = opened(qtbot, StyleEditor(theme, model, StyleFiguresModel(jobs)))
    made.activateWindow()
    yield made
    model.discard()


def named(window: QWidget, kind: type, name: str) -> QWidget:
    found = [widget for widget in window.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, name
    widget = found[0]
    assert isinstance(widget, QWidget)
    return widget


def said(editor: StyleEditor, name: str) -> str:
    label = named(editor, QLabel, name)
    assert isinstance(label, QLabel)
    return label.text()


def told(editor: StyleEditor) -> str:
    return said(editor, "What was done, or could not be")


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isEnabled(), button.text()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def answer(qtbot: QtBot, editor: StyleEditor, text: str) -> None:
    (box,) = editor.findChildren(QMessageBox)
    click(qtbot, next(button for button in box.buttons() if button.text() == text))
    qtbot.waitUntil(lambda: not editor.findChildren(QMessageBox))


def choose(qtbot: QtBot, box: QComboBox, text: str) -> None:
    """Choose an entry as keys do in a list that is open."""
    at = box.findText(text)
    assert at >= 0, text
    box.setCurrentIndex(at)
    box.activated.emit(at)


def offered(editor: StyleEditor) -> list[str]:
    return [editor.names.itemText(at) for at in range(editor.names.count())]


def measured(qtbot: QtBot, editor: StyleEditor) -> float:
    """Wait for the figures of the numbers shown; give VPIP in percent."""
    qtbot.waitUntil(
        lambda: editor.figures.is_current and "over 100 hands" in editor.figures.progress, timeout=PATIENCE
    )
    text = said(editor, "VPIP")
    assert "±" in text
    assert text.endswith("%")
    return float(text.split(" ")[0])


def test_a_slider_is_moved_by_keys_and_the_figures_follow(qtbot: QtBot, editor: StyleEditor) -> None:
    assert editor.model.style == NIT
    assert said(editor, "How it plays") == description(NIT)
    before = measured(qtbot, editor)
    for name in ("Plays early", "Plays in the middle", "Plays late", "Plays in the blinds", "Calls raises with"):
        slider = named(editor, QSlider, name)
        slider.setFocus()
        QTest.keyClick(editor.windowHandle(), Qt.Key.Key_End)
        QTest.keyClick(editor.windowHandle(), Qt.Key.Key_Left)
    assert not editor.figures.is_current
    style = editor.model.style
    assert [style.early, style.middle, style.late, style.blinds, style.calls_raises] == [99.0] * 5
    exact = named(editor, QDoubleSpinBox, "Plays early, exactly")
    assert isinstance(exact, QDoubleSpinBox)
    assert exact.text() == "99 %"
    assert said(editor, "How it plays").startswith("Loose-aggressive: plays 99% of hands, raises 80% of them")
    assert measured(qtbot, editor) > before + 40


def test_an_exact_number_is_typed(qtbot: QtBot, editor: StyleEditor) -> None:
    exact, slider = named(editor, QDoubleSpinBox, "3-bets, exactly"), named(editor, QSlider, "3-bets")
    assert isinstance(exact, QDoubleSpinBox)
    assert isinstance(slider, QSlider)
    exact.setFocus()
    exact.selectAll()
    QTest.keyClicks(exact, "7.5")
    QTest.keyClick(exact, Qt.Key.Key_Return)
    assert editor.isVisible()
    assert (editor.model.style.three_bets, slider.value()) == (7.5, 75)


def test_a_number_counts_while_it_is_typed(qtbot: QtBot, editor: StyleEditor) -> None:
    """Text that was copied by its key had the number from before, and nothing could be saved until Tab."""
    style = editor.model.style
    editor.model.save_as(style.name)
    assert not editor.save.isEnabled()
    exact = named(editor, QDoubleSpinBox, "Bets, of the pot, exactly")
    assert isinstance(exact, QDoubleSpinBox)
    exact.setFocus()
    exact.selectAll()
    shown = []
    for sign in "64.5":
        QTest.keyClicks(exact, sign)
        shown.append((exact.cleanText(), editor.model.style.bet_size))
    assert shown == [("6", style.bet_size), ("64", 64), ("64.", 64), ("64.5", 64.5)]
    assert editor.save.isEnabled()
    QTest.keyClick(editor.windowHandle(), Qt.Key.Key_C, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "bet_size = 64.5" in QGuiApplication.clipboard().text())
    editor.model.undo()
    assert (editor.model.style, exact.cleanText()) == (style, f"{style.bet_size:g}")


def test_steps_are_taken_back_and_again(qtbot: QtBot, editor: StyleEditor) -> None:
    slider = named(editor, QSlider, "Aggression")
    slider.setFocus()
    for _ in range(3):
        QTest.keyClick(editor.windowHandle(), Qt.Key.Key_Right)
    choose(qtbot, editor.sizings, "as small as allowed")
    choose(qtbot, editor.answers, "strong hands alone")
    done = editor.model.style
    assert (done.aggression, done.sizing, done.answers) == (NIT.aggression + 3, Sizing.LEAST, Answers.STRONG)
    assert not editor.rows["calls_down"].isEnabled()
    assert not editor.rows["bet_size"].isEnabled()
    for _ in range(3):
        QTest.keyClick(editor.windowHandle(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.model.style == NIT
    assert not editor.undo.isEnabled()
    for _ in range(3):
        click(qtbot, editor.redo)
    assert editor.model.style == done


def test_a_style_is_begun_saved_renamed_and_deleted(qtbot: QtBot, editor: StyleEditor, folder: Path) -> None:
    assert offered(editor)[:3] == ["Your own", "My nit", "Uncle Leo"]
    choose(qtbot, editor.names, "Calling station")
    assert editor.names.currentText() == "My Calling station (not saved)"
    click(qtbot, editor.save)
    give_name(qtbot, editor, "Nit")
    assert told(editor) == "'Nit' is a style of the app: save yours by another name."
    click(qtbot, editor.save)
    give_name(qtbot, editor, "Uncle Leo")
    assert told(editor) == "You have a style 'Uncle Leo' already: choose another name."
    assert read_style(folder / "1.toml") == LEO
    click(qtbot, editor.save_as)
    give_name(qtbot, editor, "Friday: Tom")
    file = folder / "friday-tom.toml"
    tom = structs.replace(nearest_style("", TEMPERS["calling station"][0]), name="Friday: Tom")
    assert read_style(file) == tom
    assert (told(editor), editor.names.currentText()) == ("Saved as 'Friday: Tom'.", "Friday: Tom")
    assert not editor.save.isEnabled()

    QTest.keyClick(named(editor, QSlider, "Bluffs"), Qt.Key.Key_Right)
    assert editor.names.currentText() == "Friday: Tom (changed)"
    click(qtbot, editor.save)
    assert read_style(file).bluffs == tom.bluffs + 1
    click(qtbot, editor.rename)
    give_name(qtbot, editor, "Tom")
    assert not file.exists()
    assert read_style(folder / "tom.toml").name == "Tom"
    for button in ("&Keep it", "&Delete it"):
        click(qtbot, editor.delete)
        answer(qtbot, editor, button)
        assert (folder / "tom.toml").exists() == (button == "&Keep it")
    assert told(editor) == "'Tom' is deleted; Undo brings its numbers back."
    assert editor.model.style == NIT
    click(qtbot, editor.undo)
    assert editor.names.currentText() == "Tom (not saved)"


def test_it_begins_with_the_numbers_of_any_rule_based_style(qtbot: QtBot, editor: StyleEditor) -> None:
    choose(qtbot, editor.names, STYLES["o5"].title)
    style = editor.model.style
    assert (style.name, style.early, style.is_same_at_all_tables) == (f"My {STYLES['o5'].title}", 50.0, True)
    assert editor.is_same.isChecked()
    click(qtbot, editor.is_same)
    assert editor.model.style == structs.replace(style, is_same_at_all_tables=False)
    assert set(BEGINNINGS) >= {*TEMPERS, *POOL}


def test_a_style_is_shared_as_text(qtbot: QtBot, editor: StyleEditor) -> None:
    click(qtbot, editor.copy)
    assert QGuiApplication.clipboard().text() == style_text(NIT)
    assert told(editor) == "'My nit' is on the clipboard as text."
    click(qtbot, editor.paste)
    assert editor.names.currentText() == "My nit"
    theirs = structs.replace(LEO, name="My nit")
    QGuiApplication.clipboard().setText(f"\n{style_text(theirs)}\n")
    click(qtbot, editor.paste)
    assert editor.model.style == structs.replace(theirs, name="My nit 2")
    assert editor.model.is_unsaved_work


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "The text is no style: The setting 'name' is missing; it is a text of 1 to 60 characters."),
        ("rubbish", "The text is no style: Its TOML is damaged: "),
        (style_text(LEO).replace("early = 85", "early = 185"), "The text is no style: The setting 'early' is a "),
    ],
)
def test_a_broken_text_is_a_sentence_and_nothing_is_lost(
    qtbot: QtBot, editor: StyleEditor, folder: Path, text: str, why: str
) -> None:
    QTest.keyClick(named(editor, QSlider, "Bluffs"), Qt.Key.Key_PageUp)
    before = editor.model.style
    assert before != NIT
    QGuiApplication.clipboard().setText(text)
    click(qtbot, editor.paste)
    assert told(editor).startswith(why)
    assert editor.model.style == before
    assert {path.name: read_style(path) for path in folder.iterdir()} == {"0.toml": NIT, "1.toml": LEO}


def test_files_are_taken_and_written_anywhere(qtbot: QtBot, editor: StyleEditor, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.toml"
    editor.write_file(str(path))
    assert read_style(path) == NIT
    assert told(editor) == "Written to elsewhere.toml."
    editor.write_file(str(tmp_path / "missing" / "x.toml"))
    assert told(editor) == "x.toml could not be written: No such file or directory."
    path.write_text(style_text(structs.replace(LEO, name="Tom")))
    editor.take_file(str(path))
    assert editor.names.currentText() == "Tom (not saved)"
    path.write_text("early = 1")
    editor.take_file(str(path))
    assert told(editor).startswith("The style elsewhere.toml cannot be played: The setting 'name' is missing")
    assert editor.model.style.name == "Tom"


def test_it_is_asked_what_becomes_of_unsaved_numbers(qtbot: QtBot, editor: StyleEditor, folder: Path) -> None:
    slider = named(editor, QSlider, "Bluffs")
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    answer(qtbot, editor, "&Go on")
    assert editor.isVisible()
    click(qtbot, editor.leave)
    answer(qtbot, editor, "&Drop the changes")
    assert not editor.isVisible()
    assert editor.model.style == NIT

    editor.show()
    QTest.keyClick(slider, Qt.Key.Key_PageUp)
    editor.close()
    answer(qtbot, editor, "&Save it")
    assert not editor.isVisible()
    assert read_style(folder / "0.toml").bluffs == NIT.bluffs + 10
    editor.show()
    choose(qtbot, editor.names, "Maniac")
    click(qtbot, editor.leave)
    assert not editor.isVisible(), "what nobody has touched is not worth a question"


def test_what_is_wrong_with_files_is_said(qtbot: QtBot, editor: StyleEditor, folder: Path) -> None:
    editor.close()
    (folder / "bad.toml").write_text("early = 1")
    editor.show()
    assert told(editor).startswith("The style bad.toml cannot be played: The setting 'name' is missing")


def test_every_control_is_reached_by_keys_and_has_a_name(editor: StyleEditor) -> None:
    reached: list[QWidget] = []
    while (focused := editor.focusWidget()) not in reached:
        reached.append(focused)
        QTest.keyClick(editor.windowHandle(), Qt.Key.Key_Tab)
    for row in editor.rows.values():
        assert row.slider in reached
        assert row.exact in reached
        assert row.slider.accessibleDescription()
    assert set(editor.rows) == set(NUMBERS)
    assert {editor.names, editor.sizings, editor.answers, editor.tables, editor.copy, editor.leave} <= set(reached)
    for kind in (QSlider, QDoubleSpinBox, QComboBox):
        for widget in editor.findChildren(kind):
            assert widget.accessibleName(), widget


def test_the_first_style_is_begun_for_the_player(qtbot: QtBot, tmp_path: Path) -> None:
    model = StyleEditorModel(OwnStyles(tmp_path / "none"))
    assert model.style == nearest_style("My Loose-aggressive", TEMPERS["loose-aggressive"][0])
    assert (model.is_changed, model.is_unsaved_work) == (True, False)


def test_nothing_is_measured_that_nobody_sees(qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def refuse(text: str, seats: int) -> None:
        asked.append((text, seats))
        raise ValueError("the cards are out.")

    monkeypatch.setattr(style_figures_model, "_measured", refuse)
    figures = StyleFiguresModel(jobs)
    figures.show_style(NIT)
    assert not figures._settled.isActive()
    figures.set_on(True)
    figures.show_style(LEO)
    figures.set_seats(2)
    qtbot.waitUntil(lambda: figures.progress == "It could not be measured: the cards are out.", timeout=PATIENCE)
    any_name: OwnStyle = structs.replace(LEO, name="any")
    assert asked == [(style_text(any_name), 2)], "only the last numbers, once they had settled"
    figures.show_style(structs.replace(LEO, name="the same"))
    assert not figures._settled.isActive()
    figures.show_style(NIT)
    figures.set_on(False)
    assert not figures._settled.isActive()
