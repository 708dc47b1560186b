"""An exercise as data: the spot, the question, what answers are worth, and why; and how hard the next one is."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.agents.agent import Values
from engine.game.events import Action, Seat
from engine.game.observation import Observation
from engine.ranges import Range

MOST_POINTS = 100.0
RIGHT_POINTS = 80.0
"""An answer of so many points counts as right."""

LEVELS = 5
_RUN = 3
"""Right answers in a row that raise the level; one wrong answer lowers it. The level settles where some 79% of the
answers are right (H. Levitt, Transformed up-down methods in psychoacoustics, 1971)."""


class Drill(StrEnum):
    """The kinds of exercises."""

    POT_ODDS = "pot odds"
    OUTS = "outs"
    EQUITY = "equity"
    AHEAD = "who is ahead"
    PREFLOP = "before the flop"
    KINDS = "kinds of a range"
    BLUFF_CATCHING = "bluff-catching"
    MISTAKES = "your mistakes"


TOPICS: Final[dict[Drill, tuple[str, ...]]] = {
    Drill.POT_ODDS: ("a call", "a call of a raise", "a bluff", "defence"),
    Drill.OUTS: ("flush draws", "straight draws", "several draws", "pairs and trips", "chances"),
    Drill.EQUITY: (
        "two hands before the flop",
        "two hands after the flop",
        "a range before the flop",
        "a range after the flop",
        "three hands",
    ),
    Drill.AHEAD: ("before the flop", "on the flop", "on the turn"),
    Drill.PREFLOP: (
        "first in",
        "facing a raise",
        "facing a 3-bet",
        "short, first in",
        "short, facing a raise",
    ),
    Drill.KINDS: ("strong", "medium", "weak", "drawing"),
    Drill.BLUFF_CATCHING: ("a small bet", "a big bet", "an overbet"),
    Drill.MISTAKES: (),
}
"""The sorts of questions of each drill, each of which comes back by itself when it went wrong; a player's own
mistakes are topics too."""


class Choice(Struct, frozen=True):
    """An answer to choose, and what it is worth.

    Attributes
    ----------
    points : float
        0 to 100.
    lost_bb : float or None
        Big blinds that it is worth less than the best answer, None where no chips hang on it.
    action : Action or None
        What it stands for, if that is an action.
    """

    text: str
    points: float
    lost_bb: float | None = None
    action: Action | None = None


class Number(Struct, frozen=True):
    """A number to type: it is worth 100 points up to a distance of `full`, none from `none` on, in between in line.

    Attributes
    ----------
    value : float
        The right number in its unit, exact; of a range, for the range as it was read.
    unit : str
        `%`, or nothing for a count.
    """

    value: float
    full: float
    none: float
    unit: str = "%"

    def points(self, given: float) -> float:
        """Return what an answer is worth, 0 to 100.

        >>> [Number(25.0, 2.0, 12.0).points(given) for given in (24.0, 30.0, 80.0)]
        [100.0, 70.0, 0.0]
        """
        beyond = max(abs(given - self.value) - self.full, 0.0)
        return MOST_POINTS * max(1 - beyond / (self.none - self.full), 0.0)

    @property
    def scale(self) -> str:
        """What points mean, in a sentence.

        >>> Number(9, 0.0, 4.0, "").scale
        '100 points for the exact number, none if 4 off.'
        >>> Number(30, 2.0, 12.0).scale
        '100 points within 2 percentage points, none if 12 off.'
        """
        unit = "percentage point" if self.unit == "%" else ""
        best = (
            f"within {self.full:g} {unit}{'' if self.full == 1 else 's'}" if self.full else "for the exact number"
        )
        return f"100 points {best}, none if {self.none:g} off."


class Exercise(Struct, frozen=True, kw_only=True):
    """A question about a spot. There are choices, or there is a number to type.

    Attributes
    ----------
    topic : str
        One of `TOPICS`, or the name of a mistake.
    level : int
        1 to `LEVELS`; 0 of what has none.
    observation : Observation
        The spot, as the seat of the player sees it.
    ranges, is_range_shown : dict of int to Range, bool
        What seats hold by the question, and whether that is shown before it is answered.
    explanation : tuple of str
        Sentences that say why; the first has the right number.
    choice_scale : str
        What points of choices mean, in a sentence.
    title : str
        What the topic is called, where its name does not say it.
    values : Values or None
        What every action is worth, of which the choices are some.
    """

    drill: Drill
    topic: str
    level: int
    observation: Observation
    question: str
    explanation: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    choice_scale: str = ""
    number: Number | None = None
    ranges: dict[Seat, Range] = {}
    is_range_shown: bool = True
    title: str = ""
    values: Values | None = None

    @property
    def scale(self) -> str:
        """What points mean here, in a sentence."""
        return self.choice_scale if self.number is None else self.number.scale


class Progress(Struct, frozen=True):
    """How hard exercises of a drill are, 1 to `LEVELS`, and how many answers in a row were right at this level."""

    level: int = 1
    run: int = 0

    def after(self, points: float) -> "Progress":
        """Return what follows an answer of so many points.

        >>> progress = Progress()
        >>> for points in (100, 90, 85): progress = progress.after(points)
        >>> progress, progress.after(10)
        (Progress(level=2, run=0), Progress(level=1, run=0))
        """
        if points < RIGHT_POINTS:
            return Progress(max(self.level - 1, 1))
        if self.run + 1 < _RUN:
            return Progress(self.level, self.run + 1)
        return Progress(min(self.level + 1, LEVELS))
