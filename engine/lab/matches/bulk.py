"""Matches of compiled styles, many hands at a time: what `engine.lab.matches.playing` would play, hand for hand.

Decks, seats, random numbers, rules and decisions are those of the ordinary table; kernels repeat them
(`engine.kernels.bulk`), and tests hold them equal.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import ceil

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, Card, HoleCards
from engine.figures.board_luck import mean_wins
from engine.game.events import Chips
from engine.game.rules import Betting
from engine.game.statistics import PlayerStatistics, Ratio
from engine.kernels import playing
from engine.kernels.bulk import hands as bulk
from engine.kernels.bulk import styles as bulk_styles
from engine.lab.matches.counted.hand_equities import hand_equities
from engine.lab.matches.counted.tally import MatchTally

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_BATCHES, _MOST_DECKS = 100, 500
"""Of a short match, that its progress can be seen; of a long one, that a batch takes tenths of a second."""

_BOARD_CARDS = 0, 3, 4, 5


class BulkMatch:
    """A match of a cash game between compiled styles.

    Parameters
    ----------
    start : Betting
        How hands begin: all with the same stack, and the button at the last place.
    stack : int
        Chips of each before the blinds are posted.
    rotations : int
        How often each deck is played.
    seed : int
    styles : Styles
        As `compiled` returns them.
    is_drawn : bool
        Whether the order of the styles is drawn for each deck, rather than as they are named.
    """

    def __init__(
        self,
        start: Betting,
        stack: Chips,
        rotations: int,
        *,
        seed: int,
        styles: bulk_styles.Styles,
        is_drawn: bool = True,
    ) -> None:
        self.seats = start.players
        self.rotations = rotations
        self.stack = stack
        self.big_blind = start.rules.big_blind
        self.styles = styles
        self._is_drawn = is_drawn
        self._start = moment_of(start)
        self._spot = bulk_styles.new_spot(seed, self.seats)
        self._room = bulk.new_room(self._start)

    def play(self, first: int, decks: int) -> "Played":
        """Play some of the decks, from number `first` on, the first of a match being 0."""
        spot, count = self._spot, len(self.styles.kinds)
        dealt = np.zeros((decks, CARD_COUNT), np.uint8)
        bulk.deal_decks(spot, first + 1, dealt)
        orders = np.tile(np.arange(count, dtype=np.uint8), (decks, 1))
        if self._is_drawn:
            bulk.draw_orders(spot, first, orders)
        seats = self._seats(first, decks)
        # The ring of players stands at the seats turned by the rotation.
        ring = (seats[:, None, :] - np.arange(self.rotations)[:, None]) % self.seats
        seated = orders[np.arange(decks)[:, None, None], ring % count].astype(np.int64)
        outcome = bulk.new_outcome(seated, count)
        hands = bulk.Hands(dealt, seated, np.full((decks, 3, self.seats), np.nan), first + 1)
        while outcome.waits.any():
            bulk.play_hands(self._start, hands, self.styles, spot, self._room, outcome)
            for street in range(3):
                waiting = np.flatnonzero(outcome.waits[:, street])
                cards = dealt[waiting, : 2 * self.seats].reshape(len(waiting), 2, self.seats)
                board = dealt[waiting, 2 * self.seats : 2 * self.seats + _BOARD_CARDS[street + 1]]
                hands.equities[waiting, street] = hand_equities(cards.transpose(0, 2, 1).copy(), board.copy())
        outcome.stacks[:] -= self.stack
        return Played(self, seats, hands, outcome)

    def _seats(self, first: int, decks: int) -> Integers:
        """Return the seat of each place for every deck: shape (decks, seats)."""
        last_big_blind = np.arange(first, first + decks) % self.seats
        button = last_big_blind if self.seats == 2 else last_big_blind - 1
        return (button[:, None] + 1 + np.arange(self.seats)) % self.seats

    def tallies(self, tally: MatchTally, decks: int, clock: Callable[[], float]) -> Iterator[MatchTally]:
        """Play that many decks and count them; the same tally after one and then so many at a time."""
        done, at_a_time = 0, min(ceil(decks / _BATCHES), _MOST_DECKS)
        while done < decks:
            several = min(at_a_time, decks - done) if done else 1
            started = clock()
            played = self.play(done, several)
            seconds = clock() - started
            tally.decisions += played.decisions
            if done:
                tally.timed += played.decisions
                tally.seconds += seconds * played.decisions / max(played.decisions.sum(), 1)
            played.add_to(tally)
            done += several
            yield tally


class Played:
    """What came of some decks; places are counted from the left of the button."""

    def __init__(self, match: BulkMatch, seats: Integers, hands: bulk.Hands, outcome: bulk.Outcome) -> None:
        self._match = match
        self._seats = seats
        self._hands = hands
        self._outcome = outcome

    @property
    def decisions(self) -> Integers:
        """How many each style made: shape (styles,)."""
        counts: Integers = self._outcome.counts[:, :, bulk.DECISIONS].sum(axis=0)
        return counts

    def net(self) -> Integers:
        """Return chips won less chips lost: shape (decks, rotations, places)."""
        return self._outcome.stacks

    def luck(self) -> Floats:
        """Return what the board's cards were worth to each place: shape (decks, rotations, 3, places)."""
        decks, rotations, places = self._outcome.stacks.shape
        luck = np.zeros((decks, rotations, 3, places))
        clockwise = range(places)
        dealt = [street.tolist() for street in np.nonzero(self._outcome.pots[..., 0, 0])]
        for deck, rotation, street in zip(*dealt, strict=True):
            cards, board = _cards(self._hands.decks[deck], places)
            hole_cards = dict(enumerate(cards))
            pots = _pots(self._outcome.pots[deck, rotation, street].tolist(), places)
            before, after = (
                mean_wins(pots, clockwise, hole_cards, board[: _BOARD_CARDS[at]]) for at in (street, street + 1)
            )
            luck[deck, rotation, street] = after - before
        return luck

    def add_to(self, tally: MatchTally) -> None:
        """Count the decks, each an observation, as if their hands had been added one by one."""
        net, luck, seated = self.net(), self.luck(), self._hands.seated
        adjusted = net - luck.sum(axis=2)
        for at, statistics in enumerate(self.statistics(tally.statistics)):
            tally.statistics[at] = statistics
        order = np.argsort(self._seats, axis=1)
        for deck in range(len(net)):
            for rotation in range(net.shape[1]):
                for place in order[deck].tolist():
                    won = net[deck, rotation, place], adjusted[deck, rotation, place], 1
                    tally.observations.current[:, seated[deck, rotation, place]] += won
            tally.end_deck()

    def statistics(self, before: Sequence[PlayerStatistics]) -> list[PlayerStatistics]:
        """Return the statistics of each style, those of earlier hands included."""
        net, seated = self.net(), self._hands.seated
        order = np.argsort(self._seats, axis=1)[:, None, :]
        in_order, styles = (np.take_along_axis(values, order, 2).ravel() for values in (net, seated))
        counts = self._outcome.counts.sum(axis=0).tolist()
        found = []
        for style, earlier in enumerate(before):
            of_style = in_order[styles == style].tolist()
            big_blinds = accumulate((chips / self._match.big_blind for chips in of_style), initial=earlier.net_bb)
            *_, net_bb = big_blinds
            added = earlier + _statistics(counts[style], len(of_style), sum(of_style))
            found.append(replace(added, net_bb=net_bb))
        return found


