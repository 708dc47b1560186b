"""What a session is played for: stakes, rebuys, length; and with players and a seed, a game that can begin."""

from typing import Any

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


class GameFormat(Struct, frozen=True, kw_only=True):
    """What is played, whoever plays it. `engine.game.format_file` reads and writes it as text.

    Attributes
    ----------
    name : str
        As a player chooses it; empty where the numbers are the player's own.
    starting_stack : int
        Chips of each seat at the start, of each rebuy, and up to which a seat of a cash game may top up.
    small_blind, big_blind, ante : int
        In chips, constant.
    least_seats, most_seats : int
        How many may play, 2 to 10.
    rebuys : int
        In a tournament, how often a seat that is out of chips gets `starting_stack` again.
    does_rebuy_bots : bool
        In a cash game, whether every seat with an agent buys in again when it is out of chips.
    does_reset_stacks : bool
        In a cash game, whether every seat begins each hand with `starting_stack`.
    max_hands : int or None
        Hands after which the session ends.
    """

    name: str = ""
    kind: GameKind
    starting_stack: Chips
    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    least_seats: int = MIN_SEATS
    most_seats: int = MAX_SEATS
    rebuys: int = 0
    does_rebuy_bots: bool = True
    does_reset_stacks: bool = False
    max_hands: int | None = None

    @property
    def rules(self) -> TableRules:
        """The stakes of each hand."""
        return TableRules(self.small_blind, self.big_blind, self.ante)

    @property
    def sells_chips(self) -> bool:
        """Whether a player can buy chips between two hands."""
        return self.kind == GameKind.CASH and not self.does_reset_stacks

    def game(self, seats: tuple[SeatConfig, ...], *, seed: int = 0) -> "GameConfig":
        """Return a session of this format; whether it can be played is up to `GameConfig.verify`."""
        values: dict[str, Any] = {field: getattr(self, field) for field in GameFormat.__struct_fields__}
        return GameConfig(**values, seats=seats, seed=seed)

    def verify_format(self) -> None:
        """Raise `GameConfigError` if nobody can play like that."""
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
        if not MIN_SEATS <= self.least_seats <= self.most_seats <= MAX_SEATS:
            raise GameConfigError(
                f"A format is for {MIN_SEATS} to {MAX_SEATS} players or for fewer of these, not for "
                f"{self.least_seats} to {self.most_seats}."
            )
        if self.rebuys < 0:
            raise GameConfigError(f"The number of rebuys must not be negative, and it is {self.rebuys}.")
        if self.max_hands is not None and self.max_hands < 1:
            raise GameConfigError(f"A session needs at least one hand, not {self.max_hands}.")
        if self.kind == GameKind.CASH and self.rebuys:
            raise GameConfigError(f"Rebuys are for tournaments, and this cash game has {self.rebuys}.")
        if self.kind == GameKind.TOURNAMENT and self.does_reset_stacks:
            raise GameConfigError("A tournament whose stacks are reset would never end: it takes a cash game.")

    def verify_seats(self, count: int) -> None:
        """Raise `GameConfigError` if so many cannot play like that."""
        self.verify_format()
        least, most = self.least_seats, self.most_seats
        if not least <= count <= most:
            is_usual = (least, most) == (MIN_SEATS, MAX_SEATS) or not self.name
            who = "A game" if is_usual else f"'{self.name}'"
            raise GameConfigError(
                f"{who} needs {least if least == most else f'{least} to {most}'} seats, not {count}."
            )


class GameConfig(GameFormat, frozen=True, kw_only=True):
    """A session before it begins: a format, players and a seed.

    Attributes
    ----------
    seats : tuple of SeatConfig
        As many as the format takes; the index is the seat number. Opponents are remembered by name, so no name
        stands twice.
    seed : int
        From 0 on; deck, button and agents draw their own streams from it.
    """

    seats: tuple[SeatConfig, ...]
    seed: int = 0

    @property
    def format(self) -> GameFormat:
        """What is played, without players and seed."""
        return GameFormat(**{field: getattr(self, field) for field in GameFormat.__struct_fields__})

    def verify(self) -> None:
        """Raise `GameConfigError` if no session can be played with these settings."""
        self.verify_seats(len(self.seats))
        names = [seat.name.strip() for seat in self.seats]
        for number, (name, seat) in enumerate(zip(names, self.seats, strict=True)):
            if not name:
                raise GameConfigError(f"Seat {number + 1} needs a name.")
            if name in names[:number]:
                raise GameConfigError(f"The name '{name}' is taken twice; every player needs one of their own.")
            if not seat.style:
                raise GameConfigError(f"'{name}' needs a style: human or one of the bots'.")
        if not 0 <= self.seed <= MAX_SEED:
            raise GameConfigError(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")
