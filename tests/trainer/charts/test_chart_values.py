"""What charts show follows from the question and the answer: cells, bars, lines, rows, and every text."""

import dataclasses

import numpy as np
import pytest
from msgspec.structs import replace

from engine.cards import CLASS_COUNT, combo_of, parse_cards
from engine.codec import frozen_vector
from engine.equity.combos import ComboShares
from engine.equity.question import EquityQuestion
from engine.equity.snapshot import Method, Snapshot
from engine.ranges import Range, parse_range
from tests.trainer import chart_samples as samples
from trainer.charts.chart_values import (
    CARD_ORDER,
    CATEGORY_NAMES,
    BoardView,
    CategoriesView,
    GraphView,
    HeatView,
    NextCardView,
    StreetsView,
    blockers_of,
    held_for_sure,
    note_of,
)

NAMES = ("Ada", "Boris")


def question(*texts: str, board: str = "", dead: str = "") -> EquityQuestion:
    return EquityQuestion(tuple(map(parse_range, texts)), parse_cards(board), parse_cards(dead))


HANDS = question("AhKh", "QsQd", board="Jh Th 2c", dead="7d")
RANGES = question("AA,KK:0.5,AKs", "random", board="Jh Th 2c")


def next_card(asked: EquityQuestion = HANDS, player: int = 0) -> NextCardView:
    return NextCardView(asked, NAMES, player, list(samples.next_cards(asked))[-1])


def cell(view: NextCardView, card: str) -> int:
    return CARD_ORDER.index(parse_cards(card)[0])


def test_cards_stand_by_suit_from_ace_to_deuce() -> None:
    assert [CARD_ORDER[at] for at in (0, 12, 13, 51)] == [parse_cards(card)[0] for card in ("As", "2s", "Ah", "2c")]
    assert sorted(CARD_ORDER) == list(range(52))


def test_a_card_has_its_equity_and_a_colour_by_what_it_changes() -> None:
    view = next_card()
    ace, deuce = (view.map.cells[cell(view, card)] for card in ("As", "2s"))
    assert (ace.title, ace.number, ace.short) == ("A♠", "80.0", "80")
    assert ace.text == "A♠ comes 2.3% of the time: Ada 80.0%, Boris 20.0%"
    assert ace.level is not None
    assert deuce.level is not None
    assert deuce.level < 0 < ace.level
    levels = [abs(one.level) for one in view.map.cells if one.level is not None]
    assert max(levels) == pytest.approx(1)
    assert len(levels) == 44


def test_the_legend_tells_differences_as_the_colours_do() -> None:
    view = next_card()
    now = 100 * float(view.now[0])
    spread = max(80 - now, now - 20)
    assert view.map.legend == (f"−{spread:.1f} points", f"{now:.1f}% now", f"+{spread:.1f} points")
    sampled = NextCardView(HANDS, NAMES, 0, next(iter(samples.next_cards(HANDS))))
    assert sampled.map.legend[1] == f"{sampled.rows(None)[0][1]} now"
    assert "±" in sampled.map.legend[1]


def test_colours_are_the_other_way_round_for_the_other_player() -> None:
    first, second = next_card(player=0), next_card(player=1)
    for one, other in zip(first.map.cells, second.map.cells, strict=True):
        assert (one.level is None) == (other.level is None)
        if one.level is not None and other.level is not None:
            assert one.level == pytest.approx(-other.level)


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("Jh", "J♥ is on the board"),
        ("7d", "7♦ is dead"),
        ("Qs", "Q♠ is in Boris's hand"),
    ],
)
def test_a_card_that_cannot_come_is_blank_and_says_why(card: str, text: str) -> None:
    view = next_card()
    blank = view.map.cells[cell(view, card)]
    assert (blank.number, blank.level, blank.text) == ("", None, text)


def test_the_rows_tell_what_a_card_does_to_everybody() -> None:
    view = next_card()
    now = float(view.now[0])
    assert now == pytest.approx(float(np.mean([players[0].equity for players in view.result.value.players])))
    assert view.rows(None) == (("Ada", f"{100 * now:.1f}%", "", ""), ("Boris", f"{100 - 100 * now:.1f}%", "", ""))
    ace = view.rows(parse_cards("As")[0])
    assert ace[0] == ("Ada", f"{100 * now:.1f}%", "80.0%", f"+{80 - 100 * now:.1f}")
    assert ace[1][3].startswith("−")
    assert view.rows(parse_cards("Jh")[0]) == view.rows(None)


