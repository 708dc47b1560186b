"""The window of figures by clicks and keys, over hands of the store that our own styles played."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.agents.styles import make_agent
from engine.cards import Street, card_symbols, class_name, class_of, combo_of, parse_cards
from engine.codec import pack
from engine.figures.player_figures import Line, figures_of
from engine.figures.seat_hands import seat_hands
from engine.figures.tendencies import SPOTS, decisions_of
from engine.game.events import ActionTaken
from engine.game.format_file import cash_game
from engine.game.formats import GameConfig, SeatConfig
from engine.game.statistics import PlayerStatistics, count_hand
from engine.play import Dealer
from engine.review.hands import HandReview
from engine.review.spots import Spot
from tests.engine.played import play_hand
from tests.engine.review.decisions import decided
from tests.trainer.gestures import PATIENCE, choose_path, opened
from tests.trainer.session_driver import answer
from tests.trainer.storage.test_imports import hand as imported
from trainer import jobs as lanes
from trainer.app import App
from trainer.figures import hands, leaks_model, over_time_model, tendencies_model
from trainer.figures.figures_model import FiguresModel
from trainer.figures.hands import HandLines
from trainer.figures.window import FiguresWindow
from trainer.jobs import Jobs
from trainer.review.session_reviewer import STAMP
from trainer.settings import SettingsFile
from trainer.storage.store import Store
from trainer.storage.stored import StoreError
from trainer.theme import ThemeSource

LEFT = Qt.MouseButton.LeftButton
STARTED = datetime(2026, 3, 1, 20, 15)


def session(*styles: str, seed: int) -> GameConfig:
    seats = [SeatConfig(f"Bot {at}", style) for at, style in enumerate(styles)]
    return cash_game((SeatConfig("You", "human"), *seats), seed=seed)


def fill(store: Store, config: GameConfig, hands: int, started: datetime) -> dict[str, PlayerStatistics]:
    """Store a session of hands, the person's played by a style, and count what everybody did."""
    agents = {seat: make_agent(one.style) for seat, one in enumerate(config.seats) if one.style != "human"}
    dealer = Dealer(config, agents)
    session_id = store.add_session(started, config, dealer.state)
    totals = {one.name: PlayerStatistics() for one in config.seats}
    for number in range(1, hands + 1):
        hand_id = store.begin_hand(session_id, number, dealer.state)
        events = play_hand(dealer, answer)
        cards = {seat: dealer.private_event(seat).hole_cards for seat in dealer.dealt_in}
        ended = started + timedelta(minutes=number)
        store.finish_hand(hand_id, dealer.observe(0), dealer.state, cards, ended=ended)
        for seat, counts in count_hand(events).items():
            totals[config.seats[seat].name] += counts
    return totals


def figures_window(qtbot: QtBot, app: App, hands: int) -> FiguresWindow:
    """Open the figures from the menu, and wait until all stored hands are counted."""
    app.window.show_imported()
    app.window.menus.figures.trigger()
    window = app.window.figures.window
    assert window is not None
    WINDOWS.append(opened(qtbot, window))
    settled(qtbot, window, hands)
    return window


def cell(window: FiguresWindow, player: str, column: str) -> str:
    model = window.table.model()
    titles = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    row = next(at for at in range(model.rowCount()) if model.index(at, 0).data() == player)
    return str(model.index(row, titles.index(column)).data())


def names(window: FiguresWindow) -> list[str]:
    model = window.table.model()
    return [str(model.index(at, 0).data()) for at in range(model.rowCount())]


def select(qtbot: QtBot, window: FiguresWindow, player: str) -> None:
    """Click on a player, who is then shown."""
    view = window.table
    at = view.visualRect(view.model().index(names(window).index(player), 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=at)
    qtbot.waitUntil(lambda: window.headline.text().startswith(f"{player}: "), timeout=PATIENCE)


def settled(qtbot: QtBot, window: FiguresWindow, hands: int) -> None:
    """Wait until so many hands are counted and shown."""
    model = window.model
    qtbot.waitUntil(
        lambda: not model.is_counting and model.summary is not None and model.summary.hands == hands,
        timeout=PATIENCE,
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, PlayerStatistics]]]:
    path = tmp_path_factory.mktemp("figures") / "soulread.db"
    store = Store(path)
    totals = [
        fill(store, session("calling station", "loose-aggressive", seed=3), 60, STARTED),
        fill(store, session("calling station", seed=4), 40, STARTED + timedelta(days=9)),
    ]
    store.close()
    return path, totals


