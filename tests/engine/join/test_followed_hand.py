"""Hands told message by message: the same as at our own table, and the server's figures where they differ."""

import logging
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from engine.cards import Card, HoleCards, Street, parse_cards
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    SeatStart,
    UncalledBetReturned,
    start_of,
)
from engine.game.history import observation_at
from engine.game.observation import LegalActions
from engine.game.rules import Phase, TableRules
from engine.game.statistics import Ratio, count_hand
from engine.game.table import Table
from engine.join.corrected_hand import Disagreement, FollowError, ForcedPost, HouseRules
from engine.join.followed_hand import FollowedHand
from tests.engine.game.test_history import moments, new_table, stack_lists
from tests.engine.played import shown_of


def cards_in(text: str) -> list[Card]:
    """Read cards of which one may stand twice."""
    return [parse_cards(text[at : at + 2])[0] for at in range(0, len(text), 2)]


def pair(text: str) -> HoleCards:
    first, second = cards_in(text)
    return first, second


def told(
    stacks: tuple[int, ...] = (1000, 1000, 1000),
    *,
    button: int = 0,
    small_blind: int = 10,
    posts: list[ForcedPost] | None = None,
    own_seat: int = 0,
    hole_cards: str | None = "AhAd",
    max_raises: int = 0,
    first_to_act: int | None = None,
    rules: HouseRules | None = None,
) -> FollowedHand:
    """A hand of players p0, p1, ... with blinds of 10 and 20."""
    seats = tuple(SeatStart(seat, f"p{seat}", stack) for seat, stack in enumerate(stacks))
    return FollowedHand(
        HandStarted(7, GameKind.TOURNAMENT, seats, button, small_blind=small_blind, big_blind=20, ante=0),
        own_seat,
        hole_cards=None if hole_cards is None else pair(hole_cards),
        posts=posts,
        first_to_act=first_to_act,
        house=structs.replace(rules or HouseRules(), max_raises=max_raises),
    )


def play(hand: FollowedHand, text: str) -> None:
    """Take actions of whoever is to act: `f x c`, `r60` to a street total, a board in brackets."""
    for word in text.split():
        if word.startswith("["):
            hand.deal(parse_cards(word.strip("[]")))
            continue
        assert hand.to_act is not None
        kind = {"f": ActionKind.FOLD, "x": ActionKind.CHECK, "c": ActionKind.CALL}.get(word, ActionKind.RAISE)
        hand.act(hand.to_act, kind, street_total=int(word[1:]) if kind is ActionKind.RAISE else None)


def tell(hand: FollowedHand, event: PublicEvent, way: int) -> None:
    """Tell an event of another table in one of the ways that servers have."""
    match event:
        case ActionTaken():
            kind = event.action.kind
            bare = kind is not ActionKind.RAISE and way == 0
            if kind is ActionKind.FOLD or bare:
                hand.act(event.seat, kind)
            elif way == 1:
                hand.act(event.seat, kind, put_in=event.amount)
            elif way == 2:
                hand.act(event.seat, street_total=event.bet + event.amount)
            elif event.is_all_in:
                hand.act(event.seat, put_in=hand.stacks[event.seat])
            else:
                hand.act(event.seat, kind, hand_total=hand.committed[event.seat] + event.amount)
        case BoardDealt():
            hand.deal(event.cards)
        case HoleCardsShown():
            hand.show(event.seat, event.hole_cards)
        case PotAwarded():
            hand.award(event.seat, event.amount)
        case HandEnded():
            started = start_of(hand.observe().events)
            hand.end({start.seat: stack for start, stack in zip(started.seats, event.stacks, strict=True)})


def follow(table: Table, seat: int) -> FollowedHand:
    """Begin to follow a hand that has just begun at our own table."""
    started = start_of(table.events)
    return FollowedHand(started, seat, hole_cards=table.private_event(seat).hole_cards)


