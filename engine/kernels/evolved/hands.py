"""Many hands of an evolved policy against compiled styles, heads-up, by the compiled rules of betting.

Places are as in `engine.kernels.bulk.hands`: place 0 has the big blind and place 1 the button.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bulk import hands as bulk
from engine.kernels.bulk.hands import begin, fill_strengths, return_uncalled, settle
from engine.kernels.bulk.styles import ALWAYS, FRACTION, Spot, Styles, decide, decide_always, two_fractions
from engine.kernels.evaluator import tables
from engine.kernels.evolved.boards import pairs_on, straight_or_flush
from engine.kernels.evolved.likeness import (
    BY_STAGE,
    Mixing,
    add_node_distances,
    add_path_distances,
    alone,
    learn_hand,
    policy_shares,
)
from engine.kernels.evolved.network import (
    FEATURES,
    OUTPUTS,
    Net,
    State,
    begin_hand,
    fill_probabilities,
    new_states,
    output_at,
    state_at,
    think,
    weight_count,
)
from engine.kernels.evolved.tree import (
    BIG_BLIND_ROOT,
    FOLDS_BELOW,
    MOST_PATH,
    OPPONENT_FEATURES,
    RAISE_ACTION,
    ROOTS,
    SHOWDOWNS,
    SHOWN,
    SMALL_BLIND_ROOT,
    VISITS,
    Tree,
    action_of,
    below,
    find_node,
    new_tree,
    opponent_features,
)
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.playing import (
    BET,
    BIG_BLIND,
    CALLS,
    CHECKING,
    COMMITTED,
    FOLDED,
    FOLDS,
    RAISER,
    SMALL,
    STACK,
    STREET,
    TO_ACT,
    Moment,
    act,
    deal_street,
    owed,
    pot_of,
    raise_bounds,
)

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

SIZES = (1, 4, 8, 16, 24, 48, 96)
"""How much each of the seven raises is over the pot, in sixteenths."""


class Policy(NamedTuple):
    """One or more networks of a shape, and how they decide together.

    Attributes
    ----------
    weights : ndarray of float32, shape (networks, `weight_count(shape)`)
    shape : ndarray of int64
    feature_scale : float32
        As of `Net`.
    logit_scale : float
        What logits are multiplied with.
    mixing : Mixing
    """

    weights: Floats
    shape: Integers
    feature_scale: np.float32
    logit_scale: float
    mixing: Mixing


class Mind(NamedTuple):
    """Room for networks to think in, what each does, how much it decides and how far the styles are, and the mix.

    Attributes
    ----------
    states : State
        Of all networks (`new_states`).
    shares : ndarray of float64, shape (networks,)
    distances : ndarray of float64, shape (styles,)
    decisions : ndarray of float64, shape (1,)
        The opponent's decisions that the distances rest on.
    mixed : ndarray of float64, shape (OUTPUTS,)
    """

    states: State
    shares: Numbers
    distances: Numbers
    decisions: Numbers
    mixed: Numbers


def new_mind(policy: Policy) -> Mind:
    """Return room for a policy's networks to think in."""
    networks, styles = len(policy.weights), len(policy.mixing.library.children)
    states = new_states(policy.shape, networks)
    return Mind(states, np.zeros(networks), np.zeros(styles), np.zeros(1), np.zeros(OUTPUTS))


@kernel
def consider(policy: Policy, mind: Mind, features: Floats, can_fold: bool, can_raise: bool) -> None:
    """Let all networks take in the features of one more decision, and write the odds of all outputs (eq. 3).

    `begin_hand(mind.states)` comes before the first decision of a hand; by `BY_STAGE` the distances of the running
    hand are in `mind.distances`.
    """
    mind.decisions[0] = policy_shares(policy.mixing, mind.distances, mind.shares)
    mixed = mind.mixed
    for output in range(OUTPUTS):
        mixed[output] = 0.0
    for at in range(len(policy.weights)):
        state, share = state_at(mind.states, at), mind.shares[at]
        think(Net(policy.weights[at], policy.shape, policy.feature_scale), state, features)
        if share > 0.0:
            fill_probabilities(state, policy.logit_scale, can_fold, can_raise)
            for output in range(OUTPUTS):
                mixed[output] += share * state.probabilities[output]


