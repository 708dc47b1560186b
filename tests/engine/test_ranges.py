"""Ranges: text in and out against other programs' readers, algebra against counting by hand."""

import operator
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from pokerkit import parse_range as pokerkit_parse_range

from engine.cards import (
    CLASS_COUNT,
    COMBO_CLASS,
    COMBO_COUNT,
    RANKS,
    CardError,
    card_mask,
    cards_of,
    class_name,
    combo_of,
    combos_of_class,
    parse_cards,
)
from engine.codec import StoredDataError, decode, encode
from engine.ranges import (
    LONGEST_TEXT,
    Range,
    RangeError,
    RangeTextError,
    best_bounds,
    class_cells,
    format_range,
    parse_range,
    top_range,
)
from engine.resources import read_text
from tests.hostile import refusal, runs

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 0.1.11 calls pyparsing by its old names
    import eval7

EVERYTHING = Range(np.ones(COMBO_COUNT))
EMPTY = Range(np.zeros(COMBO_COUNT))

CLASS_ITEMS = [
    "AA", "22", "AKs", "AKo", "AK", "72o", "22+", "QQ+", "AA+", "A2s+", "A2o+", "K9+", "T9s+", "32o+",
    "QQ-88", "55-22", "A9s-A6s", "KTs-K8s", "QJo-Q3o", "AQ-AT",
]  # fmt: skip


def by_pokerkit(text: str) -> set[int]:
    return {combo_of(*parse_cards("".join(repr(card) for card in cards))) for cards in pokerkit_parse_range(text)}


def combos_in(text: str) -> set[int]:
    return set(np.flatnonzero(parse_range(text).weights).tolist())


# pokerkit takes a dash between classes of one gap only, eval7 between those of one first rank.
SAME_RANK_DASH = {"A9s-A6s", "KTs-K8s", "QJo-Q3o", "AQ-AT"}


@pytest.mark.parametrize(
    "text",
    [
        *(item for item in CLASS_ITEMS if item not in SAME_RANK_DASH),
        "T9s-65s",
        "QJo-54o",
        "AhKh",
        "22+,A2s+ KTo;7h2c",
    ],
)
def test_reads_the_same_combos_as_pokerkit(text: str) -> None:
    assert combos_in(text) == by_pokerkit(text)


@pytest.mark.parametrize("text", CLASS_ITEMS)
def test_reads_the_same_combos_as_eval7(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hands = eval7.HandRange(text).hands
    assert combos_in(text) == {combo_of(*parse_cards("".join(map(str, cards)))) for cards, _ in hands}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("88-QQ", "QQ-88"),
        ("kas, aHkD", "AKs,AhKd"),
        ("A10s-A8s, 1010", "ATs-A8s,TT"),
        ("Ah Kh", "AhKh"),
        ("A♥K♥", "AhKh"),
        ("10h 10♠", "ThTs"),
        ("QQ – 88 , 2d2c : 0.3", "QQ-88,2d2c:0.3"),
        ("[50]AA,KK[/50] 22", "AA:0.5,KK:0.5,22"),
        ("[ 12.5% ]AK[/]QQ", "AK:0.125,QQ"),
        ("any two", "random"),
        ("ANY", "random"),
        ("100%", "random"),
        ("random:0.25", "22+:0.25,A2+:.25,K2+:2.5e-1,Q2+:.25,J2+:.25,T2+:.25,92+:.25,82+:.25,"
                        "72+:.25,62+:.25,52+:.25,42+:.25,32+:.25"),
        ("22+, 55:0.5, 5h5s:0", "66+,44-22,55:0.5,5h5s:0"),
        ("AA:1", "AA"),
        ("0%", ""),
        (" , ;\n", ""),
        ("5-10%", "5%-10%"),
        ("10%-5%", "5%-10%"),
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same_range(one: str, other: str) -> None:
    assert parse_range(one) == parse_range(other)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("random", 1326), ("22+", 78), ("A2s+", 48), ("AK", 16), ("T9s+", 4), ("AhKh", 1), ("", 0),
        ("AA:0.5", 3), ("AA,AA:0.5", 3), ("[50]22+[/50],AA", 6 + 36),
        # The two reference ranges of the equity tests, counted by hand.
        ("22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+", 78 + 48 + 16 + 8 + 4 + 48 + 24),
        ("22+,A2s+,K6s+,Q8s+,J8s+,T8s+,A8o+,KTo+,QTo+,JTo",
         78 + 4 * (12 + 7 + 4 + 3 + 2) + 12 * (6 + 3 + 2 + 1)),
    ],
)  # fmt: skip
def test_combo_count(text: str, count: float) -> None:
    hands = parse_range(text)
    assert hands.combo_count == pytest.approx(count)
    assert hands.fraction == pytest.approx(count / 1326)
    assert hands.is_empty == (count == 0)