@given(st.integers(0, 2**32), stack_lists, st.integers(0, 3), st.integers(0, 9))
@example(seed=0, stacks=[3, 4], ante=3, pick=0)
@example(seed=1, stacks=[300, 12, 7], ante=3, pick=1)
def test_it_gives_what_our_own_table_gives(seed: int, stacks: list[int], ante: int, pick: int) -> None:
    chance = random.Random(seed)
    table = new_table(seed, stacks, TableRules(5, 10, ante))
    seat = table.seats[pick % len(stacks)]
    hand = follow(table, seat)
    done = 0
    for moment in moments(table, random.Random(seed)):
        for number, event in enumerate(moment.events):
            if number < done or isinstance(event, HandStarted | Posted | UncalledBetReturned):
                continue
            tell(hand, event, chance.randrange(4))
        done = len(moment.events)
        seen = moment.observe(seat)
        said = tuple(event for event in seen.events if not isinstance(event, HoleCardsMucked))  # no server says it
        assert hand.observe() == structs.replace(seen, events=said)
    assert not hand.disagreements
    assert hand.stacks == table.stacks


@given(st.integers(0, 2**32), stack_lists, st.integers(0, 9))
def test_the_pots_are_given_out_by_our_rules_where_nobody_says(seed: int, stacks: list[int], pick: int) -> None:
    table = new_table(seed, stacks)
    *_, last = moments(table, random.Random(seed))
    seat = table.seats[pick % len(stacks)]
    hand = follow(new_table(seed, stacks), seat)
    for event in last.events:
        # Everybody who is beaten shows here, too, since our rules cannot know who threw away what.
        if isinstance(event, HoleCardsMucked):
            hand.show(event.seat, table.private_event(event.seat).hole_cards)
        elif isinstance(event, ActionTaken | BoardDealt | HoleCardsShown):
            tell(hand, event, 1)
    hand.end()
    assert hand.stacks == table.stacks
    assert not hand.disagreements


# Posts


def test_heads_up_with_a_single_blind() -> None:
    """The Huawei server heads-up: the seat without the button posts the small blind, and the button acts first."""
    hand = told((1000, 1000), button=0, posts=[ForcedPost(1, PostKind.SMALL_BLIND, 10)])
    assert hand.to_act == 0
    assert hand.observe().legal == LegalActions(False, 10, 30, 1000)
    play(hand, "c x [2c3c4c]")
    assert hand.to_act == 1
    assert hand.pot == 20
    play(hand, "x")
    assert hand.observe().legal == LegalActions(True, 0, 20, 990)
    assert not hand.disagreements


def test_missing_small_blind() -> None:
    hand = told((500,) * 4, button=0, posts=[ForcedPost(1, PostKind.BIG_BLIND, 20)], own_seat=2)
    assert hand.to_act == 2
    assert hand.observe().legal == LegalActions(False, 20, 40, 500)


def test_blinds_posted_short_and_a_straddle() -> None:
    posts = [
        ForcedPost(1, PostKind.SMALL_BLIND, 10),
        ForcedPost(2, PostKind.BIG_BLIND, 15),
        ForcedPost(3, PostKind.STRADDLE, 40),
    ]
    hand = told((500, 500, 15, 500), posts=posts)
    assert [event for event in hand.observe().events if isinstance(event, Posted)] == [
        Posted(1, PostKind.SMALL_BLIND, 10, False),
        Posted(2, PostKind.BIG_BLIND, 15, True),
        Posted(3, PostKind.STRADDLE, 40, False),
    ]
    assert hand.observe().legal == LegalActions(False, 40, 60, 500)
    play(hand, "c c")
    assert hand.to_act == 3


def test_both_blinds_of_a_table_whose_button_posts_the_big_one() -> None:
    posts = [ForcedPost(0, PostKind.SMALL_BLIND, 10), ForcedPost(1, PostKind.BIG_BLIND, 20)]
    hand = told((1000, 1000), button=1, posts=posts)
    assert hand.to_act == 0
    play(hand, "c x [2c3c4c]")
    assert hand.to_act == 0
    other = told((1000, 1000, 1000), first_to_act=2)
    assert other.to_act == 2


# What the server says otherwise


def test_another_turn(caplog: pytest.LogCaptureFixture) -> None:
    hand = told()
    with caplog.at_level(logging.WARNING):
        hand.act(2, ActionKind.RAISE, street_total=60)
    assert hand.disagreements == [Disagreement("whose turn it is", "p0's", "p2's")]
    assert "Hand 7, whose turn it is: p0's by our count, p2's by the server's." in caplog.text
    assert hand.to_act == 0
    play(hand, "c c [2c3c4c]")
    assert hand.to_act == 1


