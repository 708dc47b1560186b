"""Who gets the pots of a hand: by the cards as far as they are known, or as a server says."""

from collections.abc import Mapping, Sequence

from engine.cards import HoleCards
from engine.game.events import Chips, PotAwarded, Seat
from engine.game.observation import Pot
from engine.game.public_hand import PublicHand


def awards_by_cards(hand: PublicHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Return who wins what by our rules, nobody being left to act; `cards` are the known ones by place.

    None where a live seat's cards or the board are not all known, or where by a server's figures there are chips
    in the middle and nobody who has put in any for them.
    """
    betting = hand.betting
    strengths = _strengths(hand, cards)
    if not strengths or not all(pot.seats for pot in hand.pots()):
        return None
    return hand.announced(betting.awards([strengths.get(place, 0) for place in range(betting.players)]))


def _strengths(hand: PublicHand, cards: Mapping[int, HoleCards]) -> dict[int, int]:
    """Return the strength of each live place's hand, 0 if it is the only one; nothing where not all is known."""
    live = [place for place in hand.betting.clockwise() if not hand.betting.is_folded[place]]
    if len(live) < 2:
        return dict.fromkeys(live, 0)
    if len(hand.board) < 5 or not cards.keys() >= set(live):
        return {}
    from engine.strength import strength

    return {place: strength(cards[place] + hand.board) for place in live}


def awards_of_huawei(hand: PublicHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Return the same as `awards_by_cards`, but chips of players who folded all go to the main pot."""
    if awards_by_cards(hand, cards) is None:
        return None
    committed, strengths = hand.betting.committed, _strengths(hand, cards)
    order = list(strengths)
    won = dict.fromkeys(order, 0)
    rest, below = hand.betting.pot - sum(committed[place] for place in order), 0
    for top in sorted({committed[place] for place in order}):
        pot = rest + sum(min(committed[place], top) - min(committed[place], below) for place in order)
        rest, below = 0, top
        rivals = [place for place in order if committed[place] >= top]
        best = max(strengths[place] for place in rivals)
        winners = [place for place in rivals if strengths[place] == best]
        for number, place in enumerate(winners):
            won[place] += pot // len(winners) + (number < pot % len(winners))
    return shared_out({hand.seat(place): chips for place, chips in won.items()}, hand.pots())


def awards_of_aigame(hand: PublicHand, cards: Mapping[int, HoleCards]) -> tuple[PotAwarded, ...] | None:
    """Return who wins what at the server of the Texas Hold'em AI Game; None as in `awards_by_cards`.

    The best hands split what everybody has put in up to the least that one of them has, in whole chips; who of
    them has nothing more in is out, and so on. Odd chips, and what only folded players have put in, are lost.
    """
    if awards_by_cards(hand, cards) is None:
        return None
    left, strengths = list(hand.betting.committed), _strengths(hand, cards)
    live = sorted(strengths)
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
    return shared_out({hand.seat(place): chips for place, chips in won.items()}, hand.pots())


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
