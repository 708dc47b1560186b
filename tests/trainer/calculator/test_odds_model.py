"""The odds calculator without its window: what is understood of the input, what is said, when it runs and stops."""

import csv
import gc
import json
import threading
import time
from collections.abc import Callable, Iterator
from weakref import ref

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.cards import Card, Street, parse_cards
from engine.equity.checks import EquityError
from engine.equity.notation import parse_question
from engine.equity.question import EquityQuestion
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot, solve
from engine.ranges import Range, parse_range
from tests.trainer.gestures import PATIENCE
from trainer.calculator import run_model as odds_run
from trainer.calculator.input_model import FieldError, PlayerRow, describe_row, read_player
from trainer.calculator.odds_model import OddsModel
from trainer.calculator.run_model import LANES, RunState, format_odds, format_run, run_controls
from trainer.jobs import Jobs

LIMIT = 10.0


@pytest.fixture
def model(jobs: Jobs) -> OddsModel:
    return OddsModel(jobs, random=np.random.default_rng(7))


def snapshot(count: int, *, is_final: bool, method: Method = Method.SAMPLED) -> EquitySnapshot:
    stderr = 0.0 if method is Method.EXACT else 0.0125
    players = tuple(PlayerEquity(*shares, *[stderr] * 3) for shares in ((0.25, 0.1, 0.3), (0.65, 0.1, 0.7)))
    return Snapshot(players, method, count, 0.5, is_final, 1.0 if is_final else 0.25)


class Engine:
    """Solves by handing out one snapshot, and goes on only when told."""

    def __init__(self) -> None:
        self.questions: list[EquityQuestion] = []
        self.opened = threading.Event()
        self.closed = threading.Event()

    def __call__(self, question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        self.questions.append(question)
        return self._snapshots()

    def _snapshots(self) -> Iterator[EquitySnapshot]:
        try:
            yield snapshot(1000, is_final=False)
            assert self.opened.wait(LIMIT)
            yield snapshot(2000, is_final=True)
        finally:
            self.closed.set()


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = Engine()
    yield made
    made.opened.set()


@pytest.fixture
def slow_model(jobs: Jobs, engine: Engine) -> OddsModel:
    return OddsModel(jobs, engine)


def rows(model: OddsModel) -> list[str]:
    return [row.text for row in model.entered.rows]


def wait_for(qtbot: QtBot, model: OddsModel, state: RunState) -> None:
    qtbot.waitUntil(lambda: model.run.state is state, timeout=PATIENCE)  # the first run may compile


# ---- what is understood


def test_text_that_cannot_be_read_keeps_the_last_good_hands_and_says_where() -> None:
    good = read_player(PlayerRow(0), "22+, A2s+")
    bad = read_player(good, "22+, A2x+")
    assert bad.text == "22+, A2x+"
    assert bad.hands == parse_range("22+,A2s+")
    assert bad.error is not None
    assert bad.text[bad.error.position : bad.error.position + bad.error.length] == "A2x+"
    assert bad.error.message.endswith("Used instead: 22+, A2s+.")
    mended = read_player(bad, "22+")
    assert mended.error is None
    assert mended.hands == parse_range("22+")


def test_a_first_text_that_cannot_be_read_leaves_nothing_to_use() -> None:
    row = read_player(PlayerRow(0), "A")
    assert row.hands is None
    assert row.error is not None
    assert "Used instead" not in row.error.message


def test_empty_text_is_an_empty_row_and_a_range_of_nothing_an_error() -> None:
    row = read_player(read_player(PlayerRow(0), "AA"), "  ")
    assert (row.hands, row.error) == (None, None)
    row = read_player(read_player(PlayerRow(0), "AA"), "KK:0")
    assert row.hands == parse_range("AA")
    assert row.error is not None
    assert "holds no hand" in row.error.message


@pytest.mark.parametrize(
    ("text", "blockers", "said"),
    [
        ("AhKh", "", "hand · AhKh"),
        ("khah", "", "hand · AhKh"),
        ("AA", "", "6 combos · 0.5%"),
        ("AA", "As", "6 combos · 0.5% · 3 blocked"),
        ("AA:0.5", "", "3 combos · 0.2%"),
        ("AKs:0.3", "Ks", "1.2 combos · 0.1% · 0.3 blocked"),
        ("random", "", "any two cards"),
        ("random", "Ks 7d 2h", "any two cards · 150 blocked"),
        ("", "", "empty: left out"),
    ],
)
def test_a_row_says_what_it_holds(text: str, blockers: str, said: str) -> None:
    assert describe_row(read_player(PlayerRow(0), text), parse_cards(blockers)) == said


def test_board_text_that_cannot_be_read_keeps_the_board(model: OddsModel) -> None:
    model.entry.set_board_text("Ks 7d 2h")
    model.entry.set_board_text("Ks 7d 2x")
    assert model.entered.board.cards == parse_cards("Ks 7d 2h")
    assert model.entered.board.error == FieldError(
        "'2x' is no card: 'x' is no suit (c d h s). Used instead: Ks7d2h.", position=7, length=1
    )


def test_a_sixth_card_is_marked(model: OddsModel) -> None:
    model.entry.set_board_text("Ks 7d 2h 3c 9s, 10d, Ah")
    assert model.entered.board.cards == ()
    assert model.entered.board.error is not None
    assert model.entered.board.text[model.entered.board.error.position :] == "10d, Ah"
    assert model.entered.board.error.length == len("10d, Ah")
    assert "room for 5 cards" in model.entered.board.error.message


def test_a_board_at_random_takes_no_card_that_is_used(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QsQd"], "2c", "3c 4c")
    seen: set[Card] = set()
    for _ in range(200):
        model.entry.set_board_text("2c")
        model.entry.deal_board(Street.RIVER)
        assert len(set(model.entered.board.cards)) == 5
        assert model.entered.board.cards[0] == parse_cards("2c")[0], "what lies there stays"
        seen.update(model.entered.board.cards)
    assert not seen & set(parse_cards("AhKhQsQd3c4c"))
    assert len(seen) == 46, "and every free card can come"


def test_streets_are_dealt_and_taken_back(model: OddsModel) -> None:
    model.entry.deal_board(Street.TURN)
    four = model.entered.board.cards
    assert len(four) == 4
    model.entry.deal_board(Street.FLOP)
    assert model.entered.board.cards == four[:3]
    model.entry.deal_board(Street.RIVER)
    five = model.entered.board.cards
    assert five[:3] == four[:3]
    model.entry.clear_board(Street.RIVER)
    assert model.entered.board.cards == five[:4]
    model.entry.clear_board(Street.TURN)
    assert model.entered.board.cards == five[:3]
    model.entry.clear_board(Street.FLOP)
    assert model.entered.board.cards == ()


# ---- what is said


@pytest.mark.parametrize(
    ("players", "board", "dead", "said"),
    [
        ((), "", "", "at least two players"),
        (("AhKh",), "", "", "at least two players"),
        (("AhKh", "AhQd"), "", "", "The Ah is in Player 1's hand and in Player 2's hand."),
        (("AhKh", "QsQd"), "Ah 7d 2h", "", "The Ah is on the board and in Player 1's hand."),
        (("AhKh", "QsQd"), "Ks 7d 2h", "Ks", "The Ks is on the board and among the dead cards."),
        (("AhKh", "QsQd"), "", "Qs", "The Qs is among the dead cards and in Player 2's hand."),
        (("AhKh", "QQ"), "Qs Qd Qh", "", "Player 2: The board and the dead cards leave no combo"),
        (("AhKh", "Q"), "", "", "at least two players"),
        (("AhKh", "QQ"), "Ks", "", "The flop needs 2 more cards."),
        (("AhKh", "QQ"), "Ks 7d", "", "The flop needs 1 more card."),
    ],
)
def test_why_there_are_no_odds(
    model: OddsModel, players: tuple[str, ...], board: str, dead: str, said: str
) -> None:
    model.entry.set_question(players, board, dead)
    assert said in model.entered.problem()
    assert model.run_text() == model.entered.problem()
    assert model.run.state is RunState.NOTHING
    assert model.entered.question() is None


def test_a_clash_is_said_at_every_place_it_concerns(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "22+", "AhQs"], "Ks Qs 2h")
    said = model.clashes
    assert set(said) == {0, 2, "board"}
    assert "Qs" in said["board"]
    assert said[0] == "The Ah is in Player 1's hand and in Player 3's hand."


def test_a_range_may_hold_cards_of_others(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "AA,KK"], "Ks 7d 2h")
    assert model.clashes == {}
    assert model.entered.problem() == ""


