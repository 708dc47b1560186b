"""What the rules of rule-based players say in words, for `engine.agents.explain`.

Names in braces are figures of the trace, and the action.
"""

from engine.agents.rule_based.people import (
    BIG_STACK,
    BLUFFING,
    CALM,
    EVEN_STACK,
    HIGH_GEAR,
    LOW_GEAR,
    ON_TILT,
    SHORT_STACK,
    STRAIGHT,
    TRAPPING,
    VALUE_BETTING,
)
from engine.agents.rule_based.plays import HOW_OFTEN
from engine.agents.rule_based.pool import AGGRESSION_NOW, HANDS_LEFT, PLAYED_NOW

_AS_GOOD = "{share of hands at least as strong} of hands are as good or better"
_BEATS = "We beat a random hand {win rate against any hand} of the time"

_OFTEN = f"{{{HOW_OFTEN}}} of the time"

_SOMETHING = "a pair or better, an ace or a draw"

SENTENCES: dict[str, str] = {
    "steal": f"Nobody has come in and few are left, so we steal with a fair hand, {_OFTEN}: {{act}}.",
    "squeeze": f"One has raised and others only called: a good hand squeezes them, {_OFTEN}: {{act}}.",
    "light_three_bet": f"Who raised from late may have little: a fair hand raises again, {_OFTEN}: {{act}}.",
    "limp_trap": f"One of the best hands waits for somebody to raise, {_OFTEN}: {{act}}.",
    "limp_reraise": f"Somebody raised into one of the best hands, which had waited, {_OFTEN}: {{act}}.",
    "push": f"With so short a stack a hand like this goes all-in, {_OFTEN}: {{act}}.",
    "c_bet": f"We raised last before the flop and go on with a continuation bet, {_OFTEN}: {{act}}.",
    "second_barrel": f"Our bet on the flop was called, and this turn is good for another, {_OFTEN}: {{act}}.",
    "check_raise_check": f"They have the lead and will likely bet, and we mean to raise that, {_OFTEN}: {{act}}.",
    "check_raise": f"We checked to raise their bet, {_OFTEN}: {{act}}.",
    "slow_play_check": f"A very strong hand on a quiet board plays slowly, {_OFTEN}: {{act}}.",
    "slow_play_call": f"A very strong hand on a quiet board lets them go on betting, {_OFTEN}: {{act}}.",
    "blocking_bet": f"A fair hand sets its own small price before they set a big one, {_OFTEN}: {{act}}.",
    "float": f"We have nothing, but act last and can take the pot on the turn, so we float, {_OFTEN}: {{act}}.",
    "float_bet": f"They bet the flop and give up on the turn, as we floated for, {_OFTEN}: {{act}}.",
    "position_call": f"We act last, and {_SOMETHING} calls a bet of the pot or less, {_OFTEN}: {{act}}.",
    "position_bet": f"They bet the flop and check the turn, and {_SOMETHING} bets, {_OFTEN}: {{act}}.",
    "probe": f"Who raised before the flop did not bet it: we probe, {_OFTEN}: {{act}}.",
    "lead": f"We bet into who raised before the flop before they can, {_OFTEN}: {{act}}.",
    "overbet": f"A hand that beats nearly all bets more than the pot, {_OFTEN}: {{act}}.",
    "overbet_bluff": f"With nothing we go on with more than the pot, {_OFTEN}: {{act}}.",
    "preflop_raise": _AS_GOOD + ", and we open the best {raises with}: {act}.",
    "preflop_raise_again": _AS_GOOD + ", and we reraise the best {raises with}: {act}.",
    "preflop_limp": _AS_GOOD + ", and we come in with the best {calls with}: {act}.",
    "preflop_call": _AS_GOOD + ", and we call with the best {calls with}: {act}.",
    "preflop_check": "Checking is free: {act}.",
    "preflop_fold": _AS_GOOD + ", and we play only the best {calls with}: {act}.",
    "check": "With {win rate against any hand} against a random hand there is no reason to bet: {act}.",
    "value_bet": _BEATS + " and bet from {bets from}: {act}.",
    "semi_bluff": "A draw bets {bluffs below} of the time: {act}.",
    "bluff": "We bluff {bluffs below} of the time: {act}.",
    "value_raise": _BEATS + " and raise from {raises from}: {act}.",
    "call_strength": _BEATS + " and call from {calls from}: {act}.",
    "call_draw": "A draw calls as long as it costs at most {draws call up to} of the pot: {act}.",
    "fold_weak": _BEATS + " and call from {calls from}: {act}.",
    "holds_strong": "We have top pair or better, or a strong draw, and these call any bet: {act}.",
    "lacks_strong": "Only top pair or better, or a strong draw, calls a bet, and we have neither: {act}.",
    "holds_something": "We have an ace, a pair or a draw, and these call any bet: {act}.",
    "lacks_something": "We have no ace, no pair and no draw: {act}.",
    "lead_fold": "We have {stack over the average} times the average stack and keep it: {act}.",
    "adapted_to_folds": "We expect bets after the flop to be folded to {folds to bets} of the time: {act}.",
    "adapted_to_bets": "We expect the last to bet to do so {bets after the flop} of the time: {act}.",
    "adapted_to_opens": "We expect the last to raise to open {raises first} of hands: {act}.",
    "adapted_to_reraises": "We expect the last to raise to raise again {raises again} of the time: {act}.",
    "policy": "The network does this {odds of what was drawn} of the time in such a spot: {act}.",
    "policies_mixed": "The policies against the styles that they play most like do this "
    "{odds of what was drawn} of the time: {act}.",
    "policies_alike": "The policies against each style, all taken alike, do this {odds of what was drawn} of the "
    "time: {act}.",
    "policy_for_all": "Too little is known of them yet: the policy against all styles does this "
    "{odds of what was drawn} of the time: {act}.",
    "near_equilibrium": "By the small game that was solved such a hand does this {odds of what was drawn} of the "
    "time: {act}.",
    "near_equilibrium_nearest": "The small game has no such betting; where it is most alike such a hand does this "
    "{odds of what was drawn} of the time: {act}.",
    "always_fold": "This player never pays to go on, whatever their cards: {act}.",
    "always_check": "It is free, and this player does the same with all cards: {act}.",
    "always_call": "This player calls with all cards: {act}.",
    "always_raise": "This player raises with all cards: {act}.",
    "random_fold": "The number drawn was {drawn number}: {act}.",
    "random_check": "The number drawn was {drawn number}: {act}.",
    "random_call": "The number drawn was {drawn number}: {act}.",
    "random_raise": "The number drawn was {drawn number}, the size {size over the pot} of the pot, as far as the "
    "rules allow: {act}.",
}
"""A sentence per rule."""

