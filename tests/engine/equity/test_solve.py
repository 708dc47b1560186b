"""Equity: published answers to the last showdown, small cases counted one by one, honest standard errors."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, permutations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import engine.equity.question
import engine.equity.sampling
from engine.cards import BOARD_SIZE, Card, Street, format_cards, parse_cards, relabel_suits
from engine.codec import decode, encode
from engine.equity import solve as equity
from engine.equity.checks import EquityError
from engine.equity.question import EquityQuestion
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot, equity_by_street, pooled, solve
from engine.ranges import parse_range
from tests.reference.equity import counted
from tests.reference.questions import R1, R2, R25, ask, final, weights_by_combo

# ---- published answers: wins of the first, wins of the second, ties


@pytest.mark.parametrize(
    ("hands", "board", "wins", "losses", "ties"),
    [
        (("AhKh", "QsQd"), "", 787_966, 917_606, 6_732),
        (("AhKh", R1), "", 180_038_370, 113_800_298, 19_512_964),
        ((R2, R1), "", 10_443_662_268, 5_355_940_136, 511_805_500),
        (("random", "random"), "Ks7d2h", 614_156_506, 614_156_506, 30_230_428),
        (("random", "random"), "Ks7d2h3c", 25_413_576, 25_413_576, 541_968),
        (("random", "random"), "Ks7d2h3c9s", 530_859, 530_859, 8_472),
    ],
)
def test_heads_up_reference_answers(hands: tuple[str, str], board: str, wins: int, losses: int, ties: int) -> None:
    answer = final(ask(*hands, board=board))
    total = wins + losses + ties
    assert answer.method is Method.EXACT
    assert answer.count == total
    first, second = answer.value
    assert [round(share * total) for share in (first.win, second.win, first.tie)] == [wins, losses, ties]
    assert first.win == pytest.approx(wins / total, rel=1e-14)
    assert first.tie == second.tie == pytest.approx(ties / total, rel=1e-14)
    assert first.equity == pytest.approx((wins + ties / 2) / total, rel=1e-14)
    assert first.stderr == second.stderr == 0


def test_three_ranges_on_a_flop_reference_answer() -> None:
    answer = final(ask("AsKs", "QQ+", "22+", board="Js7s2h"))
    assert (answer.method, answer.count) == (Method.EXACT, 639_324)
    assert [round(player.equity, 8) for player in answer.value] == [0.42462977, 0.38267920, 0.19269103]


def test_six_ranges_before_the_flop_reference_answer() -> None:
    answer = final(ask("AhKh", *[R25] * 5, samples=1_000_000), seed=11)
    assert (answer.method, answer.count) == (Method.SAMPLED, 1_000_000)
    for player, expected in zip(answer.value, [0.223401, *[0.155320] * 5], strict=True):
        assert abs(player.equity - expected) < 4 * sqrt(player.stderr**2 + 0.000015**2)
        assert 0 < player.stderr < 0.0006


# ---- counting against counting one by one

STUB = "2s3s4s5s6s7s8s9s2d3d4d5d6d7d8d9d2c3c4c5c6c7c8c9c2h3h4h5h6h7h8h"
"""Dead cards that leave 21, so that boards before the flop can be listed."""


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AA:0.5,AhKh", "QQ,KhQh:0.25"), "Ks7d2h3c", ""),
        (("AhKh,QQ:0.3", "TT,9h8h:0.7", "AcKd:0.4,JJ"), "Kh7h2d3c", ""),
        (("AhKh,AsKs", "AcKc:0.5,AdKd", "QhQd,QsQc:0.1", "JTs"), "Ac7h2d3c9s", ""),
        (("5h4h,6h5h", "9c9d,8c8d:0.5"), "7h8h9hTh", "2c3c"),
        (("AhKh,AsKd:0.5", "QhQs,JhTh:0.25"), "", STUB),
        (("AhKh", "AcKs:0.5,QhQs", "JhTs"), "", STUB),
        (("AcKc:0.1,QhQs", "AhKh", "JhTh", "9hTd", "JcJd", "QcQd"), "", STUB),
    ],
)
def test_exact_counts_against_a_loop(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer = final(question)
    expected = counted([weights_by_combo(hands) for hands in question.players], question.board, question.dead)
    assert (answer.method, answer.count) == (Method.EXACT, expected.showdowns)
    for i, player in enumerate(answer.value):
        assert player.win == pytest.approx(expected.win[i], rel=1e-12, abs=1e-12)
        assert player.tie == pytest.approx(expected.tie[i], rel=1e-12, abs=1e-12)
        assert player.equity == pytest.approx(expected.equity[i], rel=1e-12, abs=1e-12)
        assert player.stderr == 0


def test_ranges_that_clash_much_are_counted_jointly() -> None:
    # Six ways to deal the first two aces leave one for the second player; of kings the board leaves three pairs.
    answer = final(ask("AA", "AA", "KK,QQ:0.5", board="Ks7d2h3c9s"))
    expected = counted(
        [weights_by_combo(parse_range(text)) for text in ("AA", "AA", "KK,QQ:0.5")], parse_cards("Ks7d2h3c9s")
    )
    assert answer.count == expected.showdowns == 6 * 1 * (3 + 6)
    assert [player.equity for player in answer.value] == pytest.approx(expected.equity.tolist())


@settings(max_examples=15)
@given(st.permutations(range(52)), st.sampled_from(list(permutations(range(4)))), st.sampled_from([0, 3, 4]))
def test_suit_names_do_not_matter(cards: list[int], permutation: tuple[int, ...], size: int) -> None:
    def answer(cards: list[Card]) -> EquitySnapshot:
        hands = [format_cards(cards[2 * i : 2 * i + 2]) for i in range(2)]
        return final(ask(*hands, board=format_cards(cards[4 : 4 + size]), dead=format_cards(cards[9:11])))

    named = [Card(card) for card in cards]
    first, second = answer(named), answer(list(relabel_suits(named, permutation)))
    assert first.value == second.value
    assert first.count == second.count


@settings(max_examples=10)
@given(st.permutations(range(52)))
def test_order_of_the_players_does_not_matter(cards: list[int]) -> None:
    hands = [format_cards(cards[2 * i : 2 * i + 2]) for i in range(4)]
    forwards, backwards = final(ask(*hands)), final(ask(*hands[::-1]))
    assert [player.win for player in forwards.value] == [player.win for player in backwards.value[::-1]]
    assert sum(player.equity for player in forwards.value) == pytest.approx(1, abs=1e-12)


# ---- sampling


CLASHING = ("AA,AKs:0.5", "AK,KQs", "KK:0.3,AKo,QJs", "A2s+:0.2")
WITH_ANY_TWO = ("random", "AA,AKs:0.5", "AK,KQs", "random:0.3")
RIVER = "Kd7d2h3c9s"


@pytest.fixture(scope="module", params=[CLASHING, WITH_ANY_TWO[:3], ("random", "AhKh", "random")])
def exact(request: pytest.FixtureRequest) -> tuple[tuple[str, ...], EquitySnapshot]:
    answer = final(ask(*request.param, board=RIVER))
    assert answer.method is Method.EXACT
    return request.param, answer


@pytest.fixture(params=["all anew", "from a list", "in turn"])
def sampling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Force each of the three ways to draw from ranges that clash."""
    monkeypatch.setattr(engine.equity.sampling, "_OFTEN", 0.0 if request.param == "all anew" else 2.0)
    monkeypatch.setattr(engine.equity.sampling, "_RARELY", 2.0 if request.param == "from a list" else 0.0)
    if request.param == "in turn":
        monkeypatch.setattr(engine.equity.sampling, "rejecting_cost", lambda lists, accepted: 1e9)


