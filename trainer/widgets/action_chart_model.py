"""What a chart of actions shows, whoever works it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import HandClass


@dataclass(frozen=True, slots=True)
class Share:
    """How often all hands together do something: its column of `ActionView.shares`, its name, and the number."""

    kind: int
    name: str
    text: str


class ActionView(Protocol):
    """What is done with each of the 169 classes, and with all of them.

    `reach`, shape (169,), is how often each gets there, the likeliest 1; `shares`, shape (169, 3), how often it
    folds, checks or calls, and bets or raises; `kinds` are its columns in use, as they stand in a cell and in
    `totals`. `own` is the class that the player has, if any. `note` is a line below the totals, `text` all of it as
    plain text.
    """

    can_check: bool
    own: HandClass | None
    reach: NDArray[np.float64]
    shares: NDArray[np.float64]
    is_blocked: NDArray[np.bool_]
    title: str
    note: str
    totals: tuple[Share, ...]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The columns in use."""

    @property
    def text(self) -> str:
        """All of it."""

    def describe(self, cell: int) -> str:
        """Say what is done with a class."""

    def combos(self, cell: int) -> Sequence[str]:
        """Return a line for each combo of a class, where they differ."""
