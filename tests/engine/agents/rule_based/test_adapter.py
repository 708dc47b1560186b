"""A player who adapts: what is counted, how play moves with it, and what is remembered."""

import pytest

from engine.agents.agent import Decision, Figure
from engine.agents.explain import explain
from engine.agents.rule_based.adapter import BETS, FOLDS, MOST_REMEMBERED, OPENS, Adapter
from engine.cards import CARD_COUNT, Card, format_cards, parse_cards
from engine.codec import StoredDataError, encode
from engine.game.events import ActionKind
from engine.game.observation import Observation
from tests.engine.agents.hands import deal, play, turn_of

BOARD = "Kc8d3h7s2c"
DEEP = [10_000] * 2


def after(words: str, hands: int = 40) -> Adapter:
    """Return an adapter in seat 0, heads-up on the button, who has seen the same hand so many times."""
    agent = Adapter()
    finished = play(deal(DEEP, board=BOARD), words).observe(0)
    for _ in range(hands):
        agent.hand_finished(finished)
    return agent


def known(decision: Decision, name: str) -> Figure:
    return next(figure for figure in decision.trace.figures if figure.name == name)


def spots(words: str) -> list[Observation]:
    """Return the same moment of a hand heads-up for every tenth pair of hole cards of seat 0."""
    left = [Card(card) for card in range(CARD_COUNT) if card not in parse_cards(BOARD)]
    pairs = [(first, second) for first in left for second in left if first < second]
    found = [
        turn_of(play(deal(DEEP, hole_cards={0: format_cards(pair)}, board=BOARD), words)) for pair in pairs[::10]
    ]
    assert all(observation.seat == 0 for observation in found)
    return found


def spots_with_nothing() -> list[Observation]:
    """Return free flops with hands to the ten that hit nothing of them."""
    ranks = {card >> 2 for card in parse_cards(BOARD[:6])}
    return [
        spot
        for spot in spots(FREE)
        if (own := {card >> 2 for card in spot.hole_cards}) and len(own) == 2 and not own & ranks and max(own) < 9
    ]


def often(agent: Adapter, observations: list[Observation], *kinds: ActionKind) -> float:
    done = [agent.decide(observation, seed).action.kind in kinds for seed, observation in enumerate(observations)]
    return sum(done) / len(done)


# Hands of seat 1, in the big blind, against seat 0.
FOLDER = "300 c | x 300 f"
CALLER = "300 c | x 300 c | x 600 c | x 1200 c"
BETTOR = "300 c | 500 f"
FREE = "300 c | x"
FACING_BET = "300 c | 500"


def test_who_folds_much_is_bluffed() -> None:
    nothing = spots_with_nothing()
    stranger, folder, caller = (often(agent, nothing, ActionKind.RAISE) for agent in (Adapter(), *watched()))
    assert folder > stranger + 0.2
    assert caller < stranger


def watched() -> tuple[Adapter, Adapter]:
    return after(FOLDER), after(CALLER)


def test_who_calls_much_is_bet_for_value_and_not_bluffed() -> None:
    """Nothing is bet less often, fair hands such as second pair more often, and top pair for more."""
    stranger, caller = Adapter(), after(CALLER)
    nothing = spots_with_nothing()
    assert often(caller, nothing, ActionKind.RAISE) < 0.05 < often(stranger, nothing, ActionKind.RAISE)
    fair = [turn_of(play(deal(DEEP, hole_cards={0: hand}, board=BOARD), FREE)) for hand in ("AhQd", "8h7d", "6c6d")]
    assert often(caller, fair * 20, ActionKind.RAISE) > often(stranger, fair * 20, ActionKind.RAISE) + 0.1
    kings = turn_of(play(deal(DEEP, hole_cards={0: "KhKd"}, board=BOARD), FREE))
    assert caller.decide(kings, 1).action.raise_to >= stranger.decide(kings, 1).action.raise_to > 0
    fairly_good = turn_of(play(deal(DEEP, hole_cards={0: "KhTd"}, board=BOARD), FREE))
    assert caller.decide(fairly_good, 1).action.raise_to > stranger.decide(fairly_good, 1).action.raise_to


