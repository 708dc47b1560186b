"""Stored hands written into a file, step by step; the file is there when it is whole."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.atomic_file import whole_file
from engine.codec import StoredDataError
from engine.foreign_text import shortened
from engine.game.phh import PublicRecord, SkippedCount, SkippedHand, SkippedHands
from engine.hand_histories.export import exported
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.own_hand import own_hand
from engine.hand_histories.told import NotImportedError
from engine.words import counted
from trainer.storage.browse import PlayedHand
from trainer.storage.imports import ImportedDetails
from trainer.storage.store import Store

BATCH: Final = 250
"""Hands read at a time."""


class ExportError(ValueError):
    """Why no file can be written, in one sentence."""


class ExportReport(Struct, frozen=True):
    """How far an export is: hands wanted, hands written, and why others are left out."""

    hands: int
    written: int
    reasons: tuple[SkippedCount, ...]
    is_done: bool


def export_hands(store: Store, hand_ids: Sequence[int], path: Path, form: str) -> Iterator[ExportReport]:
    """Write stored hands in one of `engine.hand_histories.export.FORMS`; yield how far it is, and last the whole.

    If it is stopped before, nothing is written.

    Raises
    ------
    ExportError
        If the file cannot be written.
    StoreError
        If the store fails.
    """
    export = _Export(store, hand_ids)
    try:
        with whole_file(path) as file:
            for text in exported(export.hands(), form):
                file.write(text.encode())
                if export.is_time():
                    yield export.report()
    except OSError as error:
        raise ExportError(f"{shortened(path.name)} cannot be written: {error.strerror or error}.") from error
    yield export.report(is_done=True)


class _Export:
    """One export on its way."""

    def __init__(self, store: Store, hand_ids: Sequence[int]) -> None:
        self._store, self._hand_ids = store, hand_ids
        self._skipped = SkippedHands()
        self._written = 0

    def hands(self) -> Iterator[ImportedHand]:
        """Yield the hands in their order; those deleted meanwhile are not there."""
        for begin in range(0, len(self._hand_ids), BATCH):
            some = [int(number) for number in self._hand_ids[begin : begin + BATCH]]
            details = self._store.imports.details(some)
            for played in self._store.browse.rows(some):
                hand = self._read(played, details.get(played.hand_id))
                if hand is not None:
                    self._written += 1
                    yield hand

    def _read(self, played: PlayedHand, details: ImportedDetails | None) -> ImportedHand | None:
        stored = self._store.hand(played.hand_id)
        if stored is None:
            return None
        try:
            final = stored.final_view()
            if details is None:
                number = f"{played.session_id}-{played.number}"
                own = stored.final_observation()
                return own_hand(own, number, played.ended, f"Session {played.session_id}")
        except (StoredDataError, NotImportedError) as error:
            name = f"hand {played.number} of session {played.session_id}"
            self._skipped.add(SkippedHand(name, str(error)))
            return None
        venue = details.venue
        names = tuple(view.name for view in final.seats)
        record = PublicRecord(
            f"{venue.site} {details.number}", names, stored.hole_cards, final.events, is_no_limit=True
        )
        return ImportedHand(
            site=venue.site,
            number=details.number,
            played=played.ended,
            table=details.table,
            tournament=venue.tournament,
            currency=venue.currency,
            scale=venue.scale,
            record=record,
            hero=final.viewer,
            rake=details.rake,
            remarks=details.remarks,
        )

    def is_time(self) -> bool:
        """Whether it is time to say how far it is."""
        return self._written % BATCH == 0

    def report(self, *, is_done: bool = False) -> ExportReport:
        """Return how far it is."""
        return ExportReport(len(self._hand_ids), self._written, self._skipped.counts(), is_done)


def summary(report: ExportReport, path: Path) -> str:
    """Say what came of an export so far in one sentence."""
    hands = counted(report.written, "hand")
    if not report.is_done:
        return f"Writing: {hands} of {report.hands:,} …"
    left_out = sum(one.count for one in report.reasons)
    more = f" {left_out:,} left out: {report.reasons[0].reason}" if left_out else ""
    return f"{hands} written into {shortened(path.name)}.{more}"
