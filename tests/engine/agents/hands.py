"""Hands dealt and played as a test wants them."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.agents.agent import Outs, Reading
from engine.cards import CARD_COUNT, Card, combo_of, parse_cards
from engine.equity.snapshot import Estimate, Method
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, SeatStart, TournamentStage, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table

BOARDS = [parse_cards(text) for text in ("AcTd4h7s2c", "8h7h6c6d2s", "KsKd4s9sJs", "5d3cQhQcQd", "JcTc9d2h3h")]
"""Few boards, for an equity on a new flop takes longer than all else."""


def combo(text: str) -> int:
    return combo_of(*parse_cards(text))


def board(text: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(text)))


def random_table(random: np.random.Generator) -> Table:
    """Deal 2-10 seats stacks of a chip to 200 big blinds, antes, any button, one of a few boards.

    With five players and fewer every other seat is empty, as where others are out of a tournament.
    """
    count = int(random.integers(2, 11))
    board = list(BOARDS[int(random.integers(len(BOARDS)))])
    rest = [Card(card) for card in random.permutation(CARD_COUNT).tolist() if card not in board]
    depth = float(random.choice([4, 20, 200]))
    stacks = [int(random.integers(1, int(100 * depth) + 1)) for _ in range(count)]
    seats = range(1, 10, 2)[:count] if count <= 5 else range(count)
    return Table(
        hand_number=1,
        kind=GameKind(random.choice(list(GameKind))),
        seats=[SeatStart(seat, f"P{seat}", max(stack, 51)) for seat, stack in zip(seats, stacks, strict=True)],
        button=seats[int(random.integers(count))],
        rules=TableRules(50, 100, int(random.choice([0, 10]))),
        deck=[*rest[: 2 * count], *board, *rest[2 * count :]],
    )


def deal(
    stacks: Sequence[int] = (10_000, 10_000),
    *,
    hole_cards: Mapping[int, str] | None = None,
    board: str = "",
    button: int = 0,
    ante: int = 0,
    kind: GameKind = GameKind.CASH,
    names: Sequence[str] | None = None,
    reserve: int = 0,
    hands_left: int | None = None,
    payouts: tuple[int, ...] = (),
    rules: TableRules | None = None,
) -> Table:
    """Deal a hand at blinds 50 and 100; cards not named come from the rest of the deck, high cards last.

    Each seat can still buy `reserve` chips. With `rules` the stakes are others.
    """
    count = len(stacks)
    known = {seat: parse_cards(text) for seat, text in (hole_cards or {}).items()}
    on_board = list(parse_cards(board))
    used = [card for cards in known.values() for card in cards] + on_board
    rest = [Card(card) for card in range(CARD_COUNT) if card not in used]
    firsts, seconds = [], []
    for turn in range(count):
        seat = (button + 1 + turn) % count
        first, second = known[seat] if seat in known else (rest.pop(0), rest.pop(0))
        firsts.append(first)
        seconds.append(second)
    return Table(
        hand_number=1,
        kind=kind,
        seats=[SeatStart(seat, (names or "ABCDEFGHIJ")[seat], stack, reserve) for seat, stack in enumerate(stacks)],
        button=button,
        rules=rules or TableRules(50, 100, ante),
        deck=[*firsts, *seconds, *on_board, *rest],
        stage=TournamentStage(hands_left, payouts),
    )


def action_of(word: str) -> Action:
    """Read `f` fold, `x` check, `c` call, or a number: bet or raise to it."""
    return {"f": FOLD, "x": CHECK, "c": CALL}.get(word) or raise_to(int(word))


def play(table: Table, words: str) -> Table:
    """Take actions one after another, whoever's turn it is; bars between streets are for the reader."""
    for word in words.replace("|", " ").split():
        table.apply(action_of(word))
    return table


def table_on_the_turn() -> Table:
    """Heads-up: the big blind calls an open, check-raises the flop and bets the turn."""
    cards = {0: "AhJh", 1: "KsQs"}
    return play(deal(hole_cards=cards, board="AcTd4hQc5c"), "300 c | x 300 900 c | 1200")


def turn_of(table: Table) -> Observation:
    """Give the observation of the seat to act."""
    assert table.to_act is not None
    return table.observe(table.to_act)


def reading_of(win: float, outs: str | None = None, hit: float = 0.0) -> Reading:
    """Give a reading that says just this much: the decision looks at nothing else of it."""
    estimate = Estimate(win, Method.EXACT)
    cards = None if outs is None else Outs(parse_cards(outs), hit)
    return Reading((), estimate, estimate, cards, 0.0, 0.0, 1)
