import random

import eval7
import numpy as np
import pytest

from engine import preflop
from engine.cards import (
    CLASS_COUNT,
    COMBO_CLASS,
    COMBO_COUNT,
    class_name,
    combos_of_class,
    format_cards,
    parse_cards,
)
from engine.equity.matchups import preflop_equities, range_odds
from engine.lab import preflop_table
from engine.lab.preflop_table import sample_class
from engine.preflop import (
    class_ranking,
    equity_against_random,
    percentiles,
    stderr_against_random,
)
from engine.ranges import parse_range
from engine.resources import ResourceError

CLASSES = {class_name(hand_class): hand_class for hand_class in range(CLASS_COUNT)}


def combo(name: str) -> int:
    return combos_of_class(CLASSES[name])[0]


# By complete enumeration, as printed to four places in any table of heads-up equities.
@pytest.mark.parametrize(
    ("name", "equity"),
    [
        ("AA", 0.8520),
        ("KK", 0.8240),
        ("22", 0.5033),
        ("AKs", 0.6704),
        ("AKo", 0.6532),
        ("72o", 0.3458),
        ("32o", 0.3230),
    ],
)
def test_published_equities_against_one(name: str, equity: float) -> None:
    assert equity_against_random(1)[combo(name)] == pytest.approx(equity, abs=0.00005)


def test_equities_against_one_are_those_of_all_matchups() -> None:
    exact = preflop_equities(np.ones(COMBO_COUNT))
    assert equity_against_random(1) == pytest.approx(exact, rel=2e-7)
    assert not stderr_against_random(1).any()


@pytest.mark.parametrize("opponents", range(1, 10))
def test_the_mean_hand_wins_its_share(opponents: int) -> None:
    errors = stderr_against_random(opponents).astype(np.float64)
    counts = np.array([len(combos_of_class(hand_class)) for hand_class in range(CLASS_COUNT)])
    first = [combos_of_class(hand_class)[0] for hand_class in range(CLASS_COUNT)]
    stderr = np.sqrt(((counts * errors[first]) ** 2).sum()) / COMBO_COUNT
    mean = equity_against_random(opponents).astype(np.float64).mean()
    rounding = 1e-7
    assert abs(mean - 1 / (opponents + 1)) < 4 * stderr + rounding


def test_errors_are_small_and_equities_fall_with_opponents() -> None:
    assert all(0 < stderr_against_random(opponents).max() <= 0.0004 for opponents in range(2, 10))
    table = np.array([equity_against_random(opponents) for opponents in range(1, 10)])
    assert (np.diff(table, axis=0) < 0).all()
    assert table.dtype == np.float32
    assert not equity_against_random(3).flags.writeable


def test_ranking_is_that_of_poker() -> None:
    ranking = [class_name(hand_class) for hand_class in class_ranking()]
    assert sorted(ranking) == sorted(CLASSES)
    assert ranking[:7] == ["AA", "KK", "QQ", "JJ", "TT", "99", "88"]
    assert ranking[-1] == "32o"
    # Against nine, suited and connected cards gain and small pairs and 7-2 lose.
    against_nine = [class_name(hand_class) for hand_class in class_ranking(9)]
    assert against_nine.index("JTs") < against_nine.index("77") < ranking.index("JTs")
    assert against_nine[-1] == "72o"


def test_percentiles_count_combos() -> None:
    assert percentiles()[combo("AA")] == pytest.approx(6 / 1326)
    assert percentiles()[combo("KK")] == pytest.approx(12 / 1326)
    assert percentiles()[combo("32o")] == 1
    shares = percentiles()
    for hand_class in (CLASSES["AQo"], CLASSES["55"], CLASSES["T9s"]):
        equity = equity_against_random(1)
        as_strong = (equity >= equity[combos_of_class(hand_class)[0]]).mean()
        assert shares[combos_of_class(hand_class)[0]] == pytest.approx(as_strong)


@pytest.mark.parametrize("opponents", [0, 10])
def test_refuses_other_numbers_of_opponents(opponents: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 9 random hands, not {opponents}"):
        equity_against_random(opponents)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["9s8s", "QdQh", "Ac3d"])
