"""Equity: who wins how large a share of the pot, for hands and ranges, counted exactly or sampled.

`solve` answers a question step by step, each step a complete answer with its error bar. Several ranges always mean
the joint distribution: hole cards drawn from each range, given that no card is dealt twice. Drawing one player
after another would be something else, and biased.
"""

from collections.abc import Generator
from concurrent.futures import Executor
from enum import StrEnum
from itertools import accumulate, chain
from math import hypot
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK, Card, format_card, unblocked
from engine.checks import EquityError, check_cards, check_deals, check_seed, check_sequence
from engine.equity.exact import Counting, plan_count
from engine.equity.joint import Sums
from engine.equity.parallel import check_executor, results_in_order
from engine.equity.sampling import MAX_PLAYERS, NO_DEAL, PlayerEquity, Sampler, players_of
from engine.foreign_text import printable
from engine.ranges import Range, format_range

MIN_PLAYERS = 2
DEFAULT_SAMPLES = 2_000_000
EXACT_SECONDS: Final = 1.0
"""What is estimated to take no longer is counted exactly when nothing else is asked for."""
LONGEST_EXACT_SECONDS: Final = 120.0
"""What is estimated to take longer is not counted exactly even when that is asked for."""

PREVIEW_FROM: Final = 0.05
"""A sampled preview comes first when counting is estimated to take longer, in seconds."""
PREVIEW_DEALS: Final = 100_000
"""At most so many deals."""


class Method(StrEnum):
    """Where a number comes from."""

    EXACT = "exact"
    SAMPLED = "sampled"
    TABLE = "table"
    PRIOR = "prior"


class EquityQuestion(Struct, frozen=True):
    """Whose equity against whom. `solve` checks it.

    Attributes
    ----------
    players : tuple of Range
        2 to 10; a known hand is a range of one combo.
    board : tuple of Card
        0, 3, 4 or 5 cards.
    dead : tuple of Card
        Cards known to be out of play.
    samples : int or None
        How many deals to sample, 2 to `MOST_SAMPLES`. None counts exactly if that takes about a second, and samples
        `DEFAULT_SAMPLES` deals otherwise.
    is_exact : bool
        Count exactly even if it takes up to two minutes. Not together with `samples`.
    labels : tuple of str
        What to call the players in messages; none, or one for each.
    """

    players: tuple[Range, ...]
    board: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()
    samples: int | None = None
    is_exact: bool = False
    labels: tuple[str, ...] = ()


class EquitySnapshot(Struct, frozen=True):
    """An answer, complete as it stands.

    Attributes
    ----------
    players : tuple of PlayerEquity
        In the order of the question.
    method : Method
        `EXACT` or `SAMPLED`. While an exact count is running, its snapshots are a sampled preview.
    count : int
        Deals sampled, or showdowns counted: those of positive weight.
    seconds : float
        Since the question was put.
    is_final : bool
        Whether it is the last one.
    progress : float
        Part of the work done, 0 to 1.
    """

    players: tuple[PlayerEquity, ...]
    method: Method
    count: int
    seconds: float
    is_final: bool
    progress: float


Snapshots: TypeAlias = Generator[EquitySnapshot, None, None]


# ---- questions ------------------------------------------------------------------------------------------


def solve(question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None) -> Snapshots:
    """Compute the equity of hands or ranges, step by step.

    Parameters
    ----------
    question : EquityQuestion
    seed : int
        Of what is sampled, 0 to 2^128 - 1; the same question and seed give the same answer, bit for bit, whatever
        computes it.
    executor : Executor, optional
        Shares out work that takes longer than about 15 ms: of threads, of processes or of other machines (see
        `engine.equity.parallel`). It stays the caller's to shut down. Without one the calling thread computes.

    Returns
    -------
    generator of EquitySnapshot
        One about every 15 ms, the last one final. To cancel, stop iterating: what the executor has not begun is
        cancelled when the generator is closed or dropped.

    Raises
    ------
    EquityError
        At once, not at the first step: if the question has no answer, or no exact one in two minutes. While
        iterating: if the executor is shut down.

    Notes
    -----
    Exact: on a flop, turn or river by classes of deals (`engine.kernels.showdown.count_showdowns`), or for two
    wide ranges by sweeping all combos (`engine.kernels.sweep.sweep_range`); before the flop by counting boards
    for every deal that differs by more than a relabelling of suits. More than two players are counted if the
    estimated cost allows it (`EXACT_SECONDS`).

    Sampled: all players draw from their ranges, and all draw anew if any two clash; then those who may hold any
    two cards get what is left. Where few tries succeed, deals are drawn in turn, weighted by what was left of each
    range (importance sampling), if that errs less in the same time by estimate; where fewer than one in 64 does,
    they are drawn from the list of all possible ones if there are at most 200,000. It is the same distribution.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = solve(EquityQuestion(hands))
    >>> round(last.players[0].equity, 8), last.count
    (0.46214457, 1712304)
    """
    check_executor(executor)
    check_seed(seed)
    live = live_weights(question)
    counting: Counting | None = None
    if question.samples is None:
        budget = LONGEST_EXACT_SECONDS if question.is_exact else EXACT_SECONDS
        counting = plan_count(live, question.board, question.dead, budget)
        if counting is None:
            check_need_not_be_exact(question)
    sampler = Sampler(live, question.board, question.dead, seed)
    if counting is not None:
        return _count(counting, sampler, executor)
    return _sample(sampler, question.samples or DEFAULT_SAMPLES, executor)


