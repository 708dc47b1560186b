from math import exp, log

import pytest

from engine.agents.calibration import Calibration, CalibrationTable
from engine.resources import ResourceError
from trainer.reading import calibration_model as calibration
from trainer.reading.calibration_model import BAND, calibration_view, source_view

EVEN = (0.1,) * 10
OVERCONFIDENT = (0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.12, 0.13, 0.26)


def table(reader: str, source: str, **streets: Calibration) -> CalibrationTable:
    return CalibrationTable(reader, source, 1234, streets)


def test_the_four_streets_come_in_order_with_their_worth() -> None:
    made = source_view(
        table(
            "learned",
            "pluribus",
            river=Calibration(100, EVEN, log(226), 0.02),
            preflop=Calibration(2500, OVERCONFIDENT, log(430), None),
        )
    )
    assert [street.title for street in made.streets] == ["Preflop", "Flop", "Turn", "River"]
    preflop, flop, _, river = made.streets
    assert preflop.text == "2,500 decisions. Narrows 1,225 hands to the worth of 430."
    assert river.text == "100 decisions. Narrows 990 hands to the worth of 226 ± 5."
    assert (flop.deciles, flop.text) == ((), "No decisions measured.")
    # A share of a tenth out of n has the binomial standard error.
    assert preflop.stderr == pytest.approx((0.1 * 0.9 / 2500) ** 0.5)
    assert made.title == "Pluribus"
    assert made.description.startswith("1,234 hands of professionals and Pluribus")


def test_bars_in_the_band_are_counted_with_its_edges() -> None:
    made = source_view(table("paper", "x", flop=Calibration(50, EVEN), turn=Calibration(50, OVERCONFIDENT)))
    assert [street.inside for street in made.streets] == [0, 10, 4, 0]
    assert made.verdict == "14 of 20 bars lie in the band from 8% to 12%."
    assert made.title == "x"
    assert BAND == (0.08, 0.12)


def test_shares_are_spoken() -> None:
    street = source_view(table("paper", "x", turn=Calibration(50, OVERCONFIDENT, log(90)))).streets[2]
    assert street.spoken == (
        "Turn: 50 decisions. Narrows 1,035 hands to the worth of 90. "
        "Percent of the truth in each tenth, the likeliest first: 4, 5, 6, 7, 8, 9, 10, 12, 13, 26."
    )


def test_worse_than_nothing_and_nothing_are_called_so() -> None:
    streets = source_view(
        table(
            "paper",
            "x",
            preflop=Calibration(9, EVEN, log(1225)),
            flop=Calibration(9, EVEN, log(1081 * exp(0.3)), 0.1),
            turn=Calibration(9, EVEN),
        )
    ).streets
    assert streets[0].text == "9 decisions. Knows nothing: 1,225 hands stay the worth of 1,225."
    assert streets[1].text == (
        "9 decisions. Worse than knowing nothing: 1,081 hands become the worth of 1,459 ± 146."
    )
    assert streets[2].text == "9 decisions."


def test_a_readers_own_tables_are_shown_in_a_fixed_order(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = (
        table("learned", "zoo"),
        table("learned", "bovada_6max"),
        table("paper", "pluribus"),
        table("learned", "pluribus"),
    )
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: tables)
    view = calibration_view("learned")
    assert [source.title for source in view.sources] == ["Pluribus", "Bovada", "zoo"]
    assert view.reader == "Learned"
    assert view.problem == ""
    assert [source.verdict for source in view.sources] == ["No decision was measured here."] * 3


def test_what_was_not_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: (table("paper", "pluribus"),))
    view = calibration_view("learned")
    assert view.sources == ()
    assert view.problem == "How often the reader 'Learned' is right has not been measured."


def test_a_missing_or_damaged_file_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ResourceError("The app's file resources/reading_calibration.json is missing; install the app anew.")

    monkeypatch.setattr(calibration, "shipped_calibrations", fail)
    view = calibration_view("paper")
    assert view.sources == ()
    assert view.problem.startswith("The app's file resources/reading_calibration.json is missing")


def test_what_ships_can_be_shown_for_every_reader_measured() -> None:
    readers = {one.reader for one in calibration.shipped_calibrations()}
    assert "learned" in readers
    for reader in readers:
        view = calibration_view(reader)
        assert view.problem == ""
        assert all(len(source.streets) == 4 for source in view.sources)
