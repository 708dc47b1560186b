import numpy as np
import pytest

from engine.agents.agent import ActionClass, Figure, Method, NoOpponentError, RangeUpdate, Reading, UnderstoodAction
from engine.agents.fold.opponent_model import OpponentModel, win_probabilities
from engine.agents.fold.parameters import default_parameters, tuned_numbers, with_numbers
from engine.agents.fold.predict import (
    READERS,
    PaperReader,
    UnknownReaderError,
    boards_at,
    hand_kinds,
    make_reader,
    opponents_in,
    outs_of,
    posterior_of,
    range_shares,
    reading,
    uniform_prior,
)
from engine.agents.fold.understand import understand
from engine.cards import COMBO_COUNT, Card, Street, combo_of, format_cards, parse_cards, unblocked
from engine.codec import frozen_vector
from engine.equity.outs import BEHIND, outs_of_combos
from engine.game.observation import Observation
from engine.game.table import Table
from tests.engine.agents.hands import deal, play, turn_of

NUMBERS = default_parameters().prediction


def combo(text: str) -> int:
    return combo_of(*parse_cards(text))


def board(text: str) -> tuple[Card, ...]:
    return tuple(sorted(parse_cards(text)))


def any_action() -> UnderstoodAction:
    return understand(play(deal(), "c").events)[0]


def update(values: np.ndarray, replaces: int | None = None) -> RangeUpdate:
    return RangeUpdate(any_action(), (), frozen_vector(values), 1.0, (), replaces)


# The product of streets


def test_the_papers_worked_example() -> None:
    """Eqs. 18-24 with all 990 combos of the river; the paper's own slip in psi_2 put right.

    We hold Ah Jh; board Ac Td 4h Qc 5c. psi_1 = Ad Tc: 0.01, 0.006, 0.024, 0.005; psi_2 = Ks Jc: 0.002, 0.03,
    0.024, 0.03. Their products are 7.2e-9 and 4.32e-8; of a total of 2e-5 that is 0.036% and 0.216%.
    """
    live = unblocked(parse_cards("AcTd4hQc5c AhJh"))
    assert live.sum() == 990
    first, second = combo("AdTc"), combo("KsJc")
    streets = {first: (0.01, 0.006, 0.024, 0.005), second: (0.002, 0.03, 0.024, 0.03)}
    rest = (2e-5 - 7.2e-9 - 4.32e-8) / 988
    likelihoods = []
    for street in range(4):
        # The others share what is left of the total: on the first street all of it, then certainty.
        values = np.where(live, rest if street == 0 else 1.0, 0.0)
        for psi, factors in streets.items():
            values[psi] = factors[street]
        likelihoods.append(update(values))
    posterior = posterior_of(frozen_vector(live / 990), likelihoods)
    assert posterior.sum() == pytest.approx(1.0, abs=1e-6)
    assert posterior[first] == pytest.approx(0.00036, rel=1e-5)
    assert posterior[second] == pytest.approx(0.00216, rel=1e-5)
    assert (posterior[~live] == 0).all()


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


def test_a_street_follows_bayes_rule() -> None:
    # Eqs. 12-14: with a uniform prior the posterior is the likelihood, normalised.
    live = unblocked(parse_cards("AcTd4h AhJh"))
    likelihood = np.where(live, np.random.default_rng(1).random(COMBO_COUNT), 0)
    posterior = posterior_of(frozen_vector(live / live.sum()), [update(likelihood)])
    assert np.allclose(posterior, likelihood / likelihood.sum(), atol=1e-7)


def test_the_product_does_not_depend_on_the_order() -> None:
    random = np.random.default_rng(2)
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    updates = [update(random.random(COMBO_COUNT)) for _ in range(4)]
    assert np.allclose(posterior_of(prior, updates), posterior_of(prior, updates[::-1]), atol=1e-9)


def test_a_replaced_update_does_not_count() -> None:
    random = np.random.default_rng(3)
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    check, bet = random.random(COMBO_COUNT), random.random(COMBO_COUNT)
    both = posterior_of(prior, [update(check), update(bet)])
    replaced = posterior_of(prior, [update(check), update(bet, replaces=0)])
    assert np.allclose(replaced, bet / bet.sum(), atol=1e-7)
    assert not np.allclose(both, replaced, atol=1e-5)


def test_an_action_thought_impossible_is_skipped_and_the_range_stays() -> None:
    prior = frozen_vector(np.full(COMBO_COUNT, 1 / COMBO_COUNT))
    some = np.zeros(COMBO_COUNT)
    some[:10] = 1
    posterior = posterior_of(prior, [update(some), update(np.zeros(COMBO_COUNT))])
    assert posterior.sum() == pytest.approx(1)
    assert posterior[:10].sum() == pytest.approx(1)


