"""How well a reader reads: its probabilities against the hole cards that the players really held.

At every decision point, after the action, the player who acted is the *target* and the *observer* is the next
other player to act in the record; where nobody else acts any more, the next live seat after the target. The reader
gets the observer's `Observation` of that moment, a type that cannot hold hidden cards, and the hands before it as
public events, in which cards stand only where they were shown. It answers with a probability for every combo.

- *Log-loss* is `-ln p(true combo)` in nats, averaged over points; lower is better. Its standard error takes a hand
  for one observation, since the points of a hand are not independent (a ratio of two sums over hands: Cochran,
  *Sampling Techniques*, 3rd ed. 1977, sec. 6.3).
- *Entropy* is what a reader itself expects to lose: a loss above it is overconfidence.
- *Top-Z* is how often the true category is among the Z categories of most mass (Li et al. 2017, fig. 7).
- *Top 10%, 20%* of the combos left, from the likeliest down: the mass a reader puts there, and how often the truth
  is among them.
- *Calibration*: where the truth lies in the cumulative mass from the likeliest combo down, by deciles. Each holds
  the truth a tenth of the time if the probabilities are true.

Live points leave out targets that have just folded. What one reader *gains* on another is the log-loss of the other
less that of the first, in nats, on the same live points; more is better. Such differences have far smaller standard
errors than the losses themselves.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, log, sqrt
from operator import attrgetter
from time import process_time
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Reader
from engine.agents.calibration import FIRST_HANDS, FLOOR, Calibration, CalibrationTally, JudgedPoint, judge
from engine.agents.markov import HandCategory, hand_categories
from engine.cards import COMBO_COUNT, Street, combo_of, unblocked
from engine.codec import Vector
from engine.equity.checks import check_seed
from engine.game.events import ActionKind, ActionTaken, Seat
from engine.game.history import HandState
from engine.game.observation import Observation
from engine.game.phh import RecordedHand, SkippedCount, SkippedHand, SkippedHands

STREETS = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}
"""The streets as scores name them; `all` comes with them."""

TOP_Z = 3


class ReadingError(ValueError):
    """A reader's answer that is no probability for every combo; the message says what it is."""


class DecisionPoint(Struct, frozen=True):
    """One action of a recorded hand by the seat `target`, the last event of what the observer sees."""

    observation: Observation
    target: Seat
    street: Street
    is_live: bool  # whether the action was no fold


def decision_points(hand: RecordedHand) -> Iterator[DecisionPoint]:
    """Every decision point of a recorded hand, in order, with nothing that its observer cannot see.

    Examples
    --------
    The button folds, and the big blind is the one to look:

    >>> from engine.game.events import FOLD, GameKind, SeatStart
    >>> from engine.game.rules import TableRules
    >>> from engine.game.table import Table
    >>> seats = (SeatStart(0, "Ann", 200), SeatStart(1, "Bob", 200))
    >>> table = Table(
    ...     hand_number=1, kind=GameKind.CASH, seats=seats, button=1, rules=TableRules(1, 2), deck=range(52)
    ... )
    >>> events = table.apply(FOLD)
    >>> cards = tuple(table.private_event(seat).hole_cards for seat in (0, 1))
    >>> hand = RecordedHand("one", ("Ann", "Bob"), cards, table.events)
    >>> [(point.target, point.observation.seat, point.is_live) for point in decision_points(hand)]
    [(1, 0, False)]
    """
    actors = [event.seat for event in hand.events if isinstance(event, ActionTaken)]
    moment, count = HandState(hand.events[0]), 0
    for event in hand.events[1:]:
        moment.add(event)
        if not isinstance(event, ActionTaken):
            continue
        count += 1
        target = event.seat
        observer = next((seat for seat in actors[count:] if seat != target), None)
        if observer is None:
            live = [seat for seat in moment.live_seats() if seat != target]
            observer = next((seat for seat in live if seat > target), live[0])
        yield DecisionPoint(
            moment.observe(observer, hand.hole_cards[observer]),
            target,
            event.street,
            event.action.kind is not ActionKind.FOLD,
        )


