import pytest

from engine.agents.agent import ActionClass, NoOpponentError
from engine.agents.fold.understand import understand
from engine.agents.posterior import uniform_prior
from engine.agents.readers import READERS, UnknownReaderError, make_reader
from engine.cards import unblocked
from tests.engine.agents.hands import deal, play, table_on_the_turn, turn_of
from tests.engine.game.hands import watched


@pytest.mark.parametrize("name", sorted(READERS))
def test_every_reader_keeps_to_the_cards_that_are_left(name: str) -> None:
    table = play(deal([10_000] * 6, board="AcTd4hQc5c"), "c 300 c f f c c | x x 400")
    observation = turn_of(table)
    predictions = make_reader(name).read(observation)
    assert [made.seat for made in predictions] == [view.seat for view in observation.opponents]
    live = unblocked((*observation.board, *observation.hole_cards))
    for made in predictions:
        assert made.reader == name
        for vector in (made.prior, made.posterior):
            assert vector.sum() == pytest.approx(1, abs=1e-5)
            assert (vector[~live] == 0).all()
            assert (vector[live] > 0).all()
        mine = [action for action in understand(observation.events) if action.seat == made.seat]
        assert [done.action for done in made.updates] == mine
        for done in made.updates:
            assert (done.likelihood[~unblocked((*done.board, *observation.hole_cards))] == 0).all()
            assert 0 < done.mean_likelihood <= 1


@pytest.mark.parametrize("name", sorted(READERS))
def test_one_seat_is_predicted_as_among_all_and_after_its_fold_too(name: str) -> None:
    observation = play(deal([10_000] * 4, board="AcTd4hQc5c"), "300 f c c | x f x | x").observe(3)
    reader = make_reader(name)
    alone = [reader.predict(observation, view.seat) for view in observation.opponents]
    for one, among in zip(alone, reader.read(observation), strict=True):
        assert (one.seat, one.updates and one.updates[-1].action) == (among.seat, among.updates[-1].action)
        assert (one.posterior == among.posterior).all()
    folded = [view.seat for view in observation.seats if view.is_folded and view.seat != 3]
    assert len(folded) == 2  # before a raise, and when a check was free
    live = unblocked((*observation.board, *observation.hole_cards))
    for seat in folded:
        made = reader.predict(observation, seat)
        assert [update.action.action_class for update in made.updates][-1] is ActionClass.FOLD
        assert made.posterior.sum() == pytest.approx(1, abs=1e-5)
        assert (made.posterior[~live] == 0).all()


@pytest.mark.parametrize("name", sorted(READERS))
def test_of_a_hand_that_is_watched_everybody_is_read_by_the_board_alone(name: str) -> None:
    """A player who reads by what each hand would do reads the same of the hands that they do not hold a card of."""
    table = play(deal([10_000] * 4, board="AcTd4hQc5c"), "300 f c c | x x 400")
    own, seen = turn_of(table), watched(table.events)
    assert (seen.viewer, seen.own_cards) == (None, ())
    reader = make_reader(name)
    read = {made.seat: made.posterior for made in reader.read(seen)}
    assert sorted(read) == [view.seat for view in seen.seats if view.is_live], "nobody is left out"
    live = unblocked(own.board)
    for posterior in read.values():
        assert posterior.sum() == pytest.approx(1, abs=1e-5)
        assert ((posterior > 0) == live).all()
    free = unblocked((*own.board, *own.hole_cards))
    for made in reader.read(own):
        of_free = read[made.seat] * free / (read[made.seat] * free).sum()
        if name != "markov":  # it shares a kind of hands out among those that are not blocked
            assert made.posterior == pytest.approx(of_free, rel=1e-3, abs=1e-7)


@pytest.mark.parametrize("name", sorted(READERS))
def test_oneself_and_empty_seats_are_not_predicted(name: str) -> None:
    observation = turn_of(deal([10_000] * 3))
    with pytest.raises(NoOpponentError, match=rf"^Seat {observation.seat} is the viewer's own"):
        make_reader(name).predict(observation, observation.seat)
    with pytest.raises(NoOpponentError, match=r"^Seat 7 was not dealt into hand 1\.$"):
        make_reader(name).predict(observation, 7)


def test_the_uniform_reader_learns_nothing() -> None:
    observation = turn_of(table_on_the_turn())
    (made,) = make_reader("uniform").read(observation)
    assert (made.posterior == uniform_prior(observation)).all()


def test_an_unknown_reader_is_refused() -> None:
    with pytest.raises(UnknownReaderError, match=r"There is no reader 'psychic'; there are .*paper, .*uniform\."):
        make_reader("psychic")
