"""How far a reader can be trusted: how often the truth fell into each tenth of its probability.

`engine.lab` counts it on recorded hands and writes `resources/reading_calibration.json`; the app counts it at its
own table as hands end, and shows both.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from engine.agents.agent import Reader
from engine.cards import Card, HoleCards, combo_of, unblocked
from engine.codec import StoredDataError, Vector, decode, encode
from engine.game.events import ActionKind, ActionTaken, Seat
from engine.game.history import HandState
from engine.game.observation import Observation
from engine.resources import ResourceError, read_text

_CALIBRATION_SCHEMA = 1
CALIBRATION_FILE = "reading_calibration.json"
DECILES = 10

FLOOR = 1e-12
"""A true combo of less probability, or none, is scored as if it had this: `-ln` of it is 27.6 nats."""

FIRST_HANDS = 50
"""The first so many hands of a table are counted apart: its players are hardly known yet."""


class Calibration(Struct, frozen=True):
    """How often the truth lies in each tenth of the mass, likeliest first, and what a reader loses, in nats.

    True probabilities put a tenth of the truths everywhere, up to a standard error of `tenth_stderr`; were points
    independent, that would be `sqrt(0.09 / points)`. Too much in the last tenths is overconfidence. `log_loss` is
    the mean of `-ln p(true combo)`, its `stderr` one over hands, like `tenth_stderr`. None without points; `stderr`
    also with a single hand, `tenth_stderr` also in figures of earlier versions.
    """

    points: int
    deciles: tuple[float, ...] | None = None
    log_loss: float | None = None
    stderr: float | None = None
    tenth_stderr: float | None = None


class JudgedPoint(NamedTuple):
    """The probability 0-1 of the true combo, and its place 0-1 in the mass from the likeliest combo down."""

    probability: float
    position: float


def judge(posterior: Vector, truth: int, dead: Sequence[Card], tie: float) -> JudgedPoint:
    """Judge one prediction by the combo that was really held.

    Parameters
    ----------
    posterior : ndarray of float32, shape (1326,)
        Weights of all combos, with a positive sum. Mass on combos of dead cards counts as lost.
    truth : int
        The true combo.
    dead : sequence of Card
        What the observer sees: their own cards and the board.
    tie : float
        Random, 0-1: the place of the truth among combos that are as likely as it is.

    Examples
    --------
    >>> judge(np.ones(1326, np.float32), 7, (), 0.25)
    JudgedPoint(probability=0.0007541478129713424, position=0.25)
    """
    shares = posterior / posterior.sum(dtype=np.float64)
    values, true_value = shares[unblocked(dead)], float(shares[truth])
    equal = int((values == true_value).sum())
    above = float(values[values > true_value].sum())
    return JudgedPoint(true_value, min(above + tie * equal * true_value, 1.0))


class CalibrationTally(Struct, frozen=True):
    """The sums over hands that a `Calibration` is made of, so that hands can be added one by one and not kept.

    Of a hand with n points, of which d lie in a tenth and which lose L nats together, `points_squares` sums n * n,
    `loss_points` L * n, `loss_squares` L * L, and `tenth_squares` d * d over the ten tenths too.
    """

    hands: int = 0
    points: int = 0
    tenths: tuple[int, ...] = (0,) * DECILES
    loss: float = 0.0
    points_squares: int = 0
    loss_points: float = 0.0
    loss_squares: float = 0.0
    tenth_squares: int = 0

    def add(self, hand: Sequence[JudgedPoint]) -> "CalibrationTally":
        """Return the tally with all points of one more hand; the same if it has none."""
        count = len(hand)
        if not count:
            return self
        tenths = [0] * DECILES
        for point in hand:
            tenths[min(int(DECILES * point.position), DECILES - 1)] += 1
        loss = sum(-log(max(point.probability, FLOOR)) for point in hand)
        return CalibrationTally(
            hands=self.hands + 1,
            points=self.points + count,
            tenths=tuple(before + new for before, new in zip(self.tenths, tenths, strict=True)),
            loss=self.loss + loss,
            points_squares=self.points_squares + count * count,
            loss_points=self.loss_points + loss * count,
            loss_squares=self.loss_squares + loss * loss,
            tenth_squares=self.tenth_squares + sum(new * new for new in tenths),
        )

    @property
    def calibration(self) -> Calibration:
        """What it comes to; its errors are those of a ratio of two sums over hands (Cochran 1977, sec. 6.3)."""
        if not self.points:
            return Calibration(0)
        mean, share, stderr = self.loss / self.points, 1 / DECILES, None
        if self.hands > 1:
            residuals = self.loss_squares - 2 * mean * self.loss_points + mean * mean * self.points_squares
            stderr = sqrt(self.hands / (self.hands - 1) * max(residuals, 0.0)) / self.points
        # The mean over tenths of the sum of (d - n / 10) squared.
        spread = share * (self.tenth_squares - share * self.points_squares)
        shares = tuple(count / self.points for count in self.tenths)
        return Calibration(self.points, shares, mean, stderr, sqrt(spread) / self.points)


class TableTally(Struct, frozen=True):
    """What a reader made of a table, hand by hand: by street, in its `FIRST_HANDS`, and in later ones."""

    reader: str
    last_hand: int = 0
    hands: int = 0
    streets: dict[str, CalibrationTally] = {}
    at_first: CalibrationTally = CalibrationTally()
    later: CalibrationTally = CalibrationTally()

    @property
    def points(self) -> int:
        """How many predictions were judged."""
        return self.at_first.points + self.later.points

    def add(self, number: int, points: Sequence[tuple[str, JudgedPoint]]) -> "TableTally":
        """Return the tally with the hand of a number, its points by street; the same if that is counted already."""
        if number <= self.last_hand:
            return self
        streets = dict(self.streets)
        for street in {name for name, _ in points}:
            mine = [point for name, point in points if name == street]
            streets[street] = streets.get(street, CalibrationTally()).add(mine)
        together, is_first = [point for _, point in points], number <= FIRST_HANDS
        return TableTally(
            self.reader,
            number,
            self.hands + 1,
            streets,
            self.at_first.add(together) if is_first else self.at_first,
            self.later if is_first else self.later.add(together),
        )


def judged_hand(
    reader: Reader, final: Observation, hole_cards: Mapping[Seat, HoleCards], ties: np.random.Generator
) -> Iterator[tuple[str, JudgedPoint]]:
    """Judge what one seat read in a finished hand: after each action of another, but a fold, what it read of them.

    Parameters
    ----------
    reader : Reader
        With the memory it had while the hand was played.
    final : Observation
        The seat's own at the end of the hand.
    hole_cards : mapping of int to HoleCards
        Of the others; who is missing is left out.
    ties : numpy.random.Generator
        The order of combos that are equally likely.

    Yields
    ------
    str, JudgedPoint
        The street as `CalibrationTable` names it.
    """
    moment = HandState(final.events[0])
    for event in final.events[1:]:
        moment.add(event)
        if (
            not isinstance(event, ActionTaken)
            or event.action.kind is ActionKind.FOLD
            or event.seat not in hole_cards
            or event.seat == final.seat
        ):
            continue
        seen = moment.observe(final.seat, final.hole_cards)
        posterior = next(one.posterior for one in reader.read(seen) if one.seat == event.seat)
        truth = combo_of(*hole_cards[event.seat])
        dead = (*seen.board, *seen.hole_cards)
        yield event.street.name.lower(), judge(posterior, truth, dead, float(ties.random()))


class CalibrationTable(Struct, frozen=True):
    """A reader's calibration on a file of hands, over targets that have not folded; by street, and "all"."""

    reader: str
    source: str
    hands: int
    streets: dict[str, Calibration]


