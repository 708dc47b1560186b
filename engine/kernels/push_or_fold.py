"""Push or fold: everybody in turn goes all-in or folds; regrets of both, deal by deal, and what stacks are worth.

Rows of strategies: those who act first have the numbers 0, 1, ...; player `i` who sees the players of the bits of
`mask` in has the row `2^i - 1 + mask`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels.equity.preflop import draw_card
from engine.kernels.evaluator import START_KEY, EvaluatorTables, strength_of_key, tables
from engine.kernels.jit import kernel, register_warm_up
from engine.kernels.playing import COMMITTED, FOLDED, SEAT_NUMBERS
from engine.kernels.rng import RandomState, new_stream, random_bits
from engine.kernels.rollouts import winnings

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]

_CLASSES = 169
_ONE = np.uint64(1)


class Stakes(NamedTuple):
    """What is played for: stacks, what is posted of them, chips that nobody put in; prizes, or none for chips."""

    stacks: Integers
    posted: Integers
    dead: int
    prizes: Numbers


class Pairs(NamedTuple):
    """Of every combo its cards as bits, its class, and what its cards add to keys and masks of the evaluator.

    Of every two combos the first one's equity and ties, shape (1326, 1326); the combo of two cards, shape (52, 52).
    """

    cards: NDArray[np.uint64]
    classes: Integers
    keys: NDArray[np.uint64]
    masks: NDArray[np.uint64]
    equities: Numbers
    ties: Numbers
    combos: Integers


class Board(NamedTuple):
    """A board: its cards as bits, and their key and mask for the evaluator."""

    cards: np.uint64
    key: np.uint64
    mask: np.uint64


class Strategies(NamedTuple):
    """Regrets of folding and of going all-in, and sums of the shares that went all-in with those of their weights.

    Of shape (rows, 169, 2), (rows, 169) and (rows,).
    """

    regrets: Numbers
    sums: Numbers
    weights: Numbers


class Room(NamedTuple):
    """Room for one deal: what was dealt to whom, the seats, and what everybody has in the end.

    `alone` is what everybody has, shape (n, n), where one wins without a showdown; `leads` is by hand class.
    """

    combos: Integers
    dealt: NDArray[np.int16]
    seats: Integers
    strengths: NDArray[np.int16]
    after: Numbers
    reached: Numbers
    worth: Numbers
    alone: Numbers
    drawn: Numbers
    leads: Numbers
    order: NDArray[np.int16]
    by_order: Numbers


def new_strategies(players: int) -> Strategies:
    """Return strategies of which nothing is known."""
    rows = 2**players - 1
    return Strategies(np.zeros((rows, _CLASSES, 2)), np.zeros((rows, _CLASSES)), np.zeros(rows))


def new_room(stakes: Stakes) -> Room:
    """Return room for the deals of a game."""
    players = len(stakes.stacks)
    room = Room(
        np.zeros(players, np.int64),
        np.zeros(players, np.int16),
        np.zeros((players, SEAT_NUMBERS), np.int64),
        np.zeros(players, np.int16),
        np.zeros(players),
        np.zeros(2**players),
        np.zeros(players),
        np.zeros((players, players)),
        np.zeros(players),
        np.zeros(_CLASSES),
        np.zeros(players, np.int16),
        np.zeros(2 * players + 1),
    )
    for winner in range(players):
        fill_worth(stakes, 1 << winner, room)
        room.alone[winner] = room.worth
    return room


@kernel
def prize_shares(stacks: Numbers, prizes: Numbers, reached: Numbers, shares: Numbers) -> None:
    """Fill `shares`, shape (n,), with what stacks win of prizes in the mean; `reached`, shape (2^n,), is room.

    Who has no chips has the last places, in equal parts.
    """
    players = len(stacks)
    left = 0
    for seat in range(players):
        left += stacks[seat] > 0
    of_out = 0.0
    for place in range(left, min(len(prizes), players)):
        of_out += prizes[place] / (players - left)
    for seat in range(players):
        shares[seat] = 0.0 if stacks[seat] > 0 else of_out
    reached[:] = 0.0
    reached[0] = 1.0
    for winners in range(1 << players):
        chance = reached[winners]
        if chance == 0.0:
            continue
        place, chips = 0, 0.0
        for seat in range(players):
            if winners >> seat & 1:
                place += 1
            else:
                chips += stacks[seat]
        if place >= min(left, len(prizes)):
            continue
        for seat in range(players):
            if not winners >> seat & 1 and stacks[seat] > 0:
                part = chance * stacks[seat] / chips
                shares[seat] += part * prizes[place]
                reached[winners | 1 << seat] += part


@kernel
def fill_worth(stakes: Stakes, mask: int, room: Room) -> None:
    """Fill `room.worth` with what all have in the end, if those of a mask are in and show `room.strengths`."""
    stacks, posted, dead, prizes = stakes
    seats, after = room.seats, room.after
    for place in range(len(stacks)):
        is_in = mask >> place & 1
        seats[place, FOLDED] = 1 - is_in
        seats[place, COMMITTED] = stacks[place] if is_in else posted[place]
    for place in range(len(stacks)):
        won = winnings(seats, place, room.strengths, dead) if mask >> place & 1 else 0.0
        after[place] = stacks[place] - seats[place, COMMITTED] + won
    if len(prizes):
        prize_shares(after, prizes, room.reached, room.worth)
    else:
        room.worth[:] = after


@kernel
def _against_one(stakes: Stakes, hero: int, other: int, watcher: int, room: Room) -> tuple[float, float, float]:
    """Return what a player has in the end if one of two that are in wins, ties or loses against the other."""
    mask = 1 << hero | 1 << other
    room.strengths[hero], room.strengths[other] = 1, 0
    fill_worth(stakes, mask, room)
    won = room.worth[watcher]
    room.strengths[other] = 1
    fill_worth(stakes, mask, room)
    tied = room.worth[watcher]
    room.strengths[hero] = 0
    fill_worth(stakes, mask, room)
    return won, tied, room.worth[watcher]


@kernel
def _when_folded(stakes: Stakes, pairs: Pairs, mask: int, hero: int, room: Room) -> float:
    """Return what a player who folds has in the end, those of a mask being in: over all boards if they are two."""
    players = len(stakes.stacks)
    if len(stakes.prizes) == 0:
        return float(stakes.stacks[hero] - stakes.posted[hero])
    first = second = -1
    count = 0
    for place in range(players):
        if mask >> place & 1:
            first, second = place, first
            count += 1
    if count < 2:
        return room.alone[first if count else players - 1, hero]  # type: ignore[no-any-return]
    if count == 2:
        won, tied, lost = _against_one(stakes, first, second, hero, room)
        equity = pairs.equities[room.combos[first], room.combos[second]]
        ties = pairs.ties[room.combos[first], room.combos[second]]
        return (equity - ties / 2) * won + ties * tied + (1 - equity - ties / 2) * lost  # type: ignore[no-any-return]
    room.strengths[:] = room.dealt
    fill_worth(stakes, mask, room)
    return room.worth[hero]  # type: ignore[no-any-return]


@kernel
def _share_in(regrets: Numbers, row: int, hand_class: int) -> float:
    """Return how often regrets have a player go all-in: in their proportion, or half of the time without any."""
    stay, go = max(regrets[row, hand_class, 0], 0.0), max(regrets[row, hand_class, 1], 0.0)
    return go / (stay + go) if stay + go > 0 else 0.5


@kernel
def _others_in(regrets: Numbers, classes: Integers, mask: int, first: int, last: int, room: Room) -> int:
    """Return who is in after some players have acted in turn, each by a number drawn; the last one wins a walk."""
    for place in range(first, last):
        if place == len(room.combos) - 1 and mask == 0:
            break
        if room.drawn[place] < _share_in(regrets, (1 << place) - 1 + mask, classes[room.combos[place]]):
            mask |= 1 << place
    return mask


@kernel
def _deal(
    evaluator: EvaluatorTables, pairs: Pairs, deck: NDArray[np.uint8], state: RandomState, room: Room
) -> Board:
    """Deal hole cards and a board, fill everybody's strength, and draw a number for each; return the board."""
    card_key, card_mask, row_offset, rank_strength, flush_strength = evaluator
    players = len(room.combos)
    for at in range(2 * players + 5):
        draw_card(deck, at, state)
    key, mask, board = START_KEY, np.uint64(0), np.uint64(0)
    for at in range(2 * players, 2 * players + 5):
        key += card_key[deck[at]]
        mask += card_mask[deck[at]]
        board |= _ONE << np.uint64(deck[at])
    for place in range(players):
        one, other = deck[2 * place], deck[2 * place + 1]
        room.combos[place] = pairs.combos[one, other]
        whole, suits = key + card_key[one] + card_key[other], mask + card_mask[one] + card_mask[other]
        room.dealt[place] = strength_of_key(row_offset, rank_strength, flush_strength, whole, suits)
        room.drawn[place] = (random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
    return Board(board, key, mask)


@kernel
def _fill_leads(stakes: Stakes, pairs: Pairs, hero: int, masks: tuple[int, int], room: Room) -> None:
    """Fill `room.leads` with how much more all-in brings than folding, summed over the combos that others leave.

    `masks` are those who are in with and without the player, at most one other with them: over all boards.
    """
    stay = _when_folded(stakes, pairs, masks[1], hero, room)
    room.leads[:] = 0
    used, other = np.uint64(0), -1
    for place in range(len(room.combos)):
        if place != hero:
            used |= pairs.cards[room.combos[place]]
            if masks[0] >> place & 1:
                other = place
    won = tied = lost = room.alone[hero, hero]
    theirs = 0
    if other >= 0:
        won, tied, lost = _against_one(stakes, hero, other, hero, room)
        theirs = room.combos[other]
    for combo in range(len(pairs.cards)):
        if pairs.cards[combo] & used == np.uint64(0):
            lead = won - stay
            if other >= 0:
                loses, ties = pairs.equities[theirs, combo], pairs.ties[theirs, combo]
                lead = (1 - loses - ties / 2) * won + ties * tied + (loses - ties / 2) * lost - stay
            room.leads[pairs.classes[combo]] += lead


@kernel
def _fill_worth_by_order(stakes: Stakes, hero: int, mask: int, room: Room) -> int:
    """Fill `room.by_order` with what a player has who is below, with, between or above the others of a mask.

    `room.order` is filled with the others' strengths, each once, rising; return how many.
    """
    count = 0
    for place in range(len(room.combos)):
        if place != hero and mask >> place & 1:
            strength, at = room.dealt[place], 0
            while at < count and room.order[at] < strength:
                at += 1
            if at == count or room.order[at] != strength:
                for later in range(count, at, -1):
                    room.order[later] = room.order[later - 1]
                room.order[at] = strength
                count += 1
    for place in range(len(room.combos)):
        for at in range(count):
            if room.order[at] == room.dealt[place]:
                room.strengths[place] = 2 * at + 1
    for at in range(2 * count + 1):
        room.strengths[hero] = at
        fill_worth(stakes, mask, room)
        room.by_order[at] = room.worth[hero]
    return count


@kernel
def _fill_leads_on_board(
    evaluator: EvaluatorTables,
    stakes: Stakes,
    pairs: Pairs,
    hero: int,
    masks: tuple[int, int],
    board: Board,
    room: Room,
) -> None:
    """Fill `room.leads` as `_fill_leads`, with several others in: on the board that was dealt.

    Combos that have a card of it are left out, and the others count for them.
    """
    _, _, row_offset, rank_strength, flush_strength = evaluator
    stay = _when_folded(stakes, pairs, masks[1], hero, room)
    count = _fill_worth_by_order(stakes, hero, masks[0], room)
    used = board.cards
    for place in range(len(room.combos)):
        if place != hero:
            used |= pairs.cards[room.combos[place]]
    left = 54.0 - 2 * len(room.combos)
    more = left * (left - 1) / ((left - 5) * (left - 6))
    room.leads[:] = 0
    for combo in range(len(pairs.cards)):
        if pairs.cards[combo] & used == np.uint64(0):
            key, mask = board.key + pairs.keys[combo], board.mask + pairs.masks[combo]
            strength, at = strength_of_key(row_offset, rank_strength, flush_strength, key, mask), 0
            while at < count and room.order[at] < strength:
                at += 1
            place = 2 * at + 1 if at < count and room.order[at] == strength else 2 * at
            room.leads[pairs.classes[combo]] += more * (room.by_order[place] - stay)


@kernel
def play_deals(
    evaluator: EvaluatorTables,
    pairs: Pairs,
    stakes: Stakes,
    deals: int,
    first: int,
    state: RandomState,
    strategies: Strategies,
    room: Room,
) -> None:
    """Play deals, each once for every player, and learn what their hands win more by going all-in than by folding.

    Counterfactual regret minimization with sampled opponents (Lanctot, Waugh, Zinkevich and Bowling 2009, "Monte
    Carlo Sampling for Regret Minimization in Extensive Games", external sampling). Later deals weigh more, in
    regrets by their number and in strategies by its square (Brown and Sandholm 2019, "Solving Imperfect-Information
    Games via Discounted Regret Minimization"). Regrets that never fall below 0 (CFR+) leave some of all hands
    all-in, since single deals pull them up again. Everybody acts once at most, so a strategy's own chance to get
    somewhere is always 1. Whatever the player holds, the others do the same, so a deal tells of all hands that they
    leave: against one of them over all boards.

    Parameters
    ----------
    deals, first : int
        How many, and how many there were before.
    """
    regrets, sums, weights = strategies
    players = len(stakes.stacks)
    deck = np.arange(52).astype(np.uint8)
    for deal in range(first, first + deals):
        board = _deal(evaluator, pairs, deck, state, room)
        for hero in range(players):
            before = _others_in(regrets, pairs.classes, 0, 0, hero, room)
            if hero == players - 1 and before == 0:
                continue
            stay = _others_in(regrets, pairs.classes, before, hero + 1, players, room)
            go = _others_in(regrets, pairs.classes, before | 1 << hero, hero + 1, players, room)
            others = go & ~(1 << hero)
            if others & (others - 1) == 0:
                _fill_leads(stakes, pairs, hero, (go, stay), room)
            else:
                _fill_leads_on_board(evaluator, stakes, pairs, hero, (go, stay), board, room)
            row = (1 << hero) - 1 + before
            weight = (deal + 1.0) ** 2
            weights[row] += weight
            for hand_class in range(_CLASSES):
                share, lead = _share_in(regrets, row, hand_class), room.leads[hand_class]
                sums[row, hand_class] += weight * share
                regrets[row, hand_class, 0] -= (deal + 1) * share * lead
                regrets[row, hand_class, 1] += (deal + 1) * (1 - share) * lead


def _prepare() -> None:
    cards, numbers = np.zeros(2, np.uint64), np.zeros((2, 2))
    pairs = Pairs(cards, np.zeros(2, np.int64), cards, cards, numbers, numbers, np.zeros((52, 52), np.int64))
    stakes = Stakes(np.full(3, 5), np.array([0, 1, 2]), 0, np.ones(1))
    play_deals(tables(), pairs, stakes, 1, 0, new_stream(0), new_strategies(3), new_room(stakes))
    shares = np.zeros(2)
    prize_shares(np.ones(2), np.ones(1), np.zeros(4), shares)


register_warm_up("push or fold", _prepare, at_start=False)
