"""What the meters show: how often the player wins, what a call needs, and how both went through the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from engine.agents.explain import out_definition
from engine.agents.reading import amount_to_call, prize_odds_of, winnable_pot
from engine.cards import STREET_NAMES, Street, card_symbols
from engine.equity.snapshot import Estimate, Method
from engine.game.events import HandEnded, HoleCardsMucked, HoleCardsShown, PotAwarded, Seat
from engine.game.history import observation_at
from engine.game.observation import HandView, Observation
from trainer.reading.range_model import hand_points
from trainer.session.types import PointRanges, PointReading, RunOutPoint

_MOST_ROWS = 6
"""Bars of an all-in; with more pots than that can show everybody has one, of all chips."""

NO_HAND, NO_READING = "No hand is being played.", "No win rate yet."
WATCHED = "This hand was watched, so there are no hole cards of yours to win with."


@dataclass(frozen=True, slots=True)
class Meter:
    """A rate 0-1 with its standard error, and both as text."""

    value: float
    stderr: float
    text: str


@dataclass(frozen=True, slots=True)
class MeterRow:
    """A bar of the scale: whose or what it is, its rate, and whether it is the one to look at."""

    label: str
    meter: Meter
    is_main: bool


@dataclass(frozen=True, slots=True)
class MeterView:
    """The figures of one point of a hand."""

    # against the predicted ranges and against random hands; of an all-in with open cards, everybody's equity
    rows: tuple[MeterRow, ...]
    needed: float  # pot odds of a call, 0-1; 0 if there is nothing to call
    verdict: str  # one neutral sentence, which says against whom
    # pot odds, stack over pot and how the win rates were found; of an all-in, its way from street to street
    facts: str
    facts_in_full: str
    outs: str = ""  # against whom, count, chance and cards; empty where outs are not counted
    outs_in_full: str = ""
    has_history: bool = True  # whether the figures belong to the line through the hand


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """Where the meters stood after so many events; `place` is 0-1 along the hand's points so far."""

    event_count: int
    place: float
    win: float
    stderr: float
    win_random: float
    needed: float


@dataclass(frozen=True, slots=True)
class History:
    """The way of the meters through a hand."""

    points: tuple[HistoryPoint, ...]  # in order
    streets: tuple[tuple[str, float], ...]  # each street's name and place 0-1


def estimate_text(estimate: Estimate) -> str:
    """Write an estimate as percent with its standard error, which an exact one does not have."""
    text = f"{estimate.value:.1%}"
    if estimate.stderr == 0:
        return text
    error = 100 * estimate.stderr
    return f"{text} ± {error:.1f}" if error >= 0.05 else f"{text} ± {max(error, 0.01):.2f}"


def method_text(estimate: Estimate) -> str:
    """Say how an estimate was found, and from how many deals."""
    if estimate.method is Method.SAMPLED:
        return f"sampled, {estimate.count:,} deals"
    if estimate.method is Method.TABLE:
        return f"from a table of {estimate.count:,} sampled deals" if estimate.stderr else "from a table, exact"
    return f"exact, {estimate.count:,} showdowns" if estimate.count else str(estimate.method.value)


def methods_text(win: Estimate, win_random: Estimate) -> str:
    """Say in few words how two win rates were found.

    >>> methods_text(Estimate(0.5, Method.EXACT), Estimate(0.4, Method.TABLE))
    'ranges exact, random from a table'
    """
    words = {Method.TABLE: "from a table"}
    first, second = (words.get(method, method.value) for method in (win.method, win_random.method))
    return f"both {first}" if first == second else f"ranges {first}, random {second}"


def against_text(point: PointReading) -> str:
    """Say whose ranges a win rate is against (two by name), and who is taken to fold."""
    live = {view.seat: view.name for view in point.observation.opponents}
    against = [live[seat] for seat in point.against if seat in live] or list(live.values())
    waiting = len(live) - len(against)
    whom = f"{against[0]}'s range" if len(against) == 1 else f"the ranges of {' and '.join(against)}"
    if len(against) > 2:
        whom = f"the ranges of the {len(against)} in the pot"
    if not waiting:
        return whom
    return f"{whom} if the other {'one folds' if waiting == 1 else f'{waiting} fold'}"


def verdict(win: Estimate, needed: float, against: str, *, by_prizes: float | None = None) -> str:
    """Compare the win rate with what a call needs, by any prizes; within two standard errors it is too close."""
    wins = f"{estimate_text(win)} against {against}"
    if needed <= 0:
        return f"Nothing to call; you win {wins}."
    price = f"{needed:.1%} to call"
    if by_prizes is not None:
        price, needed = f"{price}, {by_prizes:.1%} by the prizes (ICM),", by_prizes
    close = ": too close to tell apart" if abs(win.value - needed) < 2 * win.stderr else ""
    return f"You need {price} and win {wins}{close}."


