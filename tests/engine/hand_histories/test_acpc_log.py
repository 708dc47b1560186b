"""Hands of ACPC logs, each quoted with its source; what they come to is read from the line."""

from datetime import datetime
from pathlib import Path

import pytest

from engine.cards import parse_cards
from engine.game.events import (
    ActionTaken,
    BoardDealt,
    HandStarted,
    HoleCardsShown,
    Posted,
    PostKind,
    end_of,
    start_of,
)
from engine.hand_histories.files import NotImported, read_file, read_text
from engine.hand_histories.imported import ImportedHand
from tests.conftest import SHARED

FILES = SHARED / "data" / "fixtures" / "acpc"

PLURIBUS = (
    "STATE:7:fr225fffc/cr475c/cr1225c/cc:5hJc|Jd9h|6s5c|Ah7h|2s2d|3hTs/3sJh2h/Tc/Ks:"
    "-50|1275|0|-1225|0|0:Gogo|Budd|Eddie|Bill|Pluribus|MrWhite"
)
"""VitamintK/pluribus-hand-parser, README; hands: Brown & Sandholm 2019, supplementary data."""

ALL_IN = "STATE:0:r19686r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:p1|p2"
"""dmorrill10/acpc_poker_types (MIT-style), 2p.nolimit.h1000.r0.log."""

THREE = "STATE:996:r10322fc/r10577r18645r20000c//:QhQd|3cQc|2cTh/Jc8hTs/9c/3s:-50|20050|-20000:p1|p2|p3"
"""dmorrill10/acpc_poker_types (MIT-style), 3p.nolimit.h1000.r0.log."""

TIMED = "STATE:1:r200r600f:Ac9c|Ts5h:200|-200:DeepStack|qin.youwei.1 # 1478520273.99837"
"""obventio56/approximating_deepstack, ACPC/all_hands.log."""

FREEZEOUT = (
    "STATE:1001400037:20150|19850:300|150:r750c/cc/r1500f:8sQd|Ks7h/2d3d4d/6d:750|-750:DeepStack|Nate_@NateMeyvis"
)
"""DeepStack's README of its freezeouts."""

SPLIT = "STATE:1:cc/cc/cc/cc:AhKd|AdKh/AcKcQs/7s/2h:0|0:p2|p1"
FOLDED = "STATE:0:r200f:AhKd|9c8c:-100|100:p1|p2\n"
LIMIT = "It is fixed-limit, not no-limit."
PIECE = 1_000_000
"""Characters of a file that are read at once."""


def read(text: str) -> ImportedHand:
    (hand,) = read_text(text)
    assert isinstance(hand, ImportedHand), hand
    return hand


def reasons(text: str) -> list[str]:
    return [hand.reason for hand in read_text(text) if isinstance(hand, NotImported)]


def started(hand: ImportedHand) -> HandStarted:
    first = start_of(hand.record.events)
    return first


def stacks(hand: ImportedHand) -> tuple[int, ...]:
    last = end_of(hand.record.events)
    return last.stacks


def test_six_players_of_pluribus_have_its_stacks_and_the_last_has_the_button() -> None:
    hand = read(PLURIBUS)
    assert (hand.site, hand.hero, hand.played, hand.scale, hand.rake) == ("ACPC", None, None, 1, 0)
    assert hand.record.players == ("Gogo", "Budd", "Eddie", "Bill", "Pluribus", "MrWhite")
    assert (started(hand).button, started(hand).small_blind, started(hand).big_blind) == (5, 50, 100)
    assert stacks(hand) == (9_950, 11_275, 10_000, 8_775, 10_000, 10_000)
    assert {seat: set(cards) for seat, cards in hand.record.hole_cards.items()} == {
        seat: set(parse_cards(text)) for seat, text in enumerate(["5hJc", "Jd9h", "6s5c", "Ah7h", "2s2d", "3hTs"])
    }
    raises = [
        (event.seat, event.action.raise_to)
        for event in hand.record.events
        if isinstance(event, ActionTaken) and event.action.raise_to
    ]
    assert raises == [(3, 225), (3, 250), (3, 750)]  # 475 and 1225 of the whole hand, less 225 and 475
    shown = [event.seat for event in hand.record.events if isinstance(event, HoleCardsShown)]
    assert shown == [1, 3]


def test_heads_up_the_second_has_the_button_and_posts_the_small_blind() -> None:
    hand = read(ALL_IN)
    posts = [(event.seat, event.kind, event.amount) for event in hand.record.events if isinstance(event, Posted)]
    assert posts == [(1, PostKind.SMALL_BLIND, 50), (0, PostKind.BIG_BLIND, 100)]
    assert started(hand).button == 1
    assert stacks(hand) == (40_000, 0)
    kinds = [type(event) for event in hand.record.events]
    assert kinds.index(HoleCardsShown) < kinds.index(BoardDealt)  # nobody can bet any more


def test_a_line_may_have_a_clock_or_stacks_and_blinds_of_its_own() -> None:
    assert read(TIMED).played == datetime(2016, 11, 7, 12, 4, 33)
    hand = read(FREEZEOUT)
    assert [start.stack for start in started(hand).seats] == [20_150, 19_850]
    assert (started(hand).small_blind, started(hand).big_blind) == (150, 300)
    assert stacks(hand) == (20_900, 19_100)
    assert stacks(read(THREE)) == (19_950, 40_050, 0)


def test_a_hand_of_the_same_number_in_another_match_is_another() -> None:
    other = TIMED.replace("Ac9c", "AcKc")
    assert read(TIMED).number != read(other).number
    assert read(TIMED).number == read(TIMED.partition(" # ")[0]).number


