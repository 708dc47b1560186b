"""Stage 4, the decision: thresholds for the scenario, special cases, algorithm 2 (Li et al. 2017, sec. 4.5).

`choose` is a pure function of a reading, an observation, a seed and the parameters, all of which the trace stores
or names, so it can be run again. Where the paper leaves room we chose:

- Every adjustment but the pot odds multiplies a threshold's *odds*, threshold / (1 - threshold), so thresholds stay
  between 0 and 1 and adjustments of different kinds compose.
- Players in the pot: the odds are divided by the number of opponents. The 70% of a two-player pot become 53.8%
  three-handed (the paper: 55%). A player who has not acted yet counts as in the pot, as in the win rate.
- Pot odds: what a call needs is counted as if everyone still to act called too, which is what the win rate against
  all of them assumes. The call threshold then keeps a part of the way from there to the full threshold.
- Opening is betting first; before the flop the blinds are no bet. An open needs less than a call: the gap concept.
- The effective stack decides between short, medium and deep. Deep, a speculative hand calls whoever has come in, as
  long as that costs a twentieth of what they can lose later, or less.
- A draw has its next card, and on the flop the river too as often as recorded players saw it for no more than a
  third of the pot. What it wins later when it hits was counted there, as far as the stack behind reaches.
- No special case folds. The paper gives up a middle pair to resistance (sec. 4.5) whatever the price, and leaves
  open what an oversized bet and a short stack fold; so KK below an ace folded for 40 chips into 7,060. Here a
  special case may raise, call or check, and all folds are those of algorithm 2, which knows what a call needs.

Where the paper as printed can be played, though it loses by it, `Options` of the parameters switch that on.
"""

from collections.abc import Callable, Sequence
from math import inf

import numpy as np
from msgspec import Struct

from engine.agents.agent import ActionClass, Adjustment, Figure, Outs, Reading, Thresholds, UnderstoodAction
from engine.agents.fold.opponent_model import fair_odds, preflop_strengths, win_probabilities
from engine.agents.fold.parameters import DecisionNumbers, Options, Parameters
from engine.agents.fold.understand import AGGRESSION, is_raise_class, understand
from engine.agents.reading import amount_to_call, pot_odds_of, unseen_cards
from engine.cards import Card, HoleCards, Street, combo_of, rank_of, suit_of
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, Seat, raise_to
from engine.game.observation import LegalActions, Observation
from engine.game.sizing import raise_to_for_pot_fraction


class NotToActError(ValueError):
    """A decision asked of a seat that is not to act."""


class Choice(Struct, frozen=True):
    """What stage 4 adds to a trace: the fields of the same names."""

    base: Thresholds
    adjustments: tuple[Adjustment, ...]
    figures: tuple[Figure, ...]
    rule: str
    action: Action


class Scenario(Struct, frozen=True):
    """What the thresholds depend on, read off an observation.

    Attributes
    ----------
    behind : int
        Opponents who can still act after us on this street if we do not raise.
    is_last : bool
        Whether no opponent who can act comes after us on the streets after the flop.
    raises : int
        Bets and raises on this street; before the flop the blinds are none.
    facing_size : float
        Size over the pot of the bet or raise to be called; 0 if there is none.
    has_bet : bool
        Whether we bet or raised after the flop.
    needed : float
        Share of the pot a call costs if everyone still to act calls too.
    depth_bb : float
        Effective stack, chips in front on this street included, in big blinds.
    to_win : int
        Chips that one opponent who has come in can lose to us after a call; before the flop those have come in who
        have called or raised.
    """

    legal: LegalActions
    opponents: int
    behind: int
    is_last: bool
    raises: int
    facing_size: float
    has_bet: bool
    to_call: int
    needed: float
    depth_bb: float
    to_win: int


