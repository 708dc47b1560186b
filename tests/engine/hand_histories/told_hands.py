"""Hands as sites wrote them, quoted one by one with their source."""

SIDE_POTS = """\
PokerStars Game #85998509763:  Hold'em No Limit (€0.05/€0.10 EUR) - 2012/09/10 19:43:58 ET
Table 'Rarahu IV Fast,40-100 bb' 9-max Seat #9 is the button
Seat 1: mofdis (€7.18 in chips)\x20
Seat 2: metra1977 (€8.45 in chips)\x20
Seat 3: CrSilva.11 (€1.38 in chips)\x20
Seat 4: danystorm (€12.30 in chips)\x20
Seat 5: Lenorina (€4 in chips)\x20
Seat 7: soplak (€20.85 in chips)\x20
Seat 8: VodkinFirst (€4.10 in chips)\x20
Seat 9: templargio (€38.94 in chips)\x20
mofdis: posts small blind €0.05
metra1977: posts big blind €0.10
Skyhand: sits out\x20
*** HOLE CARDS ***
CrSilva.11: raises €0.10 to €0.20
danystorm: folds\x20
Lenorina: raises €0.40 to €0.60
soplak: folds\x20
VodkinFirst: folds\x20
templargio: calls €0.60
mofdis: calls €0.55
metra1977: folds\x20
CrSilva.11: raises €0.78 to €1.38 and is all-in
Lenorina: calls €0.78
templargio: calls €0.78
mofdis: calls €0.78
*** FLOP *** [8s Qh Ks]
mofdis: checks\x20
Lenorina: bets €2.62 and is all-in
templargio: calls €2.62
mofdis: calls €2.62
*** TURN *** [8s Qh Ks] [9s]
mofdis: checks\x20
templargio: checks\x20
*** RIVER *** [8s Qh Ks 9s] [Tc]
mofdis: checks\x20
templargio: bets €12.87
mofdis: calls €3.18 and is all-in
Uncalled bet (€9.69) returned to templargio
*** SHOW DOWN ***
templargio: shows [9d Jd] (a straight, Nine to King)
mofdis: shows [As Kd] (a pair of Kings)
templargio collected €6.08 from side pot-2\x20
Lenorina: shows [Qc Qd] (three of a kind, Queens)
templargio collected €7.50 from side pot-1\x20
CrSilva.11: shows [Jh Ad] (a straight, Ten to Ace)
CrSilva.11 collected €5.37 from main pot
*** SUMMARY ***
Total pot €19.84 Main pot €5.37. Side pot-1 €7.50. Side pot-2 €6.08. | Rake €0.89\x20
Board [8s Qh Ks 9s Tc]
Seat 1: mofdis (small blind) showed [As Kd] and lost with a pair of Kings
Seat 9: templargio (button) showed [9d Jd] and won (€13.58) with a straight, Nine to King
"""
"""ItalyToast/PokerHandHistoryParser (MIT), PokerStars, ExtraHands/SidePot.txt; some lines of its summary."""

RUN_TWICE = """\
PokerStars Hand #90721705235:  Hold'em No Limit (1/2 EUR) - 2012/12/14 7:59:19 CUST [2012/12/13 19:59:19 ET]
Table 'Mekbuda II' 6-max Seat #3 is the button
Seat 1: Player1 (109.16 in chips)
Seat 2: Player2 (237.26 in chips)
Seat 3: Player3 (276.30 in chips)
Seat 4: Player4 (200 in chips)
Seat 5: Player5 (158.55 in chips)
Seat 6: Hero (200.75 in chips)
Player4: posts small blind 1
Player5: posts big blind 2
*** HOLE CARDS ***
Dealt to Hero [Jc Ac]
Hero: raises 4 to 6
Player1: calls 6
Player2: folds
Player3: folds
Player4: folds
Player5: calls 4
*** FLOP *** [Js 9h Jh]
Player5: checks
Hero: bets 12
Player1: calls 12
Player5: folds
*** TURN *** [Js 9h Jh] [Qs]
Hero: bets 28
Player1: raises 63.16 to 91.16 and is all-in
Hero: calls 63.16
*** FIRST RIVER *** [Js 9h Jh Qs] [2d]
*** SECOND RIVER *** [Js 9h Jh Qs] [5h]
*** FIRST SHOW DOWN ***
Hero: shows [Jc Ac] (three of a kind, Jacks)
Player1: mucks hand
Hero collected 111.59 from pot
*** SECOND SHOW DOWN ***
Hero: shows [Jc Ac] (three of a kind, Jacks)
Player1: mucks hand
Hero collected 111.58 from pot
*** SUMMARY ***
Total pot 225.32 | Rake 2.15
Hand was run twice
FIRST Board [Js 9h Jh Qs 2d]
SECOND Board [Js 9h Jh Qs 5h]
Seat 1: Player1 mucked [9s Ah]
Seat 6: Hero showed [Jc Ac] and won (111.59) with three of a kind, Jacks
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/cash/Stars, RunItTwice; some lines of its summary."""

