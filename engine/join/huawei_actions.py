"""Who did what between two messages of the Huawei 2015 server, whose rows hold only everybody's latest action.

The order of play says whose turn it is, so actions are found by playing on until the rows come out. By its rules:

- On each street it goes round, from the seat after the button or after the last blind, and asks everybody who has
  chips, has not folded, and has not answered the highest bet on this street, even where nobody is left to bet
  with. Such a bet comes back with the pot; who folds there folds, and if it was the last one, nobody gets the
  pot.
- Any bet and raise is taken, also again by who has been answered by a short all-in only. One that is too small is
  filled up to the least raise; more than the stack is all-in; a check that owes is a call.
- A player's last chips are put in by `all_in` or what else it was; who folds loses all to the main pot.

Of several stories (see docs/join.md, too) one with the server's words, and with actions only of players who have
something to win by them, is preferred. Who folds with something to pay folds at once. Chips of several streets are
one raise to a total that some row names. After the last hand, calls are preferred to raises.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from msgspec import Struct

from engine.game.events import ActionKind, Chips
from engine.join.huawei_messages import RowAction

_MOST_MOMENTS: Final = 2000
"""So many are looked at before the rows count as impossible; a story of usual length takes some ten."""
_LONGEST_STORY: Final = 200
"""Steps of a story that is looked for; between two messages of a real table nobody acts more than a few times."""


class Moment(NamedTuple):
    """Where the betting of a hand stands; players are places, clockwise.

    Attributes
    ----------
    stacks, totals : tuple of int
        Chips behind, and put in during the whole hand, an uncalled bet included.
    latest : tuple of RowAction or None
        What each place did last, as a row would say; `answered` says whether on this street.
    last : int
        The place that acted or was passed over last; the turn goes on from there.
    price : int
        The least total of who stays in: a big blind, though it may be posted short.
    least_raise : int
        By how much a raise must exceed the level, unless it is all-in.
    """

    stacks: tuple[Chips, ...]
    totals: tuple[Chips, ...]
    latest: tuple[RowAction | None, ...]
    answered: tuple[bool, ...]
    last: int
    price: Chips
    big_blind: Chips
    least_raise: Chips

    @property
    def level(self) -> Chips:
        """What everybody who stays in must have put in."""
        return max(self.price if self._count_with_chips() > 1 else 0, *self.totals)

    @property
    def live(self) -> tuple[int, ...]:
        """The places that have not folded."""
        return tuple(place for place, action in enumerate(self.latest) if action is not RowAction.FOLD)

    def next_place(self, *, is_alone: bool = False) -> int | None:
        """Return whose turn it is, or None after the street; who has no opponent only if `is_alone`."""
        count, live, level = len(self.stacks), self.live, self.level
        if len(live) < 2 and not is_alone:
            return None
        with_chips = self._count_with_chips()
        for step in range(1, count + 1):
            place = (self.last + step) % count
            if place not in live or not self.stacks[place]:
                continue
            is_owing = self.totals[place] < level and len(live) > 1
            if is_owing or (not self.answered[place] and (with_chips > 1 or is_alone)):
                return place
        return None

    def is_contested(self, place: int) -> bool:
        """Whether a place owes chips, or could be called if it bet."""
        return len(self.live) > 1 and (self.totals[place] < self.level or self._count_with_chips() > 1)

    def _count_with_chips(self) -> int:
        return sum(self.stacks[place] > 0 for place in self.live)

    def after(self, place: int, total: Chips, action: RowAction) -> "Moment":
        """Return the moment after a place's action, which brings what it has put in to `total`."""
        stack = self.stacks[place] - (total - self.totals[place])
        if not stack and action is not RowAction.FOLD:
            action = RowAction.ALL_IN
        return Moment(
            _with(self.stacks, place, stack),
            _with(self.totals, place, total),
            _with(self.latest, place, action),
            _with(self.answered, place, True),
            place,
            self.price,
            self.big_blind,
            max(self.least_raise, total - self.level),
        )

    def on_next_street(self, button: int) -> "Moment":
        """Return the moment at which the next street's cards are dealt."""
        return self._replace(answered=(False,) * len(self.stacks), last=button, least_raise=self.big_blind)


