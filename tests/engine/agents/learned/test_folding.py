"""What folds to bets follow: learned of own bets as by Bayes' rule, kept, counted in values, and told."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.agents.agent import Figure, KnownPlayer, Prediction, Trace
from engine.agents.explain import explain
from engine.agents.learned.adaptation import _Memory, _PlayerModel
from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS
from engine.agents.learned.folding import BY_SIZE, FACTOR, POWER, Folding, ahead_of, folding_in
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.tilts import CONTEXTS, Numbers
from engine.agents.soulread import play as playing_on
from engine.agents.soulread import values
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.soulread.answers import answers_of, learn_answers
from engine.codec import StoredDataError, encode, pack, unpack
from engine.game.events import CHECK, Action, raise_to
from engine.game.observation import Observation
from engine.game.sizing import pot_fraction, pot_fraction_total
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.soulread.spots import predicted, valued

BOARD = "Kc9d4s2h7c"
BET, BET_POTS = raise_to(300), 0.5
SIZES = (200, 300, 600, 900, 2_400)


def at(words: str, stacks: tuple[int, ...] = (10_000, 10_000)) -> Observation:
    return turn_of(play(deal(stacks, board=BOARD), words))


def programs() -> LearnedReader:
    return LearnedReader(strangers=OF_PROGRAMS)


FLOP = at("300 c | x")
"""The button has raised and may bet the flop."""


def pot_sized(observation: Observation) -> Action:
    return raise_to(pot_fraction_total(observation, 1))


def ahead(reader: LearnedReader, observation: Observation = FLOP) -> float:
    return ahead_of(observation, reader.read(observation))


def folds(
    reader: LearnedReader, observation: Observation = FLOP, read_by: LearnedReader | None = None
) -> tuple[Figure, ...]:
    return reader.folds_to_bets(observation, (read_by or reader).read(observation))


def believed(reader: LearnedReader, observation: Observation = FLOP) -> Folding:
    return folding_in(folds(reader, observation)) or Folding()


@given(st.floats(0.1, 10), st.floats(0.1, 3), st.floats(-1, 2), st.floats(0.006, 0.993), st.floats(0.1, 20))
def test_more_expected_folds_are_more_folds(
    factor: float, power: float, by_size: float, expected: float, pots: float
) -> None:
    folding = Folding(factor, power, by_size)
    folds = folding.of(expected, pots)
    assert 0 < folds < folding.of(expected + 0.001, pots) < 1
    assert folds / (1 - folds) == pytest.approx(factor * (expected / (1 - expected)) ** power * pots**by_size)


def test_beyond_all_sizes_the_odds_change_no_more() -> None:
    folding = Folding(by_size=1.0)
    assert folding.of(0.5, 0.01) == folding.of(0.5, 0.1) < folding.of(0.5, 20.0) == folding.of(0.5, 100.0)


def test_strangers_are_as_the_model_has_people() -> None:
    assert believed(LearnedReader()) == Folding(1.0, 1.0)
    assert believed(programs()) != Folding(1.0, 1.0)
    assert folds(LearnedReader(adapts=False)) == ()


@pytest.mark.parametrize(("factor", "power", "by_size"), [(1.6, 0.3, 1.2), (0.7, 1.4, -0.4)])
def test_it_finds_what_there_is(factor: float, power: float, by_size: float) -> None:
    """Of many bets of a third of the pot to four pots, folded to by odds of that factor and those powers."""
    rng, reader = np.random.default_rng(1), programs()
    held = ahead(reader)
    for expected, bet in zip(rng.uniform(0.1, 0.9, 6000).tolist(), rng.choice(SIZES, 6000).tolist(), strict=True):
        did_fold = bool(rng.random() < Folding(factor, power, by_size).of(expected, bet / FLOP.pot))
        reader.learn_answer(FLOP, raise_to(bet), expected, ahead=held, did_fold=did_fold)
    found = believed(reader)
    assert found.power == pytest.approx(power, abs=0.1)
    assert found.by_size == pytest.approx(by_size, abs=0.1)
    assert log(found.factor) == pytest.approx(log(factor), abs=0.1)
    assert [figure.count for figure in folds(reader)] == [6000] * 3


@pytest.mark.parametrize(
    ("stacks", "words"),
    [((10_000, 10_000), "300 c | 300"), ((1_500, 1_500), "300 c | x")],
    ids=["raises", "little behind"],
)
def test_it_tells_spots_apart(stacks: tuple[int, int], words: str) -> None:
    """Bets with much behind are folded to 7 times of 10, raises or bets with little behind 3 of 10."""
    other = at(words, stacks)
    rng, reader = np.random.default_rng(3), programs()
    spots = [(spot, ahead(reader, spot), share) for spot, share in ((FLOP, 0.7), (other, 0.3))]
    for _ in range(400):
        for spot, held, share in spots:
            reader.learn_answer(spot, pot_sized(spot), 0.5, ahead=held, did_fold=bool(rng.random() < share))
    assert believed(reader).of(0.5, 1.0) == pytest.approx(0.7, abs=0.06)
    assert believed(reader, other).of(0.5, 1.0) == pytest.approx(0.3, abs=0.06)


def holding(cards: str) -> Observation:
    return turn_of(play(deal(hole_cards={FLOP.seat: cards}, board=BOARD), "300 c | x"))


WITH_NOTHING, WITH_A_SET = holding("3s2d"), holding("KsKh")


def test_bluffs_of_strangers_are_folded_to_less_than_good_hands() -> None:
    """By programs; people in recorded hands are as the model has them."""
    assert believed(programs(), WITH_NOTHING).of(0.6, 1.0) < believed(programs(), WITH_A_SET).of(0.6, 1.0) - 0.05
    assert believed(LearnedReader(), WITH_NOTHING) == believed(LearnedReader(), WITH_A_SET) == Folding()


@pytest.mark.parametrize("shares", [(0.4, 0.8), (0.7, 0.3)])
def test_it_learns_what_the_own_hand_says_of_folds(shares: tuple[float, float]) -> None:
    """Bets with nothing are folded to by the first of these, with a set by the second, where 0.6 is expected."""
    rng, reader = np.random.default_rng(4), programs()
    spots = [
        (spot, ahead(reader, spot), share) for spot, share in zip((WITH_NOTHING, WITH_A_SET), shares, strict=True)
    ]
    for _ in range(1000):
        for spot, held, share in spots:
            reader.learn_answer(spot, pot_sized(spot), 0.6, ahead=held, did_fold=bool(rng.random() < share))
    found = [believed(reader, spot).of(0.6, 1.0) for spot, _, _ in spots]
    assert found == pytest.approx(shares, abs=0.06)


def test_a_bet_of_more_than_can_be_called_is_what_can_be() -> None:
    reader, other = programs(), programs()
    short = at("300 c | x", (10_000, 2_100))
    for one, bet in ((reader, 9_700), (other, 1_800)):
        one.learn_answer(short, raise_to(bet), 0.5, ahead=0.5, did_fold=True)
    assert reader.memory() == other.memory() != programs().memory()


def test_it_is_nearly_the_best_guess_of_all_bets_at_once() -> None:
    """One after the other they come to the maximum of prior and likelihood, found by Newton's method."""
    rng, reader = np.random.default_rng(2), LearnedReader()
    expected = rng.uniform(0.1, 0.9, 40)
    did_fold = rng.random(40) < [Folding(1.5, 0.5).of(one, 1.0) for one in expected.tolist()]
    for one, folded in zip(expected.tolist(), did_fold.tolist(), strict=True):
        reader.learn_answer(FLOP, pot_sized(FLOP), one, ahead=0.5, did_fold=folded)
    by = np.stack([np.ones(40), np.log(expected / (1 - expected))], axis=1)
    depth = log(97 / 6 / 6)  # pots behind; how much that counts is as uncertain as the factor
    prior = np.array([0.0, 1.0])
    precision, mean = np.diag([1 / (0.4**2 + (0.3 * depth) ** 2), 0.35**-2]), prior
    for _ in range(30):
        folds = 1 / (1 + np.exp(-by @ mean))
        slope = by.T @ (did_fold - folds) - precision @ (mean - prior)
        mean = mean + np.linalg.solve(precision + (by.T * folds * (1 - folds)) @ by, slope)
    found = believed(reader)
    assert [log(found.factor), found.power] == pytest.approx(mean, abs=0.03)
    assert abs(found.power - 1) > 0.1


