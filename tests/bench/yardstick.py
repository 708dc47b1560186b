"""How everything is measured and reported: rows, interleaved medians of CPU time, and eval7 as the yardstick.

Figures of two machines compare by eval7's rate on random seven-card hands: `Row.normalised` is what a figure would
be where eval7 does `NORMAL_EVAL7_RATE` a second.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import ceil
from statistics import median
from time import process_time
from typing import NamedTuple

import eval7
import msgspec
from msgspec import Struct

NORMAL_EVAL7_RATE = 2.4e6

LIBRARIES = ("eval7", "phevaluator", "treys", "pokerkit")

# ---- what a benchmark gives ------------------------------------------------------------------------------


class Peer(Struct, frozen=True, kw_only=True):
    """What something else needed for the same work in the same run.

    Attributes
    ----------
    library : str
        One of `LIBRARIES`, or what else was compared.
    value : float
        In the unit of the row.
    way : str
        How the library did the work.
    count : int or None
        How many times it was measured.
    scaled_from : str
        The part that was measured, where the whole would have taken too long.
    answer : str
        What it found.
    """

    library: str
    value: float
    way: str = ""
    count: int | None = None
    scaled_from: str = ""
    answer: str = ""


class Row(Struct, frozen=True, kw_only=True):
    """One line of the table: a piece of work, what we and others needed, and whether the answer was right.

    Attributes
    ----------
    work : str
    ours : float or None
        In `unit`, the median; None where there is nothing to measure, and `note` says why.
    unit : str
        "ms", "s", "KB" ...; of a unit that ends in "/s" more is better.
    peers : tuple of Peer
        The fastest way of a library stands in its column.
    eval7_per_second : float or None
        Measured between the rounds of this row.
    goal, at_least : float or None
        For `normalised`, in `unit`: what was aimed at, and what must be reached.
    answer : str
        What we found, as text.
    is_reference : bool or None
        Whether the answer is the published or independently counted one; None where there is no answer.
    count : int or None
        How many times ours was measured.
    p95, max : float or None
        Of the measurements, where they vary by themselves.
    note : str
    group : str
        Which benchmark it belongs to; the runner fills it in.
    """

    work: str
    ours: float | None
    unit: str = "ms"
    peers: tuple[Peer, ...] = ()
    eval7_per_second: float | None = None
    goal: float | None = None
    at_least: float | None = None
    answer: str = ""
    is_reference: bool | None = None
    count: int | None = None
    p95: float | None = None
    max: float | None = None
    note: str = ""
    group: str = ""

    @property
    def is_rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    @property
    def normalised(self) -> float | None:
        """`ours` where eval7 does `NORMAL_EVAL7_RATE`; a size is the same everywhere."""
        if self.ours is None or self.eval7_per_second is None:
            return None
        if self.is_rate:
            return self.ours * NORMAL_EVAL7_RATE / self.eval7_per_second
        is_time = self.unit in ("us", "ms", "s")
        return self.ours * self.eval7_per_second / NORMAL_EVAL7_RATE if is_time else self.ours

    @property
    def meets(self) -> str:
        """ "goal", "at least" or "below" by `normalised`; nothing where neither is asked for."""
        value = self.normalised
        if value is None:
            return ""
        for word, bound in (("goal", self.goal), ("at least", self.at_least)):
            if bound is not None and (value >= bound if self.is_rate else value <= bound):
                return word
        return "" if self.goal is None and self.at_least is None else "below"

    def ratio(self, peer: Peer) -> float | None:
        """How many times as fast as a peer (or as small) ours is."""
        if not self.ours or not peer.value:
            return None
        return self.ours / peer.value if self.is_rate else peer.value / self.ours

    def fastest(self, library: str) -> Peer | None:
        """Give the fastest way of a library, if it did this work at all."""
        ways = [peer for peer in self.peers if peer.library == library]
        return (max if self.is_rate else min)(ways, key=lambda peer: peer.value, default=None)


def row_as_json(row: Row) -> dict[str, object]:
    """Give a row with all that follows from it: ratios, the normalised figure, whether goals are met."""
    derived = {"normalised": row.normalised, "meets": row.meets, "ratio": None}
    peers = [msgspec.to_builtins(peer) | {"ratio": row.ratio(peer)} for peer in row.peers]
    if peers:
        derived["ratio"] = peers[0]["ratio"]
    result: dict[str, object] = msgspec.to_builtins(row) | derived | {"peers": peers}
    return result


# ---- measuring -------------------------------------------------------------------------------------------


class Timing(NamedTuple):
    """Median CPU seconds of one call, and how many times it was measured."""

    seconds: float
    calls: int


_LEAST_ROUNDS = 3


class Measured(NamedTuple):
    """The timings of all sides, and eval7's rate between them."""

    sides: dict[str, Timing]
    eval7_per_second: float