SITTING_OUT = """\
Full Tilt Hand #153580581770: Tournament #1571041343, 870+130 Hold'em No Limit - Level IV (30/60) - 2016/05/20 8:33
Table '1571041343 1' 6-max Seat #1 is the button
Seat 1: Player0 (2135 in chips)
Seat 4: Player1 (815 in chips)
Seat 5: Hero (50 in chips) is sitting out
Player0: posts the ante 6
Player1: posts the ante 6
Hero: posts the ante 6
Player1: posts small blind 30
Hero: posts big blind 44 and is all-in
*** HOLE CARDS ***
Dealt to Hero [3h 4s]
Player0: raises 76 to 120
Player1: folds
Hero: folds
Uncalled bet (76) returned to Player0
Player0 collected 136 from pot
Hero finished the tournament in 3rd place
Player0: doesn't show hand
*** SUMMARY ***
Total pot 136 | Rake 0
Seat 1: Player0 (button) collected (136)
"""
"""jejellyroll-fr/fpdb-3 (AGPL-3), regression-test-files/tour/Stars, FullTilt; a line of its summary."""

RUN_THREE_TIMES = """\
Poker Hand #HD1245993: Hold'em No Limit  ($0.5/$1) - 2018/11/16 13:15:16
Table 'NLHGold14' 6-max Seat #2 is the button
Seat 1: 88kkaa62 ($110.97 in chips)
Seat 2: 25611aab ($179.23 in chips)
Seat 3: Hero ($118.31 in chips)
Seat 4: thg124da ($100 in chips)
Seat 5: 22ab6yhc ($26.77 in chips)
Seat 6: ma2fcaaf ($114.72 in chips)
Hero: posts small blind $0.5
thg124da: posts big blind $1
*** HOLE CARDS ***
Dealt to 88kkaa62
Dealt to Hero [8d 3s]
22ab6yhc: calls $1
ma2fcaaf: folds
88kkaa62: raises $4 to $5
25611aab: folds
Hero: folds
thg124da: folds
22ab6yhc: calls $4
*** FLOP *** [Th 9c 5s]
22ab6yhc: checks
88kkaa62: bets $11.5
22ab6yhc: raises $10.27 to $21.77 and is all-in
88kkaa62: calls $10.27
22ab6yhc: shows [Kc Qs] (King-High)
88kkaa62: shows [Js Jd] (Pair of Jacks)
*** FIRST TURN *** [Th 9c 5s] [6h]
*** FIRST RIVER *** [Th 9c 5s 6h] [Jc]
*** SECOND TURN *** [Th 9c 5s] [4d]
*** SECOND RIVER *** [Th 9c 5s 4d] [Kd]
*** THIRD TURN *** [Th 9c 5s] [Ad]
*** THIRD RIVER *** [Th 9c 5s Ad] [2h]
*** FIRST SHOWDOWN ***
22ab6yhc collected $17.12 from pot
*** SECOND SHOWDOWN ***
22ab6yhc collected $17.11 from pot
*** THIRD SHOWDOWN ***
88kkaa62 collected $17.11 from pot
*** SUMMARY ***
Total pot $55.04 | Rake $2.7 | Jackpot $1 | Bingo $0
Hand was run three times
FIRST Board [Th 9c 5s 6h Jc]
SECOND Board [4d Kd]
THIRD Board [Ad 2h]
"""
"""ItalyToast/PokerHandHistoryParser (MIT), GGPoker, GeneralHands/RunThreeTimes; some lines of its summary."""

