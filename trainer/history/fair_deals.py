"""The dialog of fair deals: what binds the dealer, the player's salt, and the finished hands opened and checked."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
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

from engine.codec import encode
from engine.fair_deals import LONGEST_SALT
from engine.foreign_text import shortened
from trainer.atomic_file import write_whole
from trainer.history.fair_deals_model import (
    HEADINGS,
    FairDealsView,
    commitment_heading,
    fair_deals_view,
)
from trainer.jobs import Job, Jobs
from trainer.session.session import Session
from trainer.session.types import Stage
from trainer.storage.store import Store
from trainer.theme import ThemeSource
from trainer.widgets.rows import RowsModel, make_table
from trainer.widgets.text_field import ColouredLabel

_LANE = "fair deals"
_HEX_DIGITS = 64
_OPENING_LINES = 6


class FairDealsDialog(QDialog):
    """Follows a session: shows commitments as they are made, and opens and checks its hands as they end."""

    page_requested = Signal()  # what is proven, in plain words

    def __init__(self, theme: ThemeSource, jobs: Jobs, store: Store, session: Session, parent: QWidget) -> None:
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
        self.salt = QLineEdit(session.salt)
        self.salt.setMaxLength(LONGEST_SALT)
        self.salt.setAccessibleName("Your salt")
        self.salt.setPlaceholderText("none: type anything that nobody can have known")
        self.salt.returnPressed.connect(self._on_salt)
        self.use = QPushButton("&Use from the next hand")
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._on_salt)
        self.said = ColouredLabel(theme, "text_muted")
        self.said.setAccessibleName("What was done")
        self._model = RowsModel(HEADINGS, self)
        self.hands = make_table(self._model, "Finished hands", 2)
        self.hands.selectionModel().selectionChanged.connect(self._on_selection)
        self.opening = QPlainTextEdit(readOnly=True)
        self.opening.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.opening.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.opening.setTabChangesFocus(True)
        self.opening.setAccessibleName("What the commitment of the chosen hand is the SHA-256 of")
        self.opening.setFixedHeight(round((_OPENING_LINES + 0.8) * self.opening.fontMetrics().lineSpacing()))
        self.summary = ColouredLabel(theme, "text")
        self.summary.setWordWrap(True)
        self.summary.setAccessibleName("What the check has found")
        self.copy = self._button("C&opy the opening", lambda: self._copy(self.opening.toPlainText()))
        self.save = self._button("&Save the proof…", self._on_save)
        self.check = self._button("&Check again", self.read)
        self._lay_out(copy_table, copy_hand)
        session.committed.connect(self._show_commitment)
        session.hand_finished.connect(self.read)
        session.session_finished.connect(self.read)
        session.destroyed.connect(self.close)
        self.finished.connect(self._on_finished)
        self._show_commitment()
        self._on_selection()
        self.read()

    def _commitment_field(self, name: str) -> tuple[QLineEdit, QPushButton]:
        field = QLineEdit(readOnly=True)
        field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        field.setMinimumWidth(field.fontMetrics().horizontalAdvance("0") * (_HEX_DIGITS + 3))
        field.setAccessibleName(name)
        copy = self._button("Copy", lambda: self._copy(field.text()))
        copy.setAccessibleName(f"Copy: {name}")
        return field, copy

    def _button(self, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: slot())
        return button

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
        label = QLabel("&Table's seed")
        label.setBuddy(self.table_commitment)
        for name, field, button in (
            (label, self.table_commitment, copy_table),
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
        layout.addWidget(over, 1)
        layout.addLayout(buttons)
        self.resize(self.sizeHint().width(), 42 * self.fontMetrics().lineSpacing())

    # What binds the dealer

    def _show_commitment(self) -> None:
        bound = self._session.commitment
        if bound is None:
            return
        is_running = self._session.stage not in (Stage.HAND_OVER, Stage.SESSION_OVER, Stage.WARMING_UP)
        self.table_commitment.setText(bound.table)
        self.hand_commitment.setText(bound.hand or "none: an earlier version has begun this hand")
        for field in (self.table_commitment, self.hand_commitment):
            field.setCursorPosition(0)
        self._hand_label.setText(commitment_heading(bound, is_running=is_running))
        self.use.setEnabled(self._session.stage != Stage.SESSION_OVER)
        salt = f"The salt in this shuffle: {bound.salt}" if bound.salt else "No salt in this shuffle."
        if bound.salt != self._session.salt:
            salt += f" From the next hand on: {self._session.salt or 'none'}"
        self.said.setText(salt)

    def _on_salt(self) -> None:
        self._session.set_salt(self.salt.text())
        self._show_commitment()

    # What is opened

    def read(self) -> None:
        """Open and check the hands that are stored by now."""
        if self._is_closed:
            return
        session_id = self._session.table.session_id
        if session_id is None:
            self.summary.setText("This session is not stored, so there is nothing to be checked.")
            return
        store = self._store
        is_shown = self._session.stage in (Stage.HAND_OVER, Stage.SESSION_OVER)
        unseen = None if is_shown else self._session.progress[0]
        self._job = self._jobs.submit(
            _LANE,
            lambda: fair_deals_view(store.proof(session_id), unseen),
            self._on_read,
            on_error=lambda error: self.summary.setText(str(error)),
        )

    def _on_read(self, view: FairDealsView) -> None:
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
        dialog = QFileDialog(self, "Save the proof", str(Path.home()), "Proofs (*.json);;All files (*)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(self._write)
        dialog.open()

    def _write(self, name: str) -> None:
        assert self._view is not None
        path = Path(name)
        try:
            write_whole(path, msgspec.json.format(encode(self._view.proof), indent=1))
        except OSError as error:
            self.said.setText(f"{shortened(path.name)} cannot be written: {error.strerror or error}.")
            return
        self.said.setText(f"Saved as {shortened(path.name)}; soulread verify {shortened(path.name)} checks it.")
