from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
import pytest

from engine.agents.agent import Prediction, Thresholds, Trace
from engine.agents.fold.agent import FoldAgent
from engine.agents.fold.decide import (
    Choice,
    NotToActError,
    adjust_thresholds,
    choose,
    is_middle_pair,
    is_speculative,
    scale_odds,
    scale_thresholds,
    scenario_of,
    sized_raise,
)
from engine.agents.fold.parameters import OptionError, Parameters, default_parameters, with_options
from engine.agents.readers import make_reader
from engine.agents.styles import make_agent
from engine.cards import (
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    Card,
    Street,
    combos_of_class,
    format_cards,
    parse_cards,
)
from engine.codec import decode, encode
from engine.equity.outs import outs_of_hand
from engine.game.events import CALL, CHECK, FOLD, ActionKind, GameKind, raise_to
from engine.game.observation import Observation
from tests.engine.agents.hands import deal, play, random_table, reading_of, turn_of
from tests.engine.agents.stored import replay

PARAMETERS = default_parameters()
NUMBERS = PARAMETERS.decision


def decide(
    observation: Observation, win: float, outs: str | None = None, seed: int = 1, options: str = ""
) -> Choice:
    numbers = with_options(PARAMETERS, options.split())
    return choose(reading_of(win, outs, 0.315 if outs else 0.0), observation, seed, numbers)


def adjusted(observation: Observation, parameters: Parameters = PARAMETERS) -> dict[str, Thresholds]:
    """Give the thresholds after each adjustment, by its code, in order; "base" first."""
    base, adjustments = adjust_thresholds(scenario_of(observation), observation, parameters)
    return {"base": base} | {adjustment.code: adjustment.after for adjustment in adjustments}


def odds(threshold: float) -> float:
    return threshold / (1 - threshold)


def facing_on_the_flop(bet: int = 300, cards: str = "Kd9d", board: str = "AcTd4h7s2c") -> Observation:
    """Give heads-up: 600 in the pot, the big blind bets the flop, the button (cards) is to act."""
    return turn_of(play(deal(hole_cards={0: cards}, board=board), f"300 c | {bet}"))


def free_on_the_flop(cards: str = "Kd9d", board: str = "AcTd4h7s2c") -> Observation:
    return turn_of(play(deal(hole_cards={0: cards}, board=board), "300 c | x"))


# Scenario


def test_the_scenario_is_read_off_the_table() -> None:
    table = play(deal([10_000] * 5), "c 300 f")
    scenario = scenario_of(turn_of(table))  # small blind
    assert (scenario.opponents, scenario.behind, scenario.raises, scenario.to_call) == (3, 2, 1, 250)
    assert scenario.facing_size == pytest.approx(200 / 350)  # 300 to 100: 200 more into 250 + 100
    # 50 and 250 of ours, 300 each of three others: 1,200 in all.
    assert scenario.needed == pytest.approx(250 / 1200)
    assert scenario.depth_bb == 100
    assert not scenario.is_last
    flop = scenario_of(turn_of(play(deal([10_000] * 3), "300 c c | x x")))
    assert (flop.is_last, flop.behind, flop.raises, flop.to_call, flop.needed) == (True, 0, 0, 0, 0.0)


def test_what_a_call_needs_counts_stacks_that_cannot_follow() -> None:
    # The big blind has 150 in all and cannot put in more.
    scenario = scenario_of(turn_of(play(deal([10_000, 10_000, 150]), "1000")))
    assert scenario.needed == pytest.approx(950 / 2150)


def test_a_seat_that_is_not_to_act_cannot_decide() -> None:
    table = deal()
    with pytest.raises(NotToActError, match="Seat 1 is not to act"):
        scenario_of(table.observe(1))


# Thresholds


def test_base_thresholds_are_those_of_the_file() -> None:
    base = adjusted(free_on_the_flop())["base"]
    assert base == Thresholds(0.70, NUMBERS.base.raise_half, NUMBERS.base.raise_pot)


def test_odds_scale_thresholds() -> None:
    assert scale_odds(0.5, 3) == pytest.approx(0.75)
    assert scale_odds(0.9, 1) == pytest.approx(0.9)
    opened = scale_thresholds(Thresholds(0.7, 0.75, 0.85), raise_half=0.2, is_open=True)
    assert opened == Thresholds(pytest.approx(0.375), pytest.approx(0.375), 0.85)
    raised = scale_thresholds(Thresholds(0.7, 0.75, 0.85), raise_half=5.0, raise_pot=0.2)
    assert raised == Thresholds(0.7, pytest.approx(0.9375), pytest.approx(0.9375))


