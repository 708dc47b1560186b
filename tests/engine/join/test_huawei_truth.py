"""What a small server's hands really were, and what the follower makes of its messages."""

import random

import pytest

from engine.game.events import CALL, CHECK, FOLD, ActionTaken, HandEnded, Posted, end_of, raise_to, start_of
from engine.join.followed_hand import FollowedHand
from engine.join.huawei import Asked, Follower
from engine.join.huawei_messages import MessageReader
from tests.engine.join.huawei_server import ContestTable, Truth


def names_of(hand: FollowedHand) -> dict[int, str]:
    started = start_of(hand.observe().events)
    return {start.seat: start.name for start in started.seats}


def follow_table(
    players: int, seed: int, *, hands: int = 25, folds_freely: bool = False, is_wild: bool = False
) -> tuple[ContestTable, list[FollowedHand]]:
    """Play at a table of our own server, answering at random, and follow what it tells."""
    ids = [str(1000 + number) for number in range(players)]
    own_id = ids[seed % players]
    reader, follower = MessageReader(), Follower(own_id)
    choice = random.Random(seed)
    found: list[FollowedHand | Asked] = []

    def tell(text: str) -> None:
        for line in text.splitlines():
            for message in reader.feed(line):
                found.extend(follower.follow(message))

    def ask(text: str) -> str:
        before = len(found)
        tell(text)
        (asked,) = found[before:]
        assert isinstance(asked, Asked)
        if asked.hand is None:
            return asked.safest
        legal = asked.hand.observe().legal
        assert legal is not None
        chance = choice.random()
        if legal.can_raise and chance < 0.3:
            total = legal.min_raise_to + choice.choice((0, 0, 30, 200, 5000))
            return follower.answer(raise_to(min(total, legal.max_raise_to)))
        if legal.can_check:
            return follower.answer(CHECK)
        return follower.answer(FOLD if chance < 0.45 else CALL)

    table = ContestTable(ids, own_id, tell, ask, seed=seed, folds_freely=folds_freely, is_wild=is_wild)
    table.play(hands)
    return table, [one for one in found if isinstance(one, FollowedHand)]


def actions_of(hand: FollowedHand) -> list[tuple[str, str, int]]:
    """Give the actions as the server's truth has them: id, word, and total in the hand."""
    names, totals, actions = names_of(hand), dict[str, int](), []
    for event in hand.observe().events:
        if isinstance(event, Posted):
            totals[names[event.seat]] = event.amount
        elif isinstance(event, ActionTaken):
            name = names[event.seat]
            totals[name] = totals.get(name, 0) + event.amount
            actions.append((name, event.action.kind.value, totals[name]))
    return actions


@pytest.mark.every(4)
@pytest.mark.parametrize("folds_freely", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
def test_what_really_happened(players: int, folds_freely: bool) -> None:
    """While we could act to the end, every action is found; otherwise what everybody paid, and nearly all of it."""
    count = told_otherwise = 0
    for seed in range(10):
        table, hands = follow_table(players, seed, folds_freely=folds_freely)
        assert all(is_legal for _, is_legal in table.answers)
        assert len(hands) == len(table.truths)
        for hand, truth in zip(hands, table.truths, strict=True):
            check_truth(hand, truth)
            actions = actions_of(hand)
            own = names_of(hand)[hand.own_seat]
            own_actions = [
                event
                for event in hand.observe().events
                if isinstance(event, ActionTaken) and event.seat == hand.own_seat
            ]
            could_act = hand.own_seat not in hand.folded and not any(event.is_all_in for event in own_actions)
            if could_act and not folds_freely:
                assert actions == truth.actions, own
            count += 1
            told_otherwise += actions != truth.actions
    assert count >= 20
    assert told_otherwise <= 0.08 * count


def check_truth(hand: FollowedHand, truth: Truth) -> None:
    """Chips and folds are known for sure. The server does not mind who may raise again after a short all-in."""
    names = names_of(hand)
    ended = end_of(hand.observe().events)
    assert dict(zip(names.values(), ended.stacks, strict=True)) == truth.stacks
    assert {names[seat] for seat in hand.folded} == {player for player, word, _ in truth.actions if word == "fold"}
    assert all(one.what.startswith(("most chips in front", "least raise")) for one in hand.disagreements)
    assert {player: total for player, _, total in actions_of(hand)} == {
        player: total for player, _, total in truth.actions
    }


def check_wild_table(players: int, seed: int) -> int:
    """Play a match at a wild table: every hand is explained without a word, with the server's chips."""
    table, hands = follow_table(players, seed, hands=40, is_wild=True)
    assert len(hands) == len(table.truths)
    for hand, truth in zip(hands, table.truths, strict=True):
        names, ended = names_of(hand), hand.observe().events[-1]
        assert isinstance(ended, HandEnded)
        stacks = dict(zip(names.values(), ended.stacks, strict=True))
        # What the others paid after the last message of a match is told by nothing but the pot.
        is_last = hand is hands[-1]
        told = {table.own_id: stacks[table.own_id]} if is_last else stacks
        assert told.items() <= truth.stacks.items()
        assert is_last or not hand.disagreements
        folded = {player for player, word, _ in truth.actions if word == "fold"}
        if not is_last and len(folded) < len(names):
            assert {names[seat] for seat in hand.folded} == folded
    return len(hands)


@pytest.mark.every(4)
@pytest.mark.parametrize("players", range(2, 9))
def test_players_who_do_whatever_the_server_lets_through(players: int, caplog: pytest.LogCaptureFixture) -> None:
    """Bets that nobody can call, folds for nothing, raises that are none, bets against nobody at all."""
    assert sum(check_wild_table(players, seed) for seed in range(10 * players, 10 * players + 4)) >= 20
    assert caplog.records == []


@pytest.mark.slow
def test_20000_hands_of_such_players(caplog: pytest.LogCaptureFixture) -> None:
    hands = seed = 0
    while hands < 20_000:
        hands += check_wild_table(2 + seed % 7, 1000 + seed)
        seed += 1
    assert caplog.records == []
