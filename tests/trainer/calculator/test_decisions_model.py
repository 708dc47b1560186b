"""Figures of a decision: amounts as typed, sums that can be checked, verdicts within their error, outs."""

import threading
from collections.abc import Iterator, Sequence

import pytest
from pytestqt.qtbot import QtBot

from engine.cards import Card, HoleCards, parse_cards
from engine.equity.checks import EquityError
from engine.equity.decisions import figures_of_bet, figures_of_call
from engine.equity.outs import OutFigures, chances_of_outs
from engine.equity.question import EquityQuestion
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot
from trainer.calculator.decisions_model import (
    AmountField,
    DecisionsModel,
    Verdict,
    bet_rows,
    call_rows,
    chips_text,
    format_chips,
    outs_view,
    read_amount,
    verdict_of,
)
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import RunState
from trainer.jobs import Jobs

LIMIT = 10.0


class Engine:
    """Answers at once with the same equity for the first player; sampled or exact, final or not."""

    def __init__(self) -> None:
        self.equity, self.stderr = 0.3, 0.0
        self.method, self.is_final = Method.EXACT, True

    def __call__(self, question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        others = (1 - self.equity) / (len(question.players) - 1)
        players = [PlayerEquity(one, 0.0, one, self.stderr) for one in [self.equity, *[others] * 9]]
        shown = tuple(players[: len(question.players)])
        return iter([Snapshot(shown, self.method, 1000, 0.1, self.is_final, 1.0 if self.is_final else 0.5)])


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def odds(jobs: Jobs, engine: Engine) -> OddsModel:
    return OddsModel(jobs, engine)


@pytest.fixture
def model(odds: OddsModel, jobs: Jobs) -> DecisionsModel:
    return DecisionsModel(odds, jobs)


def ask(qtbot: QtBot, odds: OddsModel, players: Sequence[str], board: str = "", **chips: float) -> None:
    odds.entry.set_question(players, board, **chips)
    qtbot.waitUntil(lambda: odds.run.snapshot is not None and not odds.run.is_stale, timeout=20_000)


def values(model: DecisionsModel) -> dict[str, str]:
    view = model.call()
    assert view is not None
    return {row.name: row.value for row in view.rows}


# ---- amounts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        ("150", 150.0),
        (" 12.5 ", 12.5),
        ("1,500", 1500.0),
        ("1 500.25", 1500.25),
        (".5", 0.5),
        ("0", 0.0),
        ("", None),
    ],
)
def test_amounts_are_read_as_they_are_written(text: str, chips: float | None) -> None:
    assert read_amount("pot", AmountField("7", 7.0), text) == AmountField(text, chips)


@pytest.mark.parametrize("text", ["x", "-4", "15x0", "1e3", "1,50", "12,5", "nan", "inf", ".", "1" * 16, "٣"])
def test_what_is_no_amount_is_marked_and_the_last_good_one_stays(text: str) -> None:
    field = read_amount("pot", AmountField("7", 7.0), f"  {text} ")
    assert (field.text, field.chips) == (f"  {text} ", 7.0)
    assert field.error is not None
    assert (field.error.position, field.error.length) == (2, len(text))
    assert field.error.message == "This is no amount, such as 150, 12.5 or 1,500. Used instead: 7."
    assert read_amount("bet", field, "9") == AmountField("9", 9.0), "a good text heals it"


def test_a_call_and_a_bet_are_more_than_nothing() -> None:
    for amount in ("to_call", "bet"):
        field = read_amount(amount, AmountField(), "0")  # type: ignore[arg-type]
        assert field.error is not None
        assert "is more than 0; leave" in field.error.message


@pytest.mark.parametrize(
    ("chips", "text"), [(150.0, "150"), (12.5, "12.5"), (0.0, "0"), (None, ""), (1e14, "1" + "0" * 14)]
)
def test_a_field_shows_what_reads_back(chips: float | None, text: str) -> None:
    assert format_chips(chips) == text
    assert read_amount("pot", AmountField(), text).chips == chips


def test_chips_for_reading() -> None:
    assert [chips_text(chips, signed=True) for chips in (12.5, -3.25, 0.0, -0.001, 1500.0, 10.0)] == [
        "+12.5", "−3.25", "0", "0", "+1,500", "+10",
    ]  # fmt: skip


# ---- verdicts and figures -----------------------------------------------------------------------------------


