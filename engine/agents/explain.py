"""Trace to sentences: the only place where reasons become words.

A claim says one thing in one plain sentence and holds the path of the number it rests on, so that a click on a
sentence can open the number. Nothing is computed here that the trace does not hold. `explain_chain` does the same
for the factors that made a hand's probability.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from math import isclose, log

import numpy as np
from msgspec import Struct, structs

from engine.agents.agent import (
    FAILED,
    GOING_ON,
    NOT_READY,
    OUT_OF_TIME,
    RAISING,
    STACK_OVER_AVERAGE,
    ActionClass,
    Adjustment,
    Figure,
    Prediction,
    RangeUpdate,
    Thresholds,
    Trace,
    UnderstoodAction,
)
from engine.agents.evolved.agent import DISTANCE, FEATURE_NAMES
from engine.agents.fold.understand import HALF_POT_LIMIT, THREE_QUARTER_POT_LIMIT, is_raise_class
from engine.agents.learned.folding import FACTOR, Folding, folding_in
from engine.agents.near_equilibrium.agent import BUCKET, EQUITY, FOLDS_KEPT, NEAREST_RULE, PLACE
from engine.agents.near_equilibrium.betting_tree import betting_tree, line_text
from engine.agents.near_equilibrium.buckets import bucket_count, bucket_text
from engine.agents.posterior import Chain, ChainFactor, FeatureEffect, effective_combos
from engine.agents.reading import prize_odds_of
from engine.agents.rule_based.adapter import BETS, FOLDS, OPENS, RERAISES
from engine.agents.rule_based.people import TRAPPING, VALUE_BETTING
from engine.agents.rule_based.pool import HANDS_LEFT
from engine.agents.rule_based.sentences import SENTENCES, STATES
from engine.agents.soulread.later_play import LATER_PLAY, depth_of_play, part_of_play, rounds_to_come
from engine.agents.soulread.survival import KEPT, OTHERS
from engine.agents.value_reasons import OWN_NAME, conclusion, reasons, rounded
from engine.cards import Street, class_name, class_of, format_cards, format_combo
from engine.equity.outs import BEHIND, OUT_GAIN
from engine.equity.snapshot import Estimate, Method
from engine.game.events import Action, ActionKind, ActionTaken, Chips
from engine.game.history import HandState
from engine.words import counted


class NoSentenceError(ValueError):
    """A rule or an adjustment that there is no sentence for."""


class Claim(Struct, frozen=True):
    """One sentence, its stage, 1 to 4, and the path of its number in the trace: `adjustments[2].after.call`."""

    stage: int
    text: str
    evidence: str


def chips_text(chips: Chips) -> str:
    """Write chips as they are counted at the table.

    >>> chips_text(12000)
    '12,000'
    """
    return f"{chips:,}"


def explain(trace: Trace, amount: Callable[[Chips], str] = chips_text) -> tuple[Claim, ...]:
    """Return the reasons of a decision of any style, by stage; the last one says what was done.

    `amount` writes chips, for who wants them in big blinds.
    """
    claims = [
        *_understood(trace, amount),
        *_modelled(trace),
        *_predicted(trace),
        *_valued(trace, amount),
        *_weighed(trace),
        *_adjusted(trace),
    ]
    return (*claims, *_in_state(trace), *_in_small_game(trace), _ruled(trace, amount))


def out_definition() -> str:
    """Say what counts as an out (Li et al. 2017, eq. 29).

    >>> print(out_definition())
    An out makes a hand that is behind a likely winner: the hand beats less than 72% of random hands, and the card \
