"""The range editor and the library, each open for one player of the question and in step with it."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from engine.ranges import Range
from trainer.calculator.odds_model import OddsModel
from trainer.ranges.editing_model import EMPTY
from trainer.ranges.editor import RangeEditor
from trainer.ranges.library import RangeLibrary
from trainer.ranges.library_window import RangeLibraryDialog
from trainer.theme import ThemeSource


class RangeDialogs(QObject):
    """Opens the dialogs, takes what they change, and follows what is changed elsewhere; `loaded` names the row."""

    loaded = Signal(int)

    def __init__(self, theme: ThemeSource, model: OddsModel, library: RangeLibrary, window: QWidget) -> None:
        super().__init__(window)
        self._model = model
        self._edited_key = self._library_key = -1
        self.editor = RangeEditor(theme, library, model.entered.ranking, window)
        self.library = RangeLibraryDialog(theme, library, window)
        self.editor.model.range_changed.connect(self._on_range_edited)
        self.editor.model.ranking_changed.connect(model.entry.set_ranking)
        self.editor.finished.connect(model.entry.end_step)
        self.library.range_chosen.connect(self._on_range_loaded)
        model.input_changed.connect(self._on_input_changed)

    def edit(self, index: int) -> None:
        """Open the editor for a row."""
        entered = self._model.entered
        self._edited_key = entered.rows[index].key
        self._model.entry.end_step()
        self.editor.open_for(f"Range of {entered.name_of(index)}", entered.rows[index].hands, entered.blockers)

    def open_library(self, index: int) -> None:
        """Open the library for a row."""
        entered = self._model.entered
        self._library_key = entered.rows[index].key
        self._model.entry.end_step()
        self.library.setWindowTitle(f"Range library: {entered.name_of(index)}")
        self.library.open_for(entered.rows[index].hands)

    def close(self) -> None:
        self.editor.close()
        self.library.close()

    def _on_input_changed(self) -> None:
        """Show what became of the ranges by typing or undoing; close the dialog of a row that is gone."""
        entered = self._model.entered
        self.editor.model.follow_ranking(entered.ranking)
        if self.editor.isVisible():
            index = entered.index_of(self._edited_key)
            if index is None:
                self.editor.close()
            elif (hands := entered.rows[index].hands or EMPTY) != self.editor.model.hands:
                self.editor.model.follow_range(hands)
        if self.library.isVisible():
            index = entered.index_of(self._library_key)
            if index is None:
                self.library.close()
            else:
                self.library.set_range(entered.rows[index].hands)

    def _on_range_edited(self, hands: Range) -> None:
        index = self._model.entered.index_of(self._edited_key)
        if index is not None:
            self._model.entry.set_player_range(index, hands, self.editor.model.text)

    def _on_range_loaded(self, hands: Range) -> None:
        index = self._model.entered.index_of(self._library_key)
        if index is not None:
            self._model.entry.set_player_range(index, hands)
            self._model.entry.end_step()
            self.loaded.emit(index)
