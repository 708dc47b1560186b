"""The card picker by mouse and by keys: places fill in order, taken cards stay out."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from engine.cards import Card, parse_cards
from trainer.calculator.card_picker import CardButton, CardPicker, CardSlots, card_name
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton


def card(text: str) -> Card:
    return parse_cards(text)[0]


class Desk:
    """A picker beneath a window, and the choices it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.picker = CardPicker(ThemeSource(self.window), self.window)
        self.told: list[tuple[Card, ...]] = []
        self.picker.cards_changed.connect(self.told.append)
        self.window.show()

    def open(self, cards: str = "", capacity: int = 5, used: str = "", place: int | None = None) -> None:
        taken = dict.fromkeys(parse_cards(used), "on the board")
        self.picker.open_for("Board", parse_cards(cards), capacity, taken, self.window, place)

    def click(self, text: str) -> None:
        self.qtbot.mouseClick(self.picker.buttons[card(text)], LEFT)

    def type(self, letters: str) -> None:
        focus = QApplication.focusWidget()
        for letter in letters:
            QTest.keyClick(focus or self.picker, letter)
            focus = QApplication.focusWidget()

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.picker, key)

    @property
    def chosen(self) -> tuple[Card, ...]:
        return self.picker.cards


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.picker.close()


def test_it_shows_the_whole_deck_with_names(desk: Desk) -> None:
    desk.open()
    assert len(desk.picker.buttons) == 52
    assert desk.picker.buttons[card("As")].accessibleName() == "ace of spades"
    assert card_name(card("2c")) == "two of clubs"
    places = {(b.x(), b.y()) for b in desk.picker.buttons.values()}
    assert len({x for x, _ in places}) == 13
    assert len({y for _, y in places}) == 4


def test_clicks_fill_the_places_in_order_and_stop_when_full(desk: Desk) -> None:
    desk.open(capacity=2)
    desk.click("Ah")
    assert desk.picker.place == 1
    desk.click("Kh")
    desk.click("Qh")
    assert desk.chosen == parse_cards("AhKh")
    assert desk.told == [parse_cards("Ah"), parse_cards("AhKh")]


def test_a_click_on_a_chosen_card_takes_it_back(desk: Desk) -> None:
    desk.open("Ks 7d 2h")
    desk.click("7d")
    assert desk.chosen == parse_cards("Ks 2h")
    assert not desk.picker.buttons[card("7d")].isChecked()
    assert desk.picker.buttons[card("Ks")].isChecked()


def test_used_cards_are_grey_say_where_they_are_and_cannot_be_chosen(desk: Desk) -> None:
    desk.open(used="Ah")
    button = desk.picker.buttons[card("Ah")]
    assert not button.isEnabled()
    assert button.accessibleDescription() == "on the board"
    desk.click("Ah")
    desk.type("ah")
    assert desk.chosen == ()
    assert desk.told == []


def test_a_place_can_be_replaced_and_then_the_next_empty_one_is_filled(desk: Desk) -> None:
    desk.open("Ks 7d 2h", place=1)
    desk.click("8d")
    assert desk.chosen == parse_cards("Ks 8d 2h")
    desk.click("3c")
    assert desk.chosen == parse_cards("Ks 8d 2h 3c")


def test_a_click_on_a_place_makes_it_the_next(desk: Desk) -> None:
    desk.open("Ks 7d 2h")
    assert desk.picker.place == 3
    slots = desk.picker.findChildren(CardSlots)[0].slots
    desk.qtbot.mouseClick(slots[0], LEFT)
    desk.click("As")
    assert desk.chosen == parse_cards("As 7d 2h")


@pytest.mark.parametrize(("typed", "cards"), [("ah", "Ah"), ("AHkd", "AhKd"), ("10c", "Tc"), ("2s3s4s", "2s3s4s")])
def test_typed_cards(desk: Desk, typed: str, cards: str) -> None:
    desk.open()
    desk.type(typed)
    assert desk.chosen == parse_cards(cards)


