"""The player's own policies: copied, offered, seated by clicks, played and looked at; what is wrong is said."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from engine.agents.evolved.policy import StoredPolicy, policy_bytes, read_policy
from engine.game.formats import HUMAN
from tests.engine.agents.evolved.ensembles import shipped_folder
from tests.trainer.gestures import PATIENCE, press, wait_for_stage
from trainer.app import App
from trainer.new_game.dialog import NewGameDialog
from trainer.session.types import Stage
from trainer.styles.own_policies import POLICIES_FOLDER, OwnPolicies, OwnPoliciesError

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shipped_folder(tmp_path / "mine")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_copied_once_and_offered(folder: Path, tmp_path: Path) -> None:
    policies = OwnPolicies(tmp_path / "own")
    assert policies.offered() == ()
    before = files(folder)
    styles = policies.add(folder)
    assert styles == policies.offered()
    assert len(styles) == 3 + 9
    assert styles[0] == f"a*:{tmp_path / 'own' / 'mine'}"
    assert files(tmp_path / "own" / "mine") == before == files(folder)
    assert policies.add(folder) == styles
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["mine"]
    policy = read_policy(folder / "base.policy")
    (folder / "base.policy").write_bytes(policy_bytes(StoredPolicy(policy.settings, -policy.weights)))
    again = policies.add(folder)
    assert again[0] == f"a*:{tmp_path / 'own' / 'mine-2'}"
    assert files(tmp_path / "own" / "mine") == before, "sessions go on with what they began with"
    assert policies.offered() == (*styles, *again)


def test_a_part_of_a_set_is_offered_policy_by_policy(folder: Path, tmp_path: Path) -> None:
    (folder / "styles.library").unlink()
    (folder / "exploiter-o3.policy").unlink()
    styles = OwnPolicies(tmp_path / "own").add(folder)
    assert len(styles) == 8
    assert all(style.endswith(".policy") for style in styles)


def test_what_cannot_be_added_leaves_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policies = OwnPolicies(tmp_path / "own")
    with pytest.raises(OwnPoliciesError, match=f"^There is no policy in {tmp_path}: choose a folder "):
        policies.add(tmp_path)
    whole = (folder / "exploiter-o7.policy").read_bytes()
    (folder / "exploiter-o7.policy").write_bytes(whole[:5000])
    with pytest.raises(OwnPoliciesError, match=r"exploiter-o7\.policy is no policy: it lacks "):
        policies.add(folder)
    (folder / "exploiter-o7.policy").write_bytes(whole)
    written = []

    def full(path: Path, data: bytes) -> None:
        written.append(path)
        if len(written) > 3:
            raise OSError(28, "No space left")
        path.write_bytes(data)

    monkeypatch.setattr("trainer.styles.own_policies.write_whole", full)
    with pytest.raises(OwnPoliciesError, match=f"^The policies of {folder} cannot be copied: No space left"):
        policies.add(folder)
    assert files(tmp_path / "own") == {}
    assert policies.offered() == ()


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Answer file dialogs with the folders of a list."""
    folders: list[Path] = []

    def answer(dialog: QFileDialog) -> None:
        dialog.fileSelected.emit(str(folders.pop(0)))
        dialog.close()

    monkeypatch.setattr(QFileDialog, "open", answer)
    return folders


def asked(qtbot: QtBot, app: App) -> NewGameDialog:
    """Open the dialog of a new game, and press the button for policies of one's own."""
    app.window.open_new_game()
    dialog = app.window.dialogs.new_game
    assert dialog is not None
    (button,) = [one for one in dialog.findChildren(QPushButton) if one.text() == "Ow&n policies…"]
    qtbot.mouseClick(button, LEFT)
    return dialog


def test_own_policies_are_seated_played_and_looked_at(
    qtbot: QtBot, app: App, folder: Path, tmp_path: Path, choose: list[Path]
) -> None:
    choose.append(folder)
    dialog = asked(qtbot, app)
    style = f"a*:{tmp_path / POLICIES_FOLDER / 'mine'}"
    qtbot.waitUntil(lambda: [seat.style for seat in dialog.seats.seats()] == [HUMAN, style], timeout=PATIENCE)
    shown = dialog.seats._rows[1].style
    assert shown.currentText() == "A* (mine)"
    assert shown.toolTip().endswith(f"In {tmp_path / POLICIES_FOLDER / 'mine'}.")
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    while app.session is not None and app.session.stage is not Stage.HAND_OVER:
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    app.window.docks.by_name["reasoning"].raise_()
    panel = app.window.panels.reasoning
    qtbot.waitUntil(lambda: panel.decisions.count() > 0, timeout=PATIENCE)
    assert "(A* (mine))" in panel._title.text()
    assert panel.policy.isVisibleTo(panel)
    assert "O1" in panel.policy.accessibleDescription()


def test_a_bad_folder_is_said_in_the_dialog(
    qtbot: QtBot, app: App, folder: Path, tmp_path: Path, choose: list[Path]
) -> None:
    (folder / "styles.library").write_bytes(b"foreign")
    choose.append(folder)
    dialog = asked(qtbot, app)
    before = dialog.seats.seats()
    qtbot.waitUntil(lambda: "is no library of styles: " in dialog.seats._problem.text(), timeout=PATIENCE)
    assert dialog.seats._problem.isVisible()
    assert dialog.seats.seats() == before
    assert not (tmp_path / POLICIES_FOLDER).exists()


def test_policies_whose_files_are_gone_cannot_be_dealt(
    qtbot: QtBot, app: App, folder: Path, tmp_path: Path, choose: list[Path]
) -> None:
    choose.append(folder)
    dialog = asked(qtbot, app)
    qtbot.waitUntil(lambda: len(dialog.seats.seats()) == 2, timeout=PATIENCE)
    gone = tmp_path / POLICIES_FOLDER / "mine" / "base.policy"
    gone.unlink()
    dialog.seats.read_again()
    assert dialog.seats._rows[1].style.currentText() == "A* (mine)", "still chosen"
    assert dialog._problem.text() == f"There is no file {gone} any more. Choose another style."
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()
