"""The file of the strategy, and that what ships makes sense to a player."""

from pathlib import Path

import numpy as np
import pytest

from engine import resources
from engine.agents.near_equilibrium.betting_tree import Place, Step, betting_tree
from engine.agents.near_equilibrium.buckets import bucket_count
from engine.agents.near_equilibrium.strategy import (
    LEAST_SHARE,
    RESOURCE,
    parse_strategy,
    shipped_strategy,
    strategy_bytes,
)
from engine.cards import Street
from engine.resources import ResourceError
from tests.engine.agents.near_equilibrium.test_agent import strategy_by_lot

RESOURCES = Path(__file__).parents[4] / "resources"


def test_a_strategy_comes_back_without_its_rarest_steps() -> None:
    strategy = strategy_by_lot()
    for table, found in zip(strategy, parse_strategy(strategy_bytes(strategy)), strict=True):
        assert found.sum(axis=1) == pytest.approx(1)
        kept = np.where(table >= LEAST_SHARE, table, 0.0)
        # What is just at the border can be rounded to either side.
        sure = (abs(table - LEAST_SHARE) > 0.01).all(axis=1)
        assert found[sure] == pytest.approx((kept / kept.sum(axis=1, keepdims=True))[sure], abs=0.01)
    assert strategy_bytes(strategy) == strategy_bytes(strategy_by_lot())


def test_hands_that_never_came_to_a_place_do_what_those_of_like_equity_do() -> None:
    strategy = strategy_by_lot()
    facing = after(Step.ALL_IN)
    strategy[facing.number][12] = [0.25, 0.75]
    strategy[facing.number][13] = 0.5
    flop = after(Step.POT, Step.CALL)
    strategy[flop.number][2] = [0.5, 0.25, 0.25]
    strategy[flop.number][8] = 1 / 3
    found = parse_strategy(strategy_bytes(strategy))
    assert (found[facing.number][13] == found[facing.number][12]).all()
    assert (found[flop.number][8] == found[flop.number][2]).all()


def test_a_file_that_is_missing_or_damaged_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    good = (RESOURCES / RESOURCE).read_bytes()
    for bad in (b"", b"PK", good[:500], strategy_bytes(strategy_by_lot()[:-1])):
        with pytest.raises(ResourceError, match=r"^The app's file resources/near_equilibrium\.npz is broken: "):
            parse_strategy(bad)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    shipped_strategy.cache_clear()
    try:
        with pytest.raises(ResourceError, match=r"^The app's file resources/near_equilibrium\.npz is missing; "):
            shipped_strategy()
        (tmp_path / RESOURCE).mkdir()
        with pytest.raises(
            ResourceError, match=r"^The app's file resources/near_equilibrium\.npz cannot be read: "
        ):
            shipped_strategy()
    finally:
        shipped_strategy.cache_clear()


def after(*steps: Step) -> Place:
    place = betting_tree()[0]
    for step in steps:
        found = place.steps[step]
        assert isinstance(found, Place)
        place = found
    return place


def odds_of(step: Step, place: Place, bucket: int) -> float:
    return float(shipped_strategy()[place.number][bucket][list(place.steps).index(step)])


def test_what_ships_is_small_and_plays_what_any_player_would() -> None:
    assert (RESOURCES / RESOURCE).stat().st_size < 500_000
    best = bucket_count(Street.PREFLOP) - 1
    facing = after(Step.POT)
    assert odds_of(Step.FOLD, facing, best) == 0
    assert odds_of(Step.FOLD, facing, 0) > odds_of(Step.FOLD, facing, 9)
    assert odds_of(Step.FOLD, after(Step.ALL_IN), best) == 0
    assert odds_of(Step.FOLD, after(Step.ALL_IN), 0) > 0.9
    river = after(Step.POT, Step.CALL, *[Step.CALL] * 4, Step.POT)
    assert river.street is Street.RIVER
    assert odds_of(Step.FOLD, river, 8) == 0
    folds = [odds_of(Step.FOLD, river, bucket) for bucket in range(9)]
    assert np.mean(folds[:3]) > np.mean(folds[3:6]) >= np.mean(folds[6:])
