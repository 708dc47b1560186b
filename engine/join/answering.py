"""Answers in time: the agent thinks in one worker thread, and an answer leaves before the server's limit.

An agent that is not ready in time is replaced by the safest legal action: a free check, otherwise a fold. Its
memory is touched by the worker alone, which learns, writes and reports between the questions.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Final

from msgspec import Struct

from engine.agents.agent import FAILED, NOT_READY, OUT_OF_TIME, Agent, Decision, Trace
from engine.agents.fold.decide import passive_action
from engine.game.events import ActionTaken
from engine.game.observation import Observation

_MARGIN_SHARE: Final = 0.2
_MOST_MARGIN_SECONDS: Final = 0.25
_AGENT_SHARE: Final = 0.5
"""Share of the margin that the agent leaves to whatever follows its last sample."""
_WHY: Final = {
    OUT_OF_TIME: "there was no time to decide",
    NOT_READY: "what a decision needs was not loaded yet",
    FAILED: "no decision could be made",
}

_log = logging.getLogger(__name__)


class Answer(Struct, frozen=True):
    """What goes out after so many seconds: the agent's decision, or the safest action, whose trace says why."""

    decision: Decision
    seconds: float


class Answerer:
    """An agent that answers in time.

    Parameters
    ----------
    agent : Agent
        From now on the worker's alone.
    budget_seconds : float
        What the server allows for a decision; a fifth, at most 0.25 s, is kept for the way and a busy computer.
    prepare : callable, optional
        What the worker does before anything else; until then it decides nothing.
    """

    def __init__(self, agent: Agent, budget_seconds: float, *, prepare: Callable[[], None] | None = None) -> None:
        margin_seconds = min(_MARGIN_SHARE * budget_seconds, _MOST_MARGIN_SECONDS)
        self.style = agent.style
        self._agent = agent
        self._answer_after = budget_seconds - margin_seconds
        self._think_for = max(self._answer_after - _AGENT_SHARE * margin_seconds, 0.0)
        self._asked = 0
        self._is_closing = self._is_left = self._is_thinking = False
        self._prepare = prepare
        self._is_ready = prepare is None
        self._questions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[int, Decision | None]] = SimpleQueue()
        self._worker = Thread(target=self._work, name="answers", daemon=True)
        self._worker.start()

    def decide(self, observation: Observation, seed: int, received: float | None = None) -> Answer:
        """Choose a legal action for the observing seat, whose turn it is, in time, whatever the agent does.

        `received` is the question's time by `time.monotonic`; now by default.
        """
        began = monotonic() if received is None else received
        self._asked += 1
        number = self._asked
        self._questions.put(lambda: self._decide(number, observation, seed, began + self._think_for))
        self._tasks.put(lambda: None)  # wakes the worker
        rule, decision = OUT_OF_TIME, None
        while decision is None:
            try:
                answered, decision = self._answers.get(timeout=max(began + self._answer_after - monotonic(), 0))
            except Empty:
                self._asked += 1  # nothing is to be thought about it any more
                break
            if answered == number and decision is None:
                rule = FAILED
                break
            if answered != number:  # to a question whose time was up
                decision = None
        if decision is None:
            rule = rule if self._is_ready else NOT_READY
            decision = _safest(self.style, observation, seed, rule)
        return Answer(decision, monotonic() - began)

    def learn(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Let the agent learn from a finished hand when no question waits; returns at once."""
        self.later(lambda: self._learn(observation, traces))

    def later(self, task: Callable[[], None]) -> None:
        """Have the worker do something that no answer may wait for, in its turn; returns at once."""
        self._tasks.put(task)

    def close(self, timeout: float = 5.0) -> None:
        """End the worker after what it still has to do; a decision that never ends is left behind.

        Where that takes longer than `timeout`, or preparing goes on, nothing more is learned, but all is reported.
        """
        self._asked += 1
        self._is_closing = True
        self._tasks.put(None)
        if self._is_ready:
            self._worker.join(timeout)
        self._is_left = True
        if self._is_ready:
            self._worker.join(timeout)
        while self._is_ready and self._worker.is_alive() and not self._is_thinking:
            self._worker.join(timeout)
        if not self._is_ready or not self._worker.is_alive():
            with suppress(Empty):  # what it did not come to while it prepared
                while (task := self._tasks.get_nowait()) is not None:
                    self._do(task)

    def _work(self) -> None:
        if self._prepare is not None:
            self._do(self._prepare)
            self._is_ready = True
            if self._is_closing:
                return
        while (task := self._tasks.get()) is not None:
            while not self._questions.empty():
                self._questions.get()()
            self._do(task)

    def _do(self, task: Callable[[], None]) -> None:
        try:
            task()
        except Exception:  # whatever an agent raises, the game goes on
            _log.exception("An agent of style %s could not prepare, learn from a hand or tell of it", self.style)

    def _learn(self, observation: Observation, traces: Sequence[Trace]) -> None:
        if self._is_left:
            return
        self._is_thinking = True
        try:
            self._agent.hand_finished(observation, [trace for trace in traces if _was_taken(trace, observation)])
        finally:
            self._is_thinking = False

    def _decide(self, number: int, observation: Observation, seed: int, deadline: float) -> None:
        if number != self._asked:
            return  # its time was up before it began
        decision = None
        self._is_thinking = True
        try:
            decision = self._agent.decide(observation, seed, deadline=deadline)
        except Exception:  # the game goes on with the safest action
            _log.exception("An agent of style %s could not decide", self.style)
        finally:
            self._is_thinking = False
        self._answers.put((number, decision))


def _was_taken(trace: Trace, final: Observation) -> bool:
    """Whether the table took what was decided, rather than something else for an answer that came late or not."""
    since = final.events[len(trace.observation.events) :]
    taken = next((event for event in since if isinstance(event, ActionTaken)), None)
    return taken is not None and (taken.seat, taken.action) == (final.seat, trace.action)


def _safest(style: str, observation: Observation, seed: int, rule: str) -> Decision:
    legal = observation.legal
    if legal is None:
        raise ValueError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
    action = passive_action(legal)
    _log.warning("Hand %d: answered %s, since %s.", observation.hand_number, action.kind, _WHY[rule])
    return Decision(action, Trace(style=style, seed=seed, observation=observation, rule=rule, action=action))
