"""What answers a bet, against the same model asked hand by hand on hands that the rules have played on."""

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.agents.agent import Answer, Prediction, Trace
from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.reader import LearnedReader
from engine.agents.reading import reading
from engine.agents.soulread.answers import answers_in, answers_of
from engine.agents.soulread.play import moment_of, play_of, rows_on
from engine.cards import Street
from engine.equity.matchups import heads_up_table
from engine.game.events import CHECK, FOLD, Action, raise_to
from engine.game.observation import Observation
from engine.game.table import Table
from engine.kernels import playing
from engine.ranges import parse_range
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.soulread.spots import predicted, valued

READER = LearnedReader(adapts=False)


class Blunt(LearnedReader):
    """Knows that nobody's hole cards matter much to what they do."""

    def sharpness(self, name: str, street: Street = Street.FLOP) -> float:
        return 0.3


def answers(observation: Observation, predictions: tuple[Prediction, ...], action: Action) -> tuple[Answer, ...]:
    (found,) = answers_of(observation, predictions, READER, [action])
    return found


def chosen(table: Table, weights: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how often the seat to act makes each choice with a range, asked combo by combo."""
    observation = turn_of(table)
    likelihoods = stored_likelihoods().at(len(observation.seats))
    network = likelihoods.networks.postflop
    scratch = playing.new_scratch(len(network.situation), len(network.first_bias), len(network.second_bias))
    moment, model = moment_of(observation), play_of(observation, READER)
    rows, kinds = rows_on(likelihoods, observation.board), likelihoods.first_layer(observation.board)[1]
    total = np.zeros(playing.CHOICES)
    for combo in np.flatnonzero(weights).tolist():
        strength = float(shares_weaker(observation.board)[combo])
        playing.choose(moment, model, rows[kinds[combo]], strength, scratch)
        total += weights[combo] * scratch.numbers
    return total


@pytest.mark.parametrize(
    ("words", "board", "bet"),
    [
        ("", "", raise_to(250)),
        ("250 c c | x x", "Ks7s2d", raise_to(300)),
        ("250 c c | x x x | x", "Ks7s2d4c", raise_to(9_750)),
        ("250 c c | 300", "Ks7s2d", raise_to(900)),
    ],
    ids=["open", "bet", "all-in", "raise"],
)
def test_everybody_is_asked_in_turn_as_if_those_before_had_folded(words: str, board: str, bet: Action) -> None:
    table = play(deal((10_000,) * 3, hole_cards={0: "QcJc", 1: "9c9d", 2: "Ad3d"}, board=board), words)
    observation = turn_of(table)
    predictions = READER.read(observation)
    found = answers(observation, predictions, bet)
    table.apply(bet)
    for answer in found:
        assert table.to_act == answer.seat
        (posterior,) = [one.posterior for one in predictions if one.seat == answer.seat]
        shares = chosen(table, posterior)
        assert answer.folds == pytest.approx(shares[playing.FOLDS], abs=1e-6)
        assert answer.calls.share == pytest.approx(shares[playing.CALLS], abs=1e-6)
        assert answer.raises.share == pytest.approx(shares[playing.SMALL :].sum(), abs=1e-6)
        assert answer.folds + answer.calls.share + answer.raises.share == pytest.approx(1, abs=1e-5)
        table.apply(FOLD)
    assert table.is_over, "nobody is left out"


def test_who_is_all_in_or_has_folded_has_no_answer() -> None:
    observation = turn_of(play(deal((10_000, 600, 10_000, 10_000), board="Ks7s2d"), "600 f c c"))
    (answer,) = answers(observation, READER.read(observation), raise_to(500))
    assert answer.seat == 3, "the button folded, the small blind is all-in"
    assert answers(observation, READER.read(observation), CHECK) == ()


@pytest.mark.parametrize("reader", [READER, Blunt(adapts=False)])
@pytest.mark.parametrize("board", ["Ks7s2d4c9h", "Ks7s2d"])
def test_folds_are_those_of_the_values(reader: LearnedReader, board: str) -> None:
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board=board), "250 c | x"))
    predictions = reader.read(observation)
    values = valued(observation, predictions, 2_048, reader=reader)
    raises = [one for one in values.actions if one.action.raise_to]
    assert len(raises) > 4
    for one, (answer,) in zip(
        raises, answers_of(observation, predictions, reader, [one.action for one in raises]), strict=True
    ):
        assert answer.folds == pytest.approx(one.all_fold, abs=0.03)


def test_nobody_is_said_to_fold_less_to_a_larger_bet_than_to_a_smaller() -> None:
    """A limper with 450 chips folded 49% to a raise to 440 and 38% to one to 500, where the values say 42%."""
    observation = turn_of(play(deal((10_000, 450, 10_000), hole_cards={2: "Ad7s"}), "f c"))
    predictions = READER.read(observation)
    values = valued(observation, predictions, 4_096, reader=READER)
    raises = [one for one in values.actions if one.action.raise_to]
    assert any(one.action.raise_to < 450 for one in raises)
    found = answers_of(observation, predictions, READER, [one.action for one in raises])
    folds = [answer.folds for (answer,) in found]
    assert folds == sorted(folds)
    assert folds == pytest.approx([one.all_fold for one in raises], abs=0.03)
    assert [answer.folds for (answer,) in answers_of(observation, predictions, READER, [raise_to(500)])] != folds[
        -1:
    ]


def test_whose_hole_cards_hardly_matter_calls_with_worse() -> None:
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board="Ks7s2d4c9h"), "250 c | x"))
    predictions, bet = READER.read(observation), raise_to(500)
    ((usual,),) = answers_of(observation, predictions, READER, [bet])
    ((blunt,),) = answers_of(observation, predictions, Blunt(adapts=False), [bet])
    assert blunt.calls.ahead > usual.calls.ahead + 0.1


@pytest.mark.parametrize(
    ("theirs", "group", "ahead"),
    [
        ("77", "two pair or better", 0),
        ("K7s", "two pair or better", 0),
        ("AA", "top pair or overpair", 0),
        ("KJo", "top pair or overpair", 1),
        ("A7o,55", "weaker pairs", 1),
        ("As5s,6s5s", "draws", 1),
        ("AhJh,6h5h", "nothing", 1),
        ("KcQd", "top pair or overpair", 0.5),
    ],
)
def test_what_calls_is_named_as_players_do(theirs: str, group: str, ahead: float) -> None:
    """Against a king and a queen; nobody has a straight draw on king, seven, deuce."""
    observation = turn_of(play(deal(hole_cards={0: "KhQh"}, board="Ks7s2d"), "250 c | x"))
    (answer,) = answers(observation, predicted(observation, {1: theirs}), raise_to(150))
    for part in (answer.calls, answer.raises):
        assert [name for name, _ in part.hands] == [group]
        assert part.hands[0][1] == pytest.approx(1)
        assert part.ahead == pytest.approx(ahead)


def test_before_the_flop_most_of_a_narrow_range_is_written_out() -> None:
    """Who raises jacks and is raised again."""
    observation = turn_of(play(deal((10_000,) * 3, hole_cards={0: "JhJd"}), "250 f 900"))
    predictions = READER.read(observation)
    (answer,) = answers(observation, predictions, raise_to(2_200))
    ((text, share),) = answer.raises.hands
    mask = parse_range(text).weights > 0
    assert 0.75 <= share < 0.95
    assert mask[parse_range("AA,KK").weights > 0].all()
    assert not mask[parse_range("72o,J3o,98o,22").weights > 0].any()
    wins = heads_up_table().equities()[np.flatnonzero(parse_range("JhJd").weights)[0]] > 0.5
    assert answer.raises.ahead < predictions[0].posterior @ wins, "better hands raise"


def test_before_the_flop_a_wide_range_is_said_in_kinds_of_hole_cards() -> None:
    observation = turn_of(deal((10_000,) * 3, hole_cards={0: "JhJd"}))
    (_, big_blind) = answers(observation, predicted(observation, {1: "random", 2: "random"}), raise_to(200))
    names = [name for name, _ in big_blind.calls.hands]
    assert names[:3] == ["pairs from tens", "lower pairs", "suited aces"]
    assert sum(share for _, share in big_blind.calls.hands) == pytest.approx(1)


def test_a_trace_says_the_same_without_its_reader() -> None:
    """With the folds of its values, which were sampled."""
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board="Ks7s2d4c9h"), "250 c | x"))
    predictions = READER.read(observation)
    values = valued(observation, predictions, 1_024, reader=READER)
    read = reading(observation, predictions, 1)
    trace = Trace(
        style="soulread", seed=1, observation=observation, reading=read, rule="value", action=CHECK, values=values
    )
    actions = [one.action for one in values.actions]
    found, known = answers_in(trace), answers_of(observation, predictions, READER, actions)
    assert [len(answers) for answers in found] == [int(action.raise_to > 0) for action in actions]
    for one, (own,), (known_one,) in zip(values.actions[1:], found[1:], known[1:], strict=True):
        assert own.folds == pytest.approx(one.all_fold, abs=1e-3)
        assert own.folds + own.calls.share + own.raises.share == pytest.approx(1, abs=1e-5)
        assert own.calls.ahead == pytest.approx(known_one.calls.ahead, abs=0.02)


def test_folds_that_cannot_be_come_as_near_as_they_can() -> None:
    """A royal flush never folds."""
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board="AsKsQs2d3c"), "250 c | x x | x x | x"))
    predictions = predicted(observation, {1: "JsTs"})
    values = valued(observation, predictions, 128, reader=READER)
    one = replace(values.actions[-1], all_fold=0.9)
    trace = Trace(
        style="soulread",
        seed=1,
        observation=observation,
        reading=reading(observation, predictions, 1),
        rule="value",
        action=CHECK,
        values=replace(values, actions=(one,)),
    )
    ((answer,),) = answers_in(trace)
    assert answer.folds == 0
    assert answer.calls.share == pytest.approx(1)
