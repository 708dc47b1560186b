"""What the stored hands take, session by session, and what may be deleted, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.codec import StoredDataError, decode
from engine.game.formats import GameConfig
from engine.words import counted
from trainer.storage.store import MEGABYTE
from trainer.storage.stored import StoredSession

HEADINGS = ("Begun", "Played", "Players", ">Hands", "Ended", ">Size")


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A session in the list."""

    session_id: int
    texts: tuple[str, ...]  # under `HEADINGS`
    hands: int  # begun
    size: int  # bytes
    is_on_table: bool  # whether it is being played, so that it cannot be deleted


def stored_rows(
    sessions: Sequence[StoredSession], sizes: Mapping[int, int], on_table: int | None
) -> tuple[StoredRow, ...]:
    """Return the list, the newest session first; `sizes` are in bytes, by session number."""
    return tuple(_row(stored, sizes.get(stored.session_id, 0), on_table) for stored in sessions)


def _row(stored: StoredSession, size: int, on_table: int | None) -> StoredRow:
    is_on_table = stored.session_id == on_table
    state = "on the table" if is_on_table else "yes" if stored.is_finished else "can be resumed"
    where = "here" if stored.venue is None else stored.venue.title
    texts = (
        f"{stored.started:%d %B %Y, %H:%M}",
        where,
        _players(stored),
        f"{stored.hands:,}",
        state,
        megabytes(size),
    )
    return StoredRow(stored.session_id, texts, stored.hands, size, is_on_table)


def _players(stored: StoredSession) -> str:
    try:
        return str(len(decode(stored.config, GameConfig).seats))
    except StoredDataError:
        return "damaged"


def megabytes(size: int) -> str:
    """Return bytes as megabytes, with a digit after the point while that says something."""
    value = size / MEGABYTE
    if 0 < value < 0.05:
        return "<0.1 MB"
    return f"{value:,.1f} MB" if value < 100 else f"{value:,.0f} MB"


def summary(size: int, limit: int, *, is_kept: bool) -> str:
    """Say what is taken of what may be, both in bytes, and what follows."""
    if not is_kept:
        return "Nothing is stored just now."
    taken = f"The stored hands take {megabytes(size)} of {limit / MEGABYTE:,.0f} MB."
    if size >= limit:
        return f"{taken} Hands are still stored, but not why the bots act, until you delete sessions or allow more."
    return f"{taken} Beyond that, hands are stored without why the bots act; nothing is ever deleted by itself."


def question(chosen: Sequence[StoredRow]) -> str:
    """Ask whether these sessions are to be deleted."""
    hands, size = sum(row.hands for row in chosen), sum(row.size for row in chosen)
    which = "this session" if len(chosen) == 1 else f"these {len(chosen):,} sessions"
    return f"Delete {which} for good, {counted(hands, 'hand')} in {megabytes(size)}? It cannot be undone."
