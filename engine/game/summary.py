"""What one finished hand came to: pot and how far it went, and for the seat that saw it place and result."""

from collections.abc import Sequence

from msgspec import Struct

from engine.cards import Street
from engine.game.events import HandStarted, Posted, PostKind, PotAwarded, PublicEvent, Seat
from engine.game.history import HandState
from engine.game.observation import HandView, Observation
from engine.game.statistics import count_hand

POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""Under the gun and behind it, lojack, hijack, cutoff, button, blinds: in the order of acting before the flop."""

_BLINDS = {PostKind.SMALL_BLIND: "SB", PostKind.BIG_BLIND: "BB"}
WALK = -1
"""In the place of the raises of a hand that everybody folded before the flop without any."""

_POT_TYPES = {WALK: "walk", 0: "limped", 1: "raised"}


class HandSummary(Struct, frozen=True):
    """What a hand came to; chips are in big blinds. Of a hand that was watched nobody has the place or the result.

    Attributes
    ----------
    position : str
        One of `POSITIONS`; "" of a hand that was watched.
    dealt_in : int
        Seats dealt in.
    raises : int
        Bets and raises before the flop, the blinds not counted.
    street : Street
        The last one that was dealt.
    went_to_showdown : bool
        Whether the seat was in at the showdown.
    pot, net : float
        All that was won, and what the seat won less what it put in.
    """

    position: str
    dealt_in: int
    raises: int
    street: Street
    went_to_showdown: bool
    pot: float
    net: float


def summary_of(final: HandView) -> HandSummary:
    """Return what a hand came to for the seat that saw it; `ValueError` if the events are no whole hand."""
    own = count_hand(final.events)[final.seat] if isinstance(final, Observation) else None
    hand = HandState.after(final.events)
    won = sum(event.amount for event in final.events if isinstance(event, PotAwarded))
    return HandSummary(
        position=positions(final.events)[final.seat] if isinstance(final, Observation) else "",
        dealt_in=len(hand.seats),
        raises=len(hand.raisers[Street.PREFLOP]),
        street=hand.street,
        went_to_showdown=own is not None and bool(own.went_to_showdown.done),
        pot=won / hand.started.big_blind,
        net=own.net_bb if own is not None else 0.0,
    )


def pot_type(raises: int) -> str:
    """Return what a pot of so many raises before the flop is called, or of `WALK`.

    >>> [pot_type(raises) for raises in range(-1, 5)]
    ['walk', 'limped', 'raised', '3-bet', '4-bet', '5-bet']
    """
    return _POT_TYPES.get(raises, f"{raises + 1}-bet")


def positions(events: Sequence[PublicEvent]) -> dict[Seat, str]:
    """Return each seat's place of `POSITIONS` in a hand, by the order of acting before the flop.

    The button is the button also heads-up, where it posts the small blind. The seats before it are cutoff, hijack
    and lojack, the first of four or more under the gun; of three it is under the gun and not lojack. Seats that
    are no blind and not the button are named by where they sit, and so are blinds that posted nothing: an ante may
    take all. `ValueError` if the first event starts no hand.
    """
    started = events[0] if events else None
    if not isinstance(started, HandStarted):
        raise ValueError("Places are those of a hand from its start.")
    dealt = [start.seat for start in started.seats]
    posted: dict[PostKind, Seat] = {}
    for event in events:
        # Who comes back may post a big blind, too.
        if isinstance(event, Posted) and event.kind in _BLINDS:
            posted.setdefault(event.kind, event.seat)
    after = [seat for seat in dealt if seat > started.button] + [seat for seat in dealt if seat <= started.button]
    is_heads_up = len(dealt) == 2
    big_blind = posted.setdefault(PostKind.BIG_BLIND, after[0 if is_heads_up else 1])
    # A big blind next to the button leaves no seat for a small one.
    if not is_heads_up and big_blind == after[1]:
        posted.setdefault(PostKind.SMALL_BLIND, after[0])
    named = {seat: _BLINDS[kind] for kind, seat in posted.items()}
    if started.button in dealt:
        named[started.button] = "BTN"
    between = [seat for seat in after if seat not in named]
    return {
        seat: named[seat] if seat in named else positions_between(len(between))[between.index(seat)]
        for seat in dealt
    }


def at_position(place: str) -> str:
    """Write in a sentence where somebody sits who is at one of `POSITIONS`.

    >>> [at_position(place) for place in ("UTG", "CO", "BTN", "BB")]
    ['UTG', 'in the CO', 'on the BTN', 'in the BB']
    """
    if place.startswith("UTG"):
        return place
    return f"on the {place}" if place == "BTN" else f"in the {place}"


def positions_between(count: int) -> tuple[str, ...]:
    """Return what so many seats behind the blinds and before the button are called.

    >>> positions_between(3)
    ('UTG', 'HJ', 'CO')
    """
    late = POSITIONS[4:7]
    if count <= 2:
        return late[len(late) - count :]
    early = max(count - len(late), 1)
    # Of ten seats without a small blind, one shares its name.
    first = (POSITIONS[min(at, 3)] for at in range(early))
    return (*first, *late[len(late) - count + early :])