@pytest.fixture
def store(played: tuple[Path, object], tmp_path: Path) -> Iterator[Store]:
    for source in (played[0], played[0].with_suffix(".key")):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    opened_store = Store(tmp_path / "soulread.db")
    yield opened_store
    opened_store.close()


WINDOWS: list[FiguresWindow] = []
"""Python must not forget their parts before Qt has destroyed them."""


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSource, jobs: Jobs, store: Store, settings: SettingsFile) -> FiguresWindow:
    model = FiguresModel(jobs)
    made = opened(qtbot, FiguresWindow(theme, model, settings))
    WINDOWS.append(made)
    model.count(store)
    settled(qtbot, made, 100)
    return made


def test_every_player_has_their_figures(
    window: FiguresWindow, played: tuple[Path, list[dict[str, PlayerStatistics]]]
) -> None:
    first, second = played[1]
    totals = {
        "You": first["You"] + second["You"],
        "Bot 0": first["Bot 0"] + second["Bot 0"],
        "Bot 1": first["Bot 1"],
    }
    assert sorted(names(window)) == sorted(totals)
    for name, counts in totals.items():
        assert cell(window, name, "Hands") == f"{counts.hands}"
        assert cell(window, name, "VPIP").split()[-1] == f"{counts.vpip.done}/{counts.vpip.chances}"
        assert cell(window, name, "WTSD").split()[-1] == (
            f"{counts.went_to_showdown.done}/{counts.went_to_showdown.chances}"
        )
        rate = counts.bb_per_100
        assert rate is not None
        assert float(cell(window, name, "bb/100").replace("−", "-")) == pytest.approx(rate, abs=0.051)
        assert cell(window, name, "±5 after") == "too few to say"
    assert window.headline.text().startswith("You: ")
    assert "Hands until it is known to ±5 bb/100: too few to say." in window.headline.text()


def test_a_click_shows_another_player(qtbot: QtBot, window: FiguresWindow) -> None:
    row = names(window).index("Bot 1")
    view = window.table
    place = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: window.headline.text().startswith("Bot 1: "), timeout=PATIENCE)
    table = window.position_table.model()
    assert [table.index(at, 0).data() for at in range(table.rowCount())] == ["BTN", "SB", "BB"]
    assert sum(int(table.index(at, 1).data()) for at in range(3)) == 60
    assert row == 2
    for key, at in ((Qt.Key.Key_Up, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Down, 1)):
        qtbot.keyClick(view, key)
        begins = f"{names(window)[at]}: "
        qtbot.waitUntil(lambda begins=begins: window.headline.text().startswith(begins), timeout=PATIENCE)


def test_filters_leave_hands_out(qtbot: QtBot, window: FiguresWindow) -> None:
    filters = window.filters
    for box, count in ((filters.players, 40), (filters.session, 60), (filters.style_at_table, 60)):
        qtbot.keyClick(box, Qt.Key.Key_End if box is filters.session else Qt.Key.Key_Down)
        if box is filters.style_at_table:
            qtbot.keyClick(box, Qt.Key.Key_End)
        settled(qtbot, window, count)
        qtbot.mouseClick(filters.reset, LEFT)
        settled(qtbot, window, 100)
    filters.since.setFocus()
    filters.since.setDate(filters.since.date().addDays(1))
    settled(qtbot, window, 40)
    filters.stakes.setCurrentIndex(0)
    qtbot.keyClick(filters.session, Qt.Key.Key_End)
    settled(qtbot, window, 0)
    assert window.headline.text() == "No hand fits these filters."
    assert names(window) == []


def test_a_session_that_is_deleted_is_wanted_no_more(qtbot: QtBot, window: FiguresWindow, store: Store) -> None:
    """The box says All again, and all there is is shown, rather than nothing."""
    qtbot.keyClick(window.filters.session, Qt.Key.Key_End)
    settled(qtbot, window, 60)
    store.delete_sessions([window.filters.session.currentData()])
    window.model.count(store)
    settled(qtbot, window, 40)
    assert window.filters.session.currentText() == "All"


