"""The panels about a hand, which together follow the one that is looked at."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from engine.game.observation import HandView
from trainer.calculator.opening import OddsOpener
from trainer.history.log import HandLog
from trainer.play.meters import MetersPanel
from trainer.reading.range_model import hand_points
from trainer.reading.read_panel import ReadPanel
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.session.looked_at import LookedAt
from trainer.session.session import Session
from trainer.session.types import FinishedHand, PointRanges, RunOutPoint, Stage, TableView
from trainer.theme import ThemeSource

STILL_READ = "This position is still being read; try again in a moment."


class Panels(QObject):
    """Ranges, reasoning, log and meters; `point` is the newest one read of the hand on the table."""

    hand_shown = Signal()  # all of another hand is shown
    step_chosen = Signal(int)  # another moment of the hand replayed is wanted, after so many events

    def __init__(self, theme: ThemeSource, looked_at: LookedAt, odds: OddsOpener, parent: QObject) -> None:
        super().__init__(parent)
        self.read_panel = ReadPanel(theme)
        self.reasoning = ReasoningPanel(theme)
        self.log = HandLog(theme)
        self.meters = MetersPanel(theme)
        self.point: PointRanges | None = None
        self._looked_at = looked_at
        self._odds = odds
        self._view: TableView | None = None
        self._used: HandLog | ReasoningPanel | ReadPanel | None = None
        self._is_reasoning_shown = self._are_traces_stale = False
        self._step: HandView | None = None
        self._are_cards_open = True
        self._is_going = False
        self._traces_timer = QTimer(self, singleShot=True)
        self._traces_timer.timeout.connect(self._on_traces_due)
        self._connect()

    def _connect(self) -> None:
        looked_at, odds = self._looked_at, self._odds
        looked_at.hand_changed.connect(self._on_hand_changed)
        looked_at.reading_changed.connect(self._show_point)
        looked_at.run_out_changed.connect(self.meters.show_run_out)
        looked_at.traces_changed.connect(self._show_traces)
        looked_at.decisions_before.connect(self.reasoning.track_hand)
        looked_at.learned.connect(self._on_learned)
        looked_at.past.sessions_changed.connect(self._on_sessions_changed)
        looked_at.past.hands_changed.connect(self._on_hands_changed)
        self.log.session_chosen.connect(looked_at.choose_session)
        self.log.hand_chosen.connect(looked_at.look_at)
        self.log.odds_requested.connect(odds.open_moment)
        self.read_panel.point_requested.connect(self._on_point_requested)
        self.read_panel.point_chosen.connect(self._on_point_chosen)
        self.read_panel.odds_requested.connect(odds.open_point)
        self.read_panel.range_odds_requested.connect(odds.open_range)
        self.reasoning.odds_requested.connect(odds.open_decision)
        self.reasoning.range_odds_requested.connect(odds.open_range)
        self.reasoning.answers_requested.connect(looked_at.request_answers)
        looked_at.answers_found.connect(self.reasoning.show_answers)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self._view = self.point = None
        self.read_panel.show_tallies(())
        self.reasoning.begin_session()
        self._looked_at.follow(session)
        session.readings.reading_changed.connect(self._on_reading)
        session.readings.run_out_changed.connect(self._on_run_out)
        session.readings.judged.connect(self.read_panel.show_tallies)
        session.readings.set_reader(self.read_panel.reader)
        session.hand_finished.connect(self._on_hand_finished)

    def show_view(self, view: TableView, *, is_study: bool) -> None:
        """Follow the table, unless an earlier hand is looked at."""
        before, self._view = self._view, view
        is_new = before is None or before.observation.hand_number != view.observation.hand_number
        if is_new:
            self.point = None
        if view.stage == Stage.YOUR_TURN:
            self._used = None
        if self._looked_at.is_following:
            if is_new:
                self.reasoning.clear()
            self._show_hand(view.observation)
            if is_study or view.stage == Stage.HAND_OVER:
                self._show_traces()

    def set_study(self, is_on: bool) -> None:
        """Open the bots' decisions of the running hand, or seal them again."""
        self.reasoning.set_study(is_on)
        self._show_traces()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        for panel in (self.log, self.read_panel, self.reasoning):
            panel.set_units(in_big_blinds)

    def set_four_colours(self, is_on: bool) -> None:
        """Paint suits in four colours, or in two."""
        self.log.set_four_colours(is_on)
        self.reasoning.set_four_colours(is_on)

    def set_reasoning_shown(self, is_shown: bool) -> None:
        """Take whether the reasoning can be seen."""
        self._is_reasoning_shown = is_shown
        if is_shown and self._are_traces_stale:
            self._on_traces_due()

    def close_enlarged(self) -> bool:
        """Close what a click has enlarged; return whether there was anything."""
        backs = (self.read_panel.all_button, self.reasoning.prediction.back_button)
        shown = [button for button in backs if button.isVisible()]
        if shown:
            shown[0].click()
        return bool(shown)

    def ask_odds(self) -> bool:
        """Ask about the log, decision or point last gone to since the turn or step began, else the newest point.

        Of an earlier hand that is the point shown. Return whether there is any.
        """
        if self._used is not None and self._used.ask_odds():
            return True
        if not self._looked_at.is_following:
            return self.read_panel.ask_odds()
        if self.point is not None:
            self._odds.open_point(self.point)
        return self.point is not None

    def moment(self) -> HandView | None:
        """Return what is seen of the hand shown: at the player's turn as they see it, else at the point gone to."""
        model = self.read_panel.model
        is_turn = self._view is not None and self._view.stage is Stage.YOUR_TURN
        if self._view is not None and is_turn and self._looked_at.is_following and model.is_live:
            return self._view.observation
        return model.shown.observation if model.shown is not None else None

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Note which panel was gone to last, by click or key."""
        for panel in (self.log, self.reasoning, self.read_panel):
            if now is not None and panel.isAncestorOf(now):
                self._used = panel

    # The hand on the table

    def _on_reading(self, point: PointRanges) -> None:
        if self._view is not None and point.hand_number == self._view.observation.hand_number:
            if self.point is None or point.event_count >= self.point.event_count:
                self.point = point
            if self._looked_at.is_following:
                self._show_point(point)

    def _on_run_out(self, point: RunOutPoint) -> None:
        if self._looked_at.is_following:
            self.meters.show_run_out(point)

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        self.reasoning.track_hand(hand.traces)
        if self._looked_at.is_following:
            self._show_traces()

    # The hand replayed

    def replay(self, step: HandView, *, are_cards_open: bool) -> None:
        """Show of the hand looked at what a replay has come to, with the hole cards or without."""
        self._step, self._are_cards_open, self._used = step, are_cards_open, None
        final = self._looked_at.observation
        if final is None:
            return
        self.log.show_hand(step)
        self.log.set_results_shown(are_cards_open)
        self.meters.hide_later(not are_cards_open)
        self._show_truth(final)
        self._show_traces()
        self._go_to_step()

    def _go_to_step(self) -> None:
        """Show the ranges and meters at the step of the replay, as far as they are read."""
        model, step = self.read_panel.model, self._step
        if step is None:
            return
        if not model.points:  # whose choice moves the meters
            self.meters.look_at(len(step.events))
            return
        reached = [index for index, point in enumerate(model.points) if point.event_count <= len(step.events)]
        self._is_going = True
        model.go_to(max(reached, default=0))
        self._is_going = False

    # The hand looked at

    def _show_hand(self, observation: HandView) -> None:
        """Show a hand as far as its observation goes."""
        self.log.show_hand(observation)
        self.meters.follow(observation)
        self._show_truth(observation)

    def _show_truth(self, observation: HandView) -> None:
        """Mark the hands really held; of a replay that hides them, those shown until now."""
        is_hidden = self._step is not None and not self._are_cards_open
        seen = self._step if self._step is not None and is_hidden else observation
        truth = {seat.seat: seat.shown for seat in seen.seats if seat.shown}
        if not is_hidden:
            truth |= self._looked_at.truth
        if observation.viewer is not None:
            truth.pop(observation.viewer, None)
        if truth or is_hidden:
            self.read_panel.set_truth(truth, observation.hand_number)

    def _on_hand_changed(self) -> None:
        """Show all that is known of another hand, or of the one on the table again."""
        looked_at = self._looked_at
        for panel in (self.read_panel, self.meters, self.reasoning, self.log):
            panel.clear()
        self._step = None  # of another hand
        self.log.set_results_shown(True)
        self.meters.hide_later(False)
        self.read_panel.set_live(looked_at.is_following)
        if not looked_at.is_following:
            self.reasoning.clear("No decisions of this hand are stored.")
        observation = looked_at.observation or looked_at.past.on_table
        if observation is not None:
            self._show_hand(observation)
            self._on_point_chosen(None)
            self._on_learned(0)
            for point in looked_at.points:
                self._show_point(point)
            for run_out in looked_at.run_outs:
                self.meters.show_run_out(run_out)
            self._show_traces()
        self.log.mark_hand(looked_at.hand_index)
        self.hand_shown.emit()

    def _show_point(self, point: PointRanges) -> None:
        self.read_panel.show_point(point)
        self.meters.show_point(point)
        self._go_to_step()

    def _on_learned(self, count: int) -> None:
        final, wanted = self._looked_at.observation, self._looked_at.hands_to_learn
        if final is not None:
            before = f"\nHands before it that are remembered: {count:,} of {wanted:,}." if wanted else ""
            self.read_panel.say(f"Hand {final.hand_number} is being read.{before}")

    def _on_point_requested(self, event_count: int) -> None:
        """Ask for a reading; but until the first one of a new hand on the table the points are of that before."""
        if self.point is not None or not self._looked_at.is_following:
            self._looked_at.request(event_count)

    def _on_point_chosen(self, event_count: int | None) -> None:
        """Let the meters follow the ranges; of an earlier hand they show its last point rather than its end."""
        final = self._looked_at.observation
        if final is not None and event_count is None:
            event_count = hand_points(final)[-1].event_count
        self.meters.look_at(event_count)
        if self._step is not None and not self._is_going and event_count is not None:
            self.step_chosen.emit(event_count)

    def _on_sessions_changed(self) -> None:
        self.log.show_sessions(self._looked_at.past.sessions, self._looked_at.past.session_index)

    def _on_hands_changed(self) -> None:
        looked_at = self._looked_at
        on_table = looked_at.past.on_table if looked_at.past.chosen is None else None
        self.log.show_hands(looked_at.past.hands, on_table, looked_at.hand_index)

    def _show_traces(self) -> None:
        """Bring the reasoning up to date soon, or when its dock comes to the front: it takes most of a frame."""
        if self._is_reasoning_shown:
            self._traces_timer.start(0)
        else:
            self._are_traces_stale = True

    def _on_traces_due(self) -> None:
        self._are_traces_stale = False
        observation = self._looked_at.observation or self._looked_at.past.on_table
        if observation is not None:
            names = {seat.seat: seat.name for seat in observation.seats}
            if self._step is not None and not self._are_cards_open:
                self.reasoning.clear("Why the bots act is shown with the hole cards.")
                return
            traces = self._looked_at.open_traces()
            chosen = self._looked_at.past.chosen
            session = None if chosen is None else (chosen.session_id, chosen.match)
            self.reasoning.show_traces(traces, names, session)
            if self._step is not None:
                self.reasoning.go_to(len(self._step.events))
            is_over = self._view is not None and self._view.stage in (Stage.HAND_OVER, Stage.SESSION_OVER)
            if is_over and self._looked_at.is_following and not traces:
                self.reasoning.clear("In this hand no bot had anything to decide.")
