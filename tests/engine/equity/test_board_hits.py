"""How a range hits a board: combo by combo against `describe` and `draws`, and the words players use."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import COMBO_COUNT, Card, cards_of, combo_of, parse_cards, relabel_suits, unblocked
from engine.equity.board_hits import BEFORE_THE_FLOP, MADE_HANDS, HitRow, board_hits
from engine.equity.checks import EquityError
from engine.ranges import Range, parse_range
from tests.reference.board_hits import all_draws, backdoor_draws, made_hand

ALL = Range(np.ones(COMBO_COUNT))
BOARDS = [
    *("Ks7d2h", "Kh8h5d", "9h8h7h", "AsKsQs", "QcQd5s", "7c7d7s", "4d3c2s", "AhKdTc", "JhTd9c", "2c3d4h"),
    *("Ks7d2h3c", "9h8h7h2h", "7c7d5c5d", "7c7d7h7s", "QcQd5s5h", "JhTd9c8s", "Ah2d3h4h", "KcKdQs5h", "7c7d7h2s"),
    *("Ks7d2h3c9s", "AsKsQsJsTs", "9h8h7h6h2h", "7c7d7h7sKd", "7c7d7hKsKd", "QcQd5s5hKd", "JhTd9c8s7d"),
    *("AhKdQc9s7d", "9c9d7s7h5d", "2c3d4h5sKd", "7c7d7h2sKd", "2c3d4hKsQc", "AcAdKsKh2c"),
]


def rows_of(board: str, hands: Range = ALL, dead: str = "") -> dict[str, HitRow]:
    return {row.name: row for row in board_hits(hands, parse_cards(board), parse_cards(dead))}


def check_every_combo(board: tuple[Card, ...]) -> None:
    rows = board_hits(ALL, board)
    made, drawn = rows[: len(MADE_HANDS)], rows[len(MADE_HANDS) :]
    for combo in np.flatnonzero(unblocked(board)).tolist():
        hole = cards_of(combo)
        mine = [row.name for row in made if row.members[combo]]
        assert mine == [made_hand(hole, board)], hole
        draws = {row.name for row in drawn if row.members[combo]}
        expected = all_draws(hole, board)
        if len(board) < 5 and not expected and MADE_HANDS.index(mine[0]) > MADE_HANDS.index("weak pair"):
            expected.add("no pair, no draw")
        if len(board) == 3:
            expected |= backdoor_draws(hole, board)
        assert draws == expected, hole
    for row in rows:
        assert not row.members[~unblocked(board)].any()


@pytest.mark.every(5)
@pytest.mark.parametrize("board", BOARDS)
def test_every_combo_is_called_what_it_is(board: str) -> None:
    check_every_combo(parse_cards(board))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]))
def test_every_combo_on_any_board(cards: list[int], size: int) -> None:
    check_every_combo(tuple(map(Card, cards[:size])))


@pytest.mark.parametrize(
    ("hole", "board", "made", "draws"),
    [
        ("AhKd", "Ks7d7h", "top pair, top kicker", ()),
        ("AhAd", "Ks7d7h", "overpair", ()),
        ("KhQd", "As7d2h", "king high", ("backdoor straight draw", "no pair, no draw")),
        ("KhQd", "AsKd2h", "middle pair", ("backdoor straight draw",)),
        ("KhQd", "KsJd2h", "top pair, good kicker", ("backdoor straight draw",)),
        ("Kh5d", "KsJd2h", "top pair, weak kicker", ()),
        ("AcQc", "AsKd2h", "top pair, top kicker", ("backdoor straight draw",)),
        ("AcQc", "AsKdKcQh", "top pair, top kicker", ()),  # with AcJc it is aces and kings with a queen
        ("8c8d", "KsJd2h", "weak pair", ()),
        ("QcQd", "KsJd2h", "pocket pair below top pair", ()),
        ("Kh2d", "KsJd2h", "two pair", ()),
        # The twos are out of play, of which nobody has to tell him.
        ("Kh2d", "KsJdJc2h", "top pair, weak kicker", ()),
        ("3h3d", "KsKdJcJh", "pair or better on the board", ("no pair, no draw",)),
        ("Ah9d", "KsKd5c", "pair or better on the board, ace kicker", ("no pair, no draw",)),
        ("7h6d", "7s7dKc", "trips", ()),
        ("7h7c", "7sKd2c", "set", ()),
        ("3h2d", "AsKdQcJs9h", "plays the board", ()),
        ("AhJh", "Th9h2c", "ace high", ("nut flush draw", "two overcards", "backdoor straight draw")),
        ("QhJh", "Th9h2c", "queen high or lower",
         ("flush draw", "open-ended straight draw", "flush draw with straight draw", "two overcards")),
        ("QdJc", "Th8h2c", "queen high or lower", ("gutshot", "two overcards")),
        ("9c8d", "QhJs7h5c", "queen high or lower", ("open-ended straight draw",)),
        ("6c4d", "8h5s7hAc", "straight", ()),
        ("6c4d", "8h5sKhAc", "queen high or lower", ("gutshot",)),
        ("KhTd", "QhJh2h", "king high",
         ("flush draw", "open-ended straight draw", "flush draw with straight draw")),
        ("Kd3d", "9d8s2h", "king high", ("backdoor flush draw", "no pair, no draw")),
        ("Kd3s", "9d8s2h", "king high", ("no pair, no draw",)),
    ],
)  # fmt: skip
def test_words_of_players(hole: str, board: str, made: str, draws: tuple[str, ...]) -> None:
    rows = board_hits(parse_range(hole), parse_cards(board))
    assert [row.name for row in rows if row.combos and not row.is_draw] == [made]
    assert {row.name for row in rows if row.combos and row.is_draw} == set(draws)


def test_the_range_with_its_weights() -> None:
    rows = rows_of("Kh8h5d", parse_range("AA,KQ:0.5,76s:0.25"), dead="AsQd")
    # Three pairs of aces are left, nine KQ with the three kings and three queens, and four suited 76.
    assert {row.name: row.combos for row in rows.values() if row.combos and not row.is_draw} == {
        "overpair": 3,
        "top pair, good kicker": 4.5,
        "queen high or lower": 1,
    }
    assert rows["overpair"].share == pytest.approx(3 / 8.5)
    assert rows["top pair, good kicker"].at_least == pytest.approx(7.5 / 8.5)
    assert rows["quads"].at_least == 0
    assert rows["plays the board"].at_least == 1
    straight = rows["open-ended straight draw"]
    assert (straight.combos, straight.share, straight.at_least) == (1, straight.share, straight.share)
    assert straight.members.sum() == 4
    assert rows["overpair"].members.sum() == 3
    assert not rows["overpair"].members[combo_of(*parse_cards("AsAh"))]


@pytest.mark.parametrize("board", ["", "Kh8h5d", "Kh8h5d5c", "Kh8h5d5c5h"])
def test_made_hands_share_out_the_range(board: str) -> None:
    rng = np.random.default_rng(3)
    weights = rng.random(COMBO_COUNT) * 10.0 ** rng.integers(-30, 1, COMBO_COUNT) * (rng.random(COMBO_COUNT) < 0.5)
    hands = Range(weights)
    made = [row for row in board_hits(hands, parse_cards(board), parse_cards("2c")) if not row.is_draw]
    assert tuple(row.name for row in made) == (MADE_HANDS if board else BEFORE_THE_FLOP)
    live = unblocked(parse_cards(f"{board}2c")) & (hands.weights > 0)
    assert np.array_equal(np.sum([row.members for row in made], axis=0), live)
    assert sum(row.share for row in made) == pytest.approx(1)
    for row in made:
        assert row.combos == pytest.approx(hands.weights[row.members].sum(dtype=np.float64))
        assert not row.members.flags.writeable
    if board:
        assert [row.at_least for row in made] == pytest.approx(np.cumsum([row.share for row in made]))


def test_kinds_before_the_flop() -> None:
    rows = rows_of("")
    assert [int(rows[name].combos) for name in BEFORE_THE_FLOP[:3]] == [5 * 6, 4 * 6, 4 * 6]
    assert rows["suited broadway"].combos == 10 * 4
    assert rows["suited ace"].combos == 8 * 4
    assert rows["suited connector"].combos == 8 * 4  # T9s to 32s
    assert rows["offsuit broadway"].combos == 10 * 12
    assert rows["offsuit ace"].combos == 8 * 12
    assert rows["other suited"].combos + rows["other offsuit"].combos == 1326 - 78 - 26 * 4 - 18 * 12
    assert rows["suited connector"].at_least == rows["suited connector"].share
    assert rows_of("", parse_range("T9s"), "TsTh9c")["suited connector"].combos == 1


@pytest.mark.every(3)
@pytest.mark.parametrize("board", ["Kh8h5d", "9h8h7h2d", "AhKh2d2c9h"])
def test_suit_names_do_not_matter(board: str) -> None:
    cards = parse_cards(board)
    weights = np.random.default_rng(8).random(COMBO_COUNT).astype(np.float32)
    rows = board_hits(Range(weights), cards)
    for permutation in permutations(range(4)):
        moved = np.array([combo_of(*relabel_suits(cards_of(i), permutation)) for i in range(COMBO_COUNT)])
        renamed = np.zeros(COMBO_COUNT, dtype=np.float32)
        renamed[moved] = weights
        for before, after in zip(rows, board_hits(Range(renamed), relabel_suits(cards, permutation)), strict=True):
            assert np.array_equal(after.members[moved], before.members)
            assert after.combos == pytest.approx(before.combos)


def test_the_order_of_the_board_does_not_matter() -> None:
    cards = parse_cards("Kh8h5d2c")
    for before, after in zip(board_hits(ALL, cards), board_hits(ALL, cards[::-1]), strict=True):
        assert np.array_equal(before.members, after.members)


def test_no_draws_on_a_river_and_no_backdoor_draws_on_a_turn() -> None:
    assert not any(row.is_draw for row in rows_of("Kh8h5d2c3c").values())
    assert not any("backdoor" in name for name in rows_of("Kh8h5d2c"))
    assert sum("backdoor" in name for name in rows_of("Kh8h5d")) == 2


@pytest.mark.parametrize("hands", ["", "KhKd"])
def test_nothing_live_hits_nothing(hands: str) -> None:
    for row in board_hits(parse_range(hands), parse_cards("Kh8h5d")):
        assert (row.combos, row.share, row.at_least) == (0, 0, 0)
        assert not row.members.any()


@pytest.mark.parametrize(
    ("hands", "board", "dead", "message"),
    [
        (ALL, (0, 1), (), "A board has 0, 3, 4 or 5 cards, not 2."),
        (ALL, (0, 1, 1), (), "The card 2d is twice on the board."),
        (ALL, (0, 1, 2), (2,), "The card 2h is on the board and among the dead cards."),
        (ALL, (0, 1, 2.0), (), "2.0 is no card"),
        (ALL, (0, 1, 52), (), "52 is no card"),
        (ALL, "abc", (), "Cards on the board come in a sequence"),
        (ALL, (0, 1, 2), "2c", "Dead cards come in a sequence"),
        ("AA", (0, 1, 2), (), "What hits a board is a Range, not 'AA'."),
        (np.ones(1326), (0, 1, 2), (), "What hits a board is a Range"),
    ],
)
def test_refuses_in_one_sentence(
    hands: Range, board: tuple[Card, ...], dead: tuple[Card, ...], message: str
) -> None:
    with pytest.raises(EquityError, match=r"\.$") as caught:
        board_hits(hands, board, dead)
    assert message in str(caught.value)