def test_the_graph_reads_hand_by_hand(qtbot: QtBot, window: FiguresWindow) -> None:
    graph, summary = window.graph, window.model.summary
    assert summary is not None
    assert summary.lines is not None
    assert set(summary.lines.won) == set(Line)
    assert graph.readout.text().startswith("After hand 100, in bb: Net ")
    total = summary.players[summary.player].counts.net_bb if summary.player else 0.0
    assert f"{total:+,.1f}".replace("-", "−") in graph.readout.text()
    graph.setFocus()
    qtbot.keyClick(graph, Qt.Key.Key_Left)
    assert graph.readout.text().startswith("After hand 99, ")
    qtbot.keyClick(graph, Qt.Key.Key_Home)
    assert graph.readout.text() == "After hand 0, in bb: " + ", ".join(
        f"{name} 0" for name in ("Net", "All-in adjusted", "Value-adjusted", "Showdown", "Non-showdown")
    )
    middle = graph.plot.viewport().rect().center()
    qtbot.mouseMove(graph.plot.viewport(), QPoint(middle.x() - 5, middle.y()))
    qtbot.mouseMove(graph.plot.viewport(), middle)
    qtbot.waitUntil(lambda: not graph.readout.text().startswith("After hand 0,"), timeout=PATIENCE)
    box = graph.boxes[Line.SHOWDOWN]
    qtbot.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    assert not graph._curves[Line.SHOWDOWN].isVisible()
    assert graph._curves[Line.NET].isVisible()


def test_the_graph_of_two_hands_marks_no_half_of_one(window: FiguresWindow) -> None:
    graph = window.graph
    graph.show_lines(HandLines(np.arange(3), {Line.NET: np.array([0.0, 1.5, -2.0])}))
    axis = graph.plot.getAxis("bottom")
    marked = {place for _, places in axis.tickValues(*axis.range, graph.plot.width()) for place in places}
    assert marked == {0, 1, 2}


def save(qtbot: QtBot, window: FiguresWindow, index: int, path: Path) -> None:
    window.export.button.menu().actions()[index].trigger()
    choose_path(window, path)


def test_figures_lines_and_graph_are_saved(qtbot: QtBot, window: FiguresWindow, tmp_path: Path) -> None:
    names = "f.csv", "l.csv", "h.csv", "g.png", "g.svg"
    figures, lines, classes, png, svg = (tmp_path / name for name in names)
    for index, path in ((0, figures), (1, lines), (2, classes), (4, png), (5, svg)):
        save(qtbot, window, index, path)
    rows = list(csv.DictReader(io.StringIO(figures.read_text(encoding="utf-8"))))
    assert {row["player"] for row in rows} == {"You"}
    assert (rows[0]["position"], rows[0]["hands"]) == ("all", "100")
    curve = list(csv.DictReader(io.StringIO(lines.read_text(encoding="utf-8"))))
    assert len(curve) == 100
    by_class = list(csv.DictReader(io.StringIO(classes.read_text(encoding="utf-8"))))
    assert sum(int(row["hands"]) for row in by_class) == 100
    assert sum(float(row["net_bb"]) for row in by_class) == pytest.approx(float(rows[0]["net_bb"]))
    assert float(curve[-1]["net"]) == pytest.approx(float(rows[0]["net_bb"]))
    assert QImage(str(png)).width() > 300
    text = svg.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "Non-showdown" in text  # the legend
    assert window.status.text() == "Saved as g.svg."


def test_what_is_counted_is_not_counted_again(qtbot: QtBot, window: FiguresWindow, store: Store) -> None:
    assert store.seat_hands.missing() == []
    window.model.count(store)
    settled(qtbot, window, 100)
    assert window.model.most == 0


def test_stopped_it_keeps_what_is_counted_and_goes_on(
    qtbot: QtBot,
    theme: ThemeSource,
    jobs: Jobs,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    settings: SettingsFile,
) -> None:
    gate, count, begun = Event(), store.seat_hands.count, list[int]()

    def held(hand_ids: Sequence[int]) -> None:
        begun.append(len(hand_ids))
        assert len(begun) == 1 or gate.wait(PATIENCE / 1000)
        count(hand_ids)

    monkeypatch.setattr(store.seat_hands, "count", held)
    monkeypatch.setattr(hands, "_AT_A_TIME", 20)
    monkeypatch.setattr(lanes, "_SNAPSHOT_SECONDS", 0.0)  # or the step before the one held might not be delivered
    model = FiguresModel(jobs)
    window = opened(qtbot, FiguresWindow(theme, model, settings))
    WINDOWS.append(window)
    model.count(store)
    qtbot.waitUntil(lambda: model.done == 20, timeout=PATIENCE)
    assert window.status.text() == "Counting hands: 20 of 100"
    qtbot.waitUntil(lambda: model.summary is not None, timeout=PATIENCE)
    assert window.headline.text() == "", "no filter is to blame that nothing is shown yet"
    qtbot.mouseClick(window.stop, LEFT)
    gate.set()
    assert "80 hands are not counted yet" in window.status.text()
    assert window.go_on.isVisible()
    qtbot.waitUntil(lambda: jobs.is_idle("counting figures"), timeout=PATIENCE)
    assert len(store.seat_hands.missing()) == 60
    model.count(store)
    settled(qtbot, window, 100)
    assert not window.go_on.isVisible()


