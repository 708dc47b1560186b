"""The dealer: button and blinds from hand to hand, rebuys, sealed traces, and dealing the same hand again."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.agent import Agent, Decision, Trace
from engine.agents.styles import STYLES, make_agent
from engine.cards import Street
from engine.codec import decode, encode
from engine.fair_deals import Stream, stream_seed
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionTaken,
    GameKind,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
    raise_to,
    start_of,
)
from engine.game.format_file import built_in, cash_game
from engine.game.formats import GameConfig, GameConfigError, SeatConfig
from engine.game.observation import Observation
from engine.game.rules import IllegalActionError
from engine.play import Dealer, DealerError
from engine.session_state import DealerState, SeatRecord
from tests.engine.game.test_against_pokerkit import random_table
from tests.engine.game.test_table import reshuffled
from tests.engine.played import play_hand


class ScriptedAgent:
    """Chooses by its seed alone and remembers which hands it was told of."""

    style = "scripted"

    def __init__(self) -> None:
        self.learned: list[tuple[int, int]] = []
        self.traces: list[tuple[Trace, ...]] = []

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        action = choose(observation, random.Random(seed))
        return Decision(
            action,
            Trace(style=self.style, seed=seed, observation=observation, rule="scripted", action=action),
        )

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        self.learned.append((observation.hand_number, observation.seat))
        self.traces.append(tuple(traces))


def choose(observation: Observation, rng: random.Random) -> Action:
    legal = observation.legal
    assert legal is not None
    kind = rng.random()
    if kind < 0.15:
        return FOLD
    if kind < 0.35 and legal.can_raise:
        return raise_to(rng.choice([legal.min_raise_to, legal.min_raise_to, legal.max_raise_to]))
    return CHECK if legal.can_check else CALL


def passive(observation: Observation) -> Action:
    assert observation.legal is not None
    return CHECK if observation.legal.can_check else CALL


def all_in(observation: Observation) -> Action:
    assert observation.legal is not None
    return raise_to(observation.legal.max_raise_to) if observation.legal.can_raise else passive(observation)


def folding(observation: Observation) -> Action:
    return FOLD


def seats(count: int) -> tuple[SeatConfig, ...]:
    return tuple(SeatConfig(f"p{seat}", "scripted") for seat in range(count))


def positions(events: tuple[PublicEvent, ...]) -> tuple[Seat, Seat | None, Seat]:
    """Give the seats of button, small blind (None if dead) and big blind."""
    started = start_of(events)
    posts = {event.kind: event.seat for event in events if isinstance(event, Posted)}
    return started.button, posts.get(PostKind.SMALL_BLIND), posts[PostKind.BIG_BLIND]


def between_hands(config: GameConfig, stacks: Mapping[Seat, int], big_blind: Seat) -> Dealer:
    """Give a session in which the seats of `stacks` are left and `big_blind` was the last to post it."""
    count = len(config.seats)
    total = sum(stacks.values())
    records = [SeatRecord(stacks.get(seat, 0), 0, rebuys=9) for seat in range(count)]
    records[0] = structs.replace(records[0], bought_in=total)
    return Dealer.restore(config, DealerState(5, tuple(records), big_blind), {})


# Button and blinds


def test_button_and_blinds_go_round() -> None:
    dealer = Dealer(cash_game(seats(4)), {})
    button, small, big = positions(play_hand(dealer, folding))
    assert (small, big) == ((button + 1) % 4, (button + 2) % 4)
    for _ in range(5):
        after = positions(play_hand(dealer, folding))
        assert after == ((button + 1) % 4, (small + 1) % 4, (big + 1) % 4)
        button, small, big = after


def test_heads_up_the_button_alternates() -> None:
    dealer = Dealer(cash_game(seats(2)), {})
    button, small, big = positions(play_hand(dealer, folding))
    assert (small, big) == (button, 1 - button)
    assert positions(play_hand(dealer, folding)) == (big, big, button)


TEN = built_in("paper").game(seats(5))


@pytest.mark.parametrize(
    ("left", "last_big_blind", "expected"),
    [
        ((0, 1, 2, 3, 4), 2, (1, 2, 3)),
        ((0, 1, 3, 4), 3, (1, 3, 4)),  # the small blind went: the button stays with the last player before
        ((0, 1, 3, 4), 2, (1, None, 3)),  # the big blind went: nobody posts a small blind
        ((0, 1, 2, 4), 2, (1, 2, 4)),  # who would have been next went: the one after
        ((0, 3, 4), 2, (0, None, 3)),
        ((1, 3), 3, (3, 3, 1)),  # TDA Rule 34-B: 3 had the big blind, so 1 has it now
        ((1, 3), 1, (1, 1, 3)),
        ((1, 3), 2, (1, 1, 3)),  # the big blind went and two are left
    ],
)
def test_the_big_blind_moves_to_the_next_player_and_the_others_follow(
    left: tuple[int, ...], last_big_blind: int, expected: tuple[int, int | None, int]
) -> None:
    """TDA Rule 32, dead button."""
    dealer = between_hands(TEN, dict.fromkeys(left, 1000), last_big_blind)
    assert positions(dealer.start_hand()) == expected


@given(st.integers(3, 10), st.integers(0, 1000))
def test_nobody_has_the_big_blind_twice_in_a_row_or_is_left_out(count: int, seed: int) -> None:
    rng = random.Random(seed)
    dealer = Dealer(structs.replace(built_in("paper").game(seats(count), seed=seed), rebuys=0), {})
    last, since = -1, dict.fromkeys(range(count), 0)
    while dealer.end_reason is None and dealer.hand_number < 60:
        events = play_hand(dealer, lambda observation: choose(observation, rng))
        started = start_of(events)
        _, _, big = positions(events)
        alive = {start.seat for start in started.seats}
        assert big != last
        # Between two big blinds of a player everybody else at the table has at most one.
        since = {seat: since[seat] + 1 for seat in alive}
        assert all(waited <= count for waited in since.values())
        since[big], last = 0, big


# Dealing


def test_the_same_seed_deals_the_same_session_and_another_does_not() -> None:
    def session(seed: int) -> list[tuple[PublicEvent, ...]]:
        dealer = Dealer(cash_game(seats(3), seed=seed), {seat: ScriptedAgent() for seat in range(3)})
        return [play_hand(dealer, passive) for _ in range(10)]

    assert session(3) == session(3)
    assert session(3) != session(4)


def test_every_card_comes_to_every_place() -> None:
    """A thousand deals: each card is a seat's first 20 times on average; far away from 20 would be a stuck deck."""
    dealer = Dealer(cash_game(seats(2), seed=1), {})
    seen = Counter[int]()
    for _ in range(1000):
        dealer.start_hand()
        seen.update(dealer.private_event(0).hole_cards)
        while dealer.to_act is not None:
            dealer.apply(FOLD)
    expected = 1000 * 2 / 52
    # 5 standard errors of a count of 1000 draws with chance 2 / 52.
    assert all(abs(seen[card] - expected) < 5 * (expected * (1 - 2 / 52)) ** 0.5 for card in range(52))