class ScoredPoint(NamedTuple):
    """What a reader made of one decision point.

    Attributes
    ----------
    hand : int
        Which of the scored hands, from 0.
    player : str
        The target's name.
    hands_seen : int
        Hands of that name that the reader had learned before.
    probability : float
        Of the true combo, 0-1.
    entropy : float
        Of the probabilities, in nats.
    position : float
        Of the true combo in the cumulative mass from the likeliest combo down, 0-1, ties at random.
    category_rank : int
        How many categories got more mass than the true one.
    top_10, top_20 : float
        Mass of the likeliest 10% and 20% of the combos left.
    is_in_top_10, is_in_top_20 : bool
        Whether the truth is among them, ties at random.
    seconds : float
        CPU time of the prediction.
    """

    hand: int
    player: str
    hands_seen: int
    street: int
    is_live: bool
    probability: float
    entropy: float
    position: float
    category_rank: int
    top_10: float
    top_20: float
    is_in_top_10: bool
    is_in_top_20: bool
    seconds: float


class TopShare(Struct, frozen=True):
    """The likeliest combos: the mass a reader puts on them, and how often the truth is among them; both 0-1."""

    mass: float
    truth: float


class StreetScore(Struct, frozen=True):
    """A reader's score on one street, or on all.

    Attributes
    ----------
    points, hands : int
        Decision points, and the hands they come from. Without any point the figures below are None.
    log_loss : float or None
        In nats.
    stderr : float or None
        Its standard error over hands; None with a single hand.
    floored : int
        Points at which the true combo had less than `FLOOR`, which is what they were scored by.
    entropy : float or None
        Mean, in nats.
    top_z : tuple of float or None
        Share of points, 0-1, at which the true category is among the 1, 2, 3 of most mass.
    """

    points: int
    hands: int
    log_loss: float | None = None
    stderr: float | None = None
    floored: int = 0
    entropy: float | None = None
    top_z: tuple[float, ...] | None = None
    top_10: TopShare | None = None
    top_20: TopShare | None = None


class UpdateTime(Struct, frozen=True):
    """CPU seconds of one prediction after an action on a street; None without any."""

    updates: int
    mean: float | None = None
    median: float | None = None


class ReadingScore(Struct, frozen=True):
    """A reader's score on recorded hands; the dicts go by `STREETS` and "all".

    Attributes
    ----------
    skipped : tuple of SkippedCount
        The most frequent reason first.
    live, everyone : dict of str to StreetScore
        Without and with targets that have just folded.
    calibration : dict of str to dict of str to Calibration
        "live" and "everyone", by street.
    learn_seconds : float or None
        Mean CPU time of learning a hand.
    seed : int
        Of the ties.
    """

    reader: str
    hands: int
    points: int
    skipped: tuple[SkippedCount, ...]
    live: dict[str, StreetScore]
    everyone: dict[str, StreetScore]
    calibration: dict[str, dict[str, Calibration]]
    update_seconds: dict[str, UpdateTime]
    learn_seconds: float | None
    floor: float
    seed: int


