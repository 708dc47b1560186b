"""The styles to sit at a table with, by name: Soulread, FOLD and four rule-based players, each honest and distinct.

FOLD weighs what a reader predicts against thresholds. As "fold" it takes the best reader there is, as "fold-2017"
that of its paper for good, and "fold:uniform" names any registered reader (`engine.agents.readers.READERS`).
People read `style_label` alone.

The rule-based styles know their own cards, the board and the price, and nothing of anybody's range. Before the flop
they go by the share of hands that are at least as strong, after it by the equity against random hands, by draws and
by the pot odds. They are stateless: a decision follows from the observation and the seed alone.
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from engine.agents.agent import Agent, Decision, Figure, PositionGroup, Trace
from engine.agents.fold.agent import FoldAgent
from engine.agents.fold.decide import Scenario, calling_action, passive_action, scenario_of
from engine.agents.fold.opponent_model import multiway_cut, preflop_strengths, win_probabilities
from engine.agents.fold.parameters import default_parameters
from engine.agents.fold.predict import PaperReader
from engine.agents.fold.understand import position_groups
from engine.agents.readers import make_reader
from engine.agents.reading import hand_kinds, pot_odds_of
from engine.cards import Street, combo_of
from engine.game.events import CALL, CHECK, FOLD, Action, Posted, PostKind, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

Ruling = tuple[str, Action, tuple[Figure, ...]]


class UnknownStyleError(ValueError):
    """A style's name that is not registered."""


class Temper(Struct, frozen=True):
    """The numbers of a rule-based style. Shares are of all hands, best first; strengths are equities 0-1.

    Attributes
    ----------
    early, middle, late, blinds : float
        Share of hands played when nobody has raised, six-handed; fewer seats play more.
    raised : float
        Share of those that come in with a raise, the rest limp.
    call_raise, three_bet : float
        Shares of hands that call a raise, and that raise it again.
    call_three_bet, four_bet : float
        The same against two raises or more.
    stack_off : float
        Share of hands that put in a big part of a deep stack before the flop.
    open_bb : float
        Size of an open in big blinds, one more per limper.
    bet, raise_ : float
        Strength from which it bets, and raises, after the flop, against one opponent.
    call_floor, call_slope : float
        It calls from a strength of `call_floor + call_slope * pot odds`.
    bluff, semi_bluff : float
        How often it bets nothing, and a draw, when it may check.
    bet_size : float
        Usual bet over the pot.
    """

    early: float
    middle: float
    late: float
    blinds: float
    raised: float
    call_raise: float
    three_bet: float
    call_three_bet: float
    four_bet: float
    stack_off: float
    open_bb: float
    bet: float
    raise_: float
    call_floor: float
    call_slope: float
    bluff: float
    semi_bluff: float
    bet_size: float


_CALLING_STATION = Temper(
    early=0.45, middle=0.5, late=0.6, blinds=0.6, raised=0.06, call_raise=0.42, three_bet=0.012,
    call_three_bet=0.12, four_bet=0.009, stack_off=0.05, open_bb=2.5, bet=0.80, raise_=0.95,
    call_floor=0.22, call_slope=0.55, bluff=0.0, semi_bluff=0.0, bet_size=0.5,
)  # fmt: skip
TIGHT_PASSIVE = Temper(
    early=0.12, middle=0.15, late=0.22, blinds=0.25, raised=0.35, call_raise=0.12, three_bet=0.015,
    call_three_bet=0.035, four_bet=0.009, stack_off=0.025, open_bb=2.5, bet=0.72, raise_=0.93,
    call_floor=0.38, call_slope=0.75, bluff=0.0, semi_bluff=0.05, bet_size=0.5,
)  # fmt: skip
_LOOSE_AGGRESSIVE = Temper(
    early=0.26, middle=0.32, late=0.48, blinds=0.4, raised=0.85, call_raise=0.2, three_bet=0.085,
    call_three_bet=0.08, four_bet=0.025, stack_off=0.035, open_bb=3.0, bet=0.56, raise_=0.80,
    call_floor=0.33, call_slope=0.6, bluff=0.22, semi_bluff=0.6, bet_size=0.75,
)  # fmt: skip

