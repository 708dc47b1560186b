"""Players that go by rules: a temper's numbers and the same rules for all, or no look at the cards at all.

They know their own cards, the board and the price, and nothing of anybody's range. Before the flop they go by the
share of hands that are at least as strong, after it by the equity against random hands, by draws and by the pot
odds; some by what they hold alone. They are stateless: a decision follows from the observation and the seed alone.
"""

from enum import IntEnum, StrEnum

import numpy as np
from msgspec import Struct

from engine.agents.agent import STACK_OVER_AVERAGE, Decision, Figure, PositionGroup, Trace
from engine.agents.fold.decide import Scenario, calling_action, passive_action, scenario_of
from engine.agents.fold.opponent_model import multiway_cut, preflop_strengths, win_probabilities
from engine.agents.fold.understand import position_groups
from engine.agents.reading import pot_odds_of
from engine.cards import Card, HoleCards, Street, combo_of, rank_of
from engine.game.events import CALL, CHECK, FOLD, Action, HandStarted, Posted, PostKind, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction
from engine.strength import Category, Draw, category_of, draws, strength

Ruling = tuple[str, Action, tuple[Figure, ...]]
"""Code of the rule that chose, what it chose, and the numbers it used."""


class Sizing(StrEnum):
    """How much a temper bets and raises: its usual sizes, the least there is, or everything."""

    USUAL = "usual"
    LEAST = "least"
    ALL_IN = "all-in"


class Holding(IntEnum):
    """What hole cards make of a board, as coarsely as players who look at nothing else see it.

    Something is a pair of one's own, an ace or any draw. Strong is top pair, an overpair, anything better that the
    board does not make by itself, or a draw to a flush or to both ends of a straight.
    """

    NOTHING = 0
    SOMETHING = 1
    STRONG = 2


