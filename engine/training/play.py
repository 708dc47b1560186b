"""Exercises that a reader of hands judges: what to do before the flop, kinds of a range, and bluff-catching.

The reader knows nobody: its networks are average players of recorded hands, as for a stranger at the table.
"""

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
from msgspec import structs

from engine.agents.agent import ActionValue, RangeShares, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.reading import amount_to_call, range_shares, winnable_pot
from engine.agents.soulread.values import values_of
from engine.agents.value_reasons import CLEAR, percents, size_text
from engine.cards import COMBO_COUNT, Card, HoleCards, Street, cards_of, combo_of
from engine.equity.combos import combo_equities
from engine.equity.decisions import figures_of_call
from engine.game.events import FOLD, Action, ActionKind, Seat, raise_to
from engine.game.history import decided_next
from engine.game.observation import Observation
from engine.game.summary import at_position
from engine.game.summary import positions as positions_of
from engine.ranges import Range
from engine.strength import describe
from engine.training.exercise import MOST_POINTS, RIGHT_POINTS, TOPICS, Choice, Drill, Exercise, Number
from engine.training.guess import meaning_of
from engine.training.odds import Amount
from engine.training.spots import (
    BIG_BLIND,
    Setting,
    any_setting,
    before_the_flop,
    deal,
    draw_cards,
    draw_hands,
    passive,
    play_to,
    raises_on_street,
    to_bet,
    usual_raise,
)
from engine.training.usual_play import usual_play

# ---- before the flop ----------------------------------------------------------------------------------------

_PLAYERS = (6, 6, 9, 2)
_STACKS_BB = (40, 60, 100, 100, 200)
_SHORT_BB = (8, 10, 12, 15, 20, 25)
_ALL_IN_UP_TO_BB, _PUSH_OR_FOLD_BB = 40, 12
"""Up to which stacks going all-in is an answer, and besides folding the only one."""

_GAPS_BB = {1: 1.5, 2: 0.8, 3: 0.5, 4: 0.3, 5: 0.15}
"""By how much the best answer should lead the next one, by level."""

CANDIDATES, FEW_STEPS = 6, 4
"""Hands that are compared for a question, each by so many steps of `values_of`."""

_STEPS = 16
"""Those that answers are judged by, 128 deals each before the flop."""

_NEAR_BB = 0.05
_NO_POINTS_BB = 1.0


def preflop(topic: str, level: int, rng: np.random.Generator, amount: Amount, reader: LearnedReader) -> Exercise:
    """Ask what to do before the flop; answers are judged by the values of actions against average players."""
    setting, raises = _preflop_setting(topic, rng)
    spots = with_likely_hands(_preflop_spot(setting, raises, rng), rng)
    guesses = [_answers(spot, reader, rng, FEW_STEPS) for spot in spots]
    wanted = _GAPS_BB[level] * BIG_BLIND
    order = sorted(range(len(spots)), key=lambda at: off_gap(*guesses[at], wanted, FEW_STEPS / _STEPS))
    for at in order:  # until an answer is not right: where all are, nothing is asked
        spot = spots[at]
        values, answers = _answers(spot, reader, rng, _STEPS)
        choices = _choices(spot, values, answers, amount)
        as_good = [choice.text for choice in choices if choice.points >= RIGHT_POINTS]
        if len(as_good) < len(choices):
            break
    worth = "; ".join(_worth(choice.text, one) for choice, one in zip(choices, answers, strict=True))
    about = (
        f"Played out on {values.samples:,} deals against average players of recorded hands, strangers to you; "
        "you go on in the way that wins most."
    )
    if any(map(_against, answers)):
        about += " What few would do with such a hand counts less by what stands behind “less”, as in hints."
    return Exercise(
        drill=Drill.PREFLOP,
        topic=topic,
        level=level,
        observation=spot,
        question=_preflop_question(setting, spot, amount),
        choices=choices,
        explanation=(
            f"{listed(as_good)}. Worth in big blinds: {worth}.",
            about,
        ),
        choice_scale="100 points less one for each hundredth of a big blind lost beyond the standard error, none "
        f"from {_NO_POINTS_BB:g} bb on.",
        ranges={
            one.seat: Range(one.posterior / one.posterior.max())
            for one in reader.read(spot)
            if one.seat in setting.others
        },
        is_range_shown=False,
    )


def _choices(
    spot: Observation, values: Values, answers: Sequence[ActionValue], amount: Amount
) -> tuple[Choice, ...]:
    """Return the answers to choose from, with what each loses and its points."""
    best = max(answers, key=lambda one: one.counted)
    choices = []
    for one in answers:
        lost = (best.counted - one.counted) / BIG_BLIND
        near = max(_NEAR_BB, values.error_between(one, best) / BIG_BLIND)
        points = points_for_loss(max(lost - near, 0.0), _NO_POINTS_BB)
        choices.append(Choice(action_text(one.action, spot, amount), points, lost, one.action))
    return tuple(choices)