def test_used_cards_say_where_they_are(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QQ"], "Ks 7d 2h", "3c")
    ah, ks, dead = parse_cards("Ah Ks 3c")
    assert model.entered.used_cards(besides="board") == dict.fromkeys(parse_cards("AhKh"), "in Player 1's hand") | {
        dead: "among the dead cards"
    }
    own = model.entered.used_cards(besides=0)
    assert ah not in own
    assert own[ks] == "on the board"


def test_empty_rows_are_left_out_and_ten_are_the_most(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "", "QsQd"])
    question = model.entered.question()
    assert question is not None
    assert question.players == (parse_range("AhKh"), parse_range("QsQd"))
    assert question.labels == ("Player 1", "Player 3"), "so that errors name the rows as they stand"
    for _ in range(9):
        model.entry.add_player()
    assert len(model.entered.rows) == 10
    assert not model.entry.can_add
    for _ in range(9):
        model.entry.remove_player(0)
    assert len(model.entered.rows) == 2
    assert not model.entry.can_remove


def test_removing_takes_the_right_row(model: OddsModel) -> None:
    model.entry.set_question(["AA", "KK", "QQ"])
    model.entry.remove_player(1)
    assert rows(model) == ["AA", "QQ"]


def test_a_position_fills_everything_in(model: OddsModel) -> None:
    weights = np.zeros(1326, dtype=np.float32)
    weights[parse_range("AA").weights > 0] = 0.02
    weights[parse_range("KK").weights > 0] = 0.005
    model.entry.set_question([Range(weights), "AhKh"], parse_cards("Qs7d2h"), parse_cards("3c"), ["Anna", "You"])
    assert rows(model) == ["AA,KK:0.25", "AhKh"], (
        "only ratios matter, so weights are scaled to what a reader can use"
    )
    assert [model.entered.name_of(index) for index in range(2)] == ["Anna", "You"]
    assert (model.entered.board.text, model.entered.dead.text) == ("Qs 7d 2h", "3c")
    assert model.entered.problem() == ""
    model.entry.set_player_range(1, parse_range("random"))
    assert rows(model)[1] == "random"
    model.entry.clear()
    assert rows(model) == ["", ""]
    assert model.entered.board.cards == ()


def test_a_predicted_range_keeps_its_ratios_in_few_digits(model: OddsModel) -> None:
    posterior = np.random.default_rng(3).random(1326).astype(np.float32) ** 8
    posterior[7] = 1e-9
    model.entry.set_question([Range(posterior), "AhKh"])
    hands = model.entered.rows[0].hands
    assert hands is not None
    kept = hands.weights > 0
    np.testing.assert_allclose(hands.weights[kept], posterior[kept] / posterior.max(), rtol=0.0051)
    assert not kept[7]
    assert hands == parse_range(model.entered.rows[0].text), "the text says just what is computed"
    assert posterior[~kept].max() < 1e-5


