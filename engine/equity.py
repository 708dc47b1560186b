"""Equity: who wins how large a share of the pot, for hands and ranges, counted exactly or sampled.

`solve` answers a question step by step, each step a complete answer with its error bar. `combo_equities` gives all
1326 combos against one range, `win_rate` one hand against several predicted ranges. Several ranges always mean
the joint distribution: hole cards drawn from each range, given that no card is dealt twice. Drawing one player
after another would be something else, and biased.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from math import comb, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_CARDS,
    COMBO_COUNT,
    COMBO_MASK,
    Card,
    HoleCards,
    card_mask,
    combo_of,
    format_card,
    format_combo,
    unblocked,
)
from engine.codec import Vector, frozen_vector
from engine.counting import MOST_JOINT_DEALS, Counting, Sums, all_boards, joint_deals, plan_count, weight_beside
from engine.ranges import Range, format_range

if TYPE_CHECKING:
    from engine.kernels.showdown import DrawLists

MIN_PLAYERS, MAX_PLAYERS = 2, 10
DEFAULT_SAMPLES = 2_000_000
MOST_SAMPLES: Final = 10**12
"""More would take days, and in time overflow the kernels' counters."""
EXACT_SECONDS: Final = 1.0
"""What is estimated to take no longer is counted exactly when nothing else is asked for."""
LONGEST_EXACT_SECONDS: Final = 120.0
"""What is estimated to take longer is not counted exactly even when that is asked for."""

_PREVIEW_FROM = 0.05  # a sampled preview comes first when counting is estimated to take longer, in seconds
_STEP_DRAWS = 400_000  # of hole cards per step of sampling, 5 to 15 ms
_LEAST_ACCEPTED = 1 / 64  # of the tries; below it, whole deals are listed or drawn in turn instead


