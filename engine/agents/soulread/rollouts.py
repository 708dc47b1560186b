"""What every action is worth: hands played out by the networks as players, against what each may hold.

Opponents' combos are drawn together from the predicted ranges, every action is tried on the same deals, and
everybody goes on as the networks say that such players do with such a hand (`engine.kernels.playing`), opponents
shifted by what is known of them. The player whose decision it is goes on as an average player would.

Samples come in batches that share the cards to come, a batch being one observation for the standard errors. On the
flop and turn cards to come are taken without putting them back, on the turn one by one, so that 46 batches are all
of them. Before the flop boards are some fixed ones with their suits exchanged, since the networks' view of a board
takes milliseconds. Within a batch an opponent's combos are taken at equal distances along their range, weakest
first, which leaves each as probable as it is (systematic sampling; Cochran 1977, ch. 8); combos that clash are drawn
again, all together. A batch counts by how probable its board is with these ranges.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Prediction
from engine.agents.learned.combo_features import combo_features, shares_weaker
from engine.agents.learned.network import Likelihoods, Network, combo_rows
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import RAISE_BOUNDS, HandFollower, board_numbers
from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, Card, Street, card_mask, combo_of
from engine.game.events import CALL, CHECK, Action, ActionKind, ActionTaken, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction
from engine.kernels import playing, rollouts as kernels
from engine.kernels.evaluator import tables

Numbers = NDArray[np.float64]

POT_SHARES = (1 / 3, 1 / 2, 2 / 3, 1.0, 1.5)
"""Bets and raises that are tried, over the pot, besides the least there is and all-in."""

_RAISE_SIZES = ((0.4, 0.6, 0.8, 1.1), (0.7, 1.0, 1.25, 1.7), (0.45, 0.65, 0.85, 1.1), (0.33, 0.5, 0.75, 1.1))
"""What a raise of each size is taken to be: before the flop by raises before, and after it."""

_FINAL_BOARDS = 8  # for hands that are run out, one of them the sample's own
_POOL = 32  # boards kept for decisions before the flop
_POOL_SEED = 20170711
_TRIES = 200
_CARDS = np.array(COMBO_CARDS)
_ANY_SUITS = np.array(list(permutations(range(4))))


def actions_of(observation: Observation) -> tuple[Action, ...]:
    """Return the actions worth comparing, folding apart: check or call, the least raise, `POT_SHARES`, all-in."""
    legal = observation.legal
    assert legal is not None
    passive = CHECK if legal.can_check else CALL
    if not legal.can_raise:
        return (passive,)
    totals = {legal.min_raise_to, legal.max_raise_to}
    totals |= {raise_to_for_pot_fraction(observation, share) for share in POT_SHARES}
    return (passive, *map(raise_to, sorted(totals)))


def moment_of(observation: Observation) -> playing.Moment:
    """Return an observation whose seat is to act as the kernels have it."""
    follower = HandFollower(observation.events[0])
    for event in observation.events[1:]:
        follower.take(event)
    hand, street = follower.hand, follower.hand.street
    place_of = {view.seat: place for place, view in enumerate(observation.seats)}
    seats = np.zeros((len(place_of), playing.SEAT_NUMBERS), np.int64)
    answered, least, level = _answers(observation)
    for view in observation.seats:
        place = follower.places[view.seat]
        seats[place_of[view.seat]] = (
            *(view.stack, view.bet, view.committed, view.is_folded, answered.get(view.seat, -1)),
            *(place.position, place.order, place.preflop, *place.lines[1:], place.state.last_action is not None),
        )
    numbers = np.full(playing.HAND_NUMBERS, -1, np.int64)
    numbers[:5] = street, place_of[observation.seat], least, hand.callers, hand.checks
    for at, raisers in enumerate(hand.raisers):
        numbers[playing.RAISES + at] = len(raisers)
        if raisers:
            numbers[playing.RAISER + at] = place_of[raisers[-1]]
    sizes = np.array([*follower.last_size, follower.preflop_to, follower.small_blind])
    button = place_of[observation.button]
    stakes = np.array([place_of[observation.seat], max(observation.big_blind, 1), button], np.int64)
    return playing.Moment(seats, numbers, sizes, stakes)


def _answers(observation: Observation) -> tuple[dict[int, int], int, int]:
    """Return the bet that each seat answered last on this street, the least raise, and the highest bet."""
    level = observation.big_blind if observation.street is Street.PREFLOP else 0
    least, answered = observation.big_blind, {}
    for event in observation.events:
        if isinstance(event, ActionTaken) and event.street is observation.street:
            if event.action.kind is ActionKind.RAISE:
                least = max(least, event.action.raise_to - level)
                level = max(level, event.action.raise_to)
            answered[event.seat] = level
    return answered, least, level


def play_of(observation: Observation, reader: LearnedReader) -> playing.Play:
    """Return how everybody plays on: opponents as the reader knows them, the observer as an average player."""
    networks = reader.likelihoods.networks
    factors = np.array(
        [
            np.ones((playing.CONTEXTS, playing.CHOICES)) if view.seat == observation.seat else reader.factors(view.name)
            for view in observation.seats
        ]
    )
    bounds = [RAISE_BOUNDS[Street.PREFLOP, raises] for raises in range(3)] + [RAISE_BOUNDS[Street.FLOP, 0]]
    return playing.Play(
        _net(networks.preflop), _net(networks.postflop), np.array(bounds), np.array(_RAISE_SIZES), factors
    )


def _net(network: Network) -> playing.Net:
    return playing.Net(*(np.ascontiguousarray(getattr(network, name)) for name in playing.Net._fields))


class Batch(NamedTuple):
    """Samples that share the cards to come.

    Attributes
    ----------
    combos : ndarray of int64, shape (boards, samples, places)
        -1 for places that have folded.
    weights : ndarray of float64, shape (boards,)
    deals : Deals
    """

    combos: NDArray[np.int64]
    weights: Numbers
    deals: kernels.Deals


class Dealing:
    """Draws batch after batch for one decision."""

    def __init__(
        self, observation: Observation, predictions: Sequence[Prediction], likelihoods: Likelihoods, seed: int
    ) -> None:
        self._observation = observation
        self._likelihoods = likelihoods
        self._rng = np.random.default_rng([seed, 14])
        place_of = {view.seat: place for place, view in enumerate(observation.seats)}
        self._hero = place_of[observation.seat]
        self._places = [place_of[prediction.seat] for prediction in predictions]
        self._board = observation.board
        self._weaker = shares_weaker(observation.board)
        self._order = np.argsort(self._weaker, kind="stable")
        self._ranges = np.array([prediction.posterior for prediction in predictions], np.float64)
        self._ranges[~self._ranges.any(axis=1)] = 1
        self._ranges[:, (COMBO_MASK & np.uint64(card_mask((*observation.hole_cards, *observation.board)))) != 0] = 0
        self._drawn = 0

    def next(self, boards: int, samples: int) -> Batch:
        """Return as many boards with as many samples each."""
        if not self._board:
            return self._next_preflop(boards, samples)
        runouts = self._runouts(boards)
        combos, weights = self._combos(runouts, samples)
        deals = self._deals_postflop(runouts, combos)
        return Batch(combos, weights, deals)

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
        sums /= sums[:, :, -1:]
        offsets = np.arange(boards * count).reshape(boards, count)
        flat = (sums + offsets[:, :, None]).ravel()

        def draw(at: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
            found = np.searchsorted(flat, at + offsets[rows], side="right")
            found = np.minimum(found, (offsets[rows] + 1) * COMBO_COUNT - 1) - offsets[rows] * COMBO_COUNT
            return self._order[found]

        steps = (np.arange(samples)[None, :, None] + self._rng.random((boards, 1, count))) / samples
        steps = self._rng.permuted(np.broadcast_to(steps, (boards, samples, count)), axis=1)
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

    def _deals_postflop(self, runouts: NDArray[np.int64], combos: NDArray[np.int64]) -> kernels.Deals:
        boards, samples, places = combos.shape
        street = len(self._board) - 2
        rows, kinds = self._likelihoods.first_layer(self._board)
        tables_, weaker = [rows], [self._kind_strengths(kinds, len(rows))]
        row_of = np.zeros((boards, samples, places, 4), np.int32)
        row_of[..., street] = kinds[combos]
        numbers = np.zeros((boards, 4, playing.BOARD_NUMBERS), np.float32)
        numbers[:, street] = _board_numbers(self._board)
        live = [place for place in range(places) if combos[0, 0, place] >= 0]
        network, start = self._likelihoods.networks.postflop, len(rows)
        for at, runout in enumerate(runouts.tolist()):
            for later in range(street + 1, 4):
                board = tuple(map(Card, runout[: later + 2]))
                numbers[at, later] = _board_numbers(board)
                held, back = np.unique(combos[at][:, live], return_inverse=True)
                tables_.append(combo_rows(network, combo_features(board)[held]))
                weaker.append(shares_weaker(board)[held])
                row_of[at, :, live, later] = (start + back).reshape(samples, len(live)).T
                start += len(held)
        deals = combos.reshape(boards * samples, places)
        return kernels.Deals(
            np.concatenate(tables_),
            np.concatenate(weaker).astype(np.float32),
            row_of.reshape(-1, places, 4),
            numbers,
            np.repeat(np.arange(boards, dtype=np.int32), samples),
            self._finals(deals, np.repeat(runouts, samples, axis=0)),
        )

    def _kind_strengths(self, kinds: NDArray[np.intp], count: int) -> Numbers:
        strengths = np.zeros(count)
        strengths[kinds] = self._weaker
        return strengths

    def _next_preflop(self, boards: int, samples: int) -> Batch:
        pool = preflop_pool(self._likelihoods)
        chosen = self._rng.integers(_POOL, size=(4 * boards,))
        suits = _ANY_SUITS[self._rng.integers(len(_ANY_SUITS), size=4 * boards)]
        runouts = 4 * (pool.cards[chosen] >> 2) + np.take_along_axis(suits, pool.cards[chosen] & 3, axis=1)
        is_free = ~np.isin(runouts, self._observation.hole_cards).any(axis=1)
        at = np.flatnonzero(is_free)[:boards]
        chosen, suits, runouts = chosen[at], suits[at], runouts[at]
        combos, weights = self._combos(runouts, samples)
        back = np.argsort(suits, axis=1)  # suits as on the pool's board
        cards = COMBO_CARDS.astype(np.int64)[combos]
        at_pool = np.take_along_axis(back, (cards & 3).reshape(len(at), -1), axis=1).reshape(cards.shape)
        cards = 4 * (cards >> 2) + at_pool
        high, low = cards.max(axis=-1), cards.min(axis=-1)
        of_pool = high * (high - 1) // 2 + low
        row_of = np.zeros((*combos.shape, 4), np.int32)
        row_of[..., 0] = pool.row_of[0, 0][combos]
        for street in range(1, 4):
            row_of[..., street] = pool.row_of[chosen, street][np.arange(len(at))[:, None, None], of_pool]
        places = combos.shape[2]
        deals = kernels.Deals(
            pool.rows,
            pool.weaker,
            row_of.reshape(-1, places, 4),
            pool.numbers[chosen],
            np.repeat(np.arange(len(at), dtype=np.int32), samples),
            self._finals(combos.reshape(-1, places), np.repeat(runouts, samples, axis=0)),
        )
        return Batch(combos, weights, deals)

    def _finals(self, combos: NDArray[np.int64], runouts: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the strengths at showdowns: on the run-out of each sample and on other boards."""
        boards = 1 if len(self._board) == 5 else _FINAL_BOARDS
        finals = np.zeros((len(combos), boards, combos.shape[1]), np.int16)
        seed = np.uint64(self._rng.integers(1 << 62))
        kernels.run_out(
            tables(), combos, runouts.astype(np.uint8), len(self._board), _CARDS, seed, finals
        )
        return finals