class Temper(Struct, frozen=True):
    """The numbers of a rule-based player. Shares are of all hands, best first; strengths are equities 0-1.

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
    sizing : Sizing
        Whether it bets and raises other amounts than its usual ones.
    goes_on_with : Holding or None
        After the flop it calls any bet with at least this, and folds all else to any bet, whatever the price; None
        goes by strength and price.
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
    sizing: Sizing = Sizing.USUAL
    goes_on_with: Holding | None = None


_CALLING_STATION = Temper(
    early=0.45, middle=0.5, late=0.6, blinds=0.6, raised=0.06, call_raise=0.42, three_bet=0.012,
    call_three_bet=0.12, four_bet=0.009, stack_off=0.05, open_bb=2.5, bet=0.80, raise_=0.95,
    call_floor=0.22, call_slope=0.55, bluff=0.0, semi_bluff=0.0, bet_size=0.5,
)  # fmt: skip
_TIGHT_PASSIVE = Temper(
    early=0.12, middle=0.15, late=0.22, blinds=0.25, raised=0.35, call_raise=0.12, three_bet=0.015,
    call_three_bet=0.035, four_bet=0.009, stack_off=0.025, open_bb=2.5, bet=0.72, raise_=0.93,
    call_floor=0.38, call_slope=0.75, bluff=0.0, semi_bluff=0.05, bet_size=0.5,
)  # fmt: skip
_LOOSE_AGGRESSIVE = Temper(
    early=0.26, middle=0.32, late=0.48, blinds=0.4, raised=0.85, call_raise=0.2, three_bet=0.085,
    call_three_bet=0.08, four_bet=0.025, stack_off=0.035, open_bb=3.0, bet=0.56, raise_=0.80,
    call_floor=0.33, call_slope=0.6, bluff=0.22, semi_bluff=0.6, bet_size=0.75,
)  # fmt: skip
TIGHT_AGGRESSIVE = Temper(
    early=0.14, middle=0.18, late=0.3, blinds=0.26, raised=0.95, call_raise=0.11, three_bet=0.045,
    call_three_bet=0.045, four_bet=0.018, stack_off=0.03, open_bb=2.5, bet=0.62, raise_=0.86,
    call_floor=0.36, call_slope=0.7, bluff=0.15, semi_bluff=0.5, bet_size=0.66,
)  # fmt: skip
_BEST_HANDS_ONLY = Temper(
    early=0.02, middle=0.02, late=0.02, blinds=0.02, raised=1.0, call_raise=0.015, three_bet=0.015,
    call_three_bet=0.009, four_bet=0.009, stack_off=0.009, open_bb=2.5, bet=0.85, raise_=0.97,
    call_floor=0.8, call_slope=0.2, bluff=0.0, semi_bluff=0.0, bet_size=0.5,
)  # fmt: skip
_NIT = Temper(
    early=0.08, middle=0.09, late=0.13, blinds=0.11, raised=0.8, call_raise=0.055, three_bet=0.018,
    call_three_bet=0.012, four_bet=0.009, stack_off=0.012, open_bb=3.0, bet=0.75, raise_=0.96,
    call_floor=0.62, call_slope=0.5, bluff=0.0, semi_bluff=0.0, bet_size=0.6,
)  # fmt: skip
_FIT_OR_FOLD = Temper(
    early=0.3, middle=0.35, late=0.45, blinds=0.45, raised=0.08, call_raise=0.28, three_bet=0.01,
    call_three_bet=0.06, four_bet=0.009, stack_off=0.03, open_bb=2.5, bet=0.78, raise_=0.95,
    call_floor=0.0, call_slope=0.0, bluff=0.0, semi_bluff=0.0, bet_size=0.5, goes_on_with=Holding.STRONG,
)  # fmt: skip
_STICKY = Temper(
    early=0.85, middle=0.88, late=0.9, blinds=0.9, raised=0.08, call_raise=0.85, three_bet=0.02,
    call_three_bet=0.75, four_bet=0.01, stack_off=0.35, open_bb=2.5, bet=0.75, raise_=0.95,
    call_floor=0.0, call_slope=0.0, bluff=0.02, semi_bluff=0.1, bet_size=0.5, goes_on_with=Holding.SOMETHING,
)  # fmt: skip
_MIN_RAISER = Temper(
    early=0.4, middle=0.45, late=0.6, blinds=0.55, raised=0.85, call_raise=0.3, three_bet=0.15,
    call_three_bet=0.15, four_bet=0.05, stack_off=0.04, open_bb=2.0, bet=0.5, raise_=0.72,
    call_floor=0.3, call_slope=0.6, bluff=0.3, semi_bluff=0.6, bet_size=0.0, sizing=Sizing.LEAST,
)  # fmt: skip
_MANIAC = Temper(
    early=0.85, middle=0.87, late=0.9, blinds=0.9, raised=0.97, call_raise=0.7, three_bet=0.6,
    call_three_bet=0.35, four_bet=0.2, stack_off=0.1, open_bb=3.5, bet=0.35, raise_=0.62,
    call_floor=0.25, call_slope=0.6, bluff=1.5, semi_bluff=2.0, bet_size=0.9,
)  # fmt: skip
_SHOVER = Temper(
    early=0.2, middle=0.2, late=0.2, blinds=0.2, raised=1.0, call_raise=0.2, three_bet=0.2,
    call_three_bet=0.2, four_bet=0.2, stack_off=1.0, open_bb=0.0, bet=0.75, raise_=0.8,
    call_floor=0.4, call_slope=0.7, bluff=0.0, semi_bluff=0.0, bet_size=0.0, sizing=Sizing.ALL_IN,
)  # fmt: skip

TEMPERS: dict[str, tuple[Temper, Temper | None]] = {
    "tight-passive": (_TIGHT_PASSIVE, None),
    "nit": (_NIT, None),
    "fit-or-fold": (_FIT_OR_FOLD, None),
    "calling station": (_CALLING_STATION, None),
    "sticky": (_STICKY, None),
    "lead keeper": (TIGHT_AGGRESSIVE, _BEST_HANDS_ONLY),
    "loose-aggressive": (_LOOSE_AGGRESSIVE, None),
    "min-raiser": (_MIN_RAISER, None),
    "maniac": (_MANIAC, None),
    "shover": (_SHOVER, None),
}
"""The temper of each rule-based style, and that with a lead."""

_ACE = 12

_STRONG_DRAWS = frozenset({Draw.FLUSH, Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT})

_BIG_SHARE_OF_STACK = 0.25
"""From this share of the stack on, chips put in before the flop call for a hand to stack off with."""

_SHORT_STACK_BB = 12.0
"""Below this effective stack a rule-based style stacks off with twice the hands it would raise again with."""

_HEADS_UP_FACTOR, _SHORT_HANDED_FACTOR = 2.4, 1.5
"""How many more hands are played with 2, and with 3 or 4 seats, than six-handed."""

_MOST_PLAYED = 0.9
"""No temper plays or raises more hands than this share, with however few seats."""

_LEAD = 1.3
"""From this many average stacks of the table on, a player with a lead to keep is ahead."""


class RuleAgent:
    """A player who goes by a temper, and by another one, if there is one, in hands that begin with a lead."""

    def __init__(self, style: str, temper: Temper, with_lead: Temper | None = None) -> None:
        self.style = style
        self.temper = temper
        self.with_lead = with_lead

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals."""
        lead = stack_over_average(observation) if self.with_lead is not None else 0.0
        if self.with_lead is None or lead < _LEAD:
            return decision_of(self.style, observation, seed, play_by(self.temper, observation, seed))
        rule, action, figures = play_by(self.with_lead, observation, seed)
        figures = (*figures, figure_of(STACK_OVER_AVERAGE, lead))
        return decision_of(
            self.style, observation, seed, ("lead_fold" if action == FOLD else rule, action, figures)
        )

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
        figures = (figure_of("drawn number", drawn),)
        if drawn < self.fold:
            action = passive_action(scenario.legal)
            ruling: Ruling = ("random_check" if action == CHECK else "random_fold"), action, figures
        elif drawn < self.fold + self.call or not scenario.legal.can_raise:
            action = calling_action(scenario.legal)
            ruling = ("random_check" if action == CHECK else "random_call"), action, figures
        else:
            chosen = raise_to(raise_to_for_pot_fraction(observation, size))
            ruling = "random_raise", chosen, (*figures, figure_of("size over the pot", size))
        return decision_of(self.style, observation, seed, ruling)

    def hand_finished(self, observation: Observation) -> None:
        """Learn nothing."""


