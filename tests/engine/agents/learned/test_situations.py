import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.learned.situations import (
    POSTFLOP_FEATURES,
    PREFLOP_FEATURES,
    ActionChoice,
    Situation,
    board_numbers,
    situations,
)
from engine.cards import Card, Street, parse_cards, relabel_suits
from engine.game.events import BoardDealt
from engine.game.history import HistoryError
from engine.game.table import Table
from tests.engine.agents.hands import deal, play


def described(table: Table) -> tuple[Situation, ...]:
    return situations(table.events)


def value(situation: Situation, name: str) -> float:
    names = PREFLOP_FEATURES if situation.street is Street.PREFLOP else POSTFLOP_FEATURES
    return float(situation.features[names.index(name)])


def chosen(situation: Situation, group: str) -> str:
    names = PREFLOP_FEATURES if situation.street is Street.PREFLOP else POSTFLOP_FEATURES
    found = [name for name, v in zip(names, situation.features, strict=True) if name.startswith(f"{group}: ") and v]
    assert len(found) == 1, (group, found)
    return found[0].removeprefix(f"{group}: ")


SIX = (10_000,) * 6


def test_every_name_stands_for_one_number() -> None:
    table = play(deal(SIX, board="Ks7d2h4c9s"), "f f 250 f c f | x 300 c | x x | x x")
    for situation in described(table):
        names = PREFLOP_FEATURES if situation.street is Street.PREFLOP else POSTFLOP_FEATURES
        assert situation.features.shape == (len(names),)
        assert len(set(names)) == len(names)
        assert np.isfinite(situation.features).all()


def test_an_open_from_the_cutoff_is_described() -> None:
    # Button 0, so seats 1 and 2 post, 3 is under the gun and 5 the cutoff.
    first, second, cutoff, button, small, big = described(play(deal(SIX), "f f 250 f c f"))
    assert (first.seat, second.seat, cutoff.seat, button.seat, small.seat, big.seat) == (3, 4, 5, 0, 1, 2)
    positions = [chosen(s, "position") for s in (first, second, cutoff, button, small, big)]
    assert positions == ["early", "hijack", "cutoff", "button", "small blind", "big blind"]
    assert chosen(cutoff, "raises faced") == "0"
    assert chosen(cutoff, "raiser") == "nobody"
    assert chosen(small, "raises faced") == "1"
    assert chosen(small, "raiser") == "cutoff"
    assert chosen(big, "callers") == "1"
    assert value(cutoff, "to call, bb") == pytest.approx(math.log1p(1))
    assert value(cutoff, "pot, bb") == pytest.approx(math.log1p(1.5))
    assert value(small, "to call, bb") == pytest.approx(math.log1p(2))
    # He raised 100 to 250, so by 150 into the 250 that his call made.
    assert value(small, "last raise over the pot") == pytest.approx(150 / 250)
    assert value(big, "raiser is in position") == 1
    assert value(button, "raiser is in position") == 0
    assert cutoff.choice == ActionChoice.RAISE_MEDIUM
    assert [s.choice for s in (first, small, big)] == [ActionChoice.FOLD, ActionChoice.CALL, ActionChoice.FOLD]


def test_heads_up_the_button_posts_the_small_blind() -> None:
    button, big = described(play(deal(), "c x"))
    assert (button.seat, big.seat) == (0, 1)
    assert (chosen(button, "position"), chosen(big, "position")) == ("small blind", "big blind")
    assert big.choice == ActionChoice.CHECK
    assert not big.possible[ActionChoice.FOLD]


def test_streets_are_remembered_as_lines() -> None:
    table = play(deal(SIX, board="Ks7d2h4c9s"), "f f 250 f f c | x 300 c | x x | 500 f")
    flop, turn, river = (
        [s for s in described(table) if s.street is street] for street in (Street.FLOP, Street.TURN, Street.RIVER)
    )
    assert [chosen(s, "line") for s in flop] == ["none", "none", "check"]
    assert chosen(flop[1], "last aggressor before") == "self"
    assert chosen(flop[2], "bettor") == "last aggressor before"
    assert value(flop[2], "bet over the pot") == pytest.approx(300 / 550)
    assert chosen(turn[0], "flop line") == "check-call"
    assert chosen(turn[1], "flop line") == "bet"
    assert chosen(river[0], "turn line") == "check"
    assert chosen(river[0], "last aggressor before") == "nobody"
    assert chosen(river[1], "bets on the flop") == "1"
    assert chosen(river[1], "bets on the turn") == "0"
    assert value(river[1], "flop bet over the pot") == pytest.approx(300 / 550)
    assert chosen(river[1], "role before the flop") == "raised"
    assert chosen(river[0], "role before the flop") == "called a raise"


