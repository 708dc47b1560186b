"""The table: what it announces, in which order, and what each seat may see of it."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Card, Street, parse_cards
from engine.codec import decode, encode
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsDealt,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    SeatStart,
    UncalledBetReturned,
    end_of,
    raise_to,
    start_of,
)
from engine.game.observation import LegalActions, Observation, Pot
from engine.game.rules import IllegalActionError, RulesError, TableRules
from engine.game.table import Table
from tests.engine.game.hands import act, actors, deal
from tests.engine.game.test_against_pokerkit import RandomPlayer, random_table


def cards(text: str) -> tuple[Card, Card]:
    first, second = parse_cards(text)
    return first, second


# Two whole hands, event by event


def test_golden_a_hand_that_goes_to_a_showdown() -> None:
    """Three seats, antes of 5; kings raise and bet the flop and turn, an ace comes, all check the river."""
    table = deal(
        {2: 1000, 5: 800, 7: 600},
        button=5,
        ante=5,
        hole_cards={2: "AcQd", 5: "KhKs", 7: "7h6h"},
        board="Kd8s2c Ad 3h",
    )
    assert table.events == (
        HandStarted(
            hand_number=1,
            kind=GameKind.CASH,
            seats=(SeatStart(2, "p2", 1000), SeatStart(5, "p5", 800), SeatStart(7, "p7", 600)),
            button=5,
            small_blind=10,
            big_blind=20,
            ante=5,
        ),
        Posted(7, PostKind.ANTE, 5, False),
        Posted(2, PostKind.ANTE, 5, False),
        Posted(5, PostKind.ANTE, 5, False),
        Posted(7, PostKind.SMALL_BLIND, 10, False),
        Posted(2, PostKind.BIG_BLIND, 20, False),
    )
    assert act(table, "r60") == (
        ActionTaken(
            5, Street.PREFLOP, raise_to(60), amount=60, is_all_in=False, to_call=20, pot=45, stack=795, bet=0
        ),
    )
    assert act(table, "f") == (
        ActionTaken(7, Street.PREFLOP, FOLD, amount=0, is_all_in=False, to_call=50, pot=105, stack=585, bet=10),
    )
    assert act(table, "c") == (
        ActionTaken(2, Street.PREFLOP, CALL, amount=40, is_all_in=False, to_call=40, pot=105, stack=975, bet=20),
        BoardDealt(Street.FLOP, parse_cards("Kd8s2c")),
    )
    act(table, "x r70")
    assert act(table, "c") == (
        ActionTaken(2, Street.FLOP, CALL, amount=70, is_all_in=False, to_call=70, pot=215, stack=935, bet=0),
        BoardDealt(Street.TURN, parse_cards("Ad")),
    )
    act(table, "x r200")
    assert act(table, "c")[1:] == (BoardDealt(Street.RIVER, parse_cards("3h")),)
    assert act(table, "x x") == (
        ActionTaken(5, Street.RIVER, CHECK, amount=0, is_all_in=False, to_call=0, pot=685, stack=465, bet=0),
        # Nobody bet the river: the first seat left of the button shows first (TDA Rule 17-A).
        HoleCardsShown(2, cards("AcQd")),
        HoleCardsShown(5, cards("KsKh")),
        PotAwarded(5, 0, 685),
        HandEnded((665, 1150, 585)),
    )
    assert table.is_over
    assert table.to_act is None


def test_golden_an_all_in_with_a_side_pot() -> None:
    """Tens are all-in before the flop against aces and a bigger stack's queens; the tens win the main pot."""
    table = deal(
        [500, 100, 300],
        hole_cards={0: "QhQc", 1: "ThTc", 2: "AhAc"},
        board="Ts 9d 4c 4h 2s",
    )
    act(table, "r60 r100")
    assert act(table, "r300") == (
        ActionTaken(
            2, Street.PREFLOP, raise_to(300), amount=280, is_all_in=True, to_call=80, pot=180, stack=280, bet=20
        ),
    )
    assert table.legal_actions() == LegalActions(False, 240, 0, 0)
    assert act(table, "c") == (
        ActionTaken(0, Street.PREFLOP, CALL, amount=240, is_all_in=False, to_call=240, pot=460, stack=440, bet=60),
        # TDA Rule 16: all hands are turned up before the next card; the last to raise begins.
        HoleCardsShown(2, cards("AhAc")),
        HoleCardsShown(0, cards("QhQc")),
        HoleCardsShown(1, cards("ThTc")),
        BoardDealt(Street.FLOP, parse_cards("Ts9d4c")),
        BoardDealt(Street.TURN, parse_cards("4h")),
        BoardDealt(Street.RIVER, parse_cards("2s")),
        PotAwarded(2, 1, 400),
        PotAwarded(1, 0, 300),
        HandEnded((200, 300, 400)),
    )