@pytest.mark.every(4)
def test_sampling_agrees_with_counting(exact: tuple[tuple[str, ...], EquitySnapshot], sampling: None) -> None:
    hands, counted_answer = exact
    sampled = final(ask(*hands, board=RIVER, samples=100_000), seed=5)
    assert (sampled.method, sampled.count) == (Method.SAMPLED, 100_000)
    for mine, truth in zip(sampled.value, counted_answer.value, strict=True):
        assert abs(mine.equity - truth.equity) < 4 * mine.stderr
        assert abs(mine.win - truth.win) < 4 * mine.stderr
        assert 0 < mine.stderr < 0.01
    assert sum(player.equity for player in sampled.value) == pytest.approx(1, abs=1e-9)


@pytest.mark.every(3)
@pytest.mark.usefixtures("sampling")
@pytest.mark.parametrize("hands", [CLASHING, WITH_ANY_TWO])
def test_standard_errors_are_honest(hands: tuple[str, ...]) -> None:
    # The spread of 200 independent answers is known to 5% itself; 4 of its standard errors are allowed.
    runs = 200
    answers = [final(ask(*hands, board="Kd7d2h", samples=1000), seed=seed) for seed in range(runs)]
    for player in range(len(hands)):
        values = [answer.value[player].equity for answer in answers]
        reported = np.mean([answer.value[player].stderr for answer in answers])
        assert np.std(values, ddof=1) / reported == pytest.approx(1, abs=4 / sqrt(2 * (runs - 1)))


