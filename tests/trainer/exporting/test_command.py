"""`soulread export`, from its arguments to the file."""

import csv
from pathlib import Path

import pytest

from engine.hand_histories.files import read_file
from engine.hand_histories.imported import ImportedHand
from tests.engine.hand_histories.told_hands import MISSED_BLINDS, RUN_TWICE, SIDE_POTS, SITTING_OUT
from trainer.__main__ import main
from trainer.storage.store import Store


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Three hands of three sites that are stored, and one that was played here."""
    for number, text in enumerate((RUN_TWICE, SITTING_OUT, MISSED_BLINDS)):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{number}.txt") for number in range(3)]
    assert main(["import", *files, "--data", str(tmp_path / "data")]) == 0
    capsys.readouterr()
    return tmp_path / "data"


def run(data: Path, file: Path, *options: str) -> int:
    return main(["export", "-o", str(file), "--data", str(data), *options])


def stored_texts(folder: Path) -> list[ImportedHand]:
    found = [hand for number in range(3) for hand in read_file(folder / f"{number}.txt")]
    return [hand for hand in found if isinstance(hand, ImportedHand)]


def test_what_was_imported_is_written_as_it_was(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(data, tmp_path / "all.phhs") == 0
    assert capsys.readouterr().out == "3 hands written into all.phhs.\n"
    back = {hand.number: hand for hand in read_file(tmp_path / "all.phhs") if isinstance(hand, ImportedHand)}
    assert set(back) == {hand.number for hand in stored_texts(tmp_path)}
    for hand in stored_texts(tmp_path):
        again = back[hand.number]
        # Hands of a session are numbered anew.
        assert again.record.events[1:] == hand.record.events[1:]
        for what in ("site", "played", "table", "tournament", "currency", "scale", "hero", "rake", "remarks"):
            assert getattr(again, what) == getattr(hand, what), what
        assert again.record.hole_cards == hand.record.hole_cards
    assert main(["import", str(tmp_path / "all.phhs"), "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("0 new hands, 3 stored before;")


@pytest.mark.parametrize("ending", [".phhs", ".ohh", ".txt"])
def test_a_watched_hand_is_written_and_imported_as_it_was(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the files that tell whose seat is the player's nobody's is."""
    (tmp_path / "watched.log").write_text(SIDE_POTS, encoding="utf-8")
    data, file = tmp_path / "data", tmp_path / f"written{ending}"
    assert main(["import", str(tmp_path / "watched.log"), "--data", str(data)]) == 0
    assert run(data, file) == 0
    (told,), (again,) = read_file(tmp_path / "watched.log"), read_file(file)
    assert isinstance(told, ImportedHand)
    assert isinstance(again, ImportedHand)
    assert (again.is_watched, again.hero) == (True, None)
    assert again.record.events[1:] == told.record.events[1:]
    assert again.record.hole_cards == told.record.hole_cards
    assert (again.number, again.site, again.rake) == (told.number, told.site, told.rake)
    assert "Dealt to" not in file.read_text("utf-8")
    capsys.readouterr()
    assert main(["import", str(file), "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("0 new hands, 1 stored before;")


def test_a_row_of_a_watched_hand_has_nobodys_cards_and_result(tmp_path: Path) -> None:
    (tmp_path / "watched.txt").write_text(SIDE_POTS, encoding="utf-8")
    assert main(["import", str(tmp_path / "watched.txt"), "--data", str(tmp_path / "data")]) == 0
    assert run(tmp_path / "data", tmp_path / "watched.csv") == 0
    (row,) = csv.DictReader((tmp_path / "watched.csv").read_text().splitlines())
    assert [row[name] for name in ("hero", "position", "cards", "net", "net_bb")] == [""] * 5
    assert (row["number"], row["board"]) == ("85998509763", "8s Qh Ks 9s Tc")


def test_the_ending_says_the_form_and_a_site_what_is_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(data, tmp_path / "gg.csv", "--site", "GGPoker") == 0
    assert capsys.readouterr().out == "1 hand written into gg.csv.\n"
    (row,) = csv.DictReader((tmp_path / "gg.csv").read_text().splitlines())
    assert row["site"] == "GGPoker"
    assert run(data, tmp_path / "again.csv", "--site", "ggpoker") == 0, "in whatever case"
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "gg.csv").read_bytes()
    capsys.readouterr()
    assert run(data, tmp_path / "no.csv", "--site", "Pacific") == 2
    assert (
        capsys.readouterr().err
        == "No hand of 'Pacific' is stored; sites are Full Tilt, GGPoker, PokerStars, here.\n"
    )
    assert not (tmp_path / "no.csv").exists()
    assert run(data, tmp_path / "some.dat", "--format", "pokerstars") == 0
    assert (tmp_path / "some.dat").read_text("utf-8").startswith("PokerStars Hand #")
    assert run(data, tmp_path / "some.ohh") == 0
    assert (tmp_path / "some.ohh").read_text("utf-8").count('{"ohh":') == 3


def test_hands_are_named_by_their_numbers_in_a_session(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(data / "soulread.db")
    session = store.sessions()[0].session_id
    store.close()
    assert run(data, tmp_path / "one.phhs", "--session", str(session), "--hands", "1", "7-9") == 0
    assert capsys.readouterr().out == "1 hand written into one.phhs.\n"
    assert run(data, tmp_path / "none.phhs", "--session", str(session), "--hands", "7-9") == 2
    assert capsys.readouterr().err == "No hand that has ended is stored of what is asked for.\n"
    assert not (tmp_path / "none.phhs").exists()


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("0.txt", [], "is there already, and is left as it is."),
        ("hands.dat", [], "--format must say how hands.dat is written: its ending does not."),
        ("a.csv", ["--hands", "1"], "--hands are numbers in a session, so it needs --session."),
        ("a.csv", ["--session", "1", "--hands", "1-x"], "'1-x' is no number of a hand, such as 7,"),
        ("nowhere/a.csv", [], "a.csv cannot be written: No such file or directory."),
        ("a.csv", ["--format", "xls"], "xls"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    name: str, options: list[str], sentence: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (tmp_path / "0.txt").read_bytes()
    assert run(data, tmp_path / name, *options) == 2
    assert sentence in capsys.readouterr().err
    assert (tmp_path / "0.txt").read_bytes() == before


def test_without_stored_hands_there_is_nothing_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "empty", tmp_path / "a.csv") == 2
    assert capsys.readouterr().err.startswith("There are no stored hands in ")


def test_while_the_app_owns_the_hands_nothing_is_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = Store(data / "soulread.db")
    assert run(data, tmp_path / "a.csv") == 2
    assert capsys.readouterr().err.startswith("Nothing can be exported. Soulread is already running")
    owner.close()
