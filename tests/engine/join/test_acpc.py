"""ACPC: states and definitions read, matches followed and answered over a loopback socket."""

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

import pytest

from engine.cards import Street, parse_cards
from engine.game.events import ActionKind, ActionTaken, BoardDealt, HoleCardsShown, PostKind, net_of, start_of
from engine.join import acpc, acpc_states, command
from engine.join.acpc import Follower, read_game
from engine.join.acpc_states import (
    BadMessage,
    GameDefinition,
    MatchState,
    Turn,
    parse_game,
    parse_state,
    turn_of,
)
from engine.join.followed_hand import FollowedHand
from engine.join.registration import JoinError, JoinOptions
from tests.conftest import SHARED
from tests.engine.join.wire import Noted, Peer, Server
from tests.engine.played import shown_of

TRANSCRIPTS = SHARED / "data" / "transcripts" / "acpc"

HEADS_UP = """
# reverse blinds
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
THREE = GameDefinition((1000, 1000, 300), (10, 20, 0), (2, 0, 0, 0))


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "heads-up.game"
    path.write_text(HEADS_UP)
    return path


@pytest.fixture(autouse=True)
def noted(monkeypatch: pytest.MonkeyPatch) -> None:
    Noted.sit(monkeypatch, acpc)


# Definitions


def test_a_definition_with_reversed_blinds() -> None:
    game = parse_game(HEADS_UP)
    assert game == GameDefinition((20000, 20000), (100, 50), (1, 0, 0, 0))
    assert (game.button, max(game.blinds)) == (1, 100)
    assert game.posts == ((1, PostKind.SMALL_BLIND, 50), (0, PostKind.BIG_BLIND, 100))


def test_a_definition_with_a_straddle_and_one_with_a_single_blind() -> None:
    straddle = GameDefinition((100,) * 4, (5, 10, 20, 0), (3, 0, 0, 0))
    assert [kind for _, kind, _ in straddle.posts] == [
        PostKind.SMALL_BLIND,
        PostKind.BIG_BLIND,
        PostKind.STRADDLE,
    ]
    assert GameDefinition((100,) * 2, (0, 10), (0, 0, 0, 0)).posts == ((1, PostKind.BIG_BLIND, 10),)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nolimit", "limit", "It is limit hold'em, and our agents play no limit"),
        ("nolimit", "", "It is '', and our agents play no limit"),
        ("GAMEDEF\nnolimit", "nolimit", "It does not stand between GAMEDEF and END GAMEDEF"),
        ("numPlayers = 2", "numPlayers = 11", "It has 11 players, not 2 to 10"),
        ("numPlayers = 2", "numPlayers = two", "numPlayers is 'two', not 1 whole numbers"),
        ("stack = 20000 20000", "stack = 20000", "stack is '20000', not 2 whole numbers"),
        ("stack = 20000 20000\n", "", "stack is '', not 2 whole numbers"),
        ("blind = 100 50", "blind = 0 0", r"Its blinds \(0 0\) cannot be played"),
        ("stack = 20000 20000", "stack = 20 20000", r"with stacks of 20 20000"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 3 1 1 1", "firstPlayer is 3 1 1 1: players 1 to 2"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 2 1 2 1", "one after the flop"),
        ("numHoleCards = 2", "numHoleCards = 4", "numHoleCards is 4, and in hold'em it is 2"),
        ("numRounds = 4", "numRounds = 4\nnumRounds = 4", "'numRounds' stands there twice or is no field"),
        ("numRounds = 4", "numRounds = 4\nmaxRaises = 3 4 4 4", "It limits the raises"),
        ("numSuits = 4", "numSuit = 4", "'numSuit' stands there twice or is no field"),
    ],
)
def test_definitions_that_cannot_be_played(old: str, new: str, message: str, game_file: Path) -> None:
    text = HEADS_UP.replace(old, new, 1)
    assert text != HEADS_UP
    game_file.write_text(text)
    with pytest.raises(JoinError, match=message) as raised:
        read_game(game_file)
    assert str(raised.value).startswith(f"The file {game_file} cannot be played: ")


def test_who_plays_heads_up_alone_is_refused_at_a_table_of_more(game_file: Path) -> None:
    changes = (
        ("Players = 2", "Players = 3"),
        ("20000 20000", "2000 2000 2000"),
        ("100 50", "50 100 0"),
        ("= 2 1 1 1", "= 3 1 1 1"),
    )
    three = reduce(lambda text, change: text.replace(*change), changes, HEADS_UP)
    game_file.write_text(three)
    with (
        pytest.raises(JoinError, match=r"'A\*' plays at 2 seats, and this table has 3\."),
        acpc.seat(game_file, JoinOptions(agent="a*")),
    ):
        pass


def test_definitions_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(JoinError, match=r"missing.game cannot be read: No such file"):
        read_game(tmp_path / "missing.game")
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(JoinError, match="is no plain text"):
        read_game(binary)


# States


def test_a_state() -> None:
    state = parse_state("MATCHSTATE:0:31:cc/cr6620c/:7d3d||2hAc/5sKs7s/9s", 3)
    call, big = (ActionKind.CALL, 0), (ActionKind.RAISE, 6620)
    assert state == MatchState(
        position=0,
        hand=31,
        streets=((call, call), (call, big, call), ()),
        hole_cards=(parse_cards("7d3d"), None, parse_cards("2hAc")),  # type: ignore[arg-type]
        board=(parse_cards("5sKs7s"), parse_cards("9s")),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MATCHSTATE:0:0:", "It is no MATCHSTATE of four fields"),
        ("hello", "It is no MATCHSTATE of four fields"),
        ("MATCHSTATE:x:0::7d3d|", "It is no MATCHSTATE of four fields"),
        ("MATCHSTATE:2:0::7d3d|", "There is no position 2 among 2 players"),
        ("MATCHSTATE:0:0:crx:7d3d|", "'crx' is no betting"),
        ("MATCHSTATE:0:0:cr:7d3d|", "'cr' is no betting"),
        ("MATCHSTATE:0:0:c/c/c/c/c:7d3d|", "'c/c/c/c/c' is no betting"),
        ("MATCHSTATE:0:0:c:7d3x|", "'3x' is no card"),
        ("MATCHSTATE:0:0:c:7d3|", "'7d3' is no card"),
        ("MATCHSTATE:0:0:c:7d3d", "'7d3d' are no hole cards of 2 players"),
        ("MATCHSTATE:0:0:c:7d3d|7d2c", "A card stands there twice"),
        ("MATCHSTATE:0:0:cc/:7d3d|/2c3c", "'2c3c' is no board of street 2"),
        ("MATCHSTATE:0:0:cc/:7d3d|", "'' is no board of street 2"),
        ("MATCHSTATE:1:0:c:7d3d|", "Our own hole cards are missing"),
    ],
)
def test_lines_that_are_no_state(text: str, reason: str) -> None:
    bad = parse_state(text, 2)
    assert isinstance(bad, BadMessage)
    assert bad.text == text
    assert reason in bad.reason


def streets_of(betting: str, game: GameDefinition) -> tuple[tuple[tuple[ActionKind, int], ...], ...]:
    board = ["", "2c3c4c", "5c", "6c"][: betting.count("/") + 1]
    holes = "AhAd" + "|" * (game.players - 1)
    state = parse_state(f"MATCHSTATE:0:0:{betting}:{holes}{'/'.join(board)}", game.players)
    assert isinstance(state, MatchState), state
    return state.streets


@pytest.mark.parametrize(
    ("betting", "turn"),
    [
        ("", Turn(2, 20)),
        ("c", Turn(0, 10)),
        ("cc", Turn(1, 0)),
        ("ccc/", Turn(0, 0)),
        ("cfc/", Turn(1, 0)),
        ("fr60", Turn(1, 40)),
        ("ff", Turn(None, 0)),
        ("r300cc/", Turn(0, 0)),
        ("r300cc/cr500", Turn(0, 200)),
        ("r300cc/cr500f//", Turn(None, 0)),
        ("r300cf///", Turn(None, 0)),  # one with chips has called the all-in
        ("r300", Turn(0, 290)),
        ("ccc/ccc/ccc/cc", Turn(2, 0)),
        ("ccc/ccc/ccc/ccc", Turn(None, 0)),
    ],
)
def test_whose_turn_it_is(betting: str, turn: Turn) -> None:
    assert turn_of(THREE, streets_of(betting, THREE)) == turn


def raises(count: int) -> str:
    """Write a state in which somebody has raised so often, two chips at a time."""
    return f"MATCHSTATE:0:0:{''.join(f'r{200 + 2 * number}' for number in range(count))}:AhAd|"


def test_a_hand_of_very_many_actions_is_refused_in_a_sentence() -> None:
    bad = parse_state(raises(32_000), 2)
    assert isinstance(bad, BadMessage)
    assert bad.reason == "32,000 actions are more than the 1,024 of a hand."
    assert isinstance(parse_state(raises(1_024), 2), MatchState)


def test_betting_is_followed_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each action of a state is taken once, by the dealer's rules and by ours, however many there are."""
    taken: list[int] = []
    act = acpc_states._Betting.act

    def counted(table: acpc_states._Betting, position: int, kind: ActionKind, total: int) -> None:
        taken.append(position)
        act(table, position, kind, total)

    monkeypatch.setattr(acpc_states._Betting, "act", counted)
    deep = parse_game(HEADS_UP.replace("20000 20000", "2000000 2000000"))
    follow(deep, raises(1_000))
    assert 900 < len(taken) <= 1_000
    taken.clear()
    assert acpc._safest(raises(31_999), deep) == f"{raises(31_999)}:f\r\n"
    assert len(taken) <= 32_000


