"""The rules of betting, case by case; each names where it comes from.

TDA: Poker Tournament Directors Association, Rules, 2024. RRP: Robert's Rules of Poker, version 11.
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Street
from engine.game.events import CALL, CHECK, FOLD, Action, ActionKind, raise_to
from engine.game.observation import LegalActions
from engine.game.rules import (
    Award,
    Betting,
    CorrectedBetting,
    IllegalActionError,
    Phase,
    RulesError,
    TableRules,
    pots_of,
)


def betting(stacks: list[int], button: int = 0, **rules: int) -> Betting:
    return Betting(TableRules(10, 20, **rules), stacks, button)


def play(hand: Betting, text: str) -> Betting:
    for part in text.split():
        if part == "/":
            hand.next_street()
        else:
            hand.do({"f": FOLD, "x": CHECK, "c": CALL}.get(part) or raise_to(int(part[1:])))
    return hand


def run_out(hand: Betting) -> Betting:
    while hand.phase == Phase.RUN_OUT:
        hand.next_street()
    return hand


def legal(hand: Betting) -> LegalActions:
    answer = hand.legal_actions()
    assert answer is not None
    return answer


# Who posts and who acts first


def test_the_big_blind_posts_the_ante_for_all_into_the_main_pot() -> None:
    hand = betting([1000, 1000, 1000, 50], button=1, big_blind_ante=20)
    assert (hand.big_blind_place, hand.bets) == (3, (0, 0, 10, 20))
    assert hand.stacks == (1000, 1000, 990, 10)
    assert (hand.committed, hand.pot) == ((0, 0, 10, 20), 50)
    play(hand, "r60 c f c")
    assert hand.pots() == ((120, (0, 1, 3)), (60, (0, 1))), "30 of each of three, the small blind, and the ante"


def test_a_short_big_blind_posts_the_blind_first_and_then_what_is_left_of_the_ante() -> None:
    """The decision of the TDA's summit of 2024."""
    for stack, for_all in ((15, 0), (20, 0), (33, 13), (41, 20)):
        hand = betting([1000, 1000, stack], big_blind_ante=20)
        assert (hand.bets[2], hand.posted_for_all) == (min(stack, 20), for_all)


def test_nobody_gets_an_ante_for_all_back_as_uncalled() -> None:
    hand = play(betting([1000, 1000, 1000], big_blind_ante=20), "f f")
    assert hand.uncalled == (2, 10)
    assert hand.awards([0, 0, 1]) == (Award(2, 0, 40),)
    hand = Betting(TableRules(10, 20, big_blind_ante=20), [1000] * 3, 0, has_small_blind=False)
    play(hand, "f f")
    assert hand.uncalled == (1, 20)
    assert hand.pots() == ((20, (1,)),), "the ante alone is left to be won"


def test_a_straddle_is_a_third_blind_that_acts_last() -> None:
    """RRP: a straddle sets a new minimum, and its player has the last word."""
    hand = betting([1000] * 5, button=0, straddle=50)
    assert hand.bets == (0, 10, 20, 50, 0)
    assert (hand.straddle_place, hand.to_act) == (3, 4)
    assert legal(hand) == LegalActions(False, 50, 100, 1000)
    play(hand, "c c c c")
    assert hand.to_act == 3
    assert legal(hand) == LegalActions(True, 0, 100, 1000)
    play(hand, "x /")
    assert hand.to_act == 1
    assert legal(hand).min_raise_to == 20, "after the flop the least bet is a big blind"


def test_a_straddle_that_is_raised_is_answered_like_a_blind() -> None:
    hand = play(betting([1000] * 4, straddle=40), "r90 f f")
    assert hand.to_act == 3
    assert legal(hand) == LegalActions(False, 50, 140, 1000)


@pytest.mark.parametrize(("stacks", "straddles"), [([1000, 1000], None), ([40] * 3, None), ([41] * 3, 0)])
def test_there_is_no_straddle_of_two_or_by_who_it_would_put_all_in(
    stacks: list[int], straddles: int | None
) -> None:
    hand = betting(stacks, straddle=40)
    assert hand.straddle_place == straddles
    assert max(hand.bets) == (20 if straddles is None else 40)


