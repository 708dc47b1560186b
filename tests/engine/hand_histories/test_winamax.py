"""Hands in the text of Winamax, each quoted with its source; what they come to is added up from the text."""

from datetime import datetime

import pytest

from engine.cards import parse_cards
from engine.game.events import ActionKind, ActionTaken, GameKind, PostKind, UncalledBetReturned
from engine.hand_histories import winamax
from engine.hand_histories.told import NotImportedError
from tests.engine.hand_histories.fuzz import fuzz
from tests.engine.hand_histories.reading import board_of, posts_of, read, stacks_after, started
from tests.engine.hand_histories.real_files import refusals, verify_next_stacks

SIDE_POT = """\
Winamax Poker - CashGame - HandId: #323549-11-1286000000 - Holdem no limit (0.02€/0.05€) - 2010/10/02 10:00:00 UTC
Table: 'Reims' 9-max (real money) Seat #5 is the button
Seat 1: Player1 (5€)
Seat 2: Player2 (5€)
Seat 3: Player3 (4.93€)
Seat 4: Hero (4.93€)
Seat 5: Player5 (3.58€)
Seat 6: Player6 (1.98€)
Seat 7: Player7 (2.95€)
Seat 8: Player8 (6.43€)
Seat 9: Player9 (6.52€)
*** ANTE/BLINDS ***
Player6 posts small blind 0.02€
Player7 posts big blind 0.05€
Player1 posts big blind 0.05€ out of position
Dealt to Hero [8d 8h]
*** PRE-FLOP ***
Player8 raises 0.17€ to 0.22€
Player9 calls 0.22€
Player1 folds
Player2 folds
Player3 calls 0.22€
Hero folds
Player5 folds
Player6 folds
Player7 folds
*** FLOP *** [Jd 9d 2s]
Player8 bets 0.39€
Player9 raises 0.91€ to 1.30€
Player3 calls 1.30€
Player8 calls 0.91€
*** TURN *** [Jd 9d 2s][Kh]
Player8 checks
Player9 checks
Player3 checks
*** RIVER *** [Jd 9d 2s Kh][8s]
Player8 bets 4.70€
Player9 folds
Player3 calls 3.41€ and is all-in
*** SHOW DOWN ***
Player3 shows [Jh 4s] (One pair : Jack)
Player8 shows [Ac 7c] (High card : Ace)
Player8 collected 1.29€ from side pot 1
Player3 collected 10.92€ from main pot
*** SUMMARY ***
Total pot 12.21€ | Rake 0.58€
Board: [Jd 9d 2s Kh 8s]
Seat 3: Player3 showed [Jh 4s] and won 10.92€ with One pair : Jack
Seat 8: Player8 showed [Ac 7c] and won 1.29€ with High card : Ace
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), cash/Winamax/Flop/NLHE-FR-EUR-0.02-0.05-201010.Invalid.side.pot.Player8.txt; some
lines of its summary."""

BIG_BLIND_ALL_IN = """\
Winamax Poker - Tournament "Quitte ou Double" buyIn: 0.93-0.07 level: 10 - HandId: \
#118267374808858625-31-1343075816 - Holdem no limit (50/200/400) - 2012/07/23 20:36:56 UTC
Table: 'Quitte ou Double(27536269)#0' 10-max (real money) Seat #2 is the button
Seat 1: Player0 (870)
Seat 2: Player1 (991)
Seat 3: Hero (1410)
Seat 4: Player2 (169)
Seat 5: Player3 (2650)
Seat 6: Player4 (1845)
*** ANTE/BLINDS ***
Hero posts ante 50
Player2 posts ante 50
Player0 posts ante 50
Player1 posts ante 50
Player3 posts ante 50
Player4 posts ante 50
Hero posts small blind 200
Player2 posts big blind 119 and is all-in
Dealt to Hero [7h 4c]
*** PRE-FLOP ***
Player3 folds
Player4 raises 1676 to 1795 and is all-in
Player0 folds
Player1 calls 941 and is all-in
Hero folds
*** FLOP *** [As 9h Qc]
*** TURN *** [As 9h Qc][Kc]
*** RIVER *** [As 9h Qc Kc][3h]
*** SHOW DOWN ***
Player2 shows [3d Tc] (One pair : 3)
Player1 shows [Kh Ac] (Two pairs : Aces and Kings)
Player4 shows [Jh Jd] (One pair : Jacks)
Player4 collected 854 from side pot 1
Player1 collected 2501 from main pot
*** SUMMARY ***
Total pot 3355 | No rake
Board: [As 9h Qc Kc 3h]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Winamax/Flop/NLHE-10max-EUR-0.93-STT-201207.all.in.blind.txt, without four
of those who folded and their antes."""

