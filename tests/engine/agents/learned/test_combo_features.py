import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.learned.combo_features import (
    POSTFLOP_COMBO_FEATURES,
    PREFLOP_COMBO_FEATURES,
    combo_features,
    combo_kinds,
    preflop_combo_features,
)
from engine.cards import (
    CARD_COUNT,
    COMBO_CARDS,
    Card,
    cards_of,
    class_of,
    combo_of,
    parse_cards,
    relabel_suits,
    unblocked,
)
from engine.strength import Draw, category_of, draws, strength
from tests.reference import combo_features as reference

STRAIGHTS = ({12, 0, 1, 2, 3}, *(set(range(low, low + 5)) for low in range(9)))


def value(board: str, hand: str, name: str) -> float:
    row = combo_features(parse_cards(board))[combo_of(*parse_cards(hand))]
    return float(row[POSTFLOP_COMBO_FEATURES.index(name)])


def pairing(board: str, hand: str) -> str:
    row = combo_features(parse_cards(board))[combo_of(*parse_cards(hand))]
    names = [
        name for name, v in zip(POSTFLOP_COMBO_FEATURES, row, strict=True) if name.startswith("pairing: ") and v
    ]
    assert len(names) == 1
    return names[0].removeprefix("pairing: ")


def boards(size: int) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(st.integers(0, CARD_COUNT - 1), min_size=size, max_size=size, unique=True).map(
        lambda cards: tuple(Card(card) for card in cards)
    )


def test_every_name_stands_for_one_column() -> None:
    assert preflop_combo_features().shape == (169, len(PREFLOP_COMBO_FEATURES))
    for text in ("Ks7d2h", "Ks7d2hTs", "Ks7d2hTs9s"):
        features = combo_features(parse_cards(text))
        assert features.shape == (1326, len(POSTFLOP_COMBO_FEATURES))
        assert np.isfinite(features).all()
        assert not features.flags.writeable
    assert len(set(POSTFLOP_COMBO_FEATURES)) == len(POSTFLOP_COMBO_FEATURES)
    assert len(set(PREFLOP_COMBO_FEATURES)) == len(PREFLOP_COMBO_FEATURES)


@pytest.mark.every(3)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_column_is_the_one_that_the_model_was_trained_on(size: int) -> None:
    """Against the features computed column by column, on random boards and on those of one suit or few ranks."""
    generator = np.random.default_rng(size)
    decks = [generator.permutation(CARD_COUNT) for _ in range(80)]
    decks += [4 * generator.permutation(13) + suit for suit in range(4) for _ in range(8)]  # one suit
    decks += [generator.permutation(8) + 4 * low for low in range(12)]  # two ranks
    decks += [generator.permutation(20) + 4 * low for low in range(9)]  # five ranks in a row
    for deck in decks:
        board = tuple(Card(int(card)) for card in deck[:size])
        live = unblocked(board)
        ours, theirs = combo_features(board)[live], reference.combo_features(board)[live]
        np.testing.assert_allclose(ours, theirs, atol=1e-5, err_msg=str(board))


@given(boards(5), st.integers(3, 5))
def test_combos_of_a_kind_have_the_same_features(cards: tuple[Card, ...], size: int) -> None:
    board = cards[:size]
    live = unblocked(board)
    combos, kinds = combo_kinds(board)
    features = combo_features(board)
    assert live[combos].all()
    assert (kinds[combos] == np.arange(len(combos))).all()
    np.testing.assert_allclose(features[combos][kinds[live]], features[live], atol=1e-6)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AhAd", "overpair"),
        ("QhQd", "pair below the top card"),
        ("5h5d", "pair below the second card"),
        ("KdQc", "top pair"),
        ("7hAd", "second pair"),
        ("2cAd", "third pair or lower"),
        ("Kd7c", "two pair with both cards"),
        ("7h7c", "set"),
        ("AdQc", "no pair of its own"),
    ],
)
def test_pairs_are_told_apart(hand: str, expected: str) -> None:
    assert pairing("Ks7d2h", hand) == expected


def test_trips_need_a_pair_on_the_board() -> None:
    assert pairing("KsKd2h", "KhQc") == "trips with one card"
    assert pairing("KsKd2h", "2cQc") == "second pair"


