"""Questions as one line: the words one by one, round trips, and where errors point."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, parse_cards
from engine.equity.notation import FoldedHand, QuestionLineError, SharedQuestion, format_question, parse_question
from engine.equity.question import EquityQuestion
from engine.ranges import Range, parse_range
from tests.hostile import refusal, runs


def test_every_word() -> None:
    line = (
        "AhKh | Villain = QQ+,AK:0.5 | board Ks 7d 2h | dead: 2c 2d | samples 1000 | seed 7 | pot 150 | call 50.5"
    )
    shared = parse_question(line)
    assert shared == SharedQuestion(
        EquityQuestion(
            players=(parse_range("AhKh"), parse_range("QQ+,AK:0.5")),
            board=parse_cards("Ks7d2h"),
            dead=parse_cards("2c2d"),
            samples=1000,
            labels=("", "Villain"),
        ),
        seed=7,
        pot=150.0,
        to_call=50.5,
        texts=("AhKh", "QQ+,AK:0.5"),
    )
    assert format_question(shared) == (
        "AhKh | Villain = QQ+,AK:0.5 | board Ks7d2h | dead 2c2d | samples 1000 | seed 7 | pot 150 | call 50.5"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AA|KK", " AA  |  KK "),
        ("BOARD Ks7d2h | AA | KK", "AA | KK | board:Ks 7d 2h"),
        ("AA | KK | exact", "exact|AA|KK"),
        ("AA | KK | pot150 | bet .5", "AA | KK | pot 1.5e2 | bet 0.50"),
        ("AA | KK | board", "AA | KK"),
        ("= AA | KK", "AA | KK"),
        ("AA | KK | seed 0", "AA | KK"),
    ],
)
def test_other_ways_to_write_the_same_question(one: str, other: str) -> None:
    assert format_question(parse_question(one)) == format_question(parse_question(other))
    assert parse_question(one).question == parse_question(other).question


def test_the_ranking_of_the_best_hands() -> None:
    shared = parse_question("15% | 5%-10%", opponents=6)
    assert shared.question.players == (parse_range("15%", opponents=6), parse_range("5%-10%", opponents=6))
    line = format_question(shared)
    assert line == "15% | 5%-10% | ranking 6"
    assert parse_question(line) == shared
    assert parse_question("15% | AA").question.players[0] == parse_range("15%")
    assert parse_question("15% | AA | ranking 6", opponents=2).question.players[0] == parse_range(
        "15%", opponents=2
    )


def test_a_ranking_is_told_only_beside_a_percentage() -> None:
    assert format_question(parse_question("AA | KK | ranking 6")) == "AA | KK"
    assert format_question(parse_question("15% | KK | ranking 1")) == "15% | KK"


def test_a_folded_hand_is_dead_and_keeps_its_name_and_place() -> None:
    line = "AhKh | Bob = QsQd folded | QQ+ | 2c2d folded | board Ks7d2h | dead 3c"
    shared = parse_question(line)
    assert shared.folded == (
        FoldedHand(1, "Bob", parse_cards("QsQd")),
        FoldedHand(3, "", parse_cards("2d2c")),
    )
    assert shared.question == EquityQuestion(
        (parse_range("AhKh"), parse_range("QQ+")), parse_cards("Ks7d2h"), parse_cards("3c QsQd 2d2c")
    )
    assert shared.texts == ("AhKh", "QQ+")
    assert shared.dead == parse_cards("3c")
    assert format_question(shared) == line.replace("2c2d", "2d2c")


CARDS = st.lists(st.integers(0, 51).map(Card), unique=True, max_size=8)
CHIPS = st.none() | st.floats(0, 1e300) | st.integers(0, 10**15).map(float)
NAMES = st.text(st.characters(exclude_characters="|=", exclude_categories=["C", "Zl", "Zp"]), max_size=8).map(
    lambda name: " ".join(name.split())
)


@st.composite
def questions(draw: st.DrawFn) -> SharedQuestion:
    count = draw(st.integers(1, 4))
    ranges = []
    for _ in range(count):
        weights = np.zeros(1326, dtype=np.float32)
        for combo, weight in draw(
            st.dictionaries(
                st.integers(0, 1325), st.floats(0, 1, width=32, exclude_min=True), min_size=1, max_size=5
            )
        ).items():
            weights[combo] = weight
        ranges.append(Range(weights))
    cards = draw(CARDS)
    names = tuple(draw(st.lists(NAMES, min_size=count, max_size=count)))
    is_exact = draw(st.booleans())
    question = EquityQuestion(
        players=tuple(ranges),
        board=tuple(cards[:3]),
        dead=tuple(cards[3:]),
        samples=None if is_exact else draw(st.none() | st.integers(1, 10**12)),
        is_exact=is_exact,
        labels=names if any(names) else (),
    )
    seed = draw(st.integers(0, 2**128 - 1))
    return SharedQuestion(question, seed, draw(CHIPS), draw(CHIPS), draw(CHIPS))


@given(questions())
def test_round_trip(shared: SharedQuestion) -> None:
    line = format_question(shared)
    assert len(line.splitlines()) == 1
    back = parse_question(line)
    assert (back.question, back.seed, back.pot, back.to_call, back.bet) == (
        shared.question,
        shared.seed,
        shared.pot,
        shared.to_call,
        shared.bet,
    )


def test_names_lose_what_means_something_in_a_line() -> None:
    question = EquityQuestion((parse_range("AA"), parse_range("KK")), labels=("a|b=c\nd", "board"))
    line = format_question(SharedQuestion(question))
    assert line == "a b c d = AA | board = KK"
    assert parse_question(line).question.labels == ("a b c d", "board")


@pytest.mark.parametrize(
    ("line", "position", "length", "message"),
    [
        ("AA | KK, XY", 9, 2, "'XY' is no hand"),
        ("AA | Villain = KK, XY", 19, 2, "'XY' is no hand"),
        ("AA | KK | board Ks 7d 2x", 23, 1, "'x' is no suit"),
        ("AA | KK | dead 2c 2c", 18, 2, "The card 2c stands there twice"),
        ("AA | KK | boardKs7d2h", 10, 11, "'boardKs7d2h' is no hand"),
        ("AA || KK", 3, 2, "nothing between two bars"),
        ("AA |   | KK", 3, 5, "nothing between two bars"),
        ("AA | KK |", 8, 1, "nothing between two bars"),
        ("AA | KK | pot 3 | POT 4", 18, 5, "'POT' twice"),
        ("| AA | KK", 0, 1, "nothing between two bars"),
        ("", 0, 0, "nothing between two bars"),
        ("AA | KK | pot", 10, 3, "A number of chips must follow the word 'pot'"),
        ("AA | KK | pot -5", 14, 2, "A number of chips must follow the word 'pot'"),
        ("AA | KK | call nan", 15, 3, "A number of chips must follow the word 'call'"),
        ("AA | KK | bet 1_000", 14, 5, "A number of chips must follow the word 'bet'"),
        ("AA | KK | samples 1e5", 18, 3, "A whole number must follow the word 'samples'"),
        ("AA | KK | seed \u0661", 15, 1, "A whole number must follow the word 'seed'"),
        ("AA | KK | ranking 10", 18, 2, "A ranking is against 1 to 9 random hands"),
        ("AA | KK | ranking x", 18, 1, "A whole number must follow the word 'ranking'"),
        ("AA | KK | QQ folded", 10, 2, "A folded hand has two known cards"),
        ("AA | KK | Bob = 2c2x folded", 16, 4, "is no hand"),
        ("AA | KK | exact 5", 16, 1, "Nothing follows the word 'exact'"),
    ],
)
def test_errors_say_what_and_where(line: str, position: int, length: int, message: str) -> None:
    with pytest.raises(QuestionLineError) as caught:
        parse_question(line)
    assert message in str(caught.value)
    assert (caught.value.position, caught.value.length) == (position, length)


@given(st.text(alphabet="AKQ2hdf|= board:dexctsml7.%[]", max_size=24))
def test_any_line_is_a_question_or_an_error_inside_it(line: str) -> None:
    try:
        shared = parse_question(line)
    except QuestionLineError as error:
        is_good = 0 <= error.position <= error.position + error.length <= len(line)
    else:
        is_good = len(shared.texts) == len(shared.question.players)
    assert is_good


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("AA | KK" + " " * 200_000, "has 200,000 characters at most, and this has 200,007"),
        ("|".join(["AA"] * 65), "has 64 fields at most, and this has 65"),
        ("AA | pot " + "9" * 400 + " | KK", "A number of chips must follow"),
        ("AA | seed " + "9" * 40 + " | KK", "A whole number must follow"),
    ],
)
def test_a_line_beyond_all_measure_is_refused(line: str, message: str) -> None:
    with pytest.raises(QuestionLineError, match=message):
        parse_question(line)


@given(runs())
def test_runs_of_any_sign_are_a_question_or_refused_with_a_sentence(line: str) -> None:
    if refusal(QuestionLineError, lambda: parse_question(line)) is None:
        shared = parse_question(line)
        assert format_question(shared).isprintable()
        assert "".join(shared.question.labels).isprintable()


def test_names_lose_control_characters_both_ways() -> None:
    shared = parse_question("\x1b[2JAnn\n = AA | KK | Bob\u202e = 2c2d folded")
    assert shared.question.labels == ("\ufffd[2JAnn", "")
    assert shared.folded[0].name == "Bob\ufffd"
    told = msgspec.structs.replace(
        shared, question=msgspec.structs.replace(shared.question, labels=("a\x1bb\n", "c"))
    )
    assert format_question(told).startswith("a\ufffdb = AA | c = KK | Bob\ufffd = 2d2c folded")
