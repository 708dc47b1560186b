"""Which point of a hand is shown: the newest, or the one gone to once its reading is there."""

import pytest

from engine.cards import parse_cards
from tests.trainer import samples
from trainer.reading.reading_model import ReadingModel


@pytest.fixture
def model() -> ReadingModel:
    return ReadingModel()


def test_a_hand_is_followed_until_an_earlier_point_is_gone_to(model: ReadingModel) -> None:
    asked: list[int] = []
    chosen: list[int | None] = []
    model.point_requested.connect(asked.append)
    model.point_chosen.connect(chosen.append)
    first, *rest, last = samples.readings(2)
    for point in (first, *rest[:2]):
        model.take(point)
        assert model.shown is point
    model.go_to(model.position - 2)
    assert (model.shown, model.is_live, asked) == (first, False, []), "it is at hand"
    model.take(last)
    assert model.shown is first, "the hand goes on elsewhere"
    model.go_to(model.last - 1)
    assert asked == [model.points[-2].event_count]
    assert model.shown is first, "until the one asked for is there"
    assert model.label == model.points[-2].label
    model.go_to(model.last)
    assert (model.shown, model.is_live) == (last, True)
    assert chosen == [first.event_count, model.points[-2].event_count, None]


def test_another_reader_reads_every_point_again(model: ReadingModel) -> None:
    asked: list[int] = []
    model.point_requested.connect(asked.append)
    for point in samples.readings(2):
        model.take(point)
    model.forget_readings()
    model.go_to(0)
    assert asked == [model.points[0].event_count]


def test_the_truth_waits_for_its_hand(model: ReadingModel) -> None:
    point = samples.readings(2)[-1]
    seat = point.observation.opponents[0].seat
    ace, king = parse_cards("AsKs")
    model.set_truth({seat: (ace, king)}, point.hand_number)
    assert model.truth_of(seat) is None
    model.take(point)
    assert model.truth_of(seat) == (ace, king)
    model.clear()
    assert (model.truth_of(seat), model.shown, model.label, dict(model.ranges)) == (None, None, "", {})
