"""What a match is, before it begins: who plays, at which table, for what, and with which seeds."""

from enum import StrEnum
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from engine.agents.styles import seats_problem, style_name
from engine.fair_deals import Stream, stream_seed
from engine.game.events import Chips, GameKind
from engine.game.format_file import built_in
from engine.game.formats import MAX_SEED, GameConfigError, GameFormat
from engine.game.rules import MAX_SEATS, MIN_SEATS

DEFAULT_HANDS = 1000
MAX_HANDS = 100_000_000
MAX_STACK = 10_000
"""In big blinds, as `MatchPlan.stack`."""

MAX_MATCHES = 100_000
MOST_TOURNAMENT_HANDS = 10_000
"""So many are played of a tournament without `max_hands` and without an end, as where all always fold."""

MOST_MARKS = 100
"""Points of a tournament's curve at most."""

LEAST_DECKS = 2
"""With fewer there is no standard error."""


class MatchError(ValueError):
    """A match that cannot be played; the message names the value and the rule."""


class Seating(StrEnum):
    """In which order styles sit round the table before they are turned through all rotations.

    Drawn: for each deck of a cash game, and for each match of tournaments, in an order of its own, so that none
    always acts behind the same other. Fixed: as they are named.
    """

    DRAWN = "drawn"
    FIXED = "fixed"


class MatchPlan(Struct, frozen=True):
    """A match before it begins; it depends on the plan alone.

    Attributes
    ----------
    styles : tuple of str
        Two or more, as `make_agent` takes them, no name twice.
    seats : int
        2 to 10, as many as styles or more; the styles repeat round the table.
    hands : int or None
        To be played of a cash game; as many more as complete the last deck's rotations; None for `DEFAULT_HANDS`.
        A tournament is played to its end and takes None.
    stack : int or None
        Big blinds that everybody starts each hand of a cash game or a tournament with, 1 to 10,000; None for the
        stack of the format.
    game : GameFormat
        Of a cash game stacks are the same at the start of each hand, whether it resets them or not.
    """

    styles: tuple[str, ...]
    seats: int
    hands: int | None = None
    seed: int = 0
    stack: int | None = None
    game: GameFormat = built_in("cash")
    seating: Seating = Seating.DRAWN

    @property
    def starting_stack(self) -> Chips:
        """Chips that everybody starts each hand of a cash game, or a tournament, with."""
        return self.game.starting_stack if self.stack is None else self.stack * self.game.big_blind

    @property
    def rotations(self) -> int:
        """How often each deck or tournament is played: until the styles would sit as in the beginning."""
        return self.seats if self.seats % len(self.styles) else len(self.styles)

    @property
    def decks(self) -> int:
        """How many decks of a cash game are played."""
        return ceil((DEFAULT_HANDS if self.hands is None else self.hands) / self.rotations)

    @property
    def most_hands(self) -> int:
        """How many hands a tournament can have."""
        return self.game.max_hands or MOST_TOURNAMENT_HANDS

    @property
    def marks(self) -> tuple[int, ...]:
        """After which hands of a tournament chips are noted: evenly over `max_hands`, else ever farther apart."""
        most, steps = self.most_hands, range(1, MOST_MARKS + 1)
        is_even = self.game.max_hands is not None
        hands = (most * step / MOST_MARKS if is_even else most ** (step / MOST_MARKS) for step in steps)
        return tuple(sorted({max(round(hand), 1) for hand in hands}))

    def verify(self) -> None:
        """Raise `MatchError` if no match can be played like that; the styles' names are not looked up."""
        names = [style_name(style) for style in self.styles]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise MatchError(f"'{name}' is named twice; the styles of a match must differ.")
        if not 2 <= len(self.styles) <= MAX_SEATS:
            raise MatchError(f"A match takes 2 to {MAX_SEATS} styles, not {len(self.styles)}.")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise MatchError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}.")
        if self.seats < len(self.styles):
            raise MatchError(f"{len(self.styles)} styles need as many seats, and there are {self.seats}.")
        if problem := seats_problem(self.styles, self.seats):
            raise MatchError(problem)
        if self.hands is not None:
            self._verify_hands(self.hands)
        if self.stack is not None and not 1 <= self.stack <= MAX_STACK:
            raise MatchError(f"A stack has 1 to {MAX_STACK:,} big blinds, not {self.stack:,}.")
        try:
            replace(self.game, starting_stack=self.starting_stack).verify_seats(self.seats)
        except GameConfigError as error:
            raise MatchError(str(error)) from error
        if not 0 <= self.seed <= MAX_SEED:
            raise MatchError(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")

    def _verify_hands(self, hands: int) -> None:
        if self.game.kind == GameKind.TOURNAMENT:
            raise MatchError(
                f"'{self.game.name}' is a tournament and played to its end: a number of hands, such as {hands:,}, "
                "is for cash games, and a number of matches for both."
            )
        least = LEAST_DECKS * self.rotations
        if not least <= hands <= MAX_HANDS:
            raise MatchError(
                f"This match takes {least} to {MAX_HANDS:,} hands ({LEAST_DECKS} decks of {self.rotations} "
                f"rotations or more), not {hands:,}."
            )

    def verify_kind(self, kind: GameKind) -> None:
        """Raise `MatchError` if no match can be played like that, or if it is of the other kind of game."""
        self.verify()
        if self.game.kind != kind:
            is_cash = self.game.kind == GameKind.CASH
            one, other = ("cash game", "tournament") if is_cash else ("tournament", "cash game")
            raise MatchError(f"'{self.game.name}' is a {one}, and a {other} is asked for.")


def seed_of_match(seed: int, number: int) -> int:
    """Return the seed of one of several matches: of the first, number 0, the seed itself; 63 bits."""
    return seed if number == 0 else stream_seed(seed, Stream.MATCH, number) >> 65
