"""Soulread, the agent that takes the action of most value; in a tournament, risk counts and a safe lead is kept."""

from collections.abc import Sequence
from time import monotonic

import numpy as np
from msgspec import Struct

from engine.agents.agent import Decision, KnownPlayer, KnownPlayers, Trace, Values
from engine.agents.fold.decide import NotToActError
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.learned.reader import LearnedReader
from engine.agents.reading import reading
from engine.agents.soulread.later_play import Beliefs, LaterPlay
from engine.agents.soulread.survival import counts_rebuys, kept_lead
from engine.cards import Street
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import CHECK, FOLD, Action
from engine.game.observation import Observation

_DEALS = {Street.PREFLOP: 512, Street.FLOP: 512, Street.TURN: 480, Street.RIVER: 512}
"""Deals that actions are tried on without a deadline."""

_MOST_DEALS = 16_384
_SURE = 3.0


class _Memory(Struct, frozen=True):
    """What an agent and its reader have learned."""

    reader: bytes
    later_play: Beliefs


class SoulreadAgent:
    """Compares every action on deals played out against the predicted ranges; remembers opponents by name.

    Between sessions goes what its reader has learned of them; what later play brings is learned at every table.
    """

    def __init__(self, style: str, reader: LearnedReader | None = None) -> None:
        self.style = style
        self.reader = reader or LearnedReader(strangers=OF_PROGRAMS)
        self._later_play = LaterPlay()

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action; `Values.samples` of the trace, as `deals`, makes the same decision again.

        After the deadline, and with 0 deals, it is what an average player does most often with these hole cards.

        Raises
        ------
        NotToActError
            If the seat is not to act.
        """
        from engine.agents.soulread.play import usual_action
        from engine.agents.soulread.values import values_of

        if observation.legal is None:
            raise NotToActError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
        kept = kept_lead(observation)
        if kept:
            action = CHECK if observation.legal.can_check else FOLD
            return Decision(
                action,
                Trace(
                    style=self.style,
                    seed=seed,
                    observation=observation,
                    figures=kept,
                    rule="keep_lead_with_rebuys" if counts_rebuys(observation) else "keep_lead",
                    action=action,
                ),
            )
        if deals == 0 or (deals is None and deadline is not None and monotonic() >= deadline):
            action = usual_action(observation, self.reader)
            return Decision(
                action,
                Trace(style=self.style, seed=seed, observation=observation, rule="usual", action=action),
            )
        predictions = self.reader.read(observation)
        read = reading(observation, predictions, seed, deals=None)
        wanted = deals or _DEALS[observation.street]
        last, longest = monotonic(), 0.0
        later_play = self._later_play.of(observation)
        counted = later_play.value if later_play is not None else 0.0
        for values in values_of(observation, predictions, self.reader, seed, later_play=counted):
            now = monotonic()
            last, longest = now, max(longest, now - last)
            if deadline is None or deals is not None:
                if values.samples >= wanted or (deals is None and _is_settled(values)):
                    break
            elif now + longest > deadline or values.samples >= _MOST_DEALS:
                break
        action = choose(values, observation.pot, seed)
        trace = Trace(
            style=self.style,
            seed=seed,
            observation=observation,
            reading=read,
            figures=(
                *((later_play,) if later_play is not None else ()),
                *self.reader.folds_to_bets(observation, predictions),
            ),
            rule="value",
            action=action,
            values=values,
        )
        return Decision(action, trace)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count a finished hand for everybody in it, and compare what its own decisions won with their values."""
        from engine.agents.soulread.answers import learn_answers

        learn_answers(self.reader, observation, [(trace.observation, trace.action) for trace in traces])
        self.reader.learn(observation.events, observation.seat)
        if self.reader.adapts:
            self._later_play.learn(observation, traces)

    def memory(self) -> bytes:
        """Return what it and its reader have learned."""
        return pack(_Memory(self.reader.memory(), dict(sorted(self._later_play.beliefs.items()))))

    def recall(self, memory: bytes) -> None:
        """Take the memory of another one in the place of its own."""
        try:
            stored = unpack(memory, _Memory)
        except StoredDataError:  # of an earlier version: its reader's alone
            stored = _Memory(memory, {})
        later_play = LaterPlay(stored.later_play)
        self.reader.recall(stored.reader)
        self._later_play = later_play

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what it has learned of each player met."""
        return self.reader.known_players()

    def meet(self, players: KnownPlayers) -> None:
        """Begin with what was learned of players in earlier sessions."""
        self.reader.meet(players)


def _is_settled(values: Values) -> bool:
    """Whether no other action comes near the best one after guard and risk, by `_SURE` standard errors."""
    best = max(values.actions, key=lambda one: one.counted)
    return all(
        one is best or best.counted - one.counted > _SURE * values.error_between(one, best)
        for one in values.actions
    )


def choose(values: Values, pot: int, seed: int) -> Action:
    """Return the action of most value after guard and risk, or one nearly as good.

    The seed draws, each of those as often as players usually do it: what hardly anybody would do is seldom as good
    as it looks.
    """
    near = values.nearly_best(pot)
    usual = np.array([one.usual for one in near])
    return near[int(np.random.default_rng([seed, 3]).choice(len(near), p=usual / usual.sum()))].action
