"""A finished hand taken up at each of its decisions, with the same cards and with others."""

import numpy as np
import pytest
from msgspec import structs

from engine.cards import COMBO_COUNT, combo_of, parse_cards
from engine.codec import Vector, frozen_vector
from engine.game.events import ActionTaken, Posted, PostKind, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from tests.engine.game.hands import act, deal
from trainer.session.playing_on import CannotPlayOnError, TakenUpHand, take_up
from trainer.storage.store import Store

CARDS = {0: "AhAc", 1: "KhKc", 3: "QhQc"}
TRUTH = {seat: parse_cards(text) for seat, text in CARDS.items()}
STYLES = {0: "human", 1: "random", 2: "random", 3: "calling station"}


def finished() -> Observation:
    table = deal({0: 1000, 1: 700, 3: 1000}, hole_cards=CARDS, board="2s 5d 7c 9h Js", ante=5)
    act(table, "r60 c f x x x r100 c x x")
    assert table.is_over
    return table.observe(0)


def hand(event_count: int, ranges: dict[int, Vector] | None = None, seed: int = 1) -> TakenUpHand:
    return TakenUpHand(finished(), event_count, STYLES, TRUTH, ranges, seed)  # type: ignore[arg-type]


def decisions() -> list[int]:
    return [at for at, event in enumerate(finished().events) if isinstance(event, ActionTaken)]


@pytest.mark.parametrize("count", decisions())
def test_the_hand_stands_as_it_stood_and_goes_on_as_it_went(count: int) -> None:
    """Whoever takes the same actions again comes to the same end."""
    final, dealer = finished(), take_up(hand(count), Store(None), 0).table.dealer
    assert dealer.events[1:] == final.events[1:count]
    assert dealer.observe(0).hole_cards == final.hole_cards
    for event in final.events[count:]:
        if isinstance(event, ActionTaken):
            assert dealer.to_act == event.seat
            dealer.apply(event.action)
    assert dealer.events[1:] == final.events[1:]
    assert dealer.end_reason == "The one hand is played."


def test_fresh_cards_come_from_the_ranges() -> None:
    """The flop stays and one's own cards; the opponent holds what the range allows, and later cards change."""
    final = finished()
    weights = np.zeros(COMBO_COUNT, np.float32)
    pairs = ("AhAs", "2s2d", "TdTs", "8d8s")  # the first two are impossible beside what is known
    for text in pairs:
        weights[combo_of(*parse_cards(text))] = 0.25
    count = next(at for at in decisions() if final.events[at].street == 2)  # type: ignore[union-attr]
    held, rivers = set(), set()
    for seed in range(30):
        dealer = take_up(hand(count, {1: frozen_vector(weights)}, seed), Store(None), 0).table.dealer
        assert dealer.events[1:] == final.events[1:count]
        held.add(dealer.private_event(1).hole_cards)
        while dealer.to_act is not None:
            legal = dealer.legal_actions()
            assert legal is not None
            act(dealer._table, "x" if legal.can_check else "c")  # type: ignore[arg-type]
        rivers.add(dealer.observe(0).board[4])
        assert dealer.observe(0).board[:4] == final.board[:4]
    assert held == {parse_cards("TsTd"), parse_cards("8s8d")}
    assert len(rivers) > 10


def test_ranges_that_leave_nothing_are_refused() -> None:
    weights = np.zeros(COMBO_COUNT, np.float32)
    weights[combo_of(*parse_cards("AhAs"))] = 1
    with pytest.raises(CannotPlayOnError, match="no cards"):
        take_up(hand(decisions()[-1], {1: frozen_vector(weights)}), Store(None), 0)


def test_a_hand_of_other_rules_is_refused() -> None:
    final = finished()
    posted = [event for event in final.events if isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND]
    events = tuple(structs.replace(event, amount=15) if event in posted else event for event in final.events)
    other = TakenUpHand(structs.replace(final, events=events), decisions()[0], STYLES, TRUTH, None, 1)  # type: ignore[arg-type]
    with pytest.raises(CannotPlayOnError, match="other rules"):
        take_up(other, Store(None), 0)