@pytest.mark.parametrize(
    ("raise_to", "choice"),
    [(200, "RAISE_SMALL"), (250, "RAISE_MEDIUM"), (300, "RAISE_LARGE"), (500, "RAISE_HUGE"), (10_000, "ALL_IN")],
)
def test_raises_have_classes_by_size(raise_to: int, choice: str) -> None:
    situation = described(play(deal(SIX), str(raise_to)))[0]
    assert situation.choice == ActionChoice[choice]
    assert situation.possible[situation.choice]


def test_a_short_stack_cannot_choose_big_raises() -> None:
    # Under the gun has 220: 120 over the call of 100 into 250 is at most 0.48 pots.
    situation = described(play(deal((10_000, 10_000, 10_000, 220, 10_000, 10_000)), "f"))[0]
    expected = {"FOLD", "CALL", "RAISE_SMALL", "RAISE_MEDIUM", "ALL_IN"}
    assert {ActionChoice(i).name for i in np.flatnonzero(situation.possible)} == expected


def test_nobody_raises_players_who_are_all_in() -> None:
    situation = described(play(deal((10_000, 3_000)), "c 3000 c"))[-1]
    assert {ActionChoice(i).name for i in np.flatnonzero(situation.possible)} == {"FOLD", "CALL"}


def test_stakes_do_not_matter() -> None:
    small = described(play(deal(SIX, board="Ks7d2h4c9s"), "f f 250 f c f | x 300 c"))
    tenfold = play(_tenfold(), "f f 2500 f c f | x 3000 c")
    for a, b in zip(small, described(tenfold), strict=True):
        assert a.features.tolist() == pytest.approx(b.features.tolist())
        assert a.choice == b.choice


def _tenfold() -> Table:
    from engine.cards import CARD_COUNT, Card
    from engine.game.events import GameKind, SeatStart
    from engine.game.rules import TableRules

    on_board = list(parse_cards("Ks7d2h4c9s"))
    rest = [Card(card) for card in range(CARD_COUNT) if card not in on_board]
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, "ABCDEF"[seat], 100_000) for seat in range(6)],
        button=0,
        rules=TableRules(500, 1000, 0),
        deck=[*rest[:12], *on_board, *rest[12:]],
    )


def test_later_events_change_no_earlier_situation() -> None:
    events = play(deal(SIX, board="Ks7d2h4c9s"), "f f 250 f c f | x 300 c | x x | 500 f").events
    whole = situations(events)
    for count in range(1, len(events) + 1):
        part = situations(events[:count])
        for a, b in zip(part, whole, strict=False):
            assert a.features.tolist() == b.features.tolist()


def test_what_does_not_begin_with_a_hand_is_refused() -> None:
    assert situations(()) == ()
    with pytest.raises(HistoryError, match="begin with its start"):
        situations([BoardDealt(Street.FLOP, (Card(0), Card(1), Card(2)))])


@given(st.permutations(range(4)), st.integers(0, 2**31), st.integers(3, 5))
def test_suits_do_not_matter_to_the_board(permutation: list[int], seed: int, size: int) -> None:
    board = tuple(int(card) for card in np.random.default_rng(seed).choice(52, size, replace=False))
    before = board[:-1] if size > 3 else ()
    relabelled = relabel_suits(board, permutation)
    assert board_numbers(before, board) == board_numbers(relabelled[:-1] if size > 3 else (), relabelled)


def test_the_new_card_is_described() -> None:
    names = POSTFLOP_FEATURES[-5:]
    numbers = dict(zip(names, board_numbers(parse_cards("Ts9s2d"), parse_cards("Ts9s2dKs"))[-5:], strict=True))
    assert numbers["new card is the highest"] == 1
    assert numbers["new card makes a flush possible"] == 1
    assert numbers["new card pairs"] == 0
    # K T 9 leaves Q J; before, T 9 alone left three ranks for every straight, so none with two more cards.
    assert numbers["new card adds straights"] > 0


@pytest.mark.parametrize(
    ("stacks", "before", "shove", "matched", "after"),
    [
        ((20_000, 1_000), "300 c | x", 19_700, 700, "f"),
        ((20_000, 1_000), "", 20_000, 1_000, "c"),
        ((1_000, 20_000), "300 c |", 5_000, 700, "c"),
        ((20_000, 3_000, 1_000), "300 c c | x x", 19_700, 2_700, "c c"),
        ((20_000, 3_000, 1_000), "300 c c | x 500", 9_000, 2_700, "f c"),
    ],
)
def test_a_raise_counts_as_far_as_somebody_can_match_it(
    stacks: tuple[int, ...], before: str, shove: int, matched: int, after: str
) -> None:
    """What is beyond comes back: neither who raises nor who answers is described by it."""
    large, small = (described(play(deal(stacks), f"{before} {total} {after}")) for total in (shove, matched))
    for one, other in zip(large, small, strict=True):
        np.testing.assert_array_equal(one.features, other.features)
        assert one.choice == other.choice
        assert (one.possible == other.possible).all()
    assert ActionChoice.ALL_IN in [situation.choice for situation in large]
