"""The agent: legal everywhere, the same again from a trace, in time, and with its model's file missing."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.agent import FAILED, Values
from engine.agents.explain import explain
from engine.agents.learned import network
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread import agent as agent_module
from engine.agents.soulread.agent import SoulreadAgent, choose
from engine.agents.styles import make_agent
from engine.codec import encode
from engine.game.events import CALL, CHECK, FOLD, ActionKind, GameKind
from engine.game.observation import Observation
from engine.join.answering import Answerer
from engine.resources import ResourceError
from tests.engine.agents.hands import deal, play, random_table, turn_of
from tests.engine.agents.stored import replay
from tests.engine.join.wire import SECONDS


@pytest.mark.parametrize(
    ("players", "hands"), [(2, 4), (3, 2), (6, 1), pytest.param(8, 1, marks=pytest.mark.slow), (10, 1)]
)
def test_it_plays_by_the_rules(players: int, hands: int) -> None:
    """Stacks of 5 to 500 big blinds, antes, cash and tournament: the table refuses what is not legal."""
    rng = np.random.default_rng(players)
    streets = set()
    agent = SoulreadAgent("soulread")
    for number in range(hands):
        stacks = tuple(int(100 * bb) for bb in rng.choice([5, 20, 100, 500], size=players))
        kind = (GameKind.CASH, GameKind.TOURNAMENT)[number % 2]
        table = deal(stacks, board="Ac8d5s2h9c", ante=10 * (number % 2), kind=kind)
        while not table.is_over:
            observation = turn_of(table)
            decision = agent.decide(observation, 1, deals=1)
            assert decision.trace.values is not None
            values = decision.trace.values.actions
            assert all(
                np.isfinite([one.value, one.stderr, one.behind, one.behind_stderr, one.guard]).all()
                for one in values
            )
            assert observation.legal is not None
            if observation.legal.can_check:
                assert decision.action.kind is not ActionKind.FOLD
            streets.add(observation.street)
            # Mostly on to the next street, where it has to decide again.
            passive = CHECK if observation.legal.can_check else CALL
            table.apply(decision.action if rng.random() < 0.2 else passive)
    assert len(streets) > 2


SPOTS = {
    "preflop": ("", "300"),
    "flop": ("Ac8d5s", "300 c | x 400"),
    "turn": ("Ac8d5s2h", "300 c | x x | x"),
    "river": ("Ac8d5s2h9c", "300 c | x x | x x | x 500"),
}


def spot(name: str) -> Observation:
    board, words = SPOTS[name]
    hero = turn_of(play(deal(board=board), words)).seat
    return turn_of(play(deal(hole_cards={hero: "AsJd"}, board=board), words))


def knowing() -> SoulreadAgent:
    """Return an agent that has seen some hands of its opponents."""
    agent = SoulreadAgent("soulread")
    for words in ("300 c | x 400 c | x 800 c | x 1600 f", "300 900 c | 900 f", "f"):
        table = play(deal(board="Kc9d4s2h7c"), words)
        agent.hand_finished(table.observe(0))
    return agent


class Clock:
    """Tells how often it was asked, in steps of some seconds."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.parametrize("name", SPOTS)
def test_a_decision_is_made_again_bit_for_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    observation, agent = spot(name), knowing()
    monkeypatch.setattr(agent_module, "monotonic", Clock(0.01))
    timed = agent.decide(observation, 5, deadline=0.065).trace
    assert timed.values is not None
    again = SoulreadAgent("soulread")
    again.recall(agent.memory())
    repeated = again.decide(observation, 5, deals=timed.values.samples)
    assert encode(repeated.trace.values) == encode(timed.values)
    assert (repeated.action, replay(timed)) == (timed.action, timed.action)
    free = agent.decide(observation, 5)
    assert encode(again.decide(observation, 5)) == encode(free)
    other = again.decide(observation, 6, deals=timed.values.samples).trace
    assert encode(other.values) != encode(timed.values)


def test_of_near_ties_the_usual_is_done_most_often() -> None:
    """As it shoved queen-three over a raise and a call, which 1 in 1,000 would do, one time in two."""
    observation = turn_of(play(deal(), "200"))
    decided = SoulreadAgent("soulread").decide(observation, 1, deals=1)
    assert decided.trace.values is not None
    fold, *_, shove = decided.trace.values.actions
    usual, odd = replace(fold, guard=0, risk=0, usual=0.95), replace(shove, value=0, guard=0, risk=0, usual=0.05)
    values = replace(decided.trace.values, actions=(usual, odd))
    shoves = sum(choose(values, observation.pot, seed) == shove.action for seed in range(400))
    assert 8 < shoves < 36  # 20 are expected