# Readers


def table_on_the_turn() -> Table:
    """Heads-up: the big blind calls an open, check-raises the flop and bets the turn."""
    cards = {0: "AhJh", 1: "KsQs"}
    return play(deal(hole_cards=cards, board="AcTd4hQc5c"), "300 c | x 300 900 c | 1200")


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
def test_oneself_and_empty_seats_are_not_predicted(name: str) -> None:
    observation = turn_of(deal([10_000] * 3))
    with pytest.raises(NoOpponentError, match=rf"^Seat {observation.seat} is the observer's own"):
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


def test_boards_are_those_of_the_moment() -> None:
    table = table_on_the_turn()
    boards = boards_at(table.events)
    sizes = [len(boards[action.event_index]) for action in understand(table.events)]
    assert sizes == [0, 0, 3, 3, 3, 3, 4]


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


# Shares, outs


@pytest.mark.parametrize("text", ["", "8c7d2c", "8c7d2cQc", "8c7d2cQcAd"])
def test_shares_sum_to_one(text: str) -> None:
    live = unblocked(parse_cards(text)).astype(np.float32)
    shares = range_shares(frozen_vector(live), parse_cards(text))
    assert sum(shares) == pytest.approx(1)
    assert min(shares.strong, shares.medium, shares.weak) > 0
    assert (shares.drawing > 0) == (len(text) in (6, 8))


@pytest.mark.parametrize(
    ("hole_cards", "on_board", "kind"),
    [
        ("AdAs", "AcTd4h", "strong"),
        ("Jd9s", "Kc6d2h", "weak"),
        ("KdJs", "QcTd4h", "drawing"),  # open-ended
        ("9d7s", "Jc8d5h", "drawing"),  # double gutshot: 6 and T
        ("6c3c", "KcTc4h", "drawing"),  # flush draw
        ("6c3c", "KcTc4h8d2s", "weak"),  # missed
        ("Ad7s", "Ac8d5h", "strong"),
        ("6d6s", "7c4c2h", "medium"),
    ],
)
def test_hands_are_sorted_as_players_would(hole_cards: str, on_board: str, kind: str) -> None:
    kinds = hand_kinds(board(on_board), NUMBERS)
    assert ("strong", "medium", "weak", "drawing")[kinds[combo(hole_cards)]] == kind


def test_a_four_flush_on_the_board_is_nobodys_draw() -> None:
    # Four clubs lie there: who has none has no draw, who has one has the flush.
    kinds = hand_kinds(board("Kc8c4c2c"), NUMBERS)
    assert kinds[combo("9d3s")] != 3
    assert kinds[combo("Ac5s")] == 0


def flop_observation(hole_cards: str, flop: str) -> Table:
    taken = set(parse_cards(flop)) | set(parse_cards(hole_cards))
    spare = [card for card in range(52) if card not in taken][:2]
    return play(deal(hole_cards={0: hole_cards}, board=flop + format_cards(spare)), "300 c | x")


def test_the_nuts_have_no_outs() -> None:
    for hole_cards, flop in (("AhKh", "QhJhTh"), ("AcAd", "AhAs2c"), ("TcTd", "Th7c2d")):
        assert outs_of(flop_observation(hole_cards, flop).observe(0)) is None
    # Nor does anybody else who is ahead, though eq. 29 as printed would give top set eight.
    counts = outs_of_combos(board("Th7c2d"))
    assert (counts[win_probabilities(board("Th7c2d")) >= BEHIND] == 0).all()


def test_an_open_ended_straight_draw_has_its_eight_outs() -> None:
    outs = outs_of(flop_observation("6h5s", "8c7dKs").observe(0))
    assert outs is not None
    assert set(parse_cards("4c4d4h4s9c9d9h9s")) <= set(outs.cards)
    # By the river with n outs: 1 - (47 - n)(46 - n) / (47 * 46).
    count = len(outs.cards)
    assert outs.hit_probability == pytest.approx(1 - (47 - count) * (46 - count) / (47 * 46))


def test_outs_follow_eq_29() -> None:
    observation = flop_observation("Qh9h", "8h4hKs").observe(0)
    outs = outs_of(observation)
    assert outs is not None
    flop = board("8h4hKs")
    psi = combo("Qh9h")
    now = win_probabilities(flop)[psi]
    for card in range(52):
        if card in flop or card in observation.hole_cards:
            continue
        after = win_probabilities(tuple(sorted((*flop, Card(card)))))[psi]
        assert (card in outs.cards) == bool(after - now >= 0.6 * (1 - now))
    assert set(parse_cards("2h3h5h6h7hThJhKhAh")) <= set(outs.cards)
    counts = outs_of_combos(flop)
    # Without our cards removed from the deck a combo still never counts its own.
    assert counts[psi] == len(outs.cards)


