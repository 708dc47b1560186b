"""A dealer whose every action is in the store before anybody learns of it.

Everything here that moves the game runs on the lane `bot`, one job at a time, and comes back as a `Step` of plain
values, so the window's thread waits neither for an agent nor for the disk. Between jobs, and only then, that thread
asks the dealer or buys chips.
"""

import logging
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct, structs

from engine.agents.agent import Agent, Decision, Remembers, Trace
from engine.agents.packed_traces import pack_traces
from engine.cards import HoleCards
from engine.codec import StoredDataError, decode, pack, unpack
from engine.game.events import CHECK, FOLD, Action, ActionTaken, Chips, HandEnded, HandStarted, Seat
from engine.game.formats import HUMAN, GameConfig
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics, Statistics
from engine.play import Dealer, DealerState
from trainer.session.readings import points_of
from trainer.session.types import SessionResult
from trainer.storage.store import MEGABYTE, Store
from trainer.storage.stored import StoredHand, StoredSession, StoreError

_log = logging.getLogger(__name__)

_TABLE = "table"
"""The part of the stored memories that is the agents' and the figures of the hands."""


def _reader_part(name: str) -> str:
    return f"reader {name}"


KEPT_EVERY = 10
"""So many hands apart memories are stored; the hands since then are learned anew when a session is resumed."""


class Tally:
    """The figures of a session's finished hands.

    Parameters
    ----------
    statistics : mapping of int to PlayerStatistics
        Those so far.
    human_net : sequence of int
        Won or lost by the person after each hand so far, all hands together.
    last_hand : int
        Number of the last hand in them.
    """

    def __init__(
        self,
        statistics: Mapping[Seat, PlayerStatistics] | None = None,
        human_net: Sequence[Chips] = (),
        last_hand: int = 0,
    ) -> None:
        self.statistics = Statistics(statistics)
        self.human_net = list(human_net)
        self.last_hand = last_hand

    def add(self, final: Observation) -> None:
        """Count a finished hand, as the person saw it, unless it is counted already."""
        if final.hand_number <= self.last_hand:
            return
        self.last_hand = final.hand_number
        self.statistics.add(final.events)
        before = self.human_net[-1] if self.human_net else 0
        self.human_net.append(before + net_of(final)[final.seat])

    def copy(self) -> "Tally":
        """Give one that goes on by itself."""
        return Tally(self.statistics.by_seat(), self.human_net, self.last_hand)


def net_of(final: Observation) -> dict[Seat, Chips]:
    """Give what each seat dealt in won or lost in a finished hand."""
    started, ended = final.events[0], final.events[-1]
    assert isinstance(started, HandStarted)
    assert isinstance(ended, HandEnded)
    return {start.seat: stack - start.stack for start, stack in zip(started.seats, ended.stacks, strict=True)}


