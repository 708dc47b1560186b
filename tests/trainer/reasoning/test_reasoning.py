import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from engine.agents.agent import Thresholds
from engine.cards import class_of
from tests.trainer import samples
from tests.trainer.gestures import active, shown_labels
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.reasoning.reasoning_model import DecisionView, ThresholdStep, ThresholdView
from trainer.reasoning.threshold_chart import ThresholdChart
from trainer.theme import ThemeSource


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeSource) -> ReasoningPanel:
    return active(qtbot, ReasoningPanel(theme), 500, 650)


def names() -> dict[int, str]:
    return dict(enumerate(samples.NAMES))


def choose_claim(qtbot: QtBot, panel: ReasoningPanel, stage: int, row: int) -> str:
    """Click a sentence; gives the path of its evidence."""
    panel.stages.setCurrentIndex(stage - 1)
    sentences = panel.pages[stage - 1].sentences
    item = sentences.item(row)
    sentences.scrollToItem(item)
    place = sentences.visualItemRect(item).center()
    qtbot.mouseClick(sentences.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel._view is not None
    return panel._view.claims_of(stage)[row].evidence


def test_sealed_until_the_hand_is_over(panel: ReasoningPanel) -> None:
    assert "sealed" in shown_labels(panel)
    assert not panel.decisions.isVisible()
    panel.show_traces((), {})
    assert not panel.decisions.isVisible()


def test_opens_the_last_decision_and_lists_all(panel: ReasoningPanel) -> None:
    hand = samples.played(3)
    panel.show_traces(hand.traces, names())
    assert panel.decisions.count() == len(hand.traces)
    assert panel.decisions.currentRow() == len(hand.traces) - 1
    last = hand.traces[-1]
    assert f"{last.observation.me.name} (FOLD), " in shown_labels(panel)
    assert panel.cards.accessibleName().startswith(last.observation.me.name)
    assert panel.actions_table.model().rowCount() == sum(
        len(prediction.updates) for prediction in (last.reading.predictions if last.reading else ())
    )


def test_the_open_decision_is_in_sight(qtbot: QtBot, theme: ThemeSource) -> None:
    """Its list gets its height after the decision is chosen, where the tab comes to the front with a hand in it."""
    hand = samples.played(3)
    panel = ReasoningPanel(theme)
    qtbot.addWidget(panel)
    panel.resize(500, 330)
    panel.show_traces((hand.traces * 12)[:12], names())
    with qtbot.waitExposed(panel):
        panel.show()
    opened = panel.decisions.visualItemRect(panel.decisions.currentItem())
    assert panel.decisions.currentRow() == 11
    assert panel.decisions.viewport().rect().contains(opened.center())


def test_opens_at_what_decided(panel: ReasoningPanel) -> None:
    panel.show_traces(samples.played(3).traces, names())
    assert panel.stages.tabText(panel.stages.currentIndex()) == "4 Decision"
    assert panel.pages[3].isVisibleTo(panel)


def test_choosing_another_decision_by_key(qtbot: QtBot, panel: ReasoningPanel) -> None:
    hand = samples.played(3)
    panel.show_traces(hand.traces, names())
    qtbot.keyClick(panel.decisions, Qt.Key.Key_Home)
    assert f"{hand.traces[0].observation.me.name} (FOLD), preflop" in shown_labels(panel)


def test_the_same_traces_again_change_nothing(qtbot: QtBot, panel: ReasoningPanel) -> None:
    hand = samples.played(3)
    panel.show_traces(hand.traces, names())
    panel.decisions.setCurrentRow(0)
    panel.stages.setCurrentIndex(1)
    panel.show_traces(tuple(hand.traces), names())
    assert panel.decisions.currentRow() == 0
    assert panel.stages.currentIndex() == 1


def test_a_running_hand_keeps_what_is_open_or_follows(panel: ReasoningPanel) -> None:
    traces = samples.played(3).traces
    panel.show_traces(traces[:2], names())
    assert panel.decisions.currentRow() == 1
    panel.show_traces(traces[:3], names())
    assert panel.decisions.currentRow() == 2
    panel.decisions.setCurrentRow(0)
    panel.show_traces(traces[:4], names())
    assert panel.decisions.currentRow() == 0


def test_a_sentence_opens_its_action(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(3),), names())
    evidence = choose_claim(qtbot, panel, 1, 2)
    assert panel._view is not None
    rows = panel._view.actions()
    chosen = panel.actions_table.currentIndex().row()
    assert evidence.startswith(rows.paths[chosen] + ".")


