"""The Huawei table: recorded matches and scripted ones over a loopback socket, and a small server's truth."""

import random
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.agents.played_hand import PlayedHand
from engine.codec import encode
from engine.game.events import CALL, CHECK, FOLD, Action, HandStarted, PotAwarded, end_of, raise_to, start_of
from engine.game.observation import Observation
from engine.join import command, huawei
from engine.join.client import Player, lines
from engine.join.early import EarlyTable, Heard
from engine.join.followed_hand import FollowedHand
from engine.join.huawei import Asked, Follower
from engine.join.huawei_messages import (
    BoardCards,
    CardsShown,
    Message,
    MessageReader,
    PotsWon,
    Rows,
    Seating,
)
from engine.join.registration import JoinError, JoinOptions
from engine.kernels.jit import warm_up
from tests.conftest import SHARED
from tests.engine.join.huawei_server import ContestTable
from tests.engine.join.test_huawei_truth import actions_of, check_truth, names_of
from tests.engine.join.wire import SECONDS, Noted, Peer, Server, free_port, kept_hands
from tests.engine.played import shown_of

TRANSCRIPTS = SHARED / "data" / "transcripts" / "huawei2015"
RECORDED = {
    "heads-up-seat1": "1111",
    "heads-up-seat2": "2222",
    "six-seats-seat1": "1111",
    "six-seats-seat2": "2222",
    "eight-seats-seat1": "1111",
}


class Checked(Follower):
    """A follower of which every later message is compared with what it made of the earlier ones."""

    hands_told: list[tuple[FollowedHand, list[Message]]]

    def __init__(self, own_id: str, most_hands: int | None = None) -> None:
        super().__init__(own_id, most_hands)
        self._told: list[Message] = []

    def follow(self, message: Message) -> Iterator[FollowedHand | Asked]:
        for found in super().follow(message):
            if isinstance(found, FollowedHand):
                Checked.hands_told.append((found, [*self._told, message]))
            yield found
        if isinstance(message, Seating):
            self._told = []
        self._told.append(message)
        if (
            isinstance(message, Rows)
            and message.is_whole
            and self._running is not None
            and not self._running.is_lost
        ):
            check_rows(self._running.hand, message)


def check_rows(hand: FollowedHand, told: Rows) -> None:
    """An uncalled bet may have come back by our rules and not yet by the server's."""
    seats = {name: seat for seat, name in names_of(hand).items()}
    excess = 0
    for row in told.rows:
        back = row.bet - hand.committed[seats[row.player]]
        assert hand.stacks[seats[row.player]] == row.chips + back
        assert back == 0 or row.bet == max(other.bet for other in told.rows)
        assert (seats[row.player] in hand.folded) == (row.action == "fold")
        excess += back
    assert hand.pot + excess == told.pot


def check_hand(hand: FollowedHand, told: Sequence[Message]) -> None:
    """Compare a finished hand with every message of it and the one after it."""
    names = names_of(hand)
    boards = [message.cards for message in told if isinstance(message, BoardCards)]
    assert hand.board == tuple(card for cards in boards for card in cards)
    shown = [message for message in told if isinstance(message, CardsShown)]
    if shown:
        assert hand.board == shown[0].board
        assert {names[seat]: pair for seat, pair in shown_of(hand).items()} == {
            player: tuple(sorted(pair, reverse=True)) for player, pair in shown[0].hands
        }
        live = {name for seat, name in names.items() if seat not in hand.folded}
        assert live == {player for player, _ in shown[0].hands}
    (won,) = [dict(message.winners) for message in told if isinstance(message, PotsWon)]
    awards = dict.fromkeys(won, 0)
    for event in hand.observe().events:
        if isinstance(event, PotAwarded):
            awards[names[event.seat]] += event.amount
    assert sum(awards.values()) <= sum(won.values())
    started, ended = start_of(hand.observe().events), end_of(hand.observe().events)
    before = next(message for message in told if isinstance(message, Seating))
    if isinstance(told[-1], Seating) and told[-1] is not before:
        coins = {line.player: line.coins for line in before.lines}
        after = {start.name: stack for start, stack in zip(started.seats, ended.stacks, strict=True)}
        for line in told[-1].lines:
            assert after[line.player] == line.chips - (coins[line.player] - line.coins)
    else:
        assert sum(ended.stacks) == sum(start.stack for start in started.seats)


class Scripted(Noted):
    """A player that answers as a script says, or as its agent does."""

    script: list[str] | None
    follows: threading.Event

    def decide(self, hand: FollowedHand, received: float | None = None) -> Action:
        action = super().decide(hand, received)
        if Scripted.script is not None:
            action = action_of(Scripted.script.pop(0), hand.observe())
        return action