class Scorer:
    """Scores a reader hand by hand, in about 0.1 ms a point besides what the reader takes.

    The reader learns each hand after it was scored, so it may know none of them yet; `seed` is that of the order of
    combos that are equally likely.

    Examples
    --------
    >>> from engine.agents.readers import make_reader
    >>> scorer = Scorer(make_reader("uniform"))
    >>> scorer.result().live["all"].points
    0
    """

    def __init__(self, reader: Reader, seed: int = 0) -> None:
        check_seed(seed)
        self.points: list[ScoredPoint] = []
        self._reader = reader
        self._seed = seed
        self._ties = np.random.default_rng(seed)
        self._hands = 0
        self._learn_seconds = 0.0
        self._learned = 0
        self._hands_seen: Counter[str] = Counter()
        self._skipped = SkippedHands()

    @property
    def reader_name(self) -> str:
        """The name of the reader that is scored."""
        return self._reader.name

    def add(self, hand: RecordedHand | SkippedHand) -> None:
        """Score the next hand and let the reader learn it, or count that it was skipped.

        Raises
        ------
        ReadingError
            If the reader gives anything but a probability for every combo.
        """
        if isinstance(hand, SkippedHand):
            self._skipped.add(hand)
            return
        for point in decision_points(hand):
            started = process_time()
            posterior = self._reader.predict(point.observation, point.target).posterior
            seconds = process_time() - started
            _check(posterior, self._reader.name)
            truth = combo_of(*hand.hole_cards[point.target])
            player = hand.players[point.target]
            self.points.append(self._judged(posterior, truth, point, player, seconds))
        self.learn(hand)
        self._hands += 1

    def learn(self, hand: RecordedHand) -> None:
        """Let the reader learn a hand without scoring it."""
        started = process_time()
        self._reader.learn(hand.events)
        self._learn_seconds += process_time() - started
        self._learned += 1
        self._hands_seen.update(set(hand.players))

    def _judged(
        self, posterior: Vector, truth: int, point: DecisionPoint, player: str, seconds: float
    ) -> ScoredPoint:
        observation = point.observation
        live = unblocked((*observation.board, *observation.hole_cards))
        shares = posterior / posterior.sum(dtype=np.float64)
        values = shares[live]  # mass on combos that cannot be held is lost
        true_value = float(shares[truth])
        categories = hand_categories(observation.board)
        masses = np.bincount(categories[live], values, len(HandCategory))
        category = int(categories[truth])
        tie = float(self._ties.random())
        judged = judge(posterior, truth, (*observation.board, *observation.hole_cards), tie)
        rank = int((values > true_value).sum()) + int(tie * int((values == true_value).sum()))
        descending = np.sort(values)[::-1]
        tenth, fifth = ceil(len(values) / 10), ceil(len(values) / 5)
        positive = values[values > 0]
        return ScoredPoint(
            hand=self._hands,
            player=player,
            hands_seen=self._hands_seen[player],
            street=int(point.street),
            is_live=point.is_live,
            probability=judged.probability,
            entropy=float(-(positive @ np.log(positive))),
            position=judged.position,
            category_rank=int((masses > masses[category]).sum() + (masses[:category] == masses[category]).sum()),
            top_10=float(descending[:tenth].sum()),
            top_20=float(descending[:fifth].sum()),
            is_in_top_10=rank < tenth,
            is_in_top_20=rank < fifth,
            seconds=seconds,
        )

    def result(self) -> ReadingScore:
        """Return the score of all hands so far."""
        live = [point for point in self.points if point.is_live]
        by_street = {
            "live": _by_street(live),
            "everyone": _by_street(self.points),
        }
        return ReadingScore(
            reader=self._reader.name,
            hands=self._hands,
            points=len(self.points),
            skipped=self._skipped.counts(),
            live={street: _score(points) for street, points in by_street["live"].items()},
            everyone={street: _score(points) for street, points in by_street["everyone"].items()},
            calibration={
                who: {street: _calibration(points) for street, points in streets.items()}
                for who, streets in by_street.items()
            },
            update_seconds={street: _update_time(points) for street, points in by_street["everyone"].items()},
            learn_seconds=self._learn_seconds / self._learned if self._learned else None,
            floor=FLOOR,
            seed=self._seed,
        )


class TableReading(Struct, frozen=True):
    """What a reader made of a table of players it did not know before, on live points.

    Attributes
    ----------
    score : dict of str to StreetScore
        By `STREETS` and "all".
    at_first, later : Calibration
        Of targets with less than `FIRST_HANDS` hands learned, and with as many or more.
    """

    reader: str
    score: dict[str, StreetScore]
    at_first: Calibration
    later: Calibration


def table_reading(reader: str, points: Sequence[ScoredPoint]) -> TableReading:
    """Sum up what a reader made of a table, from all its points."""
    live = [point for point in points if point.is_live]
    at_first, later = (
        _calibration([point for point in live if (point.hands_seen < FIRST_HANDS) is is_few])
        for is_few in (True, False)
    )
    score = {street: _score(points) for street, points in _by_street(live).items()}
    return TableReading(reader, score, at_first, later)


def _check(posterior: Vector, name: str) -> None:
    if posterior.shape != (COMBO_COUNT,):
        raise ReadingError(f"The reader '{name}' gave the shape {posterior.shape}, not one number per combo.")
    total = float(posterior.sum(dtype=np.float64))
    if not (0 < total < np.inf and float(posterior.min()) >= 0):
        raise ReadingError(f"The reader '{name}' gave numbers that are no probabilities.")


def _by_street(points: Sequence[ScoredPoint]) -> dict[str, list[ScoredPoint]]:
    streets = {name: [point for point in points if point.street == street] for name, street in STREETS.items()}
    return streets | {"all": list(points)}


def clustered_stderr(values: NDArray[np.float64], clusters: NDArray[np.int64]) -> float | None:
    """Return the standard error of a mean whose values come in clusters; None with fewer than two.

    That of the ratio of two sums over clusters (Cochran 1977, sec. 6.3) without finite correction. With one value
    per cluster it is the ordinary one.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
    clusters : ndarray of int64, shape (n,)
        Number of each value's cluster, from 0.

    Examples
    --------
    >>> clustered_stderr(np.array([1.0, 3.0]), np.array([0, 1]))
    1.0
    """
    residuals = np.bincount(clusters, values - values.mean())[np.unique(clusters)]
    count = len(residuals)
    if count < 2:
        return None
    return sqrt(count / (count - 1) * float(residuals @ residuals)) / len(values)


