"""What a session is played for: seats, stakes, rebuys, length; and the presets that a player can choose."""

from msgspec import Struct

from engine.game.events import Chips, GameKind
from engine.game.rules import MAX_SEATS, MIN_SEATS, RulesError, TableRules

HUMAN = "human"
"""The style of a seat that the player plays."""

_MAX_CHIPS = 10**12
MAX_SEED = 2**63 - 1


class GameConfigError(ValueError):
    """Settings with which no session can be played; the message names the value and the rule."""


class SeatConfig(Struct, frozen=True):
    """Who sits at a seat: a name, and `"human"` or the registered name of an agent's style."""

    name: str
    style: str


class GameConfig(Struct, frozen=True, kw_only=True):
    """A session before it begins.

    Attributes
    ----------
    seats : tuple of SeatConfig
        2 to 10; the index is the seat number. Opponents are remembered by name, so no name stands twice.
    starting_stack : int
        Chips of each seat at the start, of each rebuy, and up to which a seat of a cash game may top up.
    small_blind, big_blind, ante : int
        In chips, constant.
    rebuys : int
        In a tournament, how often a seat that is out of chips gets `starting_stack` again.
    does_rebuy_bots : bool
        In a cash game, whether every seat with an agent buys in again when it is out of chips.
    seed : int
        From 0 on; deck, button and agents draw their own streams from it.
    max_hands : int or None
        Hands after which the session ends.
    """

    kind: GameKind
    seats: tuple[SeatConfig, ...]
    starting_stack: Chips
    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    rebuys: int = 0
    does_rebuy_bots: bool = True
    seed: int = 0
    max_hands: int | None = None

    @property
    def rules(self) -> TableRules:
        """The stakes of each hand."""
        return TableRules(self.small_blind, self.big_blind, self.ante)

    def verify(self) -> None:
        """Raise `GameConfigError` if no session can be played with these settings."""
        if not MIN_SEATS <= len(self.seats) <= MAX_SEATS:
            raise GameConfigError(f"A game needs {MIN_SEATS} to {MAX_SEATS} seats, not {len(self.seats)}.")
        names = [seat.name.strip() for seat in self.seats]
        for number, (name, seat) in enumerate(zip(names, self.seats, strict=True)):
            if not name:
                raise GameConfigError(f"Seat {number + 1} needs a name.")
            if name in names[:number]:
                raise GameConfigError(f"The name '{name}' is taken twice; every player needs one of their own.")
            if not seat.style:
                raise GameConfigError(f"'{name}' needs a style: human or one of the bots'.")
        try:
            self.rules.verify()
        except RulesError as error:
            raise GameConfigError(str(error)) from error
        if self.starting_stack < self.big_blind + self.ante:
            raise GameConfigError(
                f"A starting stack of {self.starting_stack} does not pay the big blind and the ante "
                f"({self.big_blind + self.ante})."
            )
        if self.starting_stack > _MAX_CHIPS:
            raise GameConfigError(
                f"A starting stack must be at most {_MAX_CHIPS} chips, not {self.starting_stack}."
            )
        if self.rebuys < 0:
            raise GameConfigError(f"The number of rebuys must not be negative, and it is {self.rebuys}.")
        if not 0 <= self.seed <= MAX_SEED:
            raise GameConfigError(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")
        if self.max_hands is not None and self.max_hands < 1:
            raise GameConfigError(f"A session needs at least one hand, not {self.max_hands}.")


def cash_game(seats: tuple[SeatConfig, ...], *, seed: int = 0) -> GameConfig:
    """Return the preset cash game: blinds 50/100, 100 big blinds deep, no end."""
    return GameConfig(
        kind=GameKind.CASH, seats=seats, starting_stack=10_000, small_blind=50, big_blind=100, seed=seed
    )


def paper_tournament(seats: tuple[SeatConfig, ...], *, seed: int = 0) -> GameConfig:
    """Return the match of Li et al. 2017, table 2, but for 2 to 10 players instead of 2 to 8."""
    return GameConfig(
        kind=GameKind.TOURNAMENT,
        seats=seats,
        starting_stack=2000,
        small_blind=20,
        big_blind=40,
        rebuys=1,
        seed=seed,
        max_hands=600,
    )