def action_of(words: str, observation: Observation) -> Action:
    """Give what the server made of recorded words: a check that owes calls, a small raise is filled up."""
    legal, me = observation.legal, observation.me
    assert legal is not None
    word, _, number = words.partition(" ")
    if word == "fold":
        return FOLD
    if word in ("check", "call") or not legal.can_raise:
        return CHECK if legal.can_check else CALL
    if word == "all_in":
        return raise_to(legal.max_raise_to)
    total = me.bet + legal.call_amount + int(number)
    return raise_to(min(max(total, legal.min_raise_to), legal.max_raise_to))


@pytest.fixture(autouse=True)
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    Scripted.script, Checked.hands_told = None, []
    Scripted.follows, take_over = threading.Event(), EarlyTable.take_over

    def noted_take_over(table: EarlyTable) -> tuple[socket.socket, Heard]:
        taken = take_over(table)
        Scripted.follows.set()
        return taken

    monkeypatch.setattr(EarlyTable, "take_over", noted_take_over)
    monkeypatch.setattr(huawei, "Follower", Checked)
    Scripted.sit(monkeypatch, huawei)


def play(
    peer: Callable[[Peer], None],
    *,
    own_id: str = "1111",
    agent: str = "random",
    seed: int = 0,
    record: Path | None = None,
    is_early: bool = False,
) -> int:
    """Play at a server that says nothing before hands can be followed, unless it is early."""

    def when_followed(connection: Peer) -> None:
        assert is_early or Scripted.follows.wait(SECONDS)
        peer(connection)

    Scripted.follows.clear()
    with Server(when_followed, seed) as server:
        options = JoinOptions(agent=agent, seed=seed, wait_seconds=5, record=record)
        own = ("127.0.0.1", free_port())
        return command.huawei(("127.0.0.1", server.port), own, own_id, "soulread", options)


# Recorded matches


def recorded(name: str) -> list[tuple[str, str]]:
    """Give what the server sent up to each answer, and the answer; the last one is empty."""
    parts: list[tuple[str, str]] = []
    text = ""
    for line in (TRANSCRIPTS / f"{name}.txt").read_text().splitlines():
        if line.startswith(">>> "):
            parts.append((text, line.removeprefix(">>> ").strip()))
            text = ""
        else:
            text += f"{line.rstrip()} \n"
    return [*parts, (text, "")]


def is_legal(words: str, question: str, own_id: str) -> bool:
    """Judge an answer by the text of the question alone; the least raise is at least two small blinds of 20."""
    rows = [line.split() for line in question[question.rindex("inquire/") :].splitlines()[1:-2]]
    bets = {row[0]: int(row[3]) for row in rows}
    owed = max(bets.values()) - bets.get(own_id, 0)
    if words.startswith("raise "):
        chips = {row[0]: int(row[1]) for row in rows}
        return int(words.split()[1]) >= 40 and chips.get(own_id, 10**6) > owed + int(words.split()[1])
    return words in ("fold \n", "all_in \n", "call \n" if owed else "check \n")