MISSED_BLINDS = """\
Poker Hand #HD54233001: Hold'em No Limit  ($0.5/$1) - 2018/12/28 11:00:52
Table 'NLHGold19' 6-max Seat #5 is the button
Seat 1: 343kk954 ($60 in chips)
Seat 2: Hero ($100.23 in chips)
Seat 3: b4mnx231 ($175.41 in chips)
Seat 4: 15yfdsaa ($20 in chips)
Seat 5: mkacefi1a ($22.84 in chips)
Seat 6: 142dsaca ($98.5 in chips)
142dsaca: posts small blind $0.5
343kk954: posts big blind $1
15yfdsaa: posts missed blind $0.5
15yfdsaa: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [ks 2d]
Hero: folds
b4mnx231: calls $1
15yfdsaa: raises $4 to $5
mkacefi1a: folds
142dsaca: folds
343kk954: folds
b4mnx231: calls $4
*** FLOP *** [Kc 4c 2h]
b4mnx231: checks
15yfdsaa: bets $12
b4mnx231: folds
Uncalled bet ($12) returned to 15yfdsaa
*** SHOWDOWN ***
15yfdsaa collected $11.4 from pot
*** SUMMARY ***
Total pot $12 | Rake $0.6 | Jackpot $0 | Bingo $0
Board [Kc 4c 2h]
"""
"""ItalyToast/PokerHandHistoryParser (MIT), GGPoker, HandActionTests/PostingDead; some lines of its summary."""

GG_TOURNAMENT = """\
Poker Hand #TM5492660659: Tournament #258197843, $15 Bounty Hunters Holiday Special \
Hold'em No Limit - Level19(1,750/3,500) - 2026/01/22 03:14:09
Table '511' 8-max Seat #8 is the button
Seat 1: fe40ce4b (129,479 in chips)
Seat 2: 57f81f34 (69,348 in chips)
Seat 3: a4f227e2 (275,073 in chips)
Seat 4: 2c7fbf96 (49,489 in chips)
Seat 5: 56c8ac91 (74,743 in chips)
Seat 6: Hero (35,803 in chips)
Seat 7: 4341d3b2 (220,609 in chips)
Seat 8: 5bb144f5 (76,192 in chips)
a4f227e2: posts the ante 500
5bb144f5: posts the ante 500
56c8ac91: posts the ante 500
fe40ce4b: posts the ante 500
Hero: posts the ante 500
4341d3b2: posts the ante 500
57f81f34: posts the ante 500
2c7fbf96: posts the ante 500
fe40ce4b: posts small blind 1,750
57f81f34: posts big blind 3,500
*** HOLE CARDS ***
Dealt to Hero [Kh As]
a4f227e2: folds
2c7fbf96: folds
56c8ac91: folds
Hero: raises 31,803 to 35,303 and is all-in
4341d3b2: folds
5bb144f5: folds
fe40ce4b: folds
57f81f34: calls 31,803
Hero: shows [Kh As]
57f81f34: shows [Ac Ah]
*** FLOP *** [Ks 5d 6s]
*** TURN *** [Ks 5d 6s] [Qd]
*** RIVER *** [Ks 5d 6s Qd] [3c]
*** SHOWDOWN ***
57f81f34 collected 76,356 from pot
*** SUMMARY ***
Total pot 76,356 | Rake 0 | Jackpot 0 | Bingo 0 | Fortune 0 | Tax 0
Board [Ks 5d 6s Qd 3c]
Seat 1: fe40ce4b (small blind) folded before Flop
Seat 2: 57f81f34 (big blind) showed [Ac Ah] and won (76,356) with a pair of Aces
Seat 3: a4f227e2 folded before Flop
Seat 4: 2c7fbf96 folded before Flop
Seat 5: 56c8ac91 folded before Flop
Seat 6: Hero showed [Kh As] and lost with a pair of Kings
Seat 7: 4341d3b2 folded before Flop
Seat 8: 5bb144f5 (button) folded before Flop
"""
"""wuj2307-dot/poker-copilot (no licence stated), GGtest.txt, its first hand; lines of who has no cards left out."""