@pytest.mark.parametrize(("behind", "is_drawn"), [(0.45, True), (0.55, False)])
def test_what_is_half_an_error_behind_may_be_as_good(behind: float, is_drawn: bool) -> None:
    """As it raised three-two from the small blind and not king-two, by what the boards tried happened to be."""
    observation = turn_of(play(deal(), "200"))
    decided = SoulreadAgent("soulread").decide(observation, 1, deals=1)
    assert decided.trace.values is not None
    fold, *_, shove = decided.trace.values.actions
    best = replace(shove, value=40.0, guard=0, risk=0, usual=0.05)
    other = replace(fold, value=40 - 100 * behind, guard=0, risk=0, usual=0.95)
    values = Values((other, best), 512, pair_errors=(100.0,))
    assert other.value < best.value - 0.01 * observation.pot
    assert values.nearly_best(observation.pot) == ((other, best) if is_drawn else (best,))


@pytest.mark.parametrize(("deadline", "steps"), [(0.0205, 1), (0.0505, 3), (0.1005, 8)])
def test_no_step_begins_that_would_end_after_the_deadline(
    deadline: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every reading of the clock is 10 ms after the one before: twice before the first step, then once a step."""
    clock = Clock(0.01)
    monkeypatch.setattr(agent_module, "monotonic", clock)
    trace = SoulreadAgent("soulread").decide(spot("river"), 1, deadline=deadline).trace
    assert trace.values is not None
    assert trace.values.samples == 128 * steps
    assert clock.now <= max(deadline, 0.03)


@pytest.mark.parametrize("name", SPOTS)
def test_after_the_deadline_it_does_what_most_would(name: str) -> None:
    decision = SoulreadAgent("soulread").decide(spot(name), 1, deadline=0.0)
    assert (decision.trace.rule, decision.trace.values) == ("usual", None)
    assert replay(decision.trace) == decision.action
    assert explain(decision.trace)[-1].text.startswith("There was no time to compare actions")


@pytest.mark.parametrize(("cards", "expected"), [("AsAd", ActionKind.RAISE), ("7d2c", ActionKind.FOLD)])
def test_what_most_would_do_is_poker(cards: str, expected: ActionKind) -> None:
    observation = turn_of(play(deal((10_000,) * 6, hole_cards={3: cards}), ""))
    assert observation.seat == 3
    assert SoulreadAgent("soulread").decide(observation, 1, deadline=0.0).action.kind is expected


def test_what_most_would_do_is_legal() -> None:
    rng = np.random.default_rng(3)
    agent, done = SoulreadAgent("soulread"), set()
    for _ in range(6):
        table = random_table(rng)
        while not table.is_over:
            observation = turn_of(table)
            assert observation.legal is not None
            action = agent.decide(observation, 1, deadline=0.0).action
            done.add(action.kind)
            table.apply(action)  # raises if it is not legal
            if observation.legal.can_check:
                assert action.kind is not ActionKind.FOLD
    assert done >= {ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE}


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(network, "RESOURCE", "not_there.npz")
    network.stored.cache_clear()
    network.stored_likelihoods.cache_clear()
    yield
    monkeypatch.undo()
    network.stored.cache_clear()
    network.stored_likelihoods.cache_clear()


@pytest.mark.usefixtures("no_model")
def test_without_its_model_there_is_one_sentence() -> None:
    with pytest.raises(ResourceError, match=r"^The app's file resources/not_there.npz is missing; [^.]*\.$"):
        make_agent("soulread")


def test_where_it_fails_the_safest_action_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a foreign table a free check, otherwise a fold."""

    def fail(*_: object) -> None:
        raise ResourceError("The model cannot be read.")

    agent = make_agent("soulread")
    monkeypatch.setattr(LearnedReader, "read", fail)
    with closing(Answerer(agent, SECONDS)) as answerer:
        for name, safest in (("turn", CHECK), ("river", FOLD)):
            answer = answerer.decide(spot(name), 1)
            assert (answer.decision.action, answer.decision.trace.rule) == (safest, FAILED)