def test_hands_that_rejection_would_hardly_ever_deal() -> None:
    # Eight ranges that need the same few cards: one try in 600 succeeds, and all 414,720 deals can be listed.
    hands = ["AA", "AK,AQ", "KK", "KQ", "QQ,JJ", "TT", "TT", "AJ,KJ"]
    answer = final(ask(*hands, samples=20_000), seed=3)
    assert answer.count == 20_000
    assert sum(player.equity for player in answer.value) == pytest.approx(1, abs=1e-9)
    assert answer.value[5].equity == pytest.approx(answer.value[6].equity, abs=6 * answer.value[5].stderr)


def test_same_seed_same_answer() -> None:
    question = ask("random", "random", "random", samples=300_000)
    one, again, other = final(question, seed=1), final(question, seed=1), final(question, seed=2)
    assert one.value == again.value
    assert one.value != other.value


def test_every_snapshot_is_complete_and_only_the_last_is_final() -> None:
    snapshots = list(solve(ask("22+", "random", "AK", samples=2_000_000)))
    assert len(snapshots) > 2
    assert [snapshot.is_final for snapshot in snapshots] == [False] * (len(snapshots) - 1) + [True]
    for before, after in pairwise(snapshots):
        assert before.count < after.count
        assert before.progress < after.progress
        assert before.seconds <= after.seconds
        assert before.value[0].stderr > after.value[0].stderr > 0
    for snapshot in snapshots:
        assert sum(player.equity for player in snapshot.value) == pytest.approx(1, abs=1e-9)
    assert (snapshots[-1].count, snapshots[-1].progress) == (2_000_000, 1)


def test_a_long_count_shows_a_sampled_preview_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equity, "PREVIEW_FROM", 0.0)
    snapshots = list(solve(ask("AhKh", R1, dead="2c")))
    assert len(snapshots) > 2
    assert {snapshot.method for snapshot in snapshots[:-1]} == {Method.SAMPLED}
    assert (snapshots[-1].method, snapshots[-1].count) == (Method.EXACT, 179 * comb(47, 5))
    assert [snapshot.is_final for snapshot in snapshots[:-1]] == [False] * (len(snapshots) - 1)
    for preview, exact in zip(snapshots[0].value, snapshots[-1].value, strict=True):
        assert abs(preview.equity - exact.equity) < 4 * preview.stderr


def test_what_takes_too_long_to_count_is_sampled_unless_asked_for() -> None:
    wide = ask("random", "random", "random", "random", board="Ks7d2h")
    assert next(solve(wide)).method is Method.SAMPLED
    asked = EquityQuestion(wide.players, wide.board, is_exact=True)
    with pytest.raises(EquityError, match="longer than two minutes"):
        solve(asked)


