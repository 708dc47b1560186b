"""That every choice made otherwise is a reader, and does what its name says."""

import msgspec
import numpy as np
import pytest

from engine.agents.agent import ActionClass
from engine.agents.fold.opponent_model import Domain, relative_value, win_probabilities
from engine.agents.fold.parameters import default_parameters
from engine.agents.fold.predict import PaperReader
from engine.cards import parse_cards, unblocked
from engine.lab.paper_choices import (
    CHOICES,
    Choice,
    FactorPerActionReader,
    UncappedModel,
    crowd_probabilities,
    live_losses,
    preflop_probabilities,
    summary,
    table_row,
)
from engine.lab.reading import STREETS
from tests.engine.agents.hands import deal, play
from tests.engine.lab.recorded import random_hand

PARAMETERS = default_parameters()
HANDS = [random_hand(seed, seats) for seed, seats in ((3, 6), (4, 6), (5, 6), (6, 3), (7, 2))]


@pytest.mark.every(4)
@pytest.mark.parametrize("choice", CHOICES, ids=[f"{one.question}: {one.instead}" for one in CHOICES])
def test_every_choice_reads_and_is_not_the_reader_as_it_is(choice: Choice) -> None:
    made = choice.make(PARAMETERS)
    base = live_losses(PaperReader(PARAMETERS), HANDS)
    rows = live_losses(made, HANDS)
    assert (rows[:, :2] == base[:, :2]).all()
    assert np.isfinite(rows).all()
    assert (rows[:, 2] > 0).all()
    assert not np.allclose(rows[:, 2], base[:, 2], atol=1e-6)


def test_uncapped_is_eq_6_as_printed() -> None:
    narrow = Domain(ActionClass.CALL, 0.608, 0.612, 0.61)
    wide = Domain(ActionClass.FOLD, 0.0, 0.608, 0.3)
    axis = np.array([0.2, 0.605, 0.61, 0.7])
    found = UncappedModel(PARAMETERS).shares(axis, [wide, narrow], 50.0)[ActionClass.CALL]
    fold = relative_value(axis, wide, 50.0)
    # 0.61 / (0.61 - 0.605) = 122 and 0.61 / 0.41; 0.39 / 0.09 above it.
    call = np.array([0.61 / 0.41, 122.0, 50.0, 0.39 / 0.09])
    assert np.allclose(found, call / (call + fold))


def test_against_one_the_crowd_is_one() -> None:
    board = tuple(sorted(parse_cards("Ks7d2h9s")))
    live = unblocked(board)
    one, three = crowd_probabilities(board, 1), crowd_probabilities(board, 3)
    assert np.allclose(one[live], win_probabilities(board)[live], atol=1e-5)
    assert one[live].mean() == pytest.approx(1 / 2, abs=1e-3)
    assert three[live].mean() == pytest.approx(1 / 4, abs=2e-3)
    assert preflop_probabilities().mean() == pytest.approx(1 / 2, abs=1e-3)


def test_one_factor_per_action_multiplies_them_all() -> None:
    observation = play(deal(hole_cards={0: "AhJh"}, board="AcTd4hQc5c"), "300 c | x 300 900 c | 1200").observe(0)
    (made,) = FactorPerActionReader(PARAMETERS).read(observation)
    assert [update.replaces for update in made.updates] == [None] * 4
    product = made.prior.astype(np.float64)
    for update in made.updates:
        product = product * update.likelihood
    assert np.allclose(made.posterior, product / product.sum(), atol=1e-7)


def test_the_summary_is_of_means_and_of_differences_hand_against_hand() -> None:
    # Two hands of two points: losses 1 and 2, 3 and 6; the other reader loses 1 more in the second hand.
    rows = np.array([[0, 0, 1.0], [0, 1, 2.0], [1, 0, 3.0], [1, 0, 6.0]])
    beside = rows + np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1.0], [0, 0, 1.0]])
    found = summary(rows, beside)
    assert found.means == {"preflop": pytest.approx(10 / 3), "flop": 2.0, "all": 3.0}
    assert list(found.means) == [name for name in (*STREETS, "all") if name in found.means]
    assert found.difference == -0.5
    # Sums of the residuals 1 and -1 over hands: sqrt(2 / 1 * 2) / 4.
    assert found.difference_stderr == pytest.approx(0.5)
    row = table_row("q", "c", msgspec.structs.replace(found, difference=0.25))
    assert row.startswith("| q | c | 3.333 ± ")
    assert row.endswith("| +0.250 ± 0.500 |")
