"""Open Hand History: objects as the specification has them, and what is written of a hand read back."""

import json
import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import CARD_COUNT, Card, parse_cards
from engine.game.events import (
    GameKind,
    HoleCardsShown,
    Posted,
    PostKind,
    SeatStart,
)
from engine.game.phh import PublicRecord
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.hand_histories import open_hand_history, pokerstars
from engine.hand_histories.files import NotImported, read_text
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.told import CENTS, NotImportedError, RefusedError
from tests.engine.game.test_history import moments, stack_lists, stakes
from tests.engine.hand_histories.reading import board_of, posts_of, read, stacks_after, started
from tests.engine.hand_histories.real_files import hands_of_all_sites
from tests.engine.hand_histories.told_hands import RUN_THREE_TIMES, RUN_TWICE

Fields = dict[str, Any]


def action(player: int, what: str, amount: float = 0, cards: str = "") -> Fields:
    return {"player_id": player, "action": what, "amount": amount, "cards": cards.split()}


def spoken(street: str, board: str, *actions: Fields) -> Fields:
    numbered = [{"action_number": at, **one} for at, one in enumerate(actions)]
    return {"id": 0, "street": street, "cards": board.split(), "actions": numbered}


def cash_hand() -> Fields:
    """Three players, blinds of 0.50 and 1; Cid comes back, posts both blinds, and goes all-in for 20.

    Put in are 20 by Bob, 20.50 by Cid, whose 0.50 are dead, and 0.50 by Ann: 41, of which 1.50 is taken.
    """
    return {
        "spec_version": "1.4.6",
        "site_name": "Some Site",
        "network_name": "Some Network",
        "tournament": False,
        "game_number": "8599887794",
        "start_date_utc": "2020-04-07T14:32:50Z",
        "table_name": "Brehuiesti",
        "table_handle": None,
        "game_type": "Holdem",
        "bet_limit": {"bet_cap": 0.00, "bet_type": "NL"},
        "table_size": "6",
        "currency": "EUR",
        "dealer_seat": 8,
        "small_blind_amount": 0.50,
        "big_blind_amount": 1,
        "ante_amount": 0.00,
        "hero_player_id": 7,
        "flags": [],
        "players": [
            {"id": 3, "seat": 1, "name": "Ann", "starting_stack": 80.25},
            {"id": 7, "seat": 3, "name": "Bob", "starting_stack": 100.00, "is_sitting_out": False},
            {"id": 9, "seat": 8, "name": "Cid", "starting_stack": 20.50},
            {"id": 1, "seat": 9, "name": "Dan", "starting_stack": 7, "is_sitting_out": True},
        ],
        "rounds": [
            spoken(
                "Preflop",
                "",
                action(3, "Post SB", 0.5),
                action(7, "Post BB", 1),
                action(9, "Post Extra Blind", 1.5),
                action(7, "Dealt Cards", cards="Kd Ks"),
                action(9, "Raise", 2),
                action(3, "Fold"),
                action(7, "Raise", 8),
                action(9, "Call", 6),
            ),
            spoken("Flop", "2c 7d Jh", action(7, "Bet", 30), action(9, "Call", 11)),
            spoken("Turn", "3s"),
            spoken("River", "3d"),
            spoken(
                "Showdown", "", action(7, "Shows Cards", cards="Ks Kd"), action(9, "Mucks Cards", cards="Ah Qh")
            ),
        ],
        "pots": [
            {
                "number": 0,
                "amount": 41,
                "rake": 1.25,
                "jackpot": 0.25,
                "player_wins": [{"player_id": 7, "win_amount": 39.5, "contributed_rake": 1.25}],
            }
        ],
    }


