"""A finished hand played again in the window, by real clicks and keys, while the running one waits."""

from pathlib import Path
from random import Random

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QListView, QToolButton
from pytestqt.qtbot import QtBot

from engine.agents.agent import Trace
from engine.agents.played_hand import PlayedHand
from engine.agents.styles import make_agent
from engine.cards import format_cards, parse_cards
from engine.codec import encode
from engine.game.events import Posted
from engine.game.phh import PublicRecord
from engine.game.rules import TableRules
from engine.hand_histories.imported import ImportedHand
from engine.join.record import Recorder
from tests.engine.game.hands import act, deal
from tests.engine.game.test_history import moments, new_table
from tests.trainer.gestures import (
    PATIENCE,
    click,
    play_out,
    press,
    shown_button,
    shown_text,
    strike,
    texts,
    type_into,
    wait_for_message,
    wait_for_stage,
)
from tests.trainer.session_driver import table
from trainer.__main__ import main
from trainer.app import App
from trainer.play.meters_model import NO_READING
from trainer.play.results import ResultsDialog
from trainer.replay.view import ReplayView
from trainer.review.review_model import review_view
from trainer.review.session_reviewer import SessionReviewer
from trainer.session.past_hands import PastHand
from trainer.session.types import Stage
from trainer.storage.browse import HandFilter
from trainer.storage.notes import RECORDED_NOTES, HandNote
from trainer.window.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, app: App) -> MainWindow:
    """Two hands are played and the third waits to be dealt."""
    app.settings.change(automatic_deal=False)
    app.begin(table("calling station", "tight-passive", "fold", seed=3))
    for number in (1, 2):
        assert app.session is not None
        play_out(qtbot, app, Qt.Key.Key_C)
        if number == 1:
            press(qtbot, app, Qt.Key.Key_Space)
    return app.window


@pytest.fixture
def view(app: App, window: MainWindow) -> ReplayView:
    """The first of them is replayed."""
    strike(app, Qt.Key.Key_PageUp, CTRL)
    strike(app, "P", CTRL)
    view = window.replaying.view
    assert view.isVisible()
    assert not window.table.isVisible()
    return view


def test_keys_go_through_the_hand_and_the_panels_follow(
    qtbot: QtBot, app: App, window: MainWindow, view: ReplayView
) -> None:
    model, panel = view.model, window.panels.read_panel
    assert model.final is not None
    assert model.final.hand_number == 1
    assert model.position == 0
    assert window.panels.log.text.count("\n") < 12, "no more than has happened"
    strike(app, Qt.Key.Key_Right)
    strike(app, Qt.Key.Key_Right)
    assert model.position == 2
    strike(app, Qt.Key.Key_Left)
    assert model.position == 1
    strike(app, Qt.Key.Key_End)
    assert model.is_at_end
    assert "Hand 1" in window.panels.log.text
    strike(app, Qt.Key.Key_Home)
    assert model.position == 0
    strike(app, "2")
    assert model.step.label.startswith("Flop: ")
    assert view.bar.label.text() == model.step.label
    qtbot.waitUntil(lambda: panel.model.label == model.step.label, timeout=PATIENCE)
    panel.back_button.click()
    assert model.step.label == panel.model.label, "and the replay follows the ranges"
    assert model.step.label.startswith("Preflop: ")
    assert view.table._model.seats[0].cards == model.final.hole_cards


def test_until_a_hand_is_read_the_meters_tell_no_more_than_the_step_does(qtbot: QtBot, app: App) -> None:
    app.settings.change(automatic_deal=False)
    app.begin(table("calling station", "tight-passive", "fold", seed=3))
    play_out(qtbot, app, Qt.Key.Key_F)
    app.begin(table("calling station", "tight-passive", "fold", seed=4))
    told: list[tuple[int, list[str]]] = []
    panels, replaying = app.window.panels, app.window.replaying
    replaying.switched.connect(lambda _: told.append((len(panels.read_panel.model.points), texts(panels.meters))))
    replaying.open_hand(1, 1)
    qtbot.waitUntil(lambda: bool(told), timeout=PATIENCE)
    points, words = told[0]
    assert points == 0
    assert NO_READING in words
    strike(app, Qt.Key.Key_End)
    assert "The hand is over." in texts(panels.meters)