def test_it_says_why_hands_cannot_be_counted_and_counts_on(
    qtbot: QtBot,
    theme: ThemeSource,
    jobs: Jobs,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    settings: SettingsFile,
) -> None:
    failure = "Stored hands could not be read: disk I/O error."

    def fail(hand_ids: Sequence[int]) -> None:
        raise StoreError(failure)

    model = FiguresModel(jobs)
    window = opened(qtbot, FiguresWindow(theme, model, settings))
    WINDOWS.append(window)
    window.go_on.clicked.connect(lambda: model.count(store))
    with monkeypatch.context() as broken:
        broken.setattr(store.seat_hands, "count", fail)
        model.count(store)
        qtbot.waitUntil(lambda: not model.is_counting and jobs.is_idle("figures"), timeout=PATIENCE)
        qtbot.waitUntil(lambda: model.summary is not None, timeout=PATIENCE)
    assert window.status.text() == failure
    assert window.headline.text() == "", "there are hands"
    qtbot.mouseClick(window.go_on, LEFT)
    settled(qtbot, window, 100)
    assert window.status.text() == "100 hands."
    assert not window.go_on.isVisible()


def show_tab(qtbot: QtBot, window: FiguresWindow, tab: QWidget) -> None:
    bar = window.tabs.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(window.tabs.indexOf(tab)).center())


def by_hand(store: Store) -> dict[str, list[tuple[int, float]]]:
    """Return number and result of the person's hands, by hand class, each looked at by itself."""
    found: dict[str, list[tuple[int, float]]] = {}
    for stored in store.sessions():
        for hand in store.hands(stored.session_id):
            final = hand.final_observation()
            name = class_name(class_of(combo_of(*final.hole_cards)))
            found.setdefault(name, []).append((hand.number, count_hand(final.events)[0].net_bb))
    return found


def test_starting_hands_are_listed_and_replayed(qtbot: QtBot, app: App) -> None:
    fill(app.store, session("calling station", "loose-aggressive", seed=3), 60, STARTED)
    reviewed = list(app.store.hands(1))[4]
    app.store.browse.set_loss(reviewed.hand_id, 1.5)
    window = figures_window(qtbot, app, 60)
    tab, expected = window.starting_hands, by_hand(app.store)
    show_tab(qtbot, window, tab)
    qtbot.waitUntil(lambda: tab.table.model().rowCount() == len(expected), timeout=PATIENCE)
    rows = [[str(tab.table.model().index(row, at).data()) for at in (0, 1, 4, 6)] for row in range(len(expected))]
    for name, count, rate, _ in rows:
        nets = [net for _, net in expected[name]]
        assert int(count) == len(nets)
        assert float(rate.replace("−", "-").replace(",", "")) == pytest.approx(
            100 * sum(nets) / len(nets), abs=0.051
        )
    name = class_name(class_of(combo_of(*reviewed.final_observation().hole_cards)))
    assert " bb/100 above folding every hand" in tab.headline.text()
    assert tab.headline.text().endswith(f"Mistakes cost 1.5 bb in 1 reviewed hand, most with {name}: 1.5 in 1.")
    assert [row[0] for row in rows if row[-1] != "–"] == [name]
    # A click in the map lists the hands, the dearest first, and a key replays one of them.
    name = max(expected, key=lambda one: len(expected[one]))
    cell = next(at for at in range(169) if class_name(at) == name)
    at = tab.map.cell_rect(cell).center().toPoint()
    qtbot.mouseClick(tab.map, LEFT, pos=at)
    listed = tab.hands.model()
    qtbot.waitUntil(lambda: listed.rowCount() == len(expected[name]), timeout=PATIENCE)
    assert tab.hands.isVisible()
    assert [int(listed.index(row, 5).data()) for row in range(listed.rowCount())] == [
        number for number, _ in sorted(expected[name], key=lambda one: one[1])
    ]
    tab.hands.selectRow(0)
    qtbot.keyClick(tab.hands, Qt.Key.Key_Return)
    replay = app.window.replaying
    worst = min(expected[name], key=lambda one: one[1])[0]
    qtbot.waitUntil(lambda: replay.is_on and replay.view.model.observation.hand_number == worst, timeout=PATIENCE)
    replay.leave()
    # Other players have none.
    select(qtbot, window, "Bot 1")
    qtbot.waitUntil(lambda: tab.headline.text().startswith("By starting hand your own"), timeout=PATIENCE)
    assert not tab.table.isVisible()


