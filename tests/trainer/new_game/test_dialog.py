import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.style_file import nearest_style, style_text
from engine.agents.styles import POLICIES, STYLES
from engine.codec import decode
from engine.game.events import GameKind
from engine.game.format_file import FORMATS, built_in, cash_game
from engine.game.formats import HUMAN, GameConfig, Level
from tests.trainer.gestures import give_name
from trainer.new_game.dialog import NewGameDialog
from trainer.new_game.own_formats import FORMATS_FOLDER
from trainer.new_game.seats_box import default_seats
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource


@pytest.fixture
def dialog(qtbot: QtBot, settings: SettingsFile) -> NewGameDialog:
    return make(qtbot, settings)


def make(qtbot: QtBot, settings: SettingsFile) -> NewGameDialog:
    dialog = NewGameDialog(ThemeSource(), settings)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def named(dialog: NewGameDialog, kind: type, name: str) -> object:
    found = [widget for widget in dialog.findChildren(kind) if widget.accessibleName() == name]
    assert len(found) == 1, name
    return found[0]


def type_into(qtbot: QtBot, field: QLineEdit | QSpinBox, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)


def ok(dialog: NewGameDialog) -> QPushButton:
    return dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)


def problem(dialog: NewGameDialog) -> str:
    label = named(dialog, QLabel, "What is wrong with these settings")
    assert isinstance(label, QLabel)
    return label.text()


def test_it_opens_with_a_game_that_can_be_played(qtbot: QtBot, dialog: NewGameDialog) -> None:
    with qtbot.waitSignal(dialog.game_chosen) as chosen:
        qtbot.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    config = chosen.args[0]
    assert isinstance(config, GameConfig)
    config.verify()
    assert [seat.style for seat in config.seats].count(HUMAN) == 1
    assert config.seats == default_seats(6)
    assert (config.kind, config.small_blind, config.big_blind) == (GameKind.CASH, 50, 100)


def test_it_deals_by_the_letter_of_its_button(qtbot: QtBot, dialog: NewGameDialog) -> None:
    with qtbot.waitSignal(dialog.game_chosen, timeout=1000):
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)


@pytest.mark.parametrize(("height", "scrolls"), [(500, True), (574, True), (728, False)])
def test_its_buttons_are_on_a_low_screen(
    qtbot: QtBot, settings: SettingsFile, monkeypatch: pytest.MonkeyPatch, height: int, scrolls: bool
) -> None:
    monkeypatch.setattr(
        "trainer.new_game.dialog.room_on_screen", lambda _window: QSize(1083, height), raising=False
    )
    dialog = make(qtbot, settings)
    dialog.seats.seat_count.setValue(10)
    for kind in range(dialog.kind.count()):
        dialog.kind.setCurrentIndex(kind)
        QApplication.processEvents()
        assert dialog.height() <= height
        assert dialog.rect().contains(ok(dialog).geometry())
        bar = dialog.findChild(QScrollArea).verticalScrollBar()
        qtbot.waitUntil(lambda bar=bar: bar.isVisible() == scrolls)
    dialog.seed.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(dialog.seed, Qt.Key.Key_Backtab)
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.seed
    assert dialog.seed.visibleRegion().boundingRect() == dialog.seed.rect(), "what has the focus is scrolled to"


def test_a_whole_seed_can_be_read(qtbot: QtBot, dialog: NewGameDialog) -> None:
    """It is what a player copies to play the same cards again."""
    dialog.seed.setText(str(2**63 - 1))
    text = dialog.seed.fontMetrics().horizontalAdvance(dialog.seed.text())
    margins = dialog.seed.sizeHint().width() - dialog.seed.fontMetrics().horizontalAdvance("x" * 17)
    assert margins > 0
    assert dialog.seed.width() >= text + margins