def test_what_nobody_knows_is_said_to_be_made_up() -> None:
    """Cards of who has folded matter to nobody; a range is where unknown cards come from, not an assumption."""
    final, flop = finished(), decisions()[3]
    assert hand(flop).assumptions == ()
    unknown = TakenUpHand(final, flop, {0: "human"}, {}, None, 1)
    assert unknown.assumptions == (
        "What p1 held is not known and drawn at random.",
        "How p1 would go on is not known: Soulread plays for them.",
    )
    everybody = TakenUpHand(final, decisions()[0], STYLES, {1: TRUTH[1]}, None, 1)  # type: ignore[dict-item]
    assert everybody.assumptions == ("What p3 held is not known and drawn at random.",)
    weights = frozen_vector(np.ones(COMBO_COUNT, np.float32))
    fresh = TakenUpHand(final, decisions()[0], STYLES, {}, {1: weights, 3: weights}, 1)
    assert fresh.assumptions == ()


def test_a_board_that_was_not_dealt_is_said_to_be_made_up() -> None:
    table = deal({0: 1000, 1: 700, 3: 1000}, hole_cards=CARDS, board="2s 5d 7c 9h Js")
    act(table, "c c x x r20 f f")
    short = TakenUpHand(table.observe(0), 3, STYLES, TRUTH, None, 1)  # type: ignore[arg-type]
    assert short.assumptions == ("Board cards that were not dealt then are drawn at random.",)


def test_as_many_raises_are_allowed_as_at_the_table() -> None:
    """The AI Game's contest counts bets and raises apart: after a bet four raises more."""
    rules = TableRules(10, 20, max_raises=4, counts_bets=False, raises_to_twice=True)
    table = deal({0: 5000, 1: 5000, 3: 5000}, rules=rules, hole_cards=CARDS, board="2s 5d 7c 9h Js")
    act(table, "c c x r20 r40 r80 r160")
    for _ in range(2):
        count, legal = len(table.events), table.legal_actions()
        final = structs.replace(table.observe(0), legal=None)
        again = take_up(TakenUpHand(final, count, STYLES, TRUTH, None, 1), Store(None), 0).table.dealer  # type: ignore[arg-type]
        assert again.legal_actions() == legal
        act(table, "r320" if legal is not None and legal.can_raise else "c")


def test_antes_told_in_another_order_are_the_same_antes() -> None:
    """Sites tell them by seat, not from the small blind on: no such hand of a tournament could be played on."""
    final, count = finished(), decisions()[0]
    antes = [
        at for at, event in enumerate(final.events) if isinstance(event, Posted) and event.kind is PostKind.ANTE
    ]
    events = list(final.events)
    for at, other in zip(antes, reversed(antes), strict=True):
        events[at] = final.events[other]
    assert events != list(final.events)
    told = TakenUpHand(structs.replace(final, events=tuple(events)), count, STYLES, TRUTH, None, 1)  # type: ignore[arg-type]
    dealer = take_up(told, Store(None), 0).table.dealer
    assert dealer.events[1:] == final.events[1:count]
    assert dealer.to_act == final.events[count].seat  # type: ignore[union-attr]


def test_what_the_rules_of_today_forbid_is_refused() -> None:
    final = finished()
    events = tuple(
        structs.replace(event, action=raise_to(25))
        if isinstance(event, ActionTaken) and event.action.raise_to == 60
        else event
        for event in final.events
    )
    other = TakenUpHand(structs.replace(final, events=events), decisions()[1], STYLES, TRUTH, None, 1)  # type: ignore[arg-type]
    with pytest.raises(CannotPlayOnError, match="cannot be played on"):
        take_up(other, Store(None), 0)


def test_nothing_of_it_is_stored() -> None:
    store = Store(None)
    table = take_up(hand(decisions()[0]), store, 0).table
    assert table.record.session_id is None
    assert store.sessions() == ()


def test_a_hand_without_a_small_blind_is_played_on() -> None:
    """As when who should have posted it is out."""
    table = deal({0: 1000, 1: 700, 3: 1000}, hole_cards=CARDS, board="2s 5d 7c 9h Js", has_small_blind=False)
    act(table, "c c x x x x r100 f f")
    assert table.is_over
    final = table.observe(0)
    count = [at for at, event in enumerate(final.events) if isinstance(event, ActionTaken)][4]
    again = take_up(TakenUpHand(final, count, STYLES, TRUTH, None, 1), Store(None), 0).table.dealer  # type: ignore[arg-type]
    assert again.events[1:] == final.events[1:count]
