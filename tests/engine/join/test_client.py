"""What the protocols share: connecting, lines in any pieces, our player, and the command line."""

import logging
import socket
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from websockets.sync.server import ServerConnection, serve

from engine import cli
from engine.agents.agent import FAILED, NOT_READY, OUT_OF_TIME
from engine.agents.styles import SOULREAD, style_label
from engine.game.events import CHECK, FOLD
from engine.join.client import Player, lines, prepare, send
from engine.join.registration import JoinError, JoinOptions, connect
from engine.join.remembered import RememberedPlayers
from tests.engine.join.test_followed_hand import play, told
from tests.engine.join.wire import SECONDS, Peer, Server, free_port, kept_hands

GAME = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 1000 1000
blind = 20 10
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


@pytest.fixture(autouse=True)
def unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.join.client.prepare", lambda *_: None)


@pytest.mark.parametrize("seed", range(5))
def test_lines_in_any_pieces(seed: int) -> None:
    def talk(peer: Peer) -> None:
        peer.send("one\r\ntwo \n\nthree\nrest")
        assert peer.line() == "thanks\r\n"

    with Server(talk, seed) as server, closing(connect("127.0.0.1", server.port, wait_seconds=0)) as connection:
        seen = []
        send(connection, "thanks\r\n")
        for line in lines(connection):
            seen.append(line.text)
        assert seen == ["one", "two ", "", "three", "rest"]


def test_what_is_there_when_reading_begins_has_waited_since_the_server_was_told_of_us() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"one\ntwo\n")
        found = lines(ours, 123.0)
        assert [next(found).received, next(found).received] == [123.0, 123.0]
        theirs.sendall(b"three\n")
        assert next(found).received > 123.0
        theirs.sendall(b"four\n")
        ours.settimeout(SECONDS)
        assert [line.text for line in lines(ours, None) if not theirs.close()] == ["four"]


def test_any_byte_goes_out_as_it_came_in() -> None:
    sent = bytes(byte for byte in range(256) if byte not in b"\r\n")

    def talk(peer: Peer) -> None:
        peer.send(sent.decode("latin-1") + "\n")
        assert peer.line().encode("latin-1") == sent + b"\n"

    with Server(talk) as server, closing(connect("127.0.0.1", server.port, wait_seconds=0)) as connection:
        for line in lines(connection):
            send(connection, line.text + "\n")


def test_a_line_without_an_end_is_given_in_pieces() -> None:
    def talk(peer: Peer) -> None:
        peer.send("x" * 1_000_000 + "\nafter\n")

    with Server(talk) as server, closing(connect("127.0.0.1", server.port, wait_seconds=0)) as connection:
        seen = [line.text for line in lines(connection)]
    assert seen.pop() == "after"
    assert "".join(seen) == "x" * 1_000_000
    assert max(map(len, seen)) <= 1 << 17


def test_a_connection_that_breaks_counts_as_closed(caplog: pytest.LogCaptureFixture) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(b"\xff\xfe\n")
    lines_of = lines(ours)
    assert next(lines_of).text == "\xff\xfe"
    theirs.close()
    send(ours, "hello\n")
    assert "'hello' could not be sent" in caplog.text
    assert list(lines_of) == []
    ours.close()
    assert list(lines(ours)) == []
    assert "The connection broke" in caplog.text