def test_the_last_choice_comes_back_with_another_seed(
    qtbot: QtBot, settings: SettingsFile, dialog: NewGameDialog
) -> None:
    name = named(dialog, QLineEdit, "Name at seat 2")
    big_blind = named(dialog, QSpinBox, "Big blind in chips")
    stack = named(dialog, QSpinBox, "Starting stack in chips")
    style = named(dialog, QComboBox, "Style of seat 3")
    assert isinstance(name, QLineEdit)
    assert isinstance(big_blind, QSpinBox)
    assert isinstance(stack, QSpinBox)
    assert isinstance(style, QComboBox)
    type_into(qtbot, name, "Zora")
    type_into(qtbot, big_blind, "125")
    type_into(qtbot, stack, "5000")
    style.setCurrentIndex(style.findData("random"))
    seed = dialog.config().seed
    qtbot.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    assert str(seed) not in settings.path.read_text(), (
        "whoever reads the settings could know every card of the game"
    )
    first = decode(settings.settings.last_game.encode(), GameConfig)
    assert (first.seats[1].name, first.seats[2].style, first.big_blind) == ("Zora", "random", 125)

    again = make(qtbot, SettingsFile(settings.path)).config()
    assert again.seats == first.seats
    assert (again.big_blind, again.starting_stack) == (125, 5000)
    assert again.seed not in (seed, 0)


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("Small blind in chips", "0", "The small blind must be at least 1 chip, not 0."),
        ("Small blind in chips", "200", "must not be below the small blind (200)"),
        ("Starting stack in chips", "99", "A starting stack of 99 does not pay the big blind"),
        ("Seed of the cards", "-3", "The seed must be a whole number from 0 on, not '-3'."),
        ("Seed of the cards", "9999999999999999999999", "The seed must be from 0 to"),
        ("Name at seat 2", " ", "Seat 2 needs a name."),
        ("Name at seat 2", "Bruno", "The name 'Bruno' is taken twice"),
    ],
)
def test_what_cannot_be_played_is_told_and_not_dealt(
    qtbot: QtBot, dialog: NewGameDialog, field: str, text: str, sentence: str
) -> None:
    widget = named(dialog, QLineEdit if field.startswith(("Seed", "Name")) else QSpinBox, field)
    assert isinstance(widget, QLineEdit | QSpinBox)
    before = widget.text()
    type_into(qtbot, widget, text)
    assert sentence in problem(dialog)
    assert not ok(dialog).isEnabled()
    type_into(qtbot, widget, before)
    assert problem(dialog) == ""
    assert ok(dialog).isEnabled()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("9" * 5000, "The seed must be from 0 to"),
        ("\u202e\x1b7", "The seed must be a whole number from 0 on, not '\ufffd\ufffd7'."),
    ],
)
def test_a_seed_that_is_pasted_may_be_anything(
    qtbot: QtBot, dialog: NewGameDialog, text: str, sentence: str
) -> None:
    field = named(dialog, QLineEdit, "Seed of the cards")
    assert isinstance(field, QLineEdit)
    QGuiApplication.clipboard().setText(text)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert sentence in problem(dialog)


def test_a_name_that_is_pasted_is_fit_to_be_shown(qtbot: QtBot, dialog: NewGameDialog) -> None:
    field = named(dialog, QLineEdit, "Name at seat 2")
    assert isinstance(field, QLineEdit)
    QGuiApplication.clipboard().setText("\u202eAda\x1b[2J")
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert dialog.config().seats[1].name == "\ufffdAda\ufffd[2J"


def test_the_stack_is_entered_in_the_chosen_units_and_told_in_the_others(
    qtbot: QtBot, settings: SettingsFile, dialog: NewGameDialog
) -> None:
    def said() -> str:
        return dialog.depth_label.text()

    assert said() == "= 100 big blinds"
    big_blind, stack = (named(dialog, QSpinBox, name) for name in ("Big blind in chips", "Starting stack in chips"))
    assert isinstance(big_blind, QSpinBox)
    assert isinstance(stack, QSpinBox)
    type_into(qtbot, stack, "1000000000")
    assert said() == "= 10,000,000 big blinds"
    settings.change(big_blinds=True)
    other = make(qtbot, settings)
    field = named(other, QSpinBox, "Starting stack in big blinds")
    assert isinstance(field, QSpinBox)
    assert field.text() == "100 bb"
    type_into(qtbot, field, "62.5")
    assert other.depth_label.text() == "= 6,250 chips"
    assert other.config().starting_stack == 6250
    ante = named(other, QSpinBox, "Ante of each player in big blinds")
    assert isinstance(ante, QSpinBox)
    type_into(qtbot, ante, "0.1")
    assert other.config().ante == 10


