"""Colours, light and dark, following the system, and the size of text: the one place where either is decided.

The heat colours run along a lightness ramp from the panel's background to a saturated blue or amber, so that they
stay in order for every kind of colour vision and in print. The balance runs from orange over the background to
blue, so that both ends differ from the middle by lightness too. Actions use the blue, orange and grey of the
Okabe-Ito set (M. Okabe, K. Ito: Color Universal Design).
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

_USUAL_WINDOW = QSize(1280, 720)
_MOST_TEXT_SCALE = 2.0
_TEXT_GROWTH = 0.5  # of the window's: the rest of the room is for what stands next to the text
_LARGE_SCREEN = QSize(2560, 1440)
_FRAME = (10, 40)  # of a window, in pixels, with the widest title bar of the usual desktops
_TEXT_FACTOR = "text factor"  # the property of a widget whose text is larger than the others'


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as `#rrggbb`, named by what they mean; `shares` are of the kinds of hands of `RangeShares`."""

    window: str
    panel: str
    panel_raised: str
    text: str
    text_muted: str
    border: str
    accent: str
    accent_text: str
    good: str
    bad: str
    warning: str
    felt: str
    felt_edge: str
    felt_text: str
    chip: str
    card_face: str
    card_back: str
    card_edge: str
    heat: tuple[str, ...]
    heat_blocked: str
    balance: tuple[str, ...]
    players: tuple[str, ...]
    truth: str
    shares: tuple[str, str, str, str, str]
    fold: str
    check: str
    call: str
    raise_: str

    def suit_colour(self, suit: int, four_colours: bool) -> str:
        """Return the ink of a suit (0-3: clubs, diamonds, hearts, spades) on a card face."""
        if four_colours:
            return ("#12803b", "#1f5fd0", "#c8202f", "#15181d")[suit]
        return ("#15181d", "#c8202f", "#c8202f", "#15181d")[suit]

    def heat_colour(self, share: float) -> QColor:
        """Return the heat colour of a share 0-1, interpolated along the ramp."""
        return _along(self.heat, share)

    def balance_colour(self, level: float) -> QColor:
        """Return the colour of a level from -1 (worse) over 0 (as good) to 1 (better)."""
        return _along(self.balance, (level + 1) / 2)

    def player_colour(self, player: int) -> QColor:
        """Return the colour of a player's lines; five and five share one, and `player_dash` tells them apart."""
        return QColor(self.players[player % len(self.players)])

    def player_dash(self, player: int) -> Qt.PenStyle:
        """Return the line style of a player: solid for the first five, dashed for the others."""
        return Qt.PenStyle.SolidLine if player < len(self.players) else Qt.PenStyle.DashLine


def _along(ramp: tuple[str, ...], share: float) -> QColor:
    """Interpolate a ramp of colours at a share 0-1."""
    position = min(max(share, 0.0), 1.0) * (len(ramp) - 1)
    index = min(int(position), len(ramp) - 2)
    part = position - index
    return mixed(QColor(ramp[index]), QColor(ramp[index + 1]), part)


def mixed(ground: QColor, colour: QColor, share: float) -> QColor:
    """Mix a share 0-1 of a colour into another."""
    return QColor(
        round(ground.red() + share * (colour.red() - ground.red())),
        round(ground.green() + share * (colour.green() - ground.green())),
        round(ground.blue() + share * (colour.blue() - ground.blue())),
    )


LIGHT = Theme(
    window="#f1f3f6",
    panel="#ffffff",
    panel_raised="#e8ebf0",
    text="#1b1f26",
    text_muted="#5b6472",
    border="#cdd3dc",
    accent="#0b62c4",
    accent_text="#ffffff",
    good="#08734e",
    bad="#b93519",
    warning="#8e5a00",
    felt="#2f7d5b",
    felt_edge="#5a3d28",
    felt_text="#f4f8f5",
    chip="#e0a526",
    card_face="#fdfdfb",
    card_back="#2b4c86",
    card_edge="#9aa3ad",
    heat=("#eef1f5", "#c6d9ee", "#86b5dd", "#3d86c6", "#0f569c", "#062f63"),
    heat_blocked="#dcdfe4",
    balance=("#a34400", "#d9792b", "#f2c196", "#f4f5f7", "#a9cbe9", "#4a90cd", "#0f569c"),
    players=("#0b62c4", "#c95a00", "#008a62", "#b8257f", "#33291a"),
    truth="#d55e00",
    shares=("#062a52", "#1c68b3", "#6fa6d6", "#cdd3db", "#e3a323"),
    fold="#6b7480",
    check="#3f82aa",
    call="#08734e",
    raise_="#c2520a",
)

DARK = Theme(
    window="#15181d",
    panel="#1c2027",
    panel_raised="#272d37",
    text="#e6e9ee",
    text_muted="#98a2b1",
    border="#363e4a",
    accent="#5aa9ff",
    accent_text="#0b1420",
    good="#3fc08f",
    bad="#ff7a5c",
    warning="#e8b04a",
    felt="#1f5a43",
    felt_edge="#3a2a1e",
    felt_text="#e9f2ec",
    chip="#e0a526",
    card_face="#f4f3ee",
    card_back="#33558f",
    card_edge="#0d0f12",
    heat=("#232932", "#243f5f", "#2a629a", "#4290d0", "#82c0ee", "#dff1ff"),
    heat_blocked="#1a1d22",
    balance=("#ffb066", "#c8701f", "#6b4423", "#2a303a", "#24507f", "#3f8ccc", "#9fd2ff"),
    players=("#5aa9ff", "#ff9a3c", "#3fc08f", "#f7a8e0", "#f4ec9a"),
    truth="#ff9d3c",
    shares=("#d9eeff", "#7dbcf0", "#3d7fb8", "#48505d", "#d69b2a"),
    fold="#8b95a3",
    check="#6db3dc",
    call="#3fc08f",
    raise_="#ff9a4d",
)


