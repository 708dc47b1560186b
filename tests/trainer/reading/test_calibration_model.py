from math import exp, log

import pytest

from engine.agents.calibration import FIRST_HANDS, Calibration, CalibrationTable, JudgedPoint, TableTally
from engine.resources import ResourceError
from trainer.reading import calibration_model as calibration
from trainer.reading.calibration_model import BAND, LEAST_HANDS, calibration_view, session_view, source_view

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
    assert [street.title for street in made.diagrams] == ["Preflop", "Flop", "Turn", "River"]
    preflop, flop, _, river = made.diagrams
    assert preflop.text == "2,500 predictions, log-loss 6.06 nats. Narrows 1,225 hands to the worth of 430."
    assert river.text == "100 predictions, log-loss 5.42 ± 0.02 nats. Narrows 990 hands to the worth of 226 ± 5."
    assert (flop.deciles, flop.text) == ((), "No predictions yet.")
    # A share of a tenth out of n has the binomial standard error.
    assert preflop.stderr == pytest.approx((0.1 * 0.9 / 2500) ** 0.5)
    assert made.title == "Pluribus"
    assert made.text.startswith("Measured on 1,234 recorded hands of professionals and Pluribus, ")
    assert "none of them is at this table" in made.text


def test_bars_in_the_band_are_counted_with_its_edges() -> None:
    made = source_view(table("paper", "x", flop=Calibration(50, EVEN), turn=Calibration(50, OVERCONFIDENT)))
    assert [street.inside for street in made.diagrams] == [0, 10, 4, 0]
    assert made.text.endswith(" 14 of 20 bars lie in the band from 8% to 12%.")
    assert made.title == "x"
    assert BAND == (0.08, 0.12)


def test_shares_are_spoken() -> None:
    street = source_view(table("paper", "x", turn=Calibration(50, OVERCONFIDENT, log(90)))).diagrams[2]
    assert street.spoken == (
        "Turn: 50 predictions, log-loss 4.50 nats. Narrows 1,035 hands to the worth of 90. "
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
    ).diagrams
    assert (
        streets[0].text == "9 predictions, log-loss 7.11 nats. Knows nothing: 1,225 hands stay the worth of 1,225."
    )
    assert streets[1].text == (
        "9 predictions, log-loss 7.29 ± 0.10 nats. "
        "Worse than knowing nothing: 1,081 hands become the worth of 1,459 ± 146."
    )
    assert streets[2].text == "9 predictions."


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
    assert all(source.text.endswith(" No prediction was measured here.") for source in view.sources)


@pytest.mark.parametrize(
    ("is_heads_up", "titles"),
    [(False, ["Pluribus", "DeepStack", "ACPC 2016"]), (True, ["DeepStack", "ACPC 2016", "Pluribus"])],
)
def test_tables_of_as_many_players_come_first(
    monkeypatch: pytest.MonkeyPatch, is_heads_up: bool, titles: list[str]
) -> None:
    tables = tuple(table("learned", source) for source in ("acpc2016_hunl", "deepstack_hunl", "pluribus"))
    monkeypatch.setattr(calibration, "shipped_calibrations", lambda: tables)
    view = calibration_view("learned", is_heads_up=is_heads_up)
    assert [source.title for source in view.sources] == titles


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
        view = calibration_view(reader, is_heads_up=True)
        assert view.problem == ""
        assert "heads-up" in view.sources[0].text
        assert all(len(source.diagrams) == 4 for source in view.sources)


def tally(hands: int, points: list[tuple[str, JudgedPoint]]) -> TableTally:
    made = TableTally("learned")
    for number in range(1, hands + 1):
        made = made.add(number, points)
    return made


def test_a_session_with_too_few_hands_says_how_many_more() -> None:
    none, some = session_view(None), session_view(tally(LEAST_HANDS - 1, [("flop", JudgedPoint(0.01, 0.5))]))
    assert (none.title, none.is_enough, some.is_enough) == ("This session", False, False)
    assert "0 hands of this session, 0 predictions. " in none.text
    assert none.text.endswith(f"{LEAST_HANDS} more hands are needed before there is anything to see.")
    assert some.text.endswith(" 1 more hand is needed before there is anything to see.")


def test_a_session_has_its_streets_and_its_first_hands_apart() -> None:
    points = [("preflop", JudgedPoint(1 / 500, 0.05)), ("preflop", JudgedPoint(1 / 500, 0.95))]
    made = session_view(tally(FIRST_HANDS + 10, [*points, ("river", JudgedPoint(1 / 100, 0.35))]))
    assert made.is_enough
    assert made.text.startswith("Measured at this table: 60 hands of this session, 180 predictions. ")
    titles = ["Preflop", "Flop", "Turn", "River", "Hands 1 to 50", "Hands from 51 on"]
    assert [diagram.title for diagram in made.diagrams] == titles
    assert [diagram.text for diagram in made.diagrams] == [
        "120 predictions, log-loss 6.21 nats. Narrows 1,225 hands to the worth of 500.",
        "No predictions yet.",
        "No predictions yet.",
        "60 predictions, log-loss 4.61 nats. Narrows 990 hands to the worth of 100.",
        "150 predictions, log-loss 5.68 nats.",
        "30 predictions, log-loss 5.68 nats.",
    ]
    assert made.diagrams[0].deciles == (0.5, *(0.0,) * 8, 0.5)


def test_the_band_of_a_session_is_as_wide_as_chance_makes_it() -> None:
    made = session_view(tally(36, [("turn", JudgedPoint(0.01, 0.5))]))
    low, high = made.diagrams[2].band
    assert (low, high) == (0.0, pytest.approx(0.1 + 2 * 0.05)), "the error of a tenth of 36 is a twentieth"
    assert made.diagrams[2].inside == 9
    assert made.diagrams[0].band == BAND
    assert " 18 of 20 bars lie in their bands" in made.text, "those of the turn and of the first hands"
    wide = session_view(tally(3600, [("turn", JudgedPoint(0.01, 0.5))]))
    assert wide.diagrams[2].band == BAND, "nearer than that is near enough for a player"