class _TableMemory(Struct, frozen=True):
    """What is stored of a table: memories, those of several agents once, whose they are, and the tally."""

    memories: tuple[bytes, ...]
    of_seats: dict[Seat, int]
    statistics: dict[Seat, PlayerStatistics]
    human_net: tuple[Chips, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What happened at the table.

    Attributes
    ----------
    moments : tuple of Observation
        The person's, one per new event.
    to_act : int or None
    is_over : bool
        Whether the hand has ended.
    notices : tuple of str
        Sentences for the person: an agent that failed, a disk that is full.
    """

    moments: tuple[Observation, ...]
    to_act: Seat | None
    is_over: bool
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """A stored session at its last action.

    Attributes
    ----------
    table : RecordedDealer
    tally : Tally
        Of every finished hand.
    past : tuple of Observation
        The person's at the end of the hands before the one on the table, as far as `reader_memory` has them not.
    reader_memory : tuple of int and bytes, or None
        What the person's reader had learned of the hands before these, behind the number of the last of them.
    step : Step
        The hand on the table, all of it; no moments before the first hand.
    points : tuple of Observation
        Its points that can be read.
    traces : tuple of Trace
        Of its decisions.
    """

    table: "RecordedDealer"
    tally: Tally
    past: tuple[Observation, ...]
    reader_memory: tuple[int, bytes] | None
    step: Step
    points: tuple[Observation, ...]
    traces: tuple[Trace, ...]


class RecordedDealer:
    """A running session and its record.

    Parameters
    ----------
    dealer : Dealer
        Between two hands.
    store : Store
    session_id : int or None
        Its number in the store; None if it is not stored.
    human : int
        The person's seat.

    Attributes
    ----------
    dealer : Dealer
    tally : Tally
        Of every finished hand.
    """

    def __init__(self, dealer: Dealer, store: Store, session_id: int | None, human: Seat) -> None:
        self.dealer = dealer
        self.tally = Tally()
        self._store = store
        self._repairs = store.file.repairs
        self._session_id = session_id
        self._human = human
        self._started = datetime.fromtimestamp(0)
        self._hand_id: int | None = None
        self._actions = 0
        self._remembered = 0
        self._notices: list[str] = []
        self._failure = ""
        self._fullness = ""

    @classmethod
    def begin(cls, config: GameConfig, store: Store, started: datetime, human: Seat) -> "RecordedDealer":
        """Open a new session, stored if it can be."""
        dealer = Dealer(config, make_agents(config))
        table = cls(dealer, store, None, human)
        table._started = started
        table._keep(table._open, is_open=True)
        return table

    @property
    def session_id(self) -> int | None:
        """Its number in the store; None if it is not stored, or not any more."""
        return self._session_id

    @property
    def hand_id(self) -> int | None:
        """Number in the store of the hand on the table; None if it is not stored."""
        return self._hand_id if self._session_id is not None else None

    def _open(self) -> None:
        self._session_id = self._store.add_session(self._started, self.dealer.config, self.dealer.state)

    @property
    def why_not_stored(self) -> str:
        """One sentence from when storing has failed on, or while only a part is stored; otherwise ""."""
        return self._failure or self._fullness

    # On the lane

    def deal(self) -> Step:
        """Deal the next hand."""
        state = self.dealer.state
        self._hand_id, self._actions = None, 0
        self._keep(lambda: self._begin_hand(state))
        self.dealer.start_hand()
        return self._step(0)

    def act(self, action: Action, seen: int) -> Step:
        """Take the person's action.

        Parameters
        ----------
        action : Action
        seen : int
            How many events of the hand are known already.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it; nothing has changed then.
        """
        self.dealer.apply(action)
        self._record(action, None)
        return self._step(seen)

    def think(self, seen: int) -> Step:
        """Let the bot whose turn it is act; one that fails does the least a player can do."""
        dealer, seat = self.dealer, self.dealer.to_act
        assert seat is not None
        try:
            decision = dealer.decide()
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
            self._notices.append(f"{dealer.config.seats[seat].name} could not decide and {done}.")
            self._record(passive, None)
        else:
            self._record(decision.action, decision.trace)
        return self._step(seen)

    def _step(self, seen: int) -> Step:
        from engine.game.history import observation_at

        full = self.dealer.observe(self._human)
        moments = tuple(observation_at(full, count) for count in range(seen + 1, len(full.events) + 1))
        is_over = not self.dealer.is_hand_running
        if is_over:
            self.record_end(full)
        return self._told(moments, is_over=is_over)

    def _told(self, moments: tuple[Observation, ...], *, is_over: bool) -> Step:
        notices, self._notices = tuple(self._notices), []
        return Step(moments, self.dealer.to_act, is_over, notices)

    # Between jobs

    def top_up(self, chips: Chips) -> tuple[str, ...]:
        """Buy chips for the person; gives sentences about storing, if any.

        Raises
        ------
        DealerError
            If that is not allowed now.
        """
        self.dealer.top_up(self._human, chips)
        state = self.dealer.state
        self._keep(lambda: self._save_state(state))
        notices, self._notices = tuple(self._notices), []
        return notices

    def finish(self, result: SessionResult) -> tuple[str, ...]:
        """Store the session's result; gives sentences about storing, if any."""
        self._keep(lambda: self._finish(result))
        notices, self._notices = tuple(self._notices), []
        return notices

    # The record

    def _begin_hand(self, state: DealerState) -> None:
        assert self._session_id is not None
        self._hand_id = self._store.begin_hand(self._session_id, state.hands_dealt + 1, state)

    def _record(self, action: Action, trace: Trace | None) -> None:
        position, hand_id = self._actions, self._hand_id
        self._actions += 1
        if hand_id is not None:
            packed = pack_traces((trace,)) if trace is not None and not self._has_no_room() else None
            self._keep(lambda: self._store.add_action(hand_id, position, action, packed))

    def record_end(self, final: Observation) -> None:
        """Store that the hand has ended and how the session stands after it."""
        self.tally.add(final)
        dealer = self.dealer
        state, hole_cards = dealer.state, {seat: dealer.private_event(seat).hole_cards for seat in dealer.dealt_in}
        traces = None if self._has_no_room() else pack_traces(dealer.open_traces())
        hand_id = self._hand_id
        if hand_id is None:
            self._keep(lambda: self._save_state(state))
        else:
            self._keep(lambda: self._store.finish_hand(hand_id, final, state, hole_cards, traces))
        if final.hand_number - self._remembered >= KEPT_EVERY:
            self._keep(self._save_memories)

    def _has_no_room(self) -> bool:
        """Whether traces are not stored, since the user's limit is reached; that is said once."""
        if self._session_id is None:
            return False
        try:
            is_full = self._store.is_full
        except StoreError:  # the next write tells
            return False
        if is_full and not self._fullness:
            self._fullness = _full_sentence(self._store)
            self._notices.append(self._fullness)
        elif not is_full:
            self._fullness = ""
        return is_full

    def _save_memories(self) -> None:
        assert self._session_id is not None
        memories: dict[bytes, int] = {}
        of_seats = {}
        for seat, agent in self.dealer.agents.items():
            if isinstance(agent, Remembers):
                of_seats[seat] = memories.setdefault(agent.memory(), len(memories))
        tally = self.tally
        memory = _TableMemory(tuple(memories), of_seats, tally.statistics.by_seat(), tuple(tally.human_net))
        self._remembered = tally.last_hand
        self._store.save_memory(self._session_id, _TABLE, self._remembered, pack(memory))

    def save_reader_memory(self, name: str, hand: int, memory: bytes) -> None:
        """Store what a reader of the person's has learned up to a hand; may be called from any lane."""
        session_id = self._session_id
        if session_id is not None:
            try:
                self._store.save_memory(session_id, _reader_part(name), hand, memory)
            except StoreError as error:  # the next action that cannot be stored tells
                _log.warning("A reader's memory is not stored: %s", error)

    def past_hands(self) -> Iterator[Observation]:
        """Give the person's observation at the end of every stored hand of the session; from any lane.

        Raises
        ------
        StoreError
            If they cannot be read.
        """
        for hand in self._store.hands(self._session_id) if self._session_id is not None else ():
            if (final := _final(hand)) is not None:
                yield final

    def _save_state(self, state: DealerState) -> None:
        assert self._session_id is not None
        self._store.save_state(self._session_id, state)

    def _finish(self, result: SessionResult) -> None:
        assert self._session_id is not None
        self._store.finish_session(self._session_id, result)

    def _keep(self, write: Callable[[], None], *, is_open: bool = False) -> None:
        """Store something; when that fails once, say so and play on without storing."""
        if self._session_id is None and not is_open:
            return
        try:
            try:
                write()
            except StoreError:
                if self._store.file.repairs == self._repairs or not self._store.file.is_kept:
                    raise
                # What was saved of a damaged file is without this session: it is stored anew from the next hand on.
                self._hand_id = None
                self._open()
        except StoreError as error:
            self._session_id = None
            self._failure = f"{error} Play goes on, but is not stored any more."
            self._notices.append(self._failure)
        if self._store.file.repairs != self._repairs:
            self._repairs = self._store.file.repairs
            self._notices.append(self._store.file.notice)

    # Coming back

    @classmethod
    def restore(cls, stored: StoredSession, store: Store, human: Seat, reader: str) -> Iterator["str | Restored"]:
        """Go on with a stored session: its agents recall what they knew, and learn the few hands since.

        Parameters
        ----------
        stored : StoredSession
        store : Store
        human : int
        reader : str
            Name of the person's reader.

        Yields
        ------
        str or Restored
            What it is doing, in words; at last the session.

        Raises
        ------
        StoreError
            If its hands cannot be read.
        StoredDataError
            If one that is needed is damaged.
        """
        config, state = store.config(stored.session_id), decode(stored.state, DealerState)
        found = store.memory(stored.session_id, _TABLE)
        agents, tally = _recalled(config, found)
        table = cls(Dealer.restore(config, state, agents), store, stored.session_id, human)
        table._started, table.tally, table._remembered = stored.started, tally, tally.last_hand
        memory = store.memory(stored.session_id, _reader_part(reader))
        known = memory[0] if memory is not None else 0
        before_last = max(state.hands_dealt - 1, 0)  # the last one is on the table, unless another one runs
        hands = store.hands(stored.session_id, min(tally.last_hand, known, before_last))
        traces = table._traces_of(hands[-1]) if hands else ()
        past: list[Observation] = []
        for index, hand in enumerate(hands):
            yield f"Remembering hand {index + 1} of {len(hands)}"
            if not hand.is_finished:
                table.dealer = _replay(hand, config, agents, traces)
            elif (final := _final(hand)) is None:
                table._notices.append(f"Hand {hand.number} is damaged and left out.")
            else:
                if hand.number > tally.last_hand:
                    tally.add(final)
                    _learn_again(hand, final, config, agents)
                if hand.number > known or hand is hands[-1]:
                    past.append(final)
        if tally.last_hand - table._remembered >= KEPT_EVERY:
            table._keep(table._save_memories)
        yield table._restored(hands, past, traces, memory)

    def _traces_of(self, hand: StoredHand) -> tuple[Trace, ...]:
        try:
            return self._store.traces(hand.hand_id)
        except StoreError as error:
            self._notices.append(str(error))
            return ()

    def _restored(
        self,
        hands: Sequence[StoredHand],
        past: Sequence[Observation],
        traces: tuple[Trace, ...],
        memory: tuple[int, bytes] | None,
    ) -> Restored:
        from engine.game.history import observation_at

        last = hands[-1] if hands else None
        if last is None or (last.is_finished and (not past or past[-1].hand_number != last.number)):
            return Restored(self, self.tally.copy(), tuple(past), memory, self._told((), is_over=True), (), ())
        self._hand_id, self._actions = last.hand_id, len(last.taken)
        full = past[-1] if last.is_finished else self.dealer.observe(self._human)
        is_over = not self.dealer.is_hand_running
        if is_over and not last.is_finished:  # killed between the last action and the hand's end
            self.record_end(full)
        moments = tuple(observation_at(full, count) for count in range(1, len(full.events) + 1))
        return Restored(
            table=self,
            tally=self.tally.copy(),
            past=tuple(past[:-1] if last.is_finished else past),
            reader_memory=memory,
            step=self._told(moments, is_over=is_over),
            points=tuple(points_of(full)),
            traces=traces,
        )


def _full_sentence(store: Store) -> str:
    assert store.limit is not None
    return (
        f"The stored hands take the {store.limit / MEGABYTE:,.0f} MB that they may (Game > Stored hands), "
        "so why the bots act is not stored any more; the hands are."
    )


class _CarefulAgent:
    """An agent whose failure to learn from a hand costs nothing but that lesson."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.style = agent.style

    def memory(self) -> bytes:
        return self._agent.memory() if isinstance(self._agent, Remembers) else b""

    def recall(self, memory: bytes) -> None:
        if isinstance(self._agent, Remembers):
            self._agent.recall(memory)

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        return self._agent.decide(observation, seed, deadline=deadline, deals=deals)

    def hand_finished(self, observation: Observation) -> None:
        try:
            self._agent.hand_finished(observation)
        except Exception:  # whatever a style may raise, the session goes on
            _log.exception("An agent of style %s could not learn from a hand", self.style)


def make_agents(config: GameConfig) -> dict[Seat, Agent]:
    """Make the agents of all seats but the person's, with empty memories."""
    from engine.agents.styles import make_agent

    return {
        seat: _CarefulAgent(make_agent(player.style))
        for seat, player in enumerate(config.seats)
        if player.style != HUMAN
    }


def _recalled(config: GameConfig, found: tuple[int, bytes] | None) -> tuple[dict[Seat, Agent], Tally]:
    """Make agents and tally as they were; where what is stored of them is damaged, they know nothing."""
    agents = make_agents(config)
    if found is None:
        return agents, Tally()
    try:
        memory = unpack(found[1], _TableMemory)
        for seat, agent in agents.items():
            if seat in memory.of_seats and isinstance(agent, Remembers):
                agent.recall(memory.memories[memory.of_seats[seat]])
    except (StoredDataError, IndexError) as error:
        _log.warning("The memories of a session are left out: %s", error)
        return make_agents(config), Tally()
    return agents, Tally(memory.statistics, memory.human_net, found[0])


def _final(hand: StoredHand) -> Observation | None:
    """Give the person's observation at a hand's end, None if it has not ended or is damaged."""
    try:
        return hand.final_observation() if hand.is_finished else None
    except StoredDataError as error:
        _log.warning("Hand %s cannot be read: %s", hand.number, error)
        return None


def _learn_again(hand: StoredHand, final: Observation, config: GameConfig, agents: Mapping[Seat, Agent]) -> None:
    """Let the agents learn a finished hand, each with the cards it held."""
    if not hand.hole_cards:
        if not hand.state:  # they are damaged: this lesson is missed
            return
        # Of an earlier version: they follow from the deck.
        taken = tuple(event.action for event in final.events if isinstance(event, ActionTaken))
        _replay(structs.replace(hand, taken=taken), config, agents, ())
        return
    for seat, hole_cards in hand.hole_cards.items():
        if seat in agents:
            agents[seat].hand_finished(_seen_by(seat, hole_cards, final))


def _seen_by(seat: Seat, hole_cards: HoleCards, final: Observation) -> Observation:
    """Give another seat's observation at the end of a hand: all else is public by then."""
    return structs.replace(final, seat=seat, hole_cards=hole_cards)


def _replay(hand: StoredHand, config: GameConfig, agents: Mapping[Seat, Agent], traces: Sequence[Trace]) -> Dealer:
    """Play a stored hand again; the traces of an unfinished one go back to where they are sealed."""
    dealer = Dealer.restore(config, decode(hand.state, DealerState), agents)
    dealer.start_hand()
    by_moment = {len(trace.observation.events): trace for trace in traces}
    for action in hand.taken:
        trace = by_moment.get(len(dealer.events))
        dealer.apply(action, Decision(action, trace) if trace is not None else None)
    return dealer