FELTS: Final = {
    "green": (LIGHT.felt, DARK.felt),
    "blue": ("#2f6690", "#1f4765"),
    "red": ("#8c3a44", "#642c34"),
    "grey": ("#5b6570", "#3a424c"),
}
"""Colours of the table by name, in light and in dark."""


def ink_on(colour: QColor) -> QColor:
    """Return near-black or white, whichever is easier to read on a colour (relative luminance of WCAG 2)."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    return QColor("#10141a" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 else "#ffffff")


def text_scale(window: QSize) -> float:
    """Return how many times larger than usual the text is in a window of a size: 1 in a small one, at most 2.

    >>> text_scale(QSize(1024, 640)), text_scale(QSize(2560, 1440))
    (1.0, 1.5)
    """
    growth = min(window.width() / _USUAL_WINDOW.width(), window.height() / _USUAL_WINDOW.height()) - 1
    return min(max(1 + _TEXT_GROWTH * growth, 1.0), _MOST_TEXT_SCALE)


def set_text_factor(widget: QWidget, factor: float, *, is_bold: bool = True) -> None:
    """Give a widget's text so many times the size of the others', now and whenever that changes."""
    widget.setProperty(_TEXT_FACTOR, factor)
    font = QApplication.font()
    font.setPointSizeF(factor * font.pointSizeF())
    font.setBold(is_bold)
    widget.setFont(font)


def open_at(window: QWidget, size: QSize) -> None:
    """Give a window the size that it opens with, larger with larger text, but never larger than the screen."""
    scale = QApplication.font().pointSizeF() / _usual_points()
    window.resize((size * scale).boundedTo(room_on_screen(window)))


def room_on_screen(window: QWidget) -> QSize:
    """Return how large a window may be, its title bar left out; drawn into memory, as large as a large screen."""
    if _is_in_memory():
        return _LARGE_SCREEN
    above = window.parentWidget()
    screen = (above or window).screen().availableSize()
    return screen - QSize(*_FRAME)


def _is_in_memory() -> bool:
    return QGuiApplication.platformName() == "offscreen"


@cache
def _usual_points() -> float:
    """Return the size of the text as the system has it."""
    return QFontInfo(QGuiApplication.font()).pointSizeF()


class ThemeSource(QObject):
    """Knows the theme in force and says when it changes."""

    changed = Signal(object)  # Theme

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice, self._felt = "system", "green"
        self._scheme = QGuiApplication.styleHints().colorScheme()
        self.theme = LIGHT
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self.fit_text(_USUAL_WINDOW)

    def fit_text(self, window: QSize) -> None:
        """Let all text of the application be as large as a main window of this size asks for."""
        font = QFont(QApplication.font())
        points = round(2 * _usual_points() * text_scale(window)) / 2  # in steps, since each lays everything out
        if points == font.pointSizeF():
            return
        font.setPointSizeF(points)
        QApplication.setFont(font)
        for widget in QApplication.allWidgets():
            if factor := widget.property(_TEXT_FACTOR):
                set_text_factor(widget, factor, is_bold=widget.font().bold())

    def choose(self, choice: str) -> None:
        """Take `light`, `dark`, or follow the `system`; applies it to the whole application at once."""
        self._choice = choice
        self._apply()

    def choose_felt(self, name: str) -> None:
        """Take the table of a name of `FELTS`."""
        self._felt = name
        self._apply()

    def _on_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        self._scheme = scheme
        self._apply()

    def _apply(self) -> None:
        system_is_dark = self._scheme == Qt.ColorScheme.Dark
        is_dark = self._choice == "dark" or (self._choice == "system" and system_is_dark)
        theme, felt = DARK if is_dark else LIGHT, FELTS[self._felt][is_dark]
        self.theme = theme if theme.felt == felt else replace(theme, felt=felt)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setStyle("Fusion")
            application.setPalette(palette(self.theme))
            for fields in ("QLineEdit", "QAbstractSpinBox", "QComboBox"):
                application.setPalette(_palette_of_fields(self.theme), fields)  # type: ignore[arg-type]  # says bytes, takes str
        self.changed.emit(self.theme)


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of a theme."""
    made = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.panel_raised),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.text_muted),
        (role.Button, theme.panel_raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.bad),
        (role.ToolTipBase, theme.panel_raised),
        (role.ToolTipText, theme.text),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.accent_text),
        (role.Link, theme.accent),
        (role.Light, theme.border),  # the line below tabs, which would be white
        (role.Mid, theme.border),
    ):
        made.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.text_muted))
    return made


def field_frame(theme: Theme) -> QColor:
    """Return the colour of the frame round what is typed."""
    return mixed(QColor(theme.panel), QColor(theme.text), 0.4)


def _palette_of_fields(theme: Theme) -> QPalette:
    """Return the palette of fields: Fusion frames them 1.4 times darker than the window, unseen on dark ones."""
    made = palette(theme)
    made.setColor(QPalette.ColorRole.Window, field_frame(theme).lighter(140))
    return made
