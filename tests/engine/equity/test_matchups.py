"""Which matchup two combos are, and the table of all results before the flop, against every board."""

import json
import os
import subprocess
import sys
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import COMBO_COUNT, COMBO_MASK, cards_of, combo_of, parse_cards, relabel_suits
from engine.equity import matchups
from engine.equity.checks import EquityError
from engine.equity.matchups import (
    BOARDS,
    IMPOSSIBLE,
    MATCHUP_COUNT,
    build_steps,
    deals_of_matchups,
    heads_up_table,
    is_ready,
    numbers_of,
    places,
    preflop_equities,
    range_odds,
    weights_of_matchups,
)
from engine.kernels.equity.preflop_boards import count_preflop, rank_lists
from engine.kernels.evaluator import tables
from engine.ranges import parse_range
from tests.conftest import ROOT
from tests.reference.questions import R1, R2

IS_POSSIBLE = (COMBO_MASK[:, None] & COMBO_MASK) == 0


def test_the_matchups_are_all_and_different() -> None:
    # Each deal's least form over all relabellings, both orders of the players: every one of them is in the table.
    deals = deals_of_matchups()
    assert deals.shape == (MATCHUP_COUNT, 2)
    mine, theirs = np.nonzero(IS_POSSIBLE)
    relabelled = [
        np.array([combo_of(*relabel_suits(cards_of(each), permutation)) for each in range(COMBO_COUNT)])
        for permutation in permutations(range(4))
    ]

    def least(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        forms = [
            COMBO_COUNT * names[a] + names[b] for names in relabelled for a, b in ((first, second), (second, first))
        ]
        return np.min(forms, axis=0)

    forms = least(deals[:, 0], deals[:, 1])
    assert len(set(forms.tolist())) == MATCHUP_COUNT
    rng = np.random.default_rng(1)
    some = rng.integers(0, len(mine), 20_000)
    assert set(least(mine[some], theirs[some]).tolist()) <= set(forms.tolist())


def test_places_name_each_matchup_and_its_mirror() -> None:
    combos = np.arange(COMBO_COUNT)
    place = places()[numbers_of(combos, combos)]
    assert np.array_equal(place == IMPOSSIBLE, ~IS_POSSIBLE)
    assert np.array_equal(np.unique(place[IS_POSSIBLE] >> 1), np.arange(MATCHUP_COUNT))
    # Whoever has the deal's first combo stands first in the matchup.
    first, second = deals_of_matchups().T
    assert np.array_equal(place[first, second], 2 * np.arange(MATCHUP_COUNT))
    assert np.array_equal(place[second, first] >> 1, np.arange(MATCHUP_COUNT))
    # The other way round a matchup is another one, unless it is its own mirror image.
    mirrored = place[second, first] & 1
    assert 0 < np.count_nonzero(mirrored == 0) < 1000
    wins, ties = heads_up_table().counts[mirrored == 0].T.astype(np.int64)
    assert np.array_equal(2 * wins + ties, np.full(len(wins), BOARDS))


def test_weights_by_matchup_are_those_of_all_deals() -> None:
    rng = np.random.default_rng(2)
    own, other = rng.random((2, COMBO_COUNT)) * (rng.random((2, COMBO_COUNT)) < 0.3)
    by_matchup = weights_of_matchups(own, other)
    assert by_matchup.sum() == pytest.approx(own @ IS_POSSIBLE @ other)
    wins, ties = heads_up_table().counts.T.astype(np.float64)
    straight, flipped = by_matchup.T
    win, tie, lose = range_odds(own, other)
    assert straight @ wins + flipped @ (BOARDS - wins - ties) == pytest.approx(win)
    assert (straight + flipped) @ ties == pytest.approx(tie)
    assert win + tie + lose == pytest.approx(by_matchup.sum() * BOARDS)


combos = st.integers(0, COMBO_COUNT - 1)


def weights(text: str) -> np.ndarray:
    return parse_range(text).weights


def combo(text: str) -> int:
    return combo_of(*parse_cards(text))


def matchup(first: int, second: int) -> tuple[float, float, float]:
    """Return the wins, losses and ties of one combo against another."""
    win, tie, lose = range_odds(np.arange(COMBO_COUNT) == first, np.arange(COMBO_COUNT) == second)
    return win, lose, tie


def is_dealable(first: int, second: int) -> bool:
    return not int(COMBO_MASK[first] & COMBO_MASK[second])


# ---- one against one


@given(combos, combos)
def test_matchups_are_those_of_the_general_count(first: int, second: int) -> None:
    if not is_dealable(first, second):
        with pytest.raises(EquityError, match="No cards can be dealt to the two ranges"):
            matchup(first, second)
        return
    outcomes = np.zeros(4)
    deal = np.array([[first, second]], dtype=np.int16)
    count_preflop(tables().flush_strength, rank_lists(), deal, np.ones(1), np.uint64(0), outcomes)
    _, won, lost, tied = outcomes.tolist()
    assert matchup(first, second) == (won, lost, tied)
    assert won + lost + tied == BOARDS == comb(48, 5)


@given(combos, combos)
def test_suits_and_the_order_of_the_players_do_not_matter(first: int, second: int) -> None:
    if is_dealable(first, second):
        won, lost, tied = matchup(first, second)
        assert matchup(second, first) == (lost, won, tied)
        for permutation in permutations(range(4)):
            named = [combo_of(*relabel_suits(cards_of(each), permutation)) for each in (first, second)]
            assert matchup(*named) == (won, lost, tied)


@pytest.mark.parametrize(
    ("hands", "counts"),
    [(("AhKh", "QsQd"), (787_966, 917_606, 6_732)), (("AsAh", "KsKh"), (1_410_336, 292_660, 9_308))],
)
def test_published_matchups(hands: tuple[str, str], counts: tuple[int, int, int]) -> None:
    assert matchup(combo(hands[0]), combo(hands[1])) == counts


# ---- ranges


def test_published_answers() -> None:
    assert range_odds(weights("AhKh"), weights(R1)) == (180_038_370, 19_512_964, 113_800_298)
    assert range_odds(weights(R2), weights(R1)) == (10_443_662_268, 511_805_500, 5_355_940_136)


def test_any_two_against_any_two() -> None:
    win, tie, lose = range_odds(weights("random"), weights("random"))
    assert win == lose
    assert win + tie + lose == comb(52, 2) * comb(50, 2) * BOARDS == 2_781_381_002_400


@given(st.lists(combos, min_size=1, max_size=6), st.lists(combos, min_size=1, max_size=6), st.randoms())
def test_range_odds_add_up_matchups(mine: list[int], theirs: list[int], random) -> None:
    own, other = np.zeros((2, COMBO_COUNT))
    own[mine] = [10.0 ** random.randint(-12, 12) for _ in mine]
    other[theirs] = [10.0 ** random.randint(-12, 12) for _ in theirs]
    expected = np.zeros(3)
    for first in set(mine):
        for second in set(theirs):
            if is_dealable(first, second):
                win, lose, tie = matchup(first, second)
                expected += own[first] * other[second] * np.array([win, tie, lose])
    if expected.any():
        assert range_odds(own, other) == pytest.approx(tuple(expected), rel=1e-14)
    else:
        with pytest.raises(EquityError, match="No cards can be dealt"):
            range_odds(own, other)


@pytest.mark.parametrize(
    ("mine", "theirs", "message"),
    [
        (weights("AsKs"), weights("AsQd"), "No cards can be dealt to the two ranges together"),
        (weights("AA"), np.zeros(1326), "The second range is empty"),
        (weights("AA"), np.zeros(1325), r"The second range has 1326 weights.*\(1325,\)"),
        (np.full(1326, np.nan), weights("AA"), "nan: weights are finite"),
        (np.where(np.arange(1326) == 9, np.inf, 1), weights("AA"), "inf: weights are finite"),
        (weights("AA"), np.where(np.arange(1326) == 9, -1, 1), "-1.0: weights are finite and not negative"),
        (weights("AA").astype(complex), weights("AA"), "numbers as weights, not complex"),
    ],
)
def test_refuses_what_are_no_ranges(mine: np.ndarray, theirs: np.ndarray, message: str) -> None:
    with pytest.raises(EquityError, match=message):
        range_odds(mine, theirs)


# ---- every combo


def test_equities_against_a_hand_are_those_of_the_matchups() -> None:
    queens = combo("QsQd")
    equities = preflop_equities(weights("QsQd"))
    for each in range(0, COMBO_COUNT, 7):
        if is_dealable(each, queens):
            win, _, tie = matchup(each, queens)
            assert equities[each] == pytest.approx((win + tie / 2) / BOARDS, rel=1e-7)
        else:
            assert equities[each] == 0
    assert equities.dtype == np.float32


@pytest.mark.parametrize("spread", [0, 3, 60, 250])
def test_equities_against_weights_over_many_magnitudes(spread: int) -> None:
    rng = np.random.default_rng(spread)
    theirs = 10.0 ** rng.uniform(-spread, 0, COMBO_COUNT) * (rng.random(COMBO_COUNT) < 0.05)
    # Hands that block all but the least of it still have an equity.
    theirs[[combo("AsAh"), combo("7d2c")]] = 1e20, 10.0**-spread
    equities = preflop_equities(theirs)
    for each in [combo("AsAd"), *rng.integers(0, COMBO_COUNT, 40).tolist()]:
        own = np.zeros(COMBO_COUNT)
        own[each] = 1
        win, tie, lose = range_odds(own, theirs)
        assert equities[each] == pytest.approx((win + tie / 2) / (win + tie + lose), rel=1e-7)


def test_equities_against_any_two_are_the_published_ones() -> None:
    equities = preflop_equities(np.ones(COMBO_COUNT))
    published = {"AsAh": 0.8520, "KdKc": 0.8240, "2s2h": 0.5033, "AhKh": 0.6704, "AsKd": 0.6532, "3s2d": 0.3230}
    for text, equity in published.items():
        assert equities[combo(text)] == pytest.approx(equity, abs=0.00006)
    assert equities.astype(np.float64).mean() == pytest.approx(0.5, abs=1e-7)


def test_equities_of_nobody_are_none() -> None:
    assert not preflop_equities(np.zeros(COMBO_COUNT)).any()
    with pytest.raises(EquityError, match="not negative"):
        preflop_equities(np.full(COMBO_COUNT, -1.0))


# ---- building and storing

LOOK_UP = """
import json, sys
import numpy as np
from engine.equity.matchups import heads_up_table, is_ready, range_odds
was_ready, odds = is_ready(), range_odds(*np.eye(1326)[[1325, 1000]])
print(json.dumps([was_ready, odds, "numba" in sys.modules, len(heads_up_table().counts)]))
"""


def test_steps_count_what_is_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stored: dict[str, np.ndarray] = {}
    expected = heads_up_table().counts
    monkeypatch.setattr(matchups, "_table", None)
    monkeypatch.setattr(matchups, "stored_arrays", lambda name: None)
    monkeypatch.setattr(matchups, "store_arrays", lambda name, arrays: stored.update(arrays))
    assert not is_ready()
    done = list(build_steps())
    assert done == sorted(done)
    assert done[-1] == 1
    assert is_ready()
    assert np.array_equal(stored["counts"], expected)
    assert stored["counts"].nbytes < 400_000
    assert list(build_steps()) == []


def test_cancelled_it_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchups, "_table", None)
    monkeypatch.setattr(matchups, "stored_arrays", lambda name: None)
    steps = build_steps()
    next(steps)
    steps.close()
    assert not is_ready()


@pytest.mark.parametrize(
    "arrays",
    [{}, {"counts": np.zeros((5, 2), dtype=np.uint32)}, {"counts": np.zeros((MATCHUP_COUNT, 2))}],
)
def test_another_table_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch, arrays: dict[str, np.ndarray]) -> None:
    monkeypatch.setattr(matchups, "_table", None)
    monkeypatch.setattr(matchups, "stored_arrays", lambda name: arrays)
    assert not is_ready()


def test_a_stored_table_answers_without_a_compiler() -> None:
    heads_up_table()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOOK_UP],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [
        True,
        list(range_odds(*np.eye(COMBO_COUNT)[[1325, 1000]])),
        False,
        MATCHUP_COUNT,
    ]
