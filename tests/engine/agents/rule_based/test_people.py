"""Players who play as people do: what changes how they play, and what they do then."""

from collections.abc import Sequence

import numpy as np
import pytest

from engine.agents.agent import Remembers, Trace
from engine.agents.explain import explain
from engine.agents.rule_based.people import (
    BIG_STACK,
    BLUFFING,
    CALM,
    EVEN_STACK,
    HIGH_GEAR,
    LOW_GEAR,
    ON_TILT,
    PEOPLE,
    SHORT_STACK,
    STRAIGHT,
    TRAPPING,
    VALUE_BETTING,
    Person,
)
from engine.agents.rule_based.plays import PLAYS
from engine.agents.styles import STYLES
from engine.cards import CARD_COUNT, Card
from engine.codec import StoredDataError, encode
from engine.game.events import ActionKind, GameKind, SeatStart
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table
from tests.engine.agents.hands import deal, play, turn_of

BOARD = "7h7d2sKc4d"


def mood_of(person: Person, stacks: Sequence[int] = (10_000, 10_000)) -> tuple[str, float]:
    """Return the mood in which a player, on the button at seat 0, begins a hand."""
    trace = person.decide(turn_of(deal(stacks)), 1).trace
    return next((figure.name, figure.value) for figure in trace.figures if figure.name in person.moods)


def finished(words: str, hole_cards: str = "QcTd", other: str = "KhKd") -> Observation:
    return play(deal(hole_cards={0: hole_cards, 1: other}, board=BOARD), words).observe(0)


NOTHING = finished("f")
LOST_BIG = finished("300 c | x 300 c | x 900 c | x 1500 c")
LOST_TO_A_CHECK = finished("300 c | x x | x 300 c | x x")


def opened(person: Person, hands: int = 250) -> float:
    """Return how often a player at six seats comes in with a raise when nobody has."""
    random, done = np.random.default_rng(8), []
    for _ in range(hands):
        table = Table(
            hand_number=1,
            kind=GameKind.CASH,
            seats=[SeatStart(seat, f"P{seat}", 10_000) for seat in range(6)],
            button=3,
            rules=TableRules(50, 100, 0),
            deck=[Card(card) for card in random.permutation(CARD_COUNT).tolist()],
        )
        assert table.to_act == 0
        done.append(person.decide(turn_of(table), int(random.integers(2**62))).action.kind is ActionKind.RAISE)
    return sum(done) / hands


def test_gears_change_by_the_number_of_hands_alone() -> None:
    person = PEOPLE["gear changer"]()
    moods = []
    for _ in range(80):
        moods.append(mood_of(person))
        person.hand_finished(NOTHING)
    one = [*((LOW_GEAR, left) for left in range(24, 0, -1)), *((HIGH_GEAR, left) for left in range(16, 0, -1))]
    assert moods == one * 2


def test_high_gear_raises_more_hands() -> None:
    person = PEOPLE["gear changer"]()
    low = opened(person)
    for _ in range(24):
        person.hand_finished(NOTHING)
    assert opened(person) > low + 0.05


def test_who_tilts_does_so_for_twelve_hands_after_a_big_loss() -> None:
    person = PEOPLE["tilter"]()
    assert mood_of(person) == (CALM, 0)
    person.hand_finished(finished("300 c | x 300 c | x 900 f"))  # lost 6 big blinds or won; no big loss
    assert mood_of(person) == (CALM, 1)
    calm = opened(person)
    person.hand_finished(LOST_BIG)
    assert mood_of(person) == (ON_TILT, 12)
    assert opened(person) > calm + 0.5
    for left in range(11, 0, -1):
        person.hand_finished(NOTHING)
        assert mood_of(person) == (ON_TILT, left)
    person.hand_finished(LOST_BIG)
    assert mood_of(person) == (ON_TILT, 12)
    for _ in range(12):
        person.hand_finished(NOTHING)
    assert mood_of(person)[0] == CALM


def test_what_was_never_seen_is_not_told_as_counted() -> None:
    person = PEOPLE["trapper"]()

    def said() -> str:
        return " ".join(claim.text for claim in explain(person.decide(turn_of(deal()), 1).trace))

    assert "bet 40.0% (as a stranger's, nothing seen yet) of their chances" in said()
    person.hand_finished(finished("300 c | 300 c | 600 c | 1200 c"))
    # They bet all 3 streets; a stranger's 40% weighs 10 chances.
    assert "bet 53.8% (a stranger's 40.0%, 3 seen) of their chances" in said()


def test_who_traps_does_so_where_the_others_bet() -> None:
    person = PEOPLE["trapper"]()
    assert mood_of(person) == (VALUE_BETTING, pytest.approx(0.4))
    for _ in range(5):
        person.hand_finished(finished("300 c | 300 c | 600 c | 1200 c"))  # the other bets every street
    assert mood_of(person)[0] == TRAPPING
    for _ in range(30):
        person.hand_finished(finished("300 c | x x | x x | x x"))
    assert mood_of(person)[0] == VALUE_BETTING


