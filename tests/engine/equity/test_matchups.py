"""Which matchup two combos are."""

from itertools import permutations

import numpy as np
import pytest

from engine.cards import COMBO_COUNT, COMBO_MASK, cards_of, combo_of, relabel_suits
from engine.equity.heads_up import BOARDS, heads_up_table, range_odds
from engine.equity.matchups import (
    IMPOSSIBLE,
    MATCHUP_COUNT,
    deals_of_matchups,
    numbers_of,
    places,
    weights_of_matchups,
)

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
