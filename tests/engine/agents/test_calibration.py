from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from engine.agents.calibration import (
    FIRST_HANDS,
    FLOOR,
    Calibration,
    CalibrationTable,
    CalibrationTally,
    JudgedPoint,
    TableTally,
    judge,
    judged_hand,
    read_calibrations,
    write_calibration,
)
from engine.agents.readers import make_reader
from engine.agents.styles import make_agent
from engine.cards import COMBO_COUNT, combo_of, parse_cards
from engine.codec import decode, encode
from engine.game.events import FOLD, ActionTaken
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.game.history import observation_at
from engine.play import Dealer
from engine.resources import ResourceError
from tests.engine.played import play_hand


def table(reader: str, source: str, hands: int = 5) -> CalibrationTable:
    return CalibrationTable(reader, source, hands, {"flop": Calibration(20, (0.1,) * 10), "turn": Calibration(0)})


def test_tables_stand_beside_one_another_and_a_new_one_replaces_its_own(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    assert read_calibrations(path) == ()
    for one in (table("paper", "pluribus"), table("learned", "pluribus"), table("learned", "bovada")):
        write_calibration(path, one)
    write_calibration(path, table("learned", "pluribus", 7))
    assert read_calibrations(path) == (
        table("learned", "bovada"),
        table("learned", "pluribus", 7),
        table("paper", "pluribus"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"holds no calibration: "),
        ("[]", r"holds no calibration: "),
        ('{"schema":1}', r"holds no calibration: "),
        ('{"schema":2,"tables":[]}', r"has the version 2, and this program reads 1\.$"),
        (
            '{"schema":1,"tables":[{"reader":"r","source":"s","hands":1,"streets":{"flop":{"points":1,"deciles":[1]}}}]}',
            r"has no 10 shares of 1 on the flop of s\.$",
        ),
    ],
)
def test_a_file_with_something_else_is_refused_and_left_alone(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(text, encoding="utf-8")
    for attempt in (lambda: read_calibrations(path), lambda: write_calibration(path, table("a", "b"))):
        with pytest.raises(ResourceError, match=message):
            attempt()
    assert path.read_text(encoding="utf-8") == text


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"cannot be read: Is a directory\.$"):
        read_calibrations(tmp_path)
    with pytest.raises(ResourceError, match=r"cannot be written: No such file or directory\.$"):
        write_calibration(tmp_path / "no" / "where.json", table("a", "b"))


def random_hands(count: int) -> list[list[JudgedPoint]]:
    """Hands of 0 to 5 points, those of a hand alike."""
    random, hands = np.random.default_rng(3), []
    for _ in range(count):
        near = random.random()
        places = (near + 0.1 * random.random(int(random.integers(0, 6)))) % 1
        hands.append([JudgedPoint(float(random.random() ** 6), float(place)) for place in places])
    return hands


def slow_calibration(hands: Sequence[Sequence[JudgedPoint]]) -> Calibration:
    """Count what a tally counts from all points at once, straight from the definitions."""
    hands = [hand for hand in hands if hand]
    points = [point for hand in hands for point in hand]
    losses = [[-log(max(point.probability, FLOOR)) for point in hand] for hand in hands]
    mean = sum(map(sum, losses)) / len(points)
    residuals = sum((sum(hand) - mean * len(hand)) ** 2 for hand in losses)
    tenths = [[sum(min(int(10 * p.position), 9) == tenth for p in hand) for tenth in range(10)] for hand in hands]
    spread = sum((n - len(h) / 10) ** 2 for h, counts in zip(hands, tenths, strict=True) for n in counts) / 10
    return Calibration(
        len(points),
        tuple(sum(counts[tenth] for counts in tenths) / len(points) for tenth in range(10)),
        mean,
        sqrt(len(hands) / (len(hands) - 1) * residuals) / len(points),
        sqrt(spread) / len(points),
    )


def test_a_tally_has_the_figures_of_all_its_points_at_once() -> None:
    hands, tally = random_hands(40), CalibrationTally()
    for hand in hands:
        tally = tally.add(hand)
    found, expected = tally.calibration, slow_calibration(hands)
    assert found.points == expected.points > 80
    assert tally.hands == sum(map(bool, hands)) < 40
    assert found.deciles == pytest.approx(expected.deciles)
    assert found.log_loss == pytest.approx(expected.log_loss)
    assert found.stderr == pytest.approx(expected.stderr)
    assert found.tenth_stderr == pytest.approx(expected.tenth_stderr)
    assert found.tenth_stderr is not None
    assert found.tenth_stderr > 1.2 * sqrt(0.09 / found.points), "points of a hand are alike, so there are less"


