"""Who gets the pots of a hand: by the cards as far as they are known, or as a server says."""

from collections.abc import Mapping, Sequence

from engine.cards import HoleCards
from engine.game.events import Chips, PotAwarded, Seat
from engine.game.observation import Pot
from engine.game.replay import ToldHand


def awards_by_cards(hand: ToldHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Give who wins what by our rules, the hand unchanged.

    Parameters
    ----------
    hand : ToldHand
        With nobody left to act.
    cards : mapping of int to two Card
        Hole cards by place, as far as they are known.

    Returns
    -------
    tuple of PotAwarded, or None
        None where the cards of a live seat, or the board, are not all known; or where, by figures that a server
        gave, there are chips in the middle and nobody who has put in any for them.
    """
    live = [place for place, is_folded in enumerate(hand.per_place(hand.kernels.IS_FOLDED)) if not is_folded]
    strengths = [0] * len(hand.started.seats)
    if len(live) > 1:
        from engine.strength import strength

        if len(hand.board) < 5 or not cards.keys() >= set(live):
            return None
        for place in live:
            strengths[place] = strength(cards[place] + hand.board)
    if not live or not all(pot.seats for pot in hand.pots()):
        return None
    state = hand.state.copy()
    awards = hand.award(strengths)
    hand.state[:] = state
    return awards


def awards_of_huawei(hand: ToldHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Give who wins what where all that players have put in who fold goes to the main pot.

    Parameters and answer are those of `awards_by_cards`.
    """
    ours = awards_by_cards(hand, cards)
    if ours is None:
        return None
    kernels = hand.kernels
    committed, is_folded = hand.per_place(kernels.COMMITTED), hand.per_place(kernels.IS_FOLDED)
    count, button = len(committed), int(hand.state[kernels.BUTTON])
    order = [place for step in range(count) if not is_folded[place := (button + 1 + step) % count]]
    strengths = dict.fromkeys(order, 0)
    if len(order) > 1:
        from engine.strength import strength

        strengths = {place: strength(cards[place] + hand.board) for place in order}
    won = dict.fromkeys(order, 0)
    rest, below = sum(committed) - sum(committed[place] for place in order) + hand.dead, 0
    for top in sorted({committed[place] for place in order}):
        pot = rest + sum(min(committed[place], top) - min(committed[place], below) for place in order)
        rest, below = 0, top
        rivals = [place for place in order if committed[place] >= top]
        best = max(strengths[place] for place in rivals)
        winners = [place for place in rivals if strengths[place] == best]
        for number, place in enumerate(winners):
            won[place] += pot // len(winners) + (number < pot % len(winners))
    seats = [start.seat for start in hand.started.seats]
    return shared_out({seats[place]: chips for place, chips in won.items()}, hand.pots())


def awards_of_aigame(hand: ToldHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Give who wins what at the server of the Texas Hold'em AI Game.

    The best hands split what everybody has put in up to the least that one of them has, in whole chips; who of them
    has nothing more in is out, and it begins anew. What is left over is lost: odd chips, and what only players who
    have folded have put in. Parameters and answer are those of `awards_by_cards`.
    """
    ours = awards_by_cards(hand, cards)
    if ours is None:
        return None
    kernels = hand.kernels
    left, is_folded = hand.per_place(kernels.COMMITTED), hand.per_place(kernels.IS_FOLDED)
    live = [place for place in range(len(left)) if not is_folded[place]]
    strengths = dict.fromkeys(live, 0)
    if len(live) > 1:
        from engine.strength import strength

        strengths = {place: strength(cards[place] + hand.board) for place in live}
    won = dict.fromkeys(live, 0)
    while live:
        best = max(strengths[place] for place in live)
        winners = [place for place in live if strengths[place] == best]
        part = min(left[place] for place in winners)
        prize = sum(min(chips, part) for chips in left)
        left = [chips - min(chips, part) for chips in left]
        for place in winners:
            won[place] += prize // len(winners)
        live = [place for place in live if place not in winners or left[place]]
    seats = [start.seat for start in hand.started.seats]
    return shared_out({seats[place]: chips for place, chips in won.items()}, hand.pots())


def shared_out(won: Mapping[Seat, Chips], pots: Sequence[Pot]) -> tuple[PotAwarded, ...]:
    """Take what each seat won from the last pot down to the main pot, which also gives what is too much.

    Examples
    --------
    >>> for award in shared_out({1: 260, 2: 120}, [Pot(180, (0, 1, 2)), Pot(200, (0, 1))]):
    ...     print(award)
    PotAwarded(seat=1, pot=1, amount=200)
    PotAwarded(seat=1, pot=0, amount=60)
    PotAwarded(seat=2, pot=0, amount=120)
    """
    left = {seat: chips for seat, chips in won.items() if chips}
    awards: dict[tuple[int, Seat], Chips] = {}
    for number in reversed(range(len(pots))):
        rest = pots[number].amount
        for seat in left:
            share = min(left[seat], rest) if seat in pots[number].seats else 0
            left[seat] -= share
            rest -= share
            if share:
                awards[number, seat] = share
    for seat, chips in left.items():
        if chips:
            awards[0, seat] = awards.get((0, seat), 0) + chips
    return tuple(PotAwarded(seat, pot, chips) for (pot, seat), chips in awards.items())