def test_painting_everything_away_empties_the_row(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QQ"], names=["Anna", "Bo"])
    model.entry.set_player_range(1, Range(np.zeros(1326)))
    assert rows(model) == ["AhKh", ""]
    assert model.entered.name_of(1) == "Bo"
    assert model.entered.rows[1].hands is None


def test_more_than_ten_players_are_cut(model: OddsModel) -> None:
    model.entry.set_question(["random"] * 12)
    assert len(model.entered.rows) == 10


# ---- odds


@pytest.mark.parametrize(
    ("stderr", "method", "shown", "twice"),
    [
        (0.0, Method.EXACT, ("46.02%", "0.39%", "46.21%", "exact"), ""),
        (0.0005, Method.SAMPLED, ("46.02%", "0.39%", "46.21%", "±0.05%"), "±0.10%"),
        (0.00002, Method.SAMPLED, ("46.018%", "0.393%", "46.214%", "±0.002%"), "±0.004%"),
    ],
)
def test_digits_follow_the_standard_error(
    stderr: float, method: Method, shown: tuple[str, ...], twice: str
) -> None:
    # E1 of the reference answers: 787,966 won, 6,732 tied of 1,712,304.
    odds = format_odds(
        PlayerEquity(787966 / 1712304, 6732 / 1712304, 0.46214457, stderr, 2 * stderr, stderr), method
    )
    assert (odds.win_error, odds.tie_error) == (("", "") if method is Method.EXACT else (twice, shown[3]))
    assert (odds.win, odds.tie, odds.equity, odds.error) == shown


def test_the_line_of_a_run_says_method_count_time_and_speed() -> None:
    def line(state: RunState, *, is_exact: bool = False) -> str:
        method = Method.EXACT if is_exact else Method.SAMPLED
        return format_run(snapshot(2_000_000, is_final=False, method=method), state)

    assert line(RunState.FINISHED, is_exact=True) == "Exact: all 2,000,000 deals in 0.50 s"
    assert line(RunState.FINISHED) == "Sampled: 2,000,000 deals in 0.50 s, 4.0 million per second"
    assert line(RunState.RUNNING) == (
        "So far: 2,000,000 deals sampled, 25% of the work done, 0.50 s, 4.0 million per second"
    )
    assert line(RunState.STOPPED).startswith("Partial, stopped by you: 2,000,000 deals sampled")
    assert line(RunState.PAUSED).startswith("Paused: 2,000,000 deals sampled")


def test_an_exact_answer_of_the_reference(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "QsQd"])
    assert model.run.is_busy
    wait_for(qtbot, model, RunState.FINISHED)
    odds = model.odds(0)
    assert odds is not None
    assert odds.equity_share == pytest.approx(0.46214457, abs=5e-9)
    assert (odds.win, odds.tie, odds.equity, odds.error) == ("46.02%", "0.39%", "46.21%", "exact")
    assert model.run_text().startswith("Exact: all 1,712,304 deals in ")


def test_a_sampled_answer_within_its_error(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "QsQd"])
    model.entry.set_method(is_exact=False, samples=20_000)
    wait_for(qtbot, model, RunState.FINISHED)
    odds = model.odds(0)
    assert odds is not None
    assert 0 < odds.stderr < 0.01
    assert abs(odds.equity_share - 0.46214457) < 5 * odds.stderr
    assert model.run_text().startswith("Sampled: 20,000 deals in ")


def test_long_work_runs_on_the_pool_and_ends_when_stopped(jobs: Jobs, model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "22+", "random"])
    model.entry.set_method(is_exact=False, samples=10**9)
    wait_for(qtbot, model, RunState.RUNNING)
    qtbot.waitUntil(lambda: any(thread.name.startswith("soulread-pool") for thread in threading.enumerate()))
    model.run.stop()
    qtbot.waitUntil(lambda: all(map(jobs.is_idle, LANES)))
    # What was handed to the pool does not keep the next question waiting.
    model.entry.set_method(is_exact=False, samples=2_000_000)
    wait_for(qtbot, model, RunState.FINISHED)


def test_the_same_question_gets_the_same_answer(jobs: Jobs, qtbot: QtBot) -> None:
    answers = []
    for _ in range(2):
        model = OddsModel(jobs)
        model.entry.set_method(is_exact=False, samples=5_000)
        model.entry.set_question(["AhKh", "22+", "random"])
        wait_for(qtbot, model, RunState.FINISHED)
        answers.append([model.odds(index) for index in range(3)])
    assert answers[0] == answers[1]


