"""Hands in the text of Bovada, each quoted with its source; what they come to is added up from the text."""

import re
from datetime import datetime

import pytest

from engine.cards import parse_cards
from engine.game.events import GameKind, HoleCardsMucked, PostKind, PotAwarded
from engine.hand_histories import bovada
from engine.hand_histories.told import NotImportedError, split_at
from tests.conftest import SHARED
from tests.engine.hand_histories.fuzz import fuzz
from tests.engine.hand_histories.reading import board_of, posts_of, read, stacks_after, started
from tests.engine.hand_histories.real_files import refusals

NO_LINES_FOR_THE_BOARD = """\
Bovada Hand #2648080702: HOLDEM Tournament #1930685 TBL#29, No Limit- Level 7 (100/200) - 2012-07-31 21:36:21
Seat 1: UTG+5 (5,135 in chips)
Seat 2: Dealer (14,133 in chips)
Seat 3: Small Blind (1,704 in chips)
Seat 4: Big Blind (420 in chips)
Seat 5: UTG (4,460 in chips)
Seat 6: UTG+1 (8,844 in chips)
Seat 7: UTG+2 (5,678 in chips)
Seat 8: UTG+3 (50 in chips)
Seat 9: UTG+4 [ME] (3,404 in chips)
Dealer : Set dealer/Bring in spot [2]
Small Blind : Ante/Small blind 100
Big Blind : Big blind/Bring in 200
*** HOLE CARDS ***
UTG+5 : Card dealt to a spot [Jd Ac]
Dealer : Card dealt to a spot [3d 7h]
Small Blind : Card dealt to a spot [5c 5h]
Big Blind : Card dealt to a spot [4s 9d]
UTG : Card dealt to a spot [4d As]
UTG+1 : Card dealt to a spot [7s 7d]
UTG+2 : Card dealt to a spot [Kd Qh]
UTG+3 : Card dealt to a spot [2d Js]
UTG+4 [ME] : Card dealt to a spot [Qd Ad]
UTG : Call 200
UTG+1 : Raises 8792
UTG+2 : Folds
UTG+3 : Fold(Blind Disconnected)
UTG+4 [ME] : All-in 3404
UTG+5 : Folds
Dealer : Folds
Small Blind : All-in(timeout) 1604
Big Blind : Fold(Blind Disconnected)
UTG : Folds
UTG+1 : Return uncalled portion of bet 5388
Small Blind : Showdown [Jh Jc 5h 5c Kh] (Two pair)
UTG+1 : Showdown [Jh Jc 7s 7d Kh] (Two pair)
UTG+4 [ME] : Showdown [Jh Jc Ad Kh Qd] (One pair)
UTG+1 : Hand Result-Side Pot 3400
UTG+1 : Hand Result 5512
Small Blind : Ranking 153
UTG+4 [ME] : Ranking 152
Small Blind : Stand
UTG+4 [ME] : Stand
*** SUMMARY ***
Total Pot(8912)
Board [Jh Jc 6c 3c Kh]
Seat 3: Small Blind  lose with Two pair [5c 5h-Jh Jc 5h 5c Kh]
Seat 6: UTG+1 8912  with Two pair [7s 7d-Jh Jc 7s 7d Kh]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Bovada/Flop/NLHE-9max-Freeroll-201207.disconnect.timeout.txt; some lines
of its summary."""

NO_LINE_FOR_THE_FLOP = """\
Bovada Hand #2648848668: HOLDEM Tournament #1433519 TBL#17, No Limit- Level 7 (100/200) - 2012-08-03 12:50:33
Seat 1: UTG+4 (13,125 in chips)
Seat 3: Dealer (5,125 in chips)
Seat 4: Small Blind [ME] (11,625 in chips)
Seat 5: Big Blind (12,830 in chips)
Dealer : Set dealer/Bring in spot [3]
Small Blind [ME] : Ante/Small blind 100
Big Blind : Big blind/Bring in 200
*** HOLE CARDS ***
UTG+4 : Card dealt to a spot [Qh Tc]
Dealer : Card dealt to a spot [7d 8h]
Small Blind [ME] : Card dealt to a spot [7c Qc]
Big Blind : Card dealt to a spot [Kh Kd]
UTG+4 : Raises 500
Dealer : Folds
Small Blind [ME] : Folds
Big Blind : Raises 800
UTG+4 : Raises(timeout) 1700
Big Blind : Raises 2600
UTG+4 : Call 900
Big Blind : Bets 5300
UTG+4 : Folds
Big Blind : Return uncalled portion of bet 5300
Big Blind : Does not show [Kh Kd] (Two pair)
Big Blind : Hand Result 5300
*** SUMMARY ***
Total Pot(5300)
Board [2s 2d Ad  ]
Seat 5: Big Blind 5300 [Does not show]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Bovada/Flop/NLHE-9max-USD-3-201208.raises.timout.txt, without those who
folded at once."""