def test_clicks_go_through_the_hand(app: App, view: ReplayView) -> None:
    bar, model = view.bar, view.model
    click(bar.after)
    click(bar.after)
    click(bar.before)
    assert model.position == 1
    click(bar.last)
    assert model.is_at_end
    assert not bar.after.isEnabled()
    click(bar.first)
    assert model.position == 0
    click(bar.streets["Flop"])
    assert model.step.label.startswith("Flop: ")
    bar.slider.setFocus()
    strike(app, Qt.Key.Key_Right)
    assert bar.slider.value() == model.position
    assert model.step.label.startswith("Flop: ")
    assert all(isinstance(button, QToolButton) and button.toolTip() for button in bar.streets.values())


def test_it_plays_by_itself_to_the_end(qtbot: QtBot, app: App, view: ReplayView) -> None:
    view.bar._timer.setInterval(1)
    strike(app, "P")
    assert view.bar.play.isChecked()
    qtbot.waitUntil(lambda: view.model.is_at_end)
    qtbot.waitUntil(lambda: not view.bar.play.isChecked())
    view.bar._timer.setInterval(PATIENCE)
    strike(app, "P")
    assert view.model.position == 0, "from the beginning again"
    strike(app, "P")
    assert not view.bar.play.isChecked()


def test_hole_cards_are_shown_or_hidden(qtbot: QtBot, app: App, window: MainWindow, view: ReplayView) -> None:
    window.docks.by_name["reasoning"].raise_()
    reasoning = window.panels.reasoning
    qtbot.waitUntil(lambda: reasoning.decisions.count() > 0, timeout=PATIENCE)
    assert all(seat.cards for seat in view.table._model.seats)
    click(view.bar.cards)
    assert [bool(seat.cards) for seat in view.table._model.seats].count(True) == 1, "only your own"
    qtbot.waitUntil(lambda: reasoning.decisions.count() == 0)
    assert window.panels.read_panel.model._truth == {}
    hands = window.panels.log.findChild(QListView).model()
    line = hands.index(0, 0).data()
    assert "Hand 1 " in line
    assert not set("+−") & set(line), "nor what was won"
    strike(app, "C")
    assert view.bar.cards.isChecked()
    assert set("+−") & set(hands.index(0, 0).data())
    assert all(seat.cards for seat in view.table._model.seats)
    qtbot.waitUntil(lambda: reasoning.decisions.count() > 0)


def test_the_decision_of_the_step_is_opened(qtbot: QtBot, app: App, window: MainWindow, view: ReplayView) -> None:
    window.docks.by_name["reasoning"].raise_()
    reasoning = window.panels.reasoning
    qtbot.waitUntil(lambda: reasoning.decisions.count() > 1, timeout=PATIENCE)
    traces = window.looked_at.open_traces()
    for row, trace in enumerate(traces):
        view.model.go_to_event(len(trace.observation.events) + 1)
        qtbot.waitUntil(lambda row=row: reasoning.decisions.currentRow() == row)


def test_back_to_the_game_by_button_and_key(app: App, window: MainWindow, view: ReplayView) -> None:
    click(view.bar.back)
    assert window.table.isVisible()
    assert window.looked_at.is_following
    strike(app, "P", CTRL)
    assert view.isVisible()
    strike(app, Qt.Key.Key_Escape)
    assert window.table.isVisible()
    strike(app, "P", CTRL)
    strike(app, "B", CTRL)
    assert window.table.isVisible(), "the way back of the panels is the same"
    assert "Hand 2" in window.panels.log.text


def test_the_game_goes_on_where_it_was(qtbot: QtBot, app: App, window: MainWindow, view: ReplayView) -> None:
    strike(app, "F")
    strike(app, Qt.Key.Key_Space)
    assert window.model.view is not None
    assert window.model.view.observation.hand_number == 2, "the keys of the table do nothing in a replay"
    strike(app, Qt.Key.Key_Escape)
    press(qtbot, app, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.model.view is not None and window.model.view.observation.hand_number == 3)


