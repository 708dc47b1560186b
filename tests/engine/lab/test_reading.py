"""The scorer: what the observers see, and that its figures are what they are called."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, exp, log, sqrt

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.agents.agent import Prediction, Reader
from engine.agents.calibration import FIRST_HANDS, FLOOR
from engine.agents.readers import READERS, make_reader
from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    Card,
    HoleCards,
    cards_of,
    combo_of,
    unblocked,
)
from engine.codec import encode, frozen_vector
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    ActionTaken,
    GameKind,
    HoleCardsShown,
    PublicEvent,
    Seat,
    SeatStart,
    raise_to,
)
from engine.game.observation import Observation, SeatView
from engine.game.phh import RecordedHand, SkippedHand
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.lab.reading import (
    Gain,
    GainError,
    ReadingError,
    ScoredPoint,
    Scorer,
    clustered_stderr,
    decision_points,
    gains_of,
    table_reading,
)
from engine.lab.reading_report import as_json, as_table, calibration_of, readings_as_table

CARDS = [Card(card) for card in range(CARD_COUNT)]


def play(deck: Sequence[Card], words: str, *, seats: int, stack: int = 1000) -> RecordedHand:
    """Play a hand at blinds 50 and 100, the last seat with the button, to its end: checks, or folds to bets."""
    names = tuple(f"name {seat}" for seat in range(seats))
    table = Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, name, stack) for seat, name in enumerate(names)],
        button=seats - 1,
        rules=TableRules(50, 100),
        deck=deck,
    )
    actions = {"f": FOLD, "x": CHECK, "c": CALL}
    for word in words.split():
        table.apply(actions.get(word) or raise_to(int(word)))
    while (legal := table.legal_actions()) is not None:
        table.apply(CHECK if legal.can_check else FOLD)
    return RecordedHand(
        "", names, tuple(table.private_event(seat).hole_cards for seat in range(seats)), table.events
    )


def shuffled(seed: int) -> list[Card]:
    deck = list(CARDS)
    random.Random(seed).shuffle(deck)
    return deck


class KnownReader(Reader):
    """A reader that answers as a test says, and notes what it was given."""

    name = "known"

    def __init__(self, answer: Callable[[Observation, int], NDArray[np.float64]]) -> None:
        self.answer = answer
        self.given: list[Observation | tuple[PublicEvent, ...]] = []

    def predict_views(self, observation: Observation, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        self.given.append(observation)
        vectors = [(view.seat, frozen_vector(self.answer(observation, view.seat))) for view in views]
        return tuple(Prediction(seat, self.name, vector, (), vector) for seat, vector in vectors)

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        self.given.append(events)


def uniform(observation: Observation, seat: int) -> NDArray[np.float64]:
    return unblocked((*observation.board, *observation.hole_cards)).astype(np.float64)


# Who looks at whom, and what is seen


def pairs(hand: RecordedHand) -> list[tuple[int, int]]:
    return [(point.target, point.observation.seat) for point in decision_points(hand)]


def test_the_observer_is_the_next_other_player_to_act() -> None:
    # Three seats: the button 2 acts first before the flop, then the blinds 0 and 1; on the flop 0 first.
    hand = play(CARDS, "c c x | x x x".replace("|", ""), seats=3)
    assert pairs(hand)[:6] == [(2, 0), (0, 1), (1, 0), (0, 1), (1, 2), (2, 0)]
    # The last to act is seen by the next live seat.
    assert pairs(hand)[-1] == (2, 0)
    assert pairs(play(CARDS, "f f", seats=3)) == [(2, 0), (0, 1)]
    assert pairs(play(CARDS, "300 f f", seats=3))[-1] == (1, 2)
    # Heads-up the big blind 0 closes the street and opens the next: it is no observer of itself.
    assert pairs(play(CARDS, "c x x", seats=2))[:3] == [(1, 0), (0, 1), (0, 1)]


def test_points_end_with_the_action_and_folds_are_not_live() -> None:
    hand = play(CARDS, "300 f c 200 f", seats=3)
    points = list(decision_points(hand))
    taken = [event for event in hand.events if isinstance(event, ActionTaken)]
    assert len(points) == len(taken)
    for point, event in zip(points, taken, strict=True):
        assert point.observation.events[-1] is event
        assert point.observation.events == hand.events[: len(point.observation.events)]
        assert (point.target, point.street) == (event.seat, event.street)
        assert len(point.observation.board) == (0, 3, 4, 5)[event.street]
    assert [point.is_live for point in points] == [True, False, True, True, False]


def random_words(rng: random.Random, seats: int) -> str:
    """Give actions that are legal whatever the cards: opens, calls and folds, then checks and bets."""
    words = []
    for _ in range(seats - 2):
        words.append(rng.choice(["f", "f", "c"]))
    words += ["c", "x"]
    return " ".join(words)


def redealt(deck: Sequence[Card], keep: Sequence[int], rng: random.Random) -> list[Card]:
    """Shuffle all of a deck but the places to keep."""
    places = [place for place in range(len(deck)) if place not in set(keep)]
    cards = [deck[place] for place in places]
    rng.shuffle(cards)
    changed = list(deck)
    for place, card in zip(places, cards, strict=True):
        changed[place] = card
    return changed


@pytest.mark.every(3)
@pytest.mark.parametrize("name", sorted(READERS))
def test_hidden_cards_change_nothing_that_a_reader_is_given_or_answers(name: str) -> None:
    """Deal all but the observer's cards and the board so far anew: the same bytes in and out."""
    rng = random.Random(7)
    for seats, words in ((6, "f c 300 f c c c"), (3, "c c x 100 c c"), (2, "300 c x 700 f"), (2, "1000 c")):
        deck = shuffled(seats)
        hand = play(deck, words, seats=seats)
        reader = make_reader(name)
        for at, point in enumerate(decision_points(hand)):
            seen = point.observation
            keep = [seen.seat, seats + seen.seat, *range(2 * seats, 2 * seats + len(seen.board))]
            other = play(redealt(deck, keep, rng), words, seats=seats)
            assert other.hole_cards != hand.hole_cards
            again = list(decision_points(other))[at]
            assert encode(again.observation) == encode(seen)
            assert again.target == point.target
            answer = reader.predict(seen, point.target).posterior.tobytes()
            assert answer == reader.predict(again.observation, again.target).posterior.tobytes()