closes at least 60% of the gap to beating them all.
    """
    return (
        f"An out makes a hand that is behind a likely winner: the hand beats less than {BEHIND:.0%} "
        f"of random hands, and the card closes at least {OUT_GAIN:.0%} "
        "of the gap to beating them all."
    )


def estimate_text(estimate: Estimate) -> str:
    """Write an estimate with how sure it is.

    >>> estimate_text(Estimate(0.6231, Method.SAMPLED, 0.0079, 4000))
    '62.3% ± 0.8 (4,000 deals)'
    """
    if estimate.stderr > 0:
        # The preflop table's error is far below a tenth of a percent and must not read as none.
        error = f"{100 * estimate.stderr:.1f}" if estimate.stderr >= 0.0005 else "under 0.1"
        source = "from a table of " if estimate.method is Method.TABLE else ""
        return f"{estimate.value:.1%} ± {error} ({source}{estimate.count:,} deals)"
    return f"{estimate.value:.1%} ({estimate.method.value})"


def action_text(action: Action, to_call: Chips, street: Street, amount: Callable[[Chips], str] = chips_text) -> str:
    """Write an action in the imperative; the first raise after the flop is a bet.

    >>> action_text(Action(ActionKind.RAISE, 300), 0, Street.FLOP)
    'bet 300'
    """
    if action.kind is ActionKind.CALL:
        return f"call {amount(to_call)}"
    if action.kind is ActionKind.RAISE:
        is_raise = to_call > 0 or street is Street.PREFLOP
        return f"{'raise to' if is_raise else 'bet'} {amount(action.raise_to)}"
    return action.kind.value


def _name(trace: Trace, seat: int) -> str:
    return trace.observation.view(seat).name


def _each_update(trace: Trace) -> Iterator[tuple[Prediction, RangeUpdate, str]]:
    """Every update with its prediction and its path."""
    if trace.reading is None:
        return
    for at, prediction in enumerate(trace.reading.predictions):
        for index, update in enumerate(prediction.updates):
            yield prediction, update, f"reading.predictions[{at}].updates[{index}]"


_DID = {
    ActionClass.FOLD: "folded",
    ActionClass.CHECK: "checked",
    ActionClass.CALL: "called",
    ActionClass.OPEN_RAISE: "raised first",
    ActionClass.THREE_BET: "3-bet",
}
_WHERE = {Street.PREFLOP: "before the flop", Street.FLOP: "on the flop", Street.TURN: "on the turn"} | {
    Street.RIVER: "on the river"
}


def _understood(trace: Trace, amount: Callable[[Chips], str]) -> Iterator[Claim]:
    for prediction, update, path in _each_update(trace):
        action = update.action
        event = trace.observation.events[action.event_index]
        is_raise = action.size_over_pot > 0
        is_sized = is_raise and action.street is not Street.PREFLOP
        did = _DID.get(action.action_class, f"{action.raises_faced + 2}-bet")
        chips = ""
        if is_raise and isinstance(event, ActionTaken):
            chips = amount(event.action.raise_to)
            share = f"{max(action.size_over_pot, 0.01):.0%} of the pot"
            chips = f" {chips}, {share}," if is_sized else f", to {chips},"
        if is_sized:
            did = "raised to" if action.is_facing_bet else "bet"
        name = _name(trace, prediction.seat)
        all_in = f" and {'were' if name == OWN_NAME else 'was'} all-in" if action.is_all_in else ""
        yield Claim(
            1,
            f"{name} {did}{chips}{all_in} {_WHERE[action.street]} "
            f"from {_position(action.position.value)}, {action.players} players in.",
            f"{path}.action.{'size_over_pot' if is_raise else 'players'}",
        )


def _position(name: str) -> str:
    return "the blinds" if name == "blinds" else f"{name} position"


def _whose(name: str) -> str:
    return "Your" if name == OWN_NAME else f"{name}'s"


def _modelled(trace: Trace) -> Iterator[Claim]:
    """One sentence per update: the model number that history could move, or that it says nothing."""
    for prediction, update, path in _each_update(trace):
        name, action = _name(trace, prediction.seat), update.action
        learned = RAISING if is_raise_class(action.action_class) else GOING_ON
        wanted = [f"share of {action.action_class.value}", "share raising again", "entry rate", learned, RAISING]
        index, figure = next(
            (
                (index, figure)
                for start in wanted
                for index, figure in enumerate(update.figures)
                if figure.name.startswith(start)
            ),
            (0, update.figures[0]) if update.figures else (0, None),
        )
        if figure is None:
            continue
        yield Claim(2, _model_text(name, update, figure), f"{path}.figures[{index}].value")


def _model_text(name: str, update: RangeUpdate, figure: Figure) -> str:
    whose, street = _whose(name), _WHERE[update.action.street]
    if figure.name in (GOING_ON, RAISING):
        return _learned_text(name, update.action, figure)
    if figure.name.startswith(("entry rate", "share ")) or figure.name in _FACTORS_ON_ODDS:
        words = f"{whose} {figure_name(figure)}"
        if figure.name.startswith("entry rate"):
            words = f"{whose} hands played from {_position(update.action.position.value)}"
        elif figure.name.startswith("share of "):
            who = "you choose" if name == OWN_NAME else f"{name} chooses"
            words = f"How often {who} {_class_name(figure)} in this spot"
        return f"{words}, {street}: {figure_value(figure)}.".replace(", before the flop", "")
    return f"{whose} {_deed(update)} {street} tells nothing more: {figure.name}."


_SIZES = {
    ActionClass.HALF_POT: f"up to {HALF_POT_LIMIT:.0%} of the pot",
    ActionClass.THREE_QUARTER_POT: f"{HALF_POT_LIMIT:.0%} to {THREE_QUARTER_POT_LIMIT:.0%} of the pot",
    ActionClass.OVERBET: f"over {THREE_QUARTER_POT_LIMIT:.0%} of the pot",
}
"""What the paper's classes of bets and raises hold; by their names a bet of the pot is three quarters of it."""