DEAD_CHIP = """\
Bovada Hand #2629952702 TBL#1902693 HOLDEM No Limit - 2012-09-02 13:34:17
Seat 1: Small Blind ($24.75 in chips)
Seat 2: Big Blind ($7.50 in chips)
Seat 3: UTG ($31.34 in chips)
Seat 4: UTG+1 ($27.79 in chips)
Seat 5: UTG+2 ($22.92 in chips)
Seat 6: Dealer [ME] ($33.66 in chips)
Dealer  [ME] : Set dealer/Bring in spot [6]
Small Blind : Ante/Small Blind $0.10
Big Blind : Big blind/Bring in $0.25
UTG : Posts dead chip $0.35
*** HOLE CARDS ***
Small Blind : Card dealt to a spot [3c 2h]
Big Blind : Card dealt to a spot [7s 5s]
UTG : Card dealt to a spot [Jh Td]
UTG+1 : Card dealt to a spot [Ts 2d]
UTG+2 : Card dealt to a spot [8c 5h]
Dealer  [ME] : Card dealt to a spot [As Ac]
UTG : Checks
UTG+1 : Folds
UTG+2 : Folds
Dealer  [ME] : Raises $1.50 to $1.50
Small Blind : Folds
Big Blind : Calls $1.25
UTG : Folds
*** FLOP *** [6s Ah Qd]
Big Blind : Checks
Dealer  [ME] : Checks
*** TURN *** [6s Ah Qd] [5c]
Big Blind : Checks
Dealer  [ME] : Bets $1
Big Blind : Calls $1
*** RIVER *** [6s Ah Qd 5c] [2c]
Big Blind : Checks
Dealer  [ME] : Bets $5.45
Big Blind : Folds
Dealer  [ME] : Return uncalled portion of bet $5.45
Dealer  [ME] : Does not show [As Ac] (Three of a kind)
Dealer  [ME] : Hand result $5.18
*** SUMMARY ***
Total Pot($5.45) | Rake ($0.27)
Board [6s Ah Qd 5c 2c]
Seat+6: Dealer $5.18 [Does not show]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), cash/Bovada/Flop/NLHE-USD-0.10-0.25-201209.RING - $0.10-$0.25 - .post.both.txt,
hand 2629952702; a line of its summary."""

LINES_SEVERAL_TIMES = """\
Bovada Hand #3031631614: HOLDEM Tournament #8660111 TBL#11, No Limit- Level 5 (50/100) - 2014-08-06 22:36:21
Seat 1: UTG+2 (2,421 in chips)
Seat 2: UTG+3 (10,899 in chips)
Seat 3: UTG+4 (7,080 in chips)
Seat 4: UTG+5 (540 in chips)
Seat 6: Small Blind (4,780 in chips)
Seat 7: Big Blind (9,881 in chips)
Seat 8: UTG [ME] (3,847 in chips)
Seat 9: UTG+1 (2,130 in chips)
Small Blind : Ante/Small blind 50
Big Blind : Big blind/Bring in 100
*** HOLE CARDS ***
UTG+2 : Card dealt to a spot [Ts Kd]
UTG+3 : Card dealt to a spot [2c Ad]
UTG+4 : Card dealt to a spot [5h 7h]
UTG+5 : Card dealt to a spot [As Qd]
Small Blind : Card dealt to a spot [4c 7s]
Big Blind : Card dealt to a spot [Tc 8h]
UTG [ME] : Card dealt to a spot [7d 4d]
UTG+1 : Card dealt to a spot [5d Kh]
UTG [ME] : Folds
UTG+1 : Folds
UTG+2 : Call 100
UTG+3 : Folds
UTG+4 : Call 100
UTG+5 : Raises 275 to 275
Small Blind : Folds
Big Blind : Folds
UTG+2 : Call 175
UTG+4 : Call 175
*** FLOP *** [8d Ac 4s]
UTG+2 : Checks
UTG+4 : Bets 300
UTG+5 : All-in 265
UTG+2 : Folds
UTG+4 : Return uncalled portion of bet 35
*** TURN *** [8d Ac 4s] [Jc]
*** RIVER *** [8d Ac 4s Jc] [8c]
UTG+4 : Showdown [8d 8c Ac Jc 7h] (One pair)
UTG+5 : Showdown [As Ac 8d 8c Qd] (Two pair)
UTG+5 : Hand Result 1505
UTG+5 : Hand Result 1505
UTG+5 : Hand Result 1505
*** SUMMARY ***
Total Pot(1505)
Board [8d Ac 4s Jc 8c]
Seat+4: UTG+5 1505  with Two pair [As Qd-As Ac 8d 8c Qd]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Bovada/Flop/NLHE-9max-USD-MTT - $9.000 Guaranteed (DS) - $20-$2 -
201408.corrupted.lines.txt, hand 3031631614; a line of its summary. The seat of the dealer, 5, is empty."""