def scenario_of(observation: Observation, *, after_call: bool = True) -> Scenario:
    """Return the scenario of an observation whose seat is to act; a `NotToActError` if it is not.

    Sizes are measured as by `understand`.
    """
    if observation.legal is None:
        raise NotToActError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
    actions = understand(observation.events, after_call=after_call)
    street = [action for action in actions if action.street is observation.street]
    raises = [action for action in street if is_raise_class(action.action_class)]
    since = street[street.index(raises[-1]) :] if raises else street
    acted = {action.seat for action in since}
    able = [view for view in observation.opponents if not view.is_all_in]
    me = observation.me
    to_call = amount_to_call(observation)
    return Scenario(
        legal=observation.legal,
        opponents=len(observation.opponents),
        behind=sum(view.seat not in acted for view in able),
        is_last=_is_last(observation, [view.seat for view in able]),
        raises=len(raises),
        facing_size=raises[-1].size_over_pot if raises and to_call else 0.0,
        has_bet=_has_bet(actions, observation.seat),
        to_call=to_call,
        needed=_needed_if_all_call(observation, to_call),
        depth_bb=min(me.stack + me.bet, observation.reach_of_opponents) / observation.big_blind,
        to_win=_to_win(observation, actions, to_call),
    )


def _to_win(observation: Observation, actions: Sequence[UnderstoodAction], to_call: int) -> int:
    came_in = {action.seat for action in actions if AGGRESSION[action.action_class] >= AGGRESSION[ActionClass.CALL]}
    behind = [
        view.stack
        for view in observation.opponents
        if observation.street is not Street.PREFLOP or view.seat in came_in
    ]
    return min(observation.me.stack - to_call, max(behind, default=0))


def _has_bet(actions: Sequence[UnderstoodAction], seat: Seat) -> bool:
    return any(action.seat == seat and action.street and is_raise_class(action.action_class) for action in actions)


def _is_last(observation: Observation, able: Sequence[Seat]) -> bool:
    def order(seat: Seat) -> tuple[bool, Seat]:
        return seat <= observation.button, seat

    return all(order(seat) < order(observation.seat) for seat in able)


def _needed_if_all_call(observation: Observation, to_call: int) -> float:
    """Return the share of the pot that a call costs if every live opponent puts in as much as we then have."""
    if to_call <= 0:
        return 0.0
    reach = observation.me.committed + to_call
    pot = reach + observation.dead
    for view in observation.seats:
        if view.seat != observation.seat:
            can_reach = view.committed if view.is_folded else view.committed + view.stack
            pot += min(reach, can_reach)
    return to_call / pot


def scale_odds(threshold: float, factor: float) -> float:
    """Return the threshold whose odds are `factor` times as long.

    >>> round(scale_odds(0.75, 0.5), 3)
    0.6
    """
    return threshold * factor / (threshold * factor + 1 - threshold)


def scale_thresholds(
    thresholds: Thresholds,
    call: float = 1.0,
    raise_half: float = 1.0,
    raise_pot: float = 1.0,
    *,
    is_open: bool = False,
) -> Thresholds:
    """Return thresholds with their odds multiplied; a whole pot never takes less than half of one.

    Opening, a call never takes more than a raise. Facing a raise it may until the pot odds are counted, for the
    paper's 70% is what a call would take if it paid even money.
    """
    half = scale_odds(thresholds.raise_half, raise_half)
    pot = max(half, scale_odds(thresholds.raise_pot, raise_pot))
    full_call = scale_odds(thresholds.call, call)
    return Thresholds(min(half, full_call) if is_open else full_call, half, pot)


def _figure(name: str, value: float, neutral: float | None = None) -> Figure:
    """Return a number that history does not move, and the one that would change nothing, if there is one."""
    return Figure(name, float(value), float(value if neutral is None else neutral))


def _players(before: Thresholds, scenario: Scenario, *_: object) -> Adjustment:
    factor = 1 / max(scenario.opponents, 1)
    return Adjustment(
        "players",
        (_figure("opponents", scenario.opponents, 1), _figure("factor", factor, 1)),
        scale_thresholds(before, factor, factor, factor),
    )


