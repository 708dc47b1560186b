"""The next card: each of them counted one by one, the mean over all of them, honest errors where sampled."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, permutations
from math import comb, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

import engine.equity.sampling
from engine.cards import Card, cards_of, combo_of, format_card, parse_cards, relabel_suits
from engine.equity import next_cards as module
from engine.equity.checks import EquityError
from engine.equity.next_cards import STDERR, NextCards, next_cards
from engine.equity.question import EquityQuestion
from engine.equity.snapshot import Method, Snapshot
from engine.ranges import Range, parse_range
from tests.reference.equity import counted
from tests.reference.questions import R1, R2, R25, ask, final, weights_by_combo


def last_of(question: EquityQuestion, seed: int = 0) -> Snapshot[NextCards]:
    *_, last = next_cards(question, seed=seed)
    return last


def equities(answer: Snapshot[NextCards]) -> np.ndarray:
    return np.array([[player.equity for player in players] for players in answer.value.players])


def stderrs(answer: Snapshot[NextCards]) -> np.ndarray:
    return np.array([[player.stderr for player in players] for players in answer.value.players])


def same(one: Snapshot[NextCards], other: Snapshot[NextCards]) -> bool:
    return (one.value.cards, one.value.players, one.method, one.count, one.value.chances.tobytes()) == (
        other.value.cards,
        other.value.players,
        other.method,
        other.count,
        other.value.chances.tobytes(),
    )


# ---- exact ----------------------------------------------------------------------------------------------


@pytest.mark.every(5)
@pytest.mark.parametrize(
    ("hands", "board", "dead", "held"),
    [
        (("AhKh", "QsQd"), "Qh7h2c", "", "AhKhQsQd"),
        (("AA:0.5,AhKh", "QQ,KhQh:0.25"), "Ks7d2h3c", "", ""),
        (("AhKh,QQ:0.3", "TT,9h8h:0.7", "AcKd:0.4,JJ"), "Kh7h2d3c", "9c9d", ""),
        (("AhKh,AsKs", "AcKc:0.5,AdKd", "QhQd,QsQc:0.1", "JTs"), "Ac7h2d3c", "", "AdKd"),
        (("5h4h,6h5h", "9c9d,8c8d:0.5"), "7h8h9h", "2c3c", "5h"),
    ],
)
def test_every_card_against_counting_one_by_one(hands: tuple[str, ...], board: str, dead: str, held: str) -> None:
    question, never = ask(*hands, board=board, dead=dead), parse_cards(held)
    answer = last_of(question)
    assert (answer.method, answer.is_final, answer.progress) == (Method.EXACT, True, 1)
    known = {*question.board, *question.dead}
    weights, showdowns = {}, 0
    for card in sorted(set(range(52)) - known):
        ranges = [weights_by_combo(each.without([card])) for each in question.players]
        if card in never:
            continue
        expected = counted(ranges, (*question.board, card), question.dead)
        # Of each deal as many run-outs are counted after every card.
        weights[card], showdowns = expected.weight, showdowns + expected.showdowns
        players = answer.value.players[answer.value.cards.index(Card(card))]
        for i, player in enumerate(players):
            assert player.win == pytest.approx(expected.win[i], rel=1e-12, abs=1e-12)
            assert player.tie == pytest.approx(expected.tie[i], rel=1e-12, abs=1e-12)
            assert player.equity == pytest.approx(expected.equity[i], rel=1e-12, abs=1e-12)
            assert player.stderr == 0
    assert list(answer.value.cards) == list(weights)
    assert answer.count == showdowns
    chances = np.array(list(weights.values()))
    assert answer.value.chances == pytest.approx(chances / chances.sum(), rel=1e-12)
    assert not answer.value.chances.flags.writeable
    assert answer.value.chances.dtype == np.float64


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AhKh", "QsQd", "7c6c"), "Ks7d2h", ""),
        ((R1, R25), "Ts7s2h", "Ah"),
        (("random", "random"), "Ts7s2h", ""),
        ((R1, "AA:0.01,72o:0.3"), "Ts7s2hTh", ""),
        (("AsKs", "QQ+", "22+"), "Js7s2h", ""),
        ((R2, "AK,QQ:0.2", "QJs,TT"), "Js7s2h3h", "2c"),
        (("AhKh", "QcQs", "JTs", "9c9d", "88", "5d4d"), "7h2c3h", ""),
    ],
)
def test_the_mean_over_all_cards_is_the_equity_now(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer = last_of(question)
    now = final(question)
    assert answer.method is now.method is Method.EXACT
    assert answer.value.chances.sum() == pytest.approx(1, abs=1e-12)
    assert answer.value.chances @ equities(answer) == pytest.approx(
        [player.equity for player in now.value], abs=1e-9
    )


def test_the_chance_of_a_card_by_hand() -> None:
    # The ace of spades is held unless it is AhAd, which weighs as much as the two pairs with it: one in two.
    question = ask("AsAh,AsAd,AhAd:0.5", "7c6c", board="Ks7d2h")
    answer = last_of(question)
    chance = dict(zip(map(format_card, answer.value.cards), answer.value.chances.tolist(), strict=True))
    assert set(chance) == {format_card(card) for card in range(52)} - {"Ks", "7d", "2h", "7c", "6c"}
    assert chance["As"] == pytest.approx(0.2 / 45)
    assert chance["Ah"] == chance["Ad"] == pytest.approx(0.4 / 45)
    assert chance["Ac"] == chance["2c"] == pytest.approx(1 / 45)


def test_cards_that_are_surely_held_do_not_come() -> None:
    answer = last_of(ask("AA", "AA", "KK,QQ:0.5", board="Ts7d2h", dead="3c"))
    assert not {*map(format_card, answer.value.cards)} & {"As", "Ah", "Ad", "Ac", "Ts", "7d", "2h", "3c"}
    assert len(answer.value.cards) == 52 - 8
    sampled = last_of(ask("AA", "AA", "KK,QQ:0.5", board="Ts7d2h", dead="3c", samples=50_000))
    assert sampled.value.cards == answer.value.cards


def test_suit_names_do_not_matter() -> None:
    texts, board = ("AhKh,7s6s:0.5", "QsQd,TT:0.25"), parse_cards("Qh7h2c")
    before = last_of(EquityQuestion(tuple(map(parse_range, texts)), board))
    for permutation in permutations(range(4)):
        ranges = []
        for text in texts:
            weights = np.zeros(1326)
            for combo, weight in weights_by_combo(parse_range(text)).items():
                weights[combo_of(*relabel_suits(cards_of(combo), permutation))] = weight
            ranges.append(Range(weights))
        after = last_of(EquityQuestion(tuple(ranges), relabel_suits(board, permutation)))
        places = [after.value.cards.index(relabel_suits([card], permutation)[0]) for card in before.value.cards]
        assert equities(after)[places] == pytest.approx(equities(before), abs=1e-12)
        assert after.value.chances[places] == pytest.approx(before.value.chances, rel=1e-12)


def test_a_long_count_shows_sampled_odds_of_all_cards_first(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask("AhKh", "QQ+:0.5,AK", "22+", board="Js7s2h")
    quick = list(next_cards(question))
    monkeypatch.setattr(module, "PREVIEW_FROM", 0.0)
    snapshots = list(next_cards(question))
    first, *between, last = snapshots
    assert first.method is Method.SAMPLED
    assert (stderrs(first) > 0).mean() > 0.9
    assert len(between) == len(last.value.cards) - 1
    for done, snapshot in enumerate(between, 1):
        assert (snapshot.method, snapshot.is_final) == (Method.SAMPLED, False)
        assert not stderrs(snapshot)[:done].any()
        assert snapshot.value.players[:done] == last.value.players[:done]
        assert snapshot.value.cards == first.value.cards == last.value.cards
    assert [snapshot.progress for snapshot in snapshots] == sorted(snapshot.progress for snapshot in snapshots)
    assert (last.method, last.is_final, last.progress) == (Method.EXACT, True, 1)
    assert same(last, quick[-1])
    monkeypatch.setattr(module, "_TASK_SECONDS", 0.0)  # as if each card took long
    assert same(last_of(question), last)


# ---- sampled --------------------------------------------------------------------------------------------

CLASHING = ("AA,AKs:0.5,T9s", "AK,KQs:0.3", "KK:0.3,AKo,QJs", "A2s+:0.2,QQ")


@pytest.fixture(params=["all anew", "from a list", "in turn"])
def sampling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Force each of the three ways to draw from ranges that clash."""
    monkeypatch.setattr(module, "_PILOT_DEALS", 1_000_000)
    monkeypatch.setattr(engine.equity.sampling, "_OFTEN", 0.0 if request.param == "all anew" else 2.0)
    monkeypatch.setattr(engine.equity.sampling, "_RARELY", 2.0 if request.param == "from a list" else 0.0)
    if request.param == "in turn":
        monkeypatch.setattr(engine.equity.sampling, "rejecting_cost", lambda lists, accepted: 1e9)


