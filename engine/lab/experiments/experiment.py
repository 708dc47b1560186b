"""What an experiment is: the matches it needs, and what follows from them, in numbers, words and a drawing."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from engine.figures.mean import Mean, mean_of, no_surer
from engine.lab.experiments.contestants import AGENTS
from engine.lab.experiments.picture import Picture
from engine.lab.experiments.records import HANDS, MatchRecord, Task

SHORT_HANDS = 20
"""Of a match in a short run, which shows that an experiment works and nothing else."""


class Setting(Struct, frozen=True):
    """How an experiment is run.

    Attributes
    ----------
    agents : tuple of str
        Who is measured, each in a run of its own.
    matches : int or None
        Of each line-up; None for as many as the paper played.
    seed : int
        Of all matches.
    is_short : bool
        Whether few and short matches are enough.
    """

    agents: tuple[str, ...] = AGENTS
    matches: int | None = None
    seed: int = 0
    is_short: bool = False

    def count(self, usual: int, short: int = 2) -> int:
        """Return how many matches are played of each line-up."""
        return self.matches or (short if self.is_short else usual)

    def task(self, players: Sequence[str], number: int) -> Task:
        """Return a match of some players."""
        return Task(tuple(players), number, self.seed, SHORT_HANDS if self.is_short else HANDS)


class Row(Struct, frozen=True):
    """One number of an experiment, and the paper's.

    Attributes
    ----------
    agent : str
        Whose run it is of.
    player : str
        Who it is about.
    against : str
        Whom it is compared with, or the opponent; empty for the whole table.
    measure : str
        What was measured, with its unit.
    at : float or None
        After how many hands, matches or deals, or with how many players.
    value, stderr : float, float or None
        The number and its standard error; None where there is none.
    count : int
        Over how many observations, matches if nothing else is said.
    paper : float or None
        What the paper has there, where it says so.
    """

    agent: str
    player: str
    against: str
    measure: str
    at: float | None
    value: float
    stderr: float | None
    count: int
    paper: float | None = None

    @classmethod
    def of(
        cls,
        agent: str,
        player: str,
        against: str,
        measure: str,
        at: float | None,
        mean: Mean,
        paper: float | None = None,
    ) -> "Row":
        """Return a mean that was measured."""
        return cls(agent, player, against, measure, at, mean.value, mean.stderr, mean.observations, paper)


class Outcome(Struct, frozen=True):
    """What came of an experiment: numbers, a table and a paragraph in words, and its figure."""

    rows: tuple[Row, ...]
    table: str
    paragraph: str
    picture: Picture


class Step(NamedTuple):
    """How far an experiment is: `done` of `total` parts, and what gives the outcome so far, if there is one."""

    done: int
    total: int
    outcome: Callable[[], Outcome] | None
    parts: str = "matches"


class Described(Protocol):
    """Says in a line what is measured, `TITLE`, and in a sentence what the paper found, `PAPER`."""

    TITLE: str
    PAPER: str


class Experiment(Described, Protocol):
    """A figure or table of the FOLD paper, to be measured again: a module with these names."""

    def tasks(self, setting: Setting) -> list[Task]:
        """Return the matches that it needs; a `FigureError` if it cannot be run like that."""
        ...

    def outcome(self, setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
        """Return what follows from all of its matches."""
        ...


def mean_rank(ranks: Sequence[float]) -> Mean:
    """Return the mean of ranks, with no less error than if one match had ended a place off.

    >>> mean_rank([1, 1, 1, 1])
    Mean(value=1.0, stderr=0.25, observations=4)
    """
    return no_surer(mean_of(ranks), 1 / len(ranks))


def error_of(mean: Mean) -> float:
    """Return the standard error of a mean as a picture has it: 0 of one observation."""
    return mean.stderr or 0.0


def in_words(mean: Mean, digits: int = 2, sign: str = "-") -> str:
    """Return a mean with its standard error as text.

    >>> in_words(Mean(1234.5, 20.25, 3), 1)
    '1,234.5 ± 20.2'
    """
    error = "" if mean.stderr is None else f" ± {mean.stderr:,.{digits}f}"
    return f"{mean.value:{sign},.{digits}f}{error}"
