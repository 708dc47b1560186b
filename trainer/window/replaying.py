"""The replay in the main window: of the hand looked at, in the place of the table, with panels that follow it."""

import secrets

from PySide6.QtCore import QObject, Signal

from engine.codec import StoredDataError, Vector
from engine.game.events import Seat
from engine.game.formats import MAX_SEED
from trainer.replay.replay_model import about_imported
from trainer.replay.view import ReplayView
from trainer.session.looked_at import LookedAt
from trainer.storage.notes import HandNote, NoteKey
from trainer.storage.store import Store
from trainer.storage.stored import StoreError
from trainer.theme import ThemeSource
from trainer.window.panels import STILL_READ, Panels


class Replaying(QObject):
    """Shows each hand looked at in the view while it is on, which ends with the way back to the table."""

    switched = Signal(bool)  # whether the view is to be shown, or the table
    play_on_requested = Signal(object)  # TakenUpHand
    notice = Signal(str)  # one sentence for the player

    def __init__(self, theme: ThemeSource, looked_at: LookedAt, panels: Panels, parent: QObject) -> None:
        super().__init__(parent)
        self.view = ReplayView(theme)
        self.is_on = False
        self._wanted: int | None = None  # events after which the next hand shown is to be replayed
        self._looked_at = looked_at
        self._panels = panels
        self._note_key: NoteKey | None = None
        looked_at.hand_changed.connect(self._on_hand_changed)
        looked_at.notice.connect(self._on_looked_at_notice)
        panels.step_chosen.connect(self.view.model.go_to_event)
        self.view.model.moved.connect(self._on_moved)
        self.view.bar.back_requested.connect(self.leave)
        self.view.bar.note_written.connect(self._on_note_written)
        self.view.bar.play_on_requested.connect(self._on_play_on)

    def start(self) -> None:
        """Replay the earlier hand looked at, or else the last finished one."""
        self._looked_at.go_to_last()
        if not self._looked_at.is_following and not self.is_on:
            self.is_on = True
            self._show_hand()
            self.switched.emit(True)

    def open_hand(self, session_id: int, number: int, event_count: int = 0) -> None:
        """Replay a finished hand of a session of the store, once the hands of that are read."""
        self._wanted = event_count
        self._looked_at.open_hand(session_id, number)

    def leave(self) -> None:
        """Go back to the table, or to where there was none."""
        self._looked_at.leave()

    @property
    def _store(self) -> Store | None:
        return self._looked_at.past.store

    def _on_hand_changed(self) -> None:
        if not self.is_on:
            if self._wanted is not None and not self._looked_at.is_following:
                self.start()
            self._wanted = None
            return
        self.view.bar.keep_note()
        if self._looked_at.is_following:
            self.is_on = False
            self.view.bar.stop()
            self.switched.emit(False)
        else:
            self._show_hand()

    def _on_looked_at_notice(self, _sentence: str) -> None:
        """Want no more what cannot be shown."""
        self._wanted = None

    def _show_hand(self) -> None:
        looked_at = self._looked_at
        assert looked_at.observation is not None
        self._note_key = looked_at.note_key
        self.view.bar.stop()
        self.view.model.show_hand(looked_at.observation, looked_at.truth, looked_at.styles, looked_at.names)
        if self._wanted is not None:
            self.view.model.go_to_event(self._wanted)
            self._wanted = None
        self._show_note()
        self._show_about()

    def _show_about(self) -> None:
        store, key = self._store, self._note_key
        about = ""
        if store is not None and isinstance(key, int):
            try:
                details = store.imports.details([key])
            except (StoreError, StoredDataError) as error:
                self.notice.emit(str(error))
            else:
                about = about_imported(details[key]) if key in details else ""
        self.view.bar.show_about(about)

    def _show_note(self) -> None:
        store, key = self._store, self._note_key
        if store is None or key is None:
            self.view.bar.show_note(None)
            return
        try:
            self.view.bar.show_note(store.notes.note(key), store.notes.tags(with_recorded=True))
        except StoreError as error:
            self.view.bar.show_note(None)
            self.notice.emit(str(error))

    def _on_moved(self) -> None:
        if self.is_on:
            model = self.view.model
            self._panels.replay(model.observation, are_cards_open=model.are_cards_open)

    def _on_note_written(self, note: HandNote) -> None:
        if self._store is not None and self._note_key is not None:
            try:
                self._store.notes.set(self._note_key, note)
            except StoreError as error:
                self.notice.emit(str(error))

    def _on_play_on(self, is_fresh: bool) -> None:
        """Take the hand up at the step shown, with its own cards or with others that fit what is read."""
        looked_at, model = self._looked_at, self.view.model
        assert model.final is not None
        count, live = model.step.event_count, {view.seat for view in model.observation.opponents}
        ranges: dict[Seat, Vector] | None = None
        if is_fresh:
            read = looked_at.reading_at(count)
            ranges = {one.seat: one.posterior for one in read.predictions if one.seat in live} if read else {}
            if ranges.keys() != live:
                self.notice.emit(STILL_READ)
                return
        self.play_on_requested.emit(looked_at.take_up(count, ranges, secrets.randbelow(MAX_SEED + 1)))
