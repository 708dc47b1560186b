"""Who plays in the experiments: the agents measured, the programs they meet, and agents with a part left out."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from engine.agents.agent import Agent, Prediction, Reader
from engine.agents.fold.agent import FoldAgent
from engine.agents.fold.parameters import default_parameters
from engine.agents.fold.predict import PaperReader
from engine.agents.learned.reader import LearnedReader
from engine.agents.readers import UniformReader, make_reader
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.styles import FOLD_2017, SOULREAD, make_agent
from engine.cards import CARD_COUNT
from engine.game.events import PublicEvent, Seat
from engine.game.observation import Observation, SeatView

AGENTS = (FOLD_2017, SOULREAD)
"""FOLD as the paper has it, and our best agent."""

PROGRAMS = ("nit", "lead keeper", "maniac", "min-raiser", "sticky", "fit-or-fold", "loose-aggressive")
"""Styles of clearly different kinds in the place of the seven programs that the paper's FOLD met."""


class Variant(Struct, frozen=True):
    """An agent with one part changed: what is different, in words that follow its name, and what makes a player."""

    change: str
    make: Callable[[str], Agent]


class _Stranger(FoldAgent):
    """FOLD that meets everybody as a stranger in every hand."""

    def hand_finished(self, observation: Observation) -> None:
        """Learn nothing."""


class _OthersReading(LearnedReader):
    """Plays out by the learned reader's networks and counts, and predicts as another reader does."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Let both learn a finished hand."""
        super().learn(events, observer)
        self._reader.learn(events, observer)

    def predict_views(self, observation: Observation, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        return self._reader.predict_views(observation, views)


def _without_draws(style: str) -> Agent:
    usual = default_parameters()
    unreachable = replace(usual.prediction, draw_outs=CARD_COUNT)  # so no hand counts as a draw
    return FoldAgent(make_reader(PaperReader.name), replace(usual, prediction=unreachable), style)


def _fold_with(reader: str, style: str) -> Agent:
    return FoldAgent(make_reader(reader), style=style)


VARIANTS: dict[str, tuple[Variant, ...]] = {
    FOLD_2017: (
        Variant("without draws", _without_draws),
        Variant("without adaptation", lambda style: _Stranger(make_reader(PaperReader.name), style=style)),
        Variant("without reading", partial(_fold_with, UniformReader.name)),
        Variant("with the learned reader", partial(_fold_with, "learned")),
    ),
    SOULREAD: (
        Variant("without adaptation", lambda style: SoulreadAgent(style, LearnedReader(adapts=False))),
        Variant("without reading", lambda style: SoulreadAgent(style, _OthersReading(UniformReader()))),
        Variant(
            "with the paper's reader",
            lambda style: SoulreadAgent(style, _OthersReading(make_reader(PaperReader.name))),
        ),
    ),
}
"""What is left out or changed in figure 12, by agent. Soulread has no rule for draws: it plays them out."""

_BY_NAME = {f"{agent} {one.change}": one for agent, changed in VARIANTS.items() for one in changed}


def variants_of(agent: str) -> tuple[str, ...]:
    """Return the names of an agent's variants; none if there is nothing to leave out."""
    return tuple(f"{agent} {one.change}" for one in VARIANTS.get(agent, ()))


def make_contestant(name: str) -> Agent:
    """Make a player of a style or of a variant of `VARIANTS`, with an empty memory; errors as `make_agent`.

    >>> make_contestant("fold-2017 without draws").style
    'fold-2017 without draws'
    """
    return _BY_NAME[name].make(name) if name in _BY_NAME else make_agent(name)
