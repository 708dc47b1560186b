"""A dealer whose every action is in the store before anybody learns of it.

What moves the game runs on the lane `bot`, one job at a time, and comes back as a `Step` of plain values, so the
window's thread waits neither for an agent nor for the disk. Between jobs, and only then, that thread asks the
dealer or buys chips.
"""

import logging
import traceback
from dataclasses import dataclass
from datetime import datetime

from engine.game.events import CHECK, FOLD, Action, Chips, Seat
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from engine.play import Dealer
from trainer.session.agents import known_players, make_agents, table_memory
from trainer.session.record import SessionRecord
from trainer.session.standing import Tally
from trainer.session.types import SessionResult
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

_log = logging.getLogger(__name__)

KEPT_EVERY = 10
"""So many hands apart memories are stored; the hands since are learned again when a session is resumed."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happened at the table: a moment of the player's per new event, and sentences for the player."""

    moments: tuple[Observation, ...]
    to_act: Seat | None
    is_over: bool
    notices: tuple[str, ...] = ()


class RecordedDealer:
    """A running session and its record; `hero` is the player's seat, `tally` of every finished hand."""

    def __init__(self, dealer: Dealer, record: SessionRecord, hero: Seat, tally: Tally) -> None:
        self.dealer = dealer
        self.record = record
        self.tally = tally
        self.hero = hero
        self._remembered = tally.last_hand

    @classmethod
    def begin(cls, config: GameConfig, store: Store, started: datetime, hero: Seat) -> "RecordedDealer":
        """Open a new session, stored if it can be."""
        try:
            known = store.players.known(config.seats)
        except StoreError as error:  # the session that cannot be stored tells
            _log.warning("What is kept of players cannot be read: %s", error)
            known = {}
        dealer = Dealer(config, make_agents(config, known))
        record = SessionRecord(store, config, started, dealer.state, known)
        record.open()
        return cls(dealer, record, hero, Tally())

    # On the lane

    def deal(self) -> Step:
        """Deal the next hand."""
        self.record.begin_hand(self.dealer.state, self.dealer.commitment)
        self.dealer.start_hand()
        return self._step(0)

    def act(self, action: Action, seen: int) -> Step:
        """Take the action of the player, who knows `seen` events; raise IllegalActionError, changing nothing."""
        self.dealer.apply(action)
        self.record.add_action(action, None)
        return self._step(seen)

    def think(self, seen: int) -> Step:
        """Let the bot whose turn it is act; one that fails does the least a player can do.

        While values would have to wait for the compiler, after an installation, it does what most would.
        """
        from engine.kernels.jit import is_prepared

        dealer, seat = self.dealer, self.dealer.to_act
        assert seat is not None
        try:
            decision = dealer.decide(deals=None if is_prepared() else 0)
            dealer.apply(decision.action, decision)
        except Exception as error:  # whatever a style may raise, the session goes on
            # Not what it says, here or in the log: that may be the agent's cards.
            where = "".join(traceback.format_tb(error.__traceback__))
            _log.error("The agent at seat %s failed: %s\n%s", seat, type(error).__name__, where)
            legal = dealer.legal_actions()
            assert legal is not None
            passive = CHECK if legal.can_check else FOLD
            dealer.apply(passive)
            done = "checked" if passive is CHECK else "folded"
            self.record.say(f"{dealer.config.seats[seat].name} could not decide and {done}.")
            self.record.add_action(passive, None)
        else:
            self.record.add_action(decision.action, decision.trace)
        return self._step(seen)

    def _step(self, seen: int) -> Step:
        from engine.game.history import observation_at

        full = self.dealer.observe(self.hero)
        moments = tuple(observation_at(full, count) for count in range(seen + 1, len(full.events) + 1))
        is_over = not self.dealer.is_hand_running
        if is_over:
            self.end_hand(full)
        return Step(moments, self.dealer.to_act, is_over, self.record.take_notices())

    def end_hand(self, final: Observation) -> None:
        """Count and store a hand that has ended with what was learned of players, every so many all memories."""
        self.tally.add(final)
        dealer = self.dealer
        hole_cards = {seat: dealer.private_event(seat).hole_cards for seat in dealer.dealt_in}
        self.record.finish_hand(final, dealer.state, hole_cards, dealer.open_traces(), dealer.open_hand())
        self.record.save_players(known_players(dealer.agents))
        self.save_memory_if_due()

    def save_memory_if_due(self) -> None:
        """Store what the agents know, unless that was done a few hands ago."""
        if self.tally.last_hand - self._remembered >= KEPT_EVERY:
            self._remembered = self.tally.last_hand
            self.record.save_table_memory(self._remembered, table_memory(self.dealer.agents, self.tally))

    # Between jobs

    def top_up(self, chips: Chips) -> tuple[str, ...]:
        """Buy chips for the player; return sentences about storing. Raise DealerError if not allowed now."""
        self.dealer.top_up(self.hero, chips)
        self.record.save_state(self.dealer.state)
        return self.record.take_notices()

    def set_salt(self, salt: str) -> tuple[str, ...]:
        """Let a salt enter the next shuffle; return sentences about storing. Raise DealerError if it is none."""
        self.dealer.set_salt(salt)
        self.record.save_state(self.dealer.state)
        return self.record.take_notices()

    def finish(self, result: SessionResult) -> tuple[str, ...]:
        """Store the session's result; return sentences about storing, if any."""
        self.record.finish(result)
        return self.record.take_notices()
