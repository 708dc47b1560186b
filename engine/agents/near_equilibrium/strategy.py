"""The solved strategy: how likely each step is at each place for each bucket, and the file that holds it.

`resources/near_equilibrium.md` says how the shipped file was made.
"""

from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from engine.agents.near_equilibrium.betting_tree import betting_tree
from engine.agents.near_equilibrium.buckets import bucket_count, middle_equities
from engine.cards import Street
from engine.codec import ARCHIVE_ERRORS
from engine.resources import ResourceError, read_bytes

RESOURCE = "near_equilibrium.npz"

LEAST_SHARE = 0.1
"""What an average takes less often is left out in play: mostly what was tried while little was known.

Source: Ganzfried, Sandholm, Waugh, "Strategy purification and thresholding", AAMAS 2012.
"""

_MOST = 255

Strategy = tuple[NDArray[np.float64], ...]
"""For each place of `betting_tree()` how likely its steps are: shape (buckets, steps), each row sums to 1."""


def strategy_bytes(strategy: Strategy) -> bytes:
    """Return what a file of a strategy holds, each probability as one byte; the same strategy, the same bytes."""
    rounded = [np.rint(_MOST * table).astype(np.uint8) for table in strategy]
    archive = BytesIO()
    np.savez_compressed(archive, shares=np.concatenate([table.ravel() for table in rounded]))
    return archive.getvalue()


def parse_strategy(data: bytes) -> Strategy:
    """Return the strategy that bytes hold, without what it takes less often than `LEAST_SHARE`.

    Hands that solving never came to a place with do there what those of the nearest equity do.

    Raises
    ------
    ResourceError
        If they hold none, or one of another betting tree or other buckets.
    """
    shapes = [(bucket_count(place.street), len(place.steps)) for place in betting_tree()]
    sizes = [buckets * steps for buckets, steps in shapes]
    try:
        with np.load(BytesIO(data), allow_pickle=False) as arrays:
            shares = arrays["shares"]
        if shares.dtype != np.uint8 or shares.shape != (sum(sizes),):
            raise ValueError("it is of another game")
        parts = np.split(shares.astype(np.float64), np.cumsum(sizes)[:-1])
        tables = [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
        if not all((table.sum(axis=1) > 0).all() for table in tables):
            raise ValueError("some hands do nothing")
    except (OSError, *ARCHIVE_ERRORS) as error:
        raise ResourceError(
            f"The app's file resources/{RESOURCE} is broken: {error}; install the app anew."
        ) from error
    for place, table in zip(betting_tree(), tables, strict=True):
        _fill_unseen(table, place.street)
    kept = [np.where(table >= LEAST_SHARE * table.sum(axis=1, keepdims=True), table, 0.0) for table in tables]
    return tuple(table / table.sum(axis=1, keepdims=True) for table in kept)


def _fill_unseen(table: NDArray[np.float64], street: Street) -> None:
    """Let hands that never came to a place, which would do anything there, do what the most alike that came do."""
    seen = np.flatnonzero(np.ptp(table, axis=1) > 0)
    equities = middle_equities(street)
    for bucket in np.flatnonzero(np.ptp(table, axis=1) == 0) if len(seen) else ():
        table[bucket] = table[seen[np.argmin(abs(equities[seen] - equities[bucket]))]]


@cache
def shipped_strategy() -> Strategy:
    """Return the strategy that ships with the app; a `ResourceError` if its file is missing or damaged."""
    return parse_strategy(read_bytes(RESOURCE))
