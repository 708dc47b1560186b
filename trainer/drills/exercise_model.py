"""An exercise as it is shown: the spot on a table, the question, the answer in words, what it opens elsewhere."""

from dataclasses import dataclass
from typing import Literal

from engine.agents.value_reasons import capital
from engine.cards import format_cards
from engine.training.exercise import MOST_POINTS, RIGHT_POINTS, Drill, Exercise
from trainer.calculator.opening_model import ANY_CARDS, OddsOpening, amounts_of
from trainer.history.log_model import line_text
from trainer.reading.range_model import GridView, grid_of
from trainer.reasoning.values_model import ValuesView, values_view
from trainer.session.amounts import Units
from trainer.session.types import Stage, TableView

_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """An exercise before it is answered: without choices a number is typed, in `unit`.

    `is_turn`: it is about a decision of the player's.
    `is_alone`: no range and no values are shown beside the table, neither now nor with the answer.
    """

    title: str
    line: str  # what was done so far, where a range hangs on it and the question does not tell it
    question: str
    table: TableView
    choices: tuple[str, ...]
    unit: str
    scale: str
    is_alone: bool
    is_turn: bool


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What an answer was worth, in a sentence and its colour, and why."""

    sentence: str
    meaning: Literal["good", "warning", "bad"]
    why: tuple[str, ...]


def drill_title(drill: Drill) -> str:
    """Return what a drill is called.

    >>> drill_title(Drill.AHEAD)
    'Who is ahead'
    """
    return capital(drill.value)


def topic_title(exercise: Exercise) -> str:
    """Return what the topic of an exercise is called, with its drill."""
    return f"{drill_title(exercise.drill)}: {exercise.title or exercise.topic}"


def exercise_view(exercise: Exercise, *, in_big_blinds: bool) -> ExerciseView:
    """Return what is shown of an exercise."""
    spot = exercise.observation
    is_turn = spot.to_act == spot.seat
    is_alone = not exercise.ranges and exercise.values is None
    return ExerciseView(
        title=topic_title(exercise) + (f" · level {exercise.level}" if exercise.level else ""),
        line=""
        if is_alone or exercise.drill is Drill.PREFLOP
        else line_text(spot.events, Units.of(spot, in_big_blinds)),
        question=exercise.question,
        table=TableView(Stage.YOUR_TURN if is_turn else Stage.SHOWING, spot, spot.to_act, {}, ()),
        choices=tuple(choice.text for choice in exercise.choices),
        unit=exercise.number.unit if exercise.number is not None else "",
        scale=exercise.scale,
        is_alone=is_alone,
        is_turn=is_turn,
    )


@dataclass(frozen=True, slots=True)
class RangeView:
    """A range beside the table: whose it is, and its grid."""

    title: str
    grid: GridView


def range_view(exercise: Exercise, *, is_answered: bool) -> RangeView | None:
    """Return the range that is shown beside the table; None if none is."""
    if not exercise.ranges or not (is_answered or exercise.is_range_shown):
        return None
    seat, hands = next(iter(exercise.ranges.items()))
    spot = exercise.observation
    grid = grid_of(hands.weights, (*spot.hole_cards, *spot.board), spot.hole_cards)
    return RangeView(f"{spot.view(seat).name}'s range", grid)


def read_number(text: str) -> float | None:
    """Return the number that was typed, with a comma or a point; None for anything else.

    >>> read_number(" 33,3 % "), read_number("-4"), read_number("")
    (33.3, None, None)
    """
    bare = text.strip().removesuffix("%").strip().replace(",", ".")
    digits = bare.replace(".", "", 1)
    return float(bare) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else None


def points_of(exercise: Exercise, answer: float) -> float:
    """Return what an answer is worth: the number that was typed, or the place of the choice."""
    if exercise.number is not None:
        return exercise.number.points(answer)
    return exercise.choices[int(answer)].points


def lost_bb(exercise: Exercise, answer: float) -> float | None:
    """Return the big blinds that an answer loses, 0 if it is as good as any; None where no chips hang on it."""
    if exercise.number is not None:
        return None
    choice = exercise.choices[int(answer)]
    return choice.lost_bb if choice.lost_bb is None or choice.points < MOST_POINTS else 0.0


def answer_view(exercise: Exercise, answer: float) -> AnswerView:
    """Return what is said of an answer."""
    points = points_of(exercise, answer)
    lost = lost_bb(exercise, answer)
    is_close = points >= MOST_POINTS / 2
    almost = "Nearly right" if points >= RIGHT_POINTS else "Close" if is_close else "Wrong"
    word = "Right" if points == MOST_POINTS else almost
    if exercise.number is not None:
        unit = exercise.number.unit
        right = f"{exercise.number.value:.1f}" if unit else f"{exercise.number.value:g}"
        said = f"You said {answer:g}{unit}; it is {right}{unit}"
    else:
        said = f"You said “{exercise.choices[int(answer)].text}”"
        said += f", which loses {lost:.2f} bb" if lost else ""
    return AnswerView(
        f"{word}: {points:.0f} points. {said}.",
        "good" if points >= RIGHT_POINTS else "warning" if is_close else "bad",
        exercise.explanation,
    )


def values_of_exercise(exercise: Exercise, answer: float, *, in_big_blinds: bool) -> ValuesView | None:
    """Return the table of what every action is worth, the answer marked; None without values."""
    if exercise.values is None:
        return None
    chosen = exercise.choices[int(answer)].action
    units = Units(exercise.observation.big_blind, in_big_blinds)
    return values_view(exercise.values, exercise.observation, units, chosen, mark="your answer", own="you")


def opening_of_exercise(exercise: Exercise) -> OddsOpening:
    """Return the spot for the odds calculator, against known cards and ranges, or else any two cards."""
    spot = exercise.observation
    pot, to_call = amounts_of(spot)
    known = [view for view in spot.opponents if view.shown or view.seat in exercise.ranges]
    against = known or spot.opponents
    others = [
        format_cards(view.shown) if view.shown else exercise.ranges.get(view.seat, ANY_CARDS) for view in against
    ]
    return OddsOpening(
        (format_cards(spot.hole_cards), *others),
        (spot.me.name, *(view.name for view in against)),
        spot.board,
        pot=pot,
        to_call=to_call,
        big_blind=spot.big_blind,
    )
