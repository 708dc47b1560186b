"""Spots for exercises: hands with chosen cards that go on by a short script, by the rules of the table."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, Card, HoleCards, Street, combo_of
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    Chips,
    GameKind,
    HoleCardsShown,
    Seat,
    SeatStart,
    raise_to,
)
from engine.game.history import observation_at
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.sizing import raise_to_for_pot_fraction
from engine.game.summary import positions_between
from engine.game.table import Table
from engine.ranges import top_range

BIG_BLIND: Chips = 100
USUAL_STACK_BB = 100
OPENING_BB = 2.5
"""What the first raise before the flop is to, as usual where there are no antes."""

_RAISES = {1: 3.0, 2: 2.25}
"""What a raise before the flop is to in bets raised, after so many raises."""
_OUT_OF_POSITION = 4.0
"""That of a 3-bet by who acts first on the flop, as from the blinds."""

_COMMITTED = 0.4
"""Who would raise by more of their chips goes all-in."""

_PLAYABLE = 0.5
_SEATS = 6
_BIG_BLIND_SEAT = 1  # at tables of three or more

YOU = "You"

Line = Callable[[Observation], Action]
"""What the seat to act does in a script, by what it sees."""


def positions(players: int) -> tuple[str, ...]:
    """Return what the positions at a table of 2 to 10 are called, from the left of the button to the button.

    >>> positions(6), positions(2)
    (('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN'), ('BB', 'BTN'))
    """
    if players == 2:
        return "BB", "BTN"
    return "SB", "BB", *positions_between(players - 3), "BTN"


class Setting(Struct, frozen=True):
    """A table before its cards: stacks in chips for each position, the player's seat, and who else plays on."""

    stacks: tuple[Chips, ...]
    you: Seat
    others: tuple[Seat, ...]

    @property
    def in_hand(self) -> tuple[Seat, ...]:
        """The player and those who play on."""
        return (self.you, *self.others)

    @property
    def names(self) -> tuple[str, ...]:
        """What every seat is called: its position."""
        return positions(len(self.stacks))


def any_setting(rng: np.random.Generator, *, others: int = 1, is_in_big_blind: bool = False) -> Setting:
    """Return a table of six with usual stacks, the player and others at seats that are drawn.

    In the big blind the player acts last before the flop.
    """
    drawn = [int(seat) for seat in rng.permutation(_SEATS)]
    if is_in_big_blind:
        drawn.sort(key=lambda seat: seat != _BIG_BLIND_SEAT)
    return Setting((USUAL_STACK_BB * BIG_BLIND,) * _SEATS, drawn[0], tuple(sorted(drawn[1 : 1 + others])))


def deal(
    setting: Setting,
    rng: np.random.Generator,
    hole_cards: Mapping[Seat, HoleCards],
    board: Sequence[Card] = (),
    *,
    small_blind: Chips = BIG_BLIND // 2,
) -> Table:
    """Deal a hand with chosen cards and as much of the board as is given; whatever else there is, is drawn."""
    chosen = {card for cards in hole_cards.values() for card in cards} | set(board)
    rest = [Card(card) for card in rng.permutation(CARD_COUNT).tolist() if card not in chosen]
    names = setting.names
    dealt = [hole_cards.get(seat) or (rest.pop(), rest.pop()) for seat in range(len(names))]
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[
            SeatStart(seat, YOU if seat == setting.you else names[seat], stack)
            for seat, stack in enumerate(setting.stacks)
        ],
        button=len(names) - 1,
        rules=TableRules(small_blind, BIG_BLIND),
        deck=[*(cards[turn] for turn in (0, 1) for cards in dealt), *board, *rest],
    )


def draw_cards(rng: np.random.Generator, count: int, taken: Sequence[Card] = ()) -> tuple[Card, ...]:
    """Draw cards from those that are not taken."""
    left = [card for card in range(CARD_COUNT) if card not in taken]
    return tuple(Card(int(card)) for card in rng.choice(left, count, replace=False))


def draw_hands(rng: np.random.Generator, players: int, board: Sequence[Card]) -> list[HoleCards]:
    """Draw hole cards for players from the better half of hands, which they would have gone on with."""
    while True:
        cards = draw_cards(rng, 2 * players, board)
        hands = [(cards[2 * i], cards[2 * i + 1]) for i in range(players)]
        if all(_playable()[combo_of(*hand)] for hand in hands):
            return hands


@cache
def _playable() -> NDArray[np.bool_]:
    return top_range(_PLAYABLE).weights > 0


# ---- scripts ------------------------------------------------------------------------------------------------


def play_to(table: Table, you: Seat, line: Line, is_reached: Callable[[Observation], bool]) -> Observation:
    """Play a hand by a script until a spot of the player's is reached, or to its end if it never is."""
    while table.to_act is not None:
        seen = table.observe(table.to_act)
        if seen.seat == you and is_reached(seen):
            return seen
        table.apply(line(seen))
    return table.observe(you)


def passive(seen: Observation) -> Action:
    """Check, or call."""
    return CHECK if seen.legal is not None and seen.legal.can_check else CALL