NO_ORDER_OF_SEATS = """\
Bovada Hand #3325954749: HOLDEM Tournament #14303391 TBL#1, No Limit- Level 1 (10/20) - 2016-01-01 01:58:13
Seat 7: UTG+1 (1,500 in chips)
Seat 1: UTG+2 (1,500 in chips)
Seat 4: Small Blind (1,500 in chips)
Seat 5: Big Blind (1,500 in chips)
Seat 3: UTG [ME] (1,500 in chips)
UTG+1 : Table enter user
UTG+1 : Draw for dealer [4h]
UTG+2 : Draw for dealer [Ks]
Small Blind : Small blind 10
Big Blind : Big blind 20
*** HOLE CARDS ***
UTG+1 : Card dealt to a spot [7d Ks]
UTG+2 : Card dealt to a spot [Ah Qd]
Small Blind : Card dealt to a spot [3s 3c]
Big Blind : Card dealt to a spot [8h Jc]
UTG [ME] : Card dealt to a spot [Qc 9c]
UTG [ME] : Folds
UTG+1 : Call 20
UTG+2 : Raises 90 to 90
Small Blind : Call 80
Big Blind : Folds
UTG+1 : Folds
*** FLOP *** [4c 9s 8s]
Small Blind : Checks
UTG+2 : Bets 220
Small Blind : Folds
UTG+2 : Return uncalled portion of bet 220
UTG+2 : Does not show [Ah Qd] (High Card)
UTG+2 : Hand Result 220
*** SUMMARY ***
Total Pot(220)
Board [4c 9s 8s  ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Bovada/Flop/NLHE-9max-USD-STT - $3-$0.30 - 201601.out.of.order.seats.txt,
without those who folded at once, the dealer among them."""

ANTE_ALL_IN = """\
Bovada Hand #2690849153: HOLDEM Tournament #1378133 TBL#12, No Limit- Level 24 (24/48) - 2012-11-25 23:56:24
Seat 1: Big Blind [ME] (166 in chips)
Seat 5: Dealer (99,834 in chips)
Dealer : Set dealer/Bring in spot [5]
Big Blind [ME] : All-in 166
Dealer : Ante chip 240
Dealer : Return uncalled portion of bet 74
*** HOLE CARDS ***
Big Blind [ME] : Card dealt to a spot [8h Th]
Dealer : Card dealt to a spot [Kc 9d]
*** FLOP *** [9s 3h Ac]
*** TURN *** [9s 3h Ac] [Qd]
*** RIVER *** [9s 3h Ac Qd] [7c]
Big Blind [ME] : Showdown [Ac Qd Th 9s 8h] (High Card)
Dealer : Showdown [9s 9d Ac Kc Qd] (One pair)
Dealer : Hand Result 332
Big Blind [ME] : Ranking 2
Big Blind [ME] : Prize Cash [$60]
*** SUMMARY ***
Total Pot(332)
Board [9s 3h Ac Qd 7c]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Bovada/Flop/NLHE-9max-USD-10-201211.ante.all.in.txt, without some of
its end."""

