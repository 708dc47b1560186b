"""Tables to sit down at without choosing anything: who sits there, and why they are easy or hard to beat."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class OpponentLevel:
    """A table of six; `styles` are registered names, clockwise from the player's left.

    `won` is what the style *lead keeper*, a sound player who reads nobody, has won there in the player's place, in
    big blinds per 100 hands without the luck of the board, and its standard error (docs/opponents.md); None where
    that is not measured.
    """

    title: str
    styles: tuple[str, ...]
    why: str
    won: tuple[float, float] | None


LEVELS: Final = (
    OpponentLevel(
        "First hands",
        ("calling station", "sticky", "fit-or-fold", "o1", "o5"),
        "Five who call too much and hardly ever raise. Bet your good hands and do not bluff: they call. "
        "When one of them raises, believe it.",
        (277.8, 17.3),
    ),
    OpponentLevel(
        "Home game",
        ("sticky", "fit-or-fold", "calling station", "maniac", "tight-passive"),
        "Three who call too much, one who waits for good hands, and a maniac who raises nearly everything. "
        "Wait for a hand, and let the maniac pay it off.",
        (141.7, 11.2),
    ),
    OpponentLevel(
        "Regulars",
        ("nit", "loose-aggressive", "tight-passive", "min-raiser", "trapper"),
        "Nobody gives chips away: two hardly play, two raise often, and one sets traps. "
        "Each has a leak of another kind, so notice who you play against.",
        (5.0, 6.0),
    ),
    OpponentLevel(
        "Thinkers",
        ("fold-2017", "adapter", "loose-aggressive", "gear changer", "trapper"),
        "One reads hands as the FOLD paper does, one counts what you do and plays against that, "
        "and the others change how they play. What worked an hour ago may not work now.",
        (-9.3, 7.2),
    ),
    OpponentLevel(
        "Readers",
        ("soulread", "fold", "fold-2017", "adapter", "loose-aggressive"),
        "Soulread weighs every action against all that you may hold, FOLD and FOLD 2017 read you as well, "
        "and all of them learn how you play. Mix your play, or they know your cards.",
        None,
    ),
)
"""From easy to hard."""


def level_words(level: OpponentLevel) -> str:
    """Say what to expect at a table, and how a sound player fared there."""
    if level.won is None:
        return level.why
    won, error = level.won
    return f"{level.why} A sound player by rules made {won:+.0f} ± {error:.0f} big blinds per 100 hands here."
