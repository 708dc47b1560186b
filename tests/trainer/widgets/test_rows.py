import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from trainer.widgets.rows import RowsModel


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
