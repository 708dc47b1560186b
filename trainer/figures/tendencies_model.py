"""What a player does in each kind of spot beside what is usual with the same hands, over their newest hands."""

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.cards import COMBO_CLASS, HandClass, Street, card_symbols, class_name
from engine.figures.report import USUAL_NOTE, clearest_words, tendency_cells
from engine.figures.tendencies import (
    DECISION,
    KINDS,
    SPOTS,
    Decisions,
    Tendency,
    clearest,
    decisions_of,
    tendencies,
)
from engine.game.events import ActionKind, ActionTaken, BoardDealt, start_of
from engine.game.formats import PERSON
from engine.words import counted
from trainer.figures.hands import Summary
from trainer.figures.spot_view import SpotView
from trainer.jobs import Jobs
from trainer.session.amounts import Units
from trainer.storage.seat_hands import KnownHand
from trainer.storage.store import Store
from trainer.widgets.tables_model import NO_FIGURE, Cell, Column

COUNTING, LISTING = "tendencies", "decisions of a spot"
"""Lanes."""

MOST_HANDS: Final = 5000
"""The newest; some 2 milliseconds each."""

MOST_LISTED: Final = 100
"""Decisions of a spot."""

_AT_A_TIME = 100
_USUAL = Column("usual", " ".join(USUAL_NOTE.split()))
COLUMNS: Final = (
    Column(
        "Spot",
        "A c-bet is one by who bet or raised last on the street before; later raises count as 3-bets",
    ),
    Column("Decisions", "How often the player had to decide there"),
    *(
        column
        for kind in KINDS
        for column in (Column(kind.capitalize(), f"How often the player did: {kind}"), _USUAL)
    ),
)
LISTED: Final = ("Cards", "Board", "Done", ">Usual", ">Hand")
LISTED_TIPS: Final = (
    "",
    "",
    "",
    "How often players fold, go on, or bet and raise as was done here, with such cards",
    "The number of the hand in its session",
)

_OTHERS = "Other people's cards are known where they showed them, so their folds are missing: no figures of them."


class Counting(NamedTuple):
    """What so many of a player's newest hands come to: the decisions too, and the hand in the store of each."""

    found: tuple[Tendency, ...] = ()
    hands: int = 0
    of: int = 0
    decisions: Decisions = np.empty(0, DECISION)
    hand_ids: NDArray[np.int64] = np.empty(0, np.int64)

    @property
    def is_whole(self) -> bool:
        """Whether all hands are counted that are to be."""
        return self.hands >= min(self.of, MOST_HANDS)


class ListedDecision(NamedTuple):
    """A decision of a spot: where it is, and its cells of `LISTED`."""

    session_id: int
    number: int
    event: int
    cells: tuple[str, ...]