def test_agents_cannot_tell_the_deck_from_their_seeds() -> None:
    """Deck and decisions draw from streams of their own: other decisions leave the cards as they are."""
    quick = Dealer(cash_game(seats(2), seed=5), {})
    slow = Dealer(cash_game(seats(2), seed=5), {0: ScriptedAgent(), 1: ScriptedAgent()})
    for _ in range(5):
        play_hand(quick, folding)
        play_hand(slow, folding)
        assert quick.private_event(0) == slow.private_event(0)


def test_a_hand_begun_by_an_earlier_version_is_dealt_as_it_was() -> None:
    """Its state says nothing of keyed streams; the hand after it has them."""
    config, records = cash_game(seats(3), seed=77), (SeatRecord(10_000, 10_000),) * 3
    old = Dealer.restore(
        config, decode(b'{"hands_dealt":4,"big_blind_seat":1,"seats":' + encode(records) + b"}", DealerState), {}
    )
    old.start_hand()
    deck = np.random.default_rng([77, 1, 5]).permutation(52).tolist()
    held = {card for seat in range(3) for card in old.private_event(seat).hole_cards}
    assert held == set(deck[:6])
    while old.to_act is not None:
        old.apply(FOLD)
    old.start_hand()
    new = Dealer.restore(config, old.state, {})
    assert new.state.has_keyed_streams
    new.start_hand()
    assert [new.private_event(seat) for seat in range(3)] == [old.private_event(seat) for seat in range(3)]
    deck = np.random.default_rng([77, 1, 6]).permutation(52).tolist()
    assert {card for seat in range(3) for card in new.private_event(seat).hole_cards} != set(deck[:6])


