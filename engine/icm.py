"""What stacks are worth in prizes: the independent chip model.

Whoever is first is drawn as if each chip had the same chance to win all, who is second from the others in the same
way, and so on (Malmuth, 1987, *Gambling Theory and Other Topics*; as a model of races Harville, 1973, *Assigning
probabilities to the outcomes of multi-entry competitions*). It knows no skill, no blinds and no seats; it is what
players divide prizes by and compare calls with. pokerkit's `calculate_icm` lists all orders of the prize winners,
of ten players with ten prizes 3.6 million, and is what the tests compare with.
"""

from collections.abc import Sequence


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
    with_chips = [seat for seat, stack in enumerate(stacks) if stack > 0]
    of_out = sum(prizes[len(with_chips) : len(stacks)]) / max(len(stacks) - len(with_chips), 1)
    shares = [0.0 if stack > 0 else of_out for stack in stacks]
    reached = {0: 1.0}  # by who has won the places so far, as bits: how probable
    for prize in prizes[: len(with_chips)]:
        following: dict[int, float] = {}
        for winners, chance in reached.items():
            left = [seat for seat in with_chips if not winners >> seat & 1]
            chips = sum(stacks[seat] for seat in left)
            for seat in left:
                part = chance * stacks[seat] / chips
                shares[seat] += part * prize
                after = winners | 1 << seat
                following[after] = following.get(after, 0.0) + part
        reached = following
    return tuple(shares)


def break_even_equity(stacks: Sequence[float], prizes: Sequence[float], one: int, other: int) -> float | None:
    """Return the share of the pot at which `one` may go all-in with `other` without losing prizes, 0-1.

    All that both have is at stake, as far as the shorter can match it, and nothing else is in the pot; in chips
    it would be a half. What is above a half is called the risk premium. None where no prize hangs on it.

    Examples
    --------
    >>> [round(break_even_equity(stacks, (50, 50), 0, 1) or 0, 3) for stacks in ((3, 3, 3), (6, 3, 3))]
    [0.667, 0.6]
    """
    stake = min(stacks[one], stacks[other])
    results = []
    for change in (-stake, 0, stake):
        after = list(stacks)
        after[one] += change
        after[other] -= change
        results.append(prize_shares(after, prizes)[one])
    lost, now, won = results
    return (now - lost) / (won - lost) if won > lost else None