def decision_of(style: str, observation: Observation, seed: int, ruling: Ruling) -> Decision:
    """Return what a rule chose, with its trace."""
    rule, action, figures = ruling
    trace = Trace(style=style, seed=seed, observation=observation, figures=figures, rule=rule, action=action)
    return Decision(action, trace)


def figure_of(name: str, value: float) -> Figure:
    """Return a number that no history moves."""
    return Figure(name, float(value), float(value))


def seats_factor(seats: int) -> float:
    """Return how many times as many hands a table of so many seats plays as six-handed ones do."""
    return _HEADS_UP_FACTOR if seats == 2 else _SHORT_HANDED_FACTOR if seats <= 4 else 1.0


def stack_over_average(observation: Observation) -> float:
    """Return the observer's stack over the table's average, both as the hand began."""
    started = observation.events[0]
    assert isinstance(started, HandStarted)
    stacks = {start.seat: start.stack for start in started.seats}
    return stacks[observation.seat] * len(stacks) / max(sum(stacks.values()), 1)


def holding_of(hole_cards: HoleCards, board: tuple[Card, ...]) -> Holding:
    """Return what hole cards make of a flop, turn or river; what the board makes by itself is nobody's.

    >>> from engine.cards import parse_cards
    >>> flop = parse_cards("Kd9c9h")
    >>> [holding_of(parse_cards(hand), flop).name for hand in ("KsQs", "As5s", "QsQh", "7s6s", "9s2s")]
    ['STRONG', 'SOMETHING', 'SOMETHING', 'NOTHING', 'STRONG']
    """
    own, on_board = [rank_of(card) for card in hole_cards], [rank_of(card) for card in board]
    made = strength([*hole_cards, *board])
    is_own = len(board) < 5 or strength(board) < made
    category = category_of(made) if is_own else Category.HIGH_CARD
    pairs = {rank for rank in own if rank in on_board or own[0] == own[1]}
    if not pairs:
        if category in (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH):
            return Holding.STRONG
        return _drawing(hole_cards, board, Holding.SOMETHING if _ACE in own else Holding.NOTHING)
    if len(pairs) == 2 or max(pairs) >= max(on_board) or category >= Category.THREE_OF_A_KIND:
        return Holding.STRONG
    return _drawing(hole_cards, board, Holding.SOMETHING)