def test_a_straddle_is_in_big_blinds_as_the_ante_is(qtbot: QtBot, settings: SettingsFile) -> None:
    settings.change(big_blinds=True)
    dialog = make(qtbot, settings)
    straddle = named(dialog, QSpinBox, "Straddle in big blinds")
    assert isinstance(straddle, QSpinBox)
    assert (straddle.text(), problem(dialog)) == ("none", "")
    type_into(qtbot, straddle, "2.5")
    assert dialog.config().straddle == 250
    qtbot.keyClick(straddle, Qt.Key.Key_Up)
    assert (straddle.text(), dialog.config().straddle) == ("3.5 bb", 350)
    type_into(qtbot, straddle, "0")
    assert (problem(dialog), dialog.config().straddle) == ("", 0)


def test_seats_can_be_added_and_taken_away(dialog: NewGameDialog) -> None:
    for count in (10, 2, 7):
        dialog.seats.seat_count.setValue(count)
        config = dialog.config()
        assert len(config.seats) == count
        assert len({seat.name for seat in config.seats}) == count


def test_you_can_sit_anywhere_and_exactly_once(dialog: NewGameDialog) -> None:
    names = {seat.name for seat in dialog.config().seats}
    for seat in (3, 5, 0):
        dialog.seats.hero_seat.setCurrentIndex(seat)
        config = dialog.config()
        assert [at for at, player in enumerate(config.seats) if player.style == HUMAN] == [seat]
        assert config.seats[seat].name == "You"
        assert {player.name for player in config.seats} == names


def test_choosing_you_at_another_seat_moves_you_there(dialog: NewGameDialog) -> None:
    style = named(dialog, QComboBox, "Style of seat 4")
    assert isinstance(style, QComboBox)
    style.setCurrentIndex(style.findData(HUMAN))
    assert [at for at, seat in enumerate(dialog.config().seats) if seat.style == HUMAN] == [3]
    assert dialog.seats.hero_seat.currentIndex() == 3
    assert [seat.name for seat in dialog.config().seats] == ["Chiara", "Ada", "Bruno", "You", "Deng", "Elif"]


def test_fewer_seats_than_yours_bring_you_back_in(dialog: NewGameDialog) -> None:
    dialog.seats.hero_seat.setCurrentIndex(5)
    dialog.seats.seat_count.setValue(3)
    assert [seat.style for seat in dialog.config().seats].count(HUMAN) == 1


def choose(qtbot: QtBot, dialog: NewGameDialog, name: str) -> None:
    """Choose a format by keys."""
    names = dialog.formats.names
    qtbot.keyClick(names, Qt.Key.Key_Home)
    for _ in range(names.findText(name)):
        qtbot.keyClick(names, Qt.Key.Key_Down)
    assert names.currentText() == name


def test_formats_fill_in_the_stakes(qtbot: QtBot, dialog: NewGameDialog) -> None:
    choose(qtbot, dialog, "Match of the FOLD paper")
    config = dialog.config()
    assert config == built_in("paper").game(config.seats, seed=config.seed)
    choose(qtbot, dialog, "Cash game")
    assert dialog.config() == cash_game(config.seats, seed=config.seed)


def test_seats_come_back_after_a_format_that_takes_fewer_or_more(qtbot: QtBot, dialog: NewGameDialog) -> None:
    seats = dialog.config().seats
    assert len(seats) == 6
    for name, count in (("Heads-up, stacks reset", 2), ("Tournament, rising blinds", 6), ("Cash game", 6)):
        choose(qtbot, dialog, name)
        assert dialog.config().seats == seats[:count]
    type_into(qtbot, dialog.seats.seat_count, "3")
    choose(qtbot, dialog, "Tournament, rising blinds")
    assert len(dialog.config().seats) == 4
    choose(qtbot, dialog, "Cash game")
    assert len(dialog.config().seats) == 3


def said(dialog: NewGameDialog, name: str) -> str:
    label = named(dialog, QLabel, name)
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