def moment_of(betting: Betting) -> playing.Moment:
    """Return a hand as it begins, as the kernels have it."""
    rules, places = betting.rules, betting.players
    seats = np.zeros((places, playing.SEAT_NUMBERS), np.int64)
    seats[:, playing.STACK], seats[:, playing.BET] = betting.stacks, betting.bets
    seats[:, playing.COMMITTED], seats[:, playing.ANSWERED] = betting.committed, -1
    price = rules.big_blind if betting.straddle_place is None else rules.straddle
    hand = np.zeros(playing.HAND_NUMBERS, np.int64)
    hand[playing.TO_ACT] = -1 if betting.to_act is None else betting.to_act
    hand[playing.FULL_RAISE] = price
    hand[playing.RAISER :] = -1
    of_raises = rules.max_raises, rules.raises_to_twice
    stakes = np.array([0, rules.big_blind, betting.button, price, betting.posted_for_all, *of_raises], np.int64)
    return playing.Moment(seats, hand, np.zeros(playing.SIZE_NUMBERS), stakes)


def _cards(deck: NDArray[np.uint8], places: int) -> tuple[list[HoleCards], tuple[Card, ...]]:
    """Return the hole cards of each place, and the whole board."""
    cards = [Card(card) for card in deck[: 2 * places + 5].tolist()]
    pairs = zip(cards[:places], cards[places : 2 * places], strict=True)
    return [(max(pair), min(pair)) for pair in pairs], tuple(cards[2 * places :])


def _pots(pots: list[list[int]], places: int) -> list[tuple[Chips, tuple[int, ...]]]:
    """Return chips and possible winners of each pot."""
    return [
        (chips, tuple(place for place in range(places) if winners >> place & 1)) for chips, winners in pots if chips
    ]


def _statistics(counts: list[int], hands: int, net: Chips) -> PlayerStatistics:
    """Return what was counted of a style."""

    def ratio(done: int, chances: int) -> Ratio:
        return Ratio(counts[done], counts[chances])

    return PlayerStatistics(
        hands=hands,
        vpip=ratio(bulk.VPIP, bulk.ENTERED),
        pfr=ratio(bulk.PFR, bulk.ENTERED),
        three_bet=ratio(bulk.THREE_BET, bulk.COULD_THREE_BET),
        fold_to_three_bet=ratio(bulk.FOLDED_TO_THREE_BET, bulk.FACED_THREE_BET),
        c_bet=ratio(bulk.C_BET, bulk.COULD_C_BET),
        fold_to_c_bet=ratio(bulk.FOLDED_TO_C_BET, bulk.FACED_C_BET),
        aggression=ratio(bulk.AGGRESSIVE, bulk.CALLED),
        went_to_showdown=ratio(bulk.AT_SHOWDOWN, bulk.SAW_FLOP),
        won_at_showdown=ratio(bulk.WON_SHOWDOWN, bulk.AT_SHOWDOWN),
        net=net,
    )
