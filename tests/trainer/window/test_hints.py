"""The hint for the player's own turn, by key, button and menu, at the whole window."""

import threading
from collections.abc import Iterator, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.agents.agent import ActionValue, Prediction, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread import values as soulread_values
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, raise_to
from engine.game.observation import Observation
from engine.resources import ResourceError
from tests.engine.agents.hands import deal, play, turn_of
from tests.trainer.gestures import PATIENCE, click, strike, wait_for_stage
from tests.trainer.session_driver import table
from tests.trainer.test_layout import cut
from trainer.app import App
from trainer.jobs import Jobs
from trainer.play import hint_model as hint_model_module
from trainer.play.action_button import ActionButton
from trainer.play.hint import HintPanel
from trainer.play.hint_model import hint_view
from trainer.session import readings as readings_module
from trainer.session.readings import Readings
from trainer.session.types import HintPoint, Stage
from trainer.theme import ThemeSource

GAME = table("calling station", "tight-passive", "fold", seed=3)


class FakeValues:
    """Stands for the values of actions: better with each step, as quickly as they are asked for."""

    def __init__(self) -> None:
        self.threads: set[str] = set()
        self.observations: list[Observation] = []
        self.raises = 1

    def __call__(
        self,
        observation: Observation,
        predictions: Sequence[Prediction],
        reader: LearnedReader,
        seed: int,
        also: Sequence[Action] = (),
        *,
        gives_up: bool = True,
    ) -> Iterator[Values]:
        assert not gives_up, "every row of the table is as sure as it can be"
        assert {prediction.seat for prediction in predictions} == {view.seat for view in observation.opponents}
        self.observations.append(observation)
        assert observation.legal is not None
        passive = CHECK if observation.legal.can_check else CALL
        best = raise_to(observation.legal.min_raise_to)
        totals = {best.raise_to + 100 * size for size in range(1, self.raises)} | {one.raise_to for one in also}
        more = [_value(raise_to(total), 200, 100) for total in sorted(totals - {best.raise_to})]
        for samples in range(128, 1 << 20, 128):
            self.threads.add(threading.current_thread().name)
            yield Values((_value(FOLD, 0, 300), _value(passive, 120, 180), _value(best, 300, 0), *more), samples)


def _value(action: Action, chips: float, behind: float) -> ActionValue:
    return ActionValue(
        action=action,
        value=chips,
        stderr=20.0,
        behind=behind,
        behind_stderr=10.0 if behind else 0.0,
        all_fold=0.3,
        called_equity=None if action == FOLD else 0.5,
        later=0.5,
        usual=0.3,
        guard=0.0,
        samples=128,
    )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeValues:
    made = FakeValues()
    monkeypatch.setattr(soulread_values, "values_of", made)
    monkeypatch.setattr(readings_module, "_HINT_DEALS", 1_024)
    monkeypatch.setattr(readings_module, "_HINT_SECONDS", PATIENCE / 1000)  # or a busy machine ends it with fewer
    return made


def sit_down(qtbot: QtBot, app: App) -> HintPanel:
    app.begin(GAME)
    app.window.activateWindow()
    wait_for_turn(qtbot, app)
    return app.window.hint_panel


def wait_for_turn(qtbot: QtBot, app: App) -> None:
    wait_for_stage(qtbot, app, Stage.YOUR_TURN)
    qtbot.waitUntil(lambda: button(app, "Fold").isEnabled(), timeout=PATIENCE)


def button(app: App, text: str) -> ActionButton:
    return next(one for one in app.window.action_bar.findChildren(ActionButton) if one.text().startswith(text))


def wait_until_done(qtbot: QtBot, panel: HintPanel) -> None:
    qtbot.waitUntil(lambda: panel.isVisible() and panel.model.text().endswith("1,024 deals"), timeout=PATIENCE)