_PACK = 20


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


@lru_cache(maxsize=512)
def _board_numbers(board: tuple[Card, ...]) -> NDArray[np.float32]:
    return np.array(board_numbers(board[:-1] if len(board) > 3 else (), board), np.float32)


class _Pool(NamedTuple):
    """Some boards for decisions before the flop, with the networks' view of every combo on them."""

    cards: NDArray[np.int64]
    rows: NDArray[np.float32]
    weaker: NDArray[np.float32]
    row_of: NDArray[np.int32]
    numbers: NDArray[np.float32]


_pools: dict[int, _Pool] = {}


def preflop_pool(likelihoods: Likelihoods) -> _Pool:
    """Return the pool of boards for these networks; made once, in 0.2 s."""
    if id(likelihoods) not in _pools:
        _pools[id(likelihoods)] = _make_pool(likelihoods)
    return _pools[id(likelihoods)]


def _make_pool(likelihoods: Likelihoods) -> _Pool:
    rng = np.random.default_rng(_POOL_SEED)
    cards = np.array([rng.permutation(CARD_COUNT)[:5] for _ in range(_POOL)])
    rows, kinds = likelihoods.first_layer(())
    strengths = np.zeros(len(rows))
    strengths[kinds] = shares_weaker(())
    tables_, weaker, start = [rows], [strengths], len(rows)
    row_of = np.zeros((_POOL, 4, COMBO_COUNT), np.int32)
    row_of[:, 0] = kinds
    numbers = np.zeros((_POOL, 4, playing.BOARD_NUMBERS), np.float32)
    for at, runout in enumerate(cards.tolist()):
        for street in range(1, 4):
            board = tuple(map(Card, runout[: street + 2]))
            rows, kinds = likelihoods.first_layer(board)
            strengths = np.zeros(len(rows))
            strengths[kinds] = shares_weaker(board)
            row_of[at, street] = start + kinds
            numbers[at, street] = _board_numbers(board)
            tables_.append(rows)
            weaker.append(strengths)
            start += len(rows)
    return _Pool(cards, np.concatenate(tables_), np.concatenate(weaker).astype(np.float32), row_of, numbers)


