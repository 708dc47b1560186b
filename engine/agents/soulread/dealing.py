"""Deals on which actions are compared: what everybody may hold, and what may come.

Opponents' combos are drawn together from the predicted ranges. Samples come in batches that share the cards to
come, a board being one observation for the standard errors. After the flop cards to come are taken without putting
them back, from packs that all decisions on a board share; on the turn 46 boards are all there are. Before the flop
boards are some fixed ones with their suits exchanged, for what the networks make of a board takes milliseconds;
they come in turns, and are dealt ten to a deck, so that every rank is on about as many.

An opponent's combos are taken along their range, weakest first: on each of b boards one from each s-th of it, and
of the b parts of an s-th each on one board. That leaves every combo as probable as it is (Latin squares; McKay,
Beckman and Conover, *Technometrics* 1979). Opponents whose combos clash are drawn again, all together. A board
counts by how probable it is with these ranges, each by itself.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice, permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Prediction
from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.network import Likelihoods, Matrix
from engine.agents.soulread.play import as_sharp, kind_strengths, rows_of_range, rows_on
from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, Card, card_mask, combo_of
from engine.game.observation import Observation
from engine.kernels.evaluator import tables
from engine.kernels.rollouts import Deals, run_out

Numbers = NDArray[np.float64]

_FINAL_BOARDS = 8  # for hands that are run out, one of them the sample's own
_POOL = 64  # boards kept for decisions before the flop
_POOL_SEED = 20170711
_PER_DECK = CARD_COUNT // 5
_PACK = 20  # run-outs
_TRIES = 200
_CARDS = np.array(COMBO_CARDS)
_SUIT_ORDERS = np.array(list(permutations(range(4))))


class Batch(NamedTuple):
    """Samples that share the cards to come.

    Attributes
    ----------
    weights : ndarray of float64, shape (boards,)
    boards : ndarray of int64, shape (boards,)
        Numbers of the boards; those that differ in their suits alone share one.
    deals : Deals
    """

    weights: Numbers
    boards: NDArray[np.int64]
    deals: Deals


class Dealing:
    """Draws batch after batch for one decision."""

    def __init__(
        self,
        observation: Observation,
        predictions: Sequence[Prediction],
        likelihoods: Likelihoods,
        sharpness: Sequence[float],
        seed: int,
    ) -> None:
        self._observation, self._sharpness = observation, sharpness
        self._likelihoods = likelihoods
        self._rng = np.random.default_rng([seed, 14])
        place_of = {view.seat: place for place, view in enumerate(observation.seats)}
        self._hero = place_of[observation.seat]
        self._places = [place_of[prediction.seat] for prediction in predictions]
        self._board = observation.board
        self._order = np.argsort(shares_weaker(observation.board), kind="stable")
        self._ranges = np.array([prediction.posterior for prediction in predictions], np.float64)
        self._ranges[~self._ranges.any(axis=1)] = 1
        self._ranges[:, (COMBO_MASK & np.uint64(card_mask((*observation.hole_cards, *observation.board)))) != 0] = 0
        self._drawn = self._dealt = 0
        self._turns = self._take_turns()

    def next(self, boards: int, samples: int) -> Batch:
        """Return as many boards with as many samples each."""
        if not self._board:
            return self._next_preflop(boards, samples)
        runouts = self._runouts(boards)
        combos, weights = self._combos(runouts, samples)
        deals = self._deals_postflop(runouts, combos)
        numbers = np.arange(self._dealt, self._dealt + len(runouts))
        self._dealt += len(runouts)
        return Batch(weights, numbers, deals)

    def _runouts(self, count: int) -> NDArray[np.int64]:
        """Return complete boards, cards to come taken one after another from packs that all decisions share."""
        missing = 5 - len(self._board)
        known = np.array(self._board, np.int64)
        if not missing:
            return np.tile(known, (count, 1))
        found: list[NDArray[np.int64]] = []
        while len(found) < count:
            for cards in _packs(self._board, self._drawn // _PACK)[self._drawn % _PACK :]:
                self._drawn += 1
                if not np.isin(cards, self._observation.hole_cards).any():
                    found.append(np.concatenate([known, cards]))
                    if len(found) == count:
                        break
        return np.array(found)

    def _combos(self, runouts: NDArray[np.int64], samples: int) -> tuple[NDArray[np.int64], Numbers]:
        """Return all combos, shape (boards, samples, places), -1 for who has folded, and the boards' weights."""
        boards, count = len(runouts), len(self._ranges)
        masks = np.bitwise_or.reduce(np.uint64(1) << runouts.astype(np.uint64), axis=1)
        live = (COMBO_MASK[self._order] & masks[:, None]) == 0
        ranges = self._ranges[:, self._order][None] * live[:, None]
        sums = ranges.cumsum(axis=2)
        totals = sums[:, :, -1]
        empty = totals <= 0
        if empty.any():
            ranges[empty] = live[np.nonzero(empty)[0]]
            sums = ranges.cumsum(axis=2)
        weights = np.prod(totals / self._ranges.sum(axis=1), axis=1)
        if not weights.any():  # no range goes with any of the boards: readings contradict each other
            weights[:] = 1
        sums /= sums[:, :, -1:]
        offsets = np.arange(boards * count).reshape(boards, count)
        flat = (sums + offsets[:, :, None]).ravel()

        def draw(at: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
            found = np.searchsorted(flat, at + offsets[rows], side="right")
            found = np.minimum(found, (offsets[rows] + 1) * COMBO_COUNT - 1) - offsets[rows] * COMBO_COUNT
            return self._order[found]

        shape = boards, samples, count
        parts = self._rng.permuted(np.broadcast_to(np.arange(boards)[:, None, None], shape), axis=0)
        steps = (np.arange(samples)[None, :, None] + (parts + self._rng.random(shape)) / boards) / samples
        steps = self._rng.permuted(steps, axis=1)
        rows = np.repeat(np.arange(boards), samples)
        combos = draw(np.minimum(steps.reshape(-1, count), 1 - 1e-12), rows)
        for _ in range(_TRIES):
            together = np.bitwise_or.reduce(COMBO_MASK[combos], axis=1)
            clashing = np.flatnonzero(np.bitwise_count(together) < 2 * count)
            if not len(clashing):
                break
            combos[clashing] = draw(self._rng.random((len(clashing), count)), rows[clashing])
        everybody = np.full((len(combos), len(self._observation.seats)), -1)
        everybody[:, self._hero] = combo_of(*self._observation.hole_cards)
        everybody[:, self._places] = combos
        return everybody.reshape(boards, samples, -1), weights / weights.sum() * boards

    def _deals_postflop(self, runouts: NDArray[np.int64], combos: NDArray[np.int64]) -> Deals:
        boards, samples, places = combos.shape
        street, live = len(self._board) - 2, [self._hero, *self._places]
        now, strengths_now, kinds = self._rows_now
        rows, strengths, start = [now], [strengths_now], len(now)
        row_of = np.zeros((boards, samples, places, 4), np.int32)
        row_of[..., street] = kinds[combos]
        for at, place in enumerate(live):
            row_of[:, :, place, street] += at * (len(now) // len(live))
        for at, runout in enumerate(runouts.tolist()):
            for later in range(street + 1, 4):
                board = tuple(map(Card, runout[: later + 2]))
                held, back = np.unique(combos[at][:, live], return_inverse=True)
                back = back.reshape(samples, len(live)).T
                then, strengths_then = rows_on(self._likelihoods, board, held), shares_weaker(board)[held]
                for place, own, sharpness in zip(live, back, (1.0, *self._sharpness), strict=True):
                    rows.append(as_sharp(then[own], then[own].mean(axis=0), sharpness))
                    strengths.append(strengths_then[own])
                    row_of[at, :, place, later] = start + np.arange(samples)
                    start += samples
        deals = combos.reshape(boards * samples, places)
        return Deals(
            np.concatenate(rows),
            np.concatenate(strengths).astype(np.float32),
            row_of.reshape(-1, places, 4),
            self._finals(deals, np.repeat(runouts, samples, axis=0)),
        )

    @cached_property
    def _rows_now(self) -> tuple[Matrix, Numbers, NDArray[np.int64]]:
        """Rows and strengths of all kinds on this board, the observer's and each opponent's; kinds of combos."""
        likelihoods, board = self._likelihoods, self._board
        rows = [rows_on(likelihoods, board)]
        for weights, sharpness in zip(self._ranges, self._sharpness, strict=True):
            rows.append(rows_of_range(likelihoods, board, weights, sharpness))
        strengths = np.tile(kind_strengths(likelihoods, board), len(rows))
        return np.concatenate(rows), strengths, likelihoods.first_layer(board)[1]

    def _next_preflop(self, boards: int, samples: int) -> Batch:
        pool = preflop_pool(self._likelihoods)
        chosen = np.fromiter(islice(self._turns, boards), np.int64, boards)
        orders = np.broadcast_to(np.arange(len(_SUIT_ORDERS)), (boards, len(_SUIT_ORDERS)))
        suits = _SUIT_ORDERS[self._rng.permuted(orders, axis=1)]
        cards = np.broadcast_to(pool.cards[chosen][:, None], (*suits.shape[:2], 5))
        runouts = 4 * (cards >> 2) + np.take_along_axis(suits, cards & 3, axis=2)
        is_free = np.logical_not(np.isin(runouts, self._observation.hole_cards).any(axis=2))
        at = np.flatnonzero(is_free.any(axis=1))
        first = is_free[at].argmax(axis=1)
        chosen, suits, runouts = chosen[at], suits[at, first], runouts[at, first]
        combos, weights = self._combos(runouts, samples)
        weights *= is_free[at].mean(axis=1)  # how probable such a board is beside the player's cards
        back = np.argsort(suits, axis=1)  # suits as on the pool's board
        held = COMBO_CARDS.astype(np.int64)[combos]
        suits_of_pool = np.take_along_axis(back, (held & 3).reshape(len(at), -1), axis=1).reshape(held.shape)
        held = 4 * (held >> 2) + suits_of_pool
        high, low = held.max(axis=-1), held.min(axis=-1)
        of_pool = high * (high - 1) // 2 + low
        row_of = np.zeros((*combos.shape, 4), np.int32)
        row_of[..., 0] = pool.row_of[0, 0][combos]
        for street in range(1, 4):
            row_of[..., street] = pool.row_of[chosen, street][np.arange(len(at))[:, None, None], of_pool]
        places = combos.shape[2]
        used, row_of = np.unique(row_of.reshape(-1, places, 4), return_inverse=True)
        deals = Deals(
            pool.rows[used].astype(np.float32),
            pool.weaker[used],
            row_of.astype(np.int32),
            self._finals(combos.reshape(-1, places), np.repeat(runouts, samples, axis=0)),
        )
        return Batch(weights / weights.sum() * len(weights), chosen, deals)

    def _take_turns(self) -> Iterator[int]:
        """Yield the pool's boards for ever, none a second time before all the others."""
        while True:
            yield from self._rng.permutation(_POOL).tolist()

    def _finals(self, combos: NDArray[np.int64], runouts: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the strengths at showdowns: on the run-out of each sample and on other boards."""
        boards = 1 if len(self._board) == 5 else _FINAL_BOARDS
        finals = np.zeros((len(combos), boards, combos.shape[1]), np.int16)
        seed = np.uint64(self._rng.integers(1 << 62))
        run_out(tables(), combos, runouts.astype(np.uint8), len(self._board), _CARDS, seed, finals)
        return finals


@lru_cache(maxsize=64)
def _packs(board: tuple[Card, ...], number: int) -> NDArray[np.int64]:
    """Return some of the cards to come on a board, each run-out of a pack with cards of its own."""
    missing = 5 - len(board)
    rest = np.setdiff1d(np.arange(CARD_COUNT), board)
    per_deck = len(rest) // missing
    first = number * _PACK
    found = []
    for at in range(first, first + _PACK):
        deck = np.random.default_rng([*sorted(board), at // per_deck]).permutation(rest)
        start = at % per_deck * missing
        found.append(deck[start : start + missing])
    return np.array(found)


class _Pool(NamedTuple):
    """Some boards for decisions before the flop, with the networks' view of every combo on them.

    Rows are kept in half precision, for half the memory.
    """

    cards: NDArray[np.int64]
    rows: NDArray[np.float16]
    weaker: NDArray[np.float32]
    row_of: NDArray[np.int32]


@lru_cache(maxsize=2)
def preflop_pool(likelihoods: Likelihoods) -> _Pool:
    """Return the pool of boards for these networks: 38 MB, made once, in 0.4 to 0.8 s."""
    rng = np.random.default_rng(_POOL_SEED)
    decks = [rng.permutation(CARD_COUNT)[: 5 * _PER_DECK] for _ in range(-(-_POOL // _PER_DECK))]
    cards = np.concatenate(decks).reshape(-1, 5)[:_POOL]
    rows, kinds = rows_on(likelihoods, ()).astype(np.float16), likelihoods.first_layer(())[1]
    tables_, weaker, start = [rows], [kind_strengths(likelihoods, ())], len(rows)
    row_of = np.zeros((_POOL, 4, COMBO_COUNT), np.int32)
    row_of[:, 0] = kinds
    for at, runout in enumerate(cards.tolist()):
        for street in range(1, 4):
            board = tuple(map(Card, runout[: street + 2]))
            rows, kinds = rows_on(likelihoods, board).astype(np.float16), likelihoods.first_layer(board)[1]
            row_of[at, street] = start + kinds
            tables_.append(rows)
            weaker.append(kind_strengths(likelihoods, board))
            start += len(rows)
    return _Pool(cards, np.concatenate(tables_), np.concatenate(weaker).astype(np.float32), row_of)