def test_notes_and_tags_are_kept(app: App, window: MainWindow, view: ReplayView) -> None:
    hand_id = window.looked_at.note_key
    assert hand_id is not None
    type_into(view.bar.note, "Too 1 thin")
    type_into(view.bar.tags, "river,  value, river")
    assert view.model.position == 0, "what is typed goes through no hand"
    strike(app, Qt.Key.Key_Return)
    assert app.store.notes.note(hand_id) == HandNote("Too 1 thin", ("river", "value"))
    type_into(view.bar.note, "better")
    strike(app, Qt.Key.Key_PageDown, CTRL)  # to the game: what is written is kept
    assert app.store.notes.note(hand_id).note == "better"
    assert window.looked_at.is_following
    strike(app, Qt.Key.Key_PageUp, CTRL)
    strike(app, "P", CTRL)
    assert window.looked_at.note_key == hand_id
    assert view.bar.note.text() == "better"
    assert view.bar.tags.text() == "river, value"


def test_a_note_tells_nothing_before_the_end_of_a_hand_that_is_played_blind(app: App, view: ReplayView) -> None:
    click(view.bar.cards)
    assert view.bar.note.isVisible(), "there is nothing that it could tell"
    type_into(view.bar.note, "He had aces")
    strike(app, Qt.Key.Key_Return)
    assert view.bar.note.isVisible()
    strike(app, Qt.Key.Key_Escape)
    strike(app, Qt.Key.Key_PageUp, CTRL)
    strike(app, "P", CTRL)
    assert not view.bar.note.isVisible()
    strike(app, Qt.Key.Key_End)
    assert view.bar.note.text() == "He had aces"
    assert view.bar.note.isVisible()
    strike(app, Qt.Key.Key_Home)
    assert not view.bar.note.isVisible()
    click(view.bar.cards)
    assert view.bar.note.isVisible()


