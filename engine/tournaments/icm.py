"""What stacks are worth in prizes: the independent chip model.

Whoever is first is drawn as if each chip had the same chance to win all, who is second from the others in the same
way, and so on (Malmuth, 1987, *Gambling Theory and Other Topics*; as a model of races Harville, 1973, *Assigning
probabilities to the outcomes of multi-entry competitions*). It knows no skill, no blinds and no seats; it is what
players divide prizes by and compare calls with. pokerkit's `calculate_icm` lists all orders of the prize winners,
of ten players with ten prizes 3.6 million, and is what the tests compare with.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from engine.words import counted

MOST_PLAYERS: Final = 10
_MOST_CHIPS = 10**12


class IcmError(ValueError):
    """Stacks and prizes that say nothing; the message names the value and the rule."""


class PrizeTable(Struct, frozen=True):
    """What each of some stacks is worth, and at which equity each may go all-in with each other.

    Attributes
    ----------
    stacks, prizes : tuple of float
        As asked.
    worth : tuple of float
        Mean prize of each player, in the unit of the prizes.
    break_even : tuple of tuple of float or None
        Row by row for each player, 0-1: the share of the pot at which they may go all-in with each other one
        without losing prizes, nothing else being in it. In chips it would be a half; what is above that is called
        the risk premium. None against oneself, and where no prize hangs on it.
    """

    stacks: tuple[float, ...]
    prizes: tuple[float, ...]
    worth: tuple[float, ...]
    break_even: tuple[tuple[float | None, ...], ...]


def prize_table(stacks: Sequence[float], prizes: Sequence[float]) -> PrizeTable:
    """Return all there is to say of some players' stacks, all of whom have chips; 0.1 s for ten players and prizes.

    Raises
    ------
    IcmError
        If that is no tournament: too few or many players, no prizes, more than players, or worse ones for better
        places.

    Examples
    --------
    >>> prize_table((3000, 3000, 3000), (50, 50)).break_even[0]
    (None, 0.6666666666666666, 0.6666666666666666)
    """
    count = len(stacks)
    if not 2 <= count <= MOST_PLAYERS:
        raise IcmError(f"Prizes are divided among 2 to {MOST_PLAYERS} players with chips, not {count}.")
    for number, stack in enumerate(stacks, start=1):
        if not 0 < stack <= _MOST_CHIPS:
            raise IcmError(
                f"A stack is more than no chips and at most {_MOST_CHIPS:,}, not {stack:,g} (player {number})."
            )
    check_prizes(count, prizes)
    worth = prize_shares(stacks, prizes)
    break_even: list[list[float | None]] = [[None] * count for _ in stacks]
    for one, other in combinations(range(count), 2):
        won, lost = _after_all_in(stacks, prizes, one, other), _after_all_in(stacks, prizes, other, one)
        for seat, opponent, best, worst in ((one, other, won, lost), (other, one, lost, won)):
            if best[seat] > worst[seat]:
                break_even[seat][opponent] = (worth[seat] - worst[seat]) / (best[seat] - worst[seat])
    return PrizeTable(tuple(stacks), tuple(prizes), worth, tuple(map(tuple, break_even)))


def check_prizes(players: int, prizes: Sequence[float]) -> None:
    """Raise IcmError unless so many players can play for these prizes."""
    if not prizes:
        raise IcmError("There is no prize.")
    if len(prizes) > players:
        raise IcmError(
            f"There are {counted(len(prizes), 'prize')} for {players} players: of those who are left alone."
        )
    if prizes[0] <= 0 or not all(0 <= prize <= _MOST_CHIPS for prize in prizes):
        raise IcmError(f"Prizes are numbers from 0 to {_MOST_CHIPS:,}, the first above 0.")
    for place, (better, worse) in enumerate(pairwise(prizes), start=1):
        if better < worse:
            raise IcmError(f"Place {place} wins {better:,g} and place {place + 1} more, {worse:,g}.")


def _after_all_in(stacks: Sequence[float], prizes: Sequence[float], winner: int, loser: int) -> tuple[float, ...]:
    """Return what all are worth once a player has won what another can match, and nothing else."""
    stake = min(stacks[winner], stacks[loser])
    after = list(stacks)
    after[winner] += stake
    after[loser] -= stake
    return prize_shares(after, prizes)


def prize_shares(stacks: Sequence[float], prizes: Sequence[float]) -> tuple[float, ...]:
    """Return what each player wins of the prizes in the mean.

    Parameters
    ----------
    stacks : sequence of float
        Chips of each player, 0 for who goes out now: they have the last places, in equal parts. At least one has
        chips; n players take 2^n steps at most.
    prizes : sequence of float
        By place, the first first, in any unit; of n players n at most count.

    Examples
    --------
    >>> [round(share, 2) for share in prize_shares((50, 30, 20), (70, 30))]
    [45.18, 32.25, 22.57]
    """
    from engine.kernels.push_or_fold import prize_shares as fill_shares

    shares = np.zeros(len(stacks))
    fill_shares(np.array(stacks, np.float64), np.array(prizes, np.float64), np.zeros(1 << len(stacks)), shares)
    return tuple(shares.tolist())
