import numpy as np
import pytest

from engine.agents.agent import Reading
from engine.agents.fold.opponent_model import win_probabilities
from engine.agents.fold.parameters import default_parameters, with_options
from engine.agents.readers import make_reader
from engine.agents.reading import (
    amount_to_call,
    hand_kinds,
    opponents_in,
    outs_of,
    pot_odds_of,
    prize_odds_of,
    range_shares,
    reading,
)
from engine.agents.styles import make_agent
from engine.cards import Card, Street, format_cards, parse_cards, unblocked
from engine.codec import frozen_vector
from engine.equity.outs import BEHIND, outs_of_combos
from engine.equity.snapshot import Method
from engine.game.events import CHECK, GameKind
from engine.game.observation import Observation
from engine.game.table import Table
from tests.engine.agents.hands import board, combo, deal, play, table_on_the_turn, turn_of

PRINTED = with_options(default_parameters(), ["printed"])
NUMBERS = default_parameters().prediction


@pytest.mark.parametrize("text", ["", "8c7d2c", "8c7d2cQc", "8c7d2cQcAd"])
def test_shares_sum_to_one(text: str) -> None:
    live = unblocked(parse_cards(text)).astype(np.float32)
    shares = range_shares(frozen_vector(live), parse_cards(text))
    assert sum(shares) == pytest.approx(1)
    assert min(shares.super_strong, shares.strong, shares.medium, shares.weak) > 0
    assert (shares.drawing > 0) == (len(text) in (6, 8))


@pytest.mark.parametrize(
    ("hole_cards", "on_board", "kind"),
    [
        ("AdAs", "AcTd4h", "super-strong"),
        ("AdTc", "AcTd4h", "super-strong"),
        ("AdAs", "", "super-strong"),
        ("AdKs", "", "strong"),
        ("9d9s", "", "super-strong"),
        ("KdQs", "", "medium"),
        ("7d2s", "", "weak"),
        ("Jd9s", "Kc6d2h", "weak"),
        ("KdJs", "QcTd4h", "drawing"),  # open-ended
        ("9d7s", "Jc8d5h", "drawing"),  # double gutshot: 6 and T
        ("6c3c", "KcTc4h", "drawing"),  # flush draw
        ("6c3c", "KcTc4h8d2s", "weak"),  # missed
        ("Ad7s", "Ac8d5h", "strong"),
        ("6d6s", "7c4c2h", "medium"),
    ],
)
def test_hands_are_sorted_as_players_would(hole_cards: str, on_board: str, kind: str) -> None:
    kinds = hand_kinds(board(on_board), NUMBERS)
    assert ("super-strong", "strong", "medium", "weak", "drawing")[kinds[combo(hole_cards)]] == kind


def test_a_four_flush_on_the_board_is_nobodys_draw() -> None:
    # Four clubs lie there: who has none has no draw, who has one has the flush.
    kinds = hand_kinds(board("Kc8c4c2c"), NUMBERS)
    assert kinds[combo("9d3s")] != 4
    assert kinds[combo("Ac5s")] == 0


def flop_observation(hole_cards: str, flop: str) -> Table:
    taken = set(parse_cards(flop)) | set(parse_cards(hole_cards))
    spare = [card for card in range(52) if card not in taken][:2]
    return play(deal(hole_cards={0: hole_cards}, board=flop + format_cards(spare)), "300 c | x")


def test_the_nuts_have_no_outs() -> None:
    for hole_cards, flop in (("AhKh", "QhJhTh"), ("AcAd", "AhAs2c"), ("TcTd", "Th7c2d")):
        assert outs_of(flop_observation(hole_cards, flop).observe(0)) is None
    # Nor does anybody else who is ahead, though eq. 29 as printed would give top set eight.
    counts = outs_of_combos(board("Th7c2d"))
    assert (counts[win_probabilities(board("Th7c2d")) >= BEHIND] == 0).all()


def test_an_open_ended_straight_draw_has_its_eight_outs() -> None:
    outs = outs_of(flop_observation("6h5s", "8c7dKs").observe(0))
    assert outs is not None
    assert set(parse_cards("4c4d4h4s9c9d9h9s")) <= set(outs.cards)
    # By the river with n outs: 1 - (47 - n)(46 - n) / (47 * 46).
    count = len(outs.cards)
    assert outs.hit_probability == pytest.approx(1 - (47 - count) * (46 - count) / (47 * 46))


def test_outs_follow_eq_29() -> None:
    observation = flop_observation("Qh9h", "8h4hKs").observe(0)
    outs = outs_of(observation)
    assert outs is not None
    flop = board("8h4hKs")
    psi = combo("Qh9h")
    now = win_probabilities(flop)[psi]
    for card in range(52):
        if card in flop or card in observation.hole_cards:
            continue
        after = win_probabilities(tuple(sorted((*flop, Card(card)))))[psi]
        assert (card in outs.cards) == bool(after - now >= 0.6 * (1 - now))
    assert set(parse_cards("2h3h5h6h7hThJhKhAh")) <= set(outs.cards)
    counts = outs_of_combos(flop)
    # Without our cards removed from the deck a combo still never counts its own.
    assert counts[psi] == len(outs.cards)