def test_a_straddle_and_an_ante_for_all_that_make_no_sense_are_refused() -> None:
    for rules, why in (
        ({"straddle": 39}, r"A straddle must be at least twice the big blind \(40\), not 39\."),
        ({"straddle": -1}, r"A straddle must be at least twice the big blind \(40\), not -1\."),
        ({"big_blind_ante": -1}, r"The ante must not be negative, and it is -1\."),
    ):
        with pytest.raises(RulesError, match=f"^{why}$"):
            betting([1000] * 3, **rules)


# Raises to twice the bet, so many on a street


def contest(stacks: list[int]) -> Betting:
    return betting(stacks, max_raises=4, counts_bets=False, raises_to_twice=True)


def test_a_raise_is_to_twice_the_bet_and_a_bet_is_free() -> None:
    hand = contest([1000] * 3)
    assert legal(hand) == LegalActions(False, 20, 40, 40)
    with pytest.raises(IllegalActionError, match=r"^A raise is to twice the bet, to 40\.$"):
        hand.do(raise_to(60))
    play(hand, "r40 r80 r160")
    assert legal(hand) == LegalActions(False, 120, 320, 320)
    play(hand, "c c /")
    assert legal(hand) == LegalActions(True, 0, 20, 840)
    play(hand, "r333")
    assert legal(hand) == LegalActions(False, 333, 666, 666)


def test_who_has_too_little_for_twice_the_bet_may_go_all_in() -> None:
    hand = play(contest([1000, 70, 1000]), "r40")
    assert legal(hand) == LegalActions(False, 30, 70, 70)
    play(hand, "r70")
    assert legal(hand) == LegalActions(False, 50, 140, 140), "who has not acted may raise to twice the all-in"
    play(hand, "c")
    assert legal(hand) == LegalActions(False, 30, 0, 0), "an all-in of less than twice the bet does not re-open it"


def test_four_raises_are_allowed_on_a_street_and_its_first_bet_is_none() -> None:
    hand = play(contest([100_000] * 2), "r40 r80 r160 r320")
    assert not legal(hand).can_raise
    with pytest.raises(IllegalActionError, match=r"^No more than 4 raises are allowed on a street\.$"):
        hand.do(raise_to(640))
    play(hand, "c / r20 r40 r80 r160 r320")
    assert not legal(hand).can_raise
    play(hand, "c / x r20 r40 r80 r160")
    assert legal(hand) == LegalActions(False, 80, 320, 320)


@pytest.mark.parametrize(("counts_bets", "what"), [(False, "raise"), (True, "bet or raise")])
def test_a_single_raise_is_one(counts_bets: bool, what: str) -> None:
    hand = play(betting([1000] * 2, max_raises=1, counts_bets=counts_bets), "r40")
    with pytest.raises(IllegalActionError, match=rf"^Only one {what} is allowed on a street\.$"):
        hand.do(raise_to(80))


@given(st.lists(st.integers(1, 3000), min_size=2, max_size=10), st.integers(0, 10**6))
def test_the_rules_of_the_contest_always_hold(stacks: list[int], seed: int) -> None:
    """Counted here from what was done, not from what the rules remember."""
    rng, hand = random.Random(seed), contest(stacks)
    done: list[int] = []
    street = hand.street
    while hand.phase in (Phase.BETTING, Phase.STREET_OVER):
        if hand.phase == Phase.STREET_OVER:
            hand.next_street()
        if hand.street != street:
            street, done = hand.street, []
        if hand.to_act is None:
            continue
        answer, stack, bet = legal(hand), hand.stacks[hand.to_act], hand.bets[hand.to_act]
        level = bet + answer.call_amount
        raises = len(done) - (1 if done and street else 0)
        assert raises <= 4
        if answer.can_raise and (level or not street):
            twice = 2 * max(level, 20 if not street else 0)
            assert answer.min_raise_to == answer.max_raise_to == min(twice, stack + bet)
            assert raises < 4
        choices = [FOLD, CHECK if answer.can_check else CALL]
        if answer.can_raise:
            choices += [raise_to(rng.randint(answer.min_raise_to, answer.max_raise_to))] * 3
        action = rng.choice(choices)
        done += [action.raise_to] if action.kind == ActionKind.RAISE else []
        hand.do(action)
    run_out(hand)
    hand.award([rng.randint(0, 3) for _ in stacks])
    assert sum(hand.stacks) == sum(stacks)