def test_a_server_that_starts_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first try fails; the server is up before the second."""
    port = free_port()
    started: list[socket.socket] = []

    def start_it(_: float) -> None:
        if not started:
            started.append(socket.create_server(("127.0.0.1", port)))

    monkeypatch.setattr("engine.join.registration.sleep", start_it)
    with closing(connect("127.0.0.1", port, wait_seconds=60)) as connection:
        assert connection.getpeername() == ("127.0.0.1", port)
    assert len(started) == 1
    started[0].close()


def test_coming_from_an_address_of_ones_own() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        with closing(connect(*address, wait_seconds=0, own_address=("127.0.0.1", port))) as connection:
            assert connection.getsockname() == ("127.0.0.1", port)
            accepted, other = listener.accept()
            assert other == ("127.0.0.1", port)
            accepted.close()


def test_servers_and_addresses_that_cannot_be_used() -> None:
    port = free_port()
    with pytest.raises(JoinError, match=f"The server 127.0.0.1:{port} cannot be reached: Connection refused"):
        connect("127.0.0.1", port, wait_seconds=0)
    with pytest.raises(JoinError, match=r"There is no server of the name no\.such\.host\.invalid: "):
        connect("no.such.host.invalid", port, wait_seconds=5)
    with pytest.raises(JoinError, match=r"The own address 192\.0\.2\.1:9 cannot be used"):
        connect("127.0.0.1", port, wait_seconds=5, own_address=("192.0.2.1", 9))
    with pytest.raises(JoinError, match=r"The own address no\.such\.host\.invalid:9 cannot be used"):
        connect("127.0.0.1", port, wait_seconds=5, own_address=("no.such.host.invalid", 9))


# The player


def test_a_player_decides_learns_and_tells(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "match.phhs"
    options = JoinOptions(agent="random", seed=3, does_explain=True, record=path)
    hand = told((1000, 1000), own_seat=0, hole_cards="7d2c")
    with closing(Player(options, 60, said.append)) as player:
        action = player.decide(hand)
        assert hand.observe().legal is not None
        assert len(player.traces) == 1
        play(hand, "f")
        hand.end()
        observation = hand.observe()
        player.finish(hand)
        assert player.traces == ()
    assert said[0].startswith("  preflop, ")
    assert said[1].startswith("    The number drawn was ")
    assert said[2:] == ["Hand 7: 7d2c, lost 10; lost 10 in 1 hand"]
    (kept,) = kept_hands(path)
    assert kept.observation == observation
    assert [trace.action for trace in kept.traces] == [action]


def test_decisions_follow_from_the_seed() -> None:
    def actions(seed: int) -> list[object]:
        with closing(Player(JoinOptions(agent="random", seed=seed), 60, lambda _: None)) as player:
            return [player.decide(told()) for _ in range(20)]

    assert actions(1) == actions(1) != actions(2)


def test_a_player_checks_where_there_is_nothing_to_decide() -> None:
    hand = told((1000, 50), own_seat=0)
    play(hand, "r100 c")
    with closing(Player(JoinOptions(agent="random"), 60, lambda _: None)) as player:
        assert player.decide(hand) == CHECK
        assert player.traces == ()


def test_a_record_that_fails_is_given_up_and_the_match_goes_on(tmp_path: Path) -> None:
    said: list[str] = []
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no full disk")
    with closing(Player(JoinOptions(agent="random", record=full), 60, said.append)) as player:
        for _ in range(2):
            hand = told((1000, 1000))
            play(hand, "f")
            hand.end()
            player.finish(hand)
    assert len(said) == 3
    assert said[0].startswith("The file /dev/full cannot be written: No space left")
    assert said[0].endswith(" Nothing more is recorded.")


@pytest.mark.slow
@pytest.mark.parametrize("style", ["a*", "near-equilibrium"])
def test_who_plays_heads_up_alone_is_stood_in_for_while_more_are_dealt_in(
    style: str, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[str] = []
    with closing(Player(JoinOptions(agent=style), 60, said.append)) as player:
        for stacks in ((1000, 1000, 1000), (1000, 1000, 1000), (1000, 1000)):
            hand = told(stacks, own_seat=0)
            player.decide(hand)
            traces = player.traces
            play(hand, "f f" if len(stacks) > 2 else "f")
            hand.end()
            player.finish(hand)
            expected = style if len(stacks) == 2 else SOULREAD
            assert [trace.style for trace in traces] == [expected]
            assert traces[0].rule not in (FAILED, NOT_READY, OUT_OF_TIME)
    label = style_label(style)
    told_once = f"'{label}' plays at 2 seats, and this table has 3. As long as that is so, Soulread plays instead."
    assert [line for line in said if "seats" in line] == [told_once]
    assert not caplog.records


def test_the_players_that_a_stand_in_meets_are_remembered(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "players.bin"
    with closing(Player(JoinOptions(agent="a*", remembered=path), 60, said.append)) as player:
        hand = told((1000, 1000, 1000), own_seat=0)
        play(hand, "r60 c f [2c7d9h] x x [Ts] x x [Jh] x x")
        hand.end()
        player.finish(hand)
    assert said[0] == f"Players remembered: 0, in {path}."
    assert set(RememberedPlayers(path, said.append).read()) == {"p1", "p2"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (JoinOptions(agent="genius"), "There is no style 'genius'"),
        (JoinOptions(agent="fold:genius"), "genius"),
        (JoinOptions(agent="missing.toml"), "The style missing.toml cannot be read: No such file or directory"),
        (JoinOptions(agent="random", budget_seconds=0.0), None),
        (JoinOptions(agent="random", record=Path("/missing/match.phhs")), "cannot be written"),
    ],
)
def test_players_that_cannot_be(options: JoinOptions, message: str | None) -> None:
    if message is None:  # 0 stands for the protocol's limit
        with closing(Player(options, 60, lambda _: None)) as player:
            player.start()
        return
    with pytest.raises(JoinError, match=message), closing(Player(options, 60, lambda _: None)) as player:
        player.start()


def test_a_server_that_is_not_up_yet_is_waited_for_with_the_preparation(
    unprepared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is prepared meanwhile is begun once, before the second attempt."""
    begun: list[str] = []
    monkeypatch.setattr("engine.join.registration.sleep", lambda _: begun.append("slept"))
    times = iter([0.0, 0.0, 0.0, 0.0, 100.0])
    monkeypatch.setattr("engine.join.registration.monotonic", lambda: next(times))
    with pytest.raises(JoinError, match="cannot be reached"):
        connect("127.0.0.1", free_port(), wait_seconds=60, meanwhile=lambda: begun.append("started"))
    assert begun == ["started", "slept", "slept", "slept"]


