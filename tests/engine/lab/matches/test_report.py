"""How the result of a match is printed."""

import json

import pytest
from msgspec import structs

from engine.cards import Street
from engine.lab.matches.counted.realised_values import Move, RealisedValue
from engine.lab.matches.counted.tally import Difference, StyleResult, WinRate
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.report import Unit, as_json, as_table, interval, values_as_table
from engine.lab.matches.results import MatchResult
from engine.lab.matches.sprt import Holds, Outcome, Sprt

READING = StyleResult(
    "soulread",
    2000,
    30_000,
    24_680.0,
    WinRate(15.0, 12.0, 1000),
    WinRate(12.34, 10.0, 1000),
    0.5,
    0.25,
    2.5,
    4321,
    0.00234,
)
RANDOM = StyleResult(
    "random",
    2000,
    -30_000,
    -24_680.0,
    WinRate(-15.0, 12.0, 1000),
    WinRate(-12.34, 10.0, 1000),
    None,
    1.0,
    None,
    5,
    0.0001,
)
RESULT = MatchResult(
    MatchPlan(("soulread", "random"), 2, 2000, 7),
    1000,
    2000,
    (READING, RANDOM),
    (Difference("soulread", "random", WinRate(30.0, 24.0, 1000), WinRate(24.68, 20.0, 1000)),),
)


@pytest.mark.parametrize(
    ("observations", "quantile"),  # Abramowitz and Stegun, table 26.10
    [(2, 12.706), (3, 4.303), (5, 2.776), (6, 2.571), (10, 2.262), (20, 2.093), (31, 2.042), (121, 1.980)],
)
def test_the_interval_is_that_of_students_t(observations: int, quantile: float) -> None:
    low, high = interval(WinRate(50.0, 10.0, observations))
    assert (high - 50) / 10 == pytest.approx(quantile, rel=0.002)
    assert 50 - low == pytest.approx(high - 50)


def test_of_many_observations_the_interval_is_that_of_a_normal_distribution() -> None:
    from statistics import NormalDist

    low, high = interval(WinRate(50.0, 10.0, 10**6))
    assert NormalDist(50.0, 10.0).cdf(low) == pytest.approx(0.025, abs=1e-6)
    assert NormalDist(50.0, 10.0).cdf(high) == pytest.approx(0.975, abs=1e-6)


@pytest.mark.parametrize(("matches", "over"), [(9, "decks"), (10, "matches")])
def test_several_matches_say_over_what_their_errors_are(matches: int, over: str) -> None:
    several = structs.replace(RESULT, matches=matches)
    *_, deals, _, note = as_table(several).splitlines()
    assert deals.startswith(f"{matches} matches of 1,000 decks, each in 2 rotations: 2,000 hands of 2 seats")
    assert f"Standard errors are over {over}" in note
    whole = json.loads(as_json(several))
    assert (whole["matches"], whole["stderr_over"]) == (matches, over)


def test_table_of_two_styles() -> None:
    assert as_table(RESULT).splitlines() == [
        "Style     Hands  bb/100  Std. error   95% interval  As won  Std. error   VPIP     PFR    AF  ms/decision",
        "Soulread  2,000   +12.3       ±10.0  -7.3 to +32.0   +15.0       ±12.0  50.0%   25.0%  2.50         2.34",
        "Random    2,000   -12.3       ±10.0  -32.0 to +7.3   -15.0       ±12.0      -  100.0%     -         0.10",
        "1,000 decks, each in 2 rotations: 2,000 hands of 2 seats, 100 big blinds deep",
        "bb/100 without the luck of the board, all-ins included; as won: as the chips went.",
    ]


def test_win_rates_in_thousandths_of_a_big_blind_per_hand() -> None:
    head, first, *_ = as_table(RESULT, unit=Unit.MBB).splitlines()
    assert head.split()[2] == "mbb/h"
    assert first.split()[2:9] == ["+123.4", "±100.0", "-72.8", "to", "+319.6", "+150.0", "±120.0"]
    style = json.loads(as_json(RESULT, unit=Unit.MBB))["styles"][0]
    assert "bb_per_100" not in style
    assert (style["mbb_per_hand"], style["stderr"], style["net"]) == (150.0, 120.0, 30_000)
    assert style["interval"] == [10 * limit for limit in interval(READING.win_rate)]


