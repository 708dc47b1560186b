"""What answers are worth, and how hard the next question is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.training.exercise import LEVELS, RIGHT_POINTS, Number, Progress

numbers = st.builds(
    Number, value=st.floats(0, 100), full=st.floats(0, 10), none=st.floats(11, 60), unit=st.sampled_from(["", "%"])
)


@given(number=numbers, near=st.floats(0, 200), far=st.floats(0, 200))
def test_a_number_is_worth_less_the_further_off_it_is(number: Number, near: float, far: float) -> None:
    near, far = sorted((near, far))
    for sign in (-1, 1):
        first, second = (number.points(number.value + sign * distance) for distance in (near, far))
        assert 0 <= second <= first <= 100
    assert number.points(number.value) == 100
    assert number.points(number.value + number.none) == pytest.approx(0, abs=1e-9)


@given(st.lists(st.floats(0, 100)))
def test_the_level_moves_by_one_and_stays_within_its_bounds(answers: list[float]) -> None:
    progress, in_a_row = Progress(), 0
    for points in answers:
        after = progress.after(points)
        in_a_row = in_a_row + 1 if points >= RIGHT_POINTS else 0
        if in_a_row == 3:
            assert after.level == min(progress.level + 1, LEVELS)
            in_a_row = 0
        elif in_a_row:
            assert after.level == progress.level
        else:
            assert after.level == max(progress.level - 1, 1)
        progress = after