@pytest.mark.parametrize("expected", [0.0, 0.003, 0.998, 1.0])
def test_what_is_as_good_as_sure_teaches_nothing(expected: float) -> None:
    reader = programs()
    reader.learn_answer(FLOP, BET, expected, ahead=0.5, did_fold=True)
    assert folds(reader) == folds(programs())
    assert believed(reader).of(expected, 1.0) == expected


@pytest.mark.parametrize(
    ("stacks", "words", "counts"),
    [
        ((10_000,) * 2, "300 c | x", True),
        ((10_000,) * 3, "300 c f | x", True),
        ((10_000,) * 3, "300 c c | x x", False),
        ((10_000,) * 2, "", False),
        ((10_000, 1_000), "300 c | 700", False),
    ],
    ids=["heads-up", "one of two left", "two left", "before the flop", "facing an all-in"],
)
def test_it_counts_where_one_alone_can_answer(stacks: tuple[int, ...], words: str, *, counts: bool) -> None:
    found = folds(programs(), at(words, stacks))
    assert [figure.name for figure in found] == [FACTOR, POWER, BY_SIZE] * counts


# From hands


def hand(words: str, cards: str = "QhQd") -> Observation:
    """Return a finished hand as the button saw it."""
    table = deal(hole_cards={FLOP.seat: "AsJd", 1 - FLOP.seat: cards}, board=BOARD)
    return play(table, f"300 c | x 300 {words}").observe(FLOP.seat)


