"""`make bench`: runs the benchmarks, prints one table and writes build/bench.json; a wrong answer is a failure."""

import argparse
import importlib
import json
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tests.bench import yardstick
from tests.bench.yardstick import LIBRARIES, NORMAL_EVAL7_RATE, Peer, Row

GROUPS = {
    "engine": ("evaluations", "workloads"),
    "decisions": ("bulk", "decisions", "values", "reads"),
    "window": ("window",),
    "startup": ("startup",),
}
"""The modules of each group; their `run(short)` gives rows."""

_COLUMNS = "{:<52} {:>10} {:<4} {:>10} {:>8} {:>8} {:<8}" + " {:>9}" * (len(LIBRARIES) + 1) + "  {}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line names; give the exit code."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *GROUPS], help="which to run; all by default")
    parser.add_argument("--short", action="store_true", help="fewer repetitions, about a minute")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="where to write")
    options = parser.parse_args(arguments)
    rate = yardstick.eval7_rate()
    print(f"{platform.machine()}, Python {platform.python_version()}, eval7 {rate / 1e6:.2f} M evaluations/s")
    print(header(), flush=True)
    rows = []
    for group in options.names or GROUPS:
        for module in GROUPS[group]:
            for row in rows_of(module, options.short):
                rows.append(replace(row, group=group))
                print(line(rows[-1]), flush=True)
    print(footnotes(rows))
    write_json(options.json, rate, rows)
    print(f"written to {options.json}")
    wrong = wrong_answers(rows)
    for row in wrong:
        print(f"WRONG ANSWER: {row.work} gave {row.answer}", file=sys.stderr)
    return 1 if wrong else 0


def rows_of(module: str, short: bool) -> Sequence[Row]:
    """Run a module of `tests/bench`."""
    rows: Sequence[Row] = importlib.import_module(f"tests.bench.{module}").run(short)
    return rows


def header() -> str:
    """Give the head of the table."""
    names = ("work", "ours", "unit", f"at {NORMAL_EVAL7_RATE / 1e6:.1f} M/s", "goal", "at least", "meets")
    return "\n" + _COLUMNS.format(*names, *(f"/{library}"[:9] for library in LIBRARIES), "/other", "answer")


def line(row: Row) -> str:
    """Give a row of the table: ratios, higher is better for us; ~ where only a part was measured."""
    cells = [number(row.normalised), number(row.goal), number(row.at_least), row.meets]
    for library in LIBRARIES:
        peer = row.fastest(library)
        cells.append("" if peer is None else ("~" if peer.scaled_from else "") + number(row.ratio(peer)))
    others = [peer for peer in row.peers if peer.library not in LIBRARIES]
    cells.append(number(row.ratio(others[0])) if others else "")
    right = {None: "", True: " = reference", False: " WRONG"}[row.is_reference]
    text = " ".join(part for part in (row.answer + right, row.note) if part)
    return _COLUMNS.format(row.work[:52], number(row.ours), row.unit, *cells, text).rstrip()


def number(value: float | None) -> str:
    """Give a number with three significant digits, never in powers of ten."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    text = f"{value:.3g}"
    return f"{value:.7f}".rstrip("0") if "e" in text else text


def footnotes(rows: Sequence[Row]) -> str:
    """Say how each peer did the work, and how often it was measured; rows that share their peers say it once."""
    lines = ["", "A ratio is how many times as fast as the fastest way of that library; ~ scaled from a part."]
    told: set[tuple[Peer, ...]] = set()
    for row in rows:
        if not row.peers or row.peers in told:
            continue
        told.add(row.peers)
        lines.append(f"\n{row.work}")
        if row.p95 is not None and row.max is not None:
            spread = f"the median of {row.count}, 95th percentile {number(row.p95)}, largest {number(row.max)}"
            lines.append(f"  {number(row.ours)} {row.unit} ours, {spread}")
        for peer in row.peers:
            scaled = f", scaled from {peer.scaled_from}" if peer.scaled_from else ""
            times = f", {peer.count} times" if peer.count else ""
            found = f": {peer.answer}" if peer.answer else ""
            way = f" {peer.way}" if peer.way else ""
            lines.append(f"  {number(peer.value)} {row.unit} {peer.library}{way}{scaled}{times}{found}")
    return "\n".join(lines) + "\n"


def write_json(target: Path, eval7_per_second: float, rows: Sequence[Row]) -> None:
    """Write all rows, with what follows from them."""
    report = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "eval7_per_second": eval7_per_second,
        "normal_eval7_per_second": NORMAL_EVAL7_RATE,
        "rows": [yardstick.row_as_json(row) for row in rows],
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(report, indent=1), encoding="utf-8")


def wrong_answers(rows: Sequence[Row]) -> list[Row]:
    """Give the rows whose answer is not the reference answer."""
    return [row for row in rows if row.is_reference is False]


if __name__ == "__main__":
    sys.exit(main())
