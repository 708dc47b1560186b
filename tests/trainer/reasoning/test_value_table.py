"""The table of what actions are worth, in the reasoning panel."""

from itertools import pairwise

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont
from pytestqt.qtbot import QtBot

from engine.agents.agent import ActionValue, Answer, Answers, GoingOn, Responses, Trace, Values
from engine.agents.learned.reader import LearnedReader
from engine.agents.value_reasons import rounded
from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.soulread.spots import valued
from tests.trainer import samples
from tests.trainer.gestures import active, rows_of
from trainer.reasoning.reasoning import ReasoningPanel
from trainer.reasoning.values_model import HEADINGS, values_view
from trainer.session.amounts import Units
from trainer.theme import ThemeSource

BET = raise_to(367)


def value(action: Action, chips: float, behind: float, **numbers: float) -> ActionValue:
    given = {"all_fold": 0.48, "called_equity": 0.44, "later": 0.3, "usual": 0.4, "guard": 0.0} | numbers
    return ActionValue(
        action=action, value=chips, stderr=15.0, behind=behind, behind_stderr=12.0, samples=64, **given
    )


def trace() -> Trace:
    table = deal((10_000,) * 3, hole_cards={0: "QcJc"}, board="Ks7s2d4c9h", names=("Hero", "Ann", "Cid"))
    counted = Responses(
        seat=2,
        spot="facing a bet on the flop",
        chances=27,
        folds=16,
        raises=1,
        usual_folds=9.1,
        usual_raises=2.0,
        odds_of_folding=1.4,
        odds_of_raising=0.9,
    )
    actions = (
        value(CHECK, 110, 190),
        value(BET, 300, 0),
        value(raise_to(9_750), -950, 1_250, guard=200, usual=0.001),
    )
    return Trace(
        style="soulread",
        seed=1,
        observation=turn_of(play(table, "250 f c | x")),
        rule="value",
        action=BET,
        values=Values(actions, 512, (counted,)),
    )


@pytest.fixture
def panel(qtbot: QtBot, theme: ThemeSource) -> ReasoningPanel:
    made = active(qtbot, ReasoningPanel(theme), 590, 640)
    made.show_traces((trace(),), {})
    return made


def test_every_action_has_its_row_and_the_chosen_one_is_marked(panel: ReasoningPanel) -> None:
    assert panel.values.isVisible()
    assert not panel.chart.isVisible()
    assert rows_of(panel.values.table)[0] == ["check", "110 ± 20", "−190 ± 10", "", "44%", "30%", "", "40%"]
    assert rows_of(panel.values.table)[1] == ["▶ 2/3 pot, 367", "300 ± 20", "best", "48%", "44%", "30%", "", "40%"]
    assert rows_of(panel.values.table)[2][::2] == ["all-in, 9,750", "−1,250 ± 10", "44%", "200"]
    panel.set_units(True)
    assert rows_of(panel.values.table)[1][:2] == ["▶ 2/3 pot, 3.67", "3.0 ± 0.1"]
    assert panel.values.table.model().headerData(1, Qt.Orientation.Horizontal) == "Value, bb"


@pytest.mark.parametrize(("risk", "heading"), [(0.0, "Guard"), (40.0, "Guard, risk")])
def test_where_risk_has_a_price_the_heading_says_so(panel: ReasoningPanel, risk: float, heading: str) -> None:
    known = trace()
    assert known.values is not None
    actions = tuple(structs.replace(one, risk=risk) for one in known.values.actions)
    panel.show_traces((structs.replace(known, values=structs.replace(known.values, actions=actions)),), {})
    assert panel.values.table.model().headerData(6, Qt.Orientation.Horizontal) == heading


def test_rows_are_said_in_words_and_reached_by_keys(qtbot: QtBot, panel: ReasoningPanel) -> None:
    table = panel.values.table
    assert table.accessibleName() == "What every action is worth"
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert table.currentIndex().row() == 2
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert table.currentIndex().row() == 1
    assert table.currentIndex().data(Qt.ItemDataRole.AccessibleDescriptionRole) == (
        "2/3 pot, 367 (chosen): worth 300 ± 20, the most, all fold 48%, 44% of the pot at a showdown, "
        "betting on a later street 30%, players do it 40%; given up after 64 deals."
    )
    for column in range(len(HEADINGS)):
        assert table.model().headerData(
            column, Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleDescriptionRole
        )


