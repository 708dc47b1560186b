"""The lab by clicks and keys: a match in real processes, its results, charts, hands and files."""

import csv
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.game.format_file import built_in
from engine.lab.matches import several
from tests.engine.agents.evolved.ensembles import shipped_folder
from tests.trainer.gestures import PATIENCE, opened, rows_of
from tests.trainer.lab.conftest import Saves
from tests.trainer.lab.samples import SETUP, check, inline_run
from trainer.app import App
from trainer.jobs import Jobs
from trainer.lab.matches.match_run import MakeRun
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.lab.window import LabWindow
from trainer.settings import SettingsFile
from trainer.styles.own_policies import POLICIES_FOLDER, OwnPolicies
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton


def test_the_lab_opens_without_what_only_its_runs_compile() -> None:
    code = "import sys, trainer.lab.window; sys.exit('numba' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr


LABS: list[LabWindow] = []
"""In the app a lab stays until the end. Python must not forget its parts before Qt has destroyed them here."""


def kept(qtbot: QtBot, window: LabWindow) -> LabWindow:
    LABS.append(window)
    return opened(qtbot, window)


MakeLab = Callable[..., LabWindow]


@pytest.fixture
def lab(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path) -> MakeLab:
    """Give what opens the lab with the settings as they are stored, and chooses a setup, if any."""

    def make(setup: MatchesSetup | None = SETUP, make_run: MakeRun | None = None) -> LabWindow:
        settings = SettingsFile(tmp_path / "soulread.ini")
        window = kept(qtbot, LabWindow(theme, jobs, settings, make_run=make_run or inline_run()))
        if setup is not None:
            window.matches.model.choose(setup)
        return window

    return make


def played(qtbot: QtBot, window: LabWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: not window.matches.model.is_running, timeout=PATIENCE)
    assert window.matches.model.result is not None


def test_own_policies_are_offered_for_matches(qtbot: QtBot, lab: MakeLab, tmp_path: Path) -> None:
    (style, *_) = OwnPolicies(tmp_path / POLICIES_FOLDER).add(shipped_folder(tmp_path / "mine"))
    window = lab()
    check(qtbot, window.matches.setup.styles, "A* (mine)", "O3 tight-passive, 10%")
    assert window.matches.model.setup.styles == ("o3", style)
    assert window.matches.model.refusal == ""
    check(qtbot, window.matches.setup.styles, "A* (mine)", "O3 tight-passive, 10%", "Nit")
    assert window.matches.setup.problem.text() == "'A* (mine)' plays at 2 seats, and this table has 3."


def test_a_match_is_played_watched_and_looked_into(qtbot: QtBot, app: App) -> None:
    window = app.window
    window.menus.lab.trigger()
    lab = window.lab.window
    assert lab is not None
    kept(qtbot, lab)
    check(qtbot, lab.matches.setup.styles, "Random", "Tight-passive")
    assert lab.matches.setup.chosen.text() == "2 styles chosen, 2 seats"
    lab.matches.setup.matches.setValue(4)
    lab.matches.setup.hands.setValue(30)
    assert lab.matches.results.empty.text().startswith("Choose styles")
    qtbot.mouseClick(lab.matches.run.start, LEFT)
    assert not lab.matches.setup.isEnabled()
    assert lab.matches.results.empty.text() == "Results come with each finished match."
    qtbot.waitUntil(lambda: not lab.matches.model.is_running, timeout=PATIENCE)
    assert lab.matches.run.words.text() == "Finished: 4 of 4 matches, 120 hands."
    assert {row[0] for row in rows_of(lab.matches.results.styles.view)} == {"Random", "Tight-passive"}
    assert [row[5] for row in rows_of(lab.matches.results.styles.view)] == ["120", "120"]
    assert [row[0] for row in rows_of(lab.matches.results.pairs.view)] == ["Tight-passive – Random"]

    lab.matches.tabs.setCurrentWidget(lab.matches.hands)
    lab.matches.hands.match.setValue(3)
    qtbot.mouseClick(lab.matches.hands.list, LEFT)
    qtbot.waitUntil(lambda: not lab.matches.hands.hands.is_listing, timeout=PATIENCE)
    assert len(rows_of(lab.matches.hands.view)) == 30
    lab.matches.hands.seen_by.setCurrentIndex(lab.matches.hands.seen_by.findText("Random"))
    lab.matches.hands.view.selectRow(4)
    qtbot.keyClick(lab.matches.hands.view, Qt.Key.Key_Return)
    looked_at = window.looked_at
    assert looked_at.observation is not None
    assert looked_at.observation.hand_number == 5
    assert looked_at.observation.me.name == "Random"
    qtbot.waitUntil(lambda: bool(looked_at.open_traces()), timeout=PATIENCE)
    assert set(looked_at.truth) == {0, 1}
    (name,) = {seat.name for seat in looked_at.observation.seats} - {"Random"}
    assert name == "Tight-passive"
    qtbot.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert looked_at.observation.hand_number == 6
    assert looked_at.observation.me.name == "Random", "wherever they sit"
    looked_at.stop()
    app._preparation.stop()
    qtbot.waitUntil(lambda: app.jobs.is_quiet(apart_from=""), timeout=PATIENCE)


