"""What goes from one session to the next, and what it says in numbers."""

import logging

import numpy as np
import pytest

from engine.agents.agent import KnownPlayer, KnowsPlayers, best_known
from engine.agents.fold.agent import FoldAgent
from engine.agents.learned.adaptation import Adaptation, _PlayerModel, belief_of
from engine.agents.learned.beliefs import PACKED_PLAYER, PlayerBelief, Spreads
from engine.agents.learned.habits import Habit, HabitOdds, habits_of, leanings_of
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import situations
from engine.agents.learned.tilts import KINDS, LEANINGS, STRONG
from engine.agents.readers import make_reader
from engine.cards import Card
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import HoleCardsShown, PublicEvent
from tests.engine.agents.hands import deal, play
from tests.engine.agents.learned.models import random_likelihoods
from tests.engine.agents.learned.test_adaptation import opening, shown_bet, strengths, tilt_of
from tests.engine.agents.learned.test_adaptation import see as learn

SIX = (10_000,) * 6


def see(adaptation: Adaptation, word: str) -> None:
    """Let Ada open or fold from the first seat."""
    learn(adaptation, "Ada", opening(word), strengths())


def taught(word: str, times: int = 200) -> Adaptation:
    """One that has seen Ada do the same every time."""
    adaptation = Adaptation()
    for _ in range(times):
        see(adaptation, word)
    return adaptation


def reader() -> LearnedReader:
    return LearnedReader(random_likelihoods())


def test_the_next_session_begins_with_the_tilt_of_the_player_and_of_nobody_else() -> None:
    before, after = taught("250"), Adaptation()
    after.meet(before.known_players())
    expected = tilt_of(before, "Ada", opening("f"))
    np.testing.assert_allclose(tilt_of(after, "Ada", opening("f")), expected, rtol=1e-6)
    assert after.choices("Ada") == 200
    # The population's share and the sharpness stay behind: who was not met is a stranger.
    assert (tilt_of(before, "Bob", opening("f")) != 0).any()
    assert (tilt_of(after, "Bob", opening("f")) == 0).all()


def test_what_is_kept_goes_on_to_be_learned_from() -> None:
    """A player who turns tight is followed by who knew them loose, though later than by who met them now."""
    known, stranger = Adaptation(), Adaptation()
    known.meet(taught("250").known_players())
    tilts = []
    for _ in range(200):
        for adaptation in (known, stranger):
            see(adaptation, "f")
        tilts.append([adaptation.numbers("Ada")[0] for adaptation in (known, stranger)])
    assert tilts[0][0] > 0.3 > 0 > tilts[0][1]
    assert tilts[-1][1] < tilts[-1][0] < 0


def test_a_player_is_less_sure_to_be_as_they_were_with_every_session() -> None:
    before = taught("250").known_players()["Ada"]
    later = Adaptation()
    later.meet({"Ada": before})
    widths = [np.diag(belief_of(player)[1]) for player in (before, later.known_players()["Ada"])]
    is_unusual = int(taught("250").share_of_unusual("Ada") > 0.5)
    prior = Spreads().of_player(is_unusual) ** 2
    np.testing.assert_allclose(widths[1], 0.9 * widths[0] + 0.1 * prior, rtol=1e-5)


def test_a_session_goes_on_from_its_memory_as_if_it_had_not_stopped() -> None:
    """Its own memory has what it began with, and is exact."""
    running, resumed = Adaptation(), Adaptation()
    running.meet(taught("250").known_players())
    see(running, "f")
    resumed.recall(running.memory())
    for adaptation in (running, resumed):
        see(adaptation, "f")
    assert resumed.memory() == running.memory()


def test_in_which_order_players_were_met_is_no_part_of_what_it_has_learned() -> None:
    known, memories = {name: taught("250").known_players()["Ada"] for name in ("Ada", "Bob")}, []
    for names in (("Ada", "Bob"), ("Bob", "Ada")):
        adaptation = Adaptation()
        adaptation.meet({name: known[name] for name in names})
        learn(adaptation, "Ada", opening("f"), strengths())
        memories.append(adaptation.memory())
    assert memories[0] == memories[1]


def with_odds(odds: float) -> bytes:
    """What is kept of a stranger, with these log-odds of an unusual player."""
    stranger = PlayerBelief(Spreads())
    stranger.odds = odds
    return stranger.packed().astype("<f4").tobytes()


MARK = unpack(taught("f", 1).known_players()["Ada"].model, _PlayerModel).kinds


