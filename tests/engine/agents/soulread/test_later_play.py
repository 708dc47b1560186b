"""What later betting is believed to bring: learned as by Bayes' rule in one piece, kept, and told."""

import numpy as np
import pytest
from msgspec import structs

from engine.agents.agent import ActionValue, Figure, Trace, Values
from engine.agents.explain import explain
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.soulread.later_play import LATER_PLAY, OF_STRANGERS, Beliefs, LaterPlay, rounds_to_come
from engine.codec import StoredDataError, encode, pack
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, Seat, SeatStart, end_of, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table
from tests.engine.agents.hands import deal, play, turn_of

HAND = "300 c | x 300 c | x 900 f"
"""The button raises, bets and bets again, and wins 600."""


def valued(action: Action, value: float, later: float, equity: float | None) -> Values:
    """Return the values of folding, and of an action that is worth so many chips."""

    def one(action: Action, value: float, later: float, equity: float | None) -> ActionValue:
        return ActionValue(
            action=action,
            value=value,
            stderr=0.0,
            behind=0.0,
            behind_stderr=0.0,
            all_fold=0.0,
            called_equity=equity,
            later=later,
            usual=0.5,
            guard=0.0,
            samples=1,
        )

    return Values((one(FOLD, 0.0, 0.0, None), one(action, value, later, equity)), 1)


def at(words: str) -> Observation:
    return turn_of(play(deal(board="Kc9d4s2h7c"), words))


def trace(
    words: str,
    action: Action,
    value: float,
    later: float,
    *,
    equity: float | None = 0.5,
    counted: float | None = 2.0,
) -> Trace:
    """Return what a decision was made of after these actions, later betting counting so many big blinds."""
    figures = () if counted is None else (Figure(LATER_PLAY, counted, OF_STRANGERS),)
    return Trace(
        style="soulread",
        seed=1,
        observation=at(words),
        figures=figures,
        rule="value",
        action=action,
        values=valued(action, value, later, equity),
    )


def final(seat: int) -> Observation:
    return play(deal(board="Kc9d4s2h7c"), HAND).observe(seat)


def test_it_is_learned_as_all_decisions_at_once_would_be() -> None:
    """The least squares of what chips won and predicted without it differ by, each in its error, with the prior."""
    button = at("").seat
    decisions = [
        trace("", raise_to(300), 80.0, 0.6),
        trace("300 c | x", raise_to(300), 350.0, 0.5, equity=0.8, counted=1.0),
        trace("300 c | x 300 c | x", raise_to(900), 700.0, 0.5, equity=0.25, counted=-1.0),
    ]
    learned = LaterPlay()
    learned.learn(final(button), decisions)
    after = end_of(final(button).events)
    rows, found, errors = [1.0], [2.0], [2.5]  # the prior is a row of its own
    shares = (3 / 2) ** 0.5 * 0.6, 0.5 * 2 * 0.8, (1 / 2) ** 0.5 * 0.5 * 2 * 0.25
    for one, counted, of_play in zip(decisions, (2.0, 1.0, -1.0), shares, strict=True):
        then = one.observation
        assert one.values is not None
        won = after.stacks[button] - then.me.stack
        share = of_play * min(max((min(then.me.stack, then.opponents[0].stack) / then.pot - 2) / 6, 0), 1)
        rows.append(share)
        found.append((won - one.values.actions[1].value) / 100 + share * counted)
        errors.append(25 * max(then.pot / 500, 1) ** 0.5)
    weighted = np.array(rows) / errors
    expected = float(weighted @ (np.array(found) / errors) / (weighted @ weighted))
    figure = learned.of(decisions[0].observation)
    assert figure is not None
    assert (figure.default, figure.count) == (OF_STRANGERS, 3)
    assert figure.value == pytest.approx(expected)
    assert figure.value != pytest.approx(OF_STRANGERS)


def test_it_finds_what_there_is() -> None:
    """Of many decisions of which each won 5 big blinds more than was predicted without it, those 5."""
    learned, button = LaterPlay(), at("").seat
    ended = final(button)
    won = 900  # the other one's 600 and the own 300 in the pot
    for _ in range(4000):
        learned.learn(ended, [trace("300 c | x", raise_to(300), won - 500 + 200, 1.0)])
    figure = learned.of(at(""))
    assert figure is not None
    assert figure.value == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize(
    ("words", "action", "rounds"),
    [
        ("", raise_to(300), 3),
        ("", CALL, 4),
        ("c", CHECK, 3),
        ("300", CALL, 3),
        ("300 c |", CHECK, 3),
        ("300 c |", raise_to(300), 2),
        ("300 c | x", CHECK, 2),
        ("300 c | 300", CALL, 2),
        ("300 c | x 300", CALL, 2),
        ("300 c | x x |", CHECK, 2),
        ("300 c | x x | x", CHECK, 1),
        ("300 c | x x |", raise_to(300), 1),
    ],
)
def test_rounds_to_come_are_later_streets_and_this_one_where_the_other_opens(
    words: str, action: Action, rounds: int
) -> None:
    assert rounds_to_come(at(words), action) == rounds