def test_who_bets_much_is_called_down() -> None:
    on = (ActionKind.CALL, ActionKind.RAISE)
    stranger, bettor = (often(agent, spots(FACING_BET), *on) for agent in (Adapter(), after(BETTOR)))
    quiet = often(after("300 c | x x | x x | x x"), spots(FACING_BET), *on)
    assert quiet < stranger < bettor


def test_who_opens_much_is_raised_again_more_often() -> None:
    def answers(agent: Adapter, *kinds: ActionKind) -> float:
        left = range(0, CARD_COUNT)
        pairs = [(Card(first), Card(second)) for first in left for second in left if first < second][::7]
        tables = [deal(DEEP, hole_cards={0: format_cards(pair)}, button=1) for pair in pairs]
        return often(agent, [turn_of(play(table, "300")) for table in tables], *kinds)

    def met(words: str) -> Adapter:
        agent = Adapter()
        for _ in range(40):
            agent.hand_finished(play(deal(DEEP, button=1), words).observe(0))
        return agent

    opener, folder = met("300 f"), met("f")
    assert (
        answers(folder, ActionKind.RAISE) < answers(Adapter(), ActionKind.RAISE) < answers(opener, ActionKind.RAISE)
    )
    assert answers(folder, ActionKind.FOLD) > answers(Adapter(), ActionKind.FOLD) > answers(opener, ActionKind.FOLD)


def test_a_decision_tells_what_was_counted() -> None:
    agent = after(FOLDER, 10)
    decision = agent.decide(spots(FREE)[0], 1)
    folds = known(decision, FOLDS)
    assert folds.count == 10
    assert folds.value == pytest.approx((12 * 0.42 + 10) / 22)
    assert folds.default == pytest.approx(0.42)
    facing = agent.decide(spots(FACING_BET)[0], 1)
    assert known(facing, BETS).count == 10  # checked each time
    assert known(facing, BETS).value < known(facing, BETS).default
    opened = turn_of(play(deal(DEEP, button=1), "300"))
    assert known(agent.decide(opened, 1), OPENS).count == 0  # never asked first


def test_an_adapted_decision_says_so() -> None:
    agent = after(FOLDER)
    decisions = [agent.decide(spot, seed) for seed, spot in enumerate(spots(FREE))]
    adapted = [decision for decision in decisions if decision.trace.rule == "adapted_to_folds"]
    assert adapted
    # Of 40 bets all were folded to; a stranger's 42% weighs 12.
    said = f"folded to {(12 * 0.42 + 40) / 52:.1%} (a stranger's 42.0%, 40 seen) of the time:"
    assert said in explain(adapted[0].trace)[-1].text


def test_oneself_is_not_counted() -> None:
    agent = Adapter()
    agent.hand_finished(play(deal(DEEP, board=BOARD), FOLDER).observe(0))
    other = Adapter()
    other.hand_finished(play(deal(DEEP, board=BOARD), FOLDER).observe(1))
    assert agent.memory() != other.memory()


def test_what_is_remembered_is_by_name_and_bounded() -> None:
    agent = Adapter()
    for number in range(MOST_REMEMBERED + 20):
        agent.hand_finished(play(deal(DEEP, board=BOARD, names=("Me", f"P{number}")), FOLDER).observe(0))

    def seen(number: int) -> float:
        spot = turn_of(play(deal(DEEP, board=BOARD, names=("Me", f"P{number}")), FREE))
        return known(agent.decide(spot, 1), FOLDS).count

    assert seen(19) == 0  # the first ones are forgotten
    assert seen(20) == 1
    assert seen(MOST_REMEMBERED + 19) == 1
    assert len(agent.memory()) < 20_000


def test_another_with_the_same_memory_decides_alike() -> None:
    agent, other = after(FOLDER), Adapter()
    other.recall(agent.memory())
    assert other.memory() == agent.memory()
    for seed, spot in enumerate(spots(FREE)[:20]):
        assert encode(other.decide(spot, seed).trace) == encode(agent.decide(spot, seed).trace)


def test_a_damaged_memory_is_refused_and_changes_nothing() -> None:
    agent = after(FOLDER)
    memory = agent.memory()
    for damaged in (b"", b"rubbish", memory[:-5]):
        with pytest.raises(StoredDataError):
            agent.recall(damaged)
    assert agent.memory() == memory
