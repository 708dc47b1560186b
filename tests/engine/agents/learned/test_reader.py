from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from engine.agents.agent import NoOpponentError
from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.tilts import CONTEXTS
from engine.agents.posterior import posterior_of
from engine.agents.readers import DEFAULT_READER, make_reader
from engine.cards import combo_of, parse_cards, unblocked
from engine.game.events import HoleCardsShown
from engine.game.observation import Observation
from engine.game.table import Table
from tests.engine.agents.hands import deal, play
from tests.engine.agents.learned.models import random_likelihoods

SIX = (10_000,) * 6
HANDS = {0: "AhAd", 1: "7c2h", 2: "QsJs", 3: "6c6d", 4: "Tc9c", 5: "KhQh"}
BOARD = "Ks7d2s4c9s"
WORDS = "f f 250 f c c | x x 300 f c | x x | 500 c"


def table(words: str = WORDS, stacks: tuple[int, ...] = SIX) -> Table:
    return play(deal(stacks, hole_cards=HANDS, board=BOARD), words)


def reader(**options: bool) -> LearnedReader:
    return LearnedReader(random_likelihoods(), **options)


def seen(words: str, seat: int = 2) -> Observation:
    return table(words).observe(seat)


def test_it_is_the_default() -> None:
    assert DEFAULT_READER == "learned"
    assert isinstance(make_reader(), LearnedReader)


def test_the_posterior_is_the_prior_times_one_factor_per_action() -> None:
    observation = seen(WORDS)
    for prediction in reader().read(observation):
        mine = [update.action for update in prediction.updates]
        assert all(action.seat == prediction.seat for action in mine)
        assert len(mine) == sum(getattr(event, "action", None) is not None and event.seat == prediction.seat
                                for event in observation.events)  # fmt: skip
        assert all(update.replaces is None for update in prediction.updates)
        product = prediction.prior.astype(np.float64)
        for update in prediction.updates:
            product *= update.likelihood
        np.testing.assert_allclose(prediction.posterior, product / product.sum(), rtol=2e-5, atol=1e-9)
        np.testing.assert_allclose(
            prediction.posterior, posterior_of(prediction.prior, prediction.updates), rtol=2e-5, atol=1e-9
        )


def test_blocked_combos_have_no_probability() -> None:
    observation = seen(WORDS)
    live = unblocked((*observation.board, *observation.hole_cards))
    for prediction in reader().read(observation):
        assert prediction.posterior.sum() == pytest.approx(1, abs=1e-5)
        assert (prediction.posterior[~live] == 0).all()
        assert (prediction.posterior[live] > 0).all()


def test_one_opponent_is_predicted_as_among_all() -> None:
    observation = seen(WORDS)
    for prediction in reader().read(observation):
        alone = reader().predict(observation, prediction.seat)
        assert (alone.posterior == prediction.posterior).all()
    with pytest.raises(NoOpponentError):
        reader().predict(observation, 2)


def test_players_who_folded_can_be_predicted() -> None:
    prediction = reader().predict(seen(WORDS), 3)
    assert len(prediction.updates) == 1
    assert prediction.posterior.sum() == pytest.approx(1, abs=1e-5)


def test_a_new_street_blocks_combos_before_anybody_acts() -> None:
    observation = seen("f f 250 f c c | x x 300 f c")
    assert len(observation.board) == 4
    for prediction in reader().read(observation):
        assert (prediction.posterior[~unblocked(observation.board)] == 0).all()


def test_hidden_cards_change_nothing() -> None:
    changed = dict(HANDS) | {0: "3c3d", 1: "8h8s", 3: "AsAc", 4: "KdKc", 5: "2d2c"}
    other = play(deal(SIX, hole_cards=changed, board=BOARD), WORDS)
    ours, theirs = reader().read(seen(WORDS)), reader().read(other.observe(2))
    for a, b in zip(ours, theirs, strict=True):
        assert (a.posterior == b.posterior).all()


def test_reading_is_the_same_whatever_was_read_before() -> None:
    """Against what is kept from earlier calls: a fresh reader, and one that has read every earlier moment."""
    used = reader()
    words = WORDS.replace("|", "").split()
    for count in range(3, len(words) + 1):
        observation = seen(" ".join(words[:count]))
        for a, b in zip(used.read(observation), reader().read(observation), strict=True):
            assert (a.posterior == b.posterior).all()


def test_without_memory_nothing_is_learned() -> None:
    forgetful = reader(adapts=False)
    before = forgetful.read(seen(WORDS))
    for _ in range(5):
        forgetful.learn(table(WORDS).events)
    for a, b in zip(before, forgetful.read(seen(WORDS)), strict=True):
        assert (a.posterior == b.posterior).all()


def test_history_shifts_how_a_player_is_read() -> None:
    """A player who has raised every hand shows less by a raise than one of whom nothing is known."""
    model = make_reader("learned")
    opened = seen("f f 250")
    aces = combo_of(*parse_cards("AcAs"))
    stranger = model.predict(opened, 5)
    for _ in range(40):
        model.learn(play(deal(SIX, hole_cards=HANDS), "f f 250 f f f").events)
    known = model.predict(opened, 5)
    assert known.posterior[aces] < 0.85 * stranger.posterior[aces]
    at_first, raising = stranger.updates[0].figures[-1], known.updates[0].figures[-1]
    assert at_first.value == at_first.default
    # Before the first action the range is every hand, and most open between a tenth and a half of the hands here.
    assert raising.value > 0.8 > 0.5 > raising.default > 0.1
    assert raising.count == 40