BOUNTIES = """\
Winamax Poker - Tournament "TEA TIME" buyIn: 18€ + 2€ level: 11 - HandId: #2357799155578961958-128-1653325811 \
- Holdem no limit (140/600/1200) - 2022/05/23 17:10:11 UTC
Table: 'TEA TIME(548967895)#0037' 6-max (real money) Seat #3 is the button
Seat 1: Player0 (18694, 9€ bounty)
Seat 2: Player1 (31472, 9€ bounty)
Seat 3: Player2 (177705, 45€ bounty)
Seat 4: Player3 (45031, 17.43€ bounty)
Seat 5: Hero (77283, 27€ bounty)
Seat 6: Player4 (147894, 29.25€ bounty)
*** ANTE/BLINDS ***
Player3 posts ante 140
Hero posts ante 140
Player0 posts ante 140
Player1 posts ante 140
Player2 posts ante 140
Player4 posts ante 140
Player3 posts small blind 600
Hero posts big blind 1200
Dealt to Hero [3c 9c]
*** PRE-FLOP ***
Player4 folds
Player0 folds
Player1 folds
Player2 raises 1440 to 2640
Player3 folds
Hero calls 1440
*** FLOP *** [8d Ac Jc]
Hero checks
Player2 bets 2218
Hero calls 2218
*** TURN *** [8d Ac Jc][Tc]
Hero bets 7200
Player2 calls 7200
*** RIVER *** [8d Ac Jc Tc][2h]
Hero bets 19167
Player2 calls 19167
*** SHOW DOWN ***
Player2 shows [9d Qd] (Straight Queen high)
Hero shows [3c 9c] (Flush Ace high)
Hero collected 63890 from pot
*** SUMMARY ***
Total pot 63890 | No rake
Board: [8d Ac Jc Tc 2h]
Seat 3: Player2 (button) showed [9d Qd] and lost with Straight Queen high
Seat 5: Hero (big blind) showed [3c 9c] and won 63890 with Flush Ace high
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/Winamax/Flop/NLHE-MTT-EUR-22.5-22.5-5-202208.bounty.ticket.txt."""

POSTING_DEAD = """\
Winamax Poker - CashGame - HandId: #5335178-3970-1382586707 - Holdem no limit (0.25€/0.50€) \
- 2013/11/07 03:53:58 UTC
Table: 'Milwaukee 02' 5-max (real money) Seat #5 is the button
Seat 1: totti6720 (99.36€)
Seat 2: titi250 (64.76€)
Seat 3: Dbrz34 (13.23€)
Seat 4: sined20 (90.75€)
Seat 5: fanf4K UR0 (94.85€)
*** ANTE/BLINDS ***
totti6720 posts small blind 0.25€
titi250 posts big blind 0.50€
Dbrz34 posts small blind 0.25€ out of position
Dbrz34 posts big blind 0.50€ out of position
*** PRE-FLOP ***\x20
Dbrz34 checks
sined20 raises 1.00€ to 1.50€
fanf4K UR0 folds
totti6720 folds
titi250 folds
Dbrz34 calls 0.50€
*** FLOP *** [4d Kc 9c]
Dbrz34 checks
sined20 bets 2.50€
Dbrz34 folds
sined20 collected 6.26€ from pot
*** SUMMARY ***
Total pot 6.26€ | Rake 0.24€
Board: [4d Kc 9c]
Seat 4: sined20 won 6.26€"""
"""ItalyToast/PokerHandHistoryParser (MIT), Winamax/CashGame/HandActionTests/PostingDead.txt. Its last call is
wrong: it takes 1€ to call a raise to 1.50€, and without it 6.50€ were not in the pot."""

