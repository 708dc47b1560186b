"""What all finished hands came to, as arrays in memory, so that a million are filtered and sorted in a moment.

They are read once, in steps; whoever changes a row of `played` then names its hand, which is read again when the
arrays are asked for next.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMutex, QMutexLocker

from engine.game.summary import POSITIONS
from trainer.storage.database import DatabaseFile
from trainer.storage.played import RAISES, combo_of_cards

BY_NAME = ("", *sorted(POSITIONS))
"""Positions in the order in which hands are sorted by them, the first that of hands which were watched."""

_AT_ONCE = 2000
"""Rows read before others get their turn at the file: some 5 ms."""

_MOST_NAMED = 500
"""Numbers in one statement."""

_SORTED_FIRST = ("pot", "net", "loss")
"""What takes long to sort by, some tenth of a second for a million, and is not left until somebody asks for it."""

_QUERY = (
    f"SELECT hand, session, CAST(coalesce(strftime('%s', ended), 0) AS INTEGER), position, {RAISES}, cards,"
    " showdown, pot, net, loss FROM played WHERE"
)
_POSITIONS = {name.encode(): at for at, name in enumerate(BY_NAME)}


@dataclass(frozen=True, slots=True, eq=False)
class PlayedColumns:
    """The finished hands by rising number in the store; each field is an ndarray of shape (hands,).

    Attributes
    ----------
    hand, session : int64
        Numbers in the store.
    ended : int64
        Seconds since 1970 began, all in local time; 0 if that is damaged.
    position : int64
        Index of `BY_NAME`, -1 if it is damaged.
    raises : int64
        Before the flop, `engine.game.summary.WALK` of a walk.
    combo : int64
        The player's hole cards, -1 where there are none.
    showdown : bool
        Whether the player was in at it.
    pot, net, loss : float64
        In big blinds; a loss that is not known is NaN.
    """

    hand: NDArray[np.int64]
    session: NDArray[np.int64]
    ended: NDArray[np.int64]
    position: NDArray[np.int64]
    raises: NDArray[np.int64]
    combo: NDArray[np.int64]
    showdown: NDArray[np.bool_]
    pot: NDArray[np.float64]
    net: NDArray[np.float64]
    loss: NDArray[np.float64]
    _orders: dict[str, NDArray[np.int64]] = field(init=False, default_factory=dict)

    @property
    def is_watched(self) -> NDArray[np.bool_]:
        """Whether each hand was watched, so that nobody is the player."""
        watched: NDArray[np.bool_] = self.position == 0
        return watched

    def rising(self, name: str) -> NDArray[np.int64]:
        """Return the places of all hands by a column, the least first, equal ones by number and NaN last."""
        if name not in self._orders:
            self._orders[name] = np.argsort(getattr(self, name), kind="stable")
        return self._orders[name]

    def with_rows(self, changed: list[int], rows: "PlayedColumns") -> "PlayedColumns":
        """Return the same with rows in the place of those of the hands that have changed, in rising order."""
        ids = np.array(changed, np.int64)
        at = np.searchsorted(self.hand, ids)
        is_there = at < len(self.hand)
        is_there[is_there] = self.hand[at[is_there]] == ids[is_there]
        known = rows.hand[np.isin(rows.hand, ids[is_there])]
        new = len(rows.hand) - len(known)
        at = at[is_there]
        if len(known) < len(at) or (new and (rows.hand[-new:] <= self.hand.max(initial=0)).any()):
            return self._with_others(at, rows)
        columns, orders = list[NDArray[Any]](), dict[str, NDArray[np.int64]]()
        for name in _NAMES:
            values, others = getattr(self, name), getattr(rows, name)
            is_same = np.array_equal(values[at], others[: len(at)], equal_nan=True)
            if not is_same:
                values = values.copy()
                values[at] = others[: len(at)]
            columns.append(np.concatenate([values, others[len(at) :]]) if new else values)
            if is_same and name in self._orders:
                # Equal ones stay in order: those that are new stand last.
                order = np.concatenate([self._orders[name], np.arange(len(values), len(values) + new)])
                orders[name] = order[np.argsort(columns[-1][order], kind="stable")] if new else order
        found = PlayedColumns(*columns)
        found._orders.update(orders)
        return found

    def _with_others(self, places: NDArray[np.int64], rows: "PlayedColumns") -> "PlayedColumns":
        kept = [np.delete(getattr(self, name), places) for name in _NAMES]
        at = np.searchsorted(kept[0], rows.hand)
        return PlayedColumns(
            *(np.insert(values, at, getattr(rows, name)) for name, values in zip(_NAMES, kept, strict=True))
        )


_KINDS: tuple[Any, ...] = (*(np.int64,) * 6, np.bool_, *(np.float64,) * 3)
_NAMES = tuple(column.name for column in fields(PlayedColumns))[: len(_KINDS)]


class PlayedTable:
    """Reads the columns and keeps them current, from any thread; StoreError if the file cannot be read."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file
        self._reading, self._naming = QMutex(), QMutex()
        self._changed = set[int]()
        self._is_begun = False  # before it is, nothing is current that a change could make old
        self._repairs = file.repairs
        self._changes = 0
        self._parts = [_columns([])]
        self._is_read = False

    def change(self, hand_ids: Iterable[int]) -> None:
        """Take notice of hands that are new, changed or deleted in the file by now."""
        with QMutexLocker(self._naming):
            if self._is_begun:
                self._changed.update(hand_ids)
            self._changes += 1

    @property
    def version(self) -> tuple[int, int]:
        """What is another one after every change."""
        return self._file.repairs, self._changes

    def steps(self) -> Iterator[int]:
        """Read what is not read yet, and yield how many hands are after each step."""
        while (done := self._step()) is not None:
            yield done

    def now(self) -> PlayedColumns:
        """Return the columns as the file has them."""
        self._file.read(lambda _: None)  # says so where it is closed
        for _ in self.steps():
            pass
        with QMutexLocker(self._reading):
            self._take_changes()
            return self._parts[0]

    def _step(self) -> int | None:
        """Read some rows more; return how many there are, None if these are all."""
        with QMutexLocker(self._reading):
            if self._file.repairs != self._repairs:
                self._repairs, self._parts, self._is_read = self._file.repairs, [_columns([])], False
            if self._is_read:
                return None
            with QMutexLocker(self._naming):
                self._is_begun = True
            last = next((int(part.hand[-1]) for part in reversed(self._parts) if len(part.hand)), 0)
            rows = self._rows("hand > ? ORDER BY hand LIMIT ?", (last, _AT_ONCE))
            self._parts.append(_columns(rows))
            if len(rows) < _AT_ONCE:
                columns = _joined(self._parts)
                for name in _SORTED_FIRST:
                    columns.rising(name)
                self._parts, self._is_read = [columns], True
            return sum(len(part.hand) for part in self._parts)

    def _take_changes(self) -> None:
        with QMutexLocker(self._naming):
            changed, self._changed = sorted(self._changed), set()
        if not changed:
            return
        rows = list[tuple[Any, ...]]()
        try:
            for begin in range(0, len(changed), _MOST_NAMED):
                some = changed[begin : begin + _MOST_NAMED]
                rows += self._rows(f"hand IN ({', '.join('?' * len(some))}) ORDER BY hand", tuple(some))
        except BaseException:
            self.change(changed)
            raise
        self._parts = [self._parts[0].with_rows(changed, _columns(rows))]

    def _rows(self, where: str, values: tuple[int, ...]) -> list[tuple[Any, ...]]:
        return self._file.read(lambda database: database.execute(f"{_QUERY} {where}", values).fetchall())


def _columns(rows: list[tuple[Any, ...]]) -> PlayedColumns:
    """Return rows of `_QUERY` as arrays."""
    listed: list[Any] = list(zip(*rows, strict=True)) or [()] * len(_KINDS)
    listed[3] = [_POSITIONS.get(name, -1) for name in listed[3]]
    listed[5] = [combo_of_cards(cards) for cards in listed[5]]
    return PlayedColumns(*(np.array(values, kind) for values, kind in zip(listed, _KINDS, strict=True)))


def _joined(parts: list[PlayedColumns]) -> PlayedColumns:
    return PlayedColumns(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES))
