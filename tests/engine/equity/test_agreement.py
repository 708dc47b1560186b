"""Agreement with answers that owe nothing to the engine: `agreement/answers.json` says how they were made."""

import json
from fractions import Fraction
from math import sqrt, ulp
from pathlib import Path
from typing import Any

import pytest

from engine.cards import cards_of, parse_cards
from engine.equity.decisions import figures_of_call
from engine.equity.question import EquityQuestion
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method
from engine.equity.solve import solve
from engine.equity.win_rate import win_rate_random
from engine.ranges import parse_range
from tests.engine.equity.agreement.count import QUESTIONS as ASKED
from tests.engine.equity.agreement.count import count, count_against_random

ANSWERS = json.loads((Path(__file__).parent / "agreement" / "answers.json").read_text(encoding="utf-8"))
QUESTIONS: list[dict[str, Any]] = ANSWERS["questions"]
AGAINST_RANDOM: list[dict[str, Any]] = ANSWERS["against_random"]
DEALS = 40_000


def name(answer: dict[str, Any]) -> str:
    return f"{' '.join(answer['hands'])} on {answer['board'].replace(' ', '')} dead {answer['dead'][:8]}"


def asked(answer: dict[str, Any], **how: Any) -> EquityQuestion:
    players = tuple(parse_range(text) for text in answer["hands"])
    return EquityQuestion(players, parse_cards(answer["board"]), parse_cards(answer["dead"]), **how)


