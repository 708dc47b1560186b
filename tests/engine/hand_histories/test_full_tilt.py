"""Hands in the text of Full Tilt, each quoted with its source; what they come to is added up from the text."""

import warnings
from datetime import datetime
from decimal import Decimal

import pytest
from pokerkit import FullTiltPokerParser

from engine.cards import parse_cards
from engine.game.events import (
    ActionKind,
    ActionTaken,
    GameKind,
    HoleCardsMucked,
    PostKind,
    UncalledBetReturned,
)
from engine.hand_histories import full_tilt
from engine.hand_histories.files import read_file
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.told import NotImportedError, split_at
from tests.conftest import SHARED
from tests.engine.hand_histories.fuzz import fuzz
from tests.engine.hand_histories.reading import board_of, posts_of, read, stacks_after, started
from tests.engine.hand_histories.real_files import refusals, verify_next_stacks

RUN_TWICE = """\
Full Tilt Poker Game #29937911949: Table King of the Hill (heads up, deep) - 500K/1000K - No Limit Hold'em - \
21:40:27 ET - 2011/04/15
Seat 1: Hero (119,556,500)
Seat 2: Player0 (199,000,000)
Player0 posts the small blind of 500,000
Hero posts the big blind of 1,000,000
The button is in seat #2
*** HOLE CARDS ***
Dealt to Hero [8h 7h]
Player0 raises to 3,000,000
Hero calls 2,000,000
*** FLOP *** [8d 6c 7d]
Hero bets 5,000,000
Player0 raises to 21,000,000
Hero raises to 116,556,500, and is all in
Player0 calls 95,556,500
Players agree to Run It Twice
Hero shows [8h 7h]
Player0 shows [5d Td]
*** TURN 1 *** [8d 6c 7d] [Jd]
*** RIVER 1 *** [8d 6c 7d Jd] [9d]
*** TURN 2 *** [8d 6c 7d] [9s]
*** RIVER 2 *** [8d 6c 7d 9s] [3s]
*** SHOW DOWN 1 ***
Hero shows two pair, Eights and Sevens
Player0 shows a straight flush, Jack high
*** SHOW DOWN 2 ***
Hero shows two pair, Eights and Sevens
Player0 shows a straight, Ten high
Player0 wins pot 1 (119,556,500) with a straight flush, Jack high
Player0 wins pot 2 (119,556,500) with a straight, Ten high
*** SUMMARY ***
Total pot 239,113,000 | Rake 0
*** SUMMARY 1 ***
Pot 1 119,556,500
Board: [8d 6c 7d Jd 9d]
Seat 1: Hero (big blind) showed [8h 7h] and lost with two pair, Eights and Sevens
Seat 2: Player0 (small blind) showed [5d Td] and won (119,556,500) with a straight flush, Jack high
*** SUMMARY 2 ***
Pot 2 119,556,500
Board: [8d 6c 7d 9s 3s]
Seat 1: Hero (big blind) showed [8h 7h] and lost with two pair, Eights and Sevens
Seat 2: Player0 (small blind) showed [5d Td] and won (119,556,500) with a straight, Ten high
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), cash/FTP/Flop/NLHE-2max-play-500k-1000k-201104.large.pot.txt."""

MUCKED = """\
Full Tilt Poker Game #31875464274: 250 Play Money Sit & Go (247472173), Table 1 - 120/240 - No Limit Hold'em - \
18:53:27 ET - 2013/01/12
Seat 4: Player0 (10,140)
Seat 8: Hero (3,360)
Hero posts the small blind of 120
Player0 posts the big blind of 240
The button is in seat #8
*** HOLE CARDS ***
Dealt to Hero [7d 9d]
Hero calls 120
Player0 checks
*** FLOP *** [Kc 5s 7h] (Total Pot: 480, 2 Players)
Player0 checks
Hero bets 480
Player0 calls 480
*** TURN *** [Kc 5s 7h] [6h] (Total Pot: 1,440, 2 Players)
Player0 checks
Hero bets 720
Player0 raises to 1,440
Hero has 15 seconds left to act
Hero calls 720
*** RIVER *** [Kc 5s 7h 6h] [Qh] (Total Pot: 4,320, 2 Players)
Player0 has 15 seconds left to act
Player0 bets 1,200
Hero calls 1,200, and is all in
*** SHOW DOWN ***
Player0 shows [Kd Qs] two pair, Kings and Queens
Hero mucks
Player0 wins the pot (6,720) with two pair, Kings and Queens
*** SUMMARY ***
Total pot 6,720 | Rake 0
Board: [Kc 5s 7h 6h Qh]
Seat 4: Player0 (big blind) showed [Kd Qs] and won (6,720) with two pair, Kings and Queens
Seat 8: Hero (small blind) mucked [7d 9d] - a pair of Sevens
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/FTP/Flop/NLHE-9max-play-STT-201301.txt."""

