"""Players remembered from match to match."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from engine import cli
from engine.agents.agent import KnownPlayer
from engine.agents.fold.agent import FoldAgent
from engine.agents.learned.reader import LearnedReader
from engine.codec import pack
from engine.game.phh_text import phh_text
from engine.join import command
from engine.join.client import Player
from engine.join.registration import JoinOptions
from engine.join.remembered import MOST_PLAYERS, RememberedPlayers, _File
from tests.conftest import on_posix
from tests.engine.agents.hands import deal as deal_hand
from tests.engine.agents.hands import play as play_hand
from tests.engine.agents.learned.models import random_likelihoods
from tests.engine.join.test_followed_hand import play, told


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.join.client.prepare", lambda *_: None)
    monkeypatch.setattr(
        "engine.join.stand_in.make_agent",
        lambda style: FoldAgent(LearnedReader(random_likelihoods()), style=style),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "soulread" / "players-huawei.bin"


def model(choices: int = 1) -> KnownPlayer:
    reader = LearnedReader(random_likelihoods())
    hand = told((1000, 1000))
    play(hand, "f")
    hand.end()
    for _ in range(choices):
        reader.learn(hand.observe().events)
    return next(iter(reader.known_players().values()))


def match(path: Path | None, hands: int) -> list[str]:
    """Play hands in which the opponent makes one choice, and return what was said."""
    said: list[str] = []
    with closing(Player(JoinOptions(agent="fold", remembered=path), 60, said.append)) as player:
        for _ in range(hands):
            hand = told((1000, 1000))
            play(hand, "c x")
            hand.end()
            player.finish(hand)
    return said


def nothing_said(text: str) -> None:
    raise AssertionError(text)


def choices(path: Path) -> set[int]:
    return {player.choices for player in RememberedPlayers(path, nothing_said).read().values()}


def test_the_next_match_begins_with_what_the_last_has_learned(path: Path) -> None:
    assert match(path, 3)[0] == f"Players remembered: 0, in {path}."
    assert choices(path) == {3}
    assert match(path, 2)[0] == f"Players remembered: 1, in {path}."
    assert choices(path) == {5}
    assert os.listdir(path.parent) == [path.name]


@on_posix
def test_only_the_user_may_read_it(path: Path) -> None:
    match(path, 1)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_without_the_option_nothing_is_read_or_written(path: Path) -> None:
    assert not [line for line in match(None, 2) if "remembered" in line]
    assert not path.parent.exists()


def test_what_was_learned_is_kept_during_a_match_too(path: Path) -> None:
    """A server may end it by killing us."""
    seen: list[set[int]] = []
    with closing(Player(JoinOptions(agent="fold", remembered=path), 60, lambda _: None)) as player:
        for _ in range(25):
            hand = told((1000, 1000))
            play(hand, "c x")
            hand.end()
            player.finish(hand)
        player.start().later(lambda: seen.append(choices(path)))
    assert seen == [{20}]


def test_a_damaged_file_is_set_aside_and_said_once(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"rubbish")
    said = match(path, 1)
    assert said[0] == (
        f"The file {path} of players remembered is damaged: it is kept as players-huawei.bin.damaged-1, and "
        "remembering starts from nothing."
    )
    assert said[1] == f"Players remembered: 0, in {path}."
    assert path.with_name("players-huawei.bin.damaged-1").read_bytes() == b"rubbish"
    assert choices(path) == {1}


def test_a_file_that_cannot_be_used_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = match(tmp_path / "file" / "players-huawei.bin", 45)
    assert len([line for line in said if line.startswith("Players are not remembered: ")]) == 1
    assert len(said) == 47, "each hand is told, and how many are remembered"


def test_players_who_share_a_file_lose_nothing(path: Path) -> None:
    one, other = (RememberedPlayers(path, nothing_said) for _ in range(2))
    few, many = model(1), model(4)
    one.keep({"Ann": few, "Bob": many})
    other.keep({"Ann": many, "Bob": few, "Cleo": few})
    assert one.read() == {"Ann": many, "Bob": many, "Cleo": few}


def test_who_was_met_longest_ago_goes_first(path: Path) -> None:
    remembered, few, many = RememberedPlayers(path, nothing_said), model(1), model(2)
    remembered.keep({f"player {number}": few for number in range(MOST_PLAYERS)})
    remembered.keep({"player 0": many})
    remembered.keep({"new": few})
    names = list(remembered.read())
    assert len(names) == MOST_PLAYERS
    assert names[0] == "player 2"
    assert names[-2:] == ["player 0", "new"]


def test_what_another_version_has_learned_is_left_out_in_silence(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(pack(_File({"Ann": KnownPlayer(9000, b"of another version"), "Bob": model()})))
    remembered = RememberedPlayers(path, nothing_said)
    assert set(remembered.read()) == {"Bob"}
    remembered.keep({"Ann": model(2)})
    assert remembered.read()["Ann"].choices == 2


def test_the_option_names_a_file_per_kind_of_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path | None] = []
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))

    def join(*arguments: object) -> int:
        found.extend(one.remembered for one in arguments if isinstance(one, JoinOptions))
        return 0

    monkeypatch.setattr(command, "huawei", join)
    monkeypatch.setattr(command, "aigame", join)
    assert cli.main(["join", "huawei", "a", "1", "b", "2", "3", "--remember"]) == 0
    assert cli.main(["join", "huawei", "a", "1", "b", "2", "3"]) == 0
    assert cli.main(["join", "aigame", "ws://a:1", "--name", "b", "--remember"]) == 0
    assert found == [tmp_path / "players-huawei.bin", None, tmp_path / "players-aigame.bin"]


def test_a_history_is_known_at_the_start_and_not_counted_twice(path: Path, tmp_path: Path) -> None:
    """The players of the file are met, and the file of those remembered takes the model of more choices."""
    said: list[str] = []
    known = {"told": model(7), "Ann": model(2)}
    for _ in range(2):
        with closing(Player(JoinOptions(agent="fold", remembered=path, known=known), 60, said.append)) as player:
            player.start()
    assert choices(path) == {2, 7}
    with closing(Player(JoinOptions(agent="fold", known=known), 60, said.append)) as player:
        assert player.start() is not None


def test_the_history_is_learned_before_the_table_is_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[JoinOptions] = []

    def join(*arguments: object) -> int:
        found.extend(one for one in arguments if isinstance(one, JoinOptions))
        return 0

    monkeypatch.setattr(command, "aigame", join)
    history = tmp_path / "hands.phhs"
    tables = [deal_hand(names=("Ann", "Ben")) for _ in range(2)]
    texts = [f"[{at}]\n{phh_text(play_hand(table, '300 f').observe(0))}" for at, table in enumerate(tables)]
    history.write_text("\n".join(texts), encoding="utf-8")  # the very same hand twice
    assert cli.main(["join", "aigame", "ws://a:1", "--name", "b", "--history", str(history)]) == 0
    (options,) = found
    assert options.known is not None
    assert {name: player.choices for name, player in options.known.items()} == {"Ann": 1, "Ben": 1}
    assert capsys.readouterr().err == f"Learned from {history}: 1 hands of 2 players.\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "nowhere.phhs"),
        ("", "There is no hand to learn from in"),
        ("[1]\nvariant = 'PO'\n", "Its game is 'PO', not hold'em (NT or FT)."),
    ],
)
def test_a_history_without_hands_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, message: str
) -> None:
    path = tmp_path / "nowhere.phhs"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert cli.main(["join", "huawei", "a", "1", "b", "2", "3", "--history", str(path)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_where_there_are_no_names_there_is_no_such_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["join", "acpc", "a", "1", "--game", "g", "--remember"]) == 2
    assert "--remember" in capsys.readouterr().err