SEAT_ZERO = """\
Winamax Poker - CashGame - HandId: #8270134-804-1382586707 - Omaha pot limit (1.00€/2.00€) - 2015/12/15 04:29:17 UTC
Table: 'Port Elizabeth' 5-max (real money) Seat #0 is the button
Seat 0: mrotsim (865.05€)
Seat 1: BENJJJ111 (200€)
Seat 2: kebab79 (266€)
Seat 3: loveutou (242.46€)
Seat 4: 1FlipMore (363.51€)
*** ANTE/BLINDS ***
kebab79 posts big blind 2.00€
BENJJJ111 posts small blind 1.00€
*** PRE-FLOP ***\x20
loveutou folds
1FlipMore folds
mrotsim folds
BENJJJ111 folds
kebab79 collected 3€ from pot
*** SUMMARY ***
Total pot 3.00€ | No rake
Seat 2: kebab79 (big blind) won 3€"""
"""ItalyToast/PokerHandHistoryParser (MIT), Winamax/CashGame/GeneralHands/NoRake.txt."""


def test_an_uncalled_bet_collected_as_a_side_pot_goes_back() -> None:
    hand = read(winamax, SIDE_POT)
    assert (hand.site, hand.number, hand.currency, hand.rake) == ("Winamax", "323549-11-1286000000", "EUR", 58)
    assert (hand.played, hand.table, hand.tournament) == (datetime(2010, 10, 2, 10), "Reims", "")
    start = started(hand)
    assert (start.kind, start.small_blind, start.big_blind, start.ante) == (GameKind.CASH, 2, 5, 0)
    assert hand.record.players[start.button] == "Player5"
    assert stacks_after(hand) == {
        "Player1": 495,
        "Player2": 500,
        "Player3": 1092,
        "Hero": 493,
        "Player5": 358,
        "Player6": 196,
        "Player7": 290,
        "Player8": 643 - 22 - 130 - 470 + 129,
        "Player9": 652 - 22 - 130,
    }
    assert UncalledBetReturned(7, 129) in hand.record.events
    assert posts_of(hand, "Player1") == [(PostKind.BIG_BLIND, 5)]
    assert hand.hero is not None
    assert hand.record.players[hand.hero] == "Hero"
    assert hand.record.hole_cards == {
        2: parse_cards("Jh4s"),
        3: parse_cards("8h8d"),
        7: parse_cards("Ac7c"),
    }


def test_who_is_all_in_by_a_part_of_the_big_blind_wins_no_more_than_that_of_each() -> None:
    hand = read(winamax, BIG_BLIND_ALL_IN)
    start = started(hand)
    assert (start.kind, start.ante, start.small_blind, start.big_blind) == (GameKind.TOURNAMENT, 50, 200, 400)
    assert (hand.tournament, hand.currency, hand.table) == ("27536269", "", "Quitte ou Double(27536269)#0")
    # 6 antes, 200, 119 and two times 941 are in the pot; 854 of Player4 come back.
    assert stacks_after(hand) == {
        "Player0": 820,
        "Player1": 6 * 50 + 200 + 119 + 2 * 941,
        "Hero": 1160,
        "Player2": 0,
        "Player3": 2600,
        "Player4": 854,
    }


def test_bounties_are_no_chips() -> None:
    hand = read(winamax, BOUNTIES)
    stacks = stacks_after(hand)
    assert stacks["Hero"] == 77283 - 140 - 2640 - 2218 - 7200 - 19167 + 63890
    assert stacks["Player2"] == 177705 - 140 - 2640 - 2218 - 7200 - 19167
    assert (hand.tournament, hand.rake) == ("548967895", 0)
    assert board_of(hand) == parse_cards("8dAcJcTc2h")


def test_of_two_missed_blinds_the_small_one_is_dead() -> None:
    hand = read(winamax, POSTING_DEAD.replace("calls 0.50€", "calls 1€"))
    assert posts_of(hand, "Dbrz34") == [(PostKind.BIG_BLIND, 50), (PostKind.DEAD_BLIND, 25)]
    assert stacks_after(hand)["Dbrz34"] == 1323 - 25 - 150
    assert stacks_after(hand)["sined20"] == 9075 - 150 + 626 - 250
    assert hand.rake == 24


