"""What players do beside what is usual: against charts, recorded hands, and players drawn from what is usual."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from engine.cards import CLASS_COUNT, COMBO_COUNT, class_name, class_of, combo_of
from engine.figures.tendencies import DECISION, KINDS, SPOTS, class_counts, clearest, decisions_of, tendencies
from engine.game.events import ActionTaken
from engine.game.phh import RecordedHand, read_hands
from engine.training.usual_play import usual_play
from tests.conftest import SHARED
from tests.engine.game.test_phh import PLURIBUS, read_one, record

FOLD, PASSIVE, RAISE = range(len(KINDS))


def read(hand: RecordedHand) -> dict[int, list[tuple[str, int]]]:
    """Return the spot and the kind of each decision by seat."""
    found = decisions_of(hand.events, dict(enumerate(hand.hole_cards)))
    return {seat: [(SPOTS[spot], kind) for _, spot, _, kind, _ in rows.tolist()] for seat, rows in found.items()}


def test_each_decision_has_its_spot(tmp_path: Path) -> None:
    assert read(read_one(tmp_path, PLURIBUS)) == {
        0: [("Facing a raise, SB", FOLD)],
        1: [
            ("Facing a raise, BB", PASSIVE),
            ("Leading into the last raiser", PASSIVE),
            ("Other bets, turn", RAISE),
        ],
        2: [("First in, UTG", FOLD)],
        3: [("First in, HJ", FOLD)],
        4: [("First in, CO", FOLD)],
        5: [("First in, BTN", RAISE), ("C-bet, flop", PASSIVE), ("Facing a bet, turn", FOLD)],
    }


def test_limps_re_raises_and_raises_after_the_flop(tmp_path: Path) -> None:
    before = ["p3 cc", "p1 cbr 400", "p2 cbr 1000", "p3 f", "p1 cc"]
    after = ["d db Kh7d9s", "p1 cc", "p2 cbr 1000", "p1 cbr 3000", "p2 f"]
    stacks = [10_000] * 3
    text = record([*before, *after], stacks=stacks, blinds=[50, 100, 0])
    assert read(read_one(tmp_path, text)) == {
        0: [
            ("After a limp", RAISE),
            ("Facing a 3-bet, already in", PASSIVE),
            ("Leading into the last raiser", PASSIVE),
            ("Facing a bet, flop", RAISE),
        ],
        1: [("Facing a raise, BB", RAISE), ("C-bet, flop", RAISE), ("Facing a raise after the flop", FOLD)],
        2: [("First in, BTN", PASSIVE), ("Facing a 3-bet, already in", FOLD)],
    }
    over_a_limp = record(["p3 cc", "p1 f", "p2 cbr 400", "p3 f"], stacks=stacks, blinds=[50, 100, 0])
    assert read(read_one(tmp_path, over_a_limp)) == {
        0: [("After a limp", FOLD)],
        1: [("The big blind's option", RAISE)],
        2: [("First in, BTN", PASSIVE), ("Facing a raise after limping", FOLD)],
    }
    straddled = record(["p1 f", "p2 cbr 600", "p3 f"], stacks=stacks, blinds=[50, 100, 200])
    assert read(read_one(tmp_path, straddled))[1] == [("First in, BB", RAISE)]


def test_what_is_usual_is_what_the_chart_of_that_decision_has(tmp_path: Path) -> None:
    hand = read_one(tmp_path, PLURIBUS)
    found = decisions_of(hand.events, dict(enumerate(hand.hole_cards)))
    left = {seat: iter(rows) for seat, rows in found.items()}
    for at, event in enumerate(hand.events):
        if isinstance(event, ActionTaken):
            row = next(left[event.seat])
            chart = usual_play(hand.events[: at + 1]).shares[combo_of(*hand.hole_cards[event.seat])]
            assert row["usual"] == pytest.approx(chart, abs=1e-6)
            assert row["event"] == at
            assert row["combo"] == combo_of(*hand.hole_cards[event.seat])


def test_only_cards_that_are_given_count(tmp_path: Path) -> None:
    hand = read_one(tmp_path, PLURIBUS)
    assert list(decisions_of(hand.events, {5: hand.hole_cards[5]})) == [5]
    assert decisions_of(hand.events, {}) == {}
    assert tendencies(np.empty(0, DECISION)) == ()
    assert clearest(()) is None


def drawn(seed: int, count: int, tilt: float = 0.0) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return decisions of one spot by who goes on as is usual, but raises `tilt` more often in place of folding."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(count, DECISION)
    rows["usual"] = rng.dirichlet([2, 2, 2], count)
    done = rows["usual"].astype(np.float64) + np.array([-tilt, 0, tilt])
    rows["kind"] = (rng.random(count)[:, None] > np.clip(done, 0, 1).cumsum(axis=1)[:, :2]).sum(axis=1)
    return rows


def test_who_plays_as_is_usual_is_off_by_what_the_errors_say() -> None:
    off = []
    for seed in range(400):
        (one,) = tendencies(drawn(seed, 150))
        shares = np.array(one.done) / one.decisions
        off.append((shares - one.usual) / one.stderrs)
        assert clearest([one]) is None
    # Of 400 the deviation of a normal number is known to 0.035.
    assert np.std(off, axis=0) == pytest.approx(1, abs=0.12)
    assert np.mean(off, axis=0) == pytest.approx(0, abs=0.18)


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16, 40])
def test_a_rare_action_now_and_then_is_no_habit(count: int) -> None:
    rng = np.random.default_rng(count)
    marked = 0
    for _ in range(1000):
        rows = np.zeros(count, DECISION)
        rows["usual"] = rng.dirichlet([0.3, 0.03, 0.03], count)
        rows["kind"] = (rng.random(count)[:, None] > rows["usual"].cumsum(axis=1)[:, :2]).sum(axis=1)
        marked += clearest(tendencies(rows)) is not None
    # A normal number is off by three errors 2.7 times in a thousand.
    assert marked <= 4


def test_classes_have_their_decisions() -> None:
    rows = drawn(2, 300)
    rows["combo"] = np.random.default_rng(2).integers(0, COMBO_COUNT, 300)
    done, usual = class_counts(rows)
    names = [class_name(class_of(combo)) for combo in rows["combo"].tolist()]
    for cell in range(CLASS_COUNT):
        of_class = [row for row, name in zip(rows.tolist(), names, strict=True) if name == class_name(cell)]
        kinds = [kind for _, _, _, kind, _ in of_class]
        assert done[cell].tolist() == [kinds.count(kind) for kind in range(len(KINDS))]
        assert usual[cell] == pytest.approx(sum((usual for *_, usual in of_class), np.zeros(len(KINDS))))


def test_a_habit_is_found() -> None:
    (one,) = tendencies(drawn(1, 600, tilt=0.2))
    clear = clearest([one])
    assert clear is not None
    assert clear[1] in (FOLD, RAISE)
    assert one.is_clear(RAISE)
    assert not one.is_clear(PASSIVE)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["pluribus", "bovada_6max"])
def test_recorded_players_do_what_is_usual(name: str) -> None:
    """All of them together, in each spot of 300 decisions and more: what `_MODEL_ERROR` stands for."""
    rows = []
    for hand in islice(read_hands(SHARED / "data" / "hands" / f"{name}.phhs"), 4000):
        if isinstance(hand, RecordedHand):
            rows += decisions_of(hand.events, dict(enumerate(hand.hole_cards))).values()
    many = [one for one in tendencies(np.concatenate(rows)) if one.decisions >= 300]
    assert len(many) > 15
    off = np.array([np.array(one.done) / one.decisions - one.usual for one in many])
    assert np.abs(off).max() < 0.06, many[int(np.abs(off).max(axis=1).argmax())]
    assert np.sqrt((off**2).mean()) < 0.02
