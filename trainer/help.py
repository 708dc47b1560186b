"""What the window says of itself: its icon, its keys, and what it is made of and where it keeps things."""

import platform
from collections.abc import Mapping
from html import escape
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from trainer.settings import further_keys
from trainer.theme import room_on_screen

ICON = "soulread.png"

LICENCES = {
    "PySide6-Essentials": "Qt for Python, LGPL 3",
    "cffi": "MIT",
    "numpy": "BSD",
    "numba": "BSD",
    "pyqtgraph": "MIT",
    "msgspec": "BSD",
    "fsrs": "MIT",
    "platformdirs": "MIT",
    "websockets": "BSD",
}
"""What the app is made of, by the names of the distributions, and their licences."""

TABLE_KEYS: tuple[tuple[str, str], ...] = (
    ("{fold}", "fold"),
    ("{call}", "check or call"),
    ("{raise}, {bet}", "bet or raise to the amount shown"),
    ("digits", "type the amount; Enter or {raise} bets it, Esc takes it back"),
    (
        "Alt+1, Alt+2, Alt+3, Alt+4, Alt+5",
        "set the amount: ⅓, ½, ⅔ of the pot, the pot, all-in; View can have it bet at once",
    ),
    ("{all_in}", "set the amount to all-in"),
    ("Up, Down, wheel", "change the amount by a big blind, with Shift by a small one"),
    ("{next}, Enter", "next hand, skip ahead, buy in again, new game: the button shown"),
    ("same key, Enter, Esc", "go all-in or fold after being asked, or take it back"),
    ("Tab", "to every other control; Esc, a click or your turn leads back here"),
    ("{hint}", "hint: what every action is worth on your turn"),
    ("right click, Menu", "at a seat: the range of its player, or a note on them"),
    ("U", "chips or big blinds"),
    ("Ctrl+N", "new game"),
    ("Ctrl+T", "top up"),
    ("Ctrl+R", "results"),
    ("Ctrl+1, Ctrl+2, Ctrl+3, Ctrl+4", "ranges, reasoning, log, meters"),
    ("Ctrl+PgUp, Ctrl+PgDown", "an earlier or later hand in all panels"),
    ("Ctrl+B", "the hand before in all panels, and back to the one on the table"),
    ("Ctrl+H", "all hands played: found by what they came to, and opened in the replay"),
    ("Ctrl+I", "import hands of other sites; Ctrl+V there takes those in the text on the clipboard"),
    ("Ctrl+P", "replay that hand on the table; arrows, Home, End, 1-4, P and C go through it, Esc leaves it"),
    ("Ctrl+Left, Ctrl+Right", "an earlier or later point of the hand in the ranges"),
    ("Ctrl+Shift+N", "numbers in the ranges"),
    ("arrows, Enter, Esc", "in a range: its cells, enlarge, back"),
    ("Ctrl+D", "study mode: open the bots' cards and decisions"),
    ("Ctrl+O, Ctrl+Shift+O", "odds calculator; with this position, log line or decision"),
    ("Ctrl+K, Ctrl+Shift+K", "charts: what players do with every hand before the flop; at the decision shown"),
    ("Ctrl+Shift+P", "prizes: what stacks are worth in a tournament, and what all-ins ask for (ICM)"),
    ("Ctrl+Shift+F", "push or fold: which hands short stacks go all-in with, by chips or prizes"),
    ("Ctrl+E", "drills: exercises in sets of two minutes, also of your own mistakes"),
    ("Ctrl+G", "guess the range: what somebody held at the moment that is offered, or at one of a stored hand"),
    ("Ctrl+F", "figures of you and all opponents, and what you won hand by hand"),
    ("Ctrl+Shift+R", "review: what your decisions of this session cost; Enter replays a hand from one of them"),
    ("Ctrl+L", "lab: styles against each other, every hand of it, and experiments"),
    ("F1", "these keys"),
    ("Shift+F1", "glossary: what the terms mean"),
    ("Ctrl+Q", "quit"),
)
"""The keys of the main window; names in braces are those that the player chose, or left as they are."""

LAB_KEYS: tuple[tuple[str, str], ...] = (
    ("F5, F6, Esc", "start, continue, stop; finished matches stay"),
    ("Space, arrows", "in the list of styles: choose one, go to another"),
    ("Enter", "in the list of hands: open the hand in the panels"),
    ("Ctrl+S", "save the results as CSV"),
    ("Shift+F1", "what the terms mean"),
)
"""The keys of the lab."""

