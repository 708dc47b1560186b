"""A set of exercises: its clock, score and streak, and what is kept of it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from msgspec import Struct, structs
from pytestqt.qtbot import QtBot

from engine.codec import encode
from engine.training import play
from engine.training.drills import make_exercise
from engine.training.exercise import Drill, Exercise
from tests.trainer.gestures import PATIENCE
from trainer.drills import drills_model
from trainer.drills.drills_model import SET_KIND, SET_SECONDS, TOPIC_KIND, Answered, DrillsModel, Stage
from trainer.drills.exercise_model import answer_view, opening_of_exercise, range_view, read_number
from trainer.drills.mistakes import LOST, LostMistakeError
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


def test_a_number_that_is_one_off_is_not_called_right() -> None:
    exercise = make_exercise(Drill.OUTS, "flush draws", 1, 0, amount=str)
    assert exercise.number is not None
    value = exercise.number.value
    for off, said in (
        (0, "Right: 100"),
        (1, "Nearly right: 80"),
        (2, "Close: 60"),
        (3, "Wrong: 40"),
        (5, "Wrong: 0"),
    ):
        given = f"You said {value + off:g}; it is {value:g}."
        assert answer_view(exercise, value + off).sentence == f"{said} points. {given}"


@pytest.mark.parametrize(("lost", "said"), [(0.62, " Your choices lost 0.6 bb."), (0.03, "")])
def test_what_right_answers_lost_is_not_called_that_of_wrong_ones(
    model: DrillsModel, lost: float, said: str
) -> None:
    topic = (Drill.PREFLOP, "first in")
    model.answers = [Answered(topic, "", points, lost / 2, NOW, False) for points in (90.0, 85.0)]
    best = "88 of 100 points an answer, 175 in all: 2 of 2 right, 2 in a row at best."
    assert model.summary == f"{best}{said}"


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


class Fakes:
    """Mistakes of which some have lost their hand; says how each was asked for."""

    def __init__(self, *names: str, lost: tuple[str, ...] = ()) -> None:
        self._names, self._lost = names, lost
        self.asked: list[tuple[str, bool]] = []

    def names(self) -> tuple[str, ...]:
        return self._names

    def name_of(self, hand_id: int, event_count: int) -> str:
        return f"{hand_id} {event_count} AhKd"

    def exercise(self, name: str, seed: int, *, in_big_blinds: bool, is_fresh: bool) -> Exercise:
        if name in self._lost:
            raise LostMistakeError(LOST)
        self.asked.append((name, is_fresh))
        made = make_exercise(Drill.PREFLOP, "first in", 1, 1, amount=str)
        return structs.replace(made, drill=Drill.MISTAKES, topic=name, level=0, title=f"hand {name}")


def with_mistakes(qtbot: QtBot, jobs: Jobs, fakes: Fakes) -> DrillsModel:
    made = DrillsModel(jobs, 5, mistakes=fakes, now=lambda: NOW)
    qtbot.waitUntil(lambda: made._schedule.mistakes == fakes.names(), timeout=PATIENCE)
    return made


def answered(qtbot: QtBot, model: DrillsModel, *points: bool) -> None:
    for is_right in points:
        exercise = asked(qtbot, model)
        model.take_answer(right(exercise) if is_right else wrong(exercise))
        model.go_on()
    asked(qtbot, model)
    model.stop()


@pytest.fixture
def quick_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "CANDIDATES", 1)
    monkeypatch.setattr(play, "FEW_STEPS", 1)
    monkeypatch.setattr(play, "_STEPS", 1)


@pytest.mark.usefixtures("quick_values")
def test_each_mistake_is_the_very_hand_first_and_then_has_other_cards(qtbot: QtBot, jobs: Jobs) -> None:
    fakes = Fakes("9 1 AhKd", "8 1 AhKd")
    model = with_mistakes(qtbot, jobs, fakes)
    assert model.rows[-1].text == "2 mistakes, not tried yet"
    model.start(Drill.MISTAKES)
    answered(qtbot, model, True, False, True)
    assert fakes.asked[:2] == [("9 1 AhKd", False), ("8 1 AhKd", False)]
    assert all(is_fresh for _, is_fresh in fakes.asked[2:])
    assert model.rows[-1].text.startswith("2 mistakes, 2 tried, 0 done with; 3 answers")
    assert model.topic_rows[0][0].startswith("Your mistakes: hand ")


@pytest.mark.usefixtures("quick_values")
def test_a_mistake_without_its_hand_is_left_out_with_a_sentence_and_the_next_one_asked(
    qtbot: QtBot, jobs: Jobs
) -> None:
    model = with_mistakes(qtbot, jobs, Fakes("9 1 AhKd", "8 1 AhKd", lost=("9 1 AhKd",)))
    model.start(Drill.MISTAKES)
    assert asked(qtbot, model).topic == "8 1 AhKd"
    assert LOST in model.status
    model.take_answer(0)
    assert LOST not in model.status
    model.stop()
    alone = with_mistakes(qtbot, jobs, Fakes("9 1 AhKd", lost=("9 1 AhKd",)))
    alone.start(Drill.MISTAKES)
    qtbot.waitUntil(lambda: alone.stage is Stage.OVER, timeout=PATIENCE)
    assert alone.summary == LOST
    alone.leave_results()
    with qtbot.waitSignal(alone.review_requested):
        alone.start(Drill.MISTAKES)
    assert alone.stage is Stage.CHOOSING


@pytest.mark.usefixtures("quick_values")
def test_a_set_of_one_mistake_asks_nothing_else_and_another_one_the_same(qtbot: QtBot, jobs: Jobs) -> None:
    fakes = Fakes("9 1 AhKd")
    model = with_mistakes(qtbot, jobs, fakes)
    model.start_at(4, 7)
    answered(qtbot, model, True, True)
    model.again()
    answered(qtbot, model, True)
    assert {name for name, _ in fakes.asked} == {"4 7 AhKd"}
    assert [is_fresh for _, is_fresh in fakes.asked[:3]] == [False, True, True]
