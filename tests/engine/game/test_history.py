import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import CARD_COUNT, Card, Street
from engine.game import history
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    Posted,
    PotAwarded,
    PublicEvent,
    SeatStart,
    end_of,
    raise_to,
)
from engine.game.history import HistoryError, observation_at, verify_finished
from engine.game.observation import Observation, seen_from
from engine.game.rules import TableRules
from engine.game.table import Table
from tests.engine.game.hands import watched

stack_lists = st.lists(st.integers(1, 300), min_size=2, max_size=10)


usual = TableRules(5, 10)
stakes = st.sampled_from(
    [
        usual,
        TableRules(5, 10, 1),
        TableRules(5, 10, 3),
        TableRules(5, 10, big_blind_ante=10),
        TableRules(5, 10, straddle=20),
        TableRules(5, 10, big_blind_ante=7, straddle=25),
        TableRules(5, 10, max_raises=4, counts_bets=False, raises_to_twice=True),
    ]
)


def new_table(seed: int, stacks: list[int], rules: TableRules = usual) -> Table:
    deck = [Card(card) for card in range(CARD_COUNT)]
    random.Random(seed).shuffle(deck)
    return Table(
        hand_number=3,
        kind=GameKind.CASH,
        seats=[SeatStart(2 * place, f"Player {place}", stack) for place, stack in enumerate(stacks)],
        button=2 * (seed % len(stacks)),
        rules=rules,
        deck=deck,
    )


def choices(table: Table) -> list[Action]:
    """Every kind of legal action; folds are rarer, so that pots grow."""
    legal = table.legal_actions()
    assert legal is not None
    passive = CHECK if legal.can_check else CALL
    actions = [passive, passive, FOLD]
    if legal.can_raise:
        actions += [raise_to(legal.min_raise_to), raise_to(legal.max_raise_to)]
    return actions


def moments(table: Table, chance: random.Random) -> Iterator[Table]:
    yield table
    while not table.is_over:
        table.apply(chance.choice(choices(table)))
        yield table


@given(st.integers(0, 2**32), stack_lists, stakes, st.integers(0, 9))
def test_it_gives_what_the_table_gave_at_that_moment(
    seed: int, stacks: list[int], rules: TableRules, pick: int
) -> None:
    table = new_table(seed, stacks, rules)
    seat = table.seats[pick % len(stacks)]
    seen = [moment.observe(seat) for moment in moments(table, random.Random(seed))]
    final = seen[-1]
    for observed in seen[:-1]:
        assert observation_at(final, len(observed.events)) == replace(observed, to_act=None, legal=None)
    assert observation_at(final, len(final.events)) is final
    whole = watched(final.events)
    for observed in seen:
        public = observation_at(whole, len(observed.events))
        assert seen_from(public, seat, observed.hole_cards) == observation_at(final, len(observed.events))
        assert (public.viewer, public.own_cards) == (None, ())


@given(st.integers(0, 2**32), stack_lists, stakes)
def test_what_a_player_might_have_done_is_what_the_rules_allowed(
    seed: int, stacks: list[int], rules: TableRules
) -> None:
    table = new_table(seed, stacks, rules)
    allowed = [table.legal_actions() for table in moments(table, random.Random(seed)) if not table.is_over]
    asked = [
        hand.legal_actions_of(event)
        for event, hand in history.moments(table.events)
        if isinstance(event, ActionTaken)
    ]
    assert asked == allowed


@given(st.integers(0, 2**32), stack_lists, stakes)
def test_the_state_before_an_action_says_what_the_action_says(
    seed: int, stacks: list[int], rules: TableRules
) -> None:
    *_, table = moments(new_table(seed, stacks, rules), random.Random(seed))
    started, events = table.events[0], table.events
    raisers: dict[Street, list[int]] = {street: [] for street in Street}
    for number, (event, hand) in enumerate(history.moments(events), start=1):
        assert (event, tuple(hand.events), hand.started) == (events[number], events[:number], started)
        if not isinstance(event, ActionTaken):
            continue
        seat = hand.seats[event.seat]
        assert (event.street, event.pot, event.stack, event.bet) == (hand.street, hand.pot, seat.stack, seat.bet)
        assert hand.raisers == list(raisers.values())
        if event.action.kind is ActionKind.RAISE:
            raisers[event.street].append(event.seat)
    assert list(history.moments(())) == []


