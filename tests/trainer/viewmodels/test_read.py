import numpy as np
import pytest

from engine.agents.agent import (
    ActionClass,
    Figure,
    PositionGroup,
    Prediction,
    RangeUpdate,
    UnderstoodAction,
)
from engine.cards import (
    COMBO_CLASS,
    COMBO_COUNT,
    Street,
    class_name,
    combo_of,
    combos_of_class,
    parse_cards,
    unblocked,
)
from engine.codec import frozen_vector
from tests.trainer import samples
from trainer.viewmodels.read import (
    OpponentRange,
    action_words,
    effective_combos,
    figure_line,
    hand_points,
    opponent_ranges,
    percent,
    position_name,
    trust_line,
)

AKS, AKO = 1, 13


def action(action_class: ActionClass, *, facing: bool = False, street: Street = Street.FLOP) -> UnderstoodAction:
    return UnderstoodAction(0, 1, street, action_class, 0.5, PositionGroup.LATE, 2, 0, facing, False, 100.0)


def opponent(weights: dict[str, float], updates: tuple[RangeUpdate, ...] = ()) -> OpponentRange:
    """A range of the named combos on an empty board; the observer holds AhJh."""
    observation = samples.observe(samples.play(1)[:3])
    live = unblocked(observation.hole_cards)
    posterior = np.zeros(COMBO_COUNT)
    for text, weight in weights.items():
        posterior[combo_of(*parse_cards(text))] = weight
    prior = frozen_vector(live / live.sum())
    return OpponentRange(
        Prediction(1, "paper", prior, updates, frozen_vector(posterior / posterior.sum())), observation
    )


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (0.00001, "<0.01%"), (0.0004, "0.04%"), (0.25, "25.0%"), (1.0, "100.0%")],
)
def test_percent_keeps_the_digits_that_matter(share: float, text: str) -> None:
    assert percent(share) == text


def test_cell_is_the_mean_so_that_offsuit_does_not_outshine_suited() -> None:
    # Three live suited combos (AhKh is blocked) and nine live offsuit ones, every combo equally likely.
    suited = dict.fromkeys(("AsKs", "AdKd", "AcKc"), 1.0)
    offsuit = {f"A{a}K{k}": 1.0 for a in "sdc" for k in "sdhc" if a != k}
    grid = opponent(suited | offsuit).grid()
    assert grid.values[AKS] == pytest.approx(1.0)
    assert grid.values[AKO] == pytest.approx(1.0)
    assert grid.sums[AKS] == pytest.approx(3 / 12)
    assert grid.sums[AKO] == pytest.approx(9 / 12)
    assert (grid.live[AKS], grid.live[AKO]) == (3, 9)


def test_own_cards_are_told_from_the_board() -> None:
    grid = opponent_ranges(samples.readings(1)[-1])[0].grid()
    # AhJh in hand, Ac Td 4h Qc 5c on the board: K2o touches neither, 22 neither, 54s the board, J9s own.
    names = {class_name(c): c for c in range(169)}
    assert grid.own_blocked[names["J9s"]]
    assert not grid.own_blocked[names["22"]]
    assert grid.live[names["54s"]] == 4 - 2
    assert not grid.own_blocked[names["Q5s"]]


def test_sums_of_a_real_looking_range() -> None:
    for found in opponent_ranges(samples.readings(3)[-1]):
        grid = found.grid()
        assert grid.sums.sum() == pytest.approx(1, abs=1e-5)
        assert grid.prior_sums.sum() == pytest.approx(1, abs=1e-5)
        assert grid.values.max() == pytest.approx(1)
        assert grid.live.sum() == 45 * 44 / 2


def test_steps_lead_from_the_prior_to_the_posterior() -> None:
    found = opponent_ranges(samples.readings(4)[-1])[0]
    first, *rest = found.steps
    assert first.update is None
    assert len(rest) == len(found.prediction.updates)
    for earlier, later in zip(found.steps, rest, strict=False):
        np.testing.assert_allclose(later.before, earlier.after, atol=1e-7)
        assert later.update is not None
        moved = later.before.astype(float) * later.update.likelihood
        np.testing.assert_allclose(later.after, moved / moved.sum(), atol=1e-6)
        assert later.update.mean_likelihood == pytest.approx(moved.sum(), rel=1e-4)
    np.testing.assert_array_equal(rest[-1].after, found.prediction.posterior)


