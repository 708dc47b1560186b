import msgspec
import pytest

from engine.agents.agent import Estimate, Method, Outs
from engine.cards import parse_cards
from tests.trainer import samples
from trainer.session_types import PointReading
from trainer.viewmodels.meters import MeterRecord, estimate_text, method_text, methods_text, price_text, verdict

SAMPLED = Estimate(0.413, Method.SAMPLED, 0.008, 4000)


def with_reading(point: PointReading, **changes: object) -> PointReading:
    return msgspec.structs.replace(point, reading=msgspec.structs.replace(point.reading, **changes))


def folded(point: PointReading) -> PointReading:
    seats = tuple(
        msgspec.structs.replace(view, is_folded=view.seat == samples.HERO) for view in point.observation.seats
    )
    return msgspec.structs.replace(point, observation=msgspec.structs.replace(point.observation, seats=seats))


def test_estimates_carry_their_error_unless_exact() -> None:
    assert estimate_text(SAMPLED) == "41.3% ± 0.8"
    assert estimate_text(Estimate(0.5, Method.EXACT, 0.0, 990)) == "50.0%"
    assert estimate_text(Estimate(0.228, Method.SAMPLED, 0.0001, 20_000_000)) == "22.8% ± 0.01"
    assert method_text(SAMPLED) == "sampled, 4,000 deals"
    assert method_text(Estimate(0.5, Method.EXACT, 0.0, 990)) == "exact, 990 showdowns"
    assert method_text(Estimate(0.2, Method.TABLE, 1e-4, 20_000_000)) == "from a table of 20,000,000 sampled deals"
    assert method_text(Estimate(0.85, Method.TABLE, 0.0, 0)) == "from a table, exact"


def test_both_win_rates_say_how_they_were_found() -> None:
    exact, table = Estimate(0.5, Method.EXACT, 0.0, 990), Estimate(0.4, Method.TABLE, 1e-4, 20_000_000)
    assert methods_text(SAMPLED, table) == "ranges sampled, random from a table"
    assert methods_text(exact, exact) == "both exact"


def test_the_verdict_is_neutral_and_knows_its_error() -> None:
    assert verdict(SAMPLED, 0.25) == "You need 25.0% to call; you win 41.3% ± 0.8 against the predicted ranges."
    assert verdict(SAMPLED, 0.0) == "Nothing to call; you win 41.3% ± 0.8 against the predicted ranges."
    # 41.3 - 40.0 is less than two standard errors of 0.8.
    assert verdict(SAMPLED, 0.40).endswith("predicted ranges: too close to tell apart.")


def test_pot_odds_as_share_and_ratio() -> None:
    # 100 to call into 300: 100 of the final 400, three to one.
    assert price_text(100, 300, 0.25) == "25.0% (3.0 : 1)"
    assert price_text(0, 300, 0.0) == "nothing to call"


def test_figures_of_a_point() -> None:
    record = MeterRecord()
    point = samples.readings(1)[-1]
    record.add(point)
    view = record.view()
    assert view is not None
    legal = point.observation.legal
    assert legal is not None
    # The price from the chips themselves, not from the reading.
    assert view.needed == pytest.approx(legal.call_amount / (legal.call_amount + point.observation.pot))
    assert view.price == f"{100 * view.needed:.1f}% ({point.observation.pot / legal.call_amount:.1f} : 1)"
    assert view.outs == ""
    assert not view.is_folded


def test_outs_have_count_chance_and_cards() -> None:
    record = MeterRecord()
    point = samples.readings(1)[-1]
    record.add(with_reading(point, outs=Outs(parse_cards("9h Kh"), 0.087)))
    view = record.view()
    assert view is not None
    assert view.outs == "2, 8.7% by the river: K♥ 9♥"
    record.add(with_reading(point, outs=Outs((), 0.0)))
    view = record.view()
    assert view is not None
    assert view.outs == "none"


def test_readings_may_come_in_any_order() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    for point in (points[-1], points[0], points[4], points[2]):
        record.add(point)
    history = record.history()
    assert [point.event_count for point in history.points] == sorted(
        points[index].event_count for index in (-1, 0, 4, 2)
    )
    assert history.points[-1].place == 1.0
    assert [name for name, _ in history.streets] == ["Preflop", "Flop", "Turn", "River"]
    assert [place for _, place in history.streets] == sorted(place for _, place in history.streets)
    assert record.newest_count == points[-1].event_count
    newest = record.view()
    assert newest is not None
    assert newest.win.value == points[-1].reading.win_rate.value


def test_looking_back_takes_the_last_point_known_before() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    record.add(points[2])
    record.add(points[-1])
    view = record.view(points[3].event_count)
    assert view is not None
    assert view.win.value == points[2].reading.win_rate.value
    assert record.view(points[0].event_count) is None


def test_a_folded_hand_keeps_its_last_figures() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    record.add(points[-2])
    record.add(folded(points[-1]))
    view = record.view()
    assert view is not None
    assert view.is_folded
    assert view.verdict.startswith("You folded; your last win rate was ")
    assert len(record.history().points) == 1
    earlier = record.view(points[-2].event_count)
    assert earlier is not None
    assert not earlier.is_folded


def test_a_new_hand_starts_anew() -> None:
    record = MeterRecord()
    assert record.add(samples.readings(1)[-1])
    assert not record.add(samples.readings(1)[-2])
    assert record.add(msgspec.structs.replace(samples.readings(1)[0], hand_number=8))
    assert len(record.history().points) == 1
    record.clear()
    assert record.view() is None
    assert record.history().points == ()