def hole_cards_in(value: object) -> set[Card]:
    """Find every card in the JSON-like form of a value, other than on the board."""
    found: set[Card] = set()
    if isinstance(value, dict):
        for key, part in value.items():
            found |= set(part) if key in ("hole_cards", "shown") and part else set()
            found |= hole_cards_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            found |= hole_cards_in(part)
    return found


def test_a_reader_sees_its_own_cards_alone_and_later_what_was_shown() -> None:
    """All-in before the flop, hands turned up, an earlier fold and a mucked hand."""
    reader = KnownReader(uniform)
    scorer = Scorer(reader)
    all_in = play(shuffled(3), "f 1000 c", seats=3)
    assert any(isinstance(event, HoleCardsShown) for event in all_in.events)
    quiet = play(shuffled(4), "c c x", seats=3)
    for hand in (all_in, quiet):
        scorer.add(hand)
    hands = [all_in, quiet]
    for given in reader.given:
        if isinstance(given, Observation):
            assert hole_cards_in(msgspec.to_builtins(given)) == set(given.hole_cards)
            assert given.hole_cards == hands[0].hole_cards[given.seat]
            assert not any(isinstance(event, HoleCardsShown) for event in given.events)
        else:
            hand = hands.pop(0)
            assert given == hand.events
            shown = {event.seat for event in given if isinstance(event, HoleCardsShown)}
            cards = {card for seat in shown for card in hand.hole_cards[seat]}
            assert hole_cards_in(msgspec.to_builtins(given)) == cards
            assert shown != {0, 1, 2}
    assert hands == []  # each was learned after its last point


# The figures


@pytest.mark.parametrize("seats", [2, 6])
def test_the_uniform_reader_loses_what_is_left_of_the_deck(seats: int) -> None:
    scorer = Scorer(make_reader("uniform"))
    for seed in range(30):
        scorer.add(play(shuffled(seed), random_words(random.Random(seed), seats), seats=seats))
    score = scorer.result()
    for street, cards in (("preflop", 50), ("flop", 47), ("turn", 46), ("river", 45)):
        for scores in (score.live, score.everyone):
            expected = log(comb(cards, 2))
            assert scores[street].points > 0
            assert scores[street].log_loss == pytest.approx(expected, abs=1e-5)
            assert scores[street].entropy == pytest.approx(expected, abs=1e-5)
            assert scores[street].stderr == pytest.approx(0, abs=1e-6)
    assert [round(score.live[street].log_loss or 0, 4) for street in ("preflop", "flop", "turn", "river")] == [
        7.1107,
        6.9856,
        6.9422,
        6.8977,
    ]
    assert score.live["all"].points == sum(score.live[street].points for street in list(score.live)[:4])
    assert score.everyone["all"].points == score.points == len(scorer.points)