def over_time(window: FiguresWindow) -> list[list[str]]:
    """Return when, hands, net rate, cost of mistakes and how many were reviewed, of each period."""
    model = window.over_time.table.model()
    return [[str(model.index(row, at).data()) for at in (0, 1, 2, 6, 8)] for row in range(model.rowCount())]


def test_sessions_days_and_months_have_their_figures(
    qtbot: QtBot, window: FiguresWindow, store: Store, played: tuple[Path, list[dict[str, PlayerStatistics]]]
) -> None:
    first, second = (totals["You"].bb_per_100 or 0.0 for totals in played[1])
    later = STARTED + timedelta(days=9)
    show_tab(qtbot, window, window.over_time)
    qtbot.waitUntil(lambda: len(over_time(window)) == 2, timeout=PATIENCE)
    expected = [
        [f"{when:%d %b %Y, %H:%M}  Cash 50/100", hands, f"{rate:+,.1f}".replace("-", "−"), "–", "–"]
        for when, hands, rate in ((later, "40", second), (STARTED, "60", first))
    ]
    assert over_time(window) == expected
    assert window.over_time.headline.text() == (
        "Whether mistakes become fewer is told from 200 reviewed hands on (Tools > Review)."
    )
    for period, rows in (("Day", [f"{later:%d %b %Y}", f"{STARTED:%d %b %Y}"]), ("Month", ["Mar 2026"])):
        qtbot.keyClick(window.over_time.period, Qt.Key.Key_Down)
        assert window.over_time.period.currentText() == period
        qtbot.waitUntil(lambda rows=rows: [row[0] for row in over_time(window)] == rows, timeout=PATIENCE)
    assert over_time(window)[0][1] == "100"
    # Enter leaves the hands of a day in all tabs.
    qtbot.keyClick(window.over_time.period, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: len(over_time(window)) == 2, timeout=PATIENCE)
    window.over_time.table.setFocus()
    window.over_time.table.selectRow(1)
    qtbot.keyClick(window.over_time.table, Qt.Key.Key_Return)
    settled(qtbot, window, 60)
    assert window.filters.until.date().toPython() == STARTED.date()
    qtbot.mouseClick(window.filters.reset, LEFT)
    settled(qtbot, window, 100)
    # Others make mistakes, too, which nobody has reviewed.
    select(qtbot, window, "Bot 0")
    qtbot.waitUntil(lambda: window.over_time.headline.text() == "", timeout=PATIENCE)


COSTLY = Spot(Street.PREFLOP, "BTN", "a raise", "", "50-120 bb deep")
CHEAP = Spot(Street.FLOP, "BB", "no bet", "raised", "under 20 bb deep")


def review(store: Store, session_id: int) -> dict[int, float]:
    """Keep made-up reviews of a session's hands, in which decisions of one kind cost; return what each costs."""
    costs = {}
    noise = np.random.default_rng(5).normal(0, 0.2, 100).tolist()
    for hand, more in zip(store.hands(session_id), noise, strict=False):
        final = hand.final_observation()
        own = [at for at, event in enumerate(final.events) if isinstance(event, ActionTaken) and event.seat == 0]
        if not own:
            continue
        costs[hand.number] = 1.5 + more
        decisions = (decided(0.1 * more, 0.1, spot=CHEAP), decided(costs[hand.number], 0.1, spot=COSTLY))
        kept = HandReview(
            name=str(hand.number),
            learned=0,
            hole_cards=final.hole_cards,
            board=final.board,
            net_bb=0.0,
            all_in_bb=0.0,
            settled_bb=0.0,
            decisions=tuple(replace(one, event_count=own[0]) for one in decisions),
        )
        store.reviews.put(STAMP, {hand.hand_id: pack(kept)})
        store.browse.set_loss(hand.hand_id, costs[hand.number])
    return costs


