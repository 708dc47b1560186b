"""Who plays the strategy: legal at any depth, the same for the same seed, and blind to hidden cards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.agents.agent import Trace
from engine.agents.evolved.agent import CHOSEN, DRAWN
from engine.agents.explain import explain, figure_number
from engine.agents.fold.decide import NotToActError
from engine.agents.near_equilibrium.agent import (
    BUCKET,
    FOLDS_KEPT,
    NEAREST_RULE,
    PLACE,
    SOLVED_RULE,
    STEP_NAMES,
    NearEquilibriumAgent,
    action_of,
    seen_place,
)
from engine.agents.near_equilibrium.betting_tree import Place, Step, betting_tree
from engine.agents.near_equilibrium.buckets import bucket_count, bucket_of, bucket_text, preflop_buckets
from engine.agents.near_equilibrium.strategy import Strategy
from engine.agents.styles import make_agent, most_seats, style_label
from engine.cards import COMBO_COUNT, Card, HoleCards, Street, cards_of, parse_cards
from engine.codec import decode, encode
from engine.game.events import ActionKind
from engine.game.table import Table
from tests.engine.agents.hands import BOARDS, deal, play, turn_of
from tests.engine.agents.stored import evidence_of


def strategy_by_lot(seed: int = 1) -> Strategy:
    random = np.random.default_rng(seed)
    return tuple(
        random.dirichlet(np.ones(len(place.steps)), bucket_count(place.street)) for place in betting_tree()
    )


def played_out(table: Table, seed: int) -> list[Trace]:
    """Let the strategy by lot play against who does anything; give its traces."""
    agent, other, traces = NearEquilibriumAgent(strategy_by_lot()), make_agent("random"), []
    random = np.random.default_rng(seed)
    while not table.is_over:
        player = agent if table.to_act == 0 else other
        decision = player.decide(turn_of(table), int(random.integers(2**62)))
        if player is agent:
            traces.append(decision.trace)
        table.apply(decision.action)  # raises if it is not legal
    return traces


@given(
    st.integers(101, 60_000), st.integers(101, 60_000), st.sampled_from([0, 10]), st.integers(0, 1), st.integers(0)
)
def test_every_decision_is_legal_and_explained(one: int, other: int, ante: int, button: int, seed: int) -> None:
    for trace in played_out(deal([one, other], ante=ante, button=button, board="AcTd4h7s2c"), seed):
        values = {figure.name: figure.value for figure in trace.figures}
        odds = np.array([values[name] for name in STEP_NAMES.values()])
        assert odds.sum() == pytest.approx(1)
        assert trace.rule in (SOLVED_RULE, NEAREST_RULE)
        place = betting_tree()[int(values[PLACE])]
        assert place.street == trace.observation.street
        assert values[CHOSEN] in odds
        legal = trace.observation.legal
        assert legal is not None
        assert (place.to_call > 0) == (legal.call_amount > 0)
        if legal.can_check:
            assert trace.action.kind is not ActionKind.FOLD
        claims = explain(decode(encode(trace), Trace))
        assert any(bucket_text(place.street, 0)[-6:] in claim.text or "equity" in claim.text for claim in claims)
        for claim in claims:
            evidence_of(trace, claim.evidence)


def test_the_number_drawn_chooses_by_the_odds_shown() -> None:
    observation = turn_of(deal([20_000, 20_000]))
    agent = NearEquilibriumAgent(strategy_by_lot())
    number = bucket_of(observation.hole_cards, ()).number
    for seed in range(200):
        trace = agent.decide(observation, seed).trace
        values = {figure.name: figure.value for figure in trace.figures}
        assert any(f"which is bucket {number + 1} of 14: " in claim.text for claim in explain(trace))
        assert "%" not in figure_number(next(one for one in trace.figures if one.name == BUCKET))
        passed = np.cumsum([values[name] for name in STEP_NAMES.values()])
        step = Step(int(np.searchsorted(passed, values[DRAWN], side="right")))
        assert trace.action == action_of(step, observation)
        assert values[CHOSEN] == values[STEP_NAMES[step]]


def test_it_plays_heads_up_and_on_its_turn_alone() -> None:
    assert most_seats("near-equilibrium") == 2
    assert style_label("near-equilibrium") == "Near-equilibrium"
    table = deal([10_000] * 2)
    waiting = next(seat for seat in table.seats if seat != table.to_act)
    with pytest.raises(NotToActError):
        make_agent("near-equilibrium").decide(table.observe(waiting), 1)


def test_hidden_cards_change_no_decision() -> None:
    for words in ("", "300 c | x 300 c | 700"):
        seat = turn_of(play(deal([20_000] * 2, board="AcTd4h7s2h"), words)).seat
        one, other = (
            turn_of(play(deal([20_000] * 2, hole_cards={seat: "KdQd", 1 - seat: theirs}, board=board), words))
            for theirs, board in (("2c2d", "AcTd4h7s2h"), ("AsAh", "AcTd4h7s9h"))
        )
        agent = make_agent("near-equilibrium")
        assert encode(agent.decide(one, 7).trace) == encode(agent.decide(other, 7).trace)


def place_after(words: str) -> Place:
    seen = seen_place(turn_of(play(deal([20_000] * 2, board="AcTd4h7s2c"), words)))
    assert seen is not None
    return seen.place


def test_bets_count_as_those_of_the_small_game() -> None:
    assert place_after("").line == ()
    assert place_after("200").line == place_after("300").line == (Step.POT,)
    assert place_after("20000").line == (Step.ALL_IN,)
    assert place_after("300 c | x 100").line == (Step.POT, Step.CALL, Step.CALL, Step.POT)


def test_a_hand_folds_to_a_smaller_bet_by_how_much_cheaper_a_call_is() -> None:
    """A bluff of x pots breaks even if x / (1 + x) of hands fold."""
    agent = NearEquilibriumAgent(strategy_by_lot())
    folds = {}
    for bet in (100, 150, 300, 600):
        trace = agent.decide(turn_of(play(deal([20_000] * 2, board="AcTd4h7s2c"), f"300 c | x {bet}")), 1).trace
        values = {figure.name: figure.value for figure in trace.figures}
        folds[bet] = values[STEP_NAMES[Step.FOLD]]
        assert values[FOLDS_KEPT] == pytest.approx((bet / (600 + bet)) / (600 / 1200))
    for bet, share in folds.items():
        assert share / folds[600] == pytest.approx(2 * bet / (600 + bet))


def test_betting_that_the_small_game_has_not_is_played_as_what_is_most_like_it() -> None:
    """An all-in there that leaves chips here, and a raise where it has none."""
    table = play(deal([60_000, 60_000], board="AcTd4h7s2c"), "300 900 | 19000 c | x")
    trace = NearEquilibriumAgent(strategy_by_lot()).decide(turn_of(table), 1).trace
    assert trace.rule == NEAREST_RULE
    assert any(claim.text.startswith("Most like it is: Preflop: ") for claim in explain(trace))


# Buckets


def test_buckets_before_the_flop_hold_whole_hand_classes_and_are_those_of_hands() -> None:
    buckets = preflop_buckets()
    assert set(buckets.tolist()) == set(range(bucket_count(Street.PREFLOP)))
    assert [bucket_of(cards_of(combo), ()).number for combo in range(0, COMBO_COUNT, 7)] == buckets[::7].tolist()


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_hand_is_in_a_bucket_whose_words_hold_its_equity(size: int) -> None:
    street, seen = Street(size - 2), set()
    for board in BOARDS:
        deck = [Card(card) for card in range(52) if card not in board[:size]]
        for at in range(len(deck) - 1):
            hand: HoleCards = (deck[at], deck[(at + 17) % len(deck)])
            number, equity = bucket_of(hand, board[:size])
            words = bucket_text(street, number)
            assert 0 <= number < bucket_count(street)
            seen.add(number)
            low, high = 0.0, 1.0
            percents = [
                int(word) / 100 for word in words.replace("-", " ").replace("%", " ").split() if word.isdigit()
            ]
            if "less than" in words:
                high = percents[0]
            elif "or more" in words:
                low = percents[0]
            else:
                low, high = percents
            assert low <= equity <= high
    assert len(seen) >= bucket_count(street) - 1


def test_the_order_of_a_board_changes_no_bucket() -> None:
    hand = parse_cards("Jh9h")
    board = parse_cards("Qh7h2c")
    found = {bucket_of((hand[0], hand[1]), tuple(board[at] for at in order)) for order in ((0, 1, 2), (2, 0, 1))}
    found |= {bucket_of((hand[1], hand[0]), board)}
    assert len(found) == 1
    assert bucket_text(Street.FLOP, next(iter(found)).number).startswith("a strong draw")
