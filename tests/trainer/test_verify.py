"""`soulread verify`: proofs of the stored hands and of files, and what is no proof."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from engine.codec import encode
from engine.fair_deals import SessionProof
from tests.conftest import ROOT
from tests.trainer.storage.test_imports import hand
from tests.trainer.storage.test_proofs import stored
from trainer.__main__ import main
from trainer.session.types import SessionResult
from trainer.storage.store import Store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of the app with a session of two hands."""
    stored(tmp_path / "soulread.db", ("", "mine")).close()
    return tmp_path


@pytest.fixture
def proof(tmp_path: Path) -> SessionProof:
    store = stored(tmp_path / "other.db", ("", "mine"))
    found = store.proof(1)
    store.close()
    return found


def verify(*arguments: str | Path) -> int:
    return main(["verify", *map(str, arguments)])


def test_the_newest_stored_session_is_checked(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for named in ([], ["1"]):
        assert verify(*named, "--data", data) == 0
        first, table, *rest = capsys.readouterr().out.splitlines()
        assert first == "Session of 2024-05-17T20:15:00"
        assert table.startswith("Table ")
        assert rest == [
            "2 hands checked, 1 with a salt of yours.",
            "Every deck is the one that was committed to, follows from its seed and salt, "
            "and dealt the cards played.",
            "The seed of the table stays sealed while the session can go on; finish it to check that, too.",
        ]


def test_imported_hands_are_passed_over(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(data / "soulread.db")
    store.imports.add([hand(1, minutes=0)])
    (imported,) = (one.session_id for one in store.sessions() if one.venue is not None)
    store.close()
    assert verify("--data", data) == 0
    assert capsys.readouterr().out.startswith("Session of 2024-05-17T20:15:00")
    assert verify(str(imported), "--data", data) == 2
    assert "dealt elsewhere" in capsys.readouterr().err


def test_a_finished_session_opens_its_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = stored(tmp_path / "soulread.db", ("", "mine"))
    store.finish_session(1, SessionResult("done", 2, {}, {}, {}, 100, ()))
    store.close()
    assert verify("--data", tmp_path) == 0
    assert capsys.readouterr().out.endswith("The seed of the table is open, and every hand follows from it.\n")


def test_the_check_that_the_page_gives_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8")
    program = page.split("```python\n")[1].split("```")[0]
    store = stored(tmp_path / "soulread.db", ("", "mine"))
    store.finish_session(1, SessionResult("done", 2, {}, {}, {}, 100, ()))
    proof = store.proof(1)
    store.close()
    file = tmp_path / "proof.json"
    monkeypatch.setattr("sys.argv", ["check.py", str(file)])
    file.write_bytes(encode(proof))
    exec(program, {})
    assert capsys.readouterr().out == "2 hands were dealt fairly\n"
    first, last = proof.hands
    assert last.opening.salt == "mine"
    for wrong in (
        structs.replace(last, board="".join(reversed(last.board))),
        structs.replace(last, button=1 - last.button),
        structs.replace(last, opening=structs.replace(last.opening, salt="yours")),
        structs.replace(last, commitment=first.commitment),
    ):
        file.write_bytes(encode(structs.replace(proof, hands=(first, wrong))))
        with pytest.raises(AssertionError):
            exec(program, {})


def test_a_file_is_checked_against_what_was_noted(
    tmp_path: Path, proof: SessionProof, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(encode(proof))
    for noted in (proof.commitment, proof.hands[1].commitment.upper()):
        assert verify(path, "--noted", noted, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["is_right"], found["checked"], found["salted"], found["problems"]) == (True, 2, 1, [])
    assert verify(path, "--noted", "0" * 64) == 1
    assert "The commitment that you noted is none of this proof." in capsys.readouterr().out


def test_a_changed_file_is_found_out(
    tmp_path: Path, proof: SessionProof, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proof.json"
    changed = structs.replace(proof.hands[0], board="AsKsQsJsTs")
    path.write_bytes(encode(structs.replace(proof, hands=(changed, *proof.hands[1:]))))
    assert verify(path) == 1
    assert "Hand 1: the board is not that of the deck." in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff" * 100, b"[" * 100_000, b'{"started": 1}'])
def test_what_is_no_proof_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(content)
    assert verify(path) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.endswith("is no proof of fair deals, or a damaged one.\n")
    assert len(answer.err.splitlines()) == 1


def test_what_a_file_says_reaches_no_terminal_as_it_is(
    tmp_path: Path, proof: SessionProof, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(encode(structs.replace(proof, started="\x1b[2J" + "x" * 1000)))
    assert verify(path) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) < 120


def test_where_nothing_is_stored_a_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("--data", tmp_path) == 2
    assert capsys.readouterr().err.startswith("There are no stored hands in ")
    assert not list(tmp_path.iterdir()), "a question makes no database"
    assert verify(tmp_path / "missing.json") == 2
    assert "cannot be read: No such file" in capsys.readouterr().err


def test_a_session_that_is_not_there_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("77", "--data", data) == 2
    assert capsys.readouterr().err == "That session is not stored.\n"


def test_while_the_app_runs_its_window_is_pointed_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = stored(tmp_path / "soulread.db", ("",))
    assert verify("--data", tmp_path) == 2
    assert "Soulread is already running" in capsys.readouterr().err
    store.close()
