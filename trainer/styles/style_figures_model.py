"""What a style is measured to do while it is edited: hands played on a lane once its numbers have settled."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from msgspec import structs
from PySide6.QtCore import QObject, QTimer, Signal

from engine.agents.style_file import OwnStyle, style_text
from trainer.jobs import Jobs

if TYPE_CHECKING:
    from engine.figures.mean import Mean
    from engine.lab.measured_styles import StyleFigures

LANE: Final = "style figures"

TABLES: Final = (2, 6, 9)
"""Seats of the tables at which a style can be measured."""

HANDS: Final = 2000
"""On which it is measured."""

_SETTLED_MS = 250
_MOST_KEPT = 100

_Figure = Literal["vpip", "pfr", "three_bet", "aggression", "went_to_showdown", "won_at_showdown"]

_FIGURES: Final[dict[_Figure, tuple[str, str]]] = {
    "vpip": ("VPIP", "Hands in which it called or raised before the flop"),
    "pfr": ("PFR", "Hands in which it raised before the flop"),
    "three_bet": ("3-bet", "Raises before the flop that it raised again, of those that it could"),
    "aggression": ("AF", "Bets and raises after the flop over calls"),
    "went_to_showdown": ("WTSD", "Showdowns, of hands in which it saw a flop"),
    "won_at_showdown": ("W$SD", "Showdowns that it won, all or a part"),
}


class MeasuredFigure(NamedTuple):
    """A measured figure for people: what it is called, its value with its standard error, and what it counts."""

    title: str
    text: str
    help: str


class StyleFiguresModel(QObject):
    """Measures the style that it is shown, while it is on; what was measured once is there at once."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._style: OwnStyle | None = None  # without its name, on which nothing depends
        self._seats = 6
        self._is_on = False
        self._figures: StyleFigures | None = None
        self._is_current = False
        self._problem = ""
        self._known: dict[tuple[OwnStyle | None, int], StyleFigures] = {}
        self._settled = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settled.timeout.connect(self._measure)

    @property
    def seats(self) -> int:
        """Of the tables at which it is measured."""
        return self._seats

    @property
    def is_current(self) -> bool:
        """Whether the figures are those of these numbers, rather than of those before."""
        return self._is_current

    @property
    def views(self) -> tuple[MeasuredFigure, ...]:
        """The figures."""
        return tuple(
            MeasuredFigure(title, _text(getattr(self._figures, name, None), name), what)
            for name, (title, what) in _FIGURES.items()
        )

    @property
    def progress(self) -> str:
        """How far the measurement is, in a line."""
        if self._problem:
            return self._problem
        if self._figures is None or not self._is_current:
            return "Measuring…"
        hands = self._figures.hands
        how_far = f"{hands:,} hands" if hands >= HANDS else f"{hands:,} of {HANDS:,} hands"
        return f"With standard errors, over {how_far} against styles of the app that play by rules."

    def show_style(self, style: OwnStyle) -> None:
        """Measure another style."""
        unnamed = structs.replace(style, name="any")
        if unnamed != self._style:
            self._style = unnamed
            self._begin()

    def set_seats(self, seats: int) -> None:
        """Measure at tables of so many."""
        if seats != self._seats:
            self._seats = seats
            self._begin()

    def set_on(self, is_on: bool) -> None:
        """Measure from now on, or stop: nobody looks."""
        self._is_on = is_on
        self._begin()

    def _begin(self) -> None:
        """Measure once the numbers have settled."""
        self._problem = ""
        self._settled.stop()
        self._jobs.cancel(LANE)
        known = self._known.get((self._style, self._seats))
        self._is_current = known is not None
        if known is not None:
            self._figures = known
        elif self._is_on and self._style is not None:
            self._settled.start()
        self.changed.emit()

    def _measure(self) -> None:
        assert self._style is not None
        self._jobs.submit(
            LANE,
            partial(_measured, style_text(self._style), self._seats),
            partial(self._on_measured, (self._style, self._seats)),
            on_error=self._on_failed,
            newest_wins=True,
        )

    def _on_measured(self, key: tuple[OwnStyle, int], figures: "StyleFigures") -> None:
        self._figures, self._is_current = figures, True
        if figures.hands >= HANDS:
            self._known[key] = figures
            for oldest in list(self._known)[:-_MOST_KEPT]:
                del self._known[oldest]
        self.changed.emit()

    def _on_failed(self, error: Exception) -> None:
        self._problem = f"It could not be measured: {error}"
        self.changed.emit()


def _text(mean: "Mean | None", name: _Figure) -> str:
    if mean is None:
        return "–"
    scale, unit, digits = (1.0, "", 2) if name == "aggression" else (100.0, "%", 1)
    error = "" if mean.stderr is None else f" ± {scale * mean.stderr:.{digits}f}"
    return f"{scale * mean.value:.{digits}f}{error}{unit}"


def _measured(text: str, seats: int) -> "Iterator[StyleFigures]":
    """Count what a style does, on a lane."""
    from engine.agents.styles import make_agent
    from engine.lab.measured_styles import FigurePlan, measured

    return measured(lambda: make_agent(text), FigurePlan(seats=seats, hands=HANDS))
