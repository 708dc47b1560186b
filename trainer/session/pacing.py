"""The pace of the game: events shown one after the other, and the pause before the next hand."""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from engine.game.events import ActionTaken, BoardDealt, HoleCardsMucked, HoleCardsShown, PotAwarded
from engine.game.observation import Observation

_MOST_SECONDS = 4.0
_PAUSE_BEFORE_DEAL = 2.0  # in paces
# For how much of the pace an event stays the newest one; the others are shown together with the next.
_SHARE_OF_PACE: dict[type, float] = {
    ActionTaken: 1.0,
    BoardDealt: 1.0,
    HoleCardsShown: 1.0,
    HoleCardsMucked: 0.5,
    PotAwarded: 1.0,
}


class Showing(QObject):
    """Holds the moments of a hand, one per event, back until their time has come."""

    shown = Signal(object)  # list of Observation: the moments of events that were shown together
    all_shown = Signal()  # nothing is held back

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moments: list[Observation] = []
        self.pace_seconds = 0.0
        self._held: deque[Observation] = deque()
        self._shown_at = 0.0
        self._is_skipping = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show_due)

    @property
    def is_held(self) -> bool:
        """Whether moments are held back."""
        return bool(self._held)

    @property
    def is_at_once(self) -> bool:
        """Whether events are shown without pace."""
        return self._is_skipping or not self.pace_seconds

    def begin(self, moments: Sequence[Observation] = ()) -> None:
        """Begin a hand, of which these moments have been shown."""
        self.moments = list(moments)

    def add(self, moments: Sequence[Observation]) -> None:
        """Take moments to be shown in their turn, by `show_due`."""
        self._held.extend(moments)

    def set_pace(self, seconds: float) -> None:
        """Show each event for so long, 0 (at once) to 4 seconds."""
        self.pace_seconds = min(max(seconds, 0.0), _MOST_SECONDS)
        if self._held:
            self.show_due()

    def hurry(self) -> None:
        """Show the next event as soon as it is known."""
        self._shown_at = -math.inf

    def set_skipping(self, is_skipping: bool) -> None:
        """Show everything at once, or again at the pace."""
        self._is_skipping = is_skipping

    def stop(self) -> None:
        """Show nothing more."""
        self._timer.stop()

    def show_due(self) -> None:
        """Show every event whose time has come, and set the timer for the next."""
        self._timer.stop()
        new: list[Observation] = []
        wait = 0.0
        while self._held and (wait := self._wait_seconds()) <= 0:
            new.append(self._held.popleft())
            self.moments.append(new[-1])
            self._shown_at = time.monotonic()
        if new:
            self.shown.emit(new)
        if self._held:
            self._timer.start(max(round(1000 * wait), 1))
        else:
            self.all_shown.emit()

    def _wait_seconds(self) -> float:
        if not self.moments or self._is_skipping:
            return 0.0
        hold = self.pace_seconds * _SHARE_OF_PACE.get(type(self.moments[-1].events[-1]), 0.0)
        return self._shown_at + hold - time.monotonic()


class AutomaticDeal(QObject):
    """Lets a pause pass after a hand, if that is wanted and nothing holds it.

    `is_due` returns whether a hand has ended and another one can be dealt, `pace_seconds` how long an event is
    shown. The signal `timeout` asks for the hand.
    """

    timeout = Signal()

    def __init__(
        self, is_due: Callable[[], bool], pace_seconds: Callable[[], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_wanted = self._is_held = False
        self._is_due = is_due
        self._pace_seconds = pace_seconds
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.timeout)

    @property
    def is_waiting(self) -> bool:
        """Whether the next hand would be dealt by now, but for `hold`."""
        return self._is_wanted and self._is_held and self._is_due()

    def want(self, is_wanted: bool) -> None:
        """Deal the next hand without being asked, or only when asked."""
        self._is_wanted = is_wanted
        self.wait()

    def hold(self, is_held: bool) -> None:
        """Let dealing wait, or go on with its pause."""
        if is_held != self._is_held:
            self._is_held = is_held
            self.wait()

    def wait(self) -> None:
        """Begin the pause, again if it has begun."""
        if not self._is_wanted or self._is_held:
            self.stop()
        elif self._is_due():
            self._timer.start(round(1000 * _PAUSE_BEFORE_DEAL * self._pace_seconds()))

    def stop(self) -> None:
        """Deal nothing for now."""
        self._timer.stop()