def listed_leaks(window: FiguresWindow) -> list[str]:
    model = window.leaks.leaks.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_leaks_over_all_reviewed_hands_are_listed_and_replayed(qtbot: QtBot, app: App) -> None:
    fill(app.store, session("calling station", "loose-aggressive", seed=3), 60, STARTED)
    fill(app.store, session("calling station", seed=4), 40, STARTED + timedelta(days=9))
    window = figures_window(qtbot, app, 100)
    tab = window.leaks
    show_tab(qtbot, window, tab)
    qtbot.waitUntil(lambda: tab.headline.text().startswith("None of these hands is reviewed"), timeout=PATIENCE)
    assert not tab.decisions.isVisible()
    costs = {session_id: review(app.store, session_id) for session_id in (1, 2)}
    app.window.menus.figures.trigger()
    count = sum(map(len, costs.values()))
    said = f"{count} reviewed hands with {2 * count} decisions: "
    qtbot.waitUntil(lambda: tab.headline.text().startswith(said), timeout=PATIENCE)
    assert listed_leaks(window) == ["before the flop"], "and not by the other names of the same decisions"
    listed = tab.decisions.model()
    assert listed.rowCount() == min(count, leaks_model.MOST_LISTED)
    dearest = sorted(((cost, one, number) for one in costs for number, cost in costs[one].items()), reverse=True)
    at_cost, at_hand = (leaks_model.LISTED.index(name) for name in (">Cost, bb", ">Hand"))
    for row, (cost, _, number) in enumerate(dearest[:20]):
        assert str(listed.index(row, at_hand).data()) == str(number)
        assert str(listed.index(row, at_cost).data()).startswith(f"{cost:.1f} ±")
    # A click on the leak lists its decisions alone, and Enter replays the dearest.
    qtbot.mouseClick(tab.leaks.viewport(), LEFT, pos=tab.leaks.visualRect(tab.leaks.model().index(0, 0)).center())
    assert tab.about_listed.text().startswith("Leak: before the flop,")
    assert tab.all_decisions.isVisible()
    tab.decisions.setFocus()
    tab.decisions.selectRow(0)
    qtbot.keyClick(tab.decisions, Qt.Key.Key_Return)
    replay, (_, session_id, number) = app.window.replaying, dearest[0]
    qtbot.waitUntil(lambda: replay.is_on and replay.view.model.observation.hand_number == number, timeout=PATIENCE)
    hand = next(one for one in app.store.hands(session_id) if one.number == number)
    assert replay.view.model.observation.own_cards == hand.final_observation().hole_cards
    assert replay.view.model.decider == 0
    replay.leave()
    qtbot.mouseClick(tab.all_decisions, LEFT)
    assert tab.about_listed.text().startswith("Of all decisions")
    select(qtbot, window, "Bot 1")
    qtbot.waitUntil(lambda: tab.headline.text() == "Your own decisions alone are reviewed.", timeout=PATIENCE)