# Blinds of two and more


def test_the_blinds_are_left_of_the_button_and_the_next_seat_acts_first() -> None:
    hand = betting([1000] * 4, button=2)
    assert (hand.small_blind_place, hand.big_blind_place, hand.to_act) == (3, 0, 1)
    assert hand.bets == (20, 0, 0, 10)
    play(hand, "c c c x /")
    assert hand.to_act == 3  # after the flop the first seat left of the button


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop() -> None:
    """TDA Rule 34-B."""
    hand = betting([1000, 1000], button=1)
    assert (hand.small_blind_place, hand.big_blind_place, hand.to_act) == (1, 0, 1)
    play(hand, "c x /")
    assert hand.to_act == 0


def test_a_dead_small_blind_is_not_posted() -> None:
    """TDA Rule 32, dead button: the seat that owes the small blind may be empty."""
    hand = Betting(TableRules(10, 20), [1000] * 3, 0, has_small_blind=False)
    assert hand.small_blind_place is None
    assert hand.bets == (0, 20, 0)
    assert hand.to_act == 2
    play(hand, "c c x /")
    assert hand.to_act == 1


def test_antes_are_posted_before_the_blinds() -> None:
    """A seat with an ante and two chips posts the ante first and those two as its blind."""
    hand = betting([1000, 1000, 7], ante=5)
    assert hand.committed == (5, 15, 7)
    assert hand.bets == (0, 10, 2)
    assert hand.stacks == (995, 985, 0)


def test_a_seat_that_the_ante_puts_all_in_posts_no_blind() -> None:
    hand = betting([1000, 4, 1000], ante=5)
    assert hand.bets == (0, 0, 20)
    assert hand.to_act == 0
    play(hand, "c x /")
    assert hand.to_act == 2


def test_the_big_blind_may_raise_when_all_just_call() -> None:
    hand = play(betting([1000] * 3), "c c")
    assert hand.to_act == 2
    assert legal(hand) == LegalActions(can_check=True, call_amount=0, min_raise_to=40, max_raise_to=1000)
    assert play(hand, "x").phase == Phase.STREET_OVER


# How much


def test_the_least_bet_is_a_big_blind() -> None:
    hand = play(betting([1000] * 3), "c c x /")
    assert legal(hand).min_raise_to == 20


def test_a_raise_adds_at_least_the_largest_raise_of_the_street() -> None:
    """TDA Rule 43-A."""
    hand = betting([1000] * 3)
    assert legal(hand).min_raise_to == 40
    play(hand, "r100")  # 80 more than the big blind
    assert legal(hand).min_raise_to == 180
    play(hand, "r180 r500")
    assert legal(hand).min_raise_to == 820
    play(hand, "c c /")
    assert legal(hand).min_raise_to == 20  # a new street


def test_an_all_in_may_be_less_than_the_least_raise() -> None:
    hand = play(betting([1000, 1000, 130]), "r100 c")
    assert legal(hand) == LegalActions(False, 80, 130, 130)
    play(hand, "r130")
    assert legal(hand).call_amount == 30


def test_who_has_less_than_the_bet_can_only_call_all_in() -> None:
    hand = play(betting([1000, 70, 1000]), "r100")
    assert legal(hand) == LegalActions(False, 60, 0, 0)


# Rule 47: what short all-ins re-open


def test_a_short_all_in_does_not_reopen_the_betting() -> None:
    """TDA Rule 47-A: 1 bets 100, 2 calls, 0 is all-in for 150; they face 50, less than a full raise of 100."""
    hand = play(betting([170, 1000, 1000]), "c c x / r100 c r150")
    assert hand.to_act == 1
    assert legal(hand) == LegalActions(False, 50, 0, 0)
    play(hand, "c")
    assert legal(hand) == LegalActions(False, 50, 0, 0)


