"""A decision as the kernels take it: the moment, the actions to compare, and how everybody plays on."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import CALLING_DOWN, LARGE_BETS, Responses
from engine.agents.learned.combo_features import combo_features, shares_weaker
from engine.agents.learned.network import Likelihoods, Matrix, Network, combo_rows
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import (
    POSTFLOP_FEATURES,
    PREFLOP_FEATURES,
    ActionChoice,
    HandFollower,
    board_numbers,
    raise_bounds,
    raise_choice,
    situations,
)
from engine.agents.learned.tilts import (
    CONTEXTS,
    DEAR_CALL,
    OVERBET,
    PREFLOP_OVERBET,
    STAGES,
    USUAL_TIGHTNESS,
    Numbers,
)
from engine.cards import Card, Street, combo_of, unblocked
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    Posted,
    PostKind,
    Seat,
    raise_to,
)
from engine.game.history import decided_next
from engine.game.observation import Observation
from engine.game.sizing import in_whole_chips, pot_fraction, pot_fraction_total
from engine.kernels import playing

POT_SHARES = (1 / 3, 1 / 2, 2 / 3, 1.0, 1.5)
"""Bets and raises that are tried, over the pot and in whole chips, besides the least and the largest."""

_NEARLY_ALL = 0.85
"""The part of the stack from which a share of the pot is not tried, as all of it is.

Whoever has so little left behind calls for it. In 6,000 hands heads-up with 20 and 40 big blinds (FOLD and
loose-aggressive, seeds 31001 and 31002) no such raise was chosen, and all results are the same without them.
"""

_RAISE_SIZES = ((0.4, 0.6, 0.8, 1.1), (0.7, 1.0, 1.25, 1.7), (0.45, 0.65, 0.85, 1.1), (0.33, 0.5, 0.75, 1.1))
"""What a raise of each size is taken to be: before the flop by raises before, and after it."""


_LEAST = 1e-30
_MOST_LOG_FACTOR, _BISECTIONS = log(1000), 12


class _Way(NamedTuple):
    """How the player goes on after the flop: log-odds beyond an average player's.

    Of calling a bet rather than folding, of betting, what the best hand adds to bets and the worst takes from them,
    and how much more of that there is with each larger size.
    """

    calls: float = 0.0
    bets: float = 0.0
    bets_by: float = 0.0
    larger: float = 0.0


_WAYS = {
    "": _Way(bets=2.0, bets_by=2.0),
    LARGE_BETS: _Way(bets=2.0, bets_by=2.0, larger=1.5),
    CALLING_DOWN: _Way(calls=8.0),
}
"""By their names in `Values.way`.

Chosen by what recorded decisions against eight styles are worth when played out (`docs/values.md`): the first wins
0.07 to 0.7 big blinds a decision more than an average player's way, the second against those who call nearly all
another 0.8, and the third against those who bet with anything 6.
"""

_BETS_MUCH = 2.0
"""Standard deviations by which an opponent has bet more often after the flop than most would, to be called down.

With fewer a few deals would often have strangers called down. Where several are in the hand nobody is: a few deals
of such large pots with several players tell nothing.
"""

_CALLS_BY = 3.0
"""Log-odds that the best hand adds to a call and takes from a fold, in every way."""

_AFTER_THE_FLOP = range(CONTEXTS.index("betting the flop"), len(CONTEXTS))
_BETTING = [at for at in _AFTER_THE_FLOP if CONTEXTS[at].startswith("betting")]
_FACING = [at for at in _AFTER_THE_FLOP if CONTEXTS[at].startswith("facing")]


def actions_of(observation: Observation, also: Sequence[Action] = ()) -> tuple[Action, ...]:
    """Return the actions worth comparing, folding apart: check or call, least and largest raise, `POT_SHARES`.

    The largest is to what the deepest opponent has, who can call no more; who puts in nearly all puts in all.
    `also` are further legal bets or raises.
    """
    legal = observation.legal
    assert legal is not None
    passive = CHECK if legal.can_check else CALL
    if not legal.can_raise:
        return (passive,)
    largest = min(max(observation.reach_of_opponents, legal.min_raise_to), legal.max_raise_to)
    of_pot = [in_whole_chips(observation, pot_fraction_total(observation, share)) for share in POT_SHARES]
    bet = observation.me.bet
    usual = (total for total in of_pot if total - bet < _NEARLY_ALL * (largest - bet))
    totals = {legal.min_raise_to, *usual, largest, *(action.raise_to for action in also)}
    return (passive, *map(raise_to, sorted(totals)))


def move_of(action: Action) -> tuple[int, int]:
    """Return the kind and the total of a check, call or raise as the kernels take them."""
    kinds = {ActionKind.CHECK: playing.CHECKING, ActionKind.CALL: playing.CALLS, ActionKind.RAISE: playing.SMALL}
    return kinds[action.kind], action.raise_to


def choice_of(observation: Observation, raises: int, action: Action) -> ActionChoice:
    """Return which of the networks' choices an action of the seat to act is after so many raises on the street."""
    if action.kind is not ActionKind.RAISE:
        return ActionChoice[action.kind.name]
    legal = observation.legal
    assert legal is not None
    if action.raise_to >= min(observation.me.stack + observation.me.bet, observation.reach_of_opponents):
        return ActionChoice.ALL_IN
    return raise_choice(observation.street, raises, pot_fraction(observation, action.raise_to))


