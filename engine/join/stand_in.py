"""Who plays at tables too large for the agent's style, whose players leave one after another until it fits."""

from collections.abc import Callable, Sequence

from engine.agents.agent import Agent, Decision, KnownPlayer, KnownPlayers, Trace
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.styles import SOULREAD, make_agent, most_seats, seats_problem, style_label
from engine.game.observation import Observation
from engine.game.rules import MAX_SEATS


def player_of(style: str, progress: Callable[[str], None]) -> Agent:
    """Make a player of a style for tables of any size; errors as of `make_agent`.

    Where the style plays at small tables alone, Soulread stands in for it as long as more players are dealt in,
    which is one line for `progress`.
    """
    agent = make_agent(style)
    return agent if most_seats(style) >= MAX_SEATS else _StandIn(agent, progress)


class _StandIn:
    """Decides by the agent where that can play, elsewhere by Soulread; what is known of players is Soulread's."""

    def __init__(self, agent: Agent, progress: Callable[[str], None]) -> None:
        self.style = agent.style
        self._agent = agent
        self._stand_in = SoulreadAgent(SOULREAD)
        self._progress = progress
        self._is_told = False

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action as whoever plays at a table of this size does; its trace has that style."""
        seats = len(observation.seats)
        if seats <= most_seats(self.style):
            return self._agent.decide(observation, seed, deadline=deadline, deals=deals)
        if not self._is_told:
            self._is_told = True
            problem = seats_problem([self.style], seats)
            self._progress(f"{problem} As long as that is so, {style_label(SOULREAD)} plays instead.")
        return self._stand_in.decide(observation, seed, deadline=deadline, deals=deals)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Let both learn from a finished hand, the agent from those that it can play."""
        self._stand_in.hand_finished(observation, traces)
        if len(observation.seats) <= most_seats(self.style):
            self._agent.hand_finished(observation, traces)

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what was learned of each player met."""
        return self._stand_in.known_players()

    def meet(self, players: KnownPlayers) -> None:
        """Begin with what was learned of players before."""
        self._stand_in.meet(players)
