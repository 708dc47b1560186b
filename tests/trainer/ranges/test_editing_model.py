"""What a range editor does to ranges, against counting combo by combo."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.cards import (
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_COUNT,
    HandClass,
    class_name,
    class_of,
    combo_of,
    combos_of_class,
    format_combo,
    parse_cards,
    suit_of,
    unblocked,
)
from engine.ranges import Range, class_cells, format_range, parse_range, top_range
from trainer.ranges.editing_model import (
    EMPTY,
    EVERYTHING,
    RangeEditing,
    best_between,
    count_text,
    describe_class,
    describe_combo,
    in_suits,
    inverted,
    only_suits,
    percent_text,
    same_for_all_suits,
    scaled_up,
    stepped,
    suit_cells,
    united,
    with_weight,
)

CLASSES = {class_name(HandClass(number)): number for number in range(CLASS_COUNT)}
HEARTS, SPADES = 2, 3
ranges = arrays(np.float32, COMBO_COUNT, elements=st.floats(0, 1, width=32), fill=st.just(0.0)).map(Range)


def members(name: str) -> tuple[int, ...]:
    return combos_of_class(HandClass(CLASSES[name]))


def test_painting_changes_the_chosen_combos_alone() -> None:
    hands = parse_range("KK,AhKh:0.3")
    assert with_weight(hands, members("AKs"), 0.5) == parse_range("KK,AKs:0.5")
    assert with_weight(hands, (), 0.5) is hands


@pytest.mark.parametrize(
    ("weight", "steps", "expected"),
    [(0, 1, 0.05), (0.33, 1, 0.35), (0.33, -1, 0.3), (0.3, 1, 0.35), (0.3, -1, 0.25), (0.98, 3, 1), (0.02, -1, 0)],
)
def test_the_wheel_goes_to_the_next_multiple(weight: float, steps: int, expected: float) -> None:
    moved = stepped(parse_range(f"AA:{weight}"), members("AA"), steps, 0.05)
    assert moved == parse_range(f"AA:{expected}")


def test_twenty_steps_up_and_down_come_back() -> None:
    hands = EMPTY
    for direction in (1, -1):
        for _ in range(20):
            hands = stepped(hands, members("T9s"), direction, 0.05)
        assert hands == (parse_range("T9s") if direction == 1 else EMPTY)
    assert stepped(hands, members("T9s"), 0, 0.05) is hands
    assert stepped(hands, (), 1, 0.05) is hands


@pytest.mark.parametrize(
    ("name", "suits", "count"),
    [
        ("AKs", {HEARTS}, 1),
        ("AKo", {HEARTS}, 0),
        ("AKo", {HEARTS, SPADES}, 2),
        ("AA", {HEARTS, SPADES}, 1),
        ("AA", set(), 0),
    ],
)
def test_combos_in_suits_have_both_cards_in_them(name: str, suits: set[int], count: int) -> None:
    chosen = in_suits(members(name), suits)
    assert len(chosen) == count
    assert all(suit_of(int(card)) in suits for combo in chosen for card in COMBO_CARDS[combo])


@given(ranges, st.sets(st.integers(0, 3)))
def test_only_suits_agrees_with_asking_each_combo(hands: Range, suits: set[int]) -> None:
    kept = only_suits(hands, suits)
    chosen = set(in_suits(range(COMBO_COUNT), suits))
    for combo in range(COMBO_COUNT):
        assert kept.weights[combo] == (hands.weights[combo] if combo in chosen else 0)


@given(ranges)
def test_inverting_gives_the_rest(hands: Range) -> None:
    np.testing.assert_allclose(hands.weights + inverted(hands).weights, 1, atol=1e-6)


def test_inverting_plain_weights_twice_changes_nothing() -> None:
    hands = parse_range("22+:0.3,AKs,QJo:0.55,72o:0.01")
    assert inverted(inverted(hands)) == hands
    assert inverted(EMPTY) == EVERYTHING
    assert format_range(inverted(parse_range("random:0.3"))) == "random:0.7"


@given(ranges)
def test_scaling_keeps_proportions(hands: Range) -> None:
    scaled = scaled_up(hands)
    largest = float(hands.weights.max())
    if largest == 0:
        assert scaled == hands
    else:
        assert scaled.weights.max() == 1
        np.testing.assert_allclose(
            scaled.weights.astype(np.float64) * largest, hands.weights, rtol=1e-6, atol=1e-38
        )


@given(ranges)
def test_one_weight_for_all_suits_keeps_the_size_of_each_class(hands: Range) -> None:
    even = same_for_all_suits(hands)
    np.testing.assert_allclose(class_cells(even.weights).total, class_cells(hands.weights).total, atol=1e-5)
    for combos in (combos_of_class(HandClass(number)) for number in range(CLASS_COUNT)):
        assert len(set(even.weights[list(combos)].tolist())) == 1


def test_adding_hands_paints_over_them_alone() -> None:
    assert united(parse_range("AA,KK:0.2"), parse_range("KK,QQ:0.1"), 0.5) == parse_range("AA,KK:0.5,QQ:0.5")


@pytest.mark.parametrize("opponents", [1, 4, 9])
def test_the_best_between_two_bounds_are_what_the_text_says(opponents: int) -> None:
    asked = parse_range("5%-10%", opponents=opponents)
    assert best_between(0.05, 0.1, opponents) == best_between(0.1, 0.05, opponents) == asked
    assert best_between(0, 0.15, opponents) == parse_range("15%", opponents=opponents)
    assert best_between(0.2, 0.2, opponents) == EMPTY
    assert best_between(0, 1, opponents) == EVERYTHING


@pytest.mark.parametrize(
    ("text", "dead", "shown"),
    [
        ("", "", "0 combos · 0.0%"),
        ("AhKh", "", "1 combo · 0.1%"),
        ("AKo:0.5", "", "6 combos · 0.5%"),
        ("AA:0.3", "", "1.8 combos · 0.1%"),
        ("random", "AhKh", "1,326 combos · 100.0% · 101 blocked"),
        ("AA", "Kh", "6 combos · 0.5%"),
    ],
)
def test_the_size_in_words(text: str, dead: str, shown: str) -> None:
    assert count_text(parse_range(text), parse_cards(dead)) == shown


@pytest.mark.parametrize(
    ("weight", "shown"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.5, "50%"),
        (0.354, "35%"),
        (0.004, "0.4%"),
        (0.9996, "99.96%"),
        (0.00001, "under 0.01%"),
        (0.999999, "over 99.99%"),
    ],
)
def test_a_weight_in_words_is_never_rounded_to_none_or_all(weight: float, shown: str) -> None:
    assert percent_text(weight) == shown


def test_a_class_is_described_with_its_suits() -> None:
    def said(text: str, name: str, dead: str = "") -> str:
        hands = parse_range(text)
        cards = parse_cards(dead)
        return describe_class(CLASSES[name], hands, class_cells(hands.weights, cards), unblocked(cards))

    assert said("AKs", "AKs") == "AKs: 4 combos, weight 100%"
    assert said("AKs", "AKs", "As") == "AKs: 3 combos, 1 blocked, weight 100%"
    assert said("AKs:0.2,AhKh", "AKs") == "AKs: 4 combos, weight 40%; A♥K♥ 100%, A♠K♠ A♦K♦ A♣K♣ 20%"
    assert said("AhKh", "AKs") == "AKs: 4 combos, weight 25%; A♥K♥ 100%"
    assert said("AsKs:0.1,AhKh:0.2,AdKd:0.3,AcKc:0.4", "AKs").endswith("A♣K♣ 40%, A♦K♦ 30%, A♥K♥ 20%, …")
    assert said("AhKh,AsKs", "AKs", "As") == "AKs: 3 combos, 1 blocked, weight 33%; A♥K♥ 100%"
    assert said("AsKs", "AKs", "As") == "AKs: 3 combos, 1 blocked, weight 0%"
    assert said("AKs,AsKs:0.5", "AKs", "Ac As Kh Kd") == "AKs: 0 combos, 4 blocked, weight 0%"
    assert said("72o", "72o", "7h 7s 7c 2d") == "72o: 3 combos, 9 blocked, weight 100%"


def test_a_combo_is_described() -> None:
    combo = combo_of(*parse_cards("AhKs"))
    assert describe_combo(combo, 0.25, is_blocked=False) == "A♥K♠: weight 25%"
    assert describe_combo(combo, 0, is_blocked=True) == "A♥K♠: weight 0%, blocked"


def test_every_combo_has_one_place_by_the_suits_of_its_cards() -> None:
    seen = []
    for hand_class in range(CLASS_COUNT):
        cells = suit_cells(hand_class)
        assert (
            len({(cell.row, cell.column) for cell in cells})
            == len(cells)
            == len(combos_of_class(HandClass(hand_class)))
        )
        for cell in cells:
            assert class_of(cell.combo) == hand_class
            text = format_combo(cell.combo)
            assert ("shdc"[cell.row], "shdc"[cell.column]) == (text[1], text[3])
        seen += [cell.combo for cell in cells]
    assert sorted(seen) == list(range(COMBO_COUNT))
    assert {(cell.row, cell.column) for cell in suit_cells(CLASSES["AA"])} == {
        (a, b) for a in range(4) for b in range(a + 1, 4)
    }


# ---- a range being edited


@pytest.fixture
def editing() -> RangeEditing:
    made = RangeEditing()
    made.open(parse_range("QQ"), parse_cards("Ah"))
    return made


def test_text_and_best_hands_follow_the_range(editing: RangeEditing) -> None:
    assert (editing.text, editing.low, editing.high) == ("QQ", 0, 0.5)
    editing.change_all("invert", inverted)
    assert parse_range(editing.text) == editing.hands == inverted(parse_range("QQ"))
    editing.slide_high(15)
    assert editing.hands == top_range(0.15) == parse_range(editing.text)
    editing.slide_low(20)
    assert (editing.low, editing.high, editing.hands) == (20, 20, EMPTY)


def test_text_that_cannot_be_read_leaves_the_range(editing: RangeEditing) -> None:
    editing.type("QQ,AKx")
    assert editing.error is not None
    assert (editing.text, editing.hands) == ("QQ,AKx", parse_range("QQ"))
    editing.paint(parse_range("QQ,JJ"))
    assert (editing.text, editing.error) == ("QQ-JJ", None)


def test_typing_a_stroke_and_sliding_are_one_step_each(editing: RangeEditing) -> None:
    for text in ("K", "KK", "KK,", "KK,A", "KK,AA"):
        editing.type(text)
    for hands in ("KK+,22", "KK+,22,33"):
        editing.paint(parse_range(hands))
    editing.end_stroke()
    for percent in (5, 6, 7):
        editing.slide_high(percent)
    steps = [editing.undo_stack.text(at) for at in range(editing.undo_stack.count())]
    assert steps == ["type", "paint", "best hands"]
    editing.undo_stack.undo()
    editing.undo_stack.undo()
    assert (editing.text, editing.hands) == ("KK+", parse_range("KK+"))


def test_what_comes_from_elsewhere_is_no_change_of_its_own(editing: RangeEditing) -> None:
    told: list[object] = []
    editing.range_changed.connect(told.append)
    editing.ranking_changed.connect(told.append)
    editing.follow_range(parse_range("AA"))
    editing.follow_ranking(4)
    assert (editing.text, editing.ranking, told) == ("AA", 4, [])
    assert not editing.undo_stack.canUndo()


def test_the_brush_says_what_is_added(editing: RangeEditing) -> None:
    editing.set_brush(0.5)
    editing.set_suits([2, 3])
    editing.add("KK")
    assert editing.hands == parse_range("QQ,KhKs:0.5")
    editing.keep_suits()
    editing.remove_blocked()
    assert editing.hands == parse_range("QhQs,KhKs:0.5")
    editing.set_suits([])
    assert len(editing.suits) == 4