def test_the_format_in_force_is_said_in_a_line(qtbot: QtBot, dialog: NewGameDialog) -> None:
    assert said(dialog, "What is played") == "Cash game, blinds 50/100, 10,000 chips (100 big blinds)."
    type_into(qtbot, dialog.starting_stack, "5000")
    assert dialog.formats.names.currentText() == "Your own numbers"
    assert said(dialog, "What is played") == "Cash game, blinds 50/100, 5,000 chips (50 big blinds)."
    assert dialog.config().name == ""
    type_into(qtbot, dialog.starting_stack, "10000")
    assert dialog.formats.names.currentText() == "Cash game"
    choose(qtbot, dialog, "Heads-up, stacks reset")
    assert dialog.seats.seat_count.value() == 2
    assert "20,000 chips (200 big blinds) at the start of every hand, 2 players" in said(dialog, "What is played")
    dialog.seats.seat_count.setValue(3)
    assert problem(dialog) == "'Heads-up, stacks reset' needs 2 seats, not 3."


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("Further levels", "15/30, 25", "A level is small blind/big blind or small/big/ante, not '25'."),
        (
            "Further levels",
            "15/30, 50/25",
            "Level 50/25: The big blind (25) must not be below the small blind (50).",
        ),
        ("Further levels", "", "Levels last a number of hands, and these 0 last 10."),
        ("Prizes by place in percent", "60, x", "A prize is a whole number of percent, not 'x'."),
        ("Prizes by place in percent", "60, 30", "which sum to 90."),
    ],
)
def test_levels_and_prizes_are_typed(
    qtbot: QtBot, dialog: NewGameDialog, field: str, text: str, sentence: str
) -> None:
    assert not dialog.levels.isVisible()
    choose(qtbot, dialog, "Tournament, rising blinds")
    assert dialog.levels.isVisible()
    widget = named(dialog, QLineEdit, field)
    assert isinstance(widget, QLineEdit)
    before = widget.text()
    widget.clear()
    qtbot.keyClicks(widget, text)
    assert problem(dialog).endswith(sentence)
    assert not ok(dialog).isEnabled()
    widget.clear()
    qtbot.keyClicks(widget, before)
    assert problem(dialog) == ""
    assert dialog.formats.names.currentText() == "Tournament, rising blinds"
    type_into(qtbot, dialog.hands_per_level, "4")
    dialog.levels.clear()
    qtbot.keyClicks(dialog.levels, "20/40,30/60/5")
    dialog.payouts.clear()
    qtbot.keyClicks(dialog.payouts, "70 ,30")
    config = dialog.config()
    assert (config.hands_per_level, config.payouts) == (4, (70, 30))
    assert config.levels == (Level(20, 40), Level(30, 60, 5))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_dealt_as_its_file_says(qtbot: QtBot, dialog: NewGameDialog, name: str) -> None:
    offered = built_in(name)
    choose(qtbot, dialog, offered.name)
    assert problem(dialog) == ""
    with qtbot.waitSignal(dialog.game_chosen) as chosen:
        qtbot.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    config = chosen.args[0]
    assert config.format == offered
    assert offered.least_seats <= len(config.seats) <= offered.most_seats


def test_a_straddle_an_ante_for_all_and_limits_of_raises_are_chosen(qtbot: QtBot, dialog: NewGameDialog) -> None:
    type_into(qtbot, dialog.straddle, "150")
    assert problem(dialog) == "A straddle must be at least twice the big blind (200), not 150."
    type_into(qtbot, dialog.straddle, "250")
    type_into(qtbot, dialog.ante, "100")
    type_into(qtbot, dialog.max_raises, "4")
    for field in (dialog.is_big_blind_ante, dialog.raises_to_twice):
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    config = dialog.config()
    assert (config.straddle, config.ante, config.is_big_blind_ante) == (250, 100, True)
    assert (config.max_raises, config.raises_to_twice) == (4, True)
    assert said(dialog, "What is played") == (
        "Cash game, blinds 50/100 and a straddle of 250, big-blind ante 100, 10,000 chips (100 big blinds), "
        "raises to twice the bet, at most 4 raises a street."
    )


def test_arrows_step_by_what_is_played_for(qtbot: QtBot, dialog: NewGameDialog) -> None:
    """From none the first step of a straddle was to one chip, which is none."""
    for field, keys, value in (
        (dialog.straddle, [Qt.Key.Key_Up], 200),
        (dialog.straddle, [Qt.Key.Key_Up], 300),
        (dialog.straddle, [Qt.Key.Key_Down] * 2, 0),
        (dialog.starting_stack, [Qt.Key.Key_Up], 10_100),
        (dialog.ante, [Qt.Key.Key_Up], 10),
    ):
        for key in keys:
            qtbot.keyClick(field, key)
            assert problem(dialog) == ""
        assert field.value() == value
    type_into(qtbot, dialog.big_blind, "200")
    qtbot.keyClick(dialog.straddle, Qt.Key.Key_Up)
    assert dialog.straddle.value() == 400


