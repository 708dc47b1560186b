"""Both themes are complete and readable by WCAG 2.1, and the source follows the system until told otherwise."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QDateEdit, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from tests.trainer.gestures import opened
from trainer.theme import DARK, FELTS, LIGHT, Theme, ThemeSource, palette

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
TEXT = ("text", "text_muted", "accent", "good", "bad", "warning")
SIGNS = ("truth", "fold", "check", "call", "raise_")
BACKGROUNDS = ("window", "panel", "panel_raised")


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`: WCAG 2.1, definition of relative luminance."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio 1 to 21: WCAG 2.1, definition of contrast ratio."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.fixture
def _own_look(qapp: QApplication) -> Iterator[None]:
    style, colours = qapp.style().objectName(), QPalette(qapp.palette())
    yield
    qapp.setStyle(style)
    qapp.setPalette(colours)


def test_the_ratio_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # 4.54 is the figure published everywhere for the greyest text that still passes AA on white.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@THEMES
def test_every_colour_is_there_and_is_one(theme: Theme) -> None:
    for field in fields(Theme):
        value = getattr(theme, field.name)
        for colour in value if isinstance(value, tuple) else (value,):
            assert re.fullmatch("#[0-9a-f]{6}", colour), f"{field.name}: {colour}"


@THEMES
@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("ink", TEXT)
def test_text_reaches_aa(theme: Theme, ink: str, background: str) -> None:
    assert contrast(getattr(theme, ink), getattr(theme, background)) >= 4.5


@THEMES
@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("sign", SIGNS)
def test_signs_reach_the_ratio_for_graphics(theme: Theme, sign: str, background: str) -> None:
    assert contrast(getattr(theme, sign), getattr(theme, background)) >= 3


@THEMES
def test_text_on_its_own_ground_reaches_aa(theme: Theme) -> None:
    assert contrast(theme.accent_text, theme.accent) >= 4.5
    for felts in FELTS.values():
        assert contrast(theme.felt_text, felts[theme is DARK]) >= 4.5
    for suit in range(4):
        for four_colours in (False, True):
            assert contrast(theme.suit_colour(suit, four_colours), theme.card_face) >= 4.5


@THEMES
def test_the_look_of_the_window_is_what_it_says(theme: Theme) -> None:
    assert (luminance(theme.window) < luminance(theme.text)) is (theme is DARK)


@THEMES
def test_heat_keeps_its_order_by_lightness_alone(theme: Theme) -> None:
    steps = [luminance(theme.heat_colour(share / 20).name()) for share in range(21)]
    assert all(low < high if theme is DARK else low > high for low, high in pairwise(steps))
    assert theme.heat_colour(-1) == QColor(theme.heat[0])
    assert theme.heat_colour(2) == QColor(theme.heat[-1])


@THEMES
def test_the_balance_leaves_the_middle_by_lightness_on_both_sides(theme: Theme) -> None:
    for sign in (-1, 1):
        steps = [luminance(theme.balance_colour(sign * share / 20).name()) for share in range(21)]
        assert all(low < high if theme is DARK else low > high for low, high in pairwise(steps))
    assert theme.balance_colour(-2) == QColor(theme.balance[0])
    assert theme.balance_colour(0) == QColor(theme.balance[len(theme.balance) // 2])
    assert theme.balance_colour(2) == QColor(theme.balance[-1])


@THEMES
def test_ten_players_are_told_apart_by_colour_and_line(theme: Theme) -> None:
    looks = {(theme.player_colour(player).name(), theme.player_dash(player)) for player in range(10)}
    assert len(looks) == 10
    for colour in theme.players:
        assert all(contrast(colour, getattr(theme, background)) >= 3 for background in BACKGROUNDS)


@THEMES
def test_the_palette_takes_the_theme(theme: Theme) -> None:
    made = palette(theme)
    assert made.color(QPalette.ColorRole.Window) == QColor(theme.window)
    assert made.color(QPalette.ColorRole.Base) == QColor(theme.panel)
    assert made.color(QPalette.ColorRole.Text) == QColor(theme.text)
    assert made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == QColor(theme.text_muted)


@pytest.mark.usefixtures("_own_look")
def test_follows_the_system_and_tells_the_application(qapp: QApplication, qtbot: QtBot) -> None:
    source = ThemeSource()
    source.choose("system")
    hints = QGuiApplication.styleHints()
    with qtbot.waitSignal(source.changed) as changed:
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert changed.args == [DARK]
    assert source.theme is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.window)
    assert qapp.style().objectName() == "fusion"
    with qtbot.waitSignal(source.changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert source.theme is LIGHT
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(LIGHT.window)


@pytest.mark.usefixtures("_own_look", "qapp")
def test_the_table_keeps_its_colour_in_light_and_dark() -> None:
    source = ThemeSource()
    source.choose_felt("red")
    for choice, theme in (("light", LIGHT), ("dark", DARK)):
        source.choose(choice)
        assert source.theme == replace(theme, felt=FELTS["red"][choice == "dark"])
    source.choose_felt("green")
    assert source.theme is DARK


@pytest.mark.usefixtures("_own_look", "qapp")
def test_a_choice_outlasts_the_system(qtbot: QtBot) -> None:
    source = ThemeSource()
    hints = QGuiApplication.styleHints()
    source.choose("dark")
    assert source.theme is DARK
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert source.theme is DARK
    source.choose("light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert source.theme is LIGHT
    with qtbot.waitSignal(source.changed):
        source.choose("system")
    assert source.theme is DARK
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
    assert source.theme is LIGHT


@pytest.mark.usefixtures("_own_look")
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("field", [QLineEdit, QSpinBox, QDateEdit, partial(QComboBox, editable=True)])
def test_fields_have_a_frame_that_is_seen(
    qtbot: QtBot, theme: ThemeSource, look: str, field: Callable[[], QWidget]
) -> None:
    theme.choose(look)
    shown = opened(qtbot, field())
    shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # that has a frame of its own
    shown.clearFocus()
    image = shown.grab().toImage()
    window = theme.theme.window
    assert max(contrast(image.pixelColor(x, image.height() // 2).name(), window) for x in range(4)) > 1.9
