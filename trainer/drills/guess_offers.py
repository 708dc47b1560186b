"""A guess of a range that is offered after some hands at the table, about a moment of a hand that has ended.

Whether one is offered after a hand is drawn, and so is the moment, as `engine.training.guess` does: neither depends
on how the hand ended. Where that player's cards were shown in the end, the answer would be known; to leave such
moments out would leave the weaker hands. So those are asked about some hands later.
"""

from functools import partial

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from engine.game.events import ActionTaken, HoleCardsShown, Seat
from engine.training.guess import moments_of
from trainer.drills.stored_hands import finished_hand
from trainer.history.log_model import action_words
from trainer.jobs import Jobs
from trainer.session.amounts import Units
from trainer.session.session import Session
from trainer.session.types import FinishedHand, TableView
from trainer.storage.store import Store

LANE = "guess offered"
SHARE = 0.25
"""Of hands after which one is offered."""

LATER = 20
"""Hands after which a moment is asked about of which the cards were shown."""

_MOST_WAITING = 20


class GuessOffer(Struct, frozen=True):
    """A moment to guess about: a hand by its number in the store, the events so far, the last one by that seat."""

    hand_id: int
    number: int
    event_count: int
    event: ActionTaken
    name: str
    big_blind: int
    was_shown: bool

    @property
    def seat(self) -> Seat:
        """Whose range is guessed."""
        return self.event.seat

    def sentence(self, *, in_big_blinds: bool) -> str:
        """Return the question, and the key at which it is taken."""
        words = action_words(self.event, Units(self.big_blind, in_big_blinds))
        street = self.event.street.name.lower()
        return f"Hand {self.number:,}, {street}: {self.name} {words}. What may {self.name} hold? Guess (Ctrl+G)"


class GuessOffers(QObject):
    """Offers guesses about hands of the session at the table while `is_on`; `seed` decides after which."""

    changed = Signal(object)  # GuessOffer, or None when the one before has gone by

    def __init__(self, jobs: Jobs, seed: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: Store | None = None
        self.is_on = False
        self._jobs = jobs
        self._rng = np.random.default_rng(seed)
        self._number = 0  # of the hand on the table
        self._studied = 0  # of the last hand whose cards were open
        self._waiting: list[tuple[int, GuessOffer]] = []

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self._number = self._studied = 0
        self._waiting = []
        self._jobs.cancel(LANE)
        self.changed.emit(None)
        session.view_changed.connect(self._on_view)
        session.hand_finished.connect(self._on_hand_finished)

    def _on_view(self, view: TableView) -> None:
        number = view.observation.hand_number
        if view.is_study:
            self._studied = number
        if number != self._number:
            self._number = number
            self.changed.emit(None)

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        draw, moment = self._rng.random(2).tolist()
        number, store, hand_id = hand.observation.hand_number, self.store, hand.hand_id
        if not self.is_on or store is None or hand_id is None:
            return
        if draw < SHARE and self._studied != number:
            self._jobs.submit(LANE, partial(_drawn, store, hand_id, moment), partial(self._on_drawn, number))
        elif self._waiting and self._waiting[0][0] <= number:
            self.changed.emit(self._waiting.pop(0)[1])

    def _on_drawn(self, number: int, offer: GuessOffer | None) -> None:
        if offer is None:
            return
        if offer.was_shown:
            self._waiting = [*self._waiting, (number + LATER, offer)][-_MOST_WAITING:]
        elif number == self._number and self.is_on:
            self.changed.emit(offer)


def _drawn(store: Store, hand_id: int, moment: float) -> GuessOffer | None:
    """Draw a moment of a hand, `moment` being 0 to below 1; None if it has none. In a lane."""
    hand = finished_hand(store, hand_id)
    if hand is None:
        return None
    final = hand.final
    moments = moments_of(final, hand.hole_cards)
    if not moments:
        return None
    count, seat = moments[int(moment * len(moments))]
    event = final.events[count - 1]
    assert isinstance(event, ActionTaken)
    shown = {one.seat for one in final.events if isinstance(one, HoleCardsShown)}
    return GuessOffer(
        hand_id=hand_id,
        number=hand.row.number,
        event_count=count,
        event=event,
        name=final.view(seat).name,
        big_blind=final.big_blind,
        was_shown=seat in shown,
    )