def test_a_burst_of_edits_runs_once(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    for end in range(1, 5):
        slow_model.entry.set_player_text(0, "AhKh"[:end])
        slow_model.entry.set_player_text(1, "QsQd"[:end])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    assert len(engine.questions) == 1
    assert engine.questions[0].players == (parse_range("AhKh"), parse_range("QsQd"))


def test_an_edit_that_changes_nothing_does_not_run_again(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    engine.opened.set()
    wait_for(qtbot, slow_model, RunState.FINISHED)
    slow_model.entry.set_player_text(0, "AhKh, ")
    slow_model.entry.add_player()
    slow_model.entry.set_player_text(1, "QsQdx")
    assert slow_model.run.state is RunState.FINISHED
    assert slow_model.odds(0) is not None
    assert slow_model.odds(2) is None
    assert len(engine.questions) == 1


def test_a_change_makes_the_results_stale_and_a_problem_removes_them(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    slow_model.entry.set_board_text("Ks 7d 2h")
    assert slow_model.run.is_stale
    assert slow_model.odds(0) is not None
    slow_model.entry.set_board_text("Ks 7d")
    assert slow_model.run.state is RunState.NOTHING
    assert slow_model.odds(0) is None
    engine.opened.set()
    assert engine.closed.wait(LIMIT), "the run for the old question was given up"
    assert slow_model.run.state is RunState.NOTHING


def test_what_the_results_answer_is_kept_until_new_ones_come(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    assert (slow_model.answered, slow_model.run.snapshot) == (None, None)
    slow_model.entry.set_question(["AhKh", "", "QsQd"])
    assert slow_model.answered is None
    wait_for(qtbot, slow_model, RunState.RUNNING)
    asked = slow_model.entered.question()
    assert slow_model.answered == asked
    assert slow_model.run.snapshot is not None
    assert [slow_model.row_of(player) for player in range(3)] == [0, 2, None]
    slow_model.entry.set_board_text("Ks 7d 2h")
    assert slow_model.answered == asked != slow_model.entered.question()
    slow_model.entry.remove_player(0)
    assert slow_model.answered is None, "with one hand left there is no question"


def test_chips_are_kept_beside_the_question(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    engine.opened.set()
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.FINISHED)
    with qtbot.waitSignal(slow_model.input_changed):
        slow_model.entry.set_amounts(pot=150, to_call=50)
    assert (slow_model.entered.pot, slow_model.entered.to_call, slow_model.entered.bet) == (150, 50, None)
    assert slow_model.run.state is RunState.FINISHED
    with qtbot.assertNotEmitted(slow_model.input_changed):
        slow_model.entry.set_amounts(pot=150, to_call=50)
    slow_model.entry.set_question(["AhKh", "QsQd"], bet=75)
    assert (slow_model.entered.pot, slow_model.entered.to_call, slow_model.entered.bet) == (None, None, 75)


def test_stopping_keeps_what_is_there_and_calls_it_partial(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    assert slow_model.progress == 0.25
    with qtbot.waitSignal(slow_model.odds_changed):
        slow_model.run.stop()
    assert slow_model.run.state is RunState.STOPPED
    assert "Partial" in slow_model.run_text()
    odds = slow_model.odds(1)
    assert odds is not None
    assert odds.equity == "70.00%"
    engine.opened.set()
    assert engine.closed.wait(LIMIT), "the worker lets go of the question"
    QApplication.processEvents()
    assert slow_model.run.state is RunState.STOPPED, "and what it still found is not shown"
    assert slow_model.progress == 0
    slow_model.run.start()
    wait_for(qtbot, slow_model, RunState.FINISHED)
    assert len(engine.questions) == 2


def test_stopping_before_the_first_result(slow_model: OddsModel) -> None:
    slow_model.run.stop()
    assert slow_model.run.state is RunState.NOTHING
    slow_model.entry.set_question(["AhKh", "QsQd"])
    slow_model.run.stop()
    assert slow_model.run_text() == "Stopped before the first result."
    QApplication.processEvents()
    assert slow_model.run.snapshot is None


def test_stopping_does_not_pass_off_old_results(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    engine.opened.set()
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.FINISHED)
    slow_model.entry.set_board_text("Ks 7d 2h")
    slow_model.run.stop()
    assert slow_model.odds(0) is None


def test_a_question_without_an_answer_says_so(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AA", "AA", "AsAh,AdAc,AsAd"])
    wait_for(qtbot, model, RunState.FAILED)
    assert "No cards can be dealt" in model.run_text()
    assert model.odds(0) is None
    model.entry.set_player_text(2, "KK")
    wait_for(qtbot, model, RunState.FINISHED)


def test_ranges_whose_cards_the_board_leaves_to_one_say_so(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["99-77,87s", "AA,AhKh", "AA,AhKh"])
    wait_for(qtbot, model, RunState.FINISHED)
    model.entry.set_board_text("Tc Td Th Ac As")
    wait_for(qtbot, model, RunState.FAILED)
    assert "Ah cannot be held by both" in model.run_text()
    assert model.odds(0) is None


def test_a_fault_of_the_engine_is_one_sentence(jobs: Jobs, qtbot: QtBot) -> None:
    def broken(_question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        raise RuntimeError("out of paper")

    model = OddsModel(jobs, broken)
    model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, model, RunState.FAILED)
    assert model.run_text() == "Something went wrong in the engine: out of paper"


def test_both_methods_at_once_cannot_be_asked(model: OddsModel) -> None:
    with pytest.raises(EquityError):
        solve(EquityQuestion((parse_range("AA"), parse_range("KK")), samples=10, is_exact=True))
    model.entry.set_question(["AhKh", "QsQd"])
    for is_exact, samples in ((True, None), (False, 5000), (False, None)):
        model.entry.set_method(is_exact=is_exact, samples=samples)
        question = model.entered.question()
        assert question is not None
        assert (question.is_exact, question.samples) == (is_exact, samples)


# ---- as text


@pytest.fixture
def answered(jobs: Jobs, engine: Engine, qtbot: QtBot) -> OddsModel:
    engine.opened.set()
    model = OddsModel(jobs, engine)
    model.entry.set_question(["AhKh", "22+, A2s+"], "Ks 7d 2h", "3c", ["Anna", ""])
    wait_for(qtbot, model, RunState.FINISHED)
    return model


def test_copied_as_text(answered: OddsModel) -> None:
    assert answered.report("text").splitlines() == [
        "Hand                   Win              Tie   Equity  Std. error",
        "Anna       25.000% ±1.250%  10.000% ±1.250%  30.000%     ±1.250%",
        "22+, A2s+  65.000% ±1.250%  10.000% ±1.250%  70.000%     ±1.250%",
        "2,000 deals sampled, 0.500 s",
        "",
        "Anna = AhKh | 22+,A2s+ | board Ks7d2h | dead 3c",
    ]


def test_copied_as_markdown_csv_and_json(answered: OddsModel) -> None:
    lines = answered.report("markdown").splitlines()
    assert lines[2] == "| Anna | 25.000% ±1.250% | 10.000% ±1.250% | 30.000% | ±1.250% |"
    assert lines[-1] == answered.entry.line()
    rows = list(csv.DictReader(answered.report("csv").splitlines()))
    assert [row["equity"] for row in rows] == ["0.3", "0.7"]
    assert json.loads(answered.report("json"))["players"][1]["hand"] == "22+, A2s+"


def test_figures_of_a_call_come_with_the_results(answered: OddsModel) -> None:
    answered.entry.set_amounts(pot=150, to_call=50)
    # The call breaks even at 50 / 200.
    assert "| Required equity | 25.000% |" in answered.report("markdown")
    assert json.loads(answered.report("json"))["call"]["required_equity"] == 0.25
    assert "pot 150 | call 50" in answered.entry.line()


def test_a_bet_beside_a_call_is_copied_as_a_raise_and_chips_that_clash_are_not(answered: OddsModel) -> None:
    answered.entry.set_amounts(pot=150, to_call=50, bet=200)
    # Called, a share of 0.3 of 150 + 200 + 150 comes back of the 200: a loss of 50 against the pot of 150.
    assert json.loads(answered.report("json"))["bet"]["fold_equity"] == pytest.approx(50 / 200)
    answered.entry.set_amounts(pot=40, to_call=50)
    assert "call" not in json.loads(answered.report("json"))
    answered.entry.set_amounts(pot=150, to_call=50, bet=20)
    told = json.loads(answered.report("json"))
    assert ("call" in told, "bet" in told) == (True, False)


def test_nothing_is_copied_before_there_are_odds(model: OddsModel) -> None:
    assert (model.report("text"), model.entry.line()) == ("", "")
    model.entry.set_question(["AhKh"])
    assert model.entry.line() == "AhKh", "a question that is not complete yet can be kept, too"


def test_results_of_the_question_before_are_not_copied_with_the_line_of_this_one(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    assert slow_model.report("text").endswith("AhKh | QsQd")
    slow_model.entry.set_board_text("Ks 7d 2h")
    assert slow_model.run.is_stale
    assert [slow_model.report(form) for form in ("text", "markdown", "csv", "json")] == [""] * 4
    qtbot.waitUntil(lambda: not slow_model.run.is_stale, timeout=PATIENCE)
    assert slow_model.report("text").endswith("AhKh | QsQd | board Ks7d2h")


# ---- as one line


def test_a_line_fills_everything_and_reads_back_the_same(model: OddsModel) -> None:
    line = "Anna = AhKh | QQ+,JJ:0.5 | board Ks7d2h | dead 3c | samples 5000 | seed 7 | pot 150 | call 50"
    model.entry.take_line(f"  {line}\n")
    assert rows(model) == ["AhKh", "QQ+,JJ:0.5"]
    assert [model.entered.name_of(index) for index in range(2)] == ["Anna", "Player 2"]
    assert (model.entered.board.text, model.entered.dead.text) == ("Ks 7d 2h", "3c")
    assert (model.entered.pot, model.entered.to_call, model.entered.bet) == (150, 50, None)
    assert (model.entered.samples, model.entered.seed) == (5000, 7)
    read, written = parse_question(model.entry.line()), parse_question(line)
    assert (read.question, read.seed, read.pot, read.to_call) == (written.question, 7, 150, 50)


@pytest.mark.parametrize("line", ["", "AhKh | zz", "AhKh || QQ", " | ".join(["random"] * 11), "AhKh | board Kx"])
def test_a_bad_line_changes_nothing(model: OddsModel, line: str) -> None:
    model.entry.set_question(["AA", "KK"], names=["Anna", "Bo"])
    before, steps = model.entered, model.entry.undo_stack.count()
    with pytest.raises(EquityError):
        model.entry.take_line(line)
    assert model.entered is before
    assert model.entry.undo_stack.count() == steps


def test_the_line_and_the_window_give_the_same_answer(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.take_line("22+ | random | A2s+ | samples 5000 | seed 7")
    wait_for(qtbot, model, RunState.FINISHED)
    shared = parse_question(model.entry.line())
    *_, last = solve(shared.question, seed=shared.seed)
    assert model.run.snapshot is not None
    assert model.run.snapshot.value == last.value


# ---- undo


def test_every_change_can_be_undone_and_redone(model: OddsModel) -> None:
    model.entry.take_line("Anna = AhKh | QQ | board Ks7d2h | dead 3c | pot 150 | call 50")
    changes: list[Callable[[], object]] = [
        lambda: model.entry.set_player_text(1, "JJ"),
        lambda: model.entry.set_player_range(1, parse_range("22+")),
        lambda: model.entry.set_folded(0, is_folded=True),
        lambda: model.entry.set_name(1, "Bo"),
        model.entry.add_player,
        lambda: model.entry.duplicate_player(1),
        lambda: model.entry.move_player(0, 2),
        lambda: model.entry.remove_player(1),
        lambda: model.entry.deal_hand(0),
        lambda: model.entry.set_board_text("4c 5c 6c"),
        lambda: model.entry.deal_board(Street.RIVER),
        lambda: model.entry.clear_board(Street.RIVER),
        lambda: model.entry.set_dead_text("2c 2s"),
        lambda: model.entry.set_method(is_exact=True, samples=None),
        lambda: model.entry.set_amounts(pot=200, bet=75),
        model.entry.clear,
        lambda: model.entry.take_line("AA | KK"),
    ]
    seen = [model.entered]
    for change in changes:
        change()
        assert model.entered != seen[-1]
        seen.append(model.entered)
    for before in reversed(seen[:-1]):
        model.entry.undo_stack.undo()
        assert model.entered == before
    for after in seen[1:]:
        model.entry.undo_stack.redo()
        assert model.entered == after


def test_typing_is_one_step_until_it_turns_into_deleting_or_another_field(model: OddsModel) -> None:
    for end in range(1, 5):
        model.entry.set_player_text(0, "AhKh"[:end])
    for text in ("AhK", "Ah", "AhQ", "AhQs"):
        model.entry.set_player_text(0, text)
    model.entry.set_player_text(1, "QQ")
    model.entry.end_step()
    model.entry.set_player_text(1, "QQ+")
    states = []
    while model.entry.undo_stack.canUndo():
        states.append(rows(model))
        model.entry.undo_stack.undo()
    assert states == [["AhQs", "QQ+"], ["AhQs", "QQ"], ["AhQs", ""], ["AhKh", ""]]


def test_an_error_comes_back_with_its_text(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QQ"])
    model.entry.set_player_text(1, "QQ, zz")
    before = model.entered.rows[1]
    model.entry.set_player_text(0, "AsKs")
    model.entry.undo_stack.undo()
    assert model.entered.rows[1] == before
    assert before.error is not None
    assert before.hands == parse_range("QQ")


def test_an_undone_question_is_computed_again(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, model, RunState.FINISHED)
    model.entry.set_player_text(1, "7c2d")
    wait_for(qtbot, model, RunState.FINISHED)
    model.entry.undo_stack.undo()
    qtbot.waitUntil(lambda: model.run.state is RunState.FINISHED and not model.run.is_stale)
    odds = model.odds(0)
    assert odds is not None
    assert odds.equity_share == pytest.approx(0.46214457, abs=5e-9)


# ---- cards that lie elsewhere


def test_a_card_that_lies_elsewhere_is_marked_and_not_taken(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QsQd"], "Ks 7d 2h", "3c")
    model.entry.set_board_text("Ks 7d 2h Ah")
    assert model.entered.board.cards == parse_cards("Ks7d2h")
    assert model.entered.board.error == FieldError(
        "The Ah is in Player 1's hand. Used instead: Ks7d2h.", 9, 2, is_taken=True
    )
    model.entry.set_dead_text("3c, 10h, Qs")
    assert model.entered.dead.cards == parse_cards("3c")
    assert model.entered.dead.error is not None
    assert (model.entered.dead.error.position, model.entered.dead.error.length) == (9, 2)
    model.entry.set_player_text(1, "7d7h")
    assert model.entered.rows[1].hole_cards == parse_cards("QsQd")
    assert model.entered.rows[1].error is not None
    assert model.entered.rows[1].error.message == "The 7d is on the board. Used instead: QsQd."
    assert model.clashes == {}
    assert model.entered.question() is not None, "the odds stay those of the last good cards"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("Ks 7d 2h 3h 4h 5h", "There is room for 5 cards only."),
        ("Ks 7d 2h Ks", "The card Ks stands there twice."),
        ("Ks 7d 2h 3c", "The 3c is among the dead cards."),
        ("Ks 7d 2h AH", "The Ah is in Player 1's hand."),
    ],
)
def test_impossible_boards_cannot_be_entered(model: OddsModel, board: str, said: str) -> None:
    model.entry.set_question(["AhKh", "QsQd"], "4s 5s 6s", "3c")
    model.entry.set_board_text(board)
    assert model.entered.board.cards == parse_cards("4s5s6s")
    assert model.entered.board.error is not None
    assert said in model.entered.board.error.message


@pytest.mark.parametrize("blank", [" ", ",", "\t", "|", " \u2003/"])
def test_cards_too_many_are_marked_whatever_stands_between(model: OddsModel, blank: str) -> None:
    text = blank.join(["Ks", "10d", "2h", "3h", "4h", "10h", "5h"])
    model.entry.set_board_text(text)
    error = model.entered.board.error
    assert error is not None
    assert text[error.position : error.position + error.length] == f"10h{blank}5h"


def test_a_long_board_is_refused_at_once(model: OddsModel) -> None:
    began = time.perf_counter()
    model.entry.set_board_text(200_000 * " " + "Ks 7d 2h 3h 4h 5h")
    assert model.entered.board.error is not None
    assert time.perf_counter() - began < LIMIT


def test_a_refused_card_is_taken_once_it_is_free(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QsQd"], "Ks 7d 2h")
    model.entry.set_board_text("Ks 7d Ah")
    model.entry.set_player_text(0, "AcKc")
    assert model.entered.board.cards == parse_cards("Ks7dAh")
    assert model.entered.board.error is None
    model.entry.undo_stack.undo()
    assert model.entered.board.cards == parse_cards("Ks7d2h")
    assert model.entered.board.error is not None


def test_folded_cards_are_dead_and_come_back(model: OddsModel) -> None:
    model.entry.set_question(["AhKh", "QsQd", "JJ"], dead="2c")
    model.entry.set_folded(1, is_folded=True)
    question = model.entered.question()
    assert question is not None
    assert question.players == (parse_range("AhKh"), parse_range("JJ"))
    assert set(question.dead) == set(parse_cards("2cQsQd"))
    assert question.labels == ("Player 1", "Player 3")
    assert describe_row(model.entered.rows[1], ()) == "folded hand · QsQd"
    assert model.entered.used_cards(besides="board")[parse_cards("Qs")[0]] == "in Player 2's hand"
    assert model.odds(1) is None
    model.entry.set_folded(2, is_folded=True)
    assert not model.entered.rows[2].is_folded, "only known cards can be dead"
    model.entry.set_player_text(1, "QQ")
    assert not model.entered.rows[1].is_folded
    model.entry.set_player_text(1, "QsQd")
    model.entry.set_folded(1, is_folded=True)
    model.entry.set_folded(1, is_folded=False)
    question = model.entered.question()
    assert question is not None
    assert len(question.players) == 3
    model.entry.set_question(["AA", "KK", "8c7c"], folded=[0, 2])
    assert [row.is_folded for row in model.entered.rows] == [False, False, True]


def test_one_who_cannot_be_read_yet_leaves_the_others_their_odds(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    engine.opened.set()
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.FINISHED)
    slow_model.entry.add_player()
    slow_model.entry.set_player_text(2, "J")
    assert slow_model.run.state is RunState.FINISHED
    assert len(engine.questions) == 1


def test_rows_that_cannot_be_dealt_together_are_told(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AA", "random", "AA", "AsAh,AdAc,AsAd"])
    wait_for(qtbot, model, RunState.FAILED)
    assert set(model.clashes) == {0, 2, 3}
    assert model.clashes[0] == model.run_text()
    model.entry.set_player_text(2, "KK")
    assert model.clashes == {}


# ---- pause and run on


def test_a_paused_run_goes_on_where_it_was(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    assert not slow_model.run.can_run_on
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    slow_model.run.pause()
    assert slow_model.run.state is RunState.PAUSED
    assert slow_model.progress == 0.25
    assert slow_model.run_text().startswith("Paused: 1,000 deals sampled, 25% of the work done")
    assert slow_model.run.can_run_on
    engine.opened.set()
    QApplication.processEvents()
    assert slow_model.run.state is RunState.PAUSED
    slow_model.run.run_on()
    wait_for(qtbot, slow_model, RunState.FINISHED)
    assert slow_model.run.snapshot is not None
    assert slow_model.run.snapshot.count == 2000
    assert len(engine.questions) == 1, "nothing was done twice"


def test_the_time_of_a_pause_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(odds_run, "perf_counter", lambda: clock[0])
    answers = [
        replace(snapshot(count, is_final=False), seconds=seconds) for count, seconds in ((1, 1.0), (2, 63.0))
    ]

    def solve_it(_question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        return iter(answers)

    question = EquityQuestion((parse_range("AA"), parse_range("KK")))
    run = odds_run._Snapshots(solve_it, odds_run.Asked(question, 0, (0, 1)), "lane")
    assert next(run()) == answers[0]
    clock[0] += 60
    assert [(answer.count, answer.seconds) for answer in run()] == [(1, 1.0), (2, 3.0)]


def test_a_paused_run_can_be_given_up(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    slow_model.run.pause()
    engine.opened.set()
    slow_model.run.stop()
    assert slow_model.run.state is RunState.STOPPED
    assert not slow_model.run.can_run_on
    assert engine.closed.wait(LIMIT)


def test_running_on_adds_as_many_deals_again(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "QsQd"])
    model.entry.set_method(is_exact=False, samples=20_000)
    wait_for(qtbot, model, RunState.FINISHED)
    first = model.odds(0)
    for deals in (40_000, 80_000):
        assert model.run.can_run_on
        model.run.run_on()
        qtbot.waitUntil(lambda: model.run.state is RunState.FINISHED)
        assert model.run.snapshot is not None
        assert model.run.snapshot.count == deals
    last = model.odds(0)
    assert first is not None
    assert last is not None
    # Four times the deals, half the error; the true equity is counted exactly elsewhere in this file.
    assert last.stderr == pytest.approx(first.stderr / 2, rel=0.05)
    assert abs(last.equity_share - 0.46214457) < 4 * last.stderr
    assert model.entered.samples == 20_000
    assert model.run_text().startswith("Sampled: 80,000 deals in ")


def test_the_run_says_what_its_buttons_do(slow_model: OddsModel, engine: Engine, qtbot: QtBot) -> None:
    run = slow_model.run
    nothing = run_controls(run)
    assert (nothing.run, nothing.can_run, nothing.can_pause, nothing.meaning) == ("&Run", False, False, "warning")
    slow_model.entry.set_question(["AA", "KK"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    busy = run_controls(run)
    assert (busy.run, busy.pause, busy.can_pause, busy.meaning) == ("&Cancel", "&Pause", True, "text")
    run.pause_or_go_on()
    paused = run_controls(run)
    assert (run.state, paused.run, paused.pause, paused.meaning) == (RunState.PAUSED, "&Run", "Run o&n", "warning")
    assert paused.pause_tip == "Go on where it was left (F6)"
    run.pause_or_go_on()
    engine.opened.set()
    wait_for(qtbot, slow_model, RunState.FINISHED)
    assert run_controls(run).pause_tip == "Sample as many deals again (F6)"
    run.start_or_stop()
    assert run.is_busy
    run.start_or_stop()
    assert run.state is RunState.STOPPED


def test_cards_are_chosen_for_a_place(model: OddsModel) -> None:
    entry = model.entry
    entry.set_question(["AhKh", ""], "Jh Th 2c")
    board, hand = entry.cards_at("board"), entry.cards_at(1)
    assert (board.title, board.capacity, len(board.cards)) == ("Board", 5, 3)
    assert (hand.title, hand.capacity, hand.cards) == ("Player 2", 2, ())
    assert set(hand.used) == set(parse_cards("AhKhJhTh2c"))
    entry.choose_cards(1, parse_cards("Qs"))
    assert rows(model) == ["AhKh", ""], "half a hand is no hand yet"
    entry.choose_cards(1, parse_cards("QsQd"))
    entry.choose_cards("dead", parse_cards("7c"))
    assert rows(model) == ["AhKh", "QsQd"]
    assert model.entered.dead.cards == tuple(parse_cards("7c"))


def test_an_exact_answer_needs_no_more(model: OddsModel, qtbot: QtBot) -> None:
    model.entry.set_question(["AhKh", "QsQd"], "Ks 7d 2h")
    wait_for(qtbot, model, RunState.FINISHED)
    assert not model.run.can_run_on


def test_old_results_look_old_only_after_a_while(jobs: Jobs, qtbot: QtBot) -> None:
    opened = threading.Semaphore(1)

    def solve_when_told(_question: EquityQuestion, *, seed: int) -> Iterator[EquitySnapshot]:
        assert opened.acquire(timeout=LIMIT)
        yield snapshot(1000 + seed, is_final=True)

    model = OddsModel(jobs, solve_when_told)
    model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, model, RunState.FINISHED)
    model.entry.set_board_text("Ks 7d 2h")
    assert model.run.is_stale
    assert not model.run.is_faint
    assert "1,000 deals" in model.run_text()
    qtbot.waitUntil(lambda: model.run.is_faint)
    assert model.run_text() == "Starting …"
    opened.release()
    qtbot.waitUntil(lambda: not model.run.is_stale)
    assert not model.run.is_faint


def test_a_new_question_does_not_wait_for_the_one_before(
    slow_model: OddsModel, engine: Engine, qtbot: QtBot
) -> None:
    slow_model.entry.set_question(["AhKh", "QsQd"])
    wait_for(qtbot, slow_model, RunState.RUNNING)
    slow_model.entry.set_board_text("Ks 7d 2h")
    qtbot.waitUntil(lambda: not slow_model.run.is_stale)
    assert not engine.closed.is_set(), "the first question's worker is still at it"
    assert slow_model.answered == slow_model.entered.question()


# ---- rows


def test_a_random_hand_takes_no_card_that_is_used(model: OddsModel) -> None:
    model.entry.set_question(["", "QsQd"], "Ks 7d 2h", "3c")
    used = set(parse_cards("QsQdKs7d2h3c"))
    for _ in range(50):
        model.entry.deal_hand(0)
        assert len(model.entered.rows[0].hole_cards) == 2
        assert not used & set(model.entered.rows[0].hole_cards)


def test_rows_are_moved_and_doubled(model: OddsModel) -> None:
    model.entry.set_question(["AA", "KsKd", "QQ"])
    model.entry.move_player(0, 2)
    assert rows(model) == ["KsKd", "QQ", "AA"]
    model.entry.move_player(2, 3)
    model.entry.duplicate_player(0)
    assert rows(model) == ["KsKd", "QQ", "AA"], "no card is dealt twice"
    model.entry.duplicate_player(1)
    assert rows(model) == ["KsKd", "QQ", "QQ", "AA"]
    assert len({row.key for row in model.entered.rows}) == 4


def test_a_model_goes_when_it_is_let_go_and_not_when_some_thread_collects_cycles(jobs: Jobs) -> None:
    model = OddsModel(jobs)
    model.entry.set_player_text(0, "AhKh")
    model.entry.undo_stack.undo()
    watched = ref(model)
    gc.disable()
    try:
        del model
        assert watched() is None
    finally:
        gc.enable()


def test_folded_hands_and_percentages_survive_the_line(model: OddsModel, jobs: Jobs) -> None:
    model.entry.set_question(
        ["AhKh", "QsQd", "15%", "7c7d"], "Ks7h2h", "3c", names=["", "Bob", "", ""], folded=[1, 3]
    )
    line = model.entry.line()
    assert line == "AhKh | Bob = QsQd folded | 15% | 7d7c folded | board Ks7h2h | dead 3c"
    other = OddsModel(jobs)
    other.entry.take_line(line)
    assert [row.text for row in other.entered.rows] == ["AhKh", "QsQd", "15%", "7d7c"]
    assert [row.is_folded for row in other.entered.rows] == [False, True, False, True]
    assert other.entered.dead.text == "3c"
    assert other.entry.line() == line
    assert other.entered.question() == model.entered.question() is not None


def test_another_order_of_the_best_hands_keeps_every_range(model: OddsModel, jobs: Jobs) -> None:
    model.entry.set_question(["15%", "QQ+", "100%"])
    before = [row.hands for row in model.entered.rows]
    model.entry.set_ranking(6)
    assert [row.hands for row in model.entered.rows] == before
    assert model.entered.rows[0].text != "15%"
    assert parse_range(model.entered.rows[0].text, opponents=6) == before[0]
    model.entry.set_player_text(1, "15%")
    assert model.entered.rows[1].hands == parse_range("15%", opponents=6)
    assert model.entry.line().endswith(" | ranking 6")
    other = OddsModel(jobs, ranking=2)
    other.entry.take_line(model.entry.line())
    assert [row.hands for row in other.entered.rows] == [row.hands for row in model.entered.rows]
    assert all(parse_range(row.text, opponents=2) == row.hands for row in other.entered.rows)
    model.entry.undo_stack.undo()
    model.entry.undo_stack.undo()
    assert (model.entered.rows[0].text, model.entered.ranking) == ("15%", 1)


def test_names_are_fit_to_be_shown(model: OddsModel) -> None:
    model.entry.take_line("\x1b[2JAnn\u202e = AA | KK")
    assert model.entered.rows[0].name == "\ufffd[2JAnn\ufffd"
    model.entry.set_name(1, "B\u2066ob\n\x07")
    assert model.entered.rows[1].name == "B\ufffdob \ufffd"