def _class_name(figure: Figure) -> str:
    name = figure.name.removeprefix("share of ")
    return f"'{_SIZES.get(ActionClass(name), name) if name in {*ActionClass} else name}'"


def _deed(update: RangeUpdate) -> str:
    """Name what was done, and that its size counts where it does: before the flop it does to learned readers."""
    action = update.action
    if not is_raise_class(action.action_class):
        return action.action_class.value
    if action.street is not Street.PREFLOP:
        return "all-in" if action.is_all_in else f"{'raise' if action.is_facing_bet else 'bet'} of this size"
    name = f"{action.raises_faced + 2}-bet" if action.raises_faced else "raise"
    return f"{name} of this size" if any(figure.name == RAISING for figure in update.figures) else name


def _learned_text(name: str, action: UnderstoodAction, figure: Figure) -> str:
    """Say with how much of the range a player continues or raises."""
    is_bet = figure.name == RAISING and action.street is not Street.PREFLOP and not action.is_facing_bet
    verb = "continue" if figure.name == GOING_ON else "bet" if is_bet else "raise"
    does = f"you {verb}" if name == OWN_NAME else f"{name} {verb}s"
    return f"Of the range until then {does} {_WHERE[action.street]} with {figure_value(figure)}."


_FACTORS_ON_ODDS = frozenset({"odds of going on", "odds of raising"})
"""What learned readers of earlier versions said in stored traces, over an average player's odds."""

_FIGURE_NAMES = {
    GOING_ON: "part of the range that continues",
    RAISING: "part of the range that bets or raises",
    "share continuing": "hands that go on, a raise included",
    "share raising of these": "part of those that raises",
    "share going on": "part of the range so far that goes on",
    "share raising again": "part of the range so far that raises again",
    "range shown before": "part of all hands in the range so far",
    "domain low": "worst hand that does this (0 worst, 1 best)",
    "domain high": "best hand that does this (0 worst, 1 best)",
    "baseline": "typical hand that does this (0 worst, 1 best)",
    "temper": "weight of this action (1 in full)",
    "share of hands at least as strong": "hands as good or better",
    "share of hands that are weaker": "weaker hands",
    "raises with": "raises the best",
    "calls with": "plays the best",
    "win rate against any hand": "win rate against a random hand",
    **dict(
        zip(
            FEATURE_NAMES,
            (
                "how often hands come to this spot",
                "how often they fold, from here on",
                "how often it comes to a showdown, from here on",
                "strength of what they show then",
                "how often a random hand has a straight or flush here",
                "pairs on the board (1 for two)",
                "street (0 preflop, 1 river)",
                "strength of our hand",
                "their chips put in (1 all-in, by logarithms)",
                "our chips put in (1 all-in, by logarithms)",
            ),
            strict=True,
        )
    ),
}


def figure_name(figure: Figure) -> str:
    """Name a number of an opponent model in a player's words; one that has no others keeps its name.

    >>> figure_name(Figure("entry rate late", 0.3, 0.2))
    'hands played, late position'
    """
    if figure.name.startswith("entry rate"):
        return f"hands played, {_position(figure.name.removeprefix('entry rate').strip(' ,'))}"
    if figure.name.startswith("share of ") and figure.name not in _FIGURE_NAMES:
        return f"how often {_class_name(figure)} in this spot"
    return _FIGURE_NAMES.get(figure.name, figure.name)


def figure_number(figure: Figure) -> str:
    """Write a number that a rule used: a share as percent, anything else as it is.

    >>> figure_number(Figure("calls from", 0.4, 0.4)), figure_number(Figure("opponents", 1, 1))
    ('40.0%', '1')
    """
    is_plain = figure.name in _PLAIN_NUMBERS or figure.name.startswith(DISTANCE) or "factor" in figure.name
    if is_plain or not 0 <= figure.value <= 1:
        return f"{figure.value:,.0f}" if abs(figure.value) >= 100 else f"{figure.value:.3g}"
    return f"{figure.value:.1%}"


_PLAIN_NUMBERS = frozenset(
    {"opponents", "players behind", "raises faced", "size over the pot", "oversized above", "drawn number"}
    | {STACK_OVER_AVERAGE, LATER_PLAY}
    | {name for name in STATES if not name.startswith("share ")}
    | {HANDS_LEFT, PLACE, BUCKET}
    | {*FEATURE_NAMES[5:7], *FEATURE_NAMES[8:]}
    | {"effective stack in big blinds", "short below", "deep above"}
    | {"domain low", "domain high", "baseline", "temper"}
    | _FACTORS_ON_ODDS
)


_COUNTED_SHARES = (FOLDS, BETS, OPENS, RERAISES, TRAPPING, VALUE_BETTING)


