"""Only the chart on screen is computed, what was computed is kept, and every chart says how far it is."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from engine.cards import parse_cards
from engine.equity.question import EquityQuestion
from engine.ranges import parse_range
from tests.trainer import chart_samples as samples
from trainer.charts.chart_values import (
    BoardView,
    CategoriesView,
    Chart,
    GraphView,
    HeatView,
    NextCardView,
    StreetsView,
)
from trainer.charts.charts_model import (
    COMPUTING,
    LANE,
    ChartEngine,
    ChartsModel,
    every_hit,
)
from trainer.jobs import Jobs

NAMES = ("Ada", "Boris")
LIMIT = 10.0


def question(*texts: str, board: str = "") -> EquityQuestion:
    return EquityQuestion(tuple(map(parse_range, texts)), parse_cards(board))


FLOP = question("AhKh", "QsQd", board="Jh Th 2c")


class Counted:
    """Counts which questions each function of an engine was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, EquityQuestion]] = []
        self.engine = ChartEngine(
            **{
                name: self._counted(name)
                for name in ("next_cards", "category_odds", "hits", "range_equities", "streets")
            }
        )

    def _counted(self, name: str) -> Callable[[EquityQuestion], Any]:
        def ask(asked: EquityQuestion) -> Any:
            self.asked.append((name, asked))
            return getattr(samples.PLAIN, name)(asked)

        return ask

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


class Held:
    """Next cards that come one snapshot at a time, and tell when nobody listens any more."""

    def __init__(self) -> None:
        self.next = threading.Semaphore(1)
        self.closed = threading.Event()

    def __call__(self, asked: EquityQuestion) -> Iterator[Any]:
        try:
            for snapshot in samples.next_cards(asked):
                self.next.acquire(timeout=LIMIT)
                yield snapshot
        finally:
            self.closed.set()


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
def model(jobs: Jobs, counted: Counted) -> ChartsModel:
    return ChartsModel(jobs, counted.engine)


def settle(qtbot: QtBot, jobs: Jobs, model: ChartsModel, chart: Chart) -> None:
    def is_done() -> bool:
        status = model.status(chart)
        return jobs.is_idle(LANE) and status.message != COMPUTING and not status.note and not status.is_faint

    qtbot.waitUntil(is_done)


def test_nothing_is_computed_before_a_chart_is_on_screen(model: ChartsModel, counted: Counted, jobs: Jobs) -> None:
    model.set_question(FLOP, NAMES)
    assert jobs.is_idle(LANE)
    assert counted.asked == []
    assert model.view(NextCardView) is None


def test_only_the_chart_on_screen_is_computed(
    qtbot: QtBot, model: ChartsModel, counted: Counted, jobs: Jobs
) -> None:
    model.set_shown(Chart.STREETS)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.STREETS)
    assert counted.names == ["streets"]
    view = model.view(StreetsView)
    assert view is not None
    assert view.names == NAMES
    assert view.result.is_final


def test_going_back_takes_no_computing_and_two_charts_share_an_answer(
    qtbot: QtBot, model: ChartsModel, counted: Counted, jobs: Jobs
) -> None:
    model.set_question(FLOP, NAMES)
    for chart in (Chart.GRAPH, Chart.HEATMAP, Chart.CATEGORIES, Chart.GRAPH, Chart.CATEGORIES):
        model.set_shown(chart)
        settle(qtbot, jobs, model, chart)
    assert counted.names == ["range_equities", "category_odds"]
    assert model.view(GraphView) is not None
    assert model.view(HeatView) is not None


def test_the_same_question_again_changes_nothing(
    qtbot: QtBot, model: ChartsModel, counted: Counted, jobs: Jobs
) -> None:
    model.set_shown(Chart.BOARD)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.BOARD)
    model.set_question(question("AhKh", "QsQd", board="Jh Th 2c"), NAMES)
    settle(qtbot, jobs, model, Chart.BOARD)
    assert counted.names == ["hits"]


def test_a_new_name_shows_without_computing(qtbot: QtBot, model: ChartsModel, counted: Counted, jobs: Jobs) -> None:
    model.set_shown(Chart.STREETS)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.STREETS)
    with qtbot.waitSignal(model.players_changed):
        model.set_question(FLOP, ("Eve", "Boris"))
    view = model.view(StreetsView)
    assert view is not None
    assert view.rows[0][0] == "Eve"
    assert counted.names == ["streets"]


