"""What starting costs: compiling all kernels anew, and whole processes that answer one question and end.

Every figure is the CPU time of a child process from its first instruction on, in seconds; the note has the wall
clock, which means something on an idle machine only.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from engine.equity.matchups import heads_up_table
from engine.kernels.cache import cache_folder
from engine.kernels.jit import warm_up
from tests.bench.yardstick import Peer, Row, eval7_rate

FIRST_HAND_SECONDS = 8.0
COLD_SECONDS = 10.0
WARM_SECONDS = 0.5

_COMPILE = """
import json, time
start = time.process_time()
from engine.kernels.jit import warm_up
def tell(done, total, name):
    steps.append((name, time.process_time()))
steps = [("numpy and the kernels' modules", 0.0)]
warm_up(tell, at_start=True)
first = len(steps)
warm_up(tell, at_start=False)
from engine.equity.matchups import heads_up_table
started = time.process_time()
heads_up_table()
print(json.dumps({"steps": steps, "first": first, "table": time.process_time() - started}))
"""
_FIRST_HAND = """
import os, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from engine.game.format_file import cash_game
from trainer.app import App
from trainer.new_game.seats_box import default_seats
from trainer.session.types import Stage
application = QApplication([])
folder = Path(sys.argv[1])
app = App(folder / "soulread.ini", folder / "soulread.db", folder / "soulread.log")
app.window.show()
readings = []
def begin():
    app.begin(cash_game(default_seats(6), seed=1))
    app.session.set_pace(0.0)
    app.session.readings.reading_changed.connect(readings.append)
    timer.start(10)
def look():
    if readings and app.session.stage == Stage.YOUR_TURN and app.session.readings.is_idle:
        print(time.process_time(), flush=True)
        os._exit(0)