class Deals(NamedTuple):
    """What is played, each deck once with the policy in either place.

    Attributes
    ----------
    cards : ndarray of uint8, shape (n, 9)
        First cards of both places, second cards, and the board.
    own : ndarray of int64, shape (n, 2)
        The policy's place in the first and the second hand of a deck.
    rivals : ndarray of int64, shape (n, 2)
        The style that plays the other place.
    equities : ndarray of float64, shape (n, 3, 2)
        Of each place's hand against a random one on the flop, turn and river.
    chances : ndarray of float32, shape (n, 3, 2)
        How likely a random hand has a straight or a flush, for who holds that hand.
    first : int
        Number of the first deck, 1 or more.
    """

    cards: NDArray[np.uint8]
    own: Integers
    rivals: Integers
    equities: Numbers
    chances: Floats
    first: int


class Room(NamedTuple):
    """Written over by every hand: `path` as of `learn_path`, `features` of a decision and what they are made of.

    `mind` is where networks think.
    """

    table: bulk.Room
    mind: Mind
    path: Integers
    features: Floats
    cards: Numbers
    chips: Integers


def new_room(start: Moment, policy: Policy) -> Room:
    """Return room to play hands that begin so by a policy."""
    path = np.zeros((MOST_PATH, 2), np.int64)
    features = np.zeros(FEATURES, np.float32)
    return Room(bulk.new_room(start), new_mind(policy), path, features, np.zeros(3), np.zeros(4, np.int64))


@kernel
def game_features(cards: Numbers, chips: Integers, street: int, out: Floats) -> None:
    """Write the six features of the game behind those of the opponent.

    Parameters
    ----------
    cards : ndarray of float64, shape (3,)
        How likely a random hand has a straight or a flush, pairs on the board, and the strength of the own hand:
        before the flop the share of weaker hands, then the equity against a random hand.
    chips : ndarray of int64, shape (4,)
        What the opponent and the owner have put in, with what the shorter of both began, and the big blind.
    """
    big_blind = chips[3]
    whole = np.log1p(chips[2] / big_blind)
    out[OPPONENT_FEATURES] = cards[0]
    out[OPPONENT_FEATURES + 1] = cards[1] / 2
    out[OPPONENT_FEATURES + 2] = street / 3
    out[OPPONENT_FEATURES + 3] = cards[2]
    # Most pots are small: shares on a logarithmic scale tell them apart.
    out[OPPONENT_FEATURES + 4] = np.log1p(min(chips[0], chips[2]) / big_blind) / whole
    out[OPPONENT_FEATURES + 5] = np.log1p(min(chips[1], chips[2]) / big_blind) / whole


@kernel
def play_policy(
    start: Moment, deals: Deals, styles: Styles, spot: Spot, policy: Policy, tree: Tree, room: Room, won: Integers
) -> None:
    """Play all deals, from `start` on, where the blinds are posted; the tree learns from each hand.

    Writes the chips that the policy wins into `won`, shape (n, 2).
    """
    moment, notes, strengths = room.table
    for deck in range(len(deals.cards)):
        for at in range(9):
            spot.cards[at] = deals.cards[deck, at]
        for street in range(3):
            for place in range(2):
                spot.equities[street, place] = deals.equities[deck, street, place]
        spot.key[1] = np.uint64(deals.first + deck)
        are_strengths_known = False
        for rotation in range(2):
            own = deals.own[deck, rotation]
            begin(start, moment, notes)
            length = _play(styles, deals.rivals[deck, rotation], spot, policy, tree, room, deals.chances[deck], own)
            live = return_uncalled(moment)
            if live > 1 and not are_strengths_known:
                fill_strengths(spot.cards, styles.evaluator, strengths)
                are_strengths_known = True
            _learn(moment, own, spot, policy.mixing, tree, room, length)
            chips = room.chips[:2]
            settle(moment, strengths, notes, chips)
            before = start.seats[own, STACK] + start.seats[own, COMMITTED]
            won[deck, rotation] = chips[own] + moment.seats[own, STACK] - before


@kernel
def _play(
    styles: Styles, style: int, spot: Spot, policy: Policy, tree: Tree, room: Room, chances: Floats, own: int
) -> int:
    """Play a hand up to the end of its betting, or all its boards; return the length of its path."""
    moment, path = room.table.moment, room.path
    hand, blind = moment.hand, 4 if own == 0 else 0
    root = BIG_BLIND_ROOT if own == 0 else SMALL_BLIND_ROOT
    node, length, decisions = root, 0, 0
    mixing, distances = policy.mixing, room.mind.distances
    begin_hand(room.mind.states)
    distances[:] = 0.0
    while True:
        place = hand[TO_ACT]
        if place < 0:
            if return_uncalled(moment) == 1 or hand[STREET] == 3:
                return length
            deal_street(moment)
            distances[:] = 0.0
            continue
        spot.key[2] = np.uint64(decisions)
        decisions += 1
        if place == own:
            opponent_features(tree, node, root, room.features)
            kind, total = _decide(moment, own, styles, spot, policy, room, chances)
        else:
            if mixing.rule == BY_STAGE:
                add_node_distances(mixing, node, distances)
            if styles.kinds[style] < ALWAYS:
                kind, total = decide_always(moment, place, styles.kinds[style])
            else:
                kind, total = decide(moment, place, styles, style, spot)
        action = action_of(moment, place, kind, total)
        if length < MOST_PATH:
            path[length, 0], path[length, 1] = action, 2 * (hand[STREET] + blind) + (place != own)
            length += 1
        node = below(tree, node, action)
        act(moment, place, kind, total)


