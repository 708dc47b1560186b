"""What is entered of short stacks that push or fold, and how everybody's hands are played then."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from engine.cards import CLASS_COUNT, HandClass, class_name, class_of, combo_of
from engine.foreign_text import shortened
from engine.game.events import HandStarted, Seat
from engine.game.observation import HandView
from engine.ranges import format_range
from engine.tournaments.icm import IcmError
from engine.tournaments.push_or_fold import (
    MOST_PLAYERS,
    PushGame,
    PushOrFoldError,
    PushSolution,
    check_game,
    faced,
    game_of,
    solve,
)
from trainer.jobs import Jobs
from trainer.widgets.action_chart_model import Share

LANE: Final = "push or fold"
NOTE: Final = (
    "An equilibrium of the game in which everybody goes all-in or folds: whoever plays otherwise wins no more. Any "
    "number may be in, with side pots. With prizes it is of prizes by the independent chip model (ICM). From "
    "sampled deals, as many as are told; the error is the standard error. With more than some 15 big blinds much "
    "else is to be done."
)
NO_HAND: Final = "No hand is being played at the table."
_SEED, _STEP, _MOST_DEALS = 1, 500, 1_000_000  # of nine players a step takes 0.15 s
_SEPARATORS = re.compile(r"[\s,;/]+")
_FOLD, _GOING_ON, _RAISING = range(3)


class Entered(Struct, frozen=True):
    """What stands in the fields: a stack for all of so many players, or one for each in the order of acting."""

    stacks: str = "10"
    players: int = 6
    ante_bb: float = 0.0
    big_blind_ante_bb: float = 0.0
    small_blind_bb: float = 0.5
    prizes: str = ""


def entered_of(started: HandStarted) -> tuple[Entered, tuple[Seat, ...]]:
    """Return what a hand of the table would be entered as, and its seats in the order of acting."""
    game, order = game_of(started)
    return (
        Entered(
            " ".join(f"{stack:.4g}" for stack in game.stacks_bb),
            len(order),
            game.ante_bb,
            game.big_blind_ante_bb,
            game.small_blind_bb,
            " ".join(f"{prize:g}" for prize in game.prizes),
        ),
        order,
    )


class PushView:
    """How a player acts after some have gone all-in, as `trainer.widgets.action_chart_model.ActionView` has it."""

    def __init__(self, solution: PushSolution, player: int, before: tuple[int, ...], own: HandClass | None) -> None:
        names = solution.game.positions
        one = solution.pushing(player, before)
        self.can_check = False
        self.own = own
        self.reach: NDArray[np.float64] = np.ones(CLASS_COUNT)
        self.is_blocked: NDArray[np.bool_] = np.zeros(CLASS_COUNT, np.bool_)
        self.shares: NDArray[np.float64] = np.zeros((CLASS_COUNT, 3))
        self._goes = _GOING_ON if before else _RAISING
        self.shares[:, self._goes], self.shares[:, _FOLD] = one.shares, 1 - one.shares
        self._stderrs = one.stderrs
        others = " and ".join(names[other] for other in before)
        verb = "go" if len(before) > 1 else "goes"
        faced_words = f"{others} {verb} all-in" if before else "nobody is in"
        self.title = f"{names[player]} with {solution.game.stacks_bb[player]:.4g} bb: {faced_words}"
        share = f"{one.fraction:.1%} ± {one.fraction_stderr:.2%}"
        self.totals: tuple[Share, ...] = (Share(self._goes, "Call" if before else "All-in", share),)
        self._range = one.range
        self.note = f"{solution.deals:,} deals{'' if solution.deals >= _MOST_DEALS else '…'}"

    @property
    def kinds(self) -> tuple[int, ...]:
        """Going all-in or calling, and folding."""
        return self._goes, _FOLD

    @property
    def text(self) -> str:
        """All of it as plain text."""
        (total,) = self.totals
        return f"{self.title}\n{total.name} {total.text}: {format_range(self._range)}".rstrip()

    def describe(self, cell: int) -> str:
        """Say how often a class goes in."""
        share, stderr = self.shares[cell, self._goes], self._stderrs[cell]
        error = f" ± {stderr:.0%}" if stderr >= 0.005 else ""
        return f"{class_name(cell)}: {self.totals[0].name.lower()} {share:.0%}{error}, fold {1 - share:.0%}"

    def combos(self, cell: int) -> tuple[str, ...]:
        """All combos of a class are played alike."""
        return ()


class PushModel(QObject):
    """Reads what is entered, works it out in a lane as long as the window is open, and shows one player of it."""

    changed = Signal()  # `view` and `message` are others
    game_changed = Signal()  # who sits where is another

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._solution: PushSolution | None = None
        self._own: HandClass | None = None
        self.entered = Entered()
        self.game = PushGame(stacks_bb=())
        self.player = 0
        self.before: tuple[int, ...] = ()
        self.view: PushView | None = None
        self.message = ""  # what is wrong, one sentence; "" if nothing is

    @property
    def positions(self) -> tuple[str, ...]:
        """The positions in the order of acting."""
        return self.game.positions if self.game.stacks_bb else ()

    @property
    def faced(self) -> tuple[tuple[int, ...], ...]:
        """Who can be in before the player."""
        return faced(len(self.game.stacks_bb), self.player) if self.game.stacks_bb else ()

    @property
    def faced_words(self) -> tuple[str, ...]:
        """The same in words."""
        names = self.positions
        return tuple(
            f"{' and '.join(names[other] for other in before)} all-in" if before else "nobody is in"
            for before in self.faced
        )

    def enter(self, entered: Entered) -> None:
        """Take what stands in the fields, and begin to work it out."""
        self.entered, self._own = entered, None
        self._begin()

    def take_table(self, seen: HandView | None) -> None:
        """Take stacks, blinds and prizes of the hand at the table, with the player's seat and hand class."""
        if seen is None or not isinstance(started := seen.events[0], HandStarted):
            self._refuse(PushOrFoldError(NO_HAND))
            return
        self.entered, order = entered_of(started)
        self._own = None
        if seen.viewer is not None and seen.viewer in order:
            self.player, self.before = order.index(seen.viewer), ()
            self._own = class_of(combo_of(*seen.own_cards)) if seen.own_cards else None
        self._begin()

    def choose(self, player: int, before: tuple[int, ...]) -> None:
        """Show a player, after some have gone all-in."""
        if player != self.player:
            self._own = None
        self.player, self.before = player, before
        self._fit()
        self._show()

    def stop(self) -> None:
        """Work nothing out any more."""
        self._jobs.cancel(LANE)

    def _begin(self) -> None:
        try:
            game = _game_of(self.entered)
            check_game(game)
        except (IcmError, PushOrFoldError) as error:
            self._refuse(error)
            return
        if game != self.game:
            self._solution = None
        self.game, self.message = game, ""
        self._fit()
        self.game_changed.emit()
        if self._solution is None or self._solution.deals < _MOST_DEALS:
            self._jobs.submit(LANE, partial(_solutions, game), self._on_solution, newest_wins=True)
        self._show()

    def _fit(self) -> None:
        """Take the nearest player and situation that there is."""
        self.player = min(self.player, len(self.game.stacks_bb) - 1)
        if self.before not in self.faced:
            self.before = self.faced[0]

    def _refuse(self, error: Exception) -> None:
        self._jobs.cancel(LANE)
        self._solution = self.view = None
        self.message = str(error)
        self.changed.emit()

    def _on_solution(self, solution: PushSolution) -> None:
        if solution.game == self.game:
            self._solution = solution
            self._show()

    def _show(self) -> None:
        known = self._solution
        self.view = PushView(known, self.player, self.before, self._own) if known is not None else None
        self.changed.emit()