def test_who_has_not_acted_yet_may_raise_a_short_all_in() -> None:
    hand = play(betting([1000, 1000, 1000, 30]), "r30")  # seat 3 is first, and 10 is no full raise
    assert hand.to_act == 0
    assert legal(hand) == LegalActions(False, 30, 50, 1000)


def test_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    """TDA Rule 47-A, illustration: a bet of 300, all-ins of 500, 650 and 800, a call; then 300 may raise again.

    The bettor faces 500 more, at least the 300 of a full raise, and the least raise is still 300.
    """
    stacks = [2000, 2020, 520, 670, 820]  # the button calls 800 in the end; 1 bets
    hand = play(betting(stacks), "c c c c x / r300 r500 r650 r800 c")
    assert hand.to_act == 1
    assert legal(hand) == LegalActions(False, 500, 1100, 2000)
    # The caller of 800 faces nothing yet; after a raise he may raise again.
    play(hand, "r1100")
    assert hand.to_act == 0
    assert legal(hand) == LegalActions(False, 300, 1400, 1980)


def test_the_sum_counts_for_each_player_since_his_own_last_action() -> None:
    """TDA Rule 47-A says facing: who called in between faces only what came after his call."""
    stacks = [2000, 2000, 170, 2000, 220]
    # Flop: 1 bets 100, 2 all-in 150, 3 calls 150, 4 all-in 200, 0 folds.
    hand = play(betting(stacks), "c c c c x / r100 r150 c r200 f")
    assert hand.to_act == 1
    assert legal(hand).can_raise  # faces 100 more
    play(hand, "c")
    assert hand.to_act == 3
    assert not legal(hand).can_raise  # faces 50 more


def test_a_short_opening_all_in_does_not_reopen_for_who_has_checked() -> None:
    """TDA Rule 47-A: an all-in of 15 is no full bet of 20."""
    hand = play(betting([1000, 1000, 35]), "c c x / x r15 c")
    assert hand.to_act == 1
    assert legal(hand) == LegalActions(False, 15, 0, 0)


def test_a_full_raise_reopens_for_all() -> None:
    hand = play(betting([1000, 1000, 170, 1000]), "c c c x / r100 r150 r400 f")
    assert hand.to_act == 1
    assert legal(hand) == LegalActions(False, 300, 650, 980)


# Blinds that are short


def test_a_short_big_blind_still_makes_a_full_one_the_price() -> None:
    hand = betting([1000, 1000, 5])
    assert hand.to_act == 0
    assert legal(hand) == LegalActions(False, 20, 40, 1000)
    play(hand, "c")
    assert legal(hand) == LegalActions(False, 10, 40, 1000)
    assert play(hand, "c").phase == Phase.STREET_OVER


def test_nobody_overpays_an_all_in_big_blind_alone() -> None:
    """The small blind of 10 covers the big blind's 5: the 5 left over go back and nobody is asked."""
    hand = play(betting([1000, 1000, 5]), "f")
    assert hand.phase == Phase.RUN_OUT
    assert hand.uncalled == (1, 5)
    assert hand.committed == (0, 5, 5)


def test_heads_up_the_price_of_a_short_big_blind_is_what_it_posted() -> None:
    hand = betting([1000, 15])
    assert legal(hand) == LegalActions(False, 5, 0, 0)


def test_blinds_that_put_everybody_all_in_end_the_betting_before_it_begins() -> None:
    hand = betting([8, 20])
    assert hand.phase == Phase.RUN_OUT
    assert hand.uncalled == (1, 12)


# Folding, caps, ends


def test_folding_is_legal_when_a_check_is_free() -> None:
    """TDA Rule 58: a non-standard fold is binding."""
    hand = play(betting([1000, 1000]), "c f")
    assert hand.phase == Phase.FOLDED_OUT


