import pytest

from engine.agents.explain import explain
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.soulread.survival import KEPT, OTHERS, kept_lead, price_of_risk
from engine.codec import decode, encode
from engine.game.events import CALL, CHECK, FOLD, Action, ActionKind, GameKind, HandStarted, raise_to, start_of
from engine.game.formats import GameConfig, SeatConfig
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.play import Dealer
from engine.session_state import DealerState, SeatRecord
from tests.engine.agents.hands import deal, play, turn_of

HANDS = 11


def moment(stacks: tuple[int, ...], words: str = "", *, reserve: int = 0, hands: int | None = 10) -> Observation:
    table = deal(stacks, kind=GameKind.TOURNAMENT, reserve=reserve, hands_left=hands)
    return turn_of(play(table, words))


def price_of(
    observation: Observation,
    action: Action,
    value: float,
    deviation: float,
    *,
    all_fold: float = 0.0,
    equity: float | None = 0.5,
) -> float:
    chances = {"value": value, "deviation": deviation, "all_fold": all_fold, "called_equity": equity}
    return price_of_risk(observation, action, **chances)


def folded_out(own: int, rebuys: int = 0, for_all: int = 0) -> tuple[bool, int, bool]:
    """Fold a heads-up match of `HANDS` hands from its first decision on.

    Whether the lead was safe, the chips in the end, and whether that was the first place alone.
    """
    config = GameConfig(
        kind=GameKind.TOURNAMENT,
        seats=(SeatConfig("A", "human"), SeatConfig("B", "human")),
        starting_stack=10_000,
        small_blind=50,
        big_blind=100,
        ante=for_all,
        is_big_blind_ante=bool(for_all),
        max_hands=HANDS,
        rebuys=rebuys,
    )
    seats = (SeatRecord(own, 10_000), SeatRecord(20_000 - own, 10_000))
    dealer = Dealer.restore(config, DealerState(0, seats, big_blind_seat=0, has_keyed_streams=True), {})
    is_safe = None
    while dealer.end_reason is None:
        dealer.start_hand()
        while dealer.is_hand_running:
            legal = dealer.legal_actions()
            assert legal is not None
            if dealer.to_act == 0:
                is_safe = bool(kept_lead(dealer.observe(0))) if is_safe is None else is_safe
                dealer.apply(CHECK if legal.can_check else FOLD)
            else:
                dealer.apply(raise_to(legal.min_raise_to) if legal.can_raise else CALL)
    assert is_safe is not None
    return is_safe, dealer.stacks[0], dealer.places[0] < dealer.places[1]


@pytest.mark.parametrize("rebuys", [0, 1])
@pytest.mark.parametrize("own", [10_799, 10_800, 10_801, 10_802])
def test_a_lead_is_safe_to_the_chip(own: int, rebuys: int) -> None:
    """Ten hands after this one cost 750; folding them all leaves more than half of the chips, or does not."""
    is_safe, left, is_first = folded_out(own, rebuys)
    assert left == own - 800
    assert is_safe == is_first == (left > 10_000)


@pytest.mark.parametrize("own", [11_299, 11_300, 11_301, 11_302])
def test_a_lead_is_safe_with_antes_for_all(own: int) -> None:
    """Five of ten hands to come cost an ante of 100 besides the blinds of 750."""
    is_safe, left, is_first = folded_out(own, for_all=100)
    assert left == own - 1_300
    assert is_safe == is_first == (left > 10_000)


def test_an_ante_for_all_counts_where_the_big_blind_could_not_post_it() -> None:
    """Ten hands of two cost 750, and 500 of antes for all; others then have 1,450."""
    rules = TableRules(50, 100, big_blind_ante=100)
    for own, is_safe in ((2_700, False), (2_701, True)):
        dealt = turn_of(deal((own, 100, 100), kind=GameKind.TOURNAMENT, hands_left=10, rules=rules))
        assert dealt.pot == 150
        assert bool(kept_lead(dealt)) == is_safe


def test_all_others_count_together_and_blinds_as_for_two() -> None:
    """The button of three has posted nothing, and ten hands of two cost 750."""
    assert not kept_lead(moment((11_500, 5_000, 5_000)))
    kept, others = kept_lead(moment((11_501, 5_000, 5_000)))
    assert (kept.name, kept.value, others.name, others.value) == (KEPT, 10_751, OTHERS, 10_750)


def test_chips_that_can_be_bought_count_as_their_owners() -> None:
    """Each can buy 5,000: blinds of 800, of three 750, must leave more than half of 30,000 and of 35,000."""
    assert not kept_lead(moment((10_800, 9_200), reserve=5_000))
    assert kept_lead(moment((10_801, 9_199), reserve=5_000))
    assert not kept_lead(moment((13_250, 3_375, 3_375), reserve=5_000))
    assert kept_lead(moment((13_251, 3_375, 3_374), reserve=5_000))