def test_more_players_lower_every_threshold() -> None:
    # Li et al. 2017, sec. 4.5: 70% two-handed, 55% three-handed.
    after = {}
    for count in range(2, 11):
        words = " ".join(["c"] * (count - 1)) + " x | " + " ".join(["x"] * (count - 1))
        after[count] = adjusted(turn_of(play(deal([10_000] * count), words)))["players"]
    assert after[2].call == pytest.approx(0.70)
    assert after[3].call == pytest.approx(0.55, abs=0.02)
    for count in range(3, 11):
        assert after[count].call < after[count - 1].call
        assert after[count].raise_half < after[count - 1].raise_half
        assert after[count].raise_pot < after[count - 1].raise_pot
        assert after[count].call > 1 / count  # never below a fair share


def test_players_behind_ask_for_more_before_the_flop() -> None:
    under_the_gun = turn_of(deal([10_000] * 6))
    steps = adjusted(under_the_gun)
    factor = odds(steps["position_preflop"].raise_half) / odds(steps["players"].raise_half)
    assert factor == pytest.approx(NUMBERS.position.behind**5)


def test_position_after_the_flop() -> None:
    last = adjusted(free_on_the_flop())
    assert last["in_position"].raise_half < last["players"].raise_half
    first = adjusted(turn_of(play(deal(board="AcTd4h7s2c"), "300 c")))
    assert first["out_of_position"].raise_half > first["players"].raise_half


def test_the_gap_concept() -> None:
    opening = adjusted(turn_of(deal([10_000] * 3)))
    assert opening["gap_open"].raise_half < opening["position_preflop"].raise_half
    assert opening["gap_open"].call <= opening["gap_open"].raise_half
    facing = adjusted(turn_of(play(deal([10_000] * 3), "300")))
    assert facing["gap_call"].call > facing["position_preflop"].call
    # A call needs a better hand than an open, a re-raise a better one than a raise.
    assert facing["gap_call"].call > opening["gap_open"].raise_half
    again = adjusted(turn_of(play(deal([10_000] * 3), "300 900")))
    assert again["gap_call"].raise_half > facing["gap_call"].raise_half


@pytest.mark.parametrize(
    ("stack", "code"),
    [(990, "stack_short"), (1000, "stack_medium"), (8000, "stack_medium"), (8100, "stack_deep")],
)
def test_stack_depth_is_the_effective_stack(stack: int, code: str) -> None:
    assert code in adjusted(turn_of(deal([stack, 10_000])))
    assert code in adjusted(turn_of(deal([10_000, stack])))


def test_speculative_hands() -> None:
    for text in ("2c2d", "9c9d", "JhTh", "5h4h", "9s7s"):
        assert is_speculative(parse_cards(text)), text  # type: ignore[arg-type]
    for text in ("TcTd", "JhTd", "QhJh", "9s6s", "AhKh"):
        assert not is_speculative(parse_cards(text)), text  # type: ignore[arg-type]


def test_a_tournament_calls_and_raises_a_pot_less_a_cash_game_more() -> None:
    cash = turn_of(play(deal([10_000] * 3), "300"))
    tournament = turn_of(play(deal([10_000] * 3, kind=GameKind.TOURNAMENT), "300"))
    in_cash, in_tournament = adjusted(cash), adjusted(tournament)
    assert in_cash["cash"].call < in_cash["stack_deep"].call
    assert in_cash["cash"].raise_pot < in_cash["stack_deep"].raise_pot
    assert in_tournament["tournament"].call > in_tournament["stack_deep"].call
    assert in_tournament["tournament"].raise_pot > in_tournament["stack_deep"].raise_pot


def test_pot_odds_come_last_and_only_facing_a_bet() -> None:
    assert list(adjusted(facing_on_the_flop()))[-1] == "pot_odds"
    assert "pot_odds" not in adjusted(free_on_the_flop())
    after = adjusted(facing_on_the_flop(300))
    needed = 300 / 1200
    assert after["pot_odds"].call == pytest.approx(needed + NUMBERS.pot_odds.flop * (after["cash"].call - needed))


def bets(kind: GameKind) -> Iterator[Observation]:
    for words in ("300 c | 100", "300 c | x x | 100", "300 c | x x | x x | 100", "100 x | 100"):
        words = words.replace("100 x", "c x", 1)
        yield turn_of(play(deal(kind=kind, board="AcTd4h7s2c"), words))
    yield turn_of(play(deal([10_000] * 3, kind=kind), "200 f"))