def _drawing(hole_cards: HoleCards, board: tuple[Card, ...], made: Holding) -> Holding:
    if _is_draw(hole_cards, board):
        return Holding.STRONG
    return max(made, Holding.SOMETHING) if Draw.GUTSHOT in draws(hole_cards, board) else made


def _is_draw(hole_cards: HoleCards, board: tuple[Card, ...]) -> bool:
    return not _STRONG_DRAWS.isdisjoint(draws(hole_cards, board))


def play_by(temper: Temper, observation: Observation, seed: int) -> Ruling:
    """Return what a temper does in the place of the observing seat, whose turn it is."""
    scenario = scenario_of(observation)
    if observation.street is Street.PREFLOP:
        return _play_preflop(temper, observation, scenario)
    return _play_postflop(temper, observation, scenario, seed)


def _own_position(observation: Observation) -> PositionGroup:
    blinds = sum(isinstance(event, Posted) and not event.kind.is_ante for event in observation.events)
    groups = position_groups([view.seat for view in observation.seats], observation.button, blinds)
    return groups[observation.seat]


def _played_share(temper: Temper, observation: Observation) -> tuple[float, float]:
    """Return the share of hands played from here when nobody has raised, and the factor for few seats."""
    factor = seats_factor(len(observation.seats))
    base = float(getattr(temper, _own_position(observation).value))
    return min(_MOST_PLAYED, base * factor), factor


def _play_preflop(temper: Temper, observation: Observation, scenario: Scenario) -> Ruling:
    seats = len(observation.seats)
    rank = 1 - float(preflop_strengths(seats - 1)[combo_of(*observation.hole_cards)])
    played, factor = _played_share(temper, observation)
    if scenario.raises == 0:
        raises, calls = played * temper.raised, played
    elif scenario.raises == 1:
        raises, calls = min(_MOST_PLAYED, temper.three_bet * factor), temper.call_raise * factor
    else:
        raises, calls = min(_MOST_PLAYED, temper.four_bet * factor), temper.call_three_bet * factor
    if scenario.depth_bb < _SHORT_STACK_BB:
        stack_off = 2 * temper.three_bet * factor + temper.stack_off
    else:
        stack_off = temper.stack_off
    is_big = scenario.to_call >= _BIG_SHARE_OF_STACK * observation.me.stack
    calls = min(calls, stack_off) if is_big and scenario.raises else calls
    figures = (
        figure_of("share of hands at least as strong", rank),
        figure_of("raises with", raises),
        figure_of("calls with", calls),
    )
    if rank <= raises and scenario.legal.can_raise:
        total = _preflop_raise(temper, observation, scenario)
        commits = total - observation.me.bet >= _BIG_SHARE_OF_STACK * observation.me.stack
        if not commits or rank <= stack_off:
            # A raise that leaves less than itself behind goes all-in.
            if temper.sizing is Sizing.USUAL and total - observation.me.bet >= 0.5 * observation.me.stack:
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
    if temper.sizing is not Sizing.USUAL:
        return _extreme_raise(temper, scenario)
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