def test_no_lead_is_kept_without_a_last_hand_or_for_money() -> None:
    assert not kept_lead(moment((19_000, 1_000), hands=None))
    assert not kept_lead(turn_of(deal((19_000, 1_000), hands_left=10)))
    assert kept_lead(moment((19_000, 1_000), hands=0))


def test_a_safe_lead_is_folded_or_checked_and_says_so() -> None:
    agent = SoulreadAgent("soulread")
    first = agent.decide(moment((15_000, 5_000)), 1)
    assert (first.action, first.trace.rule, first.trace.values) == (FOLD, "keep_lead", None)
    assert explain(first.trace)[-1].text == (
        "Folding all hands to come leaves us 14,200 chips and all others 5,800: fold."
    )
    assert agent.decide(moment((5_000, 15_000), "c"), 1).action == CHECK
    bought = agent.decide(moment((15_000, 5_000), reserve=2_000), 1)
    assert explain(bought.trace)[-1].text == (
        "Folding all hands to come leaves us 16,200 chips and all others 7,800, counting those that can still be "
        "bought: fold."
    )


def test_the_price_of_risk_is_that_of_constant_relative_risk_aversion() -> None:
    """An even chance of a tenth of all chips, against the exact certainty equivalent of the utility -1 / c ** 2."""
    stacks, river = (20_100, 20_100), "c x | x x | x x"
    exact = 40_000 - (0.5 * 44_000**-2 + 0.5 * 36_000**-2) ** -0.5
    price = price_of(moment(stacks, river, reserve=20_000), CHECK, 0, 4_000)
    assert price == pytest.approx(exact, rel=0.03)
    assert price_of(moment(stacks, river), CHECK, 0, 4_000) == pytest.approx(2 * price)
    assert price_of(turn_of(deal(stacks)), CALL, 0, 4_000) == 0, "of a cash game"


def test_with_prizes_risk_costs_a_third() -> None:
    """As of somebody who maximises the logarithm of their chips: the first places win more than to be out late."""
    stacks, river = (20_100, 20_100), "c x | x x | x x"
    prizes = turn_of(play(deal(stacks, kind=GameKind.TOURNAMENT, hands_left=10, payouts=(70, 30)), river))
    exact = 20_000 - (22_000 * 18_000) ** 0.5
    assert price_of(prizes, CHECK, 0, 2_000) == pytest.approx(exact, rel=0.01)
    assert price_of(moment(stacks, river), CHECK, 0, 2_000) == pytest.approx(3 * exact, rel=0.01)


@pytest.mark.parametrize("depth", [25, 50, 75])
@pytest.mark.parametrize("cards", ["TsTd", "AhQs", "AhKs"])
def test_good_hands_are_raised_first_in_from_the_button_with_prizes(depth: int, cards: str) -> None:
    stacks = (100 * depth,) * 6
    table = deal(stacks, hole_cards={0: cards}, kind=GameKind.TOURNAMENT, payouts=(50, 30, 20))
    first_in = turn_of(play(table, "f f f"))
    assert first_in.seat == first_in.button == 0
    assert SoulreadAgent("soulread").decide(first_in, 5).action.kind is ActionKind.RAISE


def test_a_risk_that_can_still_be_declined_costs_less() -> None:
    """On the flop the big blind has 20,000 chips behind and owes 10,000 of them, or nothing."""
    check, bet = (moment((20_100, 20_100), f"c x | {words}") for words in ("", "x 10000"))
    whole = price_of(moment((20_100, 20_100), "c x | x x | x x"), CHECK, 0, 4_000)
    prices = [price_of(*each, 0, 4_000) / whole for each in ((check, CHECK), (bet, CALL), (bet, raise_to(20_000)))]
    assert prices == pytest.approx([1 / 4, 5 / 8, 1])


def test_a_risk_after_which_nobody_can_bet_counts_whole() -> None:
    """The big blind with 40,000 behind calls the last 10,000, raises to all of them, or another may still bet."""
    stacks = (10_000, 40_100)
    whole = price_of(moment((40_100, 40_100), "c x | x x | x x"), CHECK, 0, 4_000)
    alone, covering = moment(stacks, "10000"), moment(stacks, "200")
    prices = [price_of(*each, 0, 4_000) / whole for each in ((alone, CALL), (covering, raise_to(10_000)))]
    assert prices == pytest.approx([1, 1], rel=0.01)
    behind = moment((40_100, 10_000, 40_100), "200 10000")
    assert behind.seat == 2
    open_ = price_of(behind, CALL, 0, 4_000) / whole
    assert open_ == pytest.approx(1 / 4 + 3 / 4 * 9_900 / 40_000, rel=0.01)