STATES: dict[str, str] = {
    LOW_GEAR: f"We play soundly for {{{LOW_GEAR}}} hands, this one included, and change gear then.",
    HIGH_GEAR: f"We play fast for {{{HIGH_GEAR}}} hands, this one included, and change gear then.",
    CALM: f"We are calm. Hands since we sat down or lost 20 big blinds or more in one: {{{CALM}}}.",
    ON_TILT: (
        f"We lost 20 big blinds or more in a hand, and are on tilt: {{{ON_TILT}}} hands more, this one included."
    ),
    TRAPPING: (
        f"We expect the others to bet {{{TRAPPING}}} of their chances; older hands count less. We wait with strong "
        "hands, to trap them."
    ),
    VALUE_BETTING: (
        f"We expect the others to bet {{{VALUE_BETTING}}} of their chances; older hands count less. We bet strong "
        "hands ourselves."
    ),
    SHORT_STACK: f"Our stack of {{{SHORT_STACK}}} big blinds is short: mostly all-in before the flop, or nothing.",
    BIG_STACK: f"We have {{{BIG_STACK}}} times the average stack and lean on the others.",
    EVEN_STACK: f"We have {{{EVEN_STACK}}} times the average stack, which is neither big nor short.",
    BLUFFING: f"Of our last late bets {{{BLUFFING}}} in a row went wrong: fewer than two, so we go on bluffing.",
    STRAIGHT: f"Two late bets in a row went wrong: no bluffs for {{{STRAIGHT}}} hands, this one included.",
    PLAYED_NOW: (
        f"We play {{{PLAYED_NOW}}} of hands now, with an aggression of {{{AGGRESSION_NOW}}}, where 0% calls and "
        f"100% raises; another point is drawn after {{{HANDS_LEFT}}} hands, this one included."
    ),
}
"""How a player who changes plays now, by the figure that names the state."""
