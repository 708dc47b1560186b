"""The equity of every combo of one player at once: exactly against one range, or sampled against several.

Sampled, the others are dealt cards together, as if the player were not there. Each deal then counts for every combo
that shares no card with it, and the deals that leave a combo are those that it meets, each as likely as it is. So
its equity is the mean over them, and it is as likely as its weight in the range times the part of all deals that
leave it. Errors are counted by deals: those of two combos are not independent, as one deal counts for both.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import frexp
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_COUNT,
    COMBO_MASK,
    Card,
    check_sequence,
    frozen,
)
from engine.codec import Vector, frozen_vector
from engine.equity.checks import EquityError, check_cards, check_weights
from engine.equity.joint import Sums
from engine.equity.sampling import RatioSums, Sampler, SamplingPlan, draw_chunk

if TYPE_CHECKING:
    from engine.kernels.equity.every_combo import Hands
    from engine.kernels.equity.sampling import JudgedDeals

FEWEST_DEALS: Final = 64
"""Of a chunk, and of the one that decides how to sample."""

_PILOT_DEALS = 2_000  # by which the way to draw the others' cards is chosen
_PILOT_CHUNK = 2  # after the two of `Sampler.begin`
_OFTEN_LEFT = 1 / 16  # of a range's weight, by the others' cards: with less, the player is dealt cards with them
_OWN_DEALS = 8  # as many of these deals, for each is about one combo only

# In seconds on one core of a 2.6 GHz EPYC.
_FIRST_SECONDS = 0.01
_CHUNK_SECONDS = 0.025
_DEAL_SECONDS = 1.2e-7
_COMBO_SECONDS = (3e-9, 3e-9, 3.5e-9, 0, 0, 5e-9)  # of each combo, by the number of cards missing


# ---- exactly ---------------------------------------------------------------------------------------------


def combo_equities(board: Sequence[Card], weights: NDArray[Any] | None = None, dead: Sequence[Card] = ()) -> Vector:
    """Return the exact equity of every combo against one range.

    Parameters
    ----------
    board : sequence of Card
        0, 3, 4 or 5 cards.
    weights : ndarray of numbers, shape (1326,), optional
        Of the range, 0 or more, on any scale; any two cards by default.
    dead : sequence of Card
        Cards that neither side can hold; none before the flop.

    Returns
    -------
    ndarray of float32, shape (1326,), read-only
        0 to 1, ties shared. 0 for combos that are blocked, or that leave no hand of the range to deal. Not reliable
        where a combo meets only hands of less than 1e-11 of the range's largest weight.

    Raises
    ------
    EquityError
        If the board has 1, 2 or more than 5 cards, a card stands twice, too few cards are left to deal, there are
        dead cards before the flop, or the weights are no range's.

    Notes
    -----
    About 1 ms on the flop and, once the table of `engine.equity.matchups` is there, before it; 0.1 ms on the turn.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> equities = combo_equities(parse_cards("Ks 7d 2h"))
    >>> round(float(equities[combo_of(*parse_cards("2c2s"))]), 6)
    0.966557
    """
    check_sequence(board, "Cards on the board", EquityError)
    if weights is None:
        check_cards(board, dead)  # before they are looked for among the kept ones: 3.0 would be found as 3
        return _equities_against_any_two(tuple(sorted(board)), tuple(sorted(dead)))
    return _equities(board, weights, dead)


@lru_cache(maxsize=512)
def _equities_against_any_two(board: tuple[Card, ...], dead: tuple[Card, ...]) -> Vector:
    return _equities(board, np.ones(COMBO_COUNT), dead)


def _equities(board: Sequence[Card], weights: NDArray[Any], dead: Sequence[Card]) -> Vector:
    if board:
        from engine.kernels.equity.river import river_equities
        from engine.kernels.equity.sweep import sweep_equities

        if len(board) == 5 and type(weights) is np.ndarray and weights.shape == (COMBO_COUNT,):
            # The sweep itself looks at the weights, in a third of the time that checking them takes.
            _check_cards(board, dead)
            is_real = weights.dtype.kind in "fiub"
            quick = river_equities(board, dead, weights.astype(np.float64)) if is_real else None
            if quick is not None:
                return frozen(quick)
        return frozen(sweep_equities(board, dead, _checked(board, weights, dead)))
    from engine.equity.matchups import preflop_equities

    check_cards(board, dead)
    if dead:
        raise EquityError(f"Before the flop every card is in the deck: {len(dead)} dead cards are not counted.")
    return frozen_vector(preflop_equities(weights))


def _checked(board: Sequence[Card], weights: NDArray[Any], dead: Sequence[Card]) -> NDArray[np.float64]:
    """Check a question about a flop, turn or river; returns the weights, none too large or small for sums."""
    _check_cards(board, dead)
    values = check_weights(weights)
    most = float(values.max())
    if not 1e-100 < most < 1e100:
        # By a power of two nothing is rounded.
        values = np.ldexp(values, -frexp(most)[1])
    return values


def _check_cards(board: Sequence[Card], dead: Sequence[Card]) -> None:
    check_cards(board, dead)
    missing = 5 - len(board)
    left = CARD_COUNT - len(board) - len(dead)
    if left < missing + 4:
        raise EquityError(f"Two hands and {missing} cards of the board cannot be dealt from the {left} cards left.")


# ---- sampled ---------------------------------------------------------------------------------------------


_NO_ERRORS: Final = frozen_vector(np.zeros(COMBO_COUNT))
_NO_CLASS_ERRORS: Final = frozen_vector(np.zeros(CLASS_COUNT))


class ComboShares(Struct, frozen=True):
    """One player's range, combo by combo.

    Attributes
    ----------
    weights : ndarray of float32, shape (1326,), read-only
        Probability that the player holds the combo, given that all players can be dealt together. Sums to 1. 0 also
        for a combo so rare that no deal of a sample leaves it.
    equities : ndarray of float32, shape (1326,), read-only
        Share of the pot with that combo, 0 to 1, ties shared; 0 where the weight is 0.
    stderrs : ndarray of float32, shape (1326,), read-only
        Standard error of each equity; where there is an equity, 0 only if it is exact.
    class_stderrs, class_weight_stderrs : ndarray of float32, shape (169,), read-only
        Standard errors of what `class_equities` gives: combos of a class are not independent of one another.
    stderr : float
        Standard error of the equity of the whole range.
    """

    weights: Vector
    equities: Vector
    stderrs: Vector = field(default_factory=lambda: _NO_ERRORS)
    class_stderrs: Vector = field(default_factory=lambda: _NO_CLASS_ERRORS)
    class_weight_stderrs: Vector = field(default_factory=lambda: _NO_CLASS_ERRORS)
    stderr: float = 0.0

    @property
    def equity(self) -> float:
        """Of the whole range."""
        return float(self.weights.astype(np.float64) @ self.equities)


class Moments(NamedTuple):
    """Sums over deals, by groups of combos, by hand classes and over all combos; see `every_combo.judge_hands`."""

    sums: Sums
    heaviest: float


class _CombosJudge(Struct, frozen=True):
    """How a player's combos are judged, picklable; `place` is -1 if the others are dealt alone."""

    plan: SamplingPlan
    place: int
    combos: NDArray[np.int64]
    hands: "Hands"

    @property
    def most(self) -> Sums:
        """The weight of the combos at each place that a deal may leave at most."""
        if self.place >= 0:
            return np.ones(len(self.hands.class_of_group) + int(self.hands.class_of_group[-1]) + 2)
        by_group = np.bincount(self.hands.group, self.hands.weights)
        by_class = np.bincount(self.hands.class_of_group, by_group)
        return np.concatenate([by_group, by_class, [by_class.sum()]])

    @property
    def seconds(self) -> float:
        """What a deal is estimated to cost."""
        dealt = _DEAL_SECONDS * self.plan.players
        if self.place >= 0:
            return dealt * _OWN_DEALS
        return dealt + _COMBO_SECONDS[5 - len(self.plan.board)] * len(self.combos)

    def judged(self, chunk: int, deals: int) -> Moments:
        """Judge so many deals from a random stream of the chunk's own."""
        many = deals if self.place < 0 else deals * _OWN_DEALS
        sums, heaviest = np.zeros((6, len(self.most))), 0.0
        for judged in draw_chunk(self.plan, chunk, many):
            weights = np.ones(len(judged.best)) if judged.weights is None else judged.weights
            sums += self._of_all(judged, weights) if self.place < 0 else self._of_own(judged, weights)
            heaviest = max(heaviest, float(weights.max(initial=0)))
        return Moments(sums, heaviest)

    def _of_all(self, judged: "JudgedDeals", weights: Sums) -> Sums:
        from engine.kernels.equity.every_combo import Deals, judge_hands
        from engine.kernels.evaluator import tables

        evaluator, board = tables(), self.plan.board
        known = np.bitwise_or.reduce(np.uint64(1) << board.astype(np.uint64), initial=np.uint64(0))
        flush_mask = evaluator.card_mask[board].sum(dtype=np.uint64)
        # One board after another: all combos have their strengths from the deal before on the same one.
        order = np.argsort(judged.runouts)
        runouts = judged.runouts[order]
        deals = Deals(
            used=np.bitwise_or.reduce(COMBO_MASK[judged.combos[:, order]], axis=0) | runouts | known,
            keys=judged.keys[order],
            runouts=runouts,
            best=judged.best[order],
            ties=(judged.strengths == judged.best).sum(axis=0)[order],
            weights=weights[order],
        )
        return judge_hands(evaluator, self.hands, known, flush_mask, deals)

    def _of_own(self, judged: "JudgedDeals", weights: Sums) -> Sums:
        """Add up by the combos that the player was dealt."""
        groups, classes = self.hands.group, self.hands.class_of_group
        group_of = np.zeros(COMBO_COUNT, dtype=np.int64)
        group_of[self.combos] = groups
        mine = group_of[judged.combos[self.place]]
        is_best = judged.strengths == judged.best
        won = weights * np.where(is_best[self.place], 1 / is_best.sum(axis=0), 0)
        rows = weights, weights**2, won, weights * won, won**2, weights**2
        found = []
        for row in rows:
            by_group = np.bincount(mine, row, len(classes))
            by_class = np.bincount(classes, by_group)
            found.append(np.concatenate([by_group, by_class, [row.sum()]]))
        return np.array(found)


