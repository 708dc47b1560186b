import msgspec
import pytest

from engine.agents.agent import Outs
from engine.cards import parse_cards
from engine.equity.snapshot import Estimate, Method
from engine.game.observation import LegalActions
from tests.trainer import samples
from tests.trainer.scripted_hands import Scribe
from trainer.play.meters_model import (
    MeterRecord,
    MeterView,
    against_text,
    estimate_text,
    idle_text,
    method_text,
    methods_text,
    price_text,
    verdict,
)
from trainer.session.types import PointRanges, PointReading, PotEquities, RunOutPoint

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
    assert (
        verdict(SAMPLED, 0.25, "Ada's range") == "You need 25.0% to call and win 41.3% ± 0.8 against Ada's range."
    )
    assert (
        verdict(SAMPLED, 0.25, "Ada's range", by_prizes=0.4)
        == "You need 25.0% to call, 40.0% by the prizes (ICM), and win 41.3% ± 0.8 against Ada's range: too close "
        "to tell apart."
    )
    assert verdict(SAMPLED, 0.0, "Ada's range") == "Nothing to call; you win 41.3% ± 0.8 against Ada's range."
    # 41.3 - 40.0 is less than two standard errors of 0.8.
    assert verdict(SAMPLED, 0.40, "Ada's range").endswith("Ada's range: too close to tell apart.")


def test_the_win_rate_says_against_whom_it_is() -> None:
    def said(opponents: int, *against: int) -> str:
        point = msgspec.structs.replace(samples.readings(opponents)[-1], against=against)
        return against_text(point)

    assert said(1, 1) == "Ada's range"
    assert said(5, 2) == "Boris's range if the other 4 fold"
    assert said(3, 1, 3) == "the ranges of Ada and Chloé if the other one folds"
    assert said(4, 1, 2, 3, 4) == "the ranges of the 4 in the pot"


def test_the_figures_are_those_against_the_players_who_are_in() -> None:
    """Like with like: the price of a call beside the win rate against those it meets, in bars, words and line."""
    point = samples.readings(5)[-1]
    against_one = msgspec.structs.replace(point, against=(2,), win=SAMPLED, win_random=Estimate(0.55, Method.EXACT))
    record = MeterRecord()
    record.add(against_one)
    view = record.view()
    assert isinstance(view, MeterView)
    assert [row.meter.value for row in view.rows] == [0.413, 0.55]
    assert "and win 41.3% ± 0.8 against Boris's range if the other 4 fold" in view.verdict
    assert (record.history().points[-1].win, record.history().points[-1].win_random) == (0.413, 0.55)


def test_pot_odds_as_share_and_ratio() -> None:
    # 100 to call into 300: 100 of the final 400, three to one.
    assert price_text(100, 300, 0.25) == "25.0% (3.0 : 1)"
    assert price_text(0, 300, 0.0) == "nothing to call"


def test_chips_beyond_the_own_stack_are_no_part_of_the_price() -> None:
    """With 200 against a raise to 400 you call 150 to win 200 and your own 50: 5 to 3, which is 37.5%."""
    hand = Scribe(2, stacks=[200, 2000], button=0, small_blind=50, big_blind=100).blinds().raise_to(1, 400)
    observation = hand.your_turn(LegalActions(False, 150, 0, 0)).observation
    point = msgspec.structs.replace(
        samples.readings(1)[-1], observation=observation, event_count=len(observation.events), against=(1,)
    )
    record = MeterRecord()
    record.add(with_reading(point, pot_odds=150 / 400))
    assert figures(record).facts.startswith("Pot odds: 37.5% (1.7 : 1)")


def figures(record: MeterRecord, event_count: int | None = None) -> MeterView:
    view = record.view(event_count)
    assert isinstance(view, MeterView)
    return view