def test_a_sentence_opens_its_action_or_count(qtbot: QtBot, panel: ReasoningPanel) -> None:
    sentences = panel.pages[3].sentences

    def click(beginning: str) -> None:
        item = next(
            sentences.item(row)
            for row in range(sentences.count())
            if sentences.item(row).text().startswith(beginning)
        )
        place = sentences.visualItemRect(item).center()
        qtbot.mouseClick(sentences.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click("Betting 2/3 pot (367) wins 190 more than checking")
    assert panel.values.table.currentIndex().row() == 0
    click("Cid folded to 16 of 27")
    counts = panel.counts_table
    assert [counts.model().index(counts.currentIndex().row(), column).data() for column in range(5)] == [
        *("Cid", "folded to flop bets", "16", "27", "9.1")
    ]
    assert not panel.values.table.selectionModel().hasSelection()


def test_the_line_below_says_what_calls_the_bet_selected(qtbot: QtBot, panel: ReasoningPanel) -> None:
    asked: list[Trace] = []
    panel.answers_requested.connect(asked.append)
    line, table, opened = panel.values.answers, panel.values.table, trace()
    assert not line.isVisible()
    panel.show_traces((opened,), {})
    assert asked == [opened], "worked out for the decision that is opened alone"

    def answered(folds: float) -> Answers:
        return (Answer(2, folds, GoingOn(1 - folds, 0.1, (("draws", 1.0),)), GoingOn(0.0, 0.0, ())),)

    panel.show_answers(trace(), ((), answered(0.1), answered(0.2)))
    assert not line.isVisible(), "those of a decision that is open no more"
    panel.show_answers(opened, ((), answered(0.5), answered(0.9)))
    assert line.isVisible()
    assert line.text() == ("2/3 pot, 367: Cid folds 50% and calls 50%. Calls with 100% draws: we are ahead of 10%.")
    assert line.height() >= line.heightForWidth(line.width()) > 0

    font = QFont(panel.font())
    font.setPointSizeF(2 * font.pointSizeF())
    panel.setFont(font)
    assert line.height() >= line.heightForWidth(line.width()) > 0

    def click(row: int) -> None:
        place = table.visualRect(table.model().index(row, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click(2)
    assert line.text().startswith("all-in, 9,750: Cid folds 90% and calls 10%.")
    tip = str(table.currentIndex().data(Qt.ItemDataRole.AccessibleDescriptionRole))
    assert tip.splitlines()[1:] == ["all-in, 9,750: Cid folds 90% and calls 10%."]
    panel.set_units(True)
    assert line.text().startswith("all-in, 97.5: Cid folds 90%"), "what is selected stays so"
    assert asked == [opened]
    click(0)
    assert line.text() == "Choose a bet or raise in the table to see what calls it."
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert line.text().startswith("2/3 pot, 3.67: Cid folds 50%")
    panel.show_traces((samples.trace(3),), {})
    assert not line.isVisible()


def test_other_styles_keep_their_thresholds(panel: ReasoningPanel) -> None:
    panel.show_traces((samples.trace(3),), {})
    assert panel.chart.isVisible()
    assert not panel.values.isVisible()
    assert not panel.counts_table.isVisible()


def test_all_columns_fit_the_dock(panel: ReasoningPanel) -> None:
    header = panel.values.table.horizontalHeader()
    assert header.length() <= panel.values.table.viewport().width()
    assert panel.values.table.verticalScrollBar().maximum() == 0, "all rows are in sight"


@pytest.mark.parametrize("look", ["light", "dark"])
def test_bars_go_from_zero_to_either_side(panel: ReasoningPanel, theme: ThemeSource, look: str) -> None:
    theme.choose(look)
    table = panel.values.table
    image = table.viewport().grab().toImage()

    def tinted(row: int, colour: str) -> list[int]:
        """Give where on its row a bar of this hue is."""
        rect = table.visualRect(table.model().index(row, 1))
        hue, y = QColor(colour).hue(), rect.top() + 5
        pixels = ((x, image.pixelColor(x, y)) for x in range(rect.left(), rect.right()))
        return [x for x, pixel in pixels if pixel.saturation() > 40 and abs(pixel.hue() - hue) < 12]

    gain, loss = tinted(1, theme.theme.call), tinted(2, theme.theme.raise_)
    assert gain
    assert loss
    assert max(loss) <= min(gain)
    assert len(tinted(0, theme.theme.call)) < len(gain)


def test_a_call_that_loses_has_a_bar_beside_a_fold() -> None:
    """Of an all-in to be called or folded there was no bar at all: the scale went from nothing to nothing."""
    made, fold = trace(), structs.replace(value(FOLD, 0, 0), stderr=0.0)
    bars = values_view(Values((fold, value(CALL, -8_190, 8_190)), 512), made.observation, Units(100)).bars
    assert [(bar.least, bar.most) for bar in bars] == [(-8_205, 0)] * 2


@pytest.mark.parametrize("words", ["", "300", "250 f c | x"])
def test_how_usual_actions_are_adds_up_to_all(words: str) -> None:
    """Two sizes that count as one were both said to be made 83% of the time, and the column added up to 183%."""
    table = deal((10_000,) * 3, hole_cards={0: "QcJc"}, board="Ks7s2d4c9h")
    observation = turn_of(play(table, words))
    reader = LearnedReader(adapts=False)
    values = valued(observation, reader.read(observation), 128, reader=reader)
    usual = [row[-1] for row in values_view(values, observation, Units(100)).rows]
    assert any(cell.startswith("(") for cell in usual)
    shares = [one.usual for one, cell in zip(values.actions, usual, strict=True) if not cell.startswith("(")]
    assert sum(shares) == pytest.approx(1, abs=0.05)
    for before, after in pairwise(usual):
        assert not after.startswith("(") or before.strip("()") == after.strip("()")


def test_values_are_written_to_a_tenth_of_a_big_blind() -> None:
    assert [rounded(chips, 100) for chips in (193.2, -4.9, 5.1)] == [190, 0, 10]
    made = trace()
    assert made.values is not None
    view = values_view(made.values, made.observation, Units(100, True), FOLD)
    assert view.chosen is None
    assert [row[2] for row in view.rows] == ["−1.9 ± 0.1", "best", "−12.5 ± 0.1"]
    tie = values_view(Values((value(CHECK, 299, 1), value(BET, 300, 0)), 512), made.observation, Units(100))
    assert tie.rows[0][2] == "0 ± 10"
    assert [row[1] for row in view.rows] == ["1.1 ± 0.1", "3.0 ± 0.1", "−9.5 ± 0.1"]