def test_what_is_sampled_of_the_next_card_has_its_errors() -> None:
    view = NextCardView(HANDS, NAMES, 0, next(iter(samples.next_cards(HANDS))))
    cards = len(view.result.value.cards)
    ace = view.map.cells[cell(view, "As")]
    assert ace.text == "A♠ comes 2.3% ±0.10% of the time: Ada 80.0% ±1.00%, Boris 20.0% ±1.00%"
    assert (ace.number, ace.error) == ("80", "±1.0")
    # The mean of so many cards, each with an error of 1 %; and how often the good ones come, which is off by 0.1 %.
    equities = np.array([players[0].equity for players in view.result.value.players])
    error = np.sqrt(0.01**2 / cards + 0.001**2 * ((equities - equities.mean()) ** 2).sum())
    assert view.rows(None)[0][1].endswith(f" ±{100 * error:.2f}%")
    # A change is the card's equity less the mean, of which the card is a part.
    change = view.rows(parse_cards("As")[0])[0][3]
    error = np.sqrt(error**2 + (1 - 2 / cards) * 0.01**2)
    assert change.endswith(f" ±{100 * error:.2f}")
    assert change.startswith("+")


def test_the_map_of_equal_cards_is_pale() -> None:
    result = list(samples.next_cards(HANDS))[-1]
    players = result.value.players
    same = replace(result.value, players=tuple(players[0] for _ in players))
    view = NextCardView(HANDS, NAMES, 0, replace(result, value=same))
    assert all(abs(one.level) < 1e-9 for one in view.map.cells if one.level is not None)


def test_a_note_says_where_numbers_come_from() -> None:
    assert note_of(Method.EXACT, 5, 0.0) == "Exact"
    assert note_of(Method.SAMPLED, 12_000, 0.0021) == "Sampled: 12,000 deals, standard error up to 0.21%"
    assert note_of(Method.SAMPLED, 12_000, 0.00002) == "Sampled: 12,000 deals, standard error up to 0.002%"
    assert note_of(Method.SAMPLED, 12_000, 1e-7) == "Sampled: 12,000 deals, standard error up to 0.001%"
    assert next_card().note == "Exact"


def test_held_for_sure_is_what_every_combo_has() -> None:
    assert set(held_for_sure(parse_range("AhKh"))) == set(parse_cards("AhKh"))
    assert held_for_sure(parse_range("AhKh,AhQh")) == parse_cards("Ah")
    assert held_for_sure(parse_range("AA")) == ()
    assert held_for_sure(Range(np.zeros(1326))) == ()


def test_a_player_is_blocked_by_all_cards_but_his_own() -> None:
    assert set(blockers_of(HANDS, 0)) == set(parse_cards("Jh Th 2c 7d Qs Qd"))
    assert set(blockers_of(RANGES, 0)) == set(parse_cards("Jh Th 2c"))


# ---- final hands


def final(player: int | None = None) -> CategoriesView:
    return CategoriesView(HANDS, NAMES, player or 0, next(samples.category_odds(HANDS)), is_of_all=player is None)


def test_final_hands_go_from_the_strongest_down() -> None:
    assert (CATEGORY_NAMES[0], CATEGORY_NAMES[-1]) == ("Straight flush", "High card")
    rows = final().rows
    assert rows[-1] == ("High card", "50.0% ±0.20%", "0% ±0.30%", "50.0% ±0.20%", "0% ±0.30%")
    assert rows[-2] == ("Pair", "50.0% ±0.20%", "100.0% ±0.30%", "50.0% ±0.20%", "50.0% ±0.30%")
    assert rows[0] == ("Straight flush", "0% ±0.01%", "–", "0% ±0.01%", "–")


def test_a_bar_has_its_chance_and_what_wins() -> None:
    bars = final().bars[-2]
    assert [(bar.player, bar.chance, bar.win) for bar in bars] == [(0, 0.5, 0.5), (1, 0.5, 0.25)]
    assert bars[1].text == "Boris: pair 50.0% ±0.20%, and then gets 50.0% ±0.30% of the pot"
    assert final(1).bars[0][0].text == "Boris: straight flush 0% ±0.01%"


def test_many_players_have_one_column_each() -> None:
    three = EquityQuestion(tuple(map(parse_range, ("AA", "KK", "QQ"))))
    view = CategoriesView(three, ("A", "B", "C"), 2, next(samples.category_odds(three)))
    assert view.headings == ("Final hand", ">A", ">B", ">C")
    assert view.rows[-1] == ("High card", *["50.0% ±0.20%"] * 3)
    assert dataclasses.replace(view, is_of_all=False).headings == ("Final hand", ">C", ">C wins")
    assert view.tips[-1].count("\n") == 2


# ---- hits


def board(player: int = 0) -> BoardView:
    return BoardView(RANGES, NAMES, player, next(samples.hits(RANGES)))


