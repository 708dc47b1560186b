"""The agent A*: policies against known styles and one against all, by how the opponent compares with those styles.

Four players are made of the same policies. `A*` mixes the policies of near styles (eq. 3) where its model of the
opponent can be trusted, and plays the one against all elsewhere; `A-int` always mixes; `A-ave` takes all policies
alike; `A-base` is the one against all. The paper leaves open how sharply distances decide, when the model is
trusted, and what becomes of what was seen of an opponent who changes; the numbers here were chosen on seeds of
their own, and `docs/evolution.md` has what they bring.

Source: "An opponent modelling and strategy integration framework for Texas Hold'em AI", sections on the mixed and
the safe policy.
"""

from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from engine.agents.evolved.library import StyleLibrary
from engine.agents.evolved.policy import PolicyFileError, StoredPolicy
from engine.agents.evolved.stored_tree import library_of

if TYPE_CHECKING:
    from engine.kernels.evolved.hands import Policy


class MixingRule(IntEnum):
    """How the policies decide together, as `engine.kernels.evolved.likeness` numbers it."""

    AVERAGE = 1
    MIXED = 2
    SAFE = 3
    BY_STAGE = 4


class MixingNumbers(Struct, frozen=True):
    """What the paper leaves open.

    Attributes
    ----------
    temperature : float
        Of the softmax: twice as likely for every ln 2 / `temperature` that a style is nearer.
    least_decisions : float
        Decisions of the opponent that distances must rest on to be trusted.
    remembered : float
        Hands after which what was seen counts 1/e.
    """

    temperature: float = 80.0
    least_decisions: float = 15.0
    remembered: float = 80.0


NUMBERS: Final = MixingNumbers()

BY_THE_LETTER: Final = MixingNumbers(temperature=1.0, remembered=1e9)
"""Of eq. 2 and 3 as the paper prints them, for `MixingRule.BY_STAGE`: nothing sharpened, nothing forgotten."""


class Ensemble:
    """Policies against the styles of a library, in its order, and one against all, that decide together.

    Raises
    ------
    PolicyFileError
        If they are not as many as the styles, or their networks differ.
    """

    def __init__(
        self,
        policies: dict[str, StoredPolicy],
        base: StoredPolicy,
        library: StyleLibrary,
        rule: MixingRule,
        numbers: MixingNumbers = NUMBERS,
    ) -> None:
        self._all = (*policies.values(), base)
        if list(policies) != list(library.trees) or len({policy.settings for policy in self._all}) > 1:
            raise PolicyFileError("Policies that decide together are one for each style, of one kind of network.")
        self._library = library_of([library.tree(style) for style in library.trees])
        self._styles = tuple(policies)
        self._rule, self._numbers = rule, numbers

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles that an opponent is compared with."""
        return self._styles

    def compiled(self) -> "Policy":
        """Return what the kernels take, for an opponent of whom nothing is known."""
        from engine.kernels.evolved.likeness import Mixing, new_likeness
        from engine.kernels.evolved.tree import MOST_NODES

        numbers = self._numbers
        likeness = new_likeness(MOST_NODES, len(self._styles), float(np.exp(1 / numbers.remembered)))
        mixing = Mixing(
            int(self._rule),
            numbers.temperature,
            numbers.least_decisions,
            self._library,
            likeness,
        )
        weights = np.stack([policy.weights for policy in self._all])
        return self._all[0].compiled()._replace(weights=weights, mixing=mixing)
