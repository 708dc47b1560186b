"""Every combo's equity in the joint deal, against all showdowns one by one and against `solve`."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest
from msgspec.structs import replace

import engine.equity.matchups
import engine.equity.range_equities
from engine.cards import COMBO_CLASS, COMBO_COUNT, class_name, combo_of, parse_cards, relabel_suits
from engine.codec import frozen_vector
from engine.equity.checks import EquityError
from engine.equity.combos import ComboShares, combo_equities
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import RangeEquities, class_equities, equity_curve, range_equities
from engine.equity.snapshot import Method, Snapshot
from engine.ranges import Range
from tests.reference.multiway import equities_by_deal, equity_on_every_board
from tests.reference.questions import R2, R25, ask, final, relabelled, renamed, weights_by_combo
from tests.reference.showdowns import shares_by_combo


def answered(question: EquityQuestion, seed: int = 0) -> Snapshot[RangeEquities]:
    *_, last = range_equities(question, seed=seed)
    return last


def equity_of(shares: ComboShares) -> float:
    return float(shares.weights.astype(np.float64) @ shares.equities)


def assert_consistent(answer: Snapshot[RangeEquities]) -> None:
    for shares in answer.value:
        assert shares.weights.dtype == shares.equities.dtype == np.float32
        assert shares.weights.shape == shares.equities.shape == (1326,)
        assert shares.weights.sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
        assert shares.weights.min() >= 0
        assert (shares.equities[shares.weights == 0] == 0).all()
        assert 0 <= shares.equities.min() <= shares.equities.max() <= 1 + 1e-6


# ---- exact


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AA,AK:0.3", "KK,QJs:0.5"), "Ks7d2h3c", ""),
        (("AhKh", "QQ,AK"), "Qs7h2h3h", ""),
        (("AA,AK:0.3", "KK,QJs:0.5,7s6s:0.000001"), "Ks7d2h3c9s", "AcKd"),
        (("TT,98s", "AhKh,JTs"), "8h7h2c", "6h"),
        (("AA,KK", "AK:0.5,QQ", "KQs,77"), "Ks7d2h3c9s", ""),
        (("AhKh,AA", "QQ,AK:0.25", "JTs,77"), "Qs7h2h3h", "Ac"),
        (("AhKh", "QcQd", "JhTh", "7c7d"), "Qs7h2h", ""),
        (("AA,KhKd", "AhKs", "KK", "AK"), "Qs7h2h5c", ""),
    ],
)
def test_small_ranges_on_a_board(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer = answered(question)
    assert (answer.method, answer.count, answer.is_final) == (Method.EXACT, 0, True)
    assert not any(shares.stderrs.any() or shares.class_stderrs.any() or shares.stderr for shares in answer.value)
    assert_consistent(answer)
    held = [weights_by_combo(hand) for hand in question.players]
    weights, equities = shares_by_combo(held, question.board, question.dead)
    for player, shares in enumerate(answer.value):
        assert shares.weights == pytest.approx(weights[player], rel=1e-5, abs=1e-9)
        assert shares.equities == pytest.approx(equities[player], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        ((R25, R2), "Ks7d2h", ""),
        (("random", R25), "Js8s4s2d", "AcAd"),
        ((R25, "AhKh,QQ:0.5"), "", ""),
        (("random", "random"), "", ""),
        (("AA,KK", "QQ,AK"), "", "2c3d"),
        (("AA", "KK", "QQ"), "", ""),
        (("AhKh", "QQ", "JJ,TT"), "", "As"),
        ((R2, "QJs,77", "AK,99"), "Ks7d2h3c", ""),
    ],
)
def test_the_mean_is_the_exact_equity_of_the_range(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    answer, whole = answered(question), final(question)
    assert answer.method == whole.method == Method.EXACT
    assert_consistent(answer)
    for shares, player in zip(answer.value, whole.value, strict=True):
        assert equity_of(shares) == pytest.approx(player.equity, abs=1e-6)


def test_each_combo_of_two_players_as_if_alone() -> None:
    question = ask("AA,AK", R25, board="Ks7d2h")
    shares = answered(question).value[0]
    known = combo_of(*parse_cards("AsKd"))
    alone = final(ask("AsKd", R25, board="Ks7d2h")).value[0]
    assert shares.equities[known] == pytest.approx(alone.equity, abs=1e-6)


def test_each_combo_of_several_players_as_if_alone() -> None:
    answer = answered(ask("AA,AK,QQ", "KK,AQ", "JJ,AQs", board=""))
    assert answer.method is Method.EXACT
    for text in ("AsKd", "AsKs", "QcQd"):
        alone = final(ask(text, "KK,AQ", "JJ,AQs")).value[0]
        assert answer.value[0].equities[combo_of(*parse_cards(text))] == pytest.approx(alone.equity, abs=1e-6)


@pytest.mark.every(5)
@pytest.mark.parametrize("permutation", list(permutations(range(4))))
def test_suits_are_but_names(permutation: tuple[int, ...]) -> None:
    question = ask("AhKh,AsKs:0.5,QQ", "JJ,AcKc", "TT:0.1,9h9d", board="Js7h2h3c", dead="4d")
    other = replace(
        question,
        players=tuple(relabelled(hands, permutation) for hands in question.players),
        board=relabel_suits(question.board, permutation),
        dead=relabel_suits(question.dead, permutation),
    )
    where = [renamed(combo, permutation) for combo in range(1326)]
    for before, after in zip(answered(question).value, answered(other).value, strict=True):
        assert after.weights[where] == pytest.approx(before.weights, rel=1e-6)
        assert after.equities[where] == pytest.approx(before.equities, rel=1e-6)


def test_combos_that_cannot_be_dealt_have_no_weight() -> None:
    # The only queens left beside AhAd are those of clubs and spades.
    answer = answered(ask("AhAd,KhKd", "AhKd,QcQs", board="2c3c4d5d9h"))
    first, second = answer.value
    assert second.weights[combo_of(*parse_cards("AhKd"))] == 0
    assert second.weights[combo_of(*parse_cards("QcQs"))] == 1
    assert first.weights.max() == 0.5


def test_two_players_wait_for_the_table_with_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.equity.range_equities, "is_ready", lambda: False)
    monkeypatch.setattr(engine.equity.range_equities, "build_steps", lambda: iter([0.5, 1.0]))
    engine.equity.matchups.heads_up_table()
    first, *others, last = range_equities(ask("AA,KK", R25))
    assert (first.method, first.is_final, first.progress) == (Method.SAMPLED, False, 0.0)
    assert [other.progress for other in others] == [0.5]
    assert (last.method, last.is_final) == (Method.EXACT, True)
    for early, late in zip(first.value, last.value, strict=True):
        assert equity_of(early) == pytest.approx(equity_of(late), abs=0.02)


# ---- sampled


def assert_honest(answer: Snapshot[RangeEquities]) -> None:
    """Whatever has an equity has an error, and all equities together make one pot."""
    assert answer.method is Method.SAMPLED
    for shares in answer.value:
        held = shares.weights > 0
        assert (shares.stderrs[held] > 0).all()
        assert (shares.stderrs <= 0.5).all()
        assert not shares.stderrs[~held].any()
        classes = np.bincount(COMBO_CLASS, shares.weights, 169) > 0
        assert (shares.class_stderrs[classes] > 0).all()
        assert shares.stderr > 0
    error = np.linalg.norm([shares.stderr for shares in answer.value])
    assert sum(equity_of(shares) for shares in answer.value) == pytest.approx(1, abs=4 * error)


def assert_near(answer: Snapshot[RangeEquities], exact: Snapshot[RangeEquities], far: float) -> None:
    """All numbers are within so many standard errors."""
    for mine, true in zip(answer.value, exact.value, strict=True):
        held = mine.weights > 0
        assert (np.abs(mine.equities - true.equities)[held] <= far * mine.stderrs[held]).all()
        (means, weights), (true_means, true_weights) = class_equities(mine), class_equities(true)
        known = weights > 0
        assert (np.abs(means - true_means)[known] <= far * mine.class_stderrs[known]).all()
        assert (np.abs(weights - true_weights) <= far * mine.class_weight_stderrs + 1e-7).all()
        assert abs(mine.equity - true.equity) <= far * mine.stderr


def test_a_hand_that_beats_all_that_block_one_another_wins_for_certain() -> None:
    # The others hold three of the four deuces, or aces with them: the nearly exact model, now gone, said 0.317.
    question = ask("random", "22,A2s", "22,A2s", "QQ-JJ,AQ", board="KhJh4h2hQd")
    first, *_, last = range_equities(question)
    assert_honest(first)
    assert (last.method, last.is_final) == (Method.EXACT, True)
    flush = combo_of(*parse_cards("Ah3c"))
    assert last.value[0].equities[flush] == 1.0
    assert abs(first.value[0].equities[flush] - 1.0) <= first.value[0].stderrs[flush]
    equities, dealt = equities_by_deal(question.board, [hands.weights for hands in question.players[1:]])
    assert last.value[0].equities == pytest.approx(equities, abs=1e-6)
    assert last.value[0].weights == pytest.approx(dealt / dealt.sum(), abs=1e-7)
    # Within four errors are all but one number in 16,000.
    assert_near(first, last, 5)


@pytest.mark.slow
def test_six_ranges_that_block_one_another_are_sampled_with_their_errors() -> None:
    # The model ended with an error of 0, was off by 0.13 on AhKd, and shared out 0.934 pots.
    question = ask("random", "22,A2s", "22,A2s", "QQ-JJ,AQ", "AhKs,KK,KQ", "TT,AJs", board="KhJh4h")
    hand = combo_of(*parse_cards("AhKd"))
    truth = equity_on_every_board(hand, question.board, [hands.weights for hands in question.players[1:]])
    early, *_, last = range_equities(question, seed=5)
    for answer in (early, last):
        assert_honest(answer)
        mine = answer.value[0]
        assert abs(mine.equities[hand] - truth) <= 4 * mine.stderrs[hand]
    assert last.value[0].stderrs[hand] < 0.003
    assert max(shares.stderr for shares in last.value) < 0.002


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AA,AK:0.3,76s", R25), "Ks7d2h", ""),
        (("AA,AK,76s", "QQ,JJ,AQ"), "", ""),
        (("AhKh,AdKd,9h8h", R25), "Qh7h2c", ""),
        (("AA,AK:0.5,KQs", "AK,QQ", "KK,AQ:0.3"), "", ""),
        (("AA,KK", "AK:0.5,QQ", "KQs,77,random:0.05"), "Ks7d2h3c9s", "Ac"),
        (("AA,KK", "AK,AQ", "AJs,AQ"), "Ks7d2h3c", ""),
        # The others nearly always have what the first player nearly always has.
        (("AA,22:0.001", "AA:0.001,AK", "AK:0.001,AA"), "Ks7d5h3c", ""),
    ],
)
def test_samples_of_each_combo_are_as_far_off_as_they_say(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = ask(*hands, board=board, dead=dead)
    exact = answered(replace(question, is_exact=True))
    assert exact.method is Method.EXACT
    runs = [answered(replace(question, samples=2_000), seed) for seed in range(40)]
    numbers = ("equities", "stderrs")
    for player, true in enumerate(exact.value):
        equities, errors = (np.array([getattr(run.value[player], what) for run in runs]) for what in numbers)
        off = np.abs(equities - true.equities) / np.where(errors > 0, errors, np.inf)
        # A combo's errors are independent between the runs, but not those of two combos.
        assert (off > 2).mean() < 0.07
        assert (off > 3).mean() < 0.01
        assert off.max() < 5
        # Neither are they much too wide, of all combos together: with 2,000 deals 0.002 where nothing scatters.
        spread = np.sqrt(((equities - true.equities) ** 2 * true.weights).sum(axis=1).mean())
        assert np.sqrt((errors**2 * true.weights).sum(axis=1).mean()) < 2 * spread + 0.01
    for run in runs:
        assert_honest(run)
        assert_near(run, exact, 5)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (("AhKh", R25, R25), "", ""),
        ((R25, R25), "", "AcAd"),
        ((R2,) * 7, "", ""),  # drawn in turn, by weight
        (("AA,KK,AK",) * 4, "", ""),  # from a list
        (("AK,QJs:0.2", R25, "random"), "Ks7d2h", ""),
        (("AhKh", *[R25] * 4), "Ks7d2h", ""),
    ],
)
def test_means_are_those_of_solve(hands: tuple[str, ...], board: str, dead: str) -> None:
    question = replace(ask(*hands, board=board, dead=dead), samples=20_000)
    answer = answered(question, seed=3)
    assert (answer.count, answer.is_final, answer.progress) == (20_000, True, 1.0)
    assert_consistent(answer)
    assert_honest(answer)
    whole = final(replace(question, samples=1_000_000), seed=4)
    for shares, player in zip(answer.value, whole.value, strict=True):
        assert abs(equity_of(shares) - player.equity) <= 4 * np.hypot(shares.stderr, player.stderr)


@pytest.mark.parametrize("samples", [2, 63, 70, 5_000])
def test_few_deals(samples: int) -> None:
    answer = answered(ask("AA,KK", R25, "random", samples=samples))
    assert (answer.count, answer.is_final) == (samples, True)
    assert_honest(answer)
    assert_consistent(answer)


def test_many_deals_take_no_longer_than_two_seconds_by_estimate() -> None:
    first = next(range_equities(ask("random", R25, R25, samples=1_000_000_000)))
    assert first.progress > 0.001


def test_a_combo_that_no_deal_leaves_has_no_number() -> None:
    # Beside two aces one of three others has queens: in one deal of a million.
    answer = answered(ask("AA,JJ", *["AK,QQ:0.000001"] * 3, "random", samples=500))
    aces = combo_of(*parse_cards("AsAh"))
    mine = answer.value[0]
    assert (mine.weights[aces], mine.equities[aces], mine.stderrs[aces]) == (0, 0, 0)
    assert_honest(answer)


def test_weights_of_many_magnitudes() -> None:
    # Kings against aces, or hands a millionth as likely: what is rare is exact, too.
    hands = ("AhAd,KhKd:0.000001", "AhAs,QhQd:0.000001")
    answer = answered(ask(*hands, board="2c3c4d5d9h"))
    first, second = answer.value
    # The aces of both share a card, so that one of the two rare hands is in every deal.
    held = {text: combo_of(*parse_cards(text)) for text in ("AhAd", "KhKd", "AhAs", "QhQd")}
    assert first.weights[held["AhAd"]] == pytest.approx(0.5, abs=1e-6)
    assert second.weights[held["AhAs"]] == pytest.approx(0.5, abs=1e-6)
    assert [float(first.equities[held[text]]) for text in ("AhAd", "KhKd")] == pytest.approx([1, 0], abs=1e-5)


@pytest.mark.parametrize("board", ["2c3c4d5d9h", "7c8c9d2d", "7c8c9d"])
def test_what_hardly_ever_meets_anything_is_exact(board: str) -> None:
    # Aces are rare and meet only what is rare in the other range, jacks: lost in sums beside the other's aces.
    first, second = np.zeros((2, COMBO_COUNT))
    for weights, hands in (
        (first, {"AhAd": 1e-15, "KhKd": 1}),
        (second, {"AhAs": 0.7, "AhQs": 0.3, "AhTs": 0.9, "AdTs": 0.1, "JhJs": 1e-15, "KcQc": 3e-16}),
    ):
        for text, weight in hands.items():
            weights[combo_of(*parse_cards(text))] = weight
    ranges = Range(frozen_vector(first)), Range(frozen_vector(second))
    answer = answered(EquityQuestion(ranges, parse_cards(board)))
    weights, equities = shares_by_combo([weights_by_combo(hands) for hands in ranges], parse_cards(board))
    assert answer.method is Method.EXACT
    for player, shares in enumerate(answer.value):
        assert shares.weights == pytest.approx(weights[player], rel=1e-6, abs=1e-40)
        assert shares.equities == pytest.approx(equities[player], abs=1e-5)


def test_what_nearly_always_clashes() -> None:
    # Only with one of the rare hands can both be dealt cards; alone in its range each is worth what solve says.
    question = ask("AhAd,KhKd:0.000000000000001", "AhAs,QhQd:0.000000000000001", board="2c3c4d")
    for answer in (answered(question), answered(replace(question, samples=20_000))):
        for shares, player in zip(answer.value, final(question).value, strict=True):
            assert np.count_nonzero(shares.weights) == 2
            assert equity_of(shares) == pytest.approx(player.equity, abs=1e-6 + 4 * shares.stderr)


def test_combos_of_the_same_suits_are_one() -> None:
    answer = answered(replace(ask(R25, R25, R25), samples=50_000))
    for shares in answer.value:
        for name in ("AA", "AKs", "AKo", "76s"):
            of_class = [each for each in range(1326) if class_name(class_index(each)) == name]
            assert len(set(shares.equities[of_class].tolist())) == 1


def class_index(combo: int) -> int:
    from engine.cards import class_of

    return class_of(combo)


def test_snapshots_become_better_and_the_executor_changes_nothing() -> None:
    question = ask("AhKh", R25, R25, samples=60_000)
    alone = list(range_equities(question, seed=11))
    assert [each.is_final for each in alone] == [False] * (len(alone) - 1) + [True]
    assert [each.progress for each in alone] == sorted({each.progress for each in alone})
    assert alone[-1].value[1].stderr < alone[0].value[1].stderr
    with ThreadPoolExecutor(2) as executor:
        *_, shared = range_equities(question, seed=11, executor=executor)
    for mine, theirs in zip(alone[-1].value, shared.value, strict=True):
        assert np.array_equal(mine.weights, theirs.weights)
        assert np.array_equal(mine.equities, theirs.equities)
    *_, other = range_equities(question, seed=12)
    assert not np.array_equal(other.value[1].equities, alone[-1].value[1].equities)


def test_exact_is_refused_where_it_takes_too_long() -> None:
    with pytest.raises(EquityError, match="longer than two minutes"):
        range_equities(replace(ask(*[R25] * 5), is_exact=True))


def test_bad_questions_are_refused_at_once() -> None:
    with pytest.raises(EquityError, match="AhKh"):
        range_equities(ask("AhKh", "AA", board="AhKd2c"))
    with pytest.raises(EquityError, match="seed"):
        range_equities(ask("AA", "KK"), seed=-1)
    with pytest.raises(EquityError, match="Executor"):
        range_equities(ask("AA", "KK"), executor=3)  # type: ignore[arg-type]


# ---- pictures


def shares_of(weights: dict[int, float], equities: dict[int, float]) -> ComboShares:
    mine, theirs = np.zeros((2, 1326))
    mine[list(weights)] = list(weights.values())
    theirs[list(equities)] = list(equities.values())
    return ComboShares(frozen_vector(mine), frozen_vector(theirs))


def test_a_curve_falls_from_the_best_combo_to_the_worst() -> None:
    shares = answered(ask(R25, R2, board="Ks7d2h")).value[0]
    curve = equity_curve(shares)
    held = shares.equities[shares.weights > 0]
    assert curve.shape == (201,)
    assert (np.diff(curve) <= 0).all()
    assert (curve[0], curve[-1]) == (held.max(), held.min())
    # The mean height of the curve is the range's equity, up to the width of its steps.
    assert curve.mean() == pytest.approx(equity_of(shares), abs=1 / 200)


def test_a_curve_shows_each_combo_as_wide_as_it_is_likely() -> None:
    shares = shares_of({3: 0.5, 10: 0.3, 20: 0.2, 30: 0.0}, {3: 0.25, 10: 1.0, 20: 0.5, 30: 0.75})
    assert equity_curve(shares)[::20].tolist() == [1.0] * 4 + [0.5] * 2 + [0.25] * 5
    assert set(equity_curve(shares_of({3: 1.0}, {3: 0.25}))) == {0.25}


def test_a_curve_moved_by_errors_is_put_in_order_anew() -> None:
    shares = shares_of({3: 0.25, 10: 0.25, 20: 0.5}, {3: 0.6, 10: 0.5, 20: 0.1})
    shares = replace(shares, stderrs=shares_of({3: 0.0625, 10: 0.1875, 20: 0.125}, {}).weights)
    assert equity_curve(shares, 2)[::50] == pytest.approx([0.875, 0.875, 0.725, 0.35, 0.35])
    assert equity_curve(shares, -2)[::50] == pytest.approx([0.475, 0.475, 0.125, 0.0, 0.0])
    assert equity_curve(shares, 4)[[0, -1]].tolist() == [1.0, pytest.approx(0.6)]


def test_the_band_of_a_sampled_curve_holds_the_true_one() -> None:
    question = ask("AA,AK:0.3,76s,QJ", R25, board="Ks7d2h")
    true = [equity_curve(shares) for shares in answered(question).value]
    inside = []
    for seed in range(40):
        sampled = answered(replace(question, samples=300), seed).value
        bands = [[equity_curve(shares, errors=errors) for errors in (-2, 2)] for shares in sampled]
        inside += [(low <= curve) & (curve <= high) for (low, high), curve in zip(bands, true, strict=True)]
    # At every place of the range, ends too, about as often as a normal distribution has it within two errors.
    assert np.mean(inside) > 0.95
    assert np.mean(inside, axis=0)[[0, -1]].min() > 0.9


def test_classes_are_means_by_weight() -> None:
    aces = [combo_of(*parse_cards(text)) for text in ("AsAh", "AsAd", "AcAd")]
    shares = shares_of(
        dict(zip(aces, (0.25, 0.5, 0.25), strict=True)), dict(zip(aces, (1.0, 0.5, 0.0), strict=True))
    )
    equities, weights = class_equities(shares)
    assert (equities[0], weights[0]) == (0.5, 1.0)
    assert np.isnan(equities[1:]).all()
    assert not weights[1:].any()


def test_classes_before_the_flop() -> None:
    shares = answered(ask("random", R25)).value[0]
    equities, weights = class_equities(shares)
    assert not np.isnan(equities).any()
    assert weights.sum() == pytest.approx(1, abs=1e-6)
    against = combo_equities((), ask("AA", R25).players[1].weights)
    assert equities[0] == pytest.approx(against[1325], abs=1e-6)


def test_pictures_of_nothing_are_refused() -> None:
    empty = shares_of({}, {})
    for picture in (equity_curve, class_equities):
        with pytest.raises(EquityError, match="weight"):
            picture(empty)
        with pytest.raises(EquityError, match="1326"):
            picture(ComboShares(np.ones(3, dtype=np.float32), empty.equities))


def test_an_exact_answer_comes_without_a_preview_that_finds_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    question = ask("AA,KK,QQ,AK,JJ", "QQ,JJ,TT,AQ", "99+,AJ", board="Ks7d2h")
    assert next(iter(range_equities(question))).method is Method.SAMPLED
    monkeypatch.setattr(engine.equity.range_equities._Work, "_preview", lambda _: None)
    methods = [answer.method for answer in range_equities(question)]
    assert Method.SAMPLED not in methods
    assert methods[-1] is Method.EXACT
