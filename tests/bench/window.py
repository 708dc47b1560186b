"""Whether the window stutters: gaps of a 16 ms UI timer while ten seats play at once, against the same timer idle.

The run is a whole app offscreen: nine bots think in the worker, every action is stored and shown, a reader in the
human's seat updates up to nine grids after each event; at ten events a second, and as fast as they come. First
paint is timed in a process of its own with an empty kernel cache. The odds calculator is timed from an edit, made
while the odds of the one before are still coming in, to the first odds of the new question.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from engine.game.format_file import cash_game
from tests.bench import grids
from tests.bench.yardstick import Peer, Row, eval7_rate
from trainer.app import App
from trainer.autoplay import Autoplay
from trainer.calculator.window import OddsWindow
from trainer.jobs import Jobs
from trainer.new_game.seats_box import default_seats
from trainer.ranges.library import RangeLibrary
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource

TICK_MS = 16


class Gaps:
    """The times between two firings of a UI timer, in milliseconds."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(TICK_MS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps.append(1000 * (now - self._last))
        self._last = now

    def stop(self) -> np.ndarray:
        self._timer.stop()
        return np.array(self.gaps[1:])


def timer_row(hands: int, pace_seconds: float, idle_ms: int) -> Row:
    """The timer's gaps while playing, and idle as the peer."""
    application = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        app = App(Path(folder, "soulread.ini"), Path(folder, "soulread.db"), Path(folder, "soulread.log"))
        app.window.resize(1280, 720)
        app.window.show()
        loop = QEventLoop()
        app.ready.connect(loop.quit)
        app.start_services()
        loop.exec()
        QTimer.singleShot(500, loop.quit)
        loop.exec()
        idle = Gaps()
        QTimer.singleShot(idle_ms, loop.quit)
        loop.exec()
        quiet = idle.stop()
        play = Autoplay(app, cash_game(default_seats(10), seed=7), hands, pace_seconds)
        play.finished.connect(loop.quit)
        busy = Gaps()
        play.start()
        loop.exec()
        gaps = busy.stop()
        app.close()
        app.window.close()
    application.processEvents()
    p99, quiet_p99 = float(np.percentile(gaps, 99)), float(np.percentile(quiet, 99))
    pace = f"an event each {pace_seconds:g} s" if pace_seconds else "no pace"
    return Row(
        work=f"UI timer of {TICK_MS} ms, p99, 10 seats, {pace}",
        ours=p99,
        p95=float(np.percentile(gaps, 95)),
        max=float(gaps.max()),
        count=len(gaps),
        peers=(Peer(library="Qt", value=quiet_p99, way="the same timer, app idle, p99", count=len(quiet)),),
    )


def start_rows(short: bool) -> list[Row]:
    """First paint of a fresh process, with an empty and then with a filled cache of machine code.

    In a short run only with the cache that is there: an empty one is filled for ten seconds afterwards.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
        if not short:
            environment["SOULREAD_CACHE_DIR"] = folder
        picture = str(Path(folder, "start.png"))
        command = [sys.executable, "-m", "trainer", "--offscreen", "--time-startup", "--screenshot", picture]
        command += ["--data", folder]
        bare = [sys.executable, "-c", "import PySide6.QtWidgets as w; w.QApplication([]); w.QMainWindow().show()"]
        for name in ("filled",) if short else ("empty", "filled"):
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            shown = re.search(r"shown after ([0-9.]+) s", done.stdout)
            assert shown is not None, done.stdout
            start = time.perf_counter()
            subprocess.run(bare, env=environment, check=True)
            peer = 1000 * (time.perf_counter() - start)
            ours = 1000 * float(shown.group(1))
            rows.append(
                Row(
                    work=f"first paint, {name} kernel cache",
                    ours=ours,
                    peers=(Peer(library="Qt", value=peer, way="a bare window, whole process", count=1),),
                    count=1,
                )
            )
    return rows


RANGE = "22+,A2s+,KTs+,QTs+,JTs,ATo+,KJo+"
SIX = (RANGE, "QQ-88", "15%", "20%", "A2s+", "22+")
EDITED_RANGES = ("22+,A2s+", "QQ+,AK", "15%", "77-22,A5s-A2s", "30%")
EDITS = (
    ("two hands before the flop", ("AhKh", "QsQd"), "", ("QsQd", "JsJd", "8s7s", "KdQd", "5c5d")),
    ("two ranges on a flop", (RANGE, "22+"), "Ks 7d 2h", EDITED_RANGES),
    ("six ranges before the flop", SIX, "", EDITED_RANGES),
    ("ten players, nine of them random", ("AhKh", *["random"] * 9), "", ("random", *EDITED_RANGES[:4])),
)
"""What is asked, and what the last player's text becomes in turn."""


def edit_rows(edits: int) -> list[Row]:
    """Time on the clock from an edit in the odds calculator to the first odds that answer it."""
    application = QApplication.instance() or QApplication([])
    jobs = Jobs()
    folder = tempfile.TemporaryDirectory()
    window = OddsWindow(ThemeSource(), jobs, SettingsFile(Path(folder.name, "soulread.ini")), RangeLibrary())
    window.show()
    model = window.model
    loop = QEventLoop()

    def on_odds() -> None:
        if model.run.snapshot is not None and not model.run.is_stale:
            loop.quit()

    model.odds_changed.connect(on_odds)
    rows = []
    for what, players, board, texts in EDITS:
        last, taken = len(players) - 1, []
        model.entry.set_question(players, board)
        for edit in range(-len(texts), edits):  # the first ones warm up
            before = time.perf_counter()
            model.entry.set_player_text(last, texts[edit % len(texts)])
            if model.run.is_stale or model.run.snapshot is None:
                loop.exec()
                taken.append(1000 * (time.perf_counter() - before))
        times = np.array(taken[len(texts) - 1 :])
        rows.append(
            Row(
                work=f"first odds after an edit, {what}",
                ours=float(np.median(times)),
                p95=float(np.percentile(times, 95)),
                max=float(times.max()),
                count=len(times),
                eval7_per_second=eval7_rate(),
                goal=50.0,
            )
        )
    window.close()
    folder.cleanup()
    jobs.shutdown()
    application.processEvents()
    return rows


def run(short: bool) -> list[Row]:
    """Give the rows of first paint, timer gaps, odds after an edit, and drawing."""
    idle_ms = 1_500 if short else 10_000
    timer = [timer_row(1 if short else 8, 0.1, idle_ms), timer_row(5 if short else 60, 0.0, idle_ms)]
    return start_rows(short) + timer + edit_rows(10 if short else 50) + grids.run(short)
