"""Lines of the Huawei server read as messages, and whatever else may come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Street, parse_cards
from engine.join.huawei_messages import (
    BlindsPosted,
    BoardCards,
    CardsHeld,
    CardsShown,
    GameOver,
    Malformed,
    Message,
    MessageReader,
    PotsWon,
    Row,
    RowAction,
    Rows,
    Seating,
    SeatLine,
)


def read(text: str) -> list[Message]:
    """Read lines that a slash separates."""
    reader = MessageReader()
    return [message for line in text.split("|") for message in reader.feed(line)]


SHOWDOWN = (
    "showdown/ |common/ |SPADES 2 |HEARTS 7 |CLUBS 9 |DIAMONDS J |CLUBS 3 |/common |"
    "1: 1111 SPADES A HEARTS A ONE_PAIR |2: 2222 CLUBS 10 HEARTS 10 ONE_PAIR |/showdown "
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "seat/ |button: 1111 2000 0 |small blind: 2222 1980 2000 |big blind: 3333 1 2 |4444 5 6 |/seat ",
            Seating(
                (
                    SeatLine("1111", 2000, 0),
                    SeatLine("2222", 1980, 2000),
                    SeatLine("3333", 1, 2),
                    SeatLine("4444", 5, 6),
                ),
                has_big_blind=True,
            ),
        ),
        (
            "seat/|button: a 2000 0|small blind: b 1980 2000|/seat",
            Seating((SeatLine("a", 2000, 0), SeatLine("b", 1980, 2000)), has_big_blind=False),
        ),
        ("blind/ |2222: 20 |3333: 40 |/blind ", BlindsPosted((("2222", 20), ("3333", 40)))),
        ("hold/ |HEARTS 8 |DIAMONDS 10 |/hold ", CardsHeld(parse_cards("8hTd"))),  # type: ignore[arg-type]
        ("flop/ |SPADES A |CLUBS 2 |HEARTS K |/flop ", BoardCards(Street.FLOP, parse_cards("As2cKh"))),
        ("river/ |DIAMONDS Q |/river \r", BoardCards(Street.RIVER, parse_cards("Qd"))),
        (
            "inquire/ |2222 1980 0 20 all_in |1111 1 2 0 fold |total pot: 20 |/inquire ",
            Rows(
                (Row("2222", 1980, 0, 20, RowAction.ALL_IN), Row("1111", 1, 2, 0, RowAction.FOLD)),
                20,
                is_question=True,
                is_whole=True,
            ),
        ),
        ("notify/ |total pot: 0 |/notify ", Rows((), 0, is_question=False, is_whole=True)),
        (
            SHOWDOWN,
            CardsShown(
                parse_cards("2s7h9cJd3c"),
                (("1111", parse_cards("AsAh")), ("2222", parse_cards("TcTh"))),  # type: ignore[arg-type]
            ),
        ),
        ("pot-win/ |1111: 30 |2222: 10 |/pot-win ", PotsWon((("1111", 30), ("2222", 10)))),
        ("pot-win/ |/pot-win ", PotsWon(())),
        ("game-over ", GameOver()),
    ],
)
def test_every_message(text: str, message: Message) -> None:
    assert read(text) == [message]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("seat/ |button: 1111 2000 0 |/seat ", "seat: a hand needs a button"),
        ("seat/ |button: 1 2000 0 |small blind: 2 1 0 |3 1 1 |/seat ", "with three or more, a big blind"),
        ("seat/ |small blind: 2 1 0 |button: 1 2000 0 |/seat ", "in that order"),
        ("seat/ |button: 1 2000 0 |small blind: 1 1 0 |/seat ", "seat: a player stands twice"),
        ("seat/ |button: 1 2000 0 |small blind: 2 -1 0 |/seat ", "'small blind: 2 -1 0' is none of this block"),
        ("blind/ |/blind ", "one or two blinds are posted"),
        ("blind/ |2222 20 |/blind ", "is none of this block"),
        ("hold/ |HEARTS 8 |/hold ", "there are 1 lines for 2 cards"),
        ("hold/ |HEARTS 8 |HEARTS 8 |/hold ", "a card stands twice"),
        ("hold/ |HEARTS 8 |HEART 9 |/hold ", "HEART 9 is no card"),
        ("hold/ |HEARTS 8 |HEARTS T |/hold ", "HEARTS T is no card"),
        ("hold/ |HEARTS 8 |HEARTS |/hold ", "a card is a suit and a rank"),
        ("turn/ |HEARTS 8 |HEARTS 9 |/turn ", "there are 2 lines for 1 cards"),
        ("pot-win/ |1111: 1234567890123 |/pot-win ", "is none of this block"),
        (SHOWDOWN.replace("CLUBS 3", "SPADES A"), "a card stands twice"),
        (SHOWDOWN.replace("|CLUBS 3 ", ""), "there are 4 lines for 5 cards"),
        (SHOWDOWN.replace("/common", "/comon"), "a showdown tells the whole board"),
        (SHOWDOWN.replace("1: 1111", "1111"), "is none of this block"),
        ("weather/ |rain |/weather ", "no such block is known"),
        ("hello |game-over ", "outside of any block"),
        ("turn/ |HEARTS 8 |seat/ ", "turn breaks off before seat"),
        ("x |" * 64 + "x ", "outside of any block"),
        ("turn/ |" + "x |" * 64 + "x ", "turn breaks off with 65 lines"),
    ],
)
def test_what_cannot_be_read(text: str, reason: str) -> None:
    first = read(text)[0]
    assert isinstance(first, Malformed)
    assert reason in first.reason
    assert len(first.text) <= 204


def test_a_block_goes_on_over_lines_that_only_look_like_others() -> None:
    """An unknown name inside a block is a damaged line of it; what cannot be read does not hide what can."""
    found = read("inquire/ |rain/ |2222 1980 0 20 blind |total pot: 20 |/inquire ")
    assert isinstance(found[0], Malformed)
    assert found[1] == Rows((Row("2222", 1980, 0, 20, RowAction.BLIND),), 20, is_question=True, is_whole=True)


@pytest.mark.parametrize(
    ("text", "is_question", "is_whole"),
    [
        # The rows that can be read do not make up the pot, or there is no pot.
        ("inquire/ |2222 1980 0 2O blind |total pot: 20 |/inquire ", True, False),
        ("inquire/ |2222 1980 0 20 blind |/inquire ", True, False),
        # The beginning is lost or glued to something else, the end comes: we are asked all the same.
        ("inqu |2222 1980 0 20 blind |total pot: 20 |/inquire ", True, True),
        ("weather/ |2222 1980 0 20 blind |total pot: 20 |/inquire ", True, True),
        ("..inquire/ |2222 1980 0 20 blind |total pot: 20 |/inquire ", True, True),
        # The end is lost: the server has gone on, and waits no more.
        ("inquire/ |2222 1980 0 20 blind |total pot: 20 |seat/ ", False, True),
    ],
)
def test_damaged_questions(text: str, is_question: bool, is_whole: bool) -> None:
    *damage, told = read(text)
    assert damage
    assert all(isinstance(message, Malformed) for message in damage)
    assert isinstance(told, Rows)
    assert (told.is_question, told.is_whole) == (is_question, is_whole)


def test_an_end_without_anything_asks_nothing() -> None:
    lost = Malformed("/inquire", "outside of any block")
    assert read("/inquire |game-over ") == [lost, GameOver()]


def test_the_end_of_the_connection() -> None:
    reader = MessageReader()
    reader.feed("notify/")
    reader.feed("2222 1980 0 20 blind")
    cut, told = reader.end()
    assert cut == Malformed("2222 1980 0 20 blind", "notify breaks off at the end")
    assert isinstance(told, Rows)
    assert (told.pot, told.is_whole) == (None, False)
    assert reader.end() == ()


@given(st.lists(st.sampled_from(SHOWDOWN.split("|")) | st.text(max_size=30), max_size=40))
def test_no_text_is_an_error(texts: list[str]) -> None:
    reader = MessageReader()
    for text in texts:
        reader.feed(text)
    reader.end()
