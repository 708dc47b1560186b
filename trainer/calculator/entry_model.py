"""What is entered in the odds window, with undo: every change is a step over the whole input."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, repeat
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand

from engine.cards import BOARD_SIZE, CARD_COUNT, Card, Street, format_cards
from engine.equity.checks import EquityError
from engine.equity.notation import SharedQuestion, format_question, parse_question
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
    take_range,
    with_row,
)
from trainer.reading.range_model import readable
from trainer.undo_model import Change, undo_stack_of

Place = Literal["board", "dead"] | int
"""The board, the dead cards, or the row of a player."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A place for cards: its title, its cards, how many it holds, and which cards are taken and where."""

    title: str
    cards: tuple[Card, ...]
    capacity: int
    used: Used


class _Step(Change[OddsInput]):
    """A step that is gone once what it did is taken back by hand."""

    def mergeWith(self, other: QUndoCommand) -> bool:
        is_merged = super().mergeWith(other)
        self.setObsolete(is_merged and self.after == self.before)
        return is_merged


class OddsEntry(QObject):
    """Holds what was entered, and each way of changing it; typing in a field is one step of `undo_stack`."""

    changed = Signal()

    def __init__(self, random: np.random.Generator | None = None, ranking: int = 1) -> None:
        super().__init__()
        self._keys = count()
        self._random = random or np.random.default_rng()
        self._steps = 0
        self._was_shorter = False
        self.entered = OddsInput(at_least_two((), self._keys), ranking=ranking)
        self.undo_stack = undo_stack_of(self)

    def apply(self, entered: OddsInput) -> None:
        """Put an input in force; the undo stack's way in."""
        self.entered = entered
        self.changed.emit()

    @property
    def _rows(self) -> tuple[PlayerRow, ...]:
        return self.entered.rows

    def _change(self, text: str, entered: OddsInput, key: Hashable = None) -> None:
        """Make a change as a step of its own, or as a part of the one before with the same key."""
        entered = read_again(entered)
        if entered != self.entered:
            joined = None if key is None else (self._steps, key)
            self.undo_stack.push(_Step(self, text, self.entered, entered, joined))

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

        Takes at most ten players. Of a Range only the ratios of the weights matter, so they are scaled up to 1 and
        rounded. `folded` are players whose two cards are known, but who take no part.
        """
        rows = []
        for index, (hands, name) in enumerate(zip(players[:MAX_PLAYERS], chain(names, repeat("")), strict=False)):
            row = PlayerRow(next(self._keys), printable(name), is_folded=index in folded)
            if isinstance(hands, str):
                row = read_player(row, hands, ranking=self.entered.ranking)
            else:
                row = take_range(row, readable(hands))
            rows.append(replace(row, is_folded=row.is_folded and bool(row.hole_cards)))
        entered = replace(
            self.entered,
            rows=at_least_two(rows, self._keys),
            board=read_cards(CardField(), _text_of(board), BOARD_CARDS),
            dead=read_cards(CardField(), _text_of(dead)),
            pot=pot,
            to_call=to_call,
            bet=bet,
        )
        self._change("open" if players else "clear all", entered)

    def clear(self) -> None:
        self.set_question(())

    def set_player_text(self, index: int, text: str) -> None:
        """Take a new text for a player; one with a card that lies elsewhere is refused until it no longer does."""
        row = self._rows[index]
        self._typing(row.text, text)
        used = self.entered.used_cards(besides=index)
        self._set_row("typing", index, read_player(row, text, used, self.entered.ranking), ("text", row.key))

    def set_player_range(self, index: int, hands: Range, text: str = "") -> None:
        """Take a range that was painted, and what was written for it, if anything; else its text follows."""
        row = self._rows[index]
        self._set_row("range", index, take_range(row, hands, text), ("range", row.key))

    def set_ranking(self, ranking: int) -> None:
        """Let percentages be the best hands against so many random ones, 1 to 9; no range changes by that."""
        rows = tuple(ranked(row, self.entered.ranking, ranking) for row in self._rows)
        self._change("order of the best hands", replace(self.entered, rows=rows, ranking=ranking))

    def set_folded(self, index: int, *, is_folded: bool) -> None:
        """Mark a hand of two known cards as folded: the cards are dead, the player takes no part."""
        row = self._rows[index]
        if row.hole_cards:
            self._set_row("fold" if is_folded else "unfold", index, replace(row, is_folded=is_folded))

    def set_name(self, index: int, name: str) -> None:
        """Name a player, or with "" number them again."""
        self._set_row("name", index, replace(self._rows[index], name=printable(" ".join(name.split()))))

    def _set_row(self, text: str, index: int, row: PlayerRow, key: Hashable = None) -> None:
        self._change(text, with_row(self.entered, index, row), key)

    @property
    def can_add(self) -> bool:
        """Whether there is room for one more player."""
        return len(self._rows) < MAX_PLAYERS

    @property
    def can_remove(self) -> bool:
        return len(self._rows) > MIN_PLAYERS

    def add_player(self) -> None:
        if self.can_add:
            self._set_rows("add player", (*self._rows, PlayerRow(next(self._keys))))

    def duplicate_player(self, index: int) -> None:
        """Add a row with the same range below; what holds two known cards cannot be dealt twice."""
        if self.can_add and not self._rows[index].hole_cards:
            twin = replace(self._rows[index], key=next(self._keys), name="")
            self._set_rows("duplicate player", (*self._rows[: index + 1], twin, *self._rows[index + 1 :]))

    def remove_player(self, index: int) -> None:
        if self.can_remove:
            self._set_rows("remove player", (*self._rows[:index], *self._rows[index + 1 :]))

    def move_player(self, index: int, to: int) -> None:
        if 0 <= to < len(self._rows) and to != index:
            rows = list(self._rows)
            rows.insert(to, rows.pop(index))
            self._set_rows("move player", tuple(rows))

    def _set_rows(self, text: str, rows: tuple[PlayerRow, ...]) -> None:
        self._change(text, replace(self.entered, rows=rows))

    def set_board_text(self, text: str) -> None:
        self._typing(self.entered.board.text, text)
        board = read_cards(self.entered.board, text, BOARD_CARDS, self.entered.used_cards(besides="board"))
        self._change("board", replace(self.entered, board=board), "board")

    def set_dead_text(self, text: str) -> None:
        self._typing(self.entered.dead.text, text)
        dead = read_cards(self.entered.dead, text, used=self.entered.used_cards(besides="dead"))
        self._change("dead cards", replace(self.entered, dead=dead), "dead")

    def cards_at(self, place: Place) -> CardPlace:
        """Return what a card picker chooses for a place from."""
        entered = self.entered
        used = entered.used_cards(besides=place)
        if place == "board":
            return CardPlace("Board", entered.board.cards, BOARD_CARDS, used)
        if place == "dead":
            return CardPlace("Dead cards", entered.dead.cards, CARD_COUNT, used)
        return CardPlace(entered.name_of(place), entered.rows[place].hole_cards, 2, used)

    def choose_cards(self, place: Place, cards: Sequence[Card]) -> None:
        """Put chosen cards in a place; half a hand is no hand yet."""
        if place == "board":
            self.set_board_text(format_cards(cards, " "))
        elif place == "dead":
            self.set_dead_text(format_cards(cards, " "))
        elif len(cards) != 1:
            self.set_player_text(place, format_cards(cards))

    def _drawn(self, wanted: int, taken: Sequence[Card]) -> list[Card] | None:
        free = [Card(card) for card in range(CARD_COUNT) if card not in taken]
        if len(free) < wanted:
            return None
        return [free[at] for at in self._random.choice(len(free), wanted, replace=False)]

    def deal_board(self, street: Street) -> None:
        """Complete the board at random up to a street; what lies there stays if it is not longer than that."""
        kept = self.entered.board.cards[: BOARD_SIZE[street]]
        used = self.entered.used_cards(besides="board")
        drawn = self._drawn(BOARD_SIZE[street] - len(kept), [*kept, *used])
        if drawn is not None:
            self.end_step()
            self.set_board_text(format_cards([*kept, *drawn], " "))
            self.end_step()

    def deal_hand(self, index: int) -> None:
        drawn = self._drawn(2, list(self.entered.used_cards(besides=index)))
        if drawn is not None:
            self.end_step()
            self.set_player_text(index, format_cards(sorted(drawn, reverse=True)))
            self.end_step()

    def clear_board(self, street: Street) -> None:
        """Take back the cards of a street and of those after it."""
        before = BOARD_SIZE[Street(street - 1)] if street > Street.PREFLOP else 0
        self.end_step()
        self.set_board_text(format_cards(self.entered.board.cards[:before], " "))
        self.end_step()

    def set_method(self, *, is_exact: bool, samples: int | None) -> None:
        """Choose exact counting, a number of sampled deals, or neither: the engine's own choice."""
        self._change("method", replace(self.entered, is_exact=is_exact, samples=samples), "method")

    def set_amounts(
        self, *, pot: float | None = None, to_call: float | None = None, bet: float | None = None
    ) -> None:
        """Take the chips of a decision, None for what is not asked; the odds stay what they are."""
        now = self.entered
        changed = (pot != now.pot, to_call != now.to_call, bet != now.bet)
        self._change("chips", replace(now, pot=pot, to_call=to_call, bet=bet), ("chips", changed))

    # ---- as one line

    def line(self) -> str:
        """Return everything entered as one line, or "" if no player has a hand."""
        shared = self.entered.shared()
        return "" if shared is None else format_question(shared)

    def take_line(self, line: str) -> None:
        """Replace everything entered by a question in one line; on EquityError nothing is changed."""
        self.take_shared(parse_question(line.strip()))

    def take_shared(self, shared: SharedQuestion) -> None:
        if len(shared.question.players) > MAX_PLAYERS:
            raise EquityError(f"There is room for {MAX_PLAYERS} players, not {len(shared.question.players)}.")
        self._change("open", filled(shared, self._keys, self.entered.ranking))


def _text_of(cards: Sequence[Card] | str) -> str:
    return cards if isinstance(cards, str) else format_cards(cards, " ")
