"""Recorded hands against pokerkit, against our own table, and against what the files say themselves."""

import random
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, Card, Street, format_cards, parse_cards
from engine.foreign_text import LONGEST_SHOWN
from engine.game import phh
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    PublicEvent,
    SeatStart,
    UncalledBetReturned,
    end_of,
    raise_to,
    start_of,
)
from engine.game.observation import LegalActions
from engine.game.phh import PhhFileError, PublicRecord, RecordedHand, SkippedHand, read_hands, read_public_hands
from engine.game.rules import TableRules
from engine.game.table import Table
from tests.conftest import SHARED
from tests.hostile import is_fit_to_be_shown, runs

HANDS = SHARED / "data" / "hands"
FILES = (
    "acpc2014_3p_limit",
    "acpc2016_hunl",
    "bovada_6max",
    "deepstack_hunl",
    "pluribus",
    "thebiggame_6max",
)

# The supplementary data of Brown and Sandholm 2019, "Superhuman AI for multiplayer poker", session 30, hand 2.
PLURIBUS = """
variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0, 0, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000, 10000, 10000, 10000]
actions = ['d dh p1 2h3c', 'd dh p2 Jc4c', 'd dh p3 6c9c', 'd dh p4 8c4s', 'd dh p5 Jh4h', 'd dh p6 KsAd',
  'p3 f', 'p4 f', 'p5 f', 'p6 cbr 200', 'p1 f', 'p2 cc', 'd db 5c9s7c', 'p2 cc', 'p6 cc', 'd db 3h',
  'p2 cbr 675', 'p6 f']
hand = 2
players = ['Budd', 'Eddie', 'Bill', 'Pluribus', 'MrWhite', 'Gogo']
finishing_stacks = [9950, 10250, 10000, 10000, 10000, 9800]
_id = 'pluribus/30/2'
"""


def record(
    actions: Sequence[str],
    *,
    stacks: Sequence[object] = (1000, 1000),
    blinds: Sequence[object] = (50, 100),
    antes: Sequence[object] | None = None,
    variant: str = "NT",
    more: str = "",
    deal: bool = True,
) -> str:
    """Write a section; hole cards are dealt from the deuces up where none are given."""
    holes = [f"d dh p{at + 1} {format_cards((4 * at, 4 * at + 2))}" for at in range(len(stacks))] if deal else []
    antes = [0] * len(stacks) if antes is None else antes
    return (
        f"variant = '{variant}'\nantes = [{', '.join(map(str, antes))}]\n"
        f"blinds_or_straddles = [{', '.join(map(str, blinds))}]\n"
        f"starting_stacks = [{', '.join(map(str, stacks))}]\nactions = {[*holes, *actions]}\n{more}\n"
    )


def read_text(folder: Path, text: str | bytes) -> list[RecordedHand | SkippedHand]:
    path = folder / "hands.phhs"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_hands(path))


def read_one(folder: Path, text: str) -> RecordedHand:
    (hand,) = read_text(folder, text)
    assert isinstance(hand, RecordedHand), hand
    return hand


def of_kind(hand: RecordedHand, kind: type) -> list[PublicEvent]:
    return [event for event in hand.events if isinstance(event, kind)]


def test_a_hand_is_told_in_our_own_events(tmp_path: Path) -> None:
    hand = read_one(tmp_path, PLURIBUS)
    assert hand.name == "pluribus/30/2"
    assert hand.players == ("Budd", "Eddie", "Bill", "Pluribus", "MrWhite", "Gogo")
    assert hand.hole_cards[0] == parse_cards("2h 3c")[::-1]  # the higher first
    assert hand.hole_cards[5] == parse_cards("Ad Ks")
    seats = tuple(SeatStart(seat, name, 10_000) for seat, name in enumerate(hand.players))
    assert hand.events[:3] == (
        HandStarted(2, GameKind.CASH, seats, 5, 50, 100, 0),
        Posted(0, PostKind.SMALL_BLIND, 50, False),
        Posted(1, PostKind.BIG_BLIND, 100, False),
    )
    pre, flop, turn = Street.PREFLOP, Street.FLOP, Street.TURN
    assert hand.events[6:] == (
        ActionTaken(5, pre, raise_to(200), 200, False, 100, 150, 10_000, 0),
        ActionTaken(0, pre, FOLD, 0, False, 150, 350, 9_950, 50),
        ActionTaken(1, pre, CALL, 100, False, 100, 350, 9_900, 100),
        BoardDealt(flop, parse_cards("5c 9s 7c")),
        ActionTaken(1, flop, CHECK, 0, False, 0, 450, 9_800, 0),
        ActionTaken(5, flop, CHECK, 0, False, 0, 450, 9_800, 0),
        BoardDealt(turn, parse_cards("3h")),
        ActionTaken(1, turn, raise_to(675), 675, False, 0, 450, 9_800, 0),
        ActionTaken(5, turn, FOLD, 0, False, 675, 1125, 9_800, 0),
        UncalledBetReturned(1, 675),
        PotAwarded(1, 0, 450),
        HandEnded((9_950, 10_250, 10_000, 10_000, 10_000, 9_800)),
    )