@kernel
def _decide(
    moment: Moment, own: int, styles: Styles, spot: Spot, policy: Policy, room: Room, chances: Floats
) -> tuple[int, int]:
    """Return what the policy does, given the features of the opponent: the kind and the street total."""
    seats, street = moment.seats, moment.hand[STREET]
    cards, chips = room.cards, room.chips
    if street == 0:
        cards[0] = cards[1] = 0.0
        one, other = np.int64(spot.cards[own]), np.int64(spot.cards[2 + own])
        high, low = max(one, other), min(one, other)
        cards[2] = 1.0 - styles.shares[high * (high - 1) // 2 + low]
    else:
        cards[0] = chances[street - 1, own]
        cards[1] = pairs_on(spot.cards[4 : 6 + street])
        cards[2] = spot.equities[street - 1, own]
    chips[0], chips[1] = seats[1 - own, COMMITTED], seats[own, COMMITTED]
    chips[2] = min(seats[0, STACK] + seats[0, COMMITTED], seats[1, STACK] + seats[1, COMMITTED])
    chips[3] = moment.stakes[BIG_BLIND]
    game_features(cards, chips, street, room.features)
    to_call = int(min(owed(moment, own), seats[own, STACK]))
    least, most = raise_bounds(moment, own)
    drawn = two_fractions(spot)[0] * FRACTION
    consider(policy, room.mind, room.features, to_call > 0, most > 0)
    output = output_at(room.mind.mixed, drawn)
    if output < RAISE_ACTION:
        return (FOLDS if output == 0 else CALLS if to_call > 0 else CHECKING), 0
    if output == OUTPUTS - 1:
        return SMALL, most
    pot = pot_of(moment) + to_call
    extra = (SIZES[output - RAISE_ACTION] * pot + 8) // 16
    return SMALL, int(min(max(seats[own, BET] + to_call + extra, least), most))


@kernel
def _learn(moment: Moment, own: int, spot: Spot, mixing: Mixing, tree: Tree, room: Room, length: int) -> None:
    """Let the tree and the likeness learn how a hand ended, with what both saw of it."""
    seats, strengths = moment.seats, room.table.strengths
    other = 1 - own
    if seats[own, FOLDED] != 0:
        ending = VISITS
    elif seats[other, FOLDED] != 0:
        ending = FOLDS_BELOW
    else:
        # The last to bet on the river shows first, without a bet the big blind; the other only what is not beaten.
        bettor = moment.hand[RAISER + 3]
        is_first = bettor == other if bettor >= 0 else other == 0
        is_all_in = seats[0, STACK] == 0 or seats[1, STACK] == 0
        is_shown = is_all_in or is_first or strengths[other] >= strengths[own]
        ending = SHOWN if is_shown else SHOWDOWNS
    learn_hand(tree, mixing, room.path, length, ending, spot.equities[2, other])


def _prepare() -> None:
    """Run what a decision at the table takes, and what is learned from a hand, on arguments of those types."""
    shape = np.array([1, 1, 1, 1, 1], np.int64)
    policy = Policy(np.zeros((1, weight_count(shape)), np.float32), shape, np.float32(1.0), 1.0, alone())
    mind, tree, path = new_mind(policy), new_tree(ROOTS), np.zeros((MOST_PATH, 2), np.int64)
    features, cards = np.zeros((1, FEATURES), np.float32), np.arange(5, dtype=np.uint8)
    straight_or_flush(tables(), cards[:2].copy(), cards[2:].copy())
    pairs_on(cards)
    learn_hand(tree, policy.mixing, path, 1, SHOWN, 0.5)
    opponent_features(tree, find_node(tree, SMALL_BLIND_ROOT, path, 0), SMALL_BLIND_ROOT, features[0])
    game_features(np.zeros(3), np.ones(4, np.int64), 0, features[0])
    begin_hand(mind.states)
    add_path_distances(tree, policy.mixing, SMALL_BLIND_ROOT, path, 0, 0, mind.distances)
    consider(policy, mind, features[0], True, True)


register_warm_up("evolved policies", _prepare, at_start=False)
