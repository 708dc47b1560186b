"""What the engine prepares while nothing else is to be done: the heads-up table, and kernels that can wait."""

import gc
import logging
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from trainer.jobs import Jobs

LANE = "preparation"

_RETRY_MILLISECONDS = 250
_QUIET_MILLISECONDS = 400  # what is done sooner, such as loading, needs no line

_log = logging.getLogger(__name__)


def preparation_steps() -> Iterator[str]:
    """Prepare the engine step by step; yield before each what it will do. It may be stopped after any step."""
    from engine.agents.learned.network import stored_likelihoods
    from engine.agents.soulread.dealing import preflop_pool
    from engine.equity.matchups import build_steps
    from engine.kernels.jit import warm_up_steps

    for number, total, name in warm_up_steps(at_start=False, is_soon=True):
        if name:
            yield f"Preparing for the flop: {name} ({number + 1} of {total})"
    for likelihoods in stored_likelihoods():
        yield "Preparing boards for decisions before the flop"
        preflop_pool(likelihoods)
    yield "Preparing the table of matchups before the flop"
    for done in build_steps():
        yield f"Preparing the table of matchups before the flop ({done:.0%})"
    for number, total, name in warm_up_steps(at_start=False, is_soon=False):
        if name:
            yield f"Preparing for later: {name} ({number + 1} of {total})"
    gc.freeze()  # as after warming up


class Preparation(QObject):
    """Takes one step after another in a lane of its own, each only while all other lanes have nothing to do."""

    progressed = Signal(str)  # what is being done, once it has taken a moment; "" at the end
    finished = Signal()  # all is prepared, or cannot be

    def __init__(
        self, jobs: Jobs, parent: QObject | None = None, steps: Callable[[], Iterator[str]] = preparation_steps
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._make_steps = steps
        self._steps: Iterator[str] | None = None
        self._text = ""
        self._is_shown = False
        self._retry = QTimer(self, singleShot=True, interval=_RETRY_MILLISECONDS)
        self._retry.timeout.connect(self._take_step)
        self._quiet = QTimer(self, singleShot=True, interval=_QUIET_MILLISECONDS)
        self._quiet.timeout.connect(self._show)

    def start(self) -> None:
        """Begin."""
        self._steps = self._make_steps()
        self._quiet.start()
        self._take_step()

    def stop(self) -> None:
        """Take no further step."""
        self._steps = None
        self._retry.stop()
        self._quiet.stop()

    def _take_step(self) -> None:
        if self._steps is None:
            return
        if self._jobs.is_quiet(apart_from=LANE):
            self._jobs.submit(LANE, partial(next, self._steps, None), self._on_step, on_error=self._on_error)
        else:
            self._retry.start()

    def _on_step(self, text: str | None) -> None:
        if text is None:
            self._finish()
            return
        self._text = text
        if self._is_shown:
            self.progressed.emit(text)
        self._take_step()

    def _on_error(self, error: Exception) -> None:
        # Nothing is lost: whoever asks for what is missing computes it, and says so if that fails.
        _log.warning("The engine could not be prepared any further: %s", error)
        self._finish()

    def _show(self) -> None:
        self._is_shown = True
        self.progressed.emit(self._text)

    def _finish(self) -> None:
        self.stop()
        if self._is_shown:
            self.progressed.emit("")
        self.finished.emit()