def _count(counting: Counting, sampler: Sampler, executor: Executor | None) -> Snapshots:
    started = perf_counter()
    preview: tuple[PlayerEquity, ...] | None = None
    if counting.seconds > PREVIEW_FROM:
        sampler.begin(PREVIEW_DEALS)
        if sampler.has_dealt:
            preview = sampler.players()
    for progress in counting.steps(executor):
        if preview is not None:
            seconds = perf_counter() - started
            yield EquitySnapshot(preview, Method.SAMPLED, sampler.deals, seconds, False, progress)
    outcomes = np.column_stack([counting.outcomes, np.zeros_like(counting.outcomes)])
    players = players_of(outcomes)
    yield EquitySnapshot(players, Method.EXACT, counting.showdowns, perf_counter() - started, True, 1.0)


def _sample(sampler: Sampler, samples: int, executor: Executor | None) -> Snapshots:
    started = perf_counter()
    sampler.begin(samples)
    for chunk in chain([None], results_in_order(sampler.tasks(samples), executor)):
        if chunk is not None:
            sampler.add(chunk)
        is_final = sampler.deals >= samples
        if sampler.has_dealt:
            seconds, progress = perf_counter() - started, sampler.deals / samples
            yield EquitySnapshot(sampler.players(), Method.SAMPLED, sampler.deals, seconds, is_final, progress)
        elif is_final:
            raise EquityError(NO_DEAL)


def pooled(first: EquitySnapshot, second: EquitySnapshot) -> EquitySnapshot:
    """Put two independent samples of one question together, each weighing as much as it has deals.

    Parameters
    ----------
    first, second : EquitySnapshot
        Both sampled, with different seeds; `second` says how far the work is.

    Returns
    -------
    EquitySnapshot
        Its standard errors are those of the weighted mean. Cost: nothing worth telling.

    Raises
    ------
    EquityError
        If one is exact, or they have different numbers of players.

    Examples
    --------
    >>> one, other = PlayerEquity(0.4, 0.0, 0.4, 0.03), PlayerEquity(0.6, 0.0, 0.6, 0.04)
    >>> both = pooled(*(EquitySnapshot((p, p), Method.SAMPLED, 500, 1.0, True, 1.0) for p in (one, other)))
    >>> both.count, both.players[0].equity, round(both.players[0].stderr, 6)
    (1000, 0.5, 0.025)
    """
    if (first.method, second.method) != (Method.SAMPLED, Method.SAMPLED):
        raise EquityError("Only samples are put together; an exact answer stands for itself.")
    if len(first.players) != len(second.players):
        raise EquityError(f"Samples of {len(first.players)} and {len(second.players)} players do not go together.")
    count = first.count + second.count
    part = first.count / count
    rest = 1 - part
    players = tuple(
        PlayerEquity(
            part * one.win + rest * other.win,
            part * one.tie + rest * other.tie,
            part * one.equity + rest * other.equity,
            hypot(part * one.stderr, rest * other.stderr),
            hypot(part * one.win_stderr, rest * other.win_stderr),
            hypot(part * one.tie_stderr, rest * other.tie_stderr),
        )
        for one, other in zip(first.players, second.players, strict=True)
    )
    seconds = first.seconds + second.seconds
    return EquitySnapshot(players, Method.SAMPLED, count, seconds, second.is_final, second.progress)


# ---- checks ---------------------------------------------------------------------------------------------