def text_of(fields: Fields, indent: int | None = None) -> str:
    return json.dumps({"ohh": fields}, indent=indent)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_cash_hand_is_read(indent: int | None) -> None:
    hand = read(open_hand_history, text_of(cash_hand(), indent))
    assert (hand.site, hand.number, hand.currency, hand.rake) == ("Some Site", "8599887794", "EUR", 150)
    assert (hand.played, hand.table, hand.remarks) == (datetime(2020, 4, 7, 14, 32, 50), "Brehuiesti", ())
    start = started(hand)
    assert (start.kind, start.small_blind, start.big_blind, start.ante) == (GameKind.CASH, 50, 100, 0)
    assert hand.record.players == ("Ann", "Bob", "Cid")  # Dan sits out
    assert start.button == 2
    assert hand.hero == 1
    assert posts_of(hand, "Cid") == [(PostKind.BIG_BLIND, 100), (PostKind.DEAD_BLIND, 50)]
    assert board_of(hand) == parse_cards("2c7dJh3s3d")
    assert stacks_after(hand) == {"Ann": 7975, "Bob": 8000 + 3950, "Cid": 0}
    assert hand.record.hole_cards == {1: parse_cards("KsKd"), 2: parse_cards("AhQh")}


def tournament_hand(*, antes: dict[int, float]) -> Fields:
    fields = cash_hand()
    posts = [action(player, "Post Ante", amount) for player, amount in antes.items()]
    acts = [action(3, "Post SB", 50), action(7, "Post BB", 100), action(9, "Fold"), action(3, "Fold")]
    return fields | {
        "tournament": True,
        "tournament_info": {"tournament_number": "77", "name": "Sunday"},
        "small_blind_amount": 50,
        "big_blind_amount": 100,
        "ante_amount": 10,
        "players": [
            {"id": player, "seat": player, "name": str(player), "starting_stack": 1000} for player in (3, 7, 9)
        ],
        "dealer_seat": 9,
        "rounds": [spoken("Preflop", "", *posts, *acts)],
        "pots": [
            {"number": 0, "rake": 0, "player_wins": [{"player_id": 7, "win_amount": 100 + sum(antes.values())}]}
        ],
    }


def test_antes_of_each_and_those_for_all_are_told_apart() -> None:
    each = read(open_hand_history, text_of(tournament_hand(antes={3: 10, 7: 10, 9: 10})))
    assert (started(each).ante, started(each).big_blind_ante, each.tournament, each.scale) == (10, 0, "77", 1)
    assert stacks_after(each) == {"3": 940, "7": 1070, "9": 990}
    for_all = read(open_hand_history, text_of(tournament_hand(antes={7: 100})))
    assert (started(for_all).ante, started(for_all).big_blind_ante, for_all.currency) == (0, 100, "")
    assert stacks_after(for_all) == {"3": 950, "7": 1050, "9": 1000}


def test_of_a_hand_run_twice_the_first_board_is_shown_and_both_are_paid() -> None:
    fields = cash_hand()
    fields["rounds"] += [spoken("Turn", "Ac"), spoken("River", "Qs")]
    fields["pots"][0]["player_wins"] = [
        {"player_id": 7, "win_amount": 19.75},
        {"player_id": 9, "win_amount": 19.75},
    ]
    hand = read(open_hand_history, text_of(fields))
    assert board_of(hand) == parse_cards("2c7dJh3s3d")
    assert stacks_after(hand) == {"Ann": 7975, "Bob": 8000 + 1975, "Cid": 1975}
    assert hand.remarks == ("It was run more than once; the second board was: 2c 7d Jh Ac Qs.",)
    assert read(open_hand_history, open_hand_history.written(hand)) == hand


@pytest.mark.parametrize("text", [RUN_TWICE, RUN_THREE_TIMES])
def test_second_boards_of_others_come_back(text: str) -> None:
    hand = read(pokerstars, text)
    back = read(open_hand_history, open_hand_history.written(hand))
    assert [parse_cards(remark.split(":")[1].strip(" .").replace(" ", ""))[-2:] for remark in back.remarks] == [
        parse_cards(remark.split(":")[1].strip(" .").replace(" ", ""))[-2:] for remark in hand.remarks
    ]
    assert as_told(back) == as_told(hand)


