import numpy as np
import pytest

from engine.agents.agent import ActionClass, Figure, UnderstoodAction
from engine.agents.fold.opponent_model import OpponentModel, win_probabilities
from engine.agents.fold.parameters import default_parameters, tuned_numbers, with_numbers
from engine.agents.fold.predict import PaperReader
from engine.agents.posterior import posterior_of
from engine.agents.readers import make_reader
from engine.cards import COMBO_COUNT, unblocked
from engine.codec import encode
from engine.game.history import observation_at
from tests.engine.agents.hands import board, combo, deal, play, table_on_the_turn, turn_of


class ScriptedModel(OpponentModel):
    """Gives the next of some vectors for every action that it is asked about."""

    def __init__(self, vectors: list[np.ndarray]) -> None:
        super().__init__(default_parameters())
        self.vectors = vectors
        self.asked: list[ActionClass] = []

    def likelihood(self, name: str, action: UnderstoodAction, *_: object) -> tuple[np.ndarray, tuple[Figure, ...]]:
        self.asked.append(action.action_class)
        return self.vectors[len(self.asked) - 1], ()


def test_the_papers_worked_example_through_the_reader() -> None:
    """Fig. 3: he opens under the gun, check-calls the flop, bets turn and river; we are on the button."""
    words = "300 f f c f f | x 400 c | 1200 c | 1500"
    table = play(deal([10_000] * 6, hole_cards={0: "AhJh", 3: "8s7s"}, board="AcTd4hQc5c"), words)
    observation = table.observe(0)
    live = unblocked((*observation.board, *observation.hole_cards))
    assert live.sum() == 990
    first, second = combo("AdTc"), combo("KsJc")
    rest = (2e-5 - 7.2e-9 - 4.32e-8) / 988
    streets = [np.where(live, rest, 0.0), *(np.where(live, 1.0, 0.0) for _ in range(3))]
    for vector, at_first, at_second in zip(
        streets, (0.01, 0.006, 0.024, 0.005), (0.002, 0.03, 0.024, 0.03), strict=True
    ):
        vector[first], vector[second] = at_first, at_second
    # The flop's check has a vector too, which the call, more aggressive, replaces.
    check = np.random.default_rng(4).random(COMBO_COUNT)
    reader = PaperReader(default_parameters())
    model = ScriptedModel([streets[0], check, *streets[1:]])
    reader.model = model
    made = reader.predict(observation, 3)
    assert [asked.value for asked in model.asked] == [
        "raise",
        "check",
        "call",
        "three-quarter pot",
        "half pot",
    ]
    assert np.count_nonzero(made.posterior) == 990
    assert made.posterior.sum() == pytest.approx(1.0, abs=1e-6)
    assert made.posterior[first] == pytest.approx(0.00036, rel=1e-5)
    assert made.posterior[second] == pytest.approx(0.00216, rel=1e-5)


def test_what_is_kept_of_a_hand_changes_no_prediction() -> None:
    """A reader that has seen the hand from its start reads it as one that sees the last moment alone."""
    table = table_on_the_turn()
    reader, alone = PaperReader(default_parameters()), PaperReader(default_parameters())
    for made in (reader, alone):
        for _ in range(3):
            made.learn(play(deal(), "300 c | x 300 c | x x | 900 f").events)
    for count in range(6, len(table.events) + 1):
        reader.predict(observation_at(table.observe(0), count), 1)
    once, again = reader.predict(table.observe(0), 1), reader.predict(table.observe(0), 1)
    assert encode(once) == encode(again) == encode(alone.predict(table.observe(0), 1))
    reader.learn(table.events)
    assert encode(reader.predict(table.observe(0), 1)) != encode(once)


def test_who_has_not_acted_keeps_the_uniform_prior() -> None:
    predictions = make_reader("paper").read(turn_of(deal([10_000] * 9)))
    assert len(predictions) == 8
    for made in predictions:
        assert made.updates == ()
        assert len(set(made.posterior[made.posterior > 0])) == 1
        assert np.count_nonzero(made.posterior) == 1225


def test_a_more_aggressive_action_replaces_the_street_and_a_lesser_one_says_nothing() -> None:
    observation = table_on_the_turn().observe(0)
    (made,) = PaperReader(default_parameters()).read(observation)
    classes = [done.action.action_class for done in made.updates]
    assert classes[:2] == [ActionClass.CALL, ActionClass.CHECK]
    assert [done.replaces for done in made.updates] == [None, None, 1, None]
    counted = [made.updates[0], made.updates[2], made.updates[3]]
    product = made.prior.astype(np.float64)
    for done in counted:
        product = product * done.likelihood
    assert np.allclose(made.posterior, product / product.sum(), atol=1e-8)

    # From the other side: a bet, then a call of the raise. The call adds nothing.
    (made,) = PaperReader(default_parameters()).read(table_on_the_turn().observe(1))
    assert [done.replaces for done in made.updates] == [None, None, None]
    call = made.updates[2]
    assert call.mean_likelihood == 1
    assert set(call.likelihood) == {0.0, 1.0}


def test_the_mean_likelihood_is_that_of_the_range_before() -> None:
    (made,) = PaperReader(default_parameters()).read(table_on_the_turn().observe(0))
    before = [
        made.prior,
        posterior_of(made.prior, made.updates[:1]),
        posterior_of(made.prior, made.updates[:2]),
        posterior_of(made.prior, made.updates[:3]),
    ]
    for vector, done in zip(before, made.updates, strict=True):
        expected = float((vector.astype(np.float64) * done.likelihood).sum())
        assert done.mean_likelihood == pytest.approx(expected, rel=1e-6)


def test_the_tuned_reader_is_the_papers_with_other_numbers() -> None:
    observation = table_on_the_turn().observe(0)
    tuned, plain = (make_reader(name).read(observation)[0] for name in ("paper-tuned", "paper"))
    numbers = with_numbers(default_parameters(), tuned_numbers())
    same = PaperReader(numbers).read(observation)[0]
    assert (tuned.posterior == same.posterior).all()
    assert [update.replaces for update in tuned.updates] == [update.replaces for update in plain.updates]
    # It was tuned because the other is too sure.
    assert tuned.posterior.max() < plain.posterior.max()


def test_a_bet_makes_strong_hands_likelier_than_a_check_does() -> None:
    cards = {0: "9h8h"}
    bet = play(deal(hole_cards=cards, board="AcTd4hQc5c"), "300 c | 600")
    check = play(deal(hole_cards=cards, board="AcTd4hQc5c"), "300 c | x")
    reader = PaperReader(default_parameters())
    strengths = win_probabilities(board("AcTd4h"))
    means = [float(reader.read(table.observe(0))[0].posterior @ strengths) for table in (bet, check)]
    assert means[0] > means[1] + 0.1


def test_learning_changes_what_the_same_action_says() -> None:
    reader = PaperReader(default_parameters())
    shown = deal(hole_cards={0: "9h8h"}, board="AcTd4hQc5c")
    observation = play(shown, "300 c | x 400 c").observe(0)
    before = reader.read(observation)[0].posterior
    for _ in range(30):
        reader.learn(play(deal(board="AcTd4hQc5c"), "300 c | x 400 c | x x | x x").events)
    after = reader.read(observation)[0].posterior
    strengths = win_probabilities(board("AcTd4h"))
    # A man who always calls says less by calling, so the range is weaker than a stranger's.
    assert float(after @ strengths) < float(before @ strengths)