def idle_text(observation: HandView) -> str:
    """Say why there is nothing to decide any more in this hand; "" as long as there may be."""
    if not isinstance(observation, Observation):
        return WATCHED
    me = observation.me
    if observation.events and isinstance(observation.events[-1], HandEnded):
        return "The hand is over." if me.stack else "The hand is over, and you are out of chips."
    if me.is_folded:
        return "You folded: nothing to decide until the next hand."
    if not observation.opponents:
        return "Everybody else folded: the pot is yours."
    if me.is_all_in:
        return "You are all-in: nothing left to decide."
    if amount_to_call(observation) == 0 and all(view.is_all_in for view in observation.opponents):
        return "Nobody else has chips left to bet: nothing left to decide."
    if any(isinstance(event, HoleCardsShown | HoleCardsMucked | PotAwarded) for event in observation.events):
        return "The betting is over: nothing left to decide."
    return ""


def price_text(to_call: int, pot: int, needed: float) -> str:
    """Write pot odds as a share and as a ratio: what there is to win for each chip called."""
    if needed <= 0 or to_call <= 0:
        return "nothing to call"
    return f"{needed:.1%} ({pot / to_call:.1f} : 1)"


class MeterRecord:
    """Gathers readings, in any order, of one hand into the figures of its newest point and a history."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the hand."""
        self._points: dict[int, PointReading] = {}
        self._run_out: dict[int, RunOutPoint] = {}
        self._hand_number: int | None = None
        self._newest: HandView | None = None

    def follow(self, observation: HandView) -> bool:
        """Take in what the table shows, and return whether the hand is a new one."""
        is_new_hand = observation.hand_number != self._hand_number
        if is_new_hand:
            self.clear()
            self._hand_number = observation.hand_number
        if self._newest is None or len(observation.events) >= len(self._newest.events):
            self._newest = observation
        return is_new_hand

    def add(self, point: PointRanges) -> bool:
        """Take in a reading of any point of a hand, and return whether the hand is a new one."""
        is_new_hand = self.follow(point.observation)
        if isinstance(point, PointReading) and point.predictions:
            self._points[point.event_count] = point
        return is_new_hand

    def add_run_out(self, point: RunOutPoint) -> None:
        """Take in a street of an all-in with open cards; one of another hand is too late."""
        if point.hand_number == self._hand_number:
            self._run_out[point.event_count] = point

    @property
    def newest_count(self) -> int | None:
        """Event count of the newest point seen."""
        return len(self._newest.events) if self._newest else None

    def view(self, event_count: int | None = None) -> MeterView | str:
        """Return the figures at a point, or at the last one read before it; None means the newest.

        Where there is nothing to decide it is one sentence that says so, until the cards of an all-in lie open:
        then the figures are everybody's true equities.
        """
        wanted = self.newest_count if event_count is None else event_count
        if wanted is None or self._newest is None:
            return NO_HAND
        run_out = [self._run_out[count] for count in sorted(self._run_out) if count <= wanted]
        if event_count is None:
            idle = idle_text(self._newest)
            if run_out and not isinstance(self._newest.events[-1], HandEnded):
                return _run_out_figures(run_out)
            if idle:
                return f"{idle} {_all_in_text(run_out)}".strip()
        elif run_out:
            return _run_out_figures(run_out)
        elif idle := idle_text(observation_at(self._newest, min(wanted, len(self._newest.events)))):
            return idle
        counts = [count for count in self._points if count <= wanted]
        if not counts:
            return NO_READING
        point = self._points[max(counts)]
        return idle_text(point.observation) or _figures(point)

    def history(self, until: int | None = None) -> History:
        """Return every point seen so far, or those within so many events, on the scale of the hand's points."""
        if self._newest is None:
            return History((), ())
        points = hand_points(self._newest)
        last = max(len(points) - 1, 1)
        places = {point.event_count: index / last for index, point in enumerate(points)}
        first: dict[Street, float] = {}
        for point in points:
            first.setdefault(point.street, places[point.event_count])
        shown = tuple(
            HistoryPoint(
                count,
                places[count],
                _win_rates(known)[0].value,
                _win_rates(known)[0].stderr,
                _win_rates(known)[1].value,
                known.reading.pot_odds,
            )
            for count, known in sorted(self._points.items())
            if count in places and not idle_text(known.observation) and (until is None or count <= until)
        )
        return History(shown, tuple((STREET_NAMES[street], place) for street, place in first.items()))


