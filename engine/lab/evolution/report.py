"""What evolution has come to as text: curves and final tests as CSV, and what was won as a table."""

from collections.abc import Iterator, Sequence

from engine.lab.evolution.checkpoint import Course

_CURVE = ("generation", "mean_fitness", "best_fitness", "mean_bb_per_hand", "best_bb_per_hand")
_TEST = ("style", "pairs", "bb_per_hand", "stderr")


def curve_csv(courses: Sequence[Course], *, is_named: bool = False) -> str:
    """Write curves as CSV: a row for each generation, if `is_named` with what is evolved in front."""
    return _csv(_CURVE, [(course, _curve_rows(course)) for course in courses], is_named=is_named)


def final_test_csv(courses: Sequence[Course], *, is_named: bool = False) -> str:
    """Write final tests as CSV: a row for each style, if `is_named` with what is evolved in front."""
    return _csv(_TEST, [(course, _test_rows(course)) for course in courses], is_named=is_named)


def results_table(courses: Sequence[Course]) -> str:
    """Write what each policy won on the final test, for those that are finished; "" if none is."""
    rows = [("policy", "against", "bb/hand", "±")]
    rows += [
        (course.header.target.name, style, f"{won.mean:+.3f}", f"{won.stderr:.3f}")
        for course in courses
        for style, won in course.won.items()
    ]
    if len(rows) == 1:
        return ""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}".rstrip()
        for row in rows
    ]
    pairs = courses[0].header.settings.retest_pairs
    return "\n".join(
        [*lines, f"On {pairs:,} fresh deals each, played twice with the hands swapped; ± one standard error."]
    )


def _curve_rows(course: Course) -> Iterator[str]:
    for number, row in enumerate(course.curve, 1):
        yield ",".join([str(number), *(f"{value:.6f}" for value in row)])


def _test_rows(course: Course) -> Iterator[str]:
    pairs = course.header.settings.retest_pairs
    for style, won in course.won.items():
        yield f"{style},{pairs},{won.mean:.4f},{won.stderr:.4f}"


def _csv(columns: Sequence[str], parts: Sequence[tuple[Course, Iterator[str]]], *, is_named: bool) -> str:
    lines = [",".join(("policy", *columns) if is_named else columns)]
    for course, rows in parts:
        lines += [f"{course.header.target.name},{row}" if is_named else row for row in rows]
    return "\n".join([*lines, ""])
