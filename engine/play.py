"""The dealer: runs hand after hand of a session, alone knows the deck, and keeps the agents' traces sealed.

Who posts what follows Rule 32 of the Tournament Directors Association (2024), the dead button: the big blind
moves to the next player each hand, so nobody escapes it and nobody pays it twice in a row, also when the table
shrinks to two (Rule 34). The small blind is owed by the seat that had the big blind before; if that seat is empty,
nobody posts it. The button is with the last player before them, since a button in front of an empty seat gives
that player the last word just the same; so `HandStarted.button` is always a seat that is dealt in.

The seed of a session is a secret while it is played: whoever knows it knows every card to come. It feeds separate
streams, one for the first button, one deck per hand, one seed per decision, each by a keyed hash (BLAKE2b): neither
a deck nor a decision's seed, once known, tells the session's seed or another hand's deck. What binds the dealer to
a deck before the hand is in `engine.fair_deals`.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import structs

from engine.agents.agent import Agent, Decision, Trace
from engine.cards import CARD_COUNT, Card
from engine.fair_deals import (
    HandOpening,
    Stream,
    hand_opening,
    salt_problem,
    shuffled_deck,
    stream_seed,
    table_opening,
)
from engine.game.events import (
    Action,
    Chips,
    GameKind,
    HandStarted,
    HoleCardsDealt,
    PublicEvent,
    Seat,
    SeatStart,
    TournamentStage,
)
from engine.game.formats import GameConfig
from engine.game.history import rules_of
from engine.game.observation import LegalActions, Observation
from engine.game.table import Table
from engine.session_state import DealerState, SeatRecord


class DealerError(ValueError):
    """Something that cannot be done with the session now; the message says why."""


class Dealer:
    """A running session. Seats without an agent are played from outside, by `apply` alone.

    Raises
    ------
    GameConfigError
        If no session can be played with this configuration.
    DealerError
        If an agent is given for a seat that does not exist.
    """

    def __init__(self, config: GameConfig, agents: Mapping[Seat, Agent]) -> None:
        config.verify()
        stack = config.starting_stack
        seats = tuple(SeatRecord(stack, stack) for _ in config.seats)
        self._begin(config, DealerState(0, seats, has_keyed_streams=True), agents)

    @classmethod
    def restore(cls, config: GameConfig, state: DealerState, agents: Mapping[Seat, Agent]) -> "Dealer":
        """Go on with the stored `Dealer.state` of a session.

        The next `start_hand` deals what it would have dealt then; to come back to the middle of a hand, call it
        and pass the stored actions of that hand to `apply`. What the agents have learned is the caller's.

        Raises
        ------
        DealerError
            If the state's seats do not fit its configuration.
        """
        config.verify()
        if len(state.seats) != len(config.seats):
            raise DealerError(f"A session of {len(config.seats)} seats cannot have {len(state.seats)} stacks.")
        if any(seat.stack < 0 or (seat.bought_in < 0 and not config.does_reset_stacks) for seat in state.seats):
            raise DealerError("A stored stack is negative.")
        if sum(seat.stack for seat in state.seats) != sum(seat.bought_in for seat in state.seats):
            raise DealerError("The stored stacks do not add up to the chips bought in.")
        dealer = cls.__new__(cls)
        dealer._begin(config, state, agents)
        return dealer

    @classmethod
    def take_up(
        cls,
        config: GameConfig,
        agents: Mapping[Seat, Agent],
        started: HandStarted,
        deck: Sequence[Card],
        taken: Iterable[Action],
        *,
        has_small_blind: bool = True,
    ) -> "Dealer":
        """Deal one hand from a deck of the caller's, and take actions of it; no commitment binds anybody to it.

        `started` says stacks, button and stakes; its hand is numbered 1.

        Raises
        ------
        RulesError
            If the hand cannot begin so.
        IllegalActionError
            If an action is not allowed.
        GameConfigError
            If no session can be played with this configuration.
        """
        config.verify()
        stacks = {start.seat: start.stack for start in started.seats}
        seats = tuple(SeatRecord(stacks.get(seat, 0), stacks.get(seat, 0)) for seat in range(len(config.seats)))
        dealer = cls.__new__(cls)
        dealer._begin(config, DealerState(0, seats, has_keyed_streams=True), agents)
        dealer._table = Table(
            hand_number=1,
            kind=started.kind,
            seats=started.seats,
            button=started.button,
            rules=rules_of(started),
            deck=deck,
            has_small_blind=has_small_blind,
            stage=TournamentStage(payouts=started.payouts),
        )
        for action in taken:
            dealer.apply(action)
        return dealer

    def _begin(self, config: GameConfig, state: DealerState, agents: Mapping[Seat, Agent]) -> None:
        for seat in agents:
            if not 0 <= seat < len(config.seats):
                raise DealerError(f"There is no seat {seat} for an agent: the table has {len(state.seats)}.")
        self.config = config
        self.agents = dict(agents)
        self._state = state
        self._table: Table | None = None
        self._traces: list[Trace] = []
        self._actions = 0
        self._committed: tuple[int, str] | None = None

    # The session

    @property
    def state(self) -> DealerState:
        """The session as it was before the running hand, or as it is between hands."""
        return self._state

    @property
    def hand_number(self) -> int:
        """Number of the running hand or of the last one; 0 before the first."""
        return self._state.hands_dealt + (1 if self.is_hand_running else 0)

    @property
    def is_hand_running(self) -> bool:
        """Whether a hand is being played."""
        return self._table is not None and not self._table.is_over

    @property
    def stacks(self) -> dict[Seat, Chips]:
        """Chips of every seat; during a hand those with which it began."""
        return {seat: record.stack for seat, record in enumerate(self._state.seats)}

    @property
    def bought_in(self) -> dict[Seat, Chips]:
        """All chips that every seat ever brought, as in `SeatRecord`; their sum is that of the stacks."""
        return {seat: record.bought_in for seat, record in enumerate(self._state.seats)}

    @property
    def end_reason(self) -> str | None:
        """Why no further hand will be dealt, in a sentence, or None if one can be."""
        config = self.config
        if self.is_hand_running:
            return None
        if config.max_hands is not None and self._state.hands_dealt >= config.max_hands:
            return (
                f"All {config.max_hands} hands are played." if config.max_hands > 1 else "The one hand is played."
            )
        able = [seat for seat in range(len(config.seats)) if self._can_play(seat)]
        if len(able) == 1:
            return f"Only {config.seats[able[0]].name} has chips left."
        if config.ends_at_half and 2 * len(able) <= len(config.seats):
            return f"No more than half of the {len(config.seats)} players are left."
        return None if able else "Nobody has chips left."

    @property
    def places(self) -> dict[Seat, int]:
        """The place of every seat so far, as `DealerState.places`."""
        return self._state.places(self.config)

    @property
    def table_commitment(self) -> str:
        """What binds the dealer to the session's seed, as of `engine.fair_deals`."""
        return table_opening(self.config.seed).commitment

    @property
    def commitment(self) -> str:
        """What binds the dealer to the deck of the running hand, or between two hands to that of the next one.

        Empty of a hand that an earlier version has begun.
        """
        committed = self._committed if self.is_hand_running else self._next_committed()
        return hand_opening(self.config.seed, *committed).commitment if committed is not None else ""

    @property
    def salt(self) -> str:
        """The player's part in the next shuffle, or in that of the running hand."""
        return self._state.salt

    def set_salt(self, salt: str) -> None:
        """Let the player take part in the shuffle of the next hand and those after it.

        Raises
        ------
        DealerError
            During a hand, or if it is no salt.
        """
        if self.is_hand_running:
            raise DealerError("The salt can be changed between hands only.")
        if problem := salt_problem(salt):
            raise DealerError(problem)
        self._state = structs.replace(self._state, salt=salt)

    def top_up(self, seat: Seat, amount: Chips) -> None:
        """Buy chips for a seat of a cash game, between hands, up to the starting stack.

        Raises
        ------
        DealerError
            During a hand, in a tournament, or if the amount is not allowed.
        """
        if self.is_hand_running:
            raise DealerError("Chips can be bought between hands only.")
        if not 0 <= seat < len(self._state.seats):
            raise DealerError(f"There is no seat {seat}.")
        record = self._state.seats[seat]
        if self.config.kind != GameKind.CASH:
            raise DealerError("Chips can be bought in a cash game only; a tournament's rebuys come by themselves.")
        if self.config.does_reset_stacks:
            raise DealerError("No chips can be bought where every hand begins with the same stacks.")
        if amount < 1 or record.stack + amount > self.config.starting_stack:
            room = max(self.config.starting_stack - record.stack, 0)
            raise DealerError(
                f"With a stack of {record.stack} between 1 and {room} chips can be bought, not {amount}."
                if room
                else f"A stack of {record.stack} cannot be topped up: the most is {self.config.starting_stack}."
            )
        self._replace(
            seat, stack=record.stack + amount, bought_in=record.bought_in + amount, out_in_hand=0, last_stack=0
        )

    # One hand

    def start_hand(self) -> tuple[PublicEvent, ...]:
        """Deal the next hand, and return its events up to the first decision.

        Seats without chips buy in again first where the format says so, or all stacks are reset. If the blinds put
        everybody all-in the hand is over at once.

        Raises
        ------
        DealerError
            If a hand is running or the session is over.
        """
        if self.is_hand_running:
            raise DealerError(f"Hand {self.hand_number} is still being played.")
        if self.end_reason is not None:
            raise DealerError(f"No further hand is dealt. {self.end_reason}")
        if self.config.does_reset_stacks:
            self._reset_stacks()
        else:
            self._rebuy()
        config, number = self.config, self._state.hands_dealt + 1
        dealt = [seat for seat, record in enumerate(self._state.seats) if record.stack]
        button, has_small_blind = self._button(dealt)
        self._committed = self._next_committed()
        self._table = Table(
            hand_number=number,
            kind=config.kind,
            seats=[self._seat_start(seat) for seat in dealt],
            button=button,
            rules=self._state.rules(config),
            deck=self._deck(number),
            has_small_blind=has_small_blind,
            stage=self._state.tournament_stage(config),
        )
        self._traces = []
        self._actions = 0
        if self._table.is_over:
            self._finish_hand()
        return self._table.events

    @property
    def to_act(self) -> Seat | None:
        """The seat asked to act, or None when no hand is running."""
        return None if self._table is None else self._table.to_act

    @property
    def dealt_in(self) -> tuple[Seat, ...]:
        """The seats of the running hand or of the last one."""
        return () if self._table is None else self._table.seats

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """Public events of the running hand or of the last one."""
        return () if self._table is None else self._table.events

    def legal_actions(self) -> LegalActions | None:
        """Return what the seat to act may do, or None when no hand is running."""
        return None if self._table is None else self._table.legal_actions()

    def observe(self, seat: Seat) -> Observation:
        """Return what a seat that was dealt in may know of the running hand or of the last one.

        Raises
        ------
        ValueError
            If the seat was not dealt in, or before the first hand.
        """
        return self._require_table().observe(seat)

    def private_event(self, seat: Seat) -> HoleCardsDealt:
        """Return the hole cards of a seat, for that seat alone.

        Raises
        ------
        ValueError
            If the seat was not dealt in, or before the first hand.
        """
        return self._require_table().private_event(seat)

    def decide(self, *, deals: int | None = None) -> Decision:
        """Let the agent whose turn it is choose, without taking its action.

        Changes nothing, so it may run in a worker thread while nothing else is done with this dealer; called
        again it gives the same decision. `deals` are those of `Agent.decide`.

        Raises
        ------
        DealerError
            If it is no agent's turn.
        """
        seat = self.to_act
        if seat is None or seat not in self.agents:
            raise DealerError("It is no agent's turn.")
        return self.agents[seat].decide(self.observe(seat), self._decision_seed(), deals=deals)

    def apply(self, action: Action, decision: Decision | None = None) -> tuple[PublicEvent, ...]:
        """Take the action of the seat to act, and return the events up to the next decision or the end of the hand.

        The trace of the decision that it comes from is kept sealed.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it; nothing has changed then.
        DealerError
            If no hand is running or the decision was made for another moment.
        """
        table = self._require_table()
        if decision is not None:
            seen = decision.trace.observation
            if (
                decision.action != action
                or seen.seat != table.to_act
                or seen.hand_number != self.hand_number
                or len(seen.events) != len(table.events)
            ):
                raise DealerError("This decision was made for another moment of the game.")
        events = table.apply(action)
        self._actions += 1
        if decision is not None:
            self._traces.append(decision.trace)
        if table.is_over:
            self._finish_hand()
        return events

    def open_traces(self, *, study: bool = False) -> tuple[Trace, ...]:
        """Return the traces of this hand's decisions, in order; they show hole cards.

        Raises
        ------
        DealerError
            During a hand, unless `study` is set.
        """
        if self.is_hand_running and not study:
            raise DealerError("Traces stay sealed until the hand is over.")
        return tuple(self._traces)

    def open_hand(self) -> HandOpening | None:
        """Return what the commitment of the last hand has hidden; None if it had none.

        Raises
        ------
        DealerError
            During a hand.
        """
        if self.is_hand_running:
            raise DealerError("The deck stays sealed until the hand is over.")
        return hand_opening(self.config.seed, *self._committed) if self._committed is not None else None

    # Inside

    def _next_committed(self) -> tuple[int, str] | None:
        """Return number and salt of the next hand; None where an earlier version has begun it."""
        state = self._state
        return (state.hands_dealt + 1, state.salt) if state.has_keyed_streams else None

    def _deck(self, number: int) -> Sequence[Card]:
        seed = self._stream(Stream.DECK, number)
        if isinstance(seed, int):
            return shuffled_deck(seed, self._state.salt)
        return [Card(card) for card in np.random.default_rng(seed).permutation(CARD_COUNT).tolist()]

    def _require_table(self) -> Table:
        if self._table is None:
            raise DealerError("No hand has been dealt yet.")
        return self._table

    def _stream(self, stream: Stream, *numbers: int) -> int | list[int]:
        if self._state.has_keyed_streams:
            return stream_seed(self.config.seed, stream, *numbers)
        return [self.config.seed, stream, *numbers]

    def _decision_seed(self) -> int:
        sequence = np.random.SeedSequence(self._stream(Stream.AGENT, self.hand_number, self._actions))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))  # fits any signed 64-bit field

    def _replace(self, seat: Seat, **changes: int | bool) -> None:
        seats = list(self._state.seats)
        seats[seat] = structs.replace(seats[seat], **changes)
        self._state = structs.replace(self._state, seats=tuple(seats))

    def _seat_start(self, seat: Seat) -> SeatStart:
        config, state = self.config, self._state
        return SeatStart(seat, config.seats[seat].name, state.seats[seat].stack, state.reserve(config, seat))

    def _can_rebuy(self, seat: Seat) -> bool:
        if self.config.does_reset_stacks:
            return True
        if self.config.kind == GameKind.CASH:
            return self.config.does_rebuy_bots and seat in self.agents
        return self._state.reserve(self.config, seat) > 0

    def _can_play(self, seat: Seat) -> bool:
        record = self._state.seats[seat]
        return record.stack > 0 or self._can_rebuy(seat)

    def _reset_stacks(self) -> None:
        full = self.config.starting_stack
        for seat, record in enumerate(self._state.seats):
            bought = record.bought_in + full - record.stack
            self._replace(seat, stack=full, bought_in=bought, out_in_hand=0, last_stack=0)

    def _rebuy(self) -> None:
        for seat, record in enumerate(self._state.seats):
            if record.stack == 0 and self._can_rebuy(seat):
                self._replace(
                    seat,
                    stack=self.config.starting_stack,
                    bought_in=record.bought_in + self.config.starting_stack,
                    rebuys=record.rebuys + 1,
                    out_in_hand=0,
                    last_stack=0,
                )

    def _button(self, dealt: Sequence[Seat]) -> tuple[Seat, bool]:
        """Return the button's seat and whether there is a small blind."""
        last = self._state.big_blind_seat
        if last is None:
            draw = np.random.default_rng(self._stream(Stream.BUTTON))
            return dealt[int(draw.integers(len(dealt)))], True
        # Clockwise from the big blind to come; the one before, if still there, stands last.
        order = sorted(dealt, key=lambda seat: (seat - last - 1) % len(self.config.seats))
        if len(order) == 2:
            return order[1], True
        return (order[-2], True) if last in dealt else (order[-1], False)

    def _finish_hand(self) -> None:
        table = self._require_table()
        number = self._state.hands_dealt + 1
        seats = list(self._state.seats)
        for seat, stack in table.stacks.items():
            seats[seat] = structs.replace(
                seats[seat],
                stack=stack,
                out_in_hand=0 if stack else number,
                last_stack=0 if stack else seats[seat].stack,
            )
        self._state = structs.replace(
            self._state,
            hands_dealt=number,
            seats=tuple(seats),
            big_blind_seat=table.big_blind_seat,
            has_keyed_streams=True,
        )
        if self.config.doubles_each_lap:
            self._state = self._state.after_button(self.config, table.button)
        for seat in table.seats:
            if seat in self.agents:
                own = tuple(trace for trace in self._traces if trace.observation.seat == seat)
                self.agents[seat].hand_finished(table.observe(seat), own)