# ---- questions without an answer


@pytest.mark.parametrize(
    ("question", "message", "players"),
    [
        (ask("AA"), "Equity needs 2 to 10 players, not 1.", ()),
        (ask(*["random"] * 11), "Equity needs 2 to 10 players, not 11.", ()),
        (ask("AA", "KK", board="2c"), "A board has 0, 3, 4 or 5 cards, not 1.", ()),
        (ask("AA", "KK", board="2c3c"), "A board has 0, 3, 4 or 5 cards, not 2.", ()),
        (ask("AA", "KK", board="2c3c4c5c6c7c"), "not 6.", ()),
        (ask("AA", "KK", board="2c3c4c", dead="4c"), "The card 4c is on the board and among the dead", ()),
        (EquityQuestion(ask("AA", "KK").players, (Card(0),) * 3), "The card 2c is twice on the board.", ()),
        (EquityQuestion(ask("AA", "KK").players, dead=(Card(52),)), "52 is no card", ()),
        (ask("AA", ""), "The range of player 2 is empty.", (1,)),
        (ask("AhKh", "QQ", board="Kh2c3c"), "The card Kh of player 1 (AhKh) is on the board.", (0,)),
        (ask("QQ", "AhKh", dead="Ah"), "The card Ah of player 2 (AhKh) is among the dead cards.", (1,)),
        (ask("AA", "KK", dead="AcAdAh"), "Every hand of player 1 (AA) holds a card", (0,)),
        (ask("AhKh", "AhQd"), "The card Ah cannot be held by both player 1 (AhKh) and player 2 (AhQd).", (0, 1)),
        (ask("KK", "AA", "QQ", "AA", "AKs"), "No cards can be dealt to player 2 (AA), player 4 (AA) and player 5"
         " (AKs) together", (1, 3, 4)),
        (ask("AA", "KK", samples=1), "At least 2 deals must be sampled, not 1.", ()),
        (EquityQuestion(ask("AA", "KK").players, samples=5, is_exact=True), "not both", ()),
        (EquityQuestion(ask("AA", "KK").players, samples=2.5), "deals is a whole number, not 2.5.", ()),
        (EquityQuestion(ask("AA", "KK").players, samples=True), "is a whole number, not True.", ()),
        (EquityQuestion((parse_range("AA"), "KK")), "Player 2 has no Range but 'KK'.", (1,)),
        (EquityQuestion(ask("AA", "KK").players, ("Ks", "7d", "2h")), "Ks is no card: cards are numbered", ()),
        (EquityQuestion(ask("AA", "KK").players, dead=(1.0,)), "1.0 is no card: cards are numbered", ()),
        (EquityQuestion(ask("AA", "KK").players, labels=("Ann",)), "There are 1 labels for 2 players.", ()),
        (EquityQuestion(ask("AhAd", "AhKd").players, labels=("Ann", "Bob")),
         "both player 1 (Ann) and player 2 (Bob)", (0, 1)),
    ],
)  # fmt: skip
def test_refuses_in_one_sentence(question: EquityQuestion, message: str, players: tuple[int, ...]) -> None:
    with pytest.raises(EquityError) as caught:
        solve(question)
    assert message in str(caught.value)
    assert caught.value.players == players
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "The seed -1 is not between 0 and 2^128 - 1."),
        (1 << 128, "is not between 0 and"),
        (1.5, "The seed 1.5 is no whole number."),
        ("1", "The seed '1' is no whole number."),
        (None, "The seed None is no whole number."),
    ],
)
def test_refuses_what_is_no_seed(seed: object, message: str) -> None:
    with pytest.raises(EquityError) as caught:
        solve(ask("AA", "KK", samples=10), seed=seed)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_seeds_of_numpy_are_seeds() -> None:
    question = ask("AA", "KK", samples=10)
    *_, answer = solve(question, seed=np.int64(3))  # type: ignore[arg-type]
    assert answer.value == final(question, seed=3).value


