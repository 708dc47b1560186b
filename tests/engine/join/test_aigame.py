"""Texas Hold'em AI Game: messages read, matches followed and answered over a loopback WebSocket."""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from engine.agents.agent import Decision, Trace
from engine.agents.soulread.survival import kept_lead
from engine.agents.styles import make_agent
from engine.cards import Street, format_card, parse_cards
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    GameKind,
    HandStarted,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    net_of,
    raise_to,
    start_of,
)
from engine.game.observation import Observation
from engine.game.statistics import count_hand
from engine.join import aigame, command
from engine.join.aigame import Follower, Match, Reply, name_at_table, reply_for
from engine.join.aigame_messages import (
    Acted,
    BadMessage,
    Dealt,
    GameOver,
    HandOver,
    Ignored,
    NewHand,
    Question,
    ReloadOffer,
    parse_message,
)
from engine.join.followed_hand import FollowedHand
from engine.join.registration import JoinError, JoinOptions
from tests.conftest import SHARED
from tests.engine.join import wire
from tests.engine.join.contest import Contest, Data, Peer, Server, ServersContest, Table, hashed, message
from tests.engine.join.wire import Noted, free_port, kept_hands
from tests.engine.played import shown_of

TRANSCRIPTS = SHARED / "data" / "transcripts" / "aigame"
ME, ANN, BOB, CAT = (hashed(name) for name in ("soulread", "ann", "bob", "cat"))


class Scripted(Noted):
    """A player whose actions the test may choose."""

    actions: list[Action]

    def decide(self, hand: FollowedHand, received: float | None = None) -> Action:
        return Scripted.actions.pop(0) if Scripted.actions else super().decide(hand, received)


class Watched(Follower):
    """A follower whose figures are compared with those of every message, the server's way."""

    followed: int
    matches: list[Follower]

    def __init__(self, name: str) -> None:
        super().__init__(name)
        Watched.matches.append(self)

    def follow(self, message: NewHand | Question | Acted | Dealt | HandOver) -> FollowedHand | None:
        finished = super().follow(message)
        state = message.state
        if self.hand is not None:
            committed = self.hand.committed
            for seat, player in enumerate(state.players):
                if seat not in committed:
                    continue
                assert (seat in self.hand.folded) == player.is_folded
                uncalled = player.bet + player.earlier_bets - committed[seat]
                assert self.hand.stacks[seat] - player.chips == uncalled >= 0
                others = [chips for other, chips in committed.items() if other != seat]
                assert not uncalled or committed[seat] == max(others)
            assert self.hand.board == state.board
            Watched.followed += 1
        return finished


@pytest.fixture(autouse=True)
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    Scripted.actions, Watched.followed, Watched.matches = [], 0, []
    monkeypatch.setattr(aigame, "Follower", Watched)
    Scripted.sit(monkeypatch, aigame)


def join(
    *plays: Callable[[Peer], None], agent: str = "random", seed: int = 0, name: str = "soulread", wait: float = 5
) -> int:
    with Server(*plays, seed=seed) as server:
        return command.aigame(server.url, name, JoinOptions(agent=agent, seed=seed, wait_seconds=wait))


def is_legal(question: Data, answer: Data) -> bool:
    """Judge an answer by the question alone."""
    game, me = question["game"], question["self"]
    highest = max(player["bet"] for player in game["players"])
    owed, chips, big = highest - me["bet"], me["chips"], game["bigBlind"]["amount"]
    may_raise = game["betCount"] + game["raiseCount"] < 4
    match answer:
        case {"action": "fold", **rest}:
            return not rest
        case {"action": "allin", **rest}:
            return not rest and (may_raise or chips <= owed)
        case {"action": "check", **rest}:
            return not rest and not owed
        case {"action": "call", **rest}:
            return not rest and owed > 0
        case {"action": "raise", **rest}:
            return not rest and may_raise and 0 < 2 * highest < me["bet"] + chips
        case {"action": "bet", "amount": int(amount), **rest}:
            return not rest and may_raise and max(owed + 1, min(big, highest or big)) <= amount < chips
    return False


# Messages


def test_the_name_is_hashed() -> None:
    assert name_at_table("soulread") == "f0a56c28ce4de15740cb70fbfd1f7464"  # md5sum's answer


def test_a_question() -> None:
    table = Table([ANN, BOB, ME])
    table.new_round(ME, {ME: ["TS", "2C"]}, ANN, BOB)
    question = parse_message(table.question(ME))
    assert isinstance(question, Question)
    assert (question.me.name, question.me.hole_cards) == (ME, parse_cards("Ts2c"))
    assert [(player.chips, player.bet) for player in question.state.players] == [(990, 10), (980, 20), (1000, 0)]
    assert question.state.pot is None


def test_fields_in_other_clothes() -> None:
    """Numbers as 20.0 or "20", fields that nobody knows, the state under `table` and `players`."""
    table = Table([ANN, BOB, ME])
    table.extra = {"mood": {"tired": True}}
    raw = json.loads(table.new_round(ME, {ME: ["TS", "2C"]}, ANN, BOB))
    raw["data"]["table"]["smallBlind"]["amount"] = "10"
    raw["data"]["players"][0] |= {"chips": 990.0, "hat": None}
    raw["data"]["self"] = raw["data"]["players"][2] | {"minBet": "who knows"}
    raw["eventName"] = "__action"
    question = parse_message(json.dumps(raw))
    assert isinstance(question, Question)
    assert question.state.small_blind.amount == 10
    assert question.state.players[0].chips == 990
    assert question.state.pot == 30


def test_events_without_a_state() -> None:
    assert parse_message(message("__new_peer", [ANN])) == Ignored("__new_peer", True)
    assert parse_message(message("__dance", {"a": 1})) == Ignored("__dance", False)
    assert parse_message(message("__game_over", "nonsense")) == GameOver(())
    assert parse_message(message("__start_reload", {"players": []})) == ReloadOffer(())


