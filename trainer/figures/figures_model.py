"""What the window of figures shows: filters, tables and lines as text, made in lanes."""

from PySide6.QtCore import QObject, Signal

from engine.figures.mean import Mean, rate_interval
from engine.figures.player_figures import KNOWN_TO, Line, hands_to_know
from engine.figures.report import as_csv, known_words, lines_as_csv
from engine.game.formats import SeatConfig
from engine.words import counted
from trainer.figures.hands import CountProgress, FiguresFilter, HandBook, HandLines, Summary, counting_steps
from trainer.figures.leaks_model import LeaksModel
from trainer.figures.over_time_model import OverTimeModel
from trainer.figures.starting_hands_model import StartingHandsModel
from trainer.figures.tendencies_model import TendenciesModel
from trainer.jobs import Job, Jobs
from trainer.play.results_model import rate_text
from trainer.storage.store import Store

COUNTING, SUMMING = "counting figures", "figures"
"""Lanes."""

LINE_NAMES = {
    Line.NET: "Net",
    Line.ALL_IN: "All-in adjusted",
    Line.VALUE: "Value-adjusted",
    Line.SHOWDOWN: "Showdown",
    Line.NON_SHOWDOWN: "Non-showdown",
}
"""In the order of the legend."""

LINE_MEANINGS = {
    Line.NET: "Won less lost",
    Line.ALL_IN: "Net without the luck of boards that came when all were all-in, by the cards of everybody",
    Line.VALUE: "Net without the luck of all boards; the cards of everybody are known after the hand",
    Line.SHOWDOWN: "Net of the hands that went to showdown with them",
    Line.NON_SHOWDOWN: "Net of all other hands",
}


