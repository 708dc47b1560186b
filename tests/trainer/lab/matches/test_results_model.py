"""The tables of results: figures with their intervals, what is settled, and CSV."""

import csv
from io import StringIO

import pytest
from msgspec import structs

from engine.lab.matches.counted.tally import Difference, WinRate
from tests.trainer.lab.samples import cash_result, one_sided_result, tournament_result
from trainer.lab.matches.results_model import columns, difference_columns, difference_rows, notes, rows, table_csv
from trainer.widgets.tables_model import Cell


def by_title(titles: list[str], cells: tuple[Cell, ...]) -> dict[str, Cell]:
    """Give cells by the titles of their columns, of two with the same title the first."""
    return dict(reversed(list(zip(titles, cells, strict=True))))


def parsed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_a_row_for_each_style_of_a_cash_game() -> None:
    result = cash_result()
    titles = [column.title for column in columns(result)]
    of_style = {cells[0].text: by_title(titles, cells) for cells in rows(result)}
    assert list(of_style) == ["Always fold", "Always call", "Random"]
    folder = of_style["Always fold"]
    assert folder["VPIP"].text == "0.0%"
    assert folder["Hands"].text == "360"
    assert folder["AF"].text == "–", "who never calls has none"
    style = result.styles[0]
    assert folder["bb/100"].key == style.adjusted.bb_per_100
    assert folder["As won"].key == style.win_rate.bb_per_100


def test_the_folder_loses_its_blinds_beyond_doubt() -> None:
    """One and a half big blinds in two hands, with no spread at all."""
    folder, raiser = rows(one_sided_result())
    assert [cell.text for cell in folder[1:5]] == ["−75.0", "−75.0 to −75.0"] * 2
    assert (folder[1].role, raiser[1].role) == ("bad", "good")
    ((_, apart, _, verdict),) = difference_rows(one_sided_result())
    assert (apart.text, verdict.text) == ("−150.0", "Always raise is ahead")


def test_a_difference_is_settled_where_its_interval_leaves_zero() -> None:
    result = cash_result()
    near = WinRate(3.0, 1.0, 12)
    for rate, so_far in (
        (WinRate(3.0, 1.0, 12), "Always fold is ahead"),  # Student's t of 11 is 2.2
        (WinRate(-3.0, 1.0, 12), "Always call is ahead"),
        (WinRate(2.0, 1.0, 12), "not settled"),
        (WinRate(3.0, 1.0, 3), "not settled"),  # Student's t of 2 is 4.3
    ):
        one = structs.replace(result, differences=(Difference("always-fold", "always-call", near, rate),))
        ((names, _, _, verdict),) = difference_rows(one)
        assert (names.text, verdict.text) == ("Always fold – Always call", so_far)


def test_places_are_better_the_lower_they_are() -> None:
    result = tournament_result()
    titles = [column.title for column in columns(result)]
    assert titles[:4] == ["Style", "Place", "95% interval", "First"]
    assert "Buy-ins" not in titles, "the paper's tournament has no prizes"
    places = [cells[1].key for cells in rows(result)]
    assert sum(place for place in places if isinstance(place, float)) == pytest.approx(6)
    assert len(difference_columns(result)) == len(difference_rows(result)[0])
    ahead = result.differences[0]
    better = structs.replace(ahead, rank=structs.replace(ahead.rank, value=-1.0, stderr=0.01))
    ((*_, verdict),) = difference_rows(structs.replace(result, differences=(better,)))
    assert verdict.text == "Always fold is ahead"


def test_prizes_have_columns_where_there_are_any() -> None:
    result = tournament_result("tournament", 6)
    titles = [column.title for column in columns(result)]
    won = [by_title(titles, cells)["Buy-ins"].key for cells in rows(result)]
    assert sum(value for value in won if isinstance(value, float)) == pytest.approx(3), (
        "two seats of each, one buy-in apiece"
    )


def test_one_match_of_tournaments_has_no_interval() -> None:
    result = tournament_result()
    means = {name: structs.replace(getattr(result.styles[0], name), stderr=None) for name in ("rank", "chips")}
    alone = structs.replace(result, styles=(structs.replace(result.styles[0], **means),))
    assert rows(alone)[0][2].text == "–"


def test_what_the_intervals_are_made_of() -> None:
    assert notes(cash_result()) == (
        "12 matches, each deck played once in each of 3 seatings. Intervals are over matches."
    )
    assert notes(cash_result(2)).endswith("Intervals are over decks, as if nothing were learned.")
    assert notes(tournament_result()).startswith("9 tournaments: 3 matches, each played once in each of 3 seatings")
    cut = structs.replace(tournament_result(), cut=2)
    assert notes(cut).endswith("2 had no end and are ranked as they stood when they were cut.")


def test_csv_of_a_cash_game() -> None:
    result = cash_result()
    lines = parsed(table_csv(result))
    styles = ["Always fold", "Always call", "Random"]
    assert [line["style"] for line in lines] == [*styles, "Always fold", "Always fold", "Always call"]
    assert [line["less"] for line in lines] == ["", "", "", "Always call", "Random", "Random"]
    assert float(lines[1]["bb_per_100"]) == result.styles[1].adjusted.bb_per_100
    assert (
        float(lines[1]["bb_per_100_low_95"]) < float(lines[1]["bb_per_100"]) < float(lines[1]["bb_per_100_high_95"])
    )
    assert float(lines[3]["as_won_bb_per_100"]) == result.differences[0].rate.bb_per_100
    assert lines[3]["hands"] == ""
    assert lines[0]["aggression"] == ""


def test_csv_of_tournaments() -> None:
    result = tournament_result()
    lines = parsed(table_csv(result))
    assert len(lines) == 6
    assert float(lines[2]["rank"]) == result.styles[2].rank.value
    assert lines[2]["prizes"] == ""
    assert lines[2]["players"] == "9"
    assert float(lines[5]["rank"]) == result.differences[2].rank.value
