"""The agents of a table: made, kept from failing by what they learn, and their memories as bytes."""

import logging
from collections.abc import Mapping, Sequence

from msgspec import Struct

from engine.agents.agent import (
    Agent,
    Decision,
    KnownPlayer,
    KnownPlayers,
    KnowsPlayers,
    Remembers,
    Trace,
    best_known,
)
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import Chips, Seat
from engine.game.formats import HUMAN, GameConfig
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics
from trainer.session.standing import Tally

_log = logging.getLogger(__name__)


class _TableMemory(Struct, frozen=True, rename={"hero_net": "human_net"}):
    """What is stored of a table: memories, those of several agents once, whose they are, and the tally."""

    memories: tuple[bytes, ...]
    of_seats: dict[Seat, int]
    statistics: dict[Seat, PlayerStatistics]
    hero_net: tuple[Chips, ...]


class _CarefulAgent:
    """An agent whose failure to learn from a hand costs nothing but that lesson."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.style = agent.style

    def memory(self) -> bytes:
        return self._agent.memory() if isinstance(self._agent, Remembers) else b""

    def recall(self, memory: bytes) -> None:
        if isinstance(self._agent, Remembers):
            self._agent.recall(memory)

    def known_players(self) -> dict[str, KnownPlayer]:
        return self._agent.known_players() if isinstance(self._agent, KnowsPlayers) else {}

    def meet(self, players: KnownPlayers) -> None:
        if isinstance(self._agent, KnowsPlayers):
            self._agent.meet(players)

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        return self._agent.decide(observation, seed, deadline=deadline, deals=deals)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        try:
            self._agent.hand_finished(observation, traces)
        except Exception:  # whatever a style may raise, the session goes on
            _log.exception("An agent of style %s could not learn from a hand", self.style)


def make_agents(config: GameConfig, known: KnownPlayers) -> dict[Seat, Agent]:
    """Make the agents of all seats but the player's, who know what earlier sessions have kept of players."""
    from engine.agents.styles import make_agent

    agents: dict[Seat, Agent] = {}
    for seat, player in enumerate(config.seats):
        if player.style != HUMAN:
            agent = agents[seat] = _CarefulAgent(make_agent(player.style))
            agent.meet(known)
    return agents


def known_players(agents: Mapping[Seat, Agent]) -> dict[str, KnownPlayer]:
    """Return what the agents know of players: one model each, though many have learned it."""
    return best_known(agent.known_players() for agent in agents.values() if isinstance(agent, KnowsPlayers))


def table_memory(agents: Mapping[Seat, Agent], tally: Tally) -> bytes:
    """Return what agents and tally know, for `recalled`."""
    memories: dict[bytes, int] = {}
    of_seats = {}
    for seat, agent in agents.items():
        if isinstance(agent, Remembers):
            of_seats[seat] = memories.setdefault(agent.memory(), len(memories))
    return pack(_TableMemory(tuple(memories), of_seats, tally.statistics.by_seat(), tuple(tally.hero_net)))


def recalled(
    config: GameConfig, found: tuple[int, bytes] | None, known: KnownPlayers
) -> tuple[dict[Seat, Agent], Tally]:
    """Make agents and tally as they were; where what is stored of them is damaged, as the session began."""
    agents = make_agents(config, known)
    if found is None:
        return agents, Tally()
    try:
        memory = unpack(found[1], _TableMemory)
        for seat, agent in agents.items():
            if seat in memory.of_seats and isinstance(agent, Remembers):
                agent.recall(memory.memories[memory.of_seats[seat]])
        return agents, Tally(memory.statistics, memory.hero_net, found[0])
    except (StoredDataError, IndexError, OverflowError) as error:
        _log.warning("The memories of a session are left out: %s", error)
        return make_agents(config, known), Tally()
