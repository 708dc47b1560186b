"""One running table: what the person sees of it and when, and what the person wants of it.

What moves the game is in `trainer.session.recorded_dealer` and runs on the lane `bot`; what the person's reader
makes of it is in `trainer.session.readings`. What is shown is one observation of the person's seat per public
event, so a run-out is seen card by card.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.agents.agent import Trace
from engine.cards import HoleCards
from engine.game.events import (
    Action,
    ActionTaken,
    BoardDealt,
    GameKind,
    HoleCardsMucked,
    HoleCardsShown,
    PotAwarded,
    Seat,
)
from engine.game.formats import HUMAN, GameConfig, GameConfigError
from engine.game.observation import Observation
from engine.play import Dealer, DealerError, Stream, stream_seed
from trainer.jobs import Job, Jobs
from trainer.session.readings import Readings
from trainer.session.recorded_dealer import RecordedDealer, Step
from trainer.session.resuming import Restored, restore
from trainer.session.tally import Tally, net_of
from trainer.session.types import ChipSentence, FinishedHand, SessionResult, Stage, TableView, ordinal
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession

LANE = "bot"

# For how much of the pace an event stays the newest one; the others are shown together with the next.
_SHARE_OF_PACE: dict[type, float] = {
    ActionTaken: 1.0,
    BoardDealt: 1.0,
    HoleCardsShown: 1.0,
    HoleCardsMucked: 0.5,
    PotAwarded: 1.0,
}
_FRAME_MILLISECONDS = 33  # between two views while bots act without pace
_PAUSE_BEFORE_DEAL = 2.0  # in paces, with automatic dealing


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
        After events were shown, once for those that come together, and whenever the stage changes.
    event_shown : PublicEvent
    reading_changed : PointRanges
    looked_up : PointRanges
        Answers `look_up`.
    run_out_changed : RunOutPoint
    hand_finished : FinishedHand
    session_finished : SessionResult
    statistics_changed : dict of int to PlayerStatistics
    notice : str or ChipSentence
        One sentence for the person.
    storing_changed : str
        `why_not_stored`, whenever it changes.
    progressed : str
        What takes a moment just now; "" when it is done.
    """

    view_changed = Signal(object)
    event_shown = Signal(object)
    reading_changed = Signal(object)
    looked_up = Signal(object)
    run_out_changed = Signal(object)
    hand_finished = Signal(object)
    session_finished = Signal(object)
    statistics_changed = Signal(object)
    notice = Signal(object)
    storing_changed = Signal(str)
    progressed = Signal(str)

    def __init__(self, jobs: Jobs, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._store = store
        self._readings: Readings | None = None
        self._table: RecordedDealer | None = None
        self._job: Job | None = None
        self._human = 0
        self._styles: dict[Seat, str] = {}
        self._moments: list[Observation] = []
        self._queue: deque[Observation] = deque()
        self._unseen: list[Observation] = []
        self._to_act: Seat | None = None
        self._is_over = False
        self._is_settled = False
        self._is_ended = False
        self._ending = ""
        self._stored_traces: tuple[Trace, ...] = ()
        self._tally = Tally()
        self._is_skipping = False
        self._is_study = self._was_study = False
        self._places: dict[Seat, int] = {}
        self._is_automatic = False
        self._is_deal_held = False
        self._started: datetime | None = None
        self._is_finishing = False
        self._pace_seconds = 0.0
        self._reader = ""
        self._why_not_stored = store.file.why_not_stored
        self._shown_at = 0.0
        self._show_timer = QTimer(self)
        self._show_timer.setSingleShot(True)
        self._show_timer.timeout.connect(self._show_due)
        self._frame_timer = QTimer(self)
        self._frame_timer.setSingleShot(True)
        self._frame_timer.timeout.connect(self._emit_view)
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
        self._started = started
        store, human = self._store, self._human
        self._submit(lambda: RecordedDealer.begin(config, store, started, human), self._on_begun)

    def resume(self, stored: StoredSession) -> None:
        """Go on with a stored session at its last completed action.

        Raises
        ------
        StoreError, StoredDataError
            If its game cannot be read.
        GameConfigError
            If its game cannot be played any more.
        """
        self._take_config(self._store.config(stored.session_id))
        self._started = stored.started
        store, human, reader = self._store, self._human, self._readings_of_hand().reader
        self._submit(lambda: restore(stored, store, human, reader), self._on_restoring)

    def _take_config(self, config: GameConfig) -> None:
        config.verify()
        people = [seat for seat, player in enumerate(config.seats) if player.style == HUMAN]
        if len(people) != 1:
            raise GameConfigError(f"Exactly one seat must be yours, not {len(people)}.")
        self._human = people[0]
        self._styles = {seat: player.style for seat, player in enumerate(config.seats)}
        self._readings = Readings(self._jobs, stream_seed(config.seed, Stream.READER), self, reader=self._reader)
        self._readings.reading_changed.connect(self.reading_changed)
        self._readings.looked_up.connect(self.looked_up)
        self._readings.run_out_changed.connect(self.run_out_changed)
        self._readings.failed.connect(self.notice.emit)

    def _on_begun(self, table: RecordedDealer) -> None:
        self._job = None
        self._table = table
        self._readings_of_hand().keep = table.record.save_reader_memory
        self.deal()

    def _on_restoring(self, news: str | Restored) -> None:
        if isinstance(news, str):
            self.progressed.emit(news)
            return
        self.progressed.emit("")
        self._job = None
        self._table, self._stored_traces = news.table, news.traces
        self._tally = news.tally
        readings = self._readings_of_hand()
        readings.keep = news.table.record.save_reader_memory
        readings.resume(news.reader_memory, news.past, news.table.record.past_hands)
        self._moments = list(news.step.moments)
        self._places = self._final_places()
        if not self._moments:
            self.deal()
            return
        self._take(news.step)
        self.statistics_changed.emit(self._tally.statistics.by_seat())
        self._emit_view()
        self._readings_of_hand().add(news.points)
        self._all_shown()

    def _take(self, step: Step) -> None:
        """Take in what does not wait to be shown."""
        self._to_act, self._is_over = step.to_act, step.is_over
        self._tell(step.notices)

    def _tell(self, notices: Sequence[str]) -> None:
        """Pass on what happened while the game was moved on and stored."""
        for sentence in notices:
            self.notice.emit(sentence)
        if self.why_not_stored != self._why_not_stored:
            self._why_not_stored = self.why_not_stored
            self.storing_changed.emit(self._why_not_stored)

    # What the person wants

    @Slot(object)
    def act(self, action: Action) -> None:
        """Take the person's action; one that is not legal is refused in a sentence."""
        if self.stage != Stage.YOUR_TURN or self._job is not None:
            return
        table, seen = self._running(), len(self._moments)
        self._shown_at = -math.inf  # what the person does is shown at once
        self._submit(lambda: table.act(action, seen), self._on_step)

    @Slot()
    def deal(self) -> None:
        """Deal the next hand, if one can be dealt now."""
        self._deal_timer.stop()
        if self._table is None or self._job is not None or self._is_ended or not self._may_deal():
            return
        readings = self._readings_of_hand()
        if self._moments:
            readings.remember([self._moments[-1]])
        readings.begin_hand()
        self._moments, self._unseen, self._is_over, self._is_settled = [], [], False, False
        self._stored_traces = ()
        self._submit(self._table.deal, self._on_step)

    def _may_deal(self) -> bool:
        dealer = self._dealer
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
        if self._table is None or self._job is not None or self._queue or self._is_ended:
            self.notice.emit("Chips can be bought between hands only.")
            return
        was_broke = self._is_broke()
        try:
            notices = self._table.top_up(chips)
        except DealerError as error:
            self.notice.emit(str(error))
            return
        stack = self._dealer.stacks[self._human]
        self.notice.emit(ChipSentence("You bought {0} and begin the next hand with {1}.", (chips, stack)))
        self._tell(notices)
        self._emit_view()
        if was_broke and self._is_automatic:
            self._deal_automatically()

    @Slot()
    def rebuy(self) -> None:
        """Buy in again, up to the starting stack."""
        if self._table is None:
            return
        stack, most = self._dealer.stacks[self._human], self._dealer.config.starting_stack
        if self._dealer.config.kind == GameKind.CASH and stack >= most:
            self.notice.emit(ChipSentence("Your stack of {0} is as large as a buy-in allows ({1}).", (stack, most)))
        else:
            self.top_up(most - stack)

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
        self._deal_automatically()

    @Slot(bool)
    def hold_deal(self, is_held: bool) -> None:
        """Let automatic dealing wait, or go on with its pause; `deal` deals all the same."""
        if is_held != self._is_deal_held:
            self._is_deal_held = is_held
            self._deal_automatically()

    @Slot(bool)
    def set_study(self, is_study: bool) -> None:
        """Open the running hand's traces and hole cards, or seal them again."""
        self._is_study = is_study
        self._was_study |= is_study
        if self._moments:
            self._emit_view()

    @Slot(str)
    def set_reader(self, name: str) -> None:
        """Let another reader read for the person, from now on and the hand on the table anew; bots keep theirs."""
        self._reader = name
        if self._readings is not None:
            self._readings.set_reader(name)

    @Slot(object)
    def request_reading(self, event_count: int) -> None:
        """Answer with `reading_changed` for an earlier point of the hand on the table."""
        if self._readings is not None and 1 <= event_count <= len(self._moments):
            self._readings.request(self._moments[event_count - 1])

    @Slot(object)
    def look_up(self, observation: Observation) -> None:
        """Answer with `looked_up` for a moment of any hand of the session, as the person's seat saw it."""
        if self._readings is not None:
            self._readings.look_up(observation)

    @Slot()
    def finish(self) -> None:
        """End the session: now between hands, otherwise after the running hand."""
        if self._table is None or self._is_ended:
            return
        if self._dealer.is_hand_running or self._queue or self._job is not None:
            self._is_finishing = True
            self.notice.emit("The session ends after this hand.")
        else:
            self._end("You finished the session.")

    @Slot()
    def abandon(self) -> None:
        """End the session at once; a running hand is left and does not count."""
        if self._table is None or self._is_ended:
            return
        self.close()
        # After what the lane is still at: until then the dealer is not this thread's to ask.
        self._submit(lambda: None, lambda _nothing: self._end("You left the session for another one."))

    def close(self) -> None:
        """Stop all work without ending the session, which can be resumed later."""
        self._show_timer.stop()
        self._frame_timer.stop()
        self._deal_timer.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
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
        return self._dealer.config if self._table is not None else None

    @property
    def started(self) -> datetime | None:
        """When it began."""
        return self._started

    @property
    def session_id(self) -> int | None:
        """Its number in the store; None if it is not stored."""
        return self._table.record.session_id if self._table is not None else None

    @property
    def is_deal_held(self) -> bool:
        """Whether the next hand would be dealt by now, but for `hold_deal`."""
        is_due = self._is_automatic and self.stage == Stage.HAND_OVER and not self.can_rebuy
        return is_due and self._is_deal_held

    @property
    def can_rebuy(self) -> bool:
        """Whether the person is out of chips and may buy in again to go on."""
        is_cash = self._table is not None and self._dealer.config.kind == GameKind.CASH
        return is_cash and self.stage == Stage.HAND_OVER and self._is_broke()

    @property
    def why_not_stored(self) -> str:
        """Why this session is not stored, in one sentence, or "" while it is or was never meant to be."""
        return self._store.file.why_not_stored or (
            self._table.record.why_not_stored if self._table is not None else ""
        )

    @property
    def is_reading(self) -> bool:
        """Whether points of the hand are still being read."""
        return self._readings is not None and not self._readings.is_idle

    def open_traces(self) -> tuple[Trace, ...]:
        """Give the traces of the hand that has ended, or in study mode of what was shown of the running one."""
        if self._table is None or not self._may_look():
            return ()
        shown = len(self._moments)
        traces = self._dealer.open_traces(study=True) or self._stored_traces
        return tuple(trace for trace in traces if len(trace.observation.events) < shown)

    def revealed(self) -> dict[Seat, HoleCards]:
        """Give every seat's hole cards in study mode, otherwise none."""
        if self._table is None or not self._is_study or not self._moments:
            return {}
        if not self._dealer.events:  # the last hand of a resumed session: only its decisions are known
            return {trace.observation.seat: trace.observation.hole_cards for trace in self._stored_traces}
        return {view.seat: self._dealer.private_event(view.seat).hole_cards for view in self._moments[-1].seats}

    def _may_look(self) -> bool:
        return self._is_study or (self._is_over and not self._queue)

    def results(self) -> SessionResult | None:
        """Give the figures of the session so far or at its end, None before it has begun."""
        return self._result(self._ending or "The session is still running.") if self._table is not None else None

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

    def _on_step(self, step: Step) -> None:
        self._job = None
        self._queue.extend(step.moments)
        self._take(step)
        self._show_due()

    # Showing

    def _show_due(self) -> None:
        """Show every event whose time has come, and set the timer for the next."""
        self._show_timer.stop()
        new: list[Observation] = []
        wait = 0.0
        while self._queue and (wait := self._wait_seconds()) <= 0:
            new.append(self._queue.popleft())
            self._moments.append(new[-1])
            self._shown_at = time.monotonic()
        for moment in new:
            self.event_shown.emit(moment.events[-1])
        self._unseen += new
        if new and self.stage == Stage.THINKING and (self._is_skipping or not self._pace_seconds):
            if not self._frame_timer.isActive():  # nobody can follow more views than that
                self._frame_timer.start(_FRAME_MILLISECONDS)
        elif new:
            self._emit_view()
        if self._queue:
            self._show_timer.start(max(round(1000 * wait), 1))
        elif self._moments and self._job is None and not self._is_ended:
            self._all_shown()

    def _wait_seconds(self) -> float:
        if not self._moments or self._is_skipping:
            return 0.0
        hold = self._pace_seconds * _SHARE_OF_PACE.get(type(self._moments[-1].events[-1]), 0.0)
        return self._shown_at + hold - time.monotonic()

    def _emit_view(self) -> None:
        """Show the newest moment, unless the next hand is just being dealt."""
        self._frame_timer.stop()
        if not self._moments:
            return
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
                can_rebuy=self.can_rebuy,
                ending=self._ending,
                places=self._places,
                is_study=self._is_study,
                was_study=self._was_study,
            )
        )
        unseen, self._unseen = self._unseen, []
        self._readings_of_hand().add(unseen)

    def _all_shown(self) -> None:
        if self._is_over:
            self._is_skipping = False
            self._after_hand()
        elif self._to_act == self._human:
            self._is_skipping = False
        else:
            table, seen = self._running(), len(self._moments)
            self._submit(lambda: table.think(seen), self._on_step)

    # The end of a hand and of the session

    def _after_hand(self) -> None:
        self._is_settled = True
        final = self._moments[-1]
        self._tally.add(final)
        self.statistics_changed.emit(self._tally.statistics.by_seat())
        self.hand_finished.emit(
            FinishedHand(final, self.open_traces(), net_of(final), self._running().record.hand_id)
        )
        self._tell_places()
        reason = self._dealer.end_reason
        if self._is_finishing:
            self._end("You finished the session.")
        elif self._is_broke() and self._dealer.config.kind == GameKind.CASH:
            self.notice.emit("You are out of chips: buy in again to go on, or finish the session.")
        elif self._is_broke() and self._is_out_for_good():
            self._end(f"{self._own_place()} You lost your last chips in hand {final.hand_number}.")
        elif reason is not None:
            is_winner = not any(chips for seat, chips in self._dealer.stacks.items() if seat != self._human)
            self._end(f"{self._own_place()} {'You won all the chips.' if is_winner else reason}".lstrip())
        elif self._is_automatic:
            self._deal_automatically()

    def _deal_automatically(self) -> None:
        """Deal after a pause, if that is wanted and nothing holds it."""
        if not self._is_automatic or self._is_deal_held:
            self._deal_timer.stop()
        elif self._is_settled and not self._is_ended and not self.can_rebuy:
            self._deal_timer.start(round(1000 * _PAUSE_BEFORE_DEAL * self._pace_seconds))

    def _final_places(self) -> dict[Seat, int]:
        """Give the places of those who are out of a tournament for good."""
        config, seats = self._dealer.config, self._dealer.state.seats
        if config.kind == GameKind.CASH:
            return {}
        out = {seat for seat, record in enumerate(seats) if not record.stack and record.rebuys >= config.rebuys}
        return {line.seat: line.place for line in self._dealer.standings if line.seat in out}

    def _tell_places(self) -> None:
        """Say who is out of a tournament with this hand; the person's own place is told at the end."""
        before, self._places = self._places, self._final_places()
        fresh = self._places.keys() - before.keys()
        for place in sorted({self._places[seat] for seat in fresh}, reverse=True):
            names = [self._name(seat) for seat in sorted(fresh) if self._places[seat] == place]
            if not (self._human in fresh and self._places[self._human] == place):
                self.notice.emit(f"{_listed(names)} finish{'es' if len(names) == 1 else ''} {ordinal(place)}.")
        if fresh:
            self._emit_view()

    def _own_place(self) -> str:
        """Say in a sentence how the person finishes a tournament, and who shares the place."""
        if self._dealer.config.kind == GameKind.CASH:
            return ""
        standings = self._dealer.standings
        place = next(line.place for line in standings if line.seat == self._human)
        level = [self._name(line.seat) for line in standings if line.place == place and line.seat != self._human]
        return f"{_listed(['You', *level])} finish {ordinal(place)} of {len(standings)}."

    def _name(self, seat: Seat) -> str:
        return self._dealer.config.seats[seat].name

    def _is_broke(self) -> bool:
        return self._dealer.stacks[self._human] == 0

    def _is_out_for_good(self) -> bool:
        dealer = self._dealer
        return dealer.state.seats[self._human].rebuys >= dealer.config.rebuys

    def _end(self, reason: str) -> None:
        self._is_ended, self._ending, self._job = True, reason, None
        self._deal_timer.stop()
        result = self._result(reason)
        self._tell(self._running().finish(result))
        if self._moments:
            self._emit_view()
        self.session_finished.emit(result)

    def _result(self, reason: str) -> SessionResult:
        dealer = self._dealer
        return SessionResult(
            reason=reason,
            hands=dealer.state.hands_dealt,
            names={seat: player.name for seat, player in enumerate(dealer.config.seats)},
            stacks=dealer.stacks,
            bought_in=dealer.bought_in,
            big_blind=dealer.config.big_blind,
            human_net=tuple(self._tally.human_net),
            places=self._standing_places(),
            was_study=self._was_study,
        )

    def _standing_places(self) -> dict[Seat, int]:
        dealer = self._dealer
        if dealer.config.kind == GameKind.CASH:
            return {}
        return {line.seat: line.place for line in dealer.standings}

    def _readings_of_hand(self) -> Readings:
        assert self._readings is not None
        return self._readings

    def _running(self) -> RecordedDealer:
        assert self._table is not None
        return self._table

    @property
    def _dealer(self) -> Dealer:
        return self._running().dealer


def _listed(names: Sequence[str]) -> str:
    """Write names one after the other: `Ada, Bruno and Chiara`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