@pytest.mark.parametrize("kind", list(GameKind))
def test_a_60_percent_favourite_never_folds_to_a_minimum_bet(kind: GameKind) -> None:
    for observation in bets(kind):
        assert decide(observation, 0.60).action.kind is not ActionKind.FOLD


def test_a_call_is_never_made_below_the_pot_odds_by_the_algorithm() -> None:
    for bet in (100, 300, 600, 900):
        observation = facing_on_the_flop(bet)
        needed = scenario_of(observation).needed
        assert decide(observation, needed - 0.01).action == FOLD
        assert adjusted(observation)["pot_odds"].call >= needed


def test_every_adjustment_carries_its_numbers() -> None:
    for observation in (facing_on_the_flop(), free_on_the_flop(), turn_of(deal([900] * 5))):
        _, adjustments = adjust_thresholds(scenario_of(observation), observation, PARAMETERS)
        for adjustment in adjustments:
            assert adjustment.figures
            after = adjustment.after
            assert 0 <= after.call <= after.raise_half <= after.raise_pot < 1


# Algorithm 2


def test_the_four_lines_of_the_algorithm() -> None:
    facing = facing_on_the_flop(300)
    bounds = adjusted(facing)["pot_odds"]
    steps = [
        (bounds.call - 0.001, "below_call_fold", FOLD),
        (bounds.call, "call_range_call", CALL),
        (bounds.raise_half - 0.001, "call_range_call", CALL),
        (bounds.raise_half, "raise_half_pot", raise_to(300 + 600)),  # half of 1,200 more
        (bounds.raise_pot, "raise_pot", raise_to(300 + 1200)),
    ]
    for win, rule, action in steps:
        made = decide(facing, win)
        assert (made.rule, made.action) == (rule, action)
    free = free_on_the_flop("Kd9d")
    bounds = adjusted(free)["cash"]
    for win, rule, action in (
        (bounds.call - 0.001, "below_call_check", CHECK),
        (bounds.raise_half, "raise_half_pot", raise_to(300)),
        (bounds.raise_pot, "raise_pot", raise_to(600)),
    ):
        made = decide(free, win)
        assert (made.rule, made.action) == (rule, action)


def test_checking_is_never_given_up() -> None:
    for observation in (free_on_the_flop(), turn_of(play(deal([10_000] * 3), "c c"))):
        assert decide(observation, 0.0).action == CHECK
    # The short stack's big blind, too.
    assert decide(turn_of(play(deal([10_000, 700]), "c")), 0.0).action == CHECK


def test_opens_are_two_to_four_big_blinds() -> None:
    for seats in range(2, 11):
        observation = turn_of(deal([10_000] * seats, hole_cards={}))
        bounds = list(adjusted(observation).values())[-1]
        for win in (bounds.raise_half, bounds.raise_pot):
            action = decide(observation, win).action
            assert action.kind is ActionKind.RAISE
            assert 200 <= action.raise_to <= 350


def test_raises_that_are_not_possible_become_calls() -> None:
    # The other player is all-in: nobody can be raised any more.
    observation = turn_of(play(deal([10_000, 2000], board="AcTd4h7s2c"), "300 2000"))
    made = decide(observation, 0.9)
    assert (made.rule, made.action) == ("raise_not_possible", CALL)


def test_sizes_end_at_the_stack_and_a_big_part_of_it_goes_all_in() -> None:
    observation = turn_of(play(deal([1200, 10_000], hole_cards={0: "AhAd"}, board="AcTd4h7s2c"), "300 c | x"))
    assert sized_raise(observation, 0.5) == raise_to(300)
    assert sized_raise(observation, 1.0) == raise_to(600)
    assert sized_raise(observation, 1.0, commit=0.6) == raise_to(900)
    assert sized_raise(observation, 5.0) == raise_to(900)


# Special cases


def test_the_nuts_raise_a_pot() -> None:
    made = decide(facing_on_the_flop(300, "KhQh", "AhJhTh7s2c"), 0.5)
    assert (made.rule, made.action) == ("nuts", raise_to(300 + 1200))
    assert made.figures[0].value == pytest.approx(1.0)
    river = play(deal(hole_cards={0: "2s2h"}, board="2c2dAhAdKs"), "300 c | x x | x x | 600")
    made = decide(turn_of(river), 0.2)
    assert made.rule == "nuts"
    # A royal flush on the board is everybody's.
    shared = play(deal(hole_cards={0: "2s2h"}, board="AhKhQhJhTh"), "300 c | x x | x x | 600")
    assert decide(turn_of(shared), 0.5).rule != "nuts"


