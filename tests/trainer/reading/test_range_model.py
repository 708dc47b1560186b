import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.agent import (
    RAISING,
    ActionClass,
    Figure,
    PositionGroup,
    Prediction,
    RangeUpdate,
    UnderstoodAction,
)
from engine.agents.fold.understand import size_class
from engine.agents.readers import DEFAULT_READER, READERS
from engine.cards import (
    COMBO_CLASS,
    COMBO_COUNT,
    Street,
    class_name,
    combo_of,
    parse_cards,
    unblocked,
)
from engine.codec import frozen_vector
from tests.trainer import samples
from trainer.reading.range_model import (
    OpponentRange,
    action_words,
    figure_line,
    hand_points,
    opponent_ranges,
    percent,
    position_name,
    reader_choices,
    reader_title,
    share_texts,
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


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=6))
def test_parts_of_a_range_add_up_as_they_are_written(parts: list[int]) -> None:
    shares = [part / sum(parts) for part in parts]
    texts = share_texts(shares)
    rounded = [float(text.strip("<%")) for text, share in zip(texts, shares, strict=True) if share >= 0.001]
    little = sum(share < 0.001 for share in shares)  # written by themselves
    assert sum(rounded) == pytest.approx(100, abs=0.05 + 0.1 * little)
    assert all(abs(float(text.strip("<%")) - 100 * share) < 0.1 for text, share in zip(texts, shares, strict=True))


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
    told = f"KK bets this size 90% of the time here, an average hand of this range {100 * mean:.0f}%."
    for step in (1, 2, None):
        assert found.details(14, step).why == f"Flop, bets 50% pot ×{0.9 / mean:.1f}: {told}"
    chain = found.details(14).chain
    assert chain is not None
    assert [line.is_counted for line in chain.lines] == [True, True]
    assert chain.lines[0].text == "Flop, calls: This action tells no hand of this range from another."
    assert chain.product.count("×") == 1


def test_details_of_a_cell_say_what_and_why() -> None:
    point = samples.readings(1)[-1]
    found = opponent_ranges(point)[0]
    queens = 2 * 13 + 2
    details = found.details(queens)
    # Qc lies on the board: three of six combos are left.
    assert details.summary == "3 of 6 combos live"
    assert details.heading.startswith("QQ: 3 of 6 combos live, prior 0.30% × ")
    last = found.prediction.updates[-1]
    assert f"an average hand of this range {100 * last.mean_likelihood:.0f}%" in details.why
    assert details.why.startswith(f"River, {action_words(last.action)} ×")
    assert details.text == f"{details.heading}. {details.why}"
    assert max(len(line) for line in details.lines.splitlines()[1:]) <= 84
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
    assert blocked.details(0).chain is None
    assert blocked.details(0).text == "AA: all 6 combos are blocked by your A♥"
    assert blocked.grid().live[0] == 0


def test_details_before_any_action_have_no_why() -> None:
    details = opponent({"KsKd": 1.0}).details(14)
    assert details.why == ""
    assert details.text == "KK: 6 combos live, prior 0.49%"


def ratios(product: str) -> list[float]:
    return [float(part.split()[0]) for part in product.split(" × ")[1:]]


def test_the_product_of_a_chain_comes_to_the_share_in_the_grid() -> None:
    for found in opponent_ranges(samples.readings(3)[-1]):
        for step in (*range(len(found.steps)), None):
            sums = found.grid(step).sums
            likeliest = int(sums.argmax())
            chain = found.details(likeliest, step).chain
            assert chain is not None
            assert len(chain.lines) == (len(found.steps) - 1 if step is None else step)
            product = chain.product
            prior = float(product.removeprefix("prior ").split("%")[0]) / 100
            expected = float(found.grid(0).sums[likeliest])
            assert prior == pytest.approx(expected, rel=0.05)
            if step != 0:
                end = float(product.split(" = ")[1].rstrip("%")) / 100
                assert end == pytest.approx(float(sums[likeliest]), rel=0.06)
                assert prior * np.prod(ratios(product)) == pytest.approx(end, rel=0.2)


def test_a_factor_that_leaves_something_does_not_read_as_0() -> None:
    live = unblocked(samples.HOLE_CARDS)
    prior = frozen_vector(live / live.sum())
    raises = frozen_vector(np.where(COMBO_CLASS == 14, 0.0012, 0.3) * live)
    posterior = frozen_vector(prior.astype(float) * raises / float((prior.astype(float) * raises).sum()))
    update = samples.readings(1)[-1].predictions[0].updates[0]
    update = replace(update, likelihood=raises, mean_likelihood=float(prior.astype(float) @ raises))
    observation = samples.readings(1)[-1].observation
    found = OpponentRange(Prediction(1, "uniform", prior, (update,), posterior), observation).details(14)
    assert found.chain is not None
    assert " × 0.0040 preflop = " in found.chain.product
    assert " ×0.0040: " in found.chain.lines[0].text


