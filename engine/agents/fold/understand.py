"""Stage 1, action understanding: public events in the paper's words (Li et al. 2017, sec. 4.1).

Every action of the hand becomes an `UnderstoodAction`: its class, its size over the pot, who was left, what had
been raised before. Nothing here depends on hole cards or on what is remembered of a player.

Where the paper leaves room we chose:

- Which raises are legal (eq. 3) is left to the rules of the game, which say the same (`engine.game.rules`): who
  calls the all-in of the only player left could not have raised, nor who has acted and faces a short all-in.
- Sizes (eq. 4) are taken over the pot before the bet; facing a bet, the increment over the pot after calling, or
  over the pot as it is where the paper is played as printed.
- Before the flop classes count raises, not sizes: raise, 3-bet, 4-bet or more. A limp is a call.
- An all-in is a call or a raise by what it is; a raise by less than the minimum still has a size class.
- Position groups go by the distance to the button: button and cutoff are late, both blinds are the blinds, the
  seats between are middle and early, the larger half of an odd number middle. Heads-up the button, which posts
  the small blind, is late: it acts last on three of four streets.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from operator import is_

from engine.agents.agent import ActionClass, PositionGroup, UnderstoodAction
from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken, Chips, Posted, PostKind, PublicEvent, Seat
from engine.game.history import HandState
from engine.game.observation import LegalActions

HALF_POT_LIMIT = 0.6
"""Largest raise over the pot that is still half a pot (Li et al. 2017, eq. 4)."""

THREE_QUARTER_POT_LIMIT = 1.0
"""Largest raise over the pot that is still three quarters of a pot (Li et al. 2017, eq. 4)."""

PREFLOP_RAISES = (ActionClass.OPEN_RAISE, ActionClass.THREE_BET, ActionClass.FOUR_BET)
POSTFLOP_RAISES = (ActionClass.HALF_POT, ActionClass.THREE_QUARTER_POT, ActionClass.OVERBET)
AGGRESSION = {
    action_class: rank
    for rank, action_class in enumerate(
        (ActionClass.FOLD, ActionClass.CHECK, ActionClass.CALL, *PREFLOP_RAISES, *POSTFLOP_RAISES)
    )
}
"""Order of the classes from passive to aggressive; only classes of one street are ever compared."""


def position_groups(seats: Sequence[Seat], button: Seat, blinds: int = 2) -> dict[Seat, PositionGroup]:
    """Return the position group of every seat dealt in, in rising order (Li et al. 2017, eq. 5).

    If the button was not dealt in, the next seat before it is taken as last to act; `blinds` is 1 where the small
    blind is dead (see `blind_count`).

    Examples
    --------
    >>> {seat: group.value for seat, group in position_groups(range(6), 0).items()}
    {1: 'blinds', 2: 'blinds', 3: 'early', 4: 'middle', 5: 'late', 0: 'late'}
    """
    ordered = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    if len(ordered) == 2:
        return {ordered[0]: PositionGroup.BLINDS, ordered[1]: PositionGroup.LATE}
    late = min(2, len(ordered) - blinds)
    between = len(ordered) - blinds - late
    early = between // 2
    groups = (
        [PositionGroup.BLINDS] * blinds
        + [PositionGroup.EARLY] * early
        + [PositionGroup.MIDDLE] * (between - early)
        + [PositionGroup.LATE] * late
    )
    return dict(zip(ordered, groups, strict=True))


def blind_count(events: Iterable[PublicEvent]) -> int:
    """Return how many seats of a hand are blinds: those that posted a live one, but for newcomers' big blinds."""
    posted = {event.seat: event.kind for event in events if isinstance(event, Posted) and not event.kind.is_ante}
    kinds = list(posted.values())
    return len(kinds) - max(kinds.count(PostKind.BIG_BLIND) - 1, 0)


def size_class(size_over_pot: float) -> ActionClass:
    """Return the class of a bet or raise after the flop (Li et al. 2017, eq. 4).

    >>> size_class(0.6).value, size_class(0.61).value, size_class(1.01).value
    ('half pot', 'three-quarter pot', 'pot or overbet')
    """
    if size_over_pot <= HALF_POT_LIMIT:
        return ActionClass.HALF_POT
    if size_over_pot <= THREE_QUARTER_POT_LIMIT:
        return ActionClass.THREE_QUARTER_POT
    return ActionClass.OVERBET


def size_over_pot(event: ActionTaken, *, after_call: bool = True) -> float:
    """Return a raise's increment over the pot after or before calling; 0 for anything but a bet or raise."""
    return _size(event, event.action.raise_to, after_call) if event.action.kind is ActionKind.RAISE else 0.0


def _size(event: ActionTaken, total: Chips, after_call: bool) -> float:
    """Return the size over the pot of a raise to a total in an action's place."""
    pot = event.pot + event.to_call if after_call else event.pot
    return (total - event.bet - event.to_call) / max(pot, 1)