def test_a_raise_below_our_least_and_above_our_count_of_the_stack() -> None:
    hand = told()
    hand.act(0, ActionKind.RAISE, street_total=30)
    assert hand.disagreements == [Disagreement("least raise of p0", "40", "30")]
    assert hand.bets == {0: 30, 1: 10, 2: 20}
    hand.act(1, street_total=1500)
    assert hand.disagreements[1:] == [Disagreement("stack of p1", "990", "1490")]
    assert (hand.stacks[1], hand.to_act) == (0, 2)


def test_a_raise_beyond_the_cap_and_one_that_reopens_nothing() -> None:
    hand = told(max_raises=1)
    play(hand, "r60")
    assert hand.observe().legal is None
    hand.act(1, street_total=120)
    assert hand.disagreements == [Disagreement("most chips in front of p1", "60", "120")]
    assert hand.bets[1] == 120
    short = told((1000, 1000, 65))
    play(short, "r60 c")
    short.act(2, put_in=short.stacks[2])
    short.act(0, street_total=200)
    assert [disagreement.ours for disagreement in short.disagreements] == ["65"]
    assert short.bets == {0: 200, 1: 60, 2: 65}


def test_a_raise_that_nobody_can_call() -> None:
    hand = told((1000, 50), button=0, own_seat=1)
    play(hand, "c")
    hand.act(1, put_in=hand.stacks[1])
    hand.act(0, ActionKind.RAISE, street_total=1000)
    assert hand.disagreements == [Disagreement("most chips in front of p0", "50", "1000")]
    assert hand.phase.name == "RUN_OUT"
    assert hand.check(0, stack=0)
    assert hand.check(0, stack=950)
    assert hand.check(pot=1050)
    assert hand.check(pot=100)


def test_chips_win_over_words() -> None:
    hand = told()
    hand.act(0, ActionKind.RAISE, put_in=20)
    event = hand.observe().events[-1]
    assert isinstance(event, ActionTaken)
    assert event.action == CALL
    assert hand.disagreements == [Disagreement("p0's action", "call", "raise")]


@pytest.mark.parametrize(("put_in", "action"), [(0, CHECK), (5, CALL)])
def test_less_to_call_than_we_think(put_in: int, action: object) -> None:
    hand = told((1000, 18, 1000))
    play(hand, "r100")
    hand.act(1, put_in=put_in)
    event = hand.observe().events[-1]
    assert isinstance(event, ActionTaken)
    assert (event.action, event.amount, event.bet, event.to_call) == (action, put_in, 10, put_in)
    assert hand.disagreements == [Disagreement("chips for p1 to call", "8", str(put_in))]
    assert (hand.stacks[1], hand.to_act) == (8 - put_in, 2)


def test_another_street_and_another_end_than_we_expect() -> None:
    hand = told()
    play(hand, "c")
    hand.deal(parse_cards("2c3c4c"))
    assert hand.disagreements == [Disagreement("what comes next", "p1 is to act", "another street")]
    assert (hand.street, hand.to_act) == (Street.FLOP, 1)
    hand.end({0: 1020, 1: 990, 2: 980})
    assert [disagreement.theirs for disagreement in hand.disagreements[1:]] == ["the hand is over"]
    assert hand.stacks == {0: 1020, 1: 990, 2: 980}
    assert [event for event in hand.observe().events if isinstance(event, PotAwarded)] == [PotAwarded(0, 0, 40)]


def test_betting_goes_on_where_we_think_it_is_over() -> None:
    hand = told((1000, 60, 1000))
    play(hand, "r60 c f [2c3c4c5c6c]")
    assert hand.phase.name == "SHOWDOWN"
    before = told((1000, 60, 1000))
    play(before, "r200 c f")
    assert before.stacks[0] == 940
    before.act(2, street_total=400)  # who folded, by our count
    assert [disagreement.ours for disagreement in before.disagreements] == ["nobody's"]
    assert before.committed == {0: 200, 1: 60, 2: 400}
    assert before.to_act == 0
    assert not any(isinstance(event, UncalledBetReturned) for event in before.observe().events)