def test_a_replaced_update_no_longer_counts() -> None:
    # He checks, then raises on the same street: only the raise counts in the end (the paper's rule).
    live = unblocked(samples.HOLE_CARDS)
    prior = frozen_vector(live / live.sum())
    rng = np.random.default_rng(1)
    checks, raises = (frozen_vector(rng.random(COMBO_COUNT) * live) for _ in range(2))
    posterior = prior.astype(float) * raises
    posterior /= posterior.sum()
    updates = (
        RangeUpdate(action(ActionClass.CHECK), (), checks, 0.5, ()),
        RangeUpdate(action(ActionClass.HALF_POT, facing=True), (), raises, 0.5, (), replaces=0),
    )
    found = OpponentRange(
        Prediction(1, "paper", prior, updates, frozen_vector(posterior)),
        samples.observe(samples.play(1)[:3]),
    )
    start, check, raise_ = found.steps
    np.testing.assert_allclose(raise_.before, check.after, atol=1e-7)
    np.testing.assert_allclose(check.before, start.after, atol=1e-7)
    np.testing.assert_allclose(raise_.after, posterior, atol=1e-7)
    assert (check.is_counted, raise_.is_counted) == (False, True)
    assert "stands for this street" in found.sentence(1)


def test_an_action_that_tells_nothing_is_passed_over() -> None:
    # He raises, then calls a reraise: the raise stands for the street, the call has likelihood 1 for every hand.
    live = unblocked(samples.HOLE_CARDS)
    prior = frozen_vector(live / live.sum())
    raises = frozen_vector(np.where(COMBO_CLASS == 14, 0.9, 0.3) * live)
    mean = float(prior.astype(float) @ raises)
    posterior = frozen_vector(prior.astype(float) * raises / mean)
    why = "already counted in this street"
    updates = (
        RangeUpdate(action(ActionClass.HALF_POT), (), raises, mean, ()),
        RangeUpdate(action(ActionClass.CALL), (), frozen_vector(np.ones(COMBO_COUNT)), 1.0, (Figure(why, 1, 1),)),
    )
    found = OpponentRange(Prediction(1, "paper", prior, updates, posterior), samples.observe(samples.play(1)[:3]))
    assert found.sentence(2) == f"Flop, calls: nothing changes, {why}."
    assert found.details(14).why == (
        f"last action that counts, flop: P(bets half pot | KK) 0.90 against {mean:.2f} on average"
    )
    assert found.details(14, 1).why.startswith("this action: P(bets half pot | KK) 0.90")


def test_details_of_a_cell_say_what_and_why() -> None:
    point = samples.readings(1)[-1]
    found = opponent_ranges(point)[0]
    queens = 2 * 13 + 2
    details = found.details(queens)
    share = sum(found.prediction.posterior[combo] for combo in combos_of_class(queens))
    # Qc lies on the board: three of six combos are left.
    assert details.summary.startswith(f"3 of 6 combos live, {percent(float(share))} of the range (prior 0.3%)")
    last = found.prediction.updates[-1]
    assert f"against {last.mean_likelihood:.2f} on average" in details.why
    assert details.why.startswith(f"this action: P({action_words(last.action)} | QQ) ")
    assert [row.is_blocked for row in details.combos] == [False] * 3 + [True] * 3
    assert all(row.likelihood is None for row in details.combos if row.is_blocked)
    assert details.combos[0].share >= details.combos[2].share > 0
    assert details.combos[0].text in details.lines
    assert figure_line(last.figures[0]) in details.lines