def classify(event: ActionTaken, raises_faced: int, *, after_call: bool = True) -> ActionClass:
    """Return the paper's class of an action, before the flop by the raises before it, later by its size."""
    kind = event.action.kind
    if kind is ActionKind.FOLD:
        return ActionClass.FOLD
    if kind is ActionKind.CHECK:
        return ActionClass.CHECK
    if kind is ActionKind.CALL:
        return ActionClass.CALL
    if event.street is Street.PREFLOP:
        return PREFLOP_RAISES[min(raises_faced, 2)]
    return size_class(size_over_pot(event, after_call=after_call))


def possible_classes(
    event: ActionTaken, legal: LegalActions, raises_faced: int, *, after_call: bool = True
) -> tuple[ActionClass, ...]:
    """Return the classes that the player could have chosen from, from passive to aggressive.

    `legal` is what the rules allowed them. Folding counts only when there is something to call: a fold of a free
    check is legal but no choice that a model should expect. What was done was possible, also where another's table
    has other rules.
    """
    passive = (ActionClass.CHECK,) if event.to_call == 0 else (ActionClass.FOLD, ActionClass.CALL)
    raises: set[ActionClass] = set()
    if legal.can_raise and event.street is Street.PREFLOP:
        raises.add(PREFLOP_RAISES[min(raises_faced, 2)])
    elif legal.can_raise:
        bounds = legal.min_raise_to, legal.max_raise_to
        least, most = (size_class(_size(event, total, after_call)) for total in bounds)
        raises.update(POSTFLOP_RAISES[POSTFLOP_RAISES.index(least) : POSTFLOP_RAISES.index(most) + 1])
    if event.action.kind is ActionKind.RAISE:
        raises.add(classify(event, raises_faced, after_call=after_call))
    return (*passive, *sorted(raises, key=AGGRESSION.__getitem__))


class _Understanding:
    """A hand as far as it has been understood; more events are taken in as they come."""

    def __init__(self, started: PublicEvent, after_call: bool) -> None:
        self.hand = HandState(started)
        self.after_call = after_call
        self.actions: list[UnderstoodAction] = []
        self._positions: dict[Seat, PositionGroup] = {}

    def is_start_of(self, events: Sequence[PublicEvent]) -> bool:
        """Return whether these are the events taken in so far, the very same, and perhaps more."""
        known = self.hand.events
        return len(known) <= len(events) and all(map(is_, known, events))

    def take(self, event: PublicEvent) -> None:
        """Understand the next event, if it is an action."""
        hand = self.hand
        if isinstance(event, ActionTaken):
            if not self._positions:  # all blinds are posted now
                self._positions = position_groups(list(hand.seats), hand.started.button, blind_count(hand.events))
            raises, after_call = hand.raises, self.after_call
            matched = hand.matched(event)
            self.actions.append(
                UnderstoodAction(
                    event_index=len(hand.events),
                    seat=event.seat,
                    street=event.street,
                    action_class=classify(matched, raises, after_call=after_call),
                    size_over_pot=size_over_pot(matched, after_call=after_call),
                    position=self._positions[event.seat],
                    players=len(hand.live_seats()),
                    raises_faced=raises,
                    is_facing_bet=event.to_call > 0,
                    is_all_in=event.is_all_in,
                    stack_bb=event.stack / hand.started.big_blind,
                    possible=possible_classes(matched, hand.legal_actions_of(event), raises, after_call=after_call),
                )
            )
        hand.add(event)


_LATEST: list[_Understanding] = []
"""The hand understood last, which is mostly the next one, too, with an event more. Whoever goes on with it takes it
out, so that no two threads do."""


def understand(events: Iterable[PublicEvent], *, after_call: bool = True) -> tuple[UnderstoodAction, ...]:
    """Return every action of a hand in the paper's words, in order; the hand may still be running.

    Raises are measured over the pot after calling, or over the pot as it is.

    Raises
    ------
    HistoryError
        If the events do not begin with the start of a hand.
    """
    events = tuple(events)
    if not events:
        return ()
    found: _Understanding | None = None
    with suppress(IndexError):
        found = _LATEST.pop()
    if found is None or found.after_call is not after_call or not found.is_start_of(events):
        found = _Understanding(events[0], after_call)
    for event in events[len(found.hand.events) :]:
        found.take(event)
    _LATEST[:] = [found]
    return tuple(found.actions)


def is_raise_class(action_class: ActionClass) -> bool:
    """Whether a class is a bet or raise."""
    return AGGRESSION[action_class] > AGGRESSION[ActionClass.CALL]


def is_more_aggressive(later: UnderstoodAction, earlier: UnderstoodAction) -> bool:
    """Whether an action of a street stands for the street instead of an earlier one (sec. 4.1)."""
    return AGGRESSION[later.action_class] > AGGRESSION[earlier.action_class]
