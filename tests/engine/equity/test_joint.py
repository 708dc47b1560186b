"""How likely each combo is in the joint deal, against lists of all deals."""

import numpy as np
import pytest

from engine.cards import COMBO_COUNT
from engine.equity.joint import Sums, joint_deals, joint_marginals
from tests.reference.questions import live_of


def listed(live: Sums) -> Sums:
    joint = joint_deals(live, 2_000_000)
    assert joint is not None
    deals, weights = joint
    return np.array([np.bincount(combos, weights, COMBO_COUNT) for combos in deals.T]) / weights.sum()


@pytest.mark.parametrize(
    "hands",
    [
        ("AA", "KK"),
        ("AA,KK:0.3", "AK,AA:0.01"),
        ("AA", "AK", "KK"),
        ("AA,AK:0.2", "AK,KK", "AA:0.5,KK,QQ"),
        ("99+,AK", "TT+,AQ+", "AK,88+"),
        ("AhKh", "AA,KK,QQ", "AK"),
        ("AhKh", "AA,KK", "AK,QQ", "QQ,JJ,AQ"),
        ("AhKh", "AsKs"),
        ("AhKh", "QQ", "JcJd", "AK,QQ"),
    ],
)
def test_the_weights_of_small_ranges_are_exact(hands: tuple[str, ...]) -> None:
    live = live_of(*hands)
    assert joint_marginals(live) == pytest.approx(listed(live), rel=1e-9, abs=1e-13)


def test_what_cannot_be_dealt_weighs_nothing() -> None:
    # Beside two players with an ace each and AA of the third, there is no fourth ace but one.
    live = live_of("AA", "AhKh,AdKd,2c2d", "AsQs,AcQc,3c3d")
    weights = joint_marginals(live)
    assert ((weights > 0) == (listed(live) > 0)).all()


@pytest.mark.parametrize(
    "hands",
    [
        ("AhAd,KhKd:{}", "AhAs,QhQd:{}"),
        ("AhAd,KhKd:{}", "AhAs,QhQd:{}", "22,33:{}"),
        ("AhAd,KhKd:{}", "AhAs,QhQd:{}", "AhAc,JhJd:{}"),
    ],
)
def test_what_nearly_always_clashes_is_added_up(hands: tuple[str, ...]) -> None:
    live = live_of(*[text.format("0.5") for text in hands])
    live[live == 0.5] = 1e-15
    assert joint_marginals(live) == pytest.approx(listed(live), rel=1e-9, abs=1e-40)


def test_scale_does_not_matter() -> None:
    live = live_of("AA,KK:0.3,AK", "AK,KQ", "QQ,AQ:0.1")
    assert joint_marginals(live * np.array([[1e-9], [3.0], [1e9]])) == pytest.approx(joint_marginals(live))