def test_what_is_paid_outside_of_the_pot_changes_no_stack() -> None:
    fields = cash_hand()
    fields["rounds"][4]["actions"].append({"player_id": 7, "action": "Player Adjustment", "amount": -1.25})
    assert read(open_hand_history, text_of(fields)) == read(open_hand_history, text_of(cash_hand()))


def test_what_the_site_adds_to_the_pot_is_won() -> None:
    fields = cash_hand()
    fields["rounds"][0]["actions"].insert(3, {"action": "Add to Pot", "amount": 2.5})
    fields["pots"][0]["player_wins"][0]["win_amount"] = 42
    hand = read(open_hand_history, text_of(fields))
    assert started(hand).splash == 250
    assert stacks_after(hand) == {"Ann": 7975, "Bob": 8000 + 4200, "Cid": 0}
    assert read(open_hand_history, open_hand_history.written(hand)) == hand


def test_objects_stand_one_after_another_or_in_an_array() -> None:
    fields = [cash_hand(), cash_hand() | {"game_number": 5}]
    for text in (
        "\n\n".join(text_of(one) for one in fields),
        "\n" + "\n\n".join(text_of(one, indent=4) for one in fields) + "\n",
        json.dumps([{"ohh": one} for one in fields], indent=1),
    ):
        hands = [hand for hand in read_text(text) if isinstance(hand, ImportedHand)]
        assert [hand.number for hand in hands] == ["8599887794", "5"]


def test_a_hand_without_a_hero_is_flagged_as_observed() -> None:
    own = read(open_hand_history, text_of(cash_hand()))
    flags = [json.loads(open_hand_history.written(hand))["ohh"]["flags"] for hand in (own, replace(own, hero=None))]
    assert flags == [[], ["Observed"]]


def changed(*path: str | int, to: object) -> Callable[[Fields], None]:
    def change(fields: Any) -> None:
        for step in path[:-1]:
            fields = fields[step]
        fields[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changed("game_type", to="Omaha"), r"It is Omaha, not hold'em\."),
        (changed("bet_limit", "bet_cap", to=20), r"Its bets are capped, which is not played here\."),
        (changed("flags", to=["Fast", "Bomb_Pot"]), r"It is a bomb pot, which is not played here\."),
        (changed("bet_limit", to={"bet_type": "PL"}), r"It is pot-limit, not no-limit\."),
        (changed("bet_limit", to={"bet_type": "FL"}), r"It is fixed-limit, not no-limit\."),
        (
            changed("rounds", 0, "actions", 4, "amount", to=2.005),
            r"2\.005 is no whole number of the smallest coin\.",
        ),
        (changed("rounds", 0, "actions", 4, "amount", to="NaN"), r"NaN is no amount\."),
        (changed("rounds", 0, "actions", 4, "amount", to=-1), r"-1 is no amount\."),
        (changed("rounds", 0, "actions", 4, "amount", to="1e999999"), r"1E\+999999 is no amount\."),
        (changed("rounds", 0, "actions", 4, "action", to="Jump"), r"The action 'Jump' is not understood\."),
        (
            changed("rounds", 0, "actions", 4, "action", to="Add to Pot"),
            "The action 'Add to Pot' is not understood",
        ),
        (changed("rounds", 0, "actions", 4, "player_id", to=99), "Player 99 acts and has no seat"),
        (changed("rounds", 0, "actions", 3, "cards", to=["Ks", "Kd", "2h"]), "3 hole cards"),
        (changed("rounds", 1, "cards", to=["Xx"]), "are no cards"),
        (changed("players", to="nobody"), "It is no whole object of a hand: Expected `array`"),
        (changed("pots", 0, "player_wins", 0, "win_amount", to=None), "It is no whole object of a hand"),
    ],
)
def test_what_is_not_read_is_left_out_with_the_reason(change: Callable[[Fields], None], reason: str) -> None:
    fields = cash_hand()
    change(fields)
    with pytest.raises(NotImportedError, match=reason):
        open_hand_history.told_hand(text_of(fields))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changed("pots", 0, "player_wins", 0, "win_amount", to=39.51), "the rake is not the difference"),
        (changed("rounds", 0, "actions", 7, "amount", to=7), "calls 700 chips, and 600 were to call"),
        (changed("rounds", 2, "cards", to=["2c"]), "A card is dealt twice"),
        (changed("rounds", 4, "actions", 0, "cards", to=["As", "Ks"]), "shows other cards than they were dealt"),
    ],
)
def test_a_hand_that_cannot_have_been_so_is_refused(change: Callable[[Fields], None], reason: str) -> None:
    fields = cash_hand()
    change(fields)
    with pytest.raises(RefusedError, match=reason):
        read(open_hand_history, text_of(fields))


