"""Runs of the lab without processes, and results of real matches between cheap styles."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from itertools import chain, repeat
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from engine.game.format_file import built_in
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.results import MatchResult, TournamentResult
from engine.lab.matches.several import several_matches, several_tournaments
from engine.lab.matches.workers import Workers
from tests.trainer.gestures import PATIENCE
from trainer.lab.evolution.evolution_run import EvolutionRun, MakeEvolutionRun
from trainer.lab.evolution.setup_model import EvolutionSetup
from trainer.lab.experiments.experiment_run import ExperimentRun, MakeExperimentRun
from trainer.lab.experiments.setup_model import ExperimentSetup
from trainer.lab.matches.match_run import MakeRun, MatchRun
from trainer.lab.matches.setup_model import MatchesSetup
from trainer.lab.matches.style_list import StyleList
from trainer.lab.page_model import PageModel
from trainer.lab.run import MakeWorkers

T = TypeVar("T")

CHEAP = ("always-fold", "always-call")
SETUP = MatchesSetup(CHEAP, matches=3, hands=8, seed=5)


class Inline(Executor):
    """Does the first tasks where they are submitted; the others stay undone, or break it."""

    def __init__(self, tasks: int = 10**9, *, breaks: bool = False) -> None:
        self.left = tasks
        self.breaks = breaks

    def submit(self, task: Callable[..., T], /, *args: object, **kwargs: object) -> "Future[T]":
        future: Future[T] = Future()
        self.left -= 1
        if self.left >= 0:
            future.set_result(task(*args, **kwargs))
        elif self.breaks:
            future.set_exception(BrokenExecutor())
        return future


def inline_workers(tasks: int, *, breaks: bool, hands: Sequence[int] = (7,), said: bytes = b"") -> MakeWorkers:
    """Give workers who have played so many hands when asked the first time and later, and as many ever after."""

    def make(_: int) -> AbstractContextManager[Workers]:
        played = chain(hands, repeat(hands[-1]))
        return nullcontext(Workers(Inline(tasks, breaks=breaks), lambda: next(played), lambda: None, lambda: said))

    return make


def inline_run(tasks: int = 10**9, *, breaks: bool = False, said: bytes = b"") -> MakeRun:
    """Give what makes runs that play so many matches, of the next of which something is said, and hang or break."""
    return partial(MatchRun, workers=inline_workers(tasks, breaks=breaks, hands=(0, 1, 7), said=said))


def ended(qtbot: QtBot, model: PageModel[Any, Any, Any]) -> None:
    """Wait until the run of a page has ended."""
    qtbot.waitUntil(lambda: not model.is_running, timeout=PATIENCE)


@cache
def cash_result(matches: int = 12) -> MatchResult:
    plan = MatchPlan(("always-fold", "always-call", "random"), seats=3, hands=30, seed=2)
    *_, (result, _) = several_matches(plan, matches)
    return result


@cache
def one_sided_result() -> MatchResult:
    """Give a match of who always folds to who always raises: a small blind in one hand, a big one in the next."""
    *_, (result, _) = several_matches(MatchPlan(("always-fold", "always-raise"), seats=2, hands=20), 12)
    return result


@cache
def tournament_result(name: str = "paper", seats: int = 3) -> TournamentResult:
    plan = MatchPlan(("always-fold", "always-call", "random"), seats, seed=2, stack=10, game=built_in(name))
    *_, result = several_tournaments(plan, 3)
    return result


QUICK = ExperimentSetup("fig11", ("tight-passive", "nit"), matches=3, is_short=True, seed=5)


def inline_experiment(tasks: int = 10**9, *, breaks: bool = False) -> MakeExperimentRun:
    """Give what makes runs of experiments that do so many tasks, and then hang or break."""
    return partial(ExperimentRun, workers=inline_workers(tasks, breaks=breaks))


TINY = """\
population = 4
generations = 3
exploiter_generations = 0
pairs = 4
retest_pairs = 6
library_hands = 100
opponent_width = 2
game_width = 2
head = []
"""
"""Settings of an evolution that takes a moment."""

EVOLVING = EvolutionSetup("exploiter-o3", TINY, seed=5)

FIRST_GENERATION, NEXT_GENERATION = 2 + 4, 1 + 4
"""Tasks: deals, the next ones too, and policies."""


def inline_evolution(tasks: int = 10**9, *, breaks: bool = False) -> MakeEvolutionRun:
    """Give what makes runs of evolution that do so many tasks, and then hang or break."""
    return partial(EvolutionRun, workers=inline_workers(tasks, breaks=breaks, hands=(0,)))


def check(qtbot: QtBot, styles: StyleList, *titles: str) -> None:
    """Choose just these styles, by keys."""
    styles.setFocus()
    for row in range(styles.rows.rowCount()):
        index = styles.rows.index(row)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is not None and (Qt.CheckState(state) is Qt.CheckState.Checked) is not (index.data() in titles):
            styles.setCurrentIndex(index)
            qtbot.keyClick(styles, Qt.Key.Key_Space)


def choose(qtbot: QtBot, box: QComboBox, name: str) -> None:
    """Choose what has this name in a box, by keys."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findData(name)):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == name