def test_there_are_outs_only_on_flop_and_turn() -> None:
    table = deal(hole_cards={0: "6h5s"}, board="8c7dKs2h2d")
    assert outs_of(table.observe(0)) is None
    play(table, "300 c | x x | x")
    turn = outs_of(table.observe(0))
    assert turn is not None
    assert turn.hit_probability == pytest.approx(len(turn.cards) / 46)
    play(table, "x | x")
    assert table.observe(0).street is Street.RIVER
    assert outs_of(table.observe(0)) is None


# The reading


def read(observation: Observation, seed: int) -> Reading:
    return reading(observation, make_reader().read(observation), seed)


def test_heads_up_after_the_flop_the_win_rate_is_exact() -> None:
    made = read(table_on_the_turn().observe(0), 1)
    assert made.win_rate.method is Method.EXACT
    assert made.win_rate.stderr == 0
    assert made.win_rate_random.value == pytest.approx(
        win_probabilities(board("AcTd4hQc"))[combo("AhJh")], abs=1e-6
    )


def test_with_more_players_the_win_rate_is_sampled_from_the_seed() -> None:
    observation = turn_of(play(deal([10_000] * 4), "300 c c"))
    first, again, other = (read(observation, seed) for seed in (1, 1, 2))
    assert first.win_rate == again.win_rate
    assert first.win_rate.value != other.win_rate.value
    assert first.win_rate.count == default_parameters().decision.deals
    assert first.win_rate.stderr > 0
    assert abs(first.win_rate.value - other.win_rate.value) < 6 * first.win_rate.stderr


def test_a_crowd_is_sampled_less_often() -> None:
    numbers = default_parameters().decision
    for seats in (7, 8, 9, 10):
        made = read(turn_of(play(deal([10_000] * seats), "300")), 1)
        expected = numbers.crowd_deals if seats - 1 >= numbers.crowd else numbers.deals
        assert made.win_rate.count == expected


def test_pot_odds_and_stack_to_pot_ratio() -> None:
    # 300 each in the pot; facing 450 into 600: 450 of 1500. 9,250 behind against 1,050 in the middle.
    table = play(deal(), "300 c | 450")
    made = read(turn_of(table), 1)
    assert made.pot_odds == pytest.approx(450 / 1500)
    assert made.spr == pytest.approx(9250 / 1050)
    # He has 200 left and can win only as much from each: 200 of 600 + 200 + 200.
    table = play(deal([500, 10_000]), "300 c | 450")
    made = read(turn_of(table), 1)
    assert made.pot_odds == pytest.approx(200 / 1000)
    assert read(play(deal(), "300 c | x").observe(0), 1).pot_odds == 0


def test_before_the_flop_those_are_in_who_have_matched_the_highest_bet() -> None:
    """Seats 0 to 5 with the button at 0, so the blinds are 1 and 2 and seat 3 begins."""
    six = [10_000] * 6

    def found(words: str, seat: int, stacks: list[int] | None = None) -> tuple[int, ...]:
        return opponents_in(play(deal(stacks or six), words).observe(seat))

    assert found("", 3) == (2,), "nobody has raised: the big blind"
    assert found("c c", 5) == (2, 3, 4), "limpers and the big blind"
    assert found("300", 0) == (3,), "the raiser; the blinds have still to put chips in"
    assert found("300 c", 0) == (3, 4)
    assert found("c 300", 0) == (4,), "who limped has still to answer the raise"
    assert found("300 f 900", 0) == (5,)
    assert found("300 f f f f f", 3) == ()
    assert found("300 f f f c", 3) == (1,), "nobody but who called, though the big blind has still to act"
    assert found("300", 3) == (0, 1, 2, 4, 5), "nobody has called yet"
    assert found("200 1000", 0, [10_000, 10_000, 10_000, 200, 10_000, 10_000]) == (3, 4), "all-in for less is in"
    assert found("300 c c c c c | x 450", 3) == (0, 1, 2, 4, 5), "after the flop all who may win"


def test_a_reading_can_be_had_at_any_moment_from_any_seat() -> None:
    table = play(deal([10_000] * 4, board="AcTd4hQc5c"), "f 300 c c | x x 400 f")
    for seat in table.seats:
        made = read(table.observe(seat), 1)
        assert len(made.predictions) == len(table.observe(seat).opponents)
        assert 0 <= made.win_rate.value <= 1
    folded = read(table.observe(3), 1)
    assert folded.win_rate.value == 0
    play(table, "f")
    assert table.is_over
    winner = read(table.observe(0), 1)
    assert (winner.predictions, winner.win_rate.value) == ((), 1.0)