def test_a_short_stack_goes_all_in_or_folds_before_the_flop() -> None:
    observation = turn_of(deal([900, 10_000, 10_000]))
    chosen = {decide(observation, win / 100).action for win in range(101)}
    assert chosen == {FOLD, raise_to(900)}
    facing = turn_of(play(deal([10_000, 900, 10_000]), "300"))
    assert {decide(facing, win / 100).action for win in range(101)} == {FOLD, raise_to(900)}
    all_in = turn_of(play(deal([10_000, 900, 10_000]), "2000"))
    assert {decide(all_in, win / 100).action for win in range(101)} == {FOLD, CALL}
    # After the flop it plays on as anybody.
    flop = turn_of(play(deal([900, 10_000], board="AcTd4h7s2c"), "300 c | x"))
    assert raise_to(300) in {decide(flop, win / 100).action for win in range(101)}


def test_a_short_stack_needs_more_with_more_players_behind_than_its_fair_share() -> None:
    few = turn_of(deal([900] * 3))
    many = turn_of(deal([900] * 9))

    def least(observation: Observation) -> float:
        wins = [win / 1000 for win in range(1001)]
        return next(win for win in wins if decide(observation, win).action.kind is ActionKind.RAISE)

    assert least(many) < least(few)
    assert odds(least(many)) * 8 > odds(least(few)) * 2


def test_oversized_bets_are_handled_apart() -> None:
    observation = facing_on_the_flop(3000)  # five pots
    needed = scenario_of(observation).needed
    bounds = adjusted(observation)["pot_odds"]
    assert decide(observation, needed - 0.01).action == FOLD
    assert decide(observation, needed + 0.04).action == FOLD  # as algorithm 2 says, which asks for more
    assert decide(observation, needed + 0.04).rule == "below_call_fold"
    assert decide(observation, needed + 0.06).rule == "oversized_call"
    assert decide(observation, bounds.raise_half).rule == "oversized_call"
    assert decide(observation, bounds.raise_pot).rule == "oversized_raise"
    assert not decide(facing_on_the_flop(900), 0.5).rule.startswith("oversized")
    # Before the flop an open to more than 8.5 big blinds is.
    shove = turn_of(play(deal(), "10000"))
    assert decide(shove, 0.60).rule == "call_range_call"  # 9,900 for a pot of 20,000 is no fold
    assert decide(shove, 0.63).rule == "oversized_call"


def test_a_deep_stack_goes_in_before_the_flop_only_with_premium_hands() -> None:
    words = "300 1000 3200"
    for cards, rule in (("AhAd", "raise_pot"), ("AhKd", "premium_only"), ("7h7d", "premium_only")):
        table = play(deal(hole_cards={1: cards}), words)
        made = decide(turn_of(table), 0.95)
        assert made.rule == rule
    assert decide(turn_of(play(deal(hole_cards={1: "AhAd"}), words)), 0.95).action == raise_to(10_000)
    # Thirty big blinds are not deep.
    table = play(deal([3000, 3000], hole_cards={1: "AhKd"}), "300 900 1800")
    assert decide(turn_of(table), 0.95).rule == "raise_pot"


NINE_OUTS = "2d3d4d5d6d7d8dJdQd"


def figures_of(made: Choice) -> dict[str, float]:
    return {figure.name: figure.value for figure in made.figures}


def test_a_draw_calls_by_its_implied_odds() -> None:
    # 600 in the pot, 300 to call, half a pot more is won when it hits: 300 of 1,800. 9 outs of 47 hit the turn;
    # of those that miss half see the river for little, and 38 of 47 and then 37 of 46 cards miss twice.
    facing = facing_on_the_flop(300)
    hit = 1 - 38 * 37 / (47 * 46)
    made = choose(reading_of(0.1, NINE_OUTS, hit), facing, 1, PARAMETERS)
    assert (made.rule, made.action) == ("draw_call", CALL)
    figures = figures_of(made)
    assert figures["chance to hit"] == pytest.approx(9 / 47 + 0.5 * (38 / 47) * (9 / 46))
    assert figures["implied odds"] == pytest.approx(300 / 1800)
    # Seven outs are no draw, and two pots are too dear for nine.
    assert decide(facing, 0.1, NINE_OUTS[:14]).action == FOLD
    assert decide(facing_on_the_flop(900), 0.1, NINE_OUTS).action == CALL
    assert decide(facing_on_the_flop(1200), 0.1, NINE_OUTS).action == FOLD


def test_on_the_turn_a_draw_has_one_card_to_come() -> None:
    def facing_on_the_turn(bet: int) -> Observation:
        return turn_of(play(deal(hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), f"300 c | x x | {bet}"))

    made = decide(facing_on_the_turn(300), 0.1, NINE_OUTS)
    assert (made.action, figures_of(made)["chance to hit"]) == (CALL, pytest.approx(9 / 46))
    assert decide(facing_on_the_turn(600), 0.1, NINE_OUTS).action == FOLD


