"""Acting by mouse, wheel and keys; what is illegal cannot be done, and slips are caught."""

from functools import partial

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.game.observation import LegalActions
from tests.trainer.scripted_hands import Scribe
from trainer.session_types import Stage, TableView
from trainer.theme import ThemeSource
from trainer.widgets.action_bar import GUARD_MILLISECONDS, ActionBar, ActionButton


@pytest.fixture
def bar(qtbot: QtBot, theme: ThemeSource) -> ActionBar:
    widget = ActionBar(theme)
    widget._guard.setInterval(1)  # its length is tested once; everywhere else it would only be waited for
    widget.resize(760, widget.sizeHint().height())
    qtbot.addWidget(widget)
    widget.show()
    widget.activateWindow()
    qtbot.waitActive(widget)
    return widget


@pytest.fixture
def chosen(bar: ActionBar) -> list[Action]:
    actions: list[Action] = []
    bar.action_chosen.connect(actions.append)
    return actions


def facing_a_raise() -> TableView:
    """60 to call into 90; raises from 100 to 2000."""
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    return hand.your_turn(LegalActions(False, 60, min_raise_to=100, max_raise_to=2000))


def checked_to() -> TableView:
    hand = Scribe(2, button=0).blinds().raise_to(0, 60).call(1).deal("Kh 7d 2c").check(1)
    return hand.your_turn()


def ask(qtbot: QtBot, bar: ActionBar, view: TableView) -> None:
    """Show a decision and wait until the guard has let go."""
    bar.show_view(view)
    qtbot.waitUntil(lambda: bar._fold.isEnabled())


def button(bar: ActionBar, text: str) -> ActionButton:
    return next(found for found in bar.findChildren(ActionButton) if found.text() == text)


def key(qtbot: QtBot, bar: ActionBar, pressed: Qt.Key, shift: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(bar, pressed, modifier)


@pytest.mark.parametrize(
    ("pressed", "action"),
    [
        (Qt.Key.Key_F, FOLD),
        (Qt.Key.Key_C, CALL),
        (Qt.Key.Key_R, raise_to(100)),
        (Qt.Key.Key_B, raise_to(100)),
    ],
)
def test_keys_act(qtbot: QtBot, bar: ActionBar, chosen: list[Action], pressed: Qt.Key, action: Action) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, pressed)
    assert chosen == [action]


@pytest.mark.parametrize(("text", "action"), [("Fold", FOLD), ("Call 60", CALL), ("Raise to 100", raise_to(100))])
def test_clicks_act(qtbot: QtBot, bar: ActionBar, chosen: list[Action], text: str, action: Action) -> None:
    ask(qtbot, bar, facing_a_raise())
    qtbot.mouseClick(button(bar, text), Qt.MouseButton.LeftButton)
    assert chosen == [action]


def test_presets_set_the_amount_and_do_not_act(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    """After the call of 60 there are 150: thirds, half, all of it, and all chips."""
    ask(qtbot, bar, facing_a_raise())
    amounts = []
    for pressed in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5):
        key(qtbot, bar, pressed)
        amounts.append(bar.amount)
    assert amounts == [110, 135, 160, 210, 2000]
    assert button(bar, "Raise to 2,000 (all-in)").isEnabled()
    qtbot.mouseClick(button(bar, "Pot"), Qt.MouseButton.LeftButton)
    assert bar.amount == 210
    key(qtbot, bar, Qt.Key.Key_A)
    assert bar.amount == 2000
    assert chosen == []
    key(qtbot, bar, Qt.Key.Key_R)
    assert chosen == [raise_to(2000)]


def test_arrows_step_by_blinds_within_the_bounds(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_Up)
    key(qtbot, bar, Qt.Key.Key_Up)
    assert bar.amount == 140
    key(qtbot, bar, Qt.Key.Key_Down, shift=True)
    assert bar.amount == 130
    for _ in range(3):
        key(qtbot, bar, Qt.Key.Key_Down)
    assert bar.amount == 100