_BIG_SHARE_OF_STACK = 0.25
"""From this share of the stack on, chips put in before the flop call for a hand to stack off with."""

_SHORT_STACK_BB = 12.0
"""Below this effective stack a rule-based style stacks off with twice the hands it would raise again with."""

HEADS_UP_FACTOR, SHORT_HANDED_FACTOR = 2.4, 1.5
"""How many more hands are played with 2, and with 3 or 4 seats, than six-handed."""


class RuleAgent:
    """A rule-based player of a registered style."""

    def __init__(self, style: str, temper: Temper) -> None:
        self.style = style
        self.temper = temper

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals."""
        scenario = scenario_of(observation)
        rule = _play_preflop if observation.street is Street.PREFLOP else _play_postflop
        return _decision(self.style, observation, seed, rule(self.temper, observation, scenario, seed))

    def hand_finished(self, observation: Observation) -> None:
        """Learn nothing: the style plays by its rules alone."""


class RandomAgent:
    """A player who takes any legal action, raises rarely and never more than about a pot, unless it must."""

    style = "random"
    fold, call = 0.25, 0.55

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals."""
        scenario = scenario_of(observation)
        random = np.random.default_rng([seed, 2])
        drawn, size = (float(value) for value in random.random(2))
        figures = (_figure("drawn number", drawn),)
        if drawn < self.fold:
            action = passive_action(scenario.legal)
            ruling: Ruling = ("random_check" if action == CHECK else "random_fold"), action, figures
        elif drawn < self.fold + self.call or not scenario.legal.can_raise:
            action = calling_action(scenario.legal)
            ruling = ("random_check" if action == CHECK else "random_call"), action, figures
        else:
            chosen = raise_to(raise_to_for_pot_fraction(observation, size))
            ruling = "random_raise", chosen, (*figures, _figure("size over the pot", size))
        return _decision(self.style, observation, seed, ruling)

    def hand_finished(self, observation: Observation) -> None:
        """Learn nothing."""


def _decision(style: str, observation: Observation, seed: int, ruling: Ruling) -> Decision:
    rule, action, figures = ruling
    trace = Trace(style=style, seed=seed, observation=observation, figures=figures, rule=rule, action=action)
    return Decision(action, trace)


def _figure(name: str, value: float) -> Figure:
    return Figure(name, float(value), float(value))


def _own_position(observation: Observation) -> PositionGroup:
    blinds = sum(isinstance(event, Posted) and event.kind is not PostKind.ANTE for event in observation.events)
    groups = position_groups([view.seat for view in observation.seats], observation.button, blinds)
    return groups[observation.seat]


def _played_share(temper: Temper, observation: Observation) -> tuple[float, float]:
    """Return the share of hands played from here when nobody has raised, and the factor for few seats."""
    seats = len(observation.seats)
    factor = HEADS_UP_FACTOR if seats == 2 else SHORT_HANDED_FACTOR if seats <= 4 else 1.0
    base = float(getattr(temper, _own_position(observation).value))
    return min(0.9, base * factor), factor


def _play_preflop(temper: Temper, observation: Observation, scenario: Scenario, seed: int) -> Ruling:
    seats = len(observation.seats)
    rank = 1 - float(preflop_strengths(seats - 1)[combo_of(*observation.hole_cards)])
    played, factor = _played_share(temper, observation)
    if scenario.raises == 0:
        raises, calls = played * temper.raised, played
    elif scenario.raises == 1:
        raises, calls = temper.three_bet * factor, temper.call_raise * factor
    else:
        raises, calls = temper.four_bet * factor, temper.call_three_bet * factor
    if scenario.depth_bb < _SHORT_STACK_BB:
        stack_off = 2 * temper.three_bet * factor + temper.stack_off
    else:
        stack_off = temper.stack_off
    is_big = scenario.to_call >= _BIG_SHARE_OF_STACK * observation.me.stack
    calls = min(calls, stack_off) if is_big and scenario.raises else calls
    figures = (
        _figure("share of hands at least as strong", rank),
        _figure("raises with", raises),
        _figure("calls with", calls),
    )
    if rank <= raises and scenario.legal.can_raise:
        total = _preflop_raise(temper, observation, scenario)
        commits = total - observation.me.bet >= _BIG_SHARE_OF_STACK * observation.me.stack
        if not commits or rank <= stack_off:
            # A raise that leaves less than itself behind goes all-in.
            if total - observation.me.bet >= 0.5 * observation.me.stack:
                total = scenario.legal.max_raise_to
            return ("preflop_raise" if scenario.raises == 0 else "preflop_raise_again"), raise_to(total), figures
    if rank <= max(calls, raises) or (scenario.legal.can_check and not scenario.raises):
        action = calling_action(scenario.legal)
        code = "preflop_check" if action == CHECK else "preflop_call" if scenario.raises else "preflop_limp"
        return code, action, figures
    action = passive_action(scenario.legal)
    return ("preflop_check" if action == CHECK else "preflop_fold"), action, figures