def _score(points: Sequence[ScoredPoint]) -> StreetScore:
    if not points:
        return StreetScore(0, 0)
    columns = dict(zip(ScoredPoint._fields, map(np.array, zip(*points, strict=True)), strict=True))
    losses = -np.log(np.maximum(columns["probability"], FLOOR))
    return StreetScore(
        points=len(points),
        hands=len(np.unique(columns["hand"])),
        log_loss=float(losses.mean()),
        stderr=clustered_stderr(losses, columns["hand"]),
        floored=int((columns["probability"] < FLOOR).sum()),
        entropy=float(columns["entropy"].mean()),
        top_z=tuple(float((columns["category_rank"] < z).mean()) for z in range(1, TOP_Z + 1)),
        top_10=TopShare(float(columns["top_10"].mean()), float(columns["is_in_top_10"].mean())),
        top_20=TopShare(float(columns["top_20"].mean()), float(columns["is_in_top_20"].mean())),
    )


def _calibration(points: Sequence[ScoredPoint]) -> Calibration:
    tally = CalibrationTally()
    for _, hand in groupby(points, key=attrgetter("hand")):
        tally = tally.add([JudgedPoint(point.probability, point.position) for point in hand])
    return tally.calibration


def _update_time(points: Sequence[ScoredPoint]) -> UpdateTime:
    if not points:
        return UpdateTime(0)
    seconds = np.array([point.seconds for point in points])
    return UpdateTime(len(points), float(seconds.mean()), float(np.median(seconds)))


_HANDS_SEEN = (0, 10, 50, 200, 1000)
"""From how many hands of a target that were learned before each group of points begins."""


class GainError(ValueError):
    """Scores that are not of the same points."""


class Gain(Struct, frozen=True):
    """What a reader gains on another on some live points.

    Attributes
    ----------
    group : str
        A street, "all", or such as "10 to 49 hands seen".
    gain : float or None
        In nats per point; None without points.
    stderr : float or None
        Clustered by hand; None with fewer than two hands.
    """

    group: str
    points: int
    gain: float | None = None
    stderr: float | None = None


def gains_of(points: Sequence[ScoredPoint], others: Sequence[ScoredPoint]) -> tuple[Gain, ...]:
    """Return what one reader gains on another on the same live points: by street, all, and by hands seen.

    Raises
    ------
    GainError
        If the points are not those of the same hands in the same order.

    Examples
    --------
    >>> [gain.group for gain in gains_of([], [])][:5]
    ['preflop', 'flop', 'turn', 'river', 'all']
    """
    if [_place(point) for point in points] != [_place(point) for point in others]:
        raise GainError("The two readers were not scored on the same points.")
    live = [(ours, theirs) for ours, theirs in zip(points, others, strict=True) if ours.is_live]
    found = []
    for group, chosen in _groups([ours for ours, _ in live]):
        pairs = [pair for pair, is_in in zip(live, chosen, strict=True) if is_in]
        if not pairs:
            found.append(Gain(group, 0))
            continue
        values = np.array([_loss(theirs) - _loss(ours) for ours, theirs in pairs])
        hands = np.array([ours.hand for ours, _ in pairs], dtype=np.int64)
        found.append(Gain(group, len(pairs), float(values.mean()), clustered_stderr(values, hands)))
    return tuple(found)


def _place(point: ScoredPoint) -> tuple[int, str, int, bool]:
    return point.hand, point.player, point.street, point.is_live


def _loss(point: ScoredPoint) -> float:
    return -log(max(point.probability, FLOOR))


def _groups(points: Sequence[ScoredPoint]) -> Iterator[tuple[str, list[bool]]]:
    for name, street in STREETS.items():
        yield name, [point.street == street for point in points]
    yield "all", [True] * len(points)
    for least, most in zip(_HANDS_SEEN, (*_HANDS_SEEN[1:], None), strict=True):
        name = f"{least} or more hands seen" if most is None else f"{least} to {most - 1} hands seen"
        yield name, [least <= point.hands_seen and (most is None or point.hands_seen < most) for point in points]
