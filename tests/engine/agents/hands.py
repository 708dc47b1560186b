"""Hands dealt and played as a test wants them."""

from collections.abc import Mapping, Sequence

from engine.agents.agent import Estimate, Method, Outs, Reading
from engine.cards import CARD_COUNT, Card, parse_cards
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, SeatStart, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table


def deal(
    stacks: Sequence[int] = (10_000, 10_000),
    *,
    hole_cards: Mapping[int, str] | None = None,
    board: str = "",
    button: int = 0,
    ante: int = 0,
    kind: GameKind = GameKind.CASH,
    names: Sequence[str] | None = None,
) -> Table:
    """Deal a hand at blinds 50 and 100; cards not named come from the rest of the deck, high cards last."""
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
        seats=[SeatStart(seat, (names or "ABCDEFGHIJ")[seat], stack) for seat, stack in enumerate(stacks)],
        button=button,
        rules=TableRules(50, 100, ante),
        deck=[*firsts, *seconds, *on_board, *rest],
    )


def action_of(word: str) -> Action:
    """Read `f` fold, `x` check, `c` call, or a number: bet or raise to it."""
    return {"f": FOLD, "x": CHECK, "c": CALL}.get(word) or raise_to(int(word))


def play(table: Table, words: str) -> Table:
    """Take actions one after another, whoever's turn it is; bars between streets are for the reader."""
    for word in words.replace("|", " ").split():
        table.apply(action_of(word))
    return table


def turn_of(table: Table) -> Observation:
    """Give the observation of the seat to act."""
    assert table.to_act is not None
    return table.observe(table.to_act)


def reading_of(win: float, outs: str | None = None, hit: float = 0.0) -> Reading:
    """Give a reading that says just this much: the decision looks at nothing else of it."""
    estimate = Estimate(win, Method.EXACT)
    cards = None if outs is None else Outs(parse_cards(outs), hit)
    return Reading((), estimate, estimate, cards, 0.0, 0.0, 1)