def _preflop_raise(temper: Temper, observation: Observation, scenario: Scenario) -> int:
    """Return the street total of an open (one big blind more per limper) or of three times the last raise."""
    highest = max(view.bet for view in observation.seats)
    if scenario.raises == 0:
        limpers = sum(
            view.bet == observation.big_blind and not view.is_folded for view in observation.opponents
        ) - any(
            isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND and event.seat != observation.seat
            for event in observation.events
        )
        target = round((temper.open_bb + max(limpers, 0)) * observation.big_blind)
    else:
        target = 3 * highest
    return min(max(target, scenario.legal.min_raise_to), scenario.legal.max_raise_to)


def _play_postflop(temper: Temper, observation: Observation, scenario: Scenario, seed: int) -> Ruling:
    board, combo = tuple(sorted(observation.board)), combo_of(*observation.hole_cards)
    strength = float(win_probabilities(board)[combo])
    is_draw = hand_kinds(board, default_parameters().prediction)[combo] == 3
    drawn = float(np.random.default_rng([seed, 2]).random())
    opponents = max(scenario.opponents, 1)
    figures: tuple[Figure, ...] = (
        _figure("win rate against any hand", strength),
        _figure("opponents", opponents),
    )
    if scenario.to_call == 0:
        bound = multiway_cut(temper.bet, opponents)
        figures = (*figures, _figure("bets from", bound))
        if not scenario.legal.can_raise:
            return "check", CHECK, figures
        if strength >= bound:
            return "value_bet", _bet(temper, observation, strength), figures
        chance = (temper.semi_bluff if is_draw else temper.bluff) / opponents
        figures = (*figures, _figure("drawn number", drawn), _figure("bluffs below", chance))
        if drawn < chance:
            return ("semi_bluff" if is_draw else "bluff"), _bet(temper, observation, 0.0), figures
        return "check", CHECK, figures
    return _answer_bet(temper, observation, scenario, strength, is_draw, figures)


def _answer_bet(
    temper: Temper,
    observation: Observation,
    scenario: Scenario,
    strength: float,
    is_draw: bool,
    figures: tuple[Figure, ...],
) -> Ruling:
    opponents, odds = max(scenario.opponents, 1), pot_odds_of(observation)
    # Each raise already made asks for half of what is missing to certainty.
    raise_bound = multiway_cut(1 - (1 - temper.raise_) * 0.5 ** max(0, scenario.raises - 1), opponents)
    call_bound = multiway_cut(min(0.97, temper.call_floor + temper.call_slope * odds), opponents)
    draw_bound = 0.33 if observation.street is Street.FLOP else 0.25
    figures = (
        *figures,
        _figure("pot odds", odds),
        _figure("raises from", raise_bound),
        _figure("calls from", call_bound),
    )
    if strength >= raise_bound and scenario.legal.can_raise:
        return "value_raise", raise_to(raise_to_for_pot_fraction(observation, temper.bet_size)), figures
    if strength >= call_bound:
        return "call_strength", CALL, figures
    if is_draw and odds <= draw_bound:
        return "call_draw", CALL, (*figures, _figure("draws call up to", draw_bound))
    return "fold_weak", FOLD, figures