def test_a_sentence_opens_its_model_number(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.show_traces(samples.played(3).traces, names())
    evidence = choose_claim(qtbot, panel, 2, 1)
    assert panel._view is not None
    chosen = panel.figures_table.currentIndex().row()
    assert evidence == panel._view.figures().paths[chosen] + ".value"


def test_a_sentence_opens_the_step_and_the_cell(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(2),), names())
    assert panel._view is not None
    claims = panel._view.claims_of(3)
    likelihood = next(row for row, claim in enumerate(claims) if claim.evidence.endswith("mean_likelihood"))
    evidence = choose_claim(qtbot, panel, 3, likelihood)
    opponent, update, _ = panel._view.place_of(evidence)
    assert update is not None
    detail = panel.prediction.detail
    assert detail.isVisible()
    assert detail.seat == opponent + 1
    assert detail.chain_table.currentIndex().row() == update + 1
    best = next(row for row, claim in enumerate(claims) if ".posterior[" in claim.evidence)
    evidence = choose_claim(qtbot, panel, 3, best)
    combo = int(evidence.split("[")[-1].rstrip("]"))
    assert detail.grid.focused_cell == class_of(combo)
    qtbot.mouseClick(panel.prediction.back_button, Qt.MouseButton.LeftButton)
    assert not detail.isVisible()
    assert panel.prediction.area.isVisible()


def test_a_sentence_opens_its_number_and_its_threshold(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(2),), names())
    assert panel._view is not None
    claims = panel._view.claims_of(4)
    random = next(row for row, claim in enumerate(claims) if "random" in claim.evidence)
    choose_claim(qtbot, panel, 4, random)
    assert panel.numbers_table.currentIndex().row() == 1
    plain = panel.chart.grab().toImage()
    adjusted = next(row for row, claim in enumerate(claims) if claim.evidence.startswith("adjustments[0]"))
    choose_claim(qtbot, panel, 4, adjusted)
    assert panel.chart.grab().toImage() != plain


def test_styles_without_readings_open_at_the_decision(panel: ReasoningPanel) -> None:
    panel.show_traces((samples.plain_trace(),), names())
    assert panel.stages.currentIndex() == 3
    assert [panel.stages.isTabEnabled(index) for index in range(4)] == [False, False, False, True]
    assert not panel.chart.isVisible()
    assert panel.numbers_table.model().rowCount() == 2
    panel.show_traces((samples.plain_trace(), samples.trace(2)), names())
    assert panel.stages.isTabEnabled(0)
    assert panel.chart.isVisible()


def test_in_a_small_window_lists_scroll_and_not_the_stage_around_them(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.resize(420, 460)
    for trace in (samples.plain_trace(), samples.trace(2)):
        panel.show_traces((trace,), names())
        for stage in filter(panel.stages.isTabEnabled, range(panel.stages.count())):
            panel.stages.setCurrentIndex(stage)
            QApplication.processEvents()
            sentences = panel.pages[stage].sentences
            around = [area for area in panel.findChildren(QScrollArea) if area.isAncestorOf(sentences)]
            assert [area.verticalScrollBar().isVisible() for area in around] == [False]
    panel.show_traces((samples.plain_trace(),), names())
    qtbot.waitUntil(lambda: panel.numbers_table.height() > 2 * panel.pages[3].sentences.height())


def test_sentences_take_as_much_room_as_they_are_long(qtbot: QtBot, panel: ReasoningPanel) -> None:
    panel.resize(600, 800)
    panel.show_traces((samples.trace(2),), names())
    sentences = panel.pages[3].sentences
    assert sentences.count() > 4

    def ends() -> int:
        return sentences.visualItemRect(sentences.item(sentences.count() - 1)).bottom()

    qtbot.waitUntil(lambda: 0 <= sentences.viewport().height() - 1 - ends() <= 1)
    assert not sentences.verticalScrollBar().isVisible()
    assert panel.numbers_table.height() > sentences.height()


def test_study_mode_is_off_and_warns(qtbot: QtBot, panel: ReasoningPanel) -> None:
    assert not panel.study_button.isChecked()
    assert "shows cards" in panel.study_button.text()
    with qtbot.waitSignal(panel.study_requested) as asked:
        qtbot.mouseClick(panel.study_button, Qt.MouseButton.LeftButton)
    assert asked.args == [True]
    panel.set_study(False)
    assert not panel.study_button.isChecked()


def test_clear_seals_again(panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(2),), names())
    panel.clear()
    assert "sealed" in shown_labels(panel)
    assert panel.decisions.count() == 0