FIRST_WORDS = """
import os, socket, sys
from websockets.sync.client import ClientConnection
from engine.__main__ import main

HEAVY = ("numba", "numpy", "msgspec", "engine.agents", "engine.kernels.jit", "engine.agents.styles")

def noted(send):
    def noted_send(connection, text, *arguments):
        text = text if isinstance(text, str) else text.decode()
        if not text.startswith("GET "):  # a WebSocket asks for itself first
            loaded = [name for name in HEAVY if name in sys.modules]
            print(repr(text), loaded, flush=True)
            os._exit(0)
        return send(connection, text.encode(), *arguments)
    return noted_send

socket.socket.sendall = noted(socket.socket.sendall)
ClientConnection.send = noted(ClientConnection.send)
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        ("acpc", r"'VERSION:2.0.0\r\n'"),
        ("huawei", r"'reg: 1111 soulread need_notify \n'"),
        ("aigame", '\'{"eventName":"__join","data":{"playerName":"soulread"}}\''),
    ],
)
def test_a_server_is_told_of_us_before_agents_and_kernels_are_loaded(
    protocol: str, words: str, tmp_path: Path
) -> None:
    game = tmp_path / "two.game"
    game.write_text(GAME)

    def answered(connection: ServerConnection) -> None:
        connection.recv(timeout=SECONDS)

    with serve(answered, "127.0.0.1", 0) as server:  # to the others it is a server that says nothing
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = str(server.socket.getsockname()[1])
        arguments = {
            "acpc": ["127.0.0.1", port, "--game", str(game)],
            "huawei": ["127.0.0.1", port, "127.0.0.1", str(free_port()), "1111"],
            "aigame": [f"ws://127.0.0.1:{port}", "--name", "soulread"],
        }
        command = [sys.executable, "-c", FIRST_WORDS, "join", protocol, *arguments[protocol]]
        said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
        server.shutdown()
        thread.join()
    assert said == f"{words} []\n"


# What is logged


def test_each_kind_of_complaint_is_logged_so_many_times_and_then_counted(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("engine.join.huawei")
    with closing(Player(JoinOptions(agent="random"), 60, lambda _: None)):
        for number in range(5000):
            log.warning("'%s' was not understood: %s.", f"line {number}", "no such block is known")
        log.warning("Hand %d is not followed any more: %s.", 3, "it was lost")
    told = [record.getMessage() for record in caplog.records]
    assert told[:20] == [f"'line {n}' was not understood: no such block is known." for n in range(20)]
    assert told[20:] == [
        "Hand 3 is not followed any more: it was lost.",
        "4980 more like this: '...' was not understood: ....",
    ]
    log.warning("'%s' was not understood: %s.", "\x1b", "after the match nothing is changed")
    assert "\x1b" in caplog.text


def test_what_is_logged_is_printable_and_short(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("engine.join.aigame")
    bad = "\x1b[2J\x07\u202e" + "x" * 100_000
    with closing(Player(JoinOptions(agent="random"), 60)) as player:
        log.warning("'%s' was not understood: %s", bad, ValueError(bad))
        try:
            raise ValueError(bad)
        except ValueError:
            log.exception("A message cannot be followed")
        player.tell(bad[:10])
    shown = caplog.text.replace("\n", "") + capsys.readouterr().err.replace("\n", "")
    assert shown.isprintable()
    assert "[2J" in shown
    assert len(shown) < 5000


def test_preparing_makes_decisions_of_the_style(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    said: list[str] = []
    monkeypatch.setattr("engine.kernels.jit.warm_up_steps", lambda **_: iter(()))
    prepare("calling station", said.append)
    assert said == []


@pytest.mark.parametrize("style", ["a*", "near-equilibrium"])
def test_preparing_who_plays_heads_up_alone_prepares_the_stand_in_too(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("engine.kernels.jit.warm_up_steps", lambda **_: iter(()))
    prepare(style, lambda _: None)


# The command line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "The following arguments are required: acpc|huawei|aigame. See soulread join --help.\n"),
        (["chess"], "chess"),
        (["acpc", "localhost", "0", "--game", "x"], "Argument PORT: '0' is no port (1 to 65535)"),
        (["acpc", "localhost", "70000", "--game", "x"], "'70000' is no port"),
        (["acpc", "localhost", "99"], "The following arguments are required: --game"),
        (["acpc", "localhost", "99", "--game", "/missing.game"], "The file /missing.game cannot be read"),
        (["acpc", "localhost", "99", "--game", "x", "--budget", "0"], "0 milliseconds are no time for a decision"),
        (["acpc", "localhost", "99", "--game", "x", "--seed", "-1"], "--seed"),
        (["huawei", "127.0.0.1", "6000", "127.0.0.1", "x", "8888"], "'x' is no port"),
        (["aigame", "ws://127.0.0.1:80"], "The following arguments are required: --name"),
    ],
)
def test_bad_command_lines(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["join", *arguments]) == cli.BAD_INPUT
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_no_server_and_no_agent_are_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "two.game"
    game.write_text(GAME)
    port = free_port()
    arguments = ["join", "acpc", "127.0.0.1", str(port), "--game", str(game), "--wait", "0"]
    assert cli.main([*arguments, "--agent", "random"]) == cli.BAD_INPUT
    assert capsys.readouterr().err == f"The server 127.0.0.1:{port} cannot be reached: Connection refused.\n"
    assert cli.main([*arguments, "--agent", "genius"]) == cli.BAD_INPUT
    assert capsys.readouterr().err.startswith("There is no style 'genius'")


def test_a_match_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, record = tmp_path / "two.game", tmp_path / "match.phhs"
    game.write_text(GAME)
    replies: list[str] = []

    def dealer(peer: Peer) -> None:
        assert peer.line() == "VERSION:2.0.0\r\n"
        peer.send("MATCHSTATE:1:0::|AhAd\r\n")
        replies.append(peer.line())
        peer.send("MATCHSTATE:1:0:f:|AhAd\r\n")

    with Server(dealer) as server:
        arguments = ["acpc", "127.0.0.1", str(server.port), "--game", str(game), "--agent", "tight-passive"]
        assert cli.main(["join", *arguments, "--record", str(record), "--explain", "--budget", "60000"]) == 0
    assert replies[0].startswith("MATCHSTATE:1:0::|AhAd:r")
    assert capsys.readouterr().err.splitlines()[-1] == "Hand 0: AhAd, lost 10; lost 10 in 1 hand"
    (hand,) = kept_hands(record)
    assert len(hand.traces) == 1
    assert hand.traces[0].action != FOLD


def test_stopping_from_the_keyboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    game = tmp_path / "two.game"
    game.write_text(GAME)
    monkeypatch.setattr("engine.join.registration.connect", stop)
    arguments = ["join", "acpc", "127.0.0.1", "9", "--game", str(game), "--agent", "random"]
    assert cli.main(arguments) == cli.STOPPED
    assert capsys.readouterr().err == "Stopped.\n"
    assert not [thread for thread in threading.enumerate() if thread.name == "answers"]
