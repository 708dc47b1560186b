"""Hands of compiled styles against the ordinary table: the same chips, counts and luck, deck by deck."""

from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.rule_based.always import RandomAgent
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.styles import STYLES, make_agent
from engine.figures.board_luck import board_luck
from engine.game.events import ActionTaken, net_of, start_of
from engine.game.format_file import built_in
from engine.game.rules import Betting
from engine.game.statistics import PlayerStatistics, count_hand
from engine.lab.matches.bulk import BulkMatch
from engine.lab.matches.compiled import compiled
from engine.lab.matches.counted.tally import MatchTally
from engine.lab.matches.plan import MatchPlan, Seating
from engine.lab.matches.playing import PlayedHand, match
from engine.lab.matches.results import MatchResult
from engine.lab.matches.several import several_matches
from engine.lab.matches.sharing import Sharing

OF_LOT = {"by lot": (0.25, 0.55), "wild": (0.05, 0.3), "shy": (0.5, 0.45)}
"""How often players by lot fold and call."""

RULED = tuple(name for name, style in STYLES.items() if type(style.make()) is RuleAgent)
COMPILED = (*RULED, "random", "always-fold", "always-call", "always-raise", *OF_LOT)


@pytest.fixture(scope="module", autouse=True)
def _styles() -> Iterator[None]:
    """Register styles that play by lot with other odds."""

    def agent(name: str) -> RandomAgent:
        made = RandomAgent()
        made.fold, made.call = OF_LOT[name]
        made.style = name
        return made

    with pytest.MonkeyPatch.context() as patch:
        for name in OF_LOT:
            patch.setitem(STYLES, name, replace(STYLES["random"], make=lambda name=name: agent(name)))
        yield


