"""What the rules of rule-based players say in words, for `engine.agents.explain`.

Names in braces are figures of the trace, and the action.
"""

from engine.agents.rule_based.pool import AGGRESSION_NOW, HANDS_LEFT, PLAYED_NOW

_AS_GOOD = "{share of hands at least as strong} of hands are as good or better"
_BEATS = "We beat a random hand {win rate against any hand} of the time"

SENTENCES: dict[str, str] = {
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
    "adapted_to_folds": "Bets after the flop are folded to {folds to bets} of the time, as we have counted: {act}.",
    "adapted_to_bets": "The last to bet does so {bets after the flop} of the time, as we have counted: {act}.",
    "adapted_to_opens": "The last to raise opens {raises first} of hands, as we have counted: {act}.",
    "adapted_to_reraises": "The last to raise raises again {raises again} of the time, as we have counted: {act}.",
    "always_fold": "This player never pays to go on, whatever their cards: {act}.",
    "always_check": "It is free, and this player does the same with all cards: {act}.",
    "always_call": "This player calls with all cards: {act}.",
    "always_raise": "This player raises with all cards: {act}.",
    "random_fold": "The number drawn was {drawn number}: {act}.",
    "random_check": "The number drawn was {drawn number}: {act}.",
    "random_call": "The number drawn was {drawn number}: {act}.",
    "random_raise": "The number drawn was {drawn number}, the size {size over the pot} of the pot: {act}.",
}
"""A sentence per rule."""

STATES: dict[str, str] = {
    PLAYED_NOW: (
        f"We play {{{PLAYED_NOW}}} of hands now, with an aggression of {{{AGGRESSION_NOW}}}, where 0% calls and "
        f"100% raises; another point is drawn after {{{HANDS_LEFT}}} hands, this one included."
    ),
}
"""How a player who changes plays now, by the figure that names the state."""