@pytest.mark.parametrize(
    "model",
    [
        b"no model",
        pack(_PlayerModel(1, np.zeros(PACKED_PLAYER, "<f4").tobytes())),
        pack(_PlayerModel(MARK, bytes(8))),
        pack(_PlayerModel(MARK, np.full(PACKED_PLAYER, np.nan, "<f4").tobytes())),
        pack(_PlayerModel(MARK, np.full(PACKED_PLAYER, -1.0, "<f4").tobytes())),
        pack(_PlayerModel(MARK, np.zeros(PACKED_PLAYER, "<f4").tobytes())),
        pack(_PlayerModel(MARK, with_odds(-1e30))),
    ],
    ids=["damaged", "of other kinds", "too short", "no numbers", "no covariance", "no sharpness", "odds"],
)
def test_a_model_that_cannot_be_read_leaves_a_stranger(model: bytes, caplog: pytest.LogCaptureFixture) -> None:
    adaptation = Adaptation()
    with caplog.at_level(logging.WARNING):
        adaptation.meet({"Ada": KnownPlayer(50, model), "Bob": taught("250").known_players()["Ada"]})
    assert adaptation.choices("Ada") == 0
    assert adaptation.choices("Bob") == 200
    assert [record.message.split(":")[0] for record in caplog.records] == ["What is kept of a player is left out"]
    with pytest.raises(StoredDataError):
        belief_of(KnownPlayer(50, model))


def test_a_player_takes_little_room() -> None:
    assert len(showing().known_players()["Ada"].model) < 6000


# What hands somebody does something with

BETTING = LEANINGS.index("betting more after the flop")
BIG_BET = situations(play(deal(SIX, board="Ks7d2s4c9s"), "f f f 250 f c | x 900").events)[-1]
ANYTHING = np.full((50, 8), 1 / 8)


def bet(adaptation: Adaptation, *, best: bool, times: int = 80) -> None:
    """Let Ada bet much with the best of 50 combos each time, or with the worst, and show it."""
    for _ in range(times):
        learn(adaptation, "Ada", BIG_BET, ANYTHING, 49 if best else 0)


def showing(*, best: bool = True) -> Adaptation:
    """One that has seen Ada bet much with the best combo, or the worst; Bob only bet."""
    adaptation = Adaptation()
    bet(adaptation, best=best)
    learn(adaptation, "Bob", BIG_BET, ANYTHING)
    return adaptation


def leaning(adaptation: Adaptation, name: str = "Ada") -> float:
    return float(adaptation.numbers(name)[STRONG][BETTING])


def test_the_next_session_reads_who_has_shown_cards_as_this_one_did() -> None:
    before, after = showing(), Adaptation()
    after.meet(before.known_players())
    assert leaning(after) == pytest.approx(leaning(before), rel=1e-6)
    assert leaning(after) > 1
    # What all have in common goes with whoever made a choice, and is not a stranger's.
    assert leaning(after, "Bob") == pytest.approx(leaning(before, "Bob"), rel=1e-6)
    assert leaning(before, "Cid") > 0.1
    assert leaning(after, "Cid") == 0


def test_what_shown_cards_said_goes_on_to_be_learned_from() -> None:
    turned = Adaptation()
    turned.meet(showing().known_players())
    assert leaning(turned) > 1
    bet(turned, best=False, times=200)
    assert leaning(turned) < 0


def test_sharpness_is_kept_as_far_as_it_is_the_players_own() -> None:
    generator, adaptation = np.random.default_rng(3), Adaptation()
    see(adaptation, "250")
    for _ in range(200):
        features = generator.normal(0, 1.5, 50)
        bet = shown_bet(np.exp(features - features.max()))
        adaptation.learn_shown("Ada", [bet], np.ones(50, bool), int(generator.integers(50)))
    after = Adaptation()
    after.meet(adaptation.known_players())
    own = adaptation._players["Ada"].sharpness.mean[1]
    assert adaptation.sharpness("Ada")[1] < 0.5 < 1 + own
    assert after.sharpness("Ada")[1] == pytest.approx(1 + own, rel=1e-6)


def test_a_session_with_what_cards_said_goes_on_from_its_memory_bit_for_bit() -> None:
    running, resumed = Adaptation(), Adaptation()
    running.meet(showing().known_players())
    resumed.recall(running.memory())
    bet = shown_bet(np.linspace(0.1, 0.9, 9), np.linspace(-1, 1, 9))
    for adaptation in (running, resumed):
        adaptation.learn_shown("Ada", [bet], np.ones(9, bool), 3)
        see(adaptation, "250")
    assert resumed.memory() == running.memory()


@pytest.mark.parametrize("best", [True, False])
def test_leanings_of_a_known_player(best: bool) -> None:
    found = leanings_of(showing(best=best).known_players()["Ada"])
    assert [one.deed for one in found] == list(LEANINGS)
    betting, others = found[BETTING], [one for one in found if one.deed.endswith("before the flop")]
    assert len(others) == 4
    assert all(abs(one.strength) < abs(betting.strength) for one in found if one is not betting)
    assert betting.low > 0.5 if best else betting.high < -0.5
    assert betting.low < betting.strength < betting.high
    assert all((one.strength, one.low) == (0, -one.high) for one in others)
    prior = Spreads().leaning[1]
    assert all(one.high == pytest.approx(1.96 * prior, rel=1e-5) for one in others)


