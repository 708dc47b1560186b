"""What is evolved: a policy against one style, or the base against all in stages."""

from typing import Final

from msgspec import Struct

from engine.agents.evolved.own_policies import BASE as BASE_NAME
from engine.agents.evolved.own_policies import exploiter_name
from engine.agents.rule_based.pool import POOL

STYLES: Final = tuple(POOL)
"""The eight styles, `o1` to `o8`."""

_FIRST, _LAST = STYLES[:4], STYLES[4:]

_STAGES: Final[dict[int, tuple[tuple[int, tuple[str, ...]], ...]]] = {
    1: ((3, STYLES),),
    2: ((1, _FIRST), (3, _LAST)),
    3: ((1, _FIRST), (3, STYLES)),
    4: ((1, _FIRST), (2, _LAST), (3, STYLES)),
}
"""Rivals of the base up to so many thirds of its generations: the four schedules of the paper's fig. 10."""

SCHEDULES: Final = tuple(_STAGES)
BEST_SCHEDULE: Final = 4
"""The best one, as the paper found."""


class Target(Struct, frozen=True):
    """What is evolved: against `style`, or for an empty one the base by a schedule."""

    style: str = ""
    schedule: int = 0

    @property
    def name(self) -> str:
        """What its files are called.

        >>> Target("o3").name, Target(schedule=4).name, Target(schedule=2).name
        ('exploiter-o3', 'base', 'base-schedule-2')
        """
        if self.style:
            return exploiter_name(self.style)
        return BASE_NAME if self.schedule == BEST_SCHEDULE else f"{BASE_NAME}-schedule-{self.schedule}"

    @property
    def number(self) -> int:
        """A number of its own, for seeds."""
        return STYLES.index(self.style) if self.style else len(STYLES) + self.schedule

    @property
    def rivals(self) -> tuple[str, ...]:
        """All that it is measured against in the end."""
        return (self.style,) if self.style else STYLES

    def rivals_at(self, generation: int, generations: int) -> tuple[str, ...]:
        """Return the rivals in a generation, counted from 0, of so many.

        >>> Target(schedule=4).rivals_at(0, 300)
        ('o1', 'o2', 'o3', 'o4')
        >>> Target(schedule=4).rivals_at(199, 300)
        ('o5', 'o6', 'o7', 'o8')
        """
        if self.style:
            return (self.style,)
        return next(rivals for third, rivals in _STAGES[self.schedule] if 3 * generation < third * generations)


EXPLOITERS: Final = tuple(map(Target, STYLES))
BASE: Final = Target(schedule=BEST_SCHEDULE)

TARGETS: Final = (*EXPLOITERS, *(Target(schedule=schedule) for schedule in SCHEDULES))
"""All that can be evolved."""
