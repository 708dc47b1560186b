"""Acting by mouse, wheel and keys; what is illegal cannot be done, and slips are caught."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from engine.game.events import CALL, CHECK, FOLD, Action, PostKind, raise_to
from engine.game.observation import LegalActions
from tests.trainer.gestures import type_into
from tests.trainer.scripted_hands import Scribe
from trainer.play.action_bar import GUARD_MILLISECONDS, ActionBar
from trainer.play.action_bar_model import Waiting
from trainer.play.action_button import ActionButton
from trainer.session.types import Stage, TableView
from trainer.theme import ThemeSource


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
        qtbot.keyClick(bar, pressed, Qt.KeyboardModifier.AltModifier)
        amounts.append(bar.model.amount)
    assert amounts == [110, 135, 160, 210, 2000]
    assert button(bar, "Raise to 2,000 (all-in)").isEnabled()
    qtbot.mouseClick(button(bar, "Pot"), Qt.MouseButton.LeftButton)
    assert bar.model.amount == 210
    key(qtbot, bar, Qt.Key.Key_A)
    assert bar.model.amount == 2000
    assert chosen == []
    key(qtbot, bar, Qt.Key.Key_R)
    assert chosen == [raise_to(2000)]


def test_arrows_step_by_blinds_within_the_bounds(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_Up)
    key(qtbot, bar, Qt.Key.Key_Up)
    assert bar.model.amount == 140
    key(qtbot, bar, Qt.Key.Key_Down, shift=True)
    assert bar.model.amount == 130
    for _ in range(3):
        key(qtbot, bar, Qt.Key.Key_Down)
    assert bar.model.amount == 100


def test_the_wheel_over_bar_slider_and_field_steps_the_bet(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    for widget in (bar, bar._sizes.slider, bar._sizes.field):
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
    assert bar.model.amount == 160
    bar.turn_wheel(-2)  # from over the table
    assert bar.model.amount == 120


def test_slider_field_and_button_show_one_amount(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar._sizes.slider.setValue(500)
    assert (bar._sizes.field.text(), bar._raise.text()) == ("500", "Raise to 500")
    type_into(bar._sizes.field, "340")
    assert (bar._sizes.slider.value(), bar._raise.text(), bar.model.amount) == (340, "Raise to 340", 340)
    key(qtbot, bar, Qt.Key.Key_Up)
    assert (bar._sizes.field.text(), bar._sizes.slider.value(), bar._raise.text()) == ("360", 360, "Raise to 360")


def test_more_chips_than_a_slider_counts_are_bet(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    most = 5_000_000_001
    hand = Scribe(2, button=0, stacks=(most, most), small_blind=300_000_000, big_blind=600_000_000).blinds()
    ask(qtbot, bar, hand.your_turn(LegalActions(False, 300_000_000, 1_200_000_000, most)))
    slider = bar._sizes.slider
    assert (slider.value(), bar.model.amount) == (slider.minimum(), 1_200_000_000)
    slider.setValue(slider.minimum() + 1)
    assert 1_200_000_000 < bar.model.amount < 1_200_000_005
    slider.setValue(slider.maximum())
    assert (bar.model.amount, bar._raise.text()) == (most, "Raise to 5,000,000,001 (all-in)")
    slider.setValue(slider.minimum())
    assert bar.model.amount == 1_200_000_000
    type_into(bar._sizes.field, "4,000,000,001")
    key(qtbot, bar, Qt.Key.Key_R)
    assert chosen == [raise_to(4_000_000_001)]


def test_every_keystroke_is_the_amount(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    seen = []
    for typed in "1500":
        seen.append((qtbot.keyClick(bar.window().focusWidget(), typed), bar._raise.text())[1])
    assert seen == ["Raise to –", "Raise to –", "Raise to 150", "Raise to 1,500"]


@pytest.mark.parametrize(
    ("in_big_blinds", "typed", "amount"),
    [
        (False, "1,250", 1250),
        (False, "1 250", 1250),
        (False, "6.5bb", 130),
        (True, "6.5", 130),
        (True, "6.5 bb", 130),
        (True, "7.", 140),
    ],
)
def test_typing_in_either_unit(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], in_big_blinds: bool, typed: str, amount: int
) -> None:
    bar.set_units(in_big_blinds)
    bar.set_keys({"raise": "R"})
    ask(qtbot, bar, facing_a_raise())
    bar._sizes.field.setFocus()
    bar._sizes.field.selectAll()
    bar._sizes.field.insert(typed)  # as pasted: the letter of a typed unit is a key that bets
    bar._sizes.field.textEdited.emit(typed)
    assert bar.model.amount == amount
    qtbot.keyClick(bar._sizes.field, Qt.Key.Key_Return)
    assert chosen == [raise_to(amount)]


@pytest.mark.parametrize(
    ("in_big_blinds", "typed", "sentence"),
    [
        (False, "5", "5 is too little: the least is 100."),
        (False, "2.5", "2.5 is too little: the least is 100."),
        (False, "99999", "99,999 is too much: all-in is 2,000."),
        (False, "", "Type an amount from 100 to 2,000."),
        (False, "1,2", "'1,2' is no amount: write a number such as 130."),
        (False, "-300", "'-300' is no amount: write a number such as 130."),
        (True, "4.9", "4.9 bb is too little: the least is 5 bb."),
        (True, "6,5", "'6,5' is no amount: write a number such as 6.5."),
    ],
)
@pytest.mark.parametrize("way", ["R", "Enter", "click"])
def test_what_cannot_be_bet_says_so_and_bets_nothing(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], in_big_blinds: bool, typed: str, sentence: str, way: str
) -> None:
    bar.set_units(in_big_blinds)
    ask(qtbot, bar, facing_a_raise())
    type_into(bar._sizes.field, typed or "5")
    if not typed:
        qtbot.keyClick(bar._sizes.field, Qt.Key.Key_Backspace)
    assert (bar._prompt.text(), bar._raise.text(), bar._raise.isEnabled()) == (sentence, "Raise to –", False)
    if way == "click":
        qtbot.mouseClick(bar._raise, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(bar._sizes.field, Qt.Key.Key_R if way == "R" else Qt.Key.Key_Return)
    assert (chosen, bar._sizes.field.text(), bar._prompt.text()) == ([], typed, sentence)
    qtbot.keyClick(bar._sizes.field, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)  # anything else set mends it
    assert bar._prompt.text().startswith("Your turn")
    assert bar._sizes.field.text() == ("10.5 bb" if in_big_blinds else "210")


@pytest.mark.parametrize("typed", ["9", "999"])
def test_escape_takes_back_what_is_typed(qtbot: QtBot, bar: ActionBar, typed: str) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_Up)
    for sign in typed:
        qtbot.keyClick(QApplication.focusWidget(), sign)
    assert bar._sizes.field.text() == typed
    qtbot.keyClick(bar._sizes.field, Qt.Key.Key_Escape)
    assert (bar._sizes.field.text(), bar._raise.text(), bar.hasFocus()) == ("120", "Raise to 120", True)


def test_units_turn_while_an_amount_is_typed(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    type_into(bar._sizes.field, "340")
    bar.set_units(True)
    assert (bar._sizes.field.text(), bar._raise.text(), bar.model.amount) == ("17 bb", "Raise to 17 bb", 340)
    type_into(bar._sizes.field, "3")  # too little: what was legal last is shown again
    bar.set_units(False)
    assert (bar._sizes.field.text(), bar._raise.text(), bar.model.amount) == ("340", "Raise to 340", 340)


def test_a_new_turn_forgets_what_was_typed(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    type_into(bar._sizes.field, "3")
    key(qtbot, bar, Qt.Key.Key_C)
    assert chosen == [CALL]
    ask(qtbot, bar, checked_to())
    assert (bar._sizes.field.text(), bar._raise.text(), bar.hasFocus()) == ("20", "Bet 20", True)


def test_letters_act_even_from_the_amount_field(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    type_into(bar._sizes.field, "340")
    qtbot.keyClick(bar._sizes.field, Qt.Key.Key_R)
    assert chosen == [raise_to(340)]


def test_only_legal_actions_can_be_taken(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    hand = Scribe(4, button=0).blinds().raise_to(3, 60)
    ask(qtbot, bar, hand.your_turn(LegalActions(False, 60, 0, 0)))
    assert not bar._raise.isEnabled()
    assert not bar._sizes.slider.isEnabled()
    assert not any(preset.isEnabled() for preset in bar._sizes.presets)
    for pressed in (Qt.Key.Key_R, Qt.Key.Key_A, Qt.Key.Key_1, Qt.Key.Key_Up):
        key(qtbot, bar, pressed)
    assert (chosen, bar.model.amount) == ([], 0)


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
    bar._sizes.slider.setValue(500)
    bar.show_view(facing_a_raise())
    bar.set_units(True)
    assert (bar.model.amount, bar._raise.isEnabled(), bar._raise.text()) == (500, True, "Raise to 25 bb")


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(bar: ActionBar, monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(bar.model, "_clock", made)
    return made


@pytest.mark.parametrize("way", ["the key", "Enter", "a click"])
def test_folding_a_free_check_asks_once(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], clock: Clock, way: str
) -> None:
    def insist() -> None:
        if way == "a click":
            qtbot.mouseClick(bar._fold, Qt.MouseButton.LeftButton)
        else:
            key(qtbot, bar, Qt.Key.Key_F if way == "the key" else Qt.Key.Key_Return)

    ask(qtbot, bar, checked_to())
    key(qtbot, bar, Qt.Key.Key_F)
    assert (chosen, bar._fold.text()) == ([], "Fold anyway?")
    assert bar._prompt.text() == "Checking is free. F again or Enter folds anyway, Esc takes it back."
    clock.now += 0.39
    insist()  # a double press is no second thought
    assert chosen == []
    clock.now += 0.02
    insist()
    assert chosen == [FOLD]


def test_a_question_is_dropped_by_escape_and_by_another_action(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], clock: Clock
) -> None:
    ask(qtbot, bar, checked_to())
    key(qtbot, bar, Qt.Key.Key_F)
    key(qtbot, bar, Qt.Key.Key_Escape)
    clock.now += 1
    assert (bar._fold.text(), bar._prompt.text()) == ("Fold", "Your turn: nothing to call, pot 120")
    key(qtbot, bar, Qt.Key.Key_Return)
    assert chosen == []
    key(qtbot, bar, Qt.Key.Key_F)
    assert bar._fold.text() == "Fold anyway?", "it asks again"
    key(qtbot, bar, Qt.Key.Key_C)
    assert chosen == [CHECK]


def test_big_bets_ask_only_if_told_to(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar.set_confirm_big(True)
    key(qtbot, bar, Qt.Key.Key_A)
    key(qtbot, bar, Qt.Key.Key_R)
    assert bar._prompt.text() == ("All your chips. R again or Enter goes all-in, Esc takes it back.")
    assert (chosen, bar._raise.text()) == ([], "Raise to 2,000 (all-in)?")
    qtbot.keyClick(bar, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert bar._prompt.text() == "Your turn: 60 to call, pot 90", "a smaller bet needs no question"
    key(qtbot, bar, Qt.Key.Key_R)
    assert chosen == [raise_to(210)]


@pytest.mark.parametrize("is_by_mouse", [True, False])
def test_presets_bet_at_once_if_told_to(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], is_by_mouse: bool
) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar.set_bets_presets(True)
    if is_by_mouse:
        qtbot.mouseClick(bar._sizes.presets[3], Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(bar, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    assert chosen == [raise_to(210)]


def test_a_preset_that_bets_all_in_asks_once(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], clock: Clock
) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar.set_confirm_big(True)
    bar.set_bets_presets(True)
    key(qtbot, bar, Qt.Key.Key_A)
    assert (chosen, bar._raise.text()) == ([], "Raise to 2,000 (all-in)?")
    clock.now += 0.5
    key(qtbot, bar, Qt.Key.Key_A)
    assert chosen == [raise_to(2000)]


def test_a_typed_all_in_is_asked_for_and_confirmed_with_enter(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action], clock: Clock
) -> None:
    ask(qtbot, bar, facing_a_raise())
    bar.set_confirm_big(True)
    qtbot.keyClicks(bar.focusWidget() or bar, "2")
    qtbot.keyClicks(bar._sizes.field, "000")
    for seconds, expected in ((0.0, []), (0.3, []), (0.2, [raise_to(2000)])):
        clock.now += seconds
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        assert chosen == expected


@pytest.mark.parametrize("way", ["a preset", "a preset by mouse", "an arrow", "the wheel", "the slider"])
def test_enter_bets_an_amount_that_was_set(qtbot: QtBot, bar: ActionBar, chosen: list[Action], way: str) -> None:
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_Return)
    assert chosen == [], "nobody has chosen the amount that stands there"
    if way == "a preset":
        qtbot.keyClick(bar, Qt.Key.Key_4, Qt.KeyboardModifier.AltModifier)
    elif way == "a preset by mouse":
        qtbot.mouseClick(bar._sizes.presets[3], Qt.MouseButton.LeftButton)
    elif way == "an arrow":
        key(qtbot, bar, Qt.Key.Key_Up)
    elif way == "the wheel":
        bar.turn_wheel(1)
    else:
        slider = bar._sizes.slider
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 3, slider.height() // 2))
    amount = bar.model.amount
    assert amount > 100
    key(qtbot, bar, Qt.Key.Key_Return)
    assert chosen == [raise_to(amount)]
    ask(qtbot, bar, checked_to())
    key(qtbot, bar, Qt.Key.Key_Return)
    assert chosen == [raise_to(amount)], "on the next turn it is to be chosen anew"


def test_the_next_hand_and_skipping(qtbot: QtBot, bar: ActionBar) -> None:
    hand = Scribe(3, button=0).blinds().fold(0)
    bar.show_view(hand.thinking(1))
    assert bar._prompt.text() == "Ada is thinking…"
    assert bar._waits[0].text() == "Skip to the end"
    qtbot.waitUntil(bar._waits[0].isEnabled)
    with qtbot.waitSignal(bar.waiting_chosen, check_params_cb=Waiting.SKIP_TO_END.__eq__):
        key(qtbot, bar, Qt.Key.Key_Space)
    hand.fold(1).award(2, 0, 30).end()
    bar.show_view(hand.view(Stage.HAND_OVER))
    qtbot.waitUntil(bar._waits[0].isEnabled)
    with qtbot.waitSignal(bar.waiting_chosen, check_params_cb=Waiting.DEAL.__eq__):
        key(qtbot, bar, Qt.Key.Key_Space)
    with qtbot.assertNotEmitted(bar.waiting_chosen):
        key(qtbot, bar, Qt.Key.Key_Space)  # one press, one hand
    qtbot.waitUntil(bar._waits[0].isEnabled)
    with qtbot.waitSignal(bar.waiting_chosen, check_params_cb=Waiting.DEAL.__eq__):
        qtbot.mouseClick(bar._waits[0], Qt.MouseButton.LeftButton)


def test_the_bar_is_as_tall_while_others_act(qtbot: QtBot, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    deciding = bar.sizeHint().height()
    bar.show_view(Scribe(4, button=0).blinds().thinking(3))
    assert bar.sizeHint().height() == deciding


def test_a_run_out_is_skipped_to_the_end_with_chips_left_too(qtbot: QtBot, bar: ActionBar) -> None:
    hand = Scribe(2, button=0, stacks=[2000, 500]).blinds().raise_to(0, 2000).call(1).give_back(0, 1500)
    bar.show_view(hand.view(Stage.SHOWING))
    assert bar._waits[0].text() == "Skip to the end"
    qtbot.waitUntil(bar._waits[0].isEnabled)
    with qtbot.waitSignal(bar.waiting_chosen, check_params_cb=Waiting.SKIP_TO_END.__eq__):
        key(qtbot, bar, Qt.Key.Key_Space)


def test_no_amount_is_cut_into_another_one(bar: ActionBar) -> None:
    """The results of ten seats with antes are wider than the table: they end in an ellipsis, and are told whole."""
    hand = Scribe(10, button=0, ante=10)
    for seat in range(10):
        hand.post(seat, PostKind.ANTE, 10)
    hand.blinds().fold(*range(3, 10), 0, 1).give_back(2, 10).award(2, 0, 120).end()
    bar.show_view(hand.view(Stage.HAND_OVER))
    words = bar._prompt.text()
    assert words.startswith("Result: ")
    assert bar._prompt.fontMetrics().horizontalAdvance(words) > bar._prompt.width()
    assert bar._prompt.toolTip() == words
    written = bar._prompt.grab().toImage()
    bar._prompt.setText(
        bar._prompt.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, bar._prompt.width())
    )
    assert bar._prompt.grab().toImage() == written


def test_a_press_meant_for_skip_does_not_deal(qtbot: QtBot, bar: ActionBar) -> None:
    bar._guard.setInterval(GUARD_MILLISECONDS)
    hand = Scribe(3, button=0).blinds().fold(0)
    bar.show_view(hand.thinking(1))
    hand.fold(1).award(2, 0, 30).end()
    bar.show_view(hand.view(Stage.HAND_OVER))
    with qtbot.assertNotEmitted(bar.waiting_chosen):
        key(qtbot, bar, Qt.Key.Key_Space)


def test_other_keys_can_be_chosen(qtbot: QtBot, bar: ActionBar, chosen: list[Action]) -> None:
    bar.set_keys({"fold": "Q", "next": "N"})
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_F)
    assert chosen == []
    key(qtbot, bar, Qt.Key.Key_Q)
    assert chosen == [FOLD]
    assert bar._fold.accessibleDescription() == "Key Q"


def test_the_second_key_of_raising_can_be_chosen_for_something_else(
    qtbot: QtBot, bar: ActionBar, chosen: list[Action]
) -> None:
    bar.set_keys({"fold": "B"})
    ask(qtbot, bar, facing_a_raise())
    key(qtbot, bar, Qt.Key.Key_B)
    assert chosen == [FOLD]


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
    assert bar._sizes.slider.accessibleName() == "Bet size"
    assert bar._sizes.slider.accessibleDescription() == "100"
    assert bar._sizes.field.accessibleName() == "Bet or raise to"


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
    assert (window.line.text(), chosen, bar.model.amount) == ("fc 1", [], 100)


def test_lists_keep_their_arrows_and_give_up_letters(
    qtbot: QtBot, window: Window, bar: ActionBar, chosen: list[Action]
) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.list.setFocus()
    window.list.setCurrentRow(0)
    qtbot.keyClick(window.list, Qt.Key.Key_Down)
    assert (window.list.currentRow(), bar.model.amount) == (1, 100)
    qtbot.keyClick(window.list, Qt.Key.Key_F)
    assert chosen == [FOLD]


def test_arrows_reach_the_bar_from_widgets_without_use_for_them(
    qtbot: QtBot, window: Window, bar: ActionBar
) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.line.setFocus()
    qtbot.keyClick(window.line, Qt.Key.Key_Up)
    assert bar.model.amount == 120


def waiting(qtbot: QtBot, bar: ActionBar) -> None:
    bar.show_view(Scribe(3, button=0).blinds().fold(0).thinking(1))
    qtbot.waitUntil(bar._waits[0].isEnabled)


def test_space_belongs_to_the_button_that_one_has_gone_to(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    waiting(qtbot, bar)
    window.list.setFocus()
    qtbot.keyClick(window.list, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.button
    with qtbot.assertNotEmitted(bar.waiting_chosen), qtbot.waitSignal(window.button.clicked):
        qtbot.keyClick(window.button, Qt.Key.Key_Space)


def test_no_click_takes_the_keys_from_the_bar(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    waiting(qtbot, bar)
    window.list.setFocus()
    for widget in (window.button, window.list.viewport()):
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)
        assert QApplication.focusWidget() is bar
    with qtbot.assertNotEmitted(window.button.clicked), qtbot.waitSignal(bar.waiting_chosen):
        qtbot.keyClick(bar, Qt.Key.Key_Space)


@pytest.mark.parametrize("is_hidden", [True, False])
def test_what_goes_away_gives_the_keys_to_the_bar(
    qtbot: QtBot, window: Window, bar: ActionBar, is_hidden: bool
) -> None:
    waiting(qtbot, bar)
    window.list.setFocus()
    if is_hidden:
        window.list.hide()
    else:
        window.list.setEnabled(False)
    assert QApplication.focusWidget() is bar


def test_text_keeps_the_keys_when_the_turn_comes_and_a_list_does_not(
    qtbot: QtBot, window: Window, bar: ActionBar, chosen: list[Action]
) -> None:
    waiting(qtbot, bar)
    window.line.setFocus()
    ask(qtbot, bar, facing_a_raise())
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F)
    assert (window.line.text(), chosen) == ("f", [])
    window.list.setFocus(Qt.FocusReason.TabFocusReason)
    ask(qtbot, bar, checked_to())
    assert QApplication.focusWidget() is bar


def test_escape_leads_back_to_the_bar(qtbot: QtBot, window: Window, bar: ActionBar) -> None:
    ask(qtbot, bar, facing_a_raise())
    window.list.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(window.list, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is bar


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
    assert said == [
        "Your turn: nothing to call, pot 120",
        "Checking is free. F again or Enter folds anyway, Esc takes it back.",
    ]