MUCKED = """\
Bovada Hand #2629951525 TBL#1902693 HOLDEM No Limit - 2012-09-02 13:27:24
Seat 1: Big Blind ($6.68 in chips)
Seat 2: UTG ($9.77 in chips)
Seat 3: UTG+1 ($29.98 in chips)
Seat 4: UTG+2 ($20.21 in chips)
Seat 6: Small Blind [ME] ($25.68 in chips)
Small Blind  [ME] : Ante/Small Blind $0.10
Big Blind : Big blind/Bring in $0.25
*** HOLE CARDS ***
Big Blind : Card dealt to a spot [Kd 7h]
UTG : Card dealt to a spot [9d 5c]
UTG+1 : Card dealt to a spot [2d Ts]
UTG+2 : Card dealt to a spot [Ac 9h]
Small Blind  [ME] : Card dealt to a spot [4h Jc]
UTG : Folds
UTG+1 : Folds
UTG+2 : Raises $0.75 to $0.75
Small Blind  [ME] : Folds
Big Blind : Calls $0.50
*** FLOP *** [8s 7c 3h]
Big Blind : Checks
UTG+2 : Bets $0.75
Big Blind : Calls $0.75
*** TURN *** [8s 7c 3h] [Js]
Big Blind : Checks
UTG+2 : Checks
*** RIVER *** [8s 7c 3h Js] [Ad]
Big Blind : Checks
UTG+2 : Bets $1
Big Blind : Calls $1
UTG+2 : Showdown [Ad Ac Js 9h 8s] (One pair)
Big Blind : Mucks [Kd 7h] (One pair)
UTG+2 : Hand result $4.85
*** SUMMARY ***
Total Pot($5.10) | Rake ($0.25)
Board [8s 7c 3h Js Ad]
Seat+1: Big Blind [Mucked] [Kd 7h]
Seat+4: UTG+2 $4.85  with One pair [Ac 9h-Ad Ac Js 9h 8s]
"""
"""The same file as the dead chip, hand 2629951525; some lines of its summary."""

NO_SMALL_BLIND = """\
Bovada Hand #2629952285 TBL#1902693 HOLDEM No Limit - 2012-09-02 13:31:57
Seat 2: Big Blind ($9.77 in chips)
Seat 4: UTG ($27.12 in chips)
Seat 5: UTG+1 ($23.07 in chips)
Seat 6: Dealer [ME] ($25.23 in chips)
Dealer  [ME] : Set dealer/Bring in spot [6]
Big Blind : Big blind/Bring in $0.25
*** HOLE CARDS ***
Big Blind : Card dealt to a spot [Kh 6s]
UTG : Card dealt to a spot [4h 7h]
UTG+1 : Card dealt to a spot [Qd 5c]
Dealer  [ME] : Card dealt to a spot [6h 7c]
UTG : Folds
UTG+1 : Folds
Dealer  [ME] : Folds
Big Blind : Return uncalled portion of bet $0.25
Big Blind : Does not show [Kh 6s] (High Card)
*** SUMMARY ***
Total Pot($0) | Rake ($0)
Seat+2: Big Blind [Does not show]
"""
"""The same file, hand 2629952285; a line of its summary."""


def test_streets_without_a_line_are_dealt_from_the_board_of_the_summary() -> None:
    hand = read(bovada, NO_LINES_FOR_THE_BOARD)
    assert (hand.site, hand.number, hand.tournament, hand.table) == ("Bovada", "2648080702", "1930685", "29")
    assert hand.played == datetime(2012, 7, 31, 21, 36, 21)
    assert started(hand).kind is GameKind.TOURNAMENT
    assert board_of(hand) == parse_cards("JhJc6c3cKh")
    assert stacks_after(hand) == {
        "UTG+5": 5135,
        "Dealer": 14133,
        "Small Blind": 0,
        "Big Blind": 220,
        "UTG": 4260,
        "UTG+1": 8844 - 8792 + 5388 + 3400 + 5512,
        "UTG+2": 5678,
        "UTG+3": 50,
        "Hero": 0,
    }


def test_a_flop_without_a_line_is_dealt_before_the_bet_that_follows_it() -> None:
    hand = read(bovada, NO_LINE_FOR_THE_FLOP)
    assert board_of(hand) == parse_cards("2s2dAd")
    assert stacks_after(hand) == {"UTG+4": 10525, "Dealer": 5125, "Hero": 11525, "Big Blind": 12830 + 2700}


