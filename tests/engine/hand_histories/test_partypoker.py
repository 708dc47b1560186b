"""Hands in the text of PartyPoker, each quoted with its source; what they come to is added up from the text."""

from datetime import datetime
from functools import partial

import pytest

from engine.cards import parse_cards
from engine.game.events import GameKind, HoleCardsMucked, Posted, PostKind, PotAwarded
from engine.hand_histories import partypoker
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.told import NotImportedError, split_at
from tests.engine.hand_histories.reading import read as read_text
from tests.engine.hand_histories.reading import stacks_after, started
from tests.engine.hand_histories.real_files import refusals

DEAD_BLIND = """\
***** Hand History for Game 14507003662 *****
$1/$2 USD NL Texas Hold'em - Saturday, April 11, 13:57:03 EDT 2015
Table Abuja (Real Money)
Seat 2 is the button
Total number of players : 6/6\x20
Seat 2: LoudAndFast ( $296.69 USD )
Seat 4: MrBumBumBum ( $169.83 USD )
Seat 1: Peacli ( $97.37 USD )
Seat 3: StreetsAhead ( $243.55 USD )
Seat 6: oONUKAo ( $200 USD )
Seat 5: peace_da_ball ( $197.58 USD )
StreetsAhead posts small blind [$1 USD].
peace_da_ball posts big blind [$2 USD].
Peacli posts big blind + dead [$3].
** Dealing down cards **
oONUKAo folds
Peacli raises [$2 USD]
LoudAndFast folds
StreetsAhead folds
peace_da_ball will be using their time bank for this hand.
peace_da_ball calls [$2 USD]
** Dealing Flop ** [ 4h, 4s, Jh ]
peace_da_ball will be using their time bank for this hand.
peace_da_ball bets [$7.12 USD]
Peacli calls [$7.12 USD]
** Dealing Turn ** [ 6s ]
peace_da_ball will be using their time bank for this hand.
peace_da_ball bets [$14 USD]
Peacli calls [$14 USD]
** Dealing River ** [ 5s ]
peace_da_ball will be using their time bank for this hand.
peace_da_ball checks
Peacli checks
peace_da_ball shows [ Td, Jc ]two pairs, Jacks and Fours.
Peacli doesn't show [ 6h, Ks ]two pairs, Sixes and Fours.
peace_da_ball wins $49.63 USD from the main pot with two pairs, Jacks and Fours."""
"""ItalyToast/PokerHandHistoryParser (MIT), PartyPoker/CashGame/HandActionTests/Posting.txt."""

ALL_IN = """\
***** Hand History for Game 199382575 *****
$0.50/$1 USD NL Texas Hold'em - Wednesday, July 04, 23:20:42 EDT 2018
Table Union (Real Money)
Seat 2 is the button
Total number of players : 2/2
Seat 2: CopyYou ( $100.58 USD )
Seat 1: j.perilli7 ( $49.85 USD )
CopyYou posts small blind [$0.50 USD].
j.perilli7 posts big blind [$1 USD].
** Dealing down cards **
CopyYou raises [$2.50 USD]
j.perilli7 raises [$9 USD]
CopyYou is all-In  [$97.58 USD]
j.perilli7 is all-In  [$39.85 USD]
** Dealing Flop ** [ Jh, Ac, Jd ]
** Dealing Turn ** [ 8d ]
** Dealing River ** [ Ks ]
j.perilli7 shows [ 9s, As ]two pairs, Aces and Jacks.
CopyYou shows [ 7h, 7c ]two pairs, Jacks and Sevens.
CopyYou wins $50.73 USD from the side pot 1 with two pairs, Jacks and Sevens.
j.perilli7 wins $99.20 USD from the main pot with two pairs, Aces and Jacks.
"""
"""thlorenz/hhp (MIT), test/partypoker/cash.hhsmithy.usd.hu/hands.txt."""