def figure_value(figure: Figure) -> str:
    """Write a number of an opponent model: what it is, what it would be of a stranger, what was seen.

    >>> figure_value(Figure("entry rate late", 0.271, 0.235, 4))
    "27.1% (a stranger's 23.5%, 4 seen)"
    """
    seen = f"{figure.count:g} seen" if figure.count else "nothing seen yet"
    is_share = figure.name.startswith(("entry rate", "share ")) or figure.name in _COUNTED_SHARES
    value, default = (f"{one:.1%}" if is_share else f"{one:.3g}" for one in (figure.value, figure.default))
    if is_share and not figure.count:
        return f"{value} (as a stranger's, {seen})"
    if figure.count or value != default:
        return f"{value} (a stranger's {default}{f', {seen}' if figure.count else ''})"
    return value


def _predicted(trace: Trace) -> Iterator[Claim]:
    for prediction, update, path in _each_update(trace):
        # An update that says nothing has likelihood 1 for every hand.
        if update.mean_likelihood < 1:
            best = int(np.argmax(prediction.posterior))
            yield Claim(
                3,
                f"{_whose(_name(trace, prediction.seat))} {_deed(update)} {_WHERE[update.action.street]} leaves "
                f"{_often(update.mean_likelihood, 1)} of the range until then, and "
                f"{_often(float(update.likelihood[best]), 1)} of {format_combo(best)}.",
                f"{path}.mean_likelihood",
            )
    for at, prediction in enumerate(trace.reading.predictions if trace.reading else ()):
        name, best = _name(trace, prediction.seat), int(np.argmax(prediction.posterior))
        chance = float(prediction.posterior[best])
        if not prediction.updates and trace.observation.view(prediction.seat).is_all_in:
            is_in = f"{name} {'are' if name == OWN_NAME else 'is'} all-in"
            text = f"{is_in} and cannot act any more: every hand is equally likely, {chance:.2%}."
        elif not prediction.updates:
            text = f"{_whose(name)} first action is still to come: every hand is equally likely, {chance:.2%}."
        else:
            before = float(prediction.prior[best])
            text = (
                f"{_whose(name)} likeliest of {effective_combos(prediction.posterior):,.0f} effective combos: "
                f"{format_combo(best)}, {chance:.2%}, "
                f"from {before:.2%} before any action."
            )
        yield Claim(3, text, f"reading.predictions[{at}].posterior[{best}]")


_LITTLE = 0.05
"""A factor, or the effect of a feature, of fewer nats than this gets no word of its own."""

_TELLS_LITTLE = ": that tells little."

_MOST_EFFECTS = 3
_LEAST_OF_STRONGEST = 0.2
"""Part of the strongest effect from which on another one is named."""

_DIRECTION = {True: "likelier", False: "less likely"}

_DOES = {
    ActionClass.FOLD: "folds",
    ActionClass.CHECK: "checks",
    ActionClass.CALL: "calls",
    ActionClass.OPEN_RAISE: "raises",
    ActionClass.THREE_BET: "3-bets",
}


def explain_chain(chain: Chain, name: str | None = None) -> tuple[str, ...]:
    """Return what each factor of a chain means, in one or two sentences.

    How often these combos and an average hand of the range do this, and which features matter most to it.
    The combos are called `name`; by default that is the combo, or the class of the first.

    Examples
    --------
    >>> from engine.agents.agent import PositionGroup
    >>> bet = UnderstoodAction(
    ...     9, 1, Street.FLOP, ActionClass.HALF_POT, 0.5, PositionGroup.LATE, 2, 0, False, False, 95.0
    ... )
    >>> effects = (FeatureEffect("made hand", -1.1), FeatureEffect("kicker", 0.2))
    >>> factor = ChainFactor(bet, 0.12, 0.38, 0.35, effects, True)
    >>> print(explain_chain(Chain((1325,), 0.001, (factor,), 0.0003))[0])
    AsAh bets this size 12% of the time here, an average hand of this range 38%. Judged by its made hand that is \
less likely.
    """
    if name is None:
        first = chain.combos[0]
        name = format_combo(first) if len(chain.combos) == 1 else class_name(class_of(first))
    return tuple(_factor_text(factor, name) for factor in chain.factors)


def _factor_text(factor: ChainFactor, name: str) -> str:
    if factor.mean <= 0:
        return "By this reader no hand of this range does that, so it says nothing."
    if all(isclose(one, factor.mean, rel_tol=1e-6) for one in (factor.likelihood, factor.average)):
        text = "This action tells no hand of this range from another."
    else:
        text = _frequencies(factor, name)
        # Features that cancel out would explain what is not there.
        if factor.counts and not text.endswith(_TELLS_LITTLE):
            text += _effects_text(factor.effects, is_likelier=factor.likelihood > factor.mean)
    return text if factor.counts else f"{text} A later action stands for this street now."


