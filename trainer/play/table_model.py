"""What the table shows: a `TableView` turned into words, card faces and colour roles, seat by seat.

Colours are named by the `Theme` field they are found under. Nothing here decides anything of poker: who may act,
what a hand is called and who won what come from the engine.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from engine.agents.styles import style_of
from engine.cards import STREET_NAMES, Card, HoleCards
from engine.game.events import ActionTaken, Chips, HandEnded, PostKind, Seat
from engine.game.history import HandState
from engine.game.observation import HandView, SeatView
from engine.strength import best_five, describe, draws
from trainer.history.log_model import ACTION_ROLES, YOU, action_words, cards_words
from trainer.session.amounts import Units
from trainer.session.types import Stage, TableView, ordinal

BLIND_LABELS: dict[PostKind, str] = {
    PostKind.SMALL_BLIND: "SB",
    PostKind.BIG_BLIND: "BB",
    PostKind.STRADDLE: "STR",
}
"""What stands at a seat for a live blind."""


@dataclass(frozen=True, slots=True)
class SeatModel:
    """One seat as it is drawn and spoken."""

    seat: Seat
    name: str
    style: str = ""
    style_details: str = ""
    is_you: bool = False
    is_out: bool = False  # not dealt in: only its name and place are shown
    place: str = ""  # its finishing place in a tournament, `3rd`; nothing while it plays
    is_folded: bool = False
    is_all_in: bool = False
    is_to_act: bool = False
    is_thinking: bool = False
    is_button: bool = False
    blind: str = ""  # `SB`, `BB` or nothing
    stack: str = ""  # in the chosen units, as the bet, which is empty if there is none
    bet: str = ""
    bet_chips: Chips = 0
    is_preview: bool = False  # the bet is set, but not made
    cards: tuple[Card, ...] = ()  # face up; empty if unknown
    has_backs: bool = False  # holds cards that nobody sees
    label: str = ""  # last action of this street, or the hand in words once shown
    label_role: str = "text_muted"
    result: str = ""  # what it won, `wins 240`
    net: str = ""  # gain or loss of the finished hand
    net_role: str = "text_muted"
    hud: str = ""  # statistics, short and with their counts
    hud_details: str = ""
    note: str = ""  # what the player has written of them
    spoken: str = ""  # all of it in one sentence


@dataclass(frozen=True, slots=True)
class TableModel:
    """The whole table as it is drawn and spoken."""

    seats: tuple[SeatModel, ...]  # clockwise from your own, if there is one, which is drawn at the bottom
    board: tuple[Card, ...] = ()
    pot: str = ""  # `Pot 240`, or nothing before the first chip
    pots: tuple[str, ...] = ()  # main and side pots, if there is more than one
    holding: str = ""  # `You have two pair, kings and sevens, ace kicker + flush draw`, or nothing once folded
    winning: frozenset[Card] = frozenset()  # the cards of the winning five, once shown
    big_blind: Chips = 1  # for the size of the stacks of chips drawn
    mark: str = ""  # that study mode is on, or was; nothing if it never was
    mark_role: str = "panel_raised"
    spoken: str = ""  # the state in sentences


@dataclass(frozen=True, slots=True)
class TableContext:
    """What a table shows beside the view."""

    in_big_blinds: bool = False
    huds: Mapping[Seat, tuple[str, str]] = field(default_factory=dict)  # per seat the statistics, short and in full
    preview: Chips | None = None  # the bet that you have set but not made, as a street total
    revealed: Mapping[Seat, HoleCards] = field(default_factory=dict)  # cards of opponents to show in study mode
    notes: Mapping[str, str] = field(default_factory=dict)  # what the player has written, by names


def table_model(view: TableView, context: TableContext) -> TableModel:
    """Compute all that a table shows of a view."""
    observation = view.observation
    units = Units.of(observation, context.in_big_blinds)
    facts = _HandFacts(observation)
    me, order = observation.me, clockwise_from(view, observation.viewer)
    seats = tuple(_seat_model(view, seat, facts, units, context) for seat in order)
    holding = _holding(observation, facts) if me is not None and me.is_live else ""
    return TableModel(
        seats=seats,
        board=observation.board,
        pot=f"Pot {units.text(facts.pot)}" if facts.pot else "",
        pots=_pot_texts(observation, units),
        holding=holding,
        winning=_winning_cards(observation, facts),
        big_blind=observation.big_blind,
        mark="Study mode is on" if view.is_study else "Study mode was on" if view.was_study else "",
        mark_role="chip" if view.is_study else "panel_raised",
        spoken=_spoken(view, seats, facts, units, holding),
    )


def clockwise_from(view: TableView, seat: Seat | None) -> tuple[Seat, ...]:
    """Return all seats of the session clockwise, the given one first, or the one of the lowest number."""
    dealt = {state.seat for state in view.observation.seats}
    all_seats = sorted(dealt | set(view.styles) | set(view.is_out))
    at = 0 if seat is None else all_seats.index(seat)
    return tuple(all_seats[at:] + all_seats[:at])


@cache
def seat_points(count: int) -> tuple[tuple[float, float], ...]:
    """Spread 2 to 10 seats evenly along a rounded rectangle, clockwise from the middle of its lower edge.

    Points (x, y) in [-1, 1], y downwards, of the superellipse |x|^2.9 + |y|^2.9 = 1, between ellipse and rectangle.
    Even in arc length as drawn 1.5 times as wide as high, so that neighbours stand equally far apart.
    """
    steps = 1440
    outline = []
    for step in range(steps + 1):
        angle = math.pi / 2 + 2 * math.pi * step / steps  # clockwise on a screen, whose y points down
        x, y = (math.copysign(abs(part) ** (2 / 2.9), part) for part in (math.cos(angle), math.sin(angle)))
        outline.append((x, y))
    lengths = [0.0]
    for (x0, y0), (x1, y1) in pairwise(outline):
        lengths.append(lengths[-1] + math.hypot(1.5 * (x1 - x0), y1 - y0))
    points = []
    at = 0
    for seat in range(count):
        while lengths[at] < lengths[-1] * seat / count - 1e-9:
            at += 1
        points.append(outline[at])
    return tuple(points)


class _HandFacts:
    """What the events say so far: chips in the middle, last actions, winnings."""

    def __init__(self, observation: HandView) -> None:
        self.last = last = observation.events[-1]
        hand = HandState.after(observation.events)
        self.seats, self.pot = hand.seats, hand.pot
        stacks = last.stacks if isinstance(last, HandEnded) else ()
        self.net = {
            start.seat: after - start.stack for start, after in zip(hand.started.seats, stacks, strict=False)
        }

    @property
    def shown(self) -> list[HoleCards]:
        """The hole cards that lie open."""
        return [state.shown for state in self.seats.values() if state.shown is not None]

    @property
    def is_over(self) -> bool:
        """Whether pots are being awarded or have been."""
        return any(state.won for state in self.seats.values())


def _seat_model(view: TableView, seat: Seat, facts: _HandFacts, units: Units, context: TableContext) -> SeatModel:
    observation = view.observation
    state = next((state for state in observation.seats if state.seat == seat), None)
    made = style_of(view.styles.get(seat, ""))
    style = made.title if made is not None else ""
    if state is None:
        name = view.names.get(seat, f"Seat {seat + 1}")
        place = ordinal(view.places[seat]) if seat in view.places else ""
        spoken = f"{name} finished {place}." if place else f"{name} is out of the game."
        note = context.notes.get(name, "")
        return SeatModel(seat, name, style, is_out=True, place=place, note=note, spoken=spoken)
    is_you = seat == observation.viewer
    is_to_act = view.to_act == seat and view.stage in (Stage.YOUR_TURN, Stage.THINKING)
    cards = _face_up(state, observation, context.revealed)
    label, role = _label(state, facts, observation.board, units)
    if is_you and facts.is_over:  # your hand is named below the board, what you won on the plate
        label = ""
    net, seen = facts.net.get(seat, 0), facts.seats[seat]
    is_all_in = state.is_all_in and not facts.is_over
    short, full = context.huds.get(seat, ("", ""))
    preview = context.preview if is_you and is_to_act else None
    bet = state.bet if preview is None else preview
    place = ordinal(view.places[seat]) if seat in view.places else ""
    model = SeatModel(
        seat=seat,
        name=state.name,
        style="" if is_you else style,
        style_details=made.description if made is not None else "",
        is_you=is_you,
        is_folded=state.is_folded,
        is_to_act=is_to_act,
        is_thinking=is_to_act and not is_you,
        is_button=observation.button == seat,
        blind=BLIND_LABELS[seen.blind] if seen.blind else "",
        is_all_in=is_all_in,
        place=place,
        stack=place if place else "all-in" if is_all_in else units.text(state.stack),
        bet=units.text(bet) if bet else "",
        bet_chips=bet,
        is_preview=preview is not None,
        cards=cards,
        has_backs=not cards and not state.is_folded and not seen.is_mucked,
        label=label,
        label_role=role,
        result=f"wins {units.text(seen.won)}" if seen.won else "",
        net=units.signed(net) if net else "",
        net_role="good" if net > 0 else "bad",
        hud=short,
        hud_details=full,
        note="" if is_you else context.notes.get(state.name, ""),
    )
    return _with_spoken(model)


def _face_up(state: SeatView, observation: HandView, revealed: Mapping[Seat, HoleCards]) -> tuple[Card, ...]:
    if state.seat == observation.viewer:
        return observation.own_cards
    return revealed.get(state.seat, ()) if state.shown is None else state.shown


def _label(state: SeatView, facts: _HandFacts, board: tuple[Card, ...], units: Units) -> tuple[str, str]:
    """Return what a seat last did, or at showdown what it held, and the colour of it."""
    seen = facts.seats[state.seat]
    if facts.is_over:
        won = "good" if seen.won else "text_muted"
        if state.shown is not None and board:
            return describe(state.shown, board, facts.shown), won
        if seen.is_mucked:
            return "mucks", "text_muted"
        if seen.won:
            return "", "text_muted"  # won without showing: the plate says how much
    event = seen.last_action
    if event is None:
        return "", "text_muted"
    return action_words(event, units), ACTION_ROLES[event.action.kind]


def _pot_texts(observation: HandView, units: Units) -> tuple[str, ...]:
    if len(observation.pots) < 2:
        return ()
    names = ["Main"] + [f"Side {number}" for number in range(1, len(observation.pots))]
    if len(names) == 2:
        names[1] = "Side"
    return tuple(
        f"{name} {units.text(pot.amount)}" for name, pot in zip(names, observation.pots, strict=True) if pot.amount
    )


def _holding(observation: HandView, facts: _HandFacts) -> str:
    """Name your hand and what it may become."""
    hopes = draws(observation.own_cards, observation.board)
    words = describe(observation.own_cards, observation.board, facts.shown)
    return f"You have {words}" + "".join(f" + {draw.value}" for draw in hopes)


def _winning_cards(observation: HandView, facts: _HandFacts) -> frozenset[Card]:
    if len(observation.board) < 5:
        return frozenset()
    shown = [state.shown for state in facts.seats.values() if state.won and state.shown is not None]
    return frozenset(card for cards in shown for card in best_five((*cards, *observation.board)))


def _with_spoken(model: SeatModel) -> SeatModel:
    words = [model.name, model.style] if model.style else [model.name]
    if model.is_button:
        words.append("on the button")
    if model.blind:
        words.append(next(kind.value for kind, label in BLIND_LABELS.items() if label == model.blind))
    words.append(
        f"finishes {model.place}" if model.place else "all-in" if model.is_all_in else f"stack {model.stack}"
    )
    if model.bet:
        words.append(f"{model.bet} {'set' if model.is_preview else 'in front'}")
    if model.is_folded:
        words.append("folded")
    elif model.cards:
        words.append(f"{'holds' if not model.is_you else 'your cards'} {cards_words(model.cards)}")
    if model.label and not model.is_folded:
        words.append(model.label)
    if model.result and model.result != model.label:
        words.append(model.result)
    if model.net:
        words.append(f"net {model.net}")
    if model.is_to_act:
        words.append("your turn" if model.is_you else "thinking")
    return replace(model, spoken=", ".join(words) + ".")


def _spoken(view: TableView, seats: tuple[SeatModel, ...], facts: _HandFacts, units: Units, holding: str) -> str:
    observation = view.observation
    board = f": {cards_words(observation.board)}" if observation.board else ""
    sentences = [f"{STREET_NAMES[observation.street]}{board}"]
    if facts.pot:
        sentences.append(f"Pot {units.text(facts.pot)}")
    if holding:
        sentences.append(f"{holding} with {cards_words(observation.own_cards)}")
    if isinstance(facts.last, ActionTaken):
        actor = observation.view(facts.last.seat)
        sentences.append(f"{actor.name} {action_words(facts.last, units, is_you=actor.name == YOU)}")
    sentences += [f"{seat.name} {seat.result}" for seat in seats if seat.result]
    if view.stage is Stage.YOUR_TURN and (legal := view.own.legal) is not None:
        call = "you may check" if legal.can_check else f"{units.text(legal.call_amount)} to call"
        sentences.append(f"Your turn: {call}")
    elif view.to_act is not None and view.stage is Stage.THINKING:
        sentences.append(f"{observation.view(view.to_act).name} is thinking")
    if view.is_study or view.was_study:
        sentences.append(f"Study mode {'is' if view.is_study else 'was'} on")
    return ". ".join(sentences) + "."
