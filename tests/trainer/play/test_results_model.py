"""Figures of a session made up so that they can be reckoned by hand."""

import math

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSortFilterProxyModel, Qt
from pytestqt.modeltest import ModelTester

from engine.game.statistics import PlayerStatistics, Ratio
from trainer.play.results_model import (
    HUD_COLUMNS,
    RESULT_COLUMNS,
    hud_details,
    hud_line,
    hud_rows,
    own_rate,
    result_columns,
    result_rows,
    summary_text,
)
from trainer.session.amounts import Units
from trainer.session.types import SessionResult
from trainer.theme import ThemeSource
from trainer.widgets.sorted_table import ColouredFigures
from trainer.widgets.tables_model import SORT_ROLE, table_text

CHIPS, BLINDS = Units(20), Units(20, in_big_blinds=True)
ADA = PlayerStatistics(
    hands=50,
    vpip=Ratio(12, 48),
    pfr=Ratio(9, 48),
    three_bet=Ratio(1, 16),
    aggression=Ratio(9, 4),
    went_to_showdown=Ratio(3, 11),
    net=400,
    net_bb=20.0,
)
RESULT = SessionResult(
    reason="You finished the session.",
    hands=50,
    names={0: "You", 1: "Ada", 2: "Boris"},
    stacks={0: 1700, 1: 2400, 2: 3900},
    bought_in={0: 2000, 1: 2000, 2: 4000},
    big_blind=20,
    hero_net=(100, 60, -300),
)


def test_the_short_line() -> None:
    assert hud_line(ADA) == "25/19/6 · 2.2 · 27"
    assert hud_line(PlayerStatistics()) == ""
    assert hud_line(PlayerStatistics(hands=1, vpip=Ratio(0, 1), pfr=Ratio(0, 1))) == "0/0/– · – · –"
    never_called = PlayerStatistics(hands=2, aggression=Ratio(3, 0))
    assert hud_line(never_called) == "–/–/– · ∞ · –"


def test_the_details_carry_every_count() -> None:
    lines = hud_details(ADA).splitlines()
    assert lines[0] == "50 hands"
    assert lines[1] == "VPIP 25% (12 of 48), usual 20-28%"
    assert "AF 2.2 (9 bets and raises, 4 calls), usual 2-4" in lines
    assert "F3B –, usual 45-60%" in lines
    assert len(lines) == 10
    assert hud_details(PlayerStatistics(hands=1)).startswith("1 hand\n")
    assert hud_details(PlayerStatistics()) == ""


def test_results_per_seat_best_first() -> None:
    rows = result_rows(RESULT, {1: ADA}, CHIPS)
    assert [[cell.text for cell in row] for row in rows] == [
        ["Ada", "+400", "+40.0", "50", "2,400", "2,000"],
        ["Boris", "−100", "−10.0", "50", "3,900", "4,000"],
        ["You", "−300", "−30.0", "50", "1,700", "2,000"],
    ]
    assert [row[1].role for row in rows] == ["good", "bad", "bad"]
    in_blinds = result_rows(RESULT, {1: ADA}, BLINDS)
    assert [cell.text for cell in in_blinds[0]] == ["Ada", "+20 bb", "+40.0", "50", "120 bb", "100 bb"]


def test_bb_per_100_is_of_the_hands_a_seat_played() -> None:
    """Ada's 20 big blinds over her own 25 hands, not over the session's 50."""
    late = PlayerStatistics(hands=25, net=400, net_bb=20.0)
    assert result_rows(RESULT, {1: late}, CHIPS)[0][2].text == "+80.0"


def test_bb_per_100_has_the_colour_of_its_own_sign() -> None:
    """Where blinds rise big blinds may have been won by who lost chips."""
    risen = PlayerStatistics(hands=50, net=-100, net_bb=4.0)
    boris = result_rows(RESULT, {2: risen}, CHIPS)[1]
    assert [(cell.text, cell.role) for cell in boris[1:3]] == [("−100", "bad"), ("+8.0", "good")]


def test_before_the_first_hand() -> None:
    empty = SessionResult("", 0, {0: "You"}, {0: 2000}, {0: 2000}, 20, ())
    assert [cell.text for cell in result_rows(empty, {}, CHIPS)[0]] == ["You", "0", "–", "0", "2,000", "2,000"]
    assert own_rate(empty) is None
    assert summary_text(empty, CHIPS) == "No hand has been finished yet."


def test_the_own_rate_and_its_error() -> None:
    """Hands of +100, -40 and -360: mean -100, sample variance 55,600, error of the mean sqrt(55,600 / 3)."""
    rate = own_rate(RESULT)
    assert rate is not None
    assert rate[0] == pytest.approx(-500)  # -100 chips are -5 big blinds a hand
    assert rate[1] == pytest.approx(5 * math.sqrt(55_600 / 3))
    assert summary_text(RESULT, CHIPS) == ("Your result: −300 in 3 hands, −500.0 bb/100 ± 680.7 (standard error)")