def test_streams_tell_nothing_of_each_other() -> None:
    """Each is 128 bits of a hash keyed by the session's seed: no two alike, each bit set about as often as not."""
    found = [
        stream_seed(seed, stream, hand) for seed in (0, 1, 2**63 - 1) for stream in Stream for hand in range(50)
    ]
    assert len(set(found)) == len(found) == 150 * len(Stream)
    for bit in range(128):
        # 5 standard errors of a count of so many fair coins.
        assert abs(sum(seed >> bit & 1 for seed in found) - len(found) / 2) < 5 * len(found) ** 0.5 / 2


# Decisions and traces


def test_a_decision_changes_nothing_and_is_the_same_when_asked_again() -> None:
    dealer = Dealer(cash_game(seats(3)), {seat: ScriptedAgent() for seat in range(3)})
    dealer.start_hand()
    before = dealer.observe(0)
    first = dealer.decide()
    assert dealer.decide() == first
    assert dealer.observe(0) == before
    dealer.apply(first.action, first)
    assert dealer.decide().trace.seed != first.trace.seed


def test_traces_stay_sealed_until_the_hand_is_over() -> None:
    dealer = Dealer(cash_game(seats(3)), {seat: ScriptedAgent() for seat in range(3)})
    dealer.start_hand()
    decisions = []
    while dealer.to_act is not None:
        with pytest.raises(DealerError, match="sealed"):
            dealer.open_traces()
        assert len(dealer.open_traces(study=True)) == len(decisions)
        decisions.append(dealer.decide())
        dealer.apply(decisions[-1].action, decisions[-1])
    assert dealer.open_traces() == tuple(decision.trace for decision in decisions)


def test_a_decision_for_another_moment_is_refused() -> None:
    dealer = Dealer(cash_game(seats(3)), {seat: ScriptedAgent() for seat in range(3)})
    dealer.start_hand()
    stale = dealer.decide()
    other = structs.replace(stale, action=FOLD if stale.action != FOLD else CALL)
    with pytest.raises(DealerError, match="another moment"):
        dealer.apply(stale.action, other)
    dealer.apply(stale.action, stale)
    with pytest.raises(DealerError, match="another moment"):
        dealer.apply(stale.action, stale)


def test_every_agent_dealt_in_learns_of_the_hand_once() -> None:
    agents = {0: ScriptedAgent(), 2: ScriptedAgent()}
    dealer = Dealer(cash_game(seats(3)), agents)
    play_hand(dealer, passive)
    play_hand(dealer, passive)
    assert [agent.learned for agent in agents.values()] == [[(1, 0), (2, 0)], [(1, 2), (2, 2)]]


def test_every_agent_is_given_its_own_decisions_of_the_hand_and_nobody_elses() -> None:
    """In order, hand by hand; those of another would show the cards that they hid."""
    agents = {seat: ScriptedAgent() for seat in range(3)}
    dealer = Dealer(cash_game(seats(3), seed=4), agents)
    for number in range(6):
        dealer.start_hand()
        made: list[Trace] = []
        while dealer.to_act is not None:
            decision = dealer.decide()
            made.append(decision.trace)
            dealer.apply(decision.action, decision)
        for seat, agent in agents.items():
            assert len(agent.traces) == number + 1
            assert agent.traces[-1] == tuple(trace for trace in made if trace.observation.seat == seat)
    assert all(any(agent.traces) for agent in agents.values())


@pytest.mark.every(3)
@pytest.mark.parametrize("style", STYLES)
def test_no_style_decides_by_a_card_it_cannot_see(style: str) -> None:
    """Every hidden card reshuffled: the same seed gives the same decision, with the same trace to the last bit."""
    rng = random.Random(style)
    decisions: Counter[Street] = Counter()
    for _ in range(4):
        table = random_table(rng)
        while table.to_act is not None:
            seat = table.to_act
            seed = rng.getrandbits(63)
            observation = table.observe(seat)
            decision = make_agent(style).decide(observation, seed)
            other = reshuffled(table, seat, rng)
            assert encode(make_agent(style).decide(other.observe(seat), seed)) == encode(decision)
            decisions[observation.street] += 1
            # Mostly on to the next street: left to themselves most hands end before the flop.
            table.apply(decision.action if rng.random() < 0.2 else passive(observation))
    assert decisions.total() > 10
    assert len(decisions) == len(Street)


