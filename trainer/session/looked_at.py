"""The hand that the panels show: the one on the table, or an earlier one of any session.

Earlier hands are finished ones, as the player's seat saw them, so nothing hidden of the running hand is among them.
Ranges and win rates are those that the panels had at the time, as far as they are kept.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from engine.agents.agent import Answers, Trace
from engine.cards import HoleCards
from engine.codec import StoredDataError, Vector
from engine.fair_deals import Stream, stream_seed
from engine.game.events import Seat, start_of
from engine.game.formats import PERSON, GameConfig
from engine.game.history import observation_at
from engine.game.observation import HandView, Observation
from trainer.jobs import Jobs
from trainer.session.earlier_hand import EarlierHand, observations_of
from trainer.session.past_hands import PastHand, PastHands, PastSession, place_of
from trainer.session.playing_on import TakenUpHand
from trainer.session.readings import is_reading_event
from trainer.session.session import Session
from trainer.session.types import FinishedHand, PointRanges, PointReading, RunOutPoint, TableView
from trainer.storage.notes import NoteKey
from trainer.storage.store import Store
from trainer.storage.stored import StoreError

T = TypeVar("T")

_ANSWERS_LANE = "answers"
_DECISIONS_LANE = "decisions before"
_MOST_HANDS_BEFORE = 500
"""Of which decisions are read when a session of two is resumed: enough for the graph to show how it went."""

_KEPT = 2
"""Hands kept whole, with readings and traces: the one on the table and the one before it."""


class LookedAt(QObject):
    """Knows which hand the panels show, and what they need of it; `past` is what there is to choose from."""

    hand_changed = Signal()  # the panels show another hand: all of it is to be shown
    reading_changed = Signal(object)  # PointRanges: a point of the earlier hand shown
    run_out_changed = Signal(object)  # RunOutPoint: a street of its all-in with open cards
    # how many hands the reader knows that reads it; `hands_to_learn` is how many there are
    learned = Signal(object)
    traces_changed = Signal()  # the decisions of the earlier hand shown are known
    # tuple of Trace: the first decision of each hand that a session of two had before it was resumed
    decisions_before = Signal(object)
    looked_up = Signal(object)  # PointRanges: answers `look_up`
    # Trace and tuple of Answers: answers `request_answers`
    answers_found = Signal(object, object)
    notice = Signal(str)  # one sentence for the player

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.past = PastHands(jobs, self)
        self.past.session_chosen.connect(self._on_session_chosen)
        self.past.session_lost.connect(self.leave)
        self.past.resumed.connect(self._on_resumed)
        self.past.notice.connect(self.notice)
        self._kept: dict[int, FinishedHand] = {}
        self._live: dict[int, dict[int, PointReading]] = {}
        self._live_run_outs: dict[int, dict[int, RunOutPoint]] = {}
        self._hand: PastHand | None = None
        self._earlier: EarlierHand | None = None
        self._reader = ""
        self._wanted: int | None = None

    # What there is

    def follow(self, session: Session) -> None:
        """Take a new session to the table; the panels follow it."""
        self._forget_hand()
        self._kept, self._live, self._live_run_outs = {}, {}, {}
        session.view_changed.connect(self._on_view)
        session.readings.reading_changed.connect(self._on_live_reading)
        session.readings.run_out_changed.connect(self._on_live_run_out)
        session.readings.looked_up.connect(self.looked_up)
        session.hand_finished.connect(self._on_hand_finished)
        self.past.follow(session)
        self.hand_changed.emit()

    @property
    def hand_index(self) -> int:
        """Which of `hands` is shown; the place after them is the hand on the table, also where that has ended."""
        hands = self.past.hands  # which may be another session's already
        at = place_of(hands, self._hand.number) if self._hand is not None else len(hands)
        return at if at < len(hands) and hands[at] == self._hand else len(hands)

    # What the panels show

    @property
    def is_following(self) -> bool:
        """Whether the panels show the hand on the table."""
        return self._earlier is None

    @property
    def observation(self) -> HandView | None:
        """The earlier hand shown, at its end; None while the panels follow the table."""
        return self._earlier.final if self._earlier is not None else None

    @property
    def points(self) -> tuple[PointRanges, ...]:
        """What is read of the hand shown, the newest point first."""
        known: Mapping[int, PointRanges] = self._live.get(self._number, {})
        if self._earlier is not None:
            known = self._earlier.points
        return tuple(known[count] for count in sorted(known, reverse=True))

    def reading_at(self, event_count: int) -> PointRanges | None:
        """Return what is read of the earlier hand shown after so many events; None if it is not read yet."""
        if self._earlier is None:
            return None
        events = self._earlier.final.events[:event_count]
        started = start_of(events)
        read = (count for count, event in enumerate(events, start=1) if is_reading_event(started, event))
        return self._earlier.points.get(max(read, default=0))

    @property
    def run_outs(self) -> tuple[RunOutPoint, ...]:
        """The streets of an all-in with open cards of the hand shown."""
        earlier = self._earlier
        return tuple(
            (earlier.run_outs if earlier is not None else self._live_run_outs.get(self._number, {})).values()
        )

    @property
    def _number(self) -> int:
        """Number of the hand on the table, 0 before the first one."""
        return self.past.on_table.hand_number if self.past.on_table is not None else 0

    @property
    def hands_to_learn(self) -> int:
        """How many hands the reader has to learn before it reads the hand shown."""
        return self._earlier.hands_to_learn if self._earlier is not None else 0

    @property
    def truth(self) -> Mapping[Seat, HoleCards]:
        """The hole cards of the earlier hand shown that are open now, whether they were shown then or not."""
        if self._hand is None or self._earlier is None:
            return {}
        shown = {view.seat: view.shown for view in self._earlier.final.seats if view.shown}
        try:
            return shown | dict(self._hand.truth())
        except (StoreError, StoredDataError):
            return shown

    def take_up(self, event_count: int, ranges: Mapping[Seat, Vector] | None, seed: int) -> TakenUpHand:
        """Return the earlier hand shown, the player's own, after so many events, to be played on as it is read."""
        assert self._earlier is not None
        final, before = self._earlier.final, self._earlier.before()
        assert isinstance(final, Observation)
        return TakenUpHand(
            final,
            event_count,
            self.styles,
            self.truth,
            ranges,
            seed,
            self.past.known_at_start(),
            lambda: (seen for seen in observations_of(before) if isinstance(seen, Observation)),
        )

    @property
    def note_key(self) -> NoteKey | None:
        """What the earlier hand shown is known by where notes are kept; None if it can have none."""
        return None if self._hand is None else self._hand.hand_id or self._hand.digest or None

    @property
    def styles(self) -> Mapping[Seat, str]:
        """The registered style of each seat of the earlier hand shown, as far as it is known."""
        config = self._config
        seats = config.seats if config is not None else ()
        return {seat: player.style for seat, player in enumerate(seats) if player.style != PERSON}

    @property
    def names(self) -> Mapping[Seat, str]:
        """The name of each seat of the earlier hand shown, also of those not dealt in, as far as it is known."""
        config = self._config
        return {} if config is None else {seat: player.name for seat, player in enumerate(config.seats)}

    @property
    def _config(self) -> GameConfig | None:
        """The game of the earlier hand shown."""
        past = self.past
        if past.chosen is not None:
            return past.chosen.config
        return past.session.config if past.session is not None else None

    def open_traces(self) -> tuple[Trace, ...]:
        """Return the traces that the player may look into, of the hand shown."""
        if self._earlier is not None:
            return self._earlier.traces
        return self.past.session.open_traces() if self.past.session is not None else ()

    @property
    def progress(self) -> tuple[int, int]:
        """Number of the hand on the table and its events so far; zeros while an earlier hand is shown."""
        session = self.past.session
        return session.progress if session is not None and self.is_following else (0, 0)

    def revealed(self) -> dict[Seat, HoleCards]:
        """Return the cards that study mode opens of the hand shown, which are those on the table alone."""
        session = self.past.session
        return session.revealed() if session is not None and self.is_following else {}

    # Intents

    def go_earlier(self) -> None:
        """Show the hand before; one that is damaged is passed over with a notice."""
        hands, at = self.past.hands, self.hand_index
        while at > 0:
            at -= 1
            if self._show(hands[at]):
                return

    def go_later(self) -> None:
        """Show the hand after; after the last finished one follow the table."""
        if self._hand is None:
            return
        hands = self.past.hands
        for at in range(self.hand_index + 1, len(hands)):
            if self._show(hands[at]):
                return
        if self.past.chosen is None:
            self.go_back()

    def go_to_last(self) -> None:
        """Show the last hand that has ended, also that on the table, unless an earlier one is shown."""
        if self.is_following and ((ended := self.past.ended_on_table) is None or not self._show(ended)):
            self.go_earlier()

    def go_back(self) -> None:
        """Follow the table again."""
        if self.past.session is None or (self.is_following and self.past.chosen is None):
            return
        self.leave()

    def leave(self) -> None:
        """Show no earlier hand, and choose no earlier session."""
        self._forget_hand()
        self.past.choose_table()
        self.hand_changed.emit()

    def toggle(self) -> None:
        """Go to the hand before, or back to the table."""
        if self.is_following:
            self.go_earlier()
        else:
            self.go_back()

    def look_at(self, index: int) -> None:
        """Show one of `hands`; the place after them is the hand on the table."""
        hands = self.past.hands
        if 0 <= index < len(hands):
            if not self._show(hands[index]):
                self.hand_changed.emit()  # what is shown stays, and so do the choosers
        else:
            self.go_back()

    def open_hand(self, session_id: int, number: int) -> None:
        """Show a finished hand of a session of the store, once the hands of that are read."""
        self._wanted = number
        self.past.open(session_id)

    def choose_session(self, index: int) -> None:
        """Show the last finished hand of one of the sessions, once its hands are read."""
        sessions = self.past.sessions
        if not 0 <= index < len(sessions):
            return
        chosen = sessions[index]
        if chosen.session_id is None and not chosen.match:
            self.go_back()
        elif chosen != self.past.chosen:
            self._wanted = None
            self.past.choose(chosen)

    def show_match(self, match: PastSession, hands: Sequence[PastHand], index: int) -> None:
        """Show one of the hands that bots have played without a table, and offer the others."""
        self.past.choose_match(match, hands)
        self._show(hands[index])

    def set_reader(self, name: str) -> None:
        """Let another reader read, also the earlier hand shown."""
        self._reader = name
        self._live.clear()
        if self._earlier is not None:
            self._earlier.set_reader(name)

    def request(self, event_count: int) -> None:
        """Answer with a reading for a point of the hand shown."""
        if self._earlier is not None:
            self._earlier.request(event_count)
        elif self.past.session is not None and self.past.on_table is not None:
            self.past.session.readings.request(observation_at(self.past.on_table, event_count))

    def look_up(self, observation: HandView) -> None:
        """Answer with `looked_up` for a moment of the hand shown."""
        if self._earlier is not None:
            self._earlier.look_up(observation)
        elif self.past.session is not None:
            self.past.session.readings.look_up(observation)

    def request_answers(self, trace: Trace) -> None:
        """Answer with what opponents would have done about each action of a decision; the newest request wins."""
        on_result = partial(self.answers_found.emit, trace)
        self._jobs.submit(
            _ANSWERS_LANE, partial(_answers_in, trace), on_result, on_error=_pass_over, newest_wins=True
        )

    def stop(self) -> None:
        """Read nothing more."""
        self._jobs.cancel(_ANSWERS_LANE)
        self.past.cancel()
        if self._earlier is not None:
            self._earlier.stop()

    # Showing

    def _show(self, hand: PastHand) -> bool:
        """Show a finished hand; return whether that can be done."""
        final = hand.read()
        if final is None:
            self.notice.emit(f"Hand {hand.number} is damaged and cannot be read.")
            return False
        self._forget_hand()
        past, config = self.past, self._config
        seed = stream_seed(config.seed, Stream.READER) if config is not None else 0
        known = past.known_at_start()
        earlier = EarlierHand(
            self._jobs,
            final,
            seed,
            self._reader,
            lambda: self.past.hands,
            known,
            self,
            was_played_elsewhere=past.chosen is not None and past.chosen.was_played_elsewhere,
        )
        earlier.reading_changed.connect(self.reading_changed)
        earlier.run_out_changed.connect(self.run_out_changed)
        earlier.learned.connect(self.learned)
        earlier.traces_changed.connect(self.traces_changed)
        earlier.looked_up.connect(self.looked_up)
        earlier.notice.connect(self.notice)
        kept = self._kept.get(hand.number) if self.past.chosen is None else None
        if kept is not None:
            run_outs = self._live_run_outs.get(hand.number, {})
            earlier.take_known(kept.traces, self._live.get(hand.number, {}), run_outs)
        elif hand.traces is not None:
            earlier.read_traces(hand.traces)
        elif past.store is not None and hand.hand_id is not None:
            earlier.read_traces(partial(past.store.traces, hand.hand_id))
        self._hand, self._earlier = hand, earlier
        self.hand_changed.emit()
        return True

    def _forget_hand(self) -> None:
        if self._earlier is not None:
            self._earlier.stop()
            self._earlier.deleteLater()
        self._hand = self._earlier = None

    def _on_session_chosen(self) -> None:
        wanted, self._wanted = self._wanted, None
        self._forget_hand()
        hands = self.past.finished
        for hand in (*(hand for hand in hands if hand.number == wanted), *reversed(hands)):
            if self._show(hand):
                return
        self.go_back()

    # What comes from the session

    def _on_view(self, view: TableView) -> None:
        self.past.show_on_table(view.own)

    def _on_live_reading(self, point: PointRanges) -> None:
        if isinstance(point, PointReading):
            self._live.setdefault(point.hand_number, {})[point.event_count] = point
            _keep_newest(self._live)

    def _on_live_run_out(self, point: RunOutPoint) -> None:
        self._live_run_outs.setdefault(point.hand_number, {})[point.event_count] = point
        _keep_newest(self._live_run_outs)

    def _on_resumed(self, hands: Sequence[PastHand]) -> None:
        """Read why bots decided as they did, of those who keep in mind whom they play: that takes two seats."""
        store, session = self.past.store, self.past.session
        if store is None or session is None or session.config is None or len(session.config.seats) != 2:
            return
        ids = [hand.hand_id for hand in hands[-_MOST_HANDS_BEFORE:] if hand.hand_id is not None]

        def read() -> tuple[Trace, ...]:
            return tuple(trace for hand_id in ids for trace in _first_trace(store, hand_id))

        def take(traces: tuple[Trace, ...]) -> None:
            if self.past.session is session:
                self.decisions_before.emit(traces)

        self._jobs.submit(_DECISIONS_LANE, read, take, newest_wins=True)

    def _on_hand_finished(self, hand: FinishedHand) -> None:
        self.past.add(hand)
        self._kept[hand.observation.hand_number] = hand
        _keep_newest(self._kept)


def _answers_in(trace: Trace) -> tuple[Answers, ...]:
    from engine.agents.soulread.answers import answers_in

    return answers_in(trace)


def _pass_over(_error: Exception) -> None:
    """Leave out what could not be worked out, which `jobs` has logged: the table says the rest."""


def _keep_newest(by_number: dict[int, T]) -> None:
    for number in sorted(by_number)[:-_KEPT]:
        del by_number[number]


def _first_trace(store: Store, hand_id: int) -> tuple[Trace, ...]:
    """Return the first decision of a stored hand, none of one that is damaged."""
    try:
        return store.traces(hand_id)[:1]
    except StoreError:
        return ()