def spoilt(event: str, **changes: object) -> str:
    table = Table([ANN, BOB, ME])
    table.new_round(ME, {ME: ["TS", "2C"]}, ANN, BOB)
    data = json.loads(table.question(ME))["data"]
    for path, value in changes.items():
        *way, last = path.split("__")
        target = data
        for step in way:
            target = target[int(step) if step.isdecimal() else step]
        target[last] = value
    return message(event, data)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Input data was truncated"),
        ("[]", "Expected `object`, got `array`"),
        ('{"eventName": 3}', "Expected `str`, got `int`"),
        (message("__deal", None), "Expected `object`, got `null`"),
        (message("__deal", {}), "There is no table"),
        (spoilt("__action", game__players=[]), "There is no table"),
        (spoilt("__action", self=None), "It does not say who we are"),
        (spoilt("__bet", self__playerName="who"), "Nobody of the name 'who' sits there"),
        (spoilt("__bet", self__cards=["TS"]), "Nobody has 1 hole cards"),
        (spoilt("__bet", self__cards=["TS", "TS"]), "A card stands there twice"),
        (spoilt("__bet", self__cards=["TS", "1S"]), "'1S' is no card"),
        (spoilt("__bet", game__players__1__playerName=ANN), "A player sits there twice"),
        (spoilt("__bet", self__chips=-5), "Expected `float` >= 0.0"),
        (spoilt("__bet", self__chips="many"), "Expected `float`, got `str`"),
        (spoilt("__bet", game__board=["TS"]), "There is no board of 1 cards"),
        (spoilt("__bet", game__smallBlind={"playerName": "who", "amount": 5}), "Nobody of the name 'who'"),
        (spoilt("__bet", game__roundCount=-1), "Expected `int` >= 0"),
        (spoilt("__bet", game__bigBlind=20), "Expected `object`, got `int`"),
        (spoilt("__show_action"), "Nobody's action is told"),
    ],
)
def test_messages_that_are_none(text: str, reason: str) -> None:
    bad = parse_message(text)
    assert isinstance(bad, BadMessage)
    assert reason in bad.reason
    assert bad.is_question == ("__bet" in text or "__action" in text)
    assert bad.is_opening == ("__bet" in text)


DEEP = '{"eventName": "__bet", "data": {"self": ' + "[" * 1_000 + "]" * 1_000 + "}}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "It is nested more than 32 deep."),
        ('{"eventName": "__game_over", "data": ' + "[" * 100_000, "It is nested more than 32 deep."),
        ('{"eventName": "__game_over", "data": ' + '{"a":' * 50_000, "It is nested more than 32 deep."),
        ('{"eventName": "__bet", "data": "' + "x" * 300_000, "300,032 characters are more than the 262,144"),
        ('{"eventName": "__bet", "data": "' + '\\"' * 100_000, "Input data was truncated."),
    ],
)
def test_messages_that_are_too_deep_or_too_long(text: str, reason: str) -> None:
    bad = parse_message(text)
    assert isinstance(bad, BadMessage)
    assert bad.reason.startswith(reason)
    assert bad.is_question == ("__bet" in text)


def test_brackets_in_a_text_make_nothing_deep() -> None:
    assert parse_message(message("__dance", "[" * 1_000 + '"' + "{" * 1_000)) == Ignored("__dance", False)


def test_a_match_goes_on_after_a_message_that_is_too_deep(caplog: pytest.LogCaptureFixture) -> None:
    table = Table([ANN, BOB, ME])

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(table.new_round(ME, CARDS, ANN, BOB))
        peer.send(DEEP.replace("__bet", "__deal"))
        assert peer.ask(DEEP) == {"action": "check"}
        assert is_legal(json.loads(table.question(ME))["data"], peer.ask(table.question(ME)))
        peer.send(table.game_over())

    assert join(play) == 0
    assert caplog.text.count("It is nested more than 32 deep.") == 2


# Answers


@pytest.mark.parametrize(
    ("bets", "action", "can_bet_more", "reply"),
    [
        ((), FOLD, True, Reply("fold")),
        ((), CHECK, True, Reply("check")),
        ((40,), CALL, True, Reply("call")),
        ((), raise_to(75), True, Reply("bet", 75)),
        ((), raise_to(980), True, Reply("allin")),
        ((40,), raise_to(80), True, Reply("raise")),
        ((40,), raise_to(130), True, Reply("bet", 130)),
        ((40,), raise_to(980), True, Reply("allin")),
        ((40,), raise_to(130), False, Reply("raise")),
        ((40,), raise_to(529), False, Reply("raise")),
        ((40,), raise_to(531), False, Reply("allin")),
        ((600,), raise_to(979), False, Reply("allin")),
        ((), raise_to(75), False, Reply("bet", 75)),
    ],
)
def test_words(bets: Sequence[int], action: Action, can_bet_more: bool, reply: Reply) -> None:
    table, follower, hand = dealt([ANN, ME], ME, ANN)
    told(follower, table.acts(ME, ME, "call", 10))
    told(follower, table.acts(ME, ANN, "check"))
    told(follower, table.deal(ME, "2S", "3S", "4S"))
    if bets:
        told(follower, table.acts(ME, ME, "check"))
        told(follower, table.acts(ME, ANN, "bet", bets[0]))
    assert reply_for(hand, action, can_bet_more=can_bet_more) == reply


def test_a_bet_adds_to_what_is_in_front_of_us() -> None:
    _, _, hand = dealt([ANN, ME], ME, ANN)
    assert reply_for(hand, raise_to(70)) == Reply("bet", 60)
    assert reply_for(hand, raise_to(40)) == Reply("raise")
    assert json.loads(Reply("bet", 60).text) == {"eventName": "__action", "data": {"action": "bet", "amount": 60}}
    assert json.loads(Reply("fold").text) == {"eventName": "__action", "data": {"action": "fold"}}


# Hands without a server


def told(follower: Follower, *texts: str) -> list[FollowedHand]:
    """Let a follower follow messages; gives the hands that ended."""
    finished = []
    for text in texts:
        parsed = parse_message(text)
        if isinstance(parsed, ReloadOffer):
            continue
        assert isinstance(parsed, NewHand | Question | Acted | Dealt | HandOver), parsed
        hand = follower.follow(parsed)
        finished += [hand] if hand is not None else []
    return finished


