"""Where styles, format and numbers of matches are chosen."""

from msgspec import structs
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLabel

from engine.game.formats import GameFormat
from engine.game.rules import MAX_SEATS
from engine.lab.matches.plan import MAX_HANDS, MAX_MATCHES, MAX_STACK
from engine.words import counted
from trainer.lab.matches.matches_model import MatchesModel
from trainer.lab.matches.style_list import StyleList
from trainer.lab.setup_model import MOST_SEED
from trainer.lab.setup_panel import SetupPanel, processes_box
from trainer.new_game.format_words import summary
from trainer.new_game.number_boxes import NumberBox
from trainer.new_game.own_formats import OwnFormats
from trainer.styles.own_policies import OwnPolicies
from trainer.styles.own_styles import OwnStyles
from trainer.theme import ThemeSource


class MatchPanel(SetupPanel[MatchesModel]):
    """Who plays, in which format, and how often."""

    def __init__(
        self,
        theme: ThemeSource,
        model: MatchesModel,
        formats: OwnFormats,
        own_styles: OwnStyles,
        own_policies: OwnPolicies,
    ) -> None:
        super().__init__(theme, model, "Why this cannot be played")
        self._formats = formats
        self._own_styles, self._own_policies = own_styles, own_policies
        self.styles = StyleList()
        self.chosen = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.format = QComboBox()
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.seats = NumberBox(1, MAX_SEATS, "Seats", "one for each style")
        self.matches = NumberBox(1, MAX_MATCHES, "Matches")
        self.hands = NumberBox(1, MAX_HANDS, "Hands of each match")
        self.stack = NumberBox(0, MAX_STACK, "Stack in big blinds", "as the format has it")
        self.seed = NumberBox(0, MOST_SEED, "Seed of all cards and chances")
        self.workers = processes_box()
        self._build()
        self.read_own()
        self._connect((self.seats, self.matches, self.hands, self.stack, self.seed, self.workers))
        self.styles.rows.chosen_changed.connect(self._on_changed)
        self.format.activated.connect(self._on_changed)

    def _build(self) -> None:
        self.format.setAccessibleName("Format")
        self.format.setMinimumContentsLength(14)
        self.format.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chosen.setAccessibleName("Styles chosen")
        self.summary.setAccessibleName("What is played")
        self.matches.setToolTip(
            "In each match all begin as strangers; from ten on intervals know what learning does."
        )
        self.hands.setToolTip("Rounded up to whole decks: each is played once in every seating.")
        self.seed.setToolTip("The same seed plays the same matches again.")
        self._add("St&yles", self.styles, 1)
        self.column.addWidget(self.chosen)
        self._add_form(
            ("&Format", self.format),
            (self.summary,),
            ("&Seats", self.seats),
            ("&Matches", self.matches),
            ("&Hands each", self.hands),
            ("Stac&k, bb", self.stack),
            ("See&d", self.seed),
            ("&Processes", self.workers),
        )

    def read_own(self) -> None:
        """Offer the formats and styles that there are now, the player's own among them."""
        with QSignalBlocker(self.format):
            self.format.clear()
            for one in self._formats.offered().all:
                self._add_format(one)
        self._show_format()
        self.styles.rows.offer(self._own_styles.offered().all, self._own_policies.offered())

    def _add_format(self, one: GameFormat) -> None:
        self.format.addItem(one.name or "Another format", one)
        self.format.setItemData(self.format.count() - 1, summary(one), Qt.ItemDataRole.ToolTipRole)

    def _show_format(self) -> None:
        """Show the format chosen, which may be offered no more."""
        game = self._model.setup.game
        offered = [self.format.itemData(at) for at in range(self.format.count())]
        if game not in offered:
            self._add_format(game)
            offered.append(game)
        with QSignalBlocker(self.format):
            self.format.setCurrentIndex(offered.index(game))
        self.summary.setText(summary(game))

    def _show_setup(self) -> None:
        setup = self._model.setup
        if set(self.styles.rows.chosen) != set(setup.styles):
            self.styles.rows.choose(setup.styles)
        self._show_format()
        self._show_numbers((setup.seats or 1, setup.matches, setup.hands, setup.stack, setup.seed, setup.workers))
        self.hands.setEnabled(not setup.is_tournament)
        count = len(setup.styles)
        self.chosen.setText(f"{counted(count, 'style')} chosen, {setup.plan.seats} seats")

    def _on_changed(self) -> None:
        seats = self.seats.value()
        chosen = structs.replace(
            self._model.setup,
            styles=self.styles.rows.chosen,
            game=self.format.currentData(),
            seats=0 if seats == 1 else seats,
            matches=self.matches.value(),
            hands=self.hands.value(),
            stack=self.stack.value(),
            seed=self.seed.value(),
            workers=self.workers.value(),
        )
        self._model.choose(chosen, self._typing_problem())
