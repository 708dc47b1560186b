from collections.abc import Sequence

import pytest
from msgspec import structs

from engine.agents.agent import ActionClass, PositionGroup
from engine.agents.fold.understand import (
    blind_count,
    is_more_aggressive,
    position_groups,
    size_class,
    understand,
)
from engine.game.events import ActionTaken, Posted, PostKind
from engine.game.history import HistoryError
from engine.game.rules import TableRules
from tests.engine.agents.hands import deal, play

E, M, L, B = PositionGroup.EARLY, PositionGroup.MIDDLE, PositionGroup.LATE, PositionGroup.BLINDS


@pytest.mark.parametrize(
    ("seats", "groups"),
    [
        (2, [B, L]),
        (3, [B, B, L]),
        (4, [B, B, L, L]),
        (5, [B, B, M, L, L]),
        (6, [B, B, E, M, L, L]),
        (7, [B, B, E, M, M, L, L]),
        (8, [B, B, E, E, M, M, L, L]),
        (9, [B, B, E, E, M, M, M, L, L]),
        (10, [B, B, E, E, E, M, M, M, L, L]),
    ],
)
def test_position_groups_go_by_the_distance_to_the_button(seats: int, groups: list[PositionGroup]) -> None:
    button = 1
    clockwise = [(button + 1 + turn) % seats for turn in range(seats)]
    assert position_groups(range(seats), button) == dict(zip(clockwise, groups, strict=True))


def test_a_newcomers_big_blind_makes_nobody_else_a_blind() -> None:
    """As in online cash games, where who sits down posts one from wherever they sit."""
    events = deal([10_000] * 6).events
    assert blind_count(events) == 2
    posted = next(event for event in events if isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND)
    assert blind_count([*events, structs.replace(posted, seat=5)]) == 2
    assert blind_count([event for event in events if event == posted]) == 1


def test_a_dead_small_blind_leaves_one_seat_in_the_blinds() -> None:
    assert position_groups([0, 3, 4, 7], 0, blinds=1) == {3: B, 4: M, 7: L, 0: L}


@pytest.mark.parametrize(
    ("words", "stack", "last_bet", "increments"),
    [
        ("", 5100, 100, (100, 5000)),  # the big blind bounds it
        ("400", 5400, 400, (300, 5000)),  # the last raise does
        ("400", 700, 400, (300, 300)),
        ("400", 650, 400, (250, 250)),  # an all-in may be smaller
    ],
)
def test_the_rules_allow_the_raises_of_eq_3(
    words: str, stack: int, last_bet: int, increments: tuple[int, int]
) -> None:
    legal = play(deal([stack, stack]), words).legal_actions()
    assert legal is not None
    assert (legal.min_raise_to, legal.max_raise_to) == tuple(last_bet + increment for increment in increments)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0.01, ActionClass.HALF_POT),
        (0.6, ActionClass.HALF_POT),
        (0.601, ActionClass.THREE_QUARTER_POT),
        (1.0, ActionClass.THREE_QUARTER_POT),
        (1.001, ActionClass.OVERBET),
        (20.0, ActionClass.OVERBET),
    ],
)
def test_size_classes_of_eq_4(size: float, expected: ActionClass) -> None:
    assert size_class(size) is expected


def test_preflop_classes_count_raises() -> None:
    table = play(deal([10_000] * 5), "c 300 900 c 2500 f f 6000 f")
    classes = [action.action_class.value for action in understand(table.events)]
    assert classes == ["call", "raise", "3-bet", "call", "4-bet or more", "fold", "fold", "4-bet or more", "fold"]
    assert [action.raises_faced for action in understand(table.events)] == [0, 0, 1, 2, 2, 3, 3, 3, 4]
    assert [action.players for action in understand(table.events)] == [5, 5, 5, 5, 5, 5, 4, 3, 3]


def test_a_big_blind_who_may_check_raises_or_checks() -> None:
    table = play(deal([10_000] * 3), "c c x")
    last = understand(table.events)[-1]
    assert (last.action_class, last.is_facing_bet, last.position) == (ActionClass.CHECK, False, B)
    table = play(deal([10_000] * 3), "c c 400")
    assert understand(table.events)[-1].action_class is ActionClass.OPEN_RAISE


def test_sizes_are_over_the_pot_and_facing_a_bet_over_the_pot_after_calling() -> None:
    # Preflop 100 each: pot 200. Bet 100 is half of it; a raise to 500 adds 400 to the 400 there after calling.
    table = play(deal(), "c x | 100 500 c | x 1300")
    bet, raise_, call, check, over = understand(table.events)[2:]
    assert (bet.action_class, bet.size_over_pot) == (ActionClass.HALF_POT, 0.5)
    assert (raise_.action_class, raise_.size_over_pot) == (ActionClass.THREE_QUARTER_POT, 1.0)
    assert raise_.is_facing_bet
    assert call.action_class is ActionClass.CALL
    assert check.raises_faced == 0
    assert (over.action_class, over.size_over_pot) == (ActionClass.OVERBET, pytest.approx(1300 / 1200))


def test_all_in_is_a_call_or_a_raise_by_what_it_is() -> None:
    # The big blind has 1,000 and calls an open of 2,000 with all of it; the small blind's 2,300 only just raises.
    table = play(deal([10_000, 2300, 1000]), "2000 2300 c")
    raise_, call = understand(table.events)[1:]
    assert (raise_.action_class, raise_.is_all_in) == (ActionClass.THREE_BET, True)
    assert (call.action_class, call.is_all_in, call.size_over_pot) == (ActionClass.CALL, True, 0.0)
    assert call.stack_bb == 9.0


