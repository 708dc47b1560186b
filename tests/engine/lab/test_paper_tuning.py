"""The search on functions with known minima, and the tuning on hands played by chance."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.fold.opponent_model import default_domains
from engine.agents.fold.parameters import (
    Memory,
    TunedNumbers,
    default_parameters,
    parse_numbers,
    tuned_numbers,
)
from engine.cards import CLASS_COUNT, class_name
from engine.game.phh import sections
from engine.lab.paper_points import collect
from engine.lab.paper_tuning import (
    NARROWEST,
    Coordinate,
    FileLoss,
    HandsOfFile,
    TuningResult,
    behaviour_at,
    coordinates_of,
    counted_ranking,
    descend,
    divided,
    main,
    mean_loss,
    preflop_behaviour_at,
    preflop_coordinates,
    resource_text,
    tune,
    tune_behaviour,
)
from engine.resources import read_text
from tests.conftest import SHARED
from tests.engine.lab.recorded import random_hand

BEHAVIOUR = default_parameters().behaviour
HANDS = [random_hand(seed) for seed in range(12)]


def random(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# The search


def test_it_finds_the_bottom_of_a_bowl_and_the_edge_of_a_slope() -> None:
    coordinates = [Coordinate("x", 0.0, 1.0, -9.0, 9.0), Coordinate("y", 0.0, 1.0, -2.0, 2.0)]
    found, loss = descend(lambda at: (at["x"] - 3) ** 2 + at["y"], coordinates, random())
    assert found["x"] == pytest.approx(3.0, abs=0.05)
    assert found["y"] == -2.0
    assert loss == pytest.approx(-2.0, abs=0.05**2)


def test_it_never_leaves_the_bounds_nor_gets_worse() -> None:
    seen: list[float] = []
    best: list[float] = []

    def loss(at: dict[str, float]) -> float:
        seen.append(at["x"])
        best.append(min([*best[-1:], np.cos(5 * at["x"])]))
        return float(np.cos(5 * at["x"]))

    found, least = descend(loss, [Coordinate("x", 0.1, 0.3, 0.0, 1.0)], random())
    assert min(seen) >= 0.0
    assert max(seen) <= 1.0
    assert least == best[-1] == np.cos(5 * found["x"])


def test_the_search_begins_where_the_behaviour_is() -> None:
    for behaviour in (BEHAVIOUR, tuned_numbers().behaviour):
        numbers = {one.name: one.start for one in coordinates_of(behaviour)}
        again = behaviour_at(numbers, behaviour)
        for name in ("theta", "multiway"):
            assert getattr(again, name) == pytest.approx(getattr(behaviour, name), abs=1e-3)
        for group in ("cut_points", "baselines", "temper"):
            for field in (old := getattr(behaviour, group)).__struct_fields__:
                # Rounded to 1e-4, and a place in a narrow domain is kept between 2% and 98% of it.
                assert getattr(getattr(again, group), field) == pytest.approx(getattr(old, field), abs=2e-3)
        opening = {one.name: one.start for one in preflop_coordinates(behaviour)}
        assert preflop_behaviour_at(opening, behaviour).theta_preflop == pytest.approx(behaviour.theta_preflop)


@given(st.data())
def test_whatever_it_tries_is_a_behaviour_with_domains_wide_enough(data: st.DataObject) -> None:
    numbers = {one.name: data.draw(st.floats(one.low, one.high)) for one in coordinates_of(BEHAVIOUR)}
    behaviour = behaviour_at(numbers, BEHAVIOUR)
    for domain in default_domains(behaviour):
        assert domain.high - domain.low >= NARROWEST - 2e-4
        assert domain.low <= domain.baseline <= domain.high
    assert behaviour.temper.preflop == BEHAVIOUR.temper.preflop


# The ranking


def test_the_ranking_names_every_class_and_follows_what_is_played() -> None:
    ranking = counted_ranking(HANDS).split()
    assert sorted(ranking) == sorted(class_name(one) for one in range(CLASS_COUNT))
    # Without a hand it is the ranking by equity: aces first, 32o among the last.
    nothing = counted_ranking([]).split()
    assert nothing[0] == "AA"
    assert nothing.index("32o") > 150


# The tuning


def test_tuning_never_loses_on_what_it_is_tuned_on() -> None:
    points = collect(HANDS[:3], default_parameters())
    before = mean_loss([points], BEHAVIOUR)
    found = tune_behaviour([points], BEHAVIOUR, counted_ranking(HANDS), random())
    assert mean_loss([points], found) < before
    assert found.quantiles == BEHAVIOUR.quantiles


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers() -> None:
    files = [HandsOfFile("one", HANDS[:4], HANDS[4:6]), HandsOfFile("two", HANDS[6:10], HANDS[10:])]
    first, again = (tune(files, 5, memory_hands=2) for _ in range(2))
    assert first == again
    assert [(row.file, row.hands, row.tested) for row in first.files] == [("one", 4, 2), ("two", 4, 2)]


def test_what_is_written_can_be_read() -> None:
    rows = (FileLoss("a.phhs", 8, 2, 7.4, 6.3, 7.5, 6.4, 0.1),)
    numbers = TunedNumbers(tuned_numbers().behaviour, Memory(20.0, 15.0, 15.0, 1e6, 10.0))
    text = resource_text(TuningResult(numbers, rows, 3))
    assert parse_numbers(text, TunedNumbers) == numbers
    assert "a.phhs: 8 hands tuned on 7.400 -> 6.300, 2 others 7.500 -> 6.400 +- 0.100" in text


def test_the_resource_says_where_it_comes_from() -> None:
    head = read_text("paper_tuned.toml").split("[behaviour]")[0]
    for said in ("engine/lab/paper_tuning.py", "Seed", "pluribus.phhs", "bovada_6max.phhs"):
        assert said in head


# The command


def test_bad_input_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.phhs"
    empty.write_text("", encoding="utf-8")
    for arguments, said in (
        ([str(tmp_path / "none.phhs")], "cannot be read"),
        ([str(empty)], "no hand to tune on"),
        ([str(empty), "--hands", "1"], "At least 5 hands"),
        ([str(empty), "--seed", "-1"], "seed"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1


@pytest.mark.shared
def test_every_fifth_hand_is_kept_apart(tmp_path: Path) -> None:
    path, every = tmp_path / "some.phhs", sections(SHARED / "data" / "hands" / "acpc2014_3p_limit.phhs")
    path.write_bytes(b"".join(b"[%s]\n%s" % (name.encode(), section) for name, section in islice(every, 500)))
    file = divided(path, 50, random())
    assert (len(file.training), len(file.testing)) == (40, 10)
    everything = divided(path, None, random())
    assert (len(everything.training), len(everything.testing)) == (400, 100)
    names = {hand.name for hand in everything.testing}
    assert all(hand.name in names for hand in file.testing)