def test_the_contest_allows_four_bets_and_raises_per_street() -> None:
    """Texas Hold'em AI Game, 2017: at most 4 bets and raises per betting round; the fifth is a call."""
    hand = play(betting([1000, 1000], max_raises=4), "r40 r60 r80 r100")
    assert legal(hand) == LegalActions(False, 20, 0, 0)
    with pytest.raises(IllegalActionError, match="No more than 4 bets and raises"):
        hand.do(raise_to(120))
    play(hand, "c /")
    assert legal(hand).can_raise


def test_no_raise_when_everybody_else_is_all_in() -> None:
    hand = play(betting([1000, 300, 1000]), "f r300")
    assert legal(hand) == LegalActions(False, 280, 0, 0)
    play(hand, "c")
    assert hand.phase == Phase.RUN_OUT


def test_nobody_is_asked_when_only_one_has_chips_left() -> None:
    """Three to the flop, one of them all-in; one folds without a bet: the last one has no decision."""
    hand = play(betting([1000, 1000, 20]), "c c / ")
    assert hand.to_act == 1
    play(hand, "f")
    assert hand.phase == Phase.RUN_OUT


def test_an_uncalled_bet_goes_back() -> None:
    hand = play(betting([1000] * 3), "r100 f f")
    assert hand.phase == Phase.FOLDED_OUT
    assert hand.uncalled == (0, 80)
    assert [(a.place, a.amount) for a in hand.award([0, 0, 0])] == [(0, 50)]
    assert hand.stacks == (1030, 990, 980)


# Pots


def test_three_all_ins_make_a_main_pot_and_two_side_pots() -> None:
    hand = play(betting([100, 300, 700, 700]), "r700 c c c")
    assert hand.pots() == ((400, (0, 1, 2, 3)), (600, (1, 2, 3)), (800, (2, 3)))
    awards = run_out(hand).award([4, 3, 2, 1])
    # A dealer awards the last side pot first.
    assert [(a.pot, a.place, a.amount) for a in awards] == [(2, 2, 800), (1, 1, 600), (0, 0, 400)]
    assert hand.stacks == (400, 600, 800, 0)


def test_folded_chips_stay_in_the_pots_they_belong_to() -> None:
    # 3 raises to 200, 0 is all-in for 100, 1 all-in for 300, 2 and 3 call; on the flop 2 bets 100 and 3 folds.
    hand = play(betting([100, 300, 700, 700]), "r200 c r300 c c / r100 f")
    assert hand.phase == Phase.RUN_OUT
    assert hand.uncalled == (2, 100)
    assert hand.pots() == ((400, (0, 1, 2)), (600, (1, 2)))


def test_a_pot_that_is_still_being_bet_for_is_one_pot() -> None:
    hand = play(betting([1000] * 3), "r100")
    assert hand.pots() == ((130, (0, 1, 2)),)


def test_odd_chips_go_one_by_one_to_the_left_of_the_button() -> None:
    """TDA Rule 20; that no winner gets two odd chips is RRP, "The Showdown"."""
    # Places 1, 3 and 0 tie for a pot of 200: 66 each and two odd chips; 1 and 3 sit first left of the button.
    hand = play(betting([1000] * 4), "r60 c c f / x x x / x x x / x x x")
    assert hand.pots() == ((200, (0, 1, 3)),)
    assert [(a.place, a.amount) for a in hand.award([5, 5, 9, 5])] == [(1, 67), (3, 67), (0, 66)]


def test_each_side_pot_is_split_separately() -> None:
    """TDA Rule 21: 0 is all-in and beaten; 1 and 2 split 63 and 20 apart, so 1 gets one odd chip only."""
    hand = play(betting([21, 31, 31]), "r21 r31 c")
    assert hand.pots() == ((63, (0, 1, 2)), (20, (1, 2)))
    assert [(a.pot, a.place, a.amount) for a in run_out(hand).award([1, 2, 2])] == [
        (1, 1, 10),
        (1, 2, 10),
        (0, 1, 32),
        (0, 2, 31),
    ]


# Why not