def test_dealing_agrees_with_eval7(text: str) -> None:
    cards = parse_cards(text)
    rng = random.Random(5)
    live = [eval7.Card(format_cards([card])) for card in set(range(52)) - set(cards)]
    own = [eval7.Card(format_cards([card])) for card in cards]
    shares = np.zeros((15_000, 9))
    for row in shares:
        dealt = rng.sample(live, 23)
        mine = eval7.evaluate(own + dealt[:5])
        theirs = [eval7.evaluate(dealt[:5] + dealt[5 + 2 * i : 7 + 2 * i]) for i in range(9)]
        for q in range(1, 10):
            row[q - 1] = (mine >= max(theirs[:q])) / (1 + theirs[:q].count(mine))
    hand_class = int(COMBO_CLASS[combo_number(cards)])
    equities, stderrs = sample_class(hand_class, seed=3, deals=1_000_000)
    errors = np.hypot(shares.std(axis=0) / np.sqrt(len(shares)), stderrs)
    assert (np.abs(shares.mean(axis=0) - equities) < 4 * errors).all()


def combo_number(cards: tuple[int, ...]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def test_the_stored_table_is_what_the_command_makes() -> None:
    """Another seed gives the stored numbers within the errors of both."""
    for name in ("AA", "T9s", "32o"):
        equities, stderrs = sample_class(CLASSES[name], seed=99, deals=200_000)
        for opponents in range(1, 10):
            stored = equity_against_random(opponents)[combo(name)]
            assert abs(equities[opponents - 1] - stored) < 4.5 * stderrs[opponents - 1]


def test_dealing_is_reproducible_and_its_error_honest() -> None:
    first = sample_class(CLASSES["T9s"], seed=4, deals=1000)
    again = sample_class(CLASSES["T9s"], seed=4, deals=1000)
    assert np.array_equal(first, again)
    runs = np.array([sample_class(CLASSES["T9s"], seed, 1000)[0] for seed in range(400)])
    ratio = runs.std(axis=0, ddof=1) / first[1]
    # The standard deviation of 400 runs is itself uncertain by 1 / sqrt(800); 1000 deals add as much.
    assert (np.abs(ratio - 1) < 4 * np.hypot(1 / np.sqrt(800), 1 / np.sqrt(1000))).all()


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda text: "", "broken"),
        (lambda text: text.replace("equity_4", "equity_five"), "columns"),
        (lambda text: text.replace("AKs,", "AKx,"), "AKx"),
        (lambda text: text[: len(text) // 2].rpartition("\n")[0], "hand class is missing"),
        (lambda text: text.replace("AA,0.", "AA,7."), "not from 0 to 1"),
        (lambda text: text.replace("AA,0.", "AA,zero."), "zero"),
    ],
)
def test_a_broken_table_is_one_clear_error(monkeypatch, damage, complaint: str) -> None:
    text = damage(preflop.read_text(preflop.RESOURCE))
    monkeypatch.setattr(preflop, "read_text", lambda name: text)
    preflop._stored.cache_clear()
    try:
        with pytest.raises(ResourceError, match=complaint) as caught:
            preflop._stored()
        assert "preflop_equity.csv" in str(caught.value)
    finally:
        preflop._stored.cache_clear()


def test_the_build_command_writes_what_is_read_back(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(preflop_table, "files", lambda package: tmp_path)
    preflop_table.main(["--seed", "2", "--deals", "2000"])
    text = (tmp_path / preflop.RESOURCE).read_text(encoding="utf-8")
    assert "--seed 2 --deals 2000" in text
    monkeypatch.setattr(preflop, "read_text", lambda name: text)
    preflop._stored.cache_clear()
    try:
        sampled, errors = sample_class(CLASSES["QJs"], 2, 2000)
        equities, stderrs = preflop._stored()[:, CLASSES["QJs"]]
        assert equities[1:] == pytest.approx(sampled[1:], abs=5e-7)
        assert stderrs[1:] == pytest.approx(errors[1:], abs=5e-7)
        win, tie, lose = range_odds(parse_range("QhJh").weights, parse_range("random").weights)
        assert equities[0] == pytest.approx((win + tie / 2) / (win + tie + lose), abs=5e-9)
        assert stderrs[0] == 0
    finally:
        preflop._stored.cache_clear()