def test_figures_are_compared_and_taken_over() -> None:
    hand = told()
    play(hand, "r60 c")
    assert hand.check(0, stack=940, bet=60, committed=60, pot=140)
    assert not hand.disagreements
    assert not hand.check(1, stack=930, committed=70)
    assert hand.disagreements == [
        Disagreement("stack of p1", "940", "930"),
        Disagreement("chips in this hand of p1", "60", "70"),
    ]
    assert (hand.stacks[1], hand.bets[1], hand.pot) == (930, 70, 150)
    assert not hand.check(pot=190)
    assert hand.observe().pots[0].amount == hand.pot == 190
    hand.act(2, ActionKind.FOLD)
    event = hand.observe().events[-1]
    assert isinstance(event, ActionTaken)
    assert event.pot == 190


def test_an_uncalled_bet_may_be_returned_now_or_with_the_pot() -> None:
    hand = told()
    play(hand, "r60 f f")
    assert hand.check(0, stack=940, committed=60, pot=90)
    assert hand.check(0, stack=980, committed=20, pot=50)
    hand.award(0, 90)
    hand.end({0: 1030, 1: 990, 2: 980})
    assert not hand.disagreements
    assert hand.stacks[0] == 1030


def test_a_pot_that_nobody_gets() -> None:
    hand = told()
    play(hand, "f f")
    assert hand.stacks == {0: 1000, 1: 990, 2: 990}  # what nobody has called of the big blind is back
    hand.discard_pot()
    hand.end()
    assert not hand.disagreements
    assert hand.stacks == {0: 1000, 1: 990, 2: 980}


LENIENT = HouseRules(takes_any_bet=True)


def test_bets_against_nobody_come_back_with_the_pot() -> None:
    """p0 has called an all-in and bets on every street; the server's figures have it all in the middle."""
    hand = told((1000, 500, 1000), rules=LENIENT)
    play(hand, "r800 c f [2c3d4h]")
    hand.act(0, hand_total=850)
    assert hand.check(0, stack=150, committed=850, pot=1370)
    hand.deal(parse_cards("9s"))
    hand.act(0, ActionKind.CHECK)
    hand.deal(parse_cards("Ts"))
    hand.act(0, hand_total=1000)
    assert hand.check(0, stack=0, committed=1000, pot=1520)
    hand.show(0, pair("AhAd"))
    hand.show(1, pair("QhQd"))
    hand.award(0, 1520)
    hand.end({0: 1520, 1: 0})
    assert not hand.disagreements
    assert hand.stacks == {0: 1520, 1: 0, 2: 980}


def test_who_folds_against_nobody_loses_what_had_come_back() -> None:
    hand = told((1000, 500, 1000), rules=LENIENT)
    play(hand, "r800 c f [2c3d4h]")
    hand.act(0, hand_total=850)
    hand.act(0, ActionKind.FOLD)
    assert (hand.phase, hand.pot, hand.stacks) == (Phase.FOLDED_OUT, 1370, {0: 150, 1: 0, 2: 980})
    assert not any(isinstance(event, UncalledBetReturned) for event in hand.observe().events)
    hand.award(1, 1370)
    hand.end()
    assert not hand.disagreements
    assert hand.stacks == {0: 150, 1: 1370, 2: 980}


def test_a_last_player_who_is_asked_all_the_same() -> None:
    hand = told(rules=LENIENT)
    play(hand, "f f")
    hand.act(2, hand_total=500)
    assert hand.check(2, stack=500, committed=500, pot=510)
    hand.award(2, 510)
    hand.end()
    assert not hand.disagreements
    assert hand.stacks == {0: 1000, 1: 990, 2: 1010}


def test_raises_of_any_size_without_a_word() -> None:
    """Less than the least raise, and more than anybody has."""
    hand = told((1000, 400, 400), rules=LENIENT)
    play(hand, "r60 r70 r400")
    hand.act(0, hand_total=900)
    assert hand.check(0, stack=100, committed=900)
    assert not hand.disagreements