def _preflop_setting(topic: str, rng: np.random.Generator) -> tuple[Setting, int]:
    """Return a table, and how many raises the player faces."""
    players = int(rng.choice(_PLAYERS))
    raises = 1 if topic.endswith("facing a raise") else 2 if topic == "facing a 3-bet" else 0
    stack_bb = int(rng.choice(_SHORT_BB if topic.startswith("short") else _STACKS_BB))
    order = [*range(2, players), 0, 1] if players > 2 else [1, 0]  # in which seats act before the flop
    others: tuple[Seat, ...] = ()
    if raises == 0:
        place = int(rng.integers(0, players - 1))
    elif raises == 1:
        place = int(rng.integers(1, players))
        others = (order[int(rng.integers(0, place))],)
    else:
        place = int(rng.integers(0, players - 1))
        others = (order[int(rng.integers(place + 1, players))],)
    return Setting((stack_bb * BIG_BLIND,) * players, order[place], others), raises


def _preflop_spot(setting: Setting, raises: int, rng: np.random.Generator) -> Observation:
    """Play to the player's turn: everybody else in the hand raises, the rest fold."""
    table = deal(setting, rng, {})

    def line(seen: Observation) -> Action:
        return usual_raise(seen) if seen.seat in setting.in_hand else before_the_flop(seen, setting.in_hand)

    return play_to(table, setting.you, line, lambda seen: raises_on_street(seen) == raises)


def _answers(
    spot: Observation, reader: LearnedReader, rng: np.random.Generator, steps: int
) -> tuple[Values, list[ActionValue]]:
    """Return values after so many steps, and those of the actions asked about: fold, call, one raise, all-in."""
    raised = usual_raise(spot)
    assert spot.legal is not None
    seed = int(rng.integers(1 << 62))
    also = (raised,) if raised.kind is ActionKind.RAISE else ()
    made = values_of(spot, reader.read(spot), reader, seed, also, gives_up=False)
    *_, values = islice(made, steps)
    stack_bb, all_in = _stack_bb(spot), raise_to(spot.legal.max_raise_to)
    kept = {FOLD} if stack_bb <= _PUSH_OR_FOLD_BB and spot.legal.can_raise else {FOLD, raised}
    if stack_bb <= _ALL_IN_UP_TO_BB:
        kept.add(all_in)
    if _may_call(spot):
        kept.add(passive(spot))
    return values, [one for one in values.actions if one.action in kept]


def _may_call(spot: Observation) -> bool:
    """Return whether calling is an answer: only from the small blind one limps in, and short stacks do not call.

    Not at tables of two: there the app's programs let limps win what they are said to (docs/values.md), so that one
    was the only right answer with nines, too, which is no lesson for other tables.
    """
    assert spot.legal is not None
    place, is_short = positions_of(spot.events)[spot.seat], _stack_bb(spot) <= max(_SHORT_BB)
    if not spot.legal.can_raise:
        return True
    if _stack_bb(spot) <= _PUSH_OR_FOLD_BB:
        return False
    if raises_on_street(spot):
        return not is_short or place == "BB"
    return place == "SB"


def _stack_bb(spot: Observation) -> float:
    return (spot.me.stack + spot.me.bet) / BIG_BLIND


def with_likely_hands(spot: Observation, rng: np.random.Generator) -> list[Observation]:
    """Return the spot with some hole cards that the player may well have there, and with which players differ.

    They are drawn by how likely an average player would be to have them, and by how often players
    with them do not do what most do.
    """
    play = usual_play(decided_next(spot))
    chances = play.reach * (1 - play.shares.max(axis=1))
    count = min(CANDIDATES, int(np.count_nonzero(chances)))
    drawn = rng.choice(COMBO_COUNT, size=count, replace=False, p=chances / chances.sum())
    return [structs.replace(spot, hole_cards=cards_of(int(combo))) for combo in drawn]


def off_gap(values: Values, answers: Sequence[ActionValue], wanted: float, share: float) -> float:
    """Return how far the lead of the best answer is from what a question should have, in chips.

    A lead that all deals, of which `share` have been tried, would not make clear makes every answer right, and so
    no question.
    """
    second, first = sorted(answers, key=lambda one: one.counted)[-2:]
    error = values.error_between(first, second) * share**0.5
    return float(abs(first.counted - second.counted - max(wanted, 1.5 * CLEAR * error)))


def points_for_loss(lost: float, none_from: float) -> float:
    """Return what an answer is worth that loses so much, 0 to 100: none from a bound on."""
    return MOST_POINTS * min(max(1 - lost / none_from, 0.0), 1.0)


