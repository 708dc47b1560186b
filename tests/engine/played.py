"""Whole hands, of a dealer or followed elsewhere, for the tests."""

from collections.abc import Callable

from engine.cards import HoleCards
from engine.game.events import Action, PublicEvent, Seat
from engine.game.observation import Observation
from engine.join.followed_hand import FollowedHand
from engine.play import Dealer


def play_hand(dealer: Dealer, policy: Callable[[Observation], Action] | None = None) -> tuple[PublicEvent, ...]:
    """Play one hand and return its events; `policy` acts for the seats without an agent, if there are any."""
    dealer.start_hand()
    while (seat := dealer.to_act) is not None:
        if seat in dealer.agents:
            decision = dealer.decide()
            dealer.apply(decision.action, decision)
        else:
            assert policy is not None
            dealer.apply(policy(dealer.observe(seat)))
    return dealer.events


def shown_of(hand: FollowedHand) -> dict[Seat, HoleCards]:
    """Return the hole cards that were shown, by seat."""
    return {view.seat: view.shown for view in hand.observe().seats if view.shown is not None}