def test_a_turn_that_nobody_can_bet_much_on_is_cheap() -> None:
    def chance(stack: int) -> float:
        table = play(deal([stack, stack], hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), "300 c | 300")
        return figures_of(decide(turn_of(table), 0.1, NINE_OUTS))["chance to hit"]

    # After the call 1,200 are in the pot: a third of that behind is no dear bet.
    assert chance(600 + 390) == pytest.approx(0.315)
    assert chance(600 + 410) < 0.28


FLOPS = ("Kh9h4d", "QdJs5d", "Tc8d3c", "8c6h3h", "JhTs3s", "7d6d4c")


def draws_on(flop: str, seed: int, count: int) -> list[str]:
    """Draw hole cards that have 8 outs or more on a flop, by eq. 29."""
    random, board, found = np.random.default_rng(seed), parse_cards(flop), []
    rest = [Card(card) for card in range(CARD_COUNT) if card not in board]
    while len(found) < count:
        high, low = sorted(random.choice(rest, 2, replace=False).tolist(), reverse=True)
        outs = outs_of_hand((Card(high), Card(low)), board)
        if outs is not None and len(outs) >= 8:
            found.append(format_cards([Card(high), Card(low)]))
    return found


@pytest.mark.parametrize("style", ["fold", "fold-2017"])
def test_draws_seldom_fold_on_the_flop(style: str) -> None:
    # Heads-up, 100 big blinds deep: with one card to come alone 28 and 35 of 60 folded to these bets.
    folds = {450: 0, 600: 0, 900: 0}
    for seed, flop in enumerate(FLOPS):
        for cards in draws_on(flop, seed, 5):
            for bet in folds:
                table = play(deal(hole_cards={0: cards}, board=flop), f"300 c | {bet}")
                folds[bet] += make_agent(style).decide(turn_of(table), 7).action == FOLD
    assert folds[450] == folds[600] == 0
    assert folds[900] < 0.5 * 30


def cards_of(number: int) -> tuple[Card, Card]:
    """Give two cards of a hand class."""
    first, second = COMBO_CARDS[combos_of_class(number)[0]].tolist()
    return Card(first), Card(second)


@pytest.mark.parametrize("style", ["fold", "fold-2017"])
@pytest.mark.parametrize(
    ("seats", "words"),
    [(2, "{}"), (6, "{}"), (6, "{} f f"), (6, "f f f {} f"), (6, "{} c f"), (6, "{} f f f f")],
)
def test_speculative_hands_usually_call_before_the_flop_when_deep(style: str, seats: int, words: str) -> None:
    # At 81 big blinds 13 to 24 of these 25 classes folded to an open of 2.5.
    growing = [cards for cards in map(cards_of, range(CLASS_COUNT)) if is_speculative(cards)]
    assert len(growing) == 25
    agent, done = make_agent(style), []
    for stack, opened in ((8100, 250), (10_000, 300), (20_000, 250)):
        to_act = play(deal([stack] * seats), words.format(opened)).to_act
        assert to_act is not None
        for cards in growing:
            table = deal([stack] * seats, hole_cards={to_act: format_cards(cards)})
            done.append(agent.decide(turn_of(play(table, words.format(opened))), 7).action.kind)
    assert done.count(ActionKind.CALL) > 0.9 * len(done)
    assert ActionKind.FOLD not in done


def test_a_speculative_hand_pays_a_twentieth_of_what_can_be_won() -> None:
    def made(words: str, stacks: Sequence[int] = (10_000,) * 3, options: str = "") -> str:
        table = deal(stacks, hole_cards={1: "6d6s"})
        return decide(turn_of(play(table, words)), 0.05, options=options).rule

    assert made("300") == "speculative_call"
    # 450 for the 9,500 that are behind after the call are a little less than a twentieth, 480 for 9,470 more.
    assert made("500") == "speculative_call"
    assert made("530") == "below_call_fold"
    assert made("250", (8000,) * 3) == "below_call_fold"  # not deep
    assert made("300", options="speculative=off") == "below_call_fold"
    # Whoever is all-in pays nothing later, and the big blind has not come in.
    assert made("300", (300, 10_000, 10_000)) == "below_call_fold"
    assert made("f") == "below_call_fold"
    assert made("c") == "speculative_call"
    assert decide(turn_of(play(deal([10_000] * 3, hole_cards={1: "Kd9s"}), "300")), 0.05).action == FOLD