def test_one_key_shows_what_every_action_is_worth(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    panel = sit_down(qtbot, app)
    assert not panel.isVisible()
    assert not fake.observations, "nothing is worked out before it is asked for"
    strike(app, "h")
    wait_until_done(qtbot, panel)
    assert app.window.model.view is not None
    observation = app.window.model.view.observation
    assert fake.observations == [observation], "it is worked out from what the player sees, once"
    assert fake.threads
    assert threading.main_thread().name not in fake.threads
    assert panel.sentence.text().startswith("Raising to ")
    assert " is worth 300 ± 20, 180 more than " in panel.sentence.text()
    assert panel.model.text() == "Against players as your reader Learned knows them here: 1,024 deals"
    assert panel.values.table.model().rowCount() == 3
    assert app.window.panels.reasoning.decisions.count() == 0, "bots' decisions stay sealed"


def test_it_has_the_room_of_a_lesson(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    panel, lesson = sit_down(qtbot, app), app.window.review.line
    lesson.offer("Hand 1. River call 600: -6.0 bb; better: fold")
    assert lesson.isVisible()
    strike(app, "h")
    assert panel.isVisible()
    assert not lesson.isVisible()
    strike(app, "h")
    assert lesson.isVisible()


@pytest.mark.parametrize("size", [(1024, 700), (1400, 1000)])
def test_the_table_stays_where_it_is_when_a_lesson_comes_and_goes(
    qtbot: QtBot, app: App, fake: FakeValues, size: tuple[int, int]
) -> None:
    app.window.resize(*size)
    sit_down(qtbot, app)
    without = app.window.table.height()
    for switch in (app.window.menus.lessons, app.window.menus.offer_guesses):
        switch.trigger()
    lines = app.window.review.line, app.window.drills.line
    room = sum(line.sizeHint().height() for line in lines)
    qtbot.waitUntil(lambda: app.window.table.height() == without - room, timeout=PATIENCE)
    before = app.window.table.size()
    for line in lines:
        line.offer("Hand 1. River call 600: -6.0 bb; better: fold")
        QApplication.processEvents()
        assert line.button.isVisible()
        assert app.window.table.size() == before
    for line in lines:
        click(line.close_button, line.close_button.rect().center())
        QApplication.processEvents()
        assert not line.isVisible()
        assert app.window.table.size() == before
    for switch in (app.window.menus.lessons, app.window.menus.offer_guesses):
        switch.trigger()
    qtbot.waitUntil(lambda: app.window.table.height() == without, timeout=PATIENCE)  # who wants none has the room


def test_it_says_what_calls_the_raise_advised_or_chosen(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    fake.raises = 2
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    qtbot.waitUntil(lambda: ": you are the favourite against " in panel.values.answers.text(), timeout=PATIENCE)
    text = panel.values.answers.text()
    assert text.startswith("raise to 200: Bot ")
    assert " folds " in text
    table = panel.values.table
    click(table.viewport(), table.visualRect(table.model().index(3, 0)).center())
    assert panel.values.answers.text().startswith("raise to 300: Bot ")
    assert panel.values.answers.text() != text.replace("200", "300", 1), "worked out for each"


def actions_shown(panel: HintPanel) -> list[str]:
    model = panel.values.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def selected(panel: HintPanel) -> list[str]:
    return [index.data() for index in panel.values.table.selectionModel().selectedRows()]


def test_an_amount_that_is_typed_is_compared_as_soon_as_the_typing_pauses(
    qtbot: QtBot, app: App, fake: FakeValues
) -> None:
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    assert selected(panel) == []
    strike(app, "430")
    assert panel.isVisible()
    assert len(fake.observations) == 1, "while keys follow one another nothing is asked for"
    qtbot.waitUntil(lambda: selected(panel) == ["raise to 430"], timeout=PATIENCE)
    wait_until_done(qtbot, panel)
    assert actions_shown(panel)[2:] == ["▶ raise to 200", "raise to 430"]
    assert panel.values.answers.text().startswith("raise to 430: Bot ")
    assert len(fake.observations) == 2
    strike(app, Qt.Key.Key_Backspace)
    assert app.window.action_bar.model.refusal, "43 is no legal raise"
    assert not app.window.hints._pause.isActive()
    strike(app, "5")
    qtbot.waitUntil(lambda: selected(panel) == ["raise to 435"], timeout=PATIENCE)
    assert "raise to 430" not in actions_shown(panel)


def test_an_amount_in_the_table_is_selected_at_once_and_nothing_is_asked_for(
    qtbot: QtBot, app: App, fake: FakeValues
) -> None:
    fake.raises = 4
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    strike(app, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: selected(panel) == ["raise to 300"], timeout=PATIENCE)
    strike(app, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: selected(panel) == ["raise to 400"], timeout=PATIENCE)
    assert len(fake.observations) == 1


def test_an_amount_set_before_is_in_the_hint(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    panel = sit_down(qtbot, app)
    strike(app, "430h")
    qtbot.waitUntil(lambda: selected(panel) == ["raise to 430"], timeout=PATIENCE)
    assert len(fake.observations) == 1
    wait_until_done(qtbot, panel)
    strike(app, Qt.Key.Key_Escape)
    strike(app, "h")
    assert not panel.isVisible()
    strike(app, "h")
    wait_until_done(qtbot, panel)
    assert actions_shown(panel)[2:] == ["▶ raise to 200"], "Esc took the amount back"


def test_it_is_for_this_decision_alone(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    strike(app, "c")
    qtbot.waitUntil(lambda: not panel.isVisible(), timeout=PATIENCE)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    assert not panel.isVisible()
    assert len(fake.observations) == 1


@pytest.mark.parametrize("way", ["key", "Esc", "cross", "button", "menu"])
def test_ways_to_open_and_to_close_it(qtbot: QtBot, app: App, fake: FakeValues, way: str) -> None:
    panel = sit_down(qtbot, app)
    if way == "button":
        click(button(app, "Hint"))
    elif way == "menu":
        app.window.menus.hint.trigger()
    else:
        strike(app, "h")
    wait_until_done(qtbot, panel)
    if way == "cross":
        click(panel.close_button)
    elif way == "Esc":
        strike(app, Qt.Key.Key_Escape)
    elif way == "button":
        click(button(app, "Hint"))
    else:
        strike(app, "h")
    assert not panel.isVisible()
    assert app.session is not None
    assert app.session.stage is Stage.YOUR_TURN


def test_amounts_follow_the_units(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    strike(app, "u")
    assert " bb" in panel.sentence.text()
    assert panel.values.table.model().headerData(1, Qt.Orientation.Horizontal) == "Value, bb"


def test_a_reader_without_networks_has_no_hints_and_says_so(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    app.window.panels.read_panel.set_reader("paper")
    panel = sit_down(qtbot, app)
    strike(app, "h")
    qtbot.waitUntil(lambda: panel.sentence.text().startswith("There is no hint by this reader"), timeout=PATIENCE)
    assert not panel.values.isVisible()
    assert not fake.observations


def test_the_key_is_the_players_own_if_they_chose_it(app: App) -> None:
    app.settings.change(keys=(("fold", "H"), ("call", "C"), ("raise", "R"), ("next", "Space")))
    app.window._apply_settings()
    assert app.window.menus.hint.shortcut().isEmpty()
    assert button(app, "Hint").key == ""


@pytest.mark.parametrize("height", [541, 574], ids=["maximized beside a task bar", "as it opens"])
def test_a_hint_fits_a_screen_of_1366_by_768_at_125_percent(
    qtbot: QtBot, app: App, fake: FakeValues, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That are 1092 by 614, less 40 for a task bar and 33 for the title."""
    app.window.resize(1084, height)
    fake.raises = 9
    long = (
        "Raising to 200 is worth 440 ± 130, about as much as calling 100: the difference is within its error. "
        "Raising to 350 is worth about as much, but few would do it with such a hand (1 in 430): that counts 40 "
        "against it."
    )
    monkeypatch.setattr(hint_model_module, "advice", lambda *_: long)
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    QApplication.processEvents()
    assert app.window.height() == height, "its buttons stay on the screen"
    assert not cut(app.window)
    assert long in (panel.sentence.text(), panel.sentence.toolTip())
    table = panel.values.table
    advised = table.visualRect(table.model().index(2, 0))
    assert table.viewport().rect().contains(advised), "what is advised is in sight"


def test_a_hint_says_in_full_what_calls_where_five_rows_stay_in_sight(
    qtbot: QtBot, app: App, fake: FakeValues
) -> None:
    fake.raises = 9
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    qtbot.waitUntil(lambda: bool(panel.values.answers.text()), timeout=PATIENCE)
    seen = set()
    for height in range(620, 1_000, 10):
        app.window.resize(1280, height)
        QApplication.processEvents()
        table, below, model = panel.values.table, panel.values.answers, panel.model
        rows = [table.visualRect(table.model().index(at, 0)) for at in range(table.model().rowCount())]
        in_sight = sum(table.viewport().rect().contains(rect) for rect in rows)
        is_whole = not below.text().endswith(" …")
        seen.add(is_whole)
        assert in_sight >= 5 or not is_whole
        bottom = below.mapTo(panel, below.rect().bottomLeft()).y()
        assert model.y() - bottom <= 4 or in_sight == len(rows), "no room is left where rows are out of sight"
    assert seen == {False, True}


def test_a_long_hint_leaves_the_table_its_room(qtbot: QtBot, app: App, fake: FakeValues) -> None:
    app.window.resize(1024, 640)
    fake.raises = 9
    panel = sit_down(qtbot, app)
    strike(app, "h")
    wait_until_done(qtbot, panel)
    QApplication.processEvents()
    assert panel.values.table.verticalScrollBar().maximum() > 0, "the hint gives way and scrolls"
    assert not cut(app.window)
    answers = panel.values.answers
    assert answers.text().endswith(" …")
    assert " with " not in answers.text()
    assert " with " in answers.toolTip()
    stage = app.window.table
    assert stage.height() >= stage.minimumHeight()
    assert (
        stage.mapTo(app.window, stage.rect().bottomLeft()).y() < panel.mapTo(app.window, panel.rect().topLeft()).y()
    )


# The reader's side


def test_the_newest_request_wins(qtbot: QtBot, app: App, fake: FakeValues, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings_module, "_HINT_DEALS", 1 << 30)
    sit_down(qtbot, app)
    assert app.session is not None
    assert app.window.model.view is not None
    readings, observation = app.session.readings, app.window.model.view.observation
    found: list[HintPoint] = []
    readings.hint_changed.connect(found.append)
    readings.request_hint(observation)
    qtbot.waitUntil(lambda: len(found) > 1, timeout=PATIENCE)
    monkeypatch.setattr(readings_module, "_HINT_DEALS", 256)
    readings.request_hint(observation)
    found.clear()
    qtbot.waitUntil(lambda: bool(found) and found[-1].is_done, timeout=PATIENCE)
    assert [point.values.samples for point in found if point.values is not None][-1] == 256
    assert all(point.values is not None and point.values.samples <= 256 for point in found)


def test_without_its_model_file_it_says_so(
    qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch, app: App, fake: FakeValues
) -> None:
    sit_down(qtbot, app)
    assert app.window.model.view is not None

    def missing() -> None:
        raise ResourceError("The app's file resources/learned_reader.npz is missing; install the app anew.")

    monkeypatch.setattr("engine.agents.learned.reader.stored_likelihoods", missing)
    readings, found = Readings(jobs), list[HintPoint]()
    readings.hint_changed.connect(found.append)
    readings.request_hint(app.window.model.view.observation)
    qtbot.waitUntil(lambda: bool(found), timeout=PATIENCE)
    assert found[0].why_not.startswith("There is no hint: The app's file")
    assert found[0].values is None


@pytest.mark.parametrize(("words", "begins"), [("300", "Fold: "), ("c", "Check: ")])
def test_a_safe_lead_is_said_in_place_of_values(
    qtbot: QtBot, jobs: Jobs, theme: ThemeSource, fake: FakeValues, words: str, begins: str
) -> None:
    """The big blind has 13,900 left of 20,000, and ten hands to come cost a player of two 750."""
    table = deal((6_000, 14_000), kind=GameKind.TOURNAMENT, hands_left=10)
    leader = turn_of(play(table, words))
    readings, found = Readings(jobs), list[HintPoint]()
    readings.hint_changed.connect(found.append)
    readings.request_hint(leader)
    qtbot.waitUntil(lambda: bool(found), timeout=PATIENCE)
    (point,) = found
    assert not fake.observations
    view = hint_view(point, in_big_blinds=False)
    assert view.sentence == (
        f"{begins}your first place is safe. Fold all hands to come, and you still have at least 13,150; "
        "all others together have at most 6,850."
    )
    assert "at least 131.5 bb" in hint_view(point, in_big_blinds=True).sentence
    panel = HintPanel(theme)
    qtbot.addWidget(panel)
    panel.show_hint(view, is_done=True)
    assert not panel.values.isVisible()
    assert not panel.model.isVisible()