@pytest.mark.parametrize(
    ("pot", "share", "is_called"),
    [(1_000, 0.4, True), (250, 0.9, True), (220, 0.52, True), (205, 0.5, False), (130, 0.7, False)],
)
def test_last_chips_go_in_for_a_little_more_than_they_are_worth(pot: int, share: float, is_called: bool) -> None:
    """A call of the last 100 chips, one big blind, that wins the pot this often."""
    value, deviation = share * pot - 100, pot * (share * (1 - share)) ** 0.5
    counted = value - price_of(moment((150, 5_000)), CALL, value, deviation)
    assert (counted > 0) is is_called


def test_no_risk_is_worse_than_the_loss_of_all_chips() -> None:
    """As an all-in of 232 big blinds into 256, said to cost 769 of them."""
    observation = moment((20_100, 20_100))
    behind, shove = observation.me.stack, raise_to(20_100)
    assert -5_000 - price_of(observation, shove, -5_000, 60_000) == -behind
    assert price_of(observation, shove, -behind - 50, 60_000) == 0


def test_a_large_bluff_does_not_live_on_folds() -> None:
    """All-in for 10,000 into 150: with 90% folds 35 chips are won, and 100 lost without them."""
    observation = moment((10_050, 20_000))
    assert observation.pot == 150
    shove, small, pushed = raise_to(10_050), raise_to(900), moment((1_050, 20_000))
    assert 35 - price_of(observation, shove, 35, 0, all_fold=0.9) == pytest.approx(-100)
    # With chips of its own to win when called, small, or ten big blinds deep it is none.
    assert price_of(observation, shove, 136, 0, all_fold=0.9) == 0
    assert price_of(observation, small, 35, 0, all_fold=0.9) == 0
    assert price_of(pushed, raise_to(1_050), 35, 0, all_fold=0.9) == 0
    assert price_of(turn_of(deal((10_050, 20_000))), shove, 35, 0, all_fold=0.9) == 0


def test_a_large_bluff_beside_somebody_all_in_does_not_live_on_folds() -> None:
    """The first seat is all-in for 1,000, the second calls, the third may raise the second out."""
    observation = moment((1_000, 10_000, 10_000), "1000 c")
    me, shove = observation.me, raise_to(10_000)
    assert (observation.pot, me.bet, observation.legal and observation.legal.max_raise_to) == (2_100, 100, 10_000)
    # Called it plays for 21,000 and pays 9,900: with less than 47% of it there is less to win than to lose.
    assert 500 - price_of(observation, shove, 500, 0, equity=0.4) == pytest.approx(0.4 * 21_000 - 9_900)
    assert price_of(observation, shove, 500, 0, equity=0.48) == 0
    assert price_of(observation, raise_to(1_100), 500, 0, equity=0.4) == 0, "small"
    # Nobody can pay more than the caller has.
    short = moment((1_000, 3_000, 10_000), "1000 c")
    assert 500 - price_of(short, shove, 500, 0, equity=0.4) == pytest.approx(0.4 * 7_000 - 2_900)
    assert price_of(turn_of(play(deal((1_000, 10_000, 10_000)), "1000 c")), shove, 500, 0, equity=0.4) == 0


def test_a_dealer_says_what_is_left_in_a_tournament() -> None:
    seats = (SeatConfig("A", "human"), SeatConfig("B", "human"))
    for kind, reserve, left, payouts in (
        (GameKind.TOURNAMENT, 4_000, 599, (65, 35)),
        (GameKind.TOURNAMENT, 4_000, 599, ()),
        (GameKind.CASH, 0, None, ()),
    ):
        config = GameConfig(
            kind=kind,
            seats=seats,
            starting_stack=2_000,
            small_blind=20,
            big_blind=40,
            rebuys=2,
            max_hands=600,
            payouts=payouts,
        )
        started = start_of(Dealer(config, {}).start_hand())
        assert [seat.reserve for seat in started.seats] == [reserve] * 2
        assert started.hands_left == left
        assert started.payouts == payouts


def test_hands_stored_before_say_nothing_of_what_is_left() -> None:
    event = moment((2_000, 2_000), reserve=500).events[0]
    text = encode(event).decode().replace(',"reserve":500', "").replace(',"hands_left":10', "")
    text = text.replace(',"payouts":[]', "")
    assert "reserve" not in text
    assert "payouts" not in text
    assert "hands_left" not in text
    started = decode(text.encode(), HandStarted)
    assert (started.hands_left, started.seats[0].reserve, started.payouts) == (None, 0, ())