def test_where_blinds_rise_chips_tell_no_rate() -> None:
    """The table's bb/100 are of each hand's own big blind; of chips alone a summary would say another figure."""
    rising = replace(RESULT, do_blinds_rise=True)
    assert own_rate(rising) is None
    assert summary_text(rising, CHIPS) == "Your result: −300 in 3 hands"
    rates = {row[0].text: row[2].text for row in result_rows(rising, {1: ADA}, CHIPS)}
    assert rates == {"Ada": "+40.0", "Boris": "–", "You": "–"}


def test_one_hand_has_no_error_yet() -> None:
    one = SessionResult("", 1, {0: "You"}, {0: 2010}, {0: 2000}, 20, (10,))
    assert own_rate(one) == (50, math.inf)
    assert summary_text(one, BLINDS) == "Your result: +0.5 bb in 1 hand, +50.0 bb/100"


def test_who_has_won_nothing_has_a_rate_without_a_sign() -> None:
    even = SessionResult("", 1, {0: "You"}, {0: 2000}, {0: 2000}, 20, (0,))
    assert summary_text(even, CHIPS) == "Your result: 0 in 1 hand, 0.0 bb/100"


def test_statistics_per_seat_with_counts() -> None:
    (row,) = hud_rows({0: "You", 1: "Ada"}, {1: ADA})
    assert len(row) == len(HUD_COLUMNS)
    texts = dict(zip([column.title for column in HUD_COLUMNS], [cell.text for cell in row], strict=True))
    assert texts["Player"] == "Ada"
    assert texts["VPIP"] == "25%  12/48"
    assert texts["AF"] == "2.2  9/4"
    assert texts["W$SD"] == "–"


def test_the_models_keep_qts_rules_and_sort_by_number(theme: ThemeSource, qtmodeltester: ModelTester) -> None:
    model = ColouredFigures(RESULT_COLUMNS, theme, None)
    model.show_cells(result_rows(RESULT, {1: ADA}, CHIPS))
    qtmodeltester.check(model)
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(model)
    proxy.setSortRole(SORT_ROLE)

    def names() -> list[str]:
        return [proxy.index(row, 0).data() for row in range(3)]

    proxy.sort(1, Qt.SortOrder.AscendingOrder)
    assert names() == ["You", "Boris", "Ada"]
    proxy.sort(4, Qt.SortOrder.DescendingOrder)
    assert names() == ["Boris", "Ada", "You"]
    proxy.sort(0, Qt.SortOrder.AscendingOrder)
    assert names() == ["Ada", "Boris", "You"]


def test_headings_and_cells_explain_themselves(theme: ThemeSource) -> None:
    model = ColouredFigures(HUD_COLUMNS, theme, None)
    model.show_cells(hud_rows({1: "Ada"}, {1: ADA}))
    horizontal = Qt.Orientation.Horizontal
    assert model.headerData(2, horizontal) == "VPIP"
    assert "before the flop" in model.headerData(2, horizontal, Qt.ItemDataRole.ToolTipRole)
    spoken = model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "VPIP: 25%  12/48"


def test_text_to_copy_is_aligned() -> None:
    text = table_text(RESULT_COLUMNS[:2], [row[:2] for row in result_rows(RESULT, {}, CHIPS)])
    assert text == "Player   Net\nAda     +400\nBoris   −100\nYou     −300\n"


def test_a_tournament_ranks_by_places_which_can_be_shared() -> None:
    result = replace(RESULT, places={0: 2, 1: 2, 2: 1})
    columns = [column.title for column in result_columns(result)]
    assert columns[:3] == ["Player", "Place", "Net"]
    rows = result_rows(result, {}, CHIPS)
    assert [(row[0].text, row[1].text) for row in rows] == [("Boris", "1st"), ("Ada", "2nd"), ("You", "2nd")]
    assert all(len(row) == len(columns) for row in rows)
    assert result_columns(RESULT) == RESULT_COLUMNS


def test_the_summary_says_that_study_mode_was_on() -> None:
    assert "Study mode" not in summary_text(RESULT, CHIPS)
    assert "Study mode was on" in summary_text(replace(RESULT, was_study=True), CHIPS)


def test_prizes_stand_beside_places() -> None:
    result = replace(RESULT, places={2: 1, 1: 2, 0: 3}, prizes={2: 2.0, 1: 1.0, 0: 0.0})
    assert [column.title for column in result_columns(result)][:4] == ["Player", "Place", "Prize, buy-ins", "Net"]
    assert [[cell.text for cell in row[:3]] for row in result_rows(result, {}, CHIPS)] == [
        ["Boris", "1st", "2.00"],
        ["Ada", "2nd", "1.00"],
        ["You", "3rd", "–"],
    ]
    assert result_columns(replace(result, is_over=False))[2].title == "Worth, buy-ins"


def test_where_stacks_are_reset_no_stack_is_a_result() -> None:
    result = replace(RESULT, has_stacks=False)
    assert [column.title for column in result_columns(result)] == ["Player", "Net", "bb/100", "Hands"]
    assert {len(row) for row in result_rows(result, {}, CHIPS)} == {4}