class EquityError(ValueError):
    """A question that has no answer: cards used twice, ranges that cannot be dealt together.

    Attributes
    ----------
    players : tuple of int
        The players concerned, from 0.
    """

    def __init__(self, message: str, players: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.players = players


class Method(StrEnum):
    """Where a number comes from."""

    EXACT = "exact"
    SAMPLED = "sampled"
    TABLE = "table"
    MODEL = "model"
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


class PlayerEquity(Struct, frozen=True):
    """One player's odds, all from 0 to 1.

    Attributes
    ----------
    win : float
        Share of the showdowns won alone.
    tie : float
        Share of the showdowns tied for best.
    equity : float
        Share of the pot, ties shared.
    stderr : float
        Standard error of `equity`; 0 where exact.
    """

    win: float
    tie: float
    equity: float
    stderr: float


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


class Equity(Struct, frozen=True):
    """One hand's share of the pot.

    Attributes
    ----------
    value : float
        0 to 1.
    stderr : float
        0 where exact.
    count : int
        Deals sampled, or showdowns counted.
    exact : bool
        Whether nothing was sampled.
    """

    value: float
    stderr: float
    count: int
    exact: bool


# ---- questions ------------------------------------------------------------------------------------------


def solve(question: EquityQuestion, *, seed: int = 0) -> Iterator[EquitySnapshot]:
    """Compute the equity of hands or ranges, step by step.

    Parameters
    ----------
    question : EquityQuestion
    seed : int
        Of what is sampled, 0 or more; the same question and seed give the same answer.

    Returns
    -------
    iterator of EquitySnapshot
        One about every 15 ms, the last one final. To cancel, stop iterating.

    Raises
    ------
    EquityError
        At once, not at the first step: if the question has no answer, or no exact one in two minutes.

    Notes
    -----
    Exact: two players on a flop, turn or river by sweeping all combos (`engine.kernels.showdown.sweep_boards`,
    about 15 ms); more players there by listing all deals; before the flop by counting boards for every deal that
    differs by more than a relabelling of suits. Listing decides by its estimated cost (`EXACT_SECONDS`).

    Sampled: all players draw from their ranges, and all draw anew if any two clash; then those who may hold any
    two cards get what is left. Where fewer than one try in 64
    succeeds, deals are drawn from the list of all possible ones if it is short, or else in turn, weighted by what
    was left of each range (importance sampling), which is the same distribution.

    Examples
    --------
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = solve(EquityQuestion(hands))
    >>> round(last.players[0].equity, 8), last.count
    (0.46214457, 1712304)
    """
    if not 0 <= seed < 1 << 128:
        raise EquityError(f"The seed {seed} is not between 0 and 2^128 - 1.")
    live = _live_weights(question)
    counting: Counting | None = None
    if question.samples is None:
        budget = LONGEST_EXACT_SECONDS if question.is_exact else EXACT_SECONDS
        counting = plan_count(live, question.board, question.dead, budget)
        if counting is None and question.is_exact:
            raise EquityError(
                "Counting this exactly would take longer than two minutes; sample it or narrow the ranges."
            )
    sampler = _Sampler(live, question.board, question.dead, seed)
    if counting is not None:
        return _count(counting, sampler)
    return _sample(sampler, question.samples or DEFAULT_SAMPLES)


def _count(counting: "Counting", sampler: "_Sampler") -> Iterator[EquitySnapshot]:
    started = perf_counter()
    preview: tuple[PlayerEquity, ...] | None = None
    if counting.seconds > _PREVIEW_FROM:
        sampler.step(_STEP_DRAWS)
        preview = sampler.players()
    for progress in counting.steps():
        if preview is not None:
            seconds = perf_counter() - started
            yield EquitySnapshot(preview, Method.SAMPLED, sampler.deals, seconds, False, progress)
    outcomes = np.column_stack([counting.outcomes, np.zeros_like(counting.outcomes)])
    players = _players(outcomes, counting.showdowns)
    yield EquitySnapshot(players, Method.EXACT, counting.showdowns, perf_counter() - started, True, 1.0)


def _sample(sampler: "_Sampler", samples: int) -> Iterator[EquitySnapshot]:
    started = perf_counter()
    while sampler.deals < samples:
        sampler.step(samples - sampler.deals)
        is_final = sampler.deals >= samples
        if sampler.outcomes[:, 0].sum() > 0:
            seconds, progress = perf_counter() - started, sampler.deals / samples
            yield EquitySnapshot(sampler.players(), Method.SAMPLED, sampler.deals, seconds, is_final, progress)
        elif is_final:
            raise EquityError("No way was found to deal these ranges together.")


def _players(outcomes: Sums, count: int) -> tuple[PlayerEquity, ...]:
    """Turn outcomes, shape (2 ** players, 2) of weights and their squares, into each player's odds.

    The standard error is that of a ratio of sums (delta method); with equal weights it is the usual one. Exact
    sums come with squares of 0.
    """
    weight = outcomes[:, 0]
    total = weight.sum()
    sets = np.arange(len(weight))
    size = np.array([int(members).bit_count() for members in sets])
    correction = count / max(count - 1, 1)
    players = []
    for player in range(len(weight).bit_length() - 1):
        is_in = sets >> player & 1 == 1
        share = is_in / np.maximum(size, 1)
        equity = float(weight @ share / total)
        variance = outcomes[:, 1] @ (share - equity) ** 2 / total**2 * correction
        players.append(
            PlayerEquity(
                win=float(weight[1 << player] / total),
                tie=float(weight[is_in & (size > 1)].sum() / total),
                equity=equity,
                stderr=sqrt(float(variance)),
            )
        )
    return tuple(players)


# ---- checks ---------------------------------------------------------------------------------------------


def _live_weights(question: EquityQuestion) -> Sums:
    """Check a question; give each player's weights without what can never be dealt, shape (players, 1326)."""
    count = len(question.players)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise EquityError(f"Equity needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {count}.")
    if len(question.labels) not in (0, count):
        raise EquityError(f"There are {len(question.labels)} labels for {count} players.")
    if question.samples is not None and question.samples < 2:
        raise EquityError(f"At least 2 deals must be sampled, not {question.samples}.")
    if question.samples is not None and question.samples > MOST_SAMPLES:
        raise EquityError(f"At most {MOST_SAMPLES:,} deals can be sampled, not {question.samples:,}.")
    if question.samples is not None and question.is_exact:
        raise EquityError("Deals are either sampled or counted exactly, not both.")
    _check_cards(question.board, question.dead)
    undealt = CARD_COUNT - len(question.board) - len(question.dead)
    needed = 2 * count + 5 - len(question.board)
    if undealt < needed:
        raise EquityError(
            f"Too many cards are dead: {count} players and the rest of the board need {needed}, "
            f"and {undealt} are left."
        )
    names = [_name(question, player) for player in range(count)]
    known = unblocked((*question.board, *question.dead))
    live = np.array([hands.weights * known for hands in question.players], dtype=np.float64)
    for player, hands in enumerate(question.players):
        if hands.is_empty:
            raise EquityError(f"The range of {names[player]} is empty.", (player,))
        if not live[player].any():
            raise EquityError(_why_blocked(question, player, names[player]), (player,))
    _check_together(live, names)
    return _without_certain_cards(live)


def _check_cards(board: Sequence[int], dead: Sequence[int]) -> None:
    if len(board) not in (0, 3, 4, 5):
        raise EquityError(f"A board has 0, 3, 4 or 5 cards, not {len(board)}.")
    seen: dict[int, str] = {}
    for place, cards in (("on the board", board), ("among the dead cards", dead)):
        for card in cards:
            if not 0 <= card < CARD_COUNT:
                raise EquityError(f"{card} is no card: cards are numbered 0 to {CARD_COUNT - 1}.")
            if card in seen:
                also = "twice" if seen[card] == place else f"{seen[card]} and"
                raise EquityError(f"The card {format_card(card)} is {also} {place}.")
            seen[card] = place


def _name(question: EquityQuestion, player: int) -> str:
    text = question.labels[player] if question.labels else format_range(question.players[player])
    return f"player {player + 1}" + (f" ({text})" if 0 < len(text) <= _LONGEST_NAME else "")


_LONGEST_NAME = 40


def _why_blocked(question: EquityQuestion, player: int, name: str) -> str:
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


def _check_together(live: Sums, names: Sequence[str]) -> None:
    """Name the players whose ranges clash, as few as possible, if no deal is free of clashes."""
    clashing = list(range(len(live)))
    if _can_be_dealt(live):
        return
    for player in range(len(live)):
        others = [other for other in clashing if other != player]
        if not _can_be_dealt(live[others]):
            clashing = others
    listed = " and ".join([", ".join(names[player] for player in clashing[:-1]), names[clashing[-1]]])
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
    masks = sorted(([int(mask) for mask in COMBO_MASK[weights > 0]] for weights in live), key=len)
    attempts = 0

    def deal(player: int, used: int) -> bool:
        nonlocal attempts
        if player == len(masks):
            return True
        for mask in masks[player]:
            attempts += 1
            if attempts > _MOST_ATTEMPTS or (not mask & used and deal(player + 1, used | mask)):
                return True
        return False

    return deal(0, 0)


_MOST_ATTEMPTS = 200_000


# ---- sampling -------------------------------------------------------------------------------------------


def _draw_lists(rows: Iterable[NDArray[np.floating[Any]]]) -> "DrawLists":
    """Make the lists to draw from: the entries of positive weight of each row."""
    from engine.kernels.showdown import DrawLists, fill_draw_lists

    rows = list(rows)
    entries = [np.flatnonzero(row) for row in rows]
    weights = np.concatenate([np.zeros(0), *(row[entry] for row, entry in zip(rows, entries, strict=True))])
    lists = DrawLists(
        starts=np.cumsum([0, *(len(entry) for entry in entries)]),
        combos=np.concatenate([np.zeros(0, dtype=np.int16), *entries]).astype(np.int16),
        weights=weights.astype(np.float64),
        threshold=np.zeros(len(weights)),
        other=np.zeros(len(weights), dtype=np.int64),
    )
    fill_draw_lists(lists)
    return lists


_NO_DEALS: Final = np.zeros((0, MAX_PLAYERS), dtype=np.int16)


def _hold_any_two(live: Sums, known: Sequence[int]) -> NDArray[np.bool_]:
    """Tell which players hold every combo that nothing certain blocks, all with the same weight."""
    certain = [int(np.bitwise_and.reduce(COMBO_MASK[weights > 0])) for weights in live]
    found = []
    for player, weights in enumerate(live):
        taken = card_mask(known)
        for other, mask in enumerate(certain):
            taken |= mask if other != player else 0
        open_to_all = weights[(COMBO_MASK & np.uint64(taken)) == 0]
        found.append(bool(open_to_all.min() == open_to_all.max()))
    return np.array(found)


class _Sampler:
    """Deals at random, step by step; every step has a random stream of its own."""

    def __init__(self, live: Sums, board: Sequence[int], dead: Sequence[int], seed: int) -> None:
        from engine.kernels.showdown import REJECTING

        # The narrowest range first, so that drawing in turn wastes least, and last those who hold any two cards.
        # `players` puts the outcomes back in order.
        is_any = _hold_any_two(live, (*board, *dead))
        size = np.where(is_any, COMBO_COUNT + 1, np.count_nonzero(live, axis=1))
        self._order = np.argsort(size, kind="stable")
        self._players = len(live)
        self._live = live[self._order][: np.count_nonzero(~is_any)]
        self._board = np.array(board, dtype=np.uint8)
        self._dead = np.uint64(card_mask((*board, *dead)))
        self._seed = seed
        self._chunk = 0
        self._method = REJECTING
        self._lists = _draw_lists(self._live)
        self._together = _NO_DEALS
        self.outcomes = np.zeros((1 << len(live), 2))
        self.deals = 0

    def players(self) -> tuple[PlayerEquity, ...]:
        """Give each player's odds so far, in the order of the question."""
        sets = np.arange(len(self.outcomes))
        where = sum((sets >> place & 1) << player for place, player in enumerate(self._order))
        ordered = np.zeros_like(self.outcomes)
        ordered[where] = self.outcomes
        return _players(ordered, self.deals)

    def step(self, most_deals: int) -> None:
        """Deal some more, at most so many."""
        from engine.kernels.showdown import IN_TURN, REJECTING

        tries = _STEP_DRAWS // self._players
        if self._method == IN_TURN:
            tries = max(20, 20 * _STEP_DRAWS // len(self._lists.combos))
        deals = self._deal(most_deals, tries)
        if self._method == REJECTING and self._chunk == 1 and deals < min(most_deals, _LEAST_ACCEPTED * tries):
            self._change_method()
            self.outcomes[:] = 0
        else:
            self.deals += deals

    def _deal(self, most_deals: int, tries: int) -> int:
        from engine.kernels.evaluator import tables
        from engine.kernels.rng import new_stream
        from engine.kernels.showdown import sample_deals

        stream = new_stream(self._seed, self._chunk)
        self._chunk += 1
        deals, _ = sample_deals(
            tables(),
            stream,
            self._board,
            self._dead,
            self._lists,
            self._together,
            self._method,
            self._players,
            most_deals,
            tries,
            self.outcomes,
        )
        return deals

    def _change_method(self) -> None:
        """Stop rejecting, for hardly any try succeeds."""
        from engine.kernels.showdown import IN_TURN, TOGETHER

        joint = joint_deals(self._live, MOST_JOINT_DEALS)
        if joint is None:
            self._method = IN_TURN
        else:
            self._method = TOGETHER
            self._together = joint[0]
            self._lists = _draw_lists(joint[1][None])


# ---- one hand, or every hand ----------------------------------------------------------------------------


def combo_equities(board: Sequence[Card], weights: Vector | None = None, dead: Sequence[Card] = ()) -> Vector:
    """Give the exact equity of every combo against one range on a flop, turn or river.

    Parameters
    ----------
    board : sequence of Card
        3, 4 or 5 cards.
    weights : ndarray of numbers, shape (1326,), optional
        Of the range, 0 or more, on any scale; any two cards by default.
    dead : sequence of Card
        Cards that neither side can hold.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        0 to 1, ties shared. 0 for combos that are blocked, or beside which no hand of the range can be dealt.

    Raises
    ------
    EquityError
        If the board has other than 3, 4 or 5 cards, or a card stands twice.

    Notes
    -----
    About 12 ms on the flop, 0.5 ms on the turn. Against any two cards the last 512 boards are kept.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> equities = combo_equities(parse_cards("Ks 7d 2h"))
    >>> round(float(equities[combo_of(*parse_cards("2c2s"))]), 6)
    0.966557
    """
    if weights is None:
        return _equities_against_any_two(tuple(sorted(board)), tuple(sorted(dead)))
    return frozen_vector(_sweep(board, weights, dead)[0])


@lru_cache(maxsize=512)
def _equities_against_any_two(board: tuple[Card, ...], dead: tuple[Card, ...]) -> Vector:
    return frozen_vector(_sweep(board, np.ones(COMBO_COUNT), dead)[0])


def _sweep(board: Sequence[int], weights: NDArray[Any], dead: Sequence[int]) -> tuple[Sums, NDArray[np.bool_]]:
    """Give every combo's equity, and the range's combos that are not blocked."""
    from engine.kernels.evaluator import tables
    from engine.kernels.showdown import sweep_boards

    _check_cards(board, dead)
    if not board:
        raise EquityError("The equity of every combo needs a flop, turn or river.")
    live = unblocked((*board, *dead))
    theirs = np.where(live, weights, 0).astype(np.float64)
    won, tied = np.zeros(COMBO_COUNT), np.zeros(COMBO_COUNT)
    known = np.uint64(card_mask((*board, *dead)))
    sweep_boards(tables(), all_boards(board, dead), known, theirs, won, tied)
    runouts = comb(CARD_COUNT - len(board) - len(dead) - 4, 5 - len(board))
    total = runouts * weight_beside(theirs)
    # Rounding leaves a trace of weight where there is none.
    is_met = live & (weight_beside((theirs > 0).astype(np.float64)) > 0.5)
    equity = np.divide(won + tied / 2, total, out=np.zeros(COMBO_COUNT), where=is_met)
    return np.clip(equity, 0, 1), theirs > 0


def win_rate(
    hole_cards: HoleCards, opponents: Sequence[Vector], board: Sequence[Card], *, deals: int, seed: int
) -> Equity:
    """Give a hand's share of the pot at showdown against predicted ranges, jointly (Li et al. 2017, alg. 1).

    Parameters
    ----------
    hole_cards : tuple of two Card
    opponents : sequence of ndarray, shape (1326,)
        1 to 9 ranges: weights or probabilities, 0 or more, on any scale. Combos blocked by the board or the
        hole cards do not count.
    board : sequence of Card
        0, 3, 4 or 5 cards.
    deals : int
        How many to sample, at least 2, where the answer is not exact.
    seed : int
        The same arguments and seed give the same answer.

    Returns
    -------
    Equity
        Exact against one opponent on a flop, turn or river.

    Raises
    ------
    EquityError
        If a card stands twice, or there are too few or too many opponents or too few deals.

    Notes
    -----
    Departs from the algorithm as printed in three points: it redraws all opponents when two of them clash (drawing
    in turn is not the joint distribution), shares ties, and comes with a standard error.

    Predictions may contradict each other. An opponent whose range is empty gets any two cards. If hardly any try
    is free of clashes, opponents are drawn in turn and weighted accordingly; and if no deal is possible at all,
    they are drawn in turn unweighted, with any two cards for an opponent who has nothing left.
    """
    _check_hand(hole_cards, len(opponents), board, deals)
    if board and len(opponents) == 1:
        theirs = np.where(unblocked(hole_cards), opponents[0], 0)
        equities, is_live = _sweep(board, theirs, ())
        if is_live.any():
            runouts = comb(CARD_COUNT - len(board) - 4, 5 - len(board))
            count = runouts * int(is_live.sum())
            return Equity(float(equities[combo_of(*hole_cards)]), 0.0, count, True)
        return win_rate_random(hole_cards, 1, board, deals=deals, seed=seed)
    return _sampled_win_rate(hole_cards, opponents, board, deals, seed)


def win_rate_random(
    hole_cards: HoleCards, opponents: int, board: Sequence[Card], *, deals: int, seed: int
) -> Equity:
    """Give a hand's share of the pot at showdown against random hands.

    Parameters
    ----------
    hole_cards : tuple of two Card
    opponents : int
        1 to 9.
    board : sequence of Card
        0, 3, 4 or 5 cards.
    deals : int
        How many to sample, at least 2, where nothing better is known.
    seed : int

    Returns
    -------
    Equity
        From the table of `engine.preflop` before the flop, whose standard error it states; exact against one
        opponent after it; otherwise sampled.

    Raises
    ------
    EquityError
        As `win_rate`.
    """
    _check_hand(hole_cards, opponents, board, deals)
    combo = combo_of(*hole_cards)
    if not board:
        from engine.preflop import DEALS, equity_against_random, stderr_against_random

        error = float(stderr_against_random(opponents)[combo])
        return Equity(float(equity_against_random(opponents)[combo]), error, DEALS, False)
    if opponents == 1:
        free = CARD_COUNT - len(board) - 2
        count = comb(free, 2) * comb(free - 2, 5 - len(board))
        return Equity(float(combo_equities(board)[combo]), 0.0, count, True)
    return _sampled_win_rate(hole_cards, [np.ones(COMBO_COUNT)] * opponents, board, deals, seed)


def _check_hand(hole_cards: HoleCards, opponents: int, board: Sequence[int], deals: int) -> None:
    _check_cards(board, ())
    _check_cards((), hole_cards)
    for card in hole_cards:
        if card in board:
            raise EquityError(
                f"The card {format_card(card)} is in {format_combo(combo_of(*hole_cards))} and on the board."
            )
    if not 1 <= opponents < MAX_PLAYERS:
        raise EquityError(f"There can be 1 to {MAX_PLAYERS - 1} opponents, not {opponents}.")
    if deals < 2:
        raise EquityError(f"At least 2 deals must be sampled, not {deals}.")


def _sampled_win_rate(
    hole_cards: HoleCards,
    opponents: Sequence[NDArray[np.floating[Any]]],
    board: Sequence[int],
    deals: int,
    seed: int,
) -> Equity:
    from engine.kernels.evaluator import tables
    from engine.kernels.rng import new_stream
    from engine.kernels.showdown import IN_TURN, IN_TURN_OR_ANY, REJECTING, sample_deals

    own = np.zeros(COMBO_COUNT)
    own[combo_of(*hole_cards)] = 1
    live = unblocked((*hole_cards, *board))
    # Whoever may hold anything, or whose range is empty, gets any two cards.
    ranges = [np.where(live, opponent, 0) for opponent in opponents if np.ptp(opponent[live]) > 0]
    lists = _draw_lists([own, *ranges])
    known = np.array(board, dtype=np.uint8)

    def deal(method: int, tries: int) -> Sums | None:
        outcomes = np.zeros((2 << len(opponents), 2))
        dealt, _ = sample_deals(
            tables(),
            new_stream(seed, method),
            known,
            np.uint64(card_mask(board)),
            lists,
            _NO_DEALS,
            method,
            len(opponents) + 1,
            deals,
            tries,
            outcomes,
        )
        return outcomes if dealt == deals and outcomes[:, 0].any() else None

    outcomes = deal(REJECTING, 64 * deals)
    if outcomes is None:
        outcomes = deal(IN_TURN, deals)
    if outcomes is None:
        outcomes = deal(IN_TURN_OR_ANY, deals)
    assert outcomes is not None
    me = _players(outcomes, deals)[0]
    return Equity(me.equity, me.stderr, deals, False)