def interleaved(
    sides: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 9,
    side_seconds: float = 0.5,
    batch_seconds: float = 0.01,
    long_seconds: float = 0.4,
) -> Measured:
    """Time several ways of doing a work in turn, round after round, with eval7's rate between them.

    Parameters
    ----------
    sides : mapping of str to callable
        Each does the whole work once; compiled and loaded beforehand.
    rounds : int
        How many times each is measured.
    side_seconds : float
        One that would take longer than this together is measured fewer times, but three times at least.
    batch_seconds : float
        What takes less is called several times per measurement.
    long_seconds : float
        What takes longer is not called once more only to fill caches, and measured once at least.
    """
    all_sides = {**sides, "": lambda: _evaluate_all(_YARDSTICK_HANDS)}
    first = {name: cpu_seconds(work, 1) for name, work in all_sides.items()}
    calls, wanted = {}, {}
    for name, work in all_sides.items():
        if first[name] < long_seconds:  # the first call may have filled caches
            first[name] = cpu_seconds(work, 1)
        calls[name] = max(1, ceil(batch_seconds / max(first[name], 1e-7)))
        most = int(side_seconds / (calls[name] * max(first[name], 1e-7)))
        wanted[name] = min(rounds, max(most, 1 if first[name] >= long_seconds else _LEAST_ROUNDS))
    times = {name: [seconds] if first[name] >= long_seconds else [] for name, seconds in first.items()}
    for _ in range(rounds):
        for name, work in all_sides.items():
            if len(times[name]) < wanted[name]:
                times[name].append(_batch(work, calls[name]) / calls[name])
    timings = {name: Timing(median(each), len(each)) for name, each in times.items()}
    return Measured(timings, _YARDSTICK_HANDS / timings.pop("").seconds)


def _batch(work: Callable[[], object], calls: int) -> float:
    start = process_time()
    for _ in range(calls):
        work()
    return process_time() - start


def cpu_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Median process CPU time of some calls."""
    return median(_batch(work, 1) for _ in range(repeats))


# ---- eval7 -----------------------------------------------------------------------------------------------

_YARDSTICK_HANDS = 20_000


@cache
def _random_hands(count: int) -> Sequence[list[eval7.Card]]:
    deck = eval7.Deck().cards
    rng = random.Random(1)
    return [rng.sample(deck, 7) for _ in range(count)]


def _evaluate_all(count: int) -> None:
    for cards in _random_hands(count):
        eval7.evaluate(cards)


def eval7_rate(hands: int = 100_000) -> float:
    """Evaluations per second of eval7, the cards being made beforehand."""
    _random_hands(hands)
    return hands / cpu_seconds(lambda: _evaluate_all(hands))


def eval7_win_rate(hole: list[str], opponents: int, board: list[str], deals: int, seed: int = 1) -> float:
    """Win rate against random hands by the paper's algorithm 1, written with eval7 as most people would."""
    rng = random.Random(seed)
    mine, shown = [eval7.Card(card) for card in hole], [eval7.Card(card) for card in board]
    rest = [card for card in eval7.Deck().cards if card not in mine and card not in shown]
    won = 0.0
    for _ in range(deals):
        dealt = rng.sample(rest, 2 * opponents + 5 - len(shown))
        full = shown + dealt[2 * opponents :]
        own = eval7.evaluate(mine + full)
        others = [eval7.evaluate(dealt[2 * i : 2 * i + 2] + full) for i in range(opponents)]
        best = max(others)
        won += 1.0 if own > best else 1.0 / (1 + others.count(own)) if own == best else 0.0
    return won / deals
