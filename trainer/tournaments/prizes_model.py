"""What is entered of a tournament, and what it says: prizes in the mean, and equities to go all-in with."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from engine.foreign_text import shortened
from engine.game.events import Seat
from engine.game.formats import GameConfig
from engine.tournaments.icm import MOST_PLAYERS, IcmError, PrizeTable, prize_table
from trainer.calculator.decisions_model import AmountField, format_chips, read_amount
from trainer.jobs import Jobs

LANE: Final = "prizes"
EMPTY: Final = "Enter two stacks or more, and the prizes that are still to be won."
NOTE: Final = (
    "By the independent chip model (ICM): everybody's chance of the first place goes by their chips, of the next "
    "place by the chips of those who are left. On the right: the share of the pot that the player of a row needs "
    "to go all-in with each other one, where nothing else is in the pot. In chips alone it is half."
)
HEADINGS: Final = ("Player", "Stack", "Chips", "Worth", "Prizes")
_SEPARATORS = re.compile(r"[\s,;/%]+")


class Entered(Struct, frozen=True):
    """What stands in the fields: of each row a name and a stack, and the prizes."""

    names: tuple[str, ...] = ("",) * MOST_PLAYERS
    stacks: tuple[str, ...] = ("",) * MOST_PLAYERS
    prizes: str = "50, 30, 20"


class PrizeRow(Struct, frozen=True):
    """What is said of a player: their part of the chips and of the prizes, and their all-ins with each row."""

    chips: str = ""
    worth: str = ""
    share: str = ""
    needed: tuple[str, ...] = ("",) * MOST_PLAYERS
    tips: tuple[str, ...] = ("",) * MOST_PLAYERS


_NOTHING = PrizeRow()


def entered_of(config: GameConfig, stacks: dict[Seat, int]) -> Entered | None:
    """Return those who are left in a tournament and what they play for; None without prizes or a second player."""
    left = [seat for seat, stack in stacks.items() if stack > 0]
    if not config.payouts or len(left) < 2:
        return None
    rest = [""] * (MOST_PLAYERS - len(left))
    return Entered(
        (*(config.seats[seat].name for seat in left), *rest),
        (*(format_chips(stacks[seat]) for seat in left), *rest),
        ", ".join(map(str, config.payouts[: len(left)])),
    )


class PrizesModel(QObject):
    """Reads what is entered, and counts it in a lane."""

    changed = Signal()  # `rows` and `message` are others

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.entered = Entered()
        self.rows: tuple[PrizeRow, ...] = (_NOTHING,) * MOST_PLAYERS
        self.message = EMPTY  # what is wrong or missing, one sentence; "" if nothing is

    @property
    def is_empty(self) -> bool:
        """Whether no stack is entered."""
        return not any(map(str.strip, self.entered.stacks))

    @property
    def text(self) -> str:
        """All of it as plain text."""
        filled = [at for at, row in enumerate(self.rows) if row != _NOTHING]
        lines = [(*HEADINGS, *(f"All-in with {self.name(other)}" for other in filled))]
        for at in filled:
            row, stack = self.rows[at], self.entered.stacks[at].strip()
            needed = (row.needed[other] for other in filled)
            lines.append((self.name(at), stack, row.chips, row.worth, row.share, *needed))
        return "\n".join(map("\t".join, lines))

    def name(self, at: int) -> str:
        """Return what the player of a row is called."""
        return self.entered.names[at].strip() or f"Player {at + 1}"

    def enter(self, entered: Entered) -> None:
        """Take what stands in the fields; whoever has no chips is out."""
        self.entered = entered
        try:
            stacks = {
                at: _number(text, f"The stack of {self.name(at)}")
                for at, text in enumerate(entered.stacks)
                if text.strip()
            }
            prizes = [_number(part, "A prize") for part in _SEPARATORS.split(entered.prizes) if part]
        except IcmError as error:
            self._refuse(error)
            return
        filled = [at for at, stack in stacks.items() if stack]
        if len(filled) < 2 or not prizes:
            self._refuse(IcmError(EMPTY))
            return
        self._jobs.submit(
            LANE,
            partial(prize_table, [stacks[at] for at in filled], prizes),
            partial(self._on_table, tuple(filled)),
            on_error=self._refuse,
            newest_wins=True,
        )

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, IcmError):
            raise error
        self._jobs.cancel(LANE)
        self.rows, self.message = (_NOTHING,) * MOST_PLAYERS, str(error)
        self.changed.emit()

    def _on_table(self, filled: Sequence[int], table: PrizeTable) -> None:
        chips, prizes = sum(table.stacks), sum(table.prizes)
        rows = [_NOTHING] * MOST_PLAYERS
        for at, stack, worth, shares in zip(filled, table.stacks, table.worth, table.break_even, strict=True):
            needed, tips = [""] * MOST_PLAYERS, [""] * MOST_PLAYERS
            for other, share in zip(filled, shares, strict=True):
                needed[other] = "–" if share is None else f"{share:.1%}"
                if share is not None:
                    premium = f"a risk premium of {100 * share - 50:.1f} points"
                    tips[other] = f"{self.name(at)} needs {share:.1%} all-in with {self.name(other)}: {premium}"
            rows[at] = PrizeRow(
                f"{stack / chips:.1%}", f"{worth:,.2f}", f"{worth / prizes:.1%}", tuple(needed), tuple(tips)
            )
        self.rows, self.message = tuple(rows), ""
        self.changed.emit()


def _number(text: str, what: str) -> float:
    field = read_amount("pot", AmountField(), text)
    if field.chips is None:
        raise IcmError(f"{what} is no number such as 1500 or 12.5: '{shortened(text.strip())}'.")
    return field.chips
