"""Whole runs: the same for any number of workers and wherever they stop, and better on fresh deals."""

import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.evolved.policy import NetworkSettings, read_policy
from engine.codec import decode
from engine.lab.evolution import checkpoint, deals, run
from engine.lab.evolution.algorithm import Breeding, first_population
from engine.lab.evolution.checkpoint import (
    Header,
    Progressed,
    courses_in,
    read_checkpoint,
    read_course,
    write_checkpoint,
)
from engine.lab.evolution.deals import deals_of
from engine.lab.evolution.evaluation import GAME, payoffs
from engine.lab.evolution.library import make_library
from engine.lab.evolution.run import Job, Purpose, evolve, result, seed_of, write_result
from engine.lab.evolution.settings import SHORT, EvolutionError, EvolutionSettings, Normalisers
from engine.lab.evolution.targets import BASE, EXPLOITERS, SCHEDULES, STYLES, Target
from engine.lab.matches.sharing import ALONE, Sharing
from tests.hostile import damaged_archives, refusal

TINY = EvolutionSettings(
    network=NetworkSettings(opponent_width=2, game_width=2, head=()),
    breeding=Breeding(population=8),
    generations=4,
    exploiter_generations=0,
    pairs=6,
    retest_pairs=10,
    library_hands=100,
)


def finished(job: Job, sharing: Sharing = ALONE) -> bytes:
    """Evolve a target to its end; give its checkpoint."""
    for _ in evolve(job, sharing):
        pass
    return job.checkpoint.read_bytes()


@pytest.mark.parametrize("target", [Target("o3"), BASE])
def test_a_run_is_the_same_for_any_number_of_workers(tmp_path: Path, target: Target) -> None:
    alone = finished(Job(target, TINY, 5, tmp_path / "alone"))
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            assert finished(Job(target, TINY, 5, tmp_path / str(workers)), Sharing(executor)) == alone
    assert finished(Job(target, TINY, 6, tmp_path / "other seed")) != alone


FROM_BASE = replace(TINY, exploiter_generations=3)


def test_an_exploiter_begins_with_the_bases_survivors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, job = Job(BASE, FROM_BASE, 7, tmp_path), Job(Target("o3"), FROM_BASE, 7, tmp_path)
    for begun in (False, True):
        if begun:
            next(evolve(base))
        with pytest.raises(
            EvolutionError, match=r"^exploiter-o3 begins with the base, and .*base\.checkpoint is not fin"
        ):
            next(evolve(job))
    finished(base)
    survivors = np.load(base.checkpoint)["population"]
    evaluated, evaluate = [], run.payoffs

    def seen(weights: Any, *arguments: Any) -> Any:
        evaluated.append(weights.copy())
        return evaluate(weights, *arguments)

    monkeypatch.setattr(run, "payoffs", seen)
    finished(job)
    first = evaluated[0]
    assert first.shape == (FROM_BASE.breeding.population, FROM_BASE.network.weights)
    assert first[: len(survivors)].tolist() == survivors.tolist()
    for at, child in enumerate(first[len(survivors) :]):
        changed = (child != survivors[at % len(survivors)]).mean()
        assert 0 < changed < 0.7, "mutated in a quarter of its segments"
    assert len(evaluated) == 3 + 2, "generations, the choice among survivors and the test"
    monkeypatch.undo()
    with ThreadPoolExecutor(3) as executor:
        other = tmp_path / "other"
        finished(base._replace(folder=other), Sharing(executor))
        assert finished(job._replace(folder=other), Sharing(executor)) == job.checkpoint.read_bytes()
    with pytest.raises(EvolutionError, match=r"base\.checkpoint was begun with the seed 7, and 8 is asked for"):
        next(evolve(job._replace(seed=8, target=Target("o4"))))


@pytest.mark.parametrize("stop", [1, 2, 4])
def test_a_run_goes_on_where_it_was_stopped_to_the_same_bytes(tmp_path: Path, stop: int) -> None:
    whole = finished(Job(BASE, TINY, 7, tmp_path / "whole"))
    job = Job(BASE, TINY, 7, tmp_path / "parts")
    steps = evolve(job)
    for _ in range(stop):
        curve = next(steps)
    assert len(curve) == stop
    steps.close()
    assert finished(job) == whole
    assert finished(job) == whole  # and is not evolved again