def test_shown_cards_are_learned_from() -> None:
    showdown = table("f f 250 f c f | x x | x x | x x")
    assert {event.seat for event in showdown.events if isinstance(event, HoleCardsShown)}
    hidden = tuple(event for event in showdown.events if not isinstance(event, HoleCardsShown))
    seeing, blind = reader(), reader()
    seeing.learn(showdown.events)
    blind.learn(hidden)
    observation = seen("f f 250")
    assert not np.array_equal(seeing.predict(observation, 5).posterior, blind.predict(observation, 5).posterior)


def test_who_called_overbets_is_known_to_fold_less_to_them_and_who_called_bets_hardly() -> None:
    river = CONTEXTS.index("facing a bet on the river")

    def odds(size: int, hands: int = 12) -> float:
        model = LearnedReader()
        for _ in range(hands):
            dealt = deal((20_000, 20_000), hole_cards={0: "AdAc", 1: "6c4d"}, board="AsKd9h8s2c")
            hand = play(dealt, f"250 c | x 200 c | x 400 c | x {size} c")
            model.learn(hand.events)
        return model.most_odds_of_folding_to_overbets("B", river)

    assert odds(5_000) < 0.3
    assert 2 * odds(5_000) < odds(800) < 1 < odds(5_000, hands=0)
    assert LearnedReader(adapts=False).most_odds_of_folding_to_overbets("B", river) == 1


def test_hands_of_every_size_can_be_learned_from() -> None:
    for stacks, words in (((10_000, 10_000), "c x | x x | 200 f"), ((500, 10_000, 300), "500 c c")):
        made = reader()
        made.learn(play(deal(stacks, board=BOARD), words).events)
        assert made.read(play(deal(stacks, board=BOARD), words.split()[0]).observe(1))


ORDER = (3, 4, 5, 0, 1, 2)  # under the gun to the big blind, where seat 0 has the button


def raises_of_usual_sizes() -> Iterator[tuple[int, int, str]]:
    """Give who raised last, the stacks in big blinds and the words: opens, 3-bets and 4-bets from everywhere."""
    for stack, opener, size in product((20, 100, 200), range(5), (2, 2.5, 3.5, 5)):
        opened = "f " * opener + f"{100 * size:.0f}"
        yield ORDER[opener], stack, opened
        for again in range(opener + 1, 6):
            for times in (2.5, 4):
                three_bet = size * times
                words = f"{opened} {'f ' * (again - opener - 1)}{100 * three_bet:.0f}"
                if three_bet < stack:
                    yield ORDER[again], stack, words
                for more in (2.2, 2.5, 3):
                    if size == 2.5 and more * three_bet < stack:
                        four_bet = f"{100 * more * three_bet:.0f}"
                        yield ORDER[opener], stack, f"{words} {'f ' * (5 - again)}{four_bet}"


def heads_up_raises_of_usual_sizes() -> Iterator[tuple[int, int, str]]:
    """Give the same with two seats, where seat 0 has the button, and with its limp before."""
    for stack, size in product((20, 30, 40, 60, 100, 150, 200), (2, 2.5, 3, 3.5, 5)):
        for opener, opened in ((0, f"{100 * size:.0f}"), (1, f"c {100 * (size + 1):.0f}")):
            yield opener, stack, opened
            for times in (2.5, 3, 4):
                three_bet = (size + opener) * times
                if three_bet < stack:
                    words = f"{opened} {100 * three_bet:.0f}"
                    yield 1 - opener, stack, words
                    for more in (2.2, 2.5, 3):
                        if more * three_bet < stack:
                            yield opener, stack, f"{words} {100 * more * three_bet:.0f}"


@pytest.mark.parametrize("strangers", [OF_PEOPLE, OF_PROGRAMS], ids=["people", "programs"])
def test_aces_and_kings_raise_by_any_usual_size(strangers: Spreads) -> None:
    """Strangers are not taken for players who raise their best hands by another size only."""
    spots = list(raises_of_usual_sizes())
    assert_premium_pairs_count(6, ORDER, spots, strangers)
    assert len(spots) > 500


@pytest.mark.parametrize(
    ("strangers", "least"), [(OF_PEOPLE, 0.5), (OF_PROGRAMS, 0.48)], ids=["people", "programs"]
)
def test_aces_and_kings_raise_by_any_usual_size_heads_up(strangers: Spreads, least: float) -> None:
    """In one spot of all kings have less than half: where who has limped 20 bb deep raises to 12."""
    spots = list(heads_up_raises_of_usual_sizes())
    assert_premium_pairs_count(2, (0, 1), spots, strangers, least)
    assert len(spots) > 500


def assert_premium_pairs_count(
    seats: int,
    order: Sequence[int],
    spots: Sequence[tuple[int, int, str]],
    strangers: Spreads,
    least: float = 0.5,
) -> None:
    stranger = make_reader("learned", strangers=strangers)
    best = [combo_of(*parse_cards(text)) for text in ("AhAs", "KhKs")]
    for seat, stack, words in spots:
        observer = next(other for other in order if other != seat)
        seen = play(deal((100 * stack,) * seats, hole_cards={observer: "7c2d"}), words).observe(observer)
        range_ = stranger.predict(seen, seat).posterior
        assert range_[best].min() >= least * range_.max(), (seat, stack, words)
