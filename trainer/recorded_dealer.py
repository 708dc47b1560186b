"""A dealer whose every action is in the store before anybody learns of it.

Everything here that moves the game runs on the lane `bot`, one job at a time, and comes back as a `Step` of plain
values, so the window's thread waits neither for an agent nor for the disk. Between jobs, and only then, that thread
asks the dealer or buys chips.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.agents.agent import Agent, Decision, Trace
from engine.codec import decode
from engine.game.events import CHECK, FOLD, Action, Chips, Seat
from engine.game.formats import HUMAN, GameConfig
from engine.game.observation import Observation
from engine.play import Dealer, DealerState
from trainer.readings import points_of
from trainer.session_types import SessionResult
from trainer.store import Store, StoredHand, StoredSession, StoreError, pack_trace

_log = logging.getLogger(__name__)


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
    """A stored session, played again up to its last action.

    Attributes
    ----------
    table : RecordedDealer
    past : tuple of Observation
        The person's at the end of every hand before the one on the table.
    step : Step
        The hand on the table, all of it; no moments before the first hand.
    points : tuple of Observation
        Its points that can be read.
    traces : tuple of Trace
        Of its decisions.
    """

    table: "RecordedDealer"
    past: tuple[Observation, ...]
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
    why_not_stored : str
        One sentence from when storing has failed on, otherwise "".
    """

    def __init__(self, dealer: Dealer, store: Store, session_id: int | None, human: Seat) -> None:
        self.dealer = dealer
        self._store = store
        self._session_id = session_id
        self._human = human
        self._hand_id: int | None = None
        self._actions = 0
        self._notices: list[str] = []
        self.why_not_stored = ""

    @classmethod
    def begin(cls, config: GameConfig, store: Store, started: datetime, human: Seat) -> "RecordedDealer":
        """Open a new session, stored if it can be."""
        dealer = Dealer(config, make_agents(config))
        table = cls(dealer, store, None, human)
        table._keep(lambda: table._open(started), is_open=True)
        return table

    @property
    def session_id(self) -> int | None:
        """Its number in the store; None if it is not stored, or not any more."""
        return self._session_id

    @property
    def hand_id(self) -> int | None:
        """Number in the store of the hand on the table; None if it is not stored."""
        return self._hand_id if self._session_id is not None else None

    def _open(self, started: datetime) -> None:
        self._session_id = self._store.add_session(started, self.dealer.config, self.dealer.state)

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
            _log.exception("The agent at seat %s failed", seat)
            legal = dealer.legal_actions()
            assert legal is not None
            passive = CHECK if legal.can_check else FOLD
            dealer.apply(passive)
            done = "checked" if passive is CHECK else "folded"
            self._notices.append(f"{dealer.config.seats[seat].name} could not decide and {done}: {error}")
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
        position = self._actions
        self._actions += 1
        packed = pack_trace(trace) if trace is not None else None
        self._keep(lambda: self._add_action(position, action, packed))

    def _add_action(self, position: int, action: Action, packed: bytes | None) -> None:
        assert self._hand_id is not None
        self._store.add_action(self._hand_id, position, action, packed)

    def record_end(self, final: Observation) -> None:
        """Store that the hand has ended and how the session stands after it."""
        state = self.dealer.state
        self._keep(lambda: self._finish_hand(final, state))

    def _finish_hand(self, final: Observation, state: DealerState) -> None:
        assert self._hand_id is not None
        self._store.finish_hand(self._hand_id, final, state)

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
            write()
        except StoreError as error:
            self._session_id = None
            self.why_not_stored = f"{error} Play goes on, but is not stored any more."
            self._notices.append(self.why_not_stored)

    # Coming back

    @classmethod
    def restore(cls, stored: StoredSession, store: Store, human: Seat) -> Iterator["str | Restored"]:
        """Play a stored session again, so that its agents remember what they saw.

        Parameters
        ----------
        stored : StoredSession
        store : Store
        human : int

        Yields
        ------
        str or Restored
            What it is doing, in words; at last the session.

        Raises
        ------
        StoreError
            If its hands cannot be read.
        StoredDataError
            If one of them is damaged.
        """
        config, state = decode(stored.config, GameConfig), decode(stored.state, DealerState)
        agents = make_agents(config)
        table = cls(Dealer.restore(config, state, agents), store, stored.session_id, human)
        hands = store.hands(stored.session_id)
        traces = table._traces_of(hands[-1]) if hands else ()
        past: list[Observation] = []
        for index, hand in enumerate(hands):
            yield f"Remembering hand {index + 1} of {len(hands)}"
            replayed = _replay(hand, config, agents, traces)
            if hand.is_finished:
                past.append(hand.final_observation())
                if replayed.is_hand_running or replayed.observe(human) != past[-1]:
                    _log.warning("Hand %s does not replay as it was played", hand.number)
            else:
                table.dealer = replayed
        yield table._restored(hands, past, traces)

    def _traces_of(self, hand: StoredHand) -> tuple[Trace, ...]:
        try:
            return self._store.traces(hand.hand_id)
        except StoreError as error:
            self._notices.append(str(error))
            return ()

    def _restored(
        self, hands: Sequence[StoredHand], past: Sequence[Observation], traces: tuple[Trace, ...]
    ) -> Restored:
        from engine.game.history import observation_at

        if not hands:
            return Restored(self, (), Step((), None, True), (), ())
        last = hands[-1]
        self._hand_id, self._actions = last.hand_id, len(last.actions)
        full = past[-1] if last.is_finished else self.dealer.observe(self._human)
        is_over = not self.dealer.is_hand_running
        if is_over and not last.is_finished:  # killed between the last action and the hand's end
            self.record_end(full)
        moments = tuple(observation_at(full, count) for count in range(1, len(full.events) + 1))
        return Restored(
            table=self,
            past=tuple(past[:-1] if last.is_finished else past),
            step=Step(moments, self.dealer.to_act, is_over, tuple(self._notices)),
            points=tuple(points_of(full)),
            traces=traces,
        )


class _CarefulAgent:
    """An agent whose failure to learn from a hand costs nothing but that lesson."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.style = agent.style

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


def _replay(hand: StoredHand, config: GameConfig, agents: Mapping[Seat, Agent], traces: Sequence[Trace]) -> Dealer:
    """Play a stored hand again; the traces of an unfinished one go back to where they are sealed."""
    dealer = Dealer.restore(config, decode(hand.state, DealerState), agents)
    dealer.start_hand()
    by_moment = {} if hand.is_finished else {len(trace.observation.events): trace for trace in traces}
    for action in hand.actions:
        trace = by_moment.get(len(dealer.events))
        dealer.apply(action, Decision(action, trace) if trace is not None else None)
    return dealer