@pytest.mark.parametrize(
    ("stacks", "before", "action", "why"),
    [
        ([500] * 3, "", CHECK, "A check is not possible with 20 to call."),
        ([500] * 3, "c c", CALL, "There is nothing to call: check instead."),
        ([500] * 3, "", raise_to(30), "Raise to at least 40 (the big blind is 20), or all-in 500."),
        ([500] * 3, "r100", raise_to(150), "Raise to at least 180 (the last full raise was 80), or all-in 500."),
        ([500] * 3, "", raise_to(501), "Raise to at most 500, which is all-in."),
        ([35, 500, 500], "", raise_to(30), "The only raise possible is all-in, to 35."),
        ([500, 60, 500], "r100", raise_to(60), "A raise needs more than the 50 to call"),
        ([500, 500, 60], "r60 c c", raise_to(80), "Cards are being dealt; nobody is to act."),
        ([500, 60, 500], "f r60", raise_to(100), "A raise makes no sense: nobody else has chips to call it."),
        ([500, 500, 90], "r70 c r90", raise_to(300), "The raise before was less than a full raise (50)"),
        ([500] * 3, "", Action(ActionKind.CALL, 20), "A call carries no amount, and this one has 20."),
        ([500] * 3, "", Action(ActionKind.RAISE, 40.5), "A bet is a whole number of chips, and 40.5 is none."),  # type: ignore[arg-type]
    ],
)
def test_a_refusal_says_why_and_changes_nothing(stacks: list[int], before: str, action: Action, why: str) -> None:
    hand = play(betting(stacks), before)
    stacks_before, to_act = hand.stacks, hand.to_act
    assert not hand.can(action)
    with pytest.raises(IllegalActionError) as caught:
        hand.do(action)
    assert str(caught.value).startswith(why)
    assert (hand.stacks, hand.to_act) == (stacks_before, to_act)


def test_nothing_can_be_done_after_the_hand() -> None:
    hand = play(betting([500, 500]), "f")
    hand.award([0, 0])
    with pytest.raises(IllegalActionError, match="The hand is over"):
        hand.do(FOLD)


@pytest.mark.parametrize(
    ("rules", "stacks", "button", "why"),
    [
        (TableRules(0, 20), [100, 100], 0, "The small blind must be at least 1 chip, not 0."),
        (TableRules(30, 20), [100, 100], 0, "The big blind (20) must not be below the small blind (30)."),
        (TableRules(10, 20, -1), [100, 100], 0, "The ante must not be negative, and it is -1."),
        (TableRules(10, 20, 0, -1), [100, 100], 0, "The cap on raises must not be negative, and it is -1."),
        (TableRules(10, 20), [100], 0, "A hand needs 2 to 10 players, not 1."),
        (TableRules(10, 20), [100] * 11, 0, "A hand needs 2 to 10 players, not 11."),
        (TableRules(10, 20), [100, 0], 0, "Every player dealt in needs chips, and one has 0."),
        (TableRules(10, 20), [100, 100], 2, "The button must stand at one of the 2 places, not at 2."),
    ],
)
def test_impossible_stakes_are_refused(rules: TableRules, stacks: list[int], button: int, why: str) -> None:
    with pytest.raises(RulesError) as caught:
        Betting(rules, stacks, button)
    assert str(caught.value) == why


# Properties


@st.composite
def hands(draw: st.DrawFn) -> Betting:
    stacks = draw(st.lists(st.integers(1, 3000), min_size=2, max_size=10))
    big_blind = draw(st.integers(1, 100))
    rules = TableRules(
        draw(st.integers(1, big_blind)), big_blind, draw(st.integers(0, 120)), draw(st.sampled_from([0, 0, 4]))
    )
    button = draw(st.integers(0, len(stacks) - 1))
    return Betting(rules, stacks, button, has_small_blind=draw(st.booleans()))