class Known(Struct, frozen=True):
    """What is known of a place at the end of the story; None is unknown, and no `has_acted` means no row."""

    total: Chips | None
    has_folded: bool
    action: RowAction | None = None
    has_acted: bool = True


class Took(Struct, frozen=True):
    """A step of the story: a place acted. `total` is what it has put in then."""

    place: int
    kind: ActionKind
    total: Chips


class Dealt(Struct, frozen=True):
    """A step of the story: the next street's cards were dealt."""


Step = Took | Dealt


class Question(Struct, frozen=True, kw_only=True):
    """What has to be explained.

    Attributes
    ----------
    reports : sequence of Known
        By place.
    deals : int
        Streets that were dealt meanwhile.
    is_own_turn : bool
        Whether it ends with our turn. Otherwise, by the server's habit, at our place, or with the street.
    answer : tuple of (ActionKind, int), or None
        Our answer that it begins with, and our total after it, which the server may have taken otherwise.
    pot : int or None
        All chips put in at the end, where some total is unknown.
    is_end, is_discarded : bool
        Whether the hand is over at the end, and whether even the last player has folded, which the story
        leaves out.
    """

    reports: tuple[Known, ...]
    deals: int
    button: int
    own_place: int
    is_own_turn: bool = False
    answer: tuple[ActionKind, Chips] | None = None
    pot: Chips | None = None
    is_end: bool = False
    is_discarded: bool = False


def explain(moment: Moment, question: Question) -> tuple[tuple[Step, ...], Moment] | None:
    """Find the actions that lead from a moment to what a message says, and the moment after them, or None.

    Examples
    --------
    The small blind of two, who has put in 20, is said to have called a raise to 60 of the button:

    >>> start = Moment((1980, 1980), (20, 20), (RowAction.CALL, RowAction.BLIND), (True, False), 0, 20, 40, 40)
    >>> reports = (Known(60, False, RowAction.CALL), Known(60, False, RowAction.RAISE))
    >>> steps, after = explain(start, Question(reports=reports, deals=0, button=0, own_place=0))
    >>> [(step.place, step.kind.value, step.total) for step in steps]
    [(1, 'raise', 60), (0, 'call', 60)]
    """
    for demand in _Demand:
        found = _Search(question, demand).story(moment)
        if found is not None:
            return found
    return None


class _Demand(IntEnum):
    """What a story must say, from the most to the least; chips and who has folded always."""

    WORDS = 0
    """Everybody's latest action in the server's words, and it ends where the server usually tells."""
    WORDS_ALONE = 1
    """The same, and players are asked whom nobody can play against."""
    CHIPS = 2
    CHIPS_ALONE = 3


