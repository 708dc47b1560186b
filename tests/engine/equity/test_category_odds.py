"""What players end up with, against all showdowns one by one, single hands' run-outs and `solve`."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_COUNT, COMBO_MASK, card_mask, cards_of, parse_cards, relabel_suits
from engine.codec import frozen_vector
from engine.equity.category_odds import (
    CategoryOdds,
    _EveryDeal,
    _sampled_deals,
    _SampledDeals,
    _Tally,
    category_odds,
)
from engine.equity.checks import EquityError
from engine.equity.joint import joint_deals
from engine.equity.parallel import results_in_order
from engine.equity.question import EquityQuestion
from engine.equity.sampling import SamplingPlan, draw_chunk
from engine.equity.snapshot import Method, Snapshot
from engine.kernels.equity.sampling import IN_TURN, REJECTING, TOGETHER, JudgedDeals, judge_deals
from engine.kernels.evaluator import strengths_of, tables
from engine.ranges import Range
from engine.strength import Category, categories, strength
from tests.reference.questions import R2, R25, ask, final, live_of, relabelled, weights_by_combo
from tests.reference.showdowns import shares_by_category


def answered(question: EquityQuestion, seed: int = 0) -> Snapshot[tuple[CategoryOdds, ...]]:
    *_, last = category_odds(question, seed=seed)
    return last


def every(answer: Snapshot[tuple[CategoryOdds, ...]], what: str) -> tuple[NDArray[np.float32], ...]:
    """Give what is asked for of each player."""
    return tuple(getattr(odds, what) for odds in answer.value)


def ends_of(known: Sequence[int], dead: Sequence[int]) -> NDArray[np.int64]:
    """Count the categories of known cards over all run-outs, each judged by itself."""
    live = [card for card in range(CARD_COUNT) if card not in {*known, *dead}]
    runouts = np.fromiter(combinations(live, 7 - len(known)), dtype=(np.uint8, 7 - len(known)))
    hands = np.empty((len(runouts), 7), dtype=np.uint8)
    hands[:, : len(known)], hands[:, len(known) :] = known, runouts
    found = np.empty(len(hands), dtype=np.int16)
    strengths_of(tables(), hands, found)
    return np.bincount(categories()[found], minlength=len(Category))


def assert_consistent(answer: Snapshot[tuple[CategoryOdds, ...]]) -> None:
    for chances, wins in zip(every(answer, "chances"), every(answer, "wins"), strict=True):
        assert chances.shape == wins.shape == (9,)
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert (wins >= 0).all()
        assert (wins <= chances + 1e-6).all()
    assert sum(float(wins.sum()) for wins in every(answer, "wins")) == pytest.approx(1, abs=1e-5)


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
    assert np.array(every(answer, "chances")) == pytest.approx(chances, abs=1e-6)
    assert np.array(every(answer, "wins")) == pytest.approx(wins, abs=1e-6)
    assert answer.count == final(question).count


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AhKh", "QsQd", "7c6c", "Ac2d"), "9h8h5c", ""),
        (("AhKh", "QsQd"), "", ""),
        (("AhKh", "QsQd", "7c6c"), "", "2c3d"),
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
        assert every(answer, "chances")[player] == pytest.approx(counts / counts.sum(), abs=1e-7)
        assert every(answer, "wins")[player].sum() == pytest.approx(whole.value[player].equity, abs=1e-6)


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
    for wins, player in zip(every(answer, "wins"), whole.value, strict=True):
        assert wins.sum() == pytest.approx(player.equity, abs=2e-6)


def test_both_ways_of_counting_agree() -> None:
    # Two small ranges deal by deal; with one combo of next to no weight for each of all others, board by board.
    question = ask("AA,AK", "KK,QJs", board="Ks7d2h")
    weights = np.maximum(question.players[1].weights, np.float32(1e-30))
    wide = replace(question, players=(question.players[0], Range(frozen_vector(weights))))
    few, many = answered(question), answered(wide)
    assert many.count > few.count
    assert np.array(every(many, "chances")) == pytest.approx(np.array(every(few, "chances")), abs=1e-6)
    assert np.array(every(many, "wins")) == pytest.approx(np.array(every(few, "wins")), abs=1e-6)


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
    assert np.array(every(after, "chances")) == pytest.approx(np.array(every(before, "chances")), abs=1e-6)
    assert np.array(every(after, "wins")) == pytest.approx(np.array(every(before, "wins")), abs=1e-6)


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
    chances, found = np.array(every(exact, "chances")), np.array(every(sample, "chances"))
    errors, usual = np.array(every(sample, "chance_stderrs")), np.sqrt(chances * (1 - chances) / 300_000)
    assert not np.array([*every(exact, "chance_stderrs"), *every(exact, "share_stderrs")]).any()
    assert (errors > 0).all()
    # Deals of different weights tell a little less.
    assert 0.98 < errors.max() / usual.max() < 1.1
    assert (np.abs(found - chances) <= 4.5 * errors).all()
    held, error = found > 0, np.array(every(sample, "share_stderrs"))
    assert ((error > 0) == held).all()
    share, truth = (
        np.array(every(each, "wins"))[held] / np.array(every(each, "chances"))[held] for each in (sample, exact)
    )
    assert (np.abs(share - truth) <= 4.5 * error[held]).all()


@pytest.mark.parametrize("samples", [2, 10])
def test_few_deals_have_errors_too(samples: int) -> None:
    answer = answered(ask("AhKh", "QsQd", "random", samples=samples))
    assert (np.array(every(answer, "chance_stderrs")) > 0.1).all()
    assert (np.array(every(answer, "share_stderrs"))[np.array(every(answer, "chances")) > 0] > 0.1).all()


@pytest.mark.slow
@pytest.mark.parametrize("hands", [(R2,) * 7, (R25,) * 4, ("AA,KK,AK",) * 4])
def test_the_standard_error_matches_the_spread(hands: tuple[str, ...]) -> None:
    # Of the chance with the largest error, over 50 seeds; that is known to 10 % itself.
    answers = [answered(ask(*hands, samples=4_000), seed) for seed in range(50)]
    spread = np.std([every(each, "chances") for each in answers], axis=0, ddof=1).max()
    told = np.mean([np.max(every(each, "chance_stderrs")) for each in answers])
    # The largest of some spreads that are about as large is above them.
    assert told * (1 - 4 * 0.1) < spread < told * (1 + 4 * 0.1)


def test_a_sampled_answer_comes_before_a_long_count() -> None:
    *early, last = category_odds(ask("random", R25, board="Ks7d2h"))
    assert {(each.method, each.is_final) for each in early} == {(Method.SAMPLED, False)}
    assert [each.progress for each in early] == sorted({each.progress for each in early})
    assert np.array(every(early[0], "chances")) == pytest.approx(
        np.array(every(last, "chances")), abs=6 * float(np.max(every(early[0], "chance_stderrs")))
    )


@pytest.mark.slow
def test_the_executor_changes_nothing() -> None:
    for question in (ask(*[R25] * 3, samples=70_000), ask("random", R25, board="Ks7d2h"), ask("AhKh", "QQ")):
        alone = answered(question, seed=2)
        with ThreadPoolExecutor(2) as executor:
            *_, shared = category_odds(question, seed=2, executor=executor)
        assert np.array_equal(np.array(every(alone, "chances")), np.array(every(shared, "chances")))
        assert np.array_equal(np.array(every(alone, "wins")), np.array(every(shared, "wins")))


def test_what_takes_too_long_is_sampled_or_refused() -> None:
    question = ask(*[R25] * 5)
    assert next(category_odds(question)).method is Method.SAMPLED
    with pytest.raises(EquityError, match="longer than two minutes"):
        category_odds(replace(question, is_exact=True))


def test_bad_questions_are_refused_at_once() -> None:
    with pytest.raises(EquityError, match="empty"):
        category_odds(ask("", "AA"))
    with pytest.raises(EquityError, match="seed"):
        category_odds(ask("AA", "KK"), seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        category_odds(ask("AA", "KK"), executor="two")  # type: ignore[arg-type]


def test_an_exact_answer_comes_without_a_preview_that_finds_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask(R2, R25, board="Ks7d2h")
    assert next(iter(category_odds(question))).method is Method.SAMPLED
    monkeypatch.setattr(_SampledDeals, "tasks", lambda *_: iter(()))
    assert {answer.method for answer in category_odds(question)} == {Method.EXACT}


# ---- deals one by one: those of the joint distribution, rightly judged and added up

_NO_BOARDS = (np.zeros(0, dtype=np.uint64),) * 2
METHODS = [
    (("AhKh", "AA,QQ", R25, "random"), REJECTING),
    (("AA,KK,AK",) * 4, TOGETHER),
    ((R2,) * 7, IN_TURN),
]


def combos_of(judged: JudgedDeals) -> NDArray[np.int64]:
    return judged.combos.astype(np.int64)


def total_of(hands: tuple[str, ...], board: str, deals: int) -> _Tally:
    drawn = _sampled_deals(live_of(*hands, board=board), parse_cards(board), (), 1, deals)
    total = _Tally(len(hands), COMBO_COUNT)
    for task in drawn.tasks(combos_of, COMBO_COUNT, deals):
        total.add(task())
    return total


def each_deal(plan: SamplingPlan, deals: int) -> list[JudgedDeals]:
    drawn = draw_chunk(plan, 5, deals)
    return [JudgedDeals(*[None if part is None else part.copy() for part in judged]) for judged in drawn]


@pytest.mark.parametrize(("hands", "method"), METHODS)
def test_deals_are_without_clashes_and_as_many_as_asked_for(hands: tuple[str, ...], method: int) -> None:
    board = parse_cards("2c3d8h9s5c")
    drawn = _sampled_deals(live_of(*hands, board="2c3d8h9s5c"), board, (), 1, 100_000)
    assert drawn.plan.method == method
    judged = each_deal(drawn.plan, 20_001)
    if method != IN_TURN:  # there deals that cannot be finished count, too
        assert sum(len(part.best) for part in judged) == 20_001
        assert all(part.weights is None for part in judged)
    for part in judged:
        masks = COMBO_MASK[part.combos]
        together = np.bitwise_or.reduce(masks, axis=0) | np.uint64(card_mask(board))
        assert (np.bitwise_count(together) == 5 + 2 * len(hands)).all()
        assert (part.best == part.strengths.max(axis=0)).all()
        for i in range(0, len(part.best), 997):
            told = [strength((*cards_of(int(combo)), *board)) for combo in part.combos[:, i]]
            assert part.strengths[:, i].tolist() == told


@pytest.mark.parametrize("hands", [(R2,) * 7, ("AA,KK:0.3,AK",) * 4, ("AhKh", "AK:0.5,QQ", R2)])
def test_combos_come_as_often_as_in_the_joint_deal(hands: tuple[str, ...]) -> None:
    # Against the deals of the first three players beside whatever the others leave; all players have equal chances
    # where they have equal ranges, and where that is not so there are but three.
    total = total_of(hands, "", 300_000)
    weight, squares = total.sums[:2]
    shares = weight / weight.sum(axis=1, keepdims=True)
    errors = np.sqrt(squares) / weight.sum(axis=1, keepdims=True)
    joint = joint_deals(live_of(*hands), 2_000_000)
    if joint is not None:
        deals, weights = joint
        expected = np.array([np.bincount(combos, weights, COMBO_COUNT) for combos in deals.T]) / weights.sum()
        assert (np.abs(shares - expected) <= 5 * np.sqrt(expected / 300_000) + 1e-12).all()
    else:
        for player in range(1, len(hands)):
            assert (np.abs(shares[player] - shares[0]) <= 5 * np.hypot(errors[player], errors[0])).all()


def test_sums_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(2)
    players, count, kinds = 3, 500, 4
    strengths = rng.integers(1, 4, (players, count)).astype(np.int16)
    keys, weights = rng.integers(0, kinds, (players, count)), rng.random(count)
    combos = np.zeros((players, count), dtype=np.uint16)
    judged = JudgedDeals(combos, strengths, strengths.max(axis=0), None, *_NO_BOARDS)
    for given in (weights, None):
        tally = _Tally(players, kinds)
        tally.add_deals(judged, keys, given)
        expected = np.zeros((5, players, kinds))
        for i in range(count):
            weight = 1.0 if given is None else given[i]
            best = strengths[:, i] == strengths[:, i].max()
            for player in range(players):
                share = best[player] / best.sum()
                row = weight, weight**2, weight * share, weight**2 * share, weight**2 * share**2
                expected[:, player, keys[player, i]] += row
        assert tally.sums == pytest.approx(expected)
        assert tally.deals == count


def test_nothing_is_added_by_no_deals() -> None:
    tally = _Tally(2, 3)
    none = np.zeros((2, 0), dtype=np.int16)
    tally.add_deals(
        JudgedDeals(none.astype(np.uint16), none, none[0], None, *_NO_BOARDS), none.astype(np.int64), None
    )
    assert not tally.sums.any()
    assert not tally.has_dealt


@pytest.mark.parametrize("known", ["", "Ks7d2h", "QhJh2h", "QhJh2h3h", "Ks7d2h3c9s", "AsKsQsJs3h"])
def test_given_deals_are_judged_as_by_the_rules(known: str) -> None:
    rng, evaluator = np.random.default_rng(3), tables()
    board = parse_cards(known)
    deck = np.array([card for card in range(52) if card not in board])
    cards = np.array([rng.permutation(deck)[: 11 - len(board)] for _ in range(400)])
    holes, rest = np.sort(cards[:, :6].reshape(-1, 3, 2)), cards[:, 6:]
    combos = (holes[..., 1] * (holes[..., 1] - 1) // 2 + holes[..., 0]).T.astype(np.int16)
    keys = evaluator.card_key[rest].sum(axis=1, dtype=np.uint64)
    masks = np.bitwise_or.reduce(np.uint64(1) << rest.astype(np.uint64), axis=1, initial=np.uint64(0))
    judged = judge_deals(evaluator, np.array(board, dtype=np.uint8), combos, keys, masks)
    for i in range(400):
        told = [strength((*hole, *board, *rest[i].tolist())) for hole in holes[i].tolist()]
        assert judged.strengths[:, i].tolist() == told
        assert judged.best[i] == max(told)


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AhKh", "QsQd"), "", ""),
        (("AhKh", "QsQd", "2c2d"), "", "7h7d"),
        (("AA", "AK"), "7h8h9c", "2d"),
        (("AA,76s", "AK", "QQ,98s"), "7h8h9c3d", ""),
        (("AA", "AK"), "7h8h9c3d2c", "Ad"),
    ],
)
def test_every_deal_is_judged_on_every_board_once(hands: tuple[str, ...], board: str, dead: str) -> None:
    live = live_of(*hands, board=board + dead)
    joint = joint_deals(live, 100_000)
    assert joint is not None
    known, gone = parse_cards(board), parse_cards(dead)
    every = _EveryDeal(*joint, known, gone)
    total = _Tally(len(live), COMBO_COUNT)
    for task in every.tasks(combos_of, COMBO_COUNT):
        total.add(task())
    boards = comb(52 - len(known) - len(gone) - 2 * len(hands), 5 - len(known))
    assert every.showdowns == total.deals == boards * len(joint[0])
    for combos, weight in zip(joint[0].T, total.sums[0], strict=True):
        assert weight == pytest.approx(boards * np.bincount(combos, joint[1], COMBO_COUNT))
    assert total.sums[2].sum() == pytest.approx(boards * joint[1].sum())


def test_before_the_flop_every_board_has_its_part() -> None:
    # So many cards are dead that all boards can be gone through one by one.
    dead = tuple(range(40))
    hands = [47, 43], [51, 50]
    combos = [[high * (high - 1) // 2 + low for low, high in (sorted(hand),)] for hand in hands]
    deals = np.array(combos, dtype=np.int16).T
    total = _Tally(2, COMBO_COUNT)
    for task in _EveryDeal(deals, np.ones(1), (), dead).tasks(combos_of, COMBO_COUNT):
        total.add(task())
    deck = [card for card in range(40, 52) if card not in (*hands[0], *hands[1])]
    won = 0.0
    for board in combinations(deck, 5):
        first, second = (strength((*hand, *board)) for hand in hands)
        won += (first > second) + (first == second) / 2
    assert total.sums[2, 0].sum() == pytest.approx(won)
    assert total.deals == comb(8, 5)


@pytest.mark.slow
def test_other_processes_give_the_same() -> None:
    live = live_of("AhKh", R25, R25)
    drawn = _sampled_deals(live, (), (), 1, 200_000)
    alone, shared = _Tally(3, COMBO_COUNT), _Tally(3, COMBO_COUNT)
    for task in drawn.tasks(combos_of, COMBO_COUNT, 200_000):
        alone.add(task())
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        for tally in results_in_order(drawn.tasks(combos_of, COMBO_COUNT, 200_000), executor):
            shared.add(tally)
    assert np.array_equal(alone.sums, shared.sums)
    assert alone.deals == shared.deals == 200_000


def test_where_no_deal_is_found_there_is_no_sum() -> None:
    # Three pairs of aces need six of them.
    assert not total_of(("AA", "AA", "AA"), "", 1000).has_dealt
