"""Hands in the text of 888poker, each quoted with its source; what they come to is added up from the text."""

from datetime import datetime
from functools import partial

import pytest

from engine.cards import parse_cards
from engine.game.events import (
    BoardDealt,
    GameKind,
    HoleCardsMucked,
    Posted,
    PostKind,
    PotAwarded,
    UncalledBetReturned,
)
from engine.hand_histories import pacific
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.told import NotImportedError, split_at
from tests.engine.hand_histories.reading import read as read_text
from tests.engine.hand_histories.reading import stacks_after, started
from tests.engine.hand_histories.real_files import refusals

DEAD_BLIND = """\
#Game No : 332877236
***** Cassava Hand History for Game 332877236 *****
0,01 $/0,02 $ Blinds No Limit Holdem - *** 15 07 2011 15:18:32
Table Manzanillo (Real Money)
Seat 5 is the button
Total number of players : 6
Seat 1: Player0 ( 2 $ )
Seat 3: Player1 ( 0,55 $ )
Seat 4: Player2 ( 0,49 $ )
Seat 5: Player3 ( 0,38 $ )
Seat 6: Hero ( 2 $ )
Seat 7: Player4 ( 1,14 $ )
Hero posts small blind [0,01 $]
Player4 posts big blind [0,02 $]
Player1 posts dead blind [0,01 $ + 0,02 $]
** Dealing down cards **
Dealt to Hero [ 8Pik, QPik ]
Player0 folds
Player1 checks
Player2 folds
Player3 raises [0,38 $]
Hero folds
Player4 folds
Player1 folds
** Summary **
Player3 collected [ 0,08 $ ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/cash/PacificPoker, non.english.post.both."""

SIDE_POT = """\
#Game No : 221147108
***** 888.ro BLAST Hand History for Game 221147108 *****
100 $/200 $ Blinds No Limit Holdem - ***\x20
Tournament #132635073 4,57 $ + 0,43 $ - Table #1 4 Max (Real Money)
Seat 7 is the button
Total number of players : 3
Seat 1: Elchmann77 ( 1.550 $ )
Seat 7: erik2799 ( 3.390 $ )
Seat 9: Grazietutti ( 1.060 $ )
erik2799 posts ante [15 $]
Grazietutti posts ante [15 $]
Elchmann77 posts ante [15 $]
Grazietutti posts small blind [100 $]
Elchmann77 posts big blind [200 $]
** Dealing down cards **
Dealt to Grazietutti [ 5d, Jd ]
erik2799 raises [400 $]
Grazietutti raises [945 $]
Elchmann77 calls [845 $]
erik2799 calls [645 $]
** Dealing flop ** [ Tc, 6h, Kc ]
Elchmann77 bets [490 $]
erik2799 calls [490 $]
** Dealing turn ** [ Th ]
** Dealing river ** [ 5h ]
** Summary **
Elchmann77 shows [ 7d, Ah ]
erik2799 shows [ Qh, Jc ]
Grazietutti shows [ 5d, Jd ]
Grazietutti collected [ 3.180 $ ]
Elchmann77 collected [ 980 $ ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/tour/PacificPoker, NLHE-STT-5.00-201901.BLAST."""

ALL_IN_BLIND = """\
#Game No : 442001083
***** 888poker Hand History for Game 442001083 *****
$100/$200 Blinds No Limit Holdem - *** 24 11 2013 01:46:48
Tournament #52872115 Free - Table #60 (Real Money)
Seat 10 is the button
Total number of players : 8
Seat 2: Hero ( $70 )
Seat 3: Player0 ( $245 )
Seat 4: Player1 ( $23,310 )
Seat 5: Player2 ( $245 )
Seat 10: Player6 ( $50 )
Hero posts small blind [$70]
Player0 posts big blind [$200]
** Dealing down cards **
Dealt to Hero [ 7s, Td ]
Player1 raises [$400]
Player2 folds
Player6 folds
Player0 folds
** Dealing flop ** [ 6c, Kc, 9c ]
** Dealing turn ** [ 5d ]
** Dealing river ** [ 4s ]
** Summary **
Hero shows [ 7s, Td ]
Player1 shows [ 8c, 5h ]
Player1 collected [ $210 ]
Player1 collected [ $260 ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), tour/PacificPoker, all.in.blind.no.uncalled; without three who only fold."""

