"""Top-Z accuracies against counting with loops, and what is scored and what is only learned."""

import csv
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path

import pytest

from engine.agents.markov import MarkovModel, MarkovReader, hand_categories
from engine.agents.readers import UnknownReaderError, make_reader
from engine.cards import combo_of
from engine.game.phh import PhhFileError, RecordedHand, SkippedHand, read_hands
from engine.lab.experiments.drawing import check_drawing, save
from engine.lab.experiments.figures.figure7 import Comparison, TopZ, as_table, picture_of, readers_of
from engine.lab.experiments.files import FigureError, as_csv
from engine.lab.held_out import hands_to_compare
from engine.lab.markov_training import count_hand, empty_counts
from engine.lab.reading import decision_points
from tests.engine.lab.test_markov_training import HAND, OTHER

THIRD = HAND.replace("KcKd", "8d8s").replace("Ah6c", "Qh7d").replace("2h3c", "AsJs")
STREETS = ["preflop", "flop", "turn", "river", "all"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.phhs"
    hands = [HAND, OTHER, "\nvariant = 'PO'\n", THIRD, OTHER, HAND, THIRD]
    path.write_text("".join(f"[{number}]{text}" for number, text in enumerate(hands)), encoding="utf-8")
    return path


def compared(file: Path, *readers: str) -> dict[tuple[str, str, int], TopZ]:
    comparison = Comparison("some", [make_reader(name) for name in readers])
    for hand in read_hands(file):
        if isinstance(hand, RecordedHand):
            comparison.score(hand)
    return {(row.reader, row.street, row.z): row for row in comparison.rows()}


def hits_by_loops(file: Path, name: str) -> dict[str, list[tuple[int, list[bool]]]]:
    """Whether the truth is in the top 1, 2, 3, point by point with its hand's number; masses are sums by loops."""
    reader = make_reader(name)
    found = defaultdict(list)
    hands = [hand for hand in read_hands(file) if isinstance(hand, RecordedHand)]
    for number, hand in enumerate(hands):
        for point in decision_points(hand):
            if not point.is_live:
                continue
            posterior = reader.predict(point.observation, point.target).posterior
            categories = hand_categories(point.observation.board)
            masses: dict[int, float] = defaultdict(float)
            for combo, probability in enumerate(posterior.tolist()):
                masses[int(categories[combo])] += probability
            best = sorted(masses, key=lambda category: -masses[category])[:3]
            truth = int(categories[combo_of(*hand.hole_cards[point.target])])
            hit = [truth in best[:z] for z in (1, 2, 3)]
            found[point.street.name.lower()].append((number, hit))
            found["all"].append((number, hit))
        reader.learn(hand.events)
    return found


def clustered(values: list[tuple[int, float]]) -> float:
    """The standard error of a mean, hands taken as single observations: Cochran 1977, sec. 6.3, by loops."""
    mean = sum(value for _, value in values) / len(values)
    sums: dict[int, float] = defaultdict(float)
    for number, value in values:
        sums[number] += value - mean
    count = len(sums)
    return sqrt(count / (count - 1) * sum(one * one for one in sums.values())) / len(values)


@pytest.mark.parametrize("readers", [("paper", "markov"), ("markov", "uniform"), ("uniform",)])
def test_accuracies_and_gains_are_what_loops_count(file: Path, readers: tuple[str, ...]) -> None:
    rows = compared(file, *readers)
    assert len(rows) == len(readers) * len(STREETS) * 3
    hits = {name: hits_by_loops(file, name) for name in readers}
    assert len({hand for hand, _ in hits[readers[0]]["all"]}) == 6
    for (name, street, z), row in rows.items():
        mine = hits[name][street]
        assert (row.source, row.points, row.hands) == ("some", len(mine), len({hand for hand, _ in mine}))
        if not mine:
            assert (row.accuracy, row.stderr, row.gain, row.gain_stderr) == (None, None, None, None)
            continue
        values = [(hand, float(hit[z - 1])) for hand, hit in mine]
        assert row.accuracy == pytest.approx(sum(value for _, value in values) / len(values))
        assert row.stderr == pytest.approx(clustered(values))
        if "markov" not in readers or name == "markov":
            assert (row.gain, row.gain_stderr) == (None, None)
            continue
        gains = [
            (hand, float(hit[z - 1]) - float(other[z - 1]))
            for (hand, hit), (_, other) in zip(mine, hits["markov"][street], strict=True)
        ]
        assert row.gain == pytest.approx(sum(value for _, value in gains) / len(gains))
        assert row.gain_stderr == pytest.approx(clustered(gains))


def test_more_categories_hold_more(file: Path) -> None:
    rows = compared(file, "paper", "uniform")
    for reader in ("paper", "uniform"):
        for street in STREETS:
            shares = [rows[reader, street, z].accuracy for z in (1, 2, 3)]
            if shares[0] is not None:
                assert shares == sorted(shares)  # type: ignore[type-var]


def names(file: Path, **options: object) -> list[tuple[str, bool]]:
    return [(hand.name, is_scored) for hand, is_scored in hands_to_compare(file, **options)]  # type: ignore[arg-type]


def test_which_hands_are_scored(file: Path) -> None:
    assert names(file) == [(str(number), number != 2) for number in range(7)]
    # Skipped ones have a place in their file, but do not count for the limit.
    assert names(file, limit=3) == [("0", True), ("1", True), ("2", False), ("3", True)]
    assert names(file, is_apart=True) == [(str(number), number in (0, 5)) for number in range(7)]
    assert names(file, is_apart=True, limit=1) == [("0", True)]
    assert [type(hand) for hand, _ in hands_to_compare(file)][2] is SkippedHand
    with pytest.raises(PhhFileError, match="cannot be read"):
        names(file.parent)


def test_learning_scores_nothing(file: Path) -> None:
    comparison = Comparison("some", [make_reader("paper"), make_reader("markov")])
    for hand in read_hands(file):
        if isinstance(hand, RecordedHand):
            comparison.learn(hand)
    assert comparison.points == 0
    assert all(row.points == 0 and row.accuracy is None for row in comparison.rows())


def test_readers_that_cannot_be_compared(file: Path) -> None:
    with pytest.raises(UnknownReaderError, match="There is no reader 'psychic'"):
        readers_of(["psychic"], file, is_apart=True)
    with pytest.raises(FigureError, match=r"^The reader markov-own can only be scored on hands that are kept"):
        readers_of(["markov-own"], file, is_apart=False)
    with pytest.raises(FigureError, match=r"^There is no reader to compare\.$"):
        Comparison("x", [])
    with pytest.raises(FigureError, match=r"^A reader is named twice in paper, paper\.$"):
        Comparison("x", [make_reader("paper"), make_reader("paper")])


def test_the_files_own_markov_model_is_the_rival_if_there_is_one(file: Path) -> None:
    readers = readers_of(["markov", "uniform", "markov-own"], file, is_apart=True)
    comparison = Comparison("some", readers)
    counts = empty_counts()
    hands = [hand for hand, is_scored in hands_to_compare(file, is_apart=True) if not is_scored]
    for hand in hands:
        if isinstance(hand, RecordedHand):
            count_hand(counts, hand)
    assert counts.starts.sum() == 2 + 3 + 2 + 3  # the hands 1, 3, 4 and 6; 0 and 5 are kept apart
    for hand, is_scored in hands_to_compare(file, is_apart=True):
        if is_scored:
            comparison.score(hand)
            for point in decision_points(hand):
                made, expected = (
                    reader.predict(point.observation, point.target).posterior
                    for reader in (readers[2], MarkovReader(MarkovModel(counts)))
                )
                assert (made == expected).all()
    rivals = {row.reader: row.rival for row in comparison.rows() if row.points}
    assert rivals == {"markov": "markov-own", "uniform": "markov-own", "markov-own": None}


def test_csv_is_the_rows_again(file: Path) -> None:
    rows = list(compared(file, "paper", "markov").values())
    lines = list(csv.DictReader(as_csv(rows).splitlines()))
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert (line["source"], line["reader"], line["street"]) == ("some", row.reader, row.street)
        assert (int(line["z"]), int(line["points"]), int(line["hands"])) == (row.z, row.points, row.hands)
        for name in ("accuracy", "stderr", "gain", "gain_stderr"):
            value = getattr(row, name)
            assert line[name] == "" if value is None else float(line[name]) == pytest.approx(value, abs=1e-5)


def test_table_of_rows() -> None:
    rows = [
        TopZ("here", reader, street, z, 1200, 300, 0.5, 0.0123, *gain)
        for reader, gain in (("paper", ("markov", 0.034, 0.004)), ("markov", ()))
        for street in STREETS
        for z in (1, 2, 3)
    ]
    lines = as_table(rows).splitlines()
    assert lines[0].split() == ["here", *STREETS]
    assert lines[1].split() == ["decision", "points", *["1,200"] * 5]
    assert lines[2] == "top 1"
    assert lines[3].split() == ["paper", *["50.0", "±1.2"] * 5]
    assert lines[4].split() == ["paper", "over", "markov", *["+3.4", "±0.4"] * 5]
    assert lines[5].split() == ["markov", *["50.0", "±1.2"] * 5]
    assert len(lines) == 2 + 3 * 4
    nothing = [TopZ("here", "paper", street, z, 0, 0) for street in STREETS for z in (1, 2, 3)]
    assert as_table(nothing).splitlines()[3].split() == ["paper", *["-"] * 5]


@pytest.mark.every(3)
@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_figure_is_drawn(file: Path, tmp_path: Path, ending: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    rows = list(compared(file, "paper", "markov").values())  # nobody reaches its rivers: a point without data
    path = tmp_path / f"figure.{ending}"
    save(picture_of([*rows, *Comparison("empty", [make_reader("paper")]).rows()]), path)
    assert path.read_bytes().startswith(start)


def test_a_figure_that_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    rows = Comparison("empty", [make_reader("paper")]).rows()
    with pytest.raises(FigureError, match=r"cannot be drawn: its name must end in \.png, \.svg or \.pdf\.$"):
        check_drawing(tmp_path / "figure.txt")
    with pytest.raises(FigureError, match=r"none/figure\.png cannot be written: No such file or directory\.$"):
        save(picture_of(rows), tmp_path / "none" / "figure.png")
    monkeypatch.setitem(sys.modules, "matplotlib.backend_bases", None)
    with pytest.raises(FigureError, match=r"^Drawing needs matplotlib: pip install 'soulread\[lab\]'\.$"):
        check_drawing(tmp_path / "figure.png")
