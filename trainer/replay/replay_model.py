"""Which step of a finished hand is shown, and the table as it stood then."""

from collections.abc import Mapping
from itertools import groupby

from PySide6.QtCore import QObject, Signal

from engine.cards import STREET_NAMES, HoleCards, Street
from engine.game.events import ActionTaken, PotAwarded, Seat
from engine.game.history import observation_at
from engine.game.observation import HandView
from trainer.reading.range_model import HandPoint, hand_points
from trainer.session.amounts import Units
from trainer.session.types import Stage, TableView
from trainer.storage.imports import ImportedDetails

END = "End"


class ReplayModel(QObject):
    """Goes through a hand: the deal, each action, each street's cards, and how it ended."""

    changed = Signal()  # another hand, or what is said of it
    moved = Signal()  # another step of it, or other cards open

    def __init__(self) -> None:
        super().__init__()
        self.final: HandView | None = None
        self.steps: tuple[HandPoint, ...] = ()
        self.position = 0
        self.are_cards_open = True
        self._truth: Mapping[Seat, HoleCards] = {}
        self._styles: Mapping[Seat, str] = {}
        self._names: Mapping[Seat, str] = {}
        self._in_big_blinds = False

    def show_hand(
        self,
        final: HandView,
        truth: Mapping[Seat, HoleCards],
        styles: Mapping[Seat, str],
        names: Mapping[Seat, str],
    ) -> None:
        """Take a hand at its end with all hole cards that are known, and go to its first step."""
        self.final, self._truth, self._styles, self._names = final, dict(truth), dict(styles), dict(names)
        self._make_steps()
        self.position = 0
        self.changed.emit()
        self.moved.emit()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        if self.final is not None:
            self._make_steps()
            self.changed.emit()

    def set_cards_open(self, is_open: bool) -> None:
        """Show the opponents' hole cards from the first step on, or only where the hand has shown them."""
        self.are_cards_open = is_open
        self.moved.emit()

    # Where we are

    @property
    def step(self) -> HandPoint:
        """The step shown."""
        return self.steps[self.position]

    @property
    def is_at_end(self) -> bool:
        """Whether the last step is shown."""
        return self.position == len(self.steps) - 1

    @property
    def streets(self) -> tuple[tuple[str, int], ...]:
        """Each street that was dealt with its first step, and the end."""
        firsts = [
            (STREET_NAMES[street], next(steps)[0])
            for street, steps in groupby(enumerate(self.steps[:-1]), key=lambda step: step[1].street)
        ]
        return (*firsts, (END, len(self.steps) - 1))

    @property
    def observation(self) -> HandView:
        """What was seen at the step shown, by the player unless the hand was watched."""
        assert self.final is not None
        return observation_at(self.final, self.step.event_count)

    @property
    def opened(self) -> Mapping[Seat, HoleCards]:
        """The opponents' hole cards that are open at the step shown."""
        if self.are_cards_open:
            return self._truth
        return {seat.seat: seat.shown for seat in self.observation.seats if seat.shown is not None}

    @property
    def decider(self) -> Seat | None:
        """Who acts next; None if nobody does before cards are dealt or the hand ends."""
        assert self.final is not None
        following = self.final.events[self.step.event_count : self.step.event_count + 1]
        return following[0].seat if following and isinstance(following[0], ActionTaken) else None

    @property
    def view(self) -> TableView:
        """The table at the step shown."""
        stage = Stage.HAND_OVER if self.is_at_end else Stage.THINKING if self.decider is not None else Stage.SHOWING
        return TableView(stage, self.observation, self.decider, dict(self._styles), (), self._names)

    # Intents

    def go_to(self, position: int) -> None:
        """Show a step."""
        position = min(max(position, 0), len(self.steps) - 1)
        if self.steps and position != self.position:
            self.position = position
            self.moved.emit()

    def go_to_street(self, street: Street) -> None:
        """Show the first step of a street, if it was dealt."""
        found = dict(self.streets).get(STREET_NAMES[street])
        if found is not None:
            self.go_to(found)

    def go_to_event(self, event_count: int) -> None:
        """Show the last step within so many events of the hand."""
        if self.steps:
            reached = (index for index, step in enumerate(self.steps) if step.event_count <= event_count)
            self.go_to(max(reached, default=0))

    def _make_steps(self) -> None:
        final = self.final
        assert final is not None
        self.steps = (
            *hand_points(final, self._in_big_blinds),
            HandPoint(len(final.events), final.street, _ending(final, self._in_big_blinds)),
        )


def about_imported(details: ImportedDetails) -> str:
    """Say where a hand was played, what was taken of its pots, and what it cannot show.

    >>> from trainer.storage.stored import Venue
    >>> about_imported(ImportedDetails(Venue("GGPoker", "Hero", "Hydra", scale=100), "RC7", "", 35, ("Twice.",)))
    'GGPoker, Hydra   ·   hand RC7   ·   rake 0.35   ·   Twice.'
    """
    venue, rake = details.venue, details.rake
    table = f"table {details.table}" if venue.tournament and details.table else ""
    taken = f"rake {venue.amount(rake)} {venue.currency}".rstrip() if rake else ""
    return "   ·   ".join(filter(None, (venue.title, table, f"hand {details.number}", taken, *details.remarks)))


def _ending(final: HandView, in_big_blinds: bool) -> str:
    """Say who wins how much."""
    units = Units.of(final, in_big_blinds)
    won: dict[Seat, int] = {}
    for event in final.events:
        if isinstance(event, PotAwarded):
            won[event.seat] = won.get(event.seat, 0) + event.amount
    parts = [
        f"you win {units.text(chips)}"
        if seat == final.viewer
        else f"{final.view(seat).name} wins {units.text(chips)}"
        for seat, chips in won.items()
    ]
    return f"{END}: {' and '.join(parts)}"