def test_the_win_rate_stands_among_the_thresholds(qtbot: QtBot, theme: ThemeSource) -> None:
    view = DecisionView(samples.trace(1), {}).thresholds()
    assert view is not None
    chart = ThresholdChart(theme)
    qtbot.addWidget(chart)
    chart.resize(700, 200)
    chart.show_view(view)
    chart.show()
    image = chart.grab().toImage()
    row = int(chart._line() * (len(view.steps) + 0.5))
    accent, raises = QColor(theme.theme.accent).name(), QColor(theme.theme.raise_).name()
    colours = [image.pixelColor(QPoint(x, row)).name() for x in range(image.width())]
    track = chart._track()
    win = [x for x, colour in enumerate(colours) if colour == accent]
    assert sum(win) / len(win) == pytest.approx(track.x() + view.win * track.width(), abs=2)
    pot = [x for x, colour in enumerate(colours) if colour == raises]
    start = track.x() + view.steps[-1].thresholds.raise_pot * track.width()
    assert min(pot) == pytest.approx(start, abs=2)
    assert "pot odds: 33 / 55 / 72%" in chart.accessibleDescription()
    tip = chart.tip_at(QPoint(40, row))
    assert tip.startswith("pot odds: call, half pot and pot from 33 / 55 / 72%")
    assert chart.tip_at(QPoint(40, 0)) == chart.tip_at(QPoint(40, 5000)) == ""


def test_a_call_threshold_above_the_raise_leaves_no_room_for_calls(qtbot: QtBot, theme: ThemeSource) -> None:
    step = ThresholdStep("base", Thresholds(0.6, 0.4, 0.8), True, "base", "")
    chart = ThresholdChart(theme)
    qtbot.addWidget(chart)
    chart.resize(700, 100)
    chart.show_view(ThresholdView((step,), 0.1, 0.0))
    chart.show()
    image = chart.grab().toImage()
    row, track = int(chart._line() * 1.5), chart._track()

    def colour_at(share: float) -> str:
        return image.pixelColor(QPoint(round(track.x() + share * track.width()), row)).name()

    # Below 60% he checks or folds, though a raise alone would be enough at 40%.
    assert colour_at(0.5) == colour_at(0.3)
    assert colour_at(0.7) not in (colour_at(0.3), colour_at(0.9))
    assert colour_at(0.9) == QColor(theme.theme.raise_).name()
    assert QColor(theme.theme.call).name() not in {colour_at(x / 100) for x in range(100)}


@pytest.mark.every(3)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 420), (500, 650), (1200, 800)])
def test_it_paints_at_any_size(panel: ReasoningPanel, scheme: str, size: tuple[int, int]) -> None:
    panel._theme.choose(scheme)
    panel.resize(*size)
    panel.show_traces((samples.trace(9), samples.trace(1)), names())
    for index in range(4):
        panel.stages.setCurrentIndex(index)
        assert not panel.grab().isNull()
    panel._theme.choose("light")


def test_every_control_has_a_name(panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(2),), names())
    for kind in (QAbstractItemView, QAbstractButton):
        for control in panel.findChildren(kind):
            if control.isVisible():
                assert control.accessibleName() or control.toolTip() or control.objectName(), control