timer = QTimer()
timer.timeout.connect(look)
app.ready.connect(begin)
QTimer.singleShot(0, app.start_services)
application.exec()
"""
"""Says after how much CPU time cards are dealt, bots have acted, their ranges are shown and it is our turn."""

_EVAL7 = """
import warnings
warnings.simplefilter("ignore")  # eval7 0.1.11 calls pyparsing by old names
import eval7
hand = [eval7.Card("Ah"), eval7.Card("Kh")]
print(eval7.py_hand_vs_range_monte_carlo(hand, eval7.HandRange("QsQd"), [], 250_000))
"""
_FLOP_RANGE = "22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+"
# Commands, and the hero's equity: E1's, and 134,449 won and 5,865 tied of 159,390 showdowns, counted with eval7.
_QUESTIONS: dict[str, tuple[Sequence[str], str]] = {
    "AhKh against QsQd, from the table": (["AhKh", "QsQd"], "46.214%"),
    "AhKh against QsQd, no table yet": (["AhKh", "QsQd"], "46.214%"),
    "AhKh against a range on a flop": (["AhKh", _FLOP_RANGE, "--board", "Ks 7d 2h"], "86.192%"),
}


class Compiled(msgspec.Struct):
    """What the compiling process prints: the CPU time at each step, how many belong to the start, the table."""

    steps: list[tuple[str, float]]
    first: int
    table: float


class Run(NamedTuple):
    """One process: CPU and wall seconds, and what it printed."""

    cpu: float
    wall: float
    printed: str


def run_process(arguments: Sequence[str], environment: Mapping[str, str]) -> Run:
    """Run Python once."""
    import resource  # not there on Windows

    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, wall, done.stdout)


def cold_rows(environment: Mapping[str, str]) -> list[Row]:
    """Compile everything into an empty folder: one row for each step, and the sums."""
    before = eval7_rate()
    process = run_process(["-c", _COMPILE], environment)
    rate = (before + eval7_rate()) / 2
    compiled = msgspec.json.decode(process.printed, type=Compiled)
    rows = []
    totals = []
    for what, steps in (
        ("at start", compiled.steps[: compiled.first]),
        ("later", compiled.steps[compiled.first :]),
    ):
        for (name, begun), (_, ended) in pairwise(steps):
            rows.append(Row(work=f"compile {what}: {name}", ours=ended - begun, unit="s", count=1))
        totals.append(steps[-1][1] - steps[0][1])
    at_start, later = totals
    rows.append(Row(work="compile what the start needs", ours=at_start, goal=COLD_SECONDS, unit="s", count=1))
    rows.append(Row(work="compile everything", ours=at_start + later, unit="s", count=1, goal=COLD_SECONDS))
    rows.append(Row(work="count the heads-up table", ours=compiled.table, unit="s", count=1))
    return [msgspec.structs.replace(row, eval7_per_second=rate) for row in rows]


def first_hand_rows(environment: Mapping[str, str]) -> list[Row]:
    """Open the window with an empty folder and deal: until it is our turn, and until the hand has played itself.

    Each the middle one of three runs, by its time at the rate of eval7 around it.
    """
    alone = [*("-m", "trainer", "--offscreen", "--autoplay", "1", "--players", "6", "--seed", "1", "--data")]
    rows = []
    for work, arguments in (("six seats, until our turn", ["-c", _FIRST_HAND]), ("six seats, to its end", alone)):
        runs = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                empty = {
                    **environment,
                    "SOULREAD_CACHE_DIR": str(Path(folder, "cache")),
                    "QT_QPA_PLATFORM": "offscreen",
                }
                before = eval7_rate()
                process = run_process([*arguments, folder], empty)
                seconds = process.cpu if arguments is alone else float(process.printed)
                runs.append((seconds, (before + eval7_rate()) / 2))
        seconds, rate = sorted(runs, key=lambda run: run[0] * run[1])[1]
        row = Row(work=f"first hand: {work}", ours=seconds, unit="s", goal=FIRST_HAND_SECONDS, count=len(runs))
        rows.append(msgspec.structs.replace(row, eval7_per_second=rate))
    return rows


def warm_rows(environment: Mapping[str, str], rounds: int) -> list[Row]:
    """Answer one question per process, in turn with processes that only import something."""
    tableless = Path(environment["SOULREAD_CACHE_DIR"], "without table")
    shutil.copytree(environment["SOULREAD_CACHE_DIR"], tableless)
    for table in tableless.glob("*/heads_up.npz"):
        table.unlink()
    peers = {"numpy": ("import alone", "import numpy"), "numba": ("import alone", "import numba")}
    peers |= {"eval7": ("250,000 deals sampled", _EVAL7)}
    commands: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        library: (["-c", program], environment) for library, (_, program) in peers.items()
    }
    for work, (question, _) in _QUESTIONS.items():
        folder = {"SOULREAD_CACHE_DIR": str(tableless)} if work.endswith("no table yet") else {}
        commands[work] = (["-m", "trainer", "odds", *question], {**environment, **folder})
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    rates = []
    for _ in range(rounds):
        rates.append(eval7_rate(20_000))
        for name, (arguments, its_environment) in commands.items():
            runs[name].append(run_process(arguments, its_environment))
    cpu = {name: median(run.cpu for run in each) for name, each in runs.items()}
    found = tuple(Peer(library=name, value=cpu[name], way=way, count=rounds) for name, (way, _) in peers.items())
    rows = []
    for work, (_, answer) in _QUESTIONS.items():
        said = re.search(r"^AhKh .* ([0-9.]+%) +exact$", runs[work][0].printed, re.MULTILINE)
        shown = said[1] if said else ""
        rows.append(
            Row(
                work=f"process: {work}",
                ours=cpu[work],
                unit="s",
                goal=WARM_SECONDS,
                peers=found,
                eval7_per_second=median(rates),
                answer=shown,
                is_reference=shown == answer,
                count=rounds,
                note=f"{median(run.wall for run in runs[work]):.2f} s wall",
            )
        )
    return rows


def run(short: bool) -> list[Row]:
    """Give the rows of a cold and a warm start; a short run takes the machine code that is there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"SOULREAD_CACHE_DIR": folder}
        if not short:
            return first_hand_rows(environment) + cold_rows(environment) + warm_rows(environment, 9)
        warm_up()
        heads_up_table()
        kept = cache_folder()
        if kept is not None:
            shutil.copytree(kept, Path(folder, kept.name))
        return warm_rows(environment, 3)
