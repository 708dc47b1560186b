"""What every combo of one player is worth, sampled: each deal of the others and of the board tells of all at once.

The others are dealt cards together, as if the player were not there. A deal then tells of every combo that shares
no card with it, and the deals that leave a combo are those that it meets, each as likely as it is. So its equity is
the mean over them, and it is as likely as its weight in the range times the part of all deals that leave it. Errors
are counted by deals: of two combos they are not independent, as one deal tells of both.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, CLASS_COUNT, COMBO_CARDS, COMBO_CLASS, COMBO_COUNT, COMBO_MASK
from engine.equity.joint import Sums
from engine.equity.sampling import RatioSums, Sampler, SamplingPlan, draw_chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.kernels.every_combo import Hands
    from engine.kernels.sampling import JudgedDeals

FEWEST_DEALS: Final = 64
"""Of a chunk, and of the one that tells how to sample."""

_PILOT_DEALS = 2_000  # by which the way to draw the others' cards is chosen
_PILOT_CHUNK = 2  # after the two of `Sampler.begin`
_OFTEN_LEFT = 1 / 16  # of a range's weight, by the others' cards: with less, the player is dealt cards with them
_OWN_DEALS = 8  # as many of these deals, for each tells of one combo only

# In seconds on one core of a 2.6 GHz EPYC.
_FIRST_SECONDS = 0.01
_CHUNK_SECONDS = 0.025
_DEAL_SECONDS = 1.2e-7
_COMBO_SECONDS = (3e-9, 3e-9, 3.5e-9, 0, 0, 5e-9)  # of each combo, by the number of cards missing


class Moments(NamedTuple):
    """Sums over deals, by groups of combos, by hand classes and over all combos.

    Attributes
    ----------
    sums : ndarray of float64, shape (6, places)
        As of `engine.kernels.every_combo.judge_hands`.
    heaviest : float
        The largest weight of a deal.
    """

    sums: Sums
    heaviest: float


class CombosJudge(Struct, frozen=True):
    """How a player's combos are judged, as plain numbers and arrays that can be sent to another process.

    Attributes
    ----------
    plan : SamplingPlan
        Of the others' cards, or of everybody's.
    place : int
        -1 if the others' cards are dealt alone; else which of the plan's players this one is.
    combos : ndarray of int64, shape (n,)
        The range, by classes and groups.
    hands : Hands
    """

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
        from engine.kernels.evaluator import tables
        from engine.kernels.every_combo import Deals, judge_hands

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
    live: Sums, player: int, orbit: NDArray[np.int64], board: "Sequence[int]", dead: "Sequence[int]", seed: int
) -> CombosJudge:
    """Choose how to sample what a player's combos are worth.

    Where the others' cards hardly ever leave anything of the range, the player is dealt cards with them instead.

    Parameters
    ----------
    live : ndarray of float64, shape (players, 1326)
        Each player's weights without what can never be dealt.
    player : int
    orbit : ndarray of int64, shape (1326,)
        For every combo the first of those that the question cannot tell from it; they are judged as one.
    board, dead : sequence of Card
    seed : int
    """
    from engine.kernels.evaluator import tables
    from engine.kernels.every_combo import Hands

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
    judge = CombosJudge(others.plan, -1, combos, hands)
    first = judge.judged(_PILOT_CHUNK, FEWEST_DEALS)
    if first.sums[0, -1] > _OFTEN_LEFT * FEWEST_DEALS * first.heaviest * judge.most[-1]:
        return judge
    everybody = Sampler(live, board, dead, seed)
    everybody.begin(_PILOT_DEALS)
    return CombosJudge(everybody.plan, int(np.flatnonzero(everybody.order == player)[0]), combos, hands)


class Estimates(NamedTuple):
    """What is known of a player's combos, each with its standard error.

    Attributes
    ----------
    weights, equities, stderrs : ndarray of float64, shape (1326,)
        The probability of each combo, its equity, and the standard error of that; 0 for combos that no deal left.
    class_stderrs, class_weight_stderrs : ndarray of float64, shape (169,)
        Of the mean equity of each hand class, and of its probability; 0 where there is none.
    stderr : float
        Of the mean equity of the whole range.
    """

    weights: Sums
    equities: Sums
    stderrs: Sums
    class_stderrs: Sums
    class_weight_stderrs: Sums
    stderr: float


class CombosTally:
    """Adds up what chunks gave for one player."""

    def __init__(self, judge: CombosJudge) -> None:
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

    def estimates(self) -> Estimates:
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
        return Estimates(weights, equities, stderrs, class_stderrs, class_weight_stderrs, float(error[-1]))


def chunks(most: int, seconds: float) -> "Iterator[tuple[int, int]]":
    """Cut so many deals that take so long each into chunks: their numbers and sizes, the first a short one."""
    done, number = 0, _PILOT_CHUNK + 1
    while done < most:
        wanted = _FIRST_SECONDS if done == 0 else _CHUNK_SECONDS
        size = min(max(FEWEST_DEALS, int(wanted / seconds)), most - done)
        yield number, size
        done, number = done + size, number + 1
