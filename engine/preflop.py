"""How strong hole cards are before the flop: their equity against 1 to 9 random hands, and their order by it.

Against one random hand the equities are exact (`engine.equity.matchups`), against more they are sampled, both
once, by `engine.lab.preflop_table`, and stored with their standard errors in `resources/preflop_equity.csv`, whose
first lines say how it was made.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.cards import (
    CLASS_COUNT,
    COMBO_CLASS,
    COMBO_COUNT,
    MOST_OPPONENTS,
    HandClass,
    class_name,
    combos_of_class,
    is_whole,
)
from engine.codec import Vector, frozen_vector
from engine.resources import ResourceError, read_text

RESOURCE = "preflop_equity.csv"
DEALS = 20_000_000
"""Deals per hand class: the largest standard error is 0.00011."""
COLUMNS = ["class"] + [f"{what}_{q}" for what in ("equity", "stderr") for q in range(1, MOST_OPPONENTS + 1)]


@cache
def equity_against_random(opponents: int) -> Vector:
    """Return every combo's equity before the flop against 1 to 9 random hands.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        The expected share of the pot, 0-1, ties shared, when all hands are shown down; the same for all combos of
        a hand class. Exact against one random hand; `stderr_against_random` has the errors of the others.

    Raises
    ------
    ValueError
        If there are fewer than 1 or more than 9 opponents.
    ResourceError
        If the stored table is missing or broken.

    Examples
    --------
    >>> round(float(equity_against_random(1)[1325]), 2)  # two aces
    0.85
    """
    return _spread(0, opponents)


@cache
def stderr_against_random(opponents: int) -> Vector:
    """Return the standard errors of `equity_against_random`, in the same form: 0 against one random hand."""
    return _spread(1, opponents)


@cache
def class_ranking(opponents: int = 1) -> tuple[HandClass, ...]:
    """Return the 169 hand classes by their equity against random hands, the strongest first.

    Against one opponent the order is exact. Against more, neighbours can differ by less than the table's standard
    error (at most 0.00012); their order is then that of the table.

    Raises
    ------
    ValueError
        If there are fewer than 1 or more than 9 opponents.
    ResourceError
        If the stored table is missing or broken.

    Examples
    --------
    >>> [class_name(hand_class) for hand_class in class_ranking()[:4]]
    ['AA', 'KK', 'QQ', 'JJ']
    >>> class_name(class_ranking()[-1])
    '32o'
    """
    equity = equity_against_random(opponents)
    by_class = [-equity[combos_of_class(hand_class)[0]] for hand_class in range(CLASS_COUNT)]
    return tuple(HandClass(int(hand_class)) for hand_class in np.argsort(by_class, kind="stable"))


@cache
def percentiles(opponents: int = 1) -> Vector:
    """Return every combo's share of combos that are at least as strong as it, by `class_ranking`.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        From 6 / 1326 for two aces to 1 for the weakest; the combos of a hand class have the same.
    """
    shares = np.empty(COMBO_COUNT)
    at_least_as_strong = 0
    for hand_class in class_ranking(opponents):
        combos = list(combos_of_class(hand_class))
        at_least_as_strong += len(combos)
        shares[combos] = at_least_as_strong / COMBO_COUNT
    return frozen_vector(shares)


def _spread(which: int, opponents: int) -> Vector:
    if not is_whole(opponents) or not 1 <= opponents <= MOST_OPPONENTS:
        raise ValueError(f"There are equities against 1 to {MOST_OPPONENTS} random hands, not {opponents}.")
    return frozen_vector(_stored()[which, COMBO_CLASS, opponents - 1])


@cache
def _stored() -> NDArray[np.float64]:
    """Read the table: equity and standard error, by hand class, by opponents less one; shape (2, 169, 9)."""
    lines = [line for line in read_text(RESOURCE).splitlines() if line and not line.startswith("#")]
    table = np.full((CLASS_COUNT, 2 * MOST_OPPONENTS), np.nan)
    try:
        if lines[0].split(",") != COLUMNS:
            raise ValueError("its columns have other names")
        for line in lines[1:]:
            name, *numbers = line.split(",")
            table[_CLASS_OF_NAME[name]] = [float(number) for number in numbers]
        if not ((table >= 0) & (table <= 1)).all():
            raise ValueError("a hand class is missing or a number is not from 0 to 1")
    except (ValueError, KeyError, IndexError) as error:
        raise ResourceError(
            f"The app's file resources/{RESOURCE} is broken: {error}; install the app anew."
        ) from error
    return table.reshape(CLASS_COUNT, 2, MOST_OPPONENTS).transpose(1, 0, 2)


_CLASS_OF_NAME = {class_name(hand_class): hand_class for hand_class in range(CLASS_COUNT)}
