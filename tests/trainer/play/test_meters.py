import msgspec
import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.trainer import samples
from tests.trainer.gestures import shown_labels
from tests.trainer.scripted_hands import Scribe
from trainer.play.meters import MetersPanel
from trainer.play.meters_model import method_text, methods_text
from trainer.session.types import PotEquities, RunOutPoint
from trainer.theme import ThemeSource


@pytest.fixture
def panel(qtbot: QtBot, qapp: object) -> MetersPanel:
    theme = ThemeSource()
    theme.choose("light")
    made = MetersPanel(theme)
    qtbot.addWidget(made)
    made.resize(500, 170)
    made.show()
    return made


def test_figures_are_in_words_too(panel: MetersPanel) -> None:
    point = samples.readings(3)[-1]
    panel.show_point(point)
    needed = f"{100 * point.reading.pot_odds:.1f}%"
    assert f"You need {needed} to call and win " in shown_labels(panel)
    facts = next(label for label in panel.findChildren(QLabel) if label.text().startswith("Pot odds"))
    assert facts.text().endswith(methods_text(point.reading.win_rate, point.reading.win_rate_random))
    assert f"random hands: {method_text(point.reading.win_rate_random)}" in facts.toolTip()
    assert f"a call needs {needed}" in panel.scale.accessibleDescription()
    assert "Outs" not in shown_labels(panel)


def test_the_price_stands_on_the_scale_of_the_win_rate(panel: MetersPanel) -> None:
    point = samples.readings(3)[-1]
    panel.show_point(point)
    image = panel.scale.grab().toImage()
    mark = QColor(panel._theme.theme.truth)
    row = image.height() * 2 // 3

    def columns(wanted: QColor) -> list[int]:
        return [x for x in range(image.width()) if image.pixelColor(x, row).name() == wanted.name()]

    found = columns(mark)
    assert found
    bar = [
        x
        for x in range(image.width())
        if image.pixelColor(x, image.height() // 2).name() == panel._theme.theme.accent
    ]
    # The bar starts at 0% and ends at the win rate (less its error mark), so it gives the scale.
    length = (max(bar) - min(bar)) / point.reading.win_rate.value
    assert sum(found) / len(found) == pytest.approx(min(bar) + point.reading.pot_odds * length, abs=0.05 * length)


def test_history_grows_and_looks_back(panel: MetersPanel) -> None:
    points = samples.readings(2)
    for point in points[:6]:
        panel.show_point(point)
    at_six = panel.history.grab().toImage()
    # An earlier point that is filled in later changes nothing that is shown of the newest one.
    verdict = shown_labels(panel)
    panel.show_point(points[1])
    assert shown_labels(panel) == verdict
    panel.look_at(points[1].event_count)
    assert shown_labels(panel) != verdict
    assert panel.history.grab().toImage() != at_six
    panel.look_at(None)
    assert shown_labels(panel) == verdict


def test_a_new_hand_is_followed_again(panel: MetersPanel) -> None:
    points = samples.readings(2)
    panel.show_point(points[-1])
    panel.show_point(points[0])
    panel.look_at(points[0].event_count)
    observation = msgspec.structs.replace(points[-2].observation, hand_number=8)
    panel.show_point(msgspec.structs.replace(points[-2], hand_number=8, observation=observation))
    assert f"{100 * points[-2].reading.win_rate.value:.1f}%" in shown_labels(panel)


def test_folded_and_cleared(panel: MetersPanel) -> None:
    points = samples.readings(2)
    panel.show_point(points[-2])
    seats = tuple(msgspec.structs.replace(v, is_folded=v.seat == 0) for v in points[-1].observation.seats)
    observation = msgspec.structs.replace(points[-1].observation, seats=seats)
    panel.show_point(msgspec.structs.replace(points[-1], observation=observation))
    assert shown_labels(panel) == "You folded: nothing to decide until the next hand."
    assert not panel.scale.isVisible()
    assert not panel.history.isVisible()
    panel.look_at(points[-2].event_count)
    assert panel.scale.isVisible()
    panel.clear()
    assert shown_labels(panel) == "No hand is being played."


def test_an_all_in_has_a_bar_for_everybody(panel: MetersPanel) -> None:
    hand = Scribe(2, hole_cards="KdKc").blinds()
    hand.raise_to(0, 2000).call(1).show(1, "AsAh").show(0, "KdKc")
    observation = hand.observation()
    panel.follow(observation)
    assert not panel.scale.isVisible()
    panel.show_run_out(
        RunOutPoint(12, len(observation.events), observation, (PotEquities(4000, {0: 0.18, 1: 0.82}),))
    )
    assert panel.scale.accessibleDescription() == "You 18.0%, Ada 82.0%"
    assert not panel.history.isVisible()
    image = panel.scale.grab().toImage()
    longest = [
        sum(image.pixelColor(x, y).name() == colour for x in range(image.width()))
        for colour, y in (
            (panel._theme.theme.accent, image.height() // 2),
            (panel._theme.theme.check, image.height() * 5 // 6),
        )
    ]
    assert longest[0] / longest[1] == pytest.approx(18 / 82, abs=0.03)
    panel.follow(hand.deal("2c7d9h").deal("Js").deal("3d").award(1, 0, 4000).end().observation())
    assert "you are out of chips" in shown_labels(panel)
    assert not panel.scale.isVisible()


@pytest.mark.every(3)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(300, 150), (500, 170), (1200, 400)])
def test_it_paints_at_any_size(panel: MetersPanel, scheme: str, size: tuple[int, int]) -> None:
    for point in samples.readings(9):
        panel.show_point(point)
    panel._theme.choose(scheme)
    panel.resize(*size)
    assert not panel.grab().isNull()
    panel._theme.choose("light")


def test_every_part_has_a_name(panel: MetersPanel) -> None:
    panel.show_point(samples.readings(1)[5])
    assert all(label.accessibleName() for label in panel.findChildren(QLabel))
    assert panel.history.accessibleName()
    assert panel.history.accessibleDescription().startswith("against the predicted ranges: ")
