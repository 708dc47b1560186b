"""How policies come on, as a picture and in words."""

from collections.abc import Sequence

from engine.lab.evolution.checkpoint import Course
from engine.lab.experiments.picture import Axis, Curve, Level, Marker, Panel, Picture
from trainer.lab.evolution.setup_model import title_of

_MEAN_FITNESS, _BEST_FITNESS, _MEAN_WON, _BEST_WON = range(4)
"""Columns of a curve."""

_PANELS = (
    (("Fitness, best of each generation", _BEST_FITNESS), ("Fitness, mean of each generation", _MEAN_FITNESS)),
    (("bb/hand, best of each generation", _BEST_WON), ("bb/hand, mean of each generation", _MEAN_WON)),
)


def picture_of(courses: Sequence[Course]) -> Picture:
    """Return the curves so far: fitness above, big blinds per hand below, the best on the left."""
    return Picture(
        tuple(tuple(_panel(title, column, courses) for title, column in line) for line in _PANELS),
        width=9.0,
        height=6.0,
        has_shared_legend=len(courses) > 1,
    )


def paragraph_of(courses: Sequence[Course]) -> str:
    """Say what has been won by now."""
    tested = [course for course in courses if course.won]
    if tested:
        pairs = tested[0].header.settings.retest_pairs
        won = "; ".join(map(_test_words, tested))
        how = f"On {pairs:,} fresh deals, each played twice with the hands swapped"
        return f"{how}, bb/hand ± one standard error: {won}."
    begun = [course for course in courses if len(course.curve)]
    if not begun:
        return ""
    course = begun[-1]
    best, mean = course.curve[-1][_BEST_WON], course.curve[-1][_MEAN_WON]
    return (
        f"{title_of(course.header.target)}: generation {len(course.curve):,} wins {_signed(mean)} bb/hand on "
        f"average, its best policy {_signed(best)}. The best owes some of that to luck; the final test is on fresh "
        "deals."
    )


def _panel(title: str, column: int, courses: Sequence[Course]) -> Panel:
    curves = tuple(
        Curve(
            x=tuple(float(at) for at in range(1, len(course.curve) + 1)),
            y=tuple(course.curve[:, column].tolist()),
            name=_legend(course) if len(courses) > 1 else "",
            colour=number,
            marker=Marker.DOT if len(course.curve) == 1 else Marker.NONE,
        )
        for number, course in enumerate(courses)
        if len(course.curve)
    )
    most = max((course.header.generations for course in courses), default=1)
    # As far as the run goes: a curve that grows does not change the scale with each generation.
    return Panel((Level(0.0), *curves), Axis("Generation", low=0.0, high=float(most)), Axis(), title)


def _legend(course: Course) -> str:
    target = course.header.target
    return target.style.upper() or title_of(target)


def _test_words(course: Course) -> str:
    """Say what a policy won on its final test; of many, from the least to the most."""
    name = title_of(course.header.target)
    won = sorted(course.won.items(), key=lambda item: item[1].mean)
    words = [f"{_signed(one.mean)} ± {one.stderr:.2f}" for _, one in won]
    if len(won) == 1:
        return f"{name} {words[0]}"
    least, most = f"{words[0]} against {won[0][0].upper()}", f"{words[-1]} against {won[-1][0].upper()}"
    return f"{name} from {least} to {most}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
