"""The painted table answers keys, mouse and wheel, speaks, and fits at every size."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QImage, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import opened
from tests.trainer.scripted_hands import Scribe, two
from tests.trainer.test_theme import contrast
from trainer.play.table import SeatButton, TableWidget
from trainer.play.table_brush import SMALLEST_TEXT, TableBrush, flights, holding_words, label_words
from trainer.play.table_geometry import TableGeometry
from trainer.play.table_model import SeatModel, TableContext, seat_points, table_model
from trainer.session.types import Stage
from trainer.theme import DARK, ThemeSource

SIZES = [(760, 520), (900, 560), (1280, 720), (2560, 1440), (600, 800)]


@pytest.fixture
def table(qtbot: QtBot, theme: ThemeSource) -> TableWidget:
    widget = TableWidget(theme)
    widget.set_animated(False)
    widget.resize(760, 520)
    return opened(qtbot, widget)


def buttons(table: TableWidget) -> list[SeatButton]:
    return table.findChildren(SeatButton)


def raised_pot() -> Scribe:
    return Scribe(3, button=0).blinds().raise_to(0, 60)


def picture(table: TableWidget) -> QImage:
    return table.grab().toImage()


def wheel(table: TableWidget, x: int, y: int) -> QWheelEvent:
    return QWheelEvent(
        QPointF(100, 100),
        table.mapToGlobal(QPointF(100, 100)),
        QPoint(),
        QPoint(x, y),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_leaves_the_table_or_lies_on_another(size: tuple[int, int], seats: int) -> None:
    geometry = TableGeometry(seats, *size)
    canvas = QRectF(0, 0, geometry.width, geometry.height)
    groups = [geometry.group(place) for place in range(seats)]
    plates_and_cards = [geometry.plate(place).united(geometry.cards(place)[0]) for place in range(seats)]
    board = geometry.board[0].united(geometry.board[4])
    holding = QRectF(geometry.holding.x() - 170, geometry.holding.y() - 11, 340, 22)
    for place, group in enumerate(groups):
        assert canvas.contains(group), place
        assert not group.intersects(board), place
        bet = QRectF(geometry.bet(place).x() - 38, geometry.bet(place).y() - 10, 76, 20)
        assert not bet.intersects(board), place
        assert not bet.intersects(holding), place
        for other, area in enumerate(plates_and_cards):
            other_bet = QRectF(geometry.bet(other).x() - 38, geometry.bet(other).y() - 10, 76, 20)
            assert place == other or not bet.intersects(other_bet), (place, other)
            assert not bet.intersects(area), (place, other)
            assert place == other or not plates_and_cards[place].intersects(area), (place, other)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", range(3, 11))
def test_a_wide_bet_at_the_side_leaves_its_own_plate_free(size: tuple[int, int], seats: int) -> None:
    """Of `23.7 bb` the end lay on the name and stack of who had bet it."""
    geometry, width = TableGeometry(seats, *size), 92
    for place, (_, y) in enumerate(seat_points(seats)):
        if abs(y) < 0.7:
            middle = geometry.bet(place, width)
            bet = QRectF(middle.x() - width / 2, middle.y() - 10, width, 20)
            assert not bet.intersects(geometry.plate(place).united(geometry.cards(place)[0])), place


def test_your_seat_is_at_the_bottom_centre_and_the_others_go_clockwise() -> None:
    geometry = TableGeometry(6, 760, 520)
    middles = [geometry.plate(place).center() for place in range(6)]
    assert middles[0].x() == pytest.approx(380)
    assert middles[0].y() == max(point.y() for point in middles)
    assert middles[1].x() < 380 < middles[5].x()
    assert middles[3].x() == pytest.approx(380, abs=5)
    assert middles[3].y() == min(point.y() for point in middles)


def test_cards_follow_the_scale() -> None:
    small, large = TableGeometry(9, 760, 520), TableGeometry(9, 1520, 1040)
    assert large.scale == 2 * small.scale
    assert large.to_widget(large.board[0]).width() == pytest.approx(
        2 * small.to_widget(small.board[0]).width(), abs=2
    )


def test_speaks_the_state(table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    assert table.accessibleName() == "Poker table"
    assert table.accessibleDescription() == (
        "Preflop. Pot 90. You have pocket kings with king of spades, king of diamonds. "
        "You raise to 60. Ada is thinking."
    )
    ada = buttons(table)[1]
    assert ada.accessibleName() == "Seat 2: Ada"
    assert "stack 1,990" in ada.accessibleDescription()
    assert ada.toolTip().startswith("Ada, FOLD\n")


def test_seats_are_reached_and_clicked_by_key_and_mouse(qtbot: QtBot, table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    table.activateWindow()
    qtbot.waitActive(table)
    first, second, third = buttons(table)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(first, Qt.Key.Key_Left)  # the seat on your left is the next one
    assert QApplication.focusWidget() is second
    qtbot.keyClick(second, Qt.Key.Key_Right)
    assert QApplication.focusWidget() is first
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    with qtbot.waitSignal(table.seat_clicked) as clicked:
        qtbot.keyClick(second, Qt.Key.Key_Return)
    assert clicked.args == [1]
    with qtbot.waitSignal(table.seat_clicked) as clicked:
        qtbot.mouseClick(third, Qt.MouseButton.LeftButton)
    assert clicked.args == [2]


def test_only_a_key_rings_a_seat(qtbot: QtBot, table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    plain = picture(table)
    button = buttons(table)[1]
    button.focusInEvent(QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.ActiveWindowFocusReason))
    assert picture(table) == plain
    button.focusInEvent(QFocusEvent(QFocusEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert picture(table) != plain


def test_the_wheel_counts_notches(qtbot: QtBot, table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    seen: list[int] = []
    table.wheel_turned.connect(seen.append)
    for delta in (120, -240, 60, 60):  # a fine wheel sends parts of a notch
        table.wheelEvent(wheel(table, 0, delta))
    table.wheelEvent(wheel(table, -120, 0))
    assert seen == [1, -2, 1, -1]


def test_units_deck_and_theme_change_what_is_seen(table: TableWidget, theme: ThemeSource) -> None:
    hand = Scribe(3, button=0, hole_cards="AcAd").blinds()
    table.show_view(hand.your_turn())
    pictures = [picture(table)]
    table.set_units(True)
    assert [seat.stack for seat in table._model.seats] == ["100 bb", "99.5 bb", "99 bb"]
    pictures.append(picture(table))
    table.set_four_colours(True)
    pictures.append(picture(table))
    theme.choose("dark")
    pictures.append(picture(table))
    for index, shown in enumerate(pictures):
        assert shown not in pictures[:index]


def test_the_deck_chosen_is_the_deck_painted(table: TableWidget, theme: ThemeSource) -> None:
    table.show_view(Scribe(2, button=0, hole_cards="AcAd").blinds().your_turn())
    own = table._geometry.to_widget(table._geometry.cards(0)[0])

    def holds(colour: str) -> bool:
        image = picture(table)
        places = ((x, y) for x in range(own.left(), own.right()) for y in range(own.top(), own.bottom()))
        return any(image.pixelColor(x, y) == QColor(colour) for x, y in places)

    green, black = theme.theme.suit_colour(0, True), theme.theme.suit_colour(0, False)
    assert (holds(black), holds(green)) == (True, False)
    table.set_four_colours(True)
    assert (holds(black), holds(green)) == (False, True)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_plate_of_who_folded_can_be_read(table: TableWidget, theme: ThemeSource, look: str) -> None:
    theme.choose(look)
    table.resize(2280, 1560)  # or no letter would be as thick as a pixel
    table.show_view(raised_pot().fold(1).thinking(2))
    assert table._model.seats[1].is_folded
    plate = table._geometry.to_widget(table._geometry.plate(1))
    image = picture(table).copy(plate.adjusted(24, 12, -24, -12))
    seen = Counter(
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    ).most_common()
    ground = seen[0][0]
    shades = ("text_muted", "good", "bad")
    assert theme.theme.text_muted in dict(seen)
    assert all(contrast(getattr(theme.theme, shade), ground) >= 4.5 for shade in shades)


class Writing(QPainter):
    """Keeps what is written."""

    written: list[str]

    def drawText(self, *arguments: Any) -> None:  # noqa: N802
        self.written.append(arguments[-1])


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("stack", ["9,900", "10,000", "123,450", "1,234.5 bb"])
@pytest.mark.parametrize("name", ["Ada", "Chiara"])
def test_a_style_is_read_whole_beside_figures_and_any_stack(stack: str, name: str) -> None:
    image = QImage(760, 520, QImage.Format.Format_ARGB32)
    painter = Writing(image)
    painter.written = []
    brush = TableBrush(painter, DARK, TableGeometry(6, 760, 520), lambda *_: QPixmap(), False, frozenset())
    brush.paint_seat(1, SeatModel(1, name, "Loose-aggressive", stack=stack, hud="VPIP 31 (42)"))
    painter.end()
    assert painter.written == [name, "Loose-aggressive", stack, "VPIP 31 (42)"]


def test_study_mode_turns_cards_up_and_down_again(table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    hidden = picture(table)
    table.set_revealed({1: two("QsQd")})
    assert picture(table) != hidden
    assert table._model.seats[1].cards == two("QsQd")
    table.set_revealed({})
    assert picture(table) == hidden


def test_thinking_moves_only_where_it_may(qtbot: QtBot, table: TableWidget) -> None:
    table.show_view(raised_pot().thinking(1))
    assert not table._timer.isActive()
    table.set_animated(True)
    assert table._timer.isActive()
    still = picture(table)
    table._on_phase()
    assert picture(table) != still
    table.show_view(raised_pot().fold(1).fold(2).view(Stage.SHOWING))
    assert not table._timer.isActive()
    table.show_view(raised_pot().thinking(1))
    table.hide()
    assert not table._timer.isActive()


def test_players_come_and_go(table: TableWidget) -> None:
    table.show_view(Scribe(6, button=0).blinds().thinking(3))
    assert len(buttons(table)) == 6
    view = Scribe([0, 2, 5], button=0).blinds().view(Stage.SHOWING, is_out=(3,))
    for names, name in (({3: "Zoe"}, "Zoe"), ({}, "Seat 4")):  # not that of whom another hand had there
        table.show_view(replace(view, names=names))
        assert [(seat.name, seat.is_out) for seat in table._model.seats] == [
            ("You", False),
            ("Boris", False),
            (name, True),
            ("Elena", False),
        ]
    assert table.grab().size() == table.size()


@pytest.mark.parametrize("size", SIZES)
def test_paints_at_every_size(table: TableWidget, size: tuple[int, int]) -> None:
    table.resize(*size)
    table.show_view(Scribe(10, button=0).blinds().thinking(3))
    shown = picture(table)
    geometry = table._geometry
    you = geometry.to_widget(geometry.cards(0)[0])
    corner = shown.pixelColor(you.center().x(), you.top() + max(4, you.height() // 30))
    assert corner.name() == table._theme.card_face


def test_the_menu_of_who_has_folded_offers_no_range(table: TableWidget) -> None:
    table.show_view(raised_pot().call(1).fold(2).thinking(0))
    offered = {}
    for button in buttons(table):
        place = button.rect().center()
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(button, QContextMenuEvent(reason, place, button.mapToGlobal(place)))
        for menu in button.findChildren(QMenu):
            offered[button.seat] = [entry.isEnabled() for entry in menu.actions()]
            menu.close()
    assert offered == {1: [True, True], 2: [False, True]}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("made", "written"),
    [
        ("a straight, queen high, on the board", "a straight, queen high"),
        ("two pair, queens and sixes, king kicker", "two pair, queens and sixes"),
        ("a flush, ace high", "a flush, ace high"),
    ],
)
def test_a_label_that_is_cut_still_says_what_was_made(made: str, written: str) -> None:
    assert label_words(made, SMALLEST_TEXT, is_bold=False) == written


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("told", "written"),
    [
        (
            "You have two pair, kings and sevens, ace kicker + flush draw",
            "You have two pair, kings and sevens, ace kicker + flush draw",
        ),
        (
            "You have a pair of jacks, ace kicker + open-ended straight draw",
            "You have a pair of jacks + open-ended straight draw",
        ),
        (
            "You have two pair, eights and sevens + open-ended straight draw",
            "You have two pair, eights and sevens + open-ended",
        ),
        (
            "You have a pair of eights + flush draw + open-ended straight draw + two overcards",
            "You have a pair of eights + flush draw + open-ended",
        ),
    ],
)
def test_your_hand_is_written_with_its_draws_as_the_room_allows(told: str, written: str) -> None:
    assert holding_words(told) == written


def test_chips_move_to_the_pot_and_to_the_winner() -> None:
    geometry = TableGeometry(3, 760, 520)
    hand = raised_pot().call(1)
    views = [hand.thinking(2)]
    views.append(hand.fold(2).view(Stage.SHOWING))
    views.append(hand.deal("Kh 7d 2c").thinking(1))
    views.append(hand.fold(1).award(0, 0, 140).view(Stage.SHOWING))
    models = [table_model(view, TableContext()) for view in views]
    assert flights(models[0], models[1], geometry) == ()  # a fold moves nothing
    to_pot = flights(models[1], models[2], geometry)
    assert [(flight.amount, flight.start) for flight in to_pot] == [
        ("60", geometry.bet(0)),
        ("60", geometry.bet(1)),
        ("20", geometry.bet(2)),
    ]
    assert {flight.end.toTuple() for flight in to_pot} == {geometry.pot.toTuple()}
    (to_winner,) = flights(models[2], models[3], geometry)
    assert (to_winner.start, to_winner.amount) == (geometry.pot, "wins 140")
    assert geometry.plate(0).contains(to_winner.end)


def test_nothing_flies_where_motion_is_reduced_or_views_come_fast(table: TableWidget) -> None:
    hand = raised_pot().call(1).fold(2)
    table.show_view(hand.view(Stage.SHOWING))
    table.show_view(hand.deal("Kh 7d 2c").thinking(1))
    assert table._flights == ()
    table.set_animated(True)
    table.show_view(raised_pot().thinking(1))
    table.show_view(hand.thinking(1))  # at once after the one before
    assert table._flights == ()


def test_chips_fly_once_and_land(qtbot: QtBot, table: TableWidget) -> None:
    hand = raised_pot().call(1).fold(2)
    table.set_animated(True)
    table.show_view(hand.view(Stage.SHOWING))
    qtbot.waitUntil(lambda: table._since_view.elapsed() > 250)
    table.show_view(hand.deal("Kh 7d 2c").thinking(1))
    assert len(table._flights) == 3
    with qtbot.waitSignal(table._flight.finished):
        pass
    assert table._flights == ()
    still = picture(table)
    table.set_animated(False)
    table.set_animated(True)
    assert picture(table) == still
