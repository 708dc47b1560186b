"""Each rule-based player does what its description says, counted over many hands."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from msgspec import Struct

from engine.agents.explain import explain
from engine.agents.styles import make_agent
from engine.cards import CARD_COUNT, Card, Street, format_cards, rank_of
from engine.game.events import Action, ActionKind, GameKind, SeatStart
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.statistics import PlayerStatistics, count_hand
from engine.game.table import Table
from engine.strength import Draw, describe, draws
from tests.engine.agents.hands import BOARDS, deal, play, turn_of

SIX = ("nit", "maniac", "fit-or-fold", "tight-passive", "sticky", "min-raiser")
SIX_MORE = ("adapter", "lead keeper", "shover", "loose-aggressive", "calling station", "tight-passive")


class Decided(Struct):
    observation: Observation
    action: Action
    rule: str


class Played(Struct):
    """What one style did over some hundred hands."""

    statistics: PlayerStatistics
    decisions: list[Decided]

    def after_flop(self, *, facing_bet: bool) -> list[Decided]:
        return [
            one
            for one in self.decisions
            if one.observation.street and one.observation.legal
            if (one.observation.legal.call_amount > 0) is facing_bet
        ]


def six_handed(styles: Sequence[str], hands: int, seed: int) -> dict[str, Played]:
    """Play hands of 100 big blinds on a few boards, the styles drawn to seats afresh for each."""
    random = np.random.default_rng(seed)
    agents = {style: make_agent(style) for style in styles}
    played = {style: Played(PlayerStatistics(), []) for style in styles}
    for _ in range(hands):
        board = list(BOARDS[int(random.integers(len(BOARDS)))])
        rest = [Card(card) for card in random.permutation(CARD_COUNT).tolist() if card not in board]
        seated = [str(style) for style in random.permutation(list(styles))]
        table = Table(
            hand_number=1,
            kind=GameKind.CASH,
            seats=[SeatStart(seat, style, 10_000) for seat, style in enumerate(seated)],
            button=int(random.integers(len(styles))),
            rules=TableRules(50, 100, 0),
            deck=[*rest[: 2 * len(styles)], *board, *rest[2 * len(styles) :]],
        )
        while table.to_act is not None:
            observation, style = turn_of(table), seated[table.to_act]
            decision = agents[style].decide(observation, int(random.integers(2**62)))
            played[style].decisions.append(Decided(observation, decision.action, decision.trace.rule))
            table.apply(decision.action)
        for seat, counts in count_hand(table.observe(0).events).items():
            played[seated[seat]].statistics += counts
        for seat, style in enumerate(seated):
            agents[style].hand_finished(table.observe(seat))
    return played


@pytest.fixture(scope="module")
def played() -> dict[str, Played]:
    return six_handed(SIX, 400, 1) | {
        style: done for style, done in six_handed(SIX_MORE, 200, 2).items() if style not in SIX
    }


def share(done: Sequence[bool]) -> float:
    assert len(done) >= 20, "too few to count"
    return sum(done) / len(done)


def vpip(played: Played) -> float:
    return played.statistics.vpip.value or 0.0


def pfr(played: Played) -> float:
    return played.statistics.pfr.value or 0.0


def has_something(observation: Observation) -> bool:
    """Whether somebody has an ace, a pair of their own, a draw, or a straight or flush."""
    own, board = ([rank_of(card) for card in cards] for cards in (observation.hole_cards, observation.board))
    drawn = set(draws(observation.hole_cards, observation.board)) - {Draw.OVERCARDS}
    words = describe(observation.hole_cards, observation.board)
    is_made = ("straight" in words or "flush" in words) and "on the board" not in words
    return 12 in own or own[0] == own[1] or bool(set(own) & set(board)) or bool(drawn) or is_made


def test_a_maniac_raises_most_hands_and_goes_on_betting(played: dict[str, Played]) -> None:
    maniac = played["maniac"]
    assert 0.7 <= pfr(maniac) <= 0.9
    assert (maniac.statistics.aggression.value or 0) > 3
    free = maniac.after_flop(facing_bet=False)
    assert share([one.action.kind is ActionKind.RAISE for one in free]) > 0.6
    nothing = [one for one in free if not has_something(one.observation)]
    assert share([one.action.kind is ActionKind.RAISE for one in nothing]) > 0.5


def test_a_min_raiser_raises_often_and_never_more_than_the_least(played: dict[str, Played]) -> None:
    raises = [one for one in played["min-raiser"].decisions if one.action.kind is ActionKind.RAISE]
    for one in raises:
        assert one.observation.legal
        assert one.action.raise_to == one.observation.legal.min_raise_to
    assert {one.observation.street for one in raises} == set(Street)
    assert vpip(played["min-raiser"]) > 0.3
    assert pfr(played["min-raiser"]) > 0.2


def test_who_sticks_folds_no_ace_pair_or_draw_after_the_flop(played: dict[str, Played]) -> None:
    sticky = played["sticky"]
    faced = sticky.after_flop(facing_bet=True)
    kept = [one for one in faced if has_something(one.observation)]
    assert len(kept) > 100
    assert all(one.action.kind is not ActionKind.FOLD for one in kept)
    assert any(one.action.kind is ActionKind.FOLD for one in faced)  # with nothing at all
    assert vpip(sticky) > 0.7
    assert pfr(sticky) < 0.12


def test_fit_or_fold_folds_most_flops_to_a_bet_and_never_bluffs(played: dict[str, Played]) -> None:
    fit = played["fit-or-fold"]
    flops = [one for one in fit.after_flop(facing_bet=True) if one.observation.street is Street.FLOP]
    assert share([one.action.kind is ActionKind.FOLD for one in flops]) > 0.6
    for one in fit.decisions:
        if one.observation.street and one.action.kind in (ActionKind.RAISE, ActionKind.CALL):
            assert has_something(one.observation)
            assert one.rule not in ("bluff", "semi_bluff")
    assert vpip(fit) > 0.25
    assert pfr(fit) < 0.06


def test_a_nit_plays_few_hands_and_folds_to_pressure(played: dict[str, Played]) -> None:
    nit = played["nit"]
    assert 0.05 < vpip(nit) < 0.12
    agent, random, folds = make_agent("nit"), np.random.default_rng(3), []
    for _ in range(100):
        low = [Card(card) for card in random.permutation(CARD_COUNT).tolist() if card not in BOARDS[0]]
        hole_cards = {1: "".join("23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in low[:2])}
        table = deal([10_000] * 2, hole_cards=hole_cards, board="AcTd4h7s2c")
        observation = turn_of(play(table, "300 c | x 600"))
        folds.append(agent.decide(observation, 1).action.kind is ActionKind.FOLD)
    assert share(folds) > 0.8  # of random hands


def test_a_shover_goes_all_in_or_folds_before_the_flop(played: dict[str, Played]) -> None:
    shover = played["shover"]
    for one in shover.decisions:
        legal = one.observation.legal
        assert legal
        if one.observation.street is Street.PREFLOP:
            stack = one.observation.me.stack + one.observation.me.bet
            if one.action.kind is ActionKind.RAISE:
                assert one.action.raise_to == stack
            elif one.action.kind is ActionKind.CALL:
                assert not legal.can_raise or legal.call_amount == one.observation.me.stack
    assert 0.14 < vpip(shover) < 0.26
    assert vpip(shover) == pytest.approx(pfr(shover), abs=0.1)


def shoves(seats: int) -> float:
    """Return how often a shover goes all-in first to act."""
    agent, random, done = make_agent("shover"), np.random.default_rng(4), []
    for _ in range(300):
        table = Table(
            hand_number=1,
            kind=GameKind.TOURNAMENT,
            seats=[SeatStart(seat, f"P{seat}", 1_000) for seat in range(seats)],
            button=0,
            rules=TableRules(50, 100, 0),
            deck=[Card(card) for card in random.permutation(CARD_COUNT).tolist()],
        )
        action = agent.decide(turn_of(table), 1).action
        assert action.kind is ActionKind.FOLD or action.raise_to == 1_000
        done.append(action.kind is ActionKind.RAISE)
    return share(done)


def test_a_shover_goes_in_with_more_hands_at_a_short_table() -> None:
    six, four, two = (shoves(seats) for seats in (6, 4, 2))
    assert 0.14 < six < 0.26
    assert six < four < two


def entered(stacks: Sequence[int]) -> float:
    """Return how often a lead keeper with the first of these stacks comes in, on the button, when others fold."""
    agent, random, done = make_agent("lead keeper"), np.random.default_rng(5), []
    for _ in range(300):
        table = Table(
            hand_number=1,
            kind=GameKind.TOURNAMENT,
            seats=[SeatStart(seat, f"P{seat}", stack) for seat, stack in enumerate(stacks)],
            button=0,
            rules=TableRules(50, 100, 0),
            deck=[Card(card) for card in random.permutation(CARD_COUNT).tolist()],
        )
        observation = turn_of(play(table, "f f f"))
        assert observation.seat == 0
        decision = agent.decide(observation, 1)
        if stacks[0] > 1.3 * sum(stacks) / len(stacks) and decision.action.kind is ActionKind.FOLD:
            assert decision.trace.rule == "lead_fold"
        done.append(decision.action.kind is not ActionKind.FOLD)
    return share(done)


@pytest.mark.parametrize("style", ["loose-aggressive", "maniac", "min-raiser", "nit"])
def test_what_is_said_of_an_all_in_is_what_is_done(style: str) -> None:
    """Whoever would raise again calls when no raise is left; the share that calls is said to be as large."""
    agent, called = make_agent(style), []
    for hole_cards in combinations(range(0, CARD_COUNT, 3), 2):
        table = deal([10_000, 10_000], hole_cards={1: format_cards([Card(card) for card in hole_cards])})
        decision = agent.decide(turn_of(play(table, "10000")), 1)
        figures = {figure.name: figure.value for figure in decision.trace.figures}
        called.append(decision.action.kind is ActionKind.CALL)
        assert called[-1] == (figures["share of hands at least as strong"] <= figures["calls with"])
    assert 0 < sum(called) < len(called)


def test_a_lead_keeper_with_a_lead_folds_all_but_the_very_best() -> None:
    even, ahead, behind = (entered([stack, *[10_000] * 5]) for stack in (10_000, 14_500, 6_000))
    assert 0.2 < behind == even < 0.4
    assert 0.0 < ahead < 0.05


def test_a_lead_is_said_to_be_the_reason() -> None:
    table = deal([15_000, 5_000], hole_cards={0: "9c8d"}, names=("Lee", "Kim"))
    trace = make_agent("lead keeper").decide(turn_of(table), 1).trace
    assert explain(trace)[-1].text == "We have 1.5 times the average stack and keep it: fold."


def test_a_lead_keeper_plays_the_best_hands_and_boards_on() -> None:
    agent = make_agent("lead keeper")
    aces = turn_of(deal([15_000, 5_000], hole_cards={0: "AcAd"}))
    assert agent.decide(aces, 1).action.kind is ActionKind.RAISE

    def answer(hole_cards: str, first: int) -> ActionKind:
        table = deal([first, 20_000 - first], hole_cards={0: hole_cards}, board="AcTd4h7s2c")
        return agent.decide(turn_of(play(table, "300 c | 300")), 1).action.kind

    assert answer("TsTh", 15_000) is not ActionKind.FOLD
    assert answer("AhJc", 10_000) is not ActionKind.FOLD
    assert answer("Th9h", 10_000) is not ActionKind.FOLD
    assert answer("Th9h", 15_000) is ActionKind.FOLD
