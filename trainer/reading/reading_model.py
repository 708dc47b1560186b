"""Which point of a hand the read panel shows, what was read there, and the hands that were really held."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from engine.cards import HoleCards
from engine.game.events import Seat
from trainer.reading.range_model import HandPoint, OpponentRange, hand_points, opponent_ranges
from trainer.session.types import PointRanges


class ReadingModel(QObject):
    """Follows a hand, or stays at an earlier point of it; readings are kept until the next hand.

    `point_requested` asks for a reading, which `take` answers; until then `shown` is that of another point.
    """

    moved = Signal()
    shown_changed = Signal()
    truth_changed = Signal()
    point_requested = Signal(object)  # event count
    point_chosen = Signal(object)  # event count, or None to follow the hand

    def __init__(self) -> None:
        super().__init__()
        self.points: tuple[HandPoint, ...] = ()
        self.shown: PointRanges | None = None
        self.ranges: dict[Seat, OpponentRange] = {}
        self._readings: dict[int, PointRanges] = {}
        self._hand_number: int | None = None
        self._wanted: int | None = None
        self._in_big_blinds = False
        self._truth: dict[Seat, HoleCards] = {}
        self._truth_hand: int | None = None

    @property
    def is_live(self) -> bool:
        return self._wanted is None

    @property
    def last(self) -> int:
        """Index of the newest point; 0 without any."""
        return max(len(self.points) - 1, 0)

    @property
    def position(self) -> int:
        """Index of the point wanted."""
        return self.last if self._wanted is None else min(self._wanted, self.last)

    @property
    def label(self) -> str:
        """What the point wanted is; empty without any."""
        return self.points[self.position].label if self.points else ""

    def take(self, point: PointRanges) -> None:
        """Take a reading: the newest of the hand, or an earlier one that was asked for."""
        if point.hand_number != self._hand_number:
            self._forget()
            self._hand_number = point.hand_number
        points = hand_points(point.observation, self._in_big_blinds)
        if len(points) >= len(self.points):
            self.points = points
        reached = (i for i, one in enumerate(self.points) if one.event_count <= point.event_count)
        index = max(reached, default=0)
        self._readings[index] = point
        self.moved.emit()
        if index == self.position:
            self._show(point)

    def _show(self, point: PointRanges) -> None:
        self.shown = point
        self.ranges = {opponent.seat: opponent for opponent in opponent_ranges(point)}
        self.shown_changed.emit()

    def go_to(self, index: int) -> None:
        """Go to a point; the newest one is followed from then on."""
        if not self.points:
            return
        index = min(max(index, 0), self.last)
        self._wanted = None if index == self.last else index
        event_count = self.points[index].event_count
        self.moved.emit()
        self.point_chosen.emit(None if self._wanted is None else event_count)
        if index in self._readings:
            self._show(self._readings[index])
        else:
            self.point_requested.emit(event_count)

    def forget_readings(self) -> None:
        """Let all points be read again, by another reader."""
        self._readings.clear()

    def clear(self) -> None:
        self._forget()
        self._truth = {}
        self._truth_hand = None
        self.moved.emit()

    def _forget(self) -> None:
        self._readings.clear()
        self.points = ()
        self._hand_number = self._wanted = self.shown = None
        self.ranges = {}

    def set_units(self, big_blinds: bool) -> None:
        self._in_big_blinds = big_blinds
        if self._readings:
            points = hand_points(self._readings[max(self._readings)].observation, big_blinds)
            self.points = points + self.points[len(points) :]
            self.moved.emit()

    def set_truth(self, truth: Mapping[Seat, HoleCards], hand_number: int | None = None) -> None:
        """Set the hands really held, by seat, of the hand shown by default; they wait for its first reading."""
        self._truth = dict(truth)
        self._truth_hand = self._hand_number if hand_number is None else hand_number
        self.truth_changed.emit()

    def truth_of(self, seat: Seat) -> HoleCards | None:
        """Return the hand that a player of the hand shown really held, if it is known."""
        return self._truth.get(seat) if self._truth_hand == self._hand_number else None