GUESS_KEYS: tuple[tuple[str, str], ...] = (
    ("arrows, Space, digits", "on the grid: go to a hand, paint or erase it, the weight of the brush"),
    ("Enter", "that is the range; then the next moment"),
    ("Shift+F1", "what the terms mean"),
    ("Esc", "close"),
)
"""The keys of guessing ranges."""

DRILLS_KEYS: tuple[tuple[str, str], ...] = (
    ("1 to 9, arrows, Enter", "choose a drill or an answer"),
    ("digits, Enter", "type a number, and answer with it"),
    ("Enter, O", "after an answer: the next exercise, the spot in the odds calculator"),
    ("Shift+F1", "what the terms mean"),
    ("Esc", "end the set; after its results choose again, or close"),
)
"""The keys of the drills."""

ODDS_KEYS: tuple[tuple[str, str], ...] = (
    ("F5, F6, Esc", "run, pause or run on, cancel"),
    ("Ctrl+N, Up, Down", "add a player, go to another one"),
    ("Ctrl+L", "library of ranges"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("Ctrl+O, Ctrl+S", "open, save the question"),
    ("Ctrl+Shift+V, Ctrl+Shift+L", "paste a question, copy it as one line"),
    ("Ctrl+Shift+C, Ctrl+Shift+M", "copy the results as text, as Markdown"),
    ("Backspace", "in the map of next cards: back to the turn"),
    ("arrows, Space, Enter", "in the range editor: cells, paint, suits of a class"),
    ("Shift+F1", "what the terms mean"),
)
"""The keys of the odds calculator."""


def app_icon() -> QIcon:
    """Return the icon of the app; empty if its file is missing."""
    pixmap = QPixmap()
    try:
        pixmap.loadFromData(files("resources").joinpath(ICON).read_bytes())
    except OSError:
        return QIcon()
    return QIcon(pixmap)


def keys_text(chosen: Mapping[str, str]) -> str:
    """Write all keys as HTML, the player's own by what they do: fold, call, raise, next."""
    names = {**chosen, **further_keys(chosen)}
    parts = []
    windows = (
        ("At the table", TABLE_KEYS),
        ("In the odds calculator", ODDS_KEYS),
        ("In the drills", DRILLS_KEYS),
        ("Where ranges are guessed", GUESS_KEYS),
        ("In the lab", LAB_KEYS),
    )
    for title, keys in windows:
        told = ((key.format(**names).strip(", "), what.format(**names)) for key, what in keys)
        rows = "".join(
            f"<tr><td><b>{escape(key)}</b></td><td>{escape(what)}</td></tr>" for key, what in told if key
        )
        parts.append(f'<p>{title}</p><table cellpadding="3">{rows}</table>')
    return "".join(parts)


def about_text(app_version: str, places: Mapping[str, Path | None]) -> str:
    """Write version, licences and where things are kept (None: not kept) as HTML."""
    parts = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(_version_of(name))}</td><td>{escape(licence)}</td></tr>"
        for name, licence in LICENCES.items()
    )
    kept = "".join(
        f"<tr><td>{escape(what)}</td><td>{escape(str(path)) if path else 'not kept'}</td></tr>"
        for what, path in places.items()
    )
    return (
        f"<b>Soulread {escape(app_version)}</b>"
        "<p>A Texas Hold'em trainer whose opponents read hands, and show how. MIT licence. "
        "No network but the tables you join, no account, no telemetry.</p>"
        "<p>The agent follows Li Xiang et al., “Game in Multiplayer No-limit Texas Hold'em Based on Hands "
        "Prediction”, Chinese Journal of Computers, 2017.</p>"
        f'<p>Made with Python {platform.python_version()} and</p><table cellpadding="2">{parts}</table>'
        f'<p>Kept on this computer:</p><table cellpadding="2">{kept}</table>'
    )


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


class TextDialog(QDialog):
    """A text to read, in HTML or Markdown, which scrolls where the screen is too small for all of it."""

    def __init__(self, title: str, text: str, parent: QWidget, *, is_markdown: bool = False) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        line = self.fontMetrics().height()
        self.label = QLabel(text, wordWrap=True)
        if is_markdown:
            self.label.setTextFormat(Qt.TextFormat.MarkdownText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.label.setContentsMargins(line, line, line, line)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.label)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, line // 2)
        layout.addWidget(scroll)
        layout.addWidget(self.buttons, 0, Qt.AlignmentFlag.AlignHCenter)
        width = 38 * line
        height = self.label.heightForWidth(width - scroll.verticalScrollBar().sizeHint().width())
        self.resize(QSize(width, height + 4 * line).boundedTo(room_on_screen(self)))
