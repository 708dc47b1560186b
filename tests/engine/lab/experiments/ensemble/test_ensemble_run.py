"""The ensemble paper's experiments: policies taken or evolved, matches kept, and what follows from made-up ones."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.evolved.policy import NetworkSettings, StoredPolicy, policy_bytes, read_policy
from engine.agents.rule_based.people import PEOPLE
from engine.cli import main
from engine.figures.mean import Mean, is_clear
from engine.lab.evolution.checkpoint import read_checkpoint, write_checkpoint
from engine.lab.evolution.run import Job, Purpose, evolve, origin_of, result, seed_of
from engine.lab.evolution.settings import EvolutionError
from engine.lab.evolution.targets import BASE, EXPLOITERS, STYLES
from engine.lab.experiments.ensemble import figure10, figure11, grids, matches, table3, table4
from engine.lab.experiments.ensemble.base_runs import LAST, BaseRun, base_run
from engine.lab.experiments.ensemble.base_runs import SEEDS as SEEDS_OF_RUNS
from engine.lab.experiments.ensemble.ensemble_experiment import Measured, over_seeds
from engine.lab.experiments.ensemble.ensemble_run import ENSEMBLE_EXPERIMENTS, opened_ensemble
from engine.lab.experiments.ensemble.grids import FIGURE_8, FIGURE_9
from engine.lab.experiments.ensemble.matches import AGENTS, O_RANDOM, Match, Played, match_of, play_match
from engine.lab.experiments.ensemble.sets import (
    A_BASE,
    A_BY_STAGE,
    A_INT,
    A_STAR,
    A_TAR,
    SEEDS,
    SHIPPED,
    SHORT,
    PolicySet,
    evolved,
    jobs_of_sets,
    read_sets,
)
from engine.lab.experiments.experiment import Outcome, Setting
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import match
from engine.lab.matches.sharing import ALONE, Sharing

SHORT_SETTING = Setting(is_short=True)


def evolved_all(folder: Path) -> Path:
    """Evolve the sets of a short run."""
    for job in jobs_of_sets(SHORT_SETTING, folder):
        list(evolved(job, ALONE))
    return folder


@pytest.fixture(scope="module")
def evolved_sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evolved_all(tmp_path_factory.mktemp("sets"))


@pytest.fixture
def folder(evolved_sets: Path, tmp_path: Path) -> Path:
    """Return a copy of a folder with the sets of a short run, without their libraries."""
    return copytree(evolved_sets, tmp_path / "copy")


def test_what_is_missing_is_evolved_and_what_is_there_is_taken(folder: Path) -> None:
    assert jobs_of_sets(SHORT_SETTING, folder) == []
    sets = read_sets(SHORT_SETTING, folder)
    assert [one.seed for one in sets] == [2031, 2032]
    library = folder / "short-evolved-2031" / "styles.library"
    made = library.read_bytes()
    assert [one.digest for one in read_sets(SHORT_SETTING, folder)] == [one.digest for one in sets]
    assert len({one.digest for one in sets}) == 2
    assert list(sets[0].exploiters) == list(STYLES)
    assert sets[0].stored_bytes == len(made) + sum(file.stat().st_size for file in library.parent.glob("*.policy"))
    gone = folder / "short-evolved-2031" / "exploiter-o3.policy"
    gone.unlink()
    assert [job.policy for job in jobs_of_sets(SHORT_SETTING, folder)] == [gone]
    of_new = [job.target for job in jobs_of_sets(SHORT_SETTING, folder / "new")]
    assert of_new == 2 * [BASE, *EXPLOITERS], "the base first, with which the others begin"


def test_the_set_that_ships_stands_for_its_seed(tmp_path: Path) -> None:
    missing = jobs_of_sets(Setting(), tmp_path)
    assert [job.seed for job in missing] == [2032] * 9 + [2033] * 9
    assert {job.settings for job in missing} == {SHIPPED}
    (tmp_path / "evolved-2031").mkdir()
    assert [job.seed for job in jobs_of_sets(Setting(), tmp_path)][:9] == [2031] * 9
    shipped = read_policy(Path(__file__).parents[5] / "resources" / "evolved" / "base.policy")
    assert shipped.origin == origin_of(Job(BASE, SHIPPED, 2031, tmp_path))
    assert shipped.settings == SHIPPED.network


def replaced(folder: Path, origin: str, network: NetworkSettings = SHORT.network) -> Path:
    path = folder / "short-evolved-2032" / "base.policy"
    path.write_bytes(policy_bytes(StoredPolicy(network, np.zeros(network.weights, np.float32), origin)))
    return path


def test_sets_that_do_not_fit_are_refused_and_left_as_they_are(folder: Path) -> None:
    usual = origin_of(Job(BASE, SHORT, 2032, folder))
    other = folder / "short-evolved-2032" / "exploiter-o7.policy"
    kept, policy = other.read_bytes(), read_policy(other)
    origin = policy.origin.replace("2 generations of 12 from the base's last", "4 generations of 12")
    other.write_bytes(policy_bytes(replace(policy, origin=origin)))
    with pytest.raises(
        EvolutionError, match=r"evolved alike: o7 of seed 2032 was by .* the exploiter of o1 of seed 2031"
    ):
        read_sets(SHORT_SETTING, folder)
    other.write_bytes(kept)
    for origin, network, message in (
        (
            usual.replace("2032", "9"),
            SHORT.network,
            r"base\.policy is not base of seed 2032: it says 'base, ",
        ),
        (
            usual + ", survival 0.5",
            SHORT.network,
            r"^The policies of an experiment are evolved alike: base of ",
        ),
        (usual, NetworkSettings(opponent_width=2, game_width=2, head=()), r" with 444 weights\.$"),
    ):
        path = replaced(folder, origin, network)
        before = path.read_bytes()
        with pytest.raises(EvolutionError, match=message):
            read_sets(SHORT_SETTING, folder)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["evo-table3", "--agents", "nit"],
            "evo-table3 has agents and hands of its own; ",
        ),
        (["fig8-evo", "--matches", "5"], "fig8-evo has agents and hands of its own; "),
        (["fig9-evo", "--seed", "-1"], "The seed must be from 0 to "),
        (["fig11-evo", "--out", "{file}"], "{file}/ensemble.matches cannot be opened: "),
        (["evo-table6"], "Argument NAME: invalid choice: 'evo-table6' (choose from "),
        (
            ["evo-table3", "--short", "--out", "{folder}"],
            "{policy} is no policy: it lacks ",
        ),
    ],
)
def test_bad_input_is_a_sentence(
    folder: Path, refused: Callable[..., str], arguments: list[str], sentence: str
) -> None:
    file, policy = folder / "file", folder / "short-evolved-2031" / "exploiter-o2.policy"
    file.touch()
    policy.write_bytes(b"foreign")
    words = [word.format(file=file, folder=folder) for word in arguments]
    out = [] if "--out" in words else ["--out", str(folder)]
    assert refused("experiment", *words, *out, "--no-drawing", "--workers", "1").startswith(
        sentence.format(file=file, policy=policy)
    )
    assert policy.read_bytes() == b"foreign"


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path) -> None:
    job = Job(BASE, replace(SHORT, pairs=21), 2031, tmp_path / "short-evolved-2031")
    next(evolve(job))
    with (
        opened_ensemble(table3, SHORT_SETTING, tmp_path) as run,
        pytest.raises(
            EvolutionError, match=r"was begun with the pairs 21, and 20 is asked for; give another folder\.$"
        ),
    ):
        next(run.steps())


def test_only_a_finished_checkpoint_may_be_of_another_version(tmp_path: Path) -> None:
    job = Job(BASE, replace(SHORT, generations=2), 1, tmp_path)
    other = replace(job.header, sources="another")
    steps = evolve(job)
    next(steps)
    begun = read_checkpoint(job.checkpoint, job.header)
    assert begun is not None
    write_checkpoint(job.checkpoint, other, begun)
    with pytest.raises(EvolutionError, match="begun by another version of Soulread"):
        result(job)
    write_checkpoint(job.checkpoint, job.header, begun)
    list(evolve(job))
    finished, whole = result(job), read_checkpoint(job.checkpoint, job.header)
    assert finished is not None
    assert whole is not None
    write_checkpoint(job.checkpoint, other, whole)
    again = result(job)
    assert again is not None
    assert again.course.won == finished.course.won
    assert again.policy.weights.tolist() == finished.policy.weights.tolist()


def test_settings_that_differ_are_in_a_policys_origin(tmp_path: Path) -> None:
    assert origin_of(Job(BASE, SHIPPED, 5, tmp_path)) == (
        "base, seed 5: 300 generations of 100, 1000 hands for each evaluation"
    )
    assert origin_of(Job(EXPLOITERS[2], SHIPPED, 5, tmp_path)) == (
        "exploiter-o3, seed 5: 40 generations of 100 from the base's last, 1000 hands for each evaluation"
    )
    survival = replace(SHIPPED, breeding=replace(SHIPPED.breeding, survival=0.5))
    assert origin_of(Job(BASE, survival, 5, tmp_path)).endswith("evaluation, survival 0.5")


def test_a_match_by_kernels_is_that_of_the_ordinary_table(folder: Path) -> None:
    one = read_sets(SHORT_SETTING, folder)[0]
    path = folder / "short-evolved-2031" / "base.policy"
    *_, expected = match(MatchPlan((str(path), "o2"), 2, 100, 7, None, matches.GAME), clock=lambda: 0.0)
    played = play_match(match_of(A_BASE, "o2", one, 7, 100), one)
    assert played.mean == pytest.approx(expected.styles[0].win_rate.bb_per_100 / 100)
    assert played.stderr == pytest.approx(expected.styles[0].win_rate.stderr / 100)
    curve = play_match(match_of(A_STAR, O_RANDOM, one, 7, 1200), one).curve
    assert len(curve) == 2
    assert curve[0] == pytest.approx(play_match(match_of(A_STAR, O_RANDOM, one, 7, 500), one).mean)


def test_decks_are_not_those_that_policies_were_evolved_on(folder: Path) -> None:
    sets = [replace(one, digest=str(one.seed)) for one in read_sets(SHORT_SETTING, folder)]
    played = {match.seed for match, _ in table3.matches(Setting(), sets)}
    training = {
        seed_of(seed, purpose, target) for seed in SEEDS for purpose in Purpose for target in (*EXPLOITERS, BASE)
    }
    assert len(played) == 1 + len(sets) * max(table3.STYLE_BLOCKS, table3.RANDOM_BLOCKS)
    assert not played & training


def test_matches_whose_errors_are_added_have_decks_of_their_own(folder: Path) -> None:
    sets = [replace(one, digest=str(one.seed)) for one in read_sets(SHORT_SETTING, folder)]
    seeds: dict[tuple[str, str], list[int]] = {}
    for one, _ in table4.matches(Setting(), sets):
        if one.rival in PEOPLE:
            seeds.setdefault((one.agent, one.policies), []).append(one.seed)
    assert len(seeds) == len(sets) + 3, "A* of each set, Soulread, FOLD, near-equilibrium"
    for of_one in seeds.values():
        assert len(of_one) == len(set(of_one)) == len(PEOPLE)


def made_up(setting: Setting, sets: list[PolicySet], wins: dict[str, float]) -> dict[Match, Played]:
    """Return matches in which agents win so much, a little more with each set and each next match."""
    found = {}
    for number, (one, policies) in enumerate(table3.matches(setting, sets)):
        if policies is None:
            assert one.agent == table3.NEAR_EQUILIBRIUM
            found[one] = Played(one, 0.75, 0.25)
            continue
        mean = wins[one.agent] + 0.1 * (policies.seed - 2031) + 0.01 * (number % 2)
        curve = tuple(mean + 0.01 * at for at in range(one.hands // matches.POINT_HANDS))
        found[one] = Played(one, mean, 0.2, curve)
    return found


@pytest.fixture
def three_sets(folder: Path) -> list[PolicySet]:
    one = read_sets(SHORT_SETTING, folder)[0]
    return [replace(one, seed=seed, digest=str(seed)) for seed in SEEDS]


def test_table_3_tells_whether_the_papers_order_comes_out(three_sets: list[PolicySet], tmp_path: Path) -> None:
    wins = {A_STAR: 4.0, A_BASE: 3.0, A_INT: 2.0, "a-ave": -1.0, A_TAR: 5.0, A_BY_STAGE: -0.5}
    played = made_up(SHORT_SETTING, three_sets, wins)
    outcome = table3.outcome(SHORT_SETTING, Measured(tmp_path, three_sets, played))
    assert "the paper's order, every gap clear of zero" in outcome.paragraph
    assert f"The exploiters are first against {', '.join(STYLES[:-1])} and {STYLES[-1]}." in outcome.paragraph
    rows = {(row.player, row.against, row.measure.split(";")[0]): row for row in outcome.rows}
    star = rows[A_STAR, O_RANDOM, "mbb a hand"]
    assert star.value == pytest.approx(4100 + 5, abs=6)
    assert star.stderr == pytest.approx(100 / 3**0.5, abs=4)
    assert (star.count, star.paper) == (3, 6359)
    assert rows[A_STAR, "o1", "mbb a hand, error of the deals alone"].stderr == pytest.approx(200 / 6**0.5)
    near = rows[table3.NEAR_EQUILIBRIUM, "o8", "mbb a hand, luck of the board taken out"]
    assert (near.value, near.stderr, near.count, near.paper) == (750, 250, 20, 2449)
    assert all("750 ± 250" in line for line in outcome.table.splitlines()[1:10])
    turned = table3.outcome(
        SHORT_SETTING,
        Measured(tmp_path, three_sets, made_up(SHORT_SETTING, three_sets, wins | {A_INT: 4.5, A_TAR: 1.0})),
    ).paragraph
    assert "A-int 4,6" in turned
    assert "not the paper's order with clear gaps" in turned
    assert "surely behind against o1 (" in turned


def test_a_point_of_figure_11_is_the_mean_of_the_last_hands(three_sets: list[PolicySet], tmp_path: Path) -> None:
    wins = dict.fromkeys((*AGENTS, A_BY_STAGE), 1.0)
    played = made_up(SHORT_SETTING, three_sets, wins)
    rows = figure11.outcome(SHORT_SETTING, Measured(tmp_path, three_sets, played)).rows
    of_star = {row.at: row for row in rows if row.player == A_STAR}
    assert list(of_star) == [5000, 5500, 6000, 6500, 7000]
    base = 1.1 + 0.005
    assert of_star[5000].value == pytest.approx(1000 * (base + 0.01 * np.mean(range(10))), abs=6)
    assert of_star[5500].value - of_star[5000].value == pytest.approx(10)


def test_a_mean_over_seeds_is_sure_by_students_t() -> None:
    values = [[Mean(value, 0.1, 10)] for value in (1.0, 2.0, 3.0)]
    found = over_seeds(values)
    assert found.mean.stderr == pytest.approx(1 / 3**0.5)
    # The 97.5% quantile of Student's t with two degrees of freedom is 4.3027, not 1.96.
    assert is_clear(Mean(4.31, 1.0, 3))
    assert not is_clear(Mean(4.29, 1.0, 3))
    assert not is_clear(Mean(100.0, None, 1))
    assert not found.is_sure
    assert over_seeds([[Mean(value, 0.1, 10)] for value in (2.0, 2.1, 2.2)]).is_sure


def test_a_grid_takes_the_usual_base_of_every_seed_from_the_other_figures(tmp_path: Path) -> None:
    usual = {job for job in figure10.jobs(Setting(), tmp_path) if job.target == BASE}
    assert len(usual) == len(SEEDS_OF_RUNS)
    for grid in (FIGURE_8, FIGURE_9):
        jobs = grid.jobs(Setting(), tmp_path)
        assert usual <= set(jobs)
        assert len(jobs) == len(SEEDS_OF_RUNS) + 2 * (len(grid.values) - 1) == len({job.folder for job in jobs})
        assert [job.seed for job in jobs] == sorted(job.seed for job in jobs)
    assert {job.settings.breeding.survivors for job in FIGURE_9.jobs(Setting(), tmp_path)} == {5, 10, 25, 50, 75}


def test_a_grid_says_what_is_sure_by_how_seeds_differ_at_all_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: dict[float, tuple[float, ...]] = dict.fromkeys(FIGURE_9.values, (0.2, 0.2))
    ends |= {0.05: (0.1, 0.2), 0.25: (0.5, 0.6, 0.55), 0.75: (0.3, 0.7)}

    def made_up_run(job: Job) -> BaseRun:
        end = ends[job.settings.breeding.survival][SEEDS_OF_RUNS.index(job.seed)]
        return BaseRun(np.full(LAST, end), 10 * end)

    monkeypatch.setattr(grids, "base_run", made_up_run)
    outcome = FIGURE_9.outcome(Setting(), Measured(tmp_path, [], {}))
    # Squares about the means: 2 * 0.05^2, 0, 2 * 0.05^2, 0, 2 * 0.2^2; of eleven runs at five values.
    spread = (0.09 / 6) ** 0.5
    error = spread * (1 / 3 + 1 / 2) ** 0.5
    assert f"With 0.25 it ends with 0.550 ± {spread / 3**0.5:.3f}: +0.400 ± {error:.3f} over that with 0.05" in (
        outcome.paragraph
    )
    assert f" and +0.050 ± {error:.3f} over that with 0.75, not clear of zero (clear of" in outcome.paragraph
    assert 0.4 > 2.4469 * error > 0.05, "Student's t with six degrees of freedom"
    assert "by Student's t with 6 degrees of freedom" in outcome.paragraph
    rows = {(row.at, row.measure.split(" of the ")[0]): row for row in outcome.rows}
    assert (rows[0.25, "mean fitness"].value, rows[0.25, "mean fitness"].count) == (pytest.approx(0.55), 3)
    assert rows[0.25, "big blinds a hand"].value == pytest.approx(5.5)
    assert rows[0.5, "mean fitness"].stderr == pytest.approx(spread / 2**0.5), "though its two runs are alike"


def test_what_a_base_came_to_is_read_from_its_checkpoint(tmp_path: Path) -> None:
    job = FIGURE_9.jobs(SHORT_SETTING, tmp_path)[0]
    assert job.settings.breeding.survival == 0.25
    for curve in evolve(job):
        last = curve
    run = base_run(job)
    assert run.last_fitness == pytest.approx(last[-LAST:, 0].mean())
    tested = result(job)
    assert tested is not None
    assert run.won == pytest.approx(np.mean([won.mean for won in tested.course.won.values()]))


def outcome_of(name: str, folder: Path, executor: ThreadPoolExecutor | None) -> Outcome:
    with opened_ensemble(ENSEMBLE_EXPERIMENTS[name], SHORT_SETTING, folder) as run:
        *_, last = run.steps(Sharing(executor))
        assert last.outcome is not None
        assert last.done == last.total
        return last.outcome()


@pytest.mark.slow
def test_any_number_of_workers_finds_the_same(folder: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        shared = outcome_of("fig11-evo", folder, executor)
        bases = outcome_of("fig10-evo", folder, executor)
    assert shared == outcome_of("fig11-evo", evolved_all(tmp_path / "other"), None)
    assert bases == outcome_of("fig10-evo", tmp_path / "other", None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENSEMBLE_EXPERIMENTS)
def test_a_short_run_of_each(
    name: str, evolved_sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    out = copytree(evolved_sets, tmp_path / "out")
    words = ["experiment", name, "--short", "--out", str(out)]
    assert main(words) == 0
    first = capsys.readouterr()
    title, *tables, paragraph = first.out.rstrip().split("\n\n")
    assert title == ENSEMBLE_EXPERIMENTS[name].TITLE
    assert tables
    assert paragraph.startswith(ENSEMBLE_EXPERIMENTS[name].PAPER)
    drawn = (out / f"{name}.svg").read_bytes()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    # What is kept is not done again.
    assert main(words) == 0
    assert capsys.readouterr() == first
    assert (out / f"{name}.svg").read_bytes() == drawn