# Matches without a dealer


def follow(game: GameDefinition, *texts: str) -> tuple[Follower, list[FollowedHand]]:
    follower = Follower(game)
    finished: list[FollowedHand] = []
    for text in texts:
        state = parse_state(text, game.players)
        assert isinstance(state, MatchState), state
        finished += follower.follow(state)
    return follower, finished


def test_seats_stay_while_positions_rotate() -> None:
    """We are player 1 all the time: position 1 in hand 0, position 0 in hand 1, position 2 in hand 2."""
    follower, finished = follow(
        THREE,
        "MATCHSTATE:1:0::|2hAc|",
        "MATCHSTATE:1:0:ff:|2hAc|",
        "MATCHSTATE:0:1::2hAc||",
        "MATCHSTATE:0:1:ff:2hAc||",
        "MATCHSTATE:2:2::||2hAc",
    )
    assert [hand.own_seat for hand in finished] == [1, 1]
    assert [hand.stacks for hand in finished] == [{0: 990, 1: 1010, 2: 300}, {0: 300, 1: 990, 2: 1010}]
    hand = follower.hand
    assert hand is not None
    started = start_of(hand.observe().events)
    assert (hand.own_seat, started.button) == (1, 1)
    assert [(start.name, start.stack) for start in started.seats] == [
        ("player 1", 1000),
        ("soulread", 300),
        ("player 3", 1000),
    ]


