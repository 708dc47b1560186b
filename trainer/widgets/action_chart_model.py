"""What a chart of actions shows, whoever works it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import HandClass

FOLD, GOING_ON, RAISING = range(3)
"""Kinds of actions: folding, checking or calling, betting or raising."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often all hands together do something: its column of `ActionView.shares`, its name, and the number."""

    kind: int
    name: str
    text: str


def kinds_in_use(*, can_check: bool) -> tuple[int, ...]:
    """Return the kinds of actions that there are, as they stand beside each other: nobody folds who may check."""
    return (RAISING, GOING_ON) if can_check else (RAISING, GOING_ON, FOLD)


class GridView(Protocol):
    """What is done with each of the 169 classes.

    `reach`, shape (169,), is how often each gets there, the likeliest 1; `shares`, shape (169, 3), how often it
    folds, checks or calls, and bets or raises; `kinds` are its columns in use, as they stand in a cell. `own` is
    the class that the player has, if any.
    """

    can_check: bool
    own: HandClass | None
    reach: NDArray[np.float64]
    shares: NDArray[np.float64]
    is_blocked: NDArray[np.bool_]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The columns in use."""

    def describe(self, cell: int) -> str:
        """Say what is done with a class."""


class ActionView(GridView, Protocol):
    """And with all of them: `totals` by kind, `note` a line below these, `text` all of it as plain text."""

    title: str
    note: str
    totals: tuple[Share, ...]

    @property
    def text(self) -> str:
        """All of it."""

    def combos(self, cell: int) -> Sequence[str]:
        """Return a line for each combo of a class, where they differ."""