def _frequencies(factor: ChainFactor, name: str) -> str:
    does = _does(factor.action)
    if factor.likelihood <= 0:
        return f"{name} never {does} here, an average hand of this range {_often(factor.mean)} of the time."
    digits = 0 if _often(factor.likelihood) != _often(factor.mean) else 1
    own, other = _often(factor.likelihood, digits), _often(factor.mean, digits)
    if own == other or _tells_little(factor):
        return f"{name} {does} {own} of the time here, much like an average hand of this range{_TELLS_LITTLE}"
    return f"{name} {does} {own} of the time here, an average hand of this range {other}."


def _tells_little(factor: ChainFactor) -> bool:
    return factor.likelihood > 0 and abs(log(factor.likelihood / factor.mean)) < _LITTLE


def _does(action: UnderstoodAction) -> str:
    if action.action_class is ActionClass.FOUR_BET or action.action_class in _DOES:
        does = _DOES.get(action.action_class, f"{action.raises_faced + 2}-bets")
        return f"{does} all-in" if action.is_all_in else does
    return "goes all-in" if action.is_all_in else f"{'raises' if action.is_facing_bet else 'bets'} this size"


def _often(share: float, digits: int = 0) -> str:
    """Write how often something happens, with a decimal where whole percents would not do."""
    if share < 0.0005:
        return "less than 0.1%"
    whole = 0.1 <= share < 0.995 or share >= 0.9995
    return f"{100 * share:.{digits if whole else max(digits, 1)}f}%"


def _effects_text(effects: Sequence[FeatureEffect], *, is_likelier: bool) -> str:
    """Name the two or three features that matter most; what speaks against the sum of them explains nothing."""
    for_it = sorted((one for one in effects if (one.effect > 0) == is_likelier), key=lambda one: -abs(one.effect))
    if not for_it:
        return ""
    least = max(_LITTLE, _LEAST_OF_STRONGEST * abs(for_it[0].effect))
    named = [one for one in for_it if abs(one.effect) >= least][:_MOST_EFFECTS]
    if not named:
        return ""
    return f" Judged by its {_listed([one.name for one in named])} that is {_DIRECTION[is_likelier]}."


def _listed(names: Sequence[str]) -> str:
    """Join names, with a comma before the last where its "and" would not be enough to tell them apart.

    >>> _listed(["draws", "equity"]), _listed(["draws", "kicker and high cards"])
    ('draws and equity', 'draws, and kicker and high cards')
    """
    if len(names) == 1:
        return names[0]
    comma = "," if len(names) > 2 or any(" and " in name for name in names) else ""
    return f"{', '.join(names[:-1])}{comma} and {names[-1]}"


def _weighed(trace: Trace) -> Iterator[Claim]:
    reading = trace.reading
    if reading is None:
        return
    win, random = estimate_text(reading.win_rate), estimate_text(reading.win_rate_random)
    opponents = len(reading.predictions)
    against = {1: "", 2: ", if both stay in"}.get(opponents, f", if all {opponents} stay in")
    yield Claim(4, f"Win rate against the predicted ranges{against}: {win}.", "reading.win_rate.value")
    yield Claim(4, f"Against as many random hands it would be {random}.", "reading.win_rate_random.value")
    if reading.pot_odds > 0:
        text = f"A call costs {reading.pot_odds:.1%} of the final pot, so it needs that much to break even"
        by_prizes = prize_odds_of(trace.observation)
        icm = "" if by_prizes is None else f", and {by_prizes:.1%} by the prizes (ICM)"
        yield Claim(4, f"{text}{icm}.", "reading.pot_odds")
    if reading.outs is not None and reading.outs.cards:
        yield Claim(
            4,
            f"{counted(len(reading.outs.cards), 'out')} ({format_cards(reading.outs.cards, ' ')}): "
            f"one of them comes by the river {reading.outs.hit_probability:.1%} of the time.",
            "reading.outs.hit_probability",
        )


def _adjusted(trace: Trace) -> Iterator[Claim]:
    before = trace.base
    if before is None:
        return
    yield Claim(
        4,
        f"Heads-up we would call from {before.call:.1%}, raise half a pot from "
        f"{before.raise_half:.1%} and a whole pot from {before.raise_pot:.1%}.",
        "base.call",
    )
    for index, adjustment in enumerate(trace.adjustments):
        text, field = _adjustment_text(adjustment, before, trace.observation.street)
        yield Claim(4, text, f"adjustments[{index}].after.{field}")
        before = adjustment.after