def test_weights_near_nothing_are_weights_all_the_same() -> None:
    # Of eight such weights the product is 0 in floating point.
    tiny = ["AA:0.000000000000000000000000000000000000001", "KK", "QQ", "JJ", "TT", "99", "88", "77"]
    for samples in (1_000, None):
        hands = [f"{text.partition(':')[0]}:0.000000000000000000000000000000000000001" for text in tiny]
        board = "" if samples else "2c3d4h5sKd"
        same = final(ask(*[text.partition(":")[0] for text in tiny], samples=samples, board=board), seed=1)
        assert final(ask(*hands, samples=samples, board=board), seed=1).value == same.value


def test_gives_up_when_no_deal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # If the search for a deal gave up too early, sampling would still come to an end.
    monkeypatch.setattr(engine.equity.question, "_MOST_ATTEMPTS", 0)
    monkeypatch.setattr(engine.equity.sampling, "MOST_LISTED_DEALS", 0)
    with pytest.raises(EquityError, match="No way was found"):
        list(solve(ask("AA", "AA", "AKs", samples=1000)))


def test_questions_and_answers_are_stored() -> None:
    question = EquityQuestion(ask("AhKh", "QQ+:0.5").players, parse_cards("2c3c4d"), samples=100)
    assert decode(encode(question), EquityQuestion) == question
    answer = final(question)
    assert decode(encode(answer), EquitySnapshot) == answer


@pytest.mark.parametrize(
    ("players", "dead", "is_enough"), [(2, 43, True), (2, 44, False), (10, 27, True), (10, 28, False)]
)
def test_the_board_needs_cards_too(players: int, dead: int, is_enough: bool) -> None:
    # Two players and a board take 9 cards, ten players 25.
    question = EquityQuestion((parse_range("random"),) * players, dead=tuple(map(Card, range(dead))), samples=100)
    if is_enough:
        *_, answer = solve(question)
        assert sum(player.equity for player in answer.value) == pytest.approx(1)
    else:
        with pytest.raises(EquityError, match=f"Too many cards are dead: {players} players"):
            solve(question)


# ---- samples put together


def test_samples_put_together_are_as_good_as_one_of_all_their_deals() -> None:
    hands = tuple(map(parse_range, ("AhKh", "22+,A2s+", "random")))
    first, second = (
        final(EquityQuestion(hands, samples=samples), seed=seed) for samples, seed in ((30_000, 1), (90_000, 2))
    )
    whole, both = final(EquityQuestion(hands, samples=120_000), seed=3), pooled(first, second)
    assert (both.count, both.method, both.is_final) == (120_000, Method.SAMPLED, True)
    for one, part in zip(whole.value, both.value, strict=True):
        assert part.stderr == pytest.approx(one.stderr, rel=0.05)
        assert abs(part.equity - one.equity) < 4 * sqrt(part.stderr**2 + one.stderr**2)
        assert abs(part.win - one.win) < 4 * sqrt(2) * sqrt(0.25 / 120_000)
    assert sum(player.equity for player in both.value) == pytest.approx(1)


def test_only_samples_of_the_same_players_are_put_together() -> None:
    two, three = (tuple(map(parse_range, texts)) for texts in (("AA", "KK"), ("AA", "KK", "QQ")))
    exact = final(EquityQuestion(two))
    sampled = final(EquityQuestion(two, samples=100))
    with pytest.raises(EquityError, match="an exact answer stands for itself"):
        pooled(exact, sampled)
    with pytest.raises(EquityError, match="2 and 3 players"):
        pooled(sampled, final(EquityQuestion(three, samples=100)))


# ---- street by street


def by_street(question: EquityQuestion, seed: int = 0) -> Snapshot[tuple[EquitySnapshot, ...]]:
    *_, last = equity_by_street(question, seed=seed)
    return last


def what(answer: EquitySnapshot) -> tuple[object, ...]:
    return answer.value, answer.method, answer.count