@pytest.mark.parametrize(
    ("text", "position", "length", "message"),
    [
        ("AA, XY", 4, 2, "'XY' is no hand"),
        ("AKx", 0, 3, "'AKx' is no hand"),
        ("AAKK", 0, 4, "'AAKK' is no hand"),
        ("KK AA+QQ", 3, 5, "'AA+QQ' is no hand"),
        ("22 AK-", 3, 3, "'AK-' is no hand"),
        ("AhK", 0, 3, "'AhK' is no hand"),
        (":0.5", 0, 4, "':0.5' is no hand"),
        ("[x]AA", 0, 5, "is no hand"),
        ("AhKhQs", 4, 2, "'Qs' has no comma or space before it"),
        ("15%AA", 3, 2, "'AA' has no comma"),
        ("KK, Ah", 4, 2, "The card 'Ah' needs a second one"),
        ("AhAh", 0, 4, "'AhAh' is the same card twice"),
        ("AAs", 2, 1, "'AA' is neither suited nor offsuit"),
        ("QQ-88o", 0, 6, "must both be suited"),
        ("A9s-A6o", 0, 7, "must both be suited"),
        ("QQ-AK", 0, 5, "share neither a rank nor the gap"),
        ("AQ-AA", 0, 5, "share neither"),
        ("A9s-K7s", 0, 7, "share neither"),
        ("AA:high", 2, 1, "A number from 0 to 1, the weight, must follow the colon after 'AA'"),
        ("AA:0.5x", 2, 1, "must follow the colon"),
        ("AA:-1", 2, 1, "must follow the colon"),
        ("AA:2", 3, 1, "The weight '2' is more than 1"),
        ("KK,[50]AA", 3, 4, "'[50]' is never closed"),
        ("[/50]", 0, 5, "never opened"),
        ("[50]AA[20]KK[/20][/50]", 6, 4, "opens inside another one"),
        ("[50]AA:1[/50]", 7, 1, "stands inside the group '[50]'"),
        ("[50]AA[/20]", 6, 5, "closes the group '[50]'"),
        ("[500]AA", 1, 3, "'500' of a group is not from 0 to 100"),
        ("150%", 0, 4, "'150%' is more than all hands"),
    ],
)  # fmt: skip
def test_errors_say_what_and_where(text: str, position: int, length: int, message: str) -> None:
    with pytest.raises(RangeTextError) as caught:
        parse_range(text)
    assert message in str(caught.value)
    assert (caught.value.position, caught.value.length) == (position, length)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["\u212aQs", "AK\u017f", "\u212ah\u212as", "A\u212as", "\u0661\u0665%", "\uff15%"])
def test_signs_that_only_look_like_letters_or_digits_are_no_hands(text: str) -> None:
    with pytest.raises(RangeTextError, match="is no hand") as caught:
        parse_range(text)
    assert (caught.value.position, caught.value.length) == (0, len(text))


def test_a_space_that_does_not_break_separates_hands() -> None:
    assert parse_range("15%\u00a0AhKh\u00a022") == parse_range("15% AhKh 22")


def test_a_long_wrong_word_is_shortened_in_the_message() -> None:
    # Were each length of the word tried against each, this would take hours.
    with pytest.raises(RangeTextError) as caught:
        parse_range("2" * LONGEST_TEXT)
    assert str(caught.value).startswith(f"'{'2' * 39}…' is no hand")
    assert caught.value.length == LONGEST_TEXT


@given(st.text(alphabet="AKQT92aksohd+-:%[]/ ,.0150x\u212a\u017f\u00a0♠", max_size=12))
def test_any_text_is_a_range_or_an_error_inside_it(text: str) -> None:
    try:
        hands = parse_range(text)
    except RangeTextError as error:
        spot = text[error.position : error.position + error.length]
        is_good = len(spot) == error.length > 0
    else:
        is_good = parse_range(format_range(hands)) == hands
    assert is_good


WEIGHT = st.floats(0, 1, width=32)


@given(arrays(np.float32, COMBO_COUNT, elements=WEIGHT))
def test_round_trip_of_arbitrary_weights(weights: NDArray[np.float32]) -> None:
    hands = Range(weights)
    assert np.array_equal(parse_range(format_range(hands)).weights, weights)