def can_check(seen: Observation) -> bool:
    """Return whether the seat to act faces no bet."""
    return seen.legal is not None and seen.legal.can_check


def raises_on_street(seen: Observation) -> int:
    """Return how many bets and raises there were on this street."""
    return sum(
        isinstance(event, ActionTaken) and event.street is seen.street and event.action.kind is ActionKind.RAISE
        for event in seen.events
    )


def bet_of(seen: Observation, fraction: float) -> Action:
    """Bet or raise by a share of the pot; check or call for none, or where the rules allow no more."""
    if not fraction or seen.legal is None or not seen.legal.can_raise:
        return passive(seen)
    total = raise_to_for_pot_fraction(seen, fraction)
    half = BIG_BLIND // 2
    rounded = round(total / half) * half  # as players bet
    return raise_to(min(max(rounded, seen.legal.min_raise_to), seen.legal.max_raise_to))


def before_the_flop(seen: Observation, in_hand: Sequence[Seat]) -> Action:
    """Let the first of those in the hand raise, and the others of them call; everybody else folds."""
    if seen.seat not in in_hand:
        return FOLD
    if raises_on_street(seen):
        return passive(seen)
    assert seen.legal is not None
    return raise_to(min(max(round(OPENING_BB * BIG_BLIND), seen.legal.min_raise_to), seen.legal.max_raise_to))


def to_bet(setting: Setting, table: Table, street: Street, fractions: Sequence[float]) -> Observation:
    """Play to a street on which somebody else bets; they bet by shares of the pot from the flop on, and are called.

    Both check where the share is 0.
    """

    def line(seen: Observation) -> Action:
        if seen.street is Street.PREFLOP:
            return before_the_flop(seen, setting.in_hand)
        is_bettor = seen.seat != setting.you and can_check(seen)
        return bet_of(seen, fractions[seen.street - 1]) if is_bettor else passive(seen)

    return play_to(table, setting.you, line, lambda seen: seen.street is street and not can_check(seen))


def to_raise(setting: Setting, table: Table, street: Street, fractions: tuple[float, float]) -> Observation:
    """Play by checks to a street on which the player bets a share of the pot and is raised by another."""

    def line(seen: Observation) -> Action:
        if seen.street is Street.PREFLOP:
            return before_the_flop(seen, setting.in_hand)
        if seen.street is not street:
            return passive(seen)
        if seen.seat == setting.you:
            return bet_of(seen, fractions[0])
        return passive(seen) if can_check(seen) else bet_of(seen, fractions[1])

    return play_to(table, setting.you, line, lambda seen: seen.street is street and raises_on_street(seen) == 2)


def to_check(setting: Setting, table: Table, street: Street) -> Observation:
    """Play by checks to a street on which it is the player's turn and nobody has bet."""

    def line(seen: Observation) -> Action:
        return before_the_flop(seen, setting.in_hand) if seen.street is Street.PREFLOP else passive(seen)

    return play_to(table, setting.you, line, lambda seen: seen.street is street)


def all_in(setting: Setting, table: Table, street: Street) -> Observation:
    """Play to a street on which everybody in the hand goes all-in, and to the moment when their cards lie open."""

    def line(seen: Observation) -> Action:
        if seen.street is Street.PREFLOP and (street is not Street.PREFLOP or seen.seat not in setting.in_hand):
            return before_the_flop(seen, setting.in_hand)
        if seen.street is street and seen.legal is not None and seen.legal.can_raise and not _is_all_in_faced(seen):
            return raise_to(seen.legal.max_raise_to)
        return passive(seen)

    end = play_to(table, setting.you, line, lambda _: False)
    last = next(
        at
        for at, (event, later) in enumerate(pairwise(end.events), start=1)
        if isinstance(event, HoleCardsShown) and not isinstance(later, HoleCardsShown)
    )
    return observation_at(end, last)


def to_all_in(setting: Setting, table: Table) -> Observation:
    """Let the other player of the hand go all-in before the flop, and all but the player in the big blind fold."""

    def line(seen: Observation) -> Action:
        assert seen.legal is not None
        return raise_to(seen.legal.max_raise_to) if seen.seat in setting.others else FOLD

    return play_to(table, setting.you, line, _is_all_in_faced)


def _is_all_in_faced(seen: Observation) -> bool:
    return any(view.is_all_in for view in seen.opponents)


def usual_raise(seen: Observation, opening_bb: float = OPENING_BB) -> Action:
    """Raise before the flop by the usual size for so many raises before; the first one to some big blinds."""
    assert seen.legal is not None
    if not seen.legal.can_raise:
        return passive(seen)
    before = raises_on_street(seen)
    bet, raiser = max((view.bet, view.seat) for view in seen.seats)  # seats are in the order of the flop
    factor = _OUT_OF_POSITION if before == 1 and seen.seat < raiser else _RAISES[min(max(before, 1), 2)]
    total = round((factor * bet if before else opening_bb * BIG_BLIND) / 50) * 50
    if total > _COMMITTED * (seen.me.stack + seen.me.bet):
        total = seen.legal.max_raise_to
    return raise_to(min(max(total, seen.legal.min_raise_to), seen.legal.max_raise_to))