@given(hands(), st.randoms(use_true_random=False))
def test_chips_are_conserved_and_there_is_always_something_to_do(hand: Betting, rng: random.Random) -> None:
    total = sum(hand.stacks) + sum(hand.committed)
    while hand.phase not in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
        assert sum(hand.stacks) + sum(hand.committed) == total
        assert sum(amount for amount, _ in hand.pots()) == sum(hand.committed)
        assert all(places for _, places in hand.pots())
        assert min(hand.stacks) >= 0
        if hand.phase != Phase.BETTING:
            hand.next_street()
            continue
        answer = legal(hand)
        assert answer.min_raise_to <= answer.max_raise_to
        assert answer.can_check == (answer.call_amount == 0)
        choices = [FOLD, CHECK if answer.can_check else CALL]
        if answer.can_raise:
            choices += [raise_to(answer.min_raise_to), raise_to(answer.max_raise_to)]
            choices.append(raise_to(rng.randint(answer.min_raise_to, answer.max_raise_to)))
        assert all(hand.can(choice) for choice in choices)
        hand.do(rng.choice(choices[1:] * 3 + choices[:1]))
    strengths = [rng.randint(1, 4) for _ in hand.stacks]
    pots = hand.pots()
    awards = hand.award(strengths)
    assert sum(hand.stacks) == total
    for number, (amount, places) in enumerate(pots):
        won = {award.place: award.amount for award in awards if award.pot == number}
        assert sum(won.values()) == amount
        best = max(strengths[place] for place in places)
        assert set(won) <= {place for place in places if strengths[place] == best}
        assert max(won.values()) - min(won.values()) <= 1


# What is asked of any moment


def test_what_would_be_awarded_now_changes_nothing() -> None:
    hand = play(betting([100, 300, 300]), "r100 c c / x x / x x / x x")
    before = (hand.phase, hand.stacks, hand.pots())
    assert hand.awards([3, 2, 1]) == (Award(0, 0, 300),)
    assert (hand.phase, hand.stacks, hand.pots()) == before
    assert hand.pot == 300
    assert hand.award([3, 2, 1]) == (Award(0, 0, 300),)


def test_pots_of_figures_are_those_of_the_hand() -> None:
    hand = play(betting([100, 300, 500, 500], button=3), "r500 c c c")
    assert hand.pots() == ((400, (0, 1, 2, 3)), (600, (1, 2, 3)), (400, (2, 3)))
    assert pots_of(hand.stacks, hand.committed, hand.is_folded) == hand.pots()
    assert pots_of([0, 80], [20, 20], [False, True]) == ((40, (0,)),)
    assert pots_of([0, 80], [20, 50], [False, True]) == ((70, (0,)),), "what was put in beyond is the last pot's"


# At another's table, whose server says what counts


def elsewhere(stacks: list[int], **rules: int) -> CorrectedBetting:
    """A hand with the button at place 0, whose blinds are posted one by one."""
    hand = CorrectedBetting(TableRules(10, 20, **rules), stacks, 0)
    assert (hand.committed, hand.pot) == ((0,) * len(stacks), 0)
    for place, amount in ((hand.small_blind_place, 10), (hand.big_blind_place, 20)):
        assert place is not None
        hand.post(place, amount)
    hand.ask_first()
    return hand


def test_blinds_posted_one_by_one_are_blinds() -> None:
    ours, theirs = betting([1000] * 3), elsewhere([1000] * 3)
    assert (theirs.bets, theirs.to_act, legal(theirs)) == (ours.bets, ours.to_act, legal(ours))
    assert theirs.pots() == ours.pots()


def test_an_ante_is_no_bet_and_dead_chips_are_the_main_pots() -> None:
    hand = CorrectedBetting(TableRules(10, 20), [1000, 1000], 0)
    hand.dead = 7
    hand.post(1, 5, is_ante=True)
    assert (hand.stacks, hand.bets, hand.committed, hand.pot) == ((1000, 995), (0, 0), (0, 5), 12)
    hand.correct(0, stack=900, committed=100, bet=100)
    hand.correct(1, is_folded=True)
    assert (hand.stacks, hand.bets, hand.committed) == ((900, 995), (100, 0), (100, 5))
    assert hand.is_folded == (False, True)
    assert hand.pots() == ((112, (0,)),)
    hand.correct(1, is_folded=False)
    assert hand.pots() == ((112, (0, 1)),)


