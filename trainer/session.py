"""One running table: the person's seat, the bots through a worker, each event stored before it is shown, at a pace.

The dealer belongs to the lane `bot`: whatever moves the game runs there as one job at a time and comes back as a
`_Step` of plain values. Between jobs, and only then, the window's thread asks or changes the dealer itself. What is
shown is one observation of the person's seat per public event, so a run-out is seen card by card.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.agents.agent import Agent, Decision, Trace
from engine.cards import HoleCards
from engine.codec import decode
from engine.game.events import (
    CHECK,
    FOLD,
    Action,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    PotAwarded,
    PublicEvent,
    Seat,
)
from engine.game.formats import HUMAN, GameConfig, GameConfigError
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics, Statistics
from engine.play import Dealer, DealerError, DealerState
from trainer.jobs import Job, Jobs
from trainer.readings import Readings, points_of
from trainer.session_types import FinishedHand, SessionResult, Stage, TableView
from trainer.store import Store, StoredHand, StoredSession, StoreError, pack_trace

_log = logging.getLogger(__name__)

LANE = "bot"

# For how much of the pace an event stays the newest one; the others are shown together with the next.
_SHARE_OF_PACE: dict[type, float] = {
    ActionTaken: 1.0,
    BoardDealt: 1.0,
    HoleCardsShown: 1.0,
    HoleCardsMucked: 0.5,
    PotAwarded: 1.0,
}
_LONGEST_TURN_SECONDS = 0.005  # of showing events without letting the window paint
_PAUSE_BEFORE_DEAL = 2.0  # in paces, with automatic dealing


@dataclass(frozen=True, slots=True)
class _Step:
    """What a job at the table brought.

    Attributes
    ----------
    moments : tuple of Observation
        The person's, one per new event.
    to_act : int or None
    is_over : bool
        Whether the hand has ended.
    action : Action or None
        The action taken, None for a deal.
    packed_trace : bytes or None
    problem : str
        One sentence if an agent failed.
    """

    moments: tuple[Observation, ...]
    to_act: Seat | None
    is_over: bool
    action: Action | None = None
    packed_trace: bytes | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Restored:
    """A stored session, played again up to its last action."""

    dealer: Dealer
    past: tuple[Observation, ...]
    hand_id: int | None
    is_hand_stored: bool
    actions: int
    step: _Step
    points: tuple[Observation, ...]


class Session(QObject):
    """A session of hands at one table, with one person at it.

    Parameters
    ----------
    jobs : Jobs
    store : Store
        Receives every action before it is shown.

    Signals
    -------
    view_changed : TableView
        After every event shown, and whenever the stage changes.
    event_shown : PublicEvent
    reading_changed : PointReading
    hand_finished : FinishedHand
    session_finished : SessionResult
    statistics_changed : dict of int to PlayerStatistics
    notice : str
        One sentence for the person.
    progressed : str
        What takes a moment just now; "" when it is done.
    """

    view_changed = Signal(object)
    event_shown = Signal(object)
    reading_changed = Signal(object)
    hand_finished = Signal(object)
    session_finished = Signal(object)
    statistics_changed = Signal(object)
    notice = Signal(str)
    progressed = Signal(str)

    def __init__(self, jobs: Jobs, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._readings: Readings | None = None
        self._dealer: Dealer | None = None
        self._job: Job | None = None
        self._session_id = 0
        self._human = 0
        self._styles: dict[Seat, str] = {}
        self._hand_id: int | None = None
        self._actions = 0
        self._moments: list[Observation] = []
        self._queue: deque[Observation] = deque()
        self._to_act: Seat | None = None
        self._is_over = False
        self._is_settled = False
        self._is_ended = False
        self._stored_traces: tuple[Trace, ...] = ()
        self._statistics = Statistics()
        self._human_net: list[int] = []
        self._is_skipping = False
        self._is_study = False
        self._is_automatic = False
        self._is_finishing = False
        self._is_stored = True
        self._pace_seconds = 0.0
        self._shown_at = 0.0
        self._show_timer = QTimer(self)
        self._show_timer.setSingleShot(True)
        self._show_timer.timeout.connect(self._show_due)
        self._deal_timer = QTimer(self)
        self._deal_timer.setSingleShot(True)
        self._deal_timer.timeout.connect(self.deal)

    # Beginning

    def begin(self, config: GameConfig, started: datetime) -> None:
        """Open a new session and deal its first hand.

        Raises
        ------
        GameConfigError
            If it cannot be played, or not exactly one seat is a person's.
        """
        self._take_config(config)
        self._submit(lambda: Dealer(config, _make_agents(config)), lambda dealer: self._on_begun(dealer, started))

    def resume(self, stored: StoredSession) -> None:
        """Go on with a stored session at its last completed action.

        Raises
        ------
        StoreError
            If it cannot be read.
        StoredDataError
            If its game cannot be read.
        GameConfigError
            If its game cannot be played any more.
        """
        self._take_config(decode(stored.config, GameConfig))
        hands = self._store.hands(stored.session_id)
        if hands:
            try:
                self._stored_traces = self._store.traces(hands[-1].hand_id)
            except StoreError as error:
                self.notice.emit(str(error))
        self._session_id = stored.session_id
        human, state, traces = self._human, stored.state, self._stored_traces
        self._submit(lambda: _restore(state, hands, traces, human), self._on_restoring)

    def _take_config(self, config: GameConfig) -> None:
        config.verify()
        people = [seat for seat, player in enumerate(config.seats) if player.style == HUMAN]
        if len(people) != 1:
            raise GameConfigError(f"Exactly one seat must be yours, not {len(people)}.")
        self._human = people[0]
        self._styles = {seat: player.style for seat, player in enumerate(config.seats)}
        self._readings = Readings(self._jobs, config.seed, self)
        self._readings.reading_changed.connect(self.reading_changed)
        self._readings.failed.connect(self.notice)

    def _on_begun(self, dealer: Dealer, started: datetime) -> None:
        self._job = None
        self._dealer = dealer
        self._keep(lambda: self._open_in_store(started))
        self.deal()

    def _open_in_store(self, started: datetime) -> None:
        dealer = self._table()
        self._session_id = self._store.add_session(started, dealer.config, dealer.state)

    def _on_restoring(self, news: "str | _Restored") -> None:
        if isinstance(news, str):
            self.progressed.emit(news)
            return
        self.progressed.emit("")
        self._job = None
        self._dealer = news.dealer
        self._hand_id, self._actions = news.hand_id, news.actions
        for observation in news.past:
            self._count(observation)
        self._readings_of_hand().remember(news.past)
        self._moments = list(news.step.moments)
        self._to_act, self._is_over = news.step.to_act, news.step.is_over
        if not self._moments:
            self.deal()
            return
        if self._is_over and not news.is_hand_stored:
            self._record_end()
        self.statistics_changed.emit(self._statistics_by_seat())
        self._emit_view()
        self._readings_of_hand().skip_to(news.points)
        self._all_shown()

    # What the person wants

    @Slot(object)
    def act(self, action: Action) -> None:
        """Take the person's action; one that is not legal is refused in a sentence."""
        if self.stage != Stage.YOUR_TURN or self._job is not None:
            return
        dealer, human, seen = self._table(), self._human, len(self._moments)
        self._submit(lambda: _act(dealer, human, seen, action), self._on_step)

    @Slot()
    def deal(self) -> None:
        """Deal the next hand, if one can be dealt now."""
        self._deal_timer.stop()
        if self._dealer is None or self._job is not None or self._is_ended or not self._may_deal():
            return
        dealer, human = self._dealer, self._human
        readings = self._readings_of_hand()
        if self._moments:
            readings.remember([self._moments[-1]])
        readings.begin_hand()
        self._moments, self._actions, self._is_over, self._is_settled = [], 0, False, False
        self._stored_traces = ()
        self._keep(self._begin_in_store)
        self._submit(lambda: _deal(dealer, human), self._on_step)

    def _begin_in_store(self) -> None:
        state = self._table().state
        self._hand_id = self._store.begin_hand(self._session_id, state.hands_dealt + 1, state)

    def _may_deal(self) -> bool:
        dealer = self._table()
        if dealer.is_hand_running or self._queue or not (self._is_settled or not self._moments):
            return False
        if self._is_broke() and dealer.config.kind == GameKind.CASH:
            self.notice.emit("You are out of chips: buy in again to go on, or finish the session.")
            return False
        return dealer.end_reason is None

    @Slot()
    def skip(self) -> None:
        """Show everything at once until it is the person's turn or the hand is over."""
        if self.stage in (Stage.SHOWING, Stage.THINKING):
            self._is_skipping = True
            self._show_due()

    @Slot(object)
    def top_up(self, chips: int) -> None:
        """Buy chips between two hands of a cash game."""
        if self._dealer is None or self._job is not None or self._queue or self._is_ended:
            self.notice.emit("Chips can be bought between hands only.")
            return
        dealer = self._dealer
        try:
            dealer.top_up(self._human, chips)
        except DealerError as error:
            self.notice.emit(str(error))
            return
        self._keep(lambda: self._store.save_state(self._session_id, dealer.state))
        stack = dealer.stacks[self._human]
        self.notice.emit(f"You bought {chips:,} chips and begin the next hand with {stack:,}.")

    @Slot()
    def rebuy(self) -> None:
        """Buy in again, up to the starting stack."""
        if self._dealer is not None:
            config = self._dealer.config
            self.top_up(config.starting_stack - self._dealer.stacks[self._human])

    @Slot(object)
    def set_pace(self, seconds: float) -> None:
        """Show each event for so long, 0 (at once) to 4 seconds."""
        self._pace_seconds = min(max(float(seconds), 0.0), 4.0)
        if self._queue:
            self._show_due()

    @Slot(bool)
    def set_automatic_deal(self, is_automatic: bool) -> None:
        """Deal the next hand without being asked."""
        self._is_automatic = is_automatic
        if is_automatic and self.stage == Stage.HAND_OVER:
            self._deal_automatically()
        elif not is_automatic:
            self._deal_timer.stop()

    @Slot(bool)
    def set_study(self, is_study: bool) -> None:
        """Open the running hand's traces and hole cards, or seal them again."""
        self._is_study = is_study
        if self._moments:
            self._emit_view()

    @Slot(object)
    def request_reading(self, event_count: int) -> None:
        """Answer with `reading_changed` for an earlier point of the hand on the table."""
        if self._readings is not None and 1 <= event_count <= len(self._moments):
            self._readings.request(self._moments[event_count - 1])

    @Slot()
    def finish(self) -> None:
        """End the session: now between hands, otherwise after the running hand."""
        if self._dealer is None or self._is_ended:
            return
        if self._dealer.is_hand_running or self._queue or self._job is not None:
            self._is_finishing = True
            self.notice.emit("The session ends after this hand.")
        else:
            self._end("You finished the session.")

    def close(self) -> None:
        """Stop all work without ending the session, which can be resumed later."""
        self._show_timer.stop()
        self._deal_timer.stop()
        if self._job is not None:
            self._job.cancel()
        if self._readings is not None:
            self._readings.stop()

    # What the window may ask

    @property
    def stage(self) -> Stage:
        """What the table is waiting for."""
        if self._is_ended:
            return Stage.SESSION_OVER
        if not self._moments:
            return Stage.WARMING_UP
        if self._queue:
            return Stage.SHOWING
        if self._is_over:
            return Stage.HAND_OVER
        return Stage.YOUR_TURN if self._to_act == self._human else Stage.THINKING

    @property
    def progress(self) -> tuple[int, int]:
        """Number of the hand on the table and how many of its events were shown."""
        return (self._moments[-1].hand_number, len(self._moments)) if self._moments else (0, 0)

    @property
    def human(self) -> Seat:
        """The person's seat."""
        return self._human

    @property
    def config(self) -> GameConfig | None:
        """The game, None before the first hand."""
        return self._dealer.config if self._dealer is not None else None

    @property
    def can_rebuy(self) -> bool:
        """Whether the person is out of chips and may buy in again to go on."""
        is_cash = self._dealer is not None and self._dealer.config.kind == GameKind.CASH
        return is_cash and self.stage == Stage.HAND_OVER and self._is_broke()

    @property
    def is_reading(self) -> bool:
        """Whether points of the hand are still being read."""
        return self._readings is not None and not self._readings.is_idle

    def open_traces(self) -> tuple[Trace, ...]:
        """Give the traces of the hand that has ended, or in study mode of what was shown of the running one."""
        if self._dealer is None or not self._may_look():
            return ()
        shown = len(self._moments)
        traces = self._dealer.open_traces(study=True) or self._stored_traces
        return tuple(trace for trace in traces if len(trace.observation.events) < shown)

    def revealed(self) -> dict[Seat, HoleCards]:
        """Give every seat's hole cards in study mode, otherwise none."""
        if self._dealer is None or not self._is_study or not self._moments:
            return {}
        if not self._dealer.events:  # the last hand of a resumed session: only its decisions are known
            return {trace.observation.seat: trace.observation.hole_cards for trace in self._stored_traces}
        return {view.seat: self._dealer.private_event(view.seat).hole_cards for view in self._moments[-1].seats}

    def _may_look(self) -> bool:
        return self._is_study or (self._is_over and not self._queue)

    def results(self) -> SessionResult | None:
        """Give the figures of the session so far, None before it has begun."""
        return self._result("The session is still running.") if self._dealer is not None else None

    # What comes back from the lane

    def _submit(self, work: Callable[[], object], on_result: Callable[..., None]) -> None:
        self._job = self._jobs.submit(LANE, work, on_result, on_error=self._on_error)

    def _on_error(self, error: Exception) -> None:
        """Say what went wrong; a refused action leaves the turn with the person."""
        self._job = None
        self.progressed.emit("")
        self.notice.emit(str(error))
        if self._moments:
            self._emit_view()

    def _on_step(self, step: _Step) -> None:
        self._job = None
        if step.problem:
            self.notice.emit(step.problem)
        self._to_act, self._is_over = step.to_act, step.is_over
        if (action := step.action) is not None:
            position = self._actions
            self._actions += 1
            self._keep(lambda: self._add_to_store(position, action, step.packed_trace))
        self._queue.extend(step.moments)
        if self._is_over:
            self._record_end()
        self._show_due()

    def _add_to_store(self, position: int, action: Action, packed_trace: bytes | None) -> None:
        if self._hand_id is not None:
            self._store.add_action(self._hand_id, position, action, packed_trace)

    def _record_end(self) -> None:
        final = self._queue[-1] if self._queue else self._moments[-1]
        state = self._table().state
        if (hand_id := self._hand_id) is not None:
            self._keep(lambda: self._store.finish_hand(hand_id, final, state))

    def _keep(self, write: Callable[[], None]) -> None:
        """Store something; when that fails once, say so and play on without storing."""
        if not self._is_stored:
            return
        try:
            write()
        except StoreError as error:
            self._is_stored = False
            self.notice.emit(f"{error} Play goes on, but is not stored any more.")

    # Showing

    def _show_due(self) -> None:
        """Show every event whose time has come, and set the timer for the next.

        Events that come all at once yield to the event loop now and then, so that the window never stutters.
        """
        self._show_timer.stop()
        begun = time.monotonic()
        while self._queue:
            wait = self._wait_seconds()
            if wait > 0 or time.monotonic() - begun > _LONGEST_TURN_SECONDS:
                self._show_timer.start(max(round(1000 * wait), 0))
                return
            self._show(self._queue.popleft())
        if self._moments and self._job is None and not self._is_ended:
            self._all_shown()

    def _wait_seconds(self) -> float:
        if not self._moments or self._is_skipping:
            return 0.0
        hold = self._pace_seconds * _SHARE_OF_PACE.get(type(self._moments[-1].events[-1]), 0.0)
        return self._shown_at + hold - time.monotonic()

    def _show(self, moment: Observation) -> None:
        self._moments.append(moment)
        self._shown_at = time.monotonic()
        event: PublicEvent = moment.events[-1]
        self.event_shown.emit(event)
        self._emit_view()
        self._readings_of_hand().add(moment)

    def _emit_view(self) -> None:
        moment = self._moments[-1]
        dealt = {view.seat for view in moment.seats}
        self.view_changed.emit(
            TableView(
                stage=self.stage,
                observation=moment,
                to_act=None if self._queue or self._is_ended else self._to_act,
                styles=self._styles,
                is_out=tuple(seat for seat in self._styles if seat not in dealt),
                event_count=len(moment.events),
            )
        )

    def _all_shown(self) -> None:
        if self._is_over:
            self._is_skipping = False
            self._after_hand()
        elif self._to_act == self._human:
            self._is_skipping = False
        else:
            dealer, human, seen = self._table(), self._human, len(self._moments)
            self._submit(lambda: _think(dealer, human, seen), self._on_step)

    # The end of a hand and of the session

    def _after_hand(self) -> None:
        self._is_settled = True
        final = self._moments[-1]
        self._count(final)
        self.statistics_changed.emit(self._statistics_by_seat())
        self.hand_finished.emit(FinishedHand(final, self.open_traces(), _net(final)))
        reason = self._table().end_reason
        if self._is_finishing:
            self._end("You finished the session.")
        elif self._is_broke() and self._table().config.kind == GameKind.CASH:
            self.notice.emit("You are out of chips: buy in again to go on, or finish the session.")
        elif self._is_broke() and self._is_out_for_good():
            self._end(f"You lost your last chips in hand {final.hand_number}.")
        elif reason is not None:
            self._end(reason)
        elif self._is_automatic:
            self._deal_automatically()

    def _count(self, final: Observation) -> None:
        self._statistics.add(final.events)
        self._human_net.append((self._human_net[-1] if self._human_net else 0) + _net(final)[self._human])

    def _deal_automatically(self) -> None:
        self._deal_timer.start(round(1000 * _PAUSE_BEFORE_DEAL * self._pace_seconds))

    def _is_broke(self) -> bool:
        return self._table().stacks[self._human] == 0

    def _is_out_for_good(self) -> bool:
        dealer = self._table()
        return dealer.state.seats[self._human].rebuys >= dealer.config.rebuys

    def _end(self, reason: str) -> None:
        self._is_ended = True
        self._deal_timer.stop()
        result = self._result(reason)
        self._keep(lambda: self._store.finish_session(self._session_id, result))
        if self._moments:
            self._emit_view()
        self.session_finished.emit(result)

    def _result(self, reason: str) -> SessionResult:
        dealer = self._table()
        return SessionResult(
            reason=reason,
            hands=dealer.state.hands_dealt,
            names={seat: player.name for seat, player in enumerate(dealer.config.seats)},
            stacks=dealer.stacks,
            bought_in=dealer.bought_in,
            big_blind=dealer.config.big_blind,
            human_net=tuple(self._human_net),
        )

    def _statistics_by_seat(self) -> dict[Seat, PlayerStatistics]:
        return self._statistics.by_seat()

    def _readings_of_hand(self) -> Readings:
        assert self._readings is not None
        return self._readings

    def _table(self) -> Dealer:
        assert self._dealer is not None
        return self._dealer