def test_the_rows_of_four_styles_are_all_in_sight(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(structs.replace(SETUP, styles=("always-fold", "always-call", "always-raise", "random")))
    window.resize(1200, 900)
    played(qtbot, window)
    QApplication.processEvents()
    for table in (window.matches.results.styles, window.matches.results.pairs):
        assert table.view is not None
        assert table.view.verticalScrollBar().maximum() == 0


def test_a_match_is_stopped_by_key_and_keeps_what_is_finished(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(SETUP, inline_run(2))
    qtbot.mouseClick(window.matches.run.start, LEFT)
    qtbot.waitUntil(lambda: window.matches.model.result is not None, timeout=PATIENCE)
    assert window.matches.run.stop.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.matches.model.is_running, timeout=PATIENCE)
    assert window.matches.run.words.text() == "Stopped: 2 of 3 matches, 16 hands."
    assert len(rows_of(window.matches.results.styles.view)) == 2
    assert window.matches.run.start.isEnabled()
    assert window.matches.hands.match.maximum() == 2


def test_a_stopped_match_goes_on_after_a_new_start_of_the_app(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(SETUP, inline_run(2))
    assert not window.matches.run.go_on.isEnabled()
    qtbot.mouseClick(window.matches.run.start, LEFT)
    qtbot.waitUntil(
        lambda: window.matches.model.result is not None and window.matches.model.result.matches == 2,
        timeout=PATIENCE,
    )
    window.close()
    qtbot.waitUntil(lambda: not window.matches.model.is_running, timeout=PATIENCE)
    again = lab(None)
    qtbot.mouseClick(again.matches.run.go_on, LEFT)
    qtbot.waitUntil(lambda: not again.matches.model.is_running, timeout=PATIENCE)
    assert again.matches.run.words.text() == "Finished: 3 of 3 matches, 24 hands."
    assert not again.matches.run.go_on.isEnabled()


def test_a_match_alone_is_shown_while_it_is_played(
    qtbot: QtBot, lab: MakeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "_SECONDS_OF_SAYING", 0.0)
    setup = structs.replace(SETUP, styles=("random", "always-call"), matches=1, hands=200)
    said: list[bytes] = []
    *_, whole = several.several_matches(setup.plan, 1, say=said.append)
    assert len(said) > 3
    window = lab(None, inline_run(0, said=said[len(said) // 2]))
    page = window.matches
    page.model.choose(setup)
    qtbot.mouseClick(page.run.start, LEFT)
    qtbot.waitUntil(lambda: page.model.result is not None, timeout=PATIENCE)
    assert page.model.is_running
    assert {row[0] for row in rows_of(page.results.styles.view)} == {"Random", "Always call"}
    so_far = page.model.result
    assert so_far is not None
    assert 4 <= so_far.hands < 200
    assert page.curves.plot.accessibleDescription().startswith(f"After {so_far.hands} hands: Random ")
    assert len(so_far.curve) > 1
    assert not page.hands.list.isEnabled(), "it is not finished"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not page.model.is_running, timeout=PATIENCE)
    assert page.run.words.text() == f"Stopped: 0 of 1 match, {so_far.hands} hands."
    assert page.run.go_on.isEnabled()

    again = lab(None).matches
    qtbot.keyClick(again, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: not again.model.is_running, timeout=PATIENCE)
    assert again.run.words.text() == "Finished: 1 of 1 match, 200 hands."
    assert again.model.result is not None
    assert again.model.result.differences == whole.result.differences
    assert again.hands.list.isEnabled()


def test_closing_the_window_stops_the_match(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(None, inline_run(0))
    window.matches.model.start()
    window.close()
    qtbot.waitUntil(lambda: not window.matches.model.is_running, timeout=PATIENCE)


def test_what_cannot_be_played_is_said_before_anything_starts(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab()
    check(qtbot, window.matches.setup.styles, "Always call")
    assert window.matches.setup.problem.isVisible()
    assert window.matches.setup.problem.text() == "A match takes two styles or more, and only 1 is chosen."
    assert not window.matches.run.start.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert not window.matches.model.is_running
    check(qtbot, window.matches.setup.styles, "Always call", "Random")
    assert not window.matches.setup.problem.isVisible()
    window.matches.setup.matches.lineEdit().selectAll()
    qtbot.keyClick(window.matches.setup.matches, Qt.Key.Key_Backspace)
    assert window.matches.setup.problem.text() == "Matches: a whole number from 1 to 100,000."
    assert not window.matches.run.start.isEnabled()


def test_a_tournament_has_places_and_no_number_of_hands(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(MatchesSetup(("always-fold", "always-call"), built_in("paper"), matches=2))
    assert not window.matches.setup.hands.isEnabled()
    assert "600 hands" in window.matches.setup.summary.text()
    played(qtbot, window)
    assert [row[0] for row in rows_of(window.matches.results.styles.view)] == ["Always call", "Always fold"], (
        "the best first"
    )
    assert not window.matches.places.is_empty
    assert "at place 1" in window.matches.places.plot.accessibleDescription()
    assert not window.matches.curves.adjusted.isVisible()
    played_cash = lab()
    played(qtbot, played_cash)
    assert (
        played_cash.matches.places.message.text() == "Places are of tournaments; in a cash game nobody is ranked."
    )


def test_tables_sort_by_a_click_on_a_heading_and_keep_it(qtbot: QtBot, lab: MakeLab) -> None:
    window = lab(MatchesSetup(("always-fold", "always-call", "random"), matches=3, hands=30))
    played(qtbot, window)
    view = window.matches.results.styles.view
    assert view is not None
    header = view.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(6) + 5, header.height() // 2)
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)
    order = [row[6] for row in rows_of(view)]
    shares = [float(text.rstrip("%")) for text in order]
    assert shares == sorted(shares) or shares == sorted(shares, reverse=True)
    chosen = rows_of(view)[1][0]
    view.selectRow(1)
    window.matches.model.result_changed.emit()
    assert [row[6] for row in rows_of(view)] == order
    assert view.currentIndex().siblingAtColumn(0).data() == chosen


def test_curves_are_redrawn_as_they_are_wanted(qtbot: QtBot, theme: ThemeSource, lab: MakeLab) -> None:
    window = lab(MatchesSetup(("random", "always-call"), matches=2, hands=30))
    assert window.matches.curves.is_empty
    played(qtbot, window)
    assert window.matches.curves.adjusted.isVisible()
    words = window.matches.curves.plot.accessibleDescription()
    assert words.startswith("After 60 hands: Random ")
    qtbot.mouseClick(
        window.matches.curves.adjusted, LEFT, pos=QPoint(8, window.matches.curves.adjusted.height() // 2)
    )
    assert window.matches.curves.plot.accessibleDescription() != words
    before = window.matches.curves.picture().toImage()
    theme.choose("dark")
    assert window.matches.curves.picture().toImage() != before


def test_results_are_saved_as_csv_and_png(qtbot: QtBot, lab: MakeLab, tmp_path: Path, save_as: Saves) -> None:
    window = lab(MatchesSetup(("always-fold", "always-call"), built_in("paper"), matches=2))
    export = window.matches.export
    assert not export.button.isEnabled()
    played(qtbot, window)
    save_as("results.csv")
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.matches.notice.text() == "Saved as results.csv."
    with (tmp_path / "results.csv").open(newline="") as file:
        assert [row["style"] for row in csv.DictReader(file)] == ["Always fold", "Always call", "Always fold"]
    for action, name in ((export.curve_rows, "curves.csv"), (export.place_rows, "places.csv")):
        save_as(name)
        action.trigger()
        assert (tmp_path / name).read_text(encoding="utf-8").count("\n") > 2
    for action, name in ((export.curve_picture, "curves.png"), (export.place_picture, "places.png")):
        save_as(name)
        action.trigger()
        assert QImage(str(tmp_path / name)).width() > 200
    save_as("no folder/results.csv")
    export.table.trigger()
    assert window.matches.notice.text() == "results.csv cannot be written: No such file or directory."


def test_a_setup_is_remembered_and_styles_of_ones_own_are_offered(
    qtbot: QtBot, lab: MakeLab, tmp_path: Path
) -> None:
    fish = style_text(nearest_style("Fish", TEMPERS["calling station"][0]))
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "fish.toml").write_text(fish, encoding="utf-8")
    window = lab()
    check(qtbot, window.matches.setup.styles, "Fish", "Random")
    window.close()
    again = lab(None)
    assert again.matches.model.setup.styles == ("random", fish)
    assert again.matches.model.setup.hands == SETUP.hands
    (tmp_path / "styles" / "fish.toml").unlink()
    again.matches.setup.read_own()
    assert again.matches.setup.styles.rows.chosen == ("random", fish), "offered as long as it is chosen"
    played(qtbot, again)
    assert {row[0] for row in rows_of(again.matches.results.styles.view)} == {"Random", "Fish"}