def test_rows_chosen_filter_the_grid_on_the_scale_of_the_whole() -> None:
    view = board()
    whole, pairs = view.grid(()), view.grid((0,))
    aces, kings, suited = 0, 14, 1
    assert [float(whole.values[at]) for at in (aces, kings, suited)] == [1, 0.5, 1]
    assert [float(pairs.values[at]) for at in (aces, kings, suited)] == [1, 0.5, 0]
    assert float(whole.sums.sum()) == pytest.approx(1)
    # 6 aces, 6 kings of weight 1/2, 4 suited ace-kings.
    assert float(pairs.sums.sum()) == pytest.approx(9 / 13)
    assert whole.live[14] == 6


def test_rows_chosen_become_a_range_with_its_weights() -> None:
    assert board().chosen_range((0,)) == parse_range("AA,KK:0.5")
    assert board().chosen_range((1,)) == parse_range("AKs")
    assert board().chosen_range((0, 1)) == parse_range("AA,KK:0.5,AKs")
    assert board().chosen_range((0, 2)) == parse_range("AA,KK:0.5,AKs")


def test_hits_are_told_in_words() -> None:
    view = board()
    assert list(view.rows) == [
        ("Pair", "9", "69.2%", "69.2%"),
        ("Nothing", "4", "30.8%", "100.0%"),
        ("Flush draw", "4", "30.8%", ""),
    ]
    assert view.is_ordered
    assert view.summary(()) == "13 live combos"
    assert view.summary((0,)) == "Pair: 9 of 13 live combos, 69.2%"
    assert view.describe(1, ()) == "AKs: 4 of 4 live combos\nnothing 4, flush draw 4"
    assert view.describe(1, (0,)) == "AKs: 0 of 4 live combos\nnothing 4, flush draw 4"
    assert view.describe(CLASS_COUNT - 1, ()) == "22: 0 of 3 live combos"


# ---- range against range


def shares(entries: dict[str, tuple[float, float]]) -> ComboShares:
    weights, equities = np.zeros((2, 1326))
    for text, (weight, equity) in entries.items():
        combo = combo_of(*parse_cards(text))
        weights[combo], equities[combo] = weight, equity
    return ComboShares(frozen_vector(weights), frozen_vector(equities))


def test_the_graph_names_the_hand_at_a_place() -> None:
    own = shares({"AhKh": (0.25, 0.9), "QsQd": (0.25, 0.4), "2c2d": (0.5, 0.1)})
    other = shares({"JsJd": (1.0, 0.5)})
    view = GraphView(RANGES, NAMES, 0, Snapshot((own, other), Method.EXACT, 0, 0.1, True, 1.0))
    assert view.rows(10)[0] == ("Ada", "90.0%", "AKs (A♥K♥)")
    assert view.rows(40)[0] == ("Ada", "40.0%", "QQ (Q♠Q♦)")
    assert view.rows(90) == (("Ada", "10.0%", "22 (2♦2♣)"), ("Boris", "50.0%", "JJ (J♠J♦)"))
    assert view.rows(0)[0][1] == "90.0%"
    assert view.rows(100)[0][1] == "10.0%"
    assert view.rows(-5)[0] == view.rows(0)[0]
    line = view.lines[0]
    assert line.equities[0] == pytest.approx(90)
    assert line.equities[-1] == pytest.approx(10)
    assert line.mean == pytest.approx(0.375)
    assert "Ada: 37.5% on average, best 90.0%" in view.text


def test_a_sampled_graph_has_a_band_around_each_line() -> None:
    own = shares({"AhKh": (0.25, 0.9), "QsQd": (0.25, 0.85), "2c2d": (0.5, 0.1)})
    stderrs = np.zeros(1326)
    for text, error in (("AhKh", 0.03), ("QsQd", 0.02), ("2c2d", 0.06)):
        stderrs[combo_of(*parse_cards(text))] = error
    own = replace(own, stderrs=frozen_vector(stderrs), stderr=0.01)
    other = shares({"JsJd": (1.0, 0.5)})
    view = GraphView(RANGES, NAMES, 0, Snapshot((own, other), Method.SAMPLED, 500, 0.1, True, 1.0))
    band = view.lines[0].band
    assert band is not None
    # The hand that looks best is at 84 % at the least, but the other one at 81 %: so is the second of them.
    assert [(round(float(low), 4), round(float(high), 4)) for low, high in zip(*band, strict=True)][::80] == [
        (84, 96),
        (81, 89),
        (0, 22),
    ]
    assert view.lines[1].band is None
    assert view.headings == ("Player", ">Equity", ">Band", "Hand")
    assert view.rows(0)[0] == ("Ada", "90.0% ±3.00%", "84.0–96.0%", "AKs (A♥K♥)")
    assert view.rows(0)[1] == ("Boris", "50.0%", "", "JJ (J♠J♦)")
    assert [view.rows(place)[0][2] for place in (49.8, 100)] == ["81.0–89.0%", "0.0–22.0%"]
    # Between two points that differ it is as wide as both.
    assert view.rows(25.2)[0][2] == "81.0–96.0%"
    assert "best 84.0–96.0%" in view.text
    assert "standard errors" in view.remark