def test_the_hand_that_has_just_ended_is_replayed(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """By its key, from the list, and after the session."""
    strike(app, "P", CTRL)
    view, looked_at = window.replaying.view, window.looked_at
    assert view.isVisible()
    assert looked_at.observation is not None
    assert looked_at.observation.hand_number == 2
    (title, *_) = window._titles
    assert (title.earlier.isVisible(), title.later.isVisible()) == (True, False)
    assert title.back.text() == "Back to the table"
    strike(app, Qt.Key.Key_PageUp, CTRL)
    assert looked_at.observation.hand_number == 1
    strike(app, Qt.Key.Key_PageDown, CTRL)
    assert looked_at.is_following
    strike(app, "H", CTRL)
    played = window.played_hands
    assert played is not None
    qtbot.waitUntil(lambda: played.model.rowCount() == 2, timeout=PATIENCE)
    qtbot.keyClick(played.view, Qt.Key.Key_Return)
    assert view.isVisible()
    assert looked_at.observation.hand_number == 2
    played.close()
    strike(app, Qt.Key.Key_Escape)
    window.menus.finish.trigger()
    for dialog in window.findChildren(ResultsDialog):
        dialog.close()
    strike(app, "P", CTRL)
    assert looked_at.observation.hand_number == 2


def test_the_first_hand_is_replayed_as_soon_as_it_has_ended(qtbot: QtBot, app: App) -> None:
    app.settings.change(automatic_deal=False)
    app.begin(table("calling station", "random", seed=3))
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    menus = app.window.menus
    assert app.session is not None
    while app.session.stage != Stage.HAND_OVER:
        assert not menus.replay.isEnabled(), "nothing of a hand is replayed before its end"
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    qtbot.waitUntil(menus.replay.isEnabled)
    strike(app, "P", CTRL)
    assert app.window.replaying.is_on


def test_a_new_game_ends_the_replay(qtbot: QtBot, app: App, window: MainWindow, view: ReplayView) -> None:
    app.begin(table("random", seed=4))
    qtbot.waitUntil(window.table.isVisible)
    assert not window.replaying.is_on


def test_a_hand_of_the_list_is_replayed(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """One of the session on the table, and one of an earlier session."""
    strike(app, "H", CTRL)
    played = window.played_hands
    assert played is not None
    qtbot.waitUntil(lambda: played.model.rowCount() == 2, timeout=PATIENCE)
    played.view.setFocus()
    qtbot.keyClick(played.view, Qt.Key.Key_Down)
    qtbot.keyClick(played.view, Qt.Key.Key_Return)
    qtbot.waitUntil(window.replaying.view.isVisible)
    assert window.looked_at.note_key == 1
    app.begin(table("random", seed=4))
    qtbot.waitUntil(window.table.isVisible)
    qtbot.waitUntil(lambda: len(window.looked_at.past.sessions) > 1, timeout=PATIENCE)
    qtbot.mouseClick(played.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.replaying.view.isVisible, timeout=PATIENCE)
    assert window.looked_at.note_key == 1
    assert window.looked_at.styles[0] == "calling station"
    names = {0: "Bot 0", 1: "You", 2: "Bot 1", 3: "Bot 2"}  # also of seats that are not dealt in
    assert window.replaying.view.model.view.names == names
    assert window.replaying.view.model.opened.keys() == {0, 1, 2, 3}
    played.close()


HAND = """[{number}]
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
starting_stacks = [20000, 20000, 20000]
players = ['Ann', 'Bob', 'Cid']
actions = ['d dh p1 {first}', 'd dh p2 {second}', 'd dh p3 ????', 'p3 cbr 273', 'p1 cc', 'p2 f', 'd db 2c3d4h',
  'p1 cc', 'p3 cbr 400', 'p1 f']
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Bob's cards are known in two hands of three, Ann's in one, and a fourth cannot be read."""
    cards = (("????", "AcAd"), ("8h4c", "KcKd"), ("????", "????"))
    hands = [HAND.format(number=at, first=one, second=two) for at, (one, two) in enumerate(cards, 1)]
    path = tmp_path / "hands.phhs"
    path.write_text("".join((*hands, "[4]\nvariant = 'PO'\n")), encoding="utf-8")
    return path


def test_recorded_hands_are_replayed_as_who_saw_most_saw_them(qtbot: QtBot, app: App, file: Path) -> None:
    """Without a game, which is no obstacle; back leads to where one begins."""
    window = app.window
    window.files.read(file)
    assert shown_text(window.message).startswith("Reading hands.phhs")
    view = window.replaying.view
    qtbot.waitUntil(view.isVisible, timeout=PATIENCE)
    assert view.model.final is not None
    assert view.model.final.me.name == "Bob"
    assert shown_text(window.message).endswith(
        "Hands of hands.phhs that are left out: 1 without the hole cards of Bob, 1 that cannot be read."
    )
    assert len(window.looked_at.past.hands) == 2
    strike(app, Qt.Key.Key_PageDown, CTRL)
    assert view.model.final.hand_number == 2
    assert view.model.opened.keys() == {0, 1}
    strike(app, Qt.Key.Key_Escape)
    assert window.welcome.isVisible()


def test_a_player_of_recorded_hands_is_chosen(
    qtbot: QtBot, app: App, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[list[str]] = []

    def answer(_parent: object, _title: str, _label: str, names: list[str], **_: object) -> tuple[str, bool]:
        offered.append(names)
        return "Ann", True

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    monkeypatch.setattr(QInputDialog, "getItem", answer)
    app.window.menus.recorded_hands.trigger()
    qtbot.waitUntil(app.window.replaying.view.isVisible, timeout=PATIENCE)
    assert offered == [["Bob", "Ann"]]
    model = app.window.replaying.view.model
    assert model.final is not None
    assert (model.final.me.name, model.final.hand_number) == ("Ann", 1)
    assert "of a file, seen by Ann" in app.window._titles[0]._label.text()


def test_a_hand_and_a_player_are_asked_for(qtbot: QtBot, app: App, file: Path) -> None:
    app.window.files.read(file, "Bob", 2)
    qtbot.waitUntil(app.window.replaying.view.isVisible, timeout=PATIENCE)
    assert app.window.looked_at.observation is not None
    assert app.window.looked_at.observation.hole_cards == parse_cards("KdKc")


@pytest.mark.parametrize(("place", "count"), [(None, 1), (3, 3)])
def test_recorded_hands_that_nobody_saw_are_watched(
    qtbot: QtBot, app: App, file: Path, tmp_path: Path, place: int | None, count: int
) -> None:
    """All of a file without hole cards, and where a hand without any is asked for."""
    if place is None:
        file = tmp_path / "unseen.phhs"
        file.write_text(HAND.format(number=1, first="????", second="????"), encoding="utf-8")
    app.window.files.read(file, place=place)
    qtbot.waitUntil(app.window.replaying.view.isVisible, timeout=PATIENCE)
    model = app.window.replaying.view.model
    assert model.final is not None
    assert (model.final.viewer, model.final.hand_number) == (None, place or 1)
    assert len(app.window.looked_at.past.hands) == count
    strike(app, Qt.Key.Key_End)
    assert model.is_at_end
    assert not any("you" in step.label for step in model.steps)
    assert app.window._titles[0]._label.text().endswith("of a file, watched")


@pytest.mark.parametrize(
    ("content", "player", "sentence"),
    [
        (HAND.format(number=1, first="8h4c", second="????"), "Zoë", "has no hand with the hole cards of Zoë"),
        ("nothing", None, "There is no hand in"),
    ],
)
def test_a_file_without_hands_to_see_costs_a_sentence(
    qtbot: QtBot, app: App, tmp_path: Path, content: str, player: str | None, sentence: str
) -> None:
    path = tmp_path / "poor.phhs"
    path.write_text(content, encoding="utf-8")
    app.window.files.read(path, player)
    qtbot.waitUntil(lambda: sentence in shown_text(app.window.message), timeout=PATIENCE)
    app.window.files.read(tmp_path / "gone.phhs")
    qtbot.waitUntil(lambda: "cannot be read" in shown_text(app.window.message), timeout=PATIENCE)
    assert not app.window.replaying.view.isVisible()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["{}", "--player", "Zoë"], "There is no player 'Zoë'"),
        (["{}", "--hand", "9"], "ends with hand 4."),
        (["{}.gone"], "cannot be read"),
        ([], "arguments are required: FILE"),
    ],
)
def test_bad_arguments_are_refused_before_there_is_a_window(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["replay", *(part.format(file) for part in arguments)]) == 2
    found = capsys.readouterr()
    assert sentence in found.err
    assert found.err.count("\n") == 1