def _position(
    before: Thresholds, scenario: Scenario, observation: Observation, numbers: DecisionNumbers
) -> Adjustment:
    if observation.street is Street.PREFLOP:
        factor = numbers.position.behind**scenario.behind
        code = "position_preflop"
    else:
        factor = numbers.position.in_position if scenario.is_last else numbers.position.out_of_position
        code = "in_position" if scenario.is_last else "out_of_position"
    figures = (_figure("players behind", scenario.behind, 0), _figure("factor", factor, 1))
    return Adjustment(code, figures, scale_thresholds(before, factor, factor, factor))


def _gap(before: Thresholds, scenario: Scenario, observation: Observation, numbers: DecisionNumbers) -> Adjustment:
    gap, is_preflop = numbers.gap, observation.street is Street.PREFLOP
    if scenario.raises == 0:
        factor = gap.open_preflop if is_preflop else gap.open_postflop
        figures = (_figure("raise factor", factor, 1),)
        return Adjustment("gap_open", figures, scale_thresholds(before, 1.0, factor, factor, is_open=True))
    call = gap.call if is_preflop else 1.0
    over = gap.raise_over_preflop if is_preflop else 1.0
    again = over * gap.raise_again ** (scenario.raises - 1)
    facing = (
        _figure("raises faced", scenario.raises, 0),
        _figure("call factor", call, 1),
        _figure("raise factor", again, 1),
    )
    return Adjustment("gap_call", facing, scale_thresholds(before, call, again, again))


def _stack_depth(
    before: Thresholds, scenario: Scenario, observation: Observation, numbers: DecisionNumbers
) -> Adjustment:
    stack, depth = numbers.stack, scenario.depth_bb
    figures: tuple[Figure, ...] = (_figure("effective stack in big blinds", depth),)
    if depth < stack.short_bb:
        return Adjustment("stack_short", (*figures, _figure("short below", stack.short_bb)), before)
    if depth <= stack.deep_bb:
        return Adjustment("stack_medium", figures, before)
    return Adjustment("stack_deep", (*figures, _figure("deep above", stack.deep_bb)), before)


def _format(
    before: Thresholds, scenario: Scenario, observation: Observation, numbers: DecisionNumbers
) -> Adjustment:
    is_tournament = observation.kind is GameKind.TOURNAMENT
    factors = numbers.format
    call = 1.0
    if observation.street is Street.PREFLOP:
        call = factors.tournament_call if is_tournament else factors.cash_call
    pot = factors.tournament_raise_pot if is_tournament else factors.cash_raise_pot
    figures = (_figure("call factor", call, 1), _figure("raise pot factor", pot, 1))
    after = scale_thresholds(before, call, 1.0, pot, is_open=scenario.raises == 0)
    return Adjustment(observation.kind.value, figures, after)


def _pot_odds(
    before: Thresholds, scenario: Scenario, observation: Observation, numbers: DecisionNumbers
) -> Adjustment:
    is_unopened = observation.street is Street.PREFLOP and scenario.raises == 0
    share = numbers.pot_odds.unopened if is_unopened else numbers.pot_odds.at(observation.street)
    call = scenario.needed + share * max(0.0, before.call - scenario.needed)
    half = max(call, before.raise_half)
    figures = (
        _figure("pot odds", pot_odds_of(observation), 0),
        _figure("needed if all call", scenario.needed, 0),
        _figure("share of the way kept", share, 1),
    )
    return Adjustment("pot_odds", figures, Thresholds(call, half, max(half, before.raise_pot)))


Adjuster = Callable[[Thresholds, Scenario, Observation, DecisionNumbers], Adjustment]
_ADJUSTERS: tuple[Adjuster, ...] = (_players, _position, _gap, _stack_depth, _format)
"""Every adjustment in its order; the pot odds come last, and only when there is something to call."""