def test_all_hole_cards_are_known_and_the_hero_is_named() -> None:
    hand = read(bovada, NO_LINES_FOR_THE_BOARD)
    assert len(hand.record.hole_cards) == 9
    assert hand.hero is not None
    assert hand.record.players[hand.hero] == bovada.HERO
    assert hand.record.hole_cards[hand.hero] == parse_cards("AdQd")
    assert hand.final is not None


def test_a_dead_chip_is_a_live_big_blind_and_a_dead_small_one() -> None:
    hand = read(bovada, DEAD_CHIP)
    start = started(hand)
    assert (start.small_blind, start.big_blind, hand.currency, hand.rake) == (10, 25, "USD", 27)
    assert posts_of(hand, "UTG") == [(PostKind.BIG_BLIND, 25), (PostKind.DEAD_BLIND, 10)]
    assert stacks_after(hand) == {
        "Small Blind": 2465,
        "Big Blind": 500,
        "UTG": 3099,
        "UTG+1": 2779,
        "UTG+2": 2292,
        "Hero": 3366 - 250 + 518,
    }


def test_a_posted_chip_is_live_also_if_it_is_a_small_blind() -> None:
    """In hand 2902238171 of fpdb's damaged lines, of Omaha, it takes 37 cents to call 39 after such a chip of 2."""
    text = DEAD_CHIP.replace("Posts dead chip $0.35", "Posts chip $0.10").replace(
        "UTG : Checks", "UTG : Calls $0.15"
    )
    hand = read(bovada, text.replace("$5.45) |", "$5.35) |").replace("$5.18", "$5.08"))
    assert posts_of(hand, "UTG") == [(PostKind.SMALL_BLIND, 10)]
    assert stacks_after(hand)["UTG"] == 3134 - 25


def test_lines_that_come_several_times_count_once_and_the_dealers_seat_may_be_empty() -> None:
    hand = read(bovada, LINES_SEVERAL_TIMES)
    assert stacks_after(hand) == {
        "UTG+2": 2146,
        "UTG+3": 10899,
        "UTG+4": 7080 - 275 - 265,
        "UTG+5": 1505,
        "Small Blind": 4730,
        "Big Blind": 9781,
        "Hero": 3847,
        "UTG+1": 2130,
    }
    assert hand.record.players[started(hand).button] == "UTG+5", "who sits before the empty seat of the dealer"


def test_seats_are_counted_where_their_numbers_are_not_in_the_order_of_the_table() -> None:
    hand = read(bovada, NO_ORDER_OF_SEATS)
    assert hand.record.players == ("UTG+1", "UTG+2", "Small Blind", "Big Blind", "Hero")
    assert stacks_after(hand) == {
        "UTG+1": 1480,
        "UTG+2": 1500 - 90 + 220,
        "Small Blind": 1410,
        "Big Blind": 1480,
        "Hero": 1500,
    }


def test_who_is_all_in_by_the_ante_plays_for_it_alone() -> None:
    hand = read(bovada, ANTE_ALL_IN)
    assert posts_of(hand, "Hero") == [(PostKind.ANTE, 166)]
    assert stacks_after(hand) == {"Hero": 0, "Dealer": 100_000}


def test_the_loser_mucks_and_their_cards_are_known() -> None:
    hand = read(bovada, MUCKED)
    assert HoleCardsMucked(0) in hand.record.events
    assert hand.record.hole_cards[0] == parse_cards("Kd7h")
    assert stacks_after(hand)["UTG+2"] == 2021 - 250 + 485
    assert hand.rake == 25


def test_a_big_blind_that_comes_back_whole_leaves_no_pot() -> None:
    hand = read(bovada, NO_SMALL_BLIND)
    start = started(hand)
    assert (start.small_blind, start.big_blind) == (10, 25), (
        "the small blind of the site's tables with that big one"
    )
    assert stacks_after(hand) == {"Big Blind": 977, "UTG": 2712, "UTG+1": 2307, "Hero": 2523}
    assert not any(isinstance(event, PotAwarded) for event in hand.record.events)