def test_the_error_of_a_tenth_is_the_binomial_one_of_independent_points() -> None:
    tally = CalibrationTally()
    for place in range(50):
        tally = tally.add([JudgedPoint(0.01, place / 50)])
    assert tally.calibration.tenth_stderr == pytest.approx(sqrt(0.09 / 50))


def test_a_tally_of_nothing_and_of_one_hand() -> None:
    assert CalibrationTally().calibration == Calibration(0)
    assert CalibrationTally().add([]) == CalibrationTally()
    one = CalibrationTally().add([JudgedPoint(0.0, 1.0)]).calibration
    assert (one.points, one.log_loss, one.stderr) == (1, pytest.approx(-log(FLOOR)), None)
    assert one.deciles == (0.0,) * 9 + (1.0,)


def test_a_truth_is_judged_by_the_mass_above_it_and_a_share_of_its_equals() -> None:
    posterior = np.zeros(COMBO_COUNT, np.float32)
    aces, kings, queens, dead = (combo_of(*parse_cards(text)) for text in ("AcAd", "KcKd", "QcQd", "2c2d"))
    posterior[[aces, kings, queens, dead]] = 4, 2, 2, 2
    board = parse_cards("2c7h8h")
    assert judge(posterior, aces, board, 0.5) == pytest.approx((0.4, 0.2))
    assert judge(posterior, kings, board, 0.0) == pytest.approx((0.2, 0.4))
    assert judge(posterior, kings, board, 0.5) == pytest.approx((0.2, 0.6))
    nothing = combo_of(*parse_cards("3c3d"))
    assert judge(posterior, nothing, board, 0.9) == pytest.approx((0.0, 0.8)), "what lies on dead cards is lost"


def test_a_table_counts_a_hand_once_and_its_first_hands_apart() -> None:
    tally, point = TableTally("learned"), JudgedPoint(0.01, 0.35)
    for number in range(1, FIRST_HANDS + 3):
        tally = tally.add(number, [("preflop", point), ("preflop", point), ("river", point)])
        assert tally.add(number, [("preflop", point)]) is tally
    tally = tally.add(FIRST_HANDS + 3, [])
    assert (tally.hands, tally.last_hand) == (FIRST_HANDS + 3, FIRST_HANDS + 3)
    assert {street: found.points for street, found in tally.streets.items()} == {
        "preflop": 2 * (FIRST_HANDS + 2),
        "river": FIRST_HANDS + 2,
    }
    assert (tally.at_first.points, tally.later.points) == (3 * FIRST_HANDS, 6)
    assert tally.points == 3 * (FIRST_HANDS + 2)
    assert decode(encode(tally), TableTally) == tally


def test_a_hand_is_judged_after_every_action_of_another_but_its_folds() -> None:
    styles = ("calling station", "loose-aggressive", "tight-passive")
    seats = (SeatConfig("You", "human"), *(SeatConfig(style, style) for style in styles))
    dealer = Dealer(cash_game(seats, seed=4), {seat: make_agent(style) for seat, style in enumerate(styles, 1)})
    reader, judged = make_reader("learned"), 0
    for _ in range(6):
        play_hand(dealer, lambda _observation: FOLD)
        final = dealer.observe(0)
        cards = {seat: dealer.private_event(seat).hole_cards for seat in (1, 2)}
        found = list(judged_hand(reader, final, {**cards, 0: final.hole_cards}, np.random.default_rng(1)))
        actions = [
            (count, event)
            for count, event in enumerate(final.events, start=1)
            if isinstance(event, ActionTaken) and event.seat in cards and event.action != FOLD
        ]
        assert [street for street, _ in found] == [event.street.name.lower() for _, event in actions]
        for (_, point), (count, event) in zip(found, actions, strict=True):
            posterior = reader.predict(observation_at(final, count), event.seat).posterior
            assert point.probability == pytest.approx(float(posterior[combo_of(*cards[event.seat])]), rel=1e-5)
        judged += len(found)
        reader.learn(final.events)
    assert judged > 10
