"""What a strategy of the small game wins there against another one, and loses to a best response to it."""

import numpy as np
from numpy.typing import NDArray

from engine.agents.near_equilibrium.betting_tree import BLINDS, End, Place, betting_tree
from engine.agents.near_equilibrium.strategy import Strategy
from engine.equity.snapshot import Estimate, Method
from engine.lab.near_equilibrium.small_game import Deals, Odds, winnings


def small_blind_wins(first: Strategy, second: Strategy, deals: Deals, odds: Odds) -> NDArray[np.float64]:
    """Return what the small blind wins on average in each deal, in big blinds, playing the first strategy."""

    def value(place: Place | End) -> NDArray[np.float64]:
        buckets = deals.buckets[:, place.street]
        if isinstance(place, End):
            return _ends(place, buckets, odds)
        chances = (first, second)[place.player][place.number][buckets[:, place.player]]
        return sum((chances[:, at] * value(after) for at, after in enumerate(place.steps.values())), np.zeros(()))

    return value(betting_tree()[0]) / BLINDS[1]


def best_response(player: int, strategy: Strategy, deals: Deals, odds: Odds) -> Strategy:
    """Return what a player does best at each place and with each bucket against a strategy, as far as deals tell.

    It knows the betting and the bucket of the street, as the strategy does. One that also remembered the buckets of
    earlier streets would win more: what this one wins is a lower bound.
    """
    best: list[NDArray[np.float64]] = [np.zeros(table.shape) for table in strategy]

    def value(place: Place | End, reach: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the player wins in each deal from a place; the opponent comes there so often."""
        buckets = deals.buckets[:, place.street]
        if isinstance(place, End):
            return _ends(place, buckets, odds) * (1 - 2 * player)
        mine = buckets[:, place.player]
        if place.player != player:
            chances = strategy[place.number][mine]
            total = np.zeros(len(mine))
            for at, after in enumerate(place.steps.values()):
                total += chances[:, at] * value(after, reach * chances[:, at])
            return total
        values = [value(after, reach) for after in place.steps.values()]
        table = best[place.number]
        sums = [np.bincount(mine, reach * one, len(table)) for one in values]
        choice = np.argmax(sums, axis=0)
        table[np.arange(len(table)), choice] = 1.0
        chosen: NDArray[np.float64] = np.choose(choice[mine], values)
        return chosen

    value(betting_tree()[0], np.ones(len(deals.buckets)))
    return tuple(best)


def exploitability(strategy: Strategy, known: Deals, fresh: Deals, odds: Odds) -> Estimate:
    """Return what best responses found on some deals win on others, in big blinds a hand, the mean of both seats.

    It is 0 for an equilibrium, and a lower bound, as of `best_response`.
    """
    responses = [best_response(player, strategy, known, odds) for player in (0, 1)]
    won = small_blind_wins(responses[0], strategy, fresh, odds) - small_blind_wins(
        strategy, responses[1], fresh, odds
    )
    return Estimate(float(won.mean()) / 2, Method.SAMPLED, float(won.std(ddof=1)) / 2 / len(won) ** 0.5, len(won))


def _ends(end: End, buckets: NDArray[np.uint8], odds: Odds) -> NDArray[np.float64]:
    if end.folder is not None:
        return np.full(len(buckets), winnings(end, 0.0))
    shares: NDArray[np.float64] = odds[end.street][buckets[:, 0], buckets[:, 1]]
    return (2 * shares - 1) * min(end.committed)
