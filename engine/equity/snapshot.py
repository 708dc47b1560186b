"""What every calculation gives: snapshots, each a complete answer as it stands, the last one final."""

from collections.abc import Callable, Generator
from contextlib import closing
from enum import StrEnum
from time import perf_counter
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from engine.equity.checks import EquityError

NO_DEAL: Final = "No way was found to deal these ranges together."

Value = TypeVar("Value")


class Method(StrEnum):
    """Where a number comes from."""

    EXACT = "exact"
    SAMPLED = "sampled"
    TABLE = "table"


class Estimate(Struct, frozen=True):
    """A probability or equity, 0-1, its standard error (0 where exact) and the hands or deals it rests on."""

    value: float
    method: Method
    stderr: float = 0.0
    count: int = 0


class Snapshot(Struct, Generic[Value], frozen=True):
    """An answer, complete as it stands.

    Attributes
    ----------
    method : Method
        `EXACT` or `SAMPLED`. While an exact count is running, its snapshots are a sampled preview.
    count : int
        Deals sampled, or showdowns counted: those of positive weight.
    seconds : float
        Since the first snapshot was asked for.
    progress : float
        Part of the work done, 0 to 1.
    """

    value: Value
    method: Method
    count: int
    seconds: float
    is_final: bool
    progress: float


Snapshots: TypeAlias = Generator[Snapshot[Value], None, None]
"""To cancel, stop iterating."""

Steps: TypeAlias = Generator[float, None, None]
"""Work in steps of about 15 ms; each yields the part done, 0 to 1."""


class Known(Struct, Generic[Value], frozen=True):
    """A value, how it was found, and from how many deals or showdowns."""

    value: Value
    method: Method
    count: int


def _nothing() -> None:
    return None


def snapshots(
    steps: Steps, final: Callable[[], Known[Value] | None], so_far: Callable[[], Known[Value] | None] = _nothing
) -> Snapshots[Value]:
    """Do work step by step and yield what is known so far after each step, if anything is, and the final answer.

    Raises
    ------
    EquityError
        At the end, if there is no answer: no deal was found.

    Examples
    --------
    >>> dealt = []
    >>> def deal():
    ...     for number in range(1, 4):
    ...         dealt.append(number)
    ...         yield number / 3
    >>> [(each.value, each.is_final) for each in snapshots(deal(), lambda: Known(sum(dealt), Method.SAMPLED, 3))]
    [(6, True)]
    """
    started = perf_counter()
    with closing(steps):
        for progress in steps:
            known = so_far() if progress < 1 else None
            if known is not None:
                seconds = perf_counter() - started
                yield Snapshot(known.value, known.method, known.count, seconds, False, progress)
    answer = final()
    if answer is None:
        raise EquityError(NO_DEAL)
    yield Snapshot(answer.value, answer.method, answer.count, perf_counter() - started, True, 1.0)
