"""Which method samples a question, and that each one's standard error is honest."""

from math import sqrt

import numpy as np
import pytest

from engine.cards import parse_cards
from engine.kernels.sampling import IN_TURN, REJECTING, TOGETHER
from engine.ranges import parse_range
from engine.sampling import MOST_LISTED_DEALS, Sampler, sample_chunk
from tests.reference.questions import R2, R25


def sampler(*hands: str, board: str = "", seed: int = 0) -> Sampler:
    live = np.array([parse_range(text).weights for text in hands], dtype=np.float64)
    return Sampler(live, parse_cards(board), (), seed)


def dealt(question: Sampler, samples: int) -> Sampler:
    question.begin(samples)
    for task in question.tasks(samples):
        question.add(task())
    return question


@pytest.mark.parametrize(
    ("hands", "method"),
    [
        (("AhKh", *[R25] * 5), REJECTING),
        (("AA", "random", "random"), REJECTING),
        # One try in a hundred succeeds, and the weights of drawing in turn differ by less than that costs.
        ((R25,) * 9, IN_TURN),
        # 26 thousand deals, and one try in 250.
        (("AA,KK,AK",) * 4, TOGETHER),
        ((R2,) * 7, IN_TURN),
    ],
)
def test_the_method_fits_the_question(hands: tuple[str, ...], method: int) -> None:
    question = sampler(*hands)
    question.begin(1_000_000)
    assert {task.args[0].method for task in question.tasks(1_000_000)} == {method}  # type: ignore[attr-defined]


def test_the_first_chunk_can_be_all() -> None:
    question = dealt(sampler("AA", "KK,QQ"), 10)
    assert question.deals == 10
    assert list(question.tasks(10)) == []


@pytest.mark.parametrize("samples", [2, 63, 1_000, 65_537, 300_001])
@pytest.mark.parametrize("hands", [("AhKh", R25, R25), (R25,) * 8, ("AA,KK,AK",) * 4])
def test_exactly_so_many_deals_are_sampled(hands: tuple[str, ...], samples: int) -> None:
    assert dealt(sampler(*hands), samples).deals == samples


def test_chunks_can_be_repeated() -> None:
    question = sampler("AhKh", R25, R25)
    question.begin(1_000_000)
    task, other = list(question.tasks(1_000_000))[:2]
    first, again, second = task(), task(), other()
    assert np.array_equal(first.outcomes, again.outcomes)
    assert not np.array_equal(first.outcomes, second.outcomes)


def test_weights_of_many_magnitudes_that_clash() -> None:
    # The hands both want most share the ace of hearts; what is left has a millionth of the weight, and drawing
    # in turn would hardly ever find half of it. A: AhAd against QQ; B: KK against AhAs; C: KK against QQ, rarely.
    hands = ("AhAd,KhKd:0.000001", "AhAs,QhQd:0.000001")
    question = dealt(sampler(*hands, board="2c3c4d5d9h"), 100_000)
    # All three ace hands make a wheel straight, and kings beat queens: player 1 wins A and C, player 2 wins B.
    first, second = question.players()
    assert first.win == pytest.approx(0.5, abs=5 * first.stderr)
    assert 0 < first.stderr == pytest.approx(sqrt(0.25 / 100_000), rel=0.01)
    assert first.win + second.win == pytest.approx(1)


@pytest.mark.parametrize("hands", [(R2,) * 7, ("AhKh", *[R25] * 5), ("AA,KK,AK",) * 4])
def test_standard_errors_match_the_spread_of_chunks(hands: tuple[str, ...]) -> None:
    # The spread of 300 independent answers is known to 4% itself; 4 of its standard errors are allowed.
    runs, deals = 300, 1_000
    question = sampler(*hands)
    question.begin(1_000_000)
    task = next(question.tasks(1_000_000))
    plan = task.args[0]  # type: ignore[attr-defined]
    answers = []
    for run in range(runs):
        one = sampler(*hands)
        one.add(sample_chunk(plan, 100 + run, deals))
        answers.append(one.players())
    for player in range(len(hands)):
        spread = np.std([answer[player].equity for answer in answers], ddof=1)
        reported = np.mean([answer[player].stderr for answer in answers])
        assert spread / reported == pytest.approx(1, abs=4 / sqrt(2 * (runs - 1)))


def test_lists_of_deals_are_short_enough_to_send() -> None:
    question = sampler(*("AA,KK,AK",) * 4)
    question.begin(1_000_000)
    plan = next(question.tasks(1_000_000)).args[0]  # type: ignore[attr-defined]
    assert 0 < len(plan.together) == len(plan.lists.weights) <= MOST_LISTED_DEALS