def test_what_a_sequential_test_says() -> None:
    test = Sprt(0.0, 10.0)
    for outcome, line in (
        (
            Outcome(test, 1000, False, 3.125, Holds.HIGH),
            "Sequential test: after 1,000 decks Soulread wins +10 bb/100 rather than +0 "
            "(log likelihood ratio +3.12, bounds -2.94 and +2.94).",
        ),
        (
            Outcome(test, 1000, True, -4.0, Holds.LOW),
            "Sequential test: after 1,000 matches Soulread wins +0 bb/100 rather than +10 "
            "(log likelihood ratio -4.00, bounds -2.94 and +2.94).",
        ),
        (
            Outcome(test, 1000, False, 1.0, None),
            "Sequential test: after 1,000 decks Soulread wins neither +0 nor +10 bb/100 for sure "
            "(log likelihood ratio +1.00, bounds -2.94 and +2.94).",
        ),
        (Outcome(test, 20, True), "Sequential test: nothing can be concluded from 20 matches."),
    ):
        assert line in as_table(RESULT, outcome=outcome).splitlines()
        said = json.loads(as_json(RESULT, outcome=outcome))["sprt"]
        assert [said[name] for name in ("low", "high", "alpha", "beta")] == [0.0, 10.0, 0.05, 0.05]
        assert [said[name] for name in ("log_ratio", "observations")] == [outcome.log_ratio, outcome.observations]
        assert (said["holds"], said["over"]) == (outcome.holds, "matches" if outcome.is_over_matches else "decks")
    assert "+100 mbb/h rather than +0" in as_table(
        RESULT, unit=Unit.MBB, outcome=Outcome(test, 1000, False, 3.0, Holds.HIGH)
    )


def test_more_than_two_styles_are_compared() -> None:
    three = MatchResult(RESULT.plan, 10, 30, (*RESULT.styles, READING), RESULT.differences)
    line = as_table(three).splitlines()[4]
    assert line == "Soulread less Random          +24.7       ±20.0  -14.6 to +63.9   +30.0       ±24.0"


def test_json_has_exactly_the_documented_fields() -> None:
    whole = json.loads(as_json(RESULT))
    assert list(whole) == [
        "styles",
        "differences",
        "seats",
        "rotations",
        "matches",
        "stderr_over",
        "decks",
        "hands",
        "format",
        "stack",
        "seed",
        "seating",
        "curve",
    ]
    fields = ["bb_per_100", "stderr", "interval"]
    numbers = ["vpip", "pfr", "aggression", "decisions", "decision_seconds"]
    assert list(whole["styles"][0]) == ["style", "hands", "net", *fields, "adjusted", *numbers]
    assert list(whole["differences"][0]) == ["style", "other", *fields, "adjusted"]
    one, other = whole["styles"]
    assert (one["net"], one["bb_per_100"], one["stderr"]) == (30_000, 15.0, 12.0)
    assert one["adjusted"] == {
        "net": 24_680.0,
        "bb_per_100": 12.34,
        "stderr": 10.0,
        "interval": [pytest.approx(-7.28, abs=0.01), pytest.approx(31.96, abs=0.01)],
    }
    assert (other["vpip"], other["net"]) == (None, -30_000)
    (difference,) = whole["differences"]
    assert (difference["bb_per_100"], difference["adjusted"]["bb_per_100"]) == (30.0, 24.68)
    assert [whole[name] for name in ("seats", "rotations", "decks", "hands", "stack", "seed")] == [
        *(2, 2, 1000, 2000, 100, 7)
    ]


VALUES = (
    RealisedValue("soulread", Street.FLOP, Move.BET, 1234, 2.0, -1.5, 1.4),
    RealisedValue("soulread", Street.TURN, Move.CALL, 2, 3.0, 9.0, 0.1),
    RealisedValue("soulread", Street.RIVER, Move.ALL_IN, 1, 10.0, 12.25, None),
)


def test_predicted_against_realised_as_a_table() -> None:
    assert values_as_table(VALUES).splitlines() == [
        "Predicted against realised  Decisions  Predicted  Realised  Difference  Std. error  Apart by",
        "Soulread, flop bet              1,234      +2.00     -1.50       -3.50       ±1.40      -2.5",
        "Soulread, turn call                 2      +3.00     +9.00       +6.00       ±0.10         -",
        "Soulread, river all-in              1     +10.00    +12.25       +2.25           -         -",
        "Big blinds more than by folding, the luck of later boards taken out; apart by so many standard errors.",
    ]
    assert values_as_table(()) == "No style of this match says what its actions are worth."


def test_predicted_against_realised_as_json() -> None:
    found = json.loads(as_json(structs.replace(RESULT, values=VALUES), has_values=True))["values"]
    assert found[0] == {
        "style": "soulread",
        "street": "flop",
        "move": "bet",
        "decisions": 1234,
        "predicted": 2.0,
        "realised": -1.5,
        "stderr": 1.4,
    }
    assert (found[2]["move"], found[2]["stderr"]) == ("all-in", None)