@pytest.mark.every(5)
@pytest.mark.usefixtures("sampling")
@pytest.mark.parametrize("board", ["Kd7d2h", "Kd7d2h3c"])
@pytest.mark.parametrize("hands", [CLASHING, (*CLASHING[:3], "random"), ("random", "AhKh", "random"), ("AA", "KK")])
def test_sampling_agrees_with_counting(hands: tuple[str, ...], board: str) -> None:
    question = ask(*hands, board=board)
    exact = last_of(replace(question, is_exact=True)) if len(board) == 8 else None
    answer = last_of(replace(question, samples=400_000), seed=3)
    assert (answer.method, answer.is_final) == (Method.SAMPLED, True)
    assert answer.count == pytest.approx(400_000, rel=0.1)
    assert answer.value.chances.sum() == pytest.approx(1, abs=1e-12)
    now = final(replace(question, samples=400_000), seed=4)
    # Beside each equity's own error that of the chances, 1 in sqrt(n), by how far equities are from their mean.
    spread = (
        equities(answer).std(axis=0)
        / sqrt(answer.count / len(answer.value.cards) / 8)
        / sqrt(len(answer.value.cards))
    )
    error = np.sqrt(answer.value.chances**2 @ stderrs(answer) ** 2 + spread**2)
    for mean, err, player in zip(answer.value.chances @ equities(answer), error, now.value, strict=True):
        assert abs(mean - player.equity) <= 4 * sqrt(err**2 + player.stderr**2)
    if exact is not None:
        assert exact.method is Method.EXACT
        assert answer.value.cards == exact.value.cards
        off = (equities(answer) - equities(exact)) / np.maximum(stderrs(answer), 1e-3 / sqrt(answer.count))
        assert np.abs(off).max() < 5
        assert np.sqrt((off**2).mean()) < 1.3
        deals = answer.count / len(answer.value.cards)
        # Those of three ranges are counted all the same.
        assert np.abs(answer.value.chances / exact.value.chances - 1).max() < (
            5 / sqrt(deals) if hands == CLASHING else 1e-9
        )
        assert (np.abs(answer.value.chances - exact.value.chances) <= 5 * answer.value.chance_stderrs + 1e-9).all()
        assert not exact.value.chance_stderrs.any()


