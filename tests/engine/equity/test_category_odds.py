"""What players end up with, against all showdowns one by one, single hands' run-outs and `solve`."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, cards_of, relabel_suits
from engine.checks import EquityError
from engine.codec import frozen_vector
from engine.equity.category_odds import FinalHands, final_hands
from engine.equity.sampled_deals import DrawnDeals
from engine.equity.solve import EquityQuestion, Method
from engine.kernels.evaluator import strengths_of, tables
from engine.ranges import Range
from engine.strength import Category, categories
from tests.reference.questions import R2, R25, ask, final, relabelled, weights_by_combo
from tests.reference.showdowns import shares_by_category


def answered(question: EquityQuestion, seed: int = 0) -> FinalHands:
    *_, last = final_hands(question, seed=seed)
    return last


def ends_of(known: Sequence[int], dead: Sequence[int]) -> NDArray[np.int64]:
    """Count the categories of known cards over all run-outs, each judged by itself."""
    live = [card for card in range(CARD_COUNT) if card not in {*known, *dead}]
    runouts = np.fromiter(combinations(live, 7 - len(known)), dtype=(np.uint8, 7 - len(known)))
    hands = np.empty((len(runouts), 7), dtype=np.uint8)
    hands[:, : len(known)], hands[:, len(known) :] = known, runouts
    found = np.empty(len(hands), dtype=np.int16)
    strengths_of(tables(), hands, found)
    return np.bincount(categories()[found], minlength=len(Category))


def assert_consistent(answer: FinalHands) -> None:
    for chances, wins in zip(answer.chances, answer.wins, strict=True):
        assert chances.shape == wins.shape == (9,)
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert (wins >= 0).all()
        assert (wins <= chances + 1e-6).all()
    assert sum(float(wins.sum()) for wins in answer.wins) == pytest.approx(1, abs=1e-5)


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AA,AK:0.3", "KK,QJs:0.5"), "Ks7d2h3c", ""),
        (("AA,AK:0.3", "KK,QJs:0.5,7s6s:0.001"), "Ks7d2h3c9s", "AcKd"),
        (("AhKh", "QQ,7h7c"), "Qs7h2h", "AcKc"),
        (("AA,KK", "AK:0.5,QQ", "KQs,77"), "Ks7d2h3c9s", ""),
        (("AhKh,AA", "QQ,AK:0.25", "JTs,77"), "Qs7h2h3h", "Ac"),
        (("AhKh", "QcQd", "JhTh", "7c7d"), "Qs7h2h", ""),
        (("AhKh", "JhTh"), "QhJs2h", ""),
    ],
)
def test_small_ranges_on_a_board(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer = answered(question)
    assert (answer.method, answer.is_final, answer.progress) == (Method.EXACT, True, 1)
    assert_consistent(answer)
    held = [weights_by_combo(hand) for hand in question.players]
    chances, wins = shares_by_category(held, question.board, question.dead)
    assert np.array(answer.chances) == pytest.approx(chances, abs=1e-6)
    assert np.array(answer.wins) == pytest.approx(wins, abs=1e-6)
    assert answer.count == final(question).count


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AhKh", "QsQd"), "", ""),
        (("AhKh", "QsQd", "7c6c"), "", "2c3d"),
        (("AhKh", "QsQd", "7c6c", "Ac2d"), "9h8h5c", ""),
    ],
)
def test_known_hands_are_those_of_all_run_outs(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer = answered(question)
    assert answer.method is Method.EXACT
    assert_consistent(answer)
    holes = [cards_of(next(iter(weights_by_combo(hand)))) for hand in question.players]
    whole = final(question)
    for player, cards in enumerate(holes):
        others = [card for other in holes for card in other if other != cards]
        counts = ends_of((*cards, *question.board), (*others, *question.dead))
        assert answer.count == counts.sum()
        assert answer.chances[player] == pytest.approx(counts / counts.sum(), abs=1e-7)
        assert answer.wins[player].sum() == pytest.approx(whole.players[player].equity, abs=1e-6)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AA", "QQ"), "", ""),
        ((R25, R2), "Ks7d2h", ""),
        (("random", "random"), "Js8s4s", "AcAd"),
        (("random", R25), "Js8s4s2d", ""),
        (("random", R25), "Js8s4s2d2c", "Ah"),
        ((R2, "QJs,77", "AK,99"), "Ks7d2h3c", ""),
    ],
)
def test_what_is_won_adds_up_to_the_equity(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer, whole = answered(question), final(question)
    assert answer.method == whole.method == Method.EXACT
    assert_consistent(answer)
    for wins, player in zip(answer.wins, whole.players, strict=True):
        assert wins.sum() == pytest.approx(player.equity, abs=2e-6)


def test_both_ways_of_counting_agree() -> None:
    # Two small ranges deal by deal; with one combo of next to no weight for each of all others, board by board.
    question = ask("AA,AK", "KK,QJs", board="Ks7d2h")
    weights = np.maximum(question.players[1].weights, np.float32(1e-30))
    wide = replace(question, players=(question.players[0], Range(frozen_vector(weights))))
    few, many = answered(question), answered(wide)
    assert many.count > few.count
    assert np.array(many.chances) == pytest.approx(np.array(few.chances), abs=1e-6)
    assert np.array(many.wins) == pytest.approx(np.array(few.wins), abs=1e-6)


@pytest.mark.parametrize("permutation", list(permutations(range(4))))
def test_suits_are_but_names(permutation: tuple[int, ...]) -> None:
    question = ask("AhKh,AsKs:0.5,QQ", "JJ,AcKc", "TT:0.1,9h9d", board="Js7h2h3c", dead="4d")
    other = replace(
        question,
        players=tuple(relabelled(hands, permutation) for hands in question.players),
        board=relabel_suits(question.board, permutation),
        dead=relabel_suits(question.dead, permutation),
    )
    before, after = answered(question), answered(other)
    assert np.array(after.chances) == pytest.approx(np.array(before.chances), abs=1e-6)
    assert np.array(after.wins) == pytest.approx(np.array(before.wins), abs=1e-6)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("AhKh", "QsQd"), ""),
        ((R25, R2), "Ks7d2h"),
        (("AA,KK,AK", "AK,QQ", "QQ,JJ,AQ"), "Ks7d2h3c"),
        (("AA,KK", "AK,KK", "AA,AK"), "Qs7d2h3c"),
    ],
)
def test_sampled_within_its_errors(hands: tuple[str, ...], board: str) -> None:
    exact = answered(ask(*hands, board=board))
    sample = answered(ask(*hands, board=board, samples=300_000), seed=5)
    assert exact.method is Method.EXACT
    assert (sample.method, sample.count) == (Method.SAMPLED, 300_000)
    assert_consistent(sample)
    chances, found = np.array(exact.chances), np.array(sample.chances)
    errors, usual = np.array(sample.stderrs), np.sqrt(chances * (1 - chances) / 300_000)
    assert not np.array([*exact.stderrs, *exact.share_stderrs]).any()
    assert (errors > 0).all()
    # Deals of different weights tell a little less.
    assert 0.98 < errors.max() / usual.max() < 1.1
    assert (np.abs(found - chances) <= 4.5 * errors).all()
    held, error = found > 0, np.array(sample.share_stderrs)
    assert ((error > 0) == held).all()
    share, truth = (np.array(each.wins)[held] / np.array(each.chances)[held] for each in (sample, exact))
    assert (np.abs(share - truth) <= 4.5 * error[held]).all()


@pytest.mark.parametrize("samples", [2, 10])
def test_few_deals_have_errors_too(samples: int) -> None:
    answer = answered(ask("AhKh", "QsQd", "random", samples=samples))
    assert (np.array(answer.stderrs) > 0.1).all()
    assert (np.array(answer.share_stderrs)[np.array(answer.chances) > 0] > 0.1).all()


@pytest.mark.slow
@pytest.mark.parametrize("hands", [(R2,) * 7, (R25,) * 4, ("AA,KK,AK",) * 4])
def test_the_standard_error_matches_the_spread(hands: tuple[str, ...]) -> None:
    # Of the chance with the largest error, over 50 seeds; that is known to 10 % itself.
    answers = [answered(ask(*hands, samples=4_000), seed) for seed in range(50)]
    spread = np.std([each.chances for each in answers], axis=0, ddof=1).max()
    told = np.mean([np.max(each.stderrs) for each in answers])
    # The largest of some spreads that are about as large is above them.
    assert told * (1 - 4 * 0.1) < spread < told * (1 + 4 * 0.1)


def test_a_sampled_answer_comes_before_a_long_count() -> None:
    *early, last = final_hands(ask("random", R25, board="Ks7d2h"))
    assert {(each.method, each.is_final) for each in early} == {(Method.SAMPLED, False)}
    assert [each.progress for each in early] == sorted({each.progress for each in early})
    assert np.array(early[0].chances) == pytest.approx(
        np.array(last.chances), abs=6 * float(np.max(early[0].stderrs))
    )


def test_the_executor_changes_nothing() -> None:
    for question in (ask(*[R25] * 3, samples=70_000), ask("random", R25, board="Ks7d2h"), ask("AhKh", "QQ")):
        alone = answered(question, seed=2)
        with ThreadPoolExecutor(2) as executor:
            *_, shared = final_hands(question, seed=2, executor=executor)
        assert np.array_equal(np.array(alone.chances), np.array(shared.chances))
        assert np.array_equal(np.array(alone.wins), np.array(shared.wins))


def test_what_takes_too_long_is_sampled_or_refused() -> None:
    question = ask(*[R25] * 5)
    assert next(final_hands(question)).method is Method.SAMPLED
    with pytest.raises(EquityError, match="longer than two minutes"):
        final_hands(replace(question, is_exact=True))


def test_bad_questions_are_refused_at_once() -> None:
    with pytest.raises(EquityError, match="empty"):
        final_hands(ask("", "AA"))
    with pytest.raises(EquityError, match="seed"):
        final_hands(ask("AA", "KK"), seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        final_hands(ask("AA", "KK"), executor="two")  # type: ignore[arg-type]


def test_an_exact_answer_comes_without_a_preview_that_finds_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask(R2, R25, board="Ks7d2h")
    assert next(iter(final_hands(question))).method is Method.SAMPLED
    monkeypatch.setattr(DrawnDeals, "begun", lambda *_: None)
    assert {answer.method for answer in final_hands(question)} == {Method.EXACT}
