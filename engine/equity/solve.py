"""Equity: who wins how large a share of the pot, for hands and ranges, counted exactly or sampled.

`solve` answers a question step by step, each step a complete answer with its error bar. Several ranges always mean
the joint distribution: hole cards drawn from each range, given that no card is dealt twice. Drawing one player
after another would be something else, and biased.
"""

from concurrent.futures import Executor
from functools import partial
from math import hypot
from typing import TypeAlias

from msgspec.structs import replace

from engine.cards import BOARD_SIZE, Street
from engine.equity.checks import EquityError
from engine.equity.exact import ExactCount, plan_count
from engine.equity.parallel import results_in_order
from engine.equity.question import (
    DEFAULT_SAMPLES,
    PREVIEW_DEALS,
    PREVIEW_FROM,
    EquityQuestion,
    check_question,
    plan_exact,
)
from engine.equity.sampling import Odds, PlayerEquity, Sampler, counted_players
from engine.equity.snapshot import Known, Method, Snapshot, Snapshots, Steps, snapshots

EquitySnapshot: TypeAlias = Snapshot[Odds]


def solve(question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None) -> Snapshots[Odds]:
    """Compute the equity of hands or ranges, step by step.

    Parameters
    ----------
    seed : int
        Of what is sampled, 0 to 2^128 - 1; the same question and seed give the same answer, bit for bit, whatever
        computes it.
    executor : Executor, optional
        Shares out work that takes longer than about 15 ms: of threads, of processes or of other machines (see
        `engine.equity.parallel`). It stays the caller's to shut down. Without one the calling thread computes.

    Returns
    -------
    generator of Snapshot
        One about every 15 ms, the last one final. To cancel, stop iterating: what the executor has not begun is
        cancelled when the generator is closed or dropped.

    Raises
    ------
    EquityError
        At once, not at the first step: if the question has no answer, or no exact one in two minutes. While
        iterating: if the executor is shut down.

    Notes
    -----
    Exact: on a flop, turn or river by classes of deals (`kernels.equity.showdown.count_showdowns`), or for two
    wide ranges by sweeping all combos (`kernels.equity.sweep.sweep_range`); before the flop by counting boards
    for every deal that differs by more than a relabelling of suits. More than two players are counted if the
    estimated cost allows it (`EXACT_SECONDS`).

    Sampled: all players draw from their ranges, and all draw again if any two clash; then those who may hold any
    two cards get what is left. Where few tries succeed, deals are drawn in turn, weighted by what was left of each
    range (importance sampling), if that errs less in the same time by estimate; where fewer than one in 64 does,
    they are drawn from the list of all possible ones if there are at most 200,000. It is the same distribution.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = solve(EquityQuestion(hands))
    >>> round(last.value[0].equity, 8), last.count
    (0.46214457, 1712304)
    """
    live = check_question(question, seed, executor)
    counting = plan_exact(question, partial(plan_count, live, question.board, question.dead))
    sampler = Sampler(live, question.board, question.dead, seed)
    if counting is not None:
        return _counted(counting, sampler, executor)
    return _sampled(sampler, question.samples or DEFAULT_SAMPLES, executor)


def _counted(counting: ExactCount, sampler: Sampler, executor: Executor | None) -> Snapshots[Odds]:
    def steps() -> Steps:
        if counting.seconds > PREVIEW_FROM:
            sampler.begin(PREVIEW_DEALS)
            yield 0.0
        yield from counting.steps(executor)

    def final() -> Known[Odds]:
        return Known(counted_players(counting.outcomes), Method.EXACT, counting.showdowns)

    return snapshots(steps(), final, partial(_sample_of, sampler))


def _sampled(sampler: Sampler, samples: int, executor: Executor | None) -> Snapshots[Odds]:
    def steps() -> Steps:
        sampler.begin(samples)
        yield sampler.deals / samples
        for chunk in results_in_order(sampler.tasks(samples), executor):
            sampler.add(chunk)
            yield sampler.deals / samples

    known = partial(_sample_of, sampler)
    return snapshots(steps(), known, known)


def _sample_of(sampler: Sampler) -> Known[Odds] | None:
    return Known(sampler.players(), Method.SAMPLED, sampler.deals) if sampler.has_dealt else None


