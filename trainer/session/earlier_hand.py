"""A finished hand that the panels show, and what is read of it.

Where the readings of the time are not kept any more, a reader that has learned the hands before and no later one
reads them again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from engine.agents.agent import KnownPlayers, Trace
from engine.game.history import observation_at
from engine.game.observation import HandView
from trainer.jobs import Job, Jobs
from trainer.session.past_hands import LANE, PastHand
from trainer.session.readings import Readings, is_reading_point, is_run_out
from trainer.session.types import PointRanges, RunOutPoint

_PAUSE_MILLISECONDS = 150
"""Before anything is computed: a player who goes through hands by key stops at one of them only."""


class EarlierHand(QObject):
    """Holds what is known of one hand, each point by its number of events, and reads what is not.

    Before it can read, the reader has to learn the hands that `before` returns, `hands_to_learn` of them; it begins
    with what was `known` of the players when the session began.
    """

    reading_changed = Signal(object)  # PointRanges
    run_out_changed = Signal(object)  # RunOutPoint
    learned = Signal(object)  # how many hands the reader knows by now
    traces_changed = Signal()
    looked_up = Signal(object)  # PointRanges: answers `look_up`
    notice = Signal(str)

    def __init__(
        self,
        jobs: Jobs,
        final: HandView,
        seed: int,
        reader: str,
        before: Callable[[], Iterable[PastHand]],
        known: Callable[[], KnownPlayers],
        parent: QObject | None = None,
        *,
        was_played_elsewhere: bool = False,
    ) -> None:
        super().__init__(parent)
        self.final = final
        self.traces: tuple[Trace, ...] = ()
        self.points: dict[int, PointRanges] = {}
        self.run_outs: dict[int, RunOutPoint] = {}
        self.hands_to_learn = 0
        self._jobs = jobs
        self._seed = seed
        self._reader = reader
        self._before = before
        self._known = known
        self._was_played_elsewhere = was_played_elsewhere
        self._readings: Readings | None = None
        self._asked: HandView | None = None
        self._job: Job | None = None
        self._traces_job: Job | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._prepare)
        self._pause.start()

    def take_known(
        self, traces: tuple[Trace, ...], points: Mapping[int, PointRanges], run_outs: Mapping[int, RunOutPoint]
    ) -> None:
        """Take what was known of the hand when it was played."""
        self.traces, self.points, self.run_outs = traces, dict(points), dict(run_outs)

    def read_traces(self, read: Callable[[], tuple[Trace, ...]]) -> None:
        """Read the decisions that are kept of the hand."""
        self._traces_job = self._jobs.submit(LANE, read, self._on_traces, on_error=self._on_traces_error)

    def set_reader(self, name: str) -> None:
        """Let another reader read."""
        self._reader = name
        self.points.clear()
        self._stop_reading()
        self._pause.start()

    def request(self, event_count: int) -> None:
        """Answer with `reading_changed` for a point of the hand."""
        if event_count in self.points:
            self.reading_changed.emit(self.points[event_count])
        elif self._readings is not None:
            self._readings.request(observation_at(self.final, event_count))

    def look_up(self, observation: HandView) -> None:
        """Answer with `looked_up` for a moment of the hand."""
        known = self.points.get(len(observation.events))
        if known is not None:
            self.looked_up.emit(known)
        elif self._readings is not None:
            self._readings.look_up(observation)
        else:
            self._asked = observation
            self._pause.start()

    def before(self) -> tuple[PastHand, ...]:
        """Return the hands before it, which a reader learns first."""
        return tuple(hand for hand in self._before() if hand.number < self.final.hand_number)

    def stop(self) -> None:
        """Read nothing more."""
        if self._traces_job is not None:
            self._traces_job.cancel()
            self._traces_job = None
        self._stop_reading()

    def _stop_reading(self) -> None:
        self._pause.stop()
        self.hands_to_learn = 0
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._readings is not None:
            self._readings.stop()
            self._readings.deleteLater()
            self._readings = None

    def _prepare(self) -> None:
        """Begin to read the points that are not known."""
        final, points, run_outs = self.final, set(self.points), set(self.run_outs)

        def unread() -> list[HandView]:
            moments = [observation_at(final, count) for count in range(1, len(final.events) + 1)]
            return [
                at
                for at in moments
                if (is_reading_point(at) and len(at.events) not in points)
                or (is_run_out(at) and len(at.events) not in run_outs)
            ]

        self._job = self._jobs.submit(LANE, unread, self._on_prepared, on_error=self._on_error)

    def _on_prepared(self, unread: list[HandView]) -> None:
        self._job = None
        if not unread and self._asked is None:
            return
        readings = self._readings = Readings(
            self._jobs,
            self._seed,
            self,
            reader=self._reader,
            lane=LANE,
            was_played_elsewhere=self._was_played_elsewhere,
        )
        readings.meet(self._known)
        readings.reading_changed.connect(self._on_reading)
        readings.run_out_changed.connect(self._on_run_out)
        readings.looked_up.connect(self.looked_up)
        readings.learned.connect(self.learned)
        readings.failed.connect(self.notice)
        if self._asked is not None or any(map(is_reading_point, unread)):
            before = self.before()
            self.hands_to_learn = len(before)
            readings.learn(observations_of(before))
        if self._asked is not None:
            readings.look_up(self._asked)
        readings.add(unread)

    def _on_traces(self, traces: tuple[Trace, ...]) -> None:
        self._traces_job = None
        self.traces = traces
        self.traces_changed.emit()

    def _on_traces_error(self, error: Exception) -> None:
        self._traces_job = None
        self.notice.emit(f"The decisions of this hand cannot be read: {error}")

    def _on_reading(self, point: PointRanges) -> None:
        if point.is_whole:
            self.points[point.event_count] = point
        self.reading_changed.emit(point)

    def _on_run_out(self, point: RunOutPoint) -> None:
        self.run_outs[point.event_count] = point
        self.run_out_changed.emit(point)

    def _on_error(self, error: Exception) -> None:
        self._job = None
        self.notice.emit(f"This hand cannot be read: {error}")


def observations_of(hands: Iterable[PastHand]) -> Iterator[HandView]:
    """Yield what was seen of hands, without those that are damaged."""
    return (seen for hand in hands if (seen := hand.read()) is not None)