def test_a_run_out_shows_before_the_board() -> None:
    _, (hand,) = follow(
        parse_game(HEADS_UP),
        "MATCHSTATE:0:0::7d3d|",
        "MATCHSTATE:0:0:r20000:7d3d|",
        "MATCHSTATE:0:0:r20000c///:7d3d|2hAc/5sKs7s/9s/6h",
    )
    kinds = [type(event) for event in hand.observe().events[-7:-2]]
    assert kinds == [HoleCardsShown, HoleCardsShown, BoardDealt, BoardDealt, BoardDealt]
    assert not hand.disagreements
    assert hand.stacks == {0: 40000, 1: 0}  # a pair of sevens against an ace


def test_states_that_were_missed_are_made_up_for() -> None:
    follower, _ = follow(parse_game(HEADS_UP), "MATCHSTATE:0:5:r300c/cr900:7d3d|/5sKs7s")
    hand = follower.hand
    assert hand is not None
    assert hand.committed == {0: 900, 1: 300}
    assert hand.street is Street.FLOP
    assert [event.amount for event in hand.observe().events if isinstance(event, ActionTaken)] == [250, 200, 0, 600]


def test_being_asked_with_nothing_to_decide(game_file: Path) -> None:
    """A small blind calls with its last chips: the dealer asks the big blind, which has nobody to bet against."""
    game_file.write_text(HEADS_UP.replace("stack = 20000 20000", "stack = 20000 100"))

    def dealer(peer: Peer) -> None:
        peer.line()
        peer.send("MATCHSTATE:0:0::AhAd|\r\nMATCHSTATE:0:0:c:AhAd|\r\n")
        assert peer.line() == "MATCHSTATE:0:0:c:AhAd|:c\r\n"
        peer.send("MATCHSTATE:0:0:cc///:AhAd|KhKd/2c3c4d/9s/Ts\r\n")

    assert play(game_file, dealer) == 0
    (hand,) = Noted.hands
    assert hand.stacks == {0: 20100, 1: 0}
    assert not hand.disagreements
    assert Noted.decided == [()]


# Matches with one


def play(game_file: Path, peer: object, *, agent: str = "random", seed: int = 0) -> int:
    with Server(peer, seed) as server:  # type: ignore[arg-type]
        options = JoinOptions(agent=agent, seed=seed, wait_seconds=5)
        return command.acpc("127.0.0.1", server.port, game_file, options)