def possible(words: str, stacks: Sequence[int] = (10_000, 10_000), **stakes: TableRules) -> list[str]:
    """Give what the last to act could have chosen from."""
    return [found.value for found in understand(play(deal(stacks, **stakes), words).events)[-1].possible]


def test_a_bet_is_as_large_as_others_can_match() -> None:
    """All 19,700 into 600 against who has 700 left are a bet of 700."""
    bet = understand(play(deal((20_000, 1_000)), "300 c | x 19700").events)[-1]
    assert bet.size_over_pot == pytest.approx(7 / 6)
    assert bet.is_all_in


def test_possible_classes_end_at_the_stack() -> None:
    assert possible("c") == ["fold", "call", "raise"]
    assert possible("c x") == ["check", "raise"]
    assert possible("c x | x") == ["check", "half pot", "three-quarter pot", "pot or overbet"]
    assert possible("c x | 100 c")[:2] == ["fold", "call"]
    # 150 behind into 200 is no more than three quarters; nothing left after calling leaves no raise.
    assert possible("c x | x", (10_000, 250)) == ["check", "half pot", "three-quarter pot"]
    assert possible("c x | x 300 c", (10_000, 400)) == ["fold", "call"]


def test_who_calls_the_all_in_of_the_last_opponent_with_chips_could_not_have_raised() -> None:
    assert possible("300 c | 700 c", (10_000, 1000)) == ["fold", "call"]
    assert possible("1000 c", (1000, 10_000)) == ["fold", "call"]
    # A third player with chips could still be raised, until they have folded.
    assert possible("300 c c | 700 c", (10_000, 1000, 10_000))[2:] == [
        "half pot",
        "three-quarter pot",
        "pot or overbet",
    ]
    assert possible("300 c c | 700 f c", (10_000, 1000, 10_000)) == ["fold", "call"]


def test_a_short_all_in_gives_those_who_have_acted_no_raise() -> None:
    # The button's 350 is no full raise of 300: who bet that may only call or fold, who has not acted may raise.
    short, deep = (650, 10_000, 10_000), (10_000, 10_000, 10_000)
    assert possible("300 c c | 300 c", short)[2:] == ["half pot", "three-quarter pot", "pot or overbet"]
    assert possible("300 c c | 300 f 350 c", short) == ["fold", "call"]
    assert possible("300 c c | x 300 350 c", short)[2:] == ["half pot", "three-quarter pot", "pot or overbet"]
    assert possible("300 c c | 300 f 600 c", deep)[2:] == ["half pot", "three-quarter pot", "pot or overbet"]


def test_where_a_raise_is_to_twice_the_bet_no_other_size_was_possible() -> None:
    contest = TableRules(50, 100, max_raises=1, counts_bets=False, raises_to_twice=True)
    # 300 more into the 1,200 after calling.
    assert possible("200 c | 300 c", rules=contest) == ["fold", "call", "half pot"]
    assert possible("200 c | 300 600 c", rules=contest) == ["fold", "call"]


def test_aggression_of_two_actions_of_a_street() -> None:
    table = play(deal(), "c x | x 100 300 c")
    flop = [action for action in understand(table.events) if action.street == 1]
    big_blind, button = flop[::2], flop[1::2]
    assert is_more_aggressive(big_blind[1], big_blind[0])  # check, then raise
    assert big_blind[1].size_over_pot == 0.5  # 200 more into the 400 after calling
    assert not is_more_aggressive(button[1], button[0])  # bet, then call
    assert not is_more_aggressive(big_blind[1], big_blind[1])


def test_the_hand_log_so_far_is_understood_at_any_moment() -> None:
    table = play(deal([10_000] * 4), "300 c f c | x x 700")
    whole = understand(table.events)
    for count in range(1, len(table.events) + 1):
        part = understand(table.events[:count])
        assert part == whole[: len(part)]


def test_sizes_over_the_pot_as_it_is() -> None:
    # 100 into 200; 200 more with 300 in the middle, 400 after calling.
    events = play(deal(), "c x | x 100 300 c").events
    for after_call, size, words in ((True, 0.5, "half pot"), (False, 2 / 3, "three-quarter pot")):
        bet, raised = [done for done in understand(events, after_call=after_call) if done.size_over_pot]
        assert bet.size_over_pot == 0.5
        assert raised.size_over_pot == pytest.approx(size)
        assert raised.action_class.value == words
    # The least raise to 200 is two thirds of 300, so there is no raise of half a pot.
    possible = {after_call: understand(events, after_call=after_call)[4].possible for after_call in (True, False)}
    assert [len(found) for found in (possible[True], possible[False])] == [5, 5]


def test_hands_in_turns_are_understood_as_each_alone() -> None:
    one, other = play(deal(), "c x | x 100 300 c").events, play(deal([10_000] * 4), "300 c f c | x x 700").events
    alone = understand(one), understand(other)
    for count in range(1, 1 + min(len(one), len(other))):
        assert understand(one[:count]) == alone[0][: len(understand(one[:count]))]
        assert understand(other[:count]) == alone[1][: len(understand(other[:count]))]
    equal = play(deal(), "c x | x 100 300 c").events  # another hand that went the same way
    assert understand(equal) == alone[0]
    assert understand(iter(one)) == alone[0]
    assert understand(()) == ()


def test_an_action_before_the_hand_is_refused() -> None:
    events = play(deal(), "c").events
    action = next(event for event in events if isinstance(event, ActionTaken))
    with pytest.raises(HistoryError, match="do not begin with its start"):
        understand([action])