def test_figures_of_a_point() -> None:
    record = MeterRecord()
    point = samples.readings(1)[-1]
    record.add(point)
    view = figures(record)
    legal = point.observation.legal
    assert legal is not None
    # The price from the chips themselves, not from the reading.
    assert view.needed == pytest.approx(legal.call_amount / (legal.call_amount + point.observation.pot))
    assert view.facts.startswith(
        f"Pot odds: {100 * view.needed:.1f}% ({point.observation.pot / legal.call_amount:.1f} : 1)   ·"
    )
    assert view.outs == ""


def test_outs_have_count_chance_and_cards() -> None:
    record = MeterRecord()
    point = samples.readings(1)[-1]
    record.add(with_reading(point, outs=Outs(parse_cards("9h Kh"), 0.087)))
    assert figures(record).outs == "Outs against any two cards: 2, 8.7% by the river: K♥ 9♥"
    record.add(with_reading(point, outs=Outs((), 0.0)))
    assert figures(record).outs == "Outs against any two cards: none", "not against what is read, which is above"


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
    assert figures(record).rows[0].meter.value == points[-1].reading.win_rate.value


def test_ranges_without_a_win_rate_leave_the_figures_of_the_point_before() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    record.add(points[2])
    made = points[3]
    record.add(PointRanges(made.hand_number, made.event_count, made.observation, made.predictions, made.shares))
    assert figures(record).rows[0].meter.value == points[2].reading.win_rate.value
    assert record.newest_count == made.event_count


def test_looking_back_takes_the_last_point_known_before() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    record.add(points[2])
    record.add(points[-1])
    assert figures(record, points[3].event_count).rows[0].meter.value == points[2].reading.win_rate.value
    assert record.view(points[0].event_count) == "No win rate yet."


def test_who_folded_is_told_so_and_nothing_else() -> None:
    points = samples.readings(2)
    record = MeterRecord()
    record.add(points[-2])
    record.add(folded(points[-1]))
    assert record.view() == "You folded: nothing to decide until the next hand."
    assert len(record.history().points) == 1
    assert figures(record, points[-2].event_count).rows[0].meter.value == points[-2].reading.win_rate.value


def all_in(hand: Scribe) -> Scribe:
    """Play heads-up to the turn K♦ K♣ against aces, all-in there."""
    hand.blinds().call(0).check(1).deal("2c7d9h").check(1).check(0).deal("Js")
    return hand.raise_to(1, hand.stack[1]).call(0)


def test_there_is_nothing_to_decide_all_in_or_when_the_hand_is_over() -> None:
    record = MeterRecord()
    hand = all_in(Scribe(2, hole_cards="KdKc"))
    record.follow(hand.observation())
    assert record.view() == "You are all-in: nothing left to decide."
    hand.show(1, "AsAh").show(0, "KdKc").deal("3d").award(1, 0, 4000).end()
    record.follow(hand.observation())
    assert record.view() == "The hand is over, and you are out of chips."
    record.follow(Scribe(3, hand_number=13).blinds().fold(0).raise_to(1, 60).fold(2).observation())
    assert record.view() == "You folded: nothing to decide until the next hand."
    other = Scribe(3, hand_number=14, human=2).blinds().fold(0, 1)
    record.follow(other.observation())
    assert record.view() == "Everybody else folded: the pot is yours."
    record.follow(other.award(2, 0, 30).end().observation())
    assert record.view() == "The hand is over."