@pytest.mark.parametrize("at", range(0, len(STYLES), 10))
def test_every_style_plays_a_tournament_by_the_rules(at: int) -> None:
    """Short stacks, rebuys, players going out: every action is legal, or the dealer would refuse it."""
    names = list(STYLES)[at : at + 10]
    config = structs.replace(
        built_in("paper").game(tuple(SeatConfig(f"p{seat}", name) for seat, name in enumerate(names)), seed=3),
        starting_stack=300,
    )
    dealer = Dealer(config, {seat: make_agent(name) for seat, name in enumerate(names)})
    while dealer.end_reason is None and dealer.hand_number < 20:
        play_hand(dealer, passive)
        assert len(dealer.open_traces()) == sum(isinstance(event, ActionTaken) for event in dealer.events)
    assert sum(dealer.stacks.values()) == sum(dealer.bought_in.values())
    assert sum(record.rebuys for record in dealer.state.seats) > 0


# Chips between hands


def broke(kind: GameKind, agents: Mapping[Seat, Agent], **changes: int | bool) -> Dealer:
    """Give a session after a hand in which all were all-in and somebody lost everything."""
    config = cash_game(seats(3), seed=2) if kind == GameKind.CASH else built_in("paper").game(seats(3), seed=2)
    dealer = Dealer(structs.replace(config, **changes), agents)
    dealer.start_hand()
    while dealer.to_act is not None:
        dealer.apply(all_in(dealer.observe(dealer.to_act)))
    assert 0 in dealer.stacks.values()
    return dealer


def test_bots_of_a_cash_game_buy_in_again() -> None:
    dealer = broke(GameKind.CASH, {seat: ScriptedAgent() for seat in range(3)}, does_rebuy_bots=True)
    (loser, *_) = [seat for seat, stack in dealer.stacks.items() if stack == 0]
    dealer.start_hand()
    assert dealer.stacks[loser] == 10_000
    assert dealer.bought_in[loser] == 20_000


def test_a_person_of_a_cash_game_buys_chips_himself() -> None:
    dealer = broke(GameKind.CASH, {})
    (loser, *_) = [seat for seat, stack in dealer.stacks.items() if stack == 0]
    with pytest.raises(DealerError, match="between 1 and 10000 chips can be bought, not 10001"):
        dealer.top_up(loser, 10_001)
    with pytest.raises(DealerError, match="not 0"):
        dealer.top_up(loser, 0)
    dealer.top_up(loser, 4_000)
    dealer.start_hand()
    assert dealer.observe(loser).hand_number == 2
    assert (dealer.stacks[loser], dealer.bought_in[loser]) == (4_000, 14_000)
    with pytest.raises(DealerError, match="between hands only"):
        dealer.top_up(loser, 1)
    while dealer.to_act is not None:
        dealer.apply(FOLD)
    with pytest.raises(DealerError, match="no seat 7"):
        dealer.top_up(7, 1)


def test_a_big_stack_cannot_be_topped_up() -> None:
    dealer = broke(GameKind.CASH, {})
    winner = max(dealer.stacks, key=lambda seat: dealer.stacks[seat])
    with pytest.raises(DealerError, match="cannot be topped up: the most is 10000"):
        dealer.top_up(winner, 1)


def test_a_tournament_gives_one_rebuy_and_then_out() -> None:
    dealer = broke(GameKind.TOURNAMENT, {})
    assert dealer.end_reason is None
    with pytest.raises(DealerError, match="cash game only"):
        dealer.top_up(0, 100)
    while dealer.end_reason is None:
        play_hand(dealer, all_in)
    assert sorted(dealer.bought_in.values())[1:] == [4000, 4000]
    (winner,) = [seat for seat, stack in dealer.stacks.items() if stack]
    assert dealer.end_reason == f"Only p{winner} has chips left."
    assert dealer.places[winner] == 1
    assert dealer.stacks[winner] == sum(dealer.bought_in.values())
    with pytest.raises(DealerError, match="No further hand is dealt"):
        dealer.start_hand()


def test_a_session_without_chips_ends() -> None:
    dealer = Dealer.restore(cash_game(seats(2)), DealerState(1, (SeatRecord(0, 0), SeatRecord(0, 0)), 0), {})
    assert dealer.end_reason == "Nobody has chips left."


