"""Hands written for other programs: read back they are the same, and others read them too."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cards import CARD_COUNT, Card
from engine.cli import main
from engine.game.events import (
    ActionTaken,
    GameKind,
    HandEnded,
    HandStarted,
    HoleCardsMucked,
    HoleCardsShown,
    PotAwarded,
    PublicEvent,
    SeatStart,
)
from engine.game.phh import SkippedHands, sections
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.hand_histories import acpc_log, pacific, pokerstars
from engine.hand_histories.export import COLUMNS, exported
from engine.hand_histories.files import HandFileError, NotImported, hand_files, read_file, read_text
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.own_hand import own_hand
from engine.hand_histories.phh_file import phh_section, read_phh
from engine.hand_histories.pokerstars_text import pokerstars_text
from engine.hand_histories.told import CENTS
from engine.review.recorded import recorded_hands
from tests.conftest import SHARED
from tests.engine.game.test_history import moments, stack_lists, stakes
from tests.engine.hand_histories.reading import read, stacks_after
from tests.engine.hand_histories.real_files import hands_of_all_sites
from tests.engine.hand_histories.test_acpc_log import PLURIBUS
from tests.engine.hand_histories.test_pacific import DEAD_BLIND
from tests.engine.hand_histories.told_hands import RUN_THREE_TIMES

PLAYED = datetime(2026, 11, 24, 20, 1, 36, 123_456)
AMOUNTS = ("amount", "to_call", "pot", "stack", "bet", "small_blind", "big_blind", "ante", "straddle")


def played(seed: int, stacks: list[int], rules: TableRules, kind: GameKind = GameKind.CASH) -> Table:
    """Play a hand at random, at every second seat of a table."""
    deck = [Card(card) for card in range(CARD_COUNT)]
    random.Random(seed).shuffle(deck)
    seats = [SeatStart(2 * place, f"Player {place}", stack) for place, stack in enumerate(stacks)]
    button = 2 * (seed % len(stacks))
    table = Table(hand_number=3, kind=kind, seats=seats, button=button, rules=rules, deck=deck)
    *_, last = moments(table, random.Random(seed))
    return last


def own(seed: int, stacks: list[int], rules: TableRules, kind: GameKind = GameKind.CASH) -> ImportedHand:
    table = played(seed, stacks, rules, kind)
    return own_hand(table.observe(2 * (seed % 3 % len(stacks))), str(seed), PLAYED)


def in_chips(event: PublicEvent, scale: int) -> PublicEvent:
    """Return an event with all amounts multiplied, without the number of the hand."""
    found = {
        name: getattr(event, name) * scale
        for name in (*AMOUNTS, "big_blind_ante")
        if hasattr(event, name) and not (isinstance(event, PotAwarded) and name == "pot")
    }
    match event:
        case HandStarted(seats=seats):
            found |= {"seats": tuple(replace(seat, stack=seat.stack * scale) for seat in seats), "hand_number": 0}
        case ActionTaken(action=action):
            found["action"] = replace(action, raise_to=action.raise_to * scale)
        case HandEnded(stacks=stacks):
            found["stacks"] = tuple(stack * scale for stack in stacks)
    return replace(event, **found)


def told_by_pokerstars(hand: ImportedHand, scale: int) -> tuple[object, ...]:
    """Return all of a hand that text of PokerStars can tell, with amounts in so small a unit."""
    factor = scale // hand.scale
    events = tuple(in_chips(event, factor) for event in hand.record.events)
    record = (hand.record.players, hand.record.hole_cards, events)
    return (record, hand.played, hand.currency, hand.hero, hand.rake * factor)


def reread(text: str, suffix: str) -> list[ImportedHand | NotImported]:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"hands{suffix}")
        path.write_text(text, encoding="utf-8")
        return list(read_file(path))


@given(st.integers(0, 2**32), stack_lists, stakes, st.sampled_from(GameKind))
def test_a_hand_of_our_own_is_what_its_player_saw(
    seed: int, stacks: list[int], rules: TableRules, kind: GameKind
) -> None:
    table = played(seed, stacks, rules, kind)
    hand = own_hand(table.observe(0), "7", PLAYED)
    assert (hand.site, hand.number, hand.scale, hand.rake) == ("Soulread", "7", 1, 0)
    assert hand.played == PLAYED.replace(microsecond=0)
    assert hand.final is not None
    assert hand.final.hole_cards == hand.record.hole_cards[0]
    for ours, event in zip_longest(hand.record.events[1:], table.events[1:]):
        if hasattr(event, "seat"):
            event = replace(event, seat=event.seat // 2)
        assert ours == event
    first, start = hand.record.events[0], table.events[0]
    assert isinstance(first, HandStarted)
    assert isinstance(start, HandStarted)
    assert (first.hand_number, first.kind, first.button) == (3, kind, start.button // 2)
    assert [(seat.name, seat.stack) for seat in first.seats] == [(seat.name, seat.stack) for seat in start.seats]


@given(st.integers(0, 2**32), stack_lists, stakes, st.sampled_from(GameKind))
def test_phh_changes_nothing(seed: int, stacks: list[int], rules: TableRules, kind: GameKind) -> None:
    hand = own(seed, stacks, rules, kind)
    assert reread(phh_section(hand, 1), ".phhs") == [hand]


@given(st.integers(0, 2**32), stack_lists, stakes, st.sampled_from(GameKind))
def test_text_of_pokerstars_changes_nothing(
    seed: int, stacks: list[int], rules: TableRules, kind: GameKind
) -> None:
    hand = own(seed, stacks, rules, kind)
    (back,) = read_text(pokerstars_text(hand))
    assert isinstance(back, ImportedHand), back
    scale = CENTS if kind is GameKind.CASH else 1
    assert told_by_pokerstars(back, scale) == told_by_pokerstars(hand, scale)
    assert back.number == hand.number


def test_what_phh_has_no_field_for_stands_in_fields_of_our_own() -> None:
    """Player1 posts 0.02 live and 0.01 dead; Player3 wins the pot of 0.08 (888poker has no rake told)."""
    hand = read(pacific, DEAD_BLIND)
    text = phh_section(replace(hand, remarks=("It was run twice.",)), 5)
    assert text.startswith("[5]\nvariant = ")
    for line in (
        f'venue = "{hand.site}"',
        '_number = "332877236"',
        'currency = "USD"',
        "time = 15:18:32",
        "_rake = 0",
        '_remarks = ["It was run twice."]',
    ):
        assert line in text.splitlines()
    assert '"p4 dead blind 0.01"' in text
    assert text.count("????") == 5  # of six only the hero's are known
    (back,) = reread(text, ".phhs")
    assert back == replace(hand, remarks=("It was run twice.",))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('_number = "', "_number = 7 # "), "A field is missing or damaged"),
        (("_scale = 100", "_scale = 0"), "A field is missing or damaged"),
        (('"p1 f"', '"p9 f"'), "There is no player p9."),
        (("cbr 0.38", "cbr 0.385"), "'0.385' is no whole number of chips."),
        (("cbr 0.38", "cbr 1e99999"), "'1e99999' is no whole number of chips."),
        (("cbr 0.38", "cbr NaN"), "'NaN' is no whole number of chips."),
        (("p4 dead blind", "p4 odd blind"), "'p4 odd blind 0.01' is no post."),
        (("seats = [", "seats = [9, "), "It has not a stack and a seat for each player."),
        (('"p1 f"', '"p1 z"'), "'p1 z' is no action of hold'em."),
        (
            ('_collected = ["p6 0.08 0"]', '_collected = ["p6 0.09 0"]'),
            "A bet of Player3 should come back uncalled.",
        ),
        (("variant", "variant = ["), "Its TOML is damaged"),
    ],
)
def test_a_damaged_hand_of_ours_is_left_out_with_its_reason(change: tuple[str, str], reason: str) -> None:
    text = phh_section(read(pacific, DEAD_BLIND), 1)
    assert change[0] in text
    (back,) = reread(text.replace(*change), ".phhs")
    assert isinstance(back, NotImported)
    assert back.reason.startswith(reason)


@pytest.mark.parametrize("day", ["month = 13", "month = 99999999999999999999999", "month = -1", "month = 0"])
def test_a_hand_of_ours_on_a_day_that_never_was_has_no_time(day: str) -> None:
    hand = read(pacific, DEAD_BLIND)
    assert hand.played is not None
    text = phh_section(hand, 1)
    month = f"month = {hand.played.month}"
    assert month in text
    (back,) = reread(text.replace(month, day), ".phhs")
    assert back == replace(hand, played=None)


def test_pasted_phh_is_read_as_from_a_file() -> None:
    hand = read(pacific, DEAD_BLIND)
    assert list(read_text(phh_section(hand, 1) + phh_section(hand, 2))) == [hand, hand]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HandFileError, match=r"gone\.phhs cannot be read"):
        list(read_file(tmp_path / "gone.phhs"))


def test_hole_cards_that_nobody_has_shown_stay_known_in_text() -> None:
    """All six hands are known of a log, and shown are those of the two at the showdown."""
    hand = imported(acpc_log.told_hand(PLURIBUS))
    text = pokerstars_text(hand)
    assert "Dealt to " not in text
    (back,) = read_text(text)
    assert isinstance(back, ImportedHand)
    assert (back.hero, back.record.hole_cards) == (None, hand.record.hole_cards)
    owned = replace(hand, hero=4)
    text = pokerstars_text(owned)
    assert [line for line in text.splitlines() if line.startswith("Dealt to ")] == ["Dealt to Pluribus [2s 2d]"]
    assert "Seat 3: Eddie showed [6s 5c] and folded before Flop (didn't bet)" in text
    (back,) = read_text(text)
    assert isinstance(back, ImportedHand)
    assert (back.hero, back.record.hole_cards) == (4, hand.record.hole_cards)


def test_text_looks_as_that_of_pokerstars() -> None:
    """PLURIBUS in the words of PokerStars, as it writes play money."""
    hand = replace(imported(acpc_log.told_hand(PLURIBUS)), hero=4, number="RC77", played=PLAYED)
    lines = pokerstars_text(hand).splitlines()
    clock = "2026/11/24 20:01:36 ET"
    assert lines[0] == f"PokerStars Hand #77:  Hold'em No Limit (50/100) - {clock} [{clock}]"
    assert lines[1].endswith(" 6-max (Play Money) Seat #6 is the button")
    assert lines[2] == "Seat 1: Gogo (10000 in chips) "
    for line in (
        "Gogo: posts small blind 50",
        "Budd: posts big blind 100",
        "Bill: raises 125 to 225",
        "Budd: calls 125",
        "*** FLOP *** [3s Jh 2h]",
        "Bill: bets 250",
        "*** RIVER *** [3s Jh 2h Tc] [Ks]",
        "*** SHOW DOWN ***",
        "Budd: shows [Jd 9h] (a pair of Jacks)",
        "Budd collected 2500 from pot",
        "Total pot 2500 | Rake 0 ",
        "Board [3s Jh 2h Tc Ks]",
    ):
        assert line in lines, line


def test_whatever_reads_an_exported_hand_again_gives_the_pot_to_who_collected_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run three times, of which the board that is shown has one winner and the others another; less the rake."""
    told, path = read(pokerstars, RUN_THREE_TIMES), tmp_path / "hands.phhs"
    path.write_text("".join(exported([told], "phh")), encoding="utf-8")
    net = {"88kkaa62": 1711 - 2677, "Hero": -50, "thg124da": -100, "22ab6yhc": 1712 + 1711 - 2677}
    assert main(["figures", str(path), "--json"]) == 0
    counted = {player["player"]: player["net_chips"] for player in json.loads(capsys.readouterr().out)["players"]}
    assert counted == {name: net.get(name, 0) for name in told.record.players}
    ((_, reviewed),) = recorded_hands(path, "Hero", SkippedHands())
    assert reviewed.events[-1] == told.record.events[-1]
    assert main(["replay", str(path), "--json"]) == 0
    (replayed,) = json.loads(capsys.readouterr().out)["hands"]
    assert (replayed["name"], replayed["players"]) == ("1", list(told.record.players))
    assert replayed["steps"][-1]["stacks"] == list(stacks_after(told).values())