@given(arrays(np.float32, CLASS_COUNT, elements=st.sampled_from([0.0, 0.25, 0.1, 1.0])))
def test_round_trip_of_whole_classes(weights: NDArray[np.float32]) -> None:
    hands = Range(weights[COMBO_CLASS])
    text = format_range(hands)
    assert parse_range(text) == hands
    assert text.count(",") <= np.count_nonzero(weights)


@given(
    st.lists(
        st.tuples(st.sampled_from([*CLASS_ITEMS, "random"]), st.sampled_from([0.0, 0.25, 0.1, 1.0])), max_size=4
    ),
    st.dictionaries(st.integers(0, COMBO_COUNT - 1), st.sampled_from([0.0, 0.25, 0.1, 1.0]), max_size=8),
)
def test_round_trip_of_classes_with_exceptions(items: list[tuple[str, float]], single: dict[int, float]) -> None:
    text = ",".join(f"{item}:{weight}" for item, weight in items)
    weights = parse_range(text).weights.copy()
    for combo, weight in single.items():
        weights[combo] = weight
    hands = Range(weights)
    written = format_range(hands)
    assert parse_range(written) == hands


def test_round_trip_of_awkward_weights() -> None:
    # The smallest float32, neighbours of 1, and decimals whose shortest text is rounded twice on the way.
    rng = np.random.default_rng(5)
    bits = rng.integers(0, np.float32(1).view(np.uint32), COMBO_COUNT, dtype=np.uint32)
    bits[:4] = [1, 2, np.float32(1).view(np.uint32) - 1, 0x00800000]
    hands = Range(bits.view(np.float32))
    assert parse_range(format_range(hands)) == hands


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("random", "random"),
        ("random:0.5", "random:0.5"),
        ("", ""),
        ("22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+", "22+,A2s+,ATo+,K9s+,KJo+,QTs+,JTs"),
        ("AA KK QQ TT 88 77", "QQ+,TT,88-77"),
        ("A9s A8s A7s A5s AK AQ", "AQ+,A9s-A7s,A5s"),
        ("AK AQ KJ", "AQ+,KJ"),
        ("JTs T9s 98s 87s", "JTs-87s"),
        ("JTs T9s 87s 76s", "JTs,T9s,87s,76s"),
        ("32s 43s 54s", "54s-32s"),
        ("AsAh AA:0.5", "AA:0.5"),
        ("AA:0.5 AsAh", "AA:0.5,AsAh"),
        ("AsAh:0.5 KK:0.25 KsKh", "AsAh:0.5,KK:0.25,KsKh"),
        ("random,22:0", "random,22:0"),
        ("random:0.3,22:0,AhKh", "random:0.3,AhKh,22:0"),
        ("A2s+,A5s:0.5", "A2s+,A5s:0.5"),
        ("A2s+,A2s:0.5", "A3s+,A2s:0.5"),
        ("22+,AA:0.5", "22+,AA:0.5"),
        ("[50]AA,KQs,76s,T8s[/50]", "[50]AA,KQs,T8s,76s[/50]"),
        ("[12.5]AA,KQs,76s,T8s[/12.5]", "[12.5]AA,KQs,T8s,76s[/12.5]"),
    ],
)
def test_text_is_compact(text: str, written: str) -> None:
    assert format_range(parse_range(text)) == written


@pytest.mark.parametrize("opponents", [1, 3, 6])
@pytest.mark.parametrize("text", ["15%", "5%-10%", "0.5%-1%:0.3", "90%", "100%"])
def test_percentages_are_written_by_the_ranking_that_reads_them(text: str, opponents: int) -> None:
    hands = parse_range(text, opponents=opponents)
    written = format_range(hands, opponents=opponents)
    assert parse_range(written, opponents=opponents) == hands
    assert len(written) <= len(text)
    assert "%" not in format_range(hands)


@pytest.mark.parametrize("text", ["", "AA,32o", "AA,KK:0.5", "AsAh", "random:0.5,72o:0", "15%,22"])
def test_hands_that_no_percentage_names_are_written_without_one(text: str) -> None:
    hands = parse_range(text, opponents=6)
    written = format_range(hands, opponents=1)
    assert "%" not in written
    assert parse_range(written) == hands


def test_top_range_takes_whole_classes_in_order() -> None:
    from engine.preflop import class_ranking

    ranking = list(class_ranking())
    assert top_range(0).is_empty
    assert top_range(1) == EVERYTHING
    held = 0
    for i, hand_class in enumerate(ranking):
        held += len(combos_of_class(hand_class))
        hands = top_range(held / COMBO_COUNT)
        assert set(COMBO_CLASS[hands.weights > 0].tolist()) == set(ranking[: i + 1])
        assert hands.combo_count == held
    assert parse_range("0.1%") == parse_range("AA")
    assert parse_range("5%-10%").combo_count == top_range(0.1).combo_count - top_range(0.05).combo_count


