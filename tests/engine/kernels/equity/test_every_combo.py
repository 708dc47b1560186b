"""Every combo against the same deals, against a loop over them."""

import numpy as np
import pytest

from engine.cards import COMBO_CARDS, COMBO_COUNT, COMBO_MASK, cards_of
from engine.kernels.equity.every_combo import Deals, Hands, judge_hands
from engine.kernels.evaluator import START_KEY, tables
from engine.strength import strength


@pytest.mark.parametrize("shared", [0, 3, 5])
def test_sums_are_those_of_a_loop(shared: int) -> None:
    rng = np.random.default_rng(shared)
    card_key, card_mask = tables().card_key, tables().card_mask
    combos = np.sort(rng.choice(COMBO_COUNT, 40, replace=False))
    weights, group, class_of_group = rng.random(40), np.arange(40) // 2, np.arange(20) // 5
    hands = Hands(
        COMBO_MASK[combos],
        card_key[COMBO_CARDS[combos]].sum(axis=1, dtype=np.uint64),
        card_mask[COMBO_CARDS[combos]].sum(axis=1, dtype=np.uint64),
        weights,
        group,
        class_of_group,
    )
    board = rng.permutation(52)[:shared]
    expected = np.zeros((6, 20 + 4 + 1))
    rows = []
    for _ in range(30):
        dealt = rng.permutation([card for card in range(52) if card not in board])
        runout, others = dealt[: 5 - shared], dealt[5 - shared : 9 - shared].reshape(2, 2)
        complete = [*board.tolist(), *runout.tolist()]
        theirs = [strength([*held.tolist(), *complete]) for held in others]
        used = sum(1 << card for card in (*complete, *others.ravel().tolist()))
        weight = rng.random()
        key = (int(START_KEY) + sum(int(card_key[card]) for card in complete)) % 2**64
        rows.append(
            (used, key, sum(1 << card for card in runout.tolist()), max(theirs), theirs.count(max(theirs)), weight)
        )
        left, won = np.zeros((2, 25))
        for at, combo in enumerate(combos.tolist()):
            if int(COMBO_MASK[combo]) & used:
                continue
            mine = strength([*cards_of(combo), *complete])
            share = 1.0 if mine > max(theirs) else 1 / (1 + rows[-1][4]) if mine == max(theirs) else 0.0
            for place in (group[at], 20 + class_of_group[group[at]], 24):
                left[place] += weight * weights[at]
                won[place] += weight * weights[at] * share
        expected += left, left**2, won, left * won, won**2, left * left[24]
    columns = zip(*rows, strict=True)
    kinds = (np.uint64, np.uint64, np.uint64, np.int16, np.int64, np.float64)
    deals = Deals(*[np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)])
    known = np.uint64(sum(1 << card for card in board.tolist()))
    found = judge_hands(tables(), hands, known, card_mask[board].sum(dtype=np.uint64), deals)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert expected[2].any()