@pytest.mark.parametrize(
    ("hands", "tolerance"),
    [
        (("AsKs,AhKh:0.000001", "AhQh,2c2d:0.000001,JJ:0.0000001"), 1e-9),
        (("AsKs,AhKh:0.001", "AhQh,6c6d:0.0003,JJ:0.0001", "TT,99", "T9s,88:0.5"), 0.12),
    ],
)
def test_what_clashes_after_one_card_only_is_drawn_another_way(
    monkeypatch: pytest.MonkeyPatch, hands: tuple[str, ...], tolerance: float
) -> None:
    # After Ks the first player has AhKh, and then the second only what he hardly ever plays.
    question = ask(*hands, board="Kd7d2h")
    anew = []
    begin_again = module._CardSampler.begin_again
    monkeypatch.setattr(
        module._CardSampler,
        "begin_again",
        lambda self: (anew.append(format_card(self.after.card)), begin_again(self)),
    )
    exact = last_of(replace(question, is_exact=True))
    sampled = last_of(replace(question, samples=100_000))
    assert {"Ks", "As"} <= {*anew} <= {"Ks", "As", "Ah", "Qh"}
    assert exact.value.cards == sampled.value.cards
    assert sampled.value.chances == pytest.approx(exact.value.chances, rel=tolerance, abs=1e-13)
    off = np.abs(equities(sampled) - equities(exact))
    assert (off <= 5 * stderrs(sampled)).all()
    for card in ("Ks", "As"):
        assert max(stderrs(sampled)[sampled.value.cards.index(parse_cards(card)[0])]) > 0


