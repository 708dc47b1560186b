"""One running table: what the player sees of it and when, and what the player wants of it.

What moves the game is `trainer.session.dealer_jobs`; what the player's reader makes of it is in
`trainer.session.readings`. What is shown is one observation of the player's seat per public
event, so a run-out is seen card by card.
"""

from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal

from engine.agents.agent import KnownPlayers, Trace
from engine.agents.styles import seats_problem
from engine.cards import HoleCards
from engine.fair_deals import Stream, salt_problem, stream_seed
from engine.game.events import Action, Seat, start_of
from engine.game.formats import HUMAN, GameConfig, GameConfigError
from engine.game.observation import Observation
from engine.play import Dealer
from trainer.jobs import Jobs
from trainer.session.dealer_jobs import DealerJobs
from trainer.session.pacing import AutomaticDeal, Showing
from trainer.session.playing_on import TakenUpHand
from trainer.session.readings import Readings
from trainer.session.recorded_dealer import RecordedDealer, Step
from trainer.session.resuming import Restored
from trainer.session.standing import Standing, Tally
from trainer.session.types import (
    ChipSentence,
    DeckCommitment,
    FinishedHand,
    SessionResult,
    Stage,
    TableView,
)
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession

_FRAME_MILLISECONDS = 33  # between two views while bots act without pace
_FINISHED = "You finished the session."
_OUT_OF_CHIPS = "You are out of chips: buy in again, or finish the session."


