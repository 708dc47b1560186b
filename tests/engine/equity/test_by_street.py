"""Equity by street: each street as `solve` answers it, and against counting one by one."""

from concurrent.futures import ThreadPoolExecutor
from math import comb

import pytest
from msgspec.structs import replace

from engine.cards import BOARD_SIZE, Street, parse_cards
from engine.checks import EquityError
from engine.equity.by_street import StreetEquities, equity_by_street
from engine.equity.solve import EquityQuestion, EquitySnapshot, Method, solve
from engine.ranges import parse_range
from tests.reference.equity import counted
from tests.reference.questions import ask, final, weights_by_combo


def last_of(question: EquityQuestion, seed: int = 0) -> StreetEquities:
    *_, last = equity_by_street(question, seed=seed)
    return last


def what(answer: EquitySnapshot) -> tuple[object, ...]:
    return answer.players, answer.method, answer.count


@pytest.mark.parametrize("board", ["", "Kd7s2c", "Kd7s2cQh", "Kd7s2cQh3h"])
def test_the_streets_that_the_board_has_reached(board: str) -> None:
    last = last_of(ask("AhKh", "QsQd", board=board))
    assert last.streets == tuple(Street)[: max(1, len(parse_cards(board)) - 1)]
    assert len(last.answers) == len(last.streets)
    assert last.is_final
    assert all(answer.is_final and answer.method is Method.EXACT for answer in last.answers)
    # All boards that can come, for the 48, 45, 44 and 43 cards that are left.
    assert [answer.count for answer in last.answers] == [comb(48, 5), comb(45, 2), 44, 1][: len(last.streets)]


def test_a_later_card_is_in_the_deck_before_it_comes() -> None:
    # The turn takes away what the second player mostly had, and on the flop he still has it.
    question = ask("AhKh,AsKs:0.5", "QhQc,JdJc:0.25", board="Kd7s2cQh3d", dead="5c6c")
    last = last_of(question)
    for street, answer in list(zip(last.streets, last.answers, strict=True))[1:]:
        board = question.board[: BOARD_SIZE[street]]
        expected = counted([weights_by_combo(hands) for hands in question.players], board, question.dead)
        assert answer.count == expected.showdowns
        assert [player.equity for player in answer.players] == pytest.approx(expected.equity.tolist(), rel=1e-12)
    # Two pairs of combos beside each other on the turn, four on the flop, of 45 and 44 - 1 cards to come.
    assert [answer.count for answer in last.answers[1:]] == [4 * comb(52 - 3 - 2 - 4, 2), 2 * 42, 2]


def test_each_street_is_what_solve_says_bit_for_bit() -> None:
    question = ask("22+,A2s+", "random", "AK:0.5,QQ", board="Kd7s2cQh", dead="2d", samples=30_000)
    last = last_of(question, seed=5)
    for street, answer in zip(last.streets, last.answers, strict=True):
        asked = replace(question, board=question.board[: BOARD_SIZE[street]])
        assert what(answer) == what(final(asked, seed=5))
        assert (answer.method, answer.count) == (Method.SAMPLED, 30_000)


def test_snapshots_come_street_by_street_and_only_the_last_is_final() -> None:
    snapshots = list(equity_by_street(ask("22+", "random", "AK", board="Kd7s2c", samples=600_000)))
    assert [snapshot.is_final for snapshot in snapshots] == [False] * (len(snapshots) - 1) + [True]
    assert {snapshot.streets for snapshot in snapshots} == {(Street.PREFLOP, Street.FLOP)}
    counts = [tuple(answer.count for answer in snapshot.answers) for snapshot in snapshots]
    assert counts == sorted(counts)
    assert len({len(count) for count in counts}) == 2
    for snapshot in snapshots:
        assert all(answer.is_final for answer in snapshot.answers[:-1])


def test_an_executor_changes_nothing() -> None:
    question = ask("22+", "random", "AK", board="Kd7s2c", samples=300_000)
    with ThreadPoolExecutor(2) as executor:
        *_, shared = equity_by_street(question, seed=3, executor=executor)
    assert list(map(what, shared.answers)) == list(map(what, last_of(question, seed=3).answers))


def test_an_early_street_that_cannot_be_counted_is_sampled() -> None:
    wide = ("random", "random", "random")
    question = EquityQuestion(ask(*wide).players, parse_cards("Kd7s2cQh3d"), is_exact=True)
    with pytest.raises(EquityError, match="longer than two minutes"):
        solve(replace(question, board=()))
    first = next(equity_by_street(question))
    assert first.answers[0].method is Method.SAMPLED
    assert not first.is_final


def test_what_was_asked_for_itself_is_not_sampled_instead() -> None:
    question = EquityQuestion((parse_range("random"),) * 5, parse_cards("Kd7s2c"), is_exact=True)
    with pytest.raises(EquityError, match="longer than two minutes"):
        equity_by_street(question)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (ask("AhKh", "QQ", board="Kh2c3c"), "The card Kh of player 1 (AhKh) is on the board."),
        (ask("AhKh", "QQ", board="2c3c"), "A board has 0, 3, 4 or 5 cards, not 2."),
        (ask("AhKh", "AhQc"), "cannot be held by both"),
        (EquityQuestion(ask("AA", "KK").players, "abc"), "Cards on the board come in a sequence"),
    ],
)
def test_refuses_at_once_in_one_sentence(question: EquityQuestion, message: str) -> None:
    with pytest.raises(EquityError) as caught:
        equity_by_street(question)
    assert message in str(caught.value)


def test_refuses_what_is_no_seed_or_executor() -> None:
    with pytest.raises(EquityError, match="seed -1"):
        equity_by_street(ask("AA", "KK"), seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        equity_by_street(ask("AA", "KK"), executor=2)  # type: ignore[arg-type]