def test_the_stack_decides_how_it_is_played() -> None:
    person = PEOPLE["stack player"]()
    assert mood_of(person) == (EVEN_STACK, 1.0)
    assert mood_of(person, (15_000, 5_000)) == (BIG_STACK, 1.5)
    assert mood_of(person, (14_900, 5_100)) == (EVEN_STACK, pytest.approx(1.49))
    assert mood_of(person, (1_500, 10_000)) == (SHORT_STACK, 15.0)
    assert not isinstance(person, Remembers)
    observation = turn_of(deal((1_000, 10_000), hole_cards={0: "9c9d"}))
    decision = person.decide(observation, 1)
    assert (decision.trace.rule, decision.action.raise_to) == ("push", 1_000)


def test_two_late_bets_that_lost_in_a_row_end_the_bluffs_for_twenty_hands() -> None:
    person = PEOPLE["floater"]()
    assert mood_of(person) == (BLUFFING, 0)
    person.hand_finished(LOST_BIG)
    assert mood_of(person) == (BLUFFING, 1)
    person.hand_finished(LOST_TO_A_CHECK)  # a bet on the turn, too
    assert mood_of(person) == (STRAIGHT, 20)
    person.hand_finished(LOST_BIG)
    assert mood_of(person) == (STRAIGHT, 19)
    for _ in range(19):
        person.hand_finished(NOTHING)
    assert mood_of(person) == (BLUFFING, 0)
    person.hand_finished(LOST_BIG)
    person.hand_finished(finished("300 c | x 300 c | x 900 f"))  # this one worked
    assert mood_of(person) == (BLUFFING, 0)


@pytest.mark.parametrize("style", PEOPLE)
def test_each_knows_plays_by_name_and_says_which(style: str) -> None:
    person = PEOPLE[style]()
    known = {name for mood in person.moods.values() for name, _ in mood.plays}
    assert known <= set(PLAYS)
    assert len(known) >= 3
    assert STYLES[style].plays == tuple(play.title for name, play in PLAYS.items() if name in known)
    for title in STYLES[style].plays:
        assert title in STYLES[style].description


def test_among_them_they_know_every_play_and_no_two_the_same() -> None:
    known = [frozenset(STYLES[style].plays) for style in PEOPLE]
    assert frozenset[str]().union(*known) == {play.title for play in PLAYS.values()}
    assert len(set(known)) == len(known) == 5


@pytest.mark.parametrize("style", PEOPLE)
def test_the_mood_is_said_before_the_reason(style: str) -> None:
    person = PEOPLE[style]()
    trace: Trace = person.decide(turn_of(play(deal(board=BOARD), "300 c | x")), 3).trace
    said = [claim.text for claim in explain(trace)]
    name, _ = mood_of(person)
    (index,) = (at for at, figure in enumerate(trace.figures) if figure.name == name)
    assert explain(trace)[-2].evidence == f"figures[{index}].value"
    assert "{" not in said[-2] + said[-1]


def test_a_play_and_a_mood_in_words() -> None:
    person = PEOPLE["tilter"]()
    person.hand_finished(LOST_BIG)
    observation = turn_of(play(deal(hole_cards={0: "7s2c"}, board=BOARD), "300 c | x x | x x | x"))
    said = next(
        [claim.text for claim in explain(trace)][-2:]
        for trace in (person.decide(observation, seed).trace for seed in range(20))
        if trace.rule == "overbet"
    )
    assert said == [
        "We lost 20 big blinds or more in a hand, and are on tilt: 12 hands more, this one included.",
        "A hand that beats nearly all bets more than the pot, 80.0% of the time: bet 900.",
    ]


@pytest.mark.parametrize("style", [style for style, person in PEOPLE.items() if isinstance(person(), Remembers)])
def test_another_with_the_same_memory_goes_on_alike(style: str) -> None:
    person, other = PEOPLE[style](), PEOPLE[style]()
    assert isinstance(person, Remembers)
    assert isinstance(other, Remembers)
    for hand in (LOST_BIG, LOST_TO_A_CHECK, finished("300 c | 300 c | 600 c | 1200 c")):
        person.hand_finished(hand)
    assert other.memory() != person.memory()
    other.recall(person.memory())
    assert other.memory() == person.memory()
    observation = turn_of(play(deal(board=BOARD), "300 c | x"))
    for seed in range(5):
        assert encode(other.decide(observation, seed).trace) == encode(person.decide(observation, seed).trace)
    for damaged in (b"", b"rubbish", person.memory()[:-1]):
        with pytest.raises(StoredDataError):
            other.recall(damaged)
    assert other.memory() == person.memory()