def dealt(
    names: Sequence[str], small: str, big: str, *, chips: Sequence[int] | None = None, blind: int = 10
) -> tuple[Table, Follower, FollowedHand]:
    """Deal a game's first hand: who follows it, and what is known of it."""
    table, follower = Table(names, chips), Follower("soulread")
    told(follower, table.new_round(ME, CARDS, small, big, blind))
    assert follower.hand is not None
    return table, follower, follower.hand


def started(hand: FollowedHand) -> HandStarted:
    event = start_of(hand.observe().events)
    return event


CARDS = {ME: ["TS", "2C"], ANN: ["AH", "AD"], BOB: ["KH", "KD"], CAT: ["QH", "QD"]}
BOARD = ("3S", "4D", "5C", "8H", "9H")


def test_the_small_blind_is_called_dealer_and_the_button_is_before_it() -> None:
    _, _, hand = dealt([ANN, BOB, ME, CAT], ME, CAT)
    assert (started(hand).button, hand.own_seat, hand.to_act) == (1, 2, 0)
    assert started(hand).kind is GameKind.TOURNAMENT
    assert [start.name for start in started(hand).seats] == [ANN, BOB, ME, CAT]
    assert [event.kind for event in hand.observe().events if isinstance(event, Posted)] == [
        PostKind.SMALL_BLIND,
        PostKind.BIG_BLIND,
    ]


def test_reloads_that_are_left_are_known_and_no_last_hand_is() -> None:
    """1,000 chips each, up to two times; blinds double, so nobody may count on folding through to the end."""
    table = Table([ANN, BOB, ME, CAT])
    table[BOB]["reloadCount"], table[ME]["reloadCount"], table[CAT]["reloadCount"] = 1, 2, 3
    follower = Follower("soulread")
    told(follower, table.new_round(ME, CARDS, ME, CAT))
    assert follower.hand is not None
    event = started(follower.hand)
    assert [start.reserve for start in event.seats] == [2000, 1000, 0, 0]
    assert event.hands_left is None
    assert kept_lead(follower.hand.observe()) == ()


def test_who_is_out_keeps_the_seat_and_is_not_dealt_in() -> None:
    _, _, hand = dealt([ANN, BOB, ME, CAT], ME, CAT, chips=[1000, 0, 1000, 1000])
    assert list(hand.stacks) == [0, 2, 3]
    assert started(hand).button == 0


def test_heads_up_the_small_blind_acts_first_on_every_street() -> None:
    table, follower, hand = dealt([ANN, ME], ANN, ME)
    assert hand.to_act == 0
    told(follower, table.acts(ME, ANN, "call", 10), table.acts(ME, ME, "check"), table.deal(ME, *BOARD[:3]))
    assert hand.to_act == 0
    assert not hand.disagreements


def test_a_short_big_blind_makes_no_full_price() -> None:
    table, follower, hand = dealt([ANN, BOB, ME], ANN, BOB, chips=[1000, 15, 1000], blind=20)
    legal = hand.observe().legal
    assert legal is not None
    assert (legal.call_amount, legal.min_raise_to) == (20, 40)
    told(follower, table.acts(ME, ME, "call", 20), table.acts(ME, ANN, "call", 0), table.deal(ME, *BOARD[:3]))
    assert hand.to_act == 0
    assert not hand.disagreements
    told(follower, table.acts(ME, ANN, "check"), table.question(ME))
    legal = hand.observe().legal
    assert legal is not None
    assert (legal.can_check, legal.min_raise_to) == (True, 40)  # the least bet is a whole big blind


def test_the_fifth_raise_of_a_street_is_a_call() -> None:
    table, follower, hand = dealt([ANN, ME], ANN, ME)
    for name, total in ((ANN, 40), (ME, 80), (ANN, 160), (ME, 320)):
        told(follower, table.acts(ME, name, "raise", total - table[name]["bet"]))
    told(follower, table.acts(ME, ANN, "call", 160), table.deal(ME, *BOARD[:3]))
    assert not hand.disagreements
    told(follower, table.acts(ME, ANN, "bet", 20), table.acts(ME, ME, "raise", 40))
    told(follower, table.acts(ME, ANN, "raise", 60), table.acts(ME, ME, "raise", 120))
    told(follower, table.acts(ME, ANN, "call", 80), table.deal(ME, BOARD[3]))
    assert not hand.disagreements
    assert (
        sum(
            isinstance(event, ActionTaken) and event.action.kind is ActionKind.RAISE
            for event in hand.observe().events
        )
        == 8
    )


def test_all_cards_are_shown_and_the_statistics_are_not_spoilt() -> None:
    """Bob folds the flop to a bet, Cat before it; at the end both are shown, and neither went to showdown."""
    table, follower, _ = dealt([ANN, BOB, ME, CAT], ANN, BOB)
    told(follower, table.acts(ME, ME, "call", 20), table.acts(ME, CAT, "fold"), table.acts(ME, ANN, "call", 10))
    told(follower, table.acts(ME, BOB, "call"), table.deal(ME, *BOARD[:3]))
    told(follower, table.acts(ME, ANN, "bet", 40), table.acts(ME, BOB, "fold"), table.acts(ME, ME, "call", 40))
    for card in BOARD[3:]:
        told(follower, table.deal(ME, card), table.acts(ME, ANN, "check"), table.acts(ME, ME, "check"))
    (hand,) = told(follower, *table.end({ANN: 140}))
    assert not hand.disagreements
    shown = [event for event in hand.observe().events if isinstance(event, HoleCardsShown)]
    assert [event.seat for event in shown] == [0, 2, 1, 3]
    assert all(sorted(event.hole_cards) == sorted(cards_of(CARDS[names(hand)[event.seat]])) for event in shown)
    kinds = [type(event) for event in hand.observe().events]
    assert kinds.index(PotAwarded) > kinds.index(HoleCardsShown)
    counts = count_hand(hand.observe().events)
    assert [counts[seat].went_to_showdown.done for seat in range(4)] == [1, 0, 1, 0]
    assert [view.is_folded for view in hand.observe().seats] == [False, True, False, True]