def test_a_fully_blocked_class_names_its_blockers() -> None:
    observation = samples.observe(samples.play(1)[:3])
    blocked = OpponentRange(opponent({"KsKd": 1}).prediction, observation)
    blocked.dead = parse_cards("Ah Ad As Jh")
    assert blocked.details(0).summary == "all 6 combos are blocked by your A♥"
    assert blocked.grid().live[0] == 0


def test_details_before_any_action_have_no_why() -> None:
    assert opponent({"KsKd": 1.0}).details(14).why == ""


def test_effective_combos_counts_equals_as_themselves() -> None:
    assert effective_combos(np.full(37, 0.2)) == pytest.approx(37)
    assert effective_combos(np.zeros(5)) == 0
    assert 1 < effective_combos(np.array([0.9, 0.1])) < 2


def test_truth_is_ranked_among_the_live_combos() -> None:
    found = opponent({"KsKd": 0.5, "QsQd": 0.3, "2s2d": 0.2})
    truth = found.truth(parse_cards("QdQs"))  # type: ignore[arg-type]
    assert (truth.rank, truth.live) == (2, 50 * 49 // 2)
    assert truth.share == pytest.approx(0.3)
    assert truth.top == pytest.approx(0.8)
    assert truth.text == "true hand Q♦Q♠: 30.0%, combo 2 of 1225, in the top 80% of the range"
    assert class_name(truth.hand_class) == "QQ"


def test_sentence_names_who_gained() -> None:
    live = unblocked(samples.HOLE_CARDS)
    likelihood = np.where(COMBO_CLASS == 14, 1.0, 0.1) * live
    prior = live / live.sum()
    posterior = prior * likelihood / (prior @ likelihood)
    update = RangeUpdate(
        action(ActionClass.OPEN_RAISE, street=Street.PREFLOP),
        (),
        frozen_vector(likelihood),
        float(prior @ likelihood),
        (),
    )
    found = OpponentRange(
        Prediction(1, "x", frozen_vector(prior), (update,), frozen_vector(posterior)),
        samples.observe(samples.play(1)[:3]),
    )
    assert found.sentence(1).startswith("Preflop, raises: 1225 → ")
    assert "more KK; less " in found.sentence(1)
    assert found.sentence(0).startswith("Start: 1225 possible combos")


def test_points_of_a_hand_in_words() -> None:
    points = hand_points(samples.observe(samples.play(2)))
    assert [point.label for point in points[:4]] == [
        "Preflop: the deal",
        "Preflop: you raise to 60",
        "Preflop: Ada calls 50",
        "Preflop: Boris calls 40",
    ]
    assert "Flop: A♣ T♦ 4♥" in [point.label for point in points]
    assert "Flop: Ada bets 90" in [point.label for point in points]
    counts = [point.event_count for point in points]
    assert counts == sorted(set(counts))
    assert counts[0] == 3  # the start and two blinds
    assert counts[-1] == len(samples.play(2))


def test_positions() -> None:
    observation = samples.observe(samples.play(3))
    assert [position_name(observation, seat) for seat in range(4)] == ["button", "small blind", "big blind", ""]


@pytest.mark.parametrize(
    ("action_class", "facing", "words"),
    [
        (ActionClass.HALF_POT, False, "bets half pot"),
        (ActionClass.OVERBET, True, "raises pot or more"),
        (ActionClass.THREE_BET, True, "3-bets"),
        (ActionClass.CHECK, False, "checks"),
    ],
)
def test_actions_in_words(action_class: ActionClass, facing: bool, words: str) -> None:
    assert action_words(action(action_class, facing=facing)) == words


def test_the_papers_reader_is_called_overconfident() -> None:
    short, full = trust_line("paper")
    assert "overconfident" in short
    assert "overconfident" in full
    assert "not been measured" in trust_line("something new")[1]
    assert "something new" in trust_line("something new")[0]


def test_figures_carry_their_count() -> None:
    assert figure_line(Figure("entry rate", 0.31, 0.27, 14)) == "entry rate: 0.31 (default 0.27, 14 seen)"
    assert figure_line(Figure("entry rate", 0.27, 0.27)) == "entry rate: 0.27 (default)"
