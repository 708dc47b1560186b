"""Opens the window of the drills."""

from secrets import randbits
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from trainer.drills.guess_offers import GuessOffer, GuessOffers
from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.settings import SettingsFile
from trainer.theme import ThemeSource
from trainer.widgets.front import WindowOpener, bring_up
from trainer.widgets.offer_line import OfferLine

if TYPE_CHECKING:  # opened on demand: not on the start path
    from trainer.drills.guess_window import GuessWindow
    from trainer.drills.window import DrillsWindow
    from trainer.storage.store import Store

_SEED_BITS = 64
_SWITCH = "View > Guess a range after some hands switches it off"


class DrillsOpener(WindowOpener):
    """Owns the window of the drills and that of guesses, and `line`, which offers a guess after some hands."""

    odds_requested = Signal(object)  # OddsOpening
    chart_requested = Signal(object)  # Observation of who is to act
    review_requested = Signal()  # the drills have no mistakes yet

    def __init__(self, theme: ThemeSource, settings: SettingsFile, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._jobs = jobs
        self.store: Store | None = None
        self.line = OfferLine("guess", "Draw the range, and see what it was worth (Ctrl+G)", _SWITCH)
        self.line.taken.connect(self.open_guesses)
        self._offers = GuessOffers(jobs, randbits(_SEED_BITS), self)
        self._offers.changed.connect(self._on_offer)
        self._offer: GuessOffer | None = None
        self.window: DrillsWindow | None = None
        self.guesses: GuessWindow | None = None

    def set_store(self, store: "Store") -> None:
        """Take what keeps what was practised."""
        self.store = self._offers.store = store

    def follow(self, session: Session) -> None:
        """Take a new session to the table."""
        self._offers.follow(session)

    def set_offers(self, is_on: bool) -> None:
        """Offer a guess after some hands, or none."""
        self._offers.is_on = is_on
        self.line.keep_room(is_on)
        if not is_on:
            self._on_offer(None)

    def _on_offer(self, offer: GuessOffer | None) -> None:
        self._offer = offer
        if offer is None:
            self.line.clear()
        else:
            self.line.offer(offer.sentence(in_big_blinds=self._settings.settings.big_blinds))

    @Slot()
    def open(self) -> "DrillsWindow":
        """Bring the drills to the front."""
        from trainer.drills.drills_model import DrillsModel
        from trainer.drills.mistakes import StoredMistakes
        from trainer.drills.window import DrillsWindow

        if self.window is None:
            records, mistakes = (
                (None, None) if self.store is None else (self.store.records, StoredMistakes(self.store))
            )
            model = DrillsModel(self._jobs, randbits(_SEED_BITS), records=records, mistakes=mistakes)
            self.window = DrillsWindow(self._theme, model, self._settings)
            self.window.set_units(self._settings.settings.big_blinds)
            self.window.odds_requested.connect(self.odds_requested)
            self.window.chart_requested.connect(self.chart_requested)
            self.window.review_requested.connect(self.review_requested)
            self.window.terms.clicked.connect(self._on_terms)
        bring_up(self.window)
        return self.window

    def open_at(self, hand_id: int, event_count: int) -> None:
        """Practise one mistake: a decision after so many events of a stored hand."""
        self.open().model.start_at(hand_id, event_count)

    @Slot()
    def open_guesses(self) -> "GuessWindow":
        """Bring the guesses of ranges to the front, and ask about what is offered, or the first."""
        from trainer.drills.guess_model import GuessModel
        from trainer.drills.guess_window import GuessWindow

        if self.guesses is None:
            model = GuessModel(self._jobs, randbits(_SEED_BITS), self.store)
            self.guesses = GuessWindow(self._theme, model)
            self.guesses.set_units(self._settings.settings.big_blinds)
            self.guesses.spot.table.set_four_colours(self._settings.settings.four_colours)
            self.guesses.terms.clicked.connect(self._on_terms)
        bring_up(self.guesses)
        offer, is_offered = self._offer, not self.line.isHidden()
        self._on_offer(None)
        if offer is not None and is_offered:
            self.guesses.model.ask_about(offer.hand_id, offer.event_count, offer.seat)
        else:
            self.guesses.begin()
        return self.guesses

    def _on_terms(self) -> None:
        self.terms_requested.emit("drills")

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        if self.window is not None:
            self.window.set_units(in_big_blinds)
        if self.guesses is not None:
            self.guesses.set_units(in_big_blinds)
        if self._offer is not None:
            self.line.button.setText(self._offer.sentence(in_big_blinds=in_big_blinds))

    def set_four_colours(self, is_on: bool) -> None:
        """Use the four-colour deck, or the usual one."""
        if self.window is not None:
            self.window.page.spot.table.set_four_colours(is_on)
        if self.guesses is not None:
            self.guesses.spot.table.set_four_colours(is_on)

    def close(self) -> None:
        super().close()
        if self.guesses is not None:
            self.guesses.close()