K_AS_THOUSAND = """\
Full Tilt Poker Game #29537846954: $7,000 KO Guarantee (229436420), Table 11 - 50K/100K Ante 10000 - \
No Limit Hold'em - 16:06:40 ET - 2011/04/01
Seat 1: Hero (2,866,582)
Seat 6: Player0 (1,693,418)
Hero antes 10,000
Player0 antes 10,000
Hero posts the small blind of 50,000
Player0 posts the big blind of 100,000
The button is in seat #1
*** HOLE CARDS ***
Dealt to Hero [Tc Kh]
Hero raises to 2,856,582, and is all in
Player0 calls 1,583,418, and is all in
Hero shows [Tc Kh]
Player0 shows [6s 6c]
Uncalled bet of 1,173,164 returned to Hero
*** FLOP *** [Ac Th Kd]
*** TURN *** [Ac Th Kd] [Kc]
*** RIVER *** [Ac Th Kd Kc] [3c]
Hero shows a full house, Kings full of Tens
Player0 shows two pair, Kings and Sixes
Hero wins the pot (3,386,836) with a full house, Kings full of Tens
*** SUMMARY ***
Total pot 3,386,836 | Rake 0
Board: [Ac Th Kd Kc 3c]
Seat 1: Hero (small blind) showed [Tc Kh] and won (3,386,836) with a full house, Kings full of Tens
Seat 6: Player0 (big blind) showed [6s 6c] and lost with two pair, Kings and Sixes
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/FTP/Flop/NLHE-USD-MTT-KO.201104.K.as.thousand.txt."""

DATE_IN_WORDS = """\
Full Tilt Poker Game #22488827305: Table Flash - $0.02/$0.05 - No Limit Hold'em - 15:13 ET - Wed, July 21, 2010
Seat 3: T0r3x ($12.97)
Seat 4: yrthligar ($15)
Seat 5: MANUTD ($8.56)
Seat 6: Hero ($2)
Seat 7: vision ($2.97)
MANUTD posts the small blind of $0.02
Hero posts the big blind of $0.05
The button is in seat #4
*** HOLE CARDS ***
Dealt to Hero [Qs 4d]
vision folds
T0r3x folds
yrthligar has 8 seconds left to act
yrthligar has timed out
yrthligar folds
MANUTD folds
Uncalled bet of $0.03 returned to Hero
Hero mucks
Hero wins the pot ($0.04)
*** SUMMARY ***
Total pot $0.04 | Rake $0
Seat 3: T0r3x didn't bet (folded)
Seat 4: yrthligar (button) didn't bet (folded)
Seat 5: MANUTD (small blind) folded before the Flop
Seat 6: Hero (big blind) collected ($0.04), mucked
Seat 7: vision didn't bet (folded)
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), cash/FTP/Flop/NLHE-9max-USD-0.02-0.05.201007.Short.lived.date.format.txt, without
four of those who folded."""

NO_RIVER = """\
Full Tilt Poker Game #31493022176: $26 Super Turbo Matrix (244669447), Match 4 - 20/40 - No Limit Hold'em - \
09:25:30 EET - 2012/11/23 [02:25:30 ET - 2012/11/23]
Seat 1: Player1 (1,000)
Seat 4: Player4 (125)
Seat 6: Hero (675)
Player4 posts the big blind of 40
The button is in seat #1
*** HOLE CARDS ***
Dealt to Hero [Jc 6c]
Hero folds
Player1 raises to 80
Player4 raises to 125, and is all in
Player1 calls 45
Player4 shows [5d 5s]
Player1 shows [7d 7s]
*** FLOP *** [3h 9h 6s] (Total Pot: 250, 2 Players, 1 All-In)
*** TURN *** [3h 9h 6s] [Tc] (Total Pot: 250, 2 Players, 1 All-In)
*** SUMMARY ***
Total pot 250 | Rake 0
Board: [3h 9h 6s Tc 2c]
Seat 1: Player1 (button) showed [7d 7s] and won (250) with a pair of Sevens
Seat 4: Player4 (big blind) showed [5d 5s] and lost with a pair of Fives
Seat 6: Hero didn't bet (folded)
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/FTP/Flop/NLHE-6max-Matrix-USD-26-201211.match4.txt, hand 31493022176."""


