"""`make bench`: runs every benchmark, prints one table and writes build/bench.json."""

import argparse
import json
import platform
from collections.abc import Callable
from pathlib import Path

from tests.bench import decisions, window, yardstick

BENCHES: dict[str, Callable[[bool], list[dict[str, object]]]] = {"decisions": decisions.run, "window": window.run}


def number(row: dict[str, object], key: str, digits: int = 2) -> str:
    value = row.get(key)
    return f"{value:.{digits}f}" if isinstance(value, float) else "" if value is None else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHES], help="which to run; all by default")
    parser.add_argument("--short", action="store_true", help="fewer repetitions, about a minute")
    options = parser.parse_args()
    rate = yardstick.eval7_rate()
    print(f"{platform.machine()}, Python {platform.python_version()}, eval7 {rate / 1e6:.2f} M evaluations/s\n")
    line = "{:<54} {:>9} {:>9} {:>9} {:>6}  {:<40} {:>9} {:>7}"
    print(line.format("work", "ours ms", "p95 ms", "max ms", "n", "peer in the same run", "peer ms", "ratio"))
    results = []
    for name in options.names or BENCHES:
        for row in BENCHES[name](options.short):
            cells = [
                number(row, key) for key in ("ours_ms", "p95_ms", "max_ms", "count", "peer", "peer_ms", "ratio")
            ]
            print(line.format(str(row["work"]), *cells), flush=True)
            results.append(row)
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"eval7_per_second": rate, "rows": results}, indent=1), encoding="utf-8")
    print(f"\nwritten to {target}")


if __name__ == "__main__":
    main()
