"""What surviving asks for in a tournament, whose places go by hands survived and then by chips.

*Risk* has a price: of two actions of the same value the one that risks more is worse, and the more so the fewer
chips are left to go on with. The choice goes by the certainty equivalent of a player with constant relative risk
aversion, to second order (Pratt, 1964, "Risk aversion in the small and in the large", Econometrica 32):
`_AVERSION`, where there are prizes `_AVERSION_FOR_PRIZES`, times the variance of the chips won, over twice the
chips that the action leaves in the mean, those that can still be bought included. With plenty of chips that is
next to nothing. Around the mean, and not around what folding leaves, since the last few chips would be folded for
any pot otherwise. For the same reason who has less than `_SHORT` big blinds is taken to have these: they will not
last long, whatever is folded.

*A large bluff* has to pay without its folds: how often strangers fold is what is known least, and a bluff that is
wrong about it ends the tournament. So a bet or raise of more than `_BLUFF` of all chips and `_FREE` big blinds
that would lose if nobody folded does not count the pot that folds win. Beside somebody all-in, who cannot fold, it
counts what it wins when called by whoever has the most chips.

*A lead is kept* once it cannot be lost: where there is a last hand, and blinds stay as they are, whoever would have
more than half of all chips after folding every hand to come is first, since nobody who has less than the rest of
them can be. That holds against any number of players and whatever they do. From then on nothing can be gained.
What can still be bought counts as its owner's, as it does for places at our own table and in the Huawei contest.
Where blinds rise, as in the AI Game, they would soon take more than any lead: hands there do not say how many are
left, and no lead is kept.
"""

from engine.agents.agent import Figure
from engine.cards import Street
from engine.game.events import Action, ActionKind, Chips, GameKind, Posted, PostKind, start_of
from engine.game.observation import Observation

_AVERSION = 3.0
"""Relative risk aversion: 1 would be a player who maximises the logarithm of the chips."""

_AVERSION_FOR_PRIZES = 1.0
"""The same where the first places win prizes, which are worth more than to be out late.

With 3 tens and ace-queen were folded first in from the button with 25 to 75 big blinds.
"""

_LATER = 0.25
"""What part of a risk counts that later decisions take; where none can follow, all of it counts.

In the paper's match of eight, with all of it counted, aversions of 0.5 and 1.2 ended early more often, and those of
2.6 and 4.2 won too few chips to come first (`docs/values.md`).
"""

_SHORT = 25
"""Big blinds, fewer than which count as so many in the price of risk."""

_BLUFF, _FREE = 0.12, 10
"""Share of all chips, and big blinds, that a bluff may take and count on folds."""

KEPT, OTHERS = "chips kept by folding", "chips of all others then"
"""Names of the figures by which a lead is kept."""


def price_of_risk(
    observation: Observation,
    action: Action,
    *,
    value: float,
    deviation: float,
    all_fold: float,
    called_equity: float | None,
) -> float:
    """Return what the risk of an action costs in chips, of a large bluff what folds win as well; 0 in a cash game.

    No risk makes an action worth less than the loss of all chips.

    Parameters
    ----------
    observation : Observation
        Its seat is to act.
    value, deviation : float
        Mean and standard deviation of the chips won from here on.
    all_fold : float
        Probability that all others fold before the seat acts again, 0-1.
    called_equity : float or None
        Share of the pot at a showdown against those who do not, 0-1; None if all always fold.
    """
    if observation.kind is not GameKind.TOURNAMENT:
        return 0.0
    chips = _own_chips(observation)
    aversion = _AVERSION_FOR_PRIZES if start_of(observation.events).payouts else _AVERSION
    price = aversion * deviation**2 / (2 * max(chips + value, _SHORT * observation.big_blind))
    price *= _LATER + (1 - _LATER) * _taken_now(observation, action)
    stake = min(action.raise_to, observation.reach_of_opponents) - observation.me.bet
    if stake > max(_BLUFF * chips, _FREE * observation.big_blind):
        won_by_folds = all_fold * observation.pot
        if called_equity is not None and any(view.is_all_in for view in observation.opponents):
            won_by_folds = value - _value_when_called(observation, action, called_equity)
        price += won_by_folds if value < won_by_folds else 0
    return min(price, max(chips + value, 0.0))  # nothing is worse than to lose all chips for sure


def _taken_now(observation: Observation, action: Action) -> float:
    """Return the share of the chips behind that an action puts in; 1 where no decision can follow."""
    legal, me = observation.legal, observation.me
    assert legal is not None
    paid = {ActionKind.CALL: legal.call_amount, ActionKind.RAISE: action.raise_to - me.bet}.get(action.kind, 0)
    if observation.street is Street.RIVER or me.bet + paid >= observation.reach_of_opponents:
        return 1.0
    return paid / me.stack


def _value_when_called(observation: Observation, action: Action, equity: float) -> float:
    """Return what a raise wins where the opponent of most chips calls it and there is no more betting."""
    caller = max(observation.opponents, key=lambda view: view.stack + view.bet)
    level = min(action.raise_to, caller.stack + caller.bet)
    paid = level - observation.me.bet
    return equity * (observation.pot + paid + level - caller.bet) - paid


def kept_lead(observation: Observation) -> tuple[Figure, ...]:
    """Return by which chips the first place is sure if the seat folds from here on; empty if it is not.

    Nobody knows how many players there will be, so that blinds are taken to come as often as for two.
    """
    started = start_of(observation.events)
    if observation.kind is not GameKind.TOURNAMENT or started.hands_left is None:
        return ()
    kept = _own_chips(observation) - _cost_of_folding(observation, started.hands_left)
    others = sum(seat.stack + seat.reserve for seat in started.seats) - kept
    if kept <= others or kept < observation.big_blind:
        return ()
    return (Figure(KEPT, kept, 0.0), Figure(OTHERS, others, 0.0))


def counts_rebuys(observation: Observation) -> bool:
    """Return whether somebody can still buy chips."""
    return any(seat.reserve for seat in start_of(observation.events).seats)


def _own_chips(observation: Observation) -> Chips:
    """Return the chips behind, and those that can still be bought."""
    reserve = next(seat.reserve for seat in start_of(observation.events).seats if seat.seat == observation.seat)
    return observation.me.stack + reserve


def _cost_of_folding(observation: Observation, hands: int) -> Chips:
    """Return the most that blinds and antes of so many hands can take."""
    kinds = {event.kind for event in observation.events if isinstance(event, Posted)}
    has_big_blind = len(observation.seats) > 2 or PostKind.BIG_BLIND in kinds
    blinds = (observation.big_blind, observation.small_blind) if has_big_blind else (observation.small_blind, 0)
    laps, rest = divmod(hands, 2)
    big_blinds = laps + rest
    return (
        big_blinds * (blinds[0] + start_of(observation.events).big_blind_ante)
        + laps * blinds[1]
        + hands * observation.ante
    )