def adjust_thresholds(
    scenario: Scenario, observation: Observation, parameters: Parameters
) -> tuple[Thresholds, tuple[Adjustment, ...]]:
    """Return the base thresholds, and every adjustment to the scenario in order."""
    numbers = parameters.decision
    base = Thresholds(numbers.base.call, numbers.base.raise_half, numbers.base.raise_pot)
    adjustments: list[Adjustment] = []
    current = base
    has_price = scenario.to_call > 0 and parameters.options.pot_odds
    for adjust in (*_ADJUSTERS, _pot_odds) if has_price else _ADJUSTERS:
        adjustments.append(adjust(current, scenario, observation, numbers))
        current = adjustments[-1].after
    return base, tuple(adjustments)


def is_speculative(hole_cards: HoleCards) -> bool:
    """Whether hole cards are a small or medium pair (to nines) or suited connectors (to JTs, one gap)."""
    high, low = sorted((rank_of(card) for card in hole_cards), reverse=True)
    if high == low:
        return high <= 7
    return suit_of(hole_cards[0]) == suit_of(hole_cards[1]) and high - low <= 2 and high <= 9


def is_middle_pair(hole_cards: HoleCards, board: Sequence[Card]) -> bool:
    """Whether the best the hole cards make is one pair of their own below the board's top card.

    A board that is paired itself makes two pair of it, which is not meant.
    """
    ranks = [rank_of(card) for card in board]
    own = [rank_of(card) for card in hole_cards]
    if len(set(ranks)) < len(ranks) or not ranks:
        return False
    if own[0] == own[1]:
        return own[0] not in ranks and min(ranks) < own[0] < max(ranks)
    matched = [rank for rank in own if rank in ranks]
    return len(matched) == 1 and min(ranks) <= matched[0] < max(ranks)


class _Table(Struct, frozen=True):
    """All that a rule may look at: stages 1-3, the scenario, the thresholds in force, the numbers, the seed."""

    reading: Reading
    observation: Observation
    scenario: Scenario
    thresholds: Thresholds
    numbers: DecisionNumbers
    options: Options
    outs_needed: int
    seed: int

    @property
    def win(self) -> float:
        return self.reading.win_rate.value

    @property
    def is_preflop(self) -> bool:
        return self.observation.street is Street.PREFLOP


Ruling = tuple[str, Action, tuple[Figure, ...]]


def passive_action(legal: LegalActions) -> Action:
    """Return a check where it is free, otherwise a fold: folding a free check is never right."""
    return CHECK if legal.can_check else FOLD


def calling_action(legal: LegalActions) -> Action:
    """Return a check where it is free, otherwise a call."""
    return CHECK if legal.can_check else CALL


def sized_raise(observation: Observation, share_of_pot: float, commit: float = 1.0) -> Action:
    """Return the legal bet or raise of a share of the pot after calling; all-in from a share of the stack on.

    Raises a `NoRaiseError` if the seat may not bet or raise now.
    """
    total = raise_to_for_pot_fraction(observation, share_of_pot)
    me = observation.me
    if total - me.bet >= commit * me.stack:
        total = me.bet + me.stack
    return raise_to(total)


def _raise_or_call(table: _Table, share_of_pot: float, rule: str) -> Ruling:
    """Raise by a share of the pot; call or check where the rules, or the premium rule, forbid it."""
    observation, special = table.observation, table.numbers.special
    if not table.scenario.legal.can_raise:
        return "raise_not_possible", calling_action(table.scenario.legal), ()
    action = sized_raise(observation, share_of_pot, special.commit if table.options.commit else inf)
    me = observation.me
    is_big = (action.raise_to - me.bet) >= me.stack / 3 and table.scenario.depth_bb > special.premium_bb
    if table.is_preflop and is_big and table.options.premium:
        weaker = float(preflop_strengths(1)[combo_of(*observation.hole_cards)])
        figures = (
            _figure("share of hands that are weaker", weaker),
            _figure("premium from", 1 - special.premium),
        )
        if weaker < 1 - special.premium:
            return "premium_only", calling_action(table.scenario.legal), figures
        return rule, action, figures
    return rule, action, ()


