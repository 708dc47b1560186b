"""What is to be played in the lab, and whether it can be."""

from msgspec import Struct, structs

from engine.agents.styles import SOULREAD, style_of
from engine.game.events import GameKind
from engine.game.format_file import built_in
from engine.game.formats import GameFormat
from engine.lab.matches.plan import MAX_MATCHES, MatchError, MatchPlan
from engine.lab.matches.workers import MOST_WORKERS
from trainer.lab.setup_model import read_or_usual, spare_cores

DEFAULT_STYLES = (SOULREAD, "fold")


class MatchesSetup(Struct, frozen=True):
    """Styles and what they play.

    Attributes
    ----------
    seats : int
        0 for one for each style.
    hands : int
        Of each match of a cash game; a tournament is played to its end.
    stack : int
        In big blinds; 0 for that of the format.
    workers : int
        Processes that play; 0 for one fewer than there are cores.
    """

    styles: tuple[str, ...] = DEFAULT_STYLES
    game: GameFormat = built_in("cash")
    seats: int = 0
    matches: int = 20
    hands: int = 200
    stack: int = 0
    seed: int = 0
    workers: int = 0

    @property
    def is_tournament(self) -> bool:
        """Whether each match is a whole tournament."""
        return self.game.kind == GameKind.TOURNAMENT

    @property
    def plan(self) -> MatchPlan:
        """Each of the matches, as the engine takes it."""
        return MatchPlan(
            self.styles,
            self.seats or len(self.styles),
            None if self.is_tournament else self.hands,
            self.seed,
            self.stack or None,
            self.game,
        )

    @property
    def processes(self) -> int:
        """How many processes play."""
        return min(self.workers or spare_cores(), self.matches)

    @property
    def refusal(self) -> str:
        """Why this cannot be played, in one sentence, or ""."""
        if len(self.styles) < 2:
            chosen = f"only {len(self.styles)} is chosen" if self.styles else "none is chosen"
            return f"A match takes two styles or more, and {chosen}."
        try:
            self.plan.verify()
        except MatchError as error:
            return str(error)
        if not 1 <= self.matches <= MAX_MATCHES:
            return f"1 to {MAX_MATCHES:,} matches can be played, not {self.matches:,}."
        if not 0 <= self.workers <= MOST_WORKERS:
            return f"There can be 1 to {MOST_WORKERS} processes, not {self.workers:,}."
        return ""


def read_setup(text: str) -> MatchesSetup:
    """Return a setup as `setup_text` wrote it, without styles that there are no more; else the usual one."""
    setup = read_or_usual(text, MatchesSetup())
    known = tuple(style for style in setup.styles if style_of(style) is not None)
    return structs.replace(setup, styles=known)