def test_heads_up_the_last_player_is_button_and_small_blind(tmp_path: Path) -> None:
    hand = read_one(tmp_path, record(["p2 cbr 300", "p1 f"], antes=[7, 7]))
    started = start_of(hand.events)
    assert (started.button, started.small_blind, started.big_blind, started.ante) == (1, 50, 100, 7)
    assert of_kind(hand, Posted) == [
        Posted(0, PostKind.ANTE, 7, False),
        Posted(1, PostKind.ANTE, 7, False),
        Posted(1, PostKind.SMALL_BLIND, 50, False),
        Posted(0, PostKind.BIG_BLIND, 100, False),
    ]
    assert hand.events[-1] == HandEnded((893, 1107))  # a big blind of 100 and the ante


def test_decimals_become_whole_numbers_all_alike(tmp_path: Path) -> None:
    cents = read_one(tmp_path, record(["p2 cbr 1.5", "p1 f"], stacks=[20, 20.25], blinds=["0.05", "0.10"]))
    assert cents.events[-1] == HandEnded((1990, 2035))
    assert of_kind(cents, ActionTaken)[0] == ActionTaken(
        1, Street.PREFLOP, raise_to(150), 145, False, 5, 15, 2020, 5
    )
    finer = read_one(tmp_path, record(["p2 f"], stacks=["1.0", "1.000"], blinds=["0.001", "0.002"]))
    assert finer.events[-1] == HandEnded((1001, 999))
    whole = read_one(tmp_path, record(["p2 cbr 3.0e2", "p1 f"], stacks=["1000.0", "1e3"]))
    assert whole.events[-1] == HandEnded((900, 1100))


def test_a_straddle_is_posted_and_keeps_its_turn(tmp_path: Path) -> None:
    words = ["p4 cc", "p1 f", "p2 f", "p3 cbr 600", "p4 f"]
    hand = read_one(tmp_path, record(words, stacks=[1000] * 4, blinds=[50, 100, 200, 0]))
    assert of_kind(hand, Posted)[-1] == Posted(2, PostKind.STRADDLE, 200, False)
    assert [event.seat for event in of_kind(hand, ActionTaken)] == [3, 0, 1, 2, 3]  # type: ignore[union-attr]
    assert of_kind(hand, ActionTaken)[0] == ActionTaken(3, Street.PREFLOP, CALL, 200, False, 200, 350, 1000, 0)
    assert hand.events[-1] == HandEnded((950, 900, 1350, 800))
    checked = read_one(
        tmp_path,
        record(
            ["p4 cc", "p1 f", "p2 cc", "p3 cc", "d db 9c9d9h", "p2 cbr 100", "p3 f", "p4 f"],
            stacks=[1000] * 4,
            blinds=[50, 100, 200, 0],
        ),
    )
    assert of_kind(checked, ActionTaken)[3] == ActionTaken(2, Street.PREFLOP, CHECK, 0, False, 0, 650, 800, 200)


def test_a_second_straddle_and_a_posted_big_blind(tmp_path: Path) -> None:
    words = ["p5 f", "p6 cc", "p1 f", "p2 f", "p3 f", "p4 cbr 900", "p6 f"]
    hand = read_one(tmp_path, record(words, stacks=[1000] * 6, blinds=[50, 100, 200, 400, 0, 100]))
    assert [(event.seat, event.kind, event.amount) for event in of_kind(hand, Posted)] == [  # type: ignore[union-attr]
        (0, PostKind.SMALL_BLIND, 50),
        (1, PostKind.BIG_BLIND, 100),
        (2, PostKind.STRADDLE, 200),
        (3, PostKind.STRADDLE, 400),
        (5, PostKind.BIG_BLIND, 100),
    ]
    assert hand.events[-1] == HandEnded((950, 900, 800, 1750, 1000, 600))
    # Who posts a big blind on coming back does not change who acts first.
    words = ["p3 f", "p4 cbr 300", "p1 f", "p2 f"]
    back = read_one(tmp_path, record(words, stacks=[1000] * 4, blinds=[50, 100, 0, 100]))
    assert back.events[-1] == HandEnded((950, 900, 1000, 1150))