def _nuts(table: _Table) -> Ruling | None:
    """Raise a pot with a hand that nothing beats."""
    if table.is_preflop or not table.options.nuts:
        return None
    board = tuple(sorted(table.observation.board))
    p_win = float(win_probabilities(board)[combo_of(*table.observation.hole_cards)])
    if p_win < table.numbers.special.nuts:
        return None
    rule, action, figures = _raise_or_call(table, table.numbers.sizes.pot, "nuts")
    return rule, action, (_figure("win rate against any hand", p_win), *figures)


def _short_stack(table: _Table) -> Ruling | None:
    """Before the flop a short stack goes all-in with whatever algorithm 2 would not fold (sec. 4.5)."""
    scenario = table.scenario
    if not table.is_preflop or scenario.depth_bb >= table.numbers.stack.short_bb:
        return None
    if scenario.to_call > 0:
        bound = table.thresholds.call
    else:
        fair = fair_odds(table.numbers.special.short_shove, max(scenario.opponents, 1))
        bound = scale_odds(fair, table.numbers.position.behind**scenario.behind)
    figures = (_figure("all-in from", bound),)
    if table.win < bound:
        return ("short_stack_out", CHECK, figures) if scenario.to_call == 0 else None
    if scenario.legal.can_raise:
        return "short_stack_in", raise_to(scenario.legal.max_raise_to), figures
    return "short_stack_in", calling_action(scenario.legal), figures


def _oversized(table: _Table) -> Ruling | None:
    """Call an oversized bet from its price and a margin on; only the best hands raise it."""
    scenario, special = table.scenario, table.numbers.special
    limit = special.oversized_preflop if table.is_preflop else special.oversized
    if scenario.facing_size <= limit:
        return None
    margin = special.oversized_margin_preflop if table.is_preflop else special.oversized_margin
    bound = min(scenario.needed + margin, table.thresholds.raise_pot)
    figures = (
        _figure("size over the pot", scenario.facing_size),
        _figure("oversized above", limit),
        _figure("call from", bound),
    )
    if table.win >= table.thresholds.raise_pot:
        rule, action, more = _raise_or_call(table, table.numbers.sizes.pot, "oversized_raise")
        return rule, action, (*figures, *more)
    if table.win >= bound:
        return "oversized_call", calling_action(scenario.legal), figures
    return None


def _speculative(table: _Table) -> Ruling | None:
    """Call with a speculative hand where deep stacks may pay for what it becomes (sec. 4.5)."""
    scenario, stack = table.scenario, table.numbers.stack
    if not table.options.speculative or not table.is_preflop or scenario.depth_bb <= stack.deep_bb:
        return None
    if not scenario.to_call or not scenario.to_win or table.win >= table.thresholds.raise_half:
        return None
    price = scenario.to_call / scenario.to_win
    if price > stack.speculative_price or not is_speculative(table.observation.hole_cards):
        return None
    figures = (_figure("price of what can be won", price), _figure("pays up to", stack.speculative_price))
    return "speculative_call", CALL, figures


def _draw(table: _Table) -> Ruling | None:
    """Call or lead with a draw of 8 outs or more when the implied odds allow; it seldom folds (sec. 4.5)."""
    outs, scenario = table.reading.outs, table.scenario
    if (
        not table.options.draws
        or outs is None
        or len(outs.cards) < table.outs_needed
        or table.win >= table.thresholds.raise_half
    ):
        return None
    if scenario.to_call == 0:
        if not scenario.legal.can_raise:
            return None
        drawn = float(np.random.default_rng([table.seed, 1]).random())
        figures = (_figure("drawn number", drawn), _figure("leads below", table.numbers.draw.lead))
        if drawn < table.numbers.draw.lead:
            rule, action, more = _raise_or_call(table, table.numbers.sizes.half, "draw_lead")
            return rule, action, (*figures, *more)
        return "draw_check", CHECK, figures
    hit, final_share, more = _draw_price(table, outs)
    price = _figure("chance to hit", hit), _figure("implied odds", final_share)
    return ("draw_call", CALL, (*price, *more)) if hit >= final_share else None


