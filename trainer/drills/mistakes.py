"""The player's mistakes in reviewed hands, and each of them as an exercise; on a lane alone."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from engine.agents.learned.reader import LearnedReader
from engine.cards import format_cards
from engine.codec import StoredDataError, unpack
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import Observation
from engine.review.decision import ReviewedDecision
from engine.review.hands import HandReview, decisions_of
from engine.training.exercise import Exercise
from trainer.review.session_reviewer import STAMP
from trainer.session.amounts import Units
from trainer.session.record import known_at_start
from trainer.storage.browse import HandFilter, PlayedHand
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

if TYPE_CHECKING:  # plays hands out by kernels, which a lane imports
    from engine.training.mistakes import Mistake

_LATEST = 300
"""Hands with mistakes that are practised."""

_KNOWN_HANDS = 300
"""Of the session, before the one asked about, that the reader has learned: all of most sessions, as in reviews."""

_LEAST_LOSS_BB = 1e-6
_KEPT = 64
LOST = "A hand with a mistake is not stored any more, or damaged: it is left out."


class LostMistakeError(ValueError):
    """A mistake whose hand or review is gone or damaged; the message is a sentence."""


class StoredMistakes:
    """Mistakes by name: the number of the hand in the store, the events before the decision, and the hole cards.

    The cards tell a hand from a later one that got its number after it was deleted.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memories: OrderedDict[int, bytes] = OrderedDict()

    def names(self) -> tuple[str, ...]:
        """Return the mistakes of the latest hands that have some, the costliest first."""
        hand_ids = self._store.browse.find(HandFilter(least_loss=_LEAST_LOSS_BB)).hand_ids[:_LATEST].tolist()
        reviews = self._store.reviews.get(hand_ids, STAMP)
        found = [
            (decision.loss_bb, _name_of(row, decision.event_count))
            for row in self._store.browse.rows(hand_ids)
            for decision in _decisions_in(reviews.get(row.hand_id, b""))
            if not decision.grade.is_good
        ]
        return tuple(name for _, name in sorted(found, reverse=True))

    def name_of(self, hand_id: int, event_count: int) -> str:
        """Return the name of a decision of a reviewed hand; raise LostMistakeError if it is not stored."""
        for row in self._store.browse.rows([hand_id]):
            return _name_of(row, event_count)
        raise LostMistakeError(LOST)

    def exercise(self, name: str, seed: int, *, in_big_blinds: bool, is_fresh: bool) -> Exercise:
        """Return a mistake as a question, with other hole cards if `is_fresh`.

        Raise LostMistakeError if its hand or review is gone or damaged.
        """
        from engine.training.mistakes import again

        mistake, row = self._mistake(name)
        reader = LearnedReader()
        reader.recall(self._memory_before(row))
        amount = Units(mistake.spot.big_blind, in_big_blinds).text
        return again(mistake, reader, seed, amount, is_fresh=is_fresh)

    def _mistake(self, name: str) -> "tuple[Mistake, PlayedHand]":
        from engine.training.mistakes import Mistake

        hand_id, event_count, _ = name.split()
        hand = self._store.hand(int(hand_id))
        rows = self._store.browse.rows([int(hand_id)])
        if hand is None or not rows or _name_of(rows[0], int(event_count)) != name:
            raise LostMistakeError(LOST)
        data = self._store.reviews.get([int(hand_id)], STAMP).get(int(hand_id), b"")
        decision = next((one for one in _decisions_in(data) if one.event_count == int(event_count)), None)
        try:
            final = hand.final_observation()
            verify_finished(final)
            spots = [seen for seen, _ in decisions_of(final) if len(seen.events) == int(event_count)]
        except (StoredDataError, HistoryError) as error:
            raise LostMistakeError(LOST) from error
        if decision is None or not spots:
            raise LostMistakeError(LOST)
        title = f"hand {rows[0].number:,} of {rows[0].ended:%d %b %Y}, {spots[0].street.name.lower()}"
        return Mistake(name, title, spots[0], decision), rows[0]

    def _memory_before(self, row: PlayedHand) -> bytes:
        """Return what a reader knows of the table before a hand; what was asked for last is kept."""
        if row.hand_id not in self._memories:
            self._memories[row.hand_id] = reader_before(self._store, row, _KNOWN_HANDS).memory()
            if len(self._memories) > _KEPT:
                self._memories.popitem(last=False)
        return self._memories[row.hand_id]


def _name_of(row: PlayedHand, event_count: int) -> str:
    return f"{row.hand_id} {event_count} {format_cards(row.cards)}"


def _decisions_in(review: bytes) -> tuple[ReviewedDecision, ...]:
    """Return the decisions of a stored review; none if it is damaged."""
    with suppress(StoredDataError):
        return unpack(review, HandReview).decisions
    return ()


def reader_before(store: Store, row: PlayedHand, most: int) -> LearnedReader:
    """Return a reader with what it knew of the players when a session began, and has learned before one hand of it.

    Of the hands before it learns the latest, `most` at most, each in some 10 ms.
    """
    reader = LearnedReader()
    with suppress(StoreError):
        reader.meet(known_at_start(store, row.session_id))
    for final in _hands_before(store, row, most):
        reader.learn(final.events, final.seat)
    return reader


def _hands_before(store: Store, row: PlayedHand, most: int) -> Iterator[Observation]:
    """Yield the ends of the latest hands of a session before one of it, oldest first, without damaged ones."""
    numbers = np.sort(store.browse.find(HandFilter(session=row.session_id)).hand_ids)
    for number in numbers[numbers < row.hand_id][-most:].tolist():
        hand = store.hand(number)
        if hand is not None and hand.is_finished:
            with suppress(StoredDataError):
                yield hand.final_observation()