# Ends


def test_when_all_fold_the_bet_goes_back_and_nothing_is_shown() -> None:
    table = deal([500] * 3)
    assert act(table, "r60 f f")[1:] == (
        UncalledBetReturned(0, 40),
        PotAwarded(0, 0, 50),
        HandEnded((530, 490, 480)),
    )


def test_a_walk() -> None:
    table = deal([500] * 3)
    assert act(table, "f f")[1:] == (
        UncalledBetReturned(2, 10),
        PotAwarded(2, 0, 20),
        HandEnded((500, 490, 510)),
    )


def test_the_last_to_bet_the_river_shows_first_and_a_beaten_hand_is_mucked() -> None:
    """TDA Rule 17-A."""
    table = deal(
        [500] * 3,
        hole_cards={0: "AhAc", 1: "KhKc", 2: "QhQc"},
        board="2s 5d 7c 9h Js",
    )
    act(table, "c c x x x x x x x x")
    events = act(table, "r40 c c")
    assert actors(table)[-4:] == [1, 2, 0, 1]
    assert [type(event) for event in events[-5:]] == [
        HoleCardsShown,
        HoleCardsShown,
        HoleCardsMucked,
        PotAwarded,
        HandEnded,
    ]
    # 2 bet with queens and must show them; the aces beat them; the kings are not seen.
    assert [event.seat for event in events[-5:-1]] == [2, 0, 1, 0]  # type: ignore[union-attr]


def test_a_tie_is_shown_not_mucked() -> None:
    table = deal([500] * 2, hole_cards={0: "AhKc", 1: "AcKd"}, board="2s 5d 7c 9h Js")
    events = act(table, "c x x x x x x x")
    assert [event for event in events if isinstance(event, PotAwarded)] == [
        PotAwarded(1, 0, 20),
        PotAwarded(0, 0, 20),
    ]
    assert sum(isinstance(event, HoleCardsShown) for event in events) == 2
    assert table.legal_actions() is None


def test_no_hand_is_mucked_when_somebody_is_all_in_on_the_river() -> None:
    """TDA Rule 16: all hands in main and side pots are tabled, beaten ones too."""
    table = deal(
        [500, 60, 500],
        hole_cards={0: "2h3c", 1: "AhAc", 2: "KhKc"},
        board="5d 7c 9h Js Qs",
    )
    act(table, "r60 c c")
    events = act(table, "x x x x r40 c")
    shown = [event.seat for event in events if isinstance(event, HoleCardsShown)]
    assert shown == [2, 0, 1]
    assert not any(isinstance(event, HoleCardsMucked) for event in events)


def test_blinds_that_put_all_in_play_the_hand_at_once() -> None:
    table = deal([8, 15], hole_cards={0: "AhAc", 1: "KhKc"}, board="2s 5d 7c 9h Js")
    assert table.is_over
    assert table.events[1:5] == (
        Posted(0, PostKind.SMALL_BLIND, 8, True),
        Posted(1, PostKind.BIG_BLIND, 15, True),
        UncalledBetReturned(1, 7),
        HoleCardsShown(1, cards("KhKc")),
    )
    assert table.stacks == {0: 16, 1: 7}


def test_a_dead_small_blind_is_not_announced() -> None:
    """TDA Rule 32, dead button: the big blind is all that is posted."""
    table = deal([1000, 1000, 1000], has_small_blind=False)
    assert [event for event in table.events if isinstance(event, Posted)] == [
        Posted(1, PostKind.BIG_BLIND, 20, False)
    ]


