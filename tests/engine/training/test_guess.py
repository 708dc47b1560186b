"""Guessed ranges: which moments are asked about does not depend on what was shown, and scores are logs."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.calibration import JudgedPoint
from engine.agents.readers import make_reader
from engine.agents.styles import make_agent
from engine.cards import COMBO_COUNT, Street, cards_of, unblocked
from engine.game.events import ActionKind, ActionTaken
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.history import observation_at
from engine.game.observation import Observation
from engine.play import Dealer
from engine.training.guess import KINDS, UNSURE, RangeGuess, judged_guess, moments_of, range_of_kinds, tally_of
from tests.engine.played import play_hand


def finished(seed: int) -> tuple[Observation, dict[int, tuple[int, int]]]:
    """Play a hand of bots to its end, and give what seat 0 saw and all hole cards."""
    styles = ("calling station", "loose-aggressive", "tight-passive", "maniac")
    seats = tuple(SeatConfig(f"P{at}", style) for at, style in enumerate(styles))
    dealer = Dealer(cash_game(seats, seed=seed), {at: make_agent(style) for at, style in enumerate(styles)})
    play_hand(dealer)
    return dealer.observe(0), {seat: dealer.private_event(seat).hole_cards for seat in range(4)}


@pytest.mark.parametrize("seed", range(12))
def test_moments_are_all_actions_of_others_whether_shown_in_the_end_or_not(seed: int) -> None:
    final, hole_cards = finished(seed)
    moments = moments_of(final, hole_cards)
    acted = [event for event in final.events if isinstance(event, ActionTaken) and event.seat != final.seat]
    assert len(moments) == sum(event.action.kind is not ActionKind.FOLD for event in acted)
    for count, seat in moments:
        spot = observation_at(final, count)
        assert spot.events[-1] == final.events[count - 1]
        assert spot.view(seat).is_live
        everyone_in = [one for one in moments_of(spot, hole_cards) if one[0] <= count]
        assert everyone_in == [one for one in moments if one[0] <= count], "what came later decides nothing"
    assert moments_of(final, {}) == ()


boards = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


@given(cards=boards, size=st.sampled_from([0, 3, 4, 5]), shares=st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_a_range_of_kinds_has_these_shares(cards: list[int], size: int, shares: list[int]) -> None:
    from engine.agents.reading import range_shares

    board, dead = tuple(cards[:size]), tuple(cards[:size] + cards[5:])
    weights = range_of_kinds(shares, board, dead)
    assert weights.sum() == pytest.approx(1, abs=1e-4)
    assert not weights[~unblocked(dead)].any()
    found = range_shares(weights, board)
    have = np.array([found.super_strong + found.strong, found.medium, found.weak, found.drawing])
    possible = np.array(shares, float)
    for at in range(len(KINDS)):
        only = range_of_kinds([float(at == kind) for kind in range(4)], board, dead)
        if np.count_nonzero(only) == np.count_nonzero(unblocked(dead)):
            possible[at] = 0  # there is no such hand on this board
    if possible.sum():
        assert have == pytest.approx(possible / possible.sum(), abs=1e-4)


@given(truth=st.integers(0, COMBO_COUNT - 1), seed=st.integers(0, 99))
def test_losses_are_minus_logs_of_the_true_hand(truth: int, seed: int) -> None:
    final, _ = finished(3)
    spot = next(one for one in (observation_at(final, at) for at in range(8, len(final.events))) if one.board)
    hole_cards = cards_of(truth)
    if {*hole_cards} & {*spot.board, *spot.hole_cards}:
        return
    rng = np.random.default_rng(seed)
    live = unblocked((*spot.board, *spot.hole_cards))
    drawn = (rng.random(COMBO_COUNT) < 0.3).astype(np.float32)
    read = make_reader("uniform").read(spot)[0].posterior
    guess = judged_guess(spot, drawn, read, hole_cards, rng)
    count = int(live.sum())
    own = (1 - UNSURE) * float(drawn[truth]) / float(drawn[live].sum()) + UNSURE / count
    assert guess.losses == pytest.approx((-log(own), log(count), log(count)), rel=1e-4)
    nothing = judged_guess(spot, np.zeros(COMBO_COUNT, np.float32), read, hole_cards, rng)
    assert nothing.losses[0] == pytest.approx(log(count), rel=1e-4)
    sure = np.zeros(COMBO_COUNT, np.float32)
    sure[truth] = 1
    assert judged_guess(spot, sure, read, hole_cards, rng).losses[0] < 0.03
    assert guess.street == spot.street.name.lower()
    assert spot.street is not Street.PREFLOP


def test_a_tally_is_the_mean_over_guesses_with_its_error() -> None:
    probabilities = [0.5, 0.1, 0.02, 0.3]
    guesses = [RangeGuess("flop", JudgedPoint(p, 0.45), JudgedPoint(p / 2, 0.1), 0.001) for p in probabilities]
    losses = [-log(p) for p in probabilities]
    found = tally_of(guesses).calibration
    assert found.log_loss == pytest.approx(np.mean(losses))
    assert found.stderr == pytest.approx(np.std(losses, ddof=1) / 2)
    assert tally_of(guesses, is_reader=True).calibration.log_loss == pytest.approx(np.mean(losses) + log(2))
    assert found.deciles is not None
    assert found.deciles[4] == 1