def test_the_session_ends_after_its_hands() -> None:
    dealer = Dealer(structs.replace(cash_game(seats(2)), max_hands=2), {})
    play_hand(dealer, folding)
    play_hand(dealer, folding)
    assert dealer.end_reason == "All 2 hands are played."


def test_places_of_a_tournament_rank_survival_then_chips() -> None:
    config = structs.replace(built_in("paper").game(seats(5)), rebuys=0)
    records = (
        SeatRecord(0, 2000, out_in_hand=4, last_stack=500),
        SeatRecord(7000, 2000),
        SeatRecord(0, 2000, out_in_hand=9, last_stack=300),
        SeatRecord(0, 2000, out_in_hand=4, last_stack=800),
        SeatRecord(3000, 2000),
    )
    dealer = Dealer.restore(config, DealerState(9, records, 1), {})
    assert list(dealer.places.items()) == [(1, 1), (4, 2), (2, 3), (3, 4), (0, 5)]


def test_a_rebuy_that_is_not_spent_counts_like_its_chips() -> None:
    """With 4,000 in all one has lost 100, one 1,700 after a rebuy, one the 2,000 that were in front."""
    records = (
        SeatRecord(2300, 4000, rebuys=1),
        SeatRecord(0, 2000, out_in_hand=9, last_stack=300),
        SeatRecord(1900, 2000),
        SeatRecord(0, 4000, rebuys=1, out_in_hand=9, last_stack=400),
        SeatRecord(9800, 2000),
    )
    dealer = Dealer.restore(built_in("paper").game(seats(5)), DealerState(9, records, 1), {})
    assert list(dealer.places.items()) == [(4, 1), (2, 2), (0, 3), (1, 4), (3, 5)]


def test_places_of_a_cash_game_rank_chips_won_and_share_places() -> None:
    records = (SeatRecord(9_000, 10_000), SeatRecord(12_000, 10_000), SeatRecord(9_000, 10_000))
    dealer = Dealer.restore(cash_game(seats(3)), DealerState(4, records, 1), {})
    assert list(dealer.places.items()) == [(1, 1), (0, 2), (2, 2)]


