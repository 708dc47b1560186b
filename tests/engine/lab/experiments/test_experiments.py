"""What follows from matches: each experiment on made-up ones, counted by hand, and on a few really played."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.styles import FOLD_2017, SOULREAD, UnknownStyleError
from engine.lab.experiments.contestants import PROGRAMS, VARIANTS, make_contestant
from engine.lab.experiments.drawing import save
from engine.lab.experiments.experiment import Row, Setting
from engine.lab.experiments.figures import figure4, figure5, figure8, figure9, figure10, figure11, figure12, table3
from engine.lab.experiments.files import FigureError
from engine.lab.experiments.picture import Bars, Cells, Curve
from engine.lab.experiments.records import START, MatchRecord, Task, open_record_file
from engine.lab.experiments.running import EXPERIMENTS, FoldRun, finished, tasks_of
from engine.lab.matches.sharing import Sharing
from tests.engine.lab.experiments.made import made

NIT, OTHERS = PROGRAMS[0], PROGRAMS[1:]
HERO = Setting((FOLD_2017,), matches=4)


def rows_of(
    module: ModuleType, setting: Setting, records: Mapping[Task, MatchRecord]
) -> dict[tuple[str, ...], Row]:
    rows = EXPERIMENTS[name_of(module)].outcome(setting, records).rows
    found = {(row.player, row.against, row.measure, str(row.at)): row for row in rows}
    assert len(found) == len(rows)
    return found


def name_of(module: ModuleType) -> str:
    return next(name for name, one in EXPERIMENTS.items() if one is module)


def test_a_cross_table_counts_matches_and_chips() -> None:
    def make(task: Task, name: str) -> tuple[float, int]:
        if set(task.players) == {FOLD_2017, NIT}:
            wins = task.number < 3  # three of four
        else:
            wins = task.players.index(name) == 0
            return (1.0, 1000) if wins else (2.0, -1000)
        return (1.0, 800) if wins == (name == FOLD_2017) else (2.0, -800)

    records = made(table3, HERO, make)
    assert len(records) == 28 * 4
    rows = rows_of(table3, HERO, records)
    row = rows[FOLD_2017, NIT, "wins", "None"]
    assert (row.value, row.count) == (0.75, 4)
    assert row.stderr == pytest.approx(0.25)
    assert rows[NIT, FOLD_2017, "chips won less lost", "None"].value == -400
    total = rows[FOLD_2017, "all", "wins", "None"]
    assert (total.value, total.paper) == (pytest.approx((6 + 0.75) / 7), 0.89)
    assert total.stderr == pytest.approx(0.25 / 7)
    assert rows["lead keeper", "all", "wins", "None"].paper == 0.69  # it stands for HC
    words = table3.outcome(HERO, records).paragraph
    assert "who beats whom is transitive, unlike in the paper." in words


def test_a_circle_is_found() -> None:
    beats = {(FOLD_2017, NIT), (NIT, OTHERS[0]), (OTHERS[0], FOLD_2017)}

    def make(task: Task, name: str) -> tuple[float, int]:
        one, other = task.players
        winner = other if (other, one) in beats else one
        return (1.0, 5) if name == winner else (2.0, -5)

    words = table3.outcome(HERO, made(table3, HERO, make)).paragraph
    assert "FOLD 2017, Nit and Lead keeper beat each other in a circle." in words


def test_agreement_of_rankings() -> None:
    """The eight stand alike in each match but for the last two, who change places in every fourth one."""
    setting = Setting((FOLD_2017,), matches=40)

    def make(task: Task, name: str) -> tuple[float, int]:
        place = task.players.index(name)
        if task.number % 4 == 0 and place >= 6:
            place = 13 - place
        return 1.0 + place, 0

    rows = rows_of(figure8, setting, made(figure8, setting, make))
    against, measure = "ranking after 40 matches", "agreement; its standard deviation over choices of matches"
    one, all_ = (rows[FOLD_2017, against, measure, at] for at in ("1", "40"))
    # Of one match the pair stands wrong in a quarter of all choices, and the other 27 never.
    assert one.value == pytest.approx(1 - 0.25 / 28, abs=4 * (0.25 * 0.75 / 400) ** 0.5 / 28)
    assert (all_.value, all_.stderr) == (1.0, 0.0)
    assert rows[FOLD_2017, "", "standard error of the agent's mean rank over that rank", "40"].value == 0.0


def test_opponents_are_drawn_for_each_match() -> None:
    setting = Setting((FOLD_2017, SOULREAD), matches=30)
    tasks = figure9.tasks(setting)
    assert len(tasks) == 30 * 7 * 2
    for size in range(2, 9):
        of_size = [task.players for task in tasks if len(task.players) == size]
        drawn = [others for agent, *others in of_size if agent == FOLD_2017]
        assert drawn == [others for agent, *others in of_size if agent == SOULREAD]
        assert {other for others in drawn for other in others} == set(PROGRAMS)
        assert all(len(set(others)) == size - 1 for others in drawn)
    rows = rows_of(
        figure9, HERO, made(figure9, HERO, lambda task, name: (1.5 if name == FOLD_2017 else 2.0, task.number))
    )
    assert rows[FOLD_2017, "", "rank", "5"].value == 1.5
    assert rows[FOLD_2017, "", "chips left", "8"].value == START + 1.5
    words = figure9.outcome(HERO, made(figure9, HERO, lambda task, name: (2.0, 0))).paragraph
    assert "with 2, 3, 4, 5, 6, 7, 8 players" in words


@pytest.mark.parametrize("module", [figure9, table3])
def test_one_of_the_programs_is_measured_among_the_other_six(module: ModuleType) -> None:
    setting = Setting((NIT,), matches=2)
    records = made(module, setting, lambda task, name: (1.0 + task.players.index(name), 0))
    assert {len(set(task.players)) for task in records} == ({2} if module is table3 else {2, 3, 4, 5, 6, 7})
    assert all(len(set(task.players)) == len(task.players) for task in records)
    picture = EXPERIMENTS[name_of(module)].outcome(setting, records).picture
    curves = [mark for line in picture.lines for panel in line for mark in panel.marks if isinstance(mark, Curve)]
    assert curves
    assert all(len(curve.x) == len(curve.y) for curve in curves)


def test_curves_are_means_over_the_first_matches() -> None:
    setting = Setting((FOLD_2017,), matches=12)
    records = made(figure10, setting, lambda task, name: (1.0, 100 * task.number if name == FOLD_2017 else -5))
    outcome = figure10.outcome(setting, records)
    found = {row.count: row for row in outcome.rows if row.player == FOLD_2017 and row.at == 300}
    assert {count: row.value for count, row in found.items()} == {1: 4000, 10: 4450, 12: 4550}
    assert found[1].stderr is None
    assert found[10].stderr == pytest.approx(100 * np.arange(10).std(ddof=1) / 10**0.5)
    assert "leads from hand 10 on to the end" in outcome.paragraph
    assert "as the only leader in 100% of all" in outcome.paragraph
    two = Setting((FOLD_2017,), matches=2)
    ahead = made(figure10, two, lambda task, name: (1.0, 100 + 200 * task.number if name == FOLD_2017 else -5))
    words = figure10.outcome(two, ahead).paragraph
    assert "there by 205 ± 100 chips, which is no sure lead" in words, "two matches take 12.7 standard errors"
    behind = made(figure10, setting, lambda task, name: (1.0, 100 if name == NIT else -5))
    assert "ends behind Nit, unlike in the paper" in figure10.outcome(setting, behind).paragraph


def test_standings_of_eight() -> None:
    records = made(
        figure11, HERO, lambda task, name: (1.0 + task.players.index(name), 1000 * (1 + task.players.index(name)))
    )
    rows = rows_of(figure11, HERO, records)
    assert rows[NIT, "", "rank", "None"].value == 2.0
    assert rows[NIT, "", "fluctuation, millions of chips squared", "None"].value == 4.0
    words = figure11.outcome(HERO, records).paragraph
    assert "FOLD 2017 is the best in rank and hands survived and number 8 in chips left" in words
    assert "0.0 times the mean of the others, number 8 of 8, unlike in the paper" in words


def test_what_is_left_out_is_compared_match_by_match() -> None:
    def make(task: Task, name: str) -> tuple[float, int]:
        if name == "fold-2017:draws=off":
            return 2.0 + task.number + (task.number == 0) * 0.4, 0
        return 2.0 + task.number, 0

    records = made(figure12, HERO, make)
    rows = rows_of(figure12, HERO, records)
    worse = rows["fold-2017 without draws", FOLD_2017, "rank less the whole agent's", "None"]
    assert worse.value == pytest.approx(0.1)
    assert worse.stderr == pytest.approx(0.1)
    words = figure12.outcome(HERO, records).paragraph
    assert "without draws its mean rank is 2.9% ± 2.9% worse, whose interval of 95% holds the paper's 0.8%" in words
    assert "without reading its mean rank is 0.0% ± 0.0%" in words
    with pytest.raises(FigureError, match=r"^Figure 12 leaves out parts of fold-2017 and soulread; .* of nit\.$"):
        figure12.tasks(Setting(("nit",)))


def test_shares_of_actions() -> None:
    rows = rows_of(figure5, HERO, made(figure5, HERO, lambda task, name: (1.0, 0)))
    assert rows[NIT, "", "share of actions: raise river", "None"].value == 0.4
    assert sum(row.value for (player, *_), row in rows.items() if player == NIT) == pytest.approx(4)
    assert "in 0%" in figure5.outcome(HERO, made(figure5, HERO, lambda task, name: (1.0, 0))).paragraph


def test_every_variant_plays() -> None:
    names = [variant.style for variants in VARIANTS.values() for variant in variants]
    assert len(set(names)) == 8
    for name in names:
        assert make_contestant(name).style == name


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (Setting(matches=1), "An experiment has 2 to 10,000 matches of each line-up, not 1."),
        (Setting(matches=10_001), "An experiment has 2 to 10,000 matches of each line-up, not 10,001."),
        (Setting(seed=-1), "The seed must be from 0 to "),
        (Setting(("nit", "nit")), "The agent 'nit' is named twice."),
    ],
)
def test_what_cannot_be_run_is_refused(setting: Setting, message: str) -> None:
    with pytest.raises(FigureError) as caught:
        tasks_of(figure11, setting)
    assert str(caught.value).startswith(message)
    with pytest.raises(UnknownStyleError):
        tasks_of(figure11, Setting(("psychic",)))


def test_sampled_win_rates_err_as_independent_deals_do() -> None:
    rows = figure4.outcome(Setting((FOLD_2017,), is_short=True), {}).rows
    errors = {row.at: row for row in rows if row.measure.startswith("root mean square")}
    for deals in (50, 4000):
        # No variance of a share of the pot is above a quarter, nor those of twelve situations near 0 all.
        assert 0.1 / deals**0.5 < errors[deals].value < 0.5 / deals**0.5 * 1.5
    assert errors[50].count == 12
    assert any(row.measure == "exact: seconds; count: situations" and row.value > 0 for row in rows)


@pytest.mark.every(3)
@pytest.mark.parametrize("name", ["fig5", "fig8", "table3", "fig9", "fig10", "fig11"])
def test_matches_really_played_become_a_figure(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    setting = Setting(("tight-passive",), matches=2, is_short=True)
    tasks = tasks_of(EXPERIMENTS[name], setting)
    with open_record_file(tmp_path / "kept", tasks) as kept:
        assert len(list(finished(tasks, kept))) == len(tasks)
        outcome = EXPERIMENTS[name].outcome(setting, kept)
    assert outcome.rows
    assert all(np.isfinite(row.value) for row in outcome.rows)
    save(outcome.picture, tmp_path / "figure.svg")
    first = (tmp_path / "figure.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")
    save(outcome.picture, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == first


@pytest.mark.parametrize("name", ["fig5", "fig8", "table3", "fig9", "fig10", "fig11", "fig12"])
def test_pictures_are_whole(name: str) -> None:
    setting = Setting((FOLD_2017, SOULREAD), matches=3)
    records = made(EXPERIMENTS[name], setting, lambda task, player: (1.0 + task.players.index(player), task.number))
    picture = EXPERIMENTS[name].outcome(setting, records).picture
    assert len({len(line) for line in picture.lines}) == 1
    assert len(picture.weights) in (0, len(picture.lines))
    for panel in (panel for line in picture.lines for panel in line):
        assert panel.marks
        for mark in panel.marks:
            if isinstance(mark, Curve):
                for values in (mark.x_errors, mark.y_errors, mark.band):
                    assert len(values) in (0, len(mark.x))
                assert len(mark.x) == len(mark.y) > 0
            elif isinstance(mark, Bars):
                assert {len(mark.widths)} >= {len(mark.colours), len(mark.starts) or len(mark.widths)}
                assert len(panel.up.ticks) == len(mark.widths)
            elif isinstance(mark, Cells):
                assert [len(line) for line in mark.shares] == [len(line) for line in mark.words]
                assert len(panel.across.ticks) == len(mark.shares[0])


@pytest.mark.parametrize("name", ["fig11", "table3"])
def test_an_experiment_is_run_step_by_step(name: str, tmp_path: Path) -> None:
    """What is finished of all line-ups is shown while the rest is played, and the last step is the whole."""
    experiment, setting = EXPERIMENTS[name], Setting(("tight-passive", "nit"), matches=4, is_short=True)
    tasks = tasks_of(experiment, setting)
    of_a_number = len(tasks) // 4
    with open_record_file(tmp_path / "kept", tasks) as kept:
        *_, (done, total, _, parts) = islice(FoldRun(experiment, setting, kept).steps(), of_a_number)
        assert (done, total, parts) == (of_a_number - 1, len(tasks), "matches")
    with open_record_file(tmp_path / "kept", tasks) as kept:
        outcomes = []
        for step in FoldRun(experiment, setting, kept).steps():
            assert step.done == len(kept)
            whole = step.done // of_a_number
            assert (step.outcome is not None) is (whole >= 2)
            if step.outcome is not None and step.done % of_a_number == 0:
                outcomes.append(step.outcome())
        expected = [experiment.outcome(replace(setting, matches=count), dict(kept)) for count in (2, 3, 4)]
        assert outcomes == expected
        again = list(FoldRun(experiment, setting, kept).steps())
    assert [step.done for step in again] == [len(tasks)]


def test_figure_4_shows_what_is_measured_while_it_is(tmp_path: Path) -> None:
    setting = Setting((FOLD_2017,), is_short=True)
    hands: list[int] = []
    with open_record_file(tmp_path / "kept", []) as kept:
        found = list(FoldRun(figure4, setting, kept).steps(Sharing(note=hands.append)))
    assert [step.done for step in found] == list(range(13))
    assert {(step.total, step.parts) for step in found} == {(12, "situations")}
    assert hands
    for step in found[1:]:
        assert step.outcome is not None
        rows = step.outcome().rows
        assert {row.count for row in rows if row.measure.startswith("root mean square")} == {step.done}