def action_text(action: Action, spot: Observation, amount: Amount) -> str:
    """Write an action as an answer to choose, a bet after the flop with its size in pots."""
    assert spot.legal is not None
    match action.kind:
        case ActionKind.FOLD:
            return "Fold"
        case ActionKind.CHECK:
            return "Check"
        case ActionKind.CALL:
            return f"Call {amount(spot.legal.call_amount)}"
        case ActionKind.RAISE if action.raise_to == spot.me.stack + spot.me.bet:
            return f"All-in {amount(action.raise_to)}"
        case _ if spot.street is Street.PREFLOP:
            return f"Raise to {amount(action.raise_to)}"
        case _:
            verb = "Bet" if spot.legal.can_check else "Raise to"
            return f"{verb} {amount(action.raise_to)} ({size_text(action, spot)})"


def listed(texts: Sequence[str]) -> str:
    """Write answers one after the other, as a sentence begins.

    >>> listed(["Call 3 bb", "Raise to 9 bb"])
    'Call 3 bb or raise to 9 bb'
    """
    return " or ".join([texts[0], *(f"{text[:1].lower()}{text[1:]}" for text in texts[1:])])


def _signed(number: float, digits: int) -> str:
    """Write a number with its sign.

    >>> _signed(-0.5, 1), _signed(2, 2), _signed(-0.04, 1)
    ('−0.5', '+2.00', '+0.0')
    """
    return f"{round(number, digits) + 0.0:+.{digits}f}".replace("-", "−")  # no −0.0


def _against(one: ActionValue) -> float:
    """Return the big blinds that count against an answer because few would give it, as they are written."""
    return round((one.value - one.counted) / BIG_BLIND, 2)


def _worth(text: str, one: ActionValue) -> str:
    worth = f"{text[:1].lower()}{text[1:]}"
    worth += " 0" if one.action == FOLD else f" {_signed(one.value / BIG_BLIND, 2)} ± {one.stderr / BIG_BLIND:.2f}"
    return f"{worth} less {_against(one):.2f}" if _against(one) else worth


def _preflop_question(setting: Setting, spot: Observation, amount: Amount) -> str:
    place = setting.names[setting.you]
    stack = amount(setting.stacks[setting.you])
    if not setting.others:
        before = "It is folded to you" if place != "UTG" and len(setting.stacks) > 2 else "You are first to act"
        return f"{before} {at_position(place)} with {stack}. What do you do?"
    name = setting.names[setting.others[0]]
    bet = amount(spot.view(setting.others[0]).bet)
    if raises_on_street(spot) > 1:
        return f"You raised {at_position(place)} with {stack}, and {name} 3-bets to {bet}. What do you do?"
    return f"{name} raises to {bet}. You are {at_position(place)} with {stack}. What do you do?"


# ---- kinds of a range ---------------------------------------------------------------------------------------

_KIND_SCALE = {1: (8.0, 40.0), 2: (6.0, 32.0), 3: (5.0, 28.0), 4: (5.0, 25.0), 5: (4.0, 22.0)}
_HIDDEN_FROM = 4
"""From this level on the range itself is not shown: what it may be is part of the question."""


def kinds(topic: str, level: int, rng: np.random.Generator, _amount: Amount, reader: LearnedReader) -> Exercise:
    """Ask what part of a range that was read is of one kind on the board."""
    setting = any_setting(rng)
    street = Street(int(rng.integers(1, 3 if topic == "drawing" else 4)))
    table = deal(setting, rng, {setting.you: draw_hands(rng, 1, ())[0]})
    fractions = [float(rng.choice((0.0, 1 / 2, 3 / 4))) for _ in range(street - 1)]
    spot = to_bet(setting, table, street, (*fractions, float(rng.choice((1 / 3, 1 / 2, 3 / 4, 1.0)))))
    (prediction,) = reader.read(spot)
    shares = range_shares(prediction.posterior, spot.board)
    share = _share_of(topic, shares)
    number = Number(100 * share, *_KIND_SCALE[level])
    name = spot.view(prediction.seat).name
    parts = _parts_of(shares)
    return Exercise(
        drill=Drill.KINDS,
        topic=topic,
        level=level,
        observation=spot,
        question=f"What part of {name}'s range is {topic}: hands that {meaning_of(topic)}?",
        number=number,
        explanation=(
            f"{parts[topic]}, of the range that the reader sees after this line: {_said(parts)}.",
            "It was learned from recorded hands, and takes the player for an average one.",
        ),
        ranges={prediction.seat: Range(prediction.posterior / prediction.posterior.max())},
        is_range_shown=level < _HIDDEN_FROM,
    )


