"""Exported text of PokerStars as parsers of others understand it: pokerkit's, and pokerdf, apart from our packages.

All that they offer is compared with the events of the hand, but for what is named here with its reason.
"""

import json
import os
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import Street, format_card, format_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    GameKind,
    HandStarted,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    Seat,
    UncalledBetReturned,
    end_of,
    start_of,
)
from engine.game.rules import TableRules
from engine.hand_histories.files import read_file
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.pokerstars_text import pokerstars_text
from engine.hand_histories.told import SIGNS
from tests.conftest import IN_CI, SHARED
from tests.engine.hand_histories import pokerdf_rows
from tests.engine.hand_histories.real_files import hands_of_all_sites
from tests.engine.hand_histories.test_export import own

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import PokerStarsParser, StandardHighHand

POKERDF = Path(sys.prefix, "foreign-parser")
"""Where `make foreign-parser` installs pokerdf with what it needs, which differs from what we need."""

STAKES = (
    TableRules(5, 10),
    TableRules(5, 10, 3),
    TableRules(5, 10, big_blind_ante=10),
    TableRules(5, 10, straddle=20),
    TableRules(5, 10, big_blind_ante=7, straddle=25),
)

# What pokerdf does not do, each a fault or a limit of its own.
MOST_SEATS = 9  # it reads one digit of the size of a table and of the number of a seat
OF_MONEY = (  # it reads chips of tournaments: an amount behind a sign of money is none to it
    *("Ante", "PostedAnte", "PostedBlind", "Stack", "Balance", "UncalledReturned"),
    *("TotalPotLog", "Rake", "PotBreakdown"),
)
OF_ANOTHER = ("Seat", "Balance", "CardCombination")  # it may take them of whose name begins with the player's name


def started_of(hand: ImportedHand) -> HandStarted:
    started = start_of(hand.record.events)
    return started


def own_hands(count: int) -> Iterator[ImportedHand]:
    """Hands of our own dealer, at tables of all sizes, with short stacks, for side pots and run-outs."""
    for seed in range(count):
        chance = random.Random(seed)
        stacks = [chance.randint(1, 300) for _ in range(chance.randint(2, MOST_SEATS))]
        rules, kind = chance.choice(STAKES), chance.choice([*GameKind])
        if kind is GameKind.CASH or not rules.straddle:
            yield own(seed, stacks, rules, kind)


@cache
def real_hands() -> list[ImportedHand]:
    """Every twentieth of all sites' hands, of a file with very many of the first hundred alone."""
    kept = (hand for _, hands in hands_of_all_sites() for hand in hands if len(hand.record.players) <= MOST_SEATS)
    return list(islice(kept, 0, None, 20))


def real_hands_for_pokerdf() -> Iterator[ImportedHand]:
    """Cash games a second time as if for play money, so that it reads their amounts.

    Of tournaments those of a hero, with a time: without either it fails.
    """
    for hand in real_hands():
        if started_of(hand).kind is GameKind.CASH:
            yield replace(hand, currency="", scale=1)
        if hand.currency or (hand.tournament and not hand.is_watched and hand.played is not None):
            yield hand


def hands_of_pluribus() -> Iterator[ImportedHand]:
    """Every fiftieth of 7,000 hands, of which all hole cards are known."""
    hands = read_file(SHARED / "data" / "hands" / "pluribus.phhs")
    return (hand for hand in islice(hands, 0, None, 50) if isinstance(hand, ImportedHand))


