"""The hands of a file as its window shows them."""

from pathlib import Path

from engine.codec import unpack
from engine.game.phh import PublicRecord
from engine.hand_histories import pokerstars
from engine.hand_histories.export import exported
from tests.engine.hand_histories.reading import read
from tests.engine.hand_histories.told_hands import RUN_THREE_TIMES
from trainer.replay.recorded_file import RecordedFile, read_file


def test_of_an_exported_hand_those_collect_who_did_so(tmp_path: Path) -> None:
    told, path = read(pokerstars, RUN_THREE_TIMES), tmp_path / "hands.phhs"
    path.write_text("".join(exported([told], "phh")), encoding="utf-8")
    *_, file = read_file(path)
    assert isinstance(file, RecordedFile)
    (hand,) = file.hands
    assert unpack(hand.data, PublicRecord).events[-1] == told.record.events[-1]