def usual_action(observation: Observation, reader: LearnedReader) -> Action:
    """Return what an average player does most often with the observer's hole cards; takes a few milliseconds.

    It is the commonest of folding, going on and raising, and the commonest size.
    """
    legal = observation.legal
    assert legal is not None
    passive, *raises = actions_of(observation)
    done, probabilities = _usual_choices(observation, reader)
    usual = probabilities[combo_of(*observation.hole_cards)]
    to_fold = 0.0 if legal.can_check else usual[ActionChoice.FOLD]
    going_on = usual[choice_of(observation, done, passive)]
    if raises and usual[ActionChoice.RAISE_SMALL :].sum() > max(to_fold, going_on):
        return max(raises, key=lambda action: usual[choice_of(observation, done, action)])
    return FOLD if to_fold > going_on else passive


def _usual_choices(observation: Observation, reader: LearnedReader) -> tuple[int, Matrix]:
    """Return the raises of this street so far, and how often an average player makes each choice, by combo."""
    situation = situations(decided_next(observation))[-1]
    return situation.raises, reader.likelihoods.at(len(observation.seats)).probabilities(situation)


def moment_of(observation: Observation) -> playing.Moment:
    """Return an observation whose seat is to act as the kernels have it."""
    follower = HandFollower(observation.events[0])
    for event in observation.events[1:]:
        follower.take(event)
    hand, street = follower.hand, follower.hand.street
    place_of = {view.seat: place for place, view in enumerate(observation.seats)}
    seats = np.zeros((len(place_of), playing.SEAT_NUMBERS), np.int64)
    started, price = hand.started, _price(observation)
    answered, least = _answers(observation, price, follower.unmatched)
    for view in observation.seats:
        place = follower.places[view.seat]
        back = follower.unmatched if view.seat in hand.raisers[street][-1:] else 0
        seats[place_of[view.seat]] = (
            *(view.stack + back, view.bet - back, view.committed - back, view.is_folded),
            answered.get(view.seat, -1),
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
    own, big_blind = place_of[observation.seat], max(observation.big_blind, 1)
    limits = started.max_raises, started.raises_to_twice
    stakes = np.array([own, big_blind, button, max(price, 1), observation.dead, *limits], np.int64)
    return playing.Moment(seats, numbers, sizes, stakes)


def _price(observation: Observation) -> int:
    """Return what calls before the flop: a big blind, or the straddle that was posted."""
    posts = [event for event in observation.events if isinstance(event, Posted)]
    straddles = [event.amount for event in posts if event.kind is PostKind.STRADDLE]
    return max((observation.big_blind, *straddles))


def _answers(observation: Observation, price: int, unmatched: int) -> tuple[dict[Seat, int], int]:
    """Return the bet that each seat answered last on this street, less `unmatched` chips, and the least raise."""
    level, least = (price, price) if observation.street is Street.PREFLOP else (0, observation.big_blind)
    answered: dict[Seat, int] = {}
    for event in observation.events:
        if isinstance(event, ActionTaken) and event.street is observation.street:
            if event.action.kind is ActionKind.RAISE:
                least = max(least, event.action.raise_to - level)
                level = max(level, event.action.raise_to)
            answered[event.seat] = level
    return {seat: min(bet, level - unmatched) for seat, bet in answered.items()}, least


def play_of(observation: Observation, reader: LearnedReader) -> playing.Play:
    """Return how everybody plays on: opponents as the reader knows them, the observer as an average player."""
    factors, leanings, where_most_fold = _average(observation)
    for place, view in enumerate(observation.seats):
        if view.seat != observation.seat:
            factors[place], leanings[place] = reader.factors(view.name), reader.leanings(view.name)
            where_most_fold[place] = reader.looseness_where_most_fold(view.name)
    return _play(reader.likelihoods.at(len(observation.seats)), factors, leanings, where_most_fold)


def ways_on(observation: Observation, reader: LearnedReader) -> dict[str, playing.Play]:
    """Return how everybody plays on as in `play_of`, with the observer in each way of theirs, by name.

    Calling down is one only against a single opponent who is known to bet much.

    A few ways to go on, of which a player takes the best: Brown, Sandholm and Amos 2018, "Depth-limited solving for
    imperfect-information games", who give that choice to opponents.
    """
    average = play_of(observation, reader)
    place = next(at for at, view in enumerate(observation.seats) if view.seat == observation.seat)
    raises = slice(ActionChoice.RAISE_SMALL, playing.CHOICES)
    opponents = observation.opponents
    is_called_down = len(opponents) == 1 and _bets_much(reader, opponents[0].name)
    ways = {}
    for name, way in _WAYS.items():
        if name == CALLING_DOWN and not is_called_down:
            continue
        factors, leanings = average.factors.copy(), average.leanings.copy()
        factors[place, _FACING, :, ActionChoice.FOLD] *= exp(-way.calls)
        factors[place, _BETTING, :, raises] *= exp(way.bets)
        of_choices = leanings[place, STAGES - 1]
        of_choices[ActionChoice.FOLD], of_choices[ActionChoice.CALL] = -_CALLS_BY, _CALLS_BY
        of_choices[raises] = way.bets_by + way.larger * np.arange(playing.CHOICES - raises.start)
        ways[name] = average._replace(factors=factors, leanings=leanings)
    return ways


def _bets_much(reader: LearnedReader, name: str) -> bool:
    """Whether a player has bet clearly more often after the flop than most would have in the same spots."""
    done, usual = reader.counts(name)[_BETTING].sum(axis=0)
    chances, bets, expected = float(done.sum()), float(done[2]), float(usual[2])
    return chances > 0 and bets - expected > _BETS_MUCH * (expected * (1 - expected / chances)) ** 0.5


def play_by_counts(
    observation: Observation, responses: Sequence[Responses], likelihoods: Likelihoods
) -> playing.Play:
    """Return how everybody plays on as far as the trace of a decision has it: by the odds of `Values.responses`."""
    factors, leanings, where_most_fold = _average(observation)
    place_of = {view.seat: place for place, view in enumerate(observation.seats)}
    for one in responses:
        of = factors[place_of[one.seat], CONTEXTS.index(one.spot)]
        of[:, ActionChoice.FOLD] = one.odds_of_folding
        of[:, ActionChoice.RAISE_SMALL :] = one.odds_of_raising
    return _play(likelihoods, factors, leanings, where_most_fold)


def _average(observation: Observation) -> tuple[Numbers, Numbers, Numbers]:
    """Return what `_play` takes, of players of whom nothing is known."""
    places = len(observation.seats)
    factors = np.ones((places, playing.CONTEXTS, 2, playing.CHOICES))
    return factors, np.zeros((places, STAGES, playing.CHOICES)), np.zeros((places, 2))


def _play(likelihoods: Likelihoods, factors: Numbers, leanings: Numbers, where_most_fold: Numbers) -> playing.Play:
    """Return how players of such factors, leanings and looseness where most fold play on."""
    networks = likelihoods.networks
    bounds = [raise_bounds(Street.PREFLOP, raises) for raises in range(3)] + [raise_bounds(Street.FLOP, 0)]
    return playing.Play(
        _net(networks.preflop, len(PREFLOP_FEATURES)),
        _net(networks.postflop, POSTFLOP_FEATURES.index("board top rank")),
        np.array(bounds),
        np.array(_RAISE_SIZES),
        factors,
        leanings,
        np.array([PREFLOP_OVERBET, OVERBET]),
        likelihoods.average_row()[0] + networks.preflop.first_bias,
        np.array(USUAL_TIGHTNESS),
        where_most_fold,
        DEAR_CALL,
    )


def _net(network: Network, features: int) -> playing.Net:
    cut = {name: getattr(network, name)[:features] for name in ("situation", "lowest", "highest")}
    return playing.Net(**{name: cut.get(name, getattr(network, name)) for name in playing.Net._fields})


def rows_on(likelihoods: Likelihoods, board: tuple[Card, ...], combos: NDArray[np.int64] | None = None) -> Matrix:
    """Return what combos on a board make of the first layer, the board's own part and the bias included.

    One row per kind of `Likelihoods.first_layer`, or one per combo of those given after the flop.
    """
    if not board:
        return likelihoods.first_layer(board)[0] + likelihoods.networks.preflop.first_bias
    network = likelihoods.networks.postflop
    rows = (
        likelihoods.first_layer(board)[0] if combos is None else combo_rows(network, combo_features(board)[combos])
    )
    return rows + _board_row(likelihoods, board)


def as_sharp(rows: Matrix, mean: Matrix, sharpness: float) -> Matrix:
    """Return what combos make of the first layer, drawn to the mean of a range: all the same with a sharpness of 0.

    Whose hole cards matter so much less to what they do than most players' (`LearnedReader.sharpness`) is played as
    they are read.
    """
    return rows if sharpness == 1 else np.asarray(mean + sharpness * (rows - mean), np.float32)


def rows_of_range(likelihoods: Likelihoods, board: tuple[Card, ...], weights: Numbers, sharpness: float) -> Matrix:
    """Return `rows_on` a board, drawn to the mean of a range by `as_sharp`; `weights` of combos, shape (1326,)."""
    rows = rows_on(likelihoods, board)
    mean = rows[likelihoods.first_layer(board)[1]].T @ (weights / weights.sum())
    return as_sharp(rows, mean.astype(np.float32), sharpness)


def kind_strengths(likelihoods: Likelihoods, board: tuple[Card, ...]) -> Numbers:
    """Return the share of weaker hands, 0-1, of every kind of `Likelihoods.first_layer`."""
    rows, kinds = likelihoods.first_layer(board)
    live = unblocked(board)  # a blocked combo may have the kind of live ones
    strengths = np.zeros(len(rows))
    strengths[kinds[live]] = shares_weaker(board)[live]
    return strengths


@lru_cache(maxsize=512)
def _board_row(likelihoods: Likelihoods, board: tuple[Card, ...]) -> Matrix:
    """Return what the numbers of a board make of the first layer, with the bias."""
    network = likelihoods.networks.postflop
    numbers = np.array(board_numbers(board[:-1] if len(board) > 3 else (), board), np.float32)
    count = len(numbers)
    known = np.clip(numbers, network.lowest[-count:], network.highest[-count:])
    return np.asarray(known @ network.situation[-count:] + network.first_bias, np.float32)


def with_folds(chosen: Numbers, factor: float) -> Numbers:
    """Return probabilities, shape (n, choices), with a factor on the odds of folding, which come first."""
    weights = chosen.sum(axis=1, keepdims=True)
    found = chosen.copy()
    found[:, 0] *= factor
    found *= weights / np.maximum(found.sum(axis=1, keepdims=True), _LEAST)
    return found


def factor_of_folds(asked: Sequence[Numbers], all_fold: float) -> float:
    """Return the factor on everybody's odds of folding by which all fold so often; by bisection, within limits."""
    low, high = -_MOST_LOG_FACTOR, _MOST_LOG_FACTOR
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        folds = prod(float(with_folds(chosen, exp(middle))[:, 0].sum()) for chosen in asked)
        low, high = (middle, high) if folds < all_fold else (low, middle)
    return exp((low + high) / 2)


def never_falling(shares: Sequence[float]) -> list[float]:
    """Return the shares nearest to these that never fall: where they do, the mean of neighbours.

    Ayer et al. 1955, "An empirical distribution function for sampling with incomplete information".
    """
    pools: list[tuple[float, int]] = []
    for share in shares:
        pools.append((share, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (before, many), (last, few) = pools[-2:]
            pools[-2:] = [((before * many + last * few) / (many + few), many + few)]
    return [share for share, count in pools for _ in range(count)]
