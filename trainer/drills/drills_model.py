"""A set of exercises: two minutes of questions, what was answered and what that was worth, and what comes back."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from math import sqrt
from time import monotonic
from typing import Protocol

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from engine.codec import StoredDataError, decode
from engine.training.exercise import RIGHT_POINTS, Drill, Exercise
from engine.words import counted
from trainer.drills.exercise_model import (
    AnswerView,
    ExerciseView,
    RangeView,
    answer_view,
    drill_title,
    exercise_view,
    lost_bb,
    points_of,
    range_view,
    topic_title,
    values_of_exercise,
)
from trainer.drills.mistakes import LostMistakeError
from trainer.drills.schedule import Schedule, Topic, TopicRecord, now_utc, topic_name
from trainer.jobs import Jobs
from trainer.reasoning.values_model import ValuesView
from trainer.session.amounts import Units

_log = logging.getLogger(__name__)

LANE, _KEEPING_LANE = "drills", "drills kept"
TOPIC_KIND, SET_KIND = "drill topic", "drill set"
"""Of the records that topics and finished sets are stored as."""

SET_SECONDS = 120.0
NO_MISTAKES = "none known yet: review a session first, with Tools > Review, or here"
_TICK_MS = 200
_LATEST_SETS = 10


class Records(Protocol):
    """Keeps small things of the player's by kind and name; called in a lane."""

    def all(self, kind: str) -> dict[str, bytes]:
        """Return all of a kind by name, as they are stored."""

    def put(self, kind: str, name: str, value: Struct) -> None:
        """Store one in the place of what has its name."""


class Mistakes(Protocol):
    """The player's mistakes by name; called in a lane. All but `names` raise LostMistakeError without the hand."""

    def names(self) -> tuple[str, ...]:
        """Return the mistakes to practise, the costliest first."""

    def name_of(self, hand_id: int, event_count: int) -> str:
        """Return the name of a decision of a stored hand."""

    def exercise(self, name: str, seed: int, *, in_big_blinds: bool, is_fresh: bool) -> Exercise:
        """Return a mistake as a question, with other hole cards if `is_fresh`."""


class Stage(StrEnum):
    """What the window shows."""

    CHOOSING = "choosing"
    LOADING = "loading"
    ASKING = "asking"
    ANSWERED = "answered"
    OVER = "over"


class SetResult(Struct, frozen=True):
    """How a set went; points are the sum over its answers, `lost_bb` what its choices lost in big blinds."""

    drill: str
    answers: int
    right: int
    points: float
    streak: int
    lost_bb: float


