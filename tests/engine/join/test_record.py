"""Records: the same hands and traces back, hands that other programs read, files that are none or were cut off."""

import json
import random
import tomllib
import warnings
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.agent import Trace
from engine.agents.played_hand import PlayedHand
from engine.agents.styles import make_agent
from engine.codec import StoredDataError, encode
from engine.game.events import (
    BoardDealt,
    GameKind,
    HandEnded,
    HandStarted,
    Posted,
    PostKind,
    SeatStart,
    end_of,
    start_of,
)
from engine.game.observation import Observation
from engine.game.phh import RecordedHand, SkippedHand, read_hands
from engine.game.phh_text import phh_text
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.join.corrected_hand import ForcedPost
from engine.join.followed_hand import FollowedHand
from engine.join.record import Recorder, RecordError
from tests.engine.game.test_history import moments, new_table, stack_lists, stakes
from tests.engine.join.test_followed_hand import pair, play, told
from tests.engine.join.wire import kept_hands

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import HandHistory


def played(table: Table, seat: int = 0) -> PlayedHand:
    """Play a hand at our own table: some decisions of a style for the seat, all other actions at random."""
    agent, traces = make_agent("tight-passive"), list[Trace]()
    for moment in moments(table, random.Random(5)):
        if moment.to_act == seat:
            traces.append(agent.decide(moment.observe(seat), len(traces)).trace)
    return PlayedHand(table.observe(seat), tuple(traces))


def hands(count: int, seats: int = 3) -> list[PlayedHand]:
    return [played(new_table(seed, [200] * seats, TableRules(5, 10, seed % 2))) for seed in range(count)]


def test_the_same_hands_and_traces_come_back(tmp_path: Path) -> None:
    path, recorded = tmp_path / "match.phhs", hands(6)
    for part in (recorded[:2], recorded[2:]):
        recorder = Recorder(path)
        for hand in part:
            recorder.append(hand)
        recorder.close()
    back = kept_hands(path)
    assert back == recorded
    assert any(hand.traces for hand in back)


def recorded_reader(path: Path) -> PlayedHand:
    """Record a hand in which FOLD decided once."""
    hand = told((1000, 1000, 1000))
    trace = make_agent("fold").decide(hand.observe(), 3).trace
    play(hand, "r60 f f")
    hand.end()
    recorder = Recorder(path)
    recorder.append(PlayedHand(hand.observe(), (trace,)))
    recorder.close()
    return PlayedHand(hand.observe(), (trace,))


def test_traces_of_a_reader_come_back_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "match.phhs"
    hand = recorded_reader(path)
    (back,) = kept_hands(path)
    assert encode(back) == encode(hand)
    assert back.observation == hand.observation


def test_a_record_of_when_fold_was_called_soulread_names_it_fold(tmp_path: Path) -> None:
    path = tmp_path / "match.phhs"
    (trace,) = recorded_reader(path).traces
    before, field, rest = path.read_text().partition("_soulread = '")
    data, end = rest.split("'", 1)
    stored = json.loads(zlib.decompress(b64decode(data)))
    stored["traces"][0] |= {"style": "soulread", "schema": 1}
    data = b64encode(zlib.compress(json.dumps(stored).encode())).decode()
    path.write_text(f"{before}{field}{data}'{end}")
    (back,) = kept_hands(path)
    assert encode(replace(back.traces[0], schema=2)) == encode(trace)


def standard(observation: Observation) -> HandHistory:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return HandHistory.loads(phh_text(observation))