def test_a_second_rank_replaces_the_first_and_a_lone_suit_is_nothing(desk: Desk) -> None:
    desk.open()
    desk.type("h")
    desk.type("akh")
    assert desk.chosen == parse_cards("Kh")


def test_backspace_takes_back_a_half_typed_card_and_then_the_last_one(desk: Desk) -> None:
    desk.open("Ks 7d")
    desk.type("a")
    desk.press(Qt.Key.Key_Backspace)
    assert desk.chosen == parse_cards("Ks 7d")
    desk.press(Qt.Key.Key_Backspace)
    assert desk.chosen == parse_cards("Ks")
    desk.press(Qt.Key.Key_Backspace)
    desk.press(Qt.Key.Key_Backspace)
    assert desk.chosen == ()


def test_arrows_go_over_the_grid_past_used_cards_and_space_chooses(desk: Desk) -> None:
    desk.open(used="Ks")
    assert QApplication.focusWidget() is desk.picker.buttons[card("As")]
    desk.press(Qt.Key.Key_Right)
    desk.press(Qt.Key.Key_Space)
    desk.press(Qt.Key.Key_Down)
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Left)
    desk.press(Qt.Key.Key_Space)
    assert desk.chosen == parse_cards("Qs Qh Kh")


def test_arrows_stop_at_the_edge(desk: Desk) -> None:
    desk.open()
    desk.press(Qt.Key.Key_Up)
    desk.press(Qt.Key.Key_Left)
    assert QApplication.focusWidget() is desk.picker.buttons[card("As")]


def test_clear_and_done(desk: Desk, qtbot: QtBot) -> None:
    desk.open("Ks 7d 2h")
    buttons = {button.text(): button for button in desk.picker.findChildren(QPushButton)}
    qtbot.mouseClick(buttons["C&lear"], LEFT)
    assert desk.chosen == ()
    assert not buttons["C&lear"].isEnabled()
    with qtbot.waitSignal(desk.picker.closed):
        qtbot.mouseClick(buttons["&Done"], LEFT)
    assert not desk.picker.isVisible()


def test_escape_closes_it(desk: Desk, qtbot: QtBot) -> None:
    desk.open()
    with qtbot.waitSignal(desk.picker.closed):
        desk.press(Qt.Key.Key_Escape)


def test_more_than_five_dead_cards(desk: Desk) -> None:
    desk.open("2c 3c 4c 5c 6c", capacity=52)
    desk.click("7c")
    assert len(desk.chosen) == 6


def test_it_stays_on_the_screen(desk: Desk) -> None:
    room = QApplication.primaryScreen().availableGeometry()
    desk.window.move(room.bottomRight())
    desk.open()
    assert room.contains(desk.picker.geometry())


def test_places_are_named_for_screen_readers(qtbot: QtBot) -> None:
    slots = CardSlots(ThemeSource(), 5, "Board")
    qtbot.addWidget(slots)
    slots.show_cards(parse_cards("Ks"), active=1)
    assert [slot.accessibleName() for slot in slots.slots[:2]] == [
        "Board, card 1: king of spades",
        "Board, card 2: empty",
    ]
    with qtbot.waitSignal(slots.slot_clicked) as clicked:
        qtbot.mouseClick(slots.slots[3], LEFT)
    assert clicked.args == [3]


def picture(button: CardButton) -> QImage:
    return button.grab().toImage()


def test_a_card_looks_different_when_it_is_used_or_in_another_deck_or_theme(qtbot: QtBot) -> None:
    theme = ThemeSource()
    button = CardButton(theme)
    qtbot.addWidget(button)
    button.show_card(card("Ac"))
    plain = picture(button)
    button.four_colours = True
    four = picture(button)
    button.setEnabled(False)
    grey = picture(button)
    button.show_card(None)
    empty = picture(button)
    assert plain != four
    assert four != grey
    assert grey != empty
