"""Curves and places as charts show them, and as CSV."""

import csv
from io import StringIO

import pytest

from tests.trainer.lab.samples import cash_result, one_sided_result, tournament_result
from trainer.lab.matches.charts_model import curves_csv, curves_view, places_csv, places_view


def test_curves_of_a_cash_game_are_in_big_blinds_and_begin_at_nothing() -> None:
    result = cash_result()
    view = curves_view(result, is_adjusted=False)
    assert [line.name for line in view.lines] == ["Always fold", "Always call", "Random"]
    for line, style in zip(view.lines, result.styles, strict=True):
        assert (line.hands[0], line.won[0]) == (0, 0)
        assert line.hands[-1] == result.hands
        assert line.won[-1] == pytest.approx(style.net / result.plan.game.big_blind)
        assert all(low <= won <= high for low, won, high in zip(line.low, line.won, line.high, strict=True))
    assert sum(line.won[-1] for line in view.lines) == pytest.approx(0), "what one wins the others lose"
    one_sided = curves_view(one_sided_result(), is_adjusted=False)
    assert one_sided.words == "After 240 hands: Always fold −180 big blinds, Always raise +180 big blinds"
    adjusted = curves_view(result, is_adjusted=True)
    assert adjusted.lines[2].won[-1] == pytest.approx(result.styles[2].adjusted_net / 100)


def test_curves_of_tournaments_are_in_chips() -> None:
    result = tournament_result()
    view = curves_view(result, is_adjusted=True)
    assert view.up == "Chips won in a tournament"
    for line, style in zip(view.lines, result.styles, strict=True):
        assert line.won[-1] == pytest.approx(style.chips.value)


def test_places_are_shares_of_a_styles_players() -> None:
    view = places_view(tournament_result())
    assert view is not None
    assert view.names == ("Always fold", "Always call", "Random")
    for shares in view.shares:
        assert sum(shares) == pytest.approx(1)
    for place in range(3):
        assert sum(shares[place] for shares in view.shares) == pytest.approx(1), "each place is taken once"
    assert "Always fold: " in view.words
    assert places_view(cash_result()) is None


def test_csv_has_every_point_of_every_style() -> None:
    result = cash_result()
    lines = list(csv.DictReader(StringIO(curves_csv(result))))
    assert len(lines) == 3 * len(result.curve)
    assert float(lines[-1]["chips"]) == result.styles[2].net
    assert float(lines[-1]["without_luck"]) == pytest.approx(result.styles[2].adjusted_net)
    tournaments = list(csv.DictReader(StringIO(curves_csv(tournament_result()))))
    assert tournaments[0]["without_luck"] == ""
    places = list(csv.DictReader(StringIO(places_csv(tournament_result()))))
    assert sum(float(line["place_1"]) for line in places) == pytest.approx(9)
    assert places_csv(cash_result()) == ""
