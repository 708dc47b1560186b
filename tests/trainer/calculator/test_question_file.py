"""Files with one question: what is read, what is refused, and that writing is all or nothing."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.equity.notation import parse_question
from engine.ranges import parse_range
from tests.hostile import refusal, runs
from trainer.calculator.question_file import QuestionFileError, read_question_file, write_question_file

LINE = "Zoë = AhKh | QQ+,JJ:0.5 | board Ks7d2h"


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.odds.txt"
    write_question_file(path, LINE)
    assert path.read_text("utf-8") == f"{LINE}\n"
    assert read_question_file(path) == LINE
    write_question_file(path, "AA | KK")
    assert read_question_file(path) == "AA | KK"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.odds.txt"]


@pytest.mark.parametrize("name", ["#1 fish", "##", "# a #2"])
def test_a_name_that_begins_as_comments_do_is_no_comment(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.odds.txt"
    write_question_file(path, f"{name} = AhKh | #2 = QQ")
    question = parse_question(read_question_file(path)).question
    assert question.players == (parse_range("AhKh"), parse_range("QQ"))
    assert question.labels == (name.lstrip("# "), "#2")


@pytest.mark.parametrize("data", [f"{LINE}", f"# of yesterday\r\n\r\n  {LINE} \r\n", f"\ufeff{LINE}\n# the end"])
def test_comments_blank_lines_and_other_systems(tmp_path: Path, data: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data.encode())
    assert read_question_file(path) == LINE


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "a.txt holds no lines of a question, and one is needed."),
        (b"# AA | KK", "a.txt holds no lines"),
        (b"AA | KK\nQQ | JJ", "a.txt holds 2 lines"),
        (b"\xff\x00", "a.txt is no text file."),
        (b" " * 1_000_001, "a.txt is too large for a question."),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(QuestionFileError, match=said):
        read_question_file(path)


def test_what_cannot_be_read_or_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(QuestionFileError, match="cannot be read: No such file"):
        read_question_file(tmp_path / "gone.txt")
    with pytest.raises(QuestionFileError, match="cannot be read"):
        read_question_file(tmp_path)
    with pytest.raises(QuestionFileError, match="cannot be written: "):
        write_question_file(tmp_path / "no folder" / "a.txt", LINE)


@given(runs().map(lambda text: text.encode(errors="surrogatepass")) | st.binary(max_size=200))
def test_any_bytes_are_a_line_or_refused_with_a_sentence(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.txt")
        path.write_bytes(data)
        refusal(QuestionFileError, lambda: read_question_file(path))


def test_the_name_of_a_file_is_quoted_fit_to_be_shown(tmp_path: Path) -> None:
    for name in ("a\x1b[2J\u202eb\nc", "x" * 200):
        assert refusal(QuestionFileError, partial(read_question_file, tmp_path / name)) is not None
    with pytest.raises(QuestionFileError, match="cannot be read"):
        read_question_file(tmp_path / "a\0b")