@pytest.mark.parametrize("board", ["", "Kd7s2c", "Kd7s2cQh", "Kd7s2cQh3h"])
def test_the_streets_that_the_board_has_reached(board: str) -> None:
    last = by_street(ask("AhKh", "QsQd", board=board))
    assert len(last.value) == max(1, len(parse_cards(board)) - 1)
    assert last.is_final
    assert all(answer.is_final and answer.method is Method.EXACT for answer in last.value)
    # All boards that can come, for the 48, 45, 44 and 43 cards that are left.
    assert [answer.count for answer in last.value] == [comb(48, 5), comb(45, 2), 44, 1][: len(last.value)]


def test_a_later_card_is_in_the_deck_before_it_comes() -> None:
    # The turn takes away what the second player mostly had, and on the flop he still has it.
    question = ask("AhKh,AsKs:0.5", "QhQc,JdJc:0.25", board="Kd7s2cQh3d", dead="5c6c")
    last = by_street(question)
    for street, answer in list(enumerate(last.value))[1:]:
        board = question.board[: BOARD_SIZE[Street(street)]]
        expected = counted([weights_by_combo(hands) for hands in question.players], board, question.dead)
        assert answer.count == expected.showdowns
        assert [player.equity for player in answer.value] == pytest.approx(expected.equity.tolist(), rel=1e-12)
    # Two pairs of combos beside each other on the turn, four on the flop, of 45 and 44 - 1 cards to come.
    assert [answer.count for answer in last.value[1:]] == [4 * comb(52 - 3 - 2 - 4, 2), 2 * 42, 2]


def test_each_street_is_what_solve_says_bit_for_bit() -> None:
    question = ask("22+,A2s+", "random", "AK:0.5,QQ", board="Kd7s2cQh", dead="2d", samples=30_000)
    last = by_street(question, seed=5)
    for street, answer in enumerate(last.value):
        asked = replace(question, board=question.board[: BOARD_SIZE[Street(street)]])
        assert what(answer) == what(final(asked, seed=5))
        assert (answer.method, answer.count) == (Method.SAMPLED, 30_000)


def test_snapshots_come_street_by_street_and_only_the_last_is_final() -> None:
    snapshots = list(equity_by_street(ask("22+", "random", "AK", board="Kd7s2c", samples=600_000)))
    assert [snapshot.is_final for snapshot in snapshots] == [False] * (len(snapshots) - 1) + [True]
    counts = [tuple(answer.count for answer in snapshot.value) for snapshot in snapshots]
    assert counts == sorted(counts)
    assert len({len(count) for count in counts}) == 2
    for snapshot in snapshots:
        assert all(answer.is_final for answer in snapshot.value[:-1])


def test_an_executor_changes_no_street() -> None:
    question = ask("22+", "random", "AK", board="Kd7s2c", samples=300_000)
    with ThreadPoolExecutor(2) as executor:
        *_, shared = equity_by_street(question, seed=3, executor=executor)
    assert list(map(what, shared.value)) == list(map(what, by_street(question, seed=3).value))


def test_an_early_street_that_cannot_be_counted_is_sampled() -> None:
    wide = ("random", "random", "random")
    question = EquityQuestion(ask(*wide).players, parse_cards("Kd7s2cQh3d"), is_exact=True)
    with pytest.raises(EquityError, match="longer than two minutes"):
        solve(replace(question, board=()))
    first = next(equity_by_street(question))
    assert first.value[0].method is Method.SAMPLED
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
def test_refuses_streets_at_once_in_one_sentence(question: EquityQuestion, message: str) -> None:
    with pytest.raises(EquityError) as caught:
        equity_by_street(question)
    assert message in str(caught.value)


def test_refuses_streets_without_a_seed_or_executor() -> None:
    with pytest.raises(EquityError, match="seed -1"):
        equity_by_street(ask("AA", "KK"), seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        equity_by_street(ask("AA", "KK"), executor=2)  # type: ignore[arg-type]