WITHOUT_POSTS = """\
#Game No : 2621679197\x20
***** Hand History for Game 2621679197 *****
NL Texas Hold'em $30 Buy-in  + $3 Entry Fee  Trny:15286975 Level:4 Blinds(50/100) - Tuesday, August 30, 00:26:01 EDT 2005
Table Table  11277 (Real Money)
Seat 4 is the button
Total number of players : 8\x20
Seat 2: Player0 ( $1902 )
Seat 3: Player1 ( $1255 )
Seat 4: Player2 ( $1260 )
Seat 6: Hero ( $645 )
Seat 7: Player3 ( $625 )
Seat 8: Player4 ( $675 )
Seat 9: Player5 ( $1290 )
Seat 10: Player6 ( $348 )
Trny:15286975 Level:4\x20
Blinds(50/100)\x20
** Dealing down cards **
Dealt to Hero [  Td 9c ]
Player4 folds.
Player5 folds.
Player6 folds.
Player0 folds.
Player1 folds.
Player2 folds.
Hero calls [50].
Player3 checks.
** Dealing Flop ** [ 9h, Qs, Tc ]
>You have options at Table  11531 Table!.
Hero bets [125].
Player3 raises [300].
Hero is all-In  [420]
Player3 is all-In  [225]
** Dealing Turn ** [ 6d ]
** Dealing River ** [ 5s ]
>You have options at Table  12772 Table!.
Player3 shows [ 8s, Jd ] a straight, eight to queen.
Hero shows [ Td, 9c ] two pairs, tens and nines.
Hero wins 20 chips from  side pot #1  with two pairs, tens and nines.
Player3 wins 1250 chips from  the main pot  with a straight, eight to queen.
"""  # noqa: E501
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/tour/PartyPoker, NLHE-MTT-USD-30-3-200508.Old.Format."""

MAILED = """\
***** Hand History For Game 161938625156465v9fyd47bg *****
350000/700000 Tourney Texas Holdem Game Table (NL) (MTT Tournament #301084002) (Buyin $50.0 + $5.0) - Sun Apr 25 17:30:03 EDT 2021
Table (301084002) Table #68 (Real Money) -- Seat 2 is the button
Total number of players : 8/8
Seat 1: Player1 (15123805)
Seat 2: Player2 (8280272)
Seat 3: Player3 (10133944)
Seat 4: Player4 (39523536)
Seat 5: Player5 (11389667)
Seat 6: Player6 (22477860)
Seat 7: Player7 (16468017)
Seat 8: Hero (13273376)
Player1 posts ante (87500)
Player2 posts ante (87500)
Player3 posts ante (87500)
Player4 posts ante (87500)
Player5 posts ante (87500)
Player6 posts ante (87500)
Player7 posts ante (87500)
Hero posts ante (87500)
Player3 posts small blind (350000)
Player4 posts big blind (700000)
** Dealing down cards **
Dealt to Hero [ Ad, Ah ]
Player5 raises 11302166 to 11302166
Player5 is all-In.
Player6 folds
Player7 raises 16380517 to 16380517
Player7 is all-In.
Hero calls (13185876)
Hero is all-In.
Player1 folds
Player2 folds
Player3 folds
Player4 folds
** Dealing Flop ** : [ 7s, 9c, 5s ]
** Dealing Turn ** : [ 3s ]
** Dealing River ** : [ Qs ]
Creating Main Pot with 35656500 with Player5
Creating Side Pot 1 with 3767420 with Hero
** Summary **
Main Pot: 35656500 Side Pot 1: 3767420
Board: [ 7s, 9c, 5s, 3s, Qs ]
Player1 balance 15036305, lost 87500 (folded)
Player2 balance 8192772, lost 87500 (folded)
Player3 balance 9696444, lost 437500 (folded)
Player4 balance 38736040, lost 787500 (folded)
Player5 balance 0, lost 11389667[ Ac, Ks ] [ a flush, king high -- Ks,Qs,7s,5s,3s ]
Player6 balance 22390360, lost 87500 (folded)
Player7 balance 42618560, bet 16468017, collected 42618560, net +26150540[ Kc, As ] [ a flush, ace high -- As,Qs,7s,5s,3s ]
Hero balance 0, lost 13273376[ Ad, Ah ] [ a pair of aces -- Ad,Ah,Qs,9c,7s ]
"""  # noqa: E501
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/tour/PartyPoker, NLHE-MTT-USD-50-5-202104.anon."""

CONVERTED = """\
***** Hand History for Game 1111111111 ***** (WPN)
$2.00 USD NL Texas Hold'em - Monday, January 07, 07:36:51 ET 2019
Table PRR Bahamut 3 (Real Money)
Seat 2 is the button
Seat 1: Hero ( $2.76 USD ) - VPIP: 26, PFR: 19, 3B: 8, AF: 2.5, Hands: 144746
Seat 2: Player2 ( $3.38 USD ) - VPIP: 20, PFR: 18, 3B: 8, AF: 2.0, Hands: 1125
Seat 3: Player3 ( $4.50 USD ) - VPIP: 37, PFR: 27, 3B: 7, AF: 3.0, Hands: 113
Seat 4: Player4 ( $2.00 USD ) - VPIP: 17, PFR: 16, 3B: 7, AF: 4.9, Hands: 1331
Player3 posts small blind [$0.01 USD].
Player4 posts big blind [$0.02 USD].
** Dealing down cards **
Dealt to Hero [ Jc Ts ]
Hero raises [$0.06 USD]
Player2 folds
Player3 calls [$0.05 USD]
Player4 folds
** Dealing Flop ** [ 3d, Qd, Kc ]
Player3 checks
Hero bets [$0.09 USD]
Player3 raises [$0.28 USD]
Hero calls [$0.19 USD]
** Dealing Turn ** [ 9s ]
Player3 bets [$0.50 USD]
Hero calls [$0.50 USD]
** Dealing River ** [ 9d ]
Player3 bets [$3.66 USD]
Hero calls [$1.92 USD]
Player3 wins $1.74 USD
Hero wins $5.27 USD from main pot
Hero shows [Jc, Ts ]
Player3 shows [Qs, 7s ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/cash/PartyPoker, WPN.converted; without who only folds."""


read = partial(read_text, partypoker)


def posts(hand: ImportedHand) -> list[tuple[str, PostKind, int]]:
    events = (event for event in hand.record.events if isinstance(event, Posted))
    return [(hand.record.players[post.seat], post.kind, post.amount) for post in events]


def test_who_comes_back_posts_a_dead_blind_and_a_live_one() -> None:
    hand = read(DEAD_BLIND)
    assert (hand.site, hand.number, hand.table, hand.currency) == ("PartyPoker", "14507003662", "Abuja", "USD")
    assert hand.played == datetime(2015, 4, 11, 13, 57, 3)
    assert posts(hand) == [
        ("StreetsAhead", PostKind.SMALL_BLIND, 100),
        ("peace_da_ball", PostKind.BIG_BLIND, 200),
        ("Peacli", PostKind.BIG_BLIND, 200),
        ("Peacli", PostKind.DEAD_BLIND, 100),
    ]
    assert "MrBumBumBum" not in hand.record.players  # who has no part in it
    # Each of two puts in 4 before the flop, 7.12 and 14; one of them 1 dead, the small blind 1: 52.24 in all.
    assert stacks_after(hand) == {
        "Peacli": 9737 - 400 - 712 - 1400 - 100,
        "LoudAndFast": 29669,
        "StreetsAhead": 24355 - 100,
        "peace_da_ball": 19758 - 400 - 712 - 1400 + 4963,
        "oONUKAo": 20000,
    }
    assert hand.rake == 5224 - 4963
    mucked = [hand.record.players[event.seat] for event in hand.record.events if isinstance(event, HoleCardsMucked)]
    assert mucked == ["Peacli"]
    assert hand.record.hole_cards[0] == parse_cards("Ks6h")  # which the site tells all the same


def test_what_comes_back_of_an_all_in_is_among_what_is_won() -> None:
    hand = read(ALL_IN)
    assert stacks_after(hand) == {"j.perilli7": 9920, "CopyYou": 10058 - 4985}
    assert hand.rake == 2 * 4985 - 9920
    assert [event.amount for event in hand.record.events if isinstance(event, PotAwarded)] == [9920]


def test_an_early_tournament_tells_the_blinds_of_its_level_and_no_posts() -> None:
    hand = read(WITHOUT_POSTS)
    assert (hand.tournament, hand.currency, hand.scale) == ("15286975", "", 1)
    assert hand.played == datetime(2005, 8, 30, 0, 26, 1)
    start = started(hand)
    assert (start.kind, start.small_blind, start.big_blind) == (GameKind.TOURNAMENT, 50, 100)
    assert posts(hand) == [("Hero", PostKind.SMALL_BLIND, 50), ("Player3", PostKind.BIG_BLIND, 100)]
    result = stacks_after(hand)
    assert (result["Hero"], result["Player3"]) == (20, 1250)
    assert hand.final is not None
    assert hand.final.hole_cards == parse_cards("Td9c")


def test_antes_that_an_early_tournament_does_not_tell_are_those_of_its_level() -> None:
    text = WITHOUT_POSTS.replace("Blinds(50/100)", "Blinds-Antes(50/100 -10)").replace("wins 1250", "wins 1310")
    # Eight antes of 10; a call of the same 50, and those two have 10 less to put in last.
    text = text.replace("is all-In  [420]", "is all-In  [410]").replace("is all-In  [225]", "is all-In  [215]")
    hand = read(text)
    assert [(kind, amount) for _, kind, amount in posts(hand)].count((PostKind.ANTE, 10)) == 8
    assert stacks_after(hand)["Player3"] == 2 * 615 + 8 * 10 == 1310


def test_a_mailed_hand_has_its_results_in_the_summary_and_rounds_all_ins() -> None:
    hand = read(MAILED)
    assert (hand.number, hand.tournament) == ("161938625156465v9fyd47bg", "301084002")
    assert stacks_after(hand) == {
        "Player1": 15036305,
        "Player2": 8192772,
        "Player3": 9696444,
        "Player4": 39523536 - 787500,  # the text is 4 chips off
        "Player5": 0,
        "Player6": 22390360,
        "Player7": 42618560,
        "Hero": 0,
    }
    assert hand.record.hole_cards[4] == parse_cards("AcKs")
    assert hand.record.hole_cards[6] == parse_cards("AsKc")
    pots = [event.pot for event in hand.record.events if isinstance(event, PotAwarded)]
    assert sorted(pots) == [0, 1]


def test_a_mailed_hand_may_cut_names_at_their_first_space() -> None:
    hand = read(MAILED.replace("Hero balance", "Hero of Two balance").replace("Hero calls", "Hero of Two calls"))
    assert "Hero of Two" in hand.record.players
    assert "Hero" not in hand.record.players
    assert hand.hero is not None
    assert hand.record.players[hand.hero] == "Hero of Two"


def test_a_converted_hand_is_of_the_site_where_it_was_played() -> None:
    hand = read(CONVERTED)
    assert hand.site == "WPN"
    start = started(hand)
    assert (start.small_blind, start.big_blind) == (1, 2)  # by the posts; the header has the buy-in
    # Hero puts in all of 2.76; the pot has 5.54, of which 0.27 are rake; 1.74 come back.
    assert stacks_after(hand) == {"Hero": 527, "Player2": 338, "Player3": 450 - 276, "Player4": 198}
    assert hand.rake == 27


def test_a_blind_that_is_all_of_a_stack_does_not_tell_the_stakes() -> None:
    text = CONVERTED.replace("Player4 ( $2.00", "Player4 ( $0.01").replace("blind [$0.02", "blind [$0.01")
    text = text.replace("Player4 folds\n", "").replace("Hero wins $5.27", "Hero wins $5.26")
    start = started(read(text))
    assert (start.small_blind, start.big_blind) == (1, 2)


def test_chat_is_no_deed() -> None:
    chat = "j.perilli7: CopyYou calls [$5 USD] in Tournament #7, Blinds(10/20)\nj.perilli7 raises"
    hand = read(ALL_IN.replace("j.perilli7 raises", chat))
    assert started(hand).kind is GameKind.CASH
    assert stacks_after(hand)["CopyYou"] == 10058 - 4985


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEAD_BLIND.replace("NL Texas Hold'em", "PL Omaha"), "It is Omaha, not hold'em."),
        (DEAD_BLIND.replace("NL Texas Hold'em", "NL Short Deck"), "It is short-deck, not hold'em."),
        (DEAD_BLIND.replace("NL Texas Hold'em", "PL Texas Hold'em"), "It is pot-limit, not no-limit."),
        (DEAD_BLIND.replace("NL Texas", "FL Texas"), "It is fixed-limit, not no-limit."),
        (DEAD_BLIND.replace("$1/$2 USD NL", "$1/$2"), "It is fixed-limit, not no-limit."),
        (DEAD_BLIND.partition("peace_da_ball wins")[0], "It does not say who won."),
        (
            DEAD_BLIND.partition("peace_da_ball bets")[0] + "Connection Lost due to some reason",
            "It breaks off: the table was closed or the connection lost.",
        ),
        (
            DEAD_BLIND.replace("Seat 5: peace_da_ball ( $197.58 USD )", "peace_da_ball has joined the table."),
            "A player joined during the hand, and their chips are not told.",
        ),
        (
            DEAD_BLIND.replace("peace_da_ball ( $197.58 USD )", "peace_da_ball ( $0 USD )"),
            "peace_da_ball plays and has no chips.",
        ),
        (DEAD_BLIND.replace("Seat 5: peace", "Seat 5: Peace"), "peace_da_ball plays and has no seat."),
        (
            DEAD_BLIND.replace("Peacli posts big blind + dead [$3]", "Peacli posts a button blind [$3]"),
            "The line 'Peacli posts a button blind [$3].' is not understood.",
        ),
        (
            DEAD_BLIND.replace("Peacli raises [$2 USD]", "Peacli tips [$2 USD]"),
            "The line 'Peacli tips [$2 USD]' is not understood.",
        ),
        (MAILED.replace("Hero calls (", "Hero tips ("), "The line 'Hero tips (13185876)' is not understood."),
        (WITHOUT_POSTS.replace("[ 9h, Qs, Tc ]", ""), "The flop has no cards."),
    ],
)
def test_what_is_not_imported_says_why(text: str, reason: str) -> None:
    with pytest.raises(NotImportedError) as refused:
        read(text)
    assert reason in str(refused.value)