def test_a_write_that_fails_leaves_the_last_generation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(Target("o1"), TINY, 7, tmp_path)
    steps = evolve(job)
    next(steps)
    before = job.checkpoint.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint.os, "fsync", full)
    with pytest.raises(
        EvolutionError, match=r"exploiter-o1\.checkpoint cannot be written: No space left on device\.$"
    ):
        next(steps)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["exploiter-o1.checkpoint"]
    assert job.checkpoint.read_bytes() == before
    assert finished(job) == finished(Job(Target("o1"), TINY, 7, tmp_path / "whole"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 8}, "was begun with the seed 7, and 8 is asked for; give another folder."),
        ({"generations": 5}, "was begun with the generations 4, and 5 is asked for; give another folder."),
        ({"game_width": 3}, "was begun with the game_width 2, and 3 is asked for; give another folder."),
        ({"population": 9}, "was begun with the population 8, and 9 is asked for; give another folder."),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, changes: dict[str, int], words: str) -> None:
    finished(Job(Target("o1"), TINY, 7, tmp_path))
    seed = changes.pop("seed", 7)
    network = replace(TINY.network, **{name: changes.pop(name) for name in ("game_width",) if name in changes})
    breeding = replace(TINY.breeding, **{name: changes.pop(name) for name in ("population",) if name in changes})
    settings = replace(TINY, network=network, breeding=breeding, **changes)
    with pytest.raises(EvolutionError) as error:
        next(evolve(Job(Target("o1"), settings, seed, tmp_path)))
    assert str(error.value) == f"{tmp_path / 'exploiter-o1.checkpoint'} {words}"


def read_or_refusal(job: Job) -> checkpoint.Progressed | str:
    """Return what a checkpoint holds, or how the one line begins that refuses it."""
    try:
        run = checkpoint.read_checkpoint(job.checkpoint, job.header)
    except EvolutionError as error:
        return str(error).partition(" ")[0]
    assert run is not None
    return run