def test_until_the_new_answer_comes_the_last_one_is_faint(qtbot: QtBot, jobs: Jobs) -> None:
    held = Held()
    model = ChartsModel(jobs, replace(samples.PLAIN, next_cards=held))
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(FLOP, NAMES)
    assert model.status(Chart.NEXT_CARD).message == COMPUTING
    qtbot.waitUntil(lambda: model.view(NextCardView) is not None)
    assert model.status(Chart.NEXT_CARD).note == "25% done"
    assert not model.status(Chart.NEXT_CARD).is_faint
    model.set_waiting()
    assert not model.status(Chart.NEXT_CARD).is_faint  # it does not flicker while an answer comes quickly
    qtbot.waitUntil(lambda: model.status(Chart.NEXT_CARD).is_faint)
    other = question("AhKh", "JsJd", board="Jh Th 2c")
    model.set_question(other, NAMES)
    view, status = model.view(NextCardView), model.status(Chart.NEXT_CARD)
    assert view is not None
    assert view.question == FLOP
    assert (status.message, status.note, status.is_faint) == ("", COMPUTING, True)
    held.next.release(10)
    qtbot.waitUntil(lambda: model.status(Chart.NEXT_CARD).note == "" and jobs.is_idle(LANE))
    view = model.view(NextCardView)
    assert view is not None
    assert view.question == other
    assert view.note == "Exact"


def test_an_answer_for_another_number_of_players_is_not_kept(qtbot: QtBot, model: ChartsModel, jobs: Jobs) -> None:
    model.set_shown(Chart.STREETS)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.STREETS)
    model.set_shown(None)
    model.set_question(question("AhKh", "QsQd", "7c7d", board="Jh Th 2c"), (*NAMES, "Eve"))
    assert model.view(StreetsView) is None


def test_hiding_the_chart_ends_its_job(qtbot: QtBot, jobs: Jobs) -> None:
    held = Held()
    model = ChartsModel(jobs, replace(samples.PLAIN, next_cards=held))
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(FLOP, NAMES)
    qtbot.waitUntil(lambda: model.view(NextCardView) is not None)
    model.set_shown(None)
    held.next.release(10)
    qtbot.waitUntil(lambda: jobs.is_idle(LANE))
    assert held.closed.is_set()
    assert model.status(Chart.NEXT_CARD).note == "25% done"


def test_stopping_keeps_what_is_there_and_can_go_on(qtbot: QtBot, jobs: Jobs) -> None:
    held = Held()
    model = ChartsModel(jobs, replace(samples.PLAIN, next_cards=held))
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(FLOP, NAMES)
    qtbot.waitUntil(lambda: model.view(NextCardView) is not None)
    model.stop()
    assert model.status(Chart.NEXT_CARD).note == "stopped at 25%, F5 goes on"
    held.next.release(10)
    qtbot.waitUntil(lambda: jobs.is_idle(LANE))
    assert model.status(Chart.NEXT_CARD).note == "stopped at 25%, F5 goes on"
    model.resume()
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    view = model.view(NextCardView)
    assert view is not None
    assert view.note == "Exact"


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "The map shows the next card on a flop or a turn."),
        ("Jh Th 2c 3c 4c", "All five board cards are dealt."),
    ],
)
def test_a_street_without_a_next_card_says_so(
    model: ChartsModel, counted: Counted, board: str, message: str
) -> None:
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(question("AhKh", "QsQd", board=board), NAMES)
    assert model.status(Chart.NEXT_CARD).message == message
    assert model.view(NextCardView) is None
    assert model.trail == ()
    assert counted.asked == []


def test_without_a_question_every_chart_gives_the_reason(model: ChartsModel) -> None:
    assert model.status(Chart.BOARD).message == "Enter the hands or ranges of at least two players."
    model.set_question(None, (), "The flop needs 2 more cards.")
    assert {model.status(chart).message for chart in Chart} == {"The flop needs 2 more cards."}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("These ranges clash."), "These ranges clash."),
        (KeyError("x"), "Something went wrong in the engine: 'x'"),
    ],
)
def test_an_error_stands_in_the_place_of_its_chart(
    qtbot: QtBot, jobs: Jobs, caplog: pytest.LogCaptureFixture, error: Exception, message: str
) -> None:
    def fail(_asked: EquityQuestion) -> Iterator[Any]:
        raise error

    model = ChartsModel(jobs, replace(samples.PLAIN, category_odds=fail))
    model.set_shown(Chart.CATEGORIES)
    model.set_question(FLOP, NAMES)
    qtbot.waitUntil(lambda: model.status(Chart.CATEGORIES).message == message)
    assert model.view(CategoriesView) is None
    model.set_shown(Chart.STREETS)
    settle(qtbot, jobs, model, Chart.STREETS)
    assert model.status(Chart.STREETS).message == ""
    caplog.clear()