def _valued(trace: Trace, amount: Callable[[Chips], str]) -> Iterator[Claim]:
    if trace.values is not None:
        for reason in reasons(trace.values, trace.action, trace.observation, amount):
            yield Claim(4, reason.text, reason.evidence)
        yield from _later_play(trace, amount)
        yield from _folds_to_bets(trace)


_LEAST_LATER_PLAY = 0.5
"""Big blinds more or less than against a stranger from which on later betting has a sentence."""


def _later_play(trace: Trace, amount: Callable[[Chips], str]) -> Iterator[Claim]:
    """Say what betting on later streets counts here against the opponent, where that is out of the usual."""
    observation = trace.observation
    for index, figure in enumerate(trace.figures):
        if figure.name != LATER_PLAY:
            continue
        share = depth_of_play(observation) * part_of_play(rounds_to_come(observation, trace.action), 1.0, 0.5)
        here = [bb * share for bb in (figure.value, figure.default)]
        if abs(here[0] - here[1]) < _LEAST_LATER_PLAY:
            continue
        of = [rounded(bb * observation.big_blind, observation.big_blind) for bb in here]
        name, count = observation.opponents[0].name, int(figure.count)
        name = "you" if name == OWN_NAME else name
        by = "one decision" if count == 1 else f"{count:,} decisions"
        wins, usually = (f"{'win' if one >= 0 else 'lose'} us {amount(Chips(abs(one)))}" for one in of)
        text = (
            f"With even chances and these stacks betting on later streets is taken to {wins} more against {name} "
            f"than the deals show, as {by} went: to {usually} against a stranger."
        )
        yield Claim(4, text, f"figures[{index}].value")


_SMALL_BET, _OVERBET = (0.5, 0.4), (2.0, 0.7)
"""Bets in pots, and how often most players fold to them, by which somebody's folds are told."""

_LEAST_FOLDS = 0.1
"""How far folds have to be from those of most players and from a stranger's to have a sentence."""


def _folds_to_bets(trace: Trace) -> Iterator[Claim]:
    """Say how often this opponent folds to own bets by how often most would, where that is out of the usual."""
    counted = folding_in(trace.figures)
    if counted is None:
        return
    index = [figure.name for figure in trace.figures].index(FACTOR)
    stranger = folding_in([structs.replace(one, value=one.default) for one in trace.figures]) or Folding()
    small, large = [
        (expected, counted.of(expected, pots), stranger.of(expected, pots))
        for pots, expected in (_SMALL_BET, _OVERBET)
    ]
    if all(min(abs(folds - of), abs(folds - usual)) < _LEAST_FOLDS for of, folds, usual in (small, large)):
        return
    name, count = trace.observation.opponents[0].name, int(trace.figures[index].count)
    who = "you" if name == OWN_NAME else name
    bets = "the one bet" if count == 1 else f"the {count:,} bets"
    text = (
        f"By {bets} of ours after the flop that {who} alone could answer, a bet of half a pot with such a hand is "
        f"folded to {small[1]:.0%} of the time where {small[0]:.0%} is to be expected, and one of two pots "
        f"{large[1]:.0%} where {large[0]:.0%} is."
    )
    yield Claim(4, text, f"figures[{index}].value")


_FIELD_WORDS = {"call": "call", "raise_half": "raise", "raise_pot": "raise a whole pot"}


def _change(field: str, before: Thresholds, after: Thresholds) -> str:
    """Say what became of a threshold, in the digits that are shown."""
    was, now = f"{getattr(before, field):.1%}", f"{getattr(after, field):.1%}"
    words = _FIELD_WORDS[field]
    return f"we still {words} from {now}" if was == now else f"we {words} from {now} instead of {was}"


def _adjustment_text(adjustment: Adjustment, before: Thresholds, street: Street) -> tuple[str, str]:
    """Return the sentence of an adjustment, and the threshold it is about."""
    code, after = adjustment.code, adjustment.after
    values = {figure.name: figure.value for figure in adjustment.figures}
    call, half, pot = (_change(field, before, after) for field in _FIELD_WORDS)
    if code == "players":
        return f"Against {counted(round(values['opponents']), 'opponent')} {call}.", "call"
    if code == "position_preflop":
        behind = values["players behind"]
        who = counted(round(behind), "player") if behind else "Nobody"
        return f"{who} can still act behind us: {half}.", "raise_half"
    if code == "in_position":
        return f"We act last after the flop: {half}.", "raise_half"
    if code == "out_of_position":
        when = "" if street is Street.RIVER else " on every street to come"
        return f"An opponent acts after us{when}: {half}.", "raise_half"
    if code == "gap_open":
        return f"Nobody has bet or raised, and an open needs less than a call: {half}.", "raise_half"
    if code == "gap_call":
        raises, s = counted(round(values["raises faced"]), "raise"), "s" * (values["raises faced"] == 1)
        is_harder = after.raise_half > before.raise_half
        why = (
            f"take{s} a better hand than an open"
            if is_harder
            else f"tell{s} of good hands already, which we have counted"
        )
        return f"{raises} to face {why}: {half}.", "raise_half"
    if code.startswith("stack_"):
        depth = counted(round(values["effective stack in big blinds"]), "big blind")
        kind = "deep, which favours hands that can grow" if code == "stack_deep" else code.removeprefix("stack_")
        if code == "stack_short" and street is Street.PREFLOP:
            call = "before the flop it goes all-in or folds"
        return f"The effective stack of {depth} is {kind}: {call}.", "call"
    if code == "cash":
        return f"In a cash game chips can be bought again: {pot}.", "raise_pot"
    if code == "tournament":
        return f"In a tournament chips that are gone are gone: {pot}.", "raise_pot"
    if code == "pot_odds":
        needed = f"{values['needed if all call']:.1%}"
        return f"A call needs {needed}, counting those still to act as callers: {call}.", "call"
    raise NoSentenceError(f"There is no sentence for the adjustment '{code}'.")