@pytest.mark.parametrize("is_fresh", [False, True])
def test_a_hand_is_played_on_and_counts_nowhere(
    qtbot: QtBot, app: App, window: MainWindow, view: ReplayView, is_fresh: bool
) -> None:
    model = view.model
    while model.decider is None or model.position < 2:
        strike(app, Qt.Key.Key_Right)
    step, final = model.observation, model.final
    assert final is not None
    if is_fresh:
        qtbot.waitUntil(
            lambda: any(point.event_count == model.step.event_count for point in window.looked_at.points),
            timeout=PATIENCE,
        )
    stored = len(app.store.browse.find(HandFilter()).hand_ids)
    (view.bar.fresh_cards if is_fresh else view.bar.same_cards).trigger()
    qtbot.waitUntil(window.table.isVisible, timeout=PATIENCE)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.SESSION_OVER)
    assert window.model.view is not None
    shown = window.model.view.observation
    assert shown.hole_cards == final.hole_cards
    assert shown.events[1 : len(step.events)] == step.events[1:]
    assert app.session is not None
    while app.session.stage != Stage.SESSION_OVER:
        press(qtbot, app, Qt.Key.Key_C)
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.SESSION_OVER)
    assert len(app.store.browse.find(HandFilter()).hand_ids) == stored
    assert len(app.store.sessions()) == 1
    assert window.model.resume_text, "the session before can go on"
    assert not window.findChildren(ResultsDialog), "they would hide how it ended"
    assert window.action_bar._prompt.text().startswith("Result: ")


def test_a_hand_that_is_played_on_is_read_as_it_was(qtbot: QtBot, app: App, window: MainWindow) -> None:
    """By a reader that knows the hands before it: what a player does often says less."""
    strike(app, Qt.Key.Key_Space)
    assert app.session is not None
    play_out(qtbot, app, Qt.Key.Key_C)
    strike(app, Qt.Key.Key_Space)
    wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
    strike(app, "P", CTRL)
    view = window.replaying.view
    assert view.model.final is not None
    assert view.model.final.hand_number == 3
    while view.model.decider != view.model.final.seat:
        strike(app, Qt.Key.Key_Right)
    count = view.model.step.event_count
    qtbot.waitUntil(lambda: window.looked_at.reading_at(count) is not None, timeout=PATIENCE)
    before = window.looked_at.reading_at(count)
    view.bar.same_cards.trigger()
    qtbot.waitUntil(window.table.isVisible, timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(window.looked_at.points), timeout=PATIENCE)
    now = window.looked_at.points[0]
    assert before is not None
    assert now.event_count == before.event_count
    assert [one.posterior.tolist() for one in now.predictions] == [
        one.posterior.tolist() for one in before.predictions
    ]


