"""Deals one by one: that they are those of the joint distribution, rightly judged and rightly added up."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, COMBO_MASK, card_mask, cards_of, parse_cards
from engine.checks import EquityError
from engine.equity.joint import joint_deals
from engine.equity.parallel import results_in_order
from engine.equity.sampled_deals import EveryDeal, Tally, drawn_deals
from engine.equity.sampling import SamplingPlan, draw_chunk
from engine.kernels.evaluator import tables
from engine.kernels.sampling import IN_TURN, REJECTING, TOGETHER, JudgedDeals, judge_deals
from engine.strength import strength
from tests.reference.questions import R2, R25, live_of

_NO_BOARDS = (np.zeros(0, dtype=np.uint64),) * 2
METHODS = [
    (("AhKh", "AA,QQ", R25, "random"), REJECTING),
    (("AA,KK,AK",) * 4, TOGETHER),
    ((R2,) * 7, IN_TURN),
]


def combos_of(judged: JudgedDeals) -> NDArray[np.int64]:
    return judged.combos.astype(np.int64)


def total_of(hands: tuple[str, ...], board: str, deals: int) -> Tally:
    drawn = drawn_deals(live_of(*hands, board=board), parse_cards(board), (), 1, deals)
    *_, total = drawn.tallies(combos_of, COMBO_COUNT, deals)
    return total


def each_deal(plan: SamplingPlan, deals: int) -> list[JudgedDeals]:
    drawn = draw_chunk(plan, 5, deals)
    return [JudgedDeals(*[None if part is None else part.copy() for part in judged]) for judged in drawn]


@pytest.mark.parametrize(("hands", "method"), METHODS)
def test_deals_are_without_clashes_and_as_many_as_asked_for(hands: tuple[str, ...], method: int) -> None:
    board = parse_cards("2c3d8h9s5c")
    drawn = drawn_deals(live_of(*hands, board="2c3d8h9s5c"), board, (), 1, 100_000)
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
        tally = Tally(players, kinds)
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
    tally = Tally(2, 3)
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
    every = EveryDeal(*joint, known, gone)
    total = Tally(len(live), COMBO_COUNT)
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
    total = Tally(2, COMBO_COUNT)
    for task in EveryDeal(deals, np.ones(1), (), dead).tasks(combos_of, COMBO_COUNT):
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
    drawn = drawn_deals(live, (), (), 1, 200_000)
    alone, shared = Tally(3, COMBO_COUNT), Tally(3, COMBO_COUNT)
    for task in drawn.tasks(combos_of, COMBO_COUNT, 200_000):
        alone.add(task())
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        for tally in results_in_order(drawn.tasks(combos_of, COMBO_COUNT, 200_000), executor):
            shared.add(tally)
    assert np.array_equal(alone.sums, shared.sums)
    assert alone.deals == shared.deals == 200_000


def test_where_no_deal_is_found_there_is_no_beginning_and_in_the_end_an_error() -> None:
    # Three pairs of aces need six of them.
    drawn = drawn_deals(live_of("AA", "AA", "AA"), (), (), 0, 1000)
    assert drawn.begun(combos_of, COMBO_COUNT) is None
    with pytest.raises(EquityError, match="No way was found"):
        list(drawn.tallies(combos_of, COMBO_COUNT, 1000))
