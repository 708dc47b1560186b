"""The arithmetic of `make bench`, and the runner end to end on a tiny piece of work. Nothing here is timed."""

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from engine.cards import combo_of, parse_cards, unblocked
from engine.ranges import parse_range
from tests.bench import __main__ as bench
from tests.bench import peers, workloads, yardstick
from tests.bench.yardstick import Peer, Row, row_as_json
from tests.reference.questions import R1, R2

TIME = Row(
    work="a time",
    ours=0.5,
    unit="ms",
    peers=(
        Peer(library="eval7", value=20.0, way="its loop"),
        Peer(library="eval7", value=15.0, way="its own function", scaled_from="10 boards"),
        Peer(library="treys", value=3000.0),
    ),
    eval7_per_second=1.2e6,
    goal=0.2,
    at_least=0.3,
    answer="0.5",
    is_reference=True,
)
RATE = Row(
    work="a rate",
    ours=120.0,
    unit="M/s",
    peers=(Peer(library="eval7", value=1.2),),
    eval7_per_second=1.2e6,
    goal=290.0,
    at_least=240.0,
)


def test_a_ratio_is_how_many_times_as_fast() -> None:
    assert TIME.ratio(TIME.peers[0]) == pytest.approx(40)
    assert RATE.ratio(RATE.peers[0]) == pytest.approx(100)


def test_nothing_is_compared_with_what_was_not_measured() -> None:
    absent = Row(work="none", ours=None, peers=TIME.peers)
    assert absent.ratio(absent.peers[0]) is None
    assert TIME.ratio(Peer(library="eval7", value=0.0)) is None


def test_the_fastest_way_of_a_library_stands_in_the_table() -> None:
    fastest = TIME.fastest("eval7")
    assert fastest is not None
    assert fastest.way == "its own function"
    assert TIME.fastest("pokerkit") is None
    two = Row(work="rates", ours=1.0, unit="M/s", peers=tuple(Peer(library="x", value=v) for v in (1.0, 2.0)))
    best = two.fastest("x")
    assert best is not None
    assert best.value == 2.0


def test_figures_are_normalised_to_the_yardstick() -> None:
    # On a machine half as fast, times halve and rates double.
    assert TIME.normalised == pytest.approx(0.25)
    assert RATE.normalised == pytest.approx(240)
    size = Row(work="a size", ours=400.0, unit="KB", eval7_per_second=1.2e6)
    assert size.normalised == 400.0
    assert Row(work="no yardstick", ours=1.0).normalised is None


@pytest.mark.parametrize(
    ("ours", "expected"), [(0.3, "goal"), (0.4, "goal"), (0.41, "at least"), (0.6, "at least"), (0.61, "below")]
)
def test_a_time_meets_what_it_is_not_longer_than(ours: float, expected: str) -> None:
    row = Row(work="", ours=ours, eval7_per_second=1.2e6, goal=0.2, at_least=0.3)
    assert row.meets == expected


def test_a_rate_meets_what_it_reaches() -> None:
    assert RATE.meets == "at least"
    assert Row(work="", ours=1.0, eval7_per_second=1.2e6).meets == ""
    assert Row(work="", ours=None, goal=1.0).meets == ""


def test_medians_are_per_call_and_every_side_has_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 0.0
    calls: list[str] = []

    def work(name: str, seconds: float) -> None:
        nonlocal clock
        clock += seconds
        calls.append(name)

    monkeypatch.setattr(yardstick, "process_time", lambda: clock)
    monkeypatch.setattr(yardstick, "_evaluate_all", lambda count: work("yardstick", count / 2e6))
    measured = yardstick.interleaved(
        {"quick": lambda: work("quick", 0.001), "slow": lambda: work("slow", 2.0)},
        rounds=3,
        side_seconds=1.0,
        batch_seconds=0.0095,
    )
    assert measured.sides["quick"].seconds == pytest.approx(0.001)
    assert measured.sides["quick"].calls == 3
    assert measured.sides["slow"] == (2.0, 1)
    assert measured.eval7_per_second == pytest.approx(2e6)
    assert set(measured.sides) == {"quick", "slow"}
    # Two calls to learn what a side costs (one if it is slow), then ten a round, in turn with the yardstick.
    assert calls.count("slow") == 1
    assert "".join(name[0] for name in calls[-33:]) == ("q" * 10 + "y") * 3