@pytest.mark.parametrize("opponents", [1, 3, 6, 9])
def test_top_range_against_the_table_of_equities(opponents: int) -> None:
    # Read from the file itself: the threshold between what is in and what is not is one of equity.
    rows = [line.split(",") for line in read_text("preflop_equity.csv").splitlines() if not line.startswith("#")]
    column = rows[0].index(f"equity_{opponents}")
    equities = {row[0]: float(row[column]) for row in rows[1:]}
    hands = parse_range("20%", opponents=opponents)
    inside = {class_name(int(hand_class)) for hand_class in COMBO_CLASS[hands.weights > 0]}  # type: ignore[arg-type]
    assert hands == top_range(0.2, opponents)
    assert min(equities[name] for name in inside) >= max(equities[name] for name in equities.keys() - inside)
    assert 0.2 * 1326 <= hands.combo_count < 0.2 * 1326 + 12


def test_rankings_differ() -> None:
    assert parse_range("20%") != parse_range("20%", opponents=3) != parse_range("20%", opponents=6)
    assert parse_range("20%") == parse_range("20%", opponents=1)


@pytest.mark.parametrize("opponents", [0, 10, -1, 1.5, True, None])
def test_refuses_rankings_that_do_not_exist(opponents: int) -> None:
    with pytest.raises(RangeError, match="ranked against 1 to 9 random hands"):
        top_range(0.1, opponents)
    with pytest.raises(RangeError, match="ranked against 1 to 9 random hands"):
        parse_range("AA", opponents=opponents)


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan"), "0.5", None, 1j])
def test_top_range_refuses_what_is_no_part(fraction: float) -> None:
    with pytest.raises(RangeError, match="is not from 0 to 1"):
        top_range(fraction)


def test_without_dead_cards() -> None:
    dead = parse_cards("AsKd")
    live = EVERYTHING.without(dead)
    expected = {combo_of(a, b) for a, b in combinations(set(range(52)) - set(dead), 2)}
    assert set(np.flatnonzero(live.weights).tolist()) == expected
    assert live.combo_count == 50 * 49 / 2
    assert EVERYTHING.without(()) == EVERYTHING


@pytest.mark.parametrize("card", [-1, 52, 1.0, "Ks", None])
def test_without_refuses_what_is_no_card(card: Any) -> None:
    with pytest.raises(CardError, match=f"{card} is no card"):
        EVERYTHING.without((1, card))


def test_class_cells_against_a_loop() -> None:
    rng = np.random.default_rng(3)
    weights = rng.random(COMBO_COUNT).astype(np.float32)
    dead = parse_cards("AsAh2c7d")
    cells = class_cells(weights, dead)
    for hand_class in range(CLASS_COUNT):
        live = [
            float(weights[combo])
            for combo in combos_of_class(hand_class)  # type: ignore[arg-type]
            if not card_mask(cards_of(combo)) & card_mask(dead)
        ]
        assert cells.unblocked[hand_class] == len(live), class_name(hand_class)  # type: ignore[arg-type]
        assert cells.total[hand_class] == pytest.approx(sum(live), rel=1e-6)
        assert cells.mean[hand_class] == pytest.approx(sum(live) / max(len(live), 1), rel=1e-6)
    assert not cells.mean.flags.writeable


def test_class_cells_of_a_class_that_is_all_blocked() -> None:
    cells = class_cells(np.ones(COMBO_COUNT), parse_cards("AsAhAd"))
    assert (cells.mean[0], cells.total[0], cells.unblocked[0]) == (0, 0, 0)


@pytest.mark.parametrize(
    "numbers", [None, 5, "x", [1, 2], np.ones(1325), np.array(["a"] * 1326), np.ones(COMBO_COUNT) * 1j]
)
def test_class_cells_refuse_what_is_no_1326_numbers(numbers: Any) -> None:
    with pytest.raises(RangeError, match="1326 numbers"):
        class_cells(numbers)


def test_weights_are_a_read_only_copy() -> None:
    given_weights = np.zeros(COMBO_COUNT)
    hands = Range(given_weights)  # type: ignore[arg-type]
    given_weights[0] = 1
    assert hands.is_empty
    assert hands.weights.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        hands.weights[0] = 1
    with pytest.raises(AttributeError):
        hands.weights = hands.weights  # type: ignore[misc]