def test_a_table_has_a_row_for_each_hand() -> None:
    """The hero has the small blind of 0.01, folds, and so loses half a big blind."""
    hand = read(pacific, DEAD_BLIND)
    nobodys = replace(imported(acpc_log.told_hand(PLURIBUS)), site="=cmd()")
    rows = list(csv.DictReader(io.StringIO("".join(exported([hand, nobodys], "csv")))))
    assert tuple(rows[0]) == COLUMNS
    assert rows[0] == {
        "date": "2011-07-15 15:18:32",
        "site": hand.site,
        "number": "332877236",
        "table": "Manzanillo",
        "tournament": "",
        "stakes": "0.01/0.02",
        "currency": "USD",
        "hero": "Hero",
        "position": "SB",
        "cards": "Qs 8s",
        "board": "",
        "pot": "0.08",
        "rake": "0",
        "net": "-0.01",
        "net_bb": "-0.50",
    }
    assert rows[1] | {"number": "", "table": ""} == dict.fromkeys(COLUMNS, "") | {
        "site": "'=cmd()",  # no formula
        "stakes": "50/100",
        "board": "3s Jh 2h Tc Ks",
        "pot": "2500",
        "rake": "0",
    }


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "suffix", "is_same"),
    [
        pytest.param(
            lambda hand: phh_section(hand, 1), ".phhs", ImportedHand.__eq__, id="PHH", marks=pytest.mark.long
        ),
        pytest.param(
            pokerstars_text,
            ".txt",
            lambda hand, back: told_by_pokerstars(hand, back.scale) == told_by_pokerstars(back, back.scale),
            id="PokerStars",
        ),
    ],
)
def test_real_hands_are_the_same_when_they_are_written_and_read(
    write: Callable[[ImportedHand], str], suffix: str, is_same: Callable[[ImportedHand, ImportedHand], bool]
) -> None:
    count, others = 0, set()
    for file, imported_hands in hands_of_all_sites():
        # Every third one: that is enough of each file, and a third of the time.
        hands = imported_hands[::3]
        if not hands:
            continue
        for hand, back in zip(hands, reread("".join(map(write, hands)), suffix), strict=True):
            count += 1
            assert isinstance(back, ImportedHand), (file.name, hand.number, back)
            if not is_same(hand, back):
                others.add(file.name)
    assert count > 1100
    if suffix == ".txt":
        # Its ante is beyond what anybody had; and who mucked before the flop was dealt can do so at its end only.
        assert others <= {
            "fpdb_tour__NLHE-9max-Flipout-USD-300-201408.Entry 2.txt",
            "handhq_ps_excerpt.phhs",
        }
    else:
        assert not others


