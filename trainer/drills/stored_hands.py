"""Finished hands of the store that exercises are about, and what a reader knew before each; in a lane."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.cards import HoleCards
from engine.codec import StoredDataError
from engine.game.events import Seat
from engine.game.history import HistoryError, verify_finished
from engine.game.observation import Observation
from engine.review.hands import learn_hand
from trainer.session.record import final_of, known_at_start
from trainer.storage.browse import HandFilter, PlayedHand
from trainer.storage.store import Store
from trainer.storage.stored import StoreError


class FinishedStoredHand(NamedTuple):
    """A hand as the player saw it at its end, all hole cards that are stored, and what it came to."""

    final: Observation
    hole_cards: Mapping[Seat, HoleCards]
    row: PlayedHand


def finished_hand(store: Store, hand_id: int) -> FinishedStoredHand | None:
    """Return a hand by its number in the store; None if it is not there, still played or damaged."""
    hand, rows = store.hand(hand_id), store.browse.rows([hand_id])
    if hand is None or not rows or not hand.is_finished:
        return None
    with suppress(StoredDataError, HistoryError):
        final = hand.final_observation()
        verify_finished(final)
        return FinishedStoredHand(final, hand.hole_cards, rows[0])
    return None


def strangers_at(store: Store, session_id: int) -> Spreads:
    """Return what strangers at the table of a stored session are expected to be."""
    session = next((one for one in store.sessions() if one.session_id == session_id), None)
    return OF_PROGRAMS if session is None or session.venue is None else OF_PEOPLE


def reader_before(store: Store, row: PlayedHand, most: int) -> LearnedReader:
    """Return a reader with what it knew of the players when a session began, and has learned before one hand of it.

    Of the hands before it learns the latest, `most` at most, each in some 10 ms.
    """
    reader = LearnedReader(strangers=strangers_at(store, row.session_id))
    with suppress(StoreError):
        reader.meet(known_at_start(store, row.session_id))
    for final in _hands_before(store, row, most):
        learn_hand(reader, final)
    return reader


def _hands_before(store: Store, row: PlayedHand, most: int) -> Iterator[Observation]:
    """Yield the ends of the latest hands of a session before one of it, oldest first, without damaged ones."""
    numbers = np.sort(store.browse.find(HandFilter(session=row.session_id)).hand_ids)
    for number in numbers[numbers < row.hand_id][-most:].tolist():
        hand = store.hand(number)
        final = final_of(hand) if hand is not None else None
        if final is not None:
            yield final
