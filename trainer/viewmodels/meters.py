"""What the meters show: how often the player wins, what a call needs, and how both went through the hand."""

from dataclasses import dataclass

from engine.agents.agent import Estimate, Method
from engine.agents.fold.predict import amount_to_call
from engine.cards import Street
from trainer.session_types import PointReading
from trainer.viewmodels.read import STREET_NAMES, card_symbols, hand_points


@dataclass(frozen=True, slots=True)
class Meter:
    """A rate 0-1 with its standard error, and both as text."""

    value: float
    stderr: float
    text: str


@dataclass(frozen=True, slots=True)
class MeterView:
    """The figures of one point of a hand.

    Attributes
    ----------
    win, win_random : Meter
        Against the predicted ranges, and against random hands.
    needed : float
        Pot odds of a call, 0-1; 0 if there is nothing to call.
    verdict : str
        One neutral sentence.
    price, spr : str
        Pot odds and stack over pot, in words.
    methods, methods_in_full : str
        How both win rates were found, in few words and with the numbers of deals.
    outs : str
        Count, chance and cards; empty where outs are not counted.
    is_folded : bool
        The player is out of the hand: the figures are the last ones he had.
    """

    win: Meter
    win_random: Meter
    needed: float
    verdict: str
    price: str
    spr: str
    methods: str
    methods_in_full: str
    outs: str
    is_folded: bool


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
    """The way of the meters through a hand.

    Attributes
    ----------
    points : tuple of HistoryPoint
        In order.
    streets : tuple of (str, float)
        Each street's name and place 0-1.
    """

    points: tuple[HistoryPoint, ...]
    streets: tuple[tuple[str, float], ...]


def estimate_text(estimate: Estimate) -> str:
    """Write an estimate as percent with its standard error, which an exact one does not have."""
    text = f"{100 * estimate.value:.1f}%"
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


def verdict(win: Estimate, needed: float) -> str:
    """Set the win rate beside what a call needs, without advice.

    Within two standard errors the two cannot be told apart, and the sentence says so.
    """
    wins = f"you win {estimate_text(win)} against the predicted ranges"
    if needed <= 0:
        return f"Nothing to call; {wins}."
    close = ": too close to tell apart" if abs(win.value - needed) < 2 * win.stderr else ""
    return f"You need {100 * needed:.1f}% to call; {wins}{close}."


def price_text(to_call: int, pot: int, needed: float) -> str:
    """Write pot odds as a share and as a ratio: what there is to win for each chip called."""
    if needed <= 0 or to_call <= 0:
        return "nothing to call"
    return f"{100 * needed:.1f}% ({pot / to_call:.1f} : 1)"


class MeterRecord:
    """Gathers the readings of a hand into the figures of its newest point and a history.

    Readings of earlier points may come later, in any order; a reading of another hand starts anew.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the hand."""
        self._points: dict[int, PointReading] = {}
        self._hand_number: int | None = None
        self._newest: PointReading | None = None

    def add(self, point: PointReading) -> bool:
        """Take in a reading of any point of a hand, and tell whether the hand is a new one."""
        is_new_hand = point.hand_number != self._hand_number
        if is_new_hand:
            self.clear()
            self._hand_number = point.hand_number
        if self._newest is None or point.event_count >= self._newest.event_count:
            self._newest = point
        if point.reading.predictions and not point.observation.me.is_folded:
            self._points[point.event_count] = point
        return is_new_hand

    @property
    def newest_count(self) -> int | None:
        """Event count of the newest point seen."""
        return self._newest.event_count if self._newest else None

    def view(self, event_count: int | None = None) -> MeterView | None:
        """Give the figures at a point, or else at the last one before it; None means the newest.

        None is also the answer when there is no reading yet in which the player could win.
        """
        wanted = self.newest_count if event_count is None else event_count
        counts = [count for count in self._points if wanted is not None and count <= wanted]
        if not counts or self._newest is None:
            return None
        is_folded = self._newest.observation.me.is_folded and wanted is not None and wanted > max(self._points)
        return _figures(self._points[max(counts)], is_folded)

    def history(self) -> History:
        """Give every point seen so far, on the scale of the hand's points."""
        if self._newest is None:
            return History((), ())
        points = hand_points(self._newest.observation)
        last = max(len(points) - 1, 1)
        places = {point.event_count: index / last for index, point in enumerate(points)}
        first: dict[Street, float] = {}
        for point in points:
            first.setdefault(point.street, places[point.event_count])
        shown = tuple(
            HistoryPoint(
                count,
                places[count],
                known.reading.win_rate.value,
                known.reading.win_rate.stderr,
                known.reading.win_rate_random.value,
                known.reading.pot_odds,
            )
            for count, known in sorted(self._points.items())
            if count in places
        )
        return History(shown, tuple((STREET_NAMES[street], place) for street, place in first.items()))


def _figures(point: PointReading, is_folded: bool) -> MeterView:
    reading, observation = point.reading, point.observation
    win, random = reading.win_rate, reading.win_rate_random
    to_call = amount_to_call(observation)
    said = verdict(win, reading.pot_odds)
    if is_folded:
        said = f"You folded; your last win rate was {estimate_text(win)} against the predicted ranges."
    return MeterView(
        win=Meter(win.value, win.stderr, estimate_text(win)),
        win_random=Meter(random.value, random.stderr, estimate_text(random)),
        needed=reading.pot_odds,
        verdict=said,
        price=price_text(to_call, observation.pot, reading.pot_odds),
        spr=f"{reading.spr:.1f}",
        methods=methods_text(win, random),
        methods_in_full=(
            f"Against the predicted ranges: {method_text(win)}.\nAgainst random hands: {method_text(random)}."
        ),
        outs=_outs_text(point),
        is_folded=is_folded,
    )


def _outs_text(point: PointReading) -> str:
    outs = point.reading.outs
    if outs is None:
        return ""
    if not outs.cards:
        return "none"
    cards = card_symbols(sorted(outs.cards, reverse=True), " ")
    return f"{len(outs.cards)}, {100 * outs.hit_probability:.1f}% by the river: {cards}"