def shares(answer: dict[str, Any]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Win, tie and equity of each player, as exact fractions."""
    outcomes = {tuple(map(int, winners)): weight for winners, weight in answer["outcomes"].items()}
    total = sum(outcomes.values())
    return [
        (
            Fraction(outcomes.get((seat,), 0), total),
            Fraction(sum(weight for won, weight in outcomes.items() if seat in won and len(won) > 1), total),
            sum(
                (Fraction(weight, len(won) * total) for won, weight in outcomes.items() if seat in won), Fraction()
            ),
        )
        for seat in range(len(answer["hands"]))
    ]


def test_the_set_is_wide_enough() -> None:
    assert len(QUESTIONS) >= 60
    for players in range(2, 7):
        streets = {len(parse_cards(answer["board"])) for answer in QUESTIONS if len(answer["hands"]) == players}
        assert streets == {0, 3, 4, 5}
        assert any(answer["dead"] for answer in QUESTIONS if len(answer["hands"]) == players)
        assert any(":" in "".join(answer["hands"]) for answer in QUESTIONS if len(answer["hands"]) == players)


@pytest.mark.every(4)
@pytest.mark.parametrize("answer", QUESTIONS, ids=name)
def test_exact_answers_agree_to_the_last_digit(answer: dict[str, Any]) -> None:
    *_, ours = solve(asked(answer, is_exact=True))
    assert ours.method is Method.EXACT
    assert ours.count == answer["showdowns"]
    total = sum(answer["outcomes"].values())
    for player, exact in zip(ours.value, shares(answer), strict=True):
        assert player.stderr == 0
        if total < 2**53:  # then every sum of weights is a whole number that a float holds exactly
            assert (player.win, player.tie) == (float(exact[0]), float(exact[1]))
            assert abs(Fraction(player.equity) - exact[2]) <= Fraction(ulp(float(exact[2])))
        # Weights such as 0.3 have products and sums that no float holds: some thousand roundings, each of 1e-16.
        assert [player.win, player.tie, player.equity] == pytest.approx(list(map(float, exact)), rel=1e-14, abs=0)


@pytest.mark.parametrize("answer", QUESTIONS, ids=name)
def test_sampled_answers_agree_within_four_standard_errors(answer: dict[str, Any]) -> None:
    *_, ours = solve(asked(answer, samples=DEALS), seed=62)
    assert ours.method is Method.SAMPLED
    for player, (_, _, equity) in zip(ours.value, shares(answer), strict=True):
        assert abs(player.equity - float(equity)) <= 4 * player.stderr + 1e-12
        # The error is honest, too: no larger than that of independent deals, by a wide margin.
        assert player.stderr <= 1 / sqrt(DEALS)


# ---- the odds app's worked example: A-K on 2 3 4 K Q against eight, and against fewer


def exact_win_and_equity(answer: dict[str, Any]) -> tuple[Fraction, Fraction]:
    by_ties = answer["deals_by_ties"]
    shared = sum(Fraction(number, ties + 1) for ties, number in enumerate(by_ties))
    return Fraction(by_ties[0], answer["deals"]), Fraction(shared, answer["deals"])


@pytest.mark.parametrize("answer", AGAINST_RANDOM, ids=lambda answer: f"{answer['opponents']} opponents")
def test_the_worked_example(answer: dict[str, Any]) -> None:
    texts = [answer["hand"], *["random"] * answer["opponents"]]
    question = EquityQuestion(
        tuple(parse_range(text) for text in texts), parse_cards(answer["board"]), samples=400_000
    )
    *_, ours = solve(question, seed=8)
    player: PlayerEquity = ours.value[0]
    win, equity = map(float, exact_win_and_equity(answer))
    assert abs(player.equity - equity) <= 4 * player.stderr
    assert abs(player.win - win) <= 4 * sqrt(win * (1 - win) / ours.count)
    if answer["opponents"] <= 2:
        *_, counted = solve(EquityQuestion(question.players, question.board, is_exact=True))
        assert counted.method is Method.EXACT
        assert abs(Fraction(counted.value[0].win) - exact_win_and_equity(answer)[0]) <= ulp(1.0)
        assert abs(Fraction(counted.value[0].equity) - exact_win_and_equity(answer)[1]) <= ulp(1.0)


def test_the_worked_example_as_a_win_rate_and_as_a_call() -> None:
    answer = next(answer for answer in AGAINST_RANDOM if answer["opponents"] == 8)
    win, equity = exact_win_and_equity(answer)
    assert 0.30 < win < equity < 0.33
    hole_cards = cards_of(int(parse_range(answer["hand"]).weights.argmax()))
    estimate = win_rate_random(hole_cards, 8, parse_cards(answer["board"]), deals=200_000, seed=1)
    assert abs(estimate.value - float(equity)) <= 4 * estimate.stderr
    ev = figures_of_call(80, 10, float(equity)).ev
    assert ev is not None
    assert ev == pytest.approx(float(equity * 90 - 10), rel=1e-12)


def test_the_count_by_matchings_is_the_count_by_deals() -> None:
    # Two of the four are small enough to have been counted deal by deal as well, by the other program.
    three = next(answer for answer in QUESTIONS if answer["hands"] == ["AdKh", "random", "random"])
    by_matchings = next(answer for answer in AGAINST_RANDOM if answer["opponents"] == 2)
    outcomes = three["outcomes"]
    # Deals of two opponents come in both orders there.
    assert outcomes["0"] == 2 * by_matchings["deals_by_ties"][0]
    assert outcomes["01"] + outcomes["02"] == 2 * by_matchings["deals_by_ties"][1]
    assert outcomes["012"] == 2 * by_matchings["deals_by_ties"][2]
    assert three["showdowns"] == 2 * by_matchings["deals"]


# ---- the answers are those of the script that is said to have made them


def test_the_questions_are_those_of_the_script() -> None:
    assert [(tuple(answer["hands"]), answer["board"], answer["dead"]) for answer in QUESTIONS] == list(ASKED)


@pytest.mark.every(4)
@pytest.mark.parametrize(
    "answer",
    [answer for answer in QUESTIONS if len(parse_cards(answer["board"])) >= 4 and answer["showdowns"] < 20_000],
    ids=name,
)
def test_short_counts_again(answer: dict[str, Any]) -> None:
    assert count(answer["hands"], answer["board"], answer["dead"]) == answer


@pytest.mark.parametrize("answer", AGAINST_RANDOM, ids=lambda answer: f"{answer['opponents']} opponents")
def test_counts_of_matchings_again(answer: dict[str, Any]) -> None:
    assert count_against_random(answer["hand"], answer["board"], answer["opponents"]) == answer


@pytest.mark.long
@pytest.mark.parametrize("answer", QUESTIONS, ids=name)
def test_all_counts_again(answer: dict[str, Any]) -> None:
    assert count(answer["hands"], answer["board"], answer["dead"]) == answer
