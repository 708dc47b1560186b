"""Whole hands of a dealer, for the tests."""

from collections.abc import Callable

from engine.game.events import Action, PublicEvent
from engine.game.observation import Observation
from engine.play import Dealer


def play_hand(dealer: Dealer, policy: Callable[[Observation], Action]) -> tuple[PublicEvent, ...]:
    """Play one hand and return its events; `policy` acts for the seats without an agent."""
    dealer.start_hand()
    while (seat := dealer.to_act) is not None:
        if seat in dealer.agents:
            decision = dealer.decide()
            dealer.apply(decision.action, decision)
        else:
            dealer.apply(policy(dealer.observe(seat)))
    return dealer.events