def test_the_server_gives_the_pots_to_others() -> None:
    """The side pot goes to p1 and the main pot to p2 by the server, which our cards would give to p0."""
    hand = told((1000, 1000, 60))
    play(hand, "r60 c c [2c3d4h] x r100 c [9sTs]")
    hand.show(1, pair("KhKd"))
    hand.show(2, pair("QhQd"))
    hand.award(1, 200)
    hand.award(2, 180)
    hand.end()
    assert [disagreement.what for disagreement in hand.disagreements[-3:]] == [
        "what p0 wins",
        "what p1 wins",
        "what p2 wins",
    ]
    awards = {
        event.seat: (event.pot, event.amount) for event in hand.observe().events if isinstance(event, PotAwarded)
    }
    assert awards == {1: (1, 200), 2: (0, 180)}
    assert hand.stacks == {0: 840, 1: 1040, 2: 180}


def test_a_pot_of_unknown_cards_goes_where_the_stacks_say() -> None:
    hand = told((1000, 1000))
    play(hand, "c x [2c3c4c] x x [5d] x x [6d] x x")
    hand.end({0: 1020})
    assert not hand.disagreements
    assert hand.stacks == {0: 1020, 1: 980}
    unknown = told((1000, 1000))
    play(unknown, "c x [2c3c4c] x x [5d] x x [6d] x x")
    unknown.end()
    assert unknown.disagreements == [Disagreement("the pot", "40", "nothing said")]
    assert count_hand(unknown.observe().events)[0].net == -20


# Being asked


def test_whether_there_is_anything_to_decide() -> None:
    hand = told((1000, 1000, 50), own_seat=1)
    assert hand.ask(0)
    assert not hand.disagreements
    play(hand, "f")
    assert hand.ask(1)
    play(hand, "r100 c")
    assert not hand.ask(1)  # the last with chips has nothing to call
    assert not hand.ask(2)  # all-in
    assert not hand.ask(0)  # folded
    assert not hand.disagreements


def test_being_asked_where_we_think_it_is_another_seats_turn() -> None:
    hand = told(own_seat=2)
    assert hand.ask(2)
    assert hand.observe().legal == LegalActions(True, 0, 40, 1000)
    assert [disagreement.what for disagreement in hand.disagreements] == ["whose turn it is"]


# Cards


def test_the_whole_board_may_be_told_each_time() -> None:
    hand = told()
    play(hand, "c c x")
    hand.deal_up_to(())
    hand.deal_up_to(parse_cards("2c3c4c"))
    hand.deal_up_to(parse_cards("2c3c4c"))
    assert hand.board == parse_cards("2c3c4c")
    with pytest.raises(FollowError, match="The board was 2c3c4c and is now 2c3c5c"):
        hand.deal_up_to(parse_cards("2c3c5c"))


def test_cards_of_who_folded_are_shown_and_count_as_no_showdown() -> None:
    hand = told(own_seat=0)
    play(hand, "f f")
    for seat, cards in enumerate(("AhAd", "2c7d", "3c8d")):
        hand.show(seat, pair(cards))
        hand.show(seat, pair(cards))
    hand.end()
    assert sum(isinstance(event, HoleCardsShown) for event in hand.observe().events) == 3
    assert {counts.went_to_showdown for counts in count_hand(hand.observe().events).values()} == {Ratio(0, 0)}
    assert hand.observe().view(1).shown == shown_of(hand)[1] == pair("7d2c")


def test_our_own_cards_may_come_later_and_be_others() -> None:
    hand = told(hole_cards=None)
    with pytest.raises(FollowError, match="Our hole cards are not known yet"):
        hand.observe()
    hand.hold(pair("2c3c"))
    assert hand.observe().hole_cards == pair("3c2c")
    hand.show(0, pair("4c5c"))
    assert hand.disagreements == [Disagreement("our hole cards", "3c2c", "5c4c")]
    assert hand.observe().hole_cards == pair("5c4c")


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("AhKc2d", "The Ah is p0's already"),
        ("KcKc2d", "The Kc is told already"),
        ("Kc2d", "2 cards cannot follow a board of 0"),
        ("2d3d4d5d6d7d", "6 cards cannot follow a board of 0"),
        ("QhKc2d", "The Qh is p1's already"),
    ],
)
def test_boards_that_cannot_be(cards: str, message: str) -> None:
    hand = told()
    hand.show(1, pair("QhQd"))
    with pytest.raises(FollowError, match=message):
        hand.deal(cards_in(cards))
    assert hand.board == ()


