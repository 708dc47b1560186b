"""The player's mistakes in reviewed hands, and each of them as an exercise; on a lane alone."""

from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.agents.learned.reader import LearnedReader
from engine.cards import format_cards
from engine.codec import StoredDataError, unpack
from engine.review.decision import ReviewedDecision
from engine.review.hands import HandReview, decisions_of
from engine.training.exercise import Exercise
from trainer.drills.stored_hands import finished_hand, reader_before, strangers_at
from trainer.review.session_reviewer import STAMP
from trainer.session.amounts import Units
from trainer.storage.browse import HandFilter, PlayedHand
from trainer.storage.store import Store

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
        reader = LearnedReader(strangers=strangers_at(self._store, row.session_id))
        reader.recall(self._memory_before(row))
        amount = Units(mistake.spot.big_blind, in_big_blinds).text
        return again(mistake, reader, seed, amount, is_fresh=is_fresh)

    def _mistake(self, name: str) -> "tuple[Mistake, PlayedHand]":
        from engine.training.mistakes import Mistake

        hand_id, event_count = map(int, name.split()[:2])
        hand = finished_hand(self._store, hand_id)
        if hand is None or _name_of(hand.row, event_count) != name:
            raise LostMistakeError(LOST)
        data = self._store.reviews.get([hand_id], STAMP).get(hand_id, b"")
        decision = next((one for one in _decisions_in(data) if one.event_count == event_count), None)
        spot = next((seen for seen, _ in decisions_of(hand.final) if len(seen.events) == event_count), None)
        if decision is None or spot is None:
            raise LostMistakeError(LOST)
        title = f"hand {hand.row.number:,} of {hand.row.ended:%d %b %Y}, {spot.street.name.lower()}"
        return Mistake(name, title, spot, decision), hand.row

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