class Outcome(NamedTuple):
    """Sums over batches: by action the results, and the products of values that errors are made of."""

    actions: tuple[Action, ...]
    samples: int
    batches: int
    weight: float
    results: Numbers
    products: Numbers


def outcomes(
    observation: Observation,
    predictions: Sequence[Prediction],
    reader: LearnedReader,
    seed: int,
    step: tuple[int, int],
) -> Iterator[Outcome]:
    """Play every action out, `step` boards and samples a board at a time, for ever."""
    actions = actions_of(observation)
    start, play = moment_of(observation), play_of(observation, reader)
    moves = np.array([_move(action) for action in actions], np.int64)
    dealing = Dealing(observation, predictions, reader.likelihoods, seed)
    post = reader.likelihoods.networks.postflop
    scratch = playing.new_scratch(len(post.situation), len(post.first_bias), len(post.second_bias))
    work = tuple(playing.Moment(*(part.copy() for part in start)) for _ in range(2))
    results = np.zeros((len(actions), kernels.RESULTS))
    products = np.zeros((len(actions) + 1, len(actions) + 1))
    samples = batches = 0
    total = 0.0
    while True:
        batch = dealing.next(*step)
        boards, count = batch.combos.shape[:2]
        out = np.empty((len(actions), boards * count, kernels.RESULTS))
        stream = np.uint64(np.random.SeedSequence([seed, batches]).generate_state(1, np.uint64)[0])
        kernels.roll_out(start, work, play, batch.deals, moves, stream, scratch, out)
        means = out.reshape(len(actions), boards, count, kernels.RESULTS).mean(axis=2)
        results += np.einsum("abr,b->ar", means, batch.weights)
        values = np.vstack([means[:, :, kernels.VALUE], np.ones(boards)]) * batch.weights
        products += values @ values.T
        samples += boards * count
        batches += boards
        total += batch.weights.sum()
        yield Outcome(actions, samples, batches, total, results / total, products)


def _move(action: Action) -> tuple[int, int]:
    kinds = {ActionKind.CHECK: playing.CHECKING, ActionKind.CALL: playing.CALLS, ActionKind.RAISE: playing.SMALL}
    return kinds[action.kind], action.raise_to