class FiguresModel(QObject):
    """Counts the hands of a store when asked to, and sums up those that a filter leaves."""

    progressed = Signal()  # counting goes on, or has ended
    book_changed = Signal()  # there are more hands to choose from
    summary_changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.book: HandBook | None = None
        self.summary: Summary | None = None
        self.wanted = FiguresFilter()
        self.done = self.most = 0
        self.was_stopped = False
        self.why_failed = ""  # one sentence if counting has failed, until it begins again
        self._player: SeatConfig | None = None
        self._store: Store | None = None
        self._jobs = jobs
        self.tendencies = TendenciesModel(jobs, self)
        self.starting_hands = StartingHandsModel(jobs, self)
        self.over_time = OverTimeModel(jobs, self)
        self.leaks = LeaksModel(jobs, self)
        self._counting: Job | None = None

    @property
    def is_counting(self) -> bool:
        """Whether hands are still being counted."""
        return self._counting is not None

    def count(self, store: Store) -> None:
        """Count what is not counted yet, and show it."""
        self.stop()
        self.was_stopped, self.why_failed = False, ""
        book = self.book if store is self._store else None
        self._store = store
        self._counting = self._jobs.submit(
            COUNTING, lambda: counting_steps(store, book), self._on_counted, on_error=self._on_error
        )
        self.progressed.emit()

    def stop(self) -> None:
        """Count no further; what is counted stays."""
        self.tendencies.stop()
        self.leaks.stop()
        if self._counting is not None:
            self._counting.cancel()
            self._counting, self.was_stopped = None, True
            self.progressed.emit()

    def count_tendencies(self) -> None:
        """Count what the player shown does beside what is usual."""
        if self._store is not None and self.summary is not None:
            self.tendencies.count(self._store, self.summary)

    def count_leaks(self) -> None:
        """Read the reviews of the hands of the player shown."""
        if self._store is not None and self.summary is not None:
            self.leaks.count(self._store, self.summary)

    def choose(self, wanted: FiguresFilter) -> None:
        """Count only some hands."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._sum_up()

    def choose_player(self, player: SeatConfig) -> None:
        """Show one player by position and hand by hand."""
        if self.summary is not None and player != self.summary.player:
            self._player = player
            self._sum_up()

    def _on_counted(self, counting: CountProgress) -> None:
        self.done, self.most = counting.done, counting.most
        if counting.done == counting.most:
            self._counting = None
        if counting.book is not self.book:
            self.book = counting.book
            self.book_changed.emit()
            self._sum_up()
        self.progressed.emit()

    def _sum_up(self) -> None:
        book, wanted, player = self.book, self.wanted, self._player
        if book is not None:
            self._jobs.submit(
                SUMMING,
                lambda: book.summary(wanted, player),
                self._on_summary,
                newest_wins=True,
            )

    def _on_summary(self, summary: Summary) -> None:
        self.summary = summary
        if self._store is not None:
            self.starting_hands.count(self._store, summary)
            self.over_time.count(self._store, summary)
        self.summary_changed.emit()

    def _on_error(self, error: Exception) -> None:
        self._counting, self.why_failed = None, str(error)
        self.progressed.emit()

    # In words

    def progress_text(self) -> str:
        """Say how far counting is, or why it has failed, and what is shown."""
        if self.is_counting:
            return f"Counting hands: {self.done:,} of {self.most:,}" if self.most else "Reading the hands …"
        if self.why_failed:
            return self.why_failed
        shown = self.summary.hands if self.summary is not None else 0
        left = self.most - self.done if self.was_stopped else 0
        stopped = f" Stopped: {left:,} hands are not counted yet." if left else ""
        others = self.summary.others if self.summary is not None else 0
        listed = f" {others:,} players of fewer hands are not listed." if others else ""
        return f"{counted(shown, 'hand')}.{listed}{stopped}"

    def numbers_csv(self) -> str:
        """Return the figures of the player shown as CSV, by position; "" without hands."""
        summary = self.summary
        if summary is None or summary.player is None or summary.own is None:
            return ""
        return as_csv({summary.player.name: summary.own.rows()})

    def lines_csv(self) -> str:
        """Return what the player shown had won after each hand as CSV; "" without hands."""
        own = self.summary.own if self.summary is not None else None
        return lines_as_csv(own.rows()) if own is not None else ""


def headline(summary: Summary) -> str:
    """Say what the player shown has won, how well that is known, and how many hands it takes to know."""
    if summary.player is None:
        return "No hand fits these filters." if summary.hands == 0 else ""
    figures = summary.players[summary.player]
    net, value = figures.rates[Line.NET], figures.rates.get(Line.VALUE)
    parts = [f"{summary.player.name}: {rate_text(net.value)} bb/100 as won{_limits(net)}"]
    if value is not None:
        parts.append(f"{rate_text(value.value)} value-adjusted{_limits(value)}")
    words = "; ".join(parts) + ". "
    known = known_words(net)
    if known == "known":
        return f"{words}Known to ±{KNOWN_TO:g} bb/100."
    if hands_to_know(net) is None:
        return f"{words}Hands until it is known to ±{KNOWN_TO:g} bb/100: {known}."
    needed, adjusted = hands_to_know(net), hands_to_know(value) if value is not None else None
    is_sooner = needed is not None and adjusted is not None and value is not None and adjusted < needed
    sooner = f", value-adjusted {known_words(value)}" if is_sooner and value is not None else ""
    return f"{words}Hands until it is known to ±{KNOWN_TO:g} bb/100: some {known}{sooner}."


def point_text(lines: HandLines, at: int) -> str:
    """Say what had been won after a point of the lines."""
    hand = int(lines.hands[at])
    won = ", ".join(
        f"{name} {_signed(float(lines.won[line][at]))}" for line, name in LINE_NAMES.items() if line in lines.won
    )
    rate = f" ({rate_text(100 * float(lines.won[Line.NET][at]) / hand)} bb/100)" if hand else ""
    return f"After hand {hand:,}, in bb: {won}{rate}"


def _signed(won: float) -> str:
    return f"{won:+,.1f}".replace("-", "−") if won else "0"


def _limits(rate: Mean) -> str:
    limits = rate_interval(rate)
    return "" if limits is None else f" (95%: {rate_text(limits[0])} to {rate_text(limits[1])})"