def test_antes_and_a_dead_small_blind(tmp_path: Path) -> None:
    dead = read_one(tmp_path, record(["p2 f", "p3 f"], stacks=[1000] * 3, blinds=[100, 0, 0]))
    assert of_kind(dead, Posted) == [Posted(0, PostKind.BIG_BLIND, 100, False)]
    assert of_kind(dead, ActionTaken)[-1].pot == 100  # type: ignore[union-attr]
    alike = read_one(tmp_path, record(["p3 f", "p1 f"], stacks=[1000] * 3, blinds=[50, 100, 0], antes=[10] * 3))
    assert alike.events[0].ante == 10  # type: ignore[union-attr]
    assert alike.events[-1] == HandEnded((940, 1070, 990))


ALL_IN = ["p2 cbr 1000", "p1 cc"]
BOARD = ["d db AcAdAh", "d db 7c", "d db 8d"]


def test_the_record_decides_who_shows_and_when(tmp_path: Path) -> None:
    shown_first = read_one(tmp_path, record([*ALL_IN, "p1 sm 2c2h", "p2 sm 3h3c", *BOARD]))
    kinds = [type(event) for event in shown_first.events[5:]]
    assert kinds == [HoleCardsShown] * 2 + [BoardDealt] * 3 + [PotAwarded, HandEnded]
    mucked = read_one(tmp_path, record([*ALL_IN, *BOARD, "p2 sm 3c3h # the threes", "p1 sm"]))
    assert mucked.events[-4:-2] == (HoleCardsShown(1, parse_cards("3h 3c")), HoleCardsMucked(0))
    silent = read_one(tmp_path, record([*ALL_IN, *BOARD]))
    assert not of_kind(silent, HoleCardsShown)
    assert silent.events[-1] == mucked.events[-1] == HandEnded((0, 2000))
    dash = read_one(tmp_path, record([*ALL_IN, *BOARD, "p2 sm 3c3h", "p1 sm -"]))
    assert dash.events == mucked.events


def test_a_question_in_vain_is_no_action(tmp_path: Path) -> None:
    # The big blind is all-in with his blind, so nobody could call what the button might bet after calling.
    hand = read_one(tmp_path, record(["p2 cc", "p2 cc", *BOARD], stacks=[100, 1000]))
    assert len(of_kind(hand, ActionTaken)) == 1


def test_a_fixed_limit_hand_is_told_as_it_was_bet(tmp_path: Path) -> None:
    words = ["p2 cbr 20", "p1 cbr 30", "p2 cc", "d db 9c9d9h", "p1 cbr 10", "p2 cbr 20", "p1 f"]
    hand = read_one(tmp_path, record(words, blinds=[5, 10], variant="FT", more="small_bet = 10\nbig_bet = 20"))
    assert hand.events[-1] == HandEnded((960, 1040))


def test_names_unicode_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = record(["p2 f"], more="players = ['Jürgen ♠', '李翔']\n_id = 'a/1'")
    (hand,) = read_text(tmp_path, b"\xef\xbb\xbf# exported\r\n[1]\r\n" + text.replace("\n", "\r\n").encode())
    assert isinstance(hand, RecordedHand)
    assert (hand.name, hand.players) == ("a/1", ("Jürgen ♠", "李翔"))
    unnamed, quoted, last = read_text(
        tmp_path, f"{text}\n[ 'x-7' ] # two\n{record(['p2 f'])}[3]\n{record(['p2 f'])}"
    )
    assert [unnamed.name, quoted.name, last.name] == ["a/1", "x-7", "3"]
    assert isinstance(last, RecordedHand)
    assert last.players == ("p1", "p2")


def test_a_file_with_nothing_in_it_has_no_hands(tmp_path: Path) -> None:
    for text in ("", "\n\n", "# nothing\n", "[1]\n[2]\n"):
        assert read_text(tmp_path, text) == []


def test_a_file_that_cannot_be_read_is_refused_with_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        PhhFileError, match=r"^The file .*nowhere\.phhs cannot be read: No such file or directory\.$"
    ):
        list(read_hands(tmp_path / "nowhere.phhs"))
    with pytest.raises(PhhFileError, match=r"cannot be read: Is a directory\.$"):
        list(read_hands(str(tmp_path)))