_RULES: dict[str, str] = {
    **SENTENCES,
    "nuts": "No hand beats ours ({win rate against any hand}): {act}.",
    "short_stack_in": "The stack is short and the win rate is above the {all-in from} it takes: {act}.",
    "short_stack_out": "The stack is short and the win rate is below the {all-in from} an all-in takes: {act}.",
    "oversized_raise": "The bet is oversized, and we are still above every threshold: {act}.",
    "oversized_call": "The bet is oversized; calling it takes {call from}, which we have: {act}.",
    "speculative_call": "Deep stacks pay for what such a hand becomes: a call costs {price of what can be won} of "
    "what can be won later, {pays up to} at most: {act}.",
    "draw_call": "The draw hits {chance to hit}, and with implied odds a call needs {implied odds}: {act}.",
    "draw_lead": "A draw leads {leads below} of the time: {act}.",
    "draw_check": "A draw leads {leads below} of the time, and not now: {act}.",
    "middle_pair_bet": "A middle pair bets once, from {bets from}, and answers a raise by its price: {act}.",
    "premium_only": "A deep stack goes in before the flop only with the best {premium} of hands: {act}.",
    "raise_not_possible": "{why no raise} Otherwise we would raise: {act}.",
    "below_call_fold": "The win rate is below the {call} that a call takes: {act}.",
    "below_call_check": "The win rate is below {call}, and checking is free: {act}.",
    "call_range_call": "The win rate is above {call} for a call and below {raise_half} for a raise: {act}.",
    "call_range_check": "The win rate is below the {raise_half} that a bet takes: {act}.",
    "raise_half_pot": "The win rate is above {raise_half} for half a pot and below {raise_pot} for a pot: {act}.",
    "raise_pot": "The win rate is above the {raise_pot} that a whole pot takes: {act}.",
    "value": "{why it was chosen}: {act}.",
    "keep_lead": f"Folding all hands to come leaves us {{{KEPT}}} chips and all others {{{OTHERS}}}: {{act}}.",
    "keep_lead_with_rebuys": (
        f"Folding all hands to come leaves us {{{KEPT}}} chips and all others {{{OTHERS}}}, counting those that "
        "can still be bought: {act}."
    ),
    "usual": "There was no time to compare actions, and this is what most would do: {act}.",
    OUT_OF_TIME: "There was no time to decide: {act}.",
    NOT_READY: "What a decision needs was not loaded yet: {act}.",
    FAILED: "No decision could be made: {act}.",
    # Only in hands stored while it still folded.
    "oversized_fold": "The bet is oversized; calling it takes {call from}, which we do not have: {act}.",
    # In those, too, and where FOLD plays its paper as printed.
    "middle_pair_fold": "A middle pair that has bet gives up to resistance below {stays from}: {act}.",
}
"""A sentence per rule; names in braces are figures of the trace, thresholds, the action, or why it was chosen."""

_TURN_IS_CHEAP = "turn free or cheap"
_DRAW_CALL_ON_THE_FLOP = (
    f"The draw hits {{chance to hit}}, where the river counts only if the turn is cheap, {{{_TURN_IS_CHEAP}}} of "
    "the time; with implied odds a call needs {implied odds}: {act}."
)
"""In place of the sentence of `draw_call` where the river does not count in full."""

_WHY_CHOSEN, _WHY_NO_RAISE = "why it was chosen", "why no raise"

_THRESHOLDS = ("call", "raise_half", "raise_pot")
_CHIPS = (KEPT, OTHERS)
_SHARES_OF_HANDS = ("share of hands at least as strong", "raises with", "calls with")


