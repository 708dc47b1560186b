"""What is shown of an evolved policy's decision: bars and words that are those of its trace."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from engine.agents.agent import Trace
from engine.agents.evolved.agent import DECISIONS, DISTANCE, OUTPUT_NAMES, SAFE_RULE, SHARE, EvolvedAgent
from engine.agents.evolved.ensemble import MixingNumbers, MixingRule
from engine.agents.styles import make_agent
from engine.game.events import ActionKind
from tests.engine.agents.evolved.ensembles import STYLES, ensemble_by_lot
from tests.engine.agents.evolved.test_agent import agent_by_lot, session
from tests.engine.agents.hands import deal, turn_of
from tests.trainer.gestures import PATIENCE, press, strike, wait_for_stage
from tests.trainer.session_driver import table
from trainer.app import App
from trainer.reasoning.policy_model import PolicyTrack, policy_view
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.reasoning.reasoning_model import DecisionView
from trainer.session.types import Stage
from trainer.theme import ThemeSource


@pytest.fixture(scope="module")
def traces() -> list[Trace]:
    numbers = MixingNumbers(least_decisions=25.0, remembered=200.0)
    agent = EvolvedAgent("by lot", ensemble_by_lot(MixingRule.SAFE, numbers))
    return session(agent, 60)


def test_bars_are_the_numbers_of_the_trace(traces: list[Trace]) -> None:
    for trace in traces:
        view = policy_view(trace)
        assert view is not None
        values = {figure.name: figure.value for figure in trace.figures}
        assert [bar.share for bar in view.outputs] == [values[name] for name in OUTPUT_NAMES]
        (drawn,) = [bar for bar in view.outputs if bar.is_drawn]
        kinds = {"fold": ActionKind.FOLD, "check": ActionKind.CHECK, "call": ActionKind.CALL}
        assert kinds.get(drawn.label, ActionKind.RAISE) is trace.action.kind
        assert [bar.label for bar in view.styles] == ["O1", "O2", "O6", "all styles"]
        assert sum(bar.share for bar in view.styles) == pytest.approx(1)
        for bar in (*view.outputs, *(view.styles if values[DECISIONS] else ())):
            at = int(bar.path.removeprefix("figures[").removesuffix("]"))
            assert trace.figures[at].value in (bar.share, getattr(bar, "distance", None))
        if not values[DECISIONS]:
            assert view.words == "Nothing of this player has been compared with the styles yet."
        elif trace.rule == SAFE_RULE:
            assert view.words.endswith("The policy against all styles decides: that is trusted from 25 on.")
        else:
            nearest = min(view.styles[:-1], key=lambda bar: bar.distance or 9.0)
            assert view.words.startswith(f"Nearest is {nearest.label}, {nearest.distance:.2f} away, by ")
            assert max(view.styles, key=lambda bar: bar.share) == nearest


def test_what_is_written_at_bars_adds_up(traces: list[Trace]) -> None:
    views = [view for trace in traces if (view := policy_view(trace)) is not None]
    written = [[bar.text for bar in bars] for view in views for bars in (view.outputs, view.styles)]
    plain = [texts for texts in written if all(text[0].isdigit() for text in texts)]
    assert len(plain) > 20
    assert all(sum(int(text.removesuffix("%")) for text in texts) == 100 for texts in plain)


def test_features_are_named_for_players_with_what_they_rest_on(traces: list[Trace]) -> None:
    first, last = (DecisionView(trace, {}).numbers().rows for trace in (traces[0], traces[-1]))
    assert first[1] == ("how often they fold, from here on", "30.0%", "usual, none seen")
    assert ("street (0 preflop, 1 river)", "0", "of the rule that chose") in first
    distances = {name: (value, how) for name, value, how in last if name.startswith(DISTANCE)}
    bars = policy_view(traces[-1])
    assert bars is not None
    for bar in bars.styles[:-1]:
        value, how = distances[f"{DISTANCE}{bar.label.lower()}"]
        assert bar.distance == pytest.approx(float(value), abs=0.005)
        assert re.fullmatch(r"\d+ seen", how)
    for name, value, how in last:
        assert "'" not in name
        assert "%" not in value or "how often" in name or name.startswith(("strength of", "odds of", SHARE)), how


def test_one_policy_alone_has_outputs_and_no_styles() -> None:
    decision = agent_by_lot().decide(turn_of(deal([10_000] * 2)), 1)
    view = policy_view(decision.trace)
    assert view is not None
    assert (len(view.outputs), view.styles, view.words) == (10, (), "")


def test_a_solved_strategy_has_its_four_steps() -> None:
    for seed in range(20):
        trace = make_agent("near-equilibrium").decide(turn_of(deal([10_000] * 2)), seed).trace
        view = policy_view(trace)
        assert view is not None
        assert [bar.label for bar in view.outputs] == ["fold", "call", "raise 1 pot", "all-in"]
        assert sum(bar.share for bar in view.outputs) == pytest.approx(1)
        (drawn,) = [bar for bar in view.outputs if bar.is_drawn]
        assert (drawn.label == "call") == (trace.action.kind is ActionKind.CALL)
        assert view.styles == ()


def test_other_styles_have_no_such_view() -> None:
    assert policy_view(make_agent("tight-passive").decide(turn_of(deal([10_000] * 2)), 1).trace) is None


def test_the_track_goes_hand_by_hand_up_to_the_decision(traces: list[Trace]) -> None:
    track = PolicyTrack()
    for trace in traces:
        track.add([trace])
    view = track.view(traces[-1])
    assert view is not None
    assert list(view.hands) == sorted(set(view.hands))
    assert view.hands[-1] == traces[-1].observation.hand_number
    assert [len(line) for line in view.distances] == [len(view.hands)] * len(STYLES)
    middle = next(trace for trace in traces if trace.observation.hand_number == view.hands[len(view.hands) // 2])
    earlier = track.view(middle)
    assert earlier is not None
    assert earlier.hands == view.hands[: len(earlier.hands)]
    assert track.view(traces[0]) is None
    track.add(traces[:1])  # nothing is known yet, so there is no point
    track.add([middle])  # looked at again
    assert track.view(traces[-1]) == view


def test_sessions_have_tracks_of_their_own(traces: list[Trace]) -> None:
    track = PolicyTrack()
    track.add(traces)
    whole = track.view(traces[-1])
    track.add(traces[-40:-20], "earlier")
    part = track.view(traces[-1], "earlier")
    assert whole is not None
    assert part is not None
    assert set(part.hands) < set(whole.hands)
    assert track.view(traces[-1]) == whole
    track.add(traces[-40:-20], "another")
    assert track.view(traces[-1], "earlier") is None
    track.begin()
    assert track.view(traces[-1]) is None
    assert track.view(traces[-1], "another") == part


def test_the_panel_shows_a_decision_and_marks_what_a_sentence_rests_on(qtbot: QtBot, traces: list[Trace]) -> None:
    panel = ReasoningPanel(ThemeSource())
    qtbot.addWidget(panel)
    panel.resize(520, 900)
    panel.show()
    qtbot.waitExposed(panel)
    for trace in traces:
        panel.show_traces((trace,), {})
    view = policy_view(traces[-1])
    assert view is not None
    chart = panel.policy
    assert chart.isVisible()
    assert view.words in chart.accessibleDescription()
    assert not panel.values.isVisible()
    qtbot.waitUntil(lambda: chart.height() > 0, timeout=PATIENCE)
    tips = {chart.tip_at(QPoint(chart.width() - 20, y)).partition(":")[0] for y in range(chart.height())}
    assert tips == {
        "",
        "O1 loose-passive, 70%",
        "O2 loose-aggressive, 70%",
        "O6 loose-aggressive, 50%",
        "all styles",
    }
    before = chart.grab().toImage()
    chart.mark(view.outputs[1].path)
    assert chart.grab().toImage() != before
    panel.show_traces((make_agent("tight-passive").decide(turn_of(deal([10_000] * 2)), 1).trace,), {})
    assert not chart.isVisible()


@pytest.mark.slow
def test_the_graph_has_hands_that_were_played_while_it_was_hidden_and_stays_when_one_looks_back(
    qtbot: QtBot, app: App
) -> None:
    app.begin(table("a*", seed=3))
    panel, control = app.window.panels.reasoning, Qt.KeyboardModifier.ControlModifier
    app.window.docks.by_name["reasoning"].close()
    assert not panel.isVisible()
    while app.session is None or app.session.progress[0] < 50 or app.session.stage is not Stage.HAND_OVER:
        wait_for_stage(qtbot, app, Stage.YOUR_TURN, Stage.HAND_OVER)
        assert app.session is not None
        press(qtbot, app, Qt.Key.Key_F if app.session.stage is Stage.YOUR_TURN else Qt.Key.Key_Return)
    strike(app, Qt.Key.Key_2, control)

    def hands() -> tuple[int, ...]:
        return panel.policy._track.hands if panel.policy._track is not None else ()

    qtbot.waitUntil(lambda: len(hands()) > 5, timeout=PATIENCE)
    whole = hands()
    assert whole[-1] >= 49
    for _ in range(4):
        strike(app, Qt.Key.Key_PageUp, control)
    qtbot.waitUntil(lambda: 0 < len(hands()) < len(whole), timeout=PATIENCE)
    assert hands() == whole[: len(hands())]
    for _ in range(4):
        strike(app, Qt.Key.Key_PageDown, control)
    qtbot.waitUntil(lambda: hands() == whole, timeout=PATIENCE)
