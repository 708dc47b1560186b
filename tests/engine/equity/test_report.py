"""The four forms of an answer, written out by hand."""

import csv
import json
from io import StringIO

import pytest

from engine.cards import parse_cards
from engine.equity.decisions import figures_of_bet, figures_of_call
from engine.equity.outs import chances_of_outs
from engine.equity.report import OddsReport, as_csv, as_json, as_markdown, as_text
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot

ANSWER = Snapshot(
    (PlayerEquity(0.25, 0.125, 0.3125, 0.0), PlayerEquity(0.625, 0.125, 0.6875, 0.0)),
    Method.EXACT,
    1234,
    0.5,
    True,
    1.0,
)
SAMPLED = Snapshot(
    (
        PlayerEquity(0.25, 0.125, 0.3125, 0.001, 0.002, 0.0015),
        PlayerEquity(0.625, 0.125, 0.6875, 0.001, 0.003, 1e-7),
    ),
    Method.SAMPLED,
    5000,
    0.5,
    True,
    1.0,
)
PLAIN = OddsReport(("8h7h", "QQ+, AK"), ANSWER)
CALLED = OddsReport(
    ("8h7h", "QQ+, AK"),
    ANSWER,
    call=figures_of_call(150, 50, 0.3125),
    outs=chances_of_outs(parse_cards("9h Ah"), 3),
)
BET = OddsReport(
    ("8h7h", "QQ+, AK"), ANSWER, bet=figures_of_bet(100, 100, 0.2), outs=chances_of_outs(parse_cards("9h"), 4)
)


def test_text() -> None:
    assert as_text(CALLED).splitlines() == [
        "Hand         Win      Tie   Equity  Std. error",
        "8h7h     25.000%  12.500%  31.250%       exact",
        "QQ+, AK  62.500%  12.500%  68.750%       exact",
        "1,234 showdowns counted, exact, 0.500 s",
        "Pot odds                              3 : 1",
        "Required equity                       25.000%",
        "EV of the call                        +12.50 chips",
        "Minimum defence frequency             66.667%",
        "Outs against any two cards            2: 9h Ah",
        "Next card, exact and by rule of 2     4.255% and 4.000%",
        "By the river, exact and by rule of 4  8.418% and 8.000%",
    ]
    assert as_text(BET).splitlines()[4:] == [
        "Break-even fold equity, bluff      50.000%",
        "Break-even fold equity, this hand  28.571%",
        "Minimum defence frequency          50.000%",
        "Outs against any two cards         1: 9h",
        "Next card, exact and by rule of 2  2.174% and 2.000%",
    ]
    assert as_text(OddsReport(("A", "B"), SAMPLED)).splitlines()[1:] == [
        "A     25.000% ±0.200%  12.500% ±0.150%  31.250%     ±0.100%",
        "B     62.500% ±0.300%  12.500% ±0.001%  68.750%     ±0.100%",
        "5,000 deals sampled, 0.500 s",
    ]


def test_what_follows_from_a_sampled_equity_has_an_error() -> None:
    report = OddsReport(("A", "B"), SAMPLED, call=figures_of_call(150, 50, 0.3125))
    assert "EV of the call             +12.50 ± 0.20 chips" in as_text(report).splitlines()
    # A bet of the pot with 20 %: x / (1 + x) of the loss x, 0.4 pots, moves by 3 / 1.4^2 for each 1 % of equity.
    bet = OddsReport(("A", "B"), SAMPLED, bet=figures_of_bet(100, 100, 0.2))
    assert "Break-even fold equity, this hand  28.571% ±0.153%" in as_text(bet).splitlines()
    players = json.loads(as_json(report))["players"]
    assert [list(player.values())[4:] for player in players] == [[0.001, 0.002, 0.0015], [0.001, 0.003, 1e-7]]
    assert as_csv(report).splitlines()[:2] == [
        "hand,win,tie,equity,stderr,win_stderr,tie_stderr,method,count",
        "A,0.25,0.125,0.3125,0.001,0.002,0.0015,sampled,5000",
    ]


def test_markdown() -> None:
    assert as_markdown(PLAIN).splitlines() == [
        "| Hand | Win | Tie | Equity | Std. error |",
        "|:--|--:|--:|--:|--:|",
        "| 8h7h | 25.000% | 12.500% | 31.250% | exact |",
        "| QQ+, AK | 62.500% | 12.500% | 68.750% | exact |",
        "",
        "1,234 showdowns counted, exact, 0.500 s",
    ]
    assert as_markdown(CALLED).splitlines()[6:10] == [
        "",
        "| Figure | Value |",
        "|:--|--:|",
        "| Pot odds | 3 : 1 |",
    ]


def test_csv_reads_back_as_the_same_numbers() -> None:
    first, second = as_csv(CALLED).split("\n\n")
    rows = list(csv.DictReader(StringIO(first)))
    assert [row["hand"] for row in rows] == ["8h7h", "QQ+, AK"]
    assert [[float(row[column]) for column in ("win", "tie", "equity", "stderr")] for row in rows] == [
        [0.25, 0.125, 0.3125, 0.0],
        [0.625, 0.125, 0.6875, 0.0],
    ]
    assert {(row["method"], row["count"]) for row in rows} == {("exact", "1234")}
    figures = {(row["about"], row["figure"]): row["value"] for row in csv.DictReader(StringIO(second))}
    assert float(figures["call", "ev"]) == 12.5
    assert float(figures["call", "required_equity"]) == 0.25
    assert figures["outs", "cards"] == "9h Ah"
    assert "\n\n" not in as_csv(PLAIN)


def test_no_name_is_a_formula_in_csv() -> None:
    rows = csv.DictReader(StringIO(as_csv(OddsReport(("=1+1", "AK"), ANSWER))))
    assert [row["hand"] for row in rows] == ["'=1+1", "AK"]


def test_json_has_figures_only_if_there_are_some() -> None:
    assert list(json.loads(as_json(PLAIN))) == ["players", "method", "count", "seconds"]
    called, bet = json.loads(as_json(CALLED)), json.loads(as_json(BET))
    assert list(called) == ["players", "method", "count", "seconds", "call", "outs"]
    assert called["call"]["ev"] == 12.5
    assert called["outs"]["cards"] == "9h Ah"
    assert called["outs"]["by_river"] == pytest.approx(1 - 45 * 44 / (47 * 46))
    assert list(bet) == ["players", "method", "count", "seconds", "bet", "outs"]
    assert bet["bet"]["fold_equity"] == pytest.approx(2 / 7)


def test_figures_without_an_equity_are_left_out() -> None:
    report = OddsReport(("A", "B"), ANSWER, call=figures_of_call(150, 50))
    assert "EV" not in as_text(report)
    assert "ev" not in as_csv(report).split("\n\n")[1]


def test_breaks_within_a_hand_do_not_break_a_table() -> None:
    report = OddsReport(("AA\n\tKK", "QQ"), ANSWER)
    assert as_text(report).splitlines()[1].startswith("AA KK  ")
    assert "| AA KK |" in as_markdown(report)


def test_folded_hands_are_told() -> None:
    report = OddsReport(("A", "B"), ANSWER, folded=("Bob QsQd", "2d2c"))
    for write in (as_text, as_markdown):
        assert "; folded, so dead: Bob QsQd, 2d2c" in write(report)
    assert json.loads(as_json(report))["folded"] == ["Bob QsQd", "2d2c"]
    assert "folded" not in json.loads(as_json(PLAIN))