def test_half_a_chip_goes_to_who_is_first() -> None:
    """Three put 10,001 in twice; two of them share 15,001.5 each, of whole chips the first has the odd one."""
    line = "STATE:5:cr5001cc/cc{}:AhKd|AdKh|2c3d/AcKcQs/7s/2h:2500.5|2500.5|-5001:Ann|Bob|Cy"
    hand = read(line.format("c/ccc/ccc"))
    assert stacks(hand) == (22_501, 22_500, 14_999)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("STATE:0:rff:As|Ks|Qs:2|-1|-1:A|B|C", "It is Kuhn poker, not hold'em."),
        ("STATE:0:rc/cc:As|Ks/Qs:2|-2:A|B", "It is Leduc poker, not hold'em."),
        ("STATE:12:rf:3hTs|AdQd:-10|10:p1|p2", "It is fixed-limit, not no-limit."),
        (ALL_IN.replace("20000|-20000", "20000|-19000"), "What is said to be won is not what others have lost."),
        (ALL_IN.replace("20000|-20000", "-20000|20000"), "p2 collects, and others have the better hands."),
        (ALL_IN.replace("/6d", ""), "Its board is not that of its betting."),
        (ALL_IN.replace("p1|p2", "p1"), "It has not cards and a result for each player."),
        (ALL_IN.replace(":p1|p2", ""), "It is cut off, or no line of a finished hand."),
        (ALL_IN.replace("9hQd", "9h5d"), "A card is dealt twice."),
        (ALL_IN.replace("r20000c///", "r20000cc///"), "The betting goes on after its end."),
        (ALL_IN.replace("r20000c", "x"), "'r19686x///' is no betting."),
        (TIMED.replace("r600f", "r600"), "It ends before the hand does."),
    ],
)
def test_what_cannot_be_read_is_left_out_with_its_reason(line: str, reason: str) -> None:
    assert reasons(line) == [reason]


def test_hands_of_a_limit_match_are_known_by_the_raises_of_others() -> None:
    """A hand that is checked down and split looks the same in both."""
    assert isinstance(read(SPLIT), ImportedHand)
    assert reasons(f"STATE:0:rf:3hTs|AdQd:-10|10:p1|p2\n{SPLIT}\nSCORE:-10|10:p1|p2\n") == [LIMIT] * 2


@pytest.mark.parametrize("end", ["", "STATE:1:r", "STATE:1:r200f:Ah"])
def test_a_long_log_is_read_whole_wherever_its_pieces_end(tmp_path: Path, end: str) -> None:
    path = tmp_path / "match.log"
    path.write_text(FOLDED + filled(PIECE - len(FOLDED + end)) + FOLDED.replace(":0:", ":1:") * 2, "utf-8")
    assert path.read_text("utf-8")[:PIECE].endswith(f"\n{end}")
    assert [type(hand) for hand in read_file(path)] == [ImportedHand] * 3


def test_the_end_of_a_long_limit_match_is_known_by_raises_before(tmp_path: Path) -> None:
    raised = "STATE:0:rf:3hTs|AdQd:-10|10:p1|p2\n"
    path = tmp_path / "match.log"
    path.write_text(raised + filled(PIECE - len(raised)) + SPLIT, "utf-8")
    assert [hand.reason for hand in read_file(path) if isinstance(hand, NotImported)] == [LIMIT] * 2


def filled(length: int) -> str:
    """Return a line of this length that is no hand."""
    return f"#{'-' * (length - 2)}\n"


@pytest.mark.shared
def test_real_logs_come_to_the_results_that_they_print() -> None:
    counts = {}
    for path in sorted(FILES.iterdir()):
        hands = list(read_file(path))
        whole = [hand for hand in hands if isinstance(hand, ImportedHand)]
        counts[path.name] = (len(whole), {hand.reason for hand in hands if isinstance(hand, NotImported)})
        lines = [line for line in path.read_text("utf-8-sig").splitlines() if line.startswith("STATE:")]
        if not whole:
            continue
        for hand, line in zip(whole, lines, strict=True):
            results = [float(won) for won in line.partition(" # ")[0].split(":")[-2].split("|")]
            start = [seat.stack for seat in started(hand).seats]
            # Half a chip goes to the first of two.
            assert all(
                abs(end - begin - won) < 1 for end, begin, won in zip(stacks(hand), start, results, strict=True)
            )
    limit, unknown = "It is fixed-limit, not no-limit.", "It is no hand history of a kind that is known here."
    assert counts == {
        "acpc2014_3pl_dev.log": (0, {limit}),
        "acpc2016_2pn_act1.hitcz_dev.log": (300, set()),
        "deepstack_freezeout_example.txt": (1, set()),
        "deepstack_timestamped_dev.log": (300, set()),
        "kuhn3p_3pk.HITSZ_CS.hyperborean3pk.RMPUE.Bluffer.5.0.log": (0, {"It is Kuhn poker, not hold'em."}),
        "pluribus_state_examples.txt": (2, set()),
        "random_players_2p.limit.h1000.r0.actions.log": (0, {unknown}),  # messages, not hands
        "random_players_2p.limit.h1000.r0.log": (0, {limit}),
        "random_players_2p.nolimit.h1000.r0.actions.log": (0, {unknown}),
        "random_players_2p.nolimit.h1000.r0.log": (1000, set()),
        "random_players_3p.limit.h1000.r0.log": (0, {limit}),
        "random_players_3p.nolimit.h1000.r0.actions.log": (0, {unknown}),
        "random_players_3p.nolimit.h1000.r0.log": (1000, set()),
    }
