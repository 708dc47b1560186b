"""Hands of an evolved policy against a style, as a match of both would play them, many at a time.

Decks, seats, random numbers, rules and decisions are those of a heads-up match of `engine.lab.matches.playing` with
the same seed; kernels repeat them (`engine.kernels.evolved`), and tests hold them equal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Agent
from engine.agents.rule_based.pool import HANDS_OF_A_POINT, Point, PoolWanderer, drawn_point, temper_at
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.styles import make_agent
from engine.cards import CARD_COUNT, Card
from engine.game.formats import GameFormat
from engine.game.rules import Betting
from engine.kernels.bulk import hands as bulk
from engine.kernels.bulk import styles as bulk_styles
from engine.kernels.evaluator import tables
from engine.kernels.evolved import hands as evolved
from engine.kernels.evolved.boards import fill_chances
from engine.kernels.evolved.tree import Tree
from engine.lab.matches.bulk import moment_of
from engine.lab.matches.compiled import compiled
from engine.lab.matches.counted.hand_equities import hand_equities

Integers = NDArray[np.int64]

_SEATS = 2


class RivalError(ValueError):
    """A style that no policy can be played against here; the message names it."""


class Deals(NamedTuple):
    """Decks of a match with a seed, and what players see of them.

    Attributes
    ----------
    betting : Betting
        How every hand begins.
    cards, equities, chances
        As `engine.kernels.evolved.hands.Deals` has them.
    own : ndarray of int64, shape (n, 2)
        The place of the first style of the match in both hands of each deck.
    seats : ndarray of int64, shape (n, 2)
        The seat of each place.
    first : int
        Number of the first deck in the match, the first of all being 0.
    """

    seed: int
    betting: Betting
    cards: NDArray[np.uint8]
    equities: NDArray[np.float64]
    chances: NDArray[np.float32]
    own: Integers
    seats: Integers
    first: int


def deals_of(game: GameFormat, seed: int, first: int, decks: int) -> Deals:
    """Return some of the decks of a heads-up match, from number `first` on, the first of all being 0."""
    stacks = [game.starting_stack] * _SEATS
    betting = Betting(game.rules_at(0, sum(stacks)), stacks, _SEATS - 1)
    spot = bulk_styles.new_spot(seed, _SEATS)
    dealt = np.zeros((decks, CARD_COUNT), np.uint8)
    bulk.deal_decks(spot, first + 1, dealt)
    orders = np.zeros((decks, _SEATS), np.uint8)
    bulk.draw_orders(spot, first, orders)
    button = np.arange(first, first + decks) % _SEATS
    seats = (button[:, None] + 1 + np.arange(_SEATS)) % _SEATS
    ring = (seats[:, None, :] - np.arange(_SEATS)[:, None]) % _SEATS
    seated = orders[np.arange(decks)[:, None, None], ring]
    cards = dealt[:, : 2 * _SEATS + 5].copy()
    equities, chances = np.zeros((decks, 3, _SEATS)), np.zeros((decks, 3, _SEATS), np.float32)
    hands = np.ascontiguousarray(cards[:, : 2 * _SEATS].reshape(decks, 2, _SEATS).transpose(0, 2, 1))
    for street in range(3):
        equities[:, street] = hand_equities(hands, cards[:, 4 : 7 + street])
    fill_chances(tables(), cards, chances)
    return Deals(seed, betting, cards, equities, chances, seated.argmin(axis=2), seats, first)


def play(deals: Deals, style: str, policy: evolved.Policy, tree: Tree) -> Integers:
    """Play a policy against a style and let its tree learn; return the chips that it wins, shape (n, 2).

    Raises
    ------
    RivalError
        If the style is neither a rule-based one nor `o-random`.
    """
    styles, rivals = _styles(deals, style)
    hands = evolved.Deals(deals.cards, deals.own, rivals, deals.equities, deals.chances, deals.first + 1)
    start = moment_of(deals.betting)
    room = evolved.new_room(start, policy)
    won = np.zeros(rivals.shape, np.int64)
    spot = bulk_styles.new_spot(deals.seed, _SEATS)
    evolved.play_policy(start, hands, styles, spot, policy, tree, room, won)
    return won


def _styles(deals: Deals, style: str) -> tuple[bulk_styles.Styles, Integers]:
    """Return a style as the kernels have it, and its row in each hand."""
    agents: list[Agent] = [make_agent(style)]
    rivals = np.zeros(deals.own.shape, np.int64)
    if isinstance(agents[0], PoolWanderer):
        if deals.first:
            raise RivalError(f"'{style}' draws how it plays from its first hand on, not from deck {deals.first}.")
        firsts = range(0, rivals.size, HANDS_OF_A_POINT)
        agents = [RuleAgent(style, temper_at(_point(deals, *divmod(hand, 2)))) for hand in firsts]
        rivals = np.arange(rivals.size).reshape(rivals.shape) // HANDS_OF_A_POINT
    styles = compiled(agents, deals.betting)
    if styles is None:
        raise RivalError(f"'{style}' is not compiled; a policy plays against styles that go by a temper alone.")
    return styles, rivals


def _point(deals: Deals, deck: int, rotation: int) -> Point:
    """Return the point that the rival draws in a hand."""
    place = 1 - int(deals.own[deck, rotation])
    # The ring of places stands at the same seats in both hands of a deck.
    seats = [int(seat) for seat in deals.seats[deck]]
    cards = [Card(int(card)) for card in deals.cards[deck, [place, 2 + place]]]
    return drawn_point(deals.first + deck + 1, seats[1], seats[place], cards)
