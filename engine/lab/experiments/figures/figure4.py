"""Figure 4 of Li et al. 2017 again: the error and the time of a win rate from N sampled deals.

The situations are decisions that FOLD as the paper has it took after the flop, against one to three opponents read:
its hole cards, the board and the predicted ranges. Their exact win rates are counted. Algorithm 1 is sampled many
times for each N, corrected in what is wrong with it (`engine.equity.win_rate.win_rate`), which changes its error
little: with probability p, that of one run is the square root of p (1 - p) / N. What FOLD does here is next to it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from engine.agents.agent import Reading
from engine.agents.styles import FOLD_2017
from engine.cards import Card, HoleCards
from engine.codec import Vector
from engine.commands import aligned
from engine.equity.snapshot import Method
from engine.equity.win_rate import Counting, win_rate
from engine.figures.mean import Mean, mean_of
from engine.game.format_file import built_in
from engine.game.observation import Observation
from engine.lab.experiments.contestants import PROGRAMS
from engine.lab.experiments.experiment import Outcome, Row, Setting, Step, error_of, in_words
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Named, Panel, Picture, Stroke
from engine.lab.experiments.records import MatchRecord, Task
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import tournament
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end

TITLE = "Figure 4: error and time of a win rate against the number of deals sampled"
PAPER_DEALS, PAPER_VALUE, PAPER_ERROR, PAPER_EXACT = 500, 0.625, 0.033, 0.623
PAPER_SECONDS = 0.010
PAPER = (
    "The paper has 62.5% ± 3.3% after 400 to 500 deals where 62.3% is right, and takes 500 deals, about 10 ms on a "
    "computer of 2010."
)
PARTS = "situations"
DEALS = (50, 100, 200, 300, 400, 500, 750, 1000, 2000, 4000)

_SITUATIONS, _SHORT_SITUATIONS = 200, 12
_REPEATS, _SHORT_REPEATS = 20, 4
_TIMED = 3  # times for an exact win rate, of which the middle one counts
_MOST_OPPONENTS = 3  # against whom a win rate after the flop is counted


class _Situation(NamedTuple):
    """Hole cards and board of who decides, the ranges of the opponents, and the exact win rate with its time."""

    hole_cards: HoleCards
    board: tuple[Card, ...]
    ranges: tuple[Vector, ...]
    exact: float
    seconds: float


_Estimates = tuple[list[float], list[float]]
"""Of a situation from so many deals, again and again; and the seconds that each took."""


class _Measured(NamedTuple):
    """Of so many deals: the root mean square error, the mean absolute one, what theory expects, seconds."""

    deals: int
    error: Mean
    absolute: Mean
    expected: float
    seconds: Mean


class _Exact(NamedTuple):
    """How long an exact win rate takes; and that of one situation with what is estimated of it, by deals."""

    seconds: Mean
    example: float
    estimates: dict[int, Mean]


def tasks(setting: Setting) -> list[Task]:
    """Return no match: the situations are played for it."""
    return []


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Sample each situation with each number of deals, and count it exactly."""
    *_, last = steps(setting)
    assert last.outcome is not None
    return last.outcome()


def steps(setting: Setting, sharing: Sharing = ALONE) -> Iterator[Step]:
    """Measure situation after situation; it takes and raises what `engine.lab.experiments.running.FoldRun` does."""
    for situations in as_they_end([partial(_found, setting, sharing.note)], sharing):
        tried = [partial(_tried, setting, at, situation) for at, situation in enumerate(situations)]
        measured: dict[int, list[_Estimates]] = {}
        yield Step(0, len(situations), None, PARTS)
        for at, found in as_they_end(tried, sharing):
            measured[at] = found
            sure = dict(sorted(measured.items()))
            yield Step(len(measured), len(situations), partial(_outcome, situations, sure), PARTS)


def _found(setting: Setting, note: Callable[[int], object] | None) -> list[_Situation]:
    from engine.kernels.jit import warm_up

    warm_up()  # so that nothing is timed while it compiles
    return list(_situations(setting, note))


def _tried(setting: Setting, at: int, situation: _Situation) -> tuple[int, list[_Estimates]]:
    """Estimate a situation from each number of deals; return its number, too."""
    repeats = _SHORT_REPEATS if setting.is_short else _REPEATS
    return at, [_sampled(situation, deals, [setting.seed, at], repeats) for deals in DEALS]