def test_a_draw_that_is_worth_a_raise_anyway_raises() -> None:
    assert decide(facing_on_the_flop(300), 0.8, NINE_OUTS).rule == "raise_half_pot"


def test_a_draw_leads_as_often_as_the_file_says() -> None:
    observation = free_on_the_flop()
    made = [decide(observation, 0.3, NINE_OUTS, seed) for seed in range(400)]
    leads = sum(choice.rule == "draw_lead" for choice in made)
    share = NUMBERS.draw.lead
    assert abs(leads / 400 - share) < 4 * (share * (1 - share) / 400) ** 0.5
    assert {choice.rule: choice.action for choice in made} == {
        "draw_lead": raise_to(300),
        "draw_check": CHECK,
    }


def test_an_all_in_call_counts_both_cards_to_come() -> None:
    # 900 behind each, 600 in the pot, he bets all of it: nothing can be won later.
    table = play(deal([1200, 1200], hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), "300 c | 900")
    made = decide(turn_of(table), 0.1, NINE_OUTS)
    assert made.rule != "draw_call"  # 31.5% by the river against 900 of 2,400
    table = play(deal([600, 600], hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), "300 c | 300")
    made = decide(turn_of(table), 0.1, NINE_OUTS)
    assert made.rule == "draw_call"  # against 300 of 1,200
    assert {figure.name: figure.value for figure in made.figures}["chance to hit"] == 0.315


def test_middle_pairs() -> None:
    def is_middle(cards: str, board: str) -> bool:
        return is_middle_pair(parse_cards(cards), parse_cards(board))  # type: ignore[arg-type]

    assert is_middle("Td9s", "AcTh4h")
    assert is_middle("8d8s", "AcTh4h")
    assert is_middle("4d9s", "AcTh4s")
    for cards, board in (
        ("Ad9s", "AcTh4h"),  # top pair
        ("KdKs", "QcTh4h"),  # overpair
        ("3d3s", "AcTh4h"),  # below the board
        ("Td4s", "AcTh4h"),  # two pair
        ("TdTs", "AcTh4h"),  # a set
        ("Kd9s", "AcTh4h"),  # nothing
        ("Td9s", "AcAhTh"),  # two pair with the board's
        ("Td9s", ""),
    ):
        assert not is_middle(cards, board), (cards, board)


def test_a_middle_pair_bets_once_and_answers_resistance_by_the_price() -> None:
    pair = {"hole_cards": {0: "Tc9s"}, "board": "AcTd4h7s2c"}
    first = turn_of(play(deal(**pair), "300 c | x"))  # type: ignore[arg-type]
    made = decide(first, 0.52)
    assert (made.rule, made.action) == ("middle_pair_bet", raise_to(300))
    raised = turn_of(play(deal(**pair), "300 c | x 300 900"))  # type: ignore[arg-type]
    assert decide(raised, 0.52).action == CALL  # 600 for a pot of 2,400
    assert decide(raised, scenario_of(raised).needed - 0.01).action == FOLD
    second = turn_of(play(deal(**pair), "300 c | x 300 c | x"))  # type: ignore[arg-type]
    assert decide(second, 0.52).action == CHECK
    later = turn_of(play(deal(**pair), "300 c | x 300 c | 600"))  # type: ignore[arg-type]
    assert decide(later, 0.52).action == CALL
    # Without a bet of its own it goes by the price.
    unbet = turn_of(play(deal(**pair), "300 c | 300"))  # type: ignore[arg-type]
    assert decide(unbet, 0.52).action == CALL


# What a call needs


def test_kings_call_40_into_7060() -> None:
    table = deal([10_000, 3550], hole_cards={0: "KsKd"}, board="7h2sQs4cAs")
    play(table, "300 c | x 600 c | x 2610 c | 40")
    observation = turn_of(table)
    assert (observation.pot, scenario_of(observation).to_call) == (7060, 40)
    made = decide(observation, 0.44)
    assert (made.rule, made.action) == ("call_range_call", CALL)


def random_turn(random: np.random.Generator) -> Observation:
    """Give somebody's turn in a hand of random seats, stacks, cards and actions, whatever led there."""
    while True:
        table = random_table(random)
        for _ in range(int(random.integers(4 * len(table.seats)))):
            if table.is_over:
                break
            legal = turn_of(table).legal
            assert legal is not None
            drawn = random.random()
            if legal.can_raise and drawn < 0.4:
                most = min(legal.max_raise_to, int(legal.min_raise_to * random.choice([1, 2, 8, 100])))
                table.apply(raise_to(int(random.integers(legal.min_raise_to, most + 1))))
            else:
                passive = CHECK if legal.can_check else FOLD if drawn > 0.9 else CALL
                table.apply(passive)
        if not table.is_over:
            return turn_of(table)