def test_there_are_outs_only_on_flop_and_turn() -> None:
    table = deal(hole_cards={0: "6h5s"}, board="8c7dKs2h2d")
    assert outs_of(table.observe(0)) is None
    play(table, "300 c | x x | x")
    turn = outs_of(table.observe(0))
    assert turn is not None
    assert turn.hit_probability == pytest.approx(len(turn.cards) / 46)
    play(table, "x | x")
    assert table.observe(0).street is Street.RIVER
    assert outs_of(table.observe(0)) is None


def read(observation: Observation, seed: int) -> Reading:
    return reading(observation, make_reader().read(observation), seed)


def test_heads_up_after_the_flop_the_win_rate_is_exact() -> None:
    made = read(table_on_the_turn().observe(0), 1)
    assert made.win_rate.method is Method.EXACT
    assert made.win_rate.stderr == 0
    assert made.win_rate_random.value == pytest.approx(
        win_probabilities(board("AcTd4hQc"))[combo("AhJh")], abs=1e-6
    )


def test_with_more_players_the_win_rate_is_sampled_from_the_seed() -> None:
    observation = turn_of(play(deal([10_000] * 4), "300 c c"))
    first, again, other = (read(observation, seed) for seed in (1, 1, 2))
    assert first.win_rate == again.win_rate
    assert first.win_rate.value != other.win_rate.value
    assert first.win_rate.count == default_parameters().decision.deals
    assert first.win_rate.stderr > 0
    assert abs(first.win_rate.value - other.win_rate.value) < 6 * first.win_rate.stderr


def test_a_crowd_is_sampled_less_often() -> None:
    numbers = default_parameters().decision
    for seats in (7, 8, 9, 10):
        made = read(turn_of(play(deal([10_000] * seats), "300")), 1)
        expected = numbers.crowd_deals if seats - 1 >= numbers.crowd else numbers.deals
        assert made.win_rate.count == expected


def test_pot_odds_and_stack_to_pot_ratio() -> None:
    # 300 each in the pot; facing 450 into 600: 450 of 1500. 9,250 behind against 1,050 in the middle.
    table = play(deal(), "300 c | 450")
    made = read(turn_of(table), 1)
    assert made.pot_odds == pytest.approx(450 / 1500)
    assert made.spr == pytest.approx(9250 / 1050)
    # He has 200 left and can win only as much from each: 200 of 600 + 200 + 200.
    table = play(deal([500, 10_000]), "300 c | 450")
    made = read(turn_of(table), 1)
    assert made.pot_odds == pytest.approx(200 / 1000)
    assert read(play(deal(), "300 c | x").observe(0), 1).pot_odds == 0


def test_a_full_big_blind_is_to_be_called_where_it_was_posted_short_or_not_at_all() -> None:
    """Of 100 the big blind has 40, or an ante has taken all it had: the price is the same, and no check is free."""
    short = turn_of(deal([10_000, 10_000, 40, 10_000]))
    assert (short.seat, amount_to_call(short)) == (3, 100)
    assert pot_odds_of(short) == pytest.approx(100 / (50 + 40 + 100))
    none = turn_of(deal([10_000, 100, 100, 150], ante=100))
    assert none.legal is not None
    assert not none.legal.can_check
    assert amount_to_call(none) == none.legal.call_amount > 0
    for style in ("fold", "fold-2017"):
        assert make_agent(style).decide(none, 1).action != CHECK


def test_before_the_flop_those_are_in_who_have_matched_the_highest_bet() -> None:
    """Seats 0 to 5 with the button at 0, so the blinds are 1 and 2 and seat 3 begins."""
    six = [10_000] * 6

    def found(words: str, seat: int, stacks: list[int] | None = None) -> tuple[int, ...]:
        return opponents_in(play(deal(stacks or six), words).observe(seat))

    assert found("", 3) == (2,), "nobody has raised: the big blind"
    assert found("c c", 5) == (2, 3, 4), "limpers and the big blind"
    assert found("300", 0) == (3,), "the raiser; the blinds have still to put chips in"
    assert found("300 c", 0) == (3, 4)
    assert found("c 300", 0) == (4,), "who limped has still to answer the raise"
    assert found("300 f 900", 0) == (5,)
    assert found("300 f f f f f", 3) == ()
    assert found("300 f f f c", 3) == (1,), "nobody but who called, though the big blind has still to act"
    assert found("300", 3) == (0, 1, 2, 4, 5), "nobody has called yet"
    assert found("200 1000", 0, [10_000, 10_000, 10_000, 200, 10_000, 10_000]) == (3, 4), "all-in for less is in"
    assert found("300 c c c c c | x 450", 3) == (0, 1, 2, 4, 5), "after the flop all who may win"