@given(st.integers(0, 2**32), st.integers(2, 6), stakes)
def test_pokerkit_reads_the_same_hand(seed: int, seats: int, rules: TableRules) -> None:
    """Equal stacks: with short ones pokerkit's rules differ (tests/reference/pokerkit_hand.py)."""
    table = new_table(seed, [200] * seats, rules)
    observation = played(table, 2 * (seed % seats)).observation
    history = standard(observation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, state = history
    ended = end_of(observation.events)
    assert history.finishing_stacks is not None
    assert sorted(history.finishing_stacks) == sorted(ended.stacks)
    board = [card for event in observation.events if isinstance(event, BoardDealt) for card in event.cards]
    assert [repr(card) for card in state.get_board_cards(0)] == [repr(card) for card in parse_repr(board)]
    # pokerkit gives all odd chips of a split pot to one player.
    assert all(abs(one - other) < seats for one, other in zip(state.stacks, history.finishing_stacks, strict=True))


def parse_repr(cards: list[int]) -> list[object]:
    from pokerkit import Card as TheirCard

    from engine.cards import Card, format_card

    return [next(TheirCard.parse(format_card(Card(card)))) for card in cards]


@given(st.integers(0, 2**32), stack_lists, stakes)
def test_our_own_reader_reads_hands_of_which_all_cards_are_shown(
    seed: int, stacks: list[int], rules: TableRules
) -> None:
    table = new_table(seed, stacks, rules)
    *_, last = moments(table, random.Random(seed))
    observation = last.observe(0)
    everything = replace(
        observation,
        seats=tuple(replace(view, shown=table.private_event(view.seat).hole_cards) for view in observation.seats),
    )
    with TemporaryDirectory() as folder:
        path = Path(folder, "one.phh")
        path.write_text(phh_text(everything))
        (hand,) = read_hands(path)
    if isinstance(hand, SkippedHand):
        # An ante that takes a whole stack is the only thing that it refuses.
        assert min(stacks) < rules.ante
        return
    assert isinstance(hand, RecordedHand)
    started = start_of(observation.events)
    at = [start.seat for start in started.seats].index(started.button) + 1
    order = [start.seat for start in (*started.seats[at:], *started.seats[:at])]
    assert hand.players == tuple(f"Player {seat // 2}" for seat in order)
    ended, theirs = observation.events[-1], hand.events[-1]
    assert isinstance(ended, HandEnded)
    assert isinstance(theirs, HandEnded)
    by_seat = dict(zip([start.seat for start in started.seats], ended.stacks, strict=True))
    assert theirs.stacks == tuple(by_seat[seat] for seat in order)
    shifted = [type(event) for event in hand.events]
    assert shifted == [type(event) for event in observation.events]
    posted = [
        [(event.kind, event.amount) for event in events if isinstance(event, Posted)]
        for events in (hand.events, observation.events)
    ]
    assert posted[0] == posted[1]


def test_unknown_cards_posts_and_names(tmp_path: Path) -> None:
    seats = (SeatStart(2, 'a "quoted" \\ name', 1000), SeatStart(5, "b\x7f\n😀", 12), SeatStart(7, "c", 1000))
    hand = FollowedHand(
        HandStarted(12, GameKind.CASH, seats, button=7, small_blind=10, big_blind=20, ante=0),
        own_seat=2,
        hole_cards=pair("AhAd"),
        posts=[ForcedPost(2, PostKind.SMALL_BLIND, 10), ForcedPost(5, PostKind.BIG_BLIND, 12)],
    )
    play(hand, "f f")
    hand.end()
    fields = tomllib.loads(phh_text(hand.observe()))
    assert fields["players"] == ['a "quoted" \\ name', "b\x7f\n😀", "c"]
    assert fields["blinds_or_straddles"] == [10, 20, 0]
    assert fields["seats"] == [3, 6, 8]
    assert fields["actions"] == ["d dh p1 AhAd", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 f"]
    assert (fields["hand"], fields["finishing_stacks"]) == (12, [990, 22, 1000])
    path = tmp_path / "match.phhs"
    recorder = Recorder(path)
    recorder.append(PlayedHand(hand.observe(), ()))
    recorder.close()
    assert [one.observation for one in kept_hands(path)] == [hand.observe()]


def test_a_hand_that_is_not_over_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="Hand 7 is not over"):
        phh_text(told().observe())


def test_a_record_that_was_cut_off_anywhere_goes_on(tmp_path: Path) -> None:
    path, recorded = tmp_path / "match.phhs", hands(2, seats=2)
    recorder = Recorder(path)
    ends = [0]
    for hand in recorded:
        recorder.append(replace(hand, traces=()))
        ends.append(path.stat().st_size)
    recorder.close()
    whole = path.read_bytes()
    for cut in range(ends[1], ends[2] + 1, 7):
        path.write_bytes(whole[:cut])
        count = 2 if cut == ends[2] else 1
        again = Recorder(path)
        again.append(replace(recorded[1], traces=()))
        again.close()
        assert len(kept_hands(path)) == count + 1
        assert list(tomllib.loads(path.read_text())) == [str(number + 1) for number in range(count + 1)]


PHH = "[1]\nvariant = 'NT'\nantes = [0, 0]\n\n[2]\nvariant = 'NT'\n"


@pytest.mark.parametrize("text", [PHH, "my notes\n", "[1]\n"])
def test_other_files_are_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.phhs"
    path.write_text(text)
    with pytest.raises(RecordError, match="holds something else: name a new file"):
        Recorder(path)
    assert path.read_text() == text


def test_other_hands_behind_ours_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "match.phhs"
    recorder = Recorder(path)
    recorder.append(hands(1)[0])
    recorder.close()
    text = path.read_text() + PHH
    path.write_text(text)
    with pytest.raises(RecordError, match="holds something else"):
        Recorder(path)
    assert path.read_text() == text


def damage(text: str) -> str:
    at = text.index("_soulread") + 40
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def test_damaged_records(tmp_path: Path) -> None:
    path = tmp_path / "match.phhs"
    recorder = Recorder(path)
    recorder.append(hands(1)[0])
    recorder.close()
    text = path.read_text()
    path.write_text(text.replace("_soulread", "_other"))
    assert kept_hands(path) == []
    path.write_text(damage(text))
    with pytest.raises(StoredDataError, match="is damaged"):
        kept_hands(path)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written: Is a directory"):
        Recorder(tmp_path)
    with pytest.raises(RecordError, match="cannot be written: No such file"):
        Recorder(tmp_path / "missing" / "match.phhs")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
def test_a_full_disk() -> None:
    recorder = Recorder(Path("/dev/full"))
    with pytest.raises(RecordError, match="/dev/full cannot be written: No space left"):
        recorder.append(hands(1)[0])
    recorder.close()
