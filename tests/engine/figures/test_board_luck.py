"""The luck of the board: nothing in the mean over all boards, dealt one by one at our own table."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest

from engine import EquityQuestion, parse_range, solve
from engine.cards import CARD_COUNT, Card, Street, parse_cards
from engine.figures.board_luck import board_luck, run_out_luck
from engine.game.events import CALL, CHECK, FOLD, Action, GameKind, HandEnded, SeatStart, end_of, raise_to
from engine.game.phh import RecordedHand
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.hand_histories import pokerstars
from tests.engine.hand_histories.reading import read
from tests.engine.hand_histories.told_hands import RUN_THREE_TIMES


def deck_of(order: Sequence[int]) -> list[Card]:
    """Return all cards, some in a given order first."""
    return [Card(card) for card in (*order, *sorted(set(range(CARD_COUNT)) - set(order)))]


def table_of(stacks: Sequence[int], deck: Sequence[Card], button: int = 0) -> Table:
    seats = [SeatStart(seat, f"player {seat}", stack) for seat, stack in enumerate(stacks)]
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=seats,
        button=button,
        rules=TableRules(50, 100),
        deck=deck,
    )


def recorded(table: Table) -> RecordedHand:
    cards = tuple(table.private_event(seat).hole_cards for seat in table.seats)
    return RecordedHand("hand", tuple(f"player {seat}" for seat in table.seats), cards, table.events)


def stacks_after(hand: RecordedHand) -> tuple[int, ...]:
    ended = end_of(hand.events)
    return ended.stacks


Choice = Callable[[Table], Action]


def played(table: Table, choose: Choice) -> RecordedHand:
    while table.to_act is not None:
        table.apply(choose(table))
    return recorded(table)


def by_lot(seed: int, street: Street) -> Choice:
    """Check and call up to a street; from there on shove, bet, call and fold by a lot that hangs on the board."""

    def choose(table: Table) -> Action:
        legal, seat = table.legal_actions(), table.to_act
        assert legal is not None
        assert seat is not None
        seen = table.observe(seat)
        chance = np.random.default_rng([seed, len(seen.events), *seen.board]).random()
        if seen.street >= street and legal.can_raise and chance < 0.5:
            return raise_to(legal.max_raise_to if chance < 0.25 else legal.min_raise_to)
        if seen.street >= street and not legal.can_check and chance > 0.7:
            return FOLD
        return CHECK if legal.can_check else CALL

    return choose


def scripted(actions: Sequence[Action]) -> Choice:
    left = iter(actions)
    return lambda table: next(left)


def test_over_all_rivers_it_is_nothing_whatever_is_done_there() -> None:
    moved = 0
    for seed in range(12):
        lot = np.random.default_rng(seed)
        # Stacks that make side pots and odd chips.
        stacks = lot.integers(101, 3000, size=2 + seed % 5).tolist()
        deck, button = lot.permutation(CARD_COUNT).tolist(), int(lot.integers(len(stacks)))
        first = 2 * len(stacks) + 4
        choose = by_lot(seed, Street.TURN)
        hands = [
            played(table_of(stacks, deck_of((*deck[:first], river)), button), choose) for river in deck[first:]
        ]
        luck = np.array([board_luck(hand.events, hand.hole_cards)[2] for hand in hands])
        assert luck.mean(axis=0) == pytest.approx(0, abs=1e-9)
        assert luck.sum(axis=1) == pytest.approx(0, abs=1e-9)
        moved += bool(luck.any())
    assert moved > 6  # in the others one player is left, or nobody else can win


def test_all_in_on_a_flop_every_board_comes_to_the_mean_of_all() -> None:
    # The two with ace and king share all that no diamond or nine decides: of the main pot, three times 333 and the
    # 100 of who folds, the odd chip goes to the first of them.
    deck = parse_cards("As 9h Ah 2d Kc 9d Kd 7s Qd Jd 4c")
    actions = [CALL, CALL, CALL, CHECK, raise_to(1900), CALL, CALL, FOLD]
    rest = deck_of(deck)[len(deck) :]
    hands = [
        played(table_of([2000, 333, 2000, 2000], deck_of((*deck, *cards)), button=3), scripted(actions))
        for cards in combinations(rest, 2)
    ]
    won = np.array([stacks_after(hand) for hand in hands])
    without = won - [board_luck(hand.events, hand.hole_cards)[1:].sum(axis=0) for hand in hands]
    # The first shares both pots or wins none; the third wins all or half of the side pot.
    assert np.ptp(won, axis=0).tolist() == [550 + 1667, 1099, 1099 + 1667, 0]
    assert without == pytest.approx(np.broadcast_to(won.mean(axis=0), won.shape), abs=1e-9)


QUEENS = (787_966 + 6_732 / 2) / 1_712_304
"""The equity of AhKh against QsQd: boards won, and half of those tied."""


def test_all_in_before_the_flop_it_leaves_the_known_equity() -> None:
    deck = deck_of(parse_cards("Qs Ah Qd Kh"))
    called = played(table_of([1000, 1700], deck), scripted([raise_to(1000), CALL]))
    assert [set(cards) for cards in called.hole_cards] == [set(parse_cards("AhKh")), set(parse_cards("QsQd"))]
    by_blinds = recorded(table_of([40, 100], deck))
    for hand, ace_king, queens in ((called, 2000, 700), (by_blinds, 80, 60)):
        left = stacks_after(hand) - board_luck(hand.events, hand.hole_cards).sum(axis=0)
        assert left == pytest.approx((ace_king * QUEENS, queens + ace_king * (1 - QUEENS)))


def test_the_cards_of_who_folded_are_dead() -> None:
    # The ten that was folded can no longer help the pair of tens.
    deck = deck_of(parse_cards("Jc Td Th Jd Ts 2h"))
    hand = played(table_of([1000] * 3, deck), scripted([FOLD, raise_to(1000), CALL]))
    jacks, tens = parse_range("JcJd"), parse_range("TdTs")
    *_, answer = solve(EquityQuestion((jacks, tens), dead=parse_cards("Th2h"), is_exact=True))
    equity = answer.value[0].equity
    left = stacks_after(hand) - board_luck(hand.events, hand.hole_cards).sum(axis=0)
    assert left == pytest.approx((1000, 2000 * equity, 2000 * (1 - equity)))


def test_folded_cards_that_are_unknown_are_not_dead_and_those_of_who_is_in_are_needed() -> None:
    deck = deck_of(parse_cards("Jc Td Th Jd Ts 2h"))
    hand = played(table_of([1000] * 3, deck), scripted([FOLD, raise_to(1000), CALL]))
    folded, *others = hand.hole_cards
    *_, answer = solve(EquityQuestion((parse_range("JcJd"), parse_range("TdTs")), is_exact=True))
    left = stacks_after(hand) - board_luck(hand.events, (None, *others)).sum(axis=0)
    equity = answer.value[0].equity
    assert left == pytest.approx((1000, 2000 * equity, 2000 * (1 - equity)))
    luck = board_luck(hand.events, (folded, None, others[1]))
    assert np.isnan(luck[:, 1:]).all()
    assert luck[:, 0].tolist() == [0, 0, 0]  # who has folded wins none of it, whatever the others hold


def test_of_a_hand_run_three_times_the_equity_is_left() -> None:
    """Who has won a board has paid their part of the rake, 3.70 of 55.04."""
    hand = read(pokerstars, RUN_THREE_TIMES).record
    ended, cards = hand.events[-1], [hand.hole_cards.get(seat) for seat in range(len(hand.players))]
    assert isinstance(ended, HandEnded)
    left = ended.stacks - run_out_luck(hand.events, board_luck(hand.events, cards))
    hands, folded = (parse_range("KcQs"), parse_range("JsJd")), parse_cards("8d3s")
    *_, answer = solve(EquityQuestion(hands, parse_cards("Th9c5s"), dead=folded, is_exact=True))
    king_queen, jacks = (5504 * one.equity for one in answer.value)
    all_in, covers = hand.players.index("22ab6yhc"), hand.players.index("88kkaa62")
    assert left[all_in] == pytest.approx(king_queen - 370 * 3423 / 5134)
    assert left[covers] == pytest.approx(11097 - 2677 + jacks - 370 * 1711 / 5134)


def test_without_a_board_there_is_no_luck_of_it() -> None:
    hand = played(table_of([1000, 1000], deck_of(())), scripted([raise_to(300), FOLD]))
    assert not board_luck(hand.events, hand.hole_cards).any()


def test_a_card_is_worth_what_it_moves_of_the_pot_so_far() -> None:
    # All check. On the turn 200 chips are in; a river queen turns two pairs into a full house and beats the flush.
    deck = deck_of(parse_cards("Qs Ah Jd Kh Qh 8h 2h Jc Qc"))
    hand = played(table_of([1000, 1000], deck), scripted([CALL] + [CHECK] * 7))
    # Of the 44 cards to come two queens and two jacks make the full house; the ace high flush wins otherwise.
    assert board_luck(hand.events, hand.hole_cards)[2] == pytest.approx((-200 * 40 / 44, 200 * 40 / 44))