def _bet(temper: Temper, observation: Observation, strength: float) -> Action:
    """Bet the usual size; strong hands half as much again, at most a pot."""
    size = min(1.0, temper.bet_size * (1.5 if strength >= 0.85 else 1.0))
    return raise_to(raise_to_for_pot_fraction(observation, size))


class Style(Struct, frozen=True):
    """A style that can be seated: title and description (one line) for people, and what makes a player of it."""

    title: str
    description: str
    make: Callable[[], Agent]


SOULREAD = "soulread"
"""The style of the default seat."""

FOLD_2017 = "fold-2017"
"""FOLD with the paper's reader, whichever reader is the default one."""

_READER_SIGN = ":"
"""Stands between FOLD's name and a reader's."""

_FORMER_NAMES = {"fold-paper": FOLD_2017}
"""Names that nothing else has got since; `renamed_style` is for the others."""

STYLES: dict[str, Style] = {
    SOULREAD: Style(
        "Soulread",
        "Works out what every action is worth against you, and takes the best; learns how you play.",
        lambda: FoldAgent(style=SOULREAD),
    ),
    FoldAgent.style: Style(
        "FOLD", "Reads your hand from your actions and weighs its chances; learns how you play.", FoldAgent
    ),
    FOLD_2017: Style(
        "FOLD 2017",
        "Reads hands as the FOLD paper of 2017 describes it: surer of what you hold than it can be.",
        lambda: FoldAgent(make_reader(PaperReader.name), style=FOLD_2017),
    ),
    "calling station": Style(
        "Calling station",
        "Plays half of all hands, calls far too much and hardly ever raises.",
        lambda: RuleAgent("calling station", _CALLING_STATION),
    ),
    "tight-passive": Style(
        "Tight-passive",
        "Waits for good hands, calls with them and raises only with the best.",
        lambda: RuleAgent("tight-passive", TIGHT_PASSIVE),
    ),
    "loose-aggressive": Style(
        "Loose-aggressive",
        "Plays many hands, raises most of them and keeps betting, sometimes with nothing.",
        lambda: RuleAgent("loose-aggressive", _LOOSE_AGGRESSIVE),
    ),
    RandomAgent.style: Style("Random", "Takes any legal action without looking at its cards.", RandomAgent),
}
"""Every style by its registered name, in the order in which they are offered."""

AUTOPLAY_STYLE = "tight-passive"
"""The simple policy of a player's seat when it plays by itself: good hands only, raises with the best."""


def registered_name(style: str) -> str:
    """Return the name that a style has in `STYLES`, from that or a former one; a reader's name stays behind it.

    >>> registered_name("fold-paper"), registered_name("fold:uniform"), registered_name("maniac")
    ('fold-2017', 'fold:uniform', 'maniac')
    """
    name, sign, reader = style.partition(_READER_SIGN)
    return _FORMER_NAMES.get(name, name) + sign + reader


def style_label(style: str) -> str:
    """Write a style's name for people; one that is not registered stays as it is.

    >>> style_label("soulread"), style_label("fold-paper"), style_label("fold:uniform")
    ('Soulread', 'FOLD 2017', 'FOLD (uniform)')
    """
    name, sign, reader = registered_name(style).partition(_READER_SIGN)
    if name not in STYLES:
        return style
    return f"{STYLES[name].title} ({reader})" if sign else STYLES[name].title


def make_agent(style: str) -> Agent:
    """Make a player of a style of `STYLES`, or FOLD with a reader ("fold:uniform"), with an empty memory.

    Raises
    ------
    UnknownStyleError
        If no style has that name.
    UnknownReaderError
        If FOLD is named with a reader that there is not.
    """
    style = registered_name(style)
    name, sign, reader = style.partition(_READER_SIGN)
    if sign and name == FoldAgent.style:
        return FoldAgent(make_reader(reader), style=style)
    if sign and name in STYLES:
        raise UnknownStyleError(
            f"The style '{name}' takes no reader, and '{style}' names one; '{FoldAgent.style}' does."
        )
    if style not in STYLES:
        raise UnknownStyleError(f"There is no style '{style}'; there are {', '.join(STYLES)}.")
    return STYLES[style].make()