def test_the_wheel_over_bar_slider_and_field_steps_the_bet(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    for widget in (bar, bar._slider, bar._spin):
        event = QWheelEvent(
            QPointF(5, 5),
            widget.mapToGlobal(QPointF(5, 5)),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
    assert bar.amount == 160
    bar.turn_wheel(-2)  # from over the table
    assert bar.amount == 120


def test_slider_field_and_button_show_one_amount(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar._slider.setValue(500)
    assert (bar._spin.value(), bar._raise.text()) == (500, "Raise to 500")
    bar._spin.lineEdit().selectAll()
    qtbot.keyClicks(bar._spin, "340")
    qtbot.keyClick(bar._spin, Qt.Key.Key_Return)
    assert (bar._slider.value(), bar._raise.text(), bar.amount) == (340, "Raise to 340", 340)


def test_typing_in_big_blinds(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    bar.set_units(True)
    ask(qtbot, bar, facing_a_raise())
    assert bar._spin.text() == "5 bb"
    bar._spin.lineEdit().selectAll()
    qtbot.keyClicks(bar._spin, "6.5")
    qtbot.keyClick(bar._spin, Qt.Key.Key_Return)
    assert (bar.amount, bar._raise.text()) == (130, "Raise to 6.5 bb")
    assert QApplication.focusWidget() is bar._raise  # a second Return or Space raises, the first only sets
    assert chosen == []


def test_an_amount_out_of_bounds_is_brought_back(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    for typed, amount in (("5", 100), ("99999", 2000)):
        bar._spin.lineEdit().selectAll()
        qtbot.keyClicks(bar._spin, typed)
        qtbot.keyClick(bar._spin, Qt.Key.Key_Return)
        assert bar.amount == amount


def test_letters_act_even_from_the_amount_field(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar._spin.setFocus()
    qtbot.keyClick(bar._spin, Qt.Key.Key_R)
    assert chosen == [raise_to(100)]


def test_only_legal_actions_can_be_taken(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    ask(qtbot, bar, hand.your_turn(LegalActions(False, 60, 0, 0)))
    assert not bar._raise.isEnabled()
    assert not bar._slider.isEnabled()
    assert not any(preset.isEnabled() for preset in bar._presets)
    for pressed in (Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_1, Qt.Key.Key_Up):
        key(qtbot, bar, pressed)
    assert (chosen, bar.amount) == ([], 0)


def test_one_decision_is_answered_once(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_C)
    key(qtbot, bar, Qt.Key.Key_C)
    key(qtbot, bar, Qt.Key.Key_F)
    assert chosen == [CALL]


def test_nothing_can_be_pressed_the_moment_the_turn_arrives(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action]
) -> None:
    bar._guard.setInterval(GUARD_MILLISECONDS)
    bar.show_view(facing_a_raise())
    assert not bar._call.isEnabled()
    qtbot.mouseClick(bar._call, Qt.MouseButton.LeftButton)
    key(qtbot, bar, Qt.Key.Key_C)
    assert chosen == []
    qtbot.waitUntil(lambda: bar._call.isEnabled())
    key(qtbot, bar, Qt.Key.Key_C)
    assert chosen == [CALL]


def test_the_same_decision_shown_again_keeps_amount_and_buttons(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar._slider.setValue(500)
    bar.show_view(facing_a_raise())
    bar.set_units(True)
    assert (bar.amount, bar._raise.isEnabled(), bar._raise.text()) == (500, True, "Raise to 25 bb")


def test_folding_a_free_check_asks_once(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, checked_to())
    bar._guard.setInterval(GUARD_MILLISECONDS)
    key(qtbot, bar, Qt.Key.Key_F)
    assert chosen == []
    assert bar._prompt.text() == "Checking is free. Fold anyway?"
    key(qtbot, bar, Qt.Key.Key_F)  # a double press is no second thought
    assert chosen == []
    qtbot.waitUntil(lambda: bar._fold.isEnabled())
    assert bar._fold.text() == "Fold anyway?"
    key(qtbot, bar, Qt.Key.Key_F)
    assert chosen == [FOLD]


def test_a_question_is_dropped_by_another_action_and_by_time(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action]
) -> None:
    ask(qtbot, bar, checked_to())
    key(qtbot, bar, Qt.Key.Key_F)
    bar._question.setInterval(0)
    bar._question.start()
    qtbot.waitUntil(lambda: bar._fold.text() == "Fold" and bar._fold.isEnabled())
    key(qtbot, bar, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: bar._call.isEnabled())
    key(qtbot, bar, Qt.Key.Key_C)
    assert chosen == [CHECK]


def test_big_bets_ask_only_if_told_to(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar.set_confirm_big(True)
    key(qtbot, bar, Qt.Key.Key_A)
    key(qtbot, bar, Qt.Key.Key_R)
    assert (chosen, bar._prompt.text()) == ([], "That is all your chips. Sure?")
    qtbot.waitUntil(lambda: bar._raise.isEnabled())
    key(qtbot, bar, Qt.Key.Key_4)  # a smaller bet needs no question, and the old one is gone
    assert bar._prompt.text() == "Your turn: 60 to call, pot 90"
    key(qtbot, bar, Qt.Key.Key_R)
    assert chosen == [raise_to(210)]


def test_the_next_hand_and_skipping(qtbot: QtBot, bar: ActionBar) -> None:
    hand = Scribe(3, button=0).blinds().fold(0)
    bar.show_view(hand.thinking(1))
    assert bar._prompt.text() == "Ada is thinking…"
    assert bar._wait.text() == "Skip to the end"
    qtbot.waitUntil(bar._wait.isEnabled)
    with qtbot.waitSignal(bar.skip_requested):
        key(qtbot, bar, Qt.Key.Key_Space)
    hand.fold(1).award(2, 0, 30).end()
    bar.show_view(hand.view(Stage.HAND_OVER))
    qtbot.waitUntil(bar._wait.isEnabled)
    with qtbot.waitSignal(bar.deal_requested):
        key(qtbot, bar, Qt.Key.Key_Space)
    with qtbot.assertNotEmitted(bar.deal_requested):
        key(qtbot, bar, Qt.Key.Key_Space)  # one press, one hand
    qtbot.waitUntil(bar._wait.isEnabled)
    with qtbot.waitSignal(bar.deal_requested):
        qtbot.mouseClick(bar._wait, Qt.MouseButton.LeftButton)


def test_a_press_meant_for_skip_does_not_deal(qtbot: QtBot, bar: ActionBar) -> None:
    bar._guard.setInterval(GUARD_MILLISECONDS)
    hand = Scribe(3, button=0).blinds().fold(0)
    bar.show_view(hand.thinking(1))
    hand.fold(1).award(2, 0, 30).end()
    bar.show_view(hand.view(Stage.HAND_OVER))
    with qtbot.assertNotEmitted(bar.deal_requested):
        key(qtbot, bar, Qt.Key.Key_Space)


def test_other_keys_can_be_chosen(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    bar.set_keys({"fold": "Q", "next": "N"})
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_F)
    assert chosen == []
    key(qtbot, bar, Qt.Key.Key_Q)
    assert chosen == [FOLD]
    assert bar._fold.accessibleDescription() == "Key Q"


def test_the_guard_is_long_enough_for_a_hand_to_stop(qtbot: QtBot, theme: ThemeSource) -> None:
    fresh = ActionBar(theme)
    qtbot.addWidget(fresh)
    assert fresh._guard.interval() == GUARD_MILLISECONDS >= 200


def test_every_control_has_a_name(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    names = [found.accessibleName() for found in bar.findChildren(ActionButton) if found.isVisible()]
    assert names[:3] != []
    assert all(names)
    assert "Half the pot: 135" in names
    assert bar._slider.accessibleName() == "Bet size"
    assert bar._slider.accessibleDescription() == "100"
    assert bar._spin.accessibleName() == "Bet or raise to"


class Window(QWidget):
    """A bar among the widgets that it shares its window's keys with."""

    def __init__(self, bar: ActionBar) -> None:
        super().__init__()
        self.line, self.list, self.button = QLineEdit(), QListWidget(), QPushButton("Other")
        self.list.addItems(["one", "two", "three"])
        layout = QVBoxLayout(self)
        for widget in (self.line, self.list, self.button, bar):
            layout.addWidget(widget)


@pytest.fixture
def window(qtbot: QtBot, bar: ActionBar) -> Window:
    shared = Window(bar)
    qtbot.addWidget(shared)
    shared.show()
    shared.activateWindow()
    qtbot.waitActive(shared)
    return shared


def test_text_fields_keep_their_letters(qtbot: QtBot, window: Window, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.line.setFocus()
    qtbot.keyClicks(window.line, "fc 1")
    assert (window.line.text(), chosen, bar.amount) == ("fc 1", [], 100)


def test_lists_keep_their_arrows_and_give_up_letters(
    qtbot: QtBot, window: Window, bar: ActionBar, chosen: list[Action]
) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.list.setFocus()
    window.list.setCurrentRow(0)
    qtbot.keyClick(window.list, Qt.Key.Key_Down)
    assert (window.list.currentRow(), bar.amount) == (1, 100)
    qtbot.keyClick(window.list, Qt.Key.Key_F)
    assert chosen == [FOLD]


def test_arrows_reach_the_bar_from_widgets_without_use_for_them(
    qtbot: QtBot, window: Window, bar: ActionBar
) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.line.setFocus()
    qtbot.keyClick(window.line, Qt.Key.Key_Up)
    assert bar.amount == 120


def waiting(qtbot: QtBot, bar: ActionBar) -> None:
    bar.show_view(Scribe(3, button=0).blinds().fold(0).thinking(1))
    qtbot.waitUntil(bar._wait.isEnabled)


def test_space_belongs_to_the_button_that_one_has_gone_to(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    waiting(qtbot, bar)
    window.list.setFocus()
    qtbot.keyClick(window.list, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.button
    with qtbot.assertNotEmitted(bar.skip_requested), qtbot.waitSignal(window.button.clicked):
        qtbot.keyClick(window.button, Qt.Key.Key_Space)


def test_space_goes_on_where_a_click_or_qt_has_put_the_focus(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    waiting(qtbot, bar)
    window.list.setFocus()
    qtbot.mouseClick(window.button, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is window.button
    with qtbot.assertNotEmitted(window.button.clicked), qtbot.waitSignal(bar.skip_requested):
        qtbot.keyClick(window.button, Qt.Key.Key_Space)
    for take_away in (window.list.hide, partial(window.list.setEnabled, False)):
        window.list.setEnabled(True)
        window.list.show()
        window.list.setFocus()
        take_away()
        assert QApplication.focusWidget() is window.button
        with qtbot.assertNotEmitted(window.button.clicked), qtbot.waitSignal(bar.skip_requested):
            qtbot.keyClick(window.button, Qt.Key.Key_Space)


def test_acting_does_not_move_the_focus_to_a_stranger(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar._call.setFocus()
    qtbot.keyClick(bar._call, Qt.Key.Key_Space)
    focused = QApplication.focusWidget()
    assert focused is bar or bar.isAncestorOf(focused)


def test_the_decision_and_the_question_are_announced(
    qtbot: QtBot, bar: ActionBar, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: said.append(QAccessibleAnnouncementEvent.message(event))
    )
    QAccessible.setActive(True)
    try:
        ask(qtbot, bar, checked_to())
        key(qtbot, bar, Qt.Key.Key_F)
    finally:
        QAccessible.setActive(False)
    assert said == ["Your turn: nothing to call, pot 120", "Checking is free. Fold anyway?"]