@pytest.mark.parametrize(("small", "big", "expected"), [(None, 0, (None, 0)), (2, None, (2, 2))])
def test_a_server_may_let_others_post_the_blinds(
    small: int | None, big: int | None, expected: tuple[int | None, int]
) -> None:
    hand = CorrectedBetting(TableRules(10, 20), [1000] * 3, 0)
    assert (hand.small_blind_place, hand.big_blind_place) == (1, 2)
    hand.place_blinds(small, big)
    assert (hand.small_blind_place, hand.big_blind_place) == expected


@pytest.mark.parametrize(("is_least_raise", "least"), [(True, 30), (False, 35)])
def test_a_short_big_blind_may_be_the_price_to_call(is_least_raise: bool, least: int) -> None:
    hand = CorrectedBetting(TableRules(10, 20), [1000, 1000, 15], 0)
    hand.set_price_to_call(15, is_least_raise=is_least_raise)
    hand.post(1, 10)
    hand.post(2, 15)
    hand.ask_first()
    assert (legal(hand).call_amount, legal(hand).min_raise_to) == (15, least)
    play(hand, "c c /")
    assert legal(hand).min_raise_to == 20, "after the flop a big blind is the least bet"


def test_a_server_may_ask_who_has_folded_or_has_acted() -> None:
    hand = play(elsewhere([1000] * 3), "f c x")
    assert hand.phase == Phase.STREET_OVER
    hand.give_turn(2)
    assert (hand.phase, hand.to_act, hand.is_folded) == (Phase.BETTING, 2, (True, False, False))
    hand.give_turn(0)
    assert (hand.to_act, hand.is_folded, legal(hand).call_amount) == (0, (False, False, False), 20)


def test_a_call_may_cost_other_chips_than_are_owed() -> None:
    hand = elsewhere([1000] * 3)
    hand.pay(CALL, 15)
    assert (hand.stacks[0], hand.bets[0], hand.committed[0], hand.to_act) == (985, 15, 15, 1)
    hand.pay(CHECK, 0)
    assert (hand.stacks[1], hand.bets[1], hand.committed[1], hand.to_act) == (990, 10, 10, 2)
    assert hand.pot == 45


def test_a_server_may_allow_a_raise_beyond_the_cap_or_below_the_least() -> None:
    hand = play(elsewhere([1000] * 2, max_raises=2), "r60 r120")
    assert legal(hand).max_raise_to == 0
    assert hand.allow_raise(180)
    hand.do(raise_to(180))
    hand = elsewhere([1000] * 2)
    assert not hand.can(raise_to(25))
    assert hand.allow_raise(25)
    hand.do(raise_to(25))
    assert hand.bets == (25, 20)


def test_a_server_may_allow_a_raise_to_who_has_already_acted() -> None:
    hand = play(elsewhere([1000, 1000, 130], max_raises=0), "r100 c r130")
    assert legal(hand).max_raise_to == 0, "the all-in was no full raise"
    assert hand.allow_raise(300)
    hand.do(raise_to(300))
    assert hand.bets == (300, 100, 130)


def test_nobody_may_raise_where_nobody_is_left_to_call_it() -> None:
    hand = play(elsewhere([1000, 100]), "c r100")
    least = legal(hand)
    assert not hand.allow_raise(200)
    assert legal(hand) == least


@pytest.mark.parametrize(
    ("text", "is_run_out", "phase"),
    [
        ("c", False, Phase.STREET_OVER),
        ("c", True, Phase.RUN_OUT),
        ("r1000", False, Phase.RUN_OUT),
    ],
)
def test_a_server_may_deal_before_our_rules_would(text: str, is_run_out: bool, phase: Phase) -> None:
    hand = play(elsewhere([1000] * 2), text)
    assert hand.phase == Phase.BETTING
    hand.end_street(is_run_out=is_run_out)
    assert (hand.phase, hand.to_act) == (phase, None)
    hand.next_street()
    assert hand.street == Street.FLOP


def test_a_server_may_end_the_hand_with_any_stacks() -> None:
    hand = elsewhere([1000] * 2)
    hand.end([990, 1007])
    assert (hand.phase, hand.stacks, hand.bets, hand.pots()) == (Phase.AWARDED, (990, 1007), (0, 0), ())
    assert hand.behind == (990, 980), "what was there before the pots were given out"