# What is refused


def test_an_illegal_action_changes_nothing() -> None:
    table = deal([500] * 3)
    before = [encode(table.observe(seat)) for seat in table.seats]
    with pytest.raises(IllegalActionError, match=re.escape("Raise to at least 40 (the big blind is 20)")):
        table.apply(raise_to(30))
    with pytest.raises(IllegalActionError):
        table.apply(CHECK)
    assert [encode(table.observe(seat)) for seat in table.seats] == before


@pytest.mark.parametrize(
    ("seats", "button", "deck", "why"),
    [
        ((3, 1), 3, range(52), "Seats must stand in rising order, and these are [3, 1]."),
        ((1, 1), 1, range(52), "Seats must stand in rising order, and these are [1, 1]."),
        ((1, 3), 2, range(52), "The button must be at a seat dealt in, and 2 is none of [1, 3]."),
        ((1, 3), 1, range(51), "A deck must hold each of the 52 cards once."),
        ((1, 3), 1, [0, *range(51)], "A deck must hold each of the 52 cards once."),
    ],
)
def test_an_impossible_table_is_refused(seats: tuple[int, int], button: int, deck: range, why: str) -> None:
    with pytest.raises(RulesError) as caught:
        Table(
            hand_number=1,
            kind=GameKind.CASH,
            seats=[SeatStart(seat, str(seat), 100) for seat in seats],
            button=button,
            rules=TableRules(1, 2),
            deck=[Card(card) for card in deck],
        )
    assert str(caught.value) == why


def test_a_seat_that_was_not_dealt_in_sees_nothing() -> None:
    table = deal([500] * 2)
    with pytest.raises(ValueError, match="Seat 4 was not dealt in"):
        table.observe(4)
    with pytest.raises(ValueError, match="Seat 4 was not dealt in"):
        table.private_event(4)


# What a seat sees


def test_an_observation_field_by_field() -> None:
    table = deal([500, 60, 500], hole_cards={0: "AhKd"}, board="2s 5d 7c 9h Js", ante=5)
    act(table, "r100 c c x")
    mine = table.observe(0)
    assert table.private_event(0) == HoleCardsDealt(0, cards("AhKd"))
    assert mine.hole_cards == cards("AhKd")
    assert (mine.hand_number, mine.kind, mine.button) == (1, GameKind.CASH, 0)
    assert (mine.small_blind, mine.big_blind, mine.ante) == (10, 20, 5)
    assert (mine.street, mine.board) == (Street.FLOP, parse_cards("2s5d7c"))
    assert mine.pots == (Pot(180, (0, 1, 2)), Pot(90, (0, 2)))
    assert mine.pot == 270
    assert mine.to_act == 0
    assert mine.legal == LegalActions(can_check=True, call_amount=0, min_raise_to=20, max_raise_to=395)
    assert [(view.stack, view.bet, view.committed) for view in mine.seats] == [
        (395, 0, 105),
        (0, 0, 60),
        (395, 0, 105),
    ]
    assert [view.is_all_in for view in mine.seats] == [False, True, False]
    assert [view.shown for view in mine.seats] == [None, None, None]
    assert mine.events == table.events
    theirs = table.observe(2)
    assert theirs.legal is None
    assert theirs.hole_cards != mine.hole_cards
    assert decode(encode(mine), Observation) == mine


def test_the_views_of_an_observation() -> None:
    table = deal([500] * 3)
    act(table, "r60 f")
    seen = table.observe(1)
    assert seen.me == seen.view(1) == seen.seats[1]
    assert not seen.me.is_live
    assert [view.seat for view in seen.opponents] == [0, 2]
    with pytest.raises(ValueError, match="Seat 9 was not dealt into hand 1"):
        seen.view(9)


def test_an_ante_for_all_is_in_the_pot_and_nobodys() -> None:
    table = deal([500, 500, 25], rules=TableRules(10, 20, big_blind_ante=20))
    assert (table.seats, table.button) == ((0, 1, 2), 0)
    seen = table.observe(0)
    assert (seen.pot, seen.dead) == (35, 5), "what is left of a short big blind"
    assert [view.committed for view in seen.seats] == [0, 10, 20]
    assert deal([500] * 3).observe(0).dead == 0