def _share_of(kind: str, shares: RangeShares) -> float:
    return shares.super_strong + shares.strong if kind == "strong" else float(getattr(shares, kind))


def _parts_of(shares: RangeShares) -> dict[str, str]:
    """Return how much of a range is of each kind, in percent."""
    kinds = TOPICS[Drill.KINDS]
    return dict(zip(kinds, percents([_share_of(kind, shares) for kind in kinds]), strict=True))


def _said(parts: Mapping[str, str]) -> str:
    return ", ".join(f"{part} {kind}" for kind, part in parts.items())


# ---- bluff-catching -----------------------------------------------------------------------------------------

_RIVER_BETS = {
    "a small bet": (1 / 4, 1 / 3, 1 / 2),
    "a big bet": (2 / 3, 3 / 4, 1.0),
    "an overbet": (1.25, 1.5, 2.0),
}
_CLOSENESS = {1: 0.25, 2: 0.15, 3: 0.1, 4: 0.07, 5: 0.04}
"""How far the equity is from the required one, by level."""

_NO_POINTS_POTS = 0.25
_SAME = 0.005
_CATCHERS = 60


def bluff_catching(
    topic: str, level: int, rng: np.random.Generator, amount: Amount, reader: LearnedReader
) -> Exercise:
    """Ask whether to call a bet on the river, with a hand that the player could have come so far with."""
    setting = any_setting(rng)
    board = draw_cards(rng, 5)
    earlier = (float(rng.choice((0.0, 1 / 3, 1 / 2, 2 / 3))) for _ in range(2))
    fractions = (*earlier, float(rng.choice(_RIVER_BETS[topic])))
    start = int(rng.integers(1 << 62))

    def spot_of(hole_cards: dict[int, HoleCards]) -> Observation:
        table = deal(setting, np.random.default_rng(start), hole_cards, board)
        return to_bet(setting, table, Street.RIVER, fractions)

    hand = _catcher(spot_of({}), board, level, rng, reader)
    spot = spot_of({setting.you: hand})
    (prediction,) = reader.read(spot)
    own = float(combo_equities(board, prediction.posterior.astype(np.float64))[combo_of(*hand)])
    pot, to_call = winnable_pot(spot), amount_to_call(spot)
    figures = figures_of_call(pot, to_call, own)
    assert figures.ev is not None
    name = spot.view(prediction.seat).name
    lost = abs(figures.ev)
    is_same = abs(own - figures.required_equity) < _SAME
    wrong = MOST_POINTS if is_same else points_for_loss(lost, _NO_POINTS_POTS * pot)
    call_points, fold_points = (MOST_POINTS, wrong) if figures.ev >= 0 else (wrong, MOST_POINTS)
    lost_bb = lost / BIG_BLIND
    shares = range_shares(prediction.posterior, board)
    parts = _said({kind: part for kind, part in _parts_of(shares).items() if kind != "drawing"})
    return Exercise(
        drill=Drill.BLUFF_CATCHING,
        topic=topic,
        level=level,
        observation=spot,
        question=f"{name} bets {amount(to_call)} into {amount(pot - to_call)}. You have {describe(hand, board)}. "
        "Call or fold?",
        choices=(
            Choice("Fold", fold_points, lost_bb if figures.ev > 0 else 0.0),
            Choice(f"Call {amount(to_call)}", call_points, lost_bb if figures.ev < 0 else 0.0),
        ),
        explanation=(
            f"{'Both alike' if is_same else 'Call' if figures.ev > 0 else 'Fold'}: the call needs "
            f"{figures.required_equity:.1%} and has {own:.1%} against {name}'s range, so it is worth "
            f"{_signed(figures.ev / BIG_BLIND, 1)} bb.",
            f"As the reader sees it, after this line the range is {parts}. It takes {name} for an average player "
            "of recorded hands; how far it is off is not in these figures.",
        ),
        choice_scale="100 points for the better one, less by what is lost, none at "
        f"{_NO_POINTS_POTS:.0%} of the pot.",
        ranges={prediction.seat: Range(prediction.posterior / prediction.posterior.max())},
        is_range_shown=False,
    )


def _catcher(
    first: Observation, board: Sequence[Card], level: int, rng: np.random.Generator, reader: LearnedReader
) -> HoleCards:
    """Return hole cards that the player may well hold here, and for which calling is as close as asked."""
    (bettor,) = reader.read(first)
    equities = combo_equities(board, bettor.posterior.astype(np.float64))
    drawn = rng.choice(COMBO_COUNT, size=_CATCHERS, p=usual_play(decided_next(first)).reach)
    needed = figures_of_call(winnable_pot(first), amount_to_call(first)).required_equity
    distance = np.abs(np.abs(equities[drawn] - needed) - _CLOSENESS[level])
    return cards_of(int(drawn[int(distance.argmin())]))
