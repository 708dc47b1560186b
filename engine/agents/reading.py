"""The reading of a table: what predicted ranges mean for a seat, for its decision and for a player's panels.

Win rates, outs (Li et al. 2017, eq. 29), the price of a call, and how much of a range is super-strong, strong,
medium, weak and drawing.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Outs, Prediction, RangeShares, Reading
from engine.agents.fold.opponent_model import preflop_strengths, win_probabilities
from engine.agents.fold.parameters import Options, Parameters, PredictionNumbers, default_parameters
from engine.cards import CARD_COUNT, COMBO_CARDS, Card, Street, frozen
from engine.codec import Vector
from engine.equity.outs import outs_of_combos, outs_of_hand
from engine.equity.snapshot import Estimate, Method
from engine.game.events import Seat, start_of
from engine.game.observation import Observation
from engine.strength import STRAIGHT_MASKS
from engine.tournaments.icm import prize_shares


def amount_to_call(observation: Observation) -> int:
    """Return the chips the observer would add to call, also when others are to act.

    On turn it is what the rules ask: a full big blind even where nobody could post one.
    """
    if observation.legal is not None:
        return observation.legal.call_amount
    me = observation.me
    return min(me.stack, max(view.bet for view in observation.seats) - me.bet)


def winnable_pot(observation: Observation) -> int:
    """Return the chips in the middle that the observer wins by a call that wins.

    What others put in beyond the observer's stack goes back or to a side pot.
    """
    reach = observation.me.committed + amount_to_call(observation)
    return observation.dead + sum(min(view.committed, reach) for view in observation.seats)


def pot_odds_of(observation: Observation) -> float:
    """Return the share of the final pot that a call would cost, 0-1; only chips that can be won count."""
    to_call = amount_to_call(observation)
    return to_call / (winnable_pot(observation) + to_call) if to_call > 0 else 0.0


def prize_odds_of(observation: Observation) -> float | None:
    """Return the share of the pot at which a call loses no prizes, 0-1, by the independent chip model.

    None without prizes, and where the call does not end the betting with one opponent.
    """
    started, me, to_call = start_of(observation.events), observation.me, amount_to_call(observation)
    if not started.payouts or to_call <= 0 or len(observation.opponents) != 1:
        return None
    opponent = observation.opponents[0]
    if observation.street is not Street.RIVER and to_call < me.stack and not opponent.is_all_in:
        return None
    chips = {seat.seat: observation.view(seat.seat).stack + seat.reserve for seat in started.seats}
    won, own, theirs = winnable_pot(observation), chips[me.seat], chips[opponent.seat]

    def prize(left: int) -> float:
        """Return the mean prize with so many chips, where the opponent has the rest of theirs and the pot."""
        after = {**chips, me.seat: left, opponent.seat: theirs + observation.pot + own - left}
        return dict(zip(after, prize_shares(tuple(after.values()), started.payouts), strict=True))[me.seat]

    lost, folded, best = prize(own - to_call), prize(own), prize(own + won)
    return (folded - lost) / (best - lost) if best > lost else None


def _stack_to_pot_ratio(observation: Observation) -> float:
    """Return the effective stack behind over the pot."""
    largest = max((view.stack for view in observation.opponents), default=0)
    return min(observation.me.stack, largest) / max(observation.pot, 1)


def opponents_in(observation: Observation) -> tuple[Seat, ...]:
    """Return the seats of the opponents whom a call would meet if nobody else came along, in rising order.

    Before the flop they are the live opponents who have matched the highest bet or are all-in: who raised, who
    called the raise, and the big blind as long as nobody has raised. All others are taken to fold: the pot odds
    count their chips, and the equity does not count their cards. Where nobody has matched the observer's own bet,
    and after the flop, they are all live opponents.
    """
    live = observation.opponents
    if observation.street is not Street.PREFLOP:
        return tuple(view.seat for view in live)
    highest = max(view.bet for view in observation.seats)
    matched = tuple(view.seat for view in live if view.bet == highest or view.is_all_in)
    return matched or tuple(view.seat for view in live)


def win_rate_of(
    observation: Observation,
    ranges: Sequence[Vector],
    seed: int,
    deals: int,
    *,
    random_deals: int | None = None,
    deadline: float | None = None,
    options: Options | None = None,
) -> tuple[Estimate, Estimate]:
    """Return the observer's win rate against ranges jointly, and against as many random hands.

    Ties count for their share (Li et al. 2017, algorithm 1). Exact where enumeration is as fast, otherwise
    sampled from the joint distribution of the ranges given that nobody holds a card twice, which drawing one
    opponent after another would not give. `random_deals` are those against random hands where they differ; with a
    deadline (`win_rate`) the win rate against the ranges takes the time that is left. By options it is counted as
    algorithm 1 is printed.
    """
    from engine.equity.win_rate import EXACT_COUNTING, Counting, win_rate, win_rate_random

    if observation.me.is_folded or not ranges:
        sure = Estimate(0.0 if observation.me.is_folded else 1.0, Method.EXACT)
        return sure, sure
    random = win_rate_random(
        observation.hole_cards, len(ranges), observation.board, deals=random_deals or deals, seed=seed
    )
    counting = EXACT_COUNTING if options is None else Counting(options.exact, options.joint, options.ties)
    against = win_rate(
        observation.hole_cards,
        ranges,
        observation.board,
        deals=deals,
        seed=seed,
        deadline=deadline,
        counting=counting,
    )
    return against, random


def reading(
    observation: Observation,
    predictions: tuple[Prediction, ...],
    seed: int,
    parameters: Parameters | None = None,
    *,
    deadline: float | None = None,
    deals: int | None = None,
) -> Reading:
    """Return what predictions mean for the observer: win rates, outs and the price of a call.

    The same function feeds an agent's decision and a player's panels, at any moment of a hand. After the observer
    has folded the win rates are 0; with nobody left against the observer they are 1. There is one prediction per
    opponent still in the hand. Until a deadline on the clock of `time.monotonic` a sampled win rate becomes more
    precise; without one it takes `deals`, by default those of the parameters. Where the option `exact` is off it
    takes as many as the paper does, whatever the time.
    """
    numbers = parameters or default_parameters()
    options = numbers.options
    ranges = [prediction.posterior for prediction in predictions]
    usual = numbers.decision.deals_against(len(ranges))
    if not options.exact:
        usual, deadline = numbers.decision.printed_deals, None
    against, random = win_rate_of(
        observation, ranges, seed, deals or usual, random_deals=usual, deadline=deadline, options=options
    )
    return Reading(
        predictions=predictions,
        win_rate=against,
        win_rate_random=random,
        outs=outs_of(observation, options),
        pot_odds=pot_odds_of(observation),
        spr=_stack_to_pot_ratio(observation),
        seed=seed,
    )


def unseen_cards(board: Sequence[Card], options: Options) -> int:
    """Return how many cards a draw may meet; as eq. 27 of Li et al. 2017 is printed, those of the board too."""
    return CARD_COUNT - 2 - (len(board) if options.unseen_outs else 0)


def outs_of(observation: Observation, options: Options | None = None) -> Outs | None:
    """Return the observer's outs; None before the flop, on the river or, but for an option, if not behind."""
    options = options or default_parameters().options
    found = outs_of_hand(observation.hole_cards, observation.board, only_behind=options.outs_behind)
    if found is None:
        return None
    unseen, to_come = unseen_cards(observation.board, options), 5 - len(observation.board)
    return Outs(found, 1 - comb(unseen - len(found), to_come) / comb(unseen, to_come))


