"""The lab's evolution by clicks and keys: a run in real processes, its curves, numbers and files."""

import csv
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.lab.evolution.run import Job, evolve
from engine.lab.evolution.settings import SHORT
from engine.lab.evolution.targets import BASE
from tests.trainer.gestures import PATIENCE, opened, type_into
from tests.trainer.lab.conftest import Saves
from tests.trainer.lab.samples import EVOLVING, FIRST_GENERATION, TINY, choose, ended, inline_evolution
from trainer.app import App
from trainer.jobs import Jobs
from trainer.lab.evolution.evolution_run import MakeEvolutionRun
from trainer.lab.evolution.page import EvolutionPage
from trainer.lab.evolution.setup_model import EvolutionSetup
from trainer.lab.window import LabWindow
from trainer.settings import SettingsFile
from trainer.styles.own_policies import EVOLVED_FOLDER
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier

LABS: list[LabWindow] = []
"""In the app a lab stays until the end. Python must not forget its parts before Qt has destroyed them here."""


def turn_to(qtbot: QtBot, window: LabWindow) -> EvolutionPage:
    LABS.append(opened(qtbot, window))
    bar = window.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(2).center())
    assert window.page is window.evolution
    return window.evolution


def page_of(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, settings: Path, make_run: MakeEvolutionRun
) -> EvolutionPage:
    window = LabWindow(theme, jobs, SettingsFile(settings), make_evolution=make_run)
    page = turn_to(qtbot, window)
    settled(qtbot, jobs)
    return page


def settled(qtbot: QtBot, jobs: Jobs) -> None:
    qtbot.waitUntil(lambda: jobs.is_idle("lab folder"), timeout=PATIENCE)


def type_settings(qtbot: QtBot, page: EvolutionPage, text: str) -> None:
    page.setup.settings.setFocus()
    qtbot.keyClick(page.setup.settings, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(page.setup.settings, text.replace("\n", "\r"))


def test_a_policy_evolves_in_processes_is_shown_and_saved(
    qtbot: QtBot, app: App, tmp_path: Path, save_as: Saves
) -> None:
    app.window.menus.lab.trigger()
    window = app.window.lab.window
    assert window is not None
    page = turn_to(qtbot, window)
    choose(qtbot, page.setup.what, "exploiter-o3")
    assert page.setup.words.text() == "A policy that wins as much as it can from O3 tight-passive, 10%."
    type_settings(qtbot, page, TINY)
    assert page.setup.plan.text() == "1 policy, 3 generations of 4: 132 hands."
    assert page.shown.figure.is_empty
    assert not page.export.button.isEnabled()
    qtbot.mouseClick(page.run.start, LEFT)
    assert not page.setup.isEnabled()
    assert not window.matches.run.start.isEnabled(), "one at a time"
    ended(qtbot, page.model)
    assert page.run.words.text() == "Finished: 1 of 1 policy."
    assert (tmp_path / EVOLVED_FOLDER / "exploiter-o3.policy").exists()
    assert page.shown.title.text() == f"Exploiter of O3, seed 0, in {tmp_path / EVOLVED_FOLDER}"
    assert not page.shown.figure.is_empty
    assert page.shown.table.toPlainText().splitlines()[1].startswith("exploiter-o3  o3")
    assert page.shown.paragraph.text().startswith("On 6 fresh deals, each played twice")
    save_as("curves.csv")
    qtbot.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert page.notice.text() == "Saved as curves.csv."
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["policy"], row["generation"]) for row in rows] == [("exploiter-o3", str(at)) for at in (1, 2, 3)]
    save_as("tests.csv")
    page.export.rows[1].trigger()
    assert (
        (tmp_path / "tests.csv").read_text(encoding="utf-8").startswith("policy,style,pairs,bb_per_hand,stderr\n")
    )
    save_as("figure.png")
    page.export.as_png.trigger()
    assert QImage(str(tmp_path / "figure.png")).width() > 200
    app._preparation.stop()
    qtbot.waitUntil(lambda: app.jobs.is_quiet(apart_from=""), timeout=PATIENCE)


