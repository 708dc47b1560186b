"""What the odds window shows: what is entered, and its odds as they come in; a new question starts at once."""

from contextlib import suppress
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, Signal

from engine.equity.checks import EquityError
from engine.equity.decisions import (
    BetFigures,
    CallFigures,
    figures_of_bet,
    figures_of_call,
)
from engine.equity.outs import OutFigures, figures_of_outs
from engine.equity.question import EquityQuestion
from engine.equity.report import WRITERS, OddsReport
from engine.equity.solve import solve
from trainer.calculator.entry_model import OddsEntry
from trainer.calculator.input_model import OddsInput
from trainer.calculator.run_model import Asked, OddsRun, PlayerOdds, RunState, Solve, format_odds, format_run
from trainer.jobs import Jobs

_FOR_PEOPLE = ("text", "markdown")


class OddsModel(QObject):
    """Computes what is entered at once, and shows what comes back.

    `clashes` names, for "board", "dead" or a player's index, what makes the question impossible.
    """

    input_changed = Signal()
    odds_changed = Signal()

    def __init__(
        self,
        jobs: Jobs,
        solve_question: Solve | None = None,
        random: np.random.Generator | None = None,
        ranking: int = 1,
    ) -> None:
        super().__init__()
        # The lane's work holds the executor alone: whoever lets go of `jobs` last destroys it.
        self.run = OddsRun(jobs, solve_question or partial(solve, executor=jobs.executor))
        self.entry = OddsEntry(random, ranking)
        self.clashes: dict[str | int, str] = {}
        self.run.changed.connect(self._on_run_changed)
        self.entry.changed.connect(self._on_entry_changed)

    @property
    def entered(self) -> OddsInput:
        return self.entry.entered

    def _on_entry_changed(self) -> None:
        entered = self.entered
        question = entered.question()
        keys = tuple(entered.rows[index].key for index in entered.taking_part)
        with QSignalBlocker(self.run):  # who listens hears of it once, of the input first
            self.run.ask(None if question is None else Asked(question, entered.seed, keys))
        self._name_at_fault()
        self.input_changed.emit()
        self.odds_changed.emit()

    def _on_run_changed(self) -> None:
        if self._name_at_fault():
            self.input_changed.emit()
        self.odds_changed.emit()

    def _name_at_fault(self) -> bool:
        """Say at the rows that no deal can hold together why there are no odds; return whether that is new."""
        at_fault, clashes = self.run.at_fault, self.entered.clashes()
        for index, row in enumerate(self.entered.rows):
            if row.key in at_fault:
                clashes.setdefault(index, self.run.failure)
        is_new, self.clashes = clashes != self.clashes, clashes
        return is_new

    # ---- the odds

    @property
    def answered(self) -> EquityQuestion | None:
        """The question that the results shown answer: the one before the last change while they are stale."""
        return self.run.answered.question if self.run.snapshot is not None and self.run.answered else None

    def row_of(self, player: int) -> int | None:
        """Return the row of a player of `answered`, or None if it is gone."""
        answered = self.run.answered
        if answered is None or player >= len(answered.keys):
            return None
        return self.entered.index_of(answered.keys[player])

    @property
    def progress(self) -> float:
        """Part of the running work that is done, 0 to 1; 0 while nothing runs."""
        if self.run.snapshot is None or self.run.state not in (RunState.RUNNING, RunState.PAUSED):
            return 0.0
        return self.run.snapshot.progress

    def odds(self, index: int) -> PlayerOdds | None:
        """Return a row's line of the results, if there is one."""
        snapshot, answered = self.run.snapshot, self.run.answered
        key = self.entered.rows[index].key
        if (
            snapshot is None
            or answered is None
            or key not in answered.keys
            or not self.entered.rows[index].takes_part
        ):
            return None
        player = snapshot.value[answered.keys.index(key)]
        return format_odds(player, snapshot.method)

    def run_text(self) -> str:
        """Say what the results are, or why there are none."""
        snapshot = self.run.snapshot
        if self.run.state is RunState.NOTHING:
            return self.entered.problem()
        if self.run.state is RunState.FAILED:
            return self.run.failure
        if self.run.state is RunState.WAITING and (snapshot is None or self.run.is_faint):
            return "Starting …"
        if snapshot is None:
            return "Stopped before the first result."
        is_done = self.run.state is RunState.WAITING and snapshot.is_final
        return format_run(snapshot, RunState.FINISHED if is_done else self.run.state)

    # ---- the odds as text

    def report(self, form: str) -> str:
        """Write the results as `report.WRITERS` can; text and Markdown end with the question's line.

        Empty without results, and while they are those of the question before: they do not go with its line.
        """
        snapshot, answered = self.run.snapshot, self.run.answered
        if snapshot is None or answered is None or self.run.is_stale:
            return ""
        names = [row.name or row.understood for key in answered.keys for row in self.entered.rows if row.key == key]
        if len(names) != len(snapshot.value):
            return ""
        written = WRITERS[form](OddsReport(tuple(names), snapshot, *self._figures(), folded=self._folded_hands()))
        return f"{written}\n\n{self.entry.line()}" if form in _FOR_PEOPLE else written

    def _folded_hands(self) -> tuple[str, ...]:
        shared = self.entered.shared()
        return () if shared is None else tuple(map(str, shared.folded))

    def _figures(self) -> tuple[CallFigures | None, BetFigures | None, OutFigures | None]:
        """Figure what a call or a bet of the first player has to be worth, if that is asked."""
        first = self.entered.rows[self.entered.taking_part[0]]
        snapshot = self.run.snapshot
        call = bet = outs = None
        if self.entered.pot is None or snapshot is None:
            return None, None, None
        equity = snapshot.value[0].equity
        with suppress(EquityError):  # chips that contradict each other are marked where they are entered
            if self.entered.to_call:
                call = figures_of_call(self.entered.pot, self.entered.to_call, equity)
            if self.entered.bet:
                bet = figures_of_bet(self.entered.pot, self.entered.bet, equity, self.entered.to_call or 0.0)
        if first.hole_cards:
            hole_cards = first.hole_cards[0], first.hole_cards[1]
            outs = figures_of_outs(hole_cards, self.entered.board.cards, self.entered.dead_cards)
        return call, bet, outs