@pytest.mark.parametrize(("turns", "seed"), [(500, 23), pytest.param(6000, 14, marks=pytest.mark.slow)])
def test_no_special_rule_folds_what_the_pot_odds_call(turns: int, seed: int) -> None:
    # Whatever the cards are worth by the reading, and whatever the draw: only algorithm 2 folds.
    random, rules = np.random.default_rng(seed), set()
    for _ in range(turns):
        observation = random_turn(random)
        scenario = scenario_of(observation)
        outs = None
        if observation.street in (Street.FLOP, Street.TURN) and random.random() < 0.5:
            known = {*observation.board, *observation.hole_cards}
            unseen = [card for card in range(CARD_COUNT) if card not in known]
            outs = format_cards(random.permutation(unseen)[: random.integers(1, 16)].tolist())
        # Near the price is where a rule may go wrong; anywhere is where nobody looked.
        win = float(
            np.clip(random.normal(scenario.needed, 0.1), 0, 1) if random.random() < 0.5 else random.random()
        )
        made = decide(observation, win, outs, int(random.integers(2**32)))
        rules.add(made.rule)
        if made.action == FOLD:
            assert made.rule == "below_call_fold", (made, observation)
            assert win < made.adjustments[-1].after.call, (made, observation)
    assert rules >= {
        "nuts", "short_stack_in", "short_stack_out", "oversized_raise", "oversized_call", "speculative_call",
        "draw_call", "draw_lead", "draw_check", "middle_pair_bet", "premium_only", "raise_not_possible",
        "below_call_fold",
    }  # fmt: skip


# Options


def test_without_pot_odds_the_thresholds_of_the_paper_stand() -> None:
    observation = facing_on_the_flop(100)
    kept = adjusted(observation, with_options(PARAMETERS, ["pot_odds=off"]))
    assert "pot_odds" not in kept
    assert kept["cash"].call == adjusted(observation)["cash"].call > 0.6
    # A 60% favourite, 100 for a pot of 800.
    assert decide(observation, 0.60, options="pot_odds=off").action == FOLD
    assert decide(observation, 0.60).action == CALL


def test_without_draws_they_are_hands_like_others() -> None:
    assert decide(facing_on_the_flop(300), 0.1, NINE_OUTS, options="draws=off").rule == "below_call_fold"
    rules = {decide(free_on_the_flop(), 0.3, NINE_OUTS, seed, "draws=off").rule for seed in range(20)}
    assert rules == {"below_call_check"}


def test_a_middle_pair_folds_to_resistance_where_the_paper_is_played_as_printed() -> None:
    raised = turn_of(play(deal(hole_cards={0: "Tc9s"}, board="AcTd4h7s2c"), "300 c | x 300 600"))
    made = decide(raised, 0.52, options="middle_pair_folds=on")
    assert (made.rule, made.action) == ("middle_pair_fold", FOLD)
    assert decide(raised, 0.52).action == CALL


def test_the_nuts_and_premium_hands_have_rules_that_can_be_switched_off() -> None:
    nuts = facing_on_the_flop(300, "KhQh", "AhJhTh7s2c")
    assert decide(nuts, 0.5, options="nuts=off").action == CALL
    deep = turn_of(play(deal(hole_cards={1: "AhKd"}), "300 1000 3200"))
    assert decide(deep, 0.95, options="premium=off").rule == "raise_pot"


def test_a_raise_of_most_of_a_stack_is_no_more_than_its_size_where_that_is_switched_off() -> None:
    # 1,200 behind, half of the pot of 1,800 is 900: three quarters of the stack.
    shallow = turn_of(play(deal([2100, 2100], hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), "900 c | x"))
    assert decide(shallow, 0.62).action == raise_to(1200)
    assert decide(shallow, 0.62, options="commit=off").action == raise_to(900)


def test_oversized_is_measured_over_the_pot_as_it_is_where_the_paper_is_played_as_printed() -> None:
    # 100 into 600, then 1,150 more: 1.44 of the pot after calling, 1.64 of the pot with the bet.
    raised = turn_of(play(deal(hole_cards={0: "Kd9d"}, board="AcTd4h7s2c"), "300 c | x 100 1250"))
    assert scenario_of(raised).facing_size == pytest.approx(1150 / 800)
    assert scenario_of(raised, after_call=False).facing_size == pytest.approx(1150 / 700)
    price = scenario_of(raised).needed + 0.06
    assert decide(raised, price).rule == "below_call_fold"
    assert decide(raised, price, options="size_after_call=off").rule == "oversized_call"


