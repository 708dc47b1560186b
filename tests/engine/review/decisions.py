"""Reviewed decisions that cost what a test says."""

from msgspec import structs

from engine.agents.agent import Values
from engine.cards import Street
from engine.game.events import CALL, FOLD
from engine.review.decision import ReviewedDecision
from engine.review.spots import Spot

FLOP = Spot(Street.FLOP, "BB", "a bet", "raised", "50-120 bb deep")
_CALLED = ReviewedDecision(
    event_count=9,
    spot=FLOP,
    action=CALL,
    values=Values((), 0),
    best=FOLD,
    big_blind=100,
    pot_bb=10.0,
    loss_bb=0.0,
    stderr=0.0,
    deals_stderr=0.0,
)


def decided(loss_bb: float, stderr: float, **others: object) -> ReviewedDecision:
    """Return a call on the flop that cost so much, where a fold was best; all of the error is of the deals."""
    fields = {"deals_stderr": stderr} | others
    return structs.replace(_CALLED, loss_bb=loss_bb, stderr=stderr, **fields)
