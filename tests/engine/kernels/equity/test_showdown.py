"""Showdowns counted by classes of deals against counting one by one, with another program's evaluator."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    PAIR_COUNT,
    card_mask,
    cards_of,
    combo_of,
    parse_cards,
    relabel_suits,
)
from engine.kernels.equity.showdown import count_showdowns
from engine.kernels.evaluator import tables
from engine.ranges import parse_range
from tests.reference.equity import joint_outcomes

Player = dict[int, float]


def live_weights(players: list[Player]) -> NDArray[np.float64]:
    live = np.zeros((len(players), COMBO_COUNT))
    for row, player in zip(live, players, strict=True):
        row[list(player)] = list(player.values())
    return live


def count(
    players: list[Player],
    board: tuple[int, ...],
    dead: tuple[int, ...] = (),
    order: list[int] | None = None,
    bounds: tuple[int, ...] = (0, PAIR_COUNT),
) -> tuple[NDArray[np.float64], int]:
    outcomes = np.zeros(1 << len(players))
    deals = 0
    for first, stop in pairwise(bounds):
        deals += count_showdowns(
            tables(),
            live_weights(players),
            np.array(order or range(len(players))),
            np.array(board, dtype=np.uint8),
            np.uint64(card_mask(dead)),
            first,
            stop,
            outcomes,
        )
    return outcomes, deals


@st.composite
def questions(draw: st.DrawFn, most_runouts: int = 60) -> tuple[list[Player], tuple[int, ...], tuple[int, ...]]:
    """Few cards for many hands: clashes are common, and so are flushes where two suits make up most of the deck."""
    deck = draw(st.permutations(range(CARD_COUNT)))
    if draw(st.booleans()):
        deck = sorted(deck, key=lambda card: card % 4 > 1)
    board, rest = tuple(deck[: draw(st.sampled_from([3, 4, 5]))]), deck[5:]
    held = rest[: draw(st.integers(8, 12))]
    combos = st.tuples(st.sampled_from(held), st.sampled_from(held)).filter(lambda two: two[0] != two[1])
    hands = st.dictionaries(combos.map(lambda two: int(combo_of(*two))), st.integers(0, 5).map(float), max_size=4)
    players = draw(st.lists(hands, min_size=2, max_size=5))
    # Few enough boards to count them one by one: hands and board keep their cards.
    alive = 24 if len(board) == 3 else 40
    return players, board, tuple(card for card in rest[alive - len(board) :] if card not in held)


@given(questions(), st.randoms(use_true_random=False))
def test_whole_numbers_are_exact(question: tuple[list[Player], tuple[int, ...], tuple[int, ...]], random) -> None:  # type: ignore[no-untyped-def]
    players, board, dead = question
    expected, deals = joint_outcomes(players, board, dead)
    order = random.sample(range(len(players)), len(players))
    bounds = (0, *sorted(random.sample(range(1, PAIR_COUNT), 2)), PAIR_COUNT)
    for outcomes, counted in (count(players, board, dead), count(players, board, dead, order, bounds)):
        assert np.array_equal(outcomes, expected)
        assert counted == deals


@pytest.mark.parametrize(
    ("texts", "board"),
    [
        (("AsKs", "QQ+", "QhJh,7h6h:0.5"), "Js7s2h"),
        (("9s8s", "AsAd,AhAc", "Ts2d,5s5d"), "Js7s3s"),
        (("2c2d", "AcAd:0.25,KsKd", "7c7d"), "AsKsQsJs"),
        (("2c3d", "4c5d", "6s7d"), "AsKsQsJsTs"),
        (("KsQs", "AsTd", "2c2d"), "9s8s7s6s"),
        (("KhKd", "8c8h", "As2s"), "KsKc8s"),
    ],
    ids=[
        "two suits",
        "one suit",
        "four of a suit",
        "a royal flush for all",
        "straight flushes",
        "quads and full houses",
    ],
)
def test_flushes_on_every_street(texts: tuple[str, ...], board: str) -> None:
    players = [
        {int(combo): float(weights[combo]) for combo in np.flatnonzero(weights)}
        for weights in (parse_range(text).weights for text in texts)
    ]
    expected, deals = joint_outcomes(players, parse_cards(board))
    outcomes, counted = count(players, parse_cards(board))
    assert np.array_equal(outcomes, expected)
    assert counted == deals


def test_every_relabelling_of_suits_gives_the_same() -> None:
    hands = (("AsKs", 1.0), ("AdKd", 2.0)), (("QhQs", 3.0), ("Jh9h", 1.0)), (("7c7d", 1.0), ("2s3s", 5.0))
    known, dead = parse_cards("Js7s2h"), parse_cards("4c5d")
    answers = []
    for permutation in permutations(range(4)):
        players = [
            {int(combo_of(*relabel_suits(parse_cards(text), permutation))): weight for text, weight in player}
            for player in hands
        ]
        answers.append(count(players, relabel_suits(known, permutation), relabel_suits(dead, permutation)))
    assert len(answers) == 24
    for outcomes, deals in answers:
        assert deals == answers[0][1] == 8
        assert np.array_equal(outcomes, answers[0][0])


@given(questions(), st.lists(st.floats(-30, 30), min_size=20, max_size=20))
def test_weights_of_many_magnitudes(
    question: tuple[list[Player], tuple[int, ...], tuple[int, ...]], powers: list[float]
) -> None:
    players, board, dead = question
    exponents = iter(powers)
    players = [{combo: weight * 10.0 ** next(exponents) for combo, weight in player.items()} for player in players]
    expected, deals = joint_outcomes(players, board, dead)
    outcomes, counted = count(players, board, dead)
    assert counted == deals
    assert np.abs(outcomes - expected).max() <= 1e-13 * expected.sum()


def test_blocked_and_worthless_combos_do_not_count() -> None:
    board, dead = parse_cards("Js7s2h3d"), parse_cards("4c")
    hand, other = (int(combo_of(*parse_cards(text))) for text in ("AsKs", "QhQd"))
    blocked = {int(combo_of(*parse_cards(text))): 1.0 for text in ("Js3s", "4c4d")}
    clean = count([{hand: 1.0}, {other: 2.0}], board, dead)
    mixed = count([{hand: 1.0, 0: 0.0} | blocked, {other: 2.0} | blocked], board, dead)
    assert clean[1] == mixed[1] == 1
    assert np.array_equal(clean[0], mixed[0])
    for nothing in ({}, {hand: 0.0}, blocked, {int(combo_of(*parse_cards("AsQc"))): 1.0}):
        outcomes, deals = count([{hand: 1.0}, nothing], board, dead)
        assert deals == 0
        assert not outcomes.any()


def test_ten_hands_at_once() -> None:
    cards = [card for card in range(CARD_COUNT) if card not in parse_cards("Js7s2h")]
    players = [{int(combo_of(cards[i], cards[i + 20])): 1.0} for i in range(10)]
    held = {card for player in players for combo in player for card in cards_of(combo)}
    expected, _ = joint_outcomes(players, parse_cards("Js7s2h"))
    outcomes, deals = count(players, parse_cards("Js7s2h"))
    assert deals == 1
    assert outcomes.sum() == (49 - len(held)) * (48 - len(held)) / 2
    assert np.array_equal(outcomes, expected)