def test_the_verdict_waits_for_two_standard_errors() -> None:
    sampled = {"is_exact": False, "is_running": True}
    assert verdict_of(12.5, 6.0, **sampled) == ("Calling wins +12.5 on average", Verdict.CALL)
    assert verdict_of(12.5, 6.25, **sampled) == ("Too close to tell yet", Verdict.CLOSE)
    assert verdict_of(-12.5, 6.3, **sampled)[1] is Verdict.CLOSE
    assert verdict_of(-12.5, 6.2, **sampled) == (
        "Folding is better: a call loses 12.5 on average",
        Verdict.FOLD,
    )
    assert verdict_of(1.0, 1.0, is_exact=False, is_running=False)[0] == "Too close to tell with so many deals"
    assert verdict_of(0.004, 0.0, is_exact=True, is_running=False)[0] == "Calling and folding are worth the same"


def test_the_error_of_the_ev_is_that_of_the_equity_times_the_final_pot() -> None:
    rows = {row.name: row for row in call_rows(figures_of_call(150, 50, 0.3), 0.01, is_exact=False)}
    assert rows["EV of the call"].value == "+10 ± 2"
    assert rows["EV of the call"].how == "30.0% × 150 − 70.0% × 50"
    assert (rows["Equity"].value, rows["Equity"].how) == ("30.00%", "± 1.00%, against the others")
    assert rows["Pot odds"].value == "3 : 1"
    assert rows["Required equity"].value == "25.0%"
    assert rows["Minimum defence"].value == "66.7%"
    assert rows["Minimum defence"].how == "100 ÷ 150"
    exact = {row.name: row for row in call_rows(figures_of_call(150, 50, 0.3), 0.0, is_exact=True)}
    assert exact["EV of the call"].value == "+10"
    assert exact["Equity"].how == "exact, against the others"
    unknown = [row.name for row in call_rows(figures_of_call(150, 50), 0.0, is_exact=False)]
    assert unknown == ["Pot odds", "Required equity", "Minimum defence"]


def test_the_error_of_the_folds_needed_follows_the_equity() -> None:
    pot, bet, equity, stderr = 100.0, 100.0, 0.2, 0.001
    rows = {row.name: row for row in bet_rows(figures_of_bet(pot, bet, equity), 0.0, stderr, is_exact=False)}
    assert rows["Folds needed, bluff"].value == "50.0%"
    assert rows["Folds needed, this hand"].how == "40 ÷ (40 + 100)"
    shown, error = rows["Folds needed, this hand"].value.split(" ± ")
    assert shown == "28.6%"
    # The slope by a small difference of the engine's own figure.
    step = 1e-6
    higher, lower = (figures_of_bet(pot, bet, equity + move).fold_equity for move in (step, -step))
    assert higher is not None
    assert lower is not None
    assert float(error.removesuffix("%")) == pytest.approx(
        100 * stderr * abs(higher - lower) / (2 * step), abs=0.05
    )
    wins = {row.name: row for row in bet_rows(figures_of_bet(pot, bet, 0.5), 0.0, stderr, is_exact=False)}
    assert wins["Folds needed, this hand"].value == "0.0%"
    assert wins["Folds needed, this hand"].how == "wins even if always called"


def test_a_raise_counts_the_bet_that_lies_in_the_pot() -> None:
    rows = {row.name: row for row in bet_rows(figures_of_bet(150, 200, 0.2, 50), 50.0, 0.0, is_exact=True)}
    # Called, 150 + 200 + 150 lie in the middle; a fifth of it is 100, so 100 of the 200 are lost.
    assert rows["Folds needed, this hand"].how == "100 ÷ (100 + 150)"
    assert rows["Folds needed, this hand"].value == "40.0%"
    assert "raise" in rows["Folds needed, bluff"].meaning


# ---- the question's decision --------------------------------------------------------------------------------


def test_the_question_brings_its_chips_and_edits_go_back_into_it(
    model: DecisionsModel, odds: OddsModel, qtbot: QtBot
) -> None:
    ask(qtbot, odds, ["AhKh", "QQ"], pot=150.0, to_call=50.0)
    assert {name: field.text for name, field in model.fields.items()} == {"pot": "150", "to_call": "50", "bet": ""}
    assert values(model)["EV of the call"] == "+10"
    model.set_text("to_call", "75")
    assert (odds.entered.pot, odds.entered.to_call, odds.entered.bet) == (150.0, 75.0, None)
    model.set_text("to_call", "75x")
    assert odds.entered.to_call == 75.0, "nothing is lost while a text is wrong"
    assert values(model)["Required equity"] == "33.3%"
    odds.entry.set_amounts(pot=9.0, to_call=3.0)
    assert (model.fields["pot"].text, model.fields["to_call"].text) == ("9", "3")
    assert model.error_of("to_call") is None
    model.set_text("pot", "zz")
    odds.entry.set_question(["AhKh", "QQ"], pot=9.0)
    assert model.fields["pot"] == AmountField("9", 9.0), "another question starts afresh"


