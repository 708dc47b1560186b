"""What a player did with each hand class in one spot, and what is usual with these hands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.agents.value_reasons import rounded_parts
from engine.cards import HandClass, class_name
from engine.figures.tendencies import OPTION, Decisions, class_counts
from trainer.widgets.action_chart_model import FOLD, kinds_in_use


class SpotView:
    """A `GridView` of `trainer.widgets` of what was done in a spot, or with `is_usual` of what is usual there."""

    def __init__(self, spot: str, decisions: Decisions, *, is_usual: bool) -> None:
        self._done, self._usual = class_counts(decisions)
        self._counts = self._done.sum(axis=1)
        self.can_check = not self._done[:, FOLD].any() and not self._usual[:, FOLD].any()
        raising = "bet" if self.can_check and spot != OPTION else "raise"
        self._names = ("fold", "check" if self.can_check else "call", raising)
        shown = self._usual if is_usual else self._done
        self.own: HandClass | None = None
        self.shares: NDArray[np.float64] = shown / np.maximum(self._counts, 1)[:, None]
        self.is_blocked: NDArray[np.bool_] = self._counts == 0
        self.reach: NDArray[np.float64] = (self._counts > 0).astype(float)

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of action that there are, as they stand beside each other."""
        return kinds_in_use(can_check=self.can_check)

    def describe(self, cell: int) -> str:
        """Say how often each kind was done with a class, and what is usual."""
        count = int(self._counts[cell])
        if not count:
            return f"{class_name(cell)}: not held here"
        done = ", ".join(f"{self._names[kind]} {self._done[cell, kind]:,}" for kind in self.kinds)
        parts = rounded_parts([float(self._usual[cell, kind]) / count for kind in self.kinds])
        return f"{class_name(cell)}, of {count:,}: {done}; usual {self._shares(parts)}"

    def _shares(self, parts: Sequence[float]) -> str:
        return ", ".join(
            f"{self._names[kind]} {part:.0f}%" for kind, part in zip(self.kinds, parts, strict=True) if part
        )
