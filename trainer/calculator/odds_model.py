"""What the odds window shows: hands and ranges as typed, the cards on the table, and their odds as they come in.

Every change is a step of one undo stack over the whole input; the odds of a new question start at once.
"""

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, count, repeat
from weakref import ref

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, Street, format_cards
from engine.checks import EquityError
from engine.equity.decisions import BetFigures, CallFigures, figures_of_bet, figures_of_call
from engine.equity.notation import SharedQuestion, format_question, parse_question
from engine.equity.outs import OutFigures, figures_of_outs
from engine.equity.question import EquityQuestion
from engine.equity.report import WRITERS, OddsReport
from engine.equity.solve import EquitySnapshot, solve
from engine.foreign_text import printable
from engine.ranges import Range
from trainer.calculator.input_model import (
    BOARD_CARDS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    CardField,
    OddsInput,
    PlayerRow,
    Used,
    at_least_two,
    filled,
    ranked,
    read_again,
    read_cards,
    read_player,
    readable,
    take_range,
    with_row,
)
from trainer.calculator.run_model import Asked, OddsRun, PlayerOdds, RunState, Solve, format_odds, format_run
from trainer.jobs import Jobs


class _Change(QUndoCommand):
    """A step from one input to another; steps with the same key in a row become one."""

    def __init__(self, model: "OddsModel", text: str, before: OddsInput, after: OddsInput, key: Hashable) -> None:
        super().__init__(text)
        # A cycle through the model's own stack crashes in PySide6 when Python collects it, in whatever thread.
        self._model = ref(model)
        self._before, self._after, self._key = before, after, key

    def id(self) -> int:
        return -1 if self._key is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other._key != self._key:
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)
        return True

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)

    def _apply(self, entered: OddsInput) -> None:
        model = self._model()
        assert model is not None, "the stack goes with its model"
        model.apply(entered)