def test_of_a_hand_run_twice_the_first_board_is_shown_and_both_are_paid() -> None:
    hand = read(full_tilt, RUN_TWICE)
    start = started(hand)
    assert (hand.site, hand.number, hand.currency, hand.rake) == ("Full Tilt", "29937911949", "", 0)
    assert (hand.played, hand.table) == (datetime(2011, 4, 15, 21, 40, 27), "King of the Hill (heads up, deep)")
    assert (start.kind, start.small_blind, start.big_blind) == (GameKind.CASH, 500_000, 1_000_000)
    assert board_of(hand) == parse_cards("8d6c7dJd9d")
    assert hand.remarks == ("It was run more than once; the second board was: 8d 6c 7d 9s 3s.",)
    assert stacks_after(hand) == {"Hero": 0, "Player0": 318_556_500}


def test_cards_that_the_summary_alone_tells_are_known() -> None:
    hand = read(full_tilt, MUCKED.replace("Dealt to Hero [7d 9d]\n", ""))
    assert hand.record.hole_cards == {0: parse_cards("KdQs"), 1: parse_cards("9d7d")}
    assert hand.hero is None
    assert HoleCardsMucked(1) in hand.record.events
    assert stacks_after(hand) == {"Player0": 10_140 + 3_360, "Hero": 0}


def test_blinds_may_be_told_in_thousands() -> None:
    hand = read(full_tilt, K_AS_THOUSAND)
    start = started(hand)
    assert (hand.tournament, hand.table, start.kind) == ("229436420", "11", GameKind.TOURNAMENT)
    assert (start.ante, start.small_blind, start.big_blind) == (10_000, 50_000, 100_000)
    assert UncalledBetReturned(0, 1_173_164) in hand.record.events
    assert stacks_after(hand) == {"Hero": 2_866_582 + 1_693_418, "Player0": 0}


def test_a_date_may_be_in_words() -> None:
    hand = read(full_tilt, DATE_IN_WORDS)
    assert hand.played == datetime(2010, 7, 21, 15, 13)
    assert (hand.currency, hand.table) == ("USD", "Flash")
    assert stacks_after(hand)["Hero"] == 202


def test_who_comes_back_posts_a_live_big_blind_and_a_dead_small_one() -> None:
    posted = "vision posts a dead small blind of $0.02\nvision posts $0.05\nThe button"
    text = DATE_IN_WORDS.replace("The button", posted).replace("Uncalled bet of $0.03 returned to Hero\n", "")
    hand = read(full_tilt, text.replace("$0.04", "$0.14"))
    assert sorted(posts_of(hand, "vision")) == [(PostKind.BIG_BLIND, 5), (PostKind.DEAD_BLIND, 2)]
    assert stacks_after(hand) == {"T0r3x": 1297, "yrthligar": 1500, "MANUTD": 854, "Hero": 209, "vision": 290}


def test_the_winner_may_be_told_by_the_summary_alone() -> None:
    assert read(full_tilt, DATE_IN_WORDS.replace("Hero wins the pot ($0.04)\n", "")) == read(
        full_tilt, DATE_IN_WORDS
    )


def test_a_river_without_a_line_is_dealt_from_the_board_of_the_summary() -> None:
    hand = read(full_tilt, NO_RIVER)
    assert board_of(hand) == parse_cards("3h9h6sTc2c")
    assert stacks_after(hand) == {"Player1": 1125, "Player4": 0, "Hero": 675}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (MUCKED.replace("Hold'em", "Omaha Hi"), "It is Omaha Hi, not hold'em."),
        (MUCKED.replace("No Limit", "Pot Limit"), "It is pot-limit, not no-limit."),
        (MUCKED.replace("No Limit", "Limit"), "It is fixed-limit, not no-limit."),
        (MUCKED.replace("No Limit", "$15 Cap No Limit"), "Its bets are capped, which is not played here."),
        (MUCKED.replace("4274: 250", "4274 (partial): 250"), "It tells only a part of the hand."),
        (MUCKED.replace("120/240", "120/9999999B"), "'9999999000000000' is beyond all measure."),
        (MUCKED.replace(" - 120/240", ""), "Its first line does not tell the game and its blinds."),
        (MUCKED.partition("*** SUMMARY")[0], "It breaks off before its summary."),
        (MUCKED.replace("The button is in seat #8\n", ""), "It does not tell who has the button."),
        (MUCKED + "Hand #31875464274 has been canceled\n", "It was cancelled."),
        (MUCKED.replace("Seat 8: Hero (", "Seat 8: Player0 ("), "Two players have the same name."),
        (
            MUCKED.replace("posts the big", "posts the third"),
            "The line 'Player0 posts the third blind of 240' is not",
        ),
        (MUCKED.replace("Player0 raises to 1,440", "Player0 waits"), "Hero acts when it is the turn of Player0."),
        (MUCKED.replace("pot (6,720)", "pot (6,710)"), "Of 6720 chips 6710 are collected"),
        (K_AS_THOUSAND.replace("pot 3,386,836", "pot 3,386,837"), "The pot is said to be 3386837 chips"),
    ],
)
def test_what_is_not_imported_is_told_why(text: str, reason: str) -> None:
    with pytest.raises(NotImportedError) as error:
        read(full_tilt, text)
    assert str(error.value).startswith(reason)