def _solutions(game: PushGame) -> Iterator[PushSolution]:
    """Return what is known of a game, until that is enough."""
    return takewhile(lambda solution: solution.deals <= _MOST_DEALS, solve(game, _SEED, _STEP))


def _game_of(entered: Entered) -> PushGame:
    """Return the game that is entered; PushOrFoldError for what is no number."""
    stacks = _numbers(entered.stacks, "A stack")
    if len(stacks) == 1:
        stacks *= entered.players
    return PushGame(
        stacks_bb=stacks[: MOST_PLAYERS + 1],
        small_blind_bb=entered.small_blind_bb,
        ante_bb=entered.ante_bb,
        big_blind_ante_bb=entered.big_blind_ante_bb,
        prizes=_numbers(entered.prizes, "A prize"),
    )


def _numbers(text: str, what: str) -> tuple[float, ...]:
    found = []
    for part in _SEPARATORS.split(text.strip()):
        if part:
            try:
                found.append(float(part.rstrip("%")))
            except ValueError:
                raise PushOrFoldError(f"{what} is no number such as 12.5: '{shortened(part)}'.") from None
    return tuple(found)


def same_players(entered: Entered) -> bool:
    """Return whether one stack is that of all, so that it is to be said how many there are."""
    return len([*filter(None, _SEPARATORS.split(entered.stacks))]) == 1