@given(st.integers(0, 2**32), stack_lists)
def test_no_moment_makes_or_loses_chips(seed: int, stacks: list[int]) -> None:
    table = new_table(seed, stacks, TableRules(5, 10, 1))
    for _ in moments(table, random.Random(seed)):
        pass
    final = table.observe(table.seats[0])
    for count in range(1, len(final.events)):
        rebuilt = observation_at(final, count)
        assert sum(view.stack for view in rebuilt.seats) + rebuilt.pot == sum(stacks)


def test_pots_shrink_as_they_are_awarded() -> None:
    # Three all-in for different stacks: a main pot of 3 x 100, a side pot of 2 x 100, 100 come back.
    table = new_table(0, [100, 200, 300])
    while not table.is_over:
        legal = table.legal_actions()
        assert legal is not None
        table.apply(raise_to(legal.max_raise_to) if legal.can_raise else CALL)
    final = table.observe(0)
    awards = [at for at, event in enumerate(final.events) if isinstance(event, PotAwarded)]
    before = observation_at(final, awards[0])
    assert [(pot.amount, pot.seats) for pot in before.pots] == [(300, (0, 2, 4)), (200, (2, 4))]
    after = observation_at(final, awards[0] + 1)
    assert [pot.amount for pot in after.pots] == [300]
    assert [view.is_all_in for view in after.seats] == [True, True, False]


@pytest.fixture
def observation() -> Observation:
    return new_table(1, [100, 100]).observe(0)


@pytest.mark.parametrize("count", [0, -1, 4])
def test_a_moment_that_never_was_is_refused(observation: Observation, count: int) -> None:
    assert len(observation.events) == 3
    with pytest.raises(HistoryError, match=f"no moment {count}"):
        observation_at(observation, count)


def test_events_without_a_start_are_refused(observation: Observation) -> None:
    with pytest.raises(HistoryError, match="do not begin with its start"):
        observation_at(replace(observation, events=observation.events[1:]), 1)


@given(st.integers(0, 2**32), stack_lists, stakes, st.integers(0, 9))
def test_every_finished_hand_is_whole_and_no_running_one(
    seed: int, stacks: list[int], rules: TableRules, pick: int
) -> None:
    table = new_table(seed, stacks, rules)
    seat = table.seats[pick % len(stacks)]
    for moment in moments(table, random.Random(seed)):
        observed = moment.observe(seat)
        if moment.is_over:
            verify_finished(observed)
            verify_finished(watched(moment.events))
        else:
            with pytest.raises(HistoryError, match="not told from its start to its end"):
                verify_finished(observed)


def checked_down() -> Observation:
    table = new_table(5, [200, 200, 200])
    while not table.is_over:
        legal = table.legal_actions()
        assert legal is not None
        table.apply(CHECK if legal.can_check else CALL)
    return table.observe(0)


def test_a_damaged_hand_is_known_by_what_cannot_be() -> None:
    final = checked_down()
    verify_finished(final)
    board = next(at for at, event in enumerate(final.events) if isinstance(event, BoardDealt))
    post = next(at for at, event in enumerate(final.events) if isinstance(event, Posted))
    ended = end_of(final.events)
    flop, blind = final.events[board], final.events[post]
    damaged = {
        "start to its end": final.events[:-1],
        "a card twice": changed(final, board, replace(flop, cards=(*flop.cards[:2], final.hole_cards[0]))),  # type: ignore[union-attr]
        "one that there is not": changed(final, board, replace(flop, cards=(*flop.cards[:2], Card(77)))),  # type: ignore[union-attr]
        "board that is none": changed(final, board, replace(flop, cards=flop.cards[:2])),  # type: ignore[union-attr]
        "not dealt in": changed(final, post, replace(blind, seat=9)),
        "player who": changed(final, len(final.events) - 1, HandEnded(ended.stacks[:2])),
    }
    for words, events in damaged.items():
        with pytest.raises(HistoryError, match=words):
            verify_finished(replace(final, events=events))
    with pytest.raises(HistoryError, match="start to its end"):
        verify_finished(replace(final, events=()))


def changed(final: Observation, at: int, event: PublicEvent) -> tuple[PublicEvent, ...]:
    return (*final.events[:at], event, *final.events[at + 1 :])