def test_one_outlier_does_not_move_a_median(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 1.0, 0.0, 1.0, 0.0, 50.0])
    monkeypatch.setattr(yardstick, "process_time", lambda: next(ticks))
    assert yardstick.cpu_seconds(lambda: None, 3) == 1.0


def test_json_holds_what_follows_from_a_row(tmp_path: Path) -> None:
    target = tmp_path / "build" / "bench.json"
    bench.write_json(target, 1.2e6, [TIME, RATE])
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["eval7_per_second"] == 1.2e6
    first = report["rows"][0]
    assert first["normalised"] == pytest.approx(0.25)
    assert first["meets"] == "at least"
    assert first["is_reference"] is True
    assert [peer["ratio"] for peer in first["peers"]] == pytest.approx([40, 30, 6000])
    assert first["ratio"] == pytest.approx(40)
    assert row_as_json(Row(work="alone", ours=1.0))["ratio"] is None


def test_a_line_shows_ratios_and_marks_what_was_scaled() -> None:
    text = bench.line(TIME)
    assert "~30" in text
    assert "6,000" in text
    assert "= reference" in text
    assert "not there" in bench.line(Row(work="later", ours=None, note="not there"))


def test_footnotes_say_once_what_peers_did() -> None:
    text = bench.footnotes([TIME, replace(TIME, work="another way"), Row(work="alone", ours=1.0)])
    assert "15 ms eval7 its own function, scaled from 10 boards" in text
    assert text.count("its own function") == 1
    assert "alone" not in text


def test_footnotes_tell_how_times_spread() -> None:
    text = bench.footnotes([replace(TIME, ours=2.0, p95=5.0, max=9.0, count=40)])
    assert "2 ms ours, the median of 40, 95th percentile 5, largest 9" in text


def test_numbers_are_never_in_powers_of_ten() -> None:
    shown = [bench.number(value) for value in (None, 0.0, 0.00001234, 0.5, 12.345, 999.6, 1234567.0)]
    assert shown == ["", "0", "0.0000123", "0.5", "12.3", "1,000", "1,234,567"]


def test_a_wrong_answer_makes_the_run_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Row(work="two plus two", ours=1.0, answer="5", is_reference=False)
    target = tmp_path / "bench.json"
    monkeypatch.setattr(yardstick, "eval7_rate", lambda: 2.4e6)
    monkeypatch.setattr(bench, "rows_of", lambda module, short: [wrong] if module == "workloads" else [TIME])
    assert bench.main(["engine", "--json", str(target)]) == 1
    shown = capsys.readouterr()
    assert "WRONG ANSWER: two plus two gave 5" in shown.err
    assert [row["group"] for row in json.loads(target.read_text(encoding="utf-8"))["rows"]] == ["engine"] * 2
    assert bench.main(["decisions", "--json", str(target)]) == 0


def test_a_tiny_workload_end_to_end() -> None:
    calls: list[str] = []
    rows = workloads.Bench(is_short=True).rows(
        [
            workloads.Ours("one way", lambda: calls.append("one"), ("42", True), goal=1.0, at_least=2.0),
            workloads.Ours("another", lambda: calls.append("another")),
        ],
        [
            workloads.Work("eval7", "a tenth", lambda: 0.25, 0.1, "one of ten"),
            workloads.Work("eval7", "left out of a short run", lambda: calls.append("never")),
        ],
    )
    assert [row.work for row in rows] == ["one way", "another"]
    assert {"one", "another"} == set(calls)
    (peer,) = rows[0].peers
    assert (peer.library, peer.answer, peer.scaled_from) == ("eval7", "0.2500", "one of ten")
    assert rows[0].ours is not None
    assert rows[0].ours > 0
    assert rows[0].is_reference is True
    assert rows[1].is_reference is None
    assert rows[1].peers == rows[0].peers


