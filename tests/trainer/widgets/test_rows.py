import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import opened
from trainer.widgets.rows import RowsModel, make_table


def test_rows_is_a_sound_model(qtmodeltester: ModelTester) -> None:
    model = RowsModel(("Name", ">Count"))
    model.show_rows([("a", "1"), ("b", "2")], muted=[1], tips=["first", "second"])
    qtmodeltester.check(model)


def test_what_it_shows() -> None:
    model = RowsModel(("Name", ">Count"), None, ("", "How many"))
    model.show_rows([("a", "1"), ("b", "2")], muted=[1], tips=["first"])
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "How many"
    assert (model.rowCount(), model.columnCount()) == (2, 2)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Count"
    assert model.data(model.index(1, 1)) == "2"
    assert model.data(model.index(0, 1), Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert model.data(model.index(0, 0), Qt.ItemDataRole.TextAlignmentRole) is None
    assert model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole) == "first"
    assert model.data(model.index(1, 0), Qt.ItemDataRole.ToolTipRole) is None
    assert model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert not model.flags(model.index(1, 0)) & Qt.ItemFlag.ItemIsEnabled


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="3 texts for 2 columns"):
        RowsModel(("Name", ">Count")).show_rows([("a", "b", "c")])


@pytest.mark.usefixtures("theme")  # a light one, whatever was chosen before
def test_words_stand_clear_of_the_numbers_before_them(qtbot: QtBot) -> None:
    """The gap between the last ink of a number and the first of the word right of it is as wide as a letter."""
    model = RowsModel((">Pot, bb", "Facing"))
    model.show_rows([("57.0", "a raise")])
    table = opened(qtbot, make_table(model, "Decisions", 1))
    row = table.visualRect(model.index(0, 0))
    image = table.viewport().grab().toImage()
    inked = [
        x
        for x in range(row.left(), row.right() + 40)
        if any(image.pixelColor(x, y).lightness() < 128 for y in range(row.top() + 2, row.bottom() - 1))
    ]
    number, word = max(x for x in inked if x <= row.right()), min(x for x in inked if x > row.right())
    assert word - number > table.fontMetrics().horizontalAdvance("M")
    assert model.headerData(1, Qt.Orientation.Horizontal).strip() == "Facing"