@pytest.mark.parametrize(
    "text",
    [
        '{"ohh": ' + "[" * 100_000,
        '{"ohh": {"players": [',
        '{"ohh": {"x": ' + '{"a":' * 5_000 + "1" + "}" * 5_002,
        '{"ohh":7}',
    ],
    ids=["deep", "cut off", "deep in a field", "a number"],
)
def test_damaged_objects_end_in_a_sentence(text: str) -> None:
    (hand,) = read_text(text)
    assert isinstance(hand, NotImported)
    assert hand.reason.startswith("It is no whole object of a hand")


def dealt(seed: int, stacks: list[int], rules: TableRules, kind: GameKind) -> ImportedHand:
    """Play a hand at our own table at random; return it as one that was imported, the hero some player."""
    deck = [Card(card) for card in range(CARD_COUNT)]
    random.Random(seed).shuffle(deck)
    seats = [SeatStart(place, f"Player {place}", stack) for place, stack in enumerate(stacks)]
    table = Table(hand_number=seed, kind=kind, seats=seats, button=seed % len(stacks), rules=rules, deck=deck)
    *_, last = moments(table, random.Random(seed))
    hero = seed % 3 % len(stacks)
    shown = [event.seat for event in last.events if isinstance(event, HoleCardsShown)]
    known = {seat: table.private_event(seat).hole_cards for seat in sorted({hero, *shown})}
    record = PublicRecord(f"Table {seed}", tuple(seat.name for seat in seats), known, last.events, True)
    return ImportedHand(
        site="Table",
        number=str(seed),
        played=datetime(2026, 1, 2, 3, 4, seed % 60),
        table="t1",
        tournament="9" if kind is GameKind.TOURNAMENT else "",
        currency="USD" if kind is GameKind.CASH else "",
        scale=CENTS if kind is GameKind.CASH else 1,
        record=record,
        hero=hero,
        rake=0,
    )


def as_told(hand: ImportedHand) -> ImportedHand:
    """Return a hand without what the format does not tell: remarks, and how the hand begins."""
    return replace(hand, record=replace(hand.record, name="", events=hand.record.events[1:]), remarks=())


@given(st.integers(0, 2**32), stack_lists, stakes, st.sampled_from(GameKind))
def test_what_is_written_is_read_again(seed: int, stacks: list[int], rules: TableRules, kind: GameKind) -> None:
    hand = dealt(seed, stacks, rules, kind)
    back = read(open_hand_history, open_hand_history.written(hand))
    assert as_told(back) == as_told(hand)
    before, after = started(hand), started(back)
    owed = (before.kind, before.seats, before.button, before.small_blind, before.big_blind)
    assert owed == (after.kind, after.seats, after.button, after.small_blind, after.big_blind)
    if any(isinstance(event, Posted) and event.kind is PostKind.ANTE for event in hand.record.events):
        assert before.ante == after.ante


@pytest.mark.shared
@pytest.mark.slow
def test_imported_hands_are_the_same_when_they_are_written_and_read() -> None:
    count = 0
    for _, hands in hands_of_all_sites():
        for hand in hands[::3]:
            count += 1
            back = read(open_hand_history, open_hand_history.written(hand))
            if hand.scale == 1 and started(hand).kind is GameKind.CASH:  # chips that are no money
                assert stacks_after(back) == stacks_after(hand)
                continue
            assert as_told(back) == as_told(hand), hand.number
    assert count > 1100