def test_the_newest_line_comes_first_and_single_combos_have_chains_of_their_own() -> None:
    found = opponent_ranges(samples.readings(1)[-1])[0]
    kings = found.details(14)
    assert kings.chain is not None
    assert [line.text.split(",")[0] for line in kings.chain.lines] == ["River", "Turn", "Flop", "Preflop"]
    row = kings.combos[0]
    single = found.chain((row.combo,))
    assert single.title == row.text
    assert single.lines[0].text.split(": ")[1].startswith(f"{row.text} ")
    assert found.chain((row.combo,)) is single, "taken apart once"


def test_a_replaced_action_is_told_apart_in_the_chain() -> None:
    live = unblocked(samples.HOLE_CARDS)
    prior = frozen_vector(live / live.sum())
    checks = frozen_vector(np.where(COMBO_CLASS == 14, 0.2, 0.6) * live)
    raises = frozen_vector(np.where(COMBO_CLASS == 14, 0.8, 0.1) * live)
    posterior = prior.astype(float) * raises
    updates = (
        RangeUpdate(action(ActionClass.CHECK), (), checks, 0.6, ()),
        RangeUpdate(action(ActionClass.HALF_POT, facing=True), (), raises, 0.1, (), replaces=0),
    )
    found = OpponentRange(
        Prediction(1, "paper", prior, updates, frozen_vector(posterior / posterior.sum())),
        samples.observe(samples.play(1)[:3]),
    )
    chain = found.details(14).chain
    assert chain is not None
    assert [line.is_counted for line in chain.lines] == [True, False]
    assert chain.lines[1].text.startswith("Flop, checks: KK checks 20% of the time here")
    assert chain.lines[1].text.endswith("A later action stands for this street now.")
    # After the check alone it still counts.
    before = found.details(14, 1).chain
    assert before is not None
    assert before.lines[0].text.startswith("Flop, checks ×0.3")


def test_truth_is_ranked_among_the_live_combos() -> None:
    found = opponent({"KsKd": 0.5, "QsQd": 0.3, "2s2d": 0.2})
    truth = found.truth(parse_cards("QdQs"))  # type: ignore[arg-type]
    assert truth.text == "true hand Q♦Q♠: 30.0%, likelihood rank 2 of 1,225 live combos"
    assert class_name(truth.hand_class) == "QQ"


def test_truth_has_no_rank_where_all_combos_are_alike() -> None:
    live = unblocked(samples.HOLE_CARDS)
    alike = live / live.sum()
    nobody_acted = Prediction(1, "paper", frozen_vector(alike), (), frozen_vector(alike))
    truth = OpponentRange(nobody_acted, samples.observe(samples.play(1)[:3])).truth(parse_cards("8d5s"))  # type: ignore[arg-type]
    assert (truth.short, truth.text) == (
        "8♦5♠ 0.08%, like all",
        "true hand 8♦5♠: 0.08%, like every other live combo",
    )


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
    assert found.sentence(1).startswith("Preflop, raises: 1,225 → ")
    assert "more KK; less " in found.sentence(1)
    assert found.sentence(0).startswith("Before any action: 1,225 live combos, all equally likely.")


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
        (ActionClass.HALF_POT, False, "bets 50% pot"),
        (ActionClass.OVERBET, True, "raises 50% pot"),
        (ActionClass.THREE_BET, True, "3-bets"),
        (ActionClass.CHECK, False, "checks"),
    ],
)
def test_actions_in_words(action_class: ActionClass, facing: bool, words: str) -> None:
    assert action_words(action(action_class, facing=facing)) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [(1.0, "bets 100% pot"), (1 / 3, "bets 33% pot"), (0.004, "bets 1% pot"), (1.25, "bets 125% pot")],
)
def test_a_bet_is_called_by_its_size_and_not_by_its_class(size: float, words: str) -> None:
    assert action_words(replace(action(size_class(size)), size_over_pot=size)) == words


def test_the_papers_reader_is_called_overconfident() -> None:
    short, full = trust_line("paper")
    assert "Overconfident" in short
    assert "overconfident" in full
    assert "not known" in trust_line("something new")[0]
    assert "'something new' can be trusted has not been measured" in trust_line("something new")[1]


@pytest.mark.parametrize("name", ["learned", "paper", "paper-tuned", "markov", "uniform"])
def test_what_is_said_of_a_reader_finds_room_beside_its_name(name: str) -> None:
    short, full = trust_line(name)
    assert len(short) <= 52
    assert full.endswith(".")
    assert "not known" not in short


def test_readers_are_named_for_people_the_default_one_first() -> None:
    choices = dict(reader_choices())
    assert set(choices) == set(READERS)
    assert next(iter(choices)) == DEFAULT_READER
    assert choices["paper"] == "Paper"
    assert reader_title("deep-thought") == "Deep thought"


def test_figures_carry_their_count() -> None:
    assert figure_line(Figure("entry rate late", 0.31, 0.27, 14)) == (
        "Hands played, late position: 31.0% (a stranger's 27.0%, 14 seen)"
    )
    assert figure_line(Figure(RAISING, 0.31, 0.12, 1)) == (
        "Part of the range that bets or raises: 31.0% (a stranger's 12.0%, 1 seen)"
    )
