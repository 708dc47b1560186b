"""What the board's cards were worth to each player of a hand: the luck that is taken out of what was won.

When a board card is dealt, every pot so far has a mean over all boards that may come, for each player who can win
it, and the card moves it. That difference is luck: over all cards that could have come it is 0, whatever was done
before and is done later. So what was won less this luck is won as much in the mean, and varies less (an
advantage-sum estimator: Zinkevich et al., *Optimal unbiased estimators for evaluating agent performance*, AAAI
2006).

All-ins are a part of it. Where the betting ends before the river with two players or more, the luck of the cards
after that is all that the run-out changed, and what is left is each pot's exact equity at that moment. With
duplicate deals this part alone is no gain: where the same deck is played on without an all-in in another rotation,
the board's luck there cancels that of the run-out, and would no more.

Pots are counted exactly: side pots, split pots and odd chips too, in the mean over all boards with the hole cards
of everybody known. The cards of who has folded are dead. To take them as unknown, as trackers must, is slightly
off: players fold low cards more often than high ones. Only where a record does not have them they are.

Elsewhere a hand may be run more than once, and its events have the first board. What was won of all boards then
counts as what the run-out's last card came to.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from engine.cards import COMBO_COUNT, Card, HoleCards, Street, combo_of
from engine.equity.exact import plan_count
from engine.equity.matchups import heads_up_table
from engine.equity.question import LONGEST_EXACT_SECONDS
from engine.game.events import ActionTaken, BoardDealt, Chips, PotAwarded, PublicEvent, start_of
from engine.game.history import moments
from engine.game.rules import shares_of


def board_luck(events: Sequence[PublicEvent], hole_cards: Sequence[HoleCards | None]) -> NDArray[np.float64]:
    """Return how many chips the cards of each street were worth to each seat, on average over what might follow.

    Parameters
    ----------
    events : sequence of PublicEvent
        Of a whole hand.
    hole_cards : sequence of two Card or None
        Of each seat dealt in, in rising order; None where they are not known.

    Returns
    -------
    ndarray of float64, shape (3, seats)
        On the flop, turn and river; each row sums to 0, and is 0 where that street was not dealt, NaN for who could
        win a pot with a seat whose cards are not known. A third of a millisecond heads-up and 1.2 ms at six seats,
        in the mean of a match's hands.
    """
    luck = np.zeros((3, len(hole_cards)))
    last_act = max((at for at, event in enumerate(events) if isinstance(event, ActionTaken)), default=0)
    for at, (event, state) in enumerate(moments(events), 1):
        if isinstance(event, BoardDealt):
            pots, clockwise = state.pots_by_place(), state.clockwise()
            known = {place: cards for place, cards in enumerate(hole_cards) if cards is not None}
            told = [pot for pot in pots if known.keys() >= set(pot[1])]
            before, after = (
                mean_wins(told, clockwise, known, board) for board in (state.board, state.board + event.cards)
            )
            if event.street is Street.RIVER and at > last_act and len(told) == len(pots):
                after = _won_of_all_boards(events, after, len(pots))
            luck[event.street - 1] = after - before
            luck[event.street - 1, list({place for pot in pots if pot not in told for place in pot[1]})] = np.nan
    return luck


def _won_of_all_boards(events: Sequence[PublicEvent], wins: NDArray[np.float64], pots: int) -> NDArray[np.float64]:
    """Return what each place won, with its part of the rake, where that does not come of one board; or else `wins`.

    Of one board nobody gets more than `wins`, but for an odd chip of each pot that a site gives to another.
    """
    started = start_of(events)
    won = {start.seat: 0 for start in started.seats}
    for event in events:
        if isinstance(event, PotAwarded):
            won[event.seat] += event.amount
    found = np.array([*won.values()], np.float64)
    return found * (wins.sum() / found.sum()) if (found > wins + pots).any() else wins


def run_out_luck(events: Sequence[PublicEvent], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of `board_luck` that came when nobody could bet any more, for each seat.

    What is won less it is *all-in adjusted*; NaN where the run-out's luck is not known.
    """
    after = takewhile(lambda event: not isinstance(event, ActionTaken), reversed(events))
    streets = [event.street - 1 for event in after if isinstance(event, BoardDealt)]
    return np.asarray(luck[streets].sum(axis=0), np.float64)


def mean_wins(
    pots: Iterable[tuple[Chips, Collection[int]]],
    clockwise: Sequence[int],
    hole_cards: Mapping[int, HoleCards],
    board: tuple[Card, ...],
) -> NDArray[np.float64]:
    """Return what each place wins of pots, in the mean over all boards that begin so.

    Parameters
    ----------
    pots : iterable of int and collection of int
        Chips and the places that can win them.
    clockwise : sequence of int
        All places, from the left of the button.
    hole_cards : mapping of int to two Card
        Known ones by place, at least those of who can win a pot.
    board : tuple of Card
        0, 3, 4 or 5.

    Returns
    -------
    ndarray of float64, shape (places,)
    """
    wins = np.zeros(len(clockwise))
    for chips, places in pots:
        contenders = [place for place in clockwise if place in places]
        held = tuple(hole_cards[place] for place in contenders)
        dead = tuple(
            card for place in clockwise if place in hole_cards and place not in places for card in hole_cards[place]
        )
        for winners, chance in _chances(held, board, dead):
            for winner, share in zip(winners, shares_of(chips, len(winners)), strict=True):
                wins[contenders[winner]] += share * chance
    return wins


@lru_cache(maxsize=1024)
def _chances(
    held: tuple[HoleCards, ...], board: tuple[Card, ...], dead: tuple[Card, ...]
) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return which of some known hands win together, and how likely that is over all boards that begin so."""
    if len(held) == 1:
        return (((0,), 1.0),)
    if len(held) == 2 and not board and not dead:
        heads_up_table()  # counted once; without it every matchup is
    live = np.zeros((len(held), COMBO_COUNT))
    live[range(len(held)), [combo_of(*cards) for cards in held]] = 1
    counting = plan_count(live, board, dead, LONGEST_EXACT_SECONDS)
    assert counting is not None  # known hands take a millisecond at most
    for _ in counting.steps():
        pass
    chances = counting.outcomes / counting.outcomes.sum()
    return tuple(
        (tuple(player for player in range(len(held)) if won_by >> player & 1), float(chances[won_by]))
        for won_by in np.flatnonzero(chances).tolist()
    )
