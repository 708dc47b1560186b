"""The dialog of fair deals: what binds the dealer, the player's salt, and the finished hands opened and checked."""

from pathlib import Path

import msgspec
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextOption
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.atomic_file import write_whole
from engine.codec import encode
from engine.fair_deals import LONGEST_SALT
from engine.foreign_text import shortened
from trainer.history.fair_deals_model import (
    HEADINGS,
    FairDealsView,
    commitment_heading,
    fair_deals_views,
)
from trainer.history.played_hands_model import session_choice
from trainer.jobs import Job, Jobs
from trainer.session.session import Session
from trainer.session.types import Stage
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession
from trainer.theme import ThemeSource, room_on_screen
from trainer.widgets.buttons import dialog_button
from trainer.widgets.file_dialogs import ask_to_save
from trainer.widgets.layouts import label_of
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.text_field import ColouredLabel

_LANE = "fair deals"
_HEX_DIGITS = 64
_OPENING_LINES = 6


class FairDealsDialog(QDialog):
    """Follows the session on the table, if any: shows commitments as they are made, and opens and checks its hands.

    Hands of earlier sessions are opened and checked as well.
    """

    page_requested = Signal()  # what is proven, in plain words

    def __init__(
        self, theme: ThemeSource, jobs: Jobs, store: Store, session: Session | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._session = session
        self._view: FairDealsView | None = None
        self._job: Job | None = None
        self._is_closed = False
        self.setWindowTitle("Fair deals")
        self.table_commitment, copy_table = self._commitment_field("Commitment to the seed of the table")
        self.hand_commitment, copy_hand = self._commitment_field("Commitment to the deck of the hand")
        self._hand_label = QLabel()
        self._hand_label.setBuddy(self.hand_commitment)
        self.salt = QLineEdit(session.salt if session is not None else "", maxLength=LONGEST_SALT)
        self.salt.setAccessibleName("Your salt")
        self.salt.setPlaceholderText("none: type anything that nobody can have known")
        self.salt.returnPressed.connect(self._on_salt)
        self.use = dialog_button("&Use from the next hand", self._on_salt)
        self.said = ColouredLabel(theme, "text_muted")
        self.said.setAccessibleName("What was done")
        self.sessions = QComboBox()
        self.sessions.setAccessibleName("Session whose hands are opened")
        if session is not None:
            self.sessions.addItem("The session on the table", session.table.session_id)
        self.sessions.currentIndexChanged.connect(self._on_session)
        self.saved = ColouredLabel(theme, "text_muted", wraps=True)
        self.saved.setAccessibleName("What was saved")
        self.saved.hide()
        self._model = RowsModel(HEADINGS, self)
        self.hands = make_table(self._model, "Finished hands", 2)
        self.hands.selectionModel().selectionChanged.connect(self._on_selection)
        self.opening = QPlainTextEdit(readOnly=True)
        self.opening.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.opening.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.opening.setTabChangesFocus(True)
        self.opening.setAccessibleName("What the commitment of the chosen hand is the SHA-256 of")
        self.opening.setFixedHeight(round((_OPENING_LINES + 0.8) * self.opening.fontMetrics().lineSpacing()))
        self.summary = ColouredLabel(theme, "text", wraps=True)
        self.summary.setAccessibleName("What the check has found")
        self.copy = dialog_button("C&opy the opening", lambda: self._copy(self.opening.toPlainText()))
        self.save = dialog_button("&Save the proof…", self._on_save)
        self.check = dialog_button("&Check again", self.read)
        self._show_commitment()
        self._lay_out(copy_table, copy_hand)
        if session is not None:
            session.committed.connect(self._show_commitment)
            session.hand_finished.connect(self._on_hand_finished)
            session.session_finished.connect(self._on_hand_finished)
            session.destroyed.connect(self.close)
        self.finished.connect(self._on_finished)
        self._on_selection()
        self.read()
        self._sessions_job = jobs.submit(_LANE, store.sessions, self._on_sessions, on_error=self._on_error)

    def _commitment_field(self, name: str) -> tuple[QLineEdit, QPushButton]:
        field = QLineEdit(readOnly=True)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setMinimumWidth(field.fontMetrics().horizontalAdvance("0") * (_HEX_DIGITS + 3))
        field.setAccessibleName(name)
        copy = dialog_button("Copy", lambda: self._copy(field.text()))
        copy.setAccessibleName(f"Copy: {name}")
        return field, copy

    def _lay_out(self, copy_table: QPushButton, copy_hand: QPushButton) -> None:
        intro = QLabel(
            "Before each hand the dealer is bound to its deck by a number that tells nothing of it; when the hand "
            "is over, what it was made from is opened. Nobody can have chosen the cards. "
            '<a href="page">What this proves, and what not</a>',
            wordWrap=True,
        )
        intro.linkActivated.connect(lambda _link: self.page_requested.emit())
        bound = QGroupBox("Bound now (SHA-256)")
        form = QFormLayout(bound)
        for name, field, button in (
            (label_of(self.table_commitment, "Ta&ble's seed"), self.table_commitment, copy_table),
            (self._hand_label, self.hand_commitment, copy_hand),
            (QLabel("Your s&alt"), self.salt, self.use),
        ):
            row = QHBoxLayout()
            row.addWidget(field, 1)
            row.addWidget(button)
            name.setBuddy(field)
            form.addRow(name, row)
        form.addRow("", self.said)
        over = QGroupBox("Opened")
        inner = QVBoxLayout(over)
        chooser = QFormLayout()
        chooser.addRow("&Hands of", self.sessions)
        inner.addLayout(chooser)
        inner.addWidget(self.hands, 1)
        inner.addWidget(self.opening)
        inner.addWidget(self.summary)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        buttons = QHBoxLayout()
        for button in (self.check, self.copy, self.save):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(intro)
        layout.addWidget(bound)
        bound.setVisible(self._session is not None)  # only now, or it would be a window of its own for a moment
        layout.addWidget(over, 1)
        layout.addWidget(self.saved)
        layout.addLayout(buttons)
        size = QSize(self.sizeHint().width(), 42 * self.fontMetrics().lineSpacing())
        self.resize(size.boundedTo(room_on_screen(self)))

    # What binds the dealer

    def _show_commitment(self) -> None:
        session = self._session
        bound = session.commitment if session is not None else None
        if session is None or bound is None:
            return
        is_running = session.stage not in (Stage.HAND_OVER, Stage.SESSION_OVER, Stage.WARMING_UP)
        self.table_commitment.setText(bound.table)
        self.hand_commitment.setText(bound.hand or "none: an earlier version has begun this hand")
        for field in (self.table_commitment, self.hand_commitment):
            field.setCursorPosition(0)
        self._hand_label.setText(commitment_heading(bound, is_running=is_running))
        self.use.setEnabled(session.stage != Stage.SESSION_OVER)
        salt = f"The salt in this shuffle: {bound.salt}" if bound.salt else "No salt in this shuffle."
        if bound.salt != session.salt:
            salt += f" From the next hand on: {session.salt or 'none'}"
        self.said.setText(salt)

    def _on_salt(self) -> None:
        if self._session is not None:
            self._session.set_salt(self.salt.text())
            self._show_commitment()

    # What is opened

    @property
    def _is_of_table(self) -> bool:
        """Whether the hands are those of the session on the table."""
        return self._session is not None and self.sessions.currentIndex() == 0

    def _on_sessions(self, sessions: tuple[StoredSession, ...]) -> None:
        """Offer all sessions with hands that were dealt here beside the one on the table."""
        on_table = self._session.table.session_id if self._session is not None else None
        for session in sessions:
            if session.hands and session.venue is None and session.session_id != on_table:
                self.sessions.addItem(session_choice(session), session.session_id)
        if not self.sessions.count():
            self.summary.setText("No session with hands is stored.")

    def _on_hand_finished(self) -> None:
        if self._is_of_table:
            self.read()

    def _on_session(self) -> None:
        self._view = None
        self._model.show_rows(())
        self._on_selection()
        self.read()

    def read(self) -> None:
        """Open and check the hands of the session chosen that are stored by now."""
        if self._is_closed or self.sessions.currentIndex() < 0:
            return
        if self._job is not None:
            self._job.cancel()
        session, session_id = self._session, self.sessions.currentData()
        unseen = None
        if session is not None and self._is_of_table:
            session_id = session.table.session_id
            unseen = None if session.stage in (Stage.HAND_OVER, Stage.SESSION_OVER) else session.progress[0]
        self.summary.set_meaning("text")
        if session_id is None:
            has_begun = session is not None and session.config is not None
            unstored = "This session is not stored, so there is nothing to be checked."
            self.summary.setText(unstored if has_begun else "No hand of this session has ended yet.")
            return
        store = self._store
        self._job = self._jobs.submit(
            _LANE,
            lambda: fair_deals_views(store.proof(session_id), unseen),
            self._on_read,
            on_error=self._on_error,
        )

    def _on_error(self, error: Exception) -> None:
        self.summary.setText(str(error))

    def _on_read(self, view: str | FairDealsView) -> None:
        if isinstance(view, str):
            self.summary.setText(view)
            return
        self._view = view
        chosen = self.hands.currentIndex().row()
        self._model.show_rows(view.rows)
        self.summary.setText(view.summary)
        self.summary.set_meaning("text" if view.is_right else "bad")
        if view.rows:
            self.hands.selectRow(max(chosen, 0))
        self._on_selection()
        self._show_commitment()

    def _on_finished(self) -> None:
        """Wait for no answer any more."""
        self._is_closed = True
        self._sessions_job.cancel()
        if self._job is not None:
            self._job.cancel()

    def _on_selection(self) -> None:
        rows = self.hands.selectionModel().selectedRows()
        opening = self._view.openings[rows[0].row()] if self._view is not None and rows else ""
        self.opening.setPlainText(opening)
        self.copy.setEnabled(bool(opening))
        self.save.setEnabled(self._view is not None and bool(self._view.rows))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _on_save(self) -> None:
        filters = "Proofs (*.json);;All files (*)"
        ask_to_save(self, "Save the proof", Path.home(), filters, self._write, ending="json")

    def _write(self, name: str) -> None:
        assert self._view is not None
        self.saved.show()
        path = Path(name)
        try:
            write_whole(path, msgspec.json.format(encode(self._view.proof), indent=1))
        except OSError as error:
            self.saved.setText(f"{shortened(path.name)} cannot be written: {error.strerror or error}.")
            return
        self.saved.setText(f"Saved as {shortened(path.name)}; soulread verify {shortened(path.name)} checks it.")
