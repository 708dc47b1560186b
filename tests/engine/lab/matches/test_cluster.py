"""Matches on a Dask cluster: a real scheduler and real workers, one of which is killed, and then the scheduler."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from engine.cli import main
from engine.lab.matches import cluster
from engine.lab.matches.cluster import ClusterError, ClusterLost, check_address, cluster_workers
from engine.lab.matches.kept.run_file import open_run_file
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.several import several_matches
from engine.lab.matches.sharing import Sharing
from tests.engine.lab.matches.test_playing import untimed

PLAN = MatchPlan(("tight-passive", "random"), 2, 40, 5)


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program of Dask, which says on stderr what it does, and end it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in (os.getcwd(), *sys.path) if path)}
    command = [sys.executable, "-m", "dask", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as program:
        try:
            yield program
        finally:
            program.kill()


def said(program: subprocess.Popen[str], pattern: str) -> str:
    """Wait until a program says something; give what was looked for."""
    assert program.stderr is not None
    return next(found[1] for line in program.stderr if (found := re.search(pattern, line)))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_same_and_outlives_a_worker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "CI" not in os.environ:
        pytest.importorskip("distributed", reason="the extra dask is not installed")
    alone = [untimed(several.result) for several in several_matches(PLAN, 12)]
    path = tmp_path / "run"
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        )
        port = said(scheduler, r"Scheduler at:\s+tcp://127.0.0.1:(\d+)")
        workers = [
            stack.enter_context(
                started("worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-nanny", "--no-dashboard")
            )
            for _ in range(2)
        ]
        for worker in workers:
            said(worker, r"(Registered to)")
        address = f"dask://127.0.0.1:{port}"
        with cluster_workers(address) as playing:
            results = several_matches(PLAN, 12, sharing=Sharing(playing.executor))
            shared = [untimed(next(results).result)]
            workers[0].kill()
            shared += [untimed(several.result) for several in results]
        assert shared == alone
        words = [
            "match",
            *PLAN.styles,
            "--hands",
            "40",
            "--seed",
            "5",
            "--executor",
            address,
            "--resume",
            str(path),
        ]
        assert main([*words, "--matches", "12"]) == 0
        with open_run_file(path, PLAN) as file:
            several = several_matches(PLAN, 12, file=file)
            assert [untimed(one.result) for one in several] == alone
            with cluster_workers(address) as playing:
                many = several_matches(PLAN, 400, sharing=Sharing(playing.executor), file=file)
                assert next(many).result.matches == 1
                scheduler.kill()
                with pytest.raises(ClusterLost, match="The connection to the Dask scheduler is lost"):
                    for _ in many:
                        pass
        capsys.readouterr()
    assert main([*words, "--matches", "500"]) == 2
    assert capsys.readouterr().err == f"No Dask scheduler answers at {address}.\n"


def test_errors_of_tasks_stay_what_they_are_and_others_are_the_clusters() -> None:
    own = ValueError("of the task")
    assert cluster._lost(own) is own
    for error, sentence in (
        (OSError("gone"), "The connection to the Dask scheduler is lost."),
        (
            ModuleNotFoundError("No module named 'engine'"),
            "A worker of the cluster lacks something of Soulread: No ",
        ),
    ):
        lost = cluster._lost(error)
        assert isinstance(lost, ClusterLost)
        assert str(lost).startswith(sentence)


def test_a_worker_with_other_sources_plays_nothing() -> None:
    with pytest.raises(ClusterLost, match="A worker of the cluster has another version of Soulread"):
        cluster._with_same_sources("0123456789ab", list)
    assert cluster._with_same_sources(cluster.sources_of_play(), len, "abc") == 3


def test_without_dask_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"needs dask: pip install 'soulread\[dask\]'"), ExitStack() as stack:
        stack.enter_context(cluster_workers("dask://127.0.0.1:1"))


@pytest.mark.parametrize(
    "text", ["tcp://host:1", "dask://host", "dask://host:0", "dask://host:65536", "dask://a b:1"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ClusterError, match="--executor takes dask://HOST:PORT, not "):
        check_address(text)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--executor", "host:1", "--matches", "2"], "--executor takes dask://HOST:PORT, not 'host:1'.\n"),
        (["--executor", "dask://host:1"], "A cluster shares out several matches, not one; see --matches.\n"),
        (
            ["--executor", "dask://host:1", "--matches", "2", "--workers", "2"],
            "A cluster has workers of its own: --workers is for processes here.\n",
        ),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "nit", "random", *words]) == 2
    assert capsys.readouterr() == ("", sentence)
