"""Hands a second of compiled styles on one core, beside the ordinary table and a table of pokerkit's.

Ours deals the session's cards, decides, bets, counts and settles; the luck of the boards is not among it.
"""

from collections.abc import Callable
from functools import partial

import pokerkit
from msgspec.structs import replace

from engine.game.format_file import built_in
from engine.game.rules import Betting
from engine.game.statistics import PlayerStatistics
from engine.lab.matches.bulk import BulkMatch
from engine.lab.matches.compiled import compiled
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import match, players_of
from tests.bench.yardstick import Peer, Row, interleaved

DECKS, ORDINARY_DECKS, POKERKIT_HANDS = 2000, 10, 3
GOAL = 1.0
"""Million hands a second and core, of simple styles."""
FOLD_GOAL = 500.0

STYLES: tuple[tuple[tuple[str, ...], int, float | None], ...] = (
    (("always-call", "always-fold"), 2, GOAL),
    (("always-call", "always-raise"), 2, GOAL),
    (("always-call", "random"), 2, GOAL),
    (("always-call", "always-fold", "always-raise"), 6, None),
    (("o1", "o6"), 2, None),
)


def run(short: bool) -> list[Row]:
    """Give a row for each table, and one for FOLD, which is not compiled."""
    rows = [row_of(styles, seats, goal, short=short) for styles, seats, goal in STYLES]
    return [*rows, row_of_fold(short=short)]


def row_of_fold(*, short: bool) -> Row:
    """Measure FOLD heads-up, which plays at the ordinary table."""
    plan = MatchPlan(("fold", "calling station"), 2, 20 if short else 100, game=built_in("heads-up"))
    list(match(plan))  # compiled and loaded
    measured = interleaved({"ours": lambda: list(match(plan))}, rounds=3)
    assert plan.hands is not None
    return Row(
        work="fold, calling station at 2 seats",
        ours=plan.hands / measured.sides["ours"].seconds,
        unit="/s",
        eval7_per_second=measured.eval7_per_second,
        goal=FOLD_GOAL,
        count=measured.sides["ours"].calls,
        note="at the ordinary table",
    )


def row_of(styles: tuple[str, ...], seats: int, goal: float | None, *, short: bool) -> Row:
    """Measure one table, and compare what was won with the ordinary one."""
    game = built_in("heads-up" if seats == 2 else "cash")
    plan = MatchPlan(styles, seats, seed=1, game=game)
    some = replace(plan, hands=ORDINARY_DECKS * plan.rotations)
    decks = DECKS // 4 if short else DECKS
    bulk, watched = bulk_match(plan), [result.styles for result in match(some, watch=lambda hand: None)][-1]
    won = bulk.play(0, ORDINARY_DECKS).statistics([PlayerStatistics()] * len(styles))
    is_reference = [counts.net for counts in won] == [style.net for style in watched]
    bulk.play(0, decks)  # what boards it needs are counted
    sides: dict[str, Callable[[], object]] = {
        "ours": lambda: bulk.play(0, decks),
        "table": lambda: list(match(some, watch=lambda hand: None)),
        "pokerkit": partial(play_pokerkit, seats, game.starting_stack, game.big_blind),
    }
    measured = interleaved(sides, rounds=3 if short else 7)
    hands = {
        "ours": decks * plan.rotations,
        "table": ORDINARY_DECKS * plan.rotations,
        "pokerkit": POKERKIT_HANDS,
    }
    rates = {side: hands[side] / measured.sides[side].seconds / 1e6 for side in sides}
    ways = {"pokerkit": "its state, all calls or checks", "table": "with the luck of its boards"}
    return Row(
        work=f"{', '.join(styles)} at {seats} seats",
        ours=rates["ours"],
        unit="M/s",
        peers=tuple(
            Peer(library=side, way=way, value=rates[side], count=measured.sides[side].calls)
            for side, way in ways.items()
        ),
        eval7_per_second=measured.eval7_per_second,
        goal=goal,
        answer=", ".join(f"{counts.net:+,}" for counts in won),
        is_reference=is_reference,
        count=measured.sides["ours"].calls,
    )


def bulk_match(plan: MatchPlan) -> BulkMatch:
    """Give a match as `match` plays it."""
    stacks = [plan.starting_stack] * plan.seats
    start = Betting(plan.game.rules_at(0, sum(stacks)), stacks, plan.seats - 1)
    styles = compiled([of_style[0].agent for of_style in players_of(plan)], start)
    assert styles is not None
    return BulkMatch(start, stacks[0], plan.rotations, seed=plan.seed, styles=styles)


def play_pokerkit(seats: int, stack: int, big_blind: int) -> None:
    """Play hands in which everybody checks and calls."""
    for _ in range(POKERKIT_HANDS):
        state = pokerkit.NoLimitTexasHoldem.create_state(
            tuple(pokerkit.Automation),
            True,
            0,
            (big_blind // 2, big_blind),
            big_blind,
            stack,
            seats,
        )
        while state.status:
            state.check_or_call()
