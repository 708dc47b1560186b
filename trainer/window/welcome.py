"""What is on the table while it is empty: the way to a game."""

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from trainer.theme import ThemeSource, set_text_factor


class Welcome(QFrame):
    """Invites to a game while the table is empty."""

    new_game_requested = Signal()
    resume_requested = Signal()
    tour_requested = Signal()
    tour_declined = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        title = QLabel("Take a seat")
        set_text_factor(title, 1.7)
        text = QLabel("Play no-limit hold'em against players who read hands,\nand watch what they read.")
        new_game = QPushButton("&New game…", default=True)
        new_game.clicked.connect(self.new_game_requested)
        self.setFocusProxy(new_game)
        self.resume = QPushButton("&Resume", autoDefault=True)
        self.resume.clicked.connect(self.resume_requested)
        self.resume.hide()
        self.tour = QPushButton("&Take a tour of two minutes", autoDefault=True)
        self.tour.clicked.connect(self.tour_requested)
        self.no_tour = QPushButton("No, than&ks")
        self.no_tour.setAccessibleName("No tour")
        self.no_tour.setAutoDefault(True)
        self.no_tour.clicked.connect(self.tour_declined)
        self.no_tour.hide()
        touring = QHBoxLayout()
        touring.addWidget(self.tour, 1)
        touring.addWidget(self.no_tour)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 22, 28, 22)
        layout.setSpacing(12)
        for widget in (title, text, new_game, self.resume):
            layout.addWidget(widget)
        layout.addLayout(touring)
        self._new_game = new_game
        self._theme = theme

    def offer_tour(self, is_offered: bool) -> None:
        """Put the tour first, with a way to decline it; or leave it among the others."""
        first, second = (self.tour, self._new_game) if is_offered else (self._new_game, self.tour)
        self.no_tour.setVisible(is_offered)
        second.setDefault(False)
        first.setDefault(True)
        self.setFocusProxy(first)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground here: below a style sheet the text would not grow with the window."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._theme.theme.border))
        painter.setBrush(QColor(self._theme.theme.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.end()
