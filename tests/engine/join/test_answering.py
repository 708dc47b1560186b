"""Answers in time: the agent's if it is ready, otherwise the safest legal action."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from time import monotonic

import pytest
from msgspec.structs import replace

from engine.agents.agent import FAILED, NOT_READY, OUT_OF_TIME, Decision, Trace
from engine.agents.explain import explain
from engine.agents.styles import make_agent
from engine.codec import encode
from engine.game.events import CHECK, FOLD, Action, ActionKind, raise_to
from engine.game.observation import Observation
from engine.join.answering import Answer, Answerer
from tests.engine.agents.stored import replay
from tests.engine.join.test_followed_hand import play, told
from tests.engine.join.wire import SECONDS

MOMENT = 0.02
"""A budget that a test waits for in full."""


class Scripted:
    """An agent that does what a test says, and notes what it was asked and told."""

    style = "scripted"

    def __init__(self, choose: Callable[[int], Action]) -> None:
        self._choose = choose
        self.asked: list[tuple[int, float | None]] = []
        self.learned: list[int] = []
        self.threads: set[int] = set()

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        self.asked.append((seed, deadline))
        self.threads.add(threading.get_ident())
        action = self._choose(seed)
        return Decision(
            action, Trace(style=self.style, seed=seed, observation=observation, rule="preflop_fold", action=action)
        )

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        self.threads.add(threading.get_ident())
        if observation.hand_number < 0:
            raise RuntimeError("nothing to learn")
        self.learned.append(len(self.asked))


class Gate:
    """Lets an agent think until the test opens it."""

    def __init__(self) -> None:
        self._open = threading.Event()

    def wait(self, _: int = 0) -> Action:
        assert self._open.wait(SECONDS)
        return raise_to(40)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open()


def is_own(answer: Answer) -> bool:
    """Return whether the agent chose it."""
    return answer.decision.trace.rule not in (OUT_OF_TIME, NOT_READY, FAILED)


def test_the_agents_answer_goes_out_as_it_is() -> None:
    agent = Scripted(lambda _: raise_to(40))
    received = monotonic()
    with closing(Answerer(agent, SECONDS)) as answerer:
        answer = answerer.decide(told().observe(), 7, received)
    assert (answer.decision.action, is_own(answer)) == (raise_to(40), True)
    # Of the margin of 0.25 s the agent leaves half as much again.
    assert agent.asked == [(7, received + SECONDS - 0.375)]
    assert 0 <= answer.seconds < SECONDS - 0.25


def test_it_is_safe_when_the_agent_is_late(gate: Gate) -> None:
    agent = Scripted(gate.wait)
    hand = told()
    with closing(Answerer(agent, MOMENT)) as answerer:
        answer = answerer.decide(hand.observe(), 1)
        assert (answer.decision.action, answer.decision.trace.rule) == (FOLD, OUT_OF_TIME)
        assert answer.seconds > MOMENT / 2
        play(hand, "c c")
        free = told(own_seat=2)
        play(free, "c c")
        assert answerer.decide(free.observe(), 2).decision.action == CHECK
        gate.open()
    # The second question's time was up before it was its turn: it was dropped.
    assert [seed for seed, _ in agent.asked] == [1]


def test_a_late_answer_is_not_taken_for_the_next_one(gate: Gate) -> None:
    agent = Scripted(lambda seed: gate.wait() if seed == 1 else raise_to(60))
    answerer = Answerer(agent, MOMENT)
    assert not is_own(answerer.decide(told().observe(), 1))
    gate.open()
    answerer._think_for = answerer._answer_after = SECONDS
    assert answerer.decide(told().observe(), 2).decision.action == raise_to(60)
    answerer.close()


def test_it_is_safe_when_the_agent_fails(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: int) -> Action:
        raise RuntimeError("no idea")

    with closing(Answerer(Scripted(fail), SECONDS)) as answerer:
        answer = answerer.decide(told().observe(), 1)
        assert answer.decision.action == FOLD
        assert answer.decision.trace.rule == FAILED
        assert answer.seconds < SECONDS / 2
    assert "could not decide" in caplog.text
    assert "no idea" in caplog.text


def wait_for(answerer: Answerer) -> None:
    """Wait until all that was given to the worker is done."""
    done = threading.Event()
    answerer.later(done.set)
    assert done.wait(SECONDS)


def test_everything_is_done_by_one_thread(caplog: pytest.LogCaptureFixture) -> None:
    agent = Scripted(lambda _: FOLD)
    hand = told()
    question = hand.observe()
    play(hand, "f f")
    hand.end()
    with closing(Answerer(agent, SECONDS)) as answerer:
        answerer.decide(question, 1)
        answerer.learn(hand.observe())
        answerer.learn(replace(hand.observe(), hand_number=-1))
        wait_for(answerer)
        answerer.decide(question, 2)
        answerer.learn(hand.observe())
        wait_for(answerer)
    assert agent.learned == [1, 2]
    assert len(agent.threads) == 1
    assert threading.get_ident() not in agent.threads
    assert "learn from a hand" in caplog.text


def test_a_question_comes_before_hands_to_learn_from() -> None:
    """A burst of hands: whatever is still to be learned when a question arrives waits until it is answered."""

    class Learner(Scripted):
        def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
            end = monotonic() + SECONDS
            while not (self.learned or self.asked) and answerer._questions.empty() and monotonic() < end:
                pass  # the first hand takes until the question is there
            super().hand_finished(observation)

    agent = Learner(lambda _: raise_to(40))
    hand = told()
    question = hand.observe()
    play(hand, "f f")
    hand.end()
    with closing(Answerer(agent, SECONDS)) as answerer:
        for _ in range(200):
            answerer.learn(hand.observe())
        assert is_own(answerer.decide(question, 1))
        wait_for(answerer)
    assert len(agent.learned) == 200
    assert agent.learned.count(0) <= 1


def test_what_the_table_took_for_an_answer_is_no_decision_to_learn_from() -> None:
    """A server folds for who is late, and the decision is there all the same."""

    class Learner(Scripted):
        def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
            super().hand_finished(observation)
            taken.append([trace.action for trace in traces])

    taken: list[list[Action]] = []
    with closing(Answerer(Learner(lambda _: raise_to(60)), SECONDS)) as answerer:
        for word in ("r60", "f"):
            hand = told()
            trace = answerer.decide(hand.observe(), 1).decision.trace
            play(hand, f"{word} f f" if word == "r60" else "f f")
            hand.end()
            answerer.learn(hand.observe(), [trace])
        wait_for(answerer)
    assert taken == [[raise_to(60)], []]


def test_what_is_still_to_be_told_at_the_end_is_told_and_nothing_more_is_learned(gate: Gate) -> None:
    """The end comes before everything is prepared: results and records are written all the same."""
    agent = Scripted(lambda _: FOLD)
    written: list[str] = []
    hand = told()
    play(hand, "f f")
    hand.end()
    answerer = Answerer(agent, SECONDS, prepare=lambda: gate.wait() and None)
    answerer.learn(hand.observe())
    answerer.later(lambda: written.append("result"))
    answerer.close()
    assert (written, agent.learned) == (["result"], [])


def test_it_is_safe_while_things_are_prepared_and_says_so(gate: Gate, caplog: pytest.LogCaptureFixture) -> None:
    agent = Scripted(lambda _: raise_to(40))
    with closing(Answerer(agent, MOMENT, prepare=lambda: gate.wait() and None)) as answerer:
        answer = answerer.decide(told().observe(), 1)
        assert (answer.decision.action, answer.decision.trace.rule) == (FOLD, NOT_READY)
        assert "answered fold, since what a decision needs was not loaded yet." in caplog.text
        (claim,) = explain(answer.decision.trace)
        assert claim.text == "What a decision needs was not loaded yet: fold."
        assert replay(answer.decision.trace) == FOLD
        gate.open()
        wait_for(answerer)
        answerer._think_for = answerer._answer_after = SECONDS
        assert answerer.decide(told().observe(), 2).decision.action == raise_to(40)
    assert [seed for seed, _ in agent.asked] == [2]


def test_what_cannot_be_prepared_is_done_without(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("no kernels")

    with closing(Answerer(Scripted(lambda _: raise_to(40)), SECONDS, prepare=fail)) as answerer:
        assert is_own(answerer.decide(told().observe(), 1))
    assert "no kernels" in caplog.text


def test_a_passive_decision_explains_itself_and_is_replayed(gate: Gate) -> None:
    with closing(Answerer(Scripted(gate.wait), MOMENT)) as answerer:
        trace = answerer.decide(told().observe(), 1).decision.trace
        gate.open()
    (claim,) = explain(trace)
    assert claim.text == "There was no time to decide: fold."
    assert replay(trace) == FOLD


def test_a_question_to_who_is_not_to_act_is_refused() -> None:
    hand = told(own_seat=1)
    agent = Scripted(lambda _: Action(ActionKind.FOLD))
    with closing(Answerer(agent, MOMENT)) as answerer:
        answerer._answer_after = -1.0
        with pytest.raises(ValueError, match="Seat 1 is not to act in hand 7"):
            answerer.decide(hand.observe(), 1)


@pytest.mark.parametrize(("words", "own"), [("", 3), ("c c c c c x [2c3c4c]", 1)])
def test_fold_uses_its_time_and_the_count_gives_the_decision_again(
    words: str, own: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the clock is a second after the last: six steps of 4,000 deals end within 6.5 s."""
    clock = iter(range(1000))
    monkeypatch.setattr("engine.equity.win_rate.monotonic", lambda: float(next(clock)))
    hand = told((1000,) * 6, own_seat=own)
    play(hand, words)
    observation = hand.observe()
    timed = make_agent("fold").decide(observation, 9, deadline=6.5)
    assert timed.trace.reading is not None
    assert timed.trace.reading.win_rate.count == 24_000
    again = make_agent("fold").decide(observation, 9, deals=24_000)
    assert encode(again.trace) == encode(timed.trace)
    assert replay(timed.trace) == timed.action
    late = make_agent("fold").decide(observation, 9, deadline=-1.0)
    assert encode(late.trace) == encode(make_agent("fold").decide(observation, 9).trace)