def test_a_limit_counts_hands_and_not_what_is_skipped(tmp_path: Path) -> None:
    good, bad = record(["p2 f"]), "variant = 'PO'\n"
    path = tmp_path / "hands.phhs"
    path.write_text(f"[1]\n{bad}[2]\n{good}[3]\n{bad}[4]\n{good}[5]\n{good}", encoding="utf-8")
    assert [hand.name for hand in read_hands(path, limit=2)] == ["1", "2", "3", "4"]
    assert [hand.name for hand in read_hands(path)] == ["1", "2", "3", "4", "5"]
    assert list(read_hands(path, limit=0)) == []
    with pytest.raises(ValueError, match="must not be negative, and it is -1"):
        list(read_hands(path, limit=-1))


UNCALLED = ["p2 cbr 300", "p1 f"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("variant = 'NT\n", r"Its TOML is damaged: .*"),
        ("x = " + "[" * 5000 + "\n", r"Its TOML is damaged: .*"),
        ("PokerStars Hand #1: Hold'em No Limit\n", r"Its TOML is damaged: .*"),
        (b"players = ['J\xfcrgen']\n", r"It is not written in UTF-8\."),
        ("antes = [0]\n", r"It names no game\."),
        (record(UNCALLED, variant="PO"), r"Its game is 'PO', not hold'em \(NT or FT\)\."),
        ("variant = ['NT']\n", r"Its game is \['NT'\], not hold'em \(NT or FT\)\."),
        ("variant = 'NT'\n", r"Its field actions is missing or no list of what belongs there\."),
        (record(UNCALLED, stacks=[]), r"It has 0 players, not 2 to 10\."),
        (record(UNCALLED, stacks=[10] * 11), r"It has 11 players, not 2 to 10\."),
        (record(UNCALLED, stacks=[10, 0]), r"Every player needs chips, and one starts with 0\."),
        (record(UNCALLED, stacks=["'10'", 10]), r"10 is no amount of chips\."),
        (record(UNCALLED, stacks=["true", 10]), r"True is no amount of chips\."),
        (record(UNCALLED, stacks=["inf", 10]), r"Infinity is no amount of chips\."),
        (record(UNCALLED, stacks=["nan", 10]), r"NaN is no amount of chips\."),
        (record(UNCALLED, stacks=[10**20, 10]), r"An amount is beyond 1,000,000,000,000,000 chips\."),
        (record(UNCALLED, stacks=["0x" + "f" * 9000, 10]), r"An amount is beyond .* chips\."),
        (record(UNCALLED, stacks=["1e999999", 10]), r"An amount is beyond .* chips\."),
        (record(UNCALLED, stacks=["1e999999", "0.5"]), r"An amount is beyond .* chips\."),
        (record(UNCALLED, stacks=["-1e999999", "0.5"]), r"An amount is beyond .* chips\."),
        (record(UNCALLED, stacks=["0." + "1" * 60, 10]), r"The amount 0\.1+… has too many digits\."),
        (record(UNCALLED, stacks=["100." + "0" * 34 + "1", 10]), r"Its amounts have 35 decimals, .*"),
        (record(UNCALLED, stacks=["[0x" + "f" * 9000 + "]", 10]), r"A number of thousands of digits is no .*"),
        (record(UNCALLED).replace("'NT'", "0x" + "f" * 9000), r"Its game is A number of thousands of digits, .*"),
        (record([f"d dh {'9' * 5000} AcAd"], deal=False), r"Action 1 \(d dh 9+…\): There is no player 9+…\."),
        (record([f"d dh p{'9' * 5000} AcAd"], deal=False), r"Action 1 \(d dh p9+…\): There is no player p9+…\."),
        (record(["p\u0661 f"]), r"Action 3 \(.*\): There is no player p.\."),
        (record([f"d db {'Ac' * 5000}"]), r"Action 3 \(d db (Ac)+…\): No board cards are dealt now\."),
        (record(["p2 cc"] * 20_000), r"It has more than the 100,000 bytes that a hand may have\."),
        (record(["p2 f"] * 500), r"It has 502 actions, and 300 are the most\."),
        ("a = 1\n" + "b" * 200_000 + "\n", r"It has more than the 100,000 bytes that a hand may have\."),
        (".".join("a" * 5000) + " = 1\n", r"A key or a text of it has more than 100 dots\."),
        ("x = { y = \"\"\"a\"\"\"\", " + ".".join("a" * 500) + " = 1, z = \"\" }\n", r"A key .* than 100 dots\."),
        ("x = " + "{ y = " * 5000 + "\n", r"Its TOML is damaged: .*"),
        ("x = { 'k" + "k" * 5000 + "' = 1, 'k" + "k" * 5000 + "' = 2 }\n", r"Its TOML is damaged: .{1,200}\."),
        (record(["XX"]).replace("'XX'", r'"p2 \u001b[2J\u202e f"'), r"Action 3 \(p2 �\[2J� f\): .*"),
        (record(UNCALLED, stacks=["1e-999999", 10]), r"Its amounts have 999999 decimals, and 6 are the most\."),
        (record(UNCALLED, stacks=[10**14, "0.5"]), r"An amount is beyond .* chips\."),
        (record(UNCALLED).replace("[1000, 1000]", "5"), r"Its field starting_stacks is missing or no list\."),
        (record(UNCALLED, stacks=["0.0000001", 10]), r"Its amounts have 7 decimals, and 6 are the most\."),
        (record(UNCALLED, blinds=[50, 100, 0]), r"It has 2 stacks and 3 blinds\."),
        (record(UNCALLED, more="players = ['a']"), r"It has 2 stacks and 1 players\."),
        (record(UNCALLED, more="players = 'ab'"), r"Its field players is missing or no list .*"),
        (record(UNCALLED, blinds=[-50, 100]), r"It has dead blinds \(negative amounts\), .*"),
        (record(UNCALLED, antes=[100, 0]), r"Its antes differ, and not as where the big blind posts for all\."),
        (
            record(UNCALLED, antes=[0, 100], more="ante_trimming_status = true"),
            r"Its antes differ, and not as where the big blind posts for all\.",
        ),
        (
            record(UNCALLED, antes=[0, 100], stacks=[199, 1000]),
            r"A big blind is short of blind and ante for all, and which comes first differs\.",
        ),
        (record(UNCALLED, antes=[9, 9], stacks=[1000, 5]), r"A player is all-in with less than the ante .*"),
        (record(UNCALLED, blinds=[0, 0]), r"Its blinds are 0 and 0, and no hand is played with those\."),
        (record(UNCALLED, blinds=[100, 50]), r"Its blinds are 100 and 50, .*"),
        (record(UNCALLED, deal=False), r"The hole cards of p1 are not known\."),
        (record(["d dh p1 ????", *UNCALLED], deal=False), r"Action 1 \(d dh p1 \?\?\?\?\): Cards are unknown\."),
        (record(["d dh p1 AcXd"], deal=False), r"Action 1 \(.*\): 'Xd' is no card\."),
        (record(["d dh p1 AcAc"], deal=False), r"Action 1 \(.*\): The card Ac is dealt twice\."),
        (record(["d dh p1 As"]), r"Action 3 \(.*\): p1 gets 3 hole cards\."),
        (record(["p1 f"]), r"Action 3 \(p1 f\): It is the turn of p2\."),
        (record(["p3 f"]), r"Action 3 \(p3 f\): There is no player p3\."),
        (record(["x f"]), r"Action 3 \(x f\): There is no player x\."),
        (record(["p2 pb"]), r"Action 3 \(p2 pb\): It is no action of hold'em\."),
        (record(["p2 cbr 150"]), r"Action 3 \(.*\): A bet or raise is to 200 at least and to 1000 at most\."),
        (record(["p2 cbr 1001"]), r"Action 3 \(.*\): A bet or raise is to 200 at least and to 1000 at most\."),
        (record(["p2 cbr x"]), r"Action 3 \(.*\): x is no amount of chips\."),
        (record(["p2 cbr nan"]), r"Action 3 \(.*\): NaN is no amount of chips\."),
        (record(["p2 cbr -300"]), r"Action 3 \(.*\): A bet or raise is to 200 .*"),
        (record([f"p2 cbr {'9' * 5000}"]), r"Action 3 \(p2 cbr 9+…\): An amount is beyond .*"),
        (record(["p2 cbr 1000", "p1 cbr 1000"]), r"Action 4 \(.*\): No bet or raise is allowed now\."),
        (record([*UNCALLED, "p2 cc"]), r"Action 5 \(p2 cc\): Nobody is to act\."),
        (record(["p2 cc", "d db 9c9d9h"]), r"Action 4 \(.*\): No board cards are dealt now\."),
        (record(["p2 cc", "p1 cc", "d db 9c9d"]), r"Action 5 \(.*\): The flop is 3 cards, not 2\."),
        (record(["p2 cc", "p1 cc", "d db 9c2c9h"]), r"Action 5 \(.*\): The card 2c is dealt twice\."),
        (record(["p2 cc", "p1 cc"]), r"The record ends before the hand does\."),
        (record([*ALL_IN, *BOARD[:2]]), r"The record ends before the hand does\."),
        (record([*ALL_IN, *BOARD, "p1 sm AsKs"]), r"Action 8 \(.*\): p1 was not dealt these cards\."),
    ],
)  # fmt: skip
def test_what_is_no_hand_is_skipped_with_a_reason_and_the_next_is_read(
    tmp_path: Path, text: str | bytes, reason: str
) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    bad, good = read_text(tmp_path, b"[1]\n" + raw + b"[2]\n" + PLURIBUS.encode())
    assert isinstance(bad, SkippedHand)
    assert bad.name == "1"
    assert re.fullmatch(reason, bad.reason), bad.reason
    assert is_fit_to_be_shown(bad.reason)
    assert isinstance(good, RecordedHand)