def _outcome(situations: Sequence[_Situation], measured: Mapping[int, Sequence[_Estimates]]) -> Outcome:
    """Return what follows from the situations that are measured, by their numbers in ascending order."""
    values = [situations[at].exact for at in measured]
    example = int(np.argmin(np.abs(np.array(values) - PAPER_EXACT)))
    summed, estimates = [], {}
    for number, deals in enumerate(DEALS):
        found = [of_situation[number] for of_situation in measured.values()]
        summed.append(_measured(deals, found, values))
        chosen = found[example][0]
        estimates[deals] = Mean(float(np.mean(chosen)), float(np.std(chosen, ddof=1)), len(chosen))
    exact = _Exact(mean_of([situations[at].seconds for at in measured]), values[example], estimates)
    return Outcome(
        tuple(_rows(summed, exact)), _table(summed, exact), _paragraph(summed, exact), _picture(summed, exact)
    )


def _situations(setting: Setting, note: Callable[[int], object] | None) -> Iterator[_Situation]:
    """Play FOLD against the programs, match after match, and take its decisions after the flop as they come."""
    wanted, number = _SHORT_SITUATIONS if setting.is_short else _SITUATIONS, 0
    while wanted:
        plan = MatchPlan(
            (FOLD_2017, *PROGRAMS), 1 + len(PROGRAMS), None, setting.seed + number, None, built_in("paper")
        )
        for dealer, style_of in tournament(plan):
            if note is not None:
                note(1)
            for trace in dealer.open_traces():
                observation, reading = trace.observation, trace.reading
                if style_of[observation.seat] or not wanted or reading is None:
                    continue
                situation = _counted(observation, reading)
                if situation is not None:
                    yield situation
                    wanted -= 1
            if not wanted:
                return
        number += 1


def _counted(observation: Observation, reading: Reading) -> _Situation | None:
    """Return a decision's situation; None before the flop and where no exact win rate is counted in a moment."""
    ranges = tuple(one.posterior for one in reading.predictions)
    if not observation.board or not 1 <= len(ranges) <= _MOST_OPPONENTS:
        return None
    seconds = []
    for _ in range(_TIMED):
        started = perf_counter()
        answer = win_rate(observation.hole_cards, ranges, observation.board, deals=2, seed=0)
        seconds.append(perf_counter() - started)
    if answer.method != Method.EXACT:
        return None
    return _Situation(observation.hole_cards, observation.board, ranges, answer.value, float(np.median(seconds)))


def _sampled(situation: _Situation, deals: int, seed: list[int], repeats: int) -> _Estimates:
    """Estimate a win rate from so many deals, again and again."""
    estimates, seconds = [], []
    for drawn in np.random.default_rng([*seed, deals]).integers(2**62, size=repeats).tolist():
        started = perf_counter()
        answer = win_rate(
            situation.hole_cards,
            situation.ranges,
            situation.board,
            deals=deals,
            seed=drawn,
            counting=Counting(is_exact=False),
        )
        seconds.append(perf_counter() - started)
        estimates.append(answer.value)
    return estimates, seconds


def _measured(deals: int, found: list[_Estimates], values: list[float]) -> _Measured:
    """Sum up one number of deals; a situation is an observation."""
    errors = np.array([estimates for estimates, _ in found]) - np.array(values)[:, np.newaxis]
    squares = mean_of((errors**2).mean(axis=1).tolist())
    root = squares.value**0.5
    spread = None if squares.stderr is None or not root else squares.stderr / (2 * root)
    expected = float(np.mean([value * (1 - value) / deals for value in values])) ** 0.5
    return _Measured(
        deals,
        Mean(root, spread, len(found)),
        mean_of(np.abs(errors).mean(axis=1).tolist()),
        expected,
        mean_of([float(np.median(seconds)) for _, seconds in found]),
    )


def _rows(measured: list[_Measured], exact: _Exact) -> Iterator[Row]:
    def row(measure: str, at: float | None, mean: Mean, paper: float | None = None) -> Row:
        return Row.of(FOLD_2017, FOLD_2017, "", measure, at, mean, paper)

    for one in measured:
        is_paper = one.deals == PAPER_DEALS
        yield row("root mean square error of a win rate; count: situations", one.deals, one.error)
        yield row("mean absolute error of a win rate; count: situations", one.deals, one.absolute)
        yield row("seconds; count: situations", one.deals, one.seconds, PAPER_SECONDS if is_paper else None)
        estimate = exact.estimates[one.deals]
        yield row(
            "one situation: mean and standard deviation of an estimate; count: repeats",
            one.deals,
            estimate,
            PAPER_VALUE if is_paper else None,
        )
    yield row("one situation: exact win rate", None, Mean(exact.example, 0.0, 1), PAPER_EXACT)
    yield row("exact: seconds; count: situations", None, exact.seconds)


def _table(measured: list[_Measured], exact: _Exact) -> str:
    rows = [["deals", "error, %", "expected", "mean absolute", "ms", f"a hand of {exact.example:.1%}"]]
    for one in measured:
        cells = [_percent(one.error), f"{100 * one.expected:.2f}", _percent(one.absolute)]
        rows.append([f"{one.deals:,}", *cells, _ms(one.seconds), _percent(exact.estimates[one.deals], 1)])
    rows.append(["all", "0", "0", "0", _ms(exact.seconds), f"{100 * exact.example:.1f}"])
    return aligned(rows)