def test_what_cannot_be_part_of_a_hand() -> None:
    hand = told()
    with pytest.raises(FollowError, match="Seat 9 was not dealt into hand 7"):
        hand.act(9, ActionKind.FOLD)
    with pytest.raises(FollowError, match="A bet or raise needs its amount"):
        hand.act(0, ActionKind.RAISE)
    with pytest.raises(FollowError, match="Nobody wins -5 chips"):
        hand.award(0, -5)
    with pytest.raises(FollowError, match="There are two hole cards, not 1"):
        hand.show(1, parse_cards("2c"))  # type: ignore[arg-type]
    play(hand, "f f")
    hand.end()
    for message in (
        lambda: hand.act(0, ActionKind.FOLD),
        hand.end,
        lambda: hand.deal(parse_cards("2c3c4c")),
        lambda: hand.award(0, 5),
        lambda: hand.ask(0),
    ):
        with pytest.raises(FollowError, match="Hand 7 is over"):
            message()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stacks": (100,)}, "A hand needs 2 to 10 players, not 1"),
        ({"stacks": (100, 0)}, "Every player dealt in needs chips, and p1 has 0"),
        ({"small_blind": 30}, "No hand is played with blinds of 30 and 20 and an ante of 0"),
        ({"button": 5}, r"and 5 is none of \[0, 1, 2\]"),
        ({"own_seat": 5}, r"and 5 is none of \[0, 1, 2\]"),
        ({"posts": [ForcedPost(1, PostKind.BIG_BLIND, 1001)]}, "p1 cannot post 1001 of 1000 chips"),
        ({"posts": [ForcedPost(8, PostKind.BIG_BLIND, 20)]}, "Seat 8 was not dealt into hand 7"),
        ({"hole_cards": "AhAh"}, "The Ah is told already"),
    ],
)
def test_hands_that_cannot_begin(changes: dict[str, object], message: str) -> None:
    with pytest.raises(FollowError, match=message):
        told(**changes)  # type: ignore[arg-type]


@given(st.integers(0, 2**32), stack_lists, st.data())
def test_whatever_a_server_says_is_followed_to_the_end(seed: int, stacks: list[int], data: st.DataObject) -> None:
    """Nonsense of any kind gives disagreements or a FollowError, never anything else; the events stay a hand."""
    table = new_table(seed, stacks)
    hand = follow(table, table.seats[0])
    seats = st.sampled_from(table.seats)
    for _ in range(data.draw(st.integers(0, 12))):
        what = data.draw(st.sampled_from(["act", "deal", "check", "ask", "show", "award"]))
        seat = data.draw(seats)
        try:
            if what == "act":
                kind = data.draw(st.sampled_from([None, *ActionKind]))
                hand.act(seat, kind, put_in=data.draw(st.none() | st.integers(0, 400)))
            elif what == "deal":
                hand.deal(data.draw(st.permutations(range(52)))[: 1 if hand.board else 3])
            elif what == "check":
                hand.check(seat, stack=data.draw(st.integers(0, 400)), pot=data.draw(st.integers(0, 900)))
            elif what == "show":
                hand.show(seat, table.private_event(seat).hole_cards)
            elif what == "award":
                hand.award(seat, data.draw(st.integers(0, 500)))
            else:
                assert hand.ask(seat) == (hand.to_act == seat)
        except FollowError:
            pass
        observation = hand.observe()
        assert observation.pot == hand.pot
    final = {seat: data.draw(st.integers(0, 900)) for seat in table.seats}
    hand.end(final)
    assert hand.stacks == final
    observation = hand.observe()
    assert (observation.to_act, observation.pots) == (None, ())
    assert observation_at(observation, len(hand.observe().events)) == observation
    assert sum(counts.hands for counts in count_hand(hand.observe().events).values()) == len(stacks)


def test_folds_are_taken_whatever_they_cost() -> None:
    hand = told()
    hand.act(0, ActionKind.FOLD, put_in=0)
    event = hand.observe().events[-1]
    assert isinstance(event, ActionTaken)
    assert event.action == FOLD
    assert hand.folded == {0}