def test_names_are_fit_to_be_shown(tmp_path: Path) -> None:
    hostile = r"\u001b[2J\u202e" + "x" * 5000
    names = f'players = ["{hostile}", "a\\nb"]\n_id = "{hostile}"\n'
    hand = read_one(tmp_path, record(["p2 f"], more=names))
    for name in (hand.name, *hand.players):
        assert name.isprintable()
        assert len(name) <= LONGEST_SHOWN
    (skipped,) = read_text(tmp_path, b"[" + b"n" * 5000 + b"]\nx =")
    assert len(skipped.name) <= LONGEST_SHOWN


@pytest.mark.parametrize("hand", ["1e999999", "-1", "9" * 4000, "0x" + "f" * 9000, "'x'", "nan", "[1]", "true"])
def test_a_hand_number_that_is_none_is_1(tmp_path: Path, hand: str) -> None:
    started = start_of(read_one(tmp_path, record(["p2 f"], more=f"hand = {hand}")).events)
    assert started.hand_number == 1


def test_a_long_field_of_another_program_is_not_looked_at(tmp_path: Path) -> None:
    hand = read_one(tmp_path, record(["p2 f"], more=f"_traces = '{'.' * 5_000_000}'\nhand = 7"))
    started = start_of(hand.events)
    assert started.hand_number == 7