def _percent(mean: Mean, digits: int = 2) -> str:
    return in_words(_times(mean, 100), digits)


def _ms(mean: Mean) -> str:
    return in_words(_times(mean, 1000))


def _times(mean: Mean, factor: float) -> Mean:
    return replace(mean, value=factor * mean.value, stderr=None if mean.stderr is None else factor * mean.stderr)


def _paragraph(measured: list[_Measured], exact: _Exact) -> str:
    at = next(one for one in measured if one.deals == PAPER_DEALS)
    estimate = exact.estimates[PAPER_DEALS]
    spread = estimate.stderr or 0.0
    fits = "fits that" if abs(PAPER_VALUE - PAPER_EXACT) <= 2 * spread else "does not fit that"
    times = PAPER_SECONDS / at.seconds.value
    return (
        f"{PAPER} Over {at.error.observations} situations of ours {PAPER_DEALS} deals err by {_percent(at.error)} "
        f"points of a hundred, where {100 * at.expected:.2f} are expected of independent deals, and for a hand of "
        f"{exact.example:.1%} they say {estimate.value:.1%} with a standard deviation of {spread:.1%}. The paper's "
        f"estimate {fits}: its ± 3.3% is {PAPER_ERROR / spread:.1f} of these standard deviations. {PAPER_DEALS} "
        f"deals take {_ms(at.seconds)} ms here, {times:.0f} times less than the paper's, and what FOLD does here, "
        f"counting all deals, {_ms(exact.seconds)} ms, without any error."
    )


_ACROSS = Axis(
    "deals sampled",
    tuple((float(deals), f"{deals:,}") for deals in (50, 100, 200, 500, 1000, 2000, 4000)),
    is_log=True,
)


def _picture(measured: Sequence[_Measured], exact: _Exact) -> Picture:
    return Picture(((_errors(measured), _estimates(exact), _times_taken(measured, exact)),), 12, 3.9)


def _errors(measured: Sequence[_Measured]) -> Panel:
    deals = tuple(float(one.deals) for one in measured)
    roots = tuple(100 * one.error.value for one in measured)
    spread = tuple(100 * error_of(one.error) for one in measured)
    absolute = tuple(100 * one.absolute.value for one in measured)
    expected = tuple(100 * one.expected for one in measured)
    return Panel(
        (
            Curve(deals, roots, "root mean square", 0, y_errors=spread),
            Curve(deals, absolute, "mean absolute", 1, marker=Marker.SQUARE),
            Curve(deals, expected, "expected", Named.GREY, Stroke.DOTTED, Marker.NONE),
            _paper(100 * PAPER_ERROR, "the paper: ± 3.3%"),
        ),
        _ACROSS,
        Axis("error of a win rate, points of a hundred"),
    )


def _estimates(exact: _Exact) -> Panel:
    means = exact.estimates.values()
    right = f"the paper, right: {PAPER_EXACT:.1%}"
    return Panel(
        (
            Curve(
                tuple(map(float, exact.estimates)),
                tuple(100 * mean.value for mean in means),
                "ours: mean and standard deviation",
                y_errors=tuple(100 * error_of(mean) for mean in means),
            ),
            Level(100 * exact.example, f"ours, exact: {exact.example:.1%}", 0),
            _paper(100 * PAPER_VALUE, "the paper: 62.5% ± 3.3%", 100 * PAPER_ERROR, aside=1.06),
            Level(100 * PAPER_EXACT, right, Named.PAPER, Stroke.DASHED),
        ),
        _ACROSS,
        Axis("win rate of one hand, %"),
    )


def _times_taken(measured: Sequence[_Measured], exact: _Exact) -> Panel:
    deals = tuple(float(one.deals) for one in measured)
    return Panel(
        (
            Curve(deals, tuple(1000 * one.seconds.value for one in measured), "sampled"),
            Level(1000 * exact.seconds.value, "all deals counted, as FOLD does here", 2, Stroke.SOLID),
            _paper(1000 * PAPER_SECONDS, "the paper, in 2010: about 10 ms"),
        ),
        _ACROSS,
        Axis("milliseconds", tuple((ms, f"{ms:g}") for ms in (0.2, 0.5, 1, 2, 5, 10)), is_log=True),
    )


def _paper(value: float, name: str, error: float = 0.0, aside: float = 1.0) -> Curve:
    errors = (error,) if error else ()
    return Curve((PAPER_DEALS * aside,), (value,), name, Named.PAPER, Stroke.NONE, Marker.DIAMOND, y_errors=errors)