def test_readers_of_one_table_know_the_same_whatever_cards_they_hold() -> None:
    """What is kept is learned from the public events: neither own nor hidden cards are in it."""
    words = "f f 250 f c c | x x 300 f c | x x | 500 f"
    holdings: list[dict[int, list[Card] | str]] = [
        {0: "AhAd", 1: "7c2h", 2: "QsJs", 3: "6c6d", 4: "Tc9c", 5: "KhQh"},
        {0: "2c3d", 1: "AcAs", 2: "8h8c", 3: "Ad5d", 4: "JhJc", 5: "4h3h"},
    ]
    known = []
    for cards in holdings:
        for seat in (0, 2, 5):
            agent = FoldAgent(reader())
            table = play(deal(SIX, hole_cards=cards, board="Ks7d2s4c9s"), words)
            assert not shown_in(table.events)
            agent.hand_finished(table.observe(seat))
            known.append((seat, agent.known_players()))
    by_seat = [[players for at, players in known if at == seat] for seat in (0, 2, 5)]
    assert all(first and first == second for first, second in by_seat)


def test_nothing_is_learned_of_who_learns() -> None:
    """What players have in common is of those they play against."""
    table = play(deal(SIX), "250 c c f f f | x x x")
    name = {view.seat: view.name for view in table.observe(0).seats}
    for seat in (0, 3):
        agent = FoldAgent(reader())
        observation = table.observe(seat)
        agent.hand_finished(observation)
        everybody = LearnedReader(random_likelihoods())
        everybody.learn(observation.events)
        assert set(agent.known_players()) == set(everybody.known_players()) - {name[seat]}
        assert name[seat] in everybody.known_players()


def shown_in(events: tuple[PublicEvent, ...]) -> bool:
    return any(isinstance(event, HoleCardsShown) for event in events)


def test_agents_and_readers_without_memory_keep_nothing() -> None:
    assert LearnedReader(random_likelihoods(), adapts=False).known_players() == {}
    uniform = FoldAgent(make_reader("uniform"))
    uniform.meet({"Ada": KnownPlayer(1, b"")})
    assert uniform.known_players() == {}
    assert not isinstance(make_reader("uniform"), KnowsPlayers)


def test_of_several_models_that_of_most_choices_is_kept() -> None:
    few, many, same = (KnownPlayer(choices, bytes([at])) for at, choices in enumerate((3, 7, 7)))
    assert best_known([{"Ada": few, "Bob": few}, {"Ada": many}, {"Ada": same}]) == {"Ada": many, "Bob": few}


def test_what_two_readers_have_learned_of_a_player_is_kept_each_by_itself() -> None:
    learned, counted = KnownPlayer(3, b"learned"), KnownPlayer(0, b"", 9, b"counted")
    both = KnownPlayer(3, b"learned", 9, b"counted")
    assert learned.with_more(counted) == counted.with_more(learned) == both
    assert both.with_more(KnownPlayer(4, b"more")) == KnownPlayer(4, b"more", 9, b"counted")
    assert best_known([{"Ada": learned}, {"Ada": counted}]) == {"Ada": both}
    # As the learned reader kept players before the paper's did.
    assert unpack(pack({"choices": 3, "model": b"learned"}), KnownPlayer) == learned


def habits(adaptation: Adaptation) -> dict[Habit, HabitOdds]:
    return {habit.habit: habit for habit in habits_of(adaptation.known_players()["Ada"])}


def test_habits_are_the_odds_of_the_tilt() -> None:
    """Where all preflop contexts have one tilt, its exponential is the habit."""
    adaptation = taught("f", 1)
    numbers = np.zeros(len(KINDS))
    numbers[[KINDS.index("looseness before the flop"), KINDS.index("aggression after the flop")]] = 0.7, -0.4
    for belief in adaptation._players["Ada"].beliefs:
        belief.mean = numbers - adaptation._population.mean
    found = habits(adaptation)
    odds = {habit: found[habit].odds for habit in Habit}
    expected = {Habit.ENTERING: np.exp(0.7), Habit.RAISING: 1, Habit.STAYING: 1, Habit.BETTING: np.exp(-0.4)}
    assert odds == pytest.approx(expected, rel=1e-5)


def test_a_habit_is_sure_only_of_what_was_seen() -> None:
    adaptation = Adaptation()
    for _ in range(50):
        for words in ("250 900 2500", "c", "250 c", "250 900 c"):
            for situation in situations(play(deal(SIX), words).events):
                learn(adaptation, "Ada", situation, ANYTHING)
    found = habits(adaptation)
    assert 1 < found[Habit.ENTERING].low < found[Habit.ENTERING].odds < found[Habit.ENTERING].high
    assert found[Habit.BETTING].low < 0.5 < 2 < found[Habit.BETTING].high