class _CarefulAgent:
    """An agent whose failure to learn from a hand costs nothing but that lesson."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.style = agent.style

    def decide(self, observation: Observation, seed: int) -> Decision:
        return self._agent.decide(observation, seed)

    def hand_finished(self, observation: Observation) -> None:
        try:
            self._agent.hand_finished(observation)
        except Exception:  # whatever a style may raise, the session goes on
            _log.exception("An agent of style %s could not learn from a hand", self.style)


def _make_agents(config: GameConfig) -> dict[Seat, Agent]:
    from engine.agents.styles import make_agent

    return {
        seat: _CarefulAgent(make_agent(player.style))
        for seat, player in enumerate(config.seats)
        if player.style != HUMAN
    }


# In the lane's thread


def _deal(dealer: Dealer, human: Seat) -> _Step:
    dealer.start_hand()
    return _step(dealer, human, 0)


def _act(dealer: Dealer, human: Seat, seen: int, action: Action) -> _Step:
    dealer.apply(action)
    return _step(dealer, human, seen, action)


def _think(dealer: Dealer, human: Seat, seen: int) -> _Step:
    """Let a bot act; one that fails does the least a player can do."""
    seat = dealer.to_act
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
        name = dealer.config.seats[seat].name
        done = "checked" if passive is CHECK else "folded"
        return _step(dealer, human, seen, passive, None, f"{name} could not decide and {done}: {error}")
    return _step(dealer, human, seen, decision.action, pack_trace(decision.trace))


def _step(
    dealer: Dealer,
    human: Seat,
    seen: int,
    action: Action | None = None,
    packed_trace: bytes | None = None,
    problem: str = "",
) -> _Step:
    from engine.game.history import observation_at

    full = dealer.observe(human)
    moments = tuple(observation_at(full, count) for count in range(seen + 1, len(full.events) + 1))
    return _Step(moments, dealer.to_act, not dealer.is_hand_running, action, packed_trace, problem)


def _restore(
    state: bytes, hands: Sequence[StoredHand], traces: Sequence[Trace], human: Seat
) -> Iterator["str | _Restored"]:
    """Play a stored session again: what it needs to be told on the way, then the table as it was."""
    session_state = decode(state, DealerState)
    agents = _make_agents(session_state.config)
    past = []
    dealer = Dealer.restore(session_state, agents)
    for index, hand in enumerate(hands):
        yield f"Remembering hand {index + 1} of {len(hands)}"
        before = Dealer.restore(decode(hand.state, DealerState), agents)
        before.start_hand()
        _replay(before, hand, traces)
        if hand.is_finished:
            final = hand.final_observation()
            past.append(final)
            if before.is_hand_running or before.observe(human) != final:
                _log.warning("Hand %s does not replay as it was played", hand.number)
        else:
            dealer = before
    yield _restored(dealer, hands, tuple(past), human)


def _replay(dealer: Dealer, hand: StoredHand, traces: Sequence[Trace]) -> None:
    """Take the stored actions; the traces of an unfinished hand go back to where they are sealed."""
    by_moment = {} if hand.is_finished else {len(trace.observation.events): trace for trace in traces}
    for action in hand.actions:
        trace = by_moment.get(len(dealer.events))
        dealer.apply(action, Decision(action, trace) if trace is not None else None)


def _restored(dealer: Dealer, hands: Sequence[StoredHand], past: tuple[Observation, ...], human: Seat) -> _Restored:
    from engine.game.history import observation_at

    last = hands[-1] if hands else None
    if last is None:
        return _Restored(dealer, past, None, False, 0, _Step((), None, True), ())
    full = past[-1] if last.is_finished else dealer.observe(human)
    moments = tuple(observation_at(full, count) for count in range(1, len(full.events) + 1))
    step = _Step(moments, dealer.to_act, not dealer.is_hand_running)
    return _Restored(
        dealer=dealer,
        past=past[:-1] if last.is_finished else past,
        hand_id=last.hand_id,
        is_hand_stored=last.is_finished,
        actions=len(last.actions),
        step=step,
        points=tuple(points_of(full)),
    )


def _net(final: Observation) -> dict[Seat, int]:
    """Give what each seat dealt in won or lost in a finished hand."""
    started, ended = final.events[0], final.events[-1]
    assert isinstance(started, HandStarted)
    assert isinstance(ended, HandEnded)
    return {start.seat: stack - start.stack for start, stack in zip(started.seats, ended.stacks, strict=True)}