@pytest.mark.parametrize(
    "left_out",
    [
        trace("", CALL, 50.0, 0.6),
        structs.replace(trace("", raise_to(300), 80.0, 0.6), action=FOLD),
        structs.replace(trace("", raise_to(300), 80.0, 0.6), values=None),
        trace("", raise_to(300), 80.0, 0.6, counted=None),
        trace("", raise_to(10_000), 80.0, 0.0),
        trace("", raise_to(300), 80.0, 0.0, equity=None),
    ],
    ids=["a limp", "a fold", "not compared", "nothing counted", "nothing later", "never called"],
)
def test_what_says_nothing_of_it_is_left_out(left_out: Trace) -> None:
    learned = LaterPlay()
    learned.learn(final(left_out.observation.seat), [left_out])
    assert learned.beliefs == {}


def test_a_call_of_a_raise_says_something_of_it() -> None:
    learned, called = LaterPlay(), trace("300", CALL, 50.0, 0.6)
    learned.learn(final(called.observation.seat), [called])
    (belief,) = learned.beliefs.values()
    assert (belief.decisions, belief.mean < OF_STRANGERS) == (1, True)


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        ((10_000,) * 3, ""),
        ((10_000,) * 3, "f 300"),
        ((10_000,) * 3, "300 c c | x x"),
        ((10_000, 10_000), "300 c | x x | x x | x"),
        ((10_000, 10_000), "10000"),
        ((1_000, 1_000), "300 c | x"),
    ],
    ids=[
        "three seats",
        "three seats, one left before the flop",
        "two opponents",
        "the river",
        "an all-in",
        "short stacks",
    ],
)
def test_there_is_none_where_nothing_is_to_come(stacks: tuple[int, ...], words: str) -> None:
    assert LaterPlay().of(turn_of(play(deal(stacks, board="Kc9d4s2h7c"), words))) is None


def test_at_tables_of_more_it_counts_where_one_is_left_after_the_flop() -> None:
    """As much as heads-up with as many pots behind, and learned of that opponent."""
    learned, observation = LaterPlay(), turn_of(play(deal((10_000,) * 3, board="Kc9d4s2h7c"), "300 f c | x"))
    figure = learned.of(observation)
    assert figure is not None
    assert (figure.value, figure.count) == (OF_STRANGERS, 0)
    button = observation.seat
    final = play(deal((10_000,) * 3, board="Kc9d4s2h7c"), "300 f c | x 300 c | x x | x x").observe(button)
    made = structs.replace(trace("300 c | x", raise_to(300), 900.0, 0.9), observation=observation)
    learned.learn(final, [made])
    (name,) = learned.beliefs
    assert name == observation.opponents[0].name
    assert learned.beliefs[name].decisions == 1


@pytest.mark.parametrize("seats", [(2, 7), (0, 3), (1, 2)])
def test_seats_may_be_empty(seats: tuple[Seat, Seat]) -> None:
    """As in a tournament: what is learned of a hand is the same wherever its players sit."""

    def table(seats: tuple[Seat, Seat]) -> Table:
        return Table(
            hand_number=1,
            kind=GameKind.CASH,
            seats=[SeatStart(seat, name, 10_000) for seat, name in zip(seats, "AB", strict=True)],
            button=seats[0],
            rules=TableRules(50, 100),
            deck=range(52),
        )

    def beliefs(seats: tuple[Seat, Seat]) -> Beliefs:
        learned, then = LaterPlay(), turn_of(play(table(seats), "300"))
        made = structs.replace(trace("300", CALL, 50.0, 0.6), observation=then)
        learned.learn(play(table(seats), HAND).observe(seats[1]), [made])
        return learned.beliefs

    assert beliefs(seats) == beliefs((0, 1)) != {}


def taught() -> SoulreadAgent:
    """Return an agent on the button that has played some hands, and lost more than it was to win."""
    agent = SoulreadAgent("soulread")
    for _ in range(20):
        hero = at("").seat
        ended = play(deal(board="Kc9d4s2h7c"), "300 900 c | 900 f").observe(hero)
        agent.hand_finished(ended, [trace("", raise_to(300), 300.0, 0.9), trace("300 900", CALL, 100.0, 0.9)])
    return agent