@st.composite
def plans(draw: st.DrawFn) -> MatchPlan:
    """Draw matches with everything that a format can have."""
    styles = draw(st.lists(st.sampled_from(COMPILED), min_size=2, max_size=4, unique=True))
    big_blind = draw(st.sampled_from([2, 20, 100]))
    straddle = draw(st.sampled_from([0, 0, 2 * big_blind, 3 * big_blind + 1]))
    game = replace(
        built_in("cash"),
        small_blind=draw(st.sampled_from([1, big_blind // 2, big_blind])),
        big_blind=big_blind,
        ante=draw(st.sampled_from([0, 0, 1, big_blind // 2])),
        is_big_blind_ante=draw(st.booleans()),
        straddle=straddle,
        max_raises=draw(st.sampled_from([0, 0, 1, 4])),
        raises_to_twice=draw(st.booleans()),
    )
    seats = draw(st.sampled_from([seats for seats in (2, 2, 3, 4, 6, 10) if seats >= len(styles)]))
    return MatchPlan(
        styles=tuple(styles),
        seats=seats,
        hands=2 * seats if seats % len(styles) else 12,
        seed=draw(st.integers(0, 2**63 - 1)),
        stack=draw(st.sampled_from([2, 3, 5, 12, 40, 100, 300])),
        game=game,
        seating=draw(st.sampled_from(Seating)),
    )


def watched(plan: MatchPlan) -> tuple[MatchResult, list[PlayedHand]]:
    """Play a match at the ordinary table."""
    hands: list[PlayedHand] = []
    *_, result = match(plan, watch=hands.append)
    return result, hands


def timeless(result: MatchResult) -> MatchResult:
    styles = tuple(replace(style, decision_seconds=0.0) for style in result.styles)
    return replace(result, styles=styles, curve=result.curve[-1:])


def in_bulk(plan: MatchPlan) -> BulkMatch:
    styles = compiled([make_agent(style) for style in plan.styles], betting_of(plan))
    assert styles is not None
    stack, is_drawn = plan.starting_stack, plan.seating == Seating.DRAWN
    return BulkMatch(betting_of(plan), stack, plan.rotations, seed=plan.seed, styles=styles, is_drawn=is_drawn)


def betting_of(plan: MatchPlan) -> Betting:
    stacks = [plan.starting_stack] * plan.seats
    return Betting(plan.game.rules_at(0, sum(stacks)), stacks, plan.seats - 1)


def style_of(name: str, plan: MatchPlan) -> int:
    """Return the number of a player's style, whose second players have a number behind it."""
    return plan.styles.index(name if name in plan.styles else name.rpartition(" ")[0])


@settings(max_examples=5, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(plans())
def test_every_hand_is_that_of_the_ordinary_table(plan: MatchPlan) -> None:
    result, hands = watched(plan)
    bulk = in_bulk(plan)
    ordinary = iter(hands)
    for deck in range(plan.decks):
        played = bulk.play(deck, 1)
        expected = [PlayerStatistics()] * len(plan.styles)
        decisions = [0] * len(plan.styles)
        nets, luck = played.net()[0], played.luck()[0]
        for rotation in range(plan.rotations):
            hand = next(ordinary).hand
            started = start_of(hand.events)
            turned = np.roll(nets[rotation], started.button + 1)
            assert turned.tolist() == list(net_of(hand.events).values())
            assert np.array_equal(
                np.roll(luck[rotation], started.button + 1, axis=1), board_luck(hand.events, hand.hole_cards)
            )
            styles = [style_of(start.name, plan) for start in started.seats]
            for seat, counts in count_hand(hand.events).items():
                expected[styles[seat]] += counts
            for event in hand.events:
                if isinstance(event, ActionTaken):
                    decisions[styles[event.seat]] += 1
        assert played.statistics([PlayerStatistics()] * len(plan.styles)) == expected
        assert played.decisions.tolist() == decisions
    *_, unwatched = match(plan)
    assert timeless(unwatched) == timeless(result)


@pytest.mark.parametrize("first", range(0, len(RULED), 5))
def test_every_ruled_style_plays_as_at_the_ordinary_table(first: int) -> None:
    """Each at tables of few and of many."""
    styles = (RULED + RULED)[first : first + 5]
    assert compiled([make_agent(style) for style in styles], betting_of(MatchPlan(styles, seats=5))) is not None
    for stack, seats, these in ((9, 10, styles), (100, 5, styles), (100, 2, styles[:2]), (50, 3, styles[2:])):
        plan = MatchPlan(these, seats=seats, hands=20, seed=stack, stack=stack)
        assert timeless(match_result(plan)) == timeless(watched(plan)[0])


def test_what_is_counted_does_not_depend_on_how_many_decks_are_played_at_a_time() -> None:
    """Sums of fractions are added in the same order."""
    game = replace(built_in("cash"), small_blind=3, big_blind=7)
    plan = MatchPlan(("random", "by lot", "wild"), seats=5, hands=150, seed=11, stack=20, game=game)
    assert timeless(match_result(plan)) == timeless(watched(plan)[0])


def match_result(plan: MatchPlan) -> MatchResult:
    *_, result = match(plan)
    return result


def test_several_matches_say_how_many_hands_were_played() -> None:
    noted: list[int] = []
    plan = MatchPlan(("random", "by lot"), seats=2, hands=100, seed=5)
    *_, (result, _) = several_matches(plan, 2, sharing=Sharing(note=noted.append))
    assert sum(noted) == result.hands == 200


def test_decisions_are_timed_by_the_clock_given() -> None:
    """It is read before and after each batch, here of 1, 3 and 3 decks, and the first is not counted."""
    plan = MatchPlan(("random", "by lot"), seats=2, hands=600, seed=5)
    ticks, bulk, tally = count(step=0.5), in_bulk(plan), MatchTally(2, plan.game.big_blind)
    batches = [tally.decks for tally in bulk.tallies(tally, 300, lambda: next(ticks))]
    assert batches == [1, *range(4, 300, 3), 300]
    assert tally.seconds.sum() == pytest.approx(0.5 * (len(batches) - 1))
    assert tally.timed.tolist() == (tally.decisions - bulk.play(0, 1).decisions).tolist()


def test_a_style_that_is_not_compiled_plays_at_the_ordinary_table() -> None:
    start = betting_of(MatchPlan(("random", "adapter"), seats=2))
    assert compiled([make_agent("random"), make_agent("adapter")], start) is None
