"""The lab's experiments by clicks and keys: one in real processes, its figure, numbers, words and files."""

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from engine.lab.experiments.ensemble.grids import FIGURE_8
from engine.lab.experiments.records import RECORDS
from engine.lab.experiments.running import ALL_EXPERIMENTS
from tests.trainer.gestures import PATIENCE, opened, type_into
from tests.trainer.lab.conftest import Saves
from tests.trainer.lab.samples import QUICK, check, choose, ended, inline_experiment
from trainer.app import App
from trainer.jobs import Jobs
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.page import FOLDER
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.window import LabWindow
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton

LABS: list[LabWindow] = []
"""In the app a lab stays until the end. Python must not forget its parts before Qt has destroyed them here."""


def lab(
    qtbot: QtBot,
    theme: ThemeSource,
    jobs: Jobs,
    settings: Path,
    make_run: MakeExperimentRun,
    setup: ExperimentSetup | None = QUICK,
) -> LabWindow:
    window = LabWindow(theme, jobs, SettingsFile(settings), make_experiment=make_run)
    LABS.append(opened(qtbot, window))
    bar = window.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(1).center())
    if setup is not None:
        window.experiments.model.choose(setup)
    return window


def test_an_experiment_is_run_in_processes_shown_and_saved(
    qtbot: QtBot, app: App, tmp_path: Path, save_as: Saves
) -> None:
    app.window.menus.lab.trigger()
    window = app.window.lab.window
    assert window is not None
    LABS.append(opened(qtbot, window))
    bar = window.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(1).center())
    page = window.experiments
    choose(qtbot, page.setup.experiment, "fig11")
    assert page.setup.paper.text().startswith("Rank, hands survived, chips left and fluctuation of eight players. ")
    assert "The paper's FOLD is the best of eight" in page.setup.paper.text()
    check(qtbot, page.setup.agents, "Tight-passive")
    assert page.setup.measured.text() == "Measured: Tight-passive."
    qtbot.mouseClick(page.setup.is_short, LEFT, pos=QPoint(8, page.setup.is_short.height() // 2))
    assert page.model.setup.is_short
    type_into(page.setup.matches.lineEdit(), "3")
    assert page.shown.figure.is_empty
    assert not page.export.button.isEnabled()
    qtbot.mouseClick(page.run.start, LEFT)
    assert not page.setup.isEnabled()
    assert not window.matches.run.start.isEnabled(), "one at a time"
    ended(qtbot, page.model)
    assert page.run.words.text() == "Finished: 3 of 3 matches."
    assert (tmp_path / FOLDER / RECORDS).exists()
    assert page.shown.title.text().startswith("Figure 11: ")
    assert not page.shown.figure.is_empty
    assert len(page.shown.table.toPlainText().splitlines()) == 9
    assert "Tight-passive" in page.shown.table.toPlainText()
    assert "Tight-passive is" in page.shown.paragraph.text()
    qtbot.keyClick(page.shown.tabs.tabBar(), Qt.Key.Key_Right)
    assert page.shown.table.isVisible()

    save_as("numbers.csv")
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert page.notice.text() == "Saved as numbers.csv."
    with (tmp_path / "numbers.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 4 * 8
    save_as("figure.png")
    page.export.as_png.trigger()
    assert QImage(str(tmp_path / "figure.png")).width() > 200
    save_as("figure.svg")
    page.export.as_svg.trigger()
    assert b"<svg" in (tmp_path / "figure.svg").read_bytes()
    save_as("no folder/figure.svg")
    page.export.as_svg.trigger()
    assert page.notice.text() == "figure.svg cannot be written: No such file or directory."
    app._preparation.stop()
    qtbot.waitUntil(lambda: app.jobs.is_quiet(apart_from=""), timeout=PATIENCE)


def test_every_experiment_is_named_whole_in_a_small_window(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    window = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment, setup=None)
    window.resize(1008, 600)
    box = window.experiments.setup.experiment
    metrics = box.fontMetrics()
    for name in ALL_EXPERIMENTS:
        choose(qtbot, window.experiments.setup.experiment, name)
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
        shown = option.currentText
        assert metrics.horizontalAdvance(shown) <= room, shown
        title = box.currentText()
        assert title.startswith(shown)
        assert title.removeprefix(shown).casefold().strip(": ") in window.experiments.setup.paper.text().casefold()
    box.showPopup()
    longest = max(metrics.horizontalAdvance(box.itemText(at)) for at in range(box.count()))
    qtbot.waitUntil(lambda: box.view().viewport().width() > longest)
    qtbot.keyClick(box.view(), Qt.Key.Key_Escape)


@pytest.mark.slow
def test_an_experiment_of_the_ensemble_paper_is_evolved_shown_and_saved(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, save_as: Saves
) -> None:
    page = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", ExperimentRun, setup=None).experiments
    choose(qtbot, page.setup.experiment, "fig8-evo")
    assert page.setup.experiment.currentText().startswith("A* · Figure 8: ")
    assert page.setup.paper.text().endswith(f". {FIGURE_8.PAPER}")
    assert not page.setup.agents.isEnabled()
    assert not page.setup.matches.isEnabled()
    qtbot.mouseClick(page.setup.is_short, LEFT, pos=QPoint(8, page.setup.is_short.height() // 2))
    assert page.setup.measured.text().startswith("Evolves first what the folder lacks: 4 policies, ")
    qtbot.mouseClick(page.run.start, LEFT)
    assert page.shown.figure.message.text().startswith("The figure comes when all policies are evolved")
    ended(qtbot, page.model)
    assert page.run.words.text() == "Finished."
    assert page.run.bar.value() == page.run.bar.maximum()
    assert page.setup.measured.text() == "All policies that it takes are there."
    assert not page.shown.figure.is_empty
    assert page.shown.paragraph.text().startswith(FIGURE_8.PAPER)
    assert len(page.shown.table.toPlainText().splitlines()) == 1 + 2
    save_as("numbers.csv")
    qtbot.keyClick(page, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    with (tmp_path / "numbers.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2
    save_as("figure.svg")
    page.export.as_svg.trigger()
    assert b"<svg" in (tmp_path / "figure.svg").read_bytes()


def test_escape_stops_and_the_key_to_start_goes_on(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    page = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment(4)).experiments
    assert not page.run.go_on.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: page.model.result is not None, timeout=PATIENCE)
    assert not page.shown.figure.is_empty, "while the rest is played"
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    ended(qtbot, page.model)
    assert page.run.words.text() == "Stopped: 4 of 6 matches; starting again goes on."
    assert not page.shown.figure.is_empty
    again = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment(2), setup=None).experiments
    assert again.model.setup == QUICK, "as it was chosen"
    qtbot.keyClick(again, Qt.Key.Key_F5)
    ended(qtbot, again.model)
    assert again.run.words.text() == "Finished: 6 of 6 matches."


def test_closing_the_window_stops_the_experiment(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    window = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment(0))
    qtbot.keyClick(window.experiments, Qt.Key.Key_F5)
    window.close()
    ended(qtbot, window.experiments.model)


def test_what_cannot_be_run_is_said_before_anything_starts(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    page = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment()).experiments
    choose(qtbot, page.setup.experiment, "fig12")
    assert page.setup.problem.isVisible()
    assert page.setup.problem.text().startswith("Figure 12 leaves out parts of FOLD 2017 and Soulread;")
    assert not page.run.start.isEnabled()
    qtbot.keyClick(page, Qt.Key.Key_F5)
    assert not page.model.is_running
    choose(qtbot, page.setup.experiment, "fig8")
    assert not page.setup.problem.isVisible()
    assert page.setup.matches.specialValueText() == "as the paper: 500"
    check(qtbot, page.setup.agents)
    assert page.setup.problem.text() == "An experiment measures one style or more, and none is chosen."
    choose(qtbot, page.setup.experiment, "fig4")
    assert not page.setup.problem.isVisible()
    assert not page.setup.agents.isEnabled()
    assert page.setup.measured.text() == "It is of FOLD 2017 alone."
    page.setup.seed.lineEdit().selectAll()
    qtbot.keyClick(page.setup.seed, Qt.Key.Key_Backspace)
    assert page.setup.problem.text() == "Seed of all matches: a whole number from 0 to 2,147,483,647."


def test_a_folder_is_typed_or_chosen(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, save_as: Saves
) -> None:
    page = lab(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_experiment()).experiments
    assert page.model.folder == tmp_path / FOLDER
    type_into(page.setup.folder.line, str(tmp_path / "typed"))
    assert page.model.folder == tmp_path / "typed"
    save_as("chosen")
    qtbot.mouseClick(page.setup.folder.choose, LEFT)
    assert page.setup.folder.folder == str(tmp_path / "chosen")
    qtbot.keyClick(page, Qt.Key.Key_F5)
    ended(qtbot, page.model)
    assert (tmp_path / "chosen" / RECORDS).exists()