@pytest.mark.shared
@pytest.mark.parametrize("does_as_recorded", [True, False])
@pytest.mark.parametrize(("name", "own_id"), RECORDED.items())
def test_recorded_matches(name: str, own_id: str, does_as_recorded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our client, whatever it answers itself, follows all that the server said to another one."""
    parts = recorded(name)
    asked: list[tuple[str, str]] = []

    def server(peer: Peer) -> None:
        assert peer.line() == f"reg: {own_id} soulread need_notify \n"
        for text, answer in parts:
            peer.send(text)
            if answer:
                asked.append((peer.line(), text))

    if does_as_recorded:
        # The odd question to a player without opponents never reaches it.
        Scripted.script = [answer for text, answer in parts[:-1] if not is_alone(text, own_id)]
    assert play(server, own_id=own_id, seed=len(name)) == 0
    assert len(asked) == len(parts) - 1
    assert [words for words, text in asked if not is_legal(words, text, own_id)] == []
    assert len(Noted.hands) == "".join(text for text, _ in parts).count("/seat")
    for hand, told in Checked.hands_told:
        check_hand(hand, told)
    if does_as_recorded:
        assert [hand.disagreements for hand in Noted.hands if hand.disagreements] == []


def is_alone(question: str, own_id: str) -> bool:
    rows = [line.split() for line in question[question.rindex("inquire/") :].splitlines()[1:-2]]
    return all(row[4] == "fold" for row in rows if row[0] != own_id)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("first", "second"), [("heads-up-seat1", "heads-up-seat2"), ("six-seats-seat1", "six-seats-seat2")]
)
def test_two_seats_tell_the_same_hands(first: str, second: str) -> None:
    """Each client was told something else of the same hands; both make the same of it, event by event."""
    one, other = (
        follow_text("".join(text for text, _ in recorded(name)), RECORDED[name]) for name in (first, second)
    )
    both = list(zip(one, other, strict=False))
    assert len(both) >= 3
    for mine, theirs in both:
        assert mine.observe().events == theirs.observe().events


def follow_text(text: str, own_id: str, most_hands: int | None = None) -> list[FollowedHand]:
    """Follow all that was said, without answering."""
    reader, follower = MessageReader(), Follower(own_id, most_hands)
    found = [one for line in text.splitlines() for message in reader.feed(line) for one in follower.follow(message)]
    return [one for one in found if isinstance(one, FollowedHand)]


def test_hands_and_coins_that_are_left() -> None:
    """The server says what coins are left, and we how many hands; beyond that nobody knows."""
    text = "".join(
        seats("1111 1960 4000", "2222 2040 2000")
        + block("blind", "2222: 20")
        + HOLD
        + inquire("2222 2020 2000 20 blind")
        + showdown(BOARD, ACES)
        + WIN
        for _ in range(4)
    )
    for most, left in ((None, [None] * 3), (600, [599, 598, 597]), (2, [1, 0, None])):
        events = [hand.observe().events[0] for hand in follow_text(text, "1111", most)]
        started = [event for event in events if isinstance(event, HandStarted)]
        assert [event.hands_left for event in started] == left
        assert [[seat.reserve for seat in event.seats] for event in started] == [[4000, 2000]] * 3


# A small server


def test_a_match_against_the_small_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of it through the client: registration, answers, results, and a record that reads back the same."""
    tables: list[ContestTable] = []

    def server(peer: Peer) -> None:
        assert peer.line() == "reg: 1111 soulread need_notify \n"

        def ask(text: str) -> str:
            peer.send(text)
            return peer.line()

        tables.append(ContestTable(["2222", "1111", "3333"], "1111", peer.send, ask, seed=4))
        tables[0].play(12)

    record = tmp_path / "match.phhs"
    warm_up()  # a decision that waits for the compiler at the end would be left behind, and its hands unrecorded
    assert play(server, agent="fold", seed=3, record=record) == 0
    (table,) = tables
    assert len(table.answers) > 10
    assert all(is_legal for _, is_legal in table.answers)
    assert len(Noted.hands) == len(table.truths) > 3
    for hand, truth in zip(Noted.hands, table.truths, strict=True):
        check_truth(hand, truth)
    played = [PlayedHand(hand.observe(), traces) for hand, traces in zip(Noted.hands, Noted.decided, strict=True)]
    assert encode(kept_hands(record)) == encode(played)
    assert sum(len(traces) for traces in Noted.decided) == len(table.answers)
    assert capsys.readouterr().err.count("Hand ") == len(played)


# Scripted sessions


def block(name: str, *elements: str) -> str:
    return "".join(f"{line} \n" for line in (f"{name}/", *elements, f"/{name}"))


def seats(*players: str) -> str:
    """Tell a new hand's players, the button first."""
    labels = ["button: ", "small blind: ", *["big blind: "] * (len(players) > 2)]
    labels += [""] * (len(players) - len(labels))
    return block("seat", *map(str.__add__, labels, players))


def inquire(*rows: str) -> str:
    return block("inquire", *rows, f"total pot: {sum(int(row.split()[3]) for row in rows)}")


def showdown(board: str, *hands: str) -> str:
    cards = board.split(", ")
    return block("showdown", "common/", *cards, "/common", *(f"1: {hand} HIGH_CARD" for hand in hands))


def flop_to_river(board: str) -> list[str]:
    cards = board.split(", ")
    return [block("flop", *cards[:3]), block("turn", cards[3]), block("river", cards[4])]


BOARD = "SPADES 2, HEARTS 7, CLUBS 9, DIAMONDS J, CLUBS 3"
HOLD = block("hold", "SPADES A", "HEARTS A")
ACES = "1111 SPADES A HEARTS A"
WIN = block("pot-win", "1111: 40")


def session(
    *script: str, replies: Sequence[str] = (), after: str = "game-over \n", record: Path | None = None
) -> int:
    """Say the script to a client; each expected reply answers the script's next question."""
    expected = list(replies)

    def server(peer: Peer) -> None:
        assert peer.line() == "reg: 1111 soulread need_notify \n"
        for text in script:
            peer.send(text)
            if text.endswith("/inquire \n"):
                assert peer.line() == f"{expected.pop(0)} \n"
        peer.send(after)

    code = play(server, record=record)
    assert not expected
    return code


def acts(hand: FollowedHand) -> str:
    return ", ".join(f"{player} {word} {total}" for player, word, total in actions_of(hand))


def test_a_rebuy_and_a_player_who_leaves(caplog: pytest.LogCaptureFixture) -> None:
    """2222 loses all and is rebought; later 3333 loses all, has no coins and leaves: heads-up from then on."""
    caplog.set_level("INFO")
    Scripted.script = ["all_in", "all_in", "call", "check", "check", "check"]
    kings, queens = "HEARTS K SPADES K", "HEARTS Q SPADES Q"
    assert (
        session(
            seats("1111 2000 2000", "2222 2000 2000", "3333 2000 0"),
            block("blind", "2222: 20", "3333: 40"),
            HOLD,
            inquire("3333 1960 0 40 blind", "2222 1980 2000 20 blind"),
            *flop_to_river(BOARD),
            showdown(BOARD, ACES, f"2222 {kings}"),
            block("pot-win", "1111: 4040"),
            seats("2222 2000 0", "3333 1960 0", "1111 4040 2000"),
            block("blind", "3333: 20", "1111: 40"),
            HOLD,
            inquire("3333 0 0 1960 all_in", "2222 2000 0 0 fold", "1111 4000 2000 40 blind"),
            *flop_to_river(BOARD),
            showdown(BOARD, ACES, f"3333 {queens}"),
            block("pot-win", "1111: 3920"),
            seats("1111 6000 2000", "2222 2000 0"),
            block("blind", "2222: 20"),
            HOLD,
            inquire("2222 1980 0 20 blind"),
            *(
                text
                for street in flop_to_river(BOARD)
                for text in (street, inquire("2222 1980 0 20 check", "1111 5980 2000 20 call"))
            ),
            showdown(BOARD, ACES, f"2222 {kings}"),
            WIN,
            replies=["all_in", "call", "call", "check", "check", "check"],
        )
        == 0
    )
    assert [hand.disagreements for hand in Noted.hands] == [[], [], []]
    assert [acts(hand) for hand in Noted.hands] == [
        "1111 raise 2000, 2222 call 2000, 3333 fold 40",
        "2222 fold 0, 3333 raise 1960, 1111 call 1960",
        "1111 call 20, 2222 check 20" + ", 2222 check 20, 1111 check 20" * 3,
    ]
    assert [hand.stacks for hand in Noted.hands] == [
        {0: 4040, 1: 0, 2: 1960},
        {0: 6000, 1: 2000, 2: 0},
        {0: 6020, 1: 1980},
    ]
    assert "2222 has been rebought with 2000 coins." in caplog.text
    assert "3333 has left." in caplog.text


def test_all_in_for_less_than_a_blind() -> None:
    """The big blind has 30 of 40 and 3333 only 10 of a small blind of 20; calling costs 40 all the same."""
    Scripted.script = ["fold", "call"]
    session(
        seats("3333 2000 0", "2222 2000 0", "1111 2000 2000", "4444 2000 0"),
        block("blind", "2222: 20", "1111: 40"),
        HOLD,
        inquire("2222 1980 0 20 fold", "3333 0 0 2000 all_in", "4444 2000 0 0 fold", "1111 1960 2000 40 blind"),
        block("pot-win", "3333: 2060"),
        seats("1111 1960 2000", "3333 10 0", "2222 30 0", "4444 1000 0"),
        block("blind", "3333: 10", "2222: 30"),
        HOLD,
        inquire("4444 960 0 40 call", "2222 0 0 30 all_in", "3333 0 0 10 all_in"),
        *flop_to_river(BOARD),
        showdown(BOARD, "3333 HEARTS K SPADES K", "2222 HEARTS Q SPADES Q", ACES, "4444 CLUBS 4 CLUBS 5"),
        block("pot-win", "1111: 120"),
        replies=["fold", "call"],
    )
    hand = Noted.hands[1]
    assert acts(hand) == "4444 call 40, 1111 call 40" + ", 4444 check 40, 1111 check 40" * 3
    assert (hand.observe().small_blind, hand.observe().big_blind) == (20, 40)
    assert not hand.disagreements
    # The stacks of the first hand are not what its messages came to: the server's count.
    assert [one.what for one in Noted.hands[0].disagreements] == [
        "stack of 3333 after the hand",
        "stack of 2222 after the hand",
        "stack of 4444 after the hand",
    ]


def test_heads_up_with_a_single_blind_and_nobody_left_to_play() -> None:
    """The button folds, and we are asked all the same; the least raise is two small blinds above the only one."""
    Scripted.script = ["raise 1", "call"]
    session(
        seats("2222 2000 2000", "1111 2000 2000"),
        block("blind", "1111: 20"),
        HOLD,
        inquire("2222 2000 2000 0 fold", "1111 1980 2000 20 blind"),
        block("pot-win", "1111: 20"),
        seats("1111 2000 2000", "2222 2000 2000"),
        block("blind", "2222: 20"),
        HOLD,
        inquire("2222 1980 2000 20 blind"),
        inquire("2222 1860 2000 140 raise", "1111 1940 2000 60 raise"),
        *flop_to_river(BOARD),
        showdown(BOARD, "2222 CLUBS 4 CLUBS 5", ACES),
        block("pot-win", "1111: 280"),
        replies=["check", "raise 40", "call"],
    )
    first, second = Noted.hands
    assert (acts(first), first.stacks) == ("2222 fold 0", {0: 2000, 1: 2000})
    assert acts(second).startswith("1111 raise 60, 2222 raise 140, 1111 call 140")
    assert not first.disagreements + second.disagreements


def test_a_pot_that_nobody_gets() -> None:
    """Everybody folds, the last one too: the chips are gone."""
    Scripted.script = ["fold"]
    session(
        seats("2222 2000 0", "1111 2000 0", "3333 2000 0"),
        block("blind", "1111: 20", "3333: 40"),
        HOLD,
        inquire("2222 2000 0 0 fold", "3333 1960 0 40 blind", "1111 1980 0 20 blind"),
        block("pot-win"),
        seats("1111 1980 0", "3333 1960 0", "2222 2000 0"),
        block("blind", "3333: 20", "2222: 40"),
        HOLD,
        block("pot-win", "2222: 60"),
        replies=["fold"],
    )
    first, second = Noted.hands
    assert acts(first) == "2222 fold 0, 1111 fold 20"
    assert first.stacks == {0: 2000, 1: 1980, 2: 1960}
    assert acts(second) == "1111 fold 0, 3333 fold 20"


def test_the_server_folds_us_and_fills_up_a_raise() -> None:
    """What our row says counts, not what we sent: a fold by time, a raise of 5 made one of 40."""
    Scripted.script = ["call", "raise 60", "call"]
    rows = "3333 1960 0 40 blind", "2222 1980 0 20 blind"
    session(
        seats("1111 2000 0", "2222 2000 0", "3333 2000 0"),
        block("blind", "2222: 20", "3333: 40"),
        HOLD,
        inquire(*rows),
        block("notify", "3333 1960 0 40 check", "2222 1960 0 40 call", "1111 2000 0 0 fold", "total pot: 80"),
        block("pot-win", "3333: 80"),
        seats("1111 2000 0", "2222 1960 0", "3333 2040 0"),
        block("blind", "2222: 20", "3333: 40"),
        HOLD,
        inquire("3333 2000 0 40 blind", "2222 1940 0 20 blind"),
        inquire("3333 1880 0 160 raise", "2222 1940 0 20 fold", "1111 1920 0 80 raise"),
        block("pot-win", "3333: 260"),
        replies=["call", "raise 60", "call"],
    )
    first, second = Noted.hands
    assert acts(first).startswith("1111 fold 0, 2222 call 40, 3333 check 40")
    assert acts(second).startswith("1111 raise 80, 2222 fold 20, 3333 raise 160")


# What is damaged


def test_a_damaged_question_is_answered_with_the_safest_action(caplog: pytest.LogCaptureFixture) -> None:
    Scripted.script = ["call"]
    opening = (
        seats("2222 2000 0", "3333 2000 0", "1111 2000 0"),
        block("blind", "3333: 20", "1111: 40"),
        HOLD,
    )
    session(
        *opening,
        # What 2222 has put in is not legible, and the pot does not tell that it is nothing new.
        block("inquire", "2222 19?0 0 40 call", "3333 1960 0 40 call", "1111 1960 0 40 blind", "total pot: 120"),
        block("flop", *BOARD.split(", ")[:3]),
        # Now the pot tells that nobody has put in more: free.
        block("inquire", "3333 1960 0 40 check", "2222 1960 0 4", "1111 1960 0 40 check", "total pot: 120"),
        block("turn", "DIAMONDS J"),
        inquire("2222 1960 0 40 call", "3333 1960 0 40 check", "1111 1960 0 40 check"),
        block("pot-win", "1111: 120"),
        replies=["fold", "fold", "check"],
    )
    assert "'2222 19?0 0 40 call' was not understood: no line of inquire." in caplog.text


def test_hands_that_cannot_be_followed(caplog: pytest.LogCaptureFixture) -> None:
    """No hole cards, no seats, a flop lost, a stranger's row, a card twice: answered by the rows alone."""
    opening = seats("1111 2000 0", "2222 2000 0", "3333 2000 0"), block("blind", "2222: 20", "3333: 40")
    free = inquire("3333 1960 0 40 check", "2222 1960 0 40 check", "1111 1960 0 40 call")
    session(
        inquire("2222 1960 0 40 call"),
        *opening,
        block("hold", "SPADES A", "SPADES A"),
        free,
        *opening,
        HOLD,
        block("flop", "SPADES 2", "HEARTS 7"),
        block("turn", "DIAMONDS J"),
        free,
        WIN,
        *opening,
        HOLD,
        inquire("9999 1960 0 40 call", "3333 1960 0 40 blind", "2222 1980 0 20 blind"),
        WIN,
        *opening,
        HOLD,
        block("flop", "SPADES A", "HEARTS 7", "HEARTS 8"),
        free,
        seats("2222 2000 0", "3333 2000 0", "1111 2000 0"),
        block("blind", "3333: 20", "1111: 40"),
        HOLD,
        block("pot-win", "1111: 60"),
        replies=["fold", "check", "check", "fold", "check"],
    )
    assert "Hole cards" not in caplog.text
    assert "the turn was dealt out of turn" in caplog.text
    assert "somebody acts who was not dealt in" in caplog.text
    assert "The As is our hole cards already" in caplog.text or "The As is" in caplog.text


@pytest.mark.parametrize(
    ("opening", "end", "why"),
    [
        (seats("2222 2000 0", "3333 2000 0"), "", "We are not among its players."),
        (
            seats("2222 2000 0", "1111 2000 0"),
            showdown(BOARD.replace("SPADES 2", "SPADES 3"), ACES),
            "The board at showdown is another than before.",
        ),
    ],
)
def test_hands_that_make_no_sense_at_their_beginning_or_end(
    opening: str, end: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    Scripted.script = ["check"] * 4
    session(
        opening,
        block("blind", "1111: 20"),
        HOLD,
        block("notify", "2222 1980 0 20 call", "1111 1980 0 20 check", "total pot: 40"),
        *flop_to_river(BOARD),
        end,
        WIN,
    )
    assert why in caplog.text
    assert not Noted.hands


def test_what_cannot_be_explained_is_one_line_of_a_hand(caplog: pytest.LogCaptureFixture) -> None:
    """Chips from nowhere, twice, and an impossible card: the first is told, and the server's figures count."""
    session(
        seats("2222 2000 0", "3333 2000 0", "1111 2000 0"),
        block("blind", "3333: 20", "1111: 40"),
        HOLD,
        block("notify", "3333 500 0 30 call", "2222 1990 0 10 call", "1111 1960 0 40 blind", "total pot: 80"),
        block("flop", *BOARD.split(", ")[:3]),
        block("notify", "3333 9 0 35 check", "2222 1 0 10 raise", "1111 1960 0 40 check", "total pot: 85"),
        block("turn", "SPADES A"),
        block("notify", "3333 9 0 35 check", "2222 1 0 10 check", "1111 1960 0 40 check", "total pot: 85"),
        block("pot-win", "1111: 85"),
        seats("3333 1500 0", "1111 2045 0", "2222 1990 0"),
    )
    assert [record.getMessage() for record in caplog.records] == [
        "Hand 1: no order of play explains what was told."
    ]
    assert len(Noted.hands) == 1
    assert Noted.hands[0].stacks == {0: 1990, 1: 1500, 2: 2045}


def test_a_hand_whose_players_cannot_be_read(caplog: pytest.LogCaptureFixture) -> None:
    """The hand before ends all the same, with the stacks that its pot leaves; hole cards alone begin nothing."""
    Scripted.script = ["check", "check"]
    free = inquire("2222 1980 0 20 call", "1111 1980 0 20 blind")
    opening = block("blind", "1111: 20"), HOLD, free
    session(
        seats("2222 2000 0", "1111 2000 0"),
        *opening,
        block("pot-win", "1111: 40"),
        seats("2222 1980 0", "1111 2020 O"),
        *opening,
        block("pot-win", "1111: 40"),
        HOLD,
        seats("2222 2000 0", "1111 2000 0"),
        *opening,
        HOLD,
        block("pot-win", "1111: 40"),
        replies=["check"] * 3,
    )
    assert [hand.hand_number for hand in Noted.hands] == [1, 2]
    assert [hand.stacks for hand in Noted.hands] == [{0: 1980, 1: 2020}] * 2
    assert "Hole cards were dealt to us outside of any hand." in caplog.text


def test_decisions_of_a_hand_that_is_given_up_are_not_the_next_ones(tmp_path: Path) -> None:
    Scripted.script = ["check"]
    opening = seats("2222 2000 0", "1111 2000 0"), block("blind", "1111: 20"), HOLD
    asked = inquire("2222 1980 0 20 call", "1111 1980 0 20 blind")
    session(
        *opening,
        asked,
        block("pot-win", "9999: 40"),
        *opening,
        block("pot-win", "1111: 20"),
        replies=["check"],
        record=tmp_path / "match.phhs",
    )
    (hand,) = kept_hands(tmp_path / "match.phhs")
    assert (hand.observation.hand_number, hand.traces) == (2, ())


def test_unknown_blocks_and_words_between(caplog: pytest.LogCaptureFixture) -> None:
    Scripted.script = ["check"]
    assert (
        session(
            block("weather", "rain", "inquire is not meant"),
            seats("1111 2000 0", "2222 2000 0"),
            "hello \n \n",
            block("blind", "2222: 20"),
            block("hold", "SPADES A", "HEARTS A"),
            "\x00\x7f" + inquire("2222 1980 0 20 blind"),
            replies=["call"],
        )
        == 0
    )
    assert "'weather/' was not understood: no such block is known." in caplog.text
    assert "'hello' was not understood: outside of any block." in caplog.text


def test_a_server_that_closes_too_early() -> None:
    with pytest.raises(JoinError, match="closed the connection before the first hand; it may not expect 1111 at"):
        session(after="")
    with pytest.raises(JoinError, match="closed the connection in hand 1, before the game was over"):
        session(seats("1111 2000 0", "2222 2000 0"), block("blind", "2222: 20"), HOLD, after="inq")


def test_being_out_is_an_end_too() -> None:
    """The server lets us go when we have lost everything: nothing went wrong."""
    assert session(seats("2222 2000 0", "3333 2000 0"), block("blind", "3333: 20"), after="") == 0
    Scripted.script = ["all_in"]
    opening = seats("1111 500 0", "2222 2000 0"), block("blind", "2222: 20"), HOLD
    assert (
        session(
            *opening,
            inquire("2222 1980 0 20 blind"),
            *flop_to_river(BOARD),
            showdown(BOARD, "2222 CLUBS 2 DIAMONDS 2", ACES),
            block("pot-win", "2222: 1000"),
            replies=["all_in"],
            after="",
        )
        == 0
    )
    assert Noted.hands[-1].stacks == {0: 0, 1: 2500}


def test_a_server_that_starts_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client comes too early, waits, and comes again from the very port that the server expects."""
    port, own = free_port(), free_port()
    servers: list[Server] = []

    def start_server(_: float) -> None:
        if not servers:
            servers.append(Server(lambda peer: peer.send(peer.line()[:0] + "game-over \n"), port=port))

    monkeypatch.setattr("engine.join.registration.sleep", start_server)
    options = JoinOptions(agent="random", wait_seconds=20)
    # The server says nothing of a hand, and nothing went wrong.
    with pytest.raises(JoinError, match="before the first hand"):
        command.huawei(("127.0.0.1", port), ("127.0.0.1", own), "1111", "soulread", options)
    with servers[0] as server:
        assert server.came_from == ("127.0.0.1", own)


@pytest.mark.parametrize(
    ("own_id", "name", "message"),
    [("11 11", "soulread", "'11 11' is no id"), ("1111", "", "'' is no name"), ("1111", "é", "'é' is no name")],
)
def test_words_that_the_server_does_not_take(own_id: str, name: str, message: str) -> None:
    with pytest.raises(JoinError, match=message):
        command.huawei(("127.0.0.1", 1), ("127.0.0.1", free_port()), own_id, name, JoinOptions(agent="random"))


# Asked before hands can be followed


def test_what_is_asked_before_hands_can_be_followed_is_answered_and_the_hand_followed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What follows hands is not loaded until the server has its answers; one more question is half told then."""
    is_answered = threading.Event()
    load = huawei.seat

    def blocked(*arguments: object) -> AbstractContextManager[Callable[[EarlyTable, float], None]]:
        assert is_answered.wait(SECONDS)
        return load(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(huawei, "seat", blocked)
    Scripted.script = ["call"]
    first = (
        seats("2222 2000 2000", "1111 2000 2000"),
        block("blind", "1111: 20"),
        HOLD,
        inquire("2222 1980 2000 20 call", "1111 1980 2000 20 blind"),
    )
    flop = flop_to_river(BOARD)[0] + inquire("2222 1980 2000 20 call", "1111 1980 2000 20 check")
    raised = inquire("2222 1880 2000 120 raise", "1111 1980 2000 20 check")
    second = (
        block("pot-win", "2222: 140"),
        seats("1111 1980 2000", "2222 2020 2000"),
        block("blind", "2222: 20"),
        HOLD,
        inquire("2222 2000 2000 20 blind"),
    )
    answers = []

    def server(peer: Peer) -> None:
        peer.line()
        for told in ("".join(first), flop, raised):
            peer.send(told)
            answers.append(peer.line())
        told = "".join(second)
        peer.send(told[: len(told) // 2])
        is_answered.set()
        assert Scripted.follows.wait(SECONDS)
        peer.send(told[len(told) // 2 :])
        answers.append(peer.line())
        peer.send(block("pot-win", "1111: 40") + "game-over \n")

    assert play(server, is_early=True) == 0
    assert answers == ["check \n", "check \n", "fold \n", "call \n"]
    assert acts(Noted.hands[0]) == "2222 call 20, 1111 check 20, 1111 check 20, 2222 raise 120, 1111 fold 20"
    assert [hand.disagreements for hand in Noted.hands] == [[], []]
    assert Noted.hands[0].stacks == {0: 2020, 1: 1980}
    assert [record.getMessage() for record in caplog.records] == [
        "Answered before hands could be followed: check, check, fold."
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (inquire("2222 1980 0 20 call", "1111 1980 0 20 blind"), "check"),
        (inquire("2222 1960 0 40 raise", "1111 1980 0 20 blind"), "fold"),
        (inquire("2222 1980 0 20 blind"), "fold"),
        (block("inquire", "2222 1980 0 20 call", "1111 1980 0 20 blind", "total pot: 60"), "fold"),
        (block("inquire", "2222 1980 0 20 c", "1111 1980 0 20 blind", "total pot: 40", "?"), "fold"),
        (block("inquire", "1111 1980 0 20 blind"), "fold"),
        (block("inquire"), "fold"),
        (block("inquire", f"1111 0 0 {'9' * 9999} blind", "total pot: 40"), "fold"),
        (block("notify", "2222 1980 0 20 call", "total pot: 20") + inquire("1111 0 0 20 all_in"), "check"),
        ("seat/ \n" + inquire("1111 0 0 20 all_in"), "check"),
    ],
)
def test_the_safest_answer_needs_the_question_alone(question: str, answer: str) -> None:
    ours, theirs = socket.socketpair()
    with theirs, closing(EarlyTable(ours, "1111")) as table:
        theirs.settimeout(SECONDS)
        Peer(theirs, 5).send(question)
        assert Peer(theirs, 5).line() == f"{answer} \n"
        _, heard = table.take_over()
        assert "".join(f"{line.text}\n" for line in heard.lines) == question
        assert [line.answer for line in heard.lines] == [None] * (len(heard.lines) - 1) + [f"{answer} \n"]


def test_a_flood_before_hands_can_be_followed_waits() -> None:
    """So much is read and no more; whoever follows gets all of it, in order."""
    ours, theirs = socket.socketpair()
    told = [f"line {number}" for number in range(50_000)]
    with theirs, closing(EarlyTable(ours, "1111")) as table:
        sender = threading.Thread(target=lambda: theirs.sendall("\n".join(told).encode()) or theirs.close())
        sender.start()
        table._reader.join(SECONDS)
        connection, heard = table.take_over()
        assert len(heard.rest) + sum(len(line.text) + 1 for line in heard.lines) == 1 << 16
        assert [line.text for line in lines(connection, heard=heard)] == told
        sender.join()


# Anything in between


SCRIPT = (
    seats("2222 2000 0", "1111 2000 0"),
    block("blind", "1111: 20"),
    HOLD,
    inquire("2222 1940 0 60 raise", "1111 1980 0 20 blind"),
    block("flop", *BOARD.split(", ")[:3]),
    inquire("2222 1940 0 60 raise", "1111 1940 0 60 call"),
    block("turn", "DIAMONDS J"),
    inquire("2222 1940 0 60 check", "1111 1940 0 60 check"),
    block("notify", "2222 1840 0 160 call", "1111 1840 0 160 raise", "total pot: 320"),
    block("river", "CLUBS 3"),
    inquire("2222 1840 0 160 check", "1111 1840 0 160 raise"),
    showdown(BOARD, "2222 CLUBS 4 CLUBS 5", ACES),
    block("pot-win", "1111: 320"),
    seats("1111 2160 0", "2222 1840 0"),
    block("blind", "2222: 20"),
    HOLD,
    inquire("2222 1820 0 20 blind"),
    block("pot-win", "2222: 20"),
)
TAGS = [f"{sign} \n".encode() for name in ("inquire", "seat", "showdown", "x") for sign in (f"{name}/", f"/{name}")]
NOISE = st.lists(st.binary(max_size=40), min_size=len(SCRIPT), max_size=len(SCRIPT))
TAGS_TOO = st.lists(st.sampled_from([b"", *TAGS]), min_size=len(SCRIPT), max_size=len(SCRIPT)) | NOISE


class Caller(Player):
    """Never folds and never raises."""

    def decide(self, hand: FollowedHand, received: float | None = None) -> Action:
        legal = hand.observe().legal
        assert legal is not None
        return CHECK if legal.can_check else CALL


def answers_to(data: bytes) -> list[str]:
    """Play the client over a pair of sockets."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        follower = Follower("1111")
        with closing(Caller(JoinOptions(agent="random"), 5.0, lambda _: None)) as player:
            huawei._play(ours, Heard(), follower, player)
        ours.shutdown(socket.SHUT_WR)
        return theirs.makefile("r").readlines()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NOISE)
def test_bytes_between_messages_change_nothing(noise: list[bytes]) -> None:
    data = b"".join(bytes_ + text.encode() for bytes_, text in zip(noise, SCRIPT, strict=True)) + b"game-over \n"
    assert answers_to(data) == ["call \n", "check \n", "check \n", "check \n", "call \n"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TAGS_TOO, st.randoms(use_true_random=False))
def test_tags_and_cuts_anywhere_end_nothing(noise: list[bytes], chance: random.Random) -> None:
    data = bytearray()
    for bytes_, text in zip(noise, SCRIPT, strict=True):
        whole = bytearray(text.encode())
        if chance.random() < 0.2:
            at = chance.randrange(len(whole))
            whole[at : at + chance.randrange(8)] = bytes_[:4]
        data += bytes_ + whole
    assert set(answers_to(bytes(data))) <= {"call \n", "check \n", "fold \n"}