ALL_COLLECTED = """\
#Game No : 171407432
***** Cassava Hand History for Game 171407432 *****
5$/10$ Blinds No Limit Holdem - *** 04 05 2012 07:59:45
Table Frisco (Real Money)
Seat 1 is the button
Total number of players : 4
Seat 1: Hero ( 50$ )
Seat 2: Player0 ( 222,75$ )
Seat 6: Player1 ( 227$ )
Seat 7: Player2 ( 284,48$ )
Player0 posts small blind [5$]
Player1 posts big blind [10$]
** Dealing down cards **
Dealt to Hero [ 6c, 4d ]
Player2 raises [284,48$]
Hero folds
Player0 folds
Player1 folds
** Summary **
Player2 collected [ 299,48$ ]
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/cash/PacificPoker, uncalled.non.blind."""

NOT_DEALT_IN = """\
#Game No : 499222502
***** 888poker Hand History for Game 499222502 *****
$0.01/$0.02 Blinds No Limit Holdem - *** 01 07 2018 12:32:18
Table Goiania 6 Max (Real Money)
Seat 9 is the button
Total number of players : 6
Seat 1: ChesterJ28 ( $3.15 )
Seat 2: Aprel16 ( $1.59 )
Seat 4: RockyWarr777 ( $1.18 )
Seat 6: KroyBogdan7 ( $1.19 )
Seat 7: Flanx ( $0.67 )
Seat 9: Filosov000 ( $0.35 )
ChesterJ28 posts small blind [$0.01]
Aprel16 folds
RockyWarr777 posts big blind [$0.02]
Flanx posts dead blind [$0.01 + $0.02]
** Dealing down cards **
KroyBogdan7 raises [$0.06]
Flanx folds
Filosov000 calls [$0.06]
ChesterJ28 calls [$0.05]
RockyWarr777 folds
** Dealing flop ** [ 6c, Kh, 5s ]
ChesterJ28 bets [$0.23]
KroyBogdan7 folds
Filosov000 folds
** Summary **
ChesterJ28 did not show his hand
ChesterJ28 collected [ $0.22 ]
"""
"""thlorenz/hhp (MIT), test/pacific/cash.hhsmithy.misc-fixes/hands.txt."""

LEVEL_AHEAD = """\
***** 888poker Hand History for Game 778807232 *****
$200/$400 Blinds No Limit Holdem - *** 28 03 2016 00:29:21
Tournament #78670600 $0.01 - Table #4 9 Max (Real Money)
Seat 2 is the button
Total number of players : 9
Seat 1: lavr66666 ( $8,641 )
Seat 2: K1NGmattyboy ( $6,200 )
Seat 3: aljammer ( $830 )
Seat 4: 7tapa7 ( $3,965 )
Seat 5: ABC321123 ( $1,280 )
Seat 6: DeepDishDeep ( $1,000 )
Seat 7: sharip2018 ( $1,260 )
Seat 9: carza1 ( $30 )
Seat 10: LutherFoxx ( $4,605 )
K1NGmattyboy posts ante [$40]
sharip2018 posts ante [$40]
aljammer posts ante [$40]
carza1 posts ante [$30]
7tapa7 posts ante [$40]
LutherFoxx posts ante [$40]
lavr66666 posts ante [$40]
ABC321123 posts ante [$40]
DeepDishDeep posts ante [$40]
aljammer posts small blind [$150]
7tapa7 posts big blind [$300]
** Dealing down cards **
ABC321123 folds
DeepDishDeep calls [$300]
sharip2018 calls [$300]
LutherFoxx folds
lavr66666 folds
K1NGmattyboy folds
aljammer raises [$640]
7tapa7 calls [$490]
DeepDishDeep calls [$490]
sharip2018 calls [$490]
** Dealing flop ** [ 4s, 4d, 8h ]
7tapa7 checks
DeepDishDeep checks
sharip2018 bets [$300]
7tapa7 calls [$300]
DeepDishDeep calls [$170]
** Dealing turn ** [ 8c ]
7tapa7 bets [$300]
sharip2018 calls [$130]
** Dealing river ** [ Jh ]
** Summary **
aljammer shows [ Th, Jc ]
7tapa7 shows [ 9c, 4c ]
DeepDishDeep shows [ Qs, Kc ]
sharip2018 shows [ Ah, Ac ]
carza1 shows [ 3c, Kd ]
7tapa7 collected [ $270 ]
7tapa7 collected [ $3,240 ]
7tapa7 collected [ $510 ]
7tapa7 collected [ $520 ]
"""
"""pokerregion/poker (MIT), tests/handhistory/data/888poker, tournament 78670600."""