def net(hand: FollowedHand) -> dict[str, int]:
    """Return what each player won of a hand that has ended."""
    won = net_of(hand.observe().events)
    return {start.name: won[start.seat] for start in started(hand).seats}


def names(hand: FollowedHand) -> dict[int, str]:
    return {start.seat: start.name for start in started(hand).seats}


def cards_of(texts: Sequence[str]) -> tuple[int, ...]:
    return tuple(parse_cards("".join(text[0] + text[1].lower() for text in texts)))


def test_an_all_in_is_run_out_at_the_end_and_a_reload_is_not_won() -> None:
    table, follower, _ = dealt([ANN, ME, BOB], ANN, ME, chips=[500, 1000, 2000])
    told(follower, table.acts(ME, BOB, "allin", 2000), table.acts(ME, ANN, "allin", 490))
    told(follower, table.acts(ME, ME, "allin", 980))
    table.board = list(BOARD)
    offer, end = table.end({ANN: 1500, BOB: 2000})  # aces win the main pot, kings the side pot
    (hand,) = told(follower, offer, end)
    assert not hand.disagreements
    assert hand.stacks == {0: 1500, 1: 0, 2: 2000}
    assert table[ME]["chips"] == 1000
    told(follower, table.new_round(ME, CARDS, ME, BOB))
    assert not follower.disagreements


def test_a_showdown_told_otherwise_is_logged_and_counts() -> None:
    table, follower, _ = dealt([ANN, ME], ANN, ME)
    told(follower, table.acts(ME, ANN, "call", 10), table.acts(ME, ME, "check"), table.deal(ME, *BOARD[:3]))
    for card in (*BOARD[3:], ""):
        told(follower, table.acts(ME, ANN, "check"), table.acts(ME, ME, "check"))
        told(follower, *([table.deal(ME, card)] if card else []))
    (hand,) = told(follower, *table.end({ME: 40}))  # although Ann has aces
    assert [(one.what, one.ours, one.theirs) for one in hand.disagreements] == [
        (f"what {ANN} wins", "40", "0"),
        (f"what {ME} wins", "0", "40"),
    ]
    assert hand.stacks == {0: 980, 1: 1020}


def test_figures_told_otherwise_are_logged_and_count(caplog: pytest.LogCaptureFixture) -> None:
    table, follower, hand = dealt([ANN, BOB, ME], ANN, BOB)
    table[BOB]["chips"] += 7
    told(follower, table.acts(ME, ME, "call", 20))
    assert [(one.what, one.ours, one.theirs) for one in hand.disagreements] == [(f"stack of {BOB}", "980", "987")]
    assert hand.stacks[1] == 987
    assert f"stack of {BOB}: 980 by our count, 987 by the server's" in caplog.text


def test_chips_and_players_between_hands() -> None:
    table, follower, _ = dealt([ANN, BOB, ME], ANN, BOB)
    told(follower, table.acts(ME, ME, "fold"), table.acts(ME, ANN, "fold"), *table.end({BOB: 30}))
    table[BOB]["chips"] += 5
    told(follower, table.new_round(ME, CARDS, BOB, ME))
    assert [(one.what, one.ours, one.theirs) for one in follower.disagreements] == [
        (f"stack of {BOB} before hand 2", "1010", "1015")
    ]


def test_who_is_in_the_game_told_otherwise() -> None:
    table, follower, _ = dealt([ANN, BOB, ME, CAT], ANN, BOB)
    told(follower, table.acts(ME, ME, "fold"), table.acts(ME, CAT, "fold"), table.acts(ME, ANN, "fold"))
    told(follower, *table.end({BOB: 30}))
    raw = json.loads(table.new_round(ME, CARDS, BOB, ME))
    raw["data"]["players"][3]["isSurvive"] = False
    raw["data"]["players"][0]["playerName"] = hashed("dan")
    told(follower, json.dumps(raw))
    assert [(one.what, one.ours, one.theirs) for one in follower.disagreements] == [
        ("who plays", "as before", f"{hashed('dan')} too"),
        (f"whether {CAT} is in the game", "True", "False"),
    ]
    assert follower.hand is not None
    assert list(follower.hand.stacks) == [0, 1, 2]
    told(follower, json.dumps(raw | {"eventName": "__deal"}))
    raw["data"]["players"][1]["isSurvive"] = False
    told(follower, json.dumps(raw | {"eventName": "__deal"}))
    assert follower.disagreements[-1].what == f"whether {BOB} is in the game"


def test_blinds_told_otherwise() -> None:
    table = Table([ANN, BOB, ME])
    follower = Follower("soulread")
    raw = json.loads(table.new_round(ME, CARDS, ANN, BOB))
    raw["data"]["players"][0] |= {"bet": 5, "chips": 995}
    raw["data"]["table"]["totalBet"] = 25
    told(follower, json.dumps(raw))
    assert [(one.what, one.ours, one.theirs) for one in follower.disagreements] == [
        (f"small blind of {ANN}", "10", "5")
    ]
    assert follower.hand is not None
    assert follower.hand.stacks[0] == 995
    assert not follower.hand.disagreements


def test_who_is_not_dealt_in_follows_no_hand() -> None:
    table = Table([ANN, BOB, ME], chips=[1000, 1000, 0])
    follower = Follower("soulread")
    told(follower, table.new_round(ME, CARDS, ANN, BOB), table.acts(ME, ANN, "fold"))
    assert follower.hand is None
    assert told(follower, *table.end({BOB: 30})) == []


def test_a_winner_who_is_not_named_is_found_by_the_chips() -> None:
    table, follower, _ = dealt([ANN, BOB, ME], ANN, BOB)
    told(follower, table.acts(ME, ME, "fold"), table.acts(ME, ANN, "fold"))
    raw = json.loads(table.end({BOB: 30})[1])
    for player in raw["data"]["players"]:
        del player["winMoney"]
    (hand,) = told(follower, json.dumps(raw))
    assert not hand.disagreements
    assert hand.stacks == {0: 990, 1: 1010, 2: 1000}