def test_it_says_whether_mistakes_become_fewer(
    qtbot: QtBot, window: FiguresWindow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(over_time_model, "_LEAST_REVIEWED", 100)
    costs = np.random.default_rng(4).exponential(0.2, 100) * np.repeat([1.5, 0.5], 50)
    ids = [hand.hand_id for one in (1, 2) for hand in store.hands(one)]
    for hand_id, cost in zip(ids, costs.tolist(), strict=True):
        store.browse.set_loss(hand_id, cost)
    window.model.count(store)
    show_tab(qtbot, window, window.over_time)
    qtbot.waitUntil(lambda: window.over_time.headline.text().startswith("Mistakes cost "), timeout=PATIENCE)
    older, newer = 100 * costs[:50].mean(), 100 * costs[50:].mean()
    error = 100 * np.hypot(costs[:50].std(ddof=1), costs[50:].std(ddof=1)) / np.sqrt(50)
    low, high = (newer - older + side * 1.96 * error for side in (-1, 1))
    assert window.over_time.headline.text() == (
        f"Mistakes cost {older:.1f} bb/100 in the older half of 100 reviewed hands and {newer:.1f} in the newer: "
        f"{newer - older:+.1f} (95%: {low:+.1f} to {high:+.1f}).".replace("-", "−")
    )
    qtbot.waitUntil(lambda: [row[4] for row in over_time(window)] == ["40", "60"], timeout=PATIENCE)
    assert [float(row[3]) for row in over_time(window)] == [
        pytest.approx(100 * costs[part].mean(), abs=0.051) for part in (slice(60, 100), slice(60))
    ]


def test_pointing_at_a_starting_hand_tells_of_it(qtbot: QtBot, window: FiguresWindow, store: Store) -> None:
    tab, expected = window.starting_hands, by_hand(store)
    show_tab(qtbot, window, tab)
    qtbot.waitUntil(lambda: tab.table.model().rowCount() == len(expected), timeout=PATIENCE)
    held = next(at for at in range(169) if len(expected.get(class_name(at), ())) > 1)
    name, count = class_name(held), len(expected[class_name(held)])
    qtbot.mouseMove(tab.map, tab.map.cell_rect(held).center().toPoint())
    qtbot.waitUntil(lambda: tab.detail.text().startswith(f"{name}, {count} hands"), timeout=PATIENCE)
    assert " bb/100 above folding" in tab.detail.text()
    never = next(at for at in range(169) if class_name(at) not in expected)
    qtbot.mouseMove(tab.map, tab.map.cell_rect(never).center().toPoint())
    qtbot.waitUntil(lambda: tab.detail.text() == f"{class_name(never)}: not dealt", timeout=PATIENCE)


def counted_usual(window: FiguresWindow) -> dict[str, list[str]]:
    """Return the cells of the table beside usual play by spot."""
    model = window.usual.table.model()
    rows = [
        [str(model.index(row, at).data()) for at in range(model.columnCount())] for row in range(model.rowCount())
    ]
    return {row[0]: row[1:] for row in rows}


def show_usual(qtbot: QtBot, window: FiguresWindow) -> None:
    show_tab(qtbot, window, window.usual)


def look_at_a_class(qtbot: QtBot, window: FiguresWindow) -> None:
    """Click on a hand in the grid, whose decisions are listed then, and on the button for all of them."""
    tab = window.usual
    of_spot, listed = int(counted_usual(window)[tab.model.spot][0]), tab.decisions.model()
    cards = [str(listed.index(row, 0).data()) for row in range(listed.rowCount())]
    cell = class_of(combo_of(*parse_cards(cards[0])))
    expected = [one for one in cards if class_of(combo_of(*parse_cards(one))) == cell]
    qtbot.mouseMove(tab.grid, tab.grid.cell_rect(cell).center().toPoint())
    qtbot.waitUntil(
        lambda: tab.detail.text().startswith(f"{class_name(cell)}, of {len(expected)}: "), timeout=PATIENCE
    )
    done = tab.grid.grab().toImage()
    qtbot.mouseClick(tab.is_usual, LEFT, pos=QPoint(8, tab.is_usual.height() // 2))
    assert tab.grid.grab().toImage() != done
    qtbot.mouseClick(tab.grid, LEFT, pos=tab.grid.cell_rect(cell).center().toPoint())
    qtbot.waitUntil(lambda: listed.rowCount() == len(expected), timeout=PATIENCE)
    assert tab.decisions.isVisible()
    assert {str(listed.index(row, 0).data()) for row in range(listed.rowCount())} == set(expected)
    assert class_name(cell) in tab.about_listed.text()
    qtbot.mouseClick(tab.all_hands, LEFT)
    qtbot.waitUntil(lambda: listed.rowCount() == min(of_spot, tendencies_model.MOST_LISTED), timeout=PATIENCE)
    assert not tab.all_hands.isVisible()


def test_a_player_is_shown_beside_usual_play(
    qtbot: QtBot, window: FiguresWindow, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected: dict[str, Counter[int]] = {"You": Counter(), "Bot 0": Counter()}
    for stored in store.sessions():
        for hand in store.hands(stored.session_id):
            for seat, name in enumerate(expected):
                if seat in hand.hole_cards:
                    events = hand.final_observation().events
                    rows = decisions_of(events, {seat: hand.hole_cards[seat]})[seat]
                    expected[name].update(rows["spot"].tolist())
    show_usual(qtbot, window)
    for name, spots in expected.items():
        select(qtbot, window, name)
        qtbot.waitUntil(lambda: window.usual.model.counting.hands == 100, timeout=PATIENCE)
        found = counted_usual(window)
        assert {spot: row[0] for spot, row in found.items()} == {
            SPOTS[spot]: f"{count}" for spot, count in sorted(spots.items())
        }
    # A calling station calls what others fold.
    assert "check or call" in window.usual.headline.text()
    assert any(row[3].endswith("*") for row in found.values())
    listed = window.usual.decisions.model()
    qtbot.waitUntil(lambda: listed.rowCount() > 0, timeout=PATIENCE)
    assert listed.rowCount() <= int(found[window.usual.model.spot][0])
    shares = [float(listed.index(row, 3).data().rstrip("%")) for row in range(listed.rowCount())]
    assert shares == sorted(shares)
    look_at_a_class(qtbot, window)
    monkeypatch.setattr(tendencies_model, "MOST_HANDS", 30)
    select(qtbot, window, "You")
    qtbot.waitUntil(lambda: window.usual.model.counting.hands == 30, timeout=PATIENCE)
    assert window.usual.headline.text().endswith("The newest 30 of 100 hands.")


def test_a_decision_of_a_spot_is_replayed(qtbot: QtBot, app: App) -> None:
    fill(app.store, session("calling station", "loose-aggressive", seed=3), 30, STARTED)
    window = figures_window(qtbot, app, 30)
    show_usual(qtbot, window)
    table, decisions = window.usual.table, window.usual.decisions
    qtbot.waitUntil(lambda: table.model().rowCount() > 1 and window.usual.model.counting.is_whole, timeout=PATIENCE)
    replay = app.window.replaying
    for row in (1, 0, 0):
        spot = str(table.model().index(row, 0).data())
        qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, 0)).center())
        qtbot.waitUntil(
            lambda spot=spot: window.usual.model.spot == spot and app.jobs.is_idle(tendencies_model.LISTING),
            timeout=PATIENCE,
        )
        decisions.setFocus()
        decisions.selectRow(0)
        qtbot.keyClick(decisions, Qt.Key.Key_Return)
        cards, board, _, _, number = (str(decisions.model().index(0, at).data()) for at in range(5))

        def is_at_decision(expected: tuple[str, str, str] = (number, cards, board)) -> bool:
            if not replay.is_on:
                return False
            seen, decider = replay.view.model.observation, replay.view.model.decider
            shown = f"{seen.hand_number:,}", card_symbols(seen.own_cards or ()), card_symbols(seen.board)
            return decider == seen.seat and shown == expected

        qtbot.waitUntil(is_at_decision, timeout=PATIENCE)
        qtbot.mouseClick(replay.view.bar.last, LEFT)
        assert not is_at_decision()
    replay.leave()


def test_other_people_are_not_judged_by_the_cards_that_they_showed(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, settings: SettingsFile
) -> None:
    store = Store(tmp_path / "soulread.db")
    assert store.imports.add([imported(1, names=("Zoë", "Ann", "Bob"))]).new == 1
    window = opened(qtbot, FiguresWindow(theme, FiguresModel(jobs), settings))
    WINDOWS.append(window)
    window.model.count(store)
    settled(qtbot, window, 1)
    show_usual(qtbot, window)
    qtbot.waitUntil(lambda: len(window.usual.spots.cells) > 0, timeout=PATIENCE)
    select(qtbot, window, "Ann")
    qtbot.waitUntil(lambda: not window.usual.spots.cells, timeout=PATIENCE)
    assert window.usual.headline.text().startswith("Other people's cards")
    store.close()


def test_the_menu_opens_it_over_the_stored_hands(qtbot: QtBot, app: App) -> None:
    app.window.menus.figures.trigger()
    window = app.window.figures.window
    assert window is not None
    WINDOWS.append(opened(qtbot, window))
    qtbot.waitUntil(lambda: not window.model.is_counting, timeout=PATIENCE)
    assert window.headline.text().startswith("No stored hands yet")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window.table, Qt.Key.Key_Escape)
    assert not window.isVisible()
    fill(app.store, session("calling station", seed=4), 5, STARTED)
    app.window.menus.figures.trigger()
    settled(qtbot, window, 5)


