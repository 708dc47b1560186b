"""Ranges that clash: there is an answer exactly if cards can be dealt, else one sentence says why there is none."""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import CARD_COUNT, COMBO_COUNT, COMBO_MASK, Card, combo_of, format_cards
from engine.cli import main
from engine.codec import frozen_vector
from engine.equity.board_hits import board_hits
from engine.equity.category_odds import category_odds
from engine.equity.checks import EquityError
from engine.equity.combos import combo_equities
from engine.equity.matchups import range_odds
from engine.equity.next_cards import next_cards
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import class_equities, equity_curve, range_equities
from engine.equity.snapshot import Method
from engine.equity.solve import equity_by_street, solve
from engine.equity.win_rate import win_rate
from engine.ranges import Range, format_range
from tests.reference.questions import ask

STEP_BY_STEP: dict[str, Callable[[EquityQuestion], Iterator[Any]]] = {
    "solve": solve,
    "range_equities": range_equities,
    "category_odds": category_odds,
    "next_cards": next_cards,
    "equity_by_street": equity_by_street,
}


@st.composite
def clashing(draw: st.DrawFn) -> EquityQuestion:
    """A few combos of few cards for each player, on boards and beside dead cards that may take those, too."""
    pool = draw(st.lists(st.integers(0, CARD_COUNT - 1), min_size=5, max_size=12, unique=True))
    combos = [combo_of(max(pair), min(pair)) for pair in combinations(pool, 2)]
    players = []
    for _ in range(draw(st.integers(2, 5))):
        weights = np.zeros(COMBO_COUNT)
        for combo in draw(st.lists(st.sampled_from(combos), min_size=1, max_size=6, unique=True)):
            weights[combo] = draw(st.sampled_from([1.0, 1.0, 0.3, 1e-6, 1e-30]))
        players.append(Range(frozen_vector(weights)))
    if draw(st.integers(0, 3)) == 0:
        players.append(Range(frozen_vector(np.ones(COMBO_COUNT))))
    others = st.sampled_from(pool) | st.integers(0, CARD_COUNT - 1)
    known = [Card(card) for card in draw(st.lists(others, max_size=9, unique=True))]
    size = max(street for street in (0, 3, 4, 5) if street <= len(known))
    samples = draw(st.sampled_from([2, 50] if size == 0 else [None, 2, 50]))
    return EquityQuestion(tuple(players), tuple(known[:size]), tuple(known[size:]), samples)


def can_be_dealt(question: EquityQuestion) -> bool:
    """Try all deals."""

    def deal(rest: tuple[Range, ...], used: int) -> bool:
        return not rest or any(
            deal(rest[1:], used | int(COMBO_MASK[combo]))
            for combo in np.flatnonzero(rest[0].weights)
            if not int(COMBO_MASK[combo]) & used
        )

    narrow_first = sorted(question.players, key=lambda hands: np.count_nonzero(hands.weights))
    return deal(tuple(narrow_first), sum(1 << card for card in (*question.board, *question.dead)))


def assert_one_sentence(error: EquityError) -> None:
    text = str(error)
    assert text.endswith(".")
    assert "\n" not in text
    assert text[0].isupper()


ISSUE = ask("99-77,87s", "AA,AhKh", "AA,AhKh", board="TcTdThAcAs")


@pytest.mark.parametrize("name", STEP_BY_STEP)
@given(question=clashing())
@example(ISSUE)
@example(replace(ISSUE, samples=50))
@example(ask("AA,KK,AK", "AA,KK,AK", "AA,KK,AK", "AA,KK,AK", "AA,KK,AK", board="2c3c4c"))
def test_there_is_an_answer_if_cards_can_be_dealt(name: str, question: EquityQuestion) -> None:
    is_possible = can_be_dealt(question) and (name != "next_cards" or len(question.board) in (3, 4))
    try:
        answer = next(iter(STEP_BY_STEP[name](question)))
    except EquityError as error:
        assert_one_sentence(error)
        assert not is_possible
        return
    assert is_possible
    if name == "solve":
        assert sum(player.equity for player in answer.value) == pytest.approx(1)
        assert all((player.stderr == 0) == (answer.method is Method.EXACT) for player in answer.value)
    if name == "range_equities":
        for shares in answer.value:
            held = shares.weights > 0
            assert shares.weights.sum() == pytest.approx(1, abs=1e-5)
            assert ((shares.stderrs[held] == 0) == (answer.method is Method.EXACT)).all()
            assert np.isfinite(equity_curve(shares)).all()
            assert np.nansum(class_equities(shares)[1]) == pytest.approx(1, abs=1e-5)


@given(question=clashing())
@example(ISSUE)
def test_other_entry_points_answer_or_say_why(question: EquityQuestion) -> None:
    ranges, board, dead = [hands.weights for hands in question.players], question.board, question.dead
    calls: list[Callable[[], object]] = [
        lambda: range_odds(ranges[0], ranges[1]),
        lambda: combo_equities(board, ranges[0], dead),
        lambda: board_hits(question.players[0], board, dead),
    ]
    for call in calls:
        try:
            call()
        except EquityError as error:
            assert_one_sentence(error)
    # Predictions may contradict one another, so that there is an answer always.
    hand = [Card(card) for card in range(CARD_COUNT) if card not in board][:2]
    answer = win_rate((hand[1], hand[0]), ranges, board, deals=20, seed=1)
    assert 0 <= answer.value <= 1
    assert isfinite(answer.stderr)
    assert (answer.stderr == 0) == (answer.method is Method.EXACT)


@given(question=clashing())
@example(ISSUE)
def test_the_command_answers_or_says_why(question: EquityQuestion) -> None:
    arguments = [format_range(hands) for hands in question.players]
    for option, cards in (("--board", question.board), ("--dead", question.dead)):
        arguments += [option, format_cards(cards)] if cards else []
    assert main(["odds", *arguments, "--samples", "50"]) == (0 if can_be_dealt(question) else 2)


def test_the_command_says_it_in_one_line(refused: Callable[..., str]) -> None:
    hands = [format_range(hands) for hands in ISSUE.players]
    assert "The card Ah cannot be held by both player 2" in refused(
        "odds", *hands, "--board", format_cards(ISSUE.board)
    )