def test_a_reading_can_be_had_at_any_moment_from_any_seat() -> None:
    table = play(deal([10_000] * 4, board="AcTd4hQc5c"), "f 300 c c | x x 400 f")
    for seat in table.seats:
        made = read(table.observe(seat), 1)
        assert len(made.predictions) == len(table.observe(seat).opponents)
        assert 0 <= made.win_rate.value <= 1
    folded = read(table.observe(3), 1)
    assert folded.win_rate.value == 0
    play(table, "f")
    assert table.is_over
    winner = read(table.observe(0), 1)
    assert (winner.predictions, winner.win_rate.value) == ((), 1.0)


def test_the_win_rate_of_algorithm_1_as_printed_is_sampled() -> None:
    observation = table_on_the_turn().observe(0)
    predictions = make_reader("paper").read(observation)
    exact, printed = reading(observation, predictions, 3), reading(observation, predictions, 3, PRINTED)
    assert (exact.win_rate.method, printed.win_rate.method) == (Method.EXACT, Method.SAMPLED)
    assert printed.win_rate.count == 500
    assert abs(printed.win_rate.value - exact.win_rate.value) <= 5 * printed.win_rate.stderr
    assert reading(observation, predictions, 3, PRINTED, deadline=0.0).win_rate == printed.win_rate


def test_eq_27_as_printed_takes_the_board_for_unseen_and_eq_29_gives_the_nuts_outs() -> None:
    draw = flop_observation("6h5s", "8c7dKs").observe(0)
    ours, printed = outs_of(draw), outs_of(draw, PRINTED.options)
    assert ours is not None
    assert printed is not None
    assert (len(ours.cards), ours.cards) == (8, printed.cards)
    assert round(ours.hit_probability, 3) == 0.315
    assert printed.hit_probability == pytest.approx(1 - 42 / 50 * 41 / 49)
    royal = flop_observation("AhKh", "QhJhTh").observe(0)
    assert outs_of(royal) is None
    found = outs_of(royal, PRINTED.options)
    assert found is not None
    assert len(found.cards) == 47


def in_a_tournament(words: str, stacks: tuple[int, ...], payouts: tuple[int, ...]) -> Observation:
    return turn_of(play(deal(stacks, kind=GameKind.TOURNAMENT, payouts=payouts), words))


def test_a_call_for_all_chips_needs_more_by_prizes() -> None:
    """Three have 20 big blinds, two are paid alike: who calls and loses has nothing, who folds has six tenths.

    The first folds, the small blind goes all-in. The caller has 1,900 left of 2,000, and 2,100 are in the pot.
    """
    stacks, call = (2_000, 2_000, 2_000), "f 2000"
    assert pot_odds_of(in_a_tournament(call, stacks, (50, 50))) == pytest.approx(1_900 / 4_000)
    # Of 2,000, 2,100 and 1,900 chips, in shares of a seat: 1 less the chance to be last.
    folded = 1 - (2_000 / 6_000 * 2_100 / 4_000 + 2_100 / 6_000 * 2_000 / 3_900)
    assert prize_odds_of(in_a_tournament(call, stacks, (50, 50))) == pytest.approx(folded)
    assert prize_odds_of(in_a_tournament(call, stacks, (100,))) == pytest.approx(1_900 / 4_000)


def test_prizes_ask_no_more_than_chips_of_the_last_two() -> None:
    observation = in_a_tournament("2000", (2_000, 3_000), (70, 30))
    assert prize_odds_of(observation) == pytest.approx(pot_odds_of(observation))


@pytest.mark.parametrize(
    ("words", "payouts"),
    [
        ("f 2000", ()),  # no prizes
        ("2000 c", (50, 50)),  # two opponents
        ("f 300", (50, 50)),  # the betting goes on after a call
        ("f c x | ", (50, 50)),  # nothing to call
    ],
)
def test_prizes_say_nothing_where_a_call_is_not_the_end(words: str, payouts: tuple[int, ...]) -> None:
    assert prize_odds_of(in_a_tournament(words, (2_000, 2_000, 2_000), payouts)) is None


def test_the_rest_of_a_bet_that_covers_goes_back() -> None:
    """Who has 1,000 calls an all-in of 5,000 for 900: 900 of the small blind's chips and both blinds are won."""
    observation = in_a_tournament("f 5000", (5_000, 5_000, 1_000), (100,))
    assert prize_odds_of(observation) == pytest.approx(pot_odds_of(observation)) == pytest.approx(900 / 2_000)