def is_legal(reply: str, state: str, game: GameDefinition) -> bool:
    """Judge an answer by the dealer's rules, from the state's text alone."""
    fields = re.fullmatch(re.escape(state) + r":(f|c|r(\d+))\r\n", reply)
    if fields is None:
        return False
    if fields[2] is None:
        return True
    position, streets = int(state.split(":")[1]), state.split(":")[3].split("/")
    spent, least = list(game.blinds), max(game.blinds)
    acting, folded = 0, set[int]()
    for number, street in enumerate(streets):
        acting, least = game.first_players[number], max(game.blinds)
        for token in re.findall(r"f|c|r\d+", street):
            while acting in folded or spent[acting] == game.stacks[acting]:
                acting = (acting + 1) % game.players
            if token == "f":
                folded.add(acting)
            elif token == "c":
                spent[acting] = min(max(spent), game.stacks[acting])
            else:
                least = max(least, int(token[1:]) - max(spent))
                spent[acting] = int(token[1:])
            acting = (acting + 1) % game.players
    total, stack = int(fields[2]), game.stacks[position]
    return max(spent) < total <= stack and (total >= max(spent) + least or total == stack)


def test_a_match(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    states = [
        ("# a comment", False),
        ("MATCHSTATE:0:0::7d3d|", False),
        ("MATCHSTATE:0:0:r300:7d3d|", True),
        ("; another", False),
        ("MATCHSTATE:0:0:r300c/:7d3d|/5sKs7s", True),
        ("MATCHSTATE:0:0:r300c/c:7d3d|/5sKs7s", False),
        ("MATCHSTATE:0:0:r300c/cc/:7d3d|/5sKs7s/9s", True),
        ("MATCHSTATE:0:0:r300c/cc/r900:7d3d|/5sKs7s/9s", False),
        ("MATCHSTATE:0:0:r300c/cc/r900f:7d3d|/5sKs7s/9s", False),
        ("MATCHSTATE:1:1::|AhAd", True),
        ("MATCHSTATE:1:1:f:|AhAd", False),
    ]
    replies = []

    def dealer(peer: Peer) -> None:
        assert peer.line() == "VERSION:2.0.0\r\n"
        for state, is_ours in states:
            peer.send(state + "\r\n")
            if is_ours:
                replies.append((peer.line(), state))

    assert play(game_file, dealer) == 0
    assert len(replies) == 4
    assert all(is_legal(reply, state, parse_game(HEADS_UP)) for reply, state in replies)
    assert capsys.readouterr().err.splitlines() == [
        "Hand 0: 7d3d on 5sKs7s9s, won 300; won 300 in 1 hand",
        "Hand 1: AhAd, lost 50; won 250 in 2 hands",
    ]
    assert [len(traces) for traces in Noted.decided] == [3, 1]


def test_nonsense_is_answered_with_the_safest_action(game_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked = {
        "MATCHSTATE:0:0:r300:7d7d|": ":f\r\n",  # one card twice: our turn, with 200 to call
        "MATCHSTATE:0:0:c:XX3d|": ":c\r\n",  # no card, and nothing to call
        "MATCHSTATE:0:0:c:|": ":c\r\n",
        "MATCHSTATE:0:0:c:\xff\xfe3d|": ":c\r\n",  # bytes that are no ASCII are repeated as they are
    }

    def dealer(peer: Peer) -> None:
        peer.line()
        peer.send("MATCHSTATE:0:0::7d3d|\r\nMATCHSTATE:what\r\n\r\nMATCHSTATE:0:0:r300r600:7d7d|\r\n")
        for state, reply in asked.items():
            peer.send(state + "\n")
            assert peer.line() == state + reply
        peer.send("MATCHSTATE:0:0:r300:7d3d|\r\n")
        assert peer.line().startswith("MATCHSTATE:0:0:r300:7d3d|:")
        # Betting that is not what it was, and our turn by it.
        peer.send("MATCHSTATE:0:0:r400:7d3d|\r\n")
        assert peer.line() == "MATCHSTATE:0:0:r400:7d3d|:f\r\n"
        peer.send("MATCHSTATE:0:0:f:7d3d|\r\n")

    assert play(game_file, dealer) == 0
    assert "'MATCHSTATE:what' was not understood: It is no MATCHSTATE of four fields." in caplog.text
    assert "A card stands there twice" in caplog.text
    assert "The betting of hand 0 is not what it was." in caplog.text


def test_a_flood_of_nonsense_is_logged_with_an_end(game_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    def dealer(peer: Peer) -> None:
        peer.line()
        peer.send("MATCHSTATE:\x1b[2Jnonsense\n" * 3_000 + "MATCHSTATE:0:0:f:7d3d|\n")

    assert play(game_file, dealer) == 0
    assert len(caplog.records) == 21
    assert caplog.records[-1].getMessage() == "2980 more like this: '...' was not understood: ..."
    assert "\x1b" not in caplog.text


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ("", "The dealer closed the connection before the first hand."),
        ("MATCHSTATE:0:4::7d3d|\r\n", "The dealer closed the connection in the middle of hand 4."),
        ("# hello\r\n", "The dealer closed the connection before the first hand."),
        ("SCORE:0|0:a|b\r\n", "The dealer closed the connection before the first hand."),
        (
            "\x1b[2Jnothing\nto be read",
            "The dealer closed the connection after 'to be read', which was not understood.",
        ),
        (
            "MATCHSTATE:0:0:f:7d3d|\r\nwhat?\r\n",
            "The dealer closed the connection after 'what?', which was not understood.",
        ),
        (
            "MATCHSTATE:0:0:fcc:7d3d|\r\n",
            "The dealer closed the connection in a hand that could not be followed.",
        ),
    ],
)
def test_a_match_that_breaks_off(sent: str, message: str, game_file: Path) -> None:
    def dealer(peer: Peer) -> None:
        peer.line()
        peer.send(sent)

    with pytest.raises(JoinError) as raised:
        play(game_file, dealer)
    assert str(raised.value) == message


# Recorded matches


def recorded(name: str, seat: int) -> Iterator[tuple[str, bool]]:
    """Give the lines to a seat, each with whether the seat answered it, up to its last answer or hand's end."""
    to, came = f"TO {seat} ", f"FROM {seat} "
    state = ""
    for line in (TRANSCRIPTS / f"{name}-dealer.txt").read_text().splitlines():
        if line.startswith(to):
            if state:
                yield state, False
            state = line.split(" ", 4)[4]
        elif line.startswith(came) and state:
            yield state, True
            state = ""
    if state:
        yield state, False


def results(name: str, players: int) -> Iterator[tuple[str, dict[int, int]]]:
    """Give of each hand of the match log the cards and what player i won."""
    for line in (TRANSCRIPTS / f"{name}.log").read_text().splitlines():
        if line.startswith("STATE:"):
            _, hand, _, cards, won, _ = line.split(":")
            yield (
                cards,
                {(at + int(hand)) % players: int(float(chips)) for at, chips in enumerate(won.split("|"))},
            )


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "file", "seat", "agent"),
    [
        ("heads-up", "holdem.nolimit.2p.reverse_blinds.game", 1, "random"),
        ("heads-up", "holdem.nolimit.2p.reverse_blinds.game", 2, "random"),
        ("six-handed", "holdem.nolimit.6p.game", 1, "random"),
        ("six-handed", "holdem.nolimit.6p.game", 4, "random"),
    ],
)
def test_recorded_matches(name: str, file: str, seat: int, agent: str) -> None:
    game = read_game(TRANSCRIPTS / file)
    script = list(recorded(name, seat))
    answers: list[tuple[str, str]] = []

    def dealer(peer: Peer) -> None:
        assert peer.line() == "VERSION:2.0.0\r\n"
        waiting = ""
        for state, is_answered in script:
            waiting += state + "\r\n"
            if is_answered:
                peer.send(waiting)
                answers.append((peer.line(), state))
                waiting = ""
        peer.send(waiting)

    # The dealer's record is cut off in the middle of a hand.
    with pytest.raises(JoinError, match="in the middle of hand"):
        play(TRANSCRIPTS / file, dealer, agent=agent, seed=seat)
    assert len(answers) > 100
    assert all(is_legal(reply, state, game) for reply, state in answers)
    check_hands(Noted.hands, list(results(name, game.players)), game)


def check_hands(
    hands: Sequence[FollowedHand], logged: Sequence[tuple[str, dict[int, int]]], game: GameDefinition
) -> None:
    assert len(hands) > 50
    for hand, (cards, won) in zip(hands, logged, strict=False):
        assert not hand.disagreements
        assert net_of(hand.observe().events) == won
        holes, *board = cards.split("/")
        assert hand.board == parse_cards("".join(board))
        held = {(at + hand.hand_number) % game.players: pair for at, pair in enumerate(holes.split("|"))}
        for seat, pair in shown_of(hand).items():
            assert sorted(pair) == sorted(parse_cards(held[seat]))
        live = set(held) - hand.folded
        assert set(shown_of(hand)) == (live if len(live) > 1 else set())