def test_deals_of_an_accuracy() -> None:
    # A coin: variance 1/4, so a standard error of 0.001 takes a quarter of a million.
    assert workloads.deals_for(0.5, 0.0, 0.5) == 250_000
    # A share that is always a half has no variance.
    assert workloads.deals_for(0.0, 1.0, 0.5) == 0
    assert workloads.deals_of((1, 1, 2)) == 125_000


HANDS = [parse_range("AhKh"), parse_range("QsQd")]


@pytest.mark.parametrize("library", peers.EVALUATORS, ids=lambda library: library.name)
def test_every_library_gives_the_same_answers(library: peers.Library) -> None:
    boards = peers.first_boards(parse_cards("AhKhQsQd"), 30)
    by_eval7 = peers.eval7_on_boards(parse_cards("AhKh"), "QsQd", boards)
    hands = [parse_cards("AhKh"), parse_cards("QsQd")]
    assert peers.hands_on_boards(library, hands, boards) == pytest.approx(by_eval7, abs=1e-6)
    river = parse_cards("Ks 7d 2h 3c 9s")
    equities = peers.every_combo(library, river)
    assert equities[combo_of(*parse_cards("2c2s"))] == pytest.approx(0.98787879, abs=1e-8)


def test_the_loop_draws_jointly() -> None:
    # Only QhQs, JcJd and TcTd can be dealt together; what clashes would beat the queens.
    ranges = [parse_range("QhQs"), parse_range("AhQh,JcJd"), parse_range("AcJc,TcTd")]
    board = parse_cards("2c 3c 4d 8h As")
    assert peers.sampled(peers.EVAL7, ranges, board, 50) == 1.0
    with_tie = [parse_range("Kh2h"), parse_range("Kd2d")]
    assert peers.sampled(peers.PHEVALUATOR, with_tie, board, 20) == 0.5


def test_own_functions_of_the_peers_agree_with_the_exact_answers() -> None:
    deals = 40_000
    deviation = 0.5 / deals**0.5
    assert abs(peers.eval7_sampled(parse_cards("AhKh"), "QsQd", (), deals) - 0.46214457) < 5 * deviation
    found = peers.eval7_range_against_range(R2, R1, deals)
    assert abs(found - 0.65595595) < 5 * deviation
    few = peers.pokerkit_sampled(HANDS, (), 100)
    assert abs(few - 0.46214457) < 5 * 0.5 / 100**0.5


@pytest.mark.slow
def test_eval7_compares_every_combo_on_a_river() -> None:
    river = parse_cards("Ks 7d 2h 3c 9s")
    by_numpy = peers.every_combo(peers.EVAL7, river)
    by_range = peers.eval7_every_combo(river)
    assert len(by_range) == np.count_nonzero(unblocked(river))
    deuces = next(share for hand, share in by_range.items() if {str(card) for card in hand} == {"2c", "2s"})
    assert deuces == pytest.approx(by_numpy[combo_of(*parse_cards("2c2s"))], abs=1e-6)


def test_the_odds_apps_worked_example_has_its_exact_answer() -> None:
    answers = json.loads(
        (Path(__file__).parent / "engine/equity/agreement/answers.json").read_text(encoding="utf-8")
    )
    answer = next(answer for answer in answers["against_random"] if answer["opponents"] == 5)
    assert parse_cards(answer["board"]) == workloads.ODDS_APP_BOARD
    won = sum(deals / (ties + 1) for ties, deals in enumerate(answer["deals_by_ties"]))
    assert pytest.approx(won / answer["deals"], rel=1e-15) == workloads.ODDS_APP_EQUITY