def _extreme_raise(temper: Temper, scenario: Scenario) -> int:
    """Return the least bet or raise there is, or all-in."""
    return scenario.legal.min_raise_to if temper.sizing is Sizing.LEAST else scenario.legal.max_raise_to


def _play_postflop(temper: Temper, observation: Observation, scenario: Scenario, seed: int) -> Ruling:
    board, combo = tuple(sorted(observation.board)), combo_of(*observation.hole_cards)
    win_rate = float(win_probabilities(board)[combo])
    drawn = float(np.random.default_rng([seed, 2]).random())
    opponents = max(scenario.opponents, 1)
    figures: tuple[Figure, ...] = (
        figure_of("win rate against any hand", win_rate),
        figure_of("opponents", opponents),
    )
    if scenario.to_call == 0:
        bound = multiway_cut(temper.bet, opponents)
        figures = (*figures, figure_of("bets from", bound))
        if not scenario.legal.can_raise:
            return "check", CHECK, figures
        if win_rate >= bound:
            return "value_bet", _bet(temper, observation, scenario, win_rate), figures
        is_draw = temper.semi_bluff != temper.bluff and _is_draw(observation.hole_cards, observation.board)
        chance = (temper.semi_bluff if is_draw else temper.bluff) / opponents
        figures = (*figures, figure_of("drawn number", drawn), figure_of("bluffs below", chance))
        if drawn < chance:
            return ("semi_bluff" if is_draw else "bluff"), _bet(temper, observation, scenario, 0.0), figures
        return "check", CHECK, figures
    return _answer_bet(temper, observation, scenario, win_rate, figures)


def _answer_bet(
    temper: Temper,
    observation: Observation,
    scenario: Scenario,
    win_rate: float,
    figures: tuple[Figure, ...],
) -> Ruling:
    opponents, odds = max(scenario.opponents, 1), pot_odds_of(observation)
    # Each raise already made asks for half of what is missing to certainty.
    raise_bound = multiway_cut(1 - (1 - temper.raise_) * 0.5 ** max(0, scenario.raises - 1), opponents)
    call_bound = multiway_cut(min(0.97, temper.call_floor + temper.call_slope * odds), opponents)
    draw_bound = 0.33 if observation.street is Street.FLOP else 0.25
    figures = (
        *figures,
        figure_of("pot odds", odds),
        figure_of("raises from", raise_bound),
        figure_of("calls from", call_bound),
    )
    if win_rate >= raise_bound and scenario.legal.can_raise:
        return "value_raise", _bet(temper, observation, scenario, 0.0), figures
    if temper.goes_on_with is not None:
        holds = holding_of(observation.hole_cards, observation.board) >= temper.goes_on_with
        least = temper.goes_on_with.name.lower()
        return (f"holds_{least}", CALL, figures) if holds else (f"lacks_{least}", FOLD, figures)
    if win_rate >= call_bound:
        return "call_strength", CALL, figures
    if odds <= draw_bound and _is_draw(observation.hole_cards, observation.board):
        return "call_draw", CALL, (*figures, figure_of("draws call up to", draw_bound))
    return "fold_weak", FOLD, figures


def _bet(temper: Temper, observation: Observation, scenario: Scenario, win_rate: float) -> Action:
    """Bet or raise the temper's size; by its usual one strong hands bet half as much again, at most a pot."""
    if temper.sizing is not Sizing.USUAL:
        return raise_to(_extreme_raise(temper, scenario))
    size = min(1.0, temper.bet_size * (1.5 if win_rate >= 0.85 else 1.0))
    return raise_to(raise_to_for_pot_fraction(observation, size))