def test_hands_are_cut_at_their_headers() -> None:
    text = "Game #1 starts.\n\n" + DEAD_BLIND + "\0\0\n\n#Game No : 199382575\n" + ALL_IN
    assert partypoker.HEADER.search(text)
    assert [imported(partypoker.told_hand(hand)).number for hand in split_at(partypoker.HEADER, text)] == [
        "14507003662",
        "199382575",
    ]
    assert not partypoker.HEADER.search("***** 888poker Hand History for Game 5 *****")
    assert list(split_at(partypoker.HEADER, "nothing")) == []


_JOINED = "A player joined during the hand, and their chips are not told."


@pytest.mark.shared
def test_real_files_are_imported_but_for_hands_that_do_not_tell_enough() -> None:
    assert refusals("partypoker") == {
        # cut off before anybody wins
        ("HHSmithy__Limits_Limit6.txt", "It does not say who won."),
        ("HHSmithy__ValidHandTests_InValidHand_1.txt", "It does not say who won."),
        # who sits down in the middle of a hand, and whose chips no line tells
        ("fpdb_cash__NLHE-6max-USD-0.10-0.25-201309.player.joins.and.posts.a.bb.txt", _JOINED),
        ("fpdb_cash__NLHE-6max-USD-5-10-201408.joins.and.posts.bb.txt", _JOINED),
        ("fpdb_cash__NLHE-USD-0.01-0.02-20100807.newPlayerWithZeroStack.txt", _JOINED),
        ("fpdb_cash__NLHE-USD-0.01-0.02-201105.Unseated.player.is.only.big.blind.txt", _JOINED),
        ("fpdb_cash__NLHE-USD-0.02-0.04-20100811.unseatedPlayerActions.txt", _JOINED),
        # names were changed by hand in some lines, and all stacks are 1
        ("fpdb_tour__NLHE-1-EUR-STT-201211.tourno.missing.txt", "oup77777 plays and has no seat."),
    }
