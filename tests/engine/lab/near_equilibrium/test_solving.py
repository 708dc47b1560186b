"""The small game's cards, what best responses win, and that solving makes them win less."""

from pathlib import Path

import numpy as np
import pytest

from engine.agents.near_equilibrium.betting_tree import Step, betting_tree
from engine.agents.near_equilibrium.buckets import bucket_count, preflop_buckets
from engine.agents.near_equilibrium.strategy import Strategy, parse_strategy
from engine.cards import Street
from engine.equity.matchups import range_odds
from engine.lab.near_equilibrium import solving
from engine.lab.near_equilibrium.best_response import best_response, exploitability, small_blind_wins
from engine.lab.near_equilibrium.small_game import Deals, Odds, deal, showdown_odds
from engine.lab.near_equilibrium.solving import SolvingError, solve


@pytest.fixture(scope="module")
def deals() -> Deals:
    return deal(1000, 1)


@pytest.fixture(scope="module")
def odds(deals: Deals) -> Odds:
    return showdown_odds(deals)


def always(*wanted: Step) -> Strategy:
    """Give the strategy that takes the first of some steps that there is."""
    tables = []
    for place in betting_tree():
        table = np.zeros((bucket_count(place.street), len(place.steps)))
        table[:, list(place.steps).index(next(step for step in wanted if step in place.steps))] = 1.0
        tables.append(table)
    return tuple(tables)


FOLDING, CALLING = always(Step.FOLD, Step.CALL), always(Step.CALL)
PUSHING = always(Step.ALL_IN, Step.CALL)


def test_deals_are_the_same_for_the_same_seed_and_fair() -> None:
    one, other = deal(20, 3), deal(20, 3)
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert set(one.shares.tolist()) <= {0.0, 0.5, 1.0}


def test_showdown_odds_of_two_players_sum_to_the_pot(odds: Odds) -> None:
    for street, table in zip(Street, odds, strict=True):
        assert table.shape == (bucket_count(street),) * 2
        assert table + table.T == pytest.approx(1)
    assert odds[Street.RIVER][8, 0] > 0.6 > 0.4 > odds[Street.RIVER][0, 8]


def test_odds_before_the_flop_are_those_of_ranges(odds: Odds) -> None:
    ranges = [np.where(preflop_buckets() == bucket, 1.0, 0.0) for bucket in (13, 4)]
    won = range_odds(*ranges)
    assert odds[0][13, 4] == pytest.approx((won.win + won.tie / 2) / sum(won))


def test_best_responses_to_who_folds_take_the_blinds(deals: Deals, odds: Odds) -> None:
    """The small blind wins 1 big blind each hand, the big blind a half."""
    lost = exploitability(FOLDING, deals, deals, odds)
    assert (lost.value, lost.stderr) == (pytest.approx(0.75), pytest.approx(0))


def test_a_best_response_to_who_goes_all_in_calls_when_that_wins_more_than_the_blind(
    deals: Deals, odds: Odds
) -> None:
    response = best_response(1, PUSHING, deals, odds)
    facing = betting_tree()[0].steps[Step.ALL_IN]
    first, second = deals.buckets[:, 0].T
    for bucket in range(bucket_count(Street.PREFLOP)):
        met = second == bucket
        assert met.any()
        call = 200 * (1 - 2 * odds[0][first[met], bucket]).mean()
        calls = response[facing.number][bucket][list(facing.steps).index(Step.CALL)]  # type: ignore[union-attr]
        assert calls == (call > -1)


def test_who_calls_wins_of_itself_what_cards_give(deals: Deals, odds: Odds) -> None:
    rivers = deals.buckets[:, Street.RIVER].T
    assert small_blind_wins(CALLING, CALLING, deals, odds) == pytest.approx(2 * odds[3][rivers[0], rivers[1]] - 1)


@pytest.mark.slow
def test_the_more_iterations_the_less_a_best_response_wins(deals: Deals, odds: Odds) -> None:
    said: list[str] = []
    few, many = (solve(deals, odds, iterations, 1, said.append) for iterations in (20, 3000))
    won = [exploitability(strategy, deals, deals, odds).value for strategy in (few, many, FOLDING)]
    assert won[1] < won[0] / 1.5
    again = solve(deals, odds, 20, 1, said.append)
    assert all((one == other).all() for one, other in zip(few, again, strict=True))


def test_the_command_writes_a_strategy_and_says_what_beats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "solved.npz"
    assert solving.main(["--iterations", "2", "--deals", "10", "--file", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Best responses win ")
    assert len(parse_strategy(path.read_bytes())) == len(betting_tree())


def test_what_cannot_be_solved_is_told(
    deals: Deals, odds: Odds, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert solving.main(["--deals", "0"]) == 2
    assert capsys.readouterr().err == "Solving takes an iteration and a deal at least.\n"

    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(solving, "import_module", absent)
    with pytest.raises(SolvingError, match=r"^Solving needs OpenSpiel: pip install soulread\[solving\]\.$"):
        solve(deals, odds, 1, 1, print)
