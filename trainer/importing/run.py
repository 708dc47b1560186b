"""Files of hands taken into the store, step by step; what is stored stays, whenever it is stopped.

Hands that are stored already are recognised, so that an import which was stopped goes on when it is begun again.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.game.phh import SkippedCount, SkippedHand, SkippedHands
from engine.hand_histories.files import HandFileError, NotImported, hand_files, read_file, read_text
from engine.hand_histories.imported import ImportedHand, owned
from engine.words import counted
from trainer.storage.imports import ImportCounts, ImportStore

BATCH: Final = 250
"""Hands stored in one transaction."""

_MOST_NAMES = 20_000
_STEP_SECONDS = 0.1


class OriginReport(Struct, frozen=True):
    """What came of the hands of one kind of text: new in the store, there before, skipped, refused by the rules.

    Of the new ones `watched` are nobody's own; `turned` were stored so before, and are the player's now.
    """

    origin: str
    files: int
    new: int
    watched: int
    turned: int
    known: int
    skipped: int
    refused: int

    @property
    def left_out(self) -> int:
        """Hands and files that are not imported."""
        return self.skipped + self.refused


class ImportReport(Struct, frozen=True):
    """How far an import is.

    Attributes
    ----------
    files, files_done : int
        All of them, and those read.
    origins : tuple of OriginReport
        By name; "" is what no kind is known of.
    reasons : tuple of SkippedCount
        Why hands are not imported, the most frequent reason first.
    owners : dict of str to tuple of str
        By site: of hands that are nobody's own the players whose hole cards are known, who has most of them first.
    seconds : float
    is_done : bool
    """

    files: int
    files_done: int
    origins: tuple[OriginReport, ...]
    reasons: tuple[SkippedCount, ...]
    owners: dict[str, tuple[str, ...]]
    seconds: float
    is_done: bool

    @property
    def new(self) -> int:
        """Hands that were not stored before."""
        return sum(origin.new for origin in self.origins)

    @property
    def watched(self) -> int:
        """Those of them that are nobody's own."""
        return sum(origin.watched for origin in self.origins)

    @property
    def turned(self) -> int:
        """Hands that were stored as watched, and are the player's now."""
        return sum(origin.turned for origin in self.origins)

    @property
    def known(self) -> int:
        """Hands that were stored before and stay as they are."""
        return sum(origin.known for origin in self.origins)

    @property
    def left_out(self) -> int:
        """Hands and files that are not imported."""
        return sum(origin.left_out for origin in self.origins)

    @property
    def read(self) -> int:
        """All hands read."""
        return self.new + self.turned + self.known + self.left_out


def import_files(
    paths: Sequence[Path], store: ImportStore | None, owners: Mapping[str, Collection[str]]
) -> Iterator[ImportReport]:
    """Take the hands of files and folders into the store; yield how far it is, and last the whole.

    Parameters
    ----------
    paths : sequence of Path
    store : ImportStore or None
        None only reads, and counts as new what could be stored.
    owners : mapping of str to names
        By site, "" for every site: whose hands those are that the text gives to nobody, if they played them.

    Raises
    ------
    HandFileError
        On the first step, if there is nothing of a name or a folder cannot be read.
    StoreError
        If the store fails; what was stored before stays.
    """
    return _Import(hand_files(paths), store, owners).steps()


def import_text(text: str, store: ImportStore, owners: Mapping[str, Collection[str]]) -> Iterator[ImportReport]:
    """Take the hands of a text into the store as `import_files` does."""
    return _Import([text], store, owners).steps()


class _Import:
    """One import on its way."""

    def __init__(
        self, sources: Sequence[Path | str], store: ImportStore | None, owners: Mapping[str, Collection[str]]
    ) -> None:
        self._sources = sources
        self._store = store
        self._owners = owners
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._skipped = SkippedHands()
        self._names: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._waiting: list[ImportedHand] = []
        self._begun = self._told = time.monotonic()

    def steps(self) -> Iterator[ImportReport]:
        for done, source in enumerate(self._sources):
            origins = set()
            try:
                for hand in read_text(source) if isinstance(source, str) else read_file(source):
                    origins.add(hand.site if isinstance(hand, ImportedHand) else hand.origin)
                    self._take(hand)
                    if self._is_time():
                        yield self._report(done)
            except HandFileError as error:
                self._leave_out(NotImported("", str(source), str(error)))
            for origin in origins:
                self._counts[origin]["files"] += 1
            if self._is_time():
                yield self._report(done + 1)
        self._put()
        yield self._report(len(self._sources), is_done=True)

    def _is_time(self) -> bool:
        now = time.monotonic()
        if now - self._told < _STEP_SECONDS:
            return False
        self._told = now
        return True

    def _take(self, hand: ImportedHand | NotImported) -> None:
        if isinstance(hand, NotImported):
            self._leave_out(hand)
            return
        names = {*self._owners.get("", ()), *self._owners.get(hand.site, ())}
        hand = owned(hand, names)
        if hand.is_watched:
            self._note_names(hand)
        self._waiting.append(hand)
        if len(self._waiting) >= BATCH:
            self._put()

    def _note_names(self, hand: ImportedHand) -> None:
        names = self._names[hand.site]
        if len(names) < _MOST_NAMES:
            names.update(hand.record.players[seat] for seat in hand.record.hole_cards)

    def _leave_out(self, hand: NotImported) -> None:
        self._counts[hand.origin]["refused" if hand.is_refused else "skipped"] += 1
        self._skipped.add(SkippedHand(hand.name, hand.reason))

    def _put(self) -> None:
        hands, self._waiting = self._waiting, []
        for site in sorted({hand.site for hand in hands}):
            some = [hand for hand in hands if hand.site == site]
            if self._store is None:
                counts = ImportCounts(len(some), 0, watched=sum(hand.is_watched for hand in some))
            else:
                counts = self._store.add(some)
            for what in ("new", "watched", "turned", "known"):
                self._counts[site][what] += getattr(counts, what)
            for refused in counts.refused:
                self._leave_out(NotImported(site, refused.name, refused.reason))

    def _report(self, done: int, *, is_done: bool = False) -> ImportReport:
        origins = (
            OriginReport(name, *(counts[what] for what in OriginReport.__struct_fields__[1:]))
            for name, counts in sorted(self._counts.items())
        )
        return ImportReport(
            files=len(self._sources),
            files_done=done,
            origins=tuple(origins),
            reasons=self._skipped.counts(),
            owners={site: _by_frequency(names) for site, names in sorted(self._names.items()) if names},
            seconds=time.monotonic() - self._begun,
            is_done=is_done,
        )


def _by_frequency(names: Counter[str]) -> tuple[str, ...]:
    return tuple(name for name, _ in names.most_common())


def summary(report: ImportReport) -> str:
    """Say what came of an import so far in one sentence."""
    rate = f", {report.read / report.seconds:,.0f} a second" if report.seconds >= 1 else ""
    words = [counted(report.new, "new hand")]
    words[0] += f" ({report.watched:,} watched)" * bool(report.watched)
    words += [f"{report.turned:,} watched before and yours now"] * bool(report.turned)
    words += [f"{report.known:,} stored before"] * bool(report.known)
    words += [f"{report.left_out:,} left out"] * bool(report.left_out)
    files = f"{report.files_done:,} of {counted(report.files, 'file')}"
    return f"{', '.join(words)}; {files}{rate}."


def reason_lines(reasons: Iterable[SkippedCount]) -> tuple[str, ...]:
    """Return why hands were left out, a line each."""
    return tuple(f"{one.count:,}: {one.reason} ({one.first})" for one in reasons)
