"""Every reader by name: the app's, the paper's, a rival of the paper's, and yardsticks.

`engine.agents.reading` puts any of them to use, for an agent's decision and for a player's panels alike.
"""

from collections.abc import Callable, Sequence

from engine.agents.agent import Prediction, Reader
from engine.agents.fold.parameters import Parameters, default_parameters
from engine.agents.fold.predict import PaperReader, TunedPaperReader
from engine.agents.fold.understand import understand
from engine.agents.learned.beliefs import OF_PEOPLE, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.agents.markov import MarkovReader
from engine.agents.posterior import boards_at, uniform_prior, uninformative
from engine.game.events import PublicEvent, Seat
from engine.game.observation import HandView, SeatView


class UnknownReaderError(ValueError):
    """A reader's name that is not registered."""


class UniformReader(Reader):
    """The yardstick: every unblocked combo is equally likely, whatever anybody does."""

    name = "uniform"

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Learn nothing."""

    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        actions = understand(observation.events)
        boards = boards_at(observation.events)
        prior = uniform_prior(observation)
        return tuple(
            Prediction(
                view.seat,
                self.name,
                prior,
                tuple(
                    uninformative(action, boards[action.event_index], observation, "not read")
                    for action in actions
                    if action.seat == view.seat
                ),
                prior,
            )
            for view in views
        )


READERS: dict[str, Callable[[Parameters, Spreads], Reader]] = {
    "learned": lambda parameters, strangers: LearnedReader(
        adapts=parameters.options.adaptation, strangers=strangers
    ),
    "learned-fixed": lambda *_: LearnedReader(adapts=False, name="learned-fixed"),
    PaperReader.name: lambda parameters, _: PaperReader(parameters),
    TunedPaperReader.name: lambda parameters, _: TunedPaperReader(parameters),
    UniformReader.name: lambda *_: UniformReader(),
    "markov": lambda *_: MarkovReader(),
}
"""What makes each reader from the paper's parameters and what strangers are expected to be, by its name."""

DEFAULT_READER = "learned"


def make_reader(
    name: str = DEFAULT_READER, parameters: Parameters | None = None, strangers: Spreads = OF_PEOPLE
) -> Reader:
    """Make a reader with an empty memory.

    Raises
    ------
    UnknownReaderError
        If no reader has that name.
    """
    if name not in READERS:
        raise UnknownReaderError(f"There is no reader '{name}'; there are {', '.join(sorted(READERS))}.")
    return READERS[name](parameters or default_parameters(), strangers)