def test_a_name_may_have_spaces_and_words_of_the_text_in_it() -> None:
    text = (
        POSTING_DEAD.replace("calls 0.50€", "calls 1€")
        .replace("fanf4K UR0", "he folds calls")
        .replace("titi250", "he")
    )
    hand = read(winamax, text)
    folds = [
        hand.record.players[event.seat]
        for event in hand.record.events
        if isinstance(event, ActionTaken) and event.action.kind is ActionKind.FOLD
    ]
    assert folds == ["he folds calls", "totti6720", "he", "Dbrz34"]


def test_seats_may_be_counted_from_zero_and_blinds_be_told_in_any_order() -> None:
    hand = read(winamax, SEAT_ZERO.replace("Omaha pot", "Holdem no"))
    assert hand.record.players[started(hand).button] == "mrotsim"
    assert stacks_after(hand) == {
        "mrotsim": 86505,
        "BENJJJ111": 19900,
        "kebab79": 26700,
        "loveutou": 24246,
        "1FlipMore": 36351,
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SEAT_ZERO, "It is Omaha, not hold'em."),
        (SEAT_ZERO.replace("Omaha pot", "Holdem fixed"), "It is fixed-limit, not no-limit."),
        (POSTING_DEAD, "Dbrz34 calls 50 chips, and 100 were to call."),
        (SIDE_POT.partition("*** SHOW")[0], "It breaks off before its summary."),
        (SIDE_POT.partition("Holdem")[0], "Its first line is cut off."),
        (
            SIDE_POT.replace("Player6 posts small blind", "Player6 posts straddle"),
            "The line 'Player6 posts straddle 0.02€' is not understood.",
        ),
        (
            SIDE_POT.replace("*** FLOP", "Hold-up to Pot: total 0.20€\n*** FLOP"),
            "The site added money to the pot, which is not played here.",
        ),
        (
            SIDE_POT.replace("Player3 calls 3.41€", "Player3 wants 3.41€"),
            "The line 'Player3 wants 3.41€ and is all-in'",
        ),
        (SIDE_POT.replace("collected 10.92€", "collected 10.90€"), "Of 1150 chips 1090 are collected"),
        (SIDE_POT.replace("Player9 (", "Player3 ("), "Two players have the same name."),
        (SIDE_POT.replace("Seat 9:", "Seat 3:"), "Two players sit in one seat."),
        (SIDE_POT.replace("(5€)", "(5.0055€)"), "'5.0055€' is no whole number of the smallest coin."),
    ],
)
def test_what_is_not_imported_is_told_why(text: str, reason: str) -> None:
    with pytest.raises(NotImportedError) as error:
        read(winamax, text)
    assert str(error.value).startswith(reason)


def test_lines_that_cannot_move_chips_are_passed_over() -> None:
    quiet = "Player5 is disconnected\nPlayer30 deny BB 0€\nAnn denies big blind\n"
    assert read(winamax, SIDE_POT.replace("Player6 posts", f"{quiet}Player6 posts", 1)) == read(winamax, SIDE_POT)


def test_whatever_is_done_to_a_text_it_is_imported_or_left_out_with_a_reason() -> None:
    found = fuzz([SIDE_POT, BIG_BLIND_ALL_IN, BOUNTIES, POSTING_DEAD], 500, 1)
    assert found.imported
    assert found.left_out


@pytest.mark.shared
def test_the_next_hand_of_a_tournament_begins_with_what_this_one_leaves() -> None:
    assert verify_next_stacks("winamax") > 300


@pytest.mark.shared
def test_real_files_are_imported_but_for_those_that_cannot_be_so() -> None:
    assert refusals("winamax") == {
        # Another site's, by its first word.
        ("HHSmithy__ValidHandTests_InValidHand_1.txt", "It is no hand history of a kind that is known here."),
        # A call of 50 cents where the pot has the euro that it takes.
        ("HHSmithy__HandActionTests_PostingDead.txt", "Dbrz34 calls 50 chips, and 100 were to call."),
        # Tournaments of 2010 with half chips.
        (
            "fpdb_tour__NLHE-Ticket-MTT-201010.raise.written.as.bet.preflop.txt",
            "'292.50' is no whole number of the smallest coin.",
        ),
        ("fpdb_tour__NLHE-Ticket-MTT-201010.side.pot.txt", "'7410.50' is no whole number of the smallest coin."),
    }