def test_it_counts_in_decisions_is_kept_and_told() -> None:
    """The decision of one that recalls the memory is the same, that of one without another."""
    agent, observation = taught(), at("300 c | x")
    made = agent.decide(observation, 1, deals=128)
    figure = made.trace.figures[0]
    assert (figure.name, figure.count) == (LATER_PLAY, 40)
    assert figure.value < 0.5
    again = SoulreadAgent("soulread")
    again.recall(agent.memory())
    assert encode(again.decide(observation, 1, deals=128)) == encode(made)
    stranger = SoulreadAgent("soulread")
    for _ in range(20):  # the same hands without what was predicted
        stranger.hand_finished(play(deal(board="Kc9d4s2h7c"), "300 900 c | 900 f").observe(at("").seat))
    other = stranger.decide(observation, 1, deals=128).trace
    assert other.figures[0] == Figure(LATER_PLAY, OF_STRANGERS, OF_STRANGERS)
    assert other.figures[1:] == made.trace.figures[1:]
    assert other.values is not None
    assert made.trace.values is not None
    for one, without in zip(made.trace.values.actions, other.values.actions, strict=True):
        assert one.called_equity is not None  # with turn and river to come after any action here
        less = (OF_STRANGERS - figure.value) * observation.big_blind * one.later * 2 * one.called_equity
        assert without.value - one.value == pytest.approx(less, abs=1e-6)
    told = [claim for claim in explain(made.trace) if claim.evidence == "figures[0].value"]
    assert len(told) == 1
    assert told[0].stage == 4
    assert told[0].text.endswith("as 40 decisions went: to win us 200 against a stranger.")
    assert not any(claim.evidence == "figures[0].value" for claim in explain(other))


@pytest.mark.parametrize(
    ("stack", "value", "count", "said"),
    [
        (
            10_000,
            4.53,
            39,
            "to win us 450 more against B than the deals show, as 39 decisions went: to win us 200 against",
        ),
        # With 3,000 behind in a pot of 600 half of it counts.
        (
            3_300,
            4.53,
            39,
            "to win us 230 more against B than the deals show, as 39 decisions went: to win us 100 against",
        ),
        (
            10_000,
            -1.26,
            1_200,
            "to lose us 130 more against B than the deals show, as 1,200 decisions went: to win us 200 against",
        ),
        (
            10_000,
            2.6,
            1,
            "to win us 260 more against B than the deals show, as one decision went: to win us 200 against",
        ),
        (10_000, 2.4, 39, None),
        (3_300, 2.6, 39, None),
    ],
)
def test_a_sentence_says_what_is_out_of_the_usual(stack: int, value: float, count: int, said: str | None) -> None:
    figure = Figure(LATER_PLAY, value, OF_STRANGERS, count)
    observation = turn_of(play(deal((stack, stack), board="Kc9d4s2h7c"), "300 c | x"))
    made = structs.replace(
        trace("300 c | x", raise_to(300), 350.0, 0.5), observation=observation, figures=(figure,)
    )
    told = [claim.text for claim in explain(made) if "later streets" in claim.text]
    assert len(told) == (said is not None)
    assert all(said is not None and said in text for text in told)


def test_the_player_at_the_table_is_you() -> None:
    observation = turn_of(play(deal(board="Kc9d4s2h7c", names=("A", "You")), "300 c | x"))
    figure = Figure(LATER_PLAY, 4.53, OF_STRANGERS, 39)
    made = structs.replace(
        trace("300 c | x", raise_to(300), 350.0, 0.5), observation=observation, figures=(figure,)
    )
    (text,) = [claim.text for claim in explain(made) if "later streets" in claim.text]
    assert "more against you than the deals show" in text


def test_the_memory_of_an_earlier_version_is_its_readers_alone() -> None:
    agent, other = taught(), SoulreadAgent("soulread")
    other.recall(agent.reader.memory())
    assert other.reader.memory() == agent.reader.memory()
    figure = other.decide(at("300 c | x"), 1, deals=128).trace.figures[0]
    assert (figure.value, figure.count) == (OF_STRANGERS, 0)


@pytest.mark.parametrize("certainty", [0.0, -1.0, float("inf"), float("nan")])
def test_a_damaged_memory_changes_nothing(certainty: float) -> None:
    agent = taught()
    before = agent.memory()
    belief = {"mean": 1.0, "certainty": certainty, "decisions": 1}
    with pytest.raises(StoredDataError):
        agent.recall(pack({"reader": agent.reader.memory(), "later_play": {"B": belief}}))
    with pytest.raises(StoredDataError):
        agent.recall(b"nothing")
    assert agent.memory() == before


def test_hidden_cards_change_nothing() -> None:
    """What is learned of a hand is the same whatever the other one folded."""
    button = at("").seat
    found = []
    for cards in ("QhQd", "7h2d"):
        table = play(deal(hole_cards={button: "AsJd", 1 - button: cards}, board="Kc9d4s2h7c"), HAND)
        learned = LaterPlay()
        learned.learn(table.observe(button), [trace("", raise_to(300), 80.0, 0.6)])
        found.append(learned.beliefs)
    assert found[0] == found[1] != {}