class _Search:
    """Depth first, the likelier choice first; a moment that led nowhere is not tried again."""

    def __init__(self, question: Question, demand: _Demand) -> None:
        self._question = question
        self._is_strict = demand in (_Demand.WORDS, _Demand.WORDS_ALONE)
        self._is_alone = demand in (_Demand.WORDS_ALONE, _Demand.CHIPS_ALONE)
        self._in_vain: set[tuple[Moment, int]] = set()
        known = {report.total for report in question.reports if report.total is not None}
        self._totals = sorted(known, reverse=True)
        self._has_unknown = any(report.total is None for report in question.reports)

    def story(self, moment: Moment) -> tuple[tuple[Step, ...], Moment] | None:
        """Return the first story found."""
        steps: list[Step] = []
        end = self._go_on(moment, self._question.deals, steps)
        return None if end is None else (tuple(reversed(steps)), end)

    def _go_on(self, moment: Moment, deals: int, steps: list[Step], before: int = 0) -> Moment | None:
        """Return the end of a story that goes on after so many steps, adding its own last first; or None."""
        key = (moment, deals)
        if before > _LONGEST_STORY or key in self._in_vain or len(self._in_vain) > _MOST_MOMENTS:
            return None
        place = moment.next_place(is_alone=self._is_alone)
        is_answer = not before and self._question.answer is not None and place == self._question.own_place
        must_stop, may_stop = (False, False) if is_answer else self._stops(moment, place, deals)
        if may_stop and self._comes_out(moment):
            return moment._replace(last=self._question.own_place) if self._is_passed(moment) else moment
        if place is not None and not (must_stop and self._is_strict):
            choices = self._choices(moment, place, deals)
            if is_answer and self._question.answer in choices:
                choices.insert(0, self._question.answer)
            for kind, total in choices:
                after = moment.after(place, total, RowAction(kind.value))
                found = self._go_on(after, deals, steps, before + 1)
                if found is not None:
                    steps.append(Took(place, kind, total))
                    return found
        if deals and (place is None or not moment.is_contested(place)):
            found = self._go_on(moment.on_next_street(self._question.button), deals - 1, steps, before + 1)
            if found is not None:
                steps.append(Dealt())
                return found
        self._in_vain.add(key)
        return None

    def _stops(self, moment: Moment, place: int | None, deals: int) -> tuple[bool, bool]:
        """Whether the server tells us something here, by its habit, and whether that may be the end."""
        question, own = self._question, self._question.own_place
        if place is None:
            return not deals, not deals
        if question.is_end and not moment.is_contested(place):
            return False, not deals  # it may not have been asked
        must = place == own or (self._is_passed(moment, place) and not question.is_own_turn)
        may = place == own if question.is_own_turn else (must or not self._is_strict)
        return must, may and not deals and not question.is_end

    def _is_passed(self, moment: Moment, place: int | None = None) -> bool:
        """Whether our place comes before the one that acts next, if anybody does, asked alone or not."""
        own, count = self._question.own_place, len(moment.stacks)
        place = moment.next_place(is_alone=True) if place is None else place
        return place is not None and (own - moment.last - 1) % count < (place - moment.last - 1) % count

    def _comes_out(self, moment: Moment) -> bool:
        """Whether everything reported is so."""
        question = self._question
        if question.pot is not None and sum(moment.totals) != question.pot:
            return False
        if question.is_discarded and len(moment.live) < 2:
            return all(
                report.total in (None, moment.totals[place]) for place, report in enumerate(question.reports)
            )
        return all(self._is_so(moment, place, report) for place, report in enumerate(question.reports))

    def _is_so(self, moment: Moment, place: int, report: Known) -> bool:
        latest = moment.latest[place]
        if (latest is RowAction.FOLD) != report.has_folded or report.total not in (None, moment.totals[place]):
            return False
        if not self._is_strict:
            return True
        if not report.has_acted:
            return latest is None
        return report.action in (None, latest) or not moment.stacks[place]

    def _choices(self, moment: Moment, place: int, deals: int) -> list[tuple[ActionKind, Chips]]:
        """Return what a place may do now without contradicting its report, the likeliest first."""
        report = self._question.reports[place]
        total, stack, level = moment.totals[place], moment.stacks[place], moment.level
        if not report.has_acted:
            return []
        most = total + stack if report.total is None else min(report.total, total + stack)
        call = min(level, total + stack)
        stay = [(ActionKind.CHECK if call == total else ActionKind.CALL, call)] if call <= most else []
        least = level + (moment.least_raise if self._is_strict else 1)
        raises = [
            (ActionKind.RAISE, to)
            for to in self._raises(moment, place)
            if level < to <= most and (to >= least or to == total + stack)
        ]
        fold = [(ActionKind.FOLD, total)] if report.has_folded and report.total in (None, total) else []
        if report.has_folded:
            return stay + fold + raises if call == total else fold + stay + raises
        is_raise = report.total is not None and report.total > call and report.action is not RowAction.CALL
        return raises + stay if is_raise and not deals else stay + raises

    def _raises(self, moment: Moment, place: int) -> Iterable[Chips]:
        """Return the totals that a raise may be to: known ones, the greatest first, or what makes up the pot."""
        report, pot, total = self._question.reports[place], self._question.pot, moment.totals[place]
        found = [*self._totals]
        if self._has_unknown and pot is not None:
            missing = pot - sum(moment.totals)
            found += [total + missing // count for count in range(1, len(moment.live) + 1) if missing % count == 0]
        if report.total is None:
            found.append(total + moment.stacks[place])
        found.append(moment.level + moment.least_raise)
        return dict.fromkeys(found)


def _with(values: tuple, place: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:place], value, *values[place + 1 :])