def two_hands(truth: HoleCards, observer: HoleCards) -> RecordedHand:
    """Give a heads-up hand in which the button, with the true cards, limps, and everything is checked down."""
    rest = [card for card in CARDS if card not in (*truth, *observer)]
    return play([observer[0], truth[0], observer[1], truth[1], *rest], "c f", seats=2)


def test_the_figures_of_one_point_by_hand() -> None:
    truth, observer = cards_of(1325), cards_of(0)  # aces against deuces
    kings, queens = combo_of(47, 46), combo_of(43, 42)
    shares = np.zeros(COMBO_COUNT)
    shares[[1325, kings, queens, combo_of(50, 5)]] = 0.25, 0.5, 0.125, 0.125
    scorer = Scorer(KnownReader(lambda observation, seat: shares if seat == 1 else uniform(observation, seat)))
    scorer.add(two_hands(truth, observer))
    limp, fold = scorer.points
    assert (limp.is_live, fold.is_live) == (True, False)
    assert limp.probability == 0.25
    assert limp.entropy == pytest.approx(0.25 * log(4) + 0.5 * log(2) + 2 * 0.125 * log(8))
    assert 0.5 <= limp.position <= 0.75
    assert limp.category_rank == 0  # big pairs have 7/8, big high cards 1/8
    assert (limp.top_10, limp.is_in_top_10) == (1.0, True)
    assert limp.player == "name 1"
    score = scorer.result().live["all"]
    assert (score.points, score.hands, score.stderr) == (1, 1, None)
    assert score.log_loss == pytest.approx(log(4))


def test_mass_on_cards_that_cannot_be_held_is_lost() -> None:
    truth, observer = cards_of(1325), cards_of(0)
    shares = np.zeros(COMBO_COUNT)
    shares[[1325, 0]] = 1, 3
    scorer = Scorer(KnownReader(lambda observation, seat: shares if seat == 1 else uniform(observation, seat)))
    scorer.add(two_hands(truth, observer))
    assert scorer.points[0].probability == 0.25


def test_no_probability_at_all_is_scored_by_the_floor_and_counted() -> None:
    truth, observer = cards_of(1325), cards_of(0)
    shares = np.zeros(COMBO_COUNT)
    shares[combo_of(47, 46)] = 1
    scorer = Scorer(KnownReader(lambda observation, seat: shares if seat == 1 else uniform(observation, seat)))
    scorer.add(two_hands(truth, observer))
    score = scorer.result()
    assert score.live["preflop"].floored == 1
    assert score.live["preflop"].log_loss == pytest.approx(-log(FLOOR))
    deciles = score.calibration["live"]["preflop"].deciles
    assert deciles is not None
    assert deciles[9] == 1
    assert "1 times the true hole cards had less than 1e-12" in as_table(score, "x")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.ones(5), r"^The reader 'known' gave the shape \(5,\), not one number per combo\.$"),
        (np.zeros(COMBO_COUNT), r"^The reader 'known' gave numbers that are no probabilities\.$"),
        (np.full(COMBO_COUNT, np.nan), "no probabilities"),
        (np.full(COMBO_COUNT, np.inf), "no probabilities"),
        (np.r_[-1.0, np.ones(COMBO_COUNT - 1)], "no probabilities"),
    ],
)
def test_answers_that_are_no_probabilities_are_refused(answer: NDArray[np.float64], message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        Scorer(KnownReader(lambda observation, seat: answer)).add(play(CARDS, "f", seats=2))


@pytest.mark.slow
def test_true_probabilities_are_found_to_be_true() -> None:
    """Deal the cards of the target by the very probabilities that the reader names: the figures must agree."""
    observer = cards_of(700)
    rng = np.random.default_rng(5)
    weights = rng.gamma(0.5, size=COMBO_COUNT).round(1) * unblocked(observer)  # many ties, many zeros
    weights /= weights.sum()
    scorer = Scorer(KnownReader(lambda observation, seat: weights if seat == 1 else uniform(observation, seat)), 3)
    count = 3000
    for truth in rng.choice(COMBO_COUNT, count, p=weights):
        scorer.add(two_hands(cards_of(int(truth)), observer))
    score = scorer.result()
    live, error = score.live["all"], sqrt(1 / count)
    assert (live.points, live.hands) == (count, count)
    assert live.log_loss is not None
    assert live.entropy is not None
    assert live.stderr is not None
    assert abs(live.log_loss - live.entropy) < 4 * live.stderr
    deciles = score.calibration["live"]["all"].deciles
    assert deciles is not None
    assert sum(deciles) == pytest.approx(1)
    assert all(abs(decile - 0.1) < 4 * sqrt(0.09) * error for decile in deciles)
    for top in (live.top_10, live.top_20):
        assert top is not None
        assert abs(top.mass - top.truth) < 4 * sqrt(top.mass * (1 - top.mass)) * error
    # The four categories before the flop, by the reader's own mass.
    from engine.agents.markov import hand_categories

    masses = np.sort(np.bincount(hand_categories(()), weights))[::-1].cumsum()
    assert live.top_z is not None
    for share, mass in zip(live.top_z, masses, strict=False):
        assert abs(share - mass) < 4 * sqrt(mass * (1 - mass)) * error


def test_the_standard_error_takes_a_cluster_for_one_observation() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=50)
    alone = clustered_stderr(values, np.arange(50))
    assert alone == pytest.approx(values.std(ddof=1) / sqrt(50))
    # Saying everything three times is no news.
    assert clustered_stderr(np.repeat(values, 3), np.repeat(np.arange(50), 3)) == pytest.approx(alone)
    # Numbers of clusters may have gaps.
    assert clustered_stderr(values, 7 * np.arange(50)) == pytest.approx(alone)
    assert clustered_stderr(values, np.zeros(50, np.int64)) is None


