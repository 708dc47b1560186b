"""Who plays in the experiments: the agents measured, the programs they meet, and agents with a part left out."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from engine.agents.agent import Agent, Prediction, Reader
from engine.agents.fold.predict import PaperReader
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.learned.reader import LearnedReader
from engine.agents.readers import UniformReader, make_reader
from engine.agents.rule_based.contest import CONTEST
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.styles import FOLD_2017, SOULREAD, make_agent
from engine.game.events import PublicEvent, Seat
from engine.game.observation import HandView, SeatView

AGENTS = (FOLD_2017, SOULREAD)
"""FOLD as the paper has it, and our best agent."""

PROGRAMS = tuple(program.style for program in CONTEST.values())
"""Styles of clearly different kinds in the place of the seven programs that the paper's FOLD met."""


class Variant(Struct, frozen=True):
    """An agent with one part changed: what is different, in words that follow its name, and the style's name."""

    change: str
    style: str


class _OthersReading(LearnedReader):
    """Plays out by the learned reader's networks and counts, and predicts as another reader does."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(strangers=OF_PROGRAMS)
        self._reader = reader

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Let both learn a finished hand."""
        super().learn(events, observer)
        self._reader.learn(events, observer)

    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        return self._reader.predict_views(observation, views)


VARIANTS: dict[str, tuple[Variant, ...]] = {
    FOLD_2017: (
        Variant("without draws", f"{FOLD_2017}:draws=off"),
        Variant("without adaptation", f"{FOLD_2017}:adaptation=off"),
        Variant("without reading", "fold:uniform"),
        Variant("with the learned reader", "fold"),
        Variant("as printed", f"{FOLD_2017}:printed"),
    ),
    SOULREAD: (
        Variant("without adaptation", "soulread without adaptation"),
        Variant("without reading", "soulread without reading"),
        Variant("with the paper's reader", "soulread with the paper's reader"),
    ),
}
"""What is left out or changed in figure 12, by agent. Soulread has no rule for draws: it plays them out."""

_MADE: dict[str, Callable[[str], Agent]] = {
    "soulread without adaptation": lambda style: SoulreadAgent(style, LearnedReader(adapts=False)),
    "soulread without reading": lambda style: SoulreadAgent(style, _OthersReading(UniformReader())),
    "soulread with the paper's reader": lambda style: SoulreadAgent(
        style, _OthersReading(make_reader(PaperReader.name))
    ),
}


def is_changed(name: str) -> bool:
    """Tell whether this is an agent with a part changed that no style names.

    >>> is_changed("soulread without reading"), is_changed("fold:uniform")
    (True, False)
    """
    return name in _MADE


def make_contestant(name: str) -> Agent:
    """Make a player of a style, or of Soulread with a part changed, with an empty memory; errors as `make_agent`.

    >>> make_contestant("soulread without reading").style
    'soulread without reading'
    """
    return _MADE[name](name) if name in _MADE else make_agent(name)
