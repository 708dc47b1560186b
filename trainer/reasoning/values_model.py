"""What is shown of the values of actions: a table of them, and what is counted of the opponents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from engine.agents.agent import ActionValue, Answers, Responses, Values
from engine.agents.value_reasons import CLEAR, answer_texts, counted_words, percent, rounded, size_text, told_to
from engine.game.events import Action, ActionKind
from engine.game.observation import Observation
from trainer.session.amounts import Units

HEADINGS = ("Action", "Value", ">To best", ">Folds", ">Called", ">Later", ">Guard", ">Usual")
HEADING_TIPS = (
    "The action, and its size as a share of the pot",
    "What is won from here on against folding at once, ± its standard error; pale where clearly not best",
    "How much less than the action of most value, ± the smaller error of the difference: same deals for all",
    "How often all others fold before it is this player's turn again",
    "Share of the pot, of several the main pot, at a showdown against those who do not fold",
    "How often there is betting on a later street",
    "What counts against the action: few would do it with such a hand, and in a tournament its risk",
    "How often players do it with such a hand; sizes much alike count as one, in brackets after the first",
)
VALUE_COLUMN, _GUARD_COLUMN = 1, 6
_OFF_SCALE = 1.5
_MARK = "▶ "
COUNT_HEADINGS = ("Counted", "Did what", ">Times", ">Of", ">Most would")
COUNT_TIPS = (
    "The opponent",
    "What is counted",
    "How often they did it",
    "How often they could",
    "How often most would",
)


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its standard error, in chips, and the ends of the scale they are drawn on."""

    value: float
    error: float
    least: float
    most: float
    is_clear: bool  # whether it differs from the best by more than the error of that


class AnswerText(NamedTuple):
    """What opponents do about an action, a line each, and the gist of it; empty for what is no bet or raise."""

    whole: str
    gist: str


@dataclass(frozen=True, slots=True)
class ValuesView:
    """The table of the actions of one decision, row by row, the row chosen, and the counts below."""

    rows: tuple[tuple[str, ...], ...]
    short: tuple[str, ...]  # the actions by their size in pots alone, where there is no room for more
    bars: tuple[Bar, ...]
    tips: tuple[str, ...]
    paths: tuple[str, ...]
    headings: tuple[str, ...]
    chosen: int | None
    answers: tuple[AnswerText, ...]  # per row; empty until that is worked out
    counts: tuple[tuple[str, ...], ...]
    count_paths: tuple[str, ...]


def values_view(
    values: Values,
    observation: Observation,
    units: Units,
    chosen: Action | None = None,
    mark: str = "chosen",
    *,
    answers: Sequence[Answers] = (),
    own: str = "we",
) -> ValuesView:
    """Return the table of values; `chosen` is marked, and in words called `mark`.

    `answers` are those to each action, if they are known; `own` is in words whose action it is.
    """
    text, counted = _Texts(values, observation, units), list(_counted(values.responses, observation))
    said = [text.answers(one.action, found, own) for one, found in zip(values.actions, answers, strict=False)]
    tips = [text.tip(one, mark if one.action == chosen else "") for one in values.actions]
    headings = [HEADINGS[0], f"Value{',' * bool(units.suffix)}{units.suffix}", *HEADINGS[2:]]
    if any(one.risk for one in values.actions):
        headings[_GUARD_COLUMN] += ", risk"
    return ValuesView(
        rows=tuple(text.row(one, is_chosen=one.action == chosen) for one in values.actions),
        short=tuple(text.short(one.action, is_chosen=one.action == chosen) for one in values.actions),
        bars=_bars(values),
        tips=tuple("\n".join(filter(None, parts)) for parts in zip_longest(tips, (one.gist for one in said))),
        paths=tuple(f"values.actions[{index}]" for index in range(len(values.actions))),
        headings=tuple(headings),
        chosen=next((index for index, one in enumerate(values.actions) if one.action == chosen), None),
        answers=tuple(said),
        counts=tuple(row for row, _ in counted),
        count_paths=tuple(path for _, path in counted),
    )


def _bars(values: Values) -> tuple[Bar, ...]:
    """Return the bars on one scale, on which 0 always is."""
    # One that is worse than all others, often going all-in, goes off the scale rather than to make these small.
    lows = sorted(min(one.value - one.stderr, 0.0) for one in values.actions)
    most = max(0.0, *(one.value + one.stderr for one in values.actions))
    # Where all others are worth nothing, as folding is beside a bad call, it has the scale to itself.
    least = max(lows[0], min(_OFF_SCALE * lows[min(1, len(lows) - 1)], -most / 2) or lows[0])
    return tuple(
        Bar(one.value, one.stderr, least, most, one.behind > CLEAR * one.behind_stderr) for one in values.actions
    )