def test_a_turn_card_opens_its_river_cards_and_back(
    qtbot: QtBot, model: ChartsModel, counted: Counted, jobs: Jobs
) -> None:
    nine = parse_cards("9s")[0]
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    assert (model.trail, model.can_open) == (("Flop",), True)
    model.open_card(parse_cards("Jh")[0])  # lies on the board
    assert model.given is None
    model.open_card(nine)
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    view = model.view(NextCardView)
    assert view is not None
    assert view.question.board[-1] == nine
    assert (model.trail, model.can_open) == (("Flop", "Turn 9♠"), False)
    model.close_card()
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    assert model.trail == ("Flop",)
    assert counted.names == ["next_cards", "next_cards"]
    assert [len(asked.board) for _, asked in counted.asked] == [3, 4]


def test_the_card_stays_open_while_ranges_change_and_closes_with_the_board(
    qtbot: QtBot, model: ChartsModel, jobs: Jobs
) -> None:
    nine = parse_cards("9s")[0]
    model.set_shown(Chart.NEXT_CARD)
    model.set_question(FLOP, NAMES)
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    model.open_card(nine)
    model.set_question(question("AhKh", "QQ", board="Jh Th 2c"), NAMES)
    assert model.given == nine
    model.set_question(question("AhKh", "9s9d", board="Jh Th 2c"), NAMES)
    assert model.given is None
    settle(qtbot, jobs, model, Chart.NEXT_CARD)
    model.open_card(parse_cards("4s")[0])
    model.set_question(question("AhKh", "9s9d", board="Jh Th 3c"), NAMES)
    assert model.given is None


def test_the_player_chosen_is_one_for_all_charts(qtbot: QtBot, model: ChartsModel, jobs: Jobs) -> None:
    model.set_question(FLOP, NAMES)
    for chart in (Chart.NEXT_CARD, Chart.CATEGORIES, Chart.BOARD, Chart.HEATMAP):
        model.set_shown(chart)
        settle(qtbot, jobs, model, chart)
    model.choose_player(1)
    next_card, final, board, heat = (
        model.view(NextCardView),
        model.view(CategoriesView),
        model.view(BoardView),
        model.view(HeatView),
    )
    assert next_card is not None
    assert final is not None
    assert board is not None
    assert heat is not None
    assert (next_card.player, final.player, board.player, heat.player) == (1, 1, 1, 1)
    model.choose_player(7)
    assert model.chosen == 1
    assert final.shown == (0, 1)
    assert replace(final, is_of_all=False).shown == (1,)


def test_hits_leave_out_empty_rows_and_blocked_combos() -> None:
    rows = next(every_hit(question("AA", "AsKd", board="Ah 7c 2d"))).value[0]
    assert [row.name for row in rows if not row.is_draw] == ["set"]
    assert rows[0].combos == 1  # AcAd is left


def test_grids_begin_with_the_first_range_until_a_player_is_chosen(model: ChartsModel) -> None:
    model.set_question(question("AhKh", "QQ+"), NAMES)
    shown = {chart: model.player_of(chart) for chart in Chart}
    assert (shown[Chart.BOARD], shown[Chart.HEATMAP], shown[Chart.NEXT_CARD]) == (1, 1, 0)
    model.choose_player(0)
    assert {model.player_of(chart) for chart in Chart} == {0}
    model.set_question(question("QQ+", "AhKh"), NAMES)
    assert model.player_of(Chart.BOARD) == 0


@pytest.mark.parametrize("chart", [Chart.CATEGORIES, Chart.GRAPH, Chart.HEATMAP, Chart.STREETS])
def test_a_question_without_an_answer_says_why_in_its_place(qtbot: QtBot, jobs: Jobs, chart: Chart) -> None:
    model = ChartsModel(jobs)
    model.set_shown(chart)
    hands = question("99-77,87s", "AA,AhKh", "AA,AhKh", board="Tc Td Th Ac As")
    model.set_question(hands, ("Ada", "Boris", "Cleo"))
    qtbot.waitUntil(lambda: model.status(chart).message not in ("", COMPUTING), timeout=10_000)
    assert model.status(chart).message.startswith("The card Ah cannot be held by both player 2")