@pytest.mark.shared
@pytest.mark.slow
def test_hands_of_pluribus_are_equal_in_phh_and_in_text_of_pokerstars() -> None:
    """But for who turned up cards at the showdown, of which the text tells the winner's alone."""

    def told(hand: ImportedHand) -> tuple[object, ...]:
        events = [in_chips(event, CENTS // hand.scale) for event in hand.record.events]
        kept = [event for event in events if not isinstance(event, HoleCardsShown | HoleCardsMucked)]
        return (hand.record.players, hand.record.hole_cards, kept)

    folder = SHARED / "data" / "fixtures" / "pokerstars"
    ids = (folder / "pluribus_converted_dev_400hands.ids").read_text().split()
    lines = {f"_id = '{name}'".encode() for name in ids}
    texts = list(read_file(folder / "pluribus_converted_dev_400hands.txt"))
    # Of 7,000 hands those alone are read.
    sought = (
        (name, section)
        for name, section in sections(SHARED / "data" / "hands" / "pluribus.phhs")
        if not lines.isdisjoint(section.splitlines())
    )
    records = {hand.record.name: hand for _, hand in read_phh(sought) if isinstance(hand, ImportedHand)}
    assert len(ids) == len(texts) == 400
    for name, text in zip(ids, texts, strict=True):
        assert isinstance(text, ImportedHand), (name, text)
        assert told(text) == told(records[name])


def as_it_stands(line: str) -> str:
    """Return a line of PokerStars without what differs between its own files, and what a hand does not keep.

    That is numbers of seats, the order of hole cards, kickers, bounties, and how amounts and line ends look.
    """
    line = re.sub(r"^Seat \d+:", "Seat:", line.strip())
    line = re.sub(r"^(Seat: .* in chips).*", r"\1", line)
    line = re.sub(r"\[(..) (..)\]", lambda found: " ".join(sorted(found.groups())), line)
    line = re.sub(r"( shows .*) - .*\)", r"\1)", line)
    return re.sub(r"(\d)\.00\b", r"\1", line)


@pytest.mark.shared
@pytest.mark.slow
def test_real_text_of_pokerstars_is_written_line_for_line() -> None:
    """But for its headers, and for who did not show, of which whoever only watched has not been told."""
    converted = ("converted", "RIO", "PokerBros", "PPPoker", "export", "HM1", "RunItTwice", "pluribus")
    count, others = 0, set()
    for path in hand_files([SHARED / "data" / "fixtures" / "pokerstars"]):
        if any(word in path.name for word in converted):
            continue
        real = set(map(as_it_stands, path.read_text("utf-8", "replace").splitlines()))
        for hand in read_file(path):
            if not isinstance(hand, ImportedHand):
                continue
            for line in map(as_it_stands, pokerstars_text(hand).strip().splitlines()[2:]):
                count += 1
                # A name may be in another encoding, and the sign of the euro, too.
                if line.isascii() and line not in real and not line.endswith(": doesn't show hand"):
                    others.add(path.name)
    assert count > 20_000
    assert others == {
        # Uncalled bets that it does not return.
        "HHSmithy__ExtraHands_DateIssue1.txt",
        "fpdb_tour__NLHE-2max-MTT-200611.shootout.no.buyin.txt",
        "fpdb_tour__NLHE-9-max-USD-10-STT-200512.player.sitting.out.txt",
        "fpdb_tour__NLHE-9max-USD-10-STT-200512.hero.cannot.raise.pf.txt",
        # Another program's words: (High Card).
        "fpdb_tour__NLHE-2max-USD-STT-20-201209.txt",
        # Raises that nobody has the chips to answer, and a side pot without whoever is all in and sits out.
        "fpdb_tour__NLHE-FPP-MTT-1r-201005.AllinLotsRebuy.txt",
        "fpdb_tour__NLHE-play-STT-2000.201202.allin.blind.txt",
    }