def combos_judge(
    live: Sums, player: int, orbit: NDArray[np.int64], board: Sequence[int], dead: Sequence[int], seed: int
) -> _CombosJudge:
    """Choose how to sample a player's combos; where the others' cards block nearly all, deal the player in too.

    `orbit`, int64 of shape (1326,), is for every combo the first of those that the question cannot tell from it.
    """
    from engine.kernels.equity.every_combo import Hands
    from engine.kernels.evaluator import tables

    held = np.flatnonzero(live[player])
    combos = held[np.lexsort((orbit[held], COMBO_CLASS[held]))]
    firsts, group = np.unique(COMBO_CLASS[combos] * np.int64(COMBO_COUNT) + orbit[combos], return_inverse=True)
    card_key, card_mask = tables().card_key, tables().card_mask
    hands = Hands(
        masks=COMBO_MASK[combos],
        keys=card_key[COMBO_CARDS[combos]].sum(axis=1, dtype=np.uint64),
        flush_masks=card_mask[COMBO_CARDS[combos]].sum(axis=1, dtype=np.uint64),
        weights=live[player, combos],
        group=group,
        class_of_group=np.unique(firsts // COMBO_COUNT, return_inverse=True)[1],
    )
    # What the player is sure to hold, the others are not.
    mask = int(np.bitwise_and.reduce(COMBO_MASK[combos]))
    sure = [card for card in range(CARD_COUNT) if mask >> card & 1]
    others = Sampler(np.delete(live, player, axis=0), board, (*dead, *sure), seed)
    others.begin(_PILOT_DEALS)
    judge = _CombosJudge(others.plan, -1, combos, hands)
    first = judge.judged(_PILOT_CHUNK, FEWEST_DEALS)
    if first.sums[0, -1] > _OFTEN_LEFT * FEWEST_DEALS * first.heaviest * judge.most[-1]:
        return judge
    everybody = Sampler(live, board, dead, seed)
    everybody.begin(_PILOT_DEALS)
    return _CombosJudge(everybody.plan, int(np.flatnonzero(everybody.order == player)[0]), combos, hands)


class CombosTally:
    """Adds up what chunks gave for one player."""

    def __init__(self, judge: _CombosJudge) -> None:
        self._judge = judge
        self._most = judge.most
        self._sums = np.zeros((6, len(self._most)))
        self._heaviest = 0.0

    @property
    def has_dealt(self) -> bool:
        """Whether any deal left any combo."""
        return bool(self._sums[0, -1] > 0)

    def add(self, moments: Moments) -> None:
        """Add what a chunk gave."""
        self._sums += moments.sums
        self._heaviest = max(self._heaviest, moments.heaviest)

    def shares(self) -> ComboShares:
        """Estimate weights and equities: ratios of sums, with errors by the delta method and `standard_error`."""
        left, squares, won, both, won_squares, with_all = self._sums
        independent = left / (self._most * self._heaviest)
        equity = np.divide(won, left, out=np.zeros_like(won), where=left > 0)
        error = RatioSums(left, squares, won, both, won_squares).error(independent)
        hands, combos = self._judge.hands, self._judge.combos
        groups = len(hands.class_of_group)
        chance = left / left[-1]
        all_left, all_squares = np.full((2, len(left)), [[left[-1]], [squares[-1]]])
        chance_error = RatioSums(all_left, all_squares, left, with_all, squares).error(independent[-1:])
        # A range of a single class is sure to be of that class.
        chance_error *= len(left) > groups + 2
        size = np.bincount(hands.group)[hands.group]
        classes = COMBO_CLASS[combos]
        weights, equities, stderrs = np.zeros((3, COMBO_COUNT))
        weights[combos] = chance[hands.group] / size
        equities[combos], stderrs[combos] = equity[hands.group], error[hands.group]
        class_stderrs, class_weight_stderrs = np.zeros((2, CLASS_COUNT))
        place = groups + hands.class_of_group[hands.group]
        class_stderrs[classes], class_weight_stderrs[classes] = error[place], chance_error[place]
        return ComboShares(
            frozen_vector(weights),
            frozen_vector(equities),
            frozen_vector(stderrs),
            frozen_vector(class_stderrs),
            frozen_vector(class_weight_stderrs),
            float(error[-1]),
        )


def chunks(most: int, seconds: float) -> Iterator[tuple[int, int]]:
    """Cut so many deals that take so long each into chunks: their numbers and sizes, the first a short one."""
    done, number = 0, _PILOT_CHUNK + 1
    while done < most:
        wanted = _FIRST_SECONDS if done == 0 else _CHUNK_SECONDS
        size = min(max(FEWEST_DEALS, int(wanted / seconds)), most - done)
        yield number, size
        done, number = done + size, number + 1