def _has_straight(ranks: NDArray[np.uint16]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = ((ranks[..., None] & STRAIGHT_MASKS) == STRAIGHT_MASKS).any(axis=-1)
    return found


def _flush_draws(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    """Return which combos have four to a flush with at least one card of their own."""
    draws = np.zeros(len(COMBO_CARDS), dtype=np.bool_)
    for suit in range(4):
        own = np.equal(COMBO_CARDS & 3, suit).sum(axis=1)
        draws |= (own > 0) & (own + sum(card & 3 == suit for card in board) == 4)
    return draws


def _straight_draws(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    """Return which combos become a straight of their own with two or more ranks, and are none yet."""
    on_board = np.uint16(sum(1 << rank for rank in {card >> 2 for card in board}))
    ranks = np.bitwise_or.reduce(np.uint16(1) << (COMBO_CARDS >> 2).astype(np.uint16), axis=1) | on_board
    completing = np.zeros(len(COMBO_CARDS), dtype=np.int64)
    for rank in range(13):
        bit = np.uint16(1 << rank)
        if not _has_straight(np.array(on_board | bit)):
            completing += _has_straight(ranks | bit) & ((ranks & bit) == 0)
    draws: NDArray[np.bool_] = (completing >= 2) & ~_has_straight(ranks)
    return draws


@lru_cache(maxsize=64)
def hand_kinds(board: tuple[Card, ...], numbers: PredictionNumbers) -> NDArray[np.int64]:
    """Sort every combo: 0 super-strong, 1 strong, 2 medium, 3 weak, 4 drawing; int64, shape (1326,), read-only.

    The classes of Li et al. 2017, sec. 4.2. After the flop the first three go by P_win against one uniform hand.
    Drawing, on flop and turn, are hands below strong with at least 8 outs (eq. 29), four to a flush with a card of
    their own, or an open-ended or double gutshot straight draw of their own. Before the flop the first three are
    the best shares of all hands, and nothing is drawing.
    """
    if not board:
        strengths = preflop_strengths(1)
        bounds = numbers.preflop_super_strong, numbers.preflop_strong, numbers.preflop_medium
    else:
        strengths, bounds = win_probabilities(board), (numbers.super_strong, numbers.strong, numbers.medium)
    kinds: NDArray[np.int64] = np.less.outer(strengths, bounds).sum(axis=1, dtype=np.int64)
    if len(board) in (3, 4):
        outs = outs_of_combos(board)
        drawing = (outs >= numbers.draw_outs) | _flush_draws(board) | _straight_draws(board)
        kinds = np.where(drawing & (kinds > 1), 4, kinds)
    return frozen(kinds)


def range_shares(posterior: Vector, board: Sequence[Card]) -> RangeShares:
    """Return how much of a range of any positive sum each kind of hands is (`hand_kinds`)."""
    kinds = hand_kinds(tuple(sorted(board)), default_parameters().prediction)
    shares = np.bincount(kinds, weights=posterior, minlength=5)
    return RangeShares(*(float(share) for share in shares / shares.sum()))