def test_a_section_takes_no_more_memory_than_a_section_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phh, "_LONGEST_SECTION", 3000)
    monkeypatch.setattr(phh, "_CHUNK", 1000)
    path = tmp_path / "hands.phhs"
    # The end of a line that was read in parts is no header.
    path.write_bytes(b"[1]\n" + b"x" * 50_000 + b"\n[2]\n" + b"y" * 1000 + b"[3]\n")
    found = dict(phh.sections(path))
    assert list(found) == ["1", "2"]
    assert len(found["1"]) <= 4000
    assert found["2"] == b"y" * 1000 + b"[3]\n"


def test_a_name_that_no_file_can_have_is_refused_with_a_sentence() -> None:
    with pytest.raises(PhhFileError, match="cannot be read"):
        list(read_hands("a\0b"))


@given(runs(20_000), st.integers(0, 400))
def test_runs_of_any_sign_anywhere_are_read_or_skipped(hostile: str, at: int) -> None:
    text = record([*ALL_IN, *BOARD])
    with TemporaryDirectory() as folder:
        for hand in read_text(Path(folder), (text[:at] + hostile + text[at:]).encode(errors="surrogatepass")):
            assert isinstance(hand, RecordedHand) or is_fit_to_be_shown(hand.reason)


@given(st.data())
def test_whatever_a_section_holds_it_is_read_or_skipped(data: st.DataObject) -> None:
    """Change some words of real records; nothing may be raised, and chips stay what they were."""
    words = re.split(r"(\W)", data.draw(st.sampled_from([PLURIBUS, record([*ALL_IN, *BOARD, "p1 sm 2c2h"])])))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at] = data.draw(
            st.sampled_from([*words, "", "0", "-1", "1.5", "nan", "p9", "f", "d", "db", "[", "x"])
        )
    with TemporaryDirectory() as folder:
        path = Path(folder, "hands.phhs")
        path.write_text("".join(words), encoding="utf-8")
        for hand in read_hands(path):
            if isinstance(hand, RecordedHand):
                started, ended = start_of(hand.events), end_of(hand.events)
                assert sum(start.stack for start in started.seats) == sum(ended.stacks)
                assert min(ended.stacks) >= 0
            else:
                assert hand.reason.endswith(".")


