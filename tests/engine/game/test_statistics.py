"""The counts of a player, from hands whose counts anybody can see."""

import pytest

from engine.codec import decode, encode
from engine.game.events import FOLD, HoleCardsMucked, HoleCardsShown
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.statistics import PlayerStatistics, Ratio, Statistics, count_hand
from engine.play import Dealer
from tests.engine.game.hands import act, deal
from tests.engine.played import play_hand

YES, NO, NEVER = Ratio(1, 1), Ratio(0, 1), Ratio()
BOARD = "2s 5d 7c 9h Js"
BEST_FIRST = {0: "AhAc", 1: "KhKc", 2: "QhQc", 3: "ThTc"}


def count(text: str, stacks: tuple[int, ...] = (1000,) * 4, **rules: int) -> dict[int, PlayerStatistics]:
    """Count a hand: seat 0 is the button, 1 the small blind, 2 the big blind, and 3 acts first of four."""
    holes = {seat: cards for seat, cards in BEST_FIRST.items() if seat < len(stacks)}
    table = deal(stacks, hole_cards=holes, board=BOARD, **rules)  # type: ignore[arg-type]
    act(table, text)
    assert table.is_over
    return count_hand(table.events)


def test_a_walk_is_no_chance_for_the_big_blind() -> None:
    counts = count("f f f")
    assert [counts[seat].vpip for seat in range(4)] == [NO, NO, NEVER, NO]
    assert [counts[seat].pfr for seat in range(4)] == [NO, NO, NEVER, NO]
    assert [counts[seat].net for seat in range(4)] == [0, -10, 10, 0]
    assert [counts[seat].hands for seat in range(4)] == [1, 1, 1, 1]


def test_calling_is_voluntary_and_checking_the_big_blind_is_not() -> None:
    counts = count("c f c x x x x x x x x x x")
    assert [counts[seat].vpip for seat in range(4)] == [NO, YES, NO, YES]
    assert [counts[seat].pfr for seat in range(4)] == [NO, NO, NO, NO]


def test_a_call_and_then_a_fold_is_one_voluntary_hand() -> None:
    counts = count("c r60 f f f")
    assert counts[3].vpip == YES
    assert counts[0].vpip == YES
    assert counts[0].pfr == YES
    assert counts[3].pfr == NO


def test_three_bets_and_folds_to_them() -> None:
    counts = count("r60 r180 f f f")
    assert counts[3].three_bet == NEVER  # nobody had raised before it
    assert [counts[seat].three_bet for seat in (0, 1, 2)] == [YES, NEVER, NEVER]
    assert [counts[seat].fold_to_three_bet for seat in range(4)] == [NEVER, NEVER, NEVER, YES]


def test_who_calls_a_three_bet_did_not_fold_to_it() -> None:
    counts = count("r60 f r180 f c x x x x x x")
    assert counts[3].fold_to_three_bet == NO
    assert [counts[seat].three_bet for seat in range(4)] == [NO, YES, NEVER, NEVER]


def test_a_four_bet_is_no_three_bet() -> None:
    counts = count("r60 r180 f f r500 f")
    assert counts[3].three_bet == NEVER
    assert counts[3].fold_to_three_bet == NO
    assert counts[0].fold_to_three_bet == NEVER
    assert counts[3].pfr == YES


def test_a_limp_and_then_a_raise_is_a_three_bet() -> None:
    assert count("c r60 f f r200 f")[3].three_bet == YES


def test_no_three_bet_chance_without_chips_for_it() -> None:
    counts = count("r60 c f f", stacks=(50, 1000, 1000, 1000))
    assert counts[0].three_bet == NEVER
    counts = count("r50 f f c", stacks=(1000, 1000, 1000, 50))
    assert counts[0].three_bet == NO  # the small blind could still have called a raise
    assert counts[2].three_bet == NEVER  # only the all-in raiser was left


def test_continuation_bets_and_folds_to_them() -> None:
    counts = count("r60 c f c x r100 f f")
    assert [counts[seat].c_bet for seat in range(4)] == [NEVER, NEVER, NEVER, YES]
    assert [counts[seat].fold_to_c_bet for seat in range(4)] == [YES, NEVER, YES, NEVER]


def test_who_is_bet_into_has_no_chance_of_a_continuation_bet() -> None:
    counts = count("r60 f f c r100 f")
    assert counts[3].c_bet == NEVER
    assert counts[2].fold_to_c_bet == NEVER