class OddsModel(QObject):
    """Holds what was entered, has it computed at once, and shows what comes back.

    Parameters
    ----------
    jobs : Jobs
    solve_question : callable, optional
        Gives the snapshots of a question; runs in a worker. By default the engine's `solve`, which shares long work
        out over the threads of `jobs`.
    random : numpy.random.Generator, optional
        Deals random boards and hands; by default one of its own.
    ranking : int
        Against how many random hands the hands of a percentage are the best, 1 to 9.

    Attributes
    ----------
    undo_stack : QUndoStack
        One step for each change of anything entered; typing in a field is one step.
    clashes : dict
        For "board", "dead" or a player's index: which of its cards lies elsewhere too, that nothing of a range is
        left, or that it cannot be dealt together with others.

    Signals
    -------
    input_changed
        Rows, board, dead cards, method, chips or what is said about them.
    odds_changed
        Results, the state of the run or its line of text.
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
        self._run = OddsRun(jobs, solve_question or partial(solve, executor=jobs.executor))
        self._run.changed.connect(self._on_run_changed)
        self._keys = count()
        self._random = random or np.random.default_rng()
        self._entered = OddsInput(at_least_two((), self._keys), ranking=ranking)
        self._steps = 0
        self._was_shorter = False
        self.undo_stack = QUndoStack(self)
        self.clashes: dict[str | int, str] = {}

    # ---- what is entered

    @property
    def entered(self) -> OddsInput:
        """Everything entered."""
        return self._entered

    @property
    def rows(self) -> tuple[PlayerRow, ...]:
        """The players."""
        return self._entered.rows

    @property
    def board(self) -> CardField:
        """The board."""
        return self._entered.board

    @property
    def dead(self) -> CardField:
        """The dead cards, without those of folded hands."""
        return self._entered.dead

    @property
    def ranking(self) -> int:
        """Against how many random hands the hands of a percentage are the best."""
        return self._entered.ranking

    @property
    def pot(self) -> float | None:
        """Chips in the middle, if that is asked."""
        return self._entered.pot

    @property
    def to_call(self) -> float | None:
        """Chips that a call would cost, if that is asked."""
        return self._entered.to_call

    @property
    def bet(self) -> float | None:
        """Chips that would be bet, if that is asked."""
        return self._entered.bet

    def apply(self, entered: OddsInput) -> None:
        """Put an input in force; the undo stack's way in."""
        self._entered = entered
        question = entered.question()
        keys = tuple(entered.rows[index].key for index in entered.taking_part)
        with QSignalBlocker(self._run):  # who listens is told once, the input first
            self._run.ask(None if question is None else Asked(question, entered.seed, keys))
        self._name_at_fault()
        self.input_changed.emit()
        self.odds_changed.emit()

    def _change(self, text: str, entered: OddsInput, key: Hashable = None) -> None:
        """Make a change as a step of its own, or as a part of the one before with the same key."""
        entered = read_again(entered)
        if entered != self._entered:
            joined = None if key is None else (self._steps, key)
            self.undo_stack.push(_Change(self, text, self._entered, entered, joined))

    def end_step(self) -> None:
        """Let the next change be a step of its own, even if it is typed in the same field."""
        self._steps += 1

    def _typing(self, before: str, after: str) -> None:
        """End the step where typing turns into deleting, so that what was there can come back."""
        is_shorter = len(after) < len(before)
        if is_shorter and not self._was_shorter:
            self.end_step()
        self._was_shorter = is_shorter

    def set_question(
        self,
        players: Sequence[str | Range],
        board: Sequence[Card] | str = (),
        dead: Sequence[Card] | str = (),
        names: Sequence[str] = (),
        *,
        pot: float | None = None,
        to_call: float | None = None,
        bet: float | None = None,
        folded: Sequence[int] = (),
    ) -> None:
        """Replace everything entered, for instance by a position at the table, in one step.

        Parameters
        ----------
        players : sequence of str or Range
            At most ten; of a Range only the ratios of the weights matter, so they are scaled up to 1 and rounded.
        board, dead : cards, or their text
        names : sequence of str
            One per player, or none.
        pot, to_call, bet : float, optional
            Chips; see `set_amounts`.
        folded : sequence of int
            Players whose two cards are known, but who take no part.
        """
        rows = []
        for index, (hands, name) in enumerate(zip(players[:MAX_PLAYERS], chain(names, repeat("")), strict=False)):
            row = PlayerRow(next(self._keys), printable(name), is_folded=index in folded)
            if isinstance(hands, str):
                row = read_player(row, hands, ranking=self.ranking)
            else:
                row = take_range(row, readable(hands))
            rows.append(replace(row, is_folded=row.is_folded and bool(row.hole_cards)))
        entered = replace(
            self._entered,
            rows=at_least_two(rows, self._keys),
            board=read_cards(CardField(), _text_of(board), BOARD_CARDS),
            dead=read_cards(CardField(), _text_of(dead)),
            pot=pot,
            to_call=to_call,
            bet=bet,
        )
        self._change("open" if players else "clear all", entered)

    def clear(self) -> None:
        """Go back to two empty players and no cards."""
        self.set_question(())

    def set_player_text(self, index: int, text: str) -> None:
        """Take a new text for a player; one with a card that lies elsewhere is refused until it no longer does."""
        row = self.rows[index]
        self._typing(row.text, text)
        used = self._entered.used_cards(besides=index)
        self._set_row("typing", index, read_player(row, text, used, self.ranking), ("text", row.key))

    def set_player_range(self, index: int, hands: Range, text: str = "") -> None:
        """Take a range that was painted, and what was written for it, if anything; else its text follows."""
        row = self.rows[index]
        self._set_row("range", index, take_range(row, hands, text), ("range", row.key))

    def set_ranking(self, ranking: int) -> None:
        """Let percentages be the best hands against so many random ones, 1 to 9; no range changes by that."""
        rows = tuple(ranked(row, self.ranking, ranking) for row in self.rows)
        self._change("order of the best hands", replace(self._entered, rows=rows, ranking=ranking))

    def set_folded(self, index: int, *, is_folded: bool) -> None:
        """Mark a hand of two known cards as folded: the cards are dead, the player takes no part."""
        row = self.rows[index]
        if row.hole_cards:
            self._set_row("fold" if is_folded else "unfold", index, replace(row, is_folded=is_folded))

    def set_name(self, index: int, name: str) -> None:
        """Give a player a name, or with "" the number again."""
        self._set_row("name", index, replace(self.rows[index], name=printable(" ".join(name.split()))))

    def _set_row(self, text: str, index: int, row: PlayerRow, key: Hashable = None) -> None:
        self._change(text, with_row(self._entered, index, row), key)

    @property
    def can_add(self) -> bool:
        """Whether there is room for one more player."""
        return len(self.rows) < MAX_PLAYERS

    @property
    def can_remove(self) -> bool:
        """Whether there are more than two players."""
        return len(self.rows) > MIN_PLAYERS

    def add_player(self) -> None:
        """Add an empty row."""
        if self.can_add:
            self._set_rows("add player", (*self.rows, PlayerRow(next(self._keys))))

    def duplicate_player(self, index: int) -> None:
        """Add a row with the same range below; what holds two known cards cannot be dealt twice."""
        if self.can_add and not self.rows[index].hole_cards:
            twin = replace(self.rows[index], key=next(self._keys), name="")
            self._set_rows("duplicate player", (*self.rows[: index + 1], twin, *self.rows[index + 1 :]))

    def remove_player(self, index: int) -> None:
        """Take a row away."""
        if self.can_remove:
            self._set_rows("remove player", (*self.rows[:index], *self.rows[index + 1 :]))

    def move_player(self, index: int, to: int) -> None:
        """Put a row in another place."""
        if 0 <= to < len(self.rows) and to != index:
            rows = list(self.rows)
            rows.insert(to, rows.pop(index))
            self._set_rows("move player", tuple(rows))

    def _set_rows(self, text: str, rows: tuple[PlayerRow, ...]) -> None:
        self._change(text, replace(self._entered, rows=rows))

    def set_board_text(self, text: str) -> None:
        """Take a new text for the board."""
        self._typing(self.board.text, text)
        board = read_cards(self.board, text, BOARD_CARDS, self._entered.used_cards(besides="board"))
        self._change("board", replace(self._entered, board=board), "board")

    def set_dead_text(self, text: str) -> None:
        """Take a new text for the dead cards."""
        self._typing(self.dead.text, text)
        dead = read_cards(self.dead, text, used=self._entered.used_cards(besides="dead"))
        self._change("dead cards", replace(self._entered, dead=dead), "dead")

    def _drawn(self, wanted: int, taken: Sequence[Card]) -> list[Card] | None:
        free = [Card(card) for card in range(CARD_COUNT) if card not in taken]
        if len(free) < wanted:
            return None
        return [free[at] for at in self._random.choice(len(free), wanted, replace=False)]

    def deal_board(self, street: Street) -> None:
        """Complete the board at random up to a street; what lies there stays if it is not longer than that."""
        kept = self.board.cards[: BOARD_SIZE[street]]
        used = self._entered.used_cards(besides="board")
        drawn = self._drawn(BOARD_SIZE[street] - len(kept), [*kept, *used])
        if drawn is not None:
            self.end_step()
            self.set_board_text(format_cards([*kept, *drawn], " "))
            self.end_step()

    def deal_hand(self, index: int) -> None:
        """Give a player two cards at random."""
        drawn = self._drawn(2, list(self._entered.used_cards(besides=index)))
        if drawn is not None:
            self.end_step()
            self.set_player_text(index, format_cards(sorted(drawn, reverse=True)))
            self.end_step()

    def clear_board(self, street: Street) -> None:
        """Take back the cards of a street and of those after it."""
        before = BOARD_SIZE[Street(street - 1)] if street > Street.PREFLOP else 0
        self.end_step()
        self.set_board_text(format_cards(self.board.cards[:before], " "))
        self.end_step()

    def set_method(self, *, is_exact: bool, samples: int | None) -> None:
        """Choose exact counting, a number of sampled deals, or neither: the engine's own choice."""
        self._change("method", replace(self._entered, is_exact=is_exact, samples=samples), "method")

    def set_amounts(
        self, *, pot: float | None = None, to_call: float | None = None, bet: float | None = None
    ) -> None:
        """Take the chips of a decision, None for what is not asked; the odds stay what they are."""
        entered = replace(self._entered, pot=pot, to_call=to_call, bet=bet)
        asked, before = (pot, to_call, bet), (self.pot, self.to_call, self.bet)
        changed = tuple(new != old for new, old in zip(asked, before, strict=True))
        self._change("chips", entered, ("chips", changed))

    # ---- as one line

    def line(self) -> str:
        """Give everything entered as one line, or "" if no player has a hand."""
        shared = self._entered.shared()
        return "" if shared is None else format_question(shared)

    def take_line(self, line: str) -> None:
        """Replace everything entered by a question in one line.

        Raises
        ------
        EquityError
            If it cannot be read; nothing is changed then.
        """
        self.take_shared(parse_question(line.strip()))

    def take_shared(self, shared: SharedQuestion) -> None:
        """Replace everything entered by a question."""
        if len(shared.question.players) > MAX_PLAYERS:
            raise EquityError(f"There is room for {MAX_PLAYERS} players, not {len(shared.question.players)}.")
        self._change("open", filled(shared, self._keys, self.ranking))

    # ---- what is said about it

    def name_of(self, index: int) -> str:
        """Give a player's name, or its number."""
        return self._entered.name_of(index)

    def used_cards(self, *, besides: str | int) -> Used:
        """Tell which cards are taken and where, leaving out `"board"`, `"dead"` or a player's index."""
        return self._entered.used_cards(besides=besides)

    def problem(self) -> str:
        """Say in one sentence why there is nothing to compute; empty if there is."""
        return self._entered.problem()

    def question(self) -> EquityQuestion | None:
        """Give what is to be computed, or None if `problem` says why not."""
        return self._entered.question()

    # ---- the odds

    @property
    def state(self) -> RunState:
        """How far the odds are."""
        return self._run.state

    @property
    def answered(self) -> EquityQuestion | None:
        """The question that the results shown answer: the one before the last change while they are stale."""
        return self._run.answered.question if self._run.snapshot is not None and self._run.answered else None

    @property
    def snapshot(self) -> EquitySnapshot | None:
        """The results shown, if there are any; its players are those of `answered`."""
        return self._run.snapshot

    def row_of(self, player: int) -> int | None:
        """Give the row of a player of `answered`, or None if it is gone."""
        answered = self._run.answered
        keys = [row.key for row in self.rows]
        key = answered.keys[player] if answered is not None and player < len(answered.keys) else None
        return keys.index(key) if key in keys else None

    @property
    def is_busy(self) -> bool:
        """Whether a run is about to start or going on."""
        return self._run.is_busy

    @property
    def is_stale(self) -> bool:
        """Whether the results shown still answer the question before the last change."""
        return self._run.is_stale

    @property
    def is_faint(self) -> bool:
        """Whether they have been out of date for so long that they should look it."""
        return self._run.is_faint

    @property
    def can_run_on(self) -> bool:
        """Whether a run that was left can go on, or a sample be made larger."""
        return self._run.can_run_on

    @property
    def progress(self) -> float:
        """Part of the running work that is done, 0 to 1; 0 while nothing runs."""
        if self.snapshot is None or self.state not in (RunState.RUNNING, RunState.PAUSED):
            return 0.0
        return self.snapshot.progress

    def odds(self, index: int) -> PlayerOdds | None:
        """Give a row's line of the results, if there is one."""
        snapshot, answered = self._run.snapshot, self._run.answered
        key = self.rows[index].key
        if snapshot is None or answered is None or key not in answered.keys or not self.rows[index].takes_part:
            return None
        player = snapshot.value[answered.keys.index(key)]
        return format_odds(player, snapshot.method)

    def run_text(self) -> str:
        """Say what the results are, or why there are none."""
        snapshot = self.snapshot
        if self.state is RunState.NOTHING:
            return self.problem()
        if self.state is RunState.FAILED:
            return self._run.failure
        if self.state is RunState.WAITING and (snapshot is None or self.is_faint):
            return "Starting …"
        if snapshot is None:
            return "Stopped before the first result."
        is_done = self.state is RunState.WAITING and snapshot.is_final
        return format_run(snapshot, RunState.FINISHED if is_done else self.state)

    def start(self) -> None:
        """Compute now, from the beginning."""
        self._run.start()

    def pause(self) -> None:
        """Leave the run where it is, to go on later."""
        self._run.pause()

    def stop(self) -> None:
        """Stop the run; what is there stays, labelled as partial."""
        self._run.stop()

    def run_on(self) -> None:
        """Go on where the run was left; after its end, sample as many deals again."""
        self._run.run_on()

    def _on_run_changed(self) -> None:
        if self._name_at_fault():
            self.input_changed.emit()
        self.odds_changed.emit()

    def _name_at_fault(self) -> bool:
        """Say at the rows that no deal can hold together why there are no odds; tells whether that is new."""
        at_fault, told = self._run.at_fault, self._entered.clashes()
        for index, row in enumerate(self.rows):
            if row.key in at_fault:
                told.setdefault(index, self._run.failure)
        is_new, self.clashes = told != self.clashes, told
        return is_new

    # ---- the odds as text

    def report(self, form: str) -> str:
        """Write the results as `report.WRITERS` can; text and Markdown end with the question's line."""
        snapshot, answered = self._run.snapshot, self._run.answered
        if snapshot is None or answered is None:
            return ""
        names = [row.name or row.understood for key in answered.keys for row in self.rows if row.key == key]
        if len(names) != len(snapshot.value):
            return ""
        written = WRITERS[form](OddsReport(tuple(names), snapshot, *self._figures(), folded=self._folded_hands()))
        return f"{written}\n\n{self.line()}" if form in _FOR_PEOPLE else written

    def _folded_hands(self) -> tuple[str, ...]:
        shared = self._entered.shared()
        return () if shared is None else tuple(map(str, shared.folded))

    def _figures(self) -> tuple[CallFigures | None, BetFigures | None, OutFigures | None]:
        """Figure what a call or a bet of the first player has to be worth, if that is asked."""
        first = self.rows[self._entered.taking_part[0]]
        snapshot = self.snapshot
        call = bet = outs = None
        if self.pot is None or snapshot is None:
            return None, None, None
        equity = snapshot.value[0].equity
        with suppress(EquityError):  # chips that contradict each other are told where they are entered
            if self.to_call:
                call = figures_of_call(self.pot, self.to_call, equity)
            if self.bet:
                bet = figures_of_bet(self.pot, self.bet, equity, self.to_call or 0.0)
        if first.hole_cards:
            hole_cards = first.hole_cards[0], first.hole_cards[1]
            outs = figures_of_outs(hole_cards, self.board.cards, self._entered.dead_cards)
        return call, bet, outs


_FOR_PEOPLE = ("text", "markdown")


def _text_of(cards: Sequence[Card] | str) -> str:
    return cards if isinstance(cards, str) else format_cards(cards, " ")