FOLD_OF_IT, CALL_OF_IT, RAISE_OF_IT = "f", "c | x x | x x", "900 f"


def learned(words: str, action: Action = BET, cards: str = "QhQd") -> LearnedReader:
    reader = programs()
    learn_answers(reader, hand(words, cards), [(FLOP, action)])
    return reader


def test_bets_teach_by_what_came_of_them() -> None:
    """From the folds that `answers_of` expects, which are then what is believed."""
    reader = LearnedReader()
    predictions = reader.read(FLOP)
    ((answer,),) = answers_of(FLOP, predictions, reader, [BET])
    by_size = LearnedReader(strangers=replace(OF_PEOPLE, folding=(0.0, 1.0, 0.0, 0.0, 0.0, 1.0)))
    ((then,),) = answers_of(FLOP, predictions, by_size, [BET])
    assert then.folds == pytest.approx(Folding(by_size=1.0).of(answer.folds, BET_POTS), abs=1e-3)
    for words, did_fold in ((FOLD_OF_IT, True), (CALL_OF_IT, False), (RAISE_OF_IT, False)):
        direct, by_hand = LearnedReader(), LearnedReader()
        direct.learn_answer(FLOP, BET, answer.folds, ahead=ahead(direct), did_fold=did_fold)
        learn_answers(by_hand, hand(words), [(FLOP, BET)])
        assert believed(by_hand) == pytest.approx(believed(direct)) != believed(reader)
        ((then,),) = answers_of(FLOP, predictions, by_hand, [BET])
        assert then.folds == pytest.approx(believed(by_hand).of(answer.folds, BET_POTS), abs=1e-3)
        assert (then.folds > answer.folds) == did_fold


def test_checks_and_what_two_can_answer_teach_nothing() -> None:
    assert learned(FOLD_OF_IT, CHECK).memory() == programs().memory()
    reader, three = programs(), at("300 c c | x x", (10_000,) * 3)
    final = play(deal((10_000,) * 3, board=BOARD), "300 c c | x x 300 f f").observe(three.seat)
    learn_answers(reader, final, [(three, BET)])
    assert reader.memory() == programs().memory()


def test_hidden_cards_change_nothing() -> None:
    """What is learned of a fold is the same whatever was folded."""
    found = [learned(FOLD_OF_IT, cards=cards).memory() for cards in ("QhQd", "7h2d")]
    assert found[0] == found[1]


def taught(words: str) -> SoulreadAgent:
    """Return an agent on the button whose bets of the flop came to that some times."""
    agent = SoulreadAgent("soulread")
    for _ in range(12):
        made = agent.decide(FLOP, 1, deals=128).trace
        agent.hand_finished(hand(words), [structs.replace(made, action=BET)])
    return agent


