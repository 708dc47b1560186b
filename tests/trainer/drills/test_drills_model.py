"""A set of exercises: its clock, score and streak, and what is kept of it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from msgspec import Struct
from pytestqt.qtbot import QtBot

from engine.codec import encode
from engine.training.drills import make_exercise
from engine.training.exercise import Drill, Exercise
from tests.trainer.gestures import PATIENCE
from trainer.drills import drills_model
from trainer.drills.drills_model import SET_KIND, SET_SECONDS, TOPIC_KIND, DrillsModel, Stage
from trainer.drills.exercise_model import answer_view, opening_of_exercise, range_view, read_number
from trainer.jobs import Jobs

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


class Memory:
    """Records in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bytes]] = {}

    def all(self, kind: str) -> dict[str, bytes]:
        return dict(self.kept.get(kind, {}))

    def put(self, kind: str, name: str, value: Struct) -> None:
        self.kept.setdefault(kind, {})[name] = encode(value)


class Clock:
    """Shows what the test says."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def model(jobs: Jobs, clock: Clock, memory: Memory) -> Iterator[DrillsModel]:
    made = DrillsModel(jobs, 5, records=memory, clock=clock, now=lambda: NOW)
    yield made
    made.stop()


def asked(qtbot: QtBot, model: DrillsModel) -> Exercise:
    qtbot.waitUntil(lambda: model.stage is Stage.ASKING, timeout=PATIENCE)
    assert model.exercise is not None
    return model.exercise


def right(exercise: Exercise) -> float:
    if exercise.number is not None:
        return exercise.number.value
    return max(range(len(exercise.choices)), key=lambda at: exercise.choices[at].points)


def wrong(exercise: Exercise) -> float:
    if exercise.number is not None:
        return exercise.number.value + exercise.number.none
    return min(range(len(exercise.choices)), key=lambda at: exercise.choices[at].points)


def test_the_clock_goes_while_a_question_is_open_and_stands_while_the_answer_is_read(
    qtbot: QtBot, model: DrillsModel, clock: Clock
) -> None:
    model.start(Drill.POT_ODDS)
    exercise = asked(qtbot, model)
    clock.seconds += 30
    assert model.seconds_left == SET_SECONDS - 30
    assert model.status.startswith("1:30")
    model.take_answer(right(exercise))
    clock.seconds += 500
    assert model.seconds_left == SET_SECONDS - 30
    model.go_on()
    asked(qtbot, model)
    clock.seconds += 100
    assert model.seconds_left == 0
    assert model.status.startswith("time is up, last question")
    model.take_answer(0)
    model.go_on()
    assert model.stage is Stage.OVER
    assert model.result.answers == 2


def test_points_streak_and_summary_are_those_of_the_answers(qtbot: QtBot, model: DrillsModel) -> None:
    model.start(Drill.OUTS)
    for is_right in (True, True, False, True):
        exercise = asked(qtbot, model)
        model.take_answer(right(exercise) if is_right else wrong(exercise))
        model.go_on()
    result = model.result
    assert (result.answers, result.right, result.streak, result.points) == (4, 3, 2, 300)
    assert model.streak == 1
    model.stop()
    assert model.summary.startswith("75 of 100 points an answer, 300 in all: 3 of 4 right, 2 in a row at best.")
    assert sum(int(row[1].split(" of ")[1].split()[0]) for row in model.topic_rows) == 4
    assert model.trend == "Your first set: 75 points an answer."


def test_an_answer_counts_once_and_only_while_it_is_asked(qtbot: QtBot, model: DrillsModel) -> None:
    model.take_answer(3)
    model.go_on()
    assert (model.stage, model.answers) == (Stage.CHOOSING, [])
    model.start(Drill.AHEAD)
    exercise = asked(qtbot, model)
    model.take_answer(right(exercise))
    model.take_answer(wrong(exercise))
    assert [one.points for one in model.answers] == [100]


def test_what_was_practised_is_kept_and_goes_on(
    qtbot: QtBot, model: DrillsModel, jobs: Jobs, memory: Memory
) -> None:
    model.start(Drill.POT_ODDS)
    exercise = asked(qtbot, model)
    model.take_answer(right(exercise))
    model.stop()
    qtbot.waitUntil(lambda: SET_KIND in memory.kept, timeout=PATIENCE)
    assert list(memory.kept[TOPIC_KIND]) == [f"pot odds: {exercise.topic}"]
    memory.kept[SET_KIND]["damaged"] = b"{"
    again = DrillsModel(jobs, 6, records=memory, now=lambda: NOW)
    with qtbot.waitSignal(again.changed, timeout=PATIENCE):
        pass
    assert again.rows[1].text == "1 answer, 100 points on average, level 1"
    assert again.rows[0].text.startswith("1 answer, 100 points")
    assert again.rows[2].text == "not tried yet"
    assert again.trend == "Your first set: 100 points an answer."


def test_the_same_seed_asks_the_same(qtbot: QtBot, jobs: Jobs) -> None:
    exercises = []
    for _ in range(2):
        model = DrillsModel(jobs, 9, now=lambda: NOW)
        model.start(None)
        exercises.append(asked(qtbot, model))
        model.stop()
    assert exercises[0] == exercises[1]


def test_an_exercise_that_cannot_be_made_ends_the_set_with_a_sentence(
    qtbot: QtBot, model: DrillsModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Exercise:
        raise ValueError("no cards")

    monkeypatch.setattr(drills_model, "_made", fail)
    model.start(Drill.OUTS)
    qtbot.waitUntil(lambda: model.stage is Stage.OVER, timeout=PATIENCE)
    assert model.summary == "That exercise could not be made: no cards"


def test_numbers_are_read_as_people_type_them() -> None:
    assert [read_number(text) for text in ("33", "33.3", "33,3", " 40 %", ".5")] == [33, 33.3, 33.3, 40, 0.5]
    assert [read_number(text) for text in ("", ".", "-1", "1e9", "a", "1.2.3", "٣", "12345678")] == [None] * 8


@pytest.mark.parametrize("drill", [drill for drill in Drill if drill is not Drill.PREFLOP])
def test_every_drill_opens_in_the_calculator_and_says_what_an_answer_was_worth(drill: Drill) -> None:
    from engine.training.exercise import TOPICS

    for topic in TOPICS[drill]:
        exercise = make_exercise(drill, topic, 2, 3, amount=str)
        opening = opening_of_exercise(exercise)
        assert opening.players[0] != opening.players[1]
        assert len(opening.players) == len(opening.names) >= 2
        assert opening.board == exercise.observation.board
        assert answer_view(exercise, right(exercise)).sentence.startswith("Right: 100 points.")
        assert answer_view(exercise, right(exercise)).meaning == "good"
        assert not answer_view(exercise, wrong(exercise)).sentence.startswith("Right: 100") or drill is Drill.AHEAD
        assert (range_view(exercise, is_answered=True) is not None) == bool(exercise.ranges)
        shows = range_view(exercise, is_answered=False) is not None
        assert shows == (bool(exercise.ranges) and exercise.is_range_shown)