def test_a_checked_flop_is_a_chance_not_taken() -> None:
    counts = count("r60 f f c x x r100 f")
    assert counts[3].c_bet == NO
    assert counts[3].fold_to_c_bet == NEVER  # the bet came on the turn


def test_a_raised_continuation_bet_is_no_longer_one_to_fold_to() -> None:
    counts = count("r60 c f c x r100 r300 f f")
    assert counts[0].fold_to_c_bet == NO  # raised it
    assert counts[2].fold_to_c_bet == NEVER  # faced the raise


def test_aggression_counts_bets_and_raises_to_calls_after_the_flop() -> None:
    # Preflop calls do not count. 3 bets flop and turn and checks the river; 2 calls twice and bets the river.
    counts = count("r60 f f c x r100 c x r200 c r100 c")
    assert counts[3].aggression == Ratio(2, 1)
    assert counts[3].aggression.value == 2.0
    assert counts[2].aggression == Ratio(1, 2)


def test_showdowns() -> None:
    counts = count("r60 f f c x r100 c x x x x")
    # Seat 2 holds queens, seat 3 tens.
    assert counts[2].went_to_showdown == YES
    assert counts[3].went_to_showdown == YES
    assert (counts[2].won_at_showdown, counts[3].won_at_showdown) == (YES, NO)
    assert counts[0].went_to_showdown == NEVER
    assert counts[0].won_at_showdown == NEVER


def test_who_is_in_at_the_end_with_others_went_to_showdown_whatever_is_told_of_their_cards() -> None:
    """Texts of other sites leave out who mucked, or show the winner's cards in the summary alone."""
    table = deal((1000,) * 4, hole_cards=BEST_FIRST, board=BOARD)
    act(table, "r60 f f c x r100 c x x x x")
    silent = [event for event in table.events if not isinstance(event, HoleCardsShown | HoleCardsMucked)]
    assert len(silent) < len(table.events)
    assert count_hand(silent) == count_hand(table.events)


def test_a_flop_seen_without_a_showdown() -> None:
    counts = count("r60 f f c x r100 f")
    assert counts[2].went_to_showdown == NO
    assert counts[3].went_to_showdown == NO
    assert counts[3].won_at_showdown == NEVER


def test_all_in_before_the_flop_sees_flop_and_showdown() -> None:
    counts = count("r1000 f f c")
    assert counts[2].went_to_showdown == YES
    assert counts[3].went_to_showdown == YES
    assert counts[2].net == 1010
    assert counts[3].net == -1000


def test_who_is_all_in_with_a_blind_has_no_voluntary_chance() -> None:
    counts = count("f f f", stacks=(1000, 1000, 15, 1000))
    assert counts[2].vpip == NEVER
    assert counts[2].hands == 1


def test_counts_add_up_over_hands() -> None:
    statistics = Statistics()
    for text in ("f f f", "r60 r180 f f f", "r60 f f c x r100 f"):
        table = deal([1000] * 4, hole_cards=BEST_FIRST, board=BOARD)
        act(table, text)
        statistics.add(table.events)
    third = statistics.by_seat()[3]
    assert third.hands == 3
    assert third.vpip == Ratio(2, 3)
    assert third.pfr == Ratio(2, 3)
    assert third.fold_to_three_bet == YES
    assert third.c_bet == YES
    assert third.net == 0 - 60 + 70
    assert third.bb_per_100 == pytest.approx(100 * (10 / 20) / 3)


def test_nets_of_a_session_are_the_stacks_won() -> None:
    dealer = Dealer(cash_game(tuple(SeatConfig(name, "human") for name in "abc")), {})
    statistics = Statistics()
    for _ in range(6):
        statistics.add(play_hand(dealer, lambda observation: FOLD))
    assert {seat: counts.net for seat, counts in statistics.by_seat().items()} == {
        seat: stack - dealer.bought_in[seat] for seat, stack in dealer.stacks.items()
    }


def test_nothing_counted_is_no_number() -> None:
    assert Ratio().value is None
    assert PlayerStatistics().bb_per_100 is None
    assert Statistics().by_seat() == {}


def test_counts_can_be_stored() -> None:
    counts = count("r60 r180 f f f")[0]
    assert decode(encode(counts), PlayerStatistics) == counts


def test_half_a_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="whole hands"):
        count_hand(deal([1000] * 3).events)
    with pytest.raises(ValueError, match="whole hands"):
        count_hand(())
