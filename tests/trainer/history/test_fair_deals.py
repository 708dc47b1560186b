"""The dialog of fair deals: what binds the dealer beside the game, a salt, and the check of what was played."""

import hashlib
import re
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from engine.codec import decode
from engine.fair_deals import SessionProof, check_proof
from tests.trainer.gestures import PATIENCE, choose_path, tool_tip, type_into, wait_for_stage
from tests.trainer.session_driver import Player, table
from tests.trainer.storage.test_imports import hand
from trainer.app import App
from trainer.help import TextDialog
from trainer.history.fair_deals import FairDealsDialog
from trainer.history.fair_deals_model import FairDealsView, commitment_tip, fair_deals_views, found_words
from trainer.session.types import DeckCommitment, Stage


def play_hands(qtbot: QtBot, app: App, hands: int) -> None:
    """Play so many more hands."""
    assert app.session is not None
    player = Player(app.session, hands)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        if app.session.stage == Stage.HAND_OVER:
            app.session.deal()
        else:
            app.session.set_study(False)  # shows the table to the player
    app.session.view_changed.disconnect(player._on_view)
    app.session.hand_finished.disconnect(player._on_hand)


@pytest.fixture
def dialog(qtbot: QtBot, app: App) -> FairDealsDialog:
    """Two hands are played and the dialog is opened by its menu entry."""
    app.begin(table("random", "calling station", seed=31))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    play_hands(qtbot, app, 2)
    app.window.menus.fair_deals.trigger()
    opened: FairDealsDialog = app.window.findChild(FairDealsDialog)
    qtbot.waitUntil(lambda: opened._model.rowCount() == 2)
    return opened