@given(st.integers(2, 10), st.integers(0, 10**6), st.booleans())
def test_chips_are_those_bought_in_always(count: int, seed: int, is_cash: bool) -> None:
    rng = random.Random(seed)
    config = (cash_game if is_cash else built_in("paper").game)(seats(count), seed=seed)
    dealer = Dealer(structs.replace(config, ante=seed % 30), {seat: ScriptedAgent() for seat in range(count // 2)})
    for _ in range(12):
        if dealer.end_reason is not None:
            break
        dealer.start_hand()
        while dealer.to_act is not None:
            assert sum(dealer.stacks.values()) == sum(dealer.bought_in.values())
            seen = dealer.observe(dealer.to_act)
            assert sum(view.stack for view in seen.seats) + seen.pot == sum(
                dealer.stacks[view.seat] for view in seen.seats
            )
            dealer.apply(choose(seen, rng))
        assert sum(dealer.stacks.values()) == sum(dealer.bought_in.values())
        if is_cash and rng.random() < 0.3:
            for seat, stack in dealer.stacks.items():
                if stack < 10_000:
                    dealer.top_up(seat, 10_000 - stack)


# Stacks that are reset


@given(st.integers(0, 10**6))
def test_every_hand_begins_with_the_same_stacks_and_loses_no_result(seed: int) -> None:
    rng = random.Random(seed)
    dealer = Dealer(built_in("heads-up").game(seats(2), seed=seed), {0: ScriptedAgent()})
    won = [0, 0]
    for _ in range(8):
        dealer.start_hand()
        started = start_of(dealer.events)
        assert [start.stack for start in started.seats] == [20_000, 20_000]
        while (seat := dealer.to_act) is not None:
            dealer.apply(choose(dealer.observe(seat), rng))
        won = [before + stack - 20_000 for before, stack in zip(won, dealer.stacks.values(), strict=True)]
        assert [dealer.stacks[seat] - dealer.bought_in[seat] for seat in range(2)] == won
        assert dealer.end_reason is None
        dealer = Dealer.restore(dealer.config, decode(encode(dealer.state), DealerState), {0: ScriptedAgent()})


def test_where_stacks_are_reset_no_chips_are_bought() -> None:
    dealer = Dealer(built_in("heads-up").game(seats(2)), {})
    with pytest.raises(DealerError, match="No chips can be bought where every hand begins with the same stacks"):
        dealer.top_up(0, 100)


# Killed in the middle of a hand


@pytest.mark.parametrize("hands_before", [0, 1, 7])
@pytest.mark.parametrize("actions_before", [0, 1, 3])
def test_a_killed_session_goes_on_as_if_nothing_had_happened(hands_before: int, actions_before: int) -> None:
    config = structs.replace(built_in("paper").game(seats(4), seed=11), rebuys=1)
    whole = Dealer(config, {seat: ScriptedAgent() for seat in range(4)})
    agents = {seat: ScriptedAgent() for seat in range(4)}
    for _ in range(hands_before):
        play_hand(whole, passive)
        for seat in whole.dealt_in:
            agents[seat].hand_finished(whole.observe(seat))
    whole.start_hand()
    stored = encode(whole.state)
    actions = []
    for _ in range(actions_before):
        if whole.to_act is not None:
            decision = whole.decide()
            actions.append(decision.action)
            whole.apply(decision.action, decision)

    again = Dealer.restore(config, decode(stored, DealerState), agents)
    assert again.hand_number == hands_before
    assert again.end_reason is None
    again.start_hand()
    for action in actions:
        again.apply(action)
    assert again.events == whole.events
    while whole.to_act is not None:
        decision = whole.decide()
        assert again.decide() == decision
        whole.apply(decision.action, decision)
        again.apply(decision.action, decision)
    assert again.events == whole.events
    assert again.state == whole.state
    assert play_hand(again, passive) == play_hand(whole, passive)


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ((SeatRecord(1, 1),), "A session of 2 seats cannot have 1 stacks."),
        ((SeatRecord(-1, 0), SeatRecord(1, 0)), "A stored stack is negative."),
        ((SeatRecord(5, 1), SeatRecord(1, 1)), "The stored stacks do not add up to the chips bought in."),
    ],
)
def test_a_stored_session_that_cannot_be_is_refused(records: tuple[SeatRecord, ...], why: str) -> None:
    with pytest.raises(DealerError) as caught:
        Dealer.restore(cash_game(seats(2)), DealerState(0, records), {})
    assert str(caught.value) == why


def test_during_a_hand_the_session_is_not_over() -> None:
    dealer = Dealer(structs.replace(cash_game(seats(2)), max_hands=1), {})
    dealer.start_hand()
    assert dealer.end_reason is None
    assert dealer.is_hand_running
    dealer.apply(FOLD)
    assert dealer.end_reason is not None


# What is refused


def refusals() -> list[tuple[Callable[[Dealer], object], str]]:
    return [
        (lambda dealer: dealer.apply(FOLD), "No hand has been dealt yet."),
        (lambda dealer: dealer.observe(0), "No hand has been dealt yet."),
        (lambda dealer: dealer.private_event(0), "No hand has been dealt yet."),
        (lambda dealer: dealer.decide(), "It is no agent's turn."),
        (lambda dealer: (dealer.start_hand(), dealer.start_hand()), "Hand 1 is still being played."),
        (lambda dealer: (dealer.start_hand(), dealer.decide()), "It is no agent's turn."),
    ]


@pytest.mark.parametrize(("call", "why"), refusals())
def test_a_refusal_says_why(call: Callable[[Dealer], object], why: str) -> None:
    with pytest.raises(DealerError) as caught:
        call(Dealer(cash_game(seats(2)), {}))
    assert str(caught.value) == why


def test_before_the_first_hand_there_is_nothing() -> None:
    dealer = Dealer(cash_game(seats(2)), {})
    assert (dealer.hand_number, dealer.to_act, dealer.events, dealer.legal_actions()) == (0, None, (), None)
    assert dealer.open_traces() == ()


def test_an_illegal_action_changes_nothing() -> None:
    dealer = Dealer(cash_game(seats(3)), {})
    events = dealer.start_hand()
    with pytest.raises(IllegalActionError):
        dealer.apply(CHECK)
    assert dealer.events == events


def test_an_impossible_game_is_refused() -> None:
    with pytest.raises(GameConfigError):
        Dealer(cash_game(seats(1)), {})
    with pytest.raises(DealerError, match="There is no seat 5 for an agent"):
        Dealer(cash_game(seats(2)), {5: ScriptedAgent()})