@dataclass(frozen=True, slots=True)
class DrillRow:
    """A drill to choose: its key, its title, and how it stands."""

    key: str
    title: str
    text: str
    drill: Drill | None


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of a set."""

    topic: Topic
    title: str
    points: float
    lost_bb: float | None
    due: datetime
    is_known: bool


class DrillsModel(QObject):
    """Asks exercises, and knows how long the set still goes: the clock stands while an explanation is read.

    `seed` decides what is asked; `clock` counts seconds.
    """

    changed = Signal()  # another stage, or another exercise
    review_requested = Signal()  # mistakes are to be practised, and none is known yet
    ticked = Signal()  # the clock has gone on

    def __init__(
        self,
        jobs: Jobs,
        seed: int,
        *,
        records: Records | None = None,
        mistakes: Mistakes | None = None,
        clock: Callable[[], float] = monotonic,
        now: Callable[[], datetime] = now_utc,
    ) -> None:
        super().__init__()
        self.stage = Stage.CHOOSING
        self.answers: list[Answered] = []
        self.problem = ""
        self.exercise: Exercise | None = None
        self.answer: float | None = None
        self.in_big_blinds = True
        self._jobs = jobs
        self._records, self._mistakes = records, mistakes
        self._clock, self._now = clock, now
        self._rng = np.random.default_rng(seed)
        self._schedule = Schedule({})
        self._sets: list[SetResult] = []
        self._drills: tuple[Drill, ...] = tuple(Drill)
        self._drill: Drill | None = None
        self._only: Topic | None = None
        self._asked: set[Topic] = set()
        self._left = SET_SECONDS
        self._since = 0.0
        self._last: Topic | None = None
        self._next: Exercise | None = None
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self.ticked)
        if records is not None:
            jobs.submit(_KEEPING_LANE, partial(_stored, records), self._on_stored)
        self.look_for_mistakes()

    # ---- what is kept

    def _on_stored(self, stored: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
        topics, sets = stored
        self._schedule = Schedule(topics)
        self._sets = [*_read_sets(sets), *self._sets]
        self.changed.emit()

    def look_for_mistakes(self) -> None:
        """Take the mistakes of hands that have been reviewed by now."""
        if self._mistakes is not None:
            self._jobs.submit(_KEEPING_LANE, self._mistakes.names, self._on_mistakes)

    def _on_mistakes(self, names: tuple[str, ...]) -> None:
        self._schedule.mistakes = names
        if self.stage is Stage.CHOOSING:
            self.changed.emit()

    def _keep(self, kind: str, name: str, value: Struct) -> None:
        records = self._records
        if records is not None:
            self._jobs.submit(_KEEPING_LANE, partial(records.put, kind, name, value), _pass)

    # ---- what there is to choose

    @property
    def rows(self) -> tuple[DrillRow, ...]:
        """What can be practised: all together, and each drill by itself, at the keys 1 to 9."""
        drills = list(Drill)
        mixed = DrillRow("1", "Everything, what is due first", self._how_it_stands(drills), None)
        return (
            mixed,
            *(
                DrillRow(str(number), drill_title(drill), self._how_it_stands([drill]), drill)
                for number, drill in enumerate(drills, start=2)
            ),
        )

    def _how_it_stands(self, drills: list[Drill]) -> str:
        topics = self._schedule.topics(drills)
        records = [record for topic in topics if (record := self._schedule.record(topic))]
        is_mistakes = drills == [Drill.MISTAKES]
        if is_mistakes and not topics:
            return NO_MISTAKES
        if not records:
            return f"{counted(len(topics), 'mistake')}, not tried yet" if is_mistakes else "not tried yet"
        answers = sum(record.answers for record in records)
        points = sum(record.points for record in records) / answers
        due = len(self._schedule.due(drills, self._now()))
        words = f"{counted(answers, 'answer')}, {points:.0f} points on average"
        if is_mistakes:
            known = sum(self._schedule.is_known(topic) for topic in topics)
            words = f"{counted(len(topics), 'mistake')}, {len(records):,} tried, {known:,} done with; {words}"
        elif len(drills) == 1:
            levels = sorted({record.progress.level for record in records})
            words += f", level {levels[0]}" + (f" to {levels[-1]}" if len(levels) > 1 else "")
        return words + (f"; {due} due" if due else "")

    @property
    def trend(self) -> str:
        """How the latest sets went, with the error of the mean; empty before the first."""
        sets = [one for one in self._sets if one.answers][-_LATEST_SETS:]
        if not sets:
            return ""
        means = np.array([one.points / one.answers for one in sets])
        if len(sets) == 1:
            return f"Your first set: {means[0]:.0f} points an answer."
        error = means.std(ddof=1) / sqrt(len(means))
        return f"Your last {len(sets)} sets: {means.mean():.0f} ± {error:.0f} points an answer."

    # ---- a set

    def start(self, drill: Drill | None) -> None:
        """Begin a set of one drill, or of all; ask for a review if there are no mistakes to practise."""
        if drill is Drill.MISTAKES and not self._schedule.mistakes:
            self.review_requested.emit()
        else:
            self._begin(drill, None)

    def start_at(self, hand_id: int, event_count: int) -> None:
        """Begin a set of one mistake alone: after so many events of a hand, by its number in the store."""
        if self._mistakes is not None:
            self.stop()
            self.answers, self.problem = [], ""
            self.exercise, self.stage = None, Stage.LOADING
            work = partial(self._mistakes.name_of, hand_id, event_count)
            self._jobs.submit(_KEEPING_LANE, work, self._on_named, on_error=self._on_failed)
            self.changed.emit()

    def _on_named(self, name: str) -> None:
        if self.stage is not Stage.LOADING:
            return  # closed on the way
        if name not in self._schedule.mistakes:
            self._schedule.mistakes = (*self._schedule.mistakes, name)
        self._begin(Drill.MISTAKES, (Drill.MISTAKES, name))

    def _begin(self, drill: Drill | None, only: Topic | None) -> None:
        self._drill, self._only = drill, only
        self._drills = tuple(Drill) if drill is None else (drill,)
        self.answers, self.problem = [], ""
        self._asked = set()
        self._left, self._last, self._next = SET_SECONDS, None, None
        self._request()
        self._ask()

    def _request(self) -> None:
        """Have the next exercise made, while the one before is answered."""
        topic = self._only or self._schedule.choose(self._drills, self._now(), self._rng, self._last)
        self._last = topic
        seed = int(self._rng.integers(1 << 53))
        if topic[0] is Drill.MISTAKES and self._mistakes is not None:
            # The very hand once, and from then on the spot with other cards.
            is_fresh = topic in self._asked or self._schedule.record(topic) is not None
            self._asked.add(topic)
            make = self._mistakes.exercise
            work = partial(make, topic[1], seed, in_big_blinds=self.in_big_blinds, is_fresh=is_fresh)
        else:
            work = partial(_made, topic, self._schedule.level(topic), seed, self.in_big_blinds)
        self._jobs.submit(LANE, work, self._on_made, on_error=partial(self._on_not_made, topic))

    def _on_made(self, exercise: Exercise) -> None:
        self._next = exercise
        if self.stage is Stage.LOADING:
            self._ask()

    def _on_not_made(self, topic: Topic, error: Exception) -> None:
        """Go on with another topic in the place of a mistake whose hand is gone; there are ever fewer."""
        if isinstance(error, LostMistakeError):
            self._schedule.mistakes = tuple(name for name in self._schedule.mistakes if name != topic[1])
            if self._only is None and self._schedule.topics(self._drills):
                self.problem = str(error)
                self._request()
                self.changed.emit()
                return
        self._on_failed(error)

    def _on_failed(self, error: Exception) -> None:
        is_lost = isinstance(error, LostMistakeError)
        self.problem = str(error) if is_lost else f"That exercise could not be made: {error}"
        self.stop()

    def _ask(self) -> None:
        self.exercise, self._next, self.answer = self._next, None, None
        if self.exercise is None:
            self.stage = Stage.LOADING
        else:
            self.stage = Stage.ASKING
            self._since = self._clock()
            self._timer.start()
            self._request()
        self.changed.emit()

    def take_answer(self, answer: float) -> None:
        """Take the answer: the number that was typed, or the place of the choice."""
        exercise = self.exercise
        if self.stage is not Stage.ASKING or exercise is None:
            return
        self._left = self.seconds_left
        self._timer.stop()
        self.stage, self.answer = Stage.ANSWERED, answer
        self.problem = ""
        topic, points = (exercise.drill, exercise.topic), points_of(exercise, answer)
        record: TopicRecord = self._schedule.take(topic, points, self._now())
        self._keep(TOPIC_KIND, topic_name(topic), record)
        self.answers.append(
            Answered(
                topic,
                topic_title(exercise),
                points,
                lost_bb(exercise, answer),
                datetime.fromisoformat(record.card.due),
                self._schedule.is_known(topic),
            )
        )
        self.changed.emit()

    def go_on(self) -> None:
        """Ask the next exercise, or end the set if its time is up."""
        if self.stage is not Stage.ANSWERED:
            return
        if self._left > 0:
            self._ask()
        else:
            self.stop()

    def stop(self) -> None:
        """End the set; what was answered counts."""
        self._timer.stop()
        if self.stage in (Stage.CHOOSING, Stage.OVER):
            return
        self._jobs.cancel(LANE)
        self.stage = Stage.OVER
        if self.answers:
            result = self.result
            self._sets.append(result)
            self._keep(SET_KIND, self._now().isoformat(), result)
        self.changed.emit()

    def leave_results(self) -> None:
        """Choose again."""
        self.stage = Stage.CHOOSING
        self.changed.emit()

    def again(self) -> None:
        """Begin another set of the same."""
        self._begin(self._drill, self._only)

    # ---- what is shown

    @property
    def seconds_left(self) -> float:
        """Of the set; the open question may still be answered at 0."""
        gone = self._clock() - self._since if self.stage is Stage.ASKING else 0.0
        return max(self._left - gone, 0.0)

    @property
    def status(self) -> str:
        """The clock, the score and the streak in a line."""
        left = int(np.ceil(self.seconds_left))
        clock = f"{left // 60}:{left % 60:02d}" if left else "time is up, last question"
        result = self.result
        if self.problem:
            clock = f"{clock} · {self.problem}"
        if not result.answers:
            return clock
        score = f"{result.points:.0f} points · {result.right} of {result.answers} right · streak {self.streak}"
        return f"{clock} · {score}"

    @property
    def streak(self) -> int:
        """How many of the last answers in a row were right."""
        count = 0
        for one in reversed(self.answers):
            if one.points < RIGHT_POINTS:
                break
            count += 1
        return count

    @property
    def result(self) -> SetResult:
        """How the set has gone so far."""
        best = run = 0
        for one in self.answers:
            run = run + 1 if one.points >= RIGHT_POINTS else 0
            best = max(best, run)
        return SetResult(
            drill_title(self._drill) if self._drill is not None else "Everything",
            len(self.answers),
            sum(one.points >= RIGHT_POINTS for one in self.answers),
            sum(one.points for one in self.answers),
            best,
            sum(one.lost_bb or 0.0 for one in self.answers),
        )

    @property
    def summary(self) -> str:
        """The result in words."""
        result = self.result
        if not result.answers:
            return self.problem or "Nothing was answered."
        words = (
            f"{result.points / result.answers:.0f} of 100 points an answer, {result.points:.0f} in all: "
            f"{result.right} of {result.answers} right, {result.streak} in a row at best."
        )
        if lost := round(result.lost_bb, 1):
            words += f" Your choices lost {lost:.1f} bb."
        return f"{words} {self.problem}".strip()

    @property
    def topic_rows(self) -> tuple[tuple[str, str, str, str], ...]:
        """What was practised: topic, answers, points on average, and when it comes back; the weakest first."""
        topics: dict[Topic, list[Answered]] = {}
        for one in self.answers:
            topics.setdefault(one.topic, []).append(one)
        ordered = sorted(topics.items(), key=lambda item: _mean([one.points for one in item[1]]))
        return tuple(
            (
                of[-1].title,
                f"{sum(one.points >= RIGHT_POINTS for one in of)} of {len(of)} right",
                f"{_mean([one.points for one in of]):.0f} points",
                "done with" if of[-1].is_known else f"back {_in_words((of[-1].due - self._now()).total_seconds())}",
            )
            for _, of in ordered
        )

    @property
    def exercise_view(self) -> ExerciseView | None:
        """The exercise asked."""
        if self.exercise is None:
            return None
        return exercise_view(self.exercise, in_big_blinds=self.in_big_blinds)

    @property
    def range_view(self) -> RangeView | None:
        """The range shown beside the spot, if one is."""
        if self.exercise is None:
            return None
        return range_view(self.exercise, is_answered=self.stage is Stage.ANSWERED)

    @property
    def answer_view(self) -> AnswerView | None:
        """What is said of the answer; None before there is one."""
        if self.exercise is None or self.answer is None:
            return None
        return answer_view(self.exercise, self.answer)

    @property
    def values_view(self) -> ValuesView | None:
        """What every action is worth, once it was answered, where that is known."""
        if self.exercise is None or self.answer is None:
            return None
        return values_of_exercise(self.exercise, self.answer, in_big_blinds=self.in_big_blinds)


def _made(topic: Topic, level: int, seed: int, in_big_blinds: bool) -> Exercise:
    """Make an exercise, on a lane."""
    from engine.training.drills import make_exercise
    from engine.training.spots import BIG_BLIND

    return make_exercise(*topic, level, seed, amount=Units(BIG_BLIND, in_big_blinds).text)


def _stored(records: Records) -> tuple[dict[str, bytes], dict[str, bytes]]:
    return records.all(TOPIC_KIND), records.all(SET_KIND)


def _read_sets(stored: Mapping[str, bytes]) -> list[SetResult]:
    """Return the finished sets in order, without those that are damaged."""
    sets = []
    for name in sorted(stored):
        try:
            sets.append(decode(stored[name], SetResult))
        except StoredDataError as error:
            _log.warning("A set of exercises is left out: %s", error)
    return sets


def _pass(_nothing: object) -> None:
    """Have it stored, and go on."""


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _in_words(seconds: float) -> str:
    """Say when something comes back.

    >>> _in_words(-3), _in_words(590), _in_words(10_000), _in_words(260_000)
    ('now', 'in 10 min', 'in 3 h', 'in 3 days')
    """
    if seconds < 30:
        return "now"
    if seconds < 3600:
        return f"in {max(round(seconds / 60), 1)} min"
    hours = seconds / 3600
    return f"in {round(hours)} h" if hours < 24 else f"in {round(hours / 24)} day{'s' * (round(hours / 24) != 1)}"