def save_as(qtbot: QtBot, dialog: NewGameDialog, name: str) -> None:
    qtbot.mouseClick(dialog.formats.save, Qt.MouseButton.LeftButton)
    give_name(qtbot, dialog, name)


def test_own_numbers_are_saved_chosen_and_deleted(
    qtbot: QtBot, settings: SettingsFile, dialog: NewGameDialog
) -> None:
    type_into(qtbot, dialog.starting_stack, "5000")
    save_as(qtbot, dialog, "Cash game")
    assert said(dialog, "What is wrong with formats").startswith("'Cash game' is a format of the app")
    save_as(qtbot, dialog, "Shallow")
    assert dialog.formats.names.currentText() == "Shallow"
    assert said(dialog, "What is wrong with formats") == ""
    file = settings.path.with_name("formats") / "shallow.toml"
    assert "starting_stack = 5000\n" in file.read_text()

    choose(qtbot, dialog, "Cash game")
    assert not dialog.formats.delete.isEnabled()
    other = make(qtbot, settings)
    choose(qtbot, other, "Shallow")
    assert other.config().starting_stack == 5000
    for answer in ("&Keep it", "&Delete it"):
        qtbot.mouseClick(other.formats.delete, Qt.MouseButton.LeftButton)
        (box,) = other.findChildren(QMessageBox)
        qtbot.mouseClick(
            next(button for button in box.buttons() if button.text() == answer), Qt.MouseButton.LeftButton
        )
        qtbot.waitUntil(lambda: not other.findChildren(QMessageBox))
        assert file.exists() == (answer == "&Keep it")
    assert other.formats.names.findText("Shallow") == -1
    assert other.config().starting_stack == 5000, "the numbers stay on the screen"


def test_a_bad_file_is_named_where_formats_are_chosen(qtbot: QtBot, settings: SettingsFile) -> None:
    folder = settings.path.with_name("formats")
    folder.mkdir()
    (folder / "bad.toml").write_text("small_blnd = 1")
    dialog = make(qtbot, settings)
    assert said(dialog, "What is wrong with formats") == (
        "The format bad.toml cannot be played: 'small_blnd' is no setting of a format; did you mean 'small_blind'?"
    )
    assert ok(dialog).isEnabled()
    (folder / "bad.toml").unlink()
    dialog.hide()
    dialog.show()
    assert said(dialog, "What is wrong with formats") == ""


def test_every_style_explains_itself(dialog: NewGameDialog) -> None:
    style = named(dialog, QComboBox, "Style of seat 2")
    assert isinstance(style, QComboBox)
    for key, made in (STYLES | POLICIES).items():
        at = style.findData(key)
        assert style.itemText(at) == made.title
        assert style.itemData(at, Qt.ItemDataRole.ToolTipRole) == made.description


def test_styles_stand_under_the_name_of_their_group(dialog: NewGameDialog, qtbot: QtBot) -> None:
    style = named(dialog, QComboBox, "Style of seat 2")
    assert isinstance(style, QComboBox)
    headings, offered = [at for at in range(style.count()) if style.itemData(at) is None], STYLES | POLICIES
    assert [style.itemText(at) for at in headings] == list(dict.fromkeys(made.group for made in offered.values()))
    for at in range(1, style.count()):
        if at not in headings:
            above = max(heading for heading in headings if heading < at)
            assert style.itemText(above) == offered[style.itemData(at)].group
    style.setCurrentIndex(headings[1] - 1)
    qtbot.keyClick(style, Qt.Key.Key_Down)
    assert style.currentIndex() == headings[1] + 1  # a heading is passed over


