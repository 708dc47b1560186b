"""Who gets the pots, at the smallest stacks and after whatever a server has told."""

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import HoleCards, parse_cards
from engine.game.events import ActionKind, GameKind, HandStarted, SeatStart
from engine.game.observation import Pot
from engine.join.awards import awards_by_cards, awards_of_huawei, shared_out
from engine.join.followed_hand import FollowedHand

DECK = parse_cards("AhAd KhKd QhQd JhJd 2c7d9sTc3h")
HOLES: dict[int, HoleCards] = {place: (DECK[2 * place], DECK[2 * place + 1]) for place in range(4)}
TINY = st.integers(0, 3)


@st.composite
def hands(draw: st.DrawFn) -> FollowedHand:
    """A hand of one-chip stacks and such, in which a server's figures may be any."""
    stacks = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    players = tuple(SeatStart(seat, f"player {seat}", stack) for seat, stack in enumerate(stacks))
    started = HandStarted(1, GameKind.TOURNAMENT, players, button=0, small_blind=1, big_blind=2, ante=0)
    hand = FollowedHand(started, own_seat=0, hole_cards=HOLES[0])
    seats = st.integers(0, len(stacks) - 1)
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.booleans()):
            hand.act(draw(seats), draw(st.sampled_from(ActionKind)), put_in=draw(TINY))
        else:
            hand.check(
                draw(seats),
                stack=draw(st.none() | TINY),
                committed=draw(st.none() | TINY),
                is_folded=draw(st.none() | st.booleans()),
                pot=draw(st.none() | st.integers(0, 12)),
            )
    hand.deal(DECK[8:])
    return hand


@given(hands())
def test_all_chips_are_given_to_who_may_win_them_and_the_hand_stays_as_it_is(hand: FollowedHand) -> None:
    followed = hand._hand
    betting = followed.betting
    before = (betting.phase, betting.to_act, betting.stacks, betting.bets, betting.committed, hand.observe())
    pots = followed.pots()
    awards = awards_by_cards(followed, HOLES)
    after = (betting.phase, betting.to_act, betting.stacks, betting.bets, betting.committed, hand.observe())
    assert after == before
    live = set(hand.stacks) - hand.folded
    if not live or not all(pot.seats for pot in pots):
        assert awards is None
        return
    assert awards is not None
    for number, pot in enumerate(pots):
        dead = betting.dead if number == 0 else 0
        assert sum(award.amount for award in awards if award.pot == number) == pot.amount - dead
        assert {award.seat for award in awards if award.pot == number} <= set(pot.seats) & live


def test_chips_that_nobody_left_has_paid_for() -> None:
    """A one-chip stack is told to have put in nothing and to have nothing, and who put in the rest has folded."""
    players = (SeatStart(0, "one chip", 1), SeatStart(1, "two chips", 2))
    started = HandStarted(1, GameKind.TOURNAMENT, players, button=0, small_blind=1, big_blind=2, ante=0)
    hand = FollowedHand(started, own_seat=0, hole_cards=HOLES[0])
    hand.check(0, stack=0, committed=0)
    hand.check(1, stack=0, committed=2, is_folded=True)
    assert awards_by_cards(hand._hand, HOLES) is None
    hand.end()
    assert hand.stacks == {0: 0, 1: 1}  # the second chip, which nobody had called, is back


@given(hands(), st.dictionaries(st.integers(0, 3), st.integers(0, 9)))
def test_any_hand_ends(hand: FollowedHand, stacks: dict[int, int]) -> None:
    final = {seat: chips for seat, chips in stacks.items() if seat in hand.stacks}
    hand.end(final)
    assert hand.stacks | final == hand.stacks


@given(
    st.dictionaries(st.integers(0, 3), TINY),
    st.lists(st.builds(Pot, TINY, st.lists(st.integers(0, 3), unique=True).map(tuple)), max_size=3),
)
def test_what_a_server_says_is_shared_out_whole(won: dict[int, int], pots: list[Pot]) -> None:
    awards = shared_out(won, pots)
    assert {seat: sum(one.amount for one in awards if one.seat == seat) for seat in won} == won
    assert all(one.amount > 0 for one in awards)


def test_who_folds_loses_all_to_the_main_pot_at_the_huawei_server() -> None:
    """2 puts in 900 and folds later; 1 is all-in for 300 with the best cards and wins the 900, too."""
    players = tuple(SeatStart(seat, f"p{seat}", stack) for seat, stack in enumerate((1000, 300, 1000, 1000)))
    started = HandStarted(1, GameKind.TOURNAMENT, players, button=3, small_blind=10, big_blind=20, ante=0)
    hand = FollowedHand(started, own_seat=0)
    for seat, total in ((2, 900), (3, None), (0, 900), (1, 300)):
        hand.act(seat, ActionKind.FOLD if total is None else None, street_total=total)
    hand.deal(DECK[8:11])
    hand.act(0, ActionKind.CHECK)
    hand.act(2, ActionKind.FOLD)
    hand.deal(DECK[11:])
    cards = {0: HOLES[1], 1: HOLES[0], 2: HOLES[2]}
    ours = awards_by_cards(hand._hand, cards)
    theirs = awards_of_huawei(hand._hand, cards)
    assert ours is not None
    assert theirs is not None
    assert {one.seat: one.amount for one in ours} == {1: 900, 0: 1200}
    # 300 of each who stayed, and all that 2 has put in.
    assert sum(one.amount for one in theirs if one.seat == 1) == 300 + 300 + 900
    assert sum(one.amount for one in theirs if one.seat == 0) == 600


@given(hands())
def test_the_huawei_server_gives_out_all_chips(hand: FollowedHand) -> None:
    awards = awards_of_huawei(hand._hand, HOLES)
    assert (awards is None) == (awards_by_cards(hand._hand, HOLES) is None)
    if awards is not None:
        assert sum(award.amount for award in awards) == hand.pot
        assert {award.seat for award in awards} <= set(hand.stacks) - hand.folded