def test_without_amounts_it_says_what_to_enter(model: DecisionsModel, odds: OddsModel, qtbot: QtBot) -> None:
    ask(qtbot, odds, ["AhKh", "QQ"])
    assert model.hint() == "Enter the pot and what a call costs, or what this player would bet."
    assert model.call() is None
    assert model.bet() == ()
    model.set_text("to_call", "5")
    assert model.hint() == "Enter the pot as well."
    model.set_text("pot", "15")
    assert model.hint() == ""
    assert model.call() is not None


def test_amounts_that_do_not_fit_each_other_are_told(model: DecisionsModel) -> None:
    model.set_text("pot", "40")
    model.set_text("to_call", "50")
    error = model.error_of("pot")
    assert error is not None
    assert error.message == "The pot holds the bet to be called, so it is at least 50."
    assert model.call() is None
    assert not model.can_preset
    model.set_text("pot", "150")
    model.set_text("bet", "50")
    error = model.error_of("bet")
    assert error is not None
    assert error.message == "A raise holds the call, so it is more than 50."
    assert model.bet() == ()
    assert model.call() is not None


def test_amounts_beyond_all_measure_are_told_and_not_raised(model: DecisionsModel, odds: OddsModel) -> None:
    odds.entry.set_amounts(pot=1e300, to_call=1e-20)
    assert model.call() is None
    assert model.hint() == "The pot 1e+300 is too large beside the call 1e-20."


def test_presets_bet_shares_of_the_pot_and_raise_by_them(model: DecisionsModel) -> None:
    model.set_text("pot", "100")
    model.preset(1 / 3)
    assert model.fields["bet"].text == "33"
    model.preset(2.0)
    assert model.fields["bet"].text == "200"
    model.set_text("pot", "150")
    model.set_text("to_call", "50")
    model.preset(1.0)
    assert model.fields["bet"].text == "250", "a call of 50, and then the pot of 200"
    model.set_text("to_call", "")
    model.set_text("pot", "2.5")
    model.preset(0.5)
    assert model.fields["bet"].text == "1.25"