def _draw_price(table: _Table, outs: Outs) -> tuple[float, float, tuple[Figure, ...]]:
    """Return the chance to hit, the share that a call costs of what is won then, and the figures of the chance.

    What is won then are the pot and later bets, so many pots as far as the stack behind reaches. The chance is that
    of the next card, and on the flop of the river, too, as often as the turn is free or cheap: always if nobody
    can bet a dear one any more.
    """
    scenario, draw = table.scenario, table.numbers.draw
    pot_after = scenario.to_call / scenario.needed
    implied = min(scenario.to_win, draw.implied_pots * pot_after)
    unseen = unseen_cards(table.observation.board, table.options)
    hit = len(outs.cards) / unseen
    figures: tuple[Figure, ...] = ()
    if scenario.to_win <= 0:
        hit = outs.hit_probability
    elif table.observation.street is Street.FLOP:
        free = 1.0 if scenario.to_win <= draw.cheap * pot_after else draw.free
        hit += (outs.hit_probability - hit) * free
        figures = (_figure("turn free or cheap", free),)
    return hit, scenario.to_call / (pot_after + implied), figures


def _middle_pair(table: _Table) -> Ruling | None:
    """Bet a middle pair once (sec. 4.5); algorithm 2 weighs what resistance costs, unless it folds to any."""
    observation, scenario = table.observation, table.scenario
    if not is_middle_pair(observation.hole_cards, observation.board):
        return None
    if scenario.to_call > 0 and scenario.has_bet and table.options.middle_pair_folds:
        bound = table.thresholds.raise_half
        return ("middle_pair_fold", FOLD, (_figure("stays from", bound),)) if table.win < bound else None
    if scenario.to_call > 0 or scenario.has_bet:
        return None
    bound = scale_odds(1 / (scenario.opponents + 1), table.numbers.middle_pair.bet)
    if not bound <= table.win < table.thresholds.raise_half:
        return None
    code, action, more = _raise_or_call(table, table.numbers.sizes.half, "middle_pair_bet")
    return code, action, (_figure("bets from", bound), *more)


def _algorithm(table: _Table) -> Ruling:
    """Algorithm 2: the win rate among the thresholds."""
    win, thresholds, legal = table.win, table.thresholds, table.scenario.legal
    if win < thresholds.call:
        action = passive_action(legal)
        return ("below_call_check" if action == CHECK else "below_call_fold"), action, ()
    if win < thresholds.raise_half:
        action = calling_action(legal)
        return ("call_range_check" if action == CHECK else "call_range_call"), action, ()
    if win < thresholds.raise_pot:
        return _raise_or_call(table, table.numbers.sizes.half, "raise_half_pot")
    return _raise_or_call(table, table.numbers.sizes.pot, "raise_pot")


_SPECIAL_CASES = (_nuts, _short_stack, _oversized, _speculative, _draw, _middle_pair)
"""The cases that algorithm 2 leaves apart, in their order; the first that answers decides."""


def choose(reading: Reading, observation: Observation, seed: int, parameters: Parameters) -> Choice:
    """Choose a legal action: a pure function, whose seed only mixes what a draw that may lead does.

    Raises
    ------
    NotToActError
        If the seat is not to act.
    """
    numbers = parameters.decision
    scenario = scenario_of(observation, after_call=parameters.options.size_after_call)
    base, adjustments = adjust_thresholds(scenario, observation, parameters)
    table = _Table(
        reading=reading,
        observation=observation,
        scenario=scenario,
        thresholds=adjustments[-1].after,
        numbers=numbers,
        options=parameters.options,
        outs_needed=parameters.prediction.draw_outs,
        seed=seed,
    )
    ruling: Ruling | None = None
    for case in _SPECIAL_CASES:
        ruling = case(table)
        if ruling is not None:
            break
    rule, action, figures = ruling or _algorithm(table)
    return Choice(base, adjustments, figures, rule, action)