def test_an_exact_graph_has_no_band() -> None:
    line = shares({"JsJd": (1.0, 0.5)})
    view = GraphView(RANGES, NAMES, 0, Snapshot((line, line), Method.EXACT, 0, 0.1, True, 1.0))
    assert [line.band for line in view.lines] == [None, None]
    assert (view.remark, view.headings) == ("", ("Player", ">Equity", "Hand"))


def test_the_heatmap_is_coloured_by_a_fair_share_and_faint_by_weight() -> None:
    view = HeatView(RANGES, NAMES, 0, next(samples.range_equities(RANGES)))
    aces, kings, suited, other = (view.map.cells[at] for at in (0, 14, 1, 2))
    assert aces.level is not None
    assert aces.level > 0.9
    assert (aces.weight, kings.weight, suited.weight) == (1, 0.5, 1)
    assert (other.level, other.text) == (None, "AQs: not in the range")
    assert kings.text.startswith("KK: equity ")
    assert "3 of 6 live combos" in kings.text
    assert view.map.legend == ("0%", "fair share 50%", "100%")


def test_what_is_sampled_has_its_error_beside_it() -> None:
    weights, equities, errors = np.zeros((3, 1326))
    for text, weight, equity, error in (("AhAd", 0.75, 1.0, 0.0004), ("KhKd", 0.25, 0.3, 0.02)):
        combo = combo_of(*parse_cards(text))
        weights[combo], equities[combo], errors[combo] = weight, equity, error
    class_errors, class_weight_errors = np.zeros((2, CLASS_COUNT))
    class_errors[[0, 14]], class_weight_errors[[0, 14]] = (0.0004, 0.02), 0.011
    vectors = (frozen_vector(each) for each in (weights, equities, errors, class_errors, class_weight_errors))
    own = ComboShares(*vectors, stderr=0.006)
    result = Snapshot((own, shares({"JsJd": (1.0, 0.5)})), Method.SAMPLED, 3_000, 0.1, False, 0.1)
    graph = GraphView(RANGES, NAMES, 0, result)
    assert graph.rows(10)[0] == ("Ada", "100.0% ±0.04%", "99.9–100.0%", "AA (A♥A♦)")
    assert graph.rows(100)[0][1] == "30.0% ±2.00%"
    assert (
        "Ada: 82.5% ±0.60% on average, best 99.9–100.0%, median 99.9–100.0%, worst 26.0–34.0%; Boris" in graph.text
    )
    assert graph.note == "Sampled: 3,000 deals, a hand's standard error up to 2.00%"
    heat = HeatView(question("AA,KK,QQ", "JJ", board="Jh Th 2c"), NAMES, 0, result)
    aces, kings, queens = (heat.map.cells[at] for at in (0, 14, 28))
    assert aces.text == "AA: equity 100.0% ±0.04%, 6 of 6 live combos, 75.0% ±1.10% of the range"
    assert (aces.number, aces.error, kings.number, kings.error) == ("100.0", "±0.1", "30", "±2.0")
    assert queens.text == "QQ: no deal yet leaves it, so there is no number"
    assert heat.note == "Sampled: 3,000 deals, a cell's standard error up to 2.00%"


def test_a_class_that_is_blocked_says_so() -> None:
    blocked = question("AA,KK", "random", board="Ks Kd Kc")
    cells = HeatView(blocked, NAMES, 0, next(samples.range_equities(blocked))).map.cells
    assert cells[14].text == "KK: every combo is blocked"


# ---- streets


def test_streets_tell_their_cards_equities_and_errors() -> None:
    first, *_, last = samples.streets(HANDS)
    view = StreetsView(HANDS, NAMES, 0, last)
    assert view.streets == ("Preflop", "Flop")
    assert view.cards == ("", "J♥T♥2♣")
    assert view.equities[0] == pytest.approx((0.4, 0.5))
    assert view.rows[0] == ("Ada", "40.0% ±0.10%", "50.0%")
    assert view.note == "Sampled: preflop; the others are exact; ± is one standard error"
    assert view.text == "Ada: preflop 40.0% ±0.10%, flop 50.0%; Boris: preflop 60.0% ±0.10%, flop 50.0%"
    early = StreetsView(HANDS, NAMES, 0, first)
    assert early.rows[0] == ("Ada", "40.0% ±0.10%", "…")
