"""The betting of the small game that was solved: heads-up, 200 big blinds deep; fold, call, the pot, or all-in.

A place is a decision reached by one sequence of steps. Where a raise of the pot would commit most of the stack,
all-in is the only raise.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from math import inf, log
from typing import NamedTuple

from engine.cards import STREET_NAMES, Street
from engine.game.events import Chips

STACK: Chips = 20_000
BLINDS: tuple[Chips, Chips] = (50, 100)


class Step(IntEnum):
    """What a player does in the small game; a call is a check where there is nothing to call."""

    FOLD = 0
    CALL = 1
    POT = 2
    ALL_IN = 3


COMMITTED = 0.6
"""A raise to this share of the stack or more is all-in."""


class End(NamedTuple):
    """The end of a hand: what each player has put in, small blind first, who folded, and the street it ended on.

    `folder` is None if hands are shown; cards that are missing then are dealt without betting.
    """

    committed: tuple[Chips, Chips]
    folder: int | None
    street: Street


class Place:
    """A decision of the small game.

    Attributes
    ----------
    number : int
        Its place in `betting_tree()`.
    player : int
        Who decides: 0 is the small blind, who acts first before the flop and last after it.
    committed : tuple of int
        What each player has put in during the hand, in chips.
    line : tuple of Step
        The steps of the whole hand that lead here.
    steps : dict of Step to Place or End
        What can be done, and where it leads.
    """

    __slots__ = ("committed", "line", "number", "player", "steps", "street")

    def __init__(
        self,
        street: Street,
        player: int,
        committed: tuple[Chips, Chips],
        line: tuple[Step, ...] = (),
    ) -> None:
        self.number = -1
        self.street, self.player, self.committed, self.line = street, player, committed, line
        self.steps: dict[Step, Place | End] = {}

    @property
    def to_call(self) -> Chips:
        """What a call costs."""
        return max(self.committed) - self.committed[self.player]

    @property
    def pot(self) -> Chips:
        """The pot after a call."""
        return 2 * max(self.committed)

    @property
    def price(self) -> float:
        """What a call costs, as a share of the pot after it."""
        return self.to_call / self.pot

    def size_of(self, step: Step) -> float:
        """Return what a raise is over the pot after a call."""
        return 1.0 if step is Step.POT else (STACK - max(self.committed)) / self.pot

    def raises(self) -> list[Step]:
        """Return the raises there are, the smallest first."""
        return [step for step in self.steps if step > Step.CALL]


@cache
def betting_tree() -> tuple[Place, ...]:
    """Return every place, the first decision first; each comes before those that it leads to."""
    places: list[Place] = []
    waiting = [Place(Street.PREFLOP, 0, BLINDS)]
    while waiting:
        place = waiting.pop()
        place.number = len(places)
        places.append(place)
        place.steps = dict(_steps(place))
        waiting += [after for after in reversed(place.steps.values()) if isinstance(after, Place)]
    return tuple(places)


def _steps(place: Place) -> Iterator[tuple[Step, Place | End]]:
    most, player, line = max(place.committed), place.player, place.line
    if place.to_call:
        yield Step.FOLD, End(place.committed, player, place.street)
    yield Step.CALL, _called(place, (most, most))
    if most == STACK:
        return
    if most + place.pot < COMMITTED * STACK:
        yield Step.POT, _raised(place, most + place.pot, (*line, Step.POT))
    yield Step.ALL_IN, _raised(place, STACK, (*line, Step.ALL_IN))


def _called(place: Place, committed: tuple[Chips, Chips]) -> Place | End:
    """Return what follows a call or a check."""
    line = (*place.line, Step.CALL)
    is_first = (
        max(place.committed) == BLINDS[1] and place.player == 0
        if place.street is Street.PREFLOP
        else (place.player == 1 and not place.to_call)
    )
    if committed[0] == STACK:
        return End(committed, None, place.street)
    if is_first:
        return Place(place.street, 1 - place.player, committed, line)
    if place.street is Street.RIVER:
        return End(committed, None, place.street)
    return Place(Street(place.street + 1), 1, committed, line)


def _raised(place: Place, total: Chips, line: tuple[Step, ...]) -> Place:
    committed = (total, place.committed[1]) if place.player == 0 else (place.committed[0], total)
    return Place(place.street, 1 - place.player, committed, line)


def step_for_size(place: Place, size: float, drawn: float) -> Step:
    """Return which raise of a place an actual one counts as, by the pseudo-harmonic mapping.

    A size between two of the place's is the smaller one with probability (B - x)(1 + A) / ((B - A)(1 + x)), where
    `drawn`, 0 to 1, decides; one outside them all is the nearest. Where there is no raise it is a call.

    Source
    ------
    Ganzfried, Sandholm, "Action translation in extensive-form games with large action spaces", IJCAI 2013, sec. 5.

    >>> root = betting_tree()[0]
    >>> step_for_size(root, 0.7, 0.5).name, step_for_size(root, 1.0, 0.999).name, step_for_size(root, 99, 0.5).name
    ('POT', 'POT', 'ALL_IN')
    """
    raises = place.raises()
    if not raises:
        return Step.CALL
    below = [step for step in raises if place.size_of(step) <= size]
    above = [step for step in raises if place.size_of(step) > size]
    if not below or not above:
        return raises[-1] if below else raises[0]
    small, large = place.size_of(below[-1]), place.size_of(above[0])
    is_smaller = drawn < (large - size) * (1 + small) / ((large - small) * (1 + size))
    return below[-1] if is_smaller else above[0]


def nearest_place(street: Street, player: int, share: float, price: float, *, is_facing: bool) -> Place:
    """Return the place most like a decision that no sequence of the small game leads to.

    Parameters
    ----------
    share : float
        Of the effective stack that the larger of both players' chips in the pot is, 0-1.
    price : float
        What a call costs, as a share of the pot after it.
    """

    def distance(place: Place) -> float:
        if (place.street, place.player, place.to_call > 0) != (street, player, is_facing):
            return inf
        return abs(log(max(place.committed) / STACK) - log(max(share, 1 / STACK))) + 2 * abs(place.price - price)

    return min(betting_tree(), key=distance)


_WORDS = {Step.FOLD: "fold", Step.POT: "pot", Step.ALL_IN: "all-in"}


def line_text(line: Sequence[Step]) -> str:
    """Write the steps that lead to a place, street by street.

    >>> line_text([Step.POT, Step.CALL, Step.CALL, Step.POT])
    'Preflop: pot, call. Flop: check, pot'
    """
    place: Place | End = betting_tree()[0]
    words: dict[Street, list[str]] = {Street.PREFLOP: []}
    for step in line:
        assert isinstance(place, Place)
        passive = "call" if place.to_call else "check"
        words.setdefault(place.street, []).append(_WORDS.get(step, passive))
        place = place.steps[step]
    return ". ".join(f"{STREET_NAMES[street]}: {', '.join(steps)}" for street, steps in words.items() if steps)