def equity_by_street(
    question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None
) -> Snapshots[tuple[EquitySnapshot, ...]]:
    """Equity on each street up to that of the question, step by step.

    Parameters
    ----------
    question : EquityQuestion
        Of its board the first three cards are the flop, the fourth is the turn and the fifth the river. Before they
        are dealt they are in the deck like any others: a hand that the turn will make impossible is possible on
        the flop. Dead cards are dead from the start.
    seed, executor
        As for `solve`.

    Returns
    -------
    generator of Snapshot
        Its value is what `solve` says of the board as it was on the streets that are reached, from before the flop
        on, bit for bit. All but the last answer are final.

    Raises
    ------
    EquityError
        At once, as `solve` does for the question itself: it has no answer, or no exact one in two minutes though
        that is asked for. An earlier street that would take too long is sampled instead.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = equity_by_street(EquityQuestion(hands, parse_cards("Kd 7s 2c Qh")))
    >>> [round(answer.value[0].equity, 4) for answer in last.value]
    [0.4621, 0.9121, 0.0]
    """
    # What is wrong with the question is said at once; nothing is computed before the first step.
    here = solve(question, seed=seed, executor=executor)
    streets = tuple(street for street in Street if BOARD_SIZE[street] <= len(question.board))
    earlier = [_solve_on(street, question, seed, executor) for street in streets[:-1]]
    answers: list[EquitySnapshot] = []

    def steps() -> Steps:
        for place, solver in enumerate([*earlier, here]):
            for snapshot in solver:
                answers[place:] = [snapshot]
                yield (place + snapshot.progress) / len(streets)

    def known() -> Known[tuple[EquitySnapshot, ...]]:
        is_exact = all(answer.method is Method.EXACT for answer in answers)
        count = sum(answer.count for answer in answers)
        return Known(tuple(answers), Method.EXACT if is_exact else Method.SAMPLED, count)

    return snapshots(steps(), known, known)


def _solve_on(street: Street, question: EquityQuestion, seed: int, executor: Executor | None) -> Snapshots[Odds]:
    """Ask the question as it was on an earlier street."""
    asked = replace(question, board=tuple(question.board[: BOARD_SIZE[street]]))
    try:
        return solve(asked, seed=seed, executor=executor)
    except EquityError:
        if not question.is_exact:
            raise
        return solve(replace(asked, is_exact=False), seed=seed, executor=executor)


def pooled(first: EquitySnapshot, second: EquitySnapshot) -> EquitySnapshot:
    """Put two independent samples of one question together, each weighing as much as it has deals.

    Its standard errors are those of the weighted mean; `second` says how far the work is.

    Raises
    ------
    EquityError
        If one is exact, or they have different numbers of players.

    Examples
    --------
    >>> one, other = PlayerEquity(0.4, 0.0, 0.4, 0.03), PlayerEquity(0.6, 0.0, 0.6, 0.04)
    >>> both = pooled(*(Snapshot((p, p), Method.SAMPLED, 500, 1.0, True, 1.0) for p in (one, other)))
    >>> both.count, both.value[0].equity, round(both.value[0].stderr, 6)
    (1000, 0.5, 0.025)
    """
    if (first.method, second.method) != (Method.SAMPLED, Method.SAMPLED):
        raise EquityError("Only samples are put together; an exact answer stands for itself.")
    if len(first.value) != len(second.value):
        raise EquityError(f"Samples of {len(first.value)} and {len(second.value)} players do not go together.")
    count = first.count + second.count
    part = first.count / count
    rest = 1 - part
    value = tuple(
        PlayerEquity(
            part * one.win + rest * other.win,
            part * one.tie + rest * other.tie,
            part * one.equity + rest * other.equity,
            hypot(part * one.stderr, rest * other.stderr),
            hypot(part * one.win_stderr, rest * other.win_stderr),
            hypot(part * one.tie_stderr, rest * other.tie_stderr),
        )
        for one, other in zip(first.value, second.value, strict=True)
    )
    seconds = first.seconds + second.seconds
    return Snapshot(value, Method.SAMPLED, count, seconds, second.is_final, second.progress)