class _Texts:
    """Writes the cells of one table in the units of the window."""

    def __init__(self, values: Values, observation: Observation, units: Units) -> None:
        self._values, self._observation, self._units = values, observation, units
        # Sizes of one class of the model are as usual as one another, and the column would add up to more than all.
        self._counted_before = {
            after.action
            for before, after in pairwise(values.actions)
            if before.action.kind is after.action.kind is ActionKind.RAISE and before.usual == after.usual
        }

    def _chips(self, chips: float) -> str:
        if self._units.in_big_blinds:
            return f"{chips / self._observation.big_blind:.1f}".replace("-0.0", "0.0").replace("-", "−")
        return self._units.number(rounded(chips, self._observation.big_blind))

    def _error(self, chips: float) -> str:
        if rounded(chips, self._observation.big_blind) == 0 and chips > 0:
            return f"<{self._chips(told_to(self._observation.big_blind))}"
        return self._chips(chips)

    def action(self, one: Action) -> str:
        """Name an action in a cell: `bet 2/3 pot, 367`."""
        units, legal = self._units, self._observation.legal
        if one.kind is ActionKind.CALL and legal is not None:
            return f"call {units.number(legal.call_amount)}"
        if one.kind is not ActionKind.RAISE:
            return one.kind.value
        size = size_text(one, self._observation)
        return f"{size}, {units.number(one.raise_to)}" if size else f"raise to {units.number(one.raise_to)}"

    def short(self, one: Action, *, is_chosen: bool) -> str:
        size = size_text(one, self._observation)
        return f"{_MARK if is_chosen else ''}{size or self.action(one)}"

    def answers(self, one: Action, answers: Answers, own: str) -> AnswerText:
        """Say what opponents do about a bet."""
        if not answers:
            return AnswerText("", "")
        observation, begin = self._observation, f"{self.action(one)}: "
        whole = "\n".join(answer_texts(answers, observation, own))
        return AnswerText(begin + whole, begin + "\n".join(answer_texts(answers, observation, own, is_brief=True)))

    def _is_nothing(self, chips: float) -> bool:
        return rounded(chips, self._observation.big_blind) == 0

    def _why_against(self, one: ActionValue) -> str:
        if self._is_nothing(one.risk):
            return "because few do it"
        return "for its risk" if self._is_nothing(one.guard) else "because few do it and for its risk"

    def row(self, one: ActionValue, *, is_chosen: bool) -> tuple[str, ...]:
        is_fold, gap = one.action.kind is ActionKind.FOLD, self._chips(one.behind)
        minus = "−" if gap.strip("0.") else ""
        behind = "best" if one is self._values.best else f"{minus}{gap} ± {self._error(one.behind_stderr)}"
        usual = _share(one.usual)
        return (
            f"{_MARK if is_chosen else ''}{self.action(one.action)}",
            "0" if is_fold else f"{self._chips(one.value)} ± {self._error(one.stderr)}",
            behind,
            _share(one.all_fold) if one.action.kind is ActionKind.RAISE else "",
            "" if one.called_equity is None else _share(one.called_equity),
            "" if is_fold else _share(one.later),
            "" if self._is_nothing(one.guard + one.risk) else self._chips(one.guard + one.risk),
            f"({usual})" if one.action in self._counted_before else usual,
        )

    def tip(self, one: ActionValue, mark: str) -> str:
        """Say a row in words."""
        cells = self.row(one, is_chosen=False)
        unit = self._units.suffix
        parts = [f"{cells[0]}{f' ({mark})' if mark else ''}: worth {cells[1]}{unit}"]
        parts.append("the most" if cells[2] == "best" else f"{cells[2].removeprefix('−')}{unit} less than the best")
        if cells[3]:
            parts.append(f"all fold {cells[3]}")
        if cells[4]:
            parts.append(f"{cells[4]} of the pot at a showdown")
        if cells[5]:
            parts.append(f"betting on a later street {cells[5]}")
        if cells[6]:
            parts.append(f"{cells[6]}{unit} count against it {self._why_against(one)}")
        parts.append(f"players do it {_share(one.usual)}")
        dropped = f"; given up after {one.samples:,} deals" if one.samples < self._values.samples else ""
        return f"{', '.join(parts)}{dropped}."


def _counted(responses: tuple[Responses, ...], observation: Observation) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the rows of the counts, each with the path of its number."""
    for index, one in enumerate(responses):
        folds, raises = (one.folds, one.usual_folds), (one.raises, one.usual_raises)
        for field, (done, usual) in (("folds", folds), ("raises", raises)):
            if (words := counted_words(one, field)) is not None:
                name = observation.view(one.seat).name
                row = (name, " ".join(words), str(done), str(one.chances), f"{usual:.1f}")
                yield row, f"values.responses[{index}].{field}"


def _share(share: float) -> str:
    return percent(share, under="<", over=">")