def test_the_standard_error_is_the_spread_of_the_mean_over_samples() -> None:
    rng = np.random.default_rng(2)
    means, errors = [], []
    for _ in range(400):
        sizes = rng.integers(1, 9, 60)
        clusters = np.repeat(np.arange(60), sizes)
        values = np.repeat(rng.normal(size=60), sizes) + rng.normal(size=sizes.sum())
        means.append(values.mean())
        errors.append(clustered_stderr(values, clusters))
    spread = float(np.std(means, ddof=1))
    assert abs(float(np.mean(errors)) - spread) < 4 * spread / sqrt(2 * 400) + 0.03 * spread  # O(1/60) bias


def test_the_same_seed_gives_the_same_score() -> None:
    def points(seed: int) -> list[float]:
        scorer = Scorer(make_reader("uniform"), seed)
        scorer.add(play(shuffled(1), "c c x", seats=3))
        return [point.position for point in scorer.points]

    assert points(1) == points(1) != points(2)
    with pytest.raises(ValueError, match="seed"):
        Scorer(make_reader("uniform"), -1)


def test_points_know_how_many_hands_of_their_player_were_learned_before() -> None:
    scorer = Scorer(make_reader("uniform"))
    scorer.add(play(CARDS, "f f", seats=3))
    scorer.add(play(CARDS, "f", seats=2))
    scorer.add(play(CARDS, "f f", seats=3))
    assert [(point.hand, point.player, point.hands_seen) for point in scorer.points] == [
        (0, "name 2", 0),
        (0, "name 0", 0),
        (1, "name 1", 1),
        (2, "name 2", 1),
        (2, "name 0", 2),
    ]


def test_players_who_are_hardly_known_are_counted_apart() -> None:
    scorer = Scorer(make_reader("paper"))
    for seed in range(FIRST_HANDS + 10):
        scorer.add(play(shuffled(seed), "c c x", seats=3))
    found, score = table_reading(scorer.reader_name, scorer.points), scorer.result()
    assert (found.reader, found.score) == ("paper", score.live)
    each = len(scorer.points) // (FIRST_HANDS + 10)  # the three see every hand together, and check it down
    assert (found.at_first.points, found.later.points) == (FIRST_HANDS * each, 10 * each)
    last = [log(point.probability) for point in scorer.points[-10 * each :]]
    assert found.later.log_loss == pytest.approx(-np.mean(last))
    deciles = [np.array(part.deciles) for part in (found.at_first, found.later, score.calibration["live"]["all"])]
    assert (FIRST_HANDS * deciles[0] + 10 * deciles[1]) / (FIRST_HANDS + 10) == pytest.approx(deciles[2])


# Reports


