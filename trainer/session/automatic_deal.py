"""When the next hand is dealt by itself."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

_PAUSE = 2.0  # in paces


class AutomaticDeal(QObject):
    """Lets a pause pass after a hand, if that is wanted and nothing holds it.

    Parameters
    ----------
    is_due : callable
        Whether a hand has ended and another one can be dealt.
    pace_seconds : callable
        How long an event is shown; the pause is twice as long.

    Signals
    -------
    timeout
        The hand is to be dealt.
    """

    timeout = Signal()

    def __init__(
        self, is_due: Callable[[], bool], pace_seconds: Callable[[], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._is_wanted = self._is_held = False
        self._is_due = is_due
        self._pace_seconds = pace_seconds
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
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
            self._timer.start(round(1000 * _PAUSE * self._pace_seconds()))

    def stop(self) -> None:
        """Deal nothing for now."""
        self._timer.stop()