def test_what_others_say_is_no_deed() -> None:
    chat = "Hero: Player0 folds\nPlayer0: Hero wins the pot (5)\nWatcher raises to 99\n*** TURN ***"
    assert read(full_tilt, MUCKED.replace("*** TURN ***", chat, 1)) == read(full_tilt, MUCKED)


def test_whatever_is_done_to_a_text_it_is_imported_or_left_out_with_a_reason() -> None:
    found = fuzz([RUN_TWICE, MUCKED, K_AS_THOUSAND, DATE_IN_WORDS, NO_RIVER], 500, 1)
    assert found.imported
    assert found.left_out


@pytest.mark.shared
def test_the_next_hand_of_a_tournament_begins_with_what_this_one_leaves() -> None:
    assert verify_next_stacks("fulltilt") > 200


@pytest.mark.shared
def test_real_files_are_imported_but_for_those_that_break_off() -> None:
    assert refusals("fulltilt") == {
        (
            "fpdb_cash__NLHE-6max-CAP-USD-0.01-0.02-201305.new.format.txt",
            "Its bets are capped, which is not played here.",
        ),
        # A hand without any seat, and one without any action.
        ("fpdb_tour__NLHE-6max-Matrix-USD-26-201211.match4.txt", "It does not tell who has the button."),
        ("fpdb_tour__NLHE-6max-Matrix-USD-26-201211.match4.txt", "It ends before the hand does."),
        (
            "fpdb_tour__NLHE-9max-STT-USD-8.30-201211.step.txt",
            "It is no hand history of a kind that is known here.",
        ),
    }


@pytest.mark.shared
def test_pokerkit_reads_the_same_actions_and_stacks() -> None:
    """Where it reads a hand at all: it has none with antes, none of the later first line."""
    compared = 0
    for path in sorted((SHARED / "data" / "fixtures" / "fulltilt").iterdir()):
        ours = {hand.number: hand for hand in read_file(path) if isinstance(hand, ImportedHand)}
        raw = path.read_bytes()
        text = raw.decode("utf-16" if raw.startswith(b"\xff\xfe") else "utf-8-sig", "replace").replace("\r\n", "\n")
        for section in split_at(full_tilt.HEADER, text):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = [*FullTiltPokerParser()(section.rstrip() + "\n" * 4, parse_value=chips)]
            if len(found) == 1 and (hand := ours.get(str(found[0].hand))) is not None:
                scale = hand.scale
                assert found[0].starting_stacks is not None
                assert sorted(stack * scale for stack in found[0].starting_stacks) == sorted(
                    seat.stack for seat in started(hand).seats
                )
                theirs = [deed.split()[1:] for deed in found[0].actions if deed[0] == "p" and " sm" not in deed]
                assert [(deed[0], *(int(Decimal(one) * scale) for one in deed[1:])) for deed in theirs] == deeds(
                    hand
                )
                compared += 1
    assert compared > 30


def chips(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def deeds(hand: ImportedHand) -> list[tuple[str | int, ...]]:
    """Return the actions as pokerkit writes them."""
    found: list[tuple[str | int, ...]] = []
    for event in hand.record.events:
        if isinstance(event, ActionTaken):
            if event.action.kind is ActionKind.RAISE:
                found.append(("cbr", event.action.raise_to))
            else:
                found.append(("f",) if event.action.kind is ActionKind.FOLD else ("cc",))
    return found