def test_a_hand_that_cannot_be_played_on_costs_a_sentence_and_no_session(
    qtbot: QtBot, app: App, window: MainWindow, view: ReplayView
) -> None:
    """As one begun by rules that are not ours."""
    model = view.model
    while model.decider is None or model.position < 2:
        strike(app, Qt.Key.Key_Right)
    assert model.final is not None
    posted = [at for at, event in enumerate(model.final.events) if isinstance(event, Posted)][-1]
    events = list(model.final.events)
    events[posted] = structs.replace(events[posted], amount=1)
    assert window.looked_at._earlier is not None
    window.looked_at._earlier.final = structs.replace(model.final, events=tuple(events))
    view.bar.same_cards.trigger()
    wait_for_message(qtbot, app, "cannot be played on")
    assert "is played on" not in shown_text(window.message)
    assert window.menus.resume.isEnabled()
    qtbot.mouseClick(shown_button(window.message), Qt.MouseButton.LeftButton)
    wait_for_stage(qtbot, app, Stage.HAND_OVER)
    assert window.model.view is not None
    assert window.model.view.observation.hand_number == 2


def test_fresh_cards_wait_until_the_very_step_is_read(
    qtbot: QtBot, app: App, window: MainWindow, view: ReplayView
) -> None:
    """What was read at the step before would leave the last action out."""
    strike(app, "2")
    while view.model.decider is None:
        strike(app, Qt.Key.Key_Right)
    count = view.model.step.event_count
    qtbot.waitUntil(lambda: window.looked_at.reading_at(count) is not None, timeout=PATIENCE)
    assert window.looked_at._earlier is not None
    qtbot.waitUntil(lambda: any(point.event_count < count for point in window.looked_at.points), timeout=PATIENCE)
    del window.looked_at._earlier.points[count]
    view.bar.fresh_cards.trigger()
    assert "still being read" in shown_text(window.message)
    assert view.isVisible()


def test_odds_of_the_step_are_asked_for(qtbot: QtBot, app: App, window: MainWindow, view: ReplayView) -> None:
    """And not of the hand that waits on the table."""
    strike(app, "2")
    flop = format_cards(view.model.observation.board)
    count = view.model.step.event_count
    qtbot.waitUntil(lambda: window.looked_at.reading_at(count) is not None, timeout=PATIENCE)
    strike(app, "O", CTRL | Qt.KeyboardModifier.ShiftModifier)
    odds = window.odds.window
    assert odds is not None
    assert flop in odds.model.entry.line().replace(" ", "")


def test_a_hand_that_is_gone_is_not_wanted_any_more(qtbot: QtBot, app: App, window: MainWindow) -> None:
    window.replaying.open_hand(99, 3)
    qtbot.waitUntil(lambda: "not stored any more" in shown_text(window.message), timeout=PATIENCE)
    strike(app, Qt.Key.Key_PageUp, CTRL)
    assert not window.looked_at.is_following
    assert not window.replaying.is_on, "another hand in the panels is no replay"


def test_a_hand_that_is_asked_for_is_seen_by_who_saw_it(qtbot: QtBot, app: App, tmp_path: Path) -> None:
    """Bob's cards are known most often, but not in the hand wanted."""
    cards = (("????", "AcAd"), ("8h4c", "????"), ("????", "KcKd"))
    path = tmp_path / "hands.phhs"
    hands = [HAND.format(number=at, first=one, second=two) for at, (one, two) in enumerate(cards, 1)]
    path.write_text("".join(hands), encoding="utf-8")
    app.window.files.read(path, None, 2)
    qtbot.waitUntil(app.window.replaying.view.isVisible, timeout=PATIENCE)
    assert app.window.looked_at.observation is not None
    assert app.window.looked_at.observation.hole_cards == parse_cards("8h4c")