def test_who_plays_heads_up_alone_is_seated_at_a_table_of_two(qtbot: QtBot, dialog: NewGameDialog) -> None:
    style, seats = named(dialog, QComboBox, "Style of seat 2"), named(dialog, QSpinBox, "Number of seats")
    assert isinstance(style, QComboBox)
    assert isinstance(seats, QSpinBox)
    style.setFocus()
    qtbot.keyClicks(style, "A*")
    assert style.currentData() == "a*"
    assert said(dialog, "What is wrong with these settings") == (
        "'A*' plays at 2 seats, and this table has 6. Set Seats to fewer, or choose another style."
    )
    assert not ok(dialog).isEnabled()
    seats.setFocus()
    seats.selectAll()
    qtbot.keyClicks(seats, "2")
    assert said(dialog, "What is wrong with these settings") == ""
    assert ok(dialog).isEnabled()
    assert [seat.style for seat in dialog.config().seats] == [HUMAN, "a*"]


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"kind": "cash"}', '{"kind":"cash","seats":[],"starting_stack":1,"small_blind":1,"big_blind":2}'],
)
def test_a_last_choice_that_makes_no_sense_is_passed_over(qtbot: QtBot, settings: SettingsFile, text: str) -> None:
    settings.change(last_game=text)
    dialog = make(qtbot, settings)
    assert len(dialog.config().seats) == 6


def test_escape_changes_nothing(qtbot: QtBot, settings: SettingsFile, dialog: NewGameDialog) -> None:
    chosen: list[object] = []
    dialog.game_chosen.connect(chosen.append)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert chosen == []
    assert settings.settings.last_game == ""


def controls(dialog: NewGameDialog) -> list[QWidget]:
    """Give what Tab leads to, in its order, walked once around."""
    dialog.activateWindow()
    found: list[QWidget] = []
    while (focused := dialog.focusWidget()) not in found:
        found.append(focused)
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Tab)
    return found


def test_enter_deals_wherever_the_focus_is(qtbot: QtBot, dialog: NewGameDialog) -> None:
    chosen: list[object] = []
    dialog.game_chosen.connect(chosen.append)
    walk = controls(dialog)
    assert {type(control).__name__ for control in walk} >= {"QLineEdit", "QComboBox", "QPushButton", "CheckBox"}
    assert any(isinstance(control, QSpinBox) for control in walk)
    cancel = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel)
    assert cancel in walk
    for count, control in enumerate(walk, start=1):
        control.setFocus(Qt.FocusReason.TabFocusReason)
        assert not cancel.isDefault()
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
        assert len(chosen) == count, control.accessibleName() or control
        assert not dialog.isVisible()
        dialog.show()
        dialog.activateWindow()