@pytest.mark.parametrize("bad", [-0.001, 1.001, float("nan"), float("inf")])
def test_refuses_weights_outside_0_to_1(bad: float) -> None:
    weights = np.zeros(COMBO_COUNT)
    weights[1325] = bad
    with pytest.raises(RangeError, match="of AsAh is no number from 0 to 1"):
        Range(weights)  # type: ignore[arg-type]


def test_refuses_other_shapes() -> None:
    with pytest.raises(RangeError, match="1326 weights"):
        Range(np.zeros(169))  # type: ignore[arg-type]


def test_refuses_what_are_no_numbers() -> None:
    with pytest.raises(RangeError, match="has numbers as weights, not <U1"):
        Range(np.full(COMBO_COUNT, "1"))  # type: ignore[arg-type]


def test_equality_and_hash() -> None:
    negative_zero = Range(np.full(COMBO_COUNT, -0.0))  # type: ignore[arg-type]
    assert negative_zero == EMPTY
    assert hash(negative_zero) == hash(EMPTY)
    assert not operator.ne(negative_zero, EMPTY)
    assert EVERYTHING != EMPTY
    assert EMPTY != "random"


def test_is_stored_losslessly_and_checked_when_read() -> None:
    hands = parse_range("QQ+,AhKd:0.3")
    assert decode(encode(hands), Range) == hands
    with pytest.raises(StoredDataError, match="1326 weights"):
        decode(encode({"weights": np.zeros(3, dtype=np.float32)}), Range)


def test_every_class_reads_back_by_its_name() -> None:
    for hand_class in range(CLASS_COUNT):
        name = class_name(hand_class)  # type: ignore[arg-type]
        assert combos_in(name) == set(combos_of_class(hand_class))  # type: ignore[arg-type]
        assert all(rank in RANKS for rank in name[:2])


# Foreign text


@pytest.mark.parametrize("begin", ["", "[50", "[/50", "Ah", "AA", "AA:", "AA:0.", "5%-", "any", "A2s-", "[50]AA:"])
@pytest.mark.parametrize("sign", [" ", "\n", "[", "]", "/", "%", "5", ".", "-", "+", ":", "A", "\x1b", "\u202e"])
def test_a_text_as_long_as_may_be_is_read_or_refused(begin: str, sign: str) -> None:
    text = begin + sign * (LONGEST_TEXT - len(begin))
    error = refusal(RangeTextError, lambda: parse_range(text))
    assert error is None or 0 <= error.position < error.position + error.length <= len(text)


def test_a_longer_text_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(RangeTextError, match="has 50,000 characters at most, and this has 100,003"):
        parse_range("[50" + " " * 100_000)


@given(runs())
def test_runs_of_any_sign_are_read_or_refused_with_a_sentence(text: str) -> None:
    refusal(RangeTextError, lambda: parse_range(text))


@pytest.mark.parametrize(
    "text",
    [
        "Ah \n\t Kh:",
        "[50\n\n]AA:1[/50]",
        "[50\r]AA[/\x1c40]",
        "[50\n]AA[50]",
        "\x1b[2JAA",
        "A\u202eK",
        "[\x85 500]AA[/]",
    ],
)
def test_no_message_quotes_a_control_character(text: str) -> None:
    assert refusal(RangeTextError, lambda: parse_range(text)) is not None


@given(st.integers(0, 1326), st.integers(0, 1326), st.integers(1, 9))
def test_bounds_of_the_best_hands_name_the_same_hands_again(one: int, other: int, opponents: int) -> None:
    """Any two numbers of combos as percents; the bounds that are read back need not be these, but as few digits."""
    low, high = sorted((one, other))
    hands = parse_range(f"{100 * low / 1326:.10f}%-{100 * high / 1326:.10f}%", opponents=opponents)
    bounds = best_bounds(hands, opponents=opponents)
    if bounds is None:
        classes = {int(COMBO_CLASS[combo]) for combo in np.flatnonzero(hands.weights)}
        assert len(classes) < 2
    else:
        again = parse_range(f"{bounds[0]!r}%-{bounds[1]!r}%", opponents=opponents)
        np.testing.assert_array_equal(again.weights, hands.weights)


@pytest.mark.parametrize("text", ["", "AA", "AA,QQ", "AA,KK:0.5", "AA,72o"])
def test_what_is_no_part_of_the_best_hands_has_no_bounds(text: str) -> None:
    assert best_bounds(parse_range(text)) is None


def test_bounds_have_the_fewest_digits() -> None:
    assert best_bounds(parse_range("random")) == (0.0, 100.0)
    assert best_bounds(parse_range("5%-10%")) == (5.0, 10.0)
    assert best_bounds(parse_range("AA,KK")) == (0.0, 0.5)  # the aces are 0.45%, and whole classes are taken
