"""The numbers of a rule-based player, and the rules that are the same for all of them.

They know their own cards, the board and the price, and nothing of anybody's range. Before the flop they go by the
share of hands that are at least as strong, after it by the equity against random hands, by draws and by the pot
odds; some by what they hold alone. A ruling follows from the observation and the seed alone.
"""

from enum import StrEnum

import numpy as np
from msgspec import Struct

from engine.agents.agent import Figure, PositionGroup
from engine.agents.fold.decide import Scenario, calling_action, passive_action, scenario_of
from engine.agents.fold.opponent_model import multiway_cut, preflop_strengths, win_probabilities
from engine.agents.fold.understand import blind_count, position_groups
from engine.agents.reading import pot_odds_of
from engine.agents.rule_based.holdings import Holding, holding_of, is_draw
from engine.agents.rule_based.ruling import Ruling, figure_of
from engine.cards import Street, combo_of
from engine.game.events import CALL, CHECK, FOLD, Action, Posted, PostKind, Seat, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction


class Sizing(StrEnum):
    """How much a temper bets and raises: its usual sizes, the least there is, or everything."""

    USUAL = "usual"
    LEAST = "least"
    ALL_IN = "all-in"


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
        Share of hands that raise a big part of a deep stack before the flop; others that would raise call.
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
    is_same_at_all_tables : bool
        Whether it plays as many hands with fewer seats as six-handed.
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
    is_same_at_all_tables: bool = False


_BIG_SHARE_OF_STACK = 0.25
"""From this share of the stack on, chips put in before the flop call for a hand to stack off with."""

_SHORT_STACK_BB = 12.0
"""Below this effective stack a rule-based style stacks off with twice the hands it would raise again with."""

_HEADS_UP_FACTOR, _SHORT_HANDED_FACTOR = 2.4, 1.5
"""How many more hands are played with 2, and with 3 or 4 seats, than six-handed."""

MOST_PLAYED = 0.9
"""No temper plays or raises more hands than this share, with however few seats."""


def seats_factor(seats: int) -> float:
    """Return how many times as many hands a table of so many seats plays as six-handed ones do."""
    return _HEADS_UP_FACTOR if seats == 2 else _SHORT_HANDED_FACTOR if seats <= 4 else 1.0


def table_factor(temper: Temper, seats: int) -> float:
    """Return how many times as many hands a temper plays at a table of so many seats as six-handed."""
    return 1.0 if temper.is_same_at_all_tables else seats_factor(seats)


def play_by(temper: Temper, observation: Observation, seed: int) -> Ruling:
    """Return what a temper does in the place of the observing seat, whose turn it is."""
    scenario = scenario_of(observation)
    if observation.street is Street.PREFLOP:
        return _play_preflop(temper, observation, scenario)
    return _play_postflop(temper, observation, scenario, seed)


def positions(observation: Observation) -> dict[Seat, PositionGroup]:
    """Return the position group of every seat dealt in."""
    blinds = blind_count(observation.events)
    return position_groups([view.seat for view in observation.seats], observation.button, blinds)


def _played_share(temper: Temper, observation: Observation) -> tuple[float, float]:
    """Return the share of hands played from here when nobody has raised, and the factor for few seats."""
    factor = table_factor(temper, len(observation.seats))
    base = float(getattr(temper, positions(observation)[observation.seat].value))
    return min(MOST_PLAYED, base * factor), factor


def _play_preflop(temper: Temper, observation: Observation, scenario: Scenario) -> Ruling:
    seats = len(observation.seats)
    rank = 1 - float(preflop_strengths(seats - 1)[combo_of(*observation.hole_cards)])
    played, factor = _played_share(temper, observation)
    if scenario.raises == 0:
        raises, calls = played * temper.raised, played
    elif scenario.raises == 1:
        raises, calls = min(MOST_PLAYED, temper.three_bet * factor), temper.call_raise * factor
    else:
        raises, calls = min(MOST_PLAYED, temper.four_bet * factor), temper.call_three_bet * factor
    if scenario.depth_bb < _SHORT_STACK_BB:
        stack_off = 2 * temper.three_bet * factor + temper.stack_off
    else:
        stack_off = temper.stack_off
    is_big = scenario.to_call >= _BIG_SHARE_OF_STACK * observation.me.stack
    calls = max(min(calls, stack_off) if is_big and scenario.raises else calls, raises)
    figures = (
        figure_of("share of hands at least as strong", rank),
        figure_of("raises with", raises),
        figure_of("calls with", min(1.0, calls)),
    )
    if rank <= raises and scenario.legal.can_raise:
        total = _preflop_raise(temper, observation, scenario)
        commits = total - observation.me.bet >= _BIG_SHARE_OF_STACK * observation.me.stack
        if not commits or rank <= stack_off:
            # A raise that leaves less than itself behind goes all-in.
            if temper.sizing is Sizing.USUAL and total - observation.me.bet >= 0.5 * observation.me.stack:
                total = scenario.legal.max_raise_to
            return ("preflop_raise" if scenario.raises == 0 else "preflop_raise_again"), raise_to(total), figures
    if rank <= calls or (scenario.legal.can_check and not scenario.raises):
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
        has_draw = temper.semi_bluff != temper.bluff and is_draw(observation.hole_cards, observation.board)
        chance = min(1.0, (temper.semi_bluff if has_draw else temper.bluff) / opponents)
        figures = (*figures, figure_of("drawn number", drawn), figure_of("bluffs below", chance))
        if drawn < chance:
            return ("semi_bluff" if has_draw else "bluff"), _bet(temper, observation, scenario, 0.0), figures
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
    if odds <= draw_bound and is_draw(observation.hole_cards, observation.board):
        return "call_draw", CALL, (*figures, figure_of("draws call up to", draw_bound))
    return "fold_weak", FOLD, figures


def _bet(temper: Temper, observation: Observation, scenario: Scenario, win_rate: float) -> Action:
    """Bet or raise the temper's size; by its usual one strong hands bet half as much again, at most a pot."""
    if temper.sizing is not Sizing.USUAL:
        return raise_to(_extreme_raise(temper, scenario))
    size = min(1.0, temper.bet_size * (1.5 if win_rate >= 0.85 else 1.0))
    return raise_to(raise_to_for_pot_fraction(observation, size))