@pytest.mark.parametrize(
    ("field", "typed", "attribute", "value"),
    [
        ("Starting stack in chips", "4321", "starting_stack", 4321),
        ("Hands until the session ends", "77", "max_hands", 77),
        ("Seed of the cards", "12345", "seed", 12345),
    ],
)
def test_what_is_typed_before_enter_is_played(
    qtbot: QtBot, dialog: NewGameDialog, field: str, typed: str, attribute: str, value: int
) -> None:
    widget = named(dialog, QLineEdit if field.startswith("Seed") else QSpinBox, field)
    assert isinstance(widget, QLineEdit | QSpinBox)
    type_into(qtbot, widget, typed)
    with qtbot.waitSignal(dialog.game_chosen) as chosen:
        qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert getattr(chosen.args[0], attribute) == value


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("Number of seats", "1", "Number of seats: a whole number from 2 to 10, not '1'."),
        ("Number of seats", "", "Number of seats: a whole number from 2 to 10."),
        ("Big blind in chips", "", "Big blind in chips: a whole number from 0 to 1,000,000,000."),
        ("Starting stack in chips", "5", "A starting stack of 5 does not pay the big blind"),
        ("Seed of the cards", "ace", "The seed must be a whole number from 0 on, not 'ace'."),
    ],
)
@pytest.mark.parametrize("does_leave", [False, True])
def test_a_refused_game_keeps_everything_typed(
    qtbot: QtBot, dialog: NewGameDialog, field: str, typed: str, sentence: str, does_leave: bool
) -> None:
    chosen: list[object] = []
    dialog.game_chosen.connect(chosen.append)
    name = named(dialog, QLineEdit, "Name at seat 2")
    assert isinstance(name, QLineEdit)
    type_into(qtbot, name, "Zora")
    widget = named(dialog, QLineEdit if field.startswith("Seed") else QSpinBox, field)
    assert isinstance(widget, QLineEdit | QSpinBox)
    widget.setFocus()
    type_into(qtbot, widget, typed)
    if not typed:
        qtbot.keyClick(widget, Qt.Key.Key_Backspace)
    if does_leave:
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    qtbot.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    assert (chosen, dialog.isVisible(), widget.text(), name.text()) == ([], True, typed, "Zora")
    assert sentence in problem(dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.show()
    assert (widget.text(), name.text()) == (typed, "Zora"), "Cancel forgets nothing, either"


def test_opened_again_it_has_a_new_seed_only_after_a_game(qtbot: QtBot, dialog: NewGameDialog) -> None:
    seed = dialog.seed.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.show()
    assert dialog.seed.text() == seed
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    dialog.show()
    assert dialog.seed.text() != seed


def test_every_control_has_a_name(dialog: NewGameDialog) -> None:
    for kind in (QSpinBox, QComboBox, QLineEdit):
        for widget in dialog.findChildren(kind):
            if not widget.objectName().startswith("qt_"):
                assert widget.accessibleName(), widget


def test_a_style_of_ones_own_is_seated_and_stays_when_its_file_is_gone(
    qtbot: QtBot, settings: SettingsFile
) -> None:
    folder = settings.path.with_name("styles")
    folder.mkdir()
    text = style_text(nearest_style("Uncle Leo", TEMPERS["maniac"][0]))
    (folder / "leo.toml").write_text(text)
    (folder / "bad.toml").write_text(text.replace("early = 85", "early = 850").replace("Leo", "Tom"))
    dialog = make(qtbot, settings)
    assert said(dialog, "What is wrong with styles").startswith(
        "The style bad.toml cannot be played: The setting 'early' is a number from 0 to 100 with"
    )
    style = named(dialog, QComboBox, "Style of seat 2")
    assert isinstance(style, QComboBox)
    style.setCurrentIndex(style.findText("Uncle Leo"))
    with qtbot.waitSignal(dialog.game_chosen) as chosen:
        qtbot.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    assert chosen.args[0].seats[1].style == text
    for path in folder.iterdir():
        path.unlink()
    again = make(qtbot, SettingsFile(settings.path))
    assert said(again, "What is wrong with styles") == ""
    assert again.config().seats[1].style == text


def test_numbers_are_not_saved_while_one_of_them_is_none(qtbot: QtBot, dialog: NewGameDialog) -> None:
    """Those that stood there before the mistake were saved, and what was typed was gone."""
    dialog.kind.setCurrentIndex(dialog.kind.findData(GameKind.TOURNAMENT))
    type_into(qtbot, dialog.hands_per_level, "10")
    type_into(qtbot, dialog.levels, "100/200, 200/400x")
    assert problem(dialog) == "A level is small blind/big blind or small/big/ante, not '200/400x'."
    assert not dialog.formats.save.isEnabled()
    qtbot.keyClick(dialog.levels, Qt.Key.Key_Backspace)
    assert dialog.formats.save.isEnabled()
    type_into(qtbot, dialog.big_blind, "")
    qtbot.keyClick(dialog.big_blind, Qt.Key.Key_Delete)
    assert problem(dialog).startswith("Big blind in chips: ")
    assert not dialog.formats.save.isEnabled()
    type_into(qtbot, dialog.big_blind, "100")
    save_as(qtbot, dialog, "Mine")
    assert dialog.formats.names.currentText() == "Mine"
    assert dialog.config().levels == (Level(100, 200), Level(200, 400))


def test_numbers_of_a_format_that_no_field_holds_are_shown_as_the_most_there_is(
    qtbot: QtBot, settings: SettingsFile
) -> None:
    """Of a file that somebody wrote: the dialog used to take nothing more from then on."""
    folder = settings.path.with_name(FORMATS_FOLDER)
    folder.mkdir()
    numbers = "\n".join(f"{name} = {10**15}" for name in ("max_hands", "hands_per_level", "rebuys", "max_raises"))
    text = f'name = "Endless"\nkind = "tournament"\nstarting_stack = {10**12}\nsmall_blind = 1\nbig_blind = 2\n'
    (folder / "endless.toml").write_text(f'{text}levels = ["2/4"]\n{numbers}\n')
    dialog = make(qtbot, settings)
    names = dialog.formats.names
    names.setFocus()
    qtbot.keyClick(names, Qt.Key.Key_End)
    shown = dialog.config()
    assert shown.kind == GameKind.TOURNAMENT
    assert (shown.starting_stack, shown.max_hands, shown.rebuys) == (10**9, 10**6, 100)
    assert (shown.hands_per_level, shown.max_raises) == (10**6, 1000)
    type_into(qtbot, dialog.big_blind, "0")
    assert problem(dialog)
    assert not ok(dialog).isEnabled()