def read_by_pokerdf(hands: Sequence[ImportedHand]) -> list[Any]:
    """Return a row for each player of each hand, read by one process for all."""
    if not POKERDF.is_dir():
        missing = "pokerdf is not there: `make foreign-parser` installs it"
        if IN_CI:
            pytest.fail(missing)
        pytest.skip(missing)
    answer = subprocess.run(
        [sys.executable, "-S", pokerdf_rows.__file__],  # -S: without our packages
        input=json.dumps([pokerstars_text(hand) for hand in hands]),
        env=os.environ | {"PYTHONPATH": str(POKERDF), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    rows: list[Any] = json.loads(answer.stdout)
    return rows


def cards_of(cards: Sequence[int]) -> list[str]:
    return [format_card(card) for card in cards]


def kind_of(hole_cards: Sequence[int], board: Sequence[int]) -> str:
    """Return the kind of a five-card hand as pokerkit knows it, in the words of PokerStars."""
    hand = StandardHighHand.from_game(format_cards(hole_cards), format_cards(board))
    return hand.entry.label.value.lower().replace("one pair", "a pair")


def kind_in(words: str) -> str:
    """Return the kind of a five-card hand of which words tell, a royal flush as what it is."""
    kinds = "high card|a pair|two pair|three of a kind|straight flush|straight|flush|full house|four of a kind"
    found = re.search(kinds, words.lower().replace("royal", "straight"))
    assert found is not None, words
    return found[0]


def digits_of(number: str) -> str | None:
    found = re.fullmatch("[A-Z]*([0-9]+)", number)
    return found[1] if found else None


def table_size(hand: ImportedHand) -> int:
    return next(size for size in (2, 6, 9) if size >= len(hand.record.players))


def dealt_in_sight(hand: ImportedHand) -> dict[Seat, str]:
    """Return the hole cards of the hero, unless the hand was watched."""
    return {seat: format_cards(cards) for seat, cards in hand.record.hole_cards.items() if seat == hand.hero}


def hand_columns(hand: ImportedHand) -> dict[str, Any]:
    """Return what pokerdf should say of a hand, from its events, amounts in chips."""
    events, started = hand.record.events, started_of(hand)
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    antes = [event.amount for event in events if isinstance(event, Posted) and event.kind is PostKind.ANTE]
    pots: dict[int, Chips] = {}
    for event in events:
        if isinstance(event, PotAwarded):
            pots[event.pot] = pots.get(event.pot, 0) + event.amount
    total = sum(pots.values()) + hand.rake
    owner = next(iter(dealt_in_sight(hand)), None)
    columns: dict[str, Any] = {
        "HandID": digits_of(hand.number),
        "TableSize": table_size(hand),
        "HandStartTimeLocal": str(hand.played) if hand.played else None,
        "HandTimezone": "ET" if hand.played else None,
        "Ante": max(antes, default=None),
        "Owner": None if owner is None else started.seats[owner].name,
        "OwnersHand": None if owner is None else cards_of(hand.record.hole_cards[owner]),
        "Playing": len(started.seats),
        "BoardFlop": cards_of(board[:3]),
        "BoardTurn": cards_of(board[:4]) if board[3:] else [],
        "BoardRiver": cards_of(board) if board[4:] else [],
        "TotalPotLog": total,
        "Rake": hand.rake,
        "PotBreakdown": [pots[pot] for pot in sorted(pots)] if pots.keys() > {0} else [total],
    }
    if started.kind is GameKind.TOURNAMENT:
        number = re.fullmatch(f"{hand.tournament} ([0-9]+)", hand.table)
        columns |= {
            "Modality": "Hold'em No Limit",
            "BuyIn": "Freeroll",
            "TournID": digits_of(hand.tournament),
            "TableID": number[1] if number else None if hand.table else "1",
            "Level": "I",
            "Blinds": [started.small_blind, started.big_blind],
        }
    return columns


def position_of(hand: ImportedHand, seat: Seat) -> str | None:
    if seat == started_of(hand).button:
        return "button"
    # Of several who post one the first owes it.
    owing = {event.kind: event.seat for event in reversed(hand.record.events) if isinstance(event, Posted)}
    names = {PostKind.SMALL_BLIND: "small blind", PostKind.BIG_BLIND: "big blind"}
    return next((name for kind, name in names.items() if owing.get(kind) == seat), None)


def blind_of(hand: ImportedHand, seat: Seat) -> Chips | None:
    """Return the first blind that a player posts; of small & big blinds in one pokerdf sees none."""
    posts = [event for event in hand.record.events if isinstance(event, Posted) and event.seat == seat]
    kinds = [post.kind for post in posts]
    if PostKind.DEAD_BLIND in kinds and PostKind.BIG_BLIND in kinds:
        return None
    blinds = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.DEAD_BLIND)
    return next((post.amount for post in posts if post.kind in blinds), None)


def actions_of(hand: ImportedHand, seat: Seat, street: Street) -> list[list[str]]:
    """Return verbs with the amount of a call or bet, or by how much it is raised."""
    found = []
    for event in hand.record.events:
        if not isinstance(event, ActionTaken) or (event.seat, event.street) != (seat, street):
            continue
        to_match = event.bet + event.to_call
        match event.action.kind:
            case ActionKind.FOLD:
                found.append(["folds", ""])
            case ActionKind.CHECK:
                found.append(["checks", ""])
            case ActionKind.CALL:
                found.append(["calls", str(event.amount)])
            case ActionKind.RAISE:
                found.append(["raises" if to_match else "bets", str(event.action.raise_to - to_match)])
    return found


def outcome_columns(hand: ImportedHand, seat: Seat) -> dict[str, Any]:
    """Return what pokerdf should say of how a hand ends for a player."""
    events = hand.record.events
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    folded = folded_in(hand)
    won = sum(event.amount for event in events if isinstance(event, PotAwarded) and event.seat == seat)
    returns = [event for event in events if isinstance(event, UncalledBetReturned) and event.seat == seat]
    known = hand.record.hole_cards.get(seat)
    shown = known if any(isinstance(event, HoleCardsShown) and event.seat == seat for event in events) else None
    at_showdown = len(folded) + 1 < len(hand.record.players) and seat not in folded
    # Who wins at a showdown has shown, even where that is not told; whose cards are known has mucked them there, or
    # the text shows them if it has not dealt them.
    if at_showdown:
        compared = shown or (known if won else None)
        revealed = known
        result = f"{'won' if won else 'lost'} at showdown" if compared else "mucked at showdown"
        if won and not known:
            result = "won without showdown"
    else:
        compared, revealed = None, None if seat in dealt_in_sight(hand) and not shown else known
        result = "folded" if seat in folded else "won without showdown"
    return {
        "RevealedCards": cards_of(revealed) if revealed else [None, None],
        "CardCombination": kind_of(compared, board) if compared else None,
        "Result": result,
        "Balance": won if won or result == "won without showdown" else None,
        "UncalledReturned": sum(event.amount for event in returns) or None,
        "BountyWon": None,
        "FinalRank": -1,
        "Prize": None,
    }


def folded_in(hand: ImportedHand) -> set[Seat]:
    acts = (event for event in hand.record.events if isinstance(event, ActionTaken))
    return {act.seat for act in acts if act.action.kind is ActionKind.FOLD}


def player_columns(hand: ImportedHand, seat: Seat) -> dict[str, Any]:
    """Return what pokerdf should say of a player, from the events of the hand, amounts in chips."""
    events, start = hand.record.events, started_of(hand).seats[seat]
    posts = [event for event in events if isinstance(event, Posted)]
    antes = [post for post in posts if post.kind is PostKind.ANTE]
    acts = [event for event in events if isinstance(event, ActionTaken)]
    columns = {
        "Player": start.name,
        "Seat": seat + 1,
        "Stack": start.stack,
        "Bounty": None,
        "Position": position_of(hand, seat),
        "PostedAnte": next((post.amount for post in antes if post.seat == seat), None),
        "PostedBlind": blind_of(hand, seat),
        # It looks for all-ins among the posts only if there is an ante.
        "AnteAllIn": bool(antes) and any(post.is_all_in for post in posts if post.seat == seat),
        **outcome_columns(hand, seat),
    }
    for street in Street:
        done = actions_of(hand, seat, street)
        is_last = bool(acts) and street == max(act.street for act in acts)
        if is_last and len(folded_in(hand)) + 1 == len(hand.record.players):
            # Shown where it ends, so behind the actions of its last street.
            done += [["shows", ""] for event in events if isinstance(event, HoleCardsShown) and event.seat == seat]
        columns[f"{street.name.capitalize()}Action"] = done or [["", ""]]
        columns[f"{street.name.capitalize()}AllIn"] = any(
            act.is_all_in for act in acts if (act.seat, act.street) == (seat, street)
        )
    return columns


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "least"),
    [
        pytest.param(lambda: own_hands(300), 200, id="of our own dealer"),
        pytest.param(hands_of_pluribus, 100, id="Pluribus", marks=[pytest.mark.shared, pytest.mark.long]),
        pytest.param(real_hands_for_pokerdf, 200, id="of real sites", marks=pytest.mark.shared),
    ],
)
def test_pokerdf_understands_all_that_it_reads(hands: Callable[[], Iterable[ImportedHand]], least: int) -> None:
    written = list(hands())
    assert len(written) >= least
    for hand, rows in zip(written, read_by_pokerdf(written), strict=True):
        assert isinstance(rows, list), (hand.number, rows)
        names = [start.name for start in started_of(hand).seats]
        assert len(rows) == len(names), hand.number
        for seat, row in enumerate(rows):
            columns = hand_columns(hand) | player_columns(hand, seat)
            clock = row.pop("HandStartTimeCET")
            if hand.played is not None:
                # In America it is summer for half of the year; in this European time never.
                ahead = datetime.fromisoformat(clock) - hand.played
                assert ahead in (timedelta(hours=5), timedelta(hours=6))
            if row["CardCombination"]:
                row["CardCombination"] = kind_in(row["CardCombination"])
            unread = set(OF_MONEY) if hand.currency else set()
            if any(name.startswith(names[seat]) for name in names if name != names[seat]):
                unread |= set(OF_ANOTHER)
            for name in ("HandID", "TournID", "TableID"):
                if name in columns and columns[name] is None:  # the text has a number of ours
                    assert row[name].isdecimal()
                    unread.add(name)
            if hand.currency:
                for street in Street:
                    name = f"{street.name.capitalize()}Action"
                    columns[name] = [[verb, ""] for verb, _ in columns[name]]
            assert {name: value for name, value in row.items() if name not in unread} == {
                name: value for name, value in columns.items() if name not in unread
            }, pokerstars_text(hand)