# Against our own table


def random_hand(rng: random.Random) -> Table:
    """Play a random hand at seats 0 to n - 1, the last with the button."""
    count = rng.randint(2, 10)
    big_blind = rng.choice([2, 10, 100])
    deck = [Card(card) for card in range(CARD_COUNT)]
    rng.shuffle(deck)
    table = Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[
            SeatStart(seat, f"name {seat}", rng.randint(1, rng.choice([1, 5, 50]) * big_blind + 1))
            for seat in range(count)
        ],
        button=count - 1,
        rules=TableRules(big_blind // 2, big_blind, rng.choice([0, 0, 3, big_blind])),
        deck=deck,
    )
    weights = [rng.choice([0, 1, 4]) + 0.2 for _ in range(3)]
    while table.to_act is not None:
        legal = table.legal_actions()
        assert legal is not None
        table.apply(random_action(rng, legal, weights))
    return table


def random_action(rng: random.Random, legal: LegalActions, weights: Sequence[float]) -> Action:
    kind = rng.choices(range(3), weights)[0]
    if kind == 0:
        return FOLD
    if kind == 2 and legal.can_raise:
        return raise_to(rng.choice([legal.min_raise_to, rng.randint(legal.min_raise_to, legal.max_raise_to)]))
    return CHECK if legal.can_check else CALL


def written(table: Table) -> str:
    """Write a finished hand as PHH; its events are what happened, its dealer knows the hole cards."""
    started = start_of(table.events)
    count = len(started.seats)
    lines = [f"d dh p{seat + 1} {format_cards(table.private_event(seat).hole_cards)}" for seat in table.seats]
    for event in table.events:
        match event:
            case ActionTaken():
                word = {ActionKind.FOLD: "f", ActionKind.RAISE: f"cbr {event.action.raise_to}"}
                lines.append(f"p{event.seat + 1} {word.get(event.action.kind, 'cc')}")
            case BoardDealt():
                lines.append(f"d db {format_cards(event.cards)}")
            case HoleCardsShown():
                lines.append(f"p{event.seat + 1} sm {format_cards(event.hole_cards)}")
            case HoleCardsMucked():
                lines.append(f"p{event.seat + 1} sm")
            case _:
                pass
    return record(
        lines,
        stacks=[start.stack for start in started.seats],
        blinds=[started.small_blind, started.big_blind] + [0] * (count - 2),
        antes=[started.ante] * count,
        more=f"ante_trimming_status = true\nhand = 1\nplayers = {[start.name for start in started.seats]}",
        deal=False,
    )


def test_what_our_table_plays_is_read_back_event_for_event(tmp_path: Path) -> None:
    rng = random.Random(4)
    for _ in range(200):
        table = random_hand(rng)
        hand = read_one(tmp_path, written(table))
        assert hand.events == table.events
        assert hand.hole_cards == tuple(table.private_event(seat).hole_cards for seat in table.seats)


# The real hands


def sections(name: str) -> list[str]:
    text = (HANDS / f"{name}.phhs").read_text(encoding="utf-8")
    return re.split(r"(?m)^\[\d+\]\n", text)[1:]


def finishing_stacks(section: str) -> list[float] | None:
    found = re.search(r"(?m)^finishing_stacks = \[(.*)\]$", section)
    return [float(stack) for stack in found[1].split(",")] if found else None


@pytest.mark.shared
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in FILES])
def test_every_real_hand_is_read_and_ends_with_the_stacks_it_says(name: str) -> None:
    check_ends(zip(sections(name), read_hands(HANDS / f"{name}.phhs"), strict=True))


@pytest.mark.shared
@pytest.mark.parametrize("name", FILES)
def test_the_first_real_hands_end_with_the_stacks_they_say(name: str) -> None:
    check_ends(islice(zip(sections(name), read_hands(HANDS / f"{name}.phhs"), strict=True), 500))