def test_a_damaged_checkpoint_is_refused_and_kept(tmp_path: Path) -> None:
    job = Job(Target("o1"), TINY, 7, tmp_path)
    whole = finished(job)
    for at in (*range(0, len(whole), len(whole) // 9), len(whole) - 3):
        bad = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        job.checkpoint.write_bytes(bad)
        found = read_or_refusal(job)
        # Bytes such as those of dates say nothing.
        assert found == str(job.checkpoint) if isinstance(found, str) else found.population.tobytes() in whole
        assert job.checkpoint.read_bytes() == bad
    for bad in (b"", b"PK", whole[: len(whole) // 2]):
        job.checkpoint.write_bytes(bad)
        with pytest.raises(EvolutionError, match="is no checkpoint of this version of Soulread, or damaged"):
            result(job)


@pytest.fixture(scope="module")
def checkpoint_of_a_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    job = Job(Target("o1"), TINY, 7, tmp_path_factory.mktemp("run"))
    finished(job)
    return job.checkpoint


@given(st.data())
def test_no_damage_is_more_than_a_sentence(checkpoint_of_a_run: Path, data: st.DataObject) -> None:
    whole, path = checkpoint_of_a_run.read_bytes(), checkpoint_of_a_run.with_name("bad.checkpoint")
    path.write_bytes(data.draw(damaged_archives(whole)))
    job = Job(Target("o1"), TINY, 7, path.parent)
    assert refusal(EvolutionError, lambda: read_course(path)) or isinstance(read_course(path).hands, int)
    refusal(EvolutionError, lambda: read_checkpoint(path, job.header))


@pytest.mark.parametrize(
    "changed",
    [
        lambda header: replace(header, target=Target("o9")),
        lambda header: replace(header, target=Target("o3", 4)),
        lambda header: replace(header, settings=replace(TINY, generations=10**12)),
        lambda header: replace(header, settings=replace(TINY, breeding=Breeding(survival=float("nan")))),
        lambda header: replace(header, settings=replace(TINY, network=NetworkSettings(layers=10**9))),
    ],
)
def test_a_checkpoint_of_no_run_that_can_be_is_refused(
    checkpoint_of_a_run: Path, tmp_path: Path, changed: Callable[[Header], Header]
) -> None:
    with np.load(checkpoint_of_a_run) as arrays:
        kept = dict(arrays)
    header = changed(decode(kept["header"].tobytes(), Header))
    write_checkpoint(tmp_path / "no.checkpoint", header, Progressed(kept["population"], kept["curve"], np.zeros(0)))
    with pytest.raises(EvolutionError, match="is no checkpoint of this version of Soulread, or damaged"):
        courses_in(tmp_path)


@pytest.mark.parametrize("name", ["population", "curve", "champion"])
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_checkpoint_of_numbers_that_are_none_is_refused(
    checkpoint_of_a_run: Path, tmp_path: Path, name: str, number: float
) -> None:
    job = Job(Target("o1"), TINY, 7, tmp_path)
    run = read_checkpoint(checkpoint_of_a_run, job.header)
    assert run is not None
    getattr(run, name).flat[-1] = number
    write_checkpoint(job.checkpoint, job.header, run)
    with pytest.raises(EvolutionError, match="is no checkpoint of this version of Soulread, or damaged"):
        result(job)


def test_a_checkpoint_that_unpacks_to_more_than_its_run_has_is_refused_unread(tmp_path: Path) -> None:
    job = Job(Target("o1"), TINY, 7, tmp_path)
    finished(job)
    with np.load(job.checkpoint) as arrays:
        kept = dict(arrays)
    kept["population"] = np.zeros(50_000_000, np.uint8)
    with job.checkpoint.open("wb") as file:
        np.savez_compressed(file, **kept)
    del kept["population"]
    tracemalloc.start()
    with pytest.raises(EvolutionError, match="is no checkpoint of this version of Soulread, or damaged"):
        result(job)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_deals_for_training_choice_and_test_are_apart() -> None:
    targets = (*EXPLOITERS, *(Target(schedule=number) for number in range(1, 5)))
    seeds = [seed_of(3, purpose, target) for purpose in Purpose for target in targets]
    assert len(set(seeds)) == len(seeds)
    decks = [
        deals_of(GAME, seed_of(3, purpose, BASE), 0, 200).cards.tobytes()
        for purpose in (Purpose.TRAIN, Purpose.SELECT, Purpose.TEST, Purpose.LIBRARY)
    ]
    cards = [{deck[at : at + 9] for at in range(0, len(deck), 9)} for deck in decks]
    assert len(set.union(*cards)) == 800


def test_the_base_meets_its_rivals_by_the_schedules_of_the_paper() -> None:
    first, last = STYLES[:4], STYLES[4:]
    expected = {
        1: [STYLES, STYLES, STYLES],
        2: [first, last, last],
        3: [first, STYLES, STYLES],
        4: [first, last, STYLES],
    }
    for schedule, stages in expected.items():
        target = Target(schedule=schedule)
        assert [target.rivals_at(generation, 300) for generation in (0, 100, 200)] == stages
        assert [target.rivals_at(generation, 300) for generation in (99, 199, 299)] == stages


def test_fixed_normalisers_are_a_big_blind(tmp_path: Path) -> None:
    settings = replace(TINY, normalisers=Normalisers.FIXED)
    job = Job(Target("o2"), settings, 7, tmp_path)
    *_, curve = evolve(job)
    assert curve[:, 0] == pytest.approx(curve[:, 2])


def test_a_result_is_the_policy_its_curve_and_its_test(tmp_path: Path) -> None:
    job = Job(BASE, TINY, 7, tmp_path)
    assert result(job) is None
    finished(job)
    tested = result(job)
    assert tested is not None
    write_result(job, tested)
    policy = read_policy(tmp_path / "base.policy")
    fresh = deals_of(GAME, seed_of(7, Purpose.TEST, BASE), 0, TINY.retest_pairs)
    again = payoffs(policy.weights[None], policy.settings, STYLES, fresh)
    won = tested.course.won
    assert list(won) == list(STYLES)
    assert [one.mean for one in won.values()] == again.mean[0].tolist()
    assert [one.stderr for one in won.values()] == again.stderr[0].tolist()
    lines = (tmp_path / "base-curve.csv").read_text().splitlines()
    assert lines[0] == "generation,mean_fitness,best_fitness,mean_bb_per_hand,best_bb_per_hand"
    assert len(lines) == 1 + TINY.generations
    assert len((tmp_path / "base-test.csv").read_text().splitlines()) == 9


def test_a_library_is_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    exploiters = []
    for target in EXPLOITERS[:2]:
        job = Job(target, TINY, 7, tmp_path)
        finished(job)
        tested = result(job)
        assert tested is not None
        exploiters.append((target, tested.policy))
    alone = make_library(exploiters, 400, 7)
    with ThreadPoolExecutor(2) as executor:
        assert make_library(exploiters, 400, 7, Sharing(executor)) == alone
    assert list(alone.trees) == ["o1", "o2"]
    for style in alone.trees:
        tree = alone.tree(style)
        assert tree.counts[:2, 0].sum() == 400
        assert (tree.counts[2:, 0] >= alone.least).all()


def test_a_folder_tells_of_every_run_in_it(tmp_path: Path) -> None:
    done, begun = Job(Target("o3"), TINY, 7, tmp_path), Job(BASE, TINY, 8, tmp_path)
    finished(done)
    steps = evolve(begun)
    next(steps)
    curve = next(steps)
    steps.close()
    exploiter, base = courses_in(tmp_path)
    assert (exploiter.header, base.header) == (done.header, begun.header)
    tested = result(done)
    assert tested is not None
    assert exploiter.won == tested.course.won
    assert (base.curve.tolist(), base.won) == (curve.tolist(), {})
    assert exploiter.hands == exploiter.header.hands
    assert base.hands == 2 * 8 * 2 * 6 * 4
    begun.checkpoint.write_bytes(done.checkpoint.read_bytes()[:-9])
    with pytest.raises(EvolutionError, match=r"base\.checkpoint is no checkpoint of this version"):
        courses_in(tmp_path)
    with pytest.raises(EvolutionError, match=r"nowhere cannot be read: No such file or directory\.$"):
        courses_in(tmp_path / "nowhere")


@pytest.mark.parametrize("target", [Target("o3"), *(Target(schedule=number) for number in SCHEDULES)])
def test_a_run_plays_the_hands_that_its_header_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: Target
) -> None:
    hands, play = [0], deals.play

    def counted(*arguments: Any) -> Any:
        won = play(*arguments)
        hands[0] += won.size
        return won

    monkeypatch.setattr(deals, "play", counted)
    job = Job(target, TINY, 7, tmp_path)
    finished(job)
    assert job.header.hands == hands[0]


def test_a_run_is_stopped_while_it_waits_for_deals(tmp_path: Path) -> None:
    """They take seconds, and whoever presses Stop waits for them."""
    waiting: Future[None] = Future()

    class Never(Executor):
        def submit(self, *arguments: Any, **more: Any) -> Any:
            return waiting

    def idle() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(evolve(Job(BASE, TINY, 7, tmp_path), Sharing(Never(), idle=idle)))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [SHORT, replace(SHORT, exploiter_generations=0)])
def test_fitness_rises_beyond_noise_on_fresh_deals(tmp_path: Path, settings: EvolutionSettings) -> None:
    """In a short run, of the policy that is chosen over those by lot."""
    job = Job(Target("o3"), settings, 1, tmp_path)
    with ThreadPoolExecutor(2) as executor:
        for target in settings.order_of([job.target]):
            finished(job._replace(target=target), Sharing(executor))
    tested = result(job)
    assert tested is not None
    random = np.random.default_rng(99)
    by_lot = first_population(SHORT.breeding, SHORT.network.weights, random)
    fresh = deals_of(GAME, 98, 0, 1000)
    before = payoffs(by_lot, SHORT.network, ("o3",), fresh).mean
    after = payoffs(tested.policy.weights[None], SHORT.network, ("o3",), fresh)
    assert after.mean[0, 0] - 5 * after.stderr[0, 0] > before.mean() + before.std() / np.sqrt(len(before))
