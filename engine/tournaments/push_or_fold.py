"""Push or fold: which hands short stacks go all-in with, where everybody goes all-in or folds.

An equilibrium, so that nobody wins by playing otherwise while the others do not, of chips or of prizes by the
independent chip model. With two players it is Nash's; with more no algorithm is known to find one for certain, and
what comes out is what regrets lead to (`engine.kernels.push_or_fold.play_deals`). What others hold is sampled, so
four runs with deals of their own are made: their mean is the answer, and by how much they differ says its error.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, CLASS_COUNT, COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASK
from engine.codec import frozen_vector
from engine.equity.matchups import heads_up_table
from engine.game.events import HandStarted, Seat
from engine.game.summary import positions_between
from engine.ranges import Range
from engine.tournaments.icm import check_prizes

if TYPE_CHECKING:  # compiled code is loaded with the first game
    from engine.kernels.push_or_fold import Pairs

FEWEST_PLAYERS, MOST_PLAYERS = 2, 9
_LEAST_STACK_BB, _MOST_STACK_BB = 0.1, 1000
_CHIPS_PER_BB = 1000
RUNS: Final = 4
"""Runs with deals of their own."""

_SIZES = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT)


class PushOrFoldError(ValueError):
    """A game that cannot be played; the message names the value and the rule."""


class PushGame(Struct, frozen=True, kw_only=True):
    """What is played.

    Attributes
    ----------
    stacks_bb : tuple of float
        Big blinds of 2 to 9 players before they post, in the order in which they act: the small blind and the big
        blind last. Heads-up the button is the small blind.
    small_blind_bb : float
        The small blind over the big one.
    ante_bb : float
        Big blinds that everybody posts.
    big_blind_ante_bb : float
        Big blinds that the big blind posts for all.
    prizes : tuple of float
        Of the places still to be played for, the first first, in any unit; () for chips.
    """

    stacks_bb: tuple[float, ...]
    small_blind_bb: float = 0.5
    ante_bb: float = 0.0
    big_blind_ante_bb: float = 0.0
    prizes: tuple[float, ...] = ()

    @property
    def positions(self) -> tuple[str, ...]:
        """What the players' positions are called, in the order in which they act."""
        count = len(self.stacks_bb)
        return ("BTN", "BB") if count == 2 else (*positions_between(count - 3), "BTN", "SB", "BB")


class Pushing(Struct, frozen=True):
    """How often a player goes all-in with each hand class after some have, 0-1, and the standard error of that.

    Attributes
    ----------
    shares, stderrs : ndarray of float64, shape (169,)
        By class.
    fraction, fraction_stderr : float
        Of all hands.
    """

    shares: NDArray[np.float64]
    stderrs: NDArray[np.float64]
    fraction: float
    fraction_stderr: float

    @property
    def range(self) -> Range:
        """The hands that go all-in, in steps of a twentieth."""
        return Range(frozen_vector(np.rint(20 * self.shares[COMBO_CLASS]) / 20))


class PushSolution(Struct, frozen=True):
    """What is known of a game after so many deals in all.

    Attributes
    ----------
    runs : ndarray of float64, shape (runs, rows, 169)
        By run, who is to act and who is in before them, and hand class: how often they go all-in, 0-1; NaN where a
        run has not come.
    """

    game: PushGame
    deals: int
    runs: NDArray[np.float64]

    def pushing(self, player: int, before: Sequence[int] = ()) -> Pushing:
        """Return how a player acts after others have gone all-in, all by their place in the order of acting."""
        runs = self.runs[:, (1 << player) - 1 + sum(1 << other for other in before)]
        if np.isnan(runs).any():  # nothing is known
            return Pushing(np.full(CLASS_COUNT, 0.5), np.full(CLASS_COUNT, 0.5), 0.5, 0.5)
        fractions = runs @ _SIZES / COMBO_COUNT
        root = len(runs) ** 0.5
        return Pushing(
            runs.mean(axis=0),
            runs.std(axis=0, ddof=1) / root,
            float(fractions.mean()),
            float(fractions.std(ddof=1) / root),
        )


def game_of(started: HandStarted) -> tuple[PushGame, tuple[Seat, ...]]:
    """Return the game that a hand begins, for its prizes if it has some, and the seats in the order of acting."""
    seats = [one.seat for one in started.seats]
    after = (seats.index(started.button) + 1) % len(seats) if started.button in seats else 0
    first = (after + 2) % len(seats) if len(seats) > FEWEST_PLAYERS else (after + 1) % len(seats)
    order = (*seats[first:], *seats[:first])
    stacks = {one.seat: one.stack / started.big_blind for one in started.seats}
    game = PushGame(
        stacks_bb=tuple(stacks[seat] for seat in order),
        small_blind_bb=started.small_blind / started.big_blind,
        ante_bb=started.ante / started.big_blind,
        big_blind_ante_bb=started.big_blind_ante / started.big_blind,
        prizes=tuple(map(float, started.payouts[: len(seats)])),
    )
    return game, order