def check_ends(pairs: Iterator[tuple[str, RecordedHand | SkippedHand]]) -> None:
    for section, hand in pairs:
        assert isinstance(hand, RecordedHand), hand
        asked = len(re.findall(r"'p\d+ (?:f|cc|cbr)\b", section))
        assert len(of_kind(hand, ActionTaken)) == asked
        ended = end_of(hand.events)
        stacks = finishing_stacks(section)
        if stacks is None:
            continue
        assert sum(stacks) == sum(ended.stacks)
        # Some records share a pot in half chips; our rules give the odd chip to one seat.
        assert all(abs(ours - theirs) <= 0.5 for ours, theirs in zip(ended.stacks, stacks, strict=True))
        if all(stack.is_integer() for stack in stacks):
            assert list(ended.stacks) == stacks


@pytest.mark.shared
@pytest.mark.parametrize("hands", [100, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", FILES)
def test_pokerkit_asks_the_same_seat_for_the_same_chips(name: str, hands: int, tmp_path: Path) -> None:
    texts = sections(name)
    for section in texts[:: len(texts) // hands]:
        compare_with_pokerkit(section, read_one(tmp_path, section))


def compare_with_pokerkit(section: str, hand: RecordedHand) -> None:
    """Replay the record in pokerkit; before every action of a player both must see the same chips."""
    taken = iter(of_kind(hand, ActionTaken))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pokerkit's automatic steps, and its imports
        from pokerkit import HandHistory

        asked: tuple[int, int, int, int, int] | None = None
        for state, action in HandHistory.loads(section).state_actions:
            if action is not None and re.match(r"p\d+ (f|cc|cbr)", action):
                event = next(taken)
                assert isinstance(event, ActionTaken)
                assert asked == (event.seat, event.to_call, event.pot, event.stack, event.bet)
            actor = state.actor_index
            if actor is not None:
                asked = (
                    actor,
                    state.checking_or_calling_amount,
                    state.total_pot_amount,
                    state.stacks[actor],
                    state.bets[actor],
                )
    assert next(taken, None) is None
    assert not state.status
    ended = end_of(hand.events)
    assert all(abs(theirs - ours) <= 0.5 for theirs, ours in zip(state.stacks, ended.stacks, strict=True))


# Hands as everybody saw them


def read_publicly(folder: Path, text: str) -> list[PublicRecord | SkippedHand]:
    path = folder / "hands.phhs"
    path.write_text(text, encoding="utf-8")
    return list(read_public_hands(path))


def test_a_hand_of_unknown_cards_has_the_same_events(tmp_path: Path) -> None:
    whole = read_one(tmp_path, PLURIBUS)
    hidden = re.sub(r"(d dh p[1-5]) \w{4}", r"\1 ????", PLURIBUS)
    (hand,) = read_publicly(tmp_path, hidden)
    assert isinstance(hand, PublicRecord)
    assert (hand.name, hand.players, hand.events) == (whole.name, whole.players, whole.events)
    assert hand.hole_cards == {5: whole.hole_cards[5]}
    (skipped,) = read_text(tmp_path, hidden)
    assert isinstance(skipped, SkippedHand)
    (known,) = read_publicly(tmp_path, PLURIBUS)
    assert isinstance(known, PublicRecord)
    assert known.hole_cards == dict(enumerate(whole.hole_cards))


def test_a_public_record_says_whether_it_is_a_no_limit_hand(tmp_path: Path) -> None:
    for variant in ("NT", "FT"):
        (hand,) = read_publicly(tmp_path, PLURIBUS.replace("'NT'", f"'{variant}'"))
        assert isinstance(hand, PublicRecord)
        assert hand.is_no_limit == (variant == "NT")


def test_cards_that_only_the_showdown_knows_win_there(tmp_path: Path) -> None:
    actions = ["d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cc", "d db 2c7dJh", "p1 cc", "p2 cc", "d db 9s"]
    actions += ["p1 cc", "p2 cc", "d db 4d", "p1 cc", "p2 cc"]
    (hand,) = read_publicly(tmp_path, record([*actions, "p1 sm KhKd", "p2 sm ????"], deal=False))
    assert isinstance(hand, PublicRecord)
    assert hand.hole_cards == {0: parse_cards("KhKd")}
    assert [event.seat for event in hand.events if isinstance(event, PotAwarded)] == [0]
    assert [event.seat for event in hand.events if isinstance(event, HoleCardsMucked)] == [1]
    (twice,) = read_publicly(tmp_path, record([*actions, "p1 sm KhKd", "p2 sm KhKs"], deal=False))
    assert isinstance(twice, SkippedHand)
    assert "dealt twice" in twice.reason
