"""Blinds that rise by hands or laps, when a tournament is over, and who wins which share of the prizes."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.codec import decode, encode
from engine.game.events import CALL, CHECK, FOLD, GameKind, HandStarted, Seat, raise_to, start_of
from engine.game.format_file import built_in
from engine.game.formats import GameConfig, GameFormat, Level, SeatConfig
from engine.play import Dealer
from engine.session_state import DealerState, SeatRecord

LAPS = GameFormat(
    kind=GameKind.TOURNAMENT,
    starting_stack=1000,
    small_blind=5,
    big_blind=10,
    doubles_each_lap=True,
    ends_at_half=True,
)


def game(game_format: GameFormat, count: int, seed: int = 0) -> GameConfig:
    return game_format.game(tuple(SeatConfig(f"p{seat}", "scripted") for seat in range(count)), seed=seed)


def play_hand(dealer: Dealer, rng: random.Random) -> HandStarted:
    """Play a hand in which many go all-in."""
    dealer.start_hand()
    while dealer.to_act is not None:
        legal = dealer.legal_actions()
        assert legal is not None
        options = [FOLD, CHECK if legal.can_check else CALL]
        options += [raise_to(legal.max_raise_to)] if legal.can_raise else []
        dealer.apply(rng.choice(options))
    started = start_of(dealer.events)
    return started


def blinds(started: HandStarted) -> tuple[int, int, int]:
    return started.small_blind, started.big_blind, started.ante


def test_blinds_rise_after_so_many_hands_and_stay_at_the_last() -> None:
    levels = (Level(15, 30), Level(25, 50, 5))
    config = structs.replace(
        game(built_in("tournament"), 4),
        starting_stack=10**6,
        levels=levels,
        hands_per_level=3,
        is_big_blind_ante=False,
    )
    dealer, seen, news = Dealer(config, {}), [], []
    for _ in range(10):
        state = dealer.state
        coming = state.next_level(config)
        news.append(None if coming is None else (coming.hands, coming.rules.big_blind, coming.rules.ante))
        dealer.start_hand()
        started = start_of(dealer.events)
        seen.append(blinds(started))
        while dealer.to_act is not None:
            dealer.apply(FOLD)
    assert seen == [(10, 20, 0)] * 3 + [(15, 30, 0)] * 3 + [(25, 50, 5)] * 4
    assert news == [*((n, 30, 0) for n in (3, 2, 1)), *((n, 50, 5) for n in (3, 2, 1)), None, None, None, None]


def test_hands_are_left_only_at_blinds_that_stay() -> None:
    config = structs.replace(
        game(built_in("tournament"), 4),
        starting_stack=10**6,
        levels=(Level(15, 30),),
        hands_per_level=3,
        max_hands=6,
    )
    dealer = Dealer(config, {})
    left = [play_hand(dealer, random.Random(1)).hands_left for _ in range(5)]
    assert left == [None, None, None, 2, 1]


@given(st.integers(3, 10), st.integers(0, 10**6))
def test_blinds_double_once_the_button_was_at_every_seat_that_is_left(count: int, seed: int) -> None:
    rng = random.Random(seed)
    config = structs.replace(game(LAPS, count, seed), ends_at_half=False, rebuys=seed % 2)
    dealer = Dealer(config, {})
    factor, visited = 1, set[Seat]()
    for _ in range(40):
        if dealer.end_reason is not None:
            break
        chips = sum(dealer.stacks.values())
        coming = dealer.state.next_level(config)
        assert coming is not None
        assert 1 <= coming.hands <= count
        started = play_hand(dealer, rng)
        assert started.hands_left is None
        assert started.small_blind * 2 == started.big_blind
        assert started.big_blind == 10 * factor or (10 * factor > chips and started.big_blind * 2 > chips)
        visited.add(started.button)
        left = {
            seat for seat, record in enumerate(dealer.state.seats) if record.stack or record.rebuys < config.rebuys
        }
        if left <= visited:
            factor, visited = 2 * factor, set()
        dealer = Dealer.restore(config, decode(encode(dealer.state), DealerState), {})


@given(st.integers(3, 10), st.integers(0, 10**6))
def test_it_ends_when_no_more_than_half_are_left(count: int, seed: int) -> None:
    rng, config = random.Random(seed), game(LAPS, count, seed)
    dealer, before = Dealer(config, {}), count
    for _ in range(200):
        if dealer.end_reason is not None:
            break
        assert 2 * before > count
        play_hand(dealer, rng)
        before = sum(stack > 0 for stack in dealer.stacks.values())
    assert 2 * before <= count, "blinds that double end it"
    assert dealer.end_reason in (
        f"No more than half of the {count} players are left.",
        *(f"Only p{seat} has chips left." for seat in range(count)),
    )
    assert len([place for place in dealer.places.values() if place <= before]) == before


def test_a_rebuy_keeps_a_player_in() -> None:
    state = DealerState(3, (SeatRecord(0, 1000), SeatRecord(0, 1000), SeatRecord(3000, 1000)))
    config = structs.replace(game(LAPS, 3), rebuys=1)
    assert Dealer.restore(config, state, {}).end_reason is None
    assert Dealer.restore(game(LAPS, 3), state, {}).end_reason == "Only p2 has chips left."


@pytest.mark.parametrize(
    ("out_in_hand", "prizes"),
    [
        ((0, 9, 8, 7), (2.5, 1.5, 1.0, 0.0)),  # 5 buy-ins: four players and a rebuy
        ((0, 9, 9, 7), (2.5, 1.25, 1.25, 0.0)),  # the second and third share 30% and 20%
        ((0, 9, 7, 7), (2.5, 1.5, 0.5, 0.5)),
        ((0, 7, 7, 7), (2.5, 2.5 / 3, 2.5 / 3, 2.5 / 3)),
    ],
)
def test_prizes_are_shares_of_all_buy_ins(out_in_hand: tuple[int, ...], prizes: tuple[float, ...]) -> None:
    records = tuple(SeatRecord(0 if hand else 7500, 1500, 0, hand, 100 if hand else 0) for hand in out_in_hand)
    records = (structs.replace(records[0], bought_in=3000), *records[1:])
    found = DealerState(9, records).prizes(game(built_in("tournament"), 4))
    assert tuple(found[seat] for seat in range(4)) == pytest.approx(prizes)
    assert DealerState(9, records).prizes(game(LAPS, 4)) == {}


@given(st.integers(4, 10), st.integers(0, 10**6))
def test_all_that_was_bought_in_is_paid_out(count: int, seed: int) -> None:
    rng = random.Random(seed)
    config = structs.replace(game(built_in("tournament"), count, seed), rebuys=seed % 3, hands_per_level=1)
    dealer = Dealer(config, {})
    for _ in range(60):
        if dealer.end_reason is None:
            play_hand(dealer, rng)
        buy_ins = sum(dealer.bought_in.values()) / config.starting_stack
        assert sum(dealer.state.prizes(config).values()) == pytest.approx(buy_ins)
        assert sum(dealer.state.prize_worth(config).values()) == pytest.approx(buy_ins)


def test_chips_are_worth_what_they_win_of_the_prizes() -> None:
    """Of four one is out in the fourth place and wins nothing; the others divide all four buy-ins."""
    config = game(built_in("tournament"), 4)
    records = (*(SeatRecord(2_000, 1_500) for _ in range(3)), SeatRecord(0, 1_500, 0, 5, 1_000))
    assert DealerState(9, records).prize_worth(config) == pytest.approx({0: 4 / 3, 1: 4 / 3, 2: 4 / 3, 3: 0})
    bought = structs.replace(config, rebuys=1)
    assert DealerState(9, records).prize_worth(bought)[3] > 0
    over = (SeatRecord(6_000, 1_500), *(SeatRecord(0, 1_500, 0, hand, 1_000) for hand in (9, 8, 7)))
    assert DealerState(9, over).prize_worth(config) == DealerState(9, over).prizes(config)
    assert DealerState(9, over).prize_worth(game(LAPS, 4)) == {}


def test_a_state_stored_by_version_0_1_goes_on() -> None:
    stored = b'{"hands_dealt":2,"seats":[{"stack":900,"bought_in":1000},{"stack":1100,"bought_in":1000}]}'
    state = decode(stored, DealerState)
    assert (state.lap, state.buttons) == (0, ())
    assert Dealer.restore(game(structs.replace(LAPS, ends_at_half=False), 2), state, {}).start_hand()