def verify_by_pokerkit(hand: ImportedHand) -> None:
    """Compare all fields but winnings, of which pokerkit takes the words before an amount for the player's name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (history,) = PokerStarsParser()(pokerstars_text(hand), error_status=True)
        *_, last = history
    started, events = started_of(hand), hand.record.events
    names = [start.name for start in started.seats]
    places = [names.index(player) for player in history.players or ()]

    def units(chips: Chips) -> Decimal:
        return Decimal(chips) / hand.scale

    assert history.venue == "PokerStars"
    assert str(history.hand) == digits_of(hand.number) or digits_of(hand.number) is None
    assert history.seat_count == table_size(hand)
    assert history.currency_symbol == SIGNS.get(hand.currency, "")
    if hand.played is not None:
        assert datetime(history.year, history.month, history.day) == datetime.combine(hand.played, time())
        assert history.time == hand.played.time()
        assert history.user_defined_fields["time_zone_abbreviation"] == "ET"
    if started.kind is GameKind.CASH:
        assert history.table == (hand.table or hand.site)
    assert sorted(places) == [*range(len(names))]
    assert places[-1] == started.button or len(names) == 2
    assert history.seats == [place + 1 for place in places]
    assert history.starting_stacks == [units(started.seats[place].stack) for place in places]
    posted = {event.seat: units(event.amount) for event in events if isinstance(event, Posted)}
    blinds = history.blinds_or_straddles
    assert dict(zip(places, blinds[::-1] if len(names) == 2 else blinds, strict=True)) == {
        place: posted.get(place, 0) for place in places
    }
    done, dealt, shown = [], {}, {}
    for words in map(str.split, history.actions):
        match words:
            case ["d", "dh", player, cards]:
                dealt[places[int(player[1:]) - 1]] = cards
            case [player, "sm", cards]:
                shown[places[int(player[1:]) - 1]] = cards
            case ["d", "db", cards]:
                done.append(cards)
            case [player, "cbr", amount]:
                done.append((places[int(player[1:]) - 1], Decimal(amount)))
            case [player, verb]:
                done.append((places[int(player[1:]) - 1], verb))
    assert {seat: cards for seat, cards in dealt.items() if cards != "????"} == dealt_in_sight(hand)
    turned_up = [event for event in events if isinstance(event, HoleCardsShown)]
    assert {seat: cards for seat, cards in shown.items() if "?" not in cards} == {
        event.seat: format_cards(event.hole_cards) for event in turned_up
    }
    verbs = {ActionKind.FOLD: "f", ActionKind.CHECK: "cc", ActionKind.CALL: "cc"}
    told = [
        format_cards(event.cards)
        if isinstance(event, BoardDealt)
        else (event.seat, verbs.get(event.action.kind) or units(event.action.raise_to))
        for event in events
        if isinstance(event, ActionTaken | BoardDealt)
    ]
    # It has the last one with chips behind check where the others are all in, and adds that to the text.
    last_act = max(number for number, step in enumerate(done) if isinstance(step, tuple))
    is_added = len(done) == len(told) + 1 and done[last_act][1] == "cc"
    assert [step for number, step in enumerate(done) if not (is_added and number == last_act)] == told
    # It plays the hand to its end, without rake, and gives the odd chip of a pot to another than we do.
    ended = end_of(events)
    in_play = len(names) - len(folded_in(hand))
    if not hand.rake and in_play in (1, len(turned_up)):
        odd = len({event.pot for event in events if isinstance(event, PotAwarded)})
        for place, stack in zip(places, last.stacks, strict=True):
            assert abs(stack - units(ended.stacks[place])) <= units(odd)


stacks_beyond_the_blinds = st.lists(st.integers(10, 300), min_size=2, max_size=MOST_SEATS)


@given(st.integers(0, 2**32), stacks_beyond_the_blinds, st.sampled_from(GameKind))
def test_pokerkit_understands_hands_of_our_own_dealer(seed: int, stacks: list[int], kind: GameKind) -> None:
    """Without antes and straddles, which it does not read, and blinds short of chips, after which it errs."""
    verify_by_pokerkit(own(seed, stacks, TableRules(5, 10), kind))


@pytest.mark.shared
@pytest.mark.slow
def test_pokerkit_understands_real_cash_games() -> None:
    """With a small and a big blind alone, for the same reasons."""
    count = 0
    for hand in real_hands():
        posts = [event for event in hand.record.events if isinstance(event, Posted)]
        is_plain = [post.kind for post in posts] == [PostKind.SMALL_BLIND, PostKind.BIG_BLIND]
        if started_of(hand).kind is GameKind.CASH and is_plain and not any(post.is_all_in for post in posts):
            verify_by_pokerkit(hand)
            count += 1
    assert count > 90
