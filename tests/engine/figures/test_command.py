"""The figures command: what it prints, and that bad input is a sentence and exit code 2."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from tomllib import loads

import pytest

from engine.cli import main
from engine.commands import BAD_INPUT, STOPPED
from engine.figures.recorded import RecordedPlayers
from engine.game.phh import sections
from tests.conftest import SHARED
from tests.engine.game.test_phh import PLURIBUS, UNCALLED, record

LINES = ["net", "showdown", "non_showdown", "all_in_adjusted", "value_adjusted", "above_folding"]
COUNTS = [
    *("vpip", "pfr", "three_bet", "fold_to_three_bet", "c_bet", "fold_to_c_bet"),
    *("aggression", "went_to_showdown", "won_at_showdown"),
]


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    path = tmp_path / "some.phhs"
    path.write_text(f"[1]\n{PLURIBUS}[2]\n{record(UNCALLED)}[3]\n{PLURIBUS}", encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["figures", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_json_has_exactly_the_documented_fields(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = json.loads(printed(capsys, str(hands), "--json"))
    assert list(whole) == ["source", "hands", "skipped", "players"]
    assert (whole["source"], whole["hands"], whole["skipped"]) == ("some.phhs", 3, [])
    pluribus = next(player for player in whole["players"] if player["player"] == "Pluribus")
    fields = ["hands", "net_chips", "net_bb", "rates", "counts"]
    assert list(pluribus) == ["player", *fields, "positions"]
    assert list(pluribus["rates"]) == LINES
    assert list(pluribus["rates"]["net"]) == ["bb_per_100", "stderr", "interval", "hands_to_know"]
    assert list(pluribus["counts"]) == COUNTS
    (position,) = pluribus["positions"]
    assert list(pluribus["positions"][position]) == fields
    assert pluribus["hands"] == pluribus["positions"][position]["hands"] == 2
    assert pluribus["rates"]["net"]["bb_per_100"] == pytest.approx(100 * pluribus["net_bb"] / 2)
    assert sum(player["net_chips"] for player in whole["players"]) == 0


def test_tendencies_stand_beside_what_is_usual(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, str(hands), "--player", "Gogo", "--tendencies").splitlines()
    assert re.split(r"\s{2,}", lines[0]) == [
        *("Gogo", "decisions"),
        *("fold", "usual", "check or call", "usual", "bet or raise", "usual"),
    ]
    assert [re.split(r"\s{2,}", line)[:2] for line in lines[1:4]] == [
        ["First in, BTN", "2"],
        ["C-bet, flop", "2"],
        ["Facing a bet, turn", "2"],
    ]
    assert lines[-1].startswith("In 6 decisions nothing differs")


def test_tendencies_say_where_cards_are_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.phhs"
    path.write_text(f"[1]\n{PLURIBUS}[2]\n{PLURIBUS.replace('KsAd', '????')}", encoding="utf-8")
    lines = printed(capsys, str(path), "--player", "Gogo", "--tendencies").splitlines()
    assert re.split(r"\s{2,}", lines[1])[:2] == ["First in, BTN", "1"]
    assert "not known in 1 hand" in lines[-1]
    nobody = PLURIBUS.replace("KsAd", "????")
    path.write_text(f"[1]\n{nobody}", encoding="utf-8")
    assert "No decisions with hole cards" in printed(capsys, str(path), "--player", "Gogo", "--tendencies")


def test_tables_and_csv(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = printed(capsys, str(hands)).splitlines()
    assert table[0].split("  ")[0] == "Player"
    assert {"VPIP", "PFR", "3B", "F3B", "CB", "FCB", "AF", "WTSD", "W$SD"} <= set(table[0].split())
    whole = json.loads(printed(capsys, str(hands), "--json"))
    names = [player["player"] for player in whole["players"]]
    assert [line.split("  ")[0] for line in table[1 : len(names) + 1]] == names
    one = printed(capsys, str(hands), "--player", "Pluribus").splitlines()
    assert one[0].split()[:2] == ["Pluribus", "all"]
    vpip = next(line for line in one if line.startswith("VPIP"))
    counts = next(player["counts"]["vpip"] for player in whole["players"] if player["player"] == "Pluribus")
    assert f"({counts['done']}/{counts['chances']})" in vpip
    assert one[-1] == "Hands until the win rate as won is known to ±5 bb/100: too few to say."
    rows = list(csv.DictReader(io.StringIO(printed(capsys, str(hands), "--csv"))))
    assert {row["player"] for row in rows} == set(names)
    for row in rows:
        assert row["position"] in ("all", "UTG", "HJ", "CO", "BTN", "SB", "BB", "LJ")
        assert {f"{line}_bb_per_100" for line in LINES} | {f"{name}_done" for name in COUNTS} <= set(row)
    of_all = {row["player"]: int(row["hands"]) for row in rows if row["position"] == "all"}
    assert of_all == {player["player"]: player["hands"] for player in whole["players"]}


def test_no_name_is_a_formula_in_csv(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands.write_text(PLURIBUS.replace("Pluribus", "=1+1"), encoding="utf-8")
    names = {row["player"] for row in csv.DictReader(io.StringIO(printed(capsys, str(hands), "--csv")))}
    assert "'=1+1" in names
    assert "=1+1" not in names


def test_lines_of_a_player_end_at_their_net(hands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(capsys, str(hands), "--player", "Pluribus", "--lines"))))
    assert list(rows[0]) == ["hand", *LINES]
    whole = json.loads(printed(capsys, str(hands), "--player", "Pluribus", "--json"))
    (player,) = whole["players"]
    assert float(rows[-1]["net"]) == pytest.approx(player["net_bb"])
    assert float(rows[-1]["showdown"]) + float(rows[-1]["non_showdown"]) == pytest.approx(player["net_bb"])


def test_hands_without_hole_cards_have_no_line_that_takes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "public.phhs"
    text = PLURIBUS.splitlines(keepends=True)
    dealt = [part for part in "".join(text).split("'") if part.startswith("d dh p1 ")]
    path.write_text("".join(text).replace(dealt[0], "d dh p1 ????"), encoding="utf-8")
    whole = json.loads(printed(capsys, str(path), "--json"))
    assert whole["hands"] == 1
    rates = whole["players"][0]["rates"]
    assert rates["net"] is not None
    assert rates["value_adjusted"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--limit", "0"], "At least 1 hand has to be read, not 0."),
        (["--lines"], "Lines are those of one --player, who is not named."),
        (["--tendencies"], "Tendencies are those of one --player, who is not named."),
        (["--player", "Nobody"], "There is no player 'Nobody' in {file}; there are "),
        (["--json", "--csv"], "Argument --csv: not allowed with argument --json. See soulread figures --help."),
    ],
)
def test_bad_input(hands: Path, refused: Callable[..., str], arguments: list[str], message: str) -> None:
    assert refused("figures", str(hands), *arguments).startswith(message.format(file=hands))


def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, message in ((None, "No such file"), ("[1]\nvariant = 'PO'\n", "There is no hand to count in ")):
        path = tmp_path / "hands.phhs"
        if text is not None:
            path.write_text(text, encoding="utf-8")
        assert main(["figures", str(path)]) == BAD_INPUT
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err


def test_stopped_it_prints_what_there_is(
    hands: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add = RecordedPlayers.add

    def stop(self: RecordedPlayers, hand: object) -> None:
        if self.hands == 1:
            raise KeyboardInterrupt
        add(self, hand)  # type: ignore[arg-type]

    monkeypatch.setattr(RecordedPlayers, "add", stop)
    assert main(["figures", str(hands), "--json"]) == STOPPED
    out, err = capsys.readouterr()
    assert json.loads(out)["hands"] == 1
    assert err == "Stopped.\n"


@pytest.mark.shared
@pytest.mark.slow
def test_nets_of_real_hands_are_those_of_their_record(capsys: pytest.CaptureFixture[str]) -> None:
    """The record says with what everybody ended each hand: our sums are those."""
    path = SHARED / "data" / "hands" / "pluribus.phhs"
    whole = json.loads(printed(capsys, str(path), "--limit", "300", "--json"))
    nets: dict[str, int] = {}
    for number, (_, text) in enumerate(sections(path)):
        if number == 300:
            break
        hand = loads(text.decode())
        for name, before, after in zip(
            hand["players"], hand["starting_stacks"], hand["finishing_stacks"], strict=True
        ):
            nets[name] = nets.get(name, 0) + after - before
    assert {player["player"]: player["net_chips"] for player in whole["players"]} == nets