def test_it_opens_as_wide_as_it_stays(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    """What grew once it was shown was partly out of a small screen."""
    dialog.close()
    app.window.menus.fair_deals.trigger()
    opened = app.window.findChildren(FairDealsDialog)[-1]
    assert opened is not dialog
    width = opened.width()
    qtbot.waitUntil(lambda: opened._model.rowCount() == 2)
    assert opened.width() == width


def test_every_label_has_room_for_its_letters(dialog: FairDealsDialog) -> None:
    """Qt measures letters as if none was underlined, but sets the one that is apart from the one before it."""
    for label in dialog.findChildren(QLabel):
        text = label.text()
        if "&" in text:
            drawn = sum(label.fontMetrics().horizontalAdvance(part) for part in re.split("&(.)", text))
            assert drawn <= label.width() + 1, text


def test_the_finished_hands_are_opened_and_checked(qtbot: QtBot, dialog: FairDealsDialog) -> None:
    assert [dialog._model.data(dialog._model.index(row, 0)) for row in range(2)] == ["2", "1"]
    assert {dialog._model.data(dialog._model.index(row, 3)) for row in range(2)} == {"✓"}
    assert dialog.summary.text().startswith(
        "2 hands checked, 0 with a salt of yours.\nEvery deck is the one that was"
    )
    dialog.hands.setFocus()
    qtbot.keyClick(dialog.hands, Qt.Key.Key_Down)
    text = dialog.opening.toPlainText()
    assert text.startswith("Soulread hand 1\ndeck ")
    shown = dialog._model.data(dialog._model.index(1, 1))
    assert hashlib.sha256(text.encode()).hexdigest().startswith(shown.rstrip("…"))
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text


def test_a_salt_that_is_typed_enters_the_next_hand(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    before = dialog.hand_commitment.text()
    assert dialog._hand_label.text() == "Hand 3, to be dealt next"
    assert dialog.said.text() == "No salt in this shuffle."
    type_into(dialog.salt, "my dog")
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    committed = dialog.hand_commitment.text()
    assert committed != before
    assert dialog.said.text() == "The salt in this shuffle: my dog"
    play_hands(qtbot, app, 1)
    qtbot.waitUntil(lambda: dialog._model.rowCount() == 3)
    assert committed.startswith(dialog._model.data(dialog._model.index(0, 1)).rstrip("…"))
    assert dialog._model.data(dialog._model.index(0, 2)) == "my dog"
    assert "1 with a salt of yours" in dialog.summary.text()


def test_a_salt_typed_during_a_hand_waits_for_the_next_one(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    assert app.session is not None
    app.session.deal()
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    committed = dialog.hand_commitment.text()
    type_into(dialog.salt, "late")
    qtbot.keyClick(dialog.salt, Qt.Key.Key_Return)
    assert dialog.hand_commitment.text() == committed
    assert dialog._hand_label.text() == "Hand 3, on the table"
    assert dialog.said.text() == "No salt in this shuffle. From the next hand on: late"
    assert dialog._model.rowCount() == 2, "the running hand stays sealed"


def test_the_seed_is_opened_with_the_end(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    assert "stays sealed" in dialog.summary.text()
    app.window.menus.finish.trigger()
    qtbot.waitUntil(lambda: "The seed of the table is open" in dialog.summary.text())
    assert not dialog.use.isEnabled()


def test_the_proof_is_saved_as_a_file_that_passes(qtbot: QtBot, dialog: FairDealsDialog, tmp_path: Path) -> None:
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    choose_path(dialog, tmp_path / "proof.json")
    proof = decode((tmp_path / "proof.json").read_bytes(), SessionProof)
    assert check_proof(proof).checked == 2
    assert proof.commitment == dialog.table_commitment.text()
    assert dialog.saved.text() == "Saved as proof.json; soulread verify proof.json checks it."
    dialog._write(str(tmp_path / "none" / "proof.json"))
    assert dialog.saved.text() == "proof.json cannot be written: No such file or directory."


def test_what_is_wrong_is_said_first(dialog: FairDealsDialog) -> None:
    assert dialog._view is not None
    first, second = dialog._view.proof.hands
    *_, view = fair_deals_views(
        structs.replace(dialog._view.proof, hands=(first, structs.replace(second, board="2c")))
    )
    assert isinstance(view, FairDealsView)
    assert not view.is_right
    assert view.summary.startswith("Hand 2: the board is not that of the deck.")
    assert [row[3] for row in view.rows] == ["✗ see below", "✓"]


def test_the_line_above_the_table_has_the_commitment_in_its_tool_tip(app: App, dialog: FairDealsDialog) -> None:
    tip = tool_tip(app.window.message._usual, app.window.message._usual.rect().center())
    committed = dialog.hand_commitment.text()
    assert committed[:32] in tip
    assert committed[32:] in tip
    assert commitment_tip(DeckCommitment("", 1, "", "")) == commitment_tip(None) == ""


def test_the_page_is_opened_from_the_dialog_and_from_help(app: App, dialog: FairDealsDialog) -> None:
    dialog.page_requested.emit()
    page = app.window.findChild(TextDialog)
    assert "What this does not prove" in page.label.text()
    page.close()
    app.window.menus.fair_deals_page.trigger()
    assert any("The bots do not peek" in found.label.text() for found in app.window.findChildren(TextDialog))


def test_a_new_session_closes_the_dialog_of_the_one_before(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    with qtbot.waitSignal(dialog.destroyed, timeout=PATIENCE):
        app.begin(table("random", "calling station", seed=32))


def test_an_earlier_session_is_checked_as_the_command_does(
    qtbot: QtBot, app: App, dialog: FairDealsDialog, tmp_path: Path
) -> None:
    """From the game after it, and without one."""
    app.window.menus.finish.trigger()
    qtbot.waitUntil(lambda: "The seed of the table is open" in dialog.summary.text())
    app.begin(table("random", "calling station", seed=32))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    for session in (app.session, None):
        app.session = session
        app.window.menus.fair_deals.trigger()
        (opened,) = (one for one in app.window.findChildren(FairDealsDialog) if one.isVisible())
        earlier = 0 if session is None else 1
        qtbot.waitUntil(lambda opened=opened, earlier=earlier: opened.sessions.count() > earlier)
        opened.sessions.setFocus()
        qtbot.keyClick(opened.sessions, Qt.Key.Key_End)
        qtbot.waitUntil(lambda opened=opened: "every hand follows from it" in opened.summary.text())
        assert opened._model.rowCount() == 2
        expected = found_words(check_proof(app.store.proof(1)))
        assert opened.summary.text() == "\n".join(expected)
        opened._write(str(tmp_path / "proof.json"))
        assert opened.saved.isVisible()
        assert opened.hand_commitment.isVisible() is (session is not None)
        opened.close()


def test_imported_sessions_are_not_offered(qtbot: QtBot, app: App, dialog: FairDealsDialog) -> None:
    app.store.imports.add([hand(1)])
    dialog.close()
    app.session = None
    app.window.menus.fair_deals.trigger()
    (opened,) = (one for one in app.window.findChildren(FairDealsDialog) if one.isVisible())
    qtbot.waitUntil(lambda: opened.sessions.count() == 1 and opened._model.rowCount() == 2)
    assert opened.sessions.currentData() == 1
    opened.close()


def test_what_is_wrong_many_times_is_counted(dialog: FairDealsDialog) -> None:
    assert dialog._view is not None
    (hand, _) = dialog._view.proof.hands
    hands = tuple(structs.replace(hand, hand_number=number) for number in range(1, 251))
    first, second, *_, view = fair_deals_views(structs.replace(dialog._view.proof, hands=hands))
    assert (first, second) == ("100 of 250 hands are checked.", "200 of 250 hands are checked.")
    assert isinstance(view, FairDealsView)
    assert view.summary.count("\n") < 12
    assert "241 more are wrong; soulread verify lists them all." in view.summary


def test_before_the_first_deal_nothing_is_said_to_be_missing(qtbot: QtBot, app: App) -> None:
    app.begin(table("random", seed=33))
    app.window.menus.fair_deals.trigger()
    opened: FairDealsDialog = app.window.findChild(FairDealsDialog)
    assert opened.summary.text() == "No hand of this session has ended yet."
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert opened.table_commitment.text()
    opened.close()
