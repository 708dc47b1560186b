"""Hands for tests, written as a player would: stacks, hole cards, board, and the actions in short."""

from collections.abc import Sequence

from engine.cards import CARD_COUNT, Card, parse_cards
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionTaken,
    GameKind,
    PublicEvent,
    SeatStart,
    raise_to,
)
from engine.game.observation import HandView
from engine.game.phh import PublicRecord, seen_by_all
from engine.game.rules import TableRules
from engine.game.table import Table


def deal(
    stacks: Sequence[int] | dict[int, int],
    *,
    button: int = 0,
    blinds: tuple[int, int] = (10, 20),
    ante: int = 0,
    rules: TableRules | None = None,
    hole_cards: dict[int, str] | None = None,
    board: str = "",
    has_small_blind: bool = True,
) -> Table:
    """Deal a hand to seats 0, 1, ... or to those of a mapping; cards that are not given are any others."""
    chips = dict(enumerate(stacks)) if not isinstance(stacks, dict) else stacks
    seats = sorted(chips)
    at = seats.index(button) + 1
    order = seats[at:] + seats[:at]
    given = {seat: parse_cards(text) for seat, text in (hole_cards or {}).items()}
    fixed_board = parse_cards(board)
    taken = {card for cards in given.values() for card in cards} | set(fixed_board)
    others = iter([Card(card) for card in range(CARD_COUNT) if card not in taken])
    holes = {seat: given.get(seat) or (next(others), next(others)) for seat in order}
    deck = [holes[seat][turn] for turn in range(2) for seat in order]
    deck += [*fixed_board, *others]
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, f"p{seat}", chips[seat]) for seat in seats],
        button=button,
        rules=rules or TableRules(*blinds, ante),
        deck=deck,
        has_small_blind=has_small_blind,
    )


def watched(events: Sequence[PublicEvent]) -> HandView:
    """Return what somebody has seen of a hand who watched it."""
    return seen_by_all(PublicRecord("", (), {}, tuple(events), True))


def read_action(text: str) -> Action:
    """Read `f` fold, `x` check, `c` call, `r40` bet or raise to 40."""
    return {"f": FOLD, "x": CHECK, "c": CALL}.get(text) or raise_to(int(text.removeprefix("r")))


def act(table: Table, text: str) -> tuple[PublicEvent, ...]:
    """Take actions such as `r60 c f`; give the events of the last."""
    events: tuple[PublicEvent, ...] = ()
    for part in text.split():
        events = table.apply(read_action(part))
    return events


def actors(table: Table) -> list[int]:
    """Give the seats that have acted, in order."""
    return [event.seat for event in table.events if isinstance(event, ActionTaken)]