SHOWDOWN = """\
***** Cassava Hand History for Game 5 *****
$ 1.000/$ 2.000 Blinds No Limit Holdem - *** 05 05 2014 21:32:10
Table San Luis (Practice Play)
Seat 1 is the button
Seat 1: Ann ( $ 1.234.567,50 )
Seat 2: Bob of Two ( $ 800.000 )
Ann posts small blind [$ 1.000]
Bob of Two posts big blind [$ 2.000]
** Dealing down cards **
Dealt to Ann [ {ann} ]
Ann calls [$ 1.000]
Bob of Two checks
** Dealing flop ** [ {flop} ]
Bob of Two checks
Ann checks
** Dealing turn ** [ {turn} ]
Bob of Two checks
Ann checks
** Dealing river ** [ {river} ]
Bob of Two checks
Ann checks
** Summary **
Ann shows [ {ann} ]
Bob of Two mucks [ {bob} ]
Ann collected [ $ 3.800 ]
"""
"""Written for these tests, after the form of the others."""

ENGLISH = {"ann": "Ac, Kd", "flop": "Ad, 7s, Qh", "turn": "Js", "river": "2c", "bob": "Th, 9s"}


read = partial(read_text, pacific)


def returned(hand: ImportedHand) -> list[int]:
    return [event.amount for event in hand.record.events if isinstance(event, UncalledBetReturned)]


def test_numbers_and_cards_in_german_and_a_dead_blind() -> None:
    hand = read(DEAD_BLIND)
    assert (hand.site, hand.number, hand.table, hand.currency) == ("888poker", "332877236", "Manzanillo", "USD")
    assert hand.played == datetime(2011, 7, 15, 15, 18, 32)
    start = started(hand)
    assert (start.kind, start.small_blind, start.big_blind) == (GameKind.CASH, 1, 2)
    kinds = [(hand.record.players[e.seat], e.kind, e.amount) for e in hand.record.events if isinstance(e, Posted)]
    assert kinds[2:] == [("Player1", PostKind.BIG_BLIND, 2), ("Player1", PostKind.DEAD_BLIND, 1)]
    # The blinds, 0.03 of who comes back and 0.02 that meet them: 0.08, without rake.
    assert stacks_after(hand) == {
        "Player0": 200,
        "Player1": 52,
        "Player2": 49,
        "Player3": 38 - 2 + 8,
        "Hero": 199,
        "Player4": 112,
    }
    assert (returned(hand), hand.rake) == ([36], 0)
    assert hand.final is not None
    assert hand.final.hole_cards == parse_cards("Qs8s")


def test_side_pots_of_a_tournament_whose_chips_look_like_money() -> None:
    hand = read(SIDE_POT)
    assert (hand.tournament, hand.table, hand.scale, hand.currency) == ("132635073", "#1", 1, "")
    assert hand.played is None
    assert started(hand).ante == 15
    assert stacks_after(hand) == {"Elchmann77": 980, "erik2799": 3390 - 1550, "Grazietutti": 3180}
    won = [(event.pot, event.amount) for event in hand.record.events if isinstance(event, PotAwarded)]
    assert sorted(won) == [(0, 3180), (1, 980)]


def test_what_was_not_called_went_back_where_not_all_is_collected() -> None:
    hand = read(ALL_IN_BLIND)
    assert returned(hand) == [200]
    assert stacks_after(hand)["Player1"] == 23310 - 200 + 470
    assert (stacks_after(hand)["Hero"], stacks_after(hand)["Player0"]) == (0, 45)
    assert started(hand).small_blind == 100  # who posts it has less