@given(boards(5), st.integers(3, 5))
def test_made_hands_are_those_of_the_evaluator(cards: tuple[Card, ...], size: int) -> None:
    board = cards[:size]
    made = combo_features(board)[:, :9].argmax(axis=1)
    live = np.flatnonzero(unblocked(board))
    for combo in live[:: len(live) // 40]:
        assert made[combo] == category_of(strength((*cards_of(int(combo)), *board)))


@given(boards(4), st.integers(3, 4))
def test_draws_agree_with_the_words_for_them(cards: tuple[Card, ...], size: int) -> None:
    """Against `engine.strength.draws`, which finds them one hand at a time and by other means."""
    board = cards[:size]
    features = combo_features(board)
    column = {name: features[:, at] for at, name in enumerate(POSTFLOP_COMBO_FEATURES)}
    live = np.flatnonzero(unblocked(board))
    ranks = {card >> 2 for card in board}
    four_on_board = any(len(straight & ranks) > 3 for straight in STRAIGHTS)
    for combo in live[:: len(live) // 40]:
        hole = cards_of(int(combo))
        found = draws(hole, board)
        made = category_of(strength((*hole, *board)))
        if made < 4:  # below a straight both speak of the same draws
            flush = column["flush draw with both cards"][combo] + column["flush draw with one card"][combo]
            assert bool(flush) == (Draw.FLUSH in found)
            if four_on_board:  # then a card of the board's own straight may be the better one
                continue
            assert bool(column["gutshot"][combo]) == (Draw.GUTSHOT in found)
            is_open = bool(column["open-ended straight draw"][combo])
            assert is_open == bool({Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT} & {*found})


@given(boards(5), st.integers(3, 5), st.permutations(range(4)))
def test_suits_do_not_matter(cards: tuple[Card, ...], size: int, permutation: list[int]) -> None:
    board = cards[:size]
    relabelled = np.array([combo_of(*relabel_suits([int(c) for c in pair], permutation)) for pair in COMBO_CARDS])
    live = unblocked(board)
    ours = combo_features(board)[live]
    theirs = combo_features(relabel_suits(board, permutation))[relabelled[live]]
    np.testing.assert_allclose(ours, theirs, atol=2e-6)


def test_hand_classes_before_the_flop_are_named_rightly() -> None:
    features = preflop_combo_features()
    row = features[class_of(combo_of(*parse_cards("AhKh")))]
    held = {name for name, v in zip(PREFLOP_COMBO_FEATURES, row, strict=True) if v == 1.0}
    assert {"high card: A", "low card: K", "suited", "gap 0", "suited ace", "suited, both ten or higher"} <= held
    assert "pair" not in held


def test_flush_draws_and_blockers() -> None:
    assert value("Ks7s2h", "AsQs", "flush draw with both cards") == 1
    assert value("Ks7s2h", "AsQs", "flush draw to the nuts") == 1
    assert value("Ks7s2h", "Qs3s", "flush draw to the nuts") == 0
    assert value("Ks7s2hTs", "Ad9s", "flush draw with one card") == 1
    assert value("Ks7s2hTs", "AsQd", "best missing card of the board's suit") == 1
    assert value("Ks7s2hTs", "QdQs", "best missing card of the board's suit") == 0


def test_straight_draws() -> None:
    assert value("Ts9d2h", "QhJc", "open-ended straight draw") == 1
    assert value("Ts9d2h", "QhKc", "gutshot") == 1
    assert value("Ts9d2h", "AhKc", "gutshot") == 0
    assert value("Ts9d2h4c5c", "QhJc", "straight draw missed") == 1
    assert value("Ts9d2h4c8s", "QhJc", "straight draw missed") == 0


def test_shares_of_weaker_hands_rank_the_nuts_first() -> None:
    board = parse_cards("Ks7s2hTs9s")
    features = combo_features(board)
    live = unblocked(board)
    share = np.where(live, features[:, POSTFLOP_COMBO_FEATURES.index("share of weaker hands")], -2)
    assert set(parse_cards("QsJs")) == set(cards_of(int(share.argmax())))