def test_a_draw_hits_one_of_fifty_cards_as_eq_27_is_printed() -> None:
    def hit(options: str) -> float:
        figures = decide(facing_on_the_flop(200), 0.1, NINE_OUTS, options=options).figures
        return next(figure.value for figure in figures if figure.name == "chance to hit")

    # The river counts in half of the cases: the chance by the river is the reading's.
    assert hit("") == pytest.approx((9 / 47 + 0.315) / 2)
    assert hit("unseen_outs=off") == pytest.approx((9 / 50 + 0.315) / 2)


def test_printed_stands_for_all_that_departs_from_the_paper() -> None:
    printed = with_options(PARAMETERS, ["printed"]).options
    kept = {name for name in printed.__struct_fields__ if getattr(printed, name)}
    assert kept == {"middle_pair_folds", "draws", "speculative", "adaptation"}
    assert all(getattr(PARAMETERS.options, name) for name in printed.__struct_fields__ if name not in kept)
    assert not with_options(PARAMETERS, ["printed", "draws=off"]).options.draws


@pytest.mark.parametrize("word", ["", "draws", "draws=maybe", "luck=on", "=off", "printed=on"])
def test_an_option_that_there_is_not_is_refused(word: str) -> None:
    with pytest.raises(
        OptionError, match=f"no option '{word}'; it has printed, and with =on or =off pot_odds, nuts"
    ):
        with_options(PARAMETERS, [word])


@pytest.mark.parametrize("name", PARAMETERS.options.__struct_fields__)
def test_every_option_switched_alone_plays_legally_from_its_seed(name: str) -> None:
    value = "off" if getattr(PARAMETERS.options, name) else "on"
    agent = make_agent(f"fold-2017:{name}={value}")
    table = deal([2_000, 10_000], board="AcTd4hQc5c", hole_cards={0: "KdJd", 1: "Th9h"})
    while not table.is_over:
        assert table.to_act is not None
        observation = table.observe(table.to_act)
        made = agent.decide(observation, 3)
        assert encode(made.trace) == encode(agent.decide(observation, 3).trace)
        table.apply(made.action)
    agent.hand_finished(table.observe(0))


# The agent and its trace


def test_a_trace_survives_storage_and_replays_to_the_same_action() -> None:
    agent = FoldAgent()
    table = deal([10_000] * 4, hole_cards={1: "AhKh", 2: "9s9d"}, board="AcTd4hQc5c")
    count = 0
    while not table.is_over and count < 30:
        decision = agent.decide(turn_of(table), 100 + count)
        trace = decode(encode(decision.trace), Trace)
        assert encode(trace) == encode(decision.trace)
        assert replay(trace) == trace.action == decision.action
        table.apply(decision.action)
        count += 1
    assert count > 4


def test_a_replay_follows_the_stored_predictions_and_not_the_story() -> None:
    # A range of nothing but aces instead of the predicted one turns the replayed decision round.
    table = play(deal(hole_cards={0: "KhKd"}, board="QcTd4h7s2c"), "300 c | 900")
    trace = FoldAgent().decide(turn_of(table), 5).trace
    assert trace.action != FOLD
    assert trace.reading is not None
    aces = np.zeros(1326, dtype=np.float32)
    aces[list(combos_of_class(0))] = 1 / 6
    sure = [Prediction(made.seat, made.reader, aces, (), aces) for made in trace.reading.predictions]
    changed = msgspec.structs.replace(
        trace, reading=msgspec.structs.replace(trace.reading, predictions=tuple(sure))
    )
    assert replay(changed) == FOLD


def test_the_same_seed_gives_the_same_bytes() -> None:
    observation = turn_of(play(deal([10_000] * 6), "f c"))
    first, again = (encode(FoldAgent().decide(observation, 7).trace) for _ in range(2))
    assert first == again
    assert encode(FoldAgent().decide(observation, 8).trace) != first


def test_memory_changes_decisions_and_only_of_whom_it_is() -> None:
    agent = FoldAgent(make_reader("paper"))
    shove = turn_of(play(deal(hole_cards={1: "Kd9d"}), "10000"))
    stranger = agent.decide(shove, 3)
    assert stranger.action == FOLD
    for _ in range(40):
        agent.hand_finished(play(deal(), "10000 f").observe(1))
    assert agent.decide(shove, 3).action == CALL
    other = turn_of(play(deal(hole_cards={1: "Kd9d"}, names=("Z", "B")), "10000"))
    assert agent.decide(other, 3).action == FOLD