def live_weights(question: EquityQuestion) -> Sums:
    """Check a question; give each player's weights without what can never be dealt.

    Returns
    -------
    ndarray of float64, shape (players, 1326)
        Each on a scale of its own, the largest of a row from 0.5 to 1.

    Raises
    ------
    EquityError
        If the question has no answer.
    """
    check_sequence(question.players, "Players")
    count = len(question.players)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise EquityError(f"Equity needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {count}.")
    if len(question.labels) not in (0, count):
        raise EquityError(f"There are {len(question.labels)} labels for {count} players.")
    for player, hands in enumerate(question.players):
        if not isinstance(hands, Range):
            raise EquityError(f"Player {player + 1} has no Range but {hands!r}.", (player,))
    if question.samples is not None:
        check_deals(question.samples)
    if question.samples is not None and question.is_exact:
        raise EquityError("Deals are either sampled or counted exactly, not both.")
    check_cards(question.board, question.dead)
    undealt = CARD_COUNT - len(question.board) - len(question.dead)
    needed = 2 * count + 5 - len(question.board)
    if undealt < needed:
        raise EquityError(
            f"Too many cards are dead: {count} players and the rest of the board need {needed}, "
            f"and {undealt} are left."
        )
    known = unblocked((*question.board, *question.dead))
    live = np.array([hands.weights * known for hands in question.players], dtype=np.float64)
    for player, hands in enumerate(question.players):
        if hands.is_empty:
            raise EquityError(f"The range of {_name(question, player)} is empty.", (player,))
        if not live[player].any():
            raise EquityError(_why_blocked(question, player), (player,))
    # By powers of two, which changes no answer: products of ten weights must not come out as 0.
    live = np.ldexp(live, -np.frexp(live.max(axis=1))[1][:, None])
    _check_together(live, question)
    return _without_certain_cards(live)


def check_need_not_be_exact(question: EquityQuestion) -> None:
    """Raise an `EquityError` if what takes too long to be counted is to be counted all the same."""
    if question.is_exact:
        raise EquityError(
            "Counting this exactly would take longer than two minutes; sample it or narrow the ranges."
        )


def _name(question: EquityQuestion, player: int) -> str:
    """Say who a player is, for messages only: a range's text takes longer than most answers."""
    text = question.labels[player] if question.labels else format_range(question.players[player])
    return f"player {player + 1}" + (f" ({printable(text)})" if 0 < len(text) <= _LONGEST_NAME else "")


_LONGEST_NAME = 40


def _why_blocked(question: EquityQuestion, player: int) -> str:
    name = _name(question, player)
    combos = np.flatnonzero(question.players[player].weights)
    if len(combos) > 1:
        return f"Every hand of {name} holds a card of the board or a dead card."
    card = next(int(card) for card in COMBO_CARDS[combos[0]] if card in (*question.board, *question.dead))
    place = "on the board" if card in question.board else "among the dead cards"
    return f"The card {format_card(card)} of {name} is {place}."


def _without_certain_cards(live: Sums) -> Sums:
    """Take from every range the combos with a card that another player is sure to hold."""
    certain = [np.bitwise_and.reduce(COMBO_MASK[weights > 0]) for weights in live]
    before = -1
    while (now := int(np.count_nonzero(live))) != before:
        before = now
        for player, weights in enumerate(live):
            others = np.bitwise_or.reduce([mask for other, mask in enumerate(certain) if other != player])
            weights[(COMBO_MASK & others) != 0] = 0
            certain[player] = np.bitwise_and.reduce(COMBO_MASK[weights > 0])
    return live


def _check_together(live: Sums, question: EquityQuestion) -> None:
    """Name the players whose ranges clash, as few as possible, if no deal is free of clashes."""
    clashing = list(range(len(live)))
    if _can_be_dealt(live):
        return
    for player in range(len(live)):
        others = [other for other in clashing if other != player]
        if not _can_be_dealt(live[others]):
            clashing = others
    names = [_name(question, player) for player in clashing]
    listed = " and ".join([", ".join(names[:-1]), names[-1]])
    certain = [np.bitwise_and.reduce(COMBO_MASK[live[player] > 0]) for player in clashing]
    shared = int(np.bitwise_and.reduce(certain))
    if len(clashing) == 2 and shared:
        card = format_card(shared.bit_length() - 1)
        raise EquityError(f"The card {card} cannot be held by both {listed}.", tuple(clashing))
    raise EquityError(
        f"No cards can be dealt to {listed} together: whatever some hold, nothing is left for another.",
        tuple(clashing),
    )


def _can_be_dealt(live: Sums) -> bool:
    """Tell whether some deal has no clash; gives up after many attempts and then says yes."""
    hands = sorted((COMBO_MASK[weights > 0] for weights in live), key=len)
    # The narrowest ranges need two cards for each.
    cards = accumulate(map(np.bitwise_or.reduce, hands), np.bitwise_or)
    if any(int(used).bit_count() < 2 * players for players, used in enumerate(cards, 1)):
        return False
    masks: list[list[int]] = [held.tolist() for held in hands]
    attempts = 0
    in_vain: set[tuple[int, int]] = set()  # ranges of the same few cards use them up in many ways

    def deal(player: int, used: int) -> bool:
        nonlocal attempts
        if player == len(masks):
            return True
        if (player, used) in in_vain:
            return False
        for mask in masks[player]:
            attempts += 1
            if attempts > _MOST_ATTEMPTS or (not mask & used and deal(player + 1, used | mask)):
                return True
        in_vain.add((player, used))
        return False

    return deal(0, 0)


_MOST_ATTEMPTS = 200_000
