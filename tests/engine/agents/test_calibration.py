from pathlib import Path

import pytest

from engine.agents.calibration import Calibration, CalibrationTable, read_calibrations, write_calibration
from engine.resources import ResourceError


def table(reader: str, source: str, hands: int = 5) -> CalibrationTable:
    return CalibrationTable(reader, source, hands, {"flop": Calibration(20, (0.1,) * 10), "turn": Calibration(0)})


def test_tables_stand_beside_one_another_and_a_new_one_replaces_its_own(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    assert read_calibrations(path) == ()
    for one in (table("paper", "pluribus"), table("learned", "pluribus"), table("learned", "bovada")):
        write_calibration(path, one)
    write_calibration(path, table("learned", "pluribus", 7))
    assert read_calibrations(path) == (
        table("learned", "bovada"),
        table("learned", "pluribus", 7),
        table("paper", "pluribus"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"holds no calibration: "),
        ("[]", r"holds no calibration: "),
        ('{"schema":1}', r"holds no calibration: "),
        ('{"schema":2,"tables":[]}', r"has the version 2, and this program reads 1\.$"),
        (
            '{"schema":1,"tables":[{"reader":"r","source":"s","hands":1,"streets":{"flop":{"points":1,"deciles":[1]}}}]}',
            r"has no 10 shares of 1 on the flop of s\.$",
        ),
    ],
)
def test_a_file_with_something_else_is_refused_and_left_alone(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text, encoding="utf-8")
    for attempt in (lambda: read_calibrations(path), lambda: write_calibration(path, table("a", "b"))):
        with pytest.raises(ResourceError, match=message):
            attempt()
    assert path.read_text(encoding="utf-8") == text


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"cannot be read: Is a directory\.$"):
        read_calibrations(tmp_path)
    with pytest.raises(ResourceError, match=r"cannot be written: No such file or directory\.$"):
        write_calibration(tmp_path / "no" / "where.json", table("a", "b"))