def test_the_verdict_of_a_running_sample(
    model: DecisionsModel, odds: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    engine.method, engine.is_final, engine.stderr = Method.SAMPLED, False, 0.03
    ask(qtbot, odds, ["AhKh", "QQ"], pot=150.0, to_call=50.0)
    view = model.call()
    assert view is not None
    assert (view.sentence, view.verdict) == ("Too close to tell yet", Verdict.CLOSE)
    assert (view.needed.required, view.needed.equity, view.needed.stderr) == (0.25, 0.3, 0.03)
    assert view.needed.text == "has 30.0%, needs 25.0%"


def test_before_the_odds_come_what_is_needed_is_told(model: DecisionsModel) -> None:
    model.set_text("pot", "150")
    model.set_text("to_call", "50")
    view = model.call()
    assert view is not None
    assert (view.sentence, view.verdict) == ("A call needs 25.0% equity", Verdict.UNKNOWN)
    assert view.needed.equity is None


def test_it_is_the_decision_of_the_first_player_or_of_who_is_chosen(
    model: DecisionsModel, odds: OddsModel, qtbot: QtBot
) -> None:
    odds.entry.set_question(["", "AhKh", "QQ"], names=["Ada", "Boris", "You"], pot=150.0, to_call=50.0)
    qtbot.waitUntil(lambda: odds.run.state is RunState.FINISHED, timeout=20_000)
    assert [name for _, name in model.players] == ["Boris", "You"], "who holds nothing decides nothing"
    assert (model.chosen, model.chosen_place) == (1, 0)
    assert values(model)["Equity"] == "30.00%"
    model.choose(model.players[1][0])
    assert (model.chosen, model.chosen_place) == (2, 1)
    assert values(model)["Equity"] == "70.00%"
    odds.entry.remove_player(0)
    assert model.chosen == 1, "the choice follows its player"
    odds.entry.set_player_text(1, "")
    assert model.chosen == 0, "without him it is the first one's"


# ---- outs ---------------------------------------------------------------------------------------------------


def test_outs_of_a_flush_draw_by_all_rules(model: DecisionsModel, odds: OddsModel, qtbot: QtBot) -> None:
    odds.entry.set_question(["8h7h", "AhKd"], "Kh 2h 5c", "9h")
    qtbot.waitUntil(lambda: bool(model.outs().rows), timeout=20_000)
    view = model.outs()
    assert {out.card for out in view.cards} == set(parse_cards("3h 4h 5h 6h Th Jh Qh Ah"))
    assert view.sentence == "8 outs against any two cards, 1 of them known to be elsewhere"
    assert [out.holder for out in view.cards if out.holder] == ["in Player 2's hand"]
    by_river = 1 - (38 * 37) / (46 * 45)
    assert view.rows == (
        ("Next card", f"{800 / 46:.1f}%", "16%"),
        ("By the river", f"{100 * by_river:.1f}%", "32%"),
    )
    assert "Ah (in Player 2's hand)" in model.spoken_outs()
    odds.entry.set_board_text("Kh 2h 5c Qs")
    qtbot.waitUntil(lambda: len(model.outs().rows) == 1, timeout=20_000)
    assert model.outs().rows == (("Next card", f"{800 / 45:.1f}%", "16%"),)


@pytest.mark.parametrize(
    ("hands", "board", "sentence"),
    [
        ("QQ+", "Kh 2h 5c", "Outs are counted for a hand; this player holds a range"),
        ("8h7h", "", "Outs are counted on the flop and the turn"),
        ("8h7h", "Kh 2h 5c Qs Qd", "No card is to come"),
        ("8h7h", "8h 2h 5c", "Outs are counted once no card stands in two places"),
    ],
)
def test_why_there_are_no_outs(
    model: DecisionsModel, odds: OddsModel, hands: str, board: str, sentence: str
) -> None:
    odds.entry.set_question([hands, "AsKd"], board)
    view = model.outs()
    assert (view.sentence, view.cards, view.rows) == (sentence, (), ())


def test_a_hand_that_is_ahead_has_none(model: DecisionsModel, odds: OddsModel, qtbot: QtBot) -> None:
    odds.entry.set_question(["KcKd", "AsQd"], "Kh 2h 5c")
    sentence = "No outs: this hand is not behind a random one"
    qtbot.waitUntil(lambda: model.outs().sentence == sentence, timeout=20_000)


def test_outs_are_counted_in_a_lane_and_only_for_the_newest_hand(odds: OddsModel, jobs: Jobs, qtbot: QtBot) -> None:
    threads: list[int] = []
    asked: list[tuple[HoleCards, tuple[Card, ...]]] = []
    go_on = threading.Event()

    def count(hole_cards: HoleCards, board: Sequence[Card], dead: Sequence[Card]) -> OutFigures | None:
        threads.append(threading.get_ident())
        asked.append((hole_cards, tuple(board)))
        go_on.wait(LIMIT)
        if board[0] == parse_cards("As")[0]:
            raise EquityError("No such hand.")
        return chances_of_outs(parse_cards("2c"), len(board), len(dead))

    model = DecisionsModel(odds, jobs, count)
    odds.entry.set_question(["8h7h", "QQ"], "Kh 2h 5c")
    assert model.outs().sentence == "Counting …"
    qtbot.waitUntil(lambda: len(asked) == 1)
    odds.entry.set_question(["9h7h", "QQ"], "Kh 2h 5c")
    odds.entry.set_question(["Th7h", "QQ"], "Kh 2h 5c")
    go_on.set()
    qtbot.waitUntil(lambda: bool(model.outs().rows))
    assert [hole_cards for hole_cards, _ in asked[1:]] == [parse_cards("Th7h")]
    assert threading.get_ident() not in threads
    count_before = len(asked)
    odds.entry.set_player_text(1, "JJ")
    odds.entry.set_amounts(pot=4.0)
    assert len(asked) == count_before, "nothing that matters has changed"
    odds.entry.set_dead_text("3c")
    qtbot.waitUntil(lambda: len(asked) == count_before + 1)
    odds.entry.set_board_text("As 2h 5c")
    qtbot.waitUntil(lambda: model.outs().sentence == "No such hand.")


def test_no_outs_and_one() -> None:
    assert outs_view(chances_of_outs((), 3), {}).sentence == "No outs against any two cards"
    one = outs_view(chances_of_outs(parse_cards("2c"), 4), {})
    assert one.sentence == "1 out against any two cards"
    assert len(one.rows) == len(one.tips) == 1