def test_what_was_not_called_is_among_what_is_collected_where_that_is_all() -> None:
    hand = read(ALL_COLLECTED)
    assert returned(hand) == [28448 - 1000]
    assert stacks_after(hand) == {
        "Hero": 5000,
        "Player0": 22275 - 500,
        "Player1": 22700 - 1000,
        "Player2": 28448 + 1500,
    }


def test_who_folds_before_the_big_blind_is_posted_is_dealt_no_cards() -> None:
    hand = read(NOT_DEALT_IN)
    assert "Aprel16" not in hand.record.players
    # 0.06 three times, 0.02 of the big blind, 0.03 of who comes back: 0.23, of which 0.22 are collected.
    assert stacks_after(hand)["ChesterJ28"] == 315 - 6 + 22
    assert hand.rake == 1


def test_the_blinds_are_those_posted_where_the_header_is_a_level_ahead() -> None:
    hand = read(LEVEL_AHEAD)
    start = started(hand)
    assert (start.small_blind, start.big_blind, start.ante) == (150, 300, 40)
    result = stacks_after(hand)
    assert result["7tapa7"] == 3965 + 1000 + 1260 + 830 + 30 + 4 * 40
    assert (result["aljammer"], result["sharip2018"], result["carza1"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "cards",
    [
        ENGLISH,
        # German, also mixed with English
        {"ann": "AKreuz, KKaro", "flop": "AKaro, 7Pik, QHerz", "turn": "JPik", "river": "2Kreuz", "bob": "10h, 9s"},
        # Dutch: heer, vrouw, boer
        ENGLISH | {"ann": "Ac, Hd", "flop": "Ad, 7s, Vh", "turn": "Bs"},
        # Swedish: ess, dam, knekt
        ENGLISH | {"ann": "Ec, Kd", "flop": "Ed, 7s, Dh", "turn": "Kns"},
        # Spanish: tréboles, diamantes, corazones, picas; diez
        {"ann": "At, Kd", "flop": "Ad, 7p, Qc", "turn": "Jp", "river": "2t", "bob": "Dc, 9p"},
        # Portuguese: paus, ouros, copas, espadas
        {"ann": "Ap, Ko", "flop": "Ao, 7e, Qc", "turn": "Je", "river": "2p", "bob": "10c, 9e"},
        # Italian: fiori, quadri, cuori, picche
        {"ann": "Af, Kq", "flop": "Aq, 7p, Qc", "turn": "Jp", "river": "2f", "bob": "10c, 9p"},
        # Russian: туз, король, дама, валет
        ENGLISH | {"ann": "Тc, Кd", "flop": "Тd, 7s, Дh", "turn": "Вs"},
    ],
)
def test_cards_are_read_in_any_language(cards: dict[str, str]) -> None:
    hand = read(SHOWDOWN.format(**cards))
    assert hand.record.hole_cards == {0: parse_cards("AcKd"), 1: parse_cards("Th9s")}
    board = tuple(card for event in hand.record.events if isinstance(event, BoardDealt) for card in event.cards)
    assert board == parse_cards("Ad7sQhJs2c")
    assert [event.seat for event in hand.record.events if isinstance(event, HoleCardsMucked)] == [1]
    assert stacks_after(hand) == {"Ann": 123456750 - 200000 + 380000, "Bob of Two": 80000000 - 200000}
    assert (hand.currency, hand.rake) == ("", 20000)


@pytest.mark.parametrize(
    "stakes",
    [
        ("$1/$2", "$1", "$2"),
        ("1 $/2 $", "1 $", "2 $"),
        ("1$/2$", "1$", "2$"),
        ("1/2", "1", "2"),
        ("€1/€2", "€1", "€2"),
    ],
)
def test_money_stands_on_either_side(stakes: tuple[str, str, str]) -> None:
    text = SHOWDOWN.format(**ENGLISH)
    for old, new in zip(("$ 1.000/$ 2.000", "$ 1.000", "$ 2.000"), stakes, strict=True):
        text = text.replace(old, new)
    hand = read(text.replace("$ 3.800", "3,80").replace("Practice Play", "Real Money"))
    assert (started(hand).small_blind, started(hand).big_blind, hand.rake) == (100, 200, 20)
    assert hand.currency == ("EUR" if "€" in stakes[0] else "USD" if "$" in stakes[0] else "")


def test_thousands_are_set_off_by_a_space() -> None:
    text = ALL_IN_BLIND.replace("$23,310", "23\u00a0310").replace("$", "")
    assert stacks_after(read(text)) == stacks_after(read(ALL_IN_BLIND))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEAD_BLIND.replace("No Limit Holdem", "Pot Limit Omaha"), "It is Omaha, not hold'em."),
        (DEAD_BLIND.replace("No Limit Holdem", "Pot Limit Holdem"), "It is pot-limit, not no-limit."),
        (DEAD_BLIND.replace("No Limit Holdem", "Fix Limit Holdem"), "It is fixed-limit, not no-limit."),
        (DEAD_BLIND.replace("No Limit Holdem", "No Limit Blackjack"), "It does not say that it is hold'em."),
        (DEAD_BLIND.replace(" Blinds ", " "), "It does not tell its game and blinds."),
        (DEAD_BLIND.partition("** Summary")[0], "It breaks off before its summary."),
        (DEAD_BLIND.replace(" posts ", " owes "), "The line 'Hero owes small blind [0,01 $]' is not understood."),
        (SIDE_POT.replace("small blind", "ante").replace("big blind", "ante"), "Nobody posts a blind."),
        (DEAD_BLIND.replace("Seat 1: Player0", "Seat 1: "), "Its players have no names."),
        (DEAD_BLIND.replace("Player0 folds", "Player9 folds"), "Player9 plays and has no seat."),
        (SIDE_POT.replace("[ Tc, 6h, Kc ]", ""), "The flop has no cards."),
        (SIDE_POT.replace("[ Tc, 6h, Kc ]", "[ Tc, 6h, 9x ]"), "are no cards."),
    ],
)
def test_what_is_not_imported_says_why(text: str, reason: str) -> None:
    with pytest.raises(NotImportedError) as refused:
        read(text)
    assert reason in str(refused.value)