class TendenciesModel(QObject):
    """Counts for the player of a summary, newest hands first, while somebody looks; lists one spot's decisions."""

    changed = Signal()
    listed_changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store: Store | None = None
        self.counting = Counting()
        self.spot = ""  # whose decisions are shown
        self.hand_class: HandClass | None = None  # alone listed
        self.is_usual = False  # whether the grid has what is usual
        self.listed: tuple[ListedDecision, ...] = ()  # the least usual first
        self.why_not = ""

    def count(self, store: Store, summary: Summary) -> None:
        """Count the hands of a summary's player in the place of those before."""
        self._store = store
        self.counting, self.why_not, self.hand_class = Counting(), "", None
        if summary.player is not None and summary.player.style == PERSON:
            self._jobs.cancel(COUNTING)
            self.why_not = _OTHERS
        else:
            self._jobs.submit(
                COUNTING,
                partial(_steps, store, summary),
                self._on_counted,
                on_error=self._on_error,
                newest_wins=True,
            )
        self.changed.emit()
        self._list()

    def stop(self) -> None:
        """Count no further."""
        self._jobs.cancel(COUNTING)

    def choose(self, spot: str) -> None:
        """Show the decisions of another spot."""
        if spot != self.spot:
            self.spot, self.hand_class = spot, None
            self._list()

    def choose_class(self, hand_class: HandClass | None) -> None:
        """List the decisions with a hand class alone, or with all."""
        self.hand_class = hand_class
        self._list()

    def view(self) -> SpotView | None:
        """Return what was done, or is usual, with each hand class of the spot; None if there is no decision."""
        decisions = self.counting.decisions[self._of_spot()]
        return SpotView(self.spot, decisions, is_usual=self.is_usual) if len(decisions) else None

    def about_listed(self) -> str:
        """Say what is listed."""
        of = f"With {class_name(self.hand_class)} alone" if self.hand_class is not None else "The least usual first"
        return f"{of}; Enter or a double click replays one."

    def _of_spot(self) -> NDArray[np.bool_]:
        """Return which decisions are of the spot."""
        spots = self.counting.decisions["spot"]
        return spots == SPOTS.index(self.spot) if self.spot in SPOTS else np.zeros(len(spots), np.bool_)

    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return a row of `COLUMNS` for each spot that there was."""
        return tuple(_row(one) for one in self.counting.found)

    def headline(self) -> str:
        """Say what is the least likely chance, and of how many hands."""
        counting = self.counting
        if self.why_not or not counting.of:
            return self.why_not
        if not counting.is_whole:
            newest = counted(min(counting.of, MOST_HANDS), "hand")
            return f"Counting the newest {newest}: {counting.hands:,}."
        newest = f" The newest {counting.hands:,} of {counted(counting.of, 'hand')}."
        return f"{clearest_words(counting.found)}{newest if counting.hands < counting.of else ''}"

    def _on_counted(self, counting: Counting) -> None:
        self.counting = counting
        spots = [one.spot for one in counting.found]
        if counting.is_whole and spots:
            clear = clearest(counting.found)
            self.spot = self.spot if self.spot in spots else clear[0].spot if clear else spots[0]
            self._list()
        self.changed.emit()

    def _list(self) -> None:
        """List the decisions of the spot chosen, of the hands counted so far."""
        counting, store = self.counting, self._store
        chosen = self._of_spot()
        if self.hand_class is not None:
            chosen &= COMBO_CLASS[counting.decisions["combo"]] == self.hand_class
        if store is None or not chosen.any():
            self._jobs.cancel(LISTING)
            self._on_listed(())
            return
        decisions, hand_ids = counting.decisions[chosen], counting.hand_ids[chosen]
        self._jobs.submit(
            LISTING,
            partial(_least_usual, store, decisions, hand_ids),
            self._on_listed,
            on_error=self._on_error,
            newest_wins=True,
        )

    def _on_listed(self, listed: tuple[ListedDecision, ...]) -> None:
        self.listed = listed
        self.listed_changed.emit()

    def _on_error(self, error: Exception) -> None:
        self.why_not = str(error)
        self.changed.emit()


def _steps(store: Store, summary: Summary) -> Iterator[Counting]:
    """Count the newest hands first, and yield what those so far come to; StoreError if the file fails."""
    if summary.own is None:
        yield Counting()
        return
    ids = summary.own.hand_ids()[::-1]
    seats = summary.own.rows()["seat"][::-1]
    parts, of = [np.empty(0, DECISION)], [np.empty(0, np.int64)]
    newest = min(len(ids), MOST_HANDS)
    for begin in range(0, newest, _AT_A_TIME):
        end = min(begin + _AT_A_TIME, newest)
        known = store.seat_hands.known(ids[begin:end].tolist())
        for hand_id, seat in zip(ids[begin:end].tolist(), seats[begin:end].tolist(), strict=True):
            hand = known.get(hand_id)
            if hand is not None and seat in hand.hole_cards:
                parts.append(decisions_of(hand.events, {seat: hand.hole_cards[seat]})[seat])
                of.append(np.full(len(parts[-1]), hand_id, np.int64))
        parts, of = [np.concatenate(parts)], [np.concatenate(of)]
        yield Counting(tendencies(parts[0]), end, len(ids), parts[0], of[0])


def _least_usual(store: Store, decisions: Decisions, hand_ids: NDArray[np.int64]) -> tuple[ListedDecision, ...]:
    """Return the decisions that players take least often with such cards; StoreError if the file fails."""
    usual = decisions["usual"][np.arange(len(decisions)), decisions["kind"]]
    order = np.argsort(usual, kind="stable")[:MOST_LISTED]
    known = store.seat_hands.known(np.unique(hand_ids[order]).tolist())
    there = [at for at in order.tolist() if hand_ids[at] in known]
    return tuple(_listed(known[int(hand_ids[at])], int(decisions["event"][at]), float(usual[at])) for at in there)


def _listed(hand: KnownHand, event: int, usual: float) -> ListedDecision:
    taken = hand.events[event]
    assert isinstance(taken, ActionTaken)
    board = [card for one in hand.events[:event] if isinstance(one, BoardDealt) for card in one.cards]
    done = taken.action.kind.value
    if taken.action.kind is ActionKind.RAISE:
        to = Units(start_of(hand.events).big_blind, in_big_blinds=True).text(taken.action.raise_to)
        done = f"{'raise to' if taken.to_call or taken.street is Street.PREFLOP else 'bet'} {to}"
    cells = card_symbols(hand.hole_cards[taken.seat]), card_symbols(board), done, f"{usual:.1%}", f"{hand.number:,}"
    return ListedDecision(hand.session_id, hand.number, event, cells)


def _row(one: Tendency) -> tuple[Cell, ...]:
    cells = [Cell(one.spot, -SPOTS.index(one.spot)), Cell(f"{one.decisions:,}", one.decisions)]
    for kind in range(len(KINDS)):
        if not one.done[kind] and not one.usual[kind]:
            cells += [NO_FIGURE] * 2
            continue
        share, usual = tendency_cells(one, kind)
        colour = "accent" if one.is_clear(kind) else "text"
        cells += [
            Cell(share, one.done[kind] / one.decisions, colour),
            Cell(usual, one.usual[kind], "text_muted"),
        ]
    return tuple(cells)