def test_actions_that_were_not_told_are_made_up_for() -> None:
    """Two calls and a check, the flop, a bet and a fold are missing."""
    table, follower, _ = dealt([ANN, BOB, ME], ANN, BOB)
    table.acts(ME, ME, "call", 20)
    table.acts(ME, ANN, "call", 10)
    table.acts(ME, BOB, "check")
    table.deal(ME, *BOARD[:3])
    table.acts(ME, ANN, "bet", 60)
    table.acts(ME, BOB, "fold")
    follower.miss()
    told(follower, table.question(ME))
    hand = follower.hand
    assert hand is not None
    assert not hand.disagreements
    assert (hand.street, hand.to_act, hand.bets) == (Street.FLOP, 2, {0: 60, 1: 0, 2: 0})
    actions = [(event.seat, event.action.kind) for event in hand.observe().events if isinstance(event, ActionTaken)]
    call, fold, check, bet = ActionKind.CALL, ActionKind.FOLD, ActionKind.CHECK, ActionKind.RAISE
    assert actions == [(2, call), (0, call), (1, check), (0, bet), (1, fold)]


def test_figures_are_right_after_several_streets_that_were_not_told() -> None:
    table, follower, _ = dealt([ANN, BOB, ME], ANN, BOB)
    for name, chips in ((ME, 20), (ANN, 10), (BOB, 0)):
        table.acts(ME, name, "call", chips)
    table.deal(ME, *BOARD[:3])
    for name, word, chips in ((ANN, "bet", 60), (BOB, "fold", 0), (ME, "call", 60)):
        table.acts(ME, name, word, chips)
    table.deal(ME, BOARD[3])
    table.acts(ME, ANN, "bet", 50)
    follower.miss()
    told(follower, table.question(ME))
    hand = follower.hand
    assert hand is not None
    assert (hand.street, hand.to_act, hand.committed) == (Street.TURN, 2, {0: 130, 1: 20, 2: 80})
    assert hand.folded == {1}


def test_a_hand_joined_in_its_midst() -> None:
    table = Table([ANN, BOB, ME])
    table.new_round(ME, CARDS, ANN, BOB)
    table.acts(ME, ME, "raise", 60)
    table.acts(ME, ANN, "call", 50)
    table.acts(ME, BOB, "fold")
    table.deal(ME, *BOARD[:3])
    follower = Follower("soulread")
    told(follower, table.acts(ME, ANN, "check"), table.question(ME))
    hand = follower.hand
    assert hand is not None
    assert not hand.disagreements
    assert (hand.committed, hand.folded, hand.to_act) == ({0: 60, 1: 20, 2: 60}, {1}, 2)
    observation = hand.observe()
    assert observation.hole_cards == parse_cards("Ts2c")
    told(follower, table.acts(ME, ME, "bet", 100), table.acts(ME, ANN, "fold"))
    (ended,) = told(follower, *table.end({ME: 240}))
    assert not ended.disagreements
    assert ended.stacks == {0: 940, 1: 980, 2: 1080}


# Matches with a server


def test_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table([ANN, BOB, ME])

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(message("__new_peer", [ANN, BOB, ME]))
        peer.send(message("__dance", {"unknown": [1, 2]}))
        peer.send(table.new_round(ME, CARDS, ANN, BOB))
        assert peer.ask(table.question(ME, too_high=1)) == {"action": "bet", "amount": 60}
        table.put_in(ME, 60)
        peer.send(table.shown(ME, ME, "bet", 60))
        peer.send(table.acts(ME, ANN, "call", 50))
        peer.send(table.acts(ME, BOB, "call", 40))
        peer.send(table.deal(ME, *BOARD[:3]))
        peer.send(table.acts(ME, ANN, "check"))
        peer.send(table.acts(ME, BOB, "check"))
        assert peer.ask(table.question(ME, too_high=1)) == {"action": "check"}
        peer.send(table.acts(ME, ME, "check"))
        for card in BOARD[3:]:
            peer.send(table.deal(ME, card))
            for name in (ANN, BOB):
                peer.send(table.acts(ME, name, "check"))
            assert peer.ask(table.question(ME)) == {"action": "check"}
            peer.send(table.acts(ME, ME, "check"))
        for text in table.end({ANN: 180}):
            peer.send(text)
        peer.send(table.game_over())

    Scripted.actions = [raise_to(60), CHECK, CHECK, CHECK]
    assert join(play) == 0
    (hand,) = Noted.hands
    assert not hand.disagreements
    assert capsys.readouterr().err.splitlines() == [
        "Hand 1: Ts2c on 3s4d5c8h9h, lost 60; lost 60 in 1 hand",
        "The game is over: 2,940 chips, place 2 of 3",
    ]


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", range(8))
def test_whole_games_against_the_rules(seed: int) -> None:
    """Random answers to random opponents: every figure and result agrees, and every answer is legal."""
    contest = Contest(
        ["soulread", "ann", "bob", "cat", "dan", "eve"][: 2 + seed % 5],
        seed,
        too_high=seed % 2,
        asks_alone=seed % 3 == 0,
    )
    assert join(contest.play, seed=seed) == 0
    assert contest.answers
    for question, answer in contest.answers:
        assert is_legal(question, answer), (question, answer)
    check_results(contest)
    (match,) = Watched.matches
    assert not match.disagreements


def check_results(contest: Contest) -> None:
    played = [hand for hand in contest.ended if contest.me in hand["net"]]
    assert len(Noted.hands) == len(played)
    for hand, ended in zip(Noted.hands, played, strict=True):
        # Our rules know no bet that nobody can call; its excess comes back in the end.
        assert all(one.what.startswith("most chips in front") for one in hand.disagreements)
        assert net(hand) == ended["net"]
        assert [format_card(card).upper() for card in hand.board] == ended["board"]
        assert {names(hand)[seat]: sorted(cards) for seat, cards in shown_of(hand).items()} == {
            name: sorted(cards_of(cards)) for name, cards in ended["cards"].items()
        }


