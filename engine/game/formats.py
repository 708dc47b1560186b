"""What a session is played for: stakes, rebuys, length; and with players and a seed, a game that can begin."""

import re
from typing import Any

from msgspec import Struct

from engine.foreign_text import shortened
from engine.game.events import Chips, GameKind
from engine.game.rules import MAX_SEATS, MIN_SEATS, RulesError, TableRules

HUMAN = "human"
"""The style of a seat that the player plays."""

PERSON = "person"
"""The style of a seat of somebody else who played elsewhere: no agent's."""

_MAX_CHIPS = 10**12
_MOST_LEVELS = 100
_LEVEL = re.compile("[0-9]{1,13}/[0-9]{1,13}(/[0-9]{1,13})?")
MAX_SEED = 2**63 - 1


class GameConfigError(ValueError):
    """Settings with which no session can be played; the message names the value and the rule."""


class SeatConfig(Struct, frozen=True):
    """Who sits at a seat: a name, and `"human"` or the registered name of an agent's style."""

    name: str
    style: str


class Level(Struct, frozen=True):
    """Stakes of a tournament from one time on, in chips."""

    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0

    def __str__(self) -> str:
        """Write it.

        >>> str(Level(50, 100)), str(Level(50, 100, 10))
        ('50/100', '50/100/10')
        """
        return f"{self.small_blind}/{self.big_blind}" + (f"/{self.ante}" if self.ante else "")


def parse_level(text: str) -> Level:
    """Read a level as `str` writes it; `GameConfigError` if it is none.

    >>> parse_level("50/100/10")
    Level(small_blind=50, big_blind=100, ante=10)
    """
    if not _LEVEL.fullmatch(text):
        raise GameConfigError(f"A level is small blind/big blind or small/big/ante, not '{shortened(text)}'.")
    return Level(*map(int, text.split("/")))


class GameFormat(Struct, frozen=True, kw_only=True):
    """What is played, whoever plays it. `engine.game.format_file` reads and writes it as text.

    Attributes
    ----------
    name : str
        As a player chooses it; empty where the numbers are the player's own.
    starting_stack : int
        Chips of each seat at the start, of each rebuy, and up to which a seat of a cash game may top up.
    small_blind, big_blind, ante : int
        In chips, at the start.
    is_big_blind_ante : bool
        Whether the big blind posts the ante for all, rather than everybody one of their own.
    straddle : int
        In a cash game, what the seat left of the big blind posts, at least twice the big blind; 0 for none.
    max_raises : int
        Raises allowed on each street beyond its first bet, 0 for any number.
    raises_to_twice : bool
        Whether a raise is to exactly twice the bet.
    levels : tuple of Level
        The stakes of a tournament after every further `hands_per_level` hands; the last ones stay.
    doubles_each_lap : bool
        In a tournament, whether the blinds double once the button has been at every seat that is left.
    least_seats, most_seats : int
        How many may play, 2 to 10.
    rebuys : int
        In a tournament (a cash game ignores it), how often a seat that is out of chips gets `starting_stack` again.
    does_rebuy_bots : bool
        In a cash game, whether every seat with an agent buys in again when it is out of chips.
    does_reset_stacks : bool
        In a cash game, whether every seat begins each hand with `starting_stack`.
    max_hands : int or None
        Hands after which the session ends.
    ends_at_half : bool
        Whether a tournament ends when no more than half of the players are left.
    payouts : tuple of int
        Shares of a tournament's prizes by place, in percent; empty without prizes.
    """

    name: str = ""
    kind: GameKind
    starting_stack: Chips
    small_blind: Chips
    big_blind: Chips
    ante: Chips = 0
    is_big_blind_ante: bool = False
    straddle: Chips = 0
    max_raises: int = 0
    raises_to_twice: bool = False
    least_seats: int = MIN_SEATS
    most_seats: int = MAX_SEATS
    rebuys: int = 0
    does_rebuy_bots: bool = True
    does_reset_stacks: bool = False
    max_hands: int | None = None
    levels: tuple[Level, ...] = ()
    hands_per_level: int = 0
    doubles_each_lap: bool = False
    ends_at_half: bool = False
    payouts: tuple[int, ...] = ()

    @property
    def do_blinds_rise(self) -> bool:
        """Whether a big blind is another number of chips in later hands."""
        return bool(self.levels) or self.doubles_each_lap

    def rules_at(self, level: int, chips: Chips) -> TableRules:
        """Return the stakes of each hand of a level, 0 the first, with so many chips in play."""
        if self.doubles_each_lap:
            factor = 2 ** min(level, (chips // self.big_blind).bit_length())  # beyond that everybody is all-in
            return self._rules(Level(self.small_blind * factor, self.big_blind * factor, self.ante * factor))
        levels = Level(self.small_blind, self.big_blind, self.ante), *self.levels
        return self._rules(levels[min(level, len(self.levels))])

    def _rules(self, level: Level) -> TableRules:
        return TableRules(
            level.small_blind,
            level.big_blind,
            0 if self.is_big_blind_ante else level.ante,
            big_blind_ante=level.ante if self.is_big_blind_ante else 0,
            straddle=self.straddle,
            max_raises=self.max_raises,
            counts_bets=False,
            raises_to_twice=self.raises_to_twice,
        )

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
        for number, level in enumerate((Level(self.small_blind, self.big_blind, self.ante), *self.levels)):
            try:
                self._rules(level).verify()
            except RulesError as error:
                raise GameConfigError(f"Level {level}: {error}" if number else str(error)) from error
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
        if self.kind == GameKind.CASH:
            self._verify_cash()
        else:
            self._verify_tournament()

    def _verify_cash(self) -> None:
        for what, value in (
            ("Levels", ", ".join(map(str, self.levels))),
            ("Hands per level", self.hands_per_level),
            ("Prizes", ", ".join(map(str, self.payouts))),
        ):
            if value:
                raise GameConfigError(f"{what} are for tournaments, and this cash game has {value}.")
        if self.doubles_each_lap or self.ends_at_half:
            raise GameConfigError("Blinds that double each lap and an end at half are for tournaments.")

    def _verify_tournament(self) -> None:
        if self.straddle:
            raise GameConfigError(f"A straddle is for cash games, and this tournament has one of {self.straddle}.")
        if self.does_reset_stacks:
            raise GameConfigError("A tournament whose stacks are reset would never end: it takes a cash game.")
        if len(self.levels) > _MOST_LEVELS:
            raise GameConfigError(
                f"A tournament has at most {_MOST_LEVELS} further levels, not {len(self.levels)}."
            )
        if self.hands_per_level < 0 or bool(self.levels) != bool(self.hands_per_level):
            raise GameConfigError(
                f"Levels last a number of hands, and these {len(self.levels)} last {self.hands_per_level}."
            )
        if self.levels and self.doubles_each_lap:
            raise GameConfigError("Blinds either double each lap or follow levels, not both.")
        if self.payouts and (min(self.payouts) < 1 or sum(self.payouts) != 100):
            raise GameConfigError(
                "Prizes are shares of at least 1% that sum to 100%, and these are "
                f"{', '.join(map(str, self.payouts[:_MOST_LEVELS]))}, which sum to {sum(self.payouts)}."
            )

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
        if len(self.payouts) > count:
            raise GameConfigError(f"There are prizes for {len(self.payouts)} places and {count} players.")


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
