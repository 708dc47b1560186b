"""What a seat did in a hand, against a slow version on hands by chance and real ones; and the luck taken out."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Street, parse_cards
from engine.figures.player_figures import Line, figures_of, values_of
from engine.figures.seat_hands import SHARES, is_showdown, seat_hands
from engine.game.events import CALL, FOLD, ActionKind, ActionTaken, raise_to, start_of
from engine.game.phh import RecordedHand, read_hands
from engine.game.statistics import Ratio, count_hand
from engine.game.summary import POSITIONS
from tests.conftest import SHARED
from tests.engine.figures.test_board_luck import (
    by_lot,
    deck_of,
    played,
    recorded,
    scripted,
    stacks_after,
    table_of,
)
from tests.engine.lab.recorded import random_hand
from tests.reference.statistics import counts_of

SETS = ("pluribus", "bovada_6max", "thebiggame_6max", "deepstack_hunl", "acpc2014_3p_limit", "acpc2016_hunl")


def check(hands: Iterable[RecordedHand]) -> Counter[str]:
    """Compare every seat of hands with the slow version; return how often each share had a chance and was done."""
    found: Counter[str] = Counter()
    for hand in hands:
        started = start_of(hand.events)
        rows, counted = seat_hands(hand.events, hand.hole_cards), count_hand(hand.events)
        assert rows["seat"].tolist() == [start.seat for start in started.seats]
        for row, seat in zip(np.split(rows, len(rows)), counted, strict=True):
            expected = counts_of(hand.events, seat)
            for name in SHARES:
                ratio = Ratio(*getattr(expected, name))
                assert getattr(counted[seat], name) == ratio, f"{name} of seat {seat} in {hand}"
                assert getattr(figures_of(row).counts, name) == ratio
                found[name] += ratio.chances
                found[f"{name} done"] += ratio.done
            assert (row["aggressive"].item(), row["calls"].item()) == expected.aggression
            assert counted[seat].aggression == Ratio(*expected.aggression)
            assert row["net"].item() == counted[seat].net == expected.net
            assert row["net_bb"].item() == expected.net / started.big_blind
            assert is_showdown(row).item() == bool(expected.won_at_showdown[1])
        for field in ("net", "net_bb", "all_in_bb", "value_bb"):
            assert rows[field].sum() == pytest.approx(0, abs=1e-9 * np.abs(rows[field]).sum() + 1e-9)
    return found


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 9))
def test_counts_are_those_of_a_slow_version(seed: int, seats: int) -> None:
    check([random_hand(seed, seats)])


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "limit"),
    [
        *((name, 100) for name in SETS[:2]),
        *(pytest.param(name, 600, marks=pytest.mark.long) for name in SETS[2:]),  # some have few continuation bets
    ],
)
def test_counts_of_real_hands_are_those_of_a_slow_version(name: str, limit: int) -> None:
    hands = read_hands(SHARED / "data" / "hands" / f"{name}.phhs", limit=limit)
    found = check(hand for hand in hands if isinstance(hand, RecordedHand))
    assert min(found[share] for share in SHARES) > 0


@given(seed=st.integers(0, 2**32), seats=st.integers(3, 10))
def test_positions_are_in_the_order_in_which_the_table_asks(seed: int, seats: int) -> None:
    hand = random_hand(seed, seats)
    rows = seat_hands(hand.events, hand.hole_cards)
    position = dict(zip(rows["seat"].tolist(), rows["position"].tolist(), strict=True))
    first = dict.fromkeys(event.seat for event in hand.events if isinstance(event, ActionTaken))
    asked = [position[seat] for seat in list(first)[:seats]]
    assert asked == sorted(asked)
    assert POSITIONS[position[seats - 1]] == "BTN"  # `random_hand` gives it to the last seat
    assert set(rows["players"].tolist()) == {seats}


@pytest.mark.slow
def test_all_in_before_the_river_what_is_left_is_the_mean_over_all_rivers() -> None:
    """Deals every river at our own table where all were all-in by the turn: their mean is what each is worth."""
    compared = 0
    for seed in range(60):
        lot = np.random.default_rng(seed)
        stacks = lot.integers(101, 1500, size=2 + seed % 4).tolist()
        deck, button = lot.permutation(CARD_COUNT).tolist(), int(lot.integers(len(stacks)))
        first = 2 * len(stacks) + 4

        def with_river(river: int) -> RecordedHand:
            table = table_of(stacks, deck_of((*deck[:first], river)), button)  # noqa: B023
            return played(table, by_lot(seed, Street.FLOP))  # noqa: B023

        streets = {event.street for event in with_river(deck[first]).events if isinstance(event, ActionTaken)}
        if Street.RIVER in streets:
            continue  # not all were all-in
        hands = [with_river(river) for river in deck[first:]]
        rows = [seat_hands(hand.events, hand.hole_cards) for hand in hands]
        mean = np.mean([np.array(stacks_after(hand)) - stacks for hand in hands], axis=0) / 100
        turn_luck = [row["all_in_bb"] for row in rows]
        # Whatever river came, the same is left, unless the turn was run out too.
        assert np.ptp(turn_luck, axis=0) == pytest.approx(0, abs=1e-9)
        if Street.TURN in streets:
            assert turn_luck[0] == pytest.approx(mean, abs=1e-9)
            compared += bool(mean.any() and np.ptp([stacks_after(hand) for hand in hands], axis=0).any())
    assert compared >= 3


def test_without_an_all_in_only_the_value_is_adjusted() -> None:
    hand = random_hand(7)
    rows = seat_hands(hand.events, hand.hole_cards)
    assert rows["all_in_bb"].tolist() == rows["net_bb"].tolist()
    assert rows["value_bb"].tolist() != rows["net_bb"].tolist()


def test_cards_that_are_not_known_leave_what_takes_them_open() -> None:
    deck = deck_of(parse_cards("Jc Td Th Jd Ts 2h"))
    hand = played(table_of([1000] * 3, deck), scripted([FOLD, raise_to(1000), CALL]))
    folded, *others = hand.hole_cards
    rows = seat_hands(hand.events, (None, *others))
    assert np.isnan(rows["value_bb"]).all()  # whose cards are known hangs on who won
    assert not np.isnan(rows["all_in_bb"]).any()
    unknown = seat_hands(hand.events, (folded, None, others[1]))
    assert np.isnan(unknown["all_in_bb"]).tolist() == [False, True, True]  # the first has folded
    assert unknown["net"].tolist() == rows["net"].tolist()


def test_a_hand_without_a_flop_has_no_luck_whatever_is_known() -> None:
    hand = played(table_of([1000] * 3, deck_of(())), scripted([FOLD, FOLD]))
    assert seat_hands(hand.events, (None, None, None))["value_bb"].tolist() == [0, -0.5, 0.5]


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 9))
def test_who_folds_at_once_wins_nothing_above_folding(seed: int, seats: int) -> None:
    hand = random_hand(seed, seats)  # blinds of a half and one
    rows = seat_hands(hand.events, hand.hole_cards)
    above = values_of(rows, Line.ABOVE_FOLDING)
    first = {event.seat: event.action.kind for event in reversed(hand.events) if isinstance(event, ActionTaken)}
    for at, row in enumerate(rows):
        posted = {"SB": 0.5, "BB": 1.0, "BTN": 0.5 if seats == 2 else 0.0}.get(POSITIONS[row["position"]], 0.0)
        assert row["posted_bb"] == posted
        assert above[at] == pytest.approx(row["all_in_bb"] + posted)
        if first.get(row["seat"].item()) is ActionKind.FOLD:
            assert above[at] == 0


def test_half_a_hand_is_refused() -> None:
    table = table_of([1000, 1000], deck_of(()))
    with pytest.raises(ValueError, match="whole hands"):
        seat_hands(table.events, recorded(table).hole_cards)