def test_the_final_observation_shows_what_was_shown() -> None:
    table = deal([500] * 3, hole_cards={0: "AhAc", 1: "KhKc", 2: "QhQc"}, board="2s 5d 7c 9h Js")
    act(table, "c c x x x x x x x r40 c c")
    seen = table.observe(2)
    assert seen.pots == ()
    assert seen.to_act is None
    assert [view.shown for view in seen.seats] == [cards("AhAc"), cards("KhKc"), None]
    assert seen.hole_cards == cards("QhQc")


# Demand: no way to see a hidden card


def reshuffled(table: Table, seat: int, rng: random.Random) -> Table:
    """Play the same hand again with every card changed that `seat` has not seen."""
    seen = table.observe(seat)
    started = start_of(seen.events)
    count = len(started.seats)
    order = [start.seat for start in started.seats]
    at = order.index(started.button) + 1
    order = order[at:] + order[:at]
    known = {seat: seen.hole_cards}
    known |= {view.seat: view.shown for view in seen.seats if view.shown is not None}
    deck: list[int | None] = [None] * CARD_COUNT
    for turn, owner in enumerate(order):
        if owner in known:
            deck[turn], deck[count + turn] = known[owner]
    for place, card in enumerate(seen.board):
        deck[2 * count + place] = card
    hidden = [card for card in range(CARD_COUNT) if card not in deck]
    rng.shuffle(hidden)
    other = Table(
        hand_number=started.hand_number,
        kind=started.kind,
        seats=started.seats,
        button=started.button,
        rules=table._betting.rules,
        deck=[Card(hidden.pop() if card is None else card) for card in deck],
        has_small_blind=table.big_blind_seat != order[0],
    )
    for event in seen.events:
        if isinstance(event, ActionTaken):
            other.apply(event.action)
    return other


@given(st.integers(0, 2**32))
def test_reshuffling_every_hidden_card_changes_no_observation(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng)
    player = RandomPlayer(rng)
    while table.to_act is not None:
        for seat in table.seats:
            other = reshuffled(table, seat, rng)
            assert other.observe(seat) == table.observe(seat)
            assert encode(other.observe(seat)) == encode(table.observe(seat))
        legal = table.legal_actions()
        assert legal is not None
        table.apply(player.choose(legal))


def test_the_reshuffle_does_change_what_is_hidden() -> None:
    """Guards the property above against comparing a hand with itself."""
    table = deal([500] * 3)
    other = reshuffled(table, 0, random.Random(1))
    assert other.private_event(1) != table.private_event(1)
    assert other.private_event(0) == table.private_event(0)


# Everything a table says adds up


@given(st.integers(0, 2**32))
def test_the_events_account_for_every_chip(seed: int) -> None:
    table = random_table(random.Random(seed))
    player = RandomPlayer(random.Random(seed))
    said: list[PublicEvent] = list(table.events)
    while table.to_act is not None:
        legal = table.legal_actions()
        assert legal is not None
        said += table.apply(player.choose(legal))
    assert tuple(said) == table.events
    started, ended = start_of(said), end_of(said)
    stacks = {start.seat: start.stack for start in started.seats}
    pot = 0
    for event in said:
        match event:
            case Posted(seat=seat, amount=amount, is_all_in=is_all_in):
                stacks[seat] -= amount
                pot += amount
                assert amount > 0
                assert is_all_in == (stacks[seat] == 0)
            case ActionTaken(seat=seat, amount=amount, is_all_in=is_all_in):
                assert (event.stack, event.pot) == (stacks[seat], pot)
                assert event.to_call <= event.stack
                stacks[seat] -= amount
                pot += amount
                assert is_all_in == (stacks[seat] == 0)
                if event.action.raise_to:
                    assert event.bet + amount == event.action.raise_to
            case UncalledBetReturned(seat=seat, amount=amount):
                stacks[seat] += amount
                pot -= amount
            case PotAwarded(seat=seat, amount=amount):
                stacks[seat] += amount
                pot -= amount
    assert pot == 0
    assert tuple(stacks.values()) == ended.stacks