def _in_short(figures: Sequence[Figure]) -> dict[str, str]:
    """Write the figures of a sentence by name, with as many decimals as tell those apart that differ."""
    texts: list[dict[str, str]] = []
    for more in range(3):
        texts.append({figure.name: _with_digits(figure, more) for figure in figures})
        if len(set(texts[-1].values())) == len({figure.value for figure in figures}):
            return texts[-1]
    return texts[0]


def _with_digits(figure: Figure, more: int) -> str:
    """Write a figure with so many decimals more than usual: parts of all hands in whole percents."""
    if figure.name in _SHARES_OF_HANDS:
        return _often(figure.value, more)
    if figure.name in _COUNTED_SHARES:
        return figure_value(figure)
    return f"{figure.value:.2g}" if figure.name == STACK_OVER_AVERAGE else f"{figure.value:.{1 + more}%}"


def _in_state(trace: Trace) -> Iterator[Claim]:
    """Say how a player who changes plays now, with the number that names it as evidence."""
    values = {
        one.name: figure_value(one) if one.name in _COUNTED_SHARES else figure_number(one) for one in trace.figures
    }
    for index, figure in enumerate(trace.figures):
        if figure.name in STATES:
            text = re.sub(r"{([^}]*)}", lambda name: values[name[1]], STATES[figure.name])
            text = re.sub(r"\b1 hands\b", "1 hand", text)
            yield Claim(4, text, f"figures[{index}].value")


def _in_small_game(trace: Trace) -> Iterator[Claim]:
    """Say what the betting and the hand of a near-equilibrium player count as in the small game."""
    values = {figure.name: figure.value for figure in trace.figures}
    if PLACE not in values:
        return
    paths = {figure.name: f"figures[{index}].value" for index, figure in enumerate(trace.figures)}
    place, bucket = betting_tree()[int(values[PLACE])], int(values[BUCKET]) - 1
    betting = "Most like it is" if trace.rule == NEAREST_RULE else "The betting counts as"
    yield Claim(4, f"{betting}: {line_text(place.line) or 'nobody has acted'}.", paths[PLACE])
    yield Claim(
        4,
        f"Our equity against a random hand is {values[EQUITY]:.1%}, which is bucket {bucket + 1} of "
        f"{bucket_count(place.street)}: {bucket_text(place.street, bucket)}.",
        paths[BUCKET],
    )
    if values[FOLDS_KEPT] < 1:
        yield Claim(
            4, f"A call is cheaper than there, so we fold {values[FOLDS_KEPT]:.0%} as often.", paths[FOLDS_KEPT]
        )


def _ruled(trace: Trace, amount: Callable[[Chips], str]) -> Claim:
    """Say which rule chose, with the first number its sentence names as evidence."""
    if trace.rule not in _RULES:
        raise NoSentenceError(f"There is no sentence for the rule '{trace.rule}'.")
    legal, template = trace.observation.legal, _RULES[trace.rule]
    if any(figure.name == _TURN_IS_CHEAP and figure.value < 1 for figure in trace.figures):
        template = _DRAW_CALL_ON_THE_FLOP
    to_call = legal.call_amount if legal else 0
    names = [name for name in re.findall(r"{([^}]*)}", template) if name != "act"]
    values = {figure.name: amount(round(figure.value)) for figure in trace.figures if figure.name in _CHIPS}
    values |= _in_short([one for one in trace.figures if one.name in names and one.name not in _CHIPS])
    paths = {figure.name: f"figures[{index}].value" for index, figure in enumerate(trace.figures)}
    if trace.thresholds is not None:
        root = f"adjustments[{len(trace.adjustments) - 1}].after" if trace.adjustments else "base"
        values |= {name: f"{getattr(trace.thresholds, name):.1%}" for name in _THRESHOLDS}
        paths |= {name: f"{root}.{name}" for name in _THRESHOLDS}
    if "premium from" in paths:
        index = [figure.name for figure in trace.figures].index("premium from")
        values["premium"] = f"{1 - trace.figures[index].value:.1%}"
        paths["premium"] = paths["premium from"]
    if trace.values is not None:
        chosen = conclusion(trace.values, trace.action, trace.observation)
        values[_WHY_CHOSEN], paths[_WHY_CHOSEN] = chosen.text, chosen.evidence
    if _WHY_NO_RAISE in names:
        why = HandState.after(trace.observation.events).why_no_raise(trace.observation.me, to_call, amount)
        values[_WHY_NO_RAISE], paths[_WHY_NO_RAISE] = why or "The table takes no raise.", "action.kind"
    text = template.replace("{act}", action_text(trace.action, to_call, trace.observation.street, amount))
    for name in names:
        text = text.replace("{" + name + "}", values[name])
    return Claim(4, text, paths[names[0]] if names else "action.kind")