class _CalibrationFile(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    tables: tuple[CalibrationTable, ...]


def shipped_calibrations() -> tuple[CalibrationTable, ...]:
    """Return the tables that ship with the app, one per reader and file of hands.

    Raises a `ResourceError` if the file is missing or not what this version writes.
    """
    return _decoded(read_text(CALIBRATION_FILE).encode(), f"The app's file resources/{CALIBRATION_FILE}")


def read_calibrations(path: Path) -> tuple[CalibrationTable, ...]:
    """Return the tables of a file, none if there is no such file.

    Raises a `ResourceError` if it cannot be read or is not what this version writes.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ResourceError(f"The file {path} cannot be read: {error.strerror}.") from error
    return _decoded(data, f"The file {path}")


def write_calibration(path: Path, table: CalibrationTable) -> None:
    """Put a table into a file, in place of an earlier one of the same reader and source.

    Raises a `ResourceError` if the file holds something else or cannot be written.
    """
    others = [
        other for other in read_calibrations(path) if (other.reader, other.source) != (table.reader, table.source)
    ]
    tables = sorted([*others, table], key=lambda one: (one.reader, one.source))
    try:
        path.write_bytes(encode(_CalibrationFile(_CALIBRATION_SCHEMA, tuple(tables))) + b"\n")
    except OSError as error:
        raise ResourceError(f"The file {path} cannot be written: {error.strerror}.") from error


def _decoded(data: bytes, what: str) -> tuple[CalibrationTable, ...]:
    try:
        file = decode(data, _CalibrationFile)
    except StoredDataError as error:
        raise ResourceError(f"{what} holds no calibration: {error}") from error
    if file.schema != _CALIBRATION_SCHEMA:
        raise ResourceError(f"{what} has the version {file.schema}, and this program reads {_CALIBRATION_SCHEMA}.")
    for table in file.tables:
        for street, found in table.streets.items():
            deciles = found.deciles
            if deciles is not None and not (len(deciles) == DECILES and abs(sum(deciles) - 1) < 1e-6):
                raise ResourceError(f"{what} has no {DECILES} shares of 1 on the {street} of {table.source}.")
    return file.tables