@pytest.mark.slow
def test_sampled_to_a_standard_error_where_it_is_known_to_be_a_third() -> None:
    snapshots = list(next_cards(ask("random", "random", "random", board="Ks7d2h"), seed=2))
    last = snapshots[-1]
    assert last.method is Method.SAMPLED
    assert stderrs(last).max() <= 1.02 * STDERR
    assert last.value.chances == pytest.approx(np.full(49, 1 / 49), abs=1e-15)
    off = (equities(last) - 1 / 3) / stderrs(last)
    assert np.abs(off).max() < 5
    assert 0.8 < np.sqrt((off**2).mean()) < 1.2
    assert [snapshot.is_final for snapshot in snapshots] == [False] * (len(snapshots) - 1) + [True]
    for before, after in pairwise(snapshots):
        assert before.progress <= after.progress
        assert before.count <= after.count
        assert before.seconds <= after.seconds
        assert before.value.cards == after.value.cards
    assert len(snapshots[0].value.players) == 49
    assert snapshots[0].count < last.count / 50


def test_same_seed_same_answer_with_or_without_an_executor() -> None:
    question = ask(R25, R1, "random", R25, board="Ts7d2h", samples=300_000)
    one, again, other = (last_of(question, seed=seed) for seed in (1, 1, 2))
    assert same(one, again)
    assert not same(one, other)
    with ThreadPoolExecutor(2) as executor:
        *_, shared = next_cards(question, seed=1, executor=executor)
        assert same(shared, one)
        *_, counted_answer = next_cards(ask("AhKh", R1, R25, board="Ts7d2h"), executor=executor)
    assert same(counted_answer, last_of(ask("AhKh", R1, R25, board="Ts7d2h")))


def test_few_samples_are_enough_for_an_answer() -> None:
    answer = last_of(ask(*["random"] * 10, board="Ts7d2h", samples=2))
    assert len(answer.value.cards) == 49
    assert answer.is_final
    assert answer.count >= 49 * 100


def test_ten_players_and_many_dead_cards() -> None:
    dead = "".join(format_card(card) for card in range(51, 25, -1) if format_card(card) not in ("Ts", "Th"))
    answer = last_of(ask("random", "random", "TsTh", board="2c2d2h3c", dead=dead))
    deck = 52 - 4 - len(parse_cards(dead)) - 2
    assert len(answer.value.cards) == deck
    assert answer.count == deck * comb(deck - 1, 2) * comb(deck - 3, 2)


# ---- questions without an answer --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (ask("AA", "KK"), "Another card comes on a flop or turn, not on a board of 0 cards."),
        (ask("AA", "KK", board="2c3c4c5c6c"), "Another card comes on a flop or turn, not on a board of 5 cards."),
        (ask("AA", "KK", board="2c3c"), "A board has 0, 3, 4 or 5 cards, not 2."),
        (ask("AA", board="2c3c4c"), "Equity needs 2 to 10 players, not 1."),
        (ask("AhKh", "QQ", board="Kh2c3c"), "The card Kh of player 1 (AhKh) is on the board."),
        (ask("AhKh", "AhQc", board="2c3c4c"), "The card Ah cannot be held by both"),
        (ask("AA", "", board="2c3c4c"), "The range of player 2 is empty."),
        (EquityQuestion((parse_range("random"),) * 4, parse_cards("2c3c4c"), is_exact=True), "two minutes"),
        (EquityQuestion((parse_range("random"),) * 2, parse_cards("2c3c4c"), samples=9, is_exact=True), "not both"),
    ],
)
def test_refuses_at_once_in_one_sentence(question: EquityQuestion, message: str) -> None:
    with pytest.raises(EquityError, match=r"\.$") as caught:
        next_cards(question)
    assert message in str(caught.value)


def test_refuses_what_is_no_seed_or_executor() -> None:
    question = ask("AA", "KK", board="2c3c4c")
    with pytest.raises(EquityError, match="seed -1"):
        next_cards(question, seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        next_cards(question, executor=2)  # type: ignore[arg-type]


def test_says_so_when_no_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module._CardSampler, "add", lambda self, chunk: None)
    with pytest.raises(EquityError, match="No way was found"):
        next(next_cards(ask("AA", "KK", board="2c3c4c", samples=100)))