def test_escape_stops_and_the_key_to_start_goes_on_after_a_new_start_of_the_app(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    path = tmp_path / "soulread.ini"
    page = page_of(qtbot, theme, jobs, path, inline_evolution(FIRST_GENERATION))
    page.model.choose(EVOLVING)
    assert not page.run.go_on.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: page.model.result is not None, timeout=PATIENCE)
    assert not page.shown.figure.is_empty, "while the rest is played"
    assert page.shown.table.toPlainText() == "What was won comes with the final tests."
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    ended(qtbot, page.model)
    assert page.run.words.text() == "Stopped: Exploiter of O3: generation 1 of 3; starting again goes on."
    again = page_of(qtbot, theme, jobs, path, inline_evolution())
    assert again.model.setup == EVOLVING, "as it was chosen"
    assert again.setup.settings.toPlainText() == TINY
    assert again.run.words.text() == "Opened: Exploiter of O3: generation 1 of 3."
    assert not again.shown.figure.is_empty
    qtbot.keyClick(again, Qt.Key.Key_F5)
    ended(qtbot, again.model)
    assert again.run.words.text() == "Finished: 1 of 1 policy."


def test_closing_the_window_stops_the_run(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path) -> None:
    page = page_of(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_evolution(0))
    qtbot.keyClick(page, Qt.Key.Key_F5)
    page.window().close()
    ended(qtbot, page.model)


def test_settings_are_edited_refused_and_brought_back(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    page = page_of(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_evolution())
    setup = page.setup
    assert setup.settings.toPlainText().startswith("generations = 300\n")
    qtbot.mouseClick(setup.is_short, LEFT, pos=QPoint(8, setup.is_short.height() // 2))
    assert setup.settings.toPlainText().startswith("generations = 40\n")
    assert page.model.setup.settings == SHORT
    assert setup.plan.text().startswith(
        "2 policies, for it begins with the last ones of the base, in all 60 generations of 40: "
    )
    type_settings(qtbot, page, "popullation = 9")
    assert setup.problem.isVisible()
    assert setup.problem.text() == "'popullation' is no setting of a run; did you mean 'population'?"
    assert not setup.is_short.isChecked()
    assert not setup.plan.isVisible()
    assert not page.run.start.isEnabled()
    qtbot.keyClick(page, Qt.Key.Key_F5)
    assert not page.model.is_running
    qtbot.mouseClick(setup.is_short, LEFT, pos=QPoint(8, setup.is_short.height() // 2))
    assert not setup.problem.isVisible()
    qtbot.keyClick(setup.settings, Qt.Key.Key_Z, CONTROL)
    assert setup.settings.toPlainText() == "popullation = 9", "nothing that was typed is lost"
    type_settings(qtbot, page, "")
    qtbot.keyClick(setup.settings, Qt.Key.Key_Delete)
    setup.seed.lineEdit().selectAll()
    qtbot.keyClick(setup.seed, Qt.Key.Key_Backspace)
    assert setup.problem.text() == "Seed of the whole run: a whole number from 0 to 2,147,483,647."


def test_the_folder_of_a_run_is_typed_or_chosen_and_shown(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, save_as: Saves
) -> None:
    steps = evolve(Job(BASE, EVOLVING.settings, 8, tmp_path / "of the command"))
    next(steps)
    steps.close()
    page = page_of(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_evolution())
    type_into(page.setup.folder.line, str(tmp_path / "of the command"))
    assert page.model.result is None
    qtbot.keyClick(page.setup.folder.line, Qt.Key.Key_Return)
    settled(qtbot, jobs)
    assert page.run.words.text() == "Opened: Base: generation 1 of 3."
    assert page.setup.what.currentText() == "Base"
    assert page.setup.seed.value() == 8
    assert not page.shown.figure.is_empty
    type_into(page.setup.folder.line, str(tmp_path / "empty"))
    page.setup.seed.setFocus()
    settled(qtbot, jobs)
    assert page.shown.figure.is_empty
    save_as("of the command")
    qtbot.mouseClick(page.setup.folder.choose, LEFT)
    settled(qtbot, jobs)
    assert not page.shown.figure.is_empty
    qtbot.keyClick(page, Qt.Key.Key_F5)
    ended(qtbot, page.model)
    assert page.run.words.text() == "Finished: 1 of 1 policy."
    assert (tmp_path / "of the command" / "base.policy").exists()


def test_another_run_in_the_usual_folder_is_said_to_have_one_of_its_own(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path
) -> None:
    page = page_of(qtbot, theme, jobs, tmp_path / "soulread.ini", inline_evolution())
    for seed in (1, 2):
        page.model.choose(EvolutionSetup("base", TINY, seed))
        qtbot.keyClick(page, Qt.Key.Key_F5)
        ended(qtbot, page.model)
    assert page.notice.text() == "evolved has another run, so this one is kept in evolved-2."
    assert page.shown.title.text() == f"Base, seed 2, in {tmp_path / 'evolved-2'}"