class Session(QObject):
    """A session of hands at one table, with one player among bots.

    `store` receives every action before it is shown; `readings` is what the player's reader makes of the hand, and
    `table` says how the session is stored and what the dealer is at.
    """

    # TableView: after events were shown, once for those that come together, and whenever the stage changes
    view_changed = Signal(object)
    hand_finished = Signal(object)  # FinishedHand
    session_finished = Signal(object)  # SessionResult
    statistics_changed = Signal(object)  # dict of int to PlayerStatistics
    notice = Signal(object)  # str or ChipSentence: one sentence for the player
    # `commitment` is of another hand, before its first card is dealt, or has another salt
    committed = Signal()

    def __init__(self, jobs: Jobs, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self.readings = Readings(jobs, parent=self)
        self.readings.failed.connect(self.notice.emit)
        self.table = DealerJobs(jobs, store, self)
        self.table.begun.connect(self._on_begun)
        self.table.restored.connect(self._on_restored)
        self.table.stepped.connect(self._on_step)
        self.table.failed.connect(self._emit_view)
        self.table.notice.connect(self.notice)
        self._standing: Standing | None = None
        self.hero = 0
        self.known: KnownPlayers = {}  # what earlier sessions have kept of the players
        self._styles: dict[Seat, str] = {}
        self._showing = Showing(self)
        self._showing.shown.connect(self._on_shown)
        self._showing.all_shown.connect(self._on_all_shown)
        self._unseen: list[Observation] = []
        self._to_act: Seat | None = None
        self._is_over = False
        self._is_settled = False
        self._is_ended = False
        self._ending = ""
        self.commitment: DeckCommitment | None = None
        self.salt = ""  # the player's, for the next shuffle
        self._stored_traces: tuple[Trace, ...] = ()
        self._tally = Tally()
        self._is_study = self._was_study = False
        self.started: datetime | None = None
        self.taken_up_at = 0  # events of the hand that were not played here; none but of one that is played on
        self._is_finishing = False
        self._frame_timer = QTimer(self, singleShot=True)
        self._frame_timer.timeout.connect(self._emit_view)
        self.automatic = AutomaticDeal(
            lambda: self.stage == Stage.HAND_OVER and not self.can_rebuy, lambda: self._showing.pace_seconds, self
        )
        self.automatic.timeout.connect(self.deal)

    # Beginning

    def begin(self, config: GameConfig, started: datetime) -> None:
        """Open a session and deal its first hand; GameConfigError unless it can be played, with one seat yours."""
        self._take_config(config)
        self.started = started
        self.table.begin(config, started, self.hero)

    def resume(self, stored: StoredSession) -> None:
        """Go on with a stored session at its last completed action.

        Raise StoreError or StoredDataError if its game cannot be read, GameConfigError if it is not legal.
        """
        self._take_config(self._store.config(stored.session_id))
        self.started = stored.started
        self.table.restore(stored, self.hero, self.readings.reader)

    def play_on(self, hand: TakenUpHand, started: datetime) -> None:
        """Play a finished hand on from one of its moments; GameConfigError if its game cannot be played."""
        self._take_config(hand.config)
        self.started, self.taken_up_at = started, hand.event_count
        self.table.take_up(hand, self.hero)

    def _take_config(self, config: GameConfig) -> None:
        config.verify()
        if problem := seats_problem((seat.style for seat in config.seats), len(config.seats)):
            raise GameConfigError(problem)
        self.hero = _own_seat(config)
        self._styles = {seat: player.style for seat, player in enumerate(config.seats)}
        self.readings.seed = stream_seed(config.seed, Stream.READER)

    def _on_begun(self, table: RecordedDealer) -> None:
        self._take_table(table)
        self.deal()

    def _take_table(self, table: RecordedDealer) -> None:
        self._standing = Standing(table.dealer, self.hero)
        self.salt = table.dealer.salt
        self._commit()
        self.known = known = table.record.known
        self.readings.meet(lambda: known)
        self.readings.keep = table.record
        self.readings.tallies.keep = table.record.save_tallies
        record = table.record
        self.readings.read_again(record.past_hands, lambda: record.session_id is not None)

    def _on_restored(self, news: Restored) -> None:
        self._take_table(news.table)
        self._stored_traces, self._tally = news.traces, news.tally
        self.readings.resume(news.reader_memory, news.past, news.table.record.past_hands, news.tallies)
        self._showing.begin(news.step.moments)
        if not self._moments:
            self.deal()
            return
        self._take(news.step)
        self.statistics_changed.emit(self._tally.statistics.by_seat())
        self._emit_view()
        self.readings.add(news.points)
        self._on_all_shown()

    def _take(self, step: Step) -> None:
        """Take in what does not wait to be shown."""
        self._to_act, self._is_over = step.to_act, step.is_over
        self.table.tell(step.notices)

    # What the player wants

    def act(self, action: Action) -> None:
        """Take the player's action; one that is not legal is refused in a sentence."""
        if self.stage == Stage.YOUR_TURN and not self.table.is_busy:
            self._showing.hurry()  # what the player does is shown at once
            self.table.act(action, len(self._moments))

    def deal(self) -> None:
        """Deal the next hand, if one can be dealt now."""
        self.automatic.stop()
        if not self._is_free or not self._may_deal():
            return
        if self._moments:
            self.readings.remember([self._moments[-1]])
        self.readings.begin_hand()
        self._showing.begin()
        self._unseen, self._is_over, self._is_settled = [], False, False
        self._stored_traces = ()
        if self._standing is not None:
            self._standing.look_at_blinds()
        self._commit()
        self.table.deal()

    def _may_deal(self) -> bool:
        dealer = self._dealer
        if dealer.is_hand_running or self._showing.is_held or not (self._is_settled or not self._moments):
            return False
        if self._must_rebuy():
            self.notice.emit(_OUT_OF_CHIPS)
            return False
        return dealer.end_reason is None

    def skip(self) -> None:
        """Show everything at once until it is the player's turn or the hand is over."""
        if self.stage in (Stage.SHOWING, Stage.THINKING):
            self._showing.set_skipping(True)
            self._showing.show_due()

    def top_up(self, chips: int) -> None:
        """Buy chips between two hands of a cash game."""
        if not self._is_free or self._showing.is_held:
            self.notice.emit("Chips can be bought between hands only.")
            return
        was_broke = self._must_rebuy()
        self.table.top_up(chips)
        self._emit_view()
        if was_broke and not self._moments:
            self.deal()
        elif was_broke:
            self.automatic.wait()

    def rebuy(self) -> None:
        """Buy in again, up to the starting stack."""
        if not self.table.is_open:
            return
        stack, most = self._dealer.stacks[self.hero], self._dealer.config.starting_stack
        if self._dealer.config.sells_chips and stack >= most:
            self.notice.emit(ChipSentence("Your stack of {0} is as large as a buy-in allows ({1}).", (stack, most)))
        else:
            self.top_up(most - stack)

    def set_salt(self, salt: str) -> None:
        """Take the player's salt into the next shuffle, to which the dealer is then bound."""
        if problem := salt_problem(salt):
            self.notice.emit(problem)
            return
        self.salt = salt
        if self.stage == Stage.HAND_OVER and self._is_free:
            self._commit()

    def _commit(self) -> None:
        """Show what binds the dealer in the hand that is running, or in the next one with the player's salt."""
        dealer = self._dealer
        if dealer.salt != self.salt and not dealer.is_hand_running:
            self.table.set_salt(self.salt)
        number = dealer.hand_number + (not dealer.is_hand_running)
        self.commitment = DeckCommitment(dealer.table_commitment, number, dealer.commitment, dealer.salt)
        self.committed.emit()

    def set_pace(self, seconds: float) -> None:
        """Show each event for so long, 0 (at once) to 4 seconds."""
        self._showing.set_pace(float(seconds))

    def set_study(self, is_study: bool) -> None:
        """Open the running hand's traces and hole cards, or seal them again."""
        self._is_study = is_study
        self._was_study |= is_study
        self._emit_view()

    def finish(self) -> None:
        """End the session: now between hands, otherwise after the running hand."""
        if not self.table.is_open or self._is_ended:
            return
        if self._dealer.is_hand_running or self._showing.is_held or self.table.is_busy:
            self._is_finishing = True
            self.notice.emit("The session ends after this hand.")
        else:
            self._end(_FINISHED)

    def abandon(self) -> None:
        """End the session at once; a running hand is left and does not count."""
        if self.is_hand_decided:
            self.skip()  # such a hand counts
        if not self.table.is_open or self._is_ended:
            return
        self.close()
        self.table.when_free(lambda: self._end("You left the session for another one."))

    def close(self) -> None:
        """Stop all work without ending the session, which can be resumed later."""
        self._showing.stop()
        self._frame_timer.stop()
        self.automatic.stop()
        self.table.cancel()
        self.readings.stop()

    # What the window may ask

    @property
    def stage(self) -> Stage:
        """What the table is waiting for."""
        if self._is_ended:
            return Stage.SESSION_OVER
        if not self._moments:
            return Stage.WARMING_UP
        if self._showing.is_held:
            return Stage.SHOWING
        if self._is_over:
            return Stage.HAND_OVER
        return Stage.YOUR_TURN if self._to_act == self.hero else Stage.THINKING

    @property
    def progress(self) -> tuple[int, int]:
        """Number of the hand on the table and how many of its events were shown."""
        return (self._moments[-1].hand_number, len(self._moments)) if self._moments else (0, 0)

    @property
    def config(self) -> GameConfig | None:
        """The game, None before the first hand."""
        return self._dealer.config if self.table.is_open else None

    @property
    def is_hand_decided(self) -> bool:
        """Whether the hand on the table has ended, though it may still be shown card by card."""
        return self._is_over

    @property
    def can_rebuy(self) -> bool:
        """Whether the player is out of chips and may buy in again to go on."""
        # The last hand of a resumed session may be damaged: then no hand is on the table.
        is_between_hands = self.stage == Stage.HAND_OVER or (self.stage == Stage.WARMING_UP and self._is_free)
        return is_between_hands and self._must_rebuy()

    def open_traces(self) -> tuple[Trace, ...]:
        """Return the traces of the hand that has ended, or in study mode of what was shown of the running one."""
        is_open = self._is_study or (self._is_over and not self._showing.is_held)
        if not self.table.is_open or not is_open:
            return ()
        shown = len(self._moments)
        traces = self._dealer.open_traces(study=True) or self._stored_traces
        return tuple(trace for trace in traces if len(trace.observation.events) < shown)

    def revealed(self) -> dict[Seat, HoleCards]:
        """Return every seat's hole cards in study mode, otherwise none."""
        return self._hole_cards() if self._is_study and self._moments else {}

    def _hole_cards(self) -> dict[Seat, HoleCards]:
        """Return what everybody holds in the hand on the table."""
        if not self._dealer.events:  # the last hand of a resumed session: only its decisions are known
            return {trace.observation.seat: trace.observation.hole_cards for trace in self._stored_traces}
        return {view.seat: self._dealer.private_event(view.seat).hole_cards for view in self._moments[-1].seats}

    def results(self) -> SessionResult | None:
        """Return the figures of the session so far or at its end, None before it has begun.

        A hand that is decided is shown to its end before, for the figures would tell how it ends.
        """
        if self.is_hand_decided:
            self.skip()
        return self._result(self._ending or "The session is still running.") if self.table.is_open else None

    def _on_step(self, step: Step) -> None:
        self._showing.add(step.moments)
        self._take(step)
        self._showing.show_due()

    # Showing

    def _on_shown(self, new: list[Observation]) -> None:
        self._unseen += new
        if self.stage != Stage.THINKING or not self._showing.is_at_once:
            self._emit_view()
        elif not self._frame_timer.isActive():  # nobody can follow more views than that
            self._frame_timer.start(_FRAME_MILLISECONDS)

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
                to_act=None if self._showing.is_held or self._is_ended else self._to_act,
                styles=self._styles,
                is_out=tuple(seat for seat in self._styles if seat not in dealt),
                names={seat: player.name for seat, player in enumerate(self._dealer.config.seats)},
                can_rebuy=self.can_rebuy,
                ending=self._ending,
                places=self._standing.places if self._standing is not None else {},
                next_level=None if self._is_ended or self._standing is None else self._standing.next_level,
                is_study=self._is_study,
                was_study=self._was_study,
                is_played_on=self.taken_up_at > 0,
            )
        )
        unseen, self._unseen = self._unseen, []
        self.readings.add(unseen)

    def _on_all_shown(self) -> None:
        if not self._moments or not self._is_free:
            return
        if self._is_over or self._to_act == self.hero:
            self._showing.set_skipping(False)
        if self._is_over:
            self._after_hand()
        elif self._to_act != self.hero:
            self.table.think(len(self._moments))

    # The end of a hand and of the session

    def _after_hand(self) -> None:
        self._is_settled = True
        final, standing = self._moments[-1], self._standing
        assert standing is not None
        self._tally.add(final)
        self.readings.judge(final, self._hole_cards())
        self.statistics_changed.emit(self._tally.statistics.by_seat())
        self.hand_finished.emit(FinishedHand(final, self.open_traces(), self.table.hand_id))
        started = start_of(final.events)
        before = standing.places, standing.next_level
        standing.look_at_blinds(started)
        for sentence in standing.places_news():
            self.notice.emit(sentence)
        if (standing.places, standing.next_level) != before:
            self._emit_view()
        self._commit()
        ending = "" if standing.must_rebuy else standing.ending(final.hand_number)
        if ending or self._is_finishing:
            self._end(ending or _FINISHED)
        elif not standing.must_rebuy:
            self.automatic.wait()

    def _end(self, reason: str) -> None:
        self._is_ended, self._ending = True, reason
        self.automatic.stop()
        result = self._result(reason)
        self.table.finish(result)
        self._emit_view()
        self.session_finished.emit(result)

    def _result(self, reason: str) -> SessionResult:
        assert self._standing is not None
        return self._standing.result(reason, self._tally, was_study=self._was_study)

    def _must_rebuy(self) -> bool:
        return self._standing is not None and self._standing.must_rebuy

    @property
    def _moments(self) -> list[Observation]:
        return self._showing.moments

    @property
    def _is_free(self) -> bool:
        """Whether the session goes on and its dealer is not at work."""
        return self.table.is_open and not self.table.is_busy and not self._is_ended

    @property
    def _dealer(self) -> Dealer:
        return self.table.dealer


def _own_seat(config: GameConfig) -> Seat:
    """Return the player's seat."""
    own = [seat for seat, player in enumerate(config.seats) if player.style == HUMAN]
    if len(own) != 1:
        raise GameConfigError(f"Exactly one seat must be yours, not {len(own)}.")
    return own[0]