def test_hands_are_cut_at_their_headers() -> None:
    text = "\n\n" + DEAD_BLIND + "\n\n\n" + SIDE_POT
    assert pacific.HEADER.search(text)
    numbers = [imported(pacific.told_hand(hand)).number for hand in split_at(pacific.HEADER, text)]
    assert numbers == ["332877236", "221147108"]
    assert not pacific.HEADER.search("***** Hand History for Game 5 *****")
    assert not pacific.HEADER.search("***** Cassava Tournament Summary *****")
    (other,) = split_at(pacific.HEADER, DEAD_BLIND.replace("Cassava", "LuckyAcePoker.com"))
    assert pacific.told_hand(other).site == "LuckyAcePoker.com"


_SUMMARY = "No Limit Holdem.txt - Summary.txt"
_NO_HANDS = "It is no hand history of a kind that is known here."
_STEPS = "WSOP, 888Live & Major Tournaments"


@pytest.mark.shared
def test_real_files_are_imported_but_for_hands_that_do_not_tell_enough() -> None:
    assert refusals("888") == {
        ("HHSmithy__ValidHandTests_InValidHand_1.txt", "It breaks off before its summary."),
        ("fpdb_cash__NLHE-USD-50.00-100.00-201406.blank.player.names.txt", "Its players have no names."),
        # what the player came to in a tournament, without its hands
        (f"pokerregion__888poker20160327 Tournament $0.01 Step 1 {_STEPS} (78669312) {_SUMMARY}", _NO_HANDS),
        (
            f"pokerregion__888poker20160328 Tournament $0.09 + $0.01 Step 2 {_STEPS} (78678966) {_SUMMARY}",
            _NO_HANDS,
        ),
        # All are all-in by their antes, and the header has "42.797,60 $/0 $" for blinds.
        ("fpdb_tour__NLHE-MTT-USD-13.95-1.05-201901.BLAST.txt", "Nobody posts a blind."),
    }
