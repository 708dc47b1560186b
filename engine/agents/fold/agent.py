"""FOLD, the agent that predicts hands: the four modules of Li et al. 2017 one after another (fig. 1)."""

from collections.abc import Sequence

from engine.agents.agent import Decision, KnownPlayer, KnownPlayers, KnowsPlayers, Reader, Remembers, Trace
from engine.agents.fold.decide import choose
from engine.agents.fold.parameters import Parameters, default_parameters
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.readers import make_reader
from engine.agents.reading import reading
from engine.game.observation import Observation


class FoldAgent:
    """Reads the table, weighs its win rate against thresholds, remembers opponents by name."""

    style = "fold"

    def __init__(
        self, reader: Reader | None = None, parameters: Parameters | None = None, style: str = style
    ) -> None:
        self.style = style
        self.parameters = parameters or default_parameters()
        self.reader = reader or make_reader(parameters=self.parameters, strangers=OF_PROGRAMS)

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action; the count of the trace's win rate, as `deals`, makes the same decision again.

        Raises
        ------
        NotToActError
            If the seat is not to act.
        """
        predictions = self.reader.read(observation)
        read = reading(observation, predictions, seed, self.parameters, deadline=deadline, deals=deals)
        choice = choose(read, observation, seed, self.parameters)
        trace = Trace(
            style=self.style,
            seed=seed,
            observation=observation,
            reading=read,
            base=choice.base,
            adjustments=choice.adjustments,
            figures=choice.figures,
            rule=choice.rule,
            action=choice.action,
        )
        return Decision(choice.action, trace)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count a finished hand for everybody in it."""
        self.reader.learn(observation.events, observation.seat)

    def memory(self) -> bytes:
        """Return what its reader has learned; b"" if that learns nothing."""
        return self.reader.memory() if isinstance(self.reader, Remembers) else b""

    def recall(self, memory: bytes) -> None:
        """Take the memory of another agent with the same reader in the place of its own."""
        if isinstance(self.reader, Remembers):
            self.reader.recall(memory)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what its reader has learned of each player; nothing if that keeps nothing for later sessions."""
        return self.reader.known_players() if isinstance(self.reader, KnowsPlayers) else {}

    def meet(self, players: KnownPlayers) -> None:
        """Let its reader begin with what was learned of players before."""
        if isinstance(self.reader, KnowsPlayers):
            self.reader.meet(players)