def test_notes_to_recorded_hands_are_known_again_wherever_the_hand_is(
    qtbot: QtBot, app: App, file: Path, tmp_path: Path
) -> None:
    """By what happened in it: another file has the same hand in another place."""
    window, view = app.window, app.window.replaying.view
    window.files.read(file, "Bob", 2)
    qtbot.waitUntil(view.isVisible, timeout=PATIENCE)
    type_into(view.bar.note, "Kings, no less")
    type_into(view.bar.tags, "preflop")
    strike(app, Qt.Key.Key_Return)
    strike(app, Qt.Key.Key_PageUp, CTRL)
    assert view.bar.note.text() == view.bar.tags.text() == "", "the hand before has none"
    strike(app, Qt.Key.Key_Escape)
    other = tmp_path / "other.phhs"
    other.write_text(HAND.format(number=77, first="8h4c", second="KcKd"), encoding="utf-8")
    window.files.read(other, "Bob")
    qtbot.waitUntil(view.isVisible, timeout=PATIENCE)
    assert view.bar.note.text() == "Kings, no less"
    assert view.bar.tags.text() == "preflop"
    assert app.store.notes.tags() == (), "no stored hand has it"
    assert app.store.notes.tags(with_recorded=True) == ("preflop",)
    for field in (view.bar.note, view.bar.tags):
        type_into(field, "x")
        qtbot.keyClick(field, Qt.Key.Key_Backspace)
    strike(app, Qt.Key.Key_Return)
    assert app.store.records.all(RECORDED_NOTES) == {}


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Two hands that our player has recorded at a table of others; in PHH their seats have other numbers."""
    path = tmp_path / "match.phhs"
    recorder = Recorder(path)
    for seed in (7, 8):
        recorder.append(record_of(seed))
    recorder.close()
    return path


def record_of(seed: int) -> PlayedHand:
    game = new_table(seed, [200] * 4, TableRules(5, 10))
    agent, traces = make_agent("soulread"), list[Trace]()
    for moment in moments(game, Random(seed)):
        if moment.to_act == 2:
            traces.append(agent.decide(moment.observe(2), len(traces)).trace)
    return PlayedHand(game.observe(2), tuple(traces))


def test_a_recorded_match_is_replayed_with_the_reasons_of_its_player(qtbot: QtBot, app: App, record: Path) -> None:
    window, view = app.window, app.window.replaying.view
    window.files.read(record)
    qtbot.waitUntil(view.isVisible, timeout=PATIENCE)
    played = [record_of(seed) for seed in (7, 8)]
    for hand in played:
        final = view.model.final
        assert final is not None
        assert final.events[1:] == hand.observation.events[1:]
        assert final.hole_cards == hand.observation.hole_cards
        qtbot.waitUntil(lambda hand=hand: len(window.looked_at.open_traces()) == len(hand.traces), timeout=PATIENCE)
        assert encode(window.looked_at.open_traces()) == encode(hand.traces)
        strike(app, Qt.Key.Key_PageDown, CTRL)
    assert any(hand.traces for hand in played)
    window.docks.by_name["reasoning"].raise_()
    reasoning = window.panels.reasoning
    qtbot.waitUntil(lambda: reasoning.decisions.count() == len(played[1].traces))


def test_reasons_that_are_damaged_or_of_another_hand_are_left_out(qtbot: QtBot, app: App, record: Path) -> None:
    view = app.window.replaying.view
    first, second = record.read_text().split("\n\n")[:2]
    swapped = first[: first.index("_soulread")] + second[second.index("_soulread") :]
    at = second.index("_soulread") + 40
    record.write_text(f"{swapped}\n\n{second[:at]}{'A' if second[at] != 'A' else 'B'}{second[at + 1 :]}\n\n")
    app.window.files.read(record)
    qtbot.waitUntil(view.isVisible, timeout=PATIENCE)
    for seed in (7, 8):
        assert view.model.final is not None
        assert view.model.final.hole_cards == record_of(seed).observation.hole_cards
        qtbot.waitUntil(lambda: app.jobs.is_idle("looking back"), timeout=PATIENCE)
        assert app.window.looked_at.open_traces() == ()
        strike(app, Qt.Key.Key_PageDown, CTRL)


def test_a_long_file_tells_how_far_it_is_read_and_may_be_left_for_another(
    qtbot: QtBot, app: App, file: Path, tmp_path: Path
) -> None:
    """What is read of a file that nobody waits for any more holds the next one up for a moment only."""
    long = tmp_path / "long.phhs"
    one = HAND.format(number="{}", first="????", second="AcAd")
    long.write_text("".join(one.replace("{}", str(at)) for at in range(1, 3001)), encoding="utf-8")
    told: list[str] = []
    app.window.files.progressed.connect(told.append)
    app.window.files.read(long)
    qtbot.waitUntil(lambda: "Reading long.phhs: 500 hands" in told, timeout=PATIENCE)
    app.window.files.read(file)
    qtbot.waitUntil(app.window.replaying.view.isVisible, timeout=PATIENCE)
    assert "hands.phhs, seen by Bob" in app.window.looked_at.past.sessions[0].match
    assert "Reading long.phhs: 2,500 hands" not in told


def heads_up_all_in(number: int) -> ImportedHand:
    """A hand that somebody watched: all-in on the flop, both hands turned up."""
    dealt = deal((1000, 1000, 1000), hole_cards={0: "AhAc", 1: "KhKc"}, board="2s 5d 7c 9h Js")
    act(dealt, "r150 c f x r850 c")
    cards = {seat: dealt.observe(seat).hole_cards for seat in (0, 1)}
    record = PublicRecord("", ("p0", "p1", "p2"), cards, tuple(dealt.events), True)
    return ImportedHand("PokerStars", str(number), None, "Halley", "", "EUR", 100, record, None, 0)


def test_a_watched_hand_is_found_and_replayed_to_its_end(qtbot: QtBot, app: App) -> None:
    """Ranges of everybody in it, equities once the cards lie open, and sentences where there is nothing."""
    app.store.imports.add([heads_up_all_in(number) for number in range(2)])
    window = app.window
    window.menus.played_hands.trigger()
    listed = window.played_hands
    assert listed is not None
    qtbot.waitUntil(lambda: listed.model.rowCount() == 2, timeout=PATIENCE)
    assert listed.total.text() == "2 hands, watched."
    qtbot.waitUntil(lambda: listed.model.index(0, 0).data() is not None, timeout=PATIENCE)
    assert [listed.model.index(0, column).data() for column in (2, 3, 7, 9)] == ["–"] * 4
    for key, count in ((Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 2)):  # yours, watched
        qtbot.keyClick(listed.whose, key)
        qtbot.waitUntil(lambda: listed.model.rowCount() == count, timeout=PATIENCE)  # noqa: B023
    qtbot.keyClick(listed.view, Qt.Key.Key_Return)
    replaying, panels = window.replaying, window.panels
    qtbot.waitUntil(lambda: replaying.is_on, timeout=PATIENCE)
    bar, model, looked_at = replaying.view.bar, replaying.view.model, window.looked_at
    assert bar.about.text() == "PokerStars, Halley, watched   ·   hand 1"
    assert not bar.play_on.isEnabled()
    assert bar.play_on.toolTip() == "This hand was watched: none of its seats is yours to play on from"
    qtbot.waitUntil(lambda: len(looked_at.points) == 7 and len(looked_at.run_outs) == 3, timeout=PATIENCE)
    qtbot.waitUntil(lambda: set(panels.read_panel.model.ranges) == {0, 1, 2}, timeout=PATIENCE)
    assert "This hand was watched, so there are no hole cards of yours to win with." in texts(panels.meters)
    assert panels.read_panel.model.truth_of(0) == parse_cards("AhAc")
    strike(app, Qt.Key.Key_End)
    assert model.step.label == "End: p0 wins €20.20"
    assert "All-in, cards open: everybody's share of the pot." in texts(panels.meters)
    assert "p0" in panels.log.text
    assert "hold" not in panels.log.text, "nobody's cards before they are shown"
    assert "you" not in panels.log.text.lower()
    strike(app, Qt.Key.Key_Home)
    assert panels.read_panel.ask_odds()
    odds = window.odds.window
    assert odds is not None
    assert [row.name for row in odds.model.entered.rows] == ["p0", "p1", "p2"]
    strike(app, Qt.Key.Key_Escape)


def test_there_is_nothing_of_yours_to_review_in_watched_hands(qtbot: QtBot, app: App) -> None:
    app.store.imports.add([heads_up_all_in(number) for number in range(2)])
    (session,) = app.store.sessions()
    hands = tuple(PastHand(one.number, one.hand_id, one.final_view) for one in app.store.hands(session.session_id))
    *_, last = SessionReviewer(app.store, dict).review(hands)
    assert (last.is_done, last.reviews) == (True, {})
    assert dict(review_view(last).summary)["Not reviewed"] == "2 watched: none of their decisions are yours"
