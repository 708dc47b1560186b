"""Which topic comes next: what went wrong soon, what went well ever later, and all of it again after a restart."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import encode
from engine.training.exercise import TOPICS, Drill
from trainer.drills.schedule import EVERY_TOPIC, Schedule, topic_name

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
OUTS = (Drill.OUTS, "flush draws")


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_there_is_a_topic_for_each_sort_of_question() -> None:
    assert set(EVERY_TOPIC) == {(drill, topic) for drill, topics in TOPICS.items() for topic in topics}
    assert set(TOPICS) == set(Drill)
    assert len({topic_name(topic) for topic in EVERY_TOPIC}) == len(EVERY_TOPIC)


def test_what_is_wrong_comes_back_before_what_is_right() -> None:
    due = {}
    for points in (0.0, 60.0, 100.0):
        schedule = Schedule({})
        schedule.take(OUTS, points, NOW)
        due[points] = next(
            minutes for minutes in range(60 * 24) if schedule.due(tuple(Drill), NOW + timedelta(minutes=minutes))
        )
    assert 0 < due[0.0] < due[60.0] < due[100.0]
    assert due[0.0] <= 2  # within the set


def test_each_right_answer_puts_a_topic_off_for_longer() -> None:
    schedule, now, waits = Schedule({}), NOW, []
    for _ in range(6):
        due = datetime.fromisoformat(schedule.take(OUTS, 100.0, now).card.due)
        waits.append(due - now)
        now = due
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=20)


def test_all_new_topics_come_before_any_comes_again() -> None:
    schedule, chosen, last = Schedule({}), [], None
    for number in range(len(EVERY_TOPIC)):
        last = schedule.choose(tuple(Drill), NOW, rng(number), last)
        chosen.append(last)
        schedule.take(last, 100.0, NOW)
    assert set(chosen) == set(EVERY_TOPIC)


def test_what_is_due_comes_first_the_longest_due_first() -> None:
    schedule = Schedule({})
    late, later = (Drill.EQUITY, "three hands"), (Drill.KINDS, "weak")
    schedule.take(late, 0.0, NOW)
    schedule.take(later, 0.0, NOW + timedelta(seconds=20))
    now = NOW + timedelta(minutes=5)
    assert schedule.due(tuple(Drill), now) == (late, later)
    assert schedule.choose(tuple(Drill), now, rng()) == late
    assert schedule.choose(tuple(Drill), now, rng(), last=late) == later
    assert schedule.choose((Drill.OUTS,), now, rng())[0] is Drill.OUTS


@given(st.lists(st.tuples(st.sampled_from(EVERY_TOPIC), st.floats(0, 100)), max_size=20))
def test_what_was_stored_goes_on_as_it_was(answers: list[tuple[tuple[Drill, str], float]]) -> None:
    schedule, stored = Schedule({}), {}
    for number, (topic, points) in enumerate(answers):
        record = schedule.take(topic, points, NOW + timedelta(minutes=number))
        stored[topic_name(topic)] = encode(record)
    again, later = Schedule(stored), NOW + timedelta(days=2)
    assert again.due(tuple(Drill), later) == schedule.due(tuple(Drill), later)
    for topic in EVERY_TOPIC:
        assert again.record(topic) == schedule.record(topic)
        assert again.level(topic) == schedule.level(topic)
        assert again.take(topic, 30.0, later) == schedule.take(topic, 30.0, later)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"card": 7}', b'{"due": "x"}', "zone", "state"])
def test_a_damaged_topic_begins_anew_and_the_others_stay(damage: bytes | str) -> None:
    sound = encode(Schedule({}).take(OUTS, 100.0, NOW))
    if damage == "zone":
        damage = sound.replace(b"+00:00", b"")
    elif damage == "state":
        damage = sound.replace(b'"state":1', b'"state":9')
    assert isinstance(damage, bytes)
    assert damage != sound
    schedule = Schedule({topic_name(OUTS): damage, "no such: topic": sound, "outs: chances": sound})
    assert schedule.record(OUTS) is None
    assert schedule.record((Drill.OUTS, "chances")) is not None
    assert schedule.level(OUTS) == 1


def test_of_new_mistakes_the_costliest_comes_first_and_one_among_all_that_is_new() -> None:
    schedule = Schedule({})
    schedule.mistakes = ("9 1 AhKd", "8 1 AhKd", "7 1 AhKd")
    assert {schedule.choose((Drill.MISTAKES,), NOW, rng(seed))[1] for seed in range(20)} == {"9 1 AhKd"}
    mixed = [schedule.choose(tuple(Drill), NOW, rng(seed)) for seed in range(400)]
    assert {topic[1] for topic in mixed if topic[0] is Drill.MISTAKES} == {"9 1 AhKd"}
    share = sum(topic[0] is Drill.MISTAKES for topic in mixed) / len(mixed)
    assert share == pytest.approx(1 / (len(EVERY_TOPIC) + 1), abs=0.04)


def test_a_mistake_comes_back_until_it_was_right_for_long_enough() -> None:
    schedule, mistake, now = Schedule({}), (Drill.MISTAKES, "9 1 AhKd"), NOW
    schedule.mistakes = ("9 1 AhKd",)
    schedule.take(mistake, 0.0, now)
    assert not schedule.is_known(mistake)
    answers = 0
    while not schedule.is_known(mistake):
        now = datetime.fromisoformat(schedule.take(mistake, 100.0, now).card.due)
        assert schedule.is_known(mistake) or schedule.due((Drill.MISTAKES,), now) == (mistake,)
        answers += 1
    assert 3 <= answers <= 8
    assert now - NOW > timedelta(days=21)
    assert schedule.due((Drill.MISTAKES,), now + timedelta(days=400)) == ()
    schedule.mistakes = ("9 1 AhKd", "5 1 AhKd")
    assert schedule.choose((Drill.MISTAKES,), now, rng()) == (Drill.MISTAKES, "5 1 AhKd")
    schedule.mistakes = ("9 1 AhKd",)
    assert schedule.choose((Drill.MISTAKES,), now, rng()) == mistake, "for want of another"
    assert not schedule.is_known(OUTS)


def test_what_is_known_of_a_mistake_is_kept_and_only_mistakes_that_are_there_are_due() -> None:
    mistake = (Drill.MISTAKES, "9 1 AhKd")
    stored = {topic_name(mistake): encode(Schedule({}).take(mistake, 0.0, NOW))}
    again, later = Schedule(stored), NOW + timedelta(hours=1)
    assert again.due((Drill.MISTAKES,), later) == ()
    again.mistakes = (mistake[1],)
    assert again.due((Drill.MISTAKES,), later) == (mistake,)
    record = again.record(mistake)
    assert record is not None
    assert record.answers == 1