def _win_rates(point: PointReading) -> tuple[Estimate, Estimate]:
    """Return the win rates against those the price of a call is compared with, and against as many random hands."""
    if point.win is None or point.win_random is None:
        return point.reading.win_rate, point.reading.win_rate_random
    return point.win, point.win_random


def _figures(point: PointReading) -> MeterView:
    reading, observation = point.reading, point.own
    win, random = _win_rates(point)
    price = price_text(amount_to_call(observation), winnable_pot(observation), reading.pot_odds)
    return MeterView(
        rows=(
            MeterRow("predicted ranges", Meter(win.value, win.stderr, estimate_text(win)), True),
            MeterRow("random hands", Meter(random.value, random.stderr, estimate_text(random)), False),
        ),
        needed=reading.pot_odds,
        verdict=verdict(win, reading.pot_odds, against_text(point), by_prizes=prize_odds_of(observation)),
        facts=f"Pot odds: {price}   ·   SPR {reading.spr:.1f}   ·   {methods_text(win, random)}",
        facts_in_full=(
            "Pot odds: the share of the final pot a call costs; 25% for a bet of half the pot, 33% for the pot. "
            "By the prizes of a tournament a call that puts somebody all-in needs more: so much that it loses none "
            "of them in the mean, by the independent chip model (ICM). "
            "SPR: effective stack behind over the pot; below 3 a good pair is seldom folded, above 10 it is "
            "seldom worth all chips.\nThen how the two win rates were found.\n"
            f"Against the predicted ranges: {method_text(win)}.\n"
            f"Against random hands: {method_text(random)}.\n"
            "Before the flop both are against those who have matched the highest bet; whoever has still to put "
            "chips in is taken to fold."
        ),
        outs=(outs := _outs_text(point)),
        outs_in_full=f"{fill(out_definition(), 84)}\n{outs}",
    )


def _run_out_figures(points: Sequence[RunOutPoint]) -> MeterView:
    """Show everybody's true equity at the newest street of an all-in, and one's own on each street so far."""
    newest = points[-1]
    hero, pots = newest.observation.viewer, newest.pots
    shares: list[tuple[Seat, str, float]] = []
    for index, pot in enumerate(pots):
        of_pot = "" if len(pots) == 1 else ", main pot" if index == 0 else f", side pot {index}"
        shares += [(seat, of_pot, share) for seat, share in pot.equities.items()]
    if len(shares) > _MOST_ROWS:
        shares = [(seat, "", _share_of(newest, seat)) for seat in pots[0].equities]
    order = list(dict.fromkeys(of_pot for _, of_pot, _ in shares))
    shares.sort(key=lambda one: (order.index(one[1]), one[0] != hero, one[0]))
    rows = [
        MeterRow(
            ("You" if seat == hero else newest.observation.view(seat).name) + of_pot,
            Meter(share, 0.0, f"{share:.1%}"),
            seat == hero,
        )
        for seat, of_pot, share in shares
    ]
    boards = ", over all boards to come" if newest.observation.street is not Street.RIVER else ""
    share = "everybody's share of the pot" if hero is None else f"you have {_own_share(newest, hero)} of the pot"
    return MeterView(
        rows=tuple(rows),
        needed=0.0,
        verdict=f"All-in, cards open: {share}{boards}.",
        facts="" if hero is None else _way_text(points, hero),
        facts_in_full="The exact equities of the hands turned up, street by street.",
        has_history=False,
    )


def _share_of(point: RunOutPoint, seat: Seat) -> float:
    """Return what part of all contested chips an all-in is worth to a seat."""
    chips = sum(pot.amount for pot in point.pots)
    return sum(pot.amount * pot.equities.get(seat, 0.0) for pot in point.pots) / chips


def _own_share(point: RunOutPoint, hero: Seat) -> str:
    return f"{_share_of(point, hero):.1%}"


def _way_text(points: Sequence[RunOutPoint], hero: Seat) -> str:
    return "   ·   ".join(f"{STREET_NAMES[point.observation.street]} {_own_share(point, hero)}" for point in points)


def _all_in_text(points: Sequence[RunOutPoint]) -> str:
    """Say what an all-in was worth to the player when the cards were turned up."""
    hero = points[0].observation.viewer if points else None
    if hero is None:
        return ""
    return f"When the cards were turned up, {_own_share(points[0], hero)} of the pot was yours."


def _outs_text(point: PointReading) -> str:
    outs = point.reading.outs
    if outs is None:
        return ""
    cards = card_symbols(sorted(outs.cards, reverse=True), " ")
    found = f"{len(outs.cards)}, {outs.hit_probability:.1%} by the river: {cards}" if outs.cards else "none"
    return f"Outs against any two cards: {found}"