def test_a_name_on_two_sites_is_told_apart(
    qtbot: QtBot, theme: ThemeSource, jobs: Jobs, tmp_path: Path, settings: SettingsFile
) -> None:
    store = Store(tmp_path / "soulread.db")
    told = [
        imported(1, names=("Zoë", "Ann", "Bob")),
        imported(2, names=("Zoë", "Ann", "Cid"), site="Winamax"),
        imported(3, names=("Zoë", "Ann", "Cid"), site="Winamax"),
    ]
    assert store.imports.add(told).new == 3
    model = FiguresModel(jobs)
    window = opened(qtbot, FiguresWindow(theme, model, settings))
    WINDOWS.append(window)
    model.count(store)
    settled(qtbot, window, 3)
    counted = {name: cell(window, name, "Hands") for name in names(window)}
    assert counted == {"Zoë": "3", "Ann (PokerStars)": "1", "Ann (Winamax)": "2", "Bob": "1", "Cid": "2"}
    store.close()


def test_the_summary_is_that_of_the_seats(store: Store, window: FiguresWindow) -> None:
    """Value-adjusted rates from the stored hands, counted hand by hand apart from the store's own rows."""
    rows = []
    for stored in store.sessions():
        for hand in store.hands(stored.session_id):
            final = hand.final_observation()
            counted = seat_hands(final.events, [hand.hole_cards[view.seat] for view in final.seats])
            rows.append(counted[counted["seat"] == 0])
    expected = figures_of(np.concatenate(rows)).rates[Line.VALUE]
    summary = window.model.summary
    assert summary is not None
    assert summary.player is not None
    found = summary.players[summary.player].rates[Line.VALUE]
    assert (found.value, found.stderr) == pytest.approx((expected.value, expected.stderr))