def test_blinds_are_what_was_posted_where_the_first_line_says_otherwise() -> None:
    start = started(read(bovada, NO_LINE_FOR_THE_FLOP.replace("(100/200)", "(75/150)")))
    assert (start.small_blind, start.big_blind) == (100, 200)


def test_what_follows_a_summary_that_breaks_off_is_no_part_of_the_hand() -> None:
    tail = (
        "Seat 6: Small Blind ($913.20 in chips)\n*** HOLE CARDS ***\nUTG : Folds\n*** SUMMARY ***\nTotal Pot($70)\n"
    )
    assert read(bovada, MUCKED + tail) == read(bovada, MUCKED)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (MUCKED.replace("HOLDEM No", "HOLDEM Fixed"), "It is fixed-limit, not no-limit."),
        (MUCKED.replace("HOLDEM No", "OMAHA HiLo Pot"), "It is Omaha, not hold'em."),
        (MUCKED.replace("HOLDEM", "7CARD"), "It is stud, not hold'em."),
        (MUCKED.replace("No Limit", ""), "It does not say that it is no-limit."),
        (MUCKED.partition("*** SUMMARY")[0], "It breaks off before its summary."),
        (MUCKED.replace("UTG+2 (", "UTG+1 ("), "Two players have the same place."),
        (MUCKED.replace("Big Blind : Calls $1\n", "Big Blind : Dares $1\n"), "The line 'Big Blind : Dares $1' is"),
        (
            MUCKED.replace(
                "Small Blind  [ME] : Ante/Small Blind $0.10\nBig Blind : Big blind/Bring in $0.25\n", ""
            ),
            "It do",
        ),
        (MUCKED.replace("result $4.85", "result $4.80"), "Of 510 chips 480 are collected, and the rake is not"),
        (
            MUCKED.replace("UTG+2 : Hand result $4.85\n", "Big Blind : Hand result $4.85\n"),
            "Big Blind collects, and",
        ),
        (MUCKED.replace("[Ac 9h]", "[Kd 9h]"), "A card is dealt twice."),
        (MUCKED.replace("[ME] ", ""), "Nobody marked [ME] was dealt in."),
    ],
)
def test_what_is_not_imported_is_told_why(text: str, reason: str) -> None:
    with pytest.raises(NotImportedError) as error:
        read(bovada, text)
    assert str(error.value).startswith(reason)


def test_whatever_is_done_to_a_text_it_is_imported_or_left_out_with_a_reason() -> None:
    found = fuzz([NO_LINES_FOR_THE_BOARD, DEAD_CHIP, LINES_SEVERAL_TIMES, ANTE_ALL_IN, MUCKED], 500, 1)
    assert found.imported
    assert found.left_out


@pytest.mark.shared
def test_real_files_are_imported_but_for_hands_whose_player_sits_out() -> None:
    sits_out = "Nobody marked [ME] was dealt in."
    assert refusals("bovada") == {
        ("fpdb_cash__NLHE-USD-$2-$4-201209.Bodog.UK.txt", sits_out),
        ("fpdb_cash__NLHE-USD-0.10-0.25-201209.RING - $0.10-$0.25 - .post.both.txt", sits_out),
    }


@pytest.mark.shared
def test_the_next_hand_of_a_tournament_begins_with_what_this_one_leaves() -> None:
    """By the numbers of the seats, since nobody keeps a name there."""
    compared = 0
    for path in sorted((SHARED / "data" / "fixtures" / "bovada").iterdir()):
        table, left = "", dict[str, int]()
        for text in split_at(bovada.HEADER, path.read_text("utf-8-sig").replace("\ufeff", "")):
            if "HOLDEM Tournament" not in text:
                continue
            hand, told = read(bovada, text), bovada.told_hand(text)
            numbers = re.findall(r"^Seat (\d+):.* in chips\)", text.partition("*** HOLE")[0], re.MULTILINE)
            stacks = {seat.name: seat.stack for seat in told.seats}
            before = dict(zip(numbers, stacks.values(), strict=True))
            if table == hand.tournament + hand.table:
                both = before.keys() & left.keys()
                assert {number: before[number] for number in both} == {number: left[number] for number in both}
                compared += len(both)
            after = stacks | stacks_after(hand)
            table, left = hand.tournament + hand.table, dict(zip(numbers, after.values(), strict=True))
    assert compared > 2000