def test_the_table_of_readers_is_aligned_and_says_what_is_missing() -> None:
    scorer = Scorer(make_reader("uniform"))
    scorer.add(play(CARDS, "c c x", seats=3))
    lines = readings_as_table([table_reading(scorer.reader_name, scorer.points)]).splitlines()
    left = [f"{log(comb(count, 2)):.4f}" for count in (50, 47, 46, 45)]
    assert lines[1].split()[:-1] == ["uniform", *left]
    assert lines[-1].split() == ["uniform,", "later", *"----------", "0"]
    assert len({len(line) for line in lines[:3]}) == len({len(line) for line in lines[4:]}) == 1


def test_skipped_hands_are_counted_by_reason() -> None:
    scorer = Scorer(make_reader("uniform"))
    for name, reason in (("a", "one"), ("b", "two"), ("c", "two")):
        scorer.add(SkippedHand(name, reason))
    found = [(one.reason, one.count, one.first) for one in scorer.result().skipped]
    assert found == [("two", 2, "b"), ("one", 1, "a")]


def test_a_score_of_nothing_holds_nulls_and_no_nan() -> None:
    score = Scorer(make_reader("uniform")).result()
    whole = json.loads(as_json(score, "x.phhs"))
    assert whole["live"]["river"] == {
        "points": 0,
        "hands": 0,
        "log_loss": None,
        "stderr": None,
        "floored": 0,
        "entropy": None,
        "top_z": None,
        "top_10": None,
        "top_20": None,
    }
    assert "NaN" not in as_json(score, "x.phhs")
    assert "nan" not in as_table(score, "x.phhs").lower()


def test_the_table_is_aligned_and_the_calibration_is_that_of_live_points() -> None:
    scorer = Scorer(make_reader("paper"))
    for seed in range(5):
        scorer.add(play(shuffled(seed), "f c c f c x", seats=6))
    score = scorer.result()
    lines = as_table(score, "some.phhs").splitlines()
    assert len({len(line) for line in lines[:-1] if line}) == 1
    assert lines[-1] == f"Reader paper: 5 hands, {score.points} decision points."
    table = calibration_of(score, "some")
    assert (table.reader, table.source, table.hands) == ("paper", "some", 5)
    assert table.streets["all"].points == score.live["all"].points < score.points
    for street, found in table.streets.items():
        assert found.log_loss == pytest.approx(score.live[street].log_loss)
        assert found.stderr == pytest.approx(score.live[street].stderr)


@dataclass
class Made:
    """Points of one player by (hand, street, hands seen, loss)."""

    rows: list[tuple[int, int, int, float]]

    def points(self, is_live: bool = True) -> list[ScoredPoint]:
        return [
            ScoredPoint(hand, "Ann", seen, street, is_live, exp(-loss), 0, 0, 0, 0, 0, False, False, 0)
            for hand, street, seen, loss in self.rows
        ]


OURS = Made([(0, 0, 0, 6.0), (0, 1, 0, 5.0), (1, 0, 12, 6.5), (2, 3, 1500, 4.0)])
THEIRS = Made([(0, 0, 0, 6.5), (0, 1, 0, 6.0), (1, 0, 12, 6.0), (2, 3, 1500, 4.2)])


def by_group(gains: tuple[Gain, ...]) -> dict[str, Gain]:
    return {gain.group: gain for gain in gains}


def test_gains_are_mean_differences() -> None:
    found = by_group(gains_of(OURS.points(), THEIRS.points()))
    assert found["all"].gain == pytest.approx((0.5 + 1.0 - 0.5 + 0.2) / 4)
    assert found["preflop"].gain == pytest.approx(0.0)
    assert (found["turn"].points, found["turn"].gain) == (0, None)
    assert found["0 to 9 hands seen"].gain == pytest.approx(0.75)
    assert found["10 to 49 hands seen"].gain == pytest.approx(-0.5)
    assert found["1000 or more hands seen"].gain == pytest.approx(0.2)
    assert found["1000 or more hands seen"].stderr is None


def test_errors_are_clustered_by_hand() -> None:
    import numpy as np

    found = by_group(gains_of(OURS.points(), THEIRS.points()))
    expected = clustered_stderr(np.array([0.5, 1.0, -0.5, 0.2]), np.array([0, 0, 1, 2]))
    assert found["all"].stderr == pytest.approx(expected)


def test_folded_targets_do_not_count() -> None:
    assert by_group(gains_of(OURS.points(is_live=False), THEIRS.points(is_live=False)))["all"].points == 0


def test_other_points_are_refused() -> None:
    with pytest.raises(GainError, match="same points"):
        gains_of(OURS.points(), THEIRS.points()[:2])