def test_the_agent_learns_it_and_keeps_it() -> None:
    """The decision of one that recalls the memory is the same; who was folded to expects more folds."""
    agents = {words: taught(words) for words in (FOLD_OF_IT, CALL_OF_IT)}
    made = {words: agent.decide(FLOP, 1, deals=128) for words, agent in agents.items()}
    assert [one.count for one in made[FOLD_OF_IT].trace.figures if one.name in (FACTOR, POWER, BY_SIZE)] == [12] * 3
    again = SoulreadAgent("soulread")
    again.recall(agents[FOLD_OF_IT].memory())
    assert encode(again.decide(FLOP, 1, deals=128)) == encode(made[FOLD_OF_IT])
    more, fewer = (made[words].trace.values for words in (FOLD_OF_IT, CALL_OF_IT))
    assert more is not None
    assert fewer is not None
    for one, other in zip(more.actions[1:], fewer.actions[1:], strict=True):
        assert one.all_fold > other.all_fold + 0.1


# From session to session


def test_it_goes_to_the_next_session_a_little_less_sure() -> None:
    reader = programs()
    for _ in range(200):
        reader.learn_answer(FLOP, BET, 0.5, ahead=0.5, did_fold=True)
    reader.learn(hand(CALL_OF_IT).events, FLOP.seat)
    met = programs()
    met.meet(reader.known_players())
    assert folds(met, read_by=reader) == folds(reader)
    for one in (reader, met):
        one.learn_answer(FLOP, BET, 0.5, ahead=0.5, did_fold=False)
    assert believed(met).factor < believed(reader).factor
    recalled = programs()
    recalled.recall(reader.memory())
    assert recalled.memory() == reader.memory()


def test_what_the_version_before_knew_of_folds_begins_anew() -> None:
    """It did not go by the own hand, and had other names; the rest of what it knew of a player stays."""
    reader = learned(CALL_OF_IT)
    reader.learn(hand(CALL_OF_IT).events, FLOP.seat)
    ((name, known),) = reader.known_players().items()
    model = unpack(known.model, _PlayerModel)
    before = {**structs.asdict(model), "folds": bytes(240), "bets": 7}
    met, wanted = programs(), programs()
    met.meet(
        {
            name: KnownPlayer(
                known.choices, pack({at: before[at] for at in before if at not in ("fold_odds", "answered")})
            )
        }
    )
    wanted.meet({name: KnownPlayer(known.choices, pack(structs.replace(model, fold_odds=b"", answered=0)))})
    assert met.memory() == wanted.memory() != programs().memory()
    assert folds(met, read_by=programs()) == folds(programs())


def damaged(mean: list[float], certainty: list[float], count: int = 42) -> bytes:
    return np.array([*mean, *np.diag(certainty).ravel()], "<f8").tobytes()[: 8 * count]