def test_a_server_to_which_a_bet_is_a_call_where_somebody_has_bet(caplog: pytest.LogCaptureFixture) -> None:
    contest = Contest(["soulread", "ann", "bob", "cat"], 3, bets_raise=False)
    assert join(contest.play, seed=3) == 0
    facing = [
        answer["action"]
        for question, answer in contest.answers
        if any(player["bet"] for player in question["game"]["players"])
    ]
    assert facing.count("bet") == 1  # tried once
    assert {"raise", "allin"} & set(facing[facing.index("bet") :])
    assert "the server makes it" in caplog.text
    check_results(contest)


class Spy:
    """A random player who keeps what he is told, in order: at a decision (False) and after a hand (True)."""

    style = "random"

    def __init__(self) -> None:
        self.told: list[tuple[bool, Observation]] = []
        self.decided: list[Trace] = []
        self.given: list[Trace] = []
        self._agent = make_agent("random")

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        self.told.append((False, observation))
        decision = self._agent.decide(observation, seed)
        self.decided.append(decision.trace)
        return decision

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        self.told.append((True, observation))
        assert {trace.observation.hand_number for trace in traces} <= {observation.hand_number}
        self.given += traces


@pytest.mark.parametrize("does_leak", [False, True])
def test_others_cards_are_known_after_the_hand_and_not_before(
    does_leak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everybodys(table: Table, _: str) -> list[Data]:
        return [player | {"cards": table.cards.get(player["playerName"], [])} for player in table.players]

    spy = Spy()
    monkeypatch.setattr("engine.join.stand_in.make_agent", lambda _: spy)
    if does_leak:
        monkeypatch.setattr(Table, "_public", everybodys)
    contest = Contest(["soulread", "ann", "bob", "cat"], 2, hands=5)
    assert join(contest.play, seed=1) == 0
    finished = [observation for is_after, observation in spy.told if is_after]
    assert len(finished) == len(contest.ended)
    for observation, end in zip(finished, contest.ended, strict=True):
        shown = {view.name: view.shown for view in observation.seats}
        assert shown == {name: tuple(sorted(cards_of(cards), reverse=True)) for name, cards in end["cards"].items()}
    asked = [observation for is_after, observation in spy.told if not is_after]
    assert asked
    assert spy.given == spy.decided, "of every hand it is given its decisions"
    for observation in asked:
        assert not any(view.shown for view in observation.seats)
        assert not any(isinstance(event, HoleCardsShown) for event in observation.events)


def test_fold_plays_a_game() -> None:
    contest = Contest(["soulread", "ann", "bob"], 1, hands=4)
    assert join(contest.play, agent="fold", seed=1) == 0
    assert all(is_legal(question, answer) for question, answer in contest.answers)
    assert any(traces for traces in Noted.decided)


def test_a_record_holds_all_cards_and_traces(tmp_path: Path) -> None:
    contest = Contest(["soulread", "ann", "bob", "cat"], 2, hands=5)
    record = tmp_path / "match.phhs"
    with Server(contest.play) as server:
        assert (
            command.aigame(server.url, "soulread", JoinOptions(agent="random", wait_seconds=5, record=record)) == 0
        )
    played = kept_hands(record)
    assert [one.observation for one in played] == [hand.observe() for hand in Noted.hands]
    assert [one.traces for one in played] == Noted.decided
    assert sum(map(len, Noted.decided)) == len(contest.answers)
    for one, ended in zip(played, contest.ended, strict=True):
        assert all(view.shown is not None for view in one.observation.seats)
        assert len(one.observation.seats) == len(ended["cards"])


def test_malformed_messages_are_left_out_and_malformed_questions_answered(caplog: pytest.LogCaptureFixture) -> None:
    table = Table([ANN, BOB, ME])

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(table.new_round(ME, CARDS, ANN, BOB))
        peer.send("{nonsense")
        assert peer.ask(spoilt("__action", self__chips=-1)) == {"action": "fold"}  # 20 to call
        assert peer.ask('{"eventName":"__bet","data":{"self"') == {"action": "check"}
        table.acts(ME, ME, "call", 20)  # not told
        peer.send(message("__show_action", {"players": "none"}))
        peer.send(table.acts(ME, ANN, "raise", 50))
        peer.send(table.acts(ME, BOB, "fold"))
        assert is_legal(json.loads(table.question(ME))["data"], peer.ask(table.question(ME)))
        peer.send(table.acts(ME, ME, "call", 40))
        peer.send(table.deal(ME, *BOARD[:3]))
        peer.send(table.acts(ME, ANN, "check"))
        assert peer.ask(spoilt("__action", self__chips=-1)) == {"action": "check"}  # nothing to call
        peer.send(table.acts(ME, ME, "check"))
        peer.send(table.game_over())

    assert join(play) == 0
    assert "'{nonsense' was not understood: " in caplog.text
    assert "1 actions were not told" in caplog.text
    (match,) = Watched.matches
    assert match.hand is not None
    assert not match.hand.disagreements


def test_a_question_that_cannot_be_followed_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    """A board that was another one before, and hole cards that lie on it."""
    table = Table([ANN, BOB, ME])

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(table.new_round(ME, CARDS, ANN, BOB))
        for name, chips in ((ME, 20), (ANN, 10), (BOB, 0)):
            peer.send(table.acts(ME, name, "call", chips))
        peer.send(table.deal(ME, *BOARD[:3]))
        table.board = ["TS", "6D", "7D"]
        peer.send(table.acts(ME, ANN, "check"))
        assert peer.ask(table.question(ME)) == {"action": "check"}
        table.put_in(BOB, 50)
        assert peer.ask(table.question(ME)) == {"action": "fold"}
        peer.send(table.game_over())

    assert join(play) == 0
    assert "The board was" in caplog.text


def test_a_reload_is_asked_for_with_less_than_a_big_blind() -> None:
    def offer(chips: int, reloads: int) -> ReloadOffer:
        table = Table([ANN, BOB, ME], chips=[1000, 1000, chips])
        table[ME]["reloadCount"] = reloads
        parsed = parse_message(message("__start_reload", {"players": table.players, "tableNumber": "1"}))
        assert isinstance(parsed, ReloadOffer)
        return parsed

    follower = Follower("soulread")
    told(follower, Table([ANN, BOB, ME]).new_round(ME, CARDS, ANN, BOB))
    wanted = [(19, 1), (0, 0), (20, 0), (19, 2), (1000, 0)]
    assert [follower.wants_reload(offer(*one)) for one in wanted] == [True, True, False, False, False]


def test_the_connection_drops_and_the_match_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    table = Table([ANN, BOB, ME])
    begun = table.new_round(ME, CARDS, ANN, BOB)

    def first(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(begun)
        assert peer.ask(table.question(ME)) == {"action": "call"}
        peer.drop()

    def second(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(begun)  # told again
        table.acts(ME, ME, "call", 20)
        peer.send(table.acts(ME, ANN, "raise", 50))
        peer.send(table.acts(ME, BOB, "fold"))
        assert peer.ask(table.question(ME)) == {"action": "fold"}
        peer.send(table.acts(ME, ME, "fold"))
        for text in table.end({ANN: 100}):
            peer.send(text)
        peer.send(table.game_over())

    Scripted.actions = [CALL, FOLD]
    assert join(first, second) == 0
    (hand,) = Noted.hands
    assert not hand.disagreements
    assert hand.stacks == {0: 1040, 1: 980, 2: 980}
    assert "joining again" in caplog.text


def test_a_hand_whose_end_was_missed_is_left(caplog: pytest.LogCaptureFixture) -> None:
    table = Table([ANN, BOB, ME])

    def first(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(table.new_round(ME, CARDS, ANN, BOB))
        peer.drop()

    def second(peer: Peer) -> None:
        peer.welcome("soulread")
        table.end({BOB: 30})
        peer.send(table.new_round(ME, CARDS, BOB, ME))
        peer.send(table.acts(ME, ANN, "fold"))
        peer.send(table.acts(ME, BOB, "fold"))
        for text in table.end({ME: 30}):
            peer.send(text)
        peer.send(table.game_over())

    assert join(first, second) == 0
    assert [hand.hand_number for hand in Noted.hands] == [2]
    assert "The end of hand 1 was not told" in caplog.text
    assert not Noted.hands[0].disagreements


def test_a_server_that_starts_later(monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    servers: list[Server] = []

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(message("__game_over", {}))

    def start_at_last(_: float) -> None:
        if not servers:
            servers.append(Server(play, port=port))

    monkeypatch.setattr("engine.join.registration.sleep", start_at_last)
    assert command.aigame(f"ws://127.0.0.1:{port}", "soulread", JoinOptions(agent="random", wait_seconds=5)) == 0
    with servers[0]:
        pass


class Lossy(Peer):
    """A server without a wire: its messages reach the match at once, but for those that are lost."""

    def __init__(self, match: Match, seed: int, share: float) -> None:
        self._match, self._share = match, share
        self._random = random.Random(seed)
        self._replies: list[Data] = []
        self.lost = 0

    def send(self, text: str) -> None:
        is_lost = json.loads(text)["eventName"] not in ("__action", "__bet", "__start_reload", "__game_over")
        if is_lost and self._random.random() < self._share:
            self.lost += 1
            self._match.follower.miss()
            return
        reply = self._match.take(text, monotonic())
        if reply is not None:
            self._replies.append(json.loads(reply))

    def receive(self) -> Data:
        return self._replies.pop(0)

    def welcome(self, name: str) -> None:
        self._match.follower.miss()


@pytest.mark.every(3)
@pytest.mark.parametrize("seed", range(6))
def test_results_are_right_whatever_was_lost(seed: int) -> None:
    """One message in twenty is missing: every hand whose end was told has the server's chips, board and cards."""
    contest = Contest(["soulread", "ann", "bob", "cat", "dan"], seed)
    with closing(Noted(JoinOptions(agent="random", seed=seed), 5.0)) as player:
        match = Match("soulread", player)
        peer = Lossy(match, seed, 0.05)
        contest.play(peer)
    assert match.is_over
    assert peer.lost > 5
    assert len(Noted.hands) > len(contest.ended) // 2
    for hand in Noted.hands:
        ended = contest.ended[hand.hand_number - 1]
        assert net(hand) == ended["net"]
        assert [format_card(card).upper() for card in hand.board] == ended["board"]
        assert len(shown_of(hand)) == len(ended["cards"])
    for question, answer in contest.answers:
        assert is_legal(question, answer), (question, answer)


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", range(24))
def test_games_as_the_server_runs_them(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever players answer, and whatever the server makes of it, is followed without a word."""
    contest = ServersContest(["soulread", "ann", "bob", "cat", "dan", "eve", "fay"][: 3 + seed % 5], seed)
    with closing(Noted(JoinOptions(agent="random", seed=seed), 5.0)) as player:
        match = Match("soulread", player)
        contest.play(Lossy(match, seed, 0.0))
    assert match.is_over
    played = [hand for hand in contest.ended if contest.me in hand["net"]]
    assert len(Noted.hands) == len(played) > 0
    for hand, ended in zip(Noted.hands, played, strict=True):
        assert not hand.disagreements
        assert net(hand) == ended["net"]
    assert not match.follower.disagreements
    assert caplog.records == []


@pytest.mark.shared
@pytest.mark.parametrize("seed", range(4))
def test_recorded_matches_agree_although_messages_are_lost(seed: int) -> None:
    """A message in a hand is missing now and then; what follows tells it."""
    chooser, hands, lost = random.Random(seed), 0, 0
    follower = Follower("soulread")
    for text in recorded("five", "ed92eff813a02a31a2677be0563a0739"):
        parsed = parse_message(text)
        if not isinstance(parsed, NewHand | Question | Acted | Dealt | HandOver):
            continue
        if isinstance(parsed, NewHand):
            loses = chooser.randrange(25)
        loses -= 1
        if loses == 0 and not isinstance(parsed, HandOver):
            follower.miss()
            lost += 1
            continue
        hand = follower.follow(parsed)
        if hand is not None:
            assert not hand.disagreements
            hands += 1
    assert hands == 31
    assert lost > 10


# What cannot be joined


def test_a_server_that_lets_nobody_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aigame, "sleep", lambda _: None)
    with pytest.raises(JoinError, match=r"The server at ws://127.0.0.1:\d+ does not let soulread play: .*\.$"):
        join(*[lambda peer: peer.welcome("soulread")] * 3)


def test_a_connection_that_is_lost_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        peer.send(message("__game_start", {}))
        peer.drop()

    monkeypatch.setattr(aigame, "sleep", lambda _: None)
    with pytest.raises(JoinError, match=r"cannot be reached: .*refused\.$"):
        join(play, play, wait=0)
    with pytest.raises(JoinError, match=r"was lost 20 times\.$"):
        join(*[play] * 20)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:9", "'http://127.0.0.1:9' is no address of a WebSocket, such as ws://127.0.0.1:9000."),
        ("127.0.0.1:9", "'127.0.0.1:9' is no address of a WebSocket, such as ws://127.0.0.1:9000."),
        *(
            (url, f"'{url}' is no address of a WebSocket, such as ws://127.0.0.1:9000.")
            for url in ("", "ws://", "ws://127.0.0.1:70000", "ws://127.0.0.1:x", "ws://[::1", "ws://a..b:9")
        ),
        ("ws://127.0.0.1:PORT", "The server ws://127.0.0.1:PORT cannot be reached: Connection refused."),
    ],
)
def test_no_server(url: str, reason: str) -> None:
    port = str(free_port())
    with pytest.raises(JoinError) as raised:
        command.aigame(url.replace("PORT", port), "soulread", JoinOptions(agent="random", wait_seconds=0))
    assert str(raised.value) == reason.replace("PORT", port)


def test_a_name_that_is_no_text() -> None:
    with pytest.raises(JoinError, match=r"^'\\udcff' is no name: it cannot be written in UTF-8\.$"):
        command.aigame("ws://127.0.0.1:9", "\udcff", JoinOptions(agent="random", wait_seconds=0))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "refuses the connection: .*HTTP 403\\.$"),
        ("What do you want?\r\n\r\n", r"cannot be reached: .*\.$"),
    ],
)
def test_a_server_that_speaks_otherwise(answer: str, reason: str) -> None:
    def play(peer: wire.Peer) -> None:
        while peer.line() not in ("\r\n", ""):
            pass
        peer.send(answer)

    options = JoinOptions(agent="random", wait_seconds=0)
    with wire.Server(play) as server, pytest.raises(JoinError, match=reason):
        command.aigame(f"ws://127.0.0.1:{server.port}", "soulread", options)


def test_a_server_that_speaks_before_it_is_asked() -> None:
    options = JoinOptions(agent="random", wait_seconds=0)
    with wire.Server(lambda peer: peer.send("Hello!\r\n")) as server, pytest.raises(JoinError, match="reached"):
        command.aigame(f"ws://127.0.0.1:{server.port}", "soulread", options)


def test_the_library_is_imported_by_the_command_alone() -> None:
    code = "import engine.join.aigame, engine.join.command, sys; sys.exit('websockets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Recorded matches


def recorded(name: str, own: str) -> Iterator[str]:
    """Give the messages of a transcript, ours being called 'soulread', and '' where an answer was sent."""
    for line in (TRANSCRIPTS / f"{name}-seats.jsonl").read_text().splitlines():
        yield "" if line.startswith(">>>") else line.replace(own, ME)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "own", "agent", "hands"),
    [
        ("five", "ed92eff813a02a31a2677be0563a0739", "random", 31),
        ("three", "7bc3ca68769437ce986455407dab2a1f", "random", 25),
        ("three", "7bc3ca68769437ce986455407dab2a1f", "tight-passive", 25),
    ],
)
def test_recorded_matches(name: str, own: str, agent: str, hands: int) -> None:
    script = list(recorded(name, own))
    answers: list[tuple[Data, Data]] = []

    def play(peer: Peer) -> None:
        peer.welcome("soulread")
        for text, following in zip(script, [*script[1:], "end"], strict=True):
            if text and following:
                peer.send(text)
            elif text:
                answers.append((json.loads(text)["data"], peer.ask(text)))
        if '"__game_over"' not in script[-1]:  # the record breaks off in a hand
            peer.send(message("__game_over", {}))

    assert join(play, agent=agent, seed=hands) == 0
    assert len(answers) == script.count("")
    for question, answer in answers:
        assert is_legal(question, answer), (question, answer)
    told_states = [json.loads(text) for text in script if text]
    assert Watched.followed == sum(
        one["eventName"] in ("__new_round", "__show_action", "__deal", "__action", "__bet") for one in told_states
    )
    check_ends([one["data"] for one in told_states if one["eventName"] == "__round_end"])
    assert len(Noted.hands) == hands
    (match,) = Watched.matches
    assert not match.disagreements


def check_ends(ends: Sequence[dict[str, Any]]) -> None:
    reloads: dict[str, int] = {}
    for hand, end in zip(Noted.hands, ends, strict=True):
        assert not hand.disagreements
        players = {player["playerName"]: player for player in end["players"]}
        assert [format_card(card).upper() for card in hand.board] == end["table"]["board"]
        for seat, name in names(hand).items():
            player = players[name]
            reloaded = 1000 * (player["reloadCount"] - reloads.get(name, 0))
            assert hand.stacks[seat] == player["chips"] - reloaded
            assert sorted(shown_of(hand)[seat]) == sorted(cards_of(player["cards"]))
            won = sum(
                event.amount
                for event in hand.observe().events
                if isinstance(event, PotAwarded) and event.seat == seat
            )
            returned = player["winMoney"] - won
            assert returned == 0 or won == 0
        reloads = {name: player["reloadCount"] for name, player in players.items()}