def faced(players: int, player: int, most: int = 2) -> tuple[tuple[int, ...], ...]:
    """Return who can be in before a player, at most so many: nobody first, who is not seen by the big blind.

    >>> faced(3, 2)
    ((0,), (1,), (0, 1))
    """
    found: list[tuple[int, ...]] = [] if player == players - 1 else [()]
    found += [(other,) for other in range(player)]
    if most > 1:
        found += [(one, other) for one in range(player) for other in range(one + 1, player)]
    return tuple(found)


def solve(game: PushGame, seed: int, step: int = 10_000) -> Iterator[PushSolution]:
    """Yield what is known after each `step` deals of every run, for ever; to stop, cease to iterate.

    The same game, seed and step give the same solutions.

    Raises
    ------
    PushOrFoldError
        If the game cannot be played.
    IcmError
        If its prizes are none.
    """
    check_game(game)
    from engine.kernels.evaluator import tables
    from engine.kernels.push_or_fold import Stakes, new_room, new_strategies, play_deals
    from engine.kernels.rng import new_stream

    stacks, posted, dead = _chips(game)
    stakes = Stakes(np.array(stacks), np.array(posted), dead, np.array(game.prizes, np.float64))
    runs = [(new_stream(seed, run), new_strategies(len(stacks)), new_room(stakes)) for run in range(RUNS)]
    deals = 0
    while True:
        for state, strategies, room in runs:
            play_deals(tables(), _pairs(), stakes, step, deals, state, strategies, room)
        deals += step
        found = [made.sums / np.where(made.weights > 0, made.weights, np.nan)[:, None] for _, made, _ in runs]
        yield PushSolution(game, len(runs) * deals, np.array(found))


def check_game(game: PushGame) -> None:
    """Raise what `solve` does."""
    players = len(game.stacks_bb)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise PushOrFoldError(f"Push or fold is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {players}.")
    for name, stack in zip(game.positions, game.stacks_bb, strict=True):
        if not _LEAST_STACK_BB <= stack <= _MOST_STACK_BB:
            raise PushOrFoldError(
                f"A stack is {_LEAST_STACK_BB:g} to {_MOST_STACK_BB:g} big blinds, not {stack:g} ({name})."
            )
    for what, value, most in (
        ("The small blind", game.small_blind_bb, 1.0),
        ("An ante", game.ante_bb, 1.0),
        ("An ante of the big blind", game.big_blind_ante_bb, 10.0),
    ):
        if not 0 <= value <= most:
            raise PushOrFoldError(f"{what} is 0 to {most:g} big blinds, not {value:g}.")
    if game.prizes:
        check_prizes(players, game.prizes)


def _chips(game: PushGame) -> tuple[list[int], list[int], int]:
    """Return everybody's chips, what they post of them, and the ante for all, which the big blind has no more."""
    stacks = [round(_CHIPS_PER_BB * stack) for stack in game.stacks_bb]
    ante, small, for_all = (
        round(_CHIPS_PER_BB * bb) for bb in (game.ante_bb, game.small_blind_bb, game.big_blind_ante_bb)
    )
    blinds = [0] * (len(stacks) - 2) + [small, _CHIPS_PER_BB]
    posted = [min(ante + blind, stack) for blind, stack in zip(blinds, stacks, strict=True)]
    dead = min(for_all, stacks[-1] - posted[-1])
    stacks[-1] -= dead
    return stacks, posted, dead


@cache
def _pairs() -> "Pairs":
    """Return what is known of combos and of each two of them."""
    from engine.kernels.evaluator import tables
    from engine.kernels.push_or_fold import Pairs

    combos = np.zeros((CARD_COUNT, CARD_COUNT), np.int64)
    high, low = COMBO_CARDS.T.astype(np.int64)
    combos[high, low] = combos[low, high] = np.arange(COMBO_COUNT)
    keys, masks = (of_cards[high] + of_cards[low] for of_cards in (tables().card_key, tables().card_mask))
    known = heads_up_table()
    return Pairs(COMBO_MASK, COMBO_CLASS.astype(np.int64), keys, masks, known.equities(), known.ties(), combos)