@pytest.mark.parametrize(
    "numbers",
    [
        damaged([float("nan"), 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]),
        damaged([0, 1, 0, 0, 0, 0], [1, -1, 1, 1, 1, 1]),
        damaged([0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
        damaged([0, 1e9, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]),
        damaged([0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1], 41),
    ],
    ids=["no number", "no covariance", "no certainty", "beyond reason", "too short"],
)
def test_damaged_numbers_change_nothing(numbers: bytes) -> None:
    reader = learned(FOLD_OF_IT)
    reader.learn(hand(CALL_OF_IT).events, FLOP.seat)
    before = reader.memory()
    broken = structs.replace(unpack(before, _Memory), fold_odds={"B": numbers})
    with pytest.raises(StoredDataError):
        reader.recall(pack(broken))
    assert reader.memory() == before
    (name,) = reader.known_players()
    known = reader.known_players()[name]
    model = pack(structs.replace(unpack(known.model, _PlayerModel), fold_odds=numbers))
    stranger = programs()
    stranger.meet({name: KnownPlayer(known.choices, model)})
    assert stranger.memory() == programs().memory()


# In values


class Folds(LearnedReader):
    """Knows of an opponent a factor on the odds of folding to a bet of the turn."""

    def __init__(self, factor: float) -> None:
        super().__init__(adapts=False)
        self.known = np.ones((len(CONTEXTS), 2, 8))
        self.known[[CONTEXTS.index("facing a bet on the turn")], :, 0] = factor
        self.known[[CONTEXTS.index("facing a bet after a checked street")], :, 0] = factor

    def factors(self, name: str) -> Numbers:
        return self.known


class Believes(LearnedReader):
    """Believes the opponent to fold so."""

    def __init__(self, folding: Folding) -> None:
        super().__init__(adapts=False)
        self.known = folding

    def folds_to_bets(self, observation: Observation, predictions: Sequence[Prediction]) -> tuple[Figure, ...]:
        return tuple(Figure(name, of, 1.0) for name, of in zip((FACTOR, POWER, BY_SIZE), self.known, strict=True))


@pytest.mark.parametrize("factor", [4.0, 0.25])
def test_values_are_those_of_a_reader_who_knows_as_much(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """All combos fold by other odds: the rest of the range, and what comes of it, is the same either way."""
    monkeypatch.setattr(playing_on, "_WAYS", {"": next(iter(playing_on._WAYS.values()))})
    monkeypatch.setattr(values, "_HOPELESS", np.inf)
    board, words = "Ac8d5s2h", "300 c | x 400 c | x"
    hero = turn_of(play(deal(board=board), words)).seat
    observation = turn_of(play(deal(hole_cards={hero: "QsJd"}, board=board), words))
    predictions = predicted(observation, {1 - hero: "22+,A2+,K2+,Q7+,J7+,T7+,97+,86+,75+,64+"})
    known = valued(observation, predictions, 960, reader=Folds(factor))
    usual = valued(observation, predictions, 960)
    sizes = [one.action for one in usual.actions if one.action.raise_to]
    for bet in (sizes[1], sizes[-2]):
        wanted, before = (found.of(bet) for found in (known, usual))
        assert wanted is not None
        assert before is not None
        of = [one.all_fold / (1 - one.all_fold) for one in (wanted, before)]
        by_size = Folding(of[0] / of[1] / pot_fraction(observation, bet.raise_to) ** 0.5, by_size=0.5)
        found = valued(observation, predictions, 960, reader=Believes(by_size)).of(bet)
        assert found is not None
        assert abs(wanted.all_fold - before.all_fold) > 0.05
        assert found.all_fold == pytest.approx(wanted.all_fold, abs=0.01)
        assert found.called_equity == pytest.approx(wanted.called_equity, abs=0.01)
        assert found.later == pytest.approx(wanted.later, abs=0.01)
        assert found.value == pytest.approx(wanted.value, abs=0.015 * observation.pot)
        assert found.stderr == pytest.approx(wanted.stderr, rel=0.15)
        assert found.deviation == pytest.approx(wanted.deviation, rel=0.03)
        assert abs(wanted.value - before.value) > 0.04 * observation.pot


# In sentences


@pytest.mark.parametrize(
    ("known", "count", "name", "said"),
    [
        (
            (0.3, 0.5, 1.0),
            120,
            "B",
            "By the 120 bets of ours after the flop that B alone could answer, a bet of half a pot with such a "
            "hand is folded to 11% of the time where 40% is to be expected, and one of two pots 48% where 70% is.",
        ),
        (
            (3.0, 1.0, 0.0),
            1,
            "You",
            "By the one bet of ours after the flop that you alone could answer, a bet of half a pot with such a "
            "hand is folded to 67% of the time where 40% is to be expected, and one of two pots 88% where 70% is.",
        ),
        ((1.0, 0.95, 0.1), 40, "B", None),
        ((0.6, 0.9, 0.3), 40, "B", None),
    ],
    ids=["more to larger bets", "often", "as most", "as strangers"],
)
def test_a_sentence_says_what_is_out_of_the_usual(
    known: tuple[float, float, float], count: int, name: str, said: str | None
) -> None:
    """2:3 to the power 0.5 is 0.82, times 0.3 0.24, half of it 0.12: 11%; 7:3 so 0.46, twice that 0.92: 48%."""
    observation = turn_of(play(deal(board=BOARD, names=("A", name)), "300 c | x"))
    reader = LearnedReader(adapts=False)
    usual = zip((FACTOR, POWER, BY_SIZE), known, (0.7, 0.9, 0.3), strict=True)
    made = Trace(
        style="soulread",
        seed=1,
        observation=observation,
        figures=tuple(Figure(*figure, count) for figure in usual),
        rule="value",
        action=BET,
        values=valued(observation, reader.read(observation), 128),
    )
    told = [(claim.text, claim.evidence) for claim in explain(made) if "could answer" in claim.text]
    assert told == ([] if said is None else [(said, "figures[0].value")])