def test_an_all_in_with_open_cards_shows_what_everybody_has_street_by_street() -> None:
    record = MeterRecord()
    hand = all_in(Scribe(2, hole_cards="KdKc")).show(1, "AsAh").show(0, "KdKc")
    turned_up = hand.observation()
    record.follow(turned_up)
    record.add_run_out(RunOutPoint(12, len(turned_up.events), turned_up, (PotEquities(4000, {0: 0.25, 1: 0.75}),)))
    view = figures(record)
    assert [(row.label, row.meter.text, row.is_main) for row in view.rows] == [
        ("You", "25.0%", True),
        ("Ada", "75.0%", False),
    ]
    assert view.verdict == "All-in, cards open: you have 25.0% of the pot, over all boards to come."
    assert (view.needed, view.outs, view.has_history) == (0.0, "", False)
    river = hand.deal("3d").observation()
    record.follow(river)
    record.add_run_out(RunOutPoint(12, len(river.events), river, (PotEquities(4000, {0: 0.0, 1: 1.0}),)))
    assert figures(record).facts == "Turn 25.0%   ·   River 0.0%"
    assert figures(record).verdict == "All-in, cards open: you have 0.0% of the pot."
    assert figures(record, len(turned_up.events)).facts == "Turn 25.0%"
    record.follow(hand.award(1, 0, 4000).end().observation())
    assert str(record.view()).endswith("When the cards were turned up, 25.0% of the pot was yours.")
    assert figures(record, len(turned_up.events)).facts == "Turn 25.0%", "looked back at"
    record.follow(Scribe(2, hand_number=13).observation())
    record.add_run_out(RunOutPoint(12, len(river.events), river, ()))
    assert record.view() == "No win rate yet.", "one of the hand before comes too late"


def test_side_pots_have_rows_of_their_own() -> None:
    hand = Scribe(3, stacks=(500, 1000, 1000), hole_cards="KdKc").blinds()
    hand.raise_to(0, 500).raise_to(1, 1000).call(2).show(0, "KdKc").show(1, "AsAh").show(2, "QsQh")
    record, observation = MeterRecord(), hand.observation()
    record.follow(observation)
    pots = (PotEquities(1500, {0: 0.2, 1: 0.6, 2: 0.2}), PotEquities(1000, {1: 0.8, 2: 0.2}))
    record.add_run_out(RunOutPoint(12, len(observation.events), observation, pots))
    view = figures(record)
    assert [row.label for row in view.rows] == [
        "You, main pot", "Ada, main pot", "Boris, main pot", "Ada, side pot 1", "Boris, side pot 1"
    ]  # fmt: skip
    assert "you have 12.0% of the pot" in view.verdict  # 0.2 of 1,500, so 300 of 2,500
    many = (*pots, *pots)
    record.add_run_out(RunOutPoint(12, len(observation.events), observation, many))
    assert [(row.label, row.meter.text) for row in figures(record).rows] == [
        ("You", "12.0%"),
        ("Ada", "68.0%"),  # 0.6 of 1,500 and 0.8 of 1,000
        ("Boris", "20.0%"),
    ]


def of_hand(point: PointReading, number: int) -> PointReading:
    observation = msgspec.structs.replace(point.observation, hand_number=number)
    return msgspec.structs.replace(point, hand_number=number, observation=observation)


def test_a_new_hand_starts_anew() -> None:
    record = MeterRecord()
    assert record.add(samples.readings(1)[-1])
    assert not record.add(samples.readings(1)[-2])
    assert record.add(of_hand(samples.readings(1)[0], 8))
    assert len(record.history().points) == 1
    record.clear()
    assert record.view() == "No hand is being played."
    assert record.history().points == ()


def test_an_all_in_to_be_called_is_a_decision_at_an_earlier_moment_too() -> None:
    """The moments of a hand already played do not tell whose turn it was."""
    shove = Scribe(2, button=1, stacks=[2000, 500]).blinds().raise_to(1, 500)
    assert idle_text(shove.observation(to_act=None)) == ""
    called = shove.call(0).observation()
    assert idle_text(called) == "Nobody else has chips left to bet: nothing left to decide."


def test_nothing_is_left_to_decide_at_the_showdown() -> None:
    river = Scribe(2, button=0).blinds().call(0).check(1).deal("KsTs2d").deal("3d").deal("4d").check(1, 0)
    assert idle_text(river.show(1, "AhAd").observation()) == "The betting is over: nothing left to decide."
